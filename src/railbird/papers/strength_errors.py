"""How far two quick estimates of the strength against several opponents are off, on positions from play.

The exact strength against several opponents counts their joint holdings. Loki multiplies instead: the strengths against
each opponent ("product", Papp 1998, equation 5.4), or the strength against the average of their weights, to the power
of their number ("field", equation 5.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from railbird.bots.loki import Loki
from railbird.game.actions import Action
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.judging import Finding
from railbird.modeling.reweighting import Weights
from railbird.odds.effective import possible_holdings
from railbird.odds.multiway import MultiwayStrength, multiway_strength
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.progress import Watch
from railbird.randomness import Stream, derived_seed
from railbird.results.figures import Figure
from railbird.results.parts import Line, Part
from railbird.statistics import Estimate

METHODS = ("product", "field")
LARGE_ERROR = 0.02
WIDE = 250.0
"""Weights that are worth fewer holdings than this are narrow. Equal weights of n holdings are worth n (1 / sum p^2)."""

_MOST_HANDS = 10**9
"""More than any study needs."""


class PrintedError(NamedTuple):
    """What a paper says of an estimate's absolute error."""

    mean: float
    worst: float
    positions: int


@dataclass(frozen=True)
class StrengthError:
    """How far an estimate of HS_n is off over positions from play."""

    method: str
    opponents: int
    error: Estimate
    """The mean absolute error; every position is of another hand."""
    worst: float
    worst_wide: float
    """The worst error where no opponent's weights are narrow; 0 if there was no such position."""
    worst_by_averaging: float
    """How much of the worst error comes of averaging the opponents, field less product; 0 for the product."""
    large: int
    """How many errors are larger than 0.02."""
    bias: Estimate
    """The mean error with its sign: positive where the estimate is too high."""
    paper: PrintedError

    def to_json(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "opponents": self.opponents,
            "positions": self.error.count,
            "mean_error": self.error.mean,
            "mean_error_margin": self.error.margin,
            "worst_error": self.worst,
            "worst_error_wide": self.worst_wide,
            "worst_error_by_averaging": self.worst_by_averaging,
            "large_errors": self.large,
            "bias": self.bias.mean,
            "bias_margin": self.bias.margin,
            "paper": {
                "mean_error": self.paper.mean,
                "worst_error": self.paper.worst,
                "positions": self.paper.positions,
            },
        }

    def __str__(self) -> str:
        cause = (
            f"{self.worst_wide:.2%} without narrow weights"
            if self.method == "product"
            else f"{self.worst_by_averaging:.2%} of it by averaging the opponents"
        )
        return (
            f"{self.method}, {self.opponents} opponents: mean error {self.error.mean:.3%} ± {self.error.margin:.3%} "
            f"(paper {self.paper.mean:.3%}), worst {self.worst:.2%} (paper {self.paper.worst:.2%}; {cause}), "
            f"{self.large} of {self.error.count} over {LARGE_ERROR:.0%}, bias {self.bias.mean:+.3%}"
        )


@dataclass(frozen=True)
class StrengthErrors:
    """The errors by method and number of opponents. They are set beside the paper's and not judged."""

    errors: tuple[StrengthError, ...]
    findings: ClassVar[tuple[Finding, ...]] = ()

    def parts(self) -> list[Part]:
        return [Line(str(error), indent=0) for error in self.errors]

    def figures(self) -> dict[str, Figure]:
        return {}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each method and number of opponents."""
        numbers = [error.to_json() for error in self.errors]
        return [
            {**{name: value for name, value in each.items() if name != "paper"}, "paper_mean_error": error.paper.mean}
            for each, error in zip(numbers, self.errors)
        ]

    def to_json(self) -> dict[str, Any]:
        return {"results": [error.to_json() for error in self.errors]}


def strength_errors(
    paper: Mapping[tuple[str, int], PrintedError],
    positions: int = 1_000,
    seed: int = 1,
    seats: int = 10,
    watch: Watch | None = None,
) -> tuple[StrengthError, ...]:
    """The errors of both estimates of HS_n against the exact value, for two and three opponents, beside the paper's.

    A ring of Lokis plays; the weight arrays are those of the player whose turn it is. Of each hand no more than one
    decision against two and one against three opponents is taken, by chance, so that the positions are independent; the
    study ends with `positions` of either kind. `watch` is told after each hand how many positions there are, and of
    how many.
    """
    found: dict[int, list[_Sample]] = {2: [], 3: []}
    for hand in _hands(seed, seats):
        for opponents, kept in found.items():
            if opponents in hand and len(kept) < positions:
                kept.append(hand[opponents])
        done = sum(map(len, found.values()))
        if watch:
            watch(done, 2 * positions)
        if done == 2 * positions:
            break
    return tuple(
        _error(method, opponents, samples, paper[method, opponents])
        for opponents, samples in found.items()
        for method in METHODS
    )


def _error(method: str, opponents: int, samples: Sequence[_Sample], paper: PrintedError) -> StrengthError:
    errors = np.array([getattr(s.strength, method) - s.strength.exact for s in samples])
    sizes = np.abs(errors)
    worst = int(sizes.argmax())
    wide = sizes[[s.width >= WIDE for s in samples]]
    by_averaging = getattr(samples[worst].strength, method) - samples[worst].strength.product
    return StrengthError(
        method,
        opponents,
        Estimate.of(sizes),
        float(sizes[worst]),
        float(wide.max(initial=0.0)),
        float(by_averaging),
        int((sizes > LARGE_ERROR).sum()),
        Estimate.of(errors),
        paper,
    )


class _Witness(Loki):
    """Loki, noting down its decisions after the flop against two or three opponents, with what it thinks of them."""

    def __init__(self, notes: list[_Position]) -> None:
        super().__init__()
        self.notes = notes

    def act(self, view: PlayerView) -> Action:
        if view.board_cards and len(view.opponents) in (2, 3):
            arrays = self.model.weights()
            weights = tuple(arrays[position] for position in view.opponents)
            self.notes.append(_Position(view.hole_cards, view.board_cards, weights))
        return super().act(view)


class _Position(NamedTuple):
    hole: tuple[int, ...]
    board: tuple[int, ...]
    weights: tuple[Weights, ...]


class _Sample(NamedTuple):
    strength: MultiwayStrength
    width: float
    """How many holdings the narrowest of the opponents' weights are worth."""

    @classmethod
    def of(cls, position: _Position) -> _Sample:
        possible = possible_holdings(position.hole + position.board)
        arrays = [weights * possible for weights in position.weights]
        width = min(float(array.sum() ** 2 / (array**2).sum()) for array in arrays)
        return cls(multiway_strength(*position), width)


def _hands(seed: int, seats: int) -> Iterator[dict[int, _Sample]]:
    """Hand after hand, a decision against two and one against three opponents, as far as there were any."""
    notes: list[_Position] = []
    ring = tuple(_Witness(notes) for _ in range(seats))
    stream = Stream(derived_seed(seed, "strength-study"))
    for _ in played_hands(MatchSpec(limit_holdem(seats), ring, _MOST_HANDS, seed)):
        chosen = {}
        for opponents in (2, 3):
            of_kind = [note for note in notes if len(note.weights) == opponents]
            if of_kind:
                chosen[opponents] = _Sample.of(stream.choice(of_kind))
        notes.clear()
        yield chosen
