"""Programs as seats: over the competition's wire and by lines, with everything that can go wrong with them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from railbird.bots.lines_program import LinesProgram
from railbird.bots.programs import bot_spec
from railbird.bots.registry import make_bot
from railbird.bots.talking import ProgramEnded, over_pipes
from railbird.check.check_bot import check_bot
from railbird.check.trial import HANDS_BY_SEATS
from railbird.errors import MatchError, RailbirdError, UnknownBotError
from railbird.formats.acpc import parse_record
from railbird.formats.wire_lines import HandText
from railbird.game.actions import CALL, FOLD
from railbird.game.betting import Betting
from railbird.game.spec import Game, limit_holdem, no_limit_holdem, pot_limit_holdem
from railbird.game.view import PlayerView
from railbird.play.box import Housing
from railbird.play.boxed_bot import BoxedBot
from railbird.play.folder import MatchFolder
from railbird.play.manifest import read_manifest
from railbird.play.match import MatchSpec
from railbird.play.matches import compare_bots, play_match, play_tournament
from railbird.play.run import run_matches
from wire_programs import lines_program, script, wire_program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes end strays by way of /proc")

ROOT = Path(__file__).parent.parent
COUNTING = """
seen = (seen * 31 + len(betting) + len(cards)) % 1009
wire.sendall(state + b":" + (b"r" if seen % 3 == 0 else b"c") + b"\\n")
"""
"""Decides by all that it has seen."""


def match(folder: Path, *bots: str, hands: int = 12, seconds: float = 10.0, game: Game | None = None, **rest):
    spec = MatchSpec(game or limit_holdem(), bots, hands, 3, decision_seconds=seconds, **rest)
    return run_matches([MatchFolder.create(folder, spec)], workers=1)[0]


def hands_in(folder: Path) -> str:
    """The hands of a match without the names."""
    lines = [line for line in (folder / "hands.log").read_text().splitlines() if line.startswith("STATE")]
    return "\n".join(line.rpartition(":")[0] for line in lines)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("./agents/raiser", "raiser"),
        ("./agent-1.2:learns=yes", "agent-1.2(learns=yes)"),
        ("lines:python3 examples/lines_caller.py", "lines_caller.py"),
        ("lines:node bot.js --level 3", "bot.js(--level,3)"),
        ("lines:./caller http://127.0.0.1:80/v1", "caller(http_//127.0.0.1_80/v1)"),
        ("lines:java -jar bot.jar", "bot.jar"),
        ("lines:/usr/bin/python3.12 -O a/caller.py x", "caller.py(x)"),
        ("lines:./caller a/b.c", "caller(a/b.c)"),
        ("lines:shark a.b", "shark(a.b)"),
        ("lines:my-bot", "my-bot"),
        (f"lines:my-bot {'x' * 90}", f"my-bot({'x' * 40})"),
    ],
)
def test_programs_have_names_for_logs(text, label):
    assert bot_spec(text).is_program
    assert bot_spec(text).label == label


def test_a_program_is_told_from_a_bot_of_python(tmp_path):
    bot, program = tmp_path / "bot.py", script(tmp_path / "program.py", "")
    bot.write_text("class Mine: pass\n")
    assert not bot_spec(f"{bot}:Mine").is_program
    assert not bot_spec(f"{bot}:Mine:depth=3").is_program
    assert not bot_spec(str(bot)).is_program
    assert not bot_spec("equilibrium:strategy=a/b").is_program
    assert not bot_spec(f"{program}:Mine").is_program
    assert bot_spec(program).is_program
    assert bot_spec(f"{program}:learns=yes").is_program
    with pytest.raises(UnknownBotError, match="is a program: it plays in matches"):
        make_bot(program)


NEXT_VERSION = """print('{"type": "hello", "protocol": "railbird-lines/2"}', flush=True)"""
LEAVES = "import socket, sys\nsocket.create_connection((sys.argv[1], int(sys.argv[2])))\n"
GREETS_WRONGLY = {"greeting": b"HELLO\n"}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: str(path / "nothing"), "no program '.*/nothing'"),
        (lambda path: str(path), "is a folder, not a program"),
        (lambda path: str(path / "plain"), r"cannot be executed \(chmod \+x .*/plain\)"),
        (lambda path: str(path / "unknown"), "cannot be started: Exec format error; does its first line name"),
        (
            lambda path: script(path / "p", "import sys\nsys.exit('no cards')\n"),
            "exit code 1 before .*printed: no cards",
        ),
        (lambda path: script(path / "p", "import time\ntime.sleep(60)\n") + ":start=0.2", "did not connect .*0.2 s"),
        (lambda path: wire_program(path / "p", **GREETS_WRONGLY), "greeted with 'HELLO'; .* says VERSION:2.0.0"),
        (lambda path: script(path / "p", LEAVES), "connected and ended with exit code 0 before it said VERSION:2.0.0"),
        (lambda path: f"{script(path / 'p', '')}:start=0", "it is above 0, and at most 3600 seconds"),
        (lambda path: f"{script(path / 'p', '')}:lerns=yes", "did you mean 'learns'"),
        (lambda path: "lines:", "names no command"),
        (lambda path: "lines:'a", "is no command: No closing quotation"),
        (lambda path: "lines:nothing-of-this-name", "no program 'nothing-of-this-name' is installed"),
        (lambda path: f"lines:{script(path / 'p', 'print(17)')}", "answered wrongly: '17' is not a greeting"),
        (lambda path: f"lines:{script(path / 'p', 'raise OSError(9)')}", "exit code 1 before it answered .*OSError: 9"),
        (lambda path: f"lines:{script(path / 'p', NEXT_VERSION)}", "is no greeting of railbird-lines/1"),
        (
            lambda path: lines_program(path / "p", hands_at_once=65),
            "hands_at_once .* not a whole number from 0 to 64",
        ),
        (lambda path: lines_program(path / "p", wisdom=3), "'wisdom' means nothing here"),
    ],
)
def test_what_cannot_be_started_is_said_in_one_line(make, words, tmp_path):
    (tmp_path / "plain").write_text("x")
    (tmp_path / "unknown").write_text("x")
    (tmp_path / "unknown").chmod(0o755)
    with pytest.raises(RailbirdError, match=words) as found:
        MatchSpec(limit_holdem(), (make(tmp_path), "always-call"), 10, 0)
    assert "\n" not in str(found.value)


def test_programs_are_not_trusted(tmp_path):
    with pytest.raises(MatchError, match="is a program and plays in a box; leave out --trusted"):
        play_match(wire_program(tmp_path / "caller"), "always-call", hands=2, trusted=True)


@pytest.mark.parametrize("game", [limit_holdem(), limit_holdem(3), no_limit_holdem(2, stack=1000), no_limit_holdem(3)])
def test_a_program_plays_like_a_bot_that_decides_alike(game, tmp_path):
    others = ("random", "always-call")[: game.seats - 1]
    match(tmp_path / "bots", "always-call", *others, game=game)
    found = match(tmp_path / "wire", wire_program(tmp_path / "caller"), *others, game=game)
    match(tmp_path / "lines", lines_program(tmp_path / "liner"), *others, game=game)
    assert hands_in(tmp_path / "wire") == hands_in(tmp_path / "lines") == hands_in(tmp_path / "bots")
    assert not found.faults
    assert found.spec.names[0] == "caller"


@pytest.mark.parametrize("game", [limit_holdem(), no_limit_holdem(3, stack=400)])
def test_a_program_sees_what_a_dealer_shows(game, tmp_path):
    seen = 'with here.with_suffix(".seen").open("a") as file:\n    file.write(state.decode() + "\\n")\n'
    program = wire_program(tmp_path / "p", seen + 'wire.sendall(state + b":c\\n")')
    match(tmp_path / "m", program, *("random", "random")[: game.seats - 1], game=game)
    expected = []
    lines = (tmp_path / "m" / "hands.log").read_text().splitlines()
    for record in [parse_record(line, game) for line in lines if line.startswith("STATE")]:
        position = record.names.index("p")
        text = HandText(game, record.number, record.holes, record.board)
        nodes = [before for before, _ in record.steps()]
        expected += [text.state(position, node.history, node.street) for node in nodes]
        final = record.final()
        expected.append(text.end(position, final.history, final.street, final.live))
    assert (tmp_path / "p.seen").read_text().splitlines() == expected


def test_hands_are_numbered_from_0_in_each_connection(tmp_path):
    noting = (
        'with here.with_suffix(".seen").open("a") as file:\n    file.write(hand + " ")\nwire.sendall(state + b":c\\n")'
    )
    match(tmp_path / "m", wire_program(tmp_path / "p", noting), "always-call", hands=6, block_hands=3)
    numbers = [int(number) for number in (tmp_path / "p.seen").read_text().split()]
    assert [number for number, before in zip(numbers, [-1, *numbers]) if number != before] == [0, 1, 2, 0, 1, 2]


def test_a_program_that_was_not_told_of_a_hand_is_shown_it_when_it_is_asked(tmp_path):
    noting = 'with here.with_suffix(".seen").open("a") as file:\n    file.write(state.decode() + "\\n")\n'
    bot = bot_spec(wire_program(tmp_path / "p", noting + 'wire.sendall(state + b":c\\n")')).make()
    for number in (7, 8):
        assert bot.act(PlayerView(Betting.start(limit_holdem()), 1, (0, 5), (), number, ("a", "b"))) == CALL
    seen = (tmp_path / "p.seen").read_text().splitlines()
    assert seen == ["MATCHSTATE:1:0::|2c3d", "MATCHSTATE:1:1::|2c3d"]


def test_what_a_dealer_would_change_is_changed(tmp_path):
    raiser = wire_program(tmp_path / "raiser", 'wire.sendall(state + b":r\\n")')
    result = match(tmp_path / "m", raiser, "always-raise", hands=3)
    match(tmp_path / "bots", "always-raise", "always-raise", hands=3)
    assert hands_in(tmp_path / "m") == hands_in(tmp_path / "bots")
    assert not result.faults
    assert "invalid action, changed to call" in (tmp_path / "m" / "raiser.output.txt").read_text()


def test_games_that_no_game_file_can_say_are_refused(tmp_path):
    with pytest.raises(MatchError, match="does not play pot-limit"):
        MatchSpec(pot_limit_holdem(), (wire_program(tmp_path / "p"), "always-call"), 10, 0)
    match(tmp_path / "m", lines_program(tmp_path / "q"), "always-call", hands=2, game=pot_limit_holdem())


@pytest.mark.parametrize(
    ("body", "kind", "words", "seconds"),
    [
        ('wire.sendall(b"what?\\n")', "illegal", "answered 'what?' and not 'MATCHSTATE:0:0:", 10.0),
        ("time.sleep(60)", "timeout", "no answer within 0.5 s", 0.5),
        ("sys.exit(3)", "timeout", "ended with exit code 3", 10.0),
    ],
)
def test_what_a_program_does_wrong_is_a_fault_and_the_match_goes_on(body, kind, words, seconds, tmp_path):
    result = match(tmp_path / "m", wire_program(tmp_path / "p", body), "always-call", hands=2, seconds=seconds)
    # A program may end while it is shown something, before it is asked: then that is noted too, as a hook.
    assert {fault.kind.value for fault in result.faults} <= {kind, "hook"}
    assert any(words in fault.message for fault in result.faults if fault.kind.value == kind)
    assert not any(fault.place for fault in result.faults)
    assert result.hands_played == 2


@pytest.mark.parametrize(
    ("body", "kind", "words", "seconds"),
    [
        ('print("call")', "illegal", "'call' is not an answer, as", 10.0),
        ('say(action="raise", to=5)', "illegal", "a raise to 5 is not legal here: raise to 4", 10.0),
        ('say(action=call, why="x")', "illegal", "'why' means nothing here", 10.0),
        ("time.sleep(60)", "timeout", "no answer within 0.5 s", 0.5),
        ("sys.exit(3)", "timeout", "ended with exit code 3", 10.0),
        ('print("x" * 70_000, flush=True)', "illegal", "a line of more than 65,536 bytes", 10.0),
    ],
)
def test_what_a_program_says_wrongly_in_lines(body, kind, words, seconds, tmp_path):
    text = lines_program(tmp_path / "p", f"sys.stdout.flush()\n{body}\nsys.stdout.flush()")
    result = match(tmp_path / "m", text, "always-call", hands=3, seconds=seconds)
    assert {fault.kind.value for fault in result.faults} == {kind}
    assert words in result.faults[0].message


class _SlowTalk:
    """A program whose first answer comes only after nobody waits for it any more."""

    def __init__(self):
        self.lines = [b'{"action": "raise"}', b'{"action": "fold"}', b'{"action": "call"}']
        self.is_late = True

    def say(self, line):
        pass

    def heard(self):
        if self.is_late:
            self.is_late = False
            raise TimeoutError
        return self.lines.pop(0)


def test_a_late_answer_is_not_taken_for_the_next():
    bot = object.__new__(LinesProgram)
    bot._talk, bot._owed, bot._seed = _SlowTalk(), 0, 0
    view = PlayerView(Betting.start(limit_holdem()), 1, (0, 5), (), 0, ("a", "b"))
    with pytest.raises(TimeoutError):
        bot.act(view)
    assert [bot.act(view), bot.act(view)] == [FOLD, CALL]


def test_a_talk_that_comes_to_nothing():
    silent = over_pipes(["sleep", "60"])
    with pytest.raises(TimeoutError):
        silent.heard(0.05)
    with pytest.raises(ProgramEnded, match="closed the connection"):
        over_pipes(["sh", "-c", "exec 1>&-; sleep 60"]).heard()
    with pytest.raises(ProgramEnded, match="was ended by SIGTERM"):
        over_pipes(["sh", "-c", "kill $$"]).heard()


@pytest.mark.parametrize("learns", [True, False])
def test_a_program_that_dies_is_started_again_and_shown_what_it_must_have_seen(learns, tmp_path):
    dying = """
flag = here.with_suffix(".died")
if hand == "5" and betting and not flag.exists():
    flag.touch()
    sys.exit(1)
"""
    settings = ":learns=yes" if learns else ""
    body = COUNTING if learns else 'wire.sendall(state + b":c\\n")'
    match(tmp_path / "well", wire_program(tmp_path / "p", body) + settings, "random")
    result = match(tmp_path / "badly", wire_program(tmp_path / "q", dying + body) + settings, "random")
    assert (tmp_path / "q.died").exists()
    assert hands_in(tmp_path / "badly") == hands_in(tmp_path / "well")
    assert not result.faults
    name = "q(learns=yes)" if learns else "q"
    assert result.restarts == result.to_json()["restarts"] == {name: 1}


def test_restarts_are_noted_and_counted_also_after_an_interruption(tmp_path):
    dying = """
flag = here.with_suffix(f".{told['hand']}")
if told["hand"] in (2, 7) and not flag.exists():
    flag.touch()
    print("so long", end="", file=sys.stderr, flush=True)
    sys.exit(4)
say(action=call)
"""
    program = lines_program(tmp_path / "p", dying) + " a/b"
    assert match(tmp_path / "m", program, "always-call", hands=5).restarts == {"p(a/b)": 1}
    result = match(tmp_path / "m", program, "always-call", hands=9)
    assert not result.faults
    assert result.restarts == {"p(a/b)": 2}
    assert "\np(a/b) was lost and started again 2 times: p_a_b_.output.txt says why" in str(result)
    assert (tmp_path / "m" / "p_a_b_.output.txt").read_text().splitlines() == [
        "so long",
        "[railbird] hand 2: ended with exit code 4; started again",
        "so long",
        "[railbird] hand 7: ended with exit code 4; started again",
    ]
    assert match(tmp_path / "well", lines_program(tmp_path / "q"), "always-call", hands=5).to_json()["restarts"] == {}


def test_restarts_are_counted_over_the_matches_of_a_tournament_and_a_comparison(tmp_path):
    program = lines_program(tmp_path / "p", "if told['hand'] == 1: sys.exit(4)\nsay(action=call)")
    table = play_tournament(program, "always-call", "always-raise", hands=2, workers=1)
    found = compare_bots(program, "always-call", against="always-raise", hands=2, workers=1)
    for result, matches in ((table, 2), (found, 1)):
        assert len(result.faults) >= matches
        assert result.restarts["p"] == result.to_json()["restarts"]["p"] >= 2 * matches
        assert "p was lost and started again " in str(result)


def test_a_program_that_ends_as_it_is_started_is_started_once_more(tmp_path):
    fails_once = """
flag = Path(__file__).with_suffix(".begun")
if not flag.exists():
    flag.touch()
    sys.exit("no luck")
"""
    program = lines_program(tmp_path / "p")
    text = (tmp_path / "p").read_text().replace("seen = 0\n", f"seen = 0{fails_once}", 1)
    (tmp_path / "p").write_text(text)
    result = match(tmp_path / "m", program, "always-call", hands=2)
    assert (tmp_path / "p.begun").exists()
    assert not result.faults


def test_a_match_with_a_program_that_remembers_can_be_resumed(tmp_path):
    program = wire_program(tmp_path / "p", COUNTING) + ":learns=yes"
    match(tmp_path / "whole", program, "random", hands=14)
    match(tmp_path / "parts", program, "random", hands=5)
    match(tmp_path / "parts", program, "random", hands=14)
    assert (tmp_path / "parts" / "hands.log").read_bytes() == (tmp_path / "whole" / "hands.log").read_bytes()
    forgetful = tmp_path / "forgetful"
    match(forgetful, program.removesuffix(":learns=yes"), "random", hands=14, block_hands=7)
    assert hands_in(forgetful) != hands_in(tmp_path / "whole")  # what it has seen does change what it does


def test_a_program_that_speaks_lines_says_itself_that_it_learns(tmp_path):
    body = "seen += told['hand']\nsay(action=call)"
    spec = MatchSpec(limit_holdem(), (lines_program(tmp_path / "p", body, learns=True), "random"), 10, 3)
    assert spec.learns


def test_the_hash_of_a_program_is_in_the_manifest_and_an_edit_begins_anew(tmp_path):
    program = wire_program(tmp_path / "p")
    match(tmp_path / "m", program, "always-call", hands=2)
    before = read_manifest(tmp_path / "m")["files"]
    assert re.fullmatch("[0-9a-f]{64}", before[0])
    with open(program, "a") as file:
        file.write("# edited\n")
    with pytest.warns(UserWarning, match="a bot has changed"):
        match(tmp_path / "m", program, "always-call", hands=2)
    assert read_manifest(tmp_path / "m")["files"] != before
    assert len(list(tmp_path.glob("m.was-*"))) == 1


def test_programs_that_wait_play_many_hands_at_once_with_the_same_bytes(tmp_path):
    # Each copy waits until another one is asked too: with one hand at a time nobody would ever answer.
    meeting = """
    (here.parent / "meeting").mkdir(exist_ok=True)
    import os
    (here.parent / "meeting" / str(os.getpid())).touch()
    until = time.monotonic() + 60
    while len(list((here.parent / "meeting").iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    say(action=call if time.monotonic() < until else "nobody came")
    """
    body = "\n".join(line.removeprefix("    ") for line in meeting.splitlines())
    together = lines_program(tmp_path / "p", body, hands_at_once=2)
    spec = MatchSpec(limit_holdem(), (together, "expert"), 16, 3, decision_seconds=90.0)
    assert (spec.hands_at_once, spec.block_hands) == (2, 4)
    [result] = run_matches([MatchFolder.create(tmp_path / "m", spec)])
    match(tmp_path / "bots", "always-call", "expert", hands=16)
    assert not result.faults
    assert hands_in(tmp_path / "m") == hands_in(tmp_path / "bots")


def test_a_bot_of_python_may_wait_too(tmp_path):
    file = tmp_path / "waiting.py"
    text = "class Waiting(Bot):\n    hands_at_once = 3\n    def act(self, view):\n        return CALL\n"
    file.write_text(f"from railbird import CALL, Bot\n{text}")
    result = play_match(f"{file}:Waiting", "expert", hands=12, seed=3, folder=tmp_path / "m")
    match(tmp_path / "bots", "always-call", "expert")
    assert (result.spec.hands_at_once, result.spec.block_hands) == (3, 4)
    assert hands_in(tmp_path / "m") == hands_in(tmp_path / "bots")


def test_no_more_are_started_at_once_than_a_program_says(tmp_path):
    counting = """
    import fcntl
    with open(here.with_suffix(".count"), "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("+")
    time.sleep(0.02)
    with open(here.with_suffix(".count"), "a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("-")
    say(action=call)
    """
    body = "\n".join(line.removeprefix("    ") for line in counting.splitlines())
    text = lines_program(tmp_path / "p", body, hands_at_once=3)
    spec = MatchSpec(limit_holdem(), (text, "always-call"), 24, 3)
    run_matches([MatchFolder.create(tmp_path / "m", spec)])
    at_once, most = 0, 0
    for sign in (tmp_path / "p.count").read_text():
        at_once += 1 if sign == "+" else -1
        most = max(most, at_once)
    assert (at_once, most <= 3) == (0, True)


def test_tournaments_and_comparisons_have_programs_too(tmp_path):
    program, lines = wire_program(tmp_path / "caller"), lines_program(tmp_path / "liner")
    table = play_tournament(program, "always-raise", lines, hands=3, workers=1)
    assert table.names == ("caller", "always-raise", "liner")
    found = compare_bots(program, lines, against="always-raise", hands=3, workers=1)
    assert found.difference().mean == 0


@pytest.fixture
def few_games(monkeypatch):
    """Checks try heads-up games only."""
    for seats in [seats for seats in HANDS_BY_SEATS if seats > 2]:
        monkeypatch.delitem(HANDS_BY_SEATS, seats)


@pytest.mark.usefixtures("few_games")
def test_a_check_of_a_program(tmp_path):
    report = check_bot(wire_program(tmp_path / "caller"), budget_seconds=2.0)
    assert report.ok, report
    report = check_bot(wire_program(tmp_path / "p", "sys.exit(4)"), budget_seconds=1.0)
    assert [finding.message for finding in report.findings] == ["The program ended with exit code 4."]


@pytest.mark.usefixtures("few_games")
def test_a_check_of_a_program_that_throws_dice(tmp_path):
    dice = "import os\nsay(action=('fold' if not free and os.urandom(1)[0] < 128 else call))"
    report = check_bot(lines_program(tmp_path / "p", dice), budget_seconds=1.0)
    assert report.ok
    assert [finding.code for finding in report.findings] == ["not-reproducible"]


def test_programs_get_the_environment_of_their_user(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/some/where")
    body = """
import os
told = [os.environ[name] for name in ("PYTHONPATH", "RAILBIRD_DECISION_SECONDS")]
here.with_suffix(".env").write_text(" ".join(told))
say(action=call)
"""
    match(tmp_path / "m", lines_program(tmp_path / "p", body), "always-call", hands=1)
    assert (tmp_path / "p.env").read_text() == "/some/where 10"


def test_nothing_is_left_running(tmp_path):
    body = 'import subprocess, os\nif not seen:\n    seen = subprocess.Popen(["sleep", "300"])\nsay(action=call)'
    text = lines_program(tmp_path / "p", body)
    bot = BoxedBot(bot_spec(text), Housing(), "p")
    assert bot.company == 0
    [pid] = [int(line) for line in _children(bot._box._process.pid)]
    bot.rest()
    assert not os.path.exists(f"/proc/{pid}")


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_a_program_with_arguments_is_told_where_they_belong(tmp_path: Path) -> None:
    program = tmp_path / "client"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(UnknownBotError, match="give it its arguments in a script of its own"):
        play_match(f"{program} --fast", "always-call", hands=1)
