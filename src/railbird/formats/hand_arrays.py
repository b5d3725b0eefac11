"""Logs of heads-up limit hold'em as arrays, for kernels that go through hundreds of thousands of hands.

`railbird.formats.hand_logs.read_logs` fills them. Everything "by position" is in the order of the logs: position 0 is
the first to act after the flop (the big blind where blinds are reversed), position 1 the button.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidRecordError
from railbird.formats.left_out import LeftOut
from railbird.game.record import HandRecord
from railbird.game.spec import Game

UNKNOWN = 255
"""A hole card that is not known, a board card that was not dealt, an action that was not made."""
FOLD, CALL, RAISE = 0, 1, 2
"""The codes of `HandArrays.actions`."""
_LETTERS = "fcr"


@dataclass(frozen=True)
class Problem:
    """Something in a log that a reader of the results should know."""

    file: str
    line: int
    """The first line is 1; 0 for the file as a whole."""
    kind: str
    """A short name to count by, one of `PROBLEM_KINDS`."""
    message: str
    skipped: bool
    """Whether the hand (or the file) was left out; otherwise it was kept."""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        done = "" if self.kind == "hidden-cards" else " (left out)" if self.skipped else " (kept)"
        return f"{where}: {self.message}{done}"


PROBLEM_KINDS = {
    "not-a-hand": "lines and hands that cannot be read",
    "truncated": "last lines that are cut off",
    "cards": "impossible cards",
    "betting": "illegal betting",
    "payoffs": "payoffs that the cards and actions do not give",
    "bet-size": "hands of other bet sizes than the rest of the file",
    "no-limit": "no-limit hands",
    "players": "hands of another number of players than two",
    "same-name": "hands whose two players have the same name",
    "repeated-hand": "hands that the file has already had",
    "repeated-number": "files in which hand numbers begin again",
    "repeated-file": "files that were already read",
    "empty-file": "files without a hand",
    "unreadable": "files that cannot be read",
    "binary-file": "files that are not text",
    "score": "SCORE lines that the hands do not give",
    "hidden-cards": "hands whose hole cards are not all shown",
    "other-game": "hands of games that Railbird does not play",
    "unplayable": "hands with something that no rule here covers, as boards that were run twice",
    "incomplete": "hands of which a part is missing",
    "stacks": "stacks that the betting does not fit",
    "rake": "pots and rakes that the payoffs do not give",
    "all-in": "all-in hands of limit hold'em, which DIVAT does not know",
    "unsayable": "hands that the other format has no words for",
}
"""All kinds of problems, in words."""


@dataclass(frozen=True)
class HandArrays:
    """Hands of heads-up limit hold'em, all checked against the rules. n hands; arrays are in order of file and line.

    Hands come from one game up to the size of the bets: see `small_bet`.
    """

    game: Game
    """The game of the first file. Other files may have other bet sizes, but the same rules in small bets."""
    names: tuple[str, ...]
    """The players of all files."""
    files: tuple[str, ...]
    """The files, as given or found in a match folder."""
    problems: tuple[Problem, ...]
    """What was left out and why, and what was kept with a remark, in order of file and line."""

    holes: NDArray[np.uint8]
    """[n, 2, 2] cards by position, `UNKNOWN` where they are not shown."""
    board: NDArray[np.uint8]
    """[n, 5] cards, `UNKNOWN` where none was dealt."""
    actions: NDArray[np.uint8]
    """[n, 4, w] by street, in order: `FOLD`, `CALL` (or check), `RAISE` (or bet), then `UNKNOWN`. Blinds are not in it.
    w is at least 6, all that four bets need; more only where the game allows more and a hand has them."""
    action_counts: NDArray[np.uint8]
    """[n, 4] how many actions each street had."""
    last_street: NDArray[np.uint8]
    """[n] the street on which the hand ended."""
    folder: NDArray[np.int8]
    """[n] the position that folded, -1 for a showdown."""
    stakes: NDArray[np.int64]
    """[n] chips the loser put in; at a showdown what each player put in, so half of the pot."""
    payoffs: NDArray[np.int64] | NDArray[np.float64]
    """[n, 2] chips won by position; floats where some log has parts of chips."""
    small_bet: NDArray[np.int64]
    """[n] the small bet of the hand's file, in chips."""
    players: NDArray[np.int32]
    """[n, 2] by position, the player's place in `names`."""
    numbers: NDArray[np.int64]
    """[n] the hand's number in its log."""
    file: NDArray[np.int32]
    """[n] the hand's place in `files`."""
    line: NDArray[np.int32]
    """[n] the hand's line in its file; the first line is 1, and 0 where nobody knows it."""
    complete: NDArray[np.bool_]
    """[n] whether all four hole cards are known."""
    pair_of: NDArray[np.int64]
    """[n] where the other half of the duplicate pair is, or -1. See `railbird.formats.duplicate_pairs`."""
    left_out: LeftOut = field(default_factory=LeftOut)
    """How many hands of the logs are not here, and whether those that are here are a fair sample."""

    def __len__(self) -> int:
        return len(self.holes)

    @cached_property
    def rake(self) -> NDArray[np.float64]:
        """[n] chips that the house took: nothing in most logs."""
        return np.asarray(0.0 - self.payoffs.sum(axis=1), np.float64)

    @cached_property
    def fair_payoffs(self) -> NDArray[np.float64]:
        """[n, 2] chips that were won by position before the house took its rake."""
        lost = self.payoffs == -self.stakes[:, None]
        raked = self.stakes[:, None] * np.where(lost, -1.0, np.where(lost[:, ::-1], 1.0, 0.0))
        return np.asarray(np.where(self.rake[:, None] > 0, raked, self.payoffs))

    @cached_property
    def problem_counts(self) -> Counter[str]:
        """How many problems of each kind there are."""
        return Counter(problem.kind for problem in self.problems)

    def record(self, index: int) -> HandRecord:
        """One hand as a record, with the game in the chips of its file."""
        history = "/".join(
            "".join(_LETTERS[code] for code in self.actions[index, street, : self.action_counts[index, street]])
            for street in range(int(self.last_street[index]) + 1)
        )
        return HandRecord(
            game=self.game_of(int(self.small_bet[index])),
            number=int(self.numbers[index]),
            names=tuple(self.names[player] for player in self.players[index]),
            holes=tuple(tuple(int(card) for card in hole if card != UNKNOWN) for hole in self.holes[index]),
            board=tuple(int(card) for card in self.board[index] if card != UNKNOWN),
            history=history,
            payoffs=tuple(int(chips) if chips == int(chips) else float(chips) for chips in self.payoffs[index]),
            line=int(self.line[index]),
        )

    def game_of(self, small_bet: int) -> Game:
        """The game with another small bet."""
        return scaled_game(self.game, small_bet)

    def refuse_unfair(self) -> None:
        """Refuse hands that are no fair sample of those in the logs; see `railbird.formats.left_out`."""
        self.left_out.refuse(self.files[0] if len(self.files) == 1 else f"{len(self.files)} logs")

    def where(self, chosen: NDArray[np.bool_]) -> HandArrays:
        """The hands of a mask. Pairs that lose one half are dissolved; problems and names stay as they are."""
        if chosen.shape != (len(self),):
            raise InvalidRecordError(f"a mask of shape {chosen.shape} for {len(self)} hands")
        place = np.cumsum(chosen) - 1
        partners = self.pair_of[chosen]
        kept = (partners >= 0) & chosen[partners]
        arrays = {f.name: getattr(self, f.name)[chosen] for f in fields(self) if f.name in _BY_HAND}
        arrays["pair_of"] = np.where(kept, place[partners], -1)
        return replace(self, **arrays)


_BY_HAND = (
    "holes",
    "board",
    "actions",
    "action_counts",
    "last_street",
    "folder",
    "stakes",
    "payoffs",
    "small_bet",
    "players",
    "numbers",
    "file",
    "line",
    "complete",
    "pair_of",
)


def scaled_game(game: Game, small_bet: int) -> Game:
    """A limit game with all its amounts in the same proportion to another small bet.

    >>> from railbird.game.spec import limit_holdem
    >>> scaled_game(limit_holdem(), 10).blinds
    (10, 5)
    """
    old = game.small_bet

    def scaled(chips: tuple[int, ...]) -> tuple[int, ...]:
        if any(amount * small_bet % old for amount in chips):
            raise InvalidRecordError(f"{chips} chips of a small bet of {old} are not whole chips of {small_bet}")
        return tuple(amount * small_bet // old for amount in chips)

    return replace(game, blinds=scaled(game.blinds), bet_sizes=scaled(game.bet_sizes))
