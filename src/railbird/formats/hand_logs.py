"""Whole logs of heads-up limit hold'em: files in, checked arrays out.

    hands = read_logs([LogSource(Path("2p.limit.log"))])
    hands.payoffs[:, 0] / hands.small_bet        what position 0 won, in small bets
    hands.problem_counts                         what was wrong with the logs

Nothing gets into the arrays that breaks the rules, and nothing is left out without a word: see `HandArrays.problems`.
Files and match folders by their names are read by `railbird.play.match_logs.read_hand_arrays`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidGameError, InvalidRecordError, MatchError
from railbird.formats.duplicate_pairs import duplicate_pairs
from railbird.formats.hand_arrays import PROBLEM_KINDS, UNKNOWN, HandArrays, Problem
from railbird.formats.left_out import LeftOut
from railbird.formats.log_file import FileHands, LogFile, rules_in_small_bets
from railbird.game.spec import Game, Structure
from railbird.kernels.play.log_lines import HAND

_LEAST_WIDTH = 6
_NO_HANDS = {"empty-file", "binary-file", "unreadable"}
"""Problems of files, whatever game one looks for."""


@dataclass(frozen=True)
class LogSource:
    """One log file, and what is known of it."""

    path: Path
    game: Game | None = None
    """The game as far as anybody has said; `None` where it must be told from the hands."""
    match: int = 0
    """Logs with the same number belong to one match."""
    data: bytes | None = None
    """What the file holds, or a part of it, where it was read already or is none at all."""
    first_line: int = 1
    """The number of the first line of the data."""
    is_history: bool = False
    """Whether the lines were made from a history that tells its rake, so that one hand alone may be raked."""


def read_logs(sources: Sequence[LogSource], watch: Callable[[int, int], None] | None = None) -> HandArrays:
    """The hands of logs, checked against the rules.

    Where nobody has said the game, it is limit hold'em with reverse blinds and at most four bets a street, whose bets
    are told from the payoffs. `watch` is told bytes read and bytes in all.

    Refuses files that are not there, games other than heads-up limit hold'em, logs that do not say clearly what the
    bets are, logs of different rules together, and logs without a single good hand.
    """
    sources = [
        replace(source, game=heads_up_limit(source.game, f"the game of {source.path}")) if source.game else source
        for source in sources
    ]
    sizes = [_size(source.path) if source.data is None else len(source.data) for source in sources]
    total, done = sum(sizes), 0
    parts: list[tuple[int, Game, FileHands]] = []
    problems: list[Problem] = []
    left_out = LeftOut()
    read: dict[bytes, str] = {}
    for at, (source, size) in enumerate(zip(sources, sizes)):
        data, path = _bytes(source.path) if source.data is None else source.data, str(source.path)
        digest = hashlib.blake2b(data).digest()
        if data and digest in read and source.data is None:
            problems.append(Problem(path, 0, "repeated-file", f"the same bytes as {read[digest]}", True))
        else:
            read[digest] = path
            log = LogFile(path, data, source.game, source.first_line, is_history=source.is_history)
            hands = log.read(lambda inside, done=done: watch and watch(done + inside, total))  # type: ignore[misc]
            problems += log.problems
            left_out.join(log.left_out)
            if hands is not None and log.game is not None and (hands.verdicts == HAND).any():
                parts.append((at, log.game, hands))
        done += size
        if watch is not None:
            watch(done, total)
    if not parts:
        if left_out.fitting:
            left_out.refuse(_named(sources))
        raise InvalidRecordError(_nothing_read(sources, problems))
    _refuse_mixed_rules(sources, parts)
    return replace(_without_repeats(_joined(sources, parts, problems)), left_out=left_out)


def heads_up_limit(game: Game, whose: str) -> Game:
    """The game if it is one that can be assessed, without stacks that are too deep to matter; refuses any other."""
    if game.structure is not Structure.FIXED_LIMIT or not game.is_holdem or game.seats != 2:
        raise InvalidGameError(
            f"{whose} is {game.name} for {game.seats} players; only limit hold'em for 2 players is read here "
            "(railbird results, hands and replay take other games)"
        )
    if game.ante:
        raise InvalidGameError(f"{whose} has an ante of {game.ante}; limit hold'em with blinds only is read here")
    if game.stacks is not None:
        deepest = max(game.blinds)
        for size, most in zip(game.bet_sizes, game.max_raises):
            if most is None:
                raise InvalidGameError(
                    f"{whose} has stacks but no cap, so that players can be all-in; that is not read here"
                )
            deepest += size * most
        if deepest >= min(game.stacks):
            raise InvalidGameError(
                f"{whose} has stacks of {min(game.stacks)}, which can be all-in; that is not read here"
            )
        game = replace(game, stacks=None)
    return game


def _joined(
    sources: Sequence[LogSource], parts: Sequence[tuple[int, Game, FileHands]], problems: Sequence[Problem]
) -> HandArrays:
    names: dict[str, int] = {}
    rows = [np.flatnonzero(hands.verdicts == HAND) for _, _, hands in parts]
    each = list(zip(parts, rows))
    width = max([_LEAST_WIDTH, *(int(hands.action_counts[chosen].max()) for (_, _, hands), chosen in each)])

    def joined(what: str) -> NDArray[Any]:
        return np.concatenate([getattr(hands, what)[chosen] for (_, _, hands), chosen in each])

    players = []
    for (_, _, hands), chosen in each:
        seats = hands.players[chosen]
        used = set(np.unique(seats).tolist())
        place = [names.setdefault(name, len(names)) if at in used else -1 for at, name in enumerate(hands.names)]
        players.append(np.array(place, np.int32)[seats])
    actions = [_of_width(hands.actions[chosen], width) for (_, _, hands), chosen in each]
    file = np.concatenate([np.full(len(chosen), at, np.int32) for (at, _, _), chosen in each])
    holes = joined("holes")
    board = joined("board")
    numbers = joined("numbers")
    match = np.array([source.match for source in sources], np.int64)[file]
    seated = np.concatenate(players)
    return HandArrays(
        game=parts[0][1],
        names=tuple(names),
        files=tuple(str(source.path) for source in sources),
        problems=tuple(problems),
        holes=holes,
        board=board,
        actions=np.concatenate(actions),
        action_counts=joined("action_counts"),
        last_street=joined("last_street"),
        folder=joined("folder"),
        stakes=joined("stakes"),
        payoffs=joined("payoffs"),
        small_bet=np.concatenate([np.full(len(chosen), game.small_bet, np.int64) for (_, game, _), chosen in each]),
        players=seated,
        numbers=numbers,
        file=file,
        line=np.concatenate([sources[at].first_line + chosen for (at, _, _), chosen in each]).astype(np.int32),
        complete=(holes != UNKNOWN).all(axis=(1, 2)),
        pair_of=duplicate_pairs(holes, board, seated, numbers, match),
    )


def _without_repeats(hands: HandArrays) -> HandArrays:
    """Leave out hands that an earlier file has had: the same number, players, seats, cards and actions."""
    if len(np.unique(hands.file)) < 2:
        return hands
    n = len(hands)
    parts = [hands.numbers[:, None], hands.players, hands.small_bet[:, None], hands.holes, hands.board, hands.actions]
    rows = np.concatenate([np.ascontiguousarray(part).reshape(n, -1).view(np.uint8) for part in parts], axis=1)
    keys = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}")[:, 0]
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    again = first[place] != np.arange(n)
    if not again.any():
        return hands
    found = [
        Problem(
            hands.files[hands.file[row]],
            int(hands.line[row]),
            "repeated-hand",
            f"hand {hands.numbers[row]} again, the same as in {hands.files[hands.file[at]]}:{hands.line[at]}",
            True,
        )
        for row, at in zip(np.flatnonzero(again), first[place][again])
    ]
    kept = hands.where(~again)
    order = {file: number for number, file in enumerate(hands.files)}
    problems = sorted([*hands.problems, *found], key=lambda problem: (order.get(problem.file, 0), problem.line))
    return replace(kept, problems=tuple(problems))


def _of_width(actions: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
    """The actions with room for `width` on each street."""
    missing = width - actions.shape[2]
    if missing <= 0:
        return actions[:, :, :width]
    return np.pad(actions, ((0, 0), (0, 0), (0, missing)), constant_values=UNKNOWN)


def _refuse_mixed_rules(sources: Sequence[LogSource], parts: Sequence[tuple[int, Game, FileHands]]) -> None:
    first_at, first, _ = parts[0]
    for at, game, _ in parts[1:]:
        if rules_in_small_bets(game) != rules_in_small_bets(first):
            raise InvalidGameError(
                f"{sources[first_at].path} and {sources[at].path} have different rules ({_rules_text(first)}; "
                f"{_rules_text(game)}); read them one by one"
            )


def _rules_text(game: Game) -> str:
    caps = "/".join("none" if most is None else str(most) for most in game.max_raises)
    return f"blinds {'/'.join(map(str, game.blinds))}, bets {'/'.join(map(str, game.bet_sizes))}, raises at most {caps}"


def _nothing_read(sources: Sequence[LogSource], problems: Sequence[Problem]) -> str:
    where = _named(sources)
    counts: dict[str, int] = {}
    for problem in problems:
        counts[problem.kind] = counts.get(problem.kind, 0) + 1
    why = "; ".join(f"{PROBLEM_KINDS[kind]} ({count:,})" for kind, count in counts.items())
    if set(counts) <= _NO_HANDS and len(problems) == 1:
        return f"no hand in {where}: {problems[0].message}"
    return f"no good hand of heads-up limit hold'em in {where}: {why}, the first {problems[0]}" if problems else where


def _named(sources: Sequence[LogSource]) -> str:
    return str(sources[0].path) if len(sources) == 1 else f"{len(sources)} logs"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise MatchError(f"cannot read {str(path)!r}: {error.strerror}") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MatchError(f"cannot read {str(path)!r}: {error.strerror}") from None
