"""Whether measures have the mean that is expected of two players whose every probability is known.

What a table wins from another is worked out without playing: on a board every holding of one meets every holding of the
other, along all ways to bet, each with its chance. Nothing is drawn but the boards, whose number makes the interval.
Then the two play, and what money, DIVAT, MIVAT and AIVAT say must agree with that.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache
from math import hypot
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from railbird.assess.summary import assess_pairs
from railbird.bots.registry import make_bot
from railbird.cards import HOLDING_COUNT, holding_cards
from railbird.game.betting_rounds import BettingRounds, betting_rounds
from railbird.game.betting_tree import DECISION, FOLDED
from railbird.game.spec import Game, limit_holdem
from railbird.odds.ranks import rank_cards
from railbird.play.known import known_players
from railbird.play.match_logs import read_hand_arrays
from railbird.play.matches import play_match
from railbird.solve.policy import BucketPolicy
from railbird.solve.train import sampled_board
from railbird.statistics import Estimate

Floats = NDArray[np.float32]
MEASURES = ("money", "divat", "mivat", "aivat")
_SEEN = (0, 3, 4, 5)
_RARELY = 3.3 / 1.96
"""Intervals that leave out the truth once in a thousand."""


class Board:
    """Five cards, and the holdings that they leave."""

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards = cards
        every = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])
        self.live = np.flatnonzero(~np.isin(every, cards).any(axis=1))
        self.holds = np.zeros((len(self.live), 52), np.float32)
        self.holds[np.arange(len(self.live))[:, None], every[self.live]] = 1.0
        ranks = np.array([rank_cards((*map(int, hole), *cards)) for hole in every[self.live]])
        apart = self.holds @ self.holds.T == 0
        self.edges = np.asarray(np.sign(ranks[:, None] - ranks[None, :]) * apart, np.float32)
        """By holdings of position 0 and 1: who wins, 0 where they share a card."""
        self.pairs = float(apart.sum())

    def both(self, first: Floats, second: Floats) -> NDArray[np.float64]:
        """By row, the weight of all pairs of holdings that share no card."""
        cards = ((first @ self.holds) * (second @ self.holds)).sum(axis=1)
        return np.asarray(first.sum(axis=1) * second.sum(axis=1) - cards + (first * second).sum(axis=1), np.float64)

    def shown(self, first: Floats, second: Floats) -> NDArray[np.float64]:
        """By row, the same with what position 0 wins of a chip at the showdown."""
        return np.asarray(((first @ self.edges) * second).sum(axis=1), np.float64)

    def chances(self, policy: BucketPolicy, street: int) -> Floats:
        """Fold, call and raise by row of the street's decisions and live holding."""
        seen = np.array([self.cards[: _SEEN[street]]], np.uint8).reshape(1, -1)
        return np.asarray(_table(policy, street)[:, policy.buckets(street, seen)[0][self.live]], np.float32)


@cache
def _table(policy: BucketPolicy, street: int) -> Floats:
    return policy.table(street)


def board_value(policies: Sequence[BucketPolicy], board: Board) -> float:
    """What position 0 wins on a board, on average over all holdings, in small bets."""
    game = policies[0].game
    ones = np.ones((1, len(board.live)), np.float32)
    reach, total = (ones, ones), 0.0
    for rounds in betting_rounds(game):
        chances = [board.chances(policy, rounds.street) for policy in policies]
        won, reach = _round(rounds, chances, reach, board)
        total += won
    return total / board.pairs / game.small_bet


def _round(
    rounds: BettingRounds, chances: Sequence[Floats], reach: tuple[Floats, Floats], board: Board
) -> tuple[float, tuple[Floats, Floats]]:
    """All rounds of a street: the chips that are won where they end, and who gets to the next street's with what."""
    tree, first, total = rounds.tree, int(rounds.openings[0]), 0.0
    at: dict[int, tuple[Floats, Floats]] = {0: reach}
    closed: list[tuple[Floats, Floats]] = []
    decisions, count = 0, len(rounds.decisions)
    for place in range(rounds.size):
        node, here = first + place, at.pop(place)
        actor, kind = int(tree.actor[node]), int(tree.kind[node])
        if kind == DECISION:
            told = chances[actor][decisions::count]
            decisions += 1
            for action in range(3):
                if tree.child[node, action] >= 0:
                    moved = here[actor] * told[:, :, action]
                    at[int(tree.child[node, action]) - first] = (moved, here[1]) if actor == 0 else (here[0], moved)
            continue
        chips = rounds.chips_before + rounds.chips_added[place, actor if kind == FOLDED else 0]
        if kind == FOLDED:
            total += float((board.both(*here) * chips).sum()) * (1 if actor == 1 else -1)
        elif rounds.is_last:
            total += float((board.shown(*here) * chips).sum())
        else:
            closed.append(here)
    if not closed:
        return total, reach
    both = [np.stack([each[player] for each in closed], axis=1).reshape(-1, len(board.live)) for player in (0, 1)]
    return total, (both[0], both[1])


def expected(texts: Sequence[str], boards: int, seed: int, game: Game | None = None) -> Estimate:
    """What the first of two table players wins from the second, both seats alike, over sampled boards."""
    game = game or limit_holdem()
    policies = [make_bot(text).table_policy(game) for text in texts]
    found = []
    for number in range(boards):
        board = Board(tuple(sampled_board(seed, number).tolist()))
        found.append((board_value(policies, board) - board_value(policies[::-1], board)) / 2)
    return Estimate.of(np.array(found))


def measured(texts: Sequence[str], hands: int, seed: int) -> dict[str, Estimate]:
    """The measures of a match between them."""
    with TemporaryDirectory() as folder:
        play_match(*texts, hands=hands, seed=seed, folder=Path(folder) / "match", progress=False)
        [pair] = assess_pairs(read_hand_arrays([Path(folder) / "match"]), known=known_players(texts))
    sign = 1.0 if pair.first == texts[0] else -1.0
    return {name: Estimate.of(sign * pair.values[name]) for name in MEASURES}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials exact", description=__doc__)
    parser.add_argument("--players", nargs=2, default=("equilibrium", "sparbot"), help="two bots that are tables")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--hands", type=int, default=4_000, help="an even number")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.boards < 2 or given.hands < 2 or given.hands % 2:
        parser.error("it takes two boards or more, and an even number of hands")
    truth = expected(given.players, given.boards, given.seed)
    print(f"expected  {truth.mean:+.4f} ± {truth.margin:.4f} over {given.boards:,} boards, all holdings", flush=True)
    right = True
    for name, estimate in measured(given.players, given.hands, given.seed).items():
        agrees = abs(estimate.mean - truth.mean) <= _RARELY * hypot(estimate.margin, truth.margin)
        right = right and agrees
        told = f"{estimate.mean:+.4f} ± {estimate.margin:.4f} over {given.hands:,} hands"
        print(f"{name:<9} {told}{'' if agrees else ', which is not the same'}")
    return 0 if right else 1
