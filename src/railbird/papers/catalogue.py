"""All studies by name, in the order in which `railbird experiment` lists them, and the function that runs one.

To add a study, describe it in the file of its paper and name it here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from railbird.errors import MatchError, did_you_mean
from railbird.files import PassingFolder
from railbird.papers import billings_1998, billings_2004, kan_2007, papp_1998, piel_2006
from railbird.papers.study import Asked, Study, StudyResult
from railbird.progress import Bar, bar_for
from railbird.stopping import keeping
from railbird.workforce import Workforce

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        *papp_1998.FIGURES,
        billings_1998.FIGURE_1,
        *papp_1998.BY_FIELD,
        billings_1998.LOOSE,
        *papp_1998.OURS,
        papp_1998.POT_ODDS,
        papp_1998.STRENGTH,
        papp_1998.RANKING,
        piel_2006.FIGURES,
        piel_2006.MONEY,
        *kan_2007.STUDIES,
        *billings_2004.STUDIES,
    )
}


def named_study(name: str) -> Study:
    """The study of that name.

    >>> named_study("kan-4.5").title
    'Kan 2007, Figure 4.5: DIVAT of a player against itself'
    """
    if name not in STUDIES:
        raise MatchError(f"no experiment {name!r}{did_you_mean(name, STUDIES)} (all: {', '.join(STUDIES)})")
    return STUDIES[name]


def run_study(
    name: str,
    size: int | None = None,
    seed: int = 1,
    players: Sequence[str] = (),
    folder: str | Path | None = None,
    workers: Workforce = None,
    progress: bool | Bar = True,
) -> StudyResult:
    """Run a study of a paper: numbers with intervals, the paper's figures, and whether its claims were reproduced.

    `size` counts the study's unit: deals, hands, positions or matches; by default as many as the paper had, or enough.
    Some studies take other `players` than their own. The hands go to `folder`, where a study that was interrupted is
    gone on with; without one they are not kept. `workers` are so many processes, or a cluster (`asked_workforce`). Bars
    show how far it is, unless `progress` is False.

    >>> run_study("papp-8.2", size=1).verdict
    'not settled (2 not settled)'
    """
    study = named_study(name)
    if folder is None:
        kept = PassingFolder()
        with keeping("nothing is kept, since no folder was named"):
            return replace(run_study(name, size, seed, players, kept.path, workers, progress), kept=kept)
    wanted = study.size if size is None else size
    if wanted < 1:
        raise MatchError(f"{name} with {wanted} {study.unit}; it needs at least 1")
    return study.run(Asked(wanted, seed, Path(folder), tuple(players), workers, bar_for(progress)))
