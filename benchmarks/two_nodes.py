"""A Ray cluster of two nodes of one core each on this machine, for tests and measurements.

It lives in a process of its own (`python -m benchmarks.two_nodes`), bound to 127.0.0.1, without a dashboard, with a
small object store and a folder for its files that goes away with it. Whoever started it tells it what to do by lines;
when nobody does any more, it ends.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer

SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # addresses of this machine alone
}
STORE_BYTES = 80_000_000
START_SECONDS = 120.0
END_SECONDS = 30.0
_ROOT = Path(__file__).parent.parent


class TwoNodes:
    """A cluster that runs. Whoever works on it does so in a process that is started with its environment."""

    def __init__(self, folder: Path) -> None:
        self.environment = {**os.environ, **SETTINGS, "RAY_TMPDIR": str(folder)}
        paths = [str(_ROOT / "src"), str(_ROOT), os.environ.get("PYTHONPATH", "")]
        self.environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.two_nodes"],
            cwd=_ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        try:
            self.address = self._told()
        except BaseException:
            self.end()
            raise

    def kill_a_node(self) -> None:
        """Kill a node with all that runs on it."""
        self._tell("kill")

    def add_a_node(self) -> None:
        """Add a node of one core."""
        self._tell("add")

    def end(self) -> None:
        """End the cluster, and whatever is left of it."""
        with suppress(OSError, subprocess.TimeoutExpired):
            self._process.communicate("end\n", END_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _tell(self, what: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{what}\n")
        self._process.stdin.flush()
        self._told()

    def _told(self) -> str:
        assert self._process.stdout is not None
        late = Timer(START_SECONDS, self._process.kill)
        late.start()
        try:
            line = self._process.stdout.readline().strip()
        finally:
            late.cancel()
        if not line:
            raise RuntimeError("the cluster of two nodes did not start")
        return line


@contextmanager
def two_nodes() -> Iterator[TwoNodes]:
    """A cluster for as long as it is used; its address is `TwoNodes.address`."""
    folder = Path(tempfile.mkdtemp(prefix="rb-ray-"))  # short: the names of sockets have a limit
    try:
        nodes = TwoNodes(folder)
        try:
            yield nodes
        finally:
            nodes.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Start the cluster and do as told, until the end."""
    from ray.cluster_utils import Cluster

    place = {"object_store_memory": STORE_BYTES, "include_dashboard": False, "node_ip_address": "127.0.0.1"}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **place})
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES) for _ in range(2)]
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line == "end\n":
            break
        if line == "kill\n":
            cluster.remove_node(nodes.pop(), allow_graceful=False)
        else:
            nodes.append(cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES))
        print("done", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
