"""The judge of published numbers: the rule, case by case, and how often it is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from railbird.judging import CONTRADICTED, NOT_SETTLED, REPRODUCED, equals, exceeds, exceeds_all, together, verdict
from railbird.statistics import Estimate
from railbird.words import further, more_samples, rate


def measured(value: float, error: float = 0.01, count: int = 10_000) -> Estimate:
    """A number with a standard error, so that its 95% interval reaches 1.96 of them."""
    return Estimate(value, error * count**0.5, count)


@pytest.mark.parametrize(
    ("value", "published", "outcome"),
    [
        (0.01, 0.0, REPRODUCED),
        (0.025, 0.0, CONTRADICTED),  # 2.5 standard errors off
        (0.31, 0.3, REPRODUCED),
        (0.33, 0.3, CONTRADICTED),
        (0.1, 0.101, NOT_SETTLED),  # an interval of a fifth of the number supports nothing
        (0.2, 0.101, CONTRADICTED),  # but it can contradict
    ],
)
def test_a_number_is_the_published_one_if_its_interval_says_so(value, published, outcome):
    assert equals("x", measured(value), published).outcome == outcome


def test_zero_is_settled_in_tenths_of_a_small_bet():
    assert equals("x", measured(0.0, 0.05), 0.0).outcome == REPRODUCED
    assert equals("x", measured(0.0, 0.06), 0.0).outcome == NOT_SETTLED


def test_a_bound_is_exceeded_if_the_whole_interval_lies_above_it():
    outcomes = [exceeds("x", measured(0.025), bound, "").outcome for bound in (0.0, 0.02, 0.03, 0.05)]
    assert outcomes == [REPRODUCED, NOT_SETTLED, NOT_SETTLED, CONTRADICTED]


def test_few_samples_and_numbers_that_are_none_settle_nothing():
    assert equals("x", measured(0.25, count=29), 0.25).outcome == NOT_SETTLED
    assert equals("x", measured(0.25, count=29), 5.0).outcome == NOT_SETTLED
    assert exceeds("x", measured(0.25, count=29), 0.0, "").outcome == NOT_SETTLED
    assert exceeds("x", Estimate(np.inf, np.nan, 1_000), 1.0, "").outcome == NOT_SETTLED
    assert equals("x", Estimate(np.nan, np.nan, 0), 1.0).outcome == NOT_SETTLED


@pytest.mark.parametrize("value", [0.0, 0.3, 1 / 3])
def test_samples_that_are_all_equal_need_to_be_many(value):
    # Thirty hands without a difference do not show that there is none: a rare one would hardly be among them.
    for count, outcome in ((30, NOT_SETTLED), (2_999, NOT_SETTLED), (3_000, REPRODUCED)):
        same = equals("x", Estimate.of(np.full(count, value)), value)
        assert same.outcome == outcome
        assert same.measured == f"{value:+.3f} ± {'0.000' if outcome == REPRODUCED else '?'}", "the interval says so"
        assert (same.to_json()["margin95"] is None) == (outcome == NOT_SETTLED)
    almost = np.full(30, value)
    almost[0] += 0.001
    assert equals("x", Estimate.of(almost), value).outcome == REPRODUCED


def test_a_lead_that_never_varies_is_one_and_none_at_all_is_none():
    assert exceeds("x", Estimate.of(np.full(29, 0.75)), 0.0, "").outcome == NOT_SETTLED
    assert exceeds("x", Estimate.of(np.full(30, 0.75)), 0.0, "").outcome == REPRODUCED
    assert exceeds("x", Estimate.of(np.full(30, -0.75)), 0.0, "").outcome == CONTRADICTED
    assert exceeds("x", Estimate.of(np.zeros(5_000)), 0.0, "").outcome == NOT_SETTLED


def test_numbers_that_are_none_are_null_in_json():
    for ours in (Estimate(np.nan, np.nan, 0), Estimate(np.inf, np.nan, 100), Estimate(0.1, np.nan, 1)):
        told = exceeds("x", ours, 0.0, "").to_json()
        assert told["margin95"] is None
        assert told["value"] in (None, 0.1)


def test_the_best_of_several_rivals_counts_as_often_as_there_are_rivals():
    rng = np.random.default_rng(3)
    leads = {name: Estimate.of(rng.normal(mean, 1, 2_000)) for name, mean in (("a", 0.5), ("b", 0.1), ("c", 0.9))}
    first = exceeds_all("x", leads, "largest")
    assert str(first) == "x, next b"
    assert {each.ours.claims for each in together([first, exceeds("y", leads["a"], 0.0, "")])} == {4}
    # The rival who decides is the one whose lead is least sure, which need not be the smallest.
    sure, unsure = Estimate(0.1, 0.1, 1_000), Estimate(0.2, 9.0, 1_000)
    assert exceeds_all("x", {"sure": sure, "unsure": unsure}, "").outcome == NOT_SETTLED
    assert exceeds_all("x", {"sure": sure, "behind": sure.opposite}, "").outcome == CONTRADICTED
    assert exceeds_all("x", {"equal": Estimate(0.0, 0.0, 9_000), "sure": sure}, "").outcome == NOT_SETTLED


def test_among_equals_nobody_is_said_to_be_first_or_not_first():
    # One of six equally good players: whatever is settled is wrong.
    generator = np.random.default_rng(11)
    won = generator.normal(0, 1, (STUDIES, 6, 40))
    wrong = 0
    for study in estimates(won[:, :1] - won[:, 1:]):
        [found] = together([exceeds_all("x", dict(zip("abcde", study)), "")])
        wrong += found.outcome != NOT_SETTLED
    assert wrong / STUDIES <= 0.05 + ALLOWED


def test_the_papers_own_error_widens_the_interval_that_is_printed():
    ours = measured(0.025)
    alone, both = equals("x", ours, 0.0), equals("x", ours, 0.0, paper_samples=10_000)
    assert (alone.measured, alone.outcome) == ("+0.025 ± 0.020", CONTRADICTED)
    assert (both.measured, both.outcome) == ("+0.025 ± 0.028", REPRODUCED)
    assert both.to_json()["margin95"] == pytest.approx(2**0.5 * alone.to_json()["margin95"])


def test_claims_that_are_judged_together_have_wider_intervals():
    ours = measured(0.025)
    alone = [exceeds("x", ours, 0.0, ""), equals("x", ours, 0.0)]
    assert [finding.outcome for finding in alone] == [REPRODUCED, CONTRADICTED]
    ten = together(alone * 5)
    assert {finding.measured for finding in ten} == {"+0.025 ± 0.028"}
    assert [finding.outcome for finding in ten[:2]] == [NOT_SETTLED, REPRODUCED]
    assert together(ten) == ten


@pytest.mark.parametrize("value", np.linspace(-0.05, 0.15, 41).round(4).tolist())
@pytest.mark.parametrize("claims", [1, 7])
def test_the_interval_that_is_printed_decides(value, claims):
    # Whoever reads the line can judge it: the printed numbers alone give the outcome (but for their last digit).
    for finding, published in ((equals, 0.05), (exceeds, 0.05)):
        [found, *_] = together([finding("x", measured(value, 0.0007), published, "0.05")] * claims)
        mean, reach = map(float, found.measured.split(" ± "))
        if abs(abs(mean - published) - reach) < 0.0011:
            continue
        inside = abs(mean - published) <= reach
        if finding is equals:
            assert found.outcome == (REPRODUCED if inside else CONTRADICTED)
        else:
            assert found.outcome == (NOT_SETTLED if inside else REPRODUCED if mean > published else CONTRADICTED)


# How often the judge is wrong. 2,000 studies: a rate of 0.05 has the SD 0.005, of which four are allowed.

STUDIES, ALLOWED = 2_000, 4 * 0.005


def estimates(samples: np.ndarray) -> list[list[Estimate]]:
    """By study and claim, from samples by study, claim and deal."""
    count = samples.shape[2]
    means, deviations = samples.mean(axis=2).tolist(), samples.std(axis=2, ddof=1).tolist()
    return [[Estimate(mean, sd, count) for mean, sd in zip(*each)] for each in zip(means, deviations)]


@pytest.mark.parametrize("claims", [1, 5])
def test_no_order_is_seen_where_there_is_none(claims):
    # Leads of equally good players, two by two on the same deals: anything settled is wrong.
    generator = np.random.default_rng(7)
    luck = generator.normal(0, 5, (STUDIES, 1, 60))
    leads = (luck + generator.normal(0, 1, (STUDIES, claims, 60))) - (luck + generator.normal(0, 1, (STUDIES, 1, 60)))
    wrong = sum(
        any(finding.outcome != NOT_SETTLED for finding in together(exceeds("x", lead, 0.0, "") for lead in study))
        for study in estimates(leads)
    )
    assert wrong / STUDIES <= 0.05 + ALLOWED
    assert wrong / STUDIES >= 0.02  # claims that share a player fail together; far more caution would be waste
    if claims == 1:
        assert wrong / STUDIES >= 0.05 - ALLOWED


@pytest.mark.parametrize("paper_samples", [None, 50, 1_000])
def test_a_true_number_is_contradicted_one_time_in_twenty_at_most(paper_samples):
    # Four claims; what the paper printed has an error of its own, or is exact.
    generator = np.random.default_rng(8)
    found = estimates(generator.normal(1.0, 0.5, (STUDIES, 4, 200)))
    printed = np.full((STUDIES, 4), 1.0)
    if paper_samples:
        printed = generator.normal(1.0, 0.5 / paper_samples**0.5, (STUDIES, 4))
    wrong = 0
    for study, published in zip(found, printed):
        findings = together(
            equals("x", ours, float(number), paper_samples=paper_samples) for ours, number in zip(study, published)
        )
        wrong += any(finding.outcome == CONTRADICTED for finding in findings)
    assert wrong / STUDIES == pytest.approx(0.05, abs=ALLOWED)


def test_a_false_number_is_not_reproduced():
    # The truth is 1.2, published was 1: twice a tenth off, the least that the rule promises to tell.
    generator = np.random.default_rng(9)
    wrong = 0
    for count in (40, 200, 1_000):
        for [ours] in estimates(generator.normal(1.2, 0.5, (400, 1, count))):
            wrong += equals("x", ours, 1.0).outcome == REPRODUCED
    assert wrong / 1_200 <= 0.05


def test_a_true_lead_is_found_in_the_end():
    generator = np.random.default_rng(10)
    [study] = estimates(generator.normal(0.1, 1.0, (1, 6, 4_000)))
    assert verdict(together(exceeds("x", lead, 0.0, "") for lead in study)) == "reproduced (6 claims reproduced)"


def test_a_study_is_reproduced_only_if_all_claims_are():
    good, bad = (equals("x", measured(value), 0.0) for value in (0.0, 0.1))
    unclear = equals("x", measured(0.0, 0.5), 0.0)
    assert verdict([good]) == "reproduced (1 claim reproduced)"
    assert verdict([good, good]) == "reproduced (2 claims reproduced)"
    assert verdict([good, unclear]) == "not settled (1 reproduced, 1 not settled)"
    assert verdict([good, bad]) == "not reproduced (1 reproduced, 1 contradicted)"
    readings = [replace(good, reading="a"), replace(bad, reading="b"), replace(unclear, reading="c")]
    assert verdict([good, *readings]) == (
        "reproduced, if read as a (2 claims reproduced; as b: 1 reproduced, 1 contradicted; as c: 1 reproduced, "
        "1 not settled)"
    )
    assert verdict([good, *readings[1:]]) == (
        "not settled (as b: 1 reproduced, 1 contradicted; as c: 1 reproduced, 1 not settled)"
    )


def test_words_say_what_is_not_known():
    assert rate(Estimate(np.nan, np.nan, 0)) == "–"
    assert rate(Estimate(-0.0001, 0.0, 50)) == "+0.000 ± 0.000"
    few = Estimate(-0.75, 0.0, 29)
    assert rate(few) == "-0.750 ± ?"
    assert few.to_json()["margin95"] is None
    assert not few.is_clear
    assert (rate(replace(few, count=30)), replace(few, count=30).is_clear) == ("-0.750 ± 0.000", True)
    assert rate(replace(few, sd=1e-15)) == "-0.750 ± ?"
    assert rate(Estimate(6.891, 0.6, 300, is_signed=False)) == "6.891 ± 0.068"
    close, even = Estimate(0.05, 5.0, 10_000), Estimate(0.0, 5.0, 10_000)
    assert [more_samples(each) for each in (close, even, Estimate(1.0, 5.0, 10_000))] == ["+29,000", "?", "clear"]
    assert further(even, "hands") == "no difference"
    assert further(replace(even, count=20), "hands") == "too few hands to say"
    assert further(Estimate(1.0, 5.0, 3), "hands") == "too few hands to say"
