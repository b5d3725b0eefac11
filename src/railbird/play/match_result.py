"""What came of a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.play.faults import Fault
from railbird.play.match import MatchSpec
from railbird.play.match_sums import DealSums, GivenDeals, PlayedDeals, pieces
from railbird.play.restarts import restart_parts
from railbird.results.figures import Figure
from railbird.results.parts import Heading, Part, Table
from railbird.results.parts import Line as Words
from railbird.results.result import PlayedResult
from railbird.statistics import Estimate
from railbird.words import further, hands_needed, more_samples, rate, signed


@dataclass(frozen=True)
class PlayerResult:
    """One player's result in small bets per hand."""

    name: str
    money: Estimate
    """Every hand by itself; in duplicate the interval is by deals, whose hands are not independent."""
    duplicate: Estimate | None
    """The mean over each deal's seatings; `None` unless the match was played in duplicate."""
    divat: Estimate | None = None
    """The DIVAT difference of every hand by itself: skill without the luck. `None` where it was not assessed."""
    duplicate_divat: Estimate | None = None
    """The mean DIVAT difference over each deal's seatings; `None` without either of the two."""
    before_rake: Estimate | None = None
    """Money before the house took its rake; `None` where it took none."""

    @property
    def best(self) -> Estimate:
        """Money as it tells who is better: by deals where they are shared, and before any rake."""
        return self.duplicate or self.before_rake or self.money

    @property
    def skill(self) -> Estimate | None:
        """The DIVAT difference as it tells who is better: by deals where they are shared."""
        return self.duplicate_divat or self.divat

    def to_json(self) -> dict[str, Any]:
        """The player's estimates; those that there are not are null."""
        known = {name: each.to_json() for name, each in self.measures.items()}
        always = dict.fromkeys(("money", "duplicate", "divat", "duplicate_divat"))
        return {"name": self.name, **always, **known}

    @property
    def measures(self) -> dict[str, Estimate]:
        """All estimates there are, by name."""
        names = ("money", "before_rake", "duplicate", "divat", "duplicate_divat")
        found = {name: getattr(self, name) for name in names}
        return {name: each for name, each in found.items() if each}


@dataclass(frozen=True, repr=False)
class MatchResult(PlayedResult):
    """What came of a match."""

    spec: MatchSpec
    hands: PlayedDeals
    """What was won in each hand: in logs, or in memory."""
    faults: tuple[Fault, ...] = ()
    """What bots did wrong, in the order of hands."""
    divat: NDArray[np.float64] | None = None
    """The first player's DIVAT difference by leg and hand, in small bets; the second's is its opposite. `None` where
    it was not assessed: see `railbird.play.skill`."""
    folder: Path | None = None
    """Where the hands are."""
    restarts: Mapping[str, int] = field(default_factory=dict, compare=False)
    """By player, how often it was lost and started again; those that never were are left out."""
    kept: object = field(default=None, compare=False)
    """What keeps a folder that goes away with the result."""

    @classmethod
    def of(cls, spec: MatchSpec, won: NDArray[np.int64], faults: tuple[Fault, ...] = ()) -> MatchResult:
        """The result of hands in memory: chips by leg, hand and player."""
        return cls(spec, GivenDeals(won), faults)

    @property
    def deals(self) -> int:
        """How many deals all legs have come to."""
        return self.hands.deals

    @property
    def is_complete(self) -> bool:
        return not self.spec.is_open and self.deals >= self.spec.hands

    @property
    def hands_played(self) -> int:
        """How many hands there are in all legs."""
        return self.spec.seating.legs * self.deals

    @property
    def won(self) -> NDArray[np.int64]:
        """Chips by leg, hand and player, all of them in memory: of a long match, ask `hands` for parts."""
        return self.hands.won(0, self.deals)

    @cached_property
    def money(self) -> DealSums:
        """Sums of what was won."""
        sums = DealSums(self.spec.seating.legs, self.deals, len(self.spec.bots), self.spec.game.small_bet)
        for first, last in pieces(self.deals):
            sums.add(self.hands.won(first, last))
        return sums

    @cached_property
    def skill(self) -> DealSums | None:
        """Sums of the first player's DIVAT differences; `None` where it was not assessed."""
        if self.divat is None:
            return None
        sums = DealSums(self.spec.seating.legs, self.deals, 1)
        for first, last in pieces(self.deals):
            sums.add(self.divat[:, first:last, None])
        return sums

    @cached_property
    def players(self) -> tuple[PlayerResult, ...]:
        results = []
        for player, name in enumerate(self.spec.names):
            own = [float(other == player) for other in range(len(self.spec.names))]
            money = self.money.each_hand(player), self.money.each_deal(*own) if self.spec.duplicate else None
            results.append(PlayerResult(name, *money, *self._skill_of(player)))
        return tuple(results)

    def _skill_of(self, player: int) -> tuple[Estimate | None, Estimate | None]:
        """Of every hand by itself, and of the means over each deal's seatings; of the second player the opposite."""
        if self.skill is None:
            return None, None
        found = self.skill.each_hand(0), self.skill.each_deal(1.0) if self.spec.duplicate else None
        return found if player == 0 else (found[0].opposite, found[1] and found[1].opposite)

    def lead(self, first: int, second: int) -> Estimate:
        """How far one player is ahead of another, in small bets per hand, from the same deals."""
        weights = [float(player == first) - float(player == second) for player in range(len(self.spec.names))]
        return self.money.each_deal(*weights)

    @property
    def ranking(self) -> list[int]:
        """The players from the highest win rate to the lowest."""
        return sorted(range(len(self.players)), key=lambda player: -self.players[player].best.mean)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "railbird.match/1",
            "match": self.spec.to_json(),
            "seating": self.spec.seating.description,
            "hands_played": self.hands_played,
            "unit": "small bets per hand",
            "players": [player.to_json() for player in self.players],
            "faults": [str(fault) for fault in self.faults],
            "restarts": dict(self.restarts),
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
        legs, unit = self.spec.seating.legs, self.money.unit
        lines = [self.money.curve.line(name, legs, True, player, unit) for player, name in enumerate(self.spec.names)]
        return Figure(str(self._heading()), "hands played", "small bets won", lines)

    def parts(self) -> list[Part]:
        body = pair_parts(self.players, self.spec.game.rate_unit) if self.spec.game.seats == 2 else [self._ring_part()]
        return [self._heading(), *body, *fault_parts(self.faults), *restart_parts(self.restarts)]

    def _heading(self) -> Heading:
        spec, deals = self.spec, self.deals
        seats = "heads-up" if spec.game.seats == 2 else f"{spec.game.seats} seats"
        if not spec.duplicate:
            kind = "hands"
        elif spec.game.seats == 2:
            kind = "duplicate pairs"
        else:
            kind = f"deals, each played {spec.seating.legs} times"
        done = f"{deals:,}" if spec.is_open or deals == spec.hands else f"{deals:,} of {spec.hands:,}"
        facts = (f"{spec.game.name} {seats}", f"{done} {kind}", spec.seed_words)
        return Heading(" vs ".join(spec.names), facts)

    def _ring_part(self) -> Table:
        duplicate = self.spec.duplicate
        unit = "deals" if duplicate else "hands"
        header = (
            f"{self.spec.game.rate_unit} (95%)",
            "money",
            "SD",
            *(("duplicate",) if duplicate else ()),
            "next is behind by",
        )
        order, rows = self.ranking, []
        for place, player in enumerate(order):
            row = self.players[player]
            money = signed(row.money.mean) if row.duplicate else rate(row.money)
            cells = [row.name, money, f"{row.money.sd:.2f}"]
            if row.duplicate:
                cells.append(rate(row.duplicate))
            if place + 1 < len(order):
                lead = self.lead(player, order[place + 1])
                cells += [rate(lead), more_samples(lead)]
            rows.append(cells)
        return Table(rows, (*header, f"{unit} to settle"))


def pair_parts(players: Sequence[PlayerResult], unit: str) -> list[Part]:
    """The result of two players: all measures of the first, and who is better.

    Where deals are shared, what is told by hand has no interval of its own: that of the deals stands in the next line.
    """
    first = players[0]
    spread = f"   SD {first.money.sd:.2f}" if first.money.count > 1 else ""
    shared = bool(first.duplicate)
    money = signed(first.money.mean) if shared else rate(first.money)
    found: list[Part] = [Words(f"money      {money} {unit} for {first.name}{'' if shared else ' (95%)'}{spread}")]
    if first.before_rake:
        found.append(Words(f"no rake    {rate(first.before_rake)}   before the house took its part"))
    others = {"duplicate": first.duplicate, "DIVAT": first.divat, "both": first.duplicate_divat}
    for label, estimate in others.items():
        if estimate:
            told = signed(estimate.mean) if shared and label == "DIVAT" else rate(estimate)
            told += " (95%)" if label == "duplicate" else ""
            needed = hands_needed(_fewer_hands(estimate, first.before_rake or first.money))
            note = f"   {needed} for the same certainty" if needed else ""
            found.append(Words(f"{label:<10} {told}{note}"))
    # Which measure decides is not chosen by what it says, nor by how narrow its interval came out.
    whose, decisive = ("DIVAT's ", first.skill) if first.skill else ("the ", first.best)
    ahead = players[0 if decisive.mean > 0 else 1].name
    if decisive.is_clear:
        found.append(Words(f"{ahead} is better: {whose}interval leaves out zero"))
    else:
        found.append(Words(f"not settled: {further(decisive, 'pairs' if first.duplicate else 'hands')}"))
    return found


def _fewer_hands(estimate: Estimate, money: Estimate) -> float:
    """How many times fewer hands a measure takes than money would if every hand had a deal of its own."""
    alone = [Estimate(each.mean, each.sd, each.count) for each in (money, estimate)]
    return (alone[0].margin / alone[1].margin) ** 2 if alone[1].margin else 0.0


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
