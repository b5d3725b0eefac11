"""A bot's reasons as they come out of its box: JSON, of which nothing is believed but what is looked at here."""

from __future__ import annotations

import json
import pickle
import re
from copy import deepcopy
from typing import Any

import numpy as np

from railbird.bots.base import Bot
from railbird.bots.decision import Decision, Note, OpponentWeights, Outlook, Step
from railbird.bots.places import MOST_WORDS, shortened
from railbird.cards import HOLDING_COUNT
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.view import PlayerView
from railbird.json_files import Fields, json_of
from railbird.search.miximax import Line

_MOST = 1e12
_MOST_ENTRIES = 40
_FORM = re.compile(r"\+?(\.\d)?[%defg]?")
"""How a number may be written; others could fill the memory."""


def reasons_of(bot: Bot, game: bytes, key: tuple[int, ...], seen: tuple[Any, ...]) -> str:
    """Called in a box: what the bot thinks in a view, or nothing if it gives no reasons.

    A copy is asked, after the bot has decided, so that the bot itself is as if nobody had.
    """
    if type(bot).explain is Bot.explain:
        return ""
    history, *rest = seen
    view = PlayerView(Betting.start(pickle.loads(game)).play(history), *rest)
    copied = deepcopy(bot)
    copied.seed_hand(*key)
    decision = copied.explain(view)
    weights = decision.weights
    told = {
        **decision.to_json(),
        "notes": {name: list(note) for name, note in decision.notes.items()},
        "weights": [float(weight) for weight in weights.array] if weights else [],
        "full": weights.full if weights else "",
    }
    return json.dumps(told, default=float)


def decision_of(text: str, action: Action) -> Decision:
    """The reasons that were told, for what the bot has done; raises ValueError for what are none."""
    told = Fields(json_of(text.encode()), "the reasons")
    quantities, notes = told.fields("quantities"), told.fields("notes")
    weights = told.entries("weights")
    if weights and len(weights) != HOLDING_COUNT:
        raise ValueError(f"{len(weights)} weights of {HOLDING_COUNT} holdings")
    return Decision(
        action,
        _words(told, "rule"),
        _words(told, "reason"),
        {shortened(name, 40): quantities.decimal(name, -_MOST, _MOST) for name in _few(quantities)},
        {shortened(name, 40): _note(notes, name) for name in _few(notes)},
        tuple(_step(one) for one in told.each("steps")[:_MOST_ENTRIES]),
        _outlook(told) if "lines" in told.found else None,
        OpponentWeights(np.array([_share(one) for one in weights]), _words(told, "full")) if weights else None,
    )


def _few(fields: Fields) -> list[str]:
    return list(fields.found)[:_MOST_ENTRIES]


def _words(fields: Fields, name: str) -> str:
    return shortened(fields.text(name), MOST_WORDS)


def _note(notes: Fields, name: str) -> Note:
    words, form, label = notes.texts(name)
    if not _FORM.fullmatch(form):
        raise ValueError(f"{form[:20]!r} is no way to write a number")
    return Note(shortened(words, MOST_WORDS), form, shortened(label, 40))


def _step(told: Fields) -> Step:
    value, threshold = told.decimal("value", -_MOST, _MOST), told.decimal("threshold", -_MOST, _MOST)
    return Step(_words(told, "rule"), _words(told, "quantity"), value, _words(told, "against"), threshold)


def _outlook(told: Fields) -> Outlook:
    lines = [
        Line(_words(one, "history"), one.decimal("chance", 0, 1), one.decimal("value", -_MOST, _MOST))
        for one in told.each("lines")[:_MOST_ENTRIES]
    ]
    cells = told.fields("histograms")
    return Outlook(
        tuple(lines),
        {shortened(name, 40): tuple(_share(one) for one in cells.entries(name)[:100]) for name in _few(cells)},
    )


def _share(told: Any) -> float:
    return Fields({"share": told}, "a share").decimal("share", 0, 1)
