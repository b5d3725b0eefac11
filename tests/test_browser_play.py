"""Play in a real browser: Debian's chromium, at the sizes of a phone and of a desktop, light and dark.

With `RAILBIRD_SHOTS=FOLDER` every page that is looked at is left there as a picture.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from railbird.play.verified import verify_deals

SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
SHOTS = os.environ.get("RAILBIRD_SHOTS")
WAIT = 60_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "railbird", "serve", str(folder / "home"), "--no-browser", "--port", str(port)]
    environment = os.environ | {"RAILBIRD_STATE": str(folder / "state")}

    def start() -> subprocess.Popen:
        process = subprocess.Popen([*command, "-w", "1"], env=environment, stdout=subprocess.PIPE, text=True)
        assert "Railbird is at" in process.stdout.readline()
        return process

    found = Server(f"http://127.0.0.1:{port}", folder / "home", start)
    yield found
    found.kill()


class Server:
    """A server that can be killed and begin again."""

    def __init__(self, address: str, home: Path, start) -> None:
        self.address, self.home, self._start = address, home, start
        self.process = start()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def begin_again(self) -> None:
        self.process = self._start()


@pytest.fixture(scope="module")
def chromium():
    path = shutil.which("chromium")
    assert path, "chromium is missing; .ci/run installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, server):
    """Pages of a new visitor, in which nothing may go wrong unless a test says so."""
    contexts, complaints = [], []

    def visited(size: str, theme: str, **settings) -> Page:
        width, height = SIZES[size]
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
        )
        contexts.append(context)
        kept = {"pace": "0", **settings}
        context.add_init_script(
            f"localStorage.getItem('railbird-table') || localStorage.setItem('railbird-table', '{json.dumps(kept)}')"
        )
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        reached(page, server)
        return page

    visited.complaints = complaints
    yield visited
    for context in contexts:
        context.close()
    assert not complaints


def reached(page: Page, server: Server) -> None:
    """Go to the room, once the server answers."""
    for _ in range(300):
        try:
            page.goto(f"{server.address}/play")
            return
        except Exception as error:
            if "ERR_CONNECTION_REFUSED" not in str(error):
                raise
            page.wait_for_timeout(100)
    raise AssertionError("the server does not answer")


def shot(page: Page, name: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the screen"
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


def sit_down(page: Page, *bots: str, game: str = "limit", study: bool = False) -> None:
    if len(bots) > 1:
        page.get_by_text("More bots, and other people").click()
    for place, bot in enumerate(bots):
        page.locator("select[name=bot]").nth(place).select_option(bot)
    page.get_by_label("Game").select_option(game)
    if study:
        page.get_by_label("Study mode").check()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/play/*")


def wait_for_turn(page: Page) -> str:
    """Wait for a decision or the end of a hand; which keys there are."""
    page.locator("#view [data-key]:not([aria-disabled])").first.wait_for()
    return "".join(page.locator("#view [data-key]").evaluate_all("all => all.map(one => one.dataset.key)"))


def play_hand(page: Page, choose) -> None:
    """Play to the end of a hand."""
    hand = page.locator(".facts-line").inner_text() if page.locator(".facts-line").count() else ""
    for _ in range(60):
        if "n" in wait_for_turn(page):
            return
        before = page.locator("#view").inner_html()
        choose(page)
        page.wait_for_function("before => document.getElementById('view').innerHTML !== before", arg=before)
    raise AssertionError(f"no end: {hand}")


def test_a_hand_by_keys_on_a_desktop_with_the_panel_in_study_mode(visit, server):
    page = visit("desktop", "light")
    shot(page, "play-desktop-light")
    sit_down(page, "loki", study=True)
    wait_for_turn(page)
    page.keyboard.press("l")
    play_hand(page, lambda page: page.keyboard.press("c"))
    shot(page, "table-desktop-light")
    expect(page.locator("#news")).to_contain_text("win")
    page.keyboard.press("n")
    page.wait_for_function("() => document.querySelector('.facts-line').innerText.startsWith('hand 1')")
    play_hand(page, lambda page: page.keyboard.press("c"))
    expect(page.locator(".inside .cells td")).to_have_count(169)
    expect(page.locator(".inside .insight h2")).to_contain_text("loki")
    shot(page, "inside-desktop-light")
    page.get_by_text("Fair deals").click()
    expect(page.locator("#checked")).to_contain_text("was dealt as promised")
    [folder] = [path for path in server.home.iterdir() if "v-loki" in path.name]
    assert verify_deals(folder).is_right


def test_a_hand_by_touch_on_a_phone_and_the_bots_reasons_after_it(visit):
    page = visit("phone", "dark")
    shot(page, "play-phone-dark")
    sit_down(page, "vexbot")
    expect(page.locator("#inside")).to_be_hidden()
    page.get_by_role("button", name="Look inside").click()
    wait_for_turn(page)
    shot(page, "table-phone-dark")
    for _ in range(4):
        play_hand(page, lambda page: page.locator(".act-c").click())
        page.get_by_role("button", name="Next hand").click()
    expect(page.locator(".insight")).to_be_visible()
    expect(page.locator(".by-action")).to_contain_text("value in small bets")
    shot(page, "inside-phone-dark")


def test_amounts_are_typed_and_chosen_at_no_limit(visit):
    page = visit("phone", "light")
    sit_down(page, "always-call", game="no-limit")
    wait_for_turn(page)
    page.keyboard.press("3")
    page.keyboard.type("00")
    assert page.locator("#amount").input_value() == "300"
    shot(page, "no-limit-phone-light")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.log').innerText.includes('you raise')")
    wait_for_turn(page)
    page.locator("[data-size]").last.click()
    most = page.locator("[data-size]").last.get_attribute("data-size")
    assert page.locator("#amount").input_value() == most
    page.locator("#amount").fill("1")
    page.locator(".act-r").click()
    expect(page.locator(".wrong")).to_contain_text("1 cannot be bet here")


def test_ten_at_a_table_and_the_focus_stays_on_the_actions(visit):
    page = visit("phone", "light")
    sit_down(page, *["always-call"] * 9)
    wait_for_turn(page)
    shot(page, "ring-phone-light")
    page.set_viewport_size({"width": 1280, "height": 900})
    shot(page, "ring-desktop-light")
    assert page.locator(".place").count() == 10
    page.locator(".act-c").focus()
    before = page.locator(".log").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.querySelector('.log').innerText !== before", arg=before)
    wait_for_turn(page)
    assert page.evaluate("document.activeElement.closest('.actions') !== null")


def test_a_hand_goes_on_after_a_reload_and_after_the_server_was_killed(visit, server):
    page = visit("desktop", "dark", four=True)
    sit_down(page, "always-call")
    wait_for_turn(page)
    page.keyboard.press("c")
    page.wait_for_function("() => document.querySelector('.log').innerText.includes('you')")
    wait_for_turn(page)
    seen = page.locator(".log").inner_text()
    page.reload()
    wait_for_turn(page)
    cards = page.locator(".own .face").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert page.locator(".log").inner_text() == seen
    server.kill()
    expect(page.locator("#connection")).to_contain_text("The connection was lost")
    server.begin_again()
    expect(page.locator("#connection")).to_be_hidden(timeout=WAIT)
    wait_for_turn(page)
    again = page.locator(".own .face").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert again == cards
    play_hand(page, lambda page: page.keyboard.press("c"))
    shot(page, "table-desktop-dark")
    # A browser says on its console that it could not connect.
    assert all("ERR_CONNECTION" in complaint or "WebSocket" in complaint for complaint in visit.complaints)
    visit.complaints.clear()
