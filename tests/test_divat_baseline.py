"""DIVAT's baseline as a player: it bets as assessment says it should, and explains itself by the same numbers."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from railbird.assess.baseline import baseline_end
from railbird.assess.departures import departures
from railbird.assess.divat import assess
from railbird.assess.settings import Thresholds, parse_settings
from railbird.assess.summary import assess_pairs
from railbird.bots.divat_baseline import DivatBaseline
from railbird.bots.exploiting import exploitability
from railbird.bots.reasons import explain
from railbird.bots.registry import make_bot
from railbird.cards import HOLDING_COUNT, class_text, holding_cards, holding_index, parse_cards
from railbird.errors import MatchError, UnknownBotError
from railbird.game.actions import CALL, FOLD
from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem, named_game
from railbird.game.view import PlayerView
from railbird.play.match_logs import read_hand_arrays
from railbird.play.matches import play_match

GAME = limit_holdem()
RULES = ("fold=pot", "fold=faced", "fold=faced,preflop_bets=0.5/0.7/0.8/0.9,preflop_folds=0.1")
SEED = 31


def view_of(holding, board, history, game=GAME):
    node = Betting.start(game).play(history)
    return PlayerView(node, node.to_act, parse_cards(holding), parse_cards(board), 0, ("a", "b"))


def hands_of(folder, *players, hands):
    play_match(*players, hands=hands, seed=SEED, duplicate=False, folder=folder)
    return read_hand_arrays([folder])


@pytest.mark.parametrize("rule", RULES)
def test_against_itself_no_skill_is_seen(tmp_path, rule):
    hands = hands_of(tmp_path / "match", f"divat-baseline:{rule}", f"divat-baseline:{rule}", hands=400)
    found = assess(hands, parse_settings(f"standard:{rule}"))
    assert (found.deviator == -1).all()
    assert not found.difference.any()
    assert not found.all_in_difference.any()
    # Every street was played as by the baseline from the blinds on, so the money is the baseline's own.
    assert found.dcash[found.hands.last_street == 3].tolist() == found.money[found.hands.last_street == 3].tolist()
    assert {1, 2, 3} <= {int(street) for street in found.hands.last_street}


@pytest.mark.parametrize("rule", RULES)
def test_it_never_departs_from_the_baseline_whoever_plays_against_it(tmp_path, rule):
    settings = parse_settings(f"standard:{rule}")
    for opponent in ("random:fold=1,call=4,raise=5", "always-raise"):
        hands = hands_of(tmp_path / opponent[:6], f"divat-baseline:{rule}", opponent, hands=200)
        [pair] = assess_pairs(hands, [settings])
        names = {name: departures(pair, name) for name in (pair.first, pair.second)}
        [own] = [name for name in names if name.startswith("divat-baseline")]
        assert not names.pop(own)
        assert len(next(iter(names.values()))) > 100


def test_the_other_fold_rule_departs(tmp_path):
    hands = hands_of(tmp_path / "match", "divat-baseline:fold=faced", "always-raise", hands=400)
    [pair] = assess_pairs(hands, [parse_settings("standard")])
    [own] = [name for name in (pair.first, pair.second) if name.startswith("divat-baseline")]
    assert {(each.baseline, each.done) for each in departures(pair, own)} == {(0, 1)}  # calls where "pot" folds


def test_the_example_of_the_thesis():
    # Kan 2007, Tables 3.3 and 3.4: the baseline is SlCk, bRrC, bRrC, bC, and Alice wins 12 small bets (Dcash).
    holdings, board = (parse_cards("Ts6s"), parse_cards("Jd5d")), parse_cards("Td5hTh2d2h")
    node, bot = Betting.start(GAME), make_bot("divat-baseline")
    while not node.is_over:
        seen = board[: GAME.board_seen(node.street)]
        node = node.after(bot.act(PlayerView(node, node.to_act, holdings[node.to_act], seen, 0, ("a", "b"))))
    assert node.history == "cc/rrrc/rrrc/rc"
    assert node.committed == (12 * GAME.small_bet,) * 2


def test_two_holdings_fold_before_the_flop():
    # Section 3.1.2: "just two hands", 32o and 42o; see tests/golden/test_kan_2007.py.
    bot, start = make_bot("divat-baseline"), Betting.start(GAME)
    views = [PlayerView(start, 1, holding_cards(holding), (), 0, ("a", "b")) for holding in range(HOLDING_COUNT)]
    folded = [class_text(holding_index(*view.hole_cards)) for view in views if bot.act(view) == FOLD]
    assert (len(folded), set(folded)) == (24, {"32o", "42o"})


@pytest.mark.parametrize("rule", ["pot", "faced"])
def test_its_strategy_is_what_it_does(rule):
    bot, tree, generator = DivatBaseline(Thresholds(fold=rule)), BettingTree.of(GAME), np.random.default_rng(SEED)
    policy, kinds = bot.table_policy(GAME), {"f": 0, "c": 1, "r": 2}
    done = set()
    for at in range(600):
        street = at % 4
        row = int(generator.integers(len(tree.decisions[street])))
        node = Betting.start(GAME).play(tree.history[tree.decisions[street][row]])
        first, second, *cards = generator.permutation(52)[:7].tolist()
        board = tuple(cards[: GAME.board_seen(street)])
        buckets = policy.buckets(street, np.array([board], np.uint8).reshape(1, -1))[0]
        found = policy.table(street)[row, buckets[holding_index(first, second)]]
        action = bot.act(PlayerView(node, node.to_act, (first, second), board, 0, ("a", "b")))
        assert found[kinds[action.kind]] == 1, (node.history, first, second, board)
        done.add((street, action.kind))
    assert len(done) == 12 - (rule == "faced")  # 32o alone folds before the flop, or nothing does


def test_a_fold_that_is_free_is_not_made():
    game = replace(GAME, free_fold=True)
    start = Betting.start(game).play("cc/")
    assert start.can_fold
    assert baseline_end(start, ("F", "F")).history == "cc/cc/"
    assert make_bot("divat-baseline").act(view_of("3c2c", "KsTh7d", "cc/", game)) == CALL


def test_reasons():
    found = explain("Jd5d", "Td5hTh", "cc/r", bot="divat-baseline").decision
    assert (str(found.action), found.rule, found.reason) == ("r", "M2", "worth 2 bets, and 1 is in")
    # Kan 2007, Table 3.3.
    assert [round(found.quantities[name], 4) for name in ("IHR", "7cHR", "EHR")] == [0.8483, 0.6767, 0.8483]
    assert [str(step) for step in found.steps] == ["EHR 0.848 >= make-2 0.825"]
    found = explain("3c2c", "KsTh7d", "cc/r", bot="divat-baseline").decision
    assert (str(found.action), found.rule) == ("f", "F")
    assert [(step.rule, step.holds) for step in found.steps] == [("raise", False), ("call", False)]
    assert found.quantities["fold below"] == pytest.approx(1 / 3 + 0.075)
    assert explain("3c2c", "KsTh7d", "cc/", bot="divat-baseline").verb == "check"
    capped = explain("AsAh", "AdAc2s", "cc/rrrr", bot="divat-baseline").decision
    assert (str(capped.action), capped.reason) == ("c", "worth 4 bets, and 4 are in: no more, and no fold")


def test_only_heads_up_limit():
    bot = make_bot("divat-baseline")
    assert bot.can_play(GAME)
    assert not bot.can_play(limit_holdem(3))
    assert not bot.can_play(named_game("no-limit", 2))
    with pytest.raises(MatchError, match="'divat-baseline' does not play limit with 3 seats; it plays heads-up"):
        play_match("divat-baseline", "always-call", "always-call", hands=2)
    with pytest.raises(UnknownBotError, match="does not play leduc: it is for heads-up fixed-limit hold'em"):
        exploitability("divat-baseline", game="leduc")


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("fold=fced", "it should be one of pot, faced"),
        ("flop_bets=0.5", "divat-baseline: flop_bets=0.5: 1 number where the ranks worth 1 to 4 bets belong"),
        ("rollout=7chr", "no parameter 'rollout'"),  # it changes values, not how the baseline bets
    ],
)
def test_bad_parameters(parameter, message):
    with pytest.raises(UnknownBotError, match=re.escape(message)):
        make_bot(f"divat-baseline:{parameter}")
