"""The command line as a person meets it: quick help, examples that work, one-line errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from railbird.cli import main
from railbird.cli.commands import PANELS, loaded

RAILBIRD = [sys.executable, "-m", "railbird"]
PLAYERS = Path(__file__).parent / "players.py"
COMMANDS = {name: summary for commands in PANELS.values() for name, summary in commands.items()}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and error output of a command."""
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    captured = capsys.readouterr()
    return end.value.code or 0, captured.out, captured.err


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["bots"], ["bots", "--json"]])
def test_what_needs_no_kernel_imports_no_numba(arguments):
    code = (
        "import sys\nfrom railbird.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "heavy = [name for name in ('numba', 'numpy', 'llvmlite') if name in sys.modules]\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, railbird\nassert not {'numpy', 'numba', 'rich', 'typer'} & set(sys.modules)\nrailbird.CALL"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_name_at_the_top_can_be_imported():
    import railbird

    for name in railbird.__all__:
        assert getattr(railbird, name) is not None
    assert set(railbird.__all__) <= set(dir(railbird))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = railbird.nothing


def test_help_groups_commands_by_purpose(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for title in ("Play", "Look at results and hands", "Build a bot"):
        assert title in out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_of_commands_has_the_first_sentence_of_each(command):
    assert loaded(command).help.split("\n\n")[0] == COMMANDS[command]


def test_short_options_mean_one_thing():
    meanings = {}
    for command in COMMANDS:
        for parameter in loaded(command).params:
            for short in parameter.opts:
                if re.fullmatch("-[a-z]", short):
                    meanings.setdefault(short, set()).add(parameter.opts[0])
    assert meanings["-s"] == {"--seed"}
    assert meanings["-n"] == {"--hands"}
    assert meanings["-o"] == {"--out"}


def test_hands_to_watch_are_those_of_the_match():
    seeds = [option.default for name in ("match", "watch") for option in loaded(name).params if option.name == "seed"]
    assert len(seeds) == 2
    assert (seeds[0] or 0) == seeds[1]


def _start_dealer() -> None:
    """A dealer to connect to, which ends by itself."""
    words = ["dealer", "m", "limit", "5", "0", "Alice", "Bob", "-q", "-p", "18791", "--bot", "2=random"]
    dealer = subprocess.Popen(
        [*RAILBIRD, *words, "--start_timeout", "30000"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert dealer.stdout.readline().startswith(b"18791 ")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_ends_with_an_example_that_works(capsys, monkeypatch, command):
    if "matches/demo" in loaded(command).epilog:
        run(capsys, "demo")
    if command == "check-bot":
        run(capsys, "new-bot", "mybot")
    if command == "connect":
        _start_dealer()
    if command == "serve":  # it would serve until it is asked to end; test_web_serving.py does that
        monkeypatch.setattr("railbird.web.app.serve_forever", lambda server, listening: None)
    last = loaded(command).epilog
    assert last.startswith("Example: railbird "), last
    assert last.split()[2] == command
    arguments = re.findall(r'"[^"]*"|\S+', last.removeprefix("Example: railbird "))
    code, out, err = run(capsys, *(argument.strip('"') for argument in arguments))
    assert code == 0, err
    assert out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mach"], "error: no command 'mach'; did you mean 'match'? (all: railbird --help)"),
        (["verison"], "error: no command 'verison'; did you mean '--version'? (all: railbird --help)"),
        (["tournment", "loki"], "error: no command 'tournment'; did you mean 'tournament'? (all: railbird --help)"),
        (["shark.py"], "error: no command 'shark.py' (all: railbird --help)"),
        (["match"], "error: Missing argument"),
        (["match", "always-call"], "error: 1 player (always-call); a match takes 2 to 10"),
        (["match", "always-call", "vexbt"], "error: no bot 'vexbt'; did you mean 'vexbot'?"),
        (["match", "always-call", "always-rais"], "error: no bot 'always-rais'; did you mean 'always-raise'?"),
        (["match", "random:fold=x", "random"], "error: fold=x in 'random:fold=x': it should be a number"),
        (["match", "random", "random", "--hands", "0"], "error: a match of 0 hands; it needs at least 1"),
        (["match", "random", "random", "--hands", "many"], "--hands many"),
        (["match", "random", "random", "--game", "limt"], "error: no game 'limt'; did you mean 'limit'?"),
        (["match", "random", "random", "--game", "no.game"], "error: cannot read the game file 'no.game'"),
        (["match", "random", "random", "--game", "kuhn:x=1"], "error: no parameter 'x' in 'kuhn:x=1'"),
        (["match", "random", "random", "--seed", "-4"], "error: seed -4; a seed is a whole number"),
        (["match", "random", "random", "--decision-seconds", "0"], "error: 0.0 seconds for a decision"),
        (["match", "random", "./no.py:Bot"], "error: no file 'no.py' to load a bot from"),
        (["tournament", "random"], "error: 1 player (random); a tournament takes 2 to 1,000"),
        (["watch", "loki"], "error: 1 player (loki); a match takes 2 to 10"),
        (["results", "nowhere"], "error: no file or folder 'nowhere'"),
        (["replay", "nowhere", "3"], "error: no file or folder 'nowhere'"),
        (["match", "random", "random", "--decision-seconds", "inf"], "error: inf seconds"),
        (["match", "random", "random", "--game", "limit:cap=100000000"], "error: raise caps"),
        (["match", "random", "random", "--game", "limit:small_bet=9999999999999"], "error: an amount of"),
        (["match", "random", "random", "--game", "limit:small_bet=99999999999999999"], "error: small_bet=9999"),
        (["match", "random", "random", "--game", "kuhn", "--out", "/proc/nowhere"], "error: cannot write to"),
        (["match", "expert", "random", "--game", "leduc"], "error: 'expert' does not play leduc"),
        (["odds", "AdQx"], "error: 'Qx' in 'AdQx' is not a card"),
        (["odds", "AdQc", "--board", "3h4c"], "error: "),
        (["odds", "AdQc", "--board", "3h4cAd"], "error: Ad appears twice"),
        (["odds", "AdQc", "--versus", "QQ++"], "error: "),
        (["bots", "nobody"], "error: no bot 'nobody'"),
        (["new-bot", "not a name"], "error: "),
        (["check-bot", "nobody"], "error: no bot 'nobody'"),
    ],
)
def test_bad_input_gets_one_line_and_leaves_nothing_behind(capsys, tmp_path, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_demo_plays_replays_and_says_what_to_try(capsys):
    code, out, _ = run(capsys, "demo")
    assert code == 0
    assert "expert vs random | limit heads-up | 2,000 duplicate pairs | seed 7" in out
    assert "expert is better" in out
    assert "hand 17" in out
    assert "try next" in out


def test_a_match_can_be_read_as_json(capsys):
    code, out, _ = run(capsys, "match", "always-raise", "always-fold", "-n", "200", "-s", "1", "--json", "-o", "m")
    assert code == 0
    data = json.loads(out)
    assert data["schema"] == "railbird.match/1"
    assert data["players"][0]["money"]["mean"] == 0.75  # the small and the big blind by turns
    assert data["hands_played"] == 200
    code, again, _ = run(capsys, "results", "m", "--json")
    assert json.loads(again) == data
    code, hand, _ = run(capsys, "replay", "m", "5", "--json")
    assert json.loads(hand)["schema"] == "railbird.hand/1"
    assert sum(player["won_chips"] for player in json.loads(hand)["players"]) == 0


def test_a_tournament_can_be_read_as_json(capsys):
    bots = ("always-call", "always-raise", "random")
    _, out, _ = run(capsys, "tournament", *bots, "-n", "100", "-o", "t", "--json")
    data = json.loads(out)
    assert data["schema"] == "railbird.tournament/1"
    assert [player["name"] for player in data["players"]] == list(bots)
    _, again, _ = run(capsys, "results", "t", "--json")
    assert json.loads(again) == data
    _, table, _ = run(capsys, "results", "t")
    assert "from 3" in table


def test_a_ring_match_reports_every_player(capsys):
    _, out, _ = run(capsys, "match", "random", "always-call", "always-raise", "-n", "60", "-d")
    assert "3 seats | 60 deals, each played 6 times" in out
    for name in ("random", "always-call", "always-raise"):
        assert re.search(rf"  {name} +[+-]\d", out)


def test_faults_are_reported(capsys):
    _, out, _ = run(capsys, "match", f"{PLAYERS}:Crasher", "always-call", "-n", "30")
    assert "faults of bots, the first: hand" in out
    assert "RuntimeError: the roof is on fire" in out


def test_bots_that_print_do_not_spoil_the_json():
    command = [*RAILBIRD, "match", f"{PLAYERS}:Printer", "random", "-n", "20", "--json", "-o", "m"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["hands_played"] == 20
    assert "hello" in Path("m/Printer.output.txt").read_text()


def test_names_that_look_like_markup_are_shown_as_they_are(capsys):
    code, out, _ = run(capsys, "match", "random", "random", "-n", "40", "-o", "a [/b] [red]")
    assert code == 0
    assert "railbird replay 'a [/b] [red]' 17" in out


def test_few_hands_settle_nothing(capsys):
    _, out, _ = run(capsys, "match", "always-raise", "always-fold", "-n", "5")
    assert "not settled: too few hands to say" in out


def test_replaying_what_is_not_there(capsys):
    run(capsys, "match", "random", "random", "-n", "30", "-o", "m")
    for arguments, message in (
        (("30",), "no hand 30 in 'm' (hands 0 to 29)"),
        (("3", "--seating", "2"), "seating 2; 'm' has 1 to 1"),
    ):
        code, _, err = run(capsys, "replay", "m", *arguments)
        assert code == 2
        assert message in err


@pytest.mark.parametrize(
    ("text", "why"), [("", "the file is empty"), ("hello\n", "it is of no format that is known here; Railbird reads")]
)
@pytest.mark.parametrize("command", [("replay", "some.txt", "5"), ("stats", "some.txt"), ("assess", "some.txt")])
def test_a_file_without_a_hand_says_why(capsys, command, text, why):
    Path("some.txt").write_text(text)
    code, _, err = run(capsys, *command)
    assert (code, err.count("\n")) == (2, 1)
    assert f"no hand in some.txt: {why}" in err


def test_a_game_file_can_be_played(capsys):
    file = Path(__file__).parent / "data" / "acpc" / "holdem.limit.3p.game"
    code, out, _ = run(capsys, "match", "random", "random", "random", "-n", "30", "-g", str(file))
    assert code == 0
    assert "holdem.limit.3p 3 seats" in out
