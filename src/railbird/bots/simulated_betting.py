"""Betting by simulation: each action's expected value from playing the hand out (Papp 1998, section 6.9, chapter 9).

The thesis only names it: play to the end of the hand with holdings drawn from the weight arrays, predict the opponents'
actions from what is known of them, and take the action that wins most. The policy of the play-outs, which the thesis
leaves open, is stated in `railbird.kernels.play.play_outs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, holding_cards
from railbird.game.actions import CALL, FOLD, Action
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import RANKING
from railbird.kernels.play.play_outs import Cards, Opponents, Situation, find_expected_values
from railbird.modeling.frequencies import CALL as CALLING
from railbird.modeling.frequencies import RAISE as RAISING
from railbird.modeling.frequencies import ActionFrequencies
from railbird.modeling.reweighting import Weights
from railbird.odds.effective import possible_holdings

_NO_CAP = 1_000


class OpponentModel(NamedTuple):
    """What is thought of one opponent."""

    weights: Weights
    values: Weights
    """EHS' of each of his holdings on this street; nan for those that cannot be dealt."""
    frequencies: ActionFrequencies


class ExpectedValue(NamedTuple):
    """What an action wins on average from here on, in small bets; what was paid before is lost already."""

    action: Action
    mean: float
    standard_error: float


def expected_values(
    view: PlayerView,
    opponents: Sequence[OpponentModel],
    strength: float,
    ppot: float,
    make1: float,
    make2: float,
    trials: int,
    seed: int,
) -> tuple[ExpectedValue, ...]:
    """The expected values of the legal actions, folding first, for the player of `view` in a limit game.

    opponents: in the order of `view.opponents`. strength and ppot are ours against one of them, on average. make1 and
    make2 are the thresholds we go on betting by. The same `seed` gives the same answer.
    """
    node, game = view.betting, view.game
    possible = possible_holdings(view.board_cards + view.hole_cards)
    weights = np.stack([model.weights for model in opponents]) * possible
    weights /= weights.sum(axis=1, keepdims=True)
    thresholds = np.zeros((game.seats, 4, 3, 3, 2))
    for position, model in zip(view.opponents, opponents):
        thresholds[position] = _thresholds(model.frequencies)
    rules = [
        (bet, _NO_CAP if most is None else most, first)
        for bet, most, first in zip(game.bet_sizes, game.max_raises, game.first_to_act)
    ]
    totals = np.zeros((3, 2))
    cards = Cards(_holding_cards(), np.array(view.hole_cards, np.uint8), np.array(view.board_cards, np.uint8))
    believed = Opponents(
        np.array(view.opponents, np.int64),
        np.cumsum(weights, axis=1),
        np.cumsum(weights.sum(axis=0)),
        np.stack([model.values for model in opponents]),
    )
    live = np.array([p == view.position or p in view.opponents for p in range(game.seats)], np.int64)
    situation = Situation(
        view.position,
        np.array([node.street, node.level, node.raises, node.pot, node.to_play, node.acted], np.int64),
        np.array(rules, np.int64),
        np.array(node.street_bets, np.int64),
        live,
        np.array([strength, ppot, make1, make2]),
        thresholds,
    )
    played = find_expected_values(RANKING, cards, believed, situation, trials, np.uint64(seed), totals)
    actions = [(0, FOLD)] if node.to_call else []
    actions += [(1, CALL)] + ([(2, view.smallest_raise())] if node.can_raise else [])
    return tuple(_estimate(action, totals[row], max(1, played), game.small_bet) for row, action in actions)


def _estimate(action: Action, totals: Weights, count: int, unit: int) -> ExpectedValue:
    mean = float(totals[0]) / count
    variance = max(0.0, float(totals[1]) / count - mean * mean)
    return ExpectedValue(action, mean / unit, float(np.sqrt(variance / count)) / unit)


def _thresholds(frequencies: ActionFrequencies) -> list[list[list[tuple[float, float]]]]:
    """The player's thresholds by street, bets to call and what he has done on the street, for calling and for raising.

    What he has done counts where the model has fine contexts (`railbird.modeling.contexts`).
    """
    return [
        [
            [
                (
                    frequencies.threshold(street, bets, CALLING, (done,)),
                    frequencies.threshold(street, bets, RAISING, (done,)),
                )
                for done in range(3)
            ]
            for bets in range(3)
        ]
        for street in range(4)
    ]


@lru_cache(maxsize=1)
def _holding_cards() -> NDArray[np.int64]:
    return np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)], np.int64)
