"""Best responses to play that solves the rest of the hand again: how much they win at most, flop by flop.

Below one flop lie 63 rounds on each of 49 turns, and 567 on each of their 2,352 rivers. To solve all of the turns takes
an hour of a core, to solve all of the rivers half a day. So the turns are solved, all that the play can get to, and the
rivers are not: where one is solved again, the opponent's alternatives are what the turn's solution leaves to each of
his holdings on average, and solving it safely leaves him no more (`railbird.solve.resolved_value` measures on sampled
rests by how much that fails). A best response on flop and turn to these values wins at least as much as any opponent
can, but for what is given away there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from railbird.cards import CARD_COUNT
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.kernels.lanes import LANES
from railbird.kernels.solve import response_rounds as kernels
from railbird.solve.best_response import Array, BestResponse, Desk, Worked
from railbird.solve.board_chances import BoardChances
from railbird.solve.gpu.gpu_rests import GpuRests
from railbird.solve.policy import Floats
from railbird.solve.resolved_play import ResolvedPlay
from railbird.solve.resolved_rest import TURN, RestOfHand
from railbird.solve.response_value import Exploitability

BOUND = "an upper bound; on rivers, which are solved again, what the turn's solution leaves him counts"


class ResolvedPolicy:
    """What a player does who solves the rest of the hand again, for best responses."""

    is_suit_blind = True

    def __init__(self, play: ResolvedPlay) -> None:
        self.play = play

    @property
    def game(self) -> Game:
        return self.play.strategy.game

    @property
    def most_turns(self) -> int:
        """How many rounds of the turn are solved below a flop at most, on all cards and for both positions."""
        return 2 * len(betting_rounds(self.game)[TURN]) * (CARD_COUNT - 3)

    @property
    def is_on_gpu(self) -> bool:
        """Whether it is solved on a GPU, which one thread keeps busy."""
        return isinstance(self.play.solver, GpuRests)

    def on_gpu(self) -> ResolvedPolicy:
        """The same, solved on a GPU."""
        play = self.play
        if self.is_on_gpu:
            return self
        return ResolvedPolicy(ResolvedPlay(play.strategy, play.effort, GpuRests(play.strategy)))

    def probabilities(self, street: int, board: tuple[int, ...]) -> Floats:
        """Fold, call and raise by row of the street's decisions and holding; a turn takes a minute of solving."""
        tree = BettingTree.of(self.game)
        nodes = tree.decisions[street].tolist()
        return np.array([self.play.chances(tree.history[node], board) for node in nodes], np.float32)

    def best_response(self) -> ResolvedResponse:
        """The best responses to it, flop by flop."""
        return ResolvedResponse(self)


class ResolvedResponse(BestResponse):
    """What best responses win at most, flop by flop. To the flop the play is that of the table strategy."""

    def __init__(self, policy: ResolvedPolicy) -> None:
        super().__init__(policy.play.strategy)
        self._play = policy.play

    def _board_values(
        self,
        desk: Desk,
        street: int,
        board: tuple[int, ...],
        symmetries: Sequence[int],
        worked: Sequence[Worked],
        look: BoardChances,
    ) -> tuple[list[Floats], kernels.Live]:
        if street != TURN:
            return super()._board_values(desk, street, board, symmetries, worked, look)
        return [self._left(board, position, worked[position]) for position in (0, 1)], desk.live(board)

    def judged(self, numbers: Sequence[int], values: Array, seed: int | None) -> Exploitability:
        return super().judged(numbers, values, seed).as_bound(BOUND)

    def _left(self, board: tuple[int, ...], position: int, worked: Worked) -> Floats:
        """The values of a turn's openings to a responder, by block, holding and lane."""
        found = np.zeros_like(worked.reach)
        reached = worked.reach.any(axis=1).ravel()[: len(worked.openings)]
        places = np.flatnonzero(reached)
        rests = [RestOfHand(self.tree.game, TURN, number, board) for number in worked.openings[places].tolist()]
        for at, values in zip(places.tolist(), self._play.left(rests, 1 - position)):
            found[at // LANES, :, at % LANES] = values
        return found
