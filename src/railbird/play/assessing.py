"""Skill and luck in whatever holds hands: a log or history, a store, a match folder, the result of a match, or records.

Heads-up limit hold'em goes to DIVAT, from competition logs straight into arrays, from all else through records. Other
hands, and those of which too many hide cards or were all-in, are told as far as they go: see `assess.assessed_tables`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from railbird.assess.aivat_hands import KnownPlayers, check_known
from railbird.assess.assessed import AssessedHand, AssessedLog, assessed_log, assessed_pieces
from railbird.assess.assessed_tables import AssessedHands, assessed_tables
from railbird.assess.mivat import Weighing, weighing
from railbird.assess.player_sums import Kind, SumsByTable
from railbird.assess.settings import Settings, parse_settings
from railbird.errors import AssessmentError, HiddenCardsError, UnfairSampleError
from railbird.formats.games import read_game
from railbird.formats.hand_arrays import HandArrays, Problem
from railbird.formats.hand_logs import LogSource
from railbird.formats.left_out import LeftOut
from railbird.formats.log_pieces import are_long, read_pieces
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.known import KnownBots
from railbird.play.limit_lines import LimitLines, limit_game
from railbird.play.match_logs import (
    arrays_of,
    hands_of,
    is_limit_log,
    log_sources,
    read_hand_arrays,
    refuse_damage,
    sources_of,
)
from railbird.play.match_result import MatchResult
from railbird.play.stored_hands import stored_problems
from railbird.progress import Bar, Watch, bar_for
from railbird.results.result import Result
from railbird.store.store_folder import is_store
from railbird.words import listed

AnyHands = str | Path | Sequence[str | Path] | MatchResult | HandArrays | Iterable[HandRecord]
Assessed = AssessedLog | AssessedHands
Found = Iterator[HandRecord | Problem]
_MOST_PROBLEMS = 1_000


@dataclass(frozen=True)
class _How:
    """What an assessment was asked for."""

    settings: list[tuple[str, Settings]]
    runtime: bool
    whole: bool
    opened: Bar
    known: KnownBots | None
    weighing: Weighing | None

    def log(self, hands: HandArrays, runtime: bool | None = None) -> AssessedLog:
        """Hands of heads-up limit hold'em, assessed."""
        live = self.runtime if runtime is None else runtime
        return assessed_log(hands, self.settings, live, self.opened, self._in_limit, self.weighing)

    def pieces(self, pieces: Iterable[HandArrays], runtime: bool | None = None) -> AssessedLog:
        """The same of hands that come in pieces."""
        live = self.runtime if runtime is None else runtime
        return assessed_pieces(pieces, self.settings, live, self.opened, self._in_limit, self.weighing)

    @property
    def _in_limit(self) -> KnownPlayers | None:
        return self.known.limit if self.known else None


@dataclass
class _Kept:
    """What was left out of hands that were read."""

    problems: list[Problem] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, problem: Problem) -> None:
        if problem.skipped:
            self.kinds[problem.kind] += 1
            if len(self.problems) < _MOST_PROBLEMS:
                self.problems.append(problem)

    def refuse_unfair(self, hands: int, named: str) -> None:
        """Refuse so many hands as no fair sample, if more than a trace of all could not be read."""
        left_out = LeftOut()
        left_out.hands = hands
        left_out.add_problems(self.kinds, str(next(iter(self.problems), "")))
        left_out.refuse(named)


def assess(
    hands: AnyHands,
    settings: str | Sequence[str] = "standard",
    *,
    runtime: bool = False,
    game: str | Game | None = None,
    known: str | Sequence[str] = (),
    mivat: str | Path = "",
    whole: bool = False,
    progress: bool | Bar = True,
) -> Assessed:
    """What was skill and what was luck in hands.

    The hands are logs, histories, stores or match folders, the result of a match, or records. Those of heads-up limit
    hold'em are assessed by DIVAT (Kan 2007). Its `settings` are those of the command line, as in
    "standard:fold=faced"; several make an ensemble, whose means count. With `runtime`, hands with hidden cards count by
    money. The first time, tables are built for half a minute.

    Of players whose probabilities are `known`, by name ("equilibrium") or with the bot that they are ("Ann=sparbot"),
    more luck is taken out, by AIVAT: docs/measures.md. MIVAT's coefficients are those that ship, those of a file
    (`railbird build mivat`) or with `mivat="own"` those of the hands themselves, cross-fitted.

    Of other games, of three and more players, and where too many hands hide cards or were all-in, money, all-in equity
    and the luck of the board cards are told, as far as the cards are known; MIVAT and AIVAT where all are.

    Refuses hands that are no fair sample of those in the logs, because too many do not fit the game, with an
    `UnfairSampleError`: see `railbird.formats.left_out`. Money is after rake, if there was any; skill is before it.

    Of logs with more than about half a million hands only sums are kept, unless all hands are wanted as a `whole`.
    """
    chosen = [settings] if isinstance(settings, str) else settings
    texts = [known] if isinstance(known, str) else known
    how = _How(
        [(text, parse_settings(text)) for text in chosen],
        runtime,
        whole,
        bar_for(progress),
        KnownBots(texts) if texts else None,
        weighing(str(mivat)),
    )
    if isinstance(hands, MatchResult):
        return _assessed_match(hands, how)
    if isinstance(hands, HandArrays):
        return how.log(hands)
    paths, records = _given(hands)
    if records:
        return _assessed_records(lambda _watch: iter(records), "the hands given", how)
    return _assessed_logs(paths, game, how)


def _assessed_match(result: MatchResult, how: _How) -> Assessed:
    if result.folder is None:
        raise AssessmentError("the result does not say where its hands are; assess the match folder")
    if not all(map(is_limit_log, sources_of(result.folder, result.spec.game))):
        return _assessed_logs([result.folder], result.spec.game, how, result.deals)
    with how.opened("reading") as watch:
        found = read_hand_arrays(result.folder, result.spec.game, watch)
    return how.log(found.where(found.numbers < result.deals))


def _given(hands: str | Path | Iterable[str | Path | HandRecord]) -> tuple[list[str | Path], list[HandRecord]]:
    """Paths or records; refuses anything else, and both together."""
    given = list(hands) if isinstance(hands, Iterable) and not isinstance(hands, str) else [hands]
    paths = [each for each in given if isinstance(each, str | Path)]
    records = [each for each in given if isinstance(each, HandRecord)]
    if len(given) not in (len(paths), len(records)):
        raise AssessmentError(f"{hands!r} holds something else than records of hands, or paths of logs")
    return paths, records


def _assessed_logs(
    paths: Sequence[str | Path], game: str | Game | None, how: _How, deals: int | None = None
) -> Assessed:
    """Logs, histories, stores and match folders; of a match maybe the first deals only."""
    sources = sources_of(paths, game)
    refuse_damage([source.path for source in sources])

    def read(watch: Watch | None) -> Found:
        for source in sources:
            for found in hands_of(source, watch):
                if deals is None or not isinstance(found, HandRecord) or found.number < deals:
                    yield found
            if is_store(source.path):
                yield from stored_problems(source.path)

    if not all(map(is_limit_log, sources)):
        return _assessed_records(read, ", ".join(map(str, paths)), how)
    limit = log_sources(paths, read_game(game, 2) if game is not None else None)
    try:
        return _assessed_limit(limit, paths, game, how)
    except HiddenCardsError as error:
        runtime = _assessed_limit(limit, paths, game, replace(how, runtime=True))
        return _without_divat(read, runtime, str(error), how)


def _assessed_limit(
    sources: Sequence[LogSource], paths: Sequence[str | Path], game: str | Game | None, how: _How
) -> AssessedLog:
    """Competition logs of heads-up limit hold'em; long ones piece by piece."""
    if not how.whole and are_long(sources):
        with how.opened("assessing", "kB") as watch:
            return how.pieces(read_pieces(sources, watch))
    with how.opened("reading") as watch:
        arrays = read_hand_arrays(paths, read_game(game, 2) if game is not None else None, watch)
    return how.log(arrays)


def _assessed_records(read: Callable[[Watch | None], Found], named: str, how: _How) -> Assessed:
    """Hands of any games, which `read` gives anew each time."""
    lines, kept, others = LimitLines([named]), _Kept(), SumsByTable(how.known.tables if how.known else None)
    with how.opened("reading") as watch:
        for found in read(watch):
            if isinstance(found, Problem):
                kept.add(found)
                lines.count_problem(found)
            elif not lines.add(found):
                others.add(found)
    if lines.hands or others.hands:
        kept.refuse_unfair(lines.hands + others.hands, named)
    tables = others.finished()
    if how.known and tables and not lines.hands:
        holdem = [sums for sums in tables.values() if sums.is_holdem]
        if not holdem:
            raise AssessmentError(f"AIVAT is for hold'em, so nobody can be known in {_games(tables)}")
        check_known(how.known.bots, list(dict.fromkeys(name for sums in holdem for name in sums.players)))
    results: list[Result] = list(_by_divat(lines, read, how)) if lines.hands else []
    results += assessed_tables(tables)
    if not results:
        first = f"; the first problem: {kept.problems[0]}" if kept.problems else ""
        raise AssessmentError(f"no hand to assess in {named}{first}")
    if len(results) == 1 and isinstance(results[0], AssessedLog):
        return results[0]
    return AssessedHands(tuple(results), tuple(kept.problems), kept.kinds)


def _games(kinds: Iterable[Kind]) -> str:
    """The games of kinds of tables, by name."""
    return listed(list(dict.fromkeys(kind.partition(",")[0] for kind, _ in kinds)))


def _by_divat(lines: LimitLines, read: Callable[[Watch | None], Found], how: _How) -> Iterator[Result]:
    """The results of heads-up limit hold'em, for each set of rules; without DIVAT where that would be unfair."""

    def assessed(games: list[Game], runtime: bool) -> AssessedLog:
        if not how.whole and lines.is_long(games):
            with how.opened("assessing", "kB") as watch:
                return how.pieces(lines.pieces(games, watch), runtime)
        return how.log(lines.arrays(games), runtime)

    groups = lines.rules
    try:
        yield from [assessed(games, how.runtime) for games in groups]
        if groups:
            return
        error: Exception = AssessmentError("every hand of heads-up limit hold'em was all-in")
    except UnfairSampleError as unfair:
        error = unfair
    runtime = assessed(groups[0], True) if isinstance(error, HiddenCardsError) and len(groups) == 1 else None
    yield from _without_divat(read, runtime, str(error), how).results


def _without_divat(
    read: Callable[[Watch | None], Found], runtime: AssessedLog | None, why: str, how: _How
) -> AssessedHands:
    """Heads-up limit hold'em by money and all-in equity, because DIVAT cannot be had."""
    if how.known:
        raise AssessmentError(f"no AIVAT: {why}")
    sums = SumsByTable()
    with how.opened("assessing") as watch:
        for record in read(watch):
            if isinstance(record, HandRecord) and limit_game(record.game) is not None:
                sums.add(record)
    tables = assessed_tables(sums.finished())
    live = dict(runtime.runtime or {}) if runtime is not None else {}
    found = []
    for each in tables:
        estimate = live.get((each.names[0], each.names[1]))
        opposite = live.get((each.names[1], each.names[0]))
        known = estimate if estimate is not None else opposite.opposite if opposite is not None else None
        found.append(replace(each, runtime=known, why=f"No DIVAT: {why}."))
    return AssessedHands(tuple(found))


def hand_of(
    logs: Sequence[str | Path],
    number: int,
    settings: str | Sequence[str] = "standard",
    *,
    game: str | None = None,
    progress: bool | Bar = True,
) -> AssessedHand:
    """The hands of a number in logs, street by street; of long logs no others are kept."""
    sources = sources_of(logs, game)
    if not all(map(is_limit_log, sources)):
        return _hand_in_records(sources, number, settings, progress)
    told = read_game(game, 2) if game is not None else None
    limit = log_sources(logs, told)
    with bar_for(progress)("reading") as watch:
        refuse_damage([source.path for source in limit])
        pieces = read_pieces(limit, watch) if are_long(limit) else [read_hand_arrays(logs, told, watch)]
        chosen = ((piece, (piece.numbers == number) & piece.complete) for piece in pieces)
        # One hand is no sample, so that it does not matter which others are missing.
        found = [replace(piece.where(here), left_out=LeftOut()) for piece, here in chosen if here.any()]
    if not found:
        raise AssessmentError(f"no hand {number} among the hands that could be assessed")
    records = [each.record(n) for each in found for n in range(len(each))]
    hands = found[0] if len(found) == 1 else arrays_of(records)
    return assessed_log(hands, _parsed(settings), bar=bar_for(progress)).hand(number)


def _hand_in_records(
    sources: Sequence[LogSource], number: int, settings: str | Sequence[str], progress: bool | Bar
) -> AssessedHand:
    lines = LimitLines([str(source.path) for source in sources])
    taken = 0
    for at, source in enumerate(sources):
        for record in hands_of(source):
            if isinstance(record, HandRecord) and record.number == number and all(record.holes):
                taken += lines.add(record, at)
    if not taken or not lines.rules:
        raise AssessmentError(
            f"no hand {number} of heads-up limit hold'em with all cards known and nobody all-in among the hands"
        )
    hands = replace(lines.arrays(lines.rules[0]), left_out=LeftOut())
    return assessed_log(hands, _parsed(settings), bar=bar_for(progress)).hand(number)


def _parsed(settings: str | Sequence[str]) -> list[tuple[str, Settings]]:
    chosen = [settings] if isinstance(settings, str) else settings
    return [(text, parse_settings(text)) for text in chosen]
