"""Bad clients of the dealer, in real processes: they vanish, are silent, flood it, or do not greet."""

from __future__ import annotations

import random
import re
import socket
import threading
from contextlib import suppress

import pytest

from railbird.net.dealer_table import DealtMatch
from wire_clients import DATA, LIMIT, Client, always, dealing, game_of, table_log

limit = game_of(LIMIT)


def bad_match(tmp_path, bad, *options: str, other=None, greeting: bytes = b"VERSION:2.0.0\n"):
    """A match against a bad client in the second seat, and what the dealer said of it."""
    with dealing(tmp_path, "bad", str(DATA / LIMIT), "50", "0", "Alice", "Bob", *options) as dealer:
        good = Client(dealer.ports[0], limit, other or always("c"))
        Client(dealer.ports[1], limit, bad, greeting)
    good.join(10)
    log = (tmp_path / "bad.log").read_text()
    assert log.endswith("\n")
    lines = log.splitlines()
    for line in lines[4:]:
        assert re.fullmatch(r"STATE:\d+:[fcr/]*:[^:]*:-?\d+\|-?\d+:\w+\|\w+|SCORE:-?\d+\|-?\d+:Alice\|Bob", line)
    return dealer, lines


def test_a_client_that_vanishes_ends_the_match(tmp_path):
    def bad(state, line):
        return None if state.number == 7 else f"{line}:c\r\n".encode()

    dealer, lines = bad_match(tmp_path, bad)
    assert dealer.code == 1
    assert dealer.out == ""
    assert "ERROR: could not get action from seat 2\n" in dealer.err
    assert [line for line in lines if line.startswith("STATE")][-1].startswith("STATE:6:")
    assert not lines[-1].startswith("SCORE")


def test_a_client_that_says_nothing_is_not_waited_for_longer_than_it_may(tmp_path):
    dealer, lines = bad_match(tmp_path, lambda _state, _line: b"", "--t_response", "300")
    assert dealer.code == 1
    assert re.search(
        r"ERROR: could not get action from seat 2\n0\.[3-9] seconds spent waiting; timeout 0\.3\n", dealer.err
    )
    assert len(lines) == 4


def test_half_lines_are_no_lines(tmp_path):
    def bad(state, line):
        return f"{line}:c".encode() if state.number == 3 else f"{line}:c\r\n".encode()

    dealer, _ = bad_match(tmp_path, bad, "--t_response", "1500", "-q")
    assert dealer.code == 1
    assert "ERROR: could not get action from seat 2" in dealer.err


def test_a_last_line_without_an_end_counts_if_nothing_more_can_come(tmp_path):
    with dealing(tmp_path, "m", str(DATA / LIMIT), "1", "0", "Alice", "Bob", "-q") as dealer:
        Client(dealer.ports[0], limit, always("c"))
        with socket.create_connection(("127.0.0.1", dealer.ports[1])) as wire:
            wire.sendall(b"VERSION:2.0.0\nMATCHSTATE:1:0::|9hQd:f")
            wire.shutdown(socket.SHUT_WR)
            assert wire.makefile("rb").read().endswith(b"MATCHSTATE:1:0:f:|9hQd\r\n")
    assert dealer.code == 0
    assert "STATE:0:f:5d5c|9hQd:5|-5:Alice|Bob\n" in (tmp_path / "m.log").read_text()


def test_floods_of_garbage_are_survived(tmp_path):
    garbage = [bytes(random.Random(seed).randrange(256) for _ in range(20_000)) for seed in range(3)]
    garbage += [b"\n" * 20_000, b"A" * 100_000, b"MATCHSTATE:1:0:" + b"c" * 90_000 + b"\n"]

    def bad(state, line):
        flood = garbage[state.number % len(garbage)] + b"\n" if state.history == "" else b""
        return flood + f"{line}:c\r\n".encode() + b"MATCHSTATE:9" * (state.number % 3) + b"\n"

    dealer, lines = bad_match(tmp_path, bad, "--t_response", "60000", "-q")
    assert dealer.code == 0, dealer.err[-2000:]
    assert len(lines) == 4 + 50 + 1
    assert dealer.err.count("WARNING") <= 1_001
    assert set(re.findall("[^\n -~]", dealer.err)) == set()


def test_a_flood_out_of_turn_waits_in_the_pipe(tmp_path):
    """Megabytes are sent by a client that is not to act; the dealer takes no more of it than it must."""
    flooded = threading.Event()

    def good(state, line):
        flooded.wait(5)
        return f"{line}:f\r\n".encode() if state.position == 1 else f"{line}:c\r\n".encode()

    with (
        dealing(tmp_path, "m", str(DATA / LIMIT), "3", "0", "Alice", "Bob", "-q", "-f") as dealer,
        socket.create_connection(("127.0.0.1", dealer.ports[0])) as wire,
    ):
        Client(dealer.ports[1], limit, good)
        wire.sendall(b"VERSION:2.0.0\n")
        wire.settimeout(1.0)
        sent = 0
        with suppress(TimeoutError):
            while sent < 200_000_000:
                sent += wire.send(b"x" * 65_536)
        assert sent < 200_000_000
        flooded.set()
        assert dealer.wait().code == 0
    assert (tmp_path / "m.log").read_text().count("STATE:") == 3


def test_comments_without_end_do_not_stop_the_clock(tmp_path):
    with dealing(tmp_path, "m", str(DATA / LIMIT), "3", "0", "Alice", "Bob", "-q", "--t_response", "500") as dealer:
        Client(dealer.ports[0], limit, always("c"))
        with suppress(OSError), socket.create_connection(("127.0.0.1", dealer.ports[1])) as wire:
            wire.sendall(b"VERSION:2.0.0\n")
            while True:
                wire.sendall(b"# thinking\n" * 1_000)
    assert dealer.code == 1
    assert "ERROR: could not get action from seat 2\n" in dealer.err
    assert len((tmp_path / "m.log").read_text().splitlines()) == 4


@pytest.mark.parametrize("vanishes", [False, True])
def test_a_program_at_a_table_with_a_bot_of_the_dealer(tmp_path, vanishes):
    def answer(state, line):
        return None if vanishes and state.number == 30 else f"{line}:c\r\n".encode()

    command = ("m", str(DATA / LIMIT), "50", "0", "Alice", "Bob", "-q", "--bot", "1=always-call")
    with dealing(tmp_path, *command) as dealer:
        client = Client(dealer.ports[1], limit, answer)
    client.join(10)
    assert dealer.code == int(vanishes)
    expected = table_log(DealtMatch("m", LIMIT, limit, 50, 0, ("Alice", "Bob")), [always("c")] * 2)[0].splitlines()
    lines = (tmp_path / "m.log").read_text().splitlines()
    assert lines[4:] == expected[4 : 4 + 30 if vanishes else None]


@pytest.mark.parametrize(
    ("greeting", "said"),
    [
        (b"HELLO\r\n", "ERROR: invalid version string HELLO\n"),
        (b"", "ERROR: could not read version string from seat 2\n"),
        (b"\x1b[31mVERSION:2.0.0\n", "ERROR: invalid version string �[31mVERSION:2.0.0\n"),
    ],
)
def test_what_is_no_greeting_ends_the_match(tmp_path, greeting, said):
    dealer, lines = bad_match(tmp_path, always("c"), "--start_timeout", "1500", greeting=greeting)
    assert dealer.code == 1
    assert dealer.err.endswith(said)
    assert len(lines) == 4


def test_another_version_is_told_and_played_with(tmp_path):
    dealer, lines = bad_match(tmp_path, always("c"), "-q", greeting=b"VERSION:3.1.0\r\n")
    assert dealer.code == 0
    assert "ERROR: this server is currently using version 2.0.0\n" in dealer.err
    assert len(lines) == 55


def test_nobody_comes(tmp_path):
    with dealing(tmp_path, "m", "limit", "5", "0", "Alice", "Bob", "--start_timeout", "1500") as dealer:
        Client(dealer.ports[0], limit, always("c"))
    assert dealer.code == 1
    assert dealer.err.endswith("ERROR: timed out waiting for seat 2 to connect\n")
