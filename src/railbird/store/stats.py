"""Statistics of players from the counts of a store, as trackers define them: see docs/stats.md.

All that takes long is one pass of polars over the columns that are needed, part by part, in little memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.errors import MatchError, did_you_mean
from railbird.game.place_names import PLACES
from railbird.game.spec import STREETS
from railbird.statistics import Estimate
from railbird.store.seat_counts import COUNTS
from railbird.store.store_reader import HandStore, refusing_damage

GROUPS: dict[str, pl.Expr] = {
    "player": pl.col("player"),
    "position": pl.col("place"),
    "stakes": pl.col("stakes"),
    "players": pl.col("players").cast(pl.String),
    "year": pl.col("day").str.slice(0, 4),
    "month": pl.col("day").str.slice(0, 7),
    "day": pl.col("day"),
    "source": pl.col("source"),
}
"""What hands can be told apart by."""
SHARES = {
    "vpip": ("vpip", "had_a_turn"),
    "pfr": ("pfr", "had_a_turn"),
    "three_bet": ("three_bets", "three_bet_chances"),
    **{f"fold_{street}": (f"folded_{street}", f"faced_{street}") for street in STREETS},
    "went_to_showdown": ("showdown_after_flop", "saw_flop"),
    "won_at_showdown": ("won_showdown", "showdown"),
}
"""Shares of occasions, each with the counts it is made of."""
AMOUNTS = {"won": "won_sb", "before_rake": "fair_sb", "by_all_in": "expected_sb", "all_in_luck": ""}
"""Amounts a hand, each with its column; luck is what was won before rake less what all-in hands give on average."""
_LEG = r"(^|[/\\])hands-\d\d+\.log$"


@dataclass(frozen=True)
class StatsRow:
    """The statistics of some seats."""

    key: tuple[str, ...]
    """What they have in common, one for each of the groups asked for."""
    hands: int
    counts: dict[str, int]
    amounts: dict[str, Estimate]
    """Small bets a hand, in games without a limit big blinds."""

    def share(self, name: str) -> float:
        """One of `SHARES`, from 0 to 1; nan where there was no occasion."""
        part, whole = (self.counts[each] for each in SHARES[name])
        return part / whole if whole else math.nan

    @property
    def aggression(self) -> float:
        """The aggression factor: bets and raises by calls, after the flop."""
        bets, calls = self.counts["bets"], self.counts["calls"]
        return bets / calls if calls else math.inf if bets else math.nan

    @property
    def aggression_frequency(self) -> float:
        """Bets and raises as a share of bets, raises, calls and folds, after the flop."""
        bets = self.counts["bets"]
        whole = bets + self.counts["calls"] + self.counts["folds"]
        return bets / whole if whole else math.nan

    def to_json(self) -> dict[str, Any]:
        """Shares and amounts by name; what there is not is null."""
        numbers = {name: self.share(name) for name in SHARES}
        numbers |= {"aggression": self.aggression, "aggression_frequency": self.aggression_frequency}
        return {
            "hands": self.hands,
            **{name: number if math.isfinite(number) else None for name, number in numbers.items()},
            **{name: estimate.to_json() for name, estimate in self.amounts.items()},
            "counts": self.counts,
        }


def stats_rows(store: HandStore, by: Sequence[str], player: str | None = None) -> list[StatsRow]:
    """The statistics of a store's seats by one or several of `GROUPS`, in order: players by their hands, places as they
    sit, all else by name."""
    for name in by:
        if name not in GROUPS:
            raise MatchError(f"cannot go by {name!r}{did_you_mean(name, GROUPS)} (known: {', '.join(GROUPS)})")
    keys = [GROUPS[name].alias(f"by_{name}") for name in by]
    seats = store.scan("seats")
    if player is not None:
        seats = seats.filter(pl.col("player") == player)
    with refusing_damage(store.folder):
        found = seats.group_by(keys).agg(pl.len().alias("hands"), *_sums()).collect(engine="streaming")
    if not len(found):
        raise MatchError(_nothing_found(store, player))
    rows = [_row(found_row, by) for found_row in found.iter_rows(named=True)]
    return sorted(rows, key=lambda row: _order(row, by))


def has_shared_deals(store: HandStore) -> bool:
    """Whether there are hands of a match in which deals were played in several seatings: it has a log for each."""
    with refusing_damage(store.folder):
        legs = store.scan("hands").select(pl.col("file").str.contains(_LEG).any()).collect(engine="streaming")
    return bool(legs.item())


def running_money(store: HandStore, player: str) -> NDArray[np.float64]:
    """[n, 3] what a player won in each hand, in order: after rake, before it, and by all-in equity."""
    seats = store.scan("seats").filter(pl.col("player") == player)
    with refusing_damage(store.folder):
        found = seats.select("won_sb", "fair_sb", "expected_sb").collect(engine="streaming")
    return found.to_numpy()


def _sums() -> list[pl.Expr]:
    counted = [pl.col(name).cast(pl.Int64).sum() for name in COUNTS]
    after_flop = (pl.col("showdown") * pl.col("saw_flop")).cast(pl.Int64).sum().alias("showdown_after_flop")
    amounts = {name: pl.col(column) for name, column in AMOUNTS.items() if column}
    amounts["all_in_luck"] = pl.col("fair_sb") - pl.col("expected_sb")
    sums = [amount.sum().alias(f"{name}_sum") for name, amount in amounts.items()]
    squares = [(amount * amount).sum().alias(f"{name}_squares") for name, amount in amounts.items()]
    return [*counted, after_flop, *sums, *squares]


def _row(found: dict[str, Any], by: Sequence[str]) -> StatsRow:
    hands = found["hands"]
    amounts = {name: _estimate(hands, found[f"{name}_sum"], found[f"{name}_squares"]) for name in AMOUNTS}
    counts = {name: found[name] for name in (*COUNTS, "showdown_after_flop")}
    return StatsRow(tuple(found[f"by_{name}"] or "" for name in by), hands, counts, amounts)


def _estimate(count: int, total: float, squares: float) -> Estimate:
    mean = total / count
    if count < 2:
        return Estimate(mean, math.nan, count)
    return Estimate(mean, math.sqrt(max(0.0, squares - count * mean * mean) / (count - 1)), count)


def _order(row: StatsRow, by: Sequence[str]) -> tuple[Any, ...]:
    found: list[Any] = []
    for name, value in zip(by, row.key):
        if name == "player":
            found += [-row.hands if len(by) == 1 else 0, value]
        elif name == "position":
            found.append(PLACES.index(value) if value in PLACES else len(PLACES))
        else:
            found.append(value.rjust(2) if name == "players" else value)
    return tuple(found)


def _nothing_found(store: HandStore, player: str | None) -> str:
    if player is None:
        return f"no hand in {str(store.folder)!r}"
    names = store.scan("seats").select(pl.col("player").unique()).collect(engine="streaming")["player"].to_list()
    known = f" ({', '.join(sorted(names)[:8])}{', ...' if len(names) > 8 else ''})"
    return f"no player {player!r}{did_you_mean(player, names)}{known}"
