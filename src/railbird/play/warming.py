"""Everything that is compiled or built once, done at once: small pieces of work that between them need all of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from railbird.bots.exploiting import exploitability
from railbird.bots.reasons import explain
from railbird.bots.registry import bot_entries, make_bot
from railbird.formats.acpc import record_line
from railbird.formats.readers import hands_in
from railbird.game.quick_check import keeps_rules
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem
from railbird.odds.equity import equity
from railbird.odds.holding_odds import odds
from railbird.odds.potential import potentials
from railbird.odds.ranks import rank, ranks
from railbird.odds.strength import equities, hand_strength, strengths
from railbird.play.assessing import assess
from railbird.play.matches import play_match
from railbird.progress import Watch

_FLOP, _TURN, _RIVER = "3h4cJh", "3h4cJh8s", "3h4cJh8s2d"


def _odds() -> None:
    rank("AdQc3h4cJh"), ranks([[0, 5, 10, 15, 20]])
    for board in ("", _FLOP, _TURN, _RIVER):
        str(odds("AdQc", board))
    for board in (_FLOP, _TURN, _RIVER):
        hand_strength("AdQc", board), strengths(board), equities(board)
    potentials(_FLOP), potentials(_TURN)
    equity(["AdQc", "KhKs", "7d6d"], _FLOP)


def _a_match_of(*bots: str) -> Callable[[], Any]:
    return lambda: play_match(*bots, hands=20, workers=1, progress=False)


def _assessment() -> None:
    for bots in (("always-raise", "always-call"), ("always-raise", "always-call", "always-call")):
        str(assess(play_match(*bots, hands=20, workers=1, progress=False)))


def _histories() -> None:
    """A log that is long enough for the kernels."""
    hand = HandRecord(limit_holdem(), 0, ("Ann", "Bob"), ((0, 5), (10, 15)), (), "f", (1, -1))
    keeps_rules(hand)
    with TemporaryDirectory() as folder:
        log = Path(folder) / "some.log"
        log.write_text(f"{record_line(hand)}\n" * 3_000)
        for _ in hands_in(log, hand.game):
            pass


def _pieces() -> dict[str, Callable[[], Any]]:
    """By name, work in an order in which the later pieces find done what they share with the earlier."""
    named = {name: (lambda name=name: make_bot(name).prepare()) for name in bot_entries()}
    return {
        "odds": _odds,
        "matches": _a_match_of("expert", "random"),
        "loki": _a_match_of("loki", "simulation", "expert"),
        "vexbot": _a_match_of("vexbot", "yoki"),
        "equilibrium": _a_match_of("equilibrium", "always-call"),
        "equilibrium, compiled": _a_match_of("equilibrium", "equilibrium"),
        "vexbot2": lambda: explain("AdQc", _FLOP, bot="vexbot2"),
        **named,
        "assessment": _assessment,
        "histories": _histories,
        "best responses": lambda: exploitability("always-call", flops=2, workers=1),
    }


def warm_up(watch: Watch | None = None) -> None:
    """Compile all kernels and build all tables that are not there yet."""
    pieces = _pieces()
    for done, (name, work) in enumerate(pieces.items()):
        if watch is not None:
            watch(done, len(pieces), name)
        work()
    if watch is not None:
        watch(len(pieces), len(pieces))
