"""What DIVAT's baseline makes of every holding on every board (Kan 2007, section 3.1).

A *code* is one byte for a holding on a board: `level | folds_upto << 3`. The level 0-4 is how many bets the holding is
worth; a holding of level 0 folds to a bet when each player has put in at most `folds_upto` small bets before the street
(the smaller the pot, the more is folded) and else calls. Where the codes of a board lie is said in `boards`; `BLOCKED`
stands in places that no holding has.

Hand ranks are kept as whole numbers: twice the opponents beaten plus those tied with, over all runouts. Thresholds come
as the smallest whole numbers that reach them (`Needs`), so that every comparison is exact:

    current[0-3]  the immediate hand rank that is worth 1-4 bets       current[4]  the first above the make-1 threshold
    final[0-3]    the seven-card hand rank that is worth 1-4 bets      final[4]    the first above the make-1 threshold
    effective[0]  the mixed rank that is worth one bet                 effective[k] the mixed rank that does not fold
                                                                       where k small bets are in

The mixed rank, of holdings that neither rank calls a bet, is on the flop (immediate + seven-card) in the unit of their
common denominator (`share`), elsewhere the seven-card rank. On the river all three are the same. Where the seven-card
rank alone is to decide, no immediate rank is enough (`NEVER`) and none is mixed in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.divat.boards import place
from railbird.kernels.odds.runouts import score_runouts
from railbird.kernels.odds.sweep import score_holdings

BLOCKED = 255
MOST_BETS_IN = 31
"""Codes know whether a holding folds for up to this many small bets of each player in the pot."""
FLOP_RUNOUT_OPPONENTS = 990
"""The denominator of the seven-card rank on the flop is so many times that of the immediate rank."""
NEVER = 1 << 62
"""A threshold that no hand rank reaches."""


class Needs(NamedTuple):
    """The thresholds of one street."""

    current: np.ndarray
    final: np.ndarray
    effective: np.ndarray
    share: int
    """How often the immediate rank counts in the mixed rank: `FLOP_RUNOUT_OPPONENTS` times on the flop, else never."""


@kernel
def code_of(current_score, final_score, needs):
    """The code of a holding with these hand ranks."""
    if current_score >= needs.current[4] or final_score >= needs.final[4]:
        level = 1
        while level < 4 and (current_score >= needs.current[level] or final_score >= needs.final[level]):
            level += 1
        return level
    mixed = current_score * needs.share + final_score
    if mixed >= needs.effective[0]:
        return 1
    upto = 0
    while upto < MOST_BETS_IN and mixed < needs.effective[upto + 1]:
        upto += 1
    return upto << 3


@kernel(nogil=True)
def tabulate_codes(table, rank_keys, boards, rows, needs, codes):
    """Fill `codes` (uint8) with those of `boards` (uint8, a line each) in their rows."""
    board_cards = boards.shape[1]
    uniform = np.ones(1326)
    now, later, opponents = np.empty(1326), np.empty(1326), np.empty(1326)
    dealt = np.empty(52, np.bool_)
    for n in range(len(boards)):
        for card in range(52):
            dealt[card] = False
        for i in range(board_cards):
            dealt[boards[n, i]] = True
        score_holdings(table, rank_keys, boards[n], uniform, now, opponents)
        if board_cards < 5:
            score_runouts(table, rank_keys, boards[n], 5 - board_cards, uniform, later)
        row, holding = np.int64(rows[n]), 0
        for high in range(52):
            for low in range(high):
                if not (dealt[high] or dealt[low]):
                    final_score = np.int64(later[holding] if board_cards < 5 else now[holding])
                    code = code_of(np.int64(now[holding]), final_score, needs)
                    codes[place(row, high, low)] = code
                holding += 1
