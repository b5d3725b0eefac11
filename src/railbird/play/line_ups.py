"""Who sits at which table of a tournament: all line-ups, or a balanced sample of them."""

from __future__ import annotations

from itertools import combinations, count
from math import comb
from random import Random

from railbird.errors import MatchError
from railbird.play.ratings import LineUp, check_connected

MOST_LINE_UPS = 1_000_000


def line_ups(players: int, seats: int, asked: int = 0) -> list[LineUp]:
    """All line-ups of so many seats, or a balanced sample of as many as are asked for.

    In a sample players sit equally often, but for a table where that does not come out even, and pairs meet about as
    often as each other.

    >>> line_ups(4, 3)
    [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    >>> line_ups(6, 3, 4)
    [(1, 2, 3), (0, 4, 5), (1, 3, 5), (0, 2, 4)]
    """
    every = comb(players, seats)
    if players < seats:
        raise MatchError(f"{players} players for tables of {seats}; name at least {seats}")
    if asked > every:
        raise MatchError(f"{asked:,} line-ups; {players} players at tables of {seats} have {every:,}")
    if not asked and every > MOST_LINE_UPS:
        raise MatchError(f"{every:,} line-ups are too many; ask for a balanced sample, as in --line-ups 100")
    if not asked or asked == every:
        return list(combinations(range(players), seats))
    found = _balanced(players, seats, asked)
    check_connected(found, players)
    return found


def _balanced(players: int, seats: int, asked: int) -> list[LineUp]:
    """Table by table: whoever has played least sits down, of those whoever has met the others at the table least."""
    chance = Random(0)
    played, met = [0] * players, [[0] * players for _ in range(players)]
    found: dict[LineUp, None] = {}
    while len(found) < asked:
        table: list[int] = []
        while len(table) < seats:
            free = [player for player in range(players) if player not in table]
            table.append(
                min(free, key=lambda each: (played[each], sum(met[each][other] for other in table), chance.random()))
            )
        line_up = tuple(sorted(table))
        if line_up in found:  # the same again; any other that is as balanced will do
            line_up = _neighbour(line_up, played, found, chance)
        found[line_up] = None
        for player in line_up:
            played[player] += 1
            for other in line_up:
                met[player][other] += player != other
    return list(found)


def _neighbour(line_up: LineUp, played: list[int], found: dict[LineUp, None], chance: Random) -> LineUp:
    """A line-up that there is not yet, in which those who have played least sit; the longer it takes, the less so."""
    for tries in count():
        order = sorted(range(len(played)), key=lambda each: played[each] + (tries // 50 + 0.5) * chance.random())
        other = tuple(sorted(order[: len(line_up)]))
        if other not in found:
            return other
    raise AssertionError  # there are more line-ups than are asked for
