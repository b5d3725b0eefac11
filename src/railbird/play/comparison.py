"""Is the new bot better than the old one? Both play the same opponents on the same deals.

The unit is the deal: what the new bot made of it against an opponent, less what the old one made of it. The luck of the
cards is in both and mostly cancels, and so does that of the opponent's and the bots' own dice, which have the same keys
in both matches. Over several opponents a deal's differences are averaged before they are counted, since they are not
independent.

The intervals are those of `railbird.judging`: the difference in all and those by opponent are judged together. What
decides is chosen beforehand: where skill was assessed AIVAT if somebody's play is known, else DIVAT; otherwise money;
all of them by deal. Where learners begin anew with every episode it is by episode, whose deals are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.assess.shared_deals import HandEstimate
from railbird.errors import MatchError
from railbird.play.episodes import LearningCurves
from railbird.play.faults import Fault
from railbird.play.known_seats import KnownSeats
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult, fault_parts
from railbird.play.match_sums import PIECE, LoggedDeals, pieces
from railbird.play.restarts import restart_parts, restarts_of
from railbird.play.skill import divat_of
from railbird.results.figures import Figure, RunningTotal
from railbird.results.parts import Fitting, Heading, Part, Table
from railbird.results.parts import Line as Words
from railbird.results.result import PlayedResult
from railbird.statistics import Estimate, Moments
from railbird.words import count_of, favour, further, hands_needed, more_samples, rate, roughly, signed

MEASURES = {
    "money": "money",
    "duplicate": "duplicate money",
    "divat": "DIVAT",
    "duplicate_divat": "duplicate DIVAT",
    "aivat": "AIVAT",
    "duplicate_aivat": "duplicate AIVAT",
}
"""The measures of a difference, the one that decides last, and what they are called."""
_DUPLICATE = {"money": "duplicate", "divat": "duplicate_divat", "aivat": "duplicate_aivat"}
"""The same by deal."""
KINDS = tuple(_DUPLICATE)
"""What may be taken of a hand."""
Differences = NDArray[np.float64]


class _Sums:
    """Running sums of what the new bot and the old one made, by hand or by deal."""

    def __init__(self, deals: int) -> None:
        self.moments = Moments(3)
        """Of the new bot, the old one, and the difference."""
        self.curve = RunningTotal(deals)
        """How far the new bot is ahead."""
        self.has_difference = False

    def add(self, samples: Differences) -> None:
        """Count samples, by bot."""
        ahead = samples[0] - samples[1]
        self.moments.add(np.column_stack([*samples, ahead]))
        self.curve.add(ahead)
        self.has_difference |= bool(ahead.any())


@dataclass(frozen=True, repr=False)
class Comparison(PlayedResult):
    """Two bots against the same opponents on the same deals. Rates are small bets per hand."""

    names: tuple[str, str]
    """The new bot and the old one."""
    opponents: tuple[str, ...]
    matches: tuple[tuple[MatchResult, MatchResult], ...]
    """By opponent, the new bot's match and the old one's, in which they are the first player."""
    weights: tuple[float, ...] = ()
    """By opponent, how much it counts; all the same if there are none."""
    known: KnownSeats | None = field(default=None, compare=False)
    """Whose play is known, where AIVAT is to be told too."""

    @property
    def is_complete(self) -> bool:
        return all(match.is_complete for pair in self.matches for match in pair)

    @property
    def spec(self) -> MatchSpec:
        """What every match was asked to be; its players are those of the first."""
        return self.matches[0][0].spec

    @cached_property
    def deals(self) -> int:
        """How many deals all matches have come to."""
        return min(match.deals for pair in self.matches for match in pair)

    @property
    def episode(self) -> int:
        """How many deals make a sample: those after which learners begin anew, or one."""
        specs = [match.spec for pair in self.matches for match in pair]
        return max(spec.block_hands if spec.in_episodes else 1 for spec in specs)

    @cached_property
    def learning(self) -> LearningCurves | None:
        """How both bots do in the course of an episode, by the measure that decides; `None` where nobody learns, or
        only one episode is over."""
        return self.learned_by(next(kind for kind, by_deal in _DUPLICATE.items() if self.decisive in (kind, by_deal)))

    def learned_by(self, kind: str) -> LearningCurves | None:
        """The same in "money", or by "divat" or "aivat"."""
        episodes = self.deals // self.episode
        if self.episode == 1 or episodes < 2:
            return None
        parts = [self.made(first, last, kind) for first, last in pieces(episodes * self.episode)]
        made = np.concatenate(parts, axis=1).reshape(2, episodes, self.episode)
        return LearningCurves(self.names, made, MEASURES[kind], "pairs" if self.spec.duplicate else "hands")

    @property
    def is_assessed(self) -> bool:
        return all(match.divat is not None for pair in self.matches for match in pair)

    @property
    def measures(self) -> list[str]:
        """Those of `MEASURES` that there are."""
        found = [name for name in MEASURES if self.spec.duplicate or not name.startswith("duplicate")]
        skill = [*(["divat"] if self.is_assessed else []), *(["aivat"] if self.is_assessed and self.known else [])]
        return [name for name in found if not name.endswith("vat") or name.removeprefix("duplicate_") in skill]

    @property
    def decisive(self) -> str:
        """The measure by which the verdict is found."""
        return self.measures[-1]

    @property
    def claims(self) -> int:
        """How many differences are judged together: that against all opponents, and that against each."""
        return len(self.opponents) + 1 if len(self.opponents) > 1 else 1

    def difference(self, measure: str = "", opponent: str | None = None) -> Estimate:
        """How much more the new bot made than the old one, against all opponents or one; by default as it decides."""
        return replace(self._estimate(measure, opponent, 0, 0, 1), claims=self.claims)

    def rate(self, side: int, measure: str = "", opponent: str | None = None) -> Estimate:
        """What the new bot (0) or the old one (1) made, by itself."""
        return self._estimate(measure, opponent, 1 - side, side, 0)

    def _estimate(self, measure: str, opponent: str | None, *weights: float) -> Estimate:
        """What the sums of a measure come to. By hand it has the interval of the deals, whose hands are not
        independent."""
        found = self._sums_of(measure, opponent).moments.estimate(*weights)
        paired = _DUPLICATE.get(measure, "")
        if paired not in self.measures:
            return found
        return HandEstimate.of_deals(found, self._sums_of(paired, opponent).moments.estimate(*weights))

    @property
    def fewer_hands(self) -> float:
        """How many times fewer hands it takes on the same deals than it would on different ones."""
        alone = sum(self.rate(side).sd ** 2 for side in (0, 1))
        together = self.difference().sd ** 2
        return float(alone / together) if together else np.inf

    def _sums_of(self, measure: str, opponent: str | None) -> _Sums:
        """What is known of a measure, by default that which decides, against one opponent or all."""
        measure = measure or self.decisive
        if measure not in self.measures:
            raise MatchError(f"no measure {measure!r} of this comparison ({', '.join(self.measures)})")
        if opponent is not None and opponent not in self.opponents:
            raise MatchError(f"no opponent {opponent!r} in this comparison ({', '.join(self.opponents)})")
        return self._sums[measure, opponent]

    @cached_property
    def _sums(self) -> dict[tuple[str, str | None], _Sums]:
        """By measure and opponent (or all), from all deals, which are looked at part by part."""
        targets, size = (None, *self.opponents), max(1, PIECE // self.episode) * self.episode
        length = self.deals // self.episode
        found = {(measure, target): _Sums(length) for measure in self.measures for target in targets}
        for first, last in pieces(self.deals, size):
            for kind in (kind for kind in _DUPLICATE if kind in self.measures):
                each = [np.stack(self._both(pair, kind, first, last)) for pair in self.matches]
                for target, samples in zip(targets, [self._pooled(each), *each]):
                    for measure, by_deal in ((kind, False), (_DUPLICATE[kind], True)):
                        if measure in self.measures:
                            found[measure, target].add(self._counted(samples, by_deal))
        return found

    def _counted(self, samples: Differences, by_deal: bool) -> Differences:
        """What is one sample of a measure, by bot: a hand, a deal, or the deals of a whole episode."""
        if not by_deal and self.spec.duplicate:
            return samples.reshape(2, -1)
        by_deals = samples.mean(axis=1)
        whole = by_deals.shape[1] // self.episode * self.episode
        return np.asarray(by_deals[:, :whole].reshape(2, -1, self.episode).mean(axis=2))

    def _pooled(self, each: Sequence[Differences]) -> Differences:
        """What opponents come to together, each with its weight."""
        return np.asarray(np.average(each, axis=0, weights=self.weights or None))

    def sampled(self, first: int, last: int, kind: str = "money") -> Differences:
        """What the new bot made more than the old one against all opponents, in small bets, deal by deal."""
        new, old = self.made(first, last, kind)
        return np.asarray(new - old)

    def made(self, first: int, last: int, kind: str = "money") -> Differences:
        """What the new bot and the old one made against all opponents, in small bets, by bot and deal: in "money", or
        by "divat" or "aivat" from the logs, whether the matches are assessed or not."""
        each = [np.stack(self._both(pair, kind, first, last)) for pair in self.matches]
        return np.asarray(self._pooled(each).mean(axis=1))

    def _both(self, pair: tuple[MatchResult, MatchResult], kind: str, first: int, last: int) -> list[Differences]:
        """What the new bot made and what the old one made, by leg and hand. AIVAT against an opponent where nobody is
        known is DIVAT."""
        if kind == "aivat" and self.known and (imagined := self.known.imagined(*(match.spec for match in pair))):
            return [self.known.of(match, names, first, last) for match, names in zip(pair, imagined)]
        of = _money_in if kind == "money" else _divat_in
        return [of(match, first, last) for match in pair]

    @property
    def verdict(self) -> str:
        """Which bot is better, and how sure that is, in a sentence."""
        new, old = self.names
        found = self.difference()
        if not any(self._sums_of("money", name).has_difference for name in self.opponents):
            return f"no difference: {new} and {old} won the same in every one of {count_of(self.hands_each, 'hand')}"
        said = f"{favour(found, new, old, self.spec.game.rate_unit)} by {MEASURES[self.decisive]}"
        if not found.is_clear:
            return f"cannot tell yet: {said}; {further(found, self._unit)}"
        better, other = (new, old) if found.mean > 0 else (old, new)
        return f"{better} is better than {other}: {said}"

    @property
    def deals_to_settle(self) -> int | None:
        """How many deals in all would settle it if mean and deviation stay; `None` if that cannot be said, or it is."""
        more = self.difference().further_samples
        return roughly(self.deals + more * self.episode) if more else None

    @property
    def _unit(self) -> str:
        """What is counted."""
        return "episodes" if self.episode > 1 else "pairs" if self.spec.duplicate else "hands"

    @property
    def hands_each(self) -> int:
        """How many hands each bot has played in all."""
        return self.deals * self.spec.seating.legs * len(self.opponents)

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(fault for pair in self.matches for match in pair for fault in match.faults)

    @property
    def restarts(self) -> dict[str, int]:
        """By player, how often it was lost and started again, in all matches."""
        return restarts_of(match.restarts for pair in self.matches for match in pair)

    def parts(self) -> list[Part]:
        spec = self.spec
        kind = "duplicate pairs" if spec.duplicate else "hands"
        done = f"{self.deals:,}" if self.deals == spec.hands else f"{self.deals:,} of {spec.hands:,}"
        each = f"{done} {kind} against {'each of ' if len(self.opponents) > 1 else ''}{', '.join(self.opponents)}"
        facts = (f"{spec.game.name} heads-up", each, spec.seed_words)
        found: list[Part] = [Heading(" vs ".join(self.names), facts), Words(self.verdict, style="bold")]
        found += [Words("", 0), self._differences(), Words("", 0), self._own_rates()]
        if self.learning:
            found += [Words("", 0), self.learning.table()]
        return [*found, *self._remarks(), *fault_parts(self.faults), *restart_parts(self.restarts)]

    def _targets(self) -> list[tuple[str, str | None]]:
        """What stands in a table: all opponents together, and each."""
        each: list[tuple[str, str | None]] = [(name, name) for name in self.opponents]
        return each if len(each) == 1 else [("all", None), *each]

    def _differences(self) -> Fitting:
        """The differences by opponent and measure; where there is little room, two measures at a time."""

        def table(measures: Sequence[str]) -> Table:
            rows = [
                (
                    name,
                    *(self._told(measure, opponent) for measure in measures),
                    *([more_samples(self.difference(opponent=opponent))] if self.decisive in measures else []),
                )
                for name, opponent in self._targets()
            ]
            decides = (f"{self._unit} more",) if self.decisive in measures else ()
            bold = (measures.index(self.decisive) + 1,) if self.decisive in measures else ()
            header = (f"{self.names[0]} ahead against", *(MEASURES[each] for each in measures), *decides)
            return Table(rows, header, folded=(0,), bold=bold)

        measures = self.measures
        pairs = [measures[at : at + 2] for at in range(0, len(measures), 2)]
        return Fitting(table(measures), tuple(table(pair) for pair in pairs))

    def _told(self, measure: str, opponent: str | None) -> str:
        """A difference with its interval, which by hand it has not of its own where deals are shared."""
        found = self.difference(measure, opponent)
        return signed(found.mean) if _DUPLICATE.get(measure) in self.measures else rate(found)

    def _own_rates(self) -> Table:
        rows = [
            (name, *(rate(self.rate(side, opponent=opponent)) for side in (0, 1))) for name, opponent in self._targets()
        ]
        return Table(rows, ("made, against", *self.names), folded=(0, 1, 2))

    def _remarks(self) -> list[Part]:
        level = "95%" if self.claims == 1 else f"95% for all {self.claims} of a column together"
        said = f"{self.spec.game.rate_unit}; intervals of the differences: {level}; {MEASURES[self.decisive]} decides"
        if needed := hands_needed(self.fewer_hands):
            said += f"; the same deals take {needed} than different ones"
        words = [said, self._weight_words, self.known_words, self.episode_words]
        return [Words(each) for each in words if each]

    @property
    def _weight_words(self) -> str:
        """How much each opponent counts, unless all count the same."""
        total = sum(self.weights)
        shares = [f"{name} {weight / total:.0%}" for name, weight in zip(self.opponents, self.weights)]
        return f"of all: {', '.join(shares)}" if shares else ""

    @property
    def episode_words(self) -> str:
        """What one sample is, where learners begin anew."""
        if self.episode == 1:
            return ""
        size = f"{self.episode:,} {'pairs' if self.spec.duplicate else 'hands'}"
        return f"learners begin anew after every {size}; such an episode is one sample"

    @property
    def known_words(self) -> str:
        """Whose play AIVAT knows, where it is told."""
        return self.known.words(self.matches, self.opponents) if self.known else ""

    @property
    def known_json(self) -> dict[str, dict[str, str]]:
        """The same as JSON has it: by name, the bots whose play AIVAT makes use of."""
        return {"known": self.known.used(self.matches)} if self.known else {}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each opponent (and for all) and measure: the difference, and what each bot made."""
        return [
            {
                "opponent": name,
                "measure": measure,
                **self.difference(measure, opponent).to_json(),
                "new": self.rate(0, measure, opponent).mean,
                "old": self.rate(1, measure, opponent).mean,
            }
            for name, opponent in [("all", None), *((name, name) for name in self.opponents)]
            for measure in self.measures
        ]

    def figure(self) -> Figure:
        """How far the new bot is ahead, deal by deal, with its 95% interval as a band for all opponents together."""
        measure, hands = self.decisive, self.spec.seating.legs * self.episode
        lines = []
        for name, opponent in self._targets():
            curve = self._sums_of(measure, opponent).curve  # the decisive measure is by deal
            has_band = name == self._targets()[0][0]
            lines.append(curve.line(f"against {name}", hands, has_band, divisor=1 / hands))
        title = f"{self.names[0]} ahead of {self.names[1]}"
        return Figure(title, "hands against each", f"small bets by {MEASURES[measure]}", lines)

    def panels(self) -> Sequence[Figure]:
        """How far the new bot is ahead, and what is learned."""
        return [self.figure(), *([self.learning.figure()] if self.learning else [])]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.comparison/1."""
        return {
            "schema": "railbird.comparison/1",
            "unit": "small bets per hand",
            "new": self.names[0],
            "old": self.names[1],
            "game": self.spec.game.name,
            "deals": self.deals,
            "duplicate": self.spec.duplicate,
            "seed": self.spec.plain_seed,
            "verdict": self.verdict,
            "decisive": self.decisive,
            "claims": self.claims,
            "fewer_hands": self.fewer_hands,
            "overall": self._json_of(None),
            "against": {name: self._json_of(name) for name in self.opponents},
            **({"weights": dict(zip(self.opponents, self.weights))} if self.weights else {}),
            **self.known_json,
            **({"learning": self.learning.to_json()} if self.learning else {}),
            "faults": [str(fault) for fault in self.faults],
            "restarts": self.restarts,
        }

    def _json_of(self, opponent: str | None) -> dict[str, Any]:
        return {
            measure: {
                "difference": self.difference(measure, opponent).to_json(),
                "new": self.rate(0, measure, opponent).to_json(),
                "old": self.rate(1, measure, opponent).to_json(),
            }
            for measure in self.measures
        }


def _money_in(match: MatchResult, first: int, last: int) -> Differences:
    """What the first player won, in small bets, by leg and deal."""
    return match.hands.won(first, last)[:, :, 0] / match.spec.game.small_bet


def _divat_in(match: MatchResult, first: int, last: int) -> Differences:
    """The first player's DIVAT differences, by leg and deal: as they were assessed, or from the logs."""
    if match.divat is not None:
        return match.divat[:, first:last]
    assert isinstance(match.hands, LoggedDeals)
    return divat_of(match.spec, match.hands.logs, first, last)
