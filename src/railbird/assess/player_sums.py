"""Sums of what players won in hands of any game: money, rake, all-in equity, the luck of the cards, and AIVAT."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.assess.aivat_tables import KnownTables, Values
from railbird.assess.card_luck import LUCK_SHARES, card_luck, hole_luck
from railbird.formats.left_out import is_trace
from railbird.game.betting import Betting
from railbird.game.place_names import PLACES, place_names
from railbird.game.pot_shares import all_in_payoffs, fair_payoffs
from railbird.game.record import HandRecord
from railbird.game.spec import Structure
from railbird.results.figures import total_margin
from railbird.statistics import Estimate, Moments, Samples

Rows = NDArray[np.float64]
Kind = tuple[str, tuple[str, ...]]
"""A kind of table, and heads-up the two players."""

_COLUMNS = ("money", "before_rake", "all_in", "flop", "turn", "river", "holes", "aivat")
"""What is summed of every hand; the luck of the streets and of the hole cards among it."""


def _made_of(**weights: float) -> tuple[float, ...]:
    return tuple(weights.get(each, 0.0) for each in _COLUMNS)


_BOARD = {"flop": 1.0, "turn": 1.0, "river": 1.0}
_SHARES = dict(zip(("holes", "flop", "turn", "river"), LUCK_SHARES))
MEASURES = {
    **{name: _made_of(**{name: 1.0}) for name in ("money", "before_rake", "all_in", "flop", "turn", "river", "aivat")},
    "less_luck": _made_of(before_rake=1.0, **{name: -share for name, share in _BOARD.items()}),
    "mivat": _made_of(before_rake=1.0, **{name: -share for name, share in _SHARES.items()}),
    "luck": _made_of(**_BOARD),
}
"""By name, how each measure is made of what is summed."""
OF_CARDS = ("less_luck", "luck", "flop", "turn", "river")
"""The measures that need the cards of all who were in the hand when a street was dealt."""
OF_ALL_CARDS = ("mivat", "aivat")
"""Those that need the cards of everybody."""
_AT_ONCE = 1_000
_KNOWN_AT_ONCE = 50
"""Fewer where players are known, which takes longer."""
_POINTS = 400
_MOST_DEALS = 2_000


class MeasureSums:
    """The sums of some hands of one player, or of several."""

    def __init__(self) -> None:
        self.every, self.shown, self.open = (Moments(len(_COLUMNS)) for _ in range(3))
        """All hands; those in which the cards that matter are known; those in which all are."""

    def add_rows(self, rows: Rows) -> None:
        """Count hands; what is not known of them is not a number."""
        shown, is_open = ~np.isnan(rows[:, 3]), ~np.isnan(rows[:, 6])
        known = np.nan_to_num(rows)
        self.shown.add(known[shown])
        self.open.add(known[is_open])
        self.every.add(known)

    def join(self, others: MeasureSums) -> None:
        """Count the hands of others too."""
        for own, other in ((self.every, others.every), (self.shown, others.shown), (self.open, others.open)):
            own.join(other)

    def estimate(self, measure: str) -> Estimate:
        """A measure over these hands."""
        of_all = self.open if measure in OF_ALL_CARDS else self.every
        return (self.shown if measure in OF_CARDS else of_all).estimate(*MEASURES[measure])


class _PlayerSums(MeasureSums):
    """The sums of one player: of all his hands, and by position."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, MeasureSums] = {}
        """By what players call a position."""
        self.curve = Curve(2)
        """Money before rake, and the same less luck."""
        self._rows: list[tuple[Sequence[float], str, int]] = []

    def add(self, row: Sequence[float], place: str, number: int) -> None:
        """Count a hand that was played from a position, the so-manieth of its tables."""
        self._rows.append((row, place, number))
        if len(self._rows) >= _AT_ONCE:
            self.finish()

    def finish(self) -> None:
        """Count what is waiting."""
        if not self._rows:
            return
        rows = np.array([row for row, _, _ in self._rows], np.float64)
        places = np.array([place for _, place, _ in self._rows])
        numbers = np.array([number for _, _, number in self._rows], np.int64)
        self._rows.clear()
        self.add_rows(rows)
        for place in np.unique(places).tolist():
            self.places.setdefault(place, MeasureSums()).add_rows(rows[places == place])
        known = np.nan_to_num(rows)
        self.curve.add(np.column_stack([known[:, 1], known[:, 1] - known[:, 3:6].sum(axis=1)]), numbers)


class Curve:
    """Running totals of samples whose number nobody knows, at some hundred of them: twice as far apart when there are
    too many."""

    def __init__(self, width: int) -> None:
        self._kept = np.zeros((0, 2 + 2 * width))
        self._last = np.zeros((1, 2 + 2 * width))
        """How many samples there are, the number of the last, their sums, and those of their squares."""
        self._width, self._step = width, 1

    def add(self, samples: Rows, numbers: NDArray[np.int64]) -> None:
        """Go on with samples, in rows; the number of each says where it stands."""
        steps = np.column_stack(
            [np.ones(len(samples)), np.diff(numbers, prepend=self._last[0, 1]), samples, samples**2]
        )
        running = np.cumsum(np.vstack([self._last, steps]), axis=0)[1:]
        self._last = running[-1:]
        self._kept = np.vstack([self._kept, running[running[:, 0] % self._step == 0]])
        while len(self._kept) > 2 * _POINTS:
            self._step *= 2
            self._kept = self._kept[1::2]

    def _points(self) -> Rows:
        """What is kept, and the last sample."""
        return self._kept if self._last[0, 0] % self._step == 0 else np.vstack([self._kept, self._last])

    @property
    def numbers(self) -> Samples:
        """Where the samples stand."""
        return self._points()[:, 1]

    def totals(self, at: int) -> Samples:
        """What one of the numbers of a sample comes to."""
        return self._points()[:, 2 + at]

    def margins(self, at: int) -> Samples:
        """The half-widths of their 95% intervals."""
        points = self._points()
        return total_margin(points[:, 2 + at], points[:, 2 + self._width + at], points[:, 0])


class TableSums:
    """The hands of some players at tables of one kind, added up in little memory."""

    def __init__(self, known: KnownTables | None = None) -> None:
        self.known = known
        """The players who are known."""
        self.hands = self.hidden = self.raked = self.all_ins = 0
        self.is_holdem = self.is_limit = True
        """What the game is, which is that of every hand; of toy games nothing but money is told."""
        self.closed = 0
        """Hands in which not all hole cards are known."""
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
        if len(self._waiting) >= (_KNOWN_AT_ONCE if self.known else _AT_ONCE):
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
            self.is_holdem, self.is_limit = record.game.is_holdem, record.game.structure is Structure.FIXED_LIMIT
            self.hidden += luck is None and (self.is_holdem or not all(record.holes))
            self.raked += record.rake > 0
            is_all_in = last.is_showdown and street < record.game.streets - 1
            self.all_ins += is_all_in
            self.hidden_all_ins += is_all_in and expected is None
            given = np.full((3, seats), np.nan) if luck is None else luck
            holes = hole_luck(record) if luck is not None else None
            self.closed += holes is None
            by_cards = self._by_all_cards(record, fair, given, holes)
            amounts = np.vstack([record.payoffs, fair, expected or fair, given, by_cards]) / bet
            places = place_names(record.game.blinds)
            for name, place, row in zip(record.names, places, amounts.T.tolist()):
                self.players.setdefault(name, _PlayerSums()).add(row, place, self.hands)
        self._waiting.clear()

    def _by_all_cards(self, record: HandRecord, fair: Sequence[float], board: Values, holes: Values | None) -> Values:
        """The luck of the hole cards and AIVAT; where nobody is known that is the chance part alone."""
        if holes is None:
            return np.full((2, record.game.seats), np.nan)
        found = self.known.of(record) if self.known else None
        if found is None:
            found = np.array(fair, np.float64) - np.array(LUCK_SHARES) @ np.vstack([holes, board])
        return np.vstack([holes, found])

    @property
    def is_open(self) -> bool:
        """Whether all hole cards are known, but for a trace of hands."""
        return self.has_luck and self.closed < self.hands and is_trace(self.closed, self.hands)

    @property
    def has_luck(self) -> bool:
        """Whether the luck of the streets can be told: in hold'em, all cards that matter are known, but for a trace of
        hands."""
        return self.is_holdem and self.hidden < self.hands and is_trace(self.hidden, self.hands)

    @property
    def measures(self) -> list[str]:
        """What can be told of these hands."""
        found = ["money", *(["before_rake"] if self.raked else []), *(["all_in"] if self.all_ins else [])]
        by_all = ("mivat", *(("aivat",) if self.known else ())) if self.is_open else ()
        return [*found, *(OF_CARDS if self.has_luck else ()), *by_all]

    def estimate(self, player: str, measure: str) -> Estimate:
        """A measure of a player."""
        return self.players[player].estimate(measure)

    @property
    def places(self) -> list[str]:
        """The positions that were played from."""
        return [place for place in PLACES if any(place in sums.places for sums in self.players.values())]

    def at_place(self, place: str, *players: str) -> MeasureSums:
        """What was won from a position, by some players together or, where none are named, by all."""
        found = MeasureSums()
        for name in players or self.players:
            if (there := self.players[name].places.get(place)) is not None:
                found.join(there)
        return found

    def worth(self, measure: str) -> float:
        """How many times as many hands of money would be as sure, over all players."""
        wide, narrow = (sum(self.estimate(name, each).sd ** 2 for name in self.players) for each in ("money", measure))
        return wide / narrow if narrow > 0 else 1.0


def kind_of(record: HandRecord) -> Kind:
    """The kind of table that a hand was played at, and heads-up the two players: such hands are told together."""
    game = record.game
    name = game.name if not game.is_holdem else "limit" if game.structure is Structure.FIXED_LIMIT else game.structure
    if game.seats == 2:
        return f"{name}, heads-up", tuple(sorted(record.names))
    return f"{name}, 3 and more players", ()


class SumsByTable:
    """The sums of hands by kind of table."""

    def __init__(self, known: KnownTables | None = None) -> None:
        self.known = known
        self.hands = 0
        self._sums: dict[Kind, TableSums] = {}

    def add(self, record: HandRecord) -> None:
        """Count a hand."""
        self.hands += 1
        self._sums.setdefault(kind_of(record), TableSums(self.known)).add(record)

    def finished(self) -> dict[Kind, TableSums]:
        """All of them, those with most hands first."""
        for sums in self._sums.values():
            sums.finish()
        return dict(sorted(self._sums.items(), key=lambda each: -each[1].hands))
