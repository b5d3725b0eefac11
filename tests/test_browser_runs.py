"""A run in the laboratory while it is watched: what its page is told takes nothing away from whoever uses it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import check_everywhere, serving
from railbird.formats.games import read_game
from railbird.play.tournament import TournamentSpec, run_tournament
from runs_at_hand import running, show_hands

pytest_plugins = ["browser_fixtures"]
BOTS = ("always-call", "random", "always-raise", "always-fold")
WORDS = ("tournament", *BOTS[:3], "--hands", "300", "--seed", "7")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    with serving(folder / "home", folder / "state") as found:
        yield found


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament of pairs, and one at tables of three, which runs show as far as a test wants."""
    found = {}
    for seats, bots in ((2, BOTS[:3]), (3, BOTS)):
        found[seats] = tmp_path_factory.mktemp("played") / "tournament"
        run_tournament(found[seats], TournamentSpec(read_game("limit", seats), bots, 300, 7))
    return found


def say(page, folder, words):
    """The run says something more; wait until the page has it."""
    (folder / "output.txt").write_text(words)
    expect(page.locator(".output")).to_have_text(words)


def test_a_button_that_is_held_down_while_the_page_changes_does_what_it_says(visit, server, played):
    with running(server.home, "held", *WORDS) as (folder, process):
        page = visit("/laboratory/run/held")
        page.get_by_role("button", name="Stop").hover()
        page.mouse.down()
        say(page, folder, "further")
        show_hands(played[2], folder / "hands", 40)
        page.locator("[data-curve] canvas").wait_for()
        assert process.poll() is None
        page.mouse.up()
        expect(page.locator("#badge")).to_have_text("stopped")
        assert process.wait(10) != 0


def test_a_link_that_is_held_down_while_the_page_changes_leads_there(visit, server, played):
    with running(server.home, "linked", *WORDS) as (folder, _):
        show_hands(played[2], folder / "hands", 40)
        page = visit("/laboratory/run/linked")
        page.get_by_role("link", name="random v always-raise").hover()
        page.mouse.down()
        (folder / "output.txt").write_text("further")
        expect(page.locator(".output")).to_have_text("further", use_inner_text=False)
        page.mouse.up()
        page.wait_for_url("**/review/match/runs/linked/**")


def test_a_button_does_not_become_another_one_under_the_mouse(visit, server):
    with running(server.home, "turned", *WORDS) as (_, process):
        page = visit("/laboratory/run/turned")
        page.get_by_role("button", name="Stop").hover()
        page.mouse.down()
        process.kill()
        expect(page.get_by_role("button", name="Go on")).to_be_visible()
        page.mouse.up()
        expect(page.locator("#badge")).to_have_text("stopped")


def test_the_focus_stays_where_it_was(visit, server, played):
    with running(server.home, "focused", *WORDS) as (folder, process):
        page = visit("/laboratory/run/focused", "phone")
        stop = page.get_by_role("button", name="Stop")
        stop.focus()
        say(page, folder, "further")
        expect(stop).to_be_focused()
        show_hands(played[2], folder / "hands", 40)
        curve = page.locator("[data-curve]")
        curve.locator("canvas").wait_for()
        expect(stop).to_be_focused()
        curve.focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".tip")).to_contain_text("pairs of each match: 30")
        show_hands(played[2], folder / "hands", 60)
        expect(page.locator("#numbers")).to_contain_text("180 of 900 duplicate pairs")
        expect(curve).to_be_focused()
        expect(curve.locator("canvas")).to_have_count(1)
        expect(page.locator(".output")).to_be_visible()  # as it was unfolded when there were no numbers yet
        page.locator("#said summary").click()
        show_hands(played[2], folder / "hands", 300)
        expect(page.locator("#numbers")).to_contain_text("300 duplicate pairs each")
        expect(page.locator(".output")).to_be_hidden()
        stop.focus()
        process.kill()
        expect(page.get_by_role("link", name="To its reviews")).to_be_focused()


def test_a_part_of_a_curve_that_is_looked_at_stays(visit, server, played):
    with running(server.home, "zoomed", *WORDS) as (folder, _):
        show_hands(played[2], folder / "hands", 200)
        page = visit("/laboratory/run/zoomed")
        box = page.locator(".u-over").bounding_box()
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 50)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 50, steps=5)
        page.mouse.up()
        show_hands(played[2], folder / "hands", 300)
        expect(page.locator("#numbers")).to_contain_text("300 duplicate pairs each")
        page.mouse.move(box["x"] + 0.99 * box["width"], box["y"] + 60)
        told = page.locator(".tip b").first
        expect(told).to_be_visible()
        assert 120 < int(told.inner_text()) < 140  # 30 to 200 were shown, of which this is the end of what was chosen


@pytest.mark.parametrize("seats", [2, 3])
def test_a_tournament_is_watched(visit, server, played, seats):
    words = ("tournament", *BOTS[: seats + 1], "--seats", str(seats), "--hands", "300")
    with running(server.home, f"watched-{seats}", *words) as (folder, process):
        page = visit(f"/laboratory/run/watched-{seats}")
        expect(page.locator("#words")).to_contain_text("Nothing was played")
        hands = folder / "hands"
        show_hands(played[seats], hands, 0)
        first = sorted(each.name for each in played[seats].iterdir() if each.is_dir())[0]
        show_hands(played[seats] / first, hands / first, 100)
        page.locator("[data-curve] canvas").wait_for()
        expect(page.locator("#numbers")).to_contain_text("no hands yet of")
        expect(page.locator(".legend")).not_to_contain_text(BOTS[seats])
        check_everywhere(page, f"tournament-begun-{seats}")
        show_hands(played[seats], hands, 200)
        expect(page.locator("#numbers")).to_contain_text("rating")
        expect(page.locator(".legend")).to_contain_text(BOTS[seats])
        check_everywhere(page, f"tournament-running-{seats}")
        show_hands(played[seats], hands, 300)
        process.kill()
        expect(page.locator("#badge")).to_have_text("complete")
        expect(page.get_by_role("button", name="Go on")).to_have_count(0)
        page.get_by_label("Deals in all").fill("300")
        page.get_by_role("button", name="Play on").click()
        expect(page.locator("#remark")).to_contain_text("write more than 300")
        check_everywhere(page, f"tournament-complete-{seats}")
