"""Players who tell holdings apart by classes on each board, and treat those of a class alike.

Such a player is a table, however it reckons: its best response is found as quickly as that of a strategy file.
"""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING

from railbird.bots.base import Bot, own_row
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.game.view import PlayerView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from railbird.solve.policy import Policy

NAMES = ("bot", "opponent")


class ClassedBot(Bot):
    """A player of classes: say how many there are, which holding is in which, and what each does."""

    def class_counts(self, game: Game) -> tuple[int, ...]:
        """By street, how many classes there are."""
        raise NotImplementedError

    def holding_classes(self, game: Game, board: tuple[int, ...]) -> NDArray[np.int32]:
        """By holding its class on a board; any for those that share a card with it."""
        raise NotImplementedError

    def class_chances(self, node: Betting) -> NDArray[np.float64]:
        """Fold, call and raise of each class in a decision; legal actions sum to one."""
        raise NotImplementedError

    def is_classed(self, game: Game) -> bool:
        """Whether all this holds as the bot is set, in a game."""
        return game.is_holdem and self.can_play(game)

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64] | None:
        if not self.is_classed(view.game):
            return None
        chances = self.class_chances(view.betting)
        return own_row(chances[self.holding_classes(view.game, view.board_cards)], view, every)

    def frozen_policy(self, game: Game) -> Policy | None:
        if game.seats != 2 or not self.is_classed(game):
            return None
        from railbird.solve.class_policy import ClassPolicy

        now = deepcopy(self)  # what it learns later does not matter
        classes = partial(now.holding_classes, game)
        return ClassPolicy(game, now.class_counts(game), classes, now.class_chances, now.betting_seen)


def bare_view(node: Betting) -> PlayerView:
    """A view of a decision with cards that nobody may look at."""
    names = [f"{NAMES[1]} {seat}" for seat in range(node.game.seats)]
    names[node.to_act] = NAMES[0]
    return PlayerView(node, node.to_act, (0, 1), (), 0, tuple(names))


def by_kind(action: Action) -> tuple[float, float, float]:
    """A fold, a call or a raise that is certain, as chances."""
    return float(action.kind == "f"), float(action.kind == "c"), float(action.kind == "r")
