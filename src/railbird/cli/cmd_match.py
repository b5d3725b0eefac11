"""railbird match, tournament and results."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

if TYPE_CHECKING:
    from railbird.game.spec import Game
    from railbird.play.match import MatchResult, MatchSpec
    from railbird.play.tournament import TournamentResult
    from railbird.progress import Watch
    from railbird.statistics import Estimate

Hands = Annotated[int, typer.Option("--hands", "-n", help="Deals to play; in duplicate each is played in every seat.")]
Duplicate = Annotated[bool, typer.Option("--duplicate/--plain", "-d", help="Play every deal in all seats.")]
Seed = Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same cards and the same match.")]
GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        "-g",
        help="limit, no-limit, pot-limit, spread-limit, kuhn or leduc, with parameters as in limit:cap=3,ante=1 or "
        "no-limit:stack=5000; or a competition game file (*.game).",
    ),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the hands; by default a new one here.")]
Workers = Annotated[int | None, typer.Option("--workers", "-w", min=1, help="Processes; by default one per core.")]
Think = Annotated[float, typer.Option("--decision-seconds", help="Longest time a player may think about a decision.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")]
Divat = Annotated[
    bool | None,
    typer.Option("--divat/--no-divat", help="Assess skill too (heads-up limit hold'em); by default where it is quick."),
]
QUICK_HANDS = 1_000
"""Shorter matches do not wait for DIVAT's tables to be built."""


def match(
    players: Annotated[list[str], typer.Argument(help="Two to ten bots: names, or files as in ./mybot.py:MyBot.")],
    hands: Hands = 1000,
    duplicate: Duplicate = False,
    seed: Seed = 0,
    game: GameOption = "limit",
    out: Out = None,
    workers: Workers = None,
    decision_seconds: Think = 10.0,
    divat: Divat = None,
    as_json: Json = False,
) -> None:
    """Play a match and say who is better, and how sure that is.

    Two players play heads-up, three to ten in a ring. With --duplicate every deal is replayed with the seats exchanged,
    which takes out much of the luck; DIVAT, for two players of limit hold'em, takes out most of it. The hands go to a
    folder; the same command goes on where it was interrupted.

    Example: railbird match always-call always-raise --hands 10000 --duplicate --seed 7
    """
    from railbird.cli.show import compiling_note, print_json, progress_bar
    from railbird.errors import MatchError
    from railbird.play.folder import MatchFolder
    from railbird.play.match import MatchSpec
    from railbird.play.matches import read_game
    from railbird.play.run import run_matches

    if not 2 <= len(players) <= 10:
        raise MatchError(f"{len(players)} players ({' '.join(players)}); a match takes 2 to 10")
    spec = MatchSpec(read_game(game, len(players)), tuple(players), hands, seed, duplicate, decision_seconds)
    _check_divat(spec.game, divat)
    path = out or Path("matches") / folder_name(spec)
    with compiling_note():
        folder = MatchFolder.create(path, spec)
        with folder.lock(), progress_bar(quiet=as_json) as watch:
            [result] = run_matches([folder], workers, watch)
        result = assessed_match(result, path, divat)
    if as_json:
        print_json({**result.to_json(), "folder": str(path)})
    else:
        show_match(result, path, hint=divat is None)


def tournament(
    players: Annotated[list[str], typer.Argument(help="The bots, two or more.")],
    hands: Hands = 1000,
    duplicate: Duplicate = True,
    seed: Seed = 0,
    game: GameOption = "limit",
    out: Out = None,
    workers: Workers = None,
    decision_seconds: Think = 10.0,
    divat: Divat = None,
    as_json: Json = False,
) -> None:
    """Play everybody against everybody, heads-up, and print the crosstable.

    Every pair plays the same deals, in duplicate unless --plain is given. The same command goes on where it was
    interrupted.

    Example: railbird tournament always-call always-raise random --hands 2000 --seed 7
    """
    from railbird.cli.show import compiling_note, print_json, progress_bar
    from railbird.play.matches import read_game
    from railbird.play.tournament import TournamentSpec, run_tournament

    spec = TournamentSpec(read_game(game, 2), tuple(players), hands, seed, duplicate, decision_seconds)
    _check_divat(spec.game, divat)
    names = "-".join(re.sub(r"[^\w.-]+", "_", Path(p).name) for p in players)
    path = out or Path("tournaments") / f"{names[:80]}-{hands}-seed{seed}"
    with compiling_note():
        with progress_bar(quiet=as_json) as watch:
            result = run_tournament(path, spec, workers, watch)
        result = assessed_tournament(result, path, divat)
    if as_json:
        print_json({**result.to_json(), "folder": str(path)})
    else:
        show_tournament(result, path, hint=divat is None)


def results(
    folder: Annotated[Path, typer.Argument(help="A match or tournament folder.")],
    divat: Divat = None,
    as_json: Json = False,
) -> None:
    """Show the result of a match or tournament again, finished or not.

    Example: railbird results matches/demo
    """
    from railbird.cli.show import compiling_note, print_json
    from railbird.errors import MatchError
    from railbird.play.folder import MatchFolder
    from railbird.play.tournament import read_tournament

    if (folder / "tournament.json").exists():
        table = read_tournament(folder)
        with compiling_note():
            table = assessed_tournament(table, folder, divat)
        if as_json:
            print_json({**table.to_json(), "folder": str(folder)})
        else:
            show_tournament(table, folder, hint=divat is None)
        return
    result = MatchFolder.open(folder).result()
    if result.won.shape[1] == 0:
        raise MatchError(f"{str(folder)!r} has no complete deal yet; go on with the command that began it")
    with compiling_note():
        result = assessed_match(result, folder, divat)
    if as_json:
        print_json({**result.to_json(), "folder": str(folder)})
    else:
        show_match(result, folder, hint=divat is None)


def assessed_match(result: MatchResult, path: Path, wanted: bool | None) -> MatchResult:
    """The result with DIVAT, if that is wanted or (`None`) can be had without a long wait."""
    from railbird.play.folder import MatchFolder
    from railbird.play.skill import with_divat

    if not _is_to_be_assessed(result.spec.game, result.won[:, :, 0].size, wanted):
        return result
    with _money_if_in_doubt(wanted), _assessing() as watch:
        return with_divat(MatchFolder(path, result.spec), result, watch=watch)
    return result


def assessed_tournament(result: TournamentResult, path: Path, wanted: bool | None) -> TournamentResult:
    """The same for all matches of a tournament."""
    from railbird.play.tournament import tournament_with_divat

    hands = sum(match.won[:, :, 0].size for match in result.matches.values())
    if not _is_to_be_assessed(next(iter(result.matches.values())).spec.game, hands, wanted):
        return result
    with _money_if_in_doubt(wanted), _assessing() as watch:
        return tournament_with_divat(path, result, watch=watch)
    return result


def _is_to_be_assessed(game: Game, hands: int, wanted: bool | None) -> bool:
    from railbird.assess.settings import STANDARD
    from railbird.assess.tables import is_built
    from railbird.play.skill import can_be_assessed

    _check_divat(game, wanted)
    if wanted is not None:
        return wanted
    return can_be_assessed(game) and (hands >= QUICK_HANDS or is_built(STANDARD))


def _check_divat(game: Game, wanted: bool | None) -> None:
    """Refuse --divat for a game that it is not defined for."""
    if wanted:
        from railbird.errors import AssessmentError
        from railbird.play.skill import can_be_assessed

        if not can_be_assessed(game):
            raise AssessmentError(f"DIVAT is for heads-up limit hold'em, not for {game.name} with {game.seats} seats")


@contextmanager
def _money_if_in_doubt(wanted: bool | None) -> Iterator[None]:
    """A match that cannot be assessed is reported without DIVAT, and why, unless DIVAT was asked for."""
    from railbird.errors import RailbirdError

    try:
        yield
    except RailbirdError as error:
        if wanted:
            raise
        print(f"no DIVAT: {error}", file=sys.stderr)


@contextmanager
def _assessing() -> Iterator[Watch | None]:
    """A live bar while hands are assessed, after a note if the tables must be built first."""
    from railbird.assess.settings import STANDARD
    from railbird.assess.tables import divat_tables, is_built
    from railbird.cli.show import console, counting_bar

    if not is_built(STANDARD):
        words = "building DIVAT's tables (220 MB in the cache folder), once: about half a minute"
        where = console(stderr=True)
        if where.is_terminal:
            with where.status(words):
                divat_tables(STANDARD)
        else:
            print(f"{words} ...", file=sys.stderr)
    with counting_bar("assessing") as watch:
        yield watch


def folder_name(spec: MatchSpec) -> str:
    """A folder name that says what was played."""
    names = "-v-".join(re.sub(r"[^\w.-]+", "_", name).strip("_") for name in spec.names)
    style = "-duplicate" if spec.duplicate else ""
    return f"{names[:80]}-{spec.game.name}-{spec.hands}{style}-seed{spec.seed}"


def show_match(result: MatchResult, path: Path, hint: bool = True) -> None:
    """The result of a match in a form that stands alone; with `hint`, how to get DIVAT if it was left out."""
    from railbird.cli.show import say

    spec, deals = result.spec, result.won.shape[1]
    seats = "heads-up" if spec.game.seats == 2 else f"{spec.game.seats} seats"
    if not spec.duplicate:
        kind = "hands"
    elif spec.game.seats == 2:
        kind = "duplicate pairs"
    else:
        kind = f"deals, each played {spec.seating.legs} times"
    done = f"{deals:,}" if deals == spec.hands else f"{deals:,} of {spec.hands:,}"
    players = escape(" vs ".join(spec.names))
    say(f"[bold]{players}[/bold] | {escape(spec.game.name)} {seats} | {done} {kind} | seed {spec.seed}")
    if spec.game.seats == 2:
        _show_pair(result)
    else:
        _show_ring(result)
    _show_faults(result.faults)
    if hint and result.divat is None:
        _show_hint(spec.game, path)
    say(f"replay a hand: railbird replay {escape(shlex.quote(str(path)))} {min(17, deals - 1)}")


def _show_pair(result: MatchResult) -> None:
    from railbird.cli.show import further, rate, say

    first = result.players[0]
    spread = f"   SD {first.money.sd:.2f}" if first.money.count > 1 else ""
    say(f"  money      {rate(first.money)} sb/hand for {escape(first.name)} (95%){spread}")
    others = {"duplicate": first.duplicate, "DIVAT": first.divat, "both": first.duplicate_divat}
    for label, estimate in others.items():
        if estimate:
            saved = (first.money.margin / estimate.margin) ** 2 if estimate.margin else 0
            fewer = f"   {saved:.1f}x fewer hands for the same certainty" if saved > 1.05 else ""
            say(f"  {label:<10} {rate(estimate)}{fewer}")
    kinds = {"": first.best, "DIVAT's ": first.skill or first.best}
    whose, sharpest = min(kinds.items(), key=lambda kind: kind[1].margin)
    ahead = result.spec.names[0 if sharpest.mean > 0 else 1]
    verdict = further(sharpest, "pairs" if first.duplicate else "hands")
    say(
        f"  {escape(ahead)} is better: {whose or 'the '}interval leaves out zero"
        if sharpest.is_clear
        else f"  not settled: {verdict}"
    )


def _show_ring(result: MatchResult) -> None:
    from rich.table import Table

    from railbird.cli.show import console, more_samples, rate

    duplicate = result.spec.duplicate
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("  sb/hand (95%)", no_wrap=True)
    unit = "deals" if duplicate else "hands"
    for column in ("money", "SD", *(("duplicate",) if duplicate else ()), "next is behind by", f"{unit} to settle"):
        table.add_column(column, justify="right", no_wrap=True)
    order = result.ranking
    for place, player in enumerate(order):
        row = result.players[player]
        cells = [f"  {escape(row.name)}", rate(row.money), f"{row.money.sd:.2f}"]
        if row.duplicate:
            cells.append(rate(row.duplicate))
        if place + 1 < len(order):
            lead = result.lead(player, order[place + 1])
            cells += [rate(lead), more_samples(lead)]
        table.add_row(*cells)
    console().print(table)


def _show_faults(faults: tuple[str, ...]) -> None:
    from railbird.cli.show import say

    if faults:
        counted = "1 fault of a bot" if len(faults) == 1 else f"{len(faults):,} faults of bots, the first"
        say(f"[bold]{counted}:[/bold] {escape(faults[0])}")


def _show_hint(game: Game, path: Path) -> None:
    from railbird.cli.show import say
    from railbird.play.skill import can_be_assessed

    if can_be_assessed(game):
        say(f"skill without the luck: railbird assess {escape(shlex.quote(str(path)))} (builds DIVAT's tables once)")


def show_tournament(result: TournamentResult, path: Path, hint: bool = True) -> None:
    """The crosstables of money and, where it was assessed, of DIVAT, best player first; `hint` as in `show_match`."""
    from railbird.cli.show import say

    (first, second), one = next(iter(result.matches.items()))
    spec = one.spec
    kind = "duplicate pairs" if spec.duplicate else "hands"
    say(f"[bold]round robin[/bold] | {spec.game.name} heads-up | {spec.hands:,} {kind} each | seed {spec.seed}")
    _show_crosstable("  sb/hand (95%)", result, result.overall, result.rate)
    if result.overall_skill:
        _show_crosstable("  DIVAT", result, result.overall_skill, result.skill)
    _show_faults(result.faults)
    if hint and not result.is_assessed:
        _show_hint(spec.game, path)
    say(f"one match: railbird results {escape(shlex.quote(str(path / f'{first + 1:02}-{second + 1:02}')))}")


def _show_crosstable(
    title: str, result: TournamentResult, overall: tuple[Estimate, ...], of: Callable[[int, int], Estimate | None]
) -> None:
    """What each player has of all others and of each."""
    from rich.table import Table

    from railbird.cli.show import console, rate

    order = result.ranking
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(title, no_wrap=True)
    table.add_column("all", justify="right", style="bold", no_wrap=True)
    for place in range(len(order)):
        table.add_column(f"from {place + 1}", justify="right")
    for place, player in enumerate(order):
        found = [of(player, other) if other != player else None for other in order]
        cells = [rate(estimate) if estimate else "" for estimate in found]
        table.add_row(f"{place + 1} {escape(result.names[player])}", rate(overall[player]), *cells)
    console().print(table)
