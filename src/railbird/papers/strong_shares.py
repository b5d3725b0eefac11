"""How many holdings count as strong when actions are re-weighted by, in play (Papp 1998, section 7.2.3).

Thresholds are shares of all holdings, and holdings are ranked by EHS': the thesis says that those above 0.80 are "more
than 20% of all hands (due to the inclusion of PPOT)". EHS' is against somebody. Against the field of a player's
opponents, as weighted by what they have done, few holdings are strong; against all holdings alike, a fifth and more.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import numpy as np

from railbird.game.record import HandRecord
from railbird.game.spec import STREETS, limit_holdem
from railbird.judging import Finding, exceeds, together
from railbird.modeling.table_model import Ranking, TableModel
from railbird.papers.study import findings_part
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec
from railbird.progress import Watch
from railbird.results.figures import Figure
from railbird.results.parts import Part, Table
from railbird.statistics import Estimate

STRONG, LEAST_SHARE = 0.80, 0.20
READINGS: Mapping[Ranking, str] = {
    "uniform": "ranked against all holdings alike",
    "field": "ranked against the field",
}
CLAIM = "share of holdings with EHS' above 0.80"
"""What is judged, in either reading."""

_Shares = dict[tuple[Ranking, int], list[float]]


@dataclass(frozen=True)
class StrongShares:
    """The share of strong holdings by ranking and street; the mean of a hand's re-weightings is a sample."""

    by_hand: Mapping[tuple[Ranking, int], tuple[float, ...]]
    reweightings: int

    @cached_property
    def shares(self) -> dict[tuple[Ranking, int], Estimate]:
        """By ranking and street; street 0 stands for all together."""
        return {key: Estimate.of(np.array(samples)) for key, samples in self.by_hand.items() if samples}

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        found = [
            replace(exceeds(CLAIM, self._share(ranking), LEAST_SHARE, "more than 0.20"), reading=reading)
            for ranking, reading in READINGS.items()
        ]
        return together(found)

    def _share(self, ranking: Ranking) -> Estimate:
        """The share on all streets; one of no samples where nothing was re-weighted."""
        return self.shares.get((ranking, 0), Estimate(math.nan, math.nan, 0))

    def parts(self) -> list[Part]:
        rows = [
            (reading, *(self._cell(ranking, street) for street in (1, 2, 3))) for ranking, reading in READINGS.items()
        ]
        header = (f"{self.reweightings:,} re-weightings", *STREETS[1:])
        return [Table(rows, header), findings_part(self.findings)]

    def _cell(self, ranking: Ranking, street: int) -> str:
        share = self.shares.get((ranking, street))
        return f"{share.mean:.3f}" if share else ""

    def figures(self) -> dict[str, Figure]:
        return {}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each ranking and street."""
        return [
            {"ranking": ranking, "street": STREETS[street] if street else "all", **share.to_json()}
            for (ranking, street), share in self.shares.items()
        ]

    def to_json(self) -> dict[str, Any]:
        claims = [finding.to_json() for finding in self.findings]
        return {"reweightings": self.reweightings, "shares": self.rows(), "claims": claims}


def strong_shares(seats: Sequence[str], hands: int, seed: int, watch: Watch | None = None) -> StrongShares:
    """The shares in as many hands of these players; `watch` is told after each how many there were."""
    by_hand: defaultdict[tuple[Ranking, int], list[float]] = defaultdict(list)
    spec = MatchSpec(limit_holdem(len(seats)), tuple(seats), hands, seed)
    count = 0
    for number, hand in enumerate(played_hands(spec), 1):
        shares: _Shares = defaultdict(list)
        for ranking, street, share in _reweighted_shares(hand.record):
            shares[ranking, street].append(share)
            shares[ranking, 0].append(share)
        count += len(shares["uniform", 0])
        for key, samples in shares.items():
            if samples:
                by_hand[key].append(float(np.mean(samples)))
        if watch:
            watch(number, hands)
    return StrongShares({key: tuple(samples) for key, samples in sorted(by_hand.items())}, count)


def _reweighted_shares(record: HandRecord) -> Iterator[tuple[Ranking, int, float]]:
    """Ranking, street and share at each re-weighting of a hand after the flop, as spectators do it."""
    models: dict[Ranking, TableModel] = {ranking: TableModel(ranking=ranking) for ranking in get_args(Ranking)}
    for model in models.values():
        model.begin(record.names)
    for node, action in record.steps():
        board = record.board_on(node.street)
        for ranking, model in models.items():
            values = model.values(node.live, node.to_act, board) if node.street else None
            before = model.reweightings
            model.observe(node, board, action)
            if values is not None and model.reweightings > before:
                yield ranking, node.street, float(np.mean(values[~np.isnan(values)] > STRONG))
