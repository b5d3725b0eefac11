"""The resolver: plays the equilibrium to the flop, and solves the rest of the hand again from the turn on.

The equilibrium's buckets take holdings together that are not alike. From the turn on there is time to do without: the
rest of the hand is solved with all holdings apart, safely (Burch, Johanson and Bowling 2014); docs/papers/resolver.md
tells how, and what it gains.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import own_row
from railbird.bots.decision import PLAYS_NOTES, Decision, Note, OpponentWeights, by_action, legal_chances
from railbird.bots.equilibrium import Equilibrium
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import UnknownBotError, did_you_mean
from railbird.game.actions import ProbabilityTriple
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.numbers import quoted
from railbird.solve.cpu_rests import CpuRests
from railbird.solve.gpu.gpu_rests import GpuRests
from railbird.solve.resolved_flops import ResolvedPolicy
from railbird.solve.resolved_play import SAFETIES, Effort, ResolvedPlay, Solver
from railbird.solve.resolved_rest import TURN
from railbird.solve.strategy import Strategy

MOST_ITERATIONS = 100_000
SOLVERS: dict[str, Callable[[Strategy], Solver]] = {"cpu": CpuRests, "gpu": GpuRests}


class Resolver(Equilibrium):
    """Plays a strategy file to the flop; from the turn on the rest is solved, with so many iterations a street.

    backend: cpu, or gpu (NVIDIA, with CuPy).
    """

    def __init__(
        self,
        strategy: str = "",
        turn: int = Effort.turn,
        river: int = Effort.river,
        safety: str = "mixed",
        backend: str = "cpu",
    ) -> None:
        super().__init__(strategy)
        for street, iterations in (("turn", turn), ("river", river)):
            if not 1 <= iterations <= MOST_ITERATIONS:
                raise UnknownBotError(f"{street}={quoted(iterations)} iterations; there are 1 to {MOST_ITERATIONS:,}")
        if safety not in SAFETIES:
            names = ", ".join(SAFETIES)
            raise UnknownBotError(f"no safety {quoted(safety)}{did_you_mean(safety, SAFETIES)} (all: {names})")
        if backend not in SOLVERS:
            raise UnknownBotError(f"no backend {quoted(backend)}{did_you_mean(backend, SOLVERS)} (cpu, gpu)")
        self._effort = Effort(turn, river, SAFETIES[safety])
        self._backend = backend
        self._play: ResolvedPlay | None = None

    @property
    def play(self) -> ResolvedPlay:
        """What has been solved, and solves."""
        if self._play is None:
            self._play = ResolvedPlay(self.strategy, self._effort, SOLVERS[self._backend](self.strategy))
        return self._play

    def prepare(self) -> None:
        super().prepare()
        quick = ResolvedPlay(self.strategy, Effort(1, 1), SOLVERS[self._backend](self.strategy))
        quick.chances("cc/cc/cc/", (2, 6, 10, 14, 18))

    def chances(self, view: PlayerView) -> ProbabilityTriple:
        """Fold, call and raise in `view`."""
        if view.betting.street < TURN:
            return super().chances(view)
        found = self.play.chances(view.history, view.board_cards)[holding_index(*view.hole_cards)]
        return ProbabilityTriple(*found.tolist())

    def explain(self, view: PlayerView) -> Decision:
        if view.betting.street < TURN:
            return super().explain(view)
        spot = self.play.spot(view.history, view.board_cards)
        chances = legal_chances(self.chances(view), view.can_fold, view.can_raise)
        table = legal_chances(super().chances(view), view.can_fold, view.can_raise)
        told = by_action("equilibrium", table)
        weights = spot.opponent_range() * ~np.isin(_pairs(), view.hole_cards).any(axis=1)
        return Decision(
            self.act(view),
            f"{view.street} solved again",
            "drawn by chance, as the solution of the rest of the hand has it for this very holding",
            {**by_action("plays", chances), **told},
            PLAYS_NOTES | {name: Note("what the strategy would do that it plays to the flop") for name in told},
            weights=OpponentWeights(weights / weights.max()) if weights.any() else None,
        )

    def table_policy(self, game: Game) -> None:
        return None

    def frozen_policy(self, game: Game) -> ResolvedPolicy | None:
        return ResolvedPolicy(self.play) if self.can_play(game) else None

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64]:
        return own_row(self.play.chances(view.history, view.board_cards), view, every)


@cache
def _pairs() -> NDArray[np.int64]:
    """By holding: its two cards."""
    return np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])
