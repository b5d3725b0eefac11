"""Intervals that cover what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from railbird.statistics import Estimate, t95


def test_t_points_agree_with_published_tables():
    # Abramowitz and Stegun, Table 26.10, column 0.975.
    published = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 7: 2.365, 10: 2.228, 20: 2.086, 60: 2.0, 120: 1.98}
    for degrees, value in published.items():
        assert t95(degrees) == pytest.approx(value, rel=2e-3)


@pytest.mark.parametrize("count", [5, 30, 400])
def test_intervals_cover_the_mean_nineteen_times_in_twenty(count):
    # 4,000 experiments: the share covered is 0.95 with SD 0.0034; five of those are allowed.
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(4_000):
        estimate = Estimate.of(generator.normal(0.3, 2.0, count))
        covered += abs(estimate.mean - 0.3) <= estimate.margin
    assert covered / 4_000 == pytest.approx(0.95, abs=5 * 0.0034)


def test_further_samples_bring_the_interval_off_zero():
    estimate = Estimate(0.05, 5.0, 10_000)
    assert not estimate.is_clear
    needed = estimate.count + estimate.further_samples
    assert 1.96 * 5.0 / math.sqrt(needed) == pytest.approx(0.05, rel=1e-3)
    assert Estimate(0.5, 5.0, 10_000).further_samples == 0


def test_what_cannot_be_said_is_not_said():
    assert Estimate(0.0, 5.0, 100).further_samples is None
    assert Estimate(1.0, math.nan, 1).further_samples is None
    assert Estimate(1.0, math.nan, 1).margin == math.inf
    assert not Estimate(1.0, math.nan, 1).is_clear
    assert Estimate(0.0, 0.0, 100).margin == 0
