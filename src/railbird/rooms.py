"""Packages that can be called: `railbird.odds` is a room of the house, `railbird.odds("AdQc")` what it is there for.

Python puts a package under its name into the package around it, so a function of the same name could not stand there.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


def answer_calls(package: str, module: str, function: str) -> None:
    """Let calls of a package go to a function in one of its modules, which is imported when that happens."""

    def wanted() -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(module), function)
        return found

    class Room(ModuleType):
        def __call__(self, *arguments: Any, **named: Any) -> Any:
            return wanted()(*arguments, **named)

        @property
        def __signature__(self) -> inspect.Signature:
            return inspect.signature(wanted())

        @property
        def called(self) -> Callable[..., Any]:
            """The function that answers."""
            return wanted()

    sys.modules[package].__class__ = Room
