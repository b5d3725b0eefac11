"""Round-robin tournaments: everybody against everybody, heads-up, one match folder for each pair."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
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
from railbird.json_files import Fields, read_json
from railbird.play.box import USUAL, Housing
from railbird.play.faults import Fault
from railbird.play.folder import MatchFolder, is_match, is_vacant
from railbird.play.manifest import Manifest, check_begun, manifest_of, read_manifest, refuse_others
from railbird.play.match import MatchSpec, seed_from_json
from railbird.play.match_result import MatchResult, fault_parts
from railbird.play.players import AnyBot, names_of, player_of
from railbird.play.run import run_matches
from railbird.play.secret_keys import ready_seed
from railbird.play.set_aside import first_fit, set_aside
from railbird.play.skill import all_with_divat
from railbird.progress import Watch
from railbird.randomness import SecretSeed, Seed
from railbird.results.parts import Heading, Part, Table
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.words import rate

SCHEMA = "railbird.tournament-folder/1"
TOURNAMENT = "tournament.json"
MOST_PLAYERS = 1_000

Manifests = Mapping[tuple[int, int], Manifest]
"""By pair of players."""


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
    def faults(self) -> tuple[Fault, ...]:
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
        facts = (f"{spec.game.name} heads-up", f"{spec.hands:,} {kind} each", spec.seed_words)
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
        return Table(rows, header, bold=(1,), indent=0, repeated=1)

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
            "faults": [str(fault) for fault in self.faults],
        }


@dataclass(frozen=True)
class TournamentSpec:
    """A round robin: each pair of the bots plays a match on the same deals."""

    game: Game
    """A game for two."""
    bots: tuple[AnyBot, ...]
    hands: int
    """As in `MatchSpec`, of each match."""
    seed: Seed
    duplicate: bool = True
    decision_seconds: float = 10.0
    block_hands: int = 0
    housing: Housing | None = USUAL

    def __post_init__(self) -> None:
        if not 2 <= len(self.bots) <= MOST_PLAYERS:
            raise MatchError(f"a tournament of {len(self.bots)} players; it takes 2 to {MOST_PLAYERS:,}")
        _ = self.matches  # which refuse what cannot be played

    @cached_property
    def matches(self) -> dict[tuple[int, int], MatchSpec]:
        """By pair of players."""
        rest = (self.hands, self.seed, self.duplicate, self.decision_seconds, self.block_hands, self.housing)
        pairs = combinations(range(len(self.bots)), 2)
        bots, names = self.bots, self.names
        return {(a, b): MatchSpec(self.game, (bots[a], bots[b]), *rest, (names[a], names[b])) for a, b in pairs}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, which tell them apart in the whole tournament."""
        return names_of([player_of(bot) for bot in self.bots])


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
        names = _names_in(read_json(path / TOURNAMENT))
    except OSError as error:
        raise MatchError(f"no tournament in {str(path)!r}: {error.strerror}") from None
    except ValueError as error:
        raise MatchError(f"{path / TOURNAMENT} is damaged: {error}") from None
    pairs = {pair: MatchFolder.open(path / _folder_name(*pair)) for pair in combinations(range(len(names)), 2)}
    if other := next((folder for folder in pairs.values() if folder.spec.game.seats != 2), None):
        raise MatchError(f"{str(other.path)!r} is a match of {other.spec.game.seats} players, not of a pair")
    results = {pair: folder.result() for pair, folder in pairs.items()}
    empty = [f"{names[a]} v {names[b]}" for (a, b), match in results.items() if match.won.shape[1] == 0]
    if empty:
        raise MatchError(f"{str(path)!r} has no hands yet of {', '.join(empty)}; go on with the command that began it")
    return TournamentResult(names, results)


def _names_in(manifest: Any) -> tuple[str, ...]:
    """The players that a tournament's file names; refuses one that is not whole."""
    told = Fields(manifest, "the tournament")
    names = tuple(told.texts("names"))
    if not 2 <= len(names) <= MOST_PLAYERS or len(set(names)) < len(names):
        raise ValueError(f"{len(names)} names of players; there should be 2 to {MOST_PLAYERS}, each another one")
    pairs = [[a, b, _folder_name(a, b)] for a, b in combinations(range(len(names)), 2)]
    if told.entries("pairs") != pairs:
        raise ValueError(f"its pairs are not those of {len(names)} players")
    return names


def tournament_with_divat(
    path: Path, result: TournamentResult, settings: Settings = STANDARD, watch: Watch | None = None
) -> TournamentResult:
    """The result of the tournament in `path` with every match assessed. `watch` is told hands done and all hands."""
    folders = [MatchFolder(path / _folder_name(a, b), match.spec) for (a, b), match in result.matches.items()]
    assessed = all_with_divat(list(zip(folders, result.matches.values())), settings, watch)
    return TournamentResult(result.names, dict(zip(result.matches, assessed)))


def _folder_name(a: int, b: int) -> str:
    return f"{a + 1:02}-{b + 1:02}"


def default_tournament_folder(path: Path, spec: TournamentSpec) -> Path:
    """Where a tournament goes if nobody says where: `path`, or with a number after it where another one lies there."""
    return first_fit(path, lambda folder: is_vacant(folder) or _pairs_in(folder, spec) is not None)


def match_folders(path: Path) -> list[Path]:
    """The match folders of the tournament in `path`; none if there is no tournament."""
    return sorted(each for each in path.glob("*-*") if is_match(each)) if (path / TOURNAMENT).exists() else []


def _manifest(spec: TournamentSpec) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "names": list(spec.names),
        "bots": [player_of(bot).text for bot in spec.bots],
        "pairs": [[a, b, _folder_name(a, b)] for a, b in spec.matches],
    }


def _refuse_others(path: Path, spec: TournamentSpec) -> Manifests:
    """The manifests of the pairs in a folder that have begun; refuses the folder of another tournament."""
    check_begun(path / TOURNAMENT, _manifest(spec), "tournament")
    found = {}
    for pair, match in spec.matches.items():
        folder = path / _folder_name(*pair)
        if is_match(folder):
            found[pair] = read_manifest(folder)
            refuse_others(found[pair], manifest_of(match), folder)
    return found


def _pairs_in(path: Path, spec: TournamentSpec) -> Manifests | None:
    """The manifests of the pairs in a folder that have begun; None if it does not hold this tournament."""
    try:
        return _refuse_others(path, spec)
    except MatchError:
        return None


def _fingerprints(pairs: Manifests, players: int) -> list[str]:
    """By player, what it was in the matches that have begun."""
    found = {player: each["files"][seat] for pair, each in pairs.items() for seat, player in enumerate(pair)}
    return [found.get(player, "") for player in range(players)]


def _folders(path: Path, spec: TournamentSpec) -> dict[tuple[int, int], MatchFolder]:
    """The folders of all pairs, new or begun.

    If a bot was edited the tournament before is kept under another name, and the matches in which it does not play are
    taken over.
    """
    asked = {pair: manifest_of(match) for pair, match in spec.matches.items()}
    begun = {} if is_vacant(path) else _refuse_others(path, spec)
    is_edited = any(each["files"] != asked[pair]["files"] for pair, each in begun.items())
    seed = ready_seed(spec.seed, [seed_from_json(each) for each in begun.values()])
    if is_edited and isinstance(seed, SecretSeed) and seed.is_published:
        raise MatchError(f"{str(path)!r} is over and its key published, and a bot has changed; choose another --out")
    kept = _set_aside(path, spec, begun, asked) if is_edited else path
    if not (path / TOURNAMENT).exists():
        path.mkdir(parents=True, exist_ok=True)
        write_whole(path / TOURNAMENT, json.dumps(_manifest(spec), indent=2) + "\n")
    for pair, manifest in begun.items():
        name = _folder_name(*pair)
        if manifest["files"] == asked[pair]["files"] and not is_match(path / name):
            shutil.copytree(kept / name, path / f"{name}.part", dirs_exist_ok=True)
            (path / f"{name}.part").rename(path / name)
    matches = {pair: match.with_seed(seed).kept_out_of(path) for pair, match in spec.matches.items()}
    return {pair: MatchFolder.create(path / _folder_name(*pair), match) for pair, match in matches.items()}


def _set_aside(path: Path, spec: TournamentSpec, begun: Manifests, asked: Manifests) -> Path:
    """Keep a tournament in which some bots had other files, under the name that is returned."""

    def is_same(back: Path) -> bool:
        pairs = _pairs_in(back, spec)
        return pairs is not None and all(each["files"] == asked[pair]["files"] for pair, each in pairs.items())

    def prints_of(folder: Path) -> list[str]:
        return _fingerprints(_refuse_others(folder, spec), len(spec.bots))

    now = _fingerprints(asked, len(spec.bots))
    return set_aside(path, prints_of, now, is_same, [path / _folder_name(*pair) for pair in begun])
