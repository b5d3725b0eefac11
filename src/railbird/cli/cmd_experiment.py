"""railbird experiment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import say, tell
from railbird.cli.options import Json, On
from railbird.cli.show import counting_bar, show
from railbird.errors import MatchError
from railbird.papers.catalogue import STUDIES, named_study, run_study
from railbird.report.experiments import write_experiment, write_index
from railbird.results.figures import can_draw
from railbird.workforce import asked_workforce

EXPERIMENTS = Path("experiments")


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
    on: On = None,
    index: Annotated[
        Path | None, typer.Option("--index", help="Write the index page of the experiments in this folder, and end.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run an experiment of a paper again: numbers with intervals, the figure, and whether it was reproduced.

    A page with the figures, the claims and hands to replay is written beside the hands, and where matplotlib is
    installed the figures as PNG; experiments/index.html lists all. The same command goes on where it was interrupted.

    Example: railbird experiment papp-8.4 --hands 20
    """
    if index is not None:
        _write_index(index)
        return
    if name is None:
        for known in STUDIES.values():
            say(f"[bold]{known.name:<14}[/bold] {known.title}")
        return
    study = named_study(name)
    if study.patience:
        tell(study.patience, stderr=True)
    others = tuple(players or ())
    folder = out or EXPERIMENTS / study.folder_name(deals, seed, others)
    result = run_study(name, deals, seed, others, folder, asked_workforce(workers, on), counting_bar)
    page = write_experiment(result, folder, has_index=out is None)
    pictures = result.write_figures(folder) if can_draw() else []
    listed = write_index(EXPERIMENTS) if out is None else None
    show(result, as_json, **study.files_json(page, pictures))
    if not as_json:
        _say_written(page, pictures, listed)


def _write_index(folder: Path) -> None:
    if not folder.is_dir():
        raise MatchError(f"no folder {str(folder)!r}; experiments are in 'experiments' unless --out said otherwise")
    tell(f"index: {write_index(folder)}")


def _say_written(page: Path, pictures: Sequence[Path], index: Path | None) -> None:
    for path in pictures:
        tell(f"figure: {path}")
    if not can_draw():
        tell("no PNG of the figures: it needs matplotlib (pip install 'railbird[figures]')", stderr=True)
    tell(f"page: {page}")
    if index:
        tell(f"all experiments: {index}")
