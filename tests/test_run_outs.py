"""Where cards to come lead: the strength on every board that can follow."""

import numpy as np
import pytest

from railbird.cards import CARD_COUNT, cards_text, parse_cards
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.odds.equity import equity
from railbird.odds.run_outs import run_outs
from railbird.odds.strength import hand_strength
from railbird.odds.weights import WeightArray


@pytest.mark.parametrize("board", ["3h4cJh", "3h4cJh2d"])
@pytest.mark.parametrize("versus", ["any", "QQ+, AKs:0.5", "AhKh, 72o"])
def test_mean_is_the_equity(board, versus):
    found = run_outs("AdQc", board, WeightArray.parse(versus))
    assert found.mean == pytest.approx(equity(["AdQc", versus], board)[0].share)
    assert found.histogram().sum() == pytest.approx(1)


def test_turn_is_every_river_by_itself():
    weights = WeightArray.parse("JJ+, AK")
    found = run_outs("AdQc", "3h4cJh2d", weights)
    dead = parse_cards("AdQc3h4cJh2d")
    rivers = [cards_text([card]) for card in range(CARD_COUNT) if card not in dead]
    assert found.strengths.tolist() == pytest.approx(
        [hand_strength("AdQc", "3h4cJh2d" + river, weights) for river in rivers]
    )


@pytest.mark.parametrize("holding", ["AdQd", "AdQc", "7h7c"])
def test_flops_counted_together_are_the_same(holding):
    # A holding of the range that names suits forbids to count flops together; its weight is too small to matter.
    together = run_outs(holding, "", WeightArray.parse("QQ+, 76s"))
    apart = run_outs(holding, "", WeightArray.parse("QQ+, 76s, 3s2s:0.000000001"))
    assert len(together.strengths) < len(apart.strengths) == 19_600
    np.testing.assert_allclose(together.histogram(), apart.histogram(), atol=1e-6)


def test_refuses_what_has_no_run_out():
    with pytest.raises(InvalidCardsError, match="is complete"):
        run_outs("AdQc", "3h4cJh2d9s")
    with pytest.raises(InvalidRangeError, match="no holding that can be dealt"):
        run_outs("AdAc", "AhAs2c", WeightArray.parse("AA"))
