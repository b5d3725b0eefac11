"""Matches on a cluster: what is left to do goes out in jobs, and blocks come home as they are played.

A job is some tasks of one match, as many as fit the pace (`railbird.pacing`); anybody plays it. Where players learn the
rest of a leg is a stream, which lives in one process and is asked for a second's blocks at a time. A job that is lost
is sent again, a stream is begun anew from the record at home. A process whose stream is over gets the next one. All
hands are written at home, in order, by one process.

With the first job of a match its manifest and the files of its bots go out. Where they arrive bots must have the
fingerprints that the manifest has, and Railbird must be the same, or nothing is played.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from railbird.errors import MatchError
from railbird.pacing import AHEAD, job_seconds
from railbird.play.block_check import check_if_foreign
from railbird.play.blocks import Block
from railbird.play.box import OUTPUT_BYTES
from railbird.play.match_run import MatchRun
from railbird.play.node import Answer, LearnerStream, Order, play_job
from railbird.play.worker import Task
from railbird.ray_cluster import MOST_LOSSES, Cluster, Lost, code_hash
from railbird.workforce import WAIT_SECONDS

Heard = tuple[int, Block] | None
"""The number of a match and a block of it; or nothing, after a while in which nothing was heard."""


def played_there(cluster: Cluster, tasks: Iterator[Task], runs: Sequence[MatchRun]) -> Iterator[Heard]:
    """Play tasks on a cluster."""
    sender = _Sender(cluster, tasks, runs)
    try:
        yield from sender.heard()
    finally:
        sender.end()


@dataclass(eq=False)
class _Stream:
    """A learner's leg that is played somewhere."""

    actor: Any
    task: Task
    asked: int = 0


@dataclass(eq=False)
class _Job:
    """Tasks that are out together."""

    tasks: list[Task]


class _Sender:
    """Sends tasks out, and takes blocks in."""

    def __init__(self, cluster: Cluster, tasks: Iterator[Task], runs: Sequence[MatchRun]) -> None:
        self._errands = cluster.errands()
        self._tasks, self._runs = tasks, runs
        self._back: deque[Task] = deque()
        """Tasks to be sent before all others: they were lost, or did not fit into a job."""
        self._losses: Counter[tuple[int, int, int]] = Counter()
        self._pace = self._errands.pace
        self._orders: dict[int, Any] = {}
        self._jobs: set[_Job] = set()
        self._streams: set[_Stream] = set()
        self._idle: list[Any] = []
        """Processes that have played a stream to its end, and can begin another."""

    def heard(self) -> Iterator[Heard]:
        """Blocks as they come, until all tasks are played."""
        while self._filled():
            for key, answer in self._errands.home(WAIT_SECONDS):
                take: Callable[[Any, Answer], None] = self._take_job if isinstance(key, _Job) else self._take_stream
                if isinstance(answer, Lost):
                    self._take_loss(key, answer)
                    continue
                if isinstance(key, _Stream) and key not in self._streams:
                    continue  # it was lost, or is over
                if answer.error:
                    raise answer.error
                for block in answer.blocks:
                    check_if_foreign(self._tasks_of(key)[0].spec, block)
                    yield self._tasks_of(key)[0].match, block
                take(key, answer)
            yield None

    def end(self) -> None:
        """Nobody wants to hear any more."""
        self._errands.give_up()
        self._end_idle()
        for stream in list(self._streams):
            self._drop(stream)

    def _filled(self) -> bool:
        """Send out as much as can be worked on, and as much again to be begun next; whether anything is out."""
        while len(self._jobs) + AHEAD * len(self._streams) < AHEAD * self._errands.places:
            task = self._next()
            if task is None:
                break
            if task.spec.learns:
                self._begin_stream(task)
            else:
                self._send([task])
        self._end_idle()  # others want their places
        return bool(self._jobs or self._streams)

    def _next(self) -> Task | None:
        return self._back.popleft() if self._back else next(self._tasks, None)

    def _send(self, tasks: list[Task]) -> None:
        """Send a job that begins with these tasks, and has as many more of the match as fit the pace."""
        match, hands = tasks[0].match, tasks[0].last - tasks[0].first
        fit = self._errands.fitting(match, self._left_seconds())
        while hands < fit and (task := self._next()) is not None:
            hands += task.last - task.first
            if task.match != match or task.spec.learns or hands > fit:
                self._back.appendleft(task)
                break
            tasks.append(task)
        job = _Job(tasks)
        self._jobs.add(job)
        sent = [self._with_past(task) for task in tasks]
        self._errands.send(job, play_job, (self._order(match),), code_hash(), sent)

    def _left_seconds(self) -> float:
        """How long all that is left to do would take at one place, as far as that is known."""
        left = [self._pace.seconds_of(match, run.total_hands - run.hands_done) for match, run in enumerate(self._runs)]
        return sum(left)

    def _begin_stream(self, task: Task) -> None:
        actor = self._idle.pop() if self._idle else self._errands.begin_stream(LearnerStream)
        stream = _Stream(actor, task)
        self._streams.add(stream)
        self._ask(stream, (self._order(task.match),), code_hash(), self._with_past(task))

    def _ask(self, stream: _Stream, *begins: Any) -> None:
        seconds = job_seconds(self._errands.places, self._pace.home_seconds, float("inf"))
        while stream.asked < AHEAD:
            stream.asked += 1
            self._errands.ask(stream, stream.actor, "play", seconds, *begins)
            begins = ()

    def _with_past(self, task: Task) -> Task:
        return replace(task, lines=self._runs[task.match].folder.past_lines(task.leg, task.first))

    def _order(self, match: int) -> Any:
        if match not in self._orders:
            self._orders[match] = self._errands.shared(Order.of(self._runs[match].folder))
        return self._orders[match]

    @staticmethod
    def _tasks_of(key: Any) -> list[Task]:
        return [key.task] if isinstance(key, _Stream) else key.tasks

    def _take_job(self, job: _Job, answer: Answer) -> None:
        self._jobs.discard(job)
        match = job.tasks[0].match
        self._pace.note(match, sum(len(block.won) for block in answer.blocks), answer.seconds)
        self._note_printed(match, answer)
        self._back.extendleft(reversed(self._unplayed(job.tasks, answer)))

    def _unplayed(self, tasks: Sequence[Task], answer: Answer) -> list[Task]:
        """The tasks of a job that were not played: the process of a bot was lost in the first of them."""
        left = list(tasks[answer.done :])
        if answer.lost:
            left[0] = self._runs[left[0].match].again(left[0], answer.lost)
        return left

    def _take_stream(self, stream: _Stream, answer: Answer) -> None:
        stream.asked -= 1
        self._note_printed(stream.task.match, answer)
        if answer.lost:
            self._drop(stream)
            self._back.appendleft(self._runs[stream.task.match].again(stream.task, answer.lost))
        elif answer.done:
            self._streams.discard(stream)
            self._idle.append(stream.actor)
        else:
            self._ask(stream)

    def _take_loss(self, key: Any, lost: Lost) -> None:
        """What was out with a place that is no more is played again elsewhere."""
        if isinstance(key, _Stream):
            if key not in self._streams:
                return
            self._drop(key)
            self._end_idle()  # which may be lost with it
        self._jobs.discard(key)
        for task in reversed(self._tasks_of(key)):
            run = self._runs[task.match]
            self._losses[task.match, task.leg, task.first] += 1
            if self._losses[task.match, task.leg, task.first] > MOST_LOSSES:
                raise MatchError(f"the places that play {str(run.folder.path)!r} keep ending: {lost}")
            self._back.appendleft(replace(task, first=run.next_hand[task.leg] if task.spec.learns else task.first))

    def _drop(self, stream: _Stream) -> None:
        self._streams.discard(stream)
        self._end_process(stream.actor)

    def _end_idle(self) -> None:
        while self._idle:
            self._end_process(self._idle.pop())

    def _end_process(self, actor: Any) -> None:
        with suppress(Exception):  # it is gone already
            self._errands.end_stream(actor)

    def _note_printed(self, match: int, answer: Answer) -> None:
        """Keep what bots printed there beside the hands, as far as what they print is kept."""
        for name, text in answer.printed.items():
            with suppress(OSError), (self._runs[match].folder.path / name).open("ab") as file:
                file.write(text[: max(0, OUTPUT_BYTES - file.tell())])
