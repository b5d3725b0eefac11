"""The lines that programs are told and answer with: what they say, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from railbird.cards import parse_cards
from railbird.errors import BadAnswerError
from railbird.formats.seat_lines import (
    act_line,
    begin_line,
    end_line,
    hello_line,
    legal,
    read_answer,
    read_hello,
    situation,
)
from railbird.game.actions import raise_to
from railbird.game.betting import Betting
from railbird.game.spec import (
    Structure,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    spread_limit_holdem,
)
from railbird.game.view import PlayerView


def a_view(game, history, board="", names=("Ann", "Bob", "Cid")):
    node = Betting.start(game).play(history)
    return PlayerView(node, node.to_act, parse_cards("AdQc"), parse_cards(board), 17, names[: game.seats])


def test_a_question_says_what_the_seat_sees():
    view = a_view(no_limit_holdem(3), "cr300cc/r600c", "3h4cJh")
    told = json.loads(act_line(view, 5))
    assert (told["type"], told["hand"], told["seed"], told["you"], told["button"]) == ("act", 17, 5, 2, 2)
    assert (told["hole_cards"], told["board"], told["street"]) == (["Ad", "Qc"], ["3h", "4c", "Jh"], "flop")
    assert (told["pot"], told["to_call"], told["history"]) == (1500, 300, "cr300cc/r600c")
    assert told["legal"] == [
        {"action": "fold"},
        {"action": "call", "chips": 300},
        {"action": "raise", "least": 600, "most": 19_700},
    ]
    assert told["players"][0] == {
        "position": 0,
        "name": "Ann",
        "stack": 19_400,
        "put_in": 600,
        "bet": 300,
        "folded": False,
    }
    assert told["betting"] == [
        {
            "street": "preflop",
            "actions": [
                {"position": 2, "name": "Cid", "action": "call", "chips": 100},
                {"position": 0, "name": "Ann", "action": "raise", "chips": 250, "to": 300},
                {"position": 1, "name": "Bob", "action": "call", "chips": 200},
                {"position": 2, "name": "Cid", "action": "call", "chips": 200},
            ],
        },
        {
            "street": "flop",
            "actions": [
                {"position": 0, "name": "Ann", "action": "bet", "chips": 300, "to": 300},
                {"position": 1, "name": "Bob", "action": "call", "chips": 300},
            ],
        },
    ]
    assert told["game"]["blinds"] == [50, 100, 0]
    assert told["words"] == situation(view)


def test_the_page_shows_what_is_sent():
    page = (Path(__file__).parent.parent / "docs" / "programs.md").read_text(encoding="utf-8")
    question, end = [part.partition("```")[0] for part in page.split("```json\n")[1:]]
    assert json.loads(question) == json.loads(act_line(a_view(limit_holdem(), "cc/r", "3h4cJh"), 5))
    assert json.loads(end) == json.loads(
        end_line(a_view(limit_holdem(), "cc/rf", "3h4cJh")._replace(position=1), {}, (2, -2))
    )


def test_the_page_has_the_client_of_the_examples():
    root = Path(__file__).parent.parent
    assert (root / "examples" / "lines_caller.py").read_text() in (root / "docs" / "programs.md").read_text()


def test_the_same_in_words():
    assert situation(a_view(limit_holdem(), "cc/r", "3h4cJh")) == (
        "Hand 17 of fixed-limit hold'em, 2 players, bets and raises are preflop 2, flop 2, turn 4, river 4. "
        "Seats, in the order of play after the first street: Ann (blind 2), Bob (button, blind 1).\n"
        "You are Bob and hold Ad Qc.\n"
        "Preflop: Bob calls 1, Ann checks.\n"
        "Flop (3h 4c Jh): Ann bets 2.\n"
        "The pot is 6 and it costs 2 to call. You may: fold, call 2, raise to 4."
    )


def test_nobody_elses_cards_are_told_before_they_are_shown():
    view = a_view(limit_holdem(), "cc/r", "3h4cJh")
    told = begin_line(view, 1) + act_line(view, 1)
    assert told.count(b'"hole_cards": ["Ad", "Qc"]') == 2
    assert b'"cards"' not in told
    end = a_view(limit_holdem(), "cc/cc/cc/cc", "3h4cJh5c6c")._replace(position=1)
    shown = json.loads(end_line(end, {0: parse_cards("2c2d"), 1: parse_cards("AdQc")}, (2, -2)))
    assert shown["shown"][0] == {"position": 0, "name": "Ann", "cards": ["2c", "2d"]}
    assert shown["won"] == [2, -2]


def test_lines_are_lines():
    view = a_view(limit_holdem(), "c", names=("An\nn", "Bob"))
    for line in (hello_line(), begin_line(view, 1), act_line(view, 1), end_line(view, {}, (0, 0))):
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1


GAMES = (
    limit_holdem(),
    limit_holdem(4, stack=37),
    no_limit_holdem(3, ante=7, stack=900),
    pot_limit_holdem(),
    spread_limit_holdem(3),
    kuhn_poker(),
    leduc_poker(),
)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.seats}")
def test_whatever_is_legal_can_be_answered_and_means_what_it_says(game):
    chance = Random(7)
    for _ in range(40):
        node = Betting.start(game)
        while not node.is_over:
            allowed = legal(node)
            for each in allowed:
                for to in {each.get("least"), each.get("most")}:
                    answer = {"action": each["action"], **({} if to is None else {"to": to})}
                    action = read_answer(json.dumps(answer).encode(), node)
                    after = node.after(action)
                    position = node.to_act
                    if to is not None:
                        before = node.committed[position] - node.street_bets[position]
                        assert after.committed[position] == before + to
                    if "chips" in each:
                        assert after.committed[position] - node.committed[position] == each["chips"]
            kinds = {action.kind for action in node.legal_actions()}
            assert len(kinds) == len(allowed)
            node = node.after(chance.choice(node.legal_actions()))


FREE = Betting.start(no_limit_holdem()).play("cc/r300")
FIXED = Betting.start(limit_holdem()).play("cc/r")


@pytest.mark.parametrize(
    ("line", "node", "words"),
    [
        ("", FREE, "'' is not an answer, as"),
        ("call", FREE, "'call' is not an answer, as"),
        ('"call"', FREE, "is not an answer"),
        ("{}", FREE, "lacks 'action'"),
        ('{"action": 3}', FREE, "3 is no text"),
        ('{"action": "Call"}', FREE, "'Call' is not legal here: fold, call 200, raise to between 400 and 19,900"),
        ('{"action": "bet", "to": 500}', FREE, "'bet' is not legal here"),
        ('{"action": "raise"}', FREE, "a raise to how much"),
        ('{"action": "raise", "to": 399}', FREE, "a raise to 399 is not legal here: raise to between 400 and 19,900"),
        ('{"action": "raise", "to": "400"}', FREE, "'400' is not a whole number"),
        ('{"action": "raise", "to": 400.0}', FREE, "400.0 is not a whole number"),
        ('{"action": "raise", "to": true}', FREE, "True is not a whole number"),
        ('{"action": "raise", "to": 1e400}', FREE, "not a whole number"),
        ('{"action": "call", "to": 200}', FREE, '"to" belongs to a bet or a raise, not to a call'),
        ('{"action": "call", "why": "x"}', FREE, "'why' means nothing here"),
        ('{"action": "raise", "to": 6}', FIXED, "a raise to 6 is not legal here: raise to 4"),
        ("[" * 50_000, FIXED, "is not an answer"),
    ],
)
def test_other_answers_are_refused_in_words(line, node, words):
    with pytest.raises(BadAnswerError) as found:
        read_answer(line.encode(), node)
    assert words in str(found.value)
    assert len(str(found.value)) < 250


def test_amounts_are_those_of_the_street():
    assert read_answer(b'{"action": "raise", "to": 400}', FREE) == raise_to(500)
    assert FIXED.game.structure is Structure.FIXED_LIMIT
    assert str(read_answer(b'{"action": "raise"}', FIXED)) == "r"


@pytest.mark.parametrize(
    "line", ["{}", "hello", '{"type": "hello", "protocol": "railbird-lines/0"}', "[1]", '{"type": 7}']
)
def test_other_greetings_are_refused(line):
    with pytest.raises(BadAnswerError):
        read_hello(line.encode())
