"""The equilibrium player: one fixed strategy against everybody (the modern descendant of `sparbot`).

The strategy was trained by counterfactual regret minimisation over the whole betting tree of heads-up limit hold'em,
with cards in 169, 10,000, 5,000 and 1,000 buckets by street; docs/papers/equilibrium.md tells how, and how much a best
response wins against it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot, own_row
from railbird.bots.decision import PLAYS_NOTES, Decision, Note, by_action, legal_chances
from railbird.game.actions import CALL, FOLD, RAISE, Action, ProbabilityTriple
from railbird.game.spec import Game, Structure
from railbird.game.view import PlayerView
from railbird.solve.strategy import Strategy, shipped_strategy, strategy_named

SHIPPED = "equilibrium.npz"


class Equilibrium(Bot):
    """Plays a strategy for heads-up limit hold'em: a file, one that ships by its name, or without either the usual."""

    shipped: ClassVar[str] = SHIPPED
    """The strategy file that ships."""

    def __init__(self, strategy: str = "") -> None:
        self._file = strategy

    @property
    def strategy(self) -> Strategy:
        """The strategy that is played."""
        return strategy_of(self._file, self.shipped)

    def can_play(self, game: Game) -> bool:
        if game.structure is not Structure.FIXED_LIMIT or game.seats != 2 or not game.is_holdem:
            return False
        return self.strategy.plays(game)

    def prepare(self) -> None:
        self.strategy.abstraction.build()
        self.strategy.triple("", (0, 1), ())
        self.strategy.triple("cc/cc/cc/", (0, 1), (2, 6, 10, 14, 18))

    def chances(self, view: PlayerView) -> ProbabilityTriple:
        """Fold, call and raise in `view`."""
        first, second = view.hole_cards
        return self.strategy.triple(view.betting.history, (first, second), view.board_cards)

    def act(self, view: PlayerView) -> Action:
        kind = self.chances(view).pick(view.can_fold, view.can_raise, self.rng.random())
        return RAISE if kind == "r" else FOLD if kind == "f" else CALL

    def explain(self, view: PlayerView) -> Decision:
        first, second = view.hole_cards
        bucket = self.strategy.abstraction.bucket((first, second), view.board_cards)
        count = self.strategy.abstraction.counts[view.betting.street]
        chances = legal_chances(self.chances(view), view.can_fold, view.can_raise)
        return Decision(
            self.act(view),
            f"bucket {bucket}",
            "drawn by chance, as the strategy has it for this betting and bucket",
            {"bucket": bucket, **by_action("plays", chances)},
            {"bucket": Note(f"of the {view.street}'s {count:,} buckets: holdings that are played alike", ".0f")}
            | PLAYS_NOTES,
        )

    def table_policy(self, game: Game) -> Strategy | None:
        return self.strategy if self.can_play(game) else None

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64]:
        return own_row(self.strategy.holding_chances(view.history, view.board_cards), view, every)


@lru_cache(maxsize=4)
def strategy_of(file: str = "", shipped: str = SHIPPED) -> Strategy:
    """The strategy of a file, or one that comes with Railbird: that of a name, or without one `shipped`."""
    return strategy_named(file) if file else shipped_strategy(shipped)
