"""Holdings that tie and share a bucket: what is summed up by bunch and share is what single holdings sum up to."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import HOLDING_COUNT
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.lanes import LANES
from railbird.kernels.solve.bunches import add_by_card, find_bunches, gather
from railbird.kernels.solve.response_rounds import sort_holdings
from railbird.solve.met_holdings import holding_pairs


@pytest.mark.parametrize("buckets", [1, 5, 200, HOLDING_COUNT])
@pytest.mark.parametrize("cards", [3, 5])
def test_sums_by_bunch_and_share_are_those_of_single_holdings(buckets, cards):
    seed = 100 * cards + buckets
    generator = np.random.default_rng(seed)
    board = generator.permutation(52)[:cards].astype(np.uint8)
    order, ends = np.empty((2, HOLDING_COUNT), np.int32)
    count = sort_holdings(TABLE, CARD_KEYS, board, order, ends, np.empty(HOLDING_COUNT, np.int64))
    bucket_of = generator.integers(0, buckets, HOLDING_COUNT).astype(np.int32)
    if buckets == HOLDING_COUNT:
        bucket_of = np.arange(HOLDING_COUNT, dtype=np.int32)
    pairs = holding_pairs()
    found = find_bunches(order, ends, count, pairs, bucket_of, buckets)
    holdings = order[:count]
    np.testing.assert_array_equal(found.buckets[found.places // LANES], bucket_of[holdings])
    np.testing.assert_array_equal(
        np.sort(np.stack([found.first_cards, found.second_cards]) // LANES, axis=0), np.sort(pairs[holdings].T, axis=0)
    )
    reach = generator.random((count, LANES), np.float32)
    weights = generator.random((len(found.buckets), LANES), np.float32)
    of_bunches = np.empty(LANES * len(found.bunch_places), np.float32)
    of_shares = np.empty(LANES * len(found.share_places), np.float32)
    gather(found.bunch_members, found.members_ends, reach.ravel(), of_bunches)
    gather(found.share_members, found.share_members_ends, reach.ravel(), of_shares)
    one_by_one = (reach * weights[found.places // LANES]).astype(float)
    start = bunch = share = 0
    ties = zip(found.tie_ends.tolist(), found.bunch_ends.tolist(), found.share_ends.tolist())
    for stop, bunch_stop, share_stop in ties:
        assert ends[start] == stop, f"seed {seed}"
        sums, wanted = np.zeros(52 * LANES, np.float32), np.zeros((52, LANES))
        add_by_card(found, of_shares, weights.ravel(), share, share_stop, sums)
        for side in (0, 1):
            np.add.at(wanted, pairs[holdings[start:stop], side], one_by_one[start:stop])
        np.testing.assert_allclose(sums.reshape(52, LANES), wanted, rtol=1e-5, atol=1e-6)
        whole = np.array([_first_lane(of_bunches, found.bunch_places, weights, at) for at in range(bunch, bunch_stop)])
        assert whole.sum() == pytest.approx(one_by_one[start:stop, 0].sum(), rel=1e-5)
        start, bunch, share = stop, bunch_stop, share_stop
    assert (start, bunch, share) == (count, len(found.bunch_places), len(found.share_places))
    if buckets == 1 and cards == 5:
        assert len(found.bunch_places) == len(found.tie_ends)
        assert len(found.share_places) < count


def _first_lane(of_bunches, places, weights, at) -> float:
    return of_bunches[LANES * at] * weights[places[at] // LANES, 0]
