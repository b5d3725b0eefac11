"use strict";
// The page of a run. What it is told again and again changes what is there (htmx morphs): a button that is held down, a
// link, the focus, and a curve that somebody has zoomed into stay.
(() => {
  const now = document.getElementById("now");
  let drawn = "";
  const draw = () => {
    const told = now.querySelector("[data-curves]");
    if (!told || (told.textContent === drawn && !now.querySelector("[data-curve]:empty"))) return;
    drawn = told.textContent;
    railbird.drawCurves(now, JSON.parse(drawn));
  };
  // Curves are drawn here, and whether something is unfolded is up to whoever reads.
  htmx.registerExtension("kept", {
    htmx_before_morph_node: (node) => !node.matches("[data-curve]"),
    htmx_before_morph_attr: (node, { attrName }) => !(node.matches("details") && attrName === "open"),
  });
  // A button that goes away, as its run has ended, leaves the focus to what comes in its place.
  let wasInState = false;
  document.addEventListener("htmx:before:swap", () => {
    wasInState = document.activeElement.closest("#state") !== null;
  });
  document.addEventListener("htmx:after:swap", () => {
    draw();
    const state = document.getElementById("state");
    if (wasInState && state && !state.contains(document.activeElement)) (state.querySelector("button,a") || state).focus();
  });
  draw();
})();
