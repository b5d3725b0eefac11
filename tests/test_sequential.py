"""Tests that stop early and sequences that may be looked at all the time: how often they are wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest
from trials.sequential import BLOCK, SIMPLE, played, resampled, tried

from railbird.sequential import (
    GAIN,
    NO_GAIN,
    SequentialEstimate,
    SequentialTest,
    StoppingRule,
    effective_samples,
    log_ratio,
    sequence_margin,
)
from railbird.statistics import Estimate

MATCHES = 1_000
# Shares of 1,000 matches: what may happen in 5% happens in at most 7.3%, but once in a thousand times.
MOST = 0.05 + 3.3 * math.sqrt(0.05 * 0.95 / MATCHES)


@pytest.mark.parametrize("name", SIMPLE)
def test_no_test_is_wrong_too_often_however_often_it_is_looked_at(name):
    # The full simulation: python -m trials sequential.
    found = tried(SIMPLE[name], MATCHES, seed=5)
    assert found.false_gains <= MOST
    assert found.false_none <= MOST
    assert found.missed <= MOST
    # An interval for one look leaves out the truth at one of sixty looks a third of the time.
    assert found.peeked > 0.25


def test_deals_that_were_really_played():
    found = tried(resampled(played(("always-call", "always-raise", "random"), 2_000)), MATCHES, seed=6)
    assert found.false_gains <= MOST
    assert found.false_none <= MOST
    assert found.missed <= MOST
    assert found.peeked > 0.25
    # It takes fewer deals than a test of a fixed length, with a gain or without.
    assert found.deals_none < 0.8 * found.fixed
    assert found.deals_gain < 0.8 * found.fixed


def test_without_the_condition_on_the_spread_seldom_differences_end_tests_wrongly(monkeypatch):
    monkeypatch.setattr("trials.sequential.effective_samples", lambda count, *_: np.broadcast_to(count, _[0].shape))
    assert tried(SIMPLE["1 in 100, -20 sb"], 500, seed=7).false_gains > 2 * MOST


def test_the_ratio_is_that_of_the_likelihoods_with_the_best_spread():
    samples = np.random.default_rng(1).normal(0.1, 2.0, 400)

    def likelihood(mean):
        spreads = np.linspace(1.0, 4.0, 30_001)
        squares = ((samples - mean) ** 2).sum()
        return (-400 * np.log(spreads) - squares / (2 * spreads**2)).max()

    found = log_ratio(400, samples.mean(), samples.var(), 0.3)
    assert found == pytest.approx(likelihood(0.3) - likelihood(0.0), abs=1e-5)


def test_the_sequence_is_the_published_one():
    # Waudby-Smith et al. 2024, equation (1), written out for n = 500 and a rho of their equation (10) for t = 1,000.
    n, alpha = 500, 0.05
    rho = math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / 1_000)
    width = math.sqrt(2 * (n * rho**2 + 1) / (n**2 * rho**2) * math.log(math.sqrt(n * rho**2 + 1) / alpha))
    assert sequence_margin(500, 3.0) == pytest.approx(3.0 * width)
    # It is wider than an interval for one look, by less than a factor of two where it is narrowest.
    one_look = Estimate(0.0, 1.0, 1_000).margin
    assert one_look < sequence_margin(1_000, 1.0) < 2 * one_look


def test_a_test_says_what_the_formulas_say():
    samples = np.random.default_rng(2).standard_t(4, 3_000) + 0.02
    test = SequentialTest(StoppingRule(0.001), BLOCK)
    for part in np.split(samples, [50, 333, 1_000, 1_700]):
        test.add(part)
    assert [look.samples for look in test.looks] == list(range(100, 3_001, 100))
    for look in test.looks[::7]:
        seen = samples[: look.samples]
        away = (seen - seen.mean()) ** 2
        assert look.mean == pytest.approx(seen.mean())
        assert look.log_ratio == pytest.approx(log_ratio(len(seen), seen.mean(), seen.var(), 0.001))
        assert look.margin == pytest.approx(sequence_margin(len(seen), seen.std(ddof=1)))
        effective = effective_samples(len(seen), seen.var(), away.var())
        assert effective == pytest.approx(len(seen) / max(1, (away**2).mean() / seen.var() ** 2 - 2), rel=1e-9)


def test_samples_after_a_decision_do_not_count():
    samples = np.random.default_rng(3).normal(1.0, 1.0, 2_000)
    test = SequentialTest(StoppingRule(1.0), BLOCK)
    test.add(samples)
    assert (test.decision, test.samples, len(test.looks)) == (GAIN, 100, 1)
    test.add(-samples)
    assert (test.decision, test.samples) == (GAIN, 100)


def test_equal_samples_say_nothing_before_there_are_three_thousand():
    for value, decision in ((0.0, NO_GAIN), (0.75, GAIN), (-0.5, NO_GAIN)):
        test = SequentialTest(StoppingRule(0.1), BLOCK)
        test.add(np.full(2_950, value))
        assert test.decision == ""
        assert math.isinf(test.estimate.margin)
        test.add(np.full(100, value))
        assert (test.decision, test.samples) == (decision, 3_000)


def test_seldom_differences_say_nothing_before_there_are_enough_of_them():
    samples = np.zeros(5_000)
    samples[::500] = 5.0
    test = SequentialTest(StoppingRule(0.1), BLOCK)
    test.add(samples)
    assert test.decision == ""
    assert {look.log_ratio for look in test.looks} == {0.0}
    assert test.further_samples > 5_000


def test_what_it_takes_on_average_is_what_simulated_tests_take():
    rule, generator = StoppingRule(0.1), np.random.default_rng(4)
    for mean in (-0.05, 0.0, 0.05, 0.1, 0.3):
        taken = []
        for _ in range(200):
            test = SequentialTest(rule, 20)
            test.add(generator.normal(mean, 1.0, 8_000))
            assert test.decision
            taken.append(test.samples)
        assert rule.further_samples(0.0, mean, 1.0) == pytest.approx(np.mean(taken), rel=0.25, abs=25)


def test_further_samples_of_a_sequence_bring_it_off_zero():
    found = SequentialEstimate(0.05, 1.0, 500, effective=500.0)
    more = found.further_samples
    assert more is not None
    after = SequentialEstimate(0.05, 1.0, 500 + more, effective=500.0)
    assert after.is_clear
    assert not SequentialEstimate(0.05, 1.0, 400 + more, effective=500.0).is_clear
    assert SequentialEstimate(0.05, 1.0, 500, effective=20.0).further_samples is None
