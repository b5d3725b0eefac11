"""The report of an assessment: its numbers, its replays, and that it needs nothing from outside."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from railbird.assess.leaks import leaks
from railbird.assess.settings import parse_settings
from railbird.errors import RailbirdError
from railbird.play.match_logs import read_hand_arrays
from railbird.report import assessment
from railbird.report.assessment import MEASURE_WORDS, report_page, write_picture, write_report
from railbird.results import figures
from railbird.statistics import Estimate
from railbird.words import further
from test_leaks import LOG, example_summary, random_summary, read_lines

VOID = {"meta", "br"}


class Page(HTMLParser):
    """A page's elements: checks that they are closed in order, and keeps tables, identifiers and links."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.add(tag)
        assert not {"src", "onclick", "onload"} & set(found)
        if "id" in found:
            self.ids.append(found["id"])
        if "href" in found:
            self.links.append(found["href"])
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.words += data
            if {"td", "th"} & set(self.open):
                self.rows[-1][-1] += data

    def row(self, name: str) -> list[str]:
        return next(row for row in self.rows if row[0] == name)


@pytest.fixture(scope="module")
def summary():
    return random_summary(read_hand_arrays([LOG]), 11)


@pytest.fixture(scope="module")
def text(summary):
    return report_page([summary], summary.hands)


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def shown(estimate: Estimate) -> str:
    return f"{round(estimate.mean, 3) + 0.0:+.3f} ± {estimate.margin:.3f}"


def test_the_numbers_are_those_of_the_summary(summary, page):
    for measure in summary.values:
        estimate = summary.estimate(measure)
        assert page.row(MEASURE_WORDS[measure])[1:3] == [shown(estimate), f"{estimate.sd:,.3f}"]
    assert page.row("DIVAT")[3] == f"{summary.fewer_hands:,.1f}×"
    assert page.row("DIVAT")[4] == "1,000 hands"
    for street, name in enumerate(("preflop", "flop", "turn", "river")):
        luck = Estimate.of(summary.luck_by_street[:, street])
        assert page.row(name)[1:] == [shown(summary.street(street)), shown(luck)]
    points = next(row for row in page.rows if row[0] == "p2" and len(row) == 3)
    assert points[1:] == [shown(summary.points(1)), shown(summary.points(1, "evat"))]


def test_the_verdict_follows_divat(summary, page):
    estimate = summary.estimate("divat")
    assert f"DIVAT says {shown(estimate)} sb a hand for {summary.first} (95%)" in page.words
    assert ("do not settle who plays better" in page.words) != estimate.is_clear
    for player, shift in enumerate((50.0, -50.0)):
        found = summary.assessments[0]
        better = replace(found, actual=found.actual + shift * summary.sign[:, None])
        better.__dict__["position"] = found.position
        names = (summary.first, summary.second) if player == 0 else (summary.second, summary.first)
        words = Page(report_page([replace(summary, assessments=(better,))], summary.hands)).words
        assert f"{names[0]} played better than {names[1]}. DIVAT says" in words


def test_pairs_of_duplicate_play_decide_where_all_hands_are_paired(summary):
    found = summary.assessments[0]
    partners = np.arange(len(summary)) ^ 1
    paired = replace(found, hands=replace(found.hands, pair_of=partners))
    paired.__dict__["position"] = found.position
    other = replace(summary, assessments=(paired,))
    page = Page(report_page([other], other.hands))
    assert f"Duplicate DIVAT says {shown(other.estimate('duplicate_divat'))} sb a hand" in page.words
    fewer = (summary.estimate("money").sd / other.estimate("duplicate_divat").sd) ** 2 / 2
    assert page.row("duplicate DIVAT")[3:] == [f"{fewer:,.1f}×", "500 pairs"]


def test_the_leak_tables_are_those_of_the_leaks(summary, page):
    rows = [row for row in page.rows if len(row) == 5 and " of " in row[3]]
    expected = [
        [leak.words + leak.situation, shown(leak.per_hand), leak.occasions, leak.opportunities]
        for player in (0, 1)
        for leak in leaks(summary, player)
    ]
    assert [
        [row[0], row[1], *[int(part.replace(",", "")) for part in row[3].split(" of ")]] for row in rows
    ] == expected


def test_the_largest_hands_are_listed_and_each_has_a_replay(summary, page):
    replays = {identifier for identifier in page.ids if "-hand-" in identifier}
    linked = [link[1:] for link in page.links if "-hand-" in link]
    assert len(linked) == 40
    assert set(linked) == replays
    assert len(set(page.ids)) == len(page.ids)
    expected = []
    for measure, sign in (("luck", 1), ("luck", -1), ("divat", 1), ("divat", -1)):
        values = sign * summary.values[measure]
        expected += [f"pair-1-hand-{n + 1}" for n in sorted(range(len(values)), key=lambda n: (-values[n], n))[:10]]
    assert linked == expected
    assert all(link[1:] in page.ids for link in page.links if link.startswith("#p"))


def test_a_replay_has_the_published_numbers(tmp_path):
    summary = example_summary(tmp_path)
    page = Page(report_page([summary], summary.hands))
    for words in (
        "bRrC Alice bets, Bob raises, Alice raises, Bob calls",
        "kBrC Alice checks, Bob bets, Alice raises, Bob calls",
        "played +7.822, baseline +8.741, difference -0.919",
        "Alice left the baseline first: -0.919",
        # Alice is on the button in the second hand, so its values change sign.
        "played -6.903, baseline -8.741, difference +1.838",
        "Bob left the baseline first: -1.838",
        "Alice left the baseline first: +2.000",
        "Showdown: Alice has full house, tens full of twos; Bob has two pair, tens and fives",
        "Alice won 11 sb (110 chips)",
        "Alice folded; Bob won 6 sb (60 chips)",
    ):
        assert words in page.words
    # Kan 2007, Table 3.3 (with DIVAT.md's correction of the river): IHR, 7cHR, EHR and class.
    rows = [row for row in page.rows if row[0] == "Alice" and len(row) == 5]
    assert ["Alice", "0.9672", "0.9273", "0.9672", "M4"] in rows
    assert ["Alice", "0.9753", "0.9753", "0.9753", "M4"] in rows
    assert ["Alice", "0.8406", "0.7827", "0.8406", "M2"] in rows


def test_money_is_skill_luck_and_position_in_every_replay(page):
    found = re.findall(r"money (\S+) = DIVAT (\S+), luck (\S+) and position (\S+) together", page.words)
    assert len(found) == len([identifier for identifier in page.ids if "-hand-" in identifier])
    for money, *parts in found:
        assert float(money) == pytest.approx(sum(float(part) for part in parts), abs=0.0021)


def test_names_are_escaped_everywhere(tmp_path):
    names = ("<script>alert(1)</script>", '$\\frac{"&amp;')
    lines = [line.replace("p1", names[0]).replace("p2", names[1]) for line in LOG.read_text().splitlines()[4:54]]
    hands = read_lines(tmp_path, lines)
    assert set(hands.names) == set(names)
    summary = random_summary(hands, 5)
    text = report_page([summary], hands)
    page = Page(text)
    assert text.count("<script") == 1
    assert names[0] in page.words
    assert names[1] in page.words
    assert (
        unescape(re.search(r"<title>(.*?)</title>", text)[1]) == f"Skill and luck: {summary.first} v {summary.second}"
    )
    assert write_picture(tmp_path / "picture.png", summary).stat().st_size > 10_000


def test_nothing_comes_from_outside(text, page):
    assert "http" not in text
    assert "//" not in text.replace("</", "")
    assert not page.tags & {"link", "img", "iframe", "object", "embed", "base", "image"}
    assert all(link.startswith("#") for link in page.links)
    assert re.findall(r"url\(([^#])", text) == []
    assert "@import" not in text
    assert 'name="viewport"' in text
    # Drawings refer only to what is theirs.
    for used in re.findall(r"url\(#([^)]*)\)", text) + re.findall(r'<use href="#([^"]*)"', text):
        assert page.ids.count(used) == 1


def test_what_was_wrong_with_the_log_is_told(tmp_path):
    good = LOG.read_text().splitlines()[4:24]
    hidden = [line.replace(":5d5c|9hQd", ":5d5c|") for line in ["STATE:90:f:5d5c|9hQd:5|-5:p1|p2"]]
    hands = read_lines(tmp_path, [*good, "what is <this>", *["junk"] * 9, *hidden])
    assert (~hands.complete).sum() == 1
    summary = random_summary(hands.where(hands.complete), 5)
    page = Page(report_page([summary], hands))
    assert f"{hands.files[0]}:21: " in page.words
    assert "10 lines or files were left out." in page.words
    assert "1 hand with hidden hole cards could not be assessed." in page.words
    assert "the first 5 of 10" in page.words
    assert page.words.count("(left out)") == 5
    divat = np.append(summary.values["divat"], 0.5 if summary.first == "p1" else -0.5)
    assert page.row("runtime DIVAT")[1] == shown(Estimate.of(divat))
    assert "Nothing was wrong" not in page.words


def test_many_pairs_of_players(tmp_path, monkeypatch):
    monkeypatch.setattr(assessment, "MOST_PAIRS", 3)
    hands = read_lines(tmp_path, LOG.read_text().splitlines()[4:24])
    pairs = [random_summary(hands, 5)] * 5
    page = Page(report_page(pairs, hands))
    assert [identifier for identifier in page.ids if re.fullmatch(r"pair-\d+", identifier)] == [
        "pair-1",
        "pair-2",
        "pair-3",
    ]
    assert "2 more pairs of players with fewer hands are not shown." in page.words
    assert len(set(page.ids)) == len(page.ids)


def test_an_ensemble_says_so(summary):
    other = replace(summary.assessments[0], settings=parse_settings("standard:fold=faced"))
    other.__dict__["position"] = -0.1
    page = Page(report_page([replace(summary, assessments=(summary.assessments[0], other))], summary.hands))
    assert "The mean of 2 settings" in page.words
    assert "the pot with the bet that is faced" in page.words


def test_further_hands_are_the_same_number_as_on_the_terminal(summary):
    found = summary.assessments[0]
    divat = found.divat * summary.sign
    wanted = 0.7 * Estimate.of(divat).margin  # not clear, and not far from it
    closer = replace(found, actual=found.actual + ((wanted - divat.mean()) * summary.sign / 4)[:, None])
    closer.__dict__["position"] = found.position
    close = replace(summary, assessments=(closer,))
    estimate = close.estimate("divat")
    said = further(estimate, "hands").removesuffix(" needed").removeprefix("about ")
    assert f"About {said} would settle it" in Page(report_page([close], summary.hands)).words
    # Rounding to the nearest would have said less than is needed.
    assert int(said.split()[0].replace(",", "")) >= estimate.further_samples


def test_one_hand_and_no_hands_make_a_page(tmp_path):
    hands = read_lines(tmp_path, LOG.read_text().splitlines()[4:5])
    page = Page(report_page([random_summary(hands, 1)], hands))
    assert page.row("money")[1:3] == ["+2.000 ± ?", "–"]
    assert "0 assessed" in Page(report_page([], hands)).words


def test_report_and_picture_are_files(tmp_path, summary):
    path = write_report(tmp_path / "new" / "report.html", [summary], summary.hands)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert path.stat().st_size < 1_000_000
    assert write_picture(tmp_path / "new" / "p.png", summary).read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_is_refused_before_any_work(tmp_path: Path, summary, monkeypatch):
    monkeypatch.setattr(figures, "find_spec", lambda name: None)
    with pytest.raises(RailbirdError, match="matplotlib"):
        write_report(tmp_path / "report.html", [summary], summary.hands)
    assert list(tmp_path.iterdir()) == []
