"""A hand as the text of a poker room tells it, in order of its lines, and the record that the rules make of it.

The text is put in here line by line: seats, posts, actions, cards, what was collected. `record` then works out who is
in the hand and on which position, builds the game of this very hand (blinds as they were posted, stacks, missed
blinds), replays every action with its amount, and holds pots, rake, payoffs and cards against the rules.
Whatever does not agree is an `InvalidRecordError` that says which part it is about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from railbird.errors import InvalidRecordError, RailbirdError
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import Block, HistoryFile
from railbird.formats.site_text import Beginnings, of_hand
from railbird.formats.table_replay import Ended, HandRules, KnownCards, Replayer
from railbird.game.rake import most_rake
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_CHIPS, MOST_SEATS, Game, Structure
from railbird.game.telling import Telling
from railbird.numbers import quoted

SMALL, BIG, BOTH, LIVE, ANTE, STRADDLE, DEAD = "small", "big", "both", "live", "ante", "straddle", "dead"
"""What is posted: a blind, both at once by somebody who missed them, chips that are a bet like the big blind, an ante,
a straddle, or chips that are no bet."""
_MOST_ACTIONS = 2_000
_CAPPED = (3, 4, 4, 4)
_UNCAPPED = (None, None, None, None)
_FIXED = Structure.FIXED_LIMIT
_BOARD = (0, 3, 4, 5)


Teller = Callable[["re.Match[str]", list[str], Replayer], HandRecord]
"""The hand of a first line that could be read, and of the lines of that hand."""


def hands_of_room(
    file: HistoryFile, room: str, header: re.Pattern[str], told: Teller
) -> Iterator[HandRecord | Problem]:
    """The hands of a room's text, each told by its own lines, or the reason why it is set aside."""
    replayer = Replayer()

    def record(block: Block) -> HandRecord:
        first = header.match(block.lines[0].removeprefix("\ufeff"))
        if first is None:
            raise InvalidRecordError(f"not a hand of {room}: {quoted(block.lines[0])}")
        try:
            return told(first, block.lines, replayer)
        except RailbirdError as error:
            raise of_hand(first["hand"], error) from None

    for block in file.blocks(Beginnings()):
        try:
            yield record(block).found_on(block.line)
        except RailbirdError as error:
            yield file.problem(block.line, error)


class Stakes(NamedTuple):
    """What a game is played for: in limit games small and big bet, in others the blinds."""

    structure: Structure
    small: int
    big: int

    @property
    def blinds(self) -> tuple[int, int]:
        """The blinds as they should be; what was posted in full is believed instead."""
        return (self.small // 2, self.small) if self.structure is _FIXED else (self.small, self.big)

    @property
    def bet_sizes(self) -> tuple[int, ...]:
        return (self.small, self.small, self.big, self.big) if self.structure is _FIXED else (self.big,) * 4


class TableHand:
    """One hand, line by line. Players are told by their place in the list of seats."""

    __slots__ = (
        "actions",
        "board",
        "button",
        "collected",
        "fees",
        "hand",
        "holes",
        "names",
        "posts",
        "rake",
        "returned",
        "seats",
        "shown",
        "stacks",
        "stakes",
        "total",
    )

    def __init__(self, hand: str, stakes: Stakes) -> None:
        self.hand, self.stakes = hand, stakes
        self.names: list[str] = []
        self.seats: list[int] = []
        self.stacks: list[int] = []
        self.button = 0
        self.posts: list[tuple[int, str, int]] = []
        self.actions: list[tuple[int, int, str, int]] = []
        """Street, player, kind and chips: f, k (check), c (chips added), b (bet), r (raise to so much on this street),
        A (all-in with so many more)."""
        self.board: tuple[int, ...] = ()
        self.holes: dict[int, tuple[int, ...]] = {}
        self.shown: set[int] = set()
        self.collected: dict[int, int] = {}
        self.returned: dict[int, int] = {}
        self.total = -1
        """The pot as the text sums it up, -1 where it does not."""
        self.rake = -1
        """What the house took, -1 where the text does not say."""
        self.fees = 0
        """What else was taken out of the pot."""

    def add_seat(self, seat: int, name: str, stack: int) -> None:
        if len(self.names) == MOST_SEATS:
            raise self._error(f"more than {MOST_SEATS} seats", "players")
        self.seats.append(seat)
        self.names.append(name)
        self.stacks.append(stack)

    def add_cards(self, player: int, cards: tuple[int, ...]) -> None:
        """Cards of a player, as far as both are told; refuses others than were told before."""
        if len(cards) == 2 and self.holes.setdefault(player, cards) != cards:
            before = self.holes[player]
            if set(before) != set(cards):
                raise self._error(f"{quoted(self.names[player])} has two different holdings", "cards")

    def add_street(self, cards: tuple[int, ...]) -> None:
        """The board once a street's cards lie on the table."""
        if len(cards) not in (3, 4, 5) or cards[: len(self.board)] != self.board:
            raise self._error("the boards of its streets do not follow from one another", "cards")
        self.board = cards

    def record(self, telling: Telling, replayer: Replayer) -> HandRecord:
        """The record of the hand; `telling` is completed with seats, shown cards and rake."""
        if len(self.actions) > _MOST_ACTIONS or len(self.posts) > _MOST_ACTIONS:
            raise self._error("more actions than a hand can have", "betting")
        order = self._order()
        place = {player: position for position, player in enumerate(order)}
        names = tuple([self.names[player] for player in order])
        holes = tuple([self.holes.get(player, ()) for player in order])
        self._check_distinct(holes)
        for player in self.shown:
            if player not in self.holes:
                raise self._error(f"{quoted(self.names[player])} showed cards that are not known", "cards")
        rules, stacks = self._rules(order, place)
        acts = [(street, place[player], kind, chips) for street, player, kind, chips in self.actions]
        try:
            mucked = sum([1 << at for at, player in enumerate(order) if player not in self.shown]) if self.shown else 0
            end = replayer.ended(rules, stacks, acts, KnownCards(holes, self.board, mucked), names)
        except InvalidRecordError as error:
            raise InvalidRecordError(f"hand {self.hand}: {error}", error.part) from None
        if len(self.board) != _BOARD[end.street]:
            raise self._error(f"{len(self.board)} board cards where the betting has {_BOARD[end.street]}", "cards")
        won = self._settled(end, order, place)
        return HandRecord(
            end.game,
            int(self.hand),
            names,
            holes,
            self.board,
            end.history,
            won,
            telling._replace(
                seats=tuple([self.seats[player] for player in order]),
                shown=tuple([player in self.shown for player in order]),
                hero=place.get(telling.hero, -1),
                rake=-sum(won),
            ),
        )

    def _order(self) -> list[int]:
        """Who is in the hand, from the first after the button on: those who posted or acted."""
        inside = {player for player, _, _ in self.posts}
        inside.update([player for _, player, _, _ in self.actions])
        if len(inside) < 2:
            raise self._error(f"{len(inside)} players in it", "players")
        if len(set(self.seats)) < len(self.seats) or len(set(self.names)) < len(self.names):
            raise self._error("a seat or a name is there twice", "players")
        seats, button = self.seats, self.button
        return sorted(inside, key=lambda player: (seats[player] <= button, seats[player]))

    def _rules(self, order: list[int], place: dict[int, int]) -> tuple[HandRules, tuple[int, ...]]:
        """The game of this hand, and everybody's stack."""
        count = len(order)
        blinds, dead, antes = [0] * count, [0] * count, [0] * count
        paid = [0] * count
        for player, what, chips in self.posts:
            paid[place[player]] += chips
            if what is ANTE:
                antes[place[player]] += chips
        small, big = self.stakes.blinds
        small_at = big_at = straddle_at = -1
        for player, what, chips in self.posts:
            at = place[player]
            # Who has nothing left has posted less than was due.
            due = (small, big) if paid[at] == self.stacks[player] else (0, 0)
            if what is ANTE:
                continue
            if what is SMALL and small_at < 0:
                small_at = at
                blinds[at] = max(chips, due[0])
            elif what is BIG:
                big_at = at if big_at < 0 else big_at
                blinds[at] = max(chips, due[1])
            elif what is BOTH:
                blinds[at] = big
                dead[at] += max(due[0], chips - big, 0)
            elif what is LIVE:
                blinds[at] += max(chips, due[1])
            elif what is STRADDLE:
                straddle_at = at if straddle_at < 0 or chips > blinds[straddle_at] else straddle_at
                blinds[at] = chips
            else:
                dead[at] += max(chips, due[0])
        if big_at < 0 <= small_at and antes[(small_at + 1) % count] == self.stacks[order[(small_at + 1) % count]]:
            big_at = (small_at + 1) % count  # all-in with the ante
            blinds[big_at] = big
        last = straddle_at if straddle_at >= 0 else big_at if big_at >= 0 else small_at
        ante = max(antes)
        if ante and not all(paid == ante or paid == self.stacks[player] for paid, player in zip(antes, order)):
            dead, ante = [paid + chips for paid, chips in zip(antes, dead)], 0
        stacks = tuple([self.stacks[player] for player in order])
        if min(stacks) < 1 or max(stacks) > MOST_CHIPS:
            raise self._error("a player without chips, or with too many", "stacks")
        missed = tuple(dead) if any(dead) else None
        return _hand_rules(self.stakes, tuple(blinds), ante, missed, (last + 1) % count), stacks

    def _settled(self, end: Ended, order: list[int], place: dict[int, int]) -> tuple[int, ...]:
        """What each position won after rake; refuses pots, rakes, returned bets and winners that do not fit."""
        committed, game = end.committed, end.game
        bets: Sequence[int] = committed
        if game.ante or game.dead:
            antes = [game.ante + chips for chips in game.dead or (0,) * len(order)]
            bets = [max(0, paid - ante) for paid, ante in zip(committed, antes)]
        highest, second = sorted(bets)[-1:-3:-1]
        uncalled = highest - second
        pot = sum(committed) - uncalled
        won = [-paid for paid in committed]
        for gains in (self.collected, self.returned):
            for player, chips in gains.items():
                if player not in place:
                    raise self._error(f"{quoted(self.names[player])} gets chips and is not in it", "payoffs")
                won[place[player]] += chips
        back = sum(self.returned.values())
        if back != uncalled:
            raise self._error(f"an uncalled bet of {uncalled}, but {back} was returned", "payoffs")
        if uncalled and [player for player, chips in self.returned.items() if chips] != [order[bets.index(highest)]]:
            raise self._error("the uncalled bet was returned to another player", "payoffs")
        if self.total >= 0 and self.total != pot:
            raise self._error(f"a pot of {self.total}, but {pot} was put in", "rake")
        taken = -sum(won)
        if self.rake >= 0 and taken != self.rake + self.fees:
            raise self._error(f"a rake of {self.rake + self.fees}, but {taken} is missing in the payoffs", "rake")
        if taken < 0 or taken > most_rake(pot, game.small_bet):
            raise self._error(f"{taken} of a pot of {pot} is missing in the payoffs", "rake")
        for at, (chips, low, high) in enumerate(zip(won, end.least, end.most)):
            if not (low if high == -committed[at] else low - taken) <= chips <= high:
                raise self._error(f"{quoted(self.names[order[at]])} has {chips:+}: {_rightly(low, high)}", "payoffs")
        return tuple(won)

    def _check_distinct(self, holes: Sequence[tuple[int, ...]]) -> None:
        dealt = [card for cards in (*holes, self.board) for card in cards]
        if len(set(dealt)) < len(dealt):
            raise self._error("a card is there twice", "cards")

    def _error(self, message: str, part: str = "incomplete") -> InvalidRecordError:
        return InvalidRecordError(f"hand {self.hand}: {message}", part)


def posted_stakes(hand: TableHand) -> tuple[int, int]:
    """Small and big blind as far as posts tell them: those in full, else twice the small blind."""
    paid: dict[int, int] = {}
    for player, _, chips in hand.posts:
        paid[player] = paid.get(player, 0) + chips
    most = {SMALL: 0, BIG: 0}
    full = {SMALL: 0, BIG: 0}
    for player, what, chips in hand.posts:
        kind = BIG if what is LIVE else what
        if kind in most:
            most[kind] = max(most[kind], chips)
            full[kind] = max(full[kind], chips if paid[player] < hand.stacks[player] else 0)
    big = full[BIG] or max(2 * most[SMALL], most[BIG])
    if not big:
        raise InvalidRecordError(f"hand {hand.hand}: nobody posts a blind", "incomplete")
    return full[SMALL] or max(most[SMALL], big // 2) or 1, big


@lru_cache(4096)
def _hand_rules(
    stakes: Stakes,
    blinds: tuple[int, ...],
    ante: int,
    dead: tuple[int, ...] | None,
    first: int,
) -> HandRules:
    """A game of these stakes and blinds in which every stack is one chip."""
    structure = stakes.structure
    game = Game(
        name="limit" if structure is _FIXED else structure.value,
        structure=structure,
        blinds=blinds,
        bet_sizes=stakes.bet_sizes,
        max_raises=_CAPPED if structure is _FIXED else _UNCAPPED,
        first_to_act=(first, 0, 0, 0),
        ante=ante,
        dead=dead,
        stacks=(1,) * len(blinds),
    )
    return HandRules.of(game)


def _rightly(low: int, high: int) -> str:
    """What cards and betting give, in words."""
    return f"cards and betting give {low:+}" if low == high else f"cards and betting give {low:+} to {high:+}"
