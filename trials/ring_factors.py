"""The factors with which MIVAT and AIVAT take luck off at tables of three and more and without a limit, fitted anew.

Whatever a factor is, what it takes off is nothing on average, so that a poor one only leaves more deviation. Those in
use were rounded from what this prints: a regression of money on the luck of hole cards, flop, turn and river; then,
with those fixed, of what is left on the luck of the known players' actions, street by street. Each match is weighed by
the inverse of money's variance, so that wild ones do not decide alone. `python -m trials rings` measures what the
factors are worth, in other matches. Exit 1 if those in use leave over 2% more variance than those found here.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.assess.aivat_tables import SCALES
from railbird.assess.card_luck import LUCK_SHARES, card_luck, hole_luck
from railbird.game.record import HandRecord
from railbird.play.known import KnownBots
from railbird.statistics import Estimate
from trials.rings import Match, hands_of

Values = NDArray[np.float64]
MATCHES = (
    Match("limit", ("yoki-default", "bpl", "bpm"), ("yoki-default",)),
    Match("limit", ("expert", "yoki-tight", "bpt", "bpl"), ("expert", "yoki-tight")),
    Match("limit", ("expert", "yoki-loose", "bpm", "bpt", "bpl", "loki-gom"), ("expert", "yoki-loose")),
    Match("no-limit", ("yoki-tight", "bpm"), ("yoki-tight",)),
    Match("no-limit", ("expert", "bpt", "bpl"), ("expert",)),
)
EVENTS = (
    *("hole cards", "flop", "turn", "river"),
    *(f"actions, {street}" for street in ("pre-flop", "flop", "turn", "river")),
)
_PARTS = 10


class Lucks(NamedTuple):
    """What was won and what luck there was in it; a row for each player of each hand, weighed."""

    hand: NDArray[np.int64]
    money: Values
    cards: Values
    """[rows, 4] what hole cards, flop, turn and river gave."""
    paid: Values
    """AIVAT's mean over what the known may hold, in place of the money."""
    events: Values
    """[rows, 8] what AIVAT takes off."""

    def without(self, part: int) -> Lucks:
        """All but a tenth of the hands."""
        chosen = self.hand % _PARTS != part
        return Lucks(*(column[chosen] for column in self))


def lucks_of(records: list[HandRecord], known: KnownBots) -> Lucks:
    """Those of a match."""
    rows = list(_rows(records, known))
    names, hand = [name for name, _, _ in rows], np.array([at for _, at, _ in rows])
    found = np.array([values for _, _, values in rows])
    for name in set(names):
        chosen = np.array(names) == name
        found[chosen] -= found[chosen].mean(axis=0)
    found /= found[:, 0].std()
    return Lucks(hand, found[:, 0], found[:, 1:5], found[:, 5], found[:, 6:])


def _rows(records: list[HandRecord], known: KnownBots) -> Iterator[tuple[str, int, list[float]]]:
    """The player, the hand, and all that there is to regress."""
    for at, (record, board) in enumerate(zip(records, card_luck(records), strict=True)):
        holes = hole_luck(record)
        assert board is not None  # all cards are known
        assert holes is not None
        seats = {place: known.tables.players[name] for place, name in enumerate(record.names) if name in known.bots}
        paid, events = known.tables.measure.parts(record, seats)
        for place, name in enumerate(record.names):
            yield (
                name,
                at,
                [record.payoffs[place], holes[place], *board[:, place], paid[place], *-events[:, place]],
            )


def fitted(lucks: Lucks) -> Values:
    """[8] the factors that leave least variance: those of the cards for MIVAT, then those of the actions with them."""
    cards = np.linalg.lstsq(lucks.cards, lucks.money)[0]
    left = lucks.paid - lucks.events[:, :4] @ cards
    return np.concatenate([cards, np.linalg.lstsq(lucks.events[:, 4:], left)[0]])


def variances(lucks: Lucks, factors: Values) -> Values:
    """What MIVAT and AIVAT leave of money's variance, with some factors."""
    mivat = lucks.money - lucks.cards @ factors[:4]
    return np.array([mivat.var(), (lucks.paid - lucks.events @ factors).var()]) / lucks.money.var()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials ring-factors", description=__doc__)
    parser.add_argument("--hands", type=int, default=2000, help="hands of each match")
    parser.add_argument("--seed", type=int, default=61)
    given = parser.parse_args(arguments)
    if given.hands < 100:
        parser.error("fewer than 100 hands say nothing")
    found = []
    for at, match in enumerate(MATCHES):
        found.append(lucks_of(hands_of(match, given.hands, given.seed + at), KnownBots(match.known)))
        print(f"{at + 1} of {len(MATCHES)} matches: {match.game}: {', '.join(match.players)}", flush=True)
    lucks = Lucks(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
    factors = fitted(lucks)
    parts = np.array([fitted(lucks.without(part)) for part in range(_PARTS)])
    used = np.array(SCALES)
    assert used[:4].tolist() == list(LUCK_SHARES)
    print(f"\n{'luck of':<20} {'fitted':>15} {'in use':>8}")
    for event, factor, each, now in zip(EVENTS, factors, parts.T, used, strict=True):
        # The jackknife: each tenth left out in turn.
        margin = Estimate.of(_PARTS * factor - (_PARTS - 1) * each).margin
        print(f"{event:<20} {factor:>7.2f} ± {margin:.2f} {now:>9.1f}")
    best, left = variances(lucks, factors), variances(lucks, used)
    for name, least, now in zip(("MIVAT", "AIVAT"), best, left, strict=True):
        print(f"{name} leaves {now:.1%} of money's variance, with the factors found here {least:.1%}")
    return 1 if (left > 1.02 * best).any() else 0
