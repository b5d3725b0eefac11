"""Bots at a dealer's table: the same play as without a wire, and dealers of every kind."""

from __future__ import annotations

import json
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from railbird.bots.base import Bot
from railbird.cli import main
from railbird.errors import BrokenOffError, UnreadableLineError
from railbird.game.actions import CALL, raise_to
from railbird.net.wire_seat import WireSeat
from wire_clients import DATA, LIMIT, SECONDS, Client, Host, always, dealing, game_of

sys.path.insert(0, str(Path(__file__).parents[1]))

from trials import soak

PLAYERS = Path(__file__).parent / "players.py"
limit = game_of(LIMIT)


def test_a_learner_is_shown_over_the_wire_what_it_is_shown_in_a_match(tmp_path):
    bots, names, file = [f"{PLAYERS}:Learner", f"{PLAYERS}:Coin"], ["a", "b"], str(DATA / LIMIT)
    log = soak.dealt_log(tmp_path, file, bots, names, 3, 60)
    expected = list(soak.lines_without_wire(limit, bots, names, 3, 60))
    assert [line for line in log.read_text().splitlines() if line.startswith("STATE")] == expected
    assert len(expected) == 60


def test_the_trial_of_long_matches_finds_a_difference(tmp_path):
    log = tmp_path / "soak.log"
    log.write_text("# a comment\nSTATE:0:f\nSTATE:1:f\n")
    assert soak.first_difference(log, iter(["STATE:0:f", "STATE:1:f"])) == ""
    assert "'STATE:1:f'" in soak.first_difference(log, iter(["STATE:0:f", "STATE:1:c"]))
    assert "None" in soak.first_difference(log, iter(["STATE:0:f", "STATE:1:f", "STATE:2:f"]))


def test_three_seats_two_of_them_bots_of_the_dealer(tmp_path):
    game = game_of("holdem.limit.3p.game")
    file, bots = str(DATA / "holdem.limit.3p.game"), ("--bot", "1=random", "--bot", "3=always-raise")
    with dealing(tmp_path, "m", file, "40", "1", "a", "b", "c", "-q", *bots) as dealer:
        client = Client(dealer.ports[1], game, always("c"))
    client.join(10)
    assert dealer.code == 0
    expected = soak.lines_without_wire(game, ["random", "always-call", "always-raise"], ["a", "b", "c"], 1, 40)
    assert (tmp_path / "m.log").read_text().splitlines()[4:-1] == list(expected)


# Dealers that others wrote, or nobody should have


class Script(threading.Thread):
    """A dealer that says these lines to whoever comes, and waits for an answer after each that ends with a ?."""

    def __init__(self, *lines: str, stays: bool = False) -> None:
        super().__init__(daemon=True)
        self.answers: list[str] = []
        self._lines, self._stays = lines, stays
        self._over = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.start()

    def run(self) -> None:
        with suppress(OSError), self._listening, self._listening.accept()[0] as wire:
            wire.settimeout(SECONDS)
            said = wire.makefile("r", newline="\n")
            self.answers.append(said.readline())
            for line in self._lines:
                wire.sendall(line.removesuffix("?").encode() + b"\r\n")
                if line.endswith("?"):
                    self.answers.append(said.readline())
            if self._stays:
                self._over.wait(SECONDS)

    def end(self) -> None:
        self._over.set()
        self.join(10)


def connected(tmp_path, dealer: Script, *options: str) -> tuple[int, str, str]:
    """Exit code, output and error output of a bot's process at that dealer."""
    bot = Host.named("bot").run(tmp_path, "bot", ["connect", "127.0.0.1", str(dealer.port), *options]).wait()
    dealer.end()
    return bot.code, bot.out, bot.err


def test_comments_several_lines_at_once_and_an_action_that_the_dealer_changed(tmp_path):
    dealer = Script(
        "# welcome",
        "MATCHSTATE:0:0::5d5c|\r\nMATCHSTATE:0:0:r:5d5c|?",
        "; more\r\nMATCHSTATE:0:0:rc/:5d5c|/8dAs8s?",  # the raise was taken for a call
        "MATCHSTATE:0:0:rc/f:5d5c|/8dAs8s",
        "MATCHSTATE:1:1:f:|5dJd",
    )
    # A fold where checking is free is what a dealer would never do; here it only ends the hand.
    code, out, _ = connected(tmp_path, dealer, "--bot", "always-raise", "--json")
    assert dealer.answers[:2] == ["VERSION:2.0.0\r\n", "MATCHSTATE:0:0:r:5d5c|:r\r\n"]
    assert dealer.answers[2] == "MATCHSTATE:0:0:rc/:5d5c|/8dAs8s:r\r\n"
    told = json.loads(out)
    assert code == 1
    assert told["broken_off"] == "hand 0: 'rc/f' after 'rc/'; is the game limit?"


def test_what_was_won_is_told(tmp_path):
    dealer = Script(
        "MATCHSTATE:0:0::5d5c|",
        "MATCHSTATE:0:0:r:5d5c|?",
        "MATCHSTATE:0:0:rc/:5d5c|/8dAs8s?",
        "MATCHSTATE:0:0:rc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d",
        "MATCHSTATE:0:0:rc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d",
        "MATCHSTATE:1:1::|5dJd?",
        "MATCHSTATE:1:1:cr:|5dJd?",
        "MATCHSTATE:1:1:crf:|5dJd",
    )
    code, out, err = connected(tmp_path, dealer, "--bot", "always-call")
    assert code == 0, err
    assert "always-call at 127.0.0.1" in out
    assert "limit heads-up | 2 hands" in out
    assert "+10 chips" in out  # 20 at the showdown; then the bot called, and the dealer says that it folded


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["MATCHSTATE:0:0::5d5c|", "MATCHSTATE:0:0:r:5d5c|?"], "the dealer ended the match in the middle of hand 0"),
        (["HTTP/1.1 400 Bad Request"], "'HTTP/1.1 400 Bad Request' is no state"),
        (["MATCHSTATE:0:0::5d5c||"], "'5d5c||' are no cards of a game for 2 players"),
        (["x" * 10_000], "is no state"),
    ],
)
def test_dealers_that_break_off_or_talk_of_something_else(tmp_path, lines, said):
    code, out, err = connected(tmp_path, Script(*lines), "--bot", "always-call")
    assert code == 1
    assert f"broken off: {said}" in out or said in out
    assert err == ""


def test_a_dealer_that_says_nothing_is_given_up(tmp_path):
    code, out, _ = connected(tmp_path, Script(stays=True), "--bot", "always-call", "--patience", "0.5")
    assert code == 1
    assert "broken off: the dealer has said nothing for 0.5 seconds" in out


def test_a_bot_that_fails_checks_or_folds_and_is_told_of(tmp_path):
    with dealing(tmp_path, "m", str(DATA / LIMIT), "5", "0", "a", "b", "-q") as dealer:
        Client(dealer.ports[0], limit, always("c"))
        words = ["connect", "127.0.0.1", str(dealer.ports[1]), "--bot", f"{PLAYERS}:Stringer"]
        bot = Host.named("bot").run(tmp_path, "bot", words).wait()
    assert bot.code == 1
    assert "faults of bots, the first: hand 0: Stringer illegal: answered 'c', which is not an Action" in bot.out
    assert dealer.code == 0
    assert "STATE:0:f:5d5c|9hQd:5|-5:a|b\n" in (tmp_path / "m.log").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("127.0.0.1 9 --bot always-call", "error: no dealer at 127.0.0.1:9: Connection refused (railbird dealer"),
        ("nowhere.invalid 18000 --bot always-call", "error: no dealer at nowhere.invalid:18000: "),
        ("127.0.0.1 9 --bot alwayscall", "error: no bot 'alwayscall'; did you mean 'always-call'?"),
        ("127.0.0.1 9 --bot vexbot --game leduc", "error: 'vexbot' does not play leduc with 2 seats"),
        ("127.0.0.1 9 --bot always-call --game nowhere.game", "error: cannot read the game file 'nowhere.game'"),
        ("127.0.0.1 9 --bot always-call --patience 0", "error: --patience 0; it is more than 0"),
        ("127.0.0.1 0 --bot always-call", "error: Invalid value for 'port': 0 is not in the range"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(capsys, arguments, said):
    with pytest.raises(SystemExit) as end:
        main(["connect", *arguments.split()])
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


# The bot's side without sockets


class Seen(Bot):
    """Notes what it is told."""

    learns = True

    def __init__(self) -> None:
        self.told: list[str] = []

    def reset(self) -> None:
        self.told = []

    def on_hand(self, view):
        self.told.append(f"hand {view.hand_number} as {view.position} with {view.holding} against {view.names}")

    def on_action(self, view, position, action):
        self.told.append(f"{position} {action} after {view.history!r} on {view.board!r}")

    def on_board(self, view):
        self.told.append(f"board {view.board}")

    def on_showdown(self, view, shown):
        self.told.append(f"shown {sorted(shown)}")

    def on_result(self, view, payoffs):
        self.told.append(f"won {payoffs}")

    def act(self, view):
        return CALL


def test_hooks_are_called_while_the_hand_is_played():
    bot = Seen()
    seat = WireSeat(bot, game_of("holdem.limit.3p.game"))
    assert seat.hear([b"MATCHSTATE:1:5::|5d5c|\r", b"MATCHSTATE:1:5:c:|5d5c|\r"]) == b""
    assert bot.told == [
        "hand 5 as 1 with 5d5c against ('opponent-2', 'Seen', 'opponent-1')",
        "2 c after '' on ''",
    ]
    assert seat.hear([b"MATCHSTATE:1:5:cf:|5d5c|\r"]) == b"MATCHSTATE:1:5:cf:|5d5c|:c\r\n"
    assert bot.told[-1] == "0 f after 'c' on ''"
    seat.hear([b"MATCHSTATE:1:5:cfc/:|5d5c|/8dAs8s", b"MATCHSTATE:1:5:cfc/cc/cc/cc:|5d5c|9hQd/8dAs8s/4h/6d"])
    assert bot.told[3:5] == ["1 c after 'cf' on ''", "board 8dAs8s"]
    assert bot.told[-3:] == ["2 c after 'cfc/cc/cc/c' on '8dAs8s4h6d'", "shown [1, 2]", "won (-5, 15, -10)"]
    assert (seat.hands, seat.chips, seat.is_in_hand) == (1, 15.0, False)
    # In the next hand everybody has another position, and is the same opponent.
    seat.hear([b"MATCHSTATE:0:6::2c2d||"])
    assert bot.told[-1] == "hand 6 as 0 with 2c2d against ('Seen', 'opponent-1', 'opponent-2')"


def test_a_bot_that_does_not_listen_sees_the_same():
    class Views(Bot):
        seen: list[str]

        def act(self, view):
            self.seen.append(repr(view))
            return CALL

    views = []
    for kind in (Views, type("Listening", (Views,), {"on_board": lambda self, view: None})):
        bot = kind()
        bot.seen = []
        seat = WireSeat(bot, limit)
        for hand in (0, 1):
            state = f"MATCHSTATE:0:{hand}:".encode()
            seat.hear([state + b":5d5c|", state + b"c:5d5c|"])
            seat.hear([state + b"cc/:5d5c|/8dAs8s"])
            seat.hear([state + b"cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d"])
        views.append([text.replace("Listening", "Views") for text in bot.seen])
    assert views[0] == views[1]
    assert len(views[0]) == 4


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["MATCHSTATE:0:0:c:5d5c|", "MATCHSTATE:1:1::|5dJd"], "the dealer went on to hand 1 in the middle of hand 0"),
        (["MATCHSTATE:0:0:r300:5d5c|"], "hand 0: 'r300' after ''; is the game holdem.limit"),
        (["MATCHSTATE:0:0:c/:5d5c|/8dAs8s"], "hand 0: 'c/' after ''; is the game holdem.limit"),
        (["MATCHSTATE:0:0:cc/:5d5c|/8dAs"], "hand 0: 2 board cards after 'cc/'"),
        (["MATCHSTATE:0:0:c:|5d5c"], "hand 0 begins without this seat's cards"),
        (["MATCHSTATE:0:0:rc/cc/cc/cc:5d5c|/8dAs8s/4h/6d"], "hand 0: a showdown without all cards"),
    ],
)
def test_states_that_cannot_be_are_refused(lines, said):
    seat = WireSeat("always-call", limit)
    for line in lines[:-1]:
        seat.hear([line.encode()])
    with pytest.raises((BrokenOffError, UnreadableLineError), match=said):
        seat.hear([lines[-1].encode()])


def test_a_raise_that_the_reference_dealer_would_not_take_is_not_made():
    class Raiser(Bot):
        def act(self, view):
            return raise_to(view.betting.min_raise_to) if view.can_raise else CALL

    raises = "".join(f"r{100 * raised}" for raised in range(2, 65))
    seat = WireSeat(Raiser, game_of("holdem.nolimit.2p.reverse_blinds.game"))
    answer = seat.hear([f"MATCHSTATE:0:0:{raises}:5d5c|".encode()])
    assert answer.endswith(b":c\r\n")


def test_results_of_many_hands_are_added_up():
    seat = WireSeat("always-call", limit)
    for hand in range(1, 2501):
        seat.hear([f"MATCHSTATE:{hand % 2}:{hand}::{'|' * (hand % 2)}5d5c{'|' * (1 - hand % 2)}".encode()])
        folded = "f" if hand % 2 == 0 else "rf"
        seat.hear([f"MATCHSTATE:{hand % 2}:{hand}:{folded}:{'|' * (hand % 2)}5d5c{'|' * (1 - hand % 2)}".encode()])
    assert seat.hands == 2500
    assert seat.chips == 1250 * 5 + 1250 * 10
    assert seat.won().mean == pytest.approx(0.75)
    assert seat.won().count == 2500
