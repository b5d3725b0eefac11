"""How much a best response wins, in numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.statistics import Estimate

ROWS = {"as_dealer": "as dealer", "as_big_blind": "as big blind", "mean": "on average"}
"""What an `Exploitability` has a value for, and in words."""
OTHER_FLOPS = (
    "values from different flops: one of the two tells suits apart, so that its flops are drawn from 22,100 and those "
    "of the other from 1,755 kinds; judge both exactly"
)


@dataclass(frozen=True)
class ResponseValue:
    """What a best response wins from one position, or on average of both, in milli small bets per hand."""

    value: Estimate
    """Over all flops, or over the sampled ones. Sampled, it is biased upwards: the responder's play before the flop is
    fitted to the very flops it is judged by."""
    lower: Estimate | None
    """The same with the play before the flop fitted to one half of the sampled flops and judged by the other: biased
    downwards, since no play beats the best response. Over all flops it equals `value`. Of upper bounds there is none.
    """

    @staticmethod
    def exactly(value: float, flops: int = 1) -> ResponseValue:
        """A value that is known."""
        known = Estimate(float(value), 0.0, flops)
        return ResponseValue(known, known)

    def to_json(self, is_whole: bool) -> dict[str, float | None]:
        """Both with their margins, which are none over all flops."""
        told: dict[str, float | None] = {}
        for name, margin, each in (("value", "margin95", self.value), ("lower", "lower_margin95", self.lower)):
            told[name] = None if each is None else each.mean
            told[margin] = None if each is None else 0.0 if is_whole else each.margin
        return told


@dataclass(frozen=True)
class Exploitability:
    """How much a best response wins against a strategy, in milli small bets per hand."""

    as_dealer: ResponseValue
    as_big_blind: ResponseValue
    """In a toy game without blinds: from the position that acts first."""
    mean: ResponseValue
    """Of the two positions: the strategy's exploitability."""
    flops: int
    """How many flops were looked at; 1,755 classes are all. A toy game has none."""
    is_whole: bool
    """Whether all flops were."""
    seed: int | None = None
    """By which flops were sampled."""
    among: int = 0
    """From so many they were sampled: 1,755 classes, or all 22,100 flops if the strategy tells suits apart."""
    bound: str = ""
    """Of what the values are upper bounds alone, in words; nothing of values that are best responses' own."""
    by_flop: dict[str, NDArray[np.float64]] = field(default_factory=dict, repr=False, compare=False)
    """By row of `ROWS`: `value` on each sampled flop."""

    @property
    def is_exact(self) -> bool:
        """Whether the values are what best responses win, without any error."""
        return self.is_whole and not self.bound

    def as_bound(self, bound: str) -> Exploitability:
        """The same as upper bounds alone, of what `bound` says; nothing is known then of how little it may be."""
        dealer, big_blind, mean = (replace(each, lower=None) for each in (self.as_dealer, self.as_big_blind, self.mean))
        return replace(self, as_dealer=dealer, as_big_blind=big_blind, mean=mean, bound=bound)

    def less(self, other: Exploitability) -> dict[str, Estimate]:
        """By row of `ROWS`: how much more is won here than there. Sampled flops must be the same ones.

        Then both have the same luck and much the same bias, and the difference is surer than either.
        """
        self.check_same_flops(other)
        if self.is_whole:
            values = {name: getattr(self, name).value.mean - getattr(other, name).value.mean for name in ROWS}
            return {name: Estimate(value, 0.0, max(1, self.flops)) for name, value in values.items()}
        return {name: Estimate.of(self.by_flop[name] - other.by_flop[name]) for name in ROWS}

    def check_same_flops(self, other: Exploitability) -> None:
        """Refuse values that come from other flops; all flops are the same ones, however they are put together."""
        if self.is_whole and other.is_whole:
            return
        if (self.is_whole, self.flops, self.seed) != (other.is_whole, other.flops, other.seed):
            raise RailbirdError("values from different flops; judge both by the same number and seed, or exactly")
        if self.among != other.among:
            raise RailbirdError(OTHER_FLOPS)

    def to_json(self) -> dict[str, Any]:
        """What `railbird exploit --json` prints, but for the bot's name."""
        rows: dict[str, ResponseValue] = {name: getattr(self, name) for name in ROWS}
        return {
            "schema": "railbird.exploit/1",
            "unit": "milli small bets per hand",
            "exact": self.is_exact,
            "flops": self.flops,
            "seed": self.seed,
            **{name: row.to_json(self.is_whole) for name, row in rows.items()},
            **({"bound": self.bound} if self.bound else {}),
        }
