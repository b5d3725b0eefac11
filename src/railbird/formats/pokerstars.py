"""PokerStars histories: cash games, Zoom, Home Games, play money and tournaments of hold'em.

    PokerStars Hand #1:  Hold'em Limit ($0.50/$1.00 USD) - 2014/01/06 6:15:36 ET
    Table 'Melpomene II' 10-max Seat #10 is the button
    Seat 1: Ann ($16.85 in chips)
    ...
    Ann: posts small blind $0.25

A hand begins with its first line, whatever stands before. Lines are understood only if they begin with the name of a
player of the table and have the exact form of an action, so that neither chat nor names can imitate one. What is no
part of the game (people coming and going, time running out) is passed over. Any other line that begins with such a name
and a colon may be something that was done: the hand is set aside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from railbird.errors import InvalidRecordError
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import HistoryFile
from railbird.formats.pokerstars_text import unsaid, why_not, write
from railbird.formats.readers import Format
from railbird.formats.site_text import CENTS, SIGNS, cards_in, reader_of_amounts
from railbird.formats.table_hand import ANTE, BIG, BOTH, DEAD, SMALL, STRADDLE, Stakes, TableHand, hands_of_room
from railbird.formats.table_replay import Replayer
from railbird.game.record import HandRecord
from railbird.game.spec import Game, Structure
from railbird.game.telling import Telling
from railbird.numbers import quoted

_START = re.compile(r"\ufeff?PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #\d")
_HEADER = re.compile(
    r"PokerStars (?P<room>Zoom |Home Game )?(?P<word>Hand|Game) #(?P<hand>\d{1,15}): *(?P<played>.{0,300}?)"
    r"(?: - (?P<time>\d{4}/\d\d?/\d\d?(?: -)? \d\d?:\d\d:\d\d)(?: \(?(?P<zone>[A-Z]{1,5})\)?)?"
    r"(?: \[(?P<also>[^\]]{1,40})\])?)?\s*$"
)
_PLAYED = re.compile(
    r"(?:\{(?P<club>[^}]*)\} *)?(?:Tournament #(?P<tournament>\d{1,15}), *(?P<paid>.*?) *)??(?:(?P<mix>[\w /-]+) \()?"
    r"Hold'em (?P<structure>No Limit|Pot Limit|Limit)(?:,? *- *(?P<level>[^()]*?))?(?: ?\(|, )"
    r"(?P<sign>[$€£¥₹]?)(?P<small>[\d.,]+)/[$€£¥₹]?(?P<big>[\d.,]+)(?: (?P<currency>[A-Z]{3}))?\)*$"
)
_TABLE = re.compile(
    r"Table '(?P<table>.*)'(?: (?P<places>\d{1,2})-max)?(?P<play> \(Play Money\))?"
    r" Seat #(?P<button>\d{1,2}) is the button"
)
_SEAT = re.compile(
    r"Seat (\d{1,2}): (.*) \(([^\s(]*) in chips(?:, [^\s(]* bounty)?\)( is sitting out| out of hand.*)?\s*$"
)
_COLLECTED = re.compile(r"(.*) collected (\S+) from (?:pot|main pot|side pot(?:-\d+)?)\s*$")
_RETURNED = re.compile(r"Uncalled bet \((\S+)\) returned to (.*?)\s*$")
_TOTAL = re.compile(r"Total pot (\S+)(?: .*?)? ?\| Rake (\S+)(.*)$")
_FEE = re.compile(r"\| *[A-Za-z ]+? ([$€£¥₹]?[\d.,]+)")
_CARDS = re.compile(r"\[([^\[\]]*)\]")
_KNOWN = re.compile(r"(?: \((?:button|small blind|big blind)\))* (showed|mucked) \[([^\[\]]*)\]")
_NO_PART = re.compile(
    r"(?:|.* )(?:said, \".*\"|sits out|is sitting out|has returned|has requested TIME|is (?:dis)?connected"
    r"|has timed out(?: while (?:being )?disconnected)?|has been disconnected|leaves the table"
    r"|joins the table at seat #\d+|was removed from the table.*|will be allowed to play after the button"
    r"|doesn't show hand|mucks hand|finished the tournament.*|wins the .*|re-buys and receives .*"
    r"|takes the add-on and receives .*|is feeling \w+|activates time bank)\s*$"
)
"""What is said after a name and is no part of the game; the name may be that of an onlooker, which goes on there."""
_LONGEST_LINE = 1_000
"""Signs of a line that says something of the game; longer ones are chat, or nothing."""
_STREETS = {"FLOP": 1, "TURN": 2, "RIVER": 3}
_STRUCTURES = {
    "Limit": Structure.FIXED_LIMIT,
    "No Limit": Structure.NO_LIMIT,
    "Pot Limit": Structure.POT_LIMIT,
}


class _Sort(NamedTuple):
    """What the first line says of the game, without number and time."""

    stakes: Stakes
    unit: int
    currency: str
    extra: tuple[tuple[str, str], ...]


def is_pokerstars(beginning: str) -> bool:
    """Whether a file that begins so is a PokerStars history.

    >>> is_pokerstars("PokerStars Zoom Hand #1:  Hold'em No Limit ($0.05/$0.10)"), is_pokerstars("STATE:0:cc")
    (True, False)
    """
    return any(_START.match(line) for line in beginning.split("\n", 40)[:40])


def read(file: HistoryFile, _game: Game | None) -> Iterator[HandRecord | Problem]:
    """The hands of a file. The game is told by each hand."""
    return hands_of_room(file, "PokerStars", _HEADER, _told)


def _told(header: re.Match[str], lines: list[str], replayer: Replayer) -> HandRecord:
    """The hand of a first line that could be read, and the lines of that hand."""
    number, sort = header["hand"], _sort(header["played"])
    table = _TABLE.match(lines[1]) if len(lines) > 1 else None
    if table is None:
        raise InvalidRecordError("the line of the table is missing", "incomplete")
    hand = TableHand(number, sort.stakes)
    hand.button = int(table["button"])
    hero = _Lines(hand, reader_of_amounts(sort.unit)).read(lines)
    extra = sort.extra
    if header["room"]:
        extra = (("room", header["room"].strip()), *extra)
    if header["word"] == "Game":
        extra = (*extra, ("word", "Game"))
    if header["also"]:
        extra = (*extra, ("also", header["also"]))
    if table["play"]:
        extra = (*extra, ("play money", "yes"))
    if hand.fees:
        extra = (*extra, ("fees", str(hand.fees)))
    return hand.record(
        Telling(
            source="pokerstars",
            hand=number,
            table=table["table"],
            time=_time(header["time"]),
            zone=header["zone"] or "",
            currency=sort.currency,
            unit=sort.unit,
            places=int(table["places"] or 0),
            hero=hero,
            extra=extra,
        ),
        replayer,
    )


@lru_cache(256)
def _sort(played: str) -> _Sort:
    """The game of a first line; refuses others than hold'em by their names."""
    found = _PLAYED.match(played)
    if found is None or "Cap" in played.rpartition("}")[2]:
        raise InvalidRecordError(f"{quoted(played)} is no game that is read here", "other-game")
    sign, tournament = found["sign"], found["tournament"]
    unit = CENTS if not tournament and (sign or "." in found["small"] + found["big"]) else 1
    amount = reader_of_amounts(unit)
    stakes = Stakes(_STRUCTURES[found["structure"]], amount(found["small"]), amount(found["big"]))
    if min(stakes.small, stakes.big) < 1:
        raise InvalidRecordError(f"{quoted(played)} is played for nothing", "other-game")
    said = {"club": found["club"], "tournament": tournament, "buy-in": found["paid"], "level": found["level"]}
    said["mix"] = found["mix"]
    currency = "" if tournament else found["currency"] or SIGNS.get(sign, "")
    return _Sort(stakes, unit, currency, tuple([(key, text) for key, text in said.items() if text]))


def _time(text: str | None) -> str:
    """A time as `Telling` has it.

    >>> _time("2014/01/06 6:15:36"), _time("2007/05/01 - 12:00:00")
    ('2014-01-06 06:15:36', '2007-05-01 12:00:00')
    """
    if not text:
        return ""
    day, _, hour = text.replace(" - ", " ").partition(" ")
    year, month, date = day.split("/")
    return f"{year}-{month:0>2}-{date:0>2} {hour:0>8}"


class _Lines:
    """The lines of a hand after the second, as they are put into a `TableHand`."""

    def __init__(self, hand: TableHand, amount: Callable[[str], int]) -> None:
        self.hand, self.amount = hand, amount
        self.street = 0
        self.dealt: list[int] = []
        self.players: dict[str, int] = {}
        self.longest: list[str] = []
        """All names, the longest first, where one of them has a colon."""

    def read(self, lines: list[str]) -> int:
        """Take in all lines; the player whose file it is, or -1."""
        first = self._take_seats(lines)
        players, verbs, has_colons = self.players, _VERBS, bool(self.longest)
        for at in range(first, len(lines)):
            line = lines[at]
            name, colon, said = line.partition(": ")
            if colon and name in players and not has_colons:
                act = verbs.get(said.partition(" ")[0])
                if act is None or not act(self, players[name], said):
                    self._pass_over(line, said)
            elif line.startswith("*** "):
                if line.startswith("*** SUMMARY ***"):
                    self._take_summary(lines[at + 1 :])
                    return self.dealt[0] if len(self.dealt) == 1 else -1
                self._take_section(line)
            else:
                self._take_other(line)
        raise InvalidRecordError("it ends before its summary", "truncated")

    def _take_seats(self, lines: list[str]) -> int:
        """Take in the seats; the place of the first line after them."""
        hand = self.hand
        for at in range(2, len(lines)):
            found = _SEAT.match(lines[at])
            if found is None:
                break
            seat, name, chips, _ = found.groups()
            self.players[name] = len(hand.names)
            hand.add_seat(int(seat), name, self.amount(chips))
        else:
            raise InvalidRecordError("it ends with its seats", "truncated")
        if any(": " in name for name in self.players):
            self.longest = sorted(self.players, key=len, reverse=True)
        return at

    def _take_section(self, line: str) -> None:
        word = line[4:].partition(" ")[0]
        if word in ("FIRST", "SECOND", "THIRD"):
            raise InvalidRecordError("the board was run more than once", "unplayable")
        if word in _STREETS:
            self.street = _STREETS[word]
            self.hand.add_street(cards_in(" ".join(_CARDS.findall(line))))

    def _take_other(self, line: str) -> None:
        """A line that does not begin with a name and a colon, or not clearly."""
        players = self.players
        name = next((name for name in self.longest if line.startswith(f"{name}: ")), "") if self.longest else ""
        if len(line) > _LONGEST_LINE and not name:
            return
        if " collected " in line and (found := _COLLECTED.match(line)) and found[1] in players:
            self._take_gain(self.hand.collected, found[1], found[2])
        elif name:
            said = line[len(name) + 2 :]
            act = _VERBS.get(said.partition(" ")[0])
            if act is None or not act(self, players[name], said):
                self._pass_over(line, said)
        elif line.startswith("Dealt to ") and (name := line[9:].rpartition(" [")[0]) in players:
            self.dealt.append(players[name])
            self._take_cards(players[name], line)
        elif line.startswith("Uncalled bet (") and (found := _RETURNED.match(line)) and found[2] in players:
            self._take_gain(self.hand.returned, found[2], found[1])
        elif line.partition(" cashed out the hand for ")[0] in players:
            raise InvalidRecordError("a player cashed out, and got other chips than the cards give", "unplayable")

    def _pass_over(self, line: str, said: str) -> None:
        """A line that begins with a player's name, and has not the form of an action."""
        if len(line) > _LONGEST_LINE or not _NO_PART.match(said):
            raise InvalidRecordError(f"{quoted(line)} is no action that is known")

    def _take_gain(self, gains: dict[int, int], name: str, text: str) -> None:
        player = self.players[name]
        gains[player] = gains.get(player, 0) + self.amount(text)

    def _take_cards(self, player: int, line: str) -> bool:
        """The cards in the last brackets of a line; whether there are two."""
        cards = cards_in(line.rpartition("[")[2].partition("]")[0])
        self.hand.add_cards(player, cards)
        return len(cards) == 2

    def _take_summary(self, lines: list[str]) -> None:
        hand = self.hand
        players = {str(seat): at for at, seat in enumerate(hand.seats)}
        for line in lines:
            if line.startswith("Seat "):
                if "[" not in line:
                    continue
                seat, _, said = line[5:].partition(": ")
                at = players.get(seat, -1)
                if at >= 0 and (found := _KNOWN.match(said, len(hand.names[at]))):
                    hand.add_cards(at, cards_in(found[2]))
            elif line.startswith("Total pot "):
                if found := _TOTAL.match(line):
                    hand.total, hand.rake = self.amount(found[1]), self.amount(found[2])
                    hand.fees = sum([self.amount(fee) for fee in _FEE.findall(found[3])])
            elif line.startswith("Board [") and cards_in(" ".join(_CARDS.findall(line))) != hand.board:
                raise InvalidRecordError("the summary has another board", "cards")
            elif line.startswith("Hand was run "):
                raise InvalidRecordError("the board was run more than once", "unplayable")
        if hand.total < 0:
            raise InvalidRecordError("its summary has no pot", "truncated")

    # What players do. Each says whether the line has the form of an action.

    def _fold(self, player: int, said: str) -> bool:
        if said.rstrip() != "folds":
            if not _SHOWN_FOLD.match(said):
                return False
            if self._take_cards(player, said):
                self.hand.shown.add(player)
        self.hand.actions.append((self.street, player, "f", 0))
        return True

    def _check(self, player: int, said: str) -> bool:
        is_one = said.rstrip() == "checks"
        if is_one:
            self.hand.actions.append((self.street, player, "k", 0))
        return is_one

    def _call(self, player: int, said: str) -> bool:
        return self._pay(player, said.split(), 1)

    def _bet(self, player: int, said: str) -> bool:
        return self._pay(player, said.split(), 1)

    def _raise(self, player: int, said: str) -> bool:
        return self._pay(player, said.split(), 3)

    def _pay(self, player: int, words: list[str], last: int) -> bool:
        """A call, bet or raise, whose amount is the last word but for those of an all-in."""
        is_one = len(words) == last + 1 or words[last + 1 :] == _ALL_IN
        if is_one:
            self.hand.actions.append((self.street, player, words[0][0], self.amount(words[last])))
        return is_one

    def _post(self, player: int, said: str) -> bool:
        words = said.split()
        if words[-3:] == _ALL_IN:
            del words[-3:]
        what = _POSTS.get(" ".join(words[1:-1]))
        if what is not None:
            self.hand.posts.append((player, what, self.amount(words[-1])))
        return what is not None

    def _show(self, player: int, said: str) -> bool:
        if not _SHOWN.match(said):
            return False
        if self._take_cards(player, said.partition("]")[0] + "]"):
            self.hand.shown.add(player)
        return True


_ALL_IN = ["and", "is", "all-in"]
_SHOWN_FOLD = re.compile(r"folds \[[^\[\]]*\]\s*$")
_SHOWN = re.compile(r"shows \[[^\[\]]*\](?: \(.*\))?\s*$")
_POSTS = {
    "small blind": SMALL,
    "big blind": BIG,
    "small & big blinds": BOTH,
    "the ante": ANTE,
    "straddle": STRADDLE,
    "the straddle": STRADDLE,
    "dead blind": DEAD,
    "dead small blind": DEAD,
    "a dead small blind of": DEAD,
}
_VERBS = {
    "folds": _Lines._fold,
    "checks": _Lines._check,
    "calls": _Lines._call,
    "bets": _Lines._bet,
    "raises": _Lines._raise,
    "posts": _Lines._post,
    "shows": _Lines._show,
}

FORMAT = Format(
    name="pokerstars",
    title="PokerStars history",
    recognises=is_pokerstars,
    read=read,
    write=write,
    unsaid=unsaid,
    suffixes=(".txt",),
    refuses=why_not,
)
