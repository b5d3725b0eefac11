"""How much a bot loses at least: what its nemesis wins from it at the table.

A best response has to ask what a bot does everywhere, and some bots take weeks for a flop of that. Its nemesis
(`railbird.bots.nemesis`) knows the bot's probabilities too, asks where it comes to, and plays. Whatever it wins a best
response wins as well, so the mean of its hands is a lower bound. They are played in duplicate and measured by AIVAT,
which knows the bot too.

AIVAT is right for a bot that plays as it says. Money is right for any, so the two are held against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.assess.aivat_hands import KnownPlayers
from railbird.bots.base import Bot
from railbird.bots.equilibrium import strategy_of
from railbird.bots.exploiting import name_of
from railbird.bots.frozen import Frozen, copied
from railbird.bots.nemesis import Nemesis
from railbird.bots.registry import make_bot
from railbird.errors import AssessmentError, MatchError
from railbird.files import PassingFolder
from railbird.game.spec import Game, named_game
from railbird.numbers import quoted
from railbird.play.folder import MatchFolder
from railbird.play.known import known_as, measured_with
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.run import run_matches
from railbird.play.skill import aivat_of, can_be_assessed
from railbird.play.snapshots import Snapshot
from railbird.progress import Watch, asked_bar
from railbird.results.parts import Heading, Line, Part
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.stopping import keeping
from railbird.words import count_of, plus_minus

MILLI = 1000.0
UNIT = "milli small bets per hand"
_PATIENCE_SECONDS = 3600.0
"""For a decision: some bots take seconds for each question."""
_TRIED = 5
"""After so many deals faults are looked for, before hours are played; between two estimates lie no fewer."""
_EARLY_SECONDS = 3.0
"""About as long it takes from one estimate to the next."""
_MOST_ERRORS = 5.0
"""Standard errors by which money and AIVAT may differ: more comes by chance once in a million times."""
_NAMES = "nemesis", "bot"


@dataclass(frozen=True, repr=False)
class LowerBound(Result):
    """What a bot loses to its nemesis at heads-up limit hold'em, in milli small bets per hand."""

    player: str
    won: Estimate
    """By deal, which is played twice."""
    seed: int
    seconds: float = field(default=0.0, compare=False)
    """How long it took."""

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.lower-bound/1."""
        told = {"bot": self.player, "unit": UNIT, "pairs": self.won.count, "seed": self.seed}
        return {"schema": "railbird.lower-bound/1", **told, "won": self.won.to_json()}

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{"player": self.player, "unit": UNIT, "seed": self.seed, **self.won.to_json()}]

    def parts(self) -> list[Part]:
        how = count_of(self.won.count, "pair") + " of hands", f"seed {self.seed}"
        told = f"{self.won.mean:.1f} {plus_minus(self.won.told_margin, '.1f')}"
        words = "a best response wins at least as much; how much more is not known"
        if self.won.mean <= 0:
            words = "that says nothing: a best response never loses"
        return [
            Heading(f"nemesis of {self.player}", ("heads-up limit hold'em", *how)),
            Line(f"wins {told} {UNIT} (95%, AIVAT)", indent=0),
            Line(words, indent=0),
        ]


class _Judged(NamedTuple):
    """The bot that is judged: what it is called, and how another like it is made."""

    name: str
    make: Callable[[], Bot]
    game: Game
    hand: int
    """The number of the hand that it plays all the time."""


def lower_bound(
    player: str | type[Bot] | Bot | Snapshot,
    *,
    hands: int = 300,
    game: str | Game = "limit",
    seed: int = 0,
    progress: bool | Watch | None = None,
) -> LowerBound:
    """How much a bot loses to its nemesis, who knows its probabilities and not its cards: a best response wins more.

    The bot is a name, a class or an object, or what `bot_after` gives; one that learns stays as it is. So many pairs of
    `hands` are played.

    >>> found = lower_bound("always-call", hands=30)
    >>> 800 < found.won.mean < 1500  # a best response wins 1163.5
    True
    """
    judged = _judged(player, named_game(game, 2) if isinstance(game, str) else game)
    if not can_be_assessed(judged.game):
        raise MatchError(
            f"hands of a nemesis are measured at heads-up limit hold'em with the usual bets, blinds and cap, and "
            f"{judged.game.name} differs from that"
        )
    if hands < 1:
        raise MatchError(f"{quoted(hands)} pairs of hands; a nemesis plays at least 1")
    since = monotonic()
    with asked_bar(progress, "pairs") as watch:
        deals = _JudgedDeals(judged, hands, seed, watch)
        with keeping(deals.words):
            won = deals.estimate(deals.all())
    return LowerBound(judged.name, won, seed, monotonic() - since)


def _judged(player: str | type[Bot] | Bot | Snapshot, game: Game) -> _Judged:
    if isinstance(player, Snapshot):
        return _Judged(player.name, partial(copied, player.bot, player.name), player.game, player.hands)
    name = name_of(player)
    if isinstance(player, Bot):
        return _Judged(name, partial(copied, player, name), game, 0)
    return _Judged(name, partial(make_bot, player), game, 0)


class _JudgedDeals:
    """The deals of a nemesis and a bot, played and measured some at a time, so that there is an estimate early."""

    def __init__(self, judged: _Judged, hands: int, seed: int, watch: Watch | None) -> None:
        self.judged, self.hands, self.seed, self._watch = judged, hands, seed, watch
        self._found: list[NDArray[np.float64]] = []
        """What the nemesis wins in small bets by AIVAT, by leg and deal."""
        self._bot, known = (Frozen(judged.make(), judged.hand) for _ in range(2))
        self._players = Nemesis.of(known, judged.name), self._bot

    def all(self) -> NDArray[np.float64]:
        """All of them."""
        kept = PassingFolder()
        done, last, now = 0, min(self.hands, _TRIED), monotonic()
        while True:
            spec = MatchSpec(self.judged.game, self._players, last, self.seed, True, _PATIENCE_SECONDS, named=_NAMES)
            folder = MatchFolder.create(kept.path, spec)
            result = self._played(folder)
            self._found.append(self._measured(folder, done, last))
            self._tell(last)
            if last == self.hands:
                break
            a_second = (last - done) / max(monotonic() - now, 1e-3)
            done, now = last, monotonic()
            last = min(self.hands, done + max(_TRIED, int(_EARLY_SECONDS * a_second)))
        found = np.concatenate(self._found, axis=1)
        _refuse_liars(self.judged.name, result, found)
        return found

    def _played(self, folder: MatchFolder) -> MatchResult:
        with folder.lock():
            [result] = run_matches([folder], 1)
        if result.faults:
            raise MatchError(f"{self.judged.name} cannot be judged: {result.faults[0]}")
        return result

    def _measured(self, folder: MatchFolder, first: int, last: int) -> NDArray[np.float64]:
        """What some of the deals are worth by AIVAT."""
        try:
            return aivat_of(folder.spec, folder.logs(), first, last, self._measure)
        except AssessmentError as error:
            raise MatchError(f"{self.judged.name} does not play as it says: {error}") from error

    @cached_property
    def _measure(self) -> KnownPlayers:
        bot = self._bot
        known = known_as(bot, _NAMES[1], type(bot).__name__, strategy_of(), is_slow=not bot.tells_quickly)
        return measured_with({_NAMES[1]: known})

    @staticmethod
    def estimate(found: NDArray[np.float64]) -> Estimate:
        """What deals say of all, in milli small bets."""
        return Estimate.of(MILLI * found.mean(axis=0))

    def words(self) -> str:
        """What is known so far, for whoever stops the work."""
        if not self._found:
            return "no hand is kept"
        won = self.estimate(np.concatenate(self._found, axis=1))
        done = f"{won.count:,} of {count_of(self.hands, 'pair')} of hands done"
        return f"{done} (so far at least {_told(won)} {UNIT}); they are not kept"

    def _tell(self, done: int) -> None:
        if self._watch:
            won = self.estimate(np.concatenate(self._found, axis=1))
            self._watch(done, self.hands, f"so far {_told(won)}")


def _told(won: Estimate) -> str:
    """A lower bound as it stands beside a bar."""
    return f"{won.mean:,.0f} {plus_minus(won.told_margin, ',.0f')}"


def _refuse_liars(name: str, result: MatchResult, aivat: NDArray[np.float64]) -> None:
    """Refuse a bot whose hands are not worth in money what they are by its probabilities."""
    chips = result.won[:, :, 0]
    money = chips.mean(axis=0) / result.spec.game.small_bet
    gap = Estimate.of(money - aivat.mean(axis=0))
    if not gap.is_few and abs(gap.mean) > _MOST_ERRORS * gap.sd / np.sqrt(gap.count):
        raise MatchError(
            f"{name} does not play as it says: in money it lost {MILLI * money.mean():.0f} {UNIT}, and by its "
            f"probabilities it would have been {MILLI * aivat.mean():.0f}"
        )
