"""Games as they are asked for: by name, with parameters, or as a competition game file."""

from __future__ import annotations

from pathlib import Path

from railbird.errors import InvalidGameError
from railbird.formats.acpc import parse_game
from railbird.game.spec import Game, named_game


def read_game(game: str | Game, seats: int) -> Game:
    """The game asked for: itself, a name with parameters, or a competition game file (*.game).

    >>> read_game("no-limit:stack=5000", 3).stacks
    (5000, 5000, 5000)
    """
    if isinstance(game, str) and not game.endswith(".game"):
        return named_game(game, seats)
    found = game if isinstance(game, Game) else _game_in_file(game)
    if found.seats != seats:
        text = repr(game) if isinstance(game, str) else found.name
        raise InvalidGameError(f"{text} is a game for {found.seats} players, not {seats}")
    return found


def _game_in_file(path: str) -> Game:
    try:
        return parse_game(Path(path).read_text(encoding="utf-8"), name=Path(path).stem)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidGameError(f"cannot read the game file {path!r}: {error}") from None
