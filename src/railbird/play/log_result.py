"""What came of the hands of a log that no match folder tells more about: who won how much, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.assess.divat import assess
from railbird.assess.settings import STANDARD, Settings
from railbird.assess.shared_deals import HandSums
from railbird.errors import MatchError
from railbird.formats.hand_arrays import HandArrays, Problem
from railbird.formats.left_out import LeftOut
from railbird.game.pot_shares import fair_payoffs
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_SEATS, Game
from railbird.play.match_logs import OpenedLogs, is_competition_log
from railbird.play.match_result import PlayerResult, pair_parts
from railbird.progress import Watch, within
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.statistics import Estimate, Moments
from railbird.words import NONE, count_of, rate, signed

_AT_ONCE = 10_000
_MOST_GAMES = 3


@dataclass(frozen=True, repr=False)
class LogResult(Result):
    """What the players of a log won, in small bets per hand (in no-limit games: big blinds)."""

    path: Path
    game: Game
    hand_count: int
    players: tuple[PlayerResult, ...]
    """The player who won most first; of two players, the one whose name comes first in the log."""
    logs: OpenedLogs | None = None
    """Where the hands are, if they are heads-up limit hold'em and can be assessed."""
    problems: tuple[Problem, ...] = ()
    """What was left out of the log, and what was kept with a remark."""
    all_shown: bool = False
    """Whether all hole cards are known."""
    rake_sb: float = 0.0
    """What the house took, in small bets."""
    least_seats: int = 0
    """The fewest players that a hand had, where that was not always the same."""
    games: tuple[str, ...] = ()
    """The names of the games, where there are several; that with most hands first."""

    @property
    def is_assessed(self) -> bool:
        return self.players[0].divat is not None

    def parts(self) -> list[Part]:
        seats = "heads-up" if self.game.seats == 2 else f"{self.game.seats} seats"
        if self.least_seats:
            seats = f"{self.least_seats} to {self.game.seats} seats"
        heading = Heading(
            self._who(), (f"{self.game_words} {seats}", count_of(self.hand_count, "hand"), str(self.path))
        )
        remarks = [*self._rake_parts(), *remark_parts(self.problems)]
        if len(self.players) == 2:
            return [heading, *pair_parts(self.players, self.game.rate_unit), *remarks]
        raked = ("before rake",) if self.rake_sb else ()
        rows = [
            (
                each.name,
                rate(each.money),
                *([rate(each.before_rake)] if each.before_rake else raked and [NONE]),
                f"{each.money.sd:.2f}" if each.money.count > 1 else NONE,
                f"{each.money.count:,}",
            )
            for each in self.players
        ]
        return [
            heading,
            Table(rows, (f"{self.game.rate_unit} (95%)", "money", *raked, "SD", "hands"), folded=(0,)),
            *remarks,
        ]

    @property
    def game_words(self) -> str:
        """The name of the game; of several games all names, or how many they are."""
        if len(self.games) > _MOST_GAMES:
            return f"{len(self.games)} games"
        return " and ".join(self.games) or self.game.name

    def _rake_parts(self) -> list[Part]:
        """How much rake was taken, and what it left for each of two players."""
        if not self.rake_sb:
            return []
        left = ", ".join(f"{each.name} {signed(each.money.mean)}" for each in self.players[:2])
        after = f"; money is after it ({left}), DIVAT without it" if len(self.players) == 2 else "; money is after it"
        each = self.rake_sb / self.hand_count
        return [Line(f"rake: {self.rake_sb:,.1f} sb in all, {each:.3f} a hand{after}", 0)]

    def _who(self) -> str:
        names = [player.name for player in self.players]
        return " vs ".join(names) if len(names) <= 10 else f"{len(names)} players"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player and measure."""
        return [
            {"player": player.name, "measure": measure, **estimate.to_json()}
            for player in self.players
            for measure, estimate in player.measures.items()
        ]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.log/1."""
        return {
            "schema": "railbird.log/1",
            "log": str(self.path),
            "game": self.game_words,
            "hands_played": self.hand_count,
            "rake_per_hand": self.rake_sb / self.hand_count,
            "unit": "small bets per hand",
            "players": [player.to_json() for player in self.players],
        }


def remark_parts(problems: Sequence[Problem]) -> list[Part]:
    """How many remarks there are on a log, and the first of them."""
    if not problems:
        return []
    return [Line(f"{count_of(len(problems), 'remark')} on the log, the first: {problems[0]}", 0, "yellow")]


def log_result(logs: OpenedLogs) -> LogResult:
    """The result of a log by money, in duplicate too where all hands of two players are pairs."""
    is_history = not any(is_competition_log(source.path) for source in logs.sources)
    if (logs if is_history else logs.one_match("railbird results {}")).is_heads_up_limit:
        sums = _LogSums()
        for hands in logs.pieces():
            sums.add(hands)
        sums.left_out.refuse(str(logs.path))
        if len(sums.names) == 2:
            return sums.result(logs)
    found = _of_records(logs.path, (record for _, record in logs.all_records()))
    return replace(found, problems=tuple(logs.problems))


def log_with_divat(result: LogResult, settings: Settings = STANDARD, watch: Watch | None = None) -> LogResult:
    """The result with the players' skill; refuses logs of other games, and hands with hidden cards."""
    if result.logs is None:
        raise MatchError(f"{str(result.path)!r} is not a log of heads-up limit hold'em; DIVAT is for those")
    sums = _LogSums()
    for hands in result.logs.pieces():
        told = within(watch, sums.hand_count, result.hand_count)
        sums.add(hands, assess(hands, settings, told).divat)
    return sums.result(result.logs)


class _LogSums:
    """Sums of what two players won, from hands that come in pieces."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.hand_count = 0
        self._game: Game | None = None
        self._problems: list[Problem] = []
        self._all_shown = self._all_paired = True
        self.left_out = LeftOut()
        self._rake = 0.0
        self._sums = {what: HandSums() for what in ("money", "before_rake", "divat")}
        """For the player whose name comes first."""
        self._others = HandSums()
        """Money of the other one."""
        self._pairs = {"before_rake": Moments(), "divat": Moments()}

    def add(self, hands: HandArrays, divat: NDArray[np.float64] | None = None) -> None:
        """Count hands; the DIVAT differences are those of position 0."""
        self._game = self._game or hands.game
        self.names = tuple(dict.fromkeys((*self.names, *hands.names)))
        self.hand_count += len(hands)
        self._problems += hands.problems
        self.left_out.join(hands.left_out)
        self._all_shown &= bool(hands.complete.all())
        self._all_paired &= not (hands.pair_of < 0).any()
        if len(self.names) != 2:
            return  # such a log is read otherwise
        sign = np.where(hands.players[:, 0] == hands.names.index(self.names[0]), 1.0, -1.0)
        first = hands.pair_of > np.arange(len(hands))
        fair = sign * (hands.fair_payoffs[:, 0] / hands.small_bet)
        here, position = np.arange(len(hands)), np.where(sign > 0, 0, 1)
        self._rake += float((hands.rake / hands.small_bet).sum())
        self._sums["money"].add(hands.payoffs[here, position] / hands.small_bet, hands.pair_of)
        self._others.add(hands.payoffs[here, 1 - position] / hands.small_bet, hands.pair_of)
        for what, own in (("before_rake", fair), ("divat", None if divat is None else sign * divat)):
            if own is not None:
                self._sums[what].add(own, hands.pair_of)
                self._pairs[what].add((own[first] + own[hands.pair_of[first]]) / 2)

    def result(self, logs: OpenedLogs) -> LogResult:
        """The result of two players; pairs count where every hand is in one."""
        by_hand = {what: sums.estimate() if sums.count else None for what, sums in self._sums.items()}
        paired = {
            what: sums.estimate() if sums.count and self._all_paired else None for what, sums in self._pairs.items()
        }
        assert self._game is not None
        fair = by_hand["before_rake"] if self._rake else None
        rest = [paired["before_rake"], by_hand["divat"], paired["divat"], fair]
        players = (
            PlayerResult(self.names[0], self._sums["money"].estimate(), *rest),
            PlayerResult(self.names[1], self._others.estimate(), *(each and each.opposite for each in rest)),
        )
        problems = tuple(self._problems)
        return LogResult(logs.path, self._game, self.hand_count, players, logs, problems, self._all_shown, self._rake)


class _Chips:
    """What a player won, hand by hand: sums of it, and the last hands, which are added to them many at a time."""

    def __init__(self) -> None:
        self._sums, self._last = Moments(), list[float]()

    def add(self, chips: float) -> None:
        self._last.append(chips)
        if len(self._last) == _AT_ONCE:
            self._sums.add(np.array(self._last))
            self._last.clear()

    @property
    def estimate(self) -> Estimate:
        self._sums.add(np.array(self._last))
        self._last.clear()
        return self._sums.estimate()


def _of_records(path: Path, records: Iterable[HandRecord]) -> LogResult:
    won: dict[str, _Chips] = {}
    fair: dict[str, _Chips] = {}
    largest, least, count, rake, games = None, MOST_SEATS, 0, 0.0, Counter[str]()
    for record in records:
        game, count, rake = record.game, count + 1, rake + record.rake / record.game.small_bet
        largest = game if largest is None or game.seats > largest.seats else largest
        least = min(least, game.seats)
        games[game.name] += 1
        for name, chips, before in zip(record.names, record.payoffs, _before_rake(record)):
            won.setdefault(name, _Chips()).add(chips / game.small_bet)
            fair.setdefault(name, _Chips()).add(before / game.small_bet)
    if largest is None:
        raise MatchError(f"no hand in {str(path)!r}")
    players = [
        PlayerResult(name, chips.estimate, None, before_rake=fair[name].estimate if rake > 0 else None)
        for name, chips in won.items()
    ]
    if len(players) > 2:
        players.sort(key=lambda player: -player.money.mean)
    least_seats = least if least < largest.seats else 0
    several = tuple(name for name, _ in games.most_common()) if len(games) > 1 else ()
    return LogResult(path, largest, count, tuple(players), rake_sb=rake, least_seats=least_seats, games=several)


def _before_rake(record: HandRecord) -> tuple[float, ...]:
    """What players won before the house took its rake."""
    return fair_payoffs(record, record.final()) if record.rake else record.payoffs
