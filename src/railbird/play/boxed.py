"""The inside of a box: the process in which a bot that somebody else wrote is loaded, made and called.

It reads requests from the process that asks, and answers each with one line. A request is a list of calls, each a tuple
whose first item says what to do, and how many hooks may be late before the others are left out. Only what the seat may
see ever comes in; only plain values go out:

    c                     the decision, as in a log: nothing went wrong
    {"value": ..., "wrong": [...], "notes": [...]}     anything else, as JSON
    {"lost": ...}         the program that the bot stands for has ended, and so does the box
    <  and later  >       something is being compiled, which is not the bot's fault

The other side is `railbird.play.box`.
"""

from __future__ import annotations

import json
import marshal
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from typing import Any, NoReturn

from railbird.bots.base import Bot
from railbird.bots.places import error_words
from railbird.bots.talking import EndedEarly, ProgramEnded
from railbird.cache import NOT_KEPT
from railbird.errors import RailbirdError
from railbird.formats.seat_lines import MOST_AT_ONCE
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.play.asking import HOOKS, NO_WORDS, Wrong, decided, hooks_of, told, way_to
from railbird.play.clock import BotTimeout, Clock, time_limit
from railbird.play.faults import FaultKind
from railbird.play.walls import build_walls

HEADER_BYTES = 4
_PLAIN = {action: f"{action}\n".encode() for action in map(Action, "fcr")}
_MOST_NODES = 30_000
_Plain = tuple[Any, ...]
_MOST_BYTES = 1 << 16


def serve() -> NoReturn:
    """The life of a box. Its first request says what it is for; it ends when the requests do."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["RAILBIRD_PROGRESS"] = "no"
    warnings.filterwarnings("ignore", NOT_KEPT)  # the process that asks says so, and what is printed here is the bot's
    sys.dont_write_bytecode = True
    try:
        _Server(requests, answers).run()
    finally:
        os._exit(0)  # whatever the bot has left to do at the end


class _Server:
    def __init__(self, requests: int, answers: int) -> None:
        self._requests, self._answers = requests, answers
        self._notes: list[str] = []
        self._stack = ExitStack()
        self._seats: dict[int, _Seat] = {}
        self._home = os.getpid()
        self._buffer = b""
        self._settings = marshal.loads(self._request())
        sys.path[:] = self._settings["path"]
        build_walls(self._settings["memory_mb"], self._settings["forbidden"], self._notes.append)
        self._clock = _TellingClock(answers)
        self._minds_compiling = "numba" in sys.modules

    def run(self) -> None:
        """Answer requests until there are no more."""
        with self._stack, time_limit(self._clock, self._settings["seconds"]):
            while request := self._request():
                answer = self._answer(marshal.loads(request))
                if os.getpid() != self._home:
                    os._exit(0)  # a child that the bot has forked, and that came back here
                while answer:
                    answer = answer[os.write(self._answers, answer) :]

    def _request(self) -> bytes:
        """The next request; empty when there are no more."""
        while len(self._buffer) < HEADER_BYTES or len(self._buffer) - HEADER_BYTES < self._length():
            if not (read := os.read(self._requests, _MOST_BYTES)):
                return b""
            self._buffer += read
        end = HEADER_BYTES + self._length()
        found, self._buffer = self._buffer[HEADER_BYTES:end], self._buffer[end:]
        return found

    def _length(self) -> int:
        return int.from_bytes(self._buffer[:HEADER_BYTES], "little")

    def _answer(self, request: tuple[int, list[tuple[Any, ...]]]) -> bytes:
        most_late, calls = request
        wrong: list[tuple[int, Wrong]] = []
        value: Any = None
        late = 0
        if not self._minds_compiling and "numba" in sys.modules:
            self._mind_compiling()
        for index, call in enumerate(calls):
            if late >= most_late and call[0] in HOOKS:
                continue
            value = self._called(call)
            if isinstance(value, Wrong):
                wrong.append((index, value))
                late += value.is_late
        if not wrong and not self._notes and type(value) is Action and value in _PLAIN:
            return _PLAIN[value]
        if type(value) is Action:
            value = [value.kind, value.amount]
        told_wrong = [[index, each.kind.value, each.message, list(each.trace), each.is_late] for index, each in wrong]
        whole = {"value": None if isinstance(value, Wrong) else value, "wrong": told_wrong, "notes": self._notes[:]}
        self._notes.clear()
        return json.dumps(whole).encode() + b"\n"

    def _mind_compiling(self) -> None:
        """Stop the clock while a bot that has brought Numba with it compiles."""
        from railbird.play.compile_pause import compiling_paused

        self._minds_compiling = True
        self._stack.enter_context(compiling_paused(self._clock))

    def _called(self, call: tuple[Any, ...]) -> Any:
        """What comes of a call: a value, an action, or what went wrong."""
        name, seat, *rest = call
        try:
            if name in _SETUP:
                return self._set_up(name, seat, rest)
            return self._seats[seat].called(name, self._clock, *rest)
        except ProgramEnded as ended:
            self._leave(str(ended))
        except BaseException as error:  # whatever a bot may raise, exceptions of its own kind included
            self._clock.stop()
            if self._clock.rang:
                return Wrong(FaultKind.TIMEOUT, self._clock.late_words, (), True)
            return Wrong(FaultKind.RAISED, _words(error))

    def _leave(self, why: str) -> NoReturn:
        """There is no bot any more: say so and end the box, so that another one is begun."""
        os.write(self._answers, json.dumps({"lost": why}).encode() + b"\n")
        os._exit(0)

    def _set_up(self, name: str, seat: int, rest: list[Any]) -> Any:
        """Calls outside of hands, which have more time."""
        usual, self._clock.limit_seconds = self._clock.limit_seconds, self._settings["start_seconds"]
        self._clock.start(0)
        try:
            found = _SETUP[name](self._seats, seat, *rest)
            return Wrong(FaultKind.TIMEOUT, self._clock.late_words, (), True) if self._clock.rang else found
        except BotTimeout:
            return Wrong(FaultKind.TIMEOUT, self._clock.late_words, (), True)
        finally:
            self._clock.stop()
            self._clock.limit_seconds = usual


class _Seat:
    """A bot, the game it plays, and the random numbers of the hand."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.key: tuple[int, ...] = ()
        self.nodes: dict[str, Betting] = {}
        self.first: Betting | None = None

    def play(self, game: Game) -> None:
        """Hands of this game follow."""
        self.first, self.nodes = Betting.start(game), {}

    def called(
        self, name: str, clock: Clock, key: tuple[int, ...], seen: _Plain | None = None, facts: _Plain = ()
    ) -> Action | Wrong | None:
        """A decision or a hook, after the random numbers of the hand were given if they are new."""
        if key != self.key:
            self.key = key
            if wrong := told(self.bot, "seed_hand", key, clock, 0):
                return wrong
        if seen is None:
            return told(self.bot, name, (), clock, 0)
        view = PlayerView(self._node(seen[0]), *seen[1:])
        if name == "act":
            return decided(self.bot, view, clock, 0)
        if name == "on_action":
            facts = (facts[0], Action(*facts[1]))
        return told(self.bot, name, (view, *facts), clock, 0)

    def _node(self, history: str) -> Betting:
        node = self.nodes.get(history)
        if node is None:
            assert self.first is not None
            node = self.first.play(history)
            if len(self.nodes) < _MOST_NODES:
                self.nodes[history] = node
        return node


def _make(seats: dict[int, _Seat], seat: int, text: str) -> dict[str, Any]:
    from railbird.bots.programs import bot_spec

    try:
        bot = bot_spec(text).make()
    except RailbirdError as error:
        return {"error": str(error)[:1000], "ended": isinstance(error, EndedEarly)}
    learns, at_once = bool(bot.learns), min(max(int(bot.hands_at_once), 0), MOST_AT_ONCE)
    seats[seat] = _Seat(bot)
    hooks = sorted(hooks_of(bot))
    ways = {name: way_to(bot, name) for name in ("act", *hooks)}
    return {"learns": learns, "hands_at_once": at_once, "hooks": hooks, "ways": ways}


def _can_play(seats: dict[int, _Seat], seat: int, game: bytes) -> bool:
    return bool(seats[seat].bot.can_play(pickle.loads(game)))


def _play(seats: dict[int, _Seat], seat: int, game: bytes) -> None:
    seats[seat].play(pickle.loads(game))


def _keeps_rules(seats: dict[int, _Seat], seat: int, game: bytes) -> bool:
    first = seats[seat].first
    return first is None or bool(first.game == pickle.loads(game))


def _prepare(seats: dict[int, _Seat], seat: int) -> str:
    from railbird.bots.places import located, source_of

    bot = seats[seat].bot
    try:
        bot.prepare()
    except (Exception, SystemExit) as error:
        return located(error, source_of(type(bot)))
    return ""


def _forget(seats: dict[int, _Seat], seat: int) -> None:
    seats.pop(seat, None)


def _do(seats: dict[int, _Seat], seat: int, target: str, arguments: tuple[Any, ...]) -> Any:
    """What a function of Railbird answers that is given the bot: "module:function"."""
    module, _, function = target.partition(":")
    return getattr(import_module(module), function)(seats[seat].bot, *arguments)


_SETUP: dict[str, Callable[..., Any]] = {
    "make": _make,
    "can_play": _can_play,
    "play": _play,
    "keeps_rules": _keeps_rules,
    "prepare": _prepare,
    "forget": _forget,
    "do": _do,
}


class _TellingClock(Clock):
    """Tells the other side when a kernel is compiled."""

    def __init__(self, answers: int) -> None:
        super().__init__()
        self._answers = answers

    def pause(self) -> None:
        super().pause()
        os.write(self._answers, b"<\n")

    def resume(self, thought: float) -> None:
        super().resume(thought)
        os.write(self._answers, b">\n")


def _words(error: BaseException) -> str:
    try:
        return error_words(error)
    except BaseException:
        return NO_WORDS
