"""The numbered betting tree as kernels take it; `railbird.game.betting_tree` grows it and tells what it means."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

DECISION, FOLDED, SHOWDOWN, STREET_START = range(4)
"""The kinds of node: somebody's turn, a hand that ended by a fold or by a showdown, cards about to be dealt."""


class Tree(NamedTuple):
    """A betting tree, by node; the fields are those of `BettingTree`."""

    kind: np.ndarray
    actor: np.ndarray
    street: np.ndarray
    child: np.ndarray
    row: np.ndarray
    committed: np.ndarray
