"""Frequency modelling with sigmoid weights (Piël 2006, section 4.4.1 and Algorithm 2).

A player who folds, calls and raises in the proportion 1:1:1 is thought to raise with the best third of his holdings and
to fold the worst, with soft edges: within the third, weights grow along a sigmoid curve. Holdings are ordered by
expected rank on the board of the moment (`railbird.odds.expected_rank`). An action multiplies the weights of the
player who took it by those of Algorithm 2, for the proportion in which he acted in the hands before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from railbird.cards import HOLDING_COUNT
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.modeling.contexts import bets_to_call
from railbird.modeling.exposed import ExposedScores, SeenAction
from railbird.modeling.frequencies import ENOUGH, FOLD, KINDS, RAISE, ActionFrequencies, Frequencies
from railbird.modeling.reweighting import LOWEST, Weights
from railbird.modeling.table_model import legal_frequencies
from railbird.odds.expected_rank import holding_order

ENTRIES = 364
"""Piël's list: 91 pairs of card ranks with 4 suit signatures each, the worst first."""
STEEPNESS = 10.0


def sigmoid_weights(proportion: Frequencies, action: int, entries: int = ENTRIES) -> Weights:
    """The weights that an action gives to a list of holdings, the worst first (Algorithm 2).

    Of `proportion`, how often the player folds, calls and raises, only the ratios matter.

    >>> raised = sigmoid_weights((1, 1, 1), RAISE)
    >>> int((raised > 0).sum()), round(float(raised[-121 + 60]), 2), round(float(raised[-1]), 2)
    (121, 0.49, 0.99)
    """
    total = sum(proportion)
    folds, _, raises = (int(float(entries) / total * share) for share in proportion)
    raised = np.zeros(entries)
    if raises:
        x = np.arange(raises) / raises
        raised[entries - raises :] = 1.0 - 1.0 / (1.0 + np.exp(STEEPNESS * (x - 0.5)))
    if action == RAISE:
        return raised
    folded = np.zeros(entries)
    if folds:
        x = np.arange(folds) / folds
        folded[:folds] = 1.0 / (1.0 + np.exp(STEEPNESS * (x - 0.5)))
    return folded if action == FOLD else 1.0 - folded - raised


def holding_factors(proportion: Frequencies, action: int, board: tuple[int, ...]) -> Weights:
    """The same for the 1,326 holdings on a board; holdings of equal expected rank get equal weights."""
    order = holding_order(board)
    return order.spread(sigmoid_weights(proportion, action, len(order.holdings)))


class SigmoidModel:
    """What the players of a hand are likely to hold, by Yoki's two statistics; from public information alone.

    contexts: whether proportions are kept by street and bets to call, as Loki does, rather than one for each player.
    exposed: whether the scores at which players acted in hands they showed are used too.
    """

    def __init__(self, contexts: bool = False, exposed: bool = True) -> None:
        self.contexts = contexts
        self.players: dict[str, ActionFrequencies] = {}
        self.exposed = ExposedScores() if exposed else None
        self._names: tuple[str, ...] = ()
        self._seen: list[tuple[SeenAction, Frequencies]] = []
        self._arrays: list[Weights] = []
        self._worked = 0

    def forget(self) -> None:
        """Forget all players."""
        self.players.clear()
        if self.exposed:
            self.exposed.forget()
        self.begin(self._names)

    def begin(self, names: Sequence[str]) -> None:
        """A new hand: nothing is known of the holdings."""
        self._names = tuple(names)
        self._seen = []
        self._arrays = [np.ones(HOLDING_COUNT)] * len(self._names)
        self._worked = 0

    def observe(self, node: Betting, board: tuple[int, ...], action: Action) -> None:
        """The player to act in `node` does `action`."""
        seen = SeenAction(node.to_act, KINDS[action.kind], bets_to_call(node), board)
        self._seen.append((seen, self._proportion(node)))
        player = self.players.setdefault(self._names[seen.position], ActionFrequencies())
        player.count(node.street, seen.bets, seen.action)

    def observe_showdown(self, shown: Mapping[int, tuple[int, ...]]) -> None:
        """The hand is over and these cards, by position, were shown."""
        if self.exposed:
            self.exposed.learn(self._names, [seen for seen, _ in self._seen], shown)

    def predicted_action(self, node: Betting) -> Frequencies:
        """How likely the player to act is to fold, call and raise."""
        return legal_frequencies(node, self._proportion(node))

    def proportion(self, name: str) -> Frequencies:
        """How often a player folds, calls and raises in all, as far as is known."""
        return pooled_proportion(self.players.get(name, NOBODY))

    def weights(self) -> tuple[Weights, ...]:
        """The weight array of every position, the greatest weight of each 1 and none quite 0."""
        for seen, proportion in self._seen[self._worked :]:
            factors = holding_factors(proportion, seen.action, seen.board)
            if self.exposed and seen.is_telling:
                percentiles = holding_order(seen.board).percentiles
                factors = factors * self.exposed.factors(self._names[seen.position], seen.action, percentiles)
            weights = self._arrays[seen.position] * np.maximum(factors, LOWEST)
            self._arrays[seen.position] = np.maximum(weights / weights.max(), LOWEST)
        self._worked = len(self._seen)
        return tuple(self._arrays)

    def _proportion(self, node: Betting) -> Frequencies:
        player = self.players.get(self._names[node.to_act], NOBODY)
        if self.contexts:
            return player.frequencies(node.street, bets_to_call(node))
        fold, call, raises = pooled_proportion(player)
        return (
            (fold, call, raises) if node.to_call else (0.0, fold + call, raises)
        )  # nobody folds where checking is free


NOBODY = ActionFrequencies()
"""A player of whom nothing is known."""


def pooled_proportion(player: ActionFrequencies) -> Frequencies:
    """A player's proportion over all contexts, mixed with 1:1:1 until `ENOUGH` actions have been seen."""
    counts = np.sum(player.counts, axis=(0, 1))
    missing = max(0.0, ENOUGH - float(counts.sum()))
    fold, call, raises = (counts + missing / 3).tolist()
    return fold, call, raises
