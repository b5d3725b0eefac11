"""Card abstraction: which holdings a strategy treats alike on a board.

Before the flop all 169 classes of holdings are kept apart. On flop and turn a holding falls into one of any number of
buckets, by one of five methods:

    ehs        percentiles of E[HS], the expected hand strength over all cards to come
    ehs2       percentiles of E[HS^2], which favours hands that may become very strong
    histogram  k-means on the distribution of hand strength after the next card, compared by cumulative counts
               (after Johanson, Burch, Valenzano and Bowling 2013)
    ochs       the same, and on the river k-means on hand strength against eight groups of opponents' holdings
               (opponent-cluster hand strength, likewise; `railbird.kernels.solve.river_clusters`)
    potential  percentiles of hand strength as it is now, and the last bucket for the holdings that are behind with the
               best chance to pull ahead (PPOT): few buckets, as the first pseudo-optimal players had them

Otherwise, on the river, hand strength against all holdings makes even slices, and hand strength against the better
holdings (those with at least 55% before the flop) cuts each slice into parts of equal size. Buckets forget the streets
before: recall is imperfect. With 1,286,792 buckets the flop is lossless: every class is a bucket of its own.

What defines an abstraction is small (`Abstraction.definition`: cluster centres and limits) and travels with a strategy.
The buckets of all 1,286,792 flop and 13,960,050 turn classes follow from it, the same on every machine: a minute of
work on all cores, done once and kept as one file of 30 MB in the user's cache folder, named after the definition. River
buckets are computed from the board and need no table.

For the strategy that ships nobody waits that minute. Its tables ship too: classes that lie side by side are alike, so
they pack into 4 MB, and a quarter of a second unpacks them into the cache folder. Working buckets out board by board as
hands are played would need no table, but compiles the sweeps over all holdings, which takes seconds, and a match that
is played inside a kernel reads any of them in nanoseconds. Unpacking in every process would need no file, but that is
30 MB for each worker instead of one mapping for all. `railbird build buckets` computes what ships.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import cache, cached_property, partial
from hashlib import blake2b
from importlib.resources import files
from math import sqrt
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.cache import cache_folder
from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import RailbirdError, did_you_mean
from railbird.files import cached_tables
from railbird.filling import fill
from railbird.kernels.cards.isomorphism import CLASS_COUNTS, class_sizes, holding_board_index, isomorphism_table
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.solve import buckets as kernels
from railbird.kernels.solve import river_clusters as clusters
from railbird.kernels.solve.nearest_centres import assign_points, sum_points
from railbird.kernels.solve.river_clusters import GROUPS
from railbird.progress import PATIENCE_SECONDS, Watch, live_bar, within
from railbird.randomness import Stream
from railbird.solve.holding_features import (
    BOARD_CARDS,
    BOARD_CLASSES,
    better_classes,
    board_classes,
    board_parts,
    class_features,
    group_strengths,
    histograms,
    moments,
    opponent_groups,
    river_features,
    strength_and_potential,
)
from railbird.workforce import Workforce

Array = NDArray[np.float64]
Buckets = NDArray[np.unsignedinteger[Any]]
"""Of 16 bits, unless the flop is lossless."""
Floats = NDArray[np.float32]
Kind = TypeVar("Kind", bound=np.generic)

METHODS = ("histogram", "ochs", "ehs", "ehs2", "potential")
BY_HISTOGRAM = ("histogram", "ochs")
"""Methods whose flops and turns are clusters of histograms."""
MOST_BUCKETS = 65_000
VERSION = 1
_FLOPS, _TURNS = CLASS_COUNTS[1:3]
_FEATURES = {"ehs": moments, "ehs2": moments, "potential": strength_and_potential}
_EVEN = (kernels.SCALE + 1) // 2
"""Below it, a holding is behind more often than ahead."""
_SAMPLES = {1: 2_000, 2: 6_000}  # boards sampled for clustering
_POINTS_A_BUCKET = 60  # deals sampled for each bucket
_MOST_OF_BOARD = 200  # of which no board gives more than this
_ROUNDS = 20
_RIVER_SAMPLES = 1_500


class Abstraction:
    """The buckets of all holdings on all boards. Make one with `Abstraction.fit`, or from a definition.

    >>> abstraction = Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 10]), "river": np.empty((10, 0))})
    >>> abstraction.counts, abstraction.slices
    ((169, 1, 1, 10), (10, 1))
    """

    def __init__(self, definition: Mapping[str, str | NDArray[np.generic]]) -> None:
        self.method = str(definition["method"])
        self.counts: tuple[int, ...] = tuple(int(count) for count in np.asarray(definition["counts"]))
        self._flop = np.asarray(definition.get("flop", _NOTHING), np.uint16)
        self._turn = np.asarray(definition.get("turn", _NOTHING), np.uint16)
        river, groups = np.asarray(definition["river"]), definition.get("groups", np.zeros(CLASS_COUNTS[0], np.uint8))
        self.is_clustered = self.method == "ochs"
        """Whether river buckets are clusters."""
        self._limits = np.ascontiguousarray(np.empty((0, 0)) if self.is_clustered else river.astype(np.float64))
        self._centres = np.ascontiguousarray(river if self.is_clustered else np.empty((0, GROUPS)), np.float32)
        self._groups = np.asarray(groups, np.uint8)
        self._tables: tuple[Buckets, Buckets] | None = None

    @classmethod
    def fit(
        cls, counts: tuple[int, ...], method: str = "histogram", seed: int = 0, watch: Watch | None = None
    ) -> Abstraction:
        """An abstraction with these numbers of buckets by street, of which the first is 169.

        Clustering looks at sampled deals, percentiles at the moments of all flops and turns; either takes a minute.
        """
        check_counts(counts)
        if method not in METHODS:
            raise RailbirdError(f"no method {method!r}{did_you_mean(method, METHODS)} (all: {', '.join(METHODS)})")
        definition: dict[str, str | NDArray[np.generic]] = {
            "method": method,
            "counts": np.array(counts, np.int64),
        }
        if method == "ochs":
            groups = opponent_groups(seed)
            definition |= {"groups": groups, "river": river_centres(counts[3], groups, seed)}
        else:
            definition["river"] = _river_limits(counts[3], seed)
        for street, name in ((1, "flop"), (2, "turn")):
            if method in BY_HISTOGRAM:
                definition[name] = _centres(street, counts[street], seed, watch)
            else:
                definition[name] = _limits(street, counts[street], method, watch)
        return cls(definition)

    @property
    def definition(self) -> dict[str, str | NDArray[np.generic]]:
        """What the abstraction can be made from again."""
        found: dict[str, str | NDArray[np.generic]] = {
            "method": self.method,
            "counts": np.array(self.counts, np.int64),
            "flop": self._flop,
            "turn": self._turn,
            "river": self._limits,
        }
        if self.is_clustered:
            found |= {"river": self._centres.astype(np.uint16), "groups": self._groups}
        return found

    @property
    def slices(self) -> tuple[int, int]:
        """The river's slices of hand strength, and parts of each."""
        return len(self._limits), self._limits.shape[1] + 1

    @cached_property
    def digest(self) -> str:
        """A short name that differs from that of any other definition of flop and turn buckets."""
        method = "histogram" if self.method in BY_HISTOGRAM else self.method
        parts = [f"{VERSION} {method} {self.counts[1:3]}".encode(), self._flop.tobytes(), self._turn.tobytes()]
        return blake2b(b"\0".join(parts), digest_size=8).hexdigest()

    @property
    def is_lossless(self) -> bool:
        """Whether every class of holdings on the flop is a bucket of its own."""
        return self.counts[1] == _FLOPS

    def room(self) -> Buckets:
        """Room for the buckets of all holdings on a board, as `fill` takes it."""
        return np.empty(HOLDING_COUNT, np.uint32 if self.is_lossless else np.uint16)

    def board_buckets(self, board: NDArray[np.uint8]) -> Buckets:
        """The bucket of every holding on 0, 3, 4 or 5 board cards; 0 for those that share a card with it."""
        found = self.room()
        self.fill(board, len(board), found)
        return found

    def bucket(self, hole_cards: tuple[int, int], board: tuple[int, ...]) -> int:
        """The bucket of one holding on 0, 3, 4 or 5 board cards, as in `board_buckets`, without the other holdings'."""
        cards = len(board)
        if cards == 0:
            return int(_preflop()[holding_index(*hole_cards)])
        if cards == 5:
            river = np.array(board, np.uint8)
            if self.is_clustered:
                groups, centres, sums = self.river_clusters
                return int(clusters.clustered_bucket(TABLE, CARD_KEYS, groups, centres, sums, *hole_cards, river))
            return int(
                kernels.one_river_bucket(
                    TABLE, CARD_KEYS, RANK_KEYS, better_classes(), self._limits, *hole_cards, river
                )
            )
        index = holding_board_index(isomorphism_table(), *hole_cards, np.array(board, np.int64), cards)
        return int(self.tables[cards - 3][index])

    def fill(self, board: NDArray[np.uint8], cards: int, found: Buckets) -> None:
        """The same for the first `cards` of a board, into `found`."""
        if cards == 0:
            found[:] = _preflop()
        elif cards == 5 and self.is_clustered:
            groups, centres, sums = self.river_clusters
            order, count, points = group_strengths(board, groups)
            clusters.clustered_buckets(order, count, points, centres, sums, found)
        elif cards == 5:
            kernels.river_buckets(*river_features(board), self._limits, found)
        else:
            kernels.read_buckets(isomorphism_table(), self.by_class[cards - 3], board[:cards], found)

    def buckets(self, street: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """By board (one a row) and holding: the bucket."""
        found = np.empty((len(boards), HOLDING_COUNT), np.int32)
        one = self.room()
        for row, board in enumerate(np.ascontiguousarray(boards, np.uint8)):
            self.fill(board, BOARD_CARDS[street], one)
            found[row] = one
        return found

    @property
    def river_limits(self) -> NDArray[np.float64]:
        """By slice of hand strength: the limits of its parts."""
        return self._limits

    @cached_property
    def river_clusters(self) -> tuple[NDArray[np.uint8], Floats, Floats]:
        """Of a river of clusters: the group of each holding, the centres, and the sums of their entries."""
        return (
            read_only(self._groups[_preflop()]),
            read_only(self._centres),
            read_only(self._centres.sum(axis=1, dtype=np.float32)),
        )

    @property
    def tables(self) -> tuple[Buckets, Buckets]:
        """Buckets by class of holding and board, on flop and turn: read from the cache, or computed first."""
        if self._tables is None:
            self.build()
        assert self._tables is not None
        return self._tables

    @cached_property
    def by_class(self) -> tuple[Buckets, Buckets]:
        """The same tables as kernels take them: read-only, wherever they come from."""
        return read_only(self.tables[0]), read_only(self.tables[1])

    @cached_property
    def arrays(self) -> kernels.Buckets:
        """What kernels find the bucket of a holding by."""
        fixed = (isomorphism_table(), better_classes(), self.by_class, self._limits)
        return kernels.Buckets(*fixed, *self.river_clusters)

    def build(self, watch: Watch | None = None) -> None:
        """Have the tables ready: read from the cache folder, or unpacked or computed and written there.

        Without a `watch` a bar says how far it is.
        """
        if self._tables is not None:
            return
        if self.counts[1] == self.counts[2] == 1:
            self._tables = np.zeros(_FLOPS, np.uint16), np.zeros(_TURNS, np.uint16)
            return
        if self.is_lossless and self.counts[2] == 1:
            self._tables = self._flop_table(_NOTHING), np.zeros(_TURNS, np.uint16)
            return
        path = cache_folder() / f"buckets-{self.digest}.bin"
        found = cached_tables(
            path, "buckets", VERSION, "railbird solve", lambda: self.shipped() or self._computed_in_sight(watch)
        )
        self._tables = self._flop_table(found["flops"]), found["turns"]

    def _flop_table(self, clustered: Buckets) -> Buckets:
        """The buckets of flops by class, which are those of the clusters, or of a lossless flop the classes."""
        return np.arange(_FLOPS, dtype=np.uint32) if self.is_lossless else clustered

    def _computed_in_sight(self, watch: Watch | None) -> dict[str, Buckets]:
        with nullcontext(watch) if watch else live_bar("buckets", "boards", PATIENCE_SECONDS) as told:
            return self.computed(told)

    @property
    def packed_name(self) -> str:
        """The name of the file that holds the tables packed."""
        return f"buckets-{self.digest}.xz"

    def packed(self, watch: Watch | None = None, who: Workforce = None) -> bytes:
        """The tables, computed anew, as they ship."""
        found = self.computed(watch, who)
        content = b"".join(found[name].astype("<u2").tobytes() for name in ("flops", "turns"))
        return lzma.compress(content, preset=9 | lzma.PRESET_EXTREME)

    def shipped(self) -> dict[str, Buckets] | None:
        """The tables that ship, if they are this abstraction's."""
        file = files("railbird.solve") / "data" / self.packed_name
        if not file.is_file():
            return None
        both = np.frombuffer(lzma.decompress(file.read_bytes()), "<u2").astype(np.uint16, copy=False)
        return {"flops": both[:_FLOPS], "turns": both[_FLOPS:]}

    def computed(self, watch: Watch | None = None, who: Workforce = None) -> dict[str, Buckets]:
        """The tables, computed anew whatever is kept or ships."""
        found = {"flops": np.zeros(_FLOPS, np.uint16), "turns": np.zeros(_TURNS, np.uint16)}
        streets = [street for street in (2, 1) if 1 < self.counts[street] < _FLOPS]  # most of the work first
        total, before = sum(BOARD_CLASSES[street] for street in streets), 0
        for street in streets:
            told = within(watch, before, total)
            before += BOARD_CLASSES[street]
            name, definition = (("flops", self._flop), ("turns", self._turn))[street - 1]
            if self.method in BY_HISTOGRAM:
                _assign_all(street, definition.astype(np.float32), found[name], told, who)
            else:
                features = class_features(street, _FEATURES[self.method], told, who)
                found[name][:] = _placed(self.method, definition, features)
        return found


def read_only(array: NDArray[Kind]) -> NDArray[Kind]:
    """The array without leave to write, so that a kernel is not compiled again for one that happens to have it."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def check_counts(counts: tuple[int, ...]) -> None:
    """Refuse numbers of buckets that cannot be."""
    text = "/".join(map(str, counts))
    if len(counts) != 4:
        raise RailbirdError(f"{text} buckets; there are four streets, as in 169/200/200/200")
    if counts[0] != CLASS_COUNTS[0]:
        raise RailbirdError(f"{counts[0]} buckets before the flop in {text}; all 169 classes are kept there")
    if not all(1 <= count <= MOST_BUCKETS or (street, count) == (1, _FLOPS) for street, count in enumerate(counts)):
        raise RailbirdError(f"{text} buckets; a street has 1 to {MOST_BUCKETS:,}, or the flop all {_FLOPS:,} classes")


_NOTHING = np.empty(0, np.uint16)


@cache
def _preflop() -> Buckets:
    pairs = (holding_cards(holding) for holding in range(HOLDING_COUNT))
    board = np.empty(0, np.int64)
    return np.array([holding_board_index(isomorphism_table(), *pair, board, 0) for pair in pairs], np.uint16)


def _assign_all(street: int, centres: Floats, buckets: Buckets, watch: Watch | None, who: Workforce = None) -> None:
    """Fill the buckets of a street, by class of holding and board, with the nearest centres."""

    def put(_part: range, found: tuple[NDArray[np.int64], Buckets]) -> None:
        classes, some = found
        buckets[classes] = some

    what = f"buckets {street} {blake2b(centres.data).hexdigest()}"
    make = partial(_assigner, street, centres, len(buckets))
    fill({"buckets": buckets}, what, make, board_parts(street, BOARD_CLASSES[street]), put, who, watch)


def _assigner(street: int, centres: Floats, count: int) -> Callable[[range], tuple[NDArray[np.int64], Buckets]]:
    """The function from some boards of a street to the classes of holdings on them, and their buckets."""
    sums, buckets = centres.sum(axis=1), np.zeros(count, np.uint16)

    def assign(numbers: range) -> tuple[NDArray[np.int64], Buckets]:
        seen = []
        for indices, board in board_classes(street, numbers):
            kernels.assign_holdings(indices, histograms(board), centres, sums, buckets)
            seen.append(indices[indices >= 0])
        classes = np.unique(np.concatenate(seen))
        return classes, buckets[classes]

    return assign


def _deals(street: int, boards: int, per_board: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Random boards, and for each some of the holdings that share no card with it."""
    generator = Stream(seed, street).numpy()
    decks = generator.permuted(np.tile(np.arange(CARD_COUNT, dtype=np.uint8), (boards, 1)), axis=1)
    dealt = np.ascontiguousarray(decks[:, : BOARD_CARDS[street]])
    pairs = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])
    holdings = [
        generator.choice(np.flatnonzero(~np.isin(pairs, board).any(axis=1)), per_board, replace=False)
        for board in dealt
    ]
    return dealt, np.array(holdings)


def _centres(street: int, count: int, seed: int, watch: Watch | None) -> NDArray[np.uint16]:
    """Cluster centres by k-means (Lloyd 1982) on sampled deals, in rising order of their sums.

    They begin evenly spread over the sampled points in order of their sums. A centre that loses all its points moves to
    the point that is farthest from its own.
    """
    if count in (1, _FLOPS):
        return _NOTHING
    per_board = min(max(_POINTS_A_BUCKET * count // _SAMPLES[street], 20), _MOST_OF_BOARD)
    boards, holdings = _deals(street, _SAMPLES[street], per_board, seed)
    sampled = np.empty((len(boards), per_board, kernels.ENTRIES), np.float32)
    for at, (board, some) in enumerate(zip(boards, holdings)):
        sampled[at] = histograms(board).reshape(-1, kernels.ENTRIES)[some]
        if watch:
            watch(at + 1, len(boards))
    found = _lloyd(sampled.reshape(-1, kernels.ENTRIES), count, kernels.FINE)
    return found.astype(np.uint16)


def _lloyd(points: Floats, count: int, fine: int) -> Floats:
    """The centres of so many clusters of points, in rising order of their sums and in 1 / `fine`, rounded."""
    flat = points.ravel()
    order = np.argsort(points.sum(axis=1), kind="stable")
    centres = fine * points[order[np.linspace(0, len(points) - 1, count).astype(np.int64)]]
    chosen = np.full(len(points), -1)
    weights, totals = np.empty(count), np.empty((count, points.shape[1]))
    for _ in range(_ROUNDS):
        rising = np.argsort(centres.sum(axis=1), kind="stable")
        centres = centres[rising]
        if chosen[0] >= 0:  # where a point was is a good guess of where it goes
            chosen = np.argsort(rising)[chosen]
        assign_points(centres, centres.sum(axis=1), flat, (fine,) * points.shape[1], chosen)
        sum_points(flat, chosen, weights, totals)
        empty = np.flatnonzero(weights == 0)
        if len(empty):
            far = np.argsort(-np.square(fine * points - centres[chosen]).sum(axis=1), kind="stable")
            totals[empty], weights[empty] = points[far[: len(empty)]], 1.0
        centres = np.rint(fine * totals / weights[:, None]).astype(np.float32)
    return centres[np.argsort(centres.sum(axis=1), kind="stable")]


def _limits(street: int, count: int, method: str, watch: Watch | None) -> NDArray[np.uint16]:
    """The limits between buckets of equally many deals; of `potential` those of strength, then that of potential."""
    if count in (1, _FLOPS):
        return _NOTHING
    first, second = class_features(street, _FEATURES[method], watch)
    sizes = np.empty(CLASS_COUNTS[street], np.int64)
    class_sizes(isomorphism_table(), True, BOARD_CARDS[street], sizes)
    if method != "potential":
        return _quantiles(second if method == "ehs2" else first, sizes, np.arange(1, count) / count)
    behind = first < _EVEN
    share = min(sizes.sum() / count / sizes[behind].sum(), 1.0)
    limit = _quantiles(second[behind], sizes[behind], np.array([1 - share]))
    others = ~(behind & (second >= limit[0]))
    return np.concatenate([_quantiles(first[others], sizes[others], np.arange(1, count - 1) / (count - 1)), limit])


def _quantiles(values: Buckets, sizes: NDArray[np.int64], shares: Array) -> NDArray[np.uint16]:
    """The values below which lie these shares of all deals, where a class has so many."""
    by_value = np.bincount(values, weights=sizes, minlength=kernels.SCALE + 1)
    below = np.cumsum(by_value) / by_value.sum()
    return np.searchsorted(below, shares).astype(np.uint16) + np.uint16(1)


def _placed(method: str, limits: NDArray[np.uint16], features: tuple[Buckets, Buckets]) -> NDArray[np.int64]:
    """The buckets of holdings with these features."""
    first, second = features
    if method != "potential":
        return np.searchsorted(limits, second if method == "ehs2" else first, side="right")
    found = np.searchsorted(limits[:-1], first, side="right")
    found[(first < _EVEN) & (second >= limits[-1])] = len(limits)
    return found


def river_centres(count: int, groups: NDArray[np.uint8], seed: int) -> NDArray[np.uint16]:
    """The centres of river buckets by k-means on sampled deals."""
    per_board = min(max(_POINTS_A_BUCKET * count // _RIVER_SAMPLES, 20), _MOST_OF_BOARD)
    boards, holdings = _deals(3, max(_RIVER_SAMPLES, _POINTS_A_BUCKET * count // per_board), per_board, seed)
    by_holding = groups[_preflop()]
    points = [group_strengths(board, by_holding)[2].reshape(-1, GROUPS)[some] for board, some in zip(boards, holdings)]
    return _lloyd(np.concatenate(points), count, 1).astype(np.uint16)


def _river_limits(count: int, seed: int) -> NDArray[np.float64]:
    """By slice of hand strength, the limits between its parts: the quantiles of sampled deals."""
    parts = min((n for n in range(1, count + 1) if count % n == 0), key=lambda n: abs(n - sqrt(count) / 3.5))
    slices = count // parts
    if parts == 1:
        return np.empty((slices, 0))
    boards, _ = _deals(3, _RIVER_SAMPLES, 1, seed)
    strengths, others = np.empty((2, len(boards), HOLDING_COUNT))
    for at, board in enumerate(boards):
        strengths[at], others[at] = river_features(board)
    live = ~np.isnan(strengths)
    slice_of = np.minimum((strengths[live] * slices).astype(np.int64), slices - 1)
    limits = np.empty((slices, parts - 1))
    for at in range(slices):
        inside = others[live][slice_of == at]
        limits[at] = np.quantile(inside, np.arange(1, parts) / parts) if len(inside) else 0.5
    return limits
