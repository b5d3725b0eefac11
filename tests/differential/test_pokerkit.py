"""Random hands against PokerKit, and the documented differences as they are today."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from .blocks import play_block
from .playouts import KNOWN

HANDS = 20_000
SHARDS = 10


@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_hands(shard):
    size = HANDS // SHARDS
    hands, difference, seen = play_block("pokerkit", range(shard * size, (shard + 1) * size))
    print(dict(seen))
    assert not difference
    assert hands == seen["hands"] == size
    # The comparison would prove little without these.
    assert seen["decisions"] > 10 * size
    assert seen["showdowns"] > 0.8 * size
    assert seen["all-ins"] > 0.6 * size
    assert seen["side pots"] > 0.4 * size
    assert seen["split pots"] > 0.4 * size
    # What is not compared must stay rare: whole hands, and raises at single decisions.
    assert seen[f"{KNOWN}short_big_blind"] < 0.01 * size
    raises = ("short_bet_in_limit", "short_first_wager", "short_after_reopening")
    assert sum(seen[KNOWN + name] for name in raises) < 0.01 * seen["decisions"]


def test_the_examples_of_the_documentation():
    page = Path(__file__).parents[2] / "docs" / "peers.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 40
    assert failed == 0
