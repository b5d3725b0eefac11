"""Settings of DIVAT's baseline: how good a hand must be to bet, raise or call (Kan 2007, Tables 3.2, 4.1 and 4.2).

A setting is written like a bot: "standard", "standard:fold=faced",
"standard:flop_bets=aggressive-high,turn_folds=loose-low" or, with numbers of one's own,
"standard:flop_bets=0.58/0.825/0.93/0.965,turn_folds=0.05". "standard:rollout=7chr" values pots before the flop as the
thesis' own tables did.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from railbird.errors import AssessmentError, did_you_mean
from railbird.parameters import read_arguments, split_parameters

BETTING = {
    "aggressive-high": ("0.46", "0.775", "0.91", "0.955"),
    "aggressive-medium": ("0.49", "0.7875", "0.915", "0.9575"),
    "aggressive-low": ("0.52", "0.8", "0.92", "0.96"),
    "moderate-aggressive": ("0.55", "0.8125", "0.925", "0.9625"),
    "normal": ("0.58", "0.825", "0.93", "0.965"),
    "moderate-conservative": ("0.61", "0.8375", "0.935", "0.9675"),
    "conservative-low": ("0.64", "0.85", "0.94", "0.97"),
    "conservative-medium": ("0.67", "0.8625", "0.945", "0.9725"),
    "conservative-high": ("0.70", "0.875", "0.95", "0.975"),
}
"""Table 4.1: the hand ranks worth one to four bets. Two entries are printed off the table's even steps (the make-4 of
moderate-conservative as 0.965, the make-3 of conservative-high as 0.945); here the steps are even."""

FOLDING = {
    "loose-high": ("-0.025", "0"),
    "loose-medium": ("0", "0.025"),
    "loose-low": ("0.025", "0.05"),
    "moderate-loose": ("0.05", "0.075"),
    "normal": ("0.075", "0.1"),
    "moderate-tight": ("0.1", "0.125"),
    "tight-low": ("0.125", "0.15"),
    "tight-medium": ("0.15", "0.175"),
    "tight-high": ("0.175", "0.2"),
}
"""Table 4.2: the fold offsets on flop and turn."""

FoldRule = Literal["pot", "faced"]
Rollout = Literal["ehr", "7chr"]


@dataclass(frozen=True)
class Settings:
    """What the baseline asks of a hand, by street, as exact fractions."""

    bets: tuple[tuple[Fraction, ...], ...]
    """By street, the effective hand rank that is worth 1, 2, 3 and 4 bets."""
    fold_offsets: tuple[Fraction, ...]
    """By street, what is added to bet / (pot + bet)."""
    fold: FoldRule = "pot"
    """Whether the pot at the start of the street decides ("pot", the thesis' text), or the bet that is faced counts as
    part of it ("faced", which gives the standard deviations that the thesis reports)."""
    rollout: Rollout = "ehr"
    """By which rank the rollout before the flop classes the hands that it rolls out: the effective hand rank, as the
    baseline does, or the seven-card hand rank, as the thesis' own tables did (footnote 10)."""

    def fold_threshold(self, street: int, bets_in: int) -> Fraction:
        """The effective hand rank below which a bet is not called, with `bets_in` small bets in from each player.

        >>> STANDARD.fold_threshold(0, 1), STANDARD.fold_threshold(2, 1)
        (Fraction(1, 3), Fraction(3, 5))
        """
        bet = 1 if street < 2 else 2
        faced = bet if self.fold == "faced" else 0
        return Fraction(bet, 2 * bets_in + bet + faced) + self.fold_offsets[street]


def _fractions(texts: tuple[str, ...]) -> tuple[Fraction, ...]:
    return tuple([Fraction(text) for text in texts])


STANDARD = Settings(
    bets=(_fractions(BETTING["normal"]),) * 3 + (_fractions(BETTING["conservative-low"]),),
    fold_offsets=_fractions(("0", *FOLDING["normal"], "0")),
)
"""Table 3.2."""


@dataclass(frozen=True)
class Thresholds:
    """What the baseline asks of a hand, as text: rows of Tables 4.1 and 4.2, or numbers.

    Bets are the hand ranks worth one to four bets, as in "0.58/0.825/0.93/0.965"; folds are the fold offset, as in
    "0.075". Table 4.2 has rows for flop and turn alone.
    """

    fold: FoldRule = "pot"
    preflop_bets: str = "normal"
    flop_bets: str = "normal"
    turn_bets: str = "normal"
    river_bets: str = "conservative-low"
    preflop_folds: str = "0"
    flop_folds: str = "normal"
    turn_folds: str = "normal"
    river_folds: str = "0"


TABLE_3_2 = Thresholds()


def standard(thresholds: Thresholds = TABLE_3_2, rollout: Rollout = "ehr") -> Settings:
    """The settings of Table 3.2, or with other thresholds."""
    names = ("preflop_bets", "flop_bets", "turn_bets", "river_bets")
    return Settings(
        tuple([_bets(name, getattr(thresholds, name)) for name in names]),
        (
            _fold_offset("preflop_folds", thresholds.preflop_folds),
            _fold_offset("flop_folds", thresholds.flop_folds, {row: Fraction(on[0]) for row, on in FOLDING.items()}),
            _fold_offset("turn_folds", thresholds.turn_folds, {row: Fraction(on[1]) for row, on in FOLDING.items()}),
            _fold_offset("river_folds", thresholds.river_folds),
        ),
        thresholds.fold,
        rollout,
    )


def parse_settings(text: str) -> Settings:
    """Settings from text.

    >>> parse_settings("standard") == STANDARD
    True
    >>> parse_settings("standard:turn_bets=aggressive-low").bets[2][0]
    Fraction(13, 25)
    >>> parse_settings("standard:turn_folds=0.02").fold_offsets[2]
    Fraction(1, 50)
    """
    name, given = split_parameters(text, AssessmentError)
    if name != "standard":
        raise AssessmentError(f"no settings {name!r}; write standard or standard:turn_bets=aggressive-low")
    return standard(**read_arguments(standard, given, text, AssessmentError))


def _bets(name: str, text: str) -> tuple[Fraction, ...]:
    """The hand ranks worth one to four bets: a row of Table 4.1, or four numbers."""
    if text in BETTING:
        return _fractions(BETTING[text])
    parts = text.split("/")
    found = [number for number in map(_number, parts) if number is not None]
    if len(parts) == 1 and not found:
        raise AssessmentError(
            f"no row {text!r} for {name}{did_you_mean(text, BETTING)} (all: {', '.join(BETTING)}; or "
            "four numbers, as in 0.58/0.825/0.93/0.965)"
        )
    if len(found) < len(parts):
        problem = f"{next(part for part in parts if _number(part) is None)!r} is not a number"
    elif len(found) != 4:
        problem = f"{len(found)} {'number' if len(found) == 1 else 'numbers'} where the ranks worth 1 to 4 bets belong"
    elif min(found) < 0 or max(found) > 1:
        problem = "hand ranks are numbers from 0 to 1"
    elif any(lower >= higher for lower, higher in pairwise(found)):
        problem = "the ranks worth 1 to 4 bets must rise"
    else:
        return tuple(found)
    raise AssessmentError(f"{name}={text}: {problem} (as in {name}=0.58/0.825/0.93/0.965)")


def _fold_offset(name: str, text: str, rows: Mapping[str, Fraction] | None = None) -> Fraction:
    """What is added to bet / (pot + bet) on a street: a row of Table 4.2, or a number."""
    rows = rows or {}
    if text in rows:
        return rows[text]
    number = _number(text)
    if number is None:
        known = f"all: {', '.join(rows)}; or" if rows else "give"
        raise AssessmentError(f"no row {text!r} for {name}{did_you_mean(text, rows)} ({known} one number, as in 0.075)")
    if not -1 <= number <= 1:
        raise AssessmentError(f"{name}={text}: fold offsets are numbers from -1 to 1 (as in {name}=0.075)")
    return number


def _number(text: str) -> Fraction | None:
    """A decimal number, exactly."""
    plain = re.fullmatch(r"\s*[+-]?(\d{1,9}(\.\d{0,18})?|\.\d{1,18})\s*", text, re.ASCII)
    return Fraction(text) if plain else None
