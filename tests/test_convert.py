"""railbird convert: what is written, what cannot be said, what is set aside, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import railbird as rb
from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.formats.acpc import record_line

DATA = Path(__file__).parent / "data"
SHORT = DATA / "acpc" / "short.log"


def ran(capsys, *arguments):
    """Exit code, output and error output of a command."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return end.value.code or 0, captured.out, captured.err


def test_there_and_back(capsys, tmp_path):
    code, out, err = ran(capsys, "convert", SHORT, tmp_path / "short.phhs")
    assert (code, err) == (0, "")
    assert "PHH file of many hands | 20 hands" in out
    assert ran(capsys, "convert", tmp_path / "short.phhs", tmp_path / "back.log")[0] == 0
    lines = (tmp_path / "back.log").read_text().splitlines()
    assert [line for line in lines if line[0] != "#"] == [
        line for line in SHORT.read_text().splitlines() if line.startswith("STATE")
    ]


def test_what_a_log_cannot_say_is_told_once_with_its_count(capsys, tmp_path):
    code, out, _ = ran(capsys, "convert", DATA / "phh", tmp_path / "wsop.log", "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["hands"], told["format"], told["schema"]) == (7, "acpc", "railbird.conversion/1")
    assert told["unsaid"] == {"stacks of a limit game": 7, "time": 7, "other remarks": 7, "who showed the cards": 2}
    code, out, _ = ran(capsys, "convert", DATA / "phh", tmp_path / "wsop.log")
    assert "what a competition log cannot say:" in out
    assert [hand.payoffs for hand in rb.read_hands(tmp_path / "wsop.log")] == [
        hand.payoffs for hand in rb.read_hands(DATA / "phh")
    ]


def test_broken_hands_are_set_aside_by_file_and_line(capsys, tmp_path):
    log = tmp_path / "some.log"
    log.write_text(
        SHORT.read_text().replace("STATE:3:", "STATE:3:x").replace(":5d5c|9hQd:30|-30:", ":5d5c|9hQd:31|-31:")
    )
    code, out, _ = ran(capsys, "convert", log, tmp_path / "some.phhs")
    assert code == 1
    assert "18 hands" in out.splitlines()[0]
    assert "2 hands set aside:" in out
    assert f"{log}:5: hand 0: payoffs (31, -31) recorded, but" in out
    assert f"{log}:8: hand 3: " in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.log", "x.phhs"), "no file or folder 'nowhere.log'"),
        ((SHORT, "x.txt", "--to", "pph"), "no format 'pph'; did you mean 'phh'"),
        ((SHORT, "x.unknown"), "is that of no format; say it with --to (acpc, phh, phhs"),
        ((SHORT, "x.txt", "--to", "acpc-wire"), "a capture of the competition's wire is read and not written"),
        ((SHORT, ".", "--to", "phhs"), "'.' is a folder; name the file to write"),
        ((SHORT, "x.phh"), "a .phh file holds one hand; many go into a .phhs file"),
        ((DATA / "acpc" / "leduc.sample.log", "x.phhs"), "no hand of "),
    ],
)
def test_nothing_is_written_where_something_is_wrong(capsys, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    code, out, err = ran(capsys, "convert", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_file_is_not_converted_onto_itself(tmp_path):
    log = tmp_path / "some.log"
    log.write_bytes(SHORT.read_bytes())
    with pytest.raises(RailbirdError, match="is what the hands are read from"):
        rb.convert(log, log, progress=False)
    assert log.read_bytes() == SHORT.read_bytes()


def test_a_match_folder_is_converted(tmp_path):
    match = rb.play_match("always-call", "always-raise", hands=30, seed=1, folder=tmp_path / "m", progress=False)
    found = rb.convert(match.folder, tmp_path / "m.phhs", progress=False)
    assert (found.hands, found.is_whole) == (30, True)
    there = rb.read_hands(tmp_path / "m.phhs")
    assert [record_line(hand) for hand in there] == [record_line(hand) for hand in rb.read_hands(match.folder)]
    assert found.rows() == []
