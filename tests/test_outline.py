"""What a model says of all betting to come: against a slow twin, and against what must be true of any model."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from boards import ranks_on
from holding_models import calling_strategy, counted_model, legal_at, random_strategy, refresh
from railbird.bots.equilibrium import strategy_of
from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.modeling.default_data import default_data
from railbird.randomness import Stream
from railbird.search import miximax
from railbird.search.belief import BeliefSearch
from railbird.search.holding_model import CELLS, HoldingModel
from railbird.search.outline import NEGLIGIBLE, Outline, strengths_of

PAIRS = [holding_cards(holding) for holding in range(HOLDING_COUNT)]


def outlined(model: HoldingModel, position: int) -> tuple[np.ndarray, np.ndarray]:
    """Triples by node, and histograms by showdown."""
    found = Outline(model, position)
    triples, histograms = np.zeros((len(model.tree), 3)), np.zeros((len(found.showdowns), CELLS))
    decided = np.concatenate(model.tree.decisions)
    found.triples(decided[model.tree.actor[decided] == position], triples)
    found.histograms(position, np.arange(len(histograms)), histograms)
    return triples, histograms


def twin_of(model: HoldingModel, position: int, cap: int) -> naive.OutlineTwin:
    strengths = strengths_of(model.strategy)
    refresh(model)

    def acts(history: str, unit: int) -> list[float]:
        node, street = model.tree.node(history), history.count("/")
        view = model.views(node)[strengths.cells[street][unit]].tolist()
        codes = strengths.codes[street][model.tree.row[node], unit].tolist()
        triple = naive.floored(codes, legal_at(model, node), float(model.floor))
        weight = 1 - view[3]
        return naive.mixed_triple(triple, view[:3], [part / weight if weight else 0.0 for part in view[4:]], weight)

    return naive.OutlineTwin(position, acts, [way.tolist() for way in strengths.ways], cap, NEGLIGIBLE)


@pytest.mark.parametrize(("position", "seed"), [(0, 1), (1, 2)])
def test_an_outline_is_that_of_a_slow_twin(position, seed):
    model = counted_model(cap=2, seed=seed)
    triples, histograms = outlined(model, position)
    twin = twin_of(model, position, 2)
    assert min(len(twin.triples), len(twin.shown)) > 50
    for history, triple in twin.triples.items():
        assert triples[model.tree.node(history)] == pytest.approx(triple, abs=2e-5), history
    places = {node: place for place, node in enumerate(Outline(model, position).showdowns.tolist())}
    for history, shown in twin.shown.items():
        assert histograms[places[model.tree.node(history)]] == pytest.approx(shown, abs=2e-5), history


def test_where_the_opponent_hardly_comes_to_an_outline_is_flat():
    model = HoldingModel(calling_strategy(4), floor=1e-6, without=["shares"])  # who never raises
    triples, histograms = outlined(model, 0)
    raised = model.tree.node("crc/rc/rc/")  # by position 0, three times
    assert triples[raised] == pytest.approx([0.0, 0.5, 0.5])
    assert histograms.sum(axis=1) == pytest.approx(np.ones(len(histograms)), abs=1e-4)
    assert triples[model.tree.node("cc/")] == pytest.approx([0.0, 1.0, 0.0], abs=1e-5)


def test_one_who_always_calls_shows_any_hand():
    _, histograms = outlined(HoldingModel(calling_strategy(4), floor=1e-6), 1)
    node = BettingTree.of(limit_holdem()).node("cc/cc/cc/cc")
    place = Outline(HoldingModel(calling_strategy(4)), 1).showdowns.tolist().index(node)
    assert histograms[place] == pytest.approx(np.full(CELLS, 1 / CELLS), abs=0.012)  # where many tie, ranks are rare


def test_before_the_flop_it_is_bayes_rule_over_all_holdings():
    model = counted_model(cap=4, seed=5)
    refresh(model)
    for position, history in ((0, "r"), (1, "cr"), (0, "rrr")):
        acted = BeliefSearch(model, position=1 - position, cards=()).belief(history, ())
        node, _, held = acted[-1]
        chances = np.zeros(3)
        for action in range(3):
            if model.tree.child[node, action] >= 0:
                weights = held.copy()
                model.weigh(node, action, model.board(()), weights)
                chances[action] = weights.sum()
        assert outlined(model, position)[0][node] == pytest.approx(chances, abs=1e-5)


def test_strengths_are_counted_over_boards():
    strategy = random_strategy(4)
    model, found = HoldingModel(strategy), strengths_of(strategy, 3)
    turned, ranked, classes = np.zeros((CELLS, CELLS)), np.zeros((CELLS, CELLS)), np.zeros((169, CELLS))
    before = model.board(()).buckets
    for number in range(3):
        cards = tuple(Stream(number).deal(range(CARD_COUNT), 5))
        flop, turn, river = (model.board(cards[:seen]).cells for seen in (3, 4, 5))
        ranks = ranks_on(cards)
        for holding in np.flatnonzero(ranks >= 0).tolist():
            others = ranks[(ranks >= 0) & ~np.isin(PAIRS, holding_cards(holding)).any(axis=1)]
            beaten = (2 * (others < ranks[holding]) + (others == ranks[holding])).sum()
            classes[before[holding], flop[holding]] += 1
            turned[flop[holding], turn[holding]] += 1
            ranked[river[holding], min(CELLS - 1, beaten * CELLS // (2 * len(others)))] += 1
    for way, counts in ((found.ways[0], classes[before]), (found.ways[1], turned), (found.ways[3], ranked)):
        assert way == pytest.approx(counts / np.maximum(1, counts.sum(axis=1, keepdims=True)), abs=1e-6)


def test_an_outline_of_a_strategy_is_how_it_plays_itself():
    strategy = strategy_of()
    tree = BettingTree.of(strategy.game)
    played = default_data(tree, strategy, boards=60, seed=3)  # which tell it to a few hundredths
    by_position = [outlined(HoldingModel(strategy), position)[0] for position in (0, 1)]
    for history, near in (("cr", 0.03), ("rc/", 0.03), ("cc/cr", 0.05), ("crc/cc/", 0.08), ("rc/rc/rc/", 0.08)):
        node = tree.node(history)
        triples = by_position[tree.actor[node]]
        assert triples[node] == pytest.approx(played.triples[node], abs=near), history


def test_before_the_flop_the_search_is_vexbots_over_the_outline():
    model = counted_model(cap=4, seed=7)
    hand = BeliefSearch(model, 1, (51, 50))
    node = model.tree.node("")
    by_holding = BeliefSearch(model, 1, ()).values_of_all("", ())
    assert by_holding.shape == (HOLDING_COUNT, 3)
    wanted = miximax.search(Outline(model, 0), node, miximax.future((51, 50), ())).values
    np.testing.assert_array_equal(hand.search("", ()).values, wanted)
    np.testing.assert_allclose(by_holding[HOLDING_COUNT - 1], wanted)
