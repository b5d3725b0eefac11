"""Writes docs/commands.md, and the tables in docs/files-and-games.md: python docs/make_reference.py.

They are made from the commands' help, the bots and the formats. A table in a page stands between two comments.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from railbird.bots.base import Bot
from railbird.bots.registry import bot_entries, make_bot
from railbird.cli.commands import PANELS, loaded
from railbird.formats.readers import formats
from railbird.game.spec import (
    Game,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    spread_limit_holdem,
)

DOCS = Path(__file__).parent

# Commands


def commands_page() -> str:
    """Every command with its arguments and options, from its help."""
    lines = [
        "# Commands",
        "",
        "Made from the commands' own help by `python docs/make_reference.py`. On the terminal `railbird --help` lists",
        "them, and `railbird COMMAND --help` has what stands here. Bad input ends with one line that says what is",
        "wrong, and exit code 2.",
    ]
    for panel, commands in PANELS.items():
        lines += ["", f"## {panel}"]
        for name in commands:
            lines += ["", *_command(name)]
    return "\n".join(lines) + "\n"


def _command(name: str) -> list[str]:
    command = loaded(name)
    example = command.epilog.removeprefix("Example: ")
    lines = [f"### railbird {name}", "", _plain(command.help), "", "```", f"$ {example}", "```"]
    rows = [(_written(each), _about(each)) for each in command.params if each.name != "help"]
    if rows:
        lines += ["", "| | |", "|---|---|", *[f"| {written} | {about} |" for written, about in rows]]
    return lines


def _written(parameter: Any) -> str:
    """How it is given: `FOLDER`, or `--hands, -n N`."""
    if parameter.param_type_name == "argument":
        name = (parameter.metavar or parameter.name.upper()).removesuffix("...")
        return f"`{name}{'...' if parameter.nargs == -1 else ''}`"
    options = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return f"`{options}`"


def _about(parameter: Any) -> str:
    default = parameter.default
    is_told = default is not None and default != "" and not isinstance(default, bool) and parameter.show_default
    text = _plain(parameter.help or "").replace("|", "\\|")
    return f"{text} Default: `{default}`." if is_told else text


def _plain(text: str) -> str:
    """Help for a page: signs that Markdown would read are marked."""
    text = re.sub(r"\s*\[default: (.*?)\]", r" Default: \1.", text)
    text = re.sub(r"(?<![\w`])(--?[a-z][\w-]*)", r"`\1`", text).replace("*.game", "`*.game`")
    return text.replace("(docs/json.md)", "([JSON](json.md))")


# Files and games

TAKES: dict[str, tuple[str, str]] = {
    "demo": ("", "limit, two seats"),
    "match": (
        "bot files, programs, game files; its own match folder, to go on",
        "any that its bots play; 2 to 10 seats",
    ),
    "tournament": (
        "bot files, programs, game files; its own folder, to go on",
        "any that its bots play; 2 to 10 seats",
    ),
    "serve": ("match folders; uploads of every format that is read", "any that its bots play; 2 to 10 seats"),
    "play": ("bot files, programs, game files; its own folder, to go on", "any that its bots play; 2 to 10 seats"),
    "compare": ("bot files, programs, game files; its own folder, to go on", "any for two that its bots play"),
    "test": ("bot files, programs, game files; its own folder, to go on", "any for two that its bots play"),
    "gauntlet": ("bot files, programs; its own folder, to go on", "limit, two seats"),
    "experiment": ("its own folder, to go on", "limit, as in the paper"),
    "results": (
        "match, tournament, comparison, test and gauntlet folders, hand stores, logs, histories",
        "any",
    ),
    "assess": ("hand stores, logs, histories, match folders, folders of them; game files", "any; DIVAT: limit, two"),
    "stats": ("hand stores, logs, histories, match folders; game files", "any"),
    "hands": ("match folders, hand stores, logs, histories; game files", "any; luck and skill of limit, two seats"),
    "replay": ("match folders, hand stores, logs, histories; game files", "any"),
    "convert": ("match folders, hand stores, logs, histories, folders of them; game files", "any that formats can say"),
    "verify": ("match, tournament and comparison folders", "any"),
    "odds": ("", "hold'em cards"),
    "explain": ("bot files", "limit, 2 to 10 seats"),
    "watch": ("bot files, programs", "limit, 2 to 10 seats"),
    "accuracy": ("match folders, hand stores, logs; game files", "hold'em, 2 to 10 seats"),
    "bots": ("bot files, programs", ""),
    "new-bot": ("writes a bot file", ""),
    "check-bot": ("bot files, programs", "limit and no-limit; 2, 3, 6 and 10 seats"),
    "build": ("", ""),
    "repair": ("match, tournament and comparison folders, logs; bot files, game files", "any"),
    "import": ("logs, match folders, hand stores, and folders of them; game files; its own store, to add to", "any"),
    "cache": ("", ""),
    "warm-up": ("", ""),
    "solve": ("its own checkpoint, to go on", "limit, two seats"),
    "dealer": (
        "game files; writes a log, and its own transactions, to go on",
        "limit, no-limit, kuhn, leduc; 2 to 10 seats",
    ),
    "connect": ("bot files, game files", "limit, no-limit, kuhn, leduc that its bot plays; 2 to 10 seats"),
    "resolve": ("strategies", "limit, two seats"),
    "exploit": ("bot files, strategies, game files", "limit, two seats; kuhn, leduc"),
}
"""Which files each command reads, and which games it is for."""
GAMES: dict[str, Game] = {
    "limit, 2 seats": limit_holdem(2),
    "limit, 3 to 10": limit_holdem(6),
    "no-limit, 2": no_limit_holdem(2),
    "no-limit, 3 to 10": no_limit_holdem(6),
    "pot- and spread-limit": pot_limit_holdem(2),
    "kuhn, leduc": kuhn_poker(),
}
"""The columns of the bots' table; a bot plays the games of a column alike."""
SAME = {"pot- and spread-limit": spread_limit_holdem(2), "kuhn, leduc": leduc_poker()}
"""The other game of a column that stands for two."""


def files_page() -> str:
    """Which files and games each command and bot takes: the page with its tables made again."""
    commands = [name for panel in PANELS.values() for name in panel]
    if missing := [name for name in commands if name not in TAKES]:
        raise LookupError(f"say in TAKES which files and games these commands take: {', '.join(missing)}")
    rows = [f"| [`{name}`](commands.md#railbird-{name}) | {' | '.join(TAKES[name])} |" for name in commands]
    tables = {
        "commands": ["| | files | games |", "|---|---|---|", *rows],
        "bots": [*_bot_rows()],
        "formats": ["| | | written |", "|---|---|:-:|", *_format_rows()],
    }
    page = (DOCS / "files-and-games.md").read_text(encoding="utf-8")
    for name, lines in tables.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        assert marks.search(page), name
        page = marks.sub(lambda found, lines=lines: "\n".join([found[1], *lines, found[2]]), page)
    return page


def _format_rows() -> Iterable[str]:
    """A row for each format that ships."""
    for each in formats():
        yield f"| `{each.name}` | {each.title} | {'yes' if each.write else ''} |"


def _bot_rows() -> Iterable[str]:
    """A row for all bots that are alike."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for entry in bot_entries().values():
        if not entry.origin:
            alike.setdefault(_abilities(entry.name), []).append(f"`{entry.name}`")
    header = (*GAMES, "learns", "has a table")
    yield "| | " + " | ".join(header) + " |"
    yield "|---|" + ":-:|" * len(header)
    for cells, names in alike.items():
        yield f"| {', '.join(names)} | " + " | ".join(cells) + " |"


def _abilities(name: str) -> tuple[str, ...]:
    bot: Bot = make_bot(name)
    games = []
    for title, game in GAMES.items():
        found = {bot.can_play(each) for each in (game, SAME.get(title, game))}
        assert len(found) == 1, f"{name} plays one game of {title!r} and not the other"
        games.append("yes" if found.pop() else "")
    table = games[0] and bot.table_policy(limit_holdem())
    return (*games, "yes" if bot.learns else "", "yes" if table else "")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    for name, text in (("commands.md", commands_page()), ("files-and-games.md", files_page())):
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"wrote docs/{name}", file=sys.stderr)
