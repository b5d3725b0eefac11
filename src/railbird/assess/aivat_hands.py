"""AIVAT of heads-up limit hold'em; `railbird.assess.aivat` tells what it is.

One player is imagined with every holding that he may have, the *other* has the cards that he was dealt. The value
function is about the other's holding alone, and so is right for every holding of the player who is imagined:

- where a betting round begins, what a strategy's bucket wins there in self-play (`railbird.assess.self_play`); on the
  river a share of that, and a share of what the showdown would bring against the range if nobody bet any more, which
  tells one board from another (`RIVER_SHARES`);
- within a round, what follows from that when the player who is imagined does as he does, with the range that he has
  there, and the other as that strategy would; where the round ends, the mean over the next card, or on the river the
  showdown against the range.

Within a round the values are the means of those that may follow a decision of the imagined player, by construction. Of
two players who are both known each is imagined in turn, with the other's decisions corrected too, and the mean of
both counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.assess.self_play import SelfPlay
from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards, holding_index
from railbird.errors import AssessmentError, did_you_mean
from railbird.formats.hand_arrays import HandArrays
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import STREET_START, BettingTree
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE, Ranking
from railbird.kernels.solve import imagined_rounds as kernels
from railbird.progress import Watch
from railbird.solve.flops import relabellings
from railbird.solve.policy import BucketPolicy
from railbird.solve.rounding import WHOLE
from railbird.solve.strategy import Strategy

Values = NDArray[np.float64]
Chances = tuple[NDArray[np.float32], NDArray[np.int64]]
RIVER_SHARES = 0.165, 1.02
"""Of the value in self-play, and of the showdown without further bets: what fitted the values within the river's round
best in 1,500 hands of the equilibrium player against itself."""
_SEEN = (0, 3, 4, 5)
_NOTHING, _NO_BUCKETS = np.zeros((1, 1)), np.zeros(CARD_COUNT, np.int64)
_RANKING = Ranking(TABLE, CARD_KEYS, RANK_KEYS)


class Place(NamedTuple):
    """A betting round of a hand that was played."""

    hand: int
    """The number of the hand."""
    street: int
    round: int
    """The number of the round among those of its street."""
    board: tuple[int, ...]
    row: int = 0
    """The hand's place among those that are measured."""


class Known(Protocol):
    """A player whose probabilities are known for every holding."""

    def in_hands(self, hands: HandArrays) -> Known:
        """The player as it was in some hands, which are then asked for in their order; itself, unless it learns."""

    def chances(self, place: Place, position: int) -> Chances:
        """Fold, call and raise at the decisions of a position in a round: an array by decision, bucket and action, and
        the bucket of every holding. Decisions of the other position may hold anything."""


class TablePlayer:
    """A player whose probabilities follow from a table."""

    def __init__(self, policy: BucketPolicy) -> None:
        self.policy = policy
        self._tables: dict[int, NDArray[np.float32]] = {}
        self._buckets = lru_cache(maxsize=64)(self._computed_buckets)

    def in_hands(self, hands: HandArrays) -> TablePlayer:
        return self

    def chances(self, place: Place, position: int) -> Chances:
        street = place.street
        if street not in self._tables:
            self._tables[street] = np.ascontiguousarray(self.policy.table(street), np.float32)
        count = len(betting_rounds(self.policy.game)[street].decisions)
        rows = self._tables[street][place.round * count : (place.round + 1) * count]
        return rows, self._buckets(street, place.board)

    def _computed_buckets(self, street: int, board: tuple[int, ...]) -> NDArray[np.int64]:
        return np.asarray(self.policy.buckets(street, np.array([board], np.uint8).reshape(1, -1))[0], np.int64)


class HandAivat:
    """The measure for hands of the game that a strategy plays, whose values of self-play are the value function."""

    def __init__(self, self_play: SelfPlay) -> None:
        self.self_play = self_play
        self.strategy: Strategy = self_play.strategy
        self.tree = BettingTree.of(self.strategy.game)
        self.rounds = betting_rounds(self.strategy.game)
        self._flops: dict[tuple[int, int], Values] = {}

    def of(self, hands: HandArrays, known: Mapping[int, Known], watch: Watch | None = None) -> NDArray[np.float64]:
        """[n] the measure of each hand for position 0, in small bets; `known` are players by their place in
        `hands.names`, at least one of whom plays every hand."""
        found = np.empty(len(hands))
        for n in range(len(hands)):
            players = [known.get(int(player)) for player in hands.players[n]]
            samples = [
                (-1 if imagined == 0 else 1) * self._imagined(hands, n, imagined, players)
                for imagined in (0, 1)
                if players[imagined]
            ]
            if not samples:
                raise AssessmentError(f"neither player of hand {hands.numbers[n]} is known")
            found[n] = sum(samples) / len(samples)
            if watch and (n + 1) % 100 == 0:
                watch(n + 1, len(hands))
        return found

    @cached_property
    def seat_values(self) -> Values:
        """By position, what it wins on average in self-play: the mean of what holdings are worth before the flop."""
        buckets = self.strategy.buckets(0, np.empty((1, 0), np.uint8))[0]
        return np.asarray(self.self_play.values[0][:, 0, buckets].mean(axis=1), np.float64)

    def _imagined(self, hands: HandArrays, n: int, imagined: int, players: Sequence[Known | None]) -> float:
        """The measure of a hand for the other player, where the one at a position is imagined."""
        other, board = 1 - imagined, tuple(hands.board[n].tolist())
        hole, player = hands.holes[n, other].astype(np.int64), players[imagined]
        assert player is not None
        weights = np.ones(HOLDING_COUNT)
        kernels.drop_cards(weights, hole)
        node, number, expected, total = 0, 0, float(self.seat_values[other]), 0.0
        last_street = int(hands.last_street[n])
        buckets = self._buckets(1, board[:2], hole) if last_street else _NO_BUCKETS
        for street in range(last_street + 1):
            seen = board[: _SEEN[street]]
            bucket = (
                int(buckets[seen[-1]]) if seen else self.strategy.abstraction.bucket((int(hole[0]), int(hole[1])), ())
            )
            kernels.drop_cards(weights, np.array(seen, np.int64))
            place = Place(int(hands.numbers[n]), street, number, seen, n)
            play = self._play(place, bucket, player.chances(place, imagined))
            if (told := players[other]) is not None:
                play = play._replace(told=_own(told.chances(place, other), hole))
            if street in (1, 2):
                buckets = self._buckets(street + 1, seen, hole)
            deal = self._deal(place, hole, other, buckets)
            came = float(self.self_play.values[street][other, number, bucket])
            if street == 3:
                chips = self.rounds[3].chips_before[number] / self.strategy.game.small_bet
                shown = float(weights @ deal.edges / weights.sum())
                came = RIVER_SHARES[0] * came + RIVER_SHARES[1] * chips * shown
            total += expected - came
            actions = hands.actions[n, street, : hands.action_counts[n, street]].astype(np.int64)
            opening = int(self.rounds[street].openings[number])
            correction, node, expected = kernels.follow_round(
                self.tree.arrays, opening, imagined, play, deal, actions, float(self.strategy.game.small_bet), weights
            )
            if node < 0:
                raise AssessmentError(
                    f"hand {hands.numbers[n]}: {hands.names[int(hands.players[n, imagined])]} did what it "
                    "never does, whatever it holds; is it the right bot?"
                )
            total += correction
            if self.tree.kind[node] == STREET_START:
                number = self.rounds[street + 1].number(int(self.tree.child[node, 1]))
        return total + expected

    def _play(self, place: Place, bucket: int, imagined: Chances) -> kernels.Play:
        """What the player who is imagined does in a round, and what the other is assumed to do, who tells nothing."""
        count = len(self.rounds[place.street].decisions)
        codes = self.strategy.codes[place.street][place.round * count : (place.round + 1) * count, bucket] / WHOLE
        assumed = np.column_stack([codes[:, 0], 1.0 - codes[:, 0] - codes[:, 1], codes[:, 1]])
        return kernels.Play(*imagined, assumed, np.full((count, 3), -1.0))

    def _buckets(self, street: int, before: tuple[int, ...], hole: NDArray[np.int64]) -> NDArray[np.int64]:
        """By card, the bucket of a holding on a street if it is dealt last, after these."""
        found, room = np.zeros(CARD_COUNT, np.int64), np.zeros(5, np.int64)
        room[: len(before)] = before
        kernels.bucket_last_cards(_RANKING, self.strategy.abstraction.arrays, hole, room, street, found)
        return found

    def _deal(self, place: Place, hole: NDArray[np.int64], other: int, buckets: NDArray[np.int64]) -> kernels.Deal:
        """What the cards to come are worth to the other's holding, whose buckets on the next street are these."""
        street, cards = place.street, np.array(place.board, np.int64)
        edges = np.zeros(HOLDING_COUNT)
        if street == 3:
            kernels.compare_holdings(_RANKING, hole, cards, edges)
            return kernels.Deal(cards, _NOTHING, edges)
        if street == 0:
            return kernels.Deal(cards, self._flop_values(hole, other), edges)
        closings = len(self.rounds[street].closings)
        following = slice(place.round * closings, (place.round + 1) * closings)
        after = self.self_play.values[street + 1][other, following][:, buckets].astype(np.float64)
        after[:, [*place.board, *hole]] = 0.0
        if street == 2:
            kernels.compare_on_turn(_RANKING, hole, cards, edges)
            after *= RIVER_SHARES[0]
            edges *= RIVER_SHARES[1]
        return kernels.Deal(cards, np.ascontiguousarray(after), edges)

    def _flop_values(self, hole: NDArray[np.int64], other: int) -> Values:
        """By closing before the flop and pair of cards: the sum over the flops with both; worked out once for holdings
        that differ in the names of suits."""
        images = relabellings()[:, holding_index(int(hole[0]), int(hole[1]))]
        named = int(images.argmin())
        first = int(images[named])
        if (first, other) not in self._flops:
            found = np.empty((len(self.rounds[0].closings), HOLDING_COUNT))
            cards = np.array(holding_cards(first), np.int64)
            arrays = self.strategy.abstraction.arrays
            kernels.value_flops(arrays, cards, self.self_play.values[1][other], found)
            self._flops[first, other] = found
        return np.ascontiguousarray(self._flops[first, other][:, relabellings()[named]])


def _own(chances: Chances, hole: NDArray[np.int64]) -> Values:
    """By decision and action, the chances of one holding."""
    table, buckets = chances
    return table[:, buckets[holding_index(int(hole[0]), int(hole[1]))]].astype(np.float64)


def check_known(players: Iterable[str], names: Sequence[str]) -> None:
    """Refuse to know players who are not among the names of a log."""
    for name in sorted(set(players) - set(names)):
        raise AssessmentError(f"no player {name!r} to be known{did_you_mean(name, names)} ({', '.join(names)})")


@dataclass(frozen=True)
class KnownPlayers:
    """Players of a log who are known, by name, and the measure of their hands."""

    measure: HandAivat
    players: Mapping[str, Known]

    def check(self, names: Sequence[str]) -> None:
        """Refuse to know players who are not in a log."""
        check_known(self.players, names)

    def samples(self, hands: HandArrays, watch: Watch | None = None) -> Values | None:
        """[n] AIVAT of the hands between two players, for position 0; none where neither is known."""
        known = {at: self.players[name] for at, name in enumerate(hands.names) if name in self.players}
        if not set(known) & set(hands.players.ravel().tolist()):
            return None
        game = self.measure.strategy.game
        if not self.measure.strategy.plays(replace(hands.game, name=game.name)):
            raise AssessmentError("AIVAT is for limit hold'em with at most four bets a street and the usual blinds")
        return self.measure.of(hands, {at: player.in_hands(hands) for at, player in known.items()}, watch)
