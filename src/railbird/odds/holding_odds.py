"""All that can be said of one holding against one range: strength, potential, equity and outs, gathered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.cards import cards_text, check_distinct, class_text, parse_board, parse_cards, parse_holding
from railbird.errors import InvalidRangeError
from railbird.odds.equity import Equity, equity
from railbird.odds.outs import Outs, outs
from railbird.odds.potential import HandPotential, hand_potential
from railbird.odds.ranges import grid_cells, parse_range, preflop_order
from railbird.odds.ranks import rank_cards
from railbird.odds.weights import WeightArray


@dataclass(frozen=True)
class Odds:
    """One holding on a board of 0, 3, 4 or 5 cards against a range. Everything is exact and worked out when asked for.

    >>> odds = Odds.parse("AdQc", "3h4cJh", "QQ+, AKs")
    >>> odds.opponents, round(odds.equities[0].share, 4), [round(one.ppot, 3) for one in odds.potentials]
    (15.0, 0.1187, [0.052, 0.119])
    """

    holding: str
    board: str
    versus: str

    @classmethod
    def parse(cls, holding: str, board: str = "", versus: str = "any") -> Odds:
        """Read a holding, a board and a range, and refuse those that cannot be dealt together."""
        cards, dealt = parse_cards(holding, count=2), parse_board(board)
        check_distinct(cards, dealt)
        found = cls(cards_text(cards), cards_text(dealt), versus)
        if not found.opponents > 0:
            place = f"{found.holding} on {found.board}" if dealt else found.holding
            raise InvalidRangeError(f"no holding of the range {versus!r} can be dealt beside {place}")
        return found

    @cached_property
    def weights(self) -> WeightArray:
        return WeightArray.parse(self.versus)

    @property
    def opponents(self) -> float:
        """The weight of the range's holdings that can be dealt: their number, where no weights are written."""
        return self.weights.without(self.holding + self.board).total

    @property
    def class_name(self) -> str:
        """The class of the holding before the flop."""
        return class_text(parse_holding(self.holding))

    @property
    def class_place(self) -> int:
        """The place, 1 to 169, of that class by equity against a random holding."""
        return preflop_order().index(self.class_name) + 1

    @property
    def rank(self) -> int | None:
        """The rank of the holding with the board; none before the flop."""
        return rank_cards(parse_cards(self.holding + self.board)) if self.board else None

    @cached_property
    def potentials(self) -> tuple[HandPotential, ...]:
        """The potential with one card to come, and on the flop with two."""
        return tuple(
            hand_potential(self.holding, self.board, cards_to_come, self.weights)
            for cards_to_come in ((1, 2) if len(self.board) == 6 else (1,) if len(self.board) == 8 else ())
        )

    @cached_property
    def equities(self) -> tuple[Equity, ...]:
        """The equity of the holding and of the range once the board is complete."""
        return equity([self.holding, parse_range(self.versus)], self.board)

    @property
    def standing(self) -> tuple[float, float, float] | None:
        """The probabilities to be ahead, tied and behind now; none before the flop."""
        if self.potentials:
            ahead, tied, behind = self.potentials[0].transitions.sum(axis=1).tolist()
            total = ahead + tied + behind
            return ahead / total, tied / total, behind / total
        if self.board:
            own, other = self.equities
            return own.win, own.tie, other.win
        return None

    @cached_property
    def outs(self) -> Outs | None:
        """The outs and threats on a flop or turn."""
        return outs(self.holding, self.board, self.weights) if self.potentials else None

    @cached_property
    def equity_grid(self) -> NDArray[np.float64]:
        """The equity against each class of holdings in the range, laid out as `grid` does; nan where there is none."""
        live = self.weights.without(self.holding + self.board).values
        cells = np.full(169, np.nan)
        for cell in range(169):
            weights = np.where(grid_cells() == cell, live, 0.0)
            if weights.any():
                cells[cell] = equity([self.holding, weights], self.board)[0].share
        return cells.reshape(13, 13)
