"""railbird bots."""

from __future__ import annotations

from typing import Annotated

import typer

from railbird.bots.programs import bot_spec
from railbird.bots.registry import bot_entries
from railbird.cli.console import print_json, tell
from railbird.cli.options import Json


def bots(
    name: Annotated[str | None, typer.Argument(help="One bot, to see its parameters.")] = None,
    as_json: Json = False,
) -> None:
    """List the bots that can be asked for by name, or describe one of them.

    Example: railbird bots random
    """
    entries = bot_entries()
    if name is None:
        if as_json:
            listed = [{"name": entry.name, "summary": entry.summary} for entry in entries.values()]
            print_json({"schema": "railbird.bots/1", "bots": listed})
            return
        width = max(map(len, entries))
        for entry in entries.values():
            tell(f"{entry.name:<{width}}  {entry.summary}")
        tell("\nmore about one: railbird bots NAME    write your own: railbird new-bot NAME")
        return
    spec = bot_spec(name)
    learns, parameters = spec.make().learns, spec.parameters
    about = " ".join((spec.load().__doc__ or "").split())
    if as_json:
        described = {p.name: {"default": p.default, "type": p.type, "allowed": p.allowed} for p in parameters}
        print_json(
            {"schema": "railbird.bot/1", "name": name, "learns": learns, "about": about, "parameters": described}
        )
        return
    tell(f"{name}: {about}")
    tell("learns from hand to hand" if learns else "remembers nothing from hand to hand")
    for parameter in parameters:
        tell(f"  {parameter}")
