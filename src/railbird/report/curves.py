"""Figures and running totals as data that a page draws: lines with bands over a common axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.results.figures import COLOURS, Figure, Line

_DIGITS = 4
_DASHES = {"-": "", "--": "dashed", ":": "dotted", "-.": "mixed"}


def curve_data(figure: Figure, digits: int = _DIGITS) -> dict[str, Any]:
    """A figure for a page: a common x axis, and for each line its values on it, null where it has none."""
    axis = np.unique(np.concatenate([line.x for line in figure.lines])) if figure.lines else np.array([])
    return {
        "title": figure.title,
        "xLabel": figure.x_label,
        "yLabel": figure.y_label,
        "x": numbers(axis, digits),
        "lines": [_line_data(line, axis, digits) for line in figure.lines],
    }


def _line_data(line: Line, axis: NDArray[np.float64], digits: int) -> dict[str, Any]:
    places = np.searchsorted(axis, line.x)

    def spread(values: NDArray[np.float64]) -> list[float | None]:
        whole = np.full(len(axis), np.nan)
        whole[places] = values
        return numbers(whole, digits)

    return {
        "name": line.name,
        "y": spread(line.y),
        "margin": None if line.margin is None else spread(line.margin),
        # The page has its own shades of the colours, for light and dark.
        "colour": COLOURS.index(line.colour) if line.colour in COLOURS else None,
        "dashes": _DASHES[line.dashes],
        **({"of": line.of, "isDetail": line.is_detail} if line.of else {}),
    }


def numbers(values: NDArray[Any], digits: int = _DIGITS) -> list[float | None]:
    """Numbers for JSON, short: whole ones without a point, and null where there is none.

    >>> numbers(np.array([1.0, 2.34567, float("nan")]))
    [1, 2.3457, None]
    """
    rounded = np.round(np.asarray(values, np.float64), digits).tolist()
    return [None if not np.isfinite(each) else int(each) if each == int(each) else each for each in rounded]


def runs(values: NDArray[np.int64]) -> list[int]:
    """Numbers that mostly rise by the same step, as pairs: a step, and how often it is taken from 0 on.

    >>> runs(np.array([3, 4, 5, 6, 0, 1]))
    [3, 1, 1, 3, -6, 1, 1, 1]
    """
    steps = np.diff(values, prepend=0)
    starts = np.flatnonzero(np.diff(steps, prepend=steps[:1] + 1)) if len(steps) else np.array([], np.int64)
    lengths = np.diff(starts, append=len(steps))
    return np.column_stack([steps[starts], lengths]).ravel().tolist() if len(steps) else []
