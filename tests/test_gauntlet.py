"""The gauntlet: a bot's place among those that have played before it."""

from __future__ import annotations

import json
from contextlib import nullcontext
from itertools import pairwise

import numpy as np
import pytest

import railbird as rb
from railbird.cli import main
from railbird.errors import MatchError
from railbird.play import gauntlet
from railbird.play.gauntlet import (
    CONTESTANTS,
    DEALS,
    REFERENCES,
    SEED,
    GauntletRun,
    read_gauntlet,
    recorded,
    run_gauntlet,
)
from railbird.play.gauntlet_result import GauntletResult, Recorded, Reference
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.progress import no_bar
from railbird.statistics import Estimate


def constructed(rates, others, deals=400):
    """A bot that wins so much from each of some opponents, and the bots before it."""
    generator = np.random.default_rng(3)
    matches = []
    for rate in rates:
        spec = MatchSpec(rb.limit_holdem(), ("random", "always-call"), deals, 7, duplicate=True)
        chips = np.round(generator.normal(rate, 1.0, (2, deals)) * spec.game.small_bet * 100).astype(np.int64)
        matches.append(MatchResult.of(spec, np.stack([chips, -chips], axis=2)))
    references = tuple(Reference(f"bot{at}", 1000.0 * (at + 1)) for at in range(len(rates)))
    found = tuple(Recorded(name, Estimate(100 * mean, 100.0, deals)) for name, mean in others.items())
    return GauntletResult(1, references, tuple(matches), found)


def test_a_place_and_the_places_that_it_may_be():
    found = constructed([0.4, 0.6], {"best": 2.0, "near": 0.51, "alike": 0.49, "worse": 0.0, "random": 7.0})
    assert [each.bot for each in found.others] == ["best", "near", "alike", "worse"]  # it is not placed beside itself
    assert found.places == (2, 4)
    assert 2 <= found.place <= 4
    assert found.overall.mean == pytest.approx(np.mean([found.rate(0).mean, found.rate(1).mean]))
    assert found.taken == pytest.approx(found.overall.mean / 1.5)
    assert found.badge.startswith("gauntlet 1: random place ")
    assert " of 5 (2 to 4), +" in found.badge
    assert found.to_json()["not_separable"] == ["near", "alike"]


def test_what_ships_is_whole():
    names = [each.bot for each in recorded()]
    assert names == [name for name in CONTESTANTS if name in names]  # in their order, as far as they have played
    assert {"equilibrium", "loki", "hobbybot"} <= set(names)
    assert {each.overall.count for each in recorded()} == {DEALS}
    means = {each.bot: each.overall.mean for each in recorded()}
    # Always folding gives away three quarters of a small bet to whoever does not fold.
    assert means["always-fold"] < means["always-call"] < means["expert"]
    # Nobody takes more than there is.
    assert max(means.values()) < np.mean([each.exploitability for each in REFERENCES]) / 1e3


def test_the_record_is_whole_after_every_bot_and_goes_on(tmp_path, monkeypatch):
    """Who has no result plays first; what lies there stands until it is played again."""

    class Stop(Exception):
        pass

    monkeypatch.setattr(gauntlet, "CONTESTANTS", ("always-call", "always-fold", "always-raise"))
    out, begun = tmp_path / "g.json", []

    def stopping(title, _unit=""):
        begun.append(title)
        if len(begun) > 2:
            raise Stop
        return nullcontext()

    gauntlet._write_recorded(out, 20, [{"bot": "always-fold", "all": {"mean": -7.0, "sd": 0.0, "deals": 20}}])
    with pytest.raises(Stop):
        gauntlet.build_gauntlet(out, tmp_path / "played", stopping, 20, 1)
    assert begun == ["always-call", "always-raise", "always-fold"]
    told = {each["bot"]: each["all"]["mean"] for each in json.loads(out.read_text())["results"]}
    assert list(told) == ["always-call", "always-fold", "always-raise"]
    assert told["always-fold"] == -7.0  # as it was
    gauntlet.build_gauntlet(out, tmp_path / "played", no_bar, 20, 1)
    again = {each["bot"]: each["all"]["mean"] for each in json.loads(out.read_text())["results"]}
    assert again == {**told, "always-fold": again["always-fold"]}
    assert -0.75 <= again["always-fold"] < 0


@pytest.mark.parametrize("bot", ["always-call", "always-fold"])
def test_what_ships_is_what_is_played(bot, tmp_path):
    found = run_gauntlet(tmp_path / "g", GauntletRun(bot, hands=DEALS), 1)
    shipped = next(each.overall for each in recorded() if each.bot == bot)
    assert found.overall.mean == pytest.approx(shipped.mean, abs=1e-6)
    assert found.overall.sd == pytest.approx(shipped.sd, abs=1e-6)


def test_a_gauntlet_on_the_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in ("gauntlet always-raise --hands 60", "results gauntlets/always-raise-gauntlet1 --html page.html"):
        with pytest.raises(SystemExit) as ended:
            main(command.split())
        assert ended.value.code == 0
        said = capsys.readouterr().out
        assert f"gauntlet 1: always-raise | limit heads-up | 60 duplicate pairs against each of 6 | seed {SEED}" in said
        assert "gauntlet 1: always-raise place " in said
    assert "gauntlet 1: always-raise place " in (tmp_path / "page.html").read_text()  # a page without curves
    with pytest.raises(SystemExit):
        main(["results", "gauntlets/always-raise-gauntlet1", "--figure", "page.png"])
    assert "error: there are no curves to draw of 'gauntlet 1: always-raise'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["gauntlet", "always-raise", "--hands", "60", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["deals"], len(told["against"])) == ("railbird.gauntlet/1", 60, 6)
    table = read_gauntlet(tmp_path / "gauntlets" / "always-raise-gauntlet1")
    rates = [row["mean"] for row in table.rows()]
    assert rates[-1] == pytest.approx(np.mean(rates[:-1]))
    listed = [each.overall.mean for each in sorted(table.others, key=lambda each: -each.overall.mean)]
    assert all(higher >= lower for higher, lower in pairwise(listed))


def test_another_bots_folder_and_other_versions_are_refused(tmp_path):
    run_gauntlet(tmp_path / "g", GauntletRun("always-fold", hands=5), 1)
    with pytest.raises(MatchError, match="the gauntlet of another bot"):
        run_gauntlet(tmp_path / "g", GauntletRun("always-call", hands=5), 1)
    file = tmp_path / "g" / "gauntlet.json"
    file.write_text(file.read_text().replace('"version": 1', '"version": 7'))
    with pytest.raises(MatchError, match="holds gauntlet 7, this is gauntlet 1"):
        read_gauntlet(tmp_path / "g")
    file.write_text("{}")
    with pytest.raises(MatchError, match="is damaged"):
        read_gauntlet(tmp_path / "g")
    with pytest.raises(MatchError, match="something else than a gauntlet"):
        read_gauntlet(tmp_path)
