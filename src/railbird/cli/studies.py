"""The papers' studies that are not ring games: parts of railbird experiment."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from railbird.papers.kan import DivatFigure, DivatStudy
    from railbird.results.figures import Figure


@dataclass(frozen=True)
class Asked:
    """What the user asked of a study."""

    size: int | None
    """How many hands or positions; `None` for as many as the paper had."""
    seed: int
    folder: Path
    """Where the study's files go."""
    players: tuple[str, ...] = ()
    """Other players than the study's own."""
    workers: int | None = None


Study = Callable[[Asked], dict[str, Any]]
"""Runs a study, writes its figures to the folder, prints nothing and returns its JSON; the key "lines" holds what to
show."""


def strength_study(asked: Asked) -> dict[str, Any]:
    from railbird.cli.show import counting_bar
    from railbird.papers import papp_strength as studies

    with counting_bar("positions") as watch:
        errors = studies.strength_study(min(asked.size or 1_000, 1_000), asked.seed, progress=watch)
    return {"results": [error.to_json() for error in errors], "lines": [str(error) for error in errors]}


def piel_study(asked: Asked) -> dict[str, Any]:
    import numpy as np

    from railbird.cli.show import counting_bar
    from railbird.papers.piel import yoki_study
    from railbird.results.figures import Figure, Line

    with counting_bar("hands") as watch:
        study = yoki_study(min(asked.size or 1_000, 1_000), asked.seed, watch=watch)
    hands = np.arange(1, len(study.money) + 1, dtype=float)
    entries = np.arange(364, dtype=float)
    money = Figure(
        "Piël 2006, Figure 5.2: money of the styles",
        "hands played",
        "small bets won",
        [Line(name, hands, study.money[:, column]) for column, name in enumerate(study.players)],
        "paper: LOOSE clearly best. It depends on thresholds that the paper does not print; see docs/papers/yoki.md",
        ("", "small bets won"),
        [(name, f"{won:+.1f}") for name, won in zip(study.players, study.money[-1])],
    )
    weights = Figure(
        "Piël 2006, Figure 5.1: weights of a raise by style",
        "holdings, the worst first (364 entries)",
        "weight",
        [Line(style.name, entries, style.weights["raise"]) for style in study.styles],
        "paper: the tighter a player, the stronger the holdings that a raise speaks for",
        ("", "folds", "calls", "raises"),
        [(style.name, *(f"{share:.0%}" for share in style.proportion)) for style in study.styles],
    )
    files = [
        str(path)
        for figure, name in ((weights, "piel-5.1"), (money, "piel-5.2"))
        for path in figure.write(asked.folder, name)
    ]
    gains = {name: study.learning_curve(name) for name in study.accuracy if name != "no model"}
    lines = [
        f"{name:<14} {won:+8.1f} small bets over {len(hands):,} hands"
        for name, won in zip(study.players, study.money[-1])
    ]
    lines.append("bits won on no model at showdowns, by fifths of the hands:")
    for name, curve in gains.items():
        lines.append(f"  {name}: " + ", ".join(f"{mean:+.2f} ± {margin:.2f}" for mean, margin in curve))
    return {
        "players": list(study.players),
        "won": study.money[-1].tolist(),
        "bits_gained": gains,
        "files": files,
        "lines": [*lines, *(f"figure: {file}" for file in files)],
    }


def kan_study(name: str, asked: Asked) -> dict[str, Any]:
    """An experiment of Kan's chapter 4."""
    from railbird.cli.show import counting_bar
    from railbird.papers.kan import divat_study

    if name in ("kan-4.8", "kan-4.9"):
        print(
            "8 settings need a rollout before the flop each; those not in the cache take minutes, an hour in all ...",
            file=sys.stderr,
        )
    study = divat_study(name, asked.folder, asked.size, asked.seed, asked.players, asked.workers, counting_bar)
    files = [
        str(path) for figure in study.figures for path in _divat_figure(figure, study).write(asked.folder, figure.name)
    ]
    return {**study.to_json(), "files": files, "lines": [*_divat_lines(study), *(f"figure: {file}" for file in files)]}


def _divat_lines(study: DivatStudy) -> list[str]:
    from railbird.statistics import Estimate
    from railbird.words import rate

    lines = []
    for match in study.matches:
        money = Estimate.of(match.money)
        lines += [f"{match.name}, {money.count:,} hands", f"  money  {rate(money)} sb/hand  SD {money.sd:.3f}"]
        for setting, samples in match.divat.items():
            skill = Estimate.of(samples)
            fewer = Estimate.of_reduction(match.money, samples).mean
            lines.append(f"  DIVAT  {rate(skill)} sb/hand  SD {skill.sd:.3f}  {fewer:.2f}x fewer hands  ({setting})")
    width = max(len(str(finding)) for finding in study.findings)
    for finding in study.findings:
        lines.append(f"  {finding!s:<{width}}  {finding.measured:>15}  paper {finding.paper}: {finding.outcome}")
    return [*lines, study.summary]


def _divat_figure(figure: DivatFigure, study: DivatStudy) -> Figure:
    from railbird.results.figures import Figure, Line

    return Figure(
        figure.title,
        "hands played",
        "small bets won by the first player",
        [Line(curve.name, curve.hands, curve.total, curve.spread) for curve in figure.curves],
        study.summary,
        ("claim", "measured (95%)", "paper", "outcome"),
        [(str(finding), finding.measured, finding.paper, finding.outcome) for finding in study.findings],
        legend_below=True,
    )


def vexbot_table(asked: Asked) -> dict[str, Any]:
    """Table 4.2 of Billings et al. 2004."""
    from railbird.cli.vexbot_lines import vexbot_table as study

    return study(asked)


def vexbot_start(asked: Asked) -> dict[str, Any]:
    """The first hands against new opponents."""
    from railbird.cli.vexbot_lines import first_hands

    return first_hands(asked)


_KAN = {
    "kan-4.1": "Figures 4.1 and 4.3: DIVAT of two matches of always-call and always-raise",
    "kan-4.4": "Figures 4.2 and 4.4: DIVAT of a longer match of always-call and always-raise",
    "kan-4.5": "Figure 4.5: DIVAT of a player against itself",
    "kan-4.6": "Figures 4.6 and 4.7: DIVAT of two players in duplicate",
    "kan-4.8": "Figures 4.8 and 4.10: DIVAT with other thresholds on the flop",
    "kan-4.9": "Figures 4.9 and 4.11: DIVAT with other thresholds on the turn",
}
STUDIES: dict[str, tuple[str, Study]] = {
    "papp-5.2.1": ("Papp 1998, section 5.2.1: errors of two estimates of strength against several", strength_study),
    "piel-5": ("Piël 2006, Figures 5.1 and 5.2: what Yoki learns, and the money of the styles", piel_study),
    **{name: (f"Kan 2007, {title}", partial(kan_study, name)) for name, title in _KAN.items()},
    "vexbot-table": ("Billings et al. 2004, Table 4.2: Vexbot and its opponents, a round robin", vexbot_table),
    "vexbot-start": ("Billings et al. 2004, section 4.7: the first 400 hands against new opponents", vexbot_start),
}
