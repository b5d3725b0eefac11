"""The page of hands that DIVAT does not assess, as a file: its hands, and the lines that lead to them."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

import railbird as rb
from railbird.assess.card_luck import card_luck
from railbird.report import table_report
from railbird.report.table_report import tables_content, write_tables


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    """A match of three players without a limit, assessed, and its hands."""
    folder = tmp_path_factory.mktemp("ring") / "m"
    bots = ("always-call", "random", "always-raise")
    rb.play_match(*bots, game="no-limit:stack=400", hands=60, seed=4, folder=folder, progress=False)
    return rb.assess(folder, progress=False), rb.read_hands(folder)


def expanded(steps):
    """Numbers of which `runs` wrote the steps."""
    found, value = [], 0
    for step, times in zip(steps[::2], steps[1::2]):
        for _ in range(times):
            found.append(value := value + step)
    return found


def test_a_page_in_a_file_has_all_of_it(ring, tmp_path):
    found, records = ring
    page = write_tables(tmp_path / "p.html", found, records, "an evening").read_text()
    assert "<h1>an evening</h1>" in page
    assert "money by position" in page
    data = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
    assert data["hands"]["unit"] == "bb"
    assert expanded(data["curves"]["table-0"]["hands"]) == list(range(60))


def test_of_many_hands_those_in_which_most_was_won(ring, monkeypatch):
    found, records = ring
    monkeypatch.setattr(table_report, "MOST_HANDS", 10)
    content = tables_content(found, iter(records), "m")
    assert content["sampled"] == "Of 60 hands these 10, in which most was won."
    kept = expanded(content["hands"]["number"])
    largest = sorted(records, key=lambda record: (-max(record.payoffs), record.number))[:10]
    assert kept == sorted(record.number for record in largest)
    # Each point leads to its hand, or to the last before it that is there.
    for hand, at in enumerate(expanded(content["curves"]["table-0"]["hands"])):
        before = [number for number in kept if number <= hand]
        assert kept[at] == (before[-1] if before else kept[0])


def test_points_lead_nowhere_where_other_hands_were_assessed(ring):
    found, records = ring
    content = tables_content(found, records[:50], "m")
    assert "hands" not in content["curves"]["table-0"]


def test_kinds_of_tables_have_lines_and_hands_of_their_own(ring, tmp_path):
    """Hands of the commonest table are those of the page; lines of the others lead nowhere."""
    _, records = ring
    bots = ("always-call", "random")
    rb.play_match(*bots, game="no-limit:stack=400", hands=20, seed=1, folder=tmp_path / "m", progress=False)
    both = [*rb.read_hands(tmp_path / "m"), *records]
    content = tables_content(rb.assess(both, progress=False), both, "both")
    assert [figure.title.partition(":")[0] for figure in content["figures"].values()] == [
        "no-limit, 3 and more players",
        "no-limit, heads-up",
    ]
    assert expanded(content["curves"]["table-0"]["hands"]) == list(range(60))
    assert "hands" not in content["curves"]["table-1"]
    assert len(content["verdicts"]) == 2


def test_hands_tell_what_each_street_gave_each_seat(ring):
    found, records = ring
    told = tables_content(found, records, "m")["hands"]["cardLuck"]
    for at, luck in enumerate(card_luck(records)):
        given = [[by_seat[position][at] for position in range(3)] for by_seat in told]
        assert given == pytest.approx(luck, abs=0.5)  # a hundredth of a big blind is one chip here
    hidden = [replace(record, holes=((), *record.holes[1:])) for record in records]
    shown = tables_content(rb.assess(hidden, progress=False), hidden, "m")["hands"]["cardLuck"]
    assert [each is None for each in shown[0][0]] == [luck is None for luck in card_luck(hidden)]
    preflop = [record for record in hidden if "/" in record.history and record.names.index("always-call") == 0]
    assert "cardLuck" not in tables_content(rb.assess(preflop, progress=False), preflop, "m")["hands"]
