"use strict";
// A seat at a table: pictures come as pieces of the page and are shown one after another, answers go back.
// What may be seen is decided by the server; nothing here knows more than what is shown.
(() => {
  /** @typedef {{table?: string, news?: string, hand?: number, steps?: number, cards?: number, is_over?: boolean,
   *   hurry?: boolean, ask?: string, seconds?: number|null, promise?: string,
   *   opened?: Array<{card?: string, salt?: string, seal?: string}>,
   *   insights?: string[], trouble?: string, left?: boolean, closed?: boolean, chat?: string[], advice?: string, of?: string,
   *   refused?: string, do?: string}} Told */

  const page = document.getElementById("table");
  if (!page) return;
  const view = /** @type {HTMLElement} */ (document.getElementById("view"));
  const news = /** @type {HTMLElement} */ (document.getElementById("news"));
  const connection = /** @type {HTMLElement} */ (document.getElementById("connection"));
  const inside = /** @type {HTMLElement} */ (document.getElementById("inside"));
  const look = /** @type {HTMLElement} */ (document.getElementById("look"));
  const AUTO_SECONDS = 2.5;
  const FIRST_RETRY = 300;
  const LAST_RETRY = 5000;

  /** @type {WebSocket|null} */ let socket = null;
  /** @type {Told[]} */ let waiting = [];
  /** @type {Told|null} */ let shown = null;
  let shownAt = 0;
  let retry = FIRST_RETRY;
  let timer = 0;
  let autoTimer = 0;
  let isGone = false;
  /** @type {string|null} */ let answered = null;

  // Settings, kept by the browser.
  const settings = { auto: false, four: false, pace: "450", look: false, advisor: "" };
  try {
    Object.assign(settings, JSON.parse(localStorage.getItem("railbird-table") || "{}"));
  } catch (_) {
    // no storage: as usual
  }
  const keep = () => {
    try {
      localStorage.setItem("railbird-table", JSON.stringify(settings));
    } catch (_) {
      // no storage: until the page is left
    }
  };

  const say = (/** @type {object} */ message) => {
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  // Pictures

  const keyOf = (/** @type {Told} */ told) => `${told.hand}.${told.steps}.${told.cards}.${told.is_over}`;

  const take = (/** @type {Told} */ told) => {
    if (told.hurry) waiting = [];
    waiting.push(told);
    showNext();
  };

  const showNext = () => {
    clearTimeout(timer);
    const next = waiting[0];
    if (!next) return;
    const pace = Number(settings.pace);
    const isSame = shown !== null && keyOf(shown) === keyOf(next);
    const left = isSame || next.hurry || shown === null || document.hidden ? 0 : shownAt + pace - Date.now();
    if (left > 0) {
      timer = setTimeout(showNext, left);
      return;
    }
    waiting.shift();
    show(next);
    showNext();
  };

  const show = (/** @type {Told} */ told) => {
    const focused = document.activeElement;
    const wasIn = focused !== null && view.contains(focused);
    const key = wasIn && focused instanceof HTMLElement ? focused.dataset.key : undefined;
    const before = shown;
    shown = told;
    shownAt = Date.now();
    view.innerHTML = told.table || "";
    view.removeAttribute("aria-busy");
    const field = amount();
    if (wasIn && focused.id === "amount" && field && before && before.ask === told.ask) {
      field.focus({ preventScroll: true }); // it was refused, and another amount can be typed at once
      field.select();
    } else if (wasIn) {
      const same = view.querySelector(`[data-key="${key}"]`) || view.querySelector(".actions");
      if (same instanceof HTMLElement) same.focus({ preventScroll: true });
    }
    answered = null; // also where the same is asked again: the answer was refused
    if (told.ask !== adviceOf) closeAdvice();
    const words = told.news || "";
    const turn = told.ask !== undefined ? " Your turn." : "";
    if (!before || keyOf(before) !== keyOf(told) || before.ask !== told.ask) news.textContent = words + turn;
    if (told.promise !== undefined) showPromise(told, before);
    clearTimeout(autoTimer);
    if (told.is_over && settings.auto) autoTimer = setTimeout(nextHand, AUTO_SECONDS * 1000);
  };

  // Thinking time, and the time that is left where others wait.
  setInterval(() => {
    if (!shown) return;
    const seconds = Math.floor((Date.now() - shownAt) / 1000);
    const thinks = view.querySelector("[data-thinks]");
    if (thinks && seconds >= 1) {
      const base = thinks.getAttribute("data-words") || thinks.textContent || "";
      thinks.setAttribute("data-words", base);
      thinks.textContent = `${base} ${seconds} s`;
    }
    const left = view.querySelector("[data-seconds]");
    if (left && shown.seconds) left.textContent = `; ${Math.max(0, shown.seconds - seconds)} s to decide`;
  }, 500);

  // Answers

  const act = (/** @type {string} */ words) => {
    if (!shown || shown.ask === undefined || answered === shown.ask) return;
    answered = words.startsWith("f") ? null : shown.ask;
    say({ do: "act", ask: shown.ask, words });
    if (answered === null) return;
    view.querySelectorAll("button[data-key]").forEach((button) => button.setAttribute("aria-disabled", "true"));
  };
  const nextHand = () => {
    clearTimeout(autoTimer);
    if (shown && shown.is_over) say({ do: "next", hand: shown.hand });
  };
  const amount = () => {
    const found = document.getElementById("amount");
    return found instanceof HTMLInputElement ? found : null;
  };
  const press = (/** @type {string} */ key) => {
    const button = view.querySelector(`button[data-key="${key}"]`);
    if (!button) return false;
    if (key === "n") nextHand();
    else if (key === "r" && amount()) act(`r ${amount()?.value}`);
    else act(key);
    return true;
  };

  page.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button) return;
    if (button.dataset.key) press(button.dataset.key);
    else if (button.dataset.size) {
      const field = amount();
      if (field) field.value = button.dataset.size;
    } else if (button.dataset.do === "leave") {
      isGone = true;
      say({ do: "leave" });
      const hasPlayed = shown !== null && (shown.is_over || (shown.hand || 0) > 0);
      setTimeout(() => location.assign((hasPlayed && page.dataset.review) || "/play"), 150);
    } else if (button.dataset.do) say({ do: button.dataset.do });
    else if (button.dataset.step) turnTo(at + Number(button.dataset.step));
    else if (button === look) setLook(!settings.look);
    else if (button.id === "advise") askAdvice();
    else if (button.dataset.closeAdvice !== undefined) closeAdvice();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = amount();
    const target = /** @type {HTMLElement} */ (event.target);
    if (target === field && event.key === "Enter") {
      event.preventDefault();
      press("r");
      return;
    }
    if (target === field && event.key === "Escape") {
      /** @type {HTMLElement|null} */ (view.querySelector(".actions"))?.focus();
      return;
    }
    const key = event.key.toLowerCase();
    const isFieldKey = target === field && /^[fc]$/.test(key);
    if (railbird.isTyping(target) && !isFieldKey) return;
    if (field && /^[0-9]$/.test(key)) {
      field.value = "";
      field.focus();
    } else if (key === "r" && field && target !== field) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if ("fcr".includes(key)) {
      if (press(key)) event.preventDefault();
    } else if (key === "n" || (key === "enter" && !target.closest("button,a,summary"))) {
      if (press("n")) event.preventDefault();
    } else if (key === "l") setLook(!settings.look);
    else if (key === "?") askAdvice();
    else if (key === "escape") closeAdvice();
    else if (key === "/" && line) {
      event.preventDefault();
      line.focus();
    }
  });

  // Advice: what a bot would do in one's place, for the decision that is shown.

  const advice = document.getElementById("advice");
  /** @type {string|undefined} */ let adviceOf;
  const tellAdvice = (/** @type {(place: HTMLElement) => void} */ fill) => {
    const place = advice?.querySelector("[data-advice]");
    if (!advice || !(place instanceof HTMLElement)) return;
    fill(place);
    advice.hidden = false;
    advice.scrollIntoView({ block: "nearest" });
  };
  const askAdvice = () => {
    adviceOf = shown?.ask;
    const words = adviceOf === undefined ? "Advice is for your own decisions: ask when it is your turn." : "The advisor thinks …";
    tellAdvice((place) => (place.textContent = words));
    if (adviceOf !== undefined) say({ do: "advise", ask: adviceOf, bot: settings.advisor });
  };
  const closeAdvice = () => {
    adviceOf = undefined;
    if (advice) advice.hidden = true;
  };

  // Chat: lines come as pieces of the page, each with its number; those that are there already are left alone.

  const saidList = document.getElementById("said");
  const chatForm = document.getElementById("chat");
  const chatRemark = document.getElementById("chat-remark");
  const line = /** @type {HTMLInputElement|null} */ (document.getElementById("line"));
  const MOST_LINES = 200;
  const remarkOnChat = (/** @type {string} */ words) => {
    if (!chatRemark) return;
    chatRemark.textContent = words;
    chatRemark.hidden = !words;
  };
  const tidyLines = () => {
    if (!saidList) return;
    saidList.querySelectorAll("time:not([title])").forEach((time) => {
      const when = new Date(time.getAttribute("datetime") || "");
      if (Number.isNaN(when.getTime())) return;
      time.setAttribute("title", when.toLocaleString());
      time.textContent = when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    });
    while (saidList.children.length > MOST_LINES) saidList.firstElementChild?.remove();
    saidList.scrollTop = saidList.scrollHeight;
  };
  const takeLines = (/** @type {string[]} */ lines) => {
    if (!saidList) return;
    const last = saidList.lastElementChild;
    const known = Number(last instanceof HTMLElement ? last.dataset.number : 0);
    const fresh = document.createElement("template");
    fresh.innerHTML = lines.join("");
    saidList.append(...Array.from(fresh.content.querySelectorAll("p")).filter((one) => Number(one.dataset.number) > known));
    tidyLines();
  };
  chatForm?.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!line || !line.value.trim()) return;
    remarkOnChat("");
    say({ do: "chat", words: line.value });
    line.value = "";
  });
  line?.addEventListener("keydown", (event) => {
    if (event.key === "Escape") line.blur();
  });
  tidyLines();

  // Look inside

  /** @type {string[]} */ let insights = [];
  let at = -1;
  // The heat map moves: its cells begin with the shades of the decision before.
  const moveHeat = (/** @type {string[]} */ before, /** @type {Element[]} */ cells) => {
    if (before.length !== cells.length) return;
    const after = cells.map((cell) => cell.className);
    cells.forEach((cell, place) => (cell.className = before[place]));
    inside.getBoundingClientRect(); // so that these are what the change begins with
    cells.forEach((cell, place) => (cell.className = after[place]));
  };
  const turnTo = (/** @type {number} */ to) => {
    at = Math.max(0, Math.min(insights.length - 1, to));
    const place = inside.querySelector("[data-insight]");
    const steps = inside.querySelector("[data-steps]");
    if (!insights.length || !place || !steps) return;
    const isOpen = place.querySelector("details")?.open;
    const before = Array.from(place.querySelectorAll(".cells td"), (cell) => cell.className);
    place.innerHTML = insights[at];
    moveHeat(before, Array.from(place.querySelectorAll(".cells td")));
    const details = place.querySelector("details");
    if (details && isOpen) details.open = true;
    steps.textContent = `decision ${at + 1} of ${insights.length}`;
  };
  const setLook = (/** @type {boolean} */ on) => {
    settings.look = on;
    keep();
    inside.hidden = !on;
    look.setAttribute("aria-pressed", String(on));
    say({ do: "look", on });
  };

  // Fairness: the promise that was seen before the hand must be made of what is told after it.

  /** @type {Map<number, string>} */ const promises = new Map();
  const bytes = (/** @type {string} */ hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
  const digest = async (/** @type {Uint8Array[]} */ parts) => {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) {
      all.set(part, end);
      end += part.length;
    }
    return new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  };
  const showPromise = (/** @type {Told} */ told, /** @type {Told|null} */ before) => {
    const place = document.getElementById("promise");
    const hand = /** @type {number} */ (told.hand);
    if (place) place.textContent = told.promise || "none";
    if (!told.opened) {
      if (!promises.has(hand) && told.promise) promises.set(hand, told.promise);
      const [oldest] = promises.keys();
      if (promises.size > 50) promises.delete(oldest);
    } else if (!before || !before.opened || before.hand !== hand) check(hand, told);
  };
  const check = async (/** @type {number} */ hand, /** @type {Told} */ told) => {
    const place = document.getElementById("checked");
    if (!place || !told.opened) return;
    const promised = promises.get(hand) || told.promise;
    if (!window.crypto || !crypto.subtle) {
      place.textContent = "This browser checks promises on secure pages only; railbird verify checks them all.";
      return;
    }
    const faces = Array.from(view.querySelectorAll("[data-card]"), (face) => face.getAttribute("data-card") || "");
    const seals = [];
    for (const { card, salt, seal } of told.opened)
      seals.push(seal ? bytes(seal) : await digest([bytes(salt || ""), new TextEncoder().encode(card)]));
    const found = Array.from(await digest(seals), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const seen = told.opened.filter((each) => each.card).map((each) => each.card);
    const isKept = found === promised && faces.every((card) => seen.includes(card));
    const when = promises.has(hand) ? "" : " (this page was loaded after it began)";
    const which = hand ? `Hand ${hand}` : "The first hand (0 in the log)";
    place.textContent = isKept
      ? `${which} was dealt as promised${when}: ${seen.join(" ")} and ${told.opened.length - seen.length} cards that you have not seen.`
      : `${which} was NOT dealt as promised: ${promised}, but its cards give ${found}.`;
    place.classList.toggle("checked-well", isKept);
  };

  // The connection: lost ones are made again, and the hand is where it was.

  const trouble = (/** @type {string} */ words) => {
    connection.textContent = words;
    connection.hidden = !words;
  };
  const connect = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/play/${page.dataset.table}/socket`);
    socket.addEventListener("open", () => {
      retry = FIRST_RETRY;
      answered = null;
      trouble("");
      if (settings.look) say({ do: "look", on: true });
    });
    socket.addEventListener("message", (event) => {
      /** @type {Told} */ const told = JSON.parse(event.data);
      if (told.table !== undefined) take(told);
      else if (told.insights) {
        insights = told.insights;
        turnTo(insights.length - 1);
      } else if (told.chat) takeLines(told.chat);
      else if (told.advice !== undefined) {
        const words = told.advice;
        if (told.of === adviceOf) tellAdvice((place) => (place.innerHTML = words));
      } else if (told.refused) {
        const words = told.refused;
        if (told.do === "advise") tellAdvice((place) => (place.textContent = words));
        else remarkOnChat(words);
      } else if (told.trouble) trouble(told.trouble);
      else if (told.closed) {
        isGone = true;
        location.reload(); // what is left of it is another page
      } else if (told.left) {
        shown = null;
        view.textContent = "You have left the table; load the page to come back.";
      }
    });
    socket.addEventListener("close", (event) => {
      if (isGone) return;
      if (event.code === 4404 || event.code === 4403) {
        trouble(event.reason || "This table is not for this browser.");
        return;
      }
      trouble("The connection was lost; trying again.");
      setTimeout(connect, retry);
      retry = Math.min(LAST_RETRY, retry * 1.7);
    });
  };

  document.querySelectorAll("[data-setting]").forEach((field) => {
    const name = /** @type {keyof typeof settings} */ (/** @type {HTMLElement} */ (field).dataset.setting);
    if (field instanceof HTMLInputElement) field.checked = Boolean(settings[name]);
    if (field instanceof HTMLSelectElement) field.value = String(settings[name]);
    field.addEventListener("change", () => {
      Object.assign(settings, { [name]: field instanceof HTMLInputElement ? field.checked : /** @type {HTMLSelectElement} */ (field).value });
      keep();
      document.documentElement.classList.toggle("four", settings.four);
      if (name === "auto" && settings.auto) nextHand();
    });
  });
  document.documentElement.classList.toggle("four", settings.four);
  window.addEventListener("pagehide", () => {
    isGone = true;
  });
  if (settings.look) setLook(true);
  connect();
})();
