"""railbird assess."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.assess.assessed_tables import AssessedHands, AssessedTable
from railbird.cli.console import tell
from railbird.cli.options import Json
from railbird.cli.show import counting_bar, show
from railbird.errors import AssessmentError
from railbird.play import assessing
from railbird.play.match_logs import good_hands
from railbird.report.assessment import write_picture, write_report
from railbird.report.table_report import write_tables
from railbird.results.figures import check_drawing

Html = Annotated[
    Path | None, typer.Option("--html", help="Write a page with lines, leaks or positions, and hands to replay.")
]
Png = Annotated[Path | None, typer.Option("--png", help="Write the picture of the first pair of players.")]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--settings",
        help="standard, or with other thresholds: standard:fold=faced; a row of Kan's "
        "Tables 4.1 and 4.2, standard:turn_bets=aggressive-low; or numbers, "
        "standard:flop_bets=0.58/0.825/0.93/0.965 (hand ranks worth 1 to 4 bets) and "
        "standard:turn_folds=0.05 (fold offset); standard:rollout=7chr rolls out before the flop by "
        "seven-card rank, as Kan did. Join several with commas. Given again, the mean of all counts.",
    ),
]
Runtime = Annotated[
    bool, typer.Option("--runtime", help="Count hands with hidden cards by money (not proven to be unbiased).")
]
Hand = Annotated[int | None, typer.Option("--hand", help="Show the hand of this number street by street.")]
GameOfLogs = Annotated[str | None, typer.Option("--game", "-g", help="The logs' game: a name or a game file.")]
Known = Annotated[
    list[str] | None,
    typer.Option(
        "--known",
        help="A player whose probabilities are known, by name (equilibrium) or with the bot that he is "
        "(Ann=sparbot): more luck is taken out, by AIVAT (docs/measures.md). Can be given for several.",
    ),
]
Mivat = Annotated[
    str,
    typer.Option(
        "--mivat",
        help="Whose coefficients MIVAT has: a file of railbird build mivat, or own for those of these very hands, "
        "cross-fitted. By default those that ship.",
    ),
]


def assess(
    logs: Annotated[list[Path], typer.Argument(help="Logs, histories, hand stores and match folders.")],
    html: Html = None,
    png: Png = None,
    settings: SettingsOption = None,
    runtime: Runtime = False,
    hand: Hand = None,
    game: GameOfLogs = None,
    known: Known = None,
    mivat: Mivat = "",
    as_json: Json = False,
) -> None:
    """Say what was skill and what was luck in logs, histories and stores of hands.

    Heads-up limit hold'em: DIVAT holds what each player did against a baseline that bets for value, street by street,
    both hands known. It has the mean of money and a fraction of its variance, so fewer hands tell who plays better.

    Other games, three and more players: money, all-in equity, money less the luck of flop, turn and river, and MIVAT,
    with that of the hole cards, which all have that mean too. Where cards are hidden, it is said what remains, and only
    that is told.

    Of a player whose probabilities are known (--known equilibrium; at any table, --known expert) AIVAT takes out more:
    what he might have held, and what he drew by chance.

    Hands that do not fit the game are left out and counted. Where they are more than a trace, or just those with
    certain results, the others say nothing: there is no result, and the exit code is 1. Rake is taken into account.

    Example: railbird assess matches/demo --html report.html
    """
    if hand is not None and (html or png):
        raise AssessmentError("--hand shows one hand on the terminal; leave it out for --html and --png")
    for path in (html, png):
        if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
            raise AssessmentError(f"{str(path)!r} cannot be written: it is a folder, or its folder does not exist")
    if png:
        check_drawing()
    how = settings or "standard"
    if hand is not None and not runtime:
        show(assessing.hand_of(logs, hand, how, game=game, progress=counting_bar), as_json)
        return
    whole = bool(html or png or hand is not None)
    found = assessing.assess(
        logs,
        how,
        runtime=runtime,
        game=game,
        known=known or (),
        mivat=mivat,
        whole=whole,
        progress=counting_bar,
    )
    show(found if hand is None else found.hand(hand), as_json)
    written = _written(found, html, png, logs, game)
    if not as_json:
        if not runtime and _hides_cards(found):
            tell("count the hidden hands by money: the same command with --runtime")
        for path in written:
            tell(f"wrote {path}")


def _hides_cards(found: assessing.Assessed) -> bool:
    """Whether there is no DIVAT because cards are hidden."""
    results = found.results if isinstance(found, AssessedHands) else ()
    return any(isinstance(each, AssessedTable) and each.runtime is not None for each in results)


def _written(
    found: assessing.Assessed, html: Path | None, png: Path | None, logs: list[Path], game: str | None
) -> list[Path]:
    """The page and the picture that were asked for; the page of other games than heads-up limit reads the hands again,
    since they need not fit into memory."""
    log = found.limit_log
    if log is not None and (html or png) and not log.pairs:
        raise AssessmentError("there is nothing to draw: no hand of the log shows all hole cards")
    paths = []
    if html:
        named, hands = str(logs[0]) + (f" and {len(logs) - 1:,} more" if logs[1:] else ""), good_hands(logs, game)
        paths.append(write_report(html, list(log.pairs), log.hands) if log else write_tables(html, found, hands, named))
    if png:
        paths.append(write_picture(png, log.pairs[0]) if log else found.plot().save(png))
    return paths
