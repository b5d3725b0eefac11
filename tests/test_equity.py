"""Equity of hands and of ranges against the naive twins, against each other, and against exact totals."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
import pytest

import naive
from railbird.cards import HOLDING_COUNT, cards_text, class_text, holding_cards, holding_index, holding_text
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.all_in import count_pots
from railbird.odds.equity import equity
from railbird.odds.ranges import parse_range, preflop_counts


def pots(hands, board, deck):
    counts = np.zeros((len(hands), len(hands)), np.int64)
    cards = [np.array(part, np.uint8) for part in (hands, deck, board)]
    count_pots(TABLE, CARD_KEYS, *cards, counts)
    return counts.tolist()


@pytest.mark.parametrize(
    ("hand_count", "dealt", "in_deck"),
    [
        (2, 5, 10),
        (3, 4, 40),
        (2, 3, 45),
        (5, 3, 20),
        (10, 3, 18),
        (2, 0, 11),
        (4, 0, 10),
    ],
)
def test_pots_against_the_naive_twin(hand_count, dealt, in_deck):
    generator = np.random.default_rng(1000 * hand_count + dealt)
    deck = generator.permutation(52).tolist()
    hands = [deck[2 * i : 2 * i + 2] for i in range(hand_count)]
    board, rest = deck[2 * hand_count : 2 * hand_count + dealt], deck[2 * hand_count + dealt :][:in_deck]
    assert pots(hands, board, rest) == naive.pots(hands, board, rest)


def test_hands_on_a_board_that_plays():
    # The board is a royal flush: all three share every pot.
    hands = equity(["2c3c", "2d3d", "2h3h"], "TsJsQsKsAs")
    assert [(hand.wins, hand.ties, hand.total, hand.pots) for hand in hands] == [(0, 1, 1, Fraction(1, 3))] * 3


def test_hands_take_all_pots_together():
    generator = np.random.default_rng(8)
    for hand_count, dealt in ((3, 3), (6, 0), (9, 4), (10, 3), (23, 5)):
        deck = generator.permutation(52).tolist()
        texts = [cards_text(deck[2 * i : 2 * i + 2]) for i in range(hand_count)]
        hands = equity(texts, cards_text(deck[46 : 46 + dealt]))
        boards = comb(52 - 2 * hand_count - dealt, 5 - dealt)
        assert {hand.total for hand in hands} == {boards}
        assert sum(hand.pots for hand in hands) == boards


PAIRS_BEFORE_FLOP = [
    ("AsAd", "KsKd"),
    ("AsAd", "KhKc"),
    ("AsAd", "AhAc"),
    ("5d5c", "5h4h"),
    ("9c8c", "Tc7c"),
    ("9c8c", "9d8d"),
    ("AsKs", "QsJs"),
    ("As2s", "3s4s"),
    ("7h2c", "7d2s"),
    ("AdKd", "AhKc"),
    ("3c2c", "AdKh"),
    ("6h5h", "AhAd"),
]


def test_two_holdings_before_the_flop_are_counted_as_by_dealing_every_board():
    generator = np.random.default_rng(11)
    pairs = list(PAIRS_BEFORE_FLOP)
    for _ in range(25):
        cards = generator.permutation(52)[:4].tolist()
        pairs.append((cards_text(cards[:2]), cards_text(cards[2:])))
    for first, second in pairs:
        hands = [holding_cards(int(np.flatnonzero(parse_range(text))[0])) for text in (first, second)]
        deck = [card for card in range(52) if card not in (*hands[0], *hands[1])]
        (wins, ties), (losses, _) = pots(hands, [], deck)
        own, other = equity([first, second])
        assert (own.wins, own.ties, own.total) == (wins, ties, 1_712_304), (first, second)
        assert (other.wins, other.ties, other.total) == (losses, ties, 1_712_304), (first, second)


def test_suits_before_the_flop_can_be_relabelled():
    first, second = (51, 46), (47, 22)
    found = set()
    for permutation in permutations(range(4)):
        texts = [cards_text(naive.relabelled(holding, permutation)) for holding in (first, second)]
        found.add(equity(texts))
    assert len(found) == 1


def test_every_holding_against_a_random_one_before_the_flop():
    # The totals of all 169 classes in odds/data were found otherwise, from the 134,459 classes of river boards.
    from railbird.odds.equity import weighed

    every = np.ones(HOLDING_COUNT)
    beaten, tied, met = weighed(every, every, ())
    assert set(met.tolist()) == {1_225.0 * 1_712_304}
    for holding in range(HOLDING_COUNT):
        wins, ties, _ = preflop_counts()[class_text(holding)]
        assert (beaten[holding], tied[holding]) == (wins, ties), holding_text(holding)


def random_weights(generator, count, apart_from=()):
    """Weights of some holdings, and the same as the dict that the naive twin takes."""
    weights = np.zeros(HOLDING_COUNT)
    by_cards = {}
    while len(by_cards) < count:
        holding = int(generator.integers(HOLDING_COUNT))
        if not set(holding_cards(holding)) & set(apart_from):
            weights[holding] = by_cards[holding_cards(holding)] = generator.random() + 0.01
    return weights, by_cards


@pytest.mark.parametrize(("dealt", "count"), [(5, 60), (4, 25), (3, 4)])
def test_ranges_on_a_board_against_the_naive_twin(dealt, count):
    generator = np.random.default_rng(500 + dealt)
    board = generator.permutation(52)[:dealt].tolist()
    own_weights, own = random_weights(generator, count)
    weights, other = random_weights(generator, count)
    own[holding_cards(7)] = own_weights[7] = 0.5  # one holding on both sides, which never meets itself
    other[holding_cards(7)] = weights[7] = 0.25
    deck = [card for card in range(52) if card not in board]
    expected = naive.range_equity(own, other, board, deck)
    first, second = equity([own_weights, weights], cards_text(board))
    assert (first.wins, first.ties, first.total) == pytest.approx(expected, rel=1e-12)
    assert first.share + second.share == pytest.approx(1.0, abs=1e-12)
    assert second.wins == pytest.approx(expected[2] - expected[0] - expected[1], rel=1e-10)


@pytest.mark.parametrize("board", ["", "3h4cJh", "3h4cJh8s", "3h4cJh8s2d"])
def test_ranges_are_the_sum_of_their_holdings(board):
    own_text, other_text = "AKs:0.5, 22, 4d3d", "QQ, JTs:0.25, A4o, 22"
    own_weights, weights = parse_range(own_text), parse_range(other_text)
    wins = ties = total = 0.0
    for own in np.flatnonzero(own_weights):
        for other in np.flatnonzero(weights):
            try:
                hand, _ = equity([holding_text(own), holding_text(other)], board)
            except InvalidCardsError:
                continue  # the two share a card with each other or with the board
            weight = own_weights[own] * weights[other]
            wins, ties, total = wins + weight * hand.wins, ties + weight * hand.ties, total + weight * hand.total
    first, second = equity([own_text, other_text], board)
    assert (first.wins, first.ties, first.total) == pytest.approx((wins, ties, total), rel=1e-12)
    swapped = equity([other_text, own_text], board)
    assert (swapped[0].share, swapped[1].share) == pytest.approx((second.share, first.share), rel=1e-12)


def test_a_holding_against_a_range_on_a_river():
    # Naive: 990 holdings against one.
    own = {holding_cards(holding_index(49, 40)): 1.0}
    board = (6, 8, 38, 27, 1)
    deck = [card for card in range(52) if card not in (49, 40, *board)]
    others = {(a, b): 1.0 for a in deck for b in deck if a > b}
    hand, _ = equity(["AdQc", "any"], cards_text(board))
    assert (hand.wins, hand.ties, hand.total) == naive.range_equity(own, others, board, [])
    assert hand.total == comb(45, 2)


@pytest.mark.parametrize(
    ("hands", "board", "message"),
    [
        (["AsAd", "AsKd"], "", "As appears twice in 'AsAd AsKd'"),
        (["AsAd", "KsKd"], "Kd2c3c", "Kd appears twice"),
        (["AsAd", "KsKd"], "2c3c", "the board '2c3c' has 2 cards; a board has 0, 3, 4 or 5"),
        (["AsAd"], "", r"equity takes a list of 2 to 23 hands, not \['AsAd'\]"),
        ("AsAd", "", "equity takes a list of 2 to 23 hands, not 'AsAd'"),
        (["AsAd", "KK", "QQ"], "", "with 3 hands each is two cards, not 'KK'; a range meets one other"),
        (["AsAd", "AsKs, AdKd"], "", "no holdings of 'AsAd' and 'AsKs, AdKd' can be dealt together"),
        (["AA", "KK"], "AsAdAh", "no holdings of 'AA' and 'KK' can be dealt together on AsAdAh"),
        ([np.ones(7), "KK"], "", r"a range is 1326 weights of 0 or more, not an array of \(7,\)"),
        ([-np.ones(1326), "KK"], "", "a range is 1326 weights of 0 or more"),
        (["AsXd", "KK"], "", "AsXd"),
    ],
)
def test_refusals(hands, board, message):
    with pytest.raises((InvalidCardsError, InvalidRangeError), match=message):
        equity(hands, board)
