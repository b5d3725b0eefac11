"""TIGHT, LOOSE and DEFAULT (Piël 2006, section 3.1.3): players that look at their potential hand alone.

They compare the percentile of their expected rank with two thresholds. docs/papers/yoki.md says more.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import may_raise
from railbird.bots.classed import ClassedBot, bare_view, by_kind
from railbird.bots.decision import Decision, Note, Step, rule_by_action
from railbird.cards import holding_index
from railbird.game.actions import CALL, Action
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.odds.expected_rank import holding_order

_PERCENTILE_NOTES = {
    "percentile": Note("of the holding, in the order of expected ranks"),
    "fold below": Note("a bet is not called with less"),
    "bet above": Note("it bets and raises with more"),
}


class PotentialPlayer(ClassedBot):
    """A player that looks at its potential hand alone (Piël 2006, section 3.1.3).

    fold_below: the share of holdings, the lowest expected ranks, that are folded to a bet. bet_above: the share above
    which it bets and raises.
    """

    tells_quickly = True

    def __init__(self, fold_below: float = 0.4, bet_above: float = 0.7) -> None:
        self.fold_below, self.bet_above = fold_below, bet_above

    def can_play(self, game: Game) -> bool:
        return game.is_holdem

    def prepare(self) -> None:
        for board in ((0, 5, 10), (0, 5, 10, 15), (0, 5, 10, 15, 20)):
            holding_order(board)

    def percentile(self, view: PlayerView) -> float:
        """The share of holdings of a lower expected rank."""
        return float(holding_order(view.board_cards).percentiles[holding_index(*view.hole_cards)])

    def act(self, view: PlayerView) -> Action:
        percentile = self.percentile(view)
        return _done(view, percentile >= self.bet_above, percentile < self.fold_below)

    def explain(self, view: PlayerView) -> Decision:
        known = {"percentile": self.percentile(view), "fold below": self.fold_below, "bet above": self.bet_above}
        steps = (
            Step("bet", "percentile", known["percentile"], "bet above", self.bet_above),
            Step("call", "percentile", known["percentile"], "fold below", self.fold_below),
        )
        action = self.act(view)
        reason = "by the place of its potential hand among all holdings"
        return Decision(action, rule_by_action(view, action), reason, known, _PERCENTILE_NOTES, steps)

    def class_counts(self, game: Game) -> tuple[int, ...]:
        return (4, 4, 4, 4)

    def holding_classes(self, game: Game, board: tuple[int, ...]) -> NDArray[np.int32]:
        places = holding_order(board).percentiles
        return np.asarray(2 * (places >= self.bet_above) + (places < self.fold_below), np.int32)

    def class_chances(self, node: Betting) -> NDArray[np.float64]:
        view = bare_view(node)
        actions = [_done(view, is_good, is_bad) for is_good in (False, True) for is_bad in (False, True)]
        return np.array([by_kind(action) for action in actions])

    def betting_seen(self, betting: Betting) -> Hashable:
        return betting.to_call > 0, betting.raises


def _done(view: PlayerView, is_good: bool, is_bad: bool) -> Action:
    """What is done with a hand that is good enough to bet, and with one that is too bad to call."""
    if is_good and may_raise(view):
        return view.smallest_raise()
    return view.check_or_fold() if is_bad else CALL
