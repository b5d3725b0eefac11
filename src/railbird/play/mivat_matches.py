"""The matches that MIVAT's coefficients are learned from: those that ship were played for it, or any logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from railbird.assess.mivat_training import Lesson, MivatTraining, lesson_of
from railbird.assess.summary import assess_pairs
from railbird.play.match_logs import read_hand_arrays
from railbird.play.matches import play_match
from railbird.progress import Bar, no_bar

TRAINING = (
    ("jagbot", "loki"),
    ("yoki", "jagbot"),
    ("sparbot", "yoki"),
    ("equilibrium", "jagbot"),
    ("poki", "bpm"),
    ("loki", "yoki"),
    ("divat-baseline", "loki"),
    ("sparbot", "equilibrium"),
)
DEALS, SEED = 1_500, 2009
"""Of each match, all in duplicate; seeds count up."""
Couple = tuple[str, str]


def train_mivat(logs: Sequence[Path] = (), bar: Bar = no_bar) -> MivatTraining:
    """Learn from logs and match folders, each a match; by default from those that the coefficients that ship are
    from, which are played anew."""
    if not logs:
        return MivatTraining(tuple(played_lessons(TRAINING, DEALS, SEED, bar)))
    lessons = []
    for path in logs:
        with bar(str(path)) as watch:
            pairs = assess_pairs(read_hand_arrays([path]), watch=watch)
        lessons += [lesson_of(pair, log=path.name) for pair in pairs]
    return MivatTraining(tuple(lessons))


def played_lessons(matches: Sequence[Couple], deals: int, seed: int, bar: Bar = no_bar) -> list[Lesson]:
    """Matches in duplicate, played and assessed."""
    lessons = []
    for at, (first, second) in enumerate(matches):
        with TemporaryDirectory() as folder, bar(f"{first} v {second}", "hands") as watch:
            path, shown = Path(folder) / "match", watch or False
            play_match(first, second, hands=deals, duplicate=True, seed=seed + at, folder=path, progress=shown)
            [pair] = assess_pairs(read_hand_arrays([path]))
        lessons.append(lesson_of(pair, deals=deals, seed=seed + at))
    return lessons
