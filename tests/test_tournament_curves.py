"""The curves of a tournament: win rates of all players, as far as its matches have come."""

import numpy as np
import pytest

from naive import mean_over_matches
from railbird.errors import MatchError, RailbirdError
from railbird.formats.games import read_game
from railbird.play.tournament import TournamentSpec, read_tournament, run_tournament, tournament_so_far
from railbird.play.tournament_curves import MOST_LINES
from runs_at_hand import show_hands

BOTS = ("always-call", "random", "always-raise", "always-fold")


@pytest.fixture(scope="module", params=[2, 3])
def played(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / "tournament"
    return path, run_tournament(path, TournamentSpec(read_game("limit", request.param), BOTS, 200, 7))


def test_the_last_point_is_what_the_tournament_tells(played):
    _, result = played
    lines = result.figure().lines
    assert [line.name for line in lines] == list(BOTS)
    for line, overall in zip(lines, result.overall):
        assert line.x[-1] == 200
        assert line.y[-1] == pytest.approx(overall.mean)
        assert line.margin[-1] == pytest.approx(overall.margin, rel=0.01)  # Student's, of 200 deals
    assert (result.figure().lines[1].margin[0] > 1.5 * result.figure().lines[1].margin[-1]).all()
    assert result.is_complete


def test_matches_that_have_come_to_different_deals_count_as_far_as_they_have(played, tmp_path):
    path, whole = played
    first, second = sorted(each.name for each in path.iterdir() if each.is_dir())[:2]
    show_hands(path, tmp_path, 0)
    show_hands(path / first, tmp_path / first, 150)
    show_hands(path / second, tmp_path / second, 60)
    found = tournament_so_far(tmp_path)
    assert not found.is_complete
    with pytest.raises(MatchError, match="no hands yet of"):
        read_tournament(tmp_path)
    line_ups = list(whole.matches)[:2]
    for line in found.figure().lines:
        player = BOTS.index(line.name)
        mine = [(at, seats) for at, seats in enumerate(line_ups) if player in seats]
        won = [whole.matches[seats].won[:, : (150, 60)[at], seats.index(player)].mean(axis=0) / 2 for at, seats in mine]
        for at in (0, len(line.x) // 3, -1):
            mean, margin = mean_over_matches([list(each) for each in won], int(line.x[at]))
            assert line.y[at] == pytest.approx(mean)
            assert line.margin[at] == pytest.approx(margin)
    assert {line.name for line in found.figure().lines} == {BOTS[at] for seats in line_ups for at in seats}
    total = 200 * len(whole.matches)
    assert f"210 of {total:,} duplicate" in str(found)
    assert "ratings come when every line-up has begun" in str(found)
    assert "so far" in str(found)


def test_nothing_is_drawn_before_the_first_hand(played, tmp_path):
    path, _ = played
    show_hands(path, tmp_path, 0)
    found = tournament_so_far(tmp_path)
    with pytest.raises(RailbirdError, match="nothing to draw yet"):
        found.figure()
    assert "so far" not in str(found)
    assert "0 of" in str(found)


def test_of_many_players_those_are_drawn_who_win_most(tmp_path):
    bots = tuple(f"random:fold={number}" for number in range(MOST_LINES + 2))
    result = run_tournament(tmp_path / "many", TournamentSpec(read_game("limit", 2), bots, 30, 7))
    figure = result.figure()
    assert f"of the {MOST_LINES} of {len(bots)} players who win most" in figure.title
    best = {result.names[player] for player in result.ranking[:MOST_LINES]}
    assert {line.name for line in figure.lines} == best
    rates = [line.y[-1] for line in figure.lines]
    assert rates == sorted(rates, reverse=True)
    assert np.isfinite(rates).all()


class Enough(Exception):
    """What stops a tournament here."""


def test_a_tournament_that_is_stopped_has_a_result_of_all_players(tmp_path):
    """Some deals of each match are played in turn, and what is written is the same in the end."""
    spec = TournamentSpec(read_game("limit", 2), BOTS[:3], 4_000, 7, block_hands=500)

    def watch(done, total, _standing=""):
        if done >= total / 2:
            raise Enough

    with pytest.raises(Enough):
        run_tournament(tmp_path / "stopped", spec, 1, watch)
    found = read_tournament(tmp_path / "stopped")
    deals = [match.deals for match in found.matches.values()]
    assert min(deals) >= 1_000
    assert max(deals) < 4_000
    assert not found.is_complete
    assert "ratings come" not in str(found)
    run_tournament(tmp_path / "stopped", spec, 1)
    run_tournament(tmp_path / "whole", spec, 1)
    for log in (tmp_path / "whole").rglob("*.log"):
        assert log.read_bytes() == (tmp_path / "stopped" / log.relative_to(tmp_path / "whole")).read_bytes()
