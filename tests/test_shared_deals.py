"""Hands that have a deal in common are not independent: intervals go by deals."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import railbird as rb
from railbird.assess.leaks import leaks
from railbird.assess.shared_deals import HandEstimate, HandSums, hand_estimate
from railbird.assess.summary import MEASURES
from railbird.cli import main
from railbird.play.log_result import log_result
from railbird.play.match_logs import open_logs
from railbird.statistics import Estimate
from railbird.words import hands_needed, rate


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("match") / "m"
    rb.play_match("always-call", "always-raise", hands=150, seed=7, duplicate=True, folder=path, progress=False)
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("played") / "m"
    rb.play_match("expert", "random", hands=120, seed=7, duplicate=True, folder=path, progress=False)
    return path


def partners_of(pairs: int, alone: int) -> np.ndarray:
    both = np.arange(2 * pairs).reshape(-1, 2)[:, ::-1].ravel()
    return np.concatenate([both, np.full(alone, -1)])


def slowly(values: np.ndarray, partners: np.ndarray) -> float:
    """The standard error of a mean over hands in deals, deal by deal."""
    deals: dict[int, list[float]] = {}
    for n, (value, partner) in enumerate(zip(values, partners)):
        deals.setdefault(min(n, partner) if partner >= 0 else n, []).append(float(value))
    mean, count = values.mean(), len(deals)
    away = sum((sum(deal) - mean * len(deal)) ** 2 for deal in deals.values())
    return math.sqrt(away / (count - 1) * count) / len(values)


@pytest.mark.parametrize(("pairs", "alone"), [(40, 0), (30, 25), (1, 50)])
def test_the_interval_of_hands_in_deals(pairs, alone):
    rng = np.random.default_rng(11)
    partners = partners_of(pairs, alone)
    luck = rng.normal(size=len(partners))
    values = rng.normal(size=len(partners)) * 0.3 + 2 * np.where(
        partners > np.arange(len(partners)), luck, -luck[partners]
    )
    found = hand_estimate(values, partners)
    assert (found.mean, found.sd, found.count) == (values.mean(), values.std(ddof=1), len(values))
    assert found.by_deal.sd / math.sqrt(found.deals) == pytest.approx(slowly(values, partners))
    sums = HandSums()
    sums.add(values[: 2 * pairs], partners[: 2 * pairs])
    sums.add(values[2 * pairs :], partners[2 * pairs :])
    assert sums.estimate().margin == pytest.approx(found.margin)


def test_pairs_alone_are_what_duplicate_has_always_been():
    rng = np.random.default_rng(3)
    values, partners = rng.normal(size=80), partners_of(40, 0)
    found, means = hand_estimate(values, partners), Estimate.of(values.reshape(-1, 2).mean(axis=1))
    assert (found.margin, found.is_clear, found.deals) == (pytest.approx(means.margin), means.is_clear, 40)
    assert found.further_samples == pytest.approx(2 * means.further_samples, rel=1e-3)
    assert found.opposite.margin == found.margin
    assert hand_estimate(values, np.full(80, -1)) == Estimate.of(values)


def test_too_few_deals_settle_nothing():
    assert not HandEstimate(1.0, 0.1, 58, deals=29, deal_sd=0.1).is_clear
    assert HandEstimate(1.0, 0.1, 60, deals=30, deal_sd=0.1).is_clear


def test_a_match_in_duplicate(folder, capsys):
    # Calling against raising is even on every pair of hands, so that there is no luck left by deals.
    with pytest.raises(SystemExit):
        main(["results", str(folder), "--json"])
    data = json.loads(capsys.readouterr().out)
    for player in data["players"]:
        assert (player["money"]["mean"], player["money"]["margin95"]) == (0, 0)
        assert (player["money"]["samples"], player["duplicate"]["samples"]) == (300, 150)
        assert player["money"]["sd"] > 6
        assert player["divat"]["margin95"] == player["duplicate_divat"]["margin95"]
    with pytest.raises(SystemExit):
        main(["results", str(folder)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("  money      +0.000 sb/hand for always-call   SD ")
    assert lines[2] == "  duplicate  +0.000 ± 0.000 (95%)"
    assert lines[3].split()[:2] == ["DIVAT", "+0.000"]
    assert " ± " not in lines[3]


def test_few_deals_that_come_to_the_same_have_no_interval():
    hands = HandEstimate(-0.75, 0.25, 40, deals=20, deal_sd=0.0)
    assert (hands.margin, rate(hands), hands.is_clear) == (0.0, "-0.750 ± ?", False)
    assert rate(HandEstimate(-0.75, 0.25, 60, deals=30, deal_sd=0.0)) == "-0.750 ± 0.000"


def test_logs_of_both_seatings_have_the_intervals_of_their_deals(played, tmp_path):
    both = tmp_path / "both.log"
    both.write_bytes(b"".join(path.read_bytes() for path in sorted(played.glob("hands-*.log"))))
    found = {each.name: each for each in log_result(open_logs(both)).players}["expert"]
    assert found.money.margin == pytest.approx(found.duplicate.margin)
    assert found.money.count == 2 * found.duplicate.count
    for path in (played, both):
        [pair] = rb.assess(path, progress=False).pairs
        for measure, paired in (("money", "duplicate"), ("divat", "duplicate_divat")):
            assert pair.estimate(measure).margin == pytest.approx(pair.estimate(paired).margin)
        assert pair.estimate("luck").margin == pytest.approx(pair.paired_luck.margin)
        by_street = pair.by_street[pair.pairs].mean(axis=1)
        assert [pair.street(n).margin for n in range(4)] == pytest.approx(
            [Estimate.of(by_street[:, n]).margin for n in range(4)]
        )


def test_a_third_of_the_hands_without_a_partner(played, tmp_path):
    one, two = (path.read_text().splitlines() for path in sorted(played.glob("hands-*.log")))
    half = tmp_path / "half.log"
    half.write_text("\n".join([*one[:-1], *two[:62]]) + "\n")
    [pair] = rb.assess(half, progress=False).pairs
    assert 0 < 2 * pair.pair_count < len(pair)
    for measure, samples in pair.values.items():
        if not MEASURES[measure].is_paired:
            found = pair.estimate(measure)
            assert found.by_deal.sd / math.sqrt(found.deals) == pytest.approx(
                slowly(samples, pair.hands.pair_of), abs=1e-12
            )


def test_leaks_go_by_deals(played):
    [pair] = rb.assess(played, progress=False).pairs
    found, partners = pair.assessments[0], pair.hands.pair_of
    checked = 0
    for player in (0, 1):
        position = np.where(pair.sign > 0, player, 1 - player)
        gains = found.difference * np.where(position == 0, 1.0, -1.0)[:, None]
        for leak in leaks(pair, player):
            wanted = {"folded": (1, 2), "called": (0,), "missed": (2,), "raised": (1,), "bluffed": (0,)}[leak.kind]
            done = {"folded": 0, "called": 1, "missed": 1, "raised": 2, "bluffed": 2}[leak.kind]
            codes = [9 * leak.facing_bet + 3 * action + done for action in wanted]
            here = (found.deviator[:, leak.street] == position) & np.isin(found.deviation[:, leak.street], codes)
            assert here.sum() == leak.occasions
            each = np.where(here, gains[:, leak.street], 0.0)
            spread = leak.per_hand.by_deal.sd / math.sqrt(leak.per_hand.deals)
            assert spread == pytest.approx(slowly(each, partners), abs=1e-12)
            both = here & here[partners]
            assert leak.per_occasion.deals == here.sum() - both.sum() // 2
            checked += int(both.any())
    assert checked > 3


def test_more_hands_are_called_more():
    assert [hands_needed(times) for times in (0.9, 0.5, 2.0, 1.0, 1.05, 1 / 1.05, 0.0, math.inf, math.nan)] == [
        "1.1x more hands",
        "2.0x more hands",
        "2.0x fewer hands",
        *[""] * 6,
    ]


def test_a_measure_that_needs_more_hands_says_so(capsys, tmp_path):
    # Folding at once costs the same every hand: money has next to no deviation, and DIVAT more than it.
    rb.play_match("always-fold", "random", hands=60, seed=1, folder=tmp_path / "m", progress=False)
    with pytest.raises(SystemExit):
        main(["results", str(tmp_path / "m"), "--divat"])
    out = capsys.readouterr().out
    assert "x more hands for the same certainty" in out
    assert "x fewer" not in out
    with pytest.raises(SystemExit):
        main(["assess", str(tmp_path / "m")])
    assert "x more hands for the same certainty" in capsys.readouterr().out


def test_what_every_deal_makes_up_for_is_nothing():
    # The luck of hole cards: what one player is dealt the other is dealt in the next hand.
    values = np.array([0.1, -0.1, 0.7, -0.7, 0.3, -0.3] * 20) + np.tile([1e-17, 0.0], 60)
    found = hand_estimate(values, partners_of(60, 0))
    assert (found.mean, found.is_clear) == (0.0, False)
    assert math.isnan(HandEstimate.of_deals(Estimate.of(np.zeros(0)), Estimate.of(np.zeros(0))).mean)
