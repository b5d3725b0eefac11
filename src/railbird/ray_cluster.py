"""A Ray cluster as a place of work. Ray is imported when a cluster is asked for, and nowhere else.

What goes out has a key, by which its result is known when it comes home. A place that is lost with what it worked on
(a node died, a process was killed) is told as `Lost`: whoever sent the work sends it again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import socket
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from time import monotonic
from types import ModuleType
from typing import Any

from railbird.errors import RailbirdError
from railbird.numbers import quoted
from railbird.pacing import Pace, job_seconds

HERE = "ray"
"""Asks for the cluster that this machine is in."""
MISSING = "a cluster needs Ray: pip install 'railbird[cluster]'"
_ADDRESS = re.compile(r"(ray://)?(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})")
_PATIENCE_SECONDS = 5.0
JOIN_SECONDS = 60.0
"""After so long whoever wants to join a cluster is told that it cannot; Ray itself would try again and again, for many
minutes."""
_LOOK_SECONDS = 1.0
"""So often the number of places is looked up."""
_PLAYED_BY = (".py", ".cu", ".csv", ".json", ".npy", ".npz", ".xz")
"""How the names of files end from which it follows how Railbird plays: source, kernels of a GPU, tables."""
MOST_LOSSES = 3
"""So often the same work may be lost."""


_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # A place stays ours from job to job. By default it is given back after half a second and asked for again, which
    # takes a tenth of a second on other nodes than the driver's.
    "RAY_worker_lease_timeout_milliseconds": "60000",
}
_TALKERS = ("ray", "ray._private.worker", "ray.client_builder")
"""Those parts of Ray that tell on the terminal how a process joins."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_LOOPBACK_SETTING = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""With 0 Ray means by an address of this machine alone just that, and not the one that others know it by, at which a
cluster of this machine alone does not listen."""


class Lost(Exception):
    """A place was lost with the work that it had."""


@dataclass(frozen=True)
class Cluster:
    """A cluster by its address: "ray" for the one that this machine is in, HOST:PORT, or ray://HOST:PORT."""

    address: str
    most: int | None = None
    """So many places are used at most."""

    def __post_init__(self) -> None:
        if self.address != HERE and not _ADDRESS.fullmatch(self.address):
            raise RailbirdError(
                f"no cluster {quoted(self.address)}; it is ray for the one this machine is in, or an address as in "
                "10.0.0.1:6379 or ray://10.0.0.1:10001"
            )

    def join(self) -> None:
        """Connect to the cluster, if that is not done yet; refuses what cannot be reached."""
        ray = _ray(self.address)
        if ray.is_initialized():
            return
        if self.address != HERE:
            _refuse_silent(self.address, ray)
        asked = "auto" if self.address == HERE else self.address
        quiet = {} if asked.startswith("ray://") else {"log_to_driver": False, "logging_level": logging.CRITICAL}
        for name in _TALKERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what becomes of nodes is told by whoever sends work
        try:
            _within(JOIN_SECONDS, lambda: ray.init(address=asked, **quiet))
        except TimeoutError:
            is_here = self.address == HERE
            where = "that this machine is in" if is_here else f"at {self.address}"
            raise RailbirdError(
                f"the cluster {where} did not let this process in for {JOIN_SECONDS:.0f} s; look whether it is well "
                "with: ray status"
                + ("; of one that is of this machine alone give the address: --on 127.0.0.1:PORT" if is_here else "")
            ) from None
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            if self.address == HERE:
                raise RailbirdError(
                    "this machine is in no Ray cluster; begin one with: ray start --head, or give --on HOST:PORT"
                ) from None
            raise RailbirdError(f"cannot join the cluster at {self.address}: {str(error).splitlines()[0]}") from None
        logging.getLogger("ray").setLevel(logging.CRITICAL)  # which Ray has set itself

    def errands(self) -> Errands:
        """Work that is sent out from now on."""
        self.join()
        return Errands(_ray(), self.most)


def _ray(address: str = HERE) -> ModuleType:
    settings = {**_SETTINGS, _LOOPBACK_SETTING: "0"} if _host_and_port(address)[0] in _LOOPBACK else _SETTINGS
    for name, value in settings.items():
        os.environ.setdefault(name, value)  # Ray reads them when it is imported
    try:
        return import_module("ray")
    except ImportError:
        raise RailbirdError(MISSING) from None


def _host_and_port(address: str) -> tuple[str, int]:
    found = _ADDRESS.fullmatch(address)
    return (found[2].strip("[]"), int(found[3])) if found else ("", 0)


def _refuse_silent(address: str, ray: ModuleType) -> None:
    """Refuse an address at which nobody listens; Ray itself would try for minutes."""
    host, port = _host_and_port(address)
    if why := _silence(host, port):
        raise RailbirdError(f"no cluster at {address}: {why}")
    if host not in _LOOPBACK or address.startswith("ray://"):
        return
    looks_at = ray.util.get_node_ip_address()
    if looks_at != host and _silence(looks_at, port):
        raise RailbirdError(
            f"the cluster at {address} is of this machine alone, and Ray, which was imported before, looks for it at "
            f"{looks_at}; set {_LOOPBACK_SETTING}=0 before Ray is imported"
        )


def _silence(host: str, port: int) -> str:
    """Why an address cannot be reached; nothing if it can."""
    try:
        socket.create_connection((host, port), _PATIENCE_SECONDS).close()
    except (OSError, OverflowError) as error:
        return getattr(error, "strerror", None) or "it cannot be reached"
    return ""


def _within(seconds: float, work: Callable[[], object]) -> None:
    """Do what may never come back, and wait so long for it at most."""
    done: Future[object] = Future()

    def do() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=do, daemon=True).start()
    done.result(seconds)


@dataclass(eq=False)
class Errands:
    """Work that is out, and its results as they come home."""

    ray: ModuleType
    most: int | None = None
    pace: Pace = field(default_factory=Pace)
    _out: dict[Any, Hashable] = field(default_factory=dict)
    """By Ray's reference to a result, its key."""
    _remote: dict[Callable[..., Any], Any] = field(default_factory=dict)
    _places: int = 1
    _looked: float = -_LOOK_SECONDS

    @property
    def places(self) -> int:
        """How many can work at once: the cores of all nodes that there are now."""
        if monotonic() - self._looked >= _LOOK_SECONDS:
            self._looked = monotonic()
            found = int(self.ray.cluster_resources().get("CPU", 0))
            self._places = max(1, min(found, self.most or found))
        return self._places

    @property
    def count(self) -> int:
        """How many are out."""
        return len(self._out)

    def fitting(self, kind: object, left_seconds: float) -> int:
        """How much work of a kind fits into a job, if so much is left in all; 1 while it is not known how long it
        takes."""
        each = self.pace.unit_seconds.get(kind)
        if each is None:
            return 1
        return max(1, int(job_seconds(self.places, self.pace.home_seconds, left_seconds) / max(each, 1e-9)))

    def shared(self, value: object) -> Any:
        """Something that many need, sent to each node once. It is passed within a tuple."""
        return self.ray.put(value)

    def send(self, key: Hashable, work: Callable[..., Any], *given: Any) -> None:
        """Let anybody do some work, a function of a module."""
        if work not in self._remote:
            self._remote[work] = self.ray.remote(num_cpus=1, max_retries=0)(work)
        with self.pace.job():
            self._out[self._remote[work].remote(*given)] = key

    def begin_stream(self, kind: type, *given: Any) -> Any:
        """An object that lives at one place; what it is asked is done in order."""
        return self.ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(kind).remote(*given)

    def ask(self, key: Hashable, stream: Any, method: str, *given: Any) -> None:
        """Let a stream do something."""
        self._out[getattr(stream, method).remote(*given)] = key

    def end_stream(self, stream: Any) -> None:
        """End a stream, and its place is free."""
        self.ray.kill(stream)

    def home(self, seconds: float) -> Iterator[tuple[Hashable, Any]]:
        """What has come home, after waiting so long at most: keys, and results or `Lost`."""
        if not self._out:
            return
        ready, _ = self.ray.wait(list(self._out), num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self.ray.wait(list(self._out), num_returns=len(self._out), timeout=0)
        for reference in ready:
            key = self._out.pop(reference)
            try:
                with self.pace.job():
                    found = self.ray.get(reference)
            except self.ray.exceptions.RayTaskError as error:
                raise RailbirdError(
                    f"a node of the cluster failed: {str(error.cause or error).splitlines()[-1]}"
                ) from None
            except self.ray.exceptions.RayError as error:
                found = Lost(str(error).split("\n")[0])
            yield key, found

    def give_up(self) -> None:
        """Nobody wants any more what is out."""
        for reference in self._out:
            with suppress(Exception):  # it has ended meanwhile
                self.ray.cancel(reference, force=True)
        self._out.clear()


@cache
def code_hash() -> str:
    """A hash of Railbird's own source and of the tables that ship: all nodes must have the same, or they would play
    otherwise."""
    return folder_hash(Path(__file__).parent)


def folder_hash(home: Path) -> str:
    """A hash of all files below a folder from which it follows how Railbird plays."""
    total = hashlib.sha256()
    for file in sorted(home.rglob("*")):
        if file.suffix in _PLAYED_BY:
            total.update(f"{file.relative_to(home).as_posix()}\n".encode())
            total.update(file.read_bytes())
    return total.hexdigest()


def refuse_other_code(expected: str) -> None:
    """Refuse to work where Railbird is another one than at home."""
    if code_hash() != expected:
        raise RailbirdError(
            f"{socket.gethostname()} has another Railbird than this machine; install the same on all nodes"
        )
