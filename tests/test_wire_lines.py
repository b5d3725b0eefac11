"""The lines of the competition's wire, as text."""

from __future__ import annotations

import pytest

from railbird.cards import parse_cards
from railbird.errors import RailbirdError
from railbird.formats.wire_lines import (
    HandText,
    MatchState,
    Reply,
    greeted_version,
    is_crowded,
    is_other_version,
    read_action,
    settled,
    view_line,
)
from railbird.game.actions import CALL, FOLD, RAISE, Action, raise_to
from railbird.game.betting import Betting
from railbird.game.spec import Game, Structure
from railbird.game.view import PlayerView
from wire_clients import DATA, LIMIT, NO_LIMIT, game_of

limit, no_limit = game_of(LIMIT), game_of(NO_LIMIT)


def test_states_of_the_reference_dealer_are_read_and_written_again():
    lines = [line for line in (DATA / "short.err").read_text().splitlines() if line.startswith("TO ")]
    assert len(lines) == 372
    for line in lines:
        text = line.split(" ", 4)[4]
        state = MatchState.parse(text, limit)
        node = Betting.start(limit).play(state.history)
        if not node.is_over:
            hole = state.holes[state.position]
            view = PlayerView(node, state.position, hole, state.board, state.number, ("a", "b"))
            assert view_line(view) == text


def test_hole_cards_are_shown_at_a_showdown_to_all_and_of_those_in_it():
    three = game_of("holdem.limit.3p.game")
    holes = [parse_cards(cards) for cards in ("AhKh", "2c2d", "9s8s")]
    text = HandText(three, 7, holes, parse_cards("3c4d5h6sTc"))
    assert text.state(2, "c", 0) == "MATCHSTATE:2:7:c:||9s8s"
    assert text.states("ccc/", 1) == [text.state(position, "ccc/", 1) for position in range(3)]
    assert text.state(1, "ccc/", 1) == "MATCHSTATE:1:7:ccc/:|2c2d|/3c4d5h"
    assert text.end(1, "cfc/cc/cc/cc", 3, (1, 2)) == "MATCHSTATE:1:7:cfc/cc/cc/cc:|2c2d|9s8s/3c4d5h/6s/Tc"
    assert text.end(0, "cfc/cc/cc/cc", 3, (1, 2)) == "MATCHSTATE:0:7:cfc/cc/cc/cc:AhKh|2c2d|9s8s/3c4d5h/6s/Tc"
    assert text.end(0, "ff", 0, (1,)) == "MATCHSTATE:0:7:ff:AhKh||"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "MATCHSTATE",
        "MATCHSTATE:0:0:c",
        "MATCHSTATE:2:0::5d5c|",
        "MATCHSTATE:0:0::5d5c",
        "MATCHSTATE:0:0::5d5d|",
        "MATCHSTATE:0:0::5d5|",
        "MATCHSTATE:0:0::5d5c||",
        "MATCHSTATE:0:0::1x5c|",
        "MATCHSTATE:0:99999999999::5d5c|",
        "MATCHSTATE:0:0:x:5d5c|",
        "MATCHSTATE:0:0:" + "c" * 5000 + ":5d5c|",
        "MATCHSTATE:-1:0::5d5c|",
        "STATE:0:crrrf:5d5c|9hQd:30|-30:Alice|Bob",
    ],
)
def test_what_is_no_state_is_refused(line):
    with pytest.raises(RailbirdError):
        MatchState.parse(line, limit)


def test_greetings():
    assert greeted_version(b"VERSION:2.0.0\n") == greeted_version(b"VERSION:2.0.0 and more\r\n") == (2, 0, 0)
    for line in (b"VERSION:2.0\n", b"version:2.0.0\n", b"", b"\xff\x00", b"VERSION:" + b"9" * 4000):
        assert greeted_version(line) is None
    assert [is_other_version(version) for version in ((2, 0, 0), (2, 0, 9), (2, 1, 0), (1, 0, 0))] == [0, 0, 1, 1]


STATE = "MATCHSTATE:0:2:crc/:Ah8s|/Qd7h6c"


@pytest.mark.parametrize(
    "line",
    [
        f"{STATE}:c\r\n",
        f"{STATE}:call, please\n",
        f"{STATE}:K",
        "MATCHSTATE:0:2:CrK:aH8S/qd7H6c:c",
        "MATCHSTATE: 0: 2:crc:Ah8s|2h4c/Qd7h6c:c",
        "MATCHSTATE:0:2:c/r/c/:Ah8s|/Qd7h6c:c\0r",
    ],
)
def test_replies_are_read_patiently(line):
    reply = Reply.parse(line, limit)
    assert reply == (0, 2, "crc/", parse_cards("Ah8s"), parse_cards("Qd7h6c"), CALL)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "c",
        "MATCHSTATE:0:2:crcx/:Ah8s|/Qd7h6c:c",
        "MATCHSTATE:0:2:crc/:Ah|/Qd7h6c:c",
        "MATCHSTATE:0:2:crc/:Ah8s|/Qd7h:c",
        "MATCHSTATE:0:2:crrrr:Ah8s|:c",
        "MATCHSTATE:2:2:crc/:Ah8s|/Qd7h6c:c",
        "MATCHSTATE:0:x:crc/:Ah8s|/Qd7h6c:c",
    ],
)
def test_what_repeats_no_state_is_no_reply(line):
    assert Reply.parse(line, limit) is None


def test_a_reply_without_an_action_that_can_be_read():
    for line in (STATE, f"{STATE};c", f"{STATE}\r\n"):
        assert Reply.parse(line, limit).action is None
    assert Reply.parse(f"{STATE}:\r\n", limit).action == Action("?")
    assert Reply.parse("MATCHSTATE:0:2:cr300c/:Ah8s|/Qd7h6c:r\r\n", no_limit).action is None


@pytest.mark.parametrize(
    ("text", "game", "action"),
    [
        ("r20", limit, RAISE),
        ("B", limit, RAISE),
        ("F", limit, FOLD),
        ("r 250x", no_limit, raise_to(250)),
        ("r-5", no_limit, Action("r", -5)),
        ("bx", no_limit, None),
        ("", limit, Action("?")),
        ("\x1b[31m", limit, Action("?")),
    ],
)
def test_actions_are_read_as_the_reference_dealer_reads_them(text, game, action):
    assert read_action(text, game) == action


@pytest.mark.parametrize(
    ("history", "game", "action", "done", "warnings"),
    [
        ("c", limit, FOLD, CALL, ["invalid action, changed to call"]),
        ("crrr", limit, RAISE, CALL, ["invalid action, changed to call"]),
        ("", limit, Action("?"), CALL, ["invalid action, changed to call"]),
        ("", limit, None, CALL, ["bad action format in response, changed to call"]),
        ("", limit, FOLD, FOLD, []),
        ("", no_limit, raise_to(1), raise_to(200), ["raise of 1 increased to 200"]),
        ("", no_limit, Action("r", -7), raise_to(200), ["raise of -7 increased to 200"]),
        ("r300", no_limit, raise_to(99_999), raise_to(20_000), ["raise of 99999 decreased to 20000"]),
        ("r20000", no_limit, raise_to(30_000), CALL, ["invalid action, changed to call"]),
        ("r300", no_limit, raise_to(777), raise_to(777), []),
    ],
)
def test_actions_are_settled_as_the_reference_dealer_settles_them(history, game, action, done, warnings):
    found = settled(action, Betting.start(game).play(history))
    assert (found.action, list(found.warnings)) == (done, warnings)


def test_nobody_raises_where_the_reference_dealer_has_no_room_for_the_answers():
    raises = "".join(f"r{100 * raised}" for raised in range(2, 65))  # 63 actions
    before = Betting.start(no_limit).play(raises[: -len("r6400")])
    assert not is_crowded(before)
    assert settled(raise_to(6400), before).action == raise_to(6400)
    node = Betting.start(no_limit).play(raises)
    assert is_crowded(node)
    found = settled(raise_to(6500), node)
    assert found.action == CALL
    assert found.warnings[0] == "#actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold"


def test_a_street_without_board_cards_has_its_slash():
    game = Game("two", Structure.FIXED_LIMIT, (1, 1), (2, 4), (2, 2), (0, 0), (0, 0), hole_cards=1, ranks=3, suits=2)
    text = HandText(game, 0, [parse_cards("As"), parse_cards("Kh")], ())
    assert text.states("cc/", 1)[0] == "MATCHSTATE:0:0:cc/:As|/"
