"""Strategy files: eight bits, checked, and what a bot and a best response ask of them."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest

from railbird.cards import parse_cards
from railbird.errors import IllegalActionError, RailbirdError
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.solve.abstraction import Abstraction
from railbird.solve.strategy import KIND, VERSION, WHOLE, Strategy
from railbird.solve.strategy_files import read_arrays, write_arrays


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


def test_a_table_of_the_wrong_size_is_refused(strategy, tmp_path):
    path = tmp_path / "strategy.npz"
    strategy.save(path)
    about, arrays = read_arrays(path, KIND, VERSION)
    json.dumps(about)
    write_arrays(path, KIND, VERSION, about, {**arrays, "street2": arrays["street2"][:5]})
    with pytest.raises(RailbirdError, match="is damaged: a strategy table of"):
        Strategy.load(path)
