"""Vexbot's default data: what it assumes of an opponent in contexts where nothing was seen.

They depend on the shape of the betting tree alone. For four bets a street those that ship come from the equilibrium
strategy's play against itself; `write_defaults` makes such a file from any strategy. For other caps, where there is no
trained strategy, they come from `RationalPolicy`, are computed on first use and kept in the user's cache folder.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.cache import cache_folder
from railbird.errors import RailbirdError
from railbird.files import Tables, cached_tables
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.modeling.context_tree import DefaultData
from railbird.modeling.default_data import BOARDS, default_data
from railbird.search.rational import RationalPolicy
from railbird.solve.policy import Policy
from railbird.solve.strategy_files import open_arrays, write_arrays

KIND, VERSION = "railbird default contexts", 1
SHIPPED = "default-contexts.npz"
SHIPPED_RAISES, SHIPPED_ORDER = (3, 4, 4, 4), (1, 0, 0, 0)
_WHOLE = 255


@cache
def equilibrium_defaults(game: Game) -> DefaultData:
    """The default data that ship; for games with another betting tree those of `rational_defaults`."""
    if game.max_raises != SHIPPED_RAISES or game.first_to_act != SHIPPED_ORDER:
        return rational_defaults(game)
    with as_file(files("railbird.search") / "data" / SHIPPED) as path:
        return read_defaults(path, BettingTree.of(game))


@cache
def rational_defaults(game: Game) -> DefaultData:
    """The default data of the simple rational strategy."""
    name = "-".join(map(str, (*game.max_raises, *game.first_to_act)))

    def compute() -> Tables:
        found = default_data(BettingTree.of(game), RationalPolicy(game))
        return {"triples": found.triples, "histograms": found.histograms}

    tables = cached_tables(
        cache_folder() / f"vexbot-defaults-{name}.bin",
        "default contexts",
        VERSION,
        "remove it and start Vexbot",
        compute,
    )
    return DefaultData(np.array(tables["triples"]), np.array(tables["histograms"]))


def write_defaults(path: Path, policy: Policy, boards: int = BOARDS, about: str = "") -> None:
    """Derive default data from a strategy and write them, in 255ths.

    The file that ships is `write_defaults(path, strategy_of())`, with `strategy_of` of `railbird.bots.equilibrium`.
    """
    tree = BettingTree.of(policy.game)
    found = default_data(tree, policy, boards)
    arrays = {"triples": _coded(found.triples), "histograms": _coded(found.histograms)}
    write_arrays(path, KIND, VERSION, {"boards": boards, "strategy": about or type(policy).__name__}, arrays)


def read_defaults(path: Path, tree: BettingTree) -> DefaultData:
    """The default data in a file; refuses one that is damaged or of another version."""
    flat = DefaultData.flat(tree)
    wanted = {"triples": flat.triples.shape, "histograms": flat.histograms.shape}
    with open_arrays(path, KIND, VERSION) as file:
        found = {name: file.shape(name) for name in wanted}
        arrays = {name: file.array(name, "|u1", shape) for name, shape in wanted.items()} if found == wanted else {}
    if found != wanted:
        raise RailbirdError(f"{str(path)!r} has default data for another betting tree than that of {tree.game.name}")
    triples, histograms = _decoded(arrays["triples"]), _decoded(arrays["histograms"])
    triples = np.where(triples.sum(axis=1, keepdims=True) > 0, triples, flat.triples)
    return DefaultData(triples, histograms)


def _coded(shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    return np.rint(shares * _WHOLE).astype(np.uint8)


def _decoded(codes: NDArray[np.uint8]) -> NDArray[np.float64]:
    total = codes.sum(axis=-1, keepdims=True, dtype=np.int64)
    return np.asarray(codes / np.maximum(1, total))
