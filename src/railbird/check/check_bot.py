"""Whether a bot is fit to play, told in words: `check_bot`.

The same trial hands are played several times, each time with one thing changed that must not matter: the global random
numbers and the clock, the process, the hands before, the cards that the bot may not see. A bot that then decides
differently depends on that thing. The first difference is shown.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from typing import Any

import numpy as np

from railbird.bots.base import Bot
from railbird.bots.registry import BotSpec
from railbird.check.bot_report import BotReport, Finding
from railbird.check.trial import (
    HANDS_BY_SEATS,
    Difference,
    Incident,
    Stopwatch,
    Trial,
    first_difference,
    game_text,
    surroundings,
    trial_games,
    with_other_hidden_cards,
)
from railbird.check.trial_process import ProcessRun, play_in_own_process
from railbird.errors import UnknownBotError
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.dealing import deals
from railbird.play.faults import FaultKind
from railbird.play.hand import Deal
from railbird.play.players import NamedPlayer, ObjectPlayer, player_of
from railbird.progress import Watch

_Tell = Callable[[str, int], None]
"""Called with what is being checked next and the percentage that is done."""
_Records = dict[str, list[HandRecord]]
"""The hands of a run, by game."""

_FAULTS = {
    FaultKind.RAISED: ("raises", "It raised {message}{line}"),
    FaultKind.ILLEGAL: ("illegal-action", "It answered with an illegal action: {message}"),
    FaultKind.NO_ACTION: ("not-an-action", "It {message}"),
    FaultKind.HOOK: ("hook-raises", "A hook raised an exception, so what it was told is lost: {message}"),
}

_COMPARISONS = ("the seed", "hidden cards", "memory", "reset")


def check_bot(
    bot: str | BotSpec | type[Bot],
    *,
    seconds: float = 10.0,
    seed: int = 1,
    budget_seconds: float = 30.0,
    progress: Watch | None = None,
) -> BotReport:
    """What is wrong with a bot, given as on the command line ("./mybot.py:MyBot") or as a class.

    `seconds` is what it may think about one decision, as in a match. Slow bots play fewer hands, so that the whole
    takes about `budget_seconds`. `progress` is told the percentage done and what is being
    checked. A bot given as text is first tried in a process of its own, which can be ended.

    >>> report = check_bot("always-call")
    >>> report.ok, report.findings
    (True, ())
    """
    out = sys.stdout

    def tell(what: str, percent: int) -> None:
        if progress:
            with redirect_stdout(out):
                progress(percent, 100, what)

    checker = _Checker(bot, seconds, seed, budget_seconds, tell)
    with redirect_stdout(StringIO()) as printed:
        try:
            checker.run()
        except _TooSlowError as error:
            checker.find_trouble(ProcessRun({}, "too-slow", str(error)))
        except SystemExit as error:
            checker.add("error", "exits", f"It ended the program with SystemExit({error.code!r}).", checker.last_hand)
            checker.not_checked.append("anything after that")
    if printed.getvalue():
        first = printed.getvalue().splitlines()[0]
        checker.add("note", "prints", "It prints, which disturbs the progress of matches and --json.", repr(first))
    return checker.report()


class _TooSlowError(Exception):
    """The bot had to be interrupted; says where."""


class _Checker:
    """One check: plays the runs, compares them and collects what is found."""

    def __init__(
        self, bot: str | BotSpec | type[Bot], seconds: float, seed: int, budget_seconds: float, tell: _Tell
    ) -> None:
        player = player_of(bot)
        if isinstance(player, ObjectPlayer):
            raise UnknownBotError(f"{bot!r} is one bot, and a check makes many: give its class, or a bot's name")
        self.spec = player.spec if isinstance(player, NamedPlayer) else None
        self.make, self.label = player.make, player.text
        self.seconds, self.seed, self.budget = seconds, seed, budget_seconds
        self.tell = tell
        began = time.monotonic()
        bot_made = self.make()
        self.bot, self.kind, self.learns = bot_made, type(bot_made), bot_made.learns
        self.make_seconds = time.monotonic() - began
        self.findings: list[Finding] = []
        self.not_checked: list[str] = []
        self.incidents: list[Incident] = []
        self.stopwatch = Stopwatch()
        self.deals: dict[str, list[Deal]] = {}
        self.base: dict[str, list[HandRecord]] = {}
        self.touched: list[str] = []
        self.last_hand = ""

    def add(self, severity: str, code: str, message: str, example: object = "") -> None:
        self.findings.append(Finding(severity, code, message, str(example)))

    def report(self) -> BotReport:
        seconds = self.stopwatch.seconds
        return BotReport(
            bot=self.label,
            learns=self.learns,
            findings=tuple(sorted(self.findings, key=lambda finding: finding.severity)),
            hands=tuple((name, len(records)) for name, records in self.base.items()),
            decisions=len(seconds),
            median_seconds=statistics.median(seconds) if seconds else 0.0,
            worst_seconds=max(seconds, default=0.0),
            limit_seconds=self.seconds,
            not_checked=tuple(self.not_checked),
        )

    def run(self) -> None:
        """All checks, from those that would spoil the others on."""
        own_process = ProcessRun({}, "", "")
        self.tell("getting ready", 0)
        try:
            self.bot.prepare()
            plays_something = bool(trial_games(self.bot))
        except Exception as error:
            self.add("error", "cannot-start", f"`prepare` or `can_play` raised {type(error).__name__}: {error}.")
            self.not_checked += ["legal actions", *_COMPARISONS]
            return
        if not plays_something:
            self.add("error", "plays-nothing", "It says that it can play none of the games tried (`can_play`).")
            self.not_checked += ["legal actions", *_COMPARISONS]
            return
        if self.spec:
            self.tell("a process of its own", 0)
            own_process = play_in_own_process(self.spec, self.seed, self.seconds, self.budget / 6)
            if own_process.trouble:
                self.find_trouble(own_process)
                return
        self.tell("legal actions", 15)
        if not self.play_base():
            self.add("error", "changes-the-game", "It changed the rules it was shown (`view.game`).", self.last_hand)
            self.not_checked += ["legal actions", *_COMPARISONS]
            return
        self.find_faults()
        spoiled = {game_text(incident.game) for incident in self.incidents}
        games = [game for game in trial_games(self.bot) if game_text(game) not in spoiled]
        if not games:
            self.not_checked += _COMPARISONS
            return
        self.tell("nothing but the seed", 35)
        if self.find_dependence(games, own_process):
            self.not_checked += _COMPARISONS[1:]
            return
        self.tell("memory and hidden cards", 50)
        self.find_memory_and_peeking(games)
        self.tell("reset", 90)
        self.find_reset(games)

    def play_base(self) -> bool:
        """The run that all others are compared with; whether it left the games as they were.

        A few hands are played first to warm up, so that compiling is not timed.
        """
        before, games = _global_state(), trial_games(self.bot)
        for game in games:
            name = game_text(game)
            self.deals[name] = list(deals(game, self.seed, 0, HANDS_BY_SEATS[game.seats]))
            self.play(self.trial(game), self.deals[name][:2])
            trial = Trial(self.make, game, self.seed, self.seconds, self.stopwatch)
            self.base[name] = []
            until = time.monotonic() + self.budget / 6 / len(games)
            for deal in self.deals[name]:
                self.base[name] += self.play(trial, [deal])
                if time.monotonic() > until and len(self.base[name]) >= 4:
                    break
            self.incidents += trial.incidents
        self.touched = [what for what, state in _global_state().items() if state != before[what]]
        return games == trial_games(self.bot)

    def find_trouble(self, run: ProcessRun) -> None:
        """A bot that did not come back in time, perhaps not even when interrupted, or that ended its process."""
        message = {
            "too-slow": f"A decision took longer than {self.seconds:g} s and was interrupted.",
            "hangs": f"It did not come back within {self.seconds:g} s and could not be interrupted.",
            "exits": "It ended its process." if run.where else "It could not be made in a process of its own.",
        }[run.trouble]
        self.add("error", run.trouble, message, run.where)
        self.not_checked += ["legal actions", *_COMPARISONS]

    def find_faults(self) -> None:
        """Exceptions and illegal answers of the base run, and slowness."""
        hands = sum(len(records) for records in self.base.values())
        for kind, (code, words) in _FAULTS.items():
            found = [incident for incident in self.incidents if incident.kind is kind]
            if not found:
                continue
            example = found[0]
            line = f" ({example.line})" if example.line else ""
            message = words.format(message=example.message, line=line)
            failing = {game_text(incident.game) for incident in found}
            spoiled = len({(incident.game, incident.hand) for incident in found})
            often = spoiled > sum(len(self.base[name]) for name in failing) / 10
            if often and _is_kind_of_game(failing):
                played = [game for game in trial_games(self.bot) if game_text(game) not in failing]
                message += (
                    f". It plays {_games_text(played)} without fault, so this is fine if it is meant for nothing else."
                )
                self.add("note", "limited-games", message, example.example)
            else:
                self.add("error", code, f"{message} (in {spoiled} of {hands} hands).", example.example)
        seconds = self.stopwatch.seconds
        median = statistics.median(seconds) if seconds else 0.0
        if median > self.seconds / 100:
            hours = 10_000 * median * len(seconds) / hands / 3600
            message = (
                f"Half its decisions take {median:.2g} s or more; 10,000 hands would take about {hours:.2g} hours."
            )
            self.add("note", "slow", message)

    def find_dependence(self, games: Sequence[Game], own_process: ProcessRun) -> bool:
        """Dependence on global random numbers, the clock, the process or chance."""
        difference = self.difference(games, self.replayed(games, 12_345, 54_321, hurried=True))
        if difference:
            self.add("error", "not-reproducible", self.cause(games), difference)
            return True
        for name, histories in own_process.histories.items():
            if name in {game_text(game) for game in games}:
                theirs = [replace(mine, history=h) for mine, h in zip(self.base[name], histories)]
                difference = first_difference(self.base[name], theirs)
                if difference:
                    message = (
                        "It decides differently in another process: look for the order of a set, hash() or id() of an "
                        "object, or a file."
                    )
                    self.add("error", "not-reproducible", message, difference)
                    return True
        for what in self.touched:
            self.add("note", "global-state", f"It changes {what}, though no decision was seen to depend on it.")
        return False

    def cause(self, games: Sequence[Game]) -> str:
        """What the bot depends on beside its seed, found by changing one thing at a time."""
        causes: list[str] = []
        first = self.replayed(games)
        if not self.difference(games, self.replayed(games), first):
            tries = {
                "the global `random`": self.replayed(games, random_seed=2),
                "the global `numpy.random`": self.replayed(games, numpy_seed=2),
                "the clock": self.replayed(games, hurried=True),
            }
            causes = [what for what, records in tries.items() if self.difference(games, records, first)]
        unknown = (
            "something that neither the seed nor the hand decides (unseeded random numbers, threads, an object's "
            "address, or a class or module variable that outlives the bot)"
        )
        return f"Its decisions depend on {' and '.join(causes) or unknown}; all chance must come from self.rng."

    def find_memory_and_peeking(self, games: Sequence[Game]) -> None:
        """What the bot takes from earlier hands, and from cards it may not see."""
        affordable = int(self.budget / 12 / len(games) / max(self.make_seconds, 1e-6))
        fresh: _Records = {}
        other_cards: _Records = {}
        for game in games:
            name = game_text(game)
            dealt = self.deals[name][: min(len(self.base[name]), max(2, affordable))]
            fresh[name] = [record for deal in dealt for record in self.play(self.trial(game), [deal])]
            changed = [with_other_hidden_cards(*pair, keep_shown=False) for pair in zip(dealt, fresh[name])]
            other_cards[name] = [record for deal in changed for record in self.play(self.trial(game), [deal])]
        peeked = self.difference(games, other_cards, fresh)
        if self.learns:
            peeked = peeked or self.difference(games, self.with_other_unseen_cards(games))
            difference = self.difference(games, self.resumed(games))
            if difference:
                message = (
                    "After being shown recorded hands it plays differently from the bot that played them: what it "
                    "remembers must change in hooks only, never in act, and without self.rng."
                )
                self.add("error", "memory-in-act", message, difference)
        else:
            difference = self.difference(games, fresh)
            if difference:
                message = (
                    "It says learns = False, but decides differently after earlier hands: say learns = True, or "
                    "forget in on_hand."
                )
                self.add("error", "remembers", message, difference)
                self.not_checked.append("reset")
        if peeked:
            message = "It decides differently when only cards change that it may not see."
            self.add("error", "sees-hidden-cards", message, peeked)

    def find_reset(self, games: Sequence[Game]) -> None:
        """Whether `reset` makes the bot as good as new."""
        if "reset" in self.not_checked:
            return
        again: _Records = {}
        for game in games:
            name = game_text(game)
            trial = self.trial(game)
            half = self.deals[name][: (len(self.base[name]) + 1) // 2]
            self.play(trial, half)
            try:
                trial.bot.reset()
            except Exception as error:
                self.add("error", "reset-raises", f"reset() raised {type(error).__name__}: {error}.")
                return
            again[name] = self.play(trial, half)
        difference = self.difference(games, again)
        if difference:
            self.add("error", "not-reset", "After reset() it decides differently from a new bot.", difference)

    def trial(self, game: Game) -> Trial:
        return Trial(self.make, game, self.seed, self.seconds)

    def play(self, trial: Trial, dealt: Iterable[Deal]) -> list[HandRecord]:
        records = []
        for deal in dealt:
            self.last_hand = f"{game_text(trial.game)}: hand {deal.number}"
            records.append(trial.try_hand(deal))
            if trial.is_too_slow:
                raise _TooSlowError(trial.incidents[-1].example)
        return records

    def replayed(
        self, games: Sequence[Game], random_seed: int = 1, numpy_seed: int = 1, hurried: bool = False
    ) -> _Records:
        """The base run in given surroundings; `hurried` gives another time of day, and hours pass between decisions."""
        start, step = (1.2e9, 7777.7) if hurried else (1e9, 0.001)
        records: _Records = {}
        with surroundings(self.kind, random_seed, numpy_seed, start, step):
            for game in games:
                name = game_text(game)
                records[name] = self.play(self.trial(game), self.deals[name][: len(self.base[name])])
        return records

    def with_other_unseen_cards(self, games: Sequence[Game]) -> _Records:
        """The base run with other cards wherever the bot never saw the old ones, so that it should notice nothing."""
        records: _Records = {}
        for game in games:
            name = game_text(game)
            pairs = zip(self.deals[name], self.base[name])
            records[name] = self.play(self.trial(game), [with_other_hidden_cards(*p, keep_shown=True) for p in pairs])
        return records

    def resumed(self, games: Sequence[Game]) -> _Records:
        """The base run, its first half shown from the record, as to a bot whose match is resumed."""
        records: _Records = {}
        for game in games:
            name = game_text(game)
            trial = self.trial(game)
            half = len(self.base[name]) // 2
            for record in self.base[name][:half]:
                trial.remember(record, trial.seating.order(0, record.number))
            rest = self.play(trial, self.deals[name][half : len(self.base[name])])
            records[name] = self.base[name][:half] + rest
        return records

    def difference(self, games: Sequence[Game], second: _Records, first: _Records | None = None) -> Difference | None:
        """The first difference from the base run, or from `first`."""
        first = first or self.base
        found = (first_difference(first[name], second[name]) for name in map(game_text, games))
        return next(filter(None, found), None)


def _is_kind_of_game(failing: set[str]) -> bool:
    """Whether a bot seems made for other games: it fails from some number of seats on, or in one structure.

    Both may be the case; but what fails in one structure from some number of seats on and never in the other is chance.
    """
    by_structure: dict[str, list[bool]] = {}
    for game in trial_games():
        by_structure.setdefault(game.name, []).append(game_text(game) in failing)
    patterns = list(by_structure.values())
    if any(pattern != sorted(pattern) for pattern in patterns) or all(map(all, patterns)):
        return False
    return patterns[0] == patterns[1] or any(map(all, patterns))


def _global_state() -> dict[str, object]:
    """What a bot should leave alone, by name."""
    numpy_state: Any = np.random.get_state()
    return {
        "the state of the global `random`": random.getstate(),
        "the state of the global `numpy.random`": (numpy_state[1].tobytes(), *numpy_state[2:]),
        "the working directory": os.getcwd(),
        "os.environ": dict(os.environ),
    }


def _games_text(games: Iterable[Game]) -> str:
    """Several games in few words.

    >>> from railbird.game.spec import limit_holdem, no_limit_holdem
    >>> _games_text([limit_holdem(2), limit_holdem(3), no_limit_holdem(2)])
    'limit with 2, 3 seats and no-limit with 2 seats'
    """
    seats: dict[str, list[str]] = {}
    for game in games:
        seats.setdefault(game.name, []).append(str(game.seats))
    return " and ".join(f"{name} with {', '.join(numbers)} seats" for name, numbers in seats.items())
