"""railbird experiment vexbot-table and vexbot-start: crosstable of Vexbot's opponents, and learning curves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from railbird.cli.studies import Asked
    from railbird.papers.vexbot_table import Block, VexbotStudy
    from railbird.results.figures import Figure
    from railbird.statistics import Estimate

_SHORT = {
    "equilibrium": "equil.",
    "hobbybot": "hobby",
    "always-call": "a-call",
    "always-raise": "a-raise",
    "switcher": "switch",
}
_COLUMN = 9


def vexbot_table(asked: Asked) -> dict[str, Any]:
    """Play the round robin, draw each learner's curve, and say how it went."""
    from railbird.cli.show import counting_bar
    from railbird.papers.vexbot_table import vexbot_study

    study = vexbot_study(asked.folder, asked.size, asked.seed, asked.players, asked.workers, counting_bar)
    files = [
        str(path)
        for player in study.learners
        for path in _learning_figure(player, _curves(study, player)).write(asked.folder, _file_name(player))
    ]
    return {**study.to_json(), "files": files, "lines": [*_lines(study), *(f"figure: {file}" for file in files)]}


def _lines(study: VexbotStudy) -> list[str]:
    from railbird.papers.vexbot_table import paper_rate
    from railbird.statistics import Estimate
    from railbird.words import rate

    deals = next(iter(study.result.matches.values())).won.shape[1]
    lines = [
        f"{deals:,} deals a pair, each played twice: {2 * deals:,} games; small bets per hand, for the row's player"
    ]
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
    width = max((len(str(finding)) for finding in (*study.findings, *study.goals)), default=0)
    for finding in study.findings:
        lines.append(f"  {finding!s:<{width}}  {finding.measured:>15}  paper {finding.paper}: {finding.outcome}")
    lines.append(study.summary)
    if study.goals:
        lines.append("goals of vexbot2:")
    met = {"reproduced": "met", "contradicted": "missed"}
    for goal in study.goals:
        lines.append(
            f"  {goal!s:<{width}}  {goal.measured:>15}  goal {goal.paper}: {met.get(goal.outcome, goal.outcome)}"
        )
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


def first_hands(asked: Asked) -> dict[str, Any]:
    """Play the short matches, draw the learner's curve, and say how it went."""
    from railbird.cli.show import counting_bar
    from railbird.papers.vexbot_start import first_hands as study
    from railbird.words import rate

    found = study(asked.folder, asked.size, asked.seed, asked.players, asked.workers, counting_bar)
    curves = {opponent: found.curve(opponent) for opponent in found.divat}
    files = [str(path) for path in _learning_figure(found.player, curves).write(asked.folder, _file_name(found.player))]
    lines = [f"{found.player}, each match begun anew; small bets per hand by DIVAT (95%), by block of hands"]
    for opponent, curve in curves.items():
        start = 0
        for block in curve:
            hands = f"{start + 1}-{block.last_hand}"
            lines.append(f"  v {opponent:<14} {hands:>8} {rate(block.rate)}")
            start = block.last_hand
    data = found.to_json()
    for finding in found.findings:
        lines.append(f"  {finding!s}  {finding.measured}: {finding.outcome}")
    lines.append(data["verdict"])
    if found.faults:
        lines.append(f"{len(found.faults)} faults of bots, the first: {found.faults[0]}")
    lines += [f"figure: {file}" for file in files]
    return {**data, "files": files, "lines": lines}


def _file_name(player: str) -> str:
    return f"learning-{player.replace(':', '-')}"


def _curves(study: VexbotStudy, player: str) -> dict[str, tuple[Block, ...]]:
    return {opponent: study.learning_curve(player, opponent) for opponent in study.players if opponent != player}


def _learning_figure(player: str, curves: dict[str, tuple[Block, ...]]) -> Figure:
    """A learner's win rate by block of hands, a line for each opponent."""
    import numpy as np

    from railbird.results.figures import Figure, Line
    from railbird.words import rate

    lines, rows = [], []
    for opponent, blocks in curves.items():
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
        y_label="small bets per hand, by DIVAT (95%)",
        lines=lines,
        summary="Each stream of a duplicate match has a memory of its own; a block is the same hands of both streams.",
        header=("opponent", "first block (95%)", "last block (95%)"),
        rows=rows,
        legend_below=True,
    )
