"""Bots and games by name, with parameters, from files and from installed packages."""

from __future__ import annotations

import importlib.metadata
import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.bots.registry import BotSpec, bot_entries, make_bot
from railbird.bots.simple import AlwaysCall
from railbird.cli import main
from railbird.errors import InvalidGameError, RailbirdError, UnknownBotError
from railbird.game.spec import limit_holdem, named_game, no_limit_holdem
from railbird.parameters import parameters_of, read_arguments

PLAYERS = Path(__file__).parent / "players.py"


def test_every_built_in_bot_can_be_made():
    for name in bot_entries():
        assert callable(make_bot(name).act)


def test_a_bot_from_a_file_with_parameters():
    bot = make_bot(f"{PLAYERS}:Learner:boldness=2.5")
    assert (type(bot).__name__, bot.boldness, bot.learns) == ("Learner", 2.5, True)
    assert BotSpec(f"{PLAYERS}:Learner:boldness=2.5").label == "Learner(boldness=2.5)"


def test_installed_packages_can_add_bots(monkeypatch):
    point = importlib.metadata.EntryPoint("stranger", "railbird.bots.simple:AlwaysCall", "railbird.bots")
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point] if group == "railbird.bots" else [])
    assert type(make_bot("stranger")) is AlwaysCall


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("always-cal", "no bot 'always-cal'; did you mean 'always-call'? (all: railbird bots)"),
        ("", "no bot ''"),
        ("random:fold", "'fold' in 'random:fold' is not a parameter"),
        ("random:fld=1", "no parameter 'fld' in 'random:fld=1'; did you mean 'fold'? (it takes fold=1.0 (a number),"),
        ("random:fold=lots", "fold=lots in 'random:fold=lots': it should be a number"),
        ("random:fold=nan", "it should be a number"),
        ("random:fold=0,call=0,raise=0", "one must be positive"),
        ("always-call:x=1", "(it takes no parameters)"),
        ("nofile.py:Bot", "no file 'nofile.py'"),
        (f"{PLAYERS}", "name the class too"),
        (f"{PLAYERS}:Lerner", "no class 'Lerner' in"),
        (f"{PLAYERS}:CALL", "is not a class that extends railbird.Bot"),
    ],
)
def test_bad_bots_are_refused_with_a_way_out(text, message):
    with pytest.raises(UnknownBotError) as error:
        make_bot(text)
    assert message in str(error.value)


def test_a_file_that_breaks_is_refused(tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0\n")
    with pytest.raises(UnknownBotError, match="ZeroDivisionError"):
        make_bot(f"{tmp_path / 'broken.py'}:Bot")


def test_games_by_name():
    assert named_game("limit", 6) == limit_holdem(6)
    assert named_game("no-limit:stack=500,ante=5", 3) == no_limit_holdem(3, stack=500, ante=5)
    assert named_game("limit:cap=none,stack=100", 2) == limit_holdem(2, cap=None, stack=100)
    assert named_game("limit:reverse_blinds=no", 2).blinds == (1, 2)


@pytest.mark.parametrize(
    ("text", "seats", "message"),
    [
        ("limt", 2, "no game 'limt'; did you mean 'limit'?"),
        ("limit:cap=x", 2, "cap=x in 'limit:cap=x': it should be a whole number or none"),
        ("limit:cap=0", 2, "a cap of 0 bets"),
        ("limit:cap=none", 3, "no cap with 3 seats"),
        ("limit:seats=3", 2, "no parameter 'seats'"),
        ("limit:reverse_blinds=maybe", 2, "it should be yes or no"),
        ("limit", 24, "24 seats; a game has 2 to 23"),
        ("limit", 1, "1 seats"),
        ("kuhn", 3, "kuhn is a game for 2 players"),
        ("no-limit:stack=0", 2, "at least 1 chip"),
        ("limit:small_bet=0", 2, "at least 1 chip"),
        ("spread-limit:smallest=5,largest=2", 2, "largest bets"),
    ],
)
def test_bad_games_are_refused_with_a_way_out(text, seats, message):
    with pytest.raises(InvalidGameError) as error:
        named_game(text, seats)
    assert message in str(error.value)


@given(st.text(alphabet="limt:cap=3,ante-random._/ 0x\n", max_size=30))
def test_any_text_is_a_game_or_a_bot_or_a_refusal(text):
    for read in (lambda: named_game("limit" + text, 2), lambda: make_bot("random" + text)):
        with suppress(RailbirdError):
            read()


# Parameters: one text for each, everywhere; and groups of them.


@dataclass(frozen=True)
class Style:
    tempo: Literal["slow", "fast"] = "slow"
    raise_: float = 0.5
    limit: int | None = None


@dataclass(frozen=True)
class Memory:
    hands: int
    names: tuple[str, ...] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        if self.hands < 0:
            raise ValueError("hands cannot be negative")


def player(brave: bool = True, style: Style = Style("fast"), memory: Memory = Memory(3)) -> tuple:
    return brave, style, memory


def strict(memory: Memory, style: Style) -> tuple:
    return memory, style


def made(function, **given):
    return function(**read_arguments(function, given, "it", UnknownBotError))


def test_parameters_as_text():
    assert [str(parameter) for parameter in parameters_of(player).values()] == [
        "brave=yes (yes or no)",
        "tempo=fast (one of slow, fast)",
        "raise=0.5 (a number)",
        "limit=none (a whole number or none)",
        "hands=3 (a whole number)",
        "names=() (text)",
    ]
    assert [str(parameter) for parameter in parameters_of(strict).values()][:2] == [
        "hands=... (a whole number)",
        "names=() (text)",
    ]
    assert str(parameters_of(player, {"brave": "off", "limit": "7"})["limit"]) == "limit=7 (a whole number or none)"


def test_groups_are_read_by_the_names_of_their_fields():
    assert made(player) == (True, Style("fast"), Memory(3))
    assert made(player, brave="no", limit="4", **{"raise": "0.25"}) == (False, Style("fast", 0.25, 4), Memory(3))
    assert made(player, tempo="slow", limit="None", hands="5") == (True, Style("slow"), Memory(5))
    assert made(strict, hands="1") == (Memory(1), Style())
    given = read_arguments(player, {"hands": "2"}, "it", UnknownBotError, presets={"limit": "9", "hands": "7"})
    assert given == {"style": Style("fast", limit=9), "memory": Memory(2)}


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        (strict, {}, "'it' needs a value for hands (as in it:hands=...)"),
        (player, {"hands": "-1"}, "'it' cannot be: hands cannot be negative"),
        (player, {"tempo": "quick"}, "tempo=quick in 'it': it should be one of slow, fast"),
        (player, {"limit": "lots"}, "limit=lots in 'it': it should be a whole number or none"),
        (player, {"brave": "2"}, "brave=2 in 'it': it should be yes or no"),
        (player, {"style": "slow"}, "no parameter 'style' in 'it' (it takes brave=yes (yes or no), tempo=fast (one of"),
    ],
)
def test_bad_values_say_what_is_allowed(function, given, message):
    with pytest.raises(UnknownBotError) as error:
        made(function, **given)
    assert str(error.value).startswith(message)


def test_two_parameters_of_one_name_are_refused():
    @dataclass(frozen=True)
    class Again:
        tempo: int = 1

    def twice(style: Style, again: Again) -> None: ...

    twice.__annotations__.update(style=Style, again=Again)
    with pytest.raises(UnknownBotError, match="two parameters called 'tempo'"):
        made(twice)


def run(capsys, *arguments):
    with pytest.raises(SystemExit):
        main(list(arguments))
    return capsys.readouterr()


def test_bots_lists_parameters_as_errors_do(capsys):
    shown = run(capsys, "bots", "loki").out.splitlines()[2:]
    assert shown[:2] == [
        "  tightness=loose (one of tight, moderate, loose)",
        "  preflop=positional (one of positional, simple)",
    ]
    assert "  half_life=none (a number or none)" in shown
    assert "  inverse=yes (yes or no)" in shown  # as the entry has it, otherwise than the class
    refused = run(capsys, "match", "loki:colour=red", "random").err
    assert (
        refused == f"error: no parameter 'colour' in 'loki:colour=red' (it takes {', '.join(map(str.strip, shown))})\n"
    )
    assert run(capsys, "bots", "random").out.splitlines()[2:] == [
        "  fold=1.0 (a number)",
        "  call=1.0 (a number)",
        "  raise=1.0 (a number)",
    ]


def test_parameters_as_json(capsys):
    found = json.loads(run(capsys, "bots", "loki-gom", "--json").out)["parameters"]
    assert found["modeling"] == {
        "default": "generic",
        "type": "Literal['none', 'uniform', 'income', 'generic', 'specific']",
        "allowed": "one of none, uniform, income, generic, specific",
    }
    assert found["half_life"] == {"default": None, "type": "float | None", "allowed": "a number or none"}
    assert json.loads(run(capsys, "bots", "loki", "--json").out)["parameters"]["inverse"]["default"] is True


def test_a_bot_from_its_class():
    assert type(make_bot(AlwaysCall)) is AlwaysCall
    with pytest.raises(UnknownBotError, match="is not a class that extends"):
        make_bot(int)
