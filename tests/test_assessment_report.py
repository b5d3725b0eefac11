"""The report of an assessment: its numbers, all its hands, and that it needs nothing from outside."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import fields, replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from railbird.assess.leaks import judged_together, leaks
from railbird.assess.replay import hand_steps
from railbird.assess.settings import parse_settings
from railbird.assess.summary import MEASURES
from railbird.play.match_logs import read_hand_arrays
from railbird.report import assessment
from railbird.report.assessment import report_page, write_picture, write_report
from railbird.report.pages import card_name
from railbird.statistics import Estimate
from railbird.words import favour, further
from test_leaks import LOG, example_summary, random_summary, read_lines

VOID = {"meta", "br", "input"}


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
        self.data = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.add(tag)
        self.is_data = found.get("id") == "data"
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
        if self.open[-1:] == ["script"] and self.is_data:
            self.data = json.loads(data)
        elif not {"style", "script"} & set(self.open):
            self.words += data.replace("\xa0", " ")
            if {"td", "th"} & set(self.open):
                self.rows[-1][-1] += data.strip("\n").replace("\ufe0e", "")

    @property
    def hands(self):
        return self.data["hands"]

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


def expanded(runs: list[int]) -> list[int]:
    """Numbers from steps and how often each is taken, as the page's script reads them."""
    found, value = [], 0
    for step, count in zip(runs[::2], runs[1::2]):
        for _ in range(count):
            value += step
            found.append(value)
    return found


# Words and numbers


def test_the_numbers_are_those_of_the_summary(summary, page):
    for measure in summary.values:
        estimate = summary.estimate(measure)
        _, value, whose, sd, *_ = page.row(MEASURES[measure].long_name)
        assert sd == f"{estimate.sd:,.3f}"
        if measure != "position":  # known exactly
            assert f"{value} sb/hand for {whose or 'either'}" == favour(estimate, summary.first, summary.second)
    assert page.row("DIVAT")[4:] == [f"{summary.fewer_hands:,.1f}×", "1,000 hands"]
    for street, name in enumerate(("preflop", "flop", "turn", "river")):
        luck = Estimate.of(summary.luck_by_street[:, street])
        assert page.row(name)[1:] == [shown(summary.street(street)), shown(luck)]
    points = next(row for row in page.rows if row[0] == "p2" and len(row) == 3)
    assert points[1:] == [shown(summary.points(1)), shown(summary.points(1, "evat"))]
    button = summary.sign < 0
    skill, luck, money = (Estimate.of(summary.values[each][button]) for each in ("divat", "luck", "money"))
    assert page.row("on the button")[1:] == [f"{button.sum():,}", shown(skill), shown(luck), shown(money)]


def test_every_measure_says_what_it_means(page):
    for name, measure in MEASURES.items():
        assert measure.meaning
        if name in ("before_rake", "aivat"):  # there is no rake, and nobody is known
            continue
        assert measure.meaning in page.words or measure.is_paired


def test_insight_comes_first_and_the_measures_last(page):
    order = ("settle who plays better", "Leaks", "The hands with most", "streets and positions", "All measures")
    places = [page.words.index(words) for words in order]
    assert places == sorted(places)


def test_the_verdict_follows_divat_and_says_for_whom(summary, page):
    estimate = summary.estimate("divat")
    assert f"DIVAT says {favour(estimate, 'p1', 'p2')} (95%)" in page.words
    assert ("do not settle who plays better" in page.words) != estimate.is_clear
    for player, shift in enumerate((50.0, -50.0)):
        found = summary.assessments[0]
        better = replace(found, actual=found.actual + shift * summary.sign[:, None])
        better.__dict__["position"] = found.position
        names = (summary.first, summary.second) if player == 0 else (summary.second, summary.first)
        words = Page(report_page([replace(summary, assessments=(better,))], summary.hands)).words
        assert f"{names[0]} played better than {names[1]}. DIVAT says +" in words
        assert f"sb/hand for {names[0]} (95%)" in words


def test_luck_is_told_beside_what_is_usual(summary, page):
    luck = summary.estimate("luck")
    usual = luck.margin * luck.count
    total = abs(luck.mean) * luck.count
    how = "no more than is usual" if total <= usual else "more than in nineteen of twenty matches so long"
    assert f"{total:,.1f} sb in all, {how} (up to {usual:,.1f} sb)." in page.words
    luckier = replace(summary)
    luckier.__dict__["luck"] = np.abs(summary.luck) + 1
    assert "The cards gave p1" in Page(report_page([luckier], summary.hands)).words
    assert "more than in nineteen of twenty" in Page(report_page([luckier], summary.hands)).words


def test_pairs_of_duplicate_play_decide_where_all_hands_are_paired(summary):
    found = summary.assessments[0]
    partners = np.arange(len(summary)) ^ 1
    paired = replace(found, hands=replace(found.hands, pair_of=partners))
    paired.__dict__["position"] = found.position
    other = replace(summary, assessments=(paired,))
    page = Page(report_page([other], other.hands))
    assert f"Duplicate DIVAT says {favour(other.estimate('duplicate_divat'), 'p1', 'p2')}" in page.words
    fewer = (summary.estimate("money").sd / other.estimate("duplicate_divat").sd) ** 2 / 2
    assert page.row("duplicate DIVAT")[4:] == [f"{fewer:,.1f}×", "500 pairs"]


def test_only_leaks_that_stand_out_are_listed_and_all_ways_are_at_the_end(summary, page):
    found = [(name, leak) for player, name in enumerate(("p1", "p2")) for leak in leaks(summary, player)]
    judged = judged_together([leak for _, leak in found])
    costly = sorted(
        [(leak.per_hand.mean, name, leak) for (name, _), leak in zip(found, judged) if leak.is_costly],
        key=lambda each: each[0],
    )
    assert all(leak.per_hand.claims == len(found) for leak in judged)
    listed = [
        row for row in page.rows if len(row) == 6 and row[0] in ("p1", "p2") and row[5].endswith(tuple("0123456789"))
    ]
    assert [row[:4] for row in listed] == [
        [name, leak.words, leak.situation, shown(leak.per_hand)] for _, name, leak in costly
    ]
    assert len(costly) < sum(leak.per_hand.is_clear and leak.per_hand.mean < 0 for _, leak in found)
    everything = [row for row in page.rows if len(row) == 6 and row[5].endswith("%")]
    assert [row[:3] for row in everything] == [
        [name, f"{leak.words}, {leak.situation}", shown(leak.per_hand)] for name, leak in found
    ]


def test_without_a_leak_it_says_so(tmp_path):
    hands = read_lines(tmp_path, LOG.read_text().splitlines()[4:34])
    page = Page(report_page([random_summary(hands, 3)], hands))
    assert re.search(r"None stands out: of \d+ ways in which the players left the baseline", page.words)


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
    divat = Estimate.of(np.append(summary.values["divat"], 0.5 if summary.first == "p1" else -0.5))
    assert f"{page.row('runtime DIVAT')[1]} sb/hand for {page.row('runtime DIVAT')[2]}" == favour(divat, "p1", "p2")
    assert "Nothing was wrong" not in page.words


def test_an_ensemble_says_so(summary):
    other = replace(summary.assessments[0], settings=parse_settings("standard:fold=faced"))
    other.__dict__["position"] = -0.1
    page = Page(report_page([replace(summary, assessments=(summary.assessments[0], other))], summary.hands))
    assert "The mean of 2 settings" in page.words
    assert "the pot with the bet that is faced" in page.words
    assert "seven-card hand rank" not in page.words


def test_a_rollout_by_the_seven_card_rank_is_told(summary):
    other = replace(summary.assessments[0], settings=parse_settings("standard:rollout=7chr"))
    page = Page(report_page([replace(summary, assessments=(other,))], summary.hands))
    assert "Pots before the flop are rolled out by the seven-card hand rank." in page.words


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
    assert page.row("money")[1:4] == ["+2.000 ± ?", "p1", "–"]
    assert page.data["curves"]["pair-1"]["lines"][1]["margin"] is None
    assert "0 assessed" in Page(report_page([], hands)).words


# Hands


def test_all_hands_are_in_the_page(summary, page):
    hands = page.hands
    numbers, lines = expanded(hands["number"]), expanded(hands["line"])
    cards, made = hands["cards"].split(" "), hands["shown"].split(" ")
    letters = hands["cardLetters"]
    assert len(cards) == len(summary) == 1_000
    for index in range(len(summary)):
        record = summary.hands.record(index)
        found = [letters.index(letter) for letter in cards[index]]
        assert found == [*record.holes[0], *record.holes[1], *record.board]
        assert (numbers[index], lines[index]) == (record.number, int(summary.hands.line[index]))
        assert [hands["names"][name] for name in hands["seatings"][hands["seating"][index]]] == list(record.names)
        assert hands["histories"][hands["betting"][index]] == record.history
        assert hands["won"][0][index] == record.payoffs[0] / record.game.small_bet
        assert (made[index] != "-") == record.final().is_showdown
    for measure in ("skill", "luck"):
        sums = np.array(hands[measure]).sum(axis=0) / 1000
        assert sums == pytest.approx(summary.values["divat" if measure == "skill" else "luck"], abs=0.00051)
    assert pytest.approx(summary.by_street, abs=0.0011) == np.array(hands["skill"]).T / 1000


def test_the_streets_are_those_of_the_replay_on_the_terminal(summary, page):
    hands = page.hands
    for index in range(0, 1_000, 53):
        _, steps = hand_steps(summary.assessments[0], index)
        for street in range(4):
            at = 4 * index + street
            if street >= len(steps):
                assert hands["baseline"][at] == hands["deviations"][at] == "."
                continue
            step = steps[street]
            assert hands["baselines"][hands["letters"].index(hands["baseline"][at])] == step.baseline
            names = [hands["classNames"][int(code)] for code in hands["classes"][2 * at : 2 * at + 2]]
            assert names == list(step.classes)
            if step.deviator < 0:
                assert hands["deviations"][at] == "."
            else:
                is_second = hands["letters"].index(hands["deviations"][at]) >= hands["deviationCodes"]
                first = 0 if summary.sign[index] > 0 else 1
                assert is_second == (step.deviator != first)


def test_the_betting_is_told_step_by_step(summary, page):
    hands = page.hands
    for index in range(0, 1_000, 17):
        record = summary.hands.record(index)
        steps = hands["steps"][hands["betting"][index]]
        parts = [re.fullmatch(r"(\d)([kbcrf])(\d+)", step).groups() for step in re.split("[ /]", steps)]
        put = list(record.game.blinds)
        for position, letter, chips in parts:
            put[int(position)] += int(chips)
            assert (int(chips) > 0) == (letter in "bcr")
        assert sum(put) == record.final().pot
        assert [letter for _, letter, _ in parts] == [
            "k" if action == "c" and not node.to_call else "b" if action == "r" and not node.level else action
            for node, action in ((node, str(action)[0]) for node, action in record.steps())
        ]


def test_points_of_the_line_lead_to_their_hands(summary, page):
    curve = page.data["curves"]["pair-1"]
    assert expanded(curve["hands"]) == list(range(1_000))
    assert curve["x"] == list(range(1, 1_001))
    money, skill = curve["lines"]
    assert money["y"][-1] == pytest.approx(summary.values["money"].sum(), abs=0.06)
    assert skill["y"][499] == pytest.approx(summary.values["divat"][:500].sum(), abs=0.06)
    assert skill["margin"][499] == pytest.approx(1.96 * 500**0.5 * summary.values["divat"][:500].std(), abs=0.06)


def test_leaks_lead_to_their_hands(summary, page, text):
    letters = dict(re.findall(r'data-leak="(\d:\w+)" data-words="([^"]*)"', text))
    found = [(name, leak) for player, name in enumerate(("p1", "p2")) for leak in leaks(summary, player)]
    assert len(letters) == len(found)
    for name, leak in found:
        [where] = [where for where, words in letters.items() if words == f"{name} {leak.words}, {leak.situation}"]
        street, codes = where.split(":")
        hands = page.hands["deviations"]
        assert sum(hands[at + int(street)] in codes for at in range(0, len(hands), 4)) == leak.occasions


def test_the_largest_hands_are_listed_and_lead_to_replays(summary, page):
    linked = [link for link in page.links if link.startswith("#hand-")]
    expected, detailed = [], set()
    for measure, sign in (("luck", 1), ("luck", -1), ("divat", 1), ("divat", -1)):
        values = sign * summary.values[measure]
        order = sorted(range(len(values)), key=lambda n: (-values[n], n))
        expected += order[:5]
        detailed |= set(order[:10])
    assert linked == [f"#hand-{summary.hands.numbers[n]}" for n in expected]  # what `railbird replay` takes
    assert {int(place) for place in page.hands["ranks"]} == detailed
    assert len(set(page.ids)) == len(page.ids)


def test_a_replay_has_the_published_numbers(tmp_path):
    summary = example_summary(tmp_path)
    hands = Page(report_page([summary], summary.hands)).hands
    # Kan 2007, section 3.4, for Alice: she is on the button in the second hand, so its values change sign.
    assert [hands["skill"][street][0] for street in range(4)] == [0, -919, 0, 0]
    assert [hands["skill"][street][1] for street in range(4)] == [0, 1838, 1273, 2000]
    # Kan 2007, Table 3.3 (with DIVAT.md's correction of the river): IHR, 7cHR and EHR.
    ranks = hands["ranks"]["0"]
    assert ranks[1][0] == [0.9672, 0.9273, 0.9672]
    assert ranks[3][0] == [0.9753, 0.9753, 0.9753]
    assert hands["classes"][:8] == "11" + "53" + "43" + "52"
    assert [hands["rankNames"][int(name)] for name in hands["shown"].split(" ")[0].split(",")] == [
        "full house, tens full of twos",
        "two pair, tens and fives, jack kicker",
    ]
    assert hands["won"] == [[11, 6]]


def test_money_is_skill_luck_and_position_in_every_hand(summary, page):
    hands = page.hands
    for index in range(len(summary)):
        first = hands["seatings"][hands["seating"][index]].index(hands["pairs"][0]["first"])
        money = hands["won"][0][index] * (1 if first == 0 else -1)
        parts = sum(hands[measure][street][index] for measure in ("skill", "luck") for street in range(4)) / 1000
        assert money - parts == pytest.approx(summary.sign[index] * summary.assessments[0].position, abs=0.0011)


def test_of_very_many_hands_the_most_telling_are_kept(summary, monkeypatch):
    monkeypatch.setattr(assessment, "MOST_HANDS", 100)
    monkeypatch.setattr(assessment, "_MOST_POINTS", 50)
    page = Page(report_page([summary], summary.hands))
    numbers = expanded(page.hands["number"])
    assert 100 <= len(numbers) <= 130
    assert f"This page has {len(numbers)} of 1,000 hands" in page.words
    largest = np.argsort(-np.abs(summary.values["luck"]))[:30]
    assert set(summary.hands.numbers[largest].tolist()) <= set(numbers)
    linked = {int(link.removeprefix("#hand-")) for link in page.links if link.startswith("#hand-")}
    assert linked <= set(numbers)
    curve = page.data["curves"]["pair-1"]
    assert len(curve["x"]) == len(expanded(curve["hands"])) == 50
    assert curve["x"][-1] == 1_000
    assert curve["lines"][0]["y"][-1] == pytest.approx(summary.values["money"].sum(), abs=0.06)
    # Each point leads to the last hand up to it that the page has.
    kept = sorted(np.flatnonzero(np.isin(summary.hands.numbers, numbers)).tolist())
    for x, hand in zip(curve["x"], expanded(curve["hands"])):
        assert hand == max(0, sum(index < x for index in kept) - 1)


def test_ten_thousand_hands_are_less_than_two_megabytes(tmp_path, summary):
    lines = [line for line in LOG.read_text().splitlines() if line.startswith("STATE")]
    many = [re.sub(r"STATE:\d+", f"STATE:{n}", lines[n % len(lines)]) for n in range(10_000)]
    hands = read_lines(tmp_path, many)
    # Other cards and values, so that no two hands are alike.
    rng = np.random.default_rng(1)
    deals = np.argsort(rng.random((len(hands), 52)), axis=1).astype(np.uint8)
    hands = replace(hands, holes=deals[:, :4].reshape(-1, 2, 2), board=np.where(hands.board < 52, deals[:, 4:9], 255))
    found = summary.assessments[0]
    arrays = [field.name for field in fields(found) if isinstance(getattr(found, field.name), np.ndarray)]
    tiled = {name: np.concatenate([getattr(found, name)] * 10) for name in arrays}
    for name in ("actual", "baseline"):
        tiled[name] += rng.normal(size=(10_000, 4))
    whole = replace(found, hands=hands, **tiled)
    whole.__dict__["position"] = found.position
    pair = replace(summary, assessments=(whole,), sign=np.concatenate([summary.sign] * 10))
    path = write_report(tmp_path / "report.html", [pair], hands)
    assert len(Page(path.read_text(encoding="utf-8")).hands["cards"].split(" ")) == 10_000
    assert path.stat().st_size < 2_000_000


def test_many_pairs_of_players(tmp_path, monkeypatch):
    monkeypatch.setattr(assessment, "MOST_PAIRS", 3)
    hands = read_lines(tmp_path, LOG.read_text().splitlines()[4:24])
    pairs = [random_summary(hands, 5)] * 5
    page = Page(report_page(pairs, hands))
    sections = [identifier for identifier in page.ids if re.fullmatch(r"pair-\d+", identifier)]
    assert sections == ["pair-1", "pair-2", "pair-3"]
    assert "2 more pairs of players with fewer hands are not shown." in page.words
    assert len(set(page.ids)) == len(page.ids)
    assert expanded(page.hands["pair"]) == [0] * 20 + [1] * 20 + [2] * 20
    assert expanded(page.data["curves"]["pair-2"]["hands"]) == list(range(20, 40))


# The page


def test_names_are_escaped_everywhere(tmp_path):
    names = ("</script><script>alert(1)</script>", '$\\frac{"&amp;<!--')
    lines = [line.replace("p1", names[0]).replace("p2", names[1]) for line in LOG.read_text().splitlines()[4:54]]
    hands = read_lines(tmp_path, lines)
    assert set(hands.names) == set(names)
    summary = random_summary(hands, 5)
    text = report_page([summary], hands)
    page = Page(text)
    assert text.count("<script") == 4
    assert text.count("</script") == 4
    assert "<!--" not in text
    assert names[0] in page.words
    assert names[1] in page.words
    assert page.hands["names"] == [summary.first, summary.second]
    title = unescape(re.search(r"<title>(.*?)</title>", text)[1])
    assert title == f"Skill and luck: {summary.first} v {summary.second}"
    assert write_picture(tmp_path / "picture.png", summary).stat().st_size > 10_000


def test_nothing_comes_from_outside(text, page):
    assert re.findall(r"https?:|wss?:|@import|fetch\(|XMLHttpRequest", text) == []
    assert not page.tags & {"link", "img", "iframe", "object", "embed", "base", "image"}
    assert all(link.startswith("#") for link in page.links)
    assert re.findall(r"url\(", text) == []
    assert 'name="viewport"' in text
    assert "default-src 'none'" in text
    assert "uPlot, copyright (c) Leon Sorokin, MIT licence" in text
    assert set(page.data["curves"]) == set(re.findall(r'data-curve="([^"]*)"', text))
    assert all(link[1:] in page.ids for link in page.links if not link.startswith("#hand-"))


def test_cards_are_told_to_readers_who_do_not_see_them(summary, text):
    luckiest = int(np.argmax(summary.values["luck"]))
    for card in (card for hole in summary.hands.record(luckiest).holes for card in hole):
        assert f'title="{card_name(card)}"' in text


def test_report_and_picture_are_files(tmp_path, summary):
    path = write_report(tmp_path / "new" / "report.html", [summary], summary.hands)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert write_picture(tmp_path / "new" / "p.png", summary).read_bytes().startswith(b"\x89PNG")


def test_the_report_needs_no_matplotlib(tmp_path: Path, summary, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert write_report(tmp_path / "report.html", [summary], summary.hands).stat().st_size > 100_000
