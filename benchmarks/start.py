"""How long commands take to start when everything is compiled, beside Python and Numba themselves."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.timing import Row, best_seconds, duration_text

RAILBIRD = [sys.executable, "-m", "railbird"]
TARGETS = {"--help": 0.4, "bots": 0.4, "odds AdQc --board 3h4cJh": 1.0}
"""Seconds on an idle machine."""


def rows() -> list[Row]:
    """A row for each command: seconds, and how many times as long Python with Numba takes to start."""
    commands = {"python": [sys.executable, "-c", "pass"], "numba": [sys.executable, "-c", "import numba"]}
    commands |= {what: [*RAILBIRD, *what.split()] for what in TARGETS}
    seconds = best_seconds(
        {
            name: lambda command=command: subprocess.run(command, check=True, capture_output=True)
            for name, command in commands.items()
        },
        rounds=5,
    )
    found = []
    for what, target in TARGETS.items():
        peer = "numba" if "odds" in what else "python"
        found.append(
            Row(
                f"railbird {what}",
                duration_text(seconds[what]),
                f"{peer} {duration_text(seconds[peer])}",
                f"{seconds[what] / seconds[peer]:.1f} times as long",
                f"<= {target:g} s",
                seconds[what] <= target,
            )
        )
    return found
