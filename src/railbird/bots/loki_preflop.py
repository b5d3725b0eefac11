"""Loki before the flop: a strategy for the hand by income rate, position, expected players and tightness (Papp 1998,
section 6.1, Tables 6.1 and B.1)."""

from __future__ import annotations

from collections.abc import Mapping

from railbird.bots.decision import Step
from railbird.bots.loki_settings import BeforeFlop, Tightness
from railbird.cards import holding_index
from railbird.game.betting import Betting
from railbird.odds.income_rates import income_rates

GROUPS = ("2 players", "3-4 players", "5 or more players")
STRATEGIES = ("Make4", "Make2", "Call2", "Make1", "Call1")
"""In the order in which they are tried; Make0 if none fits."""
PROBABILITY_PLAY = 0.6

# Papp 1998, Table B.1: (base, increment) for tight, moderate and loose play, by group.
_THRESHOLDS = {
    "Make1": (((-50, 50), (-50, 50), (-50, 50)), ((50, 50), (50, 25), (50, 10)), ((0, 70), (0, 50), (0, 30))),
    "Make2": (((150, 50), (50, 50), (0, 0)), ((200, 50), (200, 25), (200, 10)), ((450, 50), (450, 25), (450, 10))),
    "Make4": (((300, 0),) * 3, ((580, 0),) * 3, ((900, 0),) * 3),
}
# Appendix B: the small blind's own thresholds for Call1 and Call2; among two players they are those of Make1 and Make2.
_SMALL_BLIND = {"Call1": (None, -75, 0), "Call2": (None, 200, 450)}
_TIGHTNESS = ("tight", "moderate", "loose")
# Pre-flop selection without regard to position or opponents, for the players that lack the advanced system.
_SIMPLE = {"Make1": 0.0, "Call1": 0.0, "Make2": 450.0, "Call2": 450.0, "Make4": 900.0}


class IncomeStep(Step):
    """A step that compares income rates, in thousandths of a bet."""

    def __str__(self) -> str:
        return f"{self.name} {self.value:+.0f} >= {self.threshold:+.0f}"


def income_and_thresholds(
    node: Betting, group: int, hole: tuple[int, ...], play: BeforeFlop
) -> tuple[float, dict[str, float]]:
    """The income rate of a holding in a hand of the group, and what each strategy takes."""
    holding = holding_index(*hole)
    if play.preflop == "simple":
        simple = {strategy: value + play.income_shift for strategy, value in _SIMPLE.items()}
        return float(income_rates(7)[holding]), simple
    thresholds = preflop_thresholds(node, group, play.tightness, play.income_shift)
    return float(income_rates((2, 4, 7)[group])[holding]), thresholds


def expected_players(node: Betting) -> float:
    """How many players are likely to see the flop (equation 6.2)."""
    live = node.live
    guaranteed = sum(1 for p in live if node.committed[p] > node.game.ante or p == node.to_act)
    return guaranteed + PROBABILITY_PLAY * (len(live) - guaranteed)


def preflop_group(node: Betting) -> int:
    """Which of `GROUPS` the hand belongs to (figure 6.1)."""
    if len(node.live) <= 2:
        return 0
    return 2 if expected_players(node) >= 4.5 else 1


def players_behind(node: Betting) -> int:
    """Position in the sense of equation 6.1: how many players act before it is the small blind's turn again."""
    seats = node.game.seats
    small = small_blind(node)
    behind = 0
    place = (node.to_act + 1) % seats
    while place != small:
        behind += not node.folded >> place & 1
        place = (place + 1) % seats
    return behind


def small_blind(node: Betting) -> int:
    blinds = node.game.blinds
    posted = [blind for blind in blinds if blind]
    return blinds.index(min(posted)) if posted else 0


def preflop_thresholds(node: Betting, group: int, tightness: Tightness, shift: float = 0.0) -> dict[str, float]:
    """The income rate that each strategy takes (equation 6.1, Table B.1 and the small blind's special values)."""
    column = _TIGHTNESS.index(tightness)
    behind = players_behind(node)
    found = {}
    for strategy, rows in _THRESHOLDS.items():
        base, increment = rows[group][column]
        found[strategy] = base + increment * behind + shift
    for call, make in (("Call1", "Make1"), ("Call2", "Make2")):
        special = _SMALL_BLIND[call][group] if node.to_act == small_blind(node) else None
        found[call] = found[make] if special is None else special + shift
    return found


def preflop_strategy(income: float, thresholds: dict[str, float]) -> str:
    """The strategy for a holding of that income rate (figure 6.1)."""
    for strategy in STRATEGIES:
        if income >= thresholds[strategy]:
            return strategy
    return "Make0"


def strategies_tried(income: float, thresholds: Mapping[str, float]) -> tuple[Step, ...]:
    """The strategies in the order in which they are tried, up to the one that fits."""
    tried = []
    for name in STRATEGIES:
        tried.append(IncomeStep(name, "IR", income, f"threshold of {name}", thresholds[name]))
        if tried[-1].holds:
            break
    return tuple(tried)
