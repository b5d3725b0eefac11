"use strict";
// The curves of a run, drawn again whenever its page has been told how far it is.
(() => {
  const now = document.getElementById("now");
  const draw = () => {
    const told = now.querySelector("[data-curves]");
    if (told) railbird.drawCurves(now, JSON.parse(told.textContent));
  };
  document.addEventListener("htmx:after:swap", draw);
  draw();
})();
