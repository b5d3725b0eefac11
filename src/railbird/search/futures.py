"""The cards to come, as the search sees them: how each may change the hand rank at the end, and how likely that is.

All that matters of a finished board is the rank that the player's holding has on it, the share of 990 holdings that it
beats. From the flop on every board that can follow is there: 1,081 after a flop, 46 after a turn. Each unseen card is
equally likely; the paper makes the same assumption and says that it is not quite right (section 4.4).

Before the flop there are 2,118,760 boards. Here stand `FLOPS` sampled flops with `TURNS` sampled turn cards each and
every river card, the same for all holdings; those that the holding's own cards rule out are left out, and hand ranks
are moved to the nearest of a grid in steps of 1/40, between two by shares of both. Holdings that differ only by suits
are played alike. benchmarks/vexbot.py measures what this costs against all boards. The hand ranks on the sampled boards
ship as a packed file of 0.6 MB, which is unpacked in memory; `railbird build futures` computes it.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, class_text, holding_cards, holding_index
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.odds import sweep as strength
from railbird.kernels.search.tree_values import score_runouts
from railbird.modeling.context_tree import CELLS
from railbird.odds.income_rates import class_income_rates
from railbird.randomness import Stream

Array = NDArray[np.float64]

FLOPS, TURNS = 80, 6
GRID = 2 * CELLS
"""Steps of the grid of hand ranks before the flop."""
MOST_SCORE = 1980
"""Twice the number of holdings that an opponent can have on a finished board."""
PACKED_NAME = "futures.xz"
_DEAD = 0xFFFF


@dataclass(frozen=True)
class Future:
    """What may come after the cards seen so far. The arrays are read-only."""

    hand_ranks: Array
    """The hand ranks that the holding may end with: the columns of the river."""
    steps: tuple[Array, ...]
    """From the river back to the street at hand: by column of the later street and of the earlier, the chance of
    coming from the second to the first. The street at hand has one column. Empty on the river."""

    def distribution(self) -> Array:
        """The chances of the hand ranks."""
        chances = np.ones((1, 1))
        for step in reversed(self.steps):
            chances = step @ chances
        return np.asarray(chances[:, 0])


def future(hole_cards: tuple[int, int], board: tuple[int, ...]) -> Future:
    """What may come for a holding on a board of no, three, four or five cards.

    >>> from railbird.cards import parse_cards
    >>> found = future(parse_cards("AdQc"), parse_cards("3h4cJh"))
    >>> [step.shape[1] for step in found.steps], round(float(found.distribution() @ found.hand_ranks), 3)
    ([47, 1], 0.511)
    """
    first, second = sorted(hole_cards, reverse=True)
    if not board:
        return _before_flop(class_text(holding_index(first, second)))
    return _after_flop((first, second), board)


@lru_cache(maxsize=16)
def _flop_scores(hole_cards: tuple[int, int], flop: tuple[int, ...]) -> NDArray[np.int32]:
    """By turn and river card: twice the holdings beaten plus those tied with."""
    scores = np.zeros((52, 52), np.int32)
    score_runouts(TABLE, CARD_KEYS, *hole_cards, np.array(flop, np.uint8), scores)
    return scores


@lru_cache(maxsize=16)
def _after_flop(hole_cards: tuple[int, int], board: tuple[int, ...]) -> Future:
    scores = _flop_scores(hole_cards, board[:3])
    if len(board) == 5:
        return Future(np.array([scores[board[3], board[4]] / MOST_SCORE]), ())
    live = np.array([card for card in range(52) if card not in hole_cards + board])
    if len(board) == 4:
        found, where = np.unique(scores[board[3], live], return_inverse=True)
        return Future(found / MOST_SCORE, (np.bincount(where)[:, None] / len(live),))
    found, where = np.unique(scores[np.ix_(live, live)], return_inverse=True)
    where = where.reshape(len(live), len(live))
    rivers = np.zeros((len(found), len(live)))
    for column in range(len(live)):
        others = np.delete(where[column], column)
        rivers[:, column] = np.bincount(others, minlength=len(found)) / len(others)
    return Future(found / MOST_SCORE, (rivers, np.full((len(live), 1), 1 / len(live))))


@lru_cache(maxsize=169)
def _before_flop(class_name: str) -> Future:
    scores = shipped_scores()[..., _class_names().index(class_name)].reshape(FLOPS * TURNS, 52)
    turns = np.flatnonzero((scores != _DEAD).any(axis=1))
    row, river = np.nonzero(scores[turns] != _DEAD)
    rivers = on_grid(scores[turns[row], river] / MOST_SCORE, row)
    _, flop, sizes = np.unique(turns // TURNS, return_inverse=True, return_counts=True)
    turn_steps = np.zeros((len(turns), len(sizes)))
    turn_steps[np.arange(len(turns)), flop] = 1 / sizes[flop]
    grid = np.arange(GRID + 1) / GRID
    exact = (1 + class_income_rates(2)[class_name] / 1000) / 2
    return Future(grid, (rivers, turn_steps, _fitted(grid @ rivers @ turn_steps, exact)[:, None]))


def _fitted(equities: Array, exact: float) -> Array:
    """Weights of flops under which their equities average to the exact one, as near to equal ones as can be.

    Of all weights with that average, those proportional to exp(tilt * equity) have the least relative entropy.
    """
    centred, tilt = equities - exact, 0.0
    for _ in range(50):
        weights = np.exp(tilt * centred)
        weights /= weights.sum()
        mean = float(weights @ centred)
        if abs(mean) < 1e-12:
            break
        tilt -= mean / float(weights @ (centred - mean) ** 2)
    return np.asarray(weights)


def on_grid(hand_ranks: Array, columns: NDArray[np.int64]) -> Array:
    """By point of the grid and column: the share of the column's hand ranks that goes there, all equally likely.

    The mean of a column is kept.

    >>> on_grid(np.array([0.5, 0.51, 0.5]), np.array([0, 0, 1]))[19:22].round(2).tolist()
    [[0.0, 0.0], [0.8, 1.0], [0.2, 0.0]]
    """
    below = np.minimum(GRID - 1, (hand_ranks * GRID).astype(np.int64))
    above = hand_ranks * GRID - below
    sizes = np.bincount(columns)
    at, cells = below * len(sizes) + columns, (GRID + 1) * len(sizes)
    found = np.bincount(at, 1 - above, cells) + np.bincount(at + len(sizes), above, cells)
    return np.asarray(found.reshape(GRID + 1, len(sizes)) / sizes)


@cache
def _class_names() -> tuple[str, ...]:
    return tuple(dict.fromkeys(class_text(holding) for holding in range(HOLDING_COUNT)))


@cache
def shipped_scores() -> NDArray[np.uint16]:
    """What `sampled_scores` computes, unpacked from the file that ships."""
    content = lzma.decompress((files("railbird.search") / "data" / PACKED_NAME).read_bytes())
    return np.frombuffer(content, "<u2").reshape(FLOPS, TURNS, 52, len(_class_names()))


def packed_scores() -> bytes:
    """The content of that file, computed anew. Classes stand side by side, which packs best."""
    return lzma.compress(sampled_scores().astype("<u2").tobytes(), preset=9 | lzma.PRESET_EXTREME)


def sampled_scores() -> NDArray[np.uint16]:
    """By flop, turn, river and class: the score of the class's first holding; `_DEAD` where a card of it is dealt."""
    representatives = np.unique([class_text(holding) for holding in range(HOLDING_COUNT)], return_index=True)
    first = dict(zip(representatives[0].tolist(), representatives[1].tolist()))
    chosen = np.array([first[name] for name in _class_names()])
    scores = np.full((FLOPS, TURNS, 52, len(chosen)), _DEAD, np.uint16)
    holds = np.array([holding_cards(holding) for holding in chosen])
    ones, ranks = np.ones(HOLDING_COUNT), np.empty(HOLDING_COUNT)
    for flop in range(FLOPS):
        cards = Stream(flop).deal(range(52), 52)
        for at, turn in enumerate(cards[3 : 3 + TURNS]):
            board = [*cards[:3], turn]
            clear = ~np.isin(holds, board).any(axis=1)
            for river in range(52):
                if river not in board:
                    strength.find_strengths(TABLE, RANK_KEYS, np.array([*board, river], np.uint8), ones, ranks)
                    fits = clear & (holds != river).all(axis=1)
                    scores[flop, at, river, fits] = np.rint(ranks[chosen[fits]] * MOST_SCORE)
    return scores
