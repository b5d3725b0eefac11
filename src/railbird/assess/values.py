"""What a position is worth when both hands are known: all-in equity and DIVAT's rollout equity (Kan 2007, section 3.2).

Both are what the first player (the one who acts first after the flop) wins on average from here on, in small bets, when
each player has put in `bets_in` small bets so far. With all-in equity no more bets are made; in a rollout both play
DIVAT's baseline over every way to finish the board.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import Outcomes, baseline_outcomes
from railbird.assess.settings import STANDARD, Settings
from railbird.assess.tables import PREFLOP_SEQUELS, DivatTables, divat_tables
from railbird.cards import check_distinct, holding_index, parse_board, parse_cards
from railbird.errors import AssessmentError
from railbird.game.spec import limit_holdem
from railbird.kernels.cards.isomorphism import isomorphism_table
from railbird.kernels.cards.ranking import CARD_KEYS, EMPTY_KEY
from railbird.kernels.divat import streets as divat_hands
from railbird.kernels.divat import two_holdings as divat_values
from railbird.kernels.divat.codes import CLASS_MASK, MOST_BETS_IN, moved_holding, packed_class
from railbird.odds.ranks import rank_cards


def rollout_equity(first: str, second: str, board: str = "", bets_in: int = 1, settings: Settings = STANDARD) -> float:
    """The rollout equity after the betting of a street.

    >>> round(rollout_equity("Ts6s", "Jd5d"), 8)
    -0.26840053
    >>> round(rollout_equity("Ts6s", "Jd5d", "Td5hTh", bets_in=3), 8)
    7.82222222
    """
    return _equities(first, second, board, bets_in, settings)[0]


def all_in_equity(first: str, second: str, board: str = "", bets_in: int = 1) -> float:
    """The all-in equity after the betting of a street.

    >>> round(all_in_equity("Ts6s", "Jd5d"), 6), round(all_in_equity("Ts6s", "Jd5d", "Td5hTh", bets_in=3), 6)
    (-0.148735, 2.757576)
    """
    return _equities(first, second, board, bets_in, STANDARD)[1]


def _equities(first: str, second: str, board: str, bets_in: int, settings: Settings) -> tuple[float, float]:
    """Rollout and all-in equity."""
    holes, cards = (parse_cards(first, count=2), parse_cards(second, count=2)), parse_board(board)
    check_distinct(*holes, cards)
    if not 1 <= bets_in <= MOST_BETS_IN:
        raise AssessmentError(f"{bets_in} small bets in from each player; DIVAT knows 1 to {MOST_BETS_IN}")
    hands = np.array([*holes[0], *holes[1]])
    if len(cards) == 5:
        ranks = [rank_cards((*hole, *cards)) for hole in holes]
        won = float(np.sign(ranks[0] - ranks[1])) * bets_in
        return won, won
    tables, outcomes = divat_tables(settings), baseline_outcomes(limit_holdem())
    if not cards:
        edge = divat_hands.preflop_value(tables.preflop, tables.preflop_rows, tables.preflop_suits, hands, 4)
        return preflop_rollout_of(tables, outcomes, hands, bets_in), bets_in * float(edge) / PREFLOP_SEQUELS
    permutation = np.empty(4, np.int64)
    flop = int(packed_class(isomorphism_table(), np.array(cards), 3, permutation)) & CLASS_MASK
    moved, on_board = ([card & ~3 | int(permutation[card & 3]) for card in part] for part in (hands.tolist(), cards))
    dead = np.zeros(52, np.bool_)
    dead[moved + on_board] = True
    key = EMPTY_KEY + CARD_KEYS[on_board].sum()
    deal = divat_values.Deal(np.array(moved), dead, flop, key)
    baseline, sums, bets = tables.baseline(outcomes), np.empty(1, np.int64), np.array([bets_in])
    if len(cards) == 3:
        wins = divat_values.roll_out_flop(baseline, tables.futures, deal, bets, sums)
        return float(sums[0]) / 1980, bets_in * float(wins) / 1980
    wins = divat_values.roll_out_turn(baseline, tables.futures, deal, on_board[3], bets, sums)
    return float(sums[0]) / 44, bets_in * float(wins) / 44


def preflop_rollout_of(tables: DivatTables, outcomes: Outcomes, hands: NDArray[np.integer], bets_in: int) -> float:
    """The rollout equity of four hole cards before the flop, whatever the pot."""
    hands = hands.astype(np.int64)
    if bets_in <= divat_hands.MOST_PREFLOP:
        sums = divat_hands.preflop_value(tables.preflop, tables.preflop_rows, tables.preflop_suits, hands, bets_in - 1)
        return float(sums) / PREFLOP_SEQUELS
    key = (*same_pair(tables, hands), bets_in)
    if key not in tables.large_pots:
        sums = divat_values.roll_out_preflop(tables.baseline(outcomes), tables.futures, hands, bets_in)
        tables.large_pots[key] = float(sums) / PREFLOP_SEQUELS
    return tables.large_pots[key]


def same_pair(tables: DivatTables, hands: NDArray[np.integer]) -> tuple[int, int]:
    """Where the table before the flop has a pair of holdings: all that differ only in the names of suits share it."""
    first, second, third, fourth = (int(card) for card in hands)
    own = holding_index(first, second)
    return int(tables.preflop_rows[own]), int(moved_holding(tables.preflop_suits[own] << 18, third, fourth))
