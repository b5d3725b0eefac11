"""Reviews of matches and of histories that people bring, without a browser."""

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from railbird.play.match_logs import read_hands
from railbird.play.matches import play_match
from railbird.web import review
from railbird.web.advice import ADVICE, Advised, mark_advice
from railbird.web.app import make_app
from railbird.web.entering import PASS, pass_of
from railbird.web.guard import COOKIE
from railbird.web.reviewing import hidden_from
from railbird.web.serving import Password, Serving
from railbird.web.table_files import Seated, TableFile, hashed
from railbird.web.uploads import harmless_name, read_upload, uploads_in

DATA = Path(__file__).parent / "data"
MINE, OTHERS = "a" * 32, "b" * 32

pytest_plugins = ["web_fixtures"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    found = tmp_path_factory.mktemp("home")
    play_match("always-call", "always-raise", hands=40, seed=7, folder=found / "duel")
    play_match("always-call", "always-raise", "random", hands=20, seed=7, folder=found / "deep" / "ring")
    return found


@pytest.fixture(scope="module")
def public(home):
    serving = Serving(home, password=Password.of("long enough"), workers=1)
    with TestClient(make_app(serving), base_url="https://example.org") as found:
        yield found


def come_in(public, user):
    """Be somebody who knows the password."""
    public.cookies.clear()
    public.cookies.set(COOKIE, user, domain="example.org")
    public.cookies.set(PASS, pass_of(public.app.state.serving, user), domain="example.org")


def bring(client, name, data):
    """The answer to a file that is brought as the page's form does it."""
    token = re.search(r'X-Railbird-Form":"(\w+)', client.get("/review").text)[1]
    headers = {"X-Railbird-Form": token, "Origin": str(client.base_url), "HX-Request": "true"}
    return client.post("/review/upload", files={"history": (name, data)}, headers=headers)


def test_list_has_every_match(client):
    text = client.get("/review").text
    assert "/review/match/duel" in text
    assert "/review/match/deep/ring" in text
    assert "always-call v always-raise v random" in text


def test_review_of_a_match_is_the_report(client):
    answer = client.get("/review/match/duel")
    assert answer.status_code == 200
    page = answer.text
    assert "Leaks" in page
    assert 'data-asking="/explore/advice"' in page
    hands = data_of(page)["hands"]
    assert len(hands["cards"].split(" ")) == 40
    assert not re.search(r'<script>|<style>| style="| on\w+="', page)


def test_review_takes_more_luck_out_where_a_player_is_known(client):
    assert "AIVAT" in client.get("/review/match/duel").text


def data_of(page):
    """What the scripts of a page show."""
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])


def test_ring_games_have_lines_that_lead_to_hands(client):
    page = client.get("/review/match/deep/ring").text
    assert "luck by street" in page
    assert 'id="replay"' in page
    data = data_of(page)
    (curve,) = data["curves"].values()
    assert {line["of"] for line in curve["lines"]} == {"always-call", "always-raise", "random"}
    assert curve["hands"] == [0, 1, 1, 19]  # twenty points, each of which leads to its own hand
    assert all(line["margin"] for line in curve["lines"] if line["name"].endswith("less luck"))
    assert data["hands"]["unit"] == "sb"
    assert "advice" not in data["hands"]


@pytest.mark.parametrize("match", ["duel", "deep/ring"])
def test_what_was_advised_is_told_with_its_decision(client, home, match):
    told = [Advised(3, "c", "always-raise", "loki", "raise: a <b> hand"), Advised(3, "c", "always-call", "yoki")]
    for one in told:
        mark_advice(home / match, one)
    try:
        page = client.get(f"/review/match/{match}").text
    finally:
        (home / match / ADVICE).unlink()
    assert data_of(page)["hands"]["advice"] == [list(one) for one in told]
    assert "a <b> hand" not in page
    assert "data-asked" in page


def test_a_player_sees_what_he_was_advised_himself(public, home):
    """What others were told would tell of their cards."""
    mark_advice(home / "deep" / "ring", Advised(3, "c", "random", "loki", "fold: mine"))
    mark_advice(home / "deep" / "ring", Advised(3, "cc", "always-call", "loki", "raise: his"))
    people = (Seated(0, "always-call", "", hashed(OTHERS)), Seated(2, "random", "", hashed(MINE)))
    TableFile("ring", home / "deep" / "ring", people).write()
    try:
        come_in(public, MINE)
        page = public.get("/review/match/deep/ring").text
    finally:
        (home / "deep" / "ring" / "table.json").unlink()
        (home / "deep" / "ring" / ADVICE).unlink()
    assert [one[2] for one in data_of(page)["hands"]["advice"]] == ["random"]
    assert "raise: his" not in page


@pytest.mark.parametrize("path", ["%2e%2e%2f", "%2e%2e%2f%2e%2e%2fetc", "nothing", "duel/hands.log", "%00", "uploads"])
def test_nothing_but_matches_of_the_home(client, path):
    answer = client.get(f"/review/match/{path}")
    assert answer.status_code == 404
    assert "no match" in answer.text or "There is nothing at" in answer.text or "null" in answer.text


@pytest.mark.parametrize(
    "file", sorted((DATA / "phh").glob("*.phh*"))[:2] + sorted((DATA / "pokerstars").glob("*.txt"))[:2]
)
def test_a_history_of_any_format_is_reviewed(client, file):
    answer = bring(client, file.name, file.read_bytes())
    assert answer.status_code == 204, answer.text
    page = client.get(answer.headers["HX-Redirect"])
    assert page.status_code == 200, page.text
    assert file.name in page.text
    assert bring(client, file.name, file.read_bytes()).headers == answer.headers  # once, by what it holds


def test_a_bad_history_is_answered_with_file_and_line(client, home):
    before = len(uploads_in(home))
    answer = bring(client, "../my log.txt", "something else\n" + "STATE:x:y\n" * 3)
    assert answer.status_code == 200
    assert "my log.txt" in answer.text
    assert str(home) not in answer.text
    assert len(uploads_in(home)) == before


def test_what_is_wrong_in_a_good_history_is_told_on_its_page(client, home):
    log = (home / "duel" / "hands.log").read_text()
    brought = bring(client, "broken.log", re.sub("STATE:3:[^:]*", "STATE:3:xxxx", log)).headers["HX-Redirect"]
    page = client.get(brought).text
    assert re.search(r"broken\.log:\d+", page)
    assert str(home) not in page


def test_what_is_too_large_or_missing_is_refused(client, monkeypatch):
    assert "Choose a file" in bring(client, "", b"").text or bring(client, "", b"").status_code == 400
    monkeypatch.setattr(review, "MOST_BYTES", 1_000_000)
    assert "at most 1 MB" in bring(client, "large.txt", b"x" * 1_200_000).text


def test_an_upload_needs_the_pages_token(client):
    assert client.post("/review/upload", files={"history": ("a", b"b")}).status_code == 403


def test_of_a_public_server_everybody_sees_his_own_tables_and_histories(public, home):
    TableFile("duel", home / "duel", (Seated(0, "always-call", "", hashed(MINE)),)).write()
    try:
        come_in(public, MINE)
        text = public.get("/review").text
        assert "/review/match/duel" in text
        assert "deep/ring" not in text
        assert public.get("/review/match/duel").status_code == 200
        assert public.get("/review/match/deep/ring").status_code == 404
        brought = bring(public, "mine.log", (home / "duel" / "hands.log").read_bytes()).headers["HX-Redirect"]
        assert public.get(brought).status_code == 200
        come_in(public, OTHERS)
        assert "/review/match/duel" not in public.get("/review").text
        assert public.get("/review/match/duel").status_code == 404
        assert public.get(brought).status_code == 404
    finally:
        (home / "duel" / "table.json").unlink()
        read_upload(home, brought.rpartition("/")[2]).remove()


def test_eyes_see_their_own_cards_and_those_shown_down(home):
    for record in read_hands(home / "deep" / "ring"):
        seen = hidden_from(record, "random")
        end = record.final()
        for position, name in enumerate(record.names):
            is_open = name == "random" or (end.is_showdown and position in end.live)
            assert seen.holes[position] == (record.holes[position] if is_open else ())


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("..", "history.txt"),
        ("a\\b\\c.txt", "c.txt"),
        ("x\n<b>.log", "x__b_.log"),
        ("upload.json", "history-upload.json.txt"),
    ],
)
def test_names_of_files_are_harmless(name, kept):
    assert harmless_name(name) == kept
