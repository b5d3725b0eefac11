"""The index beside a log: it names damage, finds hands, and can never make a good log unreadable."""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import DamagedLogError, MatchError
from railbird.game.spec import leduc_poker, limit_holdem, no_limit_holdem
from railbird.kernels.play.log_payoffs import read_payoffs
from railbird.play.folder import MatchFolder
from railbird.play.log_check import LineReader
from railbird.play.match import MatchSpec
from railbird.play.match_logs import open_logs, read_hand_arrays, read_hands
from railbird.play.match_result import MatchResult
from railbird.play.run import run_matches

SPEC = MatchSpec(limit_holdem(), ("random", "always-call"), 45, 3, duplicate=True, block_hands=10)
SPECS = {
    "duplicate": SPEC,
    "ring": MatchSpec(limit_holdem(3), ("random", "always-call", "always-raise"), 45, 3, block_hands=10),
    "no-limit": MatchSpec(no_limit_holdem(2), ("random", "always-call"), 45, 3, block_hands=10),
    "leduc": MatchSpec(leduc_poker(), ("random", "random"), 45, 3, block_hands=10),
}


@pytest.fixture(scope="module", params=SPECS)
def played(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / request.param
    run_matches([MatchFolder.create(path, SPECS[request.param])], 1)
    return path


@pytest.fixture
def match(tmp_path):
    run_matches([MatchFolder.create(tmp_path / "m", SPEC)], 1)
    return tmp_path / "m"


@pytest.fixture
def copy(played, tmp_path):
    return Path(shutil.copytree(played, tmp_path / "copy"))


def log_of(folder: Path) -> Path:
    return sorted(folder.glob("*.log"))[0]


def index_of(folder: Path) -> Path:
    return log_of(folder).with_name(f"{log_of(folder).name}.index")


def alter(log: Path, hand: int, won: str) -> None:
    """Write other payoffs into the line of a hand."""
    lines = log.read_text().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if line.startswith(f"STATE:{hand}:"))
    fields = lines[at].split(":")
    fields[4] = won
    lines[at] = ":".join(fields)
    log.write_text("".join(lines))


def payoffs(folder: Path, large: tuple[int, ...]) -> str:
    seats = MatchFolder.open(folder).spec.game.seats
    return "|".join(map(str, (*large, *[0] * (seats - 2))))


# What is in it


def test_an_index_has_the_checksums_of_the_blocks_and_what_was_won_in_them(match):
    folder = MatchFolder.open(match)
    log = folder.log(0)
    assert log.look() == 45
    lines = log.path.read_bytes().splitlines(keepends=True)[2:-1]
    for block in range(5):
        part, text = log._index[block], b"".join(lines[10 * block : 10 * block + 10])
        assert (part.hands, part.lines, part.length) == (len(text.splitlines()),) * 2 + (len(text),)
        assert part.checksum == zlib.crc32(text)
        assert part.totals.tolist() == log.won(10 * block, min(45, 10 * block + 10)).sum(axis=0).tolist()


def test_the_kernel_reads_what_was_won_and_nothing_that_is_not_the_next_hand(match):
    log = MatchFolder.open(match).log(1)
    text = b"".join(log.path.read_bytes().splitlines(keepends=True)[2:-1])
    reader = LineReader(SPEC, 1)
    assert np.array_equal(reader.won(text, 0, 45), reader.checked(text, 0))
    won = np.empty((45, 2), np.int64)
    for bad in (
        text.replace(b"STATE:7:", b"STATE:8:"),
        text.replace(b"STATE:7:", b"STATE:07:"),
        text.replace(b"|random\n", b"|mystery\n", 1),
        text[:-1],
        text + text,
        b"\n" + text,
        text.replace(b":random|", b"x:random|", 1),
    ):
        assert read_payoffs(np.frombuffer(bad, np.uint8), reader._seats, 0, won) < 0
    with_comments = b"# hand 0: a remark\n" + text.replace(b"STATE:9:", b"#   more\nSTATE:9:")
    assert np.array_equal(reader.won(with_comments, 0, 45), reader.won(text, 0, 45))


# It cannot harm


@pytest.mark.parametrize("damage", ["gone", "empty", "torn", "garbled", "of another log", "its first record twice"])
def test_a_log_without_a_good_index_is_read_and_goes_on_as_with_one(copy, played, damage):
    index, whole = index_of(copy), index_of(copy).read_bytes()
    size = (len(whole) - whole.index(b"\n") - 1) // 5
    wrong = {
        "empty": b"",
        "torn": whole[:-5],
        "garbled": whole[:100] + bytes([whole[100] ^ 1]) + whole[101:],
        "of another log": whole.replace(b" 10 ", b" 20 ", 1),
        "its first record twice": whole[: -4 * size] + whole[-5 * size : -4 * size] + whole[-3 * size :],
    }
    if damage == "gone":
        index.unlink()
    else:
        index.write_bytes(wrong[damage])
    expected = MatchFolder.open(played).result()
    found = MatchFolder.open(copy).result()
    assert found.to_json() == expected.to_json()
    run_matches([MatchFolder.create(copy, SPECS[played.name])], 1)
    assert {file.name: file.read_bytes() for file in copy.iterdir()} == {
        file.name: file.read_bytes() for file in played.iterdir()
    }


@pytest.mark.parametrize("kept", [0, 1, 3, 4.5, 5])
@pytest.mark.parametrize("cut", [0.0, 0.3, 0.9, 0.999, 1.0])
def test_a_kill_at_any_moment_between_log_and_index_gives_the_same_bytes(copy, played, cut, kept):
    log, index = log_of(copy), index_of(copy)
    begin, whole = len(index.read_bytes().split(b"\n")[0]) + 1, index.read_bytes()
    log.write_bytes(log.read_bytes()[: int(cut * log.stat().st_size)])
    index.write_bytes(whole[: begin + int(kept * (len(whole) - begin) / 5)])
    run_matches([MatchFolder.create(copy, SPECS[played.name])], 1)
    assert {file.name: file.read_bytes() for file in copy.iterdir()} == {
        file.name: file.read_bytes() for file in played.iterdir()
    }


# Damage is found, named and confined


@pytest.mark.parametrize("has_index", [True, False])
@pytest.mark.parametrize("large", [(1000, -1000), (1000, 1000), (-1000, 1000)])
def test_altered_payoffs_are_refused_by_whatever_reads_them(copy, large, has_index):
    log = log_of(copy)
    alter(log, 17, payoffs(copy, large))
    if not has_index:
        index_of(copy).unlink()
    where = r"log:13-22: hands 10 to 19 are not as they were written" if has_index else r"log:20: "
    folder = MatchFolder.open(copy)
    readers = [folder.result, folder.logs, lambda: read_hands(copy), lambda: list(folder.records(0))]
    if folder.spec.game.seats == 2 and folder.spec.game.name == "limit":
        readers += [lambda: read_hand_arrays(copy), lambda: read_hand_arrays(log)]
    for read in readers[: 1 if has_index else None]:
        with pytest.raises(DamagedLogError, match=where):
            read()
    with pytest.raises(MatchError, match=where):
        run_matches([MatchFolder.create(copy, _spec_of(copy))], 1)
    # Hands of other blocks are there all the same.
    for number in (9, 20, 44):
        assert open_logs(copy).hand(number).number == number
    with pytest.raises(ValueError, match=r"hands? 1[07]"):
        open_logs(copy).hand(17)


def _spec_of(folder: Path) -> MatchSpec:
    found = MatchFolder.open(folder).spec
    return next(spec for spec in SPECS.values() if spec.game == found.game and spec.duplicate == found.duplicate)


@pytest.mark.parametrize("has_index", [True, False])
def test_every_damaged_block_is_named_wherever_bytes_are_missing_or_too_many(match, has_index):
    log = log_of(match)
    data = log.read_bytes()
    lines = data.splitlines(keepends=True)
    lines[2 + 13] = b"much " * 30 + b"\n"
    del lines[2 + 31 : 2 + 33]
    log.write_bytes(b"".join(lines))
    if not has_index:
        index_of(match).unlink()
    damages = MatchFolder.open(match).verify()
    assert [(damage.first, damage.last) for damage in damages] == [(10, 20), (30, 40)]
    found = log.read_bytes()
    assert [found[each.start : each.stop].count(b"STATE:") for each in damages] == [9, 8]
    for number in (0, 9, 20, 29, 40, 44):
        assert open_logs(match).hand(number).number == number


def test_a_foreign_log_says_where_altered_payoffs_are(match, tmp_path):
    alone = tmp_path / "alone.log"
    shutil.copy(log_of(match), alone)
    alter(alone, 17, "1000|-1000")
    with pytest.raises(ValueError, match=r"alone\.log:20: hand 17: payoffs \(1000, -1000\) recorded"):
        open_logs(alone).hand(17)
    assert open_logs(alone).hand(18).number == 18
    assert [problem.line for problem in read_hand_arrays(alone).problems] == [20]


def test_payoffs_of_a_showdown_with_hidden_cards_stay_within_the_pot(tmp_path):
    log = tmp_path / "hidden.log"
    line = "STATE:0:ccc/ccc/ccc/rfc:|AsKs|2c7d/6s6d5h/Qh/8h:{}:Ann|Bob|Cat\n"  # Bob folds, and Ann's cards are hidden
    log.write_text(line.format("8|-2|-6"))
    assert read_hands(log, "limit")[0].payoffs == (8, -2, -6)
    for won in ("4|2|-6", "8|-6|-2", "8|-2|-7", "1000|-2|-998", "1000|-1000|0"):
        log.write_text(line.format(won))
        with pytest.raises(ValueError, match=r"hidden\.log:1: hand 0: payoffs .* recorded, but"):
            read_hands(log, "limit")


# Sums


def test_sums_say_what_the_hands_say(played):
    result = MatchFolder.open(played).result()
    assert result.won.shape == (result.spec.seating.legs, 45, result.spec.game.seats)
    again = MatchResult.of(result.spec, result.won)
    rates = result.won / result.spec.game.small_bet
    assert again.to_json() == result.to_json()
    for player, found in enumerate(result.players):
        by_hand = rates[:, :, player].ravel()
        assert found.money.mean == pytest.approx(by_hand.mean(), abs=1e-12)
        assert found.money.sd == pytest.approx(by_hand.std(ddof=1))
        ahead = (rates[:, :, player] - rates[:, :, 0]).mean(axis=0)
        assert result.lead(player, 0).mean == pytest.approx(ahead.mean(), abs=1e-12)
        assert result.lead(player, 0).sd == pytest.approx(ahead.std(ddof=1), abs=1e-9)
        line = result.figure().lines[player]
        assert line.y[-1] == pytest.approx(by_hand.sum())
