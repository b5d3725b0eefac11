"""The experiments on DIVAT itself (Kan 2007, chapter 4): is it unbiased, and how much of the luck does it take out?

All matches of a seed use the same deals, as the thesis' did: the 100,000 hands of figure 4.1 (a) are the first of the
400,000 of figure 4.2, which the other players get too. The thesis' own players, PsOpti4 and PsOpti6, are lost; any two
players that do not learn can take their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from railbird.assess.settings import STANDARD, Settings, parse_settings, standard
from railbird.assess.tables import divat_tables
from railbird.errors import MatchError
from railbird.game.spec import limit_holdem
from railbird.judging import Finding, equals, exceeds, together, verdict
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.match_result import MatchResult
from railbird.play.run import run_matches
from railbird.play.skill import with_divat
from railbird.progress import Bar
from railbird.statistics import Estimate, Samples

RULES = {"pot": STANDARD, "faced": standard(fold="faced")}
"""Both readings of the fold threshold; see `Settings.fold`."""
LEAST_REDUCTION = 5.0
"""The thesis' factors are 5.46 to 6.34. Of other players than its own at least this much is asked."""
BETS = ("aggressive-high", "aggressive-low", "normal", "conservative-low", "conservative-high")
FOLDS = ("loose-high", "loose-low", "normal", "tight-low", "tight-high")
"""Every other row of Tables 4.1 and 4.2: five lines, as many as the figures have (their legends are lost)."""
SHORT = 500
_POINTS = 400


@dataclass(frozen=True)
class Played:
    """A match of the study, for its first player: small bets by hand, and DIVAT differences by setting and hand."""

    name: str
    money: Samples
    divat: Mapping[str, Samples]

    def to_json(self) -> dict[str, Any]:
        return {
            "match": self.name,
            "money": Estimate.of(self.money).to_json(),
            "divat": {
                setting: {
                    **Estimate.of(samples).to_json(),
                    "fewer_hands": Estimate.of_reduction(self.money, samples).mean,
                }
                for setting, samples in self.divat.items()
            },
        }


@dataclass(frozen=True)
class Curve:
    """A line of a figure: a running total at some hands."""

    name: str
    hands: Samples
    total: Samples
    spread: Samples | None = None
    """One standard deviation of the total, for a band around the line."""

    @classmethod
    def of(cls, name: str, samples: Samples) -> Curve:
        hands = np.unique(np.linspace(1, len(samples), min(len(samples), _POINTS)).astype(int))
        return cls(name, hands.astype(np.float64), np.cumsum(samples)[hands - 1])

    @classmethod
    def deviation(cls, samples: Samples) -> Curve:
        """The thesis' curves of one standard deviation of the money, around zero."""
        line = cls.of("zero, and one SD of the money", samples)
        return cls(line.name, line.hands, 0 * line.total, float(samples.std()) * np.sqrt(line.hands))


@dataclass(frozen=True)
class DivatFigure:
    """One figure, or part of one."""

    name: str
    title: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class DivatStudy:
    """A study that was run: its matches, its figures, and what became of the thesis' claims, judged together."""

    matches: tuple[Played, ...]
    findings: tuple[Finding, ...]
    figures: tuple[DivatFigure, ...]

    @classmethod
    def of(cls, matches: Iterable[Played], findings: Iterable[Finding], figures: Iterable[DivatFigure]) -> DivatStudy:
        return cls(tuple(matches), together(findings), tuple(figures))

    @property
    def summary(self) -> str:
        return verdict(self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            "unit": "small bets per hand",
            "matches": [match.to_json() for match in self.matches],
            "claims": [finding.to_json() for finding in self.findings],
            "verdict": self.summary,
        }


@dataclass(frozen=True)
class _Run:
    """What every study is told."""

    hands: int
    seed: int
    path: Path
    workers: int | None
    bar: Bar

    def played(self, players: Sequence[str], seed: int, name: str, duplicate: bool = False) -> _Match:
        """Play a match, or go on with it."""
        spec = MatchSpec(limit_holdem(), tuple(players), self.hands, seed, duplicate)
        if spec.learns:
            raise MatchError(f"{' or '.join(players)} learns; this study needs players that do not")
        folder = MatchFolder.create(self.path / name, spec)

        with folder.lock(), self.bar("playing") as watch:
            [result] = run_matches([folder], self.workers, watch)
        return _Match(folder, result, self)


@dataclass(frozen=True)
class _Match:
    folder: MatchFolder
    result: MatchResult
    run: _Run

    @property
    def money(self) -> Samples:
        """By leg and hand."""
        return self.result.won[:, :, 0] / self.result.spec.game.small_bet

    def divat(self, settings: Settings, what: str = "assessing") -> Samples:
        """By leg and hand."""
        with self.run.bar(f"{what}: tables") as watch:
            divat_tables(settings, watch)
        with self.run.bar(what) as watch:
            divat = with_divat(self.folder, self.result, settings, watch, self.run.workers or 0).divat
        assert divat is not None
        return divat


def _bankroll(name: str, title: str, money: Samples, lines: Mapping[str, Samples]) -> DivatFigure:
    curves = [Curve.of("money", money), *(Curve.of(line, samples) for line, samples in lines.items())]
    return DivatFigure(name, title, (*curves, Curve.deviation(money)))


# Sections 4.2.1: always-call against always-raise


def _coin_flips(run: _Run, letters: Sequence[tuple[str, str, int, float, float]]) -> DivatStudy:
    """Matches whose players are equally good: figure, title, seed, and the thesis' SD of DIVAT and its factor."""
    matches, findings, figures = [], [], []
    for letter, title, seed, paper_sd, paper_factor in letters:
        match = run.played(("always-call", "always-raise"), seed, f"hands-{letter}" if letter else "hands")
        money = match.money[0]
        divat = {rule: match.divat(settings, f"assessing, fold={rule}")[0] for rule, settings in RULES.items()}
        part = f" ({letter})" if letter else ""
        paper_hands = 100_000 if letter else 400_000
        matches.append(Played(f"always-call v always-raise{part}, seed {seed}", money, divat))
        findings += [
            # The thesis measured it over 25 million hands; exactly it is 6.856163.
            equals(f"SD of the money{part}", Estimate.of_deviation(money), 6.856163, "6.856"),
            equals(f"no money won{part}", Estimate.of(money), 0.0),
        ]
        for rule, samples in divat.items():
            reading = f"fold={rule}"
            factor = Estimate.of_reduction(money, samples)
            findings += [
                equals(f"no skill seen{part}", Estimate.of(samples), 0.0, reading=reading),
                equals(f"SD of DIVAT{part}", Estimate.of_deviation(samples), paper_sd, "", paper_hands, reading),
                equals(f"variance reduced{part}", factor, paper_factor, "", paper_hands, reading),
            ]
        lines = {f"DIVAT (fold={rule})": samples for rule, samples in divat.items()}
        figures.append(_bankroll(f"kan-{4.3 if letter else 4.4}{letter}", title, money, lines))
    return DivatStudy.of(matches, findings, figures)


def _short_matches(run: _Run, players: Sequence[str]) -> DivatStudy:
    return _coin_flips(
        run,
        [
            ("a", "Kan 2007, Figures 4.1 and 4.3 (a): always-call v always-raise", run.seed, 2.934, 5.46),
            ("b", "Kan 2007, Figures 4.1 and 4.3 (b): always-call v always-raise", run.seed + 1, 2.917, 5.52),
        ],
    )


def _long_match(run: _Run, players: Sequence[str]) -> DivatStudy:
    title = "Kan 2007, Figures 4.2 and 4.4: always-call v always-raise"
    return _coin_flips(run, [("", title, run.seed, 2.913, 5.54)])


# Sections 4.2.2 and 4.2.3: players that try to play well


def _self_play(run: _Run, players: Sequence[str]) -> DivatStudy:
    [player] = players
    match = run.played((player, player), run.seed, "hands")
    money, divat = match.money[0], match.divat(STANDARD)[0]
    findings = (
        equals("no money won", Estimate.of(money), 0.0, "0 (0.010)"),
        equals("no skill seen", Estimate.of(divat), 0.0),
        equals("DIVAT agrees with money", Estimate.of(money - divat), 0.0),
        exceeds(
            f"variance reduced by more than {LEAST_REDUCTION:g}",
            Estimate.of_reduction(money, divat),
            LEAST_REDUCTION,
            "6.34 (SD 4.691 to 1.863)",
        ),
    )
    title = f"Kan 2007, Figure 4.5: self-play of {match.folder.spec.names[0]}"
    played = Played(f"{player} v itself, seed {run.seed}", money, {"standard": divat})
    return DivatStudy.of((played,), findings, (_bankroll("kan-4.5", title, money, {"DIVAT": divat}),))


def _two_players(run: _Run, players: Sequence[str]) -> DivatStudy:
    match = run.played(players, run.seed, "hands", duplicate=True)
    money, divat = match.money, match.divat(STANDARD)
    first, second = match.folder.spec.names
    both_money, both_divat = money.mean(axis=0), divat.mean(axis=0)
    findings = (
        equals("DIVAT agrees with money, first half", Estimate.of(money[0] - divat[0]), 0.0, "0.11 v 0.10"),
        equals("DIVAT agrees with money, second half", Estimate.of(money[1] - divat[1]), 0.0, "0.11 v 0.12"),
        equals("DIVAT agrees with money, in duplicate", Estimate.of(both_money - both_divat), 0.0),
        equals("DIVAT is the same in both halves", Estimate.of(divat[0] - divat[1]), 0.0, "0.11 v 0.11"),
        exceeds(
            f"variance reduced by more than {LEAST_REDUCTION:g}",
            Estimate.of_reduction(money.ravel(), divat.ravel()),
            LEAST_REDUCTION,
            "6.05 (SD 4.750 to 1.929)",
        ),
        exceeds(
            "duplicate DIVAT varies less than duplicate money",
            Estimate.of_reduction(both_money, both_divat),
            1.0,
            "1.95 (SD 1.643 to 1.178)",
        ),
    )
    halves = [(f"{first} v {second}", 1), (f"{second} v {first}", -1)]
    # In the second half the thesis shows the player who now holds the first half's cards.
    figures = [
        _bankroll(
            f"kan-4.6{letter}",
            f"Kan 2007, Figure 4.6 ({letter}): {names}",
            sign * money[half],
            {"DIVAT": sign * divat[half]},
        )
        for half, (letter, (names, sign)) in enumerate(zip("ab", halves))
    ]
    title = f"Kan 2007, Figure 4.7: {first} v {second} in duplicate"
    figures.append(_bankroll("kan-4.7", title, both_money, {"DIVAT": both_divat}))
    matches = [
        Played(f"{first} v {second}, {half} half, seed {run.seed}", money[at], {"standard": divat[at]})
        for at, half in enumerate(("first", "second"))
    ]
    matches.append(Played(f"{first} v {second} in duplicate, seed {run.seed}", both_money, {"standard": both_divat}))
    return DivatStudy.of(matches, findings, figures)


# Section 4.3: other thresholds


def _robustness(street: str, long_figure: str, short_figure: str) -> Callable[[_Run, Sequence[str]], DivatStudy]:
    """The study of one street's thresholds."""

    def study(run: _Run, players: Sequence[str]) -> DivatStudy:
        match = run.played(players, run.seed, "hands")
        money = match.money[0]
        rows = [(f"{street}_{kind}", row) for kind, names in (("folds", FOLDS), ("bets", BETS)) for row in names]
        varied = [(what, row) for what, row in rows if row != "normal"]
        normal = match.divat(STANDARD, "assessing, normal")[0]
        lines = {"normal": normal}
        for at, (what, row) in enumerate(varied):
            title = f"setting {at + 2} of {len(varied) + 1}, {what}={row}"
            lines[f"{what}={row}"] = match.divat(parse_settings(f"standard:{what}={row}"), title)[0]
        findings, figures = [], []
        short = min(SHORT, len(money))
        for hands, figure in ((len(money), long_figure), (short, short_figure)):
            of = f"{hands:,} hands"
            for name, samples in lines.items():
                if name != "normal":
                    gap = (samples - normal)[:hands]
                    findings.append(equals(f"{name} sees the same, {of}", Estimate.of(gap), 0.0))
                    if hands == short:
                        findings.append(
                            exceeds(
                                f"{name} varies less from normal than DIVAT itself does, {of}",
                                Estimate.of_reduction(normal[:hands], gap),
                                1.0,
                                "lines coincide",
                            )
                        )
            for letter, kind, names in (("a", "folds", FOLDS), ("b", "bets", BETS)):
                shown = {row: lines["normal" if row == "normal" else f"{street}_{kind}={row}"][:hands] for row in names}
                title = f"Kan 2007, Figure {figure} ({letter}): {street} {kind}, {hands:,} hands"
                figures.append(_bankroll(f"kan-{figure}{letter}", title, money[:hands], shown))
        played = Played(f"{' v '.join(match.folder.spec.names)}, seed {run.seed}", money, lines)
        return DivatStudy.of((played,), findings, figures)

    return study


Work = Callable[[_Run, Sequence[str]], DivatStudy]
EXPERIMENTS: dict[str, tuple[Work, int, tuple[str, ...]]] = {
    "kan-4.1": (_short_matches, 100_000, ()),
    "kan-4.4": (_long_match, 400_000, ()),
    "kan-4.5": (_self_play, 400_000, ("expert",)),
    "kan-4.6": (_two_players, 400_000, ("expert", "bpm")),
    "kan-4.8": (_robustness("flop", "4.8", "4.10"), 100_000, ("expert", "bpm")),
    "kan-4.9": (_robustness("turn", "4.9", "4.11"), 100_000, ("expert", "bpm")),
}
"""By name, what to do, the thesis' number of hands, and who plays unless others are named (nobody where the experiment
is about certain players)."""


def divat_study(
    name: str,
    path: Path,
    hands: int | None = None,
    seed: int = 1,
    players: Sequence[str] = (),
    workers: int | None = None,
    bar: Bar | None = None,
) -> DivatStudy:
    """Run an experiment, or go on with it, its hands in folders in `path`; by default with the thesis' number of hands.

    The first time, an experiment with other thresholds computes a rollout before the flop for each of eight settings,
    several minutes each.
    """
    work, paper_hands, own = EXPERIMENTS[name]
    chosen = tuple(players) or own
    if len(chosen) != len(own):
        wanted = f"{len(own)} player{'s' * (len(own) > 1)}" if own else "no other players"
        raise MatchError(f"{name} takes {wanted}, not {' '.join(chosen)!r}")
    return work(_Run(hands or paper_hands, seed, path, workers, bar or (lambda _: nullcontext())), chosen)
