"""Logs as arrays: the same hands as the slow reader's, at any size of bets, with the pairs of duplicate play."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import cards_text
from railbird.errors import InvalidGameError, MatchError, RailbirdError
from railbird.formats import log_file
from railbird.formats.acpc import parse_game, parse_record, record_line
from railbird.formats.hand_arrays import CALL, FOLD, RAISE, UNKNOWN, HandArrays
from railbird.formats.line_check import judged
from railbird.formats.log_file import LogFile
from railbird.formats.readers import hands_in
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.kernels.play.log_lines import HAND
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_logs import read_hand_arrays
from railbird.play.run import run_matches

DATA = Path(__file__).parent / "data" / "acpc"
LOG = DATA / "2p.limit.h1000.r0.log"
LIMIT = parse_game((DATA / "holdem.limit.2p.reverse_blinds.game").read_text(), name="limit")
LINES = [line for line in LOG.read_text().splitlines() if line.startswith("STATE")]


def played(folder: Path, *bots: str, **settings) -> Path:
    game = settings.pop("game", limit_holdem())
    spec = MatchSpec(game, bots, settings.pop("hands", 300), settings.pop("seed", 5), **settings)
    run_matches([MatchFolder.create(folder, spec)], workers=1)
    return folder


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(line + "\n" for line in lines))
    return path


def test_a_real_log_gives_the_records_of_the_slow_reader():
    hands = read_hand_arrays([LOG])
    assert [hands.record(i) for i in range(len(hands))] == list(hands_in(LOG, LIMIT))
    assert hands.game == LIMIT
    assert (hands.names, hands.problems, hands.files) == (("p1", "p2"), (), (str(LOG),))
    assert (hands.small_bet == 10).all()
    assert hands.complete.all()
    assert (hands.pair_of == -1).all()
    assert hands.line[0] == 5
    assert hands.line[-1] == 1004


def test_one_hand_in_all_its_fields(tmp_path):
    # STATE:3 of the reference log: p2 is the big blind, p1 the button; three bets before the flop, then p2 bets and
    # p1's raise makes p2 fold with 30 + 20 chips in.
    hands = read_hand_arrays([written(tmp_path / "one.log", ["STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1"])])
    assert cards_text(hands.holes[0, 0]) + cards_text(hands.holes[0, 1]) == "4s8s6hJd"
    assert cards_text(hands.board[0, :3]) == "QhJs9d"
    assert hands.board[0, 3:].tolist() == [UNKNOWN] * 2
    none = [UNKNOWN] * 6
    flop = [RAISE, RAISE, FOLD, *none[3:]]
    assert hands.actions[0].tolist() == [[RAISE, RAISE, RAISE, CALL, *none[4:]], flop, none, none]
    assert hands.action_counts[0].tolist() == [4, 3, 0, 0]
    assert (hands.last_street[0], hands.folder[0], hands.stakes[0]) == (1, 0, 50)
    assert hands.payoffs[0].tolist() == [-50, 50]
    assert [hands.names[player] for player in hands.players[0]] == ["p2", "p1"]
    assert (hands.numbers[0], hands.file[0], hands.line[0], hands.small_bet[0]) == (3, 0, 1, 10)


@pytest.mark.parametrize("small_bet", [2, 6, 10, 1000, 10**9])
def test_the_size_of_the_bets_is_told_from_the_payoffs(tmp_path, small_bet):
    lines = []
    for line in LINES[:200]:
        *rest, won, names = line.split(":")
        lines.append(":".join([*rest, "|".join(str(int(c) * small_bet // 10) for c in won.split("|")), names]))
    hands = read_hand_arrays([written(tmp_path / "scaled.log", lines)])
    assert hands.game == limit_holdem(small_bet=small_bet)
    assert not hands.problems
    assert [record_line(hands.record(i)) for i in range(200)] == lines


def test_files_of_different_bets_are_read_together(tmp_path):
    folder = played(tmp_path / "match", "always-call", "random")
    hands = read_hand_arrays([LOG, folder])
    assert hands.names == ("p1", "p2", "always-call", "random")
    assert np.unique(hands.small_bet).tolist() == [2, 10]
    assert hands.record(len(hands) - 1) == list(MatchFolder.open(folder).records(0))[-1]
    assert np.unique(hands.file).tolist() == [0, 1]


def test_other_rules_come_from_the_folder_or_the_game_given(tmp_path):
    uncapped = limit_holdem(cap=12, small_bet=4, reverse_blinds=False)
    folder = played(tmp_path / "match", "always-raise", "random", game=uncapped)
    hands = read_hand_arrays([folder])
    assert hands.game == uncapped
    assert [hands.record(i) for i in range(300)] == list(MatchFolder.open(folder).records(0))
    assert hands.actions.shape[2] == hands.action_counts.max() > 6
    log = folder / "hands.log"
    assert len(read_hand_arrays([log])) == 300, "a log in a match folder has the folder's game"
    alone = tmp_path / "alone.log"
    alone.write_bytes(log.read_bytes())
    assert len(read_hand_arrays([alone], uncapped)) == 300
    with pytest.raises(InvalidGameError, match=r"fit limit:small_bet=4,.*reverse_blinds=no; .*--game limit:small_bet"):
        read_hand_arrays([alone])
    with pytest.raises(InvalidGameError, match="different rules"):
        read_hand_arrays([LOG, folder])


def test_games_that_are_not_read(tmp_path):
    for game in (limit_holdem(3), no_limit_holdem(), limit_holdem(ante=1), limit_holdem(stack=20)):
        with pytest.raises(InvalidGameError, match="read here"):
            read_hand_arrays([LOG], game)
    assert len(read_hand_arrays([LOG], replace(LIMIT, stacks=(241, 241)))) == 1000, "nobody can put in more than 240"
    with pytest.raises(InvalidGameError, match="stacks of 240"):
        read_hand_arrays([LOG], replace(LIMIT, stacks=(240, 240)))
    three = played(tmp_path / "three", "random", "random", "random", game=limit_holdem(3), hands=3)
    with pytest.raises(InvalidGameError, match="3 players"):
        read_hand_arrays([three])


def test_folders_of_matches_and_of_logs(tmp_path):
    played(tmp_path / "all" / "a", "always-call", "random", hands=20)
    played(tmp_path / "all" / "b", "random", "always-raise", hands=30)
    written(tmp_path / "all" / "c.log", LINES[:10])
    hands = read_hand_arrays([tmp_path / "all"])
    assert [Path(file).name for file in hands.files] == ["hands.log", "hands.log", "c.log"]
    assert len(hands) == 60
    inner = tmp_path / "all" / "d" / "e"
    inner.mkdir(parents=True)
    written(inner / "f.log", LINES[10:15])
    assert len(read_hand_arrays([tmp_path / "all"])) == len(read_hand_arrays([tmp_path / "all" / "d"])) + 60 == 65
    (tmp_path / "nothing").mkdir()
    with pytest.raises(MatchError, match="no match, no log and no history in the folder"):
        read_hand_arrays([tmp_path / "nothing"])
    with pytest.raises(MatchError, match="no file or folder"):
        read_hand_arrays([tmp_path / "nowhere.log"])


def test_progress_ends_with_all_bytes(tmp_path):
    folder = played(tmp_path / "match", "random", "random", duplicate=True)
    told: list[tuple[int, int]] = []
    read_hand_arrays([folder], watch=lambda done, total: told.append((done, total)))
    size = sum(log.stat().st_size for log in folder.glob("*.log"))
    assert told[-1] == (size, size)
    assert told == sorted(told)


def check_pairs(hands: HandArrays) -> None:
    """Partners know each other, hold each other's cards and have changed places."""
    for i, j in enumerate(hands.pair_of):
        if j >= 0:
            assert hands.pair_of[j] == i
            assert hands.players[i].tolist() == hands.players[j][::-1].tolist()
            assert np.array_equal(np.sort(hands.holes[i], axis=1), np.sort(hands.holes[j], axis=1))
            both = (hands.board[i] != UNKNOWN) & (hands.board[j] != UNKNOWN)
            assert (hands.board[i][both] == hands.board[j][both]).all()


def test_pairs_of_a_duplicate_match(tmp_path):
    folder = played(tmp_path / "match", "random", "random:fold=1,call=2,raise=2", duplicate=True, hands=2000)
    hands = read_hand_arrays([folder])
    check_pairs(hands)
    assert (hands.last_street == 0).sum() > 300, "hands without a board must be paired too"
    assert np.array_equal(hands.pair_of, np.concatenate([np.arange(2000, 4000), np.arange(2000)]))
    assert (read_hand_arrays([folder / "hands-01.log"]).pair_of == -1).all()
    first, second = folder / "hands-01.log", folder / "hands-02.log"
    assert (read_hand_arrays([first, second]).pair_of >= 0).all(), "hand numbers pair two logs given by themselves"


def test_pairs_without_common_hand_numbers(tmp_path):
    folder = played(tmp_path / "match", "always-call", "always-raise", duplicate=True, hands=400)
    both = [record for stream in (0, 1) for record in MatchFolder.open(folder).records(stream)]
    lines = [record_line(replace(record, number=number)) for number, record in enumerate(both)]
    hands = read_hand_arrays([written(tmp_path / "renumbered.log", lines)])
    check_pairs(hands)
    assert (hands.pair_of >= 0).all()
    as_it_was = read_hand_arrays([written(tmp_path / "glued.log", [record_line(record) for record in both])])
    assert np.array_equal(as_it_was.pair_of, hands.pair_of)
    # The same deal among hundreds of others is a coincidence, not a pair.
    hands = read_hand_arrays([written(tmp_path / "lonely.log", [*lines[:400], lines[407]])])
    assert (hands.pair_of == -1).all()


def test_two_matches_on_the_same_deals_pair_within_each(tmp_path):
    folders = [
        played(tmp_path / name, "random", "random:fold=0,call=1,raise=1", duplicate=True, hands=50) for name in ("a",)
    ]
    other = played(tmp_path / "b", "random", "random:fold=0,call=1,raise=1", duplicate=True, hands=60)
    hands = read_hand_arrays([*folders, other])
    check_pairs(hands)
    assert (hands.file[hands.pair_of] // 2 == hands.file // 2).all()


def test_a_mask_dissolves_broken_pairs(tmp_path):
    hands = read_hand_arrays([played(tmp_path / "match", "random", "always-call", duplicate=True, hands=100)])
    chosen = np.random.default_rng(4).random(200) < 0.7
    some = hands.where(chosen)
    check_pairs(some)
    assert len(some) == chosen.sum()
    assert (some.pair_of >= 0).sum() == (chosen & chosen[hands.pair_of]).sum() > 50
    assert some.record(5) == hands.record(int(np.flatnonzero(chosen)[5]))
    with pytest.raises(RailbirdError, match="mask"):
        hands.where(chosen[:5])


_LETTERS = "fcr/:|-0123456789TJQKAcdhs #Skbx\r\t.é\x1f"


def mutated(line: str, other: str, generator: random.Random) -> str:
    """The line with one to three small things wrong, or another line's field in place of its own."""
    if generator.random() < 0.3:
        fields, others = line.split(":"), other.split(":")
        at = generator.randrange(1, len(fields))
        fields[at] = others[min(at, len(others) - 1)]
        return ":".join(fields)
    for _ in range(generator.randint(1, 3)):
        at = generator.randrange(len(line))
        kind = generator.randrange(6)
        if kind == 0:
            line = line[:at] + generator.choice(_LETTERS) + line[at + 1 :]
        elif kind == 1:
            line = line[:at] + generator.choice(_LETTERS) + line[at:]
        elif kind == 2:
            line = line[:at] + line[at + 1 :]
        elif kind == 3:
            line = line[: at + 1] + line[at:]
        elif kind == 4:
            line = line[:at] + line[at : at + 1].swapcase() + line[at + 1 :]
        else:
            line = line[:at] + line[at : at + 2][::-1] + line[at + 2 :]
        if not line:
            return ":"
    return line


def verdicts(lines: list[str], game) -> tuple[LogFile, log_file.FileHands]:
    log = LogFile("fuzz", "".join(line + "\n" for line in lines).encode(), game)
    hands = log.read(lambda _: None)
    assert hands is not None
    return log, hands


def test_fast_and_slow_reader_agree_on_mutated_lines(monkeypatch):
    seed = 20071
    generator = random.Random(seed)
    hidden = [line.replace(line.split(":")[3].split("/")[0].split("|")[0], "", 1) for line in LINES[:200]]
    good = LINES + hidden
    lines = [mutated(generator.choice(good), generator.choice(good), generator) for _ in range(24_000)]
    lines = [line for line in lines if line.strip() and line.strip()[0] not in "#;"] + good
    slow = {}

    def counted(line, game, may_be_raked=True):
        slow[line] = judged(line, game, may_be_raked)
        return slow[line]

    monkeypatch.setattr(log_file, "judged", counted)
    log, hands = verdicts(lines, LIMIT)
    refused = {problem.line: problem for problem in log.problems if problem.skipped}
    records = [slow.get(line.strip()) or judged(line.strip(), LIMIT) for line in lines]
    accepted = 0
    for row, (line, (record, kind, message)) in enumerate(zip(lines, records)):
        problem = refused.get(row + 1)
        if problem is not None and problem.kind in ("repeated-hand", "same-name"):
            assert record is not None, (seed, line)
        elif record is None:
            assert problem is not None, (seed, line)
            assert problem.kind == kind or (problem.kind, kind) == ("bet-size", "payoffs"), (seed, line)
            assert problem.message.startswith(message), (seed, line)
            assert hands.verdicts[row] != HAND
        else:
            assert hands.verdicts[row] == HAND, (seed, line)
            accepted += 1
            assert hands.numbers[row] == record.number
            assert tuple(hands.payoffs[row]) == record.payoffs
            assert [hands.names[p] for p in hands.players[row]] == [name.strip() for name in record.names]
            assert [c for c in hands.board[row] if c != UNKNOWN] == list(record.board)
            assert [c for c in hands.holes[row].ravel() if c != UNKNOWN] == [c for h in record.holes for c in h]
            streets = ["".join("fcr"[a] for a in street if a != UNKNOWN) for street in hands.actions[row]]
            assert "/".join(streets).rstrip("/") == record.history, (seed, line)
            assert hands.stakes[row] == min(record.final().committed)
    assert accepted > 3000
    assert not slow.keys() & set(good), "plain lines are read by the kernel"


@given(st.lists(st.sampled_from([*LINES[:40], "# remark", "", "SCORE:1|-1:p1|p2"]), min_size=1, max_size=8), st.data())
def test_fast_and_slow_reader_agree_on_drawn_lines(lines, data):
    at = data.draw(st.integers(0, len(lines) - 1))
    start = data.draw(st.integers(0, len(lines[at])))
    stop = data.draw(st.integers(start, min(len(lines[at]), start + 4)))
    text = data.draw(st.text(alphabet=_LETTERS, max_size=4))
    lines[at] = lines[at][:start] + text + lines[at][stop:]
    log = LogFile("fuzz", "".join(line + "\n" for line in lines).encode(), LIMIT)
    hands = log.read(lambda _: None)
    alone = [problem for problem in log.problems if problem.skipped and "could be limit" not in problem.message]
    refused = {problem.line: problem.kind for problem in alone}
    for row, line in enumerate(lines if hands is not None else ()):
        if line.strip() and line.strip()[0] not in "#;" and not line.strip().startswith("SCORE"):
            fair = judged(line.strip(), LIMIT).record is not None
            assert fair == (row + 1 not in refused or refused[row + 1] in ("repeated-hand", "same-name")), line


def test_records_that_the_slow_reader_alone_understands(tmp_path):
    line = "STATE:1:cc/rc/rc/crc:6s Ks|5dJd/2s10h2h/qh/8h:+60|-60:Bob|Alice"
    hands = read_hand_arrays([written(tmp_path / "odd.log", ["STATE:0:crrrf:5d5c|9hQd:30|-30:Alice|Bob", line])])
    assert len(hands) == 2
    assert hands.record(1) == parse_record(line, LIMIT)
    assert hands.names == ("Alice", "Bob")
    # A whole log of them, at bets of its own.
    lines = [":".join([*line.split(":")[:3], line.split(":")[3].lower(), *line.split(":")[4:]]) for line in LINES]
    assert np.array_equal(
        read_hand_arrays([written(tmp_path / "lower.log", lines)]).payoffs, read_hand_arrays([LOG]).payoffs
    )
