"""The data of Piël's figures 5.1 and 5.2 (2006, section 5.1), and what he had no time to look at.

Figure 5.1 shows the weights that Yoki's models give to the three playing styles, by place in the order of holdings.
They follow from how often a style folds, calls and raises, so what is judged is how often it raises. To this comes how
well the models predict the holdings that are shown, hand by hand: with frequencies alone, with exposed cards too, and
without any model.

Figure 5.2 shows the money of four players over a simulation; the loose one is far ahead. (The text refers to both as
figure 5.2; the captions tell them apart.) Neither the thresholds of the styles nor the fourth player are printed: they
are played with four choices of them, in duplicate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.bots.potential_player import PotentialPlayer
from railbird.bots.registry import BotSpec
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem
from railbird.judging import Finding, exceeds, together
from railbird.modeling.accuracy import Accuracy, Model, Uniform, measured
from railbird.modeling.frequencies import CALL, FOLD, RAISE, Frequencies
from railbird.modeling.sigmoid import SigmoidModel, sigmoid_weights
from railbird.papers.ring_games import RingGame
from railbird.papers.ring_readings import RingReadings
from railbird.papers.study import Asked, Study, findings_part
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.progress import Watch, within
from railbird.results.figures import Figure, Line
from railbird.results.parts import Line as Words
from railbird.results.parts import Part, Table
from railbird.statistics import Estimate
from railbird.words import NONE, plus_minus, signed

Array = NDArray[np.float64]
PLAYERS = ("yoki-tight", "yoki-loose", "yoki-default", "yoki")
TIGHTER = (
    "yoki-tight:fold_below=0.9,bet_above=0.97",
    "yoki-loose:fold_below=0.5,bet_above=0.6",
    "yoki-default:fold_below=0.75,bet_above=0.85",
    "random",
)
"""The same styles with higher thresholds; Piël prints none."""
MODELS: dict[str, Callable[[], Model]] = {
    "no model": Uniform,
    "frequencies": lambda: SigmoidModel(exposed=False),
    "frequencies and exposed cards": lambda: SigmoidModel(exposed=True),
    "frequencies by context": lambda: SigmoidModel(contexts=True, exposed=False),
    "frequencies by context and exposed cards": lambda: SigmoidModel(contexts=True, exposed=True),
}
_EXPOSED = " and exposed cards"
_LOOSER = (("yoki-default", "yoki-tight"), ("yoki-loose", "yoki-default"))
"""The looser of two styles, and the tighter."""
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

    @property
    def shares(self) -> tuple[str, ...]:
        """How often it folds, calls and raises, in words."""
        total = sum(self.proportion)
        return tuple(f"{number / total:.0%}" for number in self.proportion)


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

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Whether the looser of two styles raises more often."""
        return together(
            [
                exceeds(_raises_claim(looser, tighter), self.raise_lead(looser, tighter), 0.0, "more often")
                for looser, tighter in _LOOSER
                if {looser, tighter} <= set(self.players)
            ]
        )

    def raise_lead(self, player: str, other: str) -> Estimate:
        """How much larger the share of raises is among a player's actions than among those of another.

        Both shares are ratios of sums over hands; what a hand contributes to them, linearised, is a sample.
        """
        parts = [self._raises(name) for name in (player, other)]
        shares = [float(raises.sum() / max(1.0, actions.sum())) for raises, actions in parts]
        each = [
            (raises - share * actions) / max(float(actions.mean()), 1e-9)
            for (raises, actions), share in zip(parts, shares)
        ]
        return replace(Estimate.of(each[0] - each[1]), mean=shares[0] - shares[1])

    def _raises(self, player: str) -> tuple[Array, Array]:
        """By hand, how often a player raised and how often he acted."""
        rows = self.accuracy["no model"].only(player=player).actions
        hands = len(self.money)
        return (
            np.bincount(rows["deal"], rows["taken"] == RAISE, minlength=hands).astype(np.float64),
            np.bincount(rows["deal"], minlength=hands).astype(np.float64),
        )

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
        found += [self._styles_part(), self._models_part()]
        found.append(Words("bits won on no model at showdowns, by fifths of the hands:", indent=0))
        for name, curve in self._gains().items():
            found.append(Words(f"{name}: " + ", ".join(_gain_text(mean, margin) for mean, margin in curve)))
        return [*found, findings_part(self.findings)]

    def _styles_part(self) -> Table:
        """What was learnt of the styles."""
        rows = [
            (style.name, *style.shares, *map(_place, (style.call_score, style.raise_score))) for style in self.styles
        ]
        return Table(rows, ("learnt", "folds", "calls", "raises", "calls at", "raises at"))

    def _models_part(self) -> Table:
        """How well each model predicts holdings at showdowns, and what exposed cards add to it."""
        rows = []
        for name, accuracy in self.accuracy.items():
            gains = [
                "" if other == name else _gain_text(gain.mean, gain.margin)
                for other in ("no model", name.removesuffix(_EXPOSED))
                for gain in [accuracy.holding_gain(self.accuracy[other])]
            ]
            rows.append((name, f"{accuracy.holding_bits().mean:.2f}", *gains))
        return Table(rows, ("bits at showdowns", "cost", "won on no model", "by exposed cards"), folded=(0,))

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
            [(style.name, *style.shares) for style in self.styles],
        )
        money = Figure(
            "Piël 2006, Figure 5.2: money of the styles",
            "hands played",
            "small bets won",
            [Line(name, hands, self.money[:, column]) for column, name in enumerate(self.players)],
            "paper: LOOSE clearly best. It depends on thresholds that it does not print: railbird experiment piel-5.2",
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
        return {
            "players": list(self.players),
            "won": self.money[-1].tolist(),
            "bits_gained": self._gains(),
            "claims": [finding.to_json() for finding in self.findings],
        }

    def _gains(self) -> dict[str, list[tuple[float, float]]]:
        return {name: self.bits_gained(name) for name in self.accuracy if name != "no model"}


def _raises_claim(looser: str, tighter: str) -> str:
    return f"{looser} raises more often than {tighter}"


def _place(percentile: float) -> str:
    return NONE if isnan(percentile) else f"{percentile:.2f}"


def _gain_text(mean: float, margin: float) -> str:
    """Bits that were won, or a dash for a part of the hands that had no showdown.

    >>> _gain_text(0.5, 0.25), _gain_text(0.5, float("inf")), _gain_text(float("nan"), float("inf"))
    ('+0.50 ± 0.25', '+0.50 ± ?', '–')
    """
    return signed(mean, 2) if isnan(mean) else f"{signed(mean, 2)} {plus_minus(margin, '.2f')}"


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
    title="Piël 2006, Figure 5.1: what Yoki learns of the styles, and how well its models predict",
    reported="the weights differ clearly: the tighter a player, the stronger the holdings that a raise speaks for",
    claims=tuple(_raises_claim(looser, tighter) for looser, tighter in _LOOSER),
    size=1_000,
    unit="hands",
)

_REPORTED = "the loose style is clearly better than the others"
_MONEY = "Piël 2006, Figure 5.2: money of the styles"


def _ring(players: Sequence[str]) -> RingGame:
    """Figure 5.2 among these: the tight, the loose and the default style, and a fourth player."""
    tight, loose, default, fourth = players
    return RingGame(
        name="piel-5.2",
        title=_MONEY,
        versions=tuple((player, 1) for player in players),
        reported=_REPORTED,
        claims=tuple(f"{loose} > {other}" for other in (tight, default, fourth)),
    )


MONEY = RingReadings(
    name="piel-5.2",
    title=_MONEY,
    reported=_REPORTED,
    claims=("LOOSE ahead of TIGHT", "LOOSE ahead of DEFAULT", "LOOSE ahead of the fourth"),
    size=2_000,
    unit="deals, each played 4 times with 4 choices of thresholds and fourth player",
    games={
        "named thresholds, yoki": _ring(PLAYERS),
        "higher thresholds, random": _ring(TIGHTER),
        "higher thresholds, always-fold": _ring((*TIGHTER[:3], "always-fold")),
        "higher thresholds, yoki": _ring((*TIGHTER[:3], "yoki")),
    },
    names=("TIGHT", "LOOSE", "DEFAULT", "the fourth"),
)
