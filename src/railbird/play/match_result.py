"""What came of a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.play.faults import Fault
from railbird.play.match import MatchSpec
from railbird.results.figures import Figure, Line
from railbird.results.parts import Heading, Part, Table
from railbird.results.parts import Line as Words
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.words import further, more_samples, rate


@dataclass(frozen=True)
class PlayerResult:
    """One player's result in small bets per hand."""

    name: str
    money: Estimate
    """Every hand by itself."""
    duplicate: Estimate | None
    """The mean over each deal's seatings; `None` unless the match was played in duplicate."""
    divat: Estimate | None = None
    """The DIVAT difference of every hand by itself: skill without the luck. `None` where it was not assessed."""
    duplicate_divat: Estimate | None = None
    """The mean DIVAT difference over each deal's seatings; `None` without either of the two."""

    @property
    def best(self) -> Estimate:
        """The sharper of money and duplicate."""
        return self.duplicate or self.money

    @property
    def skill(self) -> Estimate | None:
        """The sharper of the DIVAT differences."""
        return self.duplicate_divat or self.divat

    def to_json(self) -> dict[str, Any]:
        """The player's estimates; those that there are not are null."""
        known = {name: each.to_json() for name, each in self.measures.items()}
        return {"name": self.name, **dict.fromkeys(("money", "duplicate", "divat", "duplicate_divat")), **known}

    @property
    def measures(self) -> dict[str, Estimate]:
        """All estimates there are, by name."""
        found = {"money": self.money, "duplicate": self.duplicate, "divat": self.divat}
        return {name: each for name, each in {**found, "duplicate_divat": self.duplicate_divat}.items() if each}


@dataclass(frozen=True, repr=False)
class MatchResult(Result):
    """What came of a match."""

    spec: MatchSpec
    won: NDArray[np.int64]
    """Chips by leg, hand and player."""
    faults: tuple[Fault, ...] = ()
    """What bots did wrong, in the order of hands."""
    divat: NDArray[np.float64] | None = None
    """The first player's DIVAT difference by leg and hand, in small bets; the second's is its opposite. `None` where
    it was not assessed: see `railbird.play.skill`."""
    folder: Path | None = None
    """Where the hands are."""
    kept: object = field(default=None, compare=False)
    """What keeps a folder that goes away with the result."""

    @cached_property
    def players(self) -> tuple[PlayerResult, ...]:
        rates = self.won.astype(np.float64) / self.spec.game.small_bet
        results = []
        for player, name in enumerate(self.spec.names):
            money = self._estimates(rates[:, :, player])
            skill = (None, None) if self.divat is None else self._estimates(self.divat if player == 0 else -self.divat)
            results.append(PlayerResult(name, *money, *skill))
        return tuple(results)

    def _estimates(self, by_hand: NDArray[np.float64]) -> tuple[Estimate, Estimate | None]:
        """Of every hand by itself, and of the means over each deal's seatings."""
        return Estimate.of(by_hand.ravel()), Estimate.of(by_hand.mean(axis=0)) if self.spec.duplicate else None

    def lead(self, first: int, second: int) -> Estimate:
        """How far one player is ahead of another, in small bets per hand, from the same deals."""
        ahead = (self.won[:, :, first].astype(np.float64) - self.won[:, :, second]) / self.spec.game.small_bet
        return Estimate.of(ahead.mean(axis=0) if self.spec.duplicate else ahead.ravel())

    @property
    def ranking(self) -> list[int]:
        """The players from the highest win rate to the lowest."""
        return sorted(range(len(self.players)), key=lambda player: -self.players[player].best.mean)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "railbird.match/1",
            "match": self.spec.to_json(),
            "seating": self.spec.seating.description,
            "hands_played": int(self.won.shape[0] * self.won.shape[1]),
            "unit": "small bets per hand",
            "players": [player.to_json() for player in self.players],
            "faults": [str(fault) for fault in self.faults],
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player and measure."""
        return [
            {"player": player.name, "measure": measure, **estimate.to_json()}
            for player in self.players
            for measure, estimate in player.measures.items()
        ]

    def figure(self) -> Figure:
        """What each player has won, hand by hand, with its 95% interval as a band."""
        legs = self.won.shape[0]
        by_deal = self.won.sum(axis=0) / self.spec.game.small_bet
        lines = [
            Line.running_total(name, by_deal[:, player], legs, has_band=True)
            for player, name in enumerate(self.spec.names)
        ]
        return Figure(str(self._heading()), "hands played", "small bets won", lines)

    def parts(self) -> list[Part]:
        body = pair_parts(self.players) if self.spec.game.seats == 2 else [self._ring_part()]
        return [self._heading(), *body, *fault_parts(self.faults)]

    def _heading(self) -> Heading:
        spec, deals = self.spec, self.won.shape[1]
        seats = "heads-up" if spec.game.seats == 2 else f"{spec.game.seats} seats"
        if not spec.duplicate:
            kind = "hands"
        elif spec.game.seats == 2:
            kind = "duplicate pairs"
        else:
            kind = f"deals, each played {len(self.won)} times"
        done = f"{deals:,}" if spec.is_open or deals == spec.hands else f"{deals:,} of {spec.hands:,}"
        facts = (f"{spec.game.name} {seats}", f"{done} {kind}", spec.seed_words)
        return Heading(" vs ".join(spec.names), facts)

    def _ring_part(self) -> Table:
        duplicate = self.spec.duplicate
        unit = "deals" if duplicate else "hands"
        header = ("sb/hand (95%)", "money", "SD", *(("duplicate",) if duplicate else ()), "next is behind by")
        order, rows = self.ranking, []
        for place, player in enumerate(order):
            row = self.players[player]
            cells = [row.name, rate(row.money), f"{row.money.sd:.2f}"]
            if row.duplicate:
                cells.append(rate(row.duplicate))
            if place + 1 < len(order):
                lead = self.lead(player, order[place + 1])
                cells += [rate(lead), more_samples(lead)]
            rows.append(cells)
        return Table(rows, (*header, f"{unit} to settle"))


def pair_parts(players: Sequence[PlayerResult]) -> list[Part]:
    """The result of two players: all measures of the first, and who is better."""
    first = players[0]
    spread = f"   SD {first.money.sd:.2f}" if first.money.count > 1 else ""
    found: list[Part] = [Words(f"money      {rate(first.money)} sb/hand for {first.name} (95%){spread}")]
    others = {"duplicate": first.duplicate, "DIVAT": first.divat, "both": first.duplicate_divat}
    for label, estimate in others.items():
        if estimate:
            saved = (first.money.margin / estimate.margin) ** 2 if estimate.margin else 0
            fewer = f"   {saved:.1f}x fewer hands for the same certainty" if saved > 1.05 else ""
            found.append(Words(f"{label:<10} {rate(estimate)}{fewer}"))
    kinds = {"the ": first.best, "DIVAT's ": first.skill or first.best}
    whose, sharpest = min(kinds.items(), key=lambda kind: kind[1].margin)
    ahead = players[0 if sharpest.mean > 0 else 1].name
    if sharpest.is_clear:
        found.append(Words(f"{ahead} is better: {whose}interval leaves out zero"))
    else:
        found.append(Words(f"not settled: {further(sharpest, 'pairs' if first.duplicate else 'hands')}"))
    return found


def fault_parts(faults: Sequence[Fault]) -> list[Part]:
    """How many faults bots had, and the first of them, with the way to it through the bot's files."""
    if not faults:
        return []
    first = faults[0]
    counted = "1 fault of a bot" if len(faults) == 1 else f"{len(faults):,} faults of bots, the first"
    return [Words(f"{counted}: {first}", indent=0, style="bold"), *(Words(line) for line in first.trace)]


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """The faults of all legs by hand."""
    return tuple(sorted(faults, key=lambda fault: (fault.hand, fault.leg)))


def joined(legs: Sequence[Sequence[NDArray[np.int64]]], players: int) -> NDArray[np.int64]:
    """Chips by leg, hand and player from the blocks of each leg, as far as all legs have come."""
    whole = [np.concatenate(blocks) if blocks else np.empty((0, players), np.int64) for blocks in legs]
    hands = min(len(leg) for leg in whole)
    return np.stack([leg[:hands] for leg in whole])
