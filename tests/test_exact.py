"""The short forms of `python -m trials exact` and `python -m trials values`."""

from __future__ import annotations

import pytest
from trials import exact, values

from railbird.game.actions import CALL
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.spec import limit_holdem

BOARD = exact.Board((0, 17, 30, 43, 51))


def won_without_looking(chances, game):
    """What position 0 wins where nobody looks at his cards, so that showdowns are even: the betting alone decides."""

    def follow(node):
        if node.is_over:
            return 0.0 if node.is_showdown else payoffs(node)[0]
        legal = node.legal_actions()
        weights = [chances[node.to_act]["fcr".index(str(action)[0])] for action in legal]
        total = sum(weights)
        if not total:  # who cannot do what he always does calls
            return follow(node.after(CALL))
        return sum(p / total * follow(node.after(action)) for action, p in zip(legal, weights) if p)

    return follow(Betting.start(game)) / game.small_bet


@pytest.mark.parametrize("players", [("random", "always-call"), ("always-raise", "random:fold=1,call=2,raise=4")])
def test_players_who_do_not_look_win_what_the_betting_gives(players):
    game = limit_holdem()
    chances = {"random": (1, 1, 1), "always-call": (0, 1, 0), "always-raise": (0, 0, 1)}
    told = [chances.get(name, (1, 2, 4)) for name in players]
    policies = [exact.make_bot(name).table_policy(game) for name in players]
    assert exact.board_value(policies, BOARD) == pytest.approx(won_without_looking(told, game), abs=1e-4)


def test_the_trial_says_which_measure_disagrees(capsys, monkeypatch):
    expected, found = exact.Estimate(0.1, 0.1, 100), exact.Estimate(0.11, 1.0, 4_000)
    told = {"money": found, "divat": exact.Estimate(0.3, 1.0, 4_000), "aivat": found}
    monkeypatch.setattr(exact, "expected", lambda *given: expected)
    monkeypatch.setattr(exact, "measured", lambda *given: told)
    assert exact.main([]) == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines() if "not the same" in line] == ["divat"]
    monkeypatch.setattr(exact, "measured", lambda *given: {"money": found})
    assert exact.main([]) == 0


def test_both_sides_of_the_trial():
    assert exact.expected(("always-call", "always-call"), 1, seed=3).mean == pytest.approx(0.0, abs=1e-6)
    found = exact.measured(("random", "always-call"), 30, 1)
    assert list(found) == list(exact.MEASURES)


def test_both_value_functions_are_measured_on_the_same_hands(capsys):
    assert values.main(["--hands", "30", "--other", "always-call", "--seed", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0].strip() for line in lines[1:]] == [
        "DIVAT, chance alone",
        "AIVAT by rollout equity",
        "AIVAT by self-play",
    ]
    assert lines[0].startswith("money")
