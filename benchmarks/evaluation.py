"""Strength, potential and equity, in rankings and beside the peers that can do the job.

Each time is the mean over a fixed set of random boards, against random weights; our rows call the kernels with arrays,
as r, the time of one 7-card ranking in bulk, is measured. Peers rank one hand a call, in a Python loop; where theirs
would take long, they do part of the rankings and the time is scaled up, which the row says.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Row, against_peer, best_seconds, in_rankings, per_second
from railbird.cards import RANKS, SUITS, cards_text, holding_cards
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.odds.gains import find_potentials
from railbird.kernels.odds.runouts import find_equities
from railbird.kernels.odds.sweep import find_strengths
from railbird.kernels.odds.transitions import weigh_transitions
from railbird.odds.potential import hand_potential
from railbird.odds.strength import equities, hand_strength, strengths

_SEED = 1998
_BOARDS = 60
# Papp 1998, section 5.3: the rankings that HandPotential2 needs when none is done twice.
_PPOT2_RANKINGS = 180_528
_TIMED = 20_000


def rows() -> list[Row]:
    """Our times in rankings, with the targets, and then beside the peers."""
    generator = np.random.default_rng(_SEED)
    flops, turns, rivers = (_random_boards(generator, size) for size in (3, 4, 5))
    monotone = [np.array(generator.permutation(13)[:3] * 4 + suit, np.uint8) for suit in (0, 1, 2, 3) for _ in range(5)]
    weights = generator.random(1326)
    runs: dict[str, tuple[Callable[[], None], int, float | None]] = {
        "PPOT1, NPOT1 of one holding, flop": (_transitions(generator, flops, 1, weights), len(flops), 6_000),
        "PPOT1, NPOT1 of one holding, turn": (_transitions(generator, turns, 1, weights), len(turns), 6_000),
        "PPOT2, NPOT2 of one holding": (_transitions(generator, flops, 2, weights), len(flops), 150_000),
        "strength of all holdings, flop": (_strengths(flops, weights), len(flops), 3_500),
        "strength of all holdings, turn": (_strengths(turns, weights), len(turns), 3_500),
        "strength of all holdings, river": (_strengths(rivers, weights), len(rivers), 3_500),
        "equity of all holdings, turn": (_equities(turns, weights), len(turns), 50_000),
        "equity of all holdings, flop": (_equities(flops, weights), len(flops), 800_000),
        "equity of all, monotone flop": (_equities(monotone, weights), len(monotone), None),
        "PPOT1, NPOT1 of all holdings, flop": (_potentials(flops, weights), len(flops), 500_000),
        "PPOT1, NPOT1 of all, monotone flop": (_potentials(monotone, weights), len(monotone), 2_000_000),
        "PPOT1, NPOT1 of all holdings, turn": (_potentials(turns, weights), len(turns), 500_000),
    }
    times = best_seconds({name: run for name, (run, _, _) in runs.items()}, rounds=15)
    found = [_in_rankings(name, times[name] / count, at_most) for name, (_, count, at_most) in runs.items()]
    return found + _many_boards(generator) + _beside_peers(generator)


def _in_rankings(what: str, seconds: float, at_most: float | None) -> Row:
    if at_most is None:
        return replace(in_rankings(what, seconds, 0), target="", ok=None)
    return in_rankings(what, seconds, at_most)


def _random_boards(generator: np.random.Generator, size: int) -> list[NDArray[np.uint8]]:
    return [generator.permutation(52)[:size].astype(np.uint8) for _ in range(_BOARDS)]


def _transitions(
    generator: np.random.Generator, boards: list[NDArray[np.uint8]], cards_to_come: int, weights: NDArray[np.float64]
) -> Callable[[], None]:
    holdings = [generator.permutation(np.setdiff1d(np.arange(52), board))[:2].tolist() for board in boards]
    table = np.empty((3, 3))

    def run() -> None:
        for board, (first, second) in zip(boards, holdings, strict=True):
            weigh_transitions(TABLE, RANK_KEYS, first, second, board, cards_to_come, weights, table)

    return run


def _strengths(boards: list[NDArray[np.uint8]], weights: NDArray[np.float64]) -> Callable[[], None]:
    found = np.empty(1326)

    def run() -> None:
        for board in boards:
            find_strengths(TABLE, RANK_KEYS, board, weights, found)

    return run


def _equities(boards: list[NDArray[np.uint8]], weights: NDArray[np.float64]) -> Callable[[], None]:
    found = np.empty(1326)

    def run() -> None:
        for board in boards:
            find_equities(TABLE, RANK_KEYS, board, 5 - len(board), weights, found)

    return run


def _potentials(boards: list[NDArray[np.uint8]], weights: NDArray[np.float64]) -> Callable[[], None]:
    ppot, npot = np.empty(1326), np.empty(1326)

    def run() -> None:
        for board in boards:
            find_potentials(TABLE, RANK_KEYS, board, weights, ppot, npot)

    return run


def _many_boards(generator: np.random.Generator) -> list[Row]:
    """Public functions, given arrays of boards, on one core and on all of them."""
    flops = np.array([generator.permutation(52)[:3] for _ in range(2_000)], np.uint8)
    runs: dict[str, tuple[Callable[[], object], int]] = {}
    for cores, threads in (("one core", None), (f"{os.cpu_count()} cores", 0)):
        runs[f"strength of all holdings, many flops, {cores}"] = (partial(strengths, flops, threads=threads), 2_000)
        runs[f"equity of all holdings, many flops, {cores}"] = (partial(equities, flops[:64], threads=threads), 64)
    times = best_seconds({name: run for name, (run, _) in runs.items()}, rounds=5)
    return [per_second(name, times[name] / count, unit="boards") for name, (_, count) in runs.items()]


def _beside_peers(generator: np.random.Generator) -> list[Row]:
    """Public functions, given text, beside peers that are given their own cards."""
    holding, board = "AdQc", "3h4cJh"
    runs: dict[str, Callable[[], object]] = {
        "strength": lambda: hand_strength(holding, board),
        "ppot2": lambda: hand_potential(holding, board, cards_to_come=2),
    }
    sample = [generator.permutation(52)[:7].tolist() for _ in range(_TIMED)]
    if find_spec("eval7"):
        import eval7

        texts = [rank + suit for rank in RANKS for suit in SUITS]
        deck = [eval7.Card(text) for text in texts]
        hands = [[deck[card] for card in hand] for hand in sample]
        every = eval7.HandRange(", ".join(cards_text(holding_cards(number)) for number in range(1326)))
        ours, dealt = [eval7.Card("Ad"), eval7.Card("Qc")], [eval7.Card(text) for text in ("3h", "4c", "Jh")]
        runs["eval7 range"] = lambda: eval7.py_hand_vs_range_exact(ours, every, dealt)
        runs["eval7"] = lambda: [eval7.evaluate(hand) for hand in hands]
    if find_spec("phevaluator"):
        from phevaluator._pheval import evaluate_7cards

        runs["phevaluator"] = lambda: [evaluate_7cards(*hand) for hand in sample]
    times = best_seconds(runs)
    found = []
    if "eval7 range" in times:
        found.append(against_peer("strength of one holding", times["strength"], "eval7", times["eval7 range"]))
    for peer in ("eval7", "phevaluator"):
        if peer in times:
            scaled = times[peer] / _TIMED * _PPOT2_RANKINGS
            what = f"PPOT2 of one holding, {_TIMED:,} of {_PPOT2_RANKINGS:,} rankings timed"
            found.append(against_peer(what, times["ppot2"], peer, scaled))
    return found
