"""Progress: lines where there is no terminal, bars that fit where there is one, and silence on demand."""

from __future__ import annotations

import io
import re
from contextlib import nullcontext

import pytest

import railbird as rb
from railbird import progress
from railbird.assess.assessed import assessed_log


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setenv("RAILBIRD_PROGRESS", "yes")
    clock = Clock()
    monkeypatch.setattr(progress, "monotonic", clock)
    monkeypatch.setattr(progress._Lines, "_last", -progress.LINE_SECONDS)
    return clock


def counted(clock, title, unit, seconds, total=5000, before=0):
    """Work that is told of every second."""
    with progress.live_bar(title, unit) as watch:
        for second in range(seconds + 1):
            clock.now = second
            watch(before + second * (total - before) // seconds, total)


def test_lines_come_every_few_seconds_where_there_is_no_terminal(capsys, clock):
    counted(clock, "playing", "hands", seconds=20)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "playing: 500 of 5,000 hands, 250/s, 18 s left",
        "playing: 1,750 of 5,000 hands, 250/s, 13 s left",
        "playing: 3,000 of 5,000 hands, 250/s, 8 s left",
        "playing: 4,250 of 5,000 hands, 250/s, 3 s left",
    ]


def test_quick_work_says_nothing(capsys, clock):
    counted(clock, "playing", "hands", seconds=2)
    assert capsys.readouterr().err == ""


def test_what_was_there_before_counts_for_no_speed(capsys, clock):
    counted(clock, "", "", seconds=6, total=4000, before=1000)
    assert capsys.readouterr().err == "2,000 of 4,000, 4 s left\n"


def test_a_part_that_is_counted_anew_has_its_own_speed(capsys, clock):
    with progress.live_bar("tables") as watch:
        for part, step in enumerate((50, 1, 100)):
            for second in range(11):
                clock.now = 10 * part + second
                watch(step * second, 10 * step)
    assert capsys.readouterr().err.splitlines() == [
        "tables: 100 of 500, 8 s left",
        "tables: 350 of 500, 3 s left",
        "tables: 2 of 10, 8 s left",
        "tables: 7 of 10, 3 s left",
        "tables: 200 of 1,000, 8 s left",
        "tables: 700 of 1,000, 3 s left",
    ]


def test_the_environment_silences_it(capsys, clock, monkeypatch):
    monkeypatch.setenv("RAILBIRD_PROGRESS", "no")
    with progress.live_bar("playing") as watch:
        assert watch is None


def test_a_match_in_python_says_how_far_it_is_unless_told_not_to(capsys, clock, monkeypatch):
    class Slow(rb.Bot):
        def act(self, view):
            clock.now += 0.01
            return rb.CALL

    rb.play_match(Slow, "always-call", hands=600)
    assert "of 600 hands" in capsys.readouterr().err
    rb.play_match(Slow, "always-call", hands=600, progress=False)
    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def a_terminal(monkeypatch):
    """In place of stderr; a fixture would come too early."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    return terminal


def test_tables_that_are_ready_show_no_bar(tmp_path):
    """Those of the standard setting ship; nothing says that they are built."""
    result = rb.play_match("always-call", "random", hands=20, folder=tmp_path / "m", progress=False)
    [pair] = rb.assess(result, progress=False).pairs
    titles = []

    def bar(title, _unit=""):
        titles.append(title)
        return nullcontext()

    assessed_log(pair.hands, bar=bar)
    assert titles == ["assessing"]


def test_a_late_bar_opens_when_there_is_something_to_tell():
    told, titles = [], []

    def bar(title, _unit=""):
        titles.append(title)
        return nullcontext(lambda *words: told.append(words))

    with progress.opened_late(bar, "building") as watch:
        assert titles == []
        watch(1, 3)
        watch(2, 3, "half")
    assert (titles, told) == (["building"], [(1, 3, ""), (2, 3, "half")])


def test_a_bar_within_a_bar_is_a_line_below_it(monkeypatch, clock):
    terminal = a_terminal(monkeypatch)
    with progress.live_bar("playing", "hands") as watch:
        watch(1, 200)
        with progress.live_bar("compiling, once") as inner:
            inner(3, 7, "find_strengths")
            progress._shown[0].refresh()
        assert [task.description for task in progress._shown[0].tasks] == ["playing"]
        watch(200, 200)
    assert not progress._shown
    assert "compiling, once" in terminal.getvalue()
    assert "find_strengths" in terminal.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_bar_is_not_wider_than_the_terminal(monkeypatch, clock, width):
    terminal = a_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", str(width))
    standing = "  ".join(f"loki-som.{n} +0.615 ± 1.030" for n in range(4))
    with progress.live_bar("playing", "hands") as watch:
        clock.now = 1.0
        watch(1, 200, standing)
        watch(60, 200, standing)
    drawn = terminal.getvalue()
    assert "60/200 hands, 59/s" in drawn
    assert drawn.count("…") == 0
    # What has no room beside the bar stands below it, as much of it as there is room for.
    lines = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line) for line in re.split(r"[\r\n]+", drawn)]
    assert max(map(len, lines)) <= width
    told = next(line for line in lines if "loki-som.0" in line)
    assert "playing" not in told
    assert told.count("loki-som") == width // 27
