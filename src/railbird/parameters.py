"""Things asked for by name with parameters, as in "loki:tightness=tight" or "limit:cap=3,ante=1"."""

from __future__ import annotations

import inspect
import math
import typing
from collections.abc import Callable, Mapping
from typing import Any

from railbird.errors import RailbirdError, did_you_mean


def split_parameters(text: str, error: type[RailbirdError]) -> tuple[str, dict[str, str]]:
    """The name and the parameters of "name:key=value,key=value".

    >>> split_parameters("limit:cap=3,ante=1", RailbirdError)
    ('limit', {'cap': '3', 'ante': '1'})
    """
    name, _, rest = text.partition(":")
    parameters: dict[str, str] = {}
    for item in filter(None, rest.replace(":", ",").split(",")):
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise error(f"{item!r} in {text!r} is not a parameter; write {name}:key=value,key=value")
        parameters[key.strip()] = value.strip()
    return name, parameters


def parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters that can be set by name, under the names users write (`raise_` is "raise")."""
    found = inspect.signature(function).parameters
    return {name.rstrip("_"): p for name, p in found.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def read_arguments(
    function: Callable[..., Any],
    given: Mapping[str, str],
    text: str,
    error: type[RailbirdError],
    fixed: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The keyword arguments for `function`, read from text by its annotations. `fixed` ones are not the user's to set.

    Refusals are raised as `error` and quote `text`, what the user wrote.
    """
    known = {name: p for name, p in parameters_of(function).items() if name not in fixed}
    annotated = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]
    try:
        hints = typing.get_type_hints(annotated)
    except Exception as problem:
        raise error(f"the annotations of {text!r} cannot be read: {problem}") from None
    arguments = {}
    for name, value in given.items():
        if name not in known:
            takes = ", ".join(f"{n}={p.default}" for n, p in known.items()) or "no parameters"
            raise error(f"no parameter {name!r} in {text!r}{did_you_mean(name, known)} (it takes {takes})")
        try:
            arguments[known[name].name] = _value(value, hints.get(known[name].name, str))
        except ValueError as wanted:
            raise error(f"{name}={value} in {text!r}: {wanted}") from None
    missing = [n for n, p in known.items() if p.default is p.empty and n not in given]
    if missing:
        raise error(f"{text!r} needs a value for {', '.join(missing)} (as in {text}:{missing[0]}=...)")
    return arguments


def _value(value: str, hint: Any) -> Any:
    """`value` as the annotation wants it; the `ValueError` says what it should be."""
    options = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        for option in options:
            if value == str(option):
                return option
        raise ValueError(f"choose one of {', '.join(map(str, options))}")
    if type(None) in options:
        if value.lower() == "none":
            return None
        hint = next(option for option in options if option is not type(None))
    if hint is bool:
        if value.lower() in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            return value.lower() in ("true", "yes", "on", "1")
        raise ValueError("write yes or no")
    if hint in (int, float):
        try:
            number = hint(value)
        except (ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise ValueError(f"it should be {'a whole number' if hint is int else 'a number'}")
        return number
    return value
