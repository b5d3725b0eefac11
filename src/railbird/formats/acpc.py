"""Logs and game files of the Annual Computer Poker Competition.

One line of a log is one hand, everything in order of position (see `railbird.game.spec`):

    STATE:1:cc/rc/rc/crc:6sKs|5dJd/2sTh2h/Qh/8h:60|-60:Bob|Alice

Lines that begin with `#` or `;` are comments, and a last line `SCORE:-490|490:Alice|Bob` sums up in order of seats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from railbird.cards import cards_text, parse_cards
from railbird.errors import InvalidCardsError, InvalidGameError, UnreadableLineError
from railbird.game.betting import split_history
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_CHIPS, STREETS, Game, Structure
from railbird.numbers import quoted, whole_number

MOST_NUMBER = 10**15 - 1
"""Of a hand, and of the chips that it moves; a kernel reads as many digits."""
_CHUNK = 1 << 24
_NUMBER = re.compile(rb"^\s*STATE:(\d{1,15}):", re.MULTILINE)
_PARTS_OF_A_CHIP = re.compile(r"-?\d{1,9}\.\d{1,6}")
"""So few digits come back as they were from a float."""


class StateLine(NamedTuple):
    """A hand's line taken apart, for every reader of such lines: its parts in order of position, most of them text."""

    number: int
    history: str
    holes: list[str]
    board: str
    """With a slash between the streets, as in "2sTh2h/Qh"."""
    won: list[str]
    names: list[str]

    @classmethod
    def parse(cls, line: str) -> StateLine:
        """The parts of a line, which may end with a remark (a blank, a # and text); refuses what is no hand."""
        fields = without_remark(line.strip()).split(":")
        if len(fields) != 6 or fields[0] != "STATE":
            raise UnreadableLineError(f"not a hand: {_short(line)!r} (STATE:number:betting:cards:payoffs:names)")
        _, number, history, cards, won, names = fields
        if not number.isascii() or not number.isdigit():
            raise UnreadableLineError(f"hand number {quoted(number)} in {_short(line)!r} is not a number")
        holes, _, board = cards.partition("/")
        if len(number) > _MOST_DIGITS:
            raise UnreadableLineError(f"hand number {quoted(number)} has more than {_MOST_DIGITS} digits")
        return cls(int(number), history, holes.split("|"), board, won.split("|"), names.split("|"))

    def payoffs(self) -> tuple[float, ...]:
        """Chips won or lost: whole numbers, but for pots of which everybody got an equal share, to parts of a chip."""
        try:
            return tuple([_chips(chips) for chips in self.won])
        except ValueError:
            message = f"hand {self.number}: payoffs {quoted('|'.join(self.won))} are not chips"
            raise UnreadableLineError(message, "payoffs") from None

    def record(self, game: Game) -> HandRecord:
        """The hand as a record of a game. It is read, not judged: `record.check()` holds it against the rules."""
        try:
            holes = tuple([parse_cards(hole) for hole in self.holes])
            board = parse_cards(self.board.replace("/", ""))
        except InvalidCardsError as error:
            raise UnreadableLineError(f"hand {self.number}: {error}", "cards") from None
        if not all(part == "/" or part[0] in "fcr" for part in split_history(self.history)):
            raise UnreadableLineError(f"hand {self.number}: {quoted(self.history)} is not a betting string", "betting")
        return HandRecord(game, self.number, tuple(self.names), holes, board, self.history, self.payoffs())


def _chips(text: str) -> float:
    """An amount of chips: a whole number wherever it is one."""
    try:
        chips: float = int(text)
    except ValueError:
        if not _PARTS_OF_A_CHIP.fullmatch(text):
            raise
        chips = float(text)
        chips = int(chips) if chips.is_integer() else chips
    if not -MOST_NUMBER <= chips <= MOST_NUMBER:
        raise ValueError(f"more chips than {MOST_NUMBER}")
    return chips


def chips_text(chips: float) -> str:
    """An amount of chips as logs have it: trailing zeros are dropped.

    >>> chips_text(-5), chips_text(7.5), chips_text(10.0)
    ('-5', '7.5', '10')
    """
    return str(chips) if isinstance(chips, int) else f"{chips:.6f}".rstrip("0").rstrip(".")


def state_line(
    number: int, history: str, holes: Sequence[str], board: str, payoffs: Sequence[float], names: Sequence[str]
) -> str:
    """One hand as a line of a log, without the line end; `board` as in "/2sTh2h/Qh"."""
    won = "|".join([chips_text(chips) for chips in payoffs])
    return f"STATE:{number}:{history}:{'|'.join(holes)}{board}:{won}:{'|'.join(names)}"


def record_line(record: HandRecord) -> str:
    """The line of a log for a hand.

    >>> line = "STATE:1:cc/rc/rc/crc:6sKs|5dJd/2sTh2h/Qh/8h:60|-60:Bob|Alice"
    >>> game = parse_game("GAMEDEF limit numPlayers=2 numRounds=4 blind=10 5 raiseSize=10 10 20 20 firstPlayer=2 1 1 1"
    ...                   " maxRaises=3 4 4 4 numSuits=4 numRanks=13 numHoleCards=2 numBoardCards=0 3 1 1 END GAMEDEF")
    >>> record_line(parse_record(line, game)) == line
    True
    """
    return state_line(
        record.number,
        record.history,
        [cards_text(hole) for hole in record.holes],
        board_text(record.board, record.game),
        record.payoffs,
        record.names,
    )


def board_text(board: Sequence[int], game: Game) -> str:
    """The board with a slash before each street's cards."""
    letters, text, at = cards_text(board), "", 0
    for count in game.board_cards[1:]:
        if at >= len(letters):
            break
        text += "/" + letters[at : at + 2 * count]
        at += 2 * count
    return text


def parse_record(line: str, game: Game) -> HandRecord:
    """The hand of a STATE line, read but not judged."""
    return StateLine.parse(line).record(game)


def is_hand(line: str) -> bool:
    """Whether a stripped line should be a hand: it is not empty, no comment and no sum."""
    return bool(line) and line[0] not in "#;" and not line.startswith("SCORE")


def without_remark(line: str) -> str:
    """A line without the remark at its end.

    >>> without_remark("SCORE:-5|5:Ann|Bob  # 12:30")
    'SCORE:-5|5:Ann|Bob'
    """
    at = line.find("#")
    while at > 0:
        if line[at - 1].isspace():
            return line[:at].rstrip()
        at = line.find("#", at + 1)
    return line


def header(name: str, game_name: str, hands: int, seed: object) -> str:
    """The first line of a log; `seed` is any word that says what was dealt from."""
    return f"# name/game/hands/seed {name} {game_name} {hands} {seed}"


def score_line(totals: Sequence[int], names: Sequence[str]) -> str:
    """The last line of a log, in order of seats."""
    return f"SCORE:{'|'.join(map(str, totals))}:{'|'.join(names)}"


def named_game_file(beginning: str) -> str:
    """The name of the game file that the first line of a log tells, without its folder; empty where it tells none.

    >>> named_game_file("# name/game/hands/seed short.log /home/ann/holdem.limit.2p.game 20 0\\n")
    'holdem.limit.2p.game'
    """
    first, _, _ = beginning.partition("\n")
    words = first.removeprefix("\ufeff").split()
    told = words[-3] if first.startswith("# name/game/hands/seed ") and len(words) >= 5 else ""
    return told.replace("\\", "/").rsplit("/", 1)[-1]


def first_hand(beginning: str) -> StateLine | None:
    """The first hand of a log that begins so, as far as it can be read."""
    for line in beginning.splitlines():
        text = line.strip().removeprefix("\ufeff")
        if text.startswith("STATE"):
            with suppress(UnreadableLineError):
                return StateLine.parse(text)
    return None


def toy_game(beginning: str) -> str:
    """The toy game that a log is of which begins so, by its one hole card each; empty where it is of another.

    >>> toy_game("STATE:0:cc/cc:Qs|Ks/Ah:-1|1:Ann|Bob"), toy_game("STATE:0:cc:Qs|Ks:-1|1:Ann|Bob")
    ('leduc', 'kuhn')
    """
    first = first_hand(beginning)
    if first is None or {len(hole) for hole in first.holes if hole} != {2}:
        return ""
    hands = [line.split(":") for line in beginning.splitlines() if line.lstrip().startswith("STATE:")]
    return "leduc" if any(len(fields) > 2 and "/" in fields[2] for fields in hands) else "kuhn"


def is_log(beginning: str) -> bool:
    """Whether a file that begins so is such a log: its first line that is no comment is a hand or a sum.

    >>> is_log("# a comment\\nSTATE:0:rf:JdAc|TcTs:-2|2:Ann|Bob\\n"), is_log("PokerStars Hand #1")
    (True, False)
    """
    lines = (line.strip().removeprefix("\ufeff") for line in beginning.splitlines())
    first = next((line for line in lines if line and line[0] not in "#;"), "STATE")
    return first.startswith(("STATE", "SCORE"))


def find_hands(path: Path, number: int, most: int = 1) -> list[tuple[int, str]]:
    """The lines of the hands of a number in a log, `most` of them, each with its line number; nothing else is read."""
    found: list[tuple[int, str]] = []
    wanted, before = b"STATE:%d:" % number, 0
    for data in _line_chunks(path):
        at = data.find(wanted)
        while at >= 0:
            start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
            if not data[start:at].removeprefix(b"\xef\xbb\xbf").strip():
                line = data[at : end if end >= 0 else len(data)].decode(errors="replace").strip()
                found.append((before + 1 + data.count(b"\n", 0, at), line))
                if len(found) == most:
                    return found
            at = data.find(wanted, at + 1)
        before += data.count(b"\n")
    return found


def hand_numbers(path: Path) -> tuple[int, int] | None:
    """The lowest and the highest number of a hand in a log."""
    found: list[int] = []
    for data in _line_chunks(path):
        numbers = [int(number) for number in _NUMBER.findall(data)]
        found = [min([*found, *numbers]), max([*found, *numbers])] if found or numbers else []
    return (found[0], found[1]) if found else None


def _line_chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file in large pieces of whole lines, whatever their line ends are."""
    with path.open("rb") as file:
        rest = file.read(_CHUNK)
        is_old = b"\n" not in rest and b"\r" in rest
        while rest:
            more = file.read(_CHUNK)
            rest = rest.replace(b"\r", b"\n") if is_old else rest
            end = rest.rfind(b"\n") + 1 if more else len(rest)
            if end:
                yield rest[:end]
            rest = rest[end:] + more


_MOST_DIGITS = len(str(MOST_NUMBER))

_NUMBERS = {
    "numplayers",
    "numrounds",
    "blind",
    "raisesize",
    "firstplayer",
    "maxraises",
    "numsuits",
    "numranks",
    "numholecards",
    "numboardcards",
    "stack",
}


def parse_game(text: str, name: str = "") -> Game:
    """The game of a game file. Keywords are case-insensitive; blank lines and comments are ignored."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    words = " ".join(lines).replace("=", " ").split()
    values: dict[str, list[int]] = {}
    kind, key = None, None
    for word in words:
        lowered = word.lower()
        if lowered in ("limit", "nolimit"):
            kind, key = lowered, None
        elif lowered in _NUMBERS:
            key = lowered
            values[key] = []
        elif word.isascii() and word.isdigit() and key:
            values[key].append(_file_number(word, key))
        elif lowered not in ("gamedef", "end"):
            raise InvalidGameError(f"{quoted(word)} in the game file is neither a keyword nor a number")
    missing = {"numplayers", "numrounds", "blind", "numboardcards"} - values.keys()
    if kind is None or missing or any(not numbers for numbers in values.values()):
        lacking = ", ".join(sorted(missing)) or "limit or nolimit, or a value"
        raise InvalidGameError(f"the game file lacks {lacking}")
    rounds, players = values["numrounds"][0], values["numplayers"][0]
    if rounds > len(STREETS):
        raise InvalidGameError(f"{rounds} rounds in the game file; a game has at most {len(STREETS)}")
    blinds = tuple(values["blind"])
    if len(blinds) != players:
        raise InvalidGameError(f"{len(blinds)} blinds for {players} players in the game file")
    first = [place - 1 for place in values.get("firstplayer", [1])]
    raises: list[int | None] = list(values.get("maxraises", [])) or [None]
    limit = kind == "limit"
    sizes = values.get("raisesize", []) if limit else [max(blinds)]
    if not sizes:
        raise InvalidGameError("the game file lacks raiseSize, which a limit game needs")
    return Game(
        name=name or ("limit" if limit else "no-limit"),
        structure=Structure.FIXED_LIMIT if limit else Structure.NO_LIMIT,
        blinds=blinds,
        bet_sizes=_each(sizes, rounds),
        max_raises=_each(raises, rounds),
        first_to_act=_each(first, rounds),
        board_cards=tuple(values["numboardcards"][:rounds]),
        stacks=None if limit else tuple(values.get("stack", ())) or None,
        hole_cards=values.get("numholecards", [2])[0],
        ranks=values.get("numranks", [13])[0],
        suits=values.get("numsuits", [4])[0],
    )


def _file_number(word: str, key: str) -> int:
    try:
        return whole_number(word, 0, MOST_CHIPS)
    except ValueError as error:
        raise InvalidGameError(f"{key} in the game file: {error}") from None


def game_text(game: Game) -> str:
    """The game file of a game; refuses what the format cannot say.

    Antes equal for all and without blinds are written as blinds, as the competition's Kuhn and Leduc files do.
    """
    if game.structure not in (Structure.FIXED_LIMIT, Structure.NO_LIMIT):
        raise InvalidGameError(f"a game file cannot say {game.structure}")
    if game.ante and any(game.blinds):
        raise InvalidGameError("a game file cannot say both blinds and antes")
    if game.stacks is not None and game.structure is Structure.FIXED_LIMIT:
        raise InvalidGameError("a limit game file cannot say stacks")
    lines = ["GAMEDEF", "limit" if game.structure is Structure.FIXED_LIMIT else "nolimit"]
    lines += [f"numPlayers = {game.seats}", f"numRounds = {game.streets}"]
    if game.stacks:
        lines.append(f"stack = {_spaced(game.stacks)}")
    lines.append(f"blind = {_spaced([blind or game.ante for blind in game.blinds] if game.ante else game.blinds)}")
    if game.structure is Structure.FIXED_LIMIT:
        lines.append(f"raiseSize = {_spaced(game.bet_sizes)}")
    lines.append(f"firstPlayer = {_spaced([place + 1 for place in game.first_to_act])}")
    caps = [cap for cap in game.max_raises if cap is not None]
    if len(caps) == game.streets:
        lines.append(f"maxRaises = {_spaced(caps)}")
    lines += [f"numSuits = {game.suits}", f"numRanks = {game.ranks}", f"numHoleCards = {game.hole_cards}"]
    lines += [f"numBoardCards = {_spaced(game.board_cards)}", "END GAMEDEF"]
    return "\n".join(lines) + "\n"


def _each(values: Sequence[int | None], rounds: int) -> tuple:  # type: ignore[type-arg]
    """One value per street; a single one stands for all of them."""
    if len(values) not in (1, rounds):
        raise InvalidGameError(f"{len(values)} values {quoted(_spaced(values))} in the game file for {rounds} rounds")
    return tuple(values) if len(values) == rounds else (values[0],) * rounds


def _spaced(values: Sequence[int | None]) -> str:
    return " ".join(map(str, values))


def _short(line: str) -> str:
    text = line.strip()
    return text if len(text) <= 60 else text[:57] + "..."
