"""Bots and games by name, with parameters, from files and from installed packages."""

from __future__ import annotations

import importlib.metadata
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.bots.registry import BotSpec, bot_entries, make_bot
from railbird.bots.simple import AlwaysCall
from railbird.errors import InvalidGameError, RailbirdError, UnknownBotError
from railbird.game.spec import limit_holdem, named_game, no_limit_holdem

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
        ("random:fld=1", "no parameter 'fld' in 'random:fld=1'; did you mean 'fold'? (it takes fold=1.0,"),
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
        ("limit:cap=x", 2, "cap=x in 'limit:cap=x': it should be a whole number"),
        ("limit:cap=0", 2, "a cap of 0 bets"),
        ("limit:cap=none", 3, "no cap with 3 seats"),
        ("limit:seats=3", 2, "no parameter 'seats'"),
        ("limit:reverse_blinds=maybe", 2, "write yes or no"),
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
