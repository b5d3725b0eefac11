"""Strength against several opponents: the exact value against its naive twin, and the estimates."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from boards import FLOPS, RIVERS, TURNS, random_weights
from railbird.cards import HOLDING_COUNT, cards_text, holding_index, parse_cards
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.kernels.odds.several import sum_pairs, sum_triples
from railbird.odds.multiway import (
    exact_strength,
    multiway_strength,
    strength_by_field,
    strength_by_power,
    strength_by_product,
)
from railbird.odds.strength import hand_strength
from railbird.odds.weights import WeightArray

SEED = 19_980_522
TIE_VALUES = {"half": lambda tied: 0.5**tied, "share": lambda tied: 1 / (tied + 1)}


def few_holdings(generator, cards, count):
    """Random weights for a few holdings of few cards, so that they often meet."""
    weights = np.zeros(HOLDING_COUNT)
    for _ in range(count):
        weights[holding_index(*generator.choice(cards, 2, replace=False).tolist())] = generator.random()
    return weights


@pytest.mark.parametrize("opponents", [1, 2, 3])
@pytest.mark.parametrize("ties", ["half", "share"])
def test_exact_strength_is_that_of_all_deals(opponents, ties):
    generator = np.random.default_rng(SEED)
    for board in (FLOPS[1], FLOPS[4], TURNS[1], RIVERS[0], RIVERS[-1]):
        dealt = parse_cards(board)
        free = np.array([card for card in range(52) if card not in dealt])
        hole = generator.choice(free, 2, replace=False).tolist()
        cards = generator.choice(free, 14, replace=False)
        arrays = [few_holdings(generator, cards, 14) for _ in range(opponents)]
        expected = naive.multiway_strength(hole, dealt, [array.tolist() for array in arrays], TIE_VALUES[ties])
        found = exact_strength(cards_text(hole), board, [WeightArray(array) for array in arrays], ties)
        assert found == pytest.approx(expected, abs=1e-12), f"seed {SEED}, {board}"


def test_sums_over_disjoint_holdings():
    generator = np.random.default_rng(SEED)
    holdings = [(high, low) for high in range(52) for low in range(high)]
    u, v, w = (random_weights(generator, 0.97) for _ in range(3))
    live = [[(set(holdings[i]), x) for i, x in enumerate(array) if x] for array in (u, v, w)]
    pairs = [(a | b, x * y) for a, x in live[0] for b, y in live[1] if not a & b]
    assert sum_pairs(u, v) == pytest.approx(sum(x for _, x in pairs), rel=1e-12)
    triples = sum(x * y for ab, x in pairs for c, y in live[2] if not ab & c)
    assert sum_triples(u, v, w) == pytest.approx(triples, rel=1e-12)
    assert sum_triples(w, u, v) == pytest.approx(triples, rel=1e-12)


def test_opponents_who_cannot_meet_are_independent():
    # On this flop, aces, kings and nines have no card in common: the product is exact.
    arrays = [WeightArray.parse(text) for text in ("AA, QJs", "KK, 65o", "99, 44, 83s")]
    for count in (1, 2, 3):
        product = strength_by_product("TdTc", "7h2cTh", arrays[:count])
        assert exact_strength("TdTc", "7h2cTh", arrays[:count]) == pytest.approx(product, abs=1e-14)


def test_ties_for_the_lead():
    # The board is the best hand: everybody ties. Half for each opponent, or an equal share.
    arrays = [WeightArray.uniform()] * 3
    assert exact_strength("2c3c", "TsJsQsKsAs", arrays) == pytest.approx(1 / 8)
    assert exact_strength("2c3c", "TsJsQsKsAs", arrays, "share") == pytest.approx(1 / 4)


def test_estimates_agree_with_their_definitions():
    arrays = [WeightArray.parse(text) for text in ("40%", "QQ+, AJs:0.5, 76s", "any")]
    board, holding = "3h4cJh", "AdQc"
    strengths = [hand_strength(holding, board, weights) for weights in arrays]
    assert strength_by_product(holding, board, arrays) == pytest.approx(np.prod(strengths), abs=1e-15)
    # The strength against the average of the normalised arrays is the average of the strengths.
    assert strength_by_field(holding, board, arrays) == pytest.approx(np.mean(strengths) ** 3, abs=1e-12)
    assert strength_by_field(holding, board, arrays[:1] * 4) == pytest.approx(
        strength_by_power(holding, board, 4, arrays[0]), abs=1e-12
    )
    found = multiway_strength(parse_cards(holding), parse_cards(board), [np.array(w.values) for w in arrays])
    assert found.exact == pytest.approx(exact_strength(holding, board, arrays), abs=1e-15)
    assert found.product == pytest.approx(strength_by_product(holding, board, arrays), abs=1e-12)
    assert found.field == pytest.approx(strength_by_field(holding, board, arrays), abs=1e-12)


def test_opponents_who_cannot_be_dealt_count_half():
    same = WeightArray.parse("AsAh:0.3")
    assert exact_strength("AdQc", "3h4cJh", [same, same]) == 0.25
    # Three players cannot share the three aces that are left as pairs, two cannot either.
    aces = WeightArray.parse("AA:0.7")
    assert exact_strength("AdQc", "3h4cJh", [aces, aces, WeightArray.uniform()]) == 0.125
    assert exact_strength("AdQc", "3h4cJh", [aces, WeightArray.uniform()]) == 0.0


def test_what_cannot_be_is_refused():
    any_holding = WeightArray.uniform()
    with pytest.raises(InvalidCardsError, match="Ad appears twice"):
        exact_strength("AdQc", "Ad4cJh", [any_holding])
    with pytest.raises(InvalidRangeError, match="4 opponents; the exact strength is for 1 to 3"):
        exact_strength("AdQc", "3h4cJh", [any_holding] * 4)
    with pytest.raises(InvalidRangeError, match="against nobody"):
        strength_by_product("AdQc", "3h4cJh", [])
