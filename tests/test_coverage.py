"""The short form of `python -m trials coverage`: whether the trial tells intervals that hold from those that do not."""

from __future__ import annotations

import numpy as np
import pytest
from trials import coverage

from railbird.statistics import Estimate


def test_intervals_of_fair_samples_hold_and_others_do_not():
    generator = np.random.default_rng(1)
    fair = generator.normal(0.0, 3.0, 80_000)
    samples = {"fair": fair, "biased": fair + 0.3, "too narrow": np.repeat(fair[::2], 2)}
    found = {each.measure: each for each in coverage.coverages(samples, 40)}
    assert found["fair"].is_right
    assert not found["biased"].is_right
    assert not found["too narrow"].is_right
    assert str(found["fair"]).startswith("fair   9")


def test_what_a_seat_wins_is_held_against_self_play():
    samples = np.random.default_rng(1).normal(-0.088, 0.44, 20_000)
    assert coverage.Seat(Estimate.of(samples), -0.088).is_right
    assert not coverage.Seat(Estimate.of(samples + 0.02), -0.088).is_right


def test_the_trial_itself(capsys):
    assert coverage.main(["--matches", "4", "--hands", "30", "--seed", "2"]) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["money", "divat", "mivat", "aivat", "seat"]
    with pytest.raises(SystemExit):
        coverage.main(["--hands", "31"])
