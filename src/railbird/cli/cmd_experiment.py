"""railbird experiment."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

if TYPE_CHECKING:
    from railbird.papers.ring_games import ExperimentResult
    from railbird.results.figures import Figure


def experiment(
    name: Annotated[str | None, typer.Argument(help="The experiment; without a name, all are listed.")] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--hands",
            "-n",
            min=1,
            help="Deals, each played in all seatings; by default 10,000 or the paper's. Of vexbot-start: matches.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same cards.")] = 1,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            "-p",
            help="A bot instead of the experiment's own: kan-4.5 to kan-4.9, vexbot-table and -start.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder; by default experiments/NAME.")] = None,
    workers: Annotated[int | None, typer.Option("--workers", "-w", min=1, help="Processes; one per core.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Run an experiment of a paper again: numbers with intervals, the figure, and whether it was reproduced.

    The figure is written as PNG and HTML beside the hands. The same command goes on where it was interrupted.

    Example: railbird experiment papp-8.4 --hands 20
    """
    from railbird.cli.console import print_json, say
    from railbird.cli.show import compiling_note, progress_bar
    from railbird.cli.studies import STUDIES, Asked
    from railbird.errors import MatchError, did_you_mean
    from railbird.papers.ring_games import DEALS, EXPERIMENTS, named_experiment, run_experiment
    from railbird.results.figures import check_drawing

    if name is None:
        for known in EXPERIMENTS.values():
            say(f"[bold]{known.name:<14}[/bold] {known.figure}")
        for other, (what, _) in STUDIES.items():
            say(f"[bold]{other:<14}[/bold] {what}")
        return
    known_names = [*EXPERIMENTS, *STUDIES]
    if name not in known_names:
        raise MatchError(f"no experiment {name!r}{did_you_mean(name, known_names)} (all: {', '.join(known_names)})")
    has_own_size = name.startswith(("kan-", "vexbot-"))
    if players and not has_own_size:
        raise MatchError(f"{name} has its own players")
    size = deals or ("paper" if has_own_size else DEALS)
    others = "".join(["-" + re.sub(r"[^\w.-]+", "_", player) for player in players or ()])
    folder = out or Path("experiments") / f"{name}{others}-{size}-seed{seed}"
    if name in STUDIES:
        check_drawing()
        with compiling_note():
            study = STUDIES[name][1](Asked(deals, seed, folder, tuple(players or ()), workers))
        lines = study.pop("lines")
        if as_json:
            print_json({"schema": "railbird.study/1", "study": name, "seed": seed, **study})
        else:
            for line in (f"[bold]{STUDIES[name][0]}[/bold]", *map(escape, lines)):
                say(line)
        return
    chosen = named_experiment(name)
    check_drawing()
    with compiling_note(), progress_bar(quiet=as_json) as watch:
        result = run_experiment(chosen, folder / "hands", deals or DEALS, seed, workers, watch)
    png, page = figure(result).write(folder, name)
    if as_json:
        print_json({**result.to_json(), "png": str(png), "html": str(page)})
    else:
        _show(result)
        say(f"figure: {escape(str(png))} and {escape(str(page))}")


def figure(result: ExperimentResult) -> Figure:
    """The paper's figure: what each version has won, over the hands played."""
    import numpy as np

    from railbird.results.figures import Figure, Line
    from railbird.words import rate

    trials = result.match.won.shape[0]
    deals = len(result.deals)
    points = np.unique(np.linspace(1, deals, min(deals, 400)).astype(int))
    lines = []
    for column, name in enumerate(result.names):
        won = result.deals[:, column] * trials
        total = np.cumsum(won)[points - 1]
        spread = np.sqrt(np.maximum(0.0, np.cumsum(won**2)[points - 1] - total**2 / points))
        lines.append(Line(name, points * float(trials), total, 1.96 * spread))
    rows = [(name, rate(estimate), f"{estimate.sd:.2f}") for name, estimate in result.rates.items()]
    rows += [(str(finding), finding.measured, finding.outcome) for finding in result.findings]
    return Figure(
        title=result.experiment.figure,
        x_label="hands played",
        y_label="small bets won, average of a version's copies",
        lines=lines,
        summary=result.summary,
        header=("", "sb/hand (95%)", "SD of a deal, or outcome"),
        rows=rows,
    )


def _show(result: ExperimentResult) -> None:
    from rich.table import Table

    from railbird.cli.console import console, say
    from railbird.words import rate

    spec = result.match.spec
    played = result.match.won.shape[0] * result.match.won.shape[1]
    say(f"[bold]{result.experiment.figure}[/bold] | {spec.hands:,} deals, {played:,} hands | seed {spec.seed}")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("  sb/hand (95%)", no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    for name, estimate in sorted(result.rates.items(), key=lambda item: -item[1].mean):
        table.add_row(f"  {name}", rate(estimate))
    console().print(table)
    for finding in result.findings:
        say(f"  {finding!s:<36} {finding.measured}  {finding.outcome}")
    if result.match.faults:
        say(f"  {len(result.match.faults)} faults of bots, the first: {escape(result.match.faults[0])}")
    say(result.summary)
