"""What Loki can be told, in groups: the flags of the thesis' experiments (Papp 1998, chapter 8) and later additions.

On the command line each field is a parameter of its own: `loki:modeling=generic,pot_odds=no`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from railbird.errors import UnknownBotError
from railbird.modeling.table_model import Ranking
from railbird.odds.crude import PotentialKind

Tightness = Literal["tight", "moderate", "loose"]
Modeling = Literal["none", "uniform", "income", "generic", "specific"]
Preflop = Literal["positional", "simple"]
BettingBy = Literal["rules", "simulation"]


@dataclass(frozen=True)
class BeforeFlop:
    """Which holdings are played before the flop (section 6.1)."""

    tightness: Tightness = "loose"
    preflop: Preflop = "positional"
    """By position and expected players, or simply by income rate."""
    income_shift: float = 0.0
    """What is added to all thresholds, in thousandths of a bet."""


@dataclass(frozen=True)
class AfterFlop:
    """How much a bet takes after the flop (section 6.2), and whether rules or play-outs decide (chapter 9)."""

    make1: float = 0.5
    make2: float = 0.85
    betting: BettingBy = "rules"
    trials: int = 400
    """How often betting by simulation plays the hand out."""

    def __post_init__(self) -> None:
        if self.trials < 1:
            raise UnknownBotError(f"trials={self.trials}: the hand must be played out at least once")


@dataclass(frozen=True)
class Features:
    """What can be switched off, as in Figures 8.1 and 8.2, and the tactics of section 8.2, which can be switched on."""

    semi_bluff: bool = True
    pot_odds: bool = True
    showdown_odds: bool = True
    river_odds: bool = True
    """Calls on the river where the chance to be ahead is worth the price; Lokibot had only those by potential."""
    potential: bool = True
    count_opponents: bool = True
    tactics: bool = False


@dataclass(frozen=True)
class Modelling:
    """What is thought of the opponents' holdings (chapter 7); all but the first are for `TableModel`."""

    modeling: Modeling = "specific"
    ppot: PotentialKind = "exact"
    half_life: float | None = None
    inverse: bool = False
    observed_variance: bool = False
    fine_contexts: bool = False
    ranking: Ranking = "field"

    @property
    def follows_actions(self) -> bool:
        """Whether the opponents' actions change what is thought of them."""
        return self.modeling in ("generic", "specific")
