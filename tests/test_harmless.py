"""No sign in a name, parameter, path, log or fault is obeyed by the terminal that shows it."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import railbird
from railbird.bots.base import Bot
from railbird.cli import main
from railbird.cli.commands import PANELS
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.play.faults import Fault, FaultKind
from railbird.play.match import MatchSpec
from railbird.play.matches import play_match
from railbird.play.players import names_of, player_of
from railbird.words import harmless

SIGNS = {
    "escape": "\x1b[31mred",
    "C1 escape": "\x9b31mred",
    "title": "\x1b]0;title\x07",
    "link": "\x1b]8;;http://example.org\x1b\\here\x1b]8;;\x1b\\",
    "bell": "ding\x07",
    "carriage return": "true\rfalse",
    "backspace": "true\x08\x08\x08\x08false",
    "turned around": "\u202egpj.exe\u2066",
    "line separator": "one\u2028two\u2029three\x85four\x0bfive",
    "half a sign": "half\ud800\udfff\udc80",
    "zero": "null\x00byte",
    "delete": "del\x7fete",
}
MARKUP = "[link=http://example.org][red]here[/red][/link][/nothing]"


@pytest.fixture(params=SIGNS)
def nasty(request):
    return SIGNS[request.param]


@pytest.fixture
def shown(capsys):
    """Runs a command and returns what it wrote and its exit code; nothing in it may be obeyed."""

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main([str(each) for each in arguments])
        written = capsys.readouterr()
        for text in (written.out, written.err):
            assert "Traceback" not in text
            assert all(sign.isprintable() or sign == "\n" for sign in text), text
        return written.out + written.err, ended.value.code

    return run


def test_what_is_shown_instead():
    assert harmless("a\x1b[0m\nb\u202ec\ud800") == "a\ufffd[0m\ufffdb\ufffdc\ufffd"
    assert harmless("a\x1b[0m\nb", in_lines=True) == "a\ufffd[0m\nb"
    assert harmless("Piël ± ♥ 日本") == "Piël ± ♥ 日本"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("played") / "m"
    play_match("random", "always-call", hands=30, seed=1, folder=folder)
    return folder


def infected(played, folder, text):
    """A match folder as somebody else could send it: the text is its name and in all its parts."""
    name = "".join(sign for sign in text if sign not in "\x00/:|# \n\r\x0b\x85\u2028\u2029")
    found = folder / (name.encode(errors="replace").decode() or "m")
    found.mkdir()
    manifest = json.loads((played / "manifest.json").read_text())
    manifest["players"][0] = {"name": name, "bot": f"random:fold={text}"}
    manifest["files"] = [text, text]
    (found / "manifest.json").write_text(json.dumps(manifest))
    log = (played / "hands.log").read_text().replace("random", name)
    fault = (
        f"# hand 3: {name} raised: ValueError: {text} (settled as a check or fold)\n#   {text}.py:3 in act: {text}\n"
    )
    log = log.replace("STATE:3:", f"{fault}STATE:3:", 1)
    (found / "hands.log").write_bytes(log.encode(errors="surrogatepass"))
    return found


LOOKS = {
    "results": ["results", "{}", "--no-divat"],
    "results, JSON": ["results", "{}", "--json", "--no-divat"],
    "results, DIVAT": ["results", "{}", "--divat"],
    "replay": ["replay", "{}", "3"],
    "replay, JSON": ["replay", "{}", "3", "--json"],
    "assess": ["assess", "{}"],
    "assess, JSON": ["assess", "{}", "--json"],
    "assess, a hand": ["assess", "{}", "--hand", "3"],
    "hands": ["hands", "{}"],
    "accuracy": ["accuracy", "{}"],
    "verify": ["verify", "{}"],
    "a log": ["results", "{}/hands.log"],
    "match into it": ["match", "expert", "random", "--out", "{}"],
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_folders_of_strangers_are_shown_harmless(played, tmp_path, shown, nasty, look):
    found = infected(played, tmp_path, nasty)
    shown(*[part.format(found) for part in look])


@pytest.mark.parametrize("command", [name for commands in PANELS.values() for name in commands])
def test_what_is_asked_for_is_quoted_harmless(tmp_path, monkeypatch, shown, command):
    monkeypatch.chdir(tmp_path)
    for sign in (*SIGNS.values(), MARKUP):
        text = f"{sign.encode(errors='replace').decode().replace(chr(0), '')}\udc9b"  # what a command line can hold
        for arguments in ([text], [text, text], [text, "--game", text], [f"{text}.py:Bot:{text}={text}", "random"]):
            said, code = shown(command, *arguments, f"--{text}")
            assert code == 2, said
        if command in ("match", "tournament", "watch", "replay", "results", "hands", "assess", "check-bot", "explain"):
            assert shown(command, text, text)[1] == 2


def test_names_with_signs_that_cannot_be_printed_are_refused(nasty):
    with pytest.raises(MatchError, match="cannot be a player's name") as refused:
        names_of([player_of(f"nobody:text={nasty.replace(':', '')}"), player_of("random")])
    assert str(refused.value).isprintable()


def test_folders_that_tell_bots_apart_lose_such_signs(tmp_path, nasty):
    texts = []
    for folder in (nasty.replace("/", "").replace("\x00", "").encode(errors="replace").decode(), "plain"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text("")
        texts.append(f"{tmp_path / folder / 'mine.py'}:Mine")
    assert all(name.isprintable() for name in names_of([player_of(text) for text in texts]))


class Shouting(Bot):
    """Raises what it was told to."""

    def __init__(self, words="boo"):
        self.words = words

    def act(self, view):
        raise ValueError(self.words)


def test_faults_stand_harmless_in_logs_and_results(tmp_path, nasty, shown):
    result = play_match(Shouting(nasty + "\nSTATE:1:forged"), "always-call", hands=5, seed=1, folder=tmp_path / "m")
    log = (tmp_path / "m" / "hands.log").read_bytes().decode()
    assert all(line.isprintable() for line in log.split("\n"))
    assert len([line for line in log.split("\n") if line.startswith("STATE")]) == 5
    assert all(line.isprintable() for line in str(result).split("\n"))
    assert repr(result).isprintable()
    said, code = shown("results", tmp_path / "m", "--no-divat")
    assert "ValueError: " in said
    assert code == 0


def test_a_trace_through_a_file_of_an_evil_name_is_one_line(nasty):
    fault = Fault(3, "mine", FaultKind.RAISED, f"{nasty}\nSTATE:0", (f"{nasty}\nSTATE:0.py:3 in act: {nasty}",))
    assert all(line.isprintable() and line.startswith("# ") for line in fault.noted(0).lines())


def test_markup_in_a_name_is_words(tmp_path, monkeypatch, shown):
    monkeypatch.chdir(tmp_path)
    source = "from railbird import *\nclass Mine(Bot):\n    def __init__(self, text: str = ''): pass\n"
    Path("mine.py").write_text(source + "    def act(self, view): return CALL\n")
    name = "mine.py:Mine:text=[bold]x[/bold][/y]"
    for command in (["watch", name, "random", "--hands", "1"], ["match", name, "random", "--hands", "5", "--no-divat"]):
        said, code = shown(*command)
        assert code == 0
        assert "Mine(text=[bold]x[/bold][/y])" in said


def test_commands_write_through_one_place():
    """A bare `print` in a command would let signs through: `tell` and `print_parts` do not."""
    folder = Path(railbird.__file__).parent / "cli"
    for file in folder.glob("*.py"):
        calls = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
        bare = [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]
        assert not bare or file.name == "console.py", f"{file.name}:{bare[0]}"


def test_a_spec_with_such_a_name_is_refused_too(nasty):
    with pytest.raises(railbird.RailbirdError):
        MatchSpec(limit_holdem(), (f"random:fold={nasty}", "random"), 10, 0)
