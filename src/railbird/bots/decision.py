"""A decision with its reasons: what `Bot.explain` answers with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from railbird.game.actions import Action, ProbabilityTriple
from railbird.game.view import PlayerView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from railbird.search.miximax import Line

NAMES = {"f": "fold", "c": "call", "r": "raise"}
"""The kinds of actions in words."""


class Step(NamedTuple):
    """One rule that was tried: whether `value`, the quantity `name`, reaches `threshold`, the quantity `against`.

    >>> print(Step("pot odds", "chance", 0.25, "pot odds", 0.2))
    chance 0.250 >= pot odds 0.200
    """

    rule: str
    name: str
    value: float
    against: str
    threshold: float

    @property
    def holds(self) -> bool:
        return self.value >= self.threshold

    def __str__(self) -> str:
        return f"{self.name} {self.value:.3f} >= {self.against} {self.threshold:.3f}"


class Note(NamedTuple):
    """What a quantity is, for readers."""

    words: str
    form: str = ".1%"
    """How its value is written, as after the colon in an f-string."""
    label: str = ""
    """What it is called, if otherwise than in the quantities."""


class Outlook(NamedTuple):
    """How the hand may go on, as a search sees it."""

    lines: tuple[Line, ...]
    """How the street may go on after each action."""
    histograms: Mapping[str, tuple[float, ...]]
    """What the opponent is expected to show if nobody bets after this street, by the street's betting from here on; or
    under "now" what he is believed to hold. In cells from the worst hands to the best."""


class OpponentWeights(NamedTuple):
    """The weights that a player gives to the holdings of his opponents, on average, each from 0 to 1."""

    array: NDArray[np.float64]
    full: str = "the likeliest holding"
    """What a weight of 1 means."""
    by_position: Mapping[int, NDArray[np.float64]] = {}
    """The weights of each opponent's holdings, where they are told apart."""


@dataclass(frozen=True)
class Decision:
    """A decision and what led to it. Only the action and the name of the rule must be told.

    >>> from railbird.game.actions import CALL
    >>> print(Decision(CALL, "pot odds", quantities={"chance": 0.25, "pot odds": 0.2}))
    c by pot odds (chance 0.250, pot odds 0.200)
    """

    action: Action
    rule: str
    """The name of the rule that decides."""
    reason: str = ""
    """The same in words; nothing where the name says all."""
    quantities: Mapping[str, float] = field(default_factory=dict)
    """What was worked out, by name. By custom "EV raise" is the value expected of a raise in small bets, "SE raise" its
    standard error, and "plays raise" how likely a raise is where chance decides."""
    notes: Mapping[str, Note] = field(default_factory=dict, compare=False)
    """What the quantities are, by name, in the order of the quantities. Where there are notes, quantities without one
    are not shown to readers."""
    steps: tuple[Step, ...] = ()
    """The rules that were tried, in order."""
    outlook: Outlook | None = None
    weights: OpponentWeights | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        known = ", ".join(f"{name} {value:.3f}" for name, value in self.quantities.items())
        return f"{self.action} by {self.rule}" + (f" ({known})" if known else "")

    @property
    def expected_values(self) -> dict[str, float]:
        """What each action (fold, call, raise) is expected to win, in small bets, where that was worked out."""
        return self._by_action("EV")

    @property
    def chances(self) -> dict[str, float]:
        """How likely each action was, where chance decided among them."""
        return self._by_action("plays")

    def _by_action(self, what: str) -> dict[str, float]:
        return {n: self.quantities[f"{what} {n}"] for n in NAMES.values() if f"{what} {n}" in self.quantities}

    def shown(self) -> list[tuple[str, str, str]]:
        """The quantities for readers: name, value and what it is."""
        notes = self.notes or {name: Note("", ".3g") for name in self.quantities}
        rows = []
        for name in (name for name in self.quantities if name in notes):
            words, form, label = notes[name]
            error = self.quantities.get("SE" + name[2:]) if name.startswith("EV ") else None
            spread = "" if error is None else f" (SE {error:.2f})"
            rows.append((label or name, f"{self.quantities[name]:{form}}{spread}", words))
        return rows

    def to_json(self) -> dict[str, Any]:
        """The part of schema railbird.explain/1 that is about the decision."""
        answer: dict[str, Any] = {
            "rule": self.rule,
            "reason": self.reason or self.rule,
            "quantities": dict(self.quantities),
            "steps": [
                {
                    "rule": step.rule,
                    "quantity": step.name,
                    "value": step.value,
                    "against": step.against,
                    "threshold": step.threshold,
                    "holds": step.holds,
                }
                for step in self.steps
            ],
        }
        if self.outlook:
            lines = self.outlook.lines
            answer["lines"] = [{"history": line.history, "chance": line.chance, "value": line.value} for line in lines]
            answer["histograms"] = dict(self.outlook.histograms)
        return answer


def by_action(what: str, values: Sequence[float]) -> dict[str, float]:
    """Quantities of fold, call and raise, in this order, without those that are nan.

    >>> by_action("EV", [float("nan"), 0.5, 0.25])
    {'EV call': 0.5, 'EV raise': 0.25}
    """
    return {f"{what} {name}": value for name, value in zip(NAMES.values(), values) if value == value}


def legal_chances(chances: ProbabilityTriple, can_fold: bool, can_raise: bool) -> ProbabilityTriple:
    """The chances of the legal actions, scaled to one, as `ProbabilityTriple.pick` draws them.

    >>> legal_chances(ProbabilityTriple(0.5, 0.25, 0.25), can_fold=False, can_raise=True)
    ProbabilityTriple(fold=0.0, call=0.5, raise_=0.5)
    """
    fold, raise_ = chances.fold * can_fold, chances.raise_ * can_raise
    total = fold + chances.call + raise_
    return ProbabilityTriple(fold / total, chances.call / total, raise_ / total) if total else CERTAIN_CALL


def rule_by_action(view: PlayerView, action: Action) -> str:
    """What an action says of the hand."""
    if action.kind == "r":
        return "worth a raise" if view.to_call_chips else "worth a bet"
    return "fold" if action.kind == "f" else "worth a call" if view.to_call_chips else "check"


CERTAIN_CALL = ProbabilityTriple(0.0, 1.0, 0.0)
EV_NOTES = {
    "EV fold": Note("small bets won over the whole hand, on average, by folding", "+.2f"),
    "EV call": Note("the same by checking or calling", "+.2f"),
    "EV raise": Note("the same by betting or raising", "+.2f"),
}
PLAYS_NOTES = {
    "plays fold": Note("how likely it folds"),
    "plays call": Note("checks or calls"),
    "plays raise": Note("bets or raises"),
}
