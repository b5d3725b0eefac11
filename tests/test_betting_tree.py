"""The betting tree as arrays: its counts, and every node against the rules it was grown from."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.errors import IllegalActionError, InvalidGameError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.betting_rounds import betting_rounds, following_rounds
from railbird.game.betting_tree import DECISION, FOLDED, SHOWDOWN, STREET_START, BettingTree
from railbird.game.spec import kuhn_poker, leduc_poker, limit_holdem, no_limit_holdem
from railbird.solve.training_rounds import training_rounds

GAMES = [limit_holdem(), limit_holdem(cap=2), limit_holdem(reverse_blinds=False), leduc_poker(), kuhn_poker()]


def test_decisions_of_heads_up_limit_holdem():
    tree = BettingTree.of(limit_holdem())
    assert [len(rows) for rows in tree.decisions] == [8, 70, 630, 5_670]
    assert [int(np.sum(tree.kind[list(tree.street_nodes(s))] == STREET_START)) for s in range(4)] == [7, 63, 567, 0]
    assert np.sum(tree.kind == SHOWDOWN) == 5_103


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name} {game.max_raises} {game.blinds}")
def test_every_node_agrees_with_the_rules(game):
    tree = BettingTree.of(game)
    assert (tree.parent[1:] < np.arange(1, len(tree))).all()
    for street, rows in enumerate(tree.decisions):
        assert tree.row[rows].tolist() == list(range(len(rows)))
        assert set(tree.street[rows]) == {street}
    nodes = range(len(tree)) if len(tree) < 1_000 else np.random.default_rng(5).choice(len(tree), 1_000)
    for node in nodes:
        history = tree.history[node]
        assert tree.node(history) == node
        betting = Betting.start(game).play(history)
        assert tree.committed[node].tolist() == list(betting.committed)
        if tree.kind[node] == DECISION:
            assert (betting.to_act, betting.street) == (tree.actor[node], tree.street[node])
            legal = [betting.is_legal(Action(kind)) for kind in "fcr"]
            assert (tree.child[node] >= 0).tolist() == legal
            for kind, child in zip("fcr", tree.child[node]):
                if child >= 0:
                    assert tree.history[child] == history + kind
                    assert tree.parent[child] == node
        elif tree.kind[node] == STREET_START:
            assert betting.street == tree.street[node] + 1
            assert tree.history[tree.child[node, 1]] == history + "/"
        else:
            assert betting.is_over
            assert (tree.kind[node] == SHOWDOWN) == betting.is_showdown
            if tree.kind[node] == FOLDED:
                assert betting.folded == 1 << tree.actor[node]


def test_what_has_no_such_tree_is_refused():
    for game in (limit_holdem(3), no_limit_holdem(), limit_holdem(cap=None), limit_holdem(stack=20)):
        with pytest.raises(InvalidGameError):
            BettingTree.of(game)
    with pytest.raises(IllegalActionError, match="no node 'rrrrr'"):
        BettingTree.of(limit_holdem()).node("rrrrr")


def test_arrays_cannot_be_changed():
    tree = BettingTree.of(limit_holdem())
    with pytest.raises(ValueError, match="read-only"):
        tree.child[0, 0] = 5


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name} {game.max_raises} {game.blinds}")
def test_rounds_are_the_tree_cut_up(game):
    tree, streets = BettingTree.of(game), betting_rounds(game)
    for rounds in streets:
        run = [node for opening in rounds.openings.tolist() for node in range(opening, opening + rounds.size)]
        assert run == list(tree.street_nodes(rounds.street)) == list(rounds.run(range(len(rounds))))
        places = np.sort(np.concatenate([rounds.decisions, rounds.closings, rounds.folds]))
        assert places.tolist() == list(range(rounds.size))
        for number, opening in enumerate(rounds.openings.tolist()):
            assert rounds.number(opening) == rounds.number(opening + rounds.size - 1) == number
            rows = tree.row[opening + rounds.decisions].tolist()
            assert rows == list(range(number * len(rounds.decisions), (number + 1) * len(rounds.decisions)))
            chips = rounds.chips_before[number] + rounds.chips_added
            assert np.array_equal(tree.committed[opening : opening + rounds.size], chips)
            for closing, place in enumerate(rounds.closings.tolist()):
                if rounds.is_last:
                    assert tree.kind[opening + place] == SHOWDOWN
                else:
                    following = streets[rounds.street + 1].openings[number * len(rounds.closings) + closing]
                    assert tree.child[opening + place, 1] == following


def test_what_follows_from_a_node():
    tree, streets = BettingTree.of(limit_holdem()), betting_rounds(limit_holdem())
    before = tree.parent.tolist()
    for node in np.random.default_rng(2).choice(np.concatenate(tree.decisions), 40).tolist():
        below = {node}
        for other in range(node + 1, len(tree)):
            if before[other] in below:
                below.add(other)
        street = int(tree.street[node])
        here = sorted(other for other in below if tree.street[other] == street)
        assert here == list(range(node, int(tree.last[node]) + 1))
        for rounds, numbers in zip(streets[street + 1 :], following_rounds(tree, node), strict=True):
            assert list(rounds.run(numbers)) == sorted(other for other in below if tree.street[other] == rounds.street)


def test_training_puts_rounds_after_one_closing_side_by_side():
    # Checkpoints on disk have this order, and the training kernel counts on it.
    flop, turn = training_rounds(limit_holdem())[1:3]
    assert flop.order.tolist() == list(range(7))
    assert turn.order.reshape(9, 7).tolist() == [
        [9 * opening + closing for opening in range(7)] for closing in range(9)
    ]
