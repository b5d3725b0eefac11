"""CFR-BR: a strategy that learns in its buckets against an opponent who has none.

A player who trains against another that sees the same buckets fits itself to them, and gets easier to exploit in the
whole game. In CFR-BR (Johanson, Bard, Burch and Bowling 2012, "Finding optimal abstract strategies in extensive-form
games") one side learns in the abstraction, by counterfactual regret minimisation, and the other answers its present
strategy perfectly, holding by holding. What is learned then comes ever nearer to the least exploitable strategy that
the buckets can express. Each position has its learner; the two have nothing to do with each other.

Flops are sampled. On each, with all its turns and rivers:

1. the learner's strategy follows from its regrets, and its reach is passed on from street to street;
2. the opponent's best response to it is worked from the river up (`railbird.kernels.solve.response_rounds`), and its
   answers are noted;
3. the opponent's reach is passed on by these answers, and the learner's regrets change by what its actions are worth
   against them, from the river up (`railbird.kernels.solve.answered_rounds`).

Before the flop no single flop tells the best response. There the opponent learns too, by regret matching from what its
answers win (the *trunk* of the paper's hybrid, which keeps the promise).

All 1,755 kinds of flop are gone through in random order before any comes again, each weighed by how many flops it
stands for. Flops that are worked together are one step: what they find is added up before regrets change.

Learners may begin with a strategy instead of with nothing (`railbird.solve.beginning`).

The average strategy is gathered on all turns, and on some of the rivers, since it needs far fewer than the regrets do.

The work on boards is done by a *bench*, on the processor (`railbird.solve.cpu_bench`) or on a GPU
(`railbird.solve.gpu.gpu_bench`); everything else is here, and the same for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.progress import Watch
from railbird.randomness import Stream, derived_seed
from railbird.solve.abstraction import Abstraction
from railbird.solve.best_response import CARDS_LEFT
from railbird.solve.dealt_boards import DealtBoards, dealt_boards
from railbird.solve.flops import FLOP_COUNT, flop_sizes, representative_flop
from railbird.solve.seen_rounds import SeenRounds, by_lane, by_round, in_blocks, opponent_steps
from railbird.solve.train import Training
from railbird.solve.trunk import Trunk

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

_EVERY_RIVER = 8  # of so many river boards one counts in the average strategy,
_FEW_RIVERS = 64  # unless there are no more than these
_SAVE_SECONDS = 300.0
_NO_FLOOR = np.float32(-3e38)


class Bench(Protocol):
    """Where boards are worked. Arrays are the bench's own; `Table`s are by block, decision, action, bucket and lane."""

    lanes: int
    flops_at_once: int

    def placed(self, array: NDArray[Any]) -> Any:
        """A copy of an array for the bench."""

    def fetched(self, array: Any) -> NDArray[Any]:
        """The array back again."""

    def zeros_like(self, array: Any) -> Any: ...

    def looked_up(self, abstraction: Abstraction, boards: DealtBoards) -> Any:
        """The buckets of all holdings, as far as the processor finds them; may be called from another thread."""

    def ready(self, abstraction: Abstraction, boards: DealtBoards, looked_up: Any) -> Any:
        """The boards as the methods below take them."""

    def pass_reach(self, ways: Ways, table: Any, boards: Any, reach: Any) -> Any:
        """The reach, by board, at the openings of the next street of a player with a table."""

    def pass_answers(self, ways: Ways, answers: Any, boards: Any, reach: Any) -> Any:
        """The same of a player whose answers are known."""

    def respond(self, street: Street, table: Any, boards: Any, reach: Any, later: Any) -> tuple[Any, Any]:
        """The values of a street's openings to a responder, summed up by the board before, and its answers."""

    def learn(
        self, street: Street, table: Any, answers: Any, boards: Any, reach: Any, later: Any, weights: Floats, gains: Any
    ) -> Any:
        """The values of a street's openings to a learner, likewise; adds what its actions gain to `gains`."""

    def add_strategy(
        self, steps: Any, table: Any, boards: Any, chosen: NDArray[np.int64], reach: Any, weights: Floats, sums: Any
    ) -> None:
        """Add what a player with a table and a reach does on some of the boards to `sums`."""

    def match_regrets(self, regrets: Any, legal: Any, table: Any) -> None: ...

    def take_over(self, kept: Any, found: Any, weight: np.float32, floor: np.float32) -> None: ...

    def finish(self) -> None:
        """Wait until all is done."""


@dataclass(frozen=True)
class Ways:
    """How a player's reach goes on to the next street."""

    paths: Any
    """By closing, the player's steps."""
    places: Any
    """By block, closing and lane: the opening that follows."""
    next_blocks: int


@dataclass(frozen=True)
class Street:
    """A street's betting as one player sees it."""

    stages: Any
    committed: Any
    places: Any
    """As in `Ways`; `None` on the river."""
    closing_scale: np.float32


@dataclass(frozen=True)
class Dealt:
    """Flops with their turns and rivers, before they are on the bench."""

    flops: list[tuple[int, ...]]
    weights: Array
    """By flop."""
    boards: tuple[DealtBoards, ...]
    looked_up: list[Any]


def train_against_answers(
    training: Training,
    bench: Bench,
    flops: int | None = None,
    seconds: float | None = None,
    watch: Watch | None = None,
    save: Callable[[Training], None] | None = None,
    among: Sequence[int] | None = None,
) -> int:
    """Train on so many more flops, or for so many seconds; returns their number, which `training.boards` counts.

    `watch` is told how far it is, after every step. What was learned is put into `training` when the call ends, in
    whichever way, and every few minutes if there is somebody to `save` it. `among` are the kinds of flop that there
    are, all of them unless it says otherwise.
    """
    training.abstraction.build()
    work = FlopWork(training, bench)
    kinds = tuple(range(FLOP_COUNT) if among is None else among)
    before = done = training.boards
    began = start = monotonic()
    last = None if flops is None else before + flops

    def following(first: int) -> range:
        return range(first, first + bench.flops_at_once if last is None else min(first + bench.flops_at_once, last))

    def put_home() -> None:
        nonlocal start
        work.give_back()
        training.boards = done
        training.seconds += monotonic() - start
        start = monotonic()

    end = began + (np.inf if seconds is None else seconds)
    try:
        with ThreadPoolExecutor(2) as pool:
            coming = pool.submit(work.deal, following(done), kinds)
            while monotonic() < end and len(numbers := following(done)):
                dealt = coming.result()
                coming = pool.submit(work.deal, following(numbers.stop), kinds)  # while the bench is busy
                change = pool.submit(work.take_over, work.found_on(dealt, numbers), numbers)
                try:
                    wait([change])
                finally:  # whoever interrupts finds a step taken whole, or not at all
                    wait([change])
                    done = numbers.stop
                change.result()
                if watch and flops:
                    watch(done - before, flops)
                elif watch and seconds:
                    watch(int(monotonic() - began), int(seconds))
                if save and monotonic() - start > _SAVE_SECONDS:
                    put_home()
                    save(training)
    finally:
        put_home()
    return done - before


class FlopWork:
    """A training laid out on a bench."""

    def __init__(self, training: Training, bench: Bench) -> None:
        self._training, self._bench = training, bench
        self._trunk = Trunk(training.game)
        self._rounds = betting_rounds(training.game)
        self._seen = [[SeenRounds.of(part, position) for position in (0, 1)] for part in self._rounds]
        self._tables: dict[int, _Tables] = {street: self._laid_out(street) for street in (1, 2, 3)}
        self._committed = {
            street: bench.placed(in_blocks(self._rounds[street].chips_before.astype(np.float32), bench.lanes))
            for street in (1, 2, 3)
        }
        self._places = {street: self._following(street) for street in (1, 2, 3)}
        self._match()

    def _laid_out(self, street: int) -> _Tables:
        training, bench = self._training, self._bench
        kept = []
        for source in (training.regrets, training.sums):
            rows = training.rounds[street].by_row(source[street], training.abstraction.counts[street])
            kept.append(bench.placed(by_lane(by_round(rows, self._rounds[street]), bench.lanes)))
        found, found_sums, strategy = (bench.zeros_like(kept[0]) for _ in range(3))
        legal = BettingTree.of(training.game).legal(street)[: len(self._rounds[street].decisions)]
        return _Tables(kept[0], kept[1], found, found_sums, strategy, bench.placed(legal.astype(np.int32)))

    def _following(self, street: int) -> Any:
        """By block, closing and lane: which opening of the next street follows."""
        part = self._rounds[street]
        if part.is_last:
            return None
        place = np.arange(len(part) * len(part.closings)).reshape(len(part), -1)
        return self._bench.placed(in_blocks(place.T.astype(np.int32), self._bench.lanes, -1))

    def deal(self, numbers: range, kinds: Sequence[int]) -> Dealt:
        """The flops with these numbers, and what there is on them."""
        sizes = flop_sizes()[list(kinds)]
        chosen = [
            _order(self._training.seed, number // len(kinds), len(kinds))[number % len(kinds)] for number in numbers
        ]
        flops = [representative_flop(kinds[at]) for at in chosen]
        boards = dealt_boards(flops, range(24)) if flops else ()
        looked_up = [self._bench.looked_up(self._training.abstraction, part) for part in boards]
        return Dealt(flops, sizes[chosen] / sizes.mean(), boards, looked_up)

    def found_on(self, dealt: Dealt, numbers: range) -> _Before:
        """Work some flops; what they find waits on the bench, and what they find before the flop is returned."""
        training, bench = self._training, self._bench
        abstraction = training.abstraction
        boards = {
            part.street: bench.ready(abstraction, part, looked_up)
            for part, looked_up in zip(dealt.boards, dealt.looked_up)
        }
        weights = board_weights(dealt.weights, dealt.boards)
        before = _Before(training, self._trunk)
        for position in (0, 1):
            play = np.where(self._trunk.actors[:, None, None] == position, before.learner, before.responder)
            reach = self._passed(position, play, boards)
            won, answers = self._answered(position, boards, reach)
            earned = self._earned(position, play, boards, answers, weights)
            del answers
            before.add(position, play, dealt, won, earned)
            self._gather(position, dealt, boards, reach, weights, numbers.start)
        return before

    def take_over(self, before: _Before, numbers: range) -> None:
        """Take a step: change regrets, sums and strategy by what some flops have found."""
        bench = self._bench
        rate, average, floor = self._training.weights((numbers.start + numbers.stop) // 2)
        before.take_over(rate, average, floor)
        for tables in self._tables.values():
            bench.take_over(tables.regrets, tables.found, rate, floor)
            bench.take_over(tables.sums, tables.found_sums, average, _NO_FLOOR)
        self._match()
        bench.finish()

    def _passed(self, position: int, play: Array, boards: dict[int, Any]) -> dict[int, Any]:
        """By street, the reach of the learner in a position."""
        bench = self._bench
        reach = {1: self._flop_reach(play, position)}
        for street in (1, 2):
            paths = self._seen[street][1 - position].closing_paths
            ways = Ways(bench.placed(paths), self._places[street], len(self._committed[street + 1]))
            reach[street + 1] = bench.pass_reach(ways, self._tables[street].strategy, boards[street], reach[street])
        return reach

    def _answered(self, position: int, boards: dict[int, Any], reach: dict[int, Any]) -> tuple[Any, dict[int, Any]]:
        """What the opponent of the learner wins by its best response, and its answers by street."""
        bench = self._bench
        values: Any = None
        answers = {}
        for street in (3, 2, 1):
            seen = self._street(street, self._seen[street][1 - position].stages)
            table = self._tables[street].strategy
            values, answers[street] = bench.respond(seen, table, boards[street], reach[street], values)
        return bench.fetched(values), answers

    def _earned(
        self, position: int, play: Array, boards: dict[int, Any], answers: dict[int, Any], weights: dict[int, Floats]
    ) -> Any:
        """What the learner wins against the answers; it learns on the way."""
        bench = self._bench
        reach = {1: self._flop_reach(play, 1 - position)}
        for street in (1, 2):
            seen = self._seen[street][position]
            paths = bench.placed(seen.against_answers(seen.closing_paths))
            ways = Ways(paths, self._places[street], len(self._committed[street + 1]))
            reach[street + 1] = bench.pass_answers(ways, answers[street], boards[street], reach[street])
        values: Any = None
        for street in (3, 2, 1):
            tables = self._tables[street]
            seen_street = self._street(street, self._seen[street][position].stages_against_answers)
            values = bench.learn(
                seen_street,
                tables.strategy,
                answers[street],
                boards[street],
                reach[street],
                values,
                weights[street],
                tables.found,
            )
        return bench.fetched(values)

    def _gather(
        self,
        position: int,
        dealt: Dealt,
        boards: dict[int, Any],
        reach: dict[int, Any],
        weights: dict[int, Floats],
        first: int,
    ) -> None:
        """Add to the average strategy what the learner does on these boards."""
        for part in dealt.boards:
            street, count = part.street, len(part)
            every = _EVERY_RIVER if street == 3 and count > _FEW_RIVERS else 1
            chosen = np.arange(first % every, count, every)
            share = weights[street][chosen] * np.float32(weights[street].sum() / weights[street][chosen].sum())
            steps = self._bench.placed(opponent_steps(self._seen[street][1 - position]))
            tables = self._tables[street]
            self._bench.add_strategy(
                steps, tables.strategy, boards[street], chosen, reach[street], share, tables.found_sums
            )

    def _street(self, street: int, stages: NDArray[np.int32]) -> Street:
        scale = np.float32(1.0 / CARDS_LEFT.get(street, 1))
        return Street(self._bench.placed(stages), self._committed[street], self._places[street], scale)

    def _flop_reach(self, play: Array, player: int) -> Any:
        reach = self._trunk.reach(play, player)[:, self._trunk.flops.classes].T
        return self._bench.placed(in_blocks(reach.astype(np.float32), self._bench.lanes)[None])

    def _match(self) -> None:
        for tables in self._tables.values():
            self._bench.match_regrets(tables.regrets, tables.legal, tables.strategy)

    def give_back(self) -> None:
        """Put regrets and sums into the training again."""
        training = self._training
        for street, tables in self._tables.items():
            part, rounds = self._rounds[street], training.rounds[street]
            for source, into in ((tables.regrets, training.regrets), (tables.sums, training.sums)):
                array = self._bench.fetched(source)  # block, decision, action, bucket, lane
                lanes = np.moveaxis(array, 4, 1).reshape(-1, len(part.decisions), 3, array.shape[3])[: len(part)]
                rows = np.moveaxis(lanes, 2, 3).reshape(-1, array.shape[3], 3)
                into[street][:] = rounds.by_lane(rows)


@dataclass(frozen=True)
class _Tables:
    """What is learned on a street, and what the flops of a step have found."""

    regrets: Any
    sums: Any
    found: Any
    found_sums: Any
    strategy: Any
    legal: Any


class _Before:
    """A step's learning before the flop."""

    def __init__(self, training: Training, trunk: Trunk) -> None:
        self._training, self._trunk = training, trunk
        self._regrets, self._sums = (
            training.rounds[0].by_row(source[0], training.abstraction.counts[0]).astype(np.float64)
            for source in (training.regrets, training.sums)
        )
        self.learner = trunk.matched(self._regrets)
        """What the learners play."""
        self.responder = trunk.matched(training.trunk)
        """What those who answer them play."""
        self._found, self._found_trunk, self._found_sums = (np.zeros_like(self._regrets) for _ in range(3))

    def add(self, position: int, play: Array, dealt: Dealt, won: Floats, earned: Floats) -> None:
        """What the flops were worth to the learner in a position and to its opponent, by flop, block, holding, lane."""
        trunk = self._trunk
        openings = len(trunk.rounds.closings)
        for at, (flop, weight) in enumerate(zip(dealt.flops, dealt.weights)):
            alive = trunk.alive(flop)
            for player, values, into in (
                (position, earned, self._found),
                (1 - position, won, self._found_trunk),
            ):
                by_opening = values[at, 0, :, :openings].T.astype(np.float64) * alive
                by_class = np.array([trunk.flops.class_means(row) for row in by_opening])
                into += weight * trunk.gains(play, player, by_class, alive)
        own = (trunk.actors == position)[:, None, None]
        self._found_sums += own * dealt.weights.sum() * trunk.paths(play, position)[:, :, None] * play

    def take_over(self, rate: np.float32, average: np.float32, floor: np.float32) -> None:
        """Change what the training has of the play before the flop."""
        training = self._training
        np.maximum(training.trunk + rate * self._found_trunk, floor, out=training.trunk)
        regrets = np.maximum(self._regrets + rate * self._found, floor)
        sums = self._sums + average * self._found_sums
        for table, into in ((regrets, training.regrets), (sums, training.sums)):
            into[0][:] = training.rounds[0].by_lane(table.astype(np.float32))


@lru_cache(maxsize=4)
def _order(seed: int, time: int, count: int) -> NDArray[np.int64]:
    """The order in which the kinds of flop come, for the nth time."""
    return np.asarray(Stream(derived_seed(seed, "flops"), time).numpy().permutation(count))


def board_weights(by_flop: Array, boards: Sequence[DealtBoards]) -> dict[int, Floats]:
    """By street and board: what it counts in the regrets, by how many boards it stands for and how likely they are."""
    _, turns, rivers = boards
    by_turn = by_flop[turns.owner] * turns.sizes / CARDS_LEFT[1]
    by_river = by_turn[rivers.owner] * rivers.sizes / CARDS_LEFT[2]
    return {1: by_flop.astype(np.float32), 2: by_turn.astype(np.float32), 3: by_river.astype(np.float32)}
