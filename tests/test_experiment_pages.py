"""Pages of experiments: setup, figures beside the paper's numbers, hands to replay, and the index of all of them."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from railbird.game.spec import limit_holdem
from railbird.papers.catalogue import STUDIES, run_study
from railbird.papers.ring_games import RingGame, RingGameEvidence
from railbird.papers.study import Asked, StudyResult
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.matches import play_match
from railbird.report.curves import curve_data, numbers, runs
from railbird.report.experiments import FIGURES, SUMMARY, command, figures_in, write_experiment, write_index
from railbird.report.hand_columns import hand_links
from railbird.report.match_hands import match_folders, telling_hands
from railbird.results.figures import Figure, Line
from test_assessment_report import Page, expanded

SMALL = RingGame(
    name="small",
    title="Nobody 2001, Figure 1: a test",
    versions=(("always-raise", 1), ("random", 2), ("always-call", 1)),
    reported="as said",
    claims=("always-raise > random", "random > always-raise > 0"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("experiments") / "small-40-seed3"


@pytest.fixture(scope="module")
def result(folder):
    return SMALL.run(Asked(40, 3, folder))


@pytest.fixture(scope="module")
def text(result, folder):
    return write_experiment(result, folder).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def test_the_setup_is_told(page):
    assert "1 × always-raise, 2 × random, 1 × always-call" in page.words
    assert "40 deals, each played 4 times (by default 10,000)" in page.words
    assert "railbird experiment small --hands 40 --seed 3" in page.words
    assert "as said." in page.words


def test_the_figure_stands_beside_the_claims(result, page, folder):
    assert page.data["curves"] == {"small": json.loads(json.dumps(curve_data(result.figure())))}
    assert figures_in(folder) == page.data["curves"]
    for finding in result.findings:
        assert [str(finding), "ahead", finding.measured, finding.outcome] in page.rows
    assert result.verdict in page.words
    for name, estimate in result.evidence.rates.items():
        assert page.row(name)[1].startswith(f"{estimate.mean:+.3f}")


def test_every_kind_of_study_says_who_plays():
    for study in STUDIES.values():
        words = study.who(study.chosen(()))
        assert words
        assert all(bot in words for bot, _ in getattr(study, "versions", ()))
    assert STUDIES["kan-4.1"].who(()) == "always-call, always-raise"
    assert STUDIES["kan-4.5"].who(("loki",)) == "loki against itself"


def test_hands_can_be_replayed(folder, page):
    links = [link for link in page.links if "#hand-" in link]
    assert len(links) == 8
    hands = Page((folder / "small-hands.html").read_text(encoding="utf-8")).hands
    records = {}
    for match in match_folders(folder):
        opened = MatchFolder.open(match)
        for leg in range(4):
            for record in opened.records(leg):
                records[f"{opened.log_path(leg)}", record.number] = record
    cards = hands["cards"].split(" ")
    assert len(cards) == len(records) == 160
    files, numbered = expanded(hands["file"]), expanded(hands["number"])
    for at, letters in enumerate(cards):
        record = records[hands["files"][files[at]], numbered[at]]
        found = [hands["cardLetters"].index(letter) for letter in letters]
        assert found == [card for hole in record.holes for card in hole] + list(record.board)
        won = [column[at] for column in hands["won"]]
        assert [*won, -sum(won)] == [chips / 2 for chips in record.payoffs]
        assert [hands["names"][n] for n in hands["seatings"][hands["seating"][at]]] == list(record.names)
        assert hands["histories"][hands["betting"][at]] == record.history
    largest = [f"#{link}" for link in hand_links(numbered)].index(links[0][links[0].index("#") :])
    best = max(max(record.payoffs) for record in records.values()) / 2
    assert max(*[column[largest] for column in hands["won"]], -sum(column[largest] for column in hands["won"])) == best


def test_of_many_hands_those_with_most_won_are_chosen(folder, tmp_path):
    matches = match_folders(folder)
    chosen, total = telling_hands(matches, most=10)
    everything, _ = telling_hands(matches)
    assert (len(chosen), len(everything), total) == (10, 160, 160)
    assert sorted(hand.won for hand in chosen) == sorted(hand.won for hand in everything)[-10:]
    assert [(hand.log, hand.line) for hand in chosen] == sorted((hand.log, hand.line) for hand in chosen)
    play_match("always-call", "always-raise", hands=20, folder=tmp_path / "a")
    play_match("always-call", "random", hands=20, folder=tmp_path / "b")
    both, _ = telling_hands(match_folders(tmp_path), most=4)
    assert [hand.match for hand in both] == ["a: always-call v always-raise"] * 5 + ["b: always-call v random"] * 5
    assert telling_hands(match_folders(tmp_path / "nothing")) == ([], 0)


def test_studies_without_hands_or_curves_have_pages_too(tmp_path):
    styles = run_study("piel-5", 12, progress=False)
    page = Page(write_experiment(styles, tmp_path / "piel").read_text(encoding="utf-8"))
    assert set(page.data["curves"]) == {"piel-5.1", "piel-5.2"}
    assert styles.verdict in page.words
    assert [path.name for path in sorted((tmp_path / "piel").iterdir())] == [SUMMARY, FIGURES, "piel-5.html"]


def test_other_players_are_in_the_command():
    study = STUDIES["kan-4.6"]
    assert command(study, 40, 2, study.players) == "railbird experiment kan-4.6 --hands 40 --seed 2"
    with_others = command(study, 40, 2, ("loki", "a b.py"))
    assert with_others == "railbird experiment kan-4.6 --hands 40 --seed 2 --player loki --player 'a b.py'"


def test_names_are_escaped(tmp_path):
    name = "</script><b>"
    spec = MatchSpec(limit_holdem(2), ("random", "random"), 40, 0, duplicate=True)
    won = np.random.default_rng(1).integers(-4, 5, (2, 40, 1)) * [1, -1]
    match = MatchResult.of(spec, won)
    game = RingGame(
        name="x", title=name, versions=(("random", 1), ("random", 1)), reported=name, claims=("random > 0",)
    )
    text = write_experiment(StudyResult(game, 40, 0, RingGameEvidence(game, match)), tmp_path).read_text(
        encoding="utf-8"
    )
    page = Page(text)
    assert page.data["curves"]["x"]["title"] == name
    assert page.words.count(name) >= 2
    assert text.count("<script") == text.count("</script") == 4


def test_the_index_lists_all_experiments(tmp_path):
    assert Page(write_index(tmp_path).read_text(encoding="utf-8")).links == ["#content"]
    ring = run_study("papp-8.1", 2, folder=tmp_path / "papp-8.1-2-seed1", progress=False)
    write_experiment(ring, tmp_path / "papp-8.1-2-seed1", has_index=True)
    for name, content in (("odd", "{"), ("other", '{"schema": "railbird.match/1"}'), ("list", "[1]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / SUMMARY).write_text(content)
    page = Page(write_index(tmp_path).read_text(encoding="utf-8"))
    assert page.links == ["#content", "papp-8.1-2-seed1/papp-8.1.html"]
    assert "1 run in this folder" in page.words
    assert sorted(row[0] for row in page.rows if row[0] != "experiment") == sorted(STUDIES)
    assert ring.verdict in next(row for row in page.rows if row[0] == "papp-8.1")[2]
    assert "railbird experiment kan-4.5" in next(row for row in page.rows if row[0] == "kan-4.5")[2]
    for heading in ("Papp 1998", "Piël 2006", "Kan 2007", "Our own"):
        assert heading in page.words
    back = Page((tmp_path / "papp-8.1-2-seed1" / "papp-8.1.html").read_text(encoding="utf-8"))
    assert "../index.html" in back.links


def test_nothing_comes_from_outside(text, folder):
    for each in (text, (folder / "small-hands.html").read_text(encoding="utf-8")):
        assert re.findall(r"https?:|@import|url\(|fetch\(", each) == []


# Data of pages


def test_lines_share_an_axis():
    lines = [
        Line("a", np.array([1.0, 3.0]), np.array([0.5, np.inf]), np.array([0.1, 0.2])),
        Line("b", np.array([2.0, 3.0]), np.array([1.0, 2.0]), colour="#D55E00", dashes="--"),
    ]
    found = curve_data(Figure("t", "x", "y", lines))
    assert found["x"] == [1, 2, 3]
    assert [line["y"] for line in found["lines"]] == [[0.5, None, None], [None, 1, 2]]
    assert [line["margin"] for line in found["lines"]] == [[0.1, None, 0.2], None]
    assert [(line["colour"], line["dashes"]) for line in found["lines"]] == [(None, ""), (1, "dashed")]
    assert curve_data(Figure("t", "x", "y", []))["x"] == []


def test_numbers_in_runs_are_the_same_numbers():
    rng = np.random.default_rng(4)
    for values in ([], [5], [0, 0, 0], [3, 4, 5, 2, 2, 9], rng.integers(-3, 4, 200).tolist(), list(range(10_000))):
        assert expanded(runs(np.array(values, np.int64))) == values
    assert runs(np.arange(10_000)) == [0, 1, 1, 9_999]
    assert json.dumps(numbers(np.array([1.0, -0.5, 0.33333, np.nan, np.inf]))) == "[1, -0.5, 0.3333, null, null]"
