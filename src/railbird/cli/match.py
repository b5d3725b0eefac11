"""railbird match, tournament and results."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

if TYPE_CHECKING:
    from railbird.arena.match import MatchResult, MatchSpec
    from railbird.arena.tournament import TournamentResult
    from railbird.game.spec import Game

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


def match(
    players: Annotated[list[str], typer.Argument(help="Two to ten bots: names, or files as in ./mybot.py:MyBot.")],
    hands: Hands = 1000,
    duplicate: Duplicate = False,
    seed: Seed = 0,
    game: GameOption = "limit",
    out: Out = None,
    workers: Workers = None,
    decision_seconds: Think = 10.0,
    as_json: Json = False,
) -> None:
    """Play a match and say who is better, and how sure that is.

    Two players play heads-up, three to ten in a ring. With --duplicate every deal is replayed with the seats exchanged,
    which takes out much of the luck. The hands go to a folder; the same command goes on where it was interrupted.

    Example: railbird match always-call always-raise --hands 10000 --duplicate --seed 7
    """
    from railbird.arena.folder import MatchFolder
    from railbird.arena.match import MatchSpec
    from railbird.arena.run import run_matches
    from railbird.cli.show import compiling_note, print_json, progress_bar
    from railbird.errors import MatchError

    if not 2 <= len(players) <= 10:
        raise MatchError(f"{len(players)} players ({' '.join(players)}); a match takes 2 to 10")
    spec = MatchSpec(read_game(game, len(players)), tuple(players), hands, seed, duplicate, decision_seconds)
    _check_bots(players)
    path = out or Path("matches") / folder_name(spec)
    with compiling_note():
        folder = MatchFolder.create(path, spec)
        with folder.lock(), progress_bar(quiet=as_json) as watch:
            [result] = run_matches([folder], workers, watch)
    if as_json:
        print_json({**result.to_json(), "folder": str(path)})
    else:
        show_match(result, path)


def tournament(
    players: Annotated[list[str], typer.Argument(help="The bots, two or more.")],
    hands: Hands = 1000,
    duplicate: Duplicate = True,
    seed: Seed = 0,
    game: GameOption = "limit",
    out: Out = None,
    workers: Workers = None,
    decision_seconds: Think = 10.0,
    as_json: Json = False,
) -> None:
    """Play everybody against everybody, heads-up, and print the crosstable.

    Every pair plays the same deals, in duplicate unless --plain is given. The same command goes on where it was
    interrupted.

    Example: railbird tournament always-call always-raise random --hands 2000 --seed 7
    """
    from railbird.arena.match import MatchSpec
    from railbird.arena.tournament import run_tournament
    from railbird.cli.show import compiling_note, print_json, progress_bar

    spec = MatchSpec(read_game(game, 2), tuple(players[:1] * 2), hands, seed, duplicate, decision_seconds)
    _check_bots(players)
    names = "-".join(re.sub(r"[^\w.-]+", "_", Path(p).name) for p in players)
    path = out or Path("tournaments") / f"{names[:80]}-{hands}-seed{seed}"
    with compiling_note(), progress_bar(quiet=as_json) as watch:
        result = run_tournament(path, spec, players, workers, watch)
    if as_json:
        print_json({**result.to_json(), "folder": str(path)})
    else:
        show_tournament(result, path)


def results(
    folder: Annotated[Path, typer.Argument(help="A match or tournament folder.")],
    as_json: Json = False,
) -> None:
    """Show the result of a match or tournament again, finished or not.

    Example: railbird results matches/demo
    """
    from railbird.arena.folder import MatchFolder
    from railbird.arena.tournament import read_tournament
    from railbird.cli.show import print_json
    from railbird.errors import MatchError

    if (folder / "tournament.json").exists():
        tournament_result = read_tournament(folder)
        if as_json:
            print_json({**tournament_result.to_json(), "folder": str(folder)})
        else:
            show_tournament(tournament_result, folder)
        return
    result = MatchFolder.open(folder).result()
    if result.won.shape[1] == 0:
        raise MatchError(f"{str(folder)!r} has no complete deal yet; go on with the command that began it")
    if as_json:
        print_json({**result.to_json(), "folder": str(folder)})
    else:
        show_match(result, folder)


def read_game(text: str, seats: int) -> Game:
    """The game of --game: a name with parameters, or a competition game file."""
    from railbird.errors import InvalidGameError
    from railbird.game.spec import named_game

    if not text.endswith(".game"):
        return named_game(text, seats)
    from railbird.formats.acpc import parse_game

    try:
        game = parse_game(Path(text).read_text(encoding="utf-8"), name=Path(text).stem)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidGameError(f"cannot read the game file {text!r}: {error}") from None
    if game.seats != seats:
        raise InvalidGameError(f"{text!r} is a game for {game.seats} players, not {seats}")
    return game


def folder_name(spec: MatchSpec) -> str:
    """A folder name that says what was played."""
    names = "-v-".join(re.sub(r"[^\w.-]+", "_", name).strip("_") for name in spec.names)
    style = "-duplicate" if spec.duplicate else ""
    return f"{names[:80]}-{spec.game.name}-{spec.hands}{style}-seed{spec.seed}"


def show_match(result: MatchResult, path: Path) -> None:
    """The result of a match in a form that stands alone."""
    from railbird.cli.show import say

    spec, deals = result.spec, result.won.shape[1]
    seats = "heads-up" if spec.game.seats == 2 else f"{spec.game.seats} seats"
    if not spec.duplicate:
        kind = "hands"
    elif spec.game.seats == 2:
        kind = "duplicate pairs"
    else:
        kind = f"deals, each played {spec.seating.streams} times"
    done = f"{deals:,}" if deals == spec.hands else f"{deals:,} of {spec.hands:,}"
    players = escape(" vs ".join(spec.names))
    say(f"[bold]{players}[/bold] | {escape(spec.game.name)} {seats} | {done} {kind} | seed {spec.seed}")
    if spec.game.seats == 2:
        _show_pair(result)
    else:
        _show_ring(result)
    _show_faults(result.faults)
    say(f"replay a hand: railbird replay {escape(shlex.quote(str(path)))} {min(17, deals - 1)}")


def _show_pair(result: MatchResult) -> None:
    from railbird.cli.show import further, rate, say

    first = result.players[0]
    spread = f"   SD {first.money.sd:.2f}" if first.money.count > 1 else ""
    say(f"  money      {rate(first.money)} sb/hand for {escape(first.name)} (95%){spread}")
    if first.duplicate:
        saved = (first.money.margin / first.duplicate.margin) ** 2 if first.duplicate.margin else 0
        fewer = f"   {saved:.1f}x fewer hands for the same certainty" if saved > 1.05 else ""
        say(f"  duplicate  {rate(first.duplicate)}{fewer}")
    ahead = result.spec.names[0 if first.best.mean > 0 else 1]
    verdict = further(first.best, "pairs" if first.duplicate else "hands")
    say(
        f"  {escape(ahead)} is better: the interval leaves out zero"
        if first.best.is_clear
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


def show_tournament(result: TournamentResult, path: Path) -> None:
    """The crosstable, best player first."""
    from rich.table import Table

    from railbird.cli.show import console, rate, say

    (first, second), one = next(iter(result.matches.items()))
    spec = one.spec
    kind = "duplicate pairs" if spec.duplicate else "hands"
    say(f"[bold]round robin[/bold] | {spec.game.name} heads-up | {spec.hands:,} {kind} each | seed {spec.seed}")
    order = result.ranking
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("  sb/hand (95%)", no_wrap=True)
    table.add_column("all", justify="right", style="bold", no_wrap=True)
    for place in range(len(order)):
        table.add_column(f"from {place + 1}", justify="right")
    for place, player in enumerate(order):
        cells = [rate(result.rate(player, other)) if other != player else "" for other in order]
        table.add_row(f"{place + 1} {escape(result.names[player])}", rate(result.overall[player]), *cells)
    console().print(table)
    _show_faults(result.faults)
    say(f"one match: railbird results {escape(shlex.quote(str(path / f'{first + 1:02}-{second + 1:02}')))}")


def _check_bots(players: list[str]) -> None:
    """Refuse unknown bots and parameters before anything is written."""
    from railbird.bots.registry import make_bot

    for player in dict.fromkeys(players):
        make_bot(player)
