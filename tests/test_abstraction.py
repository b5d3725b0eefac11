"""Card abstraction: features against slow counts, buckets that do not mind how suits are called, kept tables."""

from __future__ import annotations

import numpy as np
import pytest
from trials.finer import with_river_clusters

from railbird.bots.equilibrium import strategy_of
from railbird.cards import card_text, cards_text, holding_cards, holding_index, holding_text, parse_cards, parse_holding
from railbird.errors import RailbirdError
from railbird.kernels.cards.isomorphism import CLASS_COUNTS, all_holding_indices, isomorphism_table, representative
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE, Ranking
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.solve import river_clusters
from railbird.kernels.solve.nearest_centres import assign_points
from railbird.odds.ranks import rank_cards
from railbird.odds.strength import equities, hand_strength, strengths
from railbird.solve import abstraction as module
from railbird.solve.abstraction import Abstraction, check_counts
from railbird.solve.bucket_files import load_buckets, same_buckets, save_buckets
from railbird.solve.holding_features import better_holdings, histograms, moments, opponent_groups, river_features
from railbird.solve.strategy import Strategy

TURN, FLOP = "3h4cJhTh", "3h4cJh"


def cards_of(text: str) -> np.ndarray:
    return np.array(parse_cards(text), np.uint8)


def next_cards(holding: str, board: str) -> list[str]:
    dealt = {*parse_cards(holding), *parse_cards(board)}
    return [card_text(card) for card in range(52) if card not in dealt]


@pytest.mark.parametrize("holding", ["AdQc", "AhKh", "2c2d", "JcJs"])
def test_histograms_count_hand_strength_after_the_next_card(holding):
    number = parse_holding(holding)
    counts = histograms(cards_of(TURN))
    later = [hand_strength(holding, TURN + card) for card in next_cards(holding, TURN)]
    wanted = [sum(value * kernels.CELLS < j for value in later) for j in range(1, kernels.CELLS)]
    assert counts.reshape(1326, -1)[number].tolist() == wanted
    counts = histograms(cards_of(FLOP))
    later = [equities(FLOP + card)[number] for card in next_cards(holding, FLOP)]
    wanted = [sum(value * kernels.CELLS < j for value in later) for j in range(1, kernels.CELLS)]
    assert counts.reshape(1326, -1)[number].tolist() == wanted


def test_moments_are_means_over_all_cards_to_come():
    first, second = moments(cards_of(TURN))
    for holding in ("AdQc", "AhKh", "2c2d"):
        later = np.array([hand_strength(holding, TURN + card) for card in next_cards(holding, TURN)])
        number = parse_holding(holding)
        assert first[number] == pytest.approx(later.mean(), abs=1e-12)
        assert second[number] == pytest.approx((later**2).mean(), abs=1e-12)
    first, second = moments(cards_of(FLOP))
    live = ~np.isnan(equities(FLOP))
    np.testing.assert_allclose(first[live], equities(FLOP)[live], atol=1e-9)
    assert (second[live] >= first[live] ** 2).all()


def test_the_nearest_centre_is_the_nearest():
    generator = np.random.default_rng(4)
    points = np.sort(generator.integers(0, 47, (500, kernels.ENTRIES)), axis=1).astype(np.float32)
    centres = kernels.FINE * np.sort(generator.integers(0, 47, (60, kernels.ENTRIES)), axis=1).astype(np.float32)
    centres = centres[np.argsort(centres.sum(axis=1), kind="stable")]
    far = np.square(kernels.FINE * points[:, None] - centres[None]).sum(axis=2)
    for guess in (-1, 17):
        chosen = np.full(len(points), guess)
        assign_points(centres, centres.sum(axis=1), points.ravel(), kernels.FINES, chosen)
        assert chosen.tolist() == far.argmin(axis=1).tolist()


def test_tables_do_not_mind_how_suits_are_called():
    generator = np.random.default_rng(8)
    centres = kernels.FINE * np.sort(generator.integers(0, 47, (50, kernels.ENTRIES)), axis=1).astype(np.float32)
    centres = centres[np.argsort(centres.sum(axis=1), kind="stable")]
    table, indices, cards = np.zeros(CLASS_COUNTS[1], np.uint16), np.empty(1326, np.int64), np.empty(3, np.int64)
    representative(isomorphism_table(), False, 3, 701, cards)
    all_holding_indices(isomorphism_table(), cards, 3, indices)
    kernels.assign_holdings(indices, histograms(cards.astype(np.uint8)), centres, centres.sum(axis=1), table)
    abstraction = Abstraction({"method": "histogram", "counts": np.array([169, 50, 1, 1]), "river": np.empty((1, 0))})
    abstraction._tables = table, table
    for permutation in ([0, 1, 2, 3], [2, 3, 0, 1], [3, 1, 0, 2]):
        board = np.array([(card & ~3) | permutation[card & 3] for card in cards], np.uint8)
        found = np.empty(1326, np.uint16)
        kernels.read_buckets(isomorphism_table(), table, board, found)
        wanted = np.full(1326, -1)
        assign_points(centres, centres.sum(axis=1), histograms(board), kernels.FINES, wanted)
        for holding in range(1326):
            if not {*holding_cards(holding)} & {*board.tolist()}:
                assert found[holding] == wanted[holding], (holding_text(holding), cards_text(board.tolist()))
                if holding % 50 == 0:
                    assert abstraction.bucket(holding_cards(holding), tuple(board.tolist())) == wanted[holding]


def test_river_buckets_rise_with_hand_strength_and_cut_it_by_the_better_holdings():
    limits = np.array([[0.1, 0.2], [0.3, 0.6], [0.7, 0.8], [0.9, 0.95]])
    abstraction = Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 12]), "river": limits})
    board = "3h4cJhTh9s"
    found = abstraction.board_buckets(cards_of(board))
    plain = strengths(board)
    others = river_features(cards_of(board))[1]
    for holding in range(1326):
        if np.isnan(plain[holding]):
            assert found[holding] == 0
        else:
            at = min(int(plain[holding] * 4), 3)
            assert found[holding] == 3 * at + sum(others[holding] >= limit for limit in limits[at])


def test_better_holdings_are_those_that_win_55_percent():
    # Equity against a random holding: 22 has 50.3%, Q7s 54.3%, 55 60.3%, K5o 53.3%, A2o 54.9%, A3o 55.8%.
    weights = better_holdings()
    for text, better in (("2c2d", 0), ("Qh7h", 0), ("5c5d", 1), ("Kh5c", 0), ("Ac2d", 0), ("Ac3d", 1)):
        assert weights[parse_holding(text)] == better, text


def test_before_the_flop_every_class_is_a_bucket():
    abstraction = Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 1]), "river": np.empty((1, 0))})
    found = abstraction.board_buckets(np.empty(0, np.uint8))
    assert len(set(found.tolist())) == 169
    assert found[holding_index(50, 44)] == found[holding_index(51, 45)]


def test_clustering_repeats_and_its_tables_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "_SAMPLES", {1: 20, 2: 40})
    monkeypatch.setattr(module, "BOARD_CLASSES", {1: 3, 2: 3})  # the first few are enough here
    first, again = (Abstraction.fit((169, 6, 9, 24), seed=2) for _ in range(2))
    assert first.digest == again.digest
    assert first.slices == (24, 1)
    steps: list[tuple[int, int]] = []
    first.build(lambda done, total: steps.append((done, total)))
    assert steps == [(0, 6), (3, 6), (3, 6), (6, 6)]
    assert 1 < len(np.unique(first.tables[0])) <= 6
    assert 1 < len(np.unique(first.tables[1])) <= 9
    (kept,) = tmp_path.glob("buckets-*.bin")
    copy = Abstraction(first.definition)
    copy.build(lambda done, total: pytest.fail("computed again"))
    assert all((a == b).all() for a, b in zip(copy.tables, first.tables))
    wanted = [table.copy() for table in first.tables]  # the file itself lies under the tables
    content = bytearray(kept.read_bytes())
    content[-100] ^= 1
    kept.write_bytes(content)
    with pytest.warns(UserWarning, match="is damaged: the checksum does not fit"):
        again.build()
    assert all((a == b).all() for a, b in zip(again.tables, wanted))


def test_the_tables_that_ship_are_those_that_the_definition_gives(tmp_path, monkeypatch):
    # Some flops and turns; python -m benchmarks solve computes them all, in a minute.
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    strategy = strategy_of.__wrapped__()
    definition, generator = strategy.abstraction.definition, np.random.default_rng(11)
    monkeypatch.setattr(strategy.abstraction, "computed", lambda watch: pytest.fail("computed"))
    strategy.abstraction.build()
    assert [len(table) for table in strategy.abstraction.tables] == list(CLASS_COUNTS[1:3])
    (kept,) = tmp_path.glob("buckets-*.bin")
    assert kept.stat().st_size < 31e6
    for cards, name, boards in ((3, "flop", 6), (4, "turn", 60)):
        centres = np.asarray(definition[name]).astype(np.float32)
        for _ in range(boards):
            board = generator.choice(52, cards, replace=False).astype(np.uint8)
            wanted = np.full(1326, -1)
            assign_points(centres, centres.sum(axis=1), histograms(board), kernels.FINES, wanted)
            blocked = np.array([bool({*holding_cards(holding)} & {*board.tolist()}) for holding in range(1326)])
            found = strategy.abstraction.board_buckets(board)
            assert np.array_equal(found, np.where(blocked, 0, wanted)), cards_text(board.tolist())


@pytest.mark.parametrize("method", ["ehs", "ehs2"])
def test_percentiles_hold_equally_many_deals(method, monkeypatch, tmp_path):
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    values = np.random.default_rng(6).integers(0, 60_000, (2, CLASS_COUNTS[1])).astype(np.uint16)
    monkeypatch.setattr(module, "class_features", lambda street, features, watch, who=None: values)
    abstraction = Abstraction.fit((169, 10, 1, 6), method)
    assert abstraction.slices == (6, 1)
    table, used = abstraction.tables[0], values[int(method == "ehs2")]
    np.testing.assert_allclose(np.bincount(table, minlength=10) / len(table), 0.1, rtol=0.05)
    assert table[used.argmin()] == 0
    assert table[used.argmax()] == 9


@pytest.mark.parametrize("count", [2, 7])
def test_the_last_of_the_buckets_of_potential_is_for_who_may_pull_ahead(count, monkeypatch, tmp_path):
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    strength, ppot = values = np.random.default_rng(7).integers(0, 60_000, (2, CLASS_COUNTS[1])).astype(np.uint16)
    monkeypatch.setattr(module, "class_features", lambda street, features, watch, who=None: values)
    table = Abstraction.fit((169, count, 1, 6), "potential").tables[0]
    np.testing.assert_allclose(np.bincount(table, minlength=count) / len(table), 1 / count, rtol=0.05)
    last, behind = table == count - 1, strength < 32_768
    assert behind[last].all()
    assert ppot[last].min() > ppot[behind & ~last].max()
    assert (np.diff(table[~last][np.argsort(strength[~last])].astype(int)) >= 0).all()


def test_numbers_of_buckets_that_cannot_be_are_refused():
    for counts, message in [
        ((169, 2, 2), "there are four streets"),
        ((100, 1, 1, 1), "all 169 classes are kept"),
        ((169, 0, 1, 1), "a street has 1 to"),
    ]:
        with pytest.raises(RailbirdError, match=message):
            check_counts(counts)
    with pytest.raises(RailbirdError, match="no method 'ehs3'; did you mean 'ehs"):
        Abstraction.fit((169, 1, 1, 1), "ehs3")


def few_clusters(count: int = 30) -> Abstraction:
    """A river of clusters around random points, over random groups."""
    generator = np.random.default_rng(1)
    centres = generator.integers(0, 513, (count, river_clusters.GROUPS)).astype(np.uint16)
    centres = centres[np.argsort(centres.sum(axis=1), kind="stable")]
    groups = generator.integers(0, river_clusters.GROUPS, 169).astype(np.uint8)
    return Abstraction({"method": "ochs", "counts": np.array([169, 1, 1, count]), "river": centres, "groups": groups})


@pytest.mark.parametrize("board", ["3h4cJhThKs", "AhKhQhJhTh", "2c2d2h2s3c"])
def test_river_clusters_are_those_of_a_slow_count(board):
    abstraction, cards = few_clusters(), parse_cards(board)
    groups, centres, _ = abstraction.river_clusters
    found = abstraction.board_buckets(cards_of(board))
    for holding in ("2d3d", "JcJs", "7c2s", "AdAc"):
        own = parse_cards(holding)
        if set(own) & set(cards):
            continue
        rank = rank_cards((*own, *cards))
        scores, met = np.zeros(8, np.int64), np.zeros(8, np.int64)
        for other in range(1326):
            pair = holding_cards(other)
            if not set(pair) & {*own, *cards}:
                theirs = rank_cards((*pair, *cards))
                scores[groups[other]] += int(theirs < rank) + int(theirs <= rank)
                met[groups[other]] += 1
        point = np.where(met > 0, scores * 256 // np.maximum(met, 1), 256)
        nearest = np.square(centres - point).sum(axis=1).argmin()
        assert found[holding_index(*own)] == nearest == abstraction.bucket(tuple(own), tuple(cards))


def test_clusters_of_histograms_are_computed_once_whatever_the_river_is_like():
    usual = strategy_of().abstraction
    clustered = with_river_clusters(usual, 12)
    assert clustered.counts == (*usual.counts[:3], 12)
    assert clustered.is_clustered
    assert clustered.digest == usual.digest
    assert Abstraction({**usual.definition, "method": "ehs"}).digest != usual.digest


def test_groups_of_opponents_go_from_high_pairs_to_low_cards():
    groups = opponent_groups(0)
    by_holding = groups[module._preflop()]
    assert sorted(set(groups.tolist())) == list(range(8))
    assert by_holding[parse_holding("AhAd")] == by_holding[parse_holding("QsQd")] == 0
    assert by_holding[parse_holding("3h2d")] == 7
    assert by_holding[parse_holding("AhKd")] < by_holding[parse_holding("9h8d")] < 7


def test_a_file_of_buckets_comes_back_as_it_was(tmp_path):
    abstraction = few_clusters()
    again = load_buckets(save_buckets(abstraction, tmp_path / "buckets.npz"))
    assert same_buckets(again, abstraction)
    assert not same_buckets(few_clusters(31), abstraction)
    with pytest.raises(RailbirdError, match="is a railbird buckets, not a railbird strategy"):
        Strategy.load(tmp_path / "buckets.npz")


@pytest.mark.parametrize(
    ("name", "wrong", "why"),
    [("river", np.zeros((30, 8), np.uint16) + 600, "do not rise"), ("groups", np.full(169, 8, np.uint8), "0 to 7")],
)
def test_clusters_that_cannot_be_are_refused(tmp_path, name, wrong, why):
    broken = Abstraction({**few_clusters().definition, name: wrong})
    with pytest.raises(RailbirdError, match=why):
        load_buckets(save_buckets(broken, tmp_path / "buckets.npz"))


def test_whole_hands_find_the_clusters_too():
    # In a match the equilibrium player is a table inside a kernel, asked by itself it looks its buckets up one by one.
    abstraction = few_clusters()
    ranking = Ranking(TABLE, CARD_KEYS, RANK_KEYS)
    board, room = cards_of("3h4cJhThKs"), (np.empty(13, np.int64), np.full(91, -1, np.int16))
    for holding in ("2d3d", "JcJs", "AdAc"):
        cards = parse_cards(holding)
        found = kernels.holding_bucket(ranking, abstraction.arrays, *cards, board, 3, *room)
        assert found == abstraction.bucket(tuple(cards), tuple(board.tolist()))


def test_a_lossless_flop_keeps_every_class_apart(tmp_path):
    whole = CLASS_COUNTS[1]
    abstraction = Abstraction({"method": "ehs", "counts": np.array([169, whole, 1, 10]), "river": np.empty((10, 0))})
    again = load_buckets(save_buckets(abstraction, tmp_path / "buckets.npz"))
    found = again.board_buckets(cards_of(FLOP))
    indices = np.empty(1326, np.int64)
    all_holding_indices(isomorphism_table(), np.array(parse_cards(FLOP), np.int64), 3, indices)
    live = indices >= 0
    assert np.array_equal(found[live], indices[live])
    assert found.max() > 65_535
    assert again.bucket(tuple(parse_cards("AdQc")), tuple(parse_cards(FLOP))) == indices[parse_holding("AdQc")]
    assert not again.board_buckets(cards_of(TURN)).any()
    with pytest.raises(RailbirdError, match="or the flop all 1,286,792 classes"):
        check_counts((169, whole - 1, 1, 10))
