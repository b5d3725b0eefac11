"""Exact best responses to a heads-up limit hold'em strategy, and so its exploitability.

A best response knows the strategy and plays perfectly against it with every holding. Its value is computed over the
public tree (Johanson et al. 2011, "Accelerating best response calculation in large extensive games"): board by board,
all holdings at once, with the opponent's reach as a vector. The kernel is told in
`railbird.kernels.solve.response_rounds`.

Boards that differ only by a relabelling of the suits have the same values, relabelled, unless the policy tells suits
apart; `railbird.solve.flops` says what has to be worked.

A strategy that looks at neither its cards nor the betting of earlier streets (always-call, say) gives every round of
the same street and pot the same values, up to its chance of getting there. Those rounds are then worked once too: 16
on the river instead of 567. What a table never gets to, rounds and ways through them, is left out for all boards
(`railbird.solve.reached_rounds`). Of a policy that is a function (`railbird.solve.function_policy`) only those rounds
are worked, and only those answers asked for, that it can get to on a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_COUNT
from railbird.errors import InvalidGameError
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import DECISION, FOLDED, BettingTree
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.lanes import LANES
from railbird.kernels.solve import response_rounds as kernels
from railbird.progress import Watch
from railbird.solve.board_chances import AskedChances, BoardChances, GivenChances, TableChances
from railbird.solve.flops import Flops, orbits, relabellings, symmetries_of
from railbird.solve.met_holdings import holding_pairs, reach_met
from railbird.solve.policy import AskedPolicy, BucketPolicy, Policy
from railbird.solve.reached_rounds import every_round, reached_rounds
from railbird.solve.response_value import Exploitability, ResponseValue
from railbird.solve.seen_rounds import SeenRounds, aligned, by_lane, by_round, in_blocks
from railbird.solve.toy.cfr import best_response_value
from railbird.solve.toy.toy_games import ToyGame
from railbird.solve.toy.toy_policy import profile_of
from railbird.solve.worked_flops import KeptFlops, WorkedFlops
from railbird.statistics import Estimate
from railbird.stopping import keeping
from railbird.workforce import Workforce, shared_out

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
Ints = NDArray[np.int64]

CARDS_LEFT = {1: 45, 2: 44}
"""By street: cards that may follow a flop and a turn, of those that neither player holds."""
_FLOPS, _FLOPS_LEFT = comb(52, 3), comb(48, 3)
_LIVE = comb(50, 3) / _FLOPS  # how often a flop leaves a holding its cards
_DEALS = HOLDING_COUNT * comb(50, 2)


class _Side(NamedTuple):
    """What one responder works of a street, on every board."""

    openings: Ints
    chips: Floats
    """Chips that each player has put in, by block and lane."""
    stages: NDArray[np.int32]
    table: Floats | None
    """The policy's, of these openings; `None` if it has none."""
    places: NDArray[np.int32]
    """By block, closing and lane: which of the next street's openings follows, -1 for none."""


class Worked(NamedTuple):
    """The openings of a street that are worked side by side for one responder, on one board."""

    openings: Ints
    chips: Floats
    """Chips that each player has put in, by block and lane."""
    reach: Floats
    """The opponent's, by block, holding and lane."""


class BestResponse:
    """The best responses to one policy, flop by flop."""

    def __init__(self, policy: Policy) -> None:
        game = policy.game
        if not game.is_holdem:
            raise InvalidGameError(f"best responses are for heads-up limit hold'em, not {game.name}")
        self.policy = policy
        self.tree = BettingTree.of(game)
        self.rounds = betting_rounds(game)
        self.seen = [[SeenRounds.of(rounds, position) for position in (0, 1)] for rounds in self.rounds]
        """By street and the responder's position."""
        self.flops = Flops.of(getattr(policy, "is_suit_blind", True))
        self._tables = [self._street_table(street) for street in range(4)]
        self.has_tables = [table is not None for table in self._tables]
        """By street, whether the policy has a table over buckets."""
        self.is_forgetful = all(map(_is_forgetful, self._tables))
        """Whether the policy's play depends on the street's betting alone, so that rounds can share their work."""
        self.openings = [self._chosen_openings(street) for street in range(4)]
        """By street, the rounds that differ: all, or one for each pot."""
        self._laid_out: dict[tuple[int, bytes], Floats] = {}
        self._sides = [self._sides_of(position) for position in (0, 1)]
        self._after_preflop = self._following_places(0, self.openings[0], self.openings[1])[0]
        self._columns: dict[int, Array] = {}

    def _sides_of(self, position: int) -> list[_Side]:
        """What a responder works of each street: the rounds that differ, without those that nobody gets to."""
        seen = [of_street[position] for of_street in self.seen]
        tables = [table for table in self._tables if table is not None]
        reached = reached_rounds(tables, seen) if all(self.has_tables) else every_round(self.rounds, seen)
        openings = self.openings
        if not self.is_forgetful:
            openings = [np.flatnonzero(part.openings) for part in reached]
        places = [self._places_of(street, openings[street], openings[street + 1]) for street in range(3)]
        places.append(_NOTHING_LATER.openings)
        return [
            _Side(
                openings[street],
                self.chips(street, openings=openings[street]),
                seen[street].stages_reached(reached[street].columns),
                self._table_of(street, openings[street]),
                places[street],
            )
            for street in range(4)
        ]

    def _table_of(self, street: int, openings: Ints) -> Floats | None:
        """The policy's table of a street in some rounds, laid out once where both sides work the same."""
        table, key = self._tables[street], (street, openings.tobytes())
        if table is not None and key not in self._laid_out:
            self._laid_out[key] = by_lane(table[openings])
        return self._laid_out.get(key)

    def table(self, street: int, lanes: int = LANES) -> Floats:
        """The policy's table of a street in the rounds that differ, by block, decision, action, bucket and lane."""
        table = self._tables[street]
        assert table is not None
        return by_lane(table[self.openings[street]], lanes)

    def chips(self, street: int, lanes: int = LANES, openings: Ints | None = None) -> Floats:
        """Chips that each player has put in at the openings, by block and lane."""
        chosen = self.openings[street] if openings is None else openings
        return in_blocks(self.rounds[street].chips_before[chosen].astype(np.float32), lanes)

    def places(self, street: int, lanes: int = LANES) -> NDArray[np.int32]:
        """By block, closing and lane: which of the next street's openings follows; -1 for lanes left over."""
        return self._places_of(street, self.openings[street], self.openings[street + 1], lanes)

    def _places_of(self, street: int, openings: Ints, later: Ints, lanes: int = LANES) -> NDArray[np.int32]:
        return in_blocks(self._following_places(street, openings, later).T.astype(np.int32), lanes, -1)

    def _following_places(self, street: int, openings: Ints, later: Ints) -> Ints:
        """By opening and closing: which of some openings of the next street follows, -1 for none of them."""
        following, chips = self._following(street, openings), self.rounds[street + 1].chips_before
        if self.is_forgetful:
            return np.asarray(np.searchsorted(chips[later], chips[following]))
        place = np.full(len(chips), -1)
        place[later] = np.arange(len(later))
        return np.asarray(place[following])

    def _following(self, street: int, openings: Ints) -> Ints:
        """By opening and closing: the opening of the next street."""
        closings = len(self.rounds[street].closings)
        return np.asarray(openings[:, None] * closings + np.arange(closings))

    def flop_reach(self, position: int, lanes: int = LANES, openings: Ints | None = None) -> Floats:
        """The chance that a responder's opponent gets to each opening of the flop, by block, holding and lane."""
        chosen = self.openings[1] if openings is None else openings
        if self.is_forgetful:
            return in_blocks(np.ones((HOLDING_COUNT, len(chosen)), np.float32), lanes)
        reach = self._preflop_columns(position)
        return in_blocks(reach[self.seen[0][position].closing_columns[chosen]].T.astype(np.float32), lanes)

    def flop_values(self, index: int) -> Array:
        """The values of every opening of the flop's betting on one of the flops that `flops` numbers.

        By position of the responder, opening and class of holdings before the flop: the average over the class of chips
        won, summed over the opponent's holdings by their reach.
        """
        flop = self.flops.cards(index)
        worked = [self._flop_worked(position) for position in (0, 1)]
        symmetries = symmetries_of(flop, self.flops.relabellings)
        won, _ = self._board_values(Desk(), 1, flop, symmetries, worked, self._looked_up(1, [flop])[0])
        found = np.zeros(self.values_shape)
        for position in (0, 1):
            for at, opening in enumerate(np.searchsorted(self.openings[1], worked[position].openings)):
                values = won[position][at // LANES, :, at % LANES].astype(np.float64)
                found[position, opening] = self.flops.class_means(values)
        return found

    def _flop_worked(self, position: int) -> Worked:
        side = self._sides[position][1]
        reach = self.flop_reach(position, openings=side.openings)
        return self._reached(1, side.openings, reach) if self.is_lazy else Worked(side.openings, side.chips, reach)

    def _board_values(
        self,
        desk: Desk,
        street: int,
        board: tuple[int, ...],
        symmetries: Sequence[int],
        worked: Sequence[Worked],
        look: BoardChances,
    ) -> tuple[list[Floats], kernels.Live]:
        """By position, the values of the worked openings on a board: by block, holding and lane; and its holdings."""
        live = desk.live(board)
        chances = [look.chances(p, worked[p].openings, worked[p].reach) for p in (0, 1)]
        later = [_NOTHING_LATER, _NOTHING_LATER]
        if street < 3:
            following = [self._passed(desk, street, p, chances[p], live, worked[p]) for p in (0, 1)]
            sums = [np.zeros_like(part.reach) for part, _ in following]
            dealt = orbits(board, symmetries)
            looks = self._looked_up(street + 1, [(*board, card) for card, _ in dealt])
            for (card, images), next_look in zip(dealt, looks):
                left = symmetries_of((card,), symmetries)
                parts = [part for part, _ in following]
                won, next_live = self._board_values(desk, street + 1, (*board, card), left, parts, next_look)
                for p in (0, 1):
                    for g in images:
                        kernels.add_relabelled(won[p].ravel(), next_live, relabellings()[g], sums[p].reshape(-1))
            for p in (0, 1):
                sums[p] /= np.float32(CARDS_LEFT[street])
                later[p] = kernels.Later(following[p][1], sums[p].ravel(), self.is_forgetful)
        values = []
        for p in (0, 1):
            part, out = worked[p], np.zeros_like(worked[p].reach)
            arrays = (part.reach.ravel(), part.chips.ravel(), later[p], desk.room, out.reshape(-1))
            kernels.respond(self._sides[p][street].stages, chances[p], live, *arrays, kernels.NO_ANSWERS)
            values.append(out)
        return values, live

    def _passed(
        self, desk: Desk, street: int, position: int, chances: kernels.Chances, live: kernels.Live, worked: Worked
    ) -> tuple[Worked, NDArray[np.int32]]:
        """The openings of the next street that are worked after some of this one, and their `places`."""
        side, later = self._sides[position][street : street + 2]
        openings, places = later.openings, side.places
        if self.is_lazy:
            openings = self._following(street, worked.openings).ravel()
            places = in_blocks(np.arange(len(openings), dtype=np.int32).reshape(len(worked.openings), -1).T, LANES, -1)
        blocks = -(-len(openings) // LANES)
        reach = aligned(np.zeros((blocks, HOLDING_COUNT, LANES), np.float32))
        if self.is_forgetful:
            reach += np.float32(1.0)
        else:
            paths = self.seen[street][position].closing_paths
            kernels.pass_reach(paths, chances, live, worked.reach.ravel(), places, desk.room, reach.reshape(-1))
        if not self.is_lazy:
            return Worked(openings, later.chips, reach), places
        following = self._reached(street + 1, openings, reach)
        if len(following.openings) < len(openings):
            place = np.full(len(openings), -1, np.int32)
            place[np.searchsorted(openings, following.openings)] = np.arange(len(following.openings))
            places = np.where(places >= 0, place[places], -1)
        return following, places

    def _reached(self, street: int, openings: Ints, reach: Floats) -> Worked:
        """Of openings with their reach those alone that a policy gets to which is asked for each answer."""
        by_opening = np.moveaxis(reach, 1, 2).reshape(-1, HOLDING_COUNT)[: len(openings)]
        some = np.flatnonzero(by_opening.any(axis=1))
        if not len(some):
            some = np.zeros(1, np.int64)  # one is worked in any case
        if len(some) == len(openings):
            return Worked(openings, self.chips(street, openings=openings), reach)
        return Worked(openings[some], self.chips(street, openings=openings[some]), in_blocks(by_opening[some].T))

    @property
    def is_lazy(self) -> bool:
        """Whether the policy is asked for each answer by itself."""
        return hasattr(self.policy, "answers")

    def judged(self, numbers: Sequence[int], values: Array, seed: int | None) -> Exploitability:
        """The exploitability from the `flop_values` of all flops in order, or of flops sampled by a seed."""
        if seed is None:
            average = np.tensordot(self.flops.sizes / _FLOPS, values, 1)
            exact = self.total(average[None], average)[:, 0]
            big_blind, dealer, mean = (ResponseValue.exactly(value, len(values)) for value in (*exact, exact.mean()))
            return Exploitability(dealer, big_blind, mean, len(values), True)
        live = np.array([self.flops.class_means(_alive(self.flops.cards(number))) for number in numbers])
        flops = _adjusted(values, live)
        fitted = self.total(flops, flops.mean(axis=0))
        first, second = flops[0::2], flops[1::2]
        crossed = np.empty_like(fitted)
        crossed[:, 0::2] = self.total(first, second.mean(axis=0))
        crossed[:, 1::2] = self.total(second, first.mean(axis=0))
        upper, lower = (
            {"as_dealer": won[1], "as_big_blind": won[0], "mean": won.mean(axis=0)} for won in (fitted, crossed)
        )
        dealer, big_blind, mean = (ResponseValue(Estimate.of(upper[name]), Estimate.of(lower[name])) for name in upper)
        among = len(self.flops.sizes)
        return Exploitability(dealer, big_blind, mean, len(values), False, seed, among, by_flop=upper)

    @property
    def values_shape(self) -> tuple[int, int, int]:
        """The shape of `flop_values`."""
        return 2, len(self.openings[1]), len(self.flops.class_sizes)

    def total(self, flops: Array, fitted_to: Array) -> Array:
        """The responder's winnings in milli small bets per hand on each of some flops, by position.

        `flops` are `flop_values` of flops (flop x position x opening x class); the play before the flop is the best one
        for the average flop `fitted_to` (position x opening x class).
        """
        scale = _FLOPS / _FLOPS_LEFT
        found = np.empty((2, len(flops)))
        for position in (0, 1):
            won = self._preflop(position, fitted_to[position] * scale, flops[:, position] * scale)
            found[position] = won @ self.flops.class_sizes / _DEALS / self.tree.game.small_bet * 1000
        return found

    def _preflop(self, position: int, fitted: Array, judged: Array) -> Array:
        """By flop and class of holdings, chips won at the root by the play that is best on `fitted`."""
        seen, means = self.seen[0][position], self.flops.class_means
        reach = self._preflop_columns(position)
        pile: list[tuple[Array, Array]] = []
        for place in range(len(seen.shape) - 1, -1, -1):
            kind, own, children, closing, column = seen.shape[place].tolist()
            if kind == FOLDED:
                chips = -seen.chips[place, 0] if own else seen.chips[place, 1]
                won = chips * means(reach_met(reach[column]))
                pile.append((won, np.broadcast_to(won, (len(judged), len(won)))))
            elif kind != DECISION:
                scale = reach[column, 0] if self.is_forgetful else 1.0
                opening = self._after_preflop[closing]
                pile.append((fitted[opening] * scale, judged[:, opening] * scale))
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
        if position in self._columns:
            return self._columns[position]
        everything = in_blocks(np.ones((HOLDING_COUNT, 1), np.float32))
        chances = self._looked_up(0, [()])[0].chances(position, self.openings[0], everything)
        table = chances.table.reshape(chances.decisions, 3, chances.bucket_count, LANES)
        paths = self.seen[0][position].paths
        reach = np.ones((len(paths), HOLDING_COUNT))
        for column, path in enumerate(paths.tolist()):
            for step in path:
                if step >= 0:
                    reach[column] *= table[step // 3, step % 3, chances.buckets, 0]
        self._columns[position] = reach
        return reach

    def _looked_up(self, street: int, boards: Sequence[tuple[int, ...]]) -> Sequence[BoardChances]:
        """By board: what the policy does there."""
        rounds, policy = self.rounds[street], self.policy
        if self.has_tables[street]:
            of_buckets: BucketPolicy = policy  # type: ignore[assignment]
            cards = np.array(boards, np.uint8).reshape(len(boards), -1)
            buckets = np.ascontiguousarray(of_buckets.buckets(street, cards), np.int32)
            tables = [table for side in self._sides if (table := side[street].table) is not None]
            return [TableChances(tables, row) for row in buckets]
        if self.is_lazy:
            asked: AskedPolicy = policy  # type: ignore[assignment]
            return [AskedChances(asked, rounds, board) for board in boards]
        return [GivenChances(policy, rounds, board) for board in boards]

    def _street_table(self, street: int) -> Floats | None:
        """The policy's table by round, decision, bucket and action; `None` if it has none."""
        if not hasattr(self.policy, "table"):
            return None
        return by_round(self.policy.table(street), self.rounds[street])

    def _chosen_openings(self, street: int) -> Ints:
        chips = self.rounds[street].chips_before
        return np.unique(chips, return_index=True)[1] if self.is_forgetful else np.arange(len(chips))


class Desk:
    """Room to work in, for one flop."""

    def __init__(self) -> None:
        self.room = aligned(np.empty(kernels.ROOM, np.float32))
        self._ranks = np.empty(HOLDING_COUNT, np.int64)

    def live(self, board: tuple[int, ...]) -> kernels.Live:
        """The holdings that a board leaves possible."""
        order, ends = np.empty((2, HOLDING_COUNT), np.int32)
        count = kernels.sort_holdings(TABLE, CARD_KEYS, np.array(board, np.uint8), order, ends, self._ranks)
        return kernels.Live(order, ends, int(count), holding_pairs())


_NOTHING_LATER = kernels.Later(np.empty((0, 0, 0), np.int32), np.empty(0, np.float32), False)


def exploitability(
    policy: Policy,
    flops: int | None = None,
    seed: int = 0,
    workers: Workforce = 1,
    watch: Watch | None = None,
    kept: KeptFlops | None = None,
) -> Exploitability:
    """How much best responses win against a policy: exactly, or from so many sampled flops.

    Sampled flops are drawn at random, with replacement. The values then have a sampling error, and the bias that
    `ResponseValue` tells. Toy games are always worked whole. Flops that are kept need not be worked again.
    """
    if policy.game.hole_cards == 1:
        return _toy_exploitability(policy)
    own = getattr(policy, "best_response", None)
    response: BestResponse = own() if own else BestResponse(policy)
    worked = WorkedFlops(response, flops, seed, watch, kept)
    waiting = worked.waiting
    with keeping(worked.words):
        for at, found in shared_out(lambda: response.flop_values, waiting, workers):
            worked.add(waiting[at], found)
    return worked.found()


def _toy_exploitability(policy: Policy) -> Exploitability:
    toy = ToyGame(policy.game)
    profile = profile_of(toy, policy)
    scale = 1000 / policy.game.small_bet
    first, second = (scale * best_response_value(toy, profile, position) for position in (0, 1))
    dealer, big_blind, mean = (ResponseValue.exactly(value) for value in (second, first, (first + second) / 2))
    return Exploitability(dealer, big_blind, mean, flops=0, is_whole=True)


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


def _alive(board: tuple[int, ...]) -> Array:
    """By holding: 1 if it shares no card with the board, 0 if it does."""
    return np.asarray(~np.isin(holding_pairs(), board).any(axis=1), np.float64)


def _is_forgetful(table: Floats | None) -> bool:
    """Whether a table has one bucket and the same probabilities in every round."""
    return table is not None and table.shape[2] == 1 and bool((table == table[:1]).all())
