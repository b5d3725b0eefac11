"""Tests of a gain: comparisons that end as soon as they may.

A test's folder is that of a comparison (`railbird.play.comparison_folder`) with two files more:

    test.json        the gain that matters, how often the test may be wrong, what differences are taken of, whose play
                     is known, and what the bots were; written first
    decision.json    what was decided, and after how many deals; written once

All matches go on in turn, so that the same deals of all of them are complete. They are looked at block by block in the
order of deals, whoever played them when, so that a test that was interrupted ends where it would have ended. A decision
is final: a test that is over is not played on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

from railbird.errors import AssessmentError, MatchError, did_you_mean
from railbird.files import write_whole
from railbird.json_files import Fields, read_json
from railbird.numbers import quoted
from railbird.play.comparison import KINDS, MEASURES, Comparison
from railbird.play.comparison_folder import (
    ComparisonSpec,
    comparison_folders,
    read_comparison,
    refuse_other_comparison,
)
from railbird.play.folder import MatchFolder, is_vacant, publish_keys
from railbird.play.gain_result import GainTest, Sample, ratio_bar, ratio_words, samples_of
from railbird.play.known_seats import KnownSeats, known_in, values_name
from railbird.play.match import MOST_HANDS
from railbird.play.match_result import MatchResult
from railbird.play.match_run import MatchRun
from railbird.play.match_sums import LoggedDeals
from railbird.play.players import player_of
from railbird.play.run import in_turn, play_runs
from railbird.play.set_aside import first_fit
from railbird.play.skill import can_be_assessed
from railbird.play.worker import Task
from railbird.progress import Watch
from railbird.sequential import GAIN, NO_GAIN, SequentialTest, StoppingRule
from railbird.statistics import FEWEST
from railbird.stopping import keeping
from railbird.words import rate, roughly
from railbird.workforce import Workforce

SCHEMA = "railbird.test-folder/1"
TEST, DECISION = "test.json", "decision.json"
LOOK_DEALS = 100
"""Deals between two looks; with learners there is one after every episode."""
MOST_GAIN = 1_000.0


@dataclass(frozen=True)
class GainTestSpec:
    """A test whether a new bot is better than an old one, by a gain that matters."""

    comparison: ComparisonSpec
    """Who plays whom, on how many deals at most."""
    rule: StoppingRule
    by: str = ""
    """What differences are taken of: money, divat or aivat; by default the best there is, which is known beforehand:
    AIVAT where somebody's play is known, else DIVAT where it knows the game, else money."""

    def __post_init__(self) -> None:
        rule, game = self.rule, self.comparison.game
        if self.by not in ("", *KINDS):
            raise MatchError(f"no measure {quoted(self.by)}{did_you_mean(self.by, KINDS)} ({', '.join(KINDS)})")
        if self.by in ("divat", "aivat") and not can_be_assessed(game):
            raise AssessmentError(f"{MEASURES[self.by]} is for heads-up limit hold'em, not for {game.name}")
        if self.by == "aivat" and not self.known:
            raise AssessmentError(
                "AIVAT needs an opponent whose play is known, such as equilibrium, or two such bots; leave out --by"
            )
        for what, number in (("gain", rule.gain), ("wrong", rule.wrong_gain), ("wrong", rule.wrong_none)):
            if not isinstance(number, Real):
                raise MatchError(f"{what} {quoted(number)}; it must be a number")
        if not 0 < rule.gain <= MOST_GAIN:
            raise MatchError(f"a gain of {rule.gain:g} sb/hand; it is above 0, as in --gain 0.05")
        for wrong in (rule.wrong_gain, rule.wrong_none):
            if not 1e-6 <= wrong <= 0.5:
                raise MatchError(f"wrong with a probability of {wrong:g}; it is 0.000001 to 0.5, as in --wrong 0.05")

    @cached_property
    def known(self) -> dict[str, str]:
        """Whose play is known, by name, if somebody is to be imagined."""
        seats = KnownSeats(known_in(match for pair in self.comparison.matches for match in pair))
        return seats.bots if any(seats.imagined(new, old) for new, old in self.comparison.matches) else {}

    @property
    def sample(self) -> Sample:
        """What one sample is."""
        best = "money" if not can_be_assessed(self.comparison.game) else "divat"
        measure = self.by or ("aivat" if best == "divat" and self.known else best)
        return Sample(self.comparison.episode if self.comparison.has_episodes else 1, measure)

    def to_json(self) -> dict[str, Any]:
        """What test.json says."""
        bots = (self.comparison.new, self.comparison.old, *self.comparison.against)
        sample = self.sample
        return {
            "schema": SCHEMA,
            "gain": self.rule.gain,
            "wrong_gain": self.rule.wrong_gain,
            "wrong_none": self.rule.wrong_none,
            "deals_in_sample": sample.deals,
            "measure": sample.measure,
            **({"known": self.known, "values": values_name()} if sample.measure == "aivat" else {}),
            "files": [player_of(bot).fingerprint() for bot in bots],
        }

    def as_begun(self, path: Path) -> GainTestSpec:
        """The same test; where it was begun in a folder and nobody says otherwise, by the measure that it has there."""
        if self.by or not is_gain_test(path):
            return self
        with suppress(OSError, ValueError):  # a file that is damaged is refused elsewhere
            return replace(self, by=_told_in(read_json(path / TEST)).sample.measure)
        return self


def run_gain_test(path: Path, spec: GainTestSpec, workers: Workforce = None, watch: Watch | None = None) -> GainTest:
    """Play (or go on with) a test in `path` until it is decided or there are no more deals."""
    spec = spec.as_begun(path)
    if (path / DECISION).exists():  # however many deals are asked for now
        _refuse_others(path, replace(spec, comparison=replace(spec.comparison, hands=1)))
        return read_gain_test(path)
    if not is_vacant(path):
        _refuse_others(path, spec)
    _refuse_short(spec.comparison)
    folders = comparison_folders(path, spec.comparison)
    if not (path / TEST).exists():
        write_whole(path / TEST, json.dumps(spec.to_json(), indent=2) + "\n")
    words = f"all hands that were played are kept in {str(path)!r}; do the same again to go on"
    with ExitStack() as locks:
        for folder in folders:
            locks.enter_context(folder.lock())
        running = _Running(spec, _told_in(read_json(path / TEST)), folders, watch)
        with keeping(words):
            running.look()
        if not running.is_over:
            play_runs(running.runs, workers, running.told, running.in_turn)
        with keeping(words):
            running.look()
            running.keep()
        if running.is_over:
            _write_decision(path, running.test, spec.sample.deals)
        if running.is_over or all(log.is_finished for run in running.runs for log in run.logs):
            publish_keys(folders)
    return read_gain_test(path, running.test)


def _refuse_short(asked: ComparisonSpec) -> None:
    """Refuse a test that has no whole episode of those who learn: there would be nothing to look at."""
    if not asked.has_episodes or asked.hands >= asked.episode:
        return
    unit, shortest = "pairs" if asked.duplicate else "hands", asked.episode
    raise MatchError(
        f"{asked.hands:,} {unit} are fewer than one episode of {' and '.join(asked.learners)}, which is {shortest:,} "
        f"{unit} and one sample; ask for more, as in --hands {20 * shortest}, or for shorter episodes, as in "
        f"--episode {max(1, asked.hands // 20)}"
    )


class _Running:
    """A test being played."""

    def __init__(self, spec: GainTestSpec, told: _Told, folders: Sequence[MatchFolder], watch: Watch | None) -> None:
        self.spec = spec
        self.sample, self.known = told.sample, told.known
        self.runs = [MatchRun.begin(folder) for folder in folders]
        self.test = _new_test(told.rule, told.sample)
        self._watch = watch
        self._looked = 0
        """Deals that were looked at."""
        self._expected = 0
        """Hands that it may come to in all."""

    @property
    def is_over(self) -> bool:
        return bool(self.test.decision)

    def look(self) -> None:
        """Count the deals that all matches have come to since the last look."""
        sample = self.sample
        deals = min(hand for run in self.runs for hand in run.next_hand)
        complete = deals - deals % (sample.deals if sample.deals > 1 else LOOK_DEALS)
        if complete > self._looked and not self.is_over:
            self.test.add(samples_of(self._comparison(complete), sample, self._looked, complete))
            self._looked = complete

    def _comparison(self, deals: int) -> Comparison:
        played = [MatchResult(run.spec, LoggedDeals(run.logs, deals)) for run in self.runs]
        asked = self.spec.comparison
        pairs = tuple(zip(played[::2], played[1::2]))
        return Comparison(asked.names, asked.opponents, pairs, asked.weights, self.known)

    def keep(self) -> None:
        """Write what took long to compute."""
        if self.known:
            self.known.keep()

    def in_turn(self, runs: Sequence[tuple[int, MatchRun]]) -> Iterator[Task]:
        """What is left to do of matches, some deals of each in turn, as long as it is not over."""
        return takewhile(lambda _: not self.is_over, in_turn(runs))

    def told(self, done: int, total: int, _standing: str = "", /) -> None:
        """A watch of the matches: looks, and tells how far the test is."""
        self.look()
        if self._watch:
            self._watch(done, self._expected_hands(done, total), self._words)

    def _expected_hands(self, done: int, total: int) -> int:
        """How many hands it comes to on average if the difference stays, never more than are asked for. What was said
        stands as long as it is about right: a bar that moves all the time tells no time."""
        if self.is_over or not self.test.looks:
            return done if self.is_over else total
        legs = sum(run.spec.seating.legs for run in self.runs)
        left = max(1, self.test.further_samples * self.sample.deals * legs)
        if not 0.7 * left < self._expected - done < 1.4 * left:
            self._expected = done + roughly(left)
        return min(total, self._expected)

    @property
    def _words(self) -> str:
        """The ratio between its bounds, and the sequence; how far it is to both where the spread is not known."""
        if not self.test.looks:
            return ""
        found, ratio = self.test.estimate, ratio_words(self.test.log_ratio)
        if found.effective < FEWEST and not self.test.is_level:
            ratio = f"samples worth {found.effective:.0f} of {FEWEST}"  # before which the ratio is not taken
        return f"none {ratio_bar(self.test.log_ratio, self.spec.rule)} gain  {rate(found)}  {ratio}"


def read_gain_test(path: Path, looked_at: SequentialTest | None = None) -> GainTest:
    """The result of a test as far as it has been played, or as it was decided; its deals need not be looked at again
    by whoever has just done so."""
    try:
        told = _told_in(read_json(path / TEST))
        decision, deals = _decision_of(read_json(path / DECISION)) if (path / DECISION).exists() else ("", 0)
    except OSError as error:
        raise MatchError(f"no test in {str(path)!r}: {error.strerror}") from None
    except ValueError as error:
        raise MatchError(f"a file of the test in {str(path)!r} is damaged: {error}") from None
    found = read_comparison(path, deals, told.known)
    sample, test = told.sample, looked_at or _new_test(told.rule, told.sample)
    if not looked_at:
        test.add(samples_of(found, sample, 0, found.deals - found.deals % sample.deals))
        if told.known:
            told.known.keep()
    return GainTest(found, test, sample, decision)


def _new_test(rule: StoppingRule, sample: Sample) -> SequentialTest:
    return SequentialTest(rule, 1 if sample.deals > 1 else LOOK_DEALS)


def is_gain_test(path: Path) -> bool:
    """Whether a path is the folder of a test."""
    return (path / TEST).is_file()


def default_test_folder(path: Path, spec: GainTestSpec) -> Path:
    """Where a test goes if nobody says where: `path`, or with a number after it where another one lies there."""

    def fits(folder: Path) -> bool:
        if is_vacant(folder):
            return True
        with suppress(MatchError):
            _refuse_others(folder, spec.as_begun(folder))
            return True
        return False

    return first_fit(path, fits)


def _refuse_others(path: Path, spec: GainTestSpec) -> None:
    """Refuse a folder that holds anything but this test, or this comparison, which can become one."""
    refuse_other_comparison(path, spec.comparison)
    if not is_gain_test(path):
        return
    asked = spec.to_json()
    try:
        begun = Fields(read_json(path / TEST), "the test")
        told = _told_in(begun.found)
        files = begun.texts("files")
    except (OSError, ValueError) as error:
        raise MatchError(f"{path / TEST} is damaged: {error}") from None
    if files != asked["files"]:
        raise MatchError(f"a bot has changed since the test in {str(path)!r} was begun; choose another --out")
    then = {**begun.found, "measure": told.sample.measure}
    for name in ("gain", "wrong_gain", "wrong_none", "deals_in_sample", "measure", "values"):
        if then.get(name) != asked.get(name):
            said = f"{name.replace('_', ' ')} {quoted(then.get(name))} (now {asked.get(name)})"
            raise MatchError(f"{str(path)!r} holds a test with {said}; choose another --out")


class _Told(NamedTuple):
    """What a test's file tells."""

    rule: StoppingRule
    sample: Sample
    known: KnownSeats | None


def _told_in(manifest: Any) -> _Told:
    """What a test's file tells; refuses one that is not whole."""
    told = Fields(manifest, "the test")
    if told.text("schema") != SCHEMA:
        raise ValueError(f"it is not a test of this version (schema {SCHEMA})")
    wrong = [told.decimal(name, 1e-6, 0.5) for name in ("wrong_gain", "wrong_none")]
    rule = StoppingRule(told.decimal("gain", 1e-12, MOST_GAIN), *wrong)
    if "measure" not in told.found:  # of a test that was begun before there was AIVAT
        told = Fields({**told.found, "measure": "divat" if told.flag("divat") else "money"}, told.what)
    measure = told.text("measure")
    if measure not in KINDS:
        raise ValueError(f"{quoted(measure)} is no measure")
    sample, known = Sample(told.whole("deals_in_sample", 1, MOST_HANDS), measure), None
    if measure == "aivat":
        bots = told.fields("known")
        known = KnownSeats({name: bots.text(name) for name in bots.found})
    return _Told(rule, sample, known)


def _decision_of(content: Any) -> tuple[str, int]:
    """What was decided, and after how many deals."""
    told = Fields(content, "the decision")
    decision = told.text("decision")
    if decision not in (GAIN, NO_GAIN):
        raise ValueError(f"{quoted(decision)} is no decision")
    return decision, told.whole("deals", 1, MOST_HANDS)


def _write_decision(path: Path, test: SequentialTest, size: int) -> None:
    decided = {"decision": test.decision, "deals": test.samples * size, "log_ratio": test.log_ratio}
    write_whole(path / DECISION, json.dumps(decided, indent=2) + "\n")
