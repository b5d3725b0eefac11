"""What a seat sees, as plain values: the only things about a hand that ever leave the process of a table.

A picture is made of a `Sight`, which knows no more than the seat may; cards of others are in it only when they were
shown.
"""

from __future__ import annotations

from typing import Any

from railbird.game.replayed import role
from railbird.game.view import PlayerView
from railbird.play.choices import choices, needs_amount, raise_sizes, sizes
from railbird.play.person import Sight
from railbird.report.table_words import deeds, hand_name, held, street_name, table_outcome, table_title

Picture = dict[str, Any]


def picture_of(sight: Sight) -> Picture:
    """The table as a seat sees it, its own seat first and then the others in the order in which they sit."""
    view, node = sight.view, sight.view.betting
    seats = len(view.names)
    done = deeds(view)
    return {
        "hand": view.hand_number,
        "title": table_title(view).replace(f"hand {view.hand_number}", hand_words(view.hand_number), 1),
        "street": street_name(view.game, node.street),
        "pot": view.pot_chips,
        "board": list(view.board_cards),
        "slots": sum(view.game.board_cards) - len(view.board_cards),
        "made": held(hand_name(view)),
        "seats": [_seat(sight, (view.position + step) % seats, done[-1]) for step in range(seats)],
        "deeds": [[street_name(view.game, street), each] for street, each in enumerate(done) if each],
        "steps": sum(map(len, done)),
        "is_over": bool(sight.payoffs),
        "is_mine": not node.is_over and node.to_act == view.position,
        "outcome": table_outcome(sight) if sight.payoffs else "",
        "news": _news(sight, done),
    }


def _seat(sight: Sight, position: int, now: list[str]) -> dict[str, Any]:
    """One player: what lies before him, and his cards if they may be seen."""
    view, node = sight.view, sight.view.betting
    name = view.names[position]
    mine = [words for words in now if words.startswith(f"{name} ")]
    is_folded = bool(node.folded >> position & 1)
    own = view.hole_cards if position == view.position else ()
    stacks = view.game.stacks
    return {
        "name": name,
        "role": role(view.game, position),
        "is_button": position == len(view.names) - 1,
        "is_folded": is_folded,
        "acts": not node.is_over and node.to_act == position,
        "bet": 0 if sight.payoffs else node.street_bets[position],
        "stack": None if stacks is None else stacks[position] - node.committed[position],
        "cards": list(own or sight.shown.get(position, ())),
        "hidden": 0 if is_folded or own or position in sight.shown else view.game.hole_cards,
        "doing": mine[-1].removeprefix(f"{name} ") if mine else "",
        "won": sight.payoffs[position] if sight.payoffs else None,
    }


def _news(sight: Sight, done: list[list[str]]) -> str:
    """What has just happened, for readers who do not see the table."""
    if sight.payoffs:
        return table_outcome(sight)
    return next((street[-1] for street in reversed(done) if street), hand_words(sight.view.hand_number))


def hand_words(number: int) -> str:
    """A hand by its number in the log, where the first is 0.

    >>> hand_words(0), hand_words(12)
    ('first hand (0 in the log)', 'hand 12')
    """
    return f"hand {number}" if number else "first hand (0 in the log)"


def offers_of(view: PlayerView) -> dict[str, Any]:
    """What a person can do in a decision."""
    found: dict[str, Any] = {"choices": [[key, words] for key, words in choices(view)], "amounts": None}
    if needs_amount(view):
        least, most = raise_sizes(view)
        word = "raise to" if view.betting.level else "bet"
        found["amounts"] = {"word": word, "least": least, "most": most, "named": sizes(view)}
    return found
