"""Many hands of the IRC database at once: a kernel puts together and judges those that are plain and good.

What it does not accept goes through `HandTeller`, one by one, which accepts it or says what is wrong. So hands and
reasons are those of `HandTeller` either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from railbird.errors import InvalidRecordError, RailbirdError
from railbird.formats.irc_betting import Seating, seatings
from railbird.formats.irc_hand import PLACES, HandTeller, hand_rules, utc_time
from railbird.formats.site_text import of_hand
from railbird.formats.table_replay import with_changes
from railbird.game.quick_check import working_room
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.game.telling import Telling
from railbird.kernels.cards.ranking import RANKING
from railbird.kernels.play import letter_hands as at
from railbird.kernels.play.any_betting import MOST_SEATS
from railbird.kernels.play.any_lines import RESULT

_PATIENCE = 300
"""So many hands go one by one before the kernel is compiled or loaded."""
_HOLES = [*[(first, second) for first in range(52) for second in range(52)], ()]
"""Holdings as the kernel numbers them."""


class Parts(NamedTuple):
    """All that the database tells of a hand."""

    line: int
    hand: list[str]
    """Its line in hdb: time, game set, number, players, and the rest as it stands. None where it is of no hand."""
    names: list[str]
    """Its names in hroster; none where it is not there."""
    players: list[str]
    """Its lines in the files of the players."""


class BatchTeller:
    """Makes records of hands, many at a time; a reader of a month has one of its own."""

    def __init__(self) -> None:
        self._teller = HandTeller()
        self._told = 0
        self._table, self._room = _working_table(), working_room()

    def told(self, batch: Sequence[Parts]) -> Iterator[tuple[int, HandRecord | RailbirdError]]:
        """The lines and records of hands, in order; for one that is refused the reason."""
        self._told += len(batch)
        is_quick = self._told > _PATIENCE or bool(at.judge_letter_hands.overloads)
        for parts, found in zip(batch, self._plain_records(batch) if is_quick else [None] * len(batch)):
            yield parts.line, found or self._slowly(parts)

    def _slowly(self, parts: Parts) -> HandRecord | RailbirdError:
        """The record of a hand that is not plain, or why it is none."""
        if not parts.hand:
            return InvalidRecordError("not a hand of the IRC database; give the hdb file of a month, or its folder")
        hand = [*parts.hand[:4], *parts.hand[4].split()]
        try:
            return self._teller.record(hand, parts.names, [line.split() for line in parts.players])
        except RailbirdError as error:
            return of_hand(parts.hand[2], error)

    def _plain_records(self, batch: Sequence[Parts]) -> Iterator[HandRecord | None]:
        """The records of plain and good hands, `None` for others."""
        texts, seats = list[str](), list[int]()
        for _, hand, _, lines in batch:
            count = PLACES.get(hand[3], 0) + 1 if hand else 0
            if 2 <= count == len(lines):
                texts.append("\n".join([hand[4], *lines]))
                seats.append(count)
            else:
                texts.append("")
                seats.append(0)
        text = "".join(texts)
        hands = _working_hands(text, texts, seats)
        at.judge_letter_hands(RANKING, hands, self._table, self._room)
        history = hands.history.tobytes().decode("latin-1")
        starts, firsts, found = hands.starts.tolist(), hands.first_players.tolist(), hands.found.tolist()
        stacks, payoffs = hands.stacks.tolist(), hands.payoffs.tolist()
        names = [text[start:end] for start, end in zip(*hands.names.T.tolist())]
        holes = [_HOLES[hole] for hole in hands.holes.tolist()]
        for number, (is_good, parts) in enumerate(zip(hands.verdicts.tolist(), batch)):
            first = firsts[number]
            last = first + seats[number]
            players = tuple(names[first:last])
            if not is_good or len(set(players)) < len(players):
                yield None
                continue
            time, game_set, name = parts.hand[:3]
            bits, way, half, is_capped, has_free_fold, letters, cards, *board = found[number]
            start = starts[number]
            game = _game(seats[number], bits, way, half, is_capped, has_free_fold)
            self._teller.bet = 2 * half
            yield HandRecord(
                game=with_changes(game, stacks=tuple(stacks[first:last])),
                number=int(name),
                names=players,
                holes=tuple(holes[first:last]),
                board=tuple(board[:cards]),
                history=history[start : start + letters],
                payoffs=tuple(payoffs[first:last]),
                telling=Telling("irc", time, time=utc_time(int(time)), extra=(("game set", game_set),)),
            )


@lru_cache(4096)
def _game(seats: int, blind_bits: int, way: int, half: int, is_capped: int, has_free_fold: int) -> Game:
    """The game that the kernel found, in which every stack is one chip."""
    seating = seatings(tuple([bool(blind_bits >> place & 1) for place in range(seats)]))[way]
    return hand_rules(seating, 2 * half, bool(is_capped), bool(has_free_fold)).game


def _working_table() -> at.Table:
    """Room for the kernel to work in."""
    words, ends = np.zeros((2, MOST_SEATS, 4), np.int64)
    used, blinds, bets, committed, put_in = np.zeros((5, MOST_SEATS), np.int64)
    rules = hand_rules(Seating((1, 2), 0), 2, True, False).row.copy()
    seen, pots, result = np.zeros((4, 3), np.int64), np.zeros((4, 2), np.int64), np.zeros(RESULT, np.int64)
    return at.Table(words, ends, used, blinds, bets, committed, put_in, seen, pots, rules, result)


def _working_hands(text: str, texts: Sequence[str], seats: Sequence[int]) -> at.LetterHands:
    """Texts of hands, together and each (empty where it is not plain), with room for what is found in them."""
    data = np.frombuffer(bytearray(text.encode("latin-1", "replace")), np.uint8)
    starts = np.cumsum([0, *map(len, texts)])
    ends = np.cumsum(seats)
    count, players = len(texts), sum(seats)
    return at.LetterHands(
        data=data,
        starts=starts,
        seats=np.array(seats, np.int64),
        first_players=ends - seats,
        verdicts=np.zeros(count, np.bool_),
        found=np.zeros((count, at.FOUND), np.int64),
        history=np.zeros(len(data), np.uint8),
        names=np.zeros((players, 2), np.int64),
        stacks=np.zeros(players, np.int64),
        payoffs=np.zeros(players, np.int64),
        holes=np.full(players, at.HIDDEN),
    )
