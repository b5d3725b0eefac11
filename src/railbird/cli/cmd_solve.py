"""railbird solve."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from railbird.progress import Watch
    from railbird.solve.strategy import Strategy
    from railbird.solve.train import Training

_CHECKPOINT_SECONDS = 300


def solve(
    out: Annotated[Path, typer.Option("--out", "-o", help="The strategy file to write.")] = Path("strategy.npz"),
    buckets: Annotated[str, typer.Option("--buckets", "-b", help="Buckets by street; before the flop 169.")] = (
        "169/200/200/200"
    ),
    minutes: Annotated[float, typer.Option("--minutes", "-m", help="How long to train.")] = 5.0,
    boards: Annotated[int | None, typer.Option("--boards", help="Train on so many boards instead.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the checkpoint beside the file, as it was begun.")
    ] = False,
    abstraction: Annotated[str, typer.Option("--abstraction", help="histogram, ehs or ehs2.")] = "histogram",
    method: Annotated[str, typer.Option("--method", help="plus (regret matching+) or linear.")] = "plus",
    power: Annotated[int, typer.Option("--power", help="1: linear averaging, 2: squared.")] = 1,
    workers: Annotated[int, typer.Option("--workers", "-w", help="Threads; more than one and no run repeats.")] = 1,
    seed: Annotated[int, typer.Option("--seed", "-s")] = 0,
    flops: Annotated[int, typer.Option("--flops", help="Estimate exploitability from so many flops at the end.")] = 0,
    checks: Annotated[
        int, typer.Option("--checks", help="Estimate it so many times on the way, and keep the best strategy.")
    ] = 1,
    backend: Annotated[str, typer.Option("--backend", help="cpu, or gpu (needs CuPy).")] = "cpu",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """Train a strategy for heads-up limit hold'em by counterfactual regret minimisation.

    Every few minutes, and at the end or on Ctrl-C, a checkpoint is written beside the strategy file, from which
    --resume goes on. With one worker the result depends on seed and number of boards alone. A strategy trained for
    long fits itself to its buckets and gets easier to exploit: --flops 24 --checks 6 keeps the best of six.

    Example: railbird solve --buckets 169/1/1/8 --boards 16 --out tiny.npz
    """
    from railbird.cli.show import compiling_note, counting_bar, print_json
    from railbird.errors import RailbirdError

    if minutes <= 0 or (boards is not None and boards < 1) or workers < 1 or checks < 1:
        raise RailbirdError(
            f"{minutes} minutes, {boards} boards, {workers} workers, {checks} checks; each must be positive"
        )
    if checks > 1 and not flops:
        raise RailbirdError(f"{checks} checks without --flops: there is nothing to choose the best strategy by")
    if backend not in ("cpu", "gpu"):
        raise RailbirdError(f"no backend {backend!r}; cpu or gpu")
    if backend == "gpu":
        from railbird.solve.gpu.device import gpu

        gpu()
    if out.is_dir():
        raise RailbirdError(f"{str(out)!r} is a folder; --out names a file")
    checkpoint = out.with_name(out.name + ".checkpoint")
    with compiling_note():
        training = _begun(checkpoint, buckets, abstraction, method, power, seed, resume)
        with counting_bar("buckets of flops and turns") as watch:
            training.abstraction.build(watch)
        trained, seconds, found = 0, 0.0, None
        for check in range(checks):
            part = None if boards is None else boards * (check + 1) // checks - boards * check // checks
            with counting_bar("boards" if boards else "seconds") as watch:
                now, spent = _trained(training, part, 60 * minutes / checks, workers, backend, checkpoint, watch)
            trained, seconds = trained + now, seconds + spent
            strategy = training.strategy()
            if not flops:
                strategy.save(out)
                continue
            with counting_bar("flops") as watch:
                looked = _exploitability(strategy, flops, workers, backend, watch)
            looked["boards"] = training.boards
            if found is None or looked["mean"] < found["mean"]:
                found = looked
                strategy.about["exploitability"] = found
                strategy.save(out)
    about = {
        "schema": "railbird.solve/1",
        "out": str(out),
        "checkpoint": str(checkpoint),
        "bytes": out.stat().st_size,
        "buckets": list(training.abstraction.counts),
        "boards": training.boards,
        "boards_now": trained,
        "seconds": seconds,
        "boards_per_second": trained / seconds if seconds else None,
        "exploitability": found,
    }
    if as_json:
        print_json(about)
    else:
        _show(training, about)


def _begun(
    checkpoint: Path, buckets: str, abstraction: str, method: str, power: int, seed: int, resume: bool
) -> Training:
    """A new training, or the one in the checkpoint."""
    from railbird.cli.show import counting_bar
    from railbird.errors import RailbirdError
    from railbird.solve.abstraction import Abstraction
    from railbird.solve.train import Training

    if resume:
        return Training.load(checkpoint)
    try:
        counts = tuple(int(part) for part in buckets.split("/"))
    except ValueError:
        raise RailbirdError(f"{buckets!r} are not buckets by street, as in 169/200/200/200") from None
    Training.check(method, power)
    with counting_bar("abstraction") as watch:
        fitted = Abstraction.fit(counts, abstraction, seed, watch)
    return Training(fitted, seed=seed, method=method, power=power)


def _trained(
    training: Training,
    boards: int | None,
    seconds: float,
    workers: int,
    backend: str,
    checkpoint: Path,
    watch: Watch | None,
) -> tuple[int, float]:
    """Train and write checkpoints; returns boards and seconds. Ctrl-C ends it early."""
    from time import monotonic

    start, before = monotonic(), training.boards
    saved = start

    def look(now: Training) -> None:
        nonlocal saved
        if monotonic() - saved > _CHECKPOINT_SECONDS:
            now.save(checkpoint)
            saved = monotonic()
        if watch and boards:
            watch(now.boards - before, boards)
        elif watch:
            watch(int(monotonic() - start), int(seconds))

    with suppress(KeyboardInterrupt):
        if backend == "gpu":
            from railbird.solve.gpu.gpu_training import train_on_gpu

            train_on_gpu(training, boards, None if boards else seconds, watch=look)
        else:
            training.run(boards, None if boards else seconds, workers, look)
    spent = monotonic() - start
    training.save(checkpoint)
    return training.boards - before, spent


def _exploitability(strategy: Strategy, flops: int, workers: int, backend: str, watch: Watch | None) -> dict[str, Any]:
    if backend == "gpu":
        from railbird.solve.gpu.gpu_responses import exploitability_on_gpu

        found = exploitability_on_gpu(strategy, flops, watch=watch).mean
    else:
        from railbird.solve.best_response import exploitability

        found = exploitability(strategy, flops, workers=workers, watch=watch).mean
    return {
        "flops": flops,
        "mean": found.value.mean,
        "margin95": found.value.margin,
        "lower": found.lower.mean,
        "unit": "mb/hand",
    }


def _show(training: Training, about: dict[str, Any]) -> None:
    from railbird.cli.show import say

    counts, made = "/".join(map(str, training.abstraction.counts)), training.abstraction.method
    say(
        f"[bold]{about['out']}[/bold] | {counts} buckets ({made}) | {training.boards:,} boards | "
        f"seed {training.seed} | {about['bytes'] / 1e6:.1f} MB"
    )
    if about["seconds"]:
        say(f"  {about['boards_now']:,} boards in {about['seconds']:.0f} s, {about['boards_per_second']:.1f} a second")
    if about["exploitability"]:
        found = about["exploitability"]
        say(
            f"  after {found['boards']:,} boards a best response wins {found['mean']:.0f} ± {found['margin95']:.0f} "
            f"mb/hand on {found['flops']} flops (biased upwards; at least about {found['lower']:.0f})"
        )
    say(f"go on: railbird solve --resume --out {about['out']}")
