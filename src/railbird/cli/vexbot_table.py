"""railbird experiment vexbot-table: the crosstable of Vexbot's opponents, beside the paper's, and learning curves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from railbird.arena.vexbot_study import VexbotStudy
    from railbird.cli.studies import Asked
    from railbird.report.figures import Figure
    from railbird.statistics import Estimate

_SHORT = {"equilibrium": "equil.", "hobbybot": "hobby", "always-call": "a-call", "always-raise": "a-raise"}
_COLUMN = 9


def vexbot_table(asked: Asked) -> dict[str, Any]:
    """Play the round robin, draw each learner's curve, and say how it went."""
    from railbird.arena.vexbot_study import vexbot_study
    from railbird.cli.show import counting_bar

    study = vexbot_study(asked.folder, asked.size, asked.seed, asked.players, asked.workers, counting_bar)
    files = [
        str(path)
        for player in study.learners
        for path in _learning_figure(study, player).write(asked.folder, f"learning-{player.replace(':', '-')}")
    ]
    return {**study.to_json(), "files": files, "lines": [*_lines(study), *(f"figure: {file}" for file in files)]}


def _lines(study: VexbotStudy) -> list[str]:
    from railbird.arena.vexbot_study import PROGRAMS, paper_rate
    from railbird.cli.show import rate
    from railbird.statistics import Estimate

    deals = next(iter(study.result.matches.values())).won.shape[1]
    lines = [
        f"{deals:,} deals a pair, each played twice: {2 * deals:,} games; small bets per hand, for the row's player"
    ]
    lines += [f"not in this version of Railbird: {name} (for {PROGRAMS[name]})" for name in study.missing]
    lines += _crosstable("money", study, lambda a, b: study.money(a, b).mean)
    lines += _crosstable("DIVAT", study, lambda a, b: float(study.samples(a, b).mean()))
    lines += _crosstable("paper", study, paper_rate)
    lines.append("each pair, with 95% intervals:")
    for player, opponent in combinations(study.players, 2):
        skill, printed = Estimate.of(study.samples(player, opponent)), paper_rate(player, opponent)
        lines.append(
            f"  {f'{player} v {opponent}':<28} money {rate(study.money(player, opponent))}  DIVAT {rate(skill)}"
            + ("" if printed is None else f"  paper {printed:+.3f}")
        )
    if study.shares:
        lines.append("share of what the exact best response wins, by DIVAT (and over the second half):")
    for player, opponent in study.shares:
        share, later = (study.best_response_share(player, opponent, since) for since in (0.0, 0.5))
        lines.append(f"  {f'{player} v {opponent}':<28} {_percent(share)}  ({_percent(later)})")
    width = max((len(str(finding)) for finding in study.findings), default=0)
    for finding in study.findings:
        lines.append(f"  {finding!s:<{width}}  {finding.ours!s:>15}  paper {finding.paper}: {finding.outcome}")
    lines.append(study.summary)
    if study.result.faults:
        lines.append(f"{len(study.result.faults)} faults of bots, the first: {study.result.faults[0]}")
    return lines


def _percent(share: Estimate) -> str:
    return f"{share.mean:.1%} ± {share.margin:.1%}"


def _crosstable(title: str, study: VexbotStudy, of: Callable[[str, str], float | None]) -> list[str]:
    """Win rates without intervals, row against column; pairs that `of` does not know stay empty."""
    lines = [f"{title:<14}" + "".join(f"{_SHORT.get(name, name)[: _COLUMN - 1]:>{_COLUMN}}" for name in study.players)]
    for player in study.players:
        found = [None if opponent == player else of(player, opponent) for opponent in study.players]
        cells = [f"{'' if value is None else f'{value:+.3f}':>{_COLUMN}}" for value in found]
        lines.append(f"  {player[:12]:<12}" + "".join(cells))
    return lines


def _learning_figure(study: VexbotStudy, player: str) -> Figure:
    """A learner's win rate by block of hands, a line for each opponent."""
    import numpy as np

    from railbird.cli.show import rate
    from railbird.report.figures import Figure, Line

    lines, rows = [], []
    for opponent in study.players:
        if opponent != player:
            blocks = study.learning_curve(player, opponent)
            lines.append(
                Line(
                    opponent,
                    np.array([float(block.last_hand) for block in blocks]),
                    np.array([block.rate.mean for block in blocks]),
                    np.array([block.rate.margin for block in blocks]),
                )
            )
            rows.append((opponent, rate(blocks[0].rate), rate(blocks[-1].rate)))
    return Figure(
        title=f"{player}: win rate by block of hands (after Billings et al. 2004, section 4.7)",
        x_label="hands played against the opponent, at the block's end",
        y_label="small bets per hand in the block, by DIVAT (95%)",
        lines=lines,
        summary="Each stream of a duplicate match has a memory of its own; a block is the same hands of both streams.",
        header=("opponent", "first block (95%)", "last block (95%)"),
        rows=rows,
        legend_below=True,
    )
