"""Work on a Ray cluster of two nodes: the same bytes, whoever is killed.

All that has to do with Ray happens in other processes, which have so much time and no more: nothing that becomes of Ray
can stop the tests, and nothing that these tests do becomes known to others.
"""

from __future__ import annotations

import filecmp
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest
from benchmarks.two_nodes import TwoNodes, two_nodes

from railbird import compare_bots, filling, find_gain, play_tournament
from railbird.assess.class_tables import computed_codes
from railbird.assess.settings import parse_settings
from railbird.bots.exploiting import exploitability
from railbird.errors import MatchError, RailbirdError
from railbird.game.spec import limit_holdem
from railbird.papers.catalogue import run_study
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.ray_cluster import Cluster
from railbird.workforce import asked_workforce

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


class Drivers:
    """Processes of a test that work on a cluster; together they have so much time."""

    def __init__(self, nodes: TwoNodes, path: Path) -> None:
        self.nodes, self.path = nodes, path
        self._until = monotonic() + LIMIT_SECONDS
        self.environment = {**nodes.environment, "RAILBIRD_PROGRESS": "no"}
        paths = [str(Path(__file__).parent), self.environment["PYTHONPATH"]]
        self.environment["PYTHONPATH"] = os.pathsep.join(paths)

    @contextmanager
    def python(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A process of Python's own; it and all that it started are ended at the end."""
        with (self.path / "said.txt").open("w") as said:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=self.path,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def calling(self, function: Callable[[str], None]) -> AbstractContextManager[subprocess.Popen[bytes]]:
        """A process that calls a function of this file with the address of the cluster."""
        return self.python("-c", f"import test_cluster; test_cluster.{function.__name__}({self.nodes.address!r})")

    def call(self, function: Callable[[str], None]) -> str:
        """What a function of this file says, which a process calls."""
        with self.calling(function) as process:
            return self.end_well(process)

    def railbird(self, *arguments: str) -> str:
        """What the command said."""
        with self.python("-m", "railbird", *arguments) as process:
            return self.end_well(process)

    def end_well(self, process: subprocess.Popen[bytes]) -> str:
        """Wait for a process; what it said."""
        code = process.wait(max(0.0, self._until - monotonic()))
        said = (self.path / "said.txt").read_text()
        assert code == 0, said
        return said

    def wait_for(self, is_there: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
        """Wait until something has become of what a process does."""
        while not is_there():
            assert process.poll() is None, (self.path / "said.txt").read_text()
            assert monotonic() < self._until, "it takes too long"
            sleep(0.02)


@pytest.fixture
def drivers(tmp_path, nodes):
    return Drivers(nodes, tmp_path)


def assert_same(there: Path, here: Path):
    """All but what bots printed, of which the last lines may be on their way when the last hand is home."""
    names, found = (
        sorted(path.name for path in each.iterdir() if path.is_file() and path.suffix != ".txt")
        for each in (here, there)
    )
    assert found == names
    assert filecmp.cmpfiles(there, here, names, shallow=False) == (names, [], [])


def play_there_and_here(address: str) -> None:
    bots = (f"{Path('edgy.py').resolve()}:Edgy", "expert", "always-call")
    spec = MatchSpec(limit_holdem(3), bots, 40, 3, duplicate=True, block_hands=20)
    there = run_matches([MatchFolder.create(Path("there"), spec)], Cluster(address))
    here = run_matches([MatchFolder.create(Path("here"), spec)], 1)
    assert [match.to_json() for match in there] == [match.to_json() for match in here]


def test_a_bot_from_a_file_travels_and_the_match_has_the_same_bytes(tmp_path, drivers):
    (tmp_path / "edgy.py").write_text(BOT.format(name="edgy"))
    (tmp_path / "edgy_helper.py").write_text("EDGE = 3\n")
    drivers.call(play_there_and_here)
    assert_same(tmp_path / "there", tmp_path / "here")


def respond_there_and_here(address: str) -> None:
    found = exploitability("always-call", flops=2, on=address)
    assert found == exploitability("always-call", flops=2, workers=1)


def test_best_responses_are_the_same(drivers):
    drivers.call(respond_there_and_here)


def learn_there_and_here(address: str) -> None:
    """Comparisons and tournaments of learners."""
    found = []
    for place, on in (("there", address), ("here", None)):
        here, rest = Path(place), {"hands": 10, "seed": 3, "workers": None if on else 1, "on": on, "progress": False}
        compared = compare_bots("hobbybot", "expert", "always-call", episode=5, folder=here / "c", **rest)
        rated = play_tournament("hobbybot", "always-call", "random", folder=here / "t", **rest)
        found.append([compared.to_json(), rated.to_json()])
    assert found[0] == found[1]


def test_comparisons_and_tournaments_of_learners_are_the_same(tmp_path, drivers):
    drivers.call(learn_there_and_here)
    assert_all_same(tmp_path / "there", tmp_path / "here", 7)


def study_there_and_here(address: str) -> None:
    """Sequential tests, studies and tables."""
    found = []
    for place, on in (("there", address), ("here", None)):
        here, who = Path(place), asked_workforce(None if on else 1, on)
        rest = {"seed": 3, "folder": here / "g", "workers": None if on else 1, "on": on, "progress": False}
        gained = find_gain("always-call", "random", "always-raise", gain=0.5, hands=100, by="money", **rest)
        study = run_study("kan-4.1", 20, folder=here / "s", workers=who, progress=False)
        codes = computed_codes(parse_settings("standard"), 1, who=who)
        found.append([gained.to_json(), study.to_json(), codes.tobytes()])
    assert found[0] == found[1]


def test_tests_studies_and_tables_are_the_same(tmp_path, drivers):
    drivers.call(study_there_and_here)
    assert_all_same(tmp_path / "there", tmp_path / "here", 4)


def assert_all_same(there: Path, here: Path, least: int) -> None:
    """All folders below them, of which there are some."""
    folders = sorted(path.relative_to(here) for path in here.rglob("*") if path.is_dir())
    assert len(folders) >= least
    for folder in folders:
        assert_same(there / folder, here / folder)


def fill_a_table(address: str) -> None:
    """Fill a table, and wait for ever at its thirtieth part until the file "killed" is there."""
    table, worked = np.zeros(40, np.int64), []

    def square(part: range) -> int:
        return part.start**2

    def put(part: range, found: int) -> None:
        while len(worked) == 30 and not Path("killed").exists():
            Path("begun").touch()
            sleep(0.02)
        worked.append(part.start)
        table[part.start] = found

    filling.KEEP_SECONDS, filling._WRITING_SHARE = 0.0, float("inf")
    parts = [range(at, at + 1) for at in range(len(table))]
    filling.fill({"squares": table}, "squares of a test", lambda: square, parts, put, Cluster(address))
    assert table.tolist() == [at**2 for at in range(40)]
    print(len(worked))


def test_a_driver_that_builds_a_table_is_killed_and_the_next_one_goes_on(tmp_path, drivers):
    drivers.environment["RAILBIRD_CACHE"] = str(tmp_path / "cache")
    with drivers.calling(fill_a_table) as process:
        drivers.wait_for((tmp_path / "begun").exists, process)
    (tmp_path / "killed").touch()
    assert drivers.call(fill_a_table) == "10\n"
    assert not list((tmp_path / "cache").glob("unfinished-*"))


def send_a_bot_of_this_process(address: str) -> None:
    from railbird.bots.simple import AlwaysCall

    spec = MatchSpec(limit_holdem(), (AlwaysCall(), "always-raise"), 10, 3)
    with pytest.raises(MatchError, match="cannot play on a cluster"):
        run_matches([MatchFolder.create(Path("m"), spec)], Cluster(address))


def test_a_bot_made_in_this_process_cannot_travel(drivers):
    drivers.call(send_a_bot_of_this_process)


def join_after_others_imported_ray(address: str) -> None:
    del os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"]
    import ray

    if ray.util.get_node_ip_address() == "127.0.0.1":
        return  # nobody knows this machine by another address
    with pytest.raises(RailbirdError, match="set RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER=0 before Ray is imported"):
        Cluster(address).join()


def test_who_imported_ray_before_is_told_what_to_do_and_does_not_wait(drivers):
    drivers.call(join_after_others_imported_ray)


def test_a_driver_is_killed_and_the_same_command_goes_on(tmp_path, drivers):
    asked = ["match", "jagbot", "always-call", "--hands", "750", "--seed", "3", "--no-divat"]
    command = [*asked, "--out", "there", "--on", drivers.nodes.address]
    with drivers.python("-m", "railbird", *command) as process:
        drivers.wait_for(lambda: b"STATE" in log_of(tmp_path / "there"), process)
    kept = log_of(tmp_path / "there")
    drivers.railbird(*command)
    assert log_of(tmp_path / "there").startswith(kept[: kept.rindex(b"\n")])
    drivers.railbird(*asked, "--out", "here")
    assert_same(tmp_path / "there", tmp_path / "here")


SPECS = (
    MatchSpec(limit_holdem(), ("expert", "always-call"), 400, 3, block_hands=20),
    MatchSpec(limit_holdem(), ("hobbybot", "always-call"), 120, 3, block_hands=10),
)


def play_until_somebody_is_killed(address: str) -> None:
    """Play, and wait as soon as there is something until the file "killed" is there."""

    def wait(done: int, total: int, _detail: str = "", /) -> None:
        if 0 < done < total:
            Path("begun").touch()
            while not Path("killed").exists():
                sleep(0.02)

    there = [MatchFolder.create(Path(f"there-{at}"), spec) for at, spec in enumerate(SPECS)]
    run_matches(there, Cluster(address), wait)
    run_matches([MatchFolder.create(Path(f"here-{at}"), spec) for at, spec in enumerate(SPECS)], 1)


def test_a_node_is_killed_and_its_hands_are_played_elsewhere(tmp_path, drivers):
    with drivers.calling(play_until_somebody_is_killed) as process:
        drivers.wait_for((tmp_path / "begun").exists, process)
        drivers.nodes.kill_a_node()
        try:
            (tmp_path / "killed").touch()
            drivers.end_well(process)
        finally:
            drivers.nodes.add_a_node()
    for at in range(len(SPECS)):
        assert_same(tmp_path / f"there-{at}", tmp_path / f"here-{at}")


def log_of(folder: Path) -> bytes:
    logs = sorted(folder.glob("hands*.log"))
    return logs[0].read_bytes() if logs else b""
