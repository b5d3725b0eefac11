"""The tables behind DIVAT: the baseline's classes, and rollout equity before the flop.

For the standard settings with both fold rules and both ranks to roll out by they ship, packed to 3 MB each. For others
they are computed on first use and kept in the cache folder, 4 MB for each setting: the classes of each street in
seconds, the rollout before the flop in minutes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import Outcomes, baseline_outcomes
from railbird.assess.class_tables import SHIPPED, ClassTables, all_codes, class_tables, kept, preflop_index
from railbird.assess.packed_tables import Bytes, cached_file, keep, packed, read_or_computed, shipped_file
from railbird.assess.settings import Settings
from railbird.cards import HOLDING_COUNT, holding_cards
from railbird.errors import AssessmentError
from railbird.files import write_whole
from railbird.filling import fill
from railbird.game.spec import limit_holdem
from railbird.kernels.cards.isomorphism import CLASS_COUNTS, isomorphism_table
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.divat import preflop as divat_preflop
from railbird.kernels.divat import two_holdings
from railbird.kernels.divat.boards import all_boards
from railbird.progress import Watch
from railbird.workforce import Workforce

PREFLOP_SEQUELS = 34_246_080
"""Flops, turns and rivers for two known holdings: C(48, 3) x 45 x 44."""
MOST_PREFLOP = 4
"""The table before the flop knows pots of up to this many small bets from each player."""
_FOURS = CLASS_COUNTS[6]
_PARTS = 128
"""In so many parts the rollout before the flop is computed, each of which has sums of its own, 35 MB of them."""
_PREFLOP_SHAPE = (169, HOLDING_COUNT, divat_preflop.COLUMNS)


@dataclass(frozen=True)
class DivatTables(ClassTables):
    """Everything the kernels read for one setting. The arrays are read-only."""

    preflop_rows: NDArray[np.int64]
    """By holding, the row of its class in `preflop`."""
    preflop_suits: NDArray[np.int64]
    """By holding, its way to the class's representative: two bits for each suit's new suit."""
    preflop_holdings: NDArray[np.int64]
    """By row, the representative of the class."""
    preflop: NDArray[np.int32]
    """[169, 1326, 5] sums over all boards: rollout with 1-4 small bets in from each player, then wins minus losses."""
    large_pots: dict[tuple[int, int, int], float] = field(default_factory=dict, compare=False, repr=False)
    """Rollout equities of pots that `preflop` does not have, as far as somebody asked: row, holding, small bets in."""

    def baseline(self, outcomes: Outcomes) -> two_holdings.Baseline:
        """What kernels take to play the baseline on any board of a game."""
        return _baseline(self.codes, outcomes)

    def preflop_baseline(self, outcomes: Outcomes) -> two_holdings.Baseline:
        """The same as pots before the flop are rolled out; see `Settings.rollout`."""
        by_rank = self.codes if self.settings.rollout == "ehr" else all_codes(self.settings, self.settings.rollout)
        return _baseline(by_rank, outcomes)


def _baseline(by_street: Sequence[Bytes], outcomes: Outcomes) -> two_holdings.Baseline:
    boards = all_boards()
    rows = (boards.flops, boards.flop_rows, boards.turns, boards.rivers)
    return two_holdings.Baseline._make((TABLE, CARD_KEYS, *rows, *by_street, outcomes.later))


_loaded: dict[Settings, DivatTables] = {}


def divat_tables(settings: Settings, watch: Watch | None = None) -> DivatTables:
    """The tables for a setting, loaded or computed; `watch` follows each part of the work."""

    def load() -> DivatTables:
        classes, preflop = class_tables(settings, watch), _preflop_table(settings, watch)
        return DivatTables(settings, classes.preflop_classes, classes.codes, *preflop_index(), preflop)

    return kept(_loaded, settings, load)


def _preflop_name(settings: Settings) -> str:
    """The rollout before the flop depends on the thresholds of all later streets, and on the rank held against them."""
    later: tuple[object, ...] = (settings.bets[1:], settings.fold_offsets[1:], settings.fold)
    if settings.rollout != "ehr":
        later += (settings.rollout,)
    return f"preflop-{zlib.crc32(repr(later).encode()):08x}"


def _preflop_table(settings: Settings, watch: Watch | None) -> NDArray[np.int32]:
    """The rollout before the flop, read or computed."""
    planes = read_or_computed(
        _preflop_name(settings),
        "rollouts before the flop",
        4 * int(np.prod(_PREFLOP_SHAPE)),
        lambda: _planes(rolled_out_preflop(all_codes(settings, settings.rollout, watch), watch)),
    )
    return np.ascontiguousarray(planes.reshape(4, -1).T).view(np.int32).reshape(_PREFLOP_SHAPE)


def _planes(sums: NDArray[np.int32]) -> Bytes:
    """The bytes of sums, those of equal weight together, which packs better."""
    return sums.reshape(-1, 1).view(np.uint8).T


def build_preflop(
    settings: Settings, path: Path | None = None, watch: Watch | None = None, who: Workforce = None
) -> Path:
    """Compute the rollout before the flop anew, minutes of work: into the cache, or packed as it ships to `path`."""
    name = _preflop_name(settings)
    if path is None and shipped_file(name).is_file():
        raise AssessmentError(SHIPPED)
    target = path or cached_file(name)
    target.parent.mkdir(parents=True, exist_ok=True)  # refused now, not after minutes of work
    if target.is_dir():
        raise AssessmentError(f"{str(target)!r} is a folder; name a file")
    sums = _planes(rolled_out_preflop(all_codes(settings, settings.rollout, watch), watch, who))
    _loaded.clear()
    return keep(target, packed(sums)) if path is None else write_whole(path, packed(sums, tightly=True))


def _roller(baseline: two_holdings.Baseline) -> Callable[[range], NDArray[np.int32] | None]:
    """The function from some classes of four board cards to the sums on them; `None` where they would be wrong."""

    def roll_out(numbers: range) -> NDArray[np.int32] | None:
        sums = np.zeros((HOLDING_COUNT, HOLDING_COUNT, divat_preflop.COLUMNS), np.int32)
        span = (numbers.start, numbers.stop, 0, 1)
        return None if divat_preflop.roll_out_boards(baseline, isomorphism_table(), *span, sums) else sums

    return roll_out


def rolled_out_preflop(
    by_street: Sequence[Bytes], watch: Watch | None = None, who: Workforce = None
) -> NDArray[np.int32]:
    """The rollout equities of all pairs of holdings before the flop, as sums over `PREFLOP_SEQUELS`."""
    baseline = _baseline(by_street, baseline_outcomes(limit_holdem()))
    sums = np.zeros((HOLDING_COUNT, HOLDING_COUNT, divat_preflop.COLUMNS), np.int32)
    parts = [range(*ends) for ends in pairwise([_FOURS * at // _PARTS for at in range(_PARTS + 1)])]

    def put(_part: range, found: NDArray[np.int32] | None) -> None:
        if found is None:
            raise AssessmentError(
                "with these settings a hand that folds the river can beat one that bets it; "
                "the rollout before the flop cannot be computed"
            )
        np.add(sums, found, out=sums)

    what = f"DIVAT before the flop {[blake2b(codes.data).hexdigest() for codes in by_street]}"
    fill({"sums": sums}, what, partial(_roller, baseline), parts, put, who, watch)
    _, _, holdings = preflop_index()
    representatives = np.array([holding_cards(holding) for holding in holdings])
    table = np.empty(_PREFLOP_SHAPE, np.int64)
    divat_preflop.gather_pairs(sums, np.array(list(permutations(range(4)))), representatives, table)
    return table.astype(np.int32)
