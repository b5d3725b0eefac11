"""Every result: short when looked at, like the command's output when printed, fit for JSON, notebooks and frames."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from io import StringIO

import pytest
from rich.console import Console

import railbird as rb
from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.game.replayed import ReplayedHand
from railbird.play.log_result import log_result
from railbird.play.match_logs import open_logs
from railbird.results.figures import Figure
from railbird.results.parts import Fitting, Grid, Heading, Line, Table
from railbird.results.result import Result
from railbird.words import count_of

HANDS = {"hands": 60, "seed": 7, "duplicate": True}


class Balanced(HTMLParser):
    """Checks that elements are closed in order, and keeps their text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "match"
    rb.play_match("expert", "always-call", folder=path, progress=False, **HANDS)
    return path


@pytest.fixture(scope="module")
def results(folder):
    match = rb.play_match("expert", "always-call", folder=folder, progress=False, **HANDS)
    assessed = rb.assess(folder, progress=False)
    return {
        "match": match,
        "ring": rb.play_match("expert", "random", "always-call", hands=60, seed=7, progress=False),
        "tournament": rb.play_tournament("expert", "always-call", "random", hands=40, seed=7, progress=False),
        "assess": assessed,
        "worst hand": assessed.worst_hands("expert", 1)[0],
        "odds": rb.odds("AdQc", "3h4cJh", "QQ+, AKs", grid=True),
        "explain": rb.explain("AdQc", "3h4cJh", grid=True),
        "exploitability": rb.exploitability(lambda holding, board, history: (0, 1, 1), game="leduc"),
        "accuracy": rb.accuracy(folder),
        "comparison": rb.compare_bots("expert", "random", ["always-call", "always-raise"], hands=40, progress=False),
        "hand list": rb.hand_list(folder, "expert"),
        "log": log_result(open_logs(folder / "hands-01.log")),
        "study": rb.run_study("papp-8.2", size=2, progress=False),
        "bot report": rb.check_bot("always-call"),
        "hand": ReplayedHand(rb.read_hands(folder)[17]),
        "solved": rb.solve(buckets="169/1/1/8", boards=2, progress=False),
    }


NAMES = [
    *("match", "ring", "tournament", "assess", "worst hand", "odds", "explain", "exploitability", "accuracy", "study"),
    *("bot report", "hand", "solved", "comparison", "hand list", "log"),
]


@pytest.mark.parametrize("name", NAMES)
def test_every_result_can_be_looked_at(results, name):
    result = results[name]
    assert isinstance(result, Result)
    assert repr(result).startswith(f"<{type(result).__name__} ")
    assert len(repr(result)) < 200
    assert "\n" not in repr(result)
    text = str(result)
    assert text
    assert all(line == line.rstrip() for line in text.splitlines())
    json.dumps(result.to_json())
    page = Balanced()
    page.feed(result._repr_html_())
    assert page.open == []
    first = next(part for part in result.parts() if isinstance(part, Heading))
    assert first.title in page.text
    with pytest.raises(AttributeError):
        result.anything = 1  # frozen


@pytest.mark.parametrize("name", [name for name in NAMES if name != "solved"])
def test_rows_become_a_frame(results, name):
    frame = results[name].to_frame()
    assert len(frame) == len(results[name].rows())
    assert bool(frame.columns) == bool(results[name].rows())


def test_what_has_no_rows_or_curves_says_so(results):
    with pytest.raises(RailbirdError, match=r"^there are no rows for a data frame of '"):
        results["solved"].to_frame()
    with pytest.raises(RailbirdError, match=r"^there are no curves to draw of '"):
        results["odds"].plot()


def test_a_figure_is_a_png_or_an_svg(results, tmp_path):
    figure = results["match"].plot()
    assert figure.save(tmp_path / "a.SVG").read_bytes().startswith(b"<?xml")
    assert figure.save(tmp_path / "a").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(RailbirdError, match=r"ends in '\.xyz'; figures are written as \.png or \.svg"):
        figure.save(tmp_path / "a.xyz")
    assert not (tmp_path / "a.xyz").exists()


@pytest.mark.parametrize("name", ["match", "ring", "assess", "study", "comparison"])
def test_curves_become_a_figure(results, name, tmp_path):
    figure = results[name].plot()
    assert isinstance(figure, Figure)
    assert repr(figure) == str(figure) == f"Figure({figure.title!r}, {count_of(len(figure.lines), 'line')})"
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert figure.save(tmp_path / "figure.svg").read_text().lstrip().startswith("<?xml")
    assert figure.save(tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("match", ["results", "FOLDER", "--no-divat"]),
        ("assess", ["assess", "FOLDER"]),
        ("odds", ["odds", "AdQc", "--board", "3h4cJh", "--versus", "QQ+, AKs", "--grid"]),
        ("explain", ["explain", "AdQc", "3h4cJh", "--grid"]),
        ("accuracy", ["accuracy", "FOLDER"]),
        ("hand", ["replay", "FOLDER", "17"]),
        ("hand list", ["hands", "FOLDER", "--of", "expert"]),
    ],
)
def test_commands_print_the_same_text_and_the_same_json(results, folder, capsys, name, arguments):
    """The text of a command is that of the result, followed by what can be done next."""
    written = [str(folder) if word == "FOLDER" else word for word in arguments]
    with pytest.raises(SystemExit):
        main(written)
    shown = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert shown.startswith(str(results[name]).rstrip("\n"))
    with pytest.raises(SystemExit):
        main([*written, "--json"])
    told = json.loads(capsys.readouterr().out)
    told.pop("folder", None)
    if name == "hand":
        assert told.pop("faults") == []  # which its folder knows
    expected = json.loads(json.dumps(results[name].to_json()))
    expected.pop("folder", None)
    assert told == expected


def test_parts_hold_whatever_they_are_given():
    odd = "[bold]<b>&\x1b[31m"
    parts = [Heading(odd, (odd,)), Line(odd), Table([(odd, odd)], (odd, "")), Grid([[0.5]], "A", odd, odd)]

    class Odd(Result):
        def parts(self):
            return parts

    assert "[bold]<b>&\N{REPLACEMENT CHARACTER}[31m" in str(Odd())
    page = Balanced()
    page.feed(Odd()._repr_html_())
    assert page.open == []
    assert "<b>" in page.text


def test_a_wide_table_is_cut_where_there_is_no_room():
    wide = Table([["x" * 50, "y" * 50]], ("", "second"), words=2)
    narrow = Table([["x" * 50]], words=1), Table([["y" * 50]], words=1)

    class Both(Result):
        def parts(self):
            return [Fitting(wide, narrow)]

    assert len(str(Both()).splitlines()) == 2  # 120 columns are enough
    wider = Table([["x" * 70, "y" * 70]], ("", "second"), words=2)

    class Cut(Result):
        def parts(self):
            return [Fitting(wider, narrow)]

    assert [line.strip()[0] for line in str(Cut()).splitlines()] == ["x", "y"]


@pytest.mark.parametrize(("width", "parts"), [(45, 3), (60, 2), (120, 1)])
def test_a_crosstable_is_set_in_parts_and_loses_no_digit(width, parts):
    rows = [[f"{n} a-player", *["+0.123 ± 0.456"] * 5] for n in range(4)]
    table = Table(rows, ("", "all", "from 1", "from 2", "from 3", "from 4"), indent=0, repeated=1)
    console = Console(width=width, file=StringIO())
    console.print(table.rendered(console))
    text = console.file.getvalue()
    assert text.count("+0.123 ± 0.456") == 20
    assert text.count("2 a-player") == parts
    assert "…" not in text
    assert [text.count(name) for name in table.header[1:]] == [1] * 5


def test_frames_say_what_to_install(results, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(RailbirdError, match=r"pip install 'railbird\[frames\]'"):
        results["match"].to_frame()
