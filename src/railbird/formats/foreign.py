"""Histories of poker rooms and other programs, told by how they begin: known by name, and not read here yet."""

from __future__ import annotations

import re

_LINES = 20
"""How many lines a file may begin with before it says what it is."""
_FORMATS = {
    "a PokerStars summary of a tournament": r"PokerStars Tournament #",
    "a Full Tilt history": r"Full ?Tilt ?Poker (Game |Hand )?#",
    "an 888poker history": r"(#Game No : |\*{5} .*\b(888|Pacific ?Poker|Cassava).* Hand History for Game )",
    "a PartyPoker history": r"\*{5} Hand History [Ff]or Game ",
    "a GGPoker history": r"Poker Hand #",
    "a Winamax history": r"Winamax Poker - ",
    "an iPoker history": r"<session\b",
    "an Ongame history": r"\*{5} History for hand ",
    "a Winning Poker Network history": r"(Game )?Hand #\d+ - (Holdem|Omaha|Hold'em)",
    "an Absolute Poker history": r"Stage #\d+",
    "a PokerNow log": r"\"?entry\"?,\"?at\"?,\"?order\"?",
    "an Open Hand History": r"\{\s*(\"ohh\"|\"spec_version\")",
}
_PATTERNS = {name: re.compile(pattern) for name, pattern in _FORMATS.items()}


def foreign_format(beginning: str) -> str:
    """What a file that begins so looks like; empty where nothing is known.

    >>> foreign_format("Full Tilt Poker Game #1: Table Ann"), foreign_format("STATE:0:cc")
    ('a Full Tilt history', '')
    """
    lines = [line.strip().removeprefix("\ufeff") for line in beginning.splitlines()[:_LINES]]
    for line in lines:
        if found := next((name for name, pattern in _PATTERNS.items() if pattern.match(line)), ""):
            return found
    return ""
