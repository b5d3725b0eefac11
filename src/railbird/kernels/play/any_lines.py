"""Hands of any game held against the rules: one hand from its parts, or the lines of a competition log.

Of a line only the plain form is accepted, with whole payoffs that are just what the cards and actions give. Anything
else is left to the slow reader, which understands more and can say what is wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, Ranking, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.play.any_betting import (
    BOARD_SEEN,
    HOLE_CARDS,
    IS_HOLDEM,
    MOST_SEATS,
    MUCKED,
    SEATS,
    UNKNOWN,
    replay,
    share_pots,
)
from railbird.kernels.play.log_lines import (
    COMMENT,
    HAND,
    OTHER,
    RANK_OF_BYTE,
    SUIT_OF_BYTE,
    _is_blank,
    _read_card,
    _read_number,
    _read_payoff,
    _starts_with,
)

_COLON, _SLASH, _BAR, _HASH, _SEMICOLON = 58, 47, 124, 35, 59
_ABSENT = 255
_STATE = np.frombuffer(b"STATE:", dtype=np.uint8)
_SCORE = np.frombuffer(b"SCORE", dtype=np.uint8)
STREET, FOLDED, KNOWN, SUMS = 0, 1, 2, 3
"""Where `check_hand` puts the last street, who folded and whether all is known; from `SUMS` on what each won, at least
and at most, and what each put in."""
RESULT = SUMS + 4 * MOST_SEATS


class AnyHands(NamedTuple):
    """What lines say, by line; where the verdict is not HAND the rest means nothing."""

    verdicts: np.ndarray
    numbers: np.ndarray
    parts: np.ndarray
    """[n, 6] where the betting, the cards and the names begin and end."""
    board: np.ndarray
    """[n, 5] cards, in the room of those that were dealt."""
    board_counts: np.ndarray
    payoffs: np.ndarray
    """[n, seats]"""


class Room(NamedTuple):
    """Room to work in, with a place for every seat."""

    cards: np.ndarray
    committed: np.ndarray
    bets: np.ndarray
    ranks: np.ndarray
    won: np.ndarray
    least: np.ndarray
    most: np.ndarray
    turns: np.ndarray
    """Who acted, in order."""


@kernel
def _rank_hands(ranking: Ranking, rules, folded, street, cards, ranks):
    """The ranks of those who have not folded, `UNKNOWN` where the cards are. `cards` are the holdings, then the
    board."""
    seats, each = rules[SEATS], rules[HOLE_CARDS]
    board, count = seats * each, rules[BOARD_SEEN + street]
    key = EMPTY_KEY
    if rules[IS_HOLDEM] and count == 5:
        for c in range(5):
            key += ranking.card_keys[cards[board + c]]
    for p in range(seats):
        ranks[p] = UNKNOWN
        if folded >> p & 1 or cards[p * each] == _ABSENT:
            continue
        if rules[IS_HOLDEM]:
            both = ranking.card_keys[cards[2 * p]] + ranking.card_keys[cards[2 * p + 1]]
            ranks[p] = rank_of_key(ranking.table, key + both)
        else:
            ranks[p] = cards[p] >> 2
            for c in range(count):
                if cards[board + c] >> 2 == cards[p] >> 2:
                    ranks[p] += 100
                    break


@kernel
def check_hand(ranking: Ranking, rules, history, cards, mucked, room: Room, result):
    """Whether a hand's betting ends it and its cards are possible; then `result` has what came of it.

    `cards` are the holdings by position, 255 where they are not known, and the board; `mucked` has a bit for each
    position that did not show.
    """
    street, folded = replay(rules, history, 0, len(history), room.committed, room.bets, room.turns)
    seats, each = rules[SEATS], rules[HOLE_CARDS]
    if street < 0 or len(cards) != seats * each + rules[BOARD_SEEN + street]:
        return False
    seen = np.uint64(0)
    for c in range(len(cards)):
        if cards[c] == _ABSENT and c < seats * each:
            continue
        bit = np.uint64(1) << np.uint64(cards[c] & 63)
        if cards[c] > 51 or seen & bit:
            return False
        seen |= bit
    left = 0
    for p in range(seats):
        left += not folded >> p & 1
        room.ranks[p] = UNKNOWN
    if left > 1:
        _rank_hands(ranking, rules, folded, street, cards, room.ranks)
        for p in range(seats):
            if mucked >> p & 1:
                room.ranks[p] = MUCKED
    result[STREET], result[FOLDED] = street, folded
    for p in range(seats):
        result[SUMS + 3 * MOST_SEATS + p] = room.committed[p]
    won, least, most = result[SUMS:], result[SUMS + MOST_SEATS :], result[SUMS + 2 * MOST_SEATS :]
    result[KNOWN] = share_pots(rules, folded, room.committed, room.ranks, won, least, most)
    return True


@kernel
def _read_cards(rules, data, at, end, street, cards):
    """The holdings and the board at `at`, each card once; where they end, or -1 if something is wrong."""
    seats, each = rules[SEATS], rules[HOLE_CARDS]
    seen = np.uint64(0)
    for p in range(seats):
        is_hidden = at >= end or data[at] == _BAR or data[at] == _SLASH or data[at] == _COLON
        for c in range(each):
            card = np.int64(_ABSENT)
            if not is_hidden:
                card = _read_card(data, at, end, RANK_OF_BYTE, SUIT_OF_BYTE)
                bit = np.uint64(1) << np.uint64(card & 63)
                if card == _ABSENT or seen & bit:
                    return np.int64(-1)
                seen |= bit
                at += 2
            cards[p * each + c] = card
        if p < seats - 1:
            if at >= end or data[at] != _BAR:
                return np.int64(-1)
            at += 1
    place = seats * each
    for s in range(1, street + 1):
        count = rules[BOARD_SEEN + s] - rules[BOARD_SEEN + s - 1]
        if count == 0:
            continue
        if at >= end or data[at] != _SLASH:
            return np.int64(-1)
        at += 1
        for _ in range(count):
            card = _read_card(data, at, end, RANK_OF_BYTE, SUIT_OF_BYTE)
            bit = np.uint64(1) << np.uint64(card & 63)
            if card == _ABSENT or seen & bit:
                return np.int64(-1)
            seen |= bit
            cards[place] = card
            place += 1
            at += 2
    return at


@kernel
def _field_end(data, at, end):
    """Where the field at `at` ends: at the next colon, or -1."""
    while at < end and data[at] != _COLON:
        at += 1
    return at if at < end else -1


@kernel
def _names_end(data, at, end, seats):
    """Where the names at `at` end, before a remark; -1 if they are not as many as seats, or have a colon in them."""
    bars, stop = 0, end
    for place in range(at, end):
        byte = data[place]
        if byte == _HASH and place > at and _is_blank(data[place - 1]):
            stop = place
            while stop > at and _is_blank(data[stop - 1]):
                stop -= 1
            break
        if byte == _COLON:
            return -1
        bars += byte == _BAR
    return stop if bars == seats - 1 else -1


@kernel
def _read_line(ranking: Ranking, rules, data, at, end, hands: AnyHands, i, room: Room):
    """Whether data[at:end] is a hand that keeps the rules; then its parts are in row i of `hands`."""
    seats, parts = rules[SEATS], hands.parts
    number, at = _read_number(data, at + 6, end)
    if at < 0 or at >= end or data[at] != _COLON:
        return False
    parts[i, 0] = at + 1
    parts[i, 1] = _field_end(data, at + 1, end)
    if parts[i, 1] < 0:
        return False
    street, folded = replay(rules, data, parts[i, 0], parts[i, 1], room.committed, room.bets, room.turns)
    if street < 0:
        return False
    parts[i, 2] = parts[i, 1] + 1
    at = _read_cards(rules, data, parts[i, 2], end, street, room.cards)
    if at < 0 or at >= end or data[at] != _COLON:
        return False
    parts[i, 3] = at
    for p in range(seats):
        hands.payoffs[i, p], at = _read_payoff(data, at + 1, end)
        if at < 0 or at >= end or data[at] != (_BAR if p < seats - 1 else _COLON):
            return False
    parts[i, 4], parts[i, 5] = at + 1, _names_end(data, at + 1, end, seats)
    if parts[i, 5] < 0:
        return False
    left = 0
    for p in range(seats):
        left += not folded >> p & 1
    if left > 1:
        _rank_hands(ranking, rules, folded, street, room.cards, room.ranks)
    if not share_pots(rules, folded, room.committed, room.ranks, room.won, room.least, room.most):
        return False
    for p in range(seats):
        if hands.payoffs[i, p] != room.won[p]:
            return False
    hands.numbers[i] = number
    hands.board_counts[i] = rules[BOARD_SEEN + street]
    for c in range(hands.board_counts[i]):
        hands.board[i, c] = room.cards[seats * rules[HOLE_CARDS] + c]
    return True


@kernel
def read_any_lines(ranking: Ranking, rules, data, starts, hands: AnyHands, room: Room):
    """Read the lines that begin at `starts`, the last of which is the end of the data."""
    for i in range(len(starts) - 1):
        at, end = starts[i], starts[i + 1]
        while at < end and _is_blank(data[at]):
            at += 1
        while end > at and _is_blank(data[end - 1]):
            end -= 1
        hands.verdicts[i] = OTHER
        if at == end or data[at] == _HASH or data[at] == _SEMICOLON or _starts_with(data, at, end, _SCORE):
            hands.verdicts[i] = COMMENT
        elif _starts_with(data, at, end, _STATE) and _read_line(ranking, rules, data, at, end, hands, i, room):
            hands.verdicts[i] = HAND
