"""Learning curves: what a player wins from an opponent by block of hands, as numbers and as a figure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from railbird.results.figures import Figure, Line
from railbird.statistics import Estimate, Samples
from railbird.words import rate


class Block(NamedTuple):
    """A part of a learning curve."""

    last_hand: int
    """How many hands in a row its players had met by its end."""
    rate: Estimate


Curves = Mapping[str, tuple[Block, ...]]
"""By opponent."""


def curve_of_match(samples: Samples, blocks: int) -> tuple[Block, ...]:
    """The win rate by blocks of a match's hands; every hand is a sample."""
    return tuple(Block(end, Estimate.of(samples[start:end])) for start, end in _bounds(len(samples), blocks))


def curve_of_matches(samples: Samples, blocks: int) -> tuple[Block, ...]:
    """The win rate by blocks of the hands of many matches, from samples by match and hand; every match is a sample."""
    bounds = _bounds(samples.shape[1], blocks)
    return tuple(Block(end, Estimate.of(samples[:, start:end].mean(axis=1))) for start, end in bounds)


def _bounds(hands: int, blocks: int) -> list[tuple[int, int]]:
    """First hand and end of each block."""
    ends = [int(end) for end in np.linspace(0, hands, blocks + 1)]
    return list(pairwise(ends))


def curves_json(curves: Curves) -> dict[str, list[dict[str, Any]]]:
    return {
        opponent: [{"last_hand": block.last_hand, **block.rate.to_json()} for block in blocks]
        for opponent, blocks in curves.items()
    }


def curve_rows(player: str, curves: Curves) -> list[dict[str, Any]]:
    """A row for each opponent and block."""
    return [
        {"player": player, "opponent": opponent, **block}
        for opponent, blocks in curves_json(curves).items()
        for block in blocks
    ]


def file_name(player: str) -> str:
    """What the files of a player's learning curves are called.

    >>> file_name("vexbot2:sample=9"), file_name("bots/mine.py")
    ('learning-vexbot2-sample=9', 'learning-bots-mine.py')
    """
    return "learning-" + re.sub(r"[:/\\]+", "-", player)


def learning_figure(player: str, curves: Curves) -> Figure:
    """A learner's win rate by block of hands, a line for each opponent."""
    lines = [
        Line(
            opponent,
            np.array([float(block.last_hand) for block in blocks]),
            np.array([block.rate.mean for block in blocks]),
            np.array([block.rate.margin for block in blocks]),
        )
        for opponent, blocks in curves.items()
    ]
    return Figure(
        title=f"{player}: win rate by block of hands (after Billings et al. 2004, section 4.7)",
        x_label="hands played, at the end of each block",
        y_label="small bets per hand, by DIVAT (95%)",
        lines=lines,
        summary="Each leg of a duplicate match has a memory of its own; a block is the same hands of both legs.",
        header=("opponent", "first block (95%)", "last block (95%)"),
        rows=[(opponent, rate(blocks[0].rate), rate(blocks[-1].rate)) for opponent, blocks in curves.items()],
        legend_below=True,
    )
