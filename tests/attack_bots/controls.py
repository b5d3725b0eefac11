"""Harmless bots, which must not be accused of anything."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

from railbird.bots.base import Bot, may_raise
from railbird.game.actions import CALL
from railbird.odds.ranks import rank_cards


class Loud(Bot):
    """Prints a line in every decision."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        print("I call.")
        print("I call, said to stderr.", file=sys.stderr)
        return CALL


class Slow(Bot):
    """Thinks for a while now and then."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        if view.hand_number % 20 == 0 and view.street == "river":
            time.sleep(0.2)
        return CALL


class Threads(Bot):
    """Has threads that end."""

    in_match = "plays"
    in_check = "fit"

    def act(self, view):
        thread = threading.Thread(target=sorted, args=(range(100),))
        thread.start()
        thread.join()
        return CALL


class AsksProgram(Bot):
    """Has a program that ends help it get ready."""

    in_match = "plays"
    in_check = "fit"

    def prepare(self):
        self.answer = subprocess.run(["echo", "call"], capture_output=True, text=True, check=True).stdout

    def act(self, view):
        return CALL if self.answer == "call\n" else None


class ReadsOwnFile(Bot):
    """Reads a file that lies beside it."""

    in_match = "plays"
    in_check = "fit"

    def prepare(self):
        self.threshold = float((Path(__file__).parent / "threshold.txt").read_text())

    def act(self, view):
        return view.smallest_raise() if may_raise(view) and self.rng.random() > self.threshold else CALL


class PlaysWell(Bot):
    """Raises what is probably ahead and folds what is not, and so wins honestly."""

    in_match = "plays"
    in_check = "fit"

    def prepare(self):
        rank_cards(range(7))

    def act(self, view):
        if not view.board_cards:
            return CALL
        strength = rank_cards((*view.hole_cards, *view.board_cards)) / 7462
        if strength > 0.45 and may_raise(view):
            return view.smallest_raise()
        return view.check_or_fold() if strength < 0.1 else CALL


class Learns(Bot):
    """Remembers who raised, and learns from it."""

    in_match = "plays"
    in_check = "fit"
    learns = True

    def __init__(self):
        self.reset()

    def reset(self):
        self.raises = self.shown = 0

    def on_action(self, view, position, action):
        self.raises += position != view.position and action.kind == "r"

    def on_showdown(self, view, shown):
        self.shown += sum(map(sum, shown.values())) % 2

    def act(self, view):
        eager = (self.raises + self.shown) % 3 == 0
        return view.smallest_raise() if eager and may_raise(view) else CALL


class LooksUp(Bot):
    """Plays by chance, from a table that it makes once."""

    in_match = "plays"
    in_check = "fit"

    def prepare(self):
        self.table = {"preflop": 0.2, "flop": 0.3, "turn": 0.4, "river": 0.5}

    def act(self, view):
        return view.smallest_raise() if may_raise(view) and self.rng.random() < self.table[view.street] else CALL
