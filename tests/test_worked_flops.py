"""Best responses on their way: what is told early, what is kept when they are stopped, and learners as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import railbird as rb
from railbird.bots.exploiting import Target, exploitability, target_of
from railbird.bots.following import events_of
from railbird.bots.frozen import begun
from railbird.bots.hobbybot import HabitCounts
from railbird.bots.registry import make_bot
from railbird.cli import main
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.play.match_logs import read_hands
from railbird.play.matches import play_match
from railbird.play.snapshots import bot_after
from railbird.ray_cluster import folder_hash
from railbird.solve import best_response as module
from railbird.solve import worked_flops
from railbird.solve.best_response import BestResponse
from railbird.solve.flops import orbits
from railbird.solve.policy import ConstantPolicy
from railbird.solve.worked_flops import KeptFlops, WorkedFlops
from railbird.stopping import what_was_kept

GAME = limit_holdem()
SMALL = limit_holdem(cap=1)


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Few turn and river cards, a cache of one's own, and nobody waits between two estimates or files."""
    monkeypatch.setattr(module, "orbits", lambda board, symmetries: orbits(board, symmetries)[7::23])
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(worked_flops, "_EARLY_SECONDS", 0.0)
    monkeypatch.setattr(worked_flops, "_KEPT_SECONDS", 0.0)


@pytest.fixture
def target():
    return Target("calls", ConstantPolicy(GAME, make_bot("always-call").policy()), ("always-call",))


def test_early_estimates_are_those_of_the_flops_drawn_so_far(quick, target):
    told = []
    found = exploitability(target, flops=6, seed=3, workers=1, progress=lambda *words: told.append(words))
    assert [words[0] for words in told] == list(range(told[-1][1] + 1))
    early = [words[2] for words in told if len(words) > 2]
    first = exploitability(target, flops=2, seed=3, workers=1).value
    assert early[0] == (
        f"at least {first.lower.mean:,.0f} ± {first.lower.margin:,.0f}  "
        f"at most {first.value.mean:,.0f} ± {first.value.margin:,.0f}"
    )
    last = found.value.value
    assert early[-1].endswith(f"at most {last.mean:,.0f} ± {last.margin:,.0f}")


def test_where_all_flops_are_worked_the_first_are_a_random_sample(quick, target):
    worked = WorkedFlops(BestResponse(target.policy), None, 0)
    assert sorted(worked.waiting) == list(range(1755))
    drawn = BestResponse(target.policy).flops.drawn(400, 0)
    assert worked.waiting[: len(set(drawn))] == list(dict.fromkeys(drawn))
    for number in worked.waiting[:5]:
        worked.add(number, np.zeros((2, 4, 169)) + number)
    assert "5 of 1,755 flops done (so far at least" in worked.words()


class Stopped(KeyboardInterrupt):
    pass


def test_work_that_was_stopped_goes_on(quick, target, monkeypatch):
    whole = exploitability(Target("calls", target.policy), flops=5, seed=1, workers=1)

    def stop(done, *_):
        if done == 3:
            raise Stopped

    with pytest.raises(Stopped) as stopped:
        exploitability(target, flops=5, seed=1, workers=1, progress=stop)
    words = what_was_kept(stopped.value)
    assert words.startswith("3 of 5 flops done (so far at least ")
    assert words.endswith("milli small bets a hand); they are kept, the same command goes on")
    asked = []
    values = BestResponse.flop_values
    monkeypatch.setattr(BestResponse, "flop_values", lambda self, at: asked.append(at) or values(self, at))
    assert exploitability(target, flops=5, seed=1, workers=1) == whole
    assert len(asked) == 2
    assert exploitability(target, flops=5, seed=1, workers=1) == whole
    assert len(asked) == 2
    exploitability(Target("calls", target.policy, ("another",)), flops=2, seed=1, workers=1)
    assert len(asked) == 4


def test_a_damaged_file_is_done_without(quick, target, monkeypatch):
    found = exploitability(target, flops=2, seed=1, workers=1)
    kept = target.kept("cpu")
    assert kept.read((2, 4, 169)).keys() == set(BestResponse(target.policy).flops.drawn(2, 1))
    assert kept.read((2, 7, 169)) == {}
    kept.path.write_bytes(kept.path.read_bytes()[:-40])
    assert kept.read((2, 4, 169)) == {}
    assert exploitability(target, flops=2, seed=1, workers=1) == found


def test_what_cannot_be_kept_is_said(quick, target, tmp_path):
    (tmp_path / "file").write_text("")
    kept = KeptFlops(tmp_path / "file" / "below.bin")
    worked = WorkedFlops(BestResponse(target.policy), 2, 1, None, kept)
    worked.add(worked.waiting[0], np.zeros((2, 4, 169)))
    assert worked.words() == "1 of 2 flops done; they are not kept"


def test_what_is_kept_follows_from_bot_and_code():
    first, second = target_of("jagbot", GAME), target_of("jagbot:bluff=0", GAME)
    assert first.kept("cpu") == target_of("jagbot", GAME).kept("cpu")
    assert len({first.kept("cpu"), second.kept("cpu"), first.kept("gpu")}) == 3
    assert target_of(make_bot("jagbot"), GAME).kept("cpu") is None


@pytest.mark.parametrize("name", ["data/equilibrium.npz", "gpu/rests.cu", "flops.py"])
def test_what_is_kept_follows_from_all_that_ships_and_plays(tmp_path, name):
    for each in ("solve/data/equilibrium.npz", "solve/gpu/rests.cu", "solve/flops.py", "web/static/web.css"):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_text("before")
    assert (Path(rb.__file__).parent / "solve" / name).is_file()
    before = folder_hash(tmp_path)
    (tmp_path / "web" / "static" / "web.css").write_text("after")
    assert folder_hash(tmp_path) == before
    (tmp_path / "solve" / name).write_text("after")
    assert folder_hash(tmp_path) != before


# Learners


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    folder = tmp_path_factory.mktemp("match") / "m"
    play_match("hobbybot", "always-raise", hands=30, seed=2, folder=folder, progress=False)
    return folder


def test_a_snapshot_has_seen_the_hands_before(match):
    for hands in (0, 13, None):
        counts = HabitCounts()
        for record in read_hands(match)[:hands]:
            me = record.names.index("hobbybot")
            for event in events_of(record, me):
                if event.method == "on_action" and event.arguments[1] != me:
                    counts.observe(event.arguments[0].betting, event.arguments[2])
        found = bot_after(match, "hobbybot", hands)
        assert found.hands == (30 if hands is None else hands)
        assert (found.bot.counts.cases, found.bot.counts.times) == (counts.cases, counts.times)
        bot = begun(found.bot, found.next_hand)
        assert bot.habits() == counts.habits(bot.patience)


def test_a_snapshot_is_what_its_best_response_is_to(match):
    snapshot = bot_after(match, "hobbybot", 20)
    target = snapshot.target
    assert target.name == snapshot.name == f"hobbybot after 20 hands of {match}"
    node, board = 0, (3, 17, 30)
    now = begun(snapshot.bot, snapshot.next_hand).frozen_policy(GAME).probabilities(1, board)
    assert np.array_equal(target.policy.probabilities(1, board)[node], now[node])
    fewer = bot_after(match, "hobbybot", 19)
    assert target.kept("cpu") != fewer.target.kept("cpu")


def test_a_snapshot_that_cannot_be_is_refused(match, tmp_path):
    with pytest.raises(MatchError, match=r"'jagbot' did not play in .*: hobbybot and always-raise did"):
        bot_after(match, "jagbot")
    with pytest.raises(MatchError, match=r"31 hands; .* has 30 hands"):
        bot_after(match, "hobbybot", 31)
    with pytest.raises(MatchError, match="is no match folder; railbird match --out"):
        bot_after(tmp_path / "nothing", "hobbybot")


def test_the_command_takes_a_snapshot(quick, match, capsys):
    with pytest.raises(SystemExit):
        main(["exploit", "always-raise", "--after", str(match), "--hands", "3", "--flops", "2", "--workers", "1"])
    assert capsys.readouterr().out.startswith("best response to always-raise after 3 hands of ")
