"""A match on disk: a folder with a manifest and one log of hands for each leg.

    manifest.json    what was asked for: game, players, seeds, versions. Written first, whole or not at all
    limit.game       the game as a competition game file, where that format can say it
    hands.log        the hands, a line each, in order (hands-01.log, hands-02.log, ... in duplicate)

Logs only ever grow, a block of hands at a time. After a crash whatever follows the last whole block is cut off and
played again, which gives the same bytes as a run without a break.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError, InvalidRecordError, MatchError
from railbird.files import write_whole
from railbird.formats import acpc
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.match import MatchSpec, game_from_json
from railbird.play.match_result import MatchResult, joined

SCHEMA = "railbird.match-folder/1"
MANIFEST = "manifest.json"


class MatchFolder:
    """A match folder, new or found. Use `MatchFolder.create` to play and `MatchFolder.open` to read."""

    def __init__(self, path: Path, spec: MatchSpec) -> None:
        self.path = path
        self.spec = spec

    @classmethod
    def create(cls, path: Path, spec: MatchSpec) -> MatchFolder:
        """The folder for a match: a new one, or one that this very match has begun."""
        manifest = _manifest(spec)
        file = path / MANIFEST
        if file.exists():
            _refuse_changes(_read_manifest(file), manifest, path)
        elif not is_vacant(path):
            raise MatchError(f"{str(path)!r} holds something else than a match; choose another folder with --out")
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                write_whole(file, json.dumps(manifest, indent=2) + "\n")
            game_file = path / f"{spec.game.name}.game"
            if not game_file.exists():
                with suppress(InvalidGameError):  # a game the format cannot say; the manifest can
                    write_whole(game_file, acpc.game_text(spec.game))
        except OSError as error:
            raise MatchError(f"cannot write to {str(path)!r}: {error.strerror}") from None
        return cls(path, spec)

    @classmethod
    def open(cls, path: Path) -> MatchFolder:
        """The folder of a match that was begun or finished."""
        return cls(path, MatchSpec.from_json(_read_manifest(path / MANIFEST)))

    def log_path(self, leg: int) -> Path:
        legs = self.spec.seating.legs
        return self.path / ("hands.log" if legs == 1 else f"hands-{leg + 1:02}.log")

    def log(self, leg: int) -> HandLog:
        return HandLog(self.log_path(leg), self.spec, leg)

    def records(self, leg: int, hands: int | None = None) -> Iterator[HandRecord]:
        """The hands of a leg, the first `hands` of them if given."""
        for record in acpc.read_log(self.log_path(leg), self.spec.game):
            if hands is not None and record.number >= hands:
                return
            yield record

    def result(self) -> MatchResult:
        """The result as far as the match has been played, the same hands from every leg."""
        blocks, faults = [], []
        for leg in range(self.spec.seating.legs):
            log = self.log(leg)
            won = log.scan(whole_blocks=False)
            blocks.append([won])
            faults += log.faults
        return MatchResult(self.spec, joined(blocks, len(self.spec.bots)), tuple(faults), folder=self.path)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Held while the match is being played, so that two runs do not write the same logs."""
        try:
            import fcntl
        except ImportError:  # not on this system: do without
            yield
            return
        with (self.path / MANIFEST).open("rb") as manifest:
            try:
                fcntl.flock(manifest, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise MatchError(f"{str(self.path)!r} is being played by another process") from None
            yield


class HandLog:
    """One growing log of hands."""

    def __init__(self, path: Path, spec: MatchSpec, leg: int) -> None:
        self.path = path
        self.spec = spec
        self.leg = leg
        self.header = (
            f"{acpc.header('_v_'.join(spec.names), spec.game.name + '.game', spec.hands, spec.seed)}\n"
            f"# stream {leg + 1} of {spec.seating.legs}: {spec.seating.description}\n"
        ).encode()
        self.faults: list[str] = []
        self.is_finished = False
        self._names = {order: [spec.names[player] for player in order] for order in spec.seating.rows}
        self._totals = np.zeros(len(spec.bots), np.int64)
        self._hands = 0
        self._end = 0

    def scan(self, whole_blocks: bool = True) -> NDArray[np.int64]:
        """Chips by hand and player of the hands in the log; a torn end is ignored, anything else wrong is refused.

        With `whole_blocks` only those of complete blocks, which is where `open` will go on.
        """
        spec = self.spec
        data = self.path.read_bytes() if self.path.exists() else b""
        self.faults, self.is_finished, self._end, self._hands = [], False, 0, 0
        won: list[list[int]] = []
        if len(data) < len(self.header):
            if not self.header.startswith(data):
                raise MatchError(f"{self.path}:1: not a log of this match")
            return np.empty((0, len(spec.bots)), np.int64)
        if not data.startswith(self.header):
            raise MatchError(f"{self.path}:1: not a log of this match: it begins {data[:60]!r}")
        block = spec.block_hands if whole_blocks else 1
        pending: list[str] = []
        faults: list[str] = []
        position = len(self.header)
        self._end = position
        line_number = self.header.count(b"\n")
        while (at := data.find(b"\n", position)) >= 0:
            line = data[position:at]
            position = at + 1
            line_number += 1
            if line.startswith(b"#"):
                pending.append(line[1:].decode(errors="replace").strip())
                continue
            if line.startswith(b"SCORE:"):
                self._check_score(line, won, line_number)
                self.is_finished, self._end = True, position
                break
            won.append(self._payoffs(line, len(won), line_number))
            faults += pending
            pending = []
            if len(won) % block == 0 or len(won) == spec.hands:
                self._end, self._hands, self.faults = position, len(won), list(faults)
        if self.is_finished and (position != len(data) or len(won) != spec.hands):
            raise MatchError(f"{self.path}:{line_number}: the SCORE line is not the end of the match")
        return np.array(won[: self._hands], np.int64).reshape(-1, len(spec.bots))

    def open(self) -> NDArray[np.int64]:
        """Make ready to append: cut off a torn end and return what `scan` returns."""
        won = self.scan()
        self._totals = won.sum(axis=0, dtype=np.int64)
        if not self.is_finished:
            with self.path.open("ab") as file:
                file.truncate(self._end)
                if self._end == 0:
                    file.write(self.header)
            if self._hands == self.spec.hands:
                self._finish()
        return won

    def append(self, text: bytes, won: NDArray[np.int64]) -> None:
        """Add a block of hands; after the last one the SCORE line."""
        self._totals += won.sum(axis=0, dtype=np.int64)
        self._hands += len(won)
        with self.path.open("ab") as file:
            file.write(text)
        if self._hands == self.spec.hands:
            self._finish()

    def _finish(self) -> None:
        with self.path.open("ab") as file:
            file.write((acpc.score_line(self._totals.tolist(), self.spec.names) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())
        self.is_finished = True

    def _payoffs(self, line: bytes, number: int, line_number: int) -> list[int]:
        """Chips by player of hand `number`, whose line must be this one."""
        order = self.spec.seating.order(self.leg, number)
        hand = None
        with suppress(UnicodeDecodeError, InvalidRecordError):
            hand = acpc.StateLine.parse(line.decode())
        if hand is None or hand.number != number or hand.names != self._names[order]:
            found = line[:60].decode(errors="replace")
            raise MatchError(f"{self.path}:{line_number}: not hand {number} of this match: {found!r}")
        try:
            payoffs = hand.payoffs()
        except InvalidRecordError as error:
            raise MatchError(f"{self.path}:{line_number}: {error}") from None
        if len(payoffs) != len(order) or sum(payoffs) != 0:
            raise MatchError(f"{self.path}:{line_number}: the payoffs {'|'.join(hand.won)!r} are wrong")
        won = [0] * len(order)
        for player, chips in zip(order, payoffs):
            won[player] = chips
        return won

    def _check_score(self, line: bytes, won: Sequence[Sequence[int]], line_number: int) -> None:
        totals = np.array(won, np.int64).reshape(-1, len(self.spec.bots)).sum(axis=0)
        expected = acpc.score_line(totals.tolist(), self.spec.names).encode()
        if line != expected:
            raise MatchError(f"{self.path}:{line_number}: the hands give {expected.decode()!r}, not this SCORE line")


def is_match(path: Path) -> bool:
    """Whether a path is a match folder, whoever played it."""
    return (path / MANIFEST).is_file()


def folder_game(path: Path) -> Game:
    """The game of a match folder, also of one whose players are not to be had here."""
    file = path / MANIFEST
    try:
        return game_from_json(json.loads(file.read_text(encoding="utf-8"))["game"])
    except OSError as error:
        raise MatchError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError):
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


def _manifest(spec: MatchSpec) -> dict[str, Any]:
    versions = {name: version(name) for name in ("railbird", "numpy", "numba")}
    return {
        "schema": SCHEMA,
        "versions": {**versions, "python": platform.python_version()},
        **spec.to_json(),
        "files": [bot.fingerprint() for bot in spec.players],
    }


def _read_manifest(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MatchError(f"no match in {str(file.parent)!r}: there is no manifest.json") from None
    except OSError as error:
        raise MatchError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise MatchError(f"{file} is damaged: {error}") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise MatchError(f"{file} is not a match of this version (schema {SCHEMA})")
    return data


def _refuse_changes(begun: dict[str, Any], asked: dict[str, Any], path: Path) -> None:
    """A match goes on only as it was begun."""
    version_then = begun.get("versions", {}).get("railbird", "of another kind")
    if version_then != asked["versions"]["railbird"]:
        raise MatchError(
            f"{str(path)!r} was begun with railbird {version_then}, this is {asked['versions']['railbird']}; "
            "choose another folder with --out"
        )
    asked = json.loads(json.dumps(asked))
    for key in ("game", "players", "hands", "seed", "duplicate", "decision_seconds", "files", "block_hands"):
        if begun.get(key) != asked[key]:
            what = f"{key} {begun.get(key)} (now {asked[key]})"
            if key in ("game", "players"):
                what = f"other {key}" if key == "players" else "another game"
            elif key == "files":
                what = "a bot's file has changed since"
            raise MatchError(f"{str(path)!r} holds a match with other settings: {what}; choose another --out")
