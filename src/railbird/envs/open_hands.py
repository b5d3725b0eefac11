"""The hands of a match, played from outside one decision at a time.

In a match the loop asks the bots; in an environment an agent asks the loop. Cards, seats, names and the bots' random
numbers are those of `play_match` with the same players and seed: whoever plays by the same rule wins the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from railbird.bots.base import Bot
from railbird.formats.games import read_game
from railbird.game.actions import Action
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.play.dealing import deals
from railbird.play.hand import Deal
from railbird.play.hands import bot_seeds
from railbird.play.match import OPEN_HANDS, MatchSpec
from railbird.play.players import AnyBot
from railbird.play.steps import Step

_AT_A_TIME = 250
MOST_HAND = OPEN_HANDS * 1_000


class Agent(Bot):
    """Keeps the seat of somebody who decides outside."""


def open_match(agents: int, opponents: Sequence[AnyBot], game: str | Game, seed: int) -> MatchSpec:
    """A match of that many agents, who come first, with bots; it has no end."""
    players = (*[Agent() for _ in range(agents)], *opponents)
    return MatchSpec(read_game(game, len(players)), players, OPEN_HANDS, seed, housing=None)


class OpenHands:
    """The hands of a match one after the other: who is to act, what each player sees, and what was won."""

    def __init__(self, spec: MatchSpec) -> None:
        self.spec = spec
        self.game = spec.game
        self.seeds = bot_seeds(spec, 0)
        """By player, what his random numbers follow from."""
        self.number = -1
        self.order: tuple[int, ...] = ()
        """The player at each position."""
        self._dealt: Iterator[Deal] = iter(())
        self._deal = Deal(-1, (), (), ())
        self._step = Step.first(self.game)

    def begin(self, number: int | None = None) -> None:
        """Deal the next hand, or the one of that number."""
        following = self.number + 1
        self.number = following if number is None else number
        deal = next(self._dealt, None) if self.number == following else None
        if deal is None:
            self._dealt = deals(self.game, self.spec.seed, self.number, _AT_A_TIME)
            deal = next(self._dealt)
        self._deal, self._step = deal, Step.first(self.game)
        self.order = self.spec.seating.order(0, self.number)

    @property
    def is_over(self) -> bool:
        return self._step.to_act < 0

    @property
    def to_act(self) -> int:
        """The player whose turn it is; -1 when the hand is over."""
        position = self._step.to_act
        return self.order[position] if position >= 0 else -1

    def position(self, player: int) -> int:
        return self.order.index(player)

    def view(self, player: int) -> PlayerView:
        """The table as a player sees it."""
        position, node, deal = self.position(player), self._step.node, self._deal
        board = deal.board[: self.game.board_seen(node.street)]
        names = tuple([self.spec.names[seated] for seated in self.order])
        return PlayerView(node, position, deal.holes[position], board, deal.number, names)

    def act(self, action: Action) -> None:
        """The player whose turn it is does this; refused if it is not legal."""
        self._step = self._step.after(action)

    def record(self) -> HandRecord:
        """The hand, which is over."""
        node, deal = self._step.node, self._deal
        names = tuple([self.spec.names[player] for player in self.order])
        board = deal.board[: self.game.board_seen(node.street)]
        return HandRecord(self.game, deal.number, names, deal.holes, board, node.history, self._won())

    def won_sb(self, player: int) -> float:
        """What a player has won in the hand, which is over, in small bets."""
        return self._won()[self.position(player)] / self.game.small_bet

    def _won(self) -> tuple[int, ...]:
        return self._step.payoffs(self._deal.ranks)
