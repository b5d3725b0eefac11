"""Options that come together are the fields of a dataclass, and a command takes them as one parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def apart(command: Callable[..., None]) -> Callable[..., None]:
    """The command with each of its options as a parameter, which is how the command line reads them.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int = 2
    ...     height: int = 3
    >>> def area(wall: str, size: Size) -> None:
    ...     print(wall, size.width * size.height)
    >>> apart(area)(wall="north", height=5)
    north 10
    """
    groups: dict[str, Any] = {name: kind for name, kind in get_type_hints(command).items() if is_dataclass(kind)}

    @wraps(command)
    def taken_apart(**options: Any) -> None:
        for name, kind in groups.items():
            given = {field.name: options.pop(field.name) for field in fields(kind) if field.name in options}
            options[name] = kind(**given)
        command(**options)

    taken_apart.__signature__ = Signature(list(_parameters(command, groups)))  # type: ignore[attr-defined]
    return taken_apart


def _parameters(command: Callable[..., None], groups: dict[str, Any]) -> Iterator[Parameter]:
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in signature(command).parameters.items():
        if name not in groups:
            yield parameter.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)
            continue
        kinds = get_type_hints(groups[name], include_extras=True)
        for field in fields(groups[name]):
            yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=kinds[field.name])
