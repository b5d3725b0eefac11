"""Hands of heads-up limit hold'em from any format as lines of competition logs, which are read into arrays.

Stacks do not matter to DIVAT as long as nobody is all-in: the betting is what it would have been with deeper ones.
Hands in which somebody was all-in, or paid for a missed blind, are left out and told, and count as missing: see
`railbird.formats.left_out`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError, RailbirdError
from railbird.files import PassingFolder
from railbird.formats.acpc import record_line
from railbird.formats.games import game_from_json
from railbird.formats.hand_arrays import HandArrays, Problem
from railbird.formats.hand_logs import LogSource, heads_up_limit, read_logs
from railbird.formats.left_out import MISSING, LeftOut
from railbird.formats.log_file import rules_in_small_bets
from railbird.formats.log_pieces import are_long, read_pieces
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.progress import Watch

_SEPARATORS = str.maketrans({":": "\N{MODIFIER LETTER COLON}", "|": "\N{DIVIDES}", "#": "\N{FULLWIDTH NUMBER SIGN}"})
"""What stands for the signs that no name in a line can have; each is a different one, so that names stay different."""


def limit_game(game: Game) -> Game | None:
    """The rules of heads-up limit hold'em as DIVAT knows them, whatever the stacks; none of other games."""
    try:
        return heads_up_limit(replace(game, stacks=None, dead=None, name="limit"), "the game")
    except InvalidGameError:
        return None


def limit_rules(rules: Mapping[str, Any]) -> Game | None:
    """The same of the rules of a game as a store tells them, without stacks."""
    try:
        return limit_game(game_from_json({**rules, "stacks": None}))
    except (ValueError, TypeError):
        return None


def all_in_words(record: HandRecord) -> str:
    """Why a hand of heads-up limit hold'em is not one with deep stacks; empty where it is."""
    game = record.game
    if any(game.dead or ()):
        return "a missed blind was paid"
    if game.stacks is not None:
        final = record.final()
        if any(paid >= stack for paid, stack in zip(final.committed, game.stacks)):
            return "a player was all-in"
    return ""


class LimitLines:
    """Hands of heads-up limit hold'em, kept in files: one for each size of the bets."""

    def __init__(self, named: Sequence[str]) -> None:
        self.hands = 0
        self._named = tuple(named)
        """The sources of the hands."""
        self._left_out: list[Problem] = []
        self._missing: list[tuple[float, float]] = []
        self._kept = PassingFolder()
        self._files: dict[tuple[int, Game], IO[str]] = {}
        self._names: dict[str, str] = {}

    def add(self, record: HandRecord, source: int = 0) -> bool:
        """Take a hand of one of the sources, if it is one of this game; whether it is."""
        game = limit_game(record.game)
        if game is None:
            return False
        self.hands += 1
        if why := all_in_words(record):
            self._leave_out(record, source, why)
            return True
        if (source, game) not in self._files:
            path = self._kept.path / f"{len(self._files):03}.log"
            self._files[source, game] = path.open("w", encoding="utf-8", newline="")
        told = tuple([name.translate(_SEPARATORS) for name in record.names])
        self._names.update(zip(told, record.names))
        self._files[source, game].write(record_line(replace(record, names=told)) + "\n")
        return True

    def _leave_out(self, record: HandRecord, source: int, why: str) -> None:
        bet, paid = record.game.small_bet, min(record.final().committed)
        self._left_out.append(Problem(self._named[source], 0, "all-in", f"hand {record.number}: {why}", True))
        self._missing.append((paid / bet, record.payoffs[0] / bet))

    def count_problem(self, problem: Problem) -> None:
        """Count a hand of the source that could not be read."""
        self._left_out.append(problem)

    @property
    def rules(self) -> list[list[Game]]:
        """The games, those together that differ only in the size of the bets."""
        found: dict[tuple[object, ...], list[Game]] = {}
        for game in dict.fromkeys(game for _, game in self._files):
            found.setdefault(rules_in_small_bets(game), []).append(game)
        return list(found.values())

    def is_long(self, games: Iterable[Game]) -> bool:
        """Whether the hands of some games are too many for memory."""
        return are_long(self._sources(games)[1])

    def arrays(self, games: Iterable[Game]) -> HandArrays:
        """The hands of some games as arrays."""
        places, sources = self._sources(games)
        try:
            return self._told(read_logs(sources), places, self._missing_hands())
        except RailbirdError as error:  # which names our files
            said = str(error)
            for place, source in zip(places.tolist(), sources):
                said = said.replace(str(source.path), self._named[place])
            raise type(error)(said) from None

    def pieces(self, games: Iterable[Game], watch: Watch | None = None) -> Iterator[HandArrays]:
        """The same piece by piece."""
        missing = self._missing_hands()
        places, sources = self._sources(games)
        for piece in read_pieces(sources, watch):
            yield self._told(piece, places, missing)
            missing = LeftOut()

    def _sources(self, games: Iterable[Game]) -> tuple[NDArray[np.int32], list[LogSource]]:
        """The files of some games, and which of the sources each is of."""
        wanted, places, found = set(games), list[int](), list[LogSource]()
        for (source, game), file in sorted(self._files.items(), key=lambda each: each[0][0]):
            file.flush()
            if game in wanted:
                places.append(source)
                found.append(LogSource(Path(file.name), game, is_history=True))
        return np.array(places, np.int32), found

    def _missing_hands(self) -> LeftOut:
        """The hands that are left out, of all games; those of other tables are not missing."""
        found, kinds = LeftOut(), dict[str, int]()
        for problem in self._left_out:
            kinds[problem.kind] = kinds.get(problem.kind, 0) + (problem.kind in MISSING)
        first = next((str(problem) for problem in self._left_out if problem.kind in MISSING), "")
        found.add_problems({kind: count for kind, count in kinds.items() if count}, first)
        found.add(np.zeros((0, 2)), np.array(self._missing).reshape(-1, 2))
        return found

    def _told(self, hands: HandArrays, places: NDArray[np.int32], missing: LeftOut) -> HandArrays:
        """Hands under the names of players and files that they came with."""
        hands.left_out.join(missing)
        kept = (each for each in hands.problems if each.kind != "repeated-number")  # of several logs in one
        sources = {file: self._named[place] for file, place in zip(hands.files, places)}
        problems = [replace(each, file=sources[each.file], line=0) for each in kept]
        if missing.missing:
            problems += self._left_out
        names = tuple(self._names.get(name, name) for name in hands.names)
        return replace(
            hands,
            names=names,
            files=self._named,
            file=places[hands.file],
            line=np.zeros(len(hands), np.int32),
            problems=tuple(problems),
        )
