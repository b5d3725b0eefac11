"""Hobbybot: a slow adapter, after the player of that name in Billings et al. 2004.

The paper (section 4.7) describes it as "a slowly adapting program written by a hobbyist, specifically designed to
exploit Poki's flaws in the two-player game", and no further. Railbird's plays the formula of `railbird.bots.jagbot`,
but with the habits that it has counted: how often, on each street, the opponent bets, raises a bet and folds to one.
What it looks for are the flaws of Loki's family heads-up: a player who folds too often is bluffed, one who bets too
often is called down and check-raised, one whose raises are rare is believed.

A habit begins at Jagbot's number and is moved by counts: after n cases in which the opponent could have shown it, the
counted share has the weight n / (n + patience), half after `PATIENCE` cases unless told otherwise. Only public actions
are counted.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from railbird.bots.jagbot import SENSIBLE, ByStreet, Habits, JagBot, Judgement
from railbird.errors import UnknownBotError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.view import PlayerView

PATIENCE = 200.0
TRAP_FROM, TRAP_EACH = 0.5, 10.0
"""The chance to win from which it lies in wait, and how often for each part of bets beyond a half that he makes."""
HABITS = ("bet", "raise", "fold", "fold to raise")


class HabitCounts:
    """How often an opponent could have bet, raised or folded on each street, and how often he did.

    >>> counts = HabitCounts()
    >>> for _ in range(100):
    ...     counts.count("fold", 3, True)
    >>> round(counts.habits(100.0).fold[3], 3)  # half of it counted, half Jagbot's 0.25
    0.625
    """

    def __init__(self) -> None:
        self.cases = {habit: [0] * 4 for habit in HABITS}
        self.times = {habit: [0] * 4 for habit in HABITS}

    def observe(self, node: Betting, action: Action) -> None:
        """Count an action of the opponent at a node."""
        if node.raises == 0:
            if node.can_raise:
                self.count("bet", node.street, action.kind == "r")
            return
        self.count("fold" if node.raises == 1 else "fold to raise", node.street, action.kind == "f")
        if node.can_raise:
            self.count("raise", node.street, action.kind == "r")

    def count(self, habit: str, street: int, done: bool) -> None:
        self.cases[habit][street] += 1
        self.times[habit][street] += done

    def habits(self, patience: float) -> Habits:
        """The opponent's habits as far as they are known."""
        return Habits(*[self._mixed(habit, start, patience) for habit, start in zip(HABITS, SENSIBLE)])

    def _mixed(self, habit: str, start: ByStreet, patience: float) -> ByStreet:
        shares = [
            (patience * share + times) / (patience + cases)
            for share, times, cases in zip(start, self.times[habit], self.cases[habit])
        ]
        return cast("ByStreet", tuple(shares))


class HobbyBot(JagBot):
    """Jagbot's formula with habits counted slowly (Billings et al. 2004, section 4.7).

    patience: after how many cases a counted habit weighs as much as what was thought at first.
    """

    learns = True

    def __init__(self, patience: float = PATIENCE, bluff: float = 1.0, slow_play: float = 0.1) -> None:
        super().__init__(bluff, slow_play)
        if patience <= 0:
            raise UnknownBotError(f"patience={patience}: it must be more than 0")
        self.patience = patience
        self.reset()

    def reset(self) -> None:
        self.counts = HabitCounts()
        self._habits = self.counts.habits(self.patience)

    def on_hand(self, view: PlayerView) -> None:
        self._habits = self.counts.habits(self.patience)

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        if position != view.position:
            self.counts.observe(view.betting, action)

    def habits(self) -> Habits:
        return self._habits

    def slow_play_chance(self, node: Betting, judged: Judgement) -> Any:
        chance = super().slow_play_chance(node, judged)
        if node.street and not node.raises and not node.acted:
            # The opponent acts next and bets often enough to be left to do it; his bet is then raised.
            trap = min(1.0, TRAP_EACH * (self._habits.bet[node.street] - 0.5))
            return np.maximum(chance, trap * (judged.chance >= TRAP_FROM))
        return chance
