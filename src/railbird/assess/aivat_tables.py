"""AIVAT at any table: two and more players, any betting; `railbird.assess.aivat` tells what it is.

One known player is imagined with every holding that he may have, all others have the cards that they were dealt; who is
known beside him has his actions corrected too. Where several are known each is imagined in turn, and the mean counts.

There is no solved strategy whose values could be compared, so values are shares of the pot, as if nobody bet any more:

- when board cards come, of the pot that lies there, side pots each for those who play for it;
- when a known player acts, of the pot as it would be if all who are left called; what a player who folds leaves goes to
  the others in proportion;
- of hole cards, what they earn when everybody calls to the end (Papp's income rates), against what those of the others
  earn.

Every event has a value function of its own, and is taken off with a factor that was fixed beforehand (`SCALES`), as
MIVAT's coefficients are: whatever function and factor, what is taken off is nothing on average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.assess.card_luck import LUCK_SHARES, ahead_of_others, hole_worths
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import AssessmentError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs, side_pots
from railbird.game.pot_shares import fair_payoffs
from railbird.game.record import HandRecord
from railbird.game.view import PlayerView
from railbird.odds.divided_pots import Pot
from railbird.odds.imagined_pots import imagined_shares

Values = NDArray[np.float64]
Cards = tuple[int, ...]
_MASK = (1 << 64) - 1
SCALES = (*LUCK_SHARES, 1.2, 1.5, 1.2, 1.1)
"""How much of the luck is taken off: of the hole cards; of flop, turn and river; of the actions on each street."""


class Told(NamedTuple):
    """What a known player does in a position."""

    actions: Sequence[Action]
    """All that he may do."""
    chances: Values
    """[holdings, actions] how likely."""


class KnownSeat(Protocol):
    """A player whose probabilities are known."""

    def told(self, view: PlayerView) -> Told:
        """What he does in a position, with any holding; the cards of the view do not count."""


class Dealing(Protocol):
    """The cards of a game, as far as values go by them."""

    @property
    def holdings(self) -> Sequence[Cards]:
        """All that a player may hold."""

    def number(self, hole: Cards) -> int:
        """The place of a holding among them."""

    def shares(self, pot: Pot, imagined: int, weights: Values) -> Values:
        """[holdings, seats] the share of each position in a pot, as if nobody bet any more; the mean over the cards to
        come is that of the cards that can come with the holding."""

    def worths(self, seats: int) -> Values:
        """By holding, what it is worth before anything else is known."""


class HoldemDealing:
    """Hold'em."""

    @cached_property
    def holdings(self) -> Sequence[Cards]:
        return [holding_cards(holding) for holding in range(HOLDING_COUNT)]

    def number(self, hole: Cards) -> int:
        return holding_index(*hole)

    def shares(self, pot: Pot, imagined: int, weights: Values) -> Values:
        return imagined_shares(pot, imagined, weights)

    def worths(self, seats: int) -> Values:
        return hole_worths(seats)


@dataclass(frozen=True)
class TableAivat:
    """The measure for hands at any table."""

    dealing: Dealing
    scales: Sequence[float] = SCALES
    """For the hole cards, the board cards of each street but the first, and the actions of each street."""

    def of(self, record: HandRecord, known: Mapping[int, KnownSeat]) -> Values:
        """By position, the measure of a hand in chips, before rake; `known` are positions, one at least."""
        paid, terms = self.parts(record, known)
        return np.asarray(paid + np.array(self.scales) @ terms)

    def parts(self, record: HandRecord, known: Mapping[int, KnownSeat]) -> tuple[Values, Values]:
        """By position what is won on average over what the known players may hold, and the luck that is taken off, a
        row for each of the scales."""
        if not all(record.holes):
            raise AssessmentError(f"hand {record.number} hides cards, so that nobody can be imagined with others")
        found = [_Imagined(self.dealing, record, position, known).followed() for position in known]
        return np.mean([paid for paid, _ in found], axis=0), np.mean([terms for _, terms in found], axis=0)


@dataclass(frozen=True)
class KnownTables:
    """Players who are known at tables of any kind, by name, and the measure of their hands."""

    measure: TableAivat
    players: Mapping[str, KnownSeat]

    def of(self, record: HandRecord) -> Values | None:
        """By position, the measure of a hand in chips; none where nobody who plays is known, or cards are hidden."""
        known = {at: self.players[name] for at, name in enumerate(record.names) if name in self.players}
        return self.measure.of(record, known) if known and all(record.holes) and record.game.is_holdem else None


class _Imagined:
    """A hand of which one player is imagined, followed from event to event."""

    def __init__(self, dealing: Dealing, record: HandRecord, position: int, known: Mapping[int, KnownSeat]) -> None:
        self.dealing, self.record, self.position, self.known = dealing, record, position, known
        self.game = record.game
        self.holes = tuple(() if at == position else hole for at, hole in enumerate(record.holes))
        self.cards = np.array(dealing.holdings)
        self.weights = np.ones(len(self.cards))
        self.street = 0
        self.began: tuple[int, ...] = ()
        """Those who were in the hand when the street began."""
        self._drop([card for hole in self.holes for card in hole])
        self.terms = np.zeros((2 * self.game.streets, self.game.seats))
        self._shares: dict[tuple[int, tuple[int, ...]], Values] = {}

    def followed(self) -> tuple[Values, Values]:
        """What is won on average, and the corrections, by row and position."""
        self._deal_holes()
        last = Betting.start(self.game)
        self.began = last.live
        for node, action in self.record.steps():
            self._deal_streets(node)
            if node.to_act in self.known:
                self._act(node, action)
            last = node.after(action)
        self._deal_streets(last)
        return self._paid(last), self.terms

    def _drop(self, cards: Sequence[int]) -> None:
        """Take the holdings with any of some cards out of the range."""
        if cards:
            self.weights[np.isin(self.cards, cards).any(axis=1)] = 0.0

    def _mean(self, by_holding: Values, weights: Values | None = None) -> Values:
        """The mean over the range of what is told by holding, in rows."""
        chosen = self.weights if weights is None else weights
        return np.asarray(chosen @ by_holding / chosen.sum())

    def _deal_holes(self) -> None:
        """Hole cards are dealt: what they are worth, less what those of the others are worth on average."""
        worths = self.dealing.worths(self.game.seats)
        own = float(self._mean(worths[:, None])[0])
        dealt = np.array([worths[self.dealing.number(hole)] if hole else own for hole in self.holes])
        self.terms[0] = -ahead_of_others(dealt - worths.mean()) * max(self.game.blinds)

    def _deal_streets(self, node: Betting) -> None:
        """Board cards are dealt until the street of a node."""
        while self.street < node.street:
            pots = [(chips, tuple(live)) for chips, live in side_pots(node) if len(live) > 1]
            expected = [chips * self._mean(self._divided(live)) for chips, live in pots]
            before = len(self.record.board_on(self.street))
            self.street += 1
            self.began = node.live
            self._drop(self.record.board_on(self.street)[before:])
            came = [chips * self._mean(self._divided(live)) for chips, live in pots]
            self.terms[self.street] = sum(expected) - np.array(sum(came))

    def _divided(self, contenders: tuple[int, ...]) -> Values:
        """[holdings, seats] the shares of a pot on this street."""
        key = self.street, contenders
        if key not in self._shares:
            stream = self.record.number * self.game.streets + self.street
            mark = sum(1 << position for position in (*contenders, self.game.seats + self.position))
            pot = Pot(self.holes, self.record.board_on(self.street), contenders, (stream << 24 ^ mark) & _MASK)
            self._shares[key] = self.dealing.shares(pot, self.position, self.weights)
        return self._shares[key]

    def _act(self, node: Betting, action: Action) -> None:
        """A known player acts."""
        actor = node.to_act
        view = PlayerView(node, actor, (), self.record.board_on(node.street), self.record.number, self.record.names)
        told = self.known[actor].told(view)
        is_imagined = actor == self.position
        chances = told.chances if is_imagined else told.chances[[self.dealing.number(self.holes[actor])]]
        taken = np.array([each == action for each in told.actions])
        weights = self.weights * chances[:, taken].sum(axis=1)
        if not weights.any():
            raise AssessmentError(
                f"hand {self.record.number}: {self.record.names[actor]} did what it never does"
                f"{', whatever it holds' if is_imagined else ' with its cards'}; is it the right bot?"
            )
        expected = np.zeros(self.game.seats)
        for at, each in enumerate(told.actions):
            if (self.weights * chances[:, at]).any():
                expected += self._mean(chances[:, [at]] * self._value(node.after(each)))
        if is_imagined:
            self.weights = weights
        came = self._mean(self._value(node.after(action)))
        self.terms[self.game.streets + node.street] += expected - came

    def _value(self, node: Betting) -> Values:
        """[holdings, seats] what a node within a street is worth: the share of the pot if all who are left call."""
        live = node.live
        if len(live) == 1:
            return np.tile(np.array(payoffs(node), np.float64), (len(self.weights), 1))
        most, stacks = max(node.committed), self.game.stacks
        put = np.array(node.committed, np.float64)
        for position in live:
            put[position] = most if stacks is None else min(most, stacks[position])
        shares = np.zeros((len(self.weights), self.game.seats))
        shares[:, live] = self._divided(self.began)[:, live]
        whole = shares.sum(axis=1, keepdims=True)
        shares[:, live] += (whole == 0) / len(live)
        return np.asarray(put.sum() * shares / np.where(whole == 0, 1.0, whole) - put)

    def _paid(self, last: Betting) -> Values:
        """What each wins before rake, on average over the range; odd chips go as they went."""
        fair = np.array(fair_payoffs(self.record, last), np.float64)
        if not last.is_showdown:
            return fair
        own = self.dealing.number(self.record.holes[self.position])
        for chips, live in side_pots(last):
            shares = self._divided(tuple(live))
            fair += chips * (self._mean(shares) - shares[own])
        return fair
