"""examples/llm_seat.py with a local server in the place of a language model: it answers well, badly, late and never."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from railbird.cards import parse_cards
from railbird.formats.seat_lines import act_line, hello_line
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.matches import play_match

SEAT = Path(__file__).parent.parent / "examples" / "llm_seat.py"


def question(game=None, history="r"):
    game = game or limit_holdem()
    node = Betting.start(game).play(history)
    return act_line(PlayerView(node, node.to_act, parse_cards("AdQc"), (), 3, ("Ann", "Bob")), 1)


class Stub(ThreadingHTTPServer):
    """A server that answers each request as the next of `answers` says; the last of them goes on."""

    daemon_threads = True

    def __init__(self, answers):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers, self.requests = list(answers), []
        self.leaving = threading.Event()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        server.requests.append((self.path, self.headers.get("Authorization"), asked))
        answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
        if answer == "never":
            server.leaving.wait(30)
            return
        if answer == "late":
            time.sleep(1.0)
            answer = '{"action": "raise"}'
        code, body = answer if isinstance(answer, tuple) else (200, answer)
        if isinstance(body, str):
            usage = {"prompt_tokens": 100, "completion_tokens": 7}
            body = {"choices": [{"message": {"content": body}}], "usage": usage}
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@contextmanager
def stub(*answers):
    server = Stub(answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.leaving.set()
        server.shutdown()
        server.server_close()


def environment(address, folder, **more):
    own = {"OPENAI_BASE_URL": address, "OPENAI_MODEL": "parrot", "OPENAI_API_KEY": "sesame"}
    return {**os.environ, **own, "LLM_SEAT_LOG": str(folder / "log.jsonl"), **more}


def seat(address, folder, *questions, **more):
    """What the seat answers to the questions, and its log."""
    asked = b"".join([hello_line(), *(questions or (question(),))])
    run = subprocess.run(
        [sys.executable, str(SEAT)],
        input=asked,
        capture_output=True,
        env=environment(address, folder, **more),
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr.count(b"checks or folds") == run.stdout.count(b'"check"') + run.stdout.count(b'"fold"')
    hello, *answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert hello["type"] == "hello"
    return answers, [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def fallbacks(log):
    return [entry["fallback"] for entry in log if entry["type"] == "decision"]


def test_a_model_that_answers_well(tmp_path):
    with stub('I have a good hand. {"action": "raise"}') as server:
        answers, log = seat(server.address, tmp_path)
    assert answers == [{"action": "raise"}]
    [(path, key, asked)] = server.requests
    assert (path, key, asked["model"]) == ("/v1/chat/completions", "Bearer sesame", "parrot")
    assert "You are Ann and hold Ad Qc" in asked["messages"][1]["content"]
    request, decision = log
    assert (request["prompt_tokens"], request["completion_tokens"], request["why"]) == (100, 7, "")
    assert (decision["fallback"], decision["action"]) == (False, "raise")
    assert "sesame" not in (tmp_path / "log.jsonl").read_text()


def test_amounts_are_checked_before_they_are_said(tmp_path):
    asked = question(no_limit_holdem(), "r300")
    with stub('{"action": "raise", "to": 1}', '{"action": "raise", "to": 700}') as server:
        answers, _ = seat(server.address, tmp_path, asked)
    assert answers == [{"action": "raise", "to": 700}]
    assert "from 500 to 20000" in server.requests[1][2]["messages"][3]["content"]


@pytest.mark.parametrize(
    ("answers", "tries", "why"),
    [
        (["I fold!"], 3, "no JSON object"),
        (['{"action": "allin"}'], 3, "'allin' is not legal; legal: fold, call, raise"),
        ([(401, "no")], 1, "HTTP 401"),
        ([(500, "no")], 3, "HTTP 500"),
        ([(429, "no")], 3, "HTTP 429"),
        ([(200, {"choices": []})], 3, "no completion"),
    ],
)
def test_a_model_that_answers_badly_is_asked_again_and_then_folds(answers, tries, why, tmp_path):
    with stub(*answers) as server:
        found, log = seat(server.address, tmp_path, LLM_SEAT_SECONDS="30")
    assert found == [{"action": "fold"}]
    assert fallbacks(log) == [True]
    requests = [entry for entry in log if entry["type"] == "request"]
    assert len(requests) == len(server.requests) == tries
    assert why in requests[-1]["why"]


def test_a_model_that_comes_round(tmp_path):
    with stub((503, "busy"), "hm", '{"action": "call"}') as server:
        found, log = seat(server.address, tmp_path, LLM_SEAT_SECONDS="30")
    assert found == [{"action": "call"}]
    assert fallbacks(log) == [False]


def test_a_model_that_never_answers(tmp_path):
    with stub("never") as server:
        began = time.monotonic()
        found, log = seat(server.address, tmp_path, question(history="c"), LLM_SEAT_SECONDS="0.3")
    assert found == [{"action": "check"}]
    assert fallbacks(log) == [True]
    assert time.monotonic() - began < 30


def test_a_model_that_answers_late(tmp_path):
    with stub("late", '{"action": "call"}') as server:
        found, log = seat(server.address, tmp_path, question(), question(), LLM_SEAT_SECONDS="0.3", LLM_SEAT_TRIES="1")
    assert found[0] == {"action": "fold"}
    assert fallbacks(log)[0]
    assert len(server.requests) == len(found) == 2


def test_nobody_is_there(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    found, log = seat(f"http://127.0.0.1:{port}", tmp_path, LLM_SEAT_TRIES="2", LLM_SEAT_SECONDS="30")
    assert found == [{"action": "fold"}]
    assert [entry["try"] for entry in log if entry["type"] == "request"] == [1, 2]


def test_pauses_grow_and_end_with_the_time(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
    spec = importlib.util.spec_from_file_location("llm_seat", SEAT)
    seat = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(seat)

    def refused(_messages, _seconds):
        raise seat.Unusable("HTTP 503")

    now, pauses = [0.0], []
    monkeypatch.setattr(seat, "request", refused)
    monkeypatch.setattr(seat, "TRIES", 100)
    monkeypatch.setattr(seat.random, "uniform", lambda _low, high: high)
    decided = seat.decide(
        json.loads(question()), lambda _: None, lambda: now[0], lambda s: pauses.append(s) or now.insert(0, now[0] + s)
    )
    assert decided == ({"action": "fold"}, True)
    assert pauses == [0.5, 1.0, 2.0, 4.0]  # 8 s in all, and no pause that ends after them


@pytest.mark.skipif(sys.platform != "linux", reason="boxes end strays by way of /proc")
def test_a_match_of_a_model(tmp_path, monkeypatch):
    with stub('{"action": "call"}', "hm", '{"action": "check"}', '{"action": "fold"}') as server:
        for name, value in environment(server.address, tmp_path, LLM_SEAT_AT_ONCE="2", LLM_SEAT_SECONDS="30").items():
            monkeypatch.setenv(name, value)
        result = play_match(f"lines:{sys.executable} {SEAT}", "always-call", hands=8, seed=1)
        assert result.spec.hands_at_once == 2
        assert not result.faults
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert len(fallbacks(log)) >= 8
    shown = subprocess.run([sys.executable, str(SEAT), "--summary", str(tmp_path / "log.jsonl")], capture_output=True)
    words = shown.stdout.decode()
    assert words.startswith(
        f"{len(fallbacks(log))} decisions, {sum(fallbacks(log))} fallbacks, {len(server.requests)} requests"
    )
    assert f"tokens: {100 * len(server.requests)} in, {7 * len(server.requests)} out" in words
