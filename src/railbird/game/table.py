"""A table that players join and leave: seats, stacks, and the button that moves from hand to hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from railbird.errors import InvalidGameError
from railbird.game.spec import MOST_SEATS, Game


@dataclass
class Seat:
    """A chair with a player in it."""

    name: str
    stack: int | None
    """Chips; `None` for an unlimited stack."""
    sitting_in: bool = True


class Table:
    """Up to 23 numbered chairs. Between hands players may sit down, sit out, come back and leave.

    `next_hand()` moves the button to the next player who takes part and says who sits where; `settle()` pays. The
    button moves to the next player who is in: nobody posts twice in a row and no blind is ever dead.

    >>> table = Table()
    >>> for name in ("Ann", "Bob", "Cal"):
    ...     _ = table.sit(name, stack=100)
    >>> table.next_hand(), table.next_hand()
    ((1, 2, 0), (2, 0, 1))
    >>> table.sit_out("Bob")
    >>> table.next_hand()
    (0, 2)
    """

    def __init__(self, seats: int = 10) -> None:
        if not 2 <= seats <= MOST_SEATS:
            raise InvalidGameError(f"a table of {seats} seats; a table has 2 to {MOST_SEATS}")
        self.seats: list[Seat | None] = [None] * seats
        self.button = -1
        """The seat with the button; -1 before the first hand."""
        self.order: tuple[int, ...] = ()
        """The seats in the current hand, by position."""

    def sit(self, name: str, stack: int | None = None, seat: int | None = None) -> int:
        """Take a free chair (the first one unless `seat` says which) and return its number."""
        if name in (s.name for s in self.seats if s):
            raise InvalidGameError(f"{name!r} sits at this table already")
        if stack is not None and stack < 1:
            raise InvalidGameError(f"{name!r} cannot sit down with {stack} chips")
        free = [i for i, s in enumerate(self.seats) if s is None]
        if seat is None and not free:
            raise InvalidGameError(f"no chair is free for {name!r}: all {len(self.seats)} are taken")
        chair = free[0] if seat is None else seat
        if chair not in free:
            raise InvalidGameError(f"seat {chair} is not free for {name!r} (free: {free})")
        self.seats[chair] = Seat(name, stack)
        return chair

    def leave(self, name: str) -> int | None:
        """Leave with one's chips."""
        chair = self._chair(name)
        seat = self.seats[chair]
        assert seat is not None
        self.seats[chair] = None
        return seat.stack

    def sit_out(self, name: str) -> None:
        self._seated(name).sitting_in = False

    def sit_in(self, name: str) -> None:
        self._seated(name).sitting_in = True

    def next_hand(self) -> tuple[int, ...]:
        """Move the button and return the seats that take part, by position (the button last)."""
        active = [i for i, s in enumerate(self.seats) if s and s.sitting_in and s.stack != 0]
        if len(active) < 2:
            raise InvalidGameError(f"{len(active)} players are sitting in; a hand needs two")
        self.button = next((i for i in active if i > self.button), active[0])
        at = active.index(self.button)
        self.order = tuple(active[at + 1 :] + active[: at + 1])
        return self.order

    def game(self, like: Game) -> Game:
        """The game of the current hand: `like` with this table's stacks, its players in order of position."""
        stacks = [self._at(i).stack for i in self.order]
        known = [chips for chips in stacks if chips is not None]
        if known and len(known) != len(stacks):
            raise InvalidGameError("some stacks are limited and some are not")
        return like.for_table(len(stacks), tuple(known) or None)

    def settle(self, payoffs: Sequence[int]) -> None:
        """Add what each position won to its stack."""
        for chair, chips in zip(self.order, payoffs, strict=True):
            seat = self._at(chair)
            if seat.stack is not None:
                seat.stack += chips

    def _at(self, chair: int) -> Seat:
        seat = self.seats[chair]
        if seat is None:
            raise InvalidGameError(f"the player of seat {chair} left during the hand")
        return seat

    def _chair(self, name: str) -> int:
        for i, seat in enumerate(self.seats):
            if seat and seat.name == name:
                return i
        known = ", ".join(s.name for s in self.seats if s) or "nobody"
        raise InvalidGameError(f"{name!r} does not sit at this table (seated: {known})")

    def _seated(self, name: str) -> Seat:
        return self._at(self._chair(name))
