"""What each decision against always-raise cost, street by street, against the exact best response.

Who always raises tells nothing by it, so every action has a true value that follows from the cards alone: after a flop
from all turns and rivers, before it from sampled flops, as many for each class of holding. A learner comes to play as
the best response does, or one sees on which street it does not, free of the luck that a match of money would have.
"""

from __future__ import annotations

import argparse
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.bots.registry import make_bot
from railbird.cards import CARD_COUNT, HOLDING_COUNT, class_text, holding_cards, holding_index
from railbird.game import betting_tree as trees
from railbird.game.actions import Action
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import STREETS, limit_holdem
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.search.tree_values import score_runouts
from railbird.play.dealing import deals
from railbird.play.hand import HandPlayer
from railbird.randomness import Stream
from railbird.search.futures import MOST_SCORE

Array = NDArray[np.float64]
GAME = limit_holdem()
TREE = BettingTree.of(GAME)
FLOPS = 40


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials raiser", description=__doc__)
    parser.add_argument("bots", nargs="*", default=["vexbot2", "vexbot"], help="bots of heads-up limit hold'em")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=5)
    asked = parser.parse_args(arguments)
    print(f"small bets a hand that decisions against always-raise cost, by quarter of {asked.hands:,} hands")
    for name in asked.bots:
        for street, costs in zip(STREETS, costs_of(name, asked.hands, asked.seed)):
            print(f"{name:<12} {street:<8} " + "  ".join(f"{cost:.3f}" for cost in costs))
    return 0


def costs_of(name: str, hands: int, seed: int) -> Array:
    """By street and quarter of the hands: what a bot's decisions cost it a hand."""
    bot = make_bot(name)
    bot.prepare()
    costs, act = np.zeros((len(STREETS), 4)), bot.act

    def watched(view: PlayerView) -> Action:
        action = act(view)
        values = true_values(view)
        costs[view.betting.street, 4 * view.hand_number // hands] += (
            np.nanmax(values) - values["fcr".index(action.kind)]
        )
        return action

    bot.act = watched  # type: ignore[method-assign]
    players = [bot, make_bot("always-raise")]
    table = HandPlayer(GAME, players, (name, "always-raise"))
    for deal in deals(GAME, seed, 0, hands):
        for player in players:
            player.seed_hand(seed, deal.number)
        table.play(deal, (deal.number % 2, 1 - deal.number % 2))
    if table.faults:
        raise SystemExit(f"error: {table.faults[0]}")
    return costs / (hands / 4)


def true_values(view: PlayerView) -> Array:
    """What actions are worth in small bets if the player goes on as the best response does, nan if not legal."""
    board, node = view.board_cards, TREE.node(view.history)
    shares = runouts(view.hole_cards, board[:3])[None] if board else before_flop(view.hole_cards)
    for axis, card in enumerate(board[3:], start=1):
        shares = shares.take([card], axis=axis)
    return np.array(
        [_value(child, shares, view.position).item() if child >= 0 else np.nan for child in TREE.child[node].tolist()]
    )


def _value(node: int, shares: Array, own: int) -> Array:
    """What a node is worth on each board that the street may have; `shares` are what the player wins of pots, by flop,
    turn and river, nan where a card cannot come."""
    chips, street = TREE.committed[node] / GAME.small_bet, int(TREE.street[node])
    children = [child for child in TREE.child[node].tolist() if child >= 0]
    if TREE.kind[node] == trees.FOLDED:
        won = -chips[own] if TREE.actor[node] == own else chips[1 - own]
        return np.full(shares.shape[:street], won)
    if TREE.kind[node] == trees.SHOWDOWN:
        return np.asarray(chips[0] * (2 * shares - 1))
    if TREE.kind[node] == trees.STREET_START:
        later = _value(children[0], shares, own)
        dealt = ~np.isnan(later)
        return np.asarray(np.where(dealt, later, 0.0).sum(axis=-1) / np.maximum(1, dealt.sum(axis=-1)))
    if TREE.actor[node] != own:
        return _value(children[-1], shares, own)  # a raise if one is left, else a call
    return np.asarray(np.max([_value(child, shares, own) for child in children], axis=0))


def runouts(cards: tuple[int, ...], flop: tuple[int, ...]) -> Array:
    """By turn and river: what two cards win of a pot against any holding; nan where a card cannot come."""
    scores = np.zeros((CARD_COUNT, CARD_COUNT), np.int32)
    score_runouts(TABLE, CARD_KEYS, *sorted(cards, reverse=True), np.array(flop, np.uint8), scores)
    found = scores / MOST_SCORE
    dead = [*cards, *flop]
    found[dead], found[:, dead] = np.nan, np.nan
    np.fill_diagonal(found, np.nan)
    return found


def before_flop(cards: tuple[int, ...]) -> Array:
    """The same by flop, of sampled ones."""
    return _sampled(class_text(holding_index(cards[0], cards[1])))


@cache
def _sampled(class_name: str) -> Array:
    cards = holding_cards(next(holding for holding in range(HOLDING_COUNT) if class_text(holding) == class_name))
    live = [card for card in range(CARD_COUNT) if card not in cards]
    return np.stack([runouts(cards, tuple(Stream(number).deal(live, 3))) for number in range(FLOPS)])
