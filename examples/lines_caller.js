#!/usr/bin/env node
// A player that speaks Railbird's lines: raises with pairs, else calls small bets.
//
//     railbird match "lines:node examples/lines_caller.js" always-call --hands 100
//
// The protocol is told in docs/programs.md.

const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

function decision(view) {
  const legal = Object.fromEntries(view.legal.map((each) => [each.action, each]));
  const [first, second] = view.hole_cards;
  for (const word of ["bet", "raise"]) {
    if (legal[word] && first[0] === second[0]) {
      return { action: word, to: legal[word].least };
    }
  }
  if (legal.check) {
    return { action: "check" };
  }
  return { action: view.to_call <= view.pot / 2 ? "call" : "fold" };
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") {
      say({ type: "hello", protocol: "railbird-lines/1" });
    } else if (message.type === "act") {
      say(decision(message));
    }
  });
