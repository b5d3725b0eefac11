"""`python -m trials attacks`: bots that hurt or cheat (tests/attack_bots) play a match and are checked, one by one.

A bot holds if nothing hangs, no traceback is shown, nothing is left running, nobody else is blamed, what is recorded is
true, texts, output and memory keep their bounds, what comes of it is what its class says (`in_match`, `in_check`), and
it gains nothing by cheating that `check-bot` does not find.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from railbird.check.knowledge import LIMIT, knowledge
from railbird.errors import RailbirdError
from railbird.formats.acpc import is_hand, parse_record
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem
from railbird.play.dealing import deals
from trials.watched import WatchedRun, watched_run

BOTS = Path(__file__).parent.parent / "tests" / "attack_bots"
SEED = 0
HANDS = 200
SECONDS = 1.0
DEADLINE_SECONDS = 60.0
MOST_SAID = 2_000_000
MOST_FOLDER = 4_000_000
MOST_MEMORY = 3_500_000_000
FAULT_SIGNS = 240
MORE_SIGNS = 120
"""What stands around a fault's text in a log: the hand, the player, the place."""
_FAULT = re.compile(r"# hand \d+: (\S+) (raised|illegal|timeout|hook): ")
_RUN = "import sys; sys.argv[0] = 'railbird'; from railbird.cli import main; main()"


_WIDTHS = (22, 16, 6, 34, 6, 9, 7, 9, 7)
_HEADING = ("bot", "match", "s", "check-bot", "s", "kB said", "MB", "sb/hand", "knows")


@dataclass(frozen=True)
class Attack:
    """An attack bot, and what must come of it."""

    file: Path
    name: str
    attempt: str
    """What it does, in a line."""
    in_match: frozenset[str]
    """What may come of a match: "plays", "refused", or the kinds of its faults."""
    in_check: frozenset[str]
    """What `check-bot` may say: "fit", "refused", or codes of which one must be found."""
    options: tuple[str, ...] = ()
    """More options of the match."""


@dataclass
class Outcome:
    """What came of it."""

    attack: Attack
    match: str = ""
    check: str = ""
    match_seconds: float = 0.0
    check_seconds: float = 0.0
    said_bytes: int = 0
    peak_bytes: int = 0
    win_rate: float = math.nan
    """In small bets a hand."""
    known: float = 0.0
    """How much the match shows that it knows hidden cards; see `railbird.check.knowledge`."""
    problems: list[str] = field(default_factory=list)


def attacks(only: str = "") -> list[Attack]:
    """The attack bots whose file or name contains `only`. Nothing is imported: reading them must be safe."""
    found = []
    for file in sorted(BOTS.rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and only.lower() in f"{file.relative_to(BOTS)}:{node.name}".lower():
                told = dict(_constants(node, ast.parse(file.read_text(encoding="utf-8"))))
                if "in_match" in told:
                    expected = [frozenset(told[key].split("|")) for key in ("in_match", "in_check")]
                    options = tuple(told.get("options", "").split())
                    attempt = (ast.get_docstring(node) or "").rstrip(".")
                    found.append(Attack(file.relative_to(BOTS), node.name, attempt, *expected, options))
    return found


def _constants(node: ast.ClassDef, module: ast.Module) -> Iterator[tuple[str, str]]:
    """The texts that a class gives names to; they may be sums of texts and names of the module."""
    names = {
        each.targets[0].id: each.value.value
        for each in module.body
        if isinstance(each, ast.Assign)
        and isinstance(each.targets[0], ast.Name)
        and isinstance(each.value, ast.Constant)
    }
    for each in node.body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            parts = [each.value.left, each.value.right] if isinstance(each.value, ast.BinOp) else [each.value]
            texts = [
                names.get(part.id) if isinstance(part, ast.Name) else getattr(part, "value", None) for part in parts
            ]
            if all(isinstance(text, str) for text in texts):
                yield each.targets[0].id, "".join(map(str, texts))


def tried(
    attack: Attack, hands: int = HANDS, more: Sequence[str] = (), checks: bool = True, seconds: float = SECONDS
) -> Outcome:
    """Have a bot play a match and be checked, in a folder of its own; `seconds` is what it may think."""
    outcome = Outcome(attack)
    with tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        shutil.copytree(BOTS, folder / "attack_bots")
        bot = f"attack_bots/{attack.file}:{attack.name}"
        settings = [
            f"--hands={hands}",
            "--seed",
            str(SEED),
            f"--decision-seconds={seconds:g}",
            "--out",
            "matches/trial",
        ]
        run = _railbird(["match", bot, "always-call", *settings, "--no-divat", *attack.options, *more], folder)
        outcome.match_seconds, outcome.said_bytes, outcome.peak_bytes = run.seconds, run.said_bytes, run.peak_bytes
        outcome.problems += [f"match: {what}" for what in _ill(run)]
        _judge_match(outcome, run, folder / "matches" / "trial", hands)
        if checks:
            run = _railbird(["check-bot", bot, f"--seconds={seconds:g}", "--json"], folder)
            outcome.check_seconds = run.seconds
            outcome.said_bytes = max(outcome.said_bytes, run.said_bytes)
            outcome.peak_bytes = max(outcome.peak_bytes, run.peak_bytes)
            outcome.problems += [f"check: {what}" for what in _ill(run)]
            _judge_check(outcome, run)
    return outcome


def _railbird(arguments: Sequence[str], folder: Path) -> WatchedRun:
    environment = {**os.environ, "RAILBIRD_PROGRESS": "no", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return watched_run([sys.executable, "-c", _RUN, *arguments], folder, DEADLINE_SECONDS, environment)


def _ill(run: WatchedRun) -> Iterator[str]:
    """What no command may do, whichever bot it is given."""
    if run.exit_code is None:
        yield f"no end within {DEADLINE_SECONDS:g} s"
    elif run.exit_code not in (0, 1, 2):
        yield f"exit code {run.exit_code}"
    if "Traceback (most recent call last)" in run.out + run.errors:
        yield "a traceback"
    if run.left:
        yield f"{len(run.left)} left running ({run.left[0]})"
    if run.said_bytes > MOST_SAID:
        yield f"{run.said_bytes / 1e6:,.0f} MB of output"
    if run.peak_bytes > MOST_MEMORY:
        yield f"{run.peak_bytes / 1e9:.1f} GB of memory"
    if not all(sign.isprintable() or sign in "\n\t" for sign in run.out + run.errors):
        yield "unprintable signs in the output"


def _judge_match(outcome: Outcome, run: WatchedRun, folder: Path, hands: int) -> None:
    attack, problems = outcome.attack, outcome.problems
    if run.exit_code is None:
        outcome.match = "hangs"
        return
    if any(line.startswith("error: ") for line in run.errors.splitlines()) and run.exit_code:
        outcome.match = "refused"
    logs = sorted(folder.glob("hands*.log"))
    texts = [log.read_text(encoding="utf-8", errors="replace") for log in logs]
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.exists() else 0
    if size > MOST_FOLDER:
        problems.append(f"match: a folder of {size / 1e6:,.0f} MB")
    faults = [fault for text in texts for line in text.splitlines() if (fault := _FAULT.match(line))]
    if any(player != attack.name for player, _ in (fault.groups() for fault in faults)):
        problems.append("match: the opponent is blamed")
    if any(len(fault.string) > FAULT_SIGNS + MORE_SIGNS for fault in faults):
        problems.append("match: long fault texts in the log")
    if not outcome.match:
        outcome.match = "+".join(sorted({fault[2] for fault in faults})) or "plays"
        if bool(faults) != bool(run.exit_code):
            problems.append(f"match: exit code {run.exit_code} with {len(faults)} faults ({run.last_line[:100]})")
        _judge_hands(outcome, logs, hands)
    if not set(outcome.match.split("+")) <= attack.in_match:
        problems.append(f"match: {outcome.match} ({run.last_line[:100]})")


def _judge_hands(outcome: Outcome, logs: Sequence[Path], hands: int) -> None:
    """Whether what is recorded is true, and whether the bot gained by knowing cards."""
    game, name = limit_holdem(), outcome.attack.name
    try:
        legs = [[parse_record(line, game) for line in log.read_text().splitlines() if is_hand(line)] for log in logs]
        for record in (record for leg in legs for record in leg):
            record.check()
    except RailbirdError as error:
        outcome.problems.append(f"match: false records ({error})")
        return
    dealt = list(deals(game, SEED, 0, hands))
    if not legs or any(len(leg) != hands for leg in legs):
        outcome.problems.append(f"match: {[len(leg) for leg in legs]} of {hands} hands")
        return
    if any(record.holes != deal.holes for leg in legs for record, deal in zip(leg, dealt)):
        outcome.problems.append("match: other cards than were dealt")
    won = [_won(record, name) for leg in legs for record in leg]
    outcome.win_rate = sum(won) / len(won)
    outcome.known = knowledge(zip(dealt, zip(*legs)), name).score


def _won(record: HandRecord, name: str) -> float:
    return record.payoffs[record.names.index(name)] / record.game.bet_sizes[0]


def _judge_check(outcome: Outcome, run: WatchedRun) -> None:
    attack, problems = outcome.attack, outcome.problems
    if run.exit_code is None:
        outcome.check = "hangs"
        return
    found: set[str] = set()
    try:
        report = json.loads(run.out)
        found = {finding["code"] for finding in report["findings"]} | ({"fit"} if report["ok"] else set())
        outcome.check = "+".join(sorted(found))
        if any(len(finding["message"]) > 3 * FAULT_SIGNS for finding in report["findings"]):
            problems.append("check: long messages")
    except (ValueError, KeyError, TypeError):
        refused = run.exit_code and run.last_line.startswith("error: ")
        found = {"refused"} if refused else {f"no report: {run.last_line[:100]}"}
        outcome.check = "refused" if refused else "no report"
    if not found & attack.in_check:
        problems.append(f"check: {outcome.check} ({run.last_line[:100] if 'refused' in found else ''})")
    if abs(outcome.known) > LIMIT and "fit" in found:
        problems.append(f"a gain of {outcome.win_rate:+.2f} sb/hand that check-bot does not find")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m trials attacks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=HANDS, help=f"hands of each match (default {HANDS})")
    parser.add_argument("--only", default="", help="bots whose file or name contains this")
    parser.add_argument("--memory", default="", help="passed on to railbird, if given")
    parser.add_argument("--no-check", action="store_true", help="matches only")
    asked = parser.parse_args(arguments)
    chosen = attacks(asked.only)
    if not chosen:
        print(f"error: no attack bot with {asked.only!r} in its name", file=sys.stderr)
        return 2
    more = ["--memory", asked.memory] if asked.memory else []
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda number, _: sys.exit(128 + number))  # which ends what was started
    began = time.monotonic()
    print(_line(_HEADING))
    bad = []
    for attack in chosen:
        outcome = tried(attack, asked.hands, more, not asked.no_check)
        print(row(outcome), flush=True)
        if outcome.problems:
            bad.append(outcome)
    minutes = (time.monotonic() - began) / 60
    print(f"\n{len(chosen) - len(bad)} of {len(chosen)} bots held, in {minutes:.1f} minutes")
    for outcome in bad:
        print(f"  {outcome.attack.name} ({outcome.attack.attempt}): {'; '.join(outcome.problems)}")
    return 1 if bad else 0


def row(outcome: Outcome) -> str:
    """A line of the table."""
    cells = (
        outcome.attack.name,
        outcome.match,
        f"{outcome.match_seconds:.1f}",
        outcome.check,
        f"{outcome.check_seconds:.1f}",
        f"{outcome.said_bytes / 1e3:,.0f}",
        f"{outcome.peak_bytes / 1e6:,.0f}",
        "" if math.isnan(outcome.win_rate) else f"{outcome.win_rate:+.2f}",
        f"{outcome.known:+.1f}",
    )
    return _line(cells) + (f"  ! {outcome.problems[0][:80]}" if outcome.problems else "")


def _line(cells: Sequence[str]) -> str:
    """Cells beside each other: words on the left of their columns, numbers on the right."""
    return "".join(
        f"{cell[: width - 1]:<{width}}" if width > 10 else f"{cell:>{width}} " for cell, width in zip(cells, _WIDTHS)
    ).rstrip()
