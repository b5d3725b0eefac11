"""What the board cards gave each player of a hand of any hold'em game, street by street, where the cards are known.

Each flop, turn and river changes how the pot that lies there would be divided if there were no more betting. That
change, in chips, is the luck of the street: it is nothing on average, whatever anybody does, so that money less luck
has the mean of money and a smaller deviation. Side pots count each for those who play for it. Once nobody can bet any
more, the luck of the streets to come is the difference between the result and the all-in equity.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import holding_index
from railbird.game.betting import Betting
from railbird.game.payoffs import side_pots
from railbird.game.record import HandRecord
from railbird.odds.divided_pots import Pot, shares_of_pots
from railbird.odds.income_rates import TABLES, income_rates

STREETS_WITH_CARDS = ("flop", "turn", "river")
LUCK_SHARES = (1.8, 2.2, 1.8, 1.3)
"""How much MIVAT takes off of the luck of hole cards, flop, turn and river: later bets go with the cards, so that it is
more than all of what they gave. Fitted to matches of two to six players, with and without a limit, and rounded
(`python -m trials ring-factors`; `python -m trials rings` has others)."""
_MASK = (1 << 64) - 1


def card_luck(records: Sequence[HandRecord]) -> list[NDArray[np.float64] | None]:
    """For each hand [3, seats] the chips that flop, turn and river gave; none where cards that matter are not known."""
    pots: list[Pot] = []
    weights: list[tuple[int, int, float]] = []
    luck: list[NDArray[np.float64] | None] = []
    for at, record in enumerate(records):
        found = _changes(record)
        luck.append(None if found is None else np.zeros((3, record.game.seats)))
        for street, chips, contenders in found or ():
            stream = (record.number * 4 + street) & _MASK
            for seen, sign in ((street - 1, -1.0), (street, 1.0)):
                pots.append(Pot(record.holes, record.board_on(seen), contenders, stream))
                weights.append((at, street - 1, sign * chips))
    for (at, row, weight), shares in zip(weights, shares_of_pots(pots)):
        given = luck[at]
        assert given is not None
        given[row] += weight * shares[: given.shape[1]]
    return luck


def hole_luck(record: HandRecord) -> NDArray[np.float64] | None:
    """By position the chips that the hole cards gave: what they would earn if everybody called to the end, less what
    those of the others would on average; none where some are not known. It is nothing on average over all deals."""
    if not record.game.is_holdem or not all(record.holes):
        return None
    worths = hole_worths(record.game.seats)
    return ahead_of_others(worths[[holding_index(*hole) for hole in record.holes]]) * max(record.game.blinds)


@cache
def hole_worths(seats: int) -> NDArray[np.float64]:
    """By holding, what a bet earns if everybody calls to the end, by the table for the nearest number of players; the
    mean is taken off."""
    rates = income_rates(min(TABLES, key=lambda players: abs(players - seats))) / 1000
    return np.asarray(rates - rates.mean())


def ahead_of_others(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers by position, each less the mean of the others."""
    return np.asarray(numbers - (numbers.sum() - numbers) / (len(numbers) - 1))


def _changes(record: HandRecord) -> list[tuple[int, int, list[int]]] | None:
    """The street, chips and contenders of each pot that cards were dealt for; none where some of them hide theirs."""
    if not record.game.is_holdem:
        return None
    found: list[tuple[int, int, list[int]]] = []
    for street, node in _street_starts(record):
        for chips, contenders in side_pots(node):
            if len(contenders) > 1:
                found.append((street, chips, contenders))
    known = all(record.holes[position] for _, _, contenders in found for position in contenders)
    return found if known else None


def _street_starts(record: HandRecord) -> list[tuple[int, Betting]]:
    """The betting as it stood when the cards of each street were dealt."""
    steps = list(record.steps())
    last = steps[-1][0].after(steps[-1][1]) if steps else Betting.start(record.game)
    found = []
    for street in range(1, last.street + 1):
        before = [node for node, _ in steps if node.street >= street]
        found.append((street, before[0] if before else last))
    return found
