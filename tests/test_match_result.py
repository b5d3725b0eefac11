"""What a match says of two players: which measure decides, and what it would take."""

from __future__ import annotations

from railbird.play.match_result import PlayerResult, pair_parts
from railbird.statistics import Estimate


def said(money, divat=None):
    players = [PlayerResult("Ann", money, None, divat), PlayerResult("Bob", money.opposite, None, None)]
    return [part.words for part in pair_parts(players, "sb/hand")][-1]


def test_divat_decides_wherever_it_is_also_where_money_has_the_narrower_interval():
    money, divat = Estimate(0.5, 1.0, 100), Estimate(-0.1, 3.0, 100)
    assert said(money) == "Ann is better: the interval leaves out zero"
    assert said(money, divat) == "not settled: about 3,400 more hands needed"
    assert said(divat, money) == "Ann is better: DIVAT's interval leaves out zero"


def test_one_more_hand_is_one():
    assert said(Estimate(0.2, 1.014, 99)) == "not settled: about 1 more hand needed"
