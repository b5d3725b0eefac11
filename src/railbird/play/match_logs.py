"""Logs by the names of files and folders, read with the game that their match folder tells.

hands = read_hands("matches/demo")
hands = read_hands(["matches/demo", "2p.limit.log"])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from railbird.errors import MatchError
from railbird.formats.hand_arrays import HandArrays
from railbird.formats.hand_logs import LogSource, heads_up_limit, read_logs
from railbird.game.spec import Game
from railbird.play.folder import folder_game, folder_logs, is_match

Paths = str | Path | Sequence[str | Path]
"""One path or several."""


def read_hands(paths: Paths, game: Game | None = None, watch: Callable[[int, int], None] | None = None) -> HandArrays:
    """The hands of heads-up limit hold'em in logs and match folders, checked against the rules.

    The game is the one given, or the match folder's. Of other logs it is limit hold'em with reverse blinds and at most
    four bets a street, whose bets are told from the payoffs. `watch` is told bytes read and bytes in all.

    Refuses paths that are not there, and what `railbird.formats.hand_logs.read_logs` refuses.
    """
    return read_logs(log_sources(paths, game), watch)


def log_sources(paths: Paths, game: Game | None = None) -> list[LogSource]:
    """The logs of `paths`: files, match folders, and folders with either in them.

    The game is the one given, else that of the match folder a log lies in, else unknown.
    """
    given = [paths] if isinstance(paths, str | Path) else paths
    if game is not None:
        game = heads_up_limit(game, "the game given")
    found: list[LogSource] = []
    for match, path in enumerate(_matches([Path(path) for path in given])):
        folder = path if path.is_dir() else path.parent
        own = game
        if own is None and is_match(folder):
            own = heads_up_limit(folder_game(folder), f"the match in {str(folder)!r}")
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
            matches = [entry for entry in inside if is_match(entry)]
            logs = [entry for entry in inside if entry.is_file() and entry.suffix == ".log"]
            if not matches and not logs:
                raise MatchError(f"no match and no log (*.log) in the folder {str(path)!r}")
            found += matches + logs
        elif path.exists():
            found.append(path)
        else:
            raise MatchError(f"no file or folder {str(path)!r}")
    return found
