"""Round-robin tournaments: everybody against everybody, heads-up, one match folder for each pair."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.assess.settings import STANDARD, Settings
from railbird.errors import MatchError
from railbird.files import write_whole
from railbird.game.spec import Game
from railbird.play.folder import MatchFolder, is_vacant
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult, fault_parts
from railbird.play.players import AnyBot, player_of
from railbird.play.run import run_matches
from railbird.play.skill import all_with_divat
from railbird.progress import Watch
from railbird.results.parts import Heading, Part, Table
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.words import rate

SCHEMA = "railbird.tournament-folder/1"


@dataclass(frozen=True, repr=False)
class TournamentResult(Result):
    """Every pair's match. Rates are small bets per hand."""

    names: tuple[str, ...]
    matches: dict[tuple[int, int], MatchResult]

    def rate(self, player: int, opponent: int) -> Estimate:
        """What `player` won from `opponent`."""
        first, second = sorted((player, opponent))
        return self.matches[first, second].players[0 if player < opponent else 1].best

    def skill(self, player: int, opponent: int) -> Estimate | None:
        """The DIVAT difference of `player` against `opponent`; `None` where it was not assessed."""
        first, second = sorted((player, opponent))
        return self.matches[first, second].players[0 if player < opponent else 1].skill

    @property
    def is_assessed(self) -> bool:
        return all(match.divat is not None for match in self.matches.values())

    @cached_property
    def overall(self) -> tuple[Estimate, ...]:
        """Each player's mean over all opponents. Every pair plays the same deals, so they are averaged deal by deal."""
        return self._over_opponents(lambda match: match.won[:, :, 0] / match.spec.game.small_bet)

    @cached_property
    def overall_skill(self) -> tuple[Estimate, ...] | None:
        """Each player's mean DIVAT difference over all opponents; `None` where it was not assessed."""
        if not self.is_assessed:
            return None
        return self._over_opponents(lambda match: np.zeros(0) if match.divat is None else match.divat)

    def _over_opponents(self, of_first: Callable[[MatchResult], NDArray[np.float64]]) -> tuple[Estimate, ...]:
        """Each player's mean of a measure, which is given for a match's first player and opposite for the second."""
        estimates = []
        for player in range(len(self.names)):
            samples = []
            for (first, second), match in self.matches.items():
                if player in (first, second):
                    sign = 1.0 if player == first else -1.0
                    samples.append(sign * of_first(match).mean(axis=0))
            deals = min(len(sample) for sample in samples)
            estimates.append(Estimate.of(np.mean([sample[:deals] for sample in samples], axis=0)))
        return tuple(estimates)

    @property
    def ranking(self) -> list[int]:
        return sorted(range(len(self.names)), key=lambda player: -self.overall[player].mean)

    @property
    def faults(self) -> tuple[str, ...]:
        return tuple(fault for match in self.matches.values() for fault in match.faults)

    @property
    def spec(self) -> MatchSpec:
        """What every pair was asked to play; its players are those of the first pair."""
        return next(iter(self.matches.values())).spec

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player and opponent, and for each player against all."""
        found = [{"player": n, "opponent": "all", **e.to_json()} for n, e in zip(self.names, self.overall)]
        pairs = [(a, b) for a in range(len(self.names)) for b in range(len(self.names)) if a != b]
        return found + [
            {"player": self.names[a], "opponent": self.names[b], **self.rate(a, b).to_json()} for a, b in pairs
        ]

    def parts(self) -> list[Part]:
        spec = self.spec
        kind = "duplicate pairs" if spec.duplicate else "hands"
        facts = (f"{spec.game.name} heads-up", f"{spec.hands:,} {kind} each", f"seed {spec.seed}")
        found: list[Part] = [Heading("round robin", facts), self._crosstable("sb/hand (95%)", self.overall, self.rate)]
        if self.overall_skill:
            found.append(self._crosstable("DIVAT", self.overall_skill, self.skill))
        return [*found, *fault_parts(self.faults)]

    def _crosstable(self, title: str, overall: Sequence[Estimate], of: Callable[[int, int], Estimate | None]) -> Table:
        """What each player has of all others and of each, the best player first."""
        order, rows = self.ranking, []
        for place, player in enumerate(order):
            found = [of(player, other) if other != player else None for other in order]
            cells = [rate(estimate) if estimate else "" for estimate in found]
            rows.append((f"{place + 1} {self.names[player]}", rate(overall[player]), *cells))
        header = (f"  {title}", "all", *(f"from {place + 1}" for place in range(len(order))))
        return Table(rows, header, bold=(1,), folded=tuple(range(2, len(order) + 2)), indent=0)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "railbird.tournament/1",
            "unit": "small bets per hand",
            "players": [
                {
                    "name": name,
                    "overall": self.overall[player].to_json(),
                    "against": {
                        other: self.rate(player, opponent).to_json()
                        for opponent, other in enumerate(self.names)
                        if opponent != player
                    },
                    "overall_divat": self.overall_skill[player].to_json() if self.overall_skill else None,
                    "divat_against": {
                        other: skill.to_json()
                        for opponent, other in enumerate(self.names)
                        if opponent != player and (skill := self.skill(player, opponent))
                    },
                }
                for player, name in enumerate(self.names)
            ],
            "faults": list(self.faults),
        }


@dataclass(frozen=True)
class TournamentSpec:
    """A round robin: each pair of the bots plays a match on the same deals."""

    game: Game
    """A game for two."""
    bots: tuple[AnyBot, ...]
    hands: int
    """As in `MatchSpec`, of each match."""
    seed: int
    duplicate: bool = True
    decision_seconds: float = 10.0
    block_hands: int = 0

    def __post_init__(self) -> None:
        if len(self.bots) < 2:
            raise MatchError(f"a tournament of {len(self.bots)} players; it takes at least 2")
        _ = self.matches  # which refuse what cannot be played

    @cached_property
    def matches(self) -> dict[tuple[int, int], MatchSpec]:
        """By pair of players."""
        rest = (self.hands, self.seed, self.duplicate, self.decision_seconds, self.block_hands)
        pairs = combinations(range(len(self.bots)), 2)
        return {(a, b): MatchSpec(self.game, (self.bots[a], self.bots[b]), *rest) for a, b in pairs}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, unique over the whole tournament."""
        labels = [player_of(bot).label for bot in self.bots]
        return tuple(
            label if labels.index(label) == at else f"{label}.{labels[: at + 1].count(label)}"
            for at, label in enumerate(labels)
        )


def run_tournament(
    path: Path, spec: TournamentSpec, workers: int | None = None, watch: Watch | None = None
) -> TournamentResult:
    """Play (or go on with) a round robin in `path`, a match folder for each pair."""
    folders = _folders(path, spec)
    with ExitStack() as locks:
        for folder in folders.values():
            locks.enter_context(folder.lock())
        results = run_matches(list(folders.values()), workers, watch)
    return TournamentResult(spec.names, dict(zip(folders, results)))


def read_tournament(path: Path) -> TournamentResult:
    """The result of a tournament as far as it has been played."""
    try:
        manifest = json.loads((path / "tournament.json").read_text(encoding="utf-8"))
        pairs = {(int(a), int(b)): MatchFolder.open(path / name) for a, b, name in manifest["pairs"]}
        names = tuple(str(name) for name in manifest["names"])
    except OSError as error:
        raise MatchError(f"no tournament in {str(path)!r}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, MatchError):
            raise
        raise MatchError(f"{path / 'tournament.json'} is damaged: {error}") from None
    results = {pair: folder.result() for pair, folder in pairs.items()}
    empty = [f"{names[a]} v {names[b]}" for (a, b), match in results.items() if match.won.shape[1] == 0]
    if empty:
        raise MatchError(f"{str(path)!r} has no hands yet of {', '.join(empty)}; go on with the command that began it")
    return TournamentResult(names, results)


def tournament_with_divat(
    path: Path, result: TournamentResult, settings: Settings = STANDARD, watch: Watch | None = None
) -> TournamentResult:
    """The result of the tournament in `path` with every match assessed. `watch` is told hands done and all hands."""
    folders = [MatchFolder(path / _folder_name(a, b), match.spec) for (a, b), match in result.matches.items()]
    assessed = all_with_divat(list(zip(folders, result.matches.values())), settings, watch)
    return TournamentResult(result.names, dict(zip(result.matches, assessed)))


def _folder_name(a: int, b: int) -> str:
    return f"{a + 1:02}-{b + 1:02}"


def _folders(path: Path, spec: TournamentSpec) -> dict[tuple[int, int], MatchFolder]:
    manifest = {
        "schema": SCHEMA,
        "names": list(spec.names),
        "bots": [player_of(bot).text for bot in spec.bots],
        "pairs": [[a, b, _folder_name(a, b)] for a, b in spec.matches],
    }
    file = path / "tournament.json"
    if not file.exists() and not is_vacant(path):
        raise MatchError(f"{str(path)!r} holds something else than a tournament; choose another folder with --out")
    if file.exists():
        try:
            begun = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise MatchError(f"{file} is damaged: {error}") from None
        if begun != manifest:
            raise MatchError(f"{str(path)!r} holds a tournament of other players; choose another --out")
    else:
        path.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(manifest, indent=2) + "\n")
    return {(a, b): MatchFolder.create(path / _folder_name(a, b), match) for (a, b), match in spec.matches.items()}
