"""A match being played: its logs, what is left to do, and what has been won so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from railbird.errors import MatchError
from railbird.play.blocks import Block
from railbird.play.folder import MatchFolder
from railbird.play.leg_log import HandLog
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.match_sums import pieces
from railbird.play.worker import CallLost, Task
from railbird.statistics import Moments
from railbird.words import rate, signed

MOST_RESTARTS = 3


@dataclass
class MatchRun:
    """A match being played: its logs, and what has been won so far."""

    folder: MatchFolder
    logs: list[HandLog]
    next_hand: list[int]
    """By leg, the first hand that is not in the log."""
    money: list[Moments]
    """By player, sums of the chips so far."""
    waiting: dict[tuple[int, int], Block] = field(default_factory=dict)
    """Blocks that came before their turn, by (leg, first hand)."""
    restarts: int = 0

    @classmethod
    def begin(cls, folder: MatchFolder) -> MatchRun:
        """Read what is there and make ready to go on."""
        logs = [folder.log(leg) for leg in range(folder.spec.seating.legs)]
        run = cls(folder, logs, [log.open() for log in logs], [Moments() for _ in folder.spec.bots])
        for log, hands in zip(logs, run.next_hand):
            for first, last in pieces(hands):
                run._add(log.won(first, last))
        return run

    @property
    def spec(self) -> MatchSpec:
        return self.folder.spec

    @property
    def hands_done(self) -> int:
        return sum(self.next_hand)

    @property
    def total_hands(self) -> int:
        return self.spec.total_hands

    @property
    def blocks_left(self) -> int:
        return sum(1 for first in self.next_hand for _ in self.spec.blocks(first, self.spec.hands))

    @property
    def is_done(self) -> bool:
        return self.hands_done == self.total_hands

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
            self.next_hand[leg] += len(ready.won)
            self._add(ready.won)

    def again(self, task: Task, lost: CallLost) -> Task:
        """A task to be played once more; without the call that it was lost in, if it was so before."""
        skips, call = dict(task.skips), lost.call
        if call and call in task.suspects:
            skips[call] = lost.why
        elif not call:
            self.restarts += 1
            if self.restarts > MOST_RESTARTS:
                raise MatchError(
                    f"the processes that play {str(self.folder.path)!r} keep ending; is there enough memory, and is "
                    "the call of a script under if __name__ == '__main__'?"
                )
        first = self.next_hand[task.leg] if task.spec.learns else task.first
        suspects = task.suspects | ({call} if call else frozenset())
        return replace(task, first=first, skips=skips, suspects=suspects)

    def result(self) -> MatchResult:
        return self.folder.result()

    @property
    def standing(self) -> str:
        """The win rates so far, as short as can be: of one player heads-up, of three in a ring. In duplicate hands are
        not independent, and what they come to has no interval before deals are complete."""
        parts = []
        for name, sums in list(zip(self.spec.names, self.money))[: 1 if len(self.spec.names) == 2 else 3]:
            if sums.count > 1:
                won = sums.estimate(divisor=self.spec.game.small_bet)
                parts.append(f"{name} {signed(won.mean) if self.spec.duplicate else rate(won)}")
        return "  ".join(parts)

    def _add(self, won: NDArray[np.int64]) -> None:
        for player, sums in enumerate(self.money):
            sums.add(won[:, player].astype(np.float64))


@dataclass
class BlocksAgain(MatchRun):
    """Some blocks of a match that are played once more; nothing is written."""

    wanted: tuple[tuple[int, int, int], ...] = ()
    """By leg: the first hand, and the one after the last."""
    played: dict[tuple[int, int], Block] = field(default_factory=dict)
    """By leg and first hand."""

    @classmethod
    def of(cls, folder: MatchFolder, wanted: Sequence[tuple[int, int, int]]) -> BlocksAgain:
        """These hands of the match in a folder."""
        return cls(folder, [], [0] * folder.spec.seating.legs, [], wanted=tuple(wanted))

    @property
    def hands_done(self) -> int:
        return sum(len(block.won) for block in self.played.values())

    @property
    def total_hands(self) -> int:
        return sum(last - first for _, first, last in self.wanted)

    @property
    def blocks_left(self) -> int:
        return sum(1 for _, first, last in self.wanted for _ in self.spec.blocks(first, last))

    def tasks(self, match: int) -> Iterator[Task]:
        for leg, first, last in self.wanted:
            self.next_hand[leg] = first
            yield Task(match, self.spec, leg, first, last, self.folder.path)

    def take(self, block: Block) -> None:
        self.played[block.leg, block.first] = block
        self.next_hand[block.leg] = block.first + len(block.won)

    def text(self, leg: int, first: int, last: int) -> bytes:
        """The lines of hands that were played."""
        mine = sorted((at, block.text) for (where, at), block in self.played.items() if where == leg)
        return b"".join(text for at, text in mine if first <= at < last)
