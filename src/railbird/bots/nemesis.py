"""Nemesis: it knows another bot's every probability, though not its cards, and wins what is to be won in sight.

A local best response (Lisy and Bowling 2017, "Equilibrium approximation quality of current no-limit poker bots"). The
bot is asked what it would do with each of its holdings, so Bayes' rule says how likely each is after what it did.

1. Within a betting round all that may follow is worked out: what the bot does with each holding at each of its
   decisions, and at each of its own what wins most against the holdings that are left there.
2. Where the round ends, the rest is taken to be dealt without further bets: the pot goes by all-in equity.

So the river is played perfectly against the range that the bot has there, and the other streets not quite. What it wins
is no more than what a best response wins, and takes some ten questions a hand where that takes millions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.bots.bot_policy import NAMES, silence
from railbird.bots.decision import EV_NOTES, Decision, OpponentWeights, by_action
from railbird.bots.frozen import Frozen
from railbird.bots.registry import make_bot
from railbird.bots.told_chances import told_chances
from railbird.cards import CARD_COUNT, HOLDING_COUNT, cards_text
from railbird.game.actions import CALL, FOLD, RAISE, Action
from railbird.game.betting import Betting
from railbird.game.spec import Game, Structure
from railbird.game.view import PlayerView
from railbird.odds.effective import possible_holdings
from railbird.odds.equity import holdings_equity
from railbird.solve.policy import scaled_to_legal

Array = NDArray[np.float64]
ACTIONS = FOLD, CALL, RAISE


class Nemesis(Bot):
    """Plays against one bot whose probabilities it knows, as well as can be seen within a betting round.

    to: the name of the bot that it knows, which must tell its probabilities for all holdings; one that learns is known
    as it begins.
    """

    def __init__(self, to: str = "equilibrium") -> None:
        self.to = to
        self._bot: Bot | None = None
        self._asked: _Asked | None = None

    @classmethod
    def of(cls, bot: Bot, name: str) -> Nemesis:
        """One that knows a bot that was made already, and that nobody else should play."""
        made = cls(name)
        made._bot = bot
        return made

    @property
    def bot(self) -> Bot:
        """The bot that it knows, which sees no hand."""
        if self._bot is None:
            self._bot = make_bot(self.to)
        return self._bot

    def can_play(self, game: Game) -> bool:
        is_limit = game.structure is Structure.FIXED_LIMIT and game.stacks is None
        if not (is_limit and game.is_holdem and game.seats == 2 and self.bot.can_play(game)):
            return False
        view = PlayerView(Betting.start(game), 1, (0, 1), (), 0, NAMES[::-1])
        if told_chances(self.bot, view, self.to, is_legal_only=False) is None:
            bot = self.bot.kept if isinstance(self.bot, Frozen) else self.bot
            raise silence(self.to, bot, "nobody can be its nemesis")
        return True

    def prepare(self) -> None:
        self.bot.prepare()
        for board in ((), (2, 6, 10), (2, 6, 10, 14), (2, 6, 10, 14, 18)):
            _equities((0, 5), board)

    def act(self, view: PlayerView) -> Action:
        return _best(self._values(view, self.range(view)))

    def explain(self, view: PlayerView) -> Decision:
        weights = self.range(view)
        values = self._values(view, weights)
        return Decision(
            _best(values),
            "the largest EV",
            f"it wins most against what {self.to} may hold, if nobody bets after this round",
            by_action("EV", [values.get(action, np.nan) for action in ACTIONS]),
            EV_NOTES,
            weights=OpponentWeights(weights / weights.max()),
        )

    def range(self, view: PlayerView) -> Array:
        """How likely the bot has each holding, by what it did in this hand and would have done with others."""
        asked, node = self._asked_in(view), Betting.start(view.game)
        weights = possible_holdings(view.hole_cards)
        for sign in view.history.replace("/", ""):
            column, board = "fcr".index(sign), view.board_cards[: view.game.board_seen(node.street)]
            if node.to_act != view.position:
                weights = _left(weights, board) * asked.chances(node, board)[:, column]
            node = node.after(ACTIONS[column])
        weights = _left(weights, view.board_cards)
        if not weights.any():  # it did what it says that it never does
            weights = possible_holdings((*view.hole_cards, *view.board_cards))
        return np.asarray(weights / weights.sum())

    def _values(self, view: PlayerView, weights: Array) -> dict[Action, float]:
        """What its actions win in small bets over the whole hand, against weighed holdings."""
        spot = _Spot(view, self._asked_in(view).chances)
        return {a: value / view.game.small_bet for a, value in spot.action_values(view.betting, weights).items()}

    def _asked_in(self, view: PlayerView) -> _Asked:
        hand = view.game, view.hand_number
        if self._asked is None or self._asked.hand != hand:
            self._asked = _Asked(self.bot, self.to, hand)
        return self._asked


class _Asked:
    """What a bot answers in one hand; each question is asked once."""

    def __init__(self, bot: Bot, name: str, hand: tuple[Game, int]) -> None:
        self.bot, self.name, self.hand = bot, name, hand
        self._known: dict[tuple[str, tuple[int, ...]], Array] = {}

    def chances(self, betting: Betting, board: tuple[int, ...]) -> Array:
        """Fold, call and raise by holding at a decision of the bot."""
        key = betting.history, board
        if key not in self._known:
            free = [card for card in range(CARD_COUNT) if card not in board]
            names = NAMES if betting.to_act == 0 else NAMES[::-1]
            view = PlayerView(betting, betting.to_act, (free[0], free[1]), board, self.hand[1], names)
            said = told_chances(self.bot, view, self.name, is_legal_only=False)
            assert said is not None  # or it could not play
            legal = np.array([betting.can_fold, True, betting.can_raise])
            self._known[key] = np.asarray(scaled_to_legal(said, legal), np.float64)
        return self._known[key]


class _Spot:
    """A decision, and what may follow within its betting round."""

    def __init__(self, view: PlayerView, chances: Callable[[Betting, tuple[int, ...]], Array]) -> None:
        self.view, self._chances = view, chances
        self._edge = 2.0 * _equities(view.hole_cards, view.board_cards) - 1.0

    def action_values(self, node: Betting, weights: Array) -> dict[Action, float]:
        """What own actions win in chips against weighed holdings, the money already put in counting as lost."""
        taken = [a for a in ACTIONS if node.is_legal(a) and not (a == FOLD and node.to_call == 0)]
        return {action: self._value(node.after(action), weights) for action in taken}

    def _value(self, node: Betting, weights: Array) -> float:
        view = self.view
        own, other = node.committed[view.position], node.committed[1 - view.position]
        if node.folded:
            return float(weights.sum()) * (-own if node.folded >> view.position & 1 else other)
        if node.is_over or node.street != view.betting.street:
            return float(weights @ self._edge) * own
        if node.to_act == view.position:
            return max(self.action_values(node, weights).values())
        chances = self._chances(node, view.board_cards)
        return sum(
            self._value(node.after(action), weights * chances[:, column])
            for column, action in enumerate(ACTIONS)
            if node.is_legal(action)
        )


def _best(values: dict[Action, float]) -> Action:
    return max(values, key=lambda action: values[action])


def _left(weights: Array, cards: tuple[int, ...]) -> Array:
    """The weights without holdings that have one of the cards."""
    return np.asarray(weights * possible_holdings(cards)) if cards else weights


@lru_cache(maxsize=4096)
def _equities(hole: tuple[int, ...], board: tuple[int, ...]) -> Array:
    """By holding of the other: the equity of one's own, a half where both cannot be dealt."""
    theirs = holdings_equity(cards_text(hole), np.ones(HOLDING_COUNT), cards_text(board))
    return np.asarray(0.5 - np.nan_to_num(theirs - 0.5))
