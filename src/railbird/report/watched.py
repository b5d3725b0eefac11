"""Hands as they are watched on a terminal: what was done, and heat maps of what it says about the players' cards."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from railbird.cards import RANKS, cards_text
from railbird.game.spec import STREETS
from railbird.modeling.watched_hands import Frame
from railbird.odds.ranges import grid
from railbird.report import table_words
from railbird.results.parts import heat_colours

_PANEL = 31  # columns of one heat map with its labels and the gap to the next
_PANEL_LINES = 10
DIGITS_LEGEND = (
    "squares of digits: how well holdings go with what a player has done, in tenths (9 for all of it); pairs on the "
    "diagonal from aces down, suited above it; a dot for what the board rules out\n"
)


def picture(shown: Sequence[Frame], hands: int, width: int, height: int, is_over: bool = False) -> RenderableType:
    """The table after the last of the frames: headline, what was done on each street, and the heat maps."""
    frame = shown[-1]
    lines: list[RenderableType] = [headline(frame, hands)]
    log = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    log.add_column(style="bold", no_wrap=True)
    log.add_column(no_wrap=True)
    log.add_column(overflow="fold")
    used = 1
    for street in range(frame.before.street + 1):
        deeds = [deed(f) for f in shown if f.action and f.before.street == street]
        text = ", ".join(deeds)
        log.add_row(*_street_parts(frame, street), text)
        used += 1 + len(text) // max(1, width - 24)
    lines += [log, Text(outcome(frame) if is_over else ""), Text("")]
    used += 2 + len(outcome(frame)) // width
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
    return "rgb(100,100,100)" if isnan(weight) else f"rgb({heat_colours(weight)[1]})"


def _nameplate(frame: Frame, position: int, acted: bool) -> Text:
    """The name, the real cards, their weight and the average weight, in 29 columns."""
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


def digits(frame: Frame, position: int) -> str:
    """The weights as a square of digits, in tenths (9 for all of it), dots for classes that meet the board."""
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


def headline(frame: Frame, hands: int) -> Text:
    record = frame.record
    blinds = [f"{name} {blind}" for name, blind in zip(record.names, record.game.blinds) if blind]
    return Text(f"hand {record.number + 1} of {hands}  pot {frame.after.pot}  blinds {', '.join(blinds)}", style="bold")


def street_text(frame: Frame, pretty: bool) -> str:
    title, board = _street_parts(frame, frame.before.street, pretty)
    return f"{title} {board}".strip()


def _street_parts(frame: Frame, street: int, pretty: bool = True) -> tuple[str, str]:
    return STREETS[street], cards_text(frame.record.board_on(street), pretty=pretty)


def deed(frame: Frame) -> str:
    return table_words.deed(frame.before, frame.after, str(frame.action), frame.record.names)


def outcome(frame: Frame) -> str:
    """Who won how much, and with what if it was shown."""
    record = frame.record
    holes = dict(enumerate(record.holes))
    return table_words.outcome(record.game, record.names, frame.after, holes, record.board, record.payoffs)
