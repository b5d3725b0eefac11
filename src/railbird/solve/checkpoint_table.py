"""A table of players in a JSON file: what a best response wins from each, and how long a strategy was trained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from railbird.errors import RailbirdError
from railbird.files import write_whole
from railbird.json_files import Fields, read_json
from railbird.numbers import quoted
from railbird.solve.exploited import ExploitabilityResult

SCHEMA = "railbird.checkpoints/1"
_TOLD = ("training", "boards", "minutes", "average", "seed", "begun_with")
"""What a strategy says of its training; boards are flops, if it was trained by cfr-br."""


def add_checkpoint(path: Path, found: ExploitabilityResult) -> Path:
    """Add the exploitability of a strategy to the table in a file, which is made if it is not there."""
    row: dict[str, Any] = {"player": found.player, **{name: found.about.get(name) for name in _TOLD}}
    if row["training"] is not None and row["average"] is None:
        row["average"] = True  # what is trained says so only where it is otherwise, or was timed
    judged = found.found
    row |= {"exact": judged.is_exact, "flops_judged": judged.flops, "flops_seed": judged.seed}
    row["bound"] = judged.bound or None
    row |= {"seconds": round(found.seconds, 1)}
    for name in ("mean", "as_dealer", "as_big_blind"):
        value = getattr(judged, name)
        row[name] = value.value.mean
        if not judged.is_whole:
            row[f"{name}_margin95"] = value.value.margin
        if not judged.is_whole and value.lower is not None:
            row |= {f"{name}_lower": value.lower.mean, f"{name}_lower_margin95": value.lower.margin}
    table = {"schema": SCHEMA, "unit": "milli small bets per hand", "rows": [*rows_in(path), row]}
    return write_whole(path, json.dumps(table, indent=1) + "\n")


def rows_in(path: Path) -> list[dict[str, Any]]:
    """The rows of a table, none if the file is not there; refuses a file that is something else."""
    try:
        told = Fields(read_json(path), "the table")
        if told.text("schema") != SCHEMA:
            raise ValueError(f"its schema is {quoted(told.text('schema'))}")
        return [dict(row.found) for row in told.each("rows")]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RailbirdError(f"cannot read {quoted(str(path))}: {error.strerror or error}") from None
    except ValueError as error:
        raise RailbirdError(f"{quoted(str(path))} is no table of checkpoints: {error}; name another file") from None
