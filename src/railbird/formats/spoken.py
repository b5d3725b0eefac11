"""A record as a poker room would tell it: who posts what, who does what for how much, who gets what back.

The other way of `railbird.formats.table_hand`, for the writers of such texts, whose hands are each a `SpokenHand`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from railbird.formats.site_text import amount_text, spaced_cards, unit_of
from railbird.formats.table_hand import ANTE, BIG, BOTH, DEAD, SMALL, STRADDLE, Stakes
from railbird.formats.table_replay import with_changes
from railbird.game.betting import Betting, called_chips
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_CHIPS, Game, Structure
from railbird.game.telling import Telling

_MOST_NUMBER = 10**15 - 1
_FIXED = Structure.FIXED_LIMIT
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_HOUSE_CAPS = ((3, 4, 4, 4), (None,) * 4)


class Post(NamedTuple):
    """Chips that are put in before the cards."""

    position: int
    what: str
    """One of the words of `table_hand`."""
    chips: int
    is_all_in: bool


class Spoken(NamedTuple):
    """An action with all its amounts."""

    street: int
    position: int
    kind: str
    """f, k (check), c, b (bet) or r, as in `TableHand.actions`."""
    added: int
    total: int
    """What the player has put in on this street."""
    above: int
    """By how much a bet or raise is more than was to be called."""
    is_all_in: bool


class Settled(NamedTuple):
    """How a hand ends."""

    node: Betting
    pot: int
    returned: tuple[int, int]
    """The position that gets an uncalled bet back, and the bet; 0 chips where there is none."""
    collected: tuple[int, ...]
    """By position, chips that are paid out of the pot."""
    rake: int


def why_unsayable(record: HandRecord) -> str:
    """Why no text of a poker room can tell this hand; empty where it can."""
    game = record.game
    if not game.is_holdem or game.structure is Structure.SPREAD_LIMIT:
        return f"{game.name} is not played there"
    bets = game.bet_sizes
    if bets[0] != bets[1] or bets[2] != bets[3] or (game.structure is not _FIXED and bets[0] != bets[3]):
        return f"bets of {'/'.join(map(str, bets))} are not played there"
    if any(game.first_to_act[1:]):
        return "another than the first player after the button begins a street"
    if any(not isinstance(chips, int) for chips in record.payoffs):
        return "its payoffs have parts of a chip"
    if not 0 <= record.number <= _MOST_NUMBER:
        return "its number is no number of a hand"
    blinds, count = [post.what for post in posts_of(record)], game.seats
    last = max([0, *(p for p in range(count) if game.blinds[p])], key=lambda p: (p - game.first_to_act[0]) % count)
    if blinds.count(SMALL) > 1 or (any(game.blinds) and (last + 1) % count != game.first_to_act[0]):
        return "its blinds are not posted so there"
    return ""


def common_unsaid(record: HandRecord) -> list[str]:
    """What of a hand no text of a poker room can say."""
    game, missing = record.game, list[str]()
    if game.stacks is None or MOST_CHIPS in game.stacks:
        missing.append("stacks without limit")
    caps = _HOUSE_CAPS if game.structure is _FIXED else ((None,) * 4,)
    if game.max_raises not in caps:
        missing.append("the cap on raises")
    elif game.structure is _FIXED and None in game.max_raises and not _is_beyond_cap(record):
        missing.append("that raises have no cap")
    strict = with_changes(game, free_fold=False)
    if game.free_fold and not any(
        action.kind == "f" and not node._replace(game=strict).can_fold for node, action in record.steps()
    ):
        missing.append("folding where checking is free")
    if record.telling is not None and record.telling.time and not whole_time(record.telling):
        missing.append("a time without its day or hour")
    return missing


def whole_time(telling: Telling) -> str:
    """When a hand began, where day, hour, minute and second are known: rooms tell all of them or none."""
    return telling.time if _TIME.fullmatch(telling.time) else ""


def stakes_of(game: Game) -> Stakes:
    """What a game is played for."""
    if game.structure is _FIXED:
        return Stakes(game.structure, game.bet_sizes[0], game.bet_sizes[3])
    big = game.bet_sizes[0]
    small = min([blind for blind in game.blinds if 0 < blind < big], default=max(1, big // 2))
    return Stakes(game.structure, small, big)


def told_stacks(record: HandRecord) -> tuple[int, ...]:
    """Everybody's stack; where they have no limit one that nobody can lose."""
    if record.game.stacks is not None:
        return record.game.stacks
    deep = 2 * max(record.final().committed) + 100 * max(record.game.bet_sizes)
    return (deep,) * record.game.seats


def posts_of(record: HandRecord) -> list[Post]:
    """Antes, then the blinds from the small one on, then what was posted beside them."""
    game = record.game
    stakes, last = stakes_of(game), (game.first_to_act[0] - 1) % game.seats
    left = list(game.stacks or [chips + 10**15 for chips in game.blinds])
    posts: list[Post] = []

    def post(position: int, what: str, chips: int) -> None:
        paid = min(chips, left[position])
        left[position] -= paid
        if paid or what in (SMALL, BIG, BOTH):
            posts.append(Post(position, what, paid, left[position] == 0))

    if game.ante:
        for position in range(game.seats):
            post(position, ANTE, game.ante)
    dead = list(game.dead or (0,) * game.seats)
    wanted: list[tuple[tuple[int, bool, int], int, str, int]] = []
    for position, blind in enumerate(game.blinds):
        what = _blind(game, stakes, position, last)
        if what is BIG and dead[position] and blind == stakes.blinds[1] and position != last:
            blind, dead[position], what = blind + dead[position], 0, BOTH
        order = ([SMALL, BIG, BOTH, STRADDLE].index(what), position != last, position)
        wanted += [(order, position, what, blind)] if blind else []
        wanted += [((4, False, position), position, DEAD, dead[position])] if dead[position] else []
    for _, position, what, chips in sorted(wanted):
        post(position, what, chips)
    return posts


def spoken_actions(record: HandRecord) -> Iterator[Spoken]:
    """Every action of the hand, in order."""
    stacks = record.game.stacks
    for node, action in record.steps():
        at, street = node.to_act, node.street
        kind, above, added = action.kind, 0, 0
        if kind == "c":
            added = node.to_call
            kind = "c" if added else "k"
        elif kind == "r":
            added = node.after(action).committed[at] - node.committed[at]
            above = node.street_bets[at] + added - node.level
            kind = "r" if node.level else "b"
        is_all_in = stacks is not None and added > 0 and node.committed[at] + added == stacks[at]
        yield Spoken(street, at, kind, added, node.street_bets[at] + added, above, is_all_in)


def settled(record: HandRecord) -> Settled:
    """The end of the hand: what comes back uncalled, what is collected, what the house keeps."""
    node, game = record.final(), record.game
    called = called_chips(game, node.committed)
    uncalled = [paid - kept for paid, kept in zip(node.committed, called)]
    back = max(range(game.seats), key=uncalled.__getitem__)
    got = tuple([int(chips) + kept for chips, kept in zip(record.payoffs, called)])
    return Settled(node, sum(called), (back, uncalled[back]), got, -int(sum(record.payoffs)))


def has_shown(record: HandRecord, node: Betting, position: int) -> bool:
    """Whether a player showed the cards: as the record tells, else whoever has known ones at a showdown."""
    if not record.holes[position]:
        return False
    told = record.telling.shown if record.telling is not None else ()
    return told[position] if told else node.is_showdown and position in node.live


def seats_told(record: HandRecord) -> tuple[int, ...]:
    """The numbers of the seats: those that are told if they go around the table, else from 1 on."""
    count = record.game.seats
    seats = record.telling.seats if record.telling is not None else ()
    fits = len(seats) == len(set(seats)) == count and all(0 < seat < 100 for seat in seats)
    is_round = fits and sorted(seats, key=lambda seat: (seat <= seats[-1], seat)) == list(seats)
    return seats if is_round else tuple(range(1, count + 1))


def street_line(board: tuple[int, ...], street: int) -> str:
    """The line of the cards that are dealt when a street begins.

    >>> street_line((0, 5, 10, 15), 2)
    '*** TURN *** [2c 3d 4h] [5s]'
    """
    name, count = ("", "FLOP", "TURN", "RIVER")[street], (0, 3, 4, 5)[street]
    if street == 1:
        return f"*** {name} *** [{spaced_cards(board[:3])}]"
    return f"*** {name} *** [{spaced_cards(board[: count - 1])}] [{spaced_cards(board[count - 1 : count])}]"


class SpokenHand:
    """A hand that is told line by line. What a room says is up to the room, and in which order."""

    names: Sequence[str]
    """What the room calls the players, by position."""
    sign: str
    """Of its money."""

    def __init__(self, record: HandRecord) -> None:
        self.record, self.game = record, record.game
        self.telling = record.telling or Telling("")
        self.extra = dict(self.telling.extra)
        self.unit = unit_of(self.telling.unit)
        self.seats = seats_told(record)
        self.seated = sorted(zip(self.seats, range(record.game.seats)))
        """By the number of the seat, who sits there."""
        self.actions = list(spoken_actions(record))
        self.end = settled(record)

    def money(self, chips: int, cents: bool = False) -> str:
        return amount_text(chips, self.unit, self.sign, cents)

    def has_shown(self, position: int) -> bool:
        return has_shown(self.record, self.end.node, position)

    def streets(self, words: Callable[[Spoken], str]) -> Iterator[str]:
        """The actions in these words, each street's after its cards."""
        street = 0
        for action in self.actions:
            yield from self._dealt(street, action.street)
            street = action.street
            yield words(action)

    def streets_without_betting(self) -> Iterator[str]:
        """The cards of the streets after the last action."""
        yield from self._dealt(self.actions[-1].street if self.actions else 0, self.end.node.street)

    def _dealt(self, street: int, last: int) -> Iterator[str]:
        return (street_line(self.record.board, each) for each in range(street + 1, last + 1))


def _blind(game: Game, stakes: Stakes, position: int, last: int) -> str:
    """What a position's blind is called."""
    blind, big = game.blinds[position], stakes.blinds[1]
    if blind < big:
        return SMALL
    others = [chips for other, chips in enumerate(game.blinds) if other != position]
    return STRADDLE if blind > big and (position != last or any(big <= chips < blind for chips in others)) else BIG


def _is_beyond_cap(record: HandRecord) -> bool:
    return any(part.count("r") > most for part, most in zip(record.history.split("/"), _HOUSE_CAPS[0]) if most)
