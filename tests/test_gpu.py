"""The GPU backend against its CPU twins, on a GPU where there is one.

Elsewhere the same tests run the same kernels compiled for the processor (`emulated_gpu`), thread by thread; what they
cannot show is how threads meet. On a machine with a GPU run

pytest tests/test_gpu.py tests/test_gpu_rests.py
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from railbird.errors import RailbirdError
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.kernels.solve import response_rounds as kernels
from railbird.kernels.solve.cfr_buckets import Weights
from railbird.solve import best_response as on_cpu
from railbird.solve import dealt_boards
from railbird.solve.abstraction import Abstraction
from railbird.solve.best_response import BestResponse
from railbird.solve.cfr_br import train_against_answers
from railbird.solve.cpu_bench import CpuBench
from railbird.solve.flops import orbits
from railbird.solve.gpu import device, gpu_buckets
from railbird.solve.gpu import gpu_responses as on_gpu
from railbird.solve.gpu.device import gpu_problem
from railbird.solve.gpu.gpu_bench import GpuBench
from railbird.solve.gpu.gpu_training import train_on_gpu
from railbird.solve.policy import ConstantPolicy
from railbird.solve.seen_rounds import SeenRounds, opponent_steps
from railbird.solve.train import Training, sampled_board
from test_best_response import RandomTable

without_gpu = pytest.mark.skipif(not gpu_problem(), reason="there is a GPU")


@pytest.fixture
def few_boards(monkeypatch):
    """Deal only some turn and river cards, to be quick."""
    for where in (on_cpu, dealt_boards):
        monkeypatch.setattr(where, "orbits", lambda board, symmetries: orbits(board, symmetries)[3::17])


def coarse() -> Abstraction:
    river = np.empty((10, 0))
    return Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 10]), "river": river})


TRIPLE = ConstantPolicy(limit_holdem(), ProbabilityTriple(0.06, 0.47, 0.47))


@pytest.mark.parametrize("policy", [RandomTable(), TRIPLE], ids=["table", "triple"])
def test_best_responses_are_those_of_the_cpu(policy, on_device, few_boards):
    flops = [3, 1000]
    expected = np.array([BestResponse(policy).flop_values(flop) for flop in flops])
    found = on_gpu.GpuBestResponse(policy).flop_values(flops)
    assert np.abs(found - expected).max() < 1e-5 * np.abs(expected).max()


@pytest.mark.parametrize("method", ["plus", "linear"])
def test_training_on_one_board_is_that_of_the_cpu(method, on_device):
    ours, theirs = (Training(coarse(), seed=3, method=method) for _ in range(2))
    generator = np.random.default_rng(5)
    for table, other in zip(ours.regrets, theirs.regrets):
        table[:] = generator.normal(0, 100, table.size)
        other[:] = table
    train_on_gpu(ours, boards=1, batch=1)
    theirs.run(boards=1)
    assert ours.boards == theirs.boards == 1
    assert_alike(ours, theirs)


def test_training_in_batches_fills_the_tables(on_device):
    training = Training(coarse(), limit_holdem(cap=1), seed=1)
    seen = []
    assert train_on_gpu(training, boards=8, batch=4, watch=lambda t: seen.append(t.boards)) == 8
    assert seen == [4, 8]
    assert all(np.isfinite(table).all() and table.any() for table in (*training.regrets, *training.sums))


@pytest.mark.parametrize(("cap", "sight"), [(1, "texture"), (1, "boards"), (4, "texture")])
def test_training_against_a_finer_opponent_is_that_of_the_cpu(cap, sight, on_device):
    ours, theirs = (
        Training(few_of_all(), limit_holdem(cap=cap), seed=3, method="finer", sight=sight) for _ in range(2)
    )
    generator = np.random.default_rng(5)
    for part, other in zip(ours.opposed, theirs.opposed):
        part.both[:] = np.abs(generator.normal(0, 100, part.both.size))  # what no board shows is not cut off at zero
        other.both[:] = part.both
    train_on_gpu(ours, boards=1, batch=1)
    theirs.run(boards=1)
    assert ours.boards == theirs.boards == 1
    assert_alike(ours, theirs, 0.002)  # of equally good answers rounding chooses one
    for street, (part, other) in enumerate(zip(ours.opposed[:3], theirs.opposed)):
        legal = BettingTree.of(ours.game).legal(street)[:, None, :]
        met = part.finer(sampled_board(3, 0)[: (0, 3, 4)[street]], np.arange(part.buckets))
        found, expected = (
            legal * ours.rounds[street].by_row(side.others, side.split.count)[:, met[met >= 0]]
            for side in (part, other)
        )
        assert (np.abs(found - expected) >= 1e-4 * np.abs(expected).max()).mean() <= 0.002
        assert np.abs(expected).max() > 1_000  # it has learned


def test_a_batch_against_a_finer_opponent_finds_what_its_boards_find_one_by_one(on_device, monkeypatch):
    one, nothing = np.float32(1.0), np.float32(-3e38)
    monkeypatch.setattr(Training, "weights", lambda self, board: Weights(one, one, nothing))  # so that steps add up
    together = changed(lambda training: train_on_gpu(training, boards=3, batch=3))
    alone = [changed(lambda training: training.run(boards=1), number) for number in range(3)]
    for found, *parts in zip(together, *alone):
        expected = sum(parts)
        assert np.abs(expected).max() > 0
        assert (np.abs(found - expected) >= 1e-4 * np.abs(expected).max()).mean() <= 0.002


def changed(train: Callable[[Training], int], number: int = 0) -> list[np.ndarray]:
    """What training from a board on changes: regrets of learners and opponents by street, and sums."""
    training = Training(few_of_all(), limit_holdem(cap=1), seed=3, method="finer", sight="boards")
    generator = np.random.default_rng(5)
    for part in training.opposed:
        part.both[:] = np.abs(generator.normal(0, 100, part.both.size))
    before = [(part.own.copy(), part.others.copy()) for part in training.opposed]
    training.boards = number
    train(training)
    found = []
    for street, (part, (own, others)) in enumerate(zip(training.opposed, before)):
        legal = BettingTree.of(training.game).legal(street)[:, None, :]
        changes = [(part.own - own, part.buckets), (training.sums[street], part.buckets)]
        changes += [(part.others - others, part.split.count)] if part.split else []
        found += [legal * training.rounds[street].by_row(table, buckets) for table, buckets in changes]
    return found


def few_of_all() -> Abstraction:
    """Few buckets on every street, by percentiles that nothing was fitted to."""
    limits = {"flop": np.array([9_000, 16_000, 24_000]), "turn": np.array([14_000, 20_000])}
    counts = np.array([169, 4, 3, 10])
    return Abstraction({"method": "ehs", "counts": counts, "river": np.empty((10, 0)), **limits})


@pytest.mark.parametrize(("cap", "flops"), [(1, 3), (4, 1)])
def test_cfr_br_is_that_of_the_cpu(cap, flops, on_device, few_boards):
    ours, theirs = (Training(coarse(), limit_holdem(cap=cap), seed=3, method="cfr-br") for _ in range(2))
    generator = np.random.default_rng(5)
    for table, other in zip(ours.regrets, theirs.regrets):
        table[:] = generator.normal(0, 100, table.size)
        other[:] = table
    ours.trunk[:] = generator.normal(0, 100, ours.trunk.shape)
    theirs.trunk[:] = ours.trunk
    train_against_answers(ours, GpuBench(flops), flops)
    train_against_answers(theirs, CpuBench(flops), flops)
    assert ours.boards == theirs.boards == flops
    assert np.abs(ours.trunk - theirs.trunk).max() < 1e-4 * np.abs(theirs.trunk).max()
    assert_alike(ours, theirs, 0.002)  # of equally good answers rounding chooses one


def test_river_clusters_are_those_of_the_cpu(on_device):
    abstraction = few_clusters()
    generator = np.random.default_rng(2)
    boards = np.array([generator.permutation(52)[:5] for _ in range(5)] + [[48, 44, 40, 36, 32]], np.uint8)
    found = device.gpu()[0].asnumpy(gpu_buckets.clustered_buckets(abstraction, boards))
    assert np.array_equal(found, abstraction.buckets(3, boards))


def few_clusters() -> Abstraction:
    generator = np.random.default_rng(1)
    centres = generator.integers(0, 513, (40, 8)).astype(np.uint16)
    centres = centres[np.argsort(centres.sum(axis=1), kind="stable")]
    groups = generator.integers(0, 8, 169).astype(np.uint8)
    return Abstraction({"method": "ochs", "counts": np.array([169, 1, 1, 40]), "river": centres, "groups": groups})


def assert_alike(ours: Training, theirs: Training, share: float = 0.0) -> None:
    """Regrets and sums agree to rounding wherever an action is legal, but for a share of them."""
    for street, count in enumerate(ours.abstraction.counts):
        legal = BettingTree.of(ours.game).legal(street)[:, None, :]
        for name in ("regrets", "sums"):
            found, expected = (
                legal * training.rounds[street].by_row(getattr(training, name)[street], count)
                for training in (ours, theirs)
            )
            assert expected.any()
            assert (np.abs(found - expected) >= 1e-4 * np.abs(expected).max()).mean() <= share


@without_gpu
def test_without_a_gpu_the_reason_is_told():
    with pytest.raises(RailbirdError, match="the GPU backend cannot be used: "):
        on_gpu.exploitability_on_gpu(RandomTable(), flops=2)


def test_a_training_s_tables_survive_the_way_there_and_back():
    training = Training(coarse())
    for street, count in enumerate(training.abstraction.counts):
        rounds = training.rounds[street]
        rows = np.random.default_rng(street).random((len(rounds.rounds) * rounds.decisions, count, 3), np.float32)
        assert np.array_equal(rounds.by_row(rounds.by_lane(rows), count), rows)


def test_stages_name_every_decision_once_and_every_step_of_the_opponent():
    tree = BettingTree.of(limit_holdem())
    for street, part in enumerate(betting_rounds(limit_holdem())):
        for position in (0, 1):
            seen = SeenRounds.of(part, position)
            assert sorted(seen.stages[:, kernels.DECISION].tolist()) == list(range(len(part.decisions)))
            rows = tree.decisions[street][: len(part.decisions)]
            steps = {
                3 * at + a
                for at, n in enumerate(rows)
                if tree.actor[n] != position
                for a in range(3)
                if tree.child[n, a] >= 0
            }
            assert sorted(opponent_steps(seen)[:, 0].tolist()) == sorted(steps)
            assert len(seen.closing_paths) == (0 if part.is_last else len(part.closings))
