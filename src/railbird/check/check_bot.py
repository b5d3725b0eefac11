"""Whether a bot is fit to play, told in words: `check_bot`.

The same trial hands are played several times, each time with one thing changed that must not matter: the global random
numbers and the clock, the process, the hands before, the cards that the bot may not see. A bot that then decides
differently depends on that thing. The first difference is shown. Then it plays matches in which it would pay to cheat.

Bots that somebody else wrote run in a box all the while, as they do in matches.
"""

from __future__ import annotations

import secrets
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from railbird.bots.base import Bot
from railbird.bots.places import error_words
from railbird.bots.registry import BotSpec
from railbird.check.bot_report import BotReport, Finding
from railbird.check.knowledge import FEWEST_DEALS, Knowledge, knowing_match, match_place, tried_knowledge
from railbird.check.makers import Maker, maker_of, surroundings
from railbird.check.surroundings import PROCESS
from railbird.check.trial import (
    HANDS_BY_SEATS,
    Difference,
    Incident,
    Stopwatch,
    Trial,
    first_difference,
    game_text,
    games_text,
    is_kind_of_game,
    trial_games,
    with_other_hidden_cards,
)
from railbird.errors import RailbirdError, UnknownBotError
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.box import OUTPUT_BYTES, Housing
from railbird.play.dealing import deals
from railbird.play.faults import FaultKind
from railbird.play.hand import Deal
from railbird.play.players import ObjectPlayer, Player, player_of
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

_COMPARISONS = ("the seed", "hidden cards", "memory", "reset", "knowledge of hidden cards")
_NOT_REPEATED = (
    "It decides otherwise when the same hands are played again, so its matches can be resumed, but not repeated. (By "
    'lines a program is told a "seed" for the dice of each hand.)'
)
HANDS_ELSEWHERE = 10
"""How many hands of each game are played in another process."""
DEALS_TO_KNOW = 200
"""In so many deals what a bot knows is looked for."""


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
    takes about `budget_seconds`. `progress` is told the percentage done and what is being checked. A bot from a file
    never runs in this process.

    >>> report = check_bot("always-call")
    >>> report.ok, report.findings
    (True, ())
    """
    out = sys.stdout

    def tell(what: str, percent: int) -> None:
        if progress:
            with redirect_stdout(out):
                progress(percent, 100, what)

    player = player_of(bot)
    if isinstance(player, ObjectPlayer):
        raise UnknownBotError(f"{bot!r} is one bot, and a check makes many: give its class, or a bot's name")
    with match_place(player) as place, redirect_stdout(StringIO()) as printed:
        checker = _Checker(player, place, seconds, seed, budget_seconds, tell)
        try:
            checker.run(bot)
        except _LostError as lost:
            checker.find_trouble(lost.incident)
        except RailbirdError as error:
            checker.add("error", "exits", f"It could not be called any more: {error}.", checker.last_hand)
            checker.not_checked.append("anything after that")
        except SystemExit as error:
            checker.add("error", "exits", f"It ended the program with SystemExit({error.code!r}).", checker.last_hand)
            checker.not_checked.append("anything after that")
        checker.find_attempts(printed.getvalue())
        return checker.report()


class _LostError(Exception):
    """The bot had to be interrupted, or its process was lost; says where."""

    def __init__(self, incident: Incident) -> None:
        self.incident = incident


class _Checker:
    """One check: plays the runs, compares them and collects what is found."""

    def __init__(
        self, player: Player, place: Path, seconds: float, seed: int, budget_seconds: float, tell: _Tell
    ) -> None:
        self.label = player.text
        self.place, self.seconds, self.seed, self.budget = place, seconds, seed, budget_seconds
        self.tell = tell
        self.maker: Maker = maker_of(player, Housing(seconds=seconds, forbidden=(place,)))
        self.bot, self.learns = self.maker.bot, self.maker.bot.learns
        self.make_seconds = 0.0
        self.findings: list[Finding] = []
        self.not_checked: list[str] = []
        self.incidents: list[Incident] = []
        self.stopwatch = Stopwatch()
        self.deals: dict[str, list[Deal]] = {}
        self.base: dict[str, list[HandRecord]] = {}
        self.touched: list[str] = []
        self.noticed: list[str] = []
        """What it tried to reach in matches."""
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

    def run(self, bot: str | BotSpec | type[Bot]) -> None:
        """All checks, from those that would spoil the others on."""
        self.tell("getting ready", 0)
        try:
            self.maker.make()
            plays_something = bool(trial_games(self.bot))
        except Exception as error:
            words = (
                f"{error}"
                if isinstance(error, RailbirdError)
                else f"`prepare` or `can_play` raised {error_words(error)}"
            )
            self.add("error", "cannot-start", f"{words}.")
            self.not_checked += ["legal actions", *_COMPARISONS]
            return
        if not plays_something:
            self.add("error", "plays-nothing", "It says that it can play none of the games tried (`can_play`).")
            self.not_checked += ["legal actions", *_COMPARISONS]
            return
        self.tell("legal actions", 5)
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
        self.tell("nothing but the seed", 25)
        if self.find_dependence(games):
            self.not_checked += _COMPARISONS[1:]
            return
        self.tell("memory and hidden cards", 45)
        self.find_memory_and_peeking(games)
        self.tell("reset", 75)
        self.find_reset(games)
        self.tell("probabilities", 80)
        self.find_chances(games)
        self.tell("a match in which cheating pays", 85)
        self.find_knowledge(bot, games)

    def play_base(self) -> bool:
        """The run that all others are compared with; whether it left the games as they were.

        A few hands are played first to warm up, so that compiling is not timed.
        """
        games = trial_games(self.bot)
        before = self.maker.ask("global_state")
        self.maker.ask("note_parts")
        for game in games:
            name = game_text(game)
            self.deals[name] = list(deals(game, self.seed, 0, HANDS_BY_SEATS[game.seats]))
            began = time.monotonic()
            self.play(self.trial(game), self.deals[name][:2])
            trial = self.trial(game, self.stopwatch)
            self.make_seconds = (time.monotonic() - began) / 2
            self.base[name] = []
            until = time.monotonic() + self.budget / 6 / len(games)
            for deal in self.deals[name]:
                self.base[name] += self.play(trial, [deal])
                if time.monotonic() > until and len(self.base[name]) >= 4:
                    break
            self.incidents += trial.incidents
            if not self.maker.keeps_rules(game):
                return False
        after = self.maker.ask("global_state")
        if before[PROCESS] == after[PROCESS]:
            self.touched = [what for what, state in after.items() if state != before.get(what, state)]
        if changed := self.maker.ask("changed_parts"):
            message = "It replaces parts of Railbird in its process, which gains it nothing: " + ", ".join(changed[:3])
            self.add("error", "changes-railbird", f"{message}.")
        return True

    def find_trouble(self, incident: Incident) -> None:
        """A bot that did not come back in time, perhaps not even when interrupted, or that ended its process."""
        what = "A hook" if incident.kind is FaultKind.HOOK else "A decision"
        program = f"The program {incident.message.rpartition(': ')[2]}."
        code, message = next(
            (code, message)
            for words, code, message in (
                ("ended the process", "exits", "It ended its process."),
                ("ended with", "exits", program),
                ("was ended by", "exits", program),
                ("closed the connection", "exits", program),
                ("did not come back", "hangs", f"It did not come back within {self.seconds:g} s."),
                ("", "too-slow", f"{what} took longer than {self.seconds:g} s and was interrupted."),
            )
            if words in incident.message
        )
        self.add("error", code, message, incident.example)
        self.not_checked += ["legal actions", *_COMPARISONS]

    def find_attempts(self, printed: str) -> None:
        """What the bot printed, and what it tried to reach."""
        printed_bytes, first = self.maker.printed
        if printed:
            first = printed.splitlines()[0]
            self.add("note", "prints", "It prints, which disturbs the progress of matches and --json.", repr(first))
        elif printed_bytes:
            message = "It prints; in a match that goes to a file of the folder"
            most = f", the first {OUTPUT_BYTES // 1_000_000} MB of it" if printed_bytes > OUTPUT_BYTES else ""
            self.add("note", "prints", f"{message}{most}.", repr(first))
        if left := self.maker.left:
            message = f"It leaves processes running ({left} at once), which are ended with its own."
            self.add("note", "leaves-processes", message)
        notes = list(dict.fromkeys([*self.maker.notes, *self.noticed]))
        opened = [note for note in notes if note.startswith("opens")]
        files = [note for note in opened if "." in note]
        if opened:
            message = f"It looks into the folder of the match, from which bots are kept out: it {(files or opened)[0]}."
            self.add("error" if files else "note", "looks-for-cards", message)
        if len(notes) > len(opened):
            imports = ", ".join(note for note in notes if note not in opened)
            self.add("note", "uses-the-dealer", f"It has no use for what deals the cards: it {imports}.")

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
            if often and is_kind_of_game(failing):
                played = [game for game in trial_games(self.bot) if game_text(game) not in failing]
                message += (
                    f". It plays {games_text(played)} without fault, so this is fine if it is meant for nothing else."
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

    def find_dependence(self, games: Sequence[Game]) -> bool:
        """Dependence on global random numbers, the clock, the process or chance."""
        difference = self.difference(games, self.replayed(games, 12_345, 54_321, hurried=True))
        if difference and self.bot.is_program:
            self.add("note", "not-reproducible", _NOT_REPEATED, difference)
            return True
        if difference:
            self.add("error", "not-reproducible", self.cause(games), difference)
            return True
        difference = self.difference(games, self.played_elsewhere(games))
        if difference:
            message = (
                "It decides differently in another process: look for the order of a set, hash() or id() of an object, "
                "or a file."
            )
            self.add("error", "not-reproducible", message, difference)
            return True
        for what in self.touched:
            self.add("note", "global-state", f"It changes {what}, though no decision was seen to depend on it.")
        return False

    def played_elsewhere(self, games: Sequence[Game]) -> _Records:
        """The first hands of the base run in another process, if the bot can be had there."""
        maker = self.maker.elsewhere()
        if maker is None:
            return {game_text(game): [] for game in games}
        until = time.monotonic() + self.budget / 6
        records: _Records = {}
        for game in games:
            name = game_text(game)
            trial = Trial(maker.make(), game, self.seed, self.seconds)
            records[name] = []
            for deal in self.deals[name][: min(HANDS_ELSEWHERE, len(self.base[name]))]:
                if time.monotonic() < until or not records[name]:
                    records[name] += self.play(trial, [deal])
        return records

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
            if wrong := trial.reset_bot():
                self.add("error", "reset-raises", f"{wrong}.")
                return
            again[name] = self.play(trial, half)
        difference = self.difference(games, again)
        if difference:
            self.add("error", "not-reset", "After reset() it decides differently from a new bot.", difference)

    def find_chances(self, games: Sequence[Game]) -> None:
        """What it says of itself in `probabilities`, if it does and it does not learn."""
        if not (self.learns or self.bot.is_program):
            self.maker.make()
            if wrong := self.maker.ask("wrong_chances", [(g.name, g.seats) for g in games], self.budget / 12):
                self.add("error", "wrong-chances", f"What it says in `probabilities` cannot be right: {wrong}.")

    def find_knowledge(self, bot: str | BotSpec | type[Bot], games: Sequence[Game]) -> None:
        """Whether it bets by cards that it may not see, where their seed can be guessed and where it cannot."""
        game = next((game for game in games if game.seats == 2), None)
        per_deal = 4 * sum(self.stopwatch.seconds) / sum(len(records) for records in self.base.values()) + 1e-4
        count = min(DEALS_TO_KNOW, max(FEWEST_DEALS, int(self.budget / 6 / per_deal)))
        if game is None or count * per_deal > self.budget:
            self.not_checked.append(_COMPARISONS[-1])
            return
        seeds = self.seed, secrets.randbits(63)
        specs = [knowing_match(game, bot, count, seed, self.seconds) for seed in seeds]
        guessed, unguessed = tried_knowledge(specs, self.place, self.noticed)
        if unguessed.is_certain:
            self.add("error", "knows-hidden-cards", _betting_words(unguessed, "."), unguessed.where)
        elif guessed.is_certain:
            ending = " if the seed of the match can be guessed, as here; see railbird match --secret."
            self.add("error", "guesses-cards", _betting_words(guessed, ending), guessed.where)

    def trial(self, game: Game, stopwatch: Stopwatch | None = None) -> Trial:
        return Trial(self.maker.make(), game, self.seed, self.seconds, stopwatch)

    def play(self, trial: Trial, dealt: Iterable[Deal]) -> list[HandRecord]:
        records = []
        for deal in dealt:
            self.last_hand = f"{game_text(trial.game)}: hand {deal.number}"
            records.append(trial.try_hand(deal))
            if trial.is_too_slow:
                raise _LostError(trial.trouble())
        return records

    def replayed(
        self, games: Sequence[Game], random_seed: int = 1, numpy_seed: int = 1, hurried: bool = False
    ) -> _Records:
        """The base run in given surroundings; `hurried` gives another time of day, and hours pass between decisions."""
        start, step = (1.2e9, 7777.7) if hurried else (1e9, 0.001)
        records: _Records = {}
        with surroundings(self.maker, random_seed, numpy_seed, start, step):
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


def _betting_words(found: Knowledge, ending: str) -> str:
    """How sure it is that a bot knows more than it may."""
    return (
        f"It knows cards that it may not see: in {found.deals} deals its bets agree with them by "
        f"{abs(found.score):.1f} standard errors{ending}"
    )
