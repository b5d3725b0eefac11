"""Jagbot: a static formula for heads-up limit hold'em, after the player of that name in Billings et al. 2004.

The paper (section 4.7) says no more than "a simple static formula-based program that plays a rational, but unadaptive
game"; the formula is Railbird's. `railbird.bots.hobbybot` plays by the same formula with numbers that it learns.

1. The opponent's range is thought to be the best share w of all holdings, and a part `ANYTHING` of it whatever it
   may be. A call is made with the share of holdings that does not fold, a bet or raise with the share that bets or
   raises (`Habits`); on each street the most telling action counts, and w is the smallest street's share times the
   product of the others to the power `AGAIN`, since the same holdings act alike on several streets.
2. A holding at place x among all, from 0 to 1 in order of expected final rank (before the flop of equity), is ahead of
   the share s of that range. Cards to come let a share a of the hands behind win, so the chance to win is
   e = a + (1 - 2a) s.
3. It bets for value if e against the hands that would call is at least 1/2, and raises from `RAISE_FROM`. With
   `SLOW_PLAY_FROM` and more it now and then only checks or calls (`slow_play`).
4. Other hands bet and raise too, as bluffs, in proportion to what that gains on a check, call or fold if the opponent
   folds as often as he is thought to (`bluff_chance`).
5. It calls with e of at least the pot odds and a margin by street, since more bets may follow.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.bots.classed import ClassedBot
from railbird.bots.decision import Decision, Note, Step
from railbird.cards import holding_index
from railbird.errors import UnknownBotError
from railbird.game.actions import CALL, Action
from railbird.game.betting import Betting
from railbird.game.spec import Game, Structure
from railbird.game.view import PlayerView
from railbird.odds.expected_rank import holding_order

ByStreet = tuple[float, float, float, float]

COMEBACK: ByStreet = (0.33, 0.15, 0.05, 0.0)
"""The chance to win in the end with a hand that is behind."""
CALL_MARGIN: ByStreet = (0.08, 0.05, 0.03, 0.0)
NARROWEST = 0.2
"""No sequence of bets makes a range narrower than this."""
AGAIN = 0.4
"""How much the streets beside the most telling one narrow a range, as an exponent: the same holdings bet again."""
ANYTHING = 0.4
"""The share of bluffs and whims in a range, which may be any holding."""
BET_FROM, RAISE_FROM = 0.5, 0.55
SLOW_PLAY_FROM = 0.85
EAGERNESS = 5.0
"""Turns what a bluff gains, as a share of the pot, into how often it is made."""
_POSSIBLE = (1326, 1176, 1128, 1081)
"""By street, how many holdings the board leaves possible."""
_REASONS = {
    "value bet": "good enough against the hands that would call",
    "slow play": "worth a bet, but a very strong hand now and then lies in wait",
    "bluff": "drawn by chance: he folds often enough",
    "call": "the chance to win is worth the price",
    "check": "not worth a bet, and to check is free",
    "fold": "the chance to win is not worth the price",
}
_NOTES = {
    "width": Note("the best share of all holdings, which the opponent is thought to have"),
    "strength": Note("ahead of so much of it now"),
    "chance": Note("to win the showdown against it"),
    "chance if called": Note("the same against what would call a bet"),
    "price": Note("pot odds and a margin for later bets: what calls go by"),
}


class Habits(NamedTuple):
    """What an opponent does with his holdings, as shares of them by street."""

    bet: ByStreet
    """Bets or, before the flop, raises, where nobody has done so on this street."""
    raise_: ByStreet
    """Raises a bet."""
    fold: ByStreet
    """Folds to a bet; before the flop to a raise of the blind."""
    fold_to_raise: ByStreet
    """Folds to a raise beyond that."""


SENSIBLE = Habits(
    bet=(0.6, 0.5, 0.5, 0.5),
    raise_=(0.2, 0.15, 0.15, 0.15),
    fold=(0.1, 0.2, 0.2, 0.25),
    fold_to_raise=(0.05, 0.1, 0.1, 0.1),
)
"""The opponent that Jagbot always has in mind."""


class Judgement(NamedTuple):
    """What the formula makes of a position with one holding, or with an array of them."""

    width: float
    """The share of all holdings, the best, that the opponent is thought to have."""
    strength: Any
    """The share of them that is behind now."""
    chance: Any
    """The chance to win the showdown against them."""
    chance_called: Any
    """The same against those that would call a bet."""


class JagBot(ClassedBot):
    """A static formula player (Billings et al. 2004, section 4.7); the formula is at the head of this module.

    bluff: multiplies the chance to bluff. slow_play: how often a very strong hand only checks or
    calls before the river.
    """

    tells_quickly = True

    def __init__(self, bluff: float = 1.0, slow_play: float = 0.1) -> None:
        if bluff < 0 or not 0 <= slow_play <= 1:
            raise UnknownBotError(
                f"bluff={bluff}, slow_play={slow_play}: neither may be negative, nor slow_play above 1"
            )
        self.bluff, self.slow_play = bluff, slow_play

    def can_play(self, game: Game) -> bool:
        return game.is_holdem and game.seats == 2 and game.structure is Structure.FIXED_LIMIT and game.stacks is None

    def prepare(self) -> None:
        for board in ((), (0, 5, 10), (0, 5, 10, 15), (0, 5, 10, 15, 20)):
            holding_order(board)

    def habits(self) -> Habits:
        """What the opponent is thought to do."""
        return SENSIBLE

    def slow_play_chance(self, node: Betting, judged: Judgement) -> Any:
        """How often a hand that is worth a bet or raise only checks or calls."""
        return self.slow_play * (judged.chance >= SLOW_PLAY_FROM) if node.street < 3 else 0.0

    def act(self, view: PlayerView) -> Action:
        return self._chosen(view)[0]

    def explain(self, view: PlayerView) -> Decision:
        node = view.betting
        action, rule, judged = self._chosen(view)
        known = dict(zip(("width", "strength", "chance", "chance if called"), judged))
        steps = []
        if node.can_raise:
            enough = RAISE_FROM if node.raises else BET_FROM
            steps.append(Step("value bet", "chance if called", judged.chance_called, "needed", enough))
        if node.to_call:
            known["price"] = price_of_call(node)
            steps.append(Step("call", "chance", judged.chance, "price", known["price"]))
        return Decision(action, rule, _REASONS[rule], known, _NOTES, tuple(steps))

    def _chosen(self, view: PlayerView) -> tuple[Action, str, Judgement]:
        """The action, the name of its rule, and what the formula makes of the position."""
        node, habits = view.betting, self.habits()
        judged = judgement(view, habits)
        lies_in_wait = False
        if node.can_raise:
            if is_value_bet(node, judged):
                if self.rng.random() >= self.slow_play_chance(node, judged):
                    return view.smallest_raise(), "value bet", judged
                lies_in_wait = True
            elif self.rng.random() < self._bluff_chance(node, habits, judged):
                return view.smallest_raise(), "bluff", judged
        if _stays(node, judged):
            return CALL, "slow play" if lies_in_wait else "call" if node.to_call else "check", judged
        return view.check_or_fold(), "fold", judged

    def _bluff_chance(self, node: Betting, habits: Habits, judged: Judgement) -> Any:
        fold = (habits.fold_to_raise if node.raises else habits.fold)[node.street]
        bet = node.game.bet_sizes[node.street]
        return self.bluff * bluff_chance(judged, fold, node.pot, node.to_call, bet)

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64]:
        places = np.nan_to_num(holding_order(view.board_cards).percentiles)
        wanted = places if every else places[[holding_index(*view.hole_cards)]]
        found = self._chances_at(wanted, view.betting)
        return found if every else found[0]

    def _chances_at(self, places: NDArray[np.float64], node: Betting) -> NDArray[np.float64]:
        """Fold, call and raise of holdings at some places among all."""
        habits = self.habits()
        judged = judgement_at(places, node, range_width(node, 1 - node.to_act, habits), habits)
        raises = np.zeros(len(places))
        if node.can_raise:
            value = 1.0 - self.slow_play_chance(node, judged)
            raises = np.where(is_value_bet(node, judged), value, self._bluff_chance(node, habits, judged))
            raises = np.minimum(1.0, raises)
        stays, passive = _stays(node, judged), 1.0 - raises
        return np.stack([np.where(stays, 0.0, passive), np.where(stays, passive, 0.0), raises], axis=1)

    # All that it knows of a holding is its place, which is a number of halves.

    def class_counts(self, game: Game) -> tuple[int, ...]:
        return tuple(2 * possible + 1 for possible in _POSSIBLE)

    def holding_classes(self, game: Game, board: tuple[int, ...]) -> NDArray[np.int32]:
        return holding_order(board).halves

    def class_chances(self, node: Betting) -> NDArray[np.float64]:
        possible = _POSSIBLE[node.street]
        return self._chances_at(np.arange(2 * possible + 1) / 2 / possible, node)

    def betting_seen(self, betting: Betting) -> Hashable:
        width = range_width(betting, 1 - betting.to_act, self.habits())
        return betting.pot, betting.to_call, betting.raises, betting.can_raise, betting.acted, width


def is_value_bet(node: Betting, judged: Judgement) -> Any:
    """Whether a hand is good enough to bet or raise against those that would call."""
    return judged.chance_called >= (RAISE_FROM if node.raises else BET_FROM)


def _stays(node: Betting, judged: Judgement) -> Any:
    return not node.to_call or judged.chance >= price_of_call(node)


def price_of_call(node: Betting) -> float:
    """The chance to win that a call takes."""
    return node.to_call / (node.pot + node.to_call) + CALL_MARGIN[node.street]


def judgement(view: PlayerView, habits: Habits) -> Judgement:
    """The formula's first two steps, against an opponent of these habits."""
    node = view.betting
    place = float(holding_order(view.board_cards).percentiles[holding_index(*view.hole_cards)])
    return judgement_at(place, node, range_width(node, 1 - view.position, habits), habits)


def judgement_at(place: Any, node: Betting, width: float, habits: Habits) -> Judgement:
    """The same of a holding at a place among all, or of an array of them, against a range of this width."""
    comeback = COMEBACK[node.street]
    strength = _ahead(place, width)
    fold = (habits.fold_to_raise if node.raises else habits.fold)[node.street]
    called = _ahead(place, max(NARROWEST, width * (1 - fold)))
    scale = 1 - 2 * comeback
    return Judgement(width, strength, comeback + scale * strength, comeback + scale * called)


def range_width(node: Betting, position: int, habits: Habits) -> float:
    """The share of all holdings, the best, that the player at a position has left after what he did.

    >>> from railbird.game.spec import limit_holdem
    >>> start = Betting.start(limit_holdem())
    >>> [round(range_width(start.play(line), 0, SENSIBLE), 3) for line in ("r", "rc/", "rc/r")]
    [1.0, 0.9, 0.479]
    """
    return _width_after(node.game, node.history, position, habits)


@lru_cache(maxsize=8192)
def _width_after(game: Game, history: str, position: int, habits: Habits) -> float:
    shares, step = [1.0] * game.streets, Betting.start(game)
    for letter in history.replace("/", ""):
        street = step.street
        if step.to_act == position and letter != "f":
            shares[street] = min(shares[street], kept_share(letter, street, step.raises, step.to_call, habits))
        step = step.play(letter)
    least, product = min(shares), prod(shares)
    return max(NARROWEST, float(least * (product / least) ** AGAIN))


def kept_share(letter: str, street: int, raises: int, to_call: int, habits: Habits) -> float:
    """The share of holdings with which a player of these habits calls ("c") or bets ("r"); 1 for a check."""
    if letter == "r":
        return habits.raise_[street] if raises else habits.bet[street]
    # Completing the small blind says nothing: hardly any holding is folded there.
    if not (to_call and raises):
        return 1.0
    return 1 - (habits.fold if raises == 1 else habits.fold_to_raise)[street]


def bluff_chance(judged: Judgement, fold: float, pot: int, to_call: int, bet: int) -> Any:
    """How often to bet or raise by `bet` chips at an opponent who folds that often, with a hand that is no value bet.

    It is `EAGERNESS` times what the bet gains on a check, call or fold, as a share of the pot.

    >>> hopeless = Judgement(width=0.5, strength=0.0, chance=0.0, chance_called=0.0)
    >>> [round(bluff_chance(hopeless, fold, 8, 0, 2), 3) for fold in (0.2, 0.25, 0.3)]  # break-even: 2 in 10
    [0.0, 0.312, 0.625]
    """
    cost = to_call + bet
    called = judged.chance_called * (pot + cost + bet) - cost
    passive = judged.chance * (pot + to_call) - to_call
    passive = passive * (passive > 0)
    return _share(EAGERNESS * (fold * pot + (1 - fold) * called - passive) / pot)


def _ahead(place: Any, width: float) -> Any:
    return ANYTHING * place + (1 - ANYTHING) * _share((place - (1 - width)) / width)


def _share(value: Any) -> Any:
    """A number, or an array of them, not below 0 nor above 1."""
    return min(1.0, max(0.0, value)) if isinstance(value, float) else np.clip(value, 0.0, 1.0)
