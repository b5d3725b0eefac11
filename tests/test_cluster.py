"""Work on a Ray cluster of two nodes: the same bytes, whoever is killed."""

from __future__ import annotations

import faulthandler
import filecmp
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from benchmarks.two_nodes import two_nodes

from railbird.bots.exploiting import exploitability
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.ray_cluster import Cluster

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a cluster of two nodes needs Linux")
LIMIT_SECONDS = 120
BOT = """
import railbird as rb
from {name}_helper import EDGE

class Edgy(rb.Bot):
    def act(self, view):
        if view.hand_number == 30:
            raise ValueError("thirty")
        return rb.CALL if view.hand_number % EDGE else rb.RAISE
"""


@pytest.fixture(scope="module")
def nodes():
    with two_nodes() as found:
        yield found


@pytest.fixture
def cluster(nodes):
    faulthandler.dump_traceback_later(2 * LIMIT_SECONDS, exit=True)  # rather than wait for ever
    yield Cluster(nodes.address)
    faulthandler.cancel_dump_traceback_later()


def assert_same(there: Path, here: Path):
    """All but what bots printed, of which the last lines may be on their way when the last hand is home."""
    names, found = (sorted(path.name for path in each.iterdir() if path.suffix != ".txt") for each in (here, there))
    assert found == names
    assert filecmp.cmpfiles(there, here, names, shallow=False) == (names, [], [])


def test_a_bot_from_a_file_travels_and_the_match_has_the_same_bytes(tmp_path, cluster):
    (tmp_path / "edgy.py").write_text(BOT.format(name="edgy"))
    (tmp_path / "edgy_helper.py").write_text("EDGE = 3\n")
    bots = (f"{tmp_path / 'edgy.py'}:Edgy", "expert", "always-call")
    spec = MatchSpec(limit_holdem(3), bots, 40, 3, duplicate=True, block_hands=20)
    there = run_matches([MatchFolder.create(tmp_path / "there", spec)], cluster)
    here = run_matches([MatchFolder.create(tmp_path / "here", spec)], 1)
    assert [match.to_json() for match in there] == [match.to_json() for match in here]
    assert_same(tmp_path / "there", tmp_path / "here")


def test_best_responses_are_the_same(cluster):
    found = exploitability("always-call", flops=2, on=cluster.address)
    assert found == exploitability("always-call", flops=2, workers=1)


def test_a_bot_made_in_this_process_cannot_travel(tmp_path, cluster):
    from railbird.bots.simple import AlwaysCall

    spec = MatchSpec(limit_holdem(), (AlwaysCall(), "always-raise"), 10, 3)
    with pytest.raises(MatchError, match="cannot play on a cluster"):
        run_matches([MatchFolder.create(tmp_path / "m", spec)], cluster)


def test_a_driver_is_killed_and_the_same_command_goes_on(tmp_path, nodes):
    asked = ["match", "jagbot", "always-call", "--hands", "1500", "--seed", "3", "--no-divat"]
    command = [sys.executable, "-m", "railbird", *asked, "--out", "there", "--on", nodes.address]
    driver = subprocess.Popen(
        command, cwd=tmp_path, env=nodes.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: b"STATE" in log_of(tmp_path / "there"), driver)
    finally:
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    kept = log_of(tmp_path / "there")
    subprocess.run(command, cwd=tmp_path, env=nodes.environment, check=True, timeout=LIMIT_SECONDS, capture_output=True)
    assert log_of(tmp_path / "there").startswith(kept[: kept.rindex(b"\n")])
    here = [sys.executable, "-m", "railbird", *asked, "--out", "here"]
    subprocess.run(here, cwd=tmp_path, env=nodes.environment, check=True, timeout=LIMIT_SECONDS, capture_output=True)
    assert_same(tmp_path / "there", tmp_path / "here")


def test_a_node_is_killed_and_its_hands_are_played_elsewhere(tmp_path, nodes, cluster):
    specs = [
        MatchSpec(limit_holdem(), ("expert", "always-call"), 400, 3, block_hands=20),
        MatchSpec(limit_holdem(), ("hobbybot", "always-call"), 120, 3, block_hands=10),
    ]
    killed = []

    def kill_once(done: int, total: int, _detail: str = "", /) -> None:
        if not killed and 0 < done < total:
            killed.append(done)
            nodes.kill_a_node()

    try:
        there = [MatchFolder.create(tmp_path / f"there-{at}", spec) for at, spec in enumerate(specs)]
        run_matches(there, cluster, kill_once)
    finally:
        if killed:
            nodes.add_a_node()
    assert killed
    run_matches([MatchFolder.create(tmp_path / f"here-{at}", spec) for at, spec in enumerate(specs)], 1)
    for at in range(len(specs)):
        assert_same(tmp_path / f"there-{at}", tmp_path / f"here-{at}")


def log_of(folder: Path) -> bytes:
    logs = sorted(folder.glob("hands*.log"))
    return logs[0].read_bytes() if logs else b""


def wait_for(is_there, process: subprocess.Popen[bytes]) -> None:
    until = monotonic() + LIMIT_SECONDS
    while not is_there():
        assert process.poll() is None
        assert monotonic() < until
        sleep(0.02)
