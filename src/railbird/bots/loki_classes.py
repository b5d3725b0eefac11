"""Loki without memory as a player of classes: what its rules can tell apart, and what they do with it.

A Loki that follows no actions (`modeling` none, income or uniform) compares a few quantities of a holding with
thresholds, which are finitely many: those of its settings, and the odds that the pots of the game offer. Between two
thresholds all holdings are alike. What it remembers within a hand follows from the betting and from earlier boards: a
semi-bluff goes on if it was one, so beside the present street a class tells whether the hand was worth a bet of its own
on flop and turn. Decisions are made by Loki's own rules, with a number from within each class.

A Loki that follows actions by what players generally do (`modeling=generic`) has no such table, for its weights differ
with every betting. But it remembers nothing from hand to hand, and its thresholds are the same, so it can be asked.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.bots.classed import NAMES, bare_view, by_kind
from railbird.cards import HOLDING_COUNT, holding_cards
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.odds.effective import effective_of_all, possible_holdings

if TYPE_CHECKING:
    from railbird.bots.loki import Loki

Array = NDArray[np.float64]
Classes = NDArray[np.int32]
_MADE = 3
"""Classes of hands that are worth a bet: by `make1` alone, by `make2` alone, by both."""


class Given(NamedTuple):
    """A number from within each class, in place of an `EffectiveStrength`."""

    hs: float
    ppot: float
    ehs: float
    ehs_prime: float
    npot: float = 0.0

    @property
    def hs_n(self) -> float:
        return self.hs


class LokiClasses:
    """The classes of a Loki, which is of no other use, in one game."""

    def __init__(self, loki: Loki, game: Game) -> None:
        self._loki, self._game = loki, game
        play = loki.after_flop
        self._make1, self._make2 = play.make1, play.make2
        self._has_potential = loki.features.potential
        self._remembers = loki.features.semi_bluff and loki.features.potential
        self._known: dict[Hashable, Array] = {}
        self.levels = lru_cache(maxsize=256)(self._levels)

    # Which holding is in which class

    @property
    def counts(self) -> tuple[int, ...]:
        """How many classes each street has."""
        later = [len(self.given[street]) for street in (1, 2, 3)]
        memory = (1, 2, 4) if self._remembers else (1, 1, 1)
        return HOLDING_COUNT, *[count * times for count, times in zip(later, memory)]

    def classes(self, board: tuple[int, ...]) -> Classes:
        """By holding its class: that of the present street, and whether it was weak on those before."""
        if not board:
            return np.arange(HOLDING_COUNT, dtype=np.int32)
        found = self.levels(board)
        for cards in range(len(board) - 1, 2, -1) if self._remembers else ():
            found = 2 * found + self._is_weak(board[:cards])
        return found

    def _levels(self, board: tuple[int, ...]) -> Classes:
        """By holding its class by the present street alone."""
        weights = self._loki.fixed_weights()
        assert weights is not None
        return self._levels_by(board, weights * possible_holdings(board))

    def _levels_by(self, board: tuple[int, ...], weights: Array) -> Classes:
        """The same against an opponent whose holdings are weighted."""
        chances = effective_of_all(board, weights)
        street = len(board) - 2
        potential, call = self._thresholds[street]
        if not self._has_potential or street == 3:
            return np.searchsorted(call, chances.hs, "right").astype(np.int32)
        made = (chances.ehs_prime >= self._make1) + 2 * (chances.ehs_prime >= self._make2)
        by_potential = np.searchsorted(potential, chances.ppot, "right")
        weak = by_potential * (len(call) + 1) + np.searchsorted(call, chances.ehs, "right")
        return np.where(made > 0, made - 1, _MADE + weak).astype(np.int32)

    def _is_weak(self, board: tuple[int, ...]) -> Classes:
        """By holding whether it was not worth a bet by itself on an earlier board, 1 or 0."""
        return np.asarray(self.levels(board) >= _MADE, np.int32)

    @cached_property
    def _thresholds(self) -> list[tuple[Array, Array]]:
        """By street what PPOT and what EHS are compared with; where there is no potential, what strength is."""
        potential: list[set[float]] = [set() for _ in range(4)]
        call: list[set[float]] = [set() for _ in range(4)]
        tree, start = BettingTree.of(self._game), Betting.start(self._game)
        for street in (1, 2, 3):
            for number in tree.decisions[street].tolist():
                node = start.play(tree.history[number])
                bet, pot, to_call = self._game.bet_sizes[street], node.pot, node.to_call
                if not to_call:
                    potential[street].add(2 * bet / (pot + 6 * bet))
                    continue
                odds = to_call / (pot + to_call)
                (call if street == 3 else potential)[street].add(odds)
                if street < 3:
                    cost = bet * 4 if street == 1 else bet
                    call[street].add((to_call + cost) / (pot + to_call + 2 * cost))
            if not self._has_potential or street == 3:
                call[street] |= {self._make1, self._make2}
        return [(np.array(sorted(p)), np.array(sorted(c))) for p, c in zip(potential, call)]

    @cached_property
    def given(self) -> list[list[Given]]:
        """By street and class: a number from within."""
        found: list[list[Given]] = [[]]
        for street in (1, 2, 3):
            potential, call = ([-1.0, *values.tolist()] for values in self._thresholds[street])
            if not self._has_potential or street == 3:
                found.append([Given(value, 0.0, value, value) for value in call])
                continue
            made = (self._make1, self._make2, max(self._make1, self._make2))
            strong = [Given(0.0, 0.0, 0.0, value) for value in made]
            found.append(strong + [Given(0.0, p, c, -1.0) for p in potential for c in call])
        return found

    # What each class does

    def chances(self, node: Betting) -> Array:
        """Fold, call and raise of each class in a decision."""
        if node.street == 0:
            return np.array([self._before_flop(node, holding) for holding in range(HOLDING_COUNT)])
        rows = [self._decided(node, flag) for flag in self._bluffs(node)]
        return np.asarray(np.stack(rows, axis=1).reshape(-1, 3))

    def _decided(self, node: Betting, is_bluffing: bool) -> Array:
        """Fold, call and raise by class of the present street, of one who is bluffing or is not."""
        key = (node.street, node.to_act, node.pot, node.to_call, node.raises, node.street_bets, is_bluffing)
        if key not in self._known:
            rows, view = [], bare_view(node)
            for given in self.given[node.street]:
                self._loki.begin_hand(is_bluffing)
                rows.append(by_kind(self._loki.choice_after_flop(view, given).action))
            self._known[key] = np.array(rows)
        return self._known[key]

    def followed(self, node: Betting, board: tuple[int, ...]) -> Array:
        """Fold, call and raise by holding of a Loki that follows actions, which are shown to its model again."""
        if node.street == 0:
            return self.chances(node)
        me, model, step = node.to_act, self._loki.model, Betting.start(self._game)
        is_bluffing = np.zeros(HOLDING_COUNT, np.bool_)
        model.begin(NAMES)
        for letter in node.history.replace("/", ""):
            seen = board[: self._game.board_seen(step.street)]
            if step.to_act == me and step.street:
                if step.street == 1 or step.to_call:
                    is_bluffing[:] = False
                if self._remembers and not step.to_call and letter == "r":
                    is_bluffing |= self._levels_by(seen, model.field(step.live, me, seen)) >= _MADE
            model.observe(step, seen, Action.parse(letter))
            step = step.play(letter)
        levels = self._levels_by(board, model.field(node.live, me, board))
        plain, bluffing = (self._decided(node, flag)[levels] for flag in (False, True))
        return np.where(is_bluffing[:, None], bluffing, plain)

    def _before_flop(self, node: Betting, holding: int) -> tuple[float, float, float]:
        self._loki.begin_hand()
        view = bare_view(node)._replace(hole_cards=holding_cards(holding))
        return by_kind(self._loki.choice_before_flop(view).action)

    def _bluffs(self, node: Betting) -> tuple[bool, ...]:
        """Whether it goes on with a semi-bluff, by what the hand was on earlier streets (`classes`)."""
        if not self._remembers or node.street == 1:
            return (False,)
        if node.street == 2:
            return tuple(self._is_bluff(node, weak) for weak in ((False,), (True,)))
        return tuple(self._is_bluff(node, (flop, turn)) for turn in (False, True) for flop in (False, True))

    def _is_bluff(self, node: Betting, weak: tuple[bool, ...]) -> bool:
        """Whether it is bluffing: its last bet was one without a bet to call, with a weak hand; `weak` is by street."""
        is_bluffing, step = False, Betting.start(self._game)
        for letter in node.history.replace("/", ""):
            if step.to_act == node.to_act and 0 < step.street < node.street:
                if step.street == 1 or step.to_call:
                    is_bluffing = False
                if not step.to_call and letter == "r" and weak[step.street - 1]:
                    is_bluffing = True
            step = step.play(letter)
        return is_bluffing

    def seen(self, node: Betting) -> Hashable:
        """What of the betting a decision follows from."""
        return node.pot, node.to_call, node.raises, node.street_bets, node.can_raise, self._bluffs(node)


def is_forgetful(loki: Loki) -> bool:
    """Whether a Loki plays by its cards, the board and the betting alone, and draws nothing by chance."""
    return not (loki.learns or loki.features.tactics or loki.after_flop.betting == "simulation")
