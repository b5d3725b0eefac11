"""The loop of a bot's author: edit and repeat, go on to more hands, and tell bots apart."""

from __future__ import annotations

import gc
import hashlib
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

from players import Coin, Learner
from railbird import CALL, Bot
from railbird.bots.neighbours import source_files
from railbird.bots.registry import BotSpec
from railbird.cli import app
from railbird.errors import MatchError, RailbirdWarning, UnknownBotError
from railbird.files import locked
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.play import boxed_bot
from railbird.play.box import Box, Housing
from railbird.play.boxed_bot import BoxedBot
from railbird.play.folder import MatchFolder
from railbird.play.manifest import refuse_edited
from railbird.play.match import MatchSpec
from railbird.play.match_logs import open_logs, read_hand_arrays
from railbird.play.players import names_of, player_of
from railbird.play.run import run_matches
from railbird.play.tournament import TournamentSpec, read_tournament, run_tournament
from railbird.play.worker import Task, Worker

PLAYERS = Path(__file__).parent / "players.py"
NOTING = """
from railbird import CALL, Bot
class {name}(Bot):
    def act(self, view):
        with open({notes!r}, "a") as file:
            file.write(f"{{view.hand_number}}\\n")
        return view.smallest_raise() if view.can_raise and view.hand_number % 3 == {rest} else CALL
"""


class Noting(Bot):
    """Decides by what it has seen since it was reset, and notes the hands in which it was asked."""

    asked: ClassVar[set[tuple[int, int]]] = set()
    shown: ClassVar[list[int]] = []

    def __init__(self):
        self.reset()

    def reset(self):
        self.seen = 0

    def on_result(self, view, payoffs):
        self.seen += payoffs[view.position]
        self.shown.append(view.hand_number)

    def act(self, view):
        self.asked.add((view.hand_number, view.hole_cards))
        return view.smallest_raise() if view.can_raise and self.seen % 3 == 1 else CALL


class LearningNoting(Noting):
    """One that is not reset."""

    learns = True


def noting(folder: Path, name: str = "Noting", rest: int = 1) -> str:
    """A bot in a file, which notes the hands of its decisions."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{name.lower()}.py"
    file.write_text(NOTING.format(name=name, notes=str(folder / "notes"), rest=rest))
    return f"{file}:{name}"


def noted(folder: Path) -> int:
    """In how many hands the bot has decided; the notes are taken away."""
    notes = folder / "notes"
    hands = set(notes.read_text().splitlines()) if notes.exists() else set()
    notes.unlink(missing_ok=True)
    return len(hands)


def begin(path: Path, *bots: object, hands: int = 30, **more: object) -> MatchFolder:
    return MatchFolder.create(path, MatchSpec(limit_holdem(len(bots)), bots, hands, **{"seed": 3, **more}))


def play(path: Path, *bots: object, hands: int = 30, **more: object):
    folder = begin(path, *bots, hands=hands, **{"block_hands": 20, **more})
    with folder.lock():
        return run_matches([folder], 1)[0]


def contents(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


def command(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


# Going on to more hands


@pytest.mark.parametrize("kind", [Noting, LearningNoting])
@pytest.mark.parametrize("duplicate", [False, True])
def test_a_match_goes_on_to_more_hands_and_nothing_is_played_twice(tmp_path, kind, duplicate):
    whole = play(tmp_path / "whole", kind, Coin, hands=75, duplicate=duplicate)
    legs = 2 if duplicate else 1
    asked, played = set(kind.asked), 0
    for before, hands in ((0, 13), (13, 30), (30, 40), (40, 75), (75, 75)):
        kind.asked.clear()
        kind.shown.clear()
        grown = play(tmp_path / "grown", kind, Coin, hands=hands, duplicate=duplicate)
        assert {hand for hand, _ in kind.asked} == set(range(before, hands))
        played += len(kind.asked)
        # A bot that learns is told of all hands before, another of those of the block that was not whole.
        shown = before if kind.learns else before % 20
        assert len(kind.shown) == ((hands - before + shown) * legs if hands > before else 0)
        assert grown.won.shape == (legs, hands, 2)
    assert played == len(asked)
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    assert np.array_equal(grown.won, whole.won)


@pytest.mark.parametrize(
    "bots", [("random", "always-call"), ("random", "always-raise", "random:fold=0"), (Learner, "loki-gom")]
)
def test_a_longer_match_has_the_same_bytes(tmp_path, bots):
    play(tmp_path / "whole", *bots, hands=70, duplicate=True, block_hands=0)
    for hands in (9, 10, 70, 70):
        play(tmp_path / "grown", *bots, hands=hands, duplicate=True, block_hands=0)
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")


def test_a_match_killed_while_it_goes_on_to_more_hands(tmp_path):
    bots = (Learner, Coin)
    play(tmp_path / "whole", *bots, hands=70, duplicate=True)
    play(tmp_path / "short", *bots, hands=30, duplicate=True)
    whole, short = contents(tmp_path / "whole"), contents(tmp_path / "short")
    log = whole["hands-01.log"]
    lines = log.splitlines(keepends=True)
    for first_log in (short["hands-01.log"], b"".join(lines[:32]), b"".join(lines[:45]) + b"STATE:4", log[:10], b""):
        shutil.rmtree(tmp_path / "torn", ignore_errors=True)
        shutil.copytree(tmp_path / "short", tmp_path / "torn")
        (tmp_path / "torn" / "manifest.json").write_bytes(whole["manifest.json"])
        (tmp_path / "torn" / "hands-01.log").write_bytes(first_log)
        found = MatchFolder.open(tmp_path / "torn").result()  # can be read as it is
        assert found.won.shape[1] == (30 if len(first_log) > 10 else 0)
        play(tmp_path / "torn", *bots, hands=70, duplicate=True)
        assert contents(tmp_path / "torn") == whole


def test_fewer_hands_than_are_there_are_the_first_of_them(tmp_path):
    bots = (Coin, "random")
    long = play(tmp_path / "m", *bots, hands=50)
    before = contents(tmp_path / "m")
    with pytest.warns(RailbirdWarning, match=r"m' is for 50 hands; these are the first 15 \(all: railbird results "):
        short = play(tmp_path / "m", *bots, hands=15)
    assert np.array_equal(short.won, long.won[:, :15])
    assert contents(tmp_path / "m") == before
    assert np.array_equal(play(tmp_path / "other", *bots, hands=15).won, short.won)

    # Of a match that was killed, no more is played than was asked for.
    log = tmp_path / "m" / "hands.log"
    log.write_bytes(b"".join(before["hands.log"].splitlines(keepends=True)[:12]) + b"STATE:10:c")
    with pytest.warns(RailbirdWarning, match="these are the first 15"):
        assert np.array_equal(play(tmp_path / "m", *bots, hands=15).won, short.won)
    assert MatchFolder.open(tmp_path / "m").result().won.shape == (1, 15, 2)
    play(tmp_path / "m", *bots, hands=50)
    assert contents(tmp_path / "m") == before


def test_more_hands_than_the_match_has_are_refused(tmp_path):
    play(tmp_path / "m", "random", "always-call", hands=20)
    log = tmp_path / "m" / "hands.log"
    good = log.read_bytes()
    for bad in (
        good.replace(b"limit.game 20 3", b"limit.game 21 3"),
        good.replace(b"limit.game 20 3", b"limit.game 19 3"),
    ):
        log.write_bytes(bad)
        with pytest.raises(MatchError, match=r"hands\.log:\d+"):
            play(tmp_path / "m", "random", "always-call", hands=20)
        assert log.read_bytes() == bad


# Edit and repeat


def test_after_an_edit_the_old_match_is_kept_under_a_name_that_tells(tmp_path):
    bot = noting(tmp_path / "bot", rest=1)
    old_hash = hashlib.sha256((tmp_path / "bot" / "noting.py").read_bytes()).hexdigest()
    path, kept = tmp_path / "m", tmp_path / f"m.was-{old_hash[:8]}"
    play(path, bot, "always-call", hands=30)
    old = contents(path)
    noted(tmp_path / "bot")

    noting(tmp_path / "bot", rest=2)
    with pytest.warns(RailbirdWarning, match=f"a bot has changed: what was played before is kept as .*{kept.name}"):
        play(path, bot, "always-call", hands=40)
    assert noted(tmp_path / "bot") == 40
    new = contents(path)
    assert contents(kept) == old
    assert MatchFolder.open(kept).result().won.shape == (1, 30, 2)
    assert open_logs(kept).hand(7).number == 7
    assert len(read_hand_arrays(kept)) == 30
    assert len(read_hand_arrays(tmp_path)) == 40  # a folder of matches counts none twice

    # Undone, the match is there again, and goes on.
    noting(tmp_path / "bot", rest=1)
    with pytest.warns(RailbirdWarning, match=rf"what these bots played is taken up again from {kept.name}"):
        play(path, bot, "always-call", hands=50)
    assert noted(tmp_path / "bot") == 20
    assert not kept.exists()
    [other] = tmp_path.glob("m.was-*")
    assert contents(other) == new


def test_a_killed_match_whose_bot_is_edited_is_kept_as_far_as_it_came(tmp_path):
    bot = noting(tmp_path / "bot", rest=1)
    play(tmp_path / "m", bot, "always-call")
    log = tmp_path / "m" / "hands.log"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:12]))
    noting(tmp_path / "bot", rest=2)
    with pytest.warns(RailbirdWarning, match="kept as"):
        begin(tmp_path / "m", bot, "always-call", block_hands=20)
    [kept] = tmp_path.glob("m.was-*")
    assert MatchFolder.open(kept).result().won.shape == (1, 10, 2)
    assert not (tmp_path / "m" / "hands.log").exists()


def test_a_kept_folder_is_never_replaced(tmp_path):
    bot = noting(tmp_path / "bot", rest=1)
    begin(tmp_path / "m", bot, "always-call")
    old_hash = hashlib.sha256((tmp_path / "bot" / "noting.py").read_bytes()).hexdigest()[:8]
    (tmp_path / f"m.was-{old_hash}").mkdir()
    noting(tmp_path / "bot", rest=2)
    with pytest.warns(RailbirdWarning, match=f"m.was-{old_hash}-2"):
        begin(tmp_path / "m", bot, "always-call")
    assert MatchFolder.open(tmp_path / f"m.was-{old_hash}-2").spec.hands == 30


def test_a_folder_in_play_is_neither_moved_nor_made_longer(tmp_path):
    bot = noting(tmp_path / "bot", rest=1)
    begin(tmp_path / "m", bot, "always-call")
    before = contents(tmp_path / "m")
    with locked(tmp_path / "m"):
        with pytest.raises(MatchError, match="being played by another process"):
            begin(tmp_path / "m", bot, "always-call", hands=60)
        noting(tmp_path / "bot", rest=2)
        with pytest.raises(MatchError, match="being played by another process"):
            begin(tmp_path / "m", bot, "always-call")
    assert contents(tmp_path / "m") == before
    assert not list(tmp_path.glob("m.was-*"))


def test_a_folder_that_another_process_took_meanwhile_is_not_played_in(tmp_path):
    bot = noting(tmp_path / "bot", rest=1)
    folder = begin(tmp_path / "m", bot, "always-call")
    noting(tmp_path / "bot", rest=2)
    with pytest.warns(RailbirdWarning, match="kept as"):
        begin(tmp_path / "m", bot, "always-call")
    noting(tmp_path / "bot", rest=1)
    with pytest.raises(MatchError, match="or a bot, has changed meanwhile"), folder.lock():
        pass


def test_files_that_a_bot_imports_are_a_part_of_it(tmp_path):
    (tmp_path / "mine.py").write_text("import tables.odds\nfrom helper import x\nimport os\nclass A: pass\n")
    (tmp_path / "helper.py").write_text("from tables import deep\nx = 1\n")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "__init__.py").write_text("")
    (tmp_path / "tables" / "odds.py").write_text("from . import near\n")
    for name in ("near", "deep", "other"):
        (tmp_path / "tables" / f"{name}.py").write_text("import mine\n")
    names = {str(file.relative_to(tmp_path)) for file in source_files(tmp_path / "mine.py")}
    assert names == {"mine.py", "helper.py", "tables/__init__.py", "tables/odds.py", "tables/near.py", "tables/deep.py"}
    bot = BotSpec(f"{tmp_path / 'mine.py'}:A")
    first = bot.fingerprint()
    (tmp_path / "tables" / "other.py").write_text("x = 2\n")
    assert bot.fingerprint() == first
    (tmp_path / "tables" / "near.py").write_text("x = 2\n")
    assert bot.fingerprint() != first


def test_bots_that_import_different_files_of_one_name_cannot_share_a_process(tmp_path, monkeypatch):
    for folder, word in (("new", 1), ("same", 1), ("old", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "words_of_mine.py").write_text(f"WORD = {word}\n")
        (tmp_path / folder / "mine.py").write_text(
            "from railbird import CALL, Bot\nfrom words_of_mine import WORD\n"
            "class Mine(Bot):\n    def act(self, view):\n        return CALL\n"
        )
    new, same, old = (f"{tmp_path / folder / 'mine.py'}:Mine" for folder in ("new", "same", "old"))
    assert MatchSpec(limit_holdem(), (new, same), 10, 3).names == ("new.mine.Mine", "same.mine.Mine")
    with pytest.raises(
        UnknownBotError, match=r"mine\.py imports words_of_mine\.py, but .*new/words_of_mine\.py is loaded"
    ):
        _ = MatchSpec(limit_holdem(), (new, old), 10, 3, housing=None).roster
    assert MatchSpec(limit_holdem(), (new, old), 10, 3).names == ("new.mine.Mine", "old.mine.Mine")


def test_a_worker_does_not_play_on_with_an_edited_bot(tmp_path):
    bot = noting(tmp_path / "bot", rest=1)
    spec = MatchSpec(limit_holdem(), (bot, "always-call"), 30, 3)
    folder = MatchFolder.create(tmp_path / "m", spec)
    refuse_edited(spec, folder.path)
    noting(tmp_path / "bot", rest=2)
    with pytest.raises(MatchError, match=r"a bot has changed while '.*m' was played; give the command again"):
        run_matches([folder], 1)


def test_the_command_after_an_edit_and_with_more_hands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot = noting(tmp_path, rest=1)
    words = ("match", bot, "always-call", "--no-divat", "-n")
    assert command(*words, 20).exit_code == 0
    assert noted(tmp_path) == 20
    assert "30 hands" in command(*words, 30).output
    assert noted(tmp_path) == 10
    noting(tmp_path, rest=2)
    with pytest.warns(RailbirdWarning, match=r"kept as matches/Noting-v-always-call-limit-seed0\.was-\w{8}$"):
        assert command(*words, 20).exit_code == 0
    assert noted(tmp_path) == 20
    new, kept = sorted((tmp_path / "matches").iterdir())
    assert kept.name.startswith(f"{new.name}.was-")
    assert "30 hands" in command("results", kept, "--no-divat").output
    assert "20 hands" in command("results", new, "--no-divat").output

    # Another match is another folder by default, and refused where a folder was named.
    assert command(*words, 5, "-g", "limit:cap=3").exit_code == 0
    assert new.with_name(f"{new.name}-2").exists()
    refused = command(*words, 20, "-g", "limit:cap=3", "-o", new)
    assert "another game; choose another --out" in str(refused.exception)


# Tournaments


def test_after_an_edit_a_tournament_plays_only_what_the_bot_plays_in(tmp_path):
    first, second = noting(tmp_path / "a", "First"), noting(tmp_path / "b", "Second")
    spec = TournamentSpec(limit_holdem(), (first, second, "random"), 20, 3)
    result = run_tournament(tmp_path / "t", spec, 1)
    old = contents(tmp_path / "t")
    assert noted(tmp_path / "a") == noted(tmp_path / "b") == 20
    noting(tmp_path / "a", "First", rest=2)
    with pytest.warns(RailbirdWarning, match="a bot has changed") as told:
        run_tournament(tmp_path / "t", spec, 1)
    assert len(told) == 1
    assert noted(tmp_path / "a") == 20
    [kept] = tmp_path.glob("t.was-*")
    assert contents(kept) == old
    assert read_tournament(kept).to_json() == result.to_json()
    new = contents(tmp_path / "t")
    assert {name for name in new if new[name] == old.get(name) and name.endswith(".log")} == {
        "02-03/hands-01.log",
        "02-03/hands-02.log",
    }
    noting(tmp_path / "a", "First", rest=1)
    with pytest.warns(RailbirdWarning, match="taken up again"):
        assert run_tournament(tmp_path / "t", spec, 1).to_json() == result.to_json()
    assert not noted(tmp_path / "a")


def test_a_tournament_goes_on_to_more_hands_and_tells_of_fewer_once(tmp_path):
    spec = TournamentSpec(limit_holdem(), (Learner, "random", "always-call"), 10, 3, block_hands=20)
    run_tournament(tmp_path / "t", spec, 1)
    run_tournament(tmp_path / "t", replace(spec, hands=30), 1)
    run_tournament(tmp_path / "whole", replace(spec, hands=30), 1)
    assert contents(tmp_path / "t") == contents(tmp_path / "whole")
    with pytest.warns(RailbirdWarning, match=r"t' is for 30 hands; these are the first 10") as told:
        run_tournament(tmp_path / "t", spec, 1)
    assert len(told) == 1


def test_a_tournament_where_one_match_is_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command("tournament", "always-call", "random", "always-raise", "-n", 5, "-o", "t", "--no-divat")
    refused = str(command("replay", "t", 3).exception)
    pairs = "01-02 always-call v random, 01-03 always-call v always-raise, 02-03 random v always-raise"
    assert refused == f"'t' holds 3 matches or logs ({pairs}); name one, as in railbird replay t/01-02 3"
    assert command("replay", "t/01-02", 3).exit_code == 0


# Names


def test_names_are_the_shortest_that_tell_bots_apart(tmp_path):
    def names(*bots: object) -> tuple[str, ...]:
        return names_of([player_of(bot) for bot in bots])

    shark, old = f"{tmp_path}/shark.py:Shark", f"{tmp_path}/old/shark.py:Shark"
    assert names(shark, "loki") == ("Shark", "loki")
    assert names(shark, shark) == ("Shark", "Shark.2")
    assert names(shark, old) == ("shark.Shark", "old.shark.Shark")
    assert names(shark, old, shark, "loki") == ("shark.Shark", "old.shark.Shark", "shark.Shark.2", "loki")
    assert names(f"{tmp_path}/v1.py:Shark", f"{tmp_path}/v2.py:Shark") == ("v1.Shark", "v2.Shark")
    assert names(f"{tmp_path}/a/x/s.py:S", f"{tmp_path}/b/x/s.py:S") == ("a.x.s.S", "b.x.s.S")
    assert names(shark, f"{tmp_path}/./old/../shark.py:Shark") == ("Shark", "Shark.2")
    assert names(f"{shark}:n=1", f"{shark}:n=2") == ("Shark(n=1)", "Shark(n=2)")
    assert names(f"{shark}:n=1", f"{old}:n=1") == ("shark.Shark(n=1)", "old.shark.Shark(n=1)")
    assert names(f"{tmp_path}/a b#/s.py:S", f"{tmp_path}/c/s.py:S") == ("a_b_.s.S", "c.s.S")
    assert names("random", f"{tmp_path}/mine.py:random") == ("random", "mine.random")
    assert names("random", "random", "random") == ("random", "random.2", "random.3")
    assert names(Coin, Coin(), f"{PLAYERS}:Coin") == ("Coin", "Coin.2", "Coin.3")
    assert names(Coin, f"{tmp_path}/coins.py:Coin") == ("players.Coin", "coins.Coin")


def test_the_matches_of_a_tournament_have_its_names_and_keep_them(tmp_path):
    bots = tuple(noting(tmp_path / folder) for folder in ("new", "old"))
    spec = TournamentSpec(limit_holdem(), (*bots, "random"), 5, 3)
    assert spec.names == ("new.noting.Noting", "old.noting.Noting", "random")
    run_tournament(tmp_path / "t", spec, 1)
    assert MatchFolder.open(tmp_path / "t" / "02-03").spec.names == ("old.noting.Noting", "random")
    shutil.rmtree(tmp_path / "old")
    assert read_tournament(tmp_path / "t").matches[1, 2].players[0].name == "old.noting.Noting"


# Games that bots do not play


def test_a_bot_for_two_among_three():
    with pytest.raises(MatchError, match=r"^'vexbot' does not play limit with 3 seats; it plays heads-up$"):
        MatchSpec(limit_holdem(3), ("vexbot", "random", "loki"), 10, 3)
    with pytest.raises(MatchError, match=r"^'vexbot' does not play no-limit with 3 seats$"):
        MatchSpec(no_limit_holdem(3), ("random", "vexbot", "random"), 10, 3)
    with pytest.raises(MatchError, match=r"^'vexbot' does not play no-limit$"):
        MatchSpec(no_limit_holdem(), ("random", "vexbot"), 10, 3)


HEAD = "from railbird import CALL, Bot\n"
REST = "\nclass Mine(Bot):\n    def act(self, view):\n        return CALL\n"


@pytest.mark.parametrize(
    ("source", "files"),
    [
        ("import near", {"near.py"}),
        ("def later():\n    import near", {"near.py"}),
        ("try:\n    import absent\nexcept ImportError:\n    from near import *", {"near.py"}),
        ("import kit.deep.core", {"kit/__init__.py", "kit/deep/core.py", "kit/util.py"}),  # which __init__ imports
        ("from kit import deep", {"kit/__init__.py", "kit/util.py"}),
        ("from kit.deep import core", {"kit/__init__.py", "kit/util.py", "kit/deep/core.py"}),
        ("from kit import *", {"kit/__init__.py", "kit/util.py", "kit/other.py", "kit/deep/core.py"}),
        ("from importlib import import_module\nimport_module('near')", {"near.py"}),
        ("import importlib\nimportlib.import_module('kit.other')", {"kit/__init__.py", "kit/util.py", "kit/other.py"}),
        ("import importlib\nimportlib.import_module(name='near')", {"near.py"}),
        ("__import__('near')", {"near.py"}),
        ("import fast", {"fast.so"}),
        ("import bots.near", {"near.py"}),  # by the name of its own folder
        ("import sys\nsys.path.append('kit/deep')\nimport core", {"kit/deep/core.py"}),
        ("from sys import path\nimport near, core", {"near.py", "kit/deep/core.py"}),
    ],
)
def test_modules_that_a_bot_imports_are_found_in_its_source(tmp_path, source, files):
    folder = _folder_of_modules(tmp_path)
    mine = folder / "mine.py"
    mine.write_text(HEAD + source + REST)
    assert _beside(mine) == files
    before = BotSpec(f"{mine}:Mine").fingerprint()
    for name in files:
        text = (folder / name).read_text()
        (folder / name).write_text(text + "# edited\n")
        assert BotSpec(f"{mine}:Mine").fingerprint() != before, name
        (folder / name).write_text(text)
    assert BotSpec(f"{mine}:Mine").fingerprint() == before
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize(
    "source",
    [
        "import importlib\nimportlib.import_module('ne' + 'ar')",
        "import importlib\nimportlib.import_module('.util', 'kit')",
        "exec(open('near.py').read())",
        "import runpy\nrunpy.run_path('near.py')",
        "from importlib.util import spec_from_file_location\nspec_from_file_location('x', 'near.py')",
    ],
)
def test_where_the_source_does_not_say_what_is_imported_all_modules_count(tmp_path, source):
    mine = _folder_of_modules(tmp_path) / "mine.py"
    mine.write_text(HEAD + source + REST)
    kit = {"kit/__init__.py", "kit/util.py", "kit/other.py", "kit/deep/core.py"}
    assert _beside(mine) == {"near.py", "far.py", "fast.so", *kit}


def test_a_source_that_cannot_be_read_is_its_own_fingerprint(tmp_path):
    for name, source in {
        "deep.py": b"(" * 100_000,
        "null.py": b"import near\0",
        "latin.py": b"import near # \xff",
    }.items():
        (tmp_path / name).write_bytes(source)
        assert source_files(tmp_path / name) == [tmp_path / name]


def _folder_of_modules(tmp_path):
    """Modules each of which would leave a mark if it were executed."""
    folder = tmp_path / "bots"
    mark = f"open({str(tmp_path / 'mark')!r}, 'w')\n"
    (folder / "kit" / "deep").mkdir(parents=True)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "near.pyc").write_text("")
    for name in ("near.py", "far.py", "fast.so", "kit/util.py", "kit/other.py", "kit/deep/core.py"):
        (folder / name).write_text(mark)
    (folder / "kit" / "__init__.py").write_text(f"{mark}from .util import *\nfrom .. import beyond\n")
    return folder


def _beside(file):
    return {each.relative_to(file.parent).as_posix() for each in source_files(file)[1:]}


def test_a_box_is_not_filled_again_with_an_edited_bot(tmp_path):
    (tmp_path / "near.py").write_text("WORD = 1\n")
    file = tmp_path / "mine.py"
    file.write_text(HEAD + "import near" + REST)
    bot = BoxedBot(BotSpec(f"{file}:Mine"), Housing())
    assert bot.can_play(limit_holdem())
    bot.rest()
    bot.prepare()  # in another box
    bot.rest()
    (tmp_path / "near.py").write_text("WORD = 2\n")
    with pytest.raises(MatchError, match="has changed while it played; give the command again"):
        bot.prepare()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are counted in /proc")
def test_boxes_that_nobody_needs_any_more_are_ended(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(HEAD + REST)
    bots = [BoxedBot(BotSpec(f"{file}:Mine"), Housing()) for _ in range(2)]
    for bot in bots:
        bot.prepare()
    numbers = [bot._box._process.pid for bot in bots]
    time.sleep(0.2)  # in which the watchdog has looked at them
    del bot, bots
    gc.collect()
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{number}").exists() for number in numbers):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_box_that_somebody_else_ends_is_filled_again_and_no_fault(tmp_path, monkeypatch):
    file = tmp_path / "mine.py"
    file.write_text(HEAD + REST)
    lost = []

    class LostAtFirst(Box):
        def __init__(self, *given):
            super().__init__(*given)
            if not lost:
                lost.append(self._process.pid)
                self._process.kill()

    monkeypatch.setattr(boxed_bot, "Box", LostAtFirst)
    bot = BoxedBot(BotSpec(f"{file}:Mine"), Housing())
    for call in (bot.prepare, lambda: bot.can_play(limit_holdem())):
        bot._ready()._process.kill()
        call()
    assert bot.can_play(limit_holdem())
    assert len(lost) == 1


def test_a_bot_that_ends_its_own_process_is_refused(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import os\nos._exit(0)\n")
    with pytest.raises(UnknownBotError, match="could not be made: it ended the process"):
        BoxedBot(BotSpec(f"{file}:Mine"), Housing())


def test_a_task_for_a_worker_that_was_killed_is_not_the_end():
    worker = Worker(iter(()))
    worker.process.kill()
    worker.process.join()
    worker.begin(Task(0, MatchSpec(limit_holdem(), ("random", "random"), 10, 0), 0, 0, 10, Path()))
    with pytest.raises((EOFError, OSError)):
        worker.connection.recv()
    worker.end()


def test_threads_may_look_at_sources_at_once(tmp_path):
    """Python 3.11 fails where another thread gets its turn while it makes a tree, as garbage collection lets it."""
    source = Path(sys.modules[source_files.__module__].__file__).read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    thresholds, turn = gc.get_threshold(), lambda *_: time.sleep(1e-5)
    gc.callbacks.append(turn)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(source_files, [tmp_path / "mine.py"] * 50))
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(turn)
    assert found == [[tmp_path / "mine.py"]] * 50
