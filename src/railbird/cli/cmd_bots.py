"""railbird bots."""

from __future__ import annotations

from typing import Annotated

import typer


def bots(
    name: Annotated[str | None, typer.Argument(help="One bot, to see its parameters.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead (docs/json.md).")] = False,
) -> None:
    """List the bots that can be asked for by name, or describe one of them.

    Example: railbird bots random
    """
    from railbird.bots.registry import BotSpec, bot_entries
    from railbird.parameters import parameters_of

    entries = bot_entries()
    if name is None:
        if as_json:
            from railbird.cli.console import print_json

            listed = [{"name": entry.name, "summary": entry.summary} for entry in entries.values()]
            print_json({"schema": "railbird.bots/1", "bots": listed})
            return
        width = max(map(len, entries))
        for entry in entries.values():
            print(f"{entry.name:<{width}}  {entry.summary}")
        print("\nmore about one: railbird bots NAME    write your own: railbird new-bot NAME")
        return
    spec = BotSpec(name)
    kind, presets = spec.load(), spec.presets
    parameters = {
        key: {"default": presets.get(key, None if p.default is p.empty else p.default), "type": str(p.annotation)}
        for key, p in parameters_of(kind).items()
    }
    learns = spec.make().learns
    about = " ".join((kind.__doc__ or "").split())
    if as_json:
        from railbird.cli.console import print_json

        print_json(
            {"schema": "railbird.bot/1", "name": name, "learns": learns, "about": about, "parameters": parameters}
        )
        return
    print(f"{name}: {about}")
    print("learns from hand to hand" if learns else "remembers nothing from hand to hand")
    for key, value in parameters.items():
        print(f"  {key}={value['default']}  ({value['type']})")
