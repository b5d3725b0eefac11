"""DIVAT's hand ranks of a holding against a random one: immediate, seven-card and effective (Kan 2007, section 3.1.1).

All are exact fractions. Before the flop, where nothing is made yet, the immediate rank counts any pair above any
other holding, then the higher card, then the lower one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from railbird.assess.settings import STANDARD, Settings
from railbird.cards import (
    HOLDING_COUNT,
    check_distinct,
    class_text,
    holding_cards,
    holding_index,
    parse_board,
    parse_cards,
)
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds.runouts import score_runouts
from railbird.kernels.odds.sweep import score_holdings
from railbird.odds.ranges import preflop_counts

OPPONENTS = (1225, 1081, 1035, 990)
"""By street, the holdings an opponent may have."""
RUNOUTS = (2_118_760, 1_081, 46, 1)
"""By street, the ways to finish the board when only one holding is known."""


@dataclass(frozen=True)
class HandRank:
    """The ranks of a holding on a board."""

    ihr: Fraction
    """Immediate hand rank: the share of opponents' holdings that are beaten now, ties counting half."""
    seven_card: Fraction
    """The same at the river, over all cards to come (7cHR)."""
    street: int

    def ehr(self, settings: Settings = STANDARD) -> Fraction:
        """The effective hand rank: the better of the two where either is worth a bet; else the mean of the two on the
        flop, and the seven-card rank elsewhere."""
        worth_a_bet = settings.bets[self.street][0]
        if self.ihr > worth_a_bet or self.seven_card > worth_a_bet:
            return max(self.ihr, self.seven_card)
        return (self.ihr + self.seven_card) / 2 if self.street == 1 else self.seven_card

    def level(self, settings: Settings = STANDARD) -> int:
        """How many bets the holding is worth on this street, 0 to 4."""
        return sum(self.ehr(settings) >= threshold for threshold in settings.bets[self.street])

    def class_name(self, bets_in: int, settings: Settings = STANDARD) -> str:
        """F, C or M1 to M4, where each player has put in `bets_in` small bets before the street."""
        level = self.level(settings)
        if level:
            return f"M{level}"
        return "F" if self.ehr(settings) < settings.fold_threshold(self.street, bets_in) else "C"


def hand_rank(holding: str, board: str = "") -> HandRank:
    """The hand ranks of a holding, before the flop or on a board.

    >>> rank = hand_rank("AcKc", "Kd9s2h")
    >>> f"{float(rank.ihr):.6f} {float(rank.seven_card):.8f}"  # the thesis prints 0.884692 for the second, a slip
    '0.968548 0.88569226'
    """
    first, second = parse_cards(holding, count=2)
    cards = parse_board(board)
    check_distinct((first, second), cards)
    index = holding_index(first, second)
    if not cards:
        return preflop_ranks()[index]
    street = len(cards) - 2
    dealt = np.array(cards, np.uint8)
    now, opponents, uniform = np.empty(HOLDING_COUNT), np.empty(HOLDING_COUNT), np.ones(HOLDING_COUNT)
    score_holdings(TABLE, RANK_KEYS, dealt, uniform, now, opponents)
    ihr = seven_card = Fraction(int(now[index]), 2 * OPPONENTS[street])
    if street < 3:
        score_runouts(TABLE, RANK_KEYS, dealt, 3 - street, uniform, now)
        seven_card = Fraction(int(now[index]), 2 * 990 * RUNOUTS[street])
    return HandRank(ihr, seven_card, street)


@cache
def preflop_ranks() -> tuple[HandRank, ...]:
    """The hand ranks of all holdings before the flop, by holding number."""
    order = [_preflop_order(holding) for holding in range(HOLDING_COUNT)]
    counts = preflop_counts()
    ranks: dict[str, HandRank] = {}
    for holding in range(HOLDING_COUNT):
        name = class_text(holding)
        if name not in ranks:
            own = set(holding_cards(holding))
            against = [order[other] for other in range(HOLDING_COUNT) if own.isdisjoint(holding_cards(other))]
            score = sum(2 * (order[holding] > other) + (order[holding] == other) for other in against)
            wins, ties, losses = counts[name]
            ranks[name] = HandRank(
                Fraction(score, 2 * OPPONENTS[0]), Fraction(2 * wins + ties, 2 * (wins + ties + losses)), 0
            )
    return tuple([ranks[class_text(holding)] for holding in range(HOLDING_COUNT)])


def _preflop_order(holding: int) -> tuple[bool, int, int]:
    high, low = (card >> 2 for card in holding_cards(holding))
    return high == low, max(high, low), min(high, low)
