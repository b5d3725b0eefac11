"""Hands of any game assessed, as a result: money, all-in equity and luck by street, as far as cards are known.

Heads-up limit hold'em with all cards known has DIVAT (`assess.assessed`). All other hands are told here: games without
a limit, three and more players, hidden cards.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from railbird.assess.assessed import AssessedHand, AssessedLog
from railbird.assess.card_luck import STREETS_WITH_CARDS
from railbird.assess.measure_table import MeasureRow, measure_table, surest_lines
from railbird.assess.place_table import duel_places, places_json, ring_places
from railbird.assess.player_sums import Kind, TableSums
from railbird.assess.summary import PairSummary
from railbird.assess.verdicts import luck_words
from railbird.errors import AssessmentError
from railbird.formats.hand_arrays import Problem
from railbird.results.figures import COLOURS, Figure
from railbird.results.figures import Line as FigureLine
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.words import count_of, favour, hands_needed, in_favour, rate, roughly

NAMES = {
    "money": "money",
    "before_rake": "before rake",
    "all_in": "by all-in equity",
    "less_luck": "less luck",
    "mivat": "MIVAT",
    "aivat": "AIVAT",
    "luck": "luck",
}
"""The measures that stand in tables, in words."""
_LESS_NOISE = ("all_in", "less_luck", "mivat", "aivat")
"""Those that are told beside money because they are surer."""
_MOST_PLAYERS = 20
_MOST_LINES = 10
"""Players who have lines: those with most hands."""
_FEW_LINES = 3
"""Of more players the lines of money are shown only where somebody is looked at alone."""
_DASHES = (("-", "--"), ("-.", ":"))
"""The lines less luck and of money, for the first eight players and for the next, who have the same colours."""
SHARED_DEALS = "intervals take each hand as one sample, and railbird results has those of the deals"


@dataclass(frozen=True, repr=False)
class AssessedTable(Result):
    """What the players at tables of one kind won, and how much of it was the luck of the board cards."""

    kind: str
    """As in "no-limit, heads-up"."""
    names: tuple[str, ...]
    """The players: of two the one who sits first in the first hand, of more those with most hands first."""
    sums: TableSums
    runtime: Estimate | None = None
    """Heads-up limit with hidden cards: DIVAT where all cards were shown and money where not, for the first player."""
    why: str = ""
    """Why DIVAT cannot be told, where it might be expected."""

    @property
    def is_duel(self) -> bool:
        return len(self.names) == 2

    @property
    def of(self) -> Kind:
        """The kind of table, and heads-up the two players, as `player_sums.kind_of` tells them of a hand."""
        return self.kind, tuple(sorted(self.names)) if self.is_duel else ()

    @property
    def pair(self) -> tuple[str, str]:
        """The two players of a duel."""
        return self.names[0], self.names[1]

    @property
    def unit(self) -> str:
        """What amounts are counted in, a hand."""
        return "sb/hand" if self.sums.is_limit else "bb/hand"

    @property
    def deciding(self) -> str:
        """The measure that decides, one that is right on average: AIVAT where players were named as known, else money
        less luck. It does not depend on what came out; `surest` does."""
        sums = self.sums
        right = ["aivat", "less_luck", *(["before_rake"] if sums.hidden_all_ins else ["all_in", "before_rake"])]
        return next((each for each in right if each in sums.measures), "money")

    @property
    def surest(self) -> str:
        """The measure that has least noise of those that are right on average."""
        right = [each for each in _LESS_NOISE if each in self.measures]
        if self.sums.hidden_all_ins and "all_in" in right:
            right.remove("all_in")
        return max(["money", *right], key=self.sums.worth)

    def estimate(self, measure: str, player: str | None = None) -> Estimate:
        """A measure of a player, by default of the first, in small bets or big blinds a hand."""
        if measure not in self.sums.measures:
            raise AssessmentError(f"{measure!r} cannot be had of these hands (there are {', '.join(self.measures)})")
        return self.sums.estimate(player or self.names[0], measure)

    @property
    def measures(self) -> list[str]:
        return self.sums.measures

    @property
    def verdict(self) -> str:
        """Who played better, as far as that is settled."""
        if not self.is_duel:
            together = len(self.names)
            clear = [(name, replace(self.estimate(self.deciding, name), claims=together)) for name in self.names]
            won = [name for name, each in clear if each.is_clear and each.mean > 0]
            lost = [name for name, each in clear if each.is_clear and each.mean < 0]
            said = [f"{_some(won)} clearly won" if won else "", f"{_some(lost)} clearly lost" if lost else ""]
            return f"{'; '.join(filter(None, said)) or 'Nobody clearly won or lost'} (95%, all judged together)."
        decided = self.estimate(self.deciding)
        if not decided.is_clear:
            verb = "does" if decided.count == 1 else "do"
            return f"{count_of(decided.count, 'hand')} {verb} not settle who plays better."
        better = in_favour(decided, *self.pair)[1]
        return f"{better} played better than {self.names[better == self.names[0]]}."

    def reasons(self) -> list[str]:
        """How sure it is, and what luck did, a sentence each; of two players."""
        if not self.is_duel:
            return self._limits()
        decided = self.estimate(self.deciding)
        words = {"less_luck": "Money less luck", "all_in": "All-in equity", "aivat": "AIVAT"}.get(
            self.deciding, "Money"
        )
        counted = count_of(decided.count, "hand")
        said = [f"{words} says {favour(decided, *self.pair, self.unit)} (95%), over {counted}."]
        money = "before_rake" if self.sums.raked else "money"
        if self.deciding != money:
            before = " before rake" if self.sums.raked else ""
            said.append(f"In money{before} it was {favour(self.estimate(money), *self.pair, self.unit)}.")
        if (more := decided.further_samples) and more < 20 * decided.count:
            said.append(f"About {count_of(roughly(more), 'more hand')} would settle it if mean and deviation stay.")
        if self.sums.has_luck:
            unit = self.unit.removesuffix("/hand")
            said.append(luck_words(self.estimate("luck"), decided.count, self.pair, unit))
        return [*said, *self._limits()]

    def _limits(self) -> list[str]:
        """What cannot be told of these hands, and why."""
        sums, said = self.sums, [self.why] if self.why else []
        if not sums.is_holdem:
            told = ", ".join(NAMES[each] for each in self.measures)
            said.append(f"Measures that take out luck are for hold'em; of this game there is {told}.")
        elif not sums.has_luck:
            said.append(
                f"{sums.hidden:,} of {count_of(sums.hands, 'hand')} hide cards that luck by street needs; what "
                f"remains: {', '.join(NAMES[each] for each in self.measures)}"
                f"{', runtime DIVAT' if self.runtime else ''}."
            )
        elif sums.hidden:
            said.append(f"{count_of(sums.hidden, 'hand')} with hidden cards, a trace, count by money and all-ins only.")
        if sums.hidden_all_ins:
            said.append(
                f"{sums.hidden_all_ins:,} of {count_of(sums.all_ins, 'all-in hand')} hide cards and count by money, so "
                "all-in equity does not decide."
            )
        if sums.has_shared_deals:
            said.append(f"Deals were played in several seatings: {SHARED_DEALS}.")
        return said

    def parts(self) -> list[Part]:
        counted = count_of(self.sums.hands, "hand")
        if self.is_duel:
            heading = Heading(f"{self.names[0]} vs {self.names[1]}", (counted, self.kind))
            return [heading, Line(self.verdict, style="bold"), *map(Line, self.reasons()), *self._duel_parts()]
        heading = Heading(count_of(len(self.names), "player"), (counted, self.kind))
        return [heading, Line(self.verdict, style="bold"), *map(Line, self.reasons()), *self._ring_parts()]

    def _duel_parts(self) -> list[Part]:
        first, unit = self.names[0], "small bets" if self.unit == "sb/hand" else "big blinds"
        money = self.estimate("money").sd
        rows = []
        for measure in NAMES:
            if measure in self.measures:
                estimate = self.estimate(measure)
                fewer = (money / estimate.sd) ** 2 if estimate.sd > 0 else 1.0
                needed = hands_needed(fewer) if measure in _LESS_NOISE else ""
                rows.append(MeasureRow.of(NAMES[measure], estimate, needed))
        if self.runtime is not None:
            rows.append(MeasureRow.of("runtime DIVAT", self.runtime, remark="not proven to be unbiased"))
        found: list[Part] = [Line(f"All measures, in {unit} a hand for {first} (95%):", 0), measure_table(rows)]
        found += self._surest_parts()
        if self.sums.has_luck:
            streets = ", ".join(f"{street} {rate(self.estimate(street))}" for street in STREETS_WITH_CARDS)
            found.append(Line(f"Luck by street, for {first}: {streets}"))
        return [*found, *duel_places(self.sums, first, self._by_place)]

    @property
    def _by_place(self) -> dict[str, str]:
        """What is told by position, in words: money, and the measure that decides."""
        return {each: NAMES[each] for each in dict.fromkeys(("money", self.deciding))}

    def _surest_parts(self) -> list[Part]:
        """Which measure says most, and what its hands are worth; nothing where money is the only one."""
        if not set(_LESS_NOISE) & set(self.measures):
            return []
        surest = self.surest
        return surest_lines(NAMES[surest], self.sums.worth(surest), self.sums.hands, self._margin(surest), self.unit)

    def _margin(self, measure: str) -> float:
        """What the intervals of a measure are wide, half of it: the root of the mean square over the players."""
        return float(np.sqrt(np.mean([self.estimate(measure, name).margin ** 2 for name in self.names])))

    def _sureness_parts(self) -> list[Part]:
        """How sure the measures are, over all players."""
        rows = []
        for measure in ("money", *_LESS_NOISE):
            if measure in self.measures and math.isfinite(margin := self._margin(measure)):
                sd = math.sqrt(sum(self.estimate(measure, name).sd ** 2 for name in self.names) / len(self.names))
                needed = hands_needed(self.sums.worth(measure)) if measure != "money" else ""
                rows.append(MeasureRow(NAMES[measure], f"± {margin:.3f}", f"SD {sd:.3f}", needed))
        if len(rows) < 2:
            return []
        return [
            Line("How sure the measures are, over all players (95%):", 0),
            measure_table(rows, "interval (95%)"),
            *self._surest_parts(),
        ]

    def _ring_parts(self) -> list[Part]:
        known = [each for each in NAMES if each in self.measures]
        shown = self.names[:_MOST_PLAYERS]
        rows = [
            (
                name,
                f"{self.estimate('money', name).count:,}",
                *(rate(self.estimate(each, name)) for each in known),
            )
            for name in shown
        ]
        found: list[Part] = [
            Table(rows, (f"{self.unit} (95%)", "hands", *(NAMES[each] for each in known)), repeated=1),
        ]
        if len(self.names) > len(shown):
            found.append(Line(f"and {len(self.names) - len(shown):,} more players (--json has all)"))
        if self.sums.has_luck:
            streets = [(name, *(rate(self.estimate(street, name)) for street in STREETS_WITH_CARDS)) for name in shown]
            found.append(Table(streets, ("luck by street", *STREETS_WITH_CARDS), repeated=1))
        return [*found, *ring_places(self.sums, shown, self._by_place), *self._sureness_parts()]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player and measure."""
        return [
            {"kind": self.kind, "player": name, "measure": measure, **self.estimate(measure, name).to_json()}
            for name in self.names
            for measure in self.measures
        ]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.assess-table/1."""
        return {
            "schema": "railbird.assess-table/1",
            "unit": "small bets per hand" if self.unit == "sb/hand" else "big blinds per hand",
            "kind": self.kind,
            "hands": self.sums.hands,
            "hidden": self.sums.hidden,
            "all_ins": self.sums.all_ins,
            "verdict": " ".join([self.verdict, *self.reasons()]),
            "players": [
                {
                    "name": name,
                    "measures": {each: self.estimate(each, name).to_json() for each in self.measures},
                    "positions": places_json(self.sums, name, self._by_place),
                }
                for name in self.names
            ],
            "worth": {each: self.sums.worth(each) for each in _LESS_NOISE if each in self.measures},
            "surest": self.surest,
            "runtime_divat": self.runtime and self.runtime.to_json(),
        }

    def figure(self) -> Figure:
        """What players won before rake, hand by hand, and the same less luck where that is known: that with its 95%
        interval, unless hands have a deal in common."""
        drawn = self.names[: 1 if self.is_duel else _MOST_LINES]
        lines = [line for at, name in enumerate(drawn) for line in self._lines_of(name, at, len(drawn))]
        unit = "small bets" if self.unit == "sb/hand" else "big blinds"
        title = f"{self.kind}: {count_of(self.sums.hands, 'hand')}"
        return Figure(title, "hands", unit, lines, self._lines_words(len(drawn)))

    def _lines_words(self, players: int) -> str:
        """What the lines are, in words."""
        less, whose = self.sums.has_luck, "each player" if players > 1 else self.names[0]
        said = [f"What {whose} won{', less luck' if less else ''}, added up"]
        if not self.sums.has_shared_deals:
            said.append(", with its 95% interval")
        said.append("; dashed: money." if less and players <= _FEW_LINES else ".")
        if len(self.names) > players > 1:
            said.append(f" Of {len(self.names):,} players the {players} with most hands.")
        if players > 1:
            said.append(" Choose a player below to see the lines alone")
            said.append(", with money." if less and players > _FEW_LINES else ".")
        return "".join(said)

    def _lines_of(self, name: str, at: int, players: int) -> list[FigureLine]:
        """The lines of one of so many players: money less luck and money, where there is no luck money alone."""
        curve, colour = self.sums.players[name].curve, COLOURS[at % len(COLOURS)]
        full, thin = _DASHES[at // len(COLOURS)]
        owner = name if players > 1 else ""
        margins = None if self.sums.has_shared_deals or len(curve.numbers) < 2 else curve.margins
        if not self.sums.has_luck:
            margin = margins and margins(0)
            return [FigureLine(f"{name}, money", curve.numbers, curve.totals(0), margin, colour, full, owner)]
        return [
            FigureLine(
                f"{name}, less luck", curve.numbers, curve.totals(1), margins and margins(1), colour, full, owner
            ),
            FigureLine(
                f"{name}, money", curve.numbers, curve.totals(0), None, colour, thin, owner, players > _FEW_LINES
            ),
        ]


@dataclass(frozen=True, repr=False)
class AssessedHands(Result):
    """All that can be told of hands of several games or tables: heads-up limit by DIVAT, others as far as they go."""

    results: tuple[Result, ...]
    problems: tuple[Problem, ...] = ()
    """Why hands were left out: the first of them."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many, by kind."""

    def parts(self) -> list[Part]:
        found = [part for result in self.results for part in result.parts()]
        if self.left_out:
            total = sum(self.left_out.values())
            found.append(Line(f"{count_of(total, 'hand')} left out, the first: {self.problems[0]}", 0, "yellow"))
        return found

    def rows(self) -> list[dict[str, Any]]:
        """The rows of all of them."""
        return [row for result in self.results for row in result.rows()]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.assess-hands/1."""
        return {
            "schema": "railbird.assess-hands/1",
            "results": [result.to_json() for result in self.results],
            "left_out": dict(self.left_out),
            "problems": [
                {"file": each.file, "line": each.line, "kind": each.kind, "message": each.message}
                for each in self.problems
            ],
        }

    def figure(self) -> Figure:
        """That of the first."""
        return self.results[0].figure()

    @property
    def limit_log(self) -> AssessedLog | None:
        """The hands of heads-up limit hold'em by DIVAT, if there are some."""
        return next((result for result in self.results if isinstance(result, AssessedLog)), None)

    @property
    def pairs(self) -> tuple[PairSummary, ...]:
        """The pairs of players that were assessed by DIVAT."""
        return self.limit_log.pairs if self.limit_log else ()

    def hand(self, number: int) -> AssessedHand:
        """The hands of a number, street by street, of heads-up limit hold'em."""
        if self.limit_log is None:
            raise AssessmentError("only hands of heads-up limit hold'em with all cards known go street by street")
        return self.limit_log.hand(number)


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown} and {len(names) - 5:,} more" if len(names) > 5 else shown


def assessed_tables(sums: Mapping[Kind, TableSums]) -> list[AssessedTable]:
    """The results of sums by kind of table."""
    found = []
    for (kind, pair), each in sums.items():
        order = sorted(each.players, key=lambda name: -each.players[name].every.count)
        found.append(AssessedTable(kind, tuple(each.players) if pair else tuple(order), each))
    return found
