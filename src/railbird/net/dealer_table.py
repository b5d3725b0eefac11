"""A match at the dealer's table: which states are shown to whom, and what is made of each reply. No sockets.

Everything is done as the reference dealer of the competition does it, bad replies and time limits included, so that the
same replies give the same log. What is to be sent waits in `outboxes`, what is to be said on the side in `notes`, in
the reference dealer's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from railbird.errors import BrokenOffError, IllegalActionError, MatchError
from railbird.formats import acpc
from railbird.formats.wire_lines import HandText, Reply, is_crowded, read_action, settled
from railbird.game.actions import CALL, FOLD, RAISE, Action
from railbird.game.payoffs import equal_shares
from railbird.game.spec import Game, Structure
from railbird.net.dealer_cards import MOST_SEED, reference_deals
from railbird.numbers import quoted
from railbird.play.hand import Deal
from railbird.play.seating import MOST_PLAYERS
from railbird.play.steps import Step
from railbird.words import harmless

MOST_HANDS = 2**32 - 1
_MICROSECONDS = 2**64
"""The reference dealer counts them in 64 bits without a sign, so that negative limits are very long ones."""
_MOST_WARNINGS = 1_000
"""As many warnings are given about a seat; a client that floods the dealer is not to flood whoever reads them."""
_LETTERS = {letter + end: action for letter, action in ((b"f", FOLD), (b"c", CALL)) for end in (b"\r\n", b"\n")}
_LIMIT_LETTERS = {**_LETTERS, b"r\r\n": RAISE, b"r\n": RAISE}
"""Actions as nearly every client writes them."""


@dataclass(frozen=True)
class Limits:
    """How long players may take, in milliseconds, and how often they may do what is not allowed."""

    response: int = 600_000
    hand: int = 600_000
    per_hand: int = 7_000
    """On average over the match."""
    invalid: int = MOST_HANDS

    def lines(self, hands: int) -> list[str]:
        """The comments of a log that tell them."""
        response, hand, match = self._microseconds(hands)
        told = {"t_response": response, "t_hand": hand, "t_per_hand": match // hands}
        return [f"#--{name} {microseconds // 1000}" for name, microseconds in told.items()]

    def seconds(self, hands: int) -> tuple[float, ...]:
        """The limits of a response, of a hand, and of a match of so many hands."""
        return tuple([microseconds / 1e6 for microseconds in self._microseconds(hands)])

    def _microseconds(self, hands: int) -> tuple[int, int, int]:
        response, hand, match = self.response * 1000, self.hand * 1000, self.per_hand * 1000 * hands
        return response % _MICROSECONDS, hand % _MICROSECONDS, match % _MICROSECONDS


@dataclass(frozen=True)
class DealtMatch:
    """What is played at the table: the words of the dealer's command line."""

    name: str
    game_file: str
    """As it stands in the log's first line."""
    game: Game
    hands: int
    seed: int
    names: tuple[str, ...]
    """By seat."""
    limits: Limits = Limits()
    fixed_seats: bool = False
    """Whether the button stays where it is."""

    def __post_init__(self) -> None:
        game = self.game
        if not 2 <= game.seats <= MOST_PLAYERS:
            raise MatchError(f"a game of {game.seats} seats; the wire has 2 to {MOST_PLAYERS}")
        if game.structure not in (Structure.FIXED_LIMIT, Structure.NO_LIMIT) or (game.ante and any(game.blinds)):
            raise MatchError(f"the wire has limit and no-limit games without antes, not {game.name}")
        if len(self.names) != game.seats:
            raise MatchError(f"{len(self.names)} names ({' '.join(self.names)}) for a game of {game.seats} players")
        if not 1 <= self.hands <= MOST_HANDS:
            raise MatchError(f"{quoted(self.hands)} hands; a match has 1 to {MOST_HANDS:,}")
        if not 0 <= self.seed <= MOST_SEED:
            raise MatchError(f"seed {quoted(self.seed)}; a seed of the dealer is a whole number from 0 to 2^32 - 1")
        for name in self.names:
            if not name or not name.isprintable() or set(name) & set(":|# "):
                raise MatchError(f"{quoted(name)} cannot be a player's name in a log: leave out blanks, ':', '|', '#'")

    def header(self) -> str:
        """The four lines with which a log begins."""
        first = acpc.header(self.name, self.game_file, self.hands, self.seed)
        return "\n".join([first, *self.limits.lines(self.hands), ""])


class Books(Protocol):
    """Where a table writes what lasts."""

    keeps_transactions: bool
    """Whether every action is written down, so that an interrupted match can go on."""

    def add_hand(self, line: str) -> None:
        """Write a line of the log."""

    def add_transaction(self, line: str) -> None:
        """Write an action down."""


@dataclass(frozen=True)
class Transaction:
    """An action of a match that was interrupted."""

    action: Action
    hand: int
    sent: float
    received: float


class Table:
    """The match as it goes on: `begin` it, then give it the lines of whoever is to act until `is_over`, and let it
    `catch_up` whenever everything is sent."""

    def __init__(self, match: DealtMatch, books: Books, now: Callable[[], float], is_quiet: bool = False) -> None:
        seats = match.game.seats
        self.match = match
        self.totals = [0.0] * seats
        """By seat, chips won so far."""
        self.outboxes: list[list[str]] = [[] for _ in range(seats)]
        """By seat, what is to be sent."""
        self.notes: list[str] = []
        self.is_over = False
        self.seat = -1
        """Whose turn it is."""
        self.hand = 0
        self._books = books
        self._now = now
        self._is_quiet = is_quiet
        self._deals = iter(reference_deals(match.game, match.seed, match.hands))
        self._first = self._step = Step.first(match.game)
        self._expected = b""
        """The state that the player to act has to repeat, up to the action."""
        self._letters = _LIMIT_LETTERS if match.game.structure is Structure.FIXED_LIMIT else _LETTERS
        self._has_parts = seats > 2
        """Whether pots may be shared to parts of a chip."""
        self._used_hand, self._used_match = [0.0] * seats, [0.0] * seats
        self._invalid, self._warned = [0] * seats, [0] * seats
        self._sent = 0.0
        self._unwritten: list[tuple[HandText, str, int, Sequence[float], list[str]]] = []
        """Hands that are over: their cards, betting, street, payoffs and names by position."""
        self._orders = [[(position + shift) % seats for position in range(seats)] for shift in range(seats)]
        """By place of the button, the seats by position."""
        self._orders_of_boxes = [[self.outboxes[seat] for seat in order] for order in self._orders]
        self._orders_of_names = [[match.names[seat] for seat in order] for order in self._orders]
        self._following: tuple[Deal, HandText] | None = None
        self.is_behind = True
        """Whether there is something to `catch_up` with."""
        self._most_response, self._most_hand, self._most_match = match.limits.seconds(match.hands)
        self._take_next()

    def begin(self, past: Iterable[Transaction] = ()) -> None:
        """Everybody is here: go through what was played before, and show the state to all."""
        self._sent = self._now()
        if not self._is_quiet:
            self.notes.append(f"STARTED at {self._sent:.6f}\n")
        for transaction in past:
            self._repeat(transaction)
        if not self.is_over:
            self._show(self._now())

    # What comes from players

    def hear(self, line: bytes) -> None:
        """A line of the player to act, with its end. Raises `BrokenOffError` if the match cannot go on."""
        received = self._now()
        if not self._is_quiet:
            self._note_line("FROM", self.seat, received, line.decode(errors="replace"))
        expected = self._expected
        if line.startswith(expected):
            self._count_time(self.seat, self._sent, received)
            said = line[len(expected) :]
            action = self._letters.get(said)
            if action is None:
                action = self._settle(read_action(said.decode("latin-1"), self.match.game))
        else:
            found = self._read_patiently(line, received)
            if found is None:
                return
            action = found
        step = self._step
        try:
            if action[0] == "r" and is_crowded(step.node):
                raise IllegalActionError("too many actions")
            following = step.after(action)
        except IllegalActionError:
            action = self._settle(action)
            following = step.after(action)
        if self._books.keeps_transactions:
            self._books.add_transaction(f"{action} {self.hand} {self._sent:.6f} {received:.6f}\n")
        self._step = following
        if following.to_act >= 0:
            self._show(received)
        else:
            self._finish_hand(received)

    def _read_patiently(self, line: bytes, received: float) -> Action | None:
        """What is done after a line that does not repeat the state letter for letter; `None` if it is no reply."""
        if line[:1] in (b"#", b";"):
            return None
        self._count_time(self.seat, self._sent, received)
        reply = Reply.parse(line.decode("latin-1"), self.match.game)
        if reply is None:
            self._warn("bad state format in response")
            return None
        if reply[:5] != self._current():
            self._warn("ignoring un-requested response")
            return None
        return self._settle(reply.action)

    def seconds_left(self) -> float:
        """How long the player to act still has for a response."""
        return self._most_response - (self._now() - self._sent)

    def no_reply(self) -> BrokenOffError:
        """The error of a player to act from whom nothing came, or nothing more can come."""
        waited = self._now() - self._sent
        self.notes.append(f"ERROR: could not get action from seat {self.seat + 1}\n")
        self.notes.append(f"{waited:.1f} seconds spent waiting; timeout {self._most_response:.1f}\n")
        return BrokenOffError(f"hand {self.hand}: no action from {self._name(self.seat)}")

    def unreachable(self, seat: int) -> BrokenOffError:
        """The error of a player to whom nothing can be sent."""
        self.notes.append(f"ERROR: could not send state to seat {seat + 1}\n")
        return BrokenOffError(f"hand {self.hand}: {self._name(seat)} is gone, or reads nothing")

    def _name(self, seat: int) -> str:
        return f"{self.match.names[seat]} (seat {seat + 1})"

    def _current(self) -> tuple[object, ...]:
        """The state as a reply must repeat it."""
        node, deal = self._step.node, self._deal
        board = deal.board[: self.match.game.board_seen(node.street)]
        return (node.to_act, self.hand, node.history, deal.holes[node.to_act], board)

    def _settle(self, action: Action | None) -> Action:
        """What is done when the player to act answers so."""
        found = settled(action, self._step.node)
        if found.is_invalid:
            self._invalid[self.seat] += 1
            if self._invalid[self.seat] > self.match.limits.invalid:
                self.notes.append("ERROR: invalid action\n")
                raise BrokenOffError(f"hand {self.hand}: too many invalid actions of {self._name(self.seat)}")
        for words in found.warnings:
            self._warn(words)
        return found.action

    def _warn(self, words: str) -> None:
        count = self._warned[self.seat] = self._warned[self.seat] + 1
        if count <= _MOST_WARNINGS:
            self.notes.append(f"WARNING: {words}\n")
        if count == _MOST_WARNINGS:
            self.notes.append(f"WARNING: no more warnings about seat {self.seat + 1}\n")

    def _count_time(self, seat: int, sent: float, received: float) -> None:
        spent = received - sent
        if spent < 0:  # in a file of transactions
            return
        hand = self._used_hand[seat] = self._used_hand[seat] + spent
        match = self._used_match[seat] = self._used_match[seat] + spent
        if spent > self._most_response or hand > self._most_hand or match > self._most_match:
            self.notes.append(f"ERROR: seat {seat + 1} ran out of time\n")
            raise BrokenOffError(f"hand {self.hand}: {self._name(seat)} ran out of time")

    # What goes to players

    def _show(self, now: float) -> None:
        """Show the state to everybody, and wait for the one to act."""
        step = self._step
        lines = self._text.states(step.node.history, step.street)
        for box, line in zip(self._boxes, lines):
            box.append(line)
        self.seat = self._order[step.to_act]
        self._expected = f"{lines[step.to_act]}:".encode()
        self._sent = now
        if not self._is_quiet:
            self._note_shown(now)

    def _note_shown(self, when: float) -> None:
        for seat, box in enumerate(self.outboxes):
            self._note_line("TO", seat, when, f"{box[-1]}\r\n")

    def _note_line(self, way: str, seat: int, when: float, line: str) -> None:
        """Note a line that went to or came from a seat; of one that came, nothing that a terminal would obey."""
        text = line.rstrip("\r\n")
        self.notes.append(f"{way} {seat + 1} at {when:.6f} {harmless(text)}{line[len(text) :] or chr(10)}")

    def _finish_hand(self, now: float) -> None:
        step, text = self._step, self._text
        history, street = step.node.history, step.street
        self._unwritten.append((text, history, street, self._add_up(), self._names))
        self.is_behind = True
        for position, box in enumerate(self._boxes):
            box.append(text.end(position, history, street, step.live))
        if not self._is_quiet:
            self._note_shown(now)
            if self.hand % 100 == 0:
                for seat, seconds in enumerate(self._used_match):
                    self.notes.append(f"Seconds cumulatively spent in match for seat {seat}: {int(seconds)}\n")
        if self.hand + 1 < self.match.hands:
            self._take_next()
            self._show(now)
            return
        self.is_over, self.seat = True, -1
        if not self._is_quiet:
            self.notes.append(f"FINISHED at {self._sent:.6f}\n")

    def catch_up(self) -> None:
        """Do what can wait until the players have what they wait for: write the log, and set up the next hand."""
        for text, history, street, won, names in self._unwritten:
            line = acpc.state_line(text.number, history, text.holes, text.board(street), won, names)
            self._books.add_hand(f"{line}\n")
        self._unwritten.clear()
        if self._following is None and self.hand + 1 < self.match.hands:
            self._following = self._dealt()
        self.is_behind = False

    def _add_up(self) -> Sequence[float]:
        """What each position has won, added to the totals of the seats."""
        step, ranks = self._step, self._deal.ranks
        won: Sequence[float]
        if self._has_parts and len(step.live) > 1:
            won = equal_shares(step.node, ranks)
        else:
            won = step.payoffs(ranks)
        for seat, chips in zip(self._order, won):
            self.totals[seat] += chips
        return won

    def _take_next(self) -> None:
        """Go on to the next hand."""
        seats = len(self._orders)
        self._deal, self._text = self._following or self._dealt()
        self._following = None
        self.hand = self._deal.number
        shift = 0 if self.match.fixed_seats else self.hand % seats
        self._order, self._boxes = self._orders[shift], self._orders_of_boxes[shift]
        self._names = self._orders_of_names[shift]
        self._step = self._first
        self._used_hand = [0.0] * seats

    def _dealt(self) -> tuple[Deal, HandText]:
        deal = next(self._deals)
        return deal, HandText(self.match.game, deal.number, deal.holes, deal.board)

    def score_line(self) -> str:
        """The sum of the match, as it stands at the end of the log."""
        won = "|".join([acpc.chips_text(chips) for chips in self.totals])
        return f"SCORE:{won}:{'|'.join(self.match.names)}"

    # Going on with an interrupted match

    def _repeat(self, past: Transaction) -> None:
        """Do again what was done before the match was interrupted; it is in the log already."""
        if self.is_over or past.hand != self.hand:
            raise MatchError(f"an action of hand {past.hand} where one of hand {self.hand} belongs")
        step = self._step
        self._count_time(self._order[step.to_act], past.sent, past.received)
        try:
            self._step = step.after(past.action)
        except IllegalActionError as error:
            raise MatchError(f"hand {past.hand}: {error}") from None
        if self._step.to_act >= 0:
            return
        self._add_up()
        if self.hand + 1 == self.match.hands:
            self.is_over = True
        else:
            self._take_next()
