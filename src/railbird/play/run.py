"""Running matches: on all cores, block by block, to be continued after any interruption."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from multiprocessing.connection import wait

import numpy as np
from numpy.typing import NDArray

from railbird.errors import MatchError, RailbirdWarning
from railbird.play.blocks import Block, play_blocks
from railbird.play.dealing import deals
from railbird.play.folder import MatchFolder
from railbird.play.hand import Clock
from railbird.play.leg_log import HandLog
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult, in_order, joined
from railbird.play.worker import Task, Worker, time_limit
from railbird.progress import Watch
from railbird.statistics import Estimate

WATCH_SECONDS = 0.2
MOST_RESTARTS = 3
SHORT_HANDS = 2_000
"""Fewer hands than this are not worth starting other processes for."""


@dataclass
class MatchRun:
    """A match being played: its logs, and what has been won so far."""

    folder: MatchFolder
    logs: list[HandLog]
    won: list[list[NDArray[np.int64]]]
    next_hand: list[int]
    """By leg, the first hand that is not in the log."""
    waiting: dict[tuple[int, int], Block] = field(default_factory=dict)
    """Blocks that came before their turn, by (leg, first hand)."""
    restarts: int = 0
    moments: NDArray[np.float64] = field(default_factory=lambda: np.zeros((3, 0)))
    """Number, sum and sum of squares of each player's chips so far."""

    @classmethod
    def begin(cls, folder: MatchFolder) -> MatchRun:
        """Read what is there and make ready to go on."""
        logs = [folder.log(leg) for leg in range(folder.spec.seating.legs)]
        won = [[log.open()] for log in logs]
        run = cls(folder, logs, won, [len(blocks[0]) for blocks in won])
        run.moments = np.zeros((3, len(folder.spec.bots)))
        for blocks in won:
            run._add(blocks[0])
        return run

    @property
    def spec(self) -> MatchSpec:
        return self.folder.spec

    @property
    def hands_done(self) -> int:
        return sum(self.next_hand)

    @property
    def is_done(self) -> bool:
        return self.hands_done == self.spec.total_hands

    def tasks(self, match: int) -> Iterator[Task]:
        """What is left to do: a block at a time, or all the rest of a leg where players learn."""
        spec = self.spec
        blocks = [list(spec.blocks(first, spec.hands)) for first in self.next_hand]
        if spec.learns:
            for leg, first in enumerate(self.next_hand):
                if first < spec.hands:
                    yield Task(match, spec, leg, first, spec.hands, self.folder.path)
            return
        for row in zip_longest(*blocks):
            for leg, block in enumerate(row):
                if block:
                    yield Task(match, spec, leg, block[0], block[1], self.folder.path)

    def take(self, block: Block) -> None:
        """Write a block when its turn comes."""
        self.waiting[block.leg, block.first] = block
        leg = block.leg
        while (ready := self.waiting.pop((leg, self.next_hand[leg]), None)) is not None:
            self.logs[leg].append(ready.text, ready.won)
            self.logs[leg].faults += ready.faults
            self.won[leg].append(ready.won)
            self.next_hand[leg] += len(ready.won)
            self._add(ready.won)

    def result(self) -> MatchResult:
        faults = [fault for log in self.logs for fault in log.faults]
        return MatchResult(self.spec, joined(self.won, len(self.spec.bots)), in_order(faults), folder=self.folder.path)

    @property
    def standing(self) -> str:
        """The win rates so far, as short as can be: of one player heads-up, of three in a ring."""
        small_bet = self.spec.game.small_bet
        parts = []
        for player, name in enumerate(self.spec.names[: 1 if len(self.spec.names) == 2 else 3]):
            count, total, squares = (self.moments[:, player] / [1, small_bet, small_bet**2]).tolist()
            if count > 1:
                variance = max(0.0, (squares - total**2 / count) / (count - 1))
                rate = Estimate(total / count, math.sqrt(variance), int(count))
                parts.append(f"{name} {rate.mean:+.3f} ± {rate.margin:.3f}")
        return "  ".join(parts)

    def _add(self, won: NDArray[np.int64]) -> None:
        chips = won.astype(np.float64)
        self.moments += np.stack([np.full(chips.shape[1], len(chips)), chips.sum(axis=0), (chips**2).sum(axis=0)])


def run_matches(
    folders: Sequence[MatchFolder], workers: int | None = None, watch: Watch | None = None
) -> list[MatchResult]:
    """Play the matches of these folders to their end, from where they stand, and return their results.

    An exception or interruption leaves everything that is written on disk in order; the same call goes on from there.
    """
    if workers is not None and workers < 1:
        raise MatchError(f"{workers} workers; at least 1 is needed")
    _say_where_more_is(folders)
    runs = [MatchRun.begin(folder) for folder in folders]
    done_before = sum(run.hands_done for run in runs)
    total = sum(run.spec.total_hands for run in runs)

    def report() -> None:
        if watch:
            now = next((run for run in runs if not run.is_done), runs[-1])
            watch(sum(run.hands_done for run in runs), total, now.standing)

    tasks = chain.from_iterable(run.tasks(match) for match, run in enumerate(runs))
    blocks_left = sum(1 for run in runs for first in run.next_hand for _ in run.spec.blocks(first, run.spec.hands))
    legs = sum(run.spec.seating.legs for run in runs)
    most = legs if all(run.spec.learns for run in runs) else blocks_left
    count = min(workers or os.cpu_count() or 1, most)
    players = [player for run in runs for player in run.spec.players]
    stays = not all(player.travels for player in players)
    trusted = all(player.is_trusted for player in players)
    quick = all(run.spec.is_compiled for run in runs) or total - done_before <= SHORT_HANDS
    report()
    if stays or (trusted and (count <= 1 or quick)):
        _run_here(tasks, runs, report)
    elif blocks_left:
        _compile_here(runs)
        _run_there(tasks, runs, count, report)
    return [run.result() for run in runs]


def _say_where_more_is(folders: Sequence[MatchFolder]) -> None:
    """Say so if folders are for more hands than are asked for now."""
    longer = [folder for folder in folders if folder.hands > folder.spec.hands]
    if longer:
        first = longer[0]
        path = first.path if len(folders) == 1 else first.path.parent
        these = f"{first.hands:,} hands; these are the first {first.spec.hands:,}"
        warnings.warn(f"{str(path)!r} is for {these} (all: railbird results {path})", RailbirdWarning, 3)


def _compile_here(runs: Sequence[MatchRun]) -> None:
    """Compile what workers will need, so that it happens once, and in sight of whoever started the match."""
    next(deals(runs[0].spec.game, 0, 0, 1))
    seen = set()
    for run in runs:
        for seat, player in enumerate(run.spec.players):
            if player.is_trusted and player.text not in seen:
                seen.add(player.text)
                run.spec.roster.prepare(seat)


def _run_here(tasks: Iterable[Task], runs: Sequence[MatchRun], report: Callable[[], None]) -> None:
    """Play in this process: for matches too short to be worth starting others, between bots that can be trusted."""
    for task in tasks:
        clock = Clock()
        past = runs[task.match].folder.past(task.leg, task.first)
        with time_limit(clock, task.spec.decision_seconds):
            for block in play_blocks(task.spec, task.leg, task.first, task.last, past, clock):
                runs[task.match].take(block)
                report()


def _run_there(tasks: Iterator[Task], runs: Sequence[MatchRun], count: int, report: Callable[[], None]) -> None:
    """Play in worker processes, and replace those that are lost."""
    workers = [Worker() for _ in range(count)]
    try:
        for worker in workers:
            worker.begin(next(tasks, None))
        while any(worker.task for worker in workers):
            by_connection = {worker.connection: worker for worker in workers if worker.task}
            for ready in wait(list(by_connection), timeout=WATCH_SECONDS):
                worker = by_connection[ready]  # type: ignore[index]
                assert worker.task is not None
                try:
                    answer = worker.connection.recv()
                except (EOFError, OSError):
                    workers[workers.index(worker)] = _replaced(worker, runs, "ended the process")
                    continue
                if isinstance(answer, Block):
                    runs[worker.task.match].take(answer)
                elif answer is None:
                    worker.begin(next(tasks, None))
                else:
                    raise answer
            for index, worker in enumerate(workers):
                if worker.is_stuck:
                    workers[index] = _replaced(worker, runs, "did not come back")
            report()
    finally:
        for worker in workers:
            worker.end()


def _replaced(lost: Worker, runs: Sequence[MatchRun], why: str) -> Worker:
    """A new worker that plays the lost one's task again, without the decision that it was lost in."""
    task = lost.task
    assert task is not None
    run = runs[task.match]
    lost.end()
    skips = dict(task.skips)
    if lost.clock.thinking_seconds:
        skips[lost.clock.call] = why
    else:
        run.restarts += 1
        if run.restarts > MOST_RESTARTS:
            raise MatchError(
                f"the processes that play {str(run.folder.path)!r} keep ending; is there enough memory, and is the "
                "call of a script under if __name__ == '__main__'?"
            )
    first = run.next_hand[task.leg] if task.spec.learns else task.first
    worker = Worker()
    worker.begin(Task(task.match, task.spec, task.leg, first, task.last, task.folder, skips))
    return worker
