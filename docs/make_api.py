"""Writes docs/api.md and docs/api/ from the docstrings of what stands in `railbird` itself: python docs/make_api.py."""

from __future__ import annotations

import argparse
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import railbird

SECTIONS = {
    "Hands and odds": "odds equity ranks rank rank_name strengths equities hand_strength hand_potential potentials "
    "parse_range range_text range_odds WeightArray Odds RangeOdds",
    "Games and players": "Game limit_holdem no_limit_holdem pot_limit_holdem spread_limit_holdem kuhn_poker "
    "leduc_poker Bot PlayerView Action FOLD CALL RAISE raise_to ProbabilityTriple Betting make_bot check_bot "
    "BotReport explain "
    "Explanation Decision Step",
    "Matches": "play_match play_tournament compare_bots find_gain MatchResult TournamentResult Comparison GainTest "
    "LearningCurves read_hands hands_in convert Conversion "
    "verify_deals VerifiedDeals hand_list HandList HandFilter HandRecord ReplayedHand accuracy AccuracyResult "
    "import_hands ImportedHands stats PlayerStats",
    "Skill and luck": "assess AssessedLog AssessedHands AssessedTable AssessedHand Estimate",
    "Strategies": "solve SolvePlan Solved Strategy Policy FunctionPolicy TablePolicy exploitability "
    "ExploitabilityResult bot_after Snapshot lower_bound LowerBound",
    "Papers": "run_study StudyResult",
    "Errors": "RailbirdError",
}


def pages() -> dict[str, str]:
    """All pages by the names of their files: a list of everything, and a page for each section."""
    listed = [
        "# `import railbird as rb`",
        "",
        "Made from the docstrings by `python docs/make_api.py`. Everything is imported when it is first used.",
    ]
    made = {}
    for title, names in SECTIONS.items():
        file = f"api/{title.lower().replace(' ', '-')}.md"
        listed += ["", f"## [{title}]({file})", "", "| | |", "|---|---|"]
        lines = [f"# {title}", "", "Everything here is in `railbird` itself: `import railbird as rb`."]
        for name in names.split():
            thing = getattr(railbird, name)
            thing = thing.called if isinstance(thing, ModuleType) else thing
            about = _first_sentence(thing) if callable(thing) else "an action"
            heading = f"class {name}" if inspect.isclass(thing) else name
            anchor = heading.lower().replace(" ", "-")
            listed.append(f"| [`rb.{name}`]({file}#{anchor}) | {about.replace('|', chr(92) + '|')} |")
            lines += ["", f"## {heading}", "", *_entry(name, thing)]
        made[file] = "\n".join(lines) + "\n"
    return {"api.md": "\n".join(listed) + "\n", **made}


def _entry(name: str, thing: Any) -> list[str]:
    """The signature and the docstring; of a class its public methods too."""
    if not callable(thing):
        return [f"`{thing!r}`, an action."]
    lines = ["```python", f"rb.{name}{_signature(thing)}", "```", "", *_documented(thing)]
    methods = []
    for attribute, value in vars(thing).items() if inspect.isclass(thing) else ():
        if attribute.startswith("_") or not _doc(value):
            continue
        written = attribute if isinstance(value, property) or not callable(_plain(value)) else ""
        text = written or f"{attribute}{_signature(_plain(value), with_types=False)}"
        methods.append(f"- `{text}`: {_first_sentence(value)}")
    return [*lines, *(["", *methods] if methods else [])]


def _plain(value: Any) -> Any:
    return value.__func__ if isinstance(value, classmethod | staticmethod) else getattr(value, "func", value)


def _signature(thing: Any, with_types: bool = True) -> str:
    """The parameters with their types and defaults, each on a line where they do not fit on one."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    if inspect.isclass(thing) and issubclass(thing, tuple | railbird.RailbirdError):
        return ""
    parameters = signature.parameters.values()
    shown, is_named = [], False
    for each in parameters:
        if each.name in ("self", "cls") or each.kind is each.VAR_KEYWORD:
            continue
        if each.kind is each.KEYWORD_ONLY and not is_named:
            is_named = True
            if not any(other.kind is other.VAR_POSITIONAL for other in parameters):
                shown.append("*")
        star = "*" if each.kind is each.VAR_POSITIONAL else ""
        kind = f": {_type(each.annotation)}" if with_types and each.annotation is not each.empty else ""
        equals = " = " if kind else "="
        default = "" if each.default is each.empty else f"{equals}{_short(each.default)}"
        shown.append(f"{star}{each.name}{kind}{default}")
    has_answer = with_types and not inspect.isclass(thing) and signature.return_annotation is not signature.empty
    answer = f" -> {_type(signature.return_annotation)}" if has_answer else ""
    line = f"({', '.join(shown)}){answer}"
    if with_types and len(line) > 90:
        return "(\n" + "".join([f"    {each},\n" for each in shown]) + f"){answer}"
    return line


def _type(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


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
            lines.append("```pycon")
            in_code = True
        elif not line.strip() and in_code:
            lines.append("```")
            in_code = False
        lines.append("" if line == "<BLANKLINE>" else line)
    return [*lines, "```"] if in_code else lines


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    folder = Path(__file__).parent
    for name, text in pages().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        print(f"wrote {folder / name}", file=sys.stderr)
