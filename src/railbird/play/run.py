"""Running matches: on all cores, block by block, to be continued after any interruption."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import chain
from multiprocessing.connection import wait
from typing import NamedTuple

from railbird.errors import MatchError, RailbirdWarning
from railbird.play.block_check import check_if_foreign
from railbird.play.clock import Clock
from railbird.play.dealing import deals
from railbird.play.folder import MatchFolder, publish_keys
from railbird.play.manifest import refuse_edited
from railbird.play.match_result import MatchResult
from railbird.play.match_run import MatchRun
from railbird.play.played_there import Heard, played_there
from railbird.play.worker import CallLost, Desk, Table, Task, Worker, blocks_of
from railbird.progress import Watch
from railbird.ray_cluster import Cluster
from railbird.stopping import keeping
from railbird.workforce import Workforce

Order = Callable[[Sequence[tuple[int, MatchRun]]], Iterator[Task]]
"""In which order tasks of matches, which are given with their numbers, are played."""
WATCH_SECONDS = 0.2
TURN_DEALS = 1_000
"""So many deals of a match are played before those of the next; later more, by an eighth of what there is."""
SHORT_HANDS = 2_000
"""Fewer hands than this are not worth starting other processes for."""


def one_after_another(runs: Sequence[tuple[int, MatchRun]]) -> Iterator[Task]:
    """What is left to do of some matches, which are given with their numbers: all of the first, then the next."""
    return chain.from_iterable(run.tasks(match) for match, run in runs)


def in_turn(runs: Sequence[tuple[int, MatchRun]]) -> Iterator[Task]:
    """What is left to do of some matches, some deals of each in turn, so that what all of them have come to can be told
    long before the end. Where players learn all the rest of a leg is one task, and comes in its turn as a whole."""
    left = [run.tasks(match) for match, run in runs]
    heads = [next(tasks, None) for tasks in left]
    deals = min((hand for _, run in runs for hand in run.next_hand), default=0)
    while any(heads):
        deals += max(TURN_DEALS, deals // 8)
        for at, tasks in enumerate(left):
            while (task := heads[at]) is not None and task.first < deals:
                yield task
                heads[at] = next(tasks, None)


def run_matches(
    folders: Sequence[MatchFolder],
    workers: Workforce = None,
    watch: Watch | None = None,
    order: Order = one_after_another,
) -> list[MatchResult]:
    """Play the matches of these folders to their end, from where they stand, and return their results.

    An exception or interruption leaves everything that is written on disk in order; the same call goes on from there.
    """
    if isinstance(workers, int) and workers < 1:
        raise MatchError(f"{workers} workers; at least 1 is needed")
    _say_where_more_is(folders)
    runs = [MatchRun.begin(folder) for folder in folders]
    play_runs(runs, workers, watch, order)
    if all(log.is_finished for run in runs for log in run.logs):
        publish_keys(folders)
    return [run.result() for run in runs]


def play_runs(
    runs: Sequence[MatchRun],
    workers: Workforce = None,
    watch: Watch | None = None,
    order: Order = one_after_another,
) -> None:
    """Play what is left to do of some matches, in some order."""
    done_before = sum(run.hands_done for run in runs)
    total = sum(run.total_hands for run in runs)

    def report() -> None:
        if watch:
            now = next((run for run in runs if not run.is_done), runs[-1])
            watch(sum(run.hands_done for run in runs), total, now.standing)

    for run in runs:
        run.spec.housed_in(run.folder.path)
    rows = _rows(runs, workers, order)
    with keeping(lambda: _kept_hands(runs, total)):
        report()
        for heard in _played(rows, runs, total - done_before):
            if heard is not None:
                match, block = heard
                runs[match].take(block)
            report()


def _played(rows: Sequence[_Row], runs: Sequence[MatchRun], hands: int) -> Iterator[Heard]:
    """Play what is left to do where it is best played: in this process, beside it, or on a cluster."""
    count = sum(row.at_once for row in rows)
    stays = not all(player.travels for run in runs for player in run.spec.players)
    is_safe = not any(run.spec.has_foreign_code and not run.spec.is_boxed for run in runs)
    is_short = hands <= SHORT_HANDS and not any(run.spec.is_boxed for run in runs)
    waits = any(run.spec.hands_at_once for run in runs)
    quick = (is_short and not waits) or all(run.spec.is_compiled for run in runs)
    clusters = [row for row in rows if row.cluster]
    if clusters and stays:
        raise MatchError("a bot that was made in this process cannot play on a cluster; give its name, file or class")
    if not clusters and (stays or (is_safe and (count <= 1 or quick))):
        yield from _played_here(chain.from_iterable(row.tasks for row in rows), runs)
    elif count:
        beside = [row for row in rows if not row.cluster and row.at_once]
        ways = [played_there(row.cluster, row.tasks, runs) for row in clusters if row.cluster and row.at_once]
        if beside:
            _compile_here(runs)
            ways.append(_played_beside(beside, runs))
        yield from _in_turn(ways)


def _in_turn(ways: Sequence[Iterator[Heard]]) -> Iterator[Heard]:
    """What is heard from several places, from one after the other."""
    with ExitStack() as stack:
        left = [stack.enter_context(closing(way)) for way in ways]  # type: ignore[type-var]
        while left:
            for way in list(left):
                try:
                    yield next(way)
                except StopIteration:
                    left.remove(way)


class _Row(NamedTuple):
    """Tasks, and how many of them are played at once."""

    tasks: Iterator[Task]
    at_once: int
    desk: type[Desk]
    """Where they are played,"""
    cluster: Cluster | None = None
    """unless it is on a cluster."""


def _rows(runs: Sequence[MatchRun], who: Workforce, order: Order) -> list[_Row]:
    """What is left to do. Matches in which somebody waits for something elsewhere have tables of their own, as many as
    that somebody may play hands at once: they use no cores to speak of, and no other match waits for them. So they are
    never sent to a cluster."""
    rows = []
    for waits in (False, True):
        cluster = who if isinstance(who, Cluster) and not waits else None
        workers = who.most if isinstance(who, Cluster) else who
        mine = [(match, run) for match, run in enumerate(runs) if bool(run.spec.hands_at_once) is waits]
        tasks = order(mine)
        legs, blocks = sum(run.spec.seating.legs for _, run in mine), sum(run.blocks_left for _, run in mine)
        at_once = min((run.spec.hands_at_once for _, run in mine), default=0) if waits else os.cpu_count() or 1
        most = min(legs, blocks) if all(run.spec.learns for _, run in mine) else blocks
        desk = Table if waits and all(run.spec.waits_for_boxes for _, run in mine) else Worker
        rows.append(_Row(tasks, min(workers or at_once, most), desk, cluster))
    return rows


def _kept_hands(runs: Sequence[MatchRun], total: int) -> str:
    """What to say on Ctrl-C."""
    done = sum(log.hands_kept for run in runs for log in run.logs)
    where = os.path.commonpath([run.folder.path for run in runs])
    return f"{done:,} of {total:,} hands are kept in {where!r}; do the same again to go on from there"


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
                run.spec.candidates.prepare(seat)


def _played_here(tasks: Iterable[Task], runs: Sequence[MatchRun]) -> Iterator[Heard]:
    """Play in this process: for matches too short to be worth starting others, between bots that can be trusted."""
    try:
        for task in tasks:
            if task.spec.is_boxed:
                refuse_edited(task.spec, task.folder)
            for block in blocks_of(task, Clock()):
                yield task.match, block
    finally:
        for run in runs:
            run.spec.roster.rest()


def _played_beside(rows: Sequence[_Row], runs: Sequence[MatchRun]) -> Iterator[Heard]:
    """Play in worker processes or at tables, and replace those that are lost."""
    workers = [row.desk(row.tasks) for row in rows for _ in range(row.at_once)]
    try:
        for worker in workers:
            worker.go_on()
        while any(worker.task for worker in workers):
            by_connection = {worker.connection: worker for worker in workers if worker.task}
            for ready in wait(list(by_connection), timeout=WATCH_SECONDS):
                worker = by_connection[ready]  # type: ignore[index]
                assert worker.task is not None
                try:
                    block = worker.heard()
                except CallLost as lost:
                    workers[workers.index(worker)] = _replaced(worker, runs, lost)
                    continue
                if block is None:
                    worker.go_on()
                    continue
                check_if_foreign(worker.task.spec, block)
                yield worker.task.match, block
            for index, worker in enumerate(workers):
                if worker.is_stuck:
                    workers[index] = _replaced(worker, runs, worker.lost("did not come back"))
            yield None
    finally:
        for worker in workers:
            worker.stop()
        for worker in workers:
            worker.end()


def _replaced(lost: Desk, runs: Sequence[MatchRun], how: CallLost) -> Desk:
    """A new worker that plays the lost one's task again."""
    task = lost.task
    assert task is not None
    lost.end()
    worker = type(lost)(lost.tasks)
    worker.begin(runs[task.match].again(task, how))
    return worker
