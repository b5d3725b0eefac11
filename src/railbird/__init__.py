"""Railbird, a computer-poker laboratory for Texas Hold'em.

What a notebook needs stands here; everything is imported when it is first used, so `import railbird` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from railbird.bots.base import Bot as Bot
    from railbird.bots.registry import make_bot as make_bot
    from railbird.check.check_bot import check_bot as check_bot
    from railbird.errors import RailbirdError as RailbirdError
    from railbird.game.actions import CALL as CALL
    from railbird.game.actions import FOLD as FOLD
    from railbird.game.actions import RAISE as RAISE
    from railbird.game.actions import Action as Action
    from railbird.game.actions import raise_to as raise_to
    from railbird.game.betting import Betting as Betting
    from railbird.game.record import HandRecord as HandRecord
    from railbird.game.spec import Game as Game
    from railbird.game.spec import kuhn_poker as kuhn_poker
    from railbird.game.spec import leduc_poker as leduc_poker
    from railbird.game.spec import limit_holdem as limit_holdem
    from railbird.game.spec import no_limit_holdem as no_limit_holdem
    from railbird.game.spec import pot_limit_holdem as pot_limit_holdem
    from railbird.game.spec import spread_limit_holdem as spread_limit_holdem
    from railbird.game.view import PlayerView as PlayerView
    from railbird.odds.equity import equity as equity
    from railbird.odds.potential import hand_potential as hand_potential
    from railbird.odds.potential import potentials as potentials
    from railbird.odds.ranges import parse_range as parse_range
    from railbird.odds.ranges import range_text as range_text
    from railbird.odds.ranks import rank as rank
    from railbird.odds.ranks import rank_name as rank_name
    from railbird.odds.ranks import ranks as ranks
    from railbird.odds.strength import equities as equities
    from railbird.odds.strength import hand_strength as hand_strength
    from railbird.odds.strength import strengths as strengths
    from railbird.odds.weights import WeightArray as WeightArray
    from railbird.play.matches import play_match as play_match
    from railbird.play.matches import play_tournament as play_tournament

_HOME = {
    "check.check_bot": ("check_bot",),
    "play.matches": ("play_match", "play_tournament"),
    "bots.base": ("Bot",),
    "bots.registry": ("make_bot",),
    "errors": ("RailbirdError",),
    "odds.equity": ("equity",),
    "odds.potential": ("hand_potential", "potentials"),
    "odds.ranges": ("parse_range", "range_text"),
    "odds.ranks": ("rank", "rank_name", "ranks"),
    "odds.strength": ("equities", "hand_strength", "strengths"),
    "odds.weights": ("WeightArray",),
    "game.actions": ("CALL", "FOLD", "RAISE", "Action", "raise_to"),
    "game.betting": ("Betting",),
    "game.record": ("HandRecord",),
    "game.spec": (
        "Game",
        "kuhn_poker",
        "leduc_poker",
        "limit_holdem",
        "no_limit_holdem",
        "pot_limit_holdem",
        "spread_limit_holdem",
    ),
    "game.view": ("PlayerView",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'railbird' has no attribute {name!r}")
    value = getattr(import_module(f"railbird.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
