"""What can be done next with what a command has shown, as commands to copy."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from railbird.cli.console import tell
from railbird.game.spec import Game
from railbird.play.match_result import MatchResult
from railbird.play.skill import can_be_assessed
from railbird.randomness import SecretSeed, Seed


def tell_faults(matches: Iterable[MatchResult]) -> None:
    """How to see the hand of the first fault of a bot, if there is one."""
    failed = next((match for match in matches if match.faults and match.folder), None)
    if failed and failed.folder:
        tell(replay_hint(failed, failed.folder))


def replay_hint(result: MatchResult, path: Path) -> str:
    """How to see a hand: the one with the first fault of a bot, if there is one."""
    command = f"railbird replay {shlex.quote(str(path))}"
    if not result.faults:
        return f"replay a hand: {command} {min(17, result.deals - 1)}"
    first = result.faults[0]
    seating = f" --seating {first.leg + 1}" if first.leg else ""
    return f"see the hand: {command} {first.hand}{seating}"


def tell_check(seed: Seed, path: Path) -> None:
    """How to check the cards, where they were secret and are no longer."""
    if isinstance(seed, SecretSeed) and seed.is_published:
        tell(f"check the cards: railbird verify {shlex.quote(str(path))}")


def tell_assess(game: Game, path: Path, is_assessed: bool, wanted: bool | None) -> None:
    """How to get DIVAT, where it was left out and nobody said so."""
    if wanted is None and not is_assessed and can_be_assessed(game):
        tell(f"skill without the luck: railbird assess {shlex.quote(str(path))}")


def tell_match(path: Path | None) -> None:
    """How to see one match of several."""
    tell(f"one match: railbird results {shlex.quote(str(path))}")
