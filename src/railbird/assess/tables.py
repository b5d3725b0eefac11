"""The tables behind DIVAT: codes of all holdings on all boards, and rollout equity before the flop.

For the standard settings with both fold rules they ship, packed to 3 MB each. For others they are computed on first
use and kept in the cache folder, 4 MB for each setting: the codes of each street in seconds, the rollout before the
flop in minutes.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import ceil, floor
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import Outcomes, baseline_outcomes
from railbird.assess.hand_ranks import OPPONENTS, RUNOUTS, preflop_ranks
from railbird.assess.packed_tables import Bytes, cached_file, is_there, keep, packed, read_or_computed, shipped_file
from railbird.assess.settings import Settings
from railbird.cache import cache_folder
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import AssessmentError
from railbird.files import write_whole
from railbird.game.spec import limit_holdem
from railbird.kernels.cards.isomorphism import CLASS_COUNTS, isomorphism_table
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.divat import codes, two_holdings
from railbird.kernels.divat import preflop as divat_preflop
from railbird.kernels.divat.boards import all_boards, boards_of_rows
from railbird.progress import Watch, within

PREFLOP_SEQUELS = 34_246_080
"""Flops, turns and rivers for two known holdings: C(48, 3) x 45 x 44."""
MOST_PREFLOP = 4
"""The table before the flop knows pots of up to this many small bets from each player."""
Part = TypeVar("Part")
Result = TypeVar("Result")
_STREETS = ("preflop", "flop", "turn", "river")
_BLOCKS = (0, 25, 250, 1_000)  # boards by street, less than a tenth of a second
_KEPT = 2  # settings whose tables stay in memory
_FOURS = CLASS_COUNTS[6]
_SHIPPED = "the tables of these settings ship with Railbird; with --out they are computed anew"
_PREFLOP_SHAPE = (169, HOLDING_COUNT, divat_preflop.COLUMNS)


@dataclass(frozen=True)
class DivatTables:
    """Everything the kernels read for one setting. The arrays are read-only."""

    settings: Settings
    preflop_classes: NDArray[np.int64]
    """By holding, 0-5 for F, C, M1-M4."""
    preflop_rows: NDArray[np.int64]
    """By holding, the row of its class in `preflop`."""
    preflop_suits: NDArray[np.int64]
    """By holding, its way to the class's representative: two bits for each suit's new suit."""
    preflop_holdings: NDArray[np.int64]
    """By row, the representative of the class."""
    preflop: NDArray[np.int32]
    """[169, 1326, 5] sums over all boards: rollout with 1-4 small bets in from each player, then wins minus losses."""
    codes: tuple[Bytes, Bytes, Bytes]
    """The codes of flop, turn and river; see `railbird.kernels.divat.boards`."""
    large_pots: dict[tuple[int, int, int], float] = field(default_factory=dict, compare=False, repr=False)
    """Rollout equities of pots that `preflop` does not have, as far as somebody asked: row, holding, small bets in."""

    def baseline(self, outcomes: Outcomes) -> two_holdings.Baseline:
        """What kernels take to play the baseline on any board of a game."""
        return _baseline(self.codes, outcomes)


def _baseline(by_street: Sequence[Bytes], outcomes: Outcomes) -> two_holdings.Baseline:
    boards = all_boards()
    rows = (boards.flops, boards.flop_rows, boards.turns, boards.rivers)
    return two_holdings.Baseline._make((TABLE, CARD_KEYS, *rows, *by_street, outcomes.later))


_loaded: dict[Settings, DivatTables] = {}


def divat_tables(settings: Settings, watch: Watch | None = None) -> DivatTables:
    """The tables for a setting, loaded or computed; `watch` follows each part of the work."""
    if settings not in _loaded:
        while len(_loaded) >= _KEPT:
            _loaded.pop(next(iter(_loaded)))
        _loaded[settings] = _read_or_computed(settings, watch)
    return _loaded[settings]


def _read_or_computed(settings: Settings, watch: Watch | None) -> DivatTables:
    flop, turn, river = _all_codes(settings, watch)
    preflop = _preflop_table(settings, (flop, turn, river), watch)
    classes, ranks = ("F", "C", "M1", "M2", "M3", "M4"), preflop_ranks()
    rows, suits, holdings = _preflop_index()
    by_row = np.array([classes.index(ranks[holding].class_name(1, settings)) for holding in holdings])
    return DivatTables(settings, by_row[rows], rows, suits, holdings, preflop, (flop, turn, river))


def _street_name(settings: Settings, street: int) -> str:
    """The codes of a street depend on its thresholds alone."""
    key = zlib.crc32(repr((settings.bets[street], settings.fold_offsets[street], settings.fold)).encode())
    return f"{_STREETS[street]}-{key:08x}"


def _preflop_name(settings: Settings) -> str:
    """The rollout before the flop depends on the thresholds of all later streets."""
    later = (settings.bets[1:], settings.fold_offsets[1:], settings.fold)
    return f"preflop-{zlib.crc32(repr(later).encode()):08x}"


def _all_codes(settings: Settings, watch: Watch | None) -> list[Bytes]:
    """The codes of flop, turn and river, read or computed."""
    missing = [street for street in (1, 2, 3) if not is_there(_street_name(settings, street))]
    found, before, boards = [], 0, sum(len(boards_of_rows(street)[0]) for street in missing)
    for street in (1, 2, 3):
        told = within(watch, before, boards) if missing else watch
        found.append(_street_codes(settings, street, told))
        before += len(boards_of_rows(street)[0]) if street in missing else 0
    return found


def _street_codes(settings: Settings, street: int, watch: Watch | None) -> Bytes:
    return read_or_computed(
        _street_name(settings, street),
        f"codes of the {_STREETS[street]}",
        all_boards().sizes[street - 1],
        lambda: computed_codes(settings, street, watch),
    )


def _needs(settings: Settings, street: int) -> codes.Needs:
    """The thresholds of a street as the kernels compare them; see `railbird.kernels.divat.codes`."""
    now, later = 2 * OPPONENTS[street], 2 * 990 * RUNOUTS[street]
    mixed = 4 * OPPONENTS[1] * 990 if street == 1 else later
    bets = settings.bets[street]
    folds = [settings.fold_threshold(street, bets_in) for bets_in in range(1, codes.MOST_BETS_IN + 1)]
    effective = [ceil(mixed * bets[0]), *[ceil(mixed * max(threshold, Fraction(0))) for threshold in folds]]
    needs = [[*[ceil(whole * t) for t in bets], floor(whole * bets[0]) + 1] for whole in (now, later)]
    return codes.Needs(np.array(needs[0]), np.array(needs[1]), np.array(effective))


def computed_codes(settings: Settings, street: int, watch: Watch | None = None) -> Bytes:
    """The codes of a street; see `railbird.kernels.divat.codes`."""
    needs, (rows, boards) = _needs(settings, street), boards_of_rows(street)
    found, block = np.full(all_boards().sizes[street - 1], codes.BLOCKED, np.uint8), _BLOCKS[street]

    def tabulate(start: int) -> None:
        part = slice(start, start + block)
        codes.tabulate_codes(TABLE, RANK_KEYS, boards[part], rows[part], needs, found)

    def told(done: int, _total: int, _detail: str = "", /) -> None:
        if watch:
            watch(min(done * block, len(boards)), len(boards))

    _in_threads(tabulate, range(0, len(boards), block), told)
    return found


def _preflop_table(settings: Settings, by_street: Sequence[Bytes], watch: Watch | None) -> NDArray[np.int32]:
    """The rollout before the flop, read or computed."""
    planes = read_or_computed(
        _preflop_name(settings),
        "rollouts before the flop",
        4 * int(np.prod(_PREFLOP_SHAPE)),
        lambda: _planes(rolled_out_preflop(by_street, watch)),
    )
    return np.ascontiguousarray(planes.reshape(4, -1).T).view(np.int32).reshape(_PREFLOP_SHAPE)


def _planes(sums: NDArray[np.int32]) -> Bytes:
    """The bytes of sums, those of equal weight together, which packs better."""
    return sums.reshape(-1, 1).view(np.uint8).T


def build_preflop(settings: Settings, path: Path | None = None, watch: Watch | None = None) -> Path:
    """Compute the rollout before the flop anew, minutes of work: into the cache, or packed as it ships to `path`."""
    name = _preflop_name(settings)
    if path is None and _is_shipped(name):
        raise AssessmentError(_SHIPPED)
    target = path or cached_file(name)
    target.parent.mkdir(parents=True, exist_ok=True)  # refused now, not after minutes of work
    if target.is_dir():
        raise AssessmentError(f"{str(target)!r} is a folder; name a file")
    sums = _planes(rolled_out_preflop(_all_codes(settings, watch), watch))
    _loaded.clear()
    return keep(target, packed(sums)) if path is None else write_whole(path, packed(sums, tightly=True))


def build_streets(settings: Settings, folder: Path | None = None, watch: Watch | None = None) -> Path:
    """Compute the other tables anew, seconds of work: into the cache those that do not ship, or packed as they ship
    into `folder`."""
    streets = [street for street in (1, 2, 3) if folder or not _is_shipped(_street_name(settings, street))]
    if not streets:
        raise AssessmentError(_SHIPPED)
    for street in streets:
        name, content = _street_name(settings, street), computed_codes(settings, street, watch)
        if folder:
            write_whole(folder / f"{name}.xz", packed(content, tightly=True))
        else:
            keep(cached_file(name), packed(content))
    _loaded.clear()
    return folder or cache_folder()


def _is_shipped(name: str) -> bool:
    return shipped_file(name).is_file()


def rolled_out_preflop(by_street: Sequence[Bytes], watch: Watch | None = None) -> NDArray[np.int32]:
    """The rollout equities of all pairs of holdings before the flop, as sums over `PREFLOP_SEQUELS`."""
    baseline = _baseline(by_street, baseline_outcomes(limit_holdem()))
    sums = np.zeros((HOLDING_COUNT, HOLDING_COUNT, divat_preflop.COLUMNS), np.int32)
    workers = os.cpu_count() or 1
    step = 4  # less than a tenth of a second, so that it can be stopped
    for start in range(0, _FOURS, step):
        if watch:
            watch(start, _FOURS)

        def roll_out(worker: int, start: int = start) -> bool:
            stop = min(start + step, _FOURS)
            share = (start, stop, worker, workers)
            return bool(divat_preflop.roll_out_boards(baseline, isomorphism_table(), *share, sums))

        # The workers share the first holdings out, so no two of them add to the same cell. (They are not on the same
        # board at a time, so whatever shares out must not depend on the board.)
        if any(_in_threads(roll_out, range(workers))):
            raise AssessmentError(
                "with these settings a hand that folds the river can beat one that bets it; "
                "the rollout before the flop cannot be computed"
            )
    if watch:
        watch(_FOURS, _FOURS)
    _, _, holdings = _preflop_index()
    representatives = np.array([holding_cards(holding) for holding in holdings])
    table = np.empty(_PREFLOP_SHAPE, np.int64)
    divat_preflop.gather_pairs(sums, np.array(list(permutations(range(4)))), representatives, table)
    return table.astype(np.int32)


@lru_cache(maxsize=1)
def _preflop_index() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
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


def _in_threads(work: Callable[[Part], Result], parts: Sequence[Part], watch: Watch | None = None) -> list[Result]:
    results = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for result in pool.map(work, parts):
            results.append(result)
            if watch:
                watch(len(results), len(parts))
    return results
