"""A bot's side of the wire without sockets: states in, answers out.

The bot is told of what happens through the hooks by which matches tell it, while it happens. What happened is what the
dealer says: an action that it changed is told as it changed it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from railbird.bots.base import Bot
from railbird.errors import BrokenOffError, IllegalActionError, MatchError
from railbird.formats.wire_lines import MatchState, board_cards, is_crowded, shown_cards
from railbird.game.actions import CALL, Action
from railbird.game.betting import split_history
from railbird.game.payoffs import equal_shares
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game, Structure
from railbird.numbers import quoted
from railbird.play.asking import hooks_of
from railbird.play.clock import Clock
from railbird.play.faults import Fault
from railbird.play.hand import Deal, FollowedHand, HandPlayer
from railbird.play.hands import bot_seed
from railbird.play.match import PYTHON_BLOCK
from railbird.play.players import AnyBot, Roster, names_of, player_of
from railbird.play.steps import MOST_STEPS, Step
from railbird.statistics import Estimate, Moments

_MOST_FAULTS = 10_000
_TOGETHER = 1_000
"""Hands whose results are added up at once."""
_AFTER_WORD = len("MATCHSTATE:")
_NO_STATES = (b"#", b";", b"\r", b"")
"""How comments and empty lines begin."""


class WireSeat:
    """A bot at a table of which it knows the game; which seat it has, the first state says.

    Its random numbers are those of the same seat in a match with the same seed.
    """

    def __init__(self, bot: AnyBot, game: Game, seed: int = 0, clock: Clock | None = None) -> None:
        player, seats = player_of(bot), game.seats
        (self.name,) = names_of([player])
        roster = Roster([player], [self.name])
        if not roster.bots[0].can_play(game):
            raise MatchError(f"{player.text!r} does not play {game.name} with {seats} seats")
        self.game = game
        self.hands = 0
        self.faults: list[Fault] = []
        others = ["opponent"] if seats == 2 else [f"opponent-{place}" for place in range(1, seats)]
        bots = [*roster.ready(), *(Bot() for _ in others)]
        self._player = HandPlayer(game, bots, (self.name, *others), clock)
        self._listens = bool(hooks_of(bots[0]))
        self._steps: dict[str, Step] = {}
        """By betting, for a bot that does not listen."""
        self._seed = seed
        self._hand: FollowedHand | None = None
        self.hand_number = self._decision = -1
        """The hand that is played or was the last, and the decision in it."""
        self._head, self._cards = b"", ""
        """The beginning of this hand's states, and the cards in the last one."""
        self._position = 0
        self._holes: tuple[tuple[int, ...], ...] = ()
        self._board: tuple[int, ...] = ()
        self._seen = [game.board_seen(street) for street in range(game.streets)]
        self._won: list[float] = []
        self._moments = Moments()
        self._is_fixed = game.structure is Structure.FIXED_LIMIT
        self._orders = [tuple([(p - own) % seats for p in range(seats)]) for own in range(seats)]
        """By own position, the player at each position: 0 is the bot, others are counted from it around the table."""

    @property
    def is_in_hand(self) -> bool:
        """Whether a hand has begun that is not over."""
        return self._hand is not None

    @property
    def chips(self) -> float:
        """Chips won in all."""
        self._add_up()
        return float(self._moments.total[0])

    def won(self) -> Estimate:
        """What was won, in small bets per hand."""
        self._add_up()
        return self._moments.estimate(divisor=self.game.small_bet)

    def hear(self, lines: Sequence[bytes]) -> bytes:
        """The answer to lines that came together; empty if none is wanted.

        A state that another of the same hand follows need not be looked at: the next one says all that it said.
        """
        if self._hand is not None and lines and lines[-1].startswith(self._head):
            return self._hear_state(self._hand, lines[-1].decode("ascii", errors="replace").rstrip())
        answers, last = b"", len(lines) - 1
        for at, line in enumerate(lines):
            if line[:1] in _NO_STATES:
                continue
            if at < last:
                end = line.find(b":", line.find(b":", _AFTER_WORD) + 1) + 1
                if end and lines[at + 1].startswith(line[:end]):
                    continue
            hand, text = self._hand, line.decode("ascii", errors="replace").rstrip()
            if hand is None or not line.startswith(self._head):
                hand = self._begun(text)
            if hand is not None:
                answers += self._hear_state(hand, text)
        return answers

    def _hear_state(self, hand: FollowedHand, line: str) -> bytes:
        """A state of the hand."""
        history, _, cards = line[len(self._head) :].partition(":")
        known = self._cards
        if cards != known:
            self._cards = cards
            if cards.startswith(f"{known}/"):
                self._board += board_cards(cards[len(known) :])
            else:
                self._holes, self._board = shown_cards(cards, self.game)
        if history != hand.step.node.history:
            self._follow(hand, history)
        step, position = hand.step, self._position
        if step.to_act < 0:
            self._finish(hand)
            return b""
        if step.to_act != position:
            return b""
        self._decision += 1
        action, _ = self._player.decide(step, hand.view(position), 0, self._decision)
        if action.kind == "r" and is_crowded(step.node):
            action = CALL
        return f"{line}:{action.kind if self._is_fixed else action}\r\n".encode()

    def _begun(self, line: str) -> FollowedHand | None:
        """The hand that this state begins; none if it is one that is over."""
        state, player = MatchState.parse(line, self.game), self._player
        position, number, _, self._holes, self._board = state
        if self._hand is not None:
            raise BrokenOffError(f"the dealer went on to hand {number} in the middle of hand {self.hand_number}")
        if self.hands and number == self.hand_number:
            return None
        if not player.seeds:
            player.seeds = [bot_seed(self._seed, 0, (position + number) % self.game.seats)]
        if len(state.holes[position]) != self.game.hole_cards:
            raise BrokenOffError(f"hand {number} begins without this seat's cards; is the game {self.game.name}?")
        if number % PYTHON_BLOCK == 0:
            player.reset(number)
        player.seed(number)
        self._head, self._cards = f"MATCHSTATE:{position}:{number}:".encode(), line.rpartition(":")[2]
        self._position, self._decision, self.hand_number = position, -1, number
        deal = Deal(number, state.holes, state.board, ())
        hand = self._hand = FollowedHand(player, deal, self._orders[position])
        return hand

    def _follow(self, hand: FollowedHand, history: str) -> None:
        """Tell what has happened since the last state; a bot that does not listen is brought there at once."""
        known, board, step = hand.step.node.history, self._board, self._steps.get(history)
        is_right = history.startswith(known)
        if step is not None and is_right:
            hand.step, hand.board = step, board
        else:
            try:
                for part in split_history(history[len(known) :]) if is_right else ():
                    if part != "/":
                        hand.act(Action.parse(part), board)
            except IllegalActionError:
                is_right = False
            step = hand.step
            if not is_right or step.node.history != history:
                words = f"hand {self.hand_number}: {quoted(history)} after {quoted(known)}"
                raise BrokenOffError(f"{words}; is the game {self.game.name}?")
            if not self._listens and len(self._steps) < MOST_STEPS:
                self._steps[history] = step
        if len(board) != self._seen[step.street]:
            raise BrokenOffError(f"hand {self.hand_number}: {len(board)} board cards after {quoted(history)}")

    def _finish(self, hand: FollowedHand) -> None:
        holes, step, ranks, shares = self._holes, hand.step, [-1] * self.game.seats, None
        if len(step.live) > 1:
            for position in step.live:
                if len(holes[position]) != self.game.hole_cards:
                    raise BrokenOffError(f"hand {self.hand_number}: a showdown without all cards")
                ranks[position] = showdown_rank(self.game, holes[position], self._board)
            if self.game.seats > 2:
                shares = equal_shares(step.node, ranks)
        payoffs = step.payoffs(ranks)
        hand.end(payoffs, holes)
        self._won.append((shares or payoffs)[self._position])
        self._hand = None
        self.hands += 1
        if len(self._won) == _TOGETHER:
            self._add_up()
        if self._player.faults:
            self.faults += self._player.faults[: _MOST_FAULTS - len(self.faults)]
            self._player.faults.clear()

    def _add_up(self) -> None:
        self._moments.add(np.array(self._won, np.float64))
        self._won.clear()
