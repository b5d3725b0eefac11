"""One hand between bots: asks each player in turn, tells everybody what happened, and puts up with bad players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableSequence, Sequence
from functools import partial
from time import monotonic
from typing import NamedTuple

from railbird.bots.base import Bot
from railbird.bots.places import definition, error_words, source_of, trace_of
from railbird.errors import RailbirdError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.play.faults import Fault, FaultKind
from railbird.play.steps import Step

_new_view: Callable[[tuple[object, ...]], PlayerView] = partial(tuple.__new__, PlayerView)
"""A view from its fields: 0.2 us, where the constructor takes 0.4."""

_HOOKS = ("on_hand", "on_action", "on_board", "on_showdown", "on_result")


class BotTimeout(BaseException):
    """Raised inside a bot that has thought for too long; not an `Exception`, so that a bot does not swallow it."""


class Deal(NamedTuple):
    """The cards of a hand before it is played: hole cards by position, all board cards, and the final ranks."""

    number: int
    holes: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    ranks: Sequence[int]


class Clock:
    """Who is thinking, since when: read by the alarm that interrupts a slow bot and by the process that watches.

    The cells may lie in shared memory, so that they can still be read when the bot's process no longer answers.
    """

    def __init__(self, cells: MutableSequence[float] | None = None) -> None:
        self.cells: MutableSequence[float] = cells if cells is not None else [0.0] * 3
        """When (monotonic) a bot was called, 0 if none is; the hand; and the number of the decision it was asked for,
        or -1 - player for a hook of that player."""

    def start(self, call: int, thought: float = 0.0) -> None:
        """A bot is called; it has been thinking for `thought` seconds already."""
        self.cells[2] = call
        self.cells[0] = monotonic() - thought

    def stop(self) -> None:
        self.cells[0] = 0.0

    def pause(self) -> None:
        """Something is compiled inside the bot's call, which is not its fault."""
        self.stop()

    def resume(self, thought: float) -> None:
        """The call goes on after a pause; the bot had been thinking for `thought` seconds before."""
        self.start(self.call[1], thought)

    @property
    def thinking_seconds(self) -> float:
        """How long the bot that was called has been busy; 0 if none is."""
        since = self.cells[0]
        return monotonic() - since if since else 0.0

    @property
    def call(self) -> tuple[int, int]:
        """The hand, and the decision or hook, of the call."""
        return int(self.cells[1]), int(self.cells[2])


class HandPlayer:
    """Plays hands of one game between the same bots, in whatever order they sit."""

    def __init__(
        self, game: Game, bots: Sequence[Bot], names: Sequence[str], clock: Clock | None = None, most_timeouts: int = 3
    ) -> None:
        self.game = game
        self.bots = bots
        self.names = tuple(names)
        self.clock = clock or Clock()
        self.faults: list[Fault] = []
        self.most_timeouts = most_timeouts
        self.timeouts = [0] * len(bots)
        self.seeds: Sequence[int] = ()
        """By player, the seed of its random numbers; a bot without one goes on with those it has."""
        self._listens = [
            {hook for hook in _HOOKS if getattr(type(bot), hook) is not getattr(Bot, hook)} for bot in bots
        ]
        self._heard = set().union(*self._listens)
        self._first = Step.first(game)
        self._seen = [game.board_seen(street) for street in range(game.streets)]
        self._skip: Mapping[int, str] = {}

    def seed(self, hand: int) -> None:
        """Give the bots their random numbers of a hand."""
        for seed, bot in zip(self.seeds, self.bots):
            bot.seed_hand(seed, hand)

    def play(self, deal: Deal, order: Sequence[int], skip: Mapping[int, str] | None = None) -> HandRecord:
        """Play `deal` with player order[p] at position p.

        `skip` names decisions not to be asked for, and why: 0 is the first of the hand, and -1 - player stands for all
        the hooks of that player.
        """
        number, holes, cards, ranks = deal
        clock, bots, heard, timeouts = self.clock, self.bots, self._heard, self.timeouts
        names = tuple([self.names[player] for player in order])
        step, street, decision = self._first, 0, 0
        board = cards[: self._seen[0]]
        clock.cells[1] = number
        self._skip = skip or {}
        for call, why in self._skip.items():
            if call < 0:
                self.faults.append(Fault(number, self.names[-1 - call], FaultKind.HOOK, why))
        if "on_hand" in heard:
            self._tell("on_hand", step.node, order, deal, board, names)
        while (position := step.to_act) >= 0:
            player = order[position]
            view = _new_view((step.node, position, holes[position], board, number, names))
            if timeouts[player] >= self.most_timeouts or (skip and decision in skip):
                action = self._unasked(view, player, decision)
            else:
                try:
                    clock.start(decision)
                    action = bots[player].act(view)
                    clock.stop()
                except BotTimeout as late:
                    clock.stop()
                    action = self._fault(view, player, FaultKind.TIMEOUT, str(late), late)
                except (Exception, SystemExit) as error:
                    clock.stop()
                    action = self._fault(view, player, FaultKind.RAISED, error_words(error), error)
            decision += 1
            if type(action) is not Action:
                action = self._fault(view, player, FaultKind.NO_ACTION, f"answered {action!r}, which is not an Action")
            try:
                following = step.after(action)
            except (RailbirdError, TypeError, ValueError) as error:
                action = self._fault(view, player, FaultKind.ILLEGAL, str(error))
                following = step.after(action)
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
        return HandRecord(self.game, number, names, holes, board, step.node.history, won)

    def _unasked(self, view: PlayerView, player: int, decision: int) -> Action:
        """What is done for a player who was lost in this decision once, or has timed out too often in this block."""
        if decision in self._skip:
            return self._fault(view, player, FaultKind.TIMEOUT, self._skip[decision])
        return view.check_or_fold()

    def reset(self, hand: int, skip: Mapping[int, str] | None = None) -> None:
        """Reset the bots that do not learn, before `hand`."""
        self.clock.cells[1] = hand
        self._skip = skip or {}
        for player, bot in enumerate(self.bots):
            if not bot.learns and -1 - player not in self._skip:
                self._call(hand, player, "reset", bot.reset)

    def remember(self, record: HandRecord, order: Sequence[int], skip: Mapping[int, str] | None = None) -> None:
        """Tell the bots of a hand that was played before, as if they had just played it."""
        deal = Deal(record.number, record.holes, record.board, ())
        names = tuple([self.names[player] for player in order])
        node = self._first.node
        seen = self.game.board_seen(0)
        self.clock.cells[1] = record.number
        self._skip = skip or {}
        self._tell("on_hand", node, order, deal, deal.board[:seen], names)
        for before, action in record.steps():
            self._tell("on_action", before, order, deal, deal.board[:seen], names, before.to_act, action)
            node = before.after(action)
            for street in range(before.street + 1, node.street + 1):
                seen += self.game.board_cards[street]
                self._tell("on_board", node, order, deal, deal.board[:seen], names)
        if node.is_showdown:
            shown = {position: deal.holes[position] for position in node.live}
            self._tell("on_showdown", node, order, deal, deal.board[:seen], names, shown)
        self._tell("on_result", node, order, deal, deal.board[:seen], names, record.payoffs)

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
            view = PlayerView(node, position, deal.holes[position], board, deal.number, names)
            self._call(deal.number, player, hook, getattr(self.bots[player], hook), view, *facts)

    def _call(self, hand: int, player: int, name: str, hook: Callable[..., object], *facts: object) -> None:
        """Call something of a bot that is not a decision; what goes wrong there costs the bot nothing else."""
        try:
            self.clock.start(-1 - player)
            hook(*facts)
            self.clock.stop()
        except BotTimeout as late:
            self.clock.stop()
            self.timeouts[player] += 1
            self._note(hand, player, FaultKind.HOOK, f"{name}: {late}", self._trace(player, name, late))
        except (Exception, SystemExit) as error:
            self.clock.stop()
            self._note(hand, player, FaultKind.HOOK, f"{name}: {error_words(error)}", self._trace(player, name, error))

    def _fault(
        self, view: PlayerView, player: int, kind: FaultKind, message: str, error: BaseException | None = None
    ) -> Action:
        """Note what is wrong about a decision, and what is done instead of it."""
        self._note(view.hand_number, player, kind, message, self._trace(player, "act", error))
        self.timeouts[player] += kind is FaultKind.TIMEOUT
        return view.check_or_fold()

    def _note(self, hand: int, player: int, kind: FaultKind, message: str, trace: tuple[str, ...]) -> None:
        self.faults.append(Fault(hand, self.names[player], kind, message, trace))

    def _trace(self, player: int, method: str, error: BaseException | None) -> tuple[str, ...]:
        """The way through the bot's files to an exception, or else where it says what to do."""
        bot = self.bots[player]
        kind = type(bot)
        if method == "act" and kind.act is Bot.act:
            method = "explain"
        return (trace_of(error, source_of(kind)) if error else ()) or definition(kind, method)
