"""Explorer, review and laboratory in a real browser: by mouse and keys, on a phone and a desktop, light and dark."""

import re
import shutil
import subprocess
import sys
import time
from http.client import HTTPConnection
from socket import create_server

import pytest
from playwright.sync_api import expect, sync_playwright

from railbird.assess.settings import STANDARD
from railbird.assess.summary import assess_pairs
from railbird.play.match_logs import read_hand_arrays
from railbird.play.matches import play_match
from railbird.report.assessment import write_report

SIZES = [(390, 844, "light"), (390, 844, "dark"), (1280, 900, "light"), (1280, 900, "dark")]
PATHS = [
    *("/explore?cards=AdQc&board=3h4cJh", "/review", "/review/match/duel", "/review/match/ring"),
    *("/laboratory", "/laboratory/paper/papp-1998"),
]
PATIENCE = 120_000
"""Milliseconds; only what never comes takes as long."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    found = tmp_path_factory.mktemp("home")
    play_match("always-call", "always-raise", hands=30, seed=7, folder=found / "duel")
    play_match("always-call", "always-raise", "random", hands=10, seed=7, folder=found / "ring")
    return found


@pytest.fixture(scope="module")
def address(home):
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "railbird", "serve", str(home), "--no-browser", "--port", str(port), "-w", "1"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def wait_for(port):
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", "/")
            assert connection.getresponse().status == 200
            return
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.fixture(scope="module")
def browser():
    path = shutil.which("chromium")
    assert path, "chromium is missing; .ci/run installs it"
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.fixture
def opened(browser):
    """Opens pages; in the end nothing may have gone wrong in any of them."""
    contexts, wrong = [], []

    def opening(url, width=1280, height=900, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(url)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.parametrize("path", PATHS)
def test_every_page_fits(opened, address, path):
    page = opened(address + path)
    assert page.locator("h1").count() == 1
    for width, height, scheme in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(20, 24, 26)" if scheme == "dark" else "rgb(251, 250, 247)")


def test_explorer_by_mouse(opened, address):
    page = opened(f"{address}/explore")
    for card in ("ace of diamonds", "queen of clubs", "3 of hearts", "4 of clubs", "jack of hearts"):
        page.get_by_role("button", name=card, exact=True).click()
    page.locator("#answer .quantities").wait_for()
    assert page.locator("[name=cards]").input_value() == "AdQc"
    assert page.locator("[name=board]").input_value() == "3h4cJh"
    page.locator("[data-range=none]").click()
    page.locator("#answer [role=alert]").wait_for()
    start, end = (page.locator(f"[data-class={name}]").bounding_box() for name in ("AA", "QQ"))
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 5, steps=12)
    page.mouse.up()
    page.wait_for_url(re.compile("versus=AA"))
    expect(page.locator("[name=versus]")).to_have_value("QQ+", timeout=PATIENCE)
    again = opened(page.url)  # the address says it all
    assert again.locator("[data-class=KK][aria-pressed=true]").count() == 1
    assert again.locator("#answer .quantities").inner_text() == page.locator("#answer .quantities").inner_text()
    again.locator(".advice button", has_text="loki").first.click()
    again.locator("#why .reasons").wait_for()
    again.keyboard.press("Escape")
    assert not again.locator("#why").is_visible()


def test_explorer_by_keys(opened, address):
    page = opened(f"{address}/explore?cards=AdQc", 390, 844)
    page.locator("[data-card='51']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.locator("[name=board]").input_value() == "Kh"
    page.locator("[data-class=AA]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.locator("[data-class=AKs][aria-pressed=false]").wait_for()
    page.locator("[name=versus]").fill("QQ+")
    page.locator("[data-class=JJ][aria-pressed=false]").wait_for()
    assert page.locator("[data-class=QQ]").get_attribute("aria-pressed") == "true"


def test_replay_asks_a_bot_and_links_to_its_step(opened, address):
    page = opened(f"{address}/review/match/duel#hand-3-step-2")
    assert page.locator("#replay-title").inner_text().startswith("Hand 2")
    assert page.locator("[data-step]").input_value() == "2"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == "#hand-3-step-3"
    page.locator("[data-asking] select").select_option("loki")
    page.locator("[data-advised] b").wait_for()
    assert page.locator("[data-advised]").inner_text().startswith("loki:")
    page.locator("[data-go=last]").click()
    page.locator("[data-advised]", has_text="Nobody").wait_for()
    page.locator("[data-go=close]").click()
    assert page.evaluate("location.hash") == ""
    page.locator("[data-list] th button", has_text="money").click()
    first = page.locator("[data-list] tbody tr:not(.gap) td").first.inner_text()
    page.locator("[data-filters] [name=text]").fill(first)
    page.locator("[data-summary]", has_text="1 of 30").wait_for()


def test_a_page_in_a_file_links_to_steps_and_asks_nobody(opened, home, tmp_path):
    hands = read_hand_arrays(home / "duel")
    path = write_report(tmp_path / "report.html", assess_pairs(hands, [STANDARD]), hands)
    page = opened(f"{path.as_uri()}#hand-3-step-2")
    assert page.locator("[data-step]").input_value() == "2"
    page.keyboard.press("End")
    assert re.fullmatch(r"#hand-3-step-\d+", page.evaluate("location.hash"))
    assert page.locator("[data-asking]").count() == 0


def test_histories_are_brought(opened, address, home, tmp_path):
    page = opened(f"{address}/review", 390, 844)
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


def test_a_run_is_started_and_watched(opened, address):
    page = opened(f"{address}/laboratory")
    form = page.locator("details.kind").first
    form.locator("[name=players]").fill("always-call, nobody")
    form.get_by_role("button").click()
    page.locator("#refused [role=alert]").wait_for()
    form.locator("[name=players]").fill("always-call, random")
    form.locator("[name=hands]").fill("200")
    form.get_by_role("button").click()
    page.wait_for_url(re.compile("/laboratory/run/"))
    page.locator(".badge", has_text="ended").wait_for()
    page.locator("[data-curve] canvas").first.wait_for()
    page.get_by_role("link", name="runs/match-always-call-random/hands").click()
    page.wait_for_url(re.compile("/review/match/runs"))
