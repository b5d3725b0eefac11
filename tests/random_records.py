"""Random hands of random games for the tests of formats: stacks, antes, missed blinds, all-ins, side pots, rake."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game, limit_holdem, no_limit_holdem, pot_limit_holdem


def random_game(random: Random, most_seats: int = 9) -> Game:
    """Limit, no-limit or pot-limit hold'em with stacks, some of them short."""
    seats = random.randint(2, most_seats)
    make = random.choice((limit_holdem, limit_holdem, no_limit_holdem, pot_limit_holdem))
    unit = random.choice((2, 10, 50, 100))
    if make is limit_holdem:
        game = limit_holdem(seats, small_bet=unit, ante=random.choice((0, 0, 0, 1)))
    else:
        game = make(seats, small_blind=unit // 2, big_blind=unit, ante=random.choice((0, 0, 0, 1)))
    stacks = tuple(
        [random.choice((random.randint(1, 5 * unit), random.randint(unit, 200 * unit))) for _ in range(seats)]
    )
    game = replace(game, stacks=stacks)
    if seats > 3 and random.random() < 0.2:  # somebody comes back and posts both blinds
        at = random.randint(2, seats - 1)
        blinds = tuple([unit if p == at else blind for p, blind in enumerate(game.blinds)])
        game = replace(game, blinds=blinds, dead=tuple([unit // 2 if p == at else 0 for p in range(seats)]))
    elif seats > 2 and random.random() < 0.15:  # the small blind is missing
        game = replace(game, blinds=(0, *game.blinds[1:]))
    return game


def random_record(random: Random, game: Game | None = None, number: int = 0, raked: bool = False) -> HandRecord:
    """One hand of players who act at random."""
    game = game or random_game(random)
    deck = list(range(52))
    random.shuffle(deck)
    node = Betting.start(game)
    while not node.is_over:
        legal = node.legal_actions()
        action = random.choice(legal)
        if action.kind == "f" and random.random() < 0.5:
            action = legal[1]
        if action.amount:
            low, high = node.min_raise_to, node.max_raise_to
            action = action._replace(amount=random.choice((low, high, random.randint(low, min(high, 3 * low)))))
        node = node.after(action)
    holes = tuple([tuple(deck[2 * p : 2 * p + 2]) for p in range(game.seats)])
    board = tuple(deck[-5:][: game.board_seen(node.street)])
    ranks = [showdown_rank(game, hole, board) for hole in holes] if node.is_showdown else None
    won = list(payoffs(node, ranks))
    if raked and (best := max(won)) > 20:
        won[won.index(best)] -= best // 20
    names = tuple([f"Player {p}" for p in range(game.seats)])
    return HandRecord(game, number, names, holes, board, node.history, tuple(won))
