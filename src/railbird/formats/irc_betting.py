"""The betting of a hand of the IRC database, put together from the letters of all its players.

A player's letters of a street tell what that player did each time it was his turn. In a limit game without all-ins
whose turn it is follows from the letters alone; bets are counted there with a small bet of two chips, and only the
chips that everybody put in tell how large it was. Where somebody is all-in the hand is played through `Betting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import add
from typing import NamedTuple

from railbird.errors import IllegalActionError
from railbird.formats.table_replay import with_changes
from railbird.game.actions import CALL, FOLD, RAISE
from railbird.game.betting import Betting
from railbird.game.spec import Game, Structure

Words = Sequence[str]
"""What each player did on a street, by position, as it stands in the files: "Bc", "kf", "-"."""
CAPPED: tuple[int, ...] = (3, 4, 4, 4)
UNCAPPED = (None, None, None, None)
_MOST_LETTERS = 400
_MOST_KEPT = 100_000
"""Streets that are remembered."""


class Seating(NamedTuple):
    """Who posts which blind, with a small bet of two chips, and who acts first before the flop."""

    blinds: tuple[int, ...]
    first: int


class Walked(NamedTuple):
    """A whole hand."""

    history: str
    committed: tuple[int, ...]
    has_free_fold: bool
    is_capped: bool
    """Whether nobody raised more often than houses allow."""
    seen: list[tuple[int, int]]
    """How many players saw flop, turn, river and showdown, and the pot then."""


@lru_cache(4096)
def seatings(blinds: tuple[bool, ...]) -> list[Seating]:
    """The ways in which blinds may have been posted by these players, the most likely first.

    The first two blinds are the small and the big one, further ones are of players who come in. Of two players either
    may have the button.

    >>> seatings((True, True, False))
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
        max_raises=UNCAPPED,
        first_to_act=(seating.first, 0, 0, 0),
        free_fold=True,
    )


class Merged(NamedTuple):
    """What a street's letters come to."""

    history: str
    bets: tuple[int, ...]
    """With a bet of two chips."""
    is_in: tuple[bool, ...]
    live: int
    is_free: bool
    """Whether somebody folded for nothing."""


class Merger:
    """Puts hands together in which nobody is all-in. Streets are remembered: many are the same.

    >>> streets = [("Bf", "Bk", "c"), ("-", "b", "f"), ("-", "-", "-"), ("-", "-", "-")]
    >>> Merger().hand(Seating((1, 2, 0), 2), streets).history
    'cfc/rf'
    """

    def __init__(self) -> None:
        self._known: dict[object, Merged | None] = {}

    def hand(self, seating: Seating, streets: Sequence[tuple[str, ...]]) -> Walked | None:
        """A hand in chips of half a small bet; `None` where the letters do not fit together.

        Only turns and bets are kept account of: whether the hand keeps the rules is for them to say.
        """
        is_in, has_free_fold, is_capped = (True,) * len(seating.blinds), False, True
        committed: Sequence[int] = ()
        parts, seen = list[str](), list[tuple[int, int]]()
        for street, words in enumerate(streets):
            key = (words, seating if street == 0 else is_in)
            try:
                found = self._known[key]
            except KeyError:
                found = self._merged(key, words, seating if street == 0 else None, is_in)
            if found is None:
                return None
            history, bets, is_in, live, is_free = found
            parts.append(history)
            has_free_fold = has_free_fold or is_free
            is_capped = is_capped and history.count("r") <= CAPPED[street]
            if street == 0:
                committed = bets
            else:
                committed = [*map(add, committed, bets)] if street == 1 else [*map(_twice_more, committed, bets)]
            seen.append((live, sum(committed)))
            if live == 1:
                if not _are_gone(streets[street + 1 :]):
                    return None
                break
        return Walked("/".join(parts), tuple(committed), has_free_fold, is_capped, seen)

    def _merged(
        self, key: object, words: tuple[str, ...], seating: Seating | None, is_in: tuple[bool, ...]
    ) -> Merged | None:
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        bets = list(seating.blinds) if seating else [0] * len(words)
        left = list(is_in)
        found = _merged_street(words, bets, left, seating.first if seating else 0)
        merged = None if found is None else Merged(found[0], tuple(bets), tuple(left), sum(left), found[1])
        self._known[key] = merged
        return merged


def _twice_more(paid: int, bet: int) -> int:
    return paid + 2 * bet


def _merged_street(words: Words, bets: list[int], is_in: list[bool], at: int) -> tuple[str, bool] | None:
    """The betting of a street from position `at` on, and whether somebody folded for nothing; `bets` and `is_in` are
    brought up to date."""
    count, level, waiting, is_free = len(words), max(bets), sum(is_in), False
    used, history = [1 if word[0] == "B" else 0 for word in words], ""
    live = waiting
    while waiting:
        if is_in[at]:
            letter = words[at][used[at] : used[at] + 1]
            used[at] += 1
            waiting -= 1
            if letter == "c" and bets[at] < level:
                bets[at] = level
                history += "c"
            elif letter == "k" and bets[at] == level:
                history += "c"
            elif (letter == "b" and not level) or (letter == "r" and level):
                bets[at] = level = level + 2
                waiting = live - 1
                history += "r"
            elif letter and letter in "fQK":
                is_free = is_free or bets[at] == level
                is_in[at] = False
                live -= 1
                history += "f"
                if live == 1:
                    break
            else:
                return None
        at = at + 1 if at + 1 < count else 0
    if "".join([word[place:] for word, place in zip(words, used)]).strip("-QK"):
        return None
    return history, is_free


def walked_hand(game: Game, streets: Sequence[Words]) -> Walked | None:
    """A hand of a game with stacks; `None` where the letters do not fit together."""
    letters = [[word.removeprefix("B").strip("-") for word in words] for words in streets]
    return _walked_under(game, CAPPED, letters) or _walked_under(game, UNCAPPED, letters)


def _walked_under(game: Game, caps: tuple[int | None, ...], letters: Sequence[Words]) -> Walked | None:
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
    return Walked(node.history, node.committed, has_free_fold, caps is CAPPED, seen)


def _walked(node: Betting, letters: Words) -> tuple[Betting, bool] | None:
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
    return (node, has_free_fold) if _are_gone([rest]) else None


def _has_more(node: Betting, owed: int) -> bool:
    stacks = node.game.stacks
    return stacks is not None and stacks[node.to_act] - node.committed[node.to_act] > owed


def _are_gone(streets: Sequence[Words]) -> bool:
    """Whether nothing is told any more but who left the table."""
    return not "".join(["".join(words) for words in streets]).strip("-QK")
