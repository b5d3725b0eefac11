"""railbird watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from railbird.modeling.frames import Frame

_PANEL = 31  # columns of one heat map with its labels and the gap to the next
_PANEL_LINES = 10
_DIGITS_LEGEND = (
    "squares of digits: how well holdings go with what a player has done, in tenths (9 for all of it); pairs on the "
    "diagonal from aces down, suited above it; a dot for what the board rules out\n"
)


def watch(
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help="Two to ten players.", show_default=False)],
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands to play.", min=1)] = 3,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The match seed: the same hands as railbird match.")] = 1,
    delay: Annotated[
        float | None,
        typer.Option("--delay", help="Seconds between actions.  [default: 1, on a pipe 0]", min=0, show_default=False),
    ] = None,
) -> None:
    """Play hands on the terminal, and show after each action what it says about the cards of the player.

    Every player still in the hand has a heat map of the 169 classes of holdings, pairs on the diagonal from aces down,
    suited classes above it: green for holdings that go with all that the player has done, purple for those that do not.
    The weights are those of Loki's opponent model, which sees public actions only. Beside a name stand the cards that
    the player really has, and their weight.

    Example: railbird watch loki loki-gom bpl --hands 5 --seed 7
    """
    from itertools import chain

    from railbird.cli.console import console
    from railbird.cli.show import compiling_note
    from railbird.game.spec import limit_holdem
    from railbird.play.match import MatchSpec

    where = console()
    spec = MatchSpec(limit_holdem(len(bots)), tuple(bots), hands, seed)
    # Without colours, or blocks to colour, there are no heat maps, so a plain terminal is treated like a pipe.
    has_blocks = not where.options.ascii_only
    is_live = where.is_terminal and where.color_system is not None and not where.no_color and has_blocks
    pause = (1.0 if where.is_terminal else 0.0) if delay is None else delay
    with compiling_note():
        from railbird.modeling.frames import frames
        from railbird.modeling.table_model import TableModel
        from railbird.play.hands import played_hands

        model = TableModel(specific=True)
        following = (list(frames(played.record, model)) for played in played_hands(spec))
        first = next(following)
    if not is_live:
        where.print(_DIGITS_LEGEND, soft_wrap=True)
    for shown in chain([first], following):
        if is_live:
            _show_live(where, shown, pause, hands)
        else:
            _print_blocks(where, shown, pause, hands)


def _show_live(where: Console, shown: Sequence[Frame], pause: float, hands: int) -> None:
    """One picture that changes with each action and stays when the hand is over."""
    from time import sleep

    from rich.live import Live

    with Live(console=where, auto_refresh=False, vertical_overflow="crop") as live:
        for at in range(len(shown)):
            live.update(picture(shown[: at + 1], hands, where.width, where.height), refresh=True)
            sleep(pause)
        live.update(picture(shown, hands, where.width, where.height, is_over=True), refresh=True)
        sleep(pause)


def _print_blocks(where: Console, shown: Sequence[Frame], pause: float, hands: int) -> None:
    """One block of lines for each action, with the weights of the player who acted as digits if they changed."""
    from time import sleep

    where.print(_headline(shown[0], hands), soft_wrap=True)
    for frame in shown[1:]:
        where.print(
            f"\n{_street(frame, pretty=not where.options.ascii_only)}: {_deed(frame)}; pot {frame.after.pot}",
            soft_wrap=True,
        )
        if frame.changed:
            where.print(_digits(frame, frame.before.to_act))
        sleep(pause)
    where.print("\n" + _outcome(shown[-1]) + "\n", soft_wrap=True)


def picture(shown: Sequence[Frame], hands: int, width: int, height: int, is_over: bool = False) -> RenderableType:
    """The table after the last of the frames: headline, what was done on each street, and the heat maps."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    frame = shown[-1]
    lines: list[RenderableType] = [_headline(frame, hands)]
    log = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    log.add_column(style="bold", no_wrap=True)
    log.add_column(no_wrap=True)
    log.add_column(overflow="fold")
    used = 1
    for street in range(frame.before.street + 1):
        deeds = [_deed(f) for f in shown if f.action and f.before.street == street]
        text = ", ".join(deeds)
        log.add_row(*_street_parts(frame, street), text)
        used += 1 + len(text) // max(1, width - 24)
    lines += [log, Text(_outcome(frame) if is_over else ""), Text("")]
    used += 2 + len(_outcome(frame)) // width
    across = max(1, width // _PANEL)
    rows = max(1, (height - used - 1) // _PANEL_LINES)
    acted = frame.before.to_act if frame.action else -1
    live = [p for p in range(len(frame.weights)) if p in frame.after.live or p == acted]
    # Where there is no room for all, those who acted last matter most.
    hidden = len(live) - across * rows
    if hidden > 0:
        recent = {f.before.to_act: place for place, f in enumerate(shown) if f.action}
        live = sorted(sorted(live, key=lambda p: recent.get(p, -1))[hidden:])
    maps = Table.grid(padding=(0, 2, 0, 0))
    for at in range(0, len(live), across):
        maps.add_row(*(_heat_map(frame, position, position == acted) for position in live[at : at + across]))
    lines.append(maps)
    legend = "green fits what was done, purple does not; number: weight of the real cards"
    lines.append(Text(legend if hidden <= 0 else f"{hidden} more in the hand, whose maps have no room", style="dim"))
    return Group(*lines)


def _heat_map(frame: Frame, position: int, acted: bool) -> Text:
    """Two rows of classes to a line, as half blocks: 9 lines of 29 columns."""
    from railbird.cards import RANKS
    from railbird.odds.ranges import grid

    cells = grid(frame.shown_weights(position)).tolist()
    text = _nameplate(frame, position, acted)
    text.append("\n   " + " ".join(RANKS[::-1]) + "\n", style="dim")
    for row in range(0, 13, 2):
        text.append(f"{RANKS[12 - row]}{RANKS[11 - row] if row < 12 else ' '} ", style="dim")
        for column in range(13):
            upper = _colour(cells[row][column])
            style = f"{upper} on {_colour(cells[row + 1][column])}" if row < 12 else upper
            text.append("▀▀", style=style)
        text.append("\n")
    return text


def _colour(weight: float) -> str:
    """The colour of a weight; grey for a class that cannot be dealt any more."""
    from math import isnan

    from railbird.cli.grid import heat_style

    return "rgb(100,100,100)" if isnan(weight) else heat_style(weight).partition(" on ")[2]


def _nameplate(frame: Frame, position: int, acted: bool) -> Text:
    """The name, the real cards, their weight and the average weight, in 29 columns."""
    from rich.text import Text

    from railbird.cards import cards_text

    cards = cards_text(frame.record.holes[position], pretty=True)
    weight = f"{frame.true_weight(position):.2f}"
    name = frame.record.names[position]
    room = _PANEL - 3 - len(cards) - len(weight) - 2
    name = name if len(name) <= room else name[: room - 1] + "…"
    text = Text()
    text.append(name, style="bold reverse" if acted else "bold")
    text.append(" " * (room - len(name) + 1) + f"{cards} {weight}")
    text.highlight_regex(r"\w[♦♥]", "red")
    return text


def _digits(frame: Frame, position: int) -> str:
    """The weights as a square of digits, in tenths (9 for all of it), dots for classes that meet the board."""
    from math import isnan

    from railbird.cards import RANKS, cards_text
    from railbird.odds.ranges import grid

    cells = grid(frame.shown_weights(position)).tolist()
    really = cards_text(frame.record.holes[position])
    lines = [
        f"  {frame.record.names[position]}: average weight {frame.weight_left(position):.2f}, "
        f"of {really} {frame.true_weight(position):.2f}",
        f"    {RANKS[::-1]}",
    ]
    for rank, row in zip(RANKS[::-1], cells):
        lines.append(f"  {rank} " + "".join("." if isnan(weight) else str(min(9, int(10 * weight))) for weight in row))
    return "\n".join(lines)


def _headline(frame: Frame, hands: int) -> Text:
    from rich.text import Text

    record = frame.record
    blinds = [f"{name} {blind}" for name, blind in zip(record.names, record.game.blinds) if blind]
    return Text(f"hand {record.number + 1} of {hands}  pot {frame.after.pot}  blinds {', '.join(blinds)}", style="bold")


def _street(frame: Frame, pretty: bool) -> str:
    title, board = _street_parts(frame, frame.before.street, pretty)
    return f"{title} {board}".strip()


def _street_parts(frame: Frame, street: int, pretty: bool = True) -> tuple[str, str]:
    from railbird.cards import cards_text
    from railbird.game.spec import STREETS

    return STREETS[street], cards_text(frame.record.board_on(street), pretty=pretty)


def _deed(frame: Frame) -> str:
    from railbird.game.replayed import verb

    position = frame.before.to_act
    return f"{frame.record.names[position]} {verb(frame.before, frame.after, str(frame.action))}"


def _outcome(frame: Frame) -> str:
    """Who won how much, and with what if it was shown."""
    from railbird.odds.ranks import rank_cards, rank_name

    record, final = frame.record, frame.after
    parts = []
    for position, chips in enumerate(record.payoffs):
        if chips > 0:
            hand = f" with {rank_name(rank_cards(record.holes[position] + record.board))}" if final.is_showdown else ""
            parts.append(f"{record.names[position]} wins {chips}{hand}")
    return ("showdown: " if final.is_showdown else "") + ("; ".join(parts) or "nobody wins anything")
