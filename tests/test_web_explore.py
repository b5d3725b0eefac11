"""The explorer's answers, without a browser."""

import html
import re

import pytest
from starlette.testclient import TestClient

from railbird.odds.holding_odds import Odds
from railbird.odds.range_odds import range_odds
from railbird.web.app import make_app
from railbird.web.serving import Serving

PIECE = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    serving = Serving(tmp_path_factory.mktemp("home"), workers=1)
    with TestClient(make_app(serving), base_url="http://127.0.0.1") as found:
        yield found


def test_page_and_piece_say_the_same(client):
    address = "/explore?cards=AdQc&board=3h4cJh&versus=QQ%2B%2CAKs"
    page, piece = client.get(address), client.get(address, headers=PIECE)
    assert page.status_code == piece.status_code == 200
    assert piece.text.strip() in page.text
    share = Odds.parse("AdQc", "3h4cJh", "QQ+,AKs").equities[0].share
    assert f"{share:.1%}" in piece.text
    assert "<html" not in piece.text


def test_address_is_told_in_few_words(client):
    painted = ",".join(["AA", "KK", "QQ", "AKs:0.5"])
    answer = client.get("/explore", params={"cards": "AdQc", "versus": painted, "seats": "2"}, headers=PIECE)
    assert answer.headers["HX-Replace-Url"] == "/explore?cards=AdQc&versus=AA%2CKK%2CQQ%2CAKs%3A0.5"
    assert 'data-written="QQ+, AKs:0.5"' in answer.text


def test_what_is_missing_is_asked_for(client):
    assert "Choose two cards" in client.get("/explore").text
    assert "choose one more for the board" in client.get("/explore?cards=AdQc&board=3h4c", headers=PIECE).text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("cards=AdAd", "Ad appears twice"),
        ("cards=AdQcKh", "3 cards where 2 cards belong"),
        ("cards=AdQc&board=AdKcTh", "Ad appears twice"),
        ("cards=AdQc&versus=QQs", "a pair is neither suited nor offsuit"),
        ("cards=AdQc&versus=none", "no holding of the range"),
        ("cards=AdQc&seats=99", "a table has 2 to 10"),
        ("cards=" + "A" * 5000, "is too long"),
        ("cards=%3Cscript%3E", "is not a card"),
    ],
)
def test_bad_input_is_answered_in_words(client, query, words):
    page, piece = client.get(f"/explore?{query}"), client.get(f"/explore?{query}", headers=PIECE)
    assert page.status_code == 400
    assert piece.status_code == 200
    for text in (page.text, piece.text):
        assert 'role="alert"' in text
        assert words in text
        assert "<script>" not in text


def test_each_bot_says_what_it_would_do(client):
    text = client.get("/explore/bots?cards=AdQc&board=3h4cJh&history=cc/r").text
    for bot in ("loki", "vexbot", "vexbot2", "equilibrium", "yoki", "divat-baseline"):
        assert f"bot={bot}" in text
    assert "does not play with 6 seats" in client.get("/explore/bots?cards=AdQc&seats=6").text
    assert "the hand is over" in client.get("/explore/bots?cards=AdQc&history=f").text


def test_a_bot_that_thinks_long_answers_after_the_others(client):
    """All others are there, and the page asks for it by itself."""
    text = client.get("/explore/bots?cards=AdQc").text
    assert text.count("thinks longer than the others") == 1
    assert re.search(r"\d+ \w+; resolver is not counted, and comes later\.</p>", text)  # whose answer comes later
    row = html.unescape(re.search(r'hx-get="(/explore/bot\?[^"]*resolver)"', text)[1])
    answer = client.get(row).text
    assert answer.lstrip().startswith("<tr><th")
    assert "thinks longer" not in answer
    assert "resolver" in answer
    assert "no bot" in client.get("/explore/bot?cards=AdQc&bot=nobody").text
    assert "the hand is over" in client.get("/explore/bot?cards=AdQc&history=f&bot=resolver").text


def test_why_has_the_reasons_and_the_weights(client):
    text = client.get("/explore/why?cards=AdQc&board=3h4cJh&history=cc/r&bot=loki").text
    assert "pot odds" in text
    assert "heat-10" in text
    assert "style=" not in text


def test_a_replay_is_told_in_small_bets(client):
    """As all its amounts are; the reasons are in chips, and say so."""
    short = client.get("/explore/advice?cards=AdQc&history=r&bot=always-call").text
    assert "always-call: call 1 sb</b>" in short
    assert "Amounts are chips here, 2 to the small bet." in short
    assert "small bet" not in client.get("/explore/why?cards=AdQc&history=r&bot=always-call").text
    assert "always-call: check</b>" in client.get("/explore/advice?cards=AdQc&history=c&bot=always-call").text


def test_bots_from_files_are_not_for_visitors(client, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("raise SystemExit('this ran')")
    answer = client.get("/explore/why", params={"cards": "AdQc", "bot": f"{file}:Mine"})
    assert "no bot" in answer.text
    assert "this ran" not in answer.text


def test_a_range_against_a_range(client):
    address = "/explore?own=22%2B%2CA2s%2B&board=3h4cJh&versus=QQ%2B%2CAKs"
    page, piece = client.get(address), client.get(address, headers=PIECE)
    own, versus = range_odds("22+, A2s+", "QQ+, AKs", "3h4cJh").equities
    assert f"{own.share:.1%} against {versus.share:.1%}" in piece.text
    assert piece.text.strip() in page.text
    assert 'value="range" checked' in page.text
    assert 'data-of="own" data-asked="22+,A2s+" data-written="22+, A2s+"' in piece.text
    assert piece.headers["HX-Replace-Url"] == address
    assert "Exact: every pair of holdings on every board." in piece.text
    assert "style=" not in piece.text


def test_each_holding_of_a_class(client):
    asked = {"own": "22+, AKs:0.5", "versus": "QQ+", "board": "3h4cJh", "side": "own", "class": "AKs"}
    text = client.get("/explore/holdings", params=asked).text
    assert text.count("of weight 50%") == 4
    assert text.count("ace of hearts") == 1
    assert "no class" in client.get("/explore/holdings", params=asked | {"class": "AKx"}).text
    assert "no class" in client.get("/explore/holdings", params=asked | {"side": "up"}).text


def test_the_form_says_whether_somebody_has_cards_or_a_range(client):
    both = {"cards": "AdQc", "own": "QQ+", "versus": "22+"}
    assert "against each class" in client.get("/explore", params=both, headers=PIECE).text
    assert "against each class" in client.get("/explore", params=both | {"as": ""}, headers=PIECE).text
    answer = client.get("/explore", params=both | {"as": "range"}, headers=PIECE)
    assert "equity of each class" in answer.text
    assert answer.headers["HX-Replace-Url"] == "/explore?own=QQ%2B&versus=22%2B"
    assert "50.0% against 50.0%" in client.get("/explore?as=range", headers=PIECE).text
    assert "choose one more for the board" in client.get("/explore?own=AA&board=3h4c", headers=PIECE).text
    assert "can be dealt together" in client.get("/explore?own=none", headers=PIECE).text


def test_ranges_that_are_sampled_say_how_far_off_they_may_be(client):
    text = client.get("/explore", params={"own": "20%, 7c6c:0.3", "versus": "40%"}, headers=PIECE).text
    assert "Sampled: every pair of holdings on 1,200 boards; ±" in text
