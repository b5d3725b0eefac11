"""The true values of actions against always-raise, where they can be told by hand."""

from __future__ import annotations

import numpy as np
import pytest
from trials.raiser import GAME, TREE, true_values

from railbird.cards import parse_cards
from railbird.game.betting import Betting
from railbird.game.view import PlayerView
from railbird.modeling.context_tree import ContextTree, DefaultData
from railbird.search.futures import future
from railbird.search.miximax import search


def view(holding: str, board: str, history: str) -> PlayerView:
    betting = Betting.start(GAME).play(history)
    return PlayerView(betting, betting.to_act, parse_cards(holding), parse_cards(board), 0, ("a", "b"))


def test_the_nuts_raise_to_the_cap():
    # Two bets each before the flop, one on the flop, one of two on the turn; the river is capped at four of two.
    assert true_values(view("AsKs", "QsJsTs2d3c", "rc/rc/rc/r")) == pytest.approx([-5, 7, 13])


def test_one_who_plays_the_board_wins_nothing():
    # Quads and the best kicker on the board: everybody splits, so nothing is won or lost by any bet.
    assert true_values(view("2c3d", "AsAhAdAcKs", "rc/rc/rc/r")) == pytest.approx([-5, 0, 0])
    values = true_values(view("2c3d", "AsKhQdJc9s", "rc/rc/rc/r"))  # which plays the board, as many others do
    assert values[2] == pytest.approx(values[1] * 11 / 7)  # a raise is raised again, and then a call is best
    assert -5 < values[1] < -4.9


def test_what_may_come_is_the_mean_over_cards():
    here = true_values(view("AsKs", "QsJs2d3c", "rc/rc/r"))
    dealt = ("As", "Ks", "Qs", "Js", "2d", "3c")
    left = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs" if rank + suit not in dealt]
    by_river = [np.nanmax(true_values(view("AsKs", "QsJs2d3c" + card, "rc/rc/rc/"))) for card in left]
    assert here[1] == pytest.approx(np.mean(by_river))


@pytest.mark.parametrize("holding", ["2c7d", "3c8d", "5h6h", "2d2s", "9cTd", "4sKd", "8hQh", "AhAs"])
def test_vexbots_search_before_the_flop_is_as_good_as_its_model(holding):
    # The model of who always raises, and shows any hand.
    triples = np.zeros((len(TREE), 3))
    triples[np.arange(len(TREE)), np.where(TREE.child[:, 2] >= 0, 2, 1)] = 1
    model = ContextTree(TREE, defaults=DefaultData(triples, DefaultData.flat(TREE).histograms))
    for history in ("", "r"):
        true = true_values(view(holding, "", history))
        found = search(model, TREE.node(history), future(parse_cards(holding), ()))
        assert np.nanmax(true) - true[found.best] < 0.05
