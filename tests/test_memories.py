"""Memories of different length: which of them counts, and when one forgets."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.search.memories import OUTDONE, SHARE, Memories, lengths_of


def told(memories: Memories, *chances: float, times: int = 1) -> None:
    for _ in range(times):
        memories.foretold(np.array(chances))


def test_at_first_the_strategy_counts_as_much_as_all_memories():
    memories = Memories(lengths_of(1000.0))
    assert memories.weights.tolist() == pytest.approx([1 / 2, 1 / 6, 1 / 6, 1 / 6])
    assert Memories((1000.0,), strategy=False).weights.tolist() == [0.0, 1.0]


def test_weights_follow_what_was_foretold():
    memories = Memories(lengths_of(1000.0))
    told(memories, 0.1, 0.4, 0.2, 0.1)
    plain = np.array([1 / 2, 1 / 6, 1 / 6, 1 / 6]) * [0.1, 0.4, 0.2, 0.1]
    wanted = (1 - SHARE) * plain / plain.sum() + SHARE * np.array([1 / 2, 1 / 6, 1 / 6, 1 / 6])
    np.testing.assert_allclose(memories.weights, wanted)
    np.testing.assert_allclose(memories.surprises, np.log([1.0, 4.0, 2.0, 1.0]))
    assert memories.surprise == pytest.approx(memories.weights @ memories.surprises)


def test_who_was_long_wrong_is_soon_back():
    memories = Memories(lengths_of(1000.0))
    told(memories, 0.1, 0.9, 0.9, 0.9, times=1000)
    assert memories.weights[0] < 0.001
    told(memories, 0.5, 0.05, 0.05, 0.05, times=5)
    assert memories.weights[0] > 0.95
    told(memories, 0.5, 0.05, 0.05, 0.05, times=5)
    assert memories.counting.tolist() == pytest.approx([1.0, 0.0, 0.0, 0.0])


def test_without_the_strategy_it_never_counts():
    memories = Memories((1000.0, 100.0), strategy=False)
    told(memories, 0.9, 0.1, 0.2, times=10)
    assert memories.weights[0] == 0.0
    assert memories.weights.sum() == pytest.approx(1.0)


def test_what_nobody_thought_possible_changes_nothing():
    memories = Memories(lengths_of(1000.0))
    told(memories, 0.0, 0.1, 0.1, 0.1)
    assert memories.weights.tolist() == pytest.approx([1 / 2, 1 / 6, 1 / 6, 1 / 6])


def test_a_memory_far_behind_goes_on_from_the_next_shorter_one():
    memories = Memories(lengths_of(1000.0))
    memories.lasted[:] = 400.0, 900.0, 100.0, 10.0
    memories.surprises[:] = 0.0, 500.0, 60.0, 5.0
    memories.weights = np.array([0.1, 0.4, 0.4, 0.1])
    assert memories.outdone() == []
    least = 0.5 / OUTDONE
    memories.weights = np.array([0.1, least / 3, least / 2, 0.5])
    assert memories.outdone() == [2, 1]  # what the second took over is now far ahead of the first
    assert memories.lasted.tolist() == [400.0, 10.0, 10.0, 10.0]
    assert memories.surprises.tolist() == [0.0, 5.0, 5.0, 5.0]
    assert memories.weights.sum() == pytest.approx(0.1 + 0.5 + least * 5 / 6)
    assert memories.outdone() == []


def test_hands_fade_by_length_and_the_strategy_must_hold_good():
    memories = Memories((100.0, 10.0))
    memories.weights = np.array([0.5, 0.3, 0.2])
    for _ in range(2):
        keep = memories.end_hand()
    np.testing.assert_allclose(keep, [0.99, 0.9])
    np.testing.assert_allclose(memories.lasted, [1.99, 1.99, 1.9])
    assert memories.hands == pytest.approx(0.5 * 1.99 + 0.3 * 1.99 + 0.2 * 1.9)
    memories.weights = np.array([0.01, 0.59, 0.4])
    memories.end_hand()
    assert memories.lasted[0] < 1.1


def test_what_is_kept_comes_back():
    memories, again = Memories(lengths_of(500.0)), Memories(lengths_of(500.0))
    told(memories, 0.2, 0.5, 0.3, 0.4, times=3)
    memories.end_hand()
    again.table = memories.table
    np.testing.assert_array_equal(again.table, memories.table)
    again.end_hand()
    assert again.hands != memories.hands
