"""Play that follows a table strategy to the flop and solves the rest of the hand again from the turn on.

Where the turn's betting opens, both players come with the ranges that the table strategy gives them. The rest of the
hand is solved with these (`railbird.solve.resolved_rest`); the opponent's alternative is what a best response to the
table strategy would have won with each of his holdings, so that the solution costs nothing against an opponent who
knows everything. Where the river's betting opens it is solved once more, from the ranges of the turn's solution and
with its values as the opponent's alternatives.

The play is a function of the betting, the board and the position alone: nothing is remembered but what has been solved
already, so that it need not be solved twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.solve.cpu_rests import CpuRests
from railbird.solve.holding_features import BOARD_CARDS
from railbird.solve.resolved_rest import RIVER, TURN, Begun, Entry, Floats, RestOfHand, Safety, Solution
from railbird.solve.strategy import Strategy

LEAST_REACH = 1e-6
"""Holdings that a player never plays this way count so much all the same, lest nothing be known of them."""
_KEPT_TURNS, _KEPT_RIVERS, _KEPT_CHANCES = 8, 64, 256


SAFETIES = {
    "mixed": Safety(forced=0.1, asked=1.0, floor=1.0),
    "gadget": Safety(forced=0.0, asked=1.0, floor=1.0),
    "none": Safety(forced=1.0, asked=0.0, floor=0.0),
}
"""By name: a little of the opponent's range must come in, and all of it may take the alternative; all of it may; all of
it must, so that the solution is the best against that range, and is not safe."""


@dataclass(frozen=True)
class Effort:
    """How rests are solved."""

    turn: int = 24
    """Iterations on the turn."""
    river: int = 500
    safety: Safety = SAFETIES["mixed"]


class Solver(Protocol):
    """What solves rests: the processor (`CpuRests`, where the methods are told), or a GPU."""

    def begun(self, rests: Sequence[Begun], player: int, safety: Safety, iterations: int) -> list[Solution]: ...

    def left(self, rests: Sequence[Begun], player: int, safety: Safety, iterations: int) -> list[Floats]: ...

    def solved(
        self, rests: Sequence[RestOfHand], player: int, entries: Sequence[Entry], safety: Safety, iterations: int
    ) -> list[Solution]: ...


class Spot(NamedTuple):
    """A decision in a rest that was solved."""

    solution: Solution
    decision: int
    """Its number in the round."""
    path: list[Step]
    """The steps of the round that lead there."""

    @property
    def chances(self) -> Floats:
        """Fold, call and raise by holding."""
        return np.asarray(self.solution.played[self.decision])

    def opponent_range(self) -> Floats:
        """By holding: the chance that the opponent plays this way with it."""
        opponent = 1 - self.solution.player
        return self.solution.passed(self.path, self.solution.entry.opponent, opponent)


class ResolvedPlay:
    """What a player does who solves the rest of the hand again from the turn on."""

    def __init__(self, strategy: Strategy, effort: Effort | None = None, solver: Solver | None = None) -> None:
        self.strategy = strategy
        self.effort = effort or Effort()
        self.solver = solver or CpuRests(strategy)
        self.rounds = betting_rounds(strategy.game)
        self.turn = lru_cache(_KEPT_TURNS)(self._turn)
        """The solution of a round of the turn by its number, the board and the player."""
        self.river = lru_cache(_KEPT_RIVERS)(self._river)
        self._table_chances = lru_cache(_KEPT_CHANCES)(strategy.holding_chances)

    def __reduce__(self) -> tuple[type[ResolvedPlay], tuple[Strategy, Effort, Solver]]:
        """What another process makes it of: what has been solved stays here."""
        return type(self), (self.strategy, self.effort, self.solver)

    def chances(self, history: str, board: tuple[int, ...]) -> NDArray[np.float64]:
        """Fold, call and raise by holding at the decision that a betting string leads to."""
        tree = self.strategy.tree
        if tree.street[tree.node(history)] < TURN:
            return self.strategy.holding_chances(history, board)
        return np.asarray(self.spot(history, board).chances, np.float64)

    def spot(self, history: str, board: tuple[int, ...]) -> Spot:
        """The decision on turn or river that a betting string leads to, solved for the player who is to act."""
        tree = self.strategy.tree
        node = tree.node(history)
        if tree.row[node] < 0:
            raise RailbirdError(f"nobody is to act after {history!r}")
        street = int(tree.street[node])
        number, decision = divmod(int(tree.row[node]), len(self.rounds[street].decisions))
        same = (*sorted(board[:3]), *board[3 : street + 2])
        solution = (self.turn if street == TURN else self.river)(number, same, int(tree.actor[node]))
        return Spot(solution, decision, [step for step in steps_to(tree, node) if step.street == street])

    def _turn(self, number: int, board: tuple[int, ...], player: int) -> Solution:
        return self.from_table([RestOfHand(self.strategy.game, TURN, number, board)], player)[0]

    def _river(self, number: int, board: tuple[int, ...], player: int) -> Solution:
        turn = self.turn(number // len(self.rounds[TURN].closings), board[:4], player)
        return self.after_turn(turn, [(number, board[4])])[0]

    def after_turn(self, turn: Solution, rounds: Sequence[tuple[int, int]]) -> list[Solution]:
        """The solutions of rounds of the river, each with its card, that go on from the turn's solution."""
        game, board = self.strategy.game, turn.rest.board
        rests = [RestOfHand(game, RIVER, number, (*board, card)) for number, card in rounds]
        entries = [self.nested_entry(turn, rest) for rest in rests]
        return self.solver.solved(rests, turn.player, entries, self.effort.safety, self.effort.river)

    def from_table(self, rests: Sequence[RestOfHand], player: int) -> list[Solution]:
        """The solutions of rests that begin on one street, to which both come by the table strategy."""
        begun = [self.begun(rest, player) for rest in rests]
        return self.solver.begun(begun, player, self.effort.safety, self._iterations(rests))

    def left(self, rests: Sequence[RestOfHand], player: int) -> list[Floats]:
        """By rest, what the same solutions leave to the opponent's holdings (`Solution.left`)."""
        begun = [self.begun(rest, player) for rest in rests]
        return self.solver.left(begun, player, self.effort.safety, self._iterations(rests))

    def _iterations(self, rests: Sequence[RestOfHand]) -> int:
        return self.effort.turn if rests and rests[0].street == TURN else self.effort.river

    def begun(self, rest: RestOfHand, player: int) -> Begun:
        """How both come to a rest by the table strategy."""
        own, opponent = (self.table_reach(rest, position) for position in (player, 1 - player))
        return Begun(rest, np.maximum(own, np.float32(LEAST_REACH)) * rest.live, opponent)

    def nested_entry(self, turn: Solution, rest: RestOfHand) -> Entry:
        """How both come to the river by the turn's solution, and what it left to the opponent."""
        closing, player = rest.number % len(self.rounds[TURN].closings), turn.player
        path = [step for step in steps_to(self.strategy.tree, self._opening(rest)) if step.street == TURN]
        own = turn.passed(path, turn.entry.own, player)
        own = np.maximum(own, np.float32(LEAST_REACH) * own.max()) * rest.live
        opponent = turn.passed(path, turn.entry.opponent, 1 - player)
        return Entry(own, opponent, turn.river_value(rest.board[4], closing))

    def _opening(self, rest: RestOfHand) -> int:
        """The node that a rest begins with."""
        return int(self.rounds[rest.street].openings[rest.number])

    def table_reach(self, rest: RestOfHand, position: int) -> Floats:
        """By holding: the chance that a position's decisions by the table strategy lead to a rest."""
        found = rest.live.astype(np.float64)
        for step in steps_to(self.strategy.tree, self._opening(rest)):
            if step.actor == position:
                seen = rest.board[: BOARD_CARDS[step.street]]
                found *= self._table_chances(step.history, seen)[:, step.action]
        return found.astype(np.float32)


class Step(NamedTuple):
    """An action on the way to a node of the betting."""

    history: str
    street: int
    actor: int
    decision: int
    """The number of the decision in its round."""
    action: int


def steps_to(tree: BettingTree, node: int) -> list[Step]:
    """The actions that lead to a node.

    >>> from railbird.game.spec import limit_holdem
    >>> tree = BettingTree.of(limit_holdem())
    >>> [step.history + "fcr"[step.action] for step in steps_to(tree, tree.node("rc/cr"))]
    ['r', 'rc', 'rc/c', 'rc/cr']
    """
    rounds, found = betting_rounds(tree.game), []
    while tree.parent[node] >= 0:
        before = int(tree.parent[node])
        if tree.row[before] >= 0:
            street = int(tree.street[before])
            decision = int(tree.row[before]) % len(rounds[street].decisions)
            action = tree.child[before].tolist().index(node)
            found.append(Step(tree.history[before], street, int(tree.actor[before]), decision, action))
        node = before
    return found[::-1]
