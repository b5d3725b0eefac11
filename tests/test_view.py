"""What a seat may not know it cannot reach."""

from __future__ import annotations

import gc
import types

import pytest

from railbird.bots.base import Bot
from railbird.game.actions import CALL
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.play.dealing import deals
from railbird.play.hand import HandPlayer


def reachable(thing: object) -> list[object]:
    """Everything that can be reached from an object by references, short of modules, classes and functions."""
    found: dict[int, object] = {}
    waiting = [thing]
    while waiting:
        item = waiting.pop()
        if id(item) in found or isinstance(item, types.ModuleType | type | types.FunctionType):
            continue
        found[id(item)] = item
        waiting += gc.get_referents(item)
        waiting += [getattr(item, name) for name in dir(item) if name.startswith("_") and not name.startswith("__")]
    return list(found.values())


class Spy(Bot):
    """Keeps every view it is given."""

    def __init__(self) -> None:
        self.views: list[PlayerView] = []

    def act(self, view):
        self.views.append(view)
        return CALL

    def on_hand(self, view):
        self.views.append(view)

    def on_action(self, view, position, action):
        self.views.append(view)

    def on_board(self, view):
        self.views.append(view)


def test_no_view_leads_to_cards_that_the_seat_may_not_know():
    game = limit_holdem(4)
    bots = [Spy() for _ in range(4)]
    deal = next(deals(game, 3, 0, 1))
    HandPlayer(game, bots, "abcd").play(deal, (0, 1, 2, 3))
    for position, bot in enumerate(bots):
        assert len(bot.views) > 20
        for view in bot.views:
            shown = game.board_seen(view.betting.street)
            hidden = [hole for p, hole in enumerate(deal.holes) if p != position]
            hidden += [deal.board[:more] for more in (3, 4, 5) if more > shown]
            things = reachable(view)
            tuples = [thing for thing in things if type(thing) is tuple]
            assert deal.holes[position] in tuples
            assert not [cards for cards in hidden if cards in tuples]
            assert not [thing for thing in things if type(thing).__name__ in ("Deal", "HandPlayer", "Spy")]


def test_views_and_nodes_cannot_be_changed():
    view = PlayerView(Betting.start(limit_holdem()), 1, (3, 4), (), 0, ("a", "b"))
    for thing, name in ((view, "position"), (view.betting, "level"), (view.game, "blinds"), (view, "_secret")):
        with pytest.raises(AttributeError):
            setattr(thing, name, 99)


def test_the_random_numbers_of_a_bot_do_not_name_the_match_seed():
    from railbird.randomness import derived_seed

    bot = Spy()
    bot.seed_hand(derived_seed(7, "bots"), 0, 0, 0)
    assert derived_seed(7, "deck") not in bot._stream_key
    assert 7 not in bot._stream_key
    assert derived_seed(7, "deck") != derived_seed(7, "bots")


def test_a_view_answers_the_usual_questions():
    node = Betting.start(limit_holdem(3)).play("rc")
    view = PlayerView(node, 1, (48, 44), (), 5, ("a", "b", "c"))
    assert (view.holding, view.board, view.street, view.history) == ("AcKc", "", "preflop", "rc")
    assert (view.pot_chips, view.to_call_chips, view.bets_to_call) == (10, 2, 1.0)
    assert view.opponents == (0, 2)
    assert [str(action) for action in view.legal_actions] == ["f", "c", "r"]
    assert str(view.smallest_raise()) == "r"
    assert str(view.check_or_fold()) == "f"
    assert "AcKc" in repr(view)
