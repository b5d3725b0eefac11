"""How much a best response wins, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from railbird.statistics import Estimate


@dataclass(frozen=True)
class ResponseValue:
    """What a best response wins from one position, or on average of both, in milli small bets per hand."""

    value: Estimate
    """Over all flops, or over the sampled ones. Sampled, it is biased upwards: the responder's play before the flop is
    fitted to the very flops it is judged by."""
    lower: Estimate
    """The same with the play before the flop fitted to one half of the sampled flops and judged by the other: biased
    downwards, since no play beats the best response. Over all flops it equals `value`."""

    @staticmethod
    def exactly(value: float, flops: int = 1) -> ResponseValue:
        """A value that is known."""
        known = Estimate(float(value), 0.0, flops)
        return ResponseValue(known, known)


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
    is_exact: bool
    seed: int | None = None
    """By which flops were sampled."""

    def to_json(self) -> dict[str, Any]:
        """What `railbird exploit --json` prints, but for the bot's name."""
        rows: dict[str, ResponseValue] = {
            "as_dealer": self.as_dealer,
            "as_big_blind": self.as_big_blind,
            "mean": self.mean,
        }
        return {
            "schema": "railbird.exploit/1",
            "unit": "milli small bets per hand",
            "exact": self.is_exact,
            "flops": self.flops,
            "seed": self.seed,
            **{
                name: {
                    "value": row.value.mean,
                    "margin95": 0.0 if self.is_exact else row.value.margin,
                    "lower": row.lower.mean,
                    "lower_margin95": 0.0 if self.is_exact else row.lower.margin,
                }
                for name, row in rows.items()
            },
        }
