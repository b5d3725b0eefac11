"""What an agent is shown of a decision: one row of numbers from 0 to 1, the same in every environment.

By number of seats n, with players counted from the agent onwards in the order of play:

    52      the agent's own cards
    52      the board
    4       the street
    n       the agent's position: 0 is the first to act after the flop, the last one has the button
    n       who has not folded
    n       chips put into this hand, as a share of the most that a player can put in
    4 n     by street and player: his bets and raises, in quarters, no more than four
    1       chips to call, as a share of the same
    1       the pot, as a share of n times the same

`railbird.kernels.play.open_tables` writes the same rows; tests compare them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from railbird.cards import card_text
from railbird.errors import InvalidGameError
from railbird.game.actions import Action
from railbird.game.betting import split_history
from railbird.game.spec import STREETS, Game
from railbird.game.view import PlayerView
from railbird.play.steps import Step

Row = NDArray[np.float32]
MOST_COUNTED = 4
"""As many raises of a player on a street are told apart."""


def observation_size(game: Game) -> int:
    """How many numbers an observation has.

    >>> from railbird.game.spec import limit_holdem
    >>> observation_size(limit_holdem()), observation_size(limit_holdem(6))
    (124, 152)
    """
    return 110 + 7 * game.seats


def observation_names(game: Game) -> list[str]:
    """What each number of an observation is."""
    cards = [card_text(card) for card in range(52)]
    players = ["own", *[f"{after} after own" for after in range(1, game.seats)]]
    return [
        *[f"holds {card}" for card in cards],
        *[f"board {card}" for card in cards],
        *STREETS,
        *[f"position {position}" for position in range(game.seats)],
        *[f"live, {player}" for player in players],
        *[f"chips, {player}" for player in players],
        *[f"{street} raises, {player}" for street in STREETS for player in players],
        "to call",
        "pot",
    ]


def most_chips(game: Game) -> int:
    """The most that a player can put into a hand.

    >>> from railbird.game.spec import limit_holdem
    >>> most_chips(limit_holdem())
    48
    """
    if not game.is_holdem:
        raise InvalidGameError(f"environments play Texas Hold'em, not {game.name}")
    if game.stacks is not None:
        return max(game.stacks)
    sizes = game.largest_bets or game.bet_sizes
    raised = [size * raises for size, raises in zip(sizes, game.max_raises) if raises is not None]
    if len(raised) < game.streets:
        raise InvalidGameError(f"{game.name} has neither a cap on raises nor stacks, so there is no end to its bets")
    return game.ante + max(game.blinds) + sum(raised)


def observation(view: PlayerView) -> Row:
    """The numbers of a view, whoever's turn it is."""
    game, node, own = view.game, view.betting, view.position
    seats, most = game.seats, most_chips(game)
    row = np.zeros(observation_size(game), np.float32)
    row[list(view.hole_cards)] = 1
    row[[52 + card for card in view.board_cards]] = 1
    row[104 + node.street] = 1
    row[108 + own] = 1
    at = 108 + seats
    raises = raises_made(view)
    for after in range(seats):
        player = (own + after) % seats
        row[at + after] = not node.folded >> player & 1
        row[at + seats + after] = node.committed[player] / most
        for street in range(game.streets):
            made = min(raises[street][player], MOST_COUNTED)
            row[at + (2 + street) * seats + after] = made / MOST_COUNTED
    row[-2] = view.to_call_chips / most
    row[-1] = node.pot / (seats * most)
    return row


def raises_made(view: PlayerView) -> list[list[int]]:
    """By street and position, the bets and raises of the hand so far."""
    step = Step.first(view.game)
    found = [[0] * view.game.seats for _ in range(view.game.streets)]
    for text in split_history(view.history):
        if text != "/":
            found[step.street][step.to_act] += text[0] == "r"
            step = step.after(Action.parse(text))
    return found
