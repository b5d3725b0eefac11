"""Bots in boxes, as the rest of Railbird knows them.

A `BoxedBot` stands for a bot whose code runs in another process. Hooks are not waited for: they go out together with
the next decision that is asked for, or at the end of the hand.

If the box is lost, the bot is made again in another one and shown what it has seen: of this hand everything, and if it
learns the hooks of all hands before. Then what was being asked is asked again, one call at a time. Only a call that is
lost twice is the bot's fault; a process that somebody killed, or a machine that was stopped, is not.
"""

from __future__ import annotations

import marshal
import os
import pickle
import weakref
from collections.abc import Iterator, Mapping, Sequence
from tempfile import TemporaryFile
from typing import IO, Any

from railbird.bots.base import Bot
from railbird.bots.places import MOST_SIGNS, shortened
from railbird.bots.registry import BotSpec
from railbird.bots.talking import EndedEarly
from railbird.errors import MatchError, UnknownBotError
from railbird.game.actions import Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.play.asking import Wrong
from railbird.play.box import Answer, Box, BoxLost, Housing
from railbird.play.faults import FaultKind
from railbird.play.restarts import note_restart

_Call = tuple[Any, ...]
_SEAT = 0
_SEEN = 3
"""Where a call of a hand has what is seen, and in that the number of the hand."""
_HAND_NUMBER = PlayerView._fields.index("hand_number")
_MOST_TRIES = 2
MOST_LATE = 3
_FACTS: dict[tuple[str, str], dict[str, Any]] = {}
"""By the text and the fingerprint of bots, what they said of themselves: a tournament makes the same ones often."""
_PLAYS: dict[tuple[str, str, Game], bool] = {}


class BoxedBot(Bot):
    """A bot that somebody else wrote. What it is (`learns`, `hooks`) is asked once, when it is made."""

    def __init__(self, spec: BotSpec, housing: Housing, name: str = "") -> None:
        self.spec = spec
        self.losses = 0
        """How often its box was lost outside of hands."""
        self.housing = housing
        self._name = name
        self._box: Box | None = None
        self._game: Game | None = None
        self._key: tuple[int, ...] = ()
        self._waiting: list[_Call] = []
        """Hooks that are not sent yet."""
        self._hand: list[_Call] = []
        """The calls of this hand that were made."""
        self._past: IO[bytes] | None = None
        """The hooks of the hands before, for a learner that has to be made again."""
        self._wrong: list[Wrong] = []
        self.late_hooks = 0
        """How many hooks took too long since somebody set this to 0; after `MOST_LATE` none is called."""
        self._is_prepared = False
        self._is_new = False
        """Whether it was started and has been shown nothing yet."""
        self._print = spec.fingerprint()
        facts = _FACTS.get((spec.text, self._print)) or self._made()
        _FACTS[spec.text, self._print] = facts
        self.learns = facts["learns"]
        self.hooks = frozenset(facts["hooks"])
        self.hands_at_once = facts["hands_at_once"]
        self.is_program = spec.is_program
        self._ways = facts["ways"]

    @property
    def notes(self) -> list[str]:
        """What it tried to reach and may not, in its present box."""
        return self._box.notes if self._box else []

    @property
    def printed(self) -> tuple[int, str]:
        """How many bytes it has printed, in its present box, and the first line of it."""
        if not self._box:
            return 0, ""
        output = self._box.output
        lines = output.beginning.decode(errors="replace").splitlines()
        return output.bytes, shortened(lines[0], MOST_SIGNS) if lines else ""

    @property
    def company(self) -> int:
        """How many processes it has started, in its present box, that still run; not counting a program itself."""
        return max(0, self._box.company - self.is_program) if self._box else 0

    def way(self, method: str) -> tuple[str, ...]:
        """Where its file says what to do."""
        return tuple(shortened(str(line), 2 * MOST_SIGNS) for line in self._ways.get(method, ()))

    def can_play(self, game: Game) -> bool:
        asked = self.spec.text, self._print, game
        if asked not in _PLAYS:
            _PLAYS[asked] = bool(self._set_up(("can_play", _SEAT, pickle.dumps(game))))
        return _PLAYS[asked]

    def prepare(self) -> None:
        said = self._set_up(("prepare", _SEAT))
        if said:
            raise UnknownBotError(said)
        self._is_prepared = True

    def keeps_rules(self, game: Game) -> bool:
        """Whether the rules that it was shown are what they were when hands of this game began."""
        return bool(self._set_up(("keeps_rules", _SEAT, pickle.dumps(game))))

    def seed_hand(self, *key: int) -> None:
        self._key = key

    def rest(self) -> None:
        """End the box until it is needed again."""
        if self._box:
            self._box.end()
            self._box = None

    def renew(self) -> None:
        """Make the bot anew, in the box that it has, as if it had seen no hand. A program gets another box."""
        self._key, self._game = (), None
        self._waiting, self._hand, self._wrong = [], [], []
        self._past = None
        if self.is_program:
            self._begin_anew()
            self._ready()
            return
        self._set_up(("make", _SEAT, self.spec.text))
        if self._is_prepared:
            self.prepare()

    def do(self, target: str, *arguments: object) -> Any:
        """What a function of Railbird ("module:function") answers that is called in the box and given the bot."""
        return self._set_up(("do", _SEAT, target, arguments))

    def decided(self, view: PlayerView) -> Action | Wrong:
        """Its decision, or what it did instead."""
        self._enter(view.betting.game)
        found = self._asked([*self._waiting, ("act", _SEAT, self._key, seen_plainly(view))])
        return found if isinstance(found, Action | Wrong) else Wrong(FaultKind.NO_ACTION, "gave no answer")

    def tell(self, hook: str, *facts: Any) -> None:
        """Call a hook, or `reset`, which is told nothing; not at once."""
        if self.late_hooks >= MOST_LATE:
            return
        if not facts:
            self._hand.clear()
            if self.is_program:
                self._begin_anew()
                return
            self._waiting.append((hook, _SEAT, self._key))
            return
        view, *rest = facts
        self._enter(view.betting.game)
        self._waiting.append((hook, _SEAT, self._key, seen_plainly(view), _plain(rest)))

    def _begin_anew(self) -> None:
        """End a program that has seen a hand; another one begins when it is needed."""
        if not self._is_new:
            self.rest()

    def settled(self) -> list[Wrong]:
        """Send what is left of a hand that is over; what went wrong in hooks since the last time."""
        if self._waiting:
            self._asked(self._waiting)
        if self.learns and self._hand:
            self._keep([call for call in self._hand if call[0] != "act"])
        self._hand = []
        wrong, self._wrong = self._wrong, []
        return wrong

    def _keep(self, calls: list[_Call]) -> None:
        if self._past is None:
            self._past = TemporaryFile()  # noqa: SIM115
            weakref.finalize(self, self._past.close)
        data = marshal.dumps(calls)
        self._past.seek(0, os.SEEK_END)
        self._past.write(len(data).to_bytes(4, "little") + data)

    def _asked(self, calls: list[_Call]) -> Any:
        """What comes of the last of these calls."""
        self._waiting = []
        try:
            box, self._is_new = self._ready(), False
            return self._took(calls, box.ask(calls, most_late=MOST_LATE - self.late_hooks))
        except BoxLost as lost:
            self._note_loss(lost, calls[-1])
            tries = 1 if len(calls) == 1 else 0
            return [self._retried(call, tries, str(lost)) for call in calls][-1]

    def _retried(self, call: _Call, tries: int, why: str) -> Any:
        """What comes of a call that was perhaps lost before; what is lost twice is the bot's fault."""
        while tries < _MOST_TRIES:
            try:
                return self._took([call], self._ready().ask([call]))
            except BoxLost as lost:
                self._note_loss(lost, call)
                why, tries = str(lost), tries + 1
        if call[0] == "act":
            return Wrong(FaultKind.TIMEOUT, why, self.way("act"), True)
        self._wrong.append(Wrong(FaultKind.HOOK, f"{call[0]}: {why}", self.way(call[0]), True))
        self.late_hooks += 1
        return None

    def _note_loss(self, lost: BoxLost | EndedEarly, call: _Call = ()) -> None:
        """There is no box any more; the next one is begun when it is needed."""
        self._box = None
        if file := self.housing.output_of(self._name):
            seen = call[_SEEN] if len(call) > _SEEN else ()
            note_restart(file, seen[_HAND_NUMBER] if seen else None, str(lost))

    def _took(self, calls: list[_Call], answer: Answer) -> Any:
        """Note what was called and what went wrong. Late calls are not made again if the bot must be made again."""
        if not answer.wrong:
            self._hand += calls
            return answer.value
        wrong = dict(answer.wrong)
        self._hand += [call for index, call in enumerate(calls) if not (index in wrong and wrong[index].is_late)]
        last = wrong.pop(len(calls) - 1, None) if calls[-1][0] == "act" else None
        self._wrong += [_of_hook(calls[index][0], each) for index, each in wrong.items() if index < len(calls)]
        self.late_hooks += sum(each.is_late for each in wrong.values())
        return last or answer.value

    def _enter(self, game: Game) -> None:
        """Hands of this game follow."""
        if game is not self._game:
            self._game = game
            self._waiting.append(("play", _SEAT, pickle.dumps(game)))

    def _ready(self) -> Box:
        """The box, with a bot in it that has seen what this one has; another one where it was lost."""
        if self._box is None:
            self._made()
            box, self._box = self._box, None  # not before it has seen all that
            assert box is not None
            if self._game:
                box.ask([("play", _SEAT, pickle.dumps(self._game))])
            for calls in self._seen_before():
                box.ask(calls)
            self._box = box
        return self._box

    def _made(self) -> dict[str, Any]:
        """Make the bot, once more if its box or program is lost: somebody else may have ended it."""
        for _ in range(_MOST_TRIES - 1):
            try:
                return self._start()
            except (BoxLost, EndedEarly) as lost:
                self._note_loss(lost)
        try:
            return self._start()
        except BoxLost as lost:
            raise UnknownBotError(f"{self.spec.text!r} could not be made: it {lost}") from None

    def _start(self) -> dict[str, Any]:
        """Make the bot in a new box."""
        if self.spec.fingerprint() != self._print:
            raise MatchError(f"{self.spec.text!r} has changed while it played; give the command again to begin anew")
        box = Box(self.housing, self._name)
        try:
            answer = box.ask([("make", _SEAT, self.spec.text)], is_setup=True)
        except BoxLost as lost:
            if not lost.is_late:
                raise
            raise UnknownBotError(f"{self.spec.text!r} could not be made: it {lost}") from None
        if answer.wrong:
            box.end()
            more = " (a larger --decision-seconds gives more time)" if self.spec.is_program else ""
            raise UnknownBotError(f"{self.spec.text!r} could not be made: {answer.wrong[0][1].message}{more}")
        facts: dict[str, Any] = answer.value
        if "error" in facts:
            box.end()
            printed = box.output.last_line if self.spec.is_program else ""
            kind = EndedEarly if facts["ended"] else UnknownBotError
            raise kind(facts["error"] + (f"; it printed: {printed}" if printed else ""))
        if self._is_prepared:
            box.ask([("prepare", _SEAT)], is_setup=True)
        self._box, self._is_new = box, not self._hand and self._past is None
        return facts

    def _seen_before(self) -> Iterator[list[_Call]]:
        if self._past is not None:
            self._past.seek(0)
            while length := int.from_bytes(self._past.read(4), "little"):
                yield marshal.loads(self._past.read(length))
        if self._hand:
            yield self._hand

    def _set_up(self, call: _Call) -> Any:
        """What comes of a call outside of hands."""
        answer, tries = None, 0
        while answer is None:
            try:
                answer = self._ready().ask([call], is_setup=True)
            except BoxLost as lost:
                self._note_loss(lost)
                tries += 1
                self.losses += 1
                if tries == _MOST_TRIES or lost.is_late:
                    raise UnknownBotError(f"{self.spec.text!r} in `{call[0]}`: it {lost}") from None
        if answer.wrong:
            raise UnknownBotError(f"{self.spec.text!r} in `{call[0]}`: {answer.wrong[0][1].message}")
        return answer.value


def seen_plainly(view: PlayerView) -> tuple[object, ...]:
    """A view as plain values: the betting is told by its history."""
    return (view.betting.history, *view[1:])


def _plain(facts: Sequence[Any]) -> tuple[Any, ...]:
    """What a hook is told beside the view, as plain values."""
    kinds = [tuple if isinstance(fact, tuple) else dict if isinstance(fact, Mapping) else int for fact in facts]
    return tuple([kind(fact) for kind, fact in zip(kinds, facts)])


def _of_hook(name: str, wrong: Wrong) -> Wrong:
    """What went wrong outside of a decision, as the fault of a hook."""
    words = wrong.message if wrong.message.startswith(f"{name}: ") else f"{name}: {wrong.message}"
    return wrong._replace(kind=FaultKind.HOOK, message=words)
