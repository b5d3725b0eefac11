"use strict";
// All hands of the page: decoded from columns, filtered, sorted, and listed, only the visible rows in the document.
(() => {
  const data = railbird.data.hands;
  if (!data) return;
  const { make, signed, counted, expand, tone } = railbird;
  const RANKS = "23456789TJQKA", SUITS = "cdhs", SIGNS = "♣♦♥♠";
  const SUIT_NAMES = ["clubs", "diamonds", "hearts", "spades"];
  const RANK_NAMES = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };
  const STREETS = ["preflop", "flop", "turn", "river"];
  const ENDS = [["0", "before the flop"], ["1", "on the flop"], ["2", "on the turn"], ["3", "on the river"], ["4", "at the showdown"]];
  const ROW = 34;
  const MOST_NAMES = 100;

  const isAssessed = Boolean(data.skill);
  const cardTexts = data.cards.split(" ");
  const shown = data.shown.split(" ");
  const count = cardTexts.length;
  const numbers = expand(data.number);
  const pairs = data.pair ? expand(data.pair) : null;
  const files = data.file ? expand(data.file) : null;
  const fileLines = data.line ? expand(data.line) : null;
  const groups = data.group ? expand(data.group) : null;

  // In addresses a hand has its number, and where several here have the same, which of them it is; as hand_links in Python.
  const seen = new Map();
  const links = numbers.map((number) => {
    const nth = (seen.get(number) || 0) + 1;
    seen.set(number, nth);
    return `hand-${number}${nth > 1 ? `-${nth}` : ""}`;
  });
  const linked = new Map(links.map((link, at) => [link, at]));
  railbird.handLink = (at) => links[at];
  railbird.handAt = (link) => linked.get(link);

  const sums = (columns) => cardTexts.map((_, at) => columns.reduce((total, column) => total + column[at], 0) / 1000);
  const wonBy = (at, position) =>
    position < data.won.length ? data.won[position][at] : -data.won.reduce((total, column) => total + column[at], 0);
  const wonByAll = (at) => Array.from({ length: data.seats }, (_, position) => wonBy(at, position));
  // Position of whom the numbers are for: the first player of the pair, else the one who is chosen, else the winner.
  const best = cardTexts.map((_, at) => { const won = wonByAll(at); return won.indexOf(Math.max(...won)); });
  const sides = cardTexts.map((_, at) => (pairs ? data.seatings[data.seating[at]].indexOf(data.pairs[pairs[at]].first) : best[at]));
  const money = cardTexts.map((_, at) => wonBy(at, sides[at]));
  // Of hands that are not assessed, what flop, turn and river gave a position; null where cards are hidden.
  const luckOn = (at, street, position) => { const given = data.cardLuck[street - 1][position][at]; return given == null ? null : given / 100; };
  const luckOf = (at, position) => (luckOn(at, 1, position) == null ? null : [1, 2, 3].reduce((total, street) => total + luckOn(at, street, position), 0));
  const luck = isAssessed ? sums(data.luck) : data.cardLuck ? cardTexts.map((_, at) => luckOf(at, sides[at])) : null;
  const skill = isAssessed ? sums(data.skill) : null;
  const lastStreet = data.histories.map((history) => history.split("/").length - 1);
  const folders = data.steps.map((steps) => [...steps.matchAll(/(\d+)f/g)].map((match) => Number(match[1])));
  const isShowdown = folders.map((folded) => folded.length < data.seats - 1);

  const card = (number) => ({ rank: RANKS[number >> 2], suit: number & 3 });
  const cardsOf = (at) => {
    const cards = [...cardTexts[at]].map((letter) => data.cardLetters.indexOf(letter));
    const holes = Array.from({ length: data.seats }, (_, p) => cards.slice(2 * p, 2 * p + 2));
    return { holes, board: cards.slice(2 * data.seats) };
  };
  railbird.card = (number) => {
    if (number < 0) return make("span", { class: "card back", title: "hidden" }, "?");
    const { rank, suit } = card(number);
    const title = `${RANK_NAMES[rank] || rank} of ${SUIT_NAMES[suit]}`;
    return make("span", { class: `card ${SUITS[suit]}`, title, role: "img", "aria-label": title }, `${rank === "T" ? "10" : rank}${SIGNS[suit]}\ufe0e`);
  };
  railbird.cards = (cards) => make("span", { class: "cards" }, ...cards.map(railbird.card));

  const textOf = (cards) => cards.map((number) => (number < 0 ? "" : card(number).rank + SUITS[card(number).suit])).join("");
  railbird.cardText = textOf;
  const classOf = (hole) => {
    if (hole[0] < 0) return "";
    const [high, low] = [...hole].sort((one, other) => other - one);
    const ranks = RANKS[high >> 2] + RANKS[low >> 2];
    return high >> 2 === low >> 2 ? ranks : ranks + ((high & 3) === (low & 3) ? "s" : "o");
  };
  let haystacks = null;
  const haystack = (at) => {
    haystacks = haystacks || cardTexts.map((_, n) => {
      const { holes, board } = cardsOf(n);
      const names = data.seatings[data.seating[n]].map((name) => data.names[name]).join(" ");
      return [...holes.map(textOf), ...holes.map(classOf), textOf(board), data.histories[data.betting[n]], names].join(" ").toLowerCase();
    });
    return haystacks[at];
  };

  railbird.hand = (at) => ({
    at, ...cardsOf(at), number: numbers[at], side: isAssessed || state.player !== "" ? Math.max(0, sides[at]) : 0, money: money[at],
    names: data.seatings[data.seating[at]].map((name) => data.names[name]),
    pair: pairs ? data.pairs[pairs[at]] : null,
    steps: data.steps[data.betting[at]].split("/"), history: data.histories[data.betting[at]],
    won: wonByAll(at),
    luck: luck && luck[at], luckOn: (street, position) => (data.cardLuck && street ? luckOn(at, street, position) : null), skill: skill && skill[at], isShowdown: isShowdown[data.betting[at]],
    made: shown[at] === "-" ? [] : shown[at].split(",").map((name) => data.rankNames[name]),
    where: fileLines ? `${data.files[files[at]]}${fileLines[at] ? `:${fileLines[at]}` : ""}` : groups ? data.groups[groups[at]] : "",
  });

  // What bots said to players who asked them, by hand.
  const advised = new Map();
  for (const [number, history, name, bot, said] of data.advice || []) {
    if (!advised.has(number)) advised.set(number, []);
    advised.get(number).push({ history, name, bot, said });
  }
  railbird.adviceIn = (hand) => (advised.get(hand.number) || []).filter((told) => hand.names.includes(told.name));

  // The list

  const single = isAssessed && data.pairs.length === 1 ? data.pairs[0] : null;
  const state = { sort: "order", sign: 1, order: [], chosen: 0, leak: null, player: "" };
  const list = document.querySelector("[data-list]");
  const form = document.querySelector("[data-filters]");

  const ended = (at) => {
    const betting = data.betting[at];
    const street = STREETS[lastStreet[betting]];
    if (isShowdown[betting]) return "showdown";
    if (data.seats > 2) return `${street}, all folded`;
    return `${street}, ${data.names[data.seatings[data.seating[at]][folders[betting][0]]]} folded`;
  };
  const endKey = (at) => (isShowdown[data.betting[at]] ? 4 : lastStreet[data.betting[at]]);
  const number = (value, digits) => make("span", { class: tone(value) }, signed(value, digits));
  const isWord = (name) => `${name} ${name === "you" ? "are" : "is"}`;
  const handWord = (number) => `${counted(number)} ${number === 1 ? "hand" : "hands"}`;
  const seatWord = (at) => (sides[at] === data.seats - 1 ? "button" : "first");
  const winner = (at) => data.names[data.seatings[data.seating[at]][best[at]]];
  const ofWhom = (what) => () => (state.player === "" ? `winner's ${what}` : what);
  const columns = [
    { key: "order", name: "hand", value: (at) => at, cell: (at) => make("a", { href: `#${links[at]}`, tabindex: -1, title: advised.has(numbers[at]) ? "a bot was asked for advice" : null }, String(numbers[at]) + (advised.has(numbers[at]) ? " ?" : "")) },
    ...(isAssessed
      ? [
          ...(single ? [] : [{ key: "pair", name: "first v second", kind: " of-pair", value: (at) => pairs[at], cell: (at) => `${data.names[data.pairs[pairs[at]].first]} v ${data.names[data.pairs[pairs[at]].second]}` }]),
          { key: "position", name: () => isWord(players()[0]), value: (at) => sides[at], cell: seatWord },
          { key: "cards", name: () => players().join(", "), value: (at) => classOf(cardsOf(at).holes[sides[at]]), cell: (at) => { const { holes } = cardsOf(at); return make("span", {}, railbird.cards(holes[sides[at]]), " ", railbird.cards(holes[1 - sides[at]])); } },
        ]
      : [
          ...(groups && data.groups.length > 1 ? [{ key: "group", name: "match", value: (at) => groups[at], cell: (at) => data.groups[groups[at]] }] : []),
          { key: "winner", name: "won by", value: winner, cell: winner },
          { key: "position", name: ofWhom("seat"), optional: true, value: (at) => sides[at], cell: (at) => data.places[sides[at]] },
          { key: "cards", name: ofWhom("cards"), value: (at) => classOf(cardsOf(at).holes[sides[at]]), cell: (at) => railbird.cards(cardsOf(at).holes[sides[at]]) },
        ]),
    { key: "board", name: "board", optional: true, value: (at) => cardTexts[at].slice(2 * data.seats), cell: (at) => railbird.cards(cardsOf(at).board) },
    { key: "betting", name: "betting", optional: true, kind: isAssessed ? "" : " betting", value: (at) => data.histories[data.betting[at]], cell: (at) => make("span", { class: "history" }, data.histories[data.betting[at]]) },
    { key: "street", name: "end", optional: true, value: endKey, cell: ended },
    { key: "money", name: "money", isNumber: true, value: (at) => money[at], cell: (at) => number(money[at], 1) },
    ...(luck && !isAssessed ? [{ key: "luck", name: "luck", isNumber: true, value: (at) => luck[at] ?? -Infinity, cell: (at) => (luck[at] == null ? "–" : number(luck[at], 1)) }] : []),
    ...(isAssessed
      ? [
          { key: "luck", name: "luck", isNumber: true, value: (at) => luck[at], cell: (at) => number(luck[at], 3) },
          { key: "skill", name: "skill", isNumber: true, value: (at) => skill[at], cell: (at) => number(skill[at], 3) },
        ]
      : []),
  ];

  // Words may depend on the players that are chosen: they are functions of the names then.
  const worded = [];
  const word = (element, words) => {
    worded.push(() => (element.firstChild || element.appendChild(document.createTextNode(""))).nodeValue = typeof words === "function" ? words(...players()) : words);
    return element;
  };
  const players = () => {
    const place = form.elements.pair ? form.elements.pair.value : "";
    const pair = single || (place !== "" ? data.pairs[place] : null);
    return pair ? [data.names[pair.first], data.names[pair.second]] : ["the first", "the second"];
  };
  const choice = (name, label, options) => {
    const field = make("select", { name }, ...options.map(([value, words, selected]) => word(make("option", { value, selected }), words)));
    form.append(make("label", {}, word(make("span"), label), field));
  };
  if (isAssessed) {
    const ofFirst = (first) => `for ${first}`, ofSecond = (_, second) => `for ${second}`;
    if (!single) choice("pair", "players", [["", "all"], ...data.pairs.map((pair, at) => [at, `${data.names[pair.first]} v ${data.names[pair.second]}`, at === 0])]);
    choice("position", isWord, [["", "anywhere"], ["1", "on the button"], ["0", "first to act"]]);
    choice("street", "ended", [["", "anywhere"], ...ENDS]);
    choice("luck", "luck", [["", "any"], ["1", ofFirst], ["-1", ofSecond]]);
    choice("skill", "skill", [["", "any"], ["1", ofFirst], ["-1", ofSecond], ["0", "nobody left the baseline"]]);
  } else {
    if (groups && data.groups.length > 1) choice("group", "match", [["", "all"], ...data.groups.map((name, at) => [at, name])]);
    if (data.names.length <= MOST_NAMES) choice("player", "player", [["", "all"], ...data.names.map((name, at) => [at, name])]);
    choice("position", () => (state.player === "" ? "winner's seat" : "seat"), [["", "any"], ...data.places.map((place, at) => [at, place])]);
    choice("street", "ended", [["", "anywhere"], ...ENDS]);
  }
  if (advised.size) choice("advice", "advice", [["", "any"], ["1", "asked for"]]);

  const matches = (at, wanted, words) => {
    if (wanted.pair && pairs[at] !== Number(wanted.pair)) return false;
    if (wanted.advice && !advised.has(numbers[at])) return false;
    if (wanted.group && groups[at] !== Number(wanted.group)) return false;
    if (sides[at] < 0) return false;
    if (wanted.position && sides[at] !== Number(wanted.position)) return false;
    if (wanted.street && endKey(at) !== Number(wanted.street)) return false;
    if (wanted.luck && luck[at] * Number(wanted.luck) <= 0) return false;
    if (wanted.skill === "0" ? data.deviations.slice(4 * at, 4 * at + 4) !== "...." : wanted.skill && skill[at] * Number(wanted.skill) <= 0) return false;
    if (state.leak && !state.leak.letters.includes(data.deviations[4 * at + state.leak.street])) return false;
    return words.every((word) => (/^\d+$/.test(word) ? numbers[at] === Number(word) : haystack(at).includes(word)));
  };

  // Whose hands they are: of a player who is not in a hand there is no position.
  const takeSides = (player) => {
    state.player = player;
    cardTexts.forEach((_, at) => {
      sides[at] = player === "" ? best[at] : data.seatings[data.seating[at]].indexOf(Number(player));
      money[at] = sides[at] < 0 ? 0 : wonBy(at, sides[at]);
      if (luck) luck[at] = sides[at] < 0 ? 0 : luckOf(at, sides[at]);
    });
  };

  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    if (!isAssessed && (wanted.player || "") !== state.player) takeSides(wanted.player || "");
    worded.forEach((rewrite) => rewrite());
    const words = (wanted.text || "").toLowerCase().split(/\s+/).filter(Boolean);
    const order = [];
    for (let at = 0; at < count; at++) if (matches(at, wanted, words)) order.push(at);
    const column = columns.find((each) => each.key === state.sort) || columns[0];
    const keys = new Map(order.map((at) => [at, column.value(at)]));
    order.sort((one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      return (a < b ? -1 : a > b ? 1 : 0) * state.sign || one - other;
    });
    list.classList.toggle("one-pair", wanted.pair !== "");
    state.order = order;
    state.chosen = 0;
    list.scrollTop = 0;
    summarise();
    render(true);
  };

  const summarise = () => {
    const total = (values) => state.order.reduce((sum, at) => sum + values[at], 0);
    const all = state.order.length === count ? handWord(count) : `${counted(state.order.length)} of ${handWord(count)}`;
    const chosen = state.player === "" ? "" : ` Together ${data.names[state.player]} won ${signed(total(money), 1)} ${data.unit}${luck ? `, luck ${signed(total(luck), 1)}` : ""}.`;
    const parts = !isAssessed ? chosen : ` Together, in sb for ${players()[0]}: money ${signed(total(money), 1)}, luck ${signed(total(luck), 1)}, skill ${signed(total(skill), 1)}.`;
    const chip = state.leak
      ? make("button", { type: "button", class: "chip", title: "Show all again", onclick: () => { state.leak = null; filter(); } }, `${state.leak.words} ✕`)
      : null;
    document.querySelector("[data-summary]").replaceChildren(...[`${all}.${parts} `, chip].filter(Boolean));
  };

  const head = make("tr", {}, ...columns.map((column) => make(
    "th", { scope: "col", class: `${column.isNumber ? "number" : "words"}${column.optional ? " optional" : ""}${column.kind || ""}`, "data-key": column.key },
    make("button", { type: "button", title: `Sort by ${column.key}`, onclick: () => sortBy(column.key, state.sort === column.key ? -state.sign : column.isNumber ? -1 : 1) }),
  )));
  const body = make("tbody", {});
  list.append(make("table", {}, make("thead", {}, head), body));

  const sortBy = (key, sign) => {
    state.sort = key;
    state.sign = sign;
    filter();
  };

  const gap = (rows) => {
    const cell = make("td", { colspan: columns.length });
    cell.style.height = `${rows * ROW}px`;
    return make("tr", { class: "gap", "aria-hidden": "true" }, cell);
  };
  const row = (place) => {
    const at = state.order[place];
    const cells = columns.map((column) => make("td", { class: `${column.isNumber ? "number" : "words"}${column.optional ? " optional" : ""}${column.kind || ""}` }, column.cell(at)));
    return make("tr", { class: place === state.chosen ? "chosen" : "", "data-place": place, "aria-rowindex": place + 2 }, ...cells);
  };
  let window = [-1, -1];
  const render = (again) => {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
    const last = Math.min(state.order.length, first + Math.ceil((list.clientHeight || 600) / ROW) + 20);
    if (!again && first === window[0] && last === window[1]) return;
    window = [first, last];
    const rows = [];
    if (first) rows.push(gap(first));
    for (let place = first; place < last; place++) rows.push(row(place));
    if (last < state.order.length) rows.push(gap(state.order.length - last));
    if (!state.order.length) rows.push(make("tr", { class: "gap" }, make("td", { colspan: columns.length }, "No such hand.")));
    body.replaceChildren(...rows);
    head.querySelectorAll("th").forEach((cell) => {
      const isSorted = cell.dataset.key === state.sort;
      cell.classList.toggle("sorted", isSorted);
      cell.setAttribute("aria-sort", isSorted ? (state.sign > 0 ? "ascending" : "descending") : "none");
      const button = cell.querySelector("button");
      const { name } = columns.find((column) => column.key === cell.dataset.key);
      button.textContent = (typeof name === "function" ? name() : name) + (isSorted ? (state.sign > 0 ? " ▲" : " ▼") : "");
    });
  };

  // Choosing a hand, here and in the replay

  const choose = (place) => {
    state.chosen = Math.max(0, Math.min(state.order.length - 1, place));
    const top = state.chosen * ROW;
    const visible = list.clientHeight - 60;
    if (top < list.scrollTop || top > list.scrollTop + visible) list.scrollTop = Math.max(0, top - visible / 2);
    render(true);
    return state.order[state.chosen];
  };
  railbird.neighbour = (at, step) => {
    const place = state.order.indexOf(at);
    return choose(place < 0 ? state.chosen : place + step);
  };
  railbird.chosen = () => state.order[state.chosen];
  railbird.moveChosen = (step) => choose(state.chosen + step);
  // A hand beside the cursor: both players', or of a ring that of the named player and who won it.
  railbird.handTip = (at, name) => {
    const hand = railbird.hand(at);
    if (isAssessed)
      return make("div", {}, `hand ${hand.number}: `, railbird.cards(hand.holes[hand.side]), " v ", railbird.cards(hand.holes[1 - hand.side]),
        make("div", {}, `luck ${signed(hand.luck)}, skill ${signed(hand.skill)}, money ${signed(hand.money, 1)}`));
    const shown = [hand.names.indexOf(name), best[at]].filter((position, place, all) => position >= 0 && all.indexOf(position) === place);
    return make("div", {}, `hand ${hand.number}`, ...shown.map((position) =>
      make("div", {}, railbird.cards(hand.holes[position]), ` ${hand.names[position]} ${signed(hand.won[position], 1)}`, data.cardLuck && luckOf(at, position) != null ? `, luck ${signed(luckOf(at, position), 1)}` : "")));
  };

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  list.addEventListener("scroll", () => requestAnimationFrame(() => render(false)));
  body.addEventListener("click", (event) => {
    const chosen = event.target.closest("tr[data-place]");
    if (!chosen) return;
    event.preventDefault();
    railbird.openHand(choose(Number(chosen.dataset.place)));
  });
  document.querySelectorAll("[data-leak],[data-sort]").forEach((link) => link.addEventListener("click", () => {
    form.reset();
    if (form.elements.pair) form.elements.pair.value = link.dataset.pair;
    const [street, letters] = (link.dataset.leak || ":").split(":");
    state.leak = link.dataset.leak ? { street: Number(street), letters, words: link.dataset.words } : null;
    if (link.dataset.sort) [state.sort, state.sign] = [link.dataset.sort, -Number(link.dataset.sign)];
    filter();
  }));
  railbird.focusFilter = () => {
    document.getElementById("hands").scrollIntoView({ behavior: "instant" });
    form.elements.text.focus({ preventScroll: true });
  };
  filter();
})();
