"""Programs as seats: hands of heads-up limit hold'em per second, and what many tables are worth to a slow one.

The programs are tiny clients in Python that call; they and the bot in a box play always-call, so that all are asked the
same questions. The slow program waits 0.2 seconds before each answer and computes nothing, as one does that asks a
language model.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.timing import Row, best_seconds, per_second
from railbird.game.spec import limit_holdem
from railbird.play.blocks import play_blocks
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches

HANDS = 250
SLOW_HANDS = 64
AT_ONCE = (1, 4, 16)
_WIRE = """#!{python} -S
import socket, sys
wire = socket.create_connection((sys.argv[1], int(sys.argv[2])))
wire.sendall(b"VERSION:2.0.0\\r\\n")
for line in wire.makefile("rb"):
    wire.sendall(line.rstrip() + b":c\\r\\n")
"""
_LINES = """#!{python} -S
import json, sys, time
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({{"type": "hello", "protocol": "railbird-lines/1", "hands_at_once": {at_once}}}), flush=True)
    if told["type"] == "act":
        time.sleep({seconds})
        print(json.dumps({{"action": "call" if told["to_call"] else "check"}}), flush=True)
"""


def rows() -> list[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        wire = _script(folder / "wire", _WIRE)
        lines = "lines:" + _script(folder / "lines", _LINES, seconds=0, at_once=0)
        players = {
            "a bot in a box": f"{Path(__file__).with_name('play.py')}:Caller",
            "a program on the competition's wire": wire,
            "a program that speaks lines": lines,
        }
        specs = {what: _spec(player, HANDS) for what, player in players.items()}
        times = best_seconds({what: lambda spec=spec: _play(spec) for what, spec in specs.items()}, rounds=3)
        found = [per_second(f"{what} v always-call, started anew", times[what] / HANDS) for what in specs]
        slow = {count: _slow_seconds(folder, count) for count in AT_ONCE}
    for count, seconds in slow.items():
        rate = f"{SLOW_HANDS / seconds:.2g} hands/s, {slow[1] / seconds:.1f}x"
        found.append(Row(f"0.2 s a decision, {count} hands at once, {SLOW_HANDS} hands", f"{seconds:.1f} s", "", rate))
    return found


def _slow_seconds(folder: Path, at_once: int) -> float:
    """How long a match with the slow program takes, from beginning to end."""
    program = _script(folder / f"slow{at_once}", _LINES, seconds=0.2, at_once=at_once)
    match = MatchFolder.create(folder / f"match{at_once}", _spec(f"lines:{program}", SLOW_HANDS))
    began = perf_counter()
    run_matches([match])
    return perf_counter() - began


def _spec(player: str, hands: int) -> MatchSpec:
    return MatchSpec(limit_holdem(), (player, "always-call"), hands, 1)


def _play(spec: MatchSpec) -> None:
    for _ in play_blocks(spec, 0, 0, spec.hands):
        pass
    spec.roster.rest()


def _script(path: Path, text: str, **values: object) -> str:
    path.write_text(text.format(python=sys.executable, **values))
    path.chmod(0o755)
    return str(path)
