"""The door of a public server."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from railbird.web.app import make_app
from railbird.web.entering import PASS, pass_of
from railbird.web.guard import COOKIE
from railbird.web.serving import Password, Serving, ServingError

BASE = "https://table.example"
WORDS = "correct horse"


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    return Serving(tmp_path_factory.mktemp("public"), "0.0.0.0", password=Password.of(WORDS), workers=1)


@pytest.fixture
def app(serving):
    return make_app(serving)  # not started: what stands before the pages needs no processes


def visitor(app):
    return TestClient(app, base_url=BASE, follow_redirects=False)


def tried(client, password, where="/enter", origin=BASE):
    form = re.search(r'X-Railbird-Form":"(\w+)"', client.get("/enter").text).group(1)
    headers = {"X-Railbird-Form": form, "Origin": origin}
    return client.post(where, data={"password": password}, headers=headers)


def test_nobody_gets_past_the_door_without_the_password(app):
    client = visitor(app)
    for path in ("/", "/play", "/explore", "/review", "/laboratory", "/sit/abc", "/nowhere"):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["location"].split("?")[0]) == (303, "/enter"), path
    assert client.get("/static/page.css").status_code == 200
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/play/x/socket", headers={"Origin": BASE}):
        pass
    assert tried(client, "wrong horse").status_code == 403
    assert client.get("/").status_code == 303


def test_who_knows_the_password_comes_in_and_goes_on(app):
    client = visitor(app)
    answer = tried(client, WORDS, "/enter?to=/sit/abc")
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (200, "/sit/abc")
    cookie = answer.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "Secure", "SameSite=lax"))
    assert client.get("/").status_code == 200
    assert "Play" in client.get("/").text
    assert client.get("/enter").headers["location"] == "/"


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example/", "/\\evil.example", "/a?b", "javascript:1"])
def test_the_door_leads_nowhere_else(app, to):
    client = visitor(app)
    form = re.search(r'X-Railbird-Form":"(\w+)"', client.get("/enter").text).group(1)
    headers = {"X-Railbird-Form": form, "Origin": BASE}
    answer = client.post("/enter", params={"to": to}, data={"password": WORDS}, headers=headers)
    assert answer.headers["HX-Redirect"] == "/"


def test_a_pass_belongs_to_one_browser_and_one_server(app, serving, tmp_path):
    client, other = visitor(app), visitor(app)
    tried(client, WORDS)
    other.get("/enter")
    other.cookies.set(PASS, client.cookies[PASS], domain="table.example")
    assert other.get("/").status_code == 303
    again = Serving(tmp_path, "0.0.0.0", password=Password.of(WORDS), workers=1)
    assert pass_of(again, client.cookies[COOKIE]) != pass_of(serving, client.cookies[COOKIE])


def test_few_tries(app, monkeypatch):
    monkeypatch.setattr(app.state.limits.tries.addresses, "_clock", lambda: 0.0)
    client = visitor(app)
    assert [tried(client, "wrong horse").status_code for _ in range(6)] == [403] * 5 + [429]
    assert tried(client, WORDS).status_code == 429, "also the right one"
    app.state.limits.tries.addresses.forgive("testclient")
    assert [tried(client, "wrong horse").status_code for _ in range(3)] == [403] * 3
    assert tried(client, WORDS).status_code == 200, "and forgives"
    assert len(app.state.limits.tries.addresses) == 0


def test_forms_of_other_sites_are_refused(app):
    client = visitor(app)
    assert tried(client, WORDS, origin="https://evil.example").status_code == 403
    assert client.post("/enter", data={"password": WORDS}, headers={"Origin": BASE}).status_code == 403
    assert client.get("/").status_code == 303


def test_what_cannot_be_served_is_said(tmp_path):
    with pytest.raises(ServingError, match="at least 8"):
        Password.of("short")
    with pytest.raises(ServingError, match="--public asks for a password"):
        Serving(tmp_path, "0.0.0.0")
    with pytest.raises(ServingError, match="belong together"):
        Serving(tmp_path, certificate=tmp_path)
    with pytest.raises(ServingError, match="there is no file"):
        Serving(tmp_path, certificate=tmp_path / "a.pem", key=tmp_path / "b.pem")
    assert Serving(tmp_path, "::1", 80).address == "http://[::1]:80/"
