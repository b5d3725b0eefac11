"""Beginning a training with a strategy: regrets that ask for it, as if some flops or boards had led there.

That is for learners who have an opponent of their own, in CFR-BR (`railbird.solve.cfr_br`, which counts flops) and with
a finer opponent (`railbird.solve.finer_opponent`, which counts boards).

Regret matching plays in proportion to regrets, so regrets in proportion to a strategy's chances play exactly that
strategy. How large they are says how soon answers move it:

    regret(row, bucket, action) = times * chance(row, bucket, action) * stake(row) * holdings(bucket)

*stake* is what a holding can lose or win at a decision: the chips that the opponent has put in, once for each holding
with which he may have come. Those are the ones that the strategy brings to the flop in his place; after it who answers
perfectly may come with all of them, or with none.

*times* is the number of flops or boards. *holdings* is how many of the learner's holdings one of them puts into a
bucket, a flop with its turns and rivers: the root of the mean square over all of them. A flop meets few of many
buckets, and then with several holdings at once; such a bucket changes seldom and by leaps, and regrets of the mean size
would be gone after one. What is learned without a beginning grows in the same way, as the root of a sum of squares, so
that one number means the same to all buckets.

Brown and Sandholm 2016 ("Strategy-based warm starting for regret minimization in games") begin with a strategy too, by
regrets of what its actions are worth. Here they follow from its chances alone, so that at first it is played exactly.

The average begins with nothing. The strategy is in it as it is played while the first flops are answered, and no
longer; what was never reached is played as regrets ask (`Training.strategy`). Where the opponent learns too, before
the flop or up to the turn, it begins with the chances that the strategy has in its place.

A strategy with other buckets is translated: a bucket plays the mean of what the strategy plays with the holdings that
fall into it, on all flops, on all turns and on some rivers.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT
from railbird.game.spec import Game
from railbird.kernels.cards.isomorphism import CLASS_COUNTS, class_sizes, isomorphism_table
from railbird.randomness import Stream
from railbird.solve.abstraction import Abstraction
from railbird.solve.bucket_files import same_buckets
from railbird.solve.cfr_br import board_weights
from railbird.solve.dealt_boards import dealt_boards
from railbird.solve.flops import FLOP_COUNT, flop_sizes, representative_flop
from railbird.solve.holding_features import BOARD_CARDS
from railbird.solve.met_holdings import holding_pairs
from railbird.solve.strategy import Strategy
from railbird.solve.train import Training, sampled_board
from railbird.solve.trunk import Trunk

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

BEGINNINGS = {"cfr-br": 30.0, "finer": 100.0}
"""As how many flops or boards a strategy counts that is begun with; docs/papers/equilibrium.md has what was tried."""
_OPPOSED = 990
"""Holdings that an opponent may have against one on five cards."""
_LEAST_REACH = 0.01
"""Where a strategy hardly ever sees the flop, an opponent may learn to."""
_SAMPLED_FLOPS = 32
_SAMPLED_RIVERS = 3_000
_SAMPLED_BOARDS = 10_000
_AT_ONCE = 500  # buckets that are translated together


def begin_with(training: Training, strategy: Strategy, name: str, times: float | None = None) -> None:
    """Let a training that has not begun yet begin with a strategy for its game.

    It counts as so many flops or boards; unless told, as many as `BEGINNINGS` has.
    """
    abstraction = training.abstraction
    times = BEGINNINGS[training.method] if times is None else times
    for street, stakes in enumerate(_stakes(training.game, strategy.table(0))):
        chances = times * _translated(strategy, abstraction, street) * stakes[:, None, None].astype(np.float32)
        rounds, buckets = training.rounds[street], abstraction.counts[street]
        in_lanes = rounds.by_lane(chances).reshape(rounds.blocks, buckets, -1)
        finer = np.empty(0)
        if training.opposed:
            holdings, finer = _met_on_boards(training, street)
        else:
            holdings = _holdings(abstraction, street)
        training.regrets[street].reshape(in_lanes.shape)[:] = in_lanes * holdings[:, None].astype(np.float32)
        if training.is_answered and street == 0:
            training.trunk[:] = chances * holdings[:, None]
        if len(finer) and (split := training.opposed[street].split):
            into, learners = training.opposed[street].others.reshape(rounds.blocks, len(finer), -1), split.learners
            for first in range(0, len(finer), _AT_ONCE):
                some = slice(first, first + _AT_ONCE)
                into[:, some] = in_lanes[:, learners[some]] * finer[some, None].astype(np.float32)
    training.begun_with = {"strategy": Path(name).name, training.unit: times}


def _stakes(game: Game, before: Floats) -> list[Array]:
    """By street and row: what a holding of the player who acts can lose or win, if both came by a play to the flop."""
    trunk = Trunk(game)
    tree, shares = trunk.tree, trunk.flops.class_sizes / HOLDING_COUNT
    play = before.astype(np.float64)
    saw = np.array([trunk.reach(play, player) @ shares for player in (0, 1)])
    found = []
    for street, decisions in enumerate(tree.decisions):
        other = 1 - tree.actor[decisions]
        rows = np.arange(len(decisions))
        if street:
            reach = saw[other, rows * saw.shape[1] // len(rows)]
        else:
            reach = np.array([trunk.paths(play, player) @ shares for player in (0, 1)])[other, rows]
        found.append(_OPPOSED * np.maximum(reach, _LEAST_REACH) * tree.committed[decisions, other])
    return found


def _holdings(abstraction: Abstraction, street: int) -> Array:
    """By bucket: how many holdings a flop puts into it, the root of the mean square; before the flop one of a class."""
    count = abstraction.counts[street]
    if street == 0:
        return np.ones(count)
    sizes = flop_sizes() / flop_sizes().sum()
    if street == 1:
        kinds, weights = np.arange(FLOP_COUNT), sizes
    else:
        kinds = Stream(0, street).numpy().choice(FLOP_COUNT, _SAMPLED_FLOPS, p=sizes)
        weights = np.full(len(kinds), 1 / len(kinds))
    squares = np.zeros(count)
    for kind, weight in zip(kinds.tolist(), weights):
        squares += weight * np.square(_on_a_flop(abstraction, street, representative_flop(kind)))
    met = squares[squares > 0]
    return np.sqrt(np.where(squares > 0, squares, met.min()))


def _met_on_boards(training: Training, street: int) -> tuple[Array, Array]:
    """By bucket, and by bucket of a finer opponent: how many holdings a board puts there, the root of the mean square.

    What is not seen on some thousands of sampled boards counts as seldom as what is seen least.
    """
    opposed, cards = training.opposed[street], BOARD_CARDS[street]
    own = np.zeros(opposed.buckets)
    others = np.zeros(opposed.split.count if opposed.split else 0)
    for number in range(_SAMPLED_BOARDS):
        board = sampled_board(0, number)
        one = training.abstraction.board_buckets(board[:cards])
        met, counts = np.unique(one[_live(board[None])[0]], return_counts=True)
        own[met] += np.square(counts)
        if len(others):
            others[opposed.finer(board[:cards], met)] += np.square(counts)
    own, others = (
        np.sqrt(np.clip(squares, squares[squares > 0].min(initial=1.0), None) / _SAMPLED_BOARDS)
        for squares in (own, others)
    )
    return own, others


def _on_a_flop(abstraction: Abstraction, street: int, flop: tuple[int, ...]) -> Array:
    """By bucket: how many holdings fall into it on a flop; on turns or rivers, each counted as it is in training."""
    if street == 1:
        boards, weights = np.array([flop], np.uint8), np.ones(1)
    else:
        dealt = dealt_boards([flop], range(24))
        boards, weights = dealt[street - 1].cards, board_weights(np.ones(1), dealt)[street].astype(np.float64)
    each = weights[:, None] * _live(boards)
    found = np.bincount(abstraction.buckets(street, boards).ravel(), each.ravel(), abstraction.counts[street])
    return np.asarray(found, np.float64)


def _live(boards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """By board and holding: whether they share no card."""
    pairs, on_board = holding_pairs(), np.zeros((len(boards), CARD_COUNT), np.bool_)
    on_board[np.arange(len(boards))[:, None], boards] = True
    return ~(on_board[:, pairs[:, 0]] | on_board[:, pairs[:, 1]])


class _Fallen(NamedTuple):
    """How many holdings fall into a bucket of ours and one of theirs, for each such pair, in order of ours."""

    ours: Ints
    theirs: Ints
    holdings: Array


def _translated(strategy: Strategy, abstraction: Abstraction, street: int) -> Floats:
    """The chances of a strategy by row, bucket of an abstraction, and action."""
    table, given = strategy.table(street), strategy.abstraction
    if street == 0 or same_buckets(abstraction, given):
        return table
    fallen = _fallen(abstraction, given, street)
    buckets = abstraction.counts[street]
    by_action = np.moveaxis(table, 2, 1).reshape(-1, table.shape[1])
    overall = np.bincount(fallen.theirs, fallen.holdings, table.shape[1])
    found = np.empty((len(table), buckets, 3), np.float32)
    for first in range(0, buckets, _AT_ONCE):
        stop = min(first + _AT_ONCE, buckets)
        some = slice(*np.searchsorted(fallen.ours, (first, stop)))
        shares = np.zeros((table.shape[1], stop - first))
        shares[fallen.theirs[some], fallen.ours[some] - first] = fallen.holdings[some]
        shares[:, shares.sum(axis=0) == 0] = overall[:, None]  # no holding was seen to fall into these
        mean = by_action @ (shares / shares.sum(axis=0)).astype(np.float32)
        found[:, first:stop] = np.moveaxis(mean.reshape(len(table), 3, -1), 1, 2)
    return found


def _fallen(ours: Abstraction, theirs: Abstraction, street: int) -> _Fallen:
    """On all flops or turns, or on some rivers."""
    width = theirs.counts[street]
    if street < 3:
        counts = np.empty(CLASS_COUNTS[street], np.int64)
        class_sizes(isomorphism_table(), True, BOARD_CARDS[street], counts)
        pairs = ours.tables[street - 1].astype(np.int64) * width + theirs.tables[street - 1]
    else:
        deck = np.tile(np.arange(CARD_COUNT, dtype=np.uint8), (_SAMPLED_RIVERS, 1))
        boards = Stream(0, street).numpy().permuted(deck, axis=1)[:, :5]
        found = ours.buckets(street, boards).astype(np.int64) * width + theirs.buckets(street, boards)
        pairs = found[_live(boards)]
        counts = np.ones(len(pairs), np.int64)
    keys, places = np.unique(pairs, return_inverse=True)
    return _Fallen(*np.divmod(keys, width), np.bincount(places, counts).astype(np.float64))
