"""Training a strategy from beginning to end: abstraction, training with checkpoints, and keeping the best.

A strategy trained for long fits itself to its buckets and gets easier to exploit. So a plan may look at it several
times on the way, by best responses on the same random flops, and keep the strategy that gave away least.

A plan may also solve the game in parts, as the first pseudo-optimal players were made: three streets with the river
checked down, and then the streets after the flop for the play before it of another strategy.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError, UnknownBotError, did_you_mean
from railbird.game.actions import ProbabilityTriple
from railbird.game.spec import limit_holdem
from railbird.numbers import MOST_SEED, MOST_WHOLE, quoted
from railbird.progress import Bar, Watch, bar_for
from railbird.results.parts import Heading, Line, Part
from railbird.results.result import Result
from railbird.solve.abstraction import Abstraction
from railbird.solve.beginning import BEGINNINGS, begin_with
from railbird.solve.best_response import exploitability
from railbird.solve.bucket_files import counts_in, load_buckets, same_buckets
from railbird.solve.cfr_br import Bench, train_against_answers
from railbird.solve.cpu_bench import CpuBench
from railbird.solve.finer_opponent import check_sight
from railbird.solve.flops import MOST_FLOPS
from railbird.solve.gpu.device import gpu
from railbird.solve.gpu.gpu_bench import FLOPS_AT_ONCE, GpuBench
from railbird.solve.gpu.gpu_responses import exploitability_on_gpu
from railbird.solve.gpu.gpu_training import BATCH, train_on_gpu
from railbird.solve.policy import ConstantPolicy
from railbird.solve.rounding import check_levels
from railbird.solve.strategy import Strategy, strategy_named
from railbird.solve.train import MOST_BEGINNING, Training
from railbird.stopping import NOTHING_KEPT, finishing, keeping

BACKENDS = ("cpu", "gpu")
_CHECKPOINT_SECONDS = 300
_USUAL_BUCKETS = "169/200/200/200"
_MOST_WORKERS, _MOST_CHECKS, _MOST_MINUTES = 1_000, 10_000, 1e7


class Learning(NamedTuple):
    """What a training keeps from its beginning on, and as it is where a plan leaves it open."""

    method: str = "plus"
    power: int = 1
    seed: int = 0
    sight: str = "texture"
    abstraction: str = "histogram"

    @classmethod
    def of(cls, training: Training) -> Learning:
        """That of a training which has begun."""
        return cls(training.method, training.power, training.seed, training.sight, training.abstraction.method)


@dataclass(frozen=True)
class SolvePlan:
    """How a strategy is to be trained."""

    buckets: str = ""
    """By street; before the flop there are 169. Or a file of buckets (`railbird build abstraction`). Unless it says
    otherwise 169/200/200/200, or those of the strategy that it begins with."""
    abstraction: str | None = None
    """How new buckets are made: histogram, ochs, ehs, ehs2 or potential. Unless it says otherwise histogram."""
    method: str | None = None
    """plus (regret matching+), linear, finer (against an opponent who sees more), or cfr-br (who answers perfectly).
    Unless it says otherwise plus; a checkpoint goes on as it was begun, in this as in all that a plan leaves open."""
    power: int | None = None
    """1: linear averaging, 2: squared. Unless it says otherwise 1."""
    minutes: float = 5.0
    boards: int | None = None
    """Train on so many boards, with cfr-br so many flops, instead of for some minutes."""
    workers: int = 1
    """Threads; with more than one no run repeats."""
    seed: int | None = None
    """What the boards follow from. Unless it says otherwise 0."""
    flops: int = 0
    """Estimate the exploitability from so many flops."""
    checks: int = 1
    """Estimate it so many times, and keep the best strategy."""
    backend: str = "cpu"
    """cpu, or gpu (needs CuPy)."""
    preflop: str = ""
    """A strategy file: play before the flop as it does, and train the streets after it for that."""
    checked_river: bool = False
    """Train a game without betting on the river, which both check down."""
    current: bool = False
    """Write the strategy that is played next, instead of the average of all."""
    levels: int = 0
    """Round probabilities to so many levels, 64 at most, so that the file packs; 0 leaves 255ths."""
    only_write: bool = False
    """Train no more, and write the strategy of a checkpoint."""
    sight: str | None = None
    """With finer, what the opponent sees of flops and turns: their texture, or the boards (for a gpu). Unless it says
    otherwise texture."""
    together: int = 0
    """On a gpu so many boards, with cfr-br anywhere so many flops, make one step of learning; 0 for 1,024 boards or two
    flops, on the cpu for one."""
    begin_with: str = ""
    """With finer or cfr-br: begin with this strategy, a file or the name of one that comes with Railbird."""
    begin_as: float | None = None
    """What it begins with counts as so many boards or flops: the more, the longer it stays."""

    def __post_init__(self) -> None:
        limits = [("boards", self.boards, MOST_WHOLE), ("workers", self.workers, _MOST_WORKERS)]
        for what, number, most in [*limits, ("checks", self.checks, _MOST_CHECKS)]:
            if number is not None and not 1 <= number <= most:
                raise RailbirdError(f"{quoted(number)} {what}; there must be 1 to {most:,}")
        if not 0 < self.minutes <= _MOST_MINUTES:
            raise RailbirdError(f"{self.minutes} minutes; they must be more than 0, and at most {_MOST_MINUTES:g}")
        if self.seed is not None and not 0 <= self.seed <= MOST_SEED:
            raise RailbirdError(f"seed {quoted(self.seed)}; a seed is a whole number from 0 to 2^63 - 1")
        if self.flops and not 2 <= self.flops <= MOST_FLOPS:
            raise RailbirdError(f"{quoted(self.flops)} flops; an estimate needs at least 2, and at most {MOST_FLOPS:,}")
        if self.checks > 1 and not self.flops:
            raise RailbirdError(f"{self.checks} checks without --flops: there is nothing to choose the best by")
        if self.backend not in BACKENDS:
            raise RailbirdError(f"no backend {self.backend!r}{did_you_mean(self.backend, BACKENDS)} (cpu, gpu)")
        if self.backend == "gpu" and (self.preflop or self.checked_river):
            raise RailbirdError("a game in parts (--preflop, --checked-river) is solved by --backend cpu alone")
        if self.begin_as is not None and not self.begin_with:
            raise RailbirdError(f"--begin-as {self.begin_as} without --begin-with: there is nothing to begin with")
        if self.begin_as is not None and not 0 < self.begin_as <= MOST_BEGINNING:
            raise RailbirdError(f"a beginning that counts as {self.begin_as}; it must be more than 0, and at most 1e6")
        if self.levels:
            check_levels(self.levels)
        learning = _learning(self)
        check_sight(learning.sight)
        Training.check(learning.method, learning.power)
        if self.method is not None:
            _check_for(self, self.method)

    @property
    def bucket_file(self) -> Path | None:
        """The file of buckets, if `buckets` names one."""
        path = Path(self.buckets)
        return path if path.is_file() else None

    @property
    def counts(self) -> tuple[int, ...]:
        """Buckets by street."""
        return counts_in(self.buckets or _USUAL_BUCKETS)


def _told(plan: SolvePlan) -> dict[str, Any]:
    """What a plan does not leave open of what a training keeps."""
    told = {name: getattr(plan, name) for name in Learning._fields}
    return {name: value for name, value in told.items() if value is not None}


def _learning(plan: SolvePlan) -> Learning:
    """How a new training learns."""
    return Learning()._replace(**_told(plan))


def _check_for(plan: SolvePlan, method: str) -> None:
    """Refuse a plan with what does not go with a method of training."""
    unit, most = ("flops", 64) if method == "cfr-br" else ("boards", 4_096)
    if not 0 <= plan.together <= most:
        raise RailbirdError(f"{quoted(plan.together)} {unit} together; there must be 1 to {most:,}")
    if plan.together > 1 and plan.backend == "cpu" and method != "cfr-br":
        raise RailbirdError(
            f"{plan.together} boards together are for --backend gpu; with {method} each is a step on the cpu"
        )
    if method in BEGINNINGS and (plan.preflop or plan.checked_river):
        raise RailbirdError(f"{method} trains the whole game; --preflop and --checked-river are for plus and linear")
    if method == "cfr-br" and plan.workers > 1 and plan.backend == "cpu":
        raise RailbirdError(f"{plan.workers} workers; cfr-br works with one on the cpu, or with --backend gpu")
    if plan.sight not in (None, Learning().sight) and method != "finer":
        raise RailbirdError(f"an opponent who sees {plan.sight} is for --method finer, not for {method}")
    if plan.begin_with and method not in BEGINNINGS:
        raise RailbirdError(f"to begin with a strategy is for --method finer or cfr-br, not for {method}")


@dataclass(frozen=True, repr=False)
class Solved(Result):
    """A trained strategy, and how it was trained."""

    strategy: Strategy
    out: Path | None
    """Where the strategy was written to; a checkpoint lies beside it."""
    training: Training
    boards_now: int
    """Boards of this run, without those of the checkpoint it went on from."""
    seconds: float
    exploitability: dict[str, Any] | None

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.solve/1."""
        return {
            "schema": "railbird.solve/1",
            "out": str(self.out) if self.out else None,
            "checkpoint": str(checkpoint_of(self.out)) if self.out else None,
            "bytes": self.out.stat().st_size if self.out else None,
            "buckets": list(self.training.abstraction.counts),
            "boards": self.training.boards,
            "boards_now": self.boards_now,
            "seconds": self.seconds,
            "boards_per_second": self.boards_now / self.seconds if self.seconds else None,
            "exploitability": self.exploitability,
        }

    def parts(self) -> list[Part]:
        training = self.training
        counts, made = "/".join(map(str, training.abstraction.counts)), training.abstraction.method
        size = (f"{self.out.stat().st_size / 1e6:.1f} MB",) if self.out else ()
        what = training.unit
        facts = (f"{counts} buckets ({made})", f"{training.boards:,} {what}", f"seed {training.seed}", *size)
        found: list[Part] = [Heading(str(self.out or "a strategy"), facts)]
        if self.seconds:
            speed = self.boards_now / self.seconds
            found.append(Line(f"{self.boards_now:,} {what} in {self.seconds:.0f} s, {speed:.1f} a second"))
        if known := self.exploitability:
            words = f"after {known['boards']:,} {what} a best response wins {known['mean']:.0f} ± "
            words += f"{known['margin95']:.0f} mb/hand on {known['flops']} flops (biased upwards; at least about "
            found.append(Line(f"{words}{known['lower']:.0f})"))
        return found


def solve(
    out: str | Path | None = None,
    *,
    plan: SolvePlan | None = None,
    resume: bool = False,
    progress: bool | Bar = True,
    **settings: Any,
) -> Solved:
    """Train a strategy for heads-up limit hold'em, and write it to the file `out` if one is named.

    How it is trained says a `plan`, or its settings by name, as in `solve(buckets="169/20/20/20", boards=100)`.

    Every few minutes, and at the end or on Ctrl-C, a checkpoint is written beside that file, from which `resume` goes
    on; on Ctrl-C the strategy so far is written too. With one worker the result depends on seed and number of boards
    alone.
    """
    plan, opened = plan or SolvePlan(**settings), bar_for(progress)
    path = Path(out) if out is not None else None
    if path is not None and path.is_dir():
        raise RailbirdError(f"{str(path)!r} is a folder; name a file")
    if resume and path is None:
        raise RailbirdError("to go on from a checkpoint, name the file that it lies beside")
    if plan.only_write and not resume:
        raise RailbirdError("--write is for a checkpoint; name it by --out FILE --resume")
    if resume and plan.begin_with:
        raise RailbirdError("a checkpoint goes on as it was begun; --begin-with is for a new training")
    training = _resumed(plan, checkpoint_of(path)) if resume and path else None
    if training is None:
        _check_for(plan, _learning(plan).method)
    if plan.backend == "gpu":
        gpu()
    training = training or _begun(plan, opened)
    with opened("buckets of flops and turns") as watch:
        training.abstraction.build(watch)
    with keeping(lambda: _kept_boards(training, plan, path)):
        return _solved(training, plan, path, opened)


def _solved(training: Training, plan: SolvePlan, path: Path | None, opened: Bar) -> Solved:
    """Train, look at what was learned as often as the plan says, and keep the best."""
    boards, seconds = 0, 0.0
    best: Strategy | None = None
    found: dict[str, Any] | None = None
    for check in range(plan.checks):
        try:
            now, spent = (0, 0.0) if plan.only_write else _trained(training, plan, check, path, opened)
        except KeyboardInterrupt:
            if best is None and path is not None:
                with finishing():
                    _strategy(training, plan).save(path)
            raise
        boards, seconds = boards + now, seconds + spent
        strategy = _strategy(training, plan)
        if plan.flops:
            with opened("flops") as watch:
                looked = {**_estimated(strategy, plan, watch), "boards": training.boards}
            if found is not None and looked["mean"] >= found["mean"]:
                continue
            strategy.about["exploitability"] = found = looked
        best = strategy
        if path is not None:
            strategy.save(path)
    assert best is not None
    return Solved(best, path, training, boards, seconds, found)


def _strategy(training: Training, plan: SolvePlan) -> Strategy:
    """What was learned so far, as the plan wants it written."""
    found = training.strategy(plan.current)
    return found.rounded(plan.levels) if plan.levels else found


def _kept_boards(training: Training, plan: SolvePlan, path: Path | None) -> str:
    """What to say on Ctrl-C."""
    if path is None or training.kept is None:
        return NOTHING_KEPT if path else "nothing is kept, since no file was named"
    instead = " instead of --begin-with" if plan.begin_with else ""
    return (
        f"{training.kept:,} {training.unit} are kept in {str(checkpoint_of(path))!r}; "
        f"with --resume{instead} the same command goes on from there"
    )


def checkpoint_of(path: Path) -> Path:
    """The checkpoint that lies beside a strategy file."""
    return path.with_name(path.name + ".checkpoint")


def _resumed(plan: SolvePlan, path: Path) -> Training:
    """The training of a checkpoint, which goes on as it was begun; refuses a plan that says otherwise."""
    training = Training.load(path)
    name, was, counts = repr(str(path)), Learning.of(training), training.abstraction.counts
    for what, given in _told(plan).items():
        if given != getattr(was, what):
            raise RailbirdError(f"{name} was begun with {what} {getattr(was, what)}, not with {given}")
    if plan.bucket_file and not same_buckets(load_buckets(plan.bucket_file), training.abstraction):
        raise RailbirdError(f"{name} was begun with other buckets than those in {plan.buckets!r}")
    if plan.buckets and not plan.bucket_file and plan.counts != counts:
        raise RailbirdError(f"{name} was begun with {'/'.join(map(str, counts))} buckets, not with {plan.buckets}")
    for street, table in _held(plan, counts).items():
        kept = training.regrets[street]
        if street not in training.held or not np.array_equal(kept, training.rounds[street].by_lane(table)):
            where = "on the river" if street else "before the flop"
            raise RailbirdError(f"{name} was begun with other play {where}")
    _check_for(plan, was.method)
    return training


def _begun(plan: SolvePlan, opened: Bar) -> Training:
    """A new training."""
    learning = _learning(plan)
    given = _given(plan.begin_with) if plan.begin_with else None
    fitted = load_buckets(plan.bucket_file) if plan.bucket_file else None
    if given and not plan.buckets:
        fitted = given.abstraction
    if fitted and plan.abstraction not in (None, fitted.method):
        raise RailbirdError(f"--abstraction {plan.abstraction} is for new buckets; these were made by {fitted.method}")
    counts = fitted.counts if fitted else plan.counts
    held = _held(plan, counts)
    if fitted is None:
        with opened("abstraction") as watch:
            fitted = Abstraction.fit(counts, learning.abstraction, learning.seed, watch)
    for part in (given.abstraction, fitted) if given else (fitted,):
        with opened("buckets of flops and turns") as watch:
            part.build(watch)
    method, power, seed, sight, _ = learning
    training = Training(fitted, seed=seed, method=method, power=power, held=held, sight=sight)
    if given:
        begin_with(training, given, plan.begin_with, plan.begin_as)
    return training


def _held(plan: SolvePlan, counts: tuple[int, ...]) -> dict[int, NDArray[np.float32]]:
    """By street, the play that the plan gives."""
    held = {}
    if plan.preflop:
        held[0] = _given(plan.preflop).table(0)
    if plan.checked_river:
        checks = ConstantPolicy(limit_holdem(), ProbabilityTriple(0.0, 1.0, 0.0)).table(3)
        held[3] = np.repeat(checks, counts[3], axis=1)
    return held


def _given(name: str) -> Strategy:
    """A strategy for the game that is trained: a file, or one that comes with Railbird."""
    game = limit_holdem()
    try:
        found = strategy_named(name)
    except UnknownBotError as error:  # of bots alone it would be the right one
        raise RailbirdError(str(error)) from None
    if not found.plays(game):
        raise RailbirdError(f"{name!r} is a strategy for another game than {game.name} with four bets a street")
    return found


def _trained(training: Training, plan: SolvePlan, check: int, path: Path | None, opened: Bar) -> tuple[int, float]:
    """Train up to a check and write checkpoints, one on Ctrl-C too; returns boards and seconds."""
    whole, parts = plan.boards, plan.checks
    boards = None if whole is None else whole * (check + 1) // parts - whole * check // parts
    seconds = None if boards else 60 * plan.minutes / parts
    start, before = monotonic(), training.boards
    saved = start
    with opened(training.unit if boards else "seconds") as watch:

        def keep(now: Training) -> None:
            if path is not None:
                now.save(checkpoint_of(path))

        def look_and_keep(now: Training) -> None:
            nonlocal saved
            look(now)
            if monotonic() - saved > _CHECKPOINT_SECONDS:
                keep(now)
                saved = monotonic()

        def look(now: Training) -> None:
            if watch and boards:
                watch(now.boards - before, boards)
            elif watch and seconds:
                watch(int(monotonic() - start), int(seconds))

        with nullcontext() if path is None else finishing():
            try:
                save = keep if path else None
                if training.is_answered:
                    train_against_answers(training, _bench(plan), boards, seconds, watch, save)
                elif plan.backend == "gpu":
                    train_on_gpu(training, boards, seconds, plan.together or BATCH, look, save)
                else:
                    training.run(boards, seconds, plan.workers, look_and_keep)
            except KeyboardInterrupt:
                keep(training)
                raise
    spent = monotonic() - start
    keep(training)
    return training.boards - before, spent


def _bench(plan: SolvePlan) -> Bench:
    """Where the flops of a plan are worked."""
    if plan.backend == "gpu":
        return GpuBench(plan.together or FLOPS_AT_ONCE)
    return CpuBench(plan.together or 1)


def _estimated(strategy: Strategy, plan: SolvePlan, watch: Watch | None) -> dict[str, Any]:
    """The strategy's exploitability on the plan's flops."""
    if plan.backend == "gpu":
        found = exploitability_on_gpu(strategy, plan.flops, watch=watch).mean
    else:
        found = exploitability(strategy, plan.flops, workers=plan.workers, watch=watch).mean
    return {
        "flops": plan.flops,
        "mean": found.value.mean,
        "margin95": found.value.margin,
        "lower": found.lower.mean if found.lower else None,
        "unit": "mb/hand",
    }
