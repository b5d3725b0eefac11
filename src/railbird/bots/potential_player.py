"""TIGHT, LOOSE and DEFAULT (Piël 2006, section 3.1.3): players that look at their potential hand alone.

They compare the percentile of their expected rank with two thresholds. docs/papers/yoki.md says more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot, may_raise, own_row
from railbird.bots.decision import Decision, Note, Step, rule_by_action
from railbird.cards import holding_index
from railbird.game.actions import CALL, FOLD, Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.odds.expected_rank import holding_order

_PERCENTILE_NOTES = {
    "percentile": Note("of the holding, in the order of expected ranks"),
    "fold below": Note("a bet is not called with less"),
    "bet above": Note("it bets and raises with more"),
}


class PotentialPlayer(Bot):
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
        if percentile >= self.bet_above and may_raise(view):
            return view.smallest_raise()
        if percentile < self.fold_below:
            return view.check_or_fold()
        return CALL

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64]:
        places = own_row(holding_order(view.board_cards).percentiles, view, every)
        raises = (places >= self.bet_above) & may_raise(view)
        folds = ~raises & (places < self.fold_below) & bool(view.check_or_fold() == FOLD)
        return np.stack([folds, ~raises & ~folds, raises], axis=-1).astype(np.float64)

    def explain(self, view: PlayerView) -> Decision:
        known = {"percentile": self.percentile(view), "fold below": self.fold_below, "bet above": self.bet_above}
        steps = (
            Step("bet", "percentile", known["percentile"], "bet above", self.bet_above),
            Step("call", "percentile", known["percentile"], "fold below", self.fold_below),
        )
        action = self.act(view)
        reason = "by the place of its potential hand among all holdings"
        return Decision(action, rule_by_action(view, action), reason, known, _PERCENTILE_NOTES, steps)
