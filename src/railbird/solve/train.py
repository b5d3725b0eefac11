"""Training a heads-up limit hold'em strategy by counterfactual regret minimisation over sampled boards.

`Training` holds the regrets and strategy sums of both players by betting node and bucket, and `Training.run` improves
them board by board with the kernel of `railbird.kernels.solve.vector_cfr`. The methods:

    plus    regret matching+: regrets never fall below 0, each board counts alike
    linear  linear CFR: board t counts t times, in the regrets as in the average
    finer   against an opponent who sees more (`railbird.solve.finer_opponent`): regrets may fall below 0, and
            later boards count more in them
    cfr-br  regret matching+ against an opponent who answers perfectly, flop by flop (`railbird.solve.cfr_br`)

The strategy is the average over all boards, board t weighing t or t^2 (`Training.power`). Board t follows from the seed
and t alone. So with one worker a run that was interrupted and resumed gives the same bytes as one that was not. More
workers are threads that train on boards of their own and share the tables without locks: now and then one overwrites
what another has just added, and no two runs are the same.

Streets may be *held*: their play is given and stays as it is, and the others are trained for it. With the play before
the flop held, its seven ways to see a flop are seven games that have nothing to do with each other, each with its pot
and with the holdings that come so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT
from railbird.errors import RailbirdError, did_you_mean
from railbird.game.spec import Game, limit_holdem
from railbird.json_files import Fields
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.lanes import LANES
from railbird.kernels.odds.mean_ranks import rank_holdings
from railbird.kernels.play.decks import deal_block
from railbird.kernels.solve import vector_cfr as kernels
from railbird.kernels.solve.cfr_buckets import Weights
from railbird.kernels.solve.training_boards import Board, list_buckets, order_holdings
from railbird.numbers import MOST_SEED, quoted
from railbird.randomness import derived_seed
from railbird.solve.abstraction import Abstraction
from railbird.solve.finer_opponent import Opposed, check_sight
from railbird.solve.holding_features import BOARD_CARDS
from railbird.solve.strategy import Strategy, abstraction_arrays, abstraction_in, game_in, game_parameters
from railbird.solve.strategy_files import open_arrays, write_arrays
from railbird.solve.training_rounds import table_sizes, training_rounds

Floats = NDArray[np.float32]
Watch = Callable[["Training"], None]
"""Called after every few boards."""

MOST_BEGINNING = 1e6
"""A strategy that a training begins with counts at most as so many flops or boards."""
METHODS = ("plus", "linear", "finer", "cfr-br")
KIND, VERSION = "railbird checkpoint", 1
LIVE = 1081
"""Holdings that five board cards leave."""
_NO_FLOOR = -3e38
_TWICE = 10.0
"""Against a finer opponent: after so many thousand boards one counts twice."""
_NONE = np.empty(0, np.int64)
_AT_ONCE = 16  # boards between two calls of `watch`
_ROOM = 16 * LANES  # a kernel may read past the last row


class Training:
    """A strategy in the making."""

    def __init__(
        self,
        abstraction: Abstraction,
        game: Game | None = None,
        *,
        seed: int = 0,
        method: str = "plus",
        power: int = 1,
        held: Mapping[int, Floats] | None = None,
        sight: str = "texture",
    ) -> None:
        """`held` has the play of streets that are not trained: fold, call and raise by row and bucket.

        `sight` is what a finer opponent sees of boards (`railbird.solve.finer_opponent`).
        """
        self.check(method, power)
        check_sight(sight)
        self.game = game or limit_holdem()
        game_parameters(self.game)
        self.abstraction = abstraction
        self.seed, self.method, self.power, self.sight = seed, method, power, sight
        self.boards = 0
        """How many boards have been trained on; flops, if the method is cfr-br."""
        self.seconds = 0.0
        """How long the training took so far, where that is kept: of cfr-br, and on a GPU."""
        self.kept: int | None = None
        """How many boards the checkpoint has that was written or read last."""
        self.begun_with: dict[str, Any] = {}
        """The strategy that it began with, and as how many flops or boards it counts; nothing where it began evenly."""
        self.rounds = training_rounds(self.game)
        sizes = [rounds.table_size(count) for rounds, count in zip(self.rounds, abstraction.counts)]
        self.opposed: tuple[Opposed, ...] = ()
        """By street, with a finer opponent: its regrets, and with them those of the learners."""
        if method == "finer":
            self.opposed = tuple(Opposed.of(part, abstraction, at, sight) for at, part in enumerate(self.rounds))
        self.regrets: tuple[Floats, ...] = tuple(part.own for part in self.opposed) or _zeros(sizes)
        """By street: a flat table [block, bucket, slot, lane], as the kernel explains."""
        self.sums: tuple[Floats, ...] = _zeros(sizes)
        self.trunk = np.zeros((len(self.rounds[0].rounds.decisions), abstraction.counts[0], 3))
        """By row, class of holdings and action: the regrets before the flop of those who answer, in cfr-br."""
        self.held = tuple(sorted(held or {}))
        """The streets that are held; their regrets are what they play, and their sums stay empty."""
        for street, table in (held or {}).items():
            self.regrets[street][:] = self.rounds[street].by_lane(table)

    @staticmethod
    def check(method: str, power: int) -> None:
        """Refuse a way of training that does not exist."""
        if method not in METHODS:
            raise RailbirdError(f"no method {method!r}{did_you_mean(method, METHODS)} (all: {', '.join(METHODS)})")
        if power not in (1, 2):
            raise RailbirdError(f"an average of power {power}; it is 1 (linear) or 2 (squared)")

    def run(
        self, boards: int | None = None, seconds: float | None = None, workers: int = 1, watch: Watch | None = None
    ) -> int:
        """Train on so many more boards, or for so many seconds; returns the number of boards.

        An interrupt (Ctrl-C) is passed on once the boards in work are done, so that what has been learned is whole.
        """
        self.abstraction.build()
        before, end = self.boards, monotonic() + (np.inf if seconds is None else seconds)
        desks = [Desk(self) for _ in range(workers)]
        with ThreadPoolExecutor(workers) as pool:
            while monotonic() < end and (boards is None or self.boards < before + boards):
                left = _AT_ONCE if boards is None else min(_AT_ONCE, before + boards - self.boards)
                parts = [range(self.boards + w, self.boards + left, workers) for w in range(workers)]
                jobs = [pool.submit(desk.train, part) for desk, part in zip(desks, parts)]
                try:
                    wait(jobs)
                except KeyboardInterrupt:
                    wait(jobs)
                    self.boards += left
                    raise
                for job in jobs:
                    job.result()
                self.boards += left
                if watch:
                    watch(self)
        return self.boards - before

    def weights(self, board: int) -> Weights:
        """What board number `board` (from 0) counts in the regrets and in the average, and the floor of regrets."""
        time = (board + 1) / 1000
        average = time if self.power == 1 else time**2
        if self.method == "linear":
            return _weights(time, average, _NO_FLOOR)
        if self.method == "finer":
            return _weights(1.0 + time / _TWICE, average, _NO_FLOOR)
        return _weights(1.0, average, 0.0)

    @property
    def is_answered(self) -> bool:
        """Whether an opponent answers perfectly, flop by flop."""
        return self.method == "cfr-br"

    @property
    def is_timed(self) -> bool:
        """Whether checkpoints and strategies tell how long it took, so that no two runs write the same bytes."""
        return self.is_answered or self.seconds > 0

    @property
    def unit(self) -> str:
        """What `boards` counts, in a word."""
        return "flops" if self.is_answered else "boards"

    def strategy(self, is_current: bool = False) -> Strategy:
        """The average strategy so far, or the current one, which is played next."""
        tables = []
        for rounds, count, sums, regrets in zip(self.rounds, self.abstraction.counts, self.sums, self.regrets):
            current = np.maximum(rounds.by_row(regrets, count), 0.0)
            total = current if is_current else rounds.by_row(sums, count)
            # What was never reached, or is held, is played as the regrets say.
            total = np.where(total.sum(axis=2, keepdims=True) > 0, total, current)
            tables.append(total)
        about = {"boards": self.boards, "seed": self.seed, "training": self.method, "power": self.power}
        about |= {"held": list(self.held)} if self.held else {}
        about |= {"sight": self.sight} if self.opposed else {}
        about |= {"average": not is_current} if self.is_timed or is_current else {}
        about |= {"minutes": self.seconds / 60} if self.is_timed else {}
        about |= {"begun_with": self.begun_with} if self.begun_with else {}
        return Strategy.of(self.game, self.abstraction, tables, about)

    def save(self, path: Path) -> None:
        """Write a checkpoint, whole or not at all."""
        about = {
            "boards": self.boards,
            "seed": self.seed,
            "training": self.method,
            "power": self.power,
            "held": list(self.held),
            "method": self.abstraction.method,
            "game": game_parameters(self.game),
        }
        arrays = abstraction_arrays(self.abstraction)
        arrays |= {f"regrets{street}": table for street, table in enumerate(self.regrets)}
        arrays |= {f"sums{street}": table for street, table in enumerate(self.sums)}
        arrays |= {f"opposed{street}": part.others for street, part in enumerate(self.opposed)}
        about |= {"begun_with": self.begun_with} if self.begun_with else {}
        about |= {"sight": self.sight} if self.opposed else {}
        about |= {"seconds": self.seconds} if self.is_timed else {}
        if self.is_answered:
            arrays["trunk"] = self.trunk
        write_arrays(path, KIND, VERSION, about, arrays, compressed=False)
        self.kept = self.boards

    @classmethod
    def load(cls, path: Path) -> Training:
        """The training in a checkpoint; refuses a file that is damaged or of another version."""
        with open_arrays(path, KIND, VERSION) as file:
            game, abstraction, about = game_in(file), abstraction_in(file), Fields(file.about, "the description")
            sizes = table_sizes(game, abstraction.counts)
            read = {
                name: tuple(file.array(f"{name}{street}", "<f4", (size,)) for street, size in enumerate(sizes))
                for name in ("regrets", "sums")
            }
            if not all(np.isfinite(table).all() for tables in read.values() for table in tables):
                raise RailbirdError("regrets that are no numbers")
            seed, power = about.whole("seed", 0, MOST_SEED), about.whole("power")
            method = about.text("training")
            sight = about.text("sight") if method == "finer" else "texture"
            training = cls(abstraction, game, seed=seed, method=method, power=power, sight=sight)
            training.boards = training.kept = about.whole("boards", 0)
            training.held = _streets_in(about)
            training.begun_with = _beginning_in(about, training.unit)
            for street, part in enumerate(training.opposed):
                part.others[:] = file.array(f"opposed{street}", "<f4", part.others.shape)
                if not np.isfinite(part.others).all():
                    raise RailbirdError("regrets that are no numbers")
            if "seconds" in about.found:
                training.seconds = about.decimal("seconds", 0.0, 1e12)
            if training.is_answered:
                training.trunk = file.array("trunk", "<f8", training.trunk.shape)
                if not np.isfinite(training.trunk).all():
                    raise RailbirdError("regrets that are no numbers")
        for kept, tables in ((training.regrets, read["regrets"]), (training.sums, read["sums"])):
            for own, table in zip(kept, tables):
                own[:] = table
        return training


class Desk:
    """What one worker needs to train on boards: room for chances and values."""

    def __init__(self, training: Training) -> None:
        self.training = training
        rounds = training.rounds
        sizes = [2 * LIVE * r.blocks * LANES + _ROOM for r in rounds]
        self.rows = tuple(kernels.Rows(*np.zeros((2, size), np.float32)) for size in sizes)
        self.rounds = tuple(r.arrays for r in rounds)
        opposed, sums = training.opposed, training.sums
        self.games: list[tuple[kernels.Table, ...]] = [
            tuple(part.table(learner, own) for part, own in zip(opposed, sums)) for learner in (0, 1)
        ]
        """What is gone by, for each time that a board is worked: once, or with a finer opponent once a learner."""
        if not opposed:
            self.games = [tuple(map(_shared_table, training.abstraction.counts, training.regrets, sums))]

    def train(self, boards: range) -> None:
        for number in boards:
            self.walk(number)

    def walk(self, number: int) -> tuple[Board, ...]:
        """Train on one board, which is returned; `rows` then has its chances and values."""
        training = self.training
        board = prepared(training.abstraction, sampled_board(training.seed, number), training.opposed)
        weights = training.weights(number)
        by_street = tuple(_NO_WEIGHT if street in training.held else weights for street in range(len(board)))
        for tables in self.games:
            kernels.train_on_board(self.rounds, tables, self.rows, board, by_street)
        return board


def _shared_table(buckets: int, regrets: Floats, sums: Floats) -> kernels.Table:
    """A table by which both players go."""
    return kernels.Table(np.array([[0, buckets, 0, kernels.LEARNS]] * 2), regrets, sums)


def _zeros(sizes: list[int]) -> tuple[Floats, ...]:
    return tuple(np.zeros(size, np.float32) for size in sizes)


def _weights(*numbers: float) -> Weights:
    return Weights(*(np.float32(number) for number in numbers))


_NO_WEIGHT = _weights(0.0, 0.0, 0.0)


def _streets_in(about: Fields) -> tuple[int, ...]:
    """The streets that a checkpoint's description says are held; older ones say nothing."""
    found = about.entries("held") if "held" in about.found else []
    if not all(street in range(4) and isinstance(street, int) for street in found):
        raise RailbirdError(f"{quoted(found)} are not the streets that are held")
    return tuple(found)


def _beginning_in(about: Fields, unit: str) -> dict[str, Any]:
    """What a checkpoint's description says that it began with."""
    if "begun_with" not in about.found:
        return {}
    told = about.fields("begun_with")
    return {"strategy": told.text("strategy"), unit: told.decimal(unit, 0.0, MOST_BEGINNING)}


def sampled_board(seed: int, number: int) -> NDArray[np.uint8]:
    """The five cards of a board, which follow from the seed and its number."""
    cards: NDArray[np.uint8] = np.empty(5, np.uint8)
    deck = np.arange(CARD_COUNT, dtype=np.uint8)
    deal_block(np.array([derived_seed(seed, "boards")], np.uint64), number, deck, cards[None])
    return cards


def prepared(abstraction: Abstraction, board: NDArray[np.uint8], opposed: Sequence[Opposed] = ()) -> tuple[Board, ...]:
    """A board as `train_on_board` wants it, by street; with the buckets of a finer opponent, if there is one."""
    ranks = np.empty(HOLDING_COUNT)
    rank_holdings(TABLE, CARD_KEYS, board, ranks)
    cards, ends, numbers = (np.empty(size, np.int64) for size in (2 * LIVE, LIVE, LIVE))
    order_holdings(np.nan_to_num(ranks, nan=-1.0).astype(np.int64), cards, ends, numbers)
    buckets = abstraction.room()
    found = []
    for street, count in enumerate(abstraction.counts):
        cards_there = BOARD_CARDS[street]
        abstraction.fill(board, cards_there, buckets)
        places_of, present, starts, members = (np.empty(LIVE + 1, np.int64) for _ in range(4))
        places = list_buckets(buckets, numbers, count, places_of, present, starts, members)
        finer = opposed[street].finer(board[:cards_there], present[:places]) if opposed else _NONE
        found.append(Board(cards, ends, places_of, present[:places], starts[: places + 1], members, finer))
    return tuple(found)
