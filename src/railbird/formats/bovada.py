"""Bovada, Ignition and Bodog histories: everybody's cards, and players without names.

    Bovada Hand #1 TBL#2 HOLDEM  Fixed Limit - 2012-04-01 12:00:00
    Seat 1: Dealer [ME] ($200 in chips)
    ...
    Dealer [ME] : Raises $16

Players are called by their places at the table, and [ME] is the owner of the file. In records the owner is "ME" in
every hand, and who plays alone against the owner is "opponent"; all others keep the names of their places, which say
nothing of who they are.

A raise says what the street's bet is then, alone or after "to"; calls and all-ins say what is added. Blinds and bets
are those that were posted: only tournaments tell them. Streets have a line of their own; where older files leave it
out, the board of the summary and the rules tell them. Where the house does not say what it took, it is what is missing.

Whatever follows a player and a colon is something done, cards, or a line of people coming and going: a hand with any
other is set aside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from railbird.errors import InvalidRecordError
from railbird.formats.bovada_text import unsaid, why_not, write
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import HistoryFile
from railbird.formats.readers import Format
from railbird.formats.site_text import CENTS, cards_in, in_chips, reader_of_amounts
from railbird.formats.table_hand import (
    ANTE,
    BIG,
    DEAD,
    LIVE,
    SMALL,
    STRADDLE,
    Stakes,
    TableHand,
    hands_of_room,
    posted_stakes,
)
from railbird.formats.table_replay import Replayer
from railbird.game.record import HandRecord
from railbird.game.spec import Game, Structure
from railbird.game.telling import Telling
from railbird.numbers import quoted

OWNER, OTHER = "ME", "opponent"
_START = re.compile(r"\ufeff?(?:Bovada|Ignition|Bodog)(?:\.\w{1,5}| Poker| Casino)? Hand #\d")
_HEADER = re.compile(
    r"(?P<brand>[A-Z]\w+(?:\.\w{1,5}| Poker| Casino)?) Hand #(?P<hand>\d{1,15}):?\s+(?P<played>.{0,300}?)"
    r"(?: - (?P<time>\d{4}-\d\d-\d\d \d\d?:\d\d:\d\d))?\s*$"
)
_TOURNAMENT = re.compile(
    r"Tournament #(?P<tournament>\d{1,15}).*?, *(?P<kind>[^()]*?)- *Level (?P<level>\d+) "
    r"\((?P<small>[\d,]+)/(?P<big>[\d,]+)\)"
)
_TABLE = re.compile(r"TBL#(\S{1,40}?),?(?: |$)")
_ZONE = re.compile(r"Zone Poker ID#(\d{1,20})")
_SEAT = re.compile(r"Seat (\d{1,3}): (.*?)( *\[ME\])? \(([^\s(]*) in chips\)\s*$")
_SAID = re.compile(
    r"([A-Za-z][A-Za-z/& -]*?)(?:-Side pot)? *(\([^)]*\))? *(?:([$\d][\d.,]*)(?: to ([$\d][\d.,]*))?)?\s*$"
)
_CARDS_OF = re.compile(r"(?:Card dealt to a spot|Showdown|Does not show|Mucks)\b", re.IGNORECASE)
_NO_PART = re.compile(
    r"(?:Set dealer|Draw for dealer|Does not show|Mucks|Sit ?(?:out|down|in)|Stand|Re-?join|Seat (?:sit|stand|re-?join)"
    r"|Table (?:deposit|enter|leave)|Leave|Enter|Ranking|Prize|Bounty)\b",
    re.IGNORECASE,
)
"""How lines begin that are no part of the game: people coming and going, places and prizes of a tournament."""
_TOTAL = re.compile(r"Total Pot\(([$\d.,]+)\)(?: *\| *Rake *\(([$\d.,]+)\))?")
_CARDS = re.compile(r"\[([^\[\]]*)\]")
_STRUCTURES = {
    "fixed limit": Structure.FIXED_LIMIT,
    "pot limit": Structure.POT_LIMIT,
    "no limit": Structure.NO_LIMIT,
}
_POSTS = {
    "small blind": SMALL,
    "ante/small blind": SMALL,
    "big blind": BIG,
    "big blind/bring in": BIG,
    "posts chip": LIVE,
    "posts dead chip": DEAD,
    "ante chip": ANTE,
    "ante": ANTE,
    "straddle": STRADDLE,
}
_ACTIONS = {
    "folds": "f",
    "fold": "f",
    "checks": "k",
    "check": "k",
    "calls": "c",
    "call": "c",
    "bets": "b",
    "bet": "b",
    "raises": "r",
    "raise": "r",
    "all-in": "A",
}
_PLAIN = {"Folds": "f", "Checks": "k", "Calls": "c", "Bets": "b", "Raises": "r"}
_STREETS = {"FLOP": 1, "TURN": 2, "RIVER": 3}


class _Sort(NamedTuple):
    """What the first line says of the game."""

    structure: Structure
    stakes: tuple[int, int] | None
    """Of a tournament."""
    table: str
    extra: tuple[tuple[str, str], ...]


def is_bovada(beginning: str) -> bool:
    """Whether a file that begins so is of Bovada, Ignition or Bodog.

    >>> is_bovada("Ignition Hand #1 TBL#2 HOLDEM No Limit - 2016-11-06 17:01:02"), is_bovada("PokerStars Hand #1: ")
    (True, False)
    """
    return any(_START.match(line) for line in beginning.split("\n", 40)[:40])


def read(file: HistoryFile, _game: Game | None) -> Iterator[HandRecord | Problem]:
    """The hands of a file. The game is told by each hand."""
    return hands_of_room(file, "Bovada", _HEADER, _told)


def _told(header: re.Match[str], lines: list[str], replayer: Replayer) -> HandRecord:
    """The hand of a first line that could be read, and the lines of that hand."""
    number, sort = header["hand"], _sort(header["played"])
    unit = 1 if sort.stakes else CENTS if any("$" in line or "." in line for line in lines[1:3]) else 1
    hand = TableHand(number, Stakes(sort.structure, 0, 0))
    taken = _Lines(hand, reader_of_amounts(unit))
    taken.read(lines)
    small, big = sort.stakes or posted_stakes(hand)
    fixed = sort.structure is Structure.FIXED_LIMIT
    hand.stakes = Stakes(sort.structure, big, 2 * big) if fixed else Stakes(sort.structure, small, big)
    inside = {player for player, _, _ in hand.posts} | {player for _, player, _, _ in hand.actions}
    if taken.hero >= 0:
        hand.names[taken.hero] = OWNER
        if len(inside) == 2 and taken.hero in inside:
            hand.names[(inside - {taken.hero}).pop()] = OTHER
    return hand.record(
        Telling(
            source="bovada",
            hand=number,
            table=sort.table,
            time=_time(header["time"]),
            currency="USD" if unit == CENTS else "",
            unit=unit,
            hero=taken.hero,
            extra=(("brand", header["brand"]), *sort.extra),
        ),
        replayer,
    )


def _sort(played: str) -> _Sort:
    """The game of a first line; refuses others than hold'em by their names."""
    words = " ".join(played.split())
    if "HOLDEM" not in words or any(other in words for other in ("OMAHA", "STUD", "HiLo")):
        raise InvalidRecordError(f"{quoted(words)} is no game that is read here", "other-game")
    lowered = words.lower()
    structure = next((each for name, each in _STRUCTURES.items() if name in lowered), Structure.NO_LIMIT)
    table, zone, tournament = _TABLE.search(words), _ZONE.search(words), _TOURNAMENT.search(words)
    extra: list[tuple[str, str]] = [("zone", zone[1])] if zone else []
    stakes = None
    if tournament:
        extra += [(key, tournament[key]) for key in ("tournament", "kind", "level") if tournament[key]]
        stakes = in_chips(tournament["small"]), in_chips(tournament["big"])
        if min(stakes) < 1:
            raise InvalidRecordError(f"{quoted(words)} is played for nothing", "other-game")
    elif "Tournament" in words:
        raise InvalidRecordError(f"{quoted(words)} does not tell its blinds", "incomplete")
    return _Sort(structure, stakes, table[1] if table else "", tuple(extra))


def _time(text: str | None) -> str:
    day, _, hour = (text or "").partition(" ")
    return f"{day} {hour:0>8}" if hour else ""


class _Lines:
    """The lines of a hand after the first, as they are put into a `TableHand`."""

    def __init__(self, hand: TableHand, amount: Callable[[str], int]) -> None:
        self.hand, self.amount = hand, amount
        self.street = 0
        self.hero = -1
        self.players: dict[str, int] = {}

    def read(self, lines: list[str]) -> None:
        """Take in all lines."""
        first = self._take_seats(lines)
        players = self.players
        for at in range(first, len(lines)):
            line = lines[at]
            name, colon, said = line.partition(" : ")
            if colon and name in players:
                self._take_said(players[name], said)
            elif line.startswith("*** SUMMARY ***"):
                self._take_summary(lines[at + 1 :])
                return
            elif line.startswith(("*** ", "Card dealt to table ")):
                self._take_street(line)
        raise InvalidRecordError("it ends before its summary", "truncated")

    def _take_seats(self, lines: list[str]) -> int:
        """Take in the seats; the place of the first line after them."""
        hand, at = self.hand, 0
        for at in range(1, len(lines)):
            found = _SEAT.match(lines[at])
            if found is None:
                break
            seat, name, owner, chips = found.groups()
            player = len(hand.names)
            hand.add_seat(int(seat), name, self.amount(chips))
            names = (f"{name} [ME]", f"{name}  [ME]") if owner else (name,)
            for each in names:
                self.players[each] = player
            if owner:
                self.hero = player
        if not hand.names:
            raise InvalidRecordError("it has no seats", "incomplete")
        hand.button = self._button()
        return at

    def _button(self) -> int:
        """The button's seat: the dealer's, or without one just before the blinds'."""
        places = dict(zip(self.hand.names, self.hand.seats))
        if "Dealer" in places:
            return places["Dealer"]
        first = next((places[name] for name in ("Small Blind", "Big Blind", "UTG") if name in places), 1)
        return first - 1

    def _take_said(self, player: int, said: str) -> None:
        """Something that a player does, shows or gets."""
        hand = self.hand
        word, _, rest = said.partition(" ")
        kind = _PLAIN.get(word)
        if kind is not None and "(" not in rest:
            if rest:
                first, _, total = rest.partition(" to ")
                rest = total if total and kind == "r" else first
            hand.actions.append((self.street, player, kind, self.amount(rest.strip()) if rest else 0))
            return
        if _CARDS_OF.match(said) and "[" in said:
            self._take_shown(player, said)
        elif not _NO_PART.match(said) and not self._take_amount(player, said):
            raise InvalidRecordError(f"{quoted(f'{hand.names[player]} : {said}')} is no action that is known")

    def _take_amount(self, player: int, said: str) -> bool:
        """An action with remarks, something posted, won or given back; whether it is one of these."""
        hand, found = self.hand, _SAID.match(said)
        if found is None:
            return False
        what, remark, chips, total = found.groups()
        word = what.lower()
        kind = _ACTIONS.get(word, "")
        if kind and kind in "fk":
            hand.actions.append((self.street, player, kind, 0))
        elif chips is None:
            return False
        elif kind:
            if kind == "A" and remark is not None and remark.startswith("(raise") and total is not None:
                kind = "r"
            hand.actions.append((self.street, player, kind, self.amount(total if kind == "r" and total else chips)))
        elif word in _POSTS:
            hand.posts.append((player, _POSTS[word], self.amount(chips)))
        elif word == "hand result":
            hand.collected[player] = hand.collected.get(player, 0) + self.amount(chips)
        elif word == "return uncalled portion of bet":
            hand.returned[player] = hand.returned.get(player, 0) + self.amount(chips)
        elif word == "return uncalled blind":
            self._take_back(player, self.amount(chips))
        else:
            return False
        return True

    def _take_back(self, player: int, chips: int) -> None:
        """A blind that is given back before the cards was not posted."""
        posts = self.hand.posts
        for at in range(len(posts) - 1, -1, -1):
            if posts[at][0] == player and posts[at][2] == chips:
                del posts[at]
                return

    def _take_shown(self, player: int, said: str) -> None:
        """Cards in brackets: two are a holding, more are the best hand."""
        cards = said[said.index("[") + 1 :].partition("]")[0]
        self.hand.add_cards(player, cards_in(cards))
        if said.startswith("Showdown"):
            self.hand.shown.add(player)

    def _take_street(self, line: str) -> None:
        hand = self.hand
        word = line[4:].partition(" ")[0]
        if line[0] == "*" and word not in _STREETS:
            return
        cards = cards_in(" ".join(_CARDS.findall(line)))
        if len(cards) == 1 and len(hand.board) in (3, 4):
            cards = (*hand.board, *cards)
        hand.add_street(cards)
        self.street = len(cards) - 2

    def _take_summary(self, lines: list[str]) -> None:
        hand = self.hand
        for line in lines:
            if found := _TOTAL.match(line):
                hand.total = self.amount(found[1])
                hand.rake = -1 if found[2] is None else self.amount(found[2])
                if hand.rake < 0 and hand.total == sum(hand.collected.values()):
                    hand.total = -1
            elif line.startswith("Board ["):
                self._take_board(cards_in(" ".join(_CARDS.findall(line))))

    def _take_board(self, cards: tuple[int, ...]) -> None:
        """The board at the end, which may be all that is told of some streets."""
        hand = self.hand
        if cards[: len(hand.board)] != hand.board:
            raise InvalidRecordError("the summary has another board", "cards")
        if cards and not hand.board:
            hand.actions = [(-1, player, kind, chips) for _, player, kind, chips in hand.actions]
        hand.board = cards


FORMAT = Format(
    name="bovada",
    title="Bovada or Ignition history",
    recognises=is_bovada,
    read=read,
    write=write,
    unsaid=unsaid,
    suffixes=(".txt",),
    refuses=why_not,
)
