"""A bot's side of the wire without sockets: states in, answers out.

The bot is told of what happens through the hooks by which matches tell it, while it happens. What happened is what the
dealer says: an action that it changed is told as it changed it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from railbird.bots.base import Bot
from railbird.errors import BrokenOffError, IllegalActionError, MatchError
from railbird.formats.wire_lines import MatchState, is_crowded
from railbird.game.actions import CALL, Action
from railbird.game.betting import split_history
from railbird.game.payoffs import equal_shares
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game, Structure
from railbird.numbers import quoted
from railbird.play.clock import Clock
from railbird.play.faults import Fault
from railbird.play.hand import FollowedHand, HandPlayer
from railbird.play.hands import bot_seed
from railbird.play.match import PYTHON_BLOCK
from railbird.play.players import AnyBot, Roster, names_of, player_of
from railbird.statistics import Estimate, Moments

_MOST_FAULTS = 10_000
_TOGETHER = 1_000
"""Hands whose results are added up at once."""
_AFTER_WORD = len("MATCHSTATE:")


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
        self._seed = seed
        self._hand: FollowedHand | None = None
        self._number = self._decision = -1
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
    def hand_number(self) -> int:
        """The hand that is played, or was the last."""
        return self._number

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
        answers, last = b"", len(lines) - 1
        for at, line in enumerate(lines):
            if line[:1] in (b"#", b";"):
                continue
            if at < last:
                end = line.find(b":", line.find(b":", _AFTER_WORD) + 1) + 1
                if end and lines[at + 1].startswith(line[:end]):
                    continue
            answers += self._hear_state(line.decode("ascii", errors="replace").rstrip("\r\n"))
        return answers

    def _hear_state(self, line: str) -> bytes:
        state = MatchState.parse(line, self.game)
        hand = self._hand
        if hand is None:
            if state.number == self._number:
                return b""
            hand = self._hand = self._begun(state)
        elif state.number != self._number:
            raise BrokenOffError(f"the dealer went on to hand {state.number} in the middle of hand {self._number}")
        self._follow(hand, state)
        step = hand.step
        if step.to_act < 0:
            self._finish(hand, state)
            return b""
        if step.to_act != state.position:
            return b""
        self._decision += 1
        action, _ = self._player.decide(step, hand.view(state.position), 0, self._decision)
        if action.kind == "r" and is_crowded(step.node):
            action = CALL
        return f"{line}:{action.kind if self._is_fixed else action}\r\n".encode()

    def _begun(self, state: MatchState) -> FollowedHand:
        player, seats = self._player, self.game.seats
        if not player.seeds:
            player.seeds = [bot_seed(self._seed, 0, (state.position + state.number) % seats)]
        self._number, self._decision = state.number, -1
        if self.hands % PYTHON_BLOCK == 0:
            player.forgive()
        if len(state.holes[state.position]) != self.game.hole_cards:
            raise BrokenOffError(f"hand {state.number} begins without this seat's cards; is the game {self.game.name}?")
        player.seed(state.number)
        hand = FollowedHand(player, state.number, self._orders[state.position])
        hand.begin(state.holes, state.board)
        return hand

    def _follow(self, hand: FollowedHand, state: MatchState) -> None:
        """Tell what has happened since the last state."""
        known = hand.step.node.history
        if state.history != known:
            new = state.history[len(known) :] if state.history.startswith(known) else "?"
            try:
                for part in split_history(new):
                    if part != "/":
                        hand.act(Action.parse(part), state.board)
            except IllegalActionError:
                new = "?"
            if new == "?" or hand.step.node.history != state.history:
                told = quoted(state.history)
                raise BrokenOffError(
                    f"hand {state.number}: {told} after {quoted(known)}; is the game {self.game.name}?"
                )
        if len(state.board) != self.game.board_seen(hand.step.street):
            raise BrokenOffError(f"hand {state.number}: {len(state.board)} board cards after {quoted(state.history)}")

    def _finish(self, hand: FollowedHand, state: MatchState) -> None:
        step, ranks, shares = hand.step, [-1] * self.game.seats, None
        if len(step.live) > 1:
            for position in step.live:
                if len(state.holes[position]) != self.game.hole_cards:
                    raise BrokenOffError(f"hand {state.number}: a showdown without the cards of position {position}")
                ranks[position] = showdown_rank(self.game, state.holes[position], state.board)
            if self.game.seats > 2:
                shares = equal_shares(step.node, ranks)
        payoffs = step.payoffs(ranks)
        hand.end(payoffs, state.holes)
        self._won.append((shares or payoffs)[state.position])
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
