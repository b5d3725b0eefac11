"""A format of hand histories in one file, for a poker room that does not exist.

Its files look like this, with heads-up limit hold'em only, the button first:

    MyRoom hand 7, bets 2/4
    Ann has Ah Kd
    Bob has 7c 7d
    board 2s 9h Tc 4d Jc
    betting crc/crc/cc/cc
    Bob wins 6

`railbird` reads such files everywhere once a package says in its pyproject.toml

    [project.entry-points."railbird.formats"]
    myroom = "my_room:FORMAT"
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from railbird.cards import cards_text, parse_cards
from railbird.errors import InvalidRecordError
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import Block, HistoryFile
from railbird.formats.readers import Format
from railbird.game.record import HandRecord
from railbird.game.spec import Game, Structure, limit_holdem
from railbird.game.telling import Telling
from railbird.numbers import whole_number

FIRST = re.compile(r"MyRoom hand (\d{1,15}), bets (\d{1,9})/(\d{1,9})")
SEAT = re.compile(r"(.+) has ((?:\w\w ?)*)")


def recognises(beginning: str) -> bool:
    return beginning.lstrip().startswith("MyRoom hand ")


def read(file: HistoryFile, _game: Game | None) -> Iterator[HandRecord | Problem]:
    for block in file.blocks(lambda line: line.startswith("MyRoom hand ")):
        yield file.judged(block.line, hand_of, block)


def hand_of(block: Block) -> HandRecord:
    """The hand of some lines. Whatever it refuses sets the hand aside; `judged` holds the rest against the rules."""
    first = FIRST.fullmatch(block.lines[0])
    seats = [found for line in block.lines if (found := SEAT.fullmatch(line))]
    rest = dict(line.split(" ", 1) for line in block.lines if line.startswith(("board ", "betting ")))
    won = re.fullmatch(r"(.+) wins (\d{1,15})", block.lines[-1])
    if first is None or len(seats) != 2 or won is None or "betting" not in rest:
        raise InvalidRecordError("no hand of MyRoom, or only a part of one", "incomplete")
    small, big = whole_number(first[2], 2, 10**9), whole_number(first[3], 2, 10**9)
    names = [seat[1] for seat in reversed(seats)]  # by position: heads-up the big blind is first
    chips = int(won[2]) if won[1] == names[0] else -int(won[2])
    return HandRecord(
        game=limit_holdem(small_bet=small, big_bet=big),
        number=int(first[1]),
        names=tuple(names),
        holes=tuple(parse_cards(seat[2]) for seat in reversed(seats)),
        board=parse_cards(rest.get("board", "")),
        history=rest["betting"],
        payoffs=(chips, -chips),
        telling=Telling("myroom", hand=first[1]),
    )


def write(records: Iterable[HandRecord]) -> Iterator[str]:
    for record in records:
        bets, winner = record.game.bet_sizes, max((0, 1), key=lambda position: record.payoffs[position])
        lines = [f"MyRoom hand {record.number}, bets {bets[0]}/{bets[-1]}"]
        lines += [f"{record.names[p]} has {_spaced(record.holes[p])}" for p in (1, 0)]
        lines += [f"board {_spaced(record.board)}"] if record.board else []
        lines += [f"betting {record.history}", f"{record.names[winner]} wins {record.payoffs[winner]}", ""]
        yield "\n".join(lines) + "\n"


def refuses(record: HandRecord) -> str:
    game = record.game
    is_known = game.is_holdem and game.seats == 2 and game.structure is Structure.FIXED_LIMIT
    return "" if is_known else "MyRoom has heads-up limit hold'em only"


def unsaid(record: HandRecord) -> list[str]:
    return ["stacks"] if record.game.stacks else []


def _spaced(cards: tuple[int, ...]) -> str:
    return " ".join(cards_text([card]) for card in cards)


FORMAT = Format("myroom", "MyRoom history", recognises, read, write, unsaid, (".myroom",), refuses)

if __name__ == "__main__":
    text = __doc__.split("button first:\n\n")[1].split("\n\n`railbird`")[0].replace("    ", "")
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "hands.myroom"
    if not path.exists():
        path.write_text(text)
    for found in FORMAT.read(HistoryFile(path), None):
        print("".join(FORMAT.write([found])) if isinstance(found, HandRecord) else found)
