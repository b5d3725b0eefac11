"""Tournaments: everybody against everybody, heads-up or at larger tables, one match folder for each line-up."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from railbird.assess.settings import STANDARD, Settings
from railbird.errors import MatchError
from railbird.files import write_whole
from railbird.game.spec import Game
from railbird.json_files import Fields, read_json
from railbird.numbers import quoted, whole
from railbird.play.box import USUAL, Housing
from railbird.play.folder import MatchFolder, is_match, is_vacant
from railbird.play.line_ups import line_ups
from railbird.play.manifest import Manifest, check_begun, manifest_of, read_manifest, refuse_others
from railbird.play.match import MatchSpec, seed_from_json
from railbird.play.players import AnyBot, names_of, player_of
from railbird.play.ratings import LineUp, check_connected
from railbird.play.run import in_turn, run_matches
from railbird.play.seating import MOST_PLAYERS as MOST_SEATS
from railbird.play.secret_keys import ready_seed
from railbird.play.set_aside import first_fit, set_aside
from railbird.play.skill import all_with_divat
from railbird.play.tournament_result import TournamentResult
from railbird.progress import Watch
from railbird.randomness import SecretSeed, Seed
from railbird.words import count_of
from railbird.workforce import Workforce

SCHEMA = "railbird.tournament-folder/1"
TOURNAMENT = "tournament.json"
MOST_PLAYERS = 1_000

Manifests = Mapping[LineUp, Manifest]


@dataclass(frozen=True)
class TournamentSpec:
    """A round robin: each line-up of the bots, heads-up each pair, plays a match on the same deals."""

    game: Game
    """A game for as many as sit at a table."""
    bots: tuple[AnyBot, ...]
    hands: int
    """As in `MatchSpec`, of each match."""
    seed: Seed
    duplicate: bool = True
    decision_seconds: float = 10.0
    block_hands: int = 0
    housing: Housing | None = USUAL
    tables: int = 0
    """How many line-ups play, a balanced sample; 0: all."""

    def __post_init__(self) -> None:
        if not 2 <= len(self.bots) <= MOST_PLAYERS:
            who = count_of(len(self.bots), "player")
            raise MatchError(f"{who}; a tournament takes 2 to {MOST_PLAYERS:,}, each an argument of its own")
        _ = self.matches  # which refuse what cannot be played

    @cached_property
    def matches(self) -> dict[LineUp, MatchSpec]:
        """By line-up."""
        rest = (self.hands, self.seed, self.duplicate, self.decision_seconds, self.block_hands, self.housing)
        bots, names = self.bots, self.names
        return {
            line_up: MatchSpec(self.game, tuple(bots[at] for at in line_up), *rest, [names[at] for at in line_up])
            for line_up in line_ups(len(bots), self.game.seats, self.tables)
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, which tell them apart in the whole tournament."""
        return names_of([player_of(bot) for bot in self.bots])


def run_tournament(
    path: Path, spec: TournamentSpec, workers: Workforce = None, watch: Watch | None = None
) -> TournamentResult:
    """Play (or go on with) a round robin in `path`, a match folder for each line-up."""
    folders = _folders(path, spec)
    with ExitStack() as locks:
        for folder in folders.values():
            locks.enter_context(folder.lock())
        results = run_matches(list(folders.values()), workers, watch, in_turn)
    return _summed(TournamentResult(spec.names, dict(zip(folders, results))))


def read_tournament(path: Path) -> TournamentResult:
    """The result of a tournament as far as it has been played."""
    result = tournament_so_far(path)
    if empty := result.not_begun:
        raise MatchError(f"{str(path)!r} has no hands yet of {', '.join(empty)}; go on with the command that began it")
    return _summed(result)


def tournament_so_far(path: Path) -> TournamentResult:
    """The matches of a tournament, also of one in which some have no hands yet: it has no sums over all of them."""
    try:
        names, found = _line_ups_in(read_json(path / TOURNAMENT))
    except OSError as error:
        raise MatchError(f"no tournament in {str(path)!r}: {error.strerror}") from None
    except ValueError as error:
        raise MatchError(f"{path / TOURNAMENT} is damaged: {error}") from None
    folders = {line_up: MatchFolder.open(path / _folder_name(*line_up)) for line_up in found}
    for line_up, folder in folders.items():
        if folder.spec.game.seats != len(line_up):
            seats = "a pair" if len(line_up) == 2 else f"{len(line_up)} players"
            raise MatchError(f"{str(folder.path)!r} is a match of {folder.spec.game.seats} players, not of {seats}")
    return TournamentResult(names, {line_up: folder.result() for line_up, folder in folders.items()})


def is_tournament(path: Path) -> bool:
    """Whether a path is the folder of a tournament."""
    return (path / TOURNAMENT).exists()


def _summed(result: TournamentResult) -> TournamentResult:
    """The result with its sums over opponents: whatever happens to the logs from now on, it is known."""
    _ = result.overall, result.ratings
    return result


def _line_ups_in(manifest: Any) -> tuple[tuple[str, ...], list[LineUp]]:
    """The players that a tournament's file names, and their line-ups; refuses one that is not whole."""
    told = Fields(manifest, "the tournament")
    names = tuple(told.texts("names"))
    if not 2 <= len(names) <= MOST_PLAYERS or len(set(names)) < len(names):
        raise ValueError(f"{len(names)} names of players; there should be 2 to {MOST_PLAYERS}, each another one")
    if "line_ups" in manifest:
        return names, _tables_in(told, len(names))
    pairs = line_ups(len(names), 2)
    if told.entries("pairs") != [[*pair, _folder_name(*pair)] for pair in pairs]:
        raise ValueError(f"its pairs are not those of {len(names)} players")
    return names, pairs


def _tables_in(told: Fields, players: int) -> list[LineUp]:
    """The line-ups of larger tables, from each of which all players can be rated."""
    found = []
    for entry in told.entries("line_ups"):
        if not isinstance(entry, list) or not 4 <= len(entry) <= MOST_SEATS + 1:
            raise ValueError(f"{quoted(entry)} is no line-up")
        line_up = tuple(whole(at, 0, players - 1) for at in entry[:-1])
        if len(set(line_up)) < len(line_up) or entry[-1] != _folder_name(*line_up):
            raise ValueError(f"{quoted(entry)} is no line-up")
        found.append(line_up)
    if len({len(line_up) for line_up in found}) != 1 or len(set(found)) < len(found):
        raise ValueError("its line-ups do not belong together")
    check_connected(found, players)
    return found


def tournament_with_divat(
    path: Path, result: TournamentResult, settings: Settings = STANDARD, watch: Watch | None = None
) -> TournamentResult:
    """The result of the tournament in `path` with every match assessed. `watch` is told hands done and all hands."""
    folders = [MatchFolder(path / _folder_name(*pair), match.spec) for pair, match in result.matches.items()]
    assessed = all_with_divat(list(zip(folders, result.matches.values())), settings, watch)
    return TournamentResult(result.names, dict(zip(result.matches, assessed)))


def _folder_name(*line_up: int) -> str:
    return "-".join(f"{player + 1:02}" for player in line_up)


def default_tournament_folder(path: Path, spec: TournamentSpec) -> Path:
    """Where a tournament goes if nobody says where: `path`, or with a number after it where another one lies there."""
    return first_fit(path, lambda folder: is_vacant(folder) or _pairs_in(folder, spec) is not None)


def match_folders(path: Path) -> list[Path]:
    """The match folders of the tournament in `path`; none if there is no tournament."""
    return sorted(each for each in path.glob("*-*") if is_match(each)) if is_tournament(path) else []


def _manifest(spec: TournamentSpec) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "names": list(spec.names),
        "bots": [player_of(bot).text for bot in spec.bots],
        "pairs" if spec.game.seats == 2 else "line_ups": [[*each, _folder_name(*each)] for each in spec.matches],
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


def _folders(path: Path, spec: TournamentSpec) -> dict[LineUp, MatchFolder]:
    """The folders of all line-ups, new or begun.

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
