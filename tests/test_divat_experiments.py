"""DIVAT beside money in matches and tournaments, and the experiments of Kan 2007, chapter 4."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from railbird.assess import tables
from railbird.assess.divat import assess, value_of_game
from railbird.assess.summary import assess_pairs
from railbird.cli import main
from railbird.errors import DamagedLogError, MatchError
from railbird.game.spec import limit_holdem, named_game
from railbird.papers import kan_2007
from railbird.papers.catalogue import run_study
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_logs import read_hand_arrays
from railbird.play.matches import play_match
from railbird.play.run import run_matches
from railbird.play.skill import can_be_assessed, with_divat
from railbird.play.tournament import TournamentSpec, run_tournament, tournament_with_divat


@pytest.fixture
def quick_tables(monkeypatch):
    """Without the rollout before the flop, which takes minutes for settings that do not ship it."""
    nothing = np.zeros((169, 1326, 5), np.int32)
    value_of_game.cache_clear()
    monkeypatch.setattr(tables, "_loaded", {})
    monkeypatch.setattr(tables, "_preflop_table", lambda *_: nothing)
    yield
    value_of_game.cache_clear()


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


# Matches


def test_a_match_is_assessed_by_leg_and_hand(quick_tables, tmp_path):
    spec = MatchSpec(limit_holdem(), ("random", "always-call"), 60, 5, duplicate=True)
    folder = MatchFolder.create(tmp_path / "m", spec)
    [result] = run_matches([folder])
    assert result.players[0].divat is None
    assessed = with_divat(folder, result)
    hands = read_hand_arrays([folder.path])
    by_hand = assess(hands).divat
    for index in range(len(hands)):
        leg = int(hands.files[hands.file[index]].endswith("hands-02.log"))
        sign = 1 if hands.names[hands.players[index, 0]] == "random" else -1
        assert assessed.divat[leg, hands.numbers[index]] == sign * by_hand[index]
    [pair] = assess_pairs(hands)
    for measure in ("divat", "duplicate_divat"):
        ours, theirs = getattr(assessed.players[0], measure), pair.estimate(measure)
        sign = 1 if pair.first == "random" else -1
        assert ours.mean == pytest.approx(sign * theirs.mean)
        assert ours.sd == pytest.approx(theirs.sd)
        assert getattr(assessed.players[1], measure).mean == -ours.mean
    np.testing.assert_array_equal(
        play_match(*spec.bots, hands=60, seed=5, duplicate=True, divat=True).divat, assessed.divat
    )


def test_an_unfinished_match_is_assessed_as_far_as_all_legs_have_come(quick_tables, tmp_path):
    spec = MatchSpec(limit_holdem(), ("random", "always-call"), 40, 5, duplicate=True)
    folder = MatchFolder.create(tmp_path / "m", spec)
    [whole] = run_matches([folder])
    whole = with_divat(folder, whole)
    log = folder.log_path(1)
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:20])[:-3])
    result = with_divat(folder, folder.result())
    deals = result.won.shape[1]
    assert 10 < deals < 20
    np.testing.assert_array_equal(result.divat, whole.divat[:, :deals])


def test_a_spoiled_log_is_not_assessed_in_part(quick_tables, tmp_path, capsys):
    spec = MatchSpec(limit_holdem(), ("always-raise", "always-call"), 20, 5)
    folder = MatchFolder.create(tmp_path / "m", spec)
    [result] = run_matches([folder])
    log = folder.log_path(0)
    lines = log.read_text().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if line.startswith("STATE:7:"))
    lines[at] = lines[at].replace("/", "rf/", 1)
    log.write_text("".join(lines))
    with pytest.raises(DamagedLogError, match=r"hands\.log:3-22: hands 0 to 19 are not as they were written"):
        with_divat(folder, result)
    for options in (["--divat"], ["--no-divat"], []):
        code, out, err = run(capsys, "results", str(folder.path), *options)
        assert (code, out) == (2, "")
        assert "hands.log:3-22: hands 0 to 19 are not as they were written (checksum); mend it with: " in err


@pytest.mark.parametrize(
    ("game", "seats", "known"),
    [("limit", 2, True), ("limit", 3, False), ("no-limit", 2, False), ("leduc", 2, False), ("limit:ante=1", 2, False)],
)
def test_which_games_are_assessed(game, seats, known):
    assert can_be_assessed(named_game(game, seats)) is known


def test_a_tournament_is_assessed(quick_tables, tmp_path):
    spec = TournamentSpec(limit_holdem(), ("random", "always-call", "always-raise"), 30, 2)
    result = run_tournament(tmp_path / "t", spec)
    assert result.overall_skill is None
    told = []
    assessed = tournament_with_divat(tmp_path / "t", result, watch=lambda done, total: told.append((done, total)))
    assert told[-1] == (180, 180)
    for player in range(3):
        others = [other for other in range(3) if other != player]
        mean = np.mean([assessed.skill(player, other).mean for other in others])
        assert assessed.overall_skill[player].mean == pytest.approx(mean)
        assert all(assessed.skill(player, o).mean == -assessed.skill(o, player).mean for o in others)
    data = assessed.to_json()["players"][0]
    assert data["divat_against"]["always-call"]["mean"] == assessed.skill(0, 1).mean
    assert data["overall_divat"]["samples"] == 30


# The commands


def test_commands_report_divat_beside_money(quick_tables, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "match", "random", "always-call", "-n", "50", "-d", "-o", "m", "--divat")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:5]] == ["money", "duplicate", "DIVAT", "both"]
    _, out, _ = run(capsys, "results", "m", "--json", "--divat")
    first = json.loads(out)["players"][0]
    assert first["divat"]["samples"] == 100
    assert first["duplicate_divat"]["samples"] == 50
    _, out, _ = run(capsys, "results", "m", "--no-divat")
    assert "DIVAT" not in out
    _, out, _ = run(capsys, "tournament", "random", "always-call", "-n", "30", "-o", "t", "--divat")
    assert out.count("from 2") == 2


def test_a_short_match_is_assessed_with_the_tables_that_ship(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tables, "_loaded", {})
    code, out, _ = run(capsys, "match", "random", "always-call", "-n", "50", "-o", "m")
    assert code == 0
    assert "  DIVAT  " in out
    assert not list((tmp_path / "cache").glob("divat-*"))


def test_ring_games_are_not_assessed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    _, out, _ = run(capsys, "match", "random", "always-call", "random", "-n", "20", "-o", "m")
    assert "assess" not in out
    code, _, err = run(capsys, "match", "random", "always-call", "random", "-n", "20", "-o", "n", "--divat")
    assert code == 2
    assert "DIVAT is for heads-up limit hold'em, not for limit with 3 seats" in err
    assert not Path("n").exists()


# The experiments


def test_matches_of_a_seed_share_their_cards(quick_tables, tmp_path):
    short = run_study("kan-4.1", 40, seed=3, folder=tmp_path / "short")
    long = run_study("kan-4.4", 90, seed=3)
    first, second = short.evidence.matches
    np.testing.assert_array_equal(long.evidence.matches[0].money[:40], first.money)
    assert not np.array_equal(second.money, first.money)
    assert set(np.abs(first.money)) <= {0.0, 7.0}  # seven bets from each player in every hand
    assert [*short.figures(), *long.figures()] == ["kan-4.3a", "kan-4.3b", "kan-4.4"]
    again = run_study("kan-4.1", 40, seed=3, folder=tmp_path / "short")
    assert again.to_json() == short.to_json()


def test_findings_are_of_the_claims(quick_tables, tmp_path):
    result = run_study("kan-4.5", 40, players=("random",), folder=tmp_path)
    assert [str(finding) for finding in result.findings] == list(result.study.claims)
    assert list(result.to_json()) == ["schema", "study", "size", "seed", "unit", "matches", "claims", "verdict"]
    assert result.to_json()["verdict"] == result.verdict
    assert result.verdict in result.figure().summary
    assert MatchFolder.open(tmp_path / "hands").spec.hands == 40
    assert [row["measure"] for row in result.rows()] == ["money", "standard"]
    both = run_study("kan-4.1", 40)
    claims = both.study.claims
    assert all(str(finding).startswith(claims) for finding in both.findings)
    assert all(any(str(finding).startswith(claim) for finding in both.findings) for claim in claims)


def test_two_players_in_duplicate(quick_tables):
    result = run_study("kan-4.6", 40, players=("expert", "random"))
    first, second, both = result.evidence.matches
    np.testing.assert_allclose(both.money, (first.money + second.money) / 2)
    # The second figure shows the other player, with the cards that the first one had.
    money = {name: figure.lines[0].y[-1] for name, figure in result.figures().items()}
    assert money["kan-4.6a"] == pytest.approx(first.money.sum())
    assert money["kan-4.6b"] == pytest.approx(-second.money.sum())
    assert money["kan-4.7"] == pytest.approx(both.money.sum())


def test_other_thresholds_are_compared_on_the_same_hands(quick_tables, monkeypatch):
    monkeypatch.setattr(kan_2007, "FOLDS", ("normal", "tight-high"))
    monkeypatch.setattr(kan_2007, "BETS", ("normal",))
    monkeypatch.setattr(kan_2007, "SHORT", 50)
    study = run_study("kan-4.8", 120, players=("random", "always-call"))
    [match] = study.evidence.matches
    assert set(match.divat) == {"normal", "flop_folds=tight-high"}
    gap = match.divat["flop_folds=tight-high"] - match.divat["normal"]
    assert all(any(claim in str(finding) for claim in study.study.claims) for finding in study.findings)
    assert study.findings[0].ours.mean == pytest.approx(gap.mean())
    assert study.findings[1].ours.mean == pytest.approx(gap[:50].mean())
    assert {finding.ours.claims for finding in study.findings} == {len(study.findings)}, "judged together"
    assert list(study.figures()) == ["kan-4.8a", "kan-4.8b", "kan-4.10a", "kan-4.10b"]
    assert [len(figure.lines) for figure in study.figures().values()] == [4, 3, 4, 3]  # money, lines, one SD


def test_players_that_learn_and_players_too_many_are_refused():
    with pytest.raises(MatchError, match="learns"):
        run_study("kan-4.5", 10, players=("loki-som",))
    with pytest.raises(MatchError, match=r"kan-4\.5 takes 1 player, not 'expert bpm'"):
        run_study("kan-4.5", 10, players=("expert", "bpm"))
    with pytest.raises(MatchError, match=r"kan-4\.6 takes 2 players, not 'expert'"):
        run_study("kan-4.6", 10, players=("expert",))
    with pytest.raises(MatchError, match=r"kan-4\.1 has its own players"):
        run_study("kan-4.1", 10, players=("expert",))


def test_the_command_draws_and_judges(quick_tables, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "experiment", "kan-4.5", "-n", "60", "--player", "random", "--json")
    assert code == 0
    data = json.loads(out)
    assert data["schema"] == "railbird.study/1"
    assert data["matches"][0]["money"]["samples"] == 60
    assert {claim["outcome"] for claim in data["claims"]} <= {"reproduced", "contradicted", "not settled"}
    assert data["verdict"].startswith(("reproduced", "not "))
    png, page = (tmp_path / file for file in data["files"])
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "no skill seen" in page.read_text()
    code, _, err = run(capsys, "experiment", "kan-4.55")
    assert code == 2
    assert "did you mean 'kan-4.5'?" in err
