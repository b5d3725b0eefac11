"""What came of a person's time at a table: money, skill, and the best and the worst decision."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from railbird.assess.departures import Departure, departures
from railbird.assess.measure_table import telling_words
from railbird.assess.summary import PairSummary
from railbird.game.spec import Structure
from railbird.play.assessing import assess
from railbird.play.known_seats import known_texts, verdict_words
from railbird.play.match_result import MatchResult, fault_parts
from railbird.play.sitting import Sitting
from railbird.play.skill import can_be_assessed
from railbird.progress import Bar
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.statistics import FEWEST, Estimate
from railbird.words import count_of, further, rate


@dataclass(frozen=True, repr=False)
class SittingReport(Result):
    """A person's result at a table, all hands that were ever played there counting."""

    match: MatchResult
    seat: int
    hands_now: int
    """How many of the hands were played this time."""
    waiting_hand: int | None = None
    """A hand that was broken off and will go on."""
    pair: PairSummary | None = None
    """The hands assessed, where that was done."""

    @property
    def name(self) -> str:
        return self.match.spec.names[self.seat]

    @property
    def hands(self) -> int:
        return self.match.deals

    @property
    def money(self) -> Estimate:
        """Small bets a hand."""
        return self.match.players[self.seat].money

    @property
    def divat(self) -> Estimate | None:
        """Skill in small bets a hand, without the luck."""
        if self.pair is None:
            return None
        found = self.pair.estimate("divat")
        return found if self.pair.first == self.name else found.opposite

    @property
    def aivat(self) -> Estimate | None:
        """The same with less luck still, where the other player is known and there are hands enough."""
        if self.pair is None or self.pair.aivat is None:
            return None
        found = self.pair.estimate("aivat")
        return found if self.pair.first == self.name else found.opposite

    @property
    def departures(self) -> list[Departure]:
        """Decisions that the baseline would have made otherwise, the worst first."""
        return departures(self.pair, self.name) if self.pair else []

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.sitting/1."""
        made = self.departures
        return {
            "schema": "railbird.sitting/1",
            "name": self.name,
            "hands": self.hands,
            "hands_now": self.hands_now,
            "unit": "small bets per hand",
            "money": self.money.to_json(),
            "divat": self.divat.to_json() if self.divat else None,
            "aivat": self.aivat.to_json() if self.aivat else None,
            "best": made[-1].to_json() if made and made[-1].gain > 0 else None,
            "worst": made[0].to_json() if made and made[0].gain < 0 else None,
            "faults": [str(fault) for fault in self.match.faults],
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each decision that the baseline would have made otherwise."""
        return [departure.to_json() for departure in self.departures]

    def parts(self) -> list[Part]:
        spec = self.match.spec
        others = [name for seat, name in enumerate(spec.names) if seat != self.seat]
        seats = "heads-up" if spec.game.seats == 2 else f"{spec.game.seats} seats"
        counted = count_of(self.hands, "hand")
        counted += f", {self.hands_now:,} of them now" if self.hands_now != self.hands else ""
        found: list[Part] = [Heading(f"{self.name} vs {', '.join(others)}", (f"{spec.game.name} {seats}", counted))]
        found += self._result_parts() if self.hands else [Line("no hand was finished")]
        if self.waiting_hand is not None:
            found.append(Line(f"hand {self.waiting_hand} waits for you: it is not counted, and goes on next time"))
        return [*found, *fault_parts(self.match.faults), *self._hint_parts()]

    def _result_parts(self) -> list[Part]:
        spec = self.match.spec
        unit = "sb" if spec.game.structure is Structure.FIXED_LIMIT else "bb"
        chips = self.match.money.totals
        won = f"{chips[self.seat]:+,} chips in all"
        rows = [("money", f"{rate(self.money)} {unit}/hand for {self.name} (95%), {won}")]
        if self.divat:
            settled = "the interval leaves out zero" if self.divat.is_clear else further(self.divat, "hands")
            rows.append(("DIVAT", f"{rate(self.divat)}, skill without the luck: {settled}"))
        if self.aivat:
            settled = "the interval leaves out zero" if self.aivat.is_clear else further(self.aivat, "hands")
            needed = telling_words(self.aivat.count, self.aivat.margin)
            rows.append(("AIVAT", f"{rate(self.aivat)}, with less luck still: {settled}; {needed}"))
        elif words := verdict_words(spec):
            rows.append(("AIVAT", f"from {count_of(FEWEST, 'hand')} on: {words}"))
        made = self.departures
        if made and made[-1].gain > 0:
            rows.append(("best decision", _decision(made[-1])))
        if made and made[0].gain < 0:
            rows.append(("worst decision", _decision(made[0])))
        found: list[Part] = [Table(rows, words=2, folded=(1,))]
        if spec.game.seats > 2:
            standings = sorted(zip(spec.names, chips), key=lambda each: -each[1])
            found.append(Table([(name, f"{won:+,}") for name, won in standings], ("", "chips")))
        return found

    def _hint_parts(self) -> list[Part]:
        """The commands that tell more."""
        if not self.hands or self.match.folder is None:
            return []
        folder = shlex.quote(str(self.match.folder))
        made = self.departures
        hand = made[0].hand if made else max(0, self.hands - 1)
        found: list[Part] = [Line(f"a hand again, all cards open: railbird replay {folder} {hand}", 0)]
        if self.pair:
            found.append(Line(f"what was skill and what was luck: railbird assess {folder} --html report.html", 0))
        return found


def sitting_report(sitting: Sitting, with_divat: bool = True, progress: bool | Bar = False) -> SittingReport:
    """The report of a sitting, from the hands in its folder; with DIVAT where the game can be assessed, and with AIVAT
    where there are hands enough and the other player is known."""
    folder = sitting.folder
    match = folder.result()
    hands = match.deals
    pair = None
    if with_divat and hands and can_be_assessed(folder.spec.game):
        known = known_texts(folder.spec) if hands >= FEWEST else ()
        [pair] = assess(folder.path, game=folder.spec.game, known=known, progress=progress).pairs
    waiting = hands if sitting.is_in_mid_hand else None
    return SittingReport(match, sitting.seat, hands - sitting.first_hand, waiting, pair)


def _decision(departure: Departure) -> str:
    return f"{departure.gain:+.2f} sb, hand {departure.hand}: {departure.words}"
