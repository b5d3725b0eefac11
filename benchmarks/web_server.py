"""`railbird serve` in processes of its own: started with a folder and a port of its own, and watched from outside."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory
from time import monotonic, sleep

_START_SECONDS = 120.0
_TICKS = os.sysconf("SC_CLK_TCK")


class WebServer:
    """A server, what it takes of the machine, and where it keeps its hands."""

    def __init__(self, process: int, port: int, home: Path) -> None:
        self.process, self.port, self.home = process, port, home
        self.address = f"http://127.0.0.1:{port}"

    @property
    def processes(self) -> list[int]:
        """The server and all that it has started."""
        return [self.process, *_children(self.process)]

    @property
    def memory_mb(self) -> float:
        """The memory of all its processes, shared pages once."""
        return sum(_told(each, "smaps_rollup", r"^Pss:\s+(\d+)") for each in self.processes) / 1024

    @property
    def resident_mb(self) -> float:
        """The memory that each of its processes has, summed: what they share is counted in each."""
        return sum(_told(each, "status", r"^VmRSS:\s+(\d+)") for each in self.processes) / 1024

    @property
    def threads(self) -> int:
        return sum(_told(each, "status", r"^Threads:\s+(\d+)") for each in self.processes)

    @property
    def files(self) -> int:
        """Files and sockets that are open."""
        return sum(len(os.listdir(f"/proc/{each}/fd")) for each in self.processes)

    def cpu_seconds(self) -> dict[int, float]:
        """CPU seconds of each process so far."""
        return {each: _cpu_seconds(each) for each in self.processes}

    def wait_until_there(self) -> None:
        """Wait for the first answer."""
        deadline = monotonic() + _START_SECONDS
        while True:
            try:
                self.get("/")
                return
            except ConnectionRefusedError:
                if monotonic() > deadline:
                    raise
                sleep(0.02)

    def wait_until_at_rest(self) -> None:
        """Wait until it does nothing any more: all that is loaded beforehand has been."""
        deadline = monotonic() + _START_SECONDS
        before, still = -1.0, 0
        while monotonic() < deadline and still < 4:
            now = sum(self.cpu_seconds().values())
            still = still + 1 if now - before < 0.03 else 0
            before = now
            sleep(0.5)

    def get(self, path: str, **headers: str) -> bytes:
        """What is at a path, over a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=_START_SECONDS)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            found = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return found


@contextmanager
def web_server(rests: bool = True, **environment: str) -> Iterator[WebServer]:
    """A server until it is needed no more; with `rests` it has loaded by then what it loads beforehand."""
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        command = [sys.executable, "-m", "railbird", "serve", str(home), "--no-browser", "-p", str(port)]
        env = os.environ | {"RAILBIRD_STATE": f"{folder}/state"} | environment
        server = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
        try:
            found = WebServer(server.pid, port, home)
            found.wait_until_there()
            if rests:
                found.wait_until_at_rest()
            yield found
        finally:
            server.terminate()
            server.wait()


def _children(process: int) -> list[int]:
    told = Path(f"/proc/{process}/task/{process}/children")
    mine = [int(each) for each in told.read_text().split()] if told.exists() else []
    return [each for child in mine for each in (child, *_children(child))]


def _told(process: int, file: str, wanted: str) -> int:
    """A number that the system tells of a process; none of one that has just ended."""
    try:
        found = re.search(wanted, Path(f"/proc/{process}/{file}").read_text(), re.M)
    except OSError:
        return 0
    return int(found[1]) if found else 0


def _cpu_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
