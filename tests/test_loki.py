"""Loki's decisions, rule by rule."""

from __future__ import annotations

import pytest

from railbird.bots.loki import Loki
from railbird.bots.loki_preflop import (
    expected_players,
    players_behind,
    preflop_group,
    preflop_strategy,
    preflop_thresholds,
)
from railbird.bots.loki_settings import AfterFlop, BeforeFlop, Features, Modelling
from railbird.bots.registry import bot_entries, make_bot
from railbird.bots.variants import LOKI
from railbird.cards import holding_index, parse_cards
from railbird.check.check_bot import check_bot
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.modeling.reweighting import LOWEST
from railbird.odds.income_rates import income_rates


def view(history: str, holding: str, board: str = "", seats: int = 2) -> PlayerView:
    node = Betting.start(limit_holdem(seats)).play(history)
    return PlayerView(node, node.to_act, parse_cards(holding), parse_cards(board), 0, tuple("ABCDEFGHIJ"[:seats]))


def decide(history: str, holding: str, board: str = "", seats: int = 2, **groups):
    bot = Loki(**groups, modelling=Modelling("uniform"))
    bot.on_hand(view("", holding, "", seats))
    return bot.explain(view(history, holding, board, seats))


def test_the_worked_example_of_section_6_1():
    # Papp 1998, section 6.1: six players, two fold, AdTd next to the button, tight. Thresholds 100, 250, 580; IR 491.
    node = Betting.start(limit_holdem(6)).play("ff")
    assert (players_behind(node), expected_players(node), preflop_group(node)) == (1, 3.6, 1)
    thresholds = preflop_thresholds(node, 1, "tight")
    assert (thresholds["Make1"], thresholds["Make2"], thresholds["Make4"]) == (100, 250, 580)
    assert preflop_strategy(491, thresholds) == "Make2"
    decision = decide("ff", "AdTd", seats=6, before_flop=BeforeFlop("tight"))
    assert (str(decision.action), decision.rule) == ("r", "Make2, 3-4 players")
    assert decision.quantities["IR"] == pytest.approx(491, abs=3)


def test_the_small_blind_has_thresholds_of_its_own():
    # Papp 1998, Appendix B: Call1 at -75 among 3-4 players and 0 among five or more, Call2 at 200 and 450.
    for folds, group, call1, call2 in (("fff", 1, -75, 200), ("fcccc", 2, 0, 450)):
        node = Betting.start(limit_holdem(len(folds) + 2)).play(folds)
        assert node.to_act == 0
        thresholds = preflop_thresholds(node, group, "loose")
        assert (thresholds["Call1"], thresholds["Call2"]) == (call1, call2)


def test_make0_checks_what_is_free_and_folds_otherwise():
    assert str(decide("c", "7d2c").action) == "c"
    assert str(decide("r", "7d2c").action) == "f"


def test_make4_raises_to_the_cap():
    for history in ("", "cr", "crrr"):
        assert str(decide(history, "AsAh").action) == ("r" if history != "crrr" else "c")


@pytest.mark.parametrize(
    ("history", "holding", "board", "rule"),
    [
        ("cc/", "AsAd", "Ah7c2d", "Make2: EHS' >= make2"),
        ("cc/", "Tc9d", "9h7c2d", "Make2: EHS' >= make2"),
        ("cc/", "AcJd", "9h7c2d", "Make1: EHS' >= make1"),
        ("cc/r", "8d7d", "9d6c2d", "pot odds"),
        ("cc/r", "3d2c", "AhKhQh", "fold"),
        ("cc/cc/cc/r", "3d2c", "AhKhQhJs9s", "fold"),
    ],
)
def test_the_rule_that_fires(history, holding, board, rule):
    assert decide(history, holding, board).rule == rule


def test_a_semi_bluff_goes_on_until_somebody_bets():
    bot = Loki(after_flop=AfterFlop(make1=0.99, make2=0.995), modelling=Modelling("uniform"))
    bot.on_hand(view("", "8d7d"))
    assert bot.explain(view("cc/", "8d7d", "9d6c2d")).rule == "semi-bluff: PPOT is worth two bets"
    assert bot.explain(view("cc/rc/", "8d7d", "9d6c2dKs")).rule.startswith("semi-bluff")
    assert bot.explain(view("cc/rc/rc/", "8d7d", "9d6c2dKsQs")).rule == "semi-bluff: going on with it"
    assert bot.explain(view("cc/rc/rc/cr", "8d7d", "9d6c2dKsQs")).rule == "fold"


def test_features_can_be_switched_off():
    assert decide("cc/r", "8d7d", "9d6c2d", features=Features(pot_odds=False, showdown_odds=False)).rule == "fold"
    plain = Features(semi_bluff=False, pot_odds=False, showdown_odds=False, potential=False)
    assert decide("cc/r", "8d7d", "9d6c2d", features=plain).rule == "Make0: EHS' < make1"


def test_lokibot_calls_by_potential_alone():
    # Billings et al. 1998, section 4.4: "We call when Ppot >= pot_odds", so never on the river, and never without Ppot.
    river = ("rc/rc/rc/r", "AcQd", "KhTh7c5d2s")
    assert decide(*river).rule == "pot odds"
    assert decide(*river, features=Features(river_odds=False)).rule == "fold"
    assert decide("cc/r", "8d7d", "9d6c2d", features=Features(river_odds=False)).rule == "pot odds"
    for name in "abcde":
        bot = make_bot(f"lokibot-{name}:modeling=uniform,make1=0.99")
        bot.on_hand(view("", "AcQd"))
        assert bot.explain(view(*river)).rule == "fold"


def test_fixed_weights():
    income, called, uniform = (
        Loki(modelling=Modelling(kind)).fixed_weights() for kind in ("income", "none", "uniform")
    )
    aces, kings, trash = (holding_index(*parse_cards(cards)) for cards in ("AsAh", "KsKh", "7s2h"))
    rates = income_rates(7)
    assert income[kings] / income[aces] == pytest.approx(rates[kings] / rates[aces])
    assert income.max() == 1
    assert income[trash] == income[rates <= 0].max() == LOWEST
    assert called[aces] == 1
    assert called[trash] == LOWEST
    assert (uniform == 1).all()


def test_an_opponent_who_raises_is_taken_seriously():
    def strength(history: str) -> float:
        bot = Loki(modelling=Modelling("generic"))
        bot.on_hand(view("", "AcJd"))
        node = Betting.start(limit_holdem())
        for action in history.replace("/", ""):
            from railbird.game.actions import Action

            seen = PlayerView(
                node, 0, parse_cards("AcJd"), parse_cards("Jh7c2d")[: 3 * (node.street > 0)], 0, ("A", "B")
            )
            bot.on_action(seen, node.to_act, Action.parse(action))
            node = node.after(Action.parse(action))
        return bot.chances(PlayerView(node, 0, parse_cards("AcJd"), parse_cards("Jh7c2d"), 0, ("A", "B"))).hs

    assert strength("cc/cr") < strength("cc/c") - 0.02
    assert strength("rrc/cr") < strength("cc/cr") - 0.02


@pytest.mark.parametrize("name", [name for name, _, _ in LOKI if name in ("loki", "loki-gom2", "bpl2", "lokibot-e")])
def test_loki_keeps_the_rules_of_bots(name):
    report = check_bot(make_bot(name).__class__) if name == "loki" else check_bot(name)
    assert report.ok, str(report)


def test_every_version_can_be_made():
    for name, _, _ in LOKI:
        assert name in bot_entries()
        make_bot(name)
