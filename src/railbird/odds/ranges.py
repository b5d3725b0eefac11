"""Ranges of holdings in the usual notation, as weights of the 1,326 holdings, and back; class averages on a 13x13 grid.

A range is a list of terms, separated by commas, semicolons or blanks:

    QQ  AKs  AKo  AK         a pair; suited, offsuit, or both
    QQ+                      this pair and the higher ones
    A2s+                     this kicker and the higher ones, up to the one just below the first card
    76s+                     neighbouring ranks: both cards climb (76s, 87s, ... AKs)
    TT-77  A5s-A2s           from one class to the other: pairs, or kickers to the same first card
    76s-54s                  the same distance between the cards: both step (76s, 65s, 54s)
    AdQc                     one holding
    40%                      the best 40% of all holdings (see `best_holdings`)
    any, random, all, none   every holding, or none

and each may carry a weight between 0 and 1: "AKs:0.5" or "AKs:50%". A holding that several terms name gets the
greatest of their weights. Ranks, suits and words may be written in either case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.cards import HOLDING_COUNT, RANKS, class_text, holding_text, parse_holding
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.numbers import LONGEST_NUMBER, decimal_number, quoted

_EXAMPLES = "write for example QQ+, AKs, A2s+, 76s-54s, AdQc, 40% or AKo:0.5"
_CLASS = "([2-9TJQKA])([2-9TJQKA])([SO]?)"
_CLASSES = re.compile(rf"{_CLASS}(?:(\+)|-{_CLASS})?", re.IGNORECASE)
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
_LONGEST = 100_000
"""Signs of a range; one that names each of the 1,326 holdings with a weight of its own has half as many."""

# A class before the flop: higher rank, lower rank, and "s" (suited), "o" (offsuit) or "" (a pair).
_Cell = tuple[int, int, str]


def parse_range(text: str) -> NDArray[np.float64]:
    """The weights, between 0 and 1, of the 1,326 holdings in a range written in the notation above.

    >>> float(parse_range("QQ+, AKs, 76s-54s").sum())  # 3 pairs of 6 holdings, 4 suited classes of 4
    34.0
    >>> float(parse_range("AK:0.5 AdKc").sum())
    8.5
    """
    if not isinstance(text, str):
        raise InvalidRangeError(f"{quoted(text)} is not text; {_EXAMPLES}")
    if len(text) > _LONGEST:
        raise InvalidRangeError(f"{quoted(text)} is too long for a range of holdings; {_EXAMPLES}")
    weights = np.zeros(HOLDING_COUNT)
    terms = _terms(text)
    if not terms:
        raise InvalidRangeError(f"{quoted(text)} names no holding; {_EXAMPLES}")
    for term in terms:
        np.maximum(weights, _term_weights(term, text), out=weights)
    return weights


def range_text(weights: ArrayLike) -> str:
    """The range that `parse_range` reads as these weights, in few terms.

    >>> range_text(parse_range("AA KK QQ AKo AKs QJs T9s 98s 87s 33:0.25"))
    'QQ+, AK, QJs, T9s-87s, 33:0.25'
    """
    array = by_holding(weights, "a range has 1,326 weights between 0 and 1")
    if not ((array >= 0) & (array <= 1)).all():
        raise InvalidRangeError(f"a range has 1,326 weights between 0 and 1, not {quoted(weights)}")
    if not array.any():
        return "none"
    if (array == 1).all():
        return "any"
    cells: dict[float, set[_Cell]] = {}
    single: dict[float, list[int]] = {}
    for cell, holdings in _holdings_of_cell().items():
        levels = np.unique(array[holdings])
        if len(levels) == 1:
            cells.setdefault(float(levels[0]), set()).add(cell)
        else:
            for holding in holdings[array[holdings] > 0]:
                single.setdefault(float(array[holding]), []).append(int(holding))
    terms: list[str] = []
    for weight in sorted((cells.keys() | single.keys()) - {0.0}, reverse=True):
        suffix = "" if weight == 1 else f":{weight!r}"
        terms += [term + suffix for term in _cell_terms(cells.get(weight, set()))]
        terms += [holding_text(holding) + suffix for holding in sorted(single.get(weight, []), reverse=True)]
    return ", ".join(terms)


def best_holdings(percent: float) -> NDArray[np.float64]:
    """The weights of the best `percent` of the 1,326 holdings, by exact equity against a random holding when all-in
    before the flop. Classes enter whole while they fit; the last one gets the fraction that makes the sum exact.

    >>> range_text(best_holdings(2).round(2))  # 26.52 holdings: four pairs and 2.52 of the next one's six
    'JJ+, TT:0.42'
    """
    if not 0 <= percent <= 100:
        raise InvalidRangeError(f"{percent:g}% is not a share of all holdings; write a number from 0% to 100%")
    weights = np.zeros(HOLDING_COUNT)
    room = HOLDING_COUNT * percent / 100
    for name in preflop_order():
        holdings = _holdings_of_cell()[_cell(name)]
        weights[holdings] = min(1.0, room / len(holdings))
        room -= len(holdings)
        if room <= 0:
            break
    return weights


@cache
def preflop_counts() -> dict[str, tuple[int, int, int]]:
    """Wins, ties and losses of each of the 169 classes when one of its holdings is all-in before the flop against
    every opposing holding and every board: 1,225 x C(48, 5) = 2,097,572,400 outcomes. Best class first.

    >>> wins, ties, losses = preflop_counts()["AA"]
    >>> round((wins + ties / 2) / (wins + ties + losses), 4)
    0.852
    """
    counts = {}
    table = (files("railbird.odds") / "data" / "preflop_equity.csv").read_text(encoding="utf-8")
    for line in table.splitlines():
        if not line.startswith(("#", "class,")):
            name, wins, ties, losses = line.split(",")
            counts[name] = (int(wins), int(ties), int(losses))
    return counts


def preflop_order() -> tuple[str, ...]:
    """The 169 classes, best first, by equity against a random holding when all-in before the flop.

    >>> preflop_order()[:5], preflop_order()[-1]
    (('AA', 'KK', 'QQ', 'JJ', 'TT'), '32o')
    """
    return tuple(preflop_counts())


def by_holding(values: ArrayLike, wanted: str) -> NDArray[np.float64]:
    """A copy of the values of the 1,326 holdings; refuses, with what is `wanted`, anything else."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidRangeError(f"{wanted}, not {quoted(values)}") from None
    if array.shape != (HOLDING_COUNT,):
        found = f"an array of shape {array.shape}" if array.ndim else quoted(values)
        raise InvalidRangeError(f"{wanted}, not {found}")
    return array


def grid(values: ArrayLike) -> NDArray[np.float64]:
    """The average of `values` (one per holding) over each class, as 13 rows and columns from ace down to two.

    Pairs lie on the diagonal, suited classes above it and offsuit classes below. Holdings whose value is NaN (say,
    because they share a card with the board) are left out; a class with no other holding is NaN.

    >>> grid(parse_range("AKs, QQ:0.5"))[:3, :3].tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.5]]
    """
    array = by_holding(values, "a grid is of 1,326 values")
    known = ~np.isnan(array)
    cells = grid_cells()
    sums = np.bincount(cells[known], weights=array[known], minlength=169)
    counts = np.bincount(cells[known], minlength=169)
    averages = np.full(169, np.nan)
    np.divide(sums, counts, out=averages, where=counts > 0)
    return averages.reshape(13, 13)


def grid_name(row: int, column: int) -> str:
    """The class in a cell of `grid`.

    >>> grid_name(0, 0), grid_name(0, 1), grid_name(1, 0)
    ('AA', 'AKs', 'AKo')
    """
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


@cache
def grid_cells() -> NDArray[np.int64]:
    """The cell of `grid`, 13 * row + column, that each of the 1,326 holdings is in."""
    number = {grid_name(row, column): 13 * row + column for row in range(13) for column in range(13)}
    return np.array([number[class_text(holding)] for holding in range(HOLDING_COUNT)], dtype=np.int64)


@cache
def _holdings_of_cell() -> dict[_Cell, NDArray[np.int64]]:
    members: dict[_Cell, list[int]] = {}
    for holding in range(HOLDING_COUNT):
        members.setdefault(_cell(class_text(holding)), []).append(holding)
    return {cell: np.array(holdings) for cell, holdings in members.items()}


def _cell(name: str) -> _Cell:
    return RANKS.index(name[0]), RANKS.index(name[1]), name[2:]


# Reading


def _terms(text: str) -> list[str]:
    """The terms of a range; blanks inside one ("76s - 54s", "AKs: 0.5", "40 %") are closed."""
    single = " ".join(text.replace("–", "-").replace("—", "-").split())
    closed = re.sub(r" ?([-:]) ?", r"\1", single)
    return [term for term in re.split(r"[ ,;]+", re.sub(r" ([+%])", r"\1", closed)) if term]


def _term_weights(term: str, text: str) -> NDArray[np.float64]:
    body, colon, weight_text = term.partition(":")
    weight = _weight(weight_text, term, text) if colon else 1.0
    word = body.lower()
    if word in ("any", "random", "all"):
        return np.full(HOLDING_COUNT, weight)
    if word == "none":
        return np.zeros(HOLDING_COUNT)
    if body.endswith("%"):
        percent = _number(body[:-1])
        if not 0 <= percent <= 100:
            _refuse(term, text, "a percentage is a number from 0% to 100%")
        return weight * best_holdings(percent)
    weights = np.zeros(HOLDING_COUNT)
    classes = _CLASSES.fullmatch(body.replace("10", "T"))
    if classes is None:
        weights[_single_holding(body, term, text)] = weight
    else:
        for cell in _cells(classes, term, text):
            weights[_holdings_of_cell()[cell]] = weight
    return weights


def _weight(written: str, term: str, text: str) -> float:
    weight = _number(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    if not 0 <= weight <= 1:
        _refuse(term, text, "the weight after ':' is a number from 0 to 1, or from 0% to 100%")
    return weight


def _number(written: str) -> float:
    """A number without a sign, -1 for what is none."""
    is_number = len(written) <= LONGEST_NUMBER and _NUMBER.fullmatch(written)
    try:
        return decimal_number(written) if is_number else -1.0
    except ValueError:  # as large as 1e999
        return -1.0


def _single_holding(body: str, term: str, text: str) -> int:
    try:
        return parse_holding(body)
    except InvalidCardsError:
        if re.fullmatch("[2-9TJQKA][CDHS]", body, re.IGNORECASE):
            _refuse(term, text, "it is one card; a holding is two cards without a blank, as AdQc")
        if re.fullmatch("([2-9TJQKA][CDHS])\\1", body, re.IGNORECASE):
            _refuse(term, text, "it names one card twice")
        _refuse(term, text, _EXAMPLES)


def _cells(match: re.Match[str], term: str, text: str) -> Iterator[_Cell]:
    """The classes of a term like AK, A2s+ or 76s-54s."""
    high, low, kind = _class_of(match[1], match[2], match[3], term, text)
    plus, until = match[4], match[5]
    gap = high - low
    if until:
        other_high, other_low, other_kind = _class_of(match[5], match[6], match[7], term, text)
        if kind != other_kind or (gap == 0) != (other_high == other_low):
            _refuse(term, text, "both ends must be pairs, or alike in 's' and 'o', as TT-77 or 76s-54s")
        if gap == other_high - other_low:
            steps = [(top, top - gap) for top in range(min(high, other_high), max(high, other_high) + 1)]
        elif high == other_high:
            steps = [(high, kicker) for kicker in range(min(low, other_low), max(low, other_low) + 1)]
        else:
            _refuse(term, text, "the ends must share the first card (A5s-A2s) or the distance of the cards (76s-54s)")
    elif plus:
        climbing = gap <= 1  # pairs, and neighbours, whose kicker has no room to rise alone
        steps = [(top, top - gap) for top in range(high, 13)] if climbing else [(high, k) for k in range(low, high)]
    else:
        steps = [(high, low)]
    for top, bottom in steps:
        for letter in [""] if gap == 0 else kind or "so":
            yield top, bottom, letter


def _class_of(first: str, second: str, kind: str, term: str, text: str) -> _Cell:
    ranks = RANKS.index(first.upper()), RANKS.index(second.upper())
    if ranks[0] == ranks[1] and kind:
        _refuse(term, text, f"a pair is neither suited nor offsuit; write {first.upper() * 2}")
    return max(ranks), min(ranks), kind.lower()


def _refuse(term: str, text: str, reason: str) -> NoReturn:
    where = f"{quoted(term)} in {quoted(text)}" if term != text else quoted(term)
    raise InvalidRangeError(f"{where} is not a range of holdings; {reason}")


# Writing


def _cell_terms(cells: set[_Cell]) -> list[str]:
    """Few terms that together name these classes: pairs, then both suits, suited and offsuit, high cards first."""
    pairs = {high for high, _, kind in cells if kind == ""}
    terms = []
    for top, bottom in _runs(pairs):
        terms.append(_span(RANKS[top] * 2, RANKS[bottom] * 2, "", open_above=top == 12))
    kickers = {
        kind: {top: {low for high, low, of in cells if (high, of) == (top, kind)} for top in range(13)}
        for kind in ("s", "o")
    }
    both: dict[int, set[int]] = {}
    for top in range(13):
        both[top] = kickers["s"][top] if kickers["s"][top] == kickers["o"][top] else set()
        if both[top]:
            kickers["s"][top] = kickers["o"][top] = set()
    for kind, of_top in (("", both), ("s", kickers["s"]), ("o", kickers["o"])):
        terms += _kicker_terms(of_top, kind)
    return terms


def _kicker_terms(kickers: dict[int, set[int]], kind: str) -> list[str]:
    """Terms for one kind of classes, given as the kickers of each first card."""
    lone = {(top, low) for top in kickers for low, other in _runs(kickers[top]) if low == other}
    found: list[tuple[int, int, str]] = []
    for gap in range(1, 13):
        for top, bottom in _runs({high for high, low in lone if high - low == gap}):
            if top - bottom >= 2:  # three or more steps are worth a span
                first, last = RANKS[top] + RANKS[top - gap], RANKS[bottom] + RANKS[bottom - gap]
                found.append((top, top - gap, _span(first, last, kind, open_above=(top, gap) == (12, 1))))
                lone -= {(high, high - gap) for high in range(bottom, top + 1)}
    found += [(high, low, RANKS[high] + RANKS[low] + kind) for high, low in lone]
    for top in kickers:
        for most, least in _runs(kickers[top]):
            if most > least:
                first, last = RANKS[top] + RANKS[most], RANKS[top] + RANKS[least]
                found.append((top, most, _span(first, last, kind, open_above=most == top - 1)))
    return [term for _, _, term in sorted(found, reverse=True)]


def _span(first: str, last: str, kind: str, open_above: bool) -> str:
    if first == last:
        return first + kind
    return f"{last}{kind}+" if open_above else f"{first}{kind}-{last}{kind}"


def _runs(ranks: Iterable[int]) -> list[tuple[int, int]]:
    """The runs of neighbouring ranks as (highest, lowest), the highest run first."""
    runs: list[tuple[int, int]] = []
    for rank in sorted(ranks, reverse=True):
        if runs and runs[-1][1] == rank + 1:
            runs[-1] = (runs[-1][0], rank)
        else:
            runs.append((rank, rank))
    return runs
