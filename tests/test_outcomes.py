"""The page of outcomes: complete, made of its data, and fed by what experiments leave behind."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from railbird.papers.catalogue import STUDIES, run_study
from railbird.report.experiments import OURS, SUMMARY, paper_of, write_experiment

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
# By paper, the figures, tables and algorithms that have numbers there.
PRINTED = {
    "Papp 1998": "Figure 4.1-4.3 5.1-5.2 6.1-6.3 7.1-7.5 8.1-8.4 Table 5.1 8.1 A.1-A.4 B.1-B.2",
    "Billings et al. 1998": "Figure 1 Table 1 2",
    "Billings et al. 2004": "Figure 4.1 Table 4.1-4.3",
    "Piël 2006": "Figure 4.1 5.1-5.2 Table 2.1 Algorithm 1 2",
    "Kan 2007": "Figure 1.1 4.1-4.11 5.1-5.23 Table 2.1 3.1-3.4 4.1-4.2 5.1-5.2 6.1",
}


@pytest.fixture(scope="module")
def made():
    return runpy.run_path(str(DOCS / "make_outcomes.py"))


@pytest.fixture(scope="module")
def data():
    return json.loads((DOCS / "data" / "outcomes.json").read_text(encoding="utf-8"))


def numbers(first: str, last: str) -> Iterator[str]:
    """From 5.7 to 5.9: 5.7, 5.8 and 5.9."""
    chapter, _, begin = first.rpartition(".")
    for number in range(int(begin), int(last.rpartition(".")[2]) + 1):
        yield f"{chapter}.{number}" if chapter else str(number)


def places(words: str) -> set[str]:
    """The single places that words such as "Figures 5.7 to 5.9" or "Table 4.1-4.3" name."""
    found, kind = set(), ""
    for word in re.sub(r" to |-", "~", words).replace(",", " ").split():
        if word.rstrip("s") in ("Figure", "Table", "Algorithm"):
            kind = word.rstrip("s")
        elif kind:
            first, _, last = word.partition("~")
            found |= {f"{kind} {number}" for number in numbers(first, last or first)}
    return found


def test_no_figure_or_table_is_left_out(made):
    for paper in made["published"]():
        listed = set().union(*[places(item["place"]) for item in paper["items"]])
        assert listed == places(PRINTED[paper["name"]]), paper["name"]


def test_every_study_of_a_paper_is_listed_under_it(made):
    listed = {
        name: paper["name"]
        for paper in made["published"]()
        for item in paper["items"]
        for name in item.get("studies", ())
    }
    assert listed == {name: paper_of(study) for name, study in STUDIES.items() if paper_of(study) != OURS}


def test_every_golden_test_of_a_paper_is_listed(made):
    listed = {test for paper in made["published"]() for item in paper["items"] for test in item.get("tests", ())}
    for path in (ROOT / "tests" / "golden").glob("test_*_[0-9][0-9][0-9][0-9]*.py"):
        file = path.relative_to(ROOT).as_posix()
        assert {f"{file}::{name}" for name in made["tests_in"](file)} <= listed, "docs/data/published.toml"


def test_the_page_is_made_of_its_data(made, data):
    text = (DOCS / "papers" / "outcomes.md").read_text(encoding="utf-8")
    assert text == made["page"](data), "run python docs/make_outcomes.py"
    assert made["data_text"](data) == (DOCS / "data" / "outcomes.json").read_text(encoding="utf-8")
    anchors = {name.replace(".", "") for name in data["experiments"]}
    assert set(re.findall(r"\(#([\w-]+)\)", text)) <= anchors


def test_what_was_run_is_taken_over_and_the_rest_is_kept(made, tmp_path):
    for name, size in (("papp-8.2", 2), ("papp-8.2", 1), ("papp-5.2.1", 2)):
        folder = tmp_path / f"{name}-{size}"
        write_experiment(run_study(name, size, 3, folder=folder, progress=False), folder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / SUMMARY).write_text("{}")
    before = {"experiments": {"kan-4.1": [kept_run()], "papp-8.2": [kept_run()]}}
    found = made["taken_over"](before, tmp_path)
    assert list(found["experiments"]) == ["papp-8.2", "papp-5.2.1", "kan-4.1"], "as in the catalogue"
    assert [(run["size"], run["seed"]) for run in found["experiments"]["papp-8.2"]] == [(2, 3), (1, 3)]
    assert found["experiments"]["kan-4.1"] == [kept_run()]
    assert json.loads(made["data_text"](found)) == found
    text = made["page"](found)
    assert "| papp-a ahead of papp-b | ahead | " in text
    assert re.search(r"Win rates \(95% each\): papp-a [+-]\d\.\d{3} ± ", text)
    assert "2 deals, each played 10 times (by default 10,000); seed 3: `railbird experiment papp-8.2 --hands 2 " in text
    assert "Also 1 deals, seed 3: not settled" in text
    assert re.search(r"\| product \| 2 \| \d\.\d{3}% ± .* \| 0.307% \|", text)
    assert re.search(r"\| 5\.2\.1 \| .* \| \*\*not judged\*\* \|", text)
    assert "| Figure&nbsp;8.3 | generic opponent modelling |" in text
    assert "papp-8.3-field --seed 2026` (with models that rank holdings against the field) | **not run yet** |" in text


def kept_run():
    """A run in two readings of the paper, of which the second is as printed."""
    money, claim = {"claim": "no money won", "paper": "0"}, {"claim": "SD of DIVAT (a)", "paper": "2.934"}
    return {
        "size": 100_000,
        "unit": "hands",
        "seed": 7,
        "verdict": "reproduced, if read as fold=faced (2 claims reproduced; as fold=pot: 1 reproduced, 1 contradicted)",
        "claims": [
            {**money, "reading": "", "measured": "+0.001 ± 0.010", "outcome": "reproduced"},
            {**claim, "reading": "fold=pot", "measured": "3.020 ± 0.020", "outcome": "contradicted"},
            {**claim, "reading": "fold=faced", "measured": "2.930 ± 0.020", "outcome": "reproduced"},
        ],
        "rows": [],
    }


def test_readings_stand_beside_each_other(made):
    text = made["page"]({"experiments": {"kan-4.1": [kept_run()]}})
    assert "| claim | paper | ours | fold=pot | fold=faced |" in text
    assert "| SD of DIVAT (a) | 2.934 |  | 3.020 ± 0.020 **contradicted** | 2.930 ± 0.020 **reproduced** |" in text
    assert "fold=pot: 1 reproduced, 1 contradicted; fold=faced: 2 reproduced; 100,000 hands, seed 7" in text
    assert "| reproduced |  |  |  |  | 3 |" in text, "figures 1.1, 4.1 and 4.3 of Kan"
    assert "**reproduced, if read as fold=faced** |" in text


def test_what_does_not_exist_is_refused(made, tmp_path, monkeypatch):
    file = tmp_path / "published.toml"
    monkeypatch.setitem(made["published"].__globals__, "PUBLISHED", file)
    for answer, message in (
        ('studies = ["papp-8.9"]', "published.toml: X, Figure 1: no experiment 'papp-8.9'"),
        ('tests = ["tests/test_cards.py::test_none"]', "no test 'tests/test_cards.py::test_none'"),
        ('tests = ["tests/none.py::test_none"]', "no test 'tests/none.py::test_none'"),
        ('paper = "1"', "neither studies nor tests, nor a reason"),
    ):
        file.write_text(f'[[paper]]\nname = "X"\nitems = [{{ place = "Figure 1", shows = "y", {answer} }}]\n')
        with pytest.raises(SystemExit, match=re.escape(message)):
            made["published"]()
    with pytest.raises(SystemExit, match="no experiments in"):
        made["taken_over"]({"experiments": {}}, tmp_path)
