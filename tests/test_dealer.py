"""The dealer: the reference dealer's cards, log, words and patience, over loopback between processes."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from railbird.cli import main
from railbird.errors import BrokenOffError, MatchError
from railbird.formats.readers import hands_in
from railbird.formats.wire_lines import MatchState
from railbird.net.dealer_cards import reference_deals
from railbird.net.dealer_files import DealerBooks, parse_transaction
from railbird.net.dealer_table import DealtMatch, Limits, Table
from wire_clients import (
    DATA,
    LIMIT,
    NO_LIMIT,
    Client,
    NoBooks,
    always,
    dealing,
    game_of,
    replaying,
    table_log,
    without_times,
)

limit, no_limit = game_of(LIMIT), game_of(NO_LIMIT)
PLAYERS = Path(__file__).parent / "players.py"
SHORT = (DATA / "short.log").read_text()
MATCH = DealtMatch("short", LIMIT, limit, 20, 0, ("Alice", "Bob"))


def test_the_reference_match_again_log_wire_and_words(tmp_path):
    shutil.copy(DATA / LIMIT, tmp_path)
    with dealing(tmp_path, "runs/short", LIMIT, "20", "0", "Alice", "Bob") as dealer:
        clients = [Client(port, limit, replaying(SHORT)) for port in dealer.ports]
    for client in clients:
        client.join(10)
    assert dealer.code == 0
    assert dealer.out == "SCORE:-490|490:Alice|Bob\n"
    assert (tmp_path / "runs" / "short.log").read_bytes() == (DATA / "short.log").read_bytes()
    capture = (DATA / "short.player0.wire.txt").read_text()
    read = re.findall(r'read\(3, "(.*?)\\r\\n", 4096\)', capture)
    assert clients[0].heard == [line for piece in read for line in piece.split(r"\r\n")]
    expected = without_times((DATA / "short.err").read_bytes().decode())
    assert without_times(dealer.err) == expected


@pytest.mark.parametrize(
    ("log", "seats"),
    [
        ("2p.limit.h1000.r0.log", LIMIT),
        ("2p.nolimit.h1000.r0.log", NO_LIMIT),
        ("match.TestingBot.TestingBot.two_player_nolimit.10h.log", NO_LIMIT),
    ],
)
def test_logs_of_the_reference_dealer_byte_for_byte(log, seats):
    text = (DATA / log).read_text()
    name, file, hands, seed = text.split("\n", 1)[0].removeprefix("# name/game/hands/seed ").split()
    names = tuple(re.search(r":([^:|]*)\|([^:|]*)\n", text).groups())
    limits = Limits(-1, -1, -1) if "TestingBot" in log else Limits()
    match = DealtMatch(name, file, game_of(seats), int(hands), int(seed), names, limits)
    found, table = table_log(match, [replaying(text)] * 2)
    assert found == text if "SCORE" in text else found.startswith(text)
    assert not table.notes


def test_three_players_share_pots_to_parts_of_a_chip_and_the_log_can_be_read(tmp_path):
    game = game_of("holdem.limit.3p.game")
    generator = random.Random(3)
    anything = [lambda _state, line: f"{line}:{generator.choice('cccrf')}\r\n".encode()] * 3
    match = DealtMatch("three", "3p.game", game, 600, 5, ("a", "b", "c"))
    found, table = table_log(match, anything)
    assert re.search(r":[-\d.|]*\.5[|:]", found)
    path = tmp_path / "three.log"
    path.write_text(found)
    records, totals = list(hands_in(path, game)), [0.0] * 3
    for record, deal in zip(records, reference_deals(game, 5, 600), strict=True):
        record.check()
        assert record.holes == deal.holes
        assert record.names == tuple("abc"[(position + record.number) % 3] for position in range(3))
        for name, won in zip(record.names, record.payoffs):
            totals["abc".index(name)] += won
    assert table.totals == pytest.approx(totals)
    assert abs(sum(table.totals)) < 1e-6


def test_thirds_are_added_up_before_they_are_rounded():
    table = Table(replace(MATCH, hands=3), NoBooks(), lambda: 0.0)
    table.totals = [1 / 3 + 1 / 3 + 1 / 3, -1.0]
    assert table.score_line() == "SCORE:1|-1:Alice|Bob"


@pytest.mark.parametrize("file", ["holdem.nolimit.3p.game", "kuhn.limit.3p.game", "leduc.limit.2p.game"])
def test_other_games_over_the_wire(tmp_path, file):
    game, names = game_of(file), ("a", "b", "c")[: game_of(file).seats]
    generator = random.Random(1)
    sizes = ["r300", "r1000", "r20000"] if file.startswith("holdem") else ["r"]

    def answer(_state: MatchState, line: str) -> bytes:
        return f"{line}:{generator.choice(['c', 'c', 'f', *sizes])}\r\n".encode()

    with dealing(tmp_path, "m", str(DATA / file), "50", "7", *names, "-q") as dealer:
        clients = [Client(port, game, answer) for port in dealer.ports]
    for client in clients:
        client.join(10)
        assert MatchState.parse(client.heard[-1], game).number == 49
    assert dealer.code == 0
    log = tmp_path / "m.log"
    assert len(log.read_text().splitlines()) == 4 + 50 + 1
    for record, deal in zip(hands_in(log, game), reference_deals(game, 7, 50), strict=True):
        record.check()
        assert record.holes == deal.holes
    found, table = table_log(DealtMatch("m", file, game, 50, 7, names), [replaying(log.read_text())] * game.seats)
    assert found.splitlines()[1:] == log.read_text().splitlines()[1:]
    assert dealer.out == table.score_line() + "\n"


def test_the_button_stays_if_asked_to():
    found, _ = table_log(replace(MATCH, fixed_seats=True, hands=3), [always("c")] * 2)
    assert [line.rsplit(":", 1)[1] for line in found.splitlines() if line.startswith("STATE")] == ["Alice|Bob"] * 3


# Bad replies


def replies(*lines: bytes | str, match: DealtMatch = MATCH, seat: int = 1) -> tuple[Table, list[str]]:
    """The table after the first player to act has said these lines; # stands for the state."""
    table = Table(match, NoBooks(), lambda: 0.0, is_quiet=True)
    table.begin()
    assert table.seat == seat
    for line in lines:
        data = line if isinstance(line, bytes) else line.replace("#", table.outboxes[seat][-1], 1).encode()
        table.hear(data)
    return table, table.notes


@pytest.mark.parametrize(
    ("line", "betting", "notes"),
    [
        ("#:c\r\n", "c", []),
        ("#:r20\r\n", "r", []),
        ("#:f\n", "f", []),
        ("#:x\r\n", "c", ["WARNING: invalid action, changed to call\n"]),
        ("#:\r\n", "c", ["WARNING: invalid action, changed to call\n"]),
        ("#\r\n", "c", ["WARNING: bad action format in response, changed to call\n"]),
        ("hello\r\n", "", ["WARNING: bad state format in response\n"]),
        ("\r\n", "", ["WARNING: bad state format in response\n"]),
        (b"\xff\x00\x1b[31m\n", "", ["WARNING: bad state format in response\n"]),
        ("MATCHSTATE:1:7::|9hQd:c\r\n", "", ["WARNING: ignoring un-requested response\n"]),
        ("MATCHSTATE:0:0::5d5c|:c\r\n", "", ["WARNING: ignoring un-requested response\n"]),
        ("MATCHSTATE:1:0:c:|9hQd:c\r\n", "", ["WARNING: ignoring un-requested response\n"]),
        ("MATCHSTATE:1:0::|2c2d:c\r\n", "", ["WARNING: ignoring un-requested response\n"]),
        ("MATCHSTATE:1:0::|9hqD:k\r\n", "c", []),
        ("; a comment\r\n", "", []),
        (b"# a comment\r\n", "", []),
    ],
)
def test_bad_replies_are_treated_as_by_the_reference_dealer(line, betting, notes):
    table, found = replies(line)
    assert MatchState.parse(table.outboxes[0][-1], limit).history == betting or table.hand == 1
    assert found == notes


def test_folding_for_free_and_raising_past_the_cap_are_calls():
    table, notes = replies("#:c\r\n")
    table.hear(f"{table.outboxes[0][-1]}:f\r\n".encode())
    assert table.outboxes[0][-1] == "MATCHSTATE:0:0:cc/:5d5c|/8dAs8s"
    assert notes == ["WARNING: invalid action, changed to call\n"]
    table, notes = replies("#:r\r\n")
    for _ in range(2):
        table.hear(f"{table.outboxes[table.seat][-1]}:r\r\n".encode())
    table.hear(f"{table.outboxes[0][-1]}:r\r\n".encode())
    assert table.outboxes[0][-1] == "MATCHSTATE:0:0:rrrc/:5d5c|/8dAs8s"
    assert notes == ["WARNING: invalid action, changed to call\n"]


def test_raises_of_no_size_that_is_allowed_are_mended():
    match = replace(MATCH, game=no_limit)
    table, notes = replies("#:r1\r\n", match=match)
    table.hear(f"{table.outboxes[0][-1]}:r99999\r\n".encode())
    table.hear(f"{table.outboxes[1][-1]}:r\r\n".encode())
    assert notes == [
        "WARNING: raise of 1 increased to 200\n",
        "WARNING: raise of 99999 decreased to 20000\n",
        "WARNING: bad action format in response, changed to call\n",
    ]
    assert table.outboxes[0][-2] == "MATCHSTATE:0:0:r200r20000c///:5d5c|9hQd/8dAs8s/4h/6d"


def test_invalid_actions_can_be_limited():
    match = replace(MATCH, limits=Limits(invalid=1))
    table, notes = replies("#:x\r\n", match=match)
    table.hear(f"{table.outboxes[0][-1]}:c\r\n".encode())
    table.hear(f"{table.outboxes[0][-1]}:c\r\n".encode())
    with pytest.raises(BrokenOffError, match=r"hand 0: too many invalid actions of Bob \(seat 2\)"):
        table.hear(f"{table.outboxes[1][-1]}:x\r\n".encode())
    assert notes[-1] == "ERROR: invalid action\n"


def test_warnings_about_a_seat_come_to_an_end():
    _, notes = replies(*["\n"] * 3_000)
    assert len(notes) == 1_001
    assert notes[-1] == "WARNING: no more warnings about seat 2\n"


# Time, by a clock that is set


@pytest.mark.parametrize(
    ("limits", "seconds", "hands"),
    [
        (Limits(response=1_000), 1.0, 20),
        (Limits(response=1_000), 1.1, 0),
        (Limits(hand=3_000), 1.1, 0),
        (Limits(per_hand=1_000), 1.1, 4),
        (Limits(-1, -1, -1), 1e9, 20),
    ],
)
def test_time_limits(limits, seconds, hands):
    now = [0.0]
    table = Table(replace(MATCH, limits=limits), NoBooks(), lambda: now[0], is_quiet=True)
    table.begin()

    def play():
        while not table.is_over:
            if table.seat == 1:
                now[0] += seconds
            table.hear(f"{table.outboxes[table.seat][-1]}:c\r\n".encode())

    if hands == 20:
        play()
    else:
        with pytest.raises(BrokenOffError, match=r"Bob \(seat 2\) ran out of time"):
            play()
        assert table.notes == ["ERROR: seat 2 ran out of time\n"]
        assert table.hand == hands


def test_comments_take_time_too_but_are_not_judged():
    now = [0.0]
    table = Table(replace(MATCH, limits=Limits(response=1_000)), NoBooks(), lambda: now[0], is_quiet=True)
    table.begin()
    now[0] = 0.9
    table.hear(b"# thinking\n")
    assert table.seconds_left() == pytest.approx(0.1)
    assert table.no_reply().exit_code == 1
    assert table.notes == ["ERROR: could not get action from seat 2\n", "0.9 seconds spent waiting; timeout 1.0\n"]


# Files


def test_a_killed_dealer_leaves_whole_lines_and_goes_on_from_its_transactions(tmp_path):
    shutil.copy(DATA / LIMIT, tmp_path)
    log = (DATA / "2p.limit.h1000.r0.log").read_text()
    again = replaying(log)
    command = ("m", LIMIT, "300", "0", "p1", "p2", "-q", "-T", "-a")
    reached, killed = threading.Event(), threading.Event()

    def until(state, line):
        if state.number == 120 and state.history == "rc/crr":
            reached.set()
            killed.wait(60)
        return again(state, line)

    with dealing(tmp_path, *command, to_be_killed=True) as dealer:
        for port in dealer.ports:
            Client(port, limit, until)
        assert reached.wait(30)
        dealer.process.send_signal(signal.SIGKILL)
        killed.set()
    first = (tmp_path / "m.log").read_text()
    assert first.endswith("\n")
    assert first.splitlines()[4:] == log.splitlines()[4:][: len(first.splitlines()) - 4]
    assert len(first.splitlines()) == 4 + 120
    with (tmp_path / "m.tlog").open("ab") as file:
        file.write(b"r 12")  # torn, as after a power cut
    with dealing(tmp_path, *command) as dealer:
        for port in dealer.ports:
            Client(port, limit, again)
    assert dealer.code == 0, dealer.err
    whole = (tmp_path / "m.log").read_text()
    assert whole.startswith(first)
    hands = [line for line in whole.splitlines() if line.startswith("STATE")]
    assert hands == log.splitlines()[4:304]
    _, table = table_log(DealtMatch("m", LIMIT, limit, 300, 0, ("p1", "p2")), [again] * 2)
    assert dealer.out == whole.splitlines()[-1] + "\n" == table.score_line() + "\n"


def test_transactions_of_another_match_are_refused(tmp_path):
    books = DealerBooks(str(tmp_path / "m"), transactions=True, append=True)
    books.open()
    books.add_transaction("c 0 1.000000 2.000000\n")
    books.add_transaction("c 1 1.000000 2.000000\n")
    table = Table(MATCH, books, lambda: 0.0)
    with pytest.raises(MatchError, match="an action of hand 1 where one of hand 0 belongs"):
        table.begin(books.past())
    past = [parse_transaction(line) for line in (b"c 0 1.000000 2.000000\n", b"f 0 1.000000 2.000000\n")]
    with pytest.raises(MatchError, match="hand 0: cannot fold"):
        Table(MATCH, books, lambda: 0.0).begin(past)
    books.add_transaction("hello\n")
    with pytest.raises(MatchError, match=r"m\.tlog:3: 'hello' is no action that was written down"):
        list(books.past())
    books.close()


def test_a_log_is_begun_anew_or_added_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.log").write_text("something without an end")
    books = DealerBooks("m", append=True)
    books.open()
    books.add_hand("STATE\n")
    books.close()
    assert (tmp_path / "m.log").read_text() == "something without an end\nSTATE\n"
    books = DealerBooks("m")
    assert (tmp_path / "m.log").read_text() != ""
    books.open()
    books.close()
    assert (tmp_path / "m.log").read_text() == ""


def test_a_log_that_another_dealer_writes_is_left_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    first = DealerBooks("m", transactions=True)
    first.open()
    first.add_hand("STATE:0\n")
    for more in ([], ["-a"]):
        with pytest.raises(SystemExit) as end:
            main(["dealer", "m", "limit", "5", "0", "Alice", "Bob", *more])
        assert end.value.code == 2
        said = capsys.readouterr()
        assert said.err == "error: another dealer is writing 'm.log'; give this match another name\n"
        assert said.out == ""
    other = DealerBooks("m", log=False, transactions=True, append=True)
    with pytest.raises(MatchError, match=r"another dealer is writing 'm\.tlog'"):
        other.open()
    other.close()
    first.close()
    assert (tmp_path / "m.log").read_text() == "STATE:0\n"
    again = DealerBooks("m")
    again.open()
    again.close()
    assert (tmp_path / "m.log").read_text() == ""


def test_what_cannot_be_written_of_a_line_is_taken_back(tmp_path, monkeypatch):
    books = DealerBooks(str(tmp_path / "m"))
    books.open()
    books.add_hand("STATE:0\n")
    real = os.write
    calls = []

    def full(file, data):
        calls.append(data)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        return real(file, data[:3])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left") as error:
        books.add_hand("STATE:1\n")
    assert str(error.value.filename).endswith("m.log")
    monkeypatch.undo()
    assert (tmp_path / "m.log").read_text() == "STATE:0\n"
    books.close()


# The command


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("m limit 5 0 Alice", "error: 1 seats; a game has 2 to 23"),
        ("m nowhere.game 5 0 Alice Bob", "error: cannot read the game file 'nowhere.game'"),
        ("m limt 5 0 Alice Bob", "error: no game 'limt'; did you mean 'limit'?"),
        ("m pot-limit 5 0 Alice Bob", "error: the wire has limit and no-limit games without antes, not pot-limit"),
        ("m limit 0 0 Alice Bob", "error: 0 hands; a match has 1 to 4,294,967,295"),
        ("m limit 5 4294967296 Alice Bob", "error: seed 4294967296; a seed of the dealer"),
        ("m limit 5 0 Alice B:b", "error: 'B:b' cannot be a player's name"),
        ("m limit 5 0 Alice Bob -p 1,2,3", "error: -p '1,2,3': 3 ports for 2 seats"),
        ("m limit 5 0 Alice Bob -p 1,x", "error: -p '1,x': 'x' is not a whole number from 0 to 65,535"),
        ("m limit 5 0 Alice Bob --bot loki", "error: --bot 'loki'; say a seat from 1 to 2 and a bot"),
        ("m limit 5 0 Alice Bob --bot 3=loki", "error: --bot '3=loki'; say a seat from 1 to 2 and a bot"),
        (f"m limit 5 0 Alice Bob --bot 1={PLAYERS}:Caller", "would share a process with the cards; let it come by"),
        ("m limit 5 0 Alice Bob --bot 1=./my.py:Bot", "error: no file 'my.py' to load a bot from"),
        ("m limit 5 0 Alice Bob --bot 1=lokki", "error: no bot 'lokki'; did you mean 'loki'?"),
        ("m limit 5 0 Alice Bob --host nowhere.invalid", "error: seat 1 cannot listen at nowhere.invalid"),
        ("m leduc 5 0 Alice Bob Carl", "error: leduc is a game for 2 players, not 3"),
    ],
)
def test_what_cannot_be_dealt_is_said_in_one_line(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["dealer", *arguments.split()])
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost", "127.0.0.2"])
def test_bots_of_the_dealer_find_it_wherever_it_listens(tmp_path, monkeypatch, capsys, host):
    monkeypatch.chdir(tmp_path)
    bots = ("--bot", "1=always-call", "--bot", "2=always-raise")
    with pytest.raises(SystemExit) as end:
        main(["dealer", "m", "limit", "5", "0", "Alice", "Bob", "-q", "--host", host, *bots])
    assert not end.value.code
    assert capsys.readouterr().out.splitlines()[-1] == (tmp_path / "m.log").read_text().splitlines()[-1]


def test_a_port_that_is_taken_is_said_and_the_last_log_is_still_there(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.log").write_text("the last log\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit):
            main(["dealer", "m", "limit", "5", "0", "Alice", "Bob", "-p", f"0,{port}"])
    said = f"error: seat 2 cannot listen at 127.0.0.1:{port}: Address already in use\n"
    assert capsys.readouterr().err == said
    assert (tmp_path / "m.log").read_text() == "the last log\n"
