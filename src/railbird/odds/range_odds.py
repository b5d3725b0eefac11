"""A range against a range: the equity of each side, and of every holding of it.

Everything is exact where that takes less than a twentieth of a second: on every board, and before the flop for ranges
that name whole classes, or few holdings. Other ranges before the flop meet on boards drawn by chance, every holding
with every other on each of them, and the answer says how far off it may be.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, RANKS, cards_text, parse_board, parse_cards
from railbird.errors import InvalidRangeError
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.all_in import weigh_on_board
from railbird.odds.class_meetings import CLASSES, holding_cards, meetings
from railbird.odds.equity import Equity, weighed
from railbird.odds.ranges import grid_cells, parse_range
from railbird.results.parts import Grid, Heading, Line, Part, Table, share_bar
from railbird.results.result import Result
from railbird.statistics import Estimate

Array = NDArray[np.float64]
_MOST_PAIRS = 3_000
"""Pairs of holdings before the flop that are weighed exactly, if they are not whole classes."""
_BATCHES, _BOARDS = 20, 60
"""Boards that are drawn otherwise: so many batches of so many, whose means tell how far off the mean may be."""


@dataclass(frozen=True, repr=False)
class RangeOdds(Result):
    """Two ranges all-in on a board of 0, 3, 4 or 5 cards. Pairs of holdings count by the product of their weights.

    >>> odds = RangeOdds.parse("QQ+, AKs", "22+, A2s+", "3h4cJh")
    >>> [round(side.share, 4) for side in odds.equities], odds.margin
    ([0.6665, 0.3335], None)
    """

    own: str
    versus: str
    board: str = ""
    seed: int = 0
    """Of the boards, where they are drawn by chance."""

    @classmethod
    def parse(cls, own: str, versus: str = "any", board: str = "", seed: int = 0) -> RangeOdds:
        """Read two ranges and a board, and refuse those that cannot be dealt together."""
        found = cls(own, versus, cards_text(parse_board(board)), seed)
        if not found.sums[0][2] @ found.weights[0] > 0:
            place = f" on {found.board}" if found.board else ""
            raise InvalidRangeError(f"no holdings of {own!r} and {versus!r} can be dealt together{place}")
        return found

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """The weights of both ranges; holdings with a card of the board have none."""
        dealt = parse_cards(self.board)
        live = ~np.isin(holding_cards(), dealt).any(axis=1)
        own, versus = parse_range(self.own), parse_range(self.versus)
        return own * live, versus * live

    @cached_property
    def sums(self) -> tuple[Array, Array]:
        """For each side, by holding, what it beats, ties and meets of the other side, over all boards that count."""
        return self._found[0]

    @property
    def margin(self) -> float | None:
        """How far the equities may be off, with 95% confidence; none where they are exact."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[tuple[Array, Array], float | None]:
        own, versus = self.weights
        board = parse_cards(self.board)
        if not board and _are_classes(own) and _are_classes(versus):
            return (_by_class(own, versus), _by_class(versus, own)), None
        if board or np.count_nonzero(own) * np.count_nonzero(versus) <= _MOST_PAIRS:
            return (weighed(own, versus, board), weighed(versus, own, board)), None
        return _sampled(own, versus, self.seed)

    @property
    def equities(self) -> tuple[Equity, Equity]:
        """What each range takes of the pot."""
        wins, ties, total = (float(self.weights[0] @ row) for row in self.sums[0])
        losses = total - wins - ties
        return Equity(wins, ties, total, wins + ties / 2), Equity(losses, ties, total, losses + ties / 2)

    def holdings(self, side: int) -> Array:
        """The equity of each holding of a side, 0 your own; nan for those that it does not have or that meet none."""
        beaten, tied, met = self.sums[side]
        is_met = (met > 0) & (self.weights[side] > 0)
        return np.asarray(np.divide(beaten + tied / 2, met, out=np.full(HOLDING_COUNT, np.nan), where=is_met))

    def grid(self, side: int) -> Array:
        """The equity of each class of a side, laid out as `ranges.grid` does; its holdings count as often as they meet
        the other side."""
        cells, held = grid_cells(), self.weights[side]
        beaten, tied, met = (np.bincount(cells, held * row, minlength=CLASSES) for row in self.sums[side])
        shares = np.divide(beaten + tied / 2, met, out=np.full(CLASSES, np.nan), where=met > 0)
        return np.asarray(shares).reshape(13, 13)

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.range_odds/1."""
        sides = [
            {"range": name, "holdings": float(weights.sum()), "share": one.share, "win": one.win, "tie": one.tie}
            for name, weights, one in zip((self.own, self.versus), self.weights, self.equities)
        ]
        return {"schema": "railbird.range_odds/1", "board": self.board, "margin95": self.margin, "sides": sides}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each side."""
        return list(self.to_json()["sides"])

    def parts(self) -> list[Part]:
        board = f"on {cards_text(parse_cards(self.board), pretty=True)}" if self.board else "before the flop"
        table = [
            (name, f"{one.share:.1%}", share_bar(one.share), f"wins {one.win:.1%}, ties {one.tie:.1%}")
            for name, one in zip((self.own, self.versus), self.equities)
        ]
        found: list[Part] = [Heading(f"{self.own} versus {self.versus} {board}"), Line(self.how, indent=0)]
        found += [Line("", indent=0), Table(table, left=(2, 3), folded=(0, 3), bold=(0,), indent=0)]
        for side, name in enumerate((self.own, self.versus)):
            caption = "suited above the diagonal, offsuit below; . absent"
            title = f"equity of each class of {name}, %"
            found += [Line("", indent=0), Grid(self.grid(side).tolist(), RANKS[::-1], title, caption)]
        return found

    @property
    def how(self) -> str:
        """How the numbers were found."""
        if self.margin is None:
            return "exact: every pair of holdings on every board"
        return f"sampled: every pair of holdings on {_BATCHES * _BOARDS:,} boards; ± {self.margin:.1%} (95%)"


def range_odds(own: str, versus: str = "any", board: str = "", seed: int = 0) -> RangeOdds:
    """How two ranges fare against each other when all-in, and each of their holdings.

    >>> [round(side.share, 4) for side in range_odds("AA", "KK").equities]
    [0.8195, 0.1805]
    """
    return RangeOdds.parse(own, versus, board, seed)


def _are_classes(weights: Array) -> bool:
    """Whether all holdings of a class have the same weight."""
    means = np.bincount(grid_cells(), weights) / np.bincount(grid_cells())
    return bool((weights == means[grid_cells()]).all())


def _by_class(own: Array, versus: Array) -> Array:
    """What each holding beats, ties and meets, if whole classes meet: as much as any other holding of its class."""
    cells, table = grid_cells(), meetings()
    sizes = np.bincount(cells, minlength=CLASSES)
    level = np.bincount(cells, versus, minlength=CLASSES) / sizes
    rows = np.stack([(each @ level) / sizes for each in table])
    return np.asarray(np.where(own > 0, rows[:, cells], 0.0))


def _sampled(own: Array, versus: Array, seed: int) -> tuple[tuple[Array, Array], float]:
    """The sums over boards drawn by chance, and how far off the equity may be."""
    drawn = np.random.default_rng(seed)
    both = np.zeros((2, 3, HOLDING_COUNT))
    shares = np.empty(_BATCHES)
    for batch in range(_BATCHES):
        boards = drawn.permuted(np.tile(np.arange(CARD_COUNT, dtype=np.uint8), (_BOARDS, 1)), axis=1)[:, :5]
        part = np.zeros((2, 3, HOLDING_COUNT))
        for side, (mine, theirs) in enumerate(((own, versus), (versus, own))):
            none = np.empty(0, np.uint8)
            weigh_on_board(TABLE, CARD_KEYS, np.ascontiguousarray(boards), none, mine, theirs, part[side])
        wins, ties, met = part[0] @ own
        shares[batch] = (wins + ties / 2) / met
        both += part
    return (both[0], both[1]), Estimate.of(shares).margin
