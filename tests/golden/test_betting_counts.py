"""How many ways the betting can go: the numbers of `betting_counts.csv`, found by walking through all of them.

Papp 1998, Figure 4.2, counts the endings of one street with at most four bets, by the number of players left. It gives
two players before the flop and on a later street (15 ways of which 7 go on, 19 of which 9 go on), and three and four
players on a later street. A player may fold there even where checking is free; the rows without `free_fold` are those
of the rules of play. Papp has nothing on three and four players before the flop, nor on Kuhn and Leduc poker: those
rows were found by the recursion in `naive.street_endings`, with which all the others are compared too.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

import naive
from railbird.game.betting import Betting
from railbird.game.spec import STREETS, Game, kuhn_poker, leduc_poker, limit_holdem

ENDINGS: dict[tuple[str, int, str, bool], dict[int, int]] = defaultdict(dict)
DECISIONS: dict[tuple[str, int, bool], dict[str, int]] = defaultdict(dict)
with (Path(__file__).parent / "betting_counts.csv").open() as file:
    for row in csv.DictReader(file):
        seats, free_fold, count = int(row["seats"]), row["free_fold"] == "yes", int(row["count"])
        if row["what"] == "endings":
            ENDINGS[row["game"], seats, row["street"], free_fold][int(row["players_left"])] = count
        else:
            DECISIONS[row["game"], seats, free_fold][row["street"]] = count


def the_game(name: str, seats: int, free_fold: bool) -> Game:
    game = {"limit": limit_holdem(seats), "kuhn": kuhn_poker(), "leduc": leduc_poker()}[name]
    return replace(game, free_fold=free_fold)


def endings(node: Betting, street: int, counts: Counter[int]) -> Counter[int]:
    """How often each number of players is left at the end of `street`."""
    if node.is_over or node.street > street:
        counts[len(node.live)] += 1
    else:
        for action in node.legal_actions():
            endings(node.after(action), street, counts)
    return counts


def decisions(node: Betting, counts: Counter[str]) -> Counter[str]:
    if not node.is_over:
        counts[STREETS[node.street]] += 1
        for action in node.legal_actions():
            decisions(node.after(action), counts)
    return counts


@pytest.mark.parametrize("key", ENDINGS, ids=str)
def test_endings_of_a_street(key):
    name, seats, street, free_fold = key
    game = the_game(name, seats, free_fold)
    node = Betting.start(game)
    if street == "later":
        node = node.play("c" * seats)
    assert endings(node, node.street, Counter()) == ENDINGS[key]
    blinds = name == "limit" and street == "preflop"
    bets = 4 if name == "limit" else game.max_raises[0]
    assert naive.street_endings(seats, bets, free_fold, blinds) == ENDINGS[key]


@pytest.mark.parametrize("street", [1, 2, 3])
def test_later_streets_are_alike(street):
    node = Betting.start(the_game("limit", 3, True)).play("ccc/" * street)
    assert (node.street, endings(node, street, Counter())) == (street, ENDINGS["limit", 3, "later", True])


@pytest.mark.parametrize("key", DECISIONS, ids=str)
def test_decisions_by_street(key):
    assert decisions(Betting.start(the_game(*key)), Counter()) == DECISIONS[key]


def test_sums_of_papp_figure_4_2():
    # "15 different ways ... (only 7 do not end in one side winning uncontested)", 19 and 9, and 184 with three players.
    assert sum(ENDINGS["limit", 2, "preflop", True].values()) == 15
    assert sum(ENDINGS["limit", 2, "later", True].values()) == 19
    three = ENDINGS["limit", 3, "later", True]
    assert three[2] + three[3] == 184
