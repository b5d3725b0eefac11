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
from railbird.assess.tables import MOST_PREFLOP, PREFLOP_SEQUELS, DivatTables, divat_tables
from railbird.cards import check_distinct, parse_board, parse_cards
from railbird.errors import AssessmentError
from railbird.game.spec import limit_holdem
from railbird.kernels.divat.boards import CLASS_MASK, all_boards, flop_number, holding_number, moved_card
from railbird.kernels.divat.codes import MOST_BETS_IN
from railbird.kernels.divat.streets import value_pots
from railbird.kernels.divat.two_holdings import roll_out_preflop
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
        wins = int(tables.preflop[(*preflop_place(tables, hands), -1)])
        return preflop_rollout_of(tables, outcomes, hands, bets_in), bets_in * wins / PREFLOP_SEQUELS
    street, dealt = len(cards) - 2, np.zeros(5, np.int64)
    packed = all_boards().flops[flop_number.py_func(*sorted(cards[:3]))]
    dealt[: len(cards)] = moved_card.py_func(packed, np.array(cards))
    flop, hands, last = packed & CLASS_MASK, moved_card.py_func(packed, hands), np.array([street])
    values, edges = np.zeros((1, 4, 3)), np.zeros((1, 4))
    pots = np.zeros((1, 4, 3), np.int64)
    pots[0, street, 0] = bets_in
    value_pots(tables.baseline(outcomes), np.array([flop]), hands[None], dealt[None], last, pots, values, edges)
    sequels = 1980 if street == 1 else 44
    return float(values[0, street, 0]), bets_in * round(edges[0, street] * sequels) / sequels


def preflop_rollout_of(tables: DivatTables, outcomes: Outcomes, hands: NDArray[np.integer], bets_in: int) -> float:
    """The rollout equity of four hole cards before the flop, whatever the pot."""
    row, other = preflop_place(tables, hands)
    if bets_in <= MOST_PREFLOP:
        return float(tables.preflop[row, other, bets_in - 1] / PREFLOP_SEQUELS)
    key = (int(row), int(other), bets_in)
    if key not in tables.large_pots:
        sums = roll_out_preflop(tables.preflop_baseline(outcomes), hands.astype(np.int64), bets_in)
        tables.large_pots[key] = float(sums) / PREFLOP_SEQUELS
    return tables.large_pots[key]


def preflop_place(tables: DivatTables, hands: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the table before the flop has two holdings, four cards: all that differ only in the names of suits share
    it. Takes one pair or an array of pairs."""
    cards = [hands[..., i].astype(np.int64) for i in range(4)]
    own = holding_number.py_func(cards[0], cards[1])
    suits = tables.preflop_suits[own] << 18
    other = holding_number.py_func(moved_card.py_func(suits, cards[2]), moved_card.py_func(suits, cards[3]))
    return tables.preflop_rows[own], other
