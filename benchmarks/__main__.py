"""`python -m benchmarks` runs every benchmark, `python -m benchmarks ranking` one; exit 1 if a target is missed."""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks.timing import print_table

MODULES = (
    "start",
    "cold",
    "ranking",
    "equity",
    "evaluation",
    "play",
    "programs",
    "wire",
    "modeling",
    "logs",
    "histories",
    "sites",
    "stats",
    "divat",
    "solve",
    "best_response",
    "cfr_br",
    "vexbot",
    "resolver",
    "environments",
    "cluster",
    "cluster-model",
    "explorer",
    "web-pages",
    "web-tables",
    "web-others",
    "web-idle",
)


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        print(f"error: no benchmark {unknown[0]!r} (all: {', '.join(MODULES)})", file=sys.stderr)
        return 2
    missed = 0
    for name in names or MODULES:
        rows = import_module(f"benchmarks.{name.replace('-', '_')}").rows()
        print_table(name, rows)
        missed += sum(row.ok is False for row in rows)
    if missed:
        print(f"\n{missed} target{'s' if missed > 1 else ''} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
