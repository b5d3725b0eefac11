"""Formats of hand histories: the registry, files packed and odd, competition logs of any game, captures of the wire."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import railbird as rb
from railbird.errors import InvalidRecordError, MatchError, RailbirdError, RailbirdWarning
from railbird.formats.acpc import game_text, record_line
from railbird.formats.acpc_logs import said_game
from railbird.formats.hand_arrays import PROBLEM_KINDS, Problem
from railbird.formats.history import LONGEST_LINE, HistoryFile
from railbird.formats.readers import format_named, format_of, formats, hands_in
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.play.match_logs import open_logs
from railbird.play.repair import repair
from test_quick_check import GAMES, random_hand

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data" / "acpc"
LIMIT, NO_LIMIT = DATA / "2p.limit.h1000.r0.log", DATA / "2p.nolimit.h1000.r0.log"


def good(path, game=None):
    found = list(hands_in(path, game))
    assert all(isinstance(each, HandRecord) for each in found), [
        str(each) for each in found if each.__class__ is Problem
    ]
    return found


def states(path):
    return [line for line in path.read_text().splitlines() if line.startswith("STATE")]


def test_formats_are_known_by_name():
    assert {"acpc", "acpc-wire", "phh", "phhs"} <= {each.name for each in formats()}
    assert format_named("phh").plural == "PHH files"
    assert format_named("acpc-wire").plural == "captures of the competition's wire"
    with pytest.raises(InvalidRecordError, match="no format 'pph'; did you mean 'phh'"):
        format_named("pph")


@pytest.mark.parametrize("log", [LIMIT, NO_LIMIT, DATA / "short.log"])
def test_a_log_without_its_game_is_read_and_written_as_it_was(log, tmp_path):
    found = good(log)
    assert [record_line(record) for record in found] == states(log)
    written = "".join(format_named("acpc").write(found))
    again = tmp_path / "again.log"
    again.write_text(written)
    assert "".join(format_named("acpc").write(good(again))) == written
    assert [replace(record, game=found[0].game) for record in rb.read_hands(again)] == found


def test_hands_one_by_one_with_a_game_by_name_and_a_folder_is_told(tmp_path):
    assert next(hands_in(NO_LIMIT, "no-limit")) == next(hands_in(NO_LIMIT, no_limit_holdem()))
    with pytest.raises(RailbirdError, match="no game 'no-limt'; did you mean"):
        next(hands_in(NO_LIMIT, "no-limt"))
    with pytest.raises(RailbirdError, match=r"is a folder; hands_in reads one file \(read_hands takes folders\)"):
        next(hands_in(tmp_path))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_logs(pack, tmp_path):
    for log in (LIMIT, NO_LIMIT):
        path = tmp_path / f"{log.name}.packed"
        path.write_bytes(pack(log.read_bytes()))
        assert [record_line(record) for record in rb.read_hands(path)] == states(log)
        assert record_line(open_logs(path).hand(7)) == states(log)[7]
    path.write_bytes(path.read_bytes()[:2_000])
    with pytest.raises(MatchError, match="packed and damaged"):
        list(hands_in(path))


def test_an_archive_is_to_be_unpacked(tmp_path):
    path = tmp_path / "hands.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(LIMIT, "hands.log")
    words = (
        r"hands.zip' is a zip archive, which is not read; unpack it \(packed files that are read: gzip, bzip2 and xz\)"
    )
    for read in (rb.read_hands, rb.stats, rb.assess, lambda path: list(hands_in(path))):
        with pytest.raises(MatchError, match=words):
            read(path)
    for game in ("limit", limit_holdem()):
        with pytest.raises(MatchError, match=words):
            rb.assess(path, game=game)
    (tmp_path / "some.log").write_bytes(LIMIT.read_bytes())
    assert len(rb.read_hands(tmp_path)) == len(states(LIMIT))  # in a folder it is passed over, as other files are


def test_lines_of_every_system_and_how_far_one_is(tmp_path):
    path = tmp_path / "some.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n\ncaf\xe9\n" + b"x" * (2 * LONGEST_LINE + 5) + b"\nlast")
    file = HistoryFile(path)
    assert file.done == 0
    lines = list(file.lines())
    assert [text for _, text in lines[:5]] == ["one", "two", "three", "", "café"]
    assert (len(lines[5][1]), lines[6]) == (LONGEST_LINE, (7, "last"))
    assert file.done == file.size
    blocks = list(file.blocks(lambda line: line in ("two", "last")))
    assert [(block.line, block.lines[0]) for block in blocks] == [(1, "one"), (2, "two"), (7, "last")]


def test_a_watch_is_told_how_much_is_left(tmp_path):
    told = []
    count = sum(1 for _ in hands_in(NO_LIMIT, None, lambda done, total: told.append((done, total))))
    size = NO_LIMIT.stat().st_size
    assert count == 1_000
    assert told[-1] == (size, size)
    assert all(0 <= done <= total == size for done, total in told)


@pytest.mark.parametrize("name", GAMES)
def test_logs_of_any_game_are_read_by_the_kernel_as_line_by_line(name, tmp_path):
    game, random = GAMES[name], Random(f"log {name}")
    hands = [replace(random_hand(game, random), number=number) for number in range(2_500)]
    lines = [f"{record_line(hand)}\n" for hand in hands]
    lines[3] = lines[3].replace("STATE:3:", "  STATE:3:").replace("\n", "  # 1372436245\r\n")
    broken = {7: "STATE:7:", 600: lines[600].replace("STATE:600:", "STATE:600:q"), 1_400: "hello\n"}
    for number, line in broken.items():
        lines[number] = line if line.endswith("\n") else line + "\n"
    path = tmp_path / "some.log"
    path.write_text("# a comment\n" + "".join(lines) + "SCORE:1|-1:a|b\n")
    assert path.stat().st_size > 1 << 16
    found = list(hands_in(path, game))
    problems = [each for each in found if isinstance(each, Problem)]
    assert [problem.line for problem in problems] == [number + 2 for number in broken]
    assert all(problem.kind in PROBLEM_KINDS for problem in problems)
    assert [each for each in found if isinstance(each, HandRecord)] == [h for h in hands if h.number not in broken]


@pytest.mark.parametrize("name", ["limit 6", "no-limit", "leduc", "kuhn", "kuhn 3", "ten seats"])
def test_hands_tell_the_usual_games(name, tmp_path):
    game = no_limit_holdem(10) if name == "ten seats" else GAMES[name]
    game = replace(game, stacks=(20_000,) * game.seats) if game.stacks else game
    random = Random(name)
    path = tmp_path / "some.log"
    path.write_text("".join(f"{record_line(random_hand(game, random))}\n" for _ in range(60)))
    found = good(path)
    assert found[0].game.blinds == game.blinds
    assert rb.read_hands(path) == found
    if name == "limit 6":
        odd = limit_holdem(6, small_bet=14)
        path.write_text("".join(f"{record_line(random_hand(odd, random))}\n" for _ in range(60)))
        assert good(path)[0].game == odd


def test_a_log_that_tells_its_games_in_comments(tmp_path):
    random = Random(1)
    games = [GAMES["no-limit"], GAMES["limit 6"], GAMES["no-limit"], GAMES["ten seats"]]
    hands = [random_hand(game, random) for game in games]
    path = tmp_path / "some.log"
    path.write_text("".join(format_named("acpc").write(hands)))
    assert path.read_text().count("# GAMEDEF") == 4
    assert [record.payoffs for record in rb.read_hands(path)] == [hand.payoffs for hand in hands]
    path.write_text(path.read_text().replace("numPlayers = 6", "numPlayers = 1000000000"))
    with pytest.warns(
        RailbirdWarning,
        match="1 hand of 4 set aside, .*:4: a hand of a game that cannot be read: 6 blinds for 1000000000",
    ):
        rb.read_hands(path)


def test_what_a_game_file_cannot_say_is_refused_in_words():
    random = Random(2)
    said = {name: format_named("acpc").refuses(random_hand(game, random)) for name, game in GAMES.items()}
    assert said["missed blinds"] == "a game file cannot say that blinds were missed"
    assert said["spread-limit 4"] == "a game file cannot say spread-limit"
    assert said["limit"] == said["no-limit"] == said["pot-limit 3"] == ""
    assert "pot limits" in " ".join(format_named("acpc").unsaid(random_hand(GAMES["pot-limit 3"], random)))
    deep = replace(random_hand(GAMES["limit"], random), game=replace(GAMES["limit"], stacks=(900, 900)))
    assert said_game(deep) == GAMES["limit"]
    assert game_text(said_game(deep))


def test_a_smallest_bet_that_is_no_blind_is_named_or_refused():
    game = replace(no_limit_holdem(), bet_sizes=(40,) * 4)
    hand = HandRecord(game, 0, ("Ann", "Bob"), ((0, 1), (2, 3)), (), "r300f", (-100, 100))
    assert said_game(hand) == no_limit_holdem()
    assert format_named("acpc").refuses(hand) == ""
    assert format_named("acpc").unsaid(hand) == ["the smallest bet"]
    small = replace(hand, history="r140f")
    assert "cannot say a smallest bet of 40 where 100 was posted" in format_named("acpc").refuses(small)


def test_a_log_with_cards_of_too_few_players_is_refused_in_words(tmp_path):
    (tmp_path / "some.log").write_text("STATE:5:cfc/cc/cc/cc:JcQs|2d3s/4hJh3h/4d/2h:-5|2.5|2.5:a|b|c\n")
    with pytest.raises(MatchError, match="does not tell its game"):
        list(hands_in(tmp_path / "some.log"))


def test_the_dealers_account_is_its_log():
    found = good(DATA / "short.err")
    assert [record_line(record) for record in found] == states(DATA / "short.log")
    seen = good(DATA / "short.player0.wire.txt")
    assert [record.payoffs for record in seen] == [record.payoffs for record in found]
    assert {name for record in seen for name in record.names} == {"self", "opponent"}
    assert all(len(record.holes[record.names.index("self")]) == 2 for record in seen)


def test_a_capture_that_is_cut_off_loses_its_last_hand_only(tmp_path):
    path = DATA / "2p.limit.h1000.r0.actions.head400.log"
    *hands, last = hands_in(path)
    logged = [line.rpartition(":")[0] for line in states(LIMIT)]
    assert [record_line(record).rpartition(":")[0] for record in hands] == logged[: len(hands)]
    assert hands[0].names == ("seat 1", "seat 2")
    assert isinstance(last, Problem)
    assert "does not end the hand" in last.message
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("MATCHSTATE:0:0::5d|\n")
    with pytest.raises(MatchError, match="does not tell its game"):
        list(hands_in(nothing))


def test_a_no_limit_match_in_front_does_not_hide_a_limit_game(tmp_path):
    glued = tmp_path / "glued.log"
    foreign = NO_LIMIT.read_text().splitlines(keepends=True)[:8]
    glued.write_text("".join(foreign) + (DATA / "short.log").read_text())
    found = list(hands_in(glued))
    assert [record_line(each) for each in found if isinstance(each, HandRecord)] == states(DATA / "short.log")
    assert [each.line for each in found if isinstance(each, Problem)] == [5, 6, 7, 8]


def test_a_folder_of_several_formats(tmp_path):
    for number, file in enumerate((DATA / "short.err", NO_LIMIT, ROOT / "tests" / "data" / "phh" / "01-39-18.phh")):
        (tmp_path / f"{number}.txt").write_bytes(file.read_bytes())
    (tmp_path / "notes.txt").write_text("nothing to see")
    assert len(rb.read_hands(tmp_path)) == 20 + 1_000 + 1
    assert record_line(open_logs(tmp_path / "0.txt").hand(4)) == states(DATA / "short.log")[4]
    with pytest.raises(MatchError, match=r"no hand 99 in .* \(hands 0 to 19\)"):
        open_logs(tmp_path / "0.txt").hand(99)


def test_a_foreign_match_in_front_does_not_hide_the_game(tmp_path):
    random = Random(5)
    foreign = [f"{record_line(random_hand(GAMES['limit 6'], random))}\n" for _ in range(5)]
    path = tmp_path / "glued.log"
    path.write_bytes(b"\xef\xbb\xbf  # a comment\r\n" + "".join(foreign).encode() + NO_LIMIT.read_bytes())
    found = list(hands_in(path))
    assert [each.kind for each in found[:5]] == ["players"] * 5
    assert [record_line(record) for record in found[5:]] == states(NO_LIMIT)


def test_memory_does_not_grow_with_the_file(tmp_path):
    log, phh = tmp_path / "long.log", tmp_path / "long.phhs"
    log.write_bytes(NO_LIMIT.read_bytes() * 40)
    phh.write_text("".join(format_named("phhs").write(good(NO_LIMIT)[:100])) * 20)
    for path in (log, phh):
        assert sum(1 for _ in hands_in(path)) in (40_000, 2_000)
        tracemalloc.start()
        for _ in hands_in(path):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8_000_000, (path.name, peak, path.stat().st_size)


def test_histories_are_not_mended(tmp_path):
    path = tmp_path / "some.phh"
    path.write_bytes((ROOT / "tests" / "data" / "phh" / "01-39-18.phh").read_bytes())
    with pytest.raises(MatchError, match="no competition log, or packed; broken hands"):
        repair(path)


PLUGIN = """
Metadata-Version: 2.1
Name: my-room
Version: 1.0
"""


def test_formats_of_other_packages_are_found_and_a_broken_one_is_told(tmp_path):
    package = tmp_path / "site"
    info = package / "my_room-1.0.dist-info"
    info.mkdir(parents=True)
    (package / "my_room.py").write_bytes((ROOT / "examples" / "my_room.py").read_bytes())
    (info / "METADATA").write_text(PLUGIN.lstrip())
    (info / "entry_points.txt").write_text("[railbird.formats]\nmyroom = my_room:FORMAT\nbroken = my_room:NOTHING\n")
    paths = os.pathsep.join([str(package), str(ROOT / "src"), *sys.path])
    environment = {**os.environ, "PYTHONPATH": paths}

    def ran(*command):
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout, done.stderr

    history = tmp_path / "hands.txt"
    assert ran(str(ROOT / "examples" / "my_room.py"), str(history))[1].startswith("MyRoom hand 7, bets 2/4\n")
    code, out, err = ran("-m", "railbird", "replay", str(history), "7")
    assert (code, out.splitlines()[0]) == (0, "hand 7, limit, blinds 1/2")
    assert "the format 'broken' (my_room:NOTHING) cannot be loaded and is left out" in err
    assert err.count("\n") == 1
    code, out, _ = ran("-m", "railbird", "convert", str(DATA / "short.log"), str(tmp_path / "short.myroom"))
    assert (code, "20 hands" in out) == (0, True)
    assert (tmp_path / "short.myroom").read_text().startswith("MyRoom hand 0, bets 10/20\nBob has 9h Qd\nAlice")


def test_a_file_of_no_format_is_refused_with_those_there_are(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("hello")
    with pytest.raises(RailbirdError, match="of no format that is known here; Railbird reads its own match"):
        format_of(path)
