"""Environments of Gymnasium and PettingZoo: they pass the libraries' own tests, and play the hands of matches."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import railbird.envs
from players import Learner
from railbird.envs import AgentBot, HoldemEnv, HoldemTable, HoldemTables, observation, observation_names, parallel_table
from railbird.envs.menus import Menu
from railbird.errors import IllegalActionError, InvalidGameError, MatchError, RailbirdError, UnknownBotError
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem, no_limit_holdem, pot_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.play.matches import play_match

CALLS = 1


def hands_won(spec, player=0):
    """By hand of a match, what a player wins in small bets."""
    found = []
    for record, order, faults in played_hands(spec):
        assert not faults
        found.append(record.payoffs[order.index(player)] / spec.game.small_bet)
    return found


def test_nothing_is_imported_that_nobody_asked_for():
    code = (
        "import railbird, railbird.envs, railbird.play.matches, sys;"
        "print([name for name in ('gymnasium', 'pettingzoo', 'pyspiel', 'rlcard') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_missing_library_is_named_with_the_way_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for module in [name for name in sys.modules if name.startswith("railbird.envs.openspiel")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.delitem(vars(railbird.envs), "SpielBot", raising=False)
    with pytest.raises(RailbirdError, match=r"SpielBot needs .*'pyspiel'.*pip install 'railbird\[openspiel\]'"):
        railbird.envs.SpielBot  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'SpeilBot'"):
        railbird.envs.SpeilBot  # noqa: B018


# Gymnasium, one table


@pytest.mark.parametrize(
    ("opponents", "game"),
    [(("always-call",), "limit"), (("expert", "random"), "limit"), (("random",), "no-limit:stack=2000")],
)
def test_gymnasium_finds_nothing_wrong(opponents, game):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(HoldemEnv(*opponents, game=game, render_mode="ansi"), skip_render_check=True)  # that needs a registry


@pytest.mark.parametrize("opponents", [(Learner,), ("random", Learner)])
def test_an_agent_plays_the_hands_of_the_match(opponents):
    spec = MatchSpec(limit_holdem(1 + len(opponents)), ("always-call", *opponents), 120, 5, housing=None)
    expected = hands_won(spec)
    env, won = HoldemEnv(*opponents), []
    _, info = env.reset(seed=5)
    assert info["unasked_hands"] == 0
    while len(won) < len(expected):
        _, reward, ended, _, info = env.step(CALLS)
        if ended:
            assert info["hand"] == len(won)
            won.append(reward)
            env.reset()
    assert won == expected


def test_hands_without_a_decision_are_told():
    # The agent's big blind: always-fold folds its small one, and nobody was asked.
    env = HoldemEnv("always-fold")
    _, info = env.reset(seed=1)
    assert (info["hand"], info["unasked_hands"], info["unasked_sb"]) == (1, 1, 0.5)
    assert env.step(2)[1:3] == (1.0, True)


def test_seeds_are_reproducible_and_differ():
    def played(seed):
        env, random = HoldemEnv("random"), np.random.default_rng(1)
        rows = [env.reset(seed=seed)[0]]
        for _ in range(60):
            row, reward, ended, _, info = env.step(random.choice(np.flatnonzero(env.action_masks())))
            rows += [row, np.array([reward])] + ([env.reset()[0]] if ended else [])
            assert env.observation_space.contains(row)
            assert info["was_legal"]
        return np.concatenate(rows)

    assert (played(3) == played(3)).all()
    assert not np.array_equal(played(3), played(4))
    assert HoldemEnv("random").reset(seed=3, options={"hand": 17})[1]["hand"] == 17


def test_an_illegal_action_is_a_check_or_else_a_fold():
    env = HoldemEnv("always-call")
    env.reset(seed=0, options={"hand": 0})  # the agent is the big blind, and the small blind has called
    assert env.action_masks().tolist() == [False, True, True]
    _, _, ended, _, info = env.step(0)
    assert (ended, info["was_legal"], env.view.history) == (False, False, "cc/")
    env = HoldemEnv("always-raise")
    env.reset(seed=0, options={"hand": 0})
    env.step(2)
    assert env.action_masks().tolist() == [True, True, False]
    _, reward, ended, _, info = env.step(2)
    assert (ended, info["was_legal"], reward) == (True, False, -3.0)


def test_what_is_wrong_is_said_in_a_line():
    env = HoldemEnv("always-call")
    with pytest.raises(MatchError, match=r"reset\(\) deals one"):
        env.step(1)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"7 is no action \(0 fold, 1 call, 2 raise"):
        env.step(7)
    for wrong, words in ((1.5, "1.5"), (None, "None"), ("raise", "'raise'"), ([1], r"\[1\]")):
        with pytest.raises(IllegalActionError, match=rf"^{words} is no action \(0 fold, 1 call, 2 raise\)$"):
            env.step(wrong)
    assert env.view.hand_number == 0
    assert env.step(np.array(1))[4]["was_legal"]
    with pytest.raises(MatchError, match=r"options \[17\]; they are a dict"):
        env.reset(options=[17])
    with pytest.raises(MatchError, match="hand -1"):
        env.reset(options={"hand": -1})
    with pytest.raises(MatchError, match="hand 'x'"):
        HoldemEnv("always-call").reset(seed=1, options={"hand": "x"})
    with pytest.raises(MatchError, match="10 opponents"):
        HoldemEnv(*["always-call"] * 10)
    with pytest.raises(MatchError, match="nobody to play against"):
        HoldemEnv()
    with pytest.raises(UnknownBotError, match="did you mean 'expert'"):
        HoldemEnv("expret")
    with pytest.raises(InvalidGameError, match="not kuhn"):
        HoldemEnv("random", game="kuhn")
    env = HoldemEnv("always-fold", render_mode="ansi")
    assert env.render() is None
    env.reset(seed=1)
    assert "pot 3, to call 1" in env.render()
    env.step(2)
    with pytest.raises(MatchError, match="the hand is over"):
        env.step(1)


def test_what_an_observation_says():
    node = Betting.start(limit_holdem()).play("rrc/cr")
    view = PlayerView(node, 0, (51, 4), (8, 13, 18), 0, ("Ann", "Bob"))
    names, row = observation_names(view.game), observation(view)
    assert len(names) == len(row)
    assert {name: round(float(number), 4) for name, number in zip(names, row) if number} == {
        "holds As": 1,
        "holds 3c": 1,
        "board 4c": 1,
        "board 5d": 1,
        "board 6h": 1,
        "flop": 1,
        "position 0": 1,
        "live, own": 1,
        "live, 1 after own": 1,
        "chips, own": 0.125,
        "chips, 1 after own": 0.1667,
        "preflop raises, own": 0.25,
        "preflop raises, 1 after own": 0.25,
        "flop raises, 1 after own": 0.25,
        "to call": 0.0417,
        "pot": 0.1458,
    }


def test_raises_of_a_size_by_number():
    for game in (no_limit_holdem(stack=1000), pot_limit_holdem(stack=1000)):
        menu = Menu(game)
        view = PlayerView(Betting.start(game), 1, (0, 5), (), 0, ("Ann", "Bob"))
        assert menu.mask(view).tolist() == [1] * 6
        sizes = [menu.action(view, number).amount for number in range(2, 6)]
        assert sizes == [200, 200, 300, 1000 if game.name == "no-limit" else 300]
    menu = Menu(no_limit_holdem(stack=1000))
    view = PlayerView(Betting.start(no_limit_holdem(stack=1000)).play("r700"), 0, (0, 5), (), 0, ("Ann", "Bob"))
    assert menu.mask(view).tolist() == [1, 1, 1, 0, 0, 1]
    assert menu.action(view, 4) is None
    assert menu.action(view, 5).amount == 1000
    assert menu.mask(view._replace(position=1)).tolist() == [0] * 6


def test_an_agent_plays_in_matches():
    calls = play_match(AgentBot(lambda row, mask: [0, 1, 0]), "random", hands=60, seed=3)
    assert calls.players[0].money == play_match("always-call", "random", hands=60, seed=3).players[0].money
    wrong = play_match(AgentBot(lambda row, mask: [1.0, float("nan"), 0.0]), "random", hands=5, seed=3)
    assert "are not chances of fold, call, raise" in str(wrong.faults[0])


# Many tables in a kernel


@pytest.mark.parametrize(
    ("opponents", "game"),
    [
        (("random",), "limit"),
        (("random", "always-call", "random:fold=1,call=4,raise=5"), "limit:cap=3"),
        (("sparbot",), "limit"),
    ],
)
def test_tables_in_a_kernel_play_as_single_ones(opponents, game):
    count, random = 12, np.random.default_rng(1)
    tables = HoldemTables(*opponents, tables=count, game=game)
    rows, info = tables.reset(seed=3)
    singles = [HoldemEnv(*opponents, game=game) for _ in range(count)]
    seen = [env.reset(seed=3, options={"hand": int(hand)}) for env, hand in zip(singles, info["hand"])]
    ends = 0
    for _ in range(80):
        for at, (row, told) in enumerate(seen):
            assert (rows[at] == row).all()
            assert info["action_mask"][at].tolist() == told["action_mask"].tolist()
            assert info["position"][at] == told["position"]
        actions = random.integers(0, 3, count)
        rows, rewards, ended, truncated, info = tables.step(actions)
        assert not truncated.any()
        seen = []
        for at, env in enumerate(singles):
            row, reward, is_over, _, told = env.step(actions[at])
            assert (reward, is_over) == (rewards[at], ended[at])
            ends += is_over
            if is_over:
                row, told = env.reset(options={"hand": int(info["hand"][at])})
            seen.append((row, told))
    assert ends > 80


@pytest.mark.parametrize("opponents", [("random",), ("random", "always-fold", "random")])
def test_tables_in_a_kernel_play_the_hands_of_the_match(opponents):
    spec = MatchSpec(limit_holdem(1 + len(opponents)), ("always-raise", *opponents), 400, 9, housing=None)
    expected, won, hands = sum(hands_won(spec)), 0.0, 0
    tables = HoldemTables(*opponents, tables=1)
    _, info = tables.reset(seed=9)
    while True:
        won, hands = won + info["unasked_sb"][0], hands + info["unasked_hands"][0]
        if info["hand"][0] >= 400:
            break
        _, rewards, ended, _, info = tables.step(np.array([2 if info["action_mask"][0, 2] else 1]))
        won, hands = won + rewards[0], hands + ended[0]
    assert hands == info["hand"][0]
    extra = sum(hands_won(MatchSpec(spec.game, spec.bots, int(hands), 9, housing=None))) if hands > 400 else expected
    assert won == pytest.approx(extra)


def test_tables_are_reproducible_and_their_arrays_are_new():
    def played(seed, copy):
        tables, random = HoldemTables("random", tables=16, copy=copy), np.random.default_rng(1)
        first = tables.reset(seed=seed)[0]
        kept = [first.copy()]
        for _ in range(20):
            kept.append(tables.step(random.integers(0, 3, 16))[0].copy())
        assert tables.observation_space.contains(kept[-1])
        assert np.array_equal(first, kept[0]) == copy
        return np.array(kept)

    assert (played(3, True) == played(3, False)).all()
    assert not (played(3, True) == played(4, True)).all()


def test_what_tables_refuse():
    with pytest.raises(UnknownBotError, match="'expert' plays neither by three fixed probabilities"):
        HoldemTables("expert")
    with pytest.raises(MatchError, match="not no-limit"):
        HoldemTables("random", game="no-limit")
    with pytest.raises(MatchError, match="0 tables"):
        HoldemTables("random", tables=0)
    tables = HoldemTables("random", tables=4)
    with pytest.raises(MatchError, match=r"reset\(\)"):
        tables.step(np.zeros(4, int))
    tables.reset(seed=1)
    for actions, words in ((np.zeros(3, int), "shape"), (np.zeros(4), "float64"), (np.full(4, 3), "from 3 to 3")):
        with pytest.raises(IllegalActionError, match=words):
            tables.step(actions)


# PettingZoo


@pytest.mark.parametrize(("seats", "game"), [(2, "limit"), (6, "limit"), (3, "no-limit:stack=2000")])
def test_pettingzoo_finds_nothing_wrong(seats, game, capsys):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", module="pettingzoo")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")  # as PettingZoo's own card games
        warnings.filterwarnings("ignore", "Observation space for each agent probably")
        api_test(HoldemTable(seats, game=game), num_cycles=100)
        seed_test(lambda: HoldemTable(seats, game=game), num_cycles=50)
        parallel_api_test(parallel_table(seats, game=game), num_cycles=100)
        parallel_seed_test(lambda: parallel_table(seats, game=game), num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out


def test_agents_of_pettingzoo_play_the_hands_of_the_match():
    spec = MatchSpec(limit_holdem(3), ("always-raise", "always-call", "always-call"), 30, 5, housing=None)
    expected, table = [list(won) for won in zip(*[hands_won(spec, player) for player in range(3)])], HoldemTable(3)
    for hand in range(30):
        table.reset(seed=5 if hand == 0 else None)
        won = {}
        for agent in table.agent_iter():
            seen, reward, ended, _, info = table.last()
            raises = agent == "player_0" and seen["action_mask"][2]
            if ended:
                won[agent] = reward
                assert info["hand"] == hand
            table.step(None if ended else 2 if raises else 1)
        assert [won[agent] for agent in table.possible_agents] == expected[hand]


def test_what_a_table_refuses():
    table = HoldemTable(render_mode="ansi")
    with pytest.raises(MatchError, match=r"reset\(\)"):
        table.observe("player_0")
    table.reset(seed=1)
    assert "position 1 of 2" in table.render()
    with pytest.raises(MatchError, match="player_1 is to act"):
        table.step(None)
    with pytest.raises(MatchError, match="11 agents"):
        HoldemTable(11)
    with pytest.raises(MatchError, match=r"reset\(\) deals one"):
        HoldemTable().step(1)
    table = HoldemTable()
    table.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"^1.5 is no action"):
        table.step(1.5)
