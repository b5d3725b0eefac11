"""One hand between bots: asks each player in turn, tells everybody what happened, and puts up with bad players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from railbird.bots.base import Bot
from railbird.errors import RailbirdError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.play.asking import Wrong, decided, hooks_of, told, way_to
from railbird.play.boxed_bot import MOST_LATE, BoxedBot
from railbird.play.clock import Clock
from railbird.play.faults import Fault, FaultKind
from railbird.play.steps import Step

_new_view: Callable[[tuple[object, ...]], PlayerView] = partial(tuple.__new__, PlayerView)
"""A view from its fields: 0.2 us, where the constructor takes 0.4."""

_UNTIMED = -1e9
"""A call that another process times is told to the clock as one that began long from now."""


class Deal(NamedTuple):
    """The cards of a hand before it is played: hole cards by position, all board cards, and the final ranks."""

    number: int
    holes: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    ranks: Sequence[int]


class HandPlayer:
    """Plays hands of one game between the same bots, in whatever order they sit."""

    def __init__(self, game: Game, bots: Sequence[Bot], names: Sequence[str], clock: Clock | None = None) -> None:
        self.game = game
        self.bots = bots
        self.names = tuple(names)
        self.clock = clock or Clock()
        self.faults: list[Fault] = []
        self.timeouts = [0] * len(bots)
        self.late_hooks = [0] * len(bots)
        self.seeds: Sequence[int] = ()
        """By player, the seed of its random numbers; a bot without one goes on with those it has."""
        self._boxed = {player: bot for player, bot in enumerate(bots) if isinstance(bot, BoxedBot)}
        self._listens = [bot.hooks if isinstance(bot, BoxedBot) else hooks_of(bot) for bot in bots]
        self._heard = frozenset().union(*self._listens)
        self._first = Step.first(game)
        self._seen = [game.board_seen(street) for street in range(game.streets)]
        self._skip: Mapping[int, str] = {}

    def seed(self, hand: int) -> None:
        """Give the bots their random numbers of a hand."""
        for player, (seed, bot) in enumerate(zip(self.seeds, self.bots)):
            self.seed_bot(player, bot, (seed, hand))

    def seed_bot(self, player: int, bot: Bot, key: tuple[int, ...]) -> None:
        """Give a bot the random numbers of that key, which has the hand in second place."""
        if player in self._boxed or type(bot).seed_hand is Bot.seed_hand:
            bot.seed_hand(*key)
        elif wrong := told(bot, "seed_hand", key, self.clock, -1 - player):
            self._note_hook(key[1], player, wrong)

    def play(self, deal: Deal, order: Sequence[int], skip: Mapping[int, str] | None = None) -> HandRecord:
        """Play `deal` with player order[p] at position p.

        `skip` names decisions not to be asked for, and why: 0 is the first of the hand, and -1 - player stands for all
        the hooks of that player.
        """
        number, holes, cards, ranks = deal
        heard = self._heard
        names = tuple([self.names[player] for player in order])
        step, street, decision = self._first, 0, 0
        board = cards[: self._seen[0]]
        self.clock.cells[1] = number
        self._skip = skip or {}
        for call, why in self._skip.items():
            if call < 0:
                self.faults.append(Fault(number, self.names[-1 - call], FaultKind.HOOK, why))
        if "on_hand" in heard:
            self._tell("on_hand", step.node, order, deal, board, names)
        while (position := step.to_act) >= 0:
            player = order[position]
            view = _new_view((step.node, position, holes[position], board, number, names))
            action, following = self.decide(step, view, player, decision)
            decision += 1
            if "on_action" in heard:
                self._tell("on_action", step.node, order, deal, board, names, position, action)
            step = following
            while street < step.street:
                street += 1
                board = cards[: self._seen[street]]
                if "on_board" in heard:
                    self._tell("on_board", step.node, order, deal, board, names)
        won = step.payoffs(ranks)
        if len(step.live) > 1 and "on_showdown" in heard:
            shown = {position: holes[position] for position in step.live}
            self._tell("on_showdown", step.node, order, deal, board, names, shown)
        if "on_result" in heard:
            self._tell("on_result", step.node, order, deal, board, names, won)
        if self._boxed:
            self._settle(number)
        return HandRecord(self.game, number, names, holes, board, step.node.history, won)

    def decide(self, step: Step, view: PlayerView, player: int, decision: int = 0) -> tuple[Action, Step]:
        """Ask a player, and put up with the answer: what is done, and the step it leads to.

        The decision is told to the clock by its number in the hand.
        """
        if self.timeouts[player] >= MOST_LATE or decision in self._skip:
            answer = self._unasked(view, player, decision)
        elif player in self._boxed:
            self.clock.start(decision, _UNTIMED)
            answer = self._boxed[player].decided(view)
            self.clock.stop()
        else:
            answer = decided(self.bots[player], view, self.clock, decision)
        action = self._fault(view, player, answer) if isinstance(answer, Wrong) else answer
        try:
            return action, step.after(action)
        except (RailbirdError, TypeError, ValueError) as error:
            action = self._fault(view, player, Wrong(FaultKind.ILLEGAL, str(error), self._way(player)))
            return action, step.after(action)

    def _unasked(self, view: PlayerView, player: int, decision: int) -> Action | Wrong:
        """What is done for a player who was lost in this decision once, or has timed out too often in this block."""
        if decision in self._skip:
            return Wrong(FaultKind.TIMEOUT, self._skip[decision], self._way(player))
        return view.check_or_fold()

    def reset(self, hand: int, skip: Mapping[int, str] | None = None) -> None:
        """Reset the bots that do not learn, before `hand`, and give those another chance that were too slow."""
        self.clock.cells[1] = hand
        self._skip = skip or {}
        self.forgive()
        for player, bot in enumerate(self.bots):
            if not bot.learns and -1 - player not in self._skip:
                self._call(hand, player, "reset")
        self._settle(hand)

    def forgive(self) -> None:
        """Ask and tell those again that were too slow."""
        self.timeouts, self.late_hooks = [0] * len(self.bots), [0] * len(self.bots)
        for bot in self._boxed.values():
            bot.late_hooks = 0

    def remember(self, record: HandRecord, order: Sequence[int], skip: Mapping[int, str] | None = None) -> None:
        """Tell the bots of a hand that was played before, as if they had just played it."""
        hand = FollowedHand(self, Deal(record.number, record.holes, record.board, ()), order, skip)
        for _, action in record.steps():
            hand.act(action, record.board)
        hand.end(record.payoffs, record.holes)

    def _tell(
        self,
        hook: str,
        node: Betting,
        order: Sequence[int],
        deal: Deal,
        board: tuple[int, ...],
        names: tuple[str, ...],
        *facts: object,
    ) -> None:
        """Call a hook of every bot that has it, each with its own view."""
        for position, player in enumerate(order):
            if hook not in self._listens[player] or -1 - player in self._skip:
                continue
            if self.late_hooks[player] < MOST_LATE:
                view = PlayerView(node, position, deal.holes[position], board, deal.number, names)
                self._call(deal.number, player, hook, view, *facts)

    def _call(self, hand: int, player: int, name: str, *facts: object) -> None:
        """Call something of a bot that is not a decision; what goes wrong there costs the bot nothing else."""
        if player in self._boxed:
            self._boxed[player].tell(name, *facts)
        elif wrong := told(self.bots[player], name, facts, self.clock, -1 - player):
            self._note_hook(hand, player, wrong)

    def _settle(self, hand: int) -> None:
        """Wait for the hooks of bots in boxes."""
        for player, bot in self._boxed.items():
            self.clock.start(-1 - player, _UNTIMED)
            for wrong in bot.settled():
                self._note_hook(hand, player, wrong)
            self.clock.stop()

    def _note_hook(self, hand: int, player: int, wrong: Wrong) -> None:
        if wrong.is_late:
            self.late_hooks[player] += 1
            if self.late_hooks[player] == MOST_LATE:
                wrong = wrong._replace(message=f"{wrong.message}; its hooks are switched off for the rest of the block")
        self._note(hand, player, wrong)

    def _fault(self, view: PlayerView, player: int, wrong: Wrong) -> Action:
        """Note what is wrong about a decision, and what is done instead of it."""
        self.timeouts[player] += wrong.is_late or wrong.kind is FaultKind.TIMEOUT
        if wrong.is_late and self.timeouts[player] == MOST_LATE:
            wrong = wrong._replace(message=f"{wrong.message}; it is not asked again in this block")
        self._note(view.hand_number, player, wrong)
        return view.check_or_fold()

    def _note(self, hand: int, player: int, wrong: Wrong) -> None:
        self.faults.append(Fault(hand, self.names[player], wrong.kind, wrong.message, wrong.trace))

    def _way(self, player: int) -> tuple[str, ...]:
        """Where a bot says how to act."""
        return self._boxed[player].way("act") if player in self._boxed else way_to(self.bots[player], "act")


class FollowedHand:
    """A hand that is played elsewhere, or was played before: its actions are told to the bots as they become known,
    through the hooks that tell those of a hand played here."""

    def __init__(
        self, player: HandPlayer, deal: Deal, order: Sequence[int], skip: Mapping[int, str] | None = None
    ) -> None:
        """`deal` has the cards as far as they are known, hole cards empty where they are not."""
        self.step = player._first
        self.names = tuple([player.names[each] for each in order])
        self.board = deal.board[: player._seen[0]]
        self._player = player
        self._order = order
        self._deal = deal
        self._heard = player._heard
        player.clock.cells[1] = deal.number
        player._skip = skip or {}
        if "on_hand" in self._heard:
            self._tell("on_hand")

    def act(self, action: Action, cards: tuple[int, ...]) -> None:
        """Somebody has acted; `cards` are the board as far as it is known now."""
        before = self.step
        following = before.after(action)
        if "on_action" in self._heard:
            self._tell("on_action", before.to_act, action)
        self.step = following
        if following.street > before.street:
            for street in range(before.street + 1, following.street + 1):
                self.board = cards[: self._player._seen[street]]
                if "on_board" in self._heard:
                    self._tell("on_board")

    def view(self, position: int) -> PlayerView:
        """What that position sees now."""
        number, holes, _, _ = self._deal
        return _new_view((self.step.node, position, holes[position], self.board, number, self.names))

    def end(self, payoffs: Sequence[float], holes: tuple[tuple[int, ...], ...]) -> None:
        """The hand is over; `holes` are the hole cards as far as they are known now."""
        if len(self.step.live) > 1 and "on_showdown" in self._heard:
            self._tell("on_showdown", {position: holes[position] for position in self.step.live})
        if "on_result" in self._heard:
            self._tell("on_result", payoffs)
        if self._player._boxed:
            self._player._settle(self._deal.number)

    def _tell(self, hook: str, *facts: object) -> None:
        self._player._tell(hook, self.step.node, self._order, self._deal, self.board, self.names, *facts)
