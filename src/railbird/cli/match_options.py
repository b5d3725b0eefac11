"""The options of all that plays matches, in two groups: `Deals` and `Means`. A command takes each as one parameter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from railbird.cli.options import Duplicate, GameOption, Hands, Memory, On, Out, Secret, Seed, Think, Trusted, Workers
from railbird.errors import MatchError
from railbird.formats.games import read_game
from railbird.game.spec import Game
from railbird.play.box import Housing
from railbird.play.secret_keys import asked_seed
from railbird.randomness import SecretSeed
from railbird.randomness import Seed as SeedOfMatch
from railbird.words import count_of
from railbird.workforce import Workforce, asked_workforce


def seed_name(seed: SeedOfMatch) -> str:
    """A seed as a part of a folder's name."""
    return "secret" if isinstance(seed, SecretSeed) else f"seed{seed}"


def check_count(players: Sequence[str], what: str, most: int) -> None:
    """Refuse too few players, or too many, before anything else is looked at."""
    if not 2 <= len(players) <= most:
        who = f"{count_of(len(players), 'player')} ({' '.join(players)})"
        raise MatchError(f"{who}; a {what} takes 2 to {most:,}")


@dataclass(frozen=True)
class Deals:
    """What is dealt."""

    hands: Hands = 1000
    duplicate: Duplicate = False
    seed: Seed = None
    secret: Secret = False
    game: GameOption = "limit"

    def game_of(self, seats: int) -> Game:
        """The game, at a table for so many."""
        return read_game(self.game, seats)

    def asked(self) -> tuple[int, SeedOfMatch, bool]:
        """Hands, seed and whether in duplicate, as specs have them; a secret seed is another each time."""
        return self.hands, asked_seed(self.seed, self.secret), self.duplicate


@dataclass(frozen=True)
class DealsInDuplicate(Deals):
    """The same, where every deal is played in all seats unless something else is said."""

    duplicate: Duplicate = True


@dataclass(frozen=True)
class Means:
    """Where the hands go, who works, and what the players may use."""

    out: Out = None
    workers: Workers = None
    on: On = None
    decision_seconds: Think = 10.0
    trusted: Trusted = False
    memory: Memory = 2048

    def workforce(self) -> Workforce:
        """Who plays the hands."""
        return asked_workforce(self.workers, self.on)

    def housing(self, usual: str | Path) -> Housing | None:
        """What bots from files may use, each in a box of its own, unless they are trusted.

        They are kept out of the folder from the first, of the `usual` one if none was asked for: other matches on the
        same deals may lie there.
        """
        folder = (self.out or Path(usual)).absolute()
        return None if self.trusted else Housing(memory_mb=self.memory, forbidden=(folder,))
