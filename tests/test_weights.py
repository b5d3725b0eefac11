"""Weight arrays: making, reading and refusing them."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import holding_text
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.odds.weights import WeightArray


def test_uniform_weighs_every_holding_alike():
    weights = WeightArray.uniform()
    assert weights.total == len(weights) == 1326
    assert {weights[holding_text(holding)] for holding in range(1326)} == {1.0}


def test_parse_reads_a_range():
    weights = WeightArray.parse("QQ+, AKs:0.5")
    assert (weights["QdQc"], weights["QcQd"], weights["AhKh"], weights["AhKd"]) == (1.0, 1.0, 0.5, 0.0)
    assert weights.total == 3 * 6 + 4 * 0.5


def test_without_leaves_out_the_holdings_of_a_card():
    weights = WeightArray.uniform().without("Ad 3h")
    assert weights.total == 50 * 49 / 2
    assert weights["AdKs"] == weights["3h2c"] == weights["Ad3h"] == 0.0
    assert weights["AcKs"] == 1.0
    assert WeightArray.uniform().total == 1326


def test_field_is_the_average_of_normalised_arrays():
    field = WeightArray.field([WeightArray.parse("AA"), WeightArray.parse("AA, KK:0.5"), WeightArray.uniform()])
    assert field.total == pytest.approx(1.0)
    assert field["AdAc"] == pytest.approx((1 / 6 + 1 / 9 + 1 / 1326) / 3)
    assert field["KdKc"] == pytest.approx((0.5 / 9 + 1 / 1326) / 3)
    assert field["7d2c"] == pytest.approx(1 / 1326 / 3)


def test_an_array_does_not_change():
    given = np.ones(1326)
    weights = WeightArray(given)
    given[:] = 0.0
    assert weights.total == 1326
    with pytest.raises(ValueError, match="read-only"):
        weights.values[0] = 0.0


def test_equality_is_by_weight():
    assert WeightArray.parse("AA") == WeightArray.parse("AcAd AcAh AcAs AdAh AdAs AhAs")
    assert WeightArray.parse("AA") != WeightArray.parse("AA:0.5")
    assert len({WeightArray.parse("AA"), WeightArray.parse("AA"), WeightArray.uniform()}) == 2


@pytest.mark.parametrize("text", ["QQ+, AKs:0.5", "AdQc:0.25", "none"])
def test_short_reprs_evaluate_back(text):
    weights = WeightArray.parse(text)
    assert eval(repr(weights)) == weights


def test_long_reprs_are_a_summary():
    values = np.linspace(0.0, 1.0, 1326)
    assert repr(WeightArray(values)) == "<WeightArray of 1,325 holdings, total 663>"
    assert repr(WeightArray(values * 3)) == "<WeightArray of 1,325 holdings, total 1,989>"
    assert repr(WeightArray.uniform()) == "WeightArray.uniform()"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WeightArray(np.ones(1325)), "a weight array has 1,326 weights, not an array of shape (1325,)"),
        (lambda: WeightArray(-np.ones(1326)), "the weight of 2d2c is -1.0; weights are finite and not negative"),
        (lambda: WeightArray(np.full(1326, np.nan)), "the weight of 2d2c is nan"),
        (lambda: WeightArray.field([]), "at least one weight array"),
        (lambda: WeightArray.field([WeightArray.parse("none")]), "no weight at all"),
        (lambda: WeightArray.parse("QQ++"), "QQ++"),
    ],
)
def test_bad_weights_are_refused(make, message):
    with pytest.raises(InvalidRangeError) as error:
        make()
    assert message in str(error.value)


def test_bad_holdings_are_refused():
    with pytest.raises(InvalidCardsError, match="'AdKc2d' has 3 cards"):
        WeightArray.uniform()["AdKc2d"]
