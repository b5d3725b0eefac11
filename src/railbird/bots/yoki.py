"""Yoki (Piël 2006): a player that bets on what its models of the opponents say.

Yoki was never finished: Piël's program modelled its opponents but ran out of time before it could use the models
(section 5.1). Railbird's `Yoki` does: it weighs every opponent's holdings by the two models, works out its chance to
win against them, and bets or calls where the money is worth it. docs/papers/yoki.md says what is Piël's and what is
not.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from railbird.bots.base import Bot, may_raise
from railbird.bots.decision import Decision, Note, OpponentWeights, Step, rule_by_action
from railbird.cards import HOLDING_COUNT
from railbird.game.actions import CALL, Action
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.chances import showdown_chance
from railbird.modeling.reweighting import Weights
from railbird.modeling.sigmoid import SigmoidModel
from railbird.odds.expected_rank import holding_order

RUNOUTS = 200
_CHANCE_NOTES = {
    "chance": Note("to win against all opponents, as the models weigh their holdings"),
    "fair shares": Note("the same in equal shares of the pot: what bets go by", ".2f"),
    "price": Note("pot odds and margin: what calls go by"),
}


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
        return self._action(view, self.chance(view))

    def explain(self, view: PlayerView) -> Decision:
        node, chance = view.betting, self.chance(view)
        action = self._action(view, chance)
        known = {"chance": chance, "fair shares": chance * len(node.live)}
        wanted, enough = ("raise", self.raise_) if node.to_call else ("bet", self.bet)
        steps = [Step(wanted, "fair shares", known["fair shares"], wanted, enough)]
        if node.to_call:
            known["price"] = self._price(node)
            steps.append(Step("call", "chance", chance, "price", known["price"]))
        reason = "by its chance against what the models think the opponents hold"
        columns = self._opponents(view)
        each = dict(zip(view.opponents, columns.T.copy()))
        weights = OpponentWeights(columns.mean(axis=1), "goes best with what was done", each)
        return Decision(
            action, rule_by_action(view, action), reason, known, _CHANCE_NOTES, tuple(steps), weights=weights
        )

    def _action(self, view: PlayerView, chance: float) -> Action:
        node = view.betting
        shares = chance * len(node.live)
        if shares >= (self.raise_ if node.to_call else self.bet) and may_raise(view):
            return view.smallest_raise()
        if node.to_call and chance < self._price(node):
            return view.check_or_fold()
        return CALL

    def _price(self, node: Betting) -> float:
        """The chance to win that a call takes."""
        return node.to_call / (node.pot + node.to_call) + self.margin

    def chance(self, view: PlayerView) -> float:
        """The chance to win against all opponents in the hand."""
        return win_chance(view.hole_cards, view.board_cards, self._opponents(view), self.rng.bits())

    def _opponents(self, view: PlayerView) -> Weights:
        """The weights of the opponents' holdings, a column for each of them."""
        arrays = self.model.weights()
        return np.ascontiguousarray(np.stack([arrays[position] for position in view.opponents], axis=1))


def win_chance(hole: tuple[int, ...], board: tuple[int, ...], weights: Weights, bits: int = 0) -> float:
    """The chance to win the showdown against opponents whose weights are the columns of `weights`, ties counting half.

    Up to the flop `RUNOUTS` ways to finish the board are drawn, from the random `bits`.
    """
    cards, dealt = np.array(hole, np.uint8), np.array(board, np.uint8)
    return float(showdown_chance(TABLE, CARD_KEYS, cards, dealt, weights, RUNOUTS, np.uint64(bits)))
