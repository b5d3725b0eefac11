"""Matches, tournaments, comparisons and tests for programs and notebooks.

`play_match`, `play_tournament`, `compare_bots` and `find_gain` have the defaults of `railbird match`, `tournament`,
`compare` and `test`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from railbird.errors import MatchError
from railbird.files import PassingFolder
from railbird.formats.games import read_game
from railbird.game.spec import Game
from railbird.play.box import Housing
from railbird.play.comparison import Comparison
from railbird.play.comparison_folder import ComparisonSpec, assessed_by_skill, run_comparison
from railbird.play.folder import MatchFolder
from railbird.play.gain_result import GainTest
from railbird.play.gain_tests import GainTestSpec, run_gain_test
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.players import AnyBot
from railbird.play.run import run_matches
from railbird.play.seating import MOST_PLAYERS
from railbird.play.secret_keys import asked_seed
from railbird.play.skill import with_divat
from railbird.play.tournament import TournamentSpec, run_tournament, tournament_with_divat
from railbird.play.tournament_result import TournamentResult
from railbird.progress import Watch, asked_bar
from railbird.sequential import StoppingRule
from railbird.stopping import keeping
from railbird.words import count_of
from railbird.workforce import asked_workforce


def play_match(
    *bots: AnyBot,
    game: str | Game = "limit",
    hands: int = 1000,
    duplicate: bool = False,
    seed: int | None = None,
    secret: bool = False,
    folder: str | Path | None = None,
    workers: int | None = None,
    on: str | None = None,
    divat: bool = False,
    trusted: bool = False,
    progress: bool | Watch | None = None,
) -> MatchResult:
    """Play a match between two to ten bots: names, files or programs as on the command line, classes, or bots you have
    made.

    A game is given as on the command line too ("no-limit:stack=5000"). The hands go to `folder`, from which an
    interrupted match goes on, and a finished one if more `hands` are asked for; if a bot has changed since, the folder
    is kept under another name. Without one they are there as long as the result is. Cards follow from the `seed`, by
    default 0; with `secret` they follow from a random key that nobody knows before the match is over. With `divat` the
    result has the players' skill too. Bots from files are played in processes of their own, out of reach of the cards,
    unless they are `trusted`. A bar shows how far a longer match is; `progress` is True or False for one or none, or is
    called as a `railbird.progress.Watch`.

    All cores play, or so many `workers`; with `on` a Ray cluster does ("ray" for the one this machine is in, or its
    address; see docs/cluster.md).

    A bot you have made plays in this process, so that you can look at it afterwards; it is reset before it plays. So
    does a class of a notebook or script; those of modules are played by other processes where that is faster. In a
    script, call it under `if __name__ == "__main__":`.

    >>> result = play_match("always-raise", "always-fold", hands=500, seed=7)
    >>> result.players[0].money.mean  # a big and a small blind by turns
    0.75
    """
    if not 2 <= len(bots) <= MOST_PLAYERS:
        who = count_of(len(bots), "player")
        raise MatchError(f"{who}; a match takes 2 to {MOST_PLAYERS}, each an argument of its own")
    rest = (hands, asked_seed(seed, secret), duplicate)
    path, kept = _folder(folder)
    spec = MatchSpec(read_game(game, len(bots)), bots, *rest, housing=_housing(trusted, path))
    with _unless_named(kept), asked_bar(progress, "hands") as watch:
        match = MatchFolder.create(path, spec)
        with match.lock():
            [result] = run_matches([match], asked_workforce(workers, on), watch)
        result = with_divat(match, result) if divat else result
    return replace(result, kept=kept)


def play_tournament(
    *bots: AnyBot,
    seats: int = 2,
    tables: int = 0,
    game: str | Game = "limit",
    hands: int = 1000,
    duplicate: bool = True,
    seed: int | None = None,
    secret: bool = False,
    folder: str | Path | None = None,
    workers: int | None = None,
    on: str | None = None,
    divat: bool = False,
    trusted: bool = False,
    progress: bool | Watch | None = None,
) -> TournamentResult:
    """Play everybody against everybody, heads-up or with so many `seats`, and in duplicate.

    At larger tables all line-ups play, or a balanced sample of so many `tables`. All else is as in `play_match`.

    >>> table = play_tournament("always-raise", "always-fold", "always-call", hands=100)
    >>> [table.names[player] for player in table.ranking][-1]
    'always-fold'
    """
    rest = (hands, asked_seed(seed, secret), duplicate)
    path, kept = _folder(folder)
    spec = TournamentSpec(read_game(game, seats), bots, *rest, housing=_housing(trusted, path), tables=tables)
    with _unless_named(kept), asked_bar(progress, "hands") as watch:
        result = run_tournament(path, spec, asked_workforce(workers, on), watch)
        result = tournament_with_divat(path, result) if divat else result
    return replace(result, matches={pair: replace(match, kept=kept) for pair, match in result.matches.items()})


def compare_bots(
    new: AnyBot,
    old: AnyBot,
    against: AnyBot | Sequence[AnyBot],
    *,
    game: str | Game = "limit",
    hands: int = 1000,
    duplicate: bool = True,
    seed: int | None = None,
    secret: bool = False,
    folder: str | Path | None = None,
    workers: int | None = None,
    on: str | None = None,
    divat: bool = False,
    trusted: bool = False,
    weights: Sequence[float] = (),
    episode: int = 0,
    progress: bool | Watch | None = None,
) -> Comparison:
    """Say whether `new` is better than `old`: both play the same opponents on the same deals.

    What counts is the difference on each deal. With `divat` the result has skill too, by AIVAT where somebody's play is
    known. Opponents count by their `weights`; with an `episode` players that learn begin anew after so many deals,
    which are then one sample (`Comparison.learning` has their curves). All else is as in `play_match`.

    >>> found = compare_bots("always-call", "always-fold", against="always-raise", hands=100)
    >>> found.difference().mean > 0, compare_bots("random", "random", ["always-call"], hands=100).difference().mean
    (True, 0.0)
    """
    opponents = _several(against)
    asked = (hands, asked_seed(seed, secret), duplicate)
    path, kept = _folder(folder)
    spec = ComparisonSpec(
        read_game(game, 2),
        new,
        old,
        opponents,
        *asked,
        housing=_housing(trusted, path),
        weights=tuple(weights),
        episode=episode,
    )
    with _unless_named(kept), asked_bar(progress, "hands") as watch:
        result = run_comparison(path, spec, asked_workforce(workers, on), watch)
        result = assessed_by_skill(result) if divat else result
    return _keeping(result, kept)


def find_gain(
    new: AnyBot,
    base: AnyBot,
    against: AnyBot | Sequence[AnyBot],
    *,
    gain: float = 0.05,
    wrong: float = 0.05,
    weights: Sequence[float] = (),
    episode: int = 1000,
    game: str | Game = "limit",
    hands: int = 100_000,
    duplicate: bool = True,
    seed: int | None = None,
    secret: bool = False,
    folder: str | Path | None = None,
    workers: int | None = None,
    on: str | None = None,
    by: str = "",
    trusted: bool = False,
    progress: bool | Watch | None = None,
) -> GainTest:
    """Say as soon as it may be said whether `new` is better than `base` by a `gain` that matters, in small bets a hand.

    A comparison that stops by itself, after `hands` deals at the latest: when the likelihood ratio of that gain to none
    leaves its bounds, so that it says gain where there is none, or none where there is one, with a probability of
    `wrong` at most. Differences are taken `by` "money", "divat" or "aivat", by default the best of them that there is.
    Opponents count by their `weights`; players that learn begin anew after every `episode` of so many deals. All else
    is as in `play_match`.

    >>> found = find_gain("always-call", "random", "always-raise", gain=0.5, hands=2000)
    >>> found.decision, found.deals
    ('gain', 300)
    """
    path, kept = _folder(folder)
    asked = (hands, asked_seed(seed, secret), duplicate)
    comparison = ComparisonSpec(
        read_game(game, 2),
        new,
        base,
        _several(against),
        *asked,
        housing=_housing(trusted, path),
        weights=tuple(weights),
        episode=episode,
    )
    spec = GainTestSpec(comparison, StoppingRule(gain, wrong, wrong), by)
    with _unless_named(kept), asked_bar(progress, "hands") as watch:
        result = run_gain_test(path, spec, asked_workforce(workers, on), watch)
    return replace(result, comparison=_keeping(result.comparison, kept))


def _several(against: AnyBot | Sequence[AnyBot]) -> tuple[AnyBot, ...]:
    return tuple(against) if isinstance(against, Sequence) and not isinstance(against, str) else (against,)


def _keeping(result: Comparison, kept: PassingFolder | None) -> Comparison:
    """The comparison, with which its folder goes away."""
    first, *rest = result.matches
    return replace(result, matches=((replace(first[0], kept=kept), first[1]), *rest))


def _folder(path: str | Path | None) -> tuple[Path, PassingFolder | None]:
    """The folder asked for; or one that goes away with what is returned beside it."""
    if path is not None:
        return Path(path), None
    kept = PassingFolder()
    return kept.path, kept


def _housing(trusted: bool, folder: Path) -> Housing | None:
    """What bots in boxes may use: they are kept out of the folder from the first."""
    return None if trusted else Housing(forbidden=(folder.absolute(),))


def _unless_named(kept: PassingFolder | None) -> AbstractContextManager[None]:
    """Ctrl-C says that nothing is kept where no folder was named."""
    return nullcontext() if kept is None else keeping("no hand is kept, since no folder was named")
