"""Round robins that are assessed: what everybody won from everybody, by DIVAT and in money, and learning curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from railbird.assess.settings import STANDARD
from railbird.assess.tables import divat_tables
from railbird.bots.registry import make_bot
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.papers.learning_curves import Curves, curve_of_match
from railbird.papers.study import Asked
from railbird.play.tournament import TournamentSpec, run_tournament, tournament_with_divat
from railbird.play.tournament_result import TournamentResult
from railbird.results.parts import Table
from railbird.statistics import Estimate, Samples
from railbird.words import signed

MOST_BLOCKS, LEAST_DEALS = 20, 50
"""A learning curve has so many blocks, of at least so many deals each."""


@dataclass(frozen=True)
class RoundRobin:
    """A round robin in duplicate that was played and assessed."""

    players: tuple[str, ...]
    result: TournamentResult

    def samples(self, player: str, opponent: str) -> Samples:
        """The DIVAT difference of `player` by deal, the mean of both seatings, in small bets per hand."""
        a, b = self.players.index(player), self.players.index(opponent)
        divat = self.result.matches[min(a, b), max(a, b)].divat
        assert divat is not None
        mean: Samples = divat.mean(axis=0)
        return mean if a < b else -mean

    def skill(self, player: str, opponent: str) -> Estimate:
        """What `player` won from `opponent` by DIVAT."""
        return Estimate.of(self.samples(player, opponent))

    def money(self, player: str, opponent: str) -> Estimate:
        """What `player` won from `opponent` in money, in duplicate, by itself as `skill` is."""
        return replace(self.result.rate(self.players.index(player), self.players.index(opponent)), claims=1)

    @property
    def deals(self) -> int:
        """How many deals a pair played."""
        return self.result.spec.hands

    @cached_property
    def learners(self) -> tuple[str, ...]:
        return tuple(player for player in self.players if make_bot(player).learns)

    def curves(self, player: str) -> Curves:
        """By opponent, the win rate by blocks of hands. Both legs of a match have come equally far in each."""
        found = {}
        for opponent in self.players:
            if opponent != player:
                samples = self.samples(player, opponent)
                blocks = max(1, min(MOST_BLOCKS, len(samples) // LEAST_DEALS))
                found[opponent] = curve_of_match(samples, blocks)
        return found

    def crosstable(
        self, title: str, of: Callable[[str, str], float | None], short: Callable[[str], str] = str
    ) -> Table:
        """Win rates without intervals, row against column; pairs that `of` does not know stay empty."""
        rows = []
        for player in self.players:
            found = [None if opponent == player else of(player, opponent) for opponent in self.players]
            rows.append((player, *["" if value is None else signed(value) for value in found]))
        return Table(rows, (title, *map(short, self.players)), repeated=1)


def played_round_robin(asked: Asked) -> RoundRobin:
    """Play the round robin of the players that are asked for, or go on with it, and assess it."""
    players: Sequence[str] = asked.players
    if len(set(players)) < max(2, len(players)):
        raise MatchError(f"{' '.join(players)}: a round robin needs two players or more, each of them once")
    folder = asked.folder / "hands"
    spec = TournamentSpec(limit_holdem(), tuple(players), asked.size, asked.seed)
    with asked.bar("playing", "hands") as watch:
        result = run_tournament(folder, spec, asked.workers, watch)
    with asked.bar("assessing: tables") as watch:
        divat_tables(STANDARD, watch)
    with asked.bar("assessing", "hands") as watch:
        result = tournament_with_divat(folder, result, STANDARD, watch)
    return RoundRobin(tuple(players), result)
