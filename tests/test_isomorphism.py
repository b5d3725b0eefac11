"""Suit-isomorphic classes: exact counts, density, invariance, the inverse, and agreement with the naive twin."""

from __future__ import annotations

import random
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

import naive
from railbird.cards import holding_cards
from railbird.kernels.cards import isomorphism as kernels

SEED = 20_240_611
TABLE = kernels.isomorphism_table()
STREETS = (0, 3, 4, 5)

# The published numbers of classes, holding and board, then board alone.
COUNTS = {
    (2, 0): 169,
    (2, 3): 1_286_792,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (0, 3): 1_755,
    (0, 4): 16_432,
    (0, 5): 134_459,
}


@st.composite
def deals(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    board_cards = draw(st.sampled_from(STREETS))
    size = 2 + board_cards
    cards = draw(st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True))
    return cards[:2], cards[2:]


def index_of(holding: list[int], board: list[int]) -> int:
    return kernels.holding_board_index(TABLE, *holding, np.array(board, dtype=np.int64), len(board))


def random_deal(generator: random.Random) -> tuple[list[int], list[int]]:
    cards = generator.sample(range(52), 2 + generator.choice(STREETS))
    return cards[:2], cards[2:]


@njit
def _round_trip_failures(table, with_holding, board_cards, start, stop, step):
    failures = 0
    for index in range(start, stop, step):
        holding_set, board_set = kernels.representative_sets(table, with_holding, board_cards, index)
        failures += kernels.set_index(table, holding_set, board_set, board_cards) != index
    return failures


@njit
def _flop_hits(table, hits):
    """Index every one of the 25,989,600 holdings with a flop, counting how often each class is met."""
    outside = 0
    for high in range(52):
        for low in range(high):
            holding_set = kernels.card_bit(high) | kernels.card_bit(low)
            for a in range(52):
                for b in range(a):
                    for c in range(b):
                        board_set = kernels.card_bit(a) | kernels.card_bit(b) | kernels.card_bit(c)
                        if board_set & holding_set == 0:
                            index = kernels.set_index(table, holding_set, board_set, 3)
                            if 0 <= index < len(hits):
                                hits[index] += 1
                            else:
                                outside += 1
    return outside


@pytest.mark.parametrize(("cards", "count"), COUNTS.items())
def test_published_class_counts_equal_burnside_and_ours(cards, count):
    assert naive.class_count_by_burnside(*cards) == count
    assert kernels.CLASS_COUNTS[STREETS.index(cards[1]) + (0 if cards[0] else 4)] == count


def test_every_flop_class_is_met_as_often_as_its_size_says():
    hits = np.zeros(COUNTS[2, 3], dtype=np.int64)
    assert _flop_hits(TABLE, hits) == 0
    assert hits.min() > 0
    sizes = np.empty_like(hits)
    kernels.class_sizes(TABLE, True, 3, sizes)
    assert np.array_equal(hits, sizes)


@pytest.mark.parametrize("cards", [(2, 0), (2, 4), (0, 3), (0, 4), (0, 5)])
def test_sizes_of_all_classes_sum_to_all_deals(cards):
    sizes = np.empty(COUNTS[cards], dtype=np.int64)
    kernels.class_sizes(TABLE, cards[0] == 2, cards[1], sizes)
    assert sizes.sum() == comb(52, cards[0]) * comb(52 - cards[0], cards[1])


# Every index of the river takes a quarter of a minute; each configuration owns far more than 17 of them.
@pytest.mark.parametrize(("cards", "step"), [(key, 17 if key == (2, 5) else 1) for key in COUNTS])
def test_index_of_representative_is_the_index(cards, step):
    start = random.Random(SEED).randrange(step)
    assert _round_trip_failures(TABLE, cards[0] == 2, cards[1], start, COUNTS[cards], step) == 0
    assert _round_trip_failures(TABLE, cards[0] == 2, cards[1], COUNTS[cards] - 1, COUNTS[cards], 1) == 0


@settings(max_examples=300, deadline=None)
@given(deals(), st.permutations(range(4)), st.randoms())
def test_relabelling_suits_and_reordering_cards_change_nothing(deal, permutation, shuffler):
    holding, board = deal
    moved_holding, moved_board = naive.relabelled(holding, permutation), naive.relabelled(board, permutation)
    shuffler.shuffle(moved_holding)
    shuffler.shuffle(moved_board)
    assert index_of(holding, board) == index_of(moved_holding, moved_board)
    size = kernels.class_size(TABLE, _packed(holding), _packed(board))
    assert size == naive.deals_in_class(holding, board)


def test_equal_indices_exactly_where_the_naive_canonical_deals_are_equal():
    # Few ranks, so that isomorphic deals meet often.
    generator = random.Random(SEED)
    form_of: dict[tuple[int, int], object] = {}
    index_of_form: dict[str, tuple[int, int]] = {}
    for _ in range(6_000):
        cards = generator.sample(range(16), 2 + generator.choice(STREETS))
        holding, board = cards[:2], cards[2:]
        key = (len(board), index_of(holding, board))
        form = naive.canonical_deal(holding, board)
        assert form_of.setdefault(key, form) == form, f"seed {SEED}"
        assert index_of_form.setdefault(str(form), key) == key, f"seed {SEED}"


def test_permutation_leads_each_board_to_its_representative():
    generator = random.Random(SEED)
    permutation = np.empty(4, dtype=np.int64)
    for _ in range(3_000):
        holding, board = random_deal(generator)
        board_cards = len(board)
        array = np.array(board, dtype=np.int64)
        index = kernels.board_index_and_permutation(TABLE, array, board_cards, permutation)
        assert index == kernels.set_index(TABLE, 0, _packed(board), board_cards)
        assert sorted(permutation) == [0, 1, 2, 3]
        cards = np.empty(board_cards, dtype=np.int64)
        kernels.representative(TABLE, False, board_cards, index, cards)
        assert sorted(naive.relabelled(board, permutation)) == sorted(cards)
        # A holding that moves along keeps its class on the board, and suits alike on the board keep their order.
        assert index_of(holding, board) == index_of(naive.relabelled(holding, permutation), list(cards))
        for first in range(4):
            for second in range(first + 1, 4):
                ranks = [sorted(card >> 2 for card in board if card & 3 == suit) for suit in (first, second)]
                if ranks[0] == ranks[1]:
                    assert permutation[first] < permutation[second]


def test_the_classes_of_all_holdings_on_a_board():
    generator = random.Random(SEED)
    for board_cards in STREETS:
        board = generator.sample(range(52), board_cards)
        of_holding = np.empty(1326, dtype=np.int64)
        kernels.all_holding_indices(TABLE, np.array(board, dtype=np.int64), board_cards, of_holding)
        for holding in range(1326):
            cards = list(holding_cards(holding))
            shared = set(cards) & set(board)
            assert of_holding[holding] == (-1 if shared else index_of(cards, board))


def test_the_169_classes_before_the_flop():
    assert sorted({index_of(list(holding_cards(h)), []) for h in range(1326)}) == list(range(169))


def _packed(cards: list[int]) -> int:
    return sum(1 << (13 * (card & 3) + (card >> 2)) for card in cards)
