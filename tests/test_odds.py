"""Outs, the gathered odds of a holding, and `railbird odds`."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import pytest
from rich.console import Console

import naive
from railbird.cards import RANKS, card_text, cards_text
from railbird.cli import main
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.odds.equity import equity
from railbird.odds.holding_odds import Odds
from railbird.odds.outs import outs
from railbird.odds.strength import hand_strength
from railbird.odds.weights import WeightArray
from railbird.results.parts import Grid, heat_colours

SEED = 20_240_612


def test_every_next_card_agrees_with_the_naive_standings():
    generator = random.Random(SEED)
    for board_cards, range_text in ((3, "any"), (3, "TT+, AJs:0.5, 76s"), (4, "30%"), (4, "9c8c, AA")):
        weights = WeightArray.parse(range_text)
        cards = generator.sample(range(40), 2 + board_cards)
        holding, board = cards[:2], cards[2:]
        found = outs(cards_text(holding), cards_text(board), weights)
        expected = {}
        for card in set(range(52)) - set(cards):
            ahead, tied, behind = naive.standings(holding, [*board, card], weights.values.tolist())
            if ahead + tied + behind > 0:
                expected[card] = (ahead + tied / 2) / (ahead + tied + behind)
        seen = {card.card: card.hand_strength for card in found.next_cards}
        assert seen == pytest.approx(expected, abs=1e-12), f"seed {SEED}"
        assert sum(card.probability for card in found.next_cards) == pytest.approx(1, abs=1e-12)
        strengths = [card.hand_strength for card in found.next_cards]
        assert strengths == sorted(strengths, reverse=True)


@pytest.mark.parametrize(
    ("holding", "board", "versus", "cards"),
    [
        ("9c8c", "7c6cKd", "KhQh", "Tc Td Th Ts 5c 5d 5h 5s Ac Kc Qc Jc 4c 3c 2c"),  # straight and flush draws
        ("AhKd", "QsQd7c2h", "7s7d", ""),  # drawing dead to a full house
        ("AdQc", "3h4cJh", "JTs, KJ", "Ac Ah As Qd Qh Qs"),  # two overcards
    ],
)
def test_outs_people_count(holding, board, versus, cards):
    found = outs(holding, board, WeightArray.parse(versus))
    assert {card_text(card.card) for card in found.outs} == set(cards.split())
    assert found.threats == ()


def test_threats_are_the_outs_of_the_opponent():
    ours = outs("KhQh", "7c6cKd", WeightArray.parse("9c8c"))
    theirs = outs("9c8c", "7c6cKd", WeightArray.parse("KhQh"))
    assert ours.outs == theirs.threats == ()
    assert {card.card for card in ours.threats} == {card.card for card in theirs.outs}
    # 45 cards are left beside both holdings and the flop.
    assert {card.probability for card in theirs.next_cards} == {1 / 45}
    assert ours.threats[0].hand_strength <= ours.threats[-1].hand_strength


def test_outs_refuse_what_cannot_be():
    with pytest.raises(InvalidCardsError, match="outs are for a flop or a turn; the board '' has 0 cards"):
        outs("AdQc", "")
    with pytest.raises(InvalidRangeError, match="has no holding that can be dealt beside AdQc on 3h4cJh"):
        outs("AdQc", "3h4cJh", WeightArray.parse("AdKd"))


@pytest.mark.parametrize("board", ["", "3h4cJh", "3h4cJh8s", "3h4cJh8s2d"])
def test_odds_are_those_of_the_single_functions(board):
    versus = "QQ+, AK:0.5, 87s"
    odds = Odds.parse("QcAd", board, versus)
    weights = WeightArray.parse(versus)
    assert odds.equities == equity(["QcAd", versus], board)
    assert len(odds.potentials) == {0: 0, 6: 2, 8: 1, 10: 0}[len(board)]
    if board:
        ahead, tied, behind = odds.standing
        assert ahead + tied / 2 == pytest.approx(hand_strength("QcAd", board, weights), abs=1e-12)
        assert ahead + tied + behind == pytest.approx(1, abs=1e-12)
    else:
        assert odds.standing is odds.rank is odds.outs is None
    # The equity against the range is the mean of those against its classes, by their weight.
    live = weights.without("QcAd" + board)
    assert odds.opponents == live.total
    grid = odds.equity_grid
    names = {"AA": (0, 0), "KK": (1, 1), "QQ": (2, 2), "AKs": (0, 1), "AKo": (1, 0), "87s": (6, 7)}
    mass = {name: (live.values * WeightArray.parse(name).values).sum() for name in names}
    mean = sum(mass[name] * grid[place] for name, place in names.items() if mass[name]) / live.total
    assert mean == pytest.approx(odds.equities[0].share, abs=1e-12)
    assert grid[12, 12] != grid[12, 12]


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["odds", *arguments])
    captured = capsys.readouterr()
    return end.value.code or 0, captured.out, captured.err


def test_command_prints_the_answer(capsys):
    code, text, _ = run(capsys, "AdQc", "--board", "3h4cJh", "--versus", "JTs, KJ", "--grid")
    assert code == 0
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[:2] == [
        "A♦ Q♣ on the flop 3♥ 4♣ J♥ versus JTs, KJ",
        "high card, ace, queen, jack, four and three; 15 holdings left to the opponent",
    ]
    assert lines[3] == "strength   0.0%  ░░░░░░░░░░░░░░░░░░░░  ahead 0.0%, tied 0.0%, behind 100.0%"
    assert lines[5] == "NPOT1         -  ░░░░░░░░░░░░░░░░░░░░  never ahead now"
    assert lines[9].endswith("6 of the 45 cards that the opponent leaves put it ahead: A♣♥♠ Q♦♥♠")
    assert lines[12].split() == list("AKQJT98765432")
    assert lines[16].split()[:6] == ["J", ".", "24", ".", ".", "25"]  # KJo below, JTs above the diagonal


def test_command_before_the_flop_and_on_the_river(capsys):
    _, text, _ = run(capsys, "AdAc")
    assert "AA, number 1 of 169 classes; 1,225 holdings left to the opponent" in text
    assert "equity  85.2%" in text
    _, text, _ = run(capsys, "AsKs", "-b", "QsJsTs2d3c")
    assert "royal flush; 990 holdings left to the opponent" in text
    assert "strength  100.0%" in text
    assert "equity" not in text
    assert "outs" not in text


def test_command_speaks_json(capsys):
    code, text, _ = run(capsys, "AdQc", "--board", "3h 4c Jh", "--json", "--grid")
    answer = json.loads(text)
    assert code == 0
    assert list(answer) == [
        "schema",
        "holding",
        "board",
        "street",
        "versus",
        "opponents",
        "class",
        "hand",
        "strength",
        "potential",
        "equity",
        "outs",
        "threats",
        "next_cards",
        "grid",
    ]
    assert answer["schema"] == "railbird.odds/1"
    assert (answer["holding"], answer["board"], answer["street"]) == ("AdQc", "3h4cJh", "flop")
    # Papp 1998, Table 5.1: ahead of 628, tied with 9, behind 444 of 1,081 holdings.
    assert answer["opponents"] == 1081
    assert answer["strength"]["ahead"] == pytest.approx(628 / 1081, abs=1e-12)
    assert answer["strength"]["behind"] == pytest.approx(444 / 1081, abs=1e-12)
    assert [round(one["ppot"], 3) for one in answer["potential"]] == [0.108, 0.208]
    assert len(answer["next_cards"]) == 47
    assert [len(row) for row in answer["grid"]] == [13] * 13


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AdQc", "-v", "AdKd"], "error: no holding of the range 'AdKd' can be dealt beside AdQc"),
        (
            ["AdQc", "-b", "3h4cJh", "-v", "QQ:0"],
            "error: no holding of the range 'QQ:0' can be dealt beside AdQc on 3h4cJh",
        ),
        (["AdQc", "-b", "Ad4cJh"], "error: Ad appears twice in 'AdQc Ad4cJh'"),
        (["AdQc3h"], "error: 'AdQc3h' has 3 cards where 2 cards belong"),
    ],
)
def test_command_refuses_in_one_line(capsys, arguments, message):
    assert run(capsys, *arguments) == (2, "", message + "\n")


def test_letters_where_the_output_has_no_symbols():
    command = [sys.executable, "-m", "railbird", "odds", "AdQc", "--board", "3h4cJh", "--versus", "KJ", "--grid"]
    text = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True
    ).stdout.decode("ascii")
    assert "Ad Qc on the flop 3h 4c Jh versus KJ" in text
    outs = "outs      13.3%  ###-----------------  6 of the 45 cards that the opponent leaves put it ahead: Achs Qdhs"
    assert outs in text


@pytest.mark.parametrize(
    ("holding", "board", "versus", "share", "words"),
    [
        ("7d6d", "9c8h2s", "any", 14 / 47, "14 of 47 unseen cards put it ahead: T♣♦♥♠ 7♣♥♠ 6♣♥♠ 5♣♦♥♠"),
        ("AdQc", "3h4cJh2d", "KK", 7 / 44, "7 of the 44 cards that the opponent leaves put it ahead: A♣♥♠ 5♣♦♥♠"),
        # One of the three aces is in the opponent's hand in 9 of 15 holdings (AA and AKs).
        (
            "AdQc",
            "3h4cJh",
            "QQ+, AKs",
            0.0533,
            "3 cards put it ahead, on average 2.4 of the 45 that the opponent leaves: ",
        ),
        ("7d6d", "9c8hTsKs", "AA", 0.0, "no card takes the lead away"),
        ("AdKd", "AcKc2s", "22", 4 / 45, "4 of the 45 cards that the opponent leaves put it ahead: A♥♠ K♥♠"),
    ],
)
def test_outs_are_counted_among_the_cards_that_can_come(holding, board, versus, share, words):
    row = Odds.parse(holding, board, versus).rows()[-1]
    assert row["probability"] == pytest.approx(share, abs=1e-4)
    assert row["meaning"].startswith(words)


def test_grid_is_narrow_and_its_colours_readable():
    console = Console(width=80, color_system=None)
    with console.capture() as captured:
        console.print(Grid([[row / 12] * 13 for row in range(13)], RANKS[::-1], "title").rendered(console))
    assert max(len(line) for line in captured.get().splitlines()) <= 57
    assert heat_colours(0.0) == ("255,255,255", "118,42,131")
    assert heat_colours(2.0) == heat_colours(1.0) == ("255,255,255", "27,120,55")
