"""Sums of what players won in hands of any game: money, rake, all-in equity, the luck of the cards, and AIVAT."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from railbird.assess.aivat_tables import KnownTables, Values
from railbird.assess.card_luck import LUCK_SHARES, card_luck, hole_luck
from railbird.formats.left_out import is_trace
from railbird.game.betting import Betting
from railbird.game.pot_shares import all_in_payoffs, fair_payoffs
from railbird.game.record import HandRecord
from railbird.game.spec import Structure
from railbird.statistics import Estimate, Moments

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


class _PlayerSums:
    """The sums of one player."""

    def __init__(self) -> None:
        self.every, self.shown, self.open = (Moments(len(_COLUMNS)) for _ in range(3))
        """All hands; those in which the cards that matter are known; those in which all are."""
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
        shown, is_open = ~np.isnan(rows[:, 3]), ~np.isnan(rows[:, 6])
        rows = np.nan_to_num(rows)
        self.shown.add(rows[shown])
        self.open.add(rows[is_open])
        self.every.add(rows)
        self.curve.add(np.column_stack([rows[:, 1], rows[:, 1] - rows[:, 3:6].sum(axis=1)]))


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

    def __init__(self, known: KnownTables | None = None) -> None:
        self.known = known
        """The players who are known."""
        self.hands = self.hidden = self.raked = self.all_ins = 0
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
            self.hidden += luck is None
            self.raked += record.rake > 0
            is_all_in = last.is_showdown and street < record.game.streets - 1
            self.all_ins += is_all_in
            self.hidden_all_ins += is_all_in and expected is None
            given = np.full((3, seats), np.nan) if luck is None else luck
            holes = hole_luck(record) if luck is not None else None
            self.closed += holes is None
            by_cards = self._by_all_cards(record, fair, given, holes)
            amounts = np.vstack([record.payoffs, fair, expected or fair, given, by_cards]) / bet
            for name, row in zip(record.names, amounts.T.tolist()):
                self.players.setdefault(name, _PlayerSums()).add(row)
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
        """Whether the luck of the streets can be told: all cards that matter are known, but for a trace of hands."""
        return self.hidden < self.hands and is_trace(self.hidden, self.hands)

    @property
    def measures(self) -> list[str]:
        """What can be told of these hands."""
        found = ["money", *(["before_rake"] if self.raked else []), *(["all_in"] if self.all_ins else [])]
        by_all = ("mivat", *(("aivat",) if self.known else ())) if self.is_open else ()
        return [*found, *(OF_CARDS if self.has_luck else ()), *by_all]

    def estimate(self, player: str, measure: str) -> Estimate:
        """A measure of a player."""
        sums = self.players[player]
        of_all = sums.open if measure in OF_ALL_CARDS else sums.every
        return (sums.shown if measure in OF_CARDS else of_all).estimate(*MEASURES[measure])

    def worth(self, measure: str) -> float:
        """How many times as many hands of money would be as sure, over all players."""
        wide, narrow = (sum(self.estimate(name, each).sd ** 2 for name in self.players) for each in ("money", measure))
        return wide / narrow if narrow > 0 else 1.0


def kind_of(record: HandRecord) -> tuple[str, tuple[str, ...]]:
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
        self._sums: dict[tuple[str, tuple[str, ...]], TableSums] = {}

    def add(self, record: HandRecord) -> None:
        """Count a hand."""
        self.hands += 1
        self._sums.setdefault(kind_of(record), TableSums(self.known)).add(record)

    def finished(self) -> dict[tuple[str, tuple[str, ...]], TableSums]:
        """All of them, those with most hands first."""
        for sums in self._sums.values():
            sums.finish()
        return dict(sorted(self._sums.items(), key=lambda each: -each[1].hands))
