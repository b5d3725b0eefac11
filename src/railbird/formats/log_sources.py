"""Which files are to be read as logs, and which game each of them holds as far as anybody has said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from railbird.errors import InvalidGameError, MatchError
from railbird.game.spec import Game, Structure


@dataclass(frozen=True)
class LogSource:
    """One log file."""

    path: Path
    game: Game | None
    """The game it was given or the match folder has; `None` where it must be told from the hands."""
    match: int
    """Logs with the same number belong to one match."""


def log_sources(paths: Sequence[str | Path], game: Game | None = None) -> list[LogSource]:
    """The logs of `paths`: files, match folders, and folders with either in them.

    The game is the one given, else that of the match folder a log lies in, else unknown.
    """
    if game is not None:
        game = heads_up_limit(game, "the game given")
    found: list[LogSource] = []
    for match, path in enumerate(_matches([Path(path) for path in paths])):
        folder = path if path.is_dir() else path.parent
        own = game
        if own is None and (folder / "manifest.json").is_file():
            own = folder_game(folder)
        found += [LogSource(log, own, match) for log in (_logs(path) if path.is_dir() else [path])]
    if not found:
        raise MatchError("no log to read")
    return found


def folder_game(folder: Path) -> Game:
    """The game of a match folder, from its manifest."""
    file = folder / "manifest.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))["game"]
        raw: dict[str, Any] = {field.name: data[field.name] for field in fields(Game)}
        raw = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
        raw["structure"] = Structure(raw["structure"])
        game = Game(**raw)
    except OSError as error:
        raise MatchError(f"cannot read {str(file)!r}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError):
        raise MatchError(
            f"{str(file)!r} is not the manifest of a Railbird match, or is damaged; say the game of the log with "
            "--game, as in --game limit"
        ) from None
    return heads_up_limit(game, f"the match in {str(folder)!r}")


def heads_up_limit(game: Game, whose: str) -> Game:
    """The game if it is one that can be assessed, without stacks that are too deep to matter; refuses any other."""
    if game.structure is not Structure.FIXED_LIMIT or not game.is_holdem or game.seats != 2:
        raise InvalidGameError(
            f"{whose} is {game.name} for {game.seats} players; only limit hold'em for 2 players is read here"
        )
    if game.ante:
        raise InvalidGameError(f"{whose} has an ante of {game.ante}; limit hold'em with blinds only is read here")
    if game.stacks is not None:
        deepest = max(game.blinds)
        for size, most in zip(game.bet_sizes, game.max_raises):
            if most is None:
                raise InvalidGameError(
                    f"{whose} has stacks but no cap, so that players can be all-in; that is not read here"
                )
            deepest += size * most
        if deepest >= min(game.stacks):
            raise InvalidGameError(
                f"{whose} has stacks of {min(game.stacks)}, which can be all-in; that is not read here"
            )
        game = replace(game, stacks=None)
    return game


def _matches(paths: Sequence[Path]) -> list[Path]:
    """Files and match folders; other folders are replaced by the matches and logs in them."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir() and not (path / "manifest.json").is_file():
            try:
                inside = sorted(path.iterdir())
            except OSError as error:
                raise MatchError(f"cannot read {str(path)!r}: {error.strerror}") from None
            matches = [entry for entry in inside if (entry / "manifest.json").is_file()]
            logs = [entry for entry in inside if entry.is_file() and entry.suffix == ".log"]
            if not matches and not logs:
                raise MatchError(f"no match and no log (*.log) in the folder {str(path)!r}")
            found += matches + logs
        elif path.exists():
            found.append(path)
        else:
            raise MatchError(f"no file or folder {str(path)!r}")
    return found


def _logs(folder: Path) -> list[Path]:
    logs = sorted(folder.glob("hands*.log"))
    if not logs:
        raise MatchError(f"the match in {str(folder)!r} has no hands yet")
    return logs
