"""Options that several commands share, and what they mean."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import tell
from railbird.cli.show import counting_bar
from railbird.errors import AssessmentError, RailbirdError
from railbird.game.spec import Game
from railbird.play.box import Housing
from railbird.play.comparison import Comparison
from railbird.play.comparison_folder import assessed_by_skill
from railbird.play.folder import MatchFolder
from railbird.play.log_result import LogResult, log_with_divat
from railbird.play.match_result import MatchResult
from railbird.play.skill import can_be_assessed, is_compiled, with_divat
from railbird.play.tournament import tournament_with_divat
from railbird.play.tournament_result import TournamentResult
from railbird.randomness import SecretSeed
from railbird.randomness import Seed as SeedOfMatch
from railbird.stopping import keeping
from railbird.words import harmless

Hands = Annotated[int, typer.Option("--hands", "-n", help="Deals to play; in duplicate each is played in every seat.")]
Duplicate = Annotated[bool, typer.Option("--duplicate/--plain", "-d", help="Play every deal in all seats.")]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        "-s",
        help="The same seed gives the same cards and the same match.  \\[default: 0]",
        show_default=False,
    ),
]
Secret = Annotated[
    bool,
    typer.Option(
        "--secret", help="Deal from a random key instead, which nobody can guess and which is told when all is over."
    ),
]
GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        "-g",
        help="limit, no-limit, pot-limit, spread-limit, kuhn or leduc, with parameters as in limit:cap=3,ante=1 or "
        "no-limit:stack=5000; or a competition game file (*.game).",
    ),
]
LogGame = Annotated[
    str | None,
    typer.Option("--game", "-g", help="The game of a log that does not tell it: as in railbird match --game."),
]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Folder for the hands; by default it says what was played.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        min=1,
        help="Processes; by default one per core. With players that wait for something elsewhere: hands at once, by "
        "default as many as they say.",
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="CLUSTER",
        help="Let a Ray cluster do the work (docs/cluster.md): ray for the one this machine is in, HOST:PORT or "
        "ray://HOST:PORT. --workers are then cores of it, at most.",
    ),
]
Think = Annotated[float, typer.Option("--decision-seconds", help="Longest time a player may think about a decision.")]
Trusted = Annotated[
    bool,
    typer.Option(
        "--trusted",
        help="Let bots from files share processes with the cards: faster, for bots that you wrote yourself.",
    ),
]
Memory = Annotated[
    int, typer.Option("--memory", metavar="MB", min=100, help="What each bot from a file, or program, may allocate.")
]
Weights = Annotated[
    list[float] | None,
    typer.Option("--weights", metavar="N...", help="How much each opponent counts.  \\[default: all the same]"),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")]
Divat = Annotated[
    bool | None,
    typer.Option("--divat/--no-divat", help="Assess skill too (heads-up limit hold'em); by default where it is quick."),
]
_LONGEST_DELAY = 3600.0


def checked_delay(seconds: float | None) -> float | None:
    """A pause that can be waited for; refuses another."""
    if seconds is not None and not 0 <= seconds <= _LONGEST_DELAY:
        raise RailbirdError(f"--delay {seconds:g}; it is 0 to {_LONGEST_DELAY:g} seconds")
    return seconds


QUICK_HANDS = 1_000
"""Shorter matches do not wait for DIVAT's kernels to be compiled."""


def seed_name(seed: SeedOfMatch) -> str:
    """A seed as a part of a folder's name."""
    return "secret" if isinstance(seed, SecretSeed) else f"seed{seed}"


def housing(trusted: bool, memory_mb: int, folder: Path) -> Housing | None:
    """What bots from files may use, each in a box of its own, unless they are trusted.

    They are kept out of `folder` from the first: other matches on the same deals may lie there.
    """
    return None if trusted else Housing(memory_mb=memory_mb, forbidden=(folder.absolute(),))


def check_divat(game: Game, wanted: bool | None) -> None:
    """Refuse --divat for a game that it is not defined for."""
    if wanted and not can_be_assessed(game):
        raise AssessmentError(f"DIVAT is for heads-up limit hold'em, not for {game.name} with {game.seats} seats")


def assessed_match(result: MatchResult, path: Path, wanted: bool | None) -> MatchResult:
    """The result with DIVAT, if that is wanted or (`None`) can be had."""
    if not _is_to_be_assessed(result.spec.game, result.hands_played, wanted):
        return result
    with _all_kept(path), _money_if_in_doubt(wanted), counting_bar("assessing") as watch:
        return with_divat(MatchFolder(path, result.spec), result, watch=watch)
    return result


def assessed_tournament(result: TournamentResult, path: Path, wanted: bool | None) -> TournamentResult:
    """The same for all matches of a tournament."""
    hands = sum(match.hands_played for match in result.matches.values())
    if not _is_to_be_assessed(result.spec.game, hands, wanted):
        return result
    with _all_kept(path), _money_if_in_doubt(wanted), counting_bar("assessing") as watch:
        return tournament_with_divat(path, result, watch=watch)
    return result


def assessed_log(result: LogResult, path: Path, wanted: bool | None) -> LogResult:
    """The same for a log, if all its cards are known."""
    if not result.all_shown and not wanted:
        return result
    if not _is_to_be_assessed(result.game, result.hand_count, wanted):
        return result
    with _all_kept(path), _money_if_in_doubt(wanted), counting_bar("assessing") as watch:
        return log_with_divat(result, watch=watch)
    return result


def assessed_comparison(result: Comparison, path: Path, wanted: bool | None) -> Comparison:
    """The same for all matches of a comparison."""
    hands = sum(match.hands_played for pair in result.matches for match in pair)
    if not _is_to_be_assessed(result.spec.game, hands, wanted):
        return result
    with _all_kept(path), _money_if_in_doubt(wanted):
        return assessed_by_skill(result, counting_bar)
    return result


def _is_to_be_assessed(game: Game, hands: int, wanted: bool | None) -> bool:
    check_divat(game, wanted)
    if wanted is not None:
        return wanted
    return can_be_assessed(game) and (hands >= QUICK_HANDS or is_compiled())


def divat_hint(game: Game, path: Path, is_assessed: bool, wanted: bool | None) -> list[str]:
    """How to get DIVAT, where it was left out and nobody said so."""
    if wanted is not None or is_assessed or not can_be_assessed(game):
        return []
    return [f"skill without the luck: railbird assess {shlex.quote(str(path))}"]


def _all_kept(path: Path) -> AbstractContextManager[None]:
    """What to say on Ctrl-C when all hands are played."""
    where = harmless(shlex.quote(str(path)))
    return keeping(f"all hands are kept in {str(path)!r}; the money won: railbird results {where} --no-divat")


@contextmanager
def _money_if_in_doubt(wanted: bool | None) -> Iterator[None]:
    """A match that cannot be assessed is reported without DIVAT, and why, unless DIVAT was asked for."""
    try:
        yield
    except RailbirdError as error:
        if wanted:
            raise
        tell(f"no DIVAT: {error}", stderr=True)
