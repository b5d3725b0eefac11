"""Players who are known to follow tables, in `railbird assess`."""

from __future__ import annotations

import json

import pytest

import railbird as rb
from railbird.assess.self_play import SelfPlay, file_name
from railbird.assess.summary import MEASURES
from railbird.bots.equilibrium import strategy_of
from railbird.cli import main
from railbird.errors import AssessmentError, UnknownBotError
from railbird.play import assessing
from railbird.play.known import known_players


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    folder = tmp_path_factory.mktemp("known") / "match"
    rb.play_match("equilibrium", "jagbot", hands=60, seed=3, duplicate=True, folder=folder, progress=False)
    return folder


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stopped:
        main([str(each) for each in arguments])
    return stopped.value.code, capsys.readouterr()


def test_aivat_decides_where_a_player_is_known(capsys, match):
    code, told = run(capsys, "assess", match, "--known", "equilibrium")
    assert code == 0
    assert "Duplicate AIVAT says" in told.out
    assert "Surest of those without bias: " in told.out
    lines = told.out.splitlines()
    assert any(line.startswith("  AIVAT ") and "x fewer hands for the same certainty" in line for line in lines)
    code, told = run(capsys, "assess", match)
    assert "AIVAT" not in told.out
    assert "Duplicate DIVAT says" in told.out


def test_its_numbers_in_json_and_frames(capsys, match):
    _, told = run(capsys, "assess", match, "--known", "equilibrium", "--json")
    [pair] = json.loads(told.out)["pairs"]
    found = assessing.assess(match, known="equilibrium", progress=False)
    [summary] = found.pairs
    estimate = summary.estimate("aivat")
    assert pair["measures"]["aivat"]["mean"] == pytest.approx(estimate.mean)
    assert estimate.sd < summary.estimate("money").sd / 2
    assert {"aivat", "duplicate_aivat"} <= {row["measure"] for row in found.rows()}
    assert summary.worth("aivat") > 2
    assert MEASURES["aivat"].is_unbiased
    assert not MEASURES["all_in"].is_unbiased


def test_who_cannot_be_known(capsys, match):
    for known, words in (
        ("jagbot", "'jagbot' does not follow a table, so its luck cannot be told from its play"),
        ("Ann", "no bot 'Ann' (all: railbird bots); a player of another name is known by NAME=BOT"),
        ("Ann=equilibrium", "no player 'Ann' to be known (equilibrium, jagbot)"),
        ("equilibrium=always-raise", "equilibrium did what its table never does, whatever it holds"),
    ):
        code, told = run(capsys, "assess", match, "--known", known)
        assert code != 0
        assert words in told.err


def test_other_games_are_refused(tmp_path):
    rb.play_match(
        "always-call", "always-raise", hands=4, seed=3, game="limit:cap=6", folder=tmp_path / "m", progress=False
    )
    with pytest.raises(AssessmentError, match="AIVAT is for limit hold'em with at most four bets"):
        assessing.assess(tmp_path / "m", known="always-call", progress=False)


def test_nobody_is_known_unless_named():
    assert known_players([]) is None
    with pytest.raises(UnknownBotError):
        known_players(["nobody"])


def test_the_values_that_ship_are_those_of_the_equilibrium_that_ships():
    strategy = strategy_of()
    assert file_name(strategy) == "selfplay-7e0a64b5"
    values = SelfPlay.of(strategy).values
    assert [part.shape for part in values] == [(2, 1, 169), (2, 7, 10_000), (2, 63, 5_000), (2, 567, 1_000)]
    # The big blind's place is worth less than the button's.
    assert values[0][0].mean() < values[0][1].mean()


def test_the_page_says_which_measure_decides(tmp_path, capsys, match):
    run(capsys, "assess", match, "--known", "equilibrium", "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "what decisions were worth (AIVAT)" in page
    assert MEASURES["aivat"].meaning in page
