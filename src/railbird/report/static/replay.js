"use strict";
// A hand stepped through on a drawn table, with what each street was worth; and the keys of the page.
(() => {
  const data = railbird.data.hands;
  if (!data) return;
  const { make, signed, amount, tone } = railbird;
  const STREETS = ["preflop", "flop", "turn", "river"];
  const BOARD = [0, 3, 4, 5];
  const VERBS = { k: "checks", b: "bets", c: "calls", r: "raises", f: "folds" };
  const dialog = document.getElementById("replay");
  const find = (name) => dialog.querySelector(`[data-${name}]`);
  const state = { hand: null, frames: [], at: 0 };
  railbird.replay = state;
  // A server's page does more at each step.
  railbird.stepped = () => {};

  const small = (chips) => chips / data.smallBet;

  // What the table looks like after each step.
  const framesOf = (hand) => {
    const put = data.blinds.map((blind) => small(blind));
    const posted = put.map((blind, position) => (blind ? `${hand.names[position]} posts ${amount(blind)}` : "")).filter(Boolean);
    const cardLuck = (street) => (data.luck ? `, luck ${signed(data.luck[street][hand.at] / 1000)} for ${hand.names[hand.side]}` : "");
    let frame = { street: 0, pot: small(data.ante) * data.seats, bets: put, folded: [], actor: -1, said: `${posted.join(", ")} ${data.unit}${data.luck ? `; hole cards${cardLuck(0)}` : ""}` };
    const frames = [frame];
    const push = (change) => frames.push((frame = { ...frame, actor: -1, isDeal: false, ...change }));
    hand.steps.forEach((steps, street) => {
      if (street) {
        const pot = frame.pot + frame.bets.reduce((sum, bet) => sum + bet, 0);
        const told = hand.luckOn(street, 0) == null ? "" : "; at each seat what it gave";
        push({ street, pot, bets: frame.bets.map(() => 0), isDeal: true, said: `The ${STREETS[street]}${cardLuck(street)}${told}` });
      }
      for (const step of steps.split(" ").filter(Boolean)) {
        const [, place, letter, chips] = step.match(/(\d+)([a-z])(\d+)/);
        const position = Number(place);
        const bets = frame.bets.map((bet, at) => (at === position ? bet + small(Number(chips)) : bet));
        const folded = letter === "f" ? [...frame.folded, position] : frame.folded;
        const paid = Number(chips) ? ` ${amount(small(Number(chips)))} ${data.unit}` : "";
        push({ bets, folded, actor: position, said: `${hand.names[position]} ${VERBS[letter]}${paid}` });
      }
    });
    const pot = frame.pot + frame.bets.reduce((sum, bet) => sum + bet, 0);
    const winners = hand.won.map((won, position) => ({ won, position })).filter(({ won }) => won > 0);
    const said = winners.map(({ won, position }) => `${hand.names[position]} wins ${amount(won)} ${data.unit}`).join(", ") || "The pot is split";
    push({ pot, bets: frame.bets.map(() => 0), isEnd: true, said: (hand.isShowdown ? "Showdown: " : "") + said });
    return frames;
  };

  const place = (element, angle, across, down) => {
    element.style.left = `${50 + across * Math.cos(angle)}%`;
    element.style.top = `${50 + down * Math.sin(angle)}%`;
    return element;
  };

  const drawTable = () => {
    const { hand, frames, at } = state;
    const frame = frames[at];
    const live = hand.names.map((_, position) => position).filter((position) => !frame.folded.includes(position));
    const board = hand.board.slice(0, BOARD[frame.street]);
    const slots = Array.from({ length: 5 - board.length }, () => make("span", { class: "slot" }));
    const total = frame.pot + (frame.isEnd ? 0 : frame.bets.reduce((sum, bet) => sum + bet, 0));
    // On a narrow table the seats stand nearer, so that nothing is cut off.
    const across = data.seats > 2 && document.documentElement.clientWidth < 640 ? 38 : 41;
    const parts = [make("div", { class: "middle" }, railbird.cards(board), ...slots, make("div", { class: "pot" }, `pot ${amount(total)} ${data.unit}`))];
    hand.names.forEach((name, position) => {
      const angle = Math.PI / 2 + (2 * Math.PI * (position - hand.side)) / data.seats;
      const made = frame.isEnd && hand.isShowdown && live.includes(position) ? hand.made[live.indexOf(position)] : "";
      const won = frame.isEnd && hand.won[position] ? signed(hand.won[position], hand.won[position] % 1 ? 1 : 0) : "";
      const given = frame.isDeal && live.includes(position) ? hand.luckOn(frame.street, position) : null;
      const classes = ["seat", frame.actor === position ? "acts" : "", live.includes(position) ? "" : "folded", frame.isEnd && hand.won[position] > 0 ? "wins" : ""];
      const seat = make("div", { class: classes.filter(Boolean).join(" "), "data-position": position },
        make("div", { class: "name", title: name }, make("span", {}, name), won ? make("b", {}, won) : "", position === data.seats - 1 ? make("span", { class: "dealer", title: "button" }, "D") : ""),
        railbird.cards(hand.holes[position]),
        made ? make("div", { class: "made", title: made }, made) : "",
        given == null ? "" : make("div", { class: "made", title: `luck of the ${STREETS[frame.street]}` }, make("b", {}, signed(given, 1))),
        make("div", { class: "made", "data-strength": true }));
      parts.push(place(seat, angle, across, 36));
      if (frame.bets[position]) parts.push(place(make("div", { class: "bet" }, amount(frame.bets[position])), angle + (data.seats === 2 ? 0.75 : 0.12), data.seats === 2 ? 22 : across > 40 ? 25 : 20, data.seats === 2 ? 27 : 21));
    });
    const felt = find("felt");
    felt.classList.toggle("ring", data.seats > 2);
    felt.replaceChildren(...parts);
    find("said").textContent = frame.said;
    find("step").max = frames.length - 1;
    find("step").value = at;
    find("step").setAttribute("aria-valuetext", frame.said);
    dialog.querySelectorAll("tr[data-street]").forEach((row) => row.classList.toggle("now", Number(row.dataset.street) === frame.street));
  };

  // The actions of a street in the thesis' letters, the first that leaves the baseline marked.
  const lettersOf = (steps, street) => {
    const actions = steps.split(" ").filter(Boolean).map((step) => {
      const [, position, letter] = step.match(/(\d+)([a-z])/);
      return Number(position) ? letter.toUpperCase() : letter;
    });
    const blinds = data.blinds[1] < data.blinds[0] ? "Sl" : "sL";
    return (street ? "" : blinds) + actions.join("");
  };
  const marked = (letters, other) => {
    const at = [...letters].findIndex((letter, place) => letter !== other[place]);
    if (at < 0) return make("code", {}, letters);
    return make("code", {}, letters.slice(0, at), make("mark", {}, letters[at]), letters.slice(at + 1));
  };
  const worth = (value) => make("td", { class: "number" }, make("span", { class: tone(value) }, signed(value)));

  const streetRow = (hand, street, after) => {
    const at = 4 * hand.at + street;
    const played = lettersOf(hand.steps[street], street);
    const baseline = data.baselines[data.letters.indexOf(data.baseline[at])];
    const deviation = data.deviations[at];
    const isFirst = data.letters.indexOf(deviation) < data.deviationCodes;
    const deviator = deviation === "." ? "nobody" : data.names[isFirst ? hand.pair.first : hand.pair.second];
    const classes = [0, 1].map((position) => data.classNames[Number(data.classes[8 * hand.at + 2 * street + position])] || "");
    const ranks = data.ranks[hand.at];
    const ranked = [hand.side, 1 - hand.side].map((position) => classes[position] + (ranks ? ` ${ranks[street][position][2].toFixed(4)}` : ""));
    const title = ranks ? [hand.side, 1 - hand.side].map((p) => `${hand.names[p]}: IHR ${ranks[street][p][0].toFixed(4)}, 7cHR ${ranks[street][p][1].toFixed(4)}, EHR ${ranks[street][p][2].toFixed(4)}`).join("; ") : "";
    return make("tr", { "data-street": street },
      make("th", { scope: "row", class: "words" }, STREETS[street]),
      make("td", { class: "words optional", title }, ranked.join(" · ")),
      make("td", { class: "words" }, marked(played, baseline)),
      make("td", { class: "words" }, marked(baseline, played)),
      make("td", { class: "words optional" }, deviator),
      worth(data.luck[street][hand.at] / 1000),
      worth(data.skill[street][hand.at] / 1000),
      make("td", { class: "number optional" }, signed(after)));
  };

  const drawStreets = () => {
    const { hand } = state;
    const box = find("streets");
    box.replaceChildren();
    find("sum").textContent = hand.where;
    if (!data.skill) return;
    const first = data.names[hand.pair.first];
    const head = ["street", "class", "played", "baseline", "left it first", "luck", "skill", "worth then"];
    const optional = [1, 4, 7];
    const position = hand.money - hand.luck - hand.skill;
    // What the hand is worth after each street if both play the baseline from there on.
    let worthThen = position;
    const rows = hand.steps.map((_, street) => {
      worthThen += (data.luck[street][hand.at] + data.skill[street][hand.at]) / 1000;
      return streetRow(hand, street, worthThen);
    });
    box.append(make("div", { class: "scroll", tabindex: 0 }, make("table", {},
      make("thead", {}, make("tr", {}, ...head.map((name, at) => make("th", { scope: "col", class: `${at > 4 ? "number" : "words"}${optional.includes(at) ? " optional" : ""}` }, name)))),
      make("tbody", {}, ...rows))));
    find("sum").replaceChildren(
      make("span", {}, `For ${first}: money ${signed(hand.money)} = luck ${signed(hand.luck)}, skill ${signed(hand.skill)} and position ${signed(position)} together. `),
      "Small letters are the first to act after the flop, capitals the button: S l blinds, k check, b bet, c call, r raise, f fold. Class: F folds to a bet, C calls, M1 to M4 are worth so many bets. Worth then: if both play the baseline from there on. ",
      make("span", {}, hand.where));
  };

  const show = (at) => {
    state.at = Math.max(0, Math.min(state.frames.length - 1, at));
    drawTable();
    history.replaceState(null, "", `#${railbird.handLink(state.hand.at)}${state.at ? `-step-${state.at}` : ""}`);
    railbird.stepped();
  };
  railbird.openHand = (at, step = 0) => {
    if (!(at >= 0)) return;
    document.querySelector("[data-missing]").hidden = true;
    const hand = railbird.hand(at);
    Object.assign(state, { hand, frames: framesOf(hand), at: 0 });
    const [one, other] = data.seats === 2 ? [hand.names[hand.side], hand.names[1 - hand.side]] : ["", ""];
    document.getElementById("replay-title").textContent = `Hand ${hand.number}` + (one ? `: ${one} v ${other}` : "");
    drawStreets();
    show(step);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  };

  const go = {
    first: () => show(0),
    back: () => show(state.at - 1),
    forward: () => show(state.at + 1),
    last: () => show(state.frames.length - 1),
    next: () => railbird.openHand(railbird.neighbour(state.hand.at, 1)),
    previous: () => railbird.openHand(railbird.neighbour(state.hand.at, -1)),
    close: () => dialog.close(),
  };
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) go[button.dataset.go]();
    else if (event.target === dialog) dialog.close();
  });
  // The event comes a moment later, when another hand may be open already.
  dialog.addEventListener("close", () => dialog.open || history.replaceState(null, "", location.pathname + location.search));
  find("step").addEventListener("input", (event) => show(Number(event.target.value)));

  const help = document.getElementById("help");
  document.querySelectorAll("[data-help]").forEach((button) => button.addEventListener("click", () => help.showModal()));

  const REPLAY_KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", j: "next", ArrowDown: "next", k: "previous", ArrowUp: "previous" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key;
    if (dialog.open) {
      if (REPLAY_KEYS[key] && !railbird.isChoosing(event.target)) {
        event.preventDefault();
        go[REPLAY_KEYS[key]]();
      }
      return;
    }
    if (help.open || railbird.isTyping(event.target)) {
      if (key === "Escape" && railbird.isTyping(event.target)) event.target.blur();
      return;
    }
    const isInList = event.target.closest && event.target.closest("[data-list]");
    const step = key === "j" || (isInList && key === "ArrowDown") ? 1 : key === "k" || (isInList && key === "ArrowUp") ? -1 : 0;
    if (step) {
      event.preventDefault();
      railbird.moveChosen(step);
      if (!isInList) document.getElementById("hands").scrollIntoView({ block: "nearest" });
    } else if (key === "Enter" && (isInList || event.target === document.body)) {
      event.preventDefault();
      railbird.openHand(railbird.chosen());
    } else if (key === "/") {
      event.preventDefault();
      railbird.focusFilter();
    } else if (key === "?") help.showModal();
  });

  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch (_) {
      return text;
    }
  };
  const reveal = () => {
    const missing = document.querySelector("[data-missing]");
    missing.hidden = true;
    if (!location.hash.startsWith("#hand-")) return;
    const match = location.hash.match(/^#(hand-\d+(?:-\d+)?)(?:-step-(\d+))?$/);
    const at = match ? railbird.handAt(match[1]) : undefined;
    if (at !== undefined) {
      railbird.openHand(at, Number(match[2] || 0));
      return;
    }
    missing.textContent = `There is no hand ${decoded(location.hash.slice("#hand-".length))} on this page.`;
    missing.hidden = false;
    missing.scrollIntoView({ block: "center", behavior: "instant" });
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
