"""Company at a table: what people say to each other, and bots that are asked for advice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from railbird.errors import MatchError
from railbird.play.match_logs import read_hands
from railbird.web import chat
from railbird.web.advice import ADVICE, Advised, advice_in, mark_advice
from railbird.web.app import make_app
from railbird.web.chat import CHAT, LONGEST, Chat
from railbird.web.playing import _shown
from railbird.web.serving import Serving
from railbird.web.table_files import TableFile, hashed
from railbird.web.table_threads import PlayedTable, make_table

BASE = "http://127.0.0.1"
STATE = SimpleNamespace(serving=SimpleNamespace(is_public=False))
PAGE = SimpleNamespace(url=SimpleNamespace(path="/play/x"), scope={}, app=SimpleNamespace(state=STATE))


@pytest.fixture(autouse=True)
def _own_keys(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBIRD_STATE", str(tmp_path / "state"))


# Lines


def test_lines_are_kept_beside_the_match(tmp_path):
    first = Chat(tmp_path)
    assert first.say("Ann", "  good   luck\n").words == "good luck"
    first.say("Bob", "\x1b[31mred\u202e ")
    again = Chat(tmp_path)
    assert [(line.number, line.name, line.words) for line in again.lines] == [
        (1, "Ann", "good luck"),
        (2, "Bob", "�[31mred�"),
    ]
    assert again.say("Ann", "ok").number == 3


@pytest.mark.parametrize(("words", "why"), [("", "nothing"), (" \n\t ", "nothing"), ("x" * (LONGEST + 1), "201 signs")])
def test_lines_that_are_none(tmp_path, words, why):
    with pytest.raises(MatchError, match=why):
        Chat(tmp_path).say("Ann", words)
    assert not (tmp_path / CHAT).exists()


def test_old_lines_go(tmp_path, monkeypatch):
    monkeypatch.setattr(chat, "MOST_LINES", 5)
    talk = Chat(tmp_path)
    for number in range(40):
        talk.say("Ann", str(number))
    assert len((tmp_path / CHAT).read_text().splitlines()) <= 10
    assert [line.words for line in Chat(tmp_path).lines] == ["35", "36", "37", "38", "39"]


def test_a_damaged_file_is_read_as_far_as_it_goes(tmp_path):
    Chat(tmp_path).say("Ann", "hello")
    with (tmp_path / CHAT).open("ab") as file:
        file.write(b'{"number": 2}\n[[[\n\xff\xfe\n{"number":3,"name":"B","words":"x","when":7}\n')
    assert [line.words for line in Chat(tmp_path).lines] == ["hello"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    app = make_app(Serving(tmp_path_factory.mktemp("home"), workers=1))
    with TestClient(app, base_url=BASE) as client:
        yield client


class Visitor:
    """Somebody with a cookie of his own."""

    def __init__(self, server, token: str) -> None:
        self.server, self.token = server, token * 32
        self.headers = {"Cookie": f"railbird={self.token}", "Origin": BASE}
        self.headers["X-Railbird-Form"] = re.search(r'X-Railbird-Form":"(\w+)"', self.get("/play").text)[1]

    def get(self, path):
        self.server.cookies.clear()
        return self.server.get(path, headers=self.headers, follow_redirects=False)

    def post(self, path, **data):
        self.server.cookies.clear()
        return self.server.post(path, data=data, headers=self.headers, follow_redirects=False)

    def socket(self, table):
        return self.server.websocket_connect(f"ws://127.0.0.1/play/{table}/socket", headers=self.headers)


def say(socket, **message):
    socket.send_text(json.dumps(message))


def told(socket, name):
    """The next message of a kind."""
    while True:
        message = json.loads(socket.receive_text())
        if name in message:
            return message


def test_people_talk_and_who_comes_later_reads_it(server):
    ann, bob = Visitor(server, "a"), Visitor(server, "b")
    made = ann.post("/play/new", name="Ann", people="Bob", game="limit").text
    table = re.search(r'href="/play/(\w+)"', made)[1]
    bob.post(re.search(r"(/sit/[\w-]+)", made)[1])
    with ann.socket(table) as first:
        say(first, do="chat", words="hello <b>Bob</b>")
        [line] = told(first, "chat")["chat"]
        assert "<b>Ann</b> <span>hello &lt;b&gt;Bob&lt;/b&gt;</span>" in line
        with bob.socket(table) as second:
            assert told(second, "chat")["chat"] == [line]
            say(second, do="chat", words="hi")
            assert told(first, "chat")["chat"] == told(second, "chat")["chat"]
            say(second, do="chat", words=" ")
            assert told(second, "refused") == {"refused": "there is nothing in this line", "do": "chat"}
    page = bob.get(f"/play/{table}").text
    assert 'role="log" aria-live="polite"' in page
    assert "hello &lt;b&gt;Bob&lt;/b&gt;" in page
    folder = server.app.state.tables.all[table].file.folder
    assert [json.loads(text)["name"] for text in (folder / CHAT).read_text().splitlines()] == ["Ann", "Bob"]
    assert not any("hello" in file.read_text() for file in folder.glob("*.log"))


def test_who_says_too_much_is_told_to_wait_and_stays(server, monkeypatch):
    monkeypatch.setattr(server.app.state.limits.lines.visitors, "_clock", lambda: 0.0)
    ann = Visitor(server, "c")
    made = ann.post("/play/new", name="Ann", people="Bob", game="limit").text
    table = re.search(r'href="/play/(\w+)"', made)[1]
    with ann.socket(table) as socket:
        for number in range(8):
            say(socket, do="chat", words=str(number))
        assert "Too many lines; wait 2 seconds" in told(socket, "refused")["refused"]
    assert len(server.app.state.tables.all[table].chat.lines) == 6


def test_bots_do_not_listen_and_strangers_do_not_advise(server):
    ann = Visitor(server, "d")
    table = ann.post("/play/new", name="you", bot="always-call", game="limit").headers["HX-Redirect"].rsplit("/")[-1]
    assert 'role="log"' not in ann.get(f"/play/{table}").text
    with ann.socket(table) as socket:
        say(socket, do="chat", words="hello")
        assert "they do not listen" in told(socket, "refused")["refused"]
        ask = told(socket, "ask")["ask"]
        say(socket, do="advise", ask=ask, bot="./mine.py:Mine")
        assert told(socket, "refused") == {"refused": "no bot './mine.py:Mine' here", "do": "advise"}
        say(socket, do="advise", ask=ask, bot="always-raise")
        answer = told(socket, "advice")
        assert answer["of"] == ask
        assert "<strong>raise</strong>" in answer["advice"]
    assert "so far 1 decision." in ann.get(f"/play/{table}").text


# Advice


def table_of(folder: Path, people: list[str], bots: list[str], game: str = "limit", study: bool = False) -> TableFile:
    seats = [
        {"seat": seat, "name": name, "link": hashed(name), "user": hashed(f"user {name}")}
        for seat, name in enumerate(people)
    ]
    agreed = {"study": study, "reveal": False, "seconds": 60}
    make_table({"id": "x", "folder": str(folder), "bots": bots, "game": game, "people": seats, **agreed})
    return TableFile.read(folder)


class Asking:
    """People who ask a bot before each of their decisions, then check or call, for some hands."""

    def __init__(self, table: TableFile, bot: str, hands: int = 2) -> None:
        self.advice: list[dict] = []
        self.cards: dict[int, set[int]] = {}
        self.hands, self.bot = hands, bot
        self.table = PlayedTable(table, self.take)
        for place in range(len(table.people)):
            self.table.take(place, {"do": "here", "on": True})
        self.table.start()
        self.table.join(300)
        assert not self.table.is_alive()

    def take(self, message: dict) -> None:
        place, picture = message.get("place"), message.get("picture", {})
        if picture.get("hand", 0) >= self.hands:
            self.table.is_stopping = True
        if "advice" in message:
            told = message["advice"]
            self.advice.append(told | {"place": place})
            self.table.take(place, {"do": "act", "ask": told["ask"], "words": "c"})
        elif "ask" in picture:
            self.table.take(place, {"do": "advise", "ask": "99/", "bot": self.bot})  # of another decision
            self.table.take(place, {"do": "advise", "ask": picture["ask"], "bot": self.bot})
        elif picture.get("is_over"):
            self.table.take(place, {"do": "next", "hand": picture["hand"]})


@pytest.mark.parametrize(("bots", "game"), [(["always-call"], "limit"), (["always-call", "always-call"], "no-limit")])
def test_a_bot_advises_knowing_what_its_seat_knows(tmp_path, bots, game):
    found = Asking(table_of(tmp_path / "t", ["ann"], bots, game), "loki")
    hands = {record.number: record for record in read_hands(tmp_path / "t")}
    assert len(hands) == 2
    for told in found.advice:
        seen = told["insight"]
        assert (seen["bot"], bool(seen["reason"])) == ("loki", True)
        if seen["hand"] in hands:
            record = hands[seen["hand"]]
            assert tuple(seen["cards"]) == record.holes[record.names.index("ann")]
        page = _shown(PAGE, {"advice": told})["advice"]
        assert f"<strong>{seen['does']}</strong>" in page
    marked = advice_in(tmp_path / "t")
    assert [(one.name, one.bot) for one in marked] == [("ann", "loki")] * len(found.advice)
    seen = [told["insight"] for told in found.advice]
    assert [one.said for one in marked] == [f"{each['does']}: {each['reason']}" for each in seen]
    assert not any("loki" in file.read_text() for file in (tmp_path / "t").glob("*.log"))


def test_the_best_that_plays_is_asked_where_nobody_is_named(tmp_path):
    found = Asking(table_of(tmp_path / "t", ["ann"], ["always-call"], "no-limit"), "", hands=1)
    assert {told["insight"]["bot"] for told in found.advice} == {"loki"}


def test_a_bot_that_does_not_play_the_game_says_so(tmp_path):
    found = Asking(table_of(tmp_path / "t", ["ann"], ["always-call"], "no-limit"), "equilibrium", hands=1)
    assert "'equilibrium' cannot advise: it does not play" in found.advice[0]["words"]
    assert not (tmp_path / "t" / ADVICE).exists()
    assert "cannot advise" in _shown(PAGE, {"advice": found.advice[0]})["advice"]


@pytest.mark.parametrize("study", [False, True])
def test_among_people_advice_is_for_tables_that_study(tmp_path, study):
    found = Asking(table_of(tmp_path / "t", ["ann", "bob"], [], study=study), "loki", hands=1)
    assert {told["place"] for told in found.advice} == {0, 1}
    for told in found.advice:
        assert ("insight" in told) is study
        assert study or "tables in study mode" in told["words"]
    assert bool(advice_in(tmp_path / "t")) is study


def test_a_decision_is_marked_once_a_bot(tmp_path):
    asked = Advised(3, "cr", "ann", "loki", "raise: strong")
    for one in (asked, asked, asked._replace(bot="yoki"), asked._replace(said="call: weak")):
        mark_advice(tmp_path, one)
    assert advice_in(tmp_path) == [asked, asked._replace(bot="yoki")]
    with (tmp_path / ADVICE).open("ab") as file:
        file.write(b'{}\nnothing\n[1]\n{"hand": 4, "history": "", "name": "ann", "bot": "loki"}\n')
    assert advice_in(tmp_path)[2:] == [Advised(4, "", "ann", "loki")]  # from before answers were kept
