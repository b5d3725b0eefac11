"""Company in a real browser: chat between two people, advice by key and by button, and two ranges, painted."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import SIZES, check_everywhere, look, serving
from test_browser_play import call_by_key, play_hand, sit_down

pytest_plugins = ["browser_fixtures"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("company")
    with serving(folder / "home", folder / "state") as found:
        yield found


def test_two_people_talk(visit):
    ann, bob = visit("/play"), visit("/play", "phone", "dark")
    ann.get_by_label("Your name").fill("Ann")
    ann.locator("select[name=bot]").first.select_option("")
    ann.get_by_text("More bots, and other people").click()
    ann.get_by_label("Other people, by name").fill("Bob")
    ann.get_by_role("button", name="Sit down").click()
    link = ann.get_by_label("Link for Bob").input_value()
    ann.get_by_role("link", name="To the table").click()
    bob.goto(link)
    bob.get_by_role("button", name="Sit down").click()
    bob.locator(".felt").wait_for()
    ann.locator(".felt").wait_for()
    ann.keyboard.press("/")
    ann.keyboard.type("<img src=x onerror=alert(1)> good luck")
    ann.keyboard.press("Enter")
    expect(bob.get_by_role("log")).to_contain_text("Ann <img src=x onerror=alert(1)> good luck")
    bob.get_by_label("Say something to everybody at the table").fill("you too")
    bob.get_by_role("button", name="Say").click()
    expect(ann.get_by_role("log")).to_contain_text("Bob you too")
    assert ann.locator("#said img, #said script").count() == 0
    assert ann.locator("#said p").count() == 2
    ann.reload()
    expect(ann.locator("#said p")).to_have_count(2)
    expect(ann.locator(".felt")).to_be_visible()
    check_everywhere(ann, "chat")
    ann.evaluate(
        "for (let i = 0; i < 8; i++) { line.value = 'again'; document.getElementById('chat').requestSubmit(); }"
    )
    expect(ann.get_by_text("Too many lines; wait")).to_be_visible()
    ann.on("dialog", lambda dialog: dialog.accept())
    ann.get_by_text("Settings").click()
    ann.get_by_role("button", name="Close it for good").click()
    for page in (ann, bob):
        expect(page.get_by_text("This table is closed, and no hand was played")).to_be_visible()
        expect(page.get_by_label("What was said")).to_contain_text("Bob you too")
    check_everywhere(bob, "closed")


def test_advice_by_key_and_by_button(visit):
    page = visit("/play", advisor="loki")
    sit_down(page, "always-call")
    page.locator("#view [data-key=c]").wait_for()
    page.keyboard.press("?")
    advice = page.get_by_role("region", name="Advice")
    expect(advice.get_by_role("heading")).to_contain_text("loki")
    expect(advice.locator("table.cells")).to_be_visible()
    check_everywhere(page, "advice")
    for size in SIZES:
        page.keyboard.press("Escape")
        look(page, size, "light")
        page.evaluate("scrollTo(0, 0)")
        page.keyboard.press("?")
        expect(advice.locator("table.cells")).to_be_visible()
        for seen in (".board-cards", ".pot", ".own .hole", ".act-c", ".act-r", "#advice h2"):
            expect(page.locator(seen), f"{seen} on a {size}").to_be_in_viewport(ratio=1)
    look(page, "desktop", "light")
    page.keyboard.press("Escape")
    expect(advice).to_be_hidden()
    page.get_by_role("button", name="Advice").click()
    expect(advice.get_by_role("heading")).to_contain_text("loki")
    page.locator("#view [data-key=c]").click()
    expect(advice).to_be_hidden()


def test_words_of_advice_leave_room_for_the_button(visit):
    page = visit("/play")
    sit_down(page, "always-call")
    play_hand(page, call_by_key)
    page.keyboard.press("?")
    expect(page.get_by_text("ask when it is your turn")).to_be_visible()
    overlap = page.evaluate(
        """() => {
          const words = document.createRange(), close = document.querySelector("[data-close-advice]");
          words.selectNodeContents(document.querySelector("[data-advice]"));
          const button = close.getBoundingClientRect();
          return [...words.getClientRects()].some((line) => line.right > button.left && line.left < button.right
            && line.bottom > button.top && line.top < button.bottom);
        }"""
    )
    assert not overlap


def test_four_colours_or_two_hold_on_the_whole_page(visit):
    page = visit("/play")
    sit_down(page, "always-call")
    page.locator("#view [data-key=c]").wait_for()
    colours = """() => ["d", "c"].flatMap((suit) => ["card", "face"].map((kind) => {
      const card = document.createElement("span");
      card.className = `${kind} ${suit}`;
      document.querySelector(kind === "card" ? "[data-advice]" : "#view").append(card);
      return getComputedStyle(card).color;
    }))"""
    found = []
    for _ in range(2):
        diamond, on_the_felt, club, on_the_felt_too = page.evaluate(colours)
        assert (diamond, club) == (on_the_felt, on_the_felt_too)
        found.append((diamond, club))
        page.locator("[data-setting=four]").evaluate("field => field.click()")
    assert found[0] != found[1]


def test_a_bot_that_cannot_advise_says_so(visit):
    page = visit("/play", "phone", advisor="equilibrium")
    sit_down(page, "always-call", game="no-limit")
    page.locator("#view [data-key=c]").wait_for()
    page.keyboard.press("?")
    expect(page.get_by_text("'equilibrium' cannot advise")).to_be_visible()


def test_two_ranges_are_painted_and_meet(visit):
    page = visit("/explore")
    page.get_by_label("A range of yours").click()
    expect(page.get_by_role("heading", name="50.0% against 50.0%")).to_be_visible()
    own = page.get_by_role("group", name="Your range by classes of holdings")
    page.locator("[data-ranges=own] [data-range=none]").click()
    expect(page.get_by_role("alert")).to_contain_text("can be dealt together")
    first, last = own.locator("[data-class=AA]").bounding_box(), own.locator("[data-class=QQ]").bounding_box()
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5, steps=20)
    page.mouse.up()
    expect(page.locator("[name=own]")).not_to_have_value("none")
    page.locator("[name=own]").fill("QQ+, AKs")
    page.get_by_role("group", name="Opponent's range by classes of holdings").locator("[data-class=AA]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("[name=versus]")).not_to_have_value("")
    page.locator("[name=versus]").fill("22+, A2s+")
    page.locator("[name=board]").fill("3h4cJh")
    expect(page.get_by_role("heading", name="66.7% against 33.3%")).to_be_visible()
    # Leaving the field asks again; the answer comes while the mouse is still down on a class of the one before.
    suited = page.get_by_role("table", name="Your range, equity of each class").get_by_role("button", name="AKs")
    replaced = suited.element_handle()
    suited.hover()
    page.mouse.down()
    page.wait_for_function("button => !button.isConnected", arg=replaced)
    page.mouse.up()
    expect(page.locator("#holdings-own")).to_contain_text("AKs:")
    expect(suited).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#holdings-own")).to_contain_text("AA:")
    check_everywhere(page, "ranges")
    page.reload()
    expect(page.get_by_role("heading", name="66.7% against 33.3%")).to_be_visible()
    expect(page.get_by_label("A range of yours")).to_be_checked()
