"""How the streets of played hands end: as they were played, and as the baseline plays them (Kan 2007, Algorithm 2).

The cards and the pot before a street are what happened; the baseline plays this street alone. Beside that it plays the
whole hand, for what it would have won with the same cards (`cash`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import Outcomes
from railbird.assess.class_tables import ClassTables, board_rows, packed_flops_of
from railbird.formats.hand_arrays import FOLD, RAISE, HandArrays
from railbird.kernels.divat.boards import CLASS_MASK, holding_number, moved_card, place
from railbird.kernels.divat.outcomes import SECOND_FOLDS

Numbers = NDArray[np.int64]
BET_SIZES = (1, 1, 2, 2)
"""By street, in small bets."""


class Played(NamedTuple):
    """What happened in n hands; see `HandArrays`."""

    holes: NDArray[np.uint8]
    board: NDArray[np.uint8]
    actions: NDArray[np.uint8]
    action_counts: NDArray[np.uint8]
    last_street: Numbers

    @classmethod
    def of(cls, hands: HandArrays, part: slice) -> Played:
        last = hands.last_street[part].astype(np.int64)
        return cls(hands.holes[part], hands.board[part], hands.actions[part], hands.action_counts[part], last)


@dataclass(frozen=True)
class StreetEnds:
    """The streets of n hands. Amounts are small bets from each player."""

    flops: Numbers
    """[n] the class of the flop."""
    holes: Numbers
    boards: Numbers
    """[n, 4], [n, 5] the cards, renamed so that the flop is the representative of its class."""
    classes: NDArray[np.int8]
    """[n, 4, 2] the baseline's classes of both players, -1 where the hand was over."""
    bets_in: Numbers
    """[n, 4] before each street."""
    pots: Numbers
    """[n, 4, 3] after each street, 0 after a fold: as it was played, as the baseline plays it and, on the last street,
    as the baseline plays the whole hand."""
    folded_for: NDArray[np.float64]
    """[n, 4] the net result where the baseline folds on a street."""
    cash: NDArray[np.float64]
    """[n] the net result where the baseline, playing the whole hand, folds; else nan."""


def street_ends(tables: ClassTables, outcomes: Outcomes, played: Played) -> StreetEnds:
    """What the baseline does on the streets of hands of which all hole cards are known."""
    n, last = len(played.holes), played.last_street
    flops, holes, boards = _renamed(played)
    codes = _codes(tables, last, flops, holes, boards)
    dealt = played.holes.astype(np.int64)
    preflop = tables.preflop_classes[holding_number.py_func(dealt[..., 0], dealt[..., 1])]
    raised = np.cumsum((played.actions == RAISE).sum(axis=2) * BET_SIZES, axis=1)
    bets_in = 1 + np.column_stack([np.zeros(n, np.int64), raised[:, :3]])
    classes, folded_for = np.full((n, 4, 2), -1, np.int8), np.zeros((n, 4))
    pots = np.zeros((n, 4, 3), np.int64)
    pots[..., 0] = np.where((played.actions == FOLD).any(axis=2), 0, 1 + raised)
    cash, cash_in = np.full(n, np.nan), np.ones(n, np.int64)
    for street in range(4):
        on = last >= street
        found = _classes(street, preflop, codes, bets_in[:, street])
        classes[on, street] = found[on]
        pots[:, street, 1], folded_for[:, street] = _played(outcomes, street, found, bets_in[:, street])
        going_on = on & np.isnan(cash)
        after, lost = _played(outcomes, street, _classes(street, preflop, codes, cash_in), cash_in)
        cash_in = np.where(going_on, after, cash_in)
        cash = np.where(going_on & (after == 0), lost, cash)
    at_last = np.arange(4) == last[:, None]
    pots[..., 2] = np.where(at_last & np.isnan(cash)[:, None], cash_in[:, None], 0)
    return StreetEnds(flops, holes, boards, classes, bets_in, pots, folded_for, cash)


def _renamed(played: Played) -> tuple[Numbers, Numbers, Numbers]:
    """The class of each flop, and hole cards and boards as its representative names the suits."""
    flops = np.zeros(len(played.holes), np.int64)
    holes, boards = played.holes.reshape(-1, 4).astype(np.int64), played.board.astype(np.int64)
    dealt = np.flatnonzero(played.last_street > 0)
    packed = packed_flops_of(boards[dealt])
    flops[dealt] = packed & CLASS_MASK
    for cards in (holes, boards):
        cards[dealt] = moved_card.py_func(packed[:, None], cards[dealt])
    return flops, holes, boards


def _codes(tables: ClassTables, last: Numbers, flops: Numbers, holes: Numbers, boards: Numbers) -> Numbers:
    """[n, 4, 2] both players' codes on the streets after the flop; 0 where there are none."""
    codes = np.zeros((len(flops), 4, 2), np.int64)
    for street in (1, 2, 3):
        on = np.flatnonzero(last >= street)
        row = board_rows(street, flops[on], boards[on, 3], boards[on, 4])
        at = place.py_func(row.astype(np.int64)[:, None], holes[on][:, [0, 2]], holes[on][:, [1, 3]])
        codes[on, street] = tables.codes[street - 1][at]
    return codes


def _classes(street: int, preflop: Numbers, codes: Numbers, bets_in: Numbers) -> Numbers:
    """[n, 2] the classes with so many small bets in before the street, 0-5 for F, C, M1-M4."""
    if street == 0:
        return preflop
    level, folds_upto = codes[:, street] & 7, codes[:, street] >> 3
    return np.where(level > 0, level + 1, bets_in[:, None] > folds_upto)


def _played(outcomes: Outcomes, street: int, classes: Numbers, bets_in: Numbers) -> tuple[Numbers, NDArray[np.float64]]:
    """How the baseline ends a street: the small bets in, 0 after a fold, and the net result of a fold."""
    at = 6 * classes[:, 0] + classes[:, 1]
    outcome = (outcomes.later if street else outcomes.preflop)[at].astype(np.int64)
    lost = 1.0 * bets_in if street else outcomes.preflop_lost[at] / 2
    after = bets_in + BET_SIZES[street] * outcome if street else outcome
    return np.where(outcome < 0, 0, after), np.where(outcome == SECOND_FOLDS, lost, -lost)
