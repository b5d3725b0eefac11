"""Tables that are filled part by part, and what is kept of them when whoever fills them is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from time import sleep

import numpy as np
import pytest

from railbird import filling
from railbird.cache import cached_files
from railbird.filling import fill
from railbird.stopping import what_was_kept
from railbird.workforce import shared_out

PARTS = [range(at, at + 5) for at in range(0, 50, 5)]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    monkeypatch.setattr(filling, "KEEP_SECONDS", 0.0)
    monkeypatch.setattr(filling, "_WRITING_SHARE", float("inf"))
    return tmp_path


class Filled:
    """Squares, filled in by some calls, of which one may be stopped before a part."""

    def __init__(self, what="squares", stop_at=None, error=KeyboardInterrupt, count=50):
        self.table, self.worked, self.seen = np.zeros(count, np.int64), [], []
        self.what, self.stop_at, self.error = what, stop_at, error

    def go(self):
        def work(part):
            self.worked.append(part.start)
            return np.arange(part.start, part.stop) ** 2

        def put(part, found):
            if part.start == self.stop_at:
                raise self.error
            self.table[part.start : part.stop] += found

        fill({"squares": self.table}, self.what, lambda: work, PARTS, put, 1, lambda *told: self.seen.append(told))
        return self


def squares():
    return [at**2 for at in range(50)]


def test_tables_are_filled_and_nothing_is_left(cache):
    filled = Filled().go()
    assert filled.table.tolist() == squares()
    assert filled.seen == [(done, 50) for done in range(0, 51, 5)]
    assert not list(cache.iterdir())


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_what_was_stopped_goes_on(cache, error):
    with pytest.raises(error):
        Filled(stop_at=20, error=error).go()
    assert [file.what for file in cached_files()] == ["unfinished tables"]
    again = Filled().go()
    assert again.worked == list(range(20, 50, 5))
    assert again.table.tolist() == squares()
    assert again.seen[0] == (20, 50)
    assert not list(cache.iterdir())


def test_who_stops_it_is_told_what_is_kept(monkeypatch):
    def stop():
        raise KeyboardInterrupt

    def stopped(make, parts, who):
        for at, found in shared_out(make, parts, who):
            yield (at, found) if at < 3 else stop()

    monkeypatch.setattr(filling, "shared_out", stopped)
    with pytest.raises(KeyboardInterrupt) as caught:
        Filled().go()
    assert what_was_kept(caught.value) == "3 of 10 parts are kept; do the same again to go on from there"


def test_nothing_of_something_else_is_taken_over(cache):
    with pytest.raises(KeyboardInterrupt):
        Filled(stop_at=20).go()
    assert len(Filled("cubes").go().worked) == 10
    [kept] = cache.iterdir()
    whole = kept.read_bytes()
    assert len(Filled(count=60).go().worked) == 10  # another shape
    kept.write_bytes(whole[:-1])
    assert len(Filled().go().worked) == 10  # damaged
    kept.write_bytes(whole)
    assert len(Filled().go().worked) == 6


def test_another_railbird_begins_anew(monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        Filled(stop_at=20).go()
    monkeypatch.setattr(filling, "code_hash", lambda: "another")
    assert len(Filled().go().worked) == 10


def test_where_nothing_can_be_kept_tables_are_filled_all_the_same(monkeypatch):
    monkeypatch.setenv("RAILBIRD_CACHE", os.devnull)
    assert Filled().go().table.tolist() == squares()


def test_little_time_goes_into_files(cache, monkeypatch):
    written = []
    monkeypatch.setattr(filling, "write_tables", lambda *_: written.append(1) or sleep(0.01))
    monkeypatch.setattr(filling, "_WRITING_SHARE", 1e-6)
    Filled().go()
    assert len(written) == 1


FILLER = """
import sys
from time import sleep
import numpy as np
from railbird import filling

filling.KEEP_SECONDS, filling._WRITING_SHARE = 0.0, float("inf")
table, worked = np.zeros(50, np.int64), []

def work(part):
    worked.append(part.start)
    return np.arange(part.start, part.stop) ** 2

def put(part, found):
    if len(sys.argv) > 1 and part.start == 30:
        print("waits", flush=True)
        sleep(60)
    table[part.start : part.stop] += found

filling.fill({"squares": table}, "squares", lambda: work, [range(at, at + 5) for at in range(0, 50, 5)], put, 1)
print(worked, table.tolist())
"""


def test_a_table_whose_builder_is_killed_is_built_from_there(cache):
    waiting = subprocess.Popen([sys.executable, "-c", FILLER, "wait"], stdout=subprocess.PIPE)
    try:
        assert waiting.stdout.readline() == b"waits\n"
    finally:
        waiting.kill()
        waiting.communicate()
    again = subprocess.run([sys.executable, "-c", FILLER], stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    assert again.stdout == f"{[30, 35, 40, 45]} {squares()}\n"
    assert not list(cache.iterdir())
