"""railbird solve."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Json
from railbird.cli.show import counting_bar, show
from railbird.solve import solving
from railbird.solve.beginning import BEGINNINGS


@dataclass(frozen=True)
class PlanOptions:
    """How to train: what `railbird.solve.solving.solve` takes by name."""

    buckets: Annotated[
        str,
        typer.Option(
            "--buckets",
            "-b",
            help="Buckets by street, before the flop 169; or a file of buckets. Else 169/200/200/200, or those of the "
            "strategy that it begins with.",
        ),
    ] = ""
    minutes: Annotated[float, typer.Option("--minutes", "-m", help="How long to train.")] = 5.0
    boards: Annotated[int | None, typer.Option("--boards", help="Train on so many boards (cfr-br: flops) instead.")] = (
        None
    )
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on from the checkpoint beside the file, as it was begun; what is told and differs is refused.",
        ),
    ] = False
    abstraction: Annotated[
        str | None,
        typer.Option(
            "--abstraction", help="How new buckets are made: histogram, ochs, ehs, ehs2 or potential. Else histogram."
        ),
    ] = None
    method: Annotated[
        str | None, typer.Option("--method", help="plus (regret matching+), linear, finer or cfr-br. Else plus.")
    ] = None
    power: Annotated[int | None, typer.Option("--power", help="1: linear averaging, 2: squared. Else 1.")] = None
    workers: Annotated[int, typer.Option("--workers", "-w", help="Threads; more than one and no run repeats.")] = 1
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="What the boards follow from. Else 0.")] = None
    flops: Annotated[int, typer.Option("--flops", help="Estimate exploitability from so many flops at the end.")] = 0
    checks: Annotated[
        int, typer.Option("--checks", help="Estimate it so many times on the way, and keep the best strategy.")
    ] = 1
    backend: Annotated[str, typer.Option("--backend", help="cpu, or gpu (needs CuPy).")] = "cpu"
    preflop: Annotated[
        str, typer.Option("--preflop", help="Play before the flop as this strategy file does; train the rest for it.")
    ] = ""
    checked_river: Annotated[
        bool, typer.Option("--checked-river", help="Train without betting on the river, which both check down.")
    ] = False
    current: Annotated[
        bool, typer.Option("--current", help="Write the strategy that is played next, not the average of all.")
    ] = False
    levels: Annotated[
        int,
        typer.Option("--levels", help="Round probabilities to so many levels (1-64), to pack the file; 0 for 255ths."),
    ] = 0
    only_write: Annotated[
        bool, typer.Option("--write", help="Train no more: write the strategy of the checkpoint (with --resume).")
    ] = False
    sight: Annotated[
        str | None,
        typer.Option(
            "--sight", help="With finer, what the opponent sees of flops and turns: texture or boards. Else texture."
        ),
    ] = None
    together: Annotated[
        int,
        typer.Option(
            "--together",
            help="On a gpu so many boards, with cfr-br anywhere so many flops, make one step; 0 for 1,024 boards or "
            "two flops, on the cpu for one.",
        ),
    ] = 0
    begin_with: Annotated[
        str,
        typer.Option(
            "--begin-with",
            help="With finer or cfr-br, begin with this strategy: a file, or equilibrium, finer, sparbot.",
        ),
    ] = ""
    begin_as: Annotated[
        float | None,
        typer.Option(
            "--begin-as",
            help=f"What it begins with counts as so many boards (finer; {BEGINNINGS['finer']:g}) or flops (cfr-br; "
            f"{BEGINNINGS['cfr-br']:g}).",
        ),
    ] = None


def solve(
    out: Annotated[Path, typer.Option("--out", "-o", help="The strategy file to write.")] = Path("strategy.npz"),
    *,
    options: PlanOptions,
    as_json: Json = False,
) -> None:
    """Train a strategy for heads-up limit hold'em by counterfactual regret minimisation.

    Every few minutes, and at the end or on Ctrl-C, a checkpoint is written beside the strategy file, from which
    --resume goes on. With one worker the result depends on seed and number of boards alone. A strategy trained for
    long fits itself to its buckets and gets easier to exploit: --flops 24 --checks 6 keeps the best of six.

    With --method finer the opponent sees more than the strategy that is trained: finer buckets on flop and turn, and on
    the river every holding, which it answers perfectly. A board takes two to three times as long. --sight boards has it
    see flops and turns as they are, which takes gigabytes and a gpu.

    With --method cfr-br the opponent has no buckets: it answers each sampled flop perfectly, so that longer training
    does no harm. A flop is far more work than a board; --backend gpu is meant for it (docs/papers/equilibrium.md).

    --begin-with lets it start where a strategy is, instead of from nothing: with the same buckets it plays just as that
    strategy at first, with others as nearly as they can.

    --checked-river and --preflop solve the game in two parts, as the sparbot is made: three streets first, then the
    streets after the flop for what the first part plays before it (docs/papers/sparbot.md).

    Example: railbird solve --buckets 169/1/1/8 --boards 16 --out tiny.npz
    """
    show(solving.solve(out, progress=counting_bar, **vars(options)), as_json)
