"""Trial hands in another process: nothing is left over from this one, sets have another order, and it can be ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

from railbird.bots.registry import BotSpec
from railbird.check.trial import Stopwatch, Trial, game_text, trial_games
from railbird.play.dealing import deals
from railbird.play.worker import GRACE_SECONDS

HANDS = 10
"""How many hands of each game are played."""
_START_SECONDS = 120.0
_COMPILING_SECONDS = 300.0
_CHILD = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from railbird.check.trial_process import serve; serve(*sys.argv[2:])"
)


@dataclass(frozen=True)
class ProcessRun:
    """What came of it."""

    histories: dict[str, list[str]]
    """By game, the betting of its hands, as far as they were played."""
    trouble: str
    """"too-slow", "hangs" (it could not be interrupted), "exits", or nothing."""
    where: str
    """The decision in which the trouble began; empty if no bot was made."""


def play_in_own_process(spec: BotSpec, seed: int, seconds: float, budget_seconds: float) -> ProcessRun:
    """Play the first trial hands of each game. The process is ended if a decision takes much longer than `seconds`."""
    hash_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    process = subprocess.Popen(
        [sys.executable, "-c", _CHILD, json.dumps(sys.path), spec.text, str(seed), str(seconds), str(budget_seconds)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        text=True,
    )
    assert process.stdout is not None
    lines: Queue[str | None] = Queue()
    Thread(target=_pump, args=(process.stdout, lines), daemon=True).start()
    histories: dict[str, list[str]] = {}
    where, patience = "", _START_SECONDS
    try:
        while True:
            try:
                line = lines.get(timeout=patience)
            except Empty:
                return ProcessRun(histories, "hangs", where)
            if line is None:
                return ProcessRun(histories, "exits", where)
            message = _read(line)
            if "done" in message:
                return ProcessRun(histories, message["done"], message.get("where", ""))
            if "history" in message:
                histories.setdefault(message["game"], []).append(message["history"])
            where = message.get("call", where)
            patience = _COMPILING_SECONDS if "pause" in message else seconds + GRACE_SECONDS + 1.0
    finally:
        process.kill()
        process.wait()


def serve(text: str, seed: str, seconds: str, budget_seconds: str) -> None:
    """The life of that process: one line of JSON for every call of the bot and every hand."""
    report, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: SIM115

    def tell(**message: str) -> None:
        report.write(json.dumps(message) + "\n")
        report.flush()

    bot = BotSpec(text).make()
    bot.prepare()
    games = trial_games(bot)
    for game in games:
        name = game_text(game)
        until = time.monotonic() + float(budget_seconds) / len(games)
        trial = Trial(BotSpec(text).make, game, int(seed), float(seconds), _TellingStopwatch(name, tell))
        for deal in deals(game, int(seed), 0, HANDS):
            tell(game=name, history=trial.try_hand(deal).history)
            if time.monotonic() > until or trial.is_too_slow:
                break
        if trial.is_too_slow:
            tell(done="too-slow", where=trial.incidents[-1].example)
            return
    tell(done="")


class _TellingStopwatch(Stopwatch):
    """Tells of every call before it is made, so that it is known where a bot was lost."""

    def __init__(self, game: str, tell: Callable[..., None]) -> None:
        super().__init__()
        self._game = game
        self._tell = tell
        self._told = ""

    def pause(self) -> None:
        super().pause()
        self._tell(pause=self._told)

    def resume(self, thought: float) -> None:
        self._told = ""
        super().resume(thought)

    def start(self, call: int, thought: float = 0.0) -> None:
        what = f"decision {call + 1}" if call >= 0 else "a hook"
        where = f"{self._game}: hand {int(self.cells[1])}, {what}"
        if where != self._told:  # the alarm starts the clock again for a bot that it could not interrupt
            self._tell(call=where)
            self._told = where
        super().start(call, thought)


def _pump(stream: IO[str], lines: Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _read(line: str) -> dict[str, Any]:
    """The message of a line; none if the bot wrote the line itself."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}
