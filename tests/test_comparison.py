"""Comparisons: two bots against the same opponents on the same deals."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

import railbird as rb
from railbird.cli import main
from railbird.cli.commands import spread
from railbird.errors import MatchError
from railbird.play.comparison import Comparison
from railbird.play.comparison_folder import ComparisonSpec, read_comparison
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.results.result import print_parts
from railbird.statistics import Estimate

GAME = rb.limit_holdem()
BOT = """
from railbird import CALL, Bot


class Shark(Bot):
    def act(self, view):
        return {action}
"""


def constructed(duplicate=True, luck=6.0, lead=0.2, deals=400):
    """Matches in which a common luck of the deal hides a lead of the new bot over the old one."""
    rng = np.random.default_rng(7)
    legs = 2 if duplicate else 1
    matches = []
    for opponent in ("random", "always-call", "always-raise"):
        common = rng.normal(0, luck, (legs, deals))
        pair = []
        for bot, ahead in (("expert", lead), ("expert", 0.0)):
            own = common + rng.normal(ahead, 0.5, (legs, deals))
            chips = np.round(own * GAME.small_bet).astype(np.int64)
            spec = MatchSpec(GAME, (bot, opponent), deals, 7, duplicate)
            pair.append(MatchResult.of(spec, np.stack([chips, -chips], axis=2)))
        matches.append(tuple(pair))
    return Comparison(("new", "old"), ("random", "always-call", "always-raise"), tuple(matches))


def test_the_luck_of_the_deal_cancels():
    found = constructed()
    new, old, difference = found.rate(0), found.rate(1), found.difference()
    assert difference.mean == pytest.approx(new.mean - old.mean)
    # Unpaired, the variances of both would add up.
    assert difference.sd**2 < 0.05 * (new.sd**2 + old.sd**2)
    assert found.fewer_hands > 20
    assert difference.is_clear
    assert found.verdict.startswith("new is better than old: +0.")


def test_the_old_bot_may_be_the_better_one():
    assert constructed(lead=-0.3).verdict.startswith("old is better than new: +0.")


def test_what_cannot_be_told_says_how_many_more_hands_it_takes():
    found = constructed(lead=0.0, deals=60)
    assert found.verdict.startswith("cannot tell yet: ")
    assert "more pairs needed" in found.verdict


def alike(estimate, samples):
    expected = replace(Estimate.of(samples), claims=4)
    assert (estimate.mean, estimate.margin) == pytest.approx((expected.mean, expected.margin))


@pytest.mark.parametrize("duplicate", [True, False])
def test_differences_are_those_of_the_deals(duplicate):
    found = constructed(duplicate)
    by_opponent = []
    for name, (new, old) in zip(found.opponents, found.matches):
        by_deal = (new.won[:, :, 0] - old.won[:, :, 0]).mean(axis=0) / GAME.small_bet
        by_opponent.append(by_deal)
        alike(found.difference(opponent=name), by_deal)
    # Deals are the samples: over all opponents they are averaged deal by deal, not counted three times.
    alike(found.difference(), np.mean(by_opponent, axis=0))
    assert found.difference().count == 400
    assert found.measures == (["money", "duplicate"] if duplicate else ["money"])


def test_the_interval_is_that_of_all_claims_together():
    found = constructed()
    alone = Comparison(found.names, found.opponents[:1], found.matches[:1])
    assert (found.claims, alone.claims) == (4, 1)
    assert found.difference().margin > replace(found.difference(), claims=1).margin


@pytest.mark.parametrize("bot", ["random", "expert", "always-call"])
def test_a_bot_is_as_good_as_itself(bot):
    found = rb.compare_bots(bot, bot, ["always-raise", "random"], hands=60, divat=True, progress=False)
    for row in found.rows():
        assert row["mean"] == 0.0
    assert found.verdict == f"no difference: {bot} (new) and {bot} (old) won the same in every one of 240 hands"


def test_a_file_bot_is_as_good_as_itself_on_any_number_of_workers(tmp_path, monkeypatch):
    """Its two matches differ in what it is called alone; a worker plays both."""
    (tmp_path / "shark.py").write_text(BOT.format(action="CALL"))
    monkeypatch.chdir(tmp_path)
    shark = "./shark.py:Shark"
    for workers in (1, 2):
        settings = {"hands": 200, "seed": 22, "workers": workers, "folder": f"with-{workers}"}
        found = rb.compare_bots(shark, shark, ["always-call", "always-raise", "random"], **settings)
        assert found.difference().mean == 0
        assert (
            sorted(match.spec.names[0] for pair in found.matches for match in pair) == ["Shark"] * 3 + ["Shark.2"] * 3
        )


def test_a_known_difference_is_found():
    # Folding gives away three quarters of a small bet a hand; calling a raiser down is even on every pair.
    found = rb.compare_bots("always-call", "always-fold", "always-raise", hands=300, seed=3, divat=True, progress=False)
    assert found.measures == ["money", "duplicate", "divat", "duplicate_divat", "aivat", "duplicate_aivat"]
    assert found.rate(1, "money").mean == -0.75
    for measure in found.measures:
        difference = found.difference(measure)
        assert abs(difference.mean - 0.75) <= difference.margin + 1e-12
    assert (found.difference("duplicate").mean, found.difference("duplicate").margin) == (0.75, 0.0)
    assert found.verdict.startswith("always-call is better than always-fold: +0.")


def test_opponents_count_by_their_weights():
    bots = {"new": "always-call", "old": "random", "against": ["always-raise", "always-fold"]}
    found = rb.compare_bots(**bots, hands=100, weights=(3, 1), progress=False)
    each = [found.difference("duplicate", name).mean for name in found.opponents]
    assert found.difference("duplicate").mean == pytest.approx((3 * each[0] + each[1]) / 4)
    assert "of all: always-raise 75%, always-fold 25%" in str(found)
    assert found.to_json()["weights"] == {"always-raise": 3, "always-fold": 1}
    with pytest.raises(MatchError, match="1 weight for 2 opponents"):
        rb.compare_bots(**bots, hands=100, weights=(3,), progress=False)


def test_learners_begin_anew_with_every_episode_which_is_one_sample(tmp_path):
    bots = {"new": "hobbybot", "old": "jagbot", "against": "random", "progress": False, "folder": tmp_path / "c"}
    found = rb.compare_bots(**bots, hands=90, episode=20)
    new, old = found.matches[0]
    by_deal = (new.won[:, :80, 0] - old.won[:, :80, 0]).mean(axis=0) / GAME.small_bet  # the last is not whole
    samples = by_deal.reshape(4, 20).mean(axis=1)
    difference = found.difference()
    assert (difference.count, found.episode) == (4, 20)
    assert difference.mean == pytest.approx(samples.mean())
    assert difference.sd == pytest.approx(samples.std(ddof=1))
    assert "learners begin anew after every 20 pairs; such an episode is one sample" in str(found)
    assert "in an episode" in str(found)
    # The curves are a result of their own.
    learned = found.learning
    assert learned.episodes == 4
    assert learned.rates[1][2].mean == pytest.approx(by_deal.reshape(4, 20)[:, 2:4].mean())
    assert str(learned).startswith("learning of hobbybot vs jagbot | 4 episodes of 20 pairs\n")
    assert "sb/hand by money" in str(learned)
    assert learned.to_json()["schema"] == "railbird.learning/1"
    assert [figure.title for figure in found.panels()][1] == "learning in 4 episodes"
    assert read_comparison(tmp_path / "c").to_json() == found.to_json()
    with pytest.raises(MatchError, match="30 deals are less than two episodes of 20"):
        rb.compare_bots(**{**bots, "folder": tmp_path / "d"}, hands=30, episode=20)
    with pytest.raises(MatchError, match="other settings: block_hands 20"):
        rb.compare_bots(**bots, hands=90, episode=30)
    # Where nobody learns there are no episodes.
    plain = rb.compare_bots("random", "always-call", "always-raise", hands=50, episode=20, progress=False)
    assert (plain.episode, plain.learning, plain.difference().count) == (1, None, 50)


def test_every_match_has_the_same_deals(tmp_path):
    rb.compare_bots("always-call", "always-raise", ["random"], hands=20, folder=tmp_path / "c", progress=False)
    folders = sorted(path for path in (tmp_path / "c").iterdir() if path.is_dir())
    assert [path.name for path in folders] == ["new-1-v-random", "old-1-v-random"]
    new, old = ([hand.holes for hand in rb.read_hands(folder)] for folder in folders)
    assert new == old


def test_an_edited_bot_is_played_anew_and_the_rest_is_kept(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, action in (("new", "CALL"), ("old", "view.check_or_fold()")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shark.py").write_text(BOT.format(action=action))
    command = [
        "compare",
        "new/shark.py:Shark",
        "old/shark.py:Shark",
        "--against",
        "always-raise",
        "-n",
        "40",
        "-o",
        "c",
    ]
    assert ran(capsys, *command, "--no-divat")[0] == 0
    assert names(tmp_path / "c") == ["new-1-v-always-raise", "old-1-v-always-raise"]
    before = written(tmp_path / "c")
    assert ran(capsys, *command, "--no-divat")[0] == 0
    assert written(tmp_path / "c") == before
    (tmp_path / "new" / "shark.py").write_text(BOT.format(action="view.check_or_fold()"))
    code, out, err = ran(capsys, *command, "--no-divat")
    assert (code, err.count("a bot has changed")) == (0, 1)
    assert "no difference: new.shark.Shark and old.shark.Shark won the same in every one of 80 hands" in out
    new, was, old = names(tmp_path / "c")
    assert was.startswith("new-1-v-always-raise.was-")
    after = written(tmp_path / "c")
    assert (after[old], after[was]) == (before[old], before[new])
    assert "no difference" in str(read_comparison(tmp_path / "c"))


def names(path):
    return sorted(entry.name for entry in path.iterdir() if entry.is_dir())


def written(path):
    """By match folder, its hands."""
    return {name: (path / name / "hands-01.log").read_bytes() for name in names(path)}


def test_more_hands_go_on_where_it_ended(tmp_path):
    bots = ("always-call", "always-raise", ["random"])
    first = rb.compare_bots(*bots, hands=20, folder=tmp_path / "c", progress=False)
    told = []
    more = rb.compare_bots(*bots, hands=30, folder=tmp_path / "c", progress=lambda *how: told.append(how[:2]))
    assert told[0] == (80, 120)
    assert (more.matches[0][0].won[:, :20] == first.matches[0][0].won).all()
    assert str(more).splitlines() == str(rb.compare_bots(*bots, hands=30, progress=False)).splitlines()


def test_the_two_bots_are_told_apart():
    def names(new, old):
        return ComparisonSpec(GAME, new, old, ("random",), 10, 0).names

    assert names("expert", "random") == ("expert", "random")
    assert names("expert", "expert") == ("expert (new)", "expert (old)")


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["compare", "always-call", "always-fold", "--against", "always-raise", "random", "-n", "50", "-o", "c"]
    code, out, _ = ran(capsys, *command, "--no-divat")
    assert code == 0
    assert out.splitlines()[1].strip().startswith("always-call is better than always-fold: +")
    for name in ("all", "always-raise", "random"):
        assert f"\n  {name} " in out
    code, again, _ = ran(capsys, *command, "--json")
    data = json.loads(again)
    assert data["schema"] == "railbird.comparison/1"
    assert data["against"].keys() == {"always-raise", "random"}
    assert data["overall"]["duplicate"]["difference"]["samples"] == 50
    assert data["folder"] == "c"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["expert", "random"], "Missing option '--against'"),
        (["expert", "random", "--against", "random", "random"], "error: the opponent 'random' twice"),
        (["expert", "rando", "--against", "random"], "error: no bot 'rando'; did you mean 'random'?"),
        (["--against", "random", "expert", "random"], "Missing argument"),
        (["random", "expert", "--against", "random", "--game", "leduc"], "error: 'expert' does not play leduc"),
    ],
)
def test_bad_input_is_refused_in_one_line(tmp_path, capsys, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = ran(capsys, "compare", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_another_comparison_is_protected(tmp_path):
    rb.compare_bots("always-call", "always-raise", "random", hands=10, folder=tmp_path / "c", progress=False)
    with pytest.raises(MatchError, match="of other players; choose another"):
        rb.compare_bots("always-call", "always-fold", "random", hands=10, folder=tmp_path / "c", progress=False)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "notes.txt").write_text("mine")
    with pytest.raises(MatchError, match="something else than a comparison"):
        rb.compare_bots("always-call", "always-fold", "random", hands=10, folder=tmp_path / "d", progress=False)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_numbers_are_whole_at_any_width(width):
    out = StringIO()
    found = constructed()
    print_parts(found.parts(), Console(file=out, width=width, color_system=None))
    text = out.getvalue()
    for measure in found.measures:
        for name in (None, *found.opponents):
            assert f"{found.difference(measure, name).mean:+.3f} ± " in text
    assert "…" not in text


def test_options_that_take_several_names():
    assert spread(["a", "b", "--against", "x", "y", "-n", "5"]) == [
        "a",
        "b",
        "--against",
        "x",
        "--against",
        "y",
        "-n",
        "5",
    ]
    assert spread(["--hands", "5", "a"]) == ["--hands", "5", "a"]


def ran(capsys, *arguments):
    """Exit code, output and error output of a command."""
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    captured = capsys.readouterr()
    return end.value.code or 0, captured.out, captured.err
