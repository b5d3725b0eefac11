"""Why Loki or Vexbot decides as it does in a position: the hand rebuilt from its public history, and what decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from railbird.bots.base import Bot
from railbird.bots.loki import Decision, Loki, typical_weights
from railbird.bots.registry import make_bot
from railbird.bots.vexbot import SearchDecision, Vexbot
from railbird.bots.vexbot2 import Vexbot2
from railbird.cards import HOLDING_COUNT, cards_text, check_distinct, parse_board, parse_cards
from railbird.errors import IllegalActionError, InvalidCardsError, UnknownBotError
from railbird.game.actions import Action
from railbird.game.betting import Betting, split_history
from railbird.game.spec import STREETS, limit_holdem
from railbird.game.view import PlayerView
from railbird.modeling.reweighting import Weights
from railbird.odds.effective import possible_holdings

_REASONS = {
    "Make4": "worth raising until the betting is capped",
    "Make2": "worth two bets: raise while fewer were made, then call",
    "Make1": "worth one bet: bet if nobody has, then call no more than one, or what was begun",
    "Call2": "worth a call of any number of bets",
    "Call1": "worth a call of one bet",
    "Make0": "worth no bet: check if that is free",
    "semi-bluff: PPOT is worth two bets": "a draw that could call a bet and a raise, so it bets by itself",
    "semi-bluff: going on with it": "the semi-bluff of the street before goes on, nobody having bet against it",
    "pot odds": "the chance is worth the price of the next card",
    "showdown odds": "good enough to pay for all that is expected up to the showdown",
    "simulation: the largest EV": "it wins most on average when the hand is played out",
    "miximax: the largest EV": "it wins most on average in the search of the hand to its end",
    "miximix: a draw among the EVs": "drawn by chance: the more an action wins in the search, the likelier it is taken",
    "the equilibrium, bent towards the EVs": "drawn by chance: the equilibrium's play, but the more an action wins in "
    "the search the likelier; the more is known of the opponent, the more that counts",
    "check": "nothing calls for a bet, and to check is free",
    "fold": "no rule pays for a call",
}


@dataclass(frozen=True)
class Step:
    """One rule that was tried: whether `value`, the quantity `name`, reaches `threshold`, the quantity `against`."""

    rule: str
    name: str
    value: float
    against: str
    threshold: float

    @property
    def holds(self) -> bool:
        return self.value >= self.threshold


@dataclass(frozen=True)
class Explanation:
    """A decision of Loki's or Vexbot's with all that led to it."""

    bot: str
    view: PlayerView
    decision: Decision
    steps: tuple[Step, ...]
    field: Weights | None
    """The average weight of the opponents' holdings, each from 0 to 1; nan for those that cannot be dealt. Vexbot,
    which looks at what was shown after the same betting instead, has none."""

    @property
    def verb(self) -> str:
        """The action in a word or two.

        >>> explain("AdTd", history="ff", seats=6, bot="loki:tightness=tight").verb
        'raise'
        """
        kind, view = self.decision.action.kind, self.view
        if kind == "f":
            return "fold"
        if kind == "c":
            return f"call {view.to_call_chips}" if view.to_call_chips else "check"
        return "raise" if view.betting.level else "bet"

    @property
    def reason(self) -> str:
        """The rule that decides, in words; the rule's name where it says all."""
        rule = self.decision.rule
        if rule == "pot odds" and self.view.street == "river":
            return "the chance to be ahead is worth the price of the showdown"
        return _REASONS.get(rule) or _REASONS.get(rule[:5], rule)

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.explain/1, without the grid."""
        view = self.view
        answer: dict[str, Any] = {
            "schema": "railbird.explain/1",
            "bot": self.bot,
            "holding": view.holding,
            "board": view.board,
            "street": view.street,
            "history": view.history,
            "seats": len(view.names),
            "position": view.position,
            "opponents": len(view.opponents),
            "pot_chips": view.pot_chips,
            "to_call_chips": view.to_call_chips,
            "action": str(self.decision.action),
            "words": self.verb,
            "rule": self.decision.rule,
            "reason": self.reason,
            "quantities": self.decision.quantities,
            "steps": [
                {
                    "rule": step.rule,
                    "quantity": step.name,
                    "value": step.value,
                    "against": step.against,
                    "threshold": step.threshold,
                    "holds": step.holds,
                }
                for step in self.steps
            ],
        }
        if isinstance(self.decision, SearchDecision):
            lines = self.decision.lines
            answer["lines"] = [{"history": line.history, "chance": line.chance, "value": line.value} for line in lines]
            answer["histograms"] = self.decision.histograms
        return answer


def explain(
    holding: str, board: str = "", history: str | None = None, seats: int = 2, bot: str = "loki"
) -> Explanation:
    """The decision of `bot`, one of Vexbot's or Loki's family, as the player to act after `history` in a limit game.

    The history is that of the competition's logs, as in "crrc/cr"; without one, everybody has called and checked.
    The bot knows the opponents from this hand only.

    >>> found = explain("AdQc", "3h4cJh", seats=6)
    >>> str(found.decision.action), found.decision.rule
    ('c', 'check')
    """
    hole, dealt = parse_cards(holding, count=2), parse_board(board)
    check_distinct(hole, dealt)
    start = Betting.start(limit_holdem(seats))
    history = _quiet_history(start, len(dealt)) if history is None else history
    node = start.play(history)
    if node.is_over:
        raise IllegalActionError(f"nobody is left to act after {history!r}: the hand is over")
    wanted = node.game.board_seen(node.street)
    if len(dealt) != wanted:
        raise InvalidCardsError(
            f"the board {cards_text(dealt)!r} has {len(dealt)} cards, but after {history!r} comes the "
            f"{STREETS[node.street]}, with {wanted}"
        )
    player = make_bot(bot)
    if not isinstance(player, Loki | Vexbot | Vexbot2):
        raise UnknownBotError(
            f"{bot!r} gives no reasons; ask one of Loki's family, such as loki-gom, vexbot or vexbot2"
        )
    if not player.can_play(start.game):
        raise UnknownBotError(f"{bot!r} does not play with {seats} seats")
    player.seed_hand(0)
    view = _replayed(player, start, history, node.to_act, hole, dealt)
    decision: Decision = player.decide(view)
    if isinstance(player, Vexbot):
        return Explanation(bot, view, decision, (), None)
    if isinstance(player, Vexbot2):
        belief = player.belief(view)
        possible = possible_holdings(view.board_cards + view.hole_cards) > 0
        return Explanation(bot, view, decision, (), np.where(possible, belief / belief.max(), np.nan))
    return Explanation(bot, view, decision, _steps(player, view, decision), _field(player, view))


def _quiet_history(start: Betting, board_cards: int) -> str:
    """Everybody calls and checks until there are so many cards on the board."""
    node = start
    while node.game.board_seen(node.street) < board_cards:
        node = node.after(Action("c"))
    return node.history


def _replayed(
    player: Bot, start: Betting, history: str, position: int, hole: tuple[int, ...], dealt: tuple[int, ...]
) -> PlayerView:
    """What `player` sees at the end of the history, having seen it happen, and having been asked on his turns."""
    names = tuple(f"seat {seat + 1}" for seat in range(start.game.seats))

    def seen(node: Betting) -> PlayerView:
        return PlayerView(node, position, hole, dealt[: node.game.board_seen(node.street)], 0, names)

    node = start
    player.on_hand(seen(node))
    for text in split_history(history):
        if text == "/":
            continue
        action = Action.parse(text)
        if node.to_act == position:
            player.act(seen(node))
        player.on_action(seen(node), node.to_act, action)
        node = node.after(action)
    return seen(node)


def _field(player: Loki, view: PlayerView) -> Weights:
    """The weights that the player gives his opponents' holdings, on average."""
    if player.modeling == "uniform":
        weights = np.ones(HOLDING_COUNT)
    elif player.modeling == "none":
        weights = typical_weights()
    else:
        arrays = player.model.weights()
        weights = np.mean([arrays[position] for position in view.opponents], axis=0)
    return np.where(possible_holdings(view.board_cards + view.hole_cards) > 0, weights, np.nan)


def _steps(player: Loki, view: PlayerView, decision: Decision) -> tuple[Step, ...]:
    """The rules in the order in which Loki tries them, up to the one that holds."""
    known = decision.quantities
    if not view.board_cards:
        tried = [
            Step(name, "IR", known["IR"], f"threshold of {name}", known[name])
            for name in ("Make4", "Make2", "Call2", "Make1", "Call1")
        ]
    elif player.betting == "simulation":
        return ()  # expected values are compared with each other
    else:
        tried = [
            Step("Make2", "EHS'", known["EHS'"], "make2", player.make2),
            Step("Make1", "EHS'", known["EHS'"], "make1", player.make1),
        ]
        calls_by = "EHS" if view.street == "river" else "PPOT"
        for rule, name, against in (
            ("semi-bluff", "PPOT", "pot odds of two bets"),
            ("pot odds", calls_by, "pot odds"),
            ("showdown odds", "EHS", "showdown odds"),
        ):
            if against in known and _is_used(player, rule, view):
                tried.append(Step(rule, name, known[name], against, known[against]))
    first = next((place for place, step in enumerate(tried) if step.holds), len(tried))
    return tuple(tried[: first + 1])


def _is_used(player: Loki, rule: str, view: PlayerView) -> bool:
    """Whether the player has the feature, and whether it counts on this street."""
    if rule == "semi-bluff":
        return player.semi_bluff and player.potential and view.street != "river"
    return player.pot_odds and (player.potential or view.street == "river") if rule == "pot odds" else True
