"""The list of commands. Each is a function in a module of its own, `cmd_NAME.py`, which is imported when it is used.

To add a command, write `cmd_NAME.py` with a function NAME, whose docstring begins with the summary and ends with an
example, and add a line here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from railbird.cli.option_groups import apart
from railbird.errors import RailbirdError, did_you_mean
from railbird.numbers import quoted
from railbird.stopping import NOTHING_KEPT, NOTHING_TO_KEEP, Stopped, is_interrupt, otherwise, what_was_kept

PANELS = {
    "Play": {
        "demo": "A first look: a duplicate match between two built-in players, one of its hands, and what to try next.",
        "match": "Play a match and say who is better, and how sure that is.",
        "serve": "Open Railbird in a browser on this machine: a table to sit down at, reviews, the laboratory.",
        "play": "Sit down at a table with bots: keys, hidden cards, advice on request, and a report when you leave.",
        "tournament": "Play everybody against everybody, heads-up or at larger tables, and rate them.",
        "compare": "Say whether a new bot is better than an old one: both play the same opponents on the same deals.",
        "test": "Say whether a new bot gains on an old one, as soon as that may be said: a comparison that stops by "
        "itself.",
        "gauntlet": "Give a bot its place: it plays a fixed set of opponents whose exploitability is known.",
        "experiment": "Run an experiment of a paper again: numbers with intervals, the figure, and whether it was "
        "reproduced.",
    },
    "Look at results and hands": {
        "results": "Show the result of a match, tournament, comparison or test again, finished or not, or that of a "
        "log.",
        "assess": "Say what was skill and what was luck in logs, histories and stores of hands.",
        "stats": "Say what players do and win: VPIP, aggression, folds, showdowns, win rates and all-in luck.",
        "hands": "List the hands that cost a player most, by money, luck or skill, or those that brought most.",
        "replay": "Show a hand of a match, street by street.",
        "convert": "Write hands in another format, and say what that format cannot say.",
        "verify": "Deal the hands of a match again from its seed or told key, and say whether they are those of its "
        "logs.",
        "odds": "Say how good a holding is: strength, potential, equity and outs, all of them exact.",
        "explain": "Say what Loki or another bot would do with a holding, and why: strength, odds, and the rule that "
        "decides.",
        "watch": "Play hands on the terminal, and show after each action what it says about the cards of the player.",
        "accuracy": "Say how well models of the players predict a match: holdings shown, and actions.",
    },
    "Build a bot": {
        "bots": "List the bots that can be asked for by name, or describe one of them.",
        "new-bot": "Write a bot to begin with: a short, commented file that plays legally and can be changed at once.",
        "check-bot": "Say what is wrong with a bot: illegal actions, dependence on anything but the seed, peeking, "
        "slowness.",
        "build": "Compute a table anew. None needs to be built by hand: what ships is enough, and the rest is built "
        "on first use.",
        "solve": "Train a strategy for heads-up limit hold'em by counterfactual regret minimisation.",
        "exploit": "Say how much a perfect opponent, who knows the bot's strategy, wins from it at heads-up limit "
        "hold'em.",
        "resolve": "Say what a perfect opponent loses where the resolver solves the rest of the hand again.",
    },
    "Play over the network": {
        "dealer": "Deal a match to programs that speak the competition's protocol, as its reference dealer does.",
        "connect": "Let a bot play at the table of any dealer that speaks the competition's protocol.",
    },
    "Keep house": {
        "import": "Put the hands of logs and histories into a store, which every command reads, and stats quickly.",
        "repair": "Mend damaged logs: play the damaged hands again, or set them aside.",
        "warm-up": "Compile all kernels and build all tables now, so that nothing has to wait for them later.",
        "cache": "Say where compiled kernels and tables are kept and how large they are, or remove them.",
    },
}

SEVERAL = ("--against", "--weights")
"""Options that take all words up to the next option."""

SHOWING = ("check-bot", "serve", "watch")
"""Commands that leave nothing behind, unless they say so."""


class Commands(TyperGroup):
    """The commands of `PANELS`."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for commands in PANELS.values() for name in commands]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        for panel, commands in PANELS.items():
            if cmd_name in commands:
                return _Lazy(cmd_name, help=commands[cmd_name], rich_help_panel=panel)
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is meant, or what may have been meant."""
        if self.get_command(ctx, args[0]) is None:
            hint = did_you_mean(args[0], [*self.list_commands(ctx), "--version", "--help"])
            raise RailbirdError(f"no command {quoted(args[0])}{hint} (all: railbird --help)")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command. Typer would swallow an interrupt, and what it says of the work."""
        with otherwise(lambda: NOTHING_TO_KEEP if ctx.invoked_subcommand in SHOWING else NOTHING_KEPT):
            try:
                return super().invoke(ctx)
            except BaseException as error:
                if is_interrupt(error):
                    raise Stopped(what_was_kept(error)) from None
                raise


class _Lazy(TyperCommand):
    """A command that is imported when it is run, or when its own help is wanted."""

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> Any:
        assert self.name is not None
        return loaded(self.name).make_context(info_name, spread(args), *more, **extra)


def spread(args: Sequence[str]) -> list[str]:
    """Arguments in which an option that takes several words has each of them, up to the next option.

    >>> spread(["a.py:A", "--against", "loki", "vexbot", "--json"])
    ['a.py:A', '--against', 'loki', '--against', 'vexbot', '--json']
    """
    found: list[str] = []
    taking, first = "", False
    for word in args:
        is_number = taking == "--weights" and re.match(r"-\.?\d", word)
        if word.startswith("-") and word != "-" and not is_number:
            taking, first = (word, True) if word in SEVERAL else ("", False)
        elif taking and not first:
            found.append(taking)
        else:
            first = False
        found.append(word)
    return found


def loaded(name: str) -> Any:
    """A command, ready to run. The last paragraph of its docstring, the example, goes to the end of its help."""
    attribute = name.replace("-", "_")
    module = import_module(f"railbird.cli.cmd_{attribute}")
    function = getattr(module, f"{attribute}_" if iskeyword(attribute) else attribute)
    paragraphs = [" ".join(part.split()) for part in (function.__doc__ or "").split("\n\n")]
    single = typer.Typer(
        add_completion=False,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    single.command(name, help="\n\n".join(paragraphs[:-1]), epilog=paragraphs[-1])(apart(function))
    return typer.main.get_command(single)
