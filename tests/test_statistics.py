"""Intervals that cover what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from railbird.statistics import Estimate, t_point


def test_t_points_agree_with_published_tables():
    # Abramowitz and Stegun, Table 26.10, column 0.975.
    published = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 7: 2.365, 10: 2.228, 20: 2.086, 60: 2.0, 120: 1.98}
    for degrees, value in published.items():
        assert t_point(degrees) == pytest.approx(value, rel=2e-3)


def test_t_points_of_other_levels():
    # Abramowitz and Stegun, Table 26.10, columns 0.995 and 0.9995: two-sided 99% and 99.9%.
    for degrees, high, highest in ((1, 63.657, 636.619), (2, 9.925, 31.598), (30, 2.750, 3.646), (120, 2.617, 3.373)):
        assert t_point(degrees, 0.99) == pytest.approx(high, rel=2e-3)
        assert t_point(degrees, 0.999) == pytest.approx(highest, rel=2e-3)
    # A thousand claims from the fewest samples that count: the point from the distribution itself, by Simpson's rule.
    reach = t_point(29, 1 - 0.05 / 1000)
    x = np.linspace(reach, 400, 2_000_001)
    density = math.gamma(15) / (math.sqrt(29 * math.pi) * math.gamma(14.5)) * (1 + x**2 / 29) ** -15
    outside = 2 * (x[1] - x[0]) / 3 * (density[0] + density[-1] + 4 * density[1::2].sum() + 2 * density[2:-1:2].sum())
    assert outside == pytest.approx(0.05 / 1000, rel=0.02)


@pytest.mark.parametrize("claims", [1, 6])
def test_intervals_of_several_claims_hold_at_once(claims):
    # 3,000 experiments: the share in which all hold is at least 0.95, with SD 0.004; five of those are allowed.
    generator = np.random.default_rng(2)
    samples = generator.normal(0.3, 2.0, (3_000, claims, 40))
    means, deviations = samples.mean(axis=2), samples.std(axis=2, ddof=1)
    held = sum(
        all(abs(mean - 0.3) <= Estimate(mean, sd, 40, claims).margin for mean, sd in zip(*each))
        for each in zip(means.tolist(), deviations.tolist())
    )
    assert held / 3_000 == pytest.approx(0.95, abs=5 * 0.004)


def test_deviations_and_factors_are_estimates_too():
    rng = np.random.default_rng(4)
    wide, narrow = rng.normal(0, 3, 40_000), rng.normal(0, 1, 40_000)
    deviation = Estimate.of_deviation(wide)
    assert deviation.mean == pytest.approx(3, rel=0.02)
    assert deviation.margin == pytest.approx(1.96 * 3 / np.sqrt(2 * 40_000), rel=0.05)  # for a normal distribution
    factor = Estimate.of_reduction(wide, narrow)
    assert factor.mean == pytest.approx(9, rel=0.05)
    assert factor.margin == pytest.approx(1.96 * factor.mean * np.sqrt(4 / 40_000), rel=0.05)
    same = Estimate.of_reduction(wide, 2 * wide)
    assert same.mean == pytest.approx(0.25)
    assert same.margin < 1e-9  # the same hands decide both
    nothing = Estimate.of_reduction(wide, 0 * wide)
    assert (nothing.mean, nothing.margin) == (np.inf, np.inf)


def test_a_deal_that_was_played_twice_is_one_sample_of_a_reduction():
    # Both hands of a deal have the same luck: by hand the factor would seem surer than it is.
    generator = np.random.default_rng(6)
    factors, margins, by_hand = [], [], []
    for _ in range(300):
        luck = generator.normal(0, 3, 400)
        money = np.stack([luck, -luck]) + generator.normal(0, 0.5, (2, 400))
        skill = generator.normal(0, 1, (2, 400))
        found = Estimate.of_reduction(money, skill)
        factors.append(found.mean)
        margins.append(found.margin)
        by_hand.append(Estimate.of_reduction(money.ravel(), skill.ravel()).margin)
    assert found.count == 400
    assert np.mean(margins) == pytest.approx(1.96 * np.std(factors), rel=0.15)
    assert np.mean(by_hand) < 0.9 * np.mean(margins)


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
    among_ten = Estimate(0.05, 5.0, 10_000, claims=10)
    assert 2.807 * 5.0 / math.sqrt(10_000 + among_ten.further_samples) == pytest.approx(0.05, rel=1e-3)


def test_what_cannot_be_said_is_not_said():
    assert Estimate(0.0, 5.0, 100).further_samples is None
    assert Estimate(1.0, math.nan, 1).further_samples is None
    assert Estimate(1.0, math.nan, 1).margin == math.inf
    assert not Estimate(1.0, math.nan, 1).is_clear
    assert Estimate(0.0, 0.0, 100).margin == 0
