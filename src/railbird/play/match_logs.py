"""Logs by the names of files and folders, read with the game that their match folder tells.

hands = read_hands("matches/demo")                                    records, of any game
arrays = read_hand_arrays(["matches/demo", "2p.limit.log"])           heads-up limit hold'em, for kernels
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from railbird.errors import MatchError
from railbird.formats import acpc
from railbird.formats.games import read_game
from railbird.formats.hand_arrays import HandArrays
from railbird.formats.hand_logs import LogSource, heads_up_limit, read_logs
from railbird.formats.readers import COMPETITION, reader_of, recognised
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.folder import folder_game, folder_logs, is_match
from railbird.play.set_aside import is_set_aside

Paths = str | Path | Sequence[str | Path]
"""One path or several."""


def read_hands(paths: Paths, game: str | Game | None = None) -> list[HandRecord]:
    """The hands of logs and match folders as records, each held against the rules; a hand that breaks them is refused.

    The game is the one given, or the match folder's. Of other logs it is heads-up limit hold'em, and its bets are told
    from the payoffs.

    >>> from railbird.play.matches import play_match
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = play_match("always-call", "always-raise", hands=100, seed=7, folder=folder)
    ...     hands = read_hands(folder)
    >>> len(hands), hands[0].history
    (100, 'rc/crc/crc/crc')
    """
    found: list[HandRecord] = []
    for source in _sources(paths, read_game(game, 2) if isinstance(game, str) else game):
        if source.game is None:
            source = _in_lines(source)
            arrays = read_logs([source])
            found += [arrays.record(index) for index in range(len(arrays))]
        else:
            for record in reader_of(source.path).read(source.path, source.game):
                record.check()
                found.append(record)
    return found


def arrays_of(records: Iterable[HandRecord]) -> HandArrays:
    """Records of heads-up limit hold'em as arrays."""
    given = list(records)
    if not given:
        raise MatchError("no hand to read")
    game = heads_up_limit(given[0].game, "the game of the first hand")
    if other := next((record for record in given if record.game != given[0].game), None):
        raise MatchError(f"hand {other.number} is of another game than the first one")
    data = "".join([f"{acpc.record_line(record)}\n" for record in given]).encode()
    return read_logs([LogSource(Path("the hands given"), game, data=data)])


def read_hand_arrays(
    paths: Paths, game: Game | None = None, watch: Callable[[int, int], None] | None = None
) -> HandArrays:
    """The hands of heads-up limit hold'em in logs and match folders, checked against the rules.

    The game is the one given, or the match folder's. Of other logs it is limit hold'em with reverse blinds and at most
    four bets a street, whose bets are told from the payoffs. `watch` is told bytes read and bytes in all.

    Refuses paths that are not there, and what `railbird.formats.hand_logs.read_logs` refuses.
    """
    return read_logs(log_sources(paths, game), watch)


def log_sources(paths: Paths, game: Game | None = None) -> list[LogSource]:
    """The logs of heads-up limit hold'em in `paths`: files, match folders, and folders with either in them."""
    found = []
    for source in _sources(paths, game):
        whose = f"the match in {str(source.path.parent)!r}" if game is None else "the game given"
        own = heads_up_limit(source.game, whose) if source.game else None
        found.append(_in_lines(replace(source, game=own)))
    return found


def _in_lines(source: LogSource) -> LogSource:
    """A log of another format as lines of a competition log, which are read into arrays."""
    reader = recognised(source.path)
    if reader in (None, COMPETITION):
        return source
    if source.game is None:
        raise MatchError(f"{str(source.path)!r} is a {reader.name}; say its game, as in limit")
    records = reader.read(source.path, source.game)
    return replace(source, data="".join([f"{acpc.record_line(record)}\n" for record in records]).encode())


def _sources(paths: Paths, game: Game | None) -> list[LogSource]:
    """The logs of `paths`. The game is the one given, else that of the match folder a log lies in, else unknown."""
    given = [paths] if isinstance(paths, str | Path) else paths
    if "" in given:
        raise MatchError("'' is no file or folder")
    found: list[LogSource] = []
    for match, path in enumerate(_matches([Path(path) for path in given])):
        folder = path if path.is_dir() else path.parent
        own = folder_game(folder) if game is None and is_match(folder) else game
        found += [LogSource(log, own, match) for log in (folder_logs(path) if path.is_dir() else [path])]
    if not found:
        raise MatchError("no log to read")
    return found


def _matches(paths: Sequence[Path]) -> list[Path]:
    """Files and match folders; other folders are replaced by the matches and logs in them."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir() and not is_match(path):
            try:
                inside = sorted(path.iterdir())
            except OSError as error:
                raise MatchError(f"cannot read {str(path)!r}: {error.strerror}") from None
            matches = [entry for entry in inside if is_match(entry) and not is_set_aside(entry)]
            logs = [entry for entry in inside if entry.is_file() and entry.suffix == ".log"]
            if not matches and not logs:
                raise MatchError(f"no match and no log (*.log) in the folder {str(path)!r}")
            found += matches + logs
        elif path.exists():
            found.append(path)
        else:
            raise MatchError(f"no file or folder {str(path)!r}")
    return found
