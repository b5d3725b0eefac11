"""What came of the gauntlet: a bot's place among those before it, and how much it takes of what there is to take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from railbird.play.match_result import MatchResult, fault_parts
from railbird.play.match_sums import pieces
from railbird.play.restarts import restart_parts, restarts_of
from railbird.results.parts import Heading, Part, Table
from railbird.results.parts import Line as Words
from railbird.results.result import PlayedResult
from railbird.statistics import Estimate, Moments
from railbird.words import rate


class Reference(NamedTuple):
    """An opponent of the gauntlet, and what its best response wins from it, in milli small bets per hand."""

    bot: str
    exploitability: float


class Recorded(NamedTuple):
    """A bot that has run the gauntlet before, and what it won on average."""

    bot: str
    overall: Estimate


@dataclass(frozen=True, repr=False)
class GauntletResult(PlayedResult):
    """What a bot won from every opponent of the gauntlet. Rates are small bets per hand."""

    version: int
    references: tuple[Reference, ...]
    matches: tuple[MatchResult, ...]
    """By opponent; the bot is the first player."""
    recorded: tuple[Recorded, ...]

    @property
    def name(self) -> str:
        return self.matches[0].spec.names[0]

    @cached_property
    def deals(self) -> int:
        """How many deals there are against each opponent."""
        return min(match.deals for match in self.matches)

    @property
    def is_complete(self) -> bool:
        return all(match.is_complete for match in self.matches)

    def rate(self, opponent: int) -> Estimate:
        """What it won from an opponent, by number."""
        return self.matches[opponent].players[0].best

    @cached_property
    def overall(self) -> Estimate:
        """What it won on average. All opponents have the same deals, so they are averaged deal by deal."""
        sums = Moments()
        for first, last in pieces(self.deals):
            won = [match.hands.won(first, last)[:, :, 0].mean(axis=0) / match.money.unit for match in self.matches]
            sums.add(np.mean(won, axis=0))
        return sums.estimate()

    @property
    def taken(self) -> float:
        """What share it takes of what the best responses to all opponents would."""
        return self.overall.mean / float(np.mean([each.exploitability / 1e3 for each in self.references]))

    def lead(self, other: Recorded) -> Estimate:
        """How far it is ahead of a bot before it, judged together with all of them. The deals are the same, which is
        not made use of: what is not separable here may be so by `railbird compare`."""
        ours, theirs = self.overall, other.overall
        error = math.hypot(ours.sd / math.sqrt(ours.count), theirs.sd / math.sqrt(theirs.count))
        count = min(ours.count, theirs.count)
        return Estimate(ours.mean - theirs.mean, error * math.sqrt(count), count, len(self.others))

    @property
    def others(self) -> tuple[Recorded, ...]:
        """The bots that it is placed among."""
        return tuple(each for each in self.recorded if each.bot != self.name)

    @property
    def place(self) -> int:
        return 1 + sum(each.overall.mean > self.overall.mean for each in self.others)

    @property
    def places(self) -> tuple[int, int]:
        """The best and the worst place that it may have, as far as bots are separable."""
        leads = [self.lead(each) for each in self.others]
        better = sum(lead.is_clear and lead.mean < 0 for lead in leads)
        worse = sum(lead.is_clear and lead.mean > 0 for lead in leads)
        return 1 + better, 1 + len(leads) - worse

    @property
    def badge(self) -> str:
        """All of it in a line."""
        first, last = self.places
        among = f"place {self.place} of {len(self.others) + 1}" + (f" ({first} to {last})" if first < last else "")
        return f"gauntlet {self.version}: {self.name} {among}, {rate(self.overall)} sb/hand, takes {self.taken:.0%}"

    def parts(self) -> list[Part]:
        spec = self.matches[0].spec
        done = f"{self.deals:,}" if self.deals == spec.hands else f"{self.deals:,} of {spec.hands:,}"
        facts = (f"{spec.game.name} heads-up", f"{done} duplicate pairs against each of {len(self.references)}")
        found: list[Part] = [
            Heading(f"gauntlet {self.version}: {self.name}", (*facts, spec.seed_words)),
            Words(self.badge, style="bold"),
            Words("", 0),
            self._opponents(),
            Words("", 0),
            self._standings(),
            Words("takes: the share of what the best responses to all opponents win"),
        ]
        if not all(self.lead(each).is_clear for each in self.others):
            found.append(Words(f"not separable from {self.name}: judged for all {len(self.others)} bots together, 95%"))
        faults = tuple(fault for match in self.matches for fault in match.faults)
        return [*found, *fault_parts(faults), *restart_parts(self.restarts)]

    @property
    def restarts(self) -> dict[str, int]:
        """By player, how often it was lost and started again, in all matches."""
        return restarts_of(match.restarts for match in self.matches)

    def _opponents(self) -> Table:
        rows = []
        for at, reference in enumerate(self.references):
            found, most = self.rate(at), reference.exploitability / 1e3
            rows.append((reference.bot, rate(found), f"{most:.3f}", f"{found.mean / most:.0%}"))
        mean = float(np.mean([each.exploitability / 1e3 for each in self.references]))
        rows.append(("all", rate(self.overall), f"{mean:.3f}", f"{self.taken:.0%}"))
        return Table(rows, ("against", "sb/hand (95%)", "best response", "takes"), bold=(1,))

    def _standings(self) -> Table:
        """All bots by what they won, this one among them."""
        listed = [(each.bot, each.overall, not self.lead(each).is_clear) for each in self.others]
        listed.append((self.name, self.overall, False))
        listed.sort(key=lambda each: -each[1].mean)
        rows = []
        for at, (name, found, is_alike) in enumerate(listed):
            mark = "<" if name == self.name else "not separable" if is_alike else ""
            rows.append((f"{at + 1}", name, rate(found), mark))
        return Table(rows, ("place", "bot", "sb/hand (95%)", ""), words=0, left=(1, 3))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each opponent, and for all."""
        found = [
            {"opponent": each.bot, "exploitability": each.exploitability / 1e3, **self.rate(at).to_json()}
            for at, each in enumerate(self.references)
        ]
        mean = float(np.mean([each.exploitability / 1e3 for each in self.references]))
        return [*found, {"opponent": "all", "exploitability": mean, **self.overall.to_json()}]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.gauntlet/1."""
        first, last = self.places
        return {
            "schema": "railbird.gauntlet/1",
            "version": self.version,
            "unit": "small bets per hand",
            "bot": self.name,
            "badge": self.badge,
            "deals": self.deals,
            "place": self.place,
            "places": [first, last],
            "of": len(self.others) + 1,
            "taken": self.taken,
            "overall": self.overall.to_json(),
            "against": {each.bot: self.rate(at).to_json() for at, each in enumerate(self.references)},
            "not_separable": [each.bot for each in self.others if not self.lead(each).is_clear],
            "faults": [str(fault) for match in self.matches for fault in match.faults],
            "restarts": self.restarts,
        }
