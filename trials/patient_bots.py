"""Players for the trial of kills: they take their time over decisions and hooks, so that a signal finds them there."""

from __future__ import annotations

from time import perf_counter

from railbird import CALL, Action, Bot, PlayerView

SECONDS = 0.0004


def think() -> None:
    """Be busy for a while."""
    end = perf_counter() + SECONDS
    while perf_counter() < end:
        pass


class Patient(Bot):
    """Raises or calls by chance, after a thought."""

    def act(self, view: PlayerView) -> Action:
        think()
        return view.smallest_raise() if view.can_raise and self.rng.random() < 0.5 else CALL


class Student(Bot):
    """Raises the more, the more it has seen others raise."""

    learns = True

    def __init__(self) -> None:
        self.seen = self.raises = 1

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        think()
        if position != view.position:
            self.seen += 1
            self.raises += action.kind == "r"

    def act(self, view: PlayerView) -> Action:
        think()
        return view.smallest_raise() if view.can_raise and self.rng.random() * self.seen < self.raises else CALL
