"""Records held against the rules by a kernel, for readers that go through many hands.

What the kernel does not accept goes to `HandRecord.check`, which accepts it or says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.errors import InvalidRecordError
from railbird.game.record import HandRecord
from railbird.game.spec import Game, Structure
from railbird.game.telling import Telling
from railbird.kernels.cards.ranking import RANKING
from railbird.kernels.play import any_betting as at
from railbird.kernels.play import any_lines
from railbird.numbers import quoted

_PATIENCE, _LITTLE_PATIENCE = 300, 30
"""So many hands are checked the slow way before a kernel is compiled, and before one is loaded that was."""
_HIDDEN = {count: (255,) * count for count in (1, 2)}
_STRUCTURES = {
    Structure.FIXED_LIMIT: at.FIXED,
    Structure.SPREAD_LIMIT: at.SPREAD,
    Structure.POT_LIMIT: at.POT,
    Structure.NO_LIMIT: at.NO_LIMIT,
}
_MANY = 10**9
_MOST_TURNS = 1_000


def working_room() -> any_lines.Room:
    """Room for the kernels to work in."""
    cards, turns = np.zeros(2 * at.MOST_SEATS + 5, np.uint8), np.zeros(_MOST_TURNS, np.uint8)
    committed, bets, ranks, won, least, most = np.zeros((6, at.MOST_SEATS), np.int64)
    return any_lines.Room(cards, committed, bets, ranks, won, least, most, turns)


_ROOM, _RESULT = working_room(), np.zeros(any_lines.RESULT, np.int64)


@lru_cache(maxsize=64)
def game_rules(game: Game) -> NDArray[np.int64]:
    """A game as the kernels take it: one row of whole numbers."""
    seats = game.seats
    rules = np.zeros(at.RULES, np.int64)
    rules[:8] = (
        seats,
        game.streets,
        _STRUCTURES[game.structure],
        game.free_fold,
        game.stacks is not None,
        game.ante,
        game.hole_cards,
        game.is_holdem,
    )
    caps = [_MANY if most is None else most for most in game.max_raises]
    seen = [game.board_seen(street) for street in range(game.streets)]
    by_street = (game.bet_sizes, caps, game.first_to_act, game.largest_bets or (), seen)
    for start, values in zip((at.BET_SIZES, at.MAX_RAISES, at.FIRST, at.LARGEST, at.BOARD_SEEN), by_street):
        rules[start : start + len(values)] = values
    rules[at.BLINDS : at.BLINDS + seats] = game.blinds
    rules[at.ANTES : at.ANTES + seats] = [game.ante + chips for chips in game.dead or (0,) * seats]
    rules[at.STACKS : at.STACKS + seats] = game.stacks or (0,) * seats
    return rules


class Checker:
    """Holds records against the rules: the first ones of a process as `HandRecord.check` does, further ones with the
    kernel, which it takes a while to compile or to load."""

    _count = 0
    _patience: int | None = None

    def __init__(self, may_be_raked: bool = True) -> None:
        self._may_be_raked = may_be_raked

    def check(self, record: HandRecord, turns: Sequence[int] | None = None) -> None:
        """Refuse a record that contradicts the rules. `turns` are the positions that acted, where a file tells them."""
        if not self._has_kernel() or not keeps_rules(record, turns):
            if turns is not None and len(record.names) == record.game.seats:
                _refuse_other_turns(record, turns)
            record.check(self._may_be_raked)

    @classmethod
    def _has_kernel(cls) -> bool:
        """Whether it is time to use the kernel."""
        if cls._patience is None:
            cls._patience = _LITTLE_PATIENCE if any_lines.check_hand.is_compiled else _PATIENCE
        Checker._count += 1
        return Checker._count > cls._patience


def _refuse_other_turns(record: HandRecord, turns: Sequence[int]) -> None:
    """Refuse actions of players whose turn it was not."""
    record.final()
    for number, (node, action) in enumerate(record.steps()):
        if number >= len(turns) or turns[number] != node.to_act:
            whose = record.names[turns[number]] if number < len(turns) else "nobody"
            message = f"{whose} played {action} in {quoted(node.history)}, but it was the turn of "
            raise InvalidRecordError(f"hand {record.number}: {message}{record.names[node.to_act]}", "betting")


def keeps_rules(record: HandRecord, turns: Sequence[int] | None = None) -> bool:
    """Whether a record keeps the rules for certain; where it does not, `HandRecord.check` must say.

    `turns` are the positions that acted, if they are to be held against the rules too.
    """
    game, won, holes = record.game, record.payoffs, record.holes
    seats, each = game.seats, game.hole_cards
    if not len(record.names) == len(holes) == len(won) == seats or any(len(hole) not in (0, each) for hole in holes):
        return False
    cards = [card for hole in holes for card in hole or _HIDDEN[each]]
    try:
        letters = np.frombuffer(bytearray(record.history, "ascii"), np.uint8)
        dealt = np.frombuffer(bytearray([*cards, *record.board]), np.uint8)
    except ValueError:
        return False
    mucked, told = 0, record.telling
    if told is not None and any(told.shown):
        mucked = sum([1 << place for place, shown in enumerate(told.shown) if not shown])
    if not any_lines.check_hand(RANKING, game_rules(game), letters, dealt, mucked, _ROOM, _RESULT):
        return False
    if turns is not None:
        actions = sum(map(record.history.count, "fcr"))
        if actions > _MOST_TURNS or list(turns) != _ROOM.turns[:actions].tolist():
            return False
    found = _RESULT.tolist()
    rows = [found[start : start + seats] for start in range(any_lines.SUMS, any_lines.RESULT, at.MOST_SEATS)]
    if told is None:
        return bool(found[any_lines.KNOWN]) and tuple(rows[0]) == won
    return sum(won) == -told.rake and _is_as_told(record, told, *rows[1:])


def _is_as_told(
    record: HandRecord, told: Telling, least: Sequence[int], most: Sequence[int], committed: Sequence[int]
) -> bool:
    """Whether the payoffs are possible with the rake that is told, and the cards known that were shown."""
    seats, rake = record.game.seats, told.rake
    if rake < 0 or told.hero >= seats or len(told.seats) not in (0, seats) or len(told.shown) not in (0, seats):
        return False
    if not all(hole or not shown for hole, shown in zip(record.holes, told.shown)):
        return False
    return all(
        (low if not rake or high == -paid else low - rake) <= chips <= high
        for low, high, paid, chips in zip(least, most, committed, record.payoffs)
    )
