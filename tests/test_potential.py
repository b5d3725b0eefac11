"""Hand potential against the naive twins, against bulk ranking, and one holding against all at once."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import naive
from boards import FLOPS, MEET, TURNS, live_holdings, meets, random_board, random_weights, ranks_on, standings_of
from railbird.cards import cards_text, holding_cards, holding_text, parse_cards, parse_holding
from railbird.errors import InvalidCardsError
from railbird.odds.potential import hand_potential, potentials
from railbird.odds.strength import hand_strength, strengths
from railbird.odds.weights import WeightArray


def some_holdings(generator, board, count):
    """Random live holdings, half of them of two cards of the board's most frequent suit: flushes need care."""
    suits = [card % 4 for card in parse_cards(board)]
    suit = max(suits, key=suits.count)
    live = live_holdings(board)
    suited = [holding for holding in live if all(card % 4 == suit for card in holding_cards(holding))]
    return [*generator.choice(live, count - count // 2), *generator.choice(suited, count // 2)]


def transitions_by_bulk_ranking(holding, board, cards_to_come, weights):
    dealt = parse_cards(board)
    now, _ = standings_of(holding, ranks_on(dealt))
    table = np.zeros((3, 3))
    left = sorted(set(range(52)) - {*dealt, *holding_cards(holding)})
    for runout in combinations(left, cards_to_come):
        later, live = standings_of(holding, ranks_on((*dealt, *runout)))
        np.add.at(table, (now[live], later[live]), weights[live])
    return table


@pytest.mark.parametrize("board", [*FLOPS, *TURNS])
def test_one_card_to_come_against_the_naive_twin(board):
    generator = np.random.default_rng(parse_cards(board))
    weights = random_weights(generator, 0.99)
    every = potentials(board, WeightArray(weights))
    for holding in some_holdings(generator, board, 4):
        cards, case = holding_cards(holding), (board, holding_text(holding))
        found = hand_potential(holding_text(holding), board, weights=WeightArray(weights))
        expected = naive.transitions(cards, parse_cards(board), 1, weights.tolist())
        np.testing.assert_allclose(
            found.transitions, expected, rtol=0, atol=1e-12 * np.sum(expected), err_msg=f"{case}"
        )
        ppot, npot = naive.potentials(cards, parse_cards(board), 1, weights.tolist())
        assert (found.ppot, found.npot) == pytest.approx((ppot, npot), abs=1e-12), case
        assert (every[0][holding], every[1][holding]) == pytest.approx((ppot, npot), abs=1e-12), case


@pytest.mark.parametrize("board", ["3h4cJs", "3h4cJh", "8h9hTh", "AhAd9h"])
def test_two_cards_to_come_against_the_naive_twin(board):
    generator = np.random.default_rng(parse_cards(board))
    weights = np.zeros(1326)
    weights[generator.choice(live_holdings(board), 3, replace=False)] = generator.random(3)
    holding = some_holdings(generator, board, 2)[1]
    found = hand_potential(holding_text(holding), board, cards_to_come=2, weights=WeightArray(weights))
    expected = naive.transitions(holding_cards(holding), parse_cards(board), 2, weights.tolist())
    np.testing.assert_allclose(found.transitions, expected, rtol=0, atol=1e-12 * np.sum(expected))


@pytest.mark.parametrize("board", [*FLOPS, *TURNS])
def test_counts_with_one_card_to_come_against_bulk_ranking(board):
    generator = np.random.default_rng(parse_cards(board))
    for holding in some_holdings(generator, board, 4):
        found = hand_potential(holding_text(holding), board).transitions
        assert found.dtype == np.int64
        expected = transitions_by_bulk_ranking(holding, board, 1, np.ones(1326))
        assert np.array_equal(found, expected), (board, holding_text(holding))


@pytest.mark.parametrize("board", ["3h4cJs", "3h4cJh", "8h9hTh", "AhAd9h", "AhAdAc"])
def test_counts_with_two_cards_to_come_against_bulk_ranking(board):
    generator = np.random.default_rng(parse_cards(board))
    for holding in some_holdings(generator, board, 2):
        found = hand_potential(holding_text(holding), board, cards_to_come=2).transitions
        expected = transitions_by_bulk_ranking(holding, board, 2, np.ones(1326))
        assert np.array_equal(found, expected), (board, holding_text(holding))


@pytest.mark.parametrize("seed", range(40))
def test_all_holdings_at_once_against_one_by_one(seed):
    generator = np.random.default_rng(seed)
    boards = [*FLOPS, *TURNS]
    board = boards[seed] if seed < len(boards) else random_board(generator, 3 + seed % 2)
    weights = None if seed % 3 == 0 else WeightArray(random_weights(generator, 0.3))
    ppot, npot = potentials(board, weights)
    dead = meets(parse_cards(board))
    assert np.isnan(ppot[dead]).all()
    assert np.isnan(npot[dead]).all()
    for holding in some_holdings(generator, board, 40):
        one = hand_potential(holding_text(holding), board, weights=weights)
        case = (board, holding_text(holding))
        assert (ppot[holding], npot[holding]) == pytest.approx((one.ppot, one.npot), abs=1e-11), case


@pytest.mark.parametrize("seed", range(12))
def test_what_is_gained_and_lost_is_the_change_of_strength(seed):
    # PPOT's numerator less NPOT's is the sum, over the next cards, of the strength then less the strength now.
    generator = np.random.default_rng(seed)
    board = random_board(generator, 3 + seed % 2)
    weights = random_weights(generator, 0.3)
    ppot, npot = potentials(board, WeightArray(weights))
    now = strengths(board, WeightArray(weights))
    dealt = parse_cards(board)
    beside = ~MEET
    change = np.zeros(1326)
    for card in sorted(set(range(52)) - set(dealt)):
        then = strengths(cards_text((*dealt, card)), WeightArray(weights))
        live = ~meets((*dealt, card))
        change[live] += ((beside @ (weights * live)) * (then - now))[live]
    opponents = beside @ (weights * ~meets(dealt))
    gained = ppot * (1 - now) * opponents * (48 - len(dealt))
    lost = npot * now * opponents * (48 - len(dealt))
    live = live_holdings(board)
    np.testing.assert_allclose((gained - lost)[live], change[live], rtol=0, atol=1e-12 * 48 * weights.sum())


@pytest.mark.parametrize(("holding", "board"), [("AhKh", "QhJhTh"), ("9c9d", "9h9s2c5d"), ("AhKh", "QhTh3h2d")])
def test_who_is_never_behind_has_no_positive_potential(holding, board):
    # Fractional weights leave rounding errors, which must not be divided by each other.
    weights = WeightArray(random_weights(np.random.default_rng(3), 0.2))
    assert hand_strength(holding, board, weights) == 1.0
    assert hand_potential(holding, board, weights=weights).ppot == 0.0
    assert potentials(board, weights)[0][parse_holding(holding)] == 0.0


@pytest.mark.parametrize("cards_to_come", [1, 2])
def test_rows_are_the_present_standings_times_the_runouts(cards_to_come):
    weights = random_weights(np.random.default_rng(11), 0.9)
    table = hand_potential("9h8h", "3h4hJh", cards_to_come, WeightArray(weights)).transitions
    standings = naive.standings(parse_cards("9h8h"), parse_cards("3h4hJh"), weights.tolist())
    assert table.sum(axis=1) == pytest.approx(np.array(standings) * {1: 45, 2: 990}[cards_to_come], rel=1e-12)


@pytest.mark.parametrize("board", ["3h4cJs", "3h4hJhKd"])
def test_against_nobody_there_is_no_potential(board):
    for weights in (WeightArray(np.zeros(1326)), WeightArray.parse("AdKd, AdQc:0.3, AdJs:0.7")):
        one = hand_potential("Ad9c", board, weights=weights)
        assert (one.ppot, one.npot, one.transitions.sum()) == (0.0, 0.0, 0.0)
        ppot, npot = potentials(board, weights)
        assert (ppot[parse_holding("Ad9c")], npot[parse_holding("Ad9c")]) == (0.0, 0.0)


def test_transitions_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        hand_potential("AdQc", "3h4cJh").transitions[0, 0] = 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hand_potential("AdQc", "3h4cQc"), "Qc appears twice in 'AdQc 3h4cQc'"),
        (lambda: hand_potential("AdQc", "3h4cJh", 3), "3 cards cannot follow the board '3h4cJh'"),
        (lambda: hand_potential("AdQc", "3h4cJh8s", 2), "2 cards cannot follow the board '3h4cJh8s'"),
        (lambda: hand_potential("AdQc", "3h4cJh8s2d"), "1 cards cannot follow the board '3h4cJh8s2d'"),
        (lambda: hand_potential("AdQc", ""), "the board '' has no cards"),
        (lambda: potentials("3h4cJh8s2d"), "no card can follow the board '3h4cJh8s2d'"),
    ],
)
def test_bad_boards_are_quoted(call, message):
    with pytest.raises(InvalidCardsError) as error:
        call()
    assert message in str(error.value)
