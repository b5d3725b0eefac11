"""What a hostile visitor tries: other sites, other names, other people's hands, and words that become scripts."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from hostile import HOSTILE, check_page, closing_code
from railbird.play.matches import play_match
from railbird.web.app import make_app
from railbird.web.entering import PASS, pass_of
from railbird.web.guard import COOKIE
from railbird.web.serving import Password, Serving
from railbird.web.table_files import Seated, TableFile, hashed

HERE, PUBLIC = "http://127.0.0.1:8484", "https://table.example"
WS_HERE, WS_PUBLIC = "ws://127.0.0.1:8484", "wss://table.example"
FORM = re.compile(r'X-Railbird-Form":"(\w+)"')
MINE, OTHERS = "a" * 32, "b" * 32


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A server on this machine, without its processes: what stands before the pages needs none."""
    return make_app(Serving(tmp_path_factory.mktemp("here"), workers=1))


@pytest.fixture(scope="module")
def door(tmp_path_factory):
    """A public one."""
    return make_app(Serving(tmp_path_factory.mktemp("door"), password=Password.of("long enough"), workers=1))


@pytest.fixture
def client(here):
    return TestClient(here, base_url=HERE, follow_redirects=False)


@pytest.fixture
def stranger(door):
    """Somebody who does not know the password."""
    return TestClient(door, base_url=PUBLIC, follow_redirects=False)


@pytest.fixture
def guest(door):
    """Somebody who does."""
    return entered(TestClient(door, base_url=PUBLIC, follow_redirects=False), MINE)


def entered(client, user):
    client.cookies.clear()
    client.cookies.set(COOKIE, user, domain="table.example")
    client.cookies.set(PASS, pass_of(client.app.state.serving, user), domain="table.example")
    return client


def form_of(client, path="/"):
    return {"X-Railbird-Form": FORM.search(client.get(path).text)[1], "Origin": str(client.base_url).rstrip("/")}


# Other names, other sites


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8484",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8484",
        "127.0.0.1@evil.example",
        "evil.example#127.0.0.1",
        "127.0.0.2",
        "0.0.0.0:8484",
        "[::1",
        "[::1]evil.example",
        "127.0.0.1:port",
        "127.0.0.1:99999999",
        "",
    ],
)
def test_a_server_on_this_machine_answers_to_no_other_name(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 403
    assert client.get("/static/page.css", headers={"Host": host}).status_code == 403
    headers = form_of(client) | {"Host": host, "Origin": f"http://{host}"}
    assert client.post("/play/new", headers=headers).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8484", "localhost:8484", "LOCALHOST", "[::1]:8484"])
def test_it_answers_to_its_own_names(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 200


def test_what_a_proxy_would_say_changes_nothing_on_this_machine(client):
    told = {"Host": "evil.example", "X-Forwarded-Host": "127.0.0.1", "Forwarded": "host=127.0.0.1"}
    assert client.get("/", headers=told).status_code == 403


ORIGINS = [
    "null",
    "",
    "http://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:8485",
    "http://127.0.0.1:8484.evil.example",
    "http://evil.example/127.0.0.1:8484",
    "http://127.0.0.1:8484@evil.example",
    "http://localhost:8484",
    "file://",
    "chrome-extension://abc",
    "http://[::1",
]


@pytest.mark.parametrize("origin", ORIGINS)
def test_nothing_is_changed_for_a_page_of_another_site(client, origin):
    headers = form_of(client) | {"Origin": origin}
    for path in (
        "/play/new",
        "/laboratory/start",
        "/review/upload",
        "/play/x/close",
        "/sit/x",
        "/laboratory/run/x/stop",
    ):
        assert client.post(path, headers=headers).status_code == 403, path
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"{WS_HERE}/play/x/socket", headers=headers),
    ):
        pass
    assert closed.value.code == 4403


@pytest.mark.parametrize(
    "origin", ["http://table.example", "https://evil.example", "https://table.example:444", "null"]
)
def test_nor_of_a_public_server_for_a_page_without_tls(guest, origin):
    headers = form_of(guest) | {"Origin": origin}
    assert guest.post("/play/new", headers=headers).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        guest.websocket_connect(f"{WS_PUBLIC}/play/x/socket", headers=headers),
    ):
        pass
    assert closed.value.code == 4403


def test_a_form_carries_the_token_of_its_own_visitor(client, here):
    other = form_of(TestClient(here, base_url=HERE))["X-Railbird-Form"]
    mine = form_of(client)
    for wrong in ("", "x", other, mine["X-Railbird-Form"].upper(), mine["X-Railbird-Form"][:-1], "é"):
        headers = {"Origin": HERE, "X-Railbird-Form": wrong.encode()}
        assert client.post("/play/new", headers=headers).status_code == 403, wrong
    assert client.post("/play/new", headers={"Origin": HERE}).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(("mode", "dest"), [("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe")])
def test_other_sites_use_nothing_and_may_lead_here(client, site, mode, dest):
    told = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
    for path in ("/", "/explore?cards=AdQc", "/static/page.css"):
        assert client.get(path, headers=told).status_code == 403
    led = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=led).status_code == 200
    own = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
    assert client.get("/", headers=own).status_code == 200


def test_every_answer_has_its_headers(client, stranger, guest):
    answers = [
        client.get("/"),
        client.get("/nowhere"),
        client.get("/static/page.css"),
        client.get("/", headers={"Host": "evil.example"}),
        client.put("/", headers=form_of(client)),
        client.post("/play/new", content=b"x" * 200_000, headers=form_of(client) | URLENCODED),
        stranger.get("/play"),
        stranger.get("/enter"),
        guest.get("/laboratory"),
    ]
    assert {answer.status_code for answer in answers} == {200, 303, 403, 404, 405, 413}
    for answer in answers:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert ("no-store" in answer.headers["Cache-Control"]) is ("/static/" not in str(answer.url))


URLENCODED = {"Content-Type": "application/x-www-form-urlencoded"}


def test_a_fault_of_ours_tells_nothing_of_itself(here, monkeypatch):
    here.state.thinkers = SimpleNamespace(think=None)  # which cannot be called
    client = TestClient(here, base_url=HERE, raise_server_exceptions=False)
    answer = client.get("/explore?cards=AdQc")
    assert answer.status_code == 500
    assert answer.text == "This broke down, which is a fault of Railbird; the server goes on."
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_cookies_of_a_public_server(stranger):
    cookie = stranger.get("/enter").headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "Secure", "SameSite=Lax", "Path=/"))
    assert "Domain" not in cookie


@pytest.mark.parametrize(
    "token", ["", "x", "A" * 32, "g" * 32, "a" * 31, "a" * 33, "a" * 32 + "; x", '"' + "a" * 30 + '"']
)
def test_a_token_that_was_not_given_here_is_replaced(here, token):
    client = TestClient(here, base_url=HERE)
    given = client.get("/", headers={"Cookie": f"{COOKIE}={token}"}).headers.get("set-cookie")
    assert (given is None) is (token == "a" * 32 + "; x")


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/%00",
        "/static/",
        "/static/a/b",
        "/static//etc/passwd",
    ],
)
def test_files_elsewhere_are_not_served(client, stranger, path):
    for visitor in (client, stranger):
        answer = visitor.get(path)
        assert answer.status_code in (303, 404), path
        assert "import" not in answer.text


def test_without_the_password_there_is_the_door_and_nothing_else(stranger):
    paths = [
        "/play/new",
        "/review/upload",
        "/laboratory/start",
        "/explore/bots",
        "/explore/holdings",
        "/review/match/x",
    ]
    for path in paths:
        assert stranger.get(path).headers["location"].startswith("/enter?")
        assert stranger.post(path, headers=form_of(stranger, "/enter")).headers["location"].startswith("/enter?")
    stranger.cookies.set(PASS, "0" * 64, domain="table.example")
    assert stranger.get("/play").status_code == 303
    with (
        pytest.raises(WebSocketDisconnect),
        stranger.websocket_connect(f"{WS_PUBLIC}/play/x/socket", headers={"Origin": PUBLIC}),
    ):
        pass


# Other people's hands: a public server with a table, a run and a history of somebody else


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    home = tmp_path_factory.mktemp("public")
    play_match("always-call", "always-raise", hands=4, seed=7, folder=home / "duel-x")
    TableFile("0123456789", home / "duel-x", (Seated(0, "always-call", hashed("link"), hashed(OTHERS)),)).write()
    play_match("always-call", "random", hands=4, seed=7, folder=home / "runs" / "match-x" / "hands")
    run = {"schema": "railbird.run/1", "arguments": ["match", "x"], "pid": 2**22, "began": "2026-01-01T00:00:00"}
    (home / "runs" / "match-x" / "run.json").write_text(json.dumps(run))
    serving = Serving(home, password=Password.of("long enough"), workers=1)
    with TestClient(make_app(serving), base_url=PUBLIC, follow_redirects=False) as client:
        yield client


def test_the_hands_of_others_are_not_there(public):
    entered(public, OTHERS)
    log = (public.app.state.serving.home / "duel-x" / "hands.log").read_bytes()
    brought = public.post("/review/upload", files={"history": ("theirs.log", log)}, headers=form_of(public, "/review"))
    theirs = brought.headers["HX-Redirect"]
    assert public.get(theirs).status_code == 200
    assert public.get("/play/0123456789").status_code == 200
    entered(public, MINE)
    for path in (
        theirs,
        "/play/0123456789",
        "/review/match/duel-x",
        "/review/match/./duel-x",
        "/review/match/runs/../duel-x",
        "/review/match/runs/match-x/hands",
        "/review/match/uploads",
        "/review/match/" + theirs.rpartition("/")[2],
        "/laboratory/run/match-x",
    ):
        answer = public.get(path)
        assert answer.status_code in (400, 404), path
        assert "always-raise" not in answer.text
        assert str(public.app.state.serving.home) not in answer.text
    assert "public server" in public.get("/laboratory/run/match-x/now").text
    assert "duel-x" not in public.get("/review").text + public.get("/play").text
    assert "match-x" not in public.get("/laboratory").text
    headers = form_of(public, "/review")
    assert public.post(f"{theirs}/remove", headers=headers).status_code == 404
    assert public.post("/play/0123456789/close", headers=headers).status_code == 400
    for path in ("/laboratory/run/match-x/stop", "/laboratory/run/match-x/go-on", "/laboratory/start"):
        assert "public server" in public.post(path, headers=headers).text
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        public.websocket_connect(f"{WS_PUBLIC}/play/0123456789/socket", headers={"Origin": PUBLIC}) as socket,
    ):
        socket.receive_text()
    assert closed.value.code == 4404
    entered(public, OTHERS)
    assert public.get(theirs).status_code == 200
    assert public.post(f"{theirs}/remove", headers=form_of(public, "/review")).headers["HX-Redirect"] == "/review"
    assert public.get(theirs).status_code == 404


def test_visitors_name_no_files_and_no_programs(public, tmp_path):
    entered(public, MINE)
    headers = form_of(public, "/play")
    (tmp_path / "mine.py").write_text("raise SystemExit('this ran')")
    for bot in (f"{tmp_path}/mine.py:Mine", "cmd:touch x", "loki:tightness=tight", "../x.py"):
        for field in ("bot", "own_bot"):
            asked = {"name": "you", "game": "limit", field: bot}
            answer = public.post("/play/new", data=asked, headers=headers)
            assert answer.status_code == 422
            assert "no bot" in answer.text
        assert "no bot" in public.get("/explore/why", params={"cards": "AdQc", "bot": bot}).text


# Words that become scripts


@pytest.mark.parametrize("words", HOSTILE)
def test_names_in_a_history_stay_names(public, words):
    """In the review's title, tables, leaks, JSON and replays."""
    entered(public, MINE)
    public.app.state.limits.uploads.visitors.forgive(MINE)
    log = (public.app.state.serving.home / "duel-x" / "hands.log").read_text()
    name = words.replace(":", ";").replace("|", "I").replace("\0", "")
    hostile = log.replace("always-raise", name).encode("utf-8", "replace")
    headers = form_of(public, "/review")
    answer = public.post("/review/upload", files={"history": (f"{words}.log", hostile)}, headers=headers)
    check_page(answer.text)
    if answer.status_code == 204:
        page = public.get(answer.headers["HX-Redirect"])
        assert page.status_code == 200
        check_page(page.text)
        check_page(public.get("/review").text)
    check_page(public.get("/review").text)


@pytest.mark.parametrize("words", HOSTILE)
def test_what_is_asked_for_stays_text(public, words):
    entered(public, MINE)
    public.app.state.limits.requests.visitors.forgive(MINE)
    for name in ("cards", "board", "versus", "history", "seats", "own", "bot", "side", "class"):
        asked = {"cards": "AdQc", "own": "QQ+", "side": "own", "class": "QQ", name: words}
        if name in ("own", "side", "class"):
            del asked["cards"]
        for path in ("/explore", "/explore/why", "/explore/holdings"):
            check_page(public.get(path, params=asked).text)
    for path in ("/laboratory/paper/{}", "/review/match/{}", "/play/{}", "/sit/{}", "/{}"):
        check_page(public.get(path.format(words.replace("\0", ""))).text)
    headers = form_of(public, "/play")
    for name in ("name", "game", "bot", "people", "seconds"):
        asked = {"name": "you", "game": "limit", "bot": "loki", name: words}
        answer = public.post("/play/new", data=asked, headers=headers)
        assert answer.status_code == 422, name
        check_page(answer.text)


def test_lines_and_names_at_a_table_stay_text(public):
    entered(public, MINE)
    public.app.state.limits.tables.visitors.forgive(MINE)
    asked = {"name": "Ann", "game": "limit", "people": "Bob"}
    made = public.post("/play/new", data=asked, headers=form_of(public, "/play")).text
    table = re.search(r'href="/play/(\w+)"', made)[1]
    known = public.app.state.tables.all[table]
    with public.websocket_connect(f"{WS_PUBLIC}/play/{table}/socket", headers={"Origin": PUBLIC}) as socket:
        for number, words in enumerate(HOSTILE, 1):
            public.app.state.limits.lines.visitors.forgive(MINE)
            socket.send_text(json.dumps({"do": "chat", "words": words}))
            told = {}
            while "chat" not in told:
                told = json.loads(socket.receive_text())
            [line] = told["chat"]
            check_page(line)
            assert f'data-number="{number}"' in line
        said = [line.words for line in known.chat.lines]
    assert [line.replace("�", "") for line in said] == [re.sub("[\u202e\0]", "", words) for words in HOSTILE]
    page = public.get(f"/play/{table}").text
    check_page(page)
    assert "&lt;/script&gt;&lt;pwn&gt;" in page
    entered(public, OTHERS)
    assert "pwn" not in public.get(f"/play/{table}").text
    folder = known.file.folder
    assert "pwn" not in "".join(file.read_text() for file in folder.glob("*.log"))
    assert len((folder / "chat.jsonl").read_text().splitlines()) == len(HOSTILE)


@pytest.mark.parametrize("sent", [b"bytes", "[" * 900, '{"do":"chat","words":' + "9" * 400 + "}", '{"do":"chat"}x'])
def test_what_is_no_message_ends_the_connection(public, sent):
    entered(public, OTHERS)
    with public.websocket_connect(f"{WS_PUBLIC}/play/0123456789/socket", headers={"Origin": PUBLIC}) as socket:
        (socket.send_bytes if isinstance(sent, bytes) else socket.send_text)(sent)
        assert closing_code(socket) == 4400
