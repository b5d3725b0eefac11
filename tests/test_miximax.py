"""Miximax and Miximix against a plain recursion, and the cards to come against counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import naive
from railbird.cards import HOLDING_COUNT, cards_text, class_text, holding_cards, holding_index, parse_cards
from railbird.errors import IllegalActionError
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.modeling.context_tree import ContextTree, DefaultData
from railbird.odds.strength import equities, hand_strength
from railbird.search.futures import future, on_grid, sampled_scores, shipped_scores
from railbird.search.miximax import search

TREE = BettingTree.of(limit_holdem())


def arbitrary_model(seed: int, tree: BettingTree = TREE) -> ContextTree:
    """An opponent who does anything, differently in every context."""
    generator = np.random.default_rng(seed)
    triples = generator.random((len(tree), 3)) * (tree.child >= 0)
    triples /= np.maximum(1e-9, triples.sum(axis=1, keepdims=True))
    histograms = generator.random((2, len(ContextTree(tree).showdowns), 20)) ** 3
    histograms /= histograms.sum(axis=2, keepdims=True)
    return ContextTree(tree, defaults=DefaultData(triples, histograms))


def rank_of(holding, board):
    return hand_strength(cards_text(holding), cards_text(board))


def by_recursion(model, history, holding, board, temperature=0.0):
    tree = model.tree
    own = int(tree.actor[tree.node(history)])
    known = {}

    def rank_on(finished):
        key = tuple(sorted(finished))
        if key not in known:
            known[key] = rank_of(holding, finished)
        return known[key]

    places = {node: place for place, node in enumerate(model.showdowns.tolist())}
    return naive.miximax(
        history,
        own,
        holding,
        board,
        chances=lambda at: model.defaults.triples[tree.node(at)].tolist(),
        histogram=lambda at: model.defaults.histograms[1 - own, places[tree.node(at)]].tolist(),
        hand_rank=rank_on,
        temperature=temperature,
        cap=tree.game.max_raises[1],
    )


@pytest.mark.parametrize("temperature", [0.0, 0.7])
@pytest.mark.parametrize(
    ("history", "cards", "board"),
    [
        ("cc/cc/rc/", "9d8d", "7c6d2hTsAc"),
        ("crc/rrc/cr", "AhKh", "Qh7h2c3d"),
        ("rrc/cc/", "5s5c", "8h9hTd2c"),
        ("rc/cc/rrr", "JdTd", "Jc9s4d8d"),
    ],
)
def test_search_equals_recursion_on_turn_and_river(history, cards, board, temperature):
    model, hole, dealt = arbitrary_model(len(history)), parse_cards(cards), parse_cards(board)
    expected = by_recursion(model, history, hole, dealt, temperature)
    found = search(model, TREE.node(history), future(hole, dealt), temperature).values
    assert found == pytest.approx([np.nan if value is None else value for value in expected], nan_ok=True)


def test_search_equals_recursion_on_the_flop_with_one_bet_a_street():
    model = arbitrary_model(5, BettingTree.of(limit_holdem(cap=1)))
    hole, dealt = parse_cards("QcJc"), parse_cards("Tc9h2c")

    expected = by_recursion(model, "cc/r", hole, dealt)
    found = search(model, model.tree.node("cc/r"), future(hole, dealt)).values
    assert found == pytest.approx([np.nan if value is None else value for value in expected], nan_ok=True)


def test_hand_ranks_by_counting():
    hole = parse_cards("8d7d")
    for board in ("7c6d2hTsAc", "9d6d2d8c8s"):
        dealt = parse_cards(board)
        found = future(hole, dealt).hand_ranks.tolist()
        assert found == [rank_of(hole, dealt)] == [naive.hand_rank(hole, dealt)]


@pytest.mark.parametrize("board", ["3h4cJh", "3h4cJh2d", "3h4cJh2dAs"])
def test_futures_average_to_the_equity(board):
    hole = parse_cards("AdQc")
    found = future(hole, parse_cards(board))
    assert float(found.distribution() @ found.hand_ranks) == pytest.approx(float(equities(board)[holding_index(*hole)]))
    for step in found.steps:
        assert step.sum(axis=0) == pytest.approx(np.ones(step.shape[1]))


def test_sampled_futures_before_the_flop_have_the_equity_of_all_boards():
    # The exact equities against a random holding, by enumeration: 85.20, 67.04, 34.58 %.
    for cards, equity in (("AsAh", 0.8520), ("AsKs", 0.6704), ("7c2d", 0.3458)):
        found = future(parse_cards(cards), ())
        assert float(found.distribution() @ found.hand_ranks) == pytest.approx(equity, abs=1e-4)
        for step in found.steps:
            assert step.sum(axis=0) == pytest.approx(np.ones(step.shape[1]))


def test_the_hand_ranks_that_ship_are_those_of_the_sampled_boards():
    shipped = shipped_scores()
    assert shipped.shape == (80, 6, 52, 169)
    assert np.array_equal(shipped, sampled_scores())


def test_holdings_that_differ_by_suits_have_one_future_before_the_flop():
    assert future(parse_cards("AsKs"), ()) is future(parse_cards("KhAh"), ())


def test_the_grid_keeps_the_mean():
    ranks = np.random.default_rng(3).random(500)
    shares = on_grid(ranks, np.repeat([0, 1], [300, 200]))
    assert shares.sum(axis=0) == pytest.approx([1.0, 1.0])
    means = np.arange(len(shares)) / (len(shares) - 1) @ shares
    assert means == pytest.approx([ranks[:300].mean(), ranks[300:].mean()])


def test_lines_add_up_to_the_value_of_the_action():
    model = arbitrary_model(9)
    found = search(model, TREE.node("rc/c"), future(parse_cards("AdQc"), parse_cards("3h4cJh")))
    for place, kind in enumerate("fcr"):
        lines = [line for line in found.lines() if line.history[0] == kind]
        assert sum(line.chance for line in lines) == pytest.approx(min(1, len(lines)))
        if lines:
            assert sum(line.chance * line.value for line in lines) == pytest.approx(found.values[place])


def test_miximix_tends_to_miximax():
    model, cards = arbitrary_model(2), future(parse_cards("AdQc"), parse_cards("3h4cJh"))
    node = TREE.node("rc/r")
    best = search(model, node, cards)
    mixed = search(model, node, cards, temperature=1e-4)
    assert mixed.values == pytest.approx(best.values, abs=1e-3)
    assert search(model, node, cards, temperature=1.0).values[1] < best.values[1]
    assert best.chances(0.0).tolist() == np.eye(3)[best.best].tolist()
    assert best.chances(0.5).sum() == pytest.approx(1.0)


def test_there_is_nothing_to_search_after_the_hand():
    with pytest.raises(IllegalActionError, match="nobody is to act after 'rf'"):
        search(ContextTree(TREE), TREE.node("rf"), future(parse_cards("AdQc"), ()))


@pytest.mark.parametrize(
    ("chances", "dealer", "big_blind"),
    [
        ((1, 1, 1), 4.400892, 2.531751),
        ((0, 1, 0), 1.163476, 1.163476),
        ((0, 0, 1), 3.697693, 3.697693),
        ((0.06, 0.47, 0.47), 2.772886, 2.210703),
    ],
)
def test_against_play_without_regard_to_cards_it_expects_what_the_best_response_wins(chances, dealer, big_blind):
    # The exact best responses are those of tests/golden/test_exploitability.py. An opponent who does not look at his
    # cards shows any hand, so a true model is the triple and flat histograms, and Miximax is the best response. The
    # rest is the sampling before the flop and the opponent's cards, of which the model knows nothing.
    wanted = np.array(chances) * (TREE.child >= 0)
    wanted[wanted.sum(axis=1) == 0, 1] = 1.0
    triples = wanted / wanted.sum(axis=1, keepdims=True)
    model = ContextTree(TREE, defaults=DefaultData(triples, DefaultData.flat(TREE).histograms))
    first = model.triple("")
    values = dict.fromkeys(("", "c", "r"), 0.0)
    one_of = {class_text(holding): holding for holding in range(HOLDING_COUNT)}
    for name, count in Counter(map(class_text, range(HOLDING_COUNT))).items():
        cards = future(holding_cards(one_of[name]), ())
        for history in values:
            best = np.nanmax(search(model, TREE.node(history), cards).values)
            values[history] += count / HOLDING_COUNT * float(best)
    assert values[""] == pytest.approx(dealer, rel=0.012)
    expected = 0.5 * first.fold + first.call * values["c"] + first.raise_ * values["r"]
    assert expected == pytest.approx(big_blind, rel=0.012)
