"""DIVAT is unbiased: over simulated matches its mean is that of the money, whoever plays and whatever the baseline.

Hands are played in bulk, street by street. A player is asked with the node of the betting and the class that DIVAT's
baseline gives its holding, so the baseline itself can be one of the players.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from railbird.assess import tables
from railbird.assess.baseline import CLASSES, baseline_action
from railbird.assess.divat import Assessment, assess, value_of_game
from railbird.assess.settings import STANDARD, Settings, parse_settings
from railbird.formats.hand_arrays import UNKNOWN, HandArrays
from railbird.game.actions import CALL, FOLD, RAISE
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.play.dealing import deals

GAME = limit_holdem()
SEED = 20_070
FACED = parse_settings("standard:fold=faced")
Player = Callable[[Betting, str, np.random.Generator], object]


def baseline(node, name, rng):
    return baseline_action(node, name)


def always_call(node, name, rng):
    return CALL


def always_raise(node, name, rng):
    return RAISE if node.can_raise else CALL


def random(node, name, rng):
    choice = rng.random()
    if choice < 0.1 and node.can_fold:
        return FOLD
    return RAISE if choice > 0.6 and node.can_raise else CALL


def reckless_baseline(node, name, rng):
    """The baseline with a bluff now and then, and calls where it should raise."""
    action = baseline_action(node, name)
    if rng.random() < 0.2:
        return {FOLD: RAISE if node.can_raise else CALL, RAISE: CALL}.get(action, action)
    return action


@cache
def after(history: str) -> Betting:
    return Betting.start(GAME).play(history)


def arrays(dealt, histories: list[str]) -> HandArrays:
    """The hands as read from a log. Even hands have the first player in position 0, odd ones in position 1."""
    n = len(dealt)
    actions = np.full((n, 4, 6), UNKNOWN, np.uint8)
    counts = np.zeros((n, 4), np.uint8)
    board = np.full((n, 5), UNKNOWN, np.uint8)
    payoffs, stakes, folders, last = np.zeros((n, 2), np.int64), [], [], []
    for hand, (deal, history) in enumerate(zip(dealt, histories)):
        final = after(history)
        streets = history.split("/")
        for street, letters in enumerate(streets):
            actions[hand, street, : len(letters)] = ["fcr".index(letter) for letter in letters]
            counts[hand, street] = len(letters)
        seen = GAME.board_seen(len(streets) - 1)
        board[hand, :seen] = deal.board[:seen]
        if final.is_showdown:
            stake, winner = final.committed[0], int(deal.ranks[0] < deal.ranks[1])
            won = 0 if deal.ranks[0] == deal.ranks[1] else stake
        else:
            winner = final.live[0]
            stake = won = final.committed[1 - winner]
        payoffs[hand, winner], payoffs[hand, 1 - winner] = won, -won
        stakes.append(stake)
        folders.append(-1 if final.is_showdown else 1 - winner)
        last.append(len(streets) - 1)
    places = np.arange(n)
    return HandArrays(
        GAME,
        ("first", "second"),
        ("simulated",),
        (),
        np.array([deal.holes for deal in dealt], np.uint8),
        board,
        actions,
        counts,
        np.array(last, np.uint8),
        np.array(folders, np.int8),
        np.array(stakes),
        payoffs,
        np.full(n, GAME.small_bet),
        np.column_stack([places % 2, 1 - places % 2]).astype(np.int32),
        places,
        np.zeros(n, np.int32),
        places.astype(np.int32),
        np.ones(n, bool),
        np.full(n, -1),
    )


def played(first: Player, second: Player, hands: int, settings: Settings) -> HandArrays:
    """A match; `settings` are those of the baseline, where it plays."""
    rng = np.random.default_rng(SEED)
    dealt = list(deals(GAME, SEED, 0, hands))
    histories = [""] * hands
    for street in range(4):
        going = [hand for hand in range(hands) if not after(histories[hand]).is_over]
        names = [("", "")] * len(going)
        if baseline in (first, second) or reckless_baseline in (first, second):
            # A fold to a bet ends the hand on this street; the class of the street depends on what came before.
            ended = [histories[hand] + ("f" if street == 0 else "rf") for hand in going]
            found = assess(arrays([dealt[hand] for hand in going], ended), settings).classes[:, street]
            names = [(CLASSES[a], CLASSES[b]) for a, b in found.tolist()]
        for hand, classes in zip(going, names):
            players = (first, second) if hand % 2 == 0 else (second, first)
            while not (node := after(histories[hand])).is_over and node.street == street:
                action = players[node.to_act](node, classes[node.to_act], rng)
                histories[hand] = node.after(action).history
    return arrays(dealt, histories)


def of_first(found: Assessment, values: np.ndarray) -> np.ndarray:
    sign = np.where(found.hands.players[:, 0] == 0, 1.0, -1.0)
    return values * (sign if values.ndim == 1 else sign[:, None])


def deviations(values: np.ndarray) -> float:
    """How many standard errors the mean is away from zero."""
    return float(abs(values.mean()) / (values.std(ddof=1) / np.sqrt(len(values))))


def test_rollout_equity_is_unbiased_and_all_in_equity_is_not():
    # Kan 2007, section 3.2.1. For the baseline against always-call an independent program finds money +1.077, DIVAT
    # +1.089, and DIVAT by all-in equity 0.177 away from the money. On the same hands the two can be told apart sharply.
    found = assess(played(baseline, always_call, 20_000, STANDARD))
    money, divat, all_in = (of_first(found, each) for each in (found.money, found.divat, found.all_in_divat))
    assert deviations(money - 1.077) < 4
    assert deviations(divat - 1.077) < 4
    assert deviations(money - divat) < 4
    assert divat.std() < 0.6 * money.std()
    assert deviations(all_in - 1.077) > 6
    assert deviations(all_in - divat) > 10
    assert deviations(all_in - divat - (1.077 - 0.177 - 1.089)) < 4


@pytest.mark.parametrize("settings", [STANDARD, FACED], ids=["pot", "faced"])
@pytest.mark.parametrize(
    ("first", "second"), [(always_call, always_raise), (random, always_call), (reckless_baseline, random)]
)
def test_the_mean_agrees_with_money(first, second, settings):
    found = assess(played(first, second, 6_000, STANDARD), settings)
    assert deviations(of_first(found, found.money - found.divat)) < 4
    for street, name in enumerate(("hole cards", "flop", "turn", "river")):
        luck = of_first(found, found.luck[:, street])
        assert deviations(luck) < 4, name
    total = found.divat + found.luck.sum(axis=1) + found.position
    np.testing.assert_allclose(found.money, total, atol=1e-9)


@pytest.mark.parametrize("settings", [STANDARD, FACED], ids=["pot", "faced"])
def test_the_baseline_shows_no_skill_against_itself(settings):
    found = assess(played(baseline, baseline, 1_500, settings), settings)
    np.testing.assert_allclose(found.difference, 0, atol=1e-9)
    np.testing.assert_allclose(found.dcash, found.money, atol=1e-9)
    assert (found.deviator == -1).all()
    assert deviations(found.money - value_of_game(settings)) < 4


def test_other_thresholds_are_unbiased_too(monkeypatch):
    # The rollout before the flop would take minutes, so this looks at the turn and river cards alone.
    nothing = np.zeros((169, 1326, 5), np.int32)
    monkeypatch.setattr(tables, "_loaded", {})
    monkeypatch.setattr(tables, "_preflop_table", lambda *_: nothing)
    settings = parse_settings("standard:flop_bets=aggressive-high,flop_folds=tight-high")
    found = assess(played(random, always_raise, 6_000, STANDARD), settings)
    for street in (2, 3):
        assert deviations(of_first(found, found.luck[:, street])) < 4
