"use strict";
// At each step of a replay the server is asked how strong the hands are that are still in.
(() => {
  const felt = document.querySelector("[data-felt]");
  if (!felt) return;
  const BOARD = [0, 3, 4, 5];
  const known = new Map();
  const percent = (share) => `${Math.round(100 * share)}%`;

  const wordsOf = ({ made, strength, equity }) => [made, strength == null ? "" : `ahead ${percent(strength)}`, `wins ${percent(equity)}`].filter(Boolean);
  const show = (positions, hands, seats) =>
    positions.forEach((position, place) => {
      const line = felt.querySelector(`[data-position="${position}"] [data-strength]`);
      if (!line || !hands[place]) return;
      const words = wordsOf(hands[place]);
      line.textContent = (seats > 3 ? words.slice(-1) : words.slice(-2)).join(", ");
      line.title = `${words.join(", ")}; ahead of one unknown holding, wins of all run-outs against the others`;
    });

  let waiting = null;
  railbird.weigh = () => {
    const { hand, frames, at } = railbird.replay;
    const frame = frames[at];
    clearTimeout(waiting);
    const positions = hand.names.map((_, position) => position).filter((position) => !frame.folded.includes(position) && hand.holes[position][0] >= 0);
    if (positions.length < 2 || frame.isEnd) return;
    const board = railbird.cardText(hand.board.slice(0, BOARD[frame.street]));
    const query = String(new URLSearchParams({ holdings: positions.map((position) => railbird.cardText(hand.holes[position])).join("."), board }));
    const answer = async () => {
      try {
        if (!known.has(query)) known.set(query, (await (await fetch(`/review/strengths?${query}`)).json()).hands);
        if (railbird.replay.hand === hand && railbird.replay.at === at) show(positions, known.get(query), hand.names.length);
      } catch (_) {
        // the table stands without them
      }
    };
    if (known.has(query)) answer();
    else waiting = setTimeout(answer, 80);
  };
  railbird.stepped = railbird.weigh;
  if (railbird.replay.hand) railbird.weigh();
})();
// What comes next in a replay: the decision, if there is one, and the betting before it.
railbird.nextDecision = () => {
  const { hand, frames, at } = railbird.replay;
  const next = frames.slice(at + 1).find((frame) => frame.actor >= 0);
  let left = frames.slice(0, at + 1).filter((frame) => frame.actor >= 0).length;
  let history = "";
  for (const part of hand.history.match(/\/|[a-z]\d*/g) || []) {
    if (left === 0 && part !== "/") break;
    history += part;
    if (part !== "/") left--;
  }
  return { next, history };
};
// What a bot said at the table to whoever asked it, where it was asked.
(() => {
  const box = document.querySelector("[data-asked]");
  if (!box) return;
  const { make } = railbird;
  const show = () => {
    const { next, history } = railbird.nextDecision();
    const told = next ? railbird.adviceIn(railbird.replay.hand).filter((one) => one.history === history) : [];
    box.replaceChildren(...told.map(({ name, bot, said }) => make("p", {}, make("b", {}, `${name} asked ${bot}`), said ? `, who said ${said}` : "; what it said was not kept")));
  };
  const before = railbird.stepped;
  railbird.stepped = () => {
    before();
    show();
  };
  if (railbird.replay.hand) show();
})();
// What a bot would have done there: the hand as the player to act sees it.
(() => {
  const asking = document.querySelector("[data-asking]");
  if (!asking) return;
  const BOARD = [0, 3, 4, 5];
  const [bots, note, answer] = ["select", ".note", "[data-advised]"].map((name) => asking.querySelector(name));

  const decisionNow = () => {
    const { hand } = railbird.replay;
    const { next, history } = railbird.nextDecision();
    if (!next || hand.holes[next.actor].some((card) => card < 0)) return null;
    const [cards, board] = [hand.holes[next.actor], hand.board.slice(0, BOARD[next.street])].map(railbird.cardText);
    return { name: hand.names[next.actor], cards, board, history, seats: hand.names.length };
  };

  let waiting = null;
  let questions = 0;
  // The server's words are made of its templates; an answer to an earlier question is not shown.
  const fetchAnswer = async (query, question) => {
    try {
      const words = await (await fetch(`${asking.dataset.asking}?${query}`)).text();
      if (question === questions) answer.innerHTML = words;
    } catch (_) {
      if (question === questions) answer.textContent = "The server does not answer.";
    }
  };

  const ask = () => {
    const { name, ...decision } = decisionNow() || {};
    const question = ++questions;
    clearTimeout(waiting);
    answer.replaceChildren();
    note.textContent = name ? `As ${name}, who is to act; it knows this hand alone.` : "";
    if (!bots.value) return;
    if (!name) answer.append("Nobody whose cards are known is to act any more.");
    else waiting = setTimeout(() => fetchAnswer(new URLSearchParams({ ...decision, bot: bots.value }), question), 120);
  };
  const before = railbird.stepped;
  railbird.stepped = () => {
    before();
    ask();
  };
  bots.addEventListener("change", ask);
  if (railbird.replay.hand) ask();
})();
