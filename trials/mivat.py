"""What MIVAT is worth in matches that its coefficients were not learned from.

Bots that are not known meet in duplicate, some of whom the training has never seen. Of each match it is told how many
hands of money a hand is worth: by DIVAT, by MIVAT as it ships, by coefficients of the match itself (cross-fitted), and
by those that would have been best in hindsight. The last are fitted to the hands that they judge: no measure, but the
most that any coefficients could do.
"""

from __future__ import annotations

import argparse

from railbird.assess.mivat import Values, cross_fitted, fitted, shipped_mivat
from railbird.assess.mivat_training import Lesson
from railbird.play.mivat_matches import played_lessons
from railbird.statistics import Estimate

MATCHES = (
    ("jagbot", "loki"),
    ("poki", "yoki"),
    ("bpt", "hobbybot"),
    ("expert", "sparbot"),
    ("vexbot", "jagbot"),
    ("equilibrium", "loki"),
)
WANTED = 10.0
"""Hands of money that a hand of two unknown bots in duplicate should be worth."""


def left_of(lesson: Lesson) -> dict[str, Values]:
    """By measure, what is left of money, for position 0."""
    terms, money = lesson.sample
    shipped = shipped_mivat().coefficients
    return {
        "DIVAT": lesson.pair.assessments[0].divat,
        "MIVAT": money - terms @ shipped,
        "own": cross_fitted(terms, money, lesson.pair.hands.pair_of, shipped),
        "hindsight": money - terms @ fitted([lesson.sample]),
    }


def told(lesson: Lesson, left: Values, paired: bool = False) -> Estimate:
    """How many hands of money a hand is worth of which so much is left."""
    worth = lesson.worth(left, paired)
    assert worth is not None  # all matches are in duplicate
    return worth


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials mivat", description=__doc__)
    parser.add_argument("--deals", type=int, default=1_500, help="deals of each match, each played twice")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.deals < 100:
        parser.error("fewer than 100 deals say nothing")
    reached = 0
    print(f"{'in duplicate':<22} {'DIVAT':>12} {'MIVAT':>12} {'own':>12} {'hindsight':>12} {'MIVAT alone':>12}")
    for at, match in enumerate(MATCHES):
        [lesson] = played_lessons([match], given.deals, given.seed + at)
        left = left_of(lesson)
        paired = {name: told(lesson, samples, True) for name, samples in left.items()}
        reached += paired["MIVAT"].mean + paired["MIVAT"].margin >= WANTED
        cells = [
            f"{worth.mean:6.1f} ± {worth.margin:3.1f}" for worth in (*paired.values(), told(lesson, left["MIVAT"]))
        ]
        print(f"{lesson.names:<22} {' '.join(cells)}", flush=True)
    print(f"{WANTED:.0f} is within reach of the interval in {reached} of {len(MATCHES)} matches")
    return 0
