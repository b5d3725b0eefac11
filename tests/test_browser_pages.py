"""Explorer, review and laboratory in a real browser: by mouse and keys, on a phone and a desktop, light and dark."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from browser import LOOKS, check_access, check_everywhere, look, serving, tab_to
from railbird.assess.card_luck import card_luck
from railbird.assess.settings import STANDARD
from railbird.assess.summary import assess_pairs
from railbird.papers.ring_games import RingGame
from railbird.papers.study import Asked
from railbird.play.match_logs import read_hand_arrays, read_hands
from railbird.play.matches import play_match
from railbird.report.assessment import write_report
from railbird.report.curves import curve_data
from railbird.report.experiments import write_experiment
from railbird.report.pages import write_page
from railbird.results.figures import Figure, Line
from railbird.web.advice import ADVICE, Advised, mark_advice
from railbird.web.paper_pages import papers

pytest_plugins = ["browser_fixtures"]

EXPERIMENT = RingGame(
    name="papp-8.4",
    title="Papp 1998, Figure 8.4: a short one",
    versions=(("always-raise", 1), ("random", 1), ("always-call", 1)),
    reported="as said",
    claims=("always-raise > random",),
)
PATHS = [
    *("/", "/explore", "/explore?cards=AdQc&board=3h4cJh&versus=QQ%2B%2C40%25", "/explore?own=22%2B&versus=QQ%2B"),
    *("/review", "/review/match/duel", "/review/match/ring"),
    *("/laboratory", "/laboratory/run/match-loki", "/laboratory/run/experiment-papp-8.4"),
    *(f"/laboratory/paper/{slug}" for slug in ("papp-1998", "kan-2007")),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    found = tmp_path_factory.mktemp("home")
    play_match("always-call", "always-raise", hands=30, seed=7, folder=found / "duel")
    play_match("always-call", "always-raise", hands=10, seed=7, duplicate=True, folder=found / "pairs")
    play_match("always-call", "always-raise", "random", "random", hands=40, seed=7, folder=found / "ring")
    play_match("always-call", "random", hands=60, seed=7, folder=_run(found, "match-loki", "match", "always-call"))
    folder = _run(found, "experiment-papp-8.4", "experiment", "papp-8.4")
    write_experiment(EXPERIMENT.run(Asked(10, 3, folder)), folder)
    return found


def _run(home, name, *arguments):
    """A run that ended: where its hands go."""
    folder = home / "runs" / name
    folder.mkdir(parents=True)
    told = {"schema": "railbird.run/1", "arguments": arguments, "pid": 2, "began": "2026-11-16T12:00:00"}
    (folder / "run.json").write_text(json.dumps(told))
    return folder / "hands"


@pytest.fixture(scope="module")
def server(home, tmp_path_factory):
    with serving(home, tmp_path_factory.mktemp("state")) as found:
        yield found


@pytest.mark.parametrize("path", PATHS)
def test_every_page_fits_and_can_be_read_by_everybody(visit, path):
    page = visit(path)
    if "cards=" in path:
        page.locator(".advice").first.wait_for()
    check_everywhere(page, re.sub(r"\W+", "-", path).strip("-") or "front")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(20, 24, 26)"  # dark, as the last was


def test_what_cannot_be_read_is_found(visit):
    page = visit("/")
    check_access(page, "front")
    page.evaluate("document.querySelector('.rooms p').style.color = '#dddddd'")
    with pytest.raises(AssertionError, match="color-contrast"):
        check_access(page, "front")
    page.evaluate("document.querySelector('.rooms p').removeAttribute('style')")
    page.evaluate("document.querySelector('[data-theme-toggle]').outerHTML = '<button></button>'")
    with pytest.raises(AssertionError, match="button-name"):
        check_access(page, "front")


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_every_room_by_click(visit, size, theme):
    page = visit("/", size, theme)
    for room in ("Play", "Explore", "Review", "Laboratory"):
        page.locator(".rooms").get_by_role("link", name=room).click()
        expect(page.locator("h1")).to_have_text(room)
        expect(page.locator("nav [aria-current]")).to_have_text(room)
        nav = page.locator("nav").bounding_box()
        for link in page.locator("nav a").all():
            assert link.bounding_box()["x"] + link.bounding_box()["width"] <= nav["x"] + nav["width"]
        page.locator(".brand a").click()
        page.locator(".rooms").wait_for()
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == {"light": "dark", "dark": "light"}[theme]
    page.get_by_role("link", name="Laboratory").first.click()
    for slug in papers():
        page.locator(f"a[href='/laboratory/paper/{slug}']").click()
        expect(page.locator(".study").first).to_be_visible()
        page.get_by_role("link", name="All papers").click()
        page.wait_for_url("**/laboratory#papers")
    page.get_by_role("link", name="match: always-call").click()
    page.locator("[data-curve] canvas").first.wait_for()
    page.get_by_role("link", name="always-call v random").click()
    page.locator("[data-list] a").first.click()
    expect(page.locator("#replay")).to_be_visible()


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_every_room_by_keys(visit, size, theme):
    page = visit("/", size, theme)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # to the content, past the rooms
    tab_to(page, "main a[href='/review']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/review")
    tab_to(page, "a[href='/review/match/duel']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/match/duel")
    for key in ("j", "j", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#replay-title")).to_contain_text("Hand 2")
    page.keyboard.press("End")
    expect(page.locator("[data-said]")).to_contain_text(re.compile("wins|split"))
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") != theme
    tab_to(page, "nav a[href='/laboratory']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/laboratory")
    tab_to(page, "[name=players]")
    page.keyboard.type("always-call, nobody")
    page.keyboard.press("Enter")
    expect(page.locator("#refused [role=alert]")).to_contain_text("no bot 'nobody'")
    tab_to(page, "a[href='/laboratory/run/experiment-papp-8.4']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/laboratory/run/**")
    tab_to(page, "[data-curve]")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tip").first).to_contain_text("hands played")


def test_explorer_by_mouse(visit):
    page = visit("/explore")
    for card in ("ace of diamonds", "queen of clubs", "3 of hearts", "4 of clubs", "jack of hearts"):
        page.get_by_role("button", name=card, exact=True).click()
    page.locator("#answer .quantities").wait_for()
    assert page.locator("[name=cards]").input_value() == "AdQc"
    assert page.locator("[name=board]").input_value() == "3h4cJh"
    page.locator("[data-ranges=versus] [data-range=none]").click()
    page.locator("#answer [role=alert]").wait_for()
    start, end = (page.locator(f"[data-ranges=versus] [data-class={name}]").bounding_box() for name in ("AA", "QQ"))
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 5, steps=12)
    page.mouse.up()
    page.wait_for_url(re.compile("versus=AA"))
    expect(page.locator("[name=versus]")).to_have_value("QQ+")
    again = visit(page.url, "phone")  # the address says it all
    assert again.locator("[data-ranges=versus] [data-class=KK][aria-pressed=true]").count() == 1
    numbers = [each.locator("#answer .quantities .number").all_inner_texts() for each in (page, again)]
    assert numbers[0] == numbers[1]
    assert numbers[0]
    expect(again.locator("[data-short]")).to_contain_text("strength")
    again.locator(".advice button", has_text="loki").first.click()
    again.locator("#why .reasons").wait_for()
    check_everywhere(again, "why")
    again.keyboard.press("Escape")
    assert not again.locator("#why").is_visible()


def test_explorer_by_keys(visit):
    page = visit("/explore?cards=AdQc", "phone", "dark")
    tab_to(page, "[data-card='51']")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.locator("[name=board]").input_value() == "Kh"
    tab_to(page, "[data-ranges=versus] [data-class=AA]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.locator("[data-ranges=versus] [data-class=AKs][aria-pressed=false]").wait_for()
    page.locator("[name=versus]").fill("QQ+")
    page.locator("[data-ranges=versus] [data-class=JJ][aria-pressed=false]").wait_for()
    assert page.locator("[data-ranges=versus] [data-class=QQ]").get_attribute("aria-pressed") == "true"


def test_replay_weighs_the_hands_asks_a_bot_and_links_to_its_step(visit):
    page = visit("/review/match/duel#hand-2-step-2")
    assert page.locator("#replay-title").inner_text().startswith("Hand 2")
    assert page.locator("[data-step]").input_value() == "2"
    expect(page.locator("[data-said]")).to_have_text("always-call calls 1 sb")
    expect(page.locator("[data-strength]").first).to_contain_text("wins")
    shares = [int(re.search(r"wins (\d+)", words)[1]) for words in page.locator("[data-strength]").all_inner_texts()]
    assert sum(shares) in (99, 100, 101)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == "#hand-2-step-3"
    page.locator("[data-asking] select").select_option("loki")
    page.locator("[data-advised] b").wait_for()
    assert page.locator("[data-advised]").inner_text().startswith("loki:")
    check_everywhere(page, "replay")
    look(page, "desktop", "light")
    page.locator("[data-go=last]").click()
    page.locator("[data-advised]", has_text="Nobody").wait_for()
    page.locator("[data-go=close]").click()
    page.wait_for_function("location.hash === ''")  # the event of closing comes a moment later
    page.locator("[data-list] th button", has_text="money").click()
    first = page.locator("[data-list] tbody tr:not(.gap) td").first.inner_text()
    page.locator("[data-filters] [name=text]").fill(first)
    page.locator("[data-summary]", has_text="1 of 30").wait_for()


def test_a_link_to_no_hand_says_so(visit):
    page = visit("/review/match/duel#hand-99")
    missing = page.locator("[data-missing]")
    expect(missing).to_have_text("There is no hand 99 on this page.")
    expect(missing).to_be_in_viewport()
    check_everywhere(page, "no-hand")
    page.evaluate("location.hash = '#hand-x%20<b>'")
    expect(missing).to_have_text("There is no hand x <b> on this page.")
    page.evaluate("location.hash = '#hand-0'")
    expect(page.locator("#replay-title")).to_contain_text("Hand 0:")
    expect(missing).to_be_hidden()
    # Another hand is opened before the browser has told that the first one is closed.
    page.evaluate("railbird.replay.hand && document.getElementById('replay').close(); railbird.openHand(5)")
    page.wait_for_timeout(100)
    assert page.evaluate("location.hash") == "#hand-5"
    page.keyboard.press("Escape")
    page.locator("[data-filters] [name=text]").fill("5")
    expect(page.locator("[data-summary]")).to_contain_text("1 of 30 hands.")


def test_hands_of_the_same_number_have_links_of_their_own(visit):
    page = visit("/review/match/pairs#hand-3-2")
    expect(page.locator("#replay-title")).to_contain_text("Hand 3:")
    second = page.locator("[data-said]").inner_text()
    page.locator("[data-go=last]").click()
    assert page.evaluate("location.hash").startswith("#hand-3-2-step-")
    page.evaluate("location.hash = '#hand-3'")
    expect(page.locator("#replay-title")).to_contain_text("Hand 3:")
    assert page.locator("[data-said]").inner_text() != second  # the seats have changed
    page.evaluate("location.hash = '#hand-3-3'")
    expect(page.locator("[data-missing]")).to_have_text("There is no hand 3-3 on this page.")


def test_lines_of_a_ring_lead_to_hands_and_show_one_player_alone(visit, home):
    page = visit("/review/match/ring")
    over = page.locator("[data-curve] .u-over")
    middle = {"x": over.bounding_box()["width"] / 2, "y": 60}
    over.hover(position=middle)
    tip = page.locator("[data-curve] .tip")
    expect(tip.locator(".nearest")).to_have_count(1)
    expect(tip.locator("i")).to_have_count(4)
    hand = re.search(r"hand (\d+)", tip.inner_text())[1]
    assert f"after {int(hand) + 1} hands" in tip.inner_text()
    over.click(position=middle)
    expect(page.locator("#replay-title")).to_have_text(f"Hand {hand}")
    assert page.evaluate("location.hash") == f"#hand-{hand}"
    page.keyboard.press("Escape")
    chosen = page.get_by_role("group", name="Show the lines of one player").get_by_role("button", name="always-raise")
    chosen.focus()
    page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_be_focused()
    over.hover(position=middle)
    expect(tip.locator("i")).to_have_count(2)
    assert re.search(r"always-raise, less luck [+-]\S+ ± \S+\n", tip.inner_text())
    assert re.search(r"always-raise, money [+-]\S+\n", tip.inner_text())
    check_everywhere(page, "ring-chosen")
    page.keyboard.press("Enter")
    page.locator("[data-curve]").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#replay-title")).to_be_visible()


def test_hands_of_a_ring_are_those_of_one_player(visit, home):
    page = visit("/review/match/ring")
    records = read_hands(home / "ring")
    page.locator("[name=player]").select_option("always-raise")
    won = [record.payoffs[record.names.index("always-raise")] / 2 for record in records]
    given = [luck[:, record.names.index("always-raise")].sum() / 2 for record, luck in zip(records, card_luck(records))]
    said = f"40 hands. Together always-raise won {sum(won):+.1f} sb, luck {sum(given):+.1f}."
    expect(page.locator("[data-summary]")).to_have_text(said)
    page.locator("[name=position]").select_option("SB")
    there = [record for record in records if record.names[0] == "always-raise"]
    expect(page.locator("[data-summary]")).to_contain_text(f"{len(there)} of 40 hands.")
    page.locator("[data-list] th button", has_text="money").click()
    largest = max(there, key=lambda record: record.payoffs[0])
    expect(page.locator("[data-list] tbody a").first).to_have_text(str(largest.number))
    page.locator("[data-list] tbody a").first.click()
    seats = [seat.bounding_box()["y"] for seat in page.locator("#replay [data-position]").all()]
    assert seats[0] == max(seats)  # who is looked at sits in front
    for _ in range(1 + largest.history.index("/")):
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-said]")).to_have_text("The flop; at each seat what it gave")
    expect(page.locator("#replay [data-position='0'] .made b")).to_have_text(re.compile(r"^[+-]\d+\.\d$"))
    check_everywhere(page, "ring-hand")


def test_a_replay_tells_what_was_advised_where_it_was_asked(visit, home):
    record = next(each for each in read_hands(home / "ring") if each.history.startswith("r"))
    asked = [node for node, _ in record.steps()][1]
    name = record.names[asked.to_act]
    mark_advice(home / "ring", Advised(record.number, asked.history, name, "loki", "raise: it <i>is</i> strong"))
    try:
        page = visit(f"/review/match/ring#hand-{record.number}")
    finally:
        (home / "ring" / ADVICE).unlink()
    told = page.locator("[data-asked]")
    expect(told).to_have_text("")
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text(f"{name} asked loki, who said raise: it <i>is</i> strong")
    check_everywhere(page, "advised")
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text("")
    page.keyboard.press("Escape")
    page.locator("[name=advice]").select_option("asked for")
    page.locator("[data-summary]", has_text="1 of 40").wait_for()


def test_a_page_in_a_file_links_to_steps_and_asks_nobody(visit, home, tmp_path):
    hands = read_hand_arrays(home / "duel")
    path = write_report(tmp_path / "report.html", assess_pairs(hands, [STANDARD]), hands)
    page = visit(f"{path.as_uri()}#hand-2-step-2")
    assert page.locator("[data-step]").input_value() == "2"
    page.keyboard.press("End")
    assert re.fullmatch(r"#hand-2-step-\d+", page.evaluate("location.hash"))
    assert page.locator("[data-asking]").count() == 0


def test_a_page_speaks_to_you(visit, home, tmp_path):
    lines = (home / "duel" / "hands.log").read_text().splitlines()
    log = tmp_path / "yours.log"
    log.write_text(next(line for line in lines if line.startswith("STATE:")).replace("always-call", "you") + "\n")
    hands = read_hand_arrays(log)
    page = visit(write_report(tmp_path / "report.html", assess_pairs(hands, [STANDARD]), hands).as_uri())
    expect(page.locator("[data-list] th[data-key=position]")).to_have_text("you are")
    expect(page.locator("[data-filters] label", has_text="you are")).to_have_count(1)
    expect(page.locator("[data-summary]")).to_contain_text("1 hand. Together")


def test_an_interval_that_is_alone_is_a_bar(visit, tmp_path):
    path = tmp_path / "one.html"
    line = Line("difference", np.array([100.0, 200.0, 300.0]), np.zeros(3), np.array([np.nan, np.nan, 0.5]))
    figure = Figure("One look", "pairs", "sb", [line])
    curves = {"one": curve_data(figure)}
    told = {"title": "One look", "facts": (), "verdict": "", "parts": []}
    write_page(path, "result.html", **told, curves=curves, figures={"one": figure})
    page = visit(path.as_uri())
    page.locator("canvas").wait_for()
    longest = page.evaluate(
        """() => {
          const canvas = document.querySelector("canvas");
          const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const blue = new Array(width).fill(0);
          for (let at = 0; at < data.length; at += 4)
            if (data[at + 3] > 200 && data[at + 2] > data[at] + 60) blue[(at / 4) % width]++;
          return Math.max(...blue) / height;
        }"""
    )
    assert longest > 0.4  # of the picture's height


def test_histories_are_brought(visit, home, tmp_path):
    page = visit("/review", "phone")
    bad = tmp_path / "bad.txt"
    bad.write_text("nothing\n")
    page.locator("[name=history]").set_input_files(bad)
    page.get_by_role("button", name="Review it").click()
    page.locator("#refused [role=alert]").wait_for()
    assert "bad.txt" in page.locator("#refused").inner_text()
    page.locator("[name=history]").set_input_files(home / "duel" / "hands.log")
    page.get_by_role("button", name="Review it").click()
    page.wait_for_url(re.compile("/review/upload/"))
    assert page.locator("h1").inner_text() == "always-call v always-raise"
    page.locator("[data-curve] canvas").first.wait_for()


def test_a_run_is_started_and_watched(visit):
    page = visit("/laboratory")
    form = page.locator("details.kind").first
    form.locator("[name=players]").fill("always-call, random")
    form.locator("[name=hands]").fill("200")
    form.get_by_role("button").click()
    page.wait_for_url(re.compile("/laboratory/run/"))
    page.locator(".badge", has_text="complete").wait_for()
    page.locator("[data-curve] canvas").first.wait_for()
    page.locator(".plot .legend").first.wait_for()
    page.get_by_role("link", name="always-call v random").click()
    page.wait_for_url(re.compile("/review/match/runs"))


def test_what_is_not_there_is_said_in_words(visit):
    page = visit("/nowhere", "phone", "dark")
    expect(page.locator("[role=alert]")).to_contain_text("There is nothing at '/nowhere'")
    assert all("404" in complaint for complaint in visit.complaints)
    visit.complaints.clear()
