"use strict";
// The explorer's deck and range: clicks, strokes and keys become text in the form, and the answer's range is painted.
(() => {
  const form = document.getElementById("situation");
  const answer = document.getElementById("answer");
  const deck = form.querySelector("[data-deck]");
  const { board } = form.elements;
  const hasRange = form.querySelector("[data-ranges=own]") !== null;
  const cards = form.elements.cards || railbird.make("input"); // of which there are none where somebody has a range
  const RANKS = "23456789TJQKA";
  const SUITS = "cdhs";
  const textOf = (card) => RANKS[card >> 2] + SUITS[card & 3];
  const send = () => form.dispatchEvent(new Event("change", { bubbles: true }));

  // Cards

  const SIGNS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };
  const cardsIn = (text) => {
    const plain = text.replace(/10/g, "T").replace(/[♣♦♥♠]/g, (sign) => SIGNS[sign]).replace(/[\s,/\ufe0e\ufe0f]/g, "");
    return (plain.match(/../g) || []).map((pair) => 4 * RANKS.indexOf(pair[0].toUpperCase()) + SUITS.indexOf(pair[1].toLowerCase())).filter((card) => card >= 0);
  };
  const showCards = () => {
    const [own, dealt] = [hasRange ? [] : cardsIn(cards.value), cardsIn(board.value)];
    deck.querySelectorAll("button").forEach((button) => {
      const card = Number(button.dataset.card);
      const owner = own.includes(card) ? "own" : dealt.includes(card) ? "board" : "";
      button.setAttribute("aria-pressed", String(owner !== ""));
      button.dataset.owner = owner;
      button.title = owner === "own" ? "yours" : owner === "board" ? "on the board" : "";
    });
  };
  const toggleCard = (card) => {
    const own = hasRange ? [] : cardsIn(cards.value);
    const dealt = cardsIn(board.value);
    if (own.includes(card)) own.splice(own.indexOf(card), 1);
    else if (dealt.includes(card)) dealt.splice(dealt.indexOf(card), 1);
    else if (own.length < 2 && !hasRange) own.push(card);
    else if (dealt.length < 5) dealt.push(card);
    if (!hasRange) cards.value = own.map(textOf).join("");
    board.value = dealt.map(textOf).join("");
    showCards();
    send();
  };
  const deal = () => {
    const left = Array.from({ length: 52 }, (_, card) => card);
    const draw = () => left.splice(Math.floor(Math.random() * left.length), 1)[0];
    const count = cardsIn(board.value).length;
    cards.value = textOf(draw()) + textOf(draw());
    board.value = Array.from({ length: count < 3 ? 3 : count }, draw).map(textOf).join("");
    showCards();
    send();
  };
  deck.addEventListener("click", (event) => {
    const button = event.target.closest("[data-card]");
    if (button) toggleCard(Number(button.dataset.card));
  });
  form.querySelector("[data-clear]").addEventListener("click", () => {
    cards.value = board.value = "";
    showCards();
    send();
  });
  form.querySelector("[data-deal]").addEventListener("click", deal);
  cards.addEventListener("input", showCards);
  board.addEventListener("input", showCards);

  // The ranges: yours, if you have one, and the opponent's.

  const ranges = [...form.querySelectorAll("[data-ranges]")].map((box) => {
    const input = box.querySelector("input");
    const classes = box.querySelector("[data-classes]");
    const cells = [...classes.querySelectorAll("button")];
    const weights = new Map();
    let stroke = null;
    const paint = (button, weight) => {
      weights.set(button.dataset.class, weight);
      button.className = weight > 0 ? `w${Math.max(1, Math.round(10 * weight))}` : "";
      button.setAttribute("aria-pressed", String(weight > 0));
      button.setAttribute("aria-label", `${button.dataset.class}, ${Math.round(100 * weight)}%`);
    };
    const written = () => {
      const held = cells.map((button) => [button.dataset.class, weights.get(button.dataset.class) || 0]).filter(([, weight]) => weight > 0);
      if (held.length === 169 && held.every(([, weight]) => weight === 1)) return "";
      return held.map(([name, weight]) => (weight === 1 ? name : `${name}:${weight}`)).join(",") || "none";
    };
    const brush = () => Number(box.querySelector("[data-brush]").value);
    const strike = (button) => {
      if (button && button.dataset.class && classes.contains(button)) paint(button, stroke);
    };
    const begin = (button) => {
      stroke = (weights.get(button.dataset.class) || 0) === brush() ? 0 : brush();
      strike(button);
    };
    const finish = () => {
      if (stroke === null) return;
      stroke = null;
      input.value = written();
      send();
    };
    classes.addEventListener("pointerdown", (event) => {
      const button = event.target.closest("[data-class]");
      if (!button || event.button) return;
      event.preventDefault();
      button.focus();
      begin(button);
    });
    classes.addEventListener("pointermove", (event) => {
      if (stroke === null) return;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      strike(under && under.closest("[data-class]"));
    });
    addEventListener("pointerup", finish);
    addEventListener("pointercancel", finish);
    classes.addEventListener("click", (event) => {
      if (event.detail !== 0) return; // a pointer has painted it already; keys have not
      begin(event.target.closest("[data-class]"));
      finish();
    });
    box.querySelectorAll("[data-range]").forEach((button) => button.addEventListener("click", () => {
      input.value = button.dataset.range;
      send();
    }));
    const take = () => {
      const told = answer.querySelector(`[data-of="${box.dataset.ranges}"]`);
      if (!told || stroke !== null) return;
      JSON.parse(told.dataset.weights).flat().forEach((weight, at) => paint(cells[at], weight || 0));
      // What was written meanwhile is left alone: this answers what stood there before.
      if (document.activeElement !== input && input.value.trim() === told.dataset.asked) input.value = told.dataset.written;
    };
    return { classes, take };
  });
  const takeRanges = () => ranges.forEach((range) => range.take());
  form.querySelectorAll("[name=as]").forEach((choice) => choice.addEventListener("change", (event) => {
    event.stopPropagation(); // another page, not another answer
    location.assign(`/explore?${new URLSearchParams(new FormData(form))}`);
  }));

  // Arrow keys move over both; only one button of each is a stop of the tab key.
  const walk = (box, lines) => {
    const rows = lines.map((row) => [...row.children].map((cell) => cell.querySelector("button") || cell));
    box.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      const row = rows.findIndex((each) => each.includes(event.target));
      if (!step || row < 0) return;
      event.preventDefault();
      let [line, place] = [row, rows[row].indexOf(event.target)];
      let next;
      do next = rows[(line += step[0])] && rows[line][(place += step[1])];
      while (next && !next.matches("button"));
      if (!next) return;
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
    box.addEventListener("focusin", (event) => {
      box.querySelectorAll('[tabindex="0"]').forEach((button) => (button.tabIndex = -1));
      if (event.target.matches("button")) event.target.tabIndex = 0;
    });
  };
  [deck, ...ranges.map((range) => range.classes)].forEach((box) => walk(box, [...box.children]));
  // The holdings of the class that was chosen on each side; they stay when the answer changes.
  const chosen = new Map();
  let focused = {};
  const showHoldings = async (table) => {
    const name = chosen.get(table.dataset.into);
    if (!name || !table.querySelector(`[data-in="${name}"]`)) return;
    const place = document.getElementById(table.dataset.into);
    try {
      // The server's words are made of its templates.
      place.innerHTML = await (await fetch(`${table.dataset.asks}&class=${name}`)).text();
    } catch (_) {
      place.textContent = "The server does not answer.";
    }
  };
  const walkAnswer = () => answer.querySelectorAll("[data-walk]:not([data-walked])").forEach((table) => {
    table.dataset.walked = "";
    walk(table, [...table.tBodies[0].rows]);
    const choose = (button) => {
      chosen.set(table.dataset.into, button.dataset.in);
      showHoldings(table);
    };
    // With the button's going down: the next answer may take its place before it comes up, and then there is no click.
    table.addEventListener("mousedown", (event) => {
      const button = event.target.closest("[data-in]");
      if (button && event.button === 0) choose(button);
    });
    table.addEventListener("click", (event) => {
      const button = event.target.closest("[data-in]");
      if (button && event.detail === 0) choose(button); // by a key
    });
    table.addEventListener("focusin", (event) => (focused = { into: table.dataset.into, name: event.target.dataset.in }));
    showHoldings(table);
    // The answer was put in place of one in which a class had the focus.
    const same = focused.into === table.dataset.into && table.querySelector(`[data-in="${focused.name}"]`);
    if (same && document.activeElement === document.body) same.focus({ preventScroll: true });
  });

  // On a phone the answer lies far below: a line at the foot of the screen tells it, and leads there.
  const short = document.querySelector("[data-short]");
  const shorten = () => {
    const rows = [...answer.querySelectorAll(".quantities tr")];
    const main = rows.filter((row) => /^(strength|equity)$/.test(row.cells[0].textContent));
    const wrong = answer.querySelector("[role=alert]");
    const words = (main.length ? main : rows.slice(0, 2)).map((row) => `${row.cells[0].textContent} ${row.cells[1].textContent}`);
    short.hidden = !words.length && !wrong;
    short.firstElementChild.textContent = wrong ? wrong.textContent : words.join(", ");
  };

  const why = document.getElementById("why");
  document.addEventListener("click", (event) => {
    if (event.target.closest('[data-opens="why"]')) {
      document.getElementById("why-words").replaceChildren();
      why.showModal();
    } else if (event.target === why) why.close();
  });
  document.addEventListener("htmx:after:swap", () => {
    walkAnswer();
    takeRanges();
    shorten();
  });
  showCards();
  takeRanges();
  walkAnswer();
  shorten();
})();
