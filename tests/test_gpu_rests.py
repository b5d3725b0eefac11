"""Rests of hands solved again on a GPU against the processor's; without a GPU by its stand-in, as in `test_gpu`."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from railbird.bots import exploiting
from railbird.bots.equilibrium import strategy_of
from railbird.cards import HOLDING_COUNT, parse_cards
from railbird.errors import RailbirdError
from railbird.game.spec import limit_holdem
from railbird.solve import best_response, resolved_rest
from railbird.solve.cpu_rests import CpuRests
from railbird.solve.gpu import device, gpu_rests
from railbird.solve.gpu.gpu_rests import GpuRests
from railbird.solve.resolved_play import SAFETIES, Effort, ResolvedPlay
from railbird.solve.resolved_rest import RIVER, TURN, Entry, RestOfHand
from railbird.solve.response_value import Exploitability, ResponseValue

GAME = limit_holdem()
BOARDS = parse_cards("3h4cJh8sQd"), parse_cards("3h4cJh8s8d")
MIXED = SAFETIES["mixed"]


def assert_close(found, expected, share=1e-5):
    assert np.abs(found - expected).max() < share * np.abs(expected).max()


def entry_of(rest, generator):
    own, opponent = (generator.random(HOLDING_COUNT, np.float32) ** 3 * rest.live for _ in range(2))
    return Entry(own, opponent, generator.normal(0, 100, HOLDING_COUNT).astype(np.float32) * rest.live)


def responses(solutions):
    """By solution what a best response wins with each holding."""
    return [
        each.rest.response(1 - each.player, each.entry.own, each.rest.placed_chances(each.played)) for each in solutions
    ]


@pytest.mark.parametrize("player", [0, 1])
def test_rivers_are_solved_as_on_the_processor(player, on_device, monkeypatch):
    monkeypatch.setitem(gpu_rests.AT_ONCE, RIVER, 2)
    generator = np.random.default_rng(player)
    numbers = (4, BOARDS[0]), (100, BOARDS[1]), (4, BOARDS[1])
    rests = [RestOfHand(GAME, RIVER, number, board) for number, board in numbers]
    entries = [entry_of(rest, generator) for rest in rests]
    for iterations, share in ((3, 1e-5), (60, 0.01)):  # rounding grows with the iterations
        ours, theirs = (
            solver(strategy_of()).solved(rests, player, entries, MIXED, iterations) for solver in (GpuRests, CpuRests)
        )
        for found, expected in zip(responses(ours), responses(theirs)):
            assert_close(found, expected, share)
        for found, expected in zip(ours, theirs):
            assert (found.rest, found.player, found.values.size) == (expected.rest, player, 0)
            assert iterations > 3 or np.abs(found.played - expected.played)[:, found.rest.live].mean() < 1e-5


def test_what_is_left_of_a_rest_from_the_river_on_is_what_a_best_response_wins(on_device):
    strategy = strategy_of()
    ours, theirs = (ResolvedPlay(strategy, Effort(river=1), solver(strategy)) for solver in (GpuRests, CpuRests))
    rests = [RestOfHand(GAME, RIVER, 4, BOARDS[0]), RestOfHand(GAME, RIVER, 100, BOARDS[1])]
    for found, expected, solution in zip(ours.left(rests, 0), theirs.left(rests, 0), theirs.from_table(rests, 0)):
        assert_close(found, expected)
        assert np.array_equal(expected, responses([solution])[0])
        assert np.abs(expected).max() > 1.0


def test_rivers_of_clusters_are_looked_up_as_on_the_processor(on_device):
    strategy = strategy_of("finer")
    assert strategy.abstraction.is_clustered
    play = ResolvedPlay(strategy)
    begun = [play.begun(RestOfHand(GAME, RIVER, *rest), 0) for rest in ((4, BOARDS[0]), (100, BOARDS[1]))]
    ours, theirs = (solver(strategy).begun(begun, 0, MIXED, 3) for solver in (GpuRests, CpuRests))
    for found, expected in zip(ours, theirs):
        assert_close(found.entry.alternative, expected.entry.alternative)
        assert np.abs(found.played - expected.played).max() < 1e-3


def test_iterations_count_by_one_power_wherever_they_are_worked(monkeypatch, request):
    for where in (resolved_rest, device):
        monkeypatch.setattr(where, "POWER", 1)
    device.gpu.cache_clear()
    request.addfinalizer(device.gpu.cache_clear)
    request.getfixturevalue("on_device")
    assert resolved_rest.total_weight(4) == 10.0
    rest = RestOfHand(GAME, RIVER, 4, BOARDS[0])
    entry = entry_of(rest, np.random.default_rng(3))
    ours, theirs = (solver(strategy_of()).solved([rest], 0, [entry], MIXED, 5) for solver in (GpuRests, CpuRests))
    assert_close(responses(ours)[0], responses(theirs)[0])


def test_a_gpu_is_kept_busy_by_one_thread(on_device, monkeypatch):
    called = []

    def exploitability(policy, flops, seed, workers, *others):
        called.append((type(policy.play.solver), workers))
        return Exploitability(*[ResponseValue.exactly(0.0)] * 3, flops=2, is_whole=False)

    monkeypatch.setattr(best_response, "exploitability", exploitability)
    for player, backend in (("resolver:backend=gpu", "cpu"), ("resolver:backend=gpu", "gpu"), ("resolver", "gpu")):
        exploiting.exploitability(player, flops=2, workers=3, backend=backend)
    exploiting.exploitability("resolver", flops=2, workers=3)
    assert called == [(GpuRests, 1)] * 3 + [(CpuRests, 3)]
    with pytest.raises(RailbirdError, match="leave out --on"):
        exploiting.exploitability("resolver:backend=gpu", flops=2, on="127.0.0.1:9")


def test_a_solver_is_made_anew_in_another_process(on_device):
    sent = pickle.dumps(ResolvedPlay(strategy_of(), Effort(1, 3), GpuRests(strategy_of())))
    assert len(sent) < len(pickle.dumps(strategy_of())) + 1000  # nothing of what the GPU holds
    there = pickle.loads(sent)
    assert isinstance(there.solver, GpuRests)
    assert there.solver.strategy is there.strategy
    assert there.effort == Effort(1, 3)


def test_turns_with_their_rivers_are_solved_as_on_the_processor(on_device):
    play = ResolvedPlay(strategy_of())
    begun = [play.begun(RestOfHand(GAME, TURN, number, BOARDS[0][:4]), 1) for number in (4, 20)]
    ours, theirs = (solver(strategy_of()).begun(begun, 1, MIXED, 3) for solver in (GpuRests, CpuRests))
    for found, expected in zip(ours, theirs):
        assert np.abs(found.played - expected.played).max() < 1e-3
        assert_close(found.values, expected.values)
        assert_close(found.entry.alternative, expected.entry.alternative)
    left = GpuRests(strategy_of()).left(begun, 1, MIXED, 3)
    for found, expected in zip(left, theirs):
        assert_close(found, expected.left())


def test_the_resolver_plays_alike_with_either(on_device):
    effort = Effort(turn=2, river=3)
    ours, theirs = (ResolvedPlay(strategy_of(), effort, solver(strategy_of())) for solver in (GpuRests, CpuRests))
    for history, board in (("rc/rc/cr", BOARDS[0][:4]), ("rc/rc/crc/r", BOARDS[0])):
        found, expected = (play.chances(history, board) for play in (ours, theirs))
        assert np.abs(found - expected).mean() < 1e-4
