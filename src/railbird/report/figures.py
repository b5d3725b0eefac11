"""Line figures as PNG and as a self-contained HTML page."""

from __future__ import annotations

import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError

# Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")


def check_drawing() -> None:
    """Refuse, before any work is done, where figures cannot be drawn."""
    if find_spec("matplotlib") is None:
        raise RailbirdError("figures need matplotlib; install it with: pip install 'railbird[figures]'")


@dataclass(frozen=True)
class Line:
    """One curve, with the half-width of its 95% band if it has one."""

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    margin: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Figure:
    """What to draw: curves, axes, and the words and numbers that go below."""

    title: str
    x_label: str
    y_label: str
    lines: Sequence[Line]
    summary: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()

    def write(self, folder: Path, name: str) -> tuple[Path, Path]:
        """Write NAME.png and NAME.html to `folder` and return their paths."""
        folder.mkdir(parents=True, exist_ok=True)
        png, page = folder / f"{name}.png", folder / f"{name}.html"
        png.write_bytes(self._drawn("png"))
        page.write_text(self._page(self._drawn("svg").decode()), encoding="utf-8")
        return png, page

    def _drawn(self, kind: str) -> bytes:
        check_drawing()
        import matplotlib as mpl
        from matplotlib.figure import Figure as Canvas

        with mpl.rc_context({"svg.hashsalt": "railbird", "svg.fonttype": "none", "font.size": 11}):
            canvas = Canvas(figsize=(9, 5.2), layout="constrained")
            axes = canvas.add_subplot()
            axes.axhline(0, color="#888888", linewidth=0.8)
            for line, colour in zip(self.lines, COLOURS * 2):
                axes.plot(line.x, line.y, color=colour, linewidth=1.6, label=line.name)
                if line.margin is not None:
                    axes.fill_between(line.x, line.y - line.margin, line.y + line.margin, color=colour, alpha=0.12,
                                      linewidth=0)  # fmt: skip
            axes.set(title=self.title, xlabel=self.x_label, ylabel=self.y_label)
            axes.margins(x=0.01)
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(alpha=0.25)
            axes.legend(frameon=False, loc="upper left", ncols=1 + len(self.lines) // 6)
            out = io.BytesIO()
            canvas.savefig(out, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None)
        return out.getvalue()

    def _page(self, svg: str) -> str:
        svg = svg[svg.index("<svg") :]
        cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in self.header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>\n" for row in self.rows
        )
        return (
            "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
            f"<title>{html.escape(self.title)}</title>\n<style>\n"
            "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}\n"
            "svg{width:100%;height:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
            "td,th{padding:.25rem .8rem;text-align:right;border-bottom:1px solid #ddd}\n"
            "td:first-child,th:first-child{text-align:left}\n</style></head><body>\n"
            f"<h1>{html.escape(self.title)}</h1>\n{svg}\n<p>{html.escape(self.summary)}</p>\n"
            f"<table><thead><tr>{cells}</tr></thead><tbody>\n{body}</tbody></table>\n</body></html>\n"
        )
