"""How well models of the players predict a match, as a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from railbird.errors import MatchError, did_you_mean
from railbird.game.spec import STREETS, Game
from railbird.modeling.accuracy import Accuracy, Model, Uniform, measured
from railbird.modeling.table_model import TableModel
from railbird.parameters import read_arguments, split_parameters
from railbird.play.match_logs import open_logs
from railbird.progress import Watch, within
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.statistics import Estimate
from railbird.words import plus_minus, rate

MODELS = ("generic", "specific")
_QUARTERS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))


@dataclass(frozen=True, repr=False)
class AccuracyResult(Result):
    """The predictions of several models over the same match. They cost bits: the fewer, the better the model."""

    names: tuple[str, ...]
    deals: int
    tables: int
    """How many times each deal was played, or how many logs there are."""
    seed: int | None
    """The match's; of a log it is not known."""
    folder: Path
    models: tuple[Accuracy, ...]
    """The first is the baseline "uniform"."""
    baseline: str
    """The model that all are held against."""
    player: str | None = None
    """Whose holdings and actions were predicted, if not everybody's."""

    @property
    def uniform(self) -> Accuracy:
        return self.models[0]

    @property
    def base(self) -> Accuracy:
        return next(each for each in self.models if each.model == self.baseline)

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.accuracy/1."""
        return {
            "schema": "railbird.accuracy/1",
            "folder": str(self.folder),
            "unit": "bits",
            "player": self.player,
            "baseline": self.baseline,
            "holdings": len(self.uniform.at_showdown()),
            "actions": len(self.uniform.actions),
            "models": [self._model_json(each) for each in self.models],
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each model and kind of prediction."""
        found = []
        for each in self.models:
            found.append({"model": each.model, "predicted": "holdings", **each.holding_bits().to_json()})
            found.append({"model": each.model, "predicted": "actions", **each.action_bits().to_json()})
        return found

    def parts(self) -> list[Part]:
        played = f"{self.deals:,} deals" + (f" at {self.tables} tables" if self.tables > 1 else "")
        who = f"predictions about {self.player}" if self.player else " vs ".join(self.names)
        shown, taken = len(self.uniform.at_showdown()), len(self.uniform.actions)
        return [
            Heading(who, (played, str(self.folder) if self.seed is None else f"seed {self.seed}")),
            Line(f"log-loss in bits (95%), less is better; {shown:,} holdings shown, {taken:,} actions", indent=0),
            *(self._holding_parts() if shown else [Line("no holding was shown", indent=0)]),
            *self._action_parts(),
        ]

    def _holding_parts(self) -> list[Part]:
        header = ("holdings", "at showdown", "won on uniform", f"won on {self.baseline}", *STREETS[:3])
        rows = [
            (
                each.model,
                _bits(each.holding_bits()),
                _gain(each.holding_gain(self.uniform)),
                _gain(each.holding_gain(self.base)),
                *(f"{each.holding_bits(street).mean:.2f}" for street in range(3)),
                *(f"{each.only(since=a, until=b).holding_bits().mean:.2f}" for a, b in _ends()),
                f"{each.mean_percentile().mean:.2f}",
            )
            for each in self.models
        ]
        explained = (
            "preflop, flop, turn: as predicted when they had ended; pctile: 0.50 where holdings are as strong as "
            "predicted, less where they are weaker"
        )
        return [Table(rows, (*header, "1st 1/4", "last", "pctile"), folded=(0,)), Line(explained)]

    def _action_parts(self) -> list[Part]:
        header = ("actions", "all", "won on pooled", f"won on {self.baseline}", *STREETS, "1st 1/4", "last", "off by")
        rows = [
            (
                "pooled" if each is self.uniform else each.model,
                _bits(each.action_bits()),
                _gain(each.action_gain(self.uniform)),
                _gain(each.action_gain(self.base)),
                *(f"{each.only(street=street).action_bits().mean:.2f}" for street in range(4)),
                *(f"{each.only(since=a, until=b).action_bits().mean:.2f}" for a, b in _ends()),
                f"{each.calibration_error():.3f}",
            )
            for each in self.models
        ]
        explained = (
            "pooled: one set of frequencies for all players; off by: mean difference of predicted and observed shares"
        )
        return [Table(rows, header, folded=(0,)), Line(explained)]

    def _model_json(self, each: Accuracy) -> dict[str, Any]:
        return {
            "name": each.model,
            "holdings": {
                "log_loss": each.holding_bits().to_json(),
                "won_on_uniform": each.holding_gain(self.uniform).to_json(),
                "won_on_baseline": each.holding_gain(self.base).to_json(),
                "after": {s: each.holding_bits(street).to_json() for street, s in enumerate(STREETS)},
                "quarters": [each.only(since=a, until=b).holding_bits().to_json() for a, b in _QUARTERS],
                "mean_percentile": each.mean_percentile().to_json(),
                "percentile_histogram": each.percentile_histogram(),
            },
            "actions": {
                "log_loss": each.action_bits().to_json(),
                "won_on_pooled": each.action_gain(self.uniform).to_json(),
                "won_on_baseline": each.action_gain(self.base).to_json(),
                "on": {s: each.only(street=n).action_bits().to_json() for n, s in enumerate(STREETS)},
                "quarters": [each.only(since=a, until=b).action_bits().to_json() for a, b in _QUARTERS],
                "calibration": [
                    {"predicted": b.predicted, "observed": b.observed, "count": b.count} for b in each.calibration()
                ],
            },
        }


def accuracy(
    log: str | Path,
    models: Sequence[str] = (),
    player: str | None = None,
    watch: Watch | None = None,
    game: str | Game | None = None,
) -> AccuracyResult:
    """How well models predict the match in a folder or log: "generic" or "specific", with options as in
    "specific:half_life=200".

    With several models all are held against the first; otherwise against the generic one. With `player`, only
    predictions about that player count. `game` is that of a log that does not tell it.
    """
    logs = open_logs(log, game).one_match("railbird accuracy {}")
    spec = logs.folder.spec if logs.folder else None
    names = spec.names if spec else logs.names
    if player is not None and player not in names:
        raise MatchError(f"no player {player!r} in {str(log)!r}{did_you_mean(player, names)} ({', '.join(names)})")
    asked = list(dict.fromkeys(models or ["specific"]))
    wanted: dict[str, Callable[[], Model]] = {"uniform": Uniform}
    wanted |= {text: _model(text) for text in dict.fromkeys(["generic", *asked])}
    deals, found = spec.hands if spec else logs.hand_count, []
    each_takes = deals * len(logs.sources)
    for at, (name, model) in enumerate(wanted.items()):
        told = within(watch, at * each_takes, len(wanted) * each_takes)
        each = measured(model, [logs.records(source) for source in logs.sources], deals, name, told)
        found.append(each.only(player=player) if player else each)
    tables, seed = (spec.seating.legs, spec.plain_seed) if spec else (len(logs.sources), None)
    baseline = asked[0] if len(asked) > 1 else "generic"
    return AccuracyResult(names, deals, tables, seed, logs.path, tuple(found), baseline, player)


def _model(text: str) -> Callable[[], Model]:
    """What makes the `TableModel` that a text asks for."""
    name, parameters = split_parameters(text, MatchError)
    if name not in MODELS:
        raise MatchError(f"no model {name!r}{did_you_mean(name, MODELS)} ({', '.join(MODELS)})")
    settings = read_arguments(TableModel, parameters, text, MatchError, ("specific",))
    return lambda: TableModel(specific=name == "specific", **settings)


def _ends() -> tuple[tuple[float, float], ...]:
    return _QUARTERS[0], _QUARTERS[-1]


def _bits(estimate: Estimate) -> str:
    return f"{estimate.mean:.3f} {plus_minus(estimate.told_margin)}"


def _gain(estimate: Estimate) -> str:
    return "" if estimate.sd == 0 else rate(estimate)
