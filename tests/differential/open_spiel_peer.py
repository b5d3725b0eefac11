"""One limit hand played by Railbird and by OpenSpiel's universal_poker (the competition's reference code) side by side.

All amounts are multiples of 2,520 chips, so that every pot can be divided among up to ten winners, for universal_poker
divides pots exactly and knows no odd chips. Half of the hands have unlimited stacks. The stacks of the others are whole
small bets, so that an all-in is never less than half a bet: it knows no half-bet rule and counts every all-in in full.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pyspiel

from railbird.envs import spiel_game
from railbird.game.actions import CALL, FOLD, RAISE
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game, limit_holdem

from .playouts import KNOWN, STYLES, DifferenceError, random_action

SMALL_BET = 6 * 2_520
MOST_SEATS = 10
NUMBERS = {FOLD: 0, CALL: 1, RAISE: 2}


# The known differences. Each has a runnable example in docs/peers.md.


def idle_check(node: Betting, state: pyspiel.State) -> bool:
    """OpenSpiel asks a player to check although all the others are all-in; in Railbird the betting is over."""
    stacks = node.game.stacks
    if stacks is None or not node.is_over or state.is_terminal() or state.is_chance_node():
        return False
    actor = state.current_player()
    return all(p == actor or node.committed[p] == stacks[p] for p in node.live) and state.legal_actions() == [1]


def raise_without_chips(node: Betting) -> bool:
    """OpenSpiel offers a raise to a player who can do no more than call, or whom nobody could call."""
    stacks, level = node.game.stacks, node.level
    if stacks is None:
        return False
    can_pay_more = [p for p in node.live if stacks[p] - node.committed[p] > level - node.street_bets[p]]
    return node.to_act not in can_pay_more or can_pay_more == [node.to_act]


def play_hand(seed: int) -> Counter[str]:
    """Play the random hand of this seed in both; `DifferenceError` where they disagree."""
    rng = Random(seed)
    game, peer = _games(
        seats=rng.choice((2, 2, *range(3, MOST_SEATS + 1))),
        big_bet=rng.choice((1, 2, 2)),
        small_blind=rng.choice((2, 3)),
        cap=rng.choice((4, 4, 4, 3, 2, 1, None)),
        reverse_blinds=rng.random() < 0.8,
        stacks=rng.choice((*[None] * 5, *range(5))),
    )
    deck = rng.sample(range(52), 2 * game.seats + 5)
    weights = rng.choice(STYLES)
    node, state, dealt, seen = Betting.start(game), peer.clone(), 0, Counter(hands=1)
    try:
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(deck[dealt])
                dealt += 1
            elif idle_check(node, state):
                seen[f"{KNOWN}idle_check"] += 1
                state.apply_action(NUMBERS[CALL])
            else:
                _compare_decision(node, state, seen)
                action = random_action(rng, node, weights)
                node = node.after(action)
                state.apply_action(NUMBERS[action])
        _compare_end(node, state, deck, seen)
    except Exception as problem:
        raise DifferenceError(f"{problem}; seed {seed}, {game}, betting {node.history!r}, cards {deck}") from problem
    return seen


def _compare_decision(node: Betting, state: pyspiel.State, seen: Counter[str]) -> None:
    seen["decisions"] += 1
    ours, peers = [NUMBERS[action] for action in node.legal_actions()], state.legal_actions()
    if ours != peers and raise_without_chips(node):
        seen[f"{KNOWN}raise_without_chips"] += 1
        peers.remove(NUMBERS[RAISE])
    if ours != peers or node.to_act != state.current_player():
        raise DifferenceError(f"{node.to_act} may {ours}, in OpenSpiel {state.current_player()} may {peers}")


def _compare_end(node: Betting, state: pyspiel.State, deck: list[int], seen: Counter[str]) -> None:
    if not node.is_over:
        raise DifferenceError("the hand is not over, in OpenSpiel it is")
    ranks = None
    if node.is_showdown:
        seats, live = node.game.seats, node.live
        board = tuple(deck[2 * seats :])
        ranks = [showdown_rank(node.game, tuple(deck[2 * p : 2 * p + 2]), board) for p in range(seats)]
        best = max([ranks[p] for p in live])
        seen["showdowns"] += 1
        seen["side pots"] += len({node.committed[p] for p in live}) > 1
        seen["split pots"] += sum([ranks[p] == best for p in live]) > 1
    ours, peers = payoffs(node, ranks), tuple(state.returns())
    if ours != peers:
        raise DifferenceError(f"payoffs are {ours}, in OpenSpiel {peers}")
    if not seen[f"{KNOWN}idle_check"] and f"STATE:0:{node.history}:" not in str(state):
        raise DifferenceError(f"the betting is {node.history}, in OpenSpiel {state}")


@cache
def _games(
    seats: int, big_bet: int, small_blind: int, cap: int | None, reverse_blinds: bool, stacks: int | None
) -> tuple[Game, pyspiel.State]:
    """A game and its beginning in OpenSpiel; `stacks` is the number of a random choice of stacks, None for no limit."""
    game = limit_holdem(
        seats,
        small_bet=SMALL_BET,
        big_bet=big_bet * SMALL_BET,
        small_blind=SMALL_BET // small_blind,
        cap=5 if cap is None and seats > 2 else cap,
        reverse_blinds=reverse_blinds,
    )
    if stacks is not None:
        rng = Random(stacks)
        game = replace(game, stacks=tuple([SMALL_BET * rng.randint(1, 6 * stacks + 2) for _ in range(seats)]))
    return game, spiel_game(game).new_initial_state()
