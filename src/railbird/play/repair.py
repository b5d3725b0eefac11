"""Mending the logs of matches: damaged blocks are played again, which gives the same bytes, or set aside.

What is played again is held against the checksums in the index before it takes the place of anything. Where the bots
are not to be had as they were, a log is cut before its first damaged block, and kept as it was under another name. Of a
log that no match folder tells more about, the lines that cannot be believed are moved to a file beside it. Files are
written whole or not at all, and what is moved away is written first.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from railbird.errors import MatchError, RailbirdError
from railbird.files import locked, open_whole, write_whole
from railbird.formats import acpc
from railbird.play.damage import Damage
from railbird.play.folder import MatchFolder, is_match
from railbird.play.manifest import is_of, manifest_of, read_manifest, refuse_others
from railbird.play.match import MatchSpec
from railbird.play.match_logs import OpenedLogs, has_lines, matches_in, open_logs
from railbird.play.match_run import BlocksAgain
from railbird.play.run import play_runs
from railbird.play.set_aside import first_fit
from railbird.progress import Watch
from railbird.results.parts import Heading, Line, Part
from railbird.results.result import Result
from railbird.words import count_of

_PIECE = 1 << 24
DAMAGED = ".damaged"
"""What the name of a file ends with to which something was moved."""


class Mended(NamedTuple):
    """What was done about one log."""

    log: Path
    done: str
    hands: int
    """How many were played again, or set aside."""


@dataclass(frozen=True, repr=False)
class RepairReport(Result):
    """What was wrong with logs, and what was done about it."""

    path: Path
    logs: int
    """How many were looked at."""
    mended: tuple[Mended, ...] = ()

    def parts(self) -> list[Part]:
        facts = (count_of(self.logs, "log"), f"{len(self.mended)} mended" if self.mended else "nothing is damaged")
        return [Heading(f"repair of {self.path}", facts), *(Line(f"{each.log}: {each.done}") for each in self.mended)]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each log that was mended."""
        return [{"log": str(each.log), "done": each.done, "hands": each.hands} for each in self.mended]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.repair/1."""
        return {"schema": "railbird.repair/1", "path": str(self.path), "logs": self.logs, "mended": self.rows()}


def repair(path: Path, game: str | None = None, watch: Watch | None = None) -> RepairReport:
    """Mend the logs of a match folder (or all that are in a folder), or one log.

    `game` is that of a log that does not tell it. `watch` is told hands played again, and all that are to be.
    """
    mended: list[Mended] = []
    logs = 0
    for each in matches_in([path]):
        folder = each.parent if is_match(each.parent) else each
        if is_match(folder):
            with locked(folder):
                found = _mended_folder(MatchFolder.open(folder), watch)
                _write_ends(MatchFolder.open(folder), {each.log for each in found})
            logs += MatchFolder.open(folder).spec.seating.legs
        else:
            found, logs = _mended_log(open_logs(each, game)), logs + 1
        mended += found
    return RepairReport(path, logs, tuple(mended))


def _mended_folder(folder: MatchFolder, watch: Watch | None) -> list[Mended]:
    found: list[Mended] = [mended for leg in range(folder.spec.seating.legs) for mended in _mended_header(folder, leg)]
    while damages := folder.verify():
        try:
            spec = _playable(folder)
        except RailbirdError as error:
            return found + _cut(folder, damages, f"its bots are not to be had as they were ({error})")
        hands = [damage for damage in damages if damage.last > damage.first]
        if spec.learns:  # what a bot has learned comes from the hands before, which must be right first
            hands = [next(each for each in hands if each.log == log) for log in dict.fromkeys(d.log for d in hands)]
        found += _played_again(folder, spec, hands, watch) if hands else _summed_again(damages)
    return found


def _write_ends(folder: MatchFolder, mended: Container[Path]) -> None:
    """Write the index of every log, and the sum at the end of those that were mended."""
    for leg in range(folder.spec.seating.legs):
        log = folder.log(leg)
        if log.path in mended:
            log.open()
        elif not log.verify():
            log.write_index()


def _playable(folder: MatchFolder) -> MatchSpec:
    """The match with its bots; refuses where they are not to be had, or not as they were."""
    begun = read_manifest(folder.path)
    try:
        spec = replace(folder.spec, named=folder.spec.names)
        asked = manifest_of(spec)
    except OSError as error:
        raise MatchError(f"{error.filename!r}: {error.strerror}") from None
    refuse_others(begun, asked, folder.path)
    if not is_of(folder.path, asked):
        raise MatchError("a bot has changed since")
    return spec


def _played_again(folder: MatchFolder, spec: MatchSpec, damages: Sequence[Damage], watch: Watch | None) -> list[Mended]:
    """Play damaged blocks of some legs again and put them into the logs."""
    legs = {folder.log_path(leg): leg for leg in range(spec.seating.legs)}
    wanted = [(legs[damage.log], damage.first, damage.last) for damage in damages]
    again = BlocksAgain.of(MatchFolder(folder.path, spec, folder.hands), wanted)
    play_runs([again], watch=watch)
    found: list[Mended] = []
    for path in dict.fromkeys(damage.log for damage in damages):
        here = [damage for damage in damages if damage.log == path]
        texts = [again.text(legs[path], damage.first, damage.last) for damage in here]
        log = folder.log(legs[path])
        log.verify()
        if wrong := [damage for damage, text in zip(here, texts) if not log.has_written(damage, text)]:
            return found + _cut(folder, wrong, "the bots do not play these hands as they did")
        _replace(path, here, texts)
        hands = sum(damage.last - damage.first for damage in here)
        spans = ", ".join(_hands_of(damage) for damage in here)
        found.append(Mended(path, f"{spans} played again", hands))
    return found


def _summed_again(damages: Sequence[Damage]) -> list[Mended]:
    """Write what follows the last hand anew: the sum, if all hands are there."""
    found = []
    for damage in damages:
        _replace(damage.log, [damage], [b""])
        found.append(Mended(damage.log, "the sum at the end is written again", 0))
    return found


def _mended_header(folder: MatchFolder, leg: int) -> list[Mended]:
    """Write the beginning of a log again, if it is not that of the match."""
    log, path = folder.log(leg), folder.log_path(leg)
    try:
        log.verify()
    except MatchError:
        with path.open("rb") as file:
            data = b"\n" + file.read(_PIECE)
        starts = [data.find(mark) for mark in (b"\nSTATE:0:", b"\n# hand 0:")]
        begin = min((start for start in starts if start >= 0), default=-1)
        if begin < 0:
            raise
        gone = Damage(path, 0, 0, 1, 2, 0, begin)
        _replace(path, [gone], [log.header(folder.hands)])
        return [Mended(path, "its beginning is written again", 0)]
    return []


def _replace(path: Path, damages: Sequence[Damage], texts: Sequence[bytes]) -> None:
    """Write a log anew, with other bytes where it is damaged."""
    with open_whole(path) as new, path.open("rb") as old:
        for damage, text in sorted(zip(damages, texts), key=lambda each: each[0].start):
            while (left := damage.start - old.tell()) > 0:
                new.write(old.read(min(left, _PIECE)))
            new.write(text)
            old.seek(damage.stop)
        while more := old.read(_PIECE):
            new.write(more)


def _cut(folder: MatchFolder, damages: Sequence[Damage], why: str) -> list[Mended]:
    """Keep logs as they were under another name, and cut them before what is damaged."""
    found = []
    for path in dict.fromkeys(damage.log for damage in damages):
        first = min((damage for damage in damages if damage.log == path), key=lambda damage: damage.start)
        kept = _copied(path)
        with path.open("rb") as old:
            size = old.seek(0, 2)
        _replace(path, [first._replace(stop=size)], [b""])
        said = f"cut before hand {first.first:,}, since {why}; as it was it is kept as {kept.name}"
        found.append(Mended(path, said, folder.hands - first.first))
    return found


def _copied(path: Path) -> Path:
    """A copy of a log under a name that is free."""
    kept = first_fit(path.with_name(path.name + DAMAGED), lambda each: not each.exists())
    with open_whole(kept) as new, path.open("rb") as old:
        while more := old.read(_PIECE):
            new.write(more)
    return kept


def _mended_log(logs: OpenedLogs) -> list[Mended]:
    """Move the lines of a log that cannot be believed to a file beside it."""
    [source] = logs.sources
    if not has_lines(source.path):
        raise MatchError(
            f"{str(source.path)!r} is no competition log, or packed; broken hands of other files are set aside by "
            "railbird convert"
        )
    lines = source.path.read_bytes().splitlines(keepends=True)
    if logs.is_heads_up_limit:
        hands = logs.arrays()
        if hands.left_out.fitting:  # nothing is wrong with them but the game that was given
            hands.refuse_unfair()
        wrong = [problem.line for problem in hands.problems if problem.skipped]
    else:
        wrong = []
        for at, line in enumerate(lines, 1):
            text = line.decode(errors="replace").strip().removeprefix("\ufeff")
            if acpc.is_hand(text) and not _is_good(text, source.game):
                wrong.append(at)
    count = len([line for line in wrong if line])
    if not count:
        return []
    gone = {*wrong, *(at for at, line in enumerate(lines, 1) if line.startswith(b"SCORE"))}
    kept = first_fit(source.path.with_name(source.path.name + DAMAGED), lambda each: not each.exists())
    write_whole(kept, b"".join(line for at, line in enumerate(lines, 1) if at in gone))
    write_whole(source.path, b"".join(line for at, line in enumerate(lines, 1) if at not in gone))
    return [Mended(source.path, f"{count_of(count, 'hand')} set aside in {kept.name}", count)]


def _is_good(text: str, game: Any) -> bool:
    try:
        acpc.parse_record(text, game).check(may_be_raked=True)
    except RailbirdError:
        return False
    return True


def _hands_of(damage: Damage) -> str:
    last = damage.last - 1
    return f"hands {damage.first:,} to {last:,}" if last > damage.first else f"hand {last:,}"
