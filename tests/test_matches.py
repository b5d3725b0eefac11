"""Matches from Python: whatever a bot is given as, with the defaults of the commands."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import players
from railbird import CALL, Bot, play_match, play_tournament
from railbird.bots.simple import AlwaysRaise
from railbird.cli.cmd_match import match
from railbird.cli.cmd_tournament import tournament
from railbird.cli.option_groups import apart
from railbird.errors import InvalidGameError, MatchError, RailbirdWarning, UnknownBotError
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.players import ClassPlayer, player_of
from railbird.progress import live_bar, within

COIN = f"{Path(players.__file__)}:Coin"


class Noting(Bot):
    """Calls, and counts its decisions and the hands it has seen."""

    learns = True

    def __init__(self) -> None:
        self.decisions = 0
        self.reset()

    def reset(self):
        self.hands = 0

    def on_result(self, view, payoffs):
        self.hands += 1

    def act(self, view):
        self.decisions += 1
        return CALL


class Unfinished(Bot):
    def act(self, view):
        return CALL if view.hand_number < 30 else sys.exit("enough")


def test_a_name_a_file_a_class_and_an_object_play_the_same_hands():
    asked = [play_match(bot, "random", hands=60, seed=3).won for bot in (COIN, players.Coin, players.Coin())]
    assert np.array_equal(asked[0], asked[1])
    assert np.array_equal(asked[0], asked[2])


def test_the_object_that_is_given_plays_and_begins_each_leg_anew():
    bot = Noting()
    result = play_match(bot, AlwaysRaise, hands=40, duplicate=True)
    assert result.spec.names == ("Noting", "AlwaysRaise")
    assert bot.hands == 40  # of the second leg
    assert bot.decisions > 2 * 40


def test_two_of_a_class_are_numbered_and_one_object_has_one_seat():
    assert play_match(Noting, Noting, Noting(), hands=5).spec.names == ("Noting", "Noting.2", "Noting.3")
    bot = Noting()
    with pytest.raises(MatchError, match="one bot in two seats"):
        play_match(bot, bot)


@pytest.mark.parametrize("wrong", [3, None, int, object()])
def test_what_is_no_bot_is_refused(wrong):
    with pytest.raises(UnknownBotError, match=r"neither a bot's name nor a class that extends railbird\.Bot"):
        play_match("random", wrong)


def test_a_game_is_given_as_text_or_as_a_game():
    by_text = play_match("random", "random", game="no-limit:stack=5000", hands=50)
    assert by_text.spec.game == no_limit_holdem(stack=5000)
    assert np.array_equal(by_text.won, play_match("random", "random", game=no_limit_holdem(stack=5000), hands=50).won)
    with pytest.raises(InvalidGameError, match="limit is a game for 2 players, not 3"):
        play_match("random", "random", "random", game=limit_holdem())
    with pytest.raises(InvalidGameError, match="did you mean 'no-limit'"):
        play_match("random", "random", game="nolimit")


@pytest.mark.parametrize(("ours", "command"), [(play_match, match), (play_tournament, tournament)])
def test_the_defaults_are_those_of_the_command(ours, command):
    python, typed = inspect.signature(ours).parameters, inspect.signature(apart(command)).parameters
    for name in ("hands", "duplicate", "seed", "game", "workers"):
        assert python[name].default == typed[name].default, name


def test_a_tournament_of_all_kinds():
    table = play_tournament("always-fold", players.Coin, Noting(), COIN, hands=30, seed=2)
    assert table.names == ("always-fold", "Coin", "Noting", "Coin.2")
    assert len(table.matches) == 6
    assert all(match.won.shape == (2, 30, 2) for match in table.matches.values())
    assert np.array_equal(table.matches[0, 1].won, table.matches[0, 3].won)


def test_a_match_of_classes_goes_on_from_its_folder(tmp_path):
    play_match(Noting, "random", hands=300, folder=tmp_path / "whole")
    play_match(Noting, "random", hands=300, folder=tmp_path / "torn")
    log = tmp_path / "torn" / "hands.log"
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) // 2])
    assert play_match(Noting, "random", hands=300, folder=tmp_path / "torn").won.shape == (1, 300, 2)
    assert log.read_bytes() == whole == (tmp_path / "whole" / "hands.log").read_bytes()
    assert MatchFolder.open(tmp_path / "torn").result().players[0].name == "Noting"

    class Another(Noting):
        """Of another name."""

    Another.__name__ = "Noting"
    with pytest.warns(RailbirdWarning, match=r"a bot has changed: what was played before is kept as .*torn\.was-\w{8}"):
        play_match(Another, "random", hands=10, folder=tmp_path / "torn")
    [kept] = tmp_path.glob("torn.was-*")
    assert (kept / "hands.log").read_bytes() == whole


def test_classes_that_can_be_imported_travel_and_others_do_not(tmp_path):
    class Local(Bot):
        def act(self, view):
            return CALL

    assert ClassPlayer(players.Coin).travels
    assert player_of(COIN).travels
    assert not ClassPlayer(Local).travels
    assert not player_of(Local()).travels
    here = play_match(players.Coin, players.Learner, hands=1_500, seed=4, workers=1)
    there = play_match(players.Coin, players.Learner, hands=1_500, duplicate=True, seed=4, workers=2)
    assert np.array_equal(here.won[0, ::2], there.won[0, ::2])  # the same seats in plain and in duplicate
    assert play_match(Local, "random", hands=2_100, workers=2).won.shape == (1, 2_100, 2)


NOTEBOOK = """
from railbird import CALL, Bot, play_match
class Mine(Bot):
    def act(self, view):
        while view.hand_number == 3:
            pass
        return CALL
class Quick(Mine):
    def act(self, view):
        return CALL
result = play_match(Quick, Quick(), hands=2_500, workers=2)
print(result.spec.names, result.won.shape, result.faults)
from railbird.play.match import MatchSpec
from railbird.play.folder import MatchFolder
from railbird.play.run import run_matches
from railbird import limit_holdem
import pathlib, tempfile
spec = MatchSpec(limit_holdem(), (Mine, Quick), 20, 0, decision_seconds=0.2)
[result] = run_matches([MatchFolder.create(pathlib.Path(tempfile.mkdtemp()) / "m", spec)])
print(result.faults[0])
"""


def test_classes_of_a_notebook_just_work_and_keep_to_the_time_limit():
    # As in a notebook, the main module has no file, and nothing stands under `if __name__ == "__main__":`.
    done = subprocess.run([sys.executable, "-"], input=NOTEBOOK, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == [
        "('Quick', 'Quick.2') (1, 2500, 2) ()",
        "hand 3: Mine timeout: no answer within 0.2 s at <stdin>:5 (settled as a check or fold)",
    ], done.stderr


def test_progress_is_told_hands_and_how_things_stand():
    told = []
    play_match("random", "always-call", hands=100, duplicate=True, progress=lambda *now: told.append(now))
    assert told[0][:2] == (0, 200)
    assert told[-1][:2] == (200, 200)
    assert told[-1][2].startswith("random ")
    assert " ± " not in told[-1][2]  # the hands of a deal are not independent
    play_match("random", "always-call", hands=100, progress=lambda *now: told.append(now))
    assert " ± " in told[-1][2]


def test_a_bar_is_shown_to_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("RAILBIRD_PROGRESS", "yes")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with live_bar("counting", unit="steps") as watch:
        watch(3, 7, "well")
        watch(6, 7, "well")
    shown = capsys.readouterr().err
    assert "counting" in shown
    assert "steps, " in shown
    assert "well" in shown
    with live_bar("counting", after_seconds=60) as watch:
        watch(3, 7)
    assert "counting" not in capsys.readouterr().err


def test_a_part_of_the_work_is_told_within_the_whole():
    told = []
    within(lambda *now: told.append(now), 10, 100)(5, 20, "so far")
    assert told == [(15, 100, "so far")]
    assert within(None, 10, 100) is None


def test_what_a_bot_does_wrong_in_this_process_is_noted():
    result = play_match(Unfinished, "always-call", hands=40)
    fault = next(fault for fault in result.faults if fault.hand == 30)
    assert fault.message == "SystemExit: enough"
    [where] = fault.trace
    assert where.startswith("test_matches.py:")
    assert where.endswith('in act: return CALL if view.hand_number < 30 else sys.exit("enough")')
    assert where in str(result)  # nobody exits: a program is told


def test_a_spec_of_classes_compares_and_travels_without_its_bots():
    spec = MatchSpec(limit_holdem(), (players.Coin, "random"), 10, 3)
    assert spec.roster.bots
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec
    assert "roster" not in vars(again)
