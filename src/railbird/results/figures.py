"""Line figures: what to draw, and as PNG and SVG. Pages draw the same figures themselves."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.files import write_whole
from railbird.numbers import quoted
from railbird.words import count_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")

POINTS = 400
"""Points of a curve, at most."""
_FEW_BANDS = 4


def can_draw() -> bool:
    """Whether figures can be drawn as PNG and SVG; pages draw their own."""
    return find_spec("matplotlib") is not None


def check_drawing() -> None:
    """Refuse, before any work is done, where figures cannot be drawn."""
    if not can_draw():
        raise RailbirdError("figures need matplotlib; install it with: pip install 'railbird[figures]'")


@dataclass(frozen=True)
class Line:
    """One curve, with the half-width of its 95% band if it has one."""

    name: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    margin: NDArray[np.float64] | None = None
    colour: str = ""
    """By default the next of `COLOURS`."""
    dashes: str = "-"
    """Matplotlib's line style."""
    of: str = ""
    """Whose line it is, where somebody has several: a page has one name for them all, and shows them by themselves."""
    is_detail: bool = False
    """Whether it is shown only where its owner is looked at alone; pictures leave it out."""

    @classmethod
    def running_total(
        cls, name: str, samples: NDArray[np.float64], hands: int = 1, has_band: bool = False, most: int = POINTS
    ) -> Line:
        """What samples, each of so many hands, come to one after the other, at `most` of the hands.

        The band is the 95% interval of each total.
        """
        sums = RunningTotal(len(samples), most=most)
        sums.add(samples)
        return sums.line(name, hands, has_band)


class RunningTotal:
    """What so many samples come to one after the other, at some of them only: they are added part by part, and what is
    kept does not grow with them. A sample is a number, or several, each of which has a line of its own."""

    def __init__(self, length: int, width: int = 1, most: int = POINTS) -> None:
        self.points = np.unique(np.linspace(1, length, min(length, most)).astype(int))
        self.totals = np.zeros((len(self.points), width))
        self.squares = np.zeros((len(self.points), width))
        self._count = 0
        self._sums = np.zeros((2, width))

    def add(self, samples: NDArray[np.float64]) -> None:
        """Go on with samples, in rows or, where each is one number, as they are."""
        rows = np.asarray(samples, np.float64).reshape(-1, self.totals.shape[1])
        first, last = np.searchsorted(self.points, [self._count + 1, self._count + len(rows) + 1])
        at = self.points[first:last] - self._count - 1
        for kept, values, sums in ((self.totals, rows, self._sums[0]), (self.squares, rows**2, self._sums[1])):
            running = np.cumsum(values, axis=0)
            kept[first:last] = sums + running[at]
            sums += running[-1] if len(rows) else 0.0
        self._count += len(rows)

    def line(self, name: str, hands: int = 1, has_band: bool = False, at: int = 0, divisor: float = 1.0) -> Line:
        """The line of one of the numbers of a sample, divided by `divisor`; a sample is of so many hands."""
        total, squares = self.totals[:, at] / divisor, self.squares[:, at] / divisor**2
        return Line(
            name, self.points * float(hands), total, total_margin(total, squares, self.points) if has_band else None
        )


def total_margin(
    totals: NDArray[np.float64], squares: NDArray[np.float64], counts: NDArray[Any]
) -> NDArray[np.float64]:
    """The half-width of the 95% interval of totals of so many samples, whose squares add up to `squares`."""
    return np.asarray(1.96 * np.sqrt(np.maximum(0.0, squares - totals**2 / counts)))


@dataclass(frozen=True, repr=False)
class Figure:
    """What to draw: curves, axes, and the words and numbers that go below."""

    title: str
    x_label: str
    y_label: str
    lines: Sequence[Line]
    summary: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    legend_below: bool = False
    """Whether the names of the curves go below the axes, where no curve can cross them."""

    def save(self, path: str | Path) -> Path:
        """Write the figure to a file: PNG, or SVG where the name says so."""
        return save_figures([self], path)

    def __repr__(self) -> str:
        return f"Figure({self.title!r}, {count_of(len(self.lines), 'line')})"

    def _repr_png_(self) -> bytes:
        return draw([self], "png")


def save_figures(panels: Sequence[Figure], path: str | Path) -> Path:
    """Write figures below each other to a file: PNG, or SVG where the name says so."""
    path = Path(path)
    return write_whole(path, draw(panels, picture_kind(path)))


def picture_kind(path: Path) -> str:
    """Whether a file is to be a "png" or an "svg"; refuses other endings."""
    kind = path.suffix.lower().removeprefix(".") or "png"
    if kind not in ("png", "svg"):
        raise RailbirdError(f"{str(path)!r} ends in {quoted(path.suffix)}; figures are written as .png or .svg")
    return kind


def draw(
    panels: Sequence[Figure], kind: str, size: tuple[float, float] = (9, 5.2), title: str = "", salt: str = "railbird"
) -> bytes:
    """Figures below each other as one "png" or "svg". `size` is that of one, in inches; identifiers inside an SVG
    depend on `salt`, which must differ between drawings that share a page."""
    check_drawing()
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    with (
        mpl.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none", "font.size": 11, "text.parse_math": False}),
        warnings.catch_warnings(),
    ):
        # Names of players may have letters that the font lacks; boxes stand for them.
        warnings.filterwarnings("ignore", "Glyph")
        canvas = Canvas(figsize=(size[0], size[1] * len(panels)), layout="constrained")
        if title:
            canvas.suptitle(title)
        for number, panel in enumerate(panels):
            _plot(canvas.add_subplot(len(panels), 1, number + 1), panel)
        out = io.BytesIO()
        canvas.savefig(out, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None)
    return out.getvalue()


def _plot(axes: Axes, figure: Figure) -> None:
    axes.axhline(0, color="#888888", linewidth=0.8)
    colours = cycle(COLOURS)
    lines = [line for line in figure.lines if not line.is_detail]
    bands = sum(line.margin is not None for line in lines)
    for line in lines:
        colour = line.colour or next(colours)
        # Matplotlib keeps names that begin with _ out of the legend.
        axes.plot(line.x, line.y, line.dashes, color=colour, linewidth=1.6, label=line.name or "_")
        told = line.x if line.margin is None else line.x[np.isfinite(line.margin)]
        if len(told) == 1:  # a point, which no line shows, or an interval, which no band does
            at = np.isin(line.x, told)
            axes.errorbar(
                told, line.y[at], None if line.margin is None else line.margin[at], fmt="o", color=colour, capsize=4
            )
        elif line.margin is not None:
            # Many bands on top of each other would hide what they are of.
            alpha = 0.12 if bands <= _FEW_BANDS else 0.04
            axes.fill_between(
                line.x, line.y - line.margin, line.y + line.margin, color=colour, alpha=alpha, linewidth=0
            )
    axes.set(title=figure.title, xlabel=figure.x_label, ylabel=figure.y_label)
    axes.margins(x=0.01)
    if all(np.array_equal(line.x, np.round(line.x)) for line in lines):
        axes.locator_params(axis="x", integer=True)  # there is no half of a hand
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    if figure.legend_below:
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2 + (len(lines) == 5))
    else:
        axes.legend(frameon=False, loc="best", ncols=1 + len(lines) // 6)
