"""Kan 2007, the thesis on DIVAT, chapter 4: is it unbiased, and how much of the luck does it take out?

All matches of a seed use the same deals, as the thesis' did: the 100,000 hands of figure 4.1 (a) are the first of the
400,000 of figure 4.2, which the other players get too. The thesis' own players, PsOpti4 and PsOpti6, are lost; any two
players that do not learn can take their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from railbird.assess.settings import STANDARD, parse_settings
from railbird.judging import Finding, equals, exceeds
from railbird.papers.divat_studies import AssessedHands, DivatEvidence, DivatStudy, bankroll
from railbird.papers.study import Asked
from railbird.results.figures import Figure
from railbird.statistics import Estimate, Samples

RULES = {"pot": STANDARD, "faced": parse_settings("standard:fold=faced")}
"""Both readings of the fold threshold; see `Settings.fold`."""
LEAST_REDUCTION = 5.0
"""The thesis' factors are 5.46 to 6.34. Of other players than its own at least this much is asked."""
_REDUCED = f"variance reduced by more than {LEAST_REDUCTION:g}"
BETS = ("aggressive-high", "aggressive-low", "normal", "conservative-low", "conservative-high")
FOLDS = ("loose-high", "loose-low", "normal", "tight-low", "tight-high")
"""Every other row of Tables 4.1 and 4.2: five lines, as many as the figures have (their legends are lost)."""
SHORT = 500
"""The first hands, which figures 4.10 and 4.11 show by themselves."""

# Section 4.2.1: always-call against always-raise

_FLIPPERS = ("always-call", "always-raise")


@dataclass(frozen=True)
class CoinFlip:
    """A match of players that are equally good, and what the thesis measured in it."""

    letter: str
    """The part of the figure, if it has several."""
    figure: str
    title: str
    sd: float
    """Standard deviation of DIVAT."""
    factor: float
    """How many times the variance is reduced."""
    hands: int


@dataclass(frozen=True, kw_only=True)
class CoinFlips(DivatStudy):
    """Matches of always-call and always-raise, each with other cards."""

    matches: tuple[CoinFlip, ...]
    claims: tuple[str, ...] = ("SD of the money", "no money won", "no skill seen", "SD of DIVAT", "variance reduced")

    def who(self, players: Sequence[str]) -> str:
        return ", ".join(_FLIPPERS)

    def measured(self, asked: Asked) -> DivatEvidence:
        matches, findings, figures = [], [], {}
        for seed, flip in enumerate(self.matches, asked.seed):
            name = f"hands-{flip.letter}" if flip.letter else "hands"
            match = self.played(asked, _FLIPPERS, seed, name)
            money = match.money[0]
            divat = {rule: match.divat(settings, f"assessing, fold={rule}")[0] for rule, settings in RULES.items()}
            part = f" ({flip.letter})" if flip.letter else ""
            matches.append(AssessedHands(f"always-call v always-raise{part}, seed {seed}", money, divat))
            findings += _coin_flip_findings(flip, part, money, divat)
            lines = {f"DIVAT (fold={rule})": samples for rule, samples in divat.items()}
            figures[f"kan-{flip.figure}{flip.letter}"] = bankroll(flip.title, money, lines)
        return DivatEvidence.of(matches, findings, figures)


def _coin_flip_findings(flip: CoinFlip, part: str, money: Samples, divat: Mapping[str, Samples]) -> list[Finding]:
    found = [
        # The thesis measured it over 25 million hands; exactly it is 6.856163.
        equals(f"SD of the money{part}", Estimate.of_deviation(money), 6.856163, "6.856"),
        equals(f"no money won{part}", Estimate.of(money), 0.0),
    ]
    for rule, samples in divat.items():
        reading = f"fold={rule}"
        factor = Estimate.of_reduction(money, samples)
        found += [
            equals(f"no skill seen{part}", Estimate.of(samples), 0.0, reading=reading),
            equals(f"SD of DIVAT{part}", Estimate.of_deviation(samples), flip.sd, "", flip.hands, reading),
            equals(f"variance reduced{part}", factor, flip.factor, "", flip.hands, reading),
        ]
    return found


# Sections 4.2.2 and 4.2.3: players that try to play well


@dataclass(frozen=True, kw_only=True)
class SelfPlay(DivatStudy):
    """A player against itself."""

    claims: tuple[str, ...] = ("no money won", "no skill seen", "DIVAT agrees with money", _REDUCED)

    def who(self, players: Sequence[str]) -> str:
        return f"{players[0]} against itself"

    def measured(self, asked: Asked) -> DivatEvidence:
        [player] = asked.players
        match = self.played(asked, (player, player))
        money, divat = match.money[0], match.divat(STANDARD)[0]
        findings = (
            equals("no money won", Estimate.of(money), 0.0, "0 (0.010)"),
            equals("no skill seen", Estimate.of(divat), 0.0),
            equals("DIVAT agrees with money", Estimate.of(money - divat), 0.0),
            exceeds(_REDUCED, Estimate.of_reduction(money, divat), LEAST_REDUCTION, "6.34 (SD 4.691 to 1.863)"),
        )
        title = f"Kan 2007, Figure 4.5: self-play of {match.names[0]}"
        hands = AssessedHands(f"{player} v itself, seed {asked.seed}", money, {"standard": divat})
        return DivatEvidence.of((hands,), findings, {"kan-4.5": bankroll(title, money, {"DIVAT": divat})})


@dataclass(frozen=True, kw_only=True)
class TwoPlayers(DivatStudy):
    """Two players in duplicate."""

    unit: str = "deals, each played twice"
    claims: tuple[str, ...] = (
        "DIVAT agrees with money, first half",
        "DIVAT agrees with money, second half",
        "DIVAT agrees with money, in duplicate",
        "DIVAT is the same in both halves",
        _REDUCED,
        "duplicate DIVAT varies less than duplicate money",
    )

    def measured(self, asked: Asked) -> DivatEvidence:
        match = self.played(asked, asked.players, duplicate=True)
        money, divat = match.money, match.divat(STANDARD)
        first, second = match.names
        both_money, both_divat = money.mean(axis=0), divat.mean(axis=0)
        matches = [
            AssessedHands(f"{first} v {second}, {name} half, seed {asked.seed}", money[at], {"standard": divat[at]})
            for at, name in enumerate(("first", "second"))
        ]
        name = f"{first} v {second} in duplicate"
        matches.append(AssessedHands(f"{name}, seed {asked.seed}", both_money, {"standard": both_divat}))
        # In the second half the thesis shows the player who now holds the first half's cards.
        figures = {
            f"kan-4.6{letter}": bankroll(
                f"Kan 2007, Figure 4.6 ({letter}): {who}", sign * money[half], {"DIVAT": sign * divat[half]}
            )
            for half, letter, who, sign in (
                (0, "a", f"{first} v {second}", 1),
                (1, "b", f"{second} v {first}", -1),
            )
        }
        figures["kan-4.7"] = bankroll(f"Kan 2007, Figure 4.7: {name}", both_money, {"DIVAT": both_divat})
        return DivatEvidence.of(matches, _two_players_findings(money, divat), figures)


def _two_players_findings(money: Samples, divat: Samples) -> tuple[Finding, ...]:
    """What becomes of the claims, from samples by half and deal."""
    both_money, both_divat = money.mean(axis=0), divat.mean(axis=0)
    reduction = Estimate.of_reduction(money, divat)
    return (
        equals("DIVAT agrees with money, first half", Estimate.of(money[0] - divat[0]), 0.0, "0.11 v 0.10"),
        equals("DIVAT agrees with money, second half", Estimate.of(money[1] - divat[1]), 0.0, "0.11 v 0.12"),
        equals("DIVAT agrees with money, in duplicate", Estimate.of(both_money - both_divat), 0.0),
        equals("DIVAT is the same in both halves", Estimate.of(divat[0] - divat[1]), 0.0, "0.11 v 0.11"),
        exceeds(_REDUCED, reduction, LEAST_REDUCTION, "6.05 (SD 4.750 to 1.929)"),
        exceeds(
            "duplicate DIVAT varies less than duplicate money",
            Estimate.of_reduction(both_money, both_divat),
            1.0,
            "1.95 (SD 1.643 to 1.178)",
        ),
    )


# Section 4.3: other thresholds


@dataclass(frozen=True, kw_only=True)
class OtherThresholds(DivatStudy):
    """DIVAT with other thresholds for folds and for bets on one street, over all hands and over the first few."""

    street: str
    figure: str
    short_figure: str
    claims: tuple[str, ...] = ("sees the same", "varies less from normal than DIVAT itself does")
    patience: str = (
        "8 settings need a rollout before the flop each; those not in the cache take minutes, an hour in all ..."
    )

    def measured(self, asked: Asked) -> DivatEvidence:
        match = self.played(asked, asked.players)
        money = match.money[0]
        rows = [f"{self.street}_{kind}={row}" for kind, row in _threshold_rows() if row != "normal"]
        lines = {"normal": match.divat(STANDARD, "assessing, normal")[0]}
        for at, row in enumerate(rows, 2):
            title = f"setting {at} of {len(rows) + 1}, {row}"
            lines[row] = match.divat(parse_settings(f"standard:{row}"), title)[0]
        short = min(SHORT, len(money))
        findings: list[Finding] = []
        figures: dict[str, Figure] = {}
        for hands, figure in ((len(money), self.figure), (short, self.short_figure)):
            findings += _threshold_findings(lines, hands, is_short=hands == short)
            figures |= self._bankrolls(figure, hands, money, lines)
        name = f"{' v '.join(match.names)}, seed {asked.seed}"
        return DivatEvidence.of((AssessedHands(name, money, lines),), findings, figures)

    def _bankrolls(self, figure: str, hands: int, money: Samples, lines: Mapping[str, Samples]) -> dict[str, Figure]:
        """Both parts of a figure."""
        found = {}
        for letter, kind in (("a", "folds"), ("b", "bets")):
            names = [row for other, row in _threshold_rows() if other == kind]
            keys = ["normal" if row == "normal" else f"{self.street}_{kind}={row}" for row in names]
            title = f"Kan 2007, Figure {figure} ({letter}): {self.street} {kind}, {hands:,} hands"
            shown = {row: lines[key][:hands] for row, key in zip(names, keys)}
            found[f"kan-{figure}{letter}"] = bankroll(title, money[:hands], shown)
        return found


def _threshold_rows() -> list[tuple[str, str]]:
    return [(kind, row) for kind, names in (("folds", FOLDS), ("bets", BETS)) for row in names]


def _threshold_findings(lines: Mapping[str, Samples], hands: int, is_short: bool) -> list[Finding]:
    """How the other thresholds compare with the normal ones, over the first hands."""
    normal, found = lines["normal"], []
    for name, samples in lines.items():
        if name != "normal":
            gap = (samples - normal)[:hands]
            found.append(equals(f"{name} sees the same, {hands:,} hands", Estimate.of(gap), 0.0))
            if is_short:
                claim = f"{name} varies less from normal than DIVAT itself does, {hands:,} hands"
                found.append(exceeds(claim, Estimate.of_reduction(normal[:hands], gap), 1.0, "lines coincide"))
    return found


_ROBUST = "the lines of other thresholds nearly coincide with the normal ones, over 100,000 hands and over 500"
STUDIES = (
    CoinFlips(
        name="kan-4.1",
        title="Kan 2007, Figures 4.1 and 4.3: DIVAT of two matches of always-call and always-raise",
        reported="no skill is seen where there is none, and the variance is reduced by 5.46 and 5.52",
        size=100_000,
        matches=(
            CoinFlip("a", "4.3", "Kan 2007, Figures 4.1 and 4.3 (a): always-call v always-raise", 2.934, 5.46, 100_000),
            CoinFlip("b", "4.3", "Kan 2007, Figures 4.1 and 4.3 (b): always-call v always-raise", 2.917, 5.52, 100_000),
        ),
    ),
    CoinFlips(
        name="kan-4.4",
        title="Kan 2007, Figures 4.2 and 4.4: DIVAT of a longer match of always-call and always-raise",
        reported="no skill is seen where there is none, and the variance is reduced by 5.54",
        size=400_000,
        matches=(
            CoinFlip("", "4.4", "Kan 2007, Figures 4.2 and 4.4: always-call v always-raise", 2.913, 5.54, 400_000),
        ),
    ),
    SelfPlay(
        name="kan-4.5",
        title="Kan 2007, Figure 4.5: DIVAT of a player against itself",
        reported="no skill is seen where there is none, and the variance is reduced by 6.34",
        size=400_000,
        players=("expert",),
    ),
    TwoPlayers(
        name="kan-4.6",
        title="Kan 2007, Figures 4.6 and 4.7: DIVAT of two players in duplicate",
        reported="DIVAT agrees with the money in both halves and varies less, also than the money in duplicate",
        size=400_000,
        players=("expert", "bpm"),
    ),
    OtherThresholds(
        name="kan-4.8",
        title="Kan 2007, Figures 4.8 and 4.10: DIVAT with other thresholds on the flop",
        reported=_ROBUST,
        size=100_000,
        players=("expert", "bpm"),
        street="flop",
        figure="4.8",
        short_figure="4.10",
    ),
    OtherThresholds(
        name="kan-4.9",
        title="Kan 2007, Figures 4.9 and 4.11: DIVAT with other thresholds on the turn",
        reported=_ROBUST,
        size=100_000,
        players=("expert", "bpm"),
        street="turn",
        figure="4.9",
        short_figure="4.11",
    ),
)
