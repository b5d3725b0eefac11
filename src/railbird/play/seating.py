"""Who sits where: rotation for plain play, balanced seatings for duplicate play.

A match has one leg, or in duplicate play several: each plays the same deals with the players in other seats, so that
every deal is played once in each row of the seating. A row names the player at each position. Within
one deal

- every player takes every position, and so holds every set of cards, equally often;
- every player sits directly behind every other player equally often.

Both exactly once needs a row-complete Latin square. For n + 1 prime, rows r * p mod (n + 1) are one; for ten seats they
are Table 8.1 of Papp (1998). Eight seats have Williams' square (1949), nine the square below, found by search. There is
none for 3, 5 and 7 seats: there each deal is played 2n times and both happen exactly twice (Williams 1949).
"""

from __future__ import annotations

from dataclasses import dataclass

from railbird.errors import MatchError

MOST_PLAYERS = 10

# Rows 0, 3 and 6 of a row-complete Latin square of order 9. The rest follow by 0->1->2->0, 3->4->5->3, 6->7->8->6.
_NINE = ((0, 1, 3, 5, 7, 4, 8, 6, 2), (3, 6, 8, 0, 2, 7, 1, 4, 5), (6, 4, 0, 7, 3, 1, 5, 2, 8))


@dataclass(frozen=True)
class Seating:
    """Rows that name the player at each position, and how many legs a match has over them.

    Leg l plays hand h in row (l + h) mod the number of rows. So with as many legs as rows, every deal is played in
    every row, and all the while the players of each leg move through all positions.
    """

    rows: tuple[tuple[int, ...], ...]
    legs: int
    description: str

    def order(self, leg: int, hand: int) -> tuple[int, ...]:
        """The player at each position."""
        return self.rows[(leg + hand) % len(self.rows)]


def seating(players: int, duplicate: bool) -> Seating:
    """The seating of a match.

    >>> seating(2, duplicate=True).rows
    ((0, 1), (1, 0))
    >>> seating(10, duplicate=True).rows[1]
    (1, 3, 5, 7, 9, 0, 2, 4, 6, 8)
    >>> print(seating(5, duplicate=True).description)
    each deal 10 times: every player holds each set of cards twice and sits behind each other player twice
    """
    if not 2 <= players <= MOST_PLAYERS:
        raise MatchError(f"{players} players; a match has 2 to {MOST_PLAYERS}")
    if not duplicate:
        rotations = tuple(tuple((position + hand) % players for position in range(players)) for hand in range(players))
        return Seating(rotations, 1, "the button moves one seat each hand")
    rows = _balanced_rows(players)
    times = "once" if len(rows) == players else "twice"
    return Seating(
        rows,
        len(rows),
        f"each deal {len(rows)} times: every player holds each set of cards {times} and sits behind each other player "
        f"{times}",
    )


def _balanced_rows(n: int) -> tuple[tuple[int, ...], ...]:
    if n in (2, 4, 6, 10):  # n + 1 is prime
        return tuple(tuple((row * position) % (n + 1) - 1 for position in range(1, n + 1)) for row in range(1, n + 1))
    if n == 9:
        return tuple(tuple(3 * (p // 3) + (p + step) % 3 for p in row) for row in _NINE for step in range(3))
    zigzag = [(position + 1) // 2 if position % 2 else (n - position // 2) % n for position in range(n)]
    rows = [tuple((p + step) % n for p in zigzag) for step in range(n)]
    return tuple(rows if n % 2 == 0 else rows + [row[::-1] for row in rows])
