"""Expected ranks: the average final rank of every holding over all cards to come (Piël 2006, sections 3.2 and 4.3).

Piël orders holdings by this number, his "potential hand". He counts scores from the royal flush, 1, to the worst hand,
7462; Railbird's ranks run from 0 to 7461 and higher is better, so his score is 7462 minus the rank (`piel_score`).

The numbers of all flops are kept in one file of 5 MB in the user's cache folder, suit-isomorphic boards once (1,755),
in eighths of a rank. It is built on first use, in a second, and mapped into memory. On the turn, with 46 cards to come,
they are worked out almost as quickly as they could be looked up. On the river the expected rank is the rank. Before the
flop holdings are ordered by their equity against a random holding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.cache import cache_folder
from railbird.cards import HOLDING_COUNT, check_distinct, holding_index, parse_cards
from railbird.files import Tables, cached_tables, map_tables, write_tables
from railbird.filling import fill
from railbird.kernels.cards.isomorphism import CLASS_COUNTS, isomorphism_table
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_COUNT, RANK_KEYS, TABLE
from railbird.kernels.odds import mean_ranks as kernels
from railbird.odds.income_rates import income_rates
from railbird.odds.strength import board_cards
from railbird.progress import Watch
from railbird.workforce import Workforce

Array = NDArray[np.float64]
Eighths = NDArray[np.uint16]

VERSION = 3
FILE_NAME = "expected-ranks.bin"
_WHAT = "expected ranks"
_AGAIN = "railbird build expected-ranks"
_FLOPS = CLASS_COUNTS[5]
_ROWS_AT_ONCE = 100


class HoldingOrder:
    """The holdings that are possible on a board, from the lowest expected rank to the highest."""

    def __init__(self, values: Array) -> None:
        possible = np.flatnonzero(~np.isnan(values))
        by_value = np.argsort(values[possible], kind="stable")
        self.holdings: NDArray[np.int64] = possible[by_value]
        rising = values[self.holdings]
        self.starts: NDArray[np.int64] = np.flatnonzero(np.r_[True, rising[1:] != rising[:-1]])
        """The place of the first of each group of equals."""
        self.sizes: NDArray[np.int64] = np.diff(np.r_[self.starts, len(rising)])
        self.percentiles: Array = np.full(HOLDING_COUNT, np.nan)
        """By holding, the share of possible holdings that are below it, equals counting half."""
        self.percentiles[self.holdings] = np.repeat((self.starts + self.sizes / 2) / len(rising), self.sizes)

    @property
    def halves(self) -> NDArray[np.int32]:
        """The same in whole numbers: twice as many as are below it, and its equals; 0 for impossible holdings.

        A percentile is this number by twice the number of possible holdings.
        """
        found = np.zeros(HOLDING_COUNT, np.int32)
        found[self.holdings] = np.repeat(2 * self.starts + self.sizes, self.sizes)
        return found

    def spread(self, by_place: Array) -> Array:
        """Numbers by place, as numbers by holding: equals share the average of their places, the impossible get 0."""
        found = np.zeros(HOLDING_COUNT)
        found[self.holdings] = np.repeat(np.add.reduceat(by_place, self.starts) / self.sizes, self.sizes)
        return found


def expected_rank(holding: str, board: str) -> float:
    """The average final rank of a holding over all cards to come on a flop, turn or river.

    >>> expected_rank("5h4h", "2hAhAs")  # to the eighth; exactly 5571.45
    5571.5
    """
    first, second = parse_cards(holding, count=2)
    dealt = board_cards(board)
    check_distinct((first, second), dealt)
    return float(expected_ranks_on(dealt)[holding_index(first, second)])


def expected_ranks(board: str) -> Array:
    """The same for all holdings, by holding number; nan for those that share a card with the board."""
    return expected_ranks_on(board_cards(board))


def piel_score(rank: float) -> float:
    """A rank, or an expected one, as Piël counts: 1 for the royal flush to 7462 for the worst hand.

    >>> piel_score(7461), piel_score(0)
    (1, 7462)
    """
    return RANK_COUNT - rank


def expected_ranks_on(board: tuple[int, ...]) -> Array:
    """The expected ranks of all holdings on three to five board cards given as numbers, for players."""
    dealt = np.array(board, np.uint8)
    found = np.empty(HOLDING_COUNT)
    if len(board) == 5:
        kernels.rank_holdings(TABLE, CARD_KEYS, dealt, found)
        return found
    if len(board) == 4:
        kernels.find_expected(TABLE, RANK_KEYS, dealt, found)
        return found
    kernels.read_expected(isomorphism_table(), _flops(), dealt, np.empty(4, np.int64), found)
    return found


@lru_cache(maxsize=256)
def holding_order(board: tuple[int, ...]) -> HoldingOrder:
    """The holdings in order of expected rank; before the flop in order of equity against a random holding."""
    return HoldingOrder(expected_ranks_on(board) if board else income_rates(2))


@cache
def _flops() -> Eighths:
    """The table from the file in the cache folder, which is built if need be; loaded once."""
    return load_expected_ranks()


def build_expected_ranks(path: Path | None = None, watch: Watch | None = None, who: Workforce = None) -> Path:
    """Compute the table and write the file: to `path`, or where Railbird looks for it."""
    return write_tables(path or cache_folder() / FILE_NAME, _WHAT, VERSION, _computed(watch, who))


def load_expected_ranks(path: Path | None = None, watch: Watch | None = None) -> Eighths:
    """The table in a file, which is built first if it is missing, damaged or of another version.

    By class of flop and holding on its representative: the expected rank in eighths. Where the file cannot be written
    the table is kept in memory.
    """
    tables = cached_tables(path or cache_folder() / FILE_NAME, _WHAT, VERSION, _AGAIN, lambda: _computed(watch))
    return tables["flops"]


def read_expected_ranks(path: Path) -> Eighths:
    """The table in a file, mapped into memory and read-only; refuses one that is damaged or of another version."""
    return map_tables(path, _WHAT, VERSION, _AGAIN)["flops"]


def _computed(watch: Watch | None, who: Workforce = None) -> Tables:
    """The content of the file."""
    flops = np.empty((_FLOPS, HOLDING_COUNT), np.uint16)
    parts = [range(start, min(start + _ROWS_AT_ONCE, _FLOPS)) for start in range(0, _FLOPS, _ROWS_AT_ONCE)]

    def put(part: range, found: Eighths) -> None:
        flops[part.start : part.stop] = found

    tables = {"flops": flops}
    fill(tables, f"{_WHAT} {VERSION}", _tabulator, parts, put, who, watch)
    return tables


def _tabulator() -> Callable[[range], Eighths]:
    """The function from some classes of flops to their rows of the table."""

    def tabulate(part: range) -> Eighths:
        rows = np.empty((len(part), HOLDING_COUNT), np.uint16)
        kernels.tabulate(TABLE, RANK_KEYS, isomorphism_table(), part.start, rows)
        return rows

    return tabulate
