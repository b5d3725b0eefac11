"""The context tree: what it remembers, how levels mix, files, and default data."""

from __future__ import annotations

import json

import numpy as np
import pytest

from railbird.cards import HOLDING_COUNT, cards_text
from railbird.errors import RailbirdError
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.modeling.betting_classes import ABSTRACTIONS, LEVELS, betting_classes, showdown_nodes
from railbird.modeling.context_tree import ContextTree, cell_of
from railbird.modeling.default_data import default_data
from railbird.odds.strength import strengths
from railbird.randomness import Stream
from railbird.search.defaults import read_defaults, write_defaults
from railbird.solve.policy import ConstantPolicy

TREE = BettingTree.of(limit_holdem())
SMALL = BettingTree.of(limit_holdem(cap=1))


def test_an_observation_counts_at_every_level():
    model = ContextTree(TREE, history_decay=0.5)
    node = TREE.node("rc/r")
    model.observe_action(node, 0)
    model.observe_action(node, 2)
    assert model.observations("rc/r") == (2, 2, 2, 2)
    for of in model.classes.decisions[node]:
        assert model.action_data[of].tolist() == [0.5, 0.0, 1.0]
    # The same round after other betting before the flop: another A0 and A1, the same A2 and A3.
    assert model.observations("cc/r") == (0, 0, 2, 2)
    # Another round with the same things to decide: A3 only.
    assert model.observations("rc/cr") == (0, 0, 0, 2)
    assert model.observations("rc/cc/r") == (0, 0, 0, 0)


def test_showdowns_are_kept_by_position():
    model = ContextTree(TREE)
    quiet = "cc/cc/cc/cc"
    model.observe_showdown(TREE.node(quiet), 0, 0.93)
    assert model.observations(quiet, 0) == (1, 1, 1, 1)
    assert model.observations(quiet, 1) == (0, 0, 1, 1)
    expected = np.full(20, 0.95**4 / 20)
    expected[18] += 1 - 0.95**4
    assert model.histogram(quiet, 0) == pytest.approx(expected)


def test_without_observations_the_defaults_are_all():
    model = ContextTree(TREE)
    assert model.triple("r") == ProbabilityTriple(1 / 3, 1 / 3, 1 / 3)
    assert model.triple("rc/") == ProbabilityTriple(0.0, 0.5, 0.5)
    assert model.histogram("cc/cc/cc/cc", 1) == pytest.approx(np.full(20, 0.05))


def test_an_illegal_action_never_gets_a_chance():
    for abstraction in ABSTRACTIONS:
        model = ContextTree(TREE, abstraction)
        generator = np.random.default_rng(4)
        decided = np.concatenate(TREE.decisions)
        for node in generator.choice(decided, 3000).tolist():
            model.observe_action(node, int(generator.choice(np.flatnonzero(TREE.child[node] >= 0))))
        triples = np.zeros((len(TREE), 3))
        model.triples(decided.astype(np.int64), triples)
        assert triples[decided].sum(axis=1) == pytest.approx(np.ones(len(decided)))
        assert not triples[decided][TREE.child[decided] < 0].any()


@pytest.mark.parametrize("abstraction", ABSTRACTIONS)
def test_levels_get_coarser(abstraction):
    classes = betting_classes(TREE, abstraction)
    decided = np.concatenate(TREE.decisions)
    for found in (classes.decisions[decided], classes.showdowns.reshape(-1, LEVELS)):
        sizes = [len(np.unique(found[:, level])) for level in range(LEVELS)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] == len(found)
        assert len(np.unique(found)) == sum(sizes)


def test_forgetting_keeps_the_defaults():
    model = ContextTree(TREE)
    model.observe_action(TREE.node("r"), 1)
    model.forget()
    assert model.triple("r") == ContextTree(TREE).triple("r")


def test_a_model_survives_its_file(tmp_path):
    model = ContextTree(TREE, "pot", 0.9, 0.8)
    model.observe_action(TREE.node("r"), 1)
    model.observe_showdown(TREE.node("cc/cc/cc/cc"), 1, 0.4)
    again = ContextTree.load(model.save(tmp_path / "model"), TREE)
    assert (again.abstraction, again.history_decay, again.mixing) == ("pot", 0.9, 0.8)
    assert again.triple("r") == model.triple("r")
    assert np.array_equal(again.histogram("cc/cc/cc/cc", 1), model.histogram("cc/cc/cc/cc", 1))
    again.observe_action(TREE.node("r"), 0)


def test_damaged_and_foreign_models_are_refused(tmp_path):
    path = ContextTree(TREE).save(tmp_path / "model")
    content = path.read_bytes()
    damaged = bytearray(content)
    damaged[len(damaged) // 2] ^= 1
    first, _, rest = content.partition(b"\n")
    header = json.loads(first)
    older = json.dumps({**header, "version": 0}).encode().ljust(len(first)) + b"\n" + rest
    for name, bad, message in (
        ("damaged", bytes(damaged), "is damaged: the checksum does not fit"),
        ("short", content[:-100], "is damaged: .* bytes where"),
        ("older", older, "has version 0 of the context tree, not 1"),
        ("foreign", b"something else", "is not a file of context tree"),
    ):
        file = tmp_path / name
        file.write_bytes(bad)
        with pytest.raises(RailbirdError, match=message):
            ContextTree.load(file, TREE)
    with pytest.raises(RailbirdError, match="cannot read the model"):
        ContextTree.load(tmp_path / "nowhere", TREE)
    with pytest.raises(RailbirdError, match=r"model of another game"):
        ContextTree.load(path, SMALL)


def test_bad_parameters_are_refused():
    with pytest.raises(RailbirdError, match="no abstraction 'colour'"):
        ContextTree(TREE, "colour")  # type: ignore[arg-type]
    with pytest.raises(RailbirdError, match="a history decay of 0"):
        ContextTree(TREE, history_decay=0)


def test_seeding_from_a_constant_strategy():
    # Whoever acts alike with all holdings shows every holding equally often: the histogram of a board's hand ranks.
    model = ContextTree(SMALL)
    policy = ConstantPolicy(SMALL.game, ProbabilityTriple(0.2, 0.5, 0.3))
    model.defaults = default_data(model.tree, policy, boards=3, seed=8)
    assert model.triple("cc/r") == pytest.approx((0.98 * 0.2 / 0.7 + 0.01, 0.98 * 0.5 / 0.7 + 0.01, 0.0), abs=1e-6)
    cells = np.zeros(20)
    for number in range(3):
        ranks = strengths(cards_text(Stream(8, number).deal(range(52), 5)))
        for rank in ranks[~np.isnan(ranks)].tolist():
            cells[cell_of(rank)] += 1
    expected = 0.98 * cells / cells.sum() + 0.02 / 20
    for place in range(len(model.showdowns)):
        assert model.defaults.histograms[0, place] == pytest.approx(expected)


class StrongBet:
    """Bets and calls on the river with the better half of holdings, otherwise checks and calls."""

    game = SMALL.game

    def probabilities(self, street, board):
        nodes = SMALL.decisions[street]
        found = np.zeros((len(nodes), HOLDING_COUNT, 3), np.float32)
        found[:, :, 1] = 1.0
        if street == 3:
            strong = np.nan_to_num(strengths(cards_text(board))) >= 0.5
            for row, node in enumerate(nodes.tolist()):
                if SMALL.child[node, 2] >= 0:
                    found[row, strong] = 0.0, 0.0, 1.0
                elif SMALL.child[node, 0] >= 0:
                    found[row, ~strong] = 1.0, 0.0, 0.0
        return found


def test_seeding_follows_holdings_through_the_betting():
    found = default_data(SMALL, StrongBet(), boards=4)
    place = showdown_nodes(SMALL).tolist().index(SMALL.node("cc/cc/cc/rc"))
    quiet = showdown_nodes(SMALL).tolist().index(SMALL.node("cc/cc/cc/cc"))
    for position in range(2):
        assert found.histograms[position, place, :10].sum() == pytest.approx(0.01)
        assert found.histograms[position, quiet, 10:].sum() == pytest.approx(0.01)
    bet = SMALL.node("cc/cc/cc/")
    assert found.triples[bet, 2] == pytest.approx(0.5, abs=0.06)
    assert found.triples[SMALL.node("cc/cc/cc/r"), 0] == pytest.approx(0.5, abs=0.06)


def test_default_data_survive_their_file(tmp_path):
    policy = ConstantPolicy(SMALL.game, ProbabilityTriple(0.2, 0.5, 0.3))
    write_defaults(tmp_path / "defaults.npz", policy, boards=2)
    found, expected = read_defaults(tmp_path / "defaults.npz", SMALL), default_data(SMALL, policy, boards=2)
    decided = np.concatenate(SMALL.decisions)
    assert found.triples[decided] == pytest.approx(expected.triples[decided], abs=0.01)
    assert found.histograms == pytest.approx(expected.histograms, abs=0.01)
    with pytest.raises(RailbirdError, match="another betting tree"):
        read_defaults(tmp_path / "defaults.npz", TREE)
