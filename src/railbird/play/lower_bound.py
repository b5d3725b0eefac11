"""How much a bot loses at least: what its nemesis wins from it at the table.

A best response has to ask what a bot does everywhere, and some bots take hours for a flop of that. Its nemesis
(`railbird.bots.nemesis`) knows the bot's probabilities too, asks where it comes to, and plays. Whatever it wins a best
response wins as well, so the mean of its hands is a lower bound. They are played in duplicate and measured by AIVAT,
which knows the bot too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.bots.equilibrium import strategy_of
from railbird.bots.exploiting import name_of
from railbird.bots.frozen import Frozen
from railbird.bots.nemesis import Nemesis
from railbird.bots.registry import make_bot
from railbird.errors import MatchError
from railbird.files import PassingFolder
from railbird.game.spec import Game, named_game
from railbird.play.folder import MatchFolder
from railbird.play.known import known_as, measured_with
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.play.skill import aivat_of, can_be_assessed
from railbird.play.snapshots import Snapshot
from railbird.progress import Watch, asked_bar
from railbird.results.parts import Heading, Line, Part
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.stopping import keeping
from railbird.words import plus_minus

MILLI = 1000.0
_PATIENCE_SECONDS = 3600.0
"""For a decision: some bots take seconds for each question."""
_NAMES = "nemesis", "bot"


@dataclass(frozen=True, repr=False)
class LowerBound(Result):
    """What a bot loses to its nemesis at heads-up limit hold'em, in milli small bets per hand."""

    player: str
    won: Estimate
    """By deal, which is played twice."""
    seed: int
    holdings: int
    """About how many holdings the bot was asked in each hand; 0 for all."""
    seconds: float = field(default=0.0, compare=False)
    """How long it took."""

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.lower-bound/1."""
        return {
            "schema": "railbird.lower-bound/1",
            "bot": self.player,
            "unit": "milli small bets per hand",
            "pairs": self.won.count,
            "seed": self.seed,
            "holdings": self.holdings or None,
            "at_least": self.won.to_json(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{"player": self.player, **self.won.to_json()}]

    def parts(self) -> list[Part]:
        how = f"{self.won.count:,} pairs of hands", f"seed {self.seed}"
        some = f", asked about {self.holdings} holdings a hand" if self.holdings else ""
        told = f"{self.won.mean:.1f} {plus_minus(self.won.told_margin, '.1f')}"
        return [
            Heading(f"nemesis of {self.player}", ("heads-up limit hold'em", *how)),
            Line(f"wins {told} milli small bets per hand (95%, AIVAT){some}", indent=0),
            Line("a best response wins at least as much; how much more is not known", indent=0),
        ]


def lower_bound(
    player: str | type[Bot] | Bot | Snapshot,
    *,
    hands: int = 300,
    game: str | Game = "limit",
    seed: int = 0,
    holdings: int = 0,
    progress: bool | Watch | None = None,
) -> LowerBound:
    """How much a bot loses to its nemesis, who knows its probabilities and not its cards: a best response wins more.

    The bot is a name, a class or an object, or what `bot_after` gives; one that learns stays as it is. So many pairs of
    `hands` are played. A bot that takes long to tell its probabilities for all holdings can be asked about some only.

    >>> found = lower_bound("always-call", hands=30)
    >>> 800 < found.won.mean < 1500  # a best response wins 1163.5
    True
    """
    if hands < 1:
        raise MatchError(f"{hands} pairs of hands; at least 1 is needed")
    chosen = named_game(game, 2) if isinstance(game, str) else game
    if not can_be_assessed(chosen):
        raise MatchError(f"a nemesis plays heads-up limit hold'em with the usual bets and blinds, not {chosen.name}")
    bot, name = _bot_of(player)
    since = monotonic()
    with asked_bar(progress, "hands") as watch, keeping("no hand is kept"):
        samples = _samples(Nemesis.of(bot, name, holdings), bot, chosen, hands, seed, watch)
    won = Estimate.of(MILLI * samples.mean(axis=0))
    return LowerBound(name, won, seed, holdings, monotonic() - since)


def _bot_of(player: str | type[Bot] | Bot | Snapshot) -> tuple[Bot, str]:
    if isinstance(player, Snapshot):
        return Frozen(player.bot), player.name
    bot = player if isinstance(player, Bot) else make_bot(player)
    return Frozen(bot) if bot.learns else bot, name_of(player)


def _samples(nemesis: Nemesis, bot: Bot, game: Game, hands: int, seed: int, watch: Watch | None) -> NDArray[np.float64]:
    """What the nemesis wins in small bets by AIVAT, by leg and deal."""
    kept = PassingFolder()
    spec = MatchSpec(game, (nemesis, bot), hands, seed, True, _PATIENCE_SECONDS, named=_NAMES)
    folder = MatchFolder.create(kept.path, spec)
    with folder.lock():
        [result] = run_matches([folder], 1, _half(watch, 0))
    if result.faults:
        raise MatchError(f"{nemesis.to} failed at the table, so its hands say nothing: {result.faults[0]}")
    known = known_as(bot, _NAMES[1], type(bot).__name__, strategy_of(), is_slow=not bot.tells_quickly)
    return aivat_of(spec, folder.logs(), 0, hands, measured_with({_NAMES[1]: known}), _half(watch, 1))


def _half(watch: Watch | None, half: int) -> Watch | None:
    """A watch for one of two halves of the work, playing and measuring, each of which counts all hands."""
    if watch is None:
        return None

    def told(done: int, total: int, detail: str = "", /) -> None:
        watch((half * total + done) // 2, total, *([detail] if detail else []))

    return told
