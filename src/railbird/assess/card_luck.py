"""What the board cards gave each player of a hand of any hold'em game, street by street, where the cards are known.

Each flop, turn and river changes how the pot that lies there would be divided if there were no more betting. That
change, in chips, is the luck of the street: it is nothing on average, whatever anybody does, so that money less luck
has the mean of money and a smaller deviation. Side pots count each for those who play for it. Once nobody can bet any
more, the luck of the streets to come is the difference between the result and the all-in equity.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.game.betting import Betting
from railbird.game.payoffs import side_pots
from railbird.game.record import HandRecord
from railbird.odds.divided_pots import Pot, shares_of_pots

STREETS_WITH_CARDS = ("flop", "turn", "river")
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
