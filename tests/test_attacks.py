"""The short form of `python -m trials attacks`: some of the attack bots, and whether the trial finds what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from trials.attacks import Attack, Outcome, _judge_check, _judge_match, attacks, main, tried
from trials.watched import WatchedRun, descendants, watched_run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are watched by way of /proc")

MATCHES = (
    "AnswersTwoFaced",
    "ExitsQuietly",
    "ImportExits",
    "RaisesEscapes",
    "RaisesUnprintable",
    "StopsParent",
    "SwallowsLimit",
    "Hides",
    "WritesJunk",
    "TakesMemory",
    "RewritesLogs",
)
CHECKS = ("ExitsQuietly", "TriesSeeds", "ReadsManifest", "PatchesPayoffs", "Learns")
BOTS = {attack.name: attack for attack in attacks()}


def test_there_are_enough_and_each_says_what_must_come_of_it():
    assert len(BOTS) >= 95
    assert len(BOTS) == len(attacks())
    for attack in BOTS.values():
        assert attack.attempt
        assert attack.in_match <= {"plays", "refused", "raised", "illegal", "timeout", "hook"}
        assert attack.in_check
    assert sum(attack.in_match == {"plays"} and attack.in_check == {"fit"} for attack in BOTS.values()) >= 8


@pytest.mark.parametrize("name", MATCHES)
def test_matches_hold(name):
    attack = BOTS[name]
    seconds = 1.0 if "timeout" in attack.in_match else 10.0
    outcome = tried(attack, 20, ["--memory", "400"], checks=False, seconds=seconds)
    assert not outcome.problems


@pytest.mark.parametrize("name", CHECKS)
def test_checks_find_what_they_should(name, tmp_path):
    outcome = tried(BOTS[name], 20, seconds=10.0)
    assert not outcome.problems


# The trial itself.

HONEST = Attack(Path("x.py"), "X", "nothing", frozenset({"plays"}), frozenset({"fit"}))


def run_of(exit_code=0, out="", errors="", **rest):
    settings = {"seconds": 1.0, "said_bytes": 0, "peak_bytes": 0, "left": ()}
    return WatchedRun(exit_code, out=out, errors=errors, **{**settings, **rest})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("# hand 0: always-call raised: KeyError: 1 (settled as a check or fold)", "the opponent is blamed"),
        (f"# hand 0: X raised: {'woe' * 200} (settled as a check or fold)", "long fault texts"),
        ("STATE:0:cc/cc/cc/cc:KdTs|4d2s/Td7hTc/4h/8c:9|-9:X|always-call", "false records"),
        ("STATE:0:cc/cc/cc/cc:KdTc|4d2s/Td7hTs/4h/8c:2|-2:X|always-call", "other cards than were dealt"),
        ("", "of 1 hands"),
    ],
)
def test_what_is_wrong_with_a_match_is_found(line, words, tmp_path):
    true = "STATE:0:cc/cc/cc/cc:KdTs|4d2s/Td7hTc/4h/8c:2|-2:X|always-call"
    body = [line, true] if line.startswith("#") else [line]
    (tmp_path / "hands.log").write_text("\n".join(["# name/game/hands/seed X_v_always-call limit.game 1 0", *body, ""]))
    outcome = Outcome(HONEST)
    _judge_match(outcome, run_of(), tmp_path, 1)
    assert any(words in problem for problem in outcome.problems), outcome.problems


def test_true_hands_hold(tmp_path):
    true = "STATE:0:cc/cc/cc/cc:KdTs|4d2s/Td7hTc/4h/8c:2|-2:X|always-call\n"
    (tmp_path / "hands.log").write_text("# name/game/hands/seed X_v_always-call limit.game 1 0\n" + true)
    outcome = Outcome(HONEST)
    _judge_match(outcome, run_of(), tmp_path, 1)
    assert not outcome.problems
    assert outcome.match == "plays"
    assert outcome.win_rate == 1.0


def test_an_undetected_gain_is_a_problem():
    outcome = Outcome(HONEST, known=9.0, win_rate=3.0)
    _judge_check(outcome, run_of(out='{"ok": true, "findings": []}'))
    assert outcome.problems == ["a gain of +3.00 sb/hand that check-bot does not find"]
    accused = '{"ok": false, "findings": [{"code": "guesses-cards", "message": ""}]}'
    outcome = Outcome(HONEST)
    _judge_check(outcome, run_of(1, out=accused))
    assert "guesses-cards" in outcome.problems[0]


def test_nothing_watched_is_left_running(tmp_path):
    """Not even a child with a session of its own whose parents have gone."""
    code = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0: os.execve(sys.executable, ['[hidden]', '-c', 'import time; time.sleep(60)'], {})\n"
        "    os._exit(0)\n"
        "print('said', flush=True); time.sleep(0.3); sys.exit(3)"
    )
    before = descendants()
    run = watched_run([sys.executable, "-c", code], tmp_path, 30)
    assert (run.exit_code, run.out, len(run.left)) == (3, "said\n", 1)
    assert "[hidden]" in run.left[0]
    assert descendants() == before


def test_a_deadline_is_kept(tmp_path):
    run = watched_run([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, 0.5)
    assert run.exit_code is None
    assert run.seconds < 30


def test_a_trial_that_is_ended_ends_what_it_started(tmp_path):
    root = Path(__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), *filter(None, sys.path)])}
    trial = subprocess.Popen(
        [sys.executable, "-m", "trials", "attacks", "--only", "ImportSleeps"],
        cwd=root,
        env={**environment, "RAILBIRD_TRIAL_OF_TRIALS": str(tmp_path)},
        stdout=subprocess.DEVNULL,
    )
    marked = f"RAILBIRD_TRIAL_OF_TRIALS={tmp_path}".encode()

    def running():
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and marked in (entry / "environ").read_bytes():
                    found.append(entry.name)
            except OSError:
                pass
        return found

    while len(running()) < 2:
        assert trial.poll() is None
        time.sleep(0.1)
    trial.terminate()
    assert trial.wait(60) == 128 + 15
    assert not running()


def test_names_are_told(capsys):
    assert main(["--only", "nobody like that"]) == 2
    assert "error: no attack bot with 'nobody like that'" in capsys.readouterr().err
