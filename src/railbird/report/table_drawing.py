"""A table drawn for one seat: the others around it, the board, the own cards, what was done, and what can be done.

It is made of a `Sight`, so it holds what that seat may see and nothing else. It fits the terminal it is made for: first
the betting of earlier streets goes, then the boxes around the players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from railbird.cards import cards_text
from railbird.game.replayed import role
from railbird.play.person import Sight
from railbird.report.table_words import deeds, hand_name, street_name, table_title
from railbird.results.parts import plain

_SEAT_COLUMNS = 16
"""Least width of a player's box."""
_WIDEST_SEAT = 26
_SEAT_LINES = 4
_LOG_LINES = 4
"""So many lines of betting are worth more than long names."""
_HIDDEN = "▒▒"
_EMPTY = "  "
_GAP = "  "


@dataclass(frozen=True)
class Footer:
    """What stands below the table: a remark, and the keys with what they do."""

    remark: str = ""
    keys: Sequence[tuple[str, str]] = ()
    prompt: str = ""
    """What is being typed, instead of keys."""


def picture(sight: Sight, standing: str, footer: Footer, width: int, height: int) -> RenderableType:
    """The table in `width` columns and at most `height` lines."""
    title = Text(f"{table_title(sight.view)}  ", style="bold", no_wrap=True, overflow="ellipsis")
    title.append(standing, style="not bold")
    board, own, below = _board_lines(sight), _own_lines(sight, width), _footer_lines(footer, width)
    if height < len(sight.view.names) + len(board) + len(own) + len(below):
        board, own = [_one_line(board, width)], [_one_line(own, width)]
    seats, used = _others(sight, width, height - 1 - len(board) - len(own) - len(below))
    used += 1 + len(board) + len(own) + len(below)
    log = _log_lines(sight, width)
    log = log[-(height - used) :] if height > used else []
    spare = height - used - len(log)
    # Blank lines where there is room for them, first where they are needed most.
    before_keys, before_log, before_seats, before_own = (spare > wanted for wanted in range(4))
    blocks: tuple[tuple[bool, Sequence[RenderableType]], ...] = (
        (False, [title]),
        (before_seats, [seats]),
        (before_seats and spare > 4, board),
        (before_own, own),
        (before_log, log),
        (before_keys, below),
    )
    return Group(*[line for is_apart, lines in blocks for line in ([Text(""), *lines] if is_apart else lines)])


def _others(sight: Sight, width: int, room: int) -> tuple[RenderableType, int]:
    """The other players in the order in which they sit, in boxes or, where there is little room, a line each; and how
    many lines that takes."""
    view = sight.view
    seats = len(view.names)
    others = [(view.position + step) % seats for step in range(1, seats)]
    longest = max(len(_named(sight, position)) for position in others) + 6
    roomy, tight = [
        -(-len(others) // max(1, min(len(others), width // columns)))
        for columns in (min(_WIDEST_SEAT, max(_SEAT_COLUMNS, longest)), _SEAT_COLUMNS)
    ]
    rows = roomy if roomy * _SEAT_LINES + _LOG_LINES <= room else tight
    if rows * _SEAT_LINES > room:
        live = [p for p in others if len(others) <= room or not view.betting.folded >> p & 1]
        lines = [_seat_line(sight, position, width) for position in live][: max(0, room)]
        return Group(*lines), len(lines)
    across = -(-len(others) // rows)
    columns = min(_WIDEST_SEAT, width // across)
    grid = Table.grid(padding=0)
    for at in range(0, len(others), across):
        grid.add_row(*[_seat_box(sight, position, columns) for position in others[at : at + across]])
    return grid, rows * _SEAT_LINES


def page(lines: Sequence[Text], footer: Footer, width: int, height: int) -> RenderableType:
    """Lines of text instead of the table, with the footer at the end."""
    below = _footer_lines(footer, width)
    return Group(*lines[: height - len(below) - 1], Text(""), *below)


def page_lines(footer: Footer, width: int, height: int) -> int:
    """How many lines a page has room for."""
    return max(1, height - len(_footer_lines(footer, width)) - 1)


def _seat_box(sight: Sight, position: int, columns: int) -> RenderableType:
    """A player: name, cards, the bet in front, what was done on this street, and chips behind."""
    view = sight.view
    node, inside = view.betting, columns - 2
    is_folded = bool(node.folded >> position & 1)
    title = plain(_named(sight, position, columns - 6))
    doing = _doing(sight, position)
    stack = "" if view.game.stacks is None else f"{view.game.stacks[position] - node.committed[position]:,}"
    body = Text("\n").join(
        [
            _both_ends(_cards(sight, position), _bet(sight, position), inside),
            _both_ends(plain(doing if len(doing) + len(stack) < inside else doing.partition(" ")[0]), stack, inside),
        ]
    )
    style = "dim" if is_folded else "bold yellow" if _is_busy(sight, position) else ""
    return Panel(
        body, title=title, title_align="left", padding=0, width=columns, height=_SEAT_LINES, border_style=style
    )


def _seat_line(sight: Sight, position: int, width: int) -> Text:
    """The same in one line."""
    text = Text("> " if _is_busy(sight, position) else "  ")
    text.append_text(plain(f"{_named(sight, position, 22):<23}"))
    text.append_text(_cards(sight, position))
    text.append_text(plain(f"  {_bet(sight, position)}  {_doing(sight, position)}"))
    text.truncate(width, overflow="ellipsis")
    return text


def _board_lines(sight: Sight) -> list[Text]:
    """The board, with room for the cards to come, and the pot beside it."""
    view = sight.view
    slots = sum(view.game.board_cards)
    faces = [cards_text([card], pretty=True) for card in view.board_cards]
    side = ["", f"pot {view.pot_chips:,}", ""]
    return _beside([*faces, *[_EMPTY] * (slots - len(faces))], side)


def _own_lines(sight: Sight, width: int) -> list[Text]:
    """The own cards, and beside them who and what one is."""
    view = sight.view
    node, position = view.betting, view.position
    faces = [cards_text([card], pretty=True) for card in view.hole_cards]
    bet = _bet(sight, position)
    chips = "" if view.game.stacks is None else f"{view.game.stacks[position] - node.committed[position]:,} behind"
    who = _GAP.join(filter(None, [_named(sight, position), bet]))
    side = [who, hand_name(view), _GAP.join(filter(None, [_doing(sight, position), chips]))]
    lines = _beside(faces, side)
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    offset = 4 * len(faces) + len(_GAP)
    style = "dim" if node.folded >> position & 1 else "bold yellow" if _is_busy(sight, position) else "bold"
    lines[0].stylize(style, offset)
    return lines


def _beside(faces: Sequence[str], side: Sequence[str]) -> list[Text]:
    """Cards in a row, each in a frame, with three lines of words beside them."""
    rows = [Text(), Text(), Text()]
    for face in faces:
        frame = "dim" if face == _EMPTY else ""
        rows[0].append("╭──╮", frame)
        rows[1].append("│", frame).append_text(plain(face)).append("│", frame)
        rows[2].append("╰──╯", frame)
    for row, words in zip(rows, side):
        row.append(_GAP if faces else "").append_text(plain(words))
        row.no_wrap = True
    rows[1].stylize("bold")
    return rows


def _one_line(framed: Sequence[Text], width: int) -> Text:
    """Cards and words without frames, for terminals of few lines."""
    line = Text(_GAP).join([row for at in (1, 0, 2) if (row := _unframed(framed[at])).plain])
    line.truncate(width, overflow="ellipsis")
    return line


def _unframed(row: Text) -> Text:
    """What stands in a row beside frames."""
    words = row.plain.translate(dict.fromkeys(map(ord, "╭╮╰╯─"))).replace("│", " ")
    return plain(" ".join(words.split()))


def _log_lines(sight: Sight, width: int) -> list[Text]:
    """What was done, a street a line, longer ones in several."""
    found: list[Text] = []
    for street, done in enumerate(deeds(sight.view)):
        lines = _wrapped(done, width - 10)
        is_now = street == sight.view.betting.street and street > 0
        names = [street_name(sight.view.game, street)] if lines or is_now else []
        for name, words in zip_longest(names, lines, fillvalue=""):
            found.append(Text(f"{name:<10}", style="dim").append(words, style="not dim"))
    return found


def _wrapped(parts: Sequence[str], width: int) -> list[str]:
    """Words joined by commas in lines that are no wider than this, if that can be."""
    lines: list[str] = []
    for at, part in enumerate(parts):
        words = part + ("," if at < len(parts) - 1 else "")
        if lines and len(lines[-1]) + 1 + len(words) <= width:
            lines[-1] += f" {words}"
        else:
            lines.append(words)
    return lines


def _footer_lines(footer: Footer, width: int) -> list[Text]:
    """The remark in as many lines as it takes, and the keys in one, or what is being typed."""
    lines = [plain(line) for line in wrap(footer.remark, width)] or [Text("")]
    if footer.prompt:
        return [*lines, Text(footer.prompt, style="bold")]
    keys = Text()
    rows = []
    for key, words in footer.keys:
        if keys and len(keys) + len(key) + len(words) + 3 > width:
            rows.append(keys)
            keys = Text()
        keys.append(f" {key} ", style="reverse").append(f" {words}{_GAP}")
    return [*lines, *rows, keys]


def _named(sight: Sight, position: int, room: int = 40) -> str:
    """The name, cut if there is no room for it, and what the position is called."""
    title = role(sight.view.game, position).replace("button", "D")
    called, name = f" ({title})" if title else "", sight.view.names[position]
    room -= len(called)
    return (name if len(name) <= room else f"{name[: room - 1]}…") + called


def _cards(sight: Sight, position: int) -> Text:
    """The cards of another player as far as they may be seen."""
    is_folded = bool(sight.view.betting.folded >> position & 1)
    if position in sight.shown:
        text = plain(cards_text(sight.shown[position], pretty=True))
        text.stylize("dim" if is_folded else "bold")
        return text
    if is_folded:
        return Text("folded", style="dim")
    return Text(" ".join([_HIDDEN] * sight.view.game.hole_cards), style="blue")


def _bet(sight: Sight, position: int) -> str:
    """What lies in front of a player; at the end what was won or lost."""
    if sight.payoffs:
        won = sight.payoffs[position]
        return f"{won:+,}" if won else "0"
    chips = sight.view.betting.street_bets[position]
    return f"bet {chips:,}" if chips else ""


def _doing(sight: Sight, position: int) -> str:
    """What a player did last on this street."""
    view = sight.view
    name = view.names[position] + " "
    done = [words for words in deeds(view)[view.betting.street] if words.startswith(name)]
    return done[-1].removeprefix(name) if done else ""


def _is_busy(sight: Sight, position: int) -> bool:
    return sight.view.betting.to_act == position


def _both_ends(left: Text, right: str, width: int) -> Text:
    """Words at both ends of a line; where there is no room for both, the left ones are cut."""
    room = max(0, width - len(right) - (1 if right else 0))
    line = left.copy()
    if len(line) > room:
        line.truncate(room, overflow="ellipsis")
    return Text("").append_text(line).append(" " * (width - len(line) - len(right))).append(right)
