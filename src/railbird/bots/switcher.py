"""A player who changes style: a test for those who adapt. What they have learned of him is wrong ever again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from railbird.bots.base import Bot
from railbird.bots.decision import Decision
from railbird.errors import UnknownBotError
from railbird.game.actions import Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STYLES = "always-raise+jagbot+always-call+equilibrium"


class Switcher(Bot):
    """Plays as one bot for some hands, then as the next, and so on in a circle.

    every: hands in a row in one style.
    styles: names of bots joined by +; to each its own memory, which sees the hands that it plays.
    """

    def __init__(self, every: int = 1000, styles: str = STYLES) -> None:
        if every < 1:
            raise UnknownBotError(f"every={every}; a style lasts a hand or more")
        self.every = every
        self.names = styles.split("+")
        if len(self.names) < 2 or "" in self.names:
            raise UnknownBotError(f"styles={styles[:100]}; name two bots or more, joined by +")

    @cached_property
    def bots(self) -> list[Bot]:
        """One for each style."""
        from railbird.bots.registry import make_bot

        return [make_bot(name) for name in self.names]

    @property
    def learns(self) -> bool:  # type: ignore[override]
        return any(bot.learns for bot in self.bots)

    def style(self, hand: int) -> int:
        """Which style a hand is played in.

        >>> Switcher(every=10, styles="always-call+always-raise").style(25)
        0
        """
        return hand // self.every % len(self.names)

    def _now(self, view: PlayerView) -> Bot:
        return self.bots[self.style(view.hand_number)]

    def seed_hand(self, *key: int) -> None:
        for bot in self.bots:
            bot.seed_hand(*key)

    def can_play(self, game: Game) -> bool:
        return all(bot.can_play(game) for bot in self.bots)

    def prepare(self) -> None:
        for bot in self.bots:
            bot.prepare()

    def act(self, view: PlayerView) -> Action:
        return self._now(view).act(view)

    def explain(self, view: PlayerView) -> Decision:
        found = self._now(view).explain(view)
        return replace(found, reason=f"now as {self.names[self.style(view.hand_number)]}: {found.reason or found.rule}")

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64] | None:
        return self._now(view).probabilities(view, every)

    def on_hand(self, view: PlayerView) -> None:
        self._now(view).on_hand(view)

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        self._now(view).on_action(view, position, action)

    def on_board(self, view: PlayerView) -> None:
        self._now(view).on_board(view)

    def on_showdown(self, view: PlayerView, shown: Mapping[int, tuple[int, ...]]) -> None:
        self._now(view).on_showdown(view, shown)

    def on_result(self, view: PlayerView, payoffs: Sequence[int]) -> None:
        self._now(view).on_result(view, payoffs)

    def reset(self) -> None:
        for bot in self.bots:
            bot.reset()
