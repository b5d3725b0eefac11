"""railbird new-bot."""

from __future__ import annotations

import keyword
import os
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import tell
from railbird.errors import RailbirdError

# Kept as text, so that it reaches the user exactly as it stands here. examples/mybot.py is what it makes of "mybot".
_TEMPLATE = '''"""MyBot, a poker player for Railbird.

Next:
    railbird check-bot ./mybot.py:MyBot                      what is wrong with it?
    railbird match ./mybot.py:MyBot always-call --duplicate  how good is it?
    railbird match ./mybot.py:MyBot:boldness=0.8 expert      the same with another parameter
"""

from __future__ import annotations

from railbird import CALL, Action, Bot, PlayerView, hand_strength


class MyBot(Bot):
    """Raises with strong hands, more carefully after an opponent has raised, and calls when the pot is worth it."""

    # A bot that remembers earlier hands says so with True: its hands are then played in order, and its memory may
    # change in the on_... hooks only, never in act. With False every hand must be played as if it were the first.
    learns = False

    def __init__(self, boldness: float = 0.7) -> None:
        """Parameters can be set on the command line; give each a type and a default."""
        self.boldness = boldness
        self.raises_seen = 0

    def on_hand(self, view: PlayerView) -> None:
        """A new hand: forget the last one. The other hooks are on_action, on_board, on_showdown and on_result."""
        self.raises_seen = 0

    def on_action(self, view: PlayerView, position: int, action: Action) -> None:
        """Somebody has acted; `view` is the table just before."""
        if position != view.position and action.kind == "r":
            self.raises_seen += 1

    def act(self, view: PlayerView) -> Action:
        """The decision. `view` holds all that this player may know; see `help(railbird.PlayerView)`."""
        chance = self.chance_to_win(view)
        if view.can_raise and self.raises_seen < 3 and chance > self.boldness + 0.05 * self.raises_seen:
            return view.smallest_raise()
        to_call = view.to_call_chips
        if chance * (view.pot_chips + to_call) >= to_call:
            return CALL  # or check, where nothing is to call
        if self.rng.random() < 0.05:  # all chance comes from self.rng, so that every match can be repeated
            return CALL
        return view.check_or_fold()

    def chance_to_win(self, view: PlayerView) -> float:
        """A rough guess; better ones are where the fun begins."""
        if view.board:
            one = hand_strength(view.holding, view.board)
        else:
            low, high = sorted(card // 4 for card in view.hole_cards)  # ranks: 0 is a deuce, 12 an ace
            one = 0.3 + 0.02 * high + 0.01 * low + (0.3 if low == high else 0.0)
        return min(one, 1.0) ** len(view.opponents)
'''


def new_bot(
    name: Annotated[str, typer.Argument(help="The bot's name, a Python name such as mybot or river_rat.")],
    directory: Annotated[Path, typer.Option("--dir", help="Where to write the file.")] = Path(),
) -> None:
    """Write a bot to begin with: a short, commented file that plays legally and can be changed at once.

    Example: railbird new-bot mybot
    """
    from railbird.files import write_whole

    if refused := _refused(name):
        raise RailbirdError(f"{name!r} cannot be a bot's name: {refused}")
    if not directory.is_dir():
        raise RailbirdError(f"no folder {str(directory)!r} to write {name}.py to")
    path = directory / f"{name}.py"
    kind = class_name(name)
    if os.path.lexists(path):
        raise RailbirdError(f"{str(path)!r} exists already and is left as it is; choose another name")
    try:
        write_whole(path, bot_source(name))
    except OSError as error:
        raise RailbirdError(f"cannot write {str(path)!r}: {error.strerror}") from None
    spec = f"./{path.as_posix()}:{kind}" if not path.is_absolute() else f"{path}:{kind}"
    tell(f"wrote {path}: change act, then")
    tell(f"  railbird check-bot {spec}")
    tell(f"  railbird match {spec} always-call")


def _refused(name: str) -> str:
    """Why a file cannot have this name, and what would do; nothing where it can."""
    if not name.isidentifier():
        return "use letters, digits and _, as in mybot or river_rat"
    if keyword.iskeyword(name):
        why = "it is a word of the language Python"
    elif name == "railbird" or name in sys.stdlib_module_names:
        whose = "Railbird itself" if name == "railbird" else "a module of Python itself"
        why = f"beside {name}.py nothing would find {whose}, which has that name"
    else:
        return ""
    return f"{why}; choose another, as my_{name.strip('_').lower()}"


def class_name(name: str) -> str:
    """The name of the class for a bot of that name.

    >>> class_name("river_rat"), class_name("mybot")
    ('RiverRat', 'MyBot')
    """
    words = [word for part in name.split("_") for word in re.split("(?<=.)(?=bot$)", part)]
    return "".join(word[:1].upper() + word[1:] for word in words) or "MyBot"


def bot_source(name: str) -> str:
    """The file for a bot of that name."""
    return _TEMPLATE.replace("MyBot", class_name(name)).replace("mybot", name)
