"""The tables behind DIVAT: codes of all holdings on all boards, and rollout equity before the flop.

They are computed on first use and kept in the cache folder, a file for each street and setting: 2 MB for the flop, 22
MB for the turn, 189 MB for the river, 10 MB for the boards that follow each flop. The rollout before the flop, minutes
of work, is shipped for the standard settings with both fold rules (4.5 MB each once unpacked).
"""

from __future__ import annotations

import lzma
import os
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import permutations
from math import ceil, floor
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import Outcomes, baseline_outcomes
from railbird.assess.hand_ranks import OPPONENTS, RUNOUTS, preflop_ranks
from railbird.assess.settings import Settings
from railbird.cache import cache_folder
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import AssessmentError
from railbird.files import Tables, cached_tables, write_tables, write_whole
from railbird.game.spec import limit_holdem
from railbird.kernels.cards.isomorphism import CLASS_COUNTS, isomorphism_table, representative
from railbird.kernels.cards.ranking import CARD_KEYS, RANKING, TABLE
from railbird.kernels.divat import codes
from railbird.kernels.divat import preflop as divat_preflop
from railbird.progress import Watch

VERSION = 1
ROLLOUT_VERSION = 2  # files of version 1 may have lost updates of threads that added to the same cell
BUILD_COMMAND = "railbird build divat"
PREFLOP_SEQUELS = 34_246_080
"""Flops, turns and rivers for two known holdings: C(48, 3) x 45 x 44."""
Part = TypeVar("Part")
Result = TypeVar("Result")
_STREETS = ("preflop", "flop", "turn", "river")
_BLOCK = 500
_KEPT = 2  # settings whose tables stay mapped
_FOURS = CLASS_COUNTS[6]


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
    flop_codes: NDArray[np.uint8]
    turn_codes: NDArray[np.uint8]
    river_codes: NDArray[np.uint8]
    river_cuts: NDArray[np.uint16]
    turns: NDArray[np.uint32]
    rivers: NDArray[np.uint32]
    large_pots: dict[tuple[int, int, int], float] = field(default_factory=dict, compare=False, repr=False)
    """Rollout equities of pots that `preflop` does not have, as far as somebody asked: row, holding, small bets in."""

    def baseline(self, outcomes: Outcomes) -> codes.Baseline:
        """What kernels take to play the baseline on any board of a game."""
        by_street = codes.StreetCodes(self.flop_codes, self.turn_codes, self.river_codes)
        return codes.Baseline(RANKING, isomorphism_table(), by_street, outcomes.later)

    @property
    def futures(self) -> codes.Futures:
        """What kernels take to go from a flop to the boards that follow."""
        return codes.Futures(self.turns, self.rivers, self.river_cuts)


_loaded: dict[Settings, DivatTables] = {}


def divat_tables(settings: Settings, watch: Watch | None = None) -> DivatTables:
    """The tables for a setting, loaded or computed; `watch` follows each part of the work."""
    if settings not in _loaded:
        while len(_loaded) >= _KEPT:
            _loaded.pop(next(iter(_loaded)))
        _loaded[settings] = _read_or_computed(settings, watch)
    return _loaded[settings]


def _read_or_computed(settings: Settings, watch: Watch | None) -> DivatTables:
    futures = cached_tables(
        cache_folder() / "divat-futures.bin", "boards after each flop", VERSION, BUILD_COMMAND, _futures
    )
    by_street = [_street_tables(settings, street, watch) for street in (1, 2, 3)]
    preflop = _preflop_table(settings, by_street, watch)
    classes = ("F", "C", "M1", "M2", "M3", "M4")
    rows, suits, representatives = _preflop_index()
    return DivatTables(
        settings,
        np.array([classes.index(rank.class_name(1, settings)) for rank in preflop_ranks()]),
        rows,
        suits,
        np.array([holding_index(*cards) for cards in representatives.tolist()]),
        preflop["sums"],
        by_street[0]["codes"],
        by_street[1]["codes"],
        by_street[2]["codes"],
        by_street[2]["cuts"],
        futures["turns"],
        futures["rivers"],
    )


def is_built(settings: Settings) -> bool:
    """Whether the files for a setting are there, so that nothing has to be computed first."""
    names = [_street_file(settings, street) for street in (1, 2, 3)]
    if not _shipped(settings).is_file():
        names.append(f"divat-{_preflop_name(settings)}.bin")
    return all((cache_folder() / name).is_file() for name in ("divat-futures.bin", *names))


def _street_file(settings: Settings, street: int) -> str:
    key = zlib.crc32(repr((settings.bets[street], settings.fold_offsets[street], settings.fold)).encode())
    return f"divat-{_STREETS[street]}-{key:08x}.bin"


def _street_tables(settings: Settings, street: int, watch: Watch | None = None) -> Tables:
    """The codes of one street. They depend on its thresholds alone."""
    name = _STREETS[street]
    path = cache_folder() / _street_file(settings, street)
    return cached_tables(
        path, f"codes of the {name}", VERSION, BUILD_COMMAND, lambda: _computed_codes(settings, street, watch)
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


def _computed_codes(settings: Settings, street: int, watch: Watch | None) -> Tables:
    count = CLASS_COUNTS[4 + street]
    needs = _needs(settings, street)
    table = np.empty((count, HOLDING_COUNT), np.uint8)

    def tabulate(start: int) -> None:
        rows = table[start : start + _BLOCK]
        codes.tabulate_codes(RANKING, isomorphism_table(), street + 2, start, needs, rows)

    _in_threads(tabulate, range(0, count, _BLOCK), watch)
    if street < 3:
        return {"codes": table}
    cuts = np.empty((count, codes.CUTS, 2), np.uint16)

    def cut(start: int) -> None:
        part = slice(start, start + _BLOCK)
        codes.tabulate_cuts(TABLE, CARD_KEYS, isomorphism_table(), start, table[part], cuts[part])

    _in_threads(cut, range(0, count, _BLOCK), watch)
    return {"codes": table, "cuts": cuts}


def _futures() -> Tables:
    turns = np.zeros((CLASS_COUNTS[5], 52), np.uint32)
    rivers = np.zeros((CLASS_COUNTS[5], HOLDING_COUNT), np.uint32)
    codes.tabulate_futures(isomorphism_table(), turns, rivers)
    return {"turns": turns, "rivers": rivers}


def _preflop_table(settings: Settings, by_street: list[Tables], watch: Watch | None) -> Tables:
    """The rollout before the flop. It depends on the thresholds of all later streets."""
    name, shipped = _preflop_name(settings), _shipped(settings)
    if shipped.is_file():
        sums = np.frombuffer(lzma.decompress(shipped.read_bytes()), np.uint8)
        # Bytes of equal weight lie together, which packs better.
        whole = np.ascontiguousarray(sums.reshape(4, -1).T).view(np.int32)
        return {"sums": whole.reshape(169, HOLDING_COUNT, divat_preflop.COLUMNS)}
    return cached_tables(
        cache_folder() / f"divat-{name}.bin",
        "rollout before the flop",
        ROLLOUT_VERSION,
        BUILD_COMMAND,
        lambda: {"sums": rolled_out_preflop(by_street, watch)},
    )


def _shipped(settings: Settings) -> Traversable:
    return files("railbird.assess") / "data" / f"{_preflop_name(settings)}.xz"


def _preflop_name(settings: Settings) -> str:
    later = (settings.bets[1:], settings.fold_offsets[1:], settings.fold)
    return f"preflop-{zlib.crc32(repr(later).encode()):08x}"


def build_preflop(settings: Settings, path: Path | None = None, watch: Watch | None = None) -> Path:
    """Compute the rollout before the flop anew, minutes of work: into the cache, or packed as it ships to `path`."""
    target = path or cache_folder() / f"divat-{_preflop_name(settings)}.bin"
    target.parent.mkdir(parents=True, exist_ok=True)  # refused now, not after minutes of work
    if target.is_dir():
        raise AssessmentError(f"{str(target)!r} is a folder; name a file")
    by_street = [_street_tables(settings, street, watch) for street in (1, 2, 3)]
    sums = rolled_out_preflop(by_street, watch)
    if path is None:
        return write_tables(target, "rollout before the flop", ROLLOUT_VERSION, {"sums": sums})
    return write_whole(path, packed_preflop(sums))


def build_streets(settings: Settings, watch: Watch | None = None) -> Path:
    """Compute the other tables anew, in the cache folder; seconds of work."""
    for name in ("divat-futures.bin", *[_street_file(settings, street) for street in (1, 2, 3)]):
        (cache_folder() / name).unlink(missing_ok=True)
    _loaded.clear()
    cached_tables(cache_folder() / "divat-futures.bin", "boards after each flop", VERSION, BUILD_COMMAND, _futures)
    for street in (1, 2, 3):
        _street_tables(settings, street, watch)
    return cache_folder()


def packed_preflop(sums: NDArray[np.int32]) -> bytes:
    """The content of a shipped file of `_preflop_table`."""
    planes = sums.reshape(-1, 1).view(np.uint8).T
    return lzma.compress(planes.tobytes(), preset=9 | lzma.PRESET_EXTREME)


def rolled_out_preflop(by_street: list[Tables], watch: Watch | None = None) -> NDArray[np.int32]:
    """The rollout equities of all pairs of holdings before the flop, as sums over `PREFLOP_SEQUELS`."""
    by_board = codes.StreetCodes(*(tables["codes"] for tables in by_street))
    outcomes = baseline_outcomes(limit_holdem()).later
    baseline = codes.Baseline(RANKING, isomorphism_table(), by_board, outcomes)
    sums = np.zeros((HOLDING_COUNT, HOLDING_COUNT, divat_preflop.COLUMNS), np.int32)
    workers = os.cpu_count() or 1
    step = 64
    for start in range(0, _FOURS, step):
        if watch:
            watch(start, _FOURS)

        def roll_out(worker: int, start: int = start) -> bool:
            stop = min(start + step, _FOURS)
            return bool(divat_preflop.roll_out_boards(baseline, start, stop, worker, workers, sums))

        # The workers share the first holdings out, so no two of them add to the same cell. (They are not on the same
        # board at a time, so whatever shares out must not depend on the board.)
        if any(_in_threads(roll_out, range(workers))):
            raise AssessmentError(
                "with these settings a hand that folds the river can beat one that bets it; "
                "the rollout before the flop cannot be computed"
            )
    if watch:
        watch(_FOURS, _FOURS)
    _, _, representatives = _preflop_index()
    table = np.empty((169, HOLDING_COUNT, divat_preflop.COLUMNS), np.int64)
    divat_preflop.gather_pairs(sums, np.array(list(permutations(range(4)))), representatives, table)
    return table.astype(np.int32)


@lru_cache(maxsize=1)
def _preflop_index() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """By holding the number of its class and the way to the representative, and the representatives' cards."""
    representatives = np.empty((169, 2), np.int64)
    for row in range(169):
        representative(isomorphism_table(), True, 0, row, representatives[row])
    row_of = {tuple(sorted(cards)): row for row, cards in enumerate(representatives.tolist())}
    rows, suits = np.empty(HOLDING_COUNT, np.int64), np.empty(HOLDING_COUNT, np.int64)
    for holding in range(HOLDING_COUNT):
        for moved in permutations(range(4)):
            cards = tuple(sorted([card & ~3 | moved[card & 3] for card in holding_cards(holding)]))
            if cards in row_of:
                rows[holding] = row_of[cards]
                suits[holding] = sum(suit << 2 * i for i, suit in enumerate(moved))
                break
    return rows, suits, representatives


def _in_threads(work: Callable[[Part], Result], parts: Sequence[Part], watch: Watch | None = None) -> list[Result]:
    results = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for result in pool.map(work, parts):
            results.append(result)
            if watch:
                watch(len(results), len(parts))
    return results
