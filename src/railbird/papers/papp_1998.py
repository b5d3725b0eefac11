"""Papp 1998, the thesis on Loki: the ring games of chapter 8 with variants of them, and section 5.2.1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from railbird.papers.ring_games import RingGame
from railbird.papers.ring_readings import RingReadings
from railbird.papers.strength_errors import PrintedError, StrengthErrors, strength_errors
from railbird.papers.strong_shares import CLAIM, READINGS, StrongShares, strong_shares
from railbird.papers.study import Asked, Study

FIGURES = (
    RingGame(
        name="papp-8.1",
        title="Papp 1998, Figure 8.1: the betting strategy without one feature",
        versions=(("papp-a", 2), ("papp-b", 2), ("papp-c", 2), ("papp-d", 2), ("papp-e", 2)),
        reported=(
            "B, without showdown odds, won by a large margin; every other feature was a gain, semi-bluffing the most"
        ),
        claims=("papp-b > papp-a", "papp-a > papp-c", "papp-a > papp-d", "papp-a > papp-e"),
    ),
    RingGame(
        name="papp-8.2",
        title="Papp 1998, Figure 8.2: showdown odds against loose players",
        versions=(("papp-a", 2), ("papp-b", 2), ("bpl2", 6)),
        reported="with showdown odds (A) clearly ahead of without (B), both far ahead of BPL'",
        claims=("papp-a > papp-b > bpl2",),
    ),
    RingGame(
        name="papp-8.3",
        title="Papp 1998, Figure 8.3: generic opponent modelling",
        versions=(("loki-gom", 4), ("bpt", 2), ("bpm", 2), ("bpl", 2)),
        reported="GOM quickly showed clear dominance; the others ranked by tightness",
        claims=("loki-gom > bpt > bpm > bpl", "loki-gom > bpm", "loki-gom > bpl"),
    ),
    RingGame(
        name="papp-8.4",
        title="Papp 1998, Figure 8.4: specific opponent modelling",
        versions=(("loki-som", 2), ("loki-gom", 2), ("bpt", 2), ("bpm", 2), ("bpl", 2)),
        reported="SOM comparable to GOM, both clearly ahead of the players without modelling",
        claims=(
            "loki-som > bpt",
            "loki-gom > bpt",
            "loki-som > bpm",
            "loki-gom > bpm",
            "loki-som > bpl",
            "loki-gom > bpl",
        ),
    ),
)
"""The figures of chapter 8."""


def _by_field(figure: RingGame) -> RingGame:
    """A figure with models that rank holdings against the field (section 7.2.4)."""
    modellers = sorted((bot for bot, _ in figure.versions if not bot.startswith("bp")), key=len, reverse=True)

    def renamed(text: str) -> str:
        return re.sub(
            "|".join(modellers), lambda found: f"{found[0]}{',' if ':' in found[0] else ':'}ranking=field", text
        )

    return replace(
        figure,
        name=f"{figure.name}-field",
        title=f"{figure.title}, with models that rank holdings against the field",
        versions=tuple((renamed(bot), copies) for bot, copies in figure.versions),
        claims=tuple(map(renamed, figure.claims)),
    )


BY_FIELD = tuple(map(_by_field, FIGURES))
"""The same with the other reading of what holdings are ranked against."""

OURS = (
    RingGame(
        name="simulation",
        title="Betting by simulation instead of rules, all else equal, at the table of Figure 8.4",
        versions=(("loki-som", 2), ("loki-som:betting=simulation", 2), ("bpt", 2), ("bpm", 2), ("bpl", 2)),
        reported="chapter 9 proposes it; this comparison is ours",
        claims=(
            "loki-som:betting=simulation > loki-som",
            "loki-som:betting=simulation > bpt",
            "loki-som:betting=simulation > bpm",
            "loki-som:betting=simulation > bpl",
        ),
    ),
    RingGame(
        name="gom",
        title="What generic modelling is worth, all else equal, by what it ranks holdings against",
        versions=(("loki-gom", 3), ("loki-gom:ranking=field", 3), ("loki-gom:modeling=none", 4)),
        reported="in Figure 8.3 generic modelling dominated; this comparison is ours",
        claims=(
            "loki-gom > loki-gom:modeling=none",
            "loki-gom:ranking=field > loki-gom:modeling=none",
            "loki-gom > loki-gom:ranking=field",
        ),
    ),
    RingGame(
        name="loki-ranking",
        title="The best Loki, by what it ranks holdings against, at the table of Figure 8.4",
        versions=(("loki:ranking=uniform", 2), ("loki:ranking=field", 2), ("bpt", 2), ("bpm", 2), ("bpl", 2)),
        reported="the thesis has both rankings (7.2.3 and 7.2.4); this comparison is ours",
        claims=("loki:ranking=uniform > loki:ranking=field",),
    ),
    RingGame(
        name="botwarz",
        title="A BotWarz round among all ring players (after Papp 1998, section 8.2)",
        versions=(
            ("loki", 1),
            ("loki-som2", 1),
            ("loki-gom2", 1),
            ("bpm", 1),
            ("bpt", 1),
            ("lokibot-a", 1),
            ("yoki", 1),
            ("yoki-tight", 1),
            ("expert", 1),
            ("simulation", 1),
        ),
        reported=(
            "in BotWarz III, among ten, GOM' won 0.05 and SOM' 0.06 small bets per hand; its other players are lost"
        ),
        claims=("loki > 0", "loki-som2 > 0", "loki-gom2 > 0"),
    ),
)
"""Ring games that the thesis suggests."""

PRINTED_ERRORS = {
    ("product", 2): PrintedError(0.00307, 0.0219, 888),
    ("product", 3): PrintedError(0.00502, 0.0219, 390),
    ("field", 2): PrintedError(0.00671, 0.0579, 888),
    ("field", 3): PrintedError(0.00751, 0.0415, 390),
}
"""Section 5.2.1, by method and opponents. The worst error of the product is given for both numbers of opponents."""


@dataclass(frozen=True, kw_only=True)
class StrengthStudy(Study):
    """Section 5.2.1: how far two quick estimates of the strength against several opponents are off."""

    def who(self, players: Sequence[str]) -> str:
        return "10 × loki"

    def measured(self, asked: Asked) -> StrengthErrors:
        with asked.bar("playing", "positions") as watch:
            return StrengthErrors(strength_errors(PRINTED_ERRORS, asked.size, asked.seed, watch=watch))


STRENGTH = StrengthStudy(
    name="papp-5.2.1",
    title="Papp 1998, section 5.2.1: errors of two estimates of strength against several",
    reported=(
        "mean errors of 0.307% (product) and 0.671% (field) against two opponents, of 0.502% and 0.751% against three"
    ),
    unjudged="none; the positions of the thesis, from play against people, are lost",
    size=1_000,
    unit="positions against two and against three opponents",
)


_BY_POT_ODDS = RingGame(
    name="pot-odds",
    title="What calls by pot odds are worth at the table of Figure 8.1, on the river and before it",
    versions=(("papp-a", 2), ("papp-a:river_odds=no", 2), ("papp-c", 2), ("papp-d", 2), ("papp-e", 2)),
    reported="in Figure 8.1 player C, without them, was behind A; this comparison is ours",
    claims=("papp-a > papp-a:river_odds=no", "papp-a:river_odds=no > papp-c"),
)
POT_ODDS = RingReadings(
    name=_BY_POT_ODDS.name,
    title=_BY_POT_ODDS.title,
    reported=_BY_POT_ODDS.reported,
    claims=("papp-a ahead of papp-a:river_odds=no", "papp-a:river_odds=no ahead of papp-c"),
    size=10_000,
    unit="deals, each played 10 times with either ranking",
    games={READINGS["uniform"]: _BY_POT_ODDS, READINGS["field"]: _by_field(_BY_POT_ODDS)},
    names=tuple(bot for bot, _ in _BY_POT_ODDS.versions),
)


@dataclass(frozen=True, kw_only=True)
class RankingStudy(Study):
    """Section 7.2.3: how many holdings are strong where actions are re-weighted by, at the table of Figure 8.3."""

    table: RingGame = FIGURES[2]

    def who(self, players: Sequence[str]) -> str:
        return self.table.who(players)

    def measured(self, asked: Asked) -> StrongShares:
        with asked.bar("playing", "hands") as watch:
            return strong_shares(self.table.seats, asked.size, asked.seed, watch)


RANKING = RankingStudy(
    name="papp-7.2.3",
    title="Papp 1998, section 7.2.3: how many holdings have an EHS' above 0.80 when actions are re-weighted by",
    reported="more than 20% of all hands, due to PPOT",
    claims=(CLAIM,),
    size=1_000,
    unit="hands",
)
