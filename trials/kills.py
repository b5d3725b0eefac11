"""Kills and stops at random moments, after which a match must have the same bytes as one that was left alone.

A kill (signal 9) hits the process that was started, one of its workers, or all of them; the same command is then given
again. A stop halts them for a while, as Ctrl-Z or the lid of a laptop does; the match then goes on by itself. After
either, logs, manifest and result must be those of a run that nobody disturbed, and no process may be left.

    python -m trials kills
    python -m trials kills --kills 20 --stops 4 --stop-seconds 4 --limit 1

Signals go only to processes that this trial has started: each is known by a word in its environment.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree

BOTS = Path(__file__).parent / "patient_bots.py"
MARK = "RAILBIRD_TRIAL"
LEFTOVER_SECONDS = 20.0
"""So long after a kill a process may still be about to notice that the others are gone."""
LONGEST_SECONDS = 600.0
MOST_MISSES = 20
"""A signal that comes after the end is given again at another moment, so often at most."""
TARGETS = ("parent", "worker", "group")


@dataclass(frozen=True)
class Case:
    """A match that is disturbed."""

    name: str
    players: tuple[str, ...]
    hands: int
    options: tuple[str, ...] = ()
    has_workers: bool = True
    """Whether it is played in other processes than the one that was started."""

    @property
    def targets(self) -> tuple[str, ...]:
        return TARGETS if self.has_workers else ("parent",)


_PATIENT, _STUDENT = f"{BOTS}:Patient", f"{BOTS}:Student"
CASES = (
    Case("compiled", ("random", "always-raise"), 400_000, ("--workers", "1"), has_workers=False),
    Case("compiled, duplicate", ("random", "always-raise"), 200_000, ("--duplicate",), has_workers=False),
    Case("built in", ("expert", "random"), 12_000, ("--workers", "1"), has_workers=False),
    Case("built in, 2 workers", ("expert", "random"), 6_000, ("--workers", "2", "--duplicate")),
    Case("built-in learner", ("vexbot", "random"), 200, ("--workers", "1", "--duplicate"), has_workers=False),
    Case("built-in learner, 2 workers", ("vexbot", "random"), 1_100, ("--workers", "2", "--duplicate")),
    Case("from a file", (_PATIENT, "random"), 1_000, ("--workers", "1")),
    Case("from a file, 2 workers", (_PATIENT, "expert"), 700, ("--workers", "2", "--duplicate")),
    Case("learner from a file", (_STUDENT, "random"), 500, ("--workers", "1")),
    Case("learner from a file, 2 workers", (_STUDENT, _PATIENT), 250, ("--workers", "2", "--duplicate")),
    Case("three seats, no limit", (_STUDENT, _PATIENT, "random"), 300, ("--workers", "2", "--game", "no-limit")),
)


@dataclass
class Run:
    """A command that was started, with all processes that come of it."""

    case: Case
    folder: Path
    limit_seconds: float
    word: str = field(default_factory=lambda: secrets.token_hex(8))

    def __post_init__(self) -> None:
        self.began = time.monotonic()
        match = ["match", *self.case.players, "--hands", str(self.case.hands), *self.case.options]
        rest = ["--decision-seconds", f"{self.limit_seconds:g}", "--seed", "12", "--no-divat", "--json"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "railbird", *match, *rest, "--out", str(self.folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, MARK: self.word, "RAILBIRD_PROGRESS": "no"},
        )

    @property
    def is_over(self) -> bool:
        return self.process.poll() is not None

    def others(self) -> list[int]:
        """The processes that came of the one that was started, and are at work."""
        return [pid for pid in marked(self.word) if pid != self.process.pid and not is_helper(pid)]

    def signalled(self, target: str, number: int) -> list[int]:
        """Send a signal to the process, to one of its workers or to all; who got it."""
        chosen: list[int] = []
        if target == "worker":
            while not (chosen := self.others()) and not self.is_over:
                time.sleep(0.005)
            chosen = random.sample(chosen, min(1, len(chosen)))
        elif not self.is_over:
            chosen = [self.process.pid] if target == "parent" else [self.process.pid, *self.others()]
        return [pid for pid in chosen if sent(pid, self.word, number)]

    def ended(self) -> Outcome:
        """What came of it, when it is over."""
        out, err = self.process.communicate(timeout=LONGEST_SECONDS)
        return Outcome(self.process.returncode, out, err, contents(self.folder))

    def leftovers(self) -> list[int]:
        """Processes that are still there although whoever started them is gone; they are ended."""
        deadline = time.monotonic() + LEFTOVER_SECONDS
        while (found := marked(self.word)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return [pid for pid in found if sent(pid, self.word, signal.SIGKILL)]


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and what lies in its folder."""

    code: int
    out: str
    err: str
    files: dict[str, bytes]

    @property
    def faults(self) -> str:
        """What bots are said to have done wrong, the first of it."""
        with suppress(ValueError, LookupError):
            return str(json.loads(self.out)["faults"][0])
        return self.out[-300:]

    def difference(self, other: Outcome) -> str:
        """What is not as in another run; nothing if all is."""
        if self.code != other.code:
            return f"exit code {self.code}: {self.err.strip()[-300:] or self.faults}"
        for name in sorted(self.files.keys() | other.files.keys()):
            if self.files.get(name) != other.files.get(name):
                return f"{name} differs"
        mine, others = json.loads(self.out), json.loads(other.out)
        return "" if {**mine, "folder": ""} == {**others, "folder": ""} else "the result differs"


@dataclass(frozen=True)
class Disturbance:
    """A kill or a stop to be."""

    case: Case
    target: str
    is_stop: bool
    seed: int

    def __str__(self) -> str:
        return f"{'stop' if self.is_stop else 'kill'} of the {self.target}, {self.case.name}"


def marked(word: str) -> list[int]:
    """The processes with this word in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if f"{MARK}={word}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


def is_helper(pid: int) -> bool:
    """Whether a process only tidies up after others of Python's."""
    with suppress(OSError):
        return b"resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def sent(pid: int, word: str, number: int) -> bool:
    """Send a signal to a process if it has the word, even if its number has meanwhile become another's."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if pid not in marked(word):
            return False
        signal.pidfd_send_signal(handle, number)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a match by name: manifest, game and logs."""
    kinds = (".json", ".game", ".log")
    return {each.name: each.read_bytes() for each in sorted(folder.glob("*")) if each.suffix in kinds}


def hands_in(folder: Path) -> int:
    return sum(each.read_bytes().count(b"\nSTATE:") for each in folder.glob("hands*.log"))


class Trial:
    """All disturbances, and what was found."""

    def __init__(self, folder: Path, limit_seconds: float, stop_seconds: float) -> None:
        self.folder = folder
        self.limit_seconds = limit_seconds
        self.stop_seconds = stop_seconds
        self.undisturbed: dict[str, Outcome] = {}
        self.seconds: dict[str, float] = {}
        self.first_hands: dict[str, float] = {}
        """By match, how long it takes undisturbed, and until its first hands are written."""
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []

    def measure(self, case: Case) -> None:
        """Play a match that nobody disturbs, and see how long it takes."""
        path = self.folder / f"{case.name.replace(' ', '-')}"
        run = Run(case, path, self.limit_seconds)
        while not run.is_over:
            if case.name not in self.first_hands and hands_in(path):
                self.first_hands[case.name] = time.monotonic() - run.began
            with suppress(subprocess.TimeoutExpired):
                run.process.wait(0.02)
        outcome = run.ended()
        if outcome.code:
            raise SystemExit(f"error: {case.name} fails undisturbed: {outcome.err.strip()[-500:]}")
        self.seconds[case.name] = time.monotonic() - run.began
        self.undisturbed[case.name] = outcome
        rmtree(path)

    def disturb(self, planned: Disturbance) -> str:
        """Disturb a match once and let it come to its end; what was wrong, and nothing if all was right."""
        moments = random.Random(planned.seed)
        for attempt in range(MOST_MISSES):
            path = self.folder / f"{planned.seed:x}-{attempt}"
            problem = self._disturbed(planned, path, moments)
            if problem is not None:
                break
            rmtree(path, ignore_errors=True)
            self.counts["came too late, done again"] += 1
        else:
            return f"{planned}: came too late {MOST_MISSES} times"
        if not problem:
            rmtree(path, ignore_errors=True)
            self.counts["stops" if planned.is_stop else "kills"] += 1
            return ""
        return f"{planned}: {problem} (seed {planned.seed}, {path})"

    def _wait(self, run: Run, moments: random.Random) -> None:
        """Wait for the moment of a disturbance: two times in three while hands are being written, else at any time."""
        seconds = self.seconds[run.case.name]
        if moments.random() < 1 / 3:
            pause = moments.uniform(0.1 * seconds, seconds)
        else:
            while not hands_in(run.folder) and not run.is_over:
                time.sleep(0.01)
            pause = moments.uniform(0.0, seconds - self.first_hands.get(run.case.name, 0.0))
        with suppress(subprocess.TimeoutExpired):
            run.process.wait(pause)

    def _disturbed(self, planned: Disturbance, path: Path, moments: random.Random) -> str | None:
        """What was wrong; None if the signal came after the end."""
        case = planned.case
        run = Run(case, path, self.limit_seconds)
        self._wait(run, moments)
        hit = run.signalled(planned.target, signal.SIGSTOP if planned.is_stop else signal.SIGKILL)
        if not hit:
            run.ended()
            return None
        self.counts["with hands in the log"] += hands_in(path) > 0
        if planned.is_stop:
            time.sleep(self.stop_seconds)
            for pid in hit:
                sent(pid, run.word, signal.SIGCONT)
        outcome = run.ended()
        if left := run.leftovers():
            return f"{len(left)} processes were left"
        if planned.target != "worker" and not planned.is_stop:
            again = Run(case, path, self.limit_seconds)
            outcome = again.ended()
            if left := again.leftovers():
                return f"{len(left)} processes were left"
        return outcome.difference(self.undisturbed[case.name])


def disturbances(cases: Sequence[Case], kills: int, stops: int, chance: random.Random) -> Iterator[Disturbance]:
    """As many kills and stops as are wanted, each case and target in its turn."""
    for is_stop, count in ((False, kills), (True, stops)):
        places = [(case, target) for case in cases for target in case.targets]
        chance.shuffle(places)
        for number in range(count):
            case, target = places[number % len(places)]
            yield Disturbance(case, target, is_stop, chance.getrandbits(40))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials kills", description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=200, help="how many kills (200)")
    parser.add_argument("--stops", type=int, default=50, help="how many stops (50)")
    parser.add_argument("--stop-seconds", type=float, default=15.0, help="how long a stop lasts (15)")
    parser.add_argument("--limit", type=float, default=5.0, help="seconds for a decision, fewer than a stop lasts (5)")
    parser.add_argument("--only", default="", help="only matches with this in their name")
    parser.add_argument("--at-once", type=int, default=1, help="how many matches are disturbed at a time (1)")
    parser.add_argument("--seed", type=int, default=None, help="the same seed plans the same disturbances")
    parser.add_argument("--short", type=int, default=1, help="so many times fewer hands (1)")
    asked = parser.parse_args(arguments)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    cases = [
        Case(each.name, each.players, each.hands // asked.short, each.options, each.has_workers)
        for each in CASES
        if asked.only in each.name
    ]
    if not cases:
        parser.error(f"no match has {asked.only!r} in its name ({'; '.join(each.name for each in CASES)})")
    folder = Path(tempfile.mkdtemp(prefix="railbird-kills-"))
    return _run(Trial(folder, asked.limit, asked.stop_seconds), cases, asked, seed)


def _run(trial: Trial, cases: Sequence[Case], asked: argparse.Namespace, seed: int) -> int:
    planned = list(disturbances(cases, asked.kills, asked.stops, random.Random(seed)))
    used = [case for case in cases if any(each.case == case for each in planned)]
    print(f"{len(used)} matches, {asked.kills} kills, {asked.stops} stops of {asked.stop_seconds:g} s, seed {seed}")
    for case in used:
        trial.measure(case)
        print(f"  {case.name}: {trial.seconds[case.name]:.1f} s undisturbed", flush=True)
    with ThreadPoolExecutor(asked.at_once) as pool:
        for number, problem in enumerate(pool.map(trial.disturb, planned), 1):
            if problem:
                trial.problems.append(problem)
                print(f"  {problem}", flush=True)
            elif number % 10 == 0:
                print(f"  {number} of {len(planned)}", flush=True)
    told = ", ".join(f"{count} {what}" for what, count in trial.counts.items() if count)
    print(f"byte-identical: {told}; {len(trial.problems)} problems")
    if not trial.problems:
        rmtree(trial.folder, ignore_errors=True)
    return 1 if trial.problems else 0
