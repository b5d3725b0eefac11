"""Files written whole, and files of tables: what is left behind, what is refused, and what is said about it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from railbird.cli import main
from railbird.errors import RailbirdError, RailbirdWarning
from railbird.files import cached_tables, map_tables, open_whole, write_tables, write_whole
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec

TABLES = {"numbers": np.arange(100, dtype=np.int32)}
KILLED = """
import os, sys
from pathlib import Path
import numpy as np
from railbird.files import write_tables
os.replace = lambda *_: os._exit(9)  # the process is gone before the file has its name
write_tables(Path(sys.argv[1]), "numbers", 1, {"numbers": np.arange(100)})
"""


def age(path, days):
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))


def test_tables_are_read_back(tmp_path):
    path = write_tables(tmp_path / "a.bin", "numbers", 1, TABLES)
    assert np.array_equal(map_tables(path, "numbers", 1, "railbird build numbers")["numbers"], TABLES["numbers"])
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.bin"]


def test_a_file_is_there_whole_or_as_it_was(tmp_path):
    path = write_whole(tmp_path / "new" / "a.txt", "old\n")
    with pytest.raises(TypeError, match="bytes"), open_whole(path) as file:
        file.writelines([b"new, and then ", "what cannot be written"])
    assert path.read_bytes() == b"old\n"
    with open_whole(path) as file:
        file.write("new, \r\n ü".encode())
        file.flush()
        assert path.read_bytes() == b"old\n", "until it is whole the old one stands"
    assert write_whole(path, "new, \r\n ü").read_bytes() == "new, \r\n ü".encode()
    assert [entry.name for entry in path.parent.iterdir()] == ["a.txt"]


def test_files_have_the_mode_that_files_have_here(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    assert write_whole(tmp_path / "whole", b"").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_links_and_devices_stay_what_they_are(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(tmp_path / "link", "through")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "through"
    assert write_whole(Path(os.devnull), "gone").is_char_device()


def test_what_a_killed_write_leaves_is_removed_a_day_later(tmp_path):
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "a.bin")], check=False)
    assert done.returncode == 9
    (left,) = tmp_path.iterdir()
    assert left.name.startswith("railbird-a.bin-")
    write_tables(tmp_path / "b.bin", "numbers", 1, TABLES)
    assert left.exists()  # somebody may still be writing it
    age(left, days=1.1)
    write_tables(tmp_path / "b.bin", "numbers", 1, TABLES)
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.bin"]


def test_files_of_others_stay(tmp_path):
    others = ["notes.part", "railbird-notes.part", "railbird-a.bin-ABCDEFGH.part", "a.bin", "railbird-a.bin-abcd1234"]
    for name in others:
        (tmp_path / name).write_text("mine")
        age(tmp_path / name, days=30)
    folder = tmp_path / "railbird-a.bin-abcd1234.part"
    folder.mkdir()
    age(folder, days=30)
    write_tables(tmp_path / "b.bin", "numbers", 1, TABLES)
    assert {entry.name for entry in tmp_path.iterdir()} == {*others, folder.name, "b.bin"}


def test_a_failed_write_leaves_nothing(tmp_path):
    (tmp_path / "a.bin").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_tables(tmp_path / "a.bin", "numbers", 1, TABLES)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.bin"]


class Full:
    """A file on a disk that is full."""

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        return self

    def __exit__(self, *how):
        self.file.close()

    def write(self, content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_names_the_file_and_leaves_nothing(tmp_path, monkeypatch, capsys):
    opened = Path.open
    monkeypatch.setattr(Path, "open", lambda path, mode="r", **how: Full(opened(path, mode, **how)))
    with pytest.raises(OSError, match="No space left") as full:
        write_whole(tmp_path / "report.html", "<p>")
    assert full.value.filename == str(tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr("railbird.cli.commands.loaded", lambda name: write_whole(tmp_path / "report.html", "<p>"))
    with pytest.raises(SystemExit) as end:
        main(["demo"])
    assert end.value.code == 2
    assert capsys.readouterr().err == f"error: '{tmp_path}/report.html': No space left on device\n"


def test_a_log_that_cannot_grow_is_named(tmp_path, monkeypatch):
    spec = MatchSpec(limit_holdem(), ("random", "always-call"), 20, 1)
    log = MatchFolder.create(tmp_path / "m", spec).log(0)
    log.open()
    opened = Path.open
    monkeypatch.setattr(Path, "open", lambda path, mode="r", **how: Full(opened(path, mode, **how)))
    with pytest.raises(OSError, match="No space left") as full:
        log.append(b"", np.zeros((20, 2), np.int64))
    assert full.value.filename == str(tmp_path / "m" / "hands.log")


def test_a_damaged_file_is_refused_with_the_command_that_helps_or_built_again(tmp_path):
    path = write_tables(tmp_path / "a.bin", "numbers", 1, TABLES)
    path.write_bytes(path.read_bytes()[:-64] + bytes(64))
    with pytest.raises(RailbirdError, match="the checksum does not fit; build it again: railbird build numbers"):
        map_tables(path, "numbers", 1, "railbird build numbers")
    with pytest.warns(RailbirdWarning, match="a.bin' is damaged: the checksum does not fit; it is built again now"):
        found = cached_tables(path, "numbers", 1, "railbird build numbers", lambda: TABLES)
    assert np.array_equal(found["numbers"], TABLES["numbers"])
    assert np.array_equal(map_tables(path, "numbers", 1, "")["numbers"], TABLES["numbers"])


def test_tables_that_cannot_be_written_are_kept_in_memory(tmp_path):
    (tmp_path / "a.bin").mkdir()
    with pytest.warns(RailbirdWarning, match="the numbers are kept in memory only: cannot write '.*a.bin': "):
        found = cached_tables(tmp_path / "a.bin", "numbers", 1, "railbird build numbers", lambda: TABLES)
    assert found is TABLES
