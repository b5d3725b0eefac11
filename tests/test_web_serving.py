"""The command that serves: its address, a port that is taken, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest
from starlette.testclient import TestClient

from railbird.cli import main
from railbird.web.app import listening_at, make_app
from railbird.web.serving import Serving, ServingError


def test_it_says_where_it_is_and_ends_when_it_is_asked_to(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = str(tmp_path / "home")
    command = [sys.executable, "-m", "railbird", "serve", home, "--no-browser", "--port", str(port), "--workers", "1"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout.readline() == f"Railbird is at http://127.0.0.1:{port}/ (Ctrl-C ends it)\n"
        with urlopen(f"http://127.0.0.1:{port}/", timeout=120) as page:
            assert b"<title>Railbird</title>" in page.read()
        with pytest.raises(ServingError, match=r"Address already in use; name another --port"):
            listening_at(Serving(tmp_path, port=port))
        server.send_signal(signal.SIGINT)
        assert server.wait(120) == 130
        assert server.stderr.read() == f"stopped: all hands are kept in {home!r}, and runs go on\n"
    finally:
        server.kill()


def test_the_first_page_is_light(tmp_path):
    client = TestClient(make_app(Serving(tmp_path)), base_url="http://127.0.0.1")
    page = client.get("/").text
    assets = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert len(assets) >= 5
    found = [client.get(asset) for asset in assets]
    assert all("immutable" in each.headers["Cache-Control"] for each in found)
    assert len(page.encode()) + sum(len(each.content) for each in found) <= 300_000


def test_what_cannot_be_served_is_not_announced(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("RAILBIRD_PASSWORD", "correct horse")
    monkeypatch.setattr("railbird.web.app.serve_forever", lambda server, listening: pytest.fail("it serves"))
    words, first, second = tmp_path / "shark.py", tmp_path / "a.pem", tmp_path / "b.pem"
    words.write_text("no PEM")
    first.write_text("-----BEGIN CERTIFICATE-----\n")
    second.write_text("-----BEGIN PRIVATE KEY-----\n")
    home, public = str(tmp_path / "home"), ["--public", "--certificate"]
    for arguments, told in (
        ([str(words)], f"{str(words)!r} cannot be the folder of the hands: File exists; name another"),
        (["/proc"], "'/proc' cannot be the folder of the hands: "),
        ([home, *public, str(words), "--key", str(second)], f"{str(words)!r} is no PEM file: --certificate names"),
        ([home, *public, str(first), "--key", str(words)], f"{str(words)!r} is no PEM file: --key names"),
        ([home, *public, str(first), "--key", str(second)], f"certificate {str(first)!r} and key {str(second)!r}"),
    ):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        with pytest.raises(SystemExit) as end:
            main(["serve", *arguments, "--no-browser", "--port", port])
        out, err = capsys.readouterr()
        assert (end.value.code, out) == (2, "")
        assert err.startswith(f"error: {told}")
        assert err.count("\n") == 1


def test_a_server_without_a_password_is_not_started(monkeypatch, capsys):
    told = "error: no password was typed; type one, or put it in $RAILBIRD_PASSWORD\n"
    command = [sys.executable, "-m", "railbird", "serve", "--public", "--no-browser", "--port", "8487"]
    surroundings = {name: value for name, value in os.environ.items() if name != "RAILBIRD_PASSWORD"}
    options = {"env": surroundings, "start_new_session": True, "check": False}  # so there is no terminal to ask at
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, **options)
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", told)

    def ended_by_ctrl_d(prompt):
        raise EOFError

    monkeypatch.delenv("RAILBIRD_PASSWORD", raising=False)
    monkeypatch.setattr("railbird.cli.cmd_serve.getpass", ended_by_ctrl_d)
    with pytest.raises(SystemExit) as end:
        main(command[3:])
    assert (end.value.code, capsys.readouterr().err) == (2, told)
