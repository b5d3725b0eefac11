"""Which bots can be played inside a kernel, and the arrays by which the kernel plays them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from railbird.bots.base import Bot
from railbird.game.actions import ProbabilityTriple
from railbird.game.spec import Game

if TYPE_CHECKING:
    from railbird.kernels.play.whole_hands import Players, Tables
    from railbird.solve.strategy import Strategy


def fixed_play(bot: Bot, game: Game) -> ProbabilityTriple | Strategy | None:
    """What every decision of a bot follows: the same three probabilities, a strategy table, or nothing so plain.

    A table is played as `Equilibrium.act` does it, with one random number for each decision.
    """
    if bot.learns:
        return None
    if _says_all(bot, "policy"):
        triple = bot.policy()
        if triple is not None:
            return ProbabilityTriple(*triple)
    if game.seats == 2 and _says_all(bot, "table_policy"):
        from railbird.solve.strategy import Strategy

        table = bot.table_policy(game)
        if isinstance(table, Strategy) and table.plays(game):
            return table
    return None


def _says_all(bot: Bot, method: str) -> bool:
    """Whether the class that has the method is the last to say how the bot plays.

    A class derived from it that has methods of its own may do anything in them, so its bots must be asked.
    """
    for kind in type(bot).__mro__:
        if method in vars(kind):
            return True
        if any(callable(value) and not name.startswith("__") for name, value in vars(kind).items()):
            return False
    return False


def kernel_players(plays: Sequence[ProbabilityTriple | Strategy]) -> tuple[Players, Tables | None]:
    """What the kernel `play_block` plays by."""
    from railbird.kernels.play.whole_hands import Players, Tables

    tables = [None if isinstance(play, ProbabilityTriple) else play for play in plays]
    policies = [play if isinstance(play, ProbabilityTriple) else (0.0, 1.0, 0.0) for play in plays]
    kernel_tables = None
    if known := [table for table in tables if table is not None]:
        shown = [table or known[0] for table in tables]
        codes, buckets = (tuple(part) for part in zip(*((table.arrays, table.abstraction.arrays) for table in shown)))
        kernel_tables = Tables(known[0].tree.arrays, codes, buckets)
    chances, by_table = np.array(policies, np.float64), np.array([table is not None for table in tables])
    is_pure = ~by_table & (chances.max(axis=1) == chances[:, 0] + chances[:, 1] + chances[:, 2])
    return Players(chances, by_table, is_pure), kernel_tables
