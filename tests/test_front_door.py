"""`import railbird as rb`: what stands there, rooms that are called, and hands from wherever they are."""

from __future__ import annotations

import gc
import inspect
import runpy
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import railbird as rb
from railbird.errors import AssessmentError, InvalidRecordError, RailbirdError, UnknownBotError
from railbird.formats import acpc, readers
from railbird.papers.ring_games import RingGame

ROOT = Path(__file__).parent.parent


class Caller(rb.Bot):
    """Calls, and can say so."""

    def act(self, view):
        return rb.CALL


@pytest.mark.parametrize("name", ["odds", "assess", "solve"])
def test_rooms_can_be_called_in_whatever_order_they_are_imported(name):
    called = {"odds": "odds('AdQc').holding", "assess": "assess.__doc__", "solve": "solve.__doc__"}[name]
    for first in ("", f"import railbird.{name}", f"from railbird.{name} import *", "import railbird.cli.cmd_odds"):
        code = f"{first}\nimport railbird as rb\nrb.{called}\nassert callable(rb.{name})"
        subprocess.run([sys.executable, "-c", code], check=True)
    assert "progress" in inspect.signature(rb.assess).parameters


def test_version():
    assert rb.__version__ == version("railbird")


def test_the_reference_is_that_of_the_docstrings():
    made = runpy.run_path(str(ROOT / "docs" / "make_api.py"))
    for name, text in made["pages"]().items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == text, f"{name}: run python docs/make_api.py"
    listed = {name for names in made["SECTIONS"].values() for name in names.split()}
    assert listed == set(rb.__all__) - {"__version__"}


def test_a_class_an_object_and_a_name_play_alike():
    rates = [
        rb.play_match(bot, "always-raise", hands=50, seed=3, progress=False).players[0].money.mean
        for bot in (Caller, Caller(), "always-call")
    ]
    assert rates[0] == rates[1] == rates[2]


def test_hands_of_a_match_are_there_as_long_as_the_result():
    result = rb.play_match(Caller, "always-raise", hands=20, progress=False)
    where = result.folder
    assert len(rb.read_hands(where)) == 20
    assert rb.assess(result, progress=False).pairs[0].first == "Caller"
    del result
    gc.collect()
    assert not where.exists()


def test_hands_are_assessed_from_folders_results_records_and_arrays(tmp_path):
    result = rb.play_match("expert", "random", hands=40, duplicate=True, folder=tmp_path / "m", progress=False)
    records = rb.read_hands(str(tmp_path / "m"))
    assert len(records) == 80
    found = [
        rb.assess(hands, progress=False).pairs[0].estimate("divat")
        for hands in (result, tmp_path / "m", str(tmp_path / "m"), [tmp_path / "m"], records, iter(records))
    ]
    assert found[0] == found[1] == found[2] == found[3]
    assert found[4].mean == pytest.approx(found[0].mean)
    assert found[4] == found[5]


def test_what_cannot_be_assessed_says_why(tmp_path):
    with pytest.raises(AssessmentError, match="holds something else than records"):
        rb.assess([1, 2], progress=False)
    with pytest.raises(RailbirdError, match="no log to read"):
        rb.assess([], progress=False)


def test_hands_of_any_game_can_be_read(tmp_path):
    rb.play_match(
        "random",
        "always-call",
        "always-raise",
        hands=9,
        game="no-limit:stack=5000",
        folder=tmp_path / "m",
        progress=False,
    )
    hands = rb.read_hands(tmp_path / "m")
    assert [hand.number for hand in hands] == list(range(9))
    assert all(sum(hand.payoffs) == 0 for hand in hands)
    foreign = tmp_path / "foreign.log"
    foreign.write_text("Full Tilt Poker Game #1: Table Ann\n")
    with pytest.raises(InvalidRecordError, match="looks like a Full Tilt history, which Railbird does not read yet"):
        rb.read_hands(foreign, rb.limit_holdem())


def test_exploitability_of_whatever_has_a_strategy():
    def calls(holding, board, history):
        return 0, 1, 0

    kuhn = rb.exploitability(calls, game="kuhn").value.value.mean
    assert kuhn == rb.exploitability("always-call", game="kuhn").value.value.mean
    assert kuhn == rb.exploitability(rb.make_bot("always-call"), game="kuhn").value.value.mean
    assert kuhn == rb.exploitability(rb.FunctionPolicy(rb.kuhn_poker(), calls)).value.value.mean
    tree = {("K", "", ""): (0, 1, 1)}
    with pytest.raises(RailbirdError, match="the mapping has nothing for Qs on no board after"):
        rb.exploitability(tree, game="kuhn")
    with pytest.raises(UnknownBotError, match="loki does not tell its probabilities"):
        rb.exploitability("loki", flops=2)
    with pytest.raises(RailbirdError, match="say how much to look at"):
        rb.exploitability("always-call")
    with pytest.raises(RailbirdError, match="both --flops 4 and --exact were given; leave one out"):
        rb.exploitability("always-call", flops=4, exact=True)
    with pytest.raises(UnknownBotError, match="is no bot, no strategy, and no function"):
        rb.exploitability(3, game="kuhn")


def test_a_function_and_a_bot_lose_the_same_on_the_same_flop():
    def calls(holdings, board, history):
        return np.tile([0.0, 1.0, 0.0], (len(holdings), 1))

    policy = rb.FunctionPolicy(rb.limit_holdem(), calls, is_vectorised=True, is_suit_blind=True, is_forgetful=True)
    mine, theirs = (rb.exploitability(player, flops=2, seed=5, workers=2) for player in (policy, "always-call"))
    assert mine.value.value.mean == pytest.approx(theirs.value.value.mean, abs=1e-3)


def test_training_takes_its_settings_by_name(tmp_path):
    solved = rb.solve(tmp_path / "tiny.npz", buckets="169/1/1/8", boards=2, progress=False)
    assert solved.strategy.game == rb.limit_holdem()
    assert (tmp_path / "tiny.npz").exists()
    with pytest.raises(RailbirdError, match="name the file that it lies beside"):
        rb.solve(resume=True)
    with pytest.raises(TypeError, match="bucket"):
        rb.solve(bucket="169/1/1/8")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rb.odds(["Ad", "Qc"]), r"\['Ad', 'Qc'\] is not text, such as 'AdQc'"),
        (lambda: rb.odds("AdQc", None), "None is not text"),
        (lambda: rb.rank(5), "5 is not text"),
        (lambda: rb.hand_strength("AdQc", "3h4cJh", [1, 2]), "is neither a WeightArray nor a range"),
        (
            lambda: rb.play_match(["always-call", "random"]),
            "1 player; a match takes 2 to 10, each an argument of its own",
        ),
        (
            lambda: rb.play_tournament(["always-call", "random"]),
            "1 player; a tournament takes 2 to 1,000, each an argument of its own",
        ),
        (lambda: rb.play_match("always-call", "random", seed=1.5), "seed 1.5; it must be a whole number"),
        (lambda: rb.play_match("always-call", "random", hands="20"), "hands '20'; it must be a whole number"),
        (lambda: rb.play_match("always-call", "random", duplicate="no"), "duplicate 'no'; it must be True or False"),
        (lambda: rb.play_match("always-call", "random", workers="two"), "workers 'two'; it must be a whole number"),
        (lambda: rb.exploitability("always-call", flops="2"), "flops '2'; it must be a whole number"),
        (lambda: rb.exploitability("always-call", flops=2, seed="x"), "seed 'x'; it must be a whole number"),
        (lambda: rb.find_gain("always-call", "random", "expert", gain="x"), "gain 'x'; it must be a number"),
        (lambda: rb.find_gain("always-call", "random", "expert", wrong="x"), "wrong 'x'; it must be a number"),
        (lambda: rb.read_hands(None), "None is no file or folder; give its path as text"),
        (lambda: rb.read_hands([3]), "3 is no file or folder"),
        (lambda: rb.stats(3), "3 is no file or folder"),
        (lambda: rb.convert(3, "x.phhs"), "3 is no file or folder"),
        (lambda: rb.assess(3), "3 holds something else than records of hands, or paths of logs"),
        (lambda: rb.parse_range(3), "3 is not text; write for example QQ+"),
        (lambda: rb.raise_to("x"), "a raise to 'x'; it must be a whole number of chips"),
        (lambda: rb.play_match("always-call", "random", workers=-1), "-1 workers; at least 1 is needed"),
        (lambda: rb.run_study("papp-8.2", size=0), "papp-8.2 with 0 deals"),
        (lambda: rb.assess("", progress=False), "'' is no file or folder"),
        (
            lambda: rb.exploitability(lambda *position: 1 / 0, game="kuhn"),
            "the function raised ZeroDivisionError.*Qs on no",
        ),
    ],
)
def test_bad_input_is_refused_in_words(call, said):
    with pytest.raises(RailbirdError, match=said):
        call()


def test_a_range_as_text_is_a_weight_array():
    assert rb.hand_strength("AdQc", "3h4cJh", "QQ+") == rb.hand_strength("AdQc", "3h4cJh", rb.WeightArray.parse("QQ+"))


def test_a_format_that_is_added_is_read_everywhere(tmp_path, monkeypatch):
    def read(file, game):
        for number, line in file.lines():
            yield file.judged(number, acpc.parse_record, line.removeprefix("TOY "), game or rb.limit_holdem())

    def write(records):
        return (f"TOY {acpc.record_line(record)}\n" for record in records)

    toy = readers.Format("toy", "toy log", lambda text: text.startswith("TOY "), read, write, lambda record: ())
    monkeypatch.setattr(readers, "_plugged_in", lambda: (toy,))
    records = rb.read_hands(rb.play_match("expert", "random", hands=20, folder=tmp_path / "m", progress=False).folder)
    log = tmp_path / "toy.log"
    log.write_text("".join(f"TOY {acpc.record_line(record)}\n" for record in records))
    assert rb.read_hands(log, "limit") == records
    assert rb.assess(log, game="limit", progress=False).pairs[0].estimate("divat") == (
        rb.assess(records, progress=False).pairs[0].estimate("divat")
    )
    assert len(rb.assess(log, progress=False).hands) == 20


def test_a_claim_about_nobody_is_refused_before_anything_is_played():
    with pytest.raises(RailbirdError, match="mini claims something of 'coinfliper', who does not play"):
        RingGame(name="mini", title="", reported="", versions=(("random", 4),), claims=("random > coinfliper",))
    small = RingGame(name="mini", title="", reported="", versions=(("random", 4),), claims=("random > 0",))
    assert small.unit == "deals, each played 4 times"
