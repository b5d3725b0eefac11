"""The papers' studies that are not ring games: parts of railbird experiment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Study = Callable[[int, int, Path], dict[str, Any]]
"""Runs a study of that size and seed, writes its figures to the folder, prints nothing and returns its JSON; the key
"lines" holds what to show."""


def strength_study(size: int, seed: int, folder: Path) -> dict[str, Any]:
    from railbird.arena import studies
    from railbird.cli.show import counting_bar

    with counting_bar("positions") as watch:
        errors = studies.strength_study(min(size, 1_000), seed, progress=watch)
    return {"results": [error.to_json() for error in errors], "lines": [str(error) for error in errors]}


def piel_study(size: int, seed: int, folder: Path) -> dict[str, Any]:
    import numpy as np

    from railbird.arena.yoki_study import yoki_study
    from railbird.cli.show import counting_bar
    from railbird.report.figures import Figure, Line

    with counting_bar("hands") as watch:
        study = yoki_study(min(size, 1_000), seed, watch=watch)
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
    files = [str(path) for figure, name in ((weights, "piel-5.1"), (money, "piel-5.2"))
             for path in figure.write(folder, name)]  # fmt: skip
    gains = {name: study.learning_curve(name) for name in study.accuracy if name != "no model"}
    lines = [f"{name:<14} {won:+8.1f} small bets over {len(hands):,} hands"
             for name, won in zip(study.players, study.money[-1])]  # fmt: skip
    lines.append("bits won on no model at showdowns, by fifths of the hands:")
    for name, curve in gains.items():
        lines.append(f"  {name}: " + ", ".join(f"{mean:+.2f} ± {margin:.2f}" for mean, margin in curve))
    return {"players": list(study.players), "won": study.money[-1].tolist(), "bits_gained": gains, "files": files,
            "lines": [*lines, *(f"figure: {file}" for file in files)]}  # fmt: skip


STUDIES: dict[str, tuple[str, Study]] = {
    "papp-5.2.1": ("Papp 1998, section 5.2.1: errors of two estimates of strength against several", strength_study),
    "piel-5": ("Piël 2006, Figures 5.1 and 5.2: what Yoki learns, and the money of the styles", piel_study),
}
