"""Writes docs/api.md from the docstrings of everything that stands in `railbird` itself: python docs/make_api.py."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import railbird

SECTIONS = {
    "Hands and odds": "odds equity ranks rank rank_name strengths equities hand_strength hand_potential potentials "
    "parse_range range_text WeightArray Odds",
    "Games and players": "Game limit_holdem no_limit_holdem pot_limit_holdem spread_limit_holdem kuhn_poker "
    "leduc_poker Bot PlayerView Action FOLD CALL RAISE raise_to ProbabilityTriple Betting make_bot check_bot "
    "BotReport explain "
    "Explanation Decision Step",
    "Matches": "play_match play_tournament compare_bots MatchResult TournamentResult Comparison read_hands hand_list "
    "HandList HandFilter HandRecord ReplayedHand accuracy AccuracyResult",
    "Skill and luck": "assess AssessedLog AssessedHand Estimate",
    "Strategies": "solve SolvePlan Solved Strategy Policy FunctionPolicy TablePolicy exploitability "
    "ExploitabilityResult",
    "Papers": "run_study StudyResult",
    "Errors": "RailbirdError",
}


def page() -> str:
    """The whole page."""
    lines = [
        "# `import railbird as rb`",
        "",
        "Made from the docstrings by `python docs/make_api.py`. Everything is imported when it is first used.",
    ]
    for title, names in SECTIONS.items():
        lines += ["", f"## {title}"]
        for name in names.split():
            lines += ["", *_entry(name, getattr(railbird, name))]
    return "\n".join(lines) + "\n"


def _entry(name: str, thing: Any) -> list[str]:
    """A heading, the signature and the docstring; of a class its public methods too."""
    if isinstance(thing, ModuleType):
        thing = thing.called  # type: ignore[attr-defined]
    if not callable(thing):
        return [f"### rb.{name}", "", f"`{thing!r}`, an action."]
    lines = [f"### rb.{name}{_signature(thing)}", "", *_documented(thing)]
    for attribute, value in vars(thing).items() if inspect.isclass(thing) else ():
        if attribute.startswith("_") or not _doc(value):
            continue
        written = attribute if isinstance(value, property) or not callable(_plain(value)) else ""
        text = written or f"{attribute}{_signature(_plain(value))}"
        lines.append(f"- `{text}`: {_first_sentence(value)}")
    return lines


def _plain(value: Any) -> Any:
    return value.__func__ if isinstance(value, classmethod | staticmethod) else getattr(value, "func", value)


def _signature(thing: Any) -> str:
    """The names of the parameters with their defaults; annotations would not fit on a line."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return ""
    if inspect.isclass(thing) and issubclass(thing, tuple | railbird.RailbirdError):
        return ""
    shown, is_named = [], False
    for each in parameters:
        if each.name in ("self", "cls") or each.kind is each.VAR_KEYWORD:
            continue
        if each.kind is each.KEYWORD_ONLY and not is_named:
            is_named = True
            if not any(other.kind is other.VAR_POSITIONAL for other in parameters):
                shown.append("*")
        star = "*" if each.kind is each.VAR_POSITIONAL else ""
        default = "" if each.default is each.empty else f"={_short(each.default)}"
        shown.append(f"{star}{each.name}{default}")
    return f"({', '.join(shown)})"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 30 and "<" not in text else "..."


def _doc(value: Any) -> str:
    doc = value.__doc__ if isinstance(value, property) else inspect.getdoc(_plain(value))
    is_own = callable(_plain(value)) or isinstance(value, property) or hasattr(value, "func")
    return inspect.cleandoc(doc) if doc and is_own else ""


def _first_sentence(value: Any) -> str:
    return " ".join(_doc(value).split("\n\n")[0].split())


def _documented(thing: Any) -> list[str]:
    """The docstring, its examples as code."""
    lines, in_code = [], False
    for line in inspect.cleandoc(thing.__doc__ or "").splitlines():
        if line.startswith(">>> ") and not in_code:
            lines.append("```python")
            in_code = True
        elif not line.strip() and in_code:
            lines.append("```")
            in_code = False
        lines.append(line)
    return [*lines, "```"] if in_code else lines


if __name__ == "__main__":
    target = Path(__file__).with_name("api.md")
    target.write_text(page(), encoding="utf-8")
    print(f"wrote {target}", file=sys.stderr)
