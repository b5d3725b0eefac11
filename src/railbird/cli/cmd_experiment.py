"""railbird experiment."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from railbird.cli.console import say
from railbird.cli.show import compiling_note, counting_bar, show
from railbird.papers.catalogue import STUDIES, named_study, run_study
from railbird.results.figures import check_drawing


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
    if name is None:
        for known in STUDIES.values():
            say(f"[bold]{known.name:<14}[/bold] {known.title}")
        return
    study = named_study(name)
    check_drawing()
    if study.patience:
        print(study.patience, file=sys.stderr)
    others = tuple(players or ())
    folder = out or Path("experiments") / study.folder_name(deals, seed, others)
    with compiling_note():
        result = run_study(name, deals, seed, others, folder, workers, counting_bar)
    files = result.write_figures(folder)
    show(result, as_json, **study.files_json(files))
    if not as_json:
        for png, page in files:
            say(f"figure: {escape(str(png))} and {escape(str(page))}")
