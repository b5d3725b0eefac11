"""Whether what a bot says of its probabilities can be right, at random decisions of the games that it plays.

Measures and best responses ask a bot that does not learn at any decision, without having shown it the hand, so that is
what is done here. Whether `act` draws from the answers is not looked at. It runs in the process of the bot, which has
no use for what deals cards, so nothing of that is imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

import numpy as np

from railbird.bots.base import Bot
from railbird.bots.told_chances import TOLERANCE, own_chances, place_words, told_actions, told_chances
from railbird.cards import CARD_COUNT, holding_index
from railbird.errors import InvalidChancesError
from railbird.game.betting import Betting
from railbird.game.spec import Game, named_game
from railbird.game.view import PlayerView

_HANDS = 8
"""Of each game."""
_FOLDS = 0.1


def wrong_chances(bot: Bot, games: Sequence[tuple[str, int]], seconds: float) -> str:
    """What is wrong with a bot's probabilities in games, by name and seats: the first thing that is found in about so
    many seconds, or nothing, which it is too where the bot does not tell them."""
    until = monotonic() + seconds
    for hand in range(_HANDS):
        for name, seats in games:
            for view in _decisions(named_game(name, seats), hand):
                try:
                    wrong = _wrong(bot, view)
                except InvalidChancesError as error:
                    wrong = str(error)
                if wrong:
                    return f"{wrong} ({name} with {seats} seats)"
                if monotonic() > until:
                    return ""
    return ""


def _decisions(game: Game, hand: int) -> Iterator[PlayerView]:
    """The decisions of a hand that is played by chance, each as its player sees it; the same for every bot."""
    generator, node = np.random.default_rng(hand), Betting.start(game)
    cards = generator.permutation(CARD_COUNT).tolist()
    names = tuple(f"player {at + 1}" for at in range(game.seats))
    while node.to_act >= 0:
        hole, board = tuple(cards[5 + 2 * node.to_act :][:2]), tuple(cards[: game.board_seen(node.street)])
        yield PlayerView(node, node.to_act, hole, board, hand, names)
        legal = [action for action in node.legal_actions() if action.kind != "f" or generator.random() < _FOLDS]
        node = node.after(legal[int(generator.integers(len(legal)))])


def _wrong(bot: Bot, view: PlayerView) -> str:
    """What is wrong in a view, unless that is an exception."""
    actions = told_actions(bot, view, "it")
    every = told_chances(bot, view, "it", actions)
    own = own_chances(bot, view, "it", actions) if every is not None else None
    if every is None or own is None:
        return ""
    said = every[holding_index(*view.hole_cards)]
    if np.abs(own - said).max() <= TOLERANCE:
        return ""
    first, second = (tuple(np.round(row, 4).tolist()) for row in (own, said))
    return f"it gives {first} with {view.holding} {place_words(view)}, and {second} for it with every=True"
