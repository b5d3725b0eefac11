"""Action frequencies: Papp's worked numbers, the mixing of little data, and what can be added to them."""

from __future__ import annotations

import random

import pytest

import naive
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.modeling.contexts import bets_to_call, details
from railbird.modeling.frequencies import CALL, DEFAULTS, FOLD, GENERIC, RAISE, ActionFrequencies


def seen(*actions: tuple[int, int, int, int]) -> ActionFrequencies:
    """A player seen to do (street, bets, action) so many times each."""
    player = ActionFrequencies()
    for street, bets, action, times in actions:
        for _ in range(times):
            player.count(street, bets, action)
    return player


def test_defaults_of_papp_table_b_2():
    assert DEFAULTS == ((0, 0.5, 0.5), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1))
    for street in range(4):
        assert [GENERIC.frequencies(street, bets) for bets in range(3)] == [pytest.approx(row) for row in DEFAULTS]


def test_thresholds_of_papp_section_7_2_1():
    # Papp 1998, section 7.2.1: with 2 bets to call before the flop, 20 raises, 70 calls and 10 folds of 100 actions.
    player = seen((0, 2, RAISE, 20), (0, 2, CALL, 70), (0, 2, FOLD, 10))
    assert player.frequency(0, 2, RAISE) == pytest.approx(0.20)
    assert player.threshold(0, 2, RAISE) == pytest.approx(0.80)
    assert player.threshold(0, 2, CALL) == pytest.approx(0.10)


def test_generic_thresholds():
    # From Table B.2: a bet unraised takes the best half, a call of one bet too, a raise of it the best fifth.
    assert GENERIC.threshold(1, 0, RAISE) == pytest.approx(0.5)
    assert GENERIC.threshold(2, 1, CALL) == pytest.approx(0.5)
    assert GENERIC.threshold(3, 1, RAISE) == pytest.approx(0.8)
    assert GENERIC.threshold(0, 2, CALL) == pytest.approx(0.7)


def test_little_data_is_mixed_with_the_street_before():
    player = seen((0, 1, RAISE, 20), (1, 1, FOLD, 5))
    assert player.frequency(0, 1, RAISE) == 1.0  # twenty times are enough
    assert player.frequency(1, 1, RAISE) == pytest.approx(15 / 20)  # the flop's own share is 0, the rest from before it
    assert player.frequency(1, 1, FOLD) == pytest.approx(5 / 20)
    assert player.frequency(3, 1, RAISE) == pytest.approx(15 / 20)  # nothing seen on turn and river
    assert player.frequency(1, 0, RAISE) == 0.5  # other bets to call are another context


def test_mixing_agrees_with_equation_7_4():
    for seed in range(20):
        rng = random.Random(seed)
        player = ActionFrequencies()
        for _ in range(rng.randrange(200)):
            player.count(rng.choice([0, 0, 0, 1, 1, 2, 3]), rng.randrange(3), rng.randrange(3))
        for street in range(4):
            for bets in range(3):
                expected = [naive.mixed_frequency(player.counts, DEFAULTS, street, bets, action) for action in range(3)]
                assert player.frequencies(street, bets) == pytest.approx(expected), f"seed {seed}"
                assert sum(player.frequencies(street, bets)) == pytest.approx(1)


def test_recent_actions_count_more_with_a_half_life():
    player, forgetful = ActionFrequencies(), ActionFrequencies(half_life=10)
    for action in [RAISE] * 200 + [CALL] * 10:
        player.count(0, 1, action)
        forgetful.count(0, 1, action)
    assert player.frequency(0, 1, CALL) == pytest.approx(10 / 210)
    counts = forgetful.counts[0][1]
    assert counts[RAISE] == pytest.approx(sum(0.5 ** (n / 10) for n in range(10, 210)))
    assert counts[RAISE] == pytest.approx(counts[CALL], rel=1e-5)  # ten calls weigh as much as all raises before them


def test_fine_contexts_back_off_to_wide_ones():
    player = ActionFrequencies()
    for _ in range(60):
        player.count(1, 1, CALL, (2, 1, 0))  # always calls once he has put money in
        player.count(1, 1, FOLD, (0, 1, 0))  # always folds otherwise
    assert player.frequency(1, 1, CALL) == pytest.approx(0.5)
    # Each detail adds its 60 observations to 20 of the context without it: 0.5, then 0.875, and so on.
    first = (60 + 20 * 0.5) / 80
    second = (60 + 20 * first) / 80
    assert player.frequency(1, 1, CALL, (2, 1, 0)) == pytest.approx((60 + 20 * second) / 80)
    assert player.frequency(1, 1, CALL, (2, 3, 1)) == pytest.approx(first)  # with more opponents: never seen
    assert player.frequency(1, 1, CALL, (1, 1, 0)) == pytest.approx(0.5)  # after a check: never seen
    assert sum(player.frequencies(1, 1, (2, 1, 0))) == pytest.approx(1)


@pytest.mark.parametrize(
    ("history", "bets", "expected"),
    [
        ("", 1, (0, 3, 1)),  # under the gun in a game of four
        ("ffc", 0, (0, 1, 0)),  # the big blind may raise
        ("fcr", 1, (0, 2, 1)),  # the small blind has raised: one bet more for the big blind
        ("cccc/", 0, (0, 3, 1)),
        ("cccc/cccr", 1, (1, 3, 1)),  # checked before
        ("cccc/cccrff", 1, (1, 1, 0)),
        ("cccc/rrf", 2, (0, 2, 1)),
        ("cccc/rcrf", 1, (2, 2, 1)),  # the bettor, raised
    ],
)
def test_contexts_of_histories(history, bets, expected):
    node = Betting.start(limit_holdem(4)).play(history)
    assert (bets_to_call(node), details(node)) == (bets, expected)
