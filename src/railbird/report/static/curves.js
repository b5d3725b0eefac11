"use strict";
// Curves, drawn with uPlot: a legend of words, a tip beside the cursor, zoom by dragging, keys from point to point.
(() => {
  const { make, signed, counted } = railbird;
  const DASHES = { "": undefined, dashed: [8, 5], dotted: [2, 4], mixed: [10, 4, 2, 4] };
  const FEW_BANDS = 3;

  const colourOf = (line, place) => {
    const number = line.colour == null ? place % 8 : line.colour;
    return getComputedStyle(document.documentElement).getPropertyValue(`--c${number}`).trim();
  };

  // Where lines have owners, the legend chooses one of them: then his details are shown, and no band but his.
  const isChosen = (curve, line) => Boolean(line.of) && curve.chosen === line.of;
  const isShown = (curve, line) => !line.isDetail || isChosen(curve, line);
  const hasBand = (curve, line) => Boolean(line.margin) && (!curve.chosen || isChosen(curve, line));

  // The columns and series of uPlot: a line, and two edges for a band around it.
  const prepared = (curve) => {
    const columns = [curve.x];
    const series = [{}];
    const bands = [];
    const alone = [];
    curve.lines.forEach((line, place) => {
      const stroke = colourOf(line, place);
      if (!isShown(curve, line)) return;
      columns.push(line.y);
      const alpha = curve.chosen && !isChosen(curve, line) ? 0.25 : 1;
      series.push({ stroke, alpha, width: isChosen(curve, line) ? 2.4 : 1.8, dash: DASHES[line.dashes], spanGaps: true, points: { show: line.y.filter((y) => y != null).length < 2 } });
      if (hasBand(curve, line)) {
        const isAlone = line.margin.filter((margin) => margin != null).length < 2;
        for (const side of [1, -1]) {
          columns.push(line.y.map((y, at) => (y == null || line.margin[at] == null ? null : y + side * line.margin[at])));
          series.push({ stroke: "transparent", width: 0, spanGaps: true, points: { show: false } });
        }
        if (isAlone) alone.push({ line, stroke });
        bands.push({ series: [series.length - 2, series.length - 1], fill: stroke + (curve.chosen || curve.bandCount <= FEW_BANDS ? "22" : "0e") });
      }
    });
    return { columns, series, bands, alone };
  };

  // An interval that is alone has no band: a bar with ends shows it.
  const drawInterval = (plot, curve, line, stroke) => {
    const at = line.margin.findIndex((margin) => margin != null);
    if (at < 0 || line.y[at] == null) return;
    const x = plot.valToPos(curve.x[at], "x", true);
    const [low, middle, high] = [-1, 0, 1].map((side) => plot.valToPos(line.y[at] + side * line.margin[at], "y", true));
    const end = 5 * devicePixelRatio;
    const { ctx } = plot;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = stroke;
    ctx.lineWidth = 1.8 * devicePixelRatio;
    ctx.beginPath();
    for (const [fromX, fromY, toX, toY] of [[x, low, x, high], [x - end, low, x + end, low], [x - end, high, x + end, high]]) {
      ctx.moveTo(fromX, fromY);
      ctx.lineTo(toX, toY);
    }
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(x, middle, 3 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.restore();
  };

  const swatch = (line, place) => {
    const found = make("i", { class: line.dashes });
    found.style.color = colourOf(line, place);
    return found;
  };
  const legend = (curve) =>
    make("div", { class: "legend" }, ...curve.lines.map((line, place) => (line.name ? make("span", {}, swatch(line, place), line.name) : null)));

  // One name for all lines of an owner. Pressed, it shows them alone; pressed again, everybody's.
  const owners = (curve, again) =>
    make(
      "div",
      { class: "legend", role: "group", "aria-label": "Show the lines of one player" },
      ...curve.lines.map((line, place) => {
        if (curve.lines.findIndex((other) => other.of === line.of) !== place) return null;
        const choose = () => {
          curve.chosen = curve.chosen === line.of ? "" : line.of;
          again();
        };
        return make("button", { type: "button", "aria-pressed": String(curve.chosen === line.of), onclick: choose, "data-owner": line.of }, swatch(line, place), line.of);
      }),
    );

  const valueOf = (curve, line, at) => {
    const margin = hasBand(curve, line) && line.margin[at] != null ? ` ± ${line.margin[at].toFixed(curve.digits)}` : "";
    return make("b", {}, signed(line.y[at], curve.digits) + margin);
  };
  const values = (curve, at) =>
    curve.lines
      .filter((line) => line.name && line.y[at] != null)
      .map((line) => make("div", {}, `${line.name} `, valueOf(curve, line, at)));

  // Of lines that have owners, the highest first; the nearest to the pointer stands out, alone with its neighbours where
  // there is little room.
  const ranked = (curve, at, nearest, most) => {
    const found = curve.lines
      .map((line, place) => ({ line, place }))
      .filter(({ line }) => line.y[at] != null && isShown(curve, line) && (!curve.chosen || isChosen(curve, line)))
      .sort((one, other) => other.line.y[at] - one.line.y[at]);
    const middle = found.findIndex(({ line }) => line === nearest);
    const first = Math.max(0, Math.min(found.length - most, middle - Math.floor(most / 2)));
    return found.slice(first, first + most).map(({ line, place }) =>
      make("div", { class: line === nearest ? "nearest" : "" }, swatch(line, place), `${curve.chosen || curve.hasBoth ? line.name : line.of} `, valueOf(curve, line, at)));
  };

  const nearestLine = (plot, curve, at) => {
    const top = plot.cursor.top;
    const away = (line) => Math.abs(plot.valToPos(line.y[at], "y") - top);
    const able = curve.lines.filter((line) => line.of && line.y[at] != null && (curve.chosen ? isChosen(curve, line) : !line.isDetail));
    return able.reduce((best, line) => (best && away(best) <= away(line) ? best : line), null);
  };

  const draw = (box, curve, again) => {
    box.replaceChildren();
    const { columns, series, bands, alone } = prepared(curve);
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--quiet").trim();
    const rule = style.getPropertyValue("--rule").trim();
    const tip = make("div", { class: "tip" });
    const isLarge = box.closest(".large") !== null;
    const height = isLarge ? Math.max(260, Math.min(380, box.clientWidth * 0.55)) : 230;
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 }, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif" };
    const point = (plot) => {
      const at = plot.cursor.idx;
      if (at == null || plot.cursor.left < 0) {
        tip.style.display = "none";
        return;
      }
      const nearest = curve.hasOwners ? nearestLine(plot, curve, at) : null;
      const hand = curve.hands && railbird.handTip ? railbird.handTip(curve.hands[at], nearest && nearest.of) : null;
      // A point that leads to a hand is how things stand after it: hands have numbers, from 0, and this is how many there were.
      const where = curve.hands ? ["after ", make("b", {}, counted(curve.x[at])), curve.x[at] === 1 ? " hand" : ` ${curve.xLabel}`] : [`${curve.xLabel}: `, make("b", {}, counted(curve.x[at]))];
      tip.replaceChildren(make("div", {}, ...where), ...(nearest ? ranked(curve, at, nearest, box.clientWidth < 500 ? 5 : 12) : values(curve, at)), ...(hand ? [hand] : []));
      tip.style.display = "block";
      const left = plot.cursor.left + plot.over.offsetLeft;
      const room = box.clientWidth - tip.offsetWidth - 8;
      tip.style.left = `${Math.max(4, Math.min(room, left > box.clientWidth / 2 ? left - tip.offsetWidth - 14 : left + 14))}px`;
      tip.style.top = `${Math.max(4, Math.min(height - tip.offsetHeight - 20, (plot.cursor.top || 0) + 14))}px`;
    };
    const plot = new uPlot(
      {
        width: box.clientWidth - 14,
        height,
        series,
        bands,
        legend: { show: false },
        scales: { x: { time: false } },
        cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false } },
        axes: [
          { ...axis, label: curve.xLabel, labelSize: 18, size: 30, space: 80, values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? counted(tick) : curve.isWhole ? "" : tick)) },
          { ...axis, label: curve.yLabel, labelSize: 18, size: 60, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString("en-US")) },
        ],
        hooks: { setCursor: [point], draw: [(plot) => alone.forEach(({ line, stroke }) => drawInterval(plot, curve, line, stroke))] },
      },
      columns,
      box,
    );
    box.append(tip, ...(curve.hasOwners ? [] : [legend(curve)]));
    if (curve.hasOwners) {
      const held = document.activeElement && document.activeElement.dataset.owner;
      if (box.nextElementSibling && box.nextElementSibling.classList.contains("legend")) box.nextElementSibling.remove();
      const names = owners(curve, again);
      box.after(names);
      const focused = held && [...names.children].find((name) => name.dataset.owner === held);
      if (focused) focused.focus();
    }
    if (curve.hands) listen(box, plot, curve);
    return plot;
  };

  // Points of a running total lead to hands: by a click, or by arrow keys and Enter.
  const listen = (box, plot, curve) => {
    box.classList.add("clickable");
    let pressed = 0;
    let waiting = 0;
    plot.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    plot.over.addEventListener("click", (event) => {
      clearTimeout(waiting);
      const at = plot.cursor.idx;
      // A drag zooms, and a double click shows the whole again.
      if (Math.abs(event.clientX - pressed) < 4 && at != null && event.detail === 1)
        waiting = setTimeout(() => railbird.openHand(curve.hands[at]), 220);
    });
  };

  const move = (plot, curve, event) => {
    const step = (event.key === "ArrowRight") - (event.key === "ArrowLeft");
    const isOpening = event.key === "Enter" && curve.hands && plot.cursor.idx != null;
    if (!step && !isOpening) return;
    event.preventDefault();
    if (isOpening) {
      railbird.openHand(curve.hands[plot.cursor.idx]);
      return;
    }
    const at = Math.max(0, Math.min(curve.x.length - 1, (plot.cursor.idx ?? -1) + step * (event.shiftKey ? 50 : 1)));
    plot.setCursor({ left: plot.valToPos(curve.x[at], "x"), top: plot.over.clientHeight / 4 });
  };

  const prepare = (box, curve) => {
    if (curve.hands) curve.hands = railbird.expand(curve.hands);
    curve.isWhole = curve.x.every(Number.isInteger);
    const largest = Math.max(...curve.lines.map((line) => line.y.reduce((most, y) => Math.max(most, Math.abs(y || 0)), 0)));
    curve.digits = largest < 10 ? 3 : 1;
    curve.hasOwners = curve.lines.some((line) => line.of);
    curve.bandCount = curve.lines.filter((line) => line.margin).length;
    // Whether more than one line of an owner is shown.
    curve.hasBoth = curve.lines.some((line) => curve.lines.some((other) => other !== line && other.of === line.of && !other.isDetail && !line.isDetail));
    box.tabIndex = 0;
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", `${curve.title}: ${curve.lines.map((line) => line.name).filter(Boolean).join(", ")}. Arrow keys move${curve.hands ? ", Enter opens the hand" : ""}.`);
  };

  // What somebody looks at in a plot: the part that is zoomed into, and where the cursor is.
  const seenIn = (plot) => {
    const [{ min, max }, x] = [plot.scales.x, plot.data[0]];
    return { zoom: min > x[0] || max < x[x.length - 1] ? { min, max } : null, left: plot.cursor.left, top: plot.cursor.top };
  };

  // Boxes in which curves are drawn, and how to draw others there.
  const boxes = new WeakMap();

  // Draw the curves of a part of the page, also of one that has just come; in a box that has some already, in their place.
  railbird.drawCurves = (root, curves) => root.querySelectorAll("[data-curve]").forEach((box) => {
    let curve = curves[box.dataset.curve];
    if (!curve) return;
    prepare(box, curve);
    if (boxes.has(box)) {
      boxes.get(box)(curve);
      return;
    }
    const again = () => {
      if (!box.isConnected) return;
      const { zoom, left, top } = seenIn(plot);
      plot.destroy();
      plot = draw(box, curve, again);
      if (zoom) plot.setScale("x", zoom);
      if (left >= 0) plot.setCursor({ left, top });
    };
    let plot = draw(box, curve, again);
    let width = box.clientWidth;
    box.addEventListener("keydown", (event) => move(plot, curve, event));
    boxes.set(box, (next) => {
      curve = Object.assign(next, { chosen: curve.chosen });
      again();
    });
    railbird.onTheme(again);
    new ResizeObserver(() => {
      if (box.clientWidth !== width) {
        width = box.clientWidth;
        again();
      }
    }).observe(box);
  });
  railbird.drawCurves(document, railbird.data.curves || {});
})();
