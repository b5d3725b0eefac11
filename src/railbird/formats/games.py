"""Games as they are asked for: by name, with parameters, or as a competition game file."""

from __future__ import annotations

from pathlib import Path

from railbird.errors import InvalidGameError
from railbird.formats.acpc import parse_game
from railbird.game.spec import Game, named_game
from railbird.numbers import quoted

_MOST_BYTES = 1_000_000


def read_game(game: str | Game, seats: int) -> Game:
    """The game asked for: itself, a name with parameters, or a competition game file (*.game).

    >>> read_game("no-limit:stack=5000", 3).stacks
    (5000, 5000, 5000)
    """
    if isinstance(game, str) and not game.endswith(".game"):
        return named_game(game, seats)
    found = game if isinstance(game, Game) else game_in_file(Path(game), Path(game).stem)
    if found.seats != seats:
        text = quoted(game) if isinstance(game, str) else found.name
        raise InvalidGameError(f"{text} is a game for {found.seats} players, not {seats}")
    return found


def file_or_game(text: str, seats: int | None = None) -> Game:
    """The game of a competition game file, whatever its name, or else of a name with parameters.

    A file says how many seats it has; for a name there are two, unless another number is given.
    """
    path = Path(text)
    if path.is_file() or text.endswith(".game"):
        found = game_in_file(path, path.stem)
        return read_game(found, found.seats if seats is None else seats)
    return named_game(text, seats or 2)


def game_in_file(path: Path, name: str = "") -> Game:
    """The game of a competition game file."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InvalidGameError(f"cannot read the game file {quoted(str(path))}: {error}") from None
    if len(content) > _MOST_BYTES:
        raise InvalidGameError(f"{quoted(str(path))} is longer than {_MOST_BYTES:,} bytes, which no game file is")
    return parse_game(content.decode("utf-8", errors="replace"), name)
