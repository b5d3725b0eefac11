"""Numbers printed in Billings et al. 2004, "Game-Tree Search with Adaptation ...", chapter 4 of Billings's thesis."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.modeling.betting_classes import betting_classes
from railbird.modeling.context_tree import ContextTree
from railbird.search.futures import Future
from railbird.search.miximax import SearchResult, search

TREE = BettingTree.of(limit_holdem())
# Section 4.5: we are first to act and the pot has four small bets on the river. We bet, and P2 raises.
BET_RAISE = "rc/cc/cc/rr"


def example() -> ContextTree:
    """The opponent of section 4.5. The ten-cell histograms become twenty cells of half the width.

    The text prints "[1 1 0 0 0 0 4 4 0]" and "[0 0 0 0 0 0 5 5 0]", nine numbers each; what it says of them, bluffs in
    0.0-0.2 and other hands in 0.7-0.9, needs a fifth zero in the middle.
    """
    model = ContextTree(TREE)
    model.defaults.triples[TREE.node(f"{BET_RAISE}r")] = 0.2, 0.8, 0.0
    for history, cells in (
        (f"{BET_RAISE}c", (1, 1, 0, 0, 0, 0, 0, 4, 4, 0)),
        (f"{BET_RAISE}rc", (0, 0, 0, 0, 0, 0, 0, 5, 5, 0)),
    ):
        place = model.showdowns.tolist().index(TREE.node(history))
        model.defaults.histograms[1, place] = np.repeat(cells, 2) / 20
    return model


def found(hand_rank: float) -> SearchResult:
    return search(example(), TREE.node(BET_RAISE), Future(np.array([hand_rank]), ()))


@pytest.mark.parametrize(
    ("hand_rank", "call", "raise_", "action"),
    [(0.70, -3.6, -5.2, "call"), (0.75, -1.2, -2.0, "call"), (0.85, 3.6, 4.4, "raise"), (0.90, 6.0, 7.6, "raise")],
)
def test_table_4_1(hand_rank, call, raise_, action):
    result = found(hand_rank)
    assert result.values == pytest.approx([-4.0, call, raise_])
    assert ("fold", "call", "raise")[result.best] == action


def test_at_0_80_of_table_4_1_call_and_raise_are_equal():
    assert found(0.80).values == pytest.approx([-4.0, 1.2, 1.2])


def test_hands_that_beat_bluffs_only_in_section_4_5():
    for hand_rank in (0.2, 0.45, 0.7):
        assert found(hand_rank).values[1] == pytest.approx(-3.6)
    assert found(0.1).values[1] == pytest.approx(-4.8)
    assert found(0.1).best == 0


def test_thresholds_of_section_4_5():
    # "fold if our hand is weaker than HR = 0.167, call if it is in the range 0.167 to 0.80, and re-raise if ...
    # stronger"
    assert [found(hand_rank).best for hand_rank in (0.1666, 0.1667, 0.7999, 0.8001)] == [0, 1, 1, 2]
    assert found(1 / 6).values[1] == pytest.approx(-4.0)


def test_history_decay_of_section_4_6_1():
    # h = 0.95: "the most recent event accounts for 5% of the total weight", the last 20 for 0.6415 (footnote 3).
    model, node = ContextTree(TREE, history_decay=0.95), TREE.node("r")
    for _ in range(1000):
        model.observe_action(node, 0)
    model.observe_action(node, 1)
    data = model.action_data[model.classes.decisions[node, 0]]
    assert data[1] / data.sum() == pytest.approx(0.05)
    for _ in range(19):
        model.observe_action(node, 1)
    data = model.action_data[model.classes.decisions[node, 0]]
    assert data[1] / data.sum() == pytest.approx(0.6415, abs=5e-5)


def test_mixing_of_section_4_6_2():
    # 5 data points in A0, 20 in A1 and 75 in A2 (each with those below): 0.23 of the total, 0.64 of the rest or about
    # 50% of the total, 0.98 of what is then left or 26%. The last is 0.27 unless one multiplies the rounded numbers.
    assert [round(1 - 0.95**count, 2) for count in (5, 20, 75)] == [0.23, 0.64, 0.98]
    model, node = ContextTree(TREE, mixing=0.95), TREE.node("rc/cc/cc/cc")
    place = model.showdowns.tolist().index(node)
    classes = model.classes.showdowns[1, place]
    model.defaults.histograms[1, place] = np.eye(20)[19]
    for cell, (of, count) in enumerate(zip(classes, (5, 20, 75, 0))):
        model.shown_counts[of] = count
        model.shown_data[of, cell] = count
    histogram = model.histogram("rc/cc/cc/cc", 1)
    assert histogram[:3] == pytest.approx([0.23, 0.50, 0.27], abs=0.005)
    assert histogram[19] == pytest.approx(0.95**100)
    assert histogram.sum() == pytest.approx(1.0)


def test_showdowns_of_section_4_6_1():
    # The paper counts 9 ** 4 = 6561 showdown nodes for each player. With the blind as the first of four bets the
    # betting before the flop has seven ends instead of nine.
    assert len(ContextTree(TREE).showdowns) == 7 * 9**3


def test_nine_classes_by_total_raises_in_section_4_6_2():
    assert len(np.unique(betting_classes(TREE, "raises").showdowns[:, :, 3])) == 9
