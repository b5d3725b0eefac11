"""What the players of a hand are likely to hold, from what everybody has seen (Papp 1998, chapter 7).

For each player there is a weight array, ourselves included: the model is built from public information alone, so it is
also what the others may think of us. Each call, bet or raise re-weights the array of the player who made it, once a
street and from the array as it stood when the street began, with the highest threshold shown so far.

A model is kept as the list of its re-weightings. The arrays that follow from them are worked out when they are asked
for, and kept for a while, so that several players at a table who model alike share the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from railbird.cards import HOLDING_COUNT
from railbird.evaluation.effective import possible_holdings, strength_and_potential
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.modeling.frequencies import CALL, FOLD, GENERIC, RAISE, ActionFrequencies, bets_to_call
from railbird.modeling.reweighting import Weights, postflop_reweighted, preflop_reweighted

_KINDS = {"f": FOLD, "c": CALL, "r": RAISE}


class Reweighting(NamedTuple):
    """One action that says something about a holding."""

    position: int
    street: int
    threshold: float
    pot_odds: float
    """What the action cost, as a share of the pot with it."""
    live: tuple[int, ...]
    """Who was in the hand."""
    board: tuple[int, ...]


class TableModel:
    """The weight arrays of all players of a hand. `specific` says whether each player's own frequencies are used."""

    def __init__(self, specific: bool = False, half_life: float | None = None) -> None:
        self.specific = specific
        self.half_life = half_life
        self.players: dict[str, ActionFrequencies] = {}
        self._names: tuple[str, ...] = ()
        self._events: tuple[Reweighting, ...] = ()

    def forget(self) -> None:
        """Forget all players."""
        self.players.clear()
        self._events = ()

    def begin(self, names: Sequence[str]) -> None:
        """A new hand: nothing is known of the holdings."""
        self._names = tuple(names)
        self._events = ()

    def observe(self, node: Betting, board: tuple[int, ...], action: Action) -> None:
        """The player to act in `node` does `action`."""
        position, street = node.to_act, node.street
        kind, bets = _KINDS[action.kind], bets_to_call(node)
        player = GENERIC
        if self.specific:
            player = self.players.setdefault(self._names[position], ActionFrequencies(self.half_life))
            player.count(street, bets, kind)
        if kind == FOLD or (kind == CALL and bets == 0):
            return  # section 7.2: no re-weighting on a fold or check
        threshold = player.threshold(street, bets, kind)
        shown = [e.threshold for e in self._events if e.position == position and e.street == street]
        if shown and threshold <= max(shown):
            return
        paid = node.to_call if kind == CALL else node.to_call + node.game.bet_sizes[street]
        self._events += (Reweighting(position, street, threshold, paid / (node.pot + paid), node.live, board),)

    def weights(self) -> tuple[Weights, ...]:
        """The weight array of every position."""
        return _arrays(len(self._names), self._events)

    def field(self, live: Sequence[int], without: int, dead: tuple[int, ...]) -> Weights:
        """The field array: the average of the normalised arrays of the live players but one (section 7.3.1).

        `dead` are the cards that nobody else can hold: the board, and in one's own decisions one's own cards.
        """
        return field_array(self.weights(), live, without, dead)


def field_array(arrays: Sequence[Weights], live: Sequence[int], without: int, dead: tuple[int, ...]) -> Weights:
    """The sum of the normalised arrays of the live positions but one; only proportions matter."""
    possible = possible_holdings(dead)
    total = np.zeros(HOLDING_COUNT)
    for position in live:
        if position != without:
            weights = arrays[position] * possible
            total += weights / weights.sum()
    return total


@lru_cache(maxsize=512)
def _arrays(seats: int, events: tuple[Reweighting, ...]) -> tuple[Weights, ...]:
    """The weight arrays of all positions after these re-weightings."""
    if not events:
        return (np.ones(HOLDING_COUNT),) * seats
    last = events[-1]
    arrays = list(_arrays(seats, events[:-1]))
    street_began = tuple(event for event in events if event.street < last.street)
    before = _arrays(seats, street_began)[last.position]
    if last.street == 0:
        arrays[last.position] = preflop_reweighted(before, last.threshold)
        return tuple(arrays)
    field = field_array(arrays, last.live, last.position, last.board)
    hs, ppot = strength_and_potential(last.board, field)
    values = hs if ppot is None else hs + (1 - hs) * ppot
    arrays[last.position] = postflop_reweighted(before, values, ppot, last.threshold, last.pot_odds)
    return tuple(arrays)
