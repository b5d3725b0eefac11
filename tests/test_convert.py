"""railbird convert: what is written, what cannot be said, what is set aside, and with which exit code."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import railbird as rb
from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.formats.acpc import record_line
from railbird.formats.readers import format_named
from railbird.game.spec import limit_holdem
from railbird.play.converting import convert

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from trials.history_readers import NICKS, OWN  # noqa: E402

DATA = ROOT / "tests" / "data"
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


@pytest.mark.parametrize(("name", "start"), [("acpc", "STATE"), ("phhs", "["), ("pokerstars", "PokerStars ")])
def test_hands_that_cannot_be_written_are_told_with_their_line(name, start, capsys, tmp_path):
    hands = [replace(each, game=limit_holdem(small_bet=100, stack=10_000)) for each in rb.read_hands(SHORT)]
    hands = [replace(each, payoffs=each.replayed_payoffs()) for each in hands]
    hands[3] = replace(hands[3], game=limit_holdem(small_bet=75, stack=10_000))
    hands[3] = replace(hands[3], payoffs=hands[3].replayed_payoffs())
    path = tmp_path / "some.txt"
    path.write_text("".join(format_named(name).write(hands)))
    code, out, _ = ran(capsys, "convert", path, tmp_path / "some.irc", "--json")
    told = json.loads(out)
    assert (code, told["hands"]) == (1, 19)
    starts = [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.startswith(start)]
    assert [each["line"] for each in told["problems"]] == [starts[3]]


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


def _sources(folder: Path) -> list[Path]:
    """A few hands of every format that is read."""
    own, nicks = folder / "own.txt", folder / "month.irc"
    own.write_bytes(OWN)
    nicks.write_bytes(NICKS)
    logs = []
    for name in ("2p.limit.h1000.r0.log", "2p.nolimit.h1000.r0.log"):
        logs.append(folder / name)
        logs[-1].write_text("".join((DATA / "acpc" / name).read_text().splitlines(keepends=True)[:12]))
    rooms = [DATA / "pokerstars" / name for name in ("fixed_limit_1.txt", "no_limit_1.txt")]
    captures = [DATA / "acpc" / name for name in ("short.err", "short.player0.wire.txt")]
    return [*logs, *captures, DATA / "phh" / "01-39-18.phh", *rooms, own, nicks]


@pytest.mark.parametrize("target", ["acpc", "phhs", "pokerstars", "bovada", "irc"])
def test_every_format_to_every_other_keeps_the_hands_and_says_what_it_does_not(target, tmp_path):
    written = 0
    for source in _sources(tmp_path):
        hands, out, again = rb.read_hands(source), tmp_path / "out", tmp_path / "again"
        if all(format_named(target).refuses(hand) for hand in hands):
            with pytest.raises(RailbirdError, match=r"no hand of .* can be written as "):
                convert(source, out, target, progress=False)
            continue
        told = convert(source, out, target, progress=False)
        back = rb.read_hands(out)
        written += 1
        for before, after in zip(hands, back, strict=True):
            for what in ("history", "board", "payoffs", "holes"):
                assert getattr(after, what) == getattr(before, what), (source, what)
            assert after.game.blinds == before.game.blinds
            if before.telling and after.telling and before.telling.time != after.telling.time:
                assert {"a time without its day or hour", "time"} & set(told.unsaid), source
        convert(out, again, target, progress=False)
        assert again.read_bytes() == out.read_bytes(), source
    assert written >= 4
