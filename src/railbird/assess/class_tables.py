"""What DIVAT's baseline makes of every holding on every board: its classes, F, C and M1 to M4, as tables.

For the standard thresholds with both fold rules the tables of flop, turn and river ship, a megabyte together. Others
are computed on first use, in seconds, and kept in the cache folder.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import permutations
from math import ceil, floor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import CLASSES
from railbird.assess.hand_ranks import OPPONENTS, RUNOUTS, preflop_ranks
from railbird.assess.packed_tables import Bytes, cached_file, is_there, keep, packed, read_or_computed, shipped_file
from railbird.assess.settings import Rollout, Settings
from railbird.cache import cache_folder
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import AssessmentError
from railbird.files import write_whole
from railbird.filling import fill
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.divat import codes
from railbird.kernels.divat.boards import (
    CLASS_MASK,
    START_MASK,
    all_boards,
    boards_of_rows,
    flop_number,
    holding_number,
    moved_card,
    place,
)
from railbird.kernels.divat.two_holdings import class_at
from railbird.progress import Watch, within
from railbird.workforce import Workforce

SHIPPED = "the tables of these settings ship with Railbird; with --out they are computed anew"
STREETS = ("preflop", "flop", "turn", "river")
Part = TypeVar("Part")
Result = TypeVar("Result")
Kind = TypeVar("Kind", bound="ClassTables")
Numbers = NDArray[np.int64]
Codes = tuple[Bytes, Bytes, Bytes]
_KEPT = 2  # settings whose tables stay in memory
_BLOCKS = (0, 25, 250, 1_000)  # boards by street, less than a tenth of a second


@dataclass(frozen=True)
class ClassTables:
    """The classes of all holdings for one setting. The arrays are read-only."""

    settings: Settings
    preflop_classes: Numbers
    """By holding, 0-5 for F, C, M1-M4."""
    codes: Codes
    """The codes of flop, turn and river; see `railbird.kernels.divat.boards`."""

    def class_name(self, hole_cards: Sequence[int], board: Sequence[int], bets_in: int) -> str:
        """F, C or M1 to M4, where each player has put in `bets_in` small bets before the street.

        >>> from railbird.assess.settings import STANDARD
        >>> from railbird.cards import parse_cards
        >>> class_tables(STANDARD).class_name(parse_cards("Jd5d"), parse_cards("Td5hTh"), 1)
        'M2'
        """
        if not board:
            return CLASSES[self.preflop_classes[holding_index(*hole_cards)]]
        packed_flop = int(all_boards().flops[flop_number.py_func(*sorted(board[:3]))])
        first, second, *later = [moved_card.py_func(packed_flop, card) for card in (*hole_cards, *board[3:])]
        row = board_rows(len(board) - 2, packed_flop & CLASS_MASK, *later)
        code = int(self.codes[len(board) - 3][place.py_func(int(row), first, second)])
        return CLASSES[class_at.py_func(code, bets_in)]

    def board_codes(self, boards: NDArray[np.integer]) -> NDArray[np.uint8]:
        """By board (a line each, of three cards or more) and holding: the code; anything for holdings that share a
        card with the board."""
        cards = boards.astype(np.int64)
        packed_flops = packed_flops_of(cards)
        later = [moved_card.py_func(packed_flops, cards[:, at]) for at in range(3, cards.shape[1])]
        rows = board_rows(cards.shape[1] - 2, packed_flops & CLASS_MASK, *later).astype(np.int64)[:, None]
        first, second = (moved_card.py_func(packed_flops[:, None], each) for each in _holdings())
        return np.asarray(self.codes[cards.shape[1] - 3][place.py_func(rows, first, second)])


@lru_cache(maxsize=1)
def _holdings() -> tuple[Numbers, Numbers]:
    """The two cards of all holdings."""
    first, second = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)]).T
    return first, second


def packed_flops_of(boards: Numbers) -> Numbers:
    """The packed class of each board's flop; see `railbird.kernels.divat.boards`."""
    found: Numbers = all_boards().flops[flop_number.py_func(*np.sort(boards[:, :3], axis=1).T)]
    return found


def board_rows(street: int, flop: Any, turn: Any = None, river: Any = None) -> Any:
    """Where the codes of a board lie, for the class of its flop and later cards as the representative names them.
    Takes numbers or arrays."""
    boards = all_boards()
    if street == 1:
        return boards.flop_rows[flop]
    return boards.turns[flop, turn] if street == 2 else boards.rivers[flop, holding_number.py_func(turn, river)]


def kept(loaded: dict[Settings, Kind], settings: Settings, load: Callable[[], Kind]) -> Kind:
    """What is loaded for a setting, or what `load` loads; of the last few settings it stays in memory."""
    if settings not in loaded:
        while len(loaded) >= _KEPT:
            loaded.pop(next(iter(loaded)))
        loaded[settings] = load()
    return loaded[settings]


_loaded: dict[Settings, ClassTables] = {}


def class_tables(settings: Settings, watch: Watch | None = None) -> ClassTables:
    """The classes for a setting, loaded or computed; `watch` follows the work."""

    def load() -> ClassTables:
        ranks, (rows, _, holdings) = preflop_ranks(), preflop_index()
        by_row = np.array([CLASSES.index(ranks[holding].class_name(1, settings)) for holding in holdings])
        return ClassTables(settings, by_row[rows], all_codes(settings, watch=watch))

    return kept(_loaded, settings, load)


def street_name(settings: Settings, street: int, rank: Rollout = "ehr") -> str:
    """The name of a street's codes, which depend on its thresholds alone. On the river all hand ranks are the same."""
    key = zlib.crc32(repr((settings.bets[street], settings.fold_offsets[street], settings.fold)).encode())
    return f"{STREETS[street]}{'7' if rank == '7chr' and street < 3 else ''}-{key:08x}"


def all_codes(settings: Settings, rank: Rollout = "ehr", watch: Watch | None = None) -> Codes:
    """The codes of flop, turn and river by the effective or the seven-card hand rank, read or computed."""
    missing = [street for street in (1, 2, 3) if not is_there(street_name(settings, street, rank))]
    found, before, boards = [], 0, sum(len(boards_of_rows(street)[0]) for street in missing)
    for street in (1, 2, 3):
        told = within(watch, before, boards) if missing else watch
        found.append(_street_codes(settings, street, rank, told))
        before += len(boards_of_rows(street)[0]) if street in missing else 0
    return found[0], found[1], found[2]


def _street_codes(settings: Settings, street: int, rank: Rollout, watch: Watch | None) -> Bytes:
    return read_or_computed(
        street_name(settings, street, rank),
        f"codes of the {STREETS[street]}",
        all_boards().sizes[street - 1],
        lambda: computed_codes(settings, street, rank, watch),
    )


def needs_of(settings: Settings, street: int, rank: Rollout = "ehr") -> codes.Needs:
    """The thresholds of a street as the kernels compare them; see `railbird.kernels.divat.codes`."""
    now, later = 2 * OPPONENTS[street], 2 * 990 * RUNOUTS[street]
    is_mixed = street == 1 and rank == "ehr"
    mixed = 2 * later if is_mixed else later
    bets = settings.bets[street]
    folds = [settings.fold_threshold(street, bets_in) for bets_in in range(1, codes.MOST_BETS_IN + 1)]
    effective = [ceil(mixed * bets[0]), *[ceil(mixed * max(threshold, Fraction(0))) for threshold in folds]]
    current, final = ([*[ceil(whole * t) for t in bets], floor(whole * bets[0]) + 1] for whole in (now, later))
    if rank == "7chr":
        current = [codes.NEVER] * len(current)
    share = codes.FLOP_RUNOUT_OPPONENTS if is_mixed else 0
    return codes.Needs(np.array(current), np.array(final), np.array(effective), share)


def computed_codes(
    settings: Settings, street: int, rank: Rollout = "ehr", watch: Watch | None = None, who: Workforce = None
) -> Bytes:
    """The codes of a street; see `railbird.kernels.divat.codes`."""
    total = len(boards_of_rows(street)[0])
    parts = [range(start, min(start + _BLOCKS[street], total)) for start in range(0, total, _BLOCKS[street])]
    tables = {"codes": np.full(all_boards().sizes[street - 1], codes.BLOCKED, np.uint8)}

    def put(_part: range, found: tuple[int, Bytes]) -> None:
        start, some = found
        tables["codes"][start : start + len(some)] = some

    what = f"DIVAT {street_name(settings, street, rank)}"
    fill(tables, what, partial(_tabulator, settings, street, rank), parts, put, who, watch)
    return tables["codes"]


def _tabulator(settings: Settings, street: int, rank: Rollout) -> Callable[[range], tuple[int, Bytes]]:
    """The function from some boards of a street to where their codes begin, and the codes."""
    needs, (rows, boards) = needs_of(settings, street, rank), boards_of_rows(street)
    found = np.full(all_boards().sizes[street - 1], codes.BLOCKED, np.uint8)
    starts = np.append(rows & START_MASK, len(found))  # rows are in order, each of its own length

    def tabulate(part: range) -> tuple[int, Bytes]:
        some = slice(part.start, part.stop)
        codes.tabulate_codes(TABLE, RANK_KEYS, boards[some], rows[some], needs, found)
        return int(starts[part.start]), found[starts[part.start] : starts[part.stop]]

    return tabulate


def build_streets(
    settings: Settings, folder: Path | None = None, watch: Watch | None = None, who: Workforce = None
) -> Path:
    """Compute the tables anew, seconds of work: into the cache those that do not ship, or packed as they ship into
    `folder`."""
    ranks: tuple[Rollout, ...] = ("ehr", settings.rollout)
    wanted = {street_name(settings, street, rank): (street, rank) for rank in ranks for street in (1, 2, 3)}
    names = [name for name in wanted if folder or not shipped_file(name).is_file()]
    if not names:
        raise AssessmentError(SHIPPED)
    for name in names:
        content = computed_codes(settings, *wanted[name], watch, who)
        if folder:
            write_whole(folder / f"{name}.xz", packed(content, tightly=True))
        else:
            keep(cached_file(name), packed(content))
    _loaded.clear()
    return folder or cache_folder()


@lru_cache(maxsize=1)
def preflop_index() -> tuple[Numbers, Numbers, Numbers]:
    """By holding the number of its class and the way to the representative, and the representatives.

    Classes are numbered suited ones first, then by the higher card, then by the lower one.
    """
    suited = [(4 * high, 4 * low) for high in range(13) for low in range(high)]
    others = [(4 * high, 4 * low + 1) for high in range(13) for low in range(high + 1)]
    holdings = [holding_index(*cards) for cards in (*suited, *others)]
    row_of = {holding: row for row, holding in enumerate(holdings)}
    rows, suits = np.empty(HOLDING_COUNT, np.int64), np.empty(HOLDING_COUNT, np.int64)
    for holding in range(HOLDING_COUNT):
        first, second = holding_cards(holding)
        for moved in permutations(range(4)):
            named = holding_index(first & ~3 | moved[first & 3], second & ~3 | moved[second & 3])
            if named in row_of:
                rows[holding] = row_of[named]
                suits[holding] = sum(suit << 2 * i for i, suit in enumerate(moved))
                break
    return rows, suits, np.array(holdings)
