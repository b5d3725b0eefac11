"""Sparbot: few buckets, a play before the flop that is given, and the rest solved for it."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

from railbird.bots.equilibrium import Equilibrium, strategy_of
from railbird.bots.reasons import explain
from railbird.bots.registry import make_bot
from railbird.bots.sparbot import POSTFLOP_MODELS, PREFLOP_MODEL, SHIPPED, build_sparbot
from railbird.cards import parse_cards, parse_holding
from railbird.check.check_bot import check_bot
from railbird.cli import main
from railbird.errors import MatchError, RailbirdError
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.kernels.cards.isomorphism import class_sizes, isomorphism_table
from railbird.odds.potential import potentials
from railbird.odds.strength import strengths
from railbird.play.matches import play_match
from railbird.solve import solving
from railbird.solve.strategy import Strategy
from railbird.solve.train import Training
from test_train import random_abstraction


@pytest.fixture(scope="module")
def shipped() -> Strategy:
    return strategy_of("", SHIPPED)


def as_array(board: str) -> np.ndarray:
    return np.array(parse_cards(board), np.uint8)


# Buckets


def test_a_street_has_seven_buckets_and_each_a_seventh_of_all_deals(shipped):
    abstraction = shipped.abstraction
    assert (abstraction.method, abstraction.counts, abstraction.slices) == ("potential", (169, 7, 7, 7), (7, 1))
    for table, cards in zip(abstraction.tables, (3, 4)):
        sizes = np.empty(len(table), np.int64)
        class_sizes(isomorphism_table(), True, cards, sizes)
        shares = np.bincount(table, weights=sizes, minlength=7) / sizes.sum()
        np.testing.assert_allclose(shares, 1 / 7, atol=0.01)  # many deals share a strength


@pytest.mark.parametrize("board", ["3h4cJh", "AsAd7c", "9h8h7h", "3h4cJhTh", "2c2d2hKs"])
def test_six_buckets_go_by_strength_and_one_by_potential(shipped, board):
    limits = shipped.abstraction.definition["flop" if len(board) == 6 else "turn"]
    found = shipped.abstraction.board_buckets(as_array(board))
    strength, ppot = strengths(board), potentials(board)[0]
    live = ~np.isnan(strength)
    drawing = (np.rint(65535 * strength) < 32768) & (np.rint(65535 * ppot) >= limits[-1])
    by_strength = sum(np.rint(65535 * strength) >= limit for limit in limits[:-1])
    assert (found[live] == np.where(drawing, 6, by_strength)[live]).all()


def test_what_draws_is_apart_from_what_is_as_weak(shipped):
    found = shipped.abstraction.board_buckets(as_array("3h4cJh"))
    for holding, bucket in (("7h6h", 6), ("6d5d", 6), ("8c2d", 0), ("JcJs", 5), ("AcAd", 5)):
        assert found[parse_holding(holding)] == bucket, holding


# The two parts


@pytest.fixture
def quick(shipped, monkeypatch):
    """Solving with the buckets that ship instead of fitting them anew, which takes half a minute."""
    monkeypatch.setattr(solving.Abstraction, "fit", lambda *_arguments: shipped.abstraction)


def test_the_same_seed_gives_the_same_file_by_function_and_by_command(quick, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few, more = replace(PREFLOP_MODEL, boards=20), replace(POSTFLOP_MODELS, boards=24)
    files_made = [build_sparbot(tmp_path / name, preflop=few, postflop=more) for name in ("a.npz", "b.npz")]
    common = ["--buckets", "169/7/7/7", "--abstraction", "potential", "--seed", "1"]
    for options in (
        ["--boards", "20", "--checked-river", "--out", "first.npz"],
        ["--boards", "24", "--preflop", "first.npz", "--out", "second.npz"],
    ):
        with pytest.raises(SystemExit) as end:
            main(["solve", *common, *options])
        assert not end.value.code
    first, *made = (path.read_bytes() for path in (tmp_path / "first.npz", tmp_path / "second.npz", *files_made))
    assert made[0] == made[1] == made[2] != first
    assert {path.name for path in tmp_path.glob("*.npz")} == {"a.npz", "b.npz", "first.npz", "second.npz"}
    preflop, whole = Strategy.load(tmp_path / "first.npz"), Strategy.load(files_made[0])
    assert np.array_equal(preflop.codes[0], whole.codes[0])
    assert not preflop.codes[3].any(), "the river is checked down, and bets that nobody makes are called"
    assert (preflop.about["held"], whole.about["held"]) == ([3], [0])
    assert whole.codes[3].any()


def test_the_file_that_ships_is_what_the_documents_say(shipped):
    assert shipped.about == {"boards": POSTFLOP_MODELS.boards, "seed": 1, "training": "plus", "power": 1, "held": [0]}
    assert shipped.abstraction.counts == POSTFLOP_MODELS.counts == PREFLOP_MODEL.counts
    assert (files("railbird.solve") / "data" / SHIPPED).stat().st_size < 100_000
    tree = shipped.tree
    folds = shipped.table(0)[tree.row[0], :, 0]
    aces, seven_deuce = (shipped.abstraction.bucket(parse_cards(holding), ()) for holding in ("AcAd", "7c2d"))
    assert folds[aces] == 0 < folds[seven_deuce]


def reached(strategy, node, reach):
    """By betting that leads to a flop: with which part of its holdings each position comes there."""
    tree = strategy.tree
    if tree.street[node] > 0:
        return {tree.history[node]: tuple(float(part.mean()) for part in reach)}
    chances = strategy.probabilities(0, ())[tree.row[node]] if tree.row[node] >= 0 else np.ones((1326, 3))
    found = {}
    for action, to in enumerate(tree.child[node].tolist()):
        if to >= 0:
            passed = [part * (chances[:, action] if tree.actor[node] == at else 1) for at, part in enumerate(reach)]
            found |= reached(strategy, to, passed)
    return found


def test_every_way_to_see_a_flop_has_holdings_of_both(shipped):
    found = reached(shipped, 0, [np.ones(1326), np.ones(1326)])
    assert list(found) == ["cc/", "crc/", "crrc/", "crrrc/", "rc/", "rrc/", "rrrc/"]
    assert min(min(both) for both in found.values()) > 0.001
    # What the documents say: the dealer opens with a raise 74% of the time and folds 22%, and so on.
    tree, first = shipped.tree, shipped.probabilities(0, ())
    opening, answer = (first[tree.row[tree.node(history)]].mean(axis=0) for history in ("", "r"))
    assert opening.tolist() == pytest.approx([0.22, 0.04, 0.74], abs=0.006)
    assert answer.tolist() == pytest.approx([0.11, 0.50, 0.39], abs=0.006)


def test_parts_that_do_not_fit_are_refused(quick, tmp_path):
    with pytest.raises(RailbirdError, match=r"is solved by --backend cpu alone"):
        solving.SolvePlan(preflop="some.npz", backend="gpu")
    with pytest.raises(RailbirdError, match=r"no strategy file 'none.npz'"):
        solving.solve(preflop="none.npz", buckets="169/7/7/7", boards=1, progress=False)
    other = tmp_path / "three.npz"
    Training(random_abstraction(), limit_holdem(cap=3)).strategy().save(other)
    with pytest.raises(RailbirdError, match=r"three.npz' is a strategy for another game than limit with four bets"):
        solving.solve(preflop=str(other), buckets="169/7/7/7", boards=1, progress=False)


def test_its_buckets_ship_so_that_nobody_waits_for_them(tmp_path, monkeypatch, shipped):
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    fresh = strategy_of.__wrapped__("", SHIPPED).abstraction
    monkeypatch.setattr(fresh, "computed", lambda watch: pytest.fail("computed"))
    assert [len(table) for table in fresh.tables] == [1_286_792, 13_960_050]
    assert (files("railbird.solve") / "data" / shipped.abstraction.packed_name).stat().st_size < 900_000


# The player


def test_it_plays_heads_up_limit_alone(shipped):
    bot = make_bot("sparbot")
    assert bot.can_play(limit_holdem())
    assert bot.can_play(limit_holdem(small_bet=10))
    for game in (limit_holdem(3), limit_holdem(cap=3), no_limit_holdem()):
        assert not bot.can_play(game)
    with pytest.raises(MatchError, match="'sparbot' does not play limit with 3 seats"):
        play_match("sparbot", "random", "random", hands=10)
    with pytest.raises(MatchError, match="'sparbot' does not play no-limit"):
        play_match("sparbot", "random", game="no-limit", hands=10)
    assert bot.table_policy(limit_holdem()) is shipped
    assert Equilibrium().strategy is not shipped


def test_it_explains_itself_by_bucket():
    told = explain("7h6h", "3h4cJh", "cc/r", bot="sparbot")
    assert told.decision.quantities["bucket"] == 6
    assert "of the flop's 7 buckets" in str(told)


def test_it_beats_players_without_thought():
    for opponent in ("always-call", "always-raise", "random"):
        result = play_match("sparbot", opponent, hands=3000, duplicate=True, seed=11)
        assert result.players[0].duplicate.is_clear
        assert result.players[0].duplicate.mean > 0


def test_check_bot_finds_nothing():
    report = check_bot("sparbot")
    assert report.ok, report.findings
