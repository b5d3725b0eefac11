"""The short form of `python -m trials kills`: matches that are killed and stopped come to the same bytes."""

from __future__ import annotations

import random
import sys

import pytest
from trials import kills

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found through /proc")


def test_matches_that_are_killed_and_stopped_have_the_bytes_of_those_left_alone(capsys):
    asked = ["--kills", "4", "--stops", "2", "--stop-seconds", "4", "--limit", "3", "--seed", "3", "--at-once", "2"]
    code = kills.main([*asked, "--short", "2", "--only", "from a file, 2 workers"])
    said = capsys.readouterr().out
    assert code == 0, said
    assert "4 kills" in said.splitlines()[-1]
    assert "2 stops" in said.splitlines()[-1]


def test_a_difference_is_found_and_named():
    alone = kills.Outcome(0, '{"folder": "a", "won": 1}', "", {"hands.log": b"STATE:0"})
    assert alone.difference(kills.Outcome(0, '{"folder": "b", "won": 1}', "", alone.files)) == ""
    assert kills.Outcome(0, alone.out, "", {"hands.log": b"STATE:1"}).difference(alone) == "hands.log differs"
    assert kills.Outcome(0, alone.out, "", {}).difference(alone) == "hands.log differs"
    assert kills.Outcome(0, '{"folder": "a", "won": 2}', "", alone.files).difference(alone) == "the result differs"
    faulty = kills.Outcome(1, '{"faults": ["hand 3: it timed out"]}', "", alone.files)
    assert faulty.difference(alone) == "exit code 1: hand 3: it timed out"


def test_signals_go_to_no_process_without_the_word():
    assert kills.marked("a word that nobody has") == []
    assert not kills.sent(1, "a word that nobody has", 0)


def test_every_match_and_target_has_its_turn():
    planned = list(kills.disturbances(kills.CASES, 200, 50, random.Random(1)))
    assert sum(not each.is_stop for each in planned) == 200
    everything = {(case.name, target) for case in kills.CASES for target in case.targets}
    for is_stop in (False, True):
        assert {(each.case.name, each.target) for each in planned if each.is_stop is is_stop} == everything
