"""Play in the browser, without one: forms, links, sockets, people who leave, and processes that are lost."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect

from hostile import closing_code
from railbird.game.actions import CALL, FOLD, RAISE
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.play.folder import MatchFolder
from railbird.play.match_logs import read_hands
from railbird.play.person import LeaveTable, Sight
from railbird.play.verified import verify_deals
from railbird.web import seat_screen
from railbird.web.app import make_app
from railbird.web.seat_screen import SeatScreen
from railbird.web.serving import Serving

BASE = "http://127.0.0.1"
FORM = re.compile(r'X-Railbird-Form":"(\w+)"')
WAIT = 60


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server for all tests of this file; its processes are started once."""
    folder = tmp_path_factory.mktemp("web")
    os.environ["RAILBIRD_STATE"] = str(folder / "state")
    app = make_app(Serving(folder / "home", workers=1))
    with TestClient(app, base_url=BASE) as client:
        yield SimpleNamespace(app=app, home=folder / "home", portal=client)
    del os.environ["RAILBIRD_STATE"]


class Browser:
    """Somebody with cookies of his own."""

    def __init__(self, server) -> None:
        self.server = server
        self.client = server.portal
        self.cookie = ""
        self.form = FORM.search(self.get("/play").text).group(1)

    def get(self, path: str):
        return self._asked("GET", path)

    def post(self, path: str, data=None, **headers):
        return self._asked("POST", path, data, {"Origin": BASE, "X-Railbird-Form": self.form} | headers)

    def _asked(self, method, path, data=None, headers=None):
        self.client.cookies.clear()
        sent = {**(headers or {}), **({"Cookie": f"railbird={self.cookie}"} if self.cookie else {})}
        found = self.client.request(method, path, data=data, headers=sent, follow_redirects=False)
        self.cookie = found.cookies.get("railbird") or self.cookie
        return found

    def new_table(self, **asked) -> str:
        found = self.post("/play/new", {"name": "you", "game": "limit", **asked})
        assert found.status_code == 200, found.text
        return found.headers["HX-Redirect"].rsplit("/", 1)[1]

    def socket(self, table: str, origin: str = BASE):
        self.client.cookies.clear()
        return self.client.websocket_connect(
            f"ws://127.0.0.1/play/{table}/socket", headers={"Cookie": f"railbird={self.cookie}", "Origin": origin}
        )


def told(socket, wanted) -> dict:
    """The next message of a socket for which `wanted` holds."""
    while True:
        message = json.loads(socket.receive_text())
        if "trouble" in message:
            raise AssertionError(message["trouble"])
        if wanted(message):
            return message


def asked(message) -> bool:
    return "ask" in message


def over(message) -> bool:
    return bool(message.get("is_over"))


def say(socket, **message) -> None:
    socket.send_text(json.dumps(message))


def play_hand(socket, words: str = "c") -> dict:
    """Play to the end of a hand; how it ended."""
    while True:
        message = told(socket, lambda each: asked(each) or over(each))
        if over(message):
            return message
        say(socket, do="act", ask=message["ask"], words=words)


def folder_of(server, table: str) -> Path:
    [folder] = server.home.glob(f"*-{table}")
    return folder


def test_hands_from_the_form_to_the_log(server):
    browser = Browser(server)
    table = browser.new_table(bot=["loki", "always-call"])
    page = browser.get(f"/play/{table}").text
    assert "you, loki, always-call" in page
    with browser.socket(table) as socket:
        for hand in range(3):
            end = play_hand(socket)
            assert end["hand"] == hand
            assert end["promise"]
            say(socket, do="next", hand=hand)
        told(socket, lambda message: message.get("hand") == 3)
    folder = folder_of(server, table)
    assert [record.number for record in read_hands(folder)] == [0, 1, 2]
    assert MatchFolder.open(folder).spec.names == ("you", "loki", "always-call")
    assert verify_deals(folder).is_right
    listed = browser.get("/play").text
    assert f"/play/{table}" in listed
    played = datetime.fromtimestamp(max(file.stat().st_mtime for file in folder.glob("*.log")))
    assert f'limit; 3 hands, <time datetime="{played:%Y-%m-%dT%H:%M}">' in listed
    assert f"/play/{table}" not in Browser(server).get("/play").text


@pytest.mark.parametrize(("bot", "is_told"), [("equilibrium", True), ("loki", False)])
def test_who_plays_the_equilibrium_is_told_how_many_hands_a_verdict_takes(server, bot, is_told):
    browser = Browser(server)
    page = browser.get(f"/play/{browser.new_table(bot=bot)}").text
    assert ("a difference of 0.05 sb/hand takes about 400 to 900 hands" in page) == is_told


@pytest.mark.parametrize(
    ("asked_for", "why"),
    [
        ({"bot": "vexbt"}, "no bot &#39;vexbt&#39;; did you mean &#39;vexbot&#39;?"),
        ({"bot": "loki", "name": "a b"}, "cannot be your name"),
        ({"bot": "loki", "name": "<script>"}, "&#39;&lt;script&gt;&#39; cannot be your name"),
        ({"bot": "vexbot", "game": "no-limit"}, "does not play no-limit"),
        ({"bot": "loki", "game": "../x.game"}, "no game"),
        ({"bot": "loki", "name": "loki"}, "is the name of a bot; choose another name</p>"),
        ({"bot": ""}, "nobody sits there but you: choose a bot, or name other people"),
        ({"bot": ["random"] * 10}, "11 at one table; there is room for 10, you among them"),
        ({"people": "Ann Ann"}, "two people of the same name"),
        ({"people": "Ann"}, "nobody can be called &#39;you&#39;: choose a name that they know you by"),
        ({"people": "Ann", "name": ""}, "nobody can be called &#39;you&#39;"),
        ({"people": "You", "name": "Ann", "bot": "loki"}, "nobody can be called &#39;you&#39;"),
        ({"bot": "loki", "seconds": "soon"}, "seconds to think"),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_words(server, asked_for, why):
    found = Browser(server).post("/play/new", {"name": "you", "game": "limit", **asked_for})
    assert found.status_code == 422
    assert why in found.text


def test_a_table_is_for_those_who_sit_there(server):
    browser, other = Browser(server), Browser(server)
    table = browser.new_table(bot="always-call")
    assert "you have no seat at this table" in other.get(f"/play/{table}").text
    with pytest.raises(WebSocketDisconnect) as closed, other.socket(table) as socket:
        socket.receive_text()
    assert closed.value.code == 4404
    with pytest.raises(WebSocketDisconnect) as closed, browser.socket(table, "http://evil.example") as socket:
        socket.receive_text()
    assert closed.value.code == 4403
    assert other.post(f"/play/{table}/close").status_code == 400
    assert browser.post(f"/play/{table}/close", **{"X-Railbird-Form": "no"}).status_code == 403
    assert browser.post(f"/play/{table}/close", Origin="http://evil.example").status_code == 403


def test_a_page_that_is_loaded_again_shows_the_hand_where_it_was(server):
    browser = Browser(server)
    table = browser.new_table(bot="always-call")
    with browser.socket(table) as socket:
        first = told(socket, asked)
        say(socket, do="act", ask=first["ask"], words="q")
        assert "&#39;q&#39; is not understood" in told(socket, asked)["table"]
    with browser.socket(table) as socket, browser.socket(table) as beside:
        again = told(socket, asked)
        assert (again["ask"], again["hurry"]) == (first["ask"], True)
        say(socket, do="act", ask="99/", words="f")  # of another hand: not listened to
        say(socket, do="act", ask=again["ask"], words="c")
        later = told(socket, lambda message: asked(message) and message["ask"] != first["ask"])
        assert told(beside, lambda message: message.get("ask") == later["ask"])["promise"] == later["promise"]


@pytest.mark.parametrize("text", ["[]", "{", '{"do":"fly"}', json.dumps({"do": "act", "words": "x" * 1_200})])
def test_what_no_page_says_ends_the_connection(server, text):
    browser = Browser(server)
    table = browser.new_table(bot="always-call")
    with browser.socket(table) as socket:
        socket.send_text(text)
        assert closing_code(socket) == 4400


def test_too_many_messages_end_the_connection(server, monkeypatch):
    monkeypatch.setattr(server.app.state.limits.messages.visitors, "_clock", lambda: 0.0)
    browser = Browser(server)
    table = browser.new_table(bot="always-call")
    with browser.socket(table) as socket:
        for _ in range(41):
            say(socket, do="back")
        assert closing_code(socket) == 4400


def test_a_lost_process_is_replaced_and_the_hand_goes_on(server):
    browser = Browser(server)
    table = browser.new_table(bot="always-call")  # which never ends a hand before one is asked
    with browser.socket(table) as socket:
        first = told(socket, asked)
        say(socket, do="act", ask=first["ask"], words="c")
        there = told(socket, lambda message: (asked(message) and message["ask"] != first["ask"]) or over(message))
        [process] = [process for process in server.app.state.tables._processes if not process.is_lost]
        os.kill(process._process.pid, signal.SIGKILL)
        again = told(socket, lambda message: message.get("ask") == there.get("ask") or over(message) == over(there))
        assert again["promise"] == there["promise"]
        if asked(there):
            assert play_hand(socket)["hand"] == there["hand"]


WAITING = """
import os, time
from railbird import Bot
from railbird.game.actions import CALL


class Waiting(Bot):
    def act(self, view):
        while not os.path.exists(FILE):
            time.sleep(0.01)
        return CALL
"""


def test_while_a_bot_thinks_others_are_answered(server, tmp_path):
    """At another table of the same process, and on a page. Who had to wait for the bot would wait until its time is
    up, which is a fault."""
    bot, sign = tmp_path / "waiting.py", tmp_path / "sign"
    bot.write_text(WAITING.replace("FILE", repr(str(sign))))
    one, other = Browser(server), Browser(server)
    slow, quick = one.new_table(own_bot=f"{bot}:Waiting"), other.new_table(bot="always-call")
    with other.socket(quick) as plays:
        play_hand(plays)  # with which all is loaded
        with one.socket(slow) as waits:
            shown = told(waits, lambda message: "steps" in message)
            if asked(shown):
                say(waits, do="act", ask=shown["ask"], words="c")
            say(plays, do="next", hand=0)
            play_hand(plays)
            assert other.get("/play").status_code == 200
            sign.touch()
            assert 'class="wrong"' not in play_hand(waits)["table"]


def test_people_alone_by_one_link_each(server):
    ann, bob, eve = Browser(server), Browser(server), Browser(server)
    found = ann.post("/play/new", {"name": "Ann", "game": "limit", "people": "Bob", "seconds": "30"})
    [link] = re.findall(r'value="http://127.0.0.1(/sit/[\w-]+)"', found.text)
    table = re.search(r'href="/play/(\w+)"', found.text).group(1)
    assert ann.get(link).headers["location"] == f"/play/{table}"
    with ann.socket(table) as first:
        told(first, lambda message: "Waiting for Bob." in message.get("table", ""))
        assert "A seat for Bob" in bob.get(link).text
        assert bob.post(link).headers["HX-Redirect"] == f"/play/{table}"
        assert "somebody sits there already" in eve.get(link).text
        assert "somebody sits there already" in eve.post(link).text
        with bob.socket(table) as second:
            play_both(first, second)
            for socket in (first, second):
                say(socket, do="next", hand=0)
            # Bob leaves: he checks or folds at once, and Ann goes on.
            say(second, do="leave")
            end = play_hand(first, "r")
            assert (end["hand"], "Ann wins" in end["news"]) == (1, True)
            assert "away" in end["table"]
    assert len(list(read_hands(folder_of(server, table)))) == 2


def play_both(*sockets) -> None:
    """Two people play a hand, each at a screen of his own."""
    ends: SimpleQueue = SimpleQueue()
    threads = [threading.Thread(target=lambda s=socket: ends.put(play_hand(s))) for socket in sockets]
    for thread in threads:
        thread.start()
    found = [ends.get(timeout=WAIT) for _ in threads]
    assert found[0]["news"] == found[1]["news"]
    assert found[0]["promise"] == found[1]["promise"]
    assert found[0]["table"] != found[1]["table"]


def test_a_table_without_visitors_is_put_away_and_comes_back(server):
    browser = Browser(server)
    table = browser.new_table(bot="always-call")
    with browser.socket(table) as socket:
        first = told(socket, asked)
    known = server.app.state.tables.all[table]
    until = time.monotonic() + WAIT
    known.is_put_away = True
    known.process.say({"to": "stop", "table": table})
    while known.process:
        assert time.monotonic() < until
        time.sleep(0.02)
    with browser.socket(table) as socket:
        again = told(socket, asked)
        assert (again["ask"], again["promise"]) == (first["ask"], first["promise"])
        say(socket, do="act", ask=again["ask"], words="c")
        assert play_hand(socket)["hand"] == 0


def test_of_a_table_that_was_left_nothing_is_kept_in_memory(server):
    browser = Browser(server)
    name = browser.new_table(bot="always-call")
    table = server.app.state.tables.all[name]
    with browser.socket(name) as socket:
        play_hand(socket)
        assert table.pictures != [None]
        say(socket, do="leave")
        told(socket, lambda message: message.get("left"))
    assert table.pictures == [None]
    assert table.process is None
    with browser.socket(name) as socket:  # which can be come back to
        assert play_hand(socket)["hand"] == 1


def test_a_closed_table_has_told_its_key(server):
    browser = Browser(server)
    table = browser.new_table(bot="always-call")
    with browser.socket(table) as socket:
        play_hand(socket)
    assert browser.post(f"/play/{table}/close").headers["HX-Redirect"] == f"/play/{table}"
    page = browser.get(f"/play/{table}").text
    assert "the key told" in page
    assert page.count("This table is closed:") == 1
    assert f'<a href="/review/match/{folder_of(server, table).name}">review its hand</a>' in page
    assert "Look inside" not in page
    with browser.socket(table) as socket:
        assert json.loads(socket.receive_text()) == {"closed": True}
    assert "as dealt from secret key" in str(verify_deals(folder_of(server, table)))


# A server that is killed


@contextmanager
def real_server(home: Path, port: int):
    command = [sys.executable, "-m", "railbird", "serve", str(home), "--no-browser", "--port", str(port), "-w", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert "Railbird is at" in process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def real_socket(port: int, table: str, cookie: str):
    until = time.monotonic() + WAIT
    headers = {"Cookie": f"railbird={cookie}"}
    while True:
        try:
            found = connect(
                f"ws://127.0.0.1:{port}/play/{table}/socket", origin=f"{BASE}:{port}", additional_headers=headers
            )
            break
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.1)
    with found as socket:
        yield SimpleNamespace(receive_text=lambda: socket.recv(WAIT), send_text=socket.send)


def test_a_server_that_was_killed_finds_its_tables_again(server):
    browser = Browser(server)
    table = browser.new_table(bot="always-call")  # which never ends a hand before one is asked
    folder = folder_of(server, table)
    home = server.home.parent / "moved"
    home.mkdir()
    folder.rename(home / folder.name)
    port = 18_000 + os.getpid() % 10_000
    with real_server(home, port) as process, real_socket(port, table, browser.cookie) as socket:
        first = told(socket, asked)
        say(socket, do="act", ask=first["ask"], words="c")
        there = told(socket, lambda message: (asked(message) and message["ask"] != first["ask"]) or over(message))
        process.send_signal(signal.SIGKILL)
        process.wait()
    with real_server(home, port), real_socket(port, table, browser.cookie) as socket:
        again = told(socket, lambda message: message.get("hand") == there["hand"] and (asked(message) or over(there)))
        assert (again["promise"], again.get("ask")) == (there["promise"], there.get("ask"))


# Somebody who says nothing


class Company:
    """A table with or without other people."""

    is_stopping = False
    promise = None
    seconds = 0.2

    def __init__(self, others: bool) -> None:
        self.others = others

    def others_wait(self, screen) -> bool:
        return self.others

    def people(self) -> dict[str, bool]:
        return {}

    def hand_over(self) -> None:
        pass


def sight(history: str = "") -> Sight:
    node = Betting.start(limit_holdem()).play(history)
    return Sight(PlayerView(node, node.to_act, (0, 5), (), 7, ("Ann", "Bob")))


def screen_of(others: bool) -> tuple[SeatScreen, Company, list]:
    sent: list = []
    company = Company(others)
    screen = SeatScreen("Ann", company, sent.append)
    screen.take({"do": "here", "on": True})
    return screen, company, sent


def test_who_says_nothing_checks_or_folds_while_others_wait():
    screen, _, sent = screen_of(others=True)
    assert screen.ask(sight()) == FOLD
    assert sent[0]["picture"]["seconds"] is not None
    assert screen.is_in
    assert screen.ask(sight("c")) == CALL
    assert screen.is_away
    before = len(sent)
    assert screen.ask(sight()) == FOLD
    assert len(sent) == before  # at once
    screen.take({"do": "back"})
    threading.Timer(0.05, screen.take, [{"do": "act", "ask": "7/", "words": "r"}]).start()
    assert screen.ask(sight()) == RAISE
    assert screen.is_in


def test_alone_with_bots_one_may_think_for_ever():
    screen, company, _ = screen_of(others=False)
    threading.Timer(3 * company.seconds, screen.take, [{"do": "act", "ask": "7/", "words": "c"}]).start()
    assert screen.ask(sight()) == CALL


def test_a_table_that_is_put_away_asks_no_more():
    screen, company, _ = screen_of(others=False)
    company.is_stopping = True
    with pytest.raises(LeaveTable):
        screen.ask(sight())
    screen, company, _ = screen_of(others=False)
    screen.take({"do": "leave"})
    with pytest.raises(LeaveTable):
        screen.ask(sight())


def test_others_do_not_wait_for_ever_after_a_hand(monkeypatch):
    monkeypatch.setattr(seat_screen, "REST_SECONDS", 0.1)
    screen, _, _ = screen_of(others=True)
    screen.show(sight())
    screen.rest()
    screen, _, _ = screen_of(others=False)
    screen.show(sight())
    threading.Timer(0.3, screen.take, [{"do": "next", "hand": 7}]).start()
    screen.take({"do": "next", "hand": 6})  # of another hand
    began = time.monotonic()
    screen.rest()
    assert time.monotonic() - began > 0.2
