"""The betting of a hand of the IRC database, put together from the letters of all its players.

A player's letters of a street tell what that player did each time it was his turn; the rules tell whose turn it is. In
a limit game without all-ins a street's betting depends on nothing but the letters and on who is left, so each such
street is played through `Betting` once and remembered, with a small bet of two chips. Only the chips that everybody put
in tell how large the bets were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from railbird.errors import IllegalActionError
from railbird.formats.table_replay import with_changes
from railbird.game.actions import CALL, FOLD, RAISE
from railbird.game.betting import Betting
from railbird.game.spec import Game, Structure

Letters = tuple[str, ...]
"""What each player did on a street, by position; the blind is not in it."""
CAPPED: tuple[int, ...] = (3, 4, 4, 4)
_UNCAPPED = (None, None, None, None)
_MOST_KEPT = 200_000
_MOST_LETTERS = 400
_LEFT = "QK"


class Seating(NamedTuple):
    """Who posts which blind, with a small bet of two chips, and who acts first before the flop."""

    blinds: tuple[int, ...]
    first: int


class Street(NamedTuple):
    """What happened on a street."""

    history: str
    added: tuple[int, ...]
    """By position, what each put in: on turn and river it is twice as much."""
    folded: int
    """A bit for each position that has folded by its end."""
    live: int
    """How many are left."""
    has_free_fold: bool


class Walked(NamedTuple):
    """A whole hand."""

    history: str
    committed: tuple[int, ...]
    folded: int
    has_free_fold: bool
    is_capped: bool
    """Whether nobody raised more often than houses allow."""
    seen: list[tuple[int, int]]
    """How many players saw flop, turn, river and showdown, and the pot then."""


def seatings(blinds: Sequence[bool]) -> list[Seating]:
    """The ways in which blinds may have been posted by these players, the most likely first.

    The first two blinds are the small and the big one, further ones are of players who come in. Of two players either
    may have the button.

    >>> seatings([True, True, False])
    [Seating(blinds=(1, 2, 0), first=2)]
    """
    count = len(blinds)
    posted = [at for at in range(count) if blinds[at]]
    if not posted:
        return []
    amounts = [2 if is_posted else 0 for is_posted in blinds]
    one = Seating(tuple(amounts), (posted[0] + 1) % count)
    if len(posted) == 1:
        return [one]
    amounts[posted[0]] = 1
    both = Seating(tuple(amounts), (posted[1] + 1) % count)
    if count == 2:
        return [both, Seating((2, 1), 1)]
    return [both] if posted[0] == 0 else [both, one]


def unit_game(seating: Seating) -> Game:
    """Limit hold'em with a small bet of two chips in which everything is allowed that some house allows."""
    return Game(
        name="limit",
        structure=Structure.FIXED_LIMIT,
        blinds=seating.blinds,
        bet_sizes=(2, 2, 4, 4),
        max_raises=_UNCAPPED,
        first_to_act=(seating.first, 0, 0, 0),
        free_fold=True,
    )


class Streets:
    """The streets that were met, each played once."""

    def __init__(self) -> None:
        self._known: dict[object, Street | None] = {}
        self._games: dict[Seating, Game] = {}

    def hand(self, seating: Seating, letters: Sequence[Letters]) -> Walked | None:
        """A hand in which nobody is all-in, in chips of half a small bet; `None` where the letters do not fit."""
        folded, has_free_fold, is_capped, pot = 0, False, True, 0
        committed: Sequence[int] = ()
        parts: list[str] = []
        seen: list[tuple[int, int]] = []
        for street in range(4):
            found = self._street(seating, street, folded, letters[street])
            if found is None:
                return None
            parts.append(found.history)
            folded, live = found.folded, found.live
            has_free_fold = has_free_fold or found.has_free_fold
            is_capped = is_capped and found.history.count("r") <= CAPPED[street]
            if street == 0:
                committed = found.added
            elif street == 1:
                committed = [paid + more for paid, more in zip(committed, found.added)]
            else:
                committed = [paid + 2 * more for paid, more in zip(committed, found.added)]
            pot = sum(committed)
            seen.append((live, pot))
            if live == 1:
                if not _are_gone(letters[street + 1 :]):
                    return None
                break
        return Walked("/".join(parts), tuple(committed), folded, has_free_fold, is_capped, seen)

    def _street(self, seating: Seating, street: int, folded: int, letters: Letters) -> Street | None:
        key = (seating, letters) if street == 0 else (folded, letters)
        try:
            return self._known[key]
        except KeyError:
            pass
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        found = self._known[key] = self._played(seating, min(street, 1), folded, letters)
        return found

    def _played(self, seating: Seating, street: int, folded: int, letters: Letters) -> Street | None:
        count = len(letters)
        if street > 0:
            seating = Seating((1, 2, *(0,) * (count - 2)), 2 % count)
        game = self._games.get(seating)
        if game is None:
            game = self._games[seating] = unit_game(seating)
        if street == 0:
            node = Betting.start(game)
        else:
            everyone, none = (1 << count) - 1, (0,) * count
            first = next(at for at in range(count) if not folded >> at & 1)
            node = Betting(game, 1, first, none, none, 0, 2, 0, folded, everyone & ~folded, 0, "")
        walked = _walked(node, letters)
        if walked is None:
            return None
        end, has_free_fold = walked
        live = count - end.folded.bit_count()
        return Street(end.history.rstrip("/"), end.committed, end.folded, live, has_free_fold)


def walked_hand(game: Game, letters: Sequence[Letters]) -> Walked | None:
    """A hand of a game with stacks; `None` where the letters do not fit together."""
    return _walked_under(game, CAPPED, letters) or _walked_under(game, _UNCAPPED, letters)


def _walked_under(game: Game, caps: tuple[int | None, ...], letters: Sequence[Letters]) -> Walked | None:
    game = with_changes(game, free_fold=True, max_raises=caps)
    node, has_free_fold = Betting.start(game), False
    seen: list[tuple[int, int]] = []
    for street in range(4):
        if node.to_act >= 0 and node.street == street:
            walked = _walked(node, letters[street])
            if walked is None:
                return None
            node, is_free = walked
            has_free_fold = has_free_fold or is_free
        elif not _are_gone(letters[street : street + 1]):
            return None
        seen.append((len(node.live), sum(node.committed)))
        if len(node.live) == 1:
            break
    if node.to_act >= 0 or not _are_gone(letters[len(seen) :]):
        return None
    return Walked(node.history, node.committed, node.folded, has_free_fold, caps is CAPPED, seen)


def _walked(node: Betting, letters: Letters) -> tuple[Betting, bool] | None:
    """The node at the end of a street, and whether somebody folded for nothing; `None` where the letters do not fit."""
    if sum(map(len, letters)) > _MOST_LETTERS:
        return None
    street, used, has_free_fold = node.street, [0] * len(letters), False
    while node.to_act >= 0 and node.street == street:
        at = node.to_act
        if used[at] == len(letters[at]):
            return None
        letter = letters[at][used[at]]
        used[at] += 1
        owed = node.to_call
        try:
            if letter in "fQK":
                has_free_fold = has_free_fold or not owed
                node = node.after(FOLD)
            elif (letter == "k" and not owed) or (letter == "c" and owed):
                node = node.after(CALL)
            elif (letter == "b" and not node.level) or (letter == "r" and node.level):
                node = node.after(RAISE)
            elif letter == "A":
                node = node.after(RAISE if _has_more(node, owed) and node.can_raise else CALL)
            else:
                return None
        except IllegalActionError:
            return None
    rest = [letters[at][used[at] :] for at in range(len(letters))]
    return (node, has_free_fold) if _are_gone([tuple(rest)]) else None


def _has_more(node: Betting, owed: int) -> bool:
    stacks = node.game.stacks
    return stacks is not None and stacks[node.to_act] - node.committed[node.to_act] > owed


def _are_gone(letters: Sequence[Letters]) -> bool:
    """Whether nothing is told any more but who left the table."""
    return not "".join(["".join(each) for each in letters]).strip(_LEFT)
