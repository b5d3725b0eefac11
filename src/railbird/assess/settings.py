"""Settings of DIVAT's baseline: how good a hand must be to bet, raise or call (Kan 2007, Tables 3.2, 4.1 and 4.2).

A setting is written like a bot: "standard", "standard:fold=faced" or
"standard:flop_bets=aggressive-high,turn_folds=loose-low".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
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


def standard(fold: FoldRule = "pot", flop_bets: str = "normal", turn_bets: str = "normal", flop_folds: str = "normal",
             turn_folds: str = "normal") -> Settings:  # fmt: skip
    """The settings of Table 3.2, with the flop's or turn's replaced by other rows of Tables 4.1 and 4.2."""
    preflop, _, _, river = STANDARD.bets
    bets = (preflop, _row(BETTING, flop_bets), _row(BETTING, turn_bets), river)
    offsets = (Fraction(0), _row(FOLDING, flop_folds)[0], _row(FOLDING, turn_folds)[1], Fraction(0))
    return replace(STANDARD, bets=bets, fold_offsets=offsets, fold=fold)


def parse_settings(text: str) -> Settings:
    """Settings from text.

    >>> parse_settings("standard") == STANDARD
    True
    >>> parse_settings("standard:turn_bets=aggressive-low").bets[2][0]
    Fraction(13, 25)
    """
    name, given = split_parameters(text, AssessmentError)
    if name != "standard":
        raise AssessmentError(f"no settings {name!r}; write standard or standard:turn_bets=aggressive-low")
    return standard(**read_arguments(standard, given, text, AssessmentError))


def _row(table: Mapping[str, tuple[str, ...]], name: str) -> tuple[Fraction, ...]:
    if name not in table:
        raise AssessmentError(f"no row {name!r}{did_you_mean(name, table)} (all: {', '.join(table)})")
    return _fractions(table[name])
