"""Policies in toy games: any `Policy` as the profile that the solver and its best responses work with."""

from __future__ import annotations

import numpy as np

from railbird.solve.policy import Policy
from railbird.solve.toy.cfr import Profile
from railbird.solve.toy.toy_games import ToyGame


def profile_of(toy: ToyGame, policy: Policy) -> Profile:
    """What a policy does at every decision, on every board, with every card.

    >>> from railbird.game.actions import ProbabilityTriple
    >>> from railbird.game.spec import leduc_poker
    >>> from railbird.solve.policy import ConstantPolicy
    >>> from railbird.solve.toy.cfr import nash_conv
    >>> toy = ToyGame(leduc_poker())
    >>> round(nash_conv(toy, profile_of(toy, ConstantPolicy(toy.game, ProbabilityTriple(1, 1, 1)))), 4)
    4.7472
    """
    tree, found = toy.tree, {}
    for street in range(toy.game.streets):
        boards: list[tuple[int, ...]] = [()] if toy.board_count(street) == 1 else [(card,) for card in toy.cards]
        tables = np.array([policy.probabilities(street, board) for board in boards], np.float64)
        for node in tree.decisions[street].tolist():
            found[node] = tables[:, tree.row[node]]
    return found
