"""How work is cut for a cluster, and what becomes of it where places are lost; without Ray."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from threading import Event
from types import SimpleNamespace
from weakref import ref

import pytest
from benchmarks.cluster_model import Setting, simulated

from railbird.errors import MatchError, RailbirdError
from railbird.game.spec import limit_holdem
from railbird.pacing import LONGEST_SECONDS, USUAL_SECONDS, Pace, job_seconds
from railbird.play import node
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.ray_cluster import Cluster, Errands, Lost
from railbird.workforce import asked_workforce, shared_out


def test_ray_stays_out_of_what_does_not_ask_for_it():
    code = (
        "import sys, railbird\n"
        "from railbird.cli import commands, cmd_match\n"
        "railbird.play_match('always-call', 'random', hands=20, workers=1)\n"
        "sys.exit('ray' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_ray_is_a_line_that_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RailbirdError, match=r"^a cluster needs Ray: pip install 'railbird\[cluster\]'$"):
        Cluster("ray").errands()


@pytest.mark.parametrize("address", ["", "here", "10.0.0.1", "http://10.0.0.1:1", "a b:1", "host:port"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(RailbirdError, match="no cluster"):
        asked_workforce(None, address)


def pretended_ray(monkeypatch, looks_at="127.0.0.1", init=lambda **_: None):
    """In the place of Ray, which stays what it is for other tests: it is not imported."""
    util = SimpleNamespace(get_node_ip_address=lambda: looks_at)
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False, util=util, init=init))
    monkeypatch.setattr(os, "environ", {})


def test_nobody_waits_for_an_address_at_which_nobody_listens(monkeypatch):
    pretended_ray(monkeypatch)
    with pytest.raises(RailbirdError, match=r"no cluster at 127\.0\.0\.1:1: "):
        Cluster("127.0.0.1:1").join()


def test_an_address_of_this_machine_alone_means_just_that(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        here = f"127.0.0.1:{server.getsockname()[1]}"
        pretended_ray(monkeypatch)
        Cluster(here).join()
        assert os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] == "0"
        pretended_ray(monkeypatch, looks_at="127.1.1.1")
        with pytest.raises(
            RailbirdError, match=r"looks for it at 127\.1\.1\.1; set RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER=0"
        ):
            Cluster(here).join()


def test_nobody_waits_for_ever_to_be_let_in(monkeypatch):
    ended = Event()
    pretended_ray(monkeypatch, init=lambda **_: ended.wait())
    monkeypatch.setattr("railbird.ray_cluster.JOIN_SECONDS", 0.05)
    try:
        with pytest.raises(
            RailbirdError, match=r"^the cluster that this machine is in did not let this process in for"
        ):
            Cluster("ray").join()
    finally:
        ended.set()


@pytest.mark.parametrize("error", [ConnectionError("it is gone\nfor ever"), RuntimeError("it is gone")])
def test_what_ray_says_when_it_does_not_join_is_told(monkeypatch, error):
    def init(**_):
        raise error

    pretended_ray(monkeypatch, init=init)
    with socket.create_server(("127.0.0.1", 0)) as server:
        here = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(RailbirdError, match=f"^cannot join the cluster at {here}: it is gone$"):
            Cluster(here).join()


def test_jobs_are_longer_for_many_places_and_shorter_towards_the_end():
    assert job_seconds(2, 0.001, 1e6) == USUAL_SECONDS
    assert job_seconds(10_000, 0.001, 1e9) == 20.0
    assert job_seconds(1_000_000, 0.01, 1e12) == LONGEST_SECONDS
    assert job_seconds(10, 0.001, 15.0) == pytest.approx(0.5)
    assert job_seconds(10, 0.001, 0.0) == pytest.approx(0.25)  # its way costs no more than a fiftieth of it


def test_the_pace_follows_what_is_noted():
    pace = Pace()
    pace.note("loki", 250, 0.5)
    assert pace.seconds_of("loki", 1000) == pytest.approx(2.0)
    assert pace.seconds_of("other", 1000) == 0.0
    for _ in range(100):
        pace.note("loki", 250, 1.0)
    assert pace.seconds_of("loki", 1000) == pytest.approx(4.0, rel=0.01)


def test_the_model_knows_what_must_be_so():
    free = {"home_job_seconds": 0.0, "home_block_seconds": 0.0, "home_byte_seconds": 0.0, "way_seconds": 0.0}
    even = Setting(10, 100.0, 1.0, spread=0.0, slow_share=0.0, **free)
    assert simulated(even, lambda *_: 1.0).seconds == pytest.approx(10.0)
    assert simulated(even, lambda *_: 4.0).seconds == pytest.approx(12.0)  # 25 jobs of 4 s at ten places
    writer = Setting(10, 100.0, 1.0, spread=0.0, slow_share=0.0, **{**free, "home_block_seconds": 0.5})
    assert simulated(writer, lambda *_: 1.0).seconds == pytest.approx(51.0)  # a hundred blocks, written one by one
    slow = Setting(10, 1000.0, 0.1, spread=0.0, slow_share=0.1, slow_times=2.0, **free)
    assert simulated(slow).efficiency > 0.97 > simulated(slow, lambda *_: 40.0).efficiency


class PretendedErrands(Errands):
    """Places of this very process, some of which are lost."""

    def __init__(self, places, losses=()):
        super().__init__(SimpleNamespace(get=lambda reference: reference.value))
        self._count, self.losses, self.sizes, self.begun, self.ended = places, list(losses), [], 0, 0

    @property
    def places(self):
        return self._count

    def shared(self, value):
        return SimpleNamespace(value=value, hex=lambda: f"{id(value):x}")

    def send(self, key, work, *given):
        self._out[object()] = key, lambda: work(*given)
        self.sizes.append(len(given[2]))

    def begin_stream(self, kind, *given):
        self.begun += 1
        return kind(*given)

    def ask(self, key, stream, method, *given):
        self._out[object()] = key, lambda: getattr(stream, method)(*given)

    def end_stream(self, stream):
        self.ended += 1

    def home(self, seconds):
        reference = next(iter(self._out))
        key, work = self._out.pop(reference)
        yield key, Lost("a node died") if self.losses and self.losses.pop(0) else work()

    def give_up(self):
        self._out.clear()


@pytest.fixture
def pretended(monkeypatch):
    def there(*losses, places=3):
        errands = PretendedErrands(places, losses)
        monkeypatch.setattr(Cluster, "errands", lambda self: errands)
        monkeypatch.setitem(sys.modules, "ray", errands.ray)
        monkeypatch.setattr("railbird.play.played_there.job_seconds", lambda *_: 0.0)  # streams: a block at a time
        return errands

    yield there
    while node._ARRIVED:
        node._ARRIVED.popitem()[1].leave()


def played(path, who, *bots, hands=120, block_hands=10, **rest):
    spec = MatchSpec(limit_holdem(), bots, hands, 3, block_hands=block_hands, **rest)
    run_matches([MatchFolder.create(path, spec)], who)
    return {file.name: file.read_bytes() for file in path.iterdir()}


@pytest.mark.parametrize("bots", [("expert", "always-call"), ("hobbybot", "always-call")])
def test_what_is_lost_is_played_again_with_the_same_bytes(tmp_path, pretended, bots):
    errands = pretended(0, 0, 1, 0, 1, 1, 0, 0, 1)
    there = played(tmp_path / "there", Cluster("ray"), *bots, duplicate=True)
    assert not errands.losses
    assert there == played(tmp_path / "here", 1, *bots, duplicate=True)


def test_jobs_grow_when_it_is_known_how_long_hands_take(tmp_path, pretended):
    errands = pretended()
    played(tmp_path / "m", Cluster("ray"), "expert", "always-call", hands=2_000)
    assert errands.sizes[:6] == [1] * 6
    assert max(errands.sizes) > 4
    assert sum(errands.sizes) == 200


def test_a_lost_stream_goes_on_from_the_record(tmp_path, pretended):
    errands = pretended(0, 1)
    there = played(tmp_path / "m", Cluster("ray"), "hobbybot", "always-call", hands=30)
    assert errands.begun == 2
    assert there == played(tmp_path / "here", 1, "hobbybot", "always-call", hands=30)


def test_a_place_that_has_played_a_stream_gets_the_next_one(tmp_path, pretended):
    errands = pretended(places=1)
    specs = [MatchSpec(limit_holdem(), ("hobbybot", "always-call"), 20, seed, block_hands=10) for seed in (3, 4, 5)]
    for name, who in (("there", Cluster("ray")), ("here", 1)):
        run_matches([MatchFolder.create(tmp_path / f"{name}-{spec.seed}", spec) for spec in specs], who)
    assert errands.begun == errands.ended == 1
    for seed in (3, 4, 5):
        logs = [tmp_path / f"{name}-{seed}" / "hands.log" for name in ("there", "here")]
        assert logs[0].read_bytes() == logs[1].read_bytes()


def test_places_that_keep_ending_end_the_match(tmp_path, pretended):
    pretended(*[1] * 100, places=1)
    with pytest.raises(MatchError, match=r"keep ending: a node died$"):
        played(tmp_path / "m", Cluster("ray"), "expert", "always-call")


def test_parts_that_are_lost_are_computed_again(pretended):
    pretended(0, 1, 0, 1)
    found = dict(shared_out(lambda: abs, range(-50, 0), Cluster("ray")))
    assert found == {number: 50 - number for number in range(50)}
    pretended(*[1] * 100)
    with pytest.raises(RailbirdError, match="keep ending"):
        list(shared_out(lambda: abs, range(5), Cluster("ray")))


def test_a_node_with_another_railbird_is_refused(tmp_path, pretended, monkeypatch):
    pretended()
    monkeypatch.setattr("railbird.play.played_there.code_hash", lambda: "another")
    with pytest.raises(RailbirdError, match="another Railbird than this machine"):
        played(tmp_path / "m", Cluster("ray"), "expert", "always-call")


def test_a_bot_that_has_changed_on_its_way_is_refused(tmp_path, pretended, monkeypatch):
    pretended()
    (tmp_path / "caller.py").write_text(
        "import railbird as rb\n\nclass Caller(rb.Bot):\n    def act(self, view):\n        return rb.CALL\n"
    )
    sent = node.Sent.of
    monkeypatch.setattr(node.Sent, "of", lambda file: sent(file)._replace(content=b"# other\n" + file.read_bytes()))
    with pytest.raises(MatchError, match="Caller is another one on"):
        played(tmp_path / "m", Cluster("ray"), f"{tmp_path / 'caller.py'}:Caller", "always-call")


def test_what_bots_print_goes_home(tmp_path, pretended):
    pretended()
    spec = MatchSpec(limit_holdem(), ("expert", "always-call"), 10, 3)
    match = node.Arrived(node.Order.of(MatchFolder.create(tmp_path / "m", spec)), spec)
    (match.folder / "expert.output.txt").write_bytes(b"seven\n")
    assert match.printed == {"expert.output.txt": b"seven\n"}
    assert match.printed == {}
    match.leave()
    assert not match.folder.exists()


def test_bots_are_asked_for_where_their_files_are(tmp_path):
    from railbird.bots.programs import bot_spec

    (tmp_path / "caller.py").write_text("")
    (tmp_path / "table.bin").write_text("")
    places = {str(tmp_path / "caller.py"): "/there/caller.py", str(tmp_path / "table.bin"): "/there/table.bin"}
    asked = {
        f"{tmp_path}/caller.py:Caller:depth=3": "/there/caller.py:Caller:depth=3",
        f"{tmp_path}/./caller.py:Caller": "/there/caller.py:Caller",
        f"equilibrium:strategy={tmp_path}/table.bin": "equilibrium:strategy=/there/table.bin",
        f"lines:python3 {tmp_path}/caller.py --fast": "lines:python3 /there/caller.py --fast",
        f"{tmp_path}/table.bin:learns=yes": "/there/table.bin:learns=yes",
        "loki:tightness=tight": "loki:tightness=tight",
    }
    assert {text: bot_spec(text).moved(places).text for text in asked} == asked


def test_parts_that_were_taken_do_not_stay_in_memory():
    found = []

    def make():
        def work(part):
            answer = {part}
            found.append(ref(answer))
            return answer

        return work

    left = [sum(each() is not None for each in found) for _, _ in shared_out(make, range(20), 1)]
    assert left[-1] == 1, "the last, which is being looked at"
