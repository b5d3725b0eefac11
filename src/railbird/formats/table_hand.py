"""A hand as the text of a poker room tells it, in order of its lines, and the record that the rules make of it.

The text is put in here line by line: seats, posts, actions, cards, what was collected. `record` then works out who is in
the hand and on which position, builds the game of this very hand (blinds as they were posted, stacks, missed blinds),
replays every action with its amount through `Betting`, and holds pots, rake, payoffs and cards against the rules.
Whatever does not agree is an `InvalidRecordError` that says which part it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from railbird.errors import IllegalActionError, InvalidRecordError
from railbird.game.actions import CALL, FOLD, RAISE, Action
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.rake import most_rake
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_CHIPS, MOST_SEATS, Game, Structure
from railbird.game.telling import Telling
from railbird.numbers import quoted
from railbird.odds.ranks import rank_cards

SMALL, BIG, BOTH, ANTE, STRADDLE, DEAD = "small", "big", "both", "ante", "straddle", "dead"
"""What is posted: a blind, both at once by somebody who missed them, an ante, a straddle, or chips that are no bet."""
_MOST_ACTIONS = 2_000
_CAPPED = (3, 4, 4, 4)
_UNCAPPED = (None, None, None, None)
_FIXED = Structure.FIXED_LIMIT
_BOARD = (0, 3, 4, 5)


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
        "positions",
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
        self.positions: list[int] = []
        """The players in the hand, in order of position; known once the record is made."""

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

    def record(self, telling: Telling) -> HandRecord:
        """The record of the hand; `telling` is completed with seats, shown cards and rake."""
        if len(self.actions) > _MOST_ACTIONS or len(self.posts) > _MOST_ACTIONS:
            raise self._error("more actions than a hand can have", "betting")
        order = self._order()
        place = {player: position for position, player in enumerate(order)}
        game, dead = self._game(order, place)
        node, game = self._played(game, order, place)
        won, rake = self._settled(node, order, place, dead)
        holes = tuple([self.holes.get(player, ()) for player in order])
        self._check_cards(node, holes)
        self._check_winners(node, holes, won, rake)
        return HandRecord(
            game,
            int(self.hand),
            tuple([self.names[player] for player in order]),
            holes,
            self.board,
            node.history,
            tuple(won),
            telling._replace(
                seats=tuple([self.seats[player] for player in order]),
                shown=tuple([player in self.shown for player in order]),
                hero=place.get(telling.hero, -1),
                rake=rake,
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
        self.positions = sorted(inside, key=lambda player: (seats[player] <= button, seats[player]))
        return self.positions

    def _game(self, order: list[int], place: dict[int, int]) -> tuple[Game, list[int]]:
        """The game of this hand, and what each position put in beside bets."""
        count = len(order)
        blinds, dead, antes = [0] * count, [0] * count, [0] * count
        small, big = self.stakes.blinds
        small_at = big_at = straddle_at = -1
        for player, what, chips in self.posts:
            if what is ANTE:
                antes[place[player]] += chips
        for player, what, chips in self.posts:
            at = place[player]
            if what is ANTE:
                continue
            if what is SMALL and small_at < 0:
                small_at = at
                blinds[at] = chips if chips >= small else self._in_full(player, chips + antes[at], chips, small)
            elif what is BIG:
                big_at = at if big_at < 0 else big_at
                blinds[at] = chips if chips >= big else self._in_full(player, chips + antes[at], chips, big)
            elif what is BOTH:
                blinds[at] = big
                is_short = chips < small + big and chips + antes[at] == self.stacks[player]
                dead[at] += small if is_short else max(0, chips - big)
            elif what is STRADDLE:
                straddle_at = at if straddle_at < 0 or chips > blinds[straddle_at] else straddle_at
                blinds[at] = chips
            else:
                dead[at] += chips
        if big_at < 0 <= small_at and antes[(small_at + 1) % count] == self.stacks[order[(small_at + 1) % count]]:
            big_at = (small_at + 1) % count  # all-in with the ante
            blinds[big_at] = big
        last = straddle_at if straddle_at >= 0 else big_at if big_at >= 0 else small_at
        ante = max(antes)
        if ante and not all(
            [paid == ante or paid == self.stacks[player] for paid, player in zip(antes, order, strict=True)]
        ):
            dead, ante = [paid + chips for paid, chips in zip(antes, dead, strict=True)], 0
        stacks = tuple([self.stacks[player] for player in order])
        if min(stacks) < 1 or max(stacks) > MOST_CHIPS:
            raise self._error("a player without chips, or with too many", "stacks")
        game = with_stacks(
            _rules(self.stakes, tuple(blinds), ante, tuple(dead) if any(dead) else None, (last + 1) % count), stacks
        )
        return game, [min(ante + chips, stack) for chips, stack in zip(dead, stacks, strict=True)]

    def _in_full(self, player: int, paid: int, chips: int, right: int) -> int:
        """A blind of which less was posted than is right: in full if nothing was left, else what was posted."""
        return right if paid == self.stacks[player] else chips

    def _played(self, game: Game, order: list[int], place: dict[int, int]) -> tuple[Betting, Game]:
        """The end of the betting, and the game that it is legal in: folds that were free and caps that were lifted
        between two players are allowed where the hand has them."""
        for _ in range(3):
            try:
                node = self._replayed(Betting.start(game), place)
                break
            except _FreeFoldError:
                game = _with(game, free_fold=True)
            except _CapError:
                game = _with(game, max_raises=_UNCAPPED)
        if node.to_act >= 0:
            turn = quoted(self.names[order[node.to_act]])
            raise self._error(f"the betting {quoted(node.history)} does not end the hand: it is the turn of {turn}")
        return node, game

    def _replayed(self, node: Betting, place: dict[int, int]) -> Betting:
        game = node.game
        fixed = game.structure is _FIXED
        for street, player, kind, chips in self.actions:
            at = place[player]
            if node.to_act != at or node.street != street:
                raise self._out_of_turn(node, player, kind)
            try:
                if kind == "f":
                    if not game.free_fold and not node.can_fold:
                        raise _FreeFoldError
                    node = node.after(FOLD)
                    continue
                if kind == "c" or kind == "k":
                    owed = node.to_call if node.level else 0
                    if owed != chips:
                        raise self._wrong(node, player, f"calls {chips} where {owed} is to be called")
                    node = node.after(CALL)
                    continue
                if kind == "A":
                    node = self._all_in(node, player, chips)
                    continue
                if fixed:
                    node = self._raised(node, chips, player)
                else:
                    node = node.after(Action("r", node.committed[at] - node.street_bets[at] + chips))
            except IllegalActionError as error:
                raise self._error(str(error), "betting") from None
        return node

    def _raised(self, node: Betting, chips: int, player: int) -> Betting:
        """A bet or raise of a limit game to `chips` on this street."""
        at, most = node.to_act, node.game.max_raises[node.street]
        if most is not None and node.raises >= most and len(node.live) == 2:
            raise _CapError
        made = node.after(RAISE)
        total = made.committed[at] - node.committed[at] + node.street_bets[at]
        if total != chips:
            raise self._wrong(node, player, f"bets or raises to {chips} where the bet is {total}")
        return made

    def _all_in(self, node: Betting, player: int, chips: int) -> Betting:
        """All that is left goes in: a call if it is no more than there is to call, else a bet or a raise."""
        at = node.to_act
        left = self.stacks[player] - node.committed[at]
        if chips not in (left, left + node.street_bets[at]):
            raise self._wrong(node, player, f"goes all-in with {chips} where {left} is left")
        if left <= node.to_call or not node.can_raise:
            return node.after(CALL)
        if node.game.structure is _FIXED:
            return self._raised(node, left + node.street_bets[at], player)
        return node.after(Action("r", self.stacks[player]))

    def _settled(
        self, node: Betting, order: list[int], place: dict[int, int], dead: list[int]
    ) -> tuple[list[int], int]:
        """What each position won after rake, and the rake; refuses pots and returned bets that do not fit."""
        committed = node.committed
        bets = [paid - lost for paid, lost in zip(committed, dead, strict=True)] if any(dead) else committed
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
        if taken < 0 or taken > most_rake(pot, node.game.small_bet):
            raise self._error(f"{taken} of a pot of {pot} is missing in the payoffs", "rake")
        return won, taken

    def _check_cards(self, node: Betting, holes: Sequence[tuple[int, ...]]) -> None:
        seen = _BOARD[node.street]
        if len(self.board) != seen:
            raise self._error(f"{len(self.board)} board cards where the betting has {seen}", "cards")
        dealt = [card for cards in (*holes, self.board) for card in cards]
        if len(set(dealt)) < len(dealt):
            raise self._error("a card is there twice", "cards")

    def _check_winners(self, node: Betting, holes: Sequence[tuple[int, ...]], won: list[int], rake: int) -> None:
        """Refuse other winners than the cards give, as far as they are known; who hides the cards has lost."""
        live, committed, ranks = node.live, node.committed, None
        if len(live) > 1:
            ranks = [-1] * len(committed)
            for at in live:
                if holes[at]:
                    ranks[at] = rank_cards((*holes[at], *self.board))
            if any([ranks[at] < 0 and self.collected.get(self.positions[at]) for at in live]):
                return
        fair = payoffs(node, ranks)
        odd = 0 if ranks is None else len(live)
        for at, (chips, right, paid) in enumerate(zip(won, fair, committed, strict=True)):
            if chips != right and not (right > -paid and right - rake - odd <= chips <= right + odd):
                name = quoted(self.names[self.positions[at]])
                raise self._error(f"{name} has {chips:+} where cards and betting give {right:+}", "payoffs")

    def _out_of_turn(self, node: Betting, player: int, kind: str) -> InvalidRecordError:
        who = quoted(self.names[player])
        if node.to_act < 0:
            return self._error(f"{who} acts ({kind}) when the hand is over", "betting")
        turn = quoted(self.names[self.positions[node.to_act]])
        return self._error(f"{who} acts ({kind}) after {quoted(node.history)}, when it is the turn of {turn}", "betting")

    def _wrong(self, node: Betting, player: int, what: str) -> InvalidRecordError:
        return self._error(f"{quoted(self.names[player])} {what}, after {quoted(node.history)}", "betting")

    def _error(self, message: str, part: str = "incomplete") -> InvalidRecordError:
        return InvalidRecordError(f"hand {self.hand}: {message}", part)


class _FreeFoldError(Exception):
    """Somebody folded who could have checked."""


class _CapError(Exception):
    """Two players raised more often than houses let more of them."""


def with_stacks(game: Game, stacks: tuple[int, ...]) -> Game:
    """The game with other stacks, one for each seat and each possible: all else was checked before."""
    return _with(game, stacks=stacks)


def _with(game: Game, **changes: object) -> Game:
    """A game with changes that are known to be possible, made without the checks, which cost more than a hand."""
    made = object.__new__(Game)
    made.__dict__.update(game.__dict__)
    made.__dict__.update(changes)
    return made


@lru_cache(4096)
def _rules(
    stakes: Stakes,
    blinds: tuple[int, ...],
    ante: int,
    dead: tuple[int, ...] | None,
    first: int,
) -> Game:
    """A game of these stakes and blinds in which every stack is one chip."""
    structure = stakes.structure
    return Game(
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

