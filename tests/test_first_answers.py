"""First answers by NumPy are those of the kernels."""

from __future__ import annotations

import numpy as np
import pytest

import railbird as rb
from railbird.cards import cards_text
from railbird.kernels.cards.ranking import CARD_KEYS, EMPTY_KEY, RANK_KEYS, TABLE, rank_cards
from railbird.kernels.odds.sweep import weigh_standings
from railbird.kernels.odds.transitions import weigh_transitions
from railbird.odds import first_answers, potential, strength
from railbird.odds.first_answers import plain_ranks, plain_standings, plain_transitions


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("in_suit", [0, 5, 6])
def test_ranks_are_those_of_the_kernel(size, in_suit):
    rng = np.random.default_rng(7)
    hands = np.empty((2000, size), np.uint8)
    for hand in hands:
        suited = 4 * rng.permutation(13)[: min(in_suit, size)] + rng.integers(4)
        others = [card for card in rng.permutation(52) if card not in suited]
        hand[:] = [*suited, *others[: size - len(suited)]]
    found = np.empty(len(hands), np.uint16)
    rank_cards(TABLE, CARD_KEYS, hands, found)
    assert np.array_equal(plain_ranks(EMPTY_KEY + CARD_KEYS[hands].sum(axis=1, dtype=np.uint64)), found)


@pytest.mark.parametrize("seed", range(12))
def test_standings_and_transitions_are_those_of_the_kernels(seed):
    rng = np.random.default_rng(seed)
    size = 3 + seed % 3
    first, second, *board = rng.permutation(52)[: 2 + size].tolist()
    weights = rng.integers(0, 3, 1326).astype(float)
    cards = np.array(board, np.uint8)
    expected = weigh_standings(TABLE, CARD_KEYS, first, second, cards, weights)
    assert plain_standings((first, second), tuple(board), weights) == expected
    for cards_to_come in range(1, 6 - size):
        transitions = np.empty((3, 3))
        weigh_transitions(TABLE, RANK_KEYS, first, second, cards, cards_to_come, weights, transitions)
        found = plain_transitions((first, second), tuple(board), cards_to_come, weights)
        assert np.array_equal(found, transitions)


class NotCompiled:
    """In place of a kernel that has no code yet: it is called when NumPy has answered often enough."""

    is_compiled = False

    def __init__(self, kernel):
        self.kernel, self.calls = kernel, 0

    def __call__(self, *arguments):
        self.calls += 1
        return self.kernel(*arguments)


def test_numpy_answers_first_and_the_kernel_whoever_asks_often(monkeypatch):
    kernel = NotCompiled(weigh_transitions)
    monkeypatch.setattr(potential.kernels, "weigh_transitions", kernel)
    monkeypatch.setattr(potential, "FEW_POTENTIALS", 2)
    found = [rb.hand_potential("AdQc", "3h4cJh").ppot for _ in range(4)]
    assert len(set(found)) == 1
    assert kernel.calls == 2


def test_an_answer_is_the_same_before_and_after_compiling(monkeypatch):
    rng = np.random.default_rng(3)
    for size in (3, 4, 5):
        dealt = cards_text(rng.permutation(52)[: 2 + size].tolist())
        after = rb.odds(dealt[:4], dealt[4:], "22+, A2s+, KTo+").to_json()
        with monkeypatch.context() as patch:
            patch.setattr(potential.kernels, "weigh_transitions", NotCompiled(weigh_transitions))
            patch.setattr(strength.kernels, "weigh_standings", NotCompiled(weigh_standings))
            patch.setattr(first_answers, "_calls", first_answers.Counter())
            assert rb.odds(dealt[:4], dealt[4:], "22+, A2s+, KTo+").to_json() == after


def test_weights_whose_sums_depend_on_their_order_go_to_the_kernel(monkeypatch):
    kernel = NotCompiled(weigh_standings)
    monkeypatch.setattr(strength.kernels, "weigh_standings", kernel)
    rb.hand_strength("AdQc", "3h4cJh", rb.WeightArray(np.full(1326, 0.1)))
    assert kernel.calls == 1
