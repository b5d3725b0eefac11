"""A range against a range: exact against sums over pairs of hands, sampled within its margin."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import cards_text, holding_index, parse_cards
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.odds.class_meetings import CLASSES, against_class, meetings
from railbird.odds.equity import equity
from railbird.odds.range_odds import RangeOdds, range_odds
from railbird.odds.ranges import grid_cells, grid_name, parse_range, preflop_counts


def test_every_class_fares_against_all_as_the_table_of_classes_says():
    found = meetings()
    names = [grid_name(*divmod(cell, 13)) for cell in range(CLASSES)]
    sizes = np.bincount(grid_cells(), minlength=CLASSES)
    for cell, name in enumerate(names):
        wins, ties, losses = preflop_counts()[name]
        assert found.wins[cell].sum() == sizes[cell] * wins
        assert found.ties[cell].sum() == sizes[cell] * ties
        assert found.met[cell].sum() == sizes[cell] * (wins + ties + losses)
    assert (found.wins + found.wins.T + found.ties == found.met).all()


@pytest.mark.parametrize("name", ["AA", "T9s", "72o"])
def test_the_table_that_is_shipped_is_the_one_that_is_made(name):
    cell = [grid_name(*divmod(cell, 13)) for cell in range(CLASSES)].index(name)
    wins, ties = against_class(cell)
    assert (wins == meetings().wins[:, cell]).all()
    assert (ties == meetings().ties[:, cell]).all()


@pytest.mark.parametrize(
    ("own", "versus", "board"),
    [
        ("QQ+, AKs", "22+, A2s+", ""),
        ("AA, 72o:0.25", "KK:0.5, T9s", ""),
        ("AdKd, 7c7d:0.5", "QQ+, 98s", ""),
        ("QQ+, AKs", "22+, A2s+", "3h4cJh"),
        ("20%", "JTs, AdKd:0.3", "3h4cJh2d"),
        ("any", "20%", "3h4cJh2d9s"),
    ],
)
def test_both_sides_are_those_of_equity(own, versus, board):
    found = range_odds(own, versus, board)
    assert found.margin is None
    for side, one in zip(found.equities, equity([own, versus], board)):
        assert side.share == pytest.approx(one.share, abs=1e-12)
        assert side.win == pytest.approx(one.win, abs=1e-12)


@pytest.mark.parametrize("board", ["", "3h4cJh"])
def test_each_holding_is_that_of_equity(board):
    own, versus = "QQ, AKs:0.5, 7c6c", "22, AdKd:0.25, T9s"
    found = range_odds(own, versus, board)
    for side, (mine, theirs) in enumerate([(own, versus), (versus, own)]):
        shares, weights = found.holdings(side), parse_range(mine)
        checked = 0
        for text in ("QdQc", "AhKh", "7c6c", "2d2c", "Ts9s", "AdKd"):
            holding = holding_index(*parse_cards(text))
            if weights[holding]:
                assert shares[holding] == pytest.approx(equity([text, theirs], board)[0].share, abs=1e-12)
                checked += 1
        assert checked >= 3
        assert np.isnan(shares[weights == 0]).all()


def test_classes_are_means_over_the_pairs_that_are_dealt():
    found = range_odds("AKs", "AdQd, 22", "3h4cJh")
    members = [holding_index(*parse_cards(text)) for text in ("AcKc", "AdKd", "AhKh", "AsKs")]
    met = found.sums[0][2][members]
    mean = (found.holdings(0)[members] * met).sum() / met.sum()
    assert found.grid(0)[0, 1] == pytest.approx(mean)
    assert met[1] < met[0], "AdKd does not meet AdQd"


def test_other_ranges_before_the_flop_are_sampled_with_a_margin():
    own = "20%, 7c6c:0.3"
    found = RangeOdds.parse(own, "40%, 2c2d:0.2", seed=3)
    exact = equity([own, "40%, 2c2d:0.2"])[0].share
    assert 0 < found.margin < 0.02
    assert abs(found.equities[0].share - exact) < 2 * found.margin
    assert found.equities == RangeOdds.parse(own, "40%, 2c2d:0.2", seed=3).equities
    assert sum(side.share for side in found.equities) == pytest.approx(1)
    assert "sampled: every pair of holdings on 1,200 boards; ± " in str(found)


def test_a_result_like_any_other():
    found = range_odds("QQ+", "AKs", "3h4cJh")
    assert found.to_json()["sides"][0] == found.rows()[0]
    assert found.to_json()["board"] == cards_text(parse_cards("3h4cJh"))
    assert "exact: every pair of holdings on every board" in str(found)
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize(
    ("own", "versus", "board", "error", "words"),
    [
        ("xx", "any", "", InvalidRangeError, "'xx' is not a range"),
        ("AdKd", "AdKd", "", InvalidRangeError, "can be dealt together"),
        ("AA", "KK", "AdAcAh", InvalidRangeError, "can be dealt together on AdAcAh"),
        ("none", "any", "", InvalidRangeError, "can be dealt together"),
        ("AA", "KK", "3h4c", InvalidCardsError, "board"),
    ],
)
def test_what_cannot_meet_is_refused(own, versus, board, error, words):
    with pytest.raises(error, match=words):
        range_odds(own, versus, board)
