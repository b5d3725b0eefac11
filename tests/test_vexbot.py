"""Vexbot as a player: what it learns, forgets, saves and says."""

from __future__ import annotations

import json

import numpy as np
import pytest

from railbird.bots.reasons import explain
from railbird.bots.registry import make_bot
from railbird.bots.simple import AlwaysCall
from railbird.bots.vexbot import Vexbot
from railbird.cards import parse_cards
from railbird.check.check_bot import check_bot
from railbird.cli import main
from railbird.errors import RailbirdError, UnknownBotError
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem, named_game
from railbird.game.view import PlayerView
from railbird.play.dealing import deals
from railbird.play.hand import HandPlayer

GAME = limit_holdem()


def view(history: str, holding: str, board: str = "", position: int | None = None) -> PlayerView:
    node = Betting.start(GAME).play(history)
    place = node.to_act if position is None else position
    return PlayerView(node, place, parse_cards(holding), parse_cards(board), 0, ("A", "B"))


def played(bot, opponent, hands: int, seed: int = 1) -> float:
    """Small bets a hand that `bot` wins."""
    table, won = HandPlayer(GAME, [bot, opponent], ("bot", "opponent")), 0
    for deal in deals(GAME, seed, 0, hands):
        bot.seed_hand(seed, deal.number)
        order = (deal.number % 2, 1 - deal.number % 2)
        won += table.play(deal, order).payoffs[order.index(0)]
    return won / 2 / hands


@pytest.mark.parametrize("spec", ["vexbot", "vexbot:search=miximix,abstraction=pot,defaults=flat"])
def test_it_is_fit_to_play(spec):
    report = check_bot(spec, budget_seconds=8)
    assert report.ok, report.findings
    assert not report.findings


def test_it_learns_from_actions_and_shown_cards():
    bot = Vexbot()
    bot.on_hand(view("", "AdQc", position=0))
    end = view("rc/cc/rc/cc", "AdQc", "3h4cJh2d9s", position=0)
    bot.on_showdown(end, {0: parse_cards("AdQc"), 1: parse_cards("JsJc")})
    bot.on_result(end, (-8, 8))
    model = bot.model(GAME)
    assert [model.observations(history)[0] for history in ("", "rc/c", "rc/cc/r", "rc/cc/rc/c")] == [1, 1, 1, 1]
    assert model.observations("r")[0] == 0  # its own decision
    assert model.observations("rc/cc/rc/cc", 1) == (1, 1, 1, 1)
    assert int(np.argmax(model.histogram("rc/cc/rc/cc", 1))) == 19


def test_a_folded_hand_leaves_actions_only():
    bot = Vexbot()
    bot.on_hand(view("", "AdQc", position=1))
    bot.on_result(view("rf", "AdQc", position=1), (-2, 2))
    model = bot.model(GAME)
    assert model.observations("r") == (1, 1, 1, 1)
    assert not model.shown_counts.any()


def test_it_beats_a_caller_and_bets_the_better_hands():
    # The best response wins 1.163 sb/hand; 400 hands have a standard error of about 0.2.
    bot = Vexbot()
    assert played(bot, AlwaysCall(), 400) > 0.2
    model = bot.model(GAME)
    assert model.triple("r").call > 0.9
    assert model.triple("cc/cc/cc/r").call > 0.9
    values = bot.explain(view("cc/cc/cc/", "AdQc", "3h4cJhAs9s", position=0)).quantities
    assert values["EV raise"] > values["EV call"] + 0.5
    bot.reset()
    assert not bot.model(GAME).action_counts.any()


def test_a_saved_model_is_where_a_new_player_starts(tmp_path):
    bot = Vexbot()
    played(bot, AlwaysCall(), 30)
    path = bot.save(tmp_path / "caller.model", GAME)
    again = make_bot(f"vexbot:model={path}")
    assert isinstance(again, Vexbot)
    for position in (view("", "Ts9s"), view("cc/", "Ts9s", "3h4cJh")):
        assert again.explain(position) == bot.explain(position)
    assert again.can_play(GAME)
    assert not again.can_play(named_game("limit:cap=3", 2))
    played(again, AlwaysCall(), 5)
    again.reset()
    assert again.model(GAME).action_counts.sum() == bot.model(GAME).action_counts.sum()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(RailbirdError, match="is damaged"):
        make_bot(f"vexbot:model={path}")


def test_what_it_cannot_start_from_is_refused():
    with pytest.raises(UnknownBotError, match="cannot read the model 'nowhere'"):
        make_bot("vexbot:model=nowhere")
    with pytest.raises(RailbirdError, match="cannot read 'nowhere'"):
        make_bot("vexbot:defaults=nowhere").prepare()
    with pytest.raises(UnknownBotError, match="a temperature of 0"):
        make_bot("vexbot:temperature=0")
    with pytest.raises(UnknownBotError, match=r"h=1\.5"):
        make_bot("vexbot:h=1.5")


def test_against_a_new_opponent_it_expects_an_equilibrium():
    bot = Vexbot()
    assert [bot.act(view("", cards)).kind for cards in ("7h2d", "AdQc")] == ["f", "r"]
    # The small blind of an equilibrium hardly ever just calls, and folds less than half of its hands.
    assert bot.model(GAME).triple("").call < 0.2
    assert 0.05 < bot.model(GAME).triple("").fold < 0.4
    flat = Vexbot(defaults="flat").model(GAME).triple("")
    assert flat == (1 / 3, 1 / 3, 1 / 3)


def test_games_that_it_plays():
    bot = Vexbot()
    assert bot.can_play(named_game("limit:cap=3", 2))
    for other in (
        named_game("limit", 3),
        limit_holdem(cap=None),
        limit_holdem(cap=6),
        named_game("no-limit", 2),
        named_game("leduc", 2),
        limit_holdem(stack=100),
    ):
        assert not bot.can_play(other)


def test_miximix_draws_and_miximax_does_not():
    position = view("rc/", "9d8d", "7c6d2h")
    mixed, best = Vexbot(search="miximix", temperature=5.0), Vexbot()
    drawn = set()
    for hand in range(40):
        mixed.seed_hand(1, hand)
        best.seed_hand(1, hand)
        drawn.add(mixed.act(position).kind)
        assert best.act(position) == best.explain(position).action
    assert drawn == {"c", "r"}


def test_its_mind_can_be_looked_at():
    found = explain("AdQc", "3h4cJh", "cc/r", bot="vexbot")
    decision = found.decision
    assert set(decision.quantities) == {"EV fold", "EV call", "EV raise"}
    assert decision.quantities["EV fold"] == -1.0
    best = max(decision.quantities, key=decision.quantities.__getitem__)
    assert {"EV fold": "f", "EV call": "c", "EV raise": "r"}[best] == decision.action.kind
    answer = found.to_json()
    assert [line["history"] for line in answer["lines"]][:2] == ["f", "c"]
    assert all(sum(cells) == pytest.approx(1.0) and len(cells) == 20 for cells in answer["histograms"].values())


def test_railbird_explain_shows_vexbot(capsys):
    for arguments in (["--bot", "vexbot"], ["--bot", "vexbot", "--json"]):
        with pytest.raises(SystemExit) as ended:
            main(["explain", "AdQc", "3h4cJh", "--history", "cc/r", *arguments])
        assert ended.value.code == 0
        out = capsys.readouterr().out
    assert json.loads(out)["rule"] == "miximax: the largest EV"
    with pytest.raises(SystemExit) as ended:
        main(["explain", "AdQc", "--bot", "vexbot", "--grid"])
    assert ended.value.code != 0
    assert "does not weigh" in capsys.readouterr().err
