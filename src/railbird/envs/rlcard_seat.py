"""An agent of RLCard as a player of limit hold'em.

The agent is asked with the state that RLCard's `limit-holdem` would show it: 72 numbers (the cards it sees, and the
raises of each street), the legal actions, and the same in words. The rules are Railbird's: who acts first after the
flop, and how often may be raised. RLCard offers a fold where checking is free; that fold is a check here.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from railbird.bots.base import Bot
from railbird.cards import card_text
from railbird.envs.observations import raises_made
from railbird.errors import IllegalActionError, UnknownBotError
from railbird.game.actions import CALL, FOLD, Action
from railbird.game.betting import Betting, split_history
from railbird.game.spec import Game, Structure
from railbird.game.view import PlayerView

ACTIONS = ("call", "raise", "fold", "check")
"""RLCard's actions by number."""
_RANKS = "A23456789TJQK"
_SUITS = "SHDC"
_BIG_BLIND = 2
"""In RLCard's chips."""
STATE_SIZE = 72
_MOST_RAISES = 4


class RLCardSeat(Bot):
    """Any object with RLCard's `eval_step(state)` and `use_raw` in a match of limit hold'em, two and more players.

    RLCard's agents draw from NumPy's global random numbers. While one is asked they follow from the match's seed, and
    afterwards they are as they were.

    >>> from rlcard.agents import RandomAgent
    >>> from railbird.play.matches import play_match
    >>> first, again = [play_match(RLCardSeat(RandomAgent(4)), "always-call", hands=50, seed=7) for _ in range(2)]
    >>> first.players[0].money == again.players[0].money
    True
    """

    def __init__(self, agent: Any) -> None:
        if not hasattr(agent, "eval_step"):
            raise UnknownBotError(f"{agent!r} is no agent of RLCard: it has no eval_step")
        self.agent = agent
        """The agent of RLCard."""

    def can_play(self, game: Game) -> bool:
        return game.is_holdem and game.structure is Structure.FIXED_LIMIT and game.stacks is None

    def act(self, view: PlayerView) -> Action:
        before = np.random.get_state()
        np.random.seed(self.rng.bits() >> 32)
        try:
            answer = self.agent.eval_step(limit_state(view))
        finally:
            np.random.set_state(before)
        chosen = answer[0] if isinstance(answer, tuple) else answer
        return action_of(view, chosen if isinstance(chosen, str) else _named(chosen))


def limit_state(view: PlayerView) -> dict[str, Any]:
    """The state of RLCard's `limit-holdem` in a view."""
    made = [min(sum(street), _MOST_RAISES) for street in raises_made(view)]
    legal = legal_words(view)
    hand, board = [_card(card) for card in view.hole_cards], [_card(card) for card in view.board_cards]
    row = np.zeros(STATE_SIZE)
    row[[_index(card) for card in (*board, *hand)]] = 1
    for street, raises in enumerate(made):
        row[52 + 5 * street + raises] = 1
    chips = [chips * _BIG_BLIND // view.game.small_bet for chips in view.betting.committed]
    raw = {
        "hand": hand,
        "public_cards": board,
        "all_chips": chips,
        "my_chips": chips[view.position],
        "legal_actions": legal,
        "raise_nums": made,
    }
    return {
        "legal_actions": OrderedDict((ACTIONS.index(word), None) for word in legal),
        "obs": row,
        "raw_obs": raw,
        "raw_legal_actions": list(legal),
        "action_record": _record(view),
    }


def legal_words(view: PlayerView) -> list[str]:
    """What may be done, as RLCard says it, who offers a fold always."""
    owes = view.to_call_chips > 0
    return [*(["call"] if owes else []), *(["raise"] if view.can_raise else []), "fold", *([] if owes else ["check"])]


def action_of(view: PlayerView, word: str) -> Action:
    """What a word of RLCard's means; one that is not legal is a check, or else a fold, as in RLCard."""
    if word not in ACTIONS:
        raise IllegalActionError(f"{word!r:.40} is no action of RLCard's ({', '.join(ACTIONS)})")
    if word not in legal_words(view) or word == "fold":
        return FOLD if view.can_fold else CALL
    return view.smallest_raise() if word == "raise" else CALL


def _named(number: Any) -> str:
    try:
        return ACTIONS[int(number)]
    except (IndexError, TypeError, ValueError):
        raise IllegalActionError(f"{number!r:.40} is no action of RLCard's (0 to {len(ACTIONS) - 1})") from None


def _record(view: PlayerView) -> list[tuple[int, str]]:
    """What was done so far: by whom (his position), and what."""
    node, found = Betting.start(view.game), []
    for text in split_history(view.history):
        if text != "/":
            words = {"f": "fold", "r": "raise", "c": "call" if node.to_call else "check"}
            found.append((node.to_act, words[text[0]]))
            node = node.after(Action.parse(text))
    return found


def _card(card: int) -> str:
    """A card as RLCard writes it, the suit first.

    >>> _card(51)
    'SA'
    """
    text = card_text(card)
    return text[1].upper() + text[0]


def _index(card: str) -> int:
    return 13 * _SUITS.index(card[0]) + _RANKS.index(card[1])
