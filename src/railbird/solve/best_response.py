"""Exact best responses to a heads-up limit hold'em strategy, and so its exploitability.

A best response knows the strategy and plays perfectly against it with every holding. Its value is computed over the
public tree (Johanson et al. 2011, "Accelerating best response calculation in large extensive games"): board by board,
all holdings at once, with the opponent's reach as a vector. The kernel is told in
`railbird.kernels.solve.response_rounds`.

Boards that differ only by a relabelling of the suits have the same values, relabelled. So 1,755 flops stand for 22,100,
and on each the turn and river cards that the flop's own symmetries exchange are worked once.

A strategy that looks at neither its cards nor the betting of earlier streets (always-call, say) gives every round of
the same street and pot the same values, up to its chance of getting there. Those rounds are then worked once too: 16
on the river instead of 567.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import InvalidGameError, RailbirdError
from railbird.game.betting_tree import DECISION, FOLDED, BettingTree
from railbird.kernels.cards.isomorphism import (
    CLASS_COUNTS,
    all_holding_indices,
    class_sizes,
    isomorphism_table,
    representative,
)
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.lanes import LANES
from railbird.kernels.solve import response_rounds as kernels
from railbird.progress import Watch
from railbird.solve.policy import BucketPolicy, Policy
from railbird.solve.rounds import Round, rounds_of
from railbird.statistics import Estimate

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
"""Called with the number of flops done and of all flops."""

FLOP_COUNT = CLASS_COUNTS[5]
_FLOPS, _FLOPS_LEFT = comb(52, 3), comb(48, 3)
_TURNS_LEFT, _RIVERS_LEFT = 45, 44
_LIVE = comb(50, 3) / _FLOPS  # how often a flop leaves a holding its cards
_DEALS = HOLDING_COUNT * comb(50, 2)


@dataclass(frozen=True)
class ResponseValue:
    """What a best response wins from one position, or on average of both, in milli small bets per hand."""

    value: Estimate
    """Over all flops, or over the sampled ones. Sampled, it is biased upwards: the responder's play before the flop is
    fitted to the very flops it is judged by."""
    lower: Estimate
    """The same with the play before the flop fitted to one half of the sampled flops and judged by the other: biased
    downwards, since no play beats the best response. Over all flops it equals `value`."""


@dataclass(frozen=True)
class Exploitability:
    """How much a best response wins against a strategy, in milli small bets per hand."""

    as_dealer: ResponseValue
    as_big_blind: ResponseValue
    mean: ResponseValue
    """Of the two positions: the strategy's exploitability."""
    flops: int
    """How many flops were looked at; 1,755 classes are all."""
    is_exact: bool


class BestResponse:
    """The best responses to one policy, flop by flop."""

    def __init__(self, policy: Policy) -> None:
        game = policy.game
        if not game.is_holdem:
            raise InvalidGameError(f"best responses are for heads-up limit hold'em, not {game.name}")
        self.policy = policy
        self.tree = BettingTree.of(game)
        self.rounds = rounds_of(self.tree)
        self._tables = [self._street_table(street) for street in range(4)]
        self.has_tables = [table is not None for table in self._tables]
        """By street, whether the policy has a table over buckets."""
        self.is_forgetful = all(map(_is_forgetful, self._tables))
        """Whether the policy's play depends on the street's betting alone, so that rounds can share their work."""
        self.starts = [self._chosen_starts(street) for street in range(4)]
        """By street, the starts that are worked: all, or one for each pot."""
        self._by_start = [self.table(street) if has else None for street, has in enumerate(self.has_tables)]
        self._chips = [self.chips(street) for street in range(4)]
        self._places = [self.places(street) for street in range(3)]

    def table(self, street: int, lanes: int = LANES) -> Floats:
        """The policy's table of a street at the starts that are worked, by block, decision, action, bucket and lane."""
        table = self._tables[street]
        assert table is not None
        return by_start(table, self.starts[street], lanes)

    def chips(self, street: int, lanes: int = LANES) -> Floats:
        """Chips that each player has put in at the starts, by block and lane."""
        return in_blocks(self.rounds[street].committed[self.starts[street]].astype(np.float32), lanes)

    def places(self, street: int, lanes: int = LANES) -> NDArray[np.int32]:
        """By block, leaf and lane: which of the worked starts of the next street follows; -1 for lanes left over."""
        part, chosen = self.rounds[street], self.starts[street]
        place = chosen[:, None] * part.leaves + np.arange(part.leaves)
        if self.is_forgetful:
            pots = self.rounds[street + 1].committed
            place = np.searchsorted(pots[self.starts[street + 1]], pots[place])
        return in_blocks(place.T.astype(np.int32), lanes, -1)

    def flop_reach(self, position: int, lanes: int = LANES) -> Floats:
        """The chance that a responder's opponent gets to each start of the flop, by block, holding and lane."""
        starts = len(self.starts[1])
        if self.is_forgetful:
            return in_blocks(np.ones((HOLDING_COUNT, starts), np.float32), lanes)
        reach = self._preflop_columns(position)
        return in_blocks(reach[self.rounds[0].seen[position].leaf_columns].T.astype(np.float32), lanes)

    def flop_values(self, index: int) -> Array:
        """The values of every start of the flop's betting on the representative of one class of flops.

        By position of the responder, start and class of holdings before the flop (169): the average over the class of
        chips won, summed over the opponent's holdings by their reach.
        """
        flop = representative_flop(index)
        order, ends = np.empty(HOLDING_COUNT, np.int32), np.empty(HOLDING_COUNT, np.int32)
        ranks = np.empty(HOLDING_COUNT, np.int64)
        room = aligned(np.empty(kernels.ROOM, np.float32))
        no_later = np.empty(0, np.float32)
        no_starts = np.empty((0, 0, 0), np.int32)

        def sort(board: tuple[int, ...]) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
            count = kernels.sort_holdings(TABLE, CARD_KEYS, np.array(board, np.uint8), order, ends, ranks)
            return order.copy(), ends.copy(), int(count)

        def later_reach(
            position: int,
            street: int,
            table: Floats,
            buckets: NDArray[np.int32],
            live: tuple[NDArray[np.int32], NDArray[np.int32], int],
            reach: Floats,
        ) -> Floats:
            if self.is_forgetful:
                return aligned(self._blank(street + 1) + np.float32(1.0))
            passed = self._blank(street + 1)
            seen = self.rounds[street].seen[position]
            kernels.pass_reach(
                seen.leaf_paths,
                table.ravel(),
                table.shape[1],
                table.shape[3],
                buckets,
                live[0],
                live[2],
                reach.ravel(),
                self._places[street],
                room,
                passed.reshape(-1),
            )
            return passed

        def respond(
            position: int,
            street: int,
            table: Floats,
            buckets: NDArray[np.int32],
            live: tuple[NDArray[np.int32], NDArray[np.int32], int],
            reach: Floats,
            later: Floats,
        ) -> Floats:
            seen = self.rounds[street].seen[position]
            out = self._blank(street)
            kernels.respond(
                seen.stages,
                table.ravel(),
                table.shape[1],
                table.shape[3],
                buckets,
                *live,
                _cards(),
                reach.ravel(),
                self._chips[street].ravel(),
                self._places[street] if street < 3 else no_starts,
                self.is_forgetful,
                later.ravel(),
                room,
                out.reshape(-1),
            )
            return out

        flop_live = sort(flop)
        flop_table, flop_buckets = self._looked_up(1, [flop])
        flop_reach = [self.flop_reach(position) for position in (0, 1)]
        turn_reach = [later_reach(p, 1, flop_table[0], flop_buckets[0], flop_live, flop_reach[p]) for p in (0, 1)]
        turn_sums = [self._blank(2), self._blank(2)]
        symmetries = symmetries_of(flop, range(24))
        turns = orbits(flop, symmetries)
        turn_tables, turn_buckets = self._looked_up(2, [(*flop, turn) for turn, _ in turns])
        for t, (turn, turn_images) in enumerate(turns):
            board = (*flop, turn)
            turn_live = sort(board)
            river_reach = [later_reach(p, 2, turn_tables[t], turn_buckets[t], turn_live, turn_reach[p]) for p in (0, 1)]
            river_sums = [self._blank(3), self._blank(3)]
            rivers = orbits(board, symmetries_of((turn,), symmetries))
            river_tables, river_buckets = self._looked_up(3, [(*board, river) for river, _ in rivers])
            for r, (river, river_images) in enumerate(rivers):
                live = sort((*board, river))
                for p in (0, 1):
                    won = respond(p, 3, river_tables[r], river_buckets[r], live, river_reach[p], no_later)
                    for g in river_images:
                        kernels.add_relabelled(
                            won.ravel(), live[0], live[2], relabellings()[g], river_sums[p].reshape(-1)
                        )
            for p in (0, 1):
                river_sums[p] /= np.float32(_RIVERS_LEFT)
                won = respond(p, 2, turn_tables[t], turn_buckets[t], turn_live, turn_reach[p], river_sums[p])
                for g in turn_images:
                    kernels.add_relabelled(
                        won.ravel(), turn_live[0], turn_live[2], relabellings()[g], turn_sums[p].reshape(-1)
                    )
        starts = len(self.starts[1])
        found = np.zeros((2, starts, 169))
        for p in (0, 1):
            turn_sums[p] /= np.float32(_TURNS_LEFT)
            won = respond(p, 1, flop_table[0], flop_buckets[0], flop_live, flop_reach[p], turn_sums[p])
            for start in range(starts):
                found[p, start] = class_means(won[start // LANES, :, start % LANES].astype(np.float64))
        return found

    def _blank(self, street: int) -> Floats:
        """Zeros by block, holding and lane."""
        return aligned(np.zeros((len(self._chips[street]), HOLDING_COUNT, LANES), np.float32))

    def total(self, flops: Array, fitted_to: Array) -> Array:
        """The responder's winnings in milli small bets per hand on each of some flops, by position.

        `flops` are `flop_values` of flops (flop x position x start x class); the play before the flop is the best one
        for the average flop `fitted_to` (position x start x class).
        """
        scale = _FLOPS / _FLOPS_LEFT
        found = np.empty((2, len(flops)))
        for position in (0, 1):
            won = self._preflop(position, fitted_to[position] * scale, flops[:, position] * scale)
            found[position] = won @ _class_holdings() / _DEALS / self.tree.game.small_bet * 1000
        return found

    def _preflop(self, position: int, fitted: Array, judged: Array) -> Array:
        """By flop and class of holdings, chips won at the root by the play that is best on `fitted`."""
        seen = self.rounds[0].seen[position]
        reach = self._preflop_columns(position)

        pile: list[tuple[Array, Array]] = []
        for node in range(len(seen.shape) - 1, -1, -1):
            kind, own, children, leaf, column = seen.shape[node].tolist()
            if kind == FOLDED:
                chips = -seen.chips[node, 0] if own else seen.chips[node, 1]
                won = chips * class_means(_unblocked(reach[column]))
                pile.append((won, np.broadcast_to(won, (len(judged), 169))))
            elif kind != DECISION:
                scale = reach[column, 0] if self.is_forgetful else 1.0
                start = self._places[0][0, leaf, 0]
                pile.append((fitted[start] * scale, judged[:, start] * scale))
            else:
                options = [pile.pop() for _ in range(children)]
                fits = np.array([fit for fit, _ in options])
                if own:
                    best = fits.argmax(axis=0)
                    pile.append((fits.max(axis=0), np.choose(best, [won for _, won in options])))
                else:
                    pile.append((fits.sum(axis=0), np.sum([won for _, won in options], axis=0)))
        return pile[0][1]

    def _preflop_columns(self, position: int) -> Array:
        """The opponent's reach before the flop by column and holding."""
        (tables, buckets), paths = self._looked_up(0, [()]), self.rounds[0].seen[position].paths
        reach = np.ones((len(paths), HOLDING_COUNT))
        for column, path in enumerate(paths.tolist()):
            for step in path:
                if step >= 0:
                    reach[column] *= tables[0][0, step // 3, step % 3, buckets[0], 0]
        return reach

    def _looked_up(self, street: int, boards: Sequence[tuple[int, ...]]) -> tuple[list[Floats], NDArray[np.int32]]:
        """By board: the table to look probabilities up in, and the row of each holding in it."""
        table = self._by_start[street]
        if table is not None:
            policy: BucketPolicy = self.policy  # type: ignore[assignment]
            cards = np.array(boards, np.uint8).reshape(len(boards), -1)
            return [table] * len(boards), np.ascontiguousarray(policy.buckets(street, cards), np.int32)
        every = np.tile(np.arange(HOLDING_COUNT, dtype=np.int32), (len(boards), 1))
        part = self.rounds[street]
        tables = [
            by_start(by_round(self.policy.probabilities(street, board), part), self.starts[street]) for board in boards
        ]
        return tables, every

    def _street_table(self, street: int) -> Floats | None:
        """The policy's table by start, decision, bucket and action; `None` if it has none."""
        if not hasattr(self.policy, "table"):
            return None
        return by_round(self.policy.table(street), self.rounds[street])

    def _chosen_starts(self, street: int) -> NDArray[np.int64]:
        committed = self.rounds[street].committed
        return np.unique(committed, return_index=True)[1] if self.is_forgetful else np.arange(len(committed))


def exploitability(
    policy: Policy, flops: int | None = None, seed: int = 0, workers: int = 1, watch: Watch | None = None
) -> Exploitability:
    """How much best responses win against a policy: exactly, or from so many sampled flops.

    Sampled flops are drawn at random, with replacement. The values then have a sampling error, and the bias that
    `ResponseValue` tells.
    """
    response = BestResponse(policy)
    numbers = sampled_flops(flops, seed)
    values: dict[int, Array] = {}
    distinct = sorted(set(numbers))
    if watch:
        watch(0, len(distinct))
    with ThreadPoolExecutor(workers) as pool:
        jobs = {pool.submit(response.flop_values, number): number for number in distinct}
        try:
            for job in as_completed(jobs):
                values[jobs[job]] = job.result()
                if watch:
                    watch(len(values), len(distinct))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return judged(response, numbers, np.array([values[number] for number in numbers]), flops is not None)


def sampled_flops(flops: int | None, seed: int) -> list[int]:
    """The classes of so many flops drawn at random, or every class."""
    if flops is None:
        return list(range(FLOP_COUNT))
    if flops < 2:
        raise RailbirdError(f"{flops} flops; an estimate needs at least 2")
    sizes = flop_sizes()
    drawn = np.random.default_rng(seed).choice(FLOP_COUNT, flops, p=sizes / sizes.sum())
    return [int(number) for number in drawn]


def judged(response: BestResponse, numbers: Sequence[int], values: Array, is_sample: bool) -> Exploitability:
    """The exploitability from the `flop_values` of all classes of flops in order, or of sampled flops."""
    if not is_sample:
        average = np.tensordot(flop_sizes() / _FLOPS, values, 1)
        exact = response.total(average[None], average)[:, 0]
        big_blind, dealer, mean = (_exactly(value) for value in (*exact, exact.mean()))
        return Exploitability(dealer, big_blind, mean, len(values), True)
    live = np.array([class_means(_alive(representative_flop(number))) for number in numbers])
    flops = _adjusted(values, live)
    fitted = response.total(flops, flops.mean(axis=0))
    first, second = flops[0::2], flops[1::2]
    crossed = np.empty_like(fitted)
    crossed[:, 0::2] = response.total(first, second.mean(axis=0))
    crossed[:, 1::2] = response.total(second, first.mean(axis=0))
    big_blind, dealer, mean = (
        ResponseValue(Estimate.of(upper), Estimate.of(lower))
        for upper, lower in ((fitted[0], crossed[0]), (fitted[1], crossed[1]), (fitted.mean(0), crossed.mean(0)))
    )
    return Exploitability(dealer, big_blind, mean, len(values), False)


def _adjusted(values: Array, live: Array) -> Array:
    """The values of sampled flops, corrected for how often these leave each class of holdings its cards.

    A holding sees fewer of the sampled flops the more of its cards they hold, by chance more or less often than among
    all flops. So a class is worth the ratio of what it wins to how often it is live (a ratio estimate, whose bias
    falls with the number of flops); single flops deviate from it by what they are above or below the ratio.
    """
    often = live.mean(axis=0)
    won = values.mean(axis=0)
    ratio = np.divide(won, often, out=np.zeros_like(won), where=often > 0)
    scale = np.divide(_LIVE, often, out=np.zeros_like(often), where=often > 0)
    return np.asarray(ratio * _LIVE + (values - ratio * live[:, None, None]) * scale)


def _exactly(value: float) -> ResponseValue:
    known = Estimate(float(value), 0.0, FLOP_COUNT)
    return ResponseValue(known, known)


@cache
def flop_sizes() -> NDArray[np.int64]:
    """How many flops each of the 1,755 classes has."""
    sizes = np.empty(FLOP_COUNT, np.int64)
    class_sizes(isomorphism_table(), False, 3, sizes)
    return sizes


@cache
def relabellings() -> NDArray[np.int32]:
    """By permutation of the suits (24) and holding: the holding it becomes."""
    holdings = [holding_cards(holding) for holding in range(HOLDING_COUNT)]
    return np.array([[holding_index(i[high], i[low]) for high, low in holdings] for i in _card_images()], np.int32)


def representative_flop(index: int) -> tuple[int, ...]:
    """The cards of the representative of one of the 1,755 classes of flops."""
    cards = np.empty(3, np.int64)
    representative(isomorphism_table(), False, 3, index, cards)
    return tuple(cards.tolist())


def symmetries_of(cards: tuple[int, ...], among: Sequence[int]) -> list[int]:
    """Which of some permutations of the suits leave a set of cards as it is."""
    images = _card_images()
    return [g for g in among if {images[g][card] for card in cards} == set(cards)]


def orbits(board: tuple[int, ...], symmetries: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The cards that can be dealt to a board, up to the board's symmetries.

    For each a representative, and for each card that it stands for (itself too) a permutation that leads there.
    """
    images = _card_images()
    seen = set(board)
    found = []
    for card in range(CARD_COUNT):
        if card not in seen:
            reached = {images[g][card]: g for g in symmetries}
            seen |= reached.keys()
            found.append((card, list(reached.values())))
    return found


def class_means(values: Array) -> Array:
    """The average over the holdings of each of the 169 classes before the flop."""
    classes, sizes = _classes()
    return np.bincount(classes, values, 169) / sizes


@cache
def _card_images() -> list[list[int]]:
    """By permutation of the suits (24) and card: the card it becomes."""
    return [[card & ~3 | suits[card & 3] for card in range(CARD_COUNT)] for suits in permutations(range(4))]


@cache
def _classes() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The class before the flop of each holding, and how many holdings each class has."""
    classes = np.empty(HOLDING_COUNT, np.int64)
    all_holding_indices(isomorphism_table(), np.empty(0, np.int64), 0, classes)
    return classes, np.bincount(classes, minlength=169)


def _alive(board: tuple[int, ...]) -> Array:
    """By holding: 1 if it shares no card with the board, 0 if it does."""
    return np.asarray(~np.isin(_cards(), board).any(axis=1), np.float64)


def _class_holdings() -> NDArray[np.int64]:
    return _classes()[1]


@cache
def _cards() -> NDArray[np.int32]:
    return np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)], np.int32)


def _unblocked(reach: Array) -> Array:
    """By holding: the reach of all holdings that share no card with it."""
    cards = _cards()
    by_card = np.bincount(cards.ravel(), np.repeat(reach, 2), CARD_COUNT)
    return np.asarray(reach.sum() - by_card[cards].sum(axis=1) + reach)


def by_round(table: Floats, part: Round) -> Floats:
    """A table by row, bucket and action as one by start, decision, bucket and action."""
    return table.reshape(len(part.starts), part.decisions, *table.shape[1:])


def by_start(table: Floats, starts: NDArray[np.int64], lanes: int = LANES) -> Floats:
    """A table by start, decision, bucket and action as the kernels read it: block, decision, action, bucket, lane."""
    return in_blocks(table[starts].transpose(1, 3, 2, 0), lanes)


def in_blocks(array: NDArray[Any], lanes: int = LANES, left_over: int = 0) -> NDArray[Any]:
    """An array whose last axis are starts, cut into blocks of lanes: the blocks first, the lanes last."""
    *before, length = array.shape
    blocks = -(-length // lanes)
    found = np.full((*before, blocks * lanes), left_over, array.dtype)
    found[..., :length] = array
    return aligned(np.moveaxis(found.reshape(*before, blocks, lanes), -2, 0))


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that begins at a multiple of 64 bytes, where vectors do not straddle the cache's lines."""
    room = np.empty(array.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    found = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found


def _is_forgetful(table: Floats | None) -> bool:
    """Whether a table has one bucket and the same probabilities at every start."""
    return table is not None and table.shape[2] == 1 and bool((table == table[:1]).all())
