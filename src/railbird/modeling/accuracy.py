"""How good are models of players? Their predictions of holdings and of actions, held against what happened.

The hands of a log are shown to a model in order, as a spectator without cards sees them. Before each action the model
gives the probabilities of fold, call and raise; for each holding shown at the end its weight array, normalised over the
holdings that miss the board, gives the holding's probability as of the end of every street. A prediction costs the
logarithm of one over the probability it gave to what happened: the log-loss, here in bits. To know nothing of a holding
costs log2(1081) = 10.08 bits on the river; a bit less means that the model gave the truth twice the probability.

Hands are dealt once and may have been played by several tables (duplicate); estimates treat a deal, with all that
happened in it at all tables, as one sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import log2
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import InvalidGameError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.modeling.contexts import bets_to_call
from railbird.modeling.frequencies import KINDS, ActionFrequencies, Frequencies
from railbird.modeling.reweighting import Weights
from railbird.modeling.table_model import legal_frequencies
from railbird.odds.effective import possible_holdings
from railbird.odds.ranks import ranks
from railbird.progress import Watch
from railbird.statistics import Estimate

RIVER = 3


class Model(Protocol):
    """What can be measured: anything that watches hands and predicts."""

    def begin(self, names: Sequence[str]) -> None: ...

    def predicted_action(self, node: Betting) -> Frequencies: ...

    def observe(self, node: Betting, board: tuple[int, ...], action: Action) -> None: ...

    def weights(self) -> tuple[Weights, ...]: ...

    def observe_showdown(self, shown: dict[int, tuple[int, ...]]) -> None: ...


class Uniform:
    """The baseline that knows nothing of the cards. For actions it counts what everybody does in a context."""

    def __init__(self) -> None:
        self._everybody = ActionFrequencies()
        self._arrays: tuple[Weights, ...] = ()

    def begin(self, names: Sequence[str]) -> None:
        self._arrays = (np.ones(HOLDING_COUNT),) * len(names)

    def predicted_action(self, node: Betting) -> Frequencies:
        return legal_frequencies(node, self._everybody.frequencies(node.street, bets_to_call(node)))

    def observe(self, node: Betting, board: tuple[int, ...], action: Action) -> None:
        self._everybody.count(node.street, bets_to_call(node), KINDS[action.kind])

    def weights(self) -> tuple[Weights, ...]:
        return self._arrays

    def observe_showdown(self, shown: dict[int, tuple[int, ...]]) -> None:
        """Cards are not learned from."""


# One row for each holding shown and each street: the deal; how far the log was, from 0 to 1, when the hand began; the
# player, by number; the street that had ended when the holding was predicted; the cost; and the percentile, the model's
# probability of weaker holdings and half of that of equal ones, by rank on the whole board. Where the model is
# right, percentiles are spread evenly from 0 to 1.
SHOWN = np.dtype(
    [("deal", "i8"), ("seen", "f8"), ("player", "i4"), ("street", "i4"), ("bits", "f8"), ("percentile", "f8")]
)
# One row for each action, with the probabilities that were given to fold, call and raise, and which it was.
TAKEN = np.dtype(
    [
        ("deal", "i8"),
        ("seen", "f8"),
        ("player", "i4"),
        ("street", "i4"),
        ("bits", "f8"),
        ("predicted", "f8", (3,)),
        ("taken", "i4"),
    ]
)
Rows = NDArray[Any]


@dataclass(frozen=True)
class Bin:
    """Predictions of about the same probability, and how often what they predicted came true."""

    predicted: float
    observed: float
    count: int


@dataclass(frozen=True, eq=False)
class Accuracy:
    """The predictions of one model for one log. Ask for part of it with `only`."""

    model: str
    players: tuple[str, ...]
    holdings: Rows
    """Rows of `SHOWN`."""
    actions: Rows
    """Rows of `TAKEN`."""

    def only(
        self, street: int | None = None, player: str | None = None, since: float = 0.0, until: float = math.inf
    ) -> Accuracy:
        """What concerns a street, a player, or a part of the log, as in since=0.75 for its last quarter."""

        def wanted(rows: Rows) -> Rows:
            keep = (since <= rows["seen"]) & (rows["seen"] < until)
            if street is not None:
                keep &= rows["street"] == street
            if player is not None:
                keep &= rows["player"] == (self.players.index(player) if player in self.players else -1)
            kept: Rows = rows[keep]
            return kept

        return replace(self, holdings=wanted(self.holdings), actions=wanted(self.actions))

    def at_showdown(self) -> Rows:
        """The holdings as predicted when all betting was over."""
        rows: Rows = self.holdings[self.holdings["street"] == RIVER]
        return rows

    def holding_bits(self, street: int = RIVER) -> Estimate:
        """Log-loss of the holdings shown, as predicted when `street` had ended."""
        rows = self.holdings[self.holdings["street"] == street]
        return clustered(rows["deal"], rows["bits"])

    def action_bits(self) -> Estimate:
        """Log-loss of the actions."""
        return clustered(self.actions["deal"], self.actions["bits"])

    def holding_gain(self, baseline: Accuracy, street: int = RIVER) -> Estimate:
        """By how many bits the holdings are predicted better than by `baseline`; both must be about the same log."""
        chosen = self.holdings["street"] == street
        rows = self.holdings[chosen]
        return clustered(rows["deal"], baseline.holdings[chosen]["bits"] - rows["bits"])

    def action_gain(self, baseline: Accuracy) -> Estimate:
        """By how many bits the actions are predicted better than by `baseline`."""
        return clustered(self.actions["deal"], baseline.actions["bits"] - self.actions["bits"])

    def mean_percentile(self) -> Estimate:
        """0.5 where the holdings shown are as strong as predicted, more where they are stronger."""
        rows = self.at_showdown()
        return clustered(rows["deal"], rows["percentile"])

    def percentile_histogram(self, bins: int = 10) -> tuple[float, ...]:
        """The shares of shown holdings by percentile; all are 1/bins where the model is right."""
        found = self.at_showdown()["percentile"]
        counts, _ = np.histogram(found, bins=bins, range=(0.0, 1.0))
        return tuple((counts / max(1, len(found))).tolist())

    def calibration(self, bins: int = 10) -> tuple[Bin, ...]:
        """The probabilities given to all legal actions, in bins of equal width, with how often each was taken."""
        predicted = self.actions["predicted"].reshape(-1, 3)
        taken = np.arange(3) == self.actions["taken"][:, None]
        legal = predicted > 0
        given, true = predicted[legal], taken[legal].astype(np.float64)
        place = np.minimum(bins - 1, (given * bins).astype(np.int64))
        counts = np.bincount(place, minlength=bins)
        sums, hits = np.bincount(place, given, bins), np.bincount(place, true, bins)
        return tuple(Bin(float(p / n), float(o / n), int(n)) for p, o, n in zip(sums, hits, counts) if n)

    def calibration_error(self, bins: int = 10) -> float:
        """The mean difference between predicted and observed over the bins, by how often each was used."""
        found = self.calibration(bins)
        total = sum(each.count for each in found)
        return sum(abs(each.predicted - each.observed) * each.count for each in found) / total if total else 0.0


def measured(
    model: Callable[[], Model],
    logs: Sequence[Iterable[HandRecord]],
    hands: int,
    name: str = "",
    watch: Watch | None = None,
) -> Accuracy:
    """The predictions of a model for the logs of a match of `hands` deals, one log for each seating in duplicate.

    Each log gets a new model from `model`, which sees its hands in order and nothing of the other logs. `watch` is told
    how many hands are done, and of how many.
    """
    players: dict[str, int] = {}
    holdings, actions = [np.empty(0, SHOWN)], [np.empty(0, TAKEN)]
    done = 0
    for log in logs:
        watching = model()
        shown: list[tuple[object, ...]] = []
        taken: list[tuple[object, ...]] = []
        for index, record in enumerate(log):
            numbers = [players.setdefault(player, len(players)) for player in record.names]
            _watch_hand(watching, record, numbers, index / hands, shown, taken)
            done += 1
            if watch:
                watch(done, hands * len(logs))
        holdings.append(np.array(shown, SHOWN))
        actions.append(np.array(taken, TAKEN))
    return Accuracy(name, tuple(players), np.concatenate(holdings), np.concatenate(actions))


def _watch_hand(
    model: Model,
    record: HandRecord,
    players: Sequence[int],
    seen: float,
    shown: list[tuple[object, ...]],
    taken: list[tuple[object, ...]],
) -> None:
    """Show a hand to a model and keep what it predicted, as rows of `SHOWN` and `TAKEN`."""
    if not record.game.is_holdem:
        raise InvalidGameError(f"hand {record.number}: models of holdings are for hold'em, not {record.game.name!r}")
    model.begin(record.names)
    arrays: list[tuple[Weights, ...]] = []
    final = Betting.start(record.game)
    for node, action in record.steps():
        while len(arrays) < node.street:
            arrays.append(model.weights())
        predicted, kind = model.predicted_action(node), KINDS[action.kind]
        bits = -log2(predicted[kind])
        taken.append((record.number, seen, players[node.to_act], node.street, bits, predicted, kind))
        model.observe(node, record.board_on(node.street), action)
        final = node.after(action)
    if not final.is_showdown:
        return
    while len(arrays) <= RIVER:
        arrays.append(model.weights())
    holes = {position: record.holes[position] for position in final.live if record.holes[position]}
    order = _ranks_on(record.board)
    for position, hole in holes.items():
        holding = holding_index(*hole)
        for street in range(RIVER + 1):
            weights = arrays[street][position]
            bits = -log2(weights[holding] / (weights * possible_holdings(record.board_on(street))).sum())
            percentile = _percentile(weights * possible_holdings(record.board), order, holding)
            shown.append((record.number, seen, players[position], street, bits, percentile))
    model.observe_showdown(holes)


def _ranks_on(board: tuple[int, ...]) -> NDArray[np.int64]:
    """The ranks of all holdings on a board of five cards, 0 for those that meet it."""
    live = np.flatnonzero(possible_holdings(board))
    hands = np.concatenate([_holding_table()[live], np.tile(np.array(board, np.uint8), (len(live), 1))], axis=1)
    found = np.zeros(HOLDING_COUNT, np.int64)
    found[live] = ranks(hands)
    return found


@cache
def _holding_table() -> NDArray[np.uint8]:
    return np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)], np.uint8)


def _percentile(weights: Weights, order: NDArray[np.int64], holding: int) -> float:
    """The share of weight on holdings ordered below `holding`, and half of that on those level with it."""
    mine, total = order[holding], weights.sum()
    return float((weights[order < mine].sum() + weights[order == mine].sum() / 2) / total)


def clustered(deals: NDArray[np.int64], values: NDArray[np.float64]) -> Estimate:
    """The mean of values, those of one deal counting as one sample: a ratio estimate with its linearised deviation.

    >>> estimate = clustered(np.array([1, 1, 2, 2]), np.array([1.0, 3.0, 5.0, 7.0]))
    >>> estimate.mean, estimate.count
    (4.0, 2)
    """
    if not len(values):
        return Estimate(math.nan, math.nan, 0)
    _, cluster = np.unique(deals, return_inverse=True)
    sums, sizes = np.bincount(cluster, values), np.bincount(cluster)
    mean = float(values.mean())
    residuals = (sums - mean * sizes) / sizes.mean()
    return Estimate(mean, float(residuals.std(ddof=1)) if len(sums) > 1 else math.nan, len(sums))
