"""Sums of what players won in hands of any game: money, rake, all-in equity and the luck of the streets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from railbird.assess.card_luck import card_luck
from railbird.formats.left_out import is_trace
from railbird.game.betting import Betting
from railbird.game.pot_shares import all_in_payoffs, fair_payoffs
from railbird.game.record import HandRecord
from railbird.game.spec import Structure
from railbird.statistics import Estimate, Moments

MEASURES = {
    "money": (1.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "before_rake": (0.0, 1.0, 0.0, 0.0, 0.0, 0.0),
    "all_in": (0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
    "less_luck": (0.0, 1.0, 0.0, -1.0, -1.0, -1.0),
    "luck": (0.0, 0.0, 0.0, 1.0, 1.0, 1.0),
    "flop": (0.0, 0.0, 0.0, 1.0, 0.0, 0.0),
    "turn": (0.0, 0.0, 0.0, 0.0, 1.0, 0.0),
    "river": (0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
}
"""By name, how each measure is made of money, money before rake, all-in equity, and the luck of three streets."""
OF_CARDS = ("less_luck", "luck", "flop", "turn", "river")
"""The measures that need the cards of all who were in the hand when a street was dealt."""
_AT_ONCE = 1_000
_POINTS = 400
_MOST_DEALS = 2_000


class _PlayerSums:
    """The sums of one player."""

    def __init__(self) -> None:
        self.every, self.shown = Moments(6), Moments(6)
        """All hands; those in which the cards that matter are known."""
        self._rows: list[Sequence[float]] = []
        self.curve = Curve(2)
        """Money before rake, and the same less luck."""

    def add(self, row: Sequence[float]) -> None:
        self._rows.append(row)
        if len(self._rows) >= _AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Count what is waiting."""
        if not self._rows:
            return
        rows = np.array(self._rows, np.float64)
        self._rows.clear()
        known = rows[~np.isnan(rows[:, 3])]
        self.shown.add(known)
        rows[:, 3:] = np.nan_to_num(rows[:, 3:])
        self.every.add(rows)
        self.curve.add(np.column_stack([rows[:, 1], rows[:, 1] - rows[:, 3:].sum(axis=1)]))


class Curve:
    """Running totals of samples whose number nobody knows, at some hundred places: twice as far apart when there are
    too many of them."""

    def __init__(self, width: int) -> None:
        self.places: list[int] = []
        self.totals: list[list[float]] = []
        self._step, self._count, self._sums = 1, 0, np.zeros(width)

    def add(self, samples: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
        """Go on with samples, in rows."""
        for row in samples:
            self._count += 1
            self._sums = self._sums + row
            if self._count % self._step == 0:
                self.places.append(self._count)
                self.totals.append(self._sums.tolist())
                if len(self.places) > 2 * _POINTS:
                    self._step *= 2
                    self.places, self.totals = self.places[1::2], self.totals[1::2]


class TableSums:
    """The hands of some players at tables of one kind, added up in little memory."""

    def __init__(self) -> None:
        self.hands = self.hidden = self.raked = self.all_ins = 0
        self.hidden_all_ins = 0
        """Hands that were all-in before the last card, with cards that nobody knows."""
        self.has_shared_deals = False
        """Whether hands have a deal in common, as in duplicate; the first deals are enough to tell."""
        self._deals: set[tuple[object, ...]] = set()
        self.seats: set[int] = set()
        self.players: dict[str, _PlayerSums] = {}
        self._waiting: list[HandRecord] = []

    def add(self, record: HandRecord) -> None:
        """Count a hand."""
        if not self.has_shared_deals:
            self._note_deal(record)
        self._waiting.append(record)
        if len(self._waiting) >= _AT_ONCE:
            self._count_waiting()

    def _note_deal(self, record: HandRecord) -> None:
        """Note who holds what by position, and whether that was there before with other players in these places."""
        deal = (record.number, *map(frozenset, record.holes))
        if not all(record.holes):
            return
        self.has_shared_deals = (deal, record.names) not in self._deals and deal in self._deals
        if len(self._deals) < _MOST_DEALS:
            self._deals |= {deal, (deal, record.names)}

    def finish(self) -> None:
        """Count what is waiting."""
        self._count_waiting()
        for sums in self.players.values():
            sums.finish()

    def _count_waiting(self) -> None:
        for record, luck in zip(self._waiting, card_luck(self._waiting)):
            bet, seats = record.game.small_bet, record.game.seats
            steps = list(record.steps())
            last = steps[-1][0].after(steps[-1][1]) if steps else Betting.start(record.game)
            street = steps[-1][0].street if steps else 0
            fair = fair_payoffs(record, last)
            expected = all_in_payoffs(record, last, street)
            self.hands += 1
            self.seats.add(seats)
            self.hidden += luck is None
            self.raked += record.rake > 0
            is_all_in = last.is_showdown and street < record.game.streets - 1
            self.all_ins += is_all_in
            self.hidden_all_ins += is_all_in and expected is None
            given = np.full((3, seats), np.nan) if luck is None else luck
            amounts = np.vstack([record.payoffs, fair, expected or fair, given]) / bet
            for name, row in zip(record.names, amounts.T.tolist()):
                self.players.setdefault(name, _PlayerSums()).add(row)
        self._waiting.clear()

    @property
    def has_luck(self) -> bool:
        """Whether the luck of the streets can be told: all cards that matter are known, but for a trace of hands."""
        return self.hidden < self.hands and is_trace(self.hidden, self.hands)

    @property
    def measures(self) -> list[str]:
        """What can be told of these hands."""
        found = ["money", *(["before_rake"] if self.raked else []), *(["all_in"] if self.all_ins else [])]
        return [*found, *(OF_CARDS if self.has_luck else ())]

    def estimate(self, player: str, measure: str) -> Estimate:
        """A measure of a player."""
        sums = self.players[player]
        return (sums.shown if measure in OF_CARDS else sums.every).estimate(*MEASURES[measure])


def kind_of(record: HandRecord) -> tuple[str, tuple[str, ...]]:
    """The kind of table that a hand was played at, and heads-up the two players: such hands are told together."""
    game = record.game
    name = game.name if not game.is_holdem else "limit" if game.structure is Structure.FIXED_LIMIT else game.structure
    if game.seats == 2:
        return f"{name}, heads-up", tuple(sorted(record.names))
    return f"{name}, 3 and more players", ()


class SumsByTable:
    """The sums of hands by kind of table."""

    def __init__(self) -> None:
        self.hands = 0
        self._sums: dict[tuple[str, tuple[str, ...]], TableSums] = {}

    def add(self, record: HandRecord) -> None:
        """Count a hand."""
        self.hands += 1
        self._sums.setdefault(kind_of(record), TableSums()).add(record)

    def finished(self) -> dict[tuple[str, tuple[str, ...]], TableSums]:
        """All of them, those with most hands first."""
        for sums in self._sums.values():
            sums.finish()
        return dict(sorted(self._sums.items(), key=lambda each: -each[1].hands))
