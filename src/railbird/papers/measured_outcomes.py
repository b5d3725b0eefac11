"""What the papers printed and what was measured here, as data that ships; `docs/make_outcomes.py` makes it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
PUBLISHED = _HERE / "data" / "published.toml"
DATA = _HERE / "data" / "outcomes.json"


def published(file: Path = PUBLISHED) -> list[dict[str, Any]]:
    """The papers, each with the figures, tables and statements that Railbird answers, in their order."""
    papers: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["paper"]
    return papers


def measured() -> dict[str, list[dict[str, Any]]]:
    """By experiment the runs of it, the largest first: size, seed, verdict, claims and numbers."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    experiments: dict[str, list[dict[str, Any]]] = data["experiments"]
    return experiments
