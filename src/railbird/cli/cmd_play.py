"""railbird play."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from railbird.bots.reasons import Explanation
from railbird.cli.console import tell
from railbird.cli.keyboard import Keyboard, has_keys
from railbird.cli.live_table import LiveTable
from railbird.cli.options import GameOption, checked_delay
from railbird.cli.plain_table import Advice, PlainTable
from railbird.cli.show import counting_bar, show
from railbird.errors import RailbirdError
from railbird.files import file_name, file_names
from railbird.game.view import PlayerView
from railbird.play.advisor import Advisor
from railbird.play.folder import MatchFolder
from railbird.play.person import LeaveTable, Person
from railbird.play.sitting import Sitting, table_spec
from railbird.play.sitting_report import sitting_report
from railbird.results.result import WIDTH
from railbird.stopping import finishing

TableSeed = Annotated[
    int | None,
    typer.Option("--seed", help="The same seed gives the same cards.  \\[default: by chance]", show_default=False),
]
Delay = Annotated[
    float | None,
    typer.Option(
        "--delay",
        min=0,
        callback=checked_delay,
        help="Seconds after each action.  \\[default: 0.6, in plain text 0]",
        show_default=False,
    ),
]


def play(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="One to nine players to sit down with.", show_default=False),
    ],
    hands: Annotated[
        int | None, typer.Option("--hands", "-n", min=1, help="Leave after so many hands.", show_default=False)
    ] = None,
    game: GameOption = "limit",
    name: Annotated[str, typer.Option("--name", help="Your name at the table.")] = "you",
    seat: Annotated[
        int, typer.Option("--seat", help="Your seat, from 1; the bots take the others in their order.")
    ] = 1,
    advisor: Annotated[
        str | None,
        typer.Option("--advisor", help="The bot that ? asks.  \\[default: the best that plays the game]"),
    ] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Show all cards after each hand.")] = False,
    seed: TableSeed = None,
    delay: Delay = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for the hands; by default one for these players here.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text instead of a drawn table.")] = False,
) -> None:
    """Sit down at a table with bots: keys, hidden cards, advice on request, and a report when you leave.

    f folds, c checks or calls, r bets or raises (where amounts are free it asks how much), ? says what the advisor
    would do and why, q leaves. Every hand is kept in the folder when it is over, and a hand that you leave goes on next
    time. The same command sits down at the same table again; bots that learn remember you. On a pipe, and with --plain,
    the table speaks in lines and reads lines.

    Example: railbird play loki expert --hands 3
    """
    person = Person(name)
    path = out or Path("matches") / _folder_name(bots, name, seat, game, seed)
    spec = table_spec(path, bots, person, game, seat, seed)
    spec.housed_in(path)
    helper = Advisor(spec.game, advisor)
    for place in range(spec.game.seats):
        spec.roster.prepare(place)
    folder = MatchFolder.create(path, spec)
    with folder.lock(), finishing():  # Ctrl-C leaves the table, and the report follows
        sitting = Sitting(folder, person)

        def advise(view: PlayerView) -> Explanation:
            return helper.advise(view, sitting.past())

        with _asked_to_leave():
            if plain or not _can_draw():
                _play_plain(sitting, advise, hands, reveal, delay or 0.0)
            else:
                _play_live(sitting, advise, hands, reveal, 0.6 if delay is None else delay)
        _report(sitting)


def _play_plain(sitting: Sitting, advise: Advice, hands: int | None, reveal: bool, delay: float) -> None:
    where = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    is_person = sys.stdin is not None and sys.stdin.isatty()
    with redirect_stdout(sys.stderr):  # what bots print does not belong to the table
        sitting.play(PlainTable(where, sys.stdin, advise, delay, pauses=is_person), hands=hands, reveal=reveal)


def _play_live(sitting: Sitting, advise: Advice, hands: int | None, reveal: bool, delay: float) -> None:
    said = StringIO()
    try:
        with ExitStack() as stack:
            # Without a buffer, as with PYTHONUNBUFFERED, the alarm that limits thinking could cut a drawing short.
            out = stack.enter_context(open(sys.stdout.fileno(), "w", encoding=sys.stdout.encoding, closefd=False))
            keyboard = stack.enter_context(Keyboard())
            screen = LiveTable(Console(file=out, highlight=False), keyboard, advise, delay)
            stack.enter_context(screen)
            stack.enter_context(redirect_stdout(said))
            stack.enter_context(redirect_stderr(said))
            screen.stand(sitting.won_chips, sitting.hands)
            sitting.play(screen, hands=hands, reveal=reveal)
    finally:
        if said.getvalue():
            tell(said.getvalue().rstrip("\n"), stderr=True)


def _report(sitting: Sitting) -> None:
    """What came of it. Who does not want to wait for DIVAT is told of the money."""
    try:
        report = sitting_report(sitting, progress=counting_bar)
    except (KeyboardInterrupt, RailbirdError) as error:
        tell(f"no DIVAT: {error or 'interrupted'}", stderr=True)
        report = sitting_report(sitting, with_divat=False)
    show(report, as_json=False)


def _can_draw() -> bool:
    """Whether there is a terminal at both ends that can draw frames and suits."""
    where = Console(file=sys.stdout)
    return has_keys() and where.is_terminal and not where.is_dumb_terminal and not where.options.ascii_only


@contextmanager
def _asked_to_leave() -> Iterator[None]:
    """Leave the table in order when the process is asked to end, or its terminal is closed."""

    def leave(_signal: int, _frame: object) -> None:
        raise LeaveTable

    asked = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.signal(number, leave) for number in asked}
    try:
        with suppress(LeaveTable):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _folder_name(bots: list[str], name: str, seat: int, game: str, seed: int | None) -> str:
    """A folder for these players in these seats; a seed that was asked for has a table of its own."""
    seated = [*bots[: seat - 1], name, *bots[seat - 1 :]]
    names = file_names(seated)
    return f"{names[:80]}-{file_name(game)}" + (f"-seed{seed}" if seed is not None else "")
