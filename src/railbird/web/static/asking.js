"use strict";
// What a bot would have done at each step of a replay: the hand as the player to act sees it, sent to the server.
(() => {
  const asking = document.querySelector("[data-asking]");
  if (!asking) return;
  const BOARD = [0, 3, 4, 5];
  const [bots, note, answer] = ["select", ".note", "[data-advised]"].map((name) => asking.querySelector(name));

  const decisionNow = () => {
    const { hand, frames, at } = railbird.replay;
    const next = frames.slice(at + 1).find((frame) => frame.actor >= 0);
    if (!next || hand.holes[next.actor].some((card) => card < 0)) return null;
    let history = "";
    let left = frames.slice(0, at + 1).filter((frame) => frame.actor >= 0).length;
    for (let place = 0; left > 0 || hand.history[place] === "/"; place++) {
      history += hand.history[place];
      if (hand.history[place] !== "/") left--;
    }
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
  railbird.stepped = ask;
  bots.addEventListener("change", ask);
  if (railbird.replay.hand) ask();
})();
