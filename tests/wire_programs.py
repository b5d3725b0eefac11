"""Programs that the tests start: tiny clients of the competition's wire and of the lines, good and bad."""

from __future__ import annotations

import sys
from pathlib import Path

_WIRE = """
import socket, sys, time
from pathlib import Path
here = Path(__file__)
wire = socket.create_connection((sys.argv[1], int(sys.argv[2])))
wire.sendall({greeting!r})
seen = 0
for line in wire.makefile("rb"):
    state = line.strip()
    _, position, hand, betting, cards = state.decode().split(":")
{body}
"""

_LINES = """
import json, sys, time
from pathlib import Path
here = Path(__file__)
seen = 0
def say(**answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        say(type="hello", protocol="railbird-lines/1", **{hello!r})
    if told["type"] == "act":
        free = any(each["action"] == "check" for each in told["legal"])
        call = "check" if free else "call"
{body}
"""


def _indented(body: str, depth: int) -> str:
    return "\n".join(" " * depth + line for line in body.strip().splitlines())


def script(path: Path, text: str) -> str:
    """An executable of Python; answers the way to it."""
    path.write_text(f"#!{sys.executable} -S\n{text}")
    path.chmod(0o755)
    return str(path)


def wire_program(path: Path, body: str = 'wire.sendall(state + b":c\\n")', greeting: bytes = b"VERSION:2.0.0\n") -> str:
    """A client of the competition that does `body` with every state it is shown."""
    return script(path, _WIRE.format(greeting=greeting, body=_indented(body, 4)))


def lines_program(path: Path, body: str = "say(action=call)", **hello: object) -> str:
    """A program that speaks lines, and does `body` with every question; as a player's text."""
    return f"lines:{script(path, _LINES.format(hello=hello, body=_indented(body, 8)))}"
