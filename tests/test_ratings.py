"""Ratings of tournaments, who cannot be told from whom, and the line-ups of larger tables."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import railbird as rb
from railbird.cli import main
from railbird.errors import MatchError
from railbird.play.line_ups import line_ups
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.ratings import check_connected, ratings_of
from railbird.play.tournament import TournamentSpec, read_tournament, run_tournament
from railbird.play.tournament_result import TournamentResult
from railbird.statistics import Estimate
from railbird.words import rate

STRENGTHS = np.array([0.5, 0.1, 0.1, -0.2, -0.5])
NAMES = ("a", "b", "c", "d", "e")


def constructed(seats, tables=0, deals=400, seed=1):
    """Matches of players whose rates are additive in strengths, with the luck of the deal in all of them."""
    generator = np.random.default_rng(seed)
    game = rb.limit_holdem(seats)
    found = {}
    for line_up in line_ups(len(STRENGTHS), seats, tables):
        spec = MatchSpec(game, ("random",) * seats, deals, 7, duplicate=True)
        strengths = STRENGTHS[list(line_up)]
        rates = (strengths - (strengths.sum() - strengths) / (seats - 1)) * game.small_bet
        luck = generator.normal(0, 3 * game.small_bet, (spec.seating.legs, deals, seats))
        chips = np.round(rates + luck - luck.mean(axis=2, keepdims=True)).astype(np.int64)
        found[line_up] = MatchResult.of(spec, chips)
    return TournamentResult(NAMES, found)


@pytest.mark.parametrize(("seats", "tables"), [(2, 0), (3, 0), (3, 7), (4, 0)])
def test_additive_strengths_are_found_again(seats, tables):
    found = constructed(seats, tables).ratings
    for player, strength in enumerate(STRENGTHS):
        rating = found.rating(player)
        assert rating.mean == pytest.approx(strength, abs=4.5 * found.standard_error(player))
        assert found.standard_error(player) < 0.15
    assert sum(found.rating(player).mean for player in range(5)) == pytest.approx(0.0, abs=1e-9)


def test_heads_up_a_rating_is_the_mean_over_all_players():
    found = constructed(2)
    for player in range(5):
        assert found.ratings.rating(player).mean == pytest.approx(found.overall[player].mean * 4 / 5)


def test_the_best_and_the_worst_are_separable_and_equals_are_not():
    found = constructed(2, deals=1_500).ratings
    assert found.pairs == 10
    assert 4 not in found.not_separable(0)
    assert 2 in found.not_separable(1)
    assert 1 in found.not_separable(2)
    assert found.lead(0, 4).claims == 10
    assert found.lead(0, 4).mean == pytest.approx(found.rating(0).mean - found.rating(4).mean)


def test_standard_errors_follow_from_deals():
    # Every pair of a deal has the same luck here: nothing of that may count twice.
    table = constructed(2, deals=100)
    same = dict.fromkeys(table.matches, table.matches[0, 1])
    found = ratings_of(NAMES, same)
    by_deal = (table.matches[0, 1].won / rb.limit_holdem().small_bet).mean(axis=0)[:, 0]
    # The first player has won all four of its matches by the same, of which a fifth each counts.
    expected = Estimate.of(by_deal * 4 / 5)
    assert found.standard_error(0) == pytest.approx(expected.sd / 10)


def test_equal_players_are_separated_once_in_twenty_times_at_most():
    generator = np.random.default_rng(5)
    wrong = 0
    for _ in range(200):
        spec = MatchSpec(rb.limit_holdem(), ("random", "always-call"), 60, 7)
        found = {}
        for pair in combinations(range(4), 2):
            chips = np.round(generator.normal(0, 100, (1, 60))).astype(np.int64)
            found[pair] = MatchResult.of(spec, np.stack([chips, -chips], axis=2))
        ratings = ratings_of(("a", "b", "c", "d"), found)
        wrong += any(len(ratings.not_separable(player)) < 3 for player in range(4))
    assert wrong <= 22  # of 200; 5% are 10, and four deviations more


def test_what_is_not_separable_is_shown_as_such(tmp_path):
    result = run_tournament(
        tmp_path / "t", TournamentSpec(rb.limit_holdem(), ("random", "always-call", "always-fold"), 60, 3), 1
    )
    assert "not separable from" in str(result)
    assert "not separable from" in result._repr_html_()
    told = result.to_json()
    assert told["pairs_judged_together"] == 3
    assert [each["name"] for each in told["ratings"]][-1] == "always-fold"
    assert all({"mean", "standard_error", "not_separable"} <= set(each) for each in told["ratings"])
    # The crosstable has the intervals of all pairs together.
    assert result.rate(0, 1).claims == 3
    assert "not separable: by their ratings, that is against all" in str(result)
    assert "deals separate nobody" not in str(result)


def test_few_deals_separate_nobody_and_say_so(tmp_path):
    spec = TournamentSpec(rb.limit_holdem(), ("always-raise", "always-fold", "always-call"), 29, 3)
    result = run_tournament(tmp_path / "t", spec, 1)
    assert all(len(each["not_separable"]) == 2 for each in result.to_json()["ratings"])
    assert "fewer than 30 deals separate nobody" in str(result)


@pytest.mark.parametrize(("players", "seats", "count"), [(6, 3, 4), (10, 6, 20), (7, 3, 30), (12, 10, 30), (8, 4, 69)])
def test_a_sample_of_line_ups_is_balanced(players, seats, count):
    found = line_ups(players, seats, count)
    assert len(set(found)) == count
    played = Counter(player for line_up in found for player in line_up)
    met = Counter(pair for line_up in found for pair in combinations(line_up, 2))
    meetings = [met[pair] for pair in combinations(range(players), 2)]
    assert max(played.values()) - min(played.values()) <= 2
    assert max(meetings) - min(meetings) <= 3


def test_line_ups_that_cannot_be_are_refused():
    for asked, why in (((2, 3, 0), "2 players for tables of 3"), ((4, 3, 9), "9 line-ups"), ((40, 10, 0), "too many")):
        with pytest.raises(MatchError, match=why):
            line_ups(*asked)
    with pytest.raises(MatchError, match="1 line-up, too few to compare all 6 players"):
        line_ups(6, 3, 1)
    check_connected([(0, 1, 2), (2, 3, 4)], 5)


def test_a_ring_tournament(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = "tournament random always-call always-raise expert --seats 3 --hands 12 --out t"
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--json"])
    assert ended.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["seats"], len(told["players"])) == (3, 4)
    found = read_tournament(tmp_path / "t")
    assert sorted(found.matches) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert "round robin | limit 3 seats | 4 line-ups | 12 duplicate deals each" in str(found)
    # The leads of all pairs, judged together.
    assert "intervals between two players hold for all 6 pairs together" in str(found)
    best, second = (found.names[player] for player in found.ratings.ranking[:2])
    lead = found.ratings.lead(*found.ratings.ranking[:2])
    assert lead.claims == 6
    assert f"1 {best}" in str(found)
    assert rate(lead) in str(found)
    assert told["ratings"][0]["ahead_of"][second]["mean"] == pytest.approx(lead.mean)
    won = [match.won.sum() for match in found.matches.values()]
    assert won == [0, 0, 0, 0]
    # It goes on with more deals, and a sample of tables is another tournament.
    longer = TournamentSpec(rb.limit_holdem(3), ("random", "always-call", "always-raise", "expert"), 15, 0)
    assert run_tournament(tmp_path / "t", longer, 1).matches[0, 1, 2].deals == 15
    with pytest.raises(MatchError, match="of other players"):
        run_tournament(tmp_path / "t", TournamentSpec(longer.game, longer.bots, 15, 0, tables=3), 1)


@pytest.mark.parametrize("line_up", ["[0, 1, 1, '01-02-02']", "[0, 1, 9, '01-02-10']", "[0, 1, 2, 'x']", "[0]", "3"])
def test_damaged_line_ups_are_refused(line_up, tmp_path):
    bots = ("random", "always-call", "always-raise")
    run_tournament(tmp_path / "t", TournamentSpec(rb.limit_holdem(3), bots, 5, 0), 1)
    file = tmp_path / "t" / "tournament.json"
    manifest = json.loads(file.read_text())
    manifest["line_ups"] = [json.loads(line_up.replace("'", '"'))]
    file.write_text(json.dumps(manifest))
    with pytest.raises(MatchError, match="is damaged"):
        read_tournament(tmp_path / "t")
