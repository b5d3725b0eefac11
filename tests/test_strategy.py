"""Strategy files: eight bits, checked, and what a bot and a best response ask of them."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from railbird.bots.equilibrium import strategy_of
from railbird.cards import parse_cards
from railbird.errors import IllegalActionError, RailbirdError
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.solve.abstraction import Abstraction
from railbird.solve.rounding import WHOLE, rounded_codes
from railbird.solve.strategy import KIND, VERSION, Strategy, game_parameters, strategy_named
from railbird.solve.strategy_files import write_arrays
from railbird.solve.train import Training


@pytest.fixture(scope="module")
def strategy() -> Strategy:
    """Random probabilities on a tree with two bets a street, with a bucket for each tenth of hand strength."""
    game = limit_holdem(cap=2)
    abstraction = Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 10]), "river": np.empty((10, 0))})
    generator = np.random.default_rng(9)
    rows = [len(nodes) for nodes in BettingTree.of(game).decisions]
    tables = [generator.random((r, count, 3), np.float32) for r, count in zip(rows, abstraction.counts)]
    tables[3][0] = 0.0  # never reached
    tables[0][0, 0] = 0.5, 0.0, 0.5  # does not fit 255ths
    return Strategy.of(game, abstraction, tables, {"boards": 7})


def test_probabilities_are_legal_and_sum_to_one(strategy):
    tree = BettingTree.of(strategy.game)
    for street in range(4):
        table = strategy.table(street)
        assert table.dtype == np.float32
        np.testing.assert_allclose(table.sum(axis=2), 1.0, atol=1e-6)
        legal = np.broadcast_to(tree.legal(street)[:, None, :], table.shape)
        assert (table[~legal] == 0).all()
    np.testing.assert_allclose(strategy.table(3)[0, 3], tree.legal(3)[0] / tree.legal(3)[0].sum(), atol=1 / WHOLE)
    assert strategy.table(0)[0, 0].tolist() == pytest.approx([128 / 255, 0.0, 127 / 255])


def test_a_file_gives_back_the_strategy(strategy, tmp_path):
    path = tmp_path / "strategy.npz"
    strategy.save(path)
    loaded = Strategy.load(path)
    assert loaded.game == strategy.game
    assert loaded.about == {"boards": 7}
    assert loaded.abstraction.digest == strategy.abstraction.digest
    assert all((a == b).all() for a, b in zip(loaded.codes, strategy.codes))
    loaded.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["again.npz", "strategy.npz"]


def test_what_a_bot_is_told_is_what_a_best_response_is_told(strategy):
    board = tuple(parse_cards("3h4cJhTh9s"))
    tree = BettingTree.of(strategy.game)
    for history, cards in (("", 0), ("cr", 0), ("rc/r", 3), ("cc/cc/", 4), ("cc/cc/cc/cr", 5)):
        node = tree.node(history)
        street, row = tree.street[node], tree.row[node]
        seen = board[:cards]
        table = strategy.probabilities(street, seen)
        assert table.shape == (len(tree.decisions[street]), 1326, 3)
        buckets = strategy.buckets(street, np.array([seen], np.uint8))[0]
        for high, low in ((50, 44), (13, 2), (51, 27)):
            holding = high * (high - 1) // 2 + low
            told = strategy.triple(history, (low, high), board)
            assert tuple(told) == pytest.approx(tuple(table[row, holding]), abs=1e-6)
            assert tuple(told) == pytest.approx(tuple(strategy.table(street)[row, buckets[holding]]), abs=1e-6)


def test_questions_without_an_answer_are_refused(strategy):
    with pytest.raises(IllegalActionError, match="no node 'rrrr'"):
        strategy.triple("rrrr", (0, 1), ())
    with pytest.raises(RailbirdError, match="nobody is to act after 'f'"):
        strategy.triple("f", (0, 1), ())
    with pytest.raises(RailbirdError, match="3 board cards after 'cc/cc/'; there should be 4"):
        strategy.triple("cc/cc/", (0, 1), (5, 6, 7))


@pytest.mark.parametrize("at", [0.1, 0.4, 0.7])
@pytest.mark.parametrize("spoil", ["cut", "flip"])
def test_a_damaged_file_is_refused(strategy, tmp_path, spoil, at):
    path = tmp_path / "strategy.npz"
    strategy.save(path)
    content = bytearray(path.read_bytes())
    place = int(at * len(content))
    if spoil == "cut":
        content = content[:place]
    else:
        content[place] ^= 0x10
    path.write_bytes(content)
    with pytest.raises(RailbirdError, match="is damaged"):
        Strategy.load(path)


def test_other_files_and_versions_are_refused(strategy, tmp_path):
    path = tmp_path / "strategy.npz"
    with pytest.raises(RailbirdError, match=r"cannot read .*No such file"):
        Strategy.load(path)
    path.write_text("no zip")
    with pytest.raises(RailbirdError, match="is damaged, or is no railbird strategy"):
        Strategy.load(path)
    write_arrays(path, KIND, VERSION + 1, {}, {})
    with pytest.raises(RailbirdError, match=f"of version {VERSION + 1}; this Railbird reads version {VERSION}"):
        Strategy.load(path)
    write_arrays(path, "something else", VERSION, {}, {})
    with pytest.raises(RailbirdError, match="is a something else, not a railbird strategy"):
        Strategy.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme", "hello")
    with pytest.raises(RailbirdError, match="is damaged, or is no railbird strategy"):
        Strategy.load(path)


def test_a_packed_file_of_an_older_version_says_how_to_write_it_again(strategy, tmp_path):
    about, good = parts(strategy)
    older = {name.replace("street", "packed"): array for name, array in good.items()}
    write_arrays(tmp_path / "packed.npz", KIND, VERSION, about, older)
    with pytest.raises(RailbirdError, match="is a packed strategy of an older version; write it again") as refused:
        Strategy.load(tmp_path / "packed.npz")
    assert "damaged" not in str(refused.value)


def test_a_name_that_is_nearly_one_of_those_that_ship_is_told():
    with pytest.raises(RailbirdError, match=r"no strategy file 'sparbt', .*; did you mean 'sparbot'[?] .those are "):
        strategy_named("sparbt")


def parts(strategy: Strategy) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    """Description and arrays of a strategy file."""
    about = {"method": strategy.abstraction.method, "game": game_parameters(strategy.game)}
    streets = {f"street{street}": codes.copy() for street, codes in enumerate(strategy.codes)}
    return about, {**streets, **{k: np.array(v) for k, v in strategy.abstraction.definition.items() if k != "method"}}


def refusal(path: Path, about: dict[str, object], arrays: dict[str, np.ndarray]) -> str:
    write_arrays(path, KIND, VERSION, about, arrays)
    with pytest.raises(RailbirdError, match="is damaged: ") as refused:
        Strategy.load(path)
    return str(refused.value).partition("is damaged: ")[2]


def test_tables_that_do_not_fit_the_buckets_or_the_rules_are_refused(strategy, tmp_path):
    path = tmp_path / "strategy.npz"
    about, good = parts(strategy)
    for name, array, words in (
        ("street2", good["street2"][:5], "street2 is 5x1x2 of u1 where 90x1x2 of u1 belongs"),
        ("street3", good["street3"][:, :9], "street3 is 450x9x2 of u1 where 450x10x2 of u1 belongs"),
        ("street3", good["street3"].astype(np.int16), "street3 is 450x10x2 of i2"),
        ("street0", np.full_like(good["street0"], 128), "probabilities of more than one in all on street 0"),
        ("street1", np.full_like(good["street1"], 100), "probabilities of actions that are not legal on street 1"),
        ("river", np.empty((5, 0)), "a river of 5x1 buckets, where there are 10"),
        ("river", np.array([[0.5], [0.6], [np.nan], [0.1], [0.2]]), "limits between the buckets of the river"),
        ("counts", np.array([169, 1, 1]), "counts is 3 of i8 where 4 of i8 belongs"),
        ("counts", np.array([169, 1, 1, 10**12]), "169/1/1/1000000000000 buckets; a street has 1 to 65,000"),
        ("counts", np.array([169, 7, 1, 10]), "flop is 0 of u2 where 6 of u2 belongs"),
    ):
        assert refusal(path, about, {**good, name: array}).startswith(words), name
    for key, value, words in (
        ("game", {**game_parameters(strategy.game), "cap": 1000}, "a cap of 1000 bets"),
        ("game", {**game_parameters(strategy.game), "seats": 2}, "a game of 'small_bet, big_bet, "),
        ("game", {**game_parameters(strategy.game), "cap": "2"}, "cap of game of the description: '2' is not"),
        ("method", "guessing", "no method 'guessing'"),
        ("method", 5, "method of the description: 5 is no text"),
    ):
        assert refusal(path, {**about, key: value}, good).startswith(words), key
    write_arrays(path, KIND, VERSION, about, good)
    assert Strategy.load(path).game == strategy.game


def test_what_would_unpack_to_gigabytes_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "strategy.npz"
    about = {"kind": KIND, "version": VERSION, "method": "ehs", "game": game_parameters(limit_holdem())}
    sizes = enumerate([(8, 169), (70, 1), (630, 1)])
    tables = {f"street{street}": np.zeros((*size, 2), np.uint8) for street, size in sizes}
    buckets = {"counts": np.array([169, 1, 1, 65_000]), "river": np.empty((65_000, 0))}
    text = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in {**text, **buckets, **tables}.items():
            with archive.open(f"{name}.npy", "w") as part:
                np.lib.format.write_array(part, array, allow_pickle=False)
        with archive.open("street3.npy", "w") as part:  # the right size for its buckets, if it were true
            told = {"descr": "|u1", "fortran_order": False, "shape": (5670, 65_000, 2)}
            np.lib.format.write_array_header_1_0(part, told)
            part.write(bytes(8_000_000))
    assert path.stat().st_size < 20_000
    tracemalloc.start()
    with pytest.raises(RailbirdError, match=r"street3 would unpack from [\d,]+ bytes to 737,100,000"):
        Strategy.load(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000_000


@pytest.mark.parametrize("levels", [3, 7, 15, 64])
def test_rounded_probabilities_are_near_and_nearest_where_they_are_small(levels):
    generator = np.random.default_rng(levels)
    shares = generator.dirichlet([0.4, 0.4, 0.4], (20, 50))
    codes = np.floor(shares[:, :, ::2] * 255).astype(np.uint8)
    codes[0, :, 0] = 255 - codes[0, :, 1]  # some never call
    again = rounded_codes(codes, levels)
    whole, rounded = (
        np.insert(each.astype(int), 1, 255 - each.sum(axis=2, dtype=int), axis=2) for each in (codes, again)
    )
    assert (rounded >= 0).all()
    assert not rounded[whole == 0].any()
    assert np.abs(rounded - whole).max() <= 255 * np.pi / 2 / levels
    small = whole < 255 * np.sin(np.pi / 4 / levels) ** 2 / 2
    assert np.abs(rounded - whole)[small].max() <= whole[small].max()
    assert len(np.unique(again[..., 0])) < len(np.unique(codes[..., 0])) or levels == 64


def test_levels_lie_closer_together_near_nothing_and_all():
    codes = np.array([[[128, 127], [0, 3], [255 - 3, 3], [60, 20]]], np.uint8)
    assert rounded_codes(codes, 15).tolist() == [[[141, 114], [0, 3], [252, 3], [64, 24]]]
    assert rounded_codes(codes, 3).tolist() == [[[191, 64], [0, 0], [255, 0], [64, 0]]]


def test_nothing_is_far_from_what_was_rounded_to_one_level():
    codes = np.array([[[100, 100], [60, 60], [255, 0], [0, 255], [0, 100], [85, 85]]], np.uint8)
    assert rounded_codes(codes, 1).tolist() == [[[128, 127], [0, 0], [255, 0], [0, 255], [0, 0], [85, 85]]]


def test_a_rounded_strategy_comes_back_and_never_plays_what_it_did_not(tmp_path):
    abstraction = Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 10]), "river": np.empty((10, 0))})
    training = Training(abstraction, seed=1)
    generator = np.random.default_rng(3)
    for table in training.sums:
        table[:] = generator.random(table.size, np.float32)
    raises = training.rounds[0].by_row(training.sums[0], 169)
    raises[:, :, 2] = 0.0
    training.sums[0][:] = training.rounds[0].by_lane(raises)
    whole = training.strategy()
    rounded = whole.rounded(7)
    rounded.save(tmp_path / "rounded.npz")
    whole.save(tmp_path / "whole.npz")
    found = Strategy.load(tmp_path / "rounded.npz")
    assert found.about["levels"] == 7
    for street, (ours, theirs) in enumerate(zip(found.codes, rounded.codes)):
        assert np.array_equal(ours, theirs)
        rows = {found.tree.history[node]: row for row, node in enumerate(found.tree.decisions[street].tolist())}
        if street == 1:
            assert not ours[rows["rrrc/"]].any()  # nobody gets there without a raise of its own
            assert ours[rows["cc/"] :].any()
    assert (tmp_path / "rounded.npz").stat().st_size < (tmp_path / "whole.npz").stat().st_size / 2


def test_more_levels_than_there_can_be_are_refused():
    with pytest.raises(RailbirdError, match="65 levels; probabilities are rounded to 1 to 64"):
        strategy_of().rounded(65)
