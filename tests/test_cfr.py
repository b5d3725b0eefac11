"""Counterfactual regret minimisation on games whose values are known."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.errors import InvalidGameError, RailbirdError
from railbird.game.spec import kuhn_poker, leduc_poker, limit_holdem
from railbird.solve.toy.cfr import METHODS, Cfr, best_answers, best_response_value, game_value, nash_conv, uniform
from railbird.solve.toy.toy_games import ToyGame


@pytest.mark.parametrize("method", METHODS)
def test_kuhn_poker_is_worth_minus_an_eighteenth(method):
    # Kuhn 1950: the first player loses 1/18 of a bet in every equilibrium.
    solver = Cfr(kuhn_poker(), method)
    solver.iterate(1_000)
    profile = solver.average()
    # Two learners who never meet: the value of their strategies against each other is not pinned by either.
    assert game_value(solver.toy, profile) == pytest.approx(-1 / 18, abs=8e-3 if method == "cfr-br" else 2e-3)
    assert nash_conv(solver.toy, profile) < {"vanilla": 0.03, "cfr-br": 0.01}.get(method, 0.003)


def test_the_equilibrium_of_kuhn_poker():
    # Kuhn 1950: with alpha the chance of betting the jack, the king is bet three times as often, the queen never;
    # facing a bet the second player folds the jack, calls the queen a third of the time and always calls the king.
    solver = Cfr(kuhn_poker(), "plus")
    solver.iterate(1_500)
    profile, tree = solver.average(), solver.toy.tree
    jack, queen, king = profile[tree.node("")][0, :, 2]
    assert queen == pytest.approx(0.0, abs=0.01)
    assert king == pytest.approx(3 * jack, abs=0.03)
    np.testing.assert_allclose(profile[tree.node("r")][0, :, 1], [0.0, 1 / 3, 1.0], atol=0.02)


def test_uniform_play_of_leduc_poker_can_be_beaten_for_4_7472():
    # OpenSpiel, exploitability tests: NashConv of uniform play in Leduc poker.
    toy = ToyGame(leduc_poker())
    assert nash_conv(toy, uniform(leduc_poker())) == pytest.approx(4.747222222, abs=1e-8)


def test_leduc_poker_converges_below_a_thousandth():
    solver = Cfr(leduc_poker(), "plus")
    solver.iterate(900)
    profile = solver.average()
    assert nash_conv(solver.toy, profile) < 0.001
    # The value known from Leduc solvers (OpenSpiel: -0.0856 for the first player).
    assert game_value(solver.toy, profile) == pytest.approx(-0.0856, abs=5e-4)


@pytest.mark.parametrize("method", METHODS)
def test_leduc_poker_improves_with_every_method(method):
    solver = Cfr(leduc_poker(), method)
    solver.iterate(20)
    early = nash_conv(solver.toy, solver.average())
    solver.iterate(180)
    assert nash_conv(solver.toy, solver.average()) < min(0.5, early / 2)


def test_best_answers_are_worth_the_best_response():
    toy, profile = ToyGame(leduc_poker()), uniform(leduc_poker())
    for player in (0, 1):
        answered = {**profile, **best_answers(toy, profile, player)}
        won = game_value(toy, answered) * (1 if player == 0 else -1)
        assert won == pytest.approx(best_response_value(toy, profile, player), abs=1e-9)


@pytest.mark.parametrize(("game", "iterations", "most"), [(kuhn_poker(), 2_000, 0.006), (leduc_poker(), 400, 0.15)])
def test_cfr_br_goes_towards_an_equilibrium(game, iterations, most):
    solver = Cfr(game, "cfr-br")
    found = []
    for part in (1 / 100, 1 / 10, 1):
        solver.iterate(int(part * iterations) - solver.iterations)
        found.append(nash_conv(solver.toy, solver.average()))
    assert found[0] > 2 * found[1] > 4 * found[2]
    assert found[2] < most


def test_a_best_response_gains_at_least_what_the_profile_does():
    toy, profile = ToyGame(leduc_poker()), uniform(leduc_poker())
    value = game_value(toy, profile)
    assert best_response_value(toy, profile, 0) >= value
    assert best_response_value(toy, profile, 1) >= -value


def test_open_spiel_agrees_on_an_uneven_profile():
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy as spiel_policy
    from open_spiel.python.algorithms import exploitability

    # A third of what may be folded is folded, the rest goes to call and raise two to one.
    shares = {0: 1 / 3, 1: 4 / 9, 2: 2 / 9}
    profile = {}
    for node, even in uniform(leduc_poker()).items():
        weights = np.where(even > 0, [shares[0], shares[1], shares[2]], 0.0)
        profile[node] = weights / weights.sum(axis=2, keepdims=True)
    game = pyspiel.load_game("leduc_poker")
    tabular = spiel_policy.TabularPolicy(game)
    for state, row in zip(tabular.states, tabular.action_probability_array):
        legal = state.legal_actions()
        weights = np.array([shares[action] if action in legal else 0.0 for action in range(3)])
        row[:] = weights / weights.sum()
    assert nash_conv(ToyGame(leduc_poker()), profile) == pytest.approx(
        exploitability.nash_conv(game, tabular), abs=1e-9
    )


def test_other_games_and_methods_are_refused():
    with pytest.raises(InvalidGameError, match="deals 2 cards to each"):
        ToyGame(limit_holdem())
    with pytest.raises(RailbirdError, match="no method 'pluss'; did you mean 'plus'"):
        Cfr(kuhn_poker(), "pluss")
