"""Games as they are asked for: by name, with parameters, or as a competition game file; and as JSON keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from railbird.errors import InvalidGameError
from railbird.formats.acpc import parse_game
from railbird.game.spec import Game, Structure, named_game
from railbird.json_files import Fields
from railbird.numbers import quoted

_MOST_BYTES = 1_000_000
_JSON_FIELDS = tuple(field.name for field in fields(Game) if field.name != "dead")
"""What manifests and stores say of a game. A match has no missed blinds; in a store they stand with the seats."""


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


def game_to_json(game: Game) -> dict[str, Any]:
    """A game as manifests have it."""
    return {name: value for name, value in asdict(game).items() if name in _JSON_FIELDS}


def game_from_json(data: Mapping[str, Any]) -> Game:
    """The game of a manifest; refuses what is none."""
    told = Fields(data, "the game")
    raw: dict[str, Any] = {name: told[name] for name in _JSON_FIELDS}
    raw = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    structure = told.text("structure")
    if structure not in set(Structure):
        raise ValueError(f"no structure {quoted(structure)} of bets")
    return Game(**{**raw, "structure": Structure(structure)})
