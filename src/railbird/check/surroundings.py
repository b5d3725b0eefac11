"""What a bot must not depend on and must leave alone, changed and looked at in the process in which it runs.

The functions are given the bot. They are called in this process, or in the bot's box (see `railbird.check.makers`), so
they take and answer plain values, and import little.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import time
from collections.abc import Callable
from itertools import count
from types import FunctionType
from typing import Any

from railbird.bots.base import Bot

_CLOCKS = ("time", "monotonic", "perf_counter", "process_time")
PROCESS = "the process"
_changed: list[tuple[object, str, object]] = []
_states: list[Any] = []
_methods: dict[str, tuple[type, dict[str, object]]] = {}
_parts: dict[tuple[int, str], tuple[object, object, str]] = {}


def alter(bot: Bot, random_seed: int, numpy_seed: int, start: float, step: float) -> None:
    """Other global random numbers and another clock, as far as `time` and the bot's module can be given one.

    The clock begins at `start` seconds and moves on by `step` whenever it is looked at.
    """
    looks = count()
    fakes: dict[object, Callable[[], float]] = {}
    for name in _CLOCKS:
        fakes[getattr(time, name)] = lambda: start + step * next(looks)
        fakes[getattr(time, f"{name}_ns")] = lambda: int(1e9 * (start + step * next(looks)))
    for place in (time, sys.modules.get(type(bot).__module__)):
        for name, value in list(vars(place).items()) if place else ():
            if callable(value) and getattr(value, "__module__", None) == "time" and value in fakes:
                _changed.append((place, name, value))
                setattr(place, name, fakes[value])
    numpy = sys.modules.get("numpy")
    _states[:] = [random.getstate(), numpy and numpy.random.get_state()]
    random.seed(random_seed)
    if numpy:
        numpy.random.seed(numpy_seed)


def restore(_: Bot) -> None:
    """Undo `alter`, if it was in this process."""
    while _changed:
        place, name, value = _changed.pop()
        setattr(place, name, value)
    while _states:
        numpy_state, random_state = _states.pop(), _states.pop()
        random.setstate(random_state)
        if numpy_state:
            sys.modules["numpy"].random.set_state(numpy_state)


def global_state(_: Bot) -> dict[str, str]:
    """What a bot should leave alone, by name; and the process that it is about."""
    numpy = sys.modules.get("numpy")
    state: dict[str, object] = {
        PROCESS: os.getpid(),
        "the state of the global `random`": random.getstate(),
        "the working directory": os.getcwd(),
        "os.environ": sorted(os.environ.items()),
    }
    if numpy:
        numbers = numpy.random.get_state()
        state["the state of the global `numpy.random`"] = (numbers[1].tobytes(), *numbers[2:])
    return {what: hashlib.sha256(repr(value).encode(errors="replace")).hexdigest() for what, value in state.items()}


def note_parts(_: Bot) -> None:
    """Remember what Railbird's modules are made of."""
    _parts.clear()
    _methods.clear()
    for module in [module for name, module in sys.modules.items() if name.startswith("railbird.")]:
        for name, part in list(vars(module).items()):
            if isinstance(part, FunctionType | type) and part.__module__.startswith("railbird."):
                _parts[id(module), name] = module, part, f"{module.__name__}.{name}"
                if isinstance(part, type) and part.__module__ == module.__name__:
                    _methods[f"{module.__name__}.{name}"] = part, _functions(part)


def changed_parts(_: Bot) -> list[str]:
    """The names of functions and classes of Railbird that are others than they were."""
    parts = [name for (_, key), (place, part, name) in _parts.items() if vars(place).get(key) is not part]
    for name, (kind, methods) in _methods.items():
        parts += [f"{name}.{key}" for key, value in _functions(kind).items() if methods.get(key) is not value]
    return parts


def wrong_chances(bot: Bot, games: list[tuple[str, int]], seconds: float) -> str:
    """What is wrong with the bot's probabilities; see `railbird.check.said_chances`."""
    from railbird.check.said_chances import wrong_chances

    return wrong_chances(bot, games, seconds)


def _functions(kind: type) -> dict[str, object]:
    """What a class can do by itself."""
    return {name: value for name, value in vars(kind).items() if isinstance(value, FunctionType)}
