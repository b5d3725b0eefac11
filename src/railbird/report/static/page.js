"use strict";
// What all parts of a page share: its data, elements made of text alone, numbers, and light and dark.
const railbird = {};

(() => {
  const source = document.getElementById("data");
  railbird.data = source ? JSON.parse(source.textContent) : {};

  // An element. Children are elements or text; text never becomes HTML.
  railbird.make = (tag, attributes, ...children) => {
    const found = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "class") found.className = value;
      else if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
      else if (value !== false && value != null) found.setAttribute(name, value === true ? "" : value);
    }
    found.append(...children.filter((child) => child != null && child !== ""));
    return found;
  };

  railbird.signed = (value, digits = 3) => {
    const text = Math.abs(value).toFixed(digits);
    return (value < 0 && Number(text) ? "-" : "+") + text;
  };
  railbird.amount = (value) => String(Math.round(value * 100) / 100);
  railbird.counted = (value) => value.toLocaleString("en-US");
  railbird.tone = (value) => (value > 0 ? "gain" : value < 0 ? "loss" : "");

  // Numbers from steps and how often each is taken; see curves.py.
  railbird.expand = (runs) => {
    const found = [];
    let value = 0;
    for (let at = 0; at < runs.length; at += 2)
      for (let left = runs[at + 1]; left > 0; left--) found.push((value += runs[at]));
    return found;
  };

  const themed = [];
  railbird.onTheme = (redraw) => themed.push(redraw);
  const isDark = () =>
    (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const toggle = () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("railbird-theme", theme);
    } catch (_) {
      // a page from a file may have no storage
    }
    themed.forEach((redraw) => redraw());
  };
  railbird.toggleTheme = toggle;
  document.querySelectorAll("[data-theme-toggle]").forEach((button) => button.addEventListener("click", toggle));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => themed.forEach((redraw) => redraw()));

  railbird.isChoosing = (target) => target.closest && target.closest("select") !== null;
  railbird.isTyping = (target) => target.closest && target.closest("input,select,textarea") !== null;
  document.addEventListener("keydown", (event) => {
    if (event.key === "t" && !event.ctrlKey && !event.metaKey && !event.altKey && !railbird.isTyping(event.target)) toggle();
  });
})();
