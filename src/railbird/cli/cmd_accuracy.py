"""railbird accuracy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from railbird.modeling.accuracy import Accuracy
    from railbird.play.folder import MatchFolder
    from railbird.statistics import Estimate

_QUARTERS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))


def accuracy(
    folder: Annotated[Path, typer.Argument(help="A match folder.")],
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="generic or specific, with options as in specific:inverse=yes,"
            "half_life=200; may be given again, and all are then held against the first. By default both.",
        ),
    ] = None,
    player: Annotated[str | None, typer.Option("--player", "-p", help="Only predictions about this player.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Say how well models of the players predict a match: holdings shown, and actions.

    A spectator without cards watches every hand in order. Predictions cost bits: the logarithm of one over the
    probability that was given to what happened. The baselines are every holding equally likely, with everybody's
    frequencies for actions (uniform), and the frequencies of Papp's Table B.2 (generic).

    Example: railbird accuracy matches/demo --model specific:inverse=yes
    """
    from railbird.cli.show import compiling_note, print_json
    from railbird.errors import MatchError, did_you_mean
    from railbird.play.folder import MatchFolder

    match = MatchFolder.open(folder)
    names = match.spec.names
    if player is not None and player not in names:
        raise MatchError(f"no player {player!r} in {str(folder)!r}{did_you_mean(player, names)} ({', '.join(names)})")
    asked = list(dict.fromkeys(models or ["specific"]))
    baseline = asked[0] if len(asked) > 1 else "generic"
    wanted = list(dict.fromkeys(["generic", *asked]))
    settings = {text: _settings(text) for text in wanted}
    with compiling_note():
        found = _measured(match, settings)
    if player is not None:
        found = [each.only(player=player) for each in found]
    if as_json:
        print_json(_as_json(match, player, found, baseline))
    else:
        _show(match, player, found, baseline)


def _settings(text: str) -> dict[str, Any]:
    """The settings of a `TableModel` that a model's text asks for."""
    from railbird.errors import MatchError, did_you_mean
    from railbird.modeling.table_model import TableModel
    from railbird.parameters import read_arguments, split_parameters

    name, parameters = split_parameters(text, MatchError)
    if name not in ("generic", "specific"):
        raise MatchError(f"no model {name!r}{did_you_mean(name, ('generic', 'specific'))} (generic, specific)")
    return {"specific": name == "specific", **read_arguments(TableModel, parameters, text, MatchError, ("specific",))}


def _measured(match: MatchFolder, settings: dict[str, dict[str, Any]]) -> list[Accuracy]:
    """The accuracy of the baseline and of each model, with a count of hands on a terminal."""
    from railbird.cli.show import console
    from railbird.modeling.accuracy import Uniform, measured
    from railbird.modeling.table_model import TableModel

    legs = [leg for leg in range(match.spec.seating.legs) if match.log_path(leg).exists()]
    hands = match.spec.hands
    where = console(stderr=True)
    found = []
    with where.status("watching the hands") as status:

        def watch(done: int, total: int, _: str = "", /) -> None:
            if where.is_terminal and done % 100 == 0:
                status.update(f"watching the hands: {name}, {done:,} of {total:,}")

        for name, chosen in (("uniform", None), *settings.items()):
            logs = [match.records(leg) for leg in legs]
            model = Uniform if chosen is None else lambda chosen=chosen: TableModel(**chosen)
            found.append(measured(model, logs, hands, name, watch))
    return found


def _show(match: MatchFolder, player: str | None, found: list[Accuracy], baseline: str) -> None:
    from railbird.cli.show import say
    from railbird.game.spec import STREETS

    spec, uniform = match.spec, found[0]
    base = next(each for each in found if each.model == baseline)
    tables = f" at {spec.seating.legs} tables" if spec.seating.legs > 1 else ""
    who = f"predictions about {player}" if player else " vs ".join(spec.names)
    say(f"[bold]{who}[/bold] | {spec.hands:,} deals{tables} | seed {spec.seed}")
    shown, taken = len(uniform.at_showdown()), len(uniform.actions)
    say(f"log-loss in bits (95%), less is better; {shown:,} holdings shown, {taken:,} actions")
    if not shown:
        say("no holding was shown")
    else:
        _print_rows(
            (
                "holdings",
                "at showdown",
                "won on uniform",
                f"won on {baseline}",
                *STREETS[:3],
                "1st 1/4",
                "last",
                "pctile",
            ),
            [
                [
                    each.model,
                    _bits(each.holding_bits()),
                    _gain(each.holding_gain(uniform)),
                    _gain(each.holding_gain(base)),
                    *(f"{each.holding_bits(street).mean:.2f}" for street in range(3)),
                    *(
                        f"{each.only(since=a, until=b).holding_bits().mean:.2f}"
                        for a, b in (_QUARTERS[0], _QUARTERS[-1])
                    ),
                    f"{each.mean_percentile().mean:.2f}",
                ]
                for each in found
            ],
        )
        say(
            "  preflop, flop, turn: as predicted when they had ended; pctile: 0.50 where holdings are as strong as "
            "predicted, less where they are weaker"
        )
    _print_rows(
        ("actions", "all", "won on pooled", f"won on {baseline}", *STREETS, "1st 1/4", "last", "off by"),
        [
            [
                "pooled" if each is uniform else each.model,
                _bits(each.action_bits()),
                _gain(each.action_gain(uniform)),
                _gain(each.action_gain(base)),
                *(f"{each.only(street=street).action_bits().mean:.2f}" for street in range(4)),
                *(f"{each.only(since=a, until=b).action_bits().mean:.2f}" for a, b in (_QUARTERS[0], _QUARTERS[-1])),
                f"{each.calibration_error():.3f}",
            ]
            for each in found
        ],
    )
    say("  pooled: one set of frequencies for all players; off by: mean difference of predicted and observed shares")


def _print_rows(columns: tuple[str, ...], rows: list[list[str]]) -> None:
    from rich.table import Table

    from railbird.cli.show import console

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(f"  {columns[0]}", overflow="fold")
    for column in columns[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(f"  {row[0]}", *row[1:])
    console().print(table)


def _bits(estimate: Estimate) -> str:
    return f"{estimate.mean:.3f} ± {estimate.margin:.3f}"


def _gain(estimate: Estimate) -> str:
    return "" if estimate.sd == 0 else f"{estimate.mean:+.3f} ± {estimate.margin:.3f}"


def _as_json(match: MatchFolder, player: str | None, found: list[Accuracy], baseline: str) -> dict[str, Any]:
    from railbird.game.spec import STREETS
    from railbird.play.match import estimate_json

    uniform = found[0]
    base = next(each for each in found if each.model == baseline)
    return {
        "schema": "railbird.accuracy/1",
        "folder": str(match.path),
        "unit": "bits",
        "player": player,
        "baseline": baseline,
        "holdings": len(uniform.at_showdown()),
        "actions": len(uniform.actions),
        "models": [
            {
                "name": each.model,
                "holdings": {
                    "log_loss": estimate_json(each.holding_bits()),
                    "won_on_uniform": estimate_json(each.holding_gain(uniform)),
                    "won_on_baseline": estimate_json(each.holding_gain(base)),
                    "after": {s: estimate_json(each.holding_bits(street)) for street, s in enumerate(STREETS)},
                    "quarters": [estimate_json(each.only(since=a, until=b).holding_bits()) for a, b in _QUARTERS],
                    "mean_percentile": estimate_json(each.mean_percentile()),
                    "percentile_histogram": each.percentile_histogram(),
                },
                "actions": {
                    "log_loss": estimate_json(each.action_bits()),
                    "won_on_pooled": estimate_json(each.action_gain(uniform)),
                    "won_on_baseline": estimate_json(each.action_gain(base)),
                    "on": {s: estimate_json(each.only(street=n).action_bits()) for n, s in enumerate(STREETS)},
                    "quarters": [estimate_json(each.only(since=a, until=b).action_bits()) for a, b in _QUARTERS],
                    "calibration": [
                        {"predicted": b.predicted, "observed": b.observed, "count": b.count} for b in each.calibration()
                    ],
                },
            }
            for each in found
        ],
    }
