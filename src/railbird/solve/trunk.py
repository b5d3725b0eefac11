"""The play before the flop in CFR-BR: by class of holdings, worked on the host whatever works the flops.

Both sides learn it by regret matching, the learner in `Training.regrets` and the one who answers in `Training.trunk`.
A sampled flop stands for the whole deal: holdings that share a card with it are not dealt, and neither are they to the
opponent, so that folds before the flop and flops seen are counted alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import DECISION, FOLDED, BettingTree
from railbird.game.spec import Game
from railbird.solve.flops import Flops

Array = NDArray[np.float64]


class Trunk:
    """The first betting round, for all classes of holdings at once. Tables are by row, class and action."""

    def __init__(self, game: Game) -> None:
        self.tree = BettingTree.of(game)
        self.rounds = betting_rounds(game)[0]
        self.flops = Flops.of(True)
        self.actors = self.tree.actor[self.tree.decisions[0]]
        """By row: the position that acts."""
        self._legal = self.tree.legal(0)[:, None, :]
        self._closings = {
            int(self.rounds.openings[0] + place): number for number, place in enumerate(self.rounds.closings)
        }
        pairs = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])
        self._holds = np.zeros((HOLDING_COUNT, CARD_COUNT))
        self._holds[np.arange(HOLDING_COUNT)[:, None], pairs] = 1.0

    def matched(self, regrets: Array) -> Array:
        """The play that regrets ask for: in proportion to the positive ones, evenly where none is."""
        wanted = np.where(self._legal, np.maximum(regrets, 0.0), 0.0)
        whole = wanted.sum(axis=2, keepdims=True)
        even = self._legal / self._legal.sum(axis=2, keepdims=True)
        return np.where(whole > 0, wanted / np.where(whole > 0, whole, 1.0), even)

    def reach(self, play: Array, player: int) -> Array:
        """By closing and class: the chance that a player's own decisions lead there."""
        return np.array([self._on_the_way(play, player, node) for node in self._closings])

    def paths(self, play: Array, player: int) -> Array:
        """By row and class: the same for decisions."""
        return np.array([self._on_the_way(play, player, int(node)) for node in self.tree.decisions[0]])

    def _on_the_way(self, play: Array, player: int, node: int) -> Array:
        tree, found = self.tree, np.ones(play.shape[1])
        while tree.parent[node] >= 0:
            before = int(tree.parent[node])
            if tree.actor[before] == player:
                action = tree.child[before].tolist().index(node)
                found = found * play[tree.row[before], :, action]
            node = before
        return found

    def alive(self, flop: tuple[int, ...]) -> Array:
        """By holding: 1 if it shares no card with a flop, 0 if it does."""
        return np.asarray(self._holds[:, list(flop)].sum(axis=1) == 0, np.float64)

    def gains(self, play: Array, player: int, won: Array, alive: Array) -> Array:
        """What each action gains a player more than its play, by row and class, on one flop.

        `won` are the values of the closings to the player by class, on average over the holdings of the class.
        """
        tree, found = self.tree, np.zeros_like(play)

        def value(node: int, reach: Array) -> Array:
            if tree.kind[node] == FOLDED:
                folder = int(tree.actor[node])
                lost = int(tree.committed[node, folder])
                return (-lost if folder == player else lost) * self._met(reach, alive)
            if tree.kind[node] != DECISION:
                return np.asarray(won[self._closings[node]])
            row, actions = tree.row[node], np.flatnonzero(tree.child[node] >= 0)
            if tree.actor[node] != player:
                parts = [value(int(tree.child[node, a]), reach * play[row, :, a]) for a in actions]
                return np.asarray(sum(parts))
            parts = [value(int(tree.child[node, a]), reach) for a in actions]
            whole = np.asarray(sum(play[row, :, a] * part for a, part in zip(actions, parts)))
            for a, part in zip(actions, parts):
                found[row, :, a] = part - whole
            return whole

        value(int(self.rounds.openings[0]), np.ones(play.shape[1]))
        return found

    def _met(self, reach: Array, alive: Array) -> Array:
        """By class: the opponent's reach over all holdings that are dealt beside one of the class."""
        others = reach[self.flops.classes] * alive
        by_card = others @ self._holds
        met = others.sum() - self._holds @ by_card + others
        return self.flops.class_means(met * alive)
