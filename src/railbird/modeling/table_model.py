"""What the players of a hand are likely to hold, from what everybody has seen (Papp 1998, chapter 7).

For each player there is a weight array, ourselves included: the model is built from public information alone, so it is
also what the others may think of us. Each call, bet or raise re-weights the array of the player who made it, once a
street and from the array as it stood when the street began, with the highest threshold shown so far.

A model is kept as the list of its re-weightings. The arrays that follow from them are worked out when they are asked
for, and kept for a while, so that several players at a table who model alike share the work.

What the thesis names as missing can be switched on: recency (`half_life`), inverse re-weighting, observed variance and
fine contexts. docs/papers/loki-modeling.md says what each is and what it gains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from railbird.cards import HOLDING_COUNT, holding_index
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.modeling.consistency import SPREADS, Consistency
from railbird.modeling.contexts import Details, bets_to_call, details
from railbird.modeling.frequencies import CALL, FOLD, GENERIC, KINDS, RAISE, ActionFrequencies, Frequencies
from railbird.modeling.reweighting import Weights, postflop_reweighted, preflop_reweighted
from railbird.odds.crude import PotentialKind, strength_and_potential_by
from railbird.odds.effective import possible_holdings

Ranking = Literal["field", "uniform"]
UNLIKELY = 0.01
"""Predictions of actions are mixed with equal chances this far, so that none is ever quite ruled out."""


class Reweighting(NamedTuple):
    """What a player's actions on a street say about his holding, as of one of them."""

    position: int
    street: int
    threshold: float
    """The share of holdings that are too weak for what was done; 0 if nothing was but checking."""
    pot_odds: float
    """What the action with that threshold cost, as a share of the pot with it."""
    live: tuple[int, ...]
    """Who was in the hand."""
    board: tuple[int, ...]
    upper: float | None = None
    """With inverse re-weighting, the share of holdings that are not too strong for what was done."""
    spread: float = 1.0
    """What the usual sigma is multiplied by."""
    potential: PotentialKind = "exact"
    ranking: Ranking = "field"


class TableModel:
    """The weight arrays of all players of a hand. `specific` says whether each player's own frequencies are used.

    half_life: an action counts half after so many more in its context. inverse: checks and calls speak against strong
    holdings. observed_variance: sigma follows from the holdings a player has shown. fine_contexts: frequencies also go
    by previous action, opponents and players behind. All but `inverse` need `specific`.
    potential: what re-weighting ranks holdings by, PPOT1 (exact) or PPOTc (crude, as in the thesis).
    ranking: what their EHS' is against, the weighted holdings of the player's opponents (field, section 7.2.4) or all
    holdings alike (uniform, which alone agrees with what section 7.2.3 says of EHS').
    """

    def __init__(
        self,
        specific: bool = False,
        half_life: float | None = None,
        inverse: bool = False,
        observed_variance: bool = False,
        fine_contexts: bool = False,
        potential: PotentialKind = "exact",
        ranking: Ranking = "field",
    ) -> None:
        self.specific = specific
        self.half_life = half_life
        self.inverse = inverse
        self.observed_variance = observed_variance
        self.fine_contexts = fine_contexts
        self.potential = potential
        self.ranking = ranking
        self.players: dict[str, ActionFrequencies] = {}
        self.consistency: dict[tuple[str, bool], Consistency] = {}
        """By name, and whether it is about the play before the flop."""
        self._names: tuple[str, ...] = ()
        self._events: tuple[Reweighting, ...] = ()

    def forget(self) -> None:
        """Forget all players."""
        self.players.clear()
        self.consistency.clear()
        self._events = ()

    def begin(self, names: Sequence[str]) -> None:
        """A new hand: nothing is known of the holdings."""
        self._names = tuple(names)
        self._events = ()

    def predicted_action(self, node: Betting) -> Frequencies:
        """The probabilities that the player to act in `node` will fold, call and raise, as far as the rules let him."""
        player, bets, fine = self._player(node)
        fold, call, raises = player.frequencies(node.street, bets, fine)
        return legal_frequencies(node, (fold, call, raises))

    def observe(self, node: Betting, board: tuple[int, ...], action: Action) -> None:
        """The player to act in `node` does `action`."""
        position, street, kind = node.to_act, node.street, KINDS[action.kind]
        player, bets, fine = self._player(node)
        if self.specific:
            player.count(street, bets, kind, fine)
        is_check = kind == CALL and bets == 0
        if kind == FOLD or (is_check and not self.inverse):
            return  # section 7.2: no re-weighting on a fold or check
        before = next((e for e in reversed(self._events) if e.position == position and e.street == street), None)
        threshold, pot_odds = (before.threshold, before.pot_odds) if before else (0.0, 0.0)
        shown = 0.0 if is_check else player.threshold(street, bets, kind, fine)
        if shown > threshold or not before:
            paid = node.after(action).committed[position] - node.committed[position]
            threshold, pot_odds = shown, paid / (node.pot + paid)
        upper = None
        if self.inverse and kind == CALL:
            upper = before.upper if before else None
            if node.can_raise:
                would_raise = player.threshold(street, bets, RAISE, fine)
                upper = would_raise if upper is None else min(upper, would_raise)
        if before and (threshold, upper) == (before.threshold, before.upper):
            return
        if not before and is_check and upper is None:
            return
        learned = self.consistency.get((self._names[position], street == 0))
        spread = learned.spread if learned else 1.0
        ranked_by = self.potential, self.ranking
        event = Reweighting(position, street, threshold, pot_odds, node.live, board, upper, spread, *ranked_by)
        self._events += (event,)

    def observe_showdown(self, shown: Mapping[int, tuple[int, ...]]) -> None:
        """These positions show these cards. Only observed variance learns from it."""
        if not (self.specific and self.observed_variance):
            return
        for index, event in enumerate(self._events):
            hole = shown.get(event.position)
            later = self._events[index + 1 :]
            if not hole or any(e.position == event.position and e.street == event.street for e in later):
                continue  # the last word of a player on a street is what counts
            holding, possible = holding_index(*hole), possible_holdings(event.board)
            likelihoods = []
            for spread in SPREADS:
                weights = _reweighted(len(self._names), (*self._events[:index], event._replace(spread=spread)))
                likelihoods.append(float(weights[holding] / (weights * possible).sum()))
            key = self._names[event.position], event.street == 0
            self.consistency.setdefault(key, Consistency()).learn(likelihoods)

    @property
    def reweightings(self) -> int:
        """How often actions of the hand have changed a weight array."""
        return len(self._events)

    def weights(self) -> tuple[Weights, ...]:
        """The weight array of every position."""
        return _arrays(len(self._names), self._events)

    def field(self, live: Sequence[int], without: int, dead: tuple[int, ...]) -> Weights:
        """The field array: the average of the normalised arrays of the live players but one (section 7.3.1).

        `dead` are the cards that nobody else can hold: the board, and in one's own decisions one's own cards.
        """
        return field_array(self.weights(), live, without, dead)

    def values(self, live: Sequence[int], position: int, board: tuple[int, ...]) -> Weights:
        """EHS' of all holdings of a player, what re-weighting ranks them by.

        Holdings that meet the board have nan.
        """
        if self.ranking == "uniform":
            return _uniform_values(board, self.potential)[0]
        return _field_values(len(self._names), self._events, tuple(live), position, board, self.potential)[0]

    def frequencies_of(self, position: int) -> ActionFrequencies:
        """The frequencies that speak for the player there."""
        return self.players.get(self._names[position], GENERIC) if self.specific else GENERIC

    def _player(self, node: Betting) -> tuple[ActionFrequencies, int, Details]:
        """The frequencies that speak for the player to act, and his context."""
        bets = bets_to_call(node)
        if not self.specific:
            return GENERIC, bets, ()
        name = self._names[node.to_act]
        player = self.players.get(name)
        if player is None:
            player = self.players[name] = ActionFrequencies(self.half_life)
        return player, bets, details(node) if self.fine_contexts else ()


def legal_frequencies(node: Betting, frequencies: Frequencies) -> Frequencies:
    """The frequencies of the actions that are legal in `node`, in proportion, none of them quite ruled out.

    >>> from railbird.game.spec import limit_holdem
    >>> start = Betting.start(limit_holdem())
    >>> [round(p, 3) for p in legal_frequencies(start.play("rrr"), (0.7, 0.2, 0.1))]  # capped
    [0.775, 0.225, 0.0]
    """
    legal = (node.can_fold, True, node.can_raise)
    kept = [frequency if allowed else 0.0 for frequency, allowed in zip(frequencies, legal)]
    total, even = sum(kept), 1 / sum(legal)
    mixed = [
        ((1 - UNLIKELY) * (share / total if total else even) + UNLIKELY * even) if allowed else 0.0
        for share, allowed in zip(kept, legal)
    ]
    return mixed[0], mixed[1], mixed[2]


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
    arrays = list(_arrays(seats, events[:-1]))
    arrays[events[-1].position] = _reweighted(seats, events)
    return tuple(arrays)


def _reweighted(seats: int, events: tuple[Reweighting, ...]) -> Weights:
    """The array of the player of the last event after it, from the array as it stood when the street began."""
    last = events[-1]
    street_began = tuple(event for event in events if event.street < last.street)
    before = _arrays(seats, street_began)[last.position]
    if last.street == 0:
        return preflop_reweighted(before, last.threshold, last.upper, last.spread)
    if last.ranking == "uniform":
        values, ppot = _uniform_values(last.board, last.potential)
    else:
        values, ppot = _field_values(seats, events[:-1], last.live, last.position, last.board, last.potential)
    return postflop_reweighted(before, values, ppot, last.threshold, last.pot_odds, last.upper, last.spread)


_Values = tuple[Weights, Weights | None]


@lru_cache(maxsize=128)
def _field_values(
    seats: int,
    events: tuple[Reweighting, ...],
    live: tuple[int, ...],
    position: int,
    board: tuple[int, ...],
    potential: PotentialKind,
) -> _Values:
    """EHS' and PPOT of all holdings of a player against the field of his opponents after these re-weightings."""
    return _values(board, field_array(_arrays(seats, events), live, position, board), potential)


@lru_cache(maxsize=32)
def _uniform_values(board: tuple[int, ...], potential: PotentialKind) -> _Values:
    """The same against all holdings alike, whoever plays."""
    return _values(board, possible_holdings(board).copy(), potential)


def _values(board: tuple[int, ...], weights: Weights, potential: PotentialKind) -> _Values:
    hs, ppot = strength_and_potential_by(potential, board, weights)
    return (hs if ppot is None else hs + (1 - hs) * ppot), ppot
