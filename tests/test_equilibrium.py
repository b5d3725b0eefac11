"""The equilibrium player and the strategy that ships."""

from __future__ import annotations

import time

import numpy as np
import pytest

from railbird.bots.equilibrium import Equilibrium, strategy_of
from railbird.bots.registry import make_bot
from railbird.check.check_bot import check_bot
from railbird.errors import RailbirdError, UnknownBotError
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.matches import play_match
from railbird.solve.strategy import strategy_named


def test_the_file_is_what_the_documents_say():
    start = time.perf_counter()
    strategy = strategy_of.__wrapped__()
    assert time.perf_counter() - start < 2  # half a second on an idle machine
    assert strategy.abstraction.counts == (169, 10_000, 5_000, 1_000)
    assert strategy.about["boards"] == 139_264
    assert [len(codes) for codes in strategy.codes] == [8, 70, 630, 5_670]


def test_the_strategy_that_was_trained_against_a_finer_opponent():
    strategy = strategy_named("finer")
    assert strategy.abstraction.counts == (169, 10_000, 5_000, 4_000)
    assert (strategy.abstraction.method, strategy.abstraction.digest) == ("ochs", strategy_of().abstraction.digest)
    assert (strategy.about["training"], strategy.about["boards"]) == ("finer", 239_232)
    assert strategy.about["begun_with"] == {"strategy": "equilibrium", "boards": 100.0}


def view_of(history, hole, board=()):
    node = Betting.start(limit_holdem()).play(history)
    return PlayerView(node, node.to_act, hole, board, 0, ("a", "b"))


def test_aces_raise_and_the_worst_holding_folds_more_often():
    bot = Equilibrium()
    aces, trash = bot.chances(view_of("", (48, 49))), bot.chances(view_of("", (0, 21)))  # AcAd, 2c7d
    assert sum(aces) == pytest.approx(1)
    assert aces.fold < 0.02 < trash.fold
    assert aces.raise_ > 0.6 > trash.raise_


def test_nothing_is_folded_that_is_free():
    bot, generator = Equilibrium(), np.random.default_rng(3)
    for _ in range(50):
        cards = [int(card) for card in generator.permutation(52)[:7]]
        assert bot.chances(view_of("cc/", tuple(cards[:2]), tuple(cards[2:5]))).fold == 0


def test_other_games_are_refused_and_other_stakes_are_not():
    bot = make_bot("sparbot")
    assert bot.can_play(limit_holdem())
    assert bot.can_play(limit_holdem(small_bet=10))
    assert not bot.can_play(limit_holdem(3))
    assert not bot.can_play(limit_holdem(cap=3))
    assert not bot.can_play(limit_holdem(reverse_blinds=False))
    assert not bot.can_play(no_limit_holdem())


@pytest.mark.parametrize("player", ["equilibrium", "equilibrium:strategy=finer"])
def test_it_beats_players_without_thought(player):
    for opponent in ("always-call", "always-raise", "random"):
        result = play_match(player, opponent, hands=3000, duplicate=True, seed=11)
        assert result.players[0].duplicate.is_clear
        assert result.players[0].duplicate.mean > 0


def test_check_bot_finds_nothing():
    report = check_bot("equilibrium")
    assert report.ok, report.findings


def test_strategy_files_that_lead_nowhere(tmp_path):
    with pytest.raises(UnknownBotError, match="no strategy file 'nothing"):
        Equilibrium("nothing.npz").strategy.about  # noqa: B018
    path = tmp_path / "damaged.npz"
    path.write_bytes(b"not a strategy")
    with pytest.raises(RailbirdError, match="is damaged"):
        Equilibrium(str(path)).act(view_of("", (0, 1)))
