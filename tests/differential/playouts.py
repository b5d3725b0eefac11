"""Random games and random players that often go all-in, split pots and reach the showdown."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from railbird.game.actions import CALL, FOLD, RAISE, Action, raise_to
from railbird.game.betting import Betting
from railbird.game.spec import Game, Structure, limit_holdem, no_limit_holdem, pot_limit_holdem, spread_limit_holdem

STYLES = ((1, 8, 2), (1, 4, 4), (2, 3, 3), (0, 1, 1), (4, 4, 1), (1, 2, 8))
"""Weights of fold, call and raise."""
KNOWN = "known difference "
"""Under this and their names the documented differences are counted."""
NEVER_SHORT = 10**8
"""Stacks that no limit hand can exhaust."""


class DifferenceError(AssertionError):
    """Railbird and a peer disagree where no named difference explains it. The message tells how to see it again."""


def random_game(rng: Random, structures: tuple[Structure, ...], most_seats: int) -> Game:
    """A game of one of these structures with random stakes, caps, antes and stacks, heads-up more often than not."""
    seats = rng.choice((2, 2, *range(3, most_seats + 1)))
    structure = rng.choice(structures)
    big_blind = rng.choice((2, 4, 10, 20))
    small_blind = rng.choice((big_blind // 2, big_blind // 2, 1, big_blind if seats > 2 else big_blind - 1))
    ante = rng.choice((0, 0, 0, 1, 2, big_blind))
    reverse = rng.random() < 0.8
    if structure is Structure.FIXED_LIMIT:
        cap = rng.choice((4, 4, 4, 3, 1, 5, None if seats == 2 else 2))
        big_bet = rng.choice((big_blind, 2 * big_blind, 2 * big_blind, 3 * big_blind))
        game = limit_holdem(
            seats,
            small_bet=big_blind,
            big_bet=big_bet,
            small_blind=small_blind,
            cap=cap,
            ante=ante,
            reverse_blinds=reverse,
        )
    elif structure is Structure.SPREAD_LIMIT:
        game = spread_limit_holdem(
            seats,
            smallest=big_blind,
            largest=big_blind * rng.choice((1, 2, 5)),
            ante=ante,
            small_blind=small_blind,
            big_blind=big_blind,
            cap=rng.choice((4, 3, 1)),
            reverse_blinds=reverse,
        )
    else:
        make = pot_limit_holdem if structure is Structure.POT_LIMIT else no_limit_holdem
        game = make(seats, small_blind=small_blind, big_blind=big_blind, ante=ante, reverse_blinds=reverse)
    return replace(game, stacks=_random_stacks(rng, game))


def random_action(rng: Random, node: Betting, weights: tuple[int, int, int], can_raise: bool = True) -> Action:
    """A legal action; raises are often the smallest, the largest, or just about another player's stack."""
    kind = rng.choices("fcr", weights)[0]
    if kind == "f":
        return FOLD if node.can_fold else CALL
    if kind == "c" or not can_raise or not node.can_raise:
        return CALL
    game = node.game
    if game.structure is Structure.FIXED_LIMIT:
        return RAISE
    least, most = node.min_raise_to, node.max_raise_to
    how = rng.random()
    if how < 0.4:
        return raise_to(least)
    if how < 0.55 or game.stacks is None:
        return raise_to(most)
    if how < 0.8:
        return raise_to(min(most, max(least, rng.choice(game.stacks) - rng.choice((0, 0, 1, 3)))))
    return raise_to(rng.randint(least, min(most, 2 * least)))


def _random_stacks(rng: Random, game: Game) -> tuple[int, ...] | None:
    """Stacks of one of several kinds; in limit games that can be no end of chips. The big blind can mostly be paid."""
    seats, smallest, bet = game.seats, game.bet_sizes[0], max(game.bet_sizes)
    kind = rng.choice(("tiny", "short", "middling", "mixed", "equal", "whole bets", "ladder", "deep"))
    if kind == "deep" and game.structure in (Structure.FIXED_LIMIT, Structure.SPREAD_LIMIT):
        return None
    if kind == "tiny":
        stacks = [rng.randint(smallest // 2, 4 * bet) for _ in range(seats)]
    elif kind == "short":
        stacks = [rng.randint(smallest // 2, 15 * bet) for _ in range(seats)]
    elif kind == "middling":
        stacks = [rng.randint(5 * bet, 60 * bet) for _ in range(seats)]
    elif kind == "mixed":
        stacks = [rng.randint(1, rng.choice((3, 20, 400)) * bet) for _ in range(seats)]
    elif kind == "equal":
        stacks = [rng.randint(bet, 40 * bet)] * seats
    elif kind == "whole bets":
        stacks = [game.ante + smallest * rng.randint(1, 30) for _ in range(seats)]
    elif kind == "ladder":
        # The first player has plenty; the others can go all-in one a little above the other.
        first, base = game.first_to_act[0], rng.randint(1, 4) * bet
        rungs = sorted([base + rng.randint(0, 2 * bet) for _ in range(seats)])
        stacks = [rungs[(p - first) % seats] for p in range(seats)]
        stacks[first] = 100 * bet
    else:
        stacks = [rng.randint(200 * bet, 1000 * bet) for _ in range(seats)]
    if rng.random() < 0.9:
        big_blind = game.blinds.index(max(game.blinds))
        stacks[big_blind] = max(stacks[big_blind], game.ante + game.blinds[big_blind] + rng.randint(0, 2))
    return tuple(stacks)
