"""A hand of the IRC database as a record: the betting put together, the size of the bets found, all of it checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from operator import gt, le, lt, sub

import numpy as np

from railbird.errors import InvalidRecordError
from railbird.formats.irc_betting import (
    CAPPED,
    UNCAPPED,
    Merger,
    Seating,
    Walked,
    seatings,
    unit_game,
    walked_hand,
)
from railbird.formats.site_text import CARDS, cards_in
from railbird.formats.table_replay import Ended, HandRules, KnownCards, Replayer, with_changes
from railbird.game.record import HandRecord
from railbird.game.spec import MOST_CHIPS, MOST_SEATS
from railbird.game.telling import Telling
from railbird.numbers import quoted

_NAME, _COUNT, _POSITION, _PREFLOP, _BANKROLL, _CARDS = 0, 2, 3, 4, 8, 11
"""Where a player's line has what: letters from `_PREFLOP` on, chips from `_BANKROLL` on."""
_MOST_GUESSES = 40
_LENGTHS = {_CARDS, _CARDS + 2}
PLACES = {str(place): place - 1 for place in range(1, MOST_SEATS + 1)}


class HandTeller:
    """Makes records of hands, one after the other; the size of the bets of one is the first guess for the next."""

    def __init__(self) -> None:
        self._replayer, self._merger = Replayer(), Merger()
        self.bet = 0
        """The small bet of the hand before."""

    def record(self, hand: Sequence[str], names: Sequence[str], players: list[list[str]]) -> HandRecord:
        """The record of a hand from the words of its lines; refuses what does not fit together."""
        number, count = hand[2], int(hand[3])
        rows = _in_order(number, count, names, players)
        columns = tuple(zip(*rows))
        if len(set(columns[_NAME])) < count or columns[_COUNT].count(hand[3]) < count:
            raise _error(number, "a name is there twice, or another number of players", "players")
        stacks, put_in, won = _amounts(number, columns[_BANKROLL:_CARDS])
        rules, walked = self._found(number, columns[_PREFLOP:_BANKROLL], stacks, put_in)
        _check_pots(number, hand, walked, put_in)
        holes = tuple([_hole(row[_CARDS], row[_CARDS + 1]) if len(row) > _CARDS else () for row in rows])
        record = HandRecord(
            game=with_changes(rules.game, stacks=stacks),
            number=int(number),
            names=columns[_NAME],
            holes=holes,
            board=cards_in(" ".join(hand[8:])),
            history=walked.history,
            payoffs=tuple(map(sub, won, put_in)),
            telling=Telling("irc", hand[0], time=utc_time(int(hand[0])), extra=(("game set", hand[1]),)),
        )
        self._check(record, rules, walked)
        return record

    def _check(self, record: HandRecord, rules: HandRules, walked: Walked) -> None:
        """Hold a record against the rules: with the kernel where there are many."""
        if self._replayer.is_quick:
            stacks, cards = record.game.stacks or (), KnownCards(record.holes, record.board)
            end = self._replayer.judged(rules, stacks, record.history, cards)
            if end is not None and end.committed == walked.committed and _is_possible(record.payoffs, end):
                return
        record.check()

    def _found(
        self, number: str, streets: Sequence[tuple[str, ...]], stacks: tuple[int, ...], put_in: list[int]
    ) -> tuple[HandRules, Walked]:
        """The game and the betting that fit what everybody did and put in."""
        blinds = tuple([word[0] == "B" for word in streets[0]])
        ways = seatings(blinds)
        is_plain = all(map(lt, put_in, stacks)) and "A" not in "".join(map("".join, streets))
        found = self._plain(ways, streets, put_in) if is_plain else self._all_in(ways, streets, stacks, put_in)
        if found is None:
            why = "the letters and chips of its players are no betting of a limit game"
            raise _error(number, why if ways else "nobody posts a blind", "betting")
        seating, self.bet, walked = found
        if not walked.is_capped and _is_many_and_uncapped(walked):
            raise _error(number, "more than four bets on a street", "betting")
        return hand_rules(seating, self.bet, walked.is_capped, walked.has_free_fold), walked

    def _plain(
        self, ways: Sequence[Seating], streets: Sequence[tuple[str, ...]], put_in: list[int]
    ) -> tuple[Seating, int, Walked] | None:
        """Who posted, the size of the small bet and the betting of a hand without all-ins."""
        for seating in ways:
            walked = self._merger.hand(seating, streets)
            if walked is None:
                continue
            half = _half_bet(walked.committed, put_in) or _half_bet(_without_uncalled(walked.committed), put_in)
            if half:
                seen = [(live, half * pot) for live, pot in walked.seen]
                committed = tuple([half * each for each in walked.committed])
                return seating, 2 * half, walked._replace(committed=committed, seen=seen)
        return None

    def _all_in(
        self, ways: Sequence[Seating], streets: Sequence[tuple[str, ...]], stacks: tuple[int, ...], put_in: list[int]
    ) -> tuple[Seating, int, Walked] | None:
        """The same of a hand in which somebody is all-in."""
        for bet in self._guesses(put_in):
            for seating in ways:
                walked = walked_hand(with_changes(hand_rules(seating, bet, True, False).game, stacks=stacks), streets)
                if walked is None:
                    continue
                if put_in == list(walked.committed) or put_in == _without_uncalled(walked.committed):
                    return seating, bet, walked
        return None

    def _guesses(self, put_in: Sequence[int]) -> Iterator[int]:
        """What the small bet may be: that of the hand before, else an amount that somebody put in, or twice one."""
        if self.bet:
            yield self.bet
        amounts = sorted(set(put_in))
        steps = [second - first for first, second in pairwise(amounts)]
        guesses = {size for each in (*amounts, *steps) for size in (each, 2 * each) if 1 < size <= MOST_CHIPS}
        yield from [bet for bet in sorted(guesses)[:_MOST_GUESSES] if not bet & 1]


@lru_cache(256)
def hand_rules(seating: Seating, bet: int, is_capped: bool, free_fold: bool) -> HandRules:
    """Limit hold'em of a size, in which every stack is one chip."""
    half = bet // 2
    return HandRules.of(
        replace(
            unit_game(seating),
            blinds=tuple([half * blind for blind in seating.blinds]),
            bet_sizes=(bet, bet, 2 * bet, 2 * bet),
            max_raises=CAPPED if is_capped else UNCAPPED,
            stacks=(1,) * len(seating.blinds),
            free_fold=free_fold,
        )
    )


def utc_time(seconds: int) -> str:
    """A timestamp as a time.

    >>> utc_time(766303976)
    '1994-04-14 06:12:56'
    """
    days, rest = divmod(seconds, 86_400)
    return f"{_day(days)} {rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"


@lru_cache(64)
def _day(days: int) -> str:
    return str(np.datetime64(days, "D"))


def _in_order(number: str, count: int, names: Sequence[str], players: list[list[str]]) -> list[list[str]]:
    """The players' lines by position; refuses a hand of which one is missing or there twice."""
    if not 2 <= count <= MOST_SEATS:
        raise _error(number, f"{count} players", "players")
    if len(players) != count:
        known = {row[_NAME] for row in players}
        missing = ", ".join([quoted(name) for name in names[:MOST_SEATS] if name not in known])
        of = f", that of {missing} is missing" if missing else ""
        raise _error(number, f"lines of {len(players)} of {count} players{of}", "incomplete")
    rows: list[list[str]] = [[]] * count
    try:
        for row in players:
            rows[PLACES[row[_POSITION]]] = row
    except (KeyError, IndexError):
        raise _error(number, "a player on no position", "players") from None
    if [] in rows:
        raise _error(number, "a position is there twice", "players")
    if not set(map(len, rows)) <= _LENGTHS:
        raise _error(number, "the line of a player has too much or too little", "incomplete")
    return rows


def _amounts(number: str, words: Sequence[tuple[str, ...]]) -> tuple[tuple[int, ...], list[int], list[int]]:
    """Bankrolls, chips put in and chips won, all within limits."""
    together = "".join(map("".join, words))
    if len(together) > 1_000 or not (together.isascii() and together.isdigit()):
        raise _error(number, "an amount that is none, or more than is possible", "stacks")
    stacks, put_in, won = [list(map(int, column)) for column in words]
    if max(stacks) > MOST_CHIPS or max(won) > MOST_CHIPS:
        raise _error(number, "more chips than are possible", "stacks")
    if min(stacks) < 1 or any(map(gt, put_in, stacks)):
        raise _error(number, "a player puts in more chips than there are", "stacks")
    return tuple(stacks), put_in, won


def _half_bet(units: Sequence[int], put_in: list[int]) -> int:
    """How many chips make what everybody put in of these units; 0 where none do."""
    if not any(units):
        return 0
    half, rest = divmod(sum(put_in), sum(units))
    return half if not rest and [half * each for each in units] == put_in else 0


def _hole(first: str, second: str) -> tuple[int, ...]:
    try:
        return CARDS[first], CARDS[second]
    except KeyError:
        return cards_in(f"{first} {second}")


def _is_possible(payoffs: Sequence[float], end: Ended) -> bool:
    """Whether the betting and the cards that are known can give these payoffs."""
    return not sum(payoffs) and all(map(le, end.least, payoffs)) and all(map(le, payoffs, end.most))


def _is_many_and_uncapped(walked: Walked) -> bool:
    """Whether more than two players raised more often than houses allow."""
    parts = zip(walked.history.split("/"), CAPPED, walked.seen)
    return any(part.count("r") > most and live > 2 for part, most, (live, _) in parts)


def _without_uncalled(committed: Sequence[int]) -> list[int]:
    """What everybody put in, less what nobody called."""
    highest, second = sorted(committed)[-1:-3:-1]
    return [min(paid, second) if paid == highest else paid for paid in committed]


def _check_pots(number: str, hand: Sequence[str], walked: Walked, put_in: Sequence[int]) -> None:
    """Refuse other numbers of players and pots on flop, turn, river and at the showdown than the betting gives."""
    for word, (live, pot) in zip(hand[4:8], walked.seen):
        if live > 1 and word != f"{live}/{pot}":
            uncalled = sum(walked.committed) - sum(put_in)
            if uncalled and word == f"{live}/{pot - uncalled}":
                continue
            raise _error(number, f"{word} where {live} players have a pot of {pot}", "rake")


def _error(number: str, message: str, part: str = "line") -> InvalidRecordError:
    return InvalidRecordError(f"hand {number}: {message}", part)
