"""Income rates before the flop: what a holding earns when everybody calls to the end (Papp 1998, section 5.1).

The income rate IR_n among n players is the net result per bet invested, n times the expected share of the pot minus
one, here in thousandths as in Papp's Tables A.1 to A.3: a pair of aces among seven earns +2.043 bets a bet, so IR_7 is
2043. IR_2 is exact; IR_4 and IR_7 are rolled out until their standard error is half a thousandth of a bet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, class_text, holding_cards
from railbird.errors import InvalidGameError
from railbird.filling import fill
from railbird.odds.ranges import preflop_counts
from railbird.progress import Watch
from railbird.randomness import Stream
from railbird.workforce import Workforce

TABLES = (2, 4, 7)
DATA = "income_rates.csv"
STANDARD_ERROR = 0.0005
_BATCH = 250_000


@cache
def income_rates(players: int) -> NDArray[np.float64]:
    """The income rates of all 1,326 holdings among 2, 4 or 7 players."""
    by_class = class_income_rates(players)
    rates = np.array([by_class[class_text(holding)] for holding in range(HOLDING_COUNT)])
    rates.setflags(write=False)
    return rates


@cache
def class_income_rates(players: int) -> dict[str, float]:
    """The income rates of the 169 classes among 2, 4 or 7 players."""
    if players not in TABLES:
        raise InvalidGameError(f"income rates for {players} players; there are tables for 2, 4 and 7")
    if players == 2:
        return {
            name: 1000 * (2 * (wins + ties / 2) / (wins + ties + losses) - 1)
            for name, (wins, ties, losses) in preflop_counts().items()
        }
    column = {4: 1, 7: 3}[players]
    lines = (files("railbird.odds") / "data" / DATA).read_text(encoding="utf-8").splitlines()
    return {line.split(",")[0]: float(line.split(",")[column]) for line in lines if line[0] not in "#c"}


def rolled_out_table(seed: int = 1, watch: Watch | None = None, who: Workforce = None) -> str:
    """The text of the data file: IR_4 and IR_7 of every class by roll-out, with their standard errors."""
    classes = list(preflop_counts())
    representative = {class_text(holding): holding for holding in range(HOLDING_COUNT)}
    lines = [
        "# Pre-flop income rates in thousandths of a bet, everybody calling to the end, by roll-out; ir2 is exact and "
        "follows from preflop_equity.csv. Made by: railbird build income-rates",
        "class,ir4,se4,ir7,se7",
    ]
    cells = np.zeros((len(classes), 4))

    def put(part: range, found: list[float]) -> None:
        cells[part.start] = found

    make = partial(_row_maker, [representative[name] for name in classes], seed)
    parts = [range(number, number + 1) for number in range(len(classes))]
    fill({"cells": cells}, f"income rates {seed}", make, parts, put, who, watch)
    rows = ([f"{1000 * rate:.1f},{1000 * error:.2f}" for rate, error in row.reshape(2, 2).tolist()] for row in cells)
    return "\n".join([*lines, *(",".join([name, *row]) for name, row in zip(classes, rows))]) + "\n"


def _row_maker(holdings: Sequence[int], seed: int) -> Callable[[range], list[float]]:
    """The function from a class to the numbers of its line."""

    def row(part: range) -> list[float]:
        return [number for players in (4, 7) for number in rolled_out(holdings[part.start], players, seed)]

    return row


def rolled_out(holding: int, players: int, seed: int, standard_error: float = STANDARD_ERROR) -> tuple[float, float]:
    """The income rate of a holding, in bets, from roll-outs until its standard error is small enough; and that error.

    Batches are independent, so the error is that of their mean.
    """
    from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
    from railbird.kernels.play.random_opponents import playout_share

    hole = np.array(holding_cards(holding), np.uint8)
    stream = Stream(seed, holding, players)
    shares: list[float] = []
    while True:
        bits = np.uint64(stream.bits())
        shares.append(playout_share(TABLE, CARD_KEYS, hole, np.empty(0, np.uint8), players - 1, _BATCH, bits))
        share = float(np.mean(shares))
        # A share is between 0 and 1, so its variance is at most share * (1 - share).
        error = players * sqrt(share * (1 - share) / (_BATCH * len(shares)))
        if error <= standard_error:
            return players * share - 1, error
