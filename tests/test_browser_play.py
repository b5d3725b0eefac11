"""Play in a real browser: Debian's chromium, at the sizes of a phone and of a desktop, light and dark."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser import LOOKS, check_everywhere, check_look, look, serving, tab_to
from railbird.play.verified import verify_deals

pytest_plugins = ["browser_fixtures"]

KINDS = ("expert", "simulation", "loki", "yoki", "vexbot2", "equilibrium", "sparbot", "jagbot", "divat-baseline")
"""One bot of each kind; the others are variants of these. Vexbot plays in a test of its own."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    with serving(folder / "home", folder / "state") as found:
        yield found


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


def do(page: Page, choose) -> None:
    """Decide, and wait until the table shows it."""
    before = page.locator("#view").inner_html()
    choose(page)
    page.wait_for_function("before => document.getElementById('view').innerHTML !== before", arg=before)


def play_hand(page: Page, choose) -> None:
    """Play to the end of a hand."""
    for _ in range(60):
        if "n" in wait_for_turn(page):
            return
        do(page, choose)
    raise AssertionError("the hand does not end")


def call_by_key(page: Page) -> None:
    page.keyboard.press("c")


def test_a_hand_by_keys_on_a_desktop_with_the_panel_in_study_mode(visit, server):
    page = visit("/play")
    check_everywhere(page, "play")
    look(page, "desktop", "light")
    sit_down(page, "loki", study=True)
    wait_for_turn(page)
    expect(page.locator(".facts-line")).to_contain_text("first hand (0 in the log), limit, blinds 1/2")
    page.keyboard.press("l")
    play_hand(page, call_by_key)
    expect(page.locator("#news")).to_contain_text("win")
    do(page, lambda page: page.keyboard.press("n"))
    page.wait_for_function("() => document.querySelector('.facts-line').innerText.startsWith('hand 1')")
    play_hand(page, call_by_key)
    expect(page.locator(".inside .cells td")).to_have_count(169)
    expect(page.locator(".inside .insight h2")).to_contain_text("loki")
    page.get_by_text("Fair deals").click()
    expect(page.locator("#checked")).to_contain_text("was dealt as promised")
    check_everywhere(page, "table")
    [folder] = [path for path in server.home.iterdir() if "v-loki" in path.name]
    assert verify_deals(folder).is_right


def test_the_heat_map_moves_from_decision_to_decision(visit):
    page = visit("/play", look=True)
    sit_down(page, "loki", study=True)
    play_hand(page, call_by_key)
    while page.locator("[data-steps]").inner_text() in ("no decision yet", "decision 1 of 1"):
        do(page, lambda page: page.keyboard.press("n"))
        play_hand(page, call_by_key)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(
        """() => document.getElementById("inside").addEventListener("transitionrun", (event) => {
          window.moved ||= event.target.matches(".cells td") && event.propertyName === "background-color";
        })"""
    )
    page.locator(".inside [data-step='-1']").click()
    page.wait_for_function("() => window.moved")


def test_a_hand_by_touch_on_a_phone_and_the_bots_reasons_after_it(visit):
    page = visit("/play", "phone", "dark")
    sit_down(page, "vexbot")
    expect(page.locator("#inside")).to_be_hidden()
    page.get_by_role("button", name="Look inside").click()
    for _ in range(4):
        play_hand(page, lambda page: page.locator(".act-c").click())
        do(page, lambda page: page.get_by_role("button", name="Next hand").click())
    expect(page.locator(".insight")).to_be_visible()
    expect(page.locator(".by-action")).to_contain_text("value in small bets")
    wait_for_turn(page)
    check_everywhere(page, "inside")


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_a_table_is_set_played_and_left_by_keys_alone(visit, size, theme):
    page = visit("/", size, theme)
    tab_to(page, "nav a[href='/play']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play")
    tab_to(page, "select[name=bot]")
    page.keyboard.type("always-c")
    tab_to(page, "button.main")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/*")
    play_hand(page, call_by_key)
    expect(page.locator(".made")).to_contain_text(re.compile("win|split"))
    check_look(page, f"by-keys-{theme}")
    tab_to(page, ".settings summary")
    page.keyboard.press("Enter")
    tab_to(page, "[data-do=leave]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/match/**")
    expect(page.locator("h1")).to_contain_text("always-call")


def test_a_whole_hand_against_each_kind_of_bot(visit):
    page = visit("/play")
    for bot in KINDS:
        page.goto(page.url.split("/play")[0] + "/play")
        sit_down(page, bot)
        play_hand(page, call_by_key)
        expect(page.locator(".made"), bot).to_contain_text(re.compile("win|split"))


def test_amounts_are_typed_and_chosen_at_no_limit(visit):
    page = visit("/play", "phone")
    sit_down(page, "always-call", game="no-limit")
    wait_for_turn(page)
    page.keyboard.press("3")
    page.keyboard.type("00")
    assert page.locator("#amount").input_value() == "300"
    check_look(page, "no-limit-light")
    do(page, lambda page: page.keyboard.press("Enter"))
    page.wait_for_function("() => document.querySelector('.log').innerText.includes('you raise')")
    wait_for_turn(page)
    page.locator("[data-size]").last.click()
    most = page.locator("[data-size]").last.get_attribute("data-size")
    assert page.locator("#amount").input_value() == most
    page.locator("#amount").fill("1")
    page.locator(".act-r").click()
    expect(page.locator(".wrong:visible")).to_contain_text("1 cannot be bet here")


def test_after_a_refused_amount_the_table_goes_on(visit):
    page = visit("/play")
    sit_down(page, "always-call", game="no-limit")
    wait_for_turn(page)
    for amount in ("13", "14"):
        page.keyboard.type(amount)
        page.keyboard.press("Enter")
        expect(page.locator(".wrong:visible")).to_contain_text(f"{amount} cannot be bet here")
    page.keyboard.type("300")
    page.keyboard.press("Enter")
    expect(page.locator(".log")).to_contain_text("you raise")
    expect(page.locator(".wrong:visible")).to_have_count(0)
    wait_for_turn(page)
    page.locator("#amount").fill("1")
    page.locator(".act-r").click()
    expect(page.locator(".wrong:visible")).to_contain_text("1 cannot be bet here")
    do(page, lambda page: page.locator(".act-c").click())
    play_hand(page, call_by_key)


_IN_EACH_OTHERS_WAY = """() => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const all = [...document.querySelectorAll(".felt .place, .felt .chips, .felt .middle")].map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { name: `${each.className} ${each.parentElement.className}`, left, right, top, bottom };
  });
  const isOut = (one) =>
    one.left < felt.left || one.right > felt.right || one.top < felt.top || one.bottom > felt.bottom;
  const meet = (one, other) => Math.min(one.right, other.right) > Math.max(one.left, other.left)
    && Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top);
  const met = (one, at) => all.slice(at + 1).filter((other) => meet(one, other)).map((other) => [one.name, other.name]);
  return [...all.filter(isOut).map((one) => `${one.name} hangs over the rail`), ...all.flatMap(met)];
}"""


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
def test_nothing_on_the_felt_is_in_the_way_of_something_else(visit, seats):
    page = visit("/play")
    sit_down(page, *["always-raise"] * (seats - 1), game="no-limit:stack=2000")
    wait_for_turn(page)
    assert page.evaluate(_IN_EACH_OTHERS_WAY) == []
    page.keyboard.press("l")
    assert page.evaluate(_IN_EACH_OTHERS_WAY) == []
    alone = (
        "all => all.filter(one => !one.previousElementSibling).map(one => getComputedStyle(one, '::before').content)"
    )
    assert set(page.locator(".stack").evaluate_all(alone)) <= {"none"}


def test_ten_at_a_table_and_the_focus_stays_on_the_actions(visit):
    page = visit("/play", "phone")
    sit_down(page, *["always-call"] * 9)
    wait_for_turn(page)
    check_everywhere(page, "ring")
    assert page.locator(".place").count() == 10
    page.locator(".act-c").focus()
    before = page.locator(".log").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.querySelector('.log').innerText !== before", arg=before)
    wait_for_turn(page)
    assert page.evaluate("document.activeElement.closest('.actions') !== null")


def test_a_hand_goes_on_after_a_reload_and_after_the_server_was_killed(visit, server):
    page = visit("/play", "desktop", "dark", four=True)
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
    expect(page.locator("#connection")).to_be_hidden()
    wait_for_turn(page)
    again = page.locator(".own .face").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert again == cards
    play_hand(page, call_by_key)
    # A browser says on its console that it could not connect.
    assert all("ERR_CONNECTION" in complaint or "WebSocket" in complaint for complaint in visit.complaints)
    visit.complaints.clear()
