"""What the server does for one visitor and for one address: rates, crowds, what is sent, and room on the disk."""

from __future__ import annotations

import asyncio
import bz2
import gzip
import io
import lzma
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import uvicorn
from starlette.testclient import TestClient
from uvicorn.server import ServerState

from railbird.errors import MatchError, RailbirdError
from railbird.web import connections, guard, thinking, uploads
from railbird.web.app import make_app
from railbird.web.connections import GuardedProtocol
from railbird.web.guard import COOKIE, MOST_BYTES
from railbird.web.limits import Asker, Crowd, Limit, Limits, Meter, Rate, TooMuchError
from railbird.web.reviewing import checked_upload
from railbird.web.serving import Serving
from railbird.web.uploads import KEPT_SECONDS, Room, keep_upload, make_room, uploads_in

LOOPBACK = "http://127.0.0.1"
URLENCODED = {"Content-Type": "application/x-www-form-urlencoded"}
ANN, BOB, EVE = Asker("ann", "10.0.0.1"), Asker("bob", "10.0.0.1"), Asker("eve", "")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def taken(limit: Limit, asker: Asker, tries: int) -> int:
    """How many of so many tries are let through."""
    found = 0
    for _ in range(tries):
        try:
            limit.take(asker)
            found += 1
        except TooMuchError:
            pass
    return found


def test_a_meter_lets_so_many_through_at_once_and_then_so_many_a_minute():
    clock = Clock()
    limit = Limit("Too much", Rate(5, 60), Rate(100, 6_000))
    limit.visitors = Meter(Rate(5, 60), clock)
    limit.addresses = Meter(Rate(100, 6_000), clock)
    assert taken(limit, ANN, 20) == 5
    with pytest.raises(TooMuchError, match="Too much; wait 1 second\\.") as refused:
        limit.take(ANN)
    assert refused.value.seconds == 1
    clock.now += 3.0
    assert taken(limit, ANN, 20) == 3, "one a second; what was refused cost nothing"
    clock.now += 1_000.0
    assert taken(limit, ANN, 20) == 5, "no more than so many at once, however long it was"


def test_who_throws_cookies_away_is_counted_by_address():
    clock = Clock()
    limit = Limit("Too much", Rate(5, 60), Rate(8, 60))
    limit.visitors, limit.addresses = Meter(Rate(5, 60), clock), Meter(Rate(8, 60), clock)
    assert taken(limit, ANN, 9) == 5
    assert [taken(limit, Asker(f"new {number}", ANN.address), 1) for number in range(5)] == [1, 1, 1, 0, 0]
    assert taken(limit, BOB, 1) == 0
    assert taken(limit, EVE, 9) == 5, "on this machine alone there is no address"


def test_a_meter_remembers_few():
    clock = Clock()
    meter = Meter(Rate(2, 60), clock)
    for number in range(20_050):
        meter.take(str(number))
    assert len(meter) == 20_000
    clock.now += 10.0
    meter.take("last")
    assert len(meter) == 1, "those who have all of it again are forgotten"


def test_a_crowd_by_visitor_address_and_in_all():
    crowd = Crowd("full", 2, 3, 4)
    others = [Asker(name, "10.0.0.2") for name in "xyz"]
    with crowd.one(ANN), crowd.one(ANN):
        with pytest.raises(TooMuchError, match="full"), crowd.one(ANN):
            pass
        with crowd.one(BOB):
            with pytest.raises(TooMuchError), crowd.one(Asker("cleo", BOB.address)):
                pass
            with crowd.one(others[0]), pytest.raises(TooMuchError), crowd.one(others[1]):
                pass
    assert not crowd._now


def test_an_address_counts_only_where_strangers_come():
    scope = {"user_token": "u", "client": ("2001:db8:1:2:3::9", 5)}
    assert Limits(True, 2).asker(scope) == ("u", "2001:db8:1:2::/64")
    assert Limits(False, 2).asker(scope) == ("u", "")


# In front of the pages


@pytest.fixture
def client(tmp_path):
    return TestClient(make_app(Serving(tmp_path, workers=1)), base_url=LOOPBACK)  # not started: no processes


def form_of(client, path="/"):
    token = re.search(r'X-Railbird-Form":"(\w+)', client.get(path).text)[1]
    return {"X-Railbird-Form": token, "Origin": str(client.base_url).rstrip("/")}


def test_a_flood_of_requests_is_refused_in_words_and_others_are_served(client, monkeypatch):
    monkeypatch.setattr(client.app.state.limits.requests.visitors, "_clock", lambda: 0.0)
    client.get("/")
    answers = [client.get("/static/page.css") for _ in range(160)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 11
    assert "Too much is asked for at once; wait" in refused[0].text
    assert int(refused[0].headers["Retry-After"]) >= 1
    assert refused[0].headers["X-Content-Type-Options"] == "nosniff"
    client.cookies.clear()
    assert client.get("/").status_code == 200, "somebody else"


def test_what_is_sent_is_limited_with_and_without_a_stated_length(client):
    headers = form_of(client) | URLENCODED
    long = b"name=" + b"x" * MOST_BYTES
    assert client.post("/play/new", content=long, headers=headers).status_code == 413
    pieces = (b"x" * 10_000 for _ in range(1_000))
    answer = client.post("/play/new", content=pieces, headers=headers)
    assert answer.status_code == 413
    assert "at most 100,000 bytes" in answer.text


def test_who_takes_too_long_to_send_is_not_waited_for(client, monkeypatch):
    """All but the first piece of a form never comes."""
    monkeypatch.setattr(guard, "SEND_SECONDS", 0.05)
    token, told = form_of(client), []
    names = {"Host": "127.0.0.1", "Cookie": f"{COOKIE}={client.cookies[COOKIE]}", **token, **URLENCODED}
    headers = [(name.lower().encode(), value.encode()) for name, value in names.items()]
    scope = {"type": "http", "method": "POST", "path": "/play/new", "query_string": b"", "headers": headers}
    pieces = [{"type": "http.request", "body": b"name=x", "more_body": True}]

    async def receive():
        return pieces.pop() if pieces else await asyncio.Event().wait()

    async def send(message):
        told.append(message)

    asyncio.run(client.app({**scope, "scheme": "http", "server": ("127.0.0.1", 80)}, receive, send))
    assert told[0]["status"] == 408
    assert b"took longer" in told[1]["body"]


def test_new_tables_are_made_one_after_another(client, monkeypatch):
    limit = client.app.state.limits.tables
    monkeypatch.setattr(limit.visitors, "_clock", lambda: 0.0)
    client.app.state.tables = NoTables()
    headers = form_of(client)
    answers = [
        client.post("/play/new", data={"name": "you", "game": "limit", "bot": "loki"}, headers=headers).text
        for _ in range(12)
    ]
    assert [("Too many new tables" in text) for text in answers] == [False] * 10 + [True] * 2


class NoTables:
    """A hall in which every table is refused."""

    async def make(self, *_, **__):
        raise MatchError("no table")


# Histories that people bring


def test_room_for_each_and_in_all(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "FOR_EACH", Room(1_000, 3))
    monkeypatch.setattr(uploads, "IN_ALL", Room(2_500, 5))
    for number in range(3):
        make_room(tmp_path, "ann", 300, is_public=True)
        keep_upload(tmp_path, f"{number}.txt", b"%d" % number * 300, "ann")
    with pytest.raises(MatchError, match=r"your histories take 0\.0 of 0 MB, 3 of 3 files; remove one first"):
        make_room(tmp_path, "ann", 10, is_public=True)
    make_room(tmp_path, "bob", 900, is_public=True)
    keep_upload(tmp_path, "b.txt", b"b" * 900, "bob")
    with pytest.raises(MatchError, match="your histories"):
        make_room(tmp_path, "bob", 200, is_public=True)
    with pytest.raises(MatchError, match=r"the histories here take .* come back later"):
        make_room(tmp_path, "cleo", 800, is_public=True)
    with pytest.raises(MatchError, match=r"the histories here take .* remove one first"):
        make_room(tmp_path, "cleo", 800, is_public=False)


def test_old_histories_are_let_go_of_a_public_server(tmp_path):
    old, _ = keep_upload(tmp_path, "old.txt", b"old", "ann")
    new, _ = keep_upload(tmp_path, "new.txt", b"new", "ann")
    before = os.stat(new.folder / "upload.json").st_mtime - KEPT_SECONDS - 60
    os.utime(old.folder / "upload.json", (before, before))
    make_room(tmp_path, "bob", 10, is_public=False)
    assert len(uploads_in(tmp_path)) == 2
    make_room(tmp_path, "bob", 10, is_public=True)
    assert [each.name for each in uploads_in(tmp_path)] == ["new.txt"]
    os.utime(new.folder / "upload.json", (before, before))
    new.look_at()
    make_room(tmp_path, "bob", 10, is_public=True)
    assert len(uploads_in(tmp_path)) == 1


def test_a_history_that_two_brought_is_removed_by_both(tmp_path):
    keep_upload(tmp_path, "a.txt", b"same", "ann")
    found, is_new = keep_upload(tmp_path, "b.txt", b"same", "bob")
    assert not is_new
    found.remove("ann")
    [left] = uploads_in(tmp_path)
    assert (left.is_of("ann"), left.is_of("bob")) == (False, True)
    left.remove("bob")
    assert not uploads_in(tmp_path)


def zeros(pack, megabytes):
    """A file that grows a thousandfold."""
    piece = b"\0" * (1 << 20)
    raw = io.BytesIO()
    with pack(raw, "wb") as file:
        for _ in range(megabytes):
            file.write(piece)
    return raw.getvalue()


BOMBS = {
    "gz": lambda: zeros(gzip.open, 16),
    "bz2": lambda: zeros(bz2.open, 8),
    "xz": lambda: zeros(lzma.open, 16),
    "twice packed": lambda: gzip.compress(zeros(gzip.open, 16)),
    "endless line": lambda: b"STATE:0:" + b"c" * 5_000_000,
    "nested JSON": lambda: b"[" * 2_000_000,
    "nested TOML": lambda: b'variant = "FT"\nactions = ' + b"[" * 100_000,
    "dotted TOML": lambda: b"a" + b".a" * 50_000 + b" = 1\n",
    "long number": lambda: b'variant = "FT"\nstarting_stacks = [' + b"9" * 1_000_000 + b"]\n",
    "many lines": lambda: b"\n" * 5_000_000,
    "nulls": lambda: bytes(5_000_000),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_in_words(tmp_path, kind):
    """What reads histories refuses each of these by itself; larger ones are given up after a time, as below."""
    file = tmp_path / "bomb.txt"
    file.write_bytes(BOMBS[kind]())
    with pytest.raises(RailbirdError):
        checked_upload(file)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_bomb_that_takes_long_is_given_up(tmp_path, monkeypatch, pack):
    """A few megabytes that become gigabytes: one part of the file, again and again."""
    monkeypatch.setattr(thinking, "COLD_SECONDS", 0.0)
    file = tmp_path / "bomb.txt"
    file.write_bytes(pack(b"\0" * (1 << 20)) * 5_000)

    async def asked():
        thinkers = thinking.Thinkers(1)
        try:
            with pytest.raises(thinking.ThinkingError, match="longer than 1 seconds"):
                await thinkers.think_within(1.0, checked_upload, file)
        finally:
            thinkers.end()

    asyncio.run(asked())


# A server of its own, and people who mean it no good


@contextmanager
def public_server(home):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "railbird", "serve", str(home), "--no-browser", "--public"]
    server = subprocess.Popen(
        [*command, "--port", str(port), "--workers", "1"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "RAILBIRD_PASSWORD": "correct horse"},
    )
    try:
        assert "Railbird is at" in server.stdout.readline()
        yield port
    finally:
        server.kill()
        server.wait()


def asked(port, path="/enter", data=None, **headers):
    """The status of an answer, its words, and the cookies that came with it."""
    try:
        answer = urlopen(Request(f"{LOOPBACK}:{port}{path}", data, headers), timeout=60)
    except HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.read().decode(), answer.headers.get("Set-Cookie", "")


def tried_password(port, password, address):
    """The status of a try from an address, by a visitor who was never seen before; a proxy before the server says from
    where it comes."""
    _, page, cookie = asked(port, **{"X-Forwarded-For": address})
    headers = {
        "X-Forwarded-For": address,
        "Cookie": cookie.partition(";")[0],
        "Origin": f"{LOOPBACK}:{port}",
        "X-Railbird-Form": re.search(r'X-Railbird-Form":"(\w+)', page)[1],
    }
    return asked(port, "/enter", f"password={password}".encode(), **headers)[0]


def test_guessing_from_one_address_ends_soon_and_keeps_nobody_else_out(tmp_path):
    with public_server(tmp_path) as port:
        began = time.monotonic()
        found = [tried_password(port, "wrong", "203.0.113.9") for _ in range(12)]
        let_through = 6 + (time.monotonic() - began) / 12
        assert found[:5] == [403] * 5
        assert found.count(403) <= let_through
        assert set(found) == {403, 429}
        assert tried_password(port, "correct+horse", "203.0.113.10") == 200


@pytest.mark.parametrize(("sent", "is_second"), [(b"", False), (b"GET / HT", False), (b"GET / HT", True)])
def test_who_says_nothing_is_let_go(monkeypatch, sent, is_second):
    """Nothing, half a request, and half of a second one."""
    monkeypatch.setattr(connections, "PATIENCE_SECONDS", 0.2)

    async def hello(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"hi"})

    async def waited():
        config = uvicorn.Config(hello, lifespan="off", log_level="critical", timeout_keep_alive=600)
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: GuardedProtocol(config, state, {}), "127.0.0.1", 0
        )
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        if is_second:
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert b"hi" in await asyncio.wait_for(reader.readuntil(b"hi"), 60)
        writer.write(sent)
        answer = await asyncio.wait_for(reader.read(), 60)  # to the end of the connection
        writer.close()
        server.close()
        return answer

    assert asyncio.run(waited()) == b""
