"""Tests of a gain: they stop, go on, end where they would have ended, and a decision stands."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from io import StringIO
from time import sleep

import numpy as np
import pytest
from rich.console import Console

import railbird as rb
from railbird.cli import main
from railbird.errors import MatchError
from railbird.play.comparison_folder import ComparisonSpec, comparison_with_divat, read_comparison
from railbird.play.folder import MatchFolder
from railbird.play.gain_tests import GainTestSpec, default_test_folder, read_gain_test, run_gain_test
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.report.result_page import write_result
from railbird.results.figures import draw
from railbird.results.result import print_parts
from railbird.sequential import StoppingRule

GAME = rb.limit_holdem()
TOLD = {"schema": "railbird.test-folder/1", "gain": 0.2, "wrong_gain": 0.05, "wrong_none": 0.05, "deals_in_sample": 1}
NOTING = """
from railbird import CALL, Bot


class Noting(Bot):
    learns = True

    def __init__(self):
        self.reset()

    def reset(self):
        self.seen = 0

    def on_result(self, view, payoffs):
        self.seen += 1

    def act(self, view):
        {act}
"""


def spec(new="expert", old="random", against=("always-call",), hands=600, gain=0.2, wrong=0.05, by="money", **more):
    comparison = ComparisonSpec(more.pop("game", GAME), new, old, against, hands, 3, **more)
    return GainTestSpec(comparison, StoppingRule(gain, wrong, wrong), by)


def test_a_test_stops_and_its_decision_stands(tmp_path):
    asked = spec("always-call", "random", ("always-raise",), hands=5_000)
    found = run_gain_test(tmp_path / "t", asked, 1)
    assert found.decision == "gain"
    assert found.deals < 5_000
    assert found.deals % 100 == 0
    assert found.verdict.startswith("always-call gains on random: likelihood ratio ")
    # Asked again, also for more deals, it says the same, and nothing more is played.
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "t").rglob("*.log")}
    again = run_gain_test(tmp_path / "t", spec("always-call", "random", ("always-raise",), hands=9_000), 1)
    assert again.to_json() == found.to_json()
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "t").rglob("*.log")} == before
    assert str(read_gain_test(tmp_path / "t")) == str(found)


def test_a_secret_test_tells_its_key_with_the_decision(tmp_path):
    bots = {"new": "always-call", "base": "random", "against": "always-raise", "gain": 0.5}
    found = rb.find_gain(**bots, hands=2_000, secret=True, folder=tmp_path / "t", workers=1, progress=False)
    assert found.decision == "gain"
    assert found.comparison.spec.seed_words.startswith("secret key ")
    again = rb.find_gain(**bots, hands=5_000, secret=True, folder=tmp_path / "t", workers=1, progress=False)
    assert again.to_json() == found.to_json()
    short = rb.find_gain(**bots, hands=50, secret=True, folder=tmp_path / "u", workers=1, progress=False)
    assert (short.decision, short.deals) == ("", 0)
    assert short.verdict == "not decided after 0 pairs: nothing has been looked at yet; the first look is after 100"
    assert short.verdict in str(short)
    with pytest.raises(rb.RailbirdError, match="there is nothing to draw yet: not decided after 0 pairs"):
        short.plot()


def test_a_test_that_was_interrupted_ends_where_it_would_have_ended(tmp_path):
    asked = spec("expert", "always-call", ("random", "always-raise"), hands=1_500, gain=0.05)
    whole = run_gain_test(tmp_path / "whole", asked, 1)

    class Stop(Exception):
        pass

    for most in (700, 2_300):

        def watch(done, total, _detail="", most=most):
            if done > most:
                raise Stop

        with pytest.raises(Stop):
            run_gain_test(tmp_path / "again", asked, 1, watch)
        assert not (tmp_path / "again" / "decision.json").exists()
    again = run_gain_test(tmp_path / "again", asked, 1)
    assert again.test.looks == whole.test.looks
    assert again.to_json() == whole.to_json()
    for log in (tmp_path / "whole").rglob("*.log"):
        other = tmp_path / "again" / log.relative_to(tmp_path / "whole")
        first = min(log.stat().st_size, other.stat().st_size)
        assert log.read_bytes()[:first] == other.read_bytes()[:first]


def test_a_test_that_was_killed_ends_where_it_would_have_ended(tmp_path):
    options = ["--gain", "0.001", "--hands", "240", "--episode", "20", "--seed", "3", "--workers", "1"]
    bots = ["test", "hobbybot", "jagbot", "--against", "random"]
    command = [sys.executable, "-m", "railbird", *bots, *options, "--out", str(tmp_path / "again")]
    killed = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = tmp_path / "again" / "new-1-v-random" / "hands-01.log"
    while killed.poll() is None and not (log.exists() and log.read_bytes().count(b"\nSTATE") >= 40):
        sleep(0.02)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    asked = spec("hobbybot", "jagbot", ("random",), hands=240, gain=0.001, episode=20, by="")
    again, whole = (run_gain_test(tmp_path / name, asked, 1) for name in ("again", "whole"))
    assert again.test.looks == whole.test.looks
    assert again.to_json() == whole.to_json()
    assert whole.measure == "AIVAT"
    for path in (tmp_path / "whole").rglob("hands-*.log"):
        assert path.read_bytes() == (tmp_path / "again" / path.relative_to(tmp_path / "whole")).read_bytes()


def test_a_test_without_a_decision_goes_on_with_more_hands(tmp_path):
    short = run_gain_test(tmp_path / "t", spec("random", "random:raise=0.3", hands=300, gain=0.01), 1)
    assert short.decision == ""
    assert short.deals == 300
    assert short.verdict.startswith("not decided after 300 pairs: likelihood ratio ")
    longer = run_gain_test(tmp_path / "t", spec("random", "random:raise=0.3", hands=500, gain=0.01), 1)
    at_once = run_gain_test(tmp_path / "u", spec("random", "random:raise=0.3", hands=500, gain=0.01), 1)
    assert longer.test.looks == at_once.test.looks
    assert longer.test.looks[:3] == short.test.looks


def test_samples_are_the_differences_of_deals_by_weight(tmp_path):
    opponents = ("always-raise", "random")
    found = run_gain_test(tmp_path / "t", spec(against=opponents, hands=300, gain=1e-3, weights=(3.0, 1.0)), 1)
    each = [
        (new.won[:, :300, 0] - old.won[:, :300, 0]).mean(axis=0) / GAME.small_bet
        for new, old in read_comparison(tmp_path / "t").matches
    ]
    samples = (3 * each[0] + each[1]) / 4
    assert found.difference.mean == pytest.approx(samples.mean())
    assert found.difference.sd == pytest.approx(samples.std(ddof=1))
    assert found.comparison.difference().mean == pytest.approx(samples.mean())


def test_samples_are_taken_by_divat_where_that_is_asked_for(tmp_path):
    asked = {"against": ("random", "always-call"), "hands": 300, "gain": 1e-3, "weights": (1.0, 2.0)}
    found = run_gain_test(tmp_path / "t", spec(**asked, by="divat"), 1)
    compared = comparison_with_divat(read_comparison(tmp_path / "t"))
    assert found.difference.mean == pytest.approx(compared.difference("duplicate_divat").mean)
    assert found.difference.sd == pytest.approx(compared.difference("duplicate_divat").sd)
    money = run_gain_test(tmp_path / "u", spec(**asked), 1)
    assert found.difference.sd < money.difference.sd
    assert (found.measure, money.measure) == ("DIVAT", "money")
    assert "sb/hand by DIVAT" in str(found)
    with pytest.raises(MatchError, match=r"measure 'divat' \(now money\)"):
        run_gain_test(tmp_path / "t", spec(**asked), 1)
    with pytest.raises(rb.RailbirdError, match="DIVAT is for heads-up limit hold'em, not for kuhn"):
        spec("random", "always-call", ("always-raise",), game=rb.kuhn_poker(), by="divat")


@pytest.mark.parametrize(
    ("bots", "measure", "known"),
    [
        (("bpm", "jagbot", ("loki", "equilibrium")), "aivat", ["equilibrium", "jagbot"]),
        (("yoki-tight", "jagbot", ("loki",)), "aivat", ["jagbot", "yoki-tight"]),
        (("equilibrium", "random", ("loki",)), "aivat", ["equilibrium", "random"]),
        (("expert", "random", ("loki",)), "divat", []),  # one of the two is not enough
        (("expert", "hobbybot", ("poki",)), "divat", []),
    ],
)
def test_the_best_measure_is_chosen_before_the_first_deal(bots, measure, known):
    asked = spec(*bots, by="")
    assert asked.sample.measure == measure
    assert asked.to_json()["measure"] == measure
    assert sorted(asked.to_json().get("known", {})) == known
    assert ("values" in asked.to_json()) == bool(known)
    if not known:
        with pytest.raises(rb.RailbirdError, match="AIVAT needs an opponent whose play is known"):
            spec(*bots, by="aivat")


def test_where_nothing_else_is_there_it_is_money():
    asked = spec("random", "always-call", ("always-raise",), game=rb.kuhn_poker(), by="")
    assert (asked.sample.measure, asked.known) == ("money", {})
    with pytest.raises(MatchError, match="no measure 'divta'; did you mean 'divat'\\? \\(money, divat, aivat\\)"):
        spec(by="divta")


def test_samples_are_taken_by_aivat_where_somebody_is_known(tmp_path):
    asked = {"new": "expert", "old": "hobbybot", "against": ("bpm", "always-call"), "hands": 200, "gain": 1e-3}
    asked |= {"weights": (1.0, 3.0), "episode": 20}
    found = run_gain_test(tmp_path / "t", spec(**asked, by=""), 1)
    assert found.measure == "AIVAT"
    assert "AIVAT knows how always-call plays; against bpm nobody is known, and it is DIVAT" in str(found)
    assert found.to_json()["known"] == {"always-call": "always-call"}
    one_of_two = run_gain_test(
        tmp_path / "u", spec("jagbot", "hobbybot", ("always-call",), hands=20, episode=10, by=""), 1
    )
    assert one_of_two.to_json()["known"] == {"always-call": "always-call"}  # jagbot alone would be measured otherwise
    # Against bpm it is DIVAT, against always-call what `assess --known` says, by deal and weight.
    each = []
    for number, opponent in ((1, "bpm"), (2, "always-call")):
        pair = []
        for side, bot in (("new", "expert"), ("old", "hobbybot")):
            folder = tmp_path / "t" / f"{side}-{number}-v-{opponent}"
            known = ["always-call"] if opponent == "always-call" else []
            told = rb.assess(folder, known=known, whole=True, progress=False).limit_log.pairs[0]
            sign = 1 if told.first == bot else -1
            pair.append(sign * told.values["aivat" if known else "divat"].mean())
        each.append(pair[0] - pair[1])
    assert found.difference.mean == pytest.approx((each[0] + 3 * each[1]) / 4)
    assert len(list((tmp_path / "t").glob("*/aivat-*.values"))) == 2
    # Of what is kept nothing is computed again, and what does not belong to the hands is not believed.
    again = read_gain_test(tmp_path / "t")
    assert again.test.looks == found.test.looks
    for file in (tmp_path / "t").glob("*/aivat-*.values"):
        rows = np.fromfile(file, "<f8").reshape(-1, 2, 2)
        rows[50:] += 1.0
        rows[10, 0, 1] = np.nan
        file.write_bytes(rows.tobytes() + b"torn")
    assert read_gain_test(tmp_path / "t").test.looks == found.test.looks


def test_a_test_goes_on_by_the_measure_that_it_was_begun_with(tmp_path):
    asked = {"new": "always-call", "old": "random", "against": ("always-raise",), "gain": 0.001}
    run_gain_test(tmp_path / "t", spec(**asked, hands=100, by="divat"), 1)
    found = run_gain_test(tmp_path / "t", spec(**asked, hands=200, by=""), 1)
    assert (found.sample.measure, found.deals) == ("divat", 200)
    assert default_test_folder(tmp_path / "t", spec(**asked, hands=200, by="")) == tmp_path / "t"
    assert default_test_folder(tmp_path / "t", spec(**asked, hands=200, by="aivat")) == tmp_path / "t-2"
    # So does one that was begun before there was a choice.
    told = json.loads((tmp_path / "t" / "test.json").read_text())
    old = {name: value for name, value in told.items() if name != "measure"} | {"divat": True}
    (tmp_path / "t" / "test.json").write_text(json.dumps(old))
    assert read_gain_test(tmp_path / "t").to_json() == found.to_json()
    with pytest.raises(MatchError, match=r"holds a test with measure 'divat' \(now aivat\)"):
        run_gain_test(tmp_path / "t", spec(**asked, hands=200, by="aivat"), 1)


def test_a_comparison_can_become_a_test(tmp_path):
    rb.compare_bots("always-call", "random", "always-raise", hands=200, seed=3, folder=tmp_path / "c", progress=False)
    found = run_gain_test(tmp_path / "c", spec("always-call", "random", ("always-raise",), hands=2_000), 1)
    assert found.decision == "gain"


def test_other_tests_are_refused_and_get_another_folder(tmp_path):
    asked = spec(hands=100)
    run_gain_test(tmp_path / "t", asked, 1)
    assert default_test_folder(tmp_path / "t", asked) == tmp_path / "t"
    for other, why in (
        (spec(gain=0.3, hands=100), "holds a test with gain 0.2 \\(now 0.3\\)"),
        (spec(wrong=0.01, hands=100), "wrong gain 0.05"),
        (spec(old="always-fold", hands=100), "other players"),
        (spec(hands=100, weights=(2.0,)), "other players"),
    ):
        with pytest.raises(MatchError, match=why):
            run_gain_test(tmp_path / "t", other, 1)
        assert default_test_folder(tmp_path / "t", other) == tmp_path / "t-2"


def test_a_bot_that_has_changed_needs_another_test(tmp_path):
    file = tmp_path / "noting.py"
    file.write_text(NOTING.format(act="return CALL"))
    asked = spec(f"{file}:Noting", "always-call", ("random",), hands=60, episode=30, housing=None)
    run_gain_test(tmp_path / "t", asked, 1)
    file.write_text(NOTING.format(act="return CALL  # as before"))
    with pytest.raises(MatchError, match="a bot has changed since the test in"):
        run_gain_test(tmp_path / "t", asked, 1)


def test_bots_that_never_differ_gain_nothing(tmp_path):
    found = run_gain_test(tmp_path / "t", spec("always-call", "always-call", hands=4_000), 1)
    assert (found.decision, found.deals) == ("no gain", 3_000)
    few = run_gain_test(tmp_path / "u", spec("always-call", "always-call", hands=200), 1)
    told = "by money the two played alike in every hand; after 3,000 such pairs that is no gain"
    assert few.verdict == f"not decided after 200 pairs: {told}"
    assert few.further_deals == 2_800


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"gain": 0.0}, "a gain of 0 sb/hand"),
        ({"gain": float("nan")}, "a gain of nan"),
        ({"wrong": 0.7}, "wrong with a probability of 0.7"),
        ({"weights": (1.0, 2.0)}, "2 weights for 1 opponent"),
        ({"weights": (-1.0,)}, "a weight of -1"),
        ({"episode": -5}, "an episode of -5"),
        ({"against": ()}, "nobody to play against"),
    ],
)
def test_what_cannot_be_tested_is_refused(changed, why):
    with pytest.raises(MatchError, match=why):
        spec(**changed)


class Noting(rb.Bot):
    """Notes how many hands it had seen before each, and calls."""

    learns = True
    told: list[int] = []  # noqa: RUF012

    def __init__(self):
        self.reset()

    def reset(self):
        self.seen = 0

    def on_hand(self, view):
        Noting.told.append(self.seen)

    def on_result(self, view, payoffs):
        self.seen += 1

    def act(self, view):
        return rb.CALL


def test_learners_begin_anew_with_every_episode():
    match = MatchSpec(GAME, (Noting, "always-call"), 12, 3).in_episodes_of(5)
    assert (match.in_episodes, match.block_hands, match.learns) == (True, 5, False)
    Noting.told.clear()
    hands = [played.record for played in played_hands(match)]
    assert Noting.told == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]
    # In the middle of an episode it is shown that episode's hands, and no others.
    Noting.told.clear()
    list(played_hands(match, first=7, last=8, past=hands[5:7]))
    assert Noting.told == [0, 1, 2]
    # Nothing changes where nobody learns.
    plain = MatchSpec(GAME, ("random", "always-call"), 12, 3)
    assert plain.in_episodes_of(5) is plain


def test_an_episode_is_one_sample(tmp_path):
    found = run_gain_test(tmp_path / "t", spec("hobbybot", "jagbot", ("random",), hands=100, gain=0.01, episode=20), 1)
    assert (found.sample.deals, found.test.samples, len(found.test.looks)) == (20, 5, 5)
    new, old = found.comparison.matches[0]
    by_deal = (new.won[:, :, 0] - old.won[:, :, 0]).mean(axis=0) / GAME.small_bet
    assert found.difference.sd == pytest.approx(np.std(by_deal.reshape(5, 20).mean(axis=1), ddof=1))
    assert "learners begin anew after every 20 pairs" in str(found)
    # The learning curve is by stage of an episode: here each two deals of it.
    stages = found.learning.rates
    assert found.learning.stages[1] == (2, 4)
    assert stages[1][2].mean == pytest.approx(by_deal.reshape(5, 20)[:, 2:4].mean())
    assert stages[1][0].mean - stages[1][1].mean == pytest.approx(stages[1][2].mean)
    assert stages[1][2].count == 5
    assert "in an episode" in str(found)
    [learned] = found.panels()  # of five episodes there is no interval yet
    assert [line.name for line in learned.lines] == ["hobbybot", "jagbot"]
    assert found.to_json()["learning"]["stages"][9]["last"] == 19
    assert len(found.learning.rows()) == 30
    # Each episode is the match that a learner would play who knows nothing, on those deals.
    folder = MatchFolder.open(next((tmp_path / "t").glob("new-*")))
    assert folder.spec.in_episodes
    later = [played.record for played in played_hands(folder.spec, 0, 40, 60)]
    assert later == list(folder.records(0))[40:60]


def run(command):
    """The exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        main(command.split())
    return ended.value.code


def test_a_test_on_the_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = "test always-call random --against always-raise always-call --weights 3 1 --gain 0.3 --hands 3000"
    assert run(command) == 0
    said = capsys.readouterr().out
    assert "always-call gains on random: likelihood ratio " in said
    assert "a test of a fixed length takes " in said
    [folder] = (tmp_path / "bot-tests").iterdir()
    assert run(f"{command} --json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["decision"], found["folder"]) == (
        "railbird.test/1",
        "gain",
        str(folder.relative_to(tmp_path)),
    )
    assert run(f"results {folder} --figure test.svg") == 0
    assert "drawn: test.svg" in capsys.readouterr().out
    assert "<svg" in (tmp_path / "test.svg").read_text()
    assert run(f"results {folder} --html test.html --json") == 0
    assert "likelihood ratio" in (tmp_path / "test.html").read_text()
    json.loads(capsys.readouterr().out)
    assert run(f"results {folder} --learning") == 2
    assert "has no two episodes of bots that learn" in capsys.readouterr().err
    assert run("test expert expert --against always-call --hands 100") == 0
    told = capsys.readouterr().out
    assert "played alike in every hand" in told
    assert "go on:" not in told
    assert run("test jagbot always-call --against hobbybot --hands 400") == 2
    assert capsys.readouterr().err == (
        "error: 400 pairs are fewer than one episode of hobbybot, which is 1,000 pairs and one sample; ask "
        "for more, as in --hands 20000, or for shorter episodes, as in --episode 20\n"
    )
    assert run("test random expert --against always-call always-raise --weights -1 2") == 2
    assert "error: a weight of -1; weights are above 0" in capsys.readouterr().err
    assert run(f"results {folder} --figure test.xyz") == 2
    assert "figures are written as .png or .svg" in capsys.readouterr().err
    assert run("test random random --against always-call --gain 0") == 2
    assert "error: a gain of 0 sb/hand" in capsys.readouterr().err


@pytest.mark.parametrize("width", [60, 80, 120])
def test_it_fits_the_terminal(width, tmp_path):
    found = run_gain_test(tmp_path / "t", spec(against=("always-raise", "random"), hands=200, gain=0.01), 1)
    out = StringIO()
    print_parts(found.parts(), Console(file=out, width=width))
    table = [line for line in out.getvalue().splitlines() if "├" in line or "always-raise" in line]
    assert all(len(line) <= width for line in table)
    [bar] = [line for line in table if "├" in line]
    assert bar.strip().endswith("┤ gain")  # in one piece, however narrow
    assert "none ├" in bar
    assert ("likelihood ratio" in bar) == (width == 120)


def test_the_bar_is_told_the_ratio_the_sequence_and_what_is_left(tmp_path):
    told = []

    def watch(done, total, detail=""):
        told.append((done, total, detail))

    run_gain_test(tmp_path / "t", spec("always-call", "random", ("always-raise",), hands=3_000, gain=0.05), 1, watch)
    assert all(done <= total <= 12_000 for done, total, _ in told)
    assert told[-1][0] == told[-1][1]  # it is over
    assert any("├" in detail and " ± " in detail for _, _, detail in told)
    assert not any(" ± ?" in detail and " : " in detail for _, _, detail in told)  # of which there is no ratio yet
    # On the narrowest terminal the ratio and the sequence have room below the bar.
    assert all(len(detail.rpartition("  ")[0]) <= 58 for _, _, detail in told)


def test_the_bar_says_how_far_it_is_to_the_first_ratio(tmp_path):
    told = []

    def watch(done, total, detail=""):
        told.append(detail)

    asked = spec("hobbybot", "jagbot", ("random",), hands=60, episode=20)
    assert run_gain_test(tmp_path / "t", asked, 1, watch).decision == ""
    assert re.search(r" ± \?  samples worth [23] of 30$", told[-1])


def test_what_is_drawn_of_a_test_that_ended_at_its_first_look(tmp_path):
    found = run_gain_test(tmp_path / "t", spec("always-call", "random", ("always-raise",), hands=500, gain=0.5), 1)
    assert len(found.test.looks) == 1 or found.deals <= 300
    for figure in found.panels():
        assert all(len(line.x) > 1 or line.margin is not None for line in figure.lines)
    ratio = found.ratio_figure().lines[0]
    assert (ratio.x[0], ratio.y[0]) == (0.0, 0.0)  # even odds before the first look
    page = write_result(tmp_path / "test.html", found).read_text()
    assert found.verdict in page
    assert "likelihood ratio" in page
    assert '"a gain of 0.5"' in page
    drawn = draw(found.panels(), "svg").decode()
    assert drawn.count("<use") > 0  # the point has a mark


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("test.json", "[]"),
        ("test.json", '{"schema": "railbird.test-folder/1", "gain": -1}'),
        ("test.json", "{"),
        ("test.json", json.dumps({**TOLD, "measure": "luck"})),
        ("test.json", json.dumps({**TOLD, "measure": "aivat"})),
        ("test.json", json.dumps({**TOLD, "measure": "aivat", "known": {"random": 3}})),
        ("decision.json", '{"decision": "perhaps", "deals": 100}'),
        ("decision.json", '{"decision": "gain", "deals": 0}'),
    ],
)
def test_damaged_files_are_refused(file, content, tmp_path):
    run_gain_test(tmp_path / "t", spec(hands=100), 1)
    (tmp_path / "t" / file).write_text(content)
    with pytest.raises(MatchError, match="is damaged"):
        read_gain_test(tmp_path / "t")
