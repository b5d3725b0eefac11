"use strict";
// Light or dark as chosen before, told before anything is drawn.
try {
  const theme = localStorage.getItem("railbird-theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch (_) {
  // no storage: as the system has it
}
