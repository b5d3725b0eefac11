"""AIVAT: what a hand says about its players with less luck in it, and no bias (Burch, Schmid, Moravcik, Morrill and
Bowling 2018).

A hand is a sequence of events: cards are dealt, players act. Of some of these the chances are known: of every deal, and
of the actions of players who tell their probabilities (*known* players). What such an event brought, good or bad, is
luck in so far as it differs from its average, and is taken off again. What an event is worth is told by a *value
function* u(cards, board, betting), any function at all that was fixed before the hand was played. A good one leaves
little luck, a bad one much; none makes the result wrong on average.

Known players may be *imagined* with other cards: what was seen from outside (the board, all actions, the cards of the
others) could have come about with any of their holdings h, each with a weight

    w(h) = product of the probabilities of all actions that the imagined players took, had they held h

over all h that share no card with what is seen. The others' probabilities do not depend on h, and every board is as
likely for one h as for another, so nothing else is in the weight. Write <f> = sum of w(h) f(h) / sum of w(h). Then

    AIVAT = <payoff at the end> + sum over events of (the average that was to be expected of <u> - what came out)

where the sum is over these events e, with the weights w before it:

    the others' cards are dealt      mean of u over all deals          -  <u> with their cards
    board cards c are dealt          < mean over c of u(h, c) >        -  <u> with c, over the h that c leaves
    a known player acts              sum over a of < p(a|h) u(h, a) >  -  <u> after a, with w(h) p(a|h) as weights

For a known player who is not imagined p(a|h) is p(a), of the cards he held. Actions of players who are not known are
left as they are.

**Why it is unbiased.** Let O_0, O_1, ... be what is seen from outside after each event, the imagined players' cards
left out. At an event of which the chances are known, whatever came before, w(h) / sum of w is the chance of h given
what is seen; so the event brings c with chance < chance of c given h >, and the mean of what comes out, taken with
these chances, is what was to be expected: the term averages to zero given O_e, whatever u is. The unknown players do
not matter, since their actions may depend on their own cards and on all that is seen, and on nothing else: given these
they do not change how likely h is. At the end <payoff> is the mean of the payoff given all that is seen. So the whole
has the mean of the money.

**Whom to imagine.** Anybody who is known, or nobody. Two known players can be imagined both (there is nothing left to
see but public events), or one, with the cards of the other as they were dealt. Each choice is unbiased by the same
reasoning, so their mean is too. Who is not known cannot be imagined: his weights would be those of somebody else, and
a player who folds his weak hands would be credited with them.

With nobody known it is the chance part alone: DIVAT's luck is taken off where u is its rollout equity, MIVAT (White
and Bowling 2009) takes a learned u.

Here it is for any game and number of players, card by card: as slow as it is plain, for games as small as Kuhn and
Leduc poker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from railbird.errors import AssessmentError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game

Cards = tuple[int, ...]
Holes = tuple[Cards, ...]
"""Hole cards by position."""
Value = Callable[[Holes, Cards, Betting], float]
"""What a position is worth to the player who is measured, of the hole cards, the board and the betting."""
Chances = Callable[[Betting, Cards, Cards], Mapping[Action, float]]
"""How likely a known player takes each action, of the betting, his own cards and the board."""
Worlds = dict[Holes, float]
"""What the hole cards may be, with their weights."""


class Correction(NamedTuple):
    """What one event is corrected by."""

    event: str
    """What was dealt ("cards", "board") or the position that acted."""
    expected: float
    came: float

    @property
    def amount(self) -> float:
        return self.expected - self.came


@dataclass(frozen=True)
class Aivat:
    """The measure for one of the players of a game."""

    game: Game
    value: Value
    known: Mapping[int, Chances]
    """By position, how the known players act."""
    imagined: frozenset[int] = frozenset()
    """The positions whose cards are imagined; all must be known."""
    position: int = 0
    """Whose result is measured."""

    def __post_init__(self) -> None:
        for position in sorted(self.imagined - set(self.known)):
            raise AssessmentError(
                f"position {position} cannot be imagined with other cards: its probabilities are not known"
            )

    def start(self, holes: Holes) -> Seen:
        """What is seen when the cards are dealt; those of imagined players are not looked at."""
        fixed = tuple(() if position in self.imagined else hole for position, hole in enumerate(holes))
        worlds: Worlds = dict.fromkeys(self._deals(fixed), 1.0)
        node = Betting.start(self.game)
        came = _mean(worlds, lambda holes: self.value(holes, (), node))
        return Seen(self, node, (), worlds, (Correction("cards", self._expected, came),))

    def of(self, record: HandRecord) -> float:
        """The measure of a hand that was played."""
        return self.followed(record).total

    def followed(self, record: HandRecord) -> Seen:
        """A hand that was played, with what each of its events is corrected by."""
        seen = self.start(record.holes)
        for _, action in record.steps():
            seen = seen.acted(action)
            if due := seen.cards_due:
                seen = seen.dealt(record.board[len(seen.board) : len(seen.board) + due])
        return seen

    @cached_property
    def _expected(self) -> float:
        """The mean of the values over all deals."""
        node = Betting.start(self.game)
        worlds: Worlds = dict.fromkeys(self._deals(((),) * self.game.seats), 1.0)
        return _mean(worlds, lambda holes: self.value(holes, (), node))

    def _deals(self, fixed: Holes) -> Iterator[Holes]:
        """All hole cards, where some are given."""
        count = self.game.hole_cards
        taken = {card for hole in fixed for card in hole}

        def dealt(before: Holes, left: frozenset[int]) -> Iterator[Holes]:
            if len(before) == len(fixed):
                yield before
                return
            given = fixed[len(before)]
            for hole in [given] if given else combinations(sorted(left), count):
                yield from dealt((*before, hole), left - set(hole))

        return dealt((), frozenset(self.game.deck) - taken)


@dataclass(frozen=True)
class Seen:
    """What is seen of a hand from outside, as far as it has come, and the corrections so far."""

    measure: Aivat
    node: Betting
    board: Cards
    worlds: Worlds
    """What the hole cards may be, each with its weight."""
    corrections: tuple[Correction, ...]

    @property
    def cards_due(self) -> int:
        """How many board cards are dealt now."""
        game = self.node.game
        street = game.streets - 1 if self.node.is_showdown else self.node.street
        seen = 0 if self.node.is_over and not self.node.is_showdown else game.board_seen(street)
        return max(0, seen - len(self.board))

    @property
    def total(self) -> float:
        """The measure of a hand that is over: the imagined payoff and all corrections."""
        position = self.measure.position
        paid = _mean(self.worlds, lambda holes: self._payoffs(holes)[position])
        return paid + sum(correction.amount for correction in self.corrections)

    def acted(self, action: Action) -> Seen:
        """The same after an action of the player whose turn it is."""
        node, actor = self.node.after(action), self.node.to_act
        chances = self.measure.known.get(actor)
        if chances is None:
            return replace(self, node=node)
        told = {holes: chances(self.node, holes[actor], self.board) for holes in self.worlds}
        after = {each: self.node.after(each) for answer in told.values() for each in answer}

        def expected(holes: Holes) -> float:
            value = self.measure.value
            return sum(chance * value(holes, self.board, after[each]) for each, chance in told[holes].items() if chance)

        worlds = self.worlds
        if actor in self.measure.imagined:
            worlds = _possible({holes: weight * told[holes].get(action, 0.0) for holes, weight in worlds.items()})
        came = _mean(worlds, lambda holes: self.measure.value(holes, self.board, node))
        found = Correction(f"position {actor}", _mean(self.worlds, expected), came)
        return replace(self, node=node, worlds=worlds, corrections=(*self.corrections, found))

    def dealt(self, cards: Cards) -> Seen:
        """The same after board cards."""
        value, board, node = self.measure.value, (*self.board, *cards), self.node

        def expected(holes: Holes) -> float:
            taken = {card for hole in (*holes, self.board) for card in hole}
            left = [card for card in node.game.deck if card not in taken]
            values = [value(holes, (*self.board, *dealt), node) for dealt in combinations(left, len(cards))]
            return sum(values) / len(values)

        worlds = _possible(
            {holes: weight * all(not set(hole) & set(cards) for hole in holes) for holes, weight in self.worlds.items()}
        )
        came = _mean(worlds, lambda holes: value(holes, board, node))
        found = Correction("board", _mean(self.worlds, expected), came)
        return replace(self, board=board, worlds=worlds, corrections=(*self.corrections, found))

    def _payoffs(self, holes: Holes) -> tuple[int, ...]:
        if not self.node.is_showdown:
            return payoffs(self.node)
        return payoffs(self.node, [showdown_rank(self.node.game, hole, self.board) for hole in holes])


def _mean(worlds: Worlds, of: Callable[[Holes], float]) -> float:
    """The weighted mean of a number that depends on the hole cards."""
    return sum(weight * of(holes) for holes, weight in worlds.items()) / sum(worlds.values())


def _possible(worlds: Worlds) -> Worlds:
    """The worlds that are left; refuses a hand that cannot have come about."""
    left = {holes: weight for holes, weight in worlds.items() if weight > 0}
    if not left:
        raise AssessmentError("a known player did what he never does, whatever he holds; is it the right player?")
    return left
