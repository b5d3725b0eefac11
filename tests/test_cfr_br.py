"""CFR-BR: what is passed between learner and opponent, that it converges, and that it goes on as it was left."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import railbird as rb
from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.game.spec import limit_holdem
from railbird.kernels.lanes import LANES
from railbird.solve import best_response, cfr_br, dealt_boards
from railbird.solve.abstraction import Abstraction
from railbird.solve.best_response import BestResponse
from railbird.solve.bucket_files import save_buckets
from railbird.solve.cfr_br import FlopWork, train_against_answers
from railbird.solve.checkpoint_table import add_checkpoint, rows_in
from railbird.solve.cpu_bench import CpuBench
from railbird.solve.flops import flop_sizes, orbits
from railbird.solve.strategy import Strategy
from railbird.solve.train import Training
from railbird.solve.trunk import Trunk

KINDS = (3, 700)
"""The only flops of these tests: one of two suits, and one of three."""


@pytest.fixture(autouse=True)
def few_boards(monkeypatch):
    """A game of a few turns and rivers."""
    for where in (dealt_boards, best_response):
        monkeypatch.setattr(where, "orbits", lambda board, symmetries: orbits(board, symmetries)[3::17])
    for where in (cfr_br, best_response):
        monkeypatch.setattr(where, "CARDS_LEFT", {1: 3, 2: 3})


def coarse(rivers: int = 10) -> Abstraction:
    river = np.empty((rivers, 0))
    return Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, rivers]), "river": river})


def begun(cap: int = 1, rivers: int = 10, seed: int = 1) -> Training:
    return Training(coarse(rivers), limit_holdem(cap=cap), seed=seed, method="cfr-br")


def shuffled(training: Training) -> Training:
    """The training with regrets that make it play every which way."""
    generator = np.random.default_rng(5)
    for table in training.regrets:
        table[:] = generator.normal(0, 100, table.size)
    training.trunk[:] = generator.normal(0, 100, training.trunk.shape)
    return training


def exploitability(strategy, kinds: tuple[int, ...] = KINDS) -> np.ndarray:
    """What best responses win on these flops, as big blind and as dealer."""
    response = BestResponse(strategy)
    sizes = flop_sizes()[list(kinds)]
    values = np.array([response.flop_values(kind) for kind in kinds])
    average = np.tensordot(sizes / sizes.sum(), values, 1)
    return response.total(average[None], average)[:, 0]


class _Current:
    """What a training plays next, not rounded to 255ths."""

    def __init__(self, training: Training) -> None:
        self.game, self._training = training.game, training

    def table(self, street):
        training = self._training
        regrets = training.rounds[street].by_row(training.regrets[street], training.abstraction.counts[street])
        legal = best_response.BettingTree.of(training.game).legal(street)[:, None, :]
        wanted = np.where(legal, np.maximum(regrets, 0), 0)
        whole = wanted.sum(axis=2, keepdims=True)
        even = legal / legal.sum(axis=2, keepdims=True)
        return np.where(whole > 0, wanted / np.where(whole > 0, whole, 1), even).astype(np.float32)

    def buckets(self, street, boards):
        return self._training.abstraction.buckets(street, boards)


@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize("cap", [1, 4])
def test_answers_are_those_of_a_best_response_and_what_one_wins_the_other_loses(position, cap):
    training = shuffled(begun(cap))
    work, trunk = FlopWork(training, CpuBench()), Trunk(training.game)
    dealt = work.deal(range(1), KINDS[:1])
    boards = {
        part.street: work._bench.ready(training.abstraction, part, found)
        for part, found in zip(dealt.boards, dealt.looked_up)
    }
    before = cfr_br._Before(training, trunk)
    play = np.where(trunk.actors[:, None, None] == position, before.learner, before.responder)
    won, answers = work._answered(position, boards, work._passed(position, play, boards))
    earned = work._earned(position, play, boards, answers, cfr_br.board_weights(dealt.weights, dealt.boards))
    expected = BestResponse(_Current(training)).flop_values(KINDS[0])[1 - position]
    reach = [trunk.reach(play, player) for player in (0, 1)]
    for closing in range(len(expected)):
        found = trunk.flops.class_means(won[0, closing // LANES, :, closing % LANES].astype(np.float64))
        assert found == pytest.approx(expected[closing], rel=1e-4, abs=1e-2)
        mine, theirs = (
            float(reach[player][closing][trunk.flops.classes] @ values[0, 0, :, closing])
            for player, values in ((position, earned), (1 - position, won))
        )
        assert mine == pytest.approx(-theirs, rel=1e-4)
        assert abs(mine) > 1


def test_a_learner_neither_gains_nor_loses_by_its_own_play():
    training = shuffled(begun())
    work = FlopWork(training, CpuBench())
    regrets = {street: tables.regrets.copy() for street, tables in work._tables.items()}
    strategy = {street: tables.strategy.copy() for street, tables in work._tables.items()}
    work.found_on(work.deal(range(2), KINDS), range(2))
    for street, tables in work._tables.items():
        gains = tables.found
        assert gains.any()
        assert (strategy[street] * gains).sum(axis=2) == pytest.approx(0.0, abs=1e-3 * float(np.abs(gains).max()))
        assert np.array_equal(regrets[street], tables.regrets)


def test_exploitability_falls_and_does_not_rise_again():
    training = begun()
    found = []
    for flops in (4, 20, 100, 200):
        train_against_answers(training, CpuBench(), flops - training.boards, among=KINDS)
        found.append(exploitability(training.strategy()).mean())
    assert found[0] > 1.5 * found[1] > 1.8 * found[2]
    assert all(later < earlier for earlier, later in pairwise(found))
    current = exploitability(training.strategy(is_current=True)).mean()
    assert current < found[0]


def test_a_run_that_was_interrupted_goes_on_to_the_same_bytes(tmp_path):
    whole, first = begun(), begun()
    train_against_answers(whole, CpuBench(), 5, among=KINDS)
    train_against_answers(first, CpuBench(), 2, among=KINDS)
    first.save(tmp_path / "part.checkpoint")
    second = Training.load(tmp_path / "part.checkpoint")
    assert second.seconds == first.seconds > 0
    train_against_answers(second, CpuBench(), 3, among=KINDS)
    assert second.boards == whole.boards == 5
    assert np.array_equal(second.trunk, whole.trunk)
    second.seconds = whole.seconds
    for training, name in ((whole, "whole"), (second, "second")):
        training.save(tmp_path / name)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "second").read_bytes()


def test_every_kind_of_flop_comes_once_before_any_comes_again():
    work = FlopWork(begun(), CpuBench())
    kinds = tuple(range(100, 120))
    for time in range(2):
        flops = [work.deal(range(n, n + 1), kinds).flops[0] for n in range(20 * time, 20 * time + 20)]
        assert len(set(flops)) == 20
    weights = [work.deal(range(n, n + 1), kinds).weights[0] for n in range(20)]
    assert sum(weights) == pytest.approx(20)


def test_a_checkpoint_with_a_broken_trunk_is_refused(tmp_path):
    training = begun()
    training.trunk = np.full_like(training.trunk, np.inf)
    training.save(tmp_path / "bad")
    with pytest.raises(RailbirdError, match="no numbers"):
        Training.load(tmp_path / "bad")


def test_a_table_of_checkpoints_grows_by_a_row(tmp_path, capsys):
    training = begun(cap=4)
    training.boards, training.seconds, training.begun_with = 7, 90.0, {"strategy": "sparbot", "flops": 3.0}
    path, table = tmp_path / "strategy.npz", tmp_path / "table.json"
    training.strategy(is_current=True).save(path)
    for _ in range(2):
        found = rb.exploitability(f"equilibrium:strategy={path}", flops=2)
        add_checkpoint(table, found)
    first, second = rows_in(table)
    assert first | {"seconds": 0} == second | {"seconds": 0}
    assert (first["training"], first["boards"], first["minutes"], first["average"]) == ("cfr-br", 7, 1.5, False)
    assert first["begun_with"] == {"strategy": "sparbot", "flops": 3.0}
    assert first["mean"] == found.found.mean.value.mean
    assert not first["exact"]
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(SystemExit):
        main(["exploit", "always-call", "--flops", "2", "--table", str(tmp_path / "other.json")])
    assert "is no table of checkpoints" in capsys.readouterr().err
    assert (tmp_path / "other.json").read_text() == "{}"


def test_the_command_trains_in_pieces(tmp_path, capsys):
    buckets = save_buckets(coarse(), tmp_path / "buckets.npz")
    common = ["solve", "--method", "cfr-br", "--buckets", str(buckets), "--seed", "3", "--together", "1"]
    for name, pieces in (("whole", [3]), ("parts", [1, 2])):
        for number, flops in enumerate(pieces):
            told = [*common, "--boards", str(flops), "--out", str(tmp_path / name), *["--resume"] * (number > 0)]
            with pytest.raises(SystemExit) as end:
                main(told)
            assert not end.value.code
    assert "3 flops" in capsys.readouterr().out
    whole, parts = (Training.load(tmp_path / f"{name}.checkpoint") for name in ("whole", "parts"))
    assert whole.boards == parts.boards == 3
    for ours, theirs in zip((*whole.regrets, *whole.sums, whole.trunk), (*parts.regrets, *parts.sums, parts.trunk)):
        assert np.array_equal(ours, theirs)
    before = (tmp_path / "parts.checkpoint").read_bytes()
    with pytest.raises(SystemExit) as end:
        main(["solve", "--resume", "--write", "--current", "--levels", "7", "--out", str(tmp_path / "parts")])
    assert not end.value.code
    about = Strategy.load(tmp_path / "parts").about
    assert (about["training"], about["average"], about["levels"]) == ("cfr-br", False, 7)
    assert (tmp_path / "parts.checkpoint").read_bytes() == before


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (["--workers", "2"], "works with one"),
        (["--checked-river"], "trains the whole game"),
        (["--together", "65"], "1 to 64"),
        (["--levels", "65"], "rounded to 1 to 64"),
        (["--write"], "is for a checkpoint"),
        (["--buckets", "none.npz"], "nor a file of buckets that is there"),
    ],
)
def test_what_the_command_refuses(capsys, told, why):
    with pytest.raises(SystemExit) as end:
        main(["solve", "--method", "cfr-br", "--boards", "1", *told])
    assert end.value.code == 2
    assert why in capsys.readouterr().err


def test_an_interrupted_step_is_not_taken():
    class Impatient(CpuBench):
        """Is interrupted while the third flop is worked."""

        worked = 0

        def learn(self, *told):
            self.worked += 1
            if self.worked > 2 * 6 + 4:
                raise KeyboardInterrupt
            return super().learn(*told)

    whole, stopped = begun(), begun()
    with pytest.raises(KeyboardInterrupt):
        train_against_answers(stopped, Impatient(), 5, among=KINDS)
    assert stopped.boards == 2
    train_against_answers(stopped, CpuBench(), 3, among=KINDS)
    train_against_answers(whole, CpuBench(), 5, among=KINDS)
    for ours, theirs in zip(
        (*whole.regrets, *whole.sums, whole.trunk), (*stopped.regrets, *stopped.sums, stopped.trunk)
    ):
        assert np.array_equal(ours, theirs)
