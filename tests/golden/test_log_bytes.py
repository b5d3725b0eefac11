"""Log bytes of matches of all kinds, as they were before the house was rebuilt: the same seed, the same bytes.

A line of log_bytes.csv is a match and the SHA-256 of its logs, one after another. A change that alters how a bot plays
changes lines here, and is marked in the CHANGELOG.
"""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import pytest

import railbird as rb

with (Path(__file__).parent / "log_bytes.csv").open(encoding="utf-8") as file:
    MATCHES = list(csv.DictReader(file, delimiter=";"))


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: f"{match['bots']} {match['game']} {match['seating']}")
def test_the_same_seed_gives_the_same_bytes(match, tmp_path):
    rb.play_match(
        *match["bots"].split(),
        game=match["game"],
        hands=int(match["hands"]),
        seed=int(match["seed"]),
        duplicate=match["seating"] == "duplicate",
        folder=tmp_path / "match",
        progress=False,
    )
    logs = b"".join(path.read_bytes() for path in sorted((tmp_path / "match").glob("*.log")))
    assert hashlib.sha256(logs).hexdigest() == match["sha256"]
