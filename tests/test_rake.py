"""Logs from which a house took its rake, and pots that are shared to parts of a chip."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import railbird as rb
from acpc_logs import DATA, LINES, log, ran
from railbird.errors import InvalidRecordError, UnfairSampleError
from railbird.formats.acpc import parse_record, record_line
from railbird.formats.games import game_in_file
from railbird.game.rake import is_raked, most_rake
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.log_result import log_result, log_with_divat
from railbird.play.match_logs import open_logs, read_hand_arrays
from railbird.report.hand_columns import hand_columns


def chips_of(line: str) -> list[float]:
    return [float(chips) for chips in line.split(":")[4].split("|")]


def raked(line: str, share: float = 0.05, most: float = 3.0) -> str:
    """A hand of which a house took a twentieth, in half chips and at most 3, if it saw a flop."""
    *rest, history, cards, _, names = line.split(":")
    won = chips_of(line)
    if "/" in history:
        if won == [0, 0]:
            won = [-0.5, -0.5]
        else:
            winner = 0 if won[0] > 0 else 1
            won[winner] -= min(int(2 * share * 2 * won[winner]) / 2, most)
    return ":".join([*rest, history, cards, "|".join(f"{chips:g}" for chips in won), names])


RAKED = [raked(line) for line in LINES]


def test_a_raked_log_is_assessed_as_without_the_rake(tmp_path):
    fair, found = (rb.assess(log(tmp_path, *lines), progress=False).pairs[0] for lines in (LINES, RAKED))
    assert len(found) == 1000  # with ties of half chips among them
    for measure in ("divat", "luck", "position", "dcash", "all_in", "money_minus_dcash"):
        assert found.estimate(measure) == fair.estimate(measure)
    assert found.estimate("before_rake") == fair.estimate("money")
    paid = {
        name: sum(chips_of(line)[line.split(":")[5].split("|").index(name)] for line in RAKED) for name in ("p1", "p2")
    }
    assert found.estimate("money").mean == pytest.approx(paid["p1"] / 10 / 1000, abs=1e-12)
    rake = found.rake
    assert rake.raked == sum(chips_of(line) != chips_of(other) for line, other in zip(LINES, RAKED))
    assert rake.chips == -sum(sum(chips_of(line)) for line in RAKED)
    assert rake.won == pytest.approx((paid["p1"] / 10, paid["p2"] / 10))
    assert sum(rake.paid) == pytest.approx(rake.chips / 10)
    assert "before_rake" not in fair.measures
    assert fair.rake.to_json() is None


def test_what_is_said_of_rake(capsys, tmp_path):
    path = log(tmp_path, *RAKED[:105])
    code, out, _ = ran(capsys, "assess", path)
    assert (code, "105 hands" in out, "remarks on the logs" in out) == (0, True, False)
    assert "Rake: 256 chips, from 89 of 105 hands; 0.244 sb/hand, of which p1 paid 0.110.\n" in out
    assert (
        "Money is what was left: p1 -0.982 and p2 +0.738 sb/hand. DIVAT, luck and position are without rake.\n" in out
    )
    assert "In money before rake it was " in out
    code, out, _ = ran(capsys, "assess", path, "--json")
    [pair] = json.loads(out)["pairs"]
    assert (pair["rake"]["hands"], pair["rake"]["chips"]) == (89, 256)
    assert pair["rake"]["left"][0] == pytest.approx(pair["measures"]["money"]["mean"])
    code, out, _ = ran(capsys, "results", path)
    assert code == 0
    assert "money      -0.982 ± " in out
    assert "rake: 25.6 sb in all, 0.244 a hand; money is after it (p1 -0.982, p2 +0.738), DIVAT without it\n" in out
    assert json.loads(ran(capsys, "results", path, "--json")[1])["rake_per_hand"] == pytest.approx(25.6 / 105)
    code, out, _ = ran(capsys, "replay", path, "1")
    assert (code, out.splitlines()[-1]) == (0, "rake      3")
    code, out, _ = ran(capsys, "assess", path, "--hand", 1)
    assert " - rake 0.3000\n" in " ".join(out.split("  ")).replace(" \n", "\n")
    code, out, _ = ran(capsys, "hands", path, "--worst", "3")
    assert "money is luck, skill and the seat together, less rake" in out


def test_the_result_of_a_raked_log_is_decided_before_rake(tmp_path):
    found = log_with_divat(log_result(open_logs(log(tmp_path, *RAKED))))
    fair = log_with_divat(log_result(open_logs(log(tmp_path, *LINES))))
    first, second = found.players
    assert (first.best, first.divat) == (fair.players[0].money, fair.players[0].divat)
    assert (first.before_rake.mean, second.before_rake.mean) == (first.best.mean, -first.best.mean)
    assert first.money.mean + second.money.mean == pytest.approx(-found.rake_sb / 1000)
    assert fair.players[1].money.mean == -fair.players[0].money.mean
    assert (fair.players[0].before_rake, fair.rake_sb) == (None, 0)


def test_how_much_a_house_takes():
    # Of a pot of 60 at most 6; of one of 20 at most a quarter of the small bet.
    assert (most_rake(60, 10), most_rake(20, 10)) == (6, 2.5)
    for rake, is_believed in ((6, True), (6.5, False), (0, False)):
        assert is_raked((30 - rake, -30), (30, -30), (30, 30), 10) is is_believed
    assert is_raked((7.5, -10), (10, -10), (20, 10), 10)  # a bet that was not called is no part of the pot
    assert not is_raked((7, -10), (10, -10), (20, 10), 10)
    assert is_raked((-1, -1), (0, 0), (10, 10), 10)
    assert not is_raked((30, -27), (30, -30), (30, 30), 10)  # who loses has paid what was put in
    assert not is_raked((-30, 27), (30, -30), (30, 30), 10)


def test_too_much_is_no_rake(tmp_path):
    hands = read_hand_arrays([log(tmp_path, *(raked(line, 0.2, 100.0) for line in LINES))], limit_holdem(small_bet=10))
    assert hands.left_out.kinds["payoffs"] > 300
    with pytest.raises(UnfairSampleError, match="payoffs that do not follow"):
        hands.refuse_unfair()


def test_one_hand_alone_is_no_rake(tmp_path):
    alone = read_hand_arrays([log(tmp_path, RAKED[0], *LINES[1:100])])
    assert (len(alone), alone.problem_counts) == (99, {"payoffs": 1})
    assert "payoffs (18, -20) recorded, but the cards and actions give (20, -20)" in alone.problems[0].message
    two = read_hand_arrays([log(tmp_path, *RAKED[:2], *LINES[2:100])])
    assert (len(two), two.problems) == (100, ())
    assert two.rake.tolist() == [2, 3, *[0] * 98]
    assert np.abs(two.fair_payoffs.sum(axis=1)).max() == 0


def test_the_bets_of_a_raked_log_are_found(tmp_path):
    assert read_hand_arrays([log(tmp_path, *RAKED)]).game.small_bet == 10
    with pytest.raises(UnfairSampleError, match=r"do not fit .* 978 fit limit:small_bet=10; if that is the game"):
        rb.assess(log(tmp_path, *RAKED), game="limit", progress=False)


def test_pieces_of_a_raked_log_come_to_the_whole(tmp_path, monkeypatch):
    path = log(tmp_path, *RAKED)
    [whole] = rb.assess(path, progress=False).pairs
    monkeypatch.setattr("railbird.formats.log_pieces.MOST_BYTES", 1000)
    monkeypatch.setattr("railbird.formats.log_pieces.AT_ONCE", 1 << 14)
    monkeypatch.setattr("railbird.formats.log_pieces._LEAST", 1 << 14)
    [sums] = rb.assess(path, progress=False).sums
    assert sums.rake.to_json() == {key: pytest.approx(value) for key, value in whole.rake.to_json().items()}
    for measure in ("money", "before_rake", "divat"):
        assert sums.estimate(measure).to_json() == pytest.approx(whole.estimate(measure).to_json())


def test_a_sum_at_the_end_knows_half_chips(tmp_path):
    totals = {
        name: sum(chips_of(line)[line.split(":")[5].split("|").index(name)] for line in RAKED) for name in ("p1", "p2")
    }
    right = f"SCORE:{totals['p1']:g}|{totals['p2']:g}:p1|p2"
    assert read_hand_arrays([log(tmp_path, *RAKED, right)]).problems == ()
    [problem] = read_hand_arrays([log(tmp_path, *RAKED, right.replace("|", "1|"))]).problems
    assert problem.kind == "score"


THREE = game_in_file(DATA / "holdem.limit.3p.game")
HALVES = (
    # The small blind is dead money, of which two who tie get half each, or one of them the odd chip.
    "STATE:17:cfrc/cc/cc/rc:3c8d|3h6d|9h6c/KdAcJd/Ts/6s:-5|2.5|2.5:a|b|c",
    "STATE:72:cfc/cc/cc/cc:JcQs|2d3c|3dTs/4hJh3h/4d/2h:-5|2.5|2.5:b|c|a",
    "STATE:73:cfc/cc/cc/cc:JcQs|2d3c|3dTs/4hJh3h/4d/2h:-5|3|2:c|a|b",
)


def test_half_chips_of_three_players(tmp_path, capsys):
    path = log(tmp_path, *HALVES)
    hands = rb.read_hands(path, str(DATA / "holdem.limit.3p.game"))
    assert [hand.payoffs for hand in hands] == [(-5, 2.5, 2.5), (-5, 2.5, 2.5), (-5, 3, 2)]
    assert [type(chips) for chips in hands[0].payoffs] == [int, float, float]
    assert tuple(record_line(hand) for hand in hands) == HALVES
    won = {each.name: each.money.mean for each in log_result(open_logs(path, THREE)).players}
    assert won == pytest.approx({"a": 0.5 / 30, "b": -0.5 / 30, "c": 0.0}, abs=1e-12)
    code, out, _ = ran(capsys, "replay", path, "17", "--game", DATA / "holdem.limit.3p.game")
    assert (code, "+2.5" in out, "rake" in out) == (0, True, False)


@pytest.mark.parametrize(
    "wrong", ["-5|2.25|2.75", "-5|5|0", "-5|2.6|2.6", "-4.5|2|2.5", "-5|2.5|2.5000001", "-5|2.5e0|2.5"]
)
def test_other_parts_of_chips_are_wrong(wrong):
    with pytest.raises(InvalidRecordError):
        parse_record(HALVES[0].replace("-5|2.5|2.5", wrong), THREE).check(may_be_raked=True)


def test_a_pot_that_is_shared_and_raked():
    parse_record(HALVES[0].replace("-5|2.5|2.5", "-5|1.5|1.5"), THREE).check(may_be_raked=True)
    with pytest.raises(InvalidRecordError, match="recorded, but the cards and actions give"):
        parse_record(HALVES[0].replace("-5|2.5|2.5", "-5|1.5|1.5"), THREE).check()


def test_a_match_of_ours_has_neither_rake_nor_parts_of_chips(tmp_path):
    bots = ("random", "always-call", "always-raise")
    rb.play_match(*bots, game=THREE, hands=60, seed=1, folder=tmp_path / "m", progress=False)
    path = tmp_path / "m" / "hands.log"
    lines = path.read_text().splitlines(keepends=True)
    at = next(
        n for n, line in enumerate(lines) if line.startswith("STATE") and parse_record(line, THREE).final().is_showdown
    )
    record = parse_record(lines[at], THREE)
    best = max(record.payoffs)
    for less in (1, 0.5):
        paid = replace(record, payoffs=tuple(chips - less if chips == best else chips for chips in record.payoffs))
        path.write_text("".join([*lines[:at], record_line(paid) + "\n", *lines[at + 1 :]]))
        path.with_name("hands.log.index").unlink(missing_ok=True)
        assert MatchFolder.open(tmp_path / "m").verify()


def test_a_page_knows_what_every_player_was_paid(tmp_path, capsys):
    path = log(tmp_path, *RAKED[:105])
    arrays = read_hand_arrays([path])
    columns = hand_columns([arrays.record(n) for n in range(len(arrays))])
    assert columns["won"][0][1:3] == [8.7, -9]
    assert columns["won"][1][1:3] == [-9, 8.7]
    assert len(hand_columns([parse_record(line, arrays.game) for line in LINES[:5]])["won"]) == 1
    code, _, _ = ran(capsys, "assess", path, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert (code, "what was won, before rake" in page, "money before rake" in page) == (0, True, True)


def test_rake_of_other_games_for_two(tmp_path, capsys):
    # Ann wins 200 less 15, Bob 300 less 15, and 100 each are shared less 5.
    lines = (
        "STATE:0:r200c/cc/cc/cc:AsAh|KdKc/2c3d7h/9s/Jd:185|-200:Ann|Bob",
        "STATE:1:r300f:AsAh|KdKc:-100|100:Ann|Bob",
        "STATE:2:r300c/r600f:KsKh|QdQc/2c3d7h:285|-300:Bob|Ann",
        "STATE:3:cc/cc/cc/cc:AsKh|AdKc/2c3d7h/9s/Jd:-2.5|-2.5:Ann|Bob",
    )
    path = log(tmp_path, *lines)
    code, out, err = ran(capsys, "results", path, "--game", "no-limit", "--json")
    assert (code, err) == (0, "")
    found = {player["name"]: player for player in json.loads(out)["players"]}
    assert found["Ann"]["money"]["mean"] == pytest.approx((185 - 100 - 300 - 2.5) / 100 / 4)
    assert found["Bob"]["money"]["mean"] == pytest.approx((-200 + 100 + 285 - 2.5) / 100 / 4)
    assert found["Ann"]["before_rake"]["mean"] == pytest.approx((200 - 100 - 300) / 100 / 4)
    assert found["Bob"]["before_rake"]["mean"] == -found["Ann"]["before_rake"]["mean"]
    assert json.loads(out)["rake_per_hand"] == pytest.approx(0.35 / 4)


def test_a_hand_as_a_room_tells_it():
    # $4/$8: a raise that is called, a bet that is not; "Total Pot($32) | Rake ($1)", "Hand result $31".
    line = "STATE:0:rc/crf:9c9s|AhTd/Ac7d2s:-16|15:Big Blind|Dealer"
    hand = parse_record(line, limit_holdem(small_bet=8))
    hand.check(may_be_raked=True)
    assert (hand.rake, hand.replayed_payoffs()) == (1, (-16, 16))
    with pytest.raises(InvalidRecordError):
        hand.check()
