"""Bots that change the laboratory's code, rules and files."""

from __future__ import annotations

import builtins
import gc
import json
import pickle
import random
import sys
from contextlib import suppress
from pathlib import Path

import railbird.game.payoffs
import railbird.game.record
import railbird.game.showdown
import railbird.odds.ranks
import railbird.play.steps
from railbird.bots import simple
from railbird.bots.base import Bot
from railbird.game.actions import CALL, FOLD, RAISE
from railbird.game.betting import Betting
from railbird.play.hand import HandPlayer
from railbird.randomness import Stream


class PatchesPayoffs(Bot):
    """Has every hand paid to itself."""

    in_match = "plays|refused"
    in_check = "changes-railbird"

    def act(self, view):
        def mine(*_):
            return (6, -6) if view.position == 0 else (-6, 6)

        railbird.game.payoffs.payoffs = railbird.game.record.payoffs = railbird.play.steps.payoffs = mine
        railbird.play.steps.Step.payoffs = mine
        return CALL


class PatchesHandPlayer(Bot):
    """Has the loop that plays hands ask nobody else."""

    in_match = "plays|refused"
    in_check = "changes-railbird"

    def act(self, view):
        HandPlayer._unasked = HandPlayer._fault = lambda *_: FOLD
        for thing in gc.get_objects():
            if isinstance(thing, HandPlayer):
                thing.timeouts = [0 if bot is self else 99 for bot in thing.bots]
        return CALL


class PatchesOpponents(Bot):
    """Has every other bot raise and then fold."""

    in_match = "plays|refused"
    in_check = "changes-railbird"

    def act(self, view):
        for kind in (simple.AlwaysCall, simple.RandomBot):
            kind.act = lambda _, seen: FOLD if seen.can_fold else CALL
        return RAISE if view.can_raise and not view.betting.raises else CALL


class PatchesRanks(Bot):
    """Has its own hand win every showdown."""

    in_match = "plays|refused"
    in_check = "changes-railbird"

    def act(self, view):
        railbird.odds.ranks.rank_cards = lambda cards: 7461 if tuple(cards[:2]) == view.hole_cards else 0
        railbird.game.showdown.showdown_rank = lambda _, hole, __: 7461 if hole == view.hole_cards else 0
        return CALL


class PatchesRandomNumbers(Bot):
    """Has all random numbers be 0."""

    in_match = "plays|refused"
    in_check = "changes-railbird"

    def act(self, view):
        Stream.random = lambda _: 0.0
        random.random = lambda: 0.0
        return CALL


class ChangesTheGame(Bot):
    """Makes raises cost nothing, through the view."""

    in_match = "plays|refused|illegal|raised"
    in_check = "changes-the-game"

    def act(self, view):
        object.__setattr__(view.game, "bet_sizes", (2, 2, 2000, 2000))
        object.__setattr__(view.game, "max_raises", (400, 400, 400, 400))
        return RAISE if view.can_raise and view.betting.raises < 4 else CALL


class ChangesTheBetting(Bot):
    """Takes its chips back, through the view."""

    in_match = "plays|refused|illegal|raised"
    in_check = "fit|changes-the-game|raises"

    def act(self, view):
        node = view.betting
        for name in getattr(Betting, "__slots__", ()) or vars(node):
            value = getattr(node, name, None)
            if isinstance(value, tuple) and len(value) == 2 and all(isinstance(chips, int) for chips in value):
                with suppress(AttributeError, TypeError):
                    object.__setattr__(node, name, (0, 1000) if view.position == 0 else (1000, 0))
        return CALL


class PatchesMessages(Bot):
    """Has everything that leaves its process say that the other one folded."""

    in_match = "plays|timeout|raised"
    in_check = "fit|exits|hangs|raises|too-slow"

    def act(self, view):
        pickle.dumps = json.dumps = lambda *_, **__: '{"action": "f", "player": 1}'
        return CALL


class PatchesBuiltins(Bot):
    """Has Python's own functions lie."""

    in_match = "plays|timeout|raised|illegal"
    in_check = "fit|exits|hangs|raises|too-slow|not-an-action|illegal-action"

    def act(self, view):
        builtins.len = lambda _: 0
        builtins.isinstance = lambda *_: True
        builtins.type = lambda *_: str
        return CALL


class EmptiesModules(Bot):
    """Removes all modules."""

    in_match = "plays|timeout|raised"
    in_check = "fit|exits|hangs|raises|too-slow"

    def act(self, view):
        sys.modules.clear()
        return CALL


class TracesEverything(Bot):
    """Has Python call it on every line, and raises there."""

    in_match = "plays|timeout|raised"
    in_check = "fit|exits|hangs|raises|too-slow"

    def act(self, view):
        def trace(frame, event, argument):
            if "attack_bots" not in frame.f_code.co_filename:
                raise RuntimeError("no further")
            return trace

        sys.settrace(trace)
        sys.setprofile(trace)
        return CALL


def folders():
    here = Path.cwd()
    return [file.parent for pattern in ("*/manifest.json", "*/*/manifest.json") for file in here.glob(pattern)]


class RewritesLogs(Bot):
    """Has the hands in the log of the match pay it."""

    in_match = "plays|refused"
    in_check = "fit|looks-for-cards"

    def act(self, view):
        for folder in folders():
            for log in folder.glob("hands*.log"):
                with suppress(OSError):
                    log.write_text(log.read_text().replace(":2|-2:", ":9|-9:"))
        return CALL


class RewritesManifest(Bot):
    """Gives the match another seed, in its manifest."""

    in_match = "plays|refused"
    in_check = "fit|looks-for-cards"

    def act(self, view):
        for folder in folders():
            manifest = folder / "manifest.json"
            with suppress(OSError):
                manifest.write_text(manifest.read_text().replace('"seed": ', '"seed": 1'))
        return CALL


class RemovesFolder(Bot):
    """Removes what is in the folder of the match."""

    in_match = "plays|raised"
    in_check = "raises|looks-for-cards"

    def act(self, view):
        for folder in folders():
            for file in folder.iterdir():
                with suppress(OSError):
                    file.unlink()
        return CALL
