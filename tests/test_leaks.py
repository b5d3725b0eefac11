"""Leaks: the first deviation of each street, counted, shared and priced."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from railbird.assess.baseline import CLASSES, baseline_action
from railbird.assess.divat import Assessment
from railbird.assess.leaks import leaks
from railbird.assess.settings import STANDARD
from railbird.assess.summary import PairSummary
from railbird.formats.hand_arrays import HandArrays
from railbird.play.match_logs import read_hand_arrays

LOG = Path(__file__).parent / "data" / "acpc" / "2p.limit.h1000.r0.log"
CODES = {"f": 0, "c": 1, "r": 2}

# The two halves of the example game of Kan 2007, section 3.4. Alice is on the button in the second.
EXAMPLE = (
    "STATE:0:cc/crrc/rrrc/rc:Ts6s|Jd5d/Td5hTh/2d/2h:110|-110:Alice|Bob",
    "STATE:1:cc/crc/crrc/rf:Ts6s|Jd5d/Td5hTh/2d/2h:60|-60:Bob|Alice",
)
EXAMPLE_CLASSES = (("C", "C"), ("M4", "M2"), ("M3", "M2"), ("M4", "M1"))
# Rollout equities after each street as played and by the baseline, from an independent implementation.
EXAMPLE_VALUES = (
    ([-0.26840053, 7.82222222, 7, 11], [-0.26840053, 8.74141414, 7, 11]),
    ([-0.26840053, 6.90303030, 5.09090909, 6], [-0.26840053, 8.74141414, 6.36363636, 8]),
)


def read_lines(folder: Path, lines) -> HandArrays:
    path = folder / "hands.log"
    path.write_text("".join(line + "\n" for line in lines))
    return read_hand_arrays([path])


def walked(hands: HandArrays, index: int, classes) -> list[tuple[int, int, str, bool, str, str]]:
    """Slowly: the decisions of a hand before which nobody left the baseline: street, position, and what was done."""
    found, left = [], set()
    for node, action in hands.record(index).steps():
        if node.street not in left:
            wanted = str(baseline_action(node, CLASSES[classes[node.street][node.to_act]]))[0]
            found.append((node.street, node.to_act, node.to_call > 0, wanted, str(action)[0]))
            if wanted != str(action)[0]:
                left.add(node.street)
    return found


def summary_of(hands: HandArrays, classes, actual, baseline, rng=None) -> PairSummary:
    """A summary of assessed hands whose classes and values are given; who left the baseline is worked out slowly."""
    n = len(hands)
    deviator, deviation = np.full((n, 4), -1, np.int8), np.zeros((n, 4), np.int8)
    for index in range(n):
        for street, position, facing, wanted, done in walked(hands, index, classes[index]):
            if wanted != done:
                deviator[index, street] = position
                deviation[index, street] = 9 * facing + 3 * CODES[wanted] + CODES[done]
    rng = rng or np.random.default_rng(0)
    found = Assessment(
        hands,
        STANDARD,
        np.asarray(actual, float),
        np.asarray(baseline, float),
        *rng.normal(size=(3, n, 4)),
        rng.normal(size=n),
        -rng.random((n, 2)),
        deviator,
        deviation,
        np.asarray(classes, np.int8),
    )
    found.__dict__["position"] = -0.111007957  # as in Kan's game; spares the tables
    sign = np.where(hands.players[:, 0] == 0, 1.0, -1.0)
    return PairSummary(hands.names[0], hands.names[1], (found,), sign)


def example_summary(folder: Path, more=(), more_classes=(), more_values=()) -> PairSummary:
    """The example game, and other hands after it."""
    classes = [
        [[CLASSES.index(name) for name in street] for street in streets]
        for streets in (EXAMPLE_CLASSES, EXAMPLE_CLASSES, *more_classes)
    ]
    values = [*EXAMPLE_VALUES, *more_values]
    hands = read_lines(folder, [*EXAMPLE, *more])
    return summary_of(hands, classes, [value[0] for value in values], [value[1] for value in values])


def random_summary(hands: HandArrays, seed: int) -> PairSummary:
    """Hands with classes and values out of a hat; only their ends are worth what was won."""
    rng = np.random.default_rng(seed)
    n = len(hands)
    classes = rng.integers(0, 6, size=(n, 4, 2))
    over = np.arange(4) > hands.last_street[:, None]
    actual, baseline = (np.where(over, np.nan, rng.normal(size=(n, 4))) for _ in range(2))
    classes[over] = -1
    actual[np.arange(n), hands.last_street] = hands.payoffs[:, 0] / hands.small_bet
    summary = summary_of(hands, classes, actual, baseline, rng)
    found = summary.assessments[0]
    # Nobody left the baseline, so there is no difference.
    baseline[found.deviator == -1] = actual[found.deviator == -1]
    return summary_of(hands, classes, actual, baseline, rng)


def row(leak) -> tuple:
    return leak.words, leak.situation, leak.occasions, leak.opportunities, round(leak.per_occasion.mean, 4)


def test_the_leaks_of_the_example_game(tmp_path):
    # Kan 2007, section 3.4: Alice checks the flop of the first hand where the baseline bets (-0.9192). Bob does so on
    # flop (-1.8384) and turn (-1.2727) of the second, and Alice's fold on the river saves her two small bets.
    summary = example_summary(tmp_path)
    assert (summary.first, summary.second) == ("Alice", "Bob")
    assert [row(leak) for leak in leaks(summary, 0)] == [
        ("missed bets", "flop, no bet to call", 1, 1, -0.9192),
        ("folds that paid", "river, facing a bet", 1, 1, 2.0),
    ]
    assert [row(leak) for leak in leaks(summary, 1)] == [
        ("missed bets", "flop, no bet to call", 1, 1, -1.8384),
        ("missed bets", "turn, no bet to call", 1, 1, -1.2727),
    ]
    bobs = leaks(summary, 1)[0]
    # Two hands, 0 and -1.838384: the mean is half of it, the deviation that divided by the root of two.
    assert bobs.per_hand.mean == pytest.approx(-1.83838384 / 2)
    assert bobs.per_hand.sd == pytest.approx(1.83838384 / math.sqrt(2))
    assert bobs.per_hand.count == 2


def test_every_way_to_leave_the_baseline(tmp_path):
    over = [("F", "F")] * 3
    nothing = [math.nan] * 3
    summary = example_summary(
        tmp_path,
        # Alice folds M2 (2), bets F after Bob limped in with F (3), raises F (4); Bob calls with F (5), raises F (6).
        more=(
            "STATE:2:f:Ts6s|Jd5d:5|-5:Bob|Alice",
            "STATE:3:cc/rf:Ts6s|Jd5d/Td5hTh:10|-10:Alice|Bob",
            "STATE:4:rf:Ts6s|Jd5d:-10|10:Bob|Alice",
            "STATE:5:rc/cc/cc/cc:Ts6s|Jd5d/Td5hTh/2d/2h:20|-20:Bob|Alice",
            "STATE:6:rrf:Ts6s|Jd5d:20|-20:Bob|Alice",
        ),
        more_classes=(
            [("C", "M2"), *over],
            [("C", "F"), ("F", "F"), *over[:2]],
            [("C", "F"), *over],
            [("F", "M2"), ("C", "C"), ("C", "C"), ("C", "C")],
            [("F", "M2"), *over],
        ),
        more_values=(
            ([0.5, *nothing], [-0.25, *nothing]),
            ([-0.5, 1, *nothing[:2]], [0.5, -0.4, *nothing[:2]]),
            ([-1, *nothing], [0.5, *nothing]),
            ([0.1, 0.2, 0.3, 2], [1, 0.2, 0.3, 2]),
            ([2, *nothing], [1, *nothing]),
        ),
    )
    found = {(leak.kind, leak.street, leak.facing_bet): leak for leak in leaks(summary, 0)}
    assert {key: (leak.occasions, leak.opportunities) for key, leak in found.items()} == {
        ("missed", 1, False): (1, 1),
        ("folded", 3, True): (1, 1),
        ("folded", 0, True): (1, 4),  # hand 2; she calls in hand 1 and raises in 5 and 6, as the baseline does
        ("raised", 1, False): (1, 2),  # hand 3; on hand 5's flop she checks after Bob, as the baseline does
        ("bluffed", 0, True): (1, 1),
    }
    assert found["folded", 0, True].per_occasion.mean == pytest.approx(-0.75)
    assert found["raised", 1, False].per_occasion.mean == pytest.approx(1.4)
    assert found["bluffed", 0, True].per_occasion.mean == pytest.approx(1.5)
    found = {(leak.kind, leak.street, leak.facing_bet): leak for leak in leaks(summary, 1)}
    assert found["called", 0, True].occasions == 2  # the limp of hand 3, the call of hand 5
    assert found["called", 0, True].opportunities == 3  # and hand 6, where he raises
    assert found["called", 0, True].per_occasion.mean == pytest.approx((1.0 - 0.9) / 2)
    assert found["bluffed", 0, True].per_occasion.mean == pytest.approx(1.0)
    costs = [leak.per_hand.mean for leak in leaks(summary, 0)]
    assert costs == sorted(costs)


@pytest.mark.parametrize("seed", [1, 2])
def test_leaks_are_those_of_a_slow_walk_and_add_up_to_red_green_points(seed):
    summary = random_summary(read_hand_arrays([LOG]), seed)
    found, hands = summary.assessments[0], summary.hands
    asked = np.zeros((2, 4, 2, 3), int)
    for index in range(len(hands)):
        for street, position, facing, wanted, _ in walked(hands, index, found.classes[index]):
            asked[hands.players[index, position], street, int(facing), CODES[wanted]] += 1
    wanted = {"folded": [1, 2], "called": [0], "missed": [2], "raised": [1], "bluffed": [0]}
    for player in (0, 1):
        rows = leaks(summary, player)
        assert rows
        for leak in rows:
            assert leak.opportunities == asked[player, leak.street, int(leak.facing_bet), wanted[leak.kind]].sum()
            assert 0 < leak.share <= 1
            assert leak.per_hand.mean * len(summary) == pytest.approx(leak.per_occasion.mean * leak.occasions)
        assert sum(leak.per_hand.mean for leak in rows) == pytest.approx(summary.points(player).mean)
        mine = np.where(hands.players[:, 0] == player, 0, 1)
        assert sum(leak.occasions for leak in rows) == (found.deviator == mine[:, None]).sum()


def test_the_interval_counts_hands_without_the_leak():
    summary = random_summary(read_hand_arrays([LOG]), 3)
    found = summary.assessments[0]
    leak = next(leak for leak in leaks(summary, 0) if leak.kind == "raised" and leak.street == 1 and leak.facing_bet)
    position = np.where(summary.sign > 0, 0, 1)
    done = (found.deviator[:, 1] == position) & (found.deviation[:, 1] == 9 + 3 * 1 + 2)
    samples = np.where(done, found.difference[:, 1] * summary.sign, 0.0)
    assert (leak.per_hand.mean, leak.per_hand.sd) == (pytest.approx(samples.mean()), pytest.approx(samples.std(ddof=1)))
    assert leak.to_json()["per_hand"]["margin95"] == pytest.approx(leak.per_hand.margin)
