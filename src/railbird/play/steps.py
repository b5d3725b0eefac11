"""The betting tree as it is walked again and again: each step remembers the steps after it and what they pay.

Hands of a match meet the same bettings: heads-up limit hold'em has 6,378 decisions in all. Working out a node of
`railbird.game.betting` takes 3 us, finding it again 0.15 us.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.spec import Game

MOST_STEPS = 30_000
"""As many are remembered of a game (20 MB); others, which no-limit and ring games have, are worked out again."""


class Step:
    """A node, and what was found out about it."""

    __slots__ = ("_children", "_room", "_won", "live", "node", "street", "to_act")

    def __init__(self, node: Betting, room: list[int]) -> None:
        self.node = node
        self.to_act = node.to_act
        self.street = node.street
        self.live = node.live if node.is_over else ()
        """At the end of a hand, the positions that have not folded."""
        self._children: dict[Action, Step] = {}
        self._won: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._room = room

    @staticmethod
    @lru_cache(maxsize=16)
    def first(game: Game) -> Step:
        """The step at which hands of the game begin."""
        return Step(Betting.start(game), [MOST_STEPS])

    def after(self, action: Action) -> Step:
        """The step that `action` leads to; refused as by `Betting.after`."""
        if type(action[1]) is not int or type(action[0]) is not str:  # 2.0 would be found as 2, but is illegal
            return Step(self.node.after(action), self._room)
        step = self._children.get(action)
        if step is None:
            step = Step(self.node.after(action), self._room)
            if self._room[0] > 0:
                self._room[0] -= 1
                self._children[action] = step
        return step

    def payoffs(self, ranks: Sequence[int]) -> tuple[int, ...]:
        """As `railbird.game.payoffs.payoffs`."""
        live = winners = self.live
        if len(live) > 1:
            if len({self.node.committed[position] for position in live}) > 1:
                return payoffs(self.node, ranks)  # side pots
            best = max([ranks[position] for position in live])
            winners = tuple([position for position in live if ranks[position] == best])
        won = self._won.get(winners)
        if won is None:
            won = self._won[winners] = payoffs(self.node, ranks)
        return won
