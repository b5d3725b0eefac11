"""Yoki (Piël 2006): players that look at their potential hand, and one that bets on what its models say.

TIGHT, LOOSE and DEFAULT (section 3.1.3) compare the percentile of their expected rank with two thresholds. Yoki itself
was never finished: Piël's program modelled its opponents but ran out of time before it could use the models (section
5.1). Railbird's `Yoki` does: it weighs every opponent's holdings by the two models, works out its chance to win against
them, and bets or calls where the money is worth it. docs/papers/yoki.md says what is Piël's and what is not.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from railbird.bots.base import Bot
from railbird.cards import HOLDING_COUNT, holding_index
from railbird.game.actions import CALL, Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.chances import showdown_chance
from railbird.modeling.reweighting import Weights
from railbird.modeling.sigmoid import SigmoidModel
from railbird.odds.expected_rank import expected_rank_tables, holding_order

RUNOUTS = 200
MOST_RAISES = 4
"""Where the rules have no cap, no raise is made after so many on one street."""


class PotentialPlayer(Bot):
    """A player that looks at its potential hand alone (Piël 2006, section 3.1.3).

    fold_below: the share of holdings, the lowest expected ranks, that are folded to a bet. bet_above: the share above
    which it bets and raises.
    """

    def __init__(self, fold_below: float = 0.4, bet_above: float = 0.7) -> None:
        self.fold_below, self.bet_above = fold_below, bet_above

    def can_play(self, game: Game) -> bool:
        return game.is_holdem

    def prepare(self) -> None:
        expected_rank_tables()
        for board in ((0, 5, 10), (0, 5, 10, 15), (0, 5, 10, 15, 20)):
            holding_order(board)

    def act(self, view: PlayerView) -> Action:
        percentile = holding_order(view.board_cards).percentiles[holding_index(*view.hole_cards)]
        if percentile >= self.bet_above and may_raise(view):
            return view.smallest_raise()
        if percentile < self.fold_below:
            return view.check_or_fold()
        return CALL


class Yoki(Bot):
    """A player that bets on what Yoki's models say.

    bet, raise_: how many times an equal share of the pot its chance to win must be for it to bet or to raise. margin:
    by how much the chance must exceed the pot odds to call. contexts: proportions by street and bets to call, not one
    for each player. exposed: whether shown cards are learned from.
    """

    learns = True

    def __init__(
        self, bet: float = 1.0, raise_: float = 1.1, margin: float = 0.0, contexts: bool = True, exposed: bool = True
    ) -> None:
        self.bet, self.raise_, self.margin = bet, raise_, margin
        self.model = SigmoidModel(contexts, exposed)

    def can_play(self, game: Game) -> bool:
        return game.is_holdem

    def reset(self) -> None:
        self.model.forget()

    def prepare(self) -> None:
        expected_rank_tables()
        for board in ((0, 5, 10), (0, 5, 10, 15), (0, 5, 10, 15, 20)):
            holding_order(board)
        win_chance((50, 51), (0, 5, 10, 15, 20), np.ones((HOLDING_COUNT, 1)))

    def on_hand(self, view: PlayerView) -> None:
        self.model.begin(view.names)

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        self.model.observe(view.betting, view.board_cards, action)

    def on_showdown(self, view: PlayerView, shown: Mapping[int, tuple[int, ...]]) -> None:
        self.model.observe_showdown(shown)

    def act(self, view: PlayerView) -> Action:
        node = view.betting
        chance = self.chance(view)
        shares = chance * len(node.live)
        if shares >= (self.raise_ if node.to_call else self.bet) and may_raise(view):
            return view.smallest_raise()
        if node.to_call and chance < node.to_call / (node.pot + node.to_call) + self.margin:
            return view.check_or_fold()
        return CALL

    def chance(self, view: PlayerView) -> float:
        """The chance to win against all opponents in the hand."""
        arrays = self.model.weights()
        opponents = np.ascontiguousarray(np.stack([arrays[position] for position in view.opponents], axis=1))
        return win_chance(view.hole_cards, view.board_cards, opponents, self.rng.bits())


def win_chance(hole: tuple[int, ...], board: tuple[int, ...], weights: Weights, bits: int = 0) -> float:
    """The chance to win the showdown against opponents whose weights are the columns of `weights`, ties counting half.

    Up to the flop `RUNOUTS` ways to finish the board are drawn, from the random `bits`.
    """
    cards, dealt = np.array(hole, np.uint8), np.array(board, np.uint8)
    return float(showdown_chance(TABLE, CARD_KEYS, cards, dealt, weights, RUNOUTS, np.uint64(bits)))


def may_raise(view: PlayerView) -> bool:
    return view.can_raise and view.betting.raises < MOST_RAISES
