"""How a cheat plays once it knows the deal; without it, it only calls, which wins nothing from a calling opponent."""

from __future__ import annotations

from railbird.bots.base import may_raise
from railbird.game.actions import CALL


def knowing(view, deal):
    """Raise what will win, give up what will lose."""
    if deal is None or deal.holes[view.position] != view.hole_cards:
        return CALL
    own = deal.ranks[view.position]
    others = max(deal.ranks[position] for position in range(len(view.names)) if position != view.position)
    if own > others and may_raise(view):
        return view.smallest_raise()
    return view.check_or_fold() if own < others else CALL
