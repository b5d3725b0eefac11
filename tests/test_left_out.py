"""No result on a biased remainder: what may be missing from a log, and what is said where it is more."""

from __future__ import annotations

import json

import numpy as np
import pytest

import railbird as rb
from acpc_logs import LINES, LOG, log, ran
from railbird.errors import UnfairSampleError
from railbird.formats.left_out import LeftOut, is_trace
from railbird.play import assessing
from railbird.play.log_result import log_result
from railbird.play.match_logs import open_logs, read_hand_arrays

BROKEN = "STATE:5000:crrrf:5d5d|9hQd:30|-30:p1|p2"


def spoilt(line: str) -> str:
    """A hand whose payoffs do not follow from its betting."""
    *rest, won, names = line.split(":")
    more = [int(chips) + (7 if int(chips) > 0 else -7) for chips in won.split("|")]
    return ":".join([*rest, "|".join(map(str, more)), names])


def stake(line: str) -> int:
    return abs(int(line.split(":")[4].split("|")[0]))


@pytest.mark.parametrize("command", ["assess", "results", "hands"])
def test_a_log_with_other_stakes_is_refused_with_the_game_that_fits(capsys, command):
    # 22 of its 1,000 hands are ties, which fit any stakes.
    code, out, err = ran(capsys, command, LOG, "--game", "limit")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "978 of 1,000 hands do not fit the game (other stakes 978), and all others are ties: no result; " in err
    assert err.endswith("all fit limit:small_bet=10; if that is the game, say --game limit:small_bet=10\n")
    code, out, _ = ran(capsys, command, LOG, "--game", "limit:small_bet=10")
    assert (code, "1,000 hands" in out) == (0, True)


def test_other_rules_are_found_as_well(tmp_path):
    path = log(tmp_path, *LINES[:300])
    with pytest.raises(UnfairSampleError, match=r"\(payoffs that do not follow 59\), .*; all fit limit:small_bet=10; "):
        rb.assess(path, game="limit:small_bet=10,reverse_blinds=no", progress=False)
    with pytest.raises(UnfairSampleError, match=r"\(illegal betting \d+\), .*; all fit limit:small_bet=10; if that is"):
        rb.assess(path, game="limit:small_bet=10,cap=2", progress=False)
    with pytest.raises(UnfairSampleError, match=r"2 of 2 hands do not fit .* all fit limit:small_bet=10"):
        rb.assess(log(tmp_path, *LINES[:2]), game="limit", progress=False)


def test_a_trace_is_one_hand_alone_or_one_in_fifty(tmp_path):
    assert [is_trace(missing, whole) for missing, whole in ((0, 1), (1, 2), (2, 99), (2, 100), (20, 1000))] == [
        True,
        True,
        False,
        True,
        True,
    ]
    for good, bad, is_refused in ((1, 1, False), (98, 2, False), (97, 2, True), (146, 3, True), (147, 3, False)):
        hands = read_hand_arrays(
            [log(tmp_path, *LINES[:good], *(BROKEN.replace("5000", f"{5000 + n}") for n in range(bad)))]
        )
        assert (len(hands), hands.left_out.missing) == (good, bad)
        if is_refused:
            with pytest.raises(
                UnfairSampleError, match=rf"{bad} of {good + bad} hands .*\(impossible cards {bad}\), more"
            ):
                hands.refuse_unfair()
        else:
            hands.refuse_unfair()


def test_the_way_out_names_the_first_line(tmp_path, capsys):
    path = log(tmp_path, *LINES[:10], BROKEN, BROKEN.replace("5000", "5001"))
    code, out, err = ran(capsys, "assess", path)
    assert (code, out) == (1, "")
    assert "more than one in 50: no result; correct these lines, or put # before them if they are of another" in err
    assert f"the first: {path}:11: hand" in err
    path.write_text(path.read_text().replace("STATE:500", "#STATE:500"))
    assert ran(capsys, "assess", path)[0] == 0


def test_missing_hands_must_have_nothing_to_do_with_the_result(tmp_path):
    largest = sorted(LINES, key=stake)[-15:]
    # In line with the result: the largest pots are missing. As often by chance: every 60th hand is.
    for which, is_refused in ((set(largest), True), (set(LINES[::66]), False)):
        hands = read_hand_arrays([log(tmp_path, *(spoilt(line) if line in which else line for line in LINES))])
        missing = hands.left_out.missing
        assert (missing >= 15 or not is_refused, is_trace(missing, 1000)) == (True, True)
        if is_refused:
            with pytest.raises(
                UnfairSampleError, match="and not by chance: they differ from the others in what was won"
            ):
                hands.refuse_unfair()
        else:
            hands.refuse_unfair()


def test_hands_that_one_player_lost_must_not_be_missing(tmp_path):
    def won(line: str) -> int:
        chips, names = (field.split("|") for field in line.split(":")[4:])
        return int(chips[names.index("p1")])

    middle = sorted(stake(line) for line in LINES)[650]
    lost = [line for line in LINES if won(line) == -middle][:16]
    hands = read_hand_arrays([log(tmp_path, *(spoilt(line) if line in lost else line for line in LINES))])
    assert (hands.left_out.missing, hands.left_out.is_trace) == (16, True)
    assert not hands.left_out.is_by_chance


def test_the_boundary_of_chance():
    def sums(apart: float) -> LeftOut:
        found, spread = LeftOut(), np.tile([1.0, 3.0], 500)
        found.add(np.column_stack([spread, np.zeros(1000)]), np.column_stack([[2.0 + apart] * 4, np.zeros(4)]))
        return found

    sd = float(np.tile([1.0, 3.0], 500).std(ddof=1))
    assert sums(4 * sd / 2 - 1e-9).is_by_chance  # four standard errors of the mean of four hands
    assert not sums(4 * sd / 2 + 1e-9).is_by_chance


def test_what_is_not_missing(tmp_path):
    # Chatter, hands that were read already, a cut end, other tables: no hand of this match is missing.
    others = ["hello"] * 9 + LINES[:9] + ["STATE:1:fcc/ccc:5d5c|9hQd|2c3c:5|-5|0:p1|p2|p3"] * 9
    same = [f"STATE:{n}:crrrf:5d5c|9hQd:30|-30:p1|p1" for n in range(9)]
    path = log(tmp_path, *LINES[:60], *others, *same)
    path.write_text(path.read_text() + "STATE:999:cc/c")
    hands = read_hand_arrays([path])
    assert (len(hands), hands.left_out.missing) == (60, 0)
    hands.refuse_unfair()
    torn = read_hand_arrays([log(tmp_path, *LINES[:60], *["STATE:77:crr"] * 9)])
    assert torn.left_out.kinds == {"not-a-hand": 9}


def test_hands_that_hide_cards_are_no_fair_sample_of_those_that_do_not(capsys, tmp_path):
    hidden = [f"STATE:{n}:rrf:AsAh|:20|-20:p1|p2" for n in (5000, 5001)]
    path = log(tmp_path, *LINES[:60], *hidden)
    code, out, _ = ran(capsys, "assess", path)
    assert (code, "DIVAT by street" in out) == (0, False)
    assert "No DIVAT: 2 of 62 hands hide cards, and whose cards are shown depends on the play" in out
    assert "  money          -1.750" in out
    assert "no fair sample.\n" in out  # in words that a page can say too; what to do on a terminal stands below
    assert out.endswith("count the hidden hands by money: the same command with --runtime\n")
    code, out, _ = ran(capsys, "assess", path, "--runtime")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith(
        "2 of 62 hands hide cards: runtime DIVAT counts them by money, all else is of the others"
    )
    assert "runtime DIVAT" in lines[1]
    assert ran(capsys, "assess", log(tmp_path, *LINES[:98], *hidden))[0] == 0


def test_long_logs_are_judged_as_a_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("railbird.formats.log_pieces.MOST_BYTES", 1000)
    monkeypatch.setattr("railbird.formats.log_pieces.AT_ONCE", 1 << 14)
    monkeypatch.setattr("railbird.formats.log_pieces._LEAST", 1 << 14)
    # All that is wrong is in the first piece, of which it is more than a trace.
    some = [spoilt(line) if n in (3, 40, 77, 110, 130, 144) else line for n, line in enumerate(LINES)]
    path = log(tmp_path, *some)
    found = assessing.assess(path, progress=False)
    assert (found.hands_read, found.hands.left_out.missing, len(found.sums)) == (994, 6, 1)
    assert log_result(open_logs(path)).hand_count == 994
    for unfair in (rb.assess, lambda log, **_: log_result(open_logs(log))):
        with pytest.raises(
            UnfairSampleError, match=r"30 of 1,000 hands do not fit the game \(payoffs that do not follow 30"
        ):
            unfair(log(tmp_path, *map(spoilt, LINES[:30]), *LINES[30:]), progress=False)


def test_one_hand_can_be_looked_at_whatever_is_missing(capsys, tmp_path):
    path = log(tmp_path, *LINES[:4], *[BROKEN] * 4)
    code, out, _ = ran(capsys, "assess", path, "--hand", 1, "--json")
    assert (code, json.loads(out)["hands"][0]["line"]) == (0, 2)


def test_repair_moves_no_hands_because_of_a_wrong_game(capsys, tmp_path):
    path = log(tmp_path, *LINES[:100])
    code, _, err = ran(capsys, "repair", path, "--game", "limit")
    assert (code, "say --game limit:small_bet=10" in err) == (1, True)
    assert path.read_text().count("STATE") == 100
