"""What DIVAT's baseline makes of every holding on every board, up to suit isomorphism (Kan 2007, section 3.1).

A *code* is one byte for a holding on a board: `level | folds_upto << 3`. The level 0-4 is how many bets the holding is
worth; a holding of level 0 folds to a bet when each player has put in at most `folds_upto` small bets before the street
(the smaller the pot, the more is folded) and else calls. `BLOCKED` stands for a holding that shares a card with the
board.

Hand ranks are kept as whole numbers: twice the opponents beaten plus those tied with, over all runouts. Thresholds come
as the smallest whole numbers that reach them (`Needs`), so that every comparison is exact:

    current[0-3]  the immediate hand rank that is worth 1-4 bets       current[4]  the first above the make-1 threshold
    final[0-3]    the seven-card hand rank that is worth 1-4 bets      final[4]    the first above the make-1 threshold
    effective[0]  the mixed rank that is worth one bet                 effective[k] the mixed rank that does not fold
                                                                       where k small bets are in

The mixed rank, of holdings that neither rank calls a bet, is on the flop (immediate + seven-card) in the unit of their
common denominator, elsewhere the seven-card rank. On the river all three are the same.

`cut` tables hold for each river board where the ranks of the evaluator settle a question without looking up the code.
All holdings of at least `upper` pass, all below `lower` fail; because of card removal the two cannot be one number, and
between them the code decides. Cuts 0-3 are the levels 1-4, cut 3 + k is "does not fold where k small bets are in".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.isomorphism import board_index_and_permutation, representative
from railbird.kernels.cards.ranking import EMPTY_KEY, Ranking, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.odds.runouts import score_runouts
from railbird.kernels.odds.sweep import score_holdings

BLOCKED = 255
CLASS_MASK = (1 << 18) - 1
"""The bits of a packed class that are the class."""
MOST_BETS_IN = 31
"""Codes know whether a holding folds for up to this many small bets of each player in the pot."""
CUT_BETS_IN = 16
CUTS = 4 + CUT_BETS_IN
FLOP_RUNOUT_OPPONENTS = 990
"""The denominator of the seven-card rank on the flop is so many times that of the immediate rank."""


class Needs(NamedTuple):
    """The thresholds of one street."""

    current: np.ndarray
    final: np.ndarray
    effective: np.ndarray


class StreetCodes(NamedTuple):
    """[class of boards, holding] codes by street."""

    flop: np.ndarray
    turn: np.ndarray
    river: np.ndarray


class Baseline(NamedTuple):
    """What it takes to play the baseline on any board."""

    ranking: Ranking
    isomorphisms: np.ndarray
    codes: StreetCodes
    outcomes: np.ndarray
    """How a street after the flop ends; see `two_holdings`."""


class Futures(NamedTuple):
    """The boards that follow each class of flop (`tabulate_futures`), and the cuts of river boards."""

    turns: np.ndarray
    rivers: np.ndarray
    cuts: np.ndarray


@kernel
def code_of(current_score, final_score, street, needs):
    """The code of a holding with these hand ranks on the flop (1), turn (2) or river (3)."""
    if current_score >= needs.current[4] or final_score >= needs.final[4]:
        level = 1
        while level < 4 and (current_score >= needs.current[level] or final_score >= needs.final[level]):
            level += 1
        return level
    mixed = current_score * FLOP_RUNOUT_OPPONENTS + final_score if street == 1 else final_score
    if mixed >= needs.effective[0]:
        return 1
    upto = 0
    while upto < MOST_BETS_IN and mixed < needs.effective[upto + 1]:
        upto += 1
    return upto << 3


@kernel(nogil=True)
def tabulate_codes(ranking, isomorphisms, board_cards, start, needs, rows):
    """Fill `rows` (uint8) with the codes on the representatives of the board classes from `start` on."""
    cards = np.empty(board_cards, np.int64)
    board = np.empty(board_cards, np.uint8)
    uniform = np.ones(1326)
    now, later, opponents = np.empty(1326), np.empty(1326), np.empty(1326)
    dealt = np.zeros(52, np.bool_)
    for row in range(len(rows)):
        representative(isomorphisms, False, board_cards, start + row, cards)
        dealt[:] = False
        for i in range(board_cards):
            board[i] = cards[i]
            dealt[cards[i]] = True
        score_holdings(ranking.table, ranking.rank_keys, board, uniform, now, opponents)
        if board_cards < 5:
            score_runouts(ranking.table, ranking.rank_keys, board, 5 - board_cards, uniform, later)
        holding = 0
        for high in range(52):
            for low in range(high):
                code = np.int64(BLOCKED)
                if not (dealt[high] or dealt[low]):
                    final_score = np.int64(later[holding] if board_cards < 5 else now[holding])
                    code = code_of(np.int64(now[holding]), final_score, board_cards - 2, needs)
                rows[row, holding] = code
                holding += 1


@kernel(nogil=True)
def tabulate_cuts(table, card_keys, isomorphisms, start, codes, cuts):
    """Fill `cuts[row, cut]` (uint16, lower and upper) for the river classes from `start` on, whose codes are given."""
    cards = np.empty(5, np.int64)
    for row in range(len(codes)):
        representative(isomorphisms, False, 5, start + row, cards)
        board_key = EMPTY_KEY
        for card in cards:
            board_key += card_keys[card]
        for cut in range(CUTS):
            cuts[row, cut, 0] = 65535
            cuts[row, cut, 1] = 0
        holding = 0
        for high in range(52):
            high_key = board_key + card_keys[high]
            for low in range(high):
                code = np.int64(codes[row, holding])
                holding += 1
                if code == BLOCKED:
                    continue
                rank = np.int64(rank_of_key(table, high_key + card_keys[low]))
                level = code & 7
                passes = CUT_BETS_IN - min(code >> 3, CUT_BETS_IN)  # fold questions it passes, those of larger pots
                for cut in range(CUTS):
                    ok = level > cut if cut < 4 else cut >= CUTS - passes
                    if ok:
                        cuts[row, cut, 0] = min(np.int64(cuts[row, cut, 0]), rank)
                    else:
                        cuts[row, cut, 1] = max(np.int64(cuts[row, cut, 1]), rank + 1)


@kernel
def packed_class(isomorphisms, board, board_cards, permutation):
    """The class of a board and the way there: `class | suits << 18`, two bits for each suit's new suit."""
    index = board_index_and_permutation(isomorphisms, board, board_cards, permutation)
    suits = permutation[0] | permutation[1] << 2 | permutation[2] << 4 | permutation[3] << 6
    return index | suits << 18


@kernel
def moved_holding(packed, first, second):
    """The number of a holding on the representative of a board, from the way there that `packed_class` gave."""
    suits = packed >> 18
    first = (first & ~3) | (suits >> (2 * (first & 3)) & 3)
    second = (second & ~3) | (suits >> (2 * (second & 3)) & 3)
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low


@kernel(nogil=True)
def tabulate_futures(isomorphisms, turns, rivers):
    """For each class of flop, the packed class of the board with each turn card, and with each turn and river card.

    `turns[flop, card]` and `rivers[flop, pair of cards]` (uint32); pairs are numbered like holdings.
    """
    cards = np.empty(3, np.int64)
    board = np.empty(5, np.int64)
    permutation = np.empty(4, np.int64)
    for flop in range(len(turns)):
        representative(isomorphisms, False, 3, flop, cards)
        for i in range(3):
            board[i] = cards[i]
        for high in range(52):
            if high == cards[0] or high == cards[1] or high == cards[2]:
                continue
            board[3] = high
            turns[flop, high] = packed_class(isomorphisms, board, 4, permutation)
            for low in range(high):
                if low == cards[0] or low == cards[1] or low == cards[2]:
                    continue
                board[4] = low
                rivers[flop, high * (high - 1) // 2 + low] = packed_class(isomorphisms, board, 5, permutation)
