"""Statistics of players as a result: how they play, what they fold to, and what they won."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from railbird.errors import MatchError
from railbird.files import PassingFolder
from railbird.formats.hand_arrays import Problem
from railbird.game.spec import STREETS
from railbird.results.figures import Figure, Line, RunningTotal
from railbird.results.parts import Fitting, Heading, Part, Table
from railbird.results.parts import Line as Words
from railbird.results.result import Result
from railbird.store.stats import AMOUNTS, GROUPS, SHARES, StatsRow, has_shared_deals, running_money, stats_rows
from railbird.store.store_reader import HandStore
from railbird.words import NONE, count_of, rate, signed, unsigned

_MOST_ROWS = 20
_HOW = {
    "VPIP": "vpip",
    "PFR": "pfr",
    "3-bet": "three_bet",
    "WTSD": "went_to_showdown",
    "W$SD": "won_at_showdown",
}
LEGEND = (
    "VPIP, PFR: put money in, raised before the flop; 3-bet: raised the first raise; AF: bets and raises by calls "
    "after the flop, AFq: their share of bets, raises, calls and folds; WTSD, W$SD: went to, and won at, the showdown.",
    "fold to: of the hands that faced a street's first bet (before the flop: the first raise), how many folded to it.",
)
"""What stands in the tables."""
SHARED_DEALS = (
    "Some deals were played in several seatings: intervals take each hand as one sample; railbird results of the match "
    "folder has those of the deals."
)


@dataclass(frozen=True, repr=False)
class PlayerStats(Result):
    """What the players of a store, or of logs, do and win, by player, position, stakes or time."""

    path: str
    """The store or the logs."""
    by: tuple[str, ...]
    player: str | None
    table: tuple[StatsRow, ...]
    hand_count: int
    """How many hands were looked at, whoever played in them."""
    store: HandStore
    has_shared_deals: bool = False
    """Whether hands of a match in duplicate are among them."""
    left_out: int = 0
    """How many hands of logs could not be read."""
    first_problem: Problem | None = None
    kept: PassingFolder | None = field(default=None, compare=False)
    """Where the tables of logs are, as long as the result is."""

    def parts(self) -> list[Part]:
        by = " and ".join(self.by)
        whose = f"{self.player} by {by}" if self.player else f"hands by {by}"
        shown = self.table[:_MOST_ROWS]
        found: list[Part] = [Heading(whose, (count_of(self.hand_count, "hand"), self.path))]
        found += [self._how(shown), self._folds(shown), self._money(shown)]
        if len(self.table) > len(shown):
            found.append(Words(f"and {len(self.table) - len(shown):,} more (--json has all)"))
        found += [Words(words, 0, "dim") for words in self._legend]
        return [*found, *self._remarks()]

    def _remarks(self) -> list[Part]:
        if not self.left_out:
            return []
        return [Words(f"{count_of(self.left_out, 'hand')} left out, the first: {self.first_problem}", 0, "yellow")]

    def _cells(self, rows: Sequence[StatsRow], header: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
        keys = [tuple(value or "(unknown)" for value in row.key) for row in rows]
        lines = [(*key, *cell) for key, cell in zip(keys, cells)]
        return Table(lines, (*self.by, *header), words=len(self.by), folded=tuple(range(len(self.by))))

    def _how(self, rows: Sequence[StatsRow]) -> Table:
        cells = []
        for row in rows:
            vpip, pfr, three_bet, to_showdown, at_showdown = (percent(row.share(name)) for name in _HOW.values())
            frequency = percent(row.aggression_frequency)
            factor = unsigned(row.aggression, 2)
            cells.append((f"{row.hands:,}", vpip, pfr, three_bet, factor, frequency, to_showdown, at_showdown))
        names = list(_HOW)
        counted = "hands" if self.player or "player" in self.by else "seats"  # a hand counts for each player in it
        return self._cells(rows, (counted, *names[:3], "AF", "AFq", *names[3:]), cells)

    def _folds(self, rows: Sequence[StatsRow]) -> Table:
        cells = [tuple(percent(row.share(f"fold_{street}")) for street in STREETS) for row in rows]
        return self._cells(rows, ("fold to: preflop", *STREETS[1:]), cells)

    @property
    def has_rake(self) -> bool:
        return any(row.amounts["won"].mean != row.amounts["before_rake"].mean for row in self.table)

    @property
    def has_all_ins(self) -> bool:
        return any(row.counts["all_in"] for row in self.table)

    def _money(self, rows: Sequence[StatsRow]) -> Part:
        """Win rates; rake and all-in hands only where there were some."""
        names = {"won": "won", **({"before rake": "before_rake"} if self.has_rake else {})}
        rates = [[rate(row.amounts[name]) for name in names.values()] for row in rows]
        money = self._cells(rows, list(names), rates)
        if not self.has_all_ins:
            return money
        expected = [rate(row.amounts["by_all_in"]) for row in rows]
        luck = [signed(row.amounts["all_in_luck"].mean * row.hands, 1) for row in rows]
        cells = [(*each, f"{row.counts['all_in']:,}") for row, *each in zip(rows, expected, luck)]
        header = ("by all-in equity", "all-in luck", "all-ins")
        wide = self._cells(rows, (*names, *header), [(*each, *more) for each, more in zip(rates, cells)])
        return Fitting(wide, (money, self._cells(rows, header, cells)))

    @property
    def _legend(self) -> list[str]:
        unit = "Amounts are small bets a hand (games without a limit: big blinds) with 95% intervals"
        unit += ", after rake and before it" if self.has_rake else ""
        if self.has_all_ins:
            unit += "; all-in: the cards after the last bet replaced by their average, and what they gave in all"
        return [*LEGEND, f"{unit}.", *([SHARED_DEALS] if self.has_shared_deals else [])]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each group; amounts with the half-width of their 95% intervals."""
        found = []
        for row in self.table:
            told = row.to_json()
            amounts = {name: row.amounts[name].mean for name in AMOUNTS}
            margins = {f"{name}_margin95": told[name]["margin95"] for name in AMOUNTS}
            shares = {name: told[name] for name in (*SHARES, "aggression", "aggression_frequency")}
            found.append({**dict(zip(self.by, row.key)), "hands": row.hands, **shares, **amounts, **margins})
        return found

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.stats/1."""
        return {
            "schema": "railbird.stats/1",
            "unit": "small bets per hand",
            "path": self.path,
            "by": list(self.by),
            "player": self.player,
            "hands": self.hand_count,
            "left_out": self.left_out,
            "shared_deals": self.has_shared_deals,
            "rows": [{**dict(zip(self.by, row.key)), **row.to_json()} for row in self.table],
        }

    def figure(self) -> Figure:
        """What one player won, hand by hand: after rake, before it, and by all-in equity."""
        player = self.player or (self.table[0].key[0] if self.by == ("player",) else None)
        if player is None:
            raise MatchError("a curve is one player's; name the player")
        money = running_money(self.store, player)
        sums = RunningTotal(len(money), 3)
        sums.add(money)
        names = ("won", "before rake", "by all-in equity")
        lines = [sums.line(name, at=at, has_band=not at) for at, name in enumerate(names)]
        return Figure(
            f"{player}: {count_of(len(money), 'hand')}", "hands", "small bets (no limit: big blinds)", _different(lines)
        )


def _different(lines: Sequence[Line]) -> list[Line]:
    """Lines without those that lie on the one before: where there was no rake, or no all-in."""
    found = list(lines[:1])
    for line in lines[1:]:
        if not (line.y == found[-1].y).all():
            found.append(line)
    return found


def percent(share: float) -> str:
    """A share in percent, or a dash where there is none.

    >>> percent(0.2345), percent(math.nan)
    ('23.4', '–')
    """
    return f"{100 * share:.1f}" if math.isfinite(share) else NONE


def player_stats(
    store: HandStore, path: str, by: Sequence[str] = ("player",), player: str | None = None, **more: Any
) -> PlayerStats:
    """The statistics of a store; `more` is what a result has beside them."""
    if not by or len(set(by)) < len(by):
        raise MatchError(f"--by takes one or several of {', '.join(GROUPS)}, each once, as in player,position")
    table = stats_rows(store, by, player)
    return PlayerStats(path, tuple(by), player, tuple(table), len(store), store, has_shared_deals(store), **more)
