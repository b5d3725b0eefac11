"""Small strategies, and models of opponents around them, without the minute that true buckets take."""

from __future__ import annotations

from functools import cache

import numpy as np

from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.kernels.cards.isomorphism import CLASS_COUNTS
from railbird.search.holding_model import HoldingModel
from railbird.solve.abstraction import Abstraction
from railbird.solve.strategy import Strategy


@cache
def class_buckets(count: int, street: int) -> np.ndarray:
    """Buckets by class of holding and board, as good as random."""
    classes = np.arange(CLASS_COUNTS[street], dtype=np.uint32)
    buckets = (classes * np.uint32(2654435761) >> np.uint32(8)) % np.uint32(count)
    found = buckets.astype(np.uint16)
    found.flags.writeable = False  # as tables from a file are
    return found


def small_abstraction(flops: int = 7, turns: int = 23, slices: int = 20, parts: int = 3) -> Abstraction:
    """Few buckets, without the minute that it takes to compute true ones."""
    limits = np.sort(np.random.default_rng(5).random((slices, parts - 1)), axis=1)
    abstraction = Abstraction(
        {"method": "ehs", "counts": np.array([169, flops, turns, slices * parts]), "river": limits}
    )
    abstraction._tables = class_buckets(flops, 1), class_buckets(turns, 2)
    return abstraction


@cache
def random_strategy(cap: int, seed: int = 3) -> Strategy:
    """Random probabilities, many of them near 0."""
    generator, game, abstraction = np.random.default_rng(seed), limit_holdem(cap=cap), small_abstraction()
    rows = [len(nodes) for nodes in BettingTree.of(game).decisions]
    tables = [generator.random((r, count, 3), np.float32) ** 3 for r, count in zip(rows, abstraction.counts)]
    return Strategy.of(game, abstraction, tables, {})


def calling_strategy(cap: int) -> Strategy:
    game, abstraction = limit_holdem(cap=cap), small_abstraction()
    rows = [len(nodes) for nodes in BettingTree.of(game).decisions]
    return Strategy(game, abstraction, [np.zeros((r, c, 2), np.uint8) for r, c in zip(rows, abstraction.counts)], {})


def counted_model(cap: int, seed: int, floor: float = 0.02) -> HoldingModel:
    """A model with random counts, in which the frequencies matter."""
    model, generator = HoldingModel(random_strategy(cap), floor=floor), np.random.default_rng(seed)
    for counts, counters in ((model.seen, model._bends), (model.expected, model._bends), (model.shown, model._shares)):
        for node in np.concatenate(model.tree.decisions).tolist():
            first, groups, _ = counters.at(node)
            for row, count in zip(first, groups):
                counts[:, row : row + count] = model._legal[node]  # what cannot be done is never seen
        counts *= 30.0 * generator.random(counts.shape) ** 4
    model.odds[:] = generator.uniform(-1.5, 1.5, model.odds.shape)
    return model


def refresh(model: HoldingModel) -> None:
    """Bring all views up to date."""
    model.refresh(np.concatenate(model.tree.decisions).astype(np.int64))


def legal_at(model: HoldingModel, node: int) -> str:
    return "".join(kind for kind, child in zip("fcr", model.tree.child[node]) if child >= 0)
