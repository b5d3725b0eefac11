"""What bots say of themselves (`Bot.probabilities`) is what they do."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.bots.base import Bot
from railbird.bots.jagbot import is_value_bet, judgement, price_of_call
from railbird.bots.registry import make_bot
from railbird.cards import holding_cards, holding_index, parse_cards
from railbird.game.actions import CALL, FOLD, RAISE, raise_to
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.solve.policy import TablePolicy

TELLING = [
    "always-fold",
    "always-call",
    "always-raise",
    "random:fold=1,call=4,raise=5",
    "equilibrium",
    "sparbot",
    "resolver:turn=1,river=5",
    "divat-baseline",
    "jagbot:slow_play=0.3",
    "hobbybot",
    "expert",
    "yoki-tight",
    "switcher:every=10,styles=jagbot+random",
    "expert",
    "yoki-default",
]
SPOTS = [
    ("9c8c", "", ""),
    ("AsAh", "", "cr"),
    ("7d2c", "", "rr"),
    ("KhQh", "Jh7h2c", "cc/"),
    ("QdQc", "Jh7s2c", "rc/cr"),
    ("6s5s", "Jh7s2c", "rc/r"),
    ("Ts9s", "Jh7s2cAd", "rc/rc/c"),
    ("4d3d", "Jh7s2cAd9h", "rc/rc/cc/r"),
    ("AcKc", "Jh7s2cAd9h", "cc/cc/cc/crr"),
]
DRAWS = 400


def view_of(holding, board, history, seats=2):
    node = Betting.start(limit_holdem(seats)).play(history)
    names = tuple("ABCDEFGHIJ"[:seats])
    return PlayerView(node, node.to_act, parse_cards(holding), parse_cards(board), 0, names)


def frequencies(bot, view):
    drawn = []
    for number in range(DRAWS):
        bot.seed_hand(1, number)
        drawn.append("fcr".index(bot.act(view).kind))
    return np.bincount(drawn, minlength=3) / DRAWS


@pytest.mark.parametrize("name", TELLING)
def test_bots_act_as_they_say(name):
    bot = make_bot(name)
    for spot in SPOTS:
        view = view_of(*spot)
        said = bot.probabilities(view)
        assert said.sum() == pytest.approx(1.0)
        assert said[0] == 0 or view.can_fold
        assert said[2] == 0 or view.can_raise
        # Four standard errors and a half: once in 150,000 comparisons by chance.
        errors = np.sqrt(said * (1 - said) / DRAWS)
        assert (np.abs(frequencies(bot, view) - said) <= 4.5 * errors + 1e-9).all(), (spot, said)


@pytest.mark.parametrize("name", TELLING)
def test_with_other_cards_they_would_say_the_same(name):
    bot, generator = make_bot(name), np.random.default_rng(1)
    for holding, board, history in SPOTS:
        view = view_of(holding, board, history)
        every = bot.probabilities(view, every=True)
        assert every.shape == (1326, 3)
        np.testing.assert_allclose(every[holding_index(*view.hole_cards)], bot.probabilities(view), atol=1e-9)
        live = [at for at in range(1326) if not set(holding_cards(at)) & set(view.board_cards)]
        for other in generator.choice(live, 8).tolist():
            said = bot.probabilities(view._replace(hole_cards=holding_cards(other)))
            np.testing.assert_allclose(every[other], said, atol=1e-9)


def test_who_cannot_say_is_unknown():
    for name in ("loki", "vexbot", "simulation"):
        assert make_bot(name).probabilities(view_of(*SPOTS[0])) is None


def test_simple_players_say_it_at_any_table():
    view = view_of("AsAh", "", "", seats=6)
    np.testing.assert_allclose(make_bot("random").probabilities(view), [1 / 3] * 3)
    assert make_bot("always-call").probabilities(view, every=True)[:, 1].min() == 1.0


def test_rules_and_thresholds_are_told_at_any_table():
    for name in ("expert", "yoki-tight"):
        bot = make_bot(name)
        for holding, board, history in (
            ("9c8c", "", "fcr"),
            ("KhQh", "Jh7h2c", "cccc/cr"),
            ("6s5s", "Jh7s2c", "cccc/r"),
        ):
            view = view_of(holding, board, history, seats=4)
            errors = 4.5 * np.sqrt(0.25 / DRAWS)
            said = bot.probabilities(view)
            assert np.abs(frequencies(bot, view) - said).max() <= errors
            np.testing.assert_allclose(bot.probabilities(view, every=True)[holding_index(*view.hole_cards)], said)
        assert bot.told_actions(view) == (FOLD, CALL, RAISE)


def test_the_smallest_raise_is_told_where_sizes_are_free():
    node = Betting.start(no_limit_holdem(2)).play("r300")
    view = PlayerView(node, node.to_act, parse_cards("AsAh"), (), 0, ("A", "B"))
    assert make_bot("expert").told_actions(view) == (FOLD, CALL, raise_to(500))


def test_a_bot_with_a_table_need_not_write_it():
    class Tabled(Bot):
        def table_policy(self, game):
            return TablePolicy(game, [np.tile([1.0, 2.0, 5.0], (rows, 1, 1)) for rows in (8, 70, 630, 5670)])

    bot = Tabled()
    np.testing.assert_allclose(bot.probabilities(view_of("AsAh", "", "")), [0.125, 0.25, 0.625])
    np.testing.assert_allclose(bot.probabilities(view_of("AsAh", "Jh7s2c", "cc/"), every=True)[0], [0, 2 / 7, 5 / 7])


@pytest.mark.parametrize("name", ["jagbot:slow_play=0.3,bluff=2", "hobbybot"])
def test_all_holdings_at_once_are_judged_as_one_by_one(name):
    bot = make_bot(name)
    if bot.learns:
        for case in range(60):
            bot.counts.count("bet", 1 + case % 3, case % 5 > 0)
        bot.on_hand(view_of(*SPOTS[0]))
    for spot in SPOTS:
        view, habits = view_of(*spot), bot.habits()
        node = view.betting
        every = bot.probabilities(view, every=True)
        for holding in range(0, 1326, 61):
            if set(holding_cards(holding)) & set(view.board_cards):
                continue
            judged = judgement(view._replace(hole_cards=holding_cards(holding)), habits)
            raises = 0.0
            if node.can_raise:
                bluffs = bot._bluff_chance(node, habits, judged)
                raises = 1.0 - bot.slow_play_chance(view.betting, judged) if is_value_bet(node, judged) else bluffs
            stays = not node.to_call or judged.chance >= price_of_call(node)
            assert every[holding].tolist() == pytest.approx([(1 - raises) * (not stays), (1 - raises) * stays, raises])
