"""Environments and players of other libraries: Gymnasium, PettingZoo, OpenSpiel, RLCard.

    from railbird.envs import HoldemEnv          # pip install 'railbird[gymnasium]'
    env = HoldemEnv("expert")

Each library is an extra, imported when a name that needs it is first asked for; docs/environments.md tells of all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from railbird.errors import RailbirdError

if TYPE_CHECKING:
    from railbird.envs.agent_bots import AgentBot as AgentBot
    from railbird.envs.holdem_env import HoldemEnv as HoldemEnv
    from railbird.envs.holdem_table import HoldemTable as HoldemTable
    from railbird.envs.holdem_table import parallel_table as parallel_table
    from railbird.envs.holdem_tables import HoldemTables as HoldemTables
    from railbird.envs.observations import observation as observation
    from railbird.envs.observations import observation_names as observation_names
    from railbird.envs.openspiel_bot import SpielBot as SpielBot
    from railbird.envs.openspiel_games import spiel_game as spiel_game
    from railbird.envs.openspiel_policy import spiel_policy as spiel_policy
    from railbird.envs.openspiel_seat import SpielSeat as SpielSeat
    from railbird.envs.rlcard_seat import RLCardSeat as RLCardSeat

_HOME = {
    "agent_bots": ("AgentBot", ""),
    "holdem_env": ("HoldemEnv", "gymnasium"),
    "holdem_table": ("HoldemTable parallel_table", "pettingzoo"),
    "holdem_tables": ("HoldemTables", "gymnasium"),
    "observations": ("observation observation_names", ""),
    "openspiel_bot": ("SpielBot", "openspiel"),
    "openspiel_games": ("spiel_game", "openspiel"),
    "openspiel_policy": ("spiel_policy", "openspiel"),
    "openspiel_seat": ("SpielSeat", "openspiel"),
    "rlcard_seat": ("RLCardSeat", ""),
}
"""By module, the names that stand here and the extra that they need."""
_MODULE_OF = {name: module for module, (names, _) in _HOME.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'railbird.envs' has no attribute {name!r}")
    module = _MODULE_OF[name]
    extra = _HOME[module][1]
    try:
        value = getattr(import_module(f"railbird.envs.{module}"), name)
    except ModuleNotFoundError as error:
        if not extra or (error.name or "").startswith("railbird"):
            raise
        raise RailbirdError(
            f"{name} needs the Python package {error.name!r}, which is not installed: pip install 'railbird[{extra}]'"
        ) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
