"""Ranks: every rank multiset, every flush, every category total, and the names."""

from __future__ import annotations

import json
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from railbird.cards import cards_text, parse_cards
from railbird.errors import InvalidCardsError
from railbird.kernels.cards import ranking
from railbird.kernels.cards.make_ranking import made_table
from railbird.odds.ranks import (
    CATEGORIES,
    RANK_COUNT,
    category,
    deciding_ranks,
    rank,
    rank_cards,
    rank_name,
    ranks,
)

EXACT = json.loads((Path(__file__).parent / "golden" / "data" / "rank_counts.json").read_text())
FIRST_RANKS = [
    ranking.HIGH_CARD,
    ranking.PAIR,
    ranking.TWO_PAIR,
    ranking.THREE_OF_A_KIND,
    ranking.STRAIGHT,
    ranking.FLUSH,
    ranking.FULL_HOUSE,
    ranking.FOUR_OF_A_KIND,
    ranking.STRAIGHT_FLUSH,
]


@pytest.fixture(scope="module")
def counts_of_all_hands():
    found = {}
    for size in (5, 6, 7):
        found[size] = np.zeros(RANK_COUNT, np.int64)
        ranking.count_ranks(ranking.TABLE, ranking.CARD_KEYS, size, found[size])
    return found


@pytest.mark.parametrize("size", [5, 6, 7])
def test_categories_of_all_hands(counts_of_all_hands, size):
    counts = counts_of_all_hands[size]
    assert counts.sum() == comb(52, size)
    assert np.add.reduceat(counts, FIRST_RANKS).tolist() == EXACT["hands"][str(size)]
    assert np.count_nonzero(counts) == EXACT["ranks"][str(size)]


@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_multiset_of_card_ranks_without_a_flush(size):
    order_of = naive.rank_of_order()
    rank_of_five = {
        five: order_of[naive.five_card_order(five, False)]
        for five in combinations_with_replacement(range(13), 5)
        if len(set(five)) > 1
    }
    hands, expected = [], []
    for multiset in combinations_with_replacement(range(13), size):
        if any(multiset[i] == multiset[i + 4] for i in range(size - 4)):
            continue
        # Suits in turn: no rank meets a suit twice, and none has five of the cards.
        hands.append([4 * card_rank + i % 4 for i, card_rank in enumerate(multiset)])
        expected.append(max(rank_of_five[five] for five in combinations(multiset, 5)))
    assert ranks(hands).tolist() == expected


@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_flush(counts_of_all_hands, size):
    # Cards outside the suit never matter, so each flush of n cards counts once for each choice of the others.
    expected = np.zeros(RANK_COUNT, np.int64)
    order_of = naive.rank_of_order()
    for suited in range(5, size + 1):
        for card_ranks in combinations(range(13), suited):
            best = max(order_of[naive.five_card_order(five, True)] for five in combinations(card_ranks, 5))
            expected[best] += 4 * comb(39, size - suited)
    for first, end in ((ranking.FLUSH, ranking.FULL_HOUSE), (ranking.STRAIGHT_FLUSH, RANK_COUNT)):
        assert counts_of_all_hands[size][first:end].tolist() == expected[first:end].tolist()


@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands_against_the_naive_twin(size):
    generator = np.random.default_rng(20_260_101 + size)
    hands = [generator.permutation(52)[:size].tolist() for _ in range(1_000)]
    # A flush in a random suit, so that the flush path meets every mix of other suits.
    for _ in range(1_000):
        suit = generator.integers(4)
        suited = 4 * generator.permutation(13)[:5] + suit
        others = generator.permutation([card for card in range(52) if card not in suited])[: size - 5]
        hands.append(generator.permutation([*suited, *others]).tolist())
    expected = [naive.rank(hand) for hand in hands]
    assert ranks(np.array(hands)).tolist() == expected
    assert [rank_cards(hand) for hand in hands] == expected
    assert [rank(cards_text(hand)) for hand in hands] == expected


@given(st.permutations(range(52)), st.sampled_from([5, 6, 7]), st.sampled_from(list(permutations(range(4)))))
def test_order_and_suit_names_do_not_matter(deck, size, relabel):
    hand = deck[:size]
    relabelled = [4 * (card // 4) + relabel[card % 4] for card in hand]
    assert rank_cards(hand) == rank_cards(sorted(hand)) == rank_cards(relabelled)


def test_rank_constants():
    keys = ranking.RANK_KEYS.tolist()
    # The table needs different sums modulo 2**29; the flush path needs sums of two marks that say which two.
    assert 7 * max(keys) < 2**30
    marks = [0] + [key & 255 for key in keys]
    assert len({a + b for a, b in combinations_with_replacement(marks, 2)}) == 105
    assert max(marks) == 127
    sums = [
        sum(keys[card_rank] for card_rank in multiset) % 2**29
        for size in (5, 6, 7)
        for multiset in combinations_with_replacement(range(13), size)
        if not any(multiset[i] == multiset[i + 4] for i in range(size - 4))
    ]
    assert len(set(sums)) == len(sums) == 73_775
    assert ranking.TABLE.nbytes < 250_000


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("7c5d4h3s2c", "high card, seven, five, four, three and two"),
        ("AcKdJh9s8c2d3h", "high card, ace, king, jack, nine and eight"),
        ("AdAc KhQsJd 2c3c", "pair of aces, king, queen and jack kickers"),
        ("2d2c 3h4c6d", "pair of twos, six, four and three kickers"),
        ("AsAd 8h8c 9d2c3h", "two pair, aces and eights, nine kicker"),
        ("6s6d 5h5c 4d4c2s", "two pair, sixes and fives, four kicker"),
        ("7s7d7h AcKd2c3d", "three of a kind, sevens, ace and king kickers"),
        ("As2d3h4c5c", "straight, five high"),
        ("AsKdQhJcTc9d8d", "straight, ace high"),
        ("AsTs7s5s2s KdKh", "flush, ace, ten, seven, five and two"),
        ("KsKdKh3c3d", "full house, kings full of threes"),
        ("6s6d6h2c2d2h", "full house, sixes full of twos"),
        ("9s9d9h9c AdAhAc", "four of a kind, nines, ace kicker"),
        ("As2s3s4s5s Ks7d", "straight flush, five high"),
        ("9s8s7s6s5s", "straight flush, nine high"),
        ("TsJsQsKsAs 2d3d", "royal flush"),
    ],
)
def test_names(cards, name):
    assert rank_name(rank(cards)) == name


def test_every_rank_has_its_own_name_and_the_order_of_its_cards():
    assert len({rank_name(number) for number in range(RANK_COUNT)}) == RANK_COUNT
    keys = [(CATEGORIES.index(category(number)), deciding_ranks(number)) for number in range(RANK_COUNT)]
    assert keys == sorted(keys)
    assert [category(first) for first in FIRST_RANKS] == list(CATEGORIES) == EXACT["categories"]


def test_deciding_ranks_of_random_hands():
    generator = np.random.default_rng(7)
    order_of = {number: order for order, number in naive.rank_of_order().items()}
    for number in generator.integers(0, RANK_COUNT, 500).tolist():
        category_index, order = order_of[number]
        assert CATEGORIES[category_index] == category(number)
        decided = deciding_ranks(number)
        assert order[: len(decided)] == decided


def test_shapes_and_types_of_bulk_ranking():
    cards = np.array(parse_cards("AdQc3h4cJh"))
    assert ranks(cards).shape == ()
    assert int(ranks(cards)) == rank("AdQc3h4cJh")
    assert ranks(np.tile(cards, (2, 3, 1))).shape == (2, 3)
    assert ranks(np.empty((0, 7), np.int64)).shape == (0,)
    decks = np.arange(14).reshape(7, 2).T  # not contiguous
    assert ranks(decks).tolist() == [rank_cards(list(range(0, 14, 2))), rank_cards(list(range(1, 14, 2)))]


def test_bulk_ranking_in_threads():
    generator = np.random.default_rng(9)
    hands = np.argsort(generator.random((120_001, 52)), axis=1)[:, :7].astype(np.uint8)
    assert np.array_equal(ranks(hands, threads=0), ranks(hands))
    assert np.array_equal(ranks(hands, threads=3), ranks(hands))


def test_bulk_ranking_of_every_small_number_of_hands():
    # Hands are taken four at a time; arrays may begin at odd addresses, and may be read-only.
    generator = np.random.default_rng(5)
    hands = np.array([generator.permutation(52)[:7] for _ in range(20)], dtype=np.uint8)
    expected = [naive.rank(hand) for hand in hands.tolist()]
    for first in range(4):
        for end in range(first, 20):
            assert ranks(hands[first:end]).tolist() == expected[first:end]
    hands.flags.writeable = False
    assert ranks(hands).tolist() == expected


@pytest.mark.parametrize(
    "written",
    ["AdQc3h4cJh", " AdQc 3h4cJh ", "adqc3H4CjH", "A d Qc 3h4cJh", "Ad,Qc,3h,4c,Jh", "A♦ Q♣ 3♥4c Jh", "Ad\tQc\n3h4cJh"],
)
def test_ways_to_write_one_hand(written):
    assert rank(written) == naive.rank(parse_cards("AdQc3h4cJh"))


def test_ten_in_two_letters():
    assert rank("10h 10c 3h4cJh") == rank("ThTc3h4cJh") == naive.rank(parse_cards("ThTc3h4cJh"))


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: rank("AdQc3h4c"), "'AdQc3h4c' has 4 cards; 5, 6 or 7 have a rank"),
        (lambda: rank("AdQc3hAdJh"), "Ad appears twice in 'AdQc3hAdJh'"),
        (lambda: rank("AdQc3h4cJh2c5s6s"), "'AdQc3h4cJh2c5s6s' has 8 cards; 5, 6 or 7 have a rank"),
        (lambda: rank("AdQc3h4cJ"), "'J' in 'AdQc3h4cJ' is not a card"),
        (lambda: rank("AdQc3h4cJx"), "'Jx' in 'AdQc3h4cJx' is not a card"),
        (lambda: rank("AdQc3h4cJ\ud800"), "is not a card"),
        (lambda: rank(""), "'' has 0 cards; 5, 6 or 7 have a rank"),
        (lambda: ranks([[0, 1, 2, 3, 52]]), "cards are whole numbers 0-51, not int64 0 to 52"),
        (lambda: ranks([[0, 1, 2, 3, -1]]), "cards are whole numbers 0-51, not int64 -1 to 3"),
        (lambda: ranks([[0.5, 1, 2, 3, 4]]), "cards are whole numbers 0-51, not float64 0.5 to 4.0"),
        (lambda: ranks(np.zeros((3, 4), int)), r"an array of shape \(3, 4\) is not hands of 5, 6 or 7 cards"),
        (lambda: rank_name(7462), "7462 is not a rank; ranks are 0-7461"),
        (lambda: category(-1), "-1 is not a rank; ranks are 0-7461"),
    ],
)
def test_refusals(refused, message):
    with pytest.raises(InvalidCardsError, match=message):
        refused()


def test_the_shipped_table_is_the_one_that_is_made():
    assert np.array_equal(made_table(), ranking.TABLE)
