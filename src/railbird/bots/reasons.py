"""Why a bot decides as it does in a position: the hand rebuilt from its public history, and the bot's own reasons."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from railbird.bots.base import Bot
from railbird.bots.decision import Decision
from railbird.bots.following import events_until
from railbird.bots.registry import make_bot
from railbird.cards import RANKS, cards_text, check_distinct, parse_board, parse_cards
from railbird.errors import IllegalActionError, InvalidCardsError, RailbirdError, UnknownBotError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.spec import STREETS, Structure, limit_holdem
from railbird.game.view import PlayerView
from railbird.modeling.reweighting import Weights
from railbird.odds.effective import possible_holdings
from railbird.odds.ranges import grid as class_grid
from railbird.odds.ranks import rank_cards, rank_name
from railbird.results.parts import Grid, Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.words import count_of

_BARS = " ▁▂▃▄▅▆▇█"
_MOST_LINES = 10
_BLANK = Line("", indent=0)


@dataclass(frozen=True, repr=False)
class Explanation(Result):
    """A bot's decision in a position, with all that led to it."""

    bot: str
    view: PlayerView
    decision: Decision
    with_grid: bool = False
    """Whether the weights of the opponents' holdings are told too."""

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
        word = "raise" if view.betting.level else "bet"
        return word if view.game.structure is Structure.FIXED_LIMIT else f"{word} to {self._street_total()}"

    def _street_total(self) -> int:
        """What the player then has put in on this street."""
        node = self.view.betting
        return self.decision.action.amount - node.committed[node.to_act] + node.street_bets[node.to_act]

    @property
    def reason(self) -> str:
        """The rule that decides, in words; the rule's name where it says all."""
        return self.decision.reason or self.decision.rule

    @property
    def weights(self) -> Weights | None:
        """The weights that the bot gives its opponents' holdings, on average; nan for those that cannot be dealt. None
        for a bot that does not weigh holdings."""
        if self.decision.weights is None:
            return None
        possible = possible_holdings(self.view.board_cards + self.view.hole_cards) > 0
        return np.where(possible, self.decision.weights.array, np.nan)

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.explain/1."""
        view = self.view
        answer = {
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
            **self.decision.to_json(),
        }
        if self.with_grid:
            answer["grid"] = [[None if isnan(weight) else weight for weight in row] for row in self.class_weights()]
        return answer

    def rows(self) -> list[dict[str, Any]]:
        """A row for each quantity."""
        return [{"quantity": name, "value": value} for name, value in self.decision.quantities.items()]

    def parts(self) -> list[Part]:
        view, decision = self.view, self.decision
        board = f"on the {view.street} {cards_text(view.board_cards, pretty=True)}" if view.board else "before the flop"
        found: list[Part] = [Heading(f"{cards_text(view.hole_cards, pretty=True)} {board}")]
        found.append(Line(self._situation(), indent=0))
        blocks: list[list[Part]] = []
        if rows := decision.shown():
            blocks.append([Table(rows, left=(2,), folded=(2,), bold=(0,), indent=0)])
        if decision.steps:
            tried = [(f"{step.rule}?", str(step), "yes" if step.holds else "no") for step in decision.steps]
            blocks.append([Table(tried, words=3, folded=(0, 1, 2), indent=0)])
        if decision.outlook:
            lines = decision.outlook.lines[:_MOST_LINES]
            written = [(line.history, f"{line.chance:.1%}", f"{line.value:+.2f}") for line in lines]
            outlook: list[Part] = [Table(written, ("line", "chance", "EV"), bold=(0,), indent=0)]
            for line, histogram in decision.outlook.histograms.items():
                what = "hands believed now" if line == "now" else f"after {line}, hands shown"
                outlook.append(Line(f"{what}, from the worst to the best |{_bars(histogram)}|", indent=0))
            blocks.append(outlook)
        for block in blocks:
            found += [_BLANK, *block]
        found += [_BLANK, Line(f"{self.bot}: {self.verb}, {self.reason}", indent=0)]
        if self.with_grid and decision.weights:
            caption = f"100: {decision.weights.full}; suited above the diagonal, offsuit below; . cannot be dealt"
            title = "weights of the opponents' holdings, average, %"
            found += [_BLANK, Grid(self.class_weights(), RANKS[::-1], title, caption)]
        return found

    def _situation(self) -> str:
        view = self.view
        parts = [rank_name(rank_cards(view.hole_cards + view.board_cards))] if view.board else []
        parts += [
            f"position {view.position + 1} of {len(view.names)}",
            count_of(len(view.opponents), "opponent"),
            f"pot {view.pot_chips}",
            f"{view.to_call_chips} to call" if view.to_call_chips else "nothing to call",
            f"history {view.history.rstrip('/')}" if view.history else "first to act",
        ]
        return ", ".join(parts)

    def class_weights(self) -> list[list[float]]:
        """The weights by class of holdings, 13x13; of a bot that weighs them."""
        assert self.weights is not None
        cells: list[list[float]] = class_grid(self.weights).tolist()
        return cells


def explain(
    holding: str,
    board: str = "",
    history: str | None = None,
    seats: int = 2,
    bot: str | type[Bot] | Bot = "loki",
    grid: bool = False,
) -> Explanation:
    """The decision of `bot`, with its reasons, as the player to act after `history` in a limit game.

    The history is that of the competition's logs, as in "crrc/cr"; without one, everybody has called and checked. The
    bot is a name, a file with its class, a class or a bot. It knows the opponents from this hand only; a bot that has
    played before also from that, and is not changed.

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
    name = bot if isinstance(bot, str) else (bot if isinstance(bot, type) else type(bot)).__name__
    names = tuple(f"seat {seat + 1}" for seat in range(seats))
    view = PlayerView(node, node.to_act, hole, dealt, 0, names)
    with speaking(name):
        player = deepcopy(bot) if isinstance(bot, Bot) else make_bot(bot)
        if not player.can_play(start.game):
            raise UnknownBotError(f"{name!r} does not play with {seats} seats")
        player.seed_hand(0)
        for event in events_until(view):
            event.tell(player)
    return explanation(name, player, view, grid)


def explanation(name: str, player: Bot, view: PlayerView, grid: bool = False) -> Explanation:
    """The decision of a bot that has followed the hand up to `view`, with its reasons."""
    with speaking(name):
        decision = player.explain(view)
    if not isinstance(decision, Decision):
        raise UnknownBotError(f"{name!r} explains with {decision!r}, which is no Decision")
    if grid and decision.weights is None:
        raise UnknownBotError(f"{name!r} does not weigh the opponents' holdings: there is no grid to show")
    return Explanation(name, view, decision, grid)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """What the bot prints goes to stderr, and what goes wrong in it is said in one line."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except RailbirdError:
        raise
    except (Exception, SystemExit) as error:
        raise UnknownBotError(f"{name!r} cannot explain itself: {type(error).__name__}: {error}") from error


def _bars(histogram: Sequence[float]) -> str:
    """A histogram as a row of signs, the tallest for the largest cell."""
    most = max(histogram)
    return "".join(_BARS[round((len(_BARS) - 1) * cell / most)] for cell in histogram)


def _quiet_history(start: Betting, board_cards: int) -> str:
    """Everybody calls and checks until there are so many cards on the board."""
    node = start
    while node.game.board_seen(node.street) < board_cards:
        node = node.after(Action("c"))
    return node.history
