"""The short form of `python -m trials fuzz`: some inputs for every reader, and whether the trial finds faults."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from railbird.errors import RailbirdError

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from trials import fuzz  # noqa: E402
from trials.readers import READERS, Reader  # noqa: E402

INPUTS = 800
"""For each reader: about 20,000 in all."""
SLOW = {"captures", "logs", "match-logs", "tournaments", "comparisons"}


@pytest.mark.parametrize("name", READERS)
def test_readers_stand_what_nobody_would_write(name, tmp_path):
    reader = READERS[name](tmp_path)
    for good in reader.seeds:
        assert not fuzz.outcome(reader, good)[0]
    for number in range(INPUTS // 4 if name in SLOW else INPUTS):
        data = reader.mutated(Random(f"0 {name} {number}"), reader.seeds)
        assert not fuzz.outcome(reader, data)[0], (number, data[:200])


def test_good_inputs_are_taken(tmp_path):
    """Otherwise a reader would refuse everything, and nothing would be tried."""
    for name, made in READERS.items():
        (tmp_path / name).mkdir()
        reader = made(tmp_path / name)
        taken = [good for good in reader.seeds if not fuzz.outcome(reader, good)[2]]
        assert taken, name


def failing(data: bytes) -> None:
    if b"k" in data:
        raise KeyError(data)
    if b"l" in data:
        raise RailbirdError("x" * 6_000)
    if b"s" in data:
        until = time.process_time() + fuzz.MOST_SECONDS + 0.01
        while time.process_time() < until:
            pass
    raise RailbirdError("no")


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"abc", ""), (b"ak", "KeyError at "), (b"l", "a message of more than"), (b"s", "it takes too long")],
)
def test_what_is_wrong_is_told(data, what):
    found, _, is_refused = fuzz.outcome(Reader([], failing), data)
    assert found.startswith(what) if what else not found
    assert is_refused == (data in (b"abc", b"l", b"s"))


def test_an_input_is_cut_down_to_what_shows_the_fault():
    reader = Reader([], failing)
    what = fuzz.outcome(reader, b"k")[0]
    assert fuzz.smaller(reader, b"x" * 700 + b"k" + b"y" * 300, what) == b"k"


BAD = """
import os
import sys
from trials import fuzz, readers

fuzz._HANG_SECONDS = 2.0


def read(data):
    if data == b"4":
        os._exit(3)
    if data == b"6":
        while True:
            pass
    if data == b"8":
        bytearray(2 * fuzz.MOST_BYTES)


number = [-1]


def counted(random, seeds):
    number[0] = int(str(random.random())[2:]) % 10
    return str(number[0]).encode()


readers.READERS["bad"] = lambda folder: readers.Reader([b"1"], read, counted)

if __name__ == "__main__":
    sys.exit(fuzz.main(["--reader", "bad", "--inputs", "40", "--out", sys.argv[1]]))
"""


def test_what_pieces_of_a_reader_come_to_is_told_together():
    early, late = (fuzz.Finding("some", number, "KeyError at x.py:1", b"k") for number in (3, 20_007))
    hang = fuzz.Finding("some", 30_000, "it hangs", b"h")
    parts = [fuzz.Tried("some", 20_000, 5, 2.0, 0.5, (late, hang)), fuzz.Tried("some", 10_000, 1, 1.0, 0.7, (early,))]
    found = fuzz.Tried.together(parts)
    assert found == fuzz.Tried("some", 30_000, 6, 3.0, 0.7, (early, hang))
    assert "30,000 inputs" in str(found)
    assert " 10,000/s " in str(found)


def test_processes_that_die_hang_or_take_too_much_are_told_and_the_rest_is_tried(tmp_path):
    script = tmp_path / "bad.py"
    script.write_text(BAD)
    paths = os.pathsep.join([str(ROOT), *sys.path])
    command = [sys.executable, str(script), str(tmp_path / "found")]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths})
    assert done.returncode == 1, done.stderr
    again = "again: python -m trials fuzz --reader bad --seed 0 --first "
    for words in (
        "40 inputs, 40 for each of 1 readers, seed 0",
        "40 inputs",
        "3 FOUND",
        again,
        "3 found, in ",
        "the process died with code 3",
        "it hangs",
        "MemoryError",
    ):
        assert words in done.stdout, done.stdout
    assert {path.read_bytes() for path in (tmp_path / "found").iterdir()} >= {b"4", b"6", b"8"}
