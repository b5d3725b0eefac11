"""A process of a cluster that plays hands of matches whose folders are elsewhere."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from railbird.errors import MatchError
from railbird.play.blocks import Block
from railbird.play.clock import Clock
from railbird.play.folder import MatchFolder
from railbird.play.manifest import MANIFEST, played_files
from railbird.play.match import MatchSpec
from railbird.play.worker import CallLost, Task, Worker, blocks_of
from railbird.ray_cluster import refuse_other_code

_PREFIX = "railbird-node-"
_MOST_MATCHES = 4
"""Of so many matches the bots are kept ready."""
_WAIT_SECONDS = 0.2


class Sent(NamedTuple):
    """A file of a bot."""

    way: str
    """As it is asked for at home."""
    place: str
    """The way to it from the root there; files beside each other stay so."""
    content: bytes
    can_run: bool

    @classmethod
    def of(cls, file: Path) -> Sent:
        whole = file.absolute()
        return cls(str(file), str(whole.relative_to(whole.anchor)), file.read_bytes(), os.access(file, os.X_OK))

    def unpacked(self, folder: Path) -> str:
        """Write it below a folder; where it is then."""
        target = folder / os.path.normpath(self.place)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(self.content)
        target.chmod(0o700 if self.can_run else 0o600)
        return str(target)


@dataclass(frozen=True)
class Order:
    """What a node must have of a match, beside the tasks: the manifest, and the files of bots by the way to them."""

    manifest: bytes
    files: tuple[Sent, ...]

    @classmethod
    def of(cls, folder: MatchFolder) -> Order:
        """What to send of the match in a folder."""
        files = dict.fromkeys(file for player in folder.spec.players for file in player.files)
        return cls((folder.path / MANIFEST).read_bytes(), tuple(map(Sent.of, files)))


@dataclass
class Answer:
    """What was played of a job, or of a stream."""

    seconds: float = 0.0
    blocks: list[Block] = field(default_factory=list)
    done: int = 0
    """How many tasks are played to their end."""
    lost: CallLost | None = None
    """How the process of a bot was lost, if it was."""
    printed: dict[str, bytes] = field(default_factory=dict)
    """What bots printed meanwhile, by the names of the files that it goes to."""
    error: Exception | None = None


class Arrived:
    """A match that has arrived at this process, in a folder of its own."""

    def __init__(self, order: Order, spec: MatchSpec) -> None:
        self._home = Path(tempfile.mkdtemp(dir=scratch()))
        self.folder = self._home / "match"
        self.folder.mkdir()
        (self.folder / MANIFEST).write_bytes(order.manifest)
        places = {sent.way: sent.unpacked(self._home / "files") for sent in order.files}
        self.spec = spec.moved(places, self.folder)
        self._refuse_others()

    def _refuse_others(self) -> None:
        """Refuse bots that are not what they are at home."""
        expected, found = played_files(self.folder), [player.fingerprint() for player in self.spec.players]
        for name, here, there in zip(self.spec.names, found, expected):
            if here != there:
                raise MatchError(
                    f"{name} is another one on {socket.gethostname()} than at home: a file of it has changed, or "
                    "something that does not travel is not the same there"
                )

    def played(self, task: Task) -> Iterator[Block]:
        """Play a task; raises `CallLost` where the process of a bot is lost."""
        here = replace(task, spec=self.spec, folder=self.folder)
        if self.spec.has_foreign_code and not self.spec.is_boxed:
            yield from self._played_beside(here)
        else:
            yield from blocks_of(here, Clock())

    @cached_property
    def _desk(self) -> Worker:
        return Worker(iter(()))

    def _played_beside(self, task: Task) -> Iterator[Block]:
        """The same in a process that such bots may do as they like in."""
        desk = self._desk
        desk.begin(task)
        try:
            while True:
                if desk.connection.poll(_WAIT_SECONDS):
                    block = desk.heard()
                    if block is None:
                        return
                    yield block
                elif desk.is_stuck:
                    raise desk.lost("did not come back")
        except BaseException:
            self.end()
            raise

    @property
    def printed(self) -> dict[str, bytes]:
        """What bots have printed since this was asked last."""
        found = {}
        for file in self.folder.glob("*.output.txt"):
            sent = file.with_suffix(".sent")
            with suppress(OSError):
                file.replace(sent)
                found[file.name] = sent.read_bytes()
        return found

    def end(self) -> None:
        """End the processes that bots are in."""
        if "_desk" in vars(self):
            self._desk.end()
            del self._desk
        if "roster" in vars(self.spec):
            self.spec.roster.rest()

    def leave(self) -> None:
        """End, and leave nothing behind."""
        self.end()
        shutil.rmtree(self._home, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


@cache
def scratch() -> Path:
    """A folder of this process, which goes away with it; those that killed processes have left are removed."""
    place = Path(tempfile.gettempdir())
    for left in place.glob(f"{_PREFIX}*"):
        owner = left.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(left, ignore_errors=True)
    found = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place))
    atexit.register(shutil.rmtree, found, ignore_errors=True)
    sys.stdout = sys.stderr  # what bots print must not mix with Ray's own lines
    os.environ["RAILBIRD_PROGRESS"] = "no"  # who waits is told at home
    return found


_ARRIVED: dict[str, Arrived] = {}
"""The matches that have arrived at this process, the last one last."""


def _arrived(shared: tuple[Any], code: str, spec: MatchSpec) -> Arrived:
    """A match, whose manifest and files are fetched if they are not here yet."""
    import ray

    refuse_other_code(code)
    key = shared[0].hex()
    found = _ARRIVED.pop(key, None) or Arrived(ray.get(shared[0]), spec)
    _ARRIVED[key] = found
    while len(_ARRIVED) > _MOST_MATCHES:
        _ARRIVED.pop(next(iter(_ARRIVED))).leave()
    return found


def play_job(shared: tuple[Any], code: str, tasks: Sequence[Task]) -> Answer:
    """Play some tasks of a match."""
    answer = Answer()
    try:
        match = _arrived(shared, code, tasks[0].spec)
        since = monotonic()
        for task in tasks:
            answer.blocks += list(match.played(task))
            answer.done += 1
    except CallLost as lost:
        answer.lost = lost
    except Exception as error:
        answer.error = error
        return answer
    answer.seconds, answer.printed = monotonic() - since, match.printed
    return answer


class LearnerStream:
    """The rest of a leg, played by bots that learn: asked again and again for some seconds of it. After the end of one
    another may begin, in the same process."""

    def __init__(self) -> None:
        self._blocks: Iterator[Block] = iter(())

    def play(self, seconds: float, *begins: Any) -> Answer:
        """Go on for so long, at least for a block; where something begins it is told as to `play_job`, but one task."""
        answer = Answer()
        since = monotonic()
        try:
            if begins:
                shared, code, task = begins
                self._match = _arrived(shared, code, task.spec)
                self._blocks = self._match.played(task)
            for block in self._blocks:
                answer.blocks.append(block)
                if monotonic() - since >= seconds:
                    break
            else:
                answer.done = 1
            answer.printed = self._match.printed
        except CallLost as lost:
            answer.lost = lost
        except Exception as error:
            answer.error = error
        answer.seconds = monotonic() - since
        return answer
