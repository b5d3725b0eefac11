"""Whose play is known in a comparison, and what AIVAT says of its matches.

Who is known is found before a hand is played: bots that come with Railbird, tell their probabilities for every holding
soon (by a table, or as jagbot does) and do not learn. Against an opponent these are imagined with other cards: the
opponent if it is known, and the new bot and the old one if both are. Against an opponent where that is nobody, AIVAT is
the chance part alone, and that is what DIVAT is. Each match is measured without bias, whoever is imagined, so their
difference is too.

AIVAT takes some milliseconds a hand, so what was computed is kept beside the logs of a match:

    aivat-1f0e77aa.values    by deal and leg what the first player won, and AIVAT, in small bets
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.errors import RailbirdError
from railbird.files import write_whole
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.match_sums import LoggedDeals
from railbird.play.players import AnyBot, player_of
from railbird.play.skill import aivat_of, can_be_assessed
from railbird.progress import Watch
from railbird.words import listed

if TYPE_CHECKING:
    from railbird.assess.aivat_hands import KnownPlayers

Values = NDArray[np.float64]
_AT_ONCE = 500
"""So many deals are computed at once."""
_FEWEST_KEPT = 1_000
"""What is kept is written again when there are so many deals more, or an eighth of what there is."""


def verdict_words(spec: MatchSpec) -> str:
    """How many hands it takes to see what a player is worth who is not known, against the equilibrium player; nothing
    where he does not sit there, or a second time. The numbers are those of docs/measures.md."""
    seated = [player.text == "equilibrium" for player in spec.players]
    if sum(seated) != 1 or not can_be_assessed(spec.game):
        return ""
    hands = "about 400 to 900 hands of a careful player, 4,000 and more of a wild one"
    return f"against equilibrium, whose play is known, a difference of 0.05 sb/hand takes {hands}"


def known_in(matches: Iterable[MatchSpec]) -> dict[str, str]:
    """The known players of matches, by name, each with the bot that it is; none in games that AIVAT does not know.

    >>> from railbird.game.spec import limit_holdem
    >>> known_in([MatchSpec(limit_holdem(), ("always-call", "loki"), 10, 1)])
    {'always-call': 'always-call'}
    """
    specs = list(matches)
    if not all(can_be_assessed(spec.game) for spec in specs):
        return {}
    seats = {name: (bot, spec.game) for spec in specs for name, bot in zip(spec.names, spec.bots)}
    found = {name: text for name, seat in seats.items() if (text := _known_text(*seat))}
    return found if found and all(_is_usual(spec.game) for spec in specs) else {}


def known_texts(spec: MatchSpec) -> list[str]:
    """The known players of a match as `assess` takes them.

    >>> from railbird.game.spec import limit_holdem
    >>> known_texts(MatchSpec(limit_holdem(), ("always-call", "loki"), 10, 1))
    ['always-call=always-call']
    """
    return [f"{name}={bot}" for name, bot in known_in([spec]).items()]


def _known_text(bot: AnyBot, game: Game) -> str:
    """How a bot is written, if it tells how it plays; one that cannot be had any more is not known."""
    if not isinstance(bot, str):
        return ""
    with suppress(RailbirdError):
        player = player_of(bot)
        if player.is_trusted:
            made = player.make()
            return player.text if not made.learns and _tells(made, game) else ""
    return ""


def _tells(bot: Bot, game: Game) -> bool:
    """Whether a bot tells its probabilities for every holding, and soon enough to be asked in every hand."""
    if bot.table_policy(game) is not None:
        return True
    view = PlayerView(Betting.start(game), 1, (0, 1), (), 0, ("", ""))
    return bot.tells_quickly and bot.probabilities(view, every=True) is not None


def _is_usual(game: Game) -> bool:
    """Whether the equilibrium player, whose values AIVAT compares, knows the game."""
    from railbird.bots.equilibrium import strategy_of  # its tables are large

    return strategy_of().plays(game)


def values_name() -> str:
    """The name of the values that AIVAT compares, which changes with them."""
    from railbird.assess.self_play import file_name
    from railbird.bots.equilibrium import strategy_of

    return file_name(strategy_of())


class KnownSeats:
    """The known players of a comparison's matches, and AIVAT of these."""

    def __init__(self, bots: Mapping[str, str]) -> None:
        self.bots = dict(bots)
        """By name in the logs."""
        self._kept: dict[tuple[Path, str], KeptValues] = {}

    @cached_property
    def players(self) -> KnownPlayers:
        from railbird.play.known import known_bots  # imports kernels

        return known_bots(self.bots)

    def imagined(self, new: MatchSpec, old: MatchSpec) -> tuple[list[str], list[str]] | None:
        """Whom to imagine in the new bot's match and in the old one's; `None` where nobody is known."""
        (first, opponent), (second, _) = new.names, old.names
        both = first in self.bots and second in self.bots
        against = [opponent] if opponent in self.bots else []
        found = ([first, *against], [second, *against]) if both else (against, against)
        return found if any(found) else None

    def used(self, matches: Sequence[tuple[MatchResult, MatchResult]]) -> dict[str, str]:
        """The players whose play AIVAT makes use of in matches, each with the bot that it is."""
        imagined = [self.imagined(new.spec, old.spec) for new, old in matches]
        whom = {name for found in imagined if found for names in found for name in names}
        return {name: self.bots[name] for name in sorted(whom)}

    def words(self, matches: Sequence[tuple[MatchResult, MatchResult]], opponents: Sequence[str]) -> str:
        """Whom AIVAT knows, and against which opponents that is nobody."""
        whom = self.used(matches)
        unknown = [name for name, match in zip(opponents, matches) if not self.used([match])]
        said = f"AIVAT knows how {listed(list(whom))} {'play' if len(whom) > 1 else 'plays'}"
        return said + (f"; against {listed(unknown)} nobody is known, and it is DIVAT" if unknown else "")

    def of(
        self, match: MatchResult, imagined: Sequence[str], first: int, last: int, watch: Watch | None = None
    ) -> Values:
        """AIVAT of the first player in deals `first` to `last - 1`, by leg and deal, in small bets."""
        assert isinstance(match.hands, LoggedDeals)
        logs = match.hands.logs
        chosen = type(self.players)(self.players.measure, {name: self.players.players[name] for name in imagined})
        key = repr((sorted((name, self.bots[name]) for name in imagined), values_name()))
        path = logs[0].path.parent / f"aivat-{blake2b(key.encode(), digest_size=4).hexdigest()}.values"
        at = (path, key)
        if at not in self._kept:
            self._kept[at] = KeptValues(path, match)
        compute = partial(aivat_of, match.spec, logs, known=chosen)
        return self._kept[at].of(match, last, compute, watch)[:, first:last]

    def keep(self) -> None:
        """Write what has been computed since it was last written."""
        for kept in self._kept.values():
            kept.write()


class KeptValues:
    """Numbers of a match that take long to compute, by leg and deal, kept in a file: with each stands what was won, so
    that those of other hands are not taken for them."""

    def __init__(self, path: Path, match: MatchResult) -> None:
        self.path = path
        self._values = self._read(match)
        """By deal and leg, what was won and the number."""
        self._written = len(self._values)

    def of(
        self, match: MatchResult, deals: int, compute: Callable[[int, int], Values], watch: Watch | None = None
    ) -> Values:
        """By leg and deal, those of the first deals; what there is not yet is computed."""
        begun, legs = len(self._values), match.spec.seating.legs
        for first in range(begun, deals, _AT_ONCE):
            last = min(first + _AT_ONCE, deals)
            rows = np.stack([_won(match, first, last), compute(first, last)]).transpose(2, 1, 0)
            self._values = np.concatenate([self._values, rows])
            if watch:
                watch((last - begun) * legs, (deals - begun) * legs)
        if len(self._values) - self._written >= max(_FEWEST_KEPT, self._written // 8):
            self.write()
        return np.asarray(self._values[:deals, :, 1].T)

    def write(self) -> None:
        """Write all of it, unless it stands there already. A folder that cannot be written to is no harm."""
        if len(self._values) > self._written:
            with suppress(OSError):
                write_whole(self.path, self._values.astype("<f8").tobytes())
                self._written = len(self._values)

    def _read(self, match: MatchResult) -> Values:
        """What the file holds of these hands, from the first one on."""
        legs = match.spec.seating.legs
        found: NDArray[Any] = np.zeros((0, legs, 2))
        with suppress(OSError):
            content, size = self.path.read_bytes(), 16 * legs
            found = np.frombuffer(content[: len(content) // size * size], "<f8").reshape(-1, legs, 2)
        rows = found[: match.deals]
        fits = (rows[:, :, 0] == _won(match, 0, len(rows)).T) & np.isfinite(rows[:, :, 1])
        whole = fits.all(axis=1)
        return rows[: len(rows) if whole.all() else int(whole.argmin())].astype(np.float64)


def _won(match: MatchResult, first: int, last: int) -> Values:
    return np.asarray(match.hands.won(first, last)[:, :, 0] / match.spec.game.small_bet)
