"""Logs with something wrong: each fault is reported by file and line, counted, and left out or kept as it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.errors import InvalidGameError, InvalidRecordError, MatchError, RailbirdError
from railbird.formats.acpc import parse_game
from railbird.formats.hand_arrays import PROBLEM_KINDS, UNKNOWN
from railbird.formats.log_file import LogFile
from railbird.play.match_logs import read_hand_arrays

DATA = Path(__file__).parent / "data" / "acpc"
LOG = DATA / "2p.limit.h1000.r0.log"
LIMIT = parse_game((DATA / "holdem.limit.2p.reverse_blinds.game").read_text(), name="limit")
LINES = [line for line in LOG.read_text().splitlines() if line.startswith("STATE")]


def log(tmp_path: Path, *lines: str, end: str = "\n", start: str = "") -> Path:
    path = tmp_path / "some.log"
    path.write_bytes((start + "".join(line + end for line in lines)).encode())
    return path


# Line 3 of a log whose other lines are good; what is said of it, and whether it is left out.
FAULTS = [
    ("not-a-hand", "hello", "not a hand: 'hello'"),
    ("not-a-hand", "STATE:x:crrrf:5d5c|9hQd:30|-30:p1|p2", "hand number 'x'"),
    ("not-a-hand", "STATE:" + "9" * 16 + ":crrrf:5d5c|9hQd:30|-30:p1|p2", "more than 15 digits"),
    ("not-a-hand", "STATE:" + "9" * 5000 + ":crrrf:5d5c|9hQd:30|-30:p1|p2", "more than 15 digits"),
    ("not-a-hand", "MATCHSTATE:0:0:crrrf:5d5c|", "not a hand"),
    ("cards", "STATE:1:crrrf:5d5d|9hQd:30|-30:p1|p2", "5d appears twice"),
    ("cards", "STATE:1:crrrf:5d5c|9h5c:30|-30:p1|p2", "hand 1: 5c appears twice"),
    ("cards", "STATE:1:crrrf:5d1c|9h5c:30|-30:p1|p2", "'1c' in '5d1c' is not a card"),
    ("cards", "STATE:1:crrrf:5d|9h5c:30|-30:p1|p2", "p1 holds '5d'"),
    ("cards", "STATE:1:crrrf:5d5c|9hQd/8dAs8s:30|-30:p1|p2", "3 board cards where 'crrrf' has 0"),
    ("cards", "STATE:1:cc/crf:5d5c|9hQd/8dAs:-10|10:p1|p2", "2 board cards"),
    ("cards", "STATE:1:cc/crf:5d5c|9hQd/8dAs8s4h:-10|10:p1|p2", "4 board cards"),
    ("cards", "STATE:1:cc/crf:5d5c|9hQd/8dAsQd:-10|10:p1|p2", "Qd appears twice"),
    ("betting", "STATE:1:crrrrf:5d5c|9hQd:-40|40:p1|p2", "the preflop is capped at 4 bets"),
    ("betting", "STATE:1:cf:5d5c|9hQd:-10|10:p1|p2", "cannot fold: checking is free"),
    ("betting", "STATE:1:cc:5d5c|9hQd/8dAs8s:10|-10:p1|p2", "does not end the hand"),
    ("betting", "STATE:1:rf/c:5d5c|9hQd:-10|10:p1|p2", "the hand is over"),
    ("betting", "STATE:1:c/c/crf:5d5c|9hQd/8dAs8s:-10|10:p1|p2", "the streets of"),
    ("betting", "STATE:1:crxf:5d5c|9hQd:30|-30:p1|p2", "'crxf' is not a betting string"),
    ("payoffs", "STATE:1:crrrf:5d5c|9hQd:31|-31:p1|p2", "payoffs (31, -31) recorded, but the cards and actions give"),
    ("payoffs", "STATE:1:crrrf:5d5c|9hQd:-30|30:p1|p2", "give (30, -30)"),
    ("payoffs", "STATE:1:crrrf:5d5c|9hQd:30|-20:p1|p2", "give (30, -30)"),
    ("payoffs", "STATE:1:crrrf:5d5c|9hQd:30.5|-30.5:p1|p2", "(30.5, -30.5) recorded, but the cards and actions give"),
    ("payoffs", "STATE:1:crrrf:5d5c|9hQd:3e1|-3e1:p1|p2", "payoffs '3e1|-3e1' are not chips"),
    ("payoffs", "STATE:1:cc/cc/cc/cc:5d5c|/8dAs8s/4h/6d:20|-20:p1|p2", "a showdown for 10 chips each gives"),
    ("no-limit", "STATE:1:cr300f:5d5c|9hQd:100|-100:p1|p2", "no-limit betting 'cr300f'"),
    ("players", "STATE:1:fcc/ccc:5d5c|9hQd|2c3c:5|-5|0:p1|p2|p3", "3 names, 3 holdings and 3 payoffs"),
    ("players", "STATE:1:crrrf:5d5c|9hQd:30|-30:p1", "1 names"),
    ("same-name", "STATE:1:crrrf:5d5c|9hQd:30|-30:p1|p1", "both players are called 'p1'"),
    ("repeated-hand", LINES[0], "hand 0 again, with the same players and cards as in line 1"),
]


@pytest.mark.parametrize(("kind", "line", "says"), FAULTS, ids=[f"{k}-{n}" for n, (k, _, _) in enumerate(FAULTS)])
def test_a_bad_line_is_left_out_with_a_word(tmp_path, kind, line, says):
    path = log(tmp_path, LINES[0], "# a remark", line, *LINES[6:30])
    hands = read_hand_arrays([path])
    (problem,) = hands.problems
    assert (problem.file, problem.line, problem.kind, problem.skipped) == (str(path), 3, kind, True)
    assert says in problem.message
    assert len(problem.message) <= 240
    assert hands.problem_counts == {kind: 1}
    assert kind in PROBLEM_KINDS
    assert str(problem).startswith(f"{path}:3: ")
    assert str(problem).endswith("(left out)")
    assert hands.line.tolist() == [1, *range(4, 28)]


def test_every_kind_of_problem_is_counted(tmp_path):
    path = log(tmp_path, *LINES, *(line for _, line, _ in FAULTS))
    hands = read_hand_arrays([path])
    assert len(hands) == 1000
    assert [problem.line for problem in hands.problems] == list(range(1001, 1001 + len(FAULTS)))
    assert [problem.kind for problem in hands.problems] == [kind for kind, _, _ in FAULTS]


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n", "\r", " # 1372436245.1\n", "\n\n"])
@pytest.mark.parametrize("start", ["", "\ufeff", " # remark\n; another\n"])
def test_line_ends_and_marks_that_do_not_matter(tmp_path, start, end):
    if start.endswith("\n") and end == "\r":
        start = ""
    hands = read_hand_arrays([log(tmp_path, *LINES[:50], start=start, end=end)])
    assert len(hands) == 50
    assert (hands.names, hands.problems) == (("p1", "p2"), ())


@pytest.mark.parametrize("cut", range(1, 57))
def test_a_cut_last_line_is_left_out_or_whole(tmp_path, cut):
    # The last line is "STATE:2:cc/rrrrc/crc/rc:Ah8s|2h4c/Qd7h6c/4s/Jc:-90|90:p1|p2".
    path = log(tmp_path, *LINES[:3])
    path.write_bytes(path.read_bytes()[:-cut])
    hands = read_hand_arrays([path], LIMIT)
    if cut == 1:
        assert (len(hands), hands.problems) == (3, ())
    else:
        (problem,) = hands.problems
        assert (len(hands), problem.kind, problem.line, problem.skipped) == (2, "truncated", 3, True)
        assert "the last line is cut off" in problem.message


def test_a_name_that_was_cut_is_not_taken_for_a_player(tmp_path):
    lines = [line.replace("p1", "Alice").replace("p2", "Bob") for line in LINES[:5]]
    path = log(tmp_path, *lines)
    path.write_bytes(path.read_bytes()[:-2])
    hands = read_hand_arrays([path])
    assert (len(hands), hands.names) == (4, ("Alice", "Bob"))
    assert "Alice and Bo have not played each other before" in hands.problems[0].message


def test_hidden_cards_are_kept_and_marked(tmp_path):
    folded = "STATE:1:cc/crf:|9hQd/8dAs8s:-10|10:Ann|Bob"
    shown_down = "STATE:2:cc/cc/cc/cc:5d5c|/8dAs8s/4h/6d:10|-10:Bob|Ann"
    nobody = "STATE:3:rf:|:-10|10:Ann|Bob"
    path = log(tmp_path, "STATE:0:rrrf:5d5c|9hQd:-30|30:Bob|Ann", folded, shown_down, nobody)
    hands = read_hand_arrays([path])
    assert hands.complete.tolist() == [True, False, False, False]
    assert (hands.holes[1, 0] == UNKNOWN).all()
    assert (hands.holes[2, 1] == UNKNOWN).all()
    assert (hands.pair_of == -1).all()
    assert [problem.message for problem in hands.problems] == [
        "hand 1: the cards of Ann are not shown; only a runtime assessment counts it",
        "hand 2: the cards of Ann are not shown; only a runtime assessment counts it",
        "hand 3: the cards of Ann and Bob are not shown; only a runtime assessment counts it",
    ]
    assert not any(problem.skipped for problem in hands.problems)
    assert hands.problem_counts == {"hidden-cards": 3}


def test_hidden_hands_repeat_only_if_all_of_it_does(tmp_path):
    line, other = "STATE:1:cc/crf:|9hQd/8dAs8s:-10|10:Ann|Bob", "STATE:1:cc/crf:|9hQd/8dAs8c:-10|10:Ann|Bob"
    hands = read_hand_arrays([log(tmp_path, line, other, line)])
    assert len(hands) == 2
    assert hands.problem_counts == {"hidden-cards": 2, "repeated-hand": 1}


def test_the_same_number_in_another_match_is_no_repeat(tmp_path):
    swapped = [
        line.replace("p1|p2", "p2|p1") if line.endswith("p1|p2") else line.replace("p2|p1", "p1|p2")
        for line in LINES[:20]
    ]
    assert len(read_hand_arrays([log(tmp_path, *LINES[:20], *swapped)])) == 40
    renamed = [line.replace("p1", "p3") for line in LINES[:20]]
    assert len(read_hand_arrays([log(tmp_path, *LINES[:20], *renamed)])) == 40


def test_mixed_bet_sizes(tmp_path):
    def doubled(line: str) -> str:
        *rest, won, names = line.split(":")
        return ":".join([*rest, "|".join(str(2 * int(chips)) for chips in won.split("|")), names])

    hands = read_hand_arrays([log(tmp_path, *LINES[:95], *map(doubled, LINES[95:100]))])
    kinds = hands.problem_counts
    assert len(hands) == 100 - kinds["bet-size"]
    assert kinds["bet-size"] == len(hands.problems) > 3
    assert hands.problems[0].message.endswith(": bets of 20, where the file has 10")
    half = log(tmp_path, *LINES[:50], *map(doubled, LINES[50:100]))
    with pytest.raises(InvalidGameError, match=r"hands have bets of \d+/\d+ and .* --game limit:small_bet="):
        read_hand_arrays([half])
    assert read_hand_arrays([half], LIMIT).problem_counts["bet-size"] > 30
    with pytest.raises(InvalidGameError, match="no hand tells how large the bets are"):
        read_hand_arrays([log(tmp_path, "STATE:1:cc/cc/cc/cc:5d5c|5h5s/8dAs8s/Ah/6d:0|0:p1|p2")])


def test_scores_that_do_not_add_up_are_reported(tmp_path):
    # The short log's own SCORE line is right; with a hand taken out it is not.
    lines = (DATA / "short.log").read_text().splitlines()
    assert read_hand_arrays([log(tmp_path, *lines)]).problems == ()
    (problem,) = read_hand_arrays([log(tmp_path, *lines[:8], *lines[9:])]).problems
    assert (problem.kind, problem.line, problem.skipped) == ("score", len(lines) - 1, False)
    assert "the hands before it give" in problem.message
    path = log(tmp_path, *lines)
    path.write_bytes(path.read_bytes()[:-9])
    (problem,) = read_hand_arrays([path]).problems
    assert (problem.kind, problem.line, problem.skipped) == ("truncated", len(lines), False)


def test_files_without_hands(tmp_path):
    files = {
        "empty": b"",
        "binary": bytes(range(256)) * 9,
        "utf16": LOG.read_text().encode("utf-16"),
        "words": b"To be, or not to be\n",
        "copy": LOG.read_bytes(),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    hands = read_hand_arrays([LOG, *(tmp_path / name for name in files)])
    assert len(hands) == 1000
    assert {Path(problem.file).name: (problem.kind, problem.line) for problem in hands.problems} == {
        "empty": ("empty-file", 0),
        "binary": ("binary-file", 0),
        "utf16": ("binary-file", 0),
        "words": ("empty-file", 0),
        "copy": ("repeated-file", 0),
    }
    for name, why in (
        ("empty", "the file is empty"),
        ("binary", "not text"),
        ("words", "of no format that is known here; Railbird reads its own match"),
    ):
        with pytest.raises(InvalidRecordError, match=why):
            read_hand_arrays([tmp_path / name])
    with pytest.raises(MatchError, match=r"no file or folder .*missing\.log"):
        read_hand_arrays([tmp_path / "missing.log"])


def test_logs_of_other_games_are_refused_with_the_reason(tmp_path):
    no_limit = DATA / "2p.nolimit.h1000.r0.log"
    with pytest.raises(InvalidGameError, match=r"the game of '.*' is no-limit for 2 players; only limit hold'em"):
        read_hand_arrays([no_limit])  # the game file that it names lies beside it
    (tmp_path / "alone.log").write_bytes(no_limit.read_bytes())
    with pytest.raises(InvalidGameError, match=r"alone\.log' is no-limit for 2 players; only limit"):
        read_hand_arrays([tmp_path / "alone.log"])  # its hands tell the game
    mixed = read_hand_arrays([log(tmp_path, *LINES[:50], "STATE:50:cr300f:5d5c|9hQd:100|-100:p1|p2")])
    assert (len(mixed), mixed.problem_counts) == (50, {"no-limit": 1})
    with pytest.raises(InvalidRecordError, match=r"hands of another number of players than two \(3\), the first"):
        read_hand_arrays([log(tmp_path, *["STATE:0:ffc:5d5c|9hQd|2c3c:5|-5|0:p1|p2|p3"] * 3)])


def test_names_with_odd_characters(tmp_path):
    names = ("Zoë\u202e-#1", "a b\x1b[31m;c")
    lines = [line.replace("p1", names[0]).replace("p2", names[1]) for line in LINES[:20]]
    hands = read_hand_arrays([log(tmp_path, *lines)])
    assert hands.names == names
    raw = log(tmp_path, *LINES[:20])
    raw.write_bytes(raw.read_bytes().replace(b"p1", b"\xff\xfe"))
    assert read_hand_arrays([raw]).names == ("\ufffd\ufffd", "p2")
    path = log(tmp_path, *lines, lines[0])
    (problem,) = read_hand_arrays([path]).problems
    assert problem.message.isprintable()
    many = [line.replace("p1", f"p{number + 10}") for number, line in enumerate(LINES[:200])]
    assert len(read_hand_arrays([log(tmp_path, *many)]).names) == 201


def test_a_torn_middle_and_a_second_match_in_front(tmp_path):
    text = LOG.read_bytes()
    path = tmp_path / "torn.log"
    path.write_bytes(text[:5000] + b"\0" * 300 + text[5000:9000] + b"\xff\n" + text)
    hands = read_hand_arrays([path])
    assert len(hands) == 1000
    assert hands.problem_counts["repeated-hand"] + hands.problem_counts["not-a-hand"] > 100
    assert hands.problem_counts["not-a-hand"] <= 4


@settings(max_examples=150)
@given(st.binary(max_size=300), st.integers(0, 3000), st.integers(0, 300))
def test_no_bytes_break_the_reader(inserted, at, removed):
    text = "\n".join(LINES[:50]).encode()
    data = text[:at] + inserted + text[at + removed :]
    for game in (LIMIT, None):
        file = LogFile("fuzz", data, game)
        try:
            hands = file.read(lambda _: None)
        except RailbirdError:
            continue
        lines = data.count(b"\n") + (not data.endswith(b"\n"))
        assert hands is None or len(hands.verdicts) <= lines + data.count(b"\r")
        assert all(problem.kind in PROBLEM_KINDS and problem.message.isprintable() for problem in file.problems)
