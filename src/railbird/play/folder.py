"""A match on disk: a folder with a manifest and one log of hands for each leg.

    manifest.json    what was asked for: game, players, seeds, versions. Written first, whole or not at all; of a secret
                     match the commitment, and when it is over the key
    limit.game       the game as a competition game file, where that format can say it
    hands.log        the hands, a line each, in order (hands-01.log, hands-02.log, ... in duplicate)

Logs only ever grow, a block of hands at a time. After a crash whatever follows the last whole hand is cut off and
played again, which gives the same bytes as a run without a break. So does a match that goes on to more hands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from railbird.errors import InvalidGameError, MatchError
from railbird.files import locked, write_whole
from railbird.formats import acpc
from railbird.formats.games import game_from_json
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.json_files import Fields, read_json
from railbird.play.damage import Damage
from railbird.play.leg_log import HandLog
from railbird.play.manifest import (
    MANIFEST,
    Manifest,
    is_of,
    manifest_in,
    manifest_of,
    played_files,
    read_manifest,
    refuse_others,
)
from railbird.play.match import MatchSpec, seed_from_json
from railbird.play.match_result import MatchResult, in_order
from railbird.play.match_sums import LoggedDeals
from railbird.play.restarts import restarts_in
from railbird.play.secret_keys import forget_key, ready_seed
from railbird.play.set_aside import first_fit, set_aside
from railbird.randomness import SecretSeed


class MatchFolder:
    """A match folder, new or found. Use `MatchFolder.create` to play and `MatchFolder.open` to read."""

    def __init__(self, path: Path, spec: MatchSpec, hands: int = 0) -> None:
        self.path = path
        self.spec = spec
        self.hands = hands or spec.hands
        """How many hands the folder is for; the spec may ask for the first of them only."""

    @classmethod
    def create(cls, path: Path, spec: MatchSpec) -> MatchFolder:
        """The folder for a match: a new one, or one that this very match has begun.

        If a bot's file has changed since, the folder is kept under another name (`railbird.play.set_aside`). If the
        match is to have more hands, the folder will be for so many; if fewer, it stays as it is. A secret match gets
        its key here, a new one or the one that it was begun with.
        """
        asked = manifest_of(spec)
        if not is_match(path) and not is_vacant(path):
            raise MatchError(f"{str(path)!r} holds something else than a match; choose another folder with --out")
        hands = 0
        if is_match(path):
            begun = read_manifest(path)
            refuse_others(begun, asked, path)
            if begun["files"] != asked["files"]:
                set_aside(path, played_files, asked["files"], lambda back: is_of(back, asked), [path])
            if is_match(path):
                hands = cls._grown(path, asked)
        spec = spec.with_seed(ready_seed(spec.seed, [seed_from_json(read_manifest(path))] if is_match(path) else []))
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not is_match(path):
                _write_manifest(path, manifest_of(spec) if spec.is_secret else asked)
            game_file = path / f"{spec.game.name}.game"
            if not game_file.exists():
                with suppress(InvalidGameError):  # a game the format cannot say; the manifest can
                    write_whole(game_file, acpc.game_text(spec.game))
        except OSError as error:
            raise MatchError(f"cannot write to {str(path)!r}: {error.strerror}") from None
        return cls(path, spec, max(hands, spec.hands))

    @staticmethod
    def _grown(path: Path, asked: Manifest) -> int:
        """How many hands a folder is for, which are more than before if more are asked for."""
        begun: int = read_manifest(path)["hands"]
        if begun < asked["hands"]:
            with locked(path):
                manifest = read_manifest(path)
                _write_manifest(path, {**manifest, "hands": max(manifest["hands"], asked["hands"])})
        return begun

    @classmethod
    def open(cls, path: Path) -> MatchFolder:
        """The folder of a match that was begun or finished."""
        return cls(path, MatchSpec.from_json(read_manifest(path)))

    def log_path(self, leg: int) -> Path:
        legs = self.spec.seating.legs
        return self.path / ("hands.log" if legs == 1 else f"hands-{leg + 1:02}.log")

    def log(self, leg: int) -> HandLog:
        return HandLog(self.log_path(leg), self.spec, leg, self.hands)

    @property
    def known_hands(self) -> int:
        """How many hands can be read one by one, in all legs."""
        return sum(self.log(leg).known_hands for leg in range(self.spec.seating.legs))

    def logs(self) -> list[HandLog]:
        """The logs of all legs, looked at."""
        self.hands = max(self.hands, read_manifest(self.path)["hands"])
        found = [self.log(leg) for leg in range(self.spec.seating.legs)]
        for log in found:
            log.look()
        return found

    def records(self, leg: int, hands: int | None = None) -> Iterator[HandRecord]:
        """The hands of a leg, the first `hands` of them if given."""
        log = self.log(leg)
        found = log.look()
        return log.records(0, found if hands is None else min(found, hands))

    def past(self, leg: int, first: int) -> Iterator[HandRecord]:
        """The hands of a leg that bots must have seen before hand `first`, as `played_hands` takes them."""
        since = self._since(first)
        if since < first:
            yield from self._known_log(leg, first).records(since, first)

    def past_lines(self, leg: int, first: int) -> bytes:
        """The same as lines of the log."""
        since = self._since(first)
        return self._known_log(leg, first).text(since, first) if since < first else b""

    def _since(self, first: int) -> int:
        """The hand from which on bots must have seen all, before hand `first`."""
        return 0 if self.spec.learns else first - first % self.spec.block_hands

    def _known_log(self, leg: int, hands: int) -> HandLog:
        """The log of a leg, which has so many hands."""
        self.hands = max(self.hands, read_manifest(self.path)["hands"])
        log = self.log(leg)
        assert log.known_hands >= hands
        return log

    def result(self) -> MatchResult:
        """The result as far as the match has been played, the same hands from every leg."""
        logs = self.logs()
        deals = min(log.found for log in logs)
        faults = in_order(fault for log in logs for fault in log.faults)
        restarts = restarts_in(self.path, self.spec.names)
        result = MatchResult(self.spec, LoggedDeals(logs, deals), faults, folder=self.path, restarts=restarts)
        _ = result.money  # whatever happens to the logs from now on, the result is known
        return result

    def verify(self) -> list[Damage]:
        """What is damaged in the logs of the folder, each of which is read in full."""
        return [damage for leg in range(self.spec.seating.legs) for damage in self.log(leg).verify()]

    def publish_key(self) -> None:
        """Write the key of a secret match, which is over, into its manifest."""
        if isinstance(self.spec.seed, SecretSeed) and self.spec.seed.key:
            self.spec = self.spec.with_seed(self.spec.seed.published())
            manifest = read_manifest(self.path)
            if "key" not in manifest["secret"]:
                _write_manifest(self.path, {**manifest, "secret": self.spec.to_json()["secret"]})

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Held while the match is being played, so that two runs do not write the same logs."""
        with locked(self.path):
            if not is_of(self.path, manifest_of(self.spec)):
                raise MatchError(f"{str(self.path)!r}, or a bot, has changed meanwhile; give the command again")
            self.hands = max(self.hands, read_manifest(self.path)["hands"])
            yield


def publish_keys(folders: Sequence[MatchFolder]) -> None:
    """Tell the keys of secret matches that were played together and are all over."""
    for folder in folders:
        folder.publish_key()
    for folder in folders:
        if isinstance(folder.spec.seed, SecretSeed):
            forget_key(folder.spec.seed)


def is_match(path: Path) -> bool:
    """Whether a path is a match folder, whoever played it."""
    return (path / MANIFEST).is_file()


def folder_game(path: Path) -> Game:
    """The game of a match folder, also of one whose players are not to be had here."""
    file = path / MANIFEST
    try:
        return game_from_json(Fields(read_json(file), "the manifest")["game"])
    except OSError as error:
        raise MatchError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except ValueError:
        raise MatchError(
            f"{str(file)!r} is not the manifest of a Railbird match, or is damaged; say the game of the log with "
            "--game, as in --game limit"
        ) from None


def folder_logs(path: Path) -> list[Path]:
    """The logs of a match folder."""
    logs = sorted(path.glob("hands*.log"))
    if not logs:
        raise MatchError(f"the match in {str(path)!r} has no hands yet")
    return logs


def is_vacant(path: Path) -> bool:
    """Whether a folder may be used: it is not there, or holds nothing but what an interrupted write left."""
    try:
        return not path.exists() or all(entry.name.endswith(".part") for entry in path.iterdir())
    except OSError as error:
        raise MatchError(f"cannot use {str(path)!r}: {error.strerror}") from None


def default_folder(path: Path, spec: MatchSpec) -> Path:
    """Where a match goes if nobody says where: `path`, or with a number after it where another match lies there."""
    asked = manifest_of(spec)
    return first_fit(path, lambda folder: is_vacant(folder) or manifest_in(folder, asked) is not None)


def _write_manifest(path: Path, manifest: Manifest) -> None:
    write_whole(path / MANIFEST, json.dumps(manifest, indent=2) + "\n")
