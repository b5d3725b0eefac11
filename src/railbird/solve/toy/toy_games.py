"""Small games with everything that chance can do laid out: Kuhn poker, Leduc poker and their like.

Betting comes from `BettingTree`, cards from the game. Numbers about a node are arrays [board, card]: one row for each
board that can lie on the table on its street (a single one where there is none), one column for each private card.
A card that lies on the board has chance 0.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError
from railbird.game.betting_tree import FOLDED, BettingTree
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game

Array = NDArray[np.float64]


class ToyGame:
    """A two-player limit game of one private card each and at most one board card.

    >>> from railbird.game.spec import leduc_poker
    >>> toy = ToyGame(leduc_poker())
    >>> toy.board_count(0), toy.board_count(1), toy.deals
    (1, 6, 120)
    """

    def __init__(self, game: Game) -> None:
        if game.hole_cards != 1:
            raise InvalidGameError(f"{game.name} deals {game.hole_cards} cards to each; a toy game deals one")
        self.game = game
        self.tree = BettingTree.of(game)
        self.cards = list(game.deck)
        """The deck, in the numbering of `railbird.cards`."""

    def board_count(self, street: int) -> int:
        return len(self.cards) if self.game.board_seen(street) else 1

    @property
    def deals(self) -> int:
        """How many ways there are to deal both private cards and the board."""
        size = len(self.cards)
        return size * (size - 1) * (size - 2 if sum(self.game.board_cards) else 1)

    def live(self, street: int) -> Array:
        """1 where a private card can go with a board, otherwise 0."""
        size = len(self.cards)
        return 1.0 - np.eye(size) if self.board_count(street) > 1 else np.ones((1, size))

    def end_value(self, node: int, player: int, reach: Array) -> Array:
        """What `player` wins at an end of the hand with each card, against the opponent's chances `reach`."""
        tree = self.tree
        if tree.kind[node] == FOLDED:
            folder = int(tree.actor[node])
            lost = int(tree.committed[node, folder])
            chips = -lost if folder == player else lost
            met = reach.sum(axis=1, keepdims=True) - reach
            street = int(tree.street[node])
            return np.asarray(chips * met * self.live(street) * self._boards_to_come(street))
        chips = int(tree.committed[node, 0])
        return np.asarray(chips * np.einsum("bij,bj->bi", self._wins, reach))

    def _boards_to_come(self, street: int) -> int:
        """How many boards could still be dealt, which a hand that ends before stands for."""
        is_to_come = self.board_count(self.game.streets - 1) > self.board_count(street)
        return len(self.cards) - 2 if is_to_come else 1

    @cached_property
    def _wins(self) -> Array:
        """[board, own card, opponent's card]: 1 for a win, -1 for a loss, 0 for a tie or an impossible deal."""
        boards = [(card,) for card in self.cards] if sum(self.game.board_cards) else [()]
        ranks = np.array([[showdown_rank(self.game, (card,), board) for card in self.cards] for board in boards])
        live = self.live(self.game.streets - 1)
        possible = live[:, :, None] * live[:, None, :] * (1.0 - np.eye(len(self.cards)))
        return np.asarray(np.sign(ranks[:, :, None] - ranks[:, None, :]) * possible)
