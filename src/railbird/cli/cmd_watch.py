"""railbird watch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from time import sleep
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from railbird.cli.console import console
from railbird.cli.match_options import check_count
from railbird.cli.options import checked_delay
from railbird.game.spec import limit_holdem
from railbird.modeling.table_model import TableModel
from railbird.modeling.watched_hands import Frame, frames
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.play.match_result import fault_parts
from railbird.play.seating import MOST_PLAYERS
from railbird.report.watched import DIGITS_LEGEND, deed, digits, headline, outcome, picture, street_text
from railbird.results.parts import plain
from railbird.results.result import print_parts


def watch(
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help="Two to ten players.", show_default=False)],
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands to play.", min=1)] = 3,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The match seed: the same hands as railbird match.")] = 0,
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay",
            help="Seconds between actions.  \\[default: 1, on a pipe 0]",
            min=0,
            callback=checked_delay,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play hands on the terminal, and show after each action what it says about the cards of the player.

    Every player still in the hand has a heat map of the 169 classes of holdings, pairs on the diagonal from aces down,
    suited classes above it: green for holdings that go with all that the player has done, purple for those that do not.
    The weights are those of Loki's opponent model, which sees public actions only. Beside a name stand the cards that
    the player really has, and their weight.

    Example: railbird watch loki loki-gom bpl --hands 5 --seed 7
    """
    check_count(bots, "match", MOST_PLAYERS)
    where = console()
    spec = MatchSpec(limit_holdem(len(bots)), tuple(bots), hands, seed)
    # Without colours, or blocks to colour, there are no heat maps, so a plain terminal is treated like a pipe.
    has_blocks = not where.options.ascii_only
    is_live = where.is_terminal and where.color_system is not None and not where.no_color and has_blocks
    pause = (1.0 if where.is_terminal else 0.0) if delay is None else delay
    model = TableModel(specific=True)
    following = ((list(frames(played.record, model)), played.faults) for played in played_hands(spec))
    first = next(following)
    if not is_live:
        where.print(DIGITS_LEGEND, soft_wrap=True)
    has_failed = False
    for shown, faults in chain([first], following):
        if is_live:
            _show_live(where, shown, pause, hands)
        else:
            _print_blocks(where, shown, pause, hands)
        print_parts(fault_parts(faults), where)
        has_failed |= bool(faults)
    if has_failed:
        raise typer.Exit(1)


def _show_live(where: Console, shown: Sequence[Frame], pause: float, hands: int) -> None:
    """One picture that changes with each action and stays when the hand is over."""
    with Live(console=where, auto_refresh=False, vertical_overflow="crop") as live:
        for at in range(len(shown)):
            live.update(picture(shown[: at + 1], hands, where.width, where.height), refresh=True)
            sleep(pause)
        live.update(picture(shown, hands, where.width, where.height, is_over=True), refresh=True)
        sleep(pause)


def _print_blocks(where: Console, shown: Sequence[Frame], pause: float, hands: int) -> None:
    """One block of lines for each action, with the weights of the player who acted as digits if they changed."""
    where.print(headline(shown[0], hands), soft_wrap=True)
    for frame in shown[1:]:
        street = street_text(frame, pretty=not where.options.ascii_only)
        where.print(plain(f"\n{street}: {deed(frame)}; pot {frame.after.pot}"), soft_wrap=True)
        if frame.changed:
            where.print(digits(frame, frame.before.to_act))
        sleep(pause)
    where.print(plain(f"\n{outcome(shown[-1])}\n"), soft_wrap=True)
