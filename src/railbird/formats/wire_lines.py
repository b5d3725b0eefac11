"""The lines of the Annual Computer Poker Competition's wire, to and from text; no sockets.

A dealer shows every player each state of the hand, and whoever is to act repeats it with an action behind it:

    MATCHSTATE:0:2:crc/r:Ah8s|/Qd7h6c
    MATCHSTATE:1:2:crc/r:|2h4c/Qd7h6c
    MATCHSTATE:1:2:crc/r:|2h4c/Qd7h6c:c

Position, number of the hand, betting, and the cards that this player may know. Lines end with CR LF, those of clients
with LF too; lines that begin with # or ; are comments.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from railbird.cards import CARD_COUNT, card_text, cards_text, parse_cards
from railbird.errors import IllegalActionError, InvalidCardsError, UnreadableLineError
from railbird.game.actions import CALL, FOLD, RAISE, Action, raise_to
from railbird.game.betting import LONGEST_HISTORY, Betting
from railbird.game.spec import Game, Structure
from railbird.game.view import PlayerView
from railbird.numbers import quoted

VERSION = (2, 0, 0)
GREETING = b"VERSION:2.0.0\r\n"
LINE_END = b"\r\n"
LONGEST_LINE = 4095
"""Bytes of a line with its end; the reference dealer takes what is longer for several lines."""
MOST_ACTIONS = 64
"""Actions of a street. Where a raise and everybody's answers could be more, the reference dealer lets nobody raise."""

_VERSION = re.compile(rb"VERSION:\s*(\d{1,9})\.\s*(\d{1,9})\.\s*(\d{1,9})")
_HEAD = re.compile(r"MATCHSTATE:\s*(\d{1,3}):\s*(\d{1,10}):")
_SIZE = re.compile(r"\s*([+-]?\d{1,15})")
_CARD = re.compile(r"[2-9TJQKAtjqka][cdhsCDHS]")
_KINDS = {"f": "f", "c": "c", "k": "c", "r": "r", "b": "r"}
_STATE = re.compile(r"MATCHSTATE:(\d{1,3}):(\d{1,10}):([fcr0-9/]*):(.*)", re.ASCII)
_CARDS = {card_text(card): card for card in range(CARD_COUNT)}


def greeted_version(line: bytes) -> tuple[int, int, int] | None:
    """The version of the protocol that a client greets with; `None` where the line is no greeting.

    >>> greeted_version(b"VERSION:2.0.0\\r\\n"), greeted_version(b"HELLO\\n")
    ((2, 0, 0), None)
    """
    found = _VERSION.match(line)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def is_other_version(version: tuple[int, int, int]) -> bool:
    """Whether a client may not understand this protocol; the reference dealer says so, and plays on."""
    return version[0] != VERSION[0] or version[1] > VERSION[1]


class HandText:
    """The states of one hand as each position is shown them; made once a hand, so that a state is three pieces."""

    def __init__(self, game: Game, number: int, holes: Sequence[Sequence[int]], board: Sequence[int]) -> None:
        strokes = "|" * (game.seats - 1)
        self.number = number
        self.holes = [cards_text(hole) for hole in holes]
        self._heads = [f"MATCHSTATE:{position}:{number}:" for position in range(game.seats)]
        self._own = [f":{strokes[:at]}{hole}{strokes[at:]}" for at, hole in enumerate(self.holes)]
        self._boards = _boards(game, board)

    def state(self, position: int, history: str, street: int) -> str:
        """What that position is shown while the hand lasts, and after it where nobody else's cards are shown."""
        return f"{self._heads[position]}{history}{self._own[position]}{self._boards[street]}"

    def states(self, history: str, street: int) -> list[str]:
        """The same by position."""
        board = self._boards[street]
        return [f"{head}{history}{own}{board}" for head, own in zip(self._heads, self._own)]

    def end(self, position: int, history: str, street: int, live: Collection[int]) -> str:
        """What it is shown when the hand is over: at a showdown the cards of all who have not folded."""
        if len(live) < 2:
            return self.state(position, history, street)
        shown = "|".join([hole if p == position or p in live else "" for p, hole in enumerate(self.holes)])
        return f"{self._heads[position]}{history}:{shown}{self._boards[street]}"

    def board(self, street: int) -> str:
        """The board as it stands in a log, a slash before each street's cards."""
        return self._boards[street]


def _boards(game: Game, board: Sequence[int]) -> list[str]:
    """By street, the board that lies there; a street without cards of its own has its slash all the same."""
    first, *later = game.board_cards
    letters, at = cards_text(board), 2 * first
    found = [letters[:at]]
    for count in later:
        found.append(f"{found[-1]}/{letters[at : at + 2 * count]}")
        at += 2 * count
    return found


def view_line(view: PlayerView) -> str:
    """The state that a view shows, without the line end.

    >>> from railbird.game.spec import limit_holdem
    >>> node = Betting.start(limit_holdem()).play("crrc/")
    >>> view_line(PlayerView(node, 0, parse_cards("5d5c"), parse_cards("8dAs8s"), 17, ("Ann", "Bob")))
    'MATCHSTATE:0:17:crrc/:5d5c|/8dAs8s'
    """
    cards = "|" * view.position + view.holding + "|" * (view.game.seats - 1 - view.position)
    node = view.betting
    board = _boards(view.game, view.board_cards)[node.street]
    return f"MATCHSTATE:{view.position}:{view.hand_number}:{node.history}:{cards}{board}"


class MatchState(NamedTuple):
    """A state as a dealer tells it to a player."""

    position: int
    number: int
    history: str
    holes: tuple[tuple[int, ...], ...]
    """By position, empty where they are not shown."""
    board: tuple[int, ...]

    @classmethod
    def parse(cls, line: str, game: Game) -> MatchState:
        """The state of a line; refuses what is none of this game. The betting is left to the rules."""
        found = _STATE.fullmatch(line) if len(line) <= LONGEST_LINE else None
        if found is None:
            raise UnreadableLineError(f"{quoted(line)} is no state (MATCHSTATE:position:hand:betting:cards)")
        position, number, history, cards = found.groups()
        if int(position) >= game.seats:
            raise UnreadableLineError(f"{quoted(line)} is no state of a game for {game.seats} players")
        return cls(int(position), int(number), history, *shown_cards(cards, game))


def shown_cards(cards: str, game: Game) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Hole cards by position, empty where they are not shown, and the board, from the last part of a state.

    >>> from railbird.game.spec import limit_holdem
    >>> shown_cards("Ah8s|/Qd7h6c/4s", limit_holdem())
    (((50, 27), ()), (41, 22, 16, 11))
    """
    holes, _, board = cards.partition("/")
    found = tuple([board_cards(hole) if hole else () for hole in holes.split("|")])
    on_board = board_cards(board)
    together = [*on_board]
    for hole in found:
        together += hole
    if len(found) != game.seats or len(set(together)) != len(together):
        raise UnreadableLineError(f"{quoted(cards)} are no cards of a game for {game.seats} players", "cards")
    return found, on_board


def board_cards(text: str) -> tuple[int, ...]:
    """Cards as dealers write them, with or without slashes between the streets: in less time than those that people
    write."""
    letters = text.replace("/", "")
    try:
        return tuple([_CARDS[letters[at : at + 2]] for at in range(0, len(letters), 2)])
    except KeyError:
        raise UnreadableLineError(f"{quoted(text)} are no cards", "cards") from None


class Reply(NamedTuple):
    """What a client answered: the state that it repeats, and the action behind it."""

    position: int
    number: int
    history: str
    """As the rules write it, whatever the client did."""
    own_cards: tuple[int, ...]
    board: tuple[int, ...]
    action: Action | None
    """`None` where there is none to be read, or a raise lacks its size. One that no game knows has the kind "?"."""

    @classmethod
    def parse(cls, line: str, game: Game) -> Reply | None:
        """A reply, read with the patience of the reference dealer; `None` where it repeats no state of the game.

        Letters of either case, k and b, missing slashes and strokes, and whatever follows the action are put up with.

        >>> from railbird.game.spec import limit_holdem
        >>> Reply.parse("MATCHSTATE:0:3:CRc:5D5c/8DAs8s:b20\\r\\n", limit_holdem())[2:]
        ('crc/', (13, 12), (25, 51, 27), Action(kind='r', amount=0))
        """
        line = line.partition("\0")[0]
        head = _HEAD.match(line)
        if head is None or int(head[1]) >= game.seats:
            return None
        betting, colon, rest = line[head.end() :].partition(":")
        node = _repeated_betting(betting, game)
        if node is None:
            return None
        at, holes = 0, []
        for position in range(game.seats):
            at += position > 0 and rest.startswith("|", at)
            hole, after = _read_cards(rest, at, game.hole_cards)
            if hole and len(hole) != game.hole_cards:
                return None
            holes.append(hole)
            at = after if hole else at
        board: list[int] = []
        for street in range(node.street + 1):
            at += street > 0 and rest.startswith("/", at)
            cards, at = _read_cards(rest, at, game.board_cards[street])
            if len(cards) != game.board_cards[street]:
                return None
            board += cards
        position = int(head[1])
        action = read_action(rest[at + 1 :], game) if colon and rest.startswith(":", at) else None
        return cls(position, int(head[2]), node.history, tuple(holes[position]), tuple(board), action)


def read_action(text: str, game: Game) -> Action | None:
    """The action at the beginning of a text, as the reference dealer reads it: see `Reply.action`.

    >>> from railbird.game.spec import limit_holdem, no_limit_holdem
    >>> [read_action(text, no_limit_holdem()) for text in ("r300", "K", "r", "x")]
    [Action(kind='r', amount=300), Action(kind='c', amount=0), None, Action(kind='?', amount=0)]
    >>> read_action("r20\\r\\n", limit_holdem())
    Action(kind='r', amount=0)
    """
    kind = _KINDS.get(text[:1].lower(), "?")
    if kind == "r" and game.structure is not Structure.FIXED_LIMIT:
        size = _SIZE.match(text, 1)
        return Action("r", int(size[1])) if size else None
    return {"f": FOLD, "c": CALL, "r": RAISE}.get(kind) or Action("?")


class Settled(NamedTuple):
    """What a dealer takes an action for."""

    action: Action
    warnings: tuple[str, ...] = ()
    is_invalid: bool = False
    """Whether it counts as an invalid action."""


def settled(action: Action | None, node: Betting) -> Settled:
    """The action that is done at a node when a client answers so, and the warnings of the reference dealer.

    What is not allowed is changed to a call; a raise of a wrong size to the nearest that is allowed.
    """
    if action is None:
        return Settled(CALL, ("bad action format in response, changed to call",), True)
    kind, size = action
    crowded: tuple[str, ...] = ()
    if kind == "r" and node.can_raise:
        if not is_crowded(node):
            return _sized(size, node)
        crowded = ("#actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold",)
    elif kind == "c" or (kind == "f" and node.can_fold):
        return Settled(action)
    return Settled(CALL, (*crowded, "invalid action, changed to call"), True)


def is_crowded(node: Betting) -> bool:
    """Whether the street has seen so many actions that the reference dealer lets nobody raise."""
    history, room = node.history, MOST_ACTIONS - node.game.seats
    return len(history) > room and sum(map(history.rpartition("/")[2].count, "fcr")) > room


def _sized(size: int, node: Betting) -> Settled:
    if node.game.structure is Structure.FIXED_LIMIT:
        return Settled(RAISE)
    least, most = node.min_raise_to, node.max_raise_to
    if size < least:
        return Settled(raise_to(least), (f"raise of {size} increased to {least}",))
    if size > most:
        return Settled(raise_to(most), (f"raise of {size} decreased to {most}",))
    return Settled(raise_to(size))


def _repeated_betting(text: str, game: Game) -> Betting | None:
    """The node that a betting string leads to, wherever its slashes are."""
    if len(text) > LONGEST_HISTORY:
        return None
    node, at = Betting.start(game), 0
    while at < len(text):
        if text[at] == "/":
            at += 1
            continue
        action = read_action(text[at:], game)
        if action is None:
            return None
        at += 1
        if action.kind == "r" and game.structure is not Structure.FIXED_LIMIT:
            size = _SIZE.match(text, at)
            assert size is not None
            at = size.end()
        try:
            node = node.after(action)
        except IllegalActionError:
            return None
    return node


def _read_cards(text: str, at: int, most: int) -> tuple[tuple[int, ...], int]:
    """At most so many cards from a place on, and the place after them."""
    end = at
    while end - at < 2 * most and _CARD.match(text, end):
        end += 2
    try:
        return parse_cards(text[at:end]), end
    except InvalidCardsError:  # one of them twice
        return (), end
