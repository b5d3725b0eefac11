"""Counterfactual regret minimisation on small games, whole: vanilla CFR, CFR+, linear CFR and CFR-BR; best responses.

Every decision node keeps, for each board and private card, the regret of each action: by how much it would have done
better than what was played, counted with the opponent's and chance's probability of getting there. Play follows
positive regrets in proportion (regret matching). The average of all strategies played, weighted by the player's own
chance of getting there, converges to an equilibrium (Zinkevich, Johanson, Bowling and Piccione 2007).

    vanilla  both players update together, every iteration counts alike
    plus     CFR+: players take turns, regrets below zero are forgotten, iteration t counts t in the average
             (Tammelin 2014)
    linear   players take turns, iteration t counts t in regrets and average (Brown and Sandholm 2019)
    cfr-br   each player learns as in CFR+ against an opponent who answers its present strategy perfectly (Johanson,
             Bard, Burch and Bowling 2012)

Hold'em is too large for this; `railbird.solve.train` samples boards instead, `railbird.solve.cfr_br` flops.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError, did_you_mean
from railbird.game.betting_tree import DECISION, STREET_START
from railbird.game.spec import Game
from railbird.solve.toy.toy_games import ToyGame

Array = NDArray[np.float64]
Profile = dict[int, Array]
"""By decision node: the probabilities of fold, call and raise, [board, card, action]."""

METHODS = ("vanilla", "plus", "linear", "cfr-br")


class Cfr:
    """Regrets and the average strategy of both players of a toy game.

    >>> from railbird.game.spec import kuhn_poker
    >>> solver = Cfr(kuhn_poker(), "plus")
    >>> solver.iterate(1000)
    >>> abs(game_value(solver.toy, solver.average()) + 1 / 18) < 1e-3
    True
    """

    def __init__(self, game: Game, method: str = "plus") -> None:
        if method not in METHODS:
            raise RailbirdError(f"no method {method!r}{did_you_mean(method, METHODS)} (all: {', '.join(METHODS)})")
        self.toy = ToyGame(game)
        self.method = method
        self.iterations = 0
        tree = self.toy.tree
        self._legal = {int(node): tree.child[node] >= 0 for node in np.flatnonzero(tree.kind == DECISION)}
        shapes = {node: (*self.toy.live(int(tree.street[node])).shape, 3) for node in self._legal}
        self._regrets = {node: np.zeros(shape) for node, shape in shapes.items()}
        self._sums = {node: np.zeros(shape) for node, shape in shapes.items()}

    def iterate(self, iterations: int) -> None:
        """Play and learn so many times more."""
        for _ in range(iterations):
            self.iterations += 1
            turns = [(0, 1)] if self.method == "vanilla" else [(0,), (1,)]
            for players in turns:
                profile = self.current()
                for player in players:
                    reaches = [self.toy.live(0), self.toy.live(0)]
                    answers = best_answers(self.toy, profile, 1 - player) if self.method == "cfr-br" else {}
                    self._learn(0, player, reaches, {**profile, **answers})

    def average(self) -> Profile:
        """The average strategy of both players."""
        return {node: _normalised(sums, self._legal[node]) for node, sums in self._sums.items()}

    def current(self) -> Profile:
        """The strategy that is played next."""
        return {node: self._current(node) for node in self._legal}

    def _current(self, node: int) -> Array:
        return _normalised(np.maximum(self._regrets[node], 0.0), self._legal[node])

    def _learn(self, node: int, player: int, reaches: list[Array], profile: Profile) -> Array:
        """The values of the player's cards at a node, by board; learns on the way back."""
        toy, tree = self.toy, self.toy.tree
        if tree.kind[node] == STREET_START:
            return _after_dealing(toy, node, [*reaches], lambda to, dealt: self._learn(to, player, dealt, profile))
        if tree.kind[node] != DECISION:
            return toy.end_value(node, player, reaches[1 - player])
        actor, strategy = int(tree.actor[node]), profile[node]
        values = np.zeros((*reaches[0].shape, 3))
        for action in np.flatnonzero(self._legal[node]):
            after = [*reaches]
            after[actor] = reaches[actor] * strategy[:, :, action]
            values[:, :, action] = self._learn(int(tree.child[node, action]), player, after, profile)
        if actor != player:
            return np.asarray(values.sum(axis=2))
        value = np.asarray((strategy * values).sum(axis=2))
        time = float(self.iterations)
        change = np.where(self._legal[node], values - value[:, :, None], 0.0)
        self._regrets[node] += time * change if self.method == "linear" else change
        if self.method in ("plus", "cfr-br"):
            np.maximum(self._regrets[node], 0.0, out=self._regrets[node])
        weight = 1.0 if self.method == "vanilla" else time
        self._sums[node] += weight * reaches[player][:, :, None] * strategy
        return value


def uniform(game: Game) -> Profile:
    """Every legal action as likely as any other."""
    toy = ToyGame(game)
    tree = toy.tree
    found = {}
    for node in np.flatnonzero(tree.kind == DECISION):
        legal = tree.child[node] >= 0
        found[int(node)] = np.broadcast_to(legal / legal.sum(), (*toy.live(int(tree.street[node])).shape, 3))
    return found


def game_value(toy: ToyGame, profile: Profile) -> float:
    """Chips a hand that position 0 wins when both play the profile."""
    return _value(toy, profile, 0, best=False)


def best_response_value(toy: ToyGame, profile: Profile, player: int) -> float:
    """Chips a hand that the best response of `player` wins against the profile."""
    return _value(toy, profile, player, best=True)


def nash_conv(toy: ToyGame, profile: Profile) -> float:
    """What both players together could gain by best responses, in chips a hand; 0 for an equilibrium.

    >>> from railbird.game.spec import leduc_poker
    >>> round(nash_conv(ToyGame(leduc_poker()), uniform(leduc_poker())), 4)
    4.7472
    """
    return best_response_value(toy, profile, 0) + best_response_value(toy, profile, 1)


def best_answers(toy: ToyGame, profile: Profile, player: int) -> Profile:
    """What the best response of `player` to the profile does at its decisions; of equally good actions the first."""
    answers: Profile = {}
    _value(toy, profile, player, best=True, answers=answers)
    return answers


def _value(toy: ToyGame, profile: Profile, player: int, best: bool, answers: Profile | None = None) -> float:
    tree = toy.tree

    def at(node: int, reach: Array) -> Array:
        """The values of the player's cards by board, where the opponent comes with chances `reach`."""
        if tree.kind[node] == STREET_START:
            return _after_dealing(toy, node, [reach], lambda to, dealt: at(to, dealt[0]))
        if tree.kind[node] != DECISION:
            return toy.end_value(node, player, reach)
        strategy = profile[node]
        actions = np.flatnonzero(tree.child[node] >= 0)
        if tree.actor[node] != player:
            parts = [at(int(tree.child[node, action]), reach * strategy[:, :, action]) for action in actions]
            return np.asarray(sum(parts))
        parts = [at(int(tree.child[node, action]), reach) for action in actions]
        if best:
            if answers is not None:
                answers[node] = np.eye(3)[actions[np.argmax(parts, axis=0)]]
            return np.asarray(np.max(parts, axis=0))
        return np.asarray(sum(strategy[:, :, action] * part for action, part in zip(actions, parts)))

    return float(at(0, toy.live(0)).sum() / toy.deals)


def _after_dealing(toy: ToyGame, node: int, reaches: list[Array], follow) -> Array:  # type: ignore[no-untyped-def]
    """Deal the next street's board, follow the play, and sum up over boards where one was dealt."""
    before, street = reaches[0].shape[0], int(toy.tree.street[node]) + 1
    live = toy.live(street)
    dealt = [reach * live for reach in reaches]
    values = follow(int(toy.tree.child[node, 1]), dealt)
    return np.asarray((values * live).sum(axis=0, keepdims=True) if before < len(live) else values)


def _normalised(weights: Array, legal: NDArray[np.bool_]) -> Array:
    whole = weights.sum(axis=2, keepdims=True)
    even = legal / legal.sum()
    return np.asarray(np.where(whole > 0, weights / np.where(whole > 0, whole, 1.0), even))
