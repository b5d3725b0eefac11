"""A bot's reasons as plain values, for a panel beside the table."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np

from railbird.bots.decision import NAMES, Decision
from railbird.bots.reasons import Explanation
from railbird.errors import IllegalActionError
from railbird.game.actions import Action
from railbird.game.replayed import verb
from railbird.game.view import PlayerView
from railbird.modeling.reweighting import Weights
from railbird.odds.ranges import grid, grid_name
from railbird.report.table_words import street_name

_MOST_LINES = 8
_OF_ACTIONS = ("EV ", "plays ", "equilibrium ")
"""Quantities that stand in a table of their own."""
_ACTION = re.compile(r"r\d+|.", re.DOTALL)
_SHADES = 20
"""How many shades the cells of a heat map have, beside none."""


class Thought:
    """A decision of a bot, kept for whoever may look; only then it becomes plain values, which takes a while."""

    def __init__(self, view: PlayerView, decision: Decision) -> None:
        if (weights := decision.weights) is not None:  # bots may work on in the same arrays
            of_each = {position: np.array(each) for position, each in weights.by_position.items()}
            weights = weights._replace(array=np.array(weights.array), by_position=of_each)
        self._view, self._decision = view, replace(decision, weights=weights)

    @cached_property
    def insight(self) -> dict[str, Any] | None:
        with suppress(Exception):  # a bot may say of itself what nobody can show; nothing is shown of it then
            return insight_of(self._view, self._decision)
        return None


def insight_of(view: PlayerView, decision: Decision) -> dict[str, Any]:
    """What a bot thought in a decision."""
    found = Explanation(view.names[view.position], view, decision)
    plays, ideal = decision.chances, _by_action(decision, "equilibrium")
    return {
        "bot": found.bot,
        "hand": view.hand_number,
        "when": f"{street_name(view.game, view.betting.street)}, pot {view.pot_chips}",
        "cards": list(view.hole_cards),
        "does": found.verb,
        "rule": decision.rule,
        "reason": found.reason,
        "by_action": [
            row
            for row in (
                _row("value in small bets", decision.expected_values, "+.2f"),
                _row("equilibrium", ideal, ".0%"),
                _row("plays", plays, ".0%"),
            )
            if any(row[1:])
        ],
        "distance": f"{_distance(plays, ideal):.0%}" if plays and ideal else "",
        "quantities": [
            list(row) for row in decision.shown() if not row[0].startswith(("EV ", "plays ", "equilibrium "))
        ],
        "steps": [[step.rule, str(step), step.holds] for step in decision.steps],
        "lines": _lines(view, decision),
        "histograms": _histograms(view, decision),
        "heat": _heat(found.weights),
        "of_each": _of_each(found),
        "of_whom": "its opponents" if len(view.opponents) > 1 else view.names[view.opponents[0]],
        "full": decision.weights.full if decision.weights else "",
    }


def _by_action(decision: Decision, what: str) -> dict[str, float]:
    known = decision.quantities
    return {name: known[f"{what} {name}"] for name in NAMES.values() if f"{what} {name}" in known}


def _row(words: str, values: dict[str, float], form: str) -> list[str]:
    """What is known of fold, call and raise, in this order."""
    return [words, *(format(values[name], form) if name in values else "" for name in NAMES.values())]


def _distance(plays: dict[str, float], ideal: dict[str, float]) -> float:
    """How far two ways to play are from each other: the chance that they differ, if they agree as often as can be."""
    return sum(abs(plays.get(name, 0.0) - ideal.get(name, 0.0)) for name in NAMES.values()) / 2


def _lines(view: PlayerView, decision: Decision) -> list[list[str]]:
    lines = decision.outlook.lines[:_MOST_LINES] if decision.outlook else ()
    return [[line_words(view, line.history), f"{line.chance:.0%}", f"{line.value:+.2f}"] for line in lines]


def _histograms(view: PlayerView, decision: Decision) -> list[dict[str, Any]]:
    """What the opponent is believed to hold, or expected to show, in shades by the largest cell."""
    found = []
    for line, cells in (decision.outlook.histograms if decision.outlook else {}).items():
        most = max(cells, default=0.0) or 1.0
        words = "hands believed now" if line == "now" else f"after {line_words(view, line)}: hands expected to be shown"
        found.append({"words": words, "bars": [round(_SHADES * cell / most) for cell in cells]})
    return found


def line_words(view: PlayerView, line: str) -> str:
    """How the betting may go on, in words, as in "check, bet, call"; what cannot be done here stays as it is."""
    node, words = view.betting, []
    try:
        for text in _ACTION.findall(line):
            action = Action.parse(text)
            after = node.after(action)
            words.append(verb(node, after, str(action)).split()[0].removesuffix("s"))
            node = after
    except IllegalActionError:
        return line
    return ", ".join(words)


def _heat(weights: Weights | None) -> list[list[Any]]:
    """Weights of holdings by class: 13 rows of a name, a shade and words for each."""
    if weights is None:
        return []
    rows = []
    for row, cells in enumerate(grid(weights).tolist()):
        rows.append([_cell(grid_name(row, column), weight) for column, weight in enumerate(cells)])
    return rows


def _of_each(found: Explanation) -> dict[str, list[list[Any]]]:
    """By name of the opponent, the weights of his holdings, where several are told apart."""
    weights, view = found.decision.weights, found.view
    if weights is None or found.weights is None or len(view.opponents) == 1:
        return {}
    dealt = np.isnan(found.weights)
    return {view.names[at]: _heat(np.where(dealt, np.nan, each)) for at, each in weights.by_position.items()}


def insight_for(seen: dict[str, Any], name: str) -> dict[str, Any]:
    """What somebody is shown of it: what the bot thinks of him, if it tells its opponents apart."""
    shown = {key: value for key, value in seen.items() if key != "of_each"}
    mine = seen["of_each"].get(name)
    return shown | ({"heat": mine, "of_whom": name} if mine else {})


def _cell(name: str, weight: float) -> list[Any]:
    if isnan(weight):
        return [name, -1, f"{name}: cannot be dealt"]
    return [name, round(_SHADES * min(1.0, weight)), f"{name}: {weight:.0%}"]
