"""Random limit hands against OpenSpiel's universal_poker, and the whole trees of Kuhn and Leduc poker."""

from __future__ import annotations

from collections import Counter

import pyspiel
import pytest

import naive
from railbird.game.actions import CALL, FOLD, RAISE
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.showdown import showdown_rank
from railbird.game.spec import kuhn_poker, leduc_poker

from .blocks import play_block

HANDS = 100_000
SHARDS = 10


@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_hands(shard):
    size = HANDS // SHARDS
    hands, difference, seen = play_block("open_spiel", range(shard * size, (shard + 1) * size))
    print(dict(seen))
    assert not difference
    assert hands == seen["hands"] == size
    assert seen["decisions"] > 10 * size
    assert seen["showdowns"] > 0.8 * size
    assert seen["side pots"] > 0.2 * size
    assert seen["split pots"] > 0.03 * size


def kuhn_number(node, action):
    """OpenSpiel's Kuhn poker has a pass (check or fold) and a bet (bet or call)."""
    return int(action == RAISE or (action == CALL and node.to_call > 0))


def leduc_number(node, action):
    return {FOLD: 0, CALL: 1, RAISE: 2}[action]


@pytest.mark.parametrize(
    ("name", "game", "number", "sequences", "leaves"),
    [
        # Leduc poker: 4 ways to fold on the first street, 5 to go on, each with the same 9 on the second.
        ("kuhn_poker", kuhn_poker(), kuhn_number, 5, 5 * 3 * 2),
        ("leduc_poker", leduc_poker(), leduc_number, 4 + 5 * 9, 4 * 6 * 5 + 5 * 9 * 6 * 5 * 4),
    ],
)
def test_whole_tree(name, game, number, sequences, leaves):
    endings = naive.street_endings(2, game.max_raises[0], free_fold=False)
    later = 1 if game.streets == 1 else sum(endings.values())
    assert sequences == endings[1] + endings[2] * later
    seen, histories = Counter(), set()

    def compare(node, state, dealt):
        if state.is_chance_node():
            for card, _ in state.chance_outcomes():
                compare(node, state.child(card), [*dealt, card])
            return
        if node.is_over or state.is_terminal():
            assert node.is_over
            assert state.is_terminal()
            cards = [4 * (card // game.suits) + card % game.suits for card in dealt]
            ranks = [showdown_rank(game, (card,), tuple(cards[2:])) for card in cards[:2]] if node.is_showdown else None
            assert payoffs(node, ranks) == tuple(state.returns()), (node, dealt)
            seen["leaves"] += 1
            histories.add(node.history)
            return
        assert node.to_act == state.current_player()
        numbers = [number(node, action) for action in node.legal_actions()]
        assert numbers == state.legal_actions(), node
        for action in node.legal_actions():
            compare(node.after(action), state.child(number(node, action)), dealt)

    compare(Betting.start(game), pyspiel.load_game(name).new_initial_state(), [])
    assert len(histories) == sequences
    assert seen["leaves"] == leaves
