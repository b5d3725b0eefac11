"""Which value function AIVAT should have: DIVAT's rollout equity, or what the equilibrium player wins in self-play.

The same hands of a known player are measured with both. With the rollout equity a position is worth what it brings if
the baseline plays on from there, both hands seen; where cards are dealt, its mean over them is the rollout equity of
the street before, so that DIVAT is the chance part of this alone. It is computed as the formula says, holding by
holding (`railbird.assess.aivat`), which takes much longer.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from railbird.assess.aivat_hands import Place, TablePlayer
from railbird.assess.baseline import CLASSES, baseline_end, baseline_outcomes
from railbird.assess.divat import value_of_game
from railbird.assess.settings import STANDARD
from railbird.assess.street_ends import BET_SIZES, Played, street_ends
from railbird.assess.summary import assess_pairs
from railbird.assess.tables import MOST_PREFLOP, PREFLOP_SEQUELS, divat_tables
from railbird.assess.values import preflop_place
from railbird.cards import HOLDING_COUNT, holding_cards
from railbird.formats.hand_arrays import HandArrays
from railbird.game.actions import CALL, FOLD
from railbird.game.betting import Betting
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.kernels.divat.streets import value_pots
from railbird.play.known import known_players
from railbird.play.match_logs import read_hand_arrays
from railbird.play.matches import play_match
from railbird.statistics import Estimate

Floats = NDArray[np.float64]
_HOLDINGS = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)], np.uint8)
_SEEN = (0, 3, 4, 5)


class Street:
    """The betting round of a hand with each holding that one player may have: the baseline's classes, and what pots are
    worth after it."""

    def __init__(self, hands: HandArrays, n: int, street: int, imagined: int, live: NDArray[np.int64]) -> None:
        self.street, self.small_bet = street, int(hands.small_bet[n])
        rows = len(live)
        holes = np.repeat(hands.holes[n][None], rows, axis=0)
        holes[:, imagined] = _HOLDINGS[live]
        alike = [np.repeat(part[n][None], rows, axis=0) for part in (hands.board, hands.actions, hands.action_counts)]
        tables, outcomes = divat_tables(STANDARD), baseline_outcomes(hands.game)
        ends = street_ends(tables, outcomes, Played(holes, *alike, np.full(rows, street)))
        self.classes = ends.classes[:, street]
        bets_in = int(ends.bets_in[0, street])
        self.pots = [bets_in + BET_SIZES[street] * bets for bets in range(5 if street else MOST_PREFLOP)]
        if street == 0:
            place = preflop_place(tables, holes.reshape(rows, 4))
            self.worth = tables.preflop[place][:, : len(self.pots)] / PREFLOP_SEQUELS
            return
        found, edges = np.zeros((rows, 6)), np.zeros((rows, 4))
        for at in range(0, 6, 3):
            wanted, values = np.zeros((rows, 4, 3), np.int64), np.zeros((rows, 4, 3))
            wanted[:, street] = [*self.pots, 0][at : at + 3]
            last = np.full(rows, street)
            value_pots(tables.baseline(outcomes), ends.flops, ends.holes, ends.boards, last, wanted, values, edges)
            found[:, at : at + 3] = values[:, street]
        self.worth = found

    def values(self, node: Betting) -> Floats:
        """By holding, what position 0 wins if the baseline goes on from a node."""
        found = np.empty(len(self.classes))
        for first in range(6):
            for second in range(6):
                here = (self.classes[:, 0] == first) & (self.classes[:, 1] == second)
                if here.any():
                    end = _end(node, self.street, CLASSES[first], CLASSES[second])
                    found[here] = self._ended(end, here)
        return found

    def _ended(self, end: Betting, here: NDArray[np.bool_]) -> Floats | float:
        if end.is_over and not end.is_showdown:
            lost = end.committed[1 - end.live[0]] / self.small_bet
            return lost if end.live == (0,) else -lost
        return self.worth[here, self.pots.index(end.committed[0] // self.small_bet)]


@cache
def _end(node: Betting, street: int, first: str, second: str) -> Betting:
    return baseline_end(node, (first, second)) if node.street == street and not node.is_over else node


def with_rollouts(hands: HandArrays, n: int, imagined: int, player: TablePlayer) -> float:
    """AIVAT of a hand for position 0, one player imagined, with rollout equity as the value."""
    game, tree = player.policy.game, BettingTree.of(player.policy.game)
    node, total, expected = Betting.start(game), 0.0, value_of_game(STANDARD, hands.game)
    weights = np.ones(HOLDING_COUNT)
    weights[np.isin(_HOLDINGS, hands.holes[n, 1 - imagined]).any(axis=1)] = 0.0
    for street in range(int(hands.last_street[n]) + 1):
        board = tuple(hands.board[n, : _SEEN[street]].tolist())
        weights[np.isin(_HOLDINGS, board).any(axis=1)] = 0.0
        live = np.flatnonzero(weights)
        rounds, play = betting_rounds(game)[street], Street(hands, n, street, imagined, live)
        number = rounds.number(tree.node(node.history))
        table, buckets = player.chances(Place(n, street, number, board), imagined)
        now = weights[live]
        total += expected - float(now @ play.values(node)) / now.sum()
        for code in hands.actions[n, street, : hands.action_counts[n, street]].tolist():
            after = _children(node)
            if node.to_act == imagined:
                row = tree.row[tree.node(node.history)] - tree.row[rounds.openings[number]]
                told = table[row, buckets[live]].astype(np.float64)
                to_come = sum(told[:, each] * play.values(child) for each, child in after.items())
                mean = float(now @ to_come) / now.sum()
                now = now * told[:, code]
                total += mean - float(now @ play.values(after[code])) / now.sum()
            node = after[code]
        expected = float(now @ play.values(node)) / now.sum()
        weights[live] = now
    return total + expected


@cache
def _children(node: Betting) -> Mapping[int, Betting]:
    found = {1: node.after(CALL)}
    if node.can_raise:
        found[2] = node.after(next(action for action in node.legal_actions() if action not in (FOLD, CALL)))
    if node.to_call:
        found[0] = node.after(FOLD)
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials values", description=__doc__)
    parser.add_argument("--other", default="loki", help="who meets the equilibrium player, and is not known")
    parser.add_argument("--hands", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.hands < 30:
        parser.error("fewer than 30 hands say nothing")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match"
        play_match("equilibrium", given.other, hands=given.hands, seed=given.seed, folder=path, progress=False)
        hands = read_hand_arrays([path])
    known = known_players(["equilibrium"])
    assert known is not None
    [pair] = assess_pairs(hands, known=known)
    player, whose = known.players["equilibrium"], 1.0 if pair.first == "equilibrium" else -1.0
    assert isinstance(player, TablePlayer)
    seats = [hands.names[int(first)] != "equilibrium" for first in hands.players[:, 0]]
    rollouts = [with_rollouts(hands, n, int(seat), player) for n, seat in enumerate(seats)]
    samples = {
        "money": whose * pair.fair_money,
        "DIVAT, chance alone": whose * pair.divat,
        "AIVAT by rollout equity": whose * pair.sign * np.array(rollouts),
        "AIVAT by self-play": whose * pair.values["aivat"],
    }
    for name, values in samples.items():
        estimate, worth = Estimate.of(values), Estimate.of_reduction(samples["money"], values)
        told = f"{estimate.mean:+.3f} ± {estimate.margin:.3f}  SD {estimate.sd:.3f}"
        print(f"{name:<24} {told}  worth {worth.mean:.1f} ± {worth.margin:.1f} hands of money")
    return 0
