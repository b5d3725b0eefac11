"""Hands to be watched: shown action by action with what a model makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from railbird.cards import holding_index
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.modeling.reweighting import Weights
from railbird.modeling.table_model import TableModel
from railbird.odds.effective import possible_holdings


@dataclass(frozen=True)
class Frame:
    """The table after an action; `action` is None before the first one."""

    record: HandRecord
    before: Betting
    action: Action | None
    after: Betting
    weights: tuple[Weights, ...]
    """By position, the weight of each holding as the public actions have it."""
    changed: bool
    """Whether the action has changed the weights of the player who took it."""

    @property
    def board(self) -> tuple[int, ...]:
        """The board cards that lie on the table while the action is taken."""
        return self.record.board_on(self.before.street)

    def shown_weights(self, position: int) -> Weights:
        """The weights of a position; nan for holdings that meet the board."""
        return np.where(possible_holdings(self.board) > 0, self.weights[position], np.nan)

    def weight_left(self, position: int) -> float:
        """The average weight of the holdings that do not meet the board: 1 where nothing is known."""
        return float(np.nanmean(self.shown_weights(position)))

    def true_weight(self, position: int) -> float:
        """The weight of the holding that the position really has."""
        return float(self.weights[position][holding_index(*self.record.holes[position])])


def frames(record: HandRecord, model: TableModel) -> Iterator[Frame]:
    """The hand action by action. The model, which may know the players from before, is shown what is public."""
    model.begin(record.names)
    weights = model.weights()
    start = Betting.start(record.game)
    yield Frame(record, start, None, start, weights, False)
    for before, action in record.steps():
        model.observe(before, record.board_on(before.street), action)
        earlier, weights = weights, model.weights()
        position = before.to_act
        changed = not np.array_equal(earlier[position], weights[position])
        yield Frame(record, before, action, before.after(action), weights, changed)
    final = record.final()
    if final.is_showdown:
        model.observe_showdown({position: record.holes[position] for position in final.live})
