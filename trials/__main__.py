"""`python -m trials NAME` runs one trial, with `--help` for what it takes; exit 1 if something did not hold."""

from __future__ import annotations

import sys
from importlib import import_module

TRIALS = (
    *("attacks", "kills", "fuzz", "soak", "web-soak"),
    *("coverage", "sequential", "mivat", "exact", "values", "rings", "ring-factors", "raiser", "beginnings", "finer"),
)


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in TRIALS:
        print(f"error: name a trial, as in python -m trials {TRIALS[0]} (all: {', '.join(TRIALS)})", file=sys.stderr)
        return 2
    found: int = import_module(f"trials.{arguments[0].replace('-', '_')}").main(arguments[1:])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
