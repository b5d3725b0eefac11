"""CFR-BR that begins with a strategy: it plays that strategy at first, gets better, and goes on as it was left."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.game.spec import limit_holdem
from railbird.solve.abstraction import Abstraction
from railbird.solve.beginning import _live, _translated, begin_with
from railbird.solve.bucket_files import save_buckets
from railbird.solve.cfr_br import train_against_answers
from railbird.solve.cpu_bench import CpuBench
from railbird.solve.solving import SolvePlan, _kept_boards, solve
from railbird.solve.strategy import Strategy, strategy_named
from railbird.solve.train import Training
from railbird.solve.trunk import Trunk
from test_cfr_br import KINDS, _Current, coarse, exploitability, few_boards

__all__ = ["few_boards"]

GAME = limit_holdem(cap=1)


@pytest.fixture(scope="module")
def crude() -> Abstraction:
    """Seven buckets a street, whose tables come with Railbird."""
    return strategy_named("sparbot").abstraction


@pytest.fixture(scope="module")
def given(crude) -> Strategy:
    """A strategy for the game with one bet a street, by training on random boards."""
    training = Training(crude, GAME, seed=1)
    training.run(boards=600)
    return training.strategy()


def begun(abstraction: Abstraction, strategy: Strategy | None = None, flops: float = 10.0) -> Training:
    training = Training(abstraction, GAME, seed=1, method="cfr-br")
    if strategy:
        begin_with(training, strategy, "given.npz", flops)
    return training


def with_chances(counts: int, seed: int) -> Strategy:
    """A strategy with so many slices of the river that plays every which way."""
    generator = np.random.default_rng(seed)
    abstraction = coarse(counts)
    tree = Training(abstraction, GAME).rounds
    rows = [len(part.rounds) * part.decisions for part in tree]
    tables = [generator.random((some, count, 3), np.float32) for some, count in zip(rows, abstraction.counts)]
    return Strategy.of(GAME, abstraction, tables, {})


def test_what_is_begun_with_a_strategy_plays_exactly_that_strategy(crude, given):
    training = begun(crude, given)
    for is_current in (False, True):
        found = training.strategy(is_current)
        assert all(np.array_equal(ours, theirs) for ours, theirs in zip(found.codes, given.codes))
    assert Trunk(GAME).matched(training.trunk) == pytest.approx(given.table(0), abs=1e-6)
    assert exploitability(_Current(training)) == pytest.approx(exploitability(given), rel=1e-4)
    assert found.about["begun_with"] == {"strategy": "given.npz", "flops": 10.0}
    assert not any(table.any() for table in training.sums)


def test_the_strategy_that_ships_is_played_as_it_is_where_nobody_ever_comes():
    training = Training(strategy_named("sparbot").abstraction, seed=1, method="cfr-br")
    begin_with(training, strategy_named("sparbot"), "sparbot")
    assert all(np.array_equal(*both) for both in zip(training.strategy().codes, strategy_named("sparbot").codes))


def test_begun_with_a_strategy_it_gets_better_and_sooner_than_from_nothing(crude, given):
    kinds = tuple(range(50, 1755, 150))
    before = exploitability(given, kinds).mean()
    ours, theirs = begun(crude, given), begun(crude)
    found = []
    for flops in (1, 12, 36, 72):
        train_against_answers(ours, CpuBench(), flops - ours.boards, among=kinds)
        found.append(exploitability(ours.strategy(), kinds).mean())
    assert found[0] == pytest.approx(before, rel=1e-3)  # of one flop the average is what was played on it
    assert found[3] < found[2] < found[1] < 1.02 * before
    assert found[3] < 0.9 * before
    train_against_answers(theirs, CpuBench(), 12, among=kinds)
    assert exploitability(theirs.strategy(), kinds).mean() > 1.2 * before


def test_a_flop_throws_over_what_counts_as_none(crude, given):
    current = []
    for flops in (0.1, 10.0):
        training = begun(crude, given, flops)
        train_against_answers(training, CpuBench(), 1, among=KINDS)
        current.append(exploitability(training.strategy(is_current=True)).mean())
    assert current[0] > 1.5 * exploitability(given).mean() > 1.2 * current[1]


def test_other_buckets_play_the_mean_of_what_falls_into_them():
    many, few = with_chances(10, 1), with_chances(5, 2)
    assert np.array_equal(_translated(few, many.abstraction, 3), np.repeat(few.table(3), 2, axis=1))
    found, both = _translated(many, few.abstraction, 3), many.table(3).reshape(-1, 5, 2, 3)
    assert (found >= both.min(axis=2) - 1e-6).all()
    assert (found <= both.max(axis=2) + 1e-6).all()
    assert np.abs(found - both.mean(axis=2)).max() < 0.05  # halves of a slice are about as large
    assert np.array_equal(_translated(many, few.abstraction, 0), many.table(0))


def test_flops_and_turns_of_other_buckets_are_counted_whole(given):
    crude = given.abstraction
    found = _translated(given, coarse(), 1)
    boards = np.random.default_rng(3).permuted(np.tile(np.arange(52, dtype=np.uint8), (400, 1)), axis=1)[:, :3]
    shares = np.bincount(crude.buckets(1, boards)[_live(boards)], minlength=7)
    expected = np.einsum("rba,b->ra", given.table(1), shares / shares.sum())
    assert found[:, 0] == pytest.approx(expected, abs=0.02)


def test_a_run_that_was_begun_and_interrupted_goes_on_to_the_same_bytes(tmp_path, crude, given):
    whole, first = begun(crude, given), begun(crude, given)
    train_against_answers(whole, CpuBench(), 5, among=KINDS)
    train_against_answers(first, CpuBench(), 2, among=KINDS)
    first.save(tmp_path / "part")
    second = Training.load(tmp_path / "part")
    assert second.begun_with == {"strategy": "given.npz", "flops": 10.0}
    train_against_answers(second, CpuBench(), 3, among=KINDS)
    second.seconds = whole.seconds
    for training, name in ((whole, "whole"), (second, "second")):
        training.save(tmp_path / name)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_checkpoint_that_began_with_nonsense_is_refused(tmp_path, crude):
    training = begun(crude)
    training.begun_with = {"strategy": 7, "flops": -1}
    training.save(tmp_path / "bad")
    with pytest.raises(RailbirdError, match="strategy of begun_with"):
        Training.load(tmp_path / "bad")


def test_the_command_begins_with_a_strategy_and_goes_on(tmp_path):
    common = ["solve", "--method", "cfr-br", "--seed", "3", "--together", "1"]
    begin = ["--begin-with", "sparbot", "--begin-as", "20"]
    for name, pieces in (("whole", [2]), ("parts", [1, 1])):
        for number, flops in enumerate(pieces):
            told = [*common, "--boards", str(flops), "--out", str(tmp_path / name)]
            with pytest.raises(SystemExit) as end:
                main([*told, *(["--resume"] if number else begin)])
            assert not end.value.code
    whole, parts = (Training.load(tmp_path / f"{name}.checkpoint") for name in ("whole", "parts"))
    assert whole.begun_with == parts.begun_with == {"strategy": "sparbot", "flops": 20.0}
    assert whole.abstraction.counts == (169, 7, 7, 7)
    for ours, theirs in zip((*whole.regrets, *whole.sums, whole.trunk), (*parts.regrets, *parts.sums, parts.trunk)):
        assert np.array_equal(ours, theirs)
    assert Strategy.load(tmp_path / "parts").about["begun_with"]["strategy"] == "sparbot"


def test_a_file_of_buckets_is_begun_with_what_the_strategy_plays_there(tmp_path):
    buckets = save_buckets(coarse(), tmp_path / "buckets.npz")
    settings = {"method": "cfr-br", "boards": 1, "begin_with": "sparbot", "progress": False}
    found = solve(buckets=str(buckets), **settings).strategy
    assert found.abstraction.counts == (169, 1, 1, 10)
    assert found.about["begun_with"]["strategy"] == "sparbot"
    apart = np.abs(found.codes[0].astype(int) - strategy_named("sparbot").codes[0])
    assert np.mean(apart <= 1) > 0.9  # all that one flop has reached


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (["--method", "plus", "--begin-with", "sparbot"], "is for --method finer or cfr-br, not for plus"),
        (["--begin-with", "sparbot", "--resume"], "goes on as it was begun"),
        (["--begin-with", "spar"], "no strategy file 'spar', and none of this name comes with Railbird; did you mean"),
        (["--begin-with", "../sparbot"], "no strategy file '../sparbot'"),
        (["--begin-with", "sparbot", "--begin-as", "0"], "counts as 0.0"),
        (["--begin-with", "sparbot", "--begin-as", "nan"], "counts as nan"),
        (["--begin-with", "one.npz"], "is a strategy for another game than"),
    ],
)
def test_what_the_command_refuses(tmp_path, monkeypatch, capsys, given, told, why):
    monkeypatch.chdir(tmp_path)
    given.save(tmp_path / "one.npz")
    with pytest.raises(SystemExit) as end:
        main(["solve", "--method", "cfr-br", "--boards", "1", *told])
    assert end.value.code == 2
    assert why in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "strategy.npz").exists()


def test_on_an_interrupt_the_way_to_go_on_is_told(tmp_path, crude):
    path = tmp_path / "some.npz"
    training = begun(crude)
    training.save(tmp_path / "some.npz.checkpoint")
    plan = SolvePlan(method="cfr-br", begin_with="sparbot")
    assert _kept_boards(training, plan, path).endswith(
        "with --resume instead of --begin-with the same command goes on from there"
    )
