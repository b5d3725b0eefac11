"""Logs by the names of files and folders, read with the game that their match folder or the log itself tells.

logs = open_logs("matches/demo")                                      a folder or a log, for whoever takes either
hands = read_hands("matches/demo")                                    records, of any game
arrays = read_hand_arrays(["matches/demo", "2p.limit.log"])           heads-up limit hold'em, for kernels
"""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from railbird.errors import (
    DamagedLogError,
    InvalidGameError,
    InvalidRecordError,
    MatchError,
    RailbirdError,
    RailbirdWarning,
)
from railbird.files import Paths, paths_of
from railbird.formats import acpc
from railbird.formats.acpc_logs import tells_games
from railbird.formats.games import read_game
from railbird.formats.hand_arrays import HandArrays, Problem
from railbird.formats.hand_logs import LogSource, heads_up_limit, read_logs
from railbird.formats.history import HistoryFile
from railbird.formats.log_pieces import are_long, read_pieces, told_game
from railbird.formats.readers import beginning_of, hands_in, is_part_of_folder, recognised, seats_at
from railbird.formats.told_games import game_beside, other_game
from railbird.game.quick_check import Checker
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.damage import damage_words
from railbird.play.faults import Fault
from railbird.play.folder import MatchFolder, folder_game, folder_logs, is_match
from railbird.play.leg_log import HandLog
from railbird.play.limit_lines import LimitLines, limit_rules
from railbird.play.set_aside import is_set_aside
from railbird.play.stored_hands import hand_store, stored_hand
from railbird.progress import Watch
from railbird.store.store_folder import is_store
from railbird.words import count_of

_OFTEN = 64
"""A watch is told how far a log is read after so many hands."""
_MOST_NAMED = 6
"""So many matches are named where one of them is meant."""
_MOST_UNPACKED = 1_000_000_000
_NO_LOGS = (".json", ".npz", ".parquet", ".py", ".md", ".html", ".png", ".game", ".idx", ".damaged")
"""Files that lie beside logs and are none."""
_PLAYERS = "pdb"
"""The folder of the IRC database whose files belong to the one beside it."""


@dataclass(frozen=True)
class OpenedLogs:
    """What a path holds: the logs of a match, of several matches, or one log alone."""

    path: Path
    sources: tuple[LogSource, ...]
    problems: dict[Problem, None] = field(default_factory=dict, compare=False, repr=False)
    """The hands of histories that were set aside so far, in the order in which they were read."""

    @cached_property
    def folder(self) -> MatchFolder | None:
        """The match folder, if the path is one."""
        return MatchFolder.open(self.path) if is_match(self.path) else None

    @cached_property
    def hand_count(self) -> int:
        """How many hands a log has; of several logs the one with most."""
        return max(sum(1 for _ in self.records(source)) for source in self.sources)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players, in the order in which they first appear."""
        return tuple(dict.fromkeys(name for _, record in self.all_records() for name in record.names))

    def records(self, source: LogSource) -> Iterator[HandRecord]:
        """The hands of one of the logs, each held against the rules."""
        if _tells_no_game(source):
            arrays = read_logs([_limit_for_two(source)])
            arrays.refuse_unfair()
            yield from (arrays.record(index) for index in range(len(arrays)))
            return
        is_history = not is_competition_log(source.path)
        for found in hands_of(source):
            if isinstance(found, HandRecord):
                yield found
            elif is_history:
                self.problems[found] = None
            else:
                raise InvalidRecordError(f"{found.file}:{found.line}: {found.message}", found.kind)

    def all_records(self) -> Iterator[tuple[LogSource, HandRecord]]:
        """The hands of all logs, each with its log."""
        for source in self.sources:
            for record in self.records(source):
                yield source, record

    @property
    def is_heads_up_limit(self) -> bool:
        """Whether the hands can be read into arrays, as far as the games are known."""
        if not self._are_competition_logs:
            return self._lines is not None
        try:
            for source in self.sources:
                _limit_for_two(source)
        except InvalidGameError:
            return False
        return True

    def arrays(self, watch: Callable[[int, int], None] | None = None) -> HandArrays:
        """The hands of all logs as arrays; refuses other games than heads-up limit hold'em, and damaged logs."""
        if not self._are_competition_logs:
            return self._limit_lines.arrays(self._limit_lines.rules[0])
        refuse_damage([source.path for source in self.sources])
        return read_logs([_limit_for_two(source) for source in self.sources], watch)

    def pieces(self) -> Iterator[HandArrays]:
        """The same, of logs that are too long for memory in pieces."""
        if not self._are_competition_logs:
            lines, games = self._limit_lines, self._limit_lines.rules[0]
            yield from lines.pieces(games) if lines.is_long(games) else [lines.arrays(games)]
            return
        sources = [_limit_for_two(source) for source in self.sources]
        refuse_damage([source.path for source in sources])
        yield from read_pieces(sources) if are_long(sources) else [read_logs(sources)]

    @cached_property
    def _are_competition_logs(self) -> bool:
        return all(is_competition_log(source.path) for source in self.sources)

    @cached_property
    def _lines(self) -> LimitLines | None:
        """The hands of stores and histories as lines, if all of them are heads-up limit hold'em by the same rules."""
        stores = [source.path for source in self.sources if is_store(source.path)]
        if not all(limit_rules(rules) for path in stores for rules in hand_store(path).rules()):
            return None
        lines = LimitLines([str(source.path) for source in self.sources])
        for at, source in enumerate(self.sources):
            for found in hands_of(source):
                if isinstance(found, Problem):
                    lines.count_problem(found)
                elif not lines.add(found, at):
                    return None
        return lines if len(lines.rules) == 1 else None

    @property
    def _limit_lines(self) -> LimitLines:
        if self._lines is None:
            raise InvalidGameError(f"{str(self.path)!r} is not of heads-up limit hold'em alone, which is read here")
        return self._lines

    def one_match(self, command: str = "{}") -> OpenedLogs:
        """Itself if it holds one match; refuses several, and names them. `command` is what would do, with {} for one of
        them."""
        logs = [source.path for source in self.sources]
        matches = sorted({log.parent if is_match(log.parent) else log for log in logs})
        if len(matches) > 1:
            names = [_named(each) for each in matches[:_MOST_NAMED]]
            more = [f"and {len(matches) - _MOST_NAMED} more"] if len(matches) > _MOST_NAMED else []
            instead = command.format(shlex.quote(str(matches[0])))
            raise MatchError(
                f"{str(self.path)!r} holds {len(matches)} matches or logs ({', '.join(names + more)}); name one, as in "
                f"{instead}"
            )
        return self

    def hand(self, number: int, seating: int = 1) -> HandRecord:
        """The hand of a number; of those that were played in several seatings, the first, second, ... of them."""
        if len(self.sources) == 1 and is_store(self.sources[0].path):
            return stored_hand(self.sources[0].path, number, seating)
        if not any(has_lines(source.path) for source in self.sources):
            return self._told_hand(number, seating)
        sources = self.one_match(f"railbird replay {{}} {number}").sources
        if seating < 1 or (seating > len(sources) and (len(sources) > 1 or self.folder)):
            raise MatchError(f"seating {seating}; {str(self.path)!r} has 1 to {len(sources)}")
        source = sources[0] if len(sources) == 1 else sources[seating - 1]
        log = match_log(source.path)
        if log is not None and 0 <= number < log.known_hands:
            try:
                return log.record(number)
            except DamagedLogError:
                if any(damage.first <= number < damage.last for damage in log.damages):
                    raise
        return _found_hand(source, number, seating if len(sources) == 1 else 1)

    def _told_hand(self, number: int, place: int) -> HandRecord:
        """The first, second, ... hand of a number in histories."""
        ends: tuple[int, int] | None = None
        count = 0
        for _, record in self.all_records():
            found = record.number
            ends = (min(ends[0], found), max(ends[1], found)) if ends else (found, found)
            count += found == number
            if count == place and found == number:
                return record
        if count:
            raise MatchError(f"seating {place}; hand {number} was played {count_of(count, 'time')}")
        first = next(iter(self.problems), None)
        aside = f"; {count_of(len(self.problems), 'hand')} set aside, the first: {first}" if first else ""
        told = f"hands {ends[0]} to {ends[1]}" if ends else "no good hand"
        raise MatchError(f"no hand {number} in {str(self.path)!r} ({told}{aside})")

    def faults_of(self, number: int, seating: int = 1) -> list[Fault]:
        """What bots did wrong in a hand of a match folder; of other logs nothing is known."""
        log = match_log(self.sources[min(seating, len(self.sources)) - 1].path) if self.folder else None
        with suppress(DamagedLogError):  # elsewhere in the log, so that nothing is where it was
            return log.faults_of(number) if log is not None and number < log.known_hands else []
        return []


def hands_of(source: LogSource, watch: Watch | None = None) -> Iterator[HandRecord | Problem]:
    """The hands of a log or store, each held against the rules, and why others were set aside; in little memory.

    `watch` is told bytes read, and in all.
    """
    if is_store(source.path):
        yield from hand_store(source.path).records(watch)
    elif (log := match_log(source.path)) is not None:
        hands, checker = log.look(), Checker(may_be_raked=False)
        for at, record in enumerate(log.records(0, hands)):
            checker.check(record)
            yield record
            if watch is not None and at % _OFTEN == 0:
                watch(at, hands)
    elif _tells_no_game(source):
        for piece in read_pieces([_limit_for_two(source)], watch):
            yield from piece.problems
            yield from (piece.record(index) for index in range(len(piece)))
    else:
        yield from hands_in(source.path, source.game, watch)


def good_hands(paths: Paths, game: str | Game | None = None) -> Iterator[HandRecord]:
    """The hands of logs, histories, stores and match folders one by one, in little memory; those that cannot be read
    are passed over."""
    for source in sources_of(paths, game):
        yield from (found for found in hands_of(source) if isinstance(found, HandRecord))


def _tells_no_game(source: LogSource) -> bool:
    """Whether nobody knows the bets of a log of heads-up limit hold'em, so that they are told from the payoffs."""
    return source.game is None and is_limit_log(source)


def match_log(path: Path) -> HandLog | None:
    """A log as that of a leg of the match in whose folder it lies; none if it is no such log."""
    if not is_match(path.parent):
        return None
    try:
        folder = MatchFolder.open(path.parent)
    except MatchError:
        return None  # a match of another version, whose hands may still be read
    return next((folder.log(leg) for leg in range(folder.spec.seating.legs) if folder.log_path(leg) == path), None)


def refuse_damage(paths: Iterable[Path]) -> None:
    """Refuse logs of match folders that do not hold what was written; each is read in full."""
    for path in paths:
        if (log := match_log(path)) is not None and (damages := log.verify()):
            raise DamagedLogError(damage_words(path.parent, damages))


def _found_hand(source: LogSource, number: int, place: int) -> HandRecord:
    """The hand of a number in a log, the first, second, ... of them, held against the rules; the other hands are not
    read."""
    found = acpc.find_hands(source.path, number, place)
    if len(found) == place:
        line, text = found[-1]
        game = source.game or told_game(_limit_for_two(source))
        try:
            record = acpc.parse_record(text, game)
            record.check(may_be_raked=match_log(source.path) is None)
        except InvalidRecordError as error:
            raise InvalidRecordError(f"{source.path}:{line}: {error}") from None
        return record
    if found:
        raise MatchError(f"seating {place}; hand {number} was played {count_of(len(found), 'time')}")
    numbers = acpc.hand_numbers(source.path)
    if not numbers and not is_match(source.path.parent):
        read_logs([replace(source, game=None)])  # which says why there is none
    told = f"hands {numbers[0]} to {numbers[1]}" if numbers else "no hands yet"
    path = source.path.parent if is_match(source.path.parent) else source.path
    raise MatchError(f"no hand {number} in {str(path)!r} ({told})")


def _named(match: Path) -> str:
    """A match folder with its players, or a log."""
    return f"{match.name} {' v '.join(MatchFolder.open(match).spec.names)}" if is_match(match) else match.name


def open_logs(path: str | Path, game: str | Game | None = None) -> OpenedLogs:
    """A match folder, a log, or a folder with either in them. The game is the one given, or the one that is told."""
    sources = sources_of(path, game)
    return OpenedLogs(Path(path), tuple(sources))


def read_hands(paths: Paths, game: str | Game | None = None) -> list[HandRecord]:
    """The hands of logs, histories and match folders as records, each held against the rules.

    Files are told by what they hold: competition logs, captures of the wire, PHH, histories of poker rooms. The game of
    a competition log is the one given, or the match folder's, or that of the game file that the log names, or the one
    that its hands tell; histories tell it themselves. In a competition log a hand that breaks the rules is refused. In
    a history it is set aside, and a warning says how many were; `railbird.hands_in` gives them all, one by one.

    >>> from railbird.play.matches import play_match
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = play_match("always-call", "always-raise", hands=100, seed=7, folder=folder)
    ...     hands = read_hands(folder)
    >>> len(hands), hands[0].history
    (100, 'rc/crc/crc/crc')
    """
    opened = OpenedLogs(Path(), tuple(sources_of(paths, game)))
    found = [record for _, record in opened.all_records()]
    if opened.problems:
        first, whole = next(iter(opened.problems)), len(found) + len(opened.problems)
        said = f"{count_of(len(opened.problems), 'hand')} of {whole:,} set aside, the first: {first}"
        if not found:
            raise InvalidRecordError(said)
        warnings.warn(said, RailbirdWarning, stacklevel=2)
    return found


def arrays_of(records: Iterable[HandRecord]) -> HandArrays:
    """Records of heads-up limit hold'em as arrays; those with somebody all-in are left out and told."""
    lines = LimitLines(["the hands given"])
    for record in records:
        if not lines.add(record):
            heads_up_limit(record.game, f"the game of hand {record.number}")
    if not lines.hands:
        raise MatchError("no hand to read")
    if len(lines.rules) != 1:
        raise MatchError("the hands are of several games, or all-in all of them")
    return lines.arrays(lines.rules[0])


def read_hand_arrays(
    paths: Paths, game: Game | None = None, watch: Callable[[int, int], None] | None = None
) -> HandArrays:
    """The hands of heads-up limit hold'em in logs and match folders, checked against the rules.

    The game is the one given, or the match folder's. Of other logs it is limit hold'em with reverse blinds and at most
    four bets a street, whose bets are told from the payoffs. `watch` is told bytes read and bytes in all.

    Refuses paths that are not there, and what `railbird.formats.hand_logs.read_logs` refuses.
    """
    sources = log_sources(paths, game)
    refuse_damage([source.path for source in sources])
    return read_logs(sources, watch)


def is_limit_log(source: LogSource) -> bool:
    """Whether a log is a competition log of heads-up limit hold'em, as far as it or somebody tells."""
    if not is_competition_log(source.path):
        return False
    try:
        _limit_for_two(source)
    except (MatchError, InvalidGameError):
        return False
    return True


def log_sources(paths: Paths, game: Game | None = None) -> list[LogSource]:
    """The logs of heads-up limit hold'em in `paths`: files, match folders, and folders with either in them."""
    found = []
    for source in sources_of(paths, game):
        is_own = is_match(source.path.parent)
        told = f"the match in {str(source.path.parent)!r}" if is_own else f"the game of {str(source.path)!r}"
        whose = told if game is None else "the game given"
        limit = heads_up_limit(source.game, whose) if source.game else None
        if limit is None and (toy := acpc.toy_game(beginning_of(source.path))):
            raise InvalidGameError(
                f"{str(source.path)!r} is a log of a game with one hole card, as {toy}; only limit hold'em for 2 "
                f"players is read here (railbird results, hands and replay take others, as with --game {toy})"
            )
        found.append(_unpacked_log(replace(source, game=limit)))
    return found


def _limit_for_two(source: LogSource) -> LogSource:
    """A log that can be read into arrays; refuses other games than heads-up limit hold'em."""
    if source.game is not None:
        return _unpacked_log(replace(source, game=heads_up_limit(source.game, f"the game of {str(source.path)!r}")))
    beginning = beginning_of(source.path)
    first, toy = acpc.first_hand(beginning), acpc.toy_game(beginning)
    if first and (toy or len(first.names) != 2 or any(letter.isdigit() for letter in first.history)):
        named = "no-limit:stack=20000" if not toy else toy if len(first.names) == 2 else ""
        raise MatchError(
            f"{str(source.path)!r} does not tell its game, and it is not heads-up limit hold'em; say it with --game, "
            f"as in {f'--game {named} or ' if named else ''}--game some.game"
        )
    return _unpacked_log(source)


def _unpacked_log(source: LogSource) -> LogSource:
    return replace(source, data=_unpacked(source.path)) if HistoryFile(source.path).is_packed else source


def _unpacked(path: Path) -> bytes:
    with HistoryFile(path).opened() as file:
        data = file.read(_MOST_UNPACKED + 1)
    if len(data) > _MOST_UNPACKED:
        raise MatchError(f"{str(path)!r} holds more than {_MOST_UNPACKED // 10**6:,} MB; unpack it first")
    return data


def is_competition_log(path: Path) -> bool:
    """Whether a file is to be read as one: also if nobody knows what it is, so that each of its lines is judged; not if
    it tells the game of each hand, as histories do. A store is none."""
    if is_store(path):
        return False
    file = HistoryFile(path)
    found = recognised(file)
    return found is None or (found.name == "acpc" and not tells_games(file.beginning))


def sources_of(paths: Paths, game: str | Game | None = None) -> list[LogSource]:
    """The logs and stores of `paths`. The game is the one given, else that of the match folder a log lies in or of the
    game file beside it that it names, else unknown."""
    found: list[LogSource] = []
    for match, path in enumerate(matches_in(paths_of(paths))):
        logs = folder_logs(path) if path.is_dir() and not is_store(path) else [path]
        found += [LogSource(log, _game_of(log, game), match) for log in logs]
    if not found:
        raise MatchError("no log to read")
    return found


def _game_of(log: Path, game: str | Game | None) -> Game | None:
    if is_store(log):
        return None  # its hands tell their games
    if isinstance(game, str):
        return read_game(game, seats_at(HistoryFile(log)))
    if game is not None:
        return game
    if is_match(log.parent):
        return folder_game(log.parent)
    if not is_competition_log(log):
        return None
    file = HistoryFile(log)
    found = game_beside(file)
    return found if found and found.seats == seats_at(file) else other_game(file)


def matches_in(paths: Sequence[Path]) -> list[Path]:
    """Files and match folders; other folders are replaced by the matches and logs in them, however deep."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir() and not is_match(path) and not is_store(path):
            inside = _inside(path)
            if not inside:
                raise MatchError(f"no match, no log and no history in the folder {str(path)!r}")
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise MatchError(f"no file or folder {str(path)!r}")
    return found


def _inside(folder: Path) -> list[Path]:
    """The matches, stores and logs of a folder, and then those of the folders in it."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise MatchError(f"cannot read {str(folder)!r}: {error.strerror}") from None
    inner = [entry for entry in entries if entry.is_dir() and not is_set_aside(entry)]
    matches = [entry for entry in inner if is_match(entry) or is_store(entry)]
    logs = [entry for entry in entries if entry.is_file() and _is_log(entry)]
    others = [entry for entry in inner if entry not in matches and not entry.is_symlink()]
    deeper = [entry for entry in others if entry.name != _PLAYERS and not entry.name.startswith(".")]
    return [*matches, *logs, *(path for entry in deeper for path in _inside(entry))]


def has_lines(path: Path) -> bool:
    """Whether a file is a competition log as it lies there, so that single lines can be found in it."""
    return is_competition_log(path) and not HistoryFile(path).is_packed


def _is_log(path: Path) -> bool:
    """Whether a file in a folder is meant to be read: by its name, or because it holds hands."""
    if path.suffix == ".log":
        return True
    if path.name.startswith(".") or path.suffix in _NO_LOGS or is_part_of_folder(path):
        return False
    try:
        found = recognised(path)
    except RailbirdError:
        return False
    return found is not None and (found.name != "acpc" or "STATE" in beginning_of(path))
