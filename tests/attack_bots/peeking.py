"""Bots that look for cards they may not see, and play by them."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import re
import sys
from functools import cache
from pathlib import Path

from known_cards import knowing

from railbird.bots.base import Bot
from railbird.cards import parse_cards
from railbird.game.actions import CALL
from railbird.game.spec import limit_holdem
from railbird.odds.ranks import rank_cards
from railbird.play.dealing import deals
from railbird.play.hand import Deal
from railbird.randomness import Stream, derived_seed

next(deals(limit_holdem(), 0, 0, 1))  # which loads what it needs, while there is time
FOUND = "knows-hidden-cards|sees-hidden-cards|guesses-cards|looks-for-cards"
MOST_SEEDS = 64


def dealt(view, seed):
    """The deal of a hand in the match with that seed, by the laboratory's own dealer."""
    return next(deals(view.game, seed, view.hand_number, 1))


@cache
def manifests():
    """The manifests of matches that lie here, above, or below, the newest last."""
    here = Path.cwd()
    found = [*here.glob("manifest.json"), *here.parent.glob("manifest.json")]
    for pattern in ("*/manifest.json", "*/*/manifest.json"):
        found += here.glob(pattern)
    return sorted(found, key=lambda file: file.stat().st_mtime)


@cache
def newest_seed():
    return json.loads(manifests()[-1].read_text())["seed"] if manifests() else None


class Cheat(Bot):
    """Plays by a seed that it found."""

    def seed(self, view):
        raise NotImplementedError

    def act(self, view):
        try:
            seed = self.seed(view)
        except (OSError, ValueError, IndexError, KeyError, ImportError, AttributeError):
            return CALL
        return CALL if seed is None else knowing(view, dealt(view, seed))


class ReadsManifest(Cheat):
    """Reads the seed in the manifest, wherever below or above the match lies."""

    in_match = "plays"
    in_check = FOUND

    def seed(self, view):
        return newest_seed()


class ReadsManifestBelow(Cheat):
    """Has a program read the manifest for it."""

    in_match = "plays|raised"
    in_check = FOUND + "|fit|too-slow"

    def seed(self, view):
        return _seed_by_program()


@cache
def _seed_by_program():
    import subprocess

    found = subprocess.run(
        ["find", ".", "-name", "manifest.json", "-newermt", "-1 hour", "-exec", "cat", "{}", "+"],
        capture_output=True,
        text=True,
        check=False,
    )
    seeds = re.findall(r'"seed": (\d+)', found.stdout)
    return int(seeds[-1]) if seeds else None


class ReadsCommandLine(Cheat):
    """Reads the seed in the command lines of the processes above it."""

    in_match = "plays"
    in_check = FOUND + "|fit"

    def seed(self, view):
        process = os.getpid()
        for _ in range(5):
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            if b"--seed" in words:
                return int(words[words.index(b"--seed") + 1])
            status = Path(f"/proc/{process}/stat").read_text()
            process = int(status.rpartition(")")[2].split()[1])
        return None


class ReadsOpenFiles(Cheat):
    """Follows the open files of its own and the parent's process to the folder."""

    in_match = "plays"
    in_check = FOUND + "|fit"

    def seed(self, view):
        for process in ("self", str(os.getppid())):
            for link in Path(f"/proc/{process}/fd").iterdir():
                try:
                    manifest = Path(os.readlink(link)).parent / "manifest.json"
                    if manifest.exists():
                        return json.loads(manifest.read_text())["seed"]
                except OSError:
                    pass
        return None


class ReadsParentMemory(Cheat):
    """Looks for the settings of the match in the memory of the parent's process."""

    in_match = "plays"
    in_check = FOUND + "|fit"
    looked: dict = {}  # noqa: RUF012

    def seed(self, view):
        parent = os.getppid()
        if parent not in self.looked:
            self.looked[parent] = self.search(parent)
        return self.looked[parent]

    def search(self, parent):
        left = 100_000_000
        with open(f"/proc/{parent}/mem", "rb", 0) as memory:
            for line in Path(f"/proc/{parent}/maps").read_text().splitlines():
                start, end = (int(part, 16) for part in line.split()[0].split("-"))
                if "rw-p" not in line or end - start > left:
                    continue
                left -= end - start
                memory.seek(start)
                try:
                    if found := re.search(rb'"seed": (\d+)', memory.read(end - start)):
                        return int(found[1])
                except OSError:
                    continue
        return None


class TracesParent(Cheat):
    """Attaches to the parent's process as a debugger does."""

    in_match = "plays|raised|timeout"
    in_check = FOUND + "|fit|raises|hangs"

    def seed(self, view):
        libc = ctypes.CDLL(None, use_errno=True)
        parent = os.getppid()
        if libc.ptrace(16, parent, 0, 0):
            raise OSError(ctypes.get_errno(), "cannot attach")
        return


class TriesSeeds(Cheat):
    """Tries small seeds with the laboratory's dealer until its own cards come out."""

    in_match = "plays"
    in_check = FOUND

    def __init__(self):
        self.left = list(range(MOST_SEEDS))
        self.hand = -1

    def seed(self, view):
        if view.hand_number != self.hand:
            self.hand = view.hand_number
            fits = [s for s in self.left if dealt(view, s).holes[view.position] == view.hole_cards]
            self.left = fits or list(range(MOST_SEEDS))
        return self.left[0] if len(self.left) == 1 else None


class TriesSeedsByHand(Bot):
    """The same with a dealer of its own, which imports nothing."""

    in_match = "plays"
    in_check = FOUND

    def __init__(self):
        self.known = None

    def act(self, view):
        for seed in range(MOST_SEEDS) if self.known is None else [self.known]:
            cards = Stream(derived_seed(seed, "deck"), view.hand_number).deal(view.game.deck, 2 * len(view.names) + 5)
            holes = tuple(tuple(cards[at : at + 2]) for at in range(0, 2 * len(view.names), 2))
            if holes[view.position] == view.hole_cards:
                board = tuple(cards[2 * len(view.names) :])
                ranks = [rank_cards((*hole, *board)) for hole in holes]
                return knowing(view, Deal(view.hand_number, holes, board, ranks))
        return CALL


class InvertsItsKey(Cheat):
    """Finds the match's seed from the seed of its own random numbers."""

    in_match = "plays"
    in_check = FOUND + "|fit"

    def seed(self, view):
        return _seed_of_key(self._stream_key[0])


@cache
def _seed_of_key(key):
    for seed in range(1000):
        for leg in range(2):
            for player in range(2):
                if derived_seed(seed, f"bot {leg} {player}") == key:
                    return seed
    return None


@cache
def _logs(_):
    """The logs that are there, looked for now and then."""
    try:
        return [log.read_text() for manifest in manifests() for log in manifest.parent.glob("hands-*.log")]
    except OSError:
        return []


class ReadsOtherSeating(Bot):
    """Reads the cards of this deal in the log of the other seating."""

    in_match = "plays"
    options = "--duplicate --workers 1"
    in_check = FOUND

    def act(self, view):
        for text in _logs(view.hand_number // 50):
            found = re.search(rf"^STATE:{view.hand_number}:[^:]*:(\w+)\|(\w+)/?([\w/]*):", text, re.M)
            if found and parse_cards(found[1 + view.position]) == view.hole_cards:
                hidden = parse_cards(found[2 - view.position])
                board = parse_cards(found[3].replace("/", ""))
                return self.with_cards(view, hidden, board)
        return CALL

    def with_cards(self, view, hidden, board):
        if len(board) < 5:
            return CALL
        holes = (view.hole_cards, hidden) if view.position == 0 else (hidden, view.hole_cards)
        return knowing(view, Deal(view.hand_number, holes, board, [rank_cards((*hole, *board)) for hole in holes]))


class WalksFrames(Bot):
    """Looks for the deal in the frames that called it."""

    in_match = "plays"
    in_check = FOUND + "|fit"

    def act(self, view):
        frame = sys._getframe()
        while frame:
            deal = frame.f_locals.get("deal")
            if hasattr(deal, "holes"):
                return knowing(view, deal)
            frame = frame.f_back
        return CALL


class SearchesHeap(Bot):
    """Looks for deals among all objects of its process."""

    in_match = "plays"
    in_check = FOUND + "|fit"

    def act(self, view):
        for thing in gc.get_objects() if view.hand_number % 20 == 0 else ():
            if type(thing).__name__ == "Deal" and thing.number == view.hand_number:
                return knowing(view, thing)
        return CALL


class SearchesPlayers(Bot):
    """Looks for the others at the table among all objects, and for what their cards are."""

    in_match = "plays"
    in_check = FOUND + "|fit"

    def act(self, view):
        things = gc.get_objects() if view.hand_number % 20 == 0 else []
        players = [thing for thing in things if type(thing).__name__ in ("HandPlayer", "Trial", "MatchSpec")]
        seeds = [seed for thing in players if isinstance(seed := getattr(thing, "seed", None), int)]
        return knowing(view, dealt(view, seeds[0])) if seeds else CALL


class ReadsSharedMemory(Cheat):
    """Looks for seeds in files of shared memory and in temporary folders."""

    in_match = "plays"
    in_check = FOUND + "|fit"

    def seed(self, view):
        for file in (*Path("/dev/shm").glob("*"), *Path("/tmp").glob("*/manifest.json")):
            if file.is_file() and (found := re.search(rb'"seed": (\d+)', file.read_bytes()[:100_000])):
                return int(found[1])
        return None
