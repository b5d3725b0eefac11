"""The data of Piël's figures 5.1 and 5.2 (2006, section 5.1), and what he had no time to look at.

Figure 5.1 shows the weights that Yoki's models give to the three playing styles, by place in the order of holdings.
Figure 5.2 shows the money of four players over a simulation; the loose one is far ahead. (The text refers to both as
figure 5.2; the captions tell them apart.) Here TIGHT, LOOSE, DEFAULT and Yoki itself play in a ring. To this comes how
well the models predict the holdings that are shown, hand by hand: with frequencies alone, with exposed cards too, and
without any model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from railbird.bots.potential_player import PotentialPlayer
from railbird.bots.registry import BotSpec
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem
from railbird.judging import Finding
from railbird.modeling.accuracy import Accuracy, Model, Uniform, measured
from railbird.modeling.frequencies import CALL, FOLD, RAISE, Frequencies
from railbird.modeling.sigmoid import SigmoidModel, sigmoid_weights
from railbird.papers.study import Asked, Study
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.progress import Watch, within
from railbird.results.figures import Figure, Line
from railbird.results.parts import Line as Words
from railbird.results.parts import Part

Array = NDArray[np.float64]
PLAYERS = ("yoki-tight", "yoki-loose", "yoki-default", "yoki")
TIGHTER = (
    "yoki-tight:fold_below=0.9,bet_above=0.97",
    "yoki-loose:fold_below=0.5,bet_above=0.6",
    "yoki-default:fold_below=0.75,bet_above=0.85",
    "random",
)
"""The same styles with other parameters, which Piël does not print: among these LOOSE wins, as in figure 5.2."""
MODELS: dict[str, Callable[[], Model]] = {
    "no model": Uniform,
    "frequencies": lambda: SigmoidModel(exposed=False),
    "frequencies and exposed cards": lambda: SigmoidModel(exposed=True),
    "frequencies by context": lambda: SigmoidModel(contexts=True, exposed=False),
    "frequencies by context and exposed cards": lambda: SigmoidModel(contexts=True, exposed=True),
}
_ACTIONS = {"fold": FOLD, "call": CALL, "raise": RAISE}


@dataclass(frozen=True)
class ModelledStyle:
    """What Yoki knows of a player after the simulation: one set of curves of figure 5.1."""

    name: str
    proportion: Frequencies
    """How often it folds, calls and raises."""
    weights: dict[str, Array]
    """By action, the weights of Piël's list of 364 entries, the worst first."""
    call_score: float
    raise_score: float
    """The average percentiles at which it called, and bet or raised, in hands it showed; nan if there were none."""


@dataclass(frozen=True)
class Styles:
    """What the styles won and what was learnt of them: the series of both figures, and the predictions."""

    players: tuple[str, ...]
    money: Array
    """Small bets won so far, by hand (from 1) and player: figure 5.2."""
    styles: tuple[ModelledStyle, ...]
    """Figure 5.1."""
    accuracy: dict[str, Accuracy]
    """By model, the predictions of holdings shown and of actions."""
    findings: ClassVar[tuple[Finding, ...]] = ()

    def bits_gained(self, model: str, parts: int = 5) -> list[tuple[float, float]]:
        """How many bits better than by no model shown holdings are predicted, with 95% margins, by parts of the log."""
        curve = []
        for part in range(parts):
            since, until = part / parts, (part + 1) / parts
            baseline = self.accuracy["no model"].only(since=since, until=until)
            gain = self.accuracy[model].only(since=since, until=until).holding_gain(baseline)
            curve.append((gain.mean, gain.margin))
        return curve

    def parts(self) -> list[Part]:
        hands = len(self.money)
        found: list[Part] = [
            Words(f"{name:<14} {won:+8.1f} small bets over {hands:,} hands", indent=0)
            for name, won in zip(self.players, self.money[-1])
        ]
        found.append(Words("bits won on no model at showdowns, by fifths of the hands:", indent=0))
        for name, curve in self._gains().items():
            found.append(Words(f"{name}: " + ", ".join(f"{mean:+.2f} ± {margin:.2f}" for mean, margin in curve)))
        return found

    def figures(self) -> dict[str, Figure]:
        hands = np.arange(1, len(self.money) + 1, dtype=float)
        entries = np.arange(364, dtype=float)
        weights = Figure(
            "Piël 2006, Figure 5.1: weights of a raise by style",
            "holdings, the worst first (364 entries)",
            "weight",
            [Line(style.name, entries, style.weights["raise"]) for style in self.styles],
            "paper: the tighter a player, the stronger the holdings that a raise speaks for",
            ("", "folds", "calls", "raises"),
            [(style.name, *(f"{share:.0%}" for share in style.proportion)) for style in self.styles],
        )
        money = Figure(
            "Piël 2006, Figure 5.2: money of the styles",
            "hands played",
            "small bets won",
            [Line(name, hands, self.money[:, column]) for column, name in enumerate(self.players)],
            "paper: LOOSE clearly best. It depends on thresholds that it does not print; see docs/papers/yoki.md",
            ("", "small bets won"),
            [(name, f"{won:+.1f}") for name, won in zip(self.players, self.money[-1])],
        )
        return {"piel-5.1": weights, "piel-5.2": money}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player."""
        hands = len(self.money)
        return [
            {"player": name, "hands": hands, "won_sb": float(won)} for name, won in zip(self.players, self.money[-1])
        ]

    def to_json(self) -> dict[str, Any]:
        return {"players": list(self.players), "won": self.money[-1].tolist(), "bits_gained": self._gains()}

    def _gains(self) -> dict[str, list[tuple[float, float]]]:
        return {name: self.bits_gained(name) for name in self.accuracy if name != "no model"}


def played_styles(
    hands: int = 1_000, seed: int = 1, players: Sequence[str] = PLAYERS, watch: Watch | None = None
) -> Styles:
    """Play `hands` hands of limit hold'em between `players`, and let every model watch them.

    `watch` is called with the hands that were played or watched and how many there will be.
    """
    total = hands * (1 + len(MODELS))
    records: list[HandRecord] = []
    won = np.zeros((hands, len(players)))
    spec = MatchSpec(limit_holdem(len(players)), tuple(players), hands, seed)
    for record, order, _ in played_hands(spec):
        won[len(records), order] = record.payoffs
        records.append(record)
        if watch:
            watch(len(records), total)
    accuracy = {}
    for index, (name, model) in enumerate(MODELS.items()):
        accuracy[name] = measured(model, [records], hands, name, within(watch, hands * (1 + index), total))
    return Styles(
        spec.names,
        won.cumsum(axis=0) / spec.game.small_bet,
        _modelled(records, players),
        accuracy,
    )


def _modelled(records: Sequence[HandRecord], players: Sequence[str]) -> tuple[ModelledStyle, ...]:
    """What a model that watched these hands knows of the players that look at their potential hand alone."""
    model = SigmoidModel()
    for record in records:
        model.begin(record.names)
        for node, action in record.steps():
            model.observe(node, record.board_on(node.street), action)
        final = record.final()
        if final.is_showdown:
            model.observe_showdown({position: record.holes[position] for position in final.live})
    assert model.exposed is not None
    found = []
    for player in players:
        spec = BotSpec(player)
        if issubclass(spec.load(), PotentialPlayer):
            name = spec.label
            proportion = model.proportion(name)
            weights = {action: sigmoid_weights(proportion, kind) for action, kind in _ACTIONS.items()}
            averages = [model.exposed.average(name, kind) for kind in (CALL, RAISE)]
            calls, raises = (average.mean if average.count else float("nan") for average in averages)
            found.append(ModelledStyle(name, proportion, weights, calls, raises))
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class StylesStudy(Study):
    """Section 5.1: the styles play, and the models watch."""

    def who(self, players: Sequence[str]) -> str:
        return ", ".join(PLAYERS)

    def measured(self, asked: Asked) -> Styles:
        with asked.bar("playing and watching", "hands") as watch:
            return played_styles(asked.size, asked.seed, watch=watch)


FIGURES = StylesStudy(
    name="piel-5",
    title="Piël 2006, Figures 5.1 and 5.2: what Yoki learns, and the money of the styles",
    reported="LOOSE clearly best; the tighter a player, the stronger the holdings that a raise speaks for",
    unjudged="none; who wins depends on thresholds that the paper does not print (docs/papers/yoki.md)",
    size=1_000,
    unit="hands",
)
