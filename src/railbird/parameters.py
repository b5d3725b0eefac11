"""Things asked for by name with parameters, as in "loki:tightness=tight" or "limit:cap=3,ante=1".

What a function or class can be told follows from its annotations. A parameter that is annotated with a dataclass is a
group: users write the names of its fields, as if each were a parameter of its own.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any

from railbird.errors import RailbirdError, did_you_mean
from railbird.numbers import LONGEST_NUMBER, decimal_number, quoted, whole_number

REQUIRED = inspect.Parameter.empty
"""The default of a parameter that has none."""


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
            raise error(f"{quoted(item)} in {quoted(text)} is not a parameter; write NAME:key=value,key=value")
        parameters[key.strip()] = value.strip()
    return name, parameters


@dataclass(frozen=True)
class Parameter:
    """A parameter that can be set by name. As text it is what `railbird bots NAME` and errors say of it."""

    name: str
    """As users write it: `raise_` is "raise"."""
    argument: str
    """The argument of the function that it is, or belongs to."""
    hint: Any
    default: Any = REQUIRED
    field: str = ""
    """The field of the argument, where that is a group."""
    group: Callable[..., Any] | None = None
    """Makes the group from its fields."""

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return _allowed(self.hint)

    @property
    def type(self) -> str:
        """Its annotation."""
        return inspect.formatannotation(self.hint)

    def read(self, value: str) -> Any:
        """`value` as the annotation wants it; the `ValueError` says what it should be."""
        try:
            return _read(value, self.hint)
        except (KeyError, ValueError):
            is_large = value.lstrip("+-").isdigit() and "whole number" in self.allowed
            raise ValueError(f"it should be {self.allowed}{', at most 2^53' if is_large else ''}") from None

    def with_default(self, value: str) -> Parameter:
        """The same with another default, given as text."""
        return replace(self, default=self.read(value))

    def __str__(self) -> str:
        default = "..." if self.default is REQUIRED else _written(self.default)
        return f"{self.name}={default} ({self.allowed})"


def parameters_of(function: Callable[..., Any], presets: Mapping[str, str] | None = None) -> dict[str, Parameter]:
    """The parameters that can be set by name, under the names users write. `presets` are other defaults, as text.

    >>> def player(raise_: bool = True, cap: int | None = None, style: typing.Literal["tight", "loose"] = "tight"): ...
    >>> for parameter in parameters_of(player).values():
    ...     print(parameter)
    raise=yes (yes or no)
    cap=none (a whole number or none)
    style=tight (one of tight, loose)
    """
    annotated = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]
    hints = typing.get_type_hints(annotated)
    found: dict[str, Parameter] = {}
    for argument, p in inspect.signature(function).parameters.items():
        if p.kind not in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY):
            continue
        hint = hints.get(argument, str)
        is_group = isinstance(hint, type) and is_dataclass(hint)
        own = Parameter(argument.rstrip("_"), argument, hint, p.default)
        for parameter in _members(argument, hint, p.default) if is_group else (own,):
            if parameter.name in found:
                raise TypeError(f"{function.__name__} has two parameters called {parameter.name!r}")
            found[parameter.name] = parameter
    return found | {name: found[name].with_default(value) for name, value in (presets or {}).items()}


def read_arguments(
    function: Callable[..., Any],
    given: Mapping[str, str],
    text: str,
    error: type[RailbirdError],
    fixed: tuple[str, ...] = (),
    presets: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The keyword arguments for `function`, read from text by its annotations. `fixed` ones are not the user's to set.

    `presets` are what is given where the user says nothing. Refusals are raised as `error` and quote `text`, what
    the user wrote.
    """
    try:
        known = {name: p for name, p in parameters_of(function, presets).items() if name not in fixed}
    except Exception as problem:
        raise error(f"the annotations of {text!r} cannot be read: {problem}") from None
    values = {name: known[name].default for name in presets or {}}
    for name, value in given.items():
        if name not in known:
            takes = ", ".join(map(str, known.values())) or "no parameters"
            raise error(f"no parameter {quoted(name)} in {quoted(text)}{did_you_mean(name, known)} (it takes {takes})")
        try:
            values[name] = known[name].read(value)
        except ValueError as wanted:
            told = value if len(value) <= LONGEST_NUMBER else quoted(value)
            raise error(f"{name}={told} in {quoted(text)}: {wanted}") from None
    missing = [name for name, p in known.items() if p.default is REQUIRED and name not in given]
    if missing:
        raise error(f"{quoted(text)} needs a value for {', '.join(missing)} (as in {text}:{missing[0]}=...)")
    try:
        return _arguments(list(known.values()), values)
    except RailbirdError:
        raise
    except Exception as problem:
        raise error(f"{text!r} cannot be: {problem}") from problem


def _arguments(known: Sequence[Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by argument, those of groups put together. A group that has no default is made even from nothing."""
    arguments = {p.argument: values[p.name] for p in known if p.name in values and p.group is None}
    for argument, group in {p.argument: p.group for p in known if p.group is not None}.items():
        members = {p.field: values[p.name] for p in known if p.name in values and p.argument == argument}
        if members or isinstance(group, type):
            arguments[argument] = group(**members)
    return arguments


def _members(argument: str, group: type, default: Any) -> Iterable[Parameter]:
    """The fields of a group as parameters."""
    hints = typing.get_type_hints(group)
    made_from = group if default is REQUIRED else partial(replace, default)
    for part in fields(group):
        if part.init:
            value = _default_of(part) if default is REQUIRED else getattr(default, part.name)
            yield Parameter(part.name.rstrip("_"), argument, hints[part.name], value, part.name, made_from)


def _default_of(part: Field[Any]) -> Any:
    if part.default_factory is not MISSING:
        return part.default_factory()
    return REQUIRED if part.default is MISSING else part.default


def _written(value: Any) -> str:
    """A value as users write it."""
    if value is None:
        return "none"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _optional(hint: Any) -> Any:
    """The other type of an annotation that allows None, or nothing."""
    options = typing.get_args(hint)
    return next((option for option in options if option is not type(None)), None) if type(None) in options else None


def _allowed(hint: Any) -> str:
    if typing.get_origin(hint) is typing.Literal:
        return f"one of {', '.join(map(str, typing.get_args(hint)))}"
    if other := _optional(hint):
        return f"{_allowed(other)} or none"
    return {bool: "yes or no", int: "a whole number", float: "a number"}.get(hint, "text")


def _read(value: str, hint: Any) -> Any:
    if typing.get_origin(hint) is typing.Literal:
        return {str(option): option for option in typing.get_args(hint)}[value]
    if other := _optional(hint):
        return None if value.lower() == "none" else _read(value, other)
    if hint is bool:
        return _YES_OR_NO[value.lower()]
    readers = {int: whole_number, float: decimal_number}
    return readers[hint](value) if hint in readers else value


_YES_OR_NO = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
