"""The cache folder: what is in it, what is removed and when, and that files of others stay."""

from __future__ import annotations

import json
import os
import time

import numpy as np
import pytest

from railbird.cli import main
from railbird.files import cached_tables, write_tables
from railbird.results.cached import cache_contents

TABLES = {"numbers": np.arange(100, dtype=np.int32)}
PART = "railbird-numbers.bin-abcd1234.part"
OTHERS = ("notes.txt", "numbers.json", "railbird-a.part", "empty.bin")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def kept(cache, name, what="numbers", version=1):
    return cached_tables(cache / name, what, version, "railbird build numbers", lambda: TABLES)


def age(path, days):
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    assert end.value.code == 0
    return capsys.readouterr().out


def filled(cache):
    """A cache with kernels, tables and half a file, and files of somebody else."""
    kept(cache, "numbers-1.bin")
    kept(cache, "numbers-2.bin")
    kept(cache, "letters.bin", "letters")
    (cache / "kernels" / "odds-0123").mkdir(parents=True)
    (cache / "kernels" / "odds-0123" / "code").write_bytes(bytes(1_500_000))
    (cache / PART).write_bytes(bytes(64))
    (cache / OTHERS[0]).write_text("mine")
    (cache / OTHERS[1]).write_text('{"what": "numbers", "version": 1}\n')
    for name in OTHERS[2:]:
        (cache / name).touch()


def test_an_empty_cache_is_empty(cache, capsys):
    assert run(capsys, "cache") == f"{cache} | empty\n"
    assert run(capsys, "cache", "--clear").startswith(f"{cache} | empty")
    assert not cache.exists()


def test_it_lists_by_kind_and_removes_what_is_its_own(cache, capsys):
    filled(cache)
    out = run(capsys, "cache")
    assert out.splitlines()[0] == f"{cache} | 1.5 MB"
    assert [line.split("  ")[1] for line in out.splitlines()[1:]] == [
        "compiled kernels",
        "numbers",
        "letters",
        "half-written files",
        "remove all: railbird cache --clear",
    ]
    assert "2 files" in out
    before = json.loads(run(capsys, "cache", "--json"))
    removed = json.loads(run(capsys, "cache", "--clear", "--json"))
    assert (before["schema"], before["removed"], removed["removed"]) == ("railbird.cache/1", False, True)
    assert before["bytes"] == sum(file["bytes"] for file in before["files"])
    names = {file["name"] for file in removed["files"]}
    assert names == {"kernels", "numbers-1.bin", "numbers-2.bin", "letters.bin", PART}
    assert {path.name for path in cache.iterdir()} == set(OTHERS)
    assert cache_contents().bytes == 0


def test_a_new_version_takes_the_place_of_older_ones(cache):
    filled(cache)
    kept(cache, "numbers-new.bin", version=2)
    left = {path.name for path in cache.glob("*.bin")}
    assert left == {"numbers-new.bin", "letters.bin", "empty.bin"}
    kept(cache, "numbers-old.bin", version=1)
    assert (cache / "numbers-new.bin").exists(), "an older program does not remove what a newer one keeps"


def test_what_nothing_has_used_for_two_weeks_goes(cache):
    filled(cache)
    for name in ("numbers-1.bin", "numbers-2.bin", *OTHERS):
        age(cache / name, days=15)
    kept(cache, "numbers-2.bin")  # used now
    kept(cache, "more.bin", "more")
    assert {path.name for path in cache.glob("*.bin")} == {"numbers-2.bin", "letters.bin", "more.bin", "empty.bin"}
    assert all((cache / name).exists() for name in OTHERS)


def test_nothing_is_removed_elsewhere(cache, tmp_path):
    old = write_tables(tmp_path / "old.bin", "numbers", 1, TABLES)
    age(old, days=30)
    cached_tables(tmp_path / "new.bin", "numbers", 2, "railbird build numbers", lambda: TABLES)
    assert old.exists()
