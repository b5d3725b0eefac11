"""The store of hands: what goes in comes out, once, whatever happens meanwhile; and every command reads it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import railbird as rb
from acpc_logs import LINES, ran
from acpc_logs import log as log_of
from railbird.errors import MatchError, RailbirdError, UnfairSampleError
from railbird.files import locked
from railbird.game.spec import limit_holdem
from railbird.game.telling import Telling
from railbird.play.match_logs import open_logs
from railbird.store import store_folder
from railbird.store.columns import key_of
from railbird.store.store_folder import opened_store, store_parts
from railbird.store.store_reader import HandStore
from railbird.store.store_writer import StoreWriter, packed

ROOM_HANDS = Path(__file__).parent / "data" / "pokerstars"


@pytest.fixture(scope="module")
def matches(tmp_path_factory):
    folder = tmp_path_factory.mktemp("matches")
    rb.play_match("random", "always-call", duplicate=True, hands=40, folder=folder / "limit", progress=False)
    three = ("random", "always-call", "random")
    rb.play_match(*three, game="no-limit:stack=900", hands=40, folder=folder / "no", progress=False)
    rb.play_match("random", "always-call", game="kuhn", hands=20, folder=folder / "toy", progress=False)
    return folder


@pytest.fixture
def store(matches, tmp_path):
    rb.import_hands([matches], tmp_path / "hands.parquet", progress=False)
    return tmp_path / "hands.parquet"


def test_what_goes_in_comes_out(matches, store):
    records = rb.read_hands([matches])
    assert rb.read_hands(store) == records
    assert len(HandStore(store)) == len(records) == 140
    assert open_logs(store).hand(7) == next(record for record in records if record.number == 7)


def test_circumstances_come_out_too(tmp_path):
    record = replace(
        rb.HandRecord(
            replace(limit_holdem(3, small_bet=100, stack=5_000), dead=(0, 50, 0)),
            12,
            ("Ann: $|#", "Bö\u202eb", "c d"),
            ((), (), ()),
            (),
            "rff",
            (-50, -150, 197.5),
        ),
        telling=Telling(
            "pokerstars",
            hand="109",
            table="T 1",
            time="2014-01-06 06:15:36",
            zone="ET",
            currency="USD",
            unit=100,
            seats=(1, 4, 9),
            places=9,
            shown=(False, True, False),
            hero=1,
            rake=2,
            extra=(("kind", "Zoom"), ("a", "\u00e9")),
        ),
    )
    plain = replace(record, telling=Telling("irc"), number=13)
    with opened_store(tmp_path / "s"):
        writer = StoreWriter(tmp_path / "s")
        writer.add(record, "file")
        writer.add(plain, "file")
        writer.finish()
    assert [part.source for part in store_parts(tmp_path / "s")] == ["pokerstars", "irc"]
    assert list(HandStore(tmp_path / "s").records()) == [record, plain]
    seats = HandStore(tmp_path / "s").scan("seats").collect()
    assert seats["stakes"].to_list()[0] == "limit 1/2 USD"
    assert seats["day"].to_list() == ["2014-01-06"] * 3 + [""] * 3


def test_no_hand_twice(matches, store, tmp_path):
    again = rb.import_hands([matches], store, progress=False)
    assert (again.added, again.repeated) == (0, 140)
    shutil.copytree(matches / "limit", tmp_path / "copy")
    assert rb.import_hands([tmp_path / "copy"], store, progress=False).added == 0
    twice = rb.import_hands([matches / "toy", matches / "toy"], tmp_path / "other", progress=False)
    assert (twice.added, twice.repeated) == (20, 20)
    assert rb.import_hands([store], tmp_path / "other", progress=False).added == 120  # a store is a source as well


def test_keys_tell_hands_apart(matches):
    records = rb.read_hands([matches])
    assert len({key_of(record) for record in records}) == len(records)
    first = records[0]
    changed = [
        replace(first, number=first.number + 1),
        replace(first, names=first.names[::-1]),
        replace(first, history=first.history[:-1]),
        replace(first, board=first.board[::-1]),
        replace(first, holes=first.holes[::-1]),
        replace(first, telling=Telling("irc")),
        replace(first, game=limit_holdem(small_bet=4)),
    ]
    assert key_of(first) not in {key_of(each) for each in changed}


@pytest.mark.parametrize("files", range(7))
def test_a_store_that_was_broken_off_goes_on(matches, tmp_path, monkeypatch, files):
    written = []
    whole = store_folder.write_whole

    def breaking(path, content):
        if len(written) == files + 1:  # the first is that of the store itself
            raise KeyboardInterrupt
        written.append(path)
        return whole(path, content)

    records = rb.read_hands(matches / "limit")

    def put_in():
        with opened_store(tmp_path / "s"):
            writer = StoreWriter(tmp_path / "s", part_hands=30)
            for record in records:
                writer.add(record, "x")
            writer.finish()

    monkeypatch.setattr(store_folder, "write_whole", breaking)
    with pytest.raises(KeyboardInterrupt):
        put_in()
    monkeypatch.undo()
    there = list(HandStore(tmp_path / "s").records())
    assert there == records[: 30 * (files // 3)]
    put_in()
    assert list(HandStore(tmp_path / "s").records()) == records
    assert len(list((tmp_path / "s").glob("*/*/*.parquet"))) == 3 * len(store_parts(tmp_path / "s"))


def test_a_killed_import_loses_nothing(matches, tmp_path):
    script = (
        "import sys, time; import railbird as rb; from pathlib import Path\n"
        "from railbird.store.store_writer import StoreWriter; from railbird.store.store_folder import opened_store\n"
        "records = rb.read_hands(sys.argv[1])\n"
        "with opened_store(Path(sys.argv[2])):\n"
        "    writer = StoreWriter(Path(sys.argv[2]), part_hands=2)\n"
        "    for record in records:\n"
        "        writer.add(record, 'x'); print(flush=True)\n"
        "        time.sleep(0.002)\n"
    )
    store = tmp_path / "s"
    run = subprocess.Popen(
        [sys.executable, "-c", script, str(matches / "limit"), str(store)], stdout=subprocess.PIPE, env={**os.environ}
    )
    for _ in range(25):
        run.stdout.readline()
    run.send_signal(signal.SIGKILL)
    run.communicate()
    records = rb.read_hands(matches / "limit")
    there = list(HandStore(store).records())
    assert 20 <= len(there) < len(records)
    assert there == records[: len(there)]
    found = rb.import_hands(matches / "limit", store, progress=False)
    assert (found.repeated, found.added) == (len(there), len(records) - len(there))
    assert sorted(map(key_of, HandStore(store).records())) == sorted(map(key_of, records))


def test_hands_that_are_told_in_two_ways_are_counted_and_said(tmp_path, capsys):
    sample = (ROOM_HANDS / "fixed_limit_1.txt").read_text(encoding="utf-8-sig")
    other = sample.replace("*** HOLE CARDS ***", "*** HOLE CARDS ***\nDealt to AMSH78 [Ah Kd]")  # as that player's file
    path, store = tmp_path / "both.txt", tmp_path / "hands.parquet"
    path.write_text(sample + "\n" + sample)
    code, out, _ = ran(capsys, "import", path, "--to", store)
    assert (code, "1 new hand, 1 that were there" in out, "told again" in out) == (0, True, False)
    path.write_text(sample + "\n" + other)
    found = rb.import_hands(path, store, progress=False)
    assert (found.added, found.repeated, found.told_again) == (1, 1, 1)
    assert "1 hand told again, otherwise (by another player's file?)" in str(found)
    assert "statistics count each telling" in str(found)
    assert json.loads(ran(capsys, "import", path, "--to", store, "--json")[1])["told_again"] == 1


def test_one_writes_at_a_time(matches, store):
    with locked(store), pytest.raises(MatchError, match="is being written to by another process"):
        rb.import_hands([matches], store, progress=False)


def test_problems_are_told_by_file_and_line(capsys, tmp_path):
    bad = LINES[3].replace(LINES[3].split(":")[4], "1|-1")
    path = log_of(tmp_path, *LINES[:3], bad, *LINES[4:9])
    store = tmp_path / "hands.parquet"
    code, out, _ = ran(capsys, "import", path, "--to", store, "--game", "limit:small_bet=10")
    assert (code, "1 file | 8 new hands, 0 that were there" in out) == (0, True)
    assert "left out: payoffs that the cards and actions do not give (1)" in out
    assert f"{path}:4: hand 3: payoffs" in out
    told = json.loads(ran(capsys, "import", path, "--to", store, "--json", "--game", "limit:small_bet=10")[1])
    assert (told["schema"], told["added"], told["repeated"]) == ("railbird.import/1", 0, 8)
    assert (told["left_out"], told["problems"][0]["line"]) == ({"payoffs": 1}, 4)


def test_an_import_of_nothing_is_refused_and_leaves_no_store(store, tmp_path, capsys):
    sample = (ROOM_HANDS / "fixed_limit_1.txt").read_text(encoding="utf-8-sig")
    path, there = tmp_path / "typo.txt", tmp_path / "empty"
    path.write_text(sample.replace("folds", "flods"))
    there.mkdir()
    for to in (tmp_path / "new", there):
        code, out, err = ran(capsys, "import", path, "--to", to)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert f"no hand in {path}; the first problem: {path}:1: hand 109679365424: 'crvbig: flods '" in err
    assert (list(there.iterdir()), (tmp_path / "new").exists()) == ([], False)
    code, out, _ = ran(capsys, "import", path, "--to", store)  # the store has hands
    assert (code, "0 new hands" in out) == (0, True)
    assert len(HandStore(store)) == 140
    path.write_text(sample + "\n\n" + sample.replace("folds", "flods"))
    code, out, _ = ran(capsys, "import", path, "--to", tmp_path / "new")
    assert (code, "left out: lines and hands that cannot be read (1)" in out) == (0, True)


def test_every_command_reads_it(matches, store, capsys, tmp_path):
    limit = tmp_path / "limit.parquet"
    rb.import_hands([matches / "limit"], limit, progress=False)
    results = [json.loads(ran(capsys, "results", path, "--json")[1]) for path in (matches / "limit", limit)]
    won = [{each["name"]: each["money"]["mean"] for each in found["players"]} for found in results]
    assert won[0] == pytest.approx(won[1])
    lists = [json.loads(ran(capsys, "hands", path, "--json")[1])["hands"] for path in (matches / "limit", limit)]
    assert [each["money"] for each in lists[0]] == [each["money"] for each in lists[1]]
    replay = lists[1][0]["replay"].split()[1:]
    code, out, _ = ran(capsys, *replay)
    assert (code, out.startswith(f"hand {lists[1][0]['hand']}, limit")) == (0, True)
    assessed = [rb.assess(path, progress=False) for path in (matches / "limit", limit)]
    (first,), (second,) = (each.pairs for each in assessed)
    assert (len(first), first.pair_count) == (len(second), second.pair_count) == (80, 40)
    assert first.estimate("duplicate_divat") == second.estimate("duplicate_divat")
    several = rb.assess(store, progress=False)
    kinds = [getattr(each, "kind", "limit by DIVAT") for each in several.results]
    assert kinds == ["limit by DIVAT", "no-limit, 3 and more players", "kuhn, heads-up"]


def test_what_is_no_store(matches, store, tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    for to, words in (("file", "is a file; a hand store is a folder"), ("full", "holds something else than a hand")):
        code, out, err = ran(capsys, "import", matches, "--to", tmp_path / to)
        assert (code, out, err.count("\n"), words in err) == (2, "", 1, True)
    code, _, err = ran(capsys, "import", tmp_path / "nothing", "--to", tmp_path / "new")
    assert (code, "no file or folder" in err, (tmp_path / "new").exists()) == (2, True, False)
    (tmp_path / "empty.txt").write_text("")
    code, _, err = ran(capsys, "import", tmp_path / "empty.txt", "--to", tmp_path / "new")
    assert (code, "empty.txt: the file is empty" in err, (tmp_path / "new").exists()) == (2, True, False)
    (store / "store.json").write_text('{"schema": "railbird.store/99"}')
    with pytest.raises(MatchError, match=r"another version \(railbird.store/99, not railbird.store/1\)"):
        rb.read_hands(store)


def test_damage_is_refused_in_one_line(store, tmp_path):
    """Some damage to a table of Parquet ends the process that reads it, so it must be found before."""
    for table in ("hands", "seats"):
        for number, spoil in enumerate((lambda data: data[:-40], lambda _: b"", _with_a_flipped_bit)):
            copy = shutil.copytree(store, tmp_path / f"{table}-{number}")
            (part,) = store_parts(copy)
            part.files[table].write_bytes(spoil(part.files[table].read_bytes()))
            for read in (rb.read_hands, lambda path: rb.stats(path, progress=False)):
                if table == "hands" or read is not rb.read_hands:
                    with pytest.raises(MatchError, match="is damaged: the checksum does not fit"):
                        read(copy)
    (part,) = store_parts(store)
    part.files["seats"].unlink()
    with pytest.raises(MatchError, match="is damaged: it has no seats of part 1"):
        rb.read_hands(store)


def _with_a_flipped_bit(data: bytes) -> bytes:
    return data[:50] + bytes([data[50] ^ 4]) + data[51:]


def test_tables_of_somebody_else_are_refused(store, tmp_path):
    (part,) = store_parts(store)
    tables = {table: pl.read_parquet(part.file(table), hive_partitioning=False) for table in part.files}
    hands = tables["hands"]
    for number, (other, words) in enumerate(
        (
            (hands.with_columns(game=pl.lit('{"name": 7}')), "of the store cannot be read"),
            (hands.with_columns(board=pl.lit("AsXs")), "of the store cannot be read"),
            (hands.with_columns(board=pl.lit(None, pl.String)), "its hands and seats do not fit each other"),
            (hands[1:], "its hands and seats do not fit each other"),
            (hands.drop("history"), "is damaged or no hand store of this version"),
            (hands.with_columns(number=pl.lit("x")), "is damaged or no hand store of this version"),
        )
    ):
        folder = tmp_path / str(number)
        with opened_store(folder):
            store_folder.write_part(folder, "x", {name: packed(t) for name, t in {**tables, "hands": other}.items()})
        with pytest.raises(RailbirdError, match=words):
            rb.read_hands(folder)


def test_tables_are_for_everybody(store):
    actions = HandStore(store).scan("actions").collect()
    assert set(actions["action"].unique()) == {"fold", "check", "call", "bet", "raise"}
    by_hand = actions.filter(pl.col("row") == 0)
    record = next(HandStore(store).records())
    steps = list(record.steps())
    assert by_hand["position"].to_list() == [before.to_act for before, _ in steps]
    paid = dict.fromkeys(range(record.game.seats), 0)
    for position, chips in by_hand.select("position", "chips").iter_rows():
        paid[position] += chips
    final = record.final().committed
    assert [paid[seat] + blind for seat, blind in enumerate(record.game.blinds)] == list(final)


def test_without_polars_it_says_what_to_install(store, monkeypatch, capsys):
    from railbird.results import frames

    monkeypatch.setattr(frames, "find_spec", lambda _name: None)
    for command in (("stats", store), ("import", store, "--to", store), ("replay", store, 3)):
        code, out, err = ran(capsys, *command)
        assert (code, out, "pip install 'railbird[frames]'" in err) == (2, "", True)


def test_hands_that_did_not_get_in_are_not_forgotten(capsys, tmp_path):
    """A result must not rest on what happens to fit: see `railbird.formats.left_out`."""
    bad = [line.replace(line.split(":")[4], "1|-1") for line in LINES[:8]]
    path, store = log_of(tmp_path, *bad, *LINES[8:60]), tmp_path / "hands.parquet"
    found = rb.import_hands(path, store, "limit:small_bet=10", progress=False)
    assert (found.added, found.left_out) == (52, 8)
    with pytest.raises(UnfairSampleError, match=r"8 of 60 hands do not fit the game \(payoffs that do not follow 8\)"):
        rb.assess(store, progress=False)
    assert "8 hands left out, the first: " in str(rb.stats(store, progress=False))
    path.write_text("".join(f"{line}\n" for line in LINES[:60]))  # corrected, and imported again
    assert rb.import_hands(path, store, "limit:small_bet=10", progress=False).added == 8
    assert len(rb.assess(store, progress=False).pairs[0]) == 60
    (store / "left_out.json").write_text("{")
    with pytest.raises(MatchError, match=r"is damaged: .*; import the files again"):
        rb.stats(store, progress=False)
