"""The games Railbird can play, as data: seats, blinds, bet sizes, caps, stacks and deck.

Places are counted by *position*: position 0 is the first to act after the flop (the small blind; heads-up with reverse
blinds the big blind) and the last position is the button. This is also the order of the competition's logs.
All amounts are whole chips.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from railbird.errors import InvalidGameError, did_you_mean
from railbird.numbers import quoted, whole
from railbird.parameters import read_arguments, split_parameters

STREETS = ("preflop", "flop", "turn", "river")
MOST_SEATS = 23
MOST_RAISES = 1_000
MOST_CHIPS = 10**12
"""Of a blind, a bet, an ante or a stack. All that 23 players win and lose in a million hands are whole in 64 bits."""
_LONGEST_NAME, _LONGEST_LIST = 100, 1_000


class Structure(StrEnum):
    """How much may be bet."""

    FIXED_LIMIT = "fixed-limit"
    SPREAD_LIMIT = "spread-limit"
    POT_LIMIT = "pot-limit"
    NO_LIMIT = "no-limit"


@dataclass(frozen=True)
class Game:
    """One game, complete. Use `limit_holdem()` and its neighbours rather than this constructor."""

    name: str
    structure: Structure
    blinds: tuple[int, ...]
    """Blind of each position; its length is the number of seats."""
    bet_sizes: tuple[int, ...]
    """By street: the bet of a fixed-limit game, the smallest bet of any other."""
    max_raises: tuple[int | None, ...]
    """By street: how many bets and raises may be made; `None` for no cap."""
    first_to_act: tuple[int, ...]
    """By street: the position that acts first."""
    board_cards: tuple[int, ...] = (0, 3, 1, 1)
    """By street: how many board cards are dealt when it begins."""
    ante: int = 0
    """Chips that everybody puts in before the cards, beside the bets."""
    dead: tuple[int, ...] | None = None
    """By position, chips put in for blinds that were missed: in the pot, but no bet."""
    largest_bets: tuple[int, ...] | None = None
    """By street, in spread-limit games: the largest bet or raise."""
    stacks: tuple[int, ...] | None = None
    """Chips of each position before the hand; `None` for the papers' unlimited stacks."""
    hole_cards: int = 2
    ranks: int = 13
    suits: int = 4
    free_fold: bool = False
    """Whether folding is offered when checking is free, as Papp (1998, Figure 4.2) counts it."""

    def __post_init__(self) -> None:
        self._check_kinds()
        seats, streets = len(self.blinds), len(self.board_cards)
        if not 2 <= seats <= MOST_SEATS:
            raise InvalidGameError(f"{seats} seats; a game has 2 to {MOST_SEATS}")
        if not (self.is_holdem or self._is_toy):
            raise InvalidGameError(
                f"{self.hole_cards} hole cards, board {self.board_cards}, {self.ranks} ranks and {self.suits} suits; "
                "Railbird plays Texas Hold'em, and toy games with one hole card and at most one board card"
            )
        for what, values in (
            ("bet sizes", self.bet_sizes),
            ("raise caps", self.max_raises),
            ("first positions", self.first_to_act),
            ("largest bets", self.largest_bets),
        ):
            if values is not None and len(values) != streets:
                raise InvalidGameError(f"{len(values)} {what} for {streets} streets")
        if min(self.bet_sizes) < 1:
            raise InvalidGameError(f"bet sizes {self.bet_sizes}; each must be at least 1 chip")
        if any(most is not None and not 0 <= most <= MOST_RAISES for most in self.max_raises):
            raise InvalidGameError(f"raise caps {self.max_raises}; a cap is 0 to {MOST_RAISES}, or None")
        amounts = (
            *self.bet_sizes,
            *self.blinds,
            self.ante,
            *(self.largest_bets or ()),
            *(self.stacks or ()),
            *(self.dead or ()),
        )
        if max(amounts) > MOST_CHIPS:
            raise InvalidGameError(f"an amount of {max(amounts):,} chips; at most {MOST_CHIPS:,} are possible")
        if min(self.blinds) < 0 or self.ante < 0 or min(self.dead or (0,)) < 0:
            raise InvalidGameError(
                f"blinds {self.blinds}, ante {self.ante}, dead {self.dead or 'none'}; none may be negative"
            )
        if self.dead is not None and len(self.dead) != seats:
            raise InvalidGameError(f"{len(self.dead)} dead blinds for {seats} seats")
        if max(self.blinds) + self.ante == 0:
            raise InvalidGameError("no blinds and no ante: there is nothing to play for")
        if not all(0 <= position < seats for position in self.first_to_act):
            raise InvalidGameError(f"first positions {self.first_to_act}; each is 0 to {seats - 1}")
        dealt = seats * self.hole_cards + sum(self.board_cards)
        if dealt > self.ranks * self.suits:
            raise InvalidGameError(f"{seats} seats need {dealt} cards of a deck of {self.ranks * self.suits}")
        if self.stacks is not None:
            if len(self.stacks) != seats:
                raise InvalidGameError(f"{len(self.stacks)} stacks for {seats} seats")
            if min(self.stacks) < 1:
                raise InvalidGameError(f"stacks {self.stacks}; each must be at least 1 chip")
        elif self.structure in (Structure.NO_LIMIT, Structure.POT_LIMIT):
            raise InvalidGameError(f"{self.structure} needs stacks: unlimited stacks exist in limit games only")
        if (self.largest_bets is not None) != (self.structure is Structure.SPREAD_LIMIT):
            raise InvalidGameError("largest bets belong to spread-limit games, and every spread-limit game needs them")
        if self.largest_bets and any(most < least for least, most in zip(self.bet_sizes, self.largest_bets)):
            raise InvalidGameError(f"largest bets {self.largest_bets} below the smallest {self.bet_sizes}")

    def _check_kinds(self) -> None:
        """Refuse what is no number, or a number that no game has: whatever a file says, what follows is about chips."""
        if not isinstance(self.name, str) or not self.name.isprintable() or len(self.name) > _LONGEST_NAME:
            raise InvalidGameError(
                f"{quoted(self.name)} is no name of a game: printable, at most {_LONGEST_NAME} signs"
            )
        if not isinstance(self.structure, Structure) or not isinstance(self.free_fold, bool):
            raise InvalidGameError(f"structure {quoted(self.structure)}, free fold {quoted(self.free_fold)} of no game")
        lists = [self.blinds, self.bet_sizes, self.first_to_act, self.board_cards, self.max_raises]
        lists += [each for each in (self.largest_bets, self.stacks, self.dead) if each is not None]
        try:
            for each in lists:
                if not isinstance(each, tuple) or len(each) > _LONGEST_LIST:
                    raise ValueError(f"{quoted(each)} is no list of a game's seats or streets")
                for number in each:
                    if number is not None or each is not self.max_raises:
                        whole(number)
            for number in (self.ante, self.hole_cards, self.ranks, self.suits):
                whole(number)
        except ValueError as error:
            raise InvalidGameError(f"no game: {error}") from None

    @property
    def seats(self) -> int:
        return len(self.blinds)

    @property
    def streets(self) -> int:
        return len(self.board_cards)

    @property
    def small_bet(self) -> int:
        """The unit of win rates: the small bet of a limit game, the big blind of any other."""
        return self.bet_sizes[0] if self.structure is Structure.FIXED_LIMIT else max(self.blinds) or self.bet_sizes[0]

    @property
    def rate_unit(self) -> str:
        """What win rates are told in: a player of no-limit would take sb for the small blind."""
        return "sb/hand" if self.structure is Structure.FIXED_LIMIT else "bb/hand"

    @property
    def is_holdem(self) -> bool:
        return (self.hole_cards, self.board_cards, self.ranks, self.suits) == (2, (0, 3, 1, 1), 13, 4)

    @property
    def _is_toy(self) -> bool:
        cards = self.hole_cards == 1 and self.board_cards in ((0,), (0, 0), (0, 1))
        return cards and 1 <= self.ranks <= 13 and 1 <= self.suits <= 4

    @property
    def deck(self) -> tuple[int, ...]:
        """The game's cards; the toy games use the highest ranks and suits."""
        suits = range(4 - self.suits, 4)
        return tuple([4 * rank + suit for rank in range(13 - self.ranks, 13) for suit in suits])

    def board_seen(self, street: int) -> int:
        """How many board cards lie on the table on `street`."""
        return sum(self.board_cards[: street + 1])


def limit_holdem(
    seats: int = 2,
    *,
    small_bet: int = 2,
    big_bet: int | None = None,
    small_blind: int | None = None,
    big_blind: int | None = None,
    cap: int | None = 4,
    ante: int = 0,
    stack: int | None = None,
    reverse_blinds: bool = True,
) -> Game:
    """Fixed-limit Texas Hold'em; by default Papp's 2-2-4-4 structure with blinds 1 and 2, four bets at most a street.

    The big blind counts as the first bet before the flop. `cap=None` lifts the cap, for heads-up play.
    `reverse_blinds=False` seats the heads-up small blind first on every street.

    >>> limit_holdem().blinds, limit_holdem(6).blinds
    ((2, 1), (1, 2, 0, 0, 0, 0))
    """
    big_bet = 2 * small_bet if big_bet is None else big_bet
    big_blind = small_bet if big_blind is None else big_blind
    small_blind = big_blind // 2 if small_blind is None else small_blind
    if cap is not None and cap < 1:
        raise InvalidGameError(f"a cap of {cap} bets; a street has at least 1, or None for no cap")
    if cap is None and seats > 2:
        raise InvalidGameError(f"no cap with {seats} seats: betting without a cap is for heads-up play")
    blinds = _blinds(seats, small_blind, big_blind, reverse_blinds)
    bets = (small_bet, small_bet, big_bet, big_bet)
    return _holdem("limit", Structure.FIXED_LIMIT, blinds, bets, cap=cap, ante=ante, stack=stack)


def no_limit_holdem(
    seats: int = 2,
    *,
    small_blind: int = 50,
    big_blind: int = 100,
    stack: int = 20_000,
    ante: int = 0,
    reverse_blinds: bool = True,
) -> Game:
    """No-limit Texas Hold'em; by default the competition's game: blinds 50 and 100, stacks of 20,000."""
    blinds = _blinds(seats, small_blind, big_blind, reverse_blinds)
    return _holdem("no-limit", Structure.NO_LIMIT, blinds, (big_blind,) * 4, ante=ante, stack=stack)


def pot_limit_holdem(
    seats: int = 2,
    *,
    small_blind: int = 50,
    big_blind: int = 100,
    stack: int = 20_000,
    ante: int = 0,
    reverse_blinds: bool = True,
) -> Game:
    """Pot-limit Texas Hold'em: a raise may be as large as the pot after calling."""
    blinds = _blinds(seats, small_blind, big_blind, reverse_blinds)
    return _holdem("pot-limit", Structure.POT_LIMIT, blinds, (big_blind,) * 4, ante=ante, stack=stack)


def spread_limit_holdem(
    seats: int = 2,
    *,
    smallest: int = 2,
    largest: int = 10,
    small_blind: int = 1,
    big_blind: int = 2,
    cap: int | None = 4,
    ante: int = 0,
    stack: int | None = None,
    reverse_blinds: bool = True,
) -> Game:
    """Spread-limit Texas Hold'em: a bet or raise of any size from `smallest` to `largest`, at least the last one."""
    blinds, sizes = _blinds(seats, small_blind, big_blind, reverse_blinds), (smallest,) * 4
    kind = Structure.SPREAD_LIMIT
    return _holdem("spread-limit", kind, blinds, sizes, cap=cap, ante=ante, stack=stack, largest=(largest,) * 4)


def kuhn_poker() -> Game:
    """Kuhn's three-card poker: one card each, one bet, no raise. Its value to the first player is -1/18."""
    return Game(
        name="kuhn",
        structure=Structure.FIXED_LIMIT,
        blinds=(0, 0),
        ante=1,
        bet_sizes=(1,),
        max_raises=(1,),
        first_to_act=(0,),
        board_cards=(0,),
        hole_cards=1,
        ranks=3,
        suits=1,
    )


def leduc_poker() -> Game:
    """Leduc poker: six cards, one private and one public, two bets a street of 2 and then 4 chips."""
    return Game(
        name="leduc",
        structure=Structure.FIXED_LIMIT,
        blinds=(0, 0),
        ante=1,
        bet_sizes=(2, 4),
        max_raises=(2, 2),
        first_to_act=(0, 0),
        board_cards=(0, 1),
        hole_cards=1,
        ranks=3,
        suits=2,
    )


_HOLDEM: dict[str, Callable[..., Game]] = {
    "limit": limit_holdem,
    "no-limit": no_limit_holdem,
    "pot-limit": pot_limit_holdem,
    "spread-limit": spread_limit_holdem,
}
_TOYS: dict[str, Callable[[], Game]] = {"kuhn": kuhn_poker, "leduc": leduc_poker}
GAME_NAMES = (*_HOLDEM, *_TOYS)


def named_game(text: str, seats: int) -> Game:
    """The game asked for by name, with its usual stakes unless parameters change them.

    >>> named_game("limit", 2).max_raises, named_game("limit:cap=3,small_bet=10", 3).blinds
    ((3, 4, 4, 4), (5, 10, 0))
    """
    name, parameters = split_parameters(text, InvalidGameError)
    if name in _TOYS:
        if seats != 2:
            raise InvalidGameError(f"{name} is a game for 2 players, not {seats}")
        return _TOYS[name](**read_arguments(_TOYS[name], parameters, text, InvalidGameError))
    if name not in _HOLDEM:
        raise InvalidGameError(
            f"no game {quoted(name)}{did_you_mean(name, GAME_NAMES)} (known: {', '.join(GAME_NAMES)})"
        )
    arguments = read_arguments(_HOLDEM[name], parameters, text, InvalidGameError, fixed=("seats",))
    return _HOLDEM[name](seats, **arguments)


Blinds = tuple[tuple[int, ...], tuple[int, ...]]
"""By position, and who acts first by street."""


def _blinds(seats: int, small: int, big: int, reverse: bool) -> Blinds:
    """The blinds of a table, heads-up with the button as small blind if `reverse`."""
    if not 2 <= seats <= MOST_SEATS:
        raise InvalidGameError(f"{seats} seats; a game has 2 to {MOST_SEATS}")
    if seats == 2 and reverse:
        return (big, small), (1, 0, 0, 0)
    return (small, big, *(0,) * (seats - 2)), (2 % seats, 0, 0, 0)


def _holdem(
    name: str,
    structure: Structure,
    blinds: Blinds,
    bets: tuple[int, ...],
    *,
    ante: int,
    stack: int | None,
    cap: int | None = None,
    largest: tuple[int, ...] | None = None,
) -> Game:
    """A game of hold'em; the big blind is the first of `cap` bets before the flop."""
    posted, first = blinds
    return Game(
        name=name,
        structure=structure,
        bet_sizes=bets,
        largest_bets=largest,
        max_raises=(None,) * 4 if cap is None else (cap - 1, cap, cap, cap),
        ante=ante,
        stacks=None if stack is None else (stack,) * len(posted),
        blinds=posted,
        first_to_act=first,
    )
