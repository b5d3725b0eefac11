"""Policies of one's own, as functions, mappings and arrays: what they are worth, and what is refused."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from railbird.cards import HOLDING_COUNT, holding_index, parse_cards
from railbird.errors import RailbirdError
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import kuhn_poker, leduc_poker, limit_holdem
from railbird.solve import best_response as module
from railbird.solve.best_response import BestResponse, exploitability
from railbird.solve.flops import Flops, orbits
from railbird.solve.function_policy import FunctionPolicy
from railbird.solve.policy import ConstantPolicy, TablePolicy, deck

GAME, SHORT = limit_holdem(), limit_holdem(cap=1)
CALL = ProbabilityTriple(0, 1, 0)


@pytest.fixture
def few_cards(monkeypatch):
    """Deal only some turn and river cards, to be quick."""
    monkeypatch.setattr(module, "orbits", lambda board, symmetries: orbits(board, symmetries)[7::23])


def always_call(holding, board, history):
    return 0, 1, 0


def all_call(holdings, board, history):
    return np.tile((0.0, 1.0, 0.0), (len(holdings), 1))


def by_rank(holding, board, history):
    """Something that looks at ranks and at the betting of all streets."""
    high = "23456789TJQKA".index(holding[0]) + 5 * board.count("A") + 3 * history.count("r")
    return (1 + high % 3, 2, high % 4)


def all_by_rank(holdings, board, history):
    return np.array([by_rank(holding, board, history) for holding in holdings], float)


def spades(holding, board, history):
    return (0, 1, 1 + holding.count("s"))


# Toy games


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_kuhn_s_equilibria_cannot_be_exploited(alpha):
    # Kuhn 1950: bet the jack with alpha and the king with 3 alpha; after a bet call the queen with alpha + 1/3. The
    # second player bets the jack and calls the queen a third of the time. Cards are Q, K and A here.
    bets = {"": {"Q": alpha, "K": 0.0, "A": 3 * alpha}, "c": {"Q": 1 / 3, "K": 0.0, "A": 1.0}}
    calls = {"cr": {"Q": 0.0, "K": alpha + 1 / 3, "A": 1.0}, "r": {"Q": 0.0, "K": 1 / 3, "A": 1.0}}

    def play(holding, board, history):
        if history in bets:
            return 0.0, 1 - bets[history][holding[0]], bets[history][holding[0]]
        return 1 - calls[history][holding[0]], calls[history][holding[0]], 0.0

    found = exploitability(FunctionPolicy(kuhn_poker(), play))
    assert found.is_exact
    assert found.mean.value.mean == pytest.approx(0.0, abs=1e-3)
    assert found.as_big_blind.value.mean == pytest.approx(-1000 / 18, abs=1e-2)
    assert found.as_dealer.value.mean == pytest.approx(1000 / 18, abs=1e-2)


@pytest.mark.parametrize("vectorised", [False, True])
def test_uniform_leduc_as_a_function(vectorised):
    # OpenSpiel: NashConv 4.747222 chips; the mean of both positions is half of it, in small bets of 2 chips.
    if vectorised:
        policy = FunctionPolicy(leduc_poker(), lambda holdings, *_: np.ones((len(holdings), 3)), is_vectorised=True)
    else:
        policy = FunctionPolicy(leduc_poker(), lambda *_: ProbabilityTriple(1, 1, 1))
    found = exploitability(policy)
    assert 2 * found.mean.value.mean * 2 / 1000 == pytest.approx(4.747222, abs=1e-5)
    # 6 decisions before the board with 6 cards, 30 after it with 6 boards and 5 cards.
    assert policy.calls == (6 + 30 * 6 if vectorised else 6 * 6 + 30 * 6 * 5)


def test_a_mapping_does_as_well_and_says_what_it_lacks():
    table = {(card, "", history): (0, 1, 0) for card in ("Qs", "Ks", "As") for history in ("", "c", "r", "cr")}
    assert exploitability(FunctionPolicy(kuhn_poker(), table)).mean.value.mean == pytest.approx(1000 / 3, abs=1e-3)
    del table["Ks", "", "cr"]
    with pytest.raises(RailbirdError, match="the mapping has nothing for Ks on no board after 'cr'"):
        exploitability(FunctionPolicy(kuhn_poker(), table))


# Hold'em


def test_always_call_as_a_function_is_always_call(few_cards):
    constant = BestResponse(ConstantPolicy(GAME, CALL))
    pots = constant.rounds[1].chips_before
    for function, vectorised in ((all_call, True), (always_call, False)):
        policy = FunctionPolicy(
            GAME, function, is_vectorised=vectorised, is_suit_blind=True, is_forgetful=not vectorised
        )
        response = BestResponse(policy)
        wanted, found = constant.flop_values(900), response.flop_values(900)
        for position in (0, 1):
            reached = response.seen[0][position].closing_columns
            columns = response._preflop_columns(position)[reached, 0]
            for opening, reach in enumerate(columns):
                of_pot = wanted[position, np.searchsorted(pots[constant.openings[1]], pots[opening])]
                assert np.array_equal(found[position, opening], of_pot * reach)
        ours, theirs = response.total(found[None], found), constant.total(wanted[None], wanted)
        assert np.array_equal(ours, theirs)


def test_exploitability_on_sampled_flops_is_that_of_always_call(few_cards):
    # On whole flops that is tests/golden/test_exploitability.py: 1163.476 milli small bets from either position.
    policy = FunctionPolicy(GAME, all_call, is_vectorised=True, is_suit_blind=True)
    found = exploitability(policy, flops=2, seed=4, workers=2)
    assert found == exploitability(ConstantPolicy(GAME, CALL), flops=2, seed=4)
    assert 0 < policy.calls < policy.most_calls_per_flop / 50


def test_a_function_is_worth_what_its_table_is(few_cards):
    plain = FunctionPolicy(SHORT, by_rank, is_suit_blind=True)
    tables = [plain.probabilities(street, board) for street, board in ((0, ()), (1, (0, 20, 51)))]
    assert tables[0].shape == (len(BettingTree.of(SHORT).decisions[0]), HOLDING_COUNT, 3)
    vectorised = FunctionPolicy(SHORT, all_by_rank, is_vectorised=True, is_suit_blind=True)
    assert np.array_equal(vectorised.probabilities(0, ()), tables[0])
    live = ~np.isin(np.array(deck(SHORT)), (0, 20, 51)).any(axis=1)
    assert np.array_equal(vectorised.probabilities(1, (0, 20, 51))[:, live], tables[1][:, live])

    class Given:
        game, probabilities = SHORT, vectorised.probabilities

    ours, theirs = (BestResponse(policy).flop_values(40) for policy in (vectorised, Given()))
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-3)


def test_who_does_not_promise_to_treat_suits_alike_gets_every_flop_and_every_holding(few_cards, monkeypatch):
    monkeypatch.setattr(module, "symmetries_of", lambda cards, among: [0])  # the same turns and rivers for both
    assert len(Flops.of(False).sizes) == 22_100
    policy = FunctionPolicy(GAME, all_call, is_vectorised=True)
    response = BestResponse(policy)
    flop = Flops.of(True).cards(900)
    every = [response.flops.cards(number) for number in range(22_100)]
    number = every.index(tuple(sorted(flop)))
    found = response.flop_values(number)
    assert found.shape == (2, 7, HOLDING_COUNT)
    blind = BestResponse(FunctionPolicy(GAME, all_call, is_vectorised=True, is_suit_blind=True))
    means = [[blind.flops.class_means(values) for values in by_opening] for by_opening in found]
    np.testing.assert_allclose(means, blind.flop_values(900), rtol=1e-5, atol=1e-3)


def test_a_function_is_asked_for_no_more_than_it_gets_to(few_cards):
    asked = []

    def watched(holdings, board, history):
        asked.append((board, history))
        return all_call(holdings, board, history)

    policy = FunctionPolicy(GAME, watched, is_vectorised=True, is_suit_blind=True)
    promised = len(asked)
    BestResponse(policy).flop_values(900)
    assert policy.calls == len(asked)
    del asked[:promised]
    tree = BettingTree.of(GAME)
    for _, history in asked:
        actor, node = tree.actor[tree.node(history)], 0
        for kind in history.replace("/", ""):
            node = int(tree.child[node, 1]) if tree.row[node] < 0 else node
            assert kind == "c" or tree.actor[node] != actor
            node = int(tree.child[node, "fcr".index(kind)])
    assert len(set(asked)) == len(asked)


def test_what_a_flop_may_cost_is_told():
    costs = {
        (vectorised, forgetful): FunctionPolicy(
            GAME, all_call if vectorised else always_call, is_vectorised=vectorised, is_forgetful=forgetful
        ).most_calls_per_flop
        for vectorised in (True, False)
        for forgetful in (True, False)
    }
    assert costs[True, False] == 70 + 49 * 630 + 2352 * 5670
    assert costs[False, True] == 10 * (1176 + 49 * 1128 + 2352 * 1081)
    assert costs[True, True] == 10 * (1 + 49 + 2352)


@pytest.mark.parametrize("said", [(0, -1, 2), (0, 0, 0), (0, float("nan"), 1), (0, 1, float("inf"))])
def test_what_are_no_chances_is_refused_with_the_position(said):
    def function(holding, board, history):
        return said if (holding, board, history) == ("AdQc", "Jh4c3h", "crrc/cr") else (0, 1, 0)

    policy = FunctionPolicy(GAME, function)
    with pytest.raises(RailbirdError, match="AdQc on Jh4c3h after 'crrc/cr' are not chances"):
        policy.probabilities(1, parse_cards("Jh4c3h"))


@pytest.mark.parametrize("said", [(1, 2), None, "fold", ((1, 2, 3), (4, 5, 6))])
def test_what_are_no_three_numbers_is_refused(said):
    with pytest.raises(RailbirdError, match=r"no three numbers for each of .* on no board after ''"):
        FunctionPolicy(kuhn_poker(), lambda *_: said).probabilities(0, ())


def test_illegal_actions_get_no_share():
    policy = FunctionPolicy(GAME, lambda *_: (2, 1, 1))
    tree, table = BettingTree.of(GAME), policy.probabilities(0, ())
    assert table[tree.row[tree.node("cr")], 0].tolist() == [0.5, 0.25, 0.25]
    assert table[tree.row[tree.node("c")], 0].tolist() == [0.0, 0.5, 0.5]
    assert table[tree.row[tree.node("rrr")], 0] == pytest.approx([2 / 3, 1 / 3, 0.0])
    folds = FunctionPolicy(GAME, lambda *_: (1, 0, 0)).probabilities(0, ())
    assert folds[tree.row[tree.node("c")], 0].tolist() == [0.0, 1.0, 0.0]


def test_promises_that_are_not_kept_are_refused():
    with pytest.raises(RailbirdError, match="is_suit_blind was promised, but the function gives"):
        FunctionPolicy(GAME, spades, is_suit_blind=True)
    with pytest.raises(RailbirdError, match="is_forgetful was promised, but the function gives"):
        FunctionPolicy(GAME, by_rank, is_forgetful=True)
    assert FunctionPolicy(GAME, spades).calls == 0


def test_like_holdings_are_asked_about_once_where_suits_do_not_matter():
    policy = FunctionPolicy(GAME, by_rank, is_suit_blind=True)
    before = policy.calls
    table = policy.probabilities(0, ())
    assert policy.calls - before == 8 * 169
    assert np.array_equal(table[:, holding_index(51, 47)], table[:, holding_index(50, 46)])


# Tables


def test_arrays_by_row_and_bucket_are_a_policy():
    constant = ConstantPolicy(GAME, ProbabilityTriple(0.2, 0.3, 0.5))
    tables = [np.tile((0.2, 0.3, 0.5), (len(rounds) * len(rounds.decisions), 1, 1)) for rounds in betting_rounds(GAME)]
    policy = TablePolicy(GAME, tables)
    assert BestResponse(policy).is_forgetful
    for street in range(4):
        assert np.array_equal(policy.table(street), constant.table(street))
    wide = [np.repeat(table, 3, axis=1) for table in tables]
    sorted_out = TablePolicy(GAME, wide, lambda street, boards: np.ones((len(boards), HOLDING_COUNT)))
    assert np.array_equal(sorted_out.probabilities(1, (1, 2, 3)), constant.probabilities(1, (1, 2, 3)))
    with pytest.raises(RailbirdError, match="nothing that says which holding is in which"):
        TablePolicy(GAME, wide)
    with pytest.raises(RailbirdError, match=r"a table of \(8, 3\) where \(8, buckets, 3\) belongs on street 0"):
        TablePolicy(GAME, [tables[0][:, 0], *tables[1:]])
    tables[1][3, 0] = (0, 0, 0)
    with pytest.raises(RailbirdError, match="for bucket 0 after 'cc/crr' are not chances"):
        TablePolicy(GAME, tables)


def test_the_result_is_frozen_and_goes_to_json():
    found = exploitability(FunctionPolicy(kuhn_poker(), always_call))
    text = json.loads(json.dumps(found.to_json()))
    assert (text["exact"], text["flops"], text["seed"]) == (True, 0, None)
    assert text["mean"]["value"] == found.mean.value.mean
    with pytest.raises(FrozenInstanceError):
        found.flops = 3
