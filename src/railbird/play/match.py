"""What a match is: the game, the players, the deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, fields, replace
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any

from railbird.bots.base import Bot
from railbird.errors import InvalidGameError, MatchError, RailbirdError
from railbird.formats.games import game_from_json, game_to_json
from railbird.formats.seat_lines import MOST_AT_ONCE
from railbird.game.spec import Game, Structure
from railbird.json_files import Fields
from railbird.numbers import MOST_SEED, quoted
from railbird.play.box import USUAL, Housing
from railbird.play.compiled import fixed_play
from railbird.play.players import AnyBot, Player, Roster, names_of, player_of
from railbird.play.seating import Seating, seating
from railbird.play.secret_keys import keys_folder
from railbird.randomness import SecretSeed, Seed

COMPILED_BLOCK, PYTHON_BLOCK, SLOW_BLOCK = 10_000, 250, 4
"""Hands of a block, by who plays: where somebody waits for something elsewhere few, so that many are played at once
and few are lost."""
OPEN_HANDS = 1_000_000
"""As many hands has a match without an end, in which a person sits: it is over when the person has had enough."""
MOST_HANDS = 10**10
MOST_SECONDS = 1e9
"""For a decision: a third of a lifetime."""
COMPILED_RAISES = 16
"""Games with a higher cap are not played by the kernel, which keeps room for the longest line."""


@dataclass(frozen=True)
class MatchSpec:
    """Everything that decides how a match goes. The same spec gives the same hands, on any number of workers."""

    game: Game
    bots: tuple[AnyBot, ...]
    """The players in order of seats: as written on the command line, or classes or objects."""
    hands: int
    """How many deals. In duplicate play each is played once in every row of the seating."""
    seed: Seed
    """What cards and bots' random numbers follow from: a number, or a key that is secret while the match is played."""
    duplicate: bool = False
    decision_seconds: float = 10.0
    """How long a player may think about one decision."""
    block_hands: int = 0
    """Hands are played and written block by block; players that do not learn are reset before each. 0: as fits."""
    housing: Housing | None = USUAL
    """What bots in boxes may use. `None`: bots that somebody else wrote share a process with the cards, which is
    faster, and they could cheat."""
    named: InitVar[Sequence[str]] = ()
    """The players' names, where they are not to be the shortest that tell them apart."""
    begun: InitVar[bool] = False
    """Whether the settings are those of a match that was begun, whose players were fit for it then. They are not looked
    for: what was played can be read without them."""
    in_episodes: bool = False
    """Whether players that learn begin anew with every block, which is then an episode."""

    def __post_init__(self, named: Sequence[str], begun: bool) -> None:
        for what, number in (("hands", self.hands), *((("seed", self.seed),) if not self.is_secret else ())):
            if not isinstance(number, Integral):
                raise MatchError(f"{what} {number!r}; it must be a whole number")
            object.__setattr__(self, what, int(number))
        if self.duplicate not in (True, False):
            raise MatchError(f"duplicate {quoted(self.duplicate)}; it must be True or False")
        object.__setattr__(self, "duplicate", bool(self.duplicate))
        if self.game.seats != len(self.bots):
            raise MatchError(f"{len(self.bots)} players for a game of {self.game.seats}")
        if not 1 <= self.hands <= MOST_HANDS:
            limit = f"at most {MOST_HANDS:,}" if self.hands > 0 else "at least 1"
            raise MatchError(f"a match of {quoted(self.hands)} hands; it needs {limit}")
        if self.game.stacks is None and None in self.game.max_raises:
            raise MatchError("without a cap on raises players need stacks, or two of them could raise for ever")
        if self.game.dead:
            raise MatchError("players who missed blinds; in a match nobody misses any")
        if not 0 < self.decision_seconds <= MOST_SECONDS:
            raise MatchError(
                f"{self.decision_seconds} seconds for a decision; it must be more than 0, and at most {MOST_SECONDS:g}"
            )
        if not isinstance(self.seed, SecretSeed) and not 0 <= self.seed <= MOST_SEED:
            raise MatchError(f"seed {quoted(self.seed)}; a seed is a whole number from 0 to 2^63 - 1")
        if named:
            self.__dict__["names"] = tuple(named)
        if begun:
            return
        if self.housing is None and (programs := [player.text for player in self.players if player.is_program]):
            raise MatchError(f"{quoted(programs[0])} is a program and plays in a box; leave out --trusted")
        for player, bot in zip(self.players, self.candidates.bots.values()):
            if not bot.can_play(self.game):
                raise MatchError(f"{player.text!r} does not play {self._game_for(bot)}")
        self.candidates.rest()
        if not self.block_hands:
            usual = SLOW_BLOCK if self.hands_at_once else PYTHON_BLOCK
            object.__setattr__(self, "block_hands", COMPILED_BLOCK if self.is_compiled else usual)

    def __getstate__(self) -> dict[str, Any]:
        """The settings alone: another process has bots of its own."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {
            "names": self.names,
            "learns": self.learns,
        }

    @cached_property
    def players(self) -> tuple[Player, ...]:
        objects = [id(bot) for bot in self.bots if isinstance(bot, Bot)]
        if len(set(objects)) < len(objects):
            raise MatchError("one bot in two seats; make another one like it, or give its class")
        return tuple(player_of(bot) for bot in self.bots)

    @cached_property
    def roster(self) -> Roster:
        """The bots that play this match in this process."""
        folder, housing = self.__dict__.get("folder"), self.housing
        if housing:
            forbidden = (*housing.forbidden, keys_folder())
            housing = replace(housing, seconds=self.decision_seconds, folder=folder, forbidden=forbidden)
        return Roster(self.players, self.names, housing)

    @cached_property
    def candidates(self) -> Roster:
        """The bots as they are looked at before the match. What somebody else wrote is in boxes even if it is trusted:
        the process that starts a match runs none of it, so that it can judge what comes from others."""
        if self.housing or not self.has_foreign_code:
            return self.roster
        return Roster(self.players, self.names, replace(USUAL, seconds=self.decision_seconds))

    def housed_in(self, folder: Path) -> None:
        """The match is played in this folder, which bots in boxes are kept out of; their boxes begin anew."""
        self.__dict__["folder"] = folder
        if self.is_boxed:
            self.__dict__.pop("roster", None)

    @property
    def is_boxed(self) -> bool:
        """Whether there are bots in boxes."""
        return self.housing is not None and self.has_foreign_code

    @cached_property
    def has_foreign_code(self) -> bool:
        """Whether somebody else wrote one of the bots."""
        return not all(player.is_trusted for player in self.players)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names in logs and tables."""
        return names_of(self.players)

    @cached_property
    def seating(self) -> Seating:
        return seating(len(self.bots), self.duplicate)

    @property
    def is_secret(self) -> bool:
        """Whether it is dealt from a key that is told only when it is over."""
        return isinstance(self.seed, SecretSeed)

    @property
    def plain_seed(self) -> int | None:
        """The seed, if it is a number."""
        return None if isinstance(self.seed, SecretSeed) else self.seed

    @property
    def seed_words(self) -> str:
        """What the cards follow from, for a heading."""
        return seed_words(self.seed)

    def in_episodes_of(self, hands: int) -> MatchSpec:
        """The same match, in which players that learn begin anew after so many hands; nothing changes if none does."""
        if not self.learns:
            return self
        return self._but(block_hands=hands, in_episodes=True, learns=False)

    def first_hands(self, hands: int) -> MatchSpec:
        """The same match, of which the first hands are asked for."""
        return self._but(hands=min(hands, self.hands))

    def with_seed(self, seed: Seed) -> MatchSpec:
        """The same match, with the same bots, dealt from another seed."""
        return self._but(seed=seed)

    def kept_out_of(self, folder: Path) -> MatchSpec:
        """The same match, whose bots in boxes cannot read this folder either: other matches on the same deals are in
        it."""
        housing = self.housing
        return self._but(housing=housing and replace(housing, forbidden=(*housing.forbidden, folder.absolute())))

    def moved(self, places: Mapping[str, str], folder: Path) -> MatchSpec:
        """The same match on another machine, played in a folder there, where files of bots lie elsewhere: by the way to
        them here, where."""
        found = self._but(bots=tuple(player.moved(places) for player in self.players))
        for name in ("players", "roster", "candidates"):
            found.__dict__.pop(name, None)
        found = found.kept_out_of(folder)
        found.housed_in(folder)
        return found

    def _but(self, **changed: Any) -> MatchSpec:
        found = object.__new__(type(self))
        found.__dict__.update(self.__dict__, **changed)
        return found

    @property
    def total_hands(self) -> int:
        """How many hands are played in all."""
        return self.hands * self.seating.legs

    @property
    def is_open(self) -> bool:
        """Whether it goes on for as long as somebody wants to play."""
        return self.hands == OPEN_HANDS

    @cached_property
    def learns(self) -> bool:
        """Whether any player learns from the first hand to the last, so that hands must be played in order."""
        return bool(self.candidates.learners) and not self.in_episodes

    @property
    def is_for_kernels(self) -> bool:
        """Whether kernels play the game, whoever plays in it."""
        game = self.game
        if not game.is_holdem or game.structure is not Structure.FIXED_LIMIT or game.stacks or game.free_fold:
            return False
        return max(cap or 0 for cap in game.max_raises) <= COMPILED_RAISES

    @cached_property
    def hands_at_once(self) -> int:
        """How many hands may be played at once, if players wait for something elsewhere; 0 if none does."""
        asked = [bot.hands_at_once for bot in self.candidates.bots.values()]
        return min([min(number, MOST_AT_ONCE) for number in asked if number > 0], default=0)

    @cached_property
    def waits_for_boxes(self) -> bool:
        """Whether all who wait for something elsewhere do so in boxes, which have limits of their own."""
        waiting = [self.players[seat] for seat, bot in self.candidates.bots.items() if bot.hands_at_once > 0]
        return self.is_boxed and not any(player.is_trusted for player in waiting)

    @cached_property
    def is_compiled(self) -> bool:
        """Whether whole blocks of hands can run inside one kernel."""
        game = self.game
        if not self.is_for_kernels or self.has_foreign_code or self.learns:
            return False
        return all(fixed_play(bot, game) is not None for bot in self.roster.bots.values())

    def blocks(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The blocks of hands `first` to `last - 1`, each as its first hand and the one after its last.

        Blocks end where they do in a match that is played from its beginning, so the first may be a part of one.
        """
        while first < last:
            end = min(last, first + self.block_hands - first % self.block_hands)
            yield first, end
            first = end

    def _game_for(self, bot: Bot) -> str:
        """The game in words to a bot that does not play it: whether it is only the number of seats."""
        game = self.game
        if game.seats == 2:
            return game.name
        words = f"{game.name} with {game.seats} seats"
        stacks, first = game.stacks and game.stacks[:2], (1, *[0] * (game.streets - 1))
        with suppress(InvalidGameError):  # there is no such game for two
            if bot.can_play(replace(game, blinds=game.blinds[1::-1], stacks=stacks, first_to_act=first)):
                return f"{words}; it plays heads-up"
        return words

    def to_json(self) -> dict[str, Any]:
        return {
            "game": game_to_json(self.game),
            "players": [{"name": name, "bot": player.text} for name, player in zip(self.names, self.players)],
            "hands": self.hands,
            "seed": self.plain_seed,
            **({"secret": self.seed.to_json()} if isinstance(self.seed, SecretSeed) else {}),
            "duplicate": self.duplicate,
            "decision_seconds": self.decision_seconds,
            "block_hands": self.block_hands,
            **({"in_episodes": True} if self.in_episodes else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MatchSpec:
        try:
            told = Fields(data, "the match")
            names = [player.text("name") for player in told.each("players")]
            if len(set(names)) < len(names):
                raise ValueError(f"players {quoted(', '.join(names))}, two of which have the same name")
            return cls(
                game=game_from_json(told["game"]),
                bots=tuple(player.text("bot") for player in told.each("players")),
                hands=told.whole("hands", 1, MOST_HANDS),
                seed=seed_from_json(data),
                duplicate=told.flag("duplicate"),
                decision_seconds=told.decimal("decision_seconds", 0, MOST_SECONDS),
                block_hands=told.whole("block_hands", 1, MOST_HANDS),
                named=names,
                begun=True,
                in_episodes="in_episodes" in data and told.flag("in_episodes"),
            )
        except RailbirdError:
            raise
        except ValueError as error:
            raise MatchError(f"not the settings of a match: {error}") from None


def seed_from_json(data: Mapping[str, Any]) -> Seed:
    """What a match was dealt from, as its manifest says; the key of a secret match is in it only when it is over."""
    if "secret" in data:
        return SecretSeed.from_json(data["secret"])
    return Fields(data, "the match").whole("seed", 0, MOST_SEED)


def seed_words(seed: Seed) -> str:
    """A seed in a heading: "seed 7", "secret", or "secret key" and the key if it is published."""
    if not isinstance(seed, SecretSeed):
        return f"seed {seed}"
    return f"secret key {seed.key.hex()}" if seed.is_published else "secret"
