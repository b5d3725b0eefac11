"""Hand strength and all-in equity against the naive twins, against bulk ranking, and against each other."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

import naive
from boards import (
    FLOPS,
    MEET,
    RIVERS,
    TURNS,
    live_holdings,
    meets,
    random_board,
    random_weights,
    ranks_on,
    standings_of,
)
from railbird.cards import cards_text, holding_cards, holding_index, holding_text, parse_cards, parse_holding
from railbird.errors import InvalidCardsError, RailbirdError
from railbird.odds.potential import hand_potential
from railbird.odds.strength import equities, hand_strength, strengths
from railbird.odds.weights import WeightArray


def shares_by_bulk_ranking(board, cards_to_come, weights, holdings):
    """The share won by each of `holdings` when the board is dealt out in every way, and the weight played for."""
    won, played = np.zeros(len(holdings)), np.zeros(len(holdings))
    dealt = parse_cards(board)
    for runout in combinations(sorted(set(range(52)) - set(dealt)), cards_to_come):
        ranked = ranks_on((*dealt, *runout))
        for at, holding in enumerate(holdings):
            if ranked[holding] >= 0:
                standing, live = standings_of(holding, ranked)
                won[at] += ((2 - standing) * weights * live).sum() / 2
                played[at] += (weights * live).sum()
    return won / played


@pytest.mark.parametrize("board", [*FLOPS, *TURNS, *RIVERS])
def test_one_strength_against_the_naive_twin(board):
    generator = np.random.default_rng(parse_cards(board))
    weights = random_weights(generator, 0.9)
    for holding in generator.choice(live_holdings(board), 8):
        ahead, tied, behind = naive.standings(holding_cards(holding), parse_cards(board), weights.tolist())
        expected = (ahead + tied / 2) / (ahead + tied + behind)
        found = hand_strength(holding_text(holding), board, WeightArray(weights))
        assert found == pytest.approx(expected, abs=1e-12), (board, holding_text(holding))
        every = strengths(board, WeightArray(weights))
        assert every[holding] == pytest.approx(expected, abs=1e-12), (board, holding_text(holding))


@pytest.mark.parametrize("seed", range(40))
def test_all_strengths_against_bulk_ranking(seed):
    generator = np.random.default_rng(seed)
    boards = [*FLOPS, *TURNS, *RIVERS]
    board = boards[seed] if seed < len(boards) else random_board(generator, int(generator.integers(3, 6)))
    dead = meets(parse_cards(board))
    ranked = ranks_on(parse_cards(board))
    score = (ranked[:, None] > ranked[None, :]) + (ranked[:, None] >= ranked[None, :]).astype(float)
    score[MEET | dead[None, :]] = 0.0
    live = ~(MEET | dead[None, :])
    for weights in (None, random_weights(generator, 0.3)):
        by_holding = np.ones(1326) if weights is None else weights
        expected = score @ by_holding / (2 * (live @ by_holding))
        found = strengths(board, None if weights is None else WeightArray(weights))
        assert np.isnan(found[dead]).all()
        if weights is None:
            assert np.array_equal(found[~dead], expected[~dead]), board
        else:
            np.testing.assert_allclose(found[~dead], expected[~dead], rtol=0, atol=1e-12, err_msg=board)


@pytest.mark.parametrize("board", TURNS)
def test_equity_of_all_on_a_turn_against_the_naive_twin(board):
    generator = np.random.default_rng(parse_cards(board))
    weights = random_weights(generator, 0.99)
    found = equities(board, WeightArray(weights))
    for holding in generator.choice(live_holdings(board), 4):
        expected = naive.all_in_equity(holding_cards(holding), parse_cards(board), weights.tolist())
        assert found[holding] == pytest.approx(expected, abs=1e-12), (board, holding_text(holding))


@pytest.mark.parametrize("board", ["3h4cJs", "3h4cJh", "8h9hTh", "AhAd9h"])
def test_equity_of_all_on_a_flop_against_the_naive_twin(board):
    generator = np.random.default_rng(parse_cards(board))
    weights = np.zeros(1326)
    weights[generator.choice(live_holdings(board), 3, replace=False)] = generator.random(3)
    found = equities(board, WeightArray(weights))
    holding = generator.choice(live_holdings(board))
    expected = naive.all_in_equity(holding_cards(holding), parse_cards(board), weights.tolist())
    assert found[holding] == pytest.approx(expected, abs=1e-12), (board, holding_text(holding))


@pytest.mark.parametrize("board", TURNS)
def test_equity_of_all_on_a_turn_against_bulk_ranking(board):
    generator = np.random.default_rng(parse_cards(board))
    holdings = generator.choice(live_holdings(board), 150, replace=False)
    assert np.array_equal(equities(board)[holdings], shares_by_bulk_ranking(board, 1, np.ones(1326), holdings))
    weights = random_weights(generator, 0.5)
    expected = shares_by_bulk_ranking(board, 1, weights, holdings)
    np.testing.assert_allclose(equities(board, WeightArray(weights))[holdings], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("board", FLOPS)
def test_equity_of_all_on_a_flop_against_the_potential_of_one(board):
    # The columns of the transition table say what wins in the end; they come from quite another algorithm.
    generator = np.random.default_rng(parse_cards(board))
    for weights in (None, WeightArray(random_weights(generator, 0.5))):
        found = equities(board, weights)
        for holding in generator.choice(live_holdings(board), 40, replace=False):
            table = hand_potential(holding_text(holding), board, cards_to_come=2, weights=weights).transitions
            expected = (table[:, 0].sum() + table[:, 1].sum() / 2) / table.sum()
            if weights is None:
                assert found[holding] == expected, (board, holding_text(holding))
            else:
                assert found[holding] == pytest.approx(expected, abs=1e-12), (board, holding_text(holding))


@pytest.mark.parametrize("seed", range(12))
def test_a_range_has_half_of_the_pot_against_itself(seed):
    generator = np.random.default_rng(seed)
    board = random_board(generator, 3 + seed % 3)
    weights = random_weights(generator, 0.4)
    weights[meets(parse_cards(board))] = 0.0
    opponents = ~MEET @ weights
    for found in (strengths(board, WeightArray(weights)), equities(board, WeightArray(weights))):
        pairs = weights * opponents
        assert np.nansum(pairs * found) == pytest.approx(pairs.sum() / 2, rel=1e-12), board


@pytest.mark.parametrize("board", ["3h4cJh", "6h7h8hTd"])
def test_suits_have_no_order(board):
    expected = equities(board)
    for suits in list(permutations(range(4)))[1::6]:
        exchanged = cards_text([4 * (card // 4) + suits[card % 4] for card in parse_cards(board)])
        found = equities(exchanged)
        for holding in live_holdings(board)[::37]:
            other = holding_index(*(4 * (card // 4) + suits[card % 4] for card in holding_cards(holding)))
            assert found[other] == expected[holding]


def test_the_river_has_no_more_cards_to_come():
    assert np.array_equal(equities("3h4cJh8s2d"), strengths("3h4cJh8s2d"), equal_nan=True)


@pytest.mark.parametrize("board", ["3h4cJs", "3h4hJhKd", "3h4hJhKhTh"])
def test_against_nobody_strength_is_one_half(board):
    nobody = WeightArray(np.zeros(1326))
    blocked = WeightArray.parse("AdKd, AdQc:0.3, AdJs:0.7")
    for weights in (nobody, blocked):
        assert hand_strength("Ad9c", board, weights) == 0.5
        assert strengths(board, weights)[parse_holding("Ad9c")] == 0.5
        assert equities(board, weights)[parse_holding("Ad9c")] == 0.5


def test_only_proportions_of_weights_matter():
    weights = random_weights(np.random.default_rng(5), 0.2)
    for answer in (strengths, equities):
        np.testing.assert_allclose(
            answer("3h4hJhKd", WeightArray(weights)), answer("3h4hJhKd", WeightArray(weights * 1e-9)), rtol=1e-12
        )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hand_strength("AdQc", "3hAdJh"), "Ad appears twice in 'AdQc 3hAdJh'"),
        (lambda: hand_strength("AdQ", "3h4cJh"), "'Q' in 'AdQ' is not a card"),
        (lambda: hand_strength("AdQcJc", "3h4cJh"), "'AdQcJc' has 3 cards where 2 cards belong"),
        (lambda: hand_strength("AdQc", "3h4c"), "the board '3h4c' has 2 cards; a board has 0, 3, 4 or 5"),
        (lambda: hand_strength("AdQc", ""), "the board '' has no cards; hand strength needs 3, 4 or 5"),
        (lambda: strengths("3h4c3h"), "3h appears twice in '3h4c3h'"),
        (lambda: equities(""), "the board '' has no cards"),
    ],
)
def test_bad_cards_are_quoted(call, message):
    with pytest.raises(InvalidCardsError) as error:
        call()
    assert message in str(error.value)


def test_many_boards_in_one_call():
    generator = np.random.default_rng(5)
    weights = WeightArray(random_weights(generator, 0.9))
    boards = [*TURNS[:3], *FLOPS[:3], *RIVERS[:3], FLOPS[3], TURNS[3]]
    for function in (strengths, equities):
        expected = np.array([function(board, weights) for board in boards])
        for threads in (None, 0, 3):
            assert np.array_equal(function(boards, weights, threads=threads), expected, equal_nan=True)
        assert np.array_equal(function(np.array(boards), weights), expected, equal_nan=True)


def test_many_boards_as_an_array_of_cards():
    generator = np.random.default_rng(6)
    cards = np.array([generator.permutation(52)[:5] for _ in range(70)])
    expected = np.array([strengths(cards_text(board)) for board in cards])
    assert np.array_equal(strengths(cards), expected, equal_nan=True)
    assert np.array_equal(strengths(cards.astype(np.uint8), threads=2), expected, equal_nan=True)
    assert np.array_equal(strengths(cards[7]), expected[7], equal_nan=True)
    flops = cards[:4, :3]  # not contiguous
    assert np.array_equal(equities(flops)[2], equities(cards_text(flops[2])), equal_nan=True)
    assert strengths([]).shape == strengths(cards[:0]).shape == (0, 1326)


def test_given_holdings_on_many_boards():
    boards, holdings = ["3h4cJh", "3h4cJh2d", "KsKd2c"], ["AdQc", "2s2c", "KsQc"]
    every = strengths(boards)
    alone = [every[at, parse_holding(holding)] for at, holding in enumerate(holdings)]
    assert np.isnan(alone[2])
    assert np.array_equal(strengths(boards, holdings=holdings), alone, equal_nan=True)
    cards = [parse_cards(holding) for holding in holdings]
    assert np.array_equal(strengths(boards, holdings=cards, threads=2), alone, equal_nan=True)
    assert strengths(boards, holdings="AdQc").tolist() == every[:, parse_holding("AdQc")].tolist()
    assert strengths(boards[0], holdings=holdings).tolist() == [every[0, parse_holding(text)] for text in holdings]
    assert float(strengths(boards[0], holdings="AdQc")) == every[0, parse_holding("AdQc")]


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: strengths(["3h4cJh", "3h4c"]), "the board '3h4c' has 2 cards"),
        (lambda: strengths(["3h4cJh", ""]), "the board '' has no cards"),
        (lambda: strengths([[0, 1, 2], [3, 4, 3]]), r"a card appears twice in \[3, 4, 3\]"),
        (lambda: strengths([[0, 1, 52]]), "cards are whole numbers 0-51, not 0 to 52"),
        (lambda: strengths([[0, 1]]), r"an array of int64, shape \(1, 2\), is not boards of 3, 4 or 5 cards"),
        (lambda: strengths([[0.5, 1, 2]]), r"an array of float64, shape \(1, 3\), is not boards"),
        (lambda: strengths(["3h4cJh"] * 3, holdings=["AdQc"] * 2), "2 holdings on 3 boards"),
        (lambda: equities("3h4cJh", holdings=[[1, 2, 3]]), "is not holdings of 2 cards"),
    ],
)
def test_refusals_of_many_boards(refused, message):
    with pytest.raises(InvalidCardsError, match=message):
        refused()


def test_a_negative_number_of_threads():
    with pytest.raises(RailbirdError, match="-1 threads"):
        strengths(["3h4cJh"], threads=-1)
