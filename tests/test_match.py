"""Matches: the same bytes whatever happens, and bad players do no harm."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from railbird.cli import app
from railbird.errors import MatchError
from railbird.formats.acpc import parse_record
from railbird.game.spec import kuhn_poker, leduc_poker, limit_holdem, no_limit_holdem, pot_limit_holdem
from railbird.play import blocks
from railbird.play.dealing import deals
from railbird.play.folder import MatchFolder
from railbird.play.hands import bot_seeds, played_hands
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.play.seating import seating
from railbird.play.tournament import TournamentSpec, read_tournament, run_tournament
from railbird.randomness import Stream, derived_seed

PLAYERS = f"{Path(__file__).parent / 'players.py'}"
LEARNER, COIN = f"{PLAYERS}:Learner", f"{PLAYERS}:Coin"


def play(path: Path, spec: MatchSpec, workers: int = 1):
    if not spec.is_compiled:
        spec = replace(spec, block_hands=20)
    return run_matches([MatchFolder.create(path, spec)], workers)[0]


def contents(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


# Dealing and seating


def test_a_hand_can_be_dealt_alone():
    whole = list(deals(limit_holdem(6), 11, 0, 50))
    assert whole[37] == next(deals(limit_holdem(6), 11, 37, 1))
    assert whole[0] != next(deals(limit_holdem(6), 12, 0, 1))


def test_kernel_and_python_deal_the_same_cards():
    stream = Stream(derived_seed(5, "deck"), 12)
    deal = next(deals(limit_holdem(3), 5, 12, 1))
    assert stream.deal(range(52), 11) == [*deal.holes[0], *deal.holes[1], *deal.holes[2], *deal.board]


def test_dealt_cards_are_even():
    # 52 cards x 9 places over 20,000 deals: each count is 20000/52 = 384.6 with SD 19.4. Chi-squared with 51 degrees of
    # freedom per place stays under 105 with probability 0.99999.
    counts = np.zeros((9, 52))
    for deal in deals(limit_holdem(), 3, 0, 20_000):
        for place, card in enumerate((*deal.holes[0], *deal.holes[1], *deal.board)):
            counts[place, card] += 1
    chi_squared = ((counts - 20_000 / 52) ** 2 / (20_000 / 52)).sum(axis=1)
    assert chi_squared.max() < 105


def test_ten_seats_are_table_8_1_of_papp():
    # Papp 1998, Table 8.1: the seat of each player in each of ten rounds.
    table = """1 2 3 4 5 6 7 8 9 T
               2 4 6 8 T 1 3 5 7 9
               3 6 9 1 4 7 T 2 5 8
               4 8 1 5 9 2 6 T 3 7
               5 T 4 9 3 8 2 7 1 6
               6 1 7 2 8 3 9 4 T 5
               7 3 T 6 2 9 5 1 8 4
               8 5 2 T 7 4 1 9 6 3
               9 7 5 3 1 T 8 6 4 2
               T 9 8 7 6 5 4 3 2 1"""
    seats = ["123456789T".index(seat) for seat in table.split()]
    rounds = [seats[10 * r : 10 * r + 10] for r in range(10)]
    players_by_seat = {tuple(row.index(seat) for seat in range(10)) for row in rounds}
    assert set(seating(10, duplicate=True).rows) == players_by_seat


@pytest.mark.parametrize("players", range(2, 11))
def test_duplicate_seatings_are_balanced(players):
    rows = seating(players, duplicate=True).rows
    times = 2 if players in (3, 5, 7) else 1
    assert len(rows) == times * players
    held = Counter((position, player) for row in rows for position, player in enumerate(row))
    behind = Counter(pair for row in rows for pair in pairwise(row))
    assert set(held.values()) == {times}
    assert len(held) == players**2
    assert set(behind.values()) == {times}
    assert len(behind) == players * (players - 1)


def test_there_is_no_balanced_square_for_three_and_five():
    # Why 3 and 5 seats play each deal twice as often: no row-complete Latin square exists (checked here; known for 7).
    def complete(order: int, rows: list[tuple[int, ...]]) -> bool:
        if len(rows) == order:
            return True
        behind = {pair for row in rows for pair in pairwise(row)}

        def extend(row: tuple[int, ...]) -> bool:
            if len(row) == order:
                return complete(order, [*rows, row])
            return any(
                extend((*row, p))
                for p in range(order)
                if p not in row
                and all(done[len(row)] != p for done in rows)
                and (not row or (row[-1], p) not in behind | set(pairwise(row)))
            )

        return extend((len(rows),))  # the first column can be taken in order

    assert complete(4, [])
    assert not complete(3, [])
    assert not complete(5, [])


# Two ways to play, one result


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
@pytest.mark.parametrize("duplicate", [False, True])
def test_compiled_and_decision_by_decision_play_give_the_same_bytes(seats, duplicate):
    bots = ("random", "always-raise", "random:fold=1,call=4,raise=5", "always-call", "always-fold")
    spec = MatchSpec(limit_holdem(seats), tuple(bots[i % 5] for i in range(seats)), 120, 9, duplicate)
    assert spec.is_compiled
    for stream in range(spec.seating.legs):
        compiled = list(blocks._play_compiled(spec, stream, 0, 120))
        slow = list(blocks._play_bots(spec, stream, 0, 120, (), None, {}))
        assert b"".join(block.text for block in compiled) == b"".join(block.text for block in slow)
        assert np.array_equal(np.concatenate([b.won for b in compiled]), np.concatenate([b.won for b in slow]))


def test_the_lines_of_a_match_replay_to_the_same_payoffs():
    spec = MatchSpec(limit_holdem(5), ("random",) * 5, 200, 4, True)
    for block in blocks.play_blocks(spec, 3, 0, 200):
        for line in block.text.decode().splitlines():
            parse_record(line, spec.game).check()


@pytest.mark.parametrize(
    "spec",
    [
        MatchSpec(limit_holdem(), (LEARNER, COIN), 50, 3, True),
        MatchSpec(limit_holdem(4), (LEARNER, COIN, "random", LEARNER), 50, 3, True),
        MatchSpec(no_limit_holdem(3, stack=1500), (COIN, COIN, "random"), 50, 3, False),
        MatchSpec(pot_limit_holdem(2), (COIN, LEARNER), 50, 3, False),
        MatchSpec(leduc_poker(), ("random", COIN), 50, 3, True),
        MatchSpec(kuhn_poker(), ("random", COIN), 50, 3, True),
    ],
    ids=["learner", "ring", "no-limit", "pot-limit", "leduc", "kuhn"],
)
def test_one_worker_or_two_or_an_interruption_give_the_same_bytes(tmp_path, spec):
    one = play(tmp_path / "one", spec, workers=1)
    two = play(tmp_path / "two", spec, workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert np.array_equal(one.won, two.won)
    assert np.array_equal(MatchFolder.open(tmp_path / "one").result().won, one.won)

    # Cut the logs at all kinds of places, as a kill would, and go on.
    for cut in (0, 10, 300, 1500, -1, -30):
        torn = tmp_path / f"torn{cut}"
        shutil.copytree(tmp_path / "one", torn)
        for log in sorted(torn.glob("*.log"))[:1]:
            log.write_bytes(log.read_bytes()[:cut])
        again = play(torn, spec, workers=1)
        assert contents(torn) == contents(tmp_path / "one")
        assert np.array_equal(again.won, one.won)


def test_a_killed_match_goes_on_to_the_same_bytes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\n"
        "from railbird.play import match\nfrom railbird.play.folder import MatchFolder\n"
        "from railbird.play.run import run_matches\nfrom railbird.game.spec import limit_holdem\n"
        "if __name__ == '__main__':\n"
        f"    spec = match.MatchSpec(limit_holdem(), {(LEARNER, COIN)!r}, 3000, 3, True, block_hands=20)\n"
        "    run_matches([MatchFolder.create(Path(sys.argv[1]), spec)], 2)\n"
    )
    match_path = tmp_path / "killed"
    for wait_for in (1_000, 200_000):
        process = subprocess.Popen([sys.executable, script, match_path], start_new_session=True)
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if sum(log.stat().st_size for log in match_path.glob("*.log")) > wait_for:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.01)
        process.wait()
    subprocess.run([sys.executable, script, match_path], check=True, timeout=120)
    subprocess.run([sys.executable, script, tmp_path / "whole"], check=True, timeout=120)
    assert contents(match_path) == contents(tmp_path / "whole")


def test_a_hand_line_in_the_middle_that_is_not_ours_is_refused_and_left_alone(tmp_path):
    spec = MatchSpec(limit_holdem(), ("random", "random"), 100, 3)
    play(tmp_path / "match", spec)
    log = tmp_path / "match" / "hands.log"
    good = log.read_bytes()
    damaged = [
        good.replace(b"STATE:7:", b"STATE:8:"),
        good.replace(b"random.2", b"somebody", 3),
        b"# something else\n" + good,
        good.replace(b"SCORE:", b"SCORE:1"),
        good + good,
    ]
    for bad in damaged:
        log.write_bytes(bad)
        with pytest.raises(MatchError, match=r"hands\.log:\d+"):
            play(tmp_path / "match", spec)
        assert log.read_bytes() == bad


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "railbird.match-folder/1"}', '{"schema": "other"}'])
def test_a_damaged_manifest_is_refused_and_left_alone(tmp_path, text):
    spec = MatchSpec(limit_holdem(), ("random", "random"), 100, 3)
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(MatchError):
        play(tmp_path, spec)
    assert contents(tmp_path) == {"manifest.json": text.encode()}


def test_a_match_goes_on_only_as_it_was_begun(tmp_path):
    spec = MatchSpec(limit_holdem(), ("random", "random"), 100, 3)
    play(tmp_path / "match", spec)
    before = contents(tmp_path / "match")
    for other in (replace(spec, seed=4), replace(spec, bots=("random", "always-call")), replace(spec, duplicate=True)):
        with pytest.raises(MatchError, match="other settings"):
            play(tmp_path / "match", other)
    with pytest.raises(MatchError, match="something else"):
        MatchFolder.create(tmp_path, spec)
    assert contents(tmp_path / "match") == before


def test_two_runs_do_not_write_the_same_folder(tmp_path):
    folder = MatchFolder.create(tmp_path / "match", MatchSpec(limit_holdem(), ("random", "random"), 100, 3))
    with folder.lock(), pytest.raises(MatchError, match="another process"), folder.lock():
        pass


# Bad players


@pytest.mark.parametrize(
    ("bot", "kind", "message"),
    [
        ("Raiser", "illegal", "capped at 4 bets"),
        ("Freefolder", "illegal", "checking is free"),
        ("Stringer", "illegal", "'c', which is not an Action"),
        ("Oddball", "illegal", "'x' is not an action"),
        ("Crasher", "raised", "RuntimeError: the roof is on fire"),
        ("Exiter", "raised", "SystemExit: enough"),
        ("HookCrasher", "hook", "on_result: ValueError: bad STATE:line thing"),
        ("ResetCrasher", "hook", "reset: RuntimeError: I am who I am"),
        ("DeafCrasher", "hook", "on_showdown: RuntimeError: no ears"),
    ],
)
def test_bad_players_are_recorded_and_the_match_goes_on(tmp_path, bot, kind, message):
    result = play(tmp_path / "match", MatchSpec(limit_holdem(), (f"{PLAYERS}:{bot}", "random:fold=0"), 40, 3))
    assert result.won.shape == (1, 40, 2)
    said = [str(fault) for fault in result.faults]
    assert any(kind in each and message in each and f" {bot} " in each for each in said), said[:3]
    assert all(fault.place.startswith("players.py:") for fault in result.faults), said[:3]
    assert MatchFolder.open(tmp_path / "match").result().faults == result.faults
    for record in MatchFolder.open(tmp_path / "match").records(0):
        record.check()


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("Sleeper", "hand 3: Sleeper timeout: no answer within 0.3 s (settled as a check or fold)"),
        ("Swallower", "hand 3: Swallower timeout: no answer within 0.3 s (settled as a check or fold)"),
        ("Spinner", "hand 3: Spinner timeout: did not come back (settled as a check or fold)"),
        ("Quitter", "hand 3: Quitter timeout: ended the process (settled as a check or fold)"),
        ("Stubborn", "hand 3: Stubborn timeout: did not come back (settled as a check or fold)"),
        ("HookQuitter", "hand 5: HookQuitter hook: on_result: ended the process (its observation is lost)"),
        ("HookSpinner", "hand 2: HookSpinner hook: on_result: did not come back (its observation is lost)"),
    ],
)
def test_players_that_do_not_come_back_are_recorded_and_the_match_goes_on(tmp_path, monkeypatch, bot, message):
    from railbird.play import worker

    monkeypatch.setattr(worker, "GRACE_SECONDS", 0.5)
    spec = MatchSpec(limit_holdem(), (f"{PLAYERS}:{bot}", LEARNER), 40, 3, False, decision_seconds=0.3)
    result = play(tmp_path / "match", spec)
    assert result.won.shape == (1, 40, 2)
    assert re.sub(r" at players\.py:\d+", "", str(result.faults[0])) == message
    assert result.faults[0].place.startswith("players.py:")
    assert MatchFolder.open(tmp_path / "match").result().faults == result.faults
    assert len([line for line in (tmp_path / "match" / "hands.log").read_text().splitlines() if "STATE" in line]) == 40


# Settings and results


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": 0}, "0 hands"),
        ({"seed": -1}, "seed -1"),
        ({"bots": ("random",)}, "1 players"),
        ({"decision_seconds": 0.0}, "more than 0"),
        ({"game": limit_holdem(cap=None)}, "raise for ever"),
    ],
)
def test_impossible_settings_are_refused(change, message):
    with pytest.raises(MatchError, match=message):
        replace(MatchSpec(limit_holdem(), ("random", "random"), 10, 0), **change)


def test_always_call_v_always_raise_in_duplicate_is_exactly_level(tmp_path):
    # Both players put in seven bets whatever the cards, so each deal's two results cancel. Two random holdings tie on a
    # random board with probability 0.0406741341, so the variance of a hand is 49 (1 - 0.0406741341) = 47.006967.
    result = play(tmp_path / "match", MatchSpec(limit_holdem(), ("always-call", "always-raise"), 50_000, 1, True))
    assert result.players[0].duplicate.mean == result.players[0].duplicate.sd == 0
    assert result.players[0].money.sd == pytest.approx(6.856163, abs=4 * 6.856163 / np.sqrt(2 * 100_000))


def test_a_round_robin_has_a_consistent_crosstable(tmp_path):
    bots = ["always-call", "always-raise", "random", COIN]
    spec = TournamentSpec(limit_holdem(), tuple(bots), 60, 3, block_hands=20)
    result = run_tournament(tmp_path / "t", spec, workers=2)
    for a in range(4):
        for b in range(4):
            if a != b:
                assert result.rate(a, b).mean == pytest.approx(-result.rate(b, a).mean)
        others = [result.rate(a, b).mean for b in range(4) if b != a]
        assert result.overall[a].mean == pytest.approx(np.mean(others))
    assert result.names == ("always-call", "always-raise", "random", "Coin")
    assert read_tournament(tmp_path / "t").to_json() == result.to_json()
    again = run_tournament(tmp_path / "t", spec, workers=1)
    assert again.to_json() == result.to_json()
    with pytest.raises(MatchError, match="other players"):
        run_tournament(tmp_path / "t", replace(spec, bots=tuple(bots[:2])))


def test_two_runs_do_not_play_the_same_tournament(tmp_path):
    spec = TournamentSpec(limit_holdem(), ("random", "always-call"), 40, 3)
    run_tournament(tmp_path / "t", spec)
    before = contents(tmp_path / "t")
    folder = MatchFolder.open(tmp_path / "t" / "01-02")
    with folder.lock(), pytest.raises(MatchError, match="another process"):
        run_tournament(tmp_path / "t", spec)
    assert contents(tmp_path / "t") == before


def test_a_learner_lost_in_a_hook_can_be_resumed(tmp_path):
    spec = MatchSpec(limit_holdem(), (f"{PLAYERS}:HookQuitter", "random"), 60, 3)
    whole = play(tmp_path / "whole", spec)
    assert len(whole.faults) == 2
    shutil.copytree(tmp_path / "whole", tmp_path / "torn")
    log = tmp_path / "torn" / "hands.log"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:50]))
    assert play(tmp_path / "torn", spec).won.shape == (1, 60, 2)


def test_what_a_kill_leaves_before_the_manifest_does_not_matter(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "manifest.json.part").write_text("{")
    spec = MatchSpec(limit_holdem(), ("random", "random"), 40, 3)
    assert play(tmp_path / "m", spec).won.shape == (1, 40, 2)
    (tmp_path / "m" / "limit.game").unlink()
    play(tmp_path / "m", spec)
    assert (tmp_path / "m" / "limit.game").exists()


def test_large_stakes_do_not_overflow(tmp_path):
    small = play(tmp_path / "small", MatchSpec(limit_holdem(), ("random", "always-raise"), 500, 3))
    large = play(tmp_path / "large", MatchSpec(limit_holdem(small_bet=2 * 10**9), ("random", "always-raise"), 500, 3))
    assert large.players[0].money.mean == pytest.approx(small.players[0].money.mean)


def test_nobody_can_foresee_another_players_numbers():
    spec = MatchSpec(limit_holdem(3), ("random",) * 3, 10, 3, True)
    seeds = [seed for stream in range(6) for seed in bot_seeds(spec, stream)]
    assert len(set(seeds)) == 18
    assert derived_seed(3, "deck") not in seeds


def test_a_bot_file_is_executed_once_and_may_import_its_neighbours(tmp_path):
    (tmp_path / "neighbour_of_mine.py").write_text("WORD = 'hello'\n")
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\nfrom neighbour_of_mine import WORD\nfrom railbird import CALL, Bot\n"
        f"with Path({str(tmp_path / 'loads')!r}).open('a') as file:\n    file.write(WORD)\n"
        "class Mine(Bot):\n    def act(self, view):\n        return CALL\n"
    )
    spec = MatchSpec(limit_holdem(), (f"{tmp_path / 'mine.py'}:Mine", "random"), 60, 3)
    play(tmp_path / "m", spec)
    assert (tmp_path / "loads").read_text() == "hello" * 2  # here and in the worker


def test_bots_that_do_not_know_the_game_are_refused():
    with pytest.raises(MatchError, match="'expert' does not play kuhn"):
        MatchSpec(kuhn_poker(), ("expert", "random"), 10, 3)


# One loop, and bots made once


@pytest.mark.parametrize("bots", [("random", "random:fold=0"), ("loki-gom", "bpm"), (LEARNER, "loki-gom")])
@pytest.mark.parametrize("leg", [0, 1])
def test_the_hands_that_are_watched_are_those_of_the_match(tmp_path, bots, leg):
    spec = MatchSpec(limit_holdem(), bots, 12, 7, duplicate=True)
    play(tmp_path / "match", spec)
    watched = [played.record for played in played_hands(MatchSpec(limit_holdem(), bots, 12, 7, duplicate=True), leg)]
    assert watched == list(MatchFolder.open(tmp_path / "match").records(leg))


def test_watch_shows_the_hands_of_a_match_with_the_same_seed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = CliRunner().invoke(app, ["watch", "random", "loki-gom", "-n", "6", "--seed", "7"]).output
    CliRunner().invoke(app, ["match", "random", "loki-gom", "-n", "6", "--seed", "7", "-o", "m"])
    pots = [sum(max(0, chips) for chips in record.payoffs) for record in MatchFolder.open(Path("m")).records(0)]
    won = [int(chips) for chips in re.findall(r" wins (\d+)", shown)]
    assert won == [pot for pot in pots if pot]
    assert len(won) >= 5


COUNTED = """
from pathlib import Path
from railbird import CALL, Bot
class Counted(Bot):
    learns = {learns}
    def __init__(self, number: int = 0):
        with Path({notes!r}).open("a") as file:
            file.write("+")
    def act(self, view):
        return CALL
"""


def counted(tmp_path: Path, learns: bool = False) -> tuple[str, Path]:
    """A bot that notes each time it is made, and the file of its notes."""
    notes = tmp_path / "notes"
    (tmp_path / "counted.py").write_text(COUNTED.format(notes=str(notes), learns=learns))
    return f"{tmp_path / 'counted.py'}:Counted", notes


def made(notes: Path) -> int:
    count = len(notes.read_text())
    notes.unlink()
    return count


def test_the_bots_of_a_match_are_made_once_in_each_process(tmp_path):
    bot, notes = counted(tmp_path)
    spec = MatchSpec(limit_holdem(), (bot, bot), 90, 3, True, block_hands=10)
    assert len(list(played_hands(spec))) == len(list(played_hands(spec, 1))) == 90
    assert made(notes) == 1 + 2  # to see what it is, and to play
    run_matches([MatchFolder.create(tmp_path / "one", spec)], 1)
    assert made(notes) == 2  # for this folder
    spec = MatchSpec(limit_holdem(), (bot, bot), 90, 3, True, block_hands=10)
    run_matches([MatchFolder.create(tmp_path / "two", spec)], 2)
    assert made(notes) == 2 * 2
    MatchFolder.open(tmp_path / "two").result()
    assert not notes.exists()  # reading makes none


def test_a_learner_is_made_anew_for_each_leg(tmp_path):
    bot, notes = counted(tmp_path, learns=True)
    spec = MatchSpec(limit_holdem(), (bot, "random"), 30, 3, True, block_hands=10)
    assert len(list(played_hands(spec))) == 30
    assert made(notes) == 1 + 1  # to see what it is, and to play
    assert len(list(played_hands(spec, 1))) == 30
    assert made(notes) == 1


def test_the_bots_of_a_tournament_are_made_once_for_each_match(tmp_path):
    bot, notes = counted(tmp_path)
    spec = TournamentSpec(limit_holdem(), tuple(f"{bot}:number={n}" for n in range(4)), 20, 3)
    run_tournament(tmp_path / "t", spec, 1)
    assert made(notes) == 4 + 6 * 2  # to see whether they are fit, and in each match
    read_tournament(tmp_path / "t")
    assert not notes.exists()


def test_what_was_played_can_be_read_without_the_bots(tmp_path):
    bot, _ = counted(tmp_path)
    play(tmp_path / "m", MatchSpec(limit_holdem(), (bot, "random"), 20, 3))
    (tmp_path / "counted.py").unlink()
    assert MatchFolder.open(tmp_path / "m").result().players[0].name == "Counted"
