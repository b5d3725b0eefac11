from dataclasses import replace

import pytest

from railbird.errors import InvalidGameError, MatchError
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs, possible_payoffs
from railbird.game.spec import limit_holdem
from railbird.play.match import MatchSpec


def test_a_missed_blind_is_in_the_pot_and_no_bet() -> None:
    game = replace(limit_holdem(3), blinds=(1, 2, 2), dead=(0, 0, 1), first_to_act=(0, 0, 0, 0))
    start = Betting.start(game)
    assert (start.committed, start.street_bets, start.pot) == ((1, 2, 3), (1, 2, 2), 6)
    assert start.play("fcc").street == 1
    short = Betting.start(replace(game, stacks=(50, 50, 2)))
    assert (short.committed, short.street_bets) == ((1, 2, 2), (1, 2, 1))
    with pytest.raises(InvalidGameError, match="2 dead blinds for 3 seats"):
        replace(game, dead=(0, 1))
    with pytest.raises(InvalidGameError, match="none may be negative"):
        replace(game, dead=(0, 0, -1))
    with pytest.raises(MatchError, match="missed blinds"):
        MatchSpec(game, ("always-call",) * 3, 10, 1)


def test_a_missed_blind_is_won_with_the_main_pot() -> None:
    game = replace(limit_holdem(3), blinds=(1, 2, 2), dead=(0, 0, 1), first_to_act=(0, 0, 0, 0))
    end = Betting.start(game).play("fcc/cc/cc/cc")
    assert payoffs(end, [0, 9, 4]) == (-1, 4, -3)
    assert payoffs(end, [0, 4, 4]) == (-1, 1, 0)
    assert possible_payoffs(end, [0, 4, 4]) == [(-1, -1), (1, 1), (0, 0)]
    # All-in for the missed blind and a part of the bet: its owner can win the whole blind, but no more of the bet.
    short = Betting.start(replace(game, stacks=(50, 50, 2))).play("rc/cc/cc/cc")
    assert payoffs(short, [4, 4, 9]) == (-1, -1, 2)
