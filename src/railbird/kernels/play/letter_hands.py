"""Hands of limit hold'em told by the letters of each player, as the IRC database has them, put together and judged.

This is `railbird.formats.irc_betting` and `railbird.formats.irc_hand` once more, for many hands in which nobody is
all-in. Whatever is wrong or not plain, the answer is only that the slow way must see to it. So a kernel may refuse a
good hand but must never accept a bad one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import Ranking
from railbird.kernels.compiling import kernel
from railbird.kernels.play.any_betting import BET_SIZES, BLINDS, FIRST, FREE_FOLD, MAX_RAISES, MOST_SEATS, SEATS, STACKS
from railbird.kernels.play.any_lines import SUMS, Room, check_hand
from railbird.kernels.play.log_lines import RANK_OF_BYTE, SUIT_OF_BYTE, _read_card

BLIND_BITS, WAY, HALF_BET, IS_CAPPED, HAS_FREE_FOLD, LETTERS, BOARD_COUNT, BOARD = range(8)
"""Where a row of `LetterHands.found` has what: who posts blinds and which way of seating it is, the half of the small
bet, whether nobody raised too often, whether somebody folded for nothing, the length of the betting, and the board."""
FOUND = BOARD + 5
HIDDEN = 52 * 52
"""The holding of which nothing is known; others are 52 times the first card and the second."""
_NEWLINE, _BLANK, _TAB, _RETURN, _DASH, _SLASH, _ZERO = 10, 32, 9, 13, 45, 47, 48
_BLIND, _KICKED, _QUIT, _BET, _CALL, _FOLD, _CHECK, _RAISE = 66, 75, 81, 98, 99, 102, 107, 114
_CAPS = np.array([3, 4, 4, 4])
_MANY = 10**9
_MOST_DIGITS = 9
_UNKNOWN_CARD = 255


class LetterHands(NamedTuple):
    """Hands as texts and what was found in them, those of players one hand after the other.

    A text is a hand's line of hdb from the players that saw the flop on, then the whole
    line of each player.
    """

    data: np.ndarray
    starts: np.ndarray
    """[n + 1] where the texts begin."""
    seats: np.ndarray
    """[n]"""
    first_players: np.ndarray
    """[n] where the players of a hand begin."""
    verdicts: np.ndarray
    """[n] whether the hand is good; if not, the rest means nothing."""
    found: np.ndarray
    """[n, FOUND]"""
    history: np.ndarray
    """The betting of each hand, in the room that its text has."""
    names: np.ndarray
    """[players, 2] in order of position, where the name begins and ends."""
    stacks: np.ndarray
    payoffs: np.ndarray
    holes: np.ndarray


class Table(NamedTuple):
    """Room for one hand, with a place for every seat."""

    words: np.ndarray
    """[seats, 4] where the letters of a street begin, ..."""
    ends: np.ndarray
    """... and end."""
    used: np.ndarray
    blinds: np.ndarray
    bets: np.ndarray
    committed: np.ndarray
    put_in: np.ndarray
    seen: np.ndarray
    """[4, 3] how many players are left after a street, the pot, and the raises."""
    pots: np.ndarray
    """[4, 2] what the hand's line says of players and pots."""
    rules: np.ndarray
    result: np.ndarray


@kernel
def _next_word(data, at, end):
    """Where the next word of the line begins and ends; it is empty at the end of the line, and before other signs."""
    while at < end and (data[at] == _BLANK or data[at] == _TAB or data[at] == _RETURN):
        at += 1
    start = at
    while at < end and _BLANK < data[at] < 127:
        at += 1
    return start, at


@kernel
def _whole(data, start, end):
    """The number in data[start:end], -1 where it is none, is long, or begins with a nought."""
    if not 0 < end - start <= _MOST_DIGITS or (data[start] == _ZERO and end - start > 1):
        return np.int64(-1)
    number = np.int64(0)
    for i in range(start, end):
        if not _ZERO <= data[i] <= _ZERO + 9:
            return np.int64(-1)
        number = 10 * number + (np.int64(data[i]) - _ZERO)
    return number


@kernel
def _card(data, start, end):
    return _read_card(data, start, end, RANK_OF_BYTE, SUIT_OF_BYTE) if end - start == 2 else np.int64(_UNKNOWN_CARD)


@kernel
def _line_end(data, at, end):
    """Where the next line begins, -1 where something else follows."""
    start, stop = _next_word(data, at, end)
    if start != stop or (start < end and data[start] != _NEWLINE):
        return -1
    while start < end and (data[start] == _NEWLINE or data[start] == _RETURN):
        start += 1
    return start


@kernel
def _read_hand_line(data, at, end, pots, found):
    """Read players and pots by street and the board; where the next line begins, or -1."""
    for street in range(4):
        start, at = _next_word(data, at, end)
        slash = start
        while slash < at and data[slash] != _SLASH:
            slash += 1
        pots[street, 0], pots[street, 1] = _whole(data, start, slash), _whole(data, slash + 1, at)
        if pots[street, 0] < 0 or pots[street, 1] < 0:
            return -1
    found[BOARD_COUNT] = 0
    for _ in range(5):
        start, stop = _next_word(data, at, end)
        if start == stop:
            break
        card = _card(data, start, stop)
        if card == _UNKNOWN_CARD:
            return -1
        found[BOARD + found[BOARD_COUNT]] = card
        found[BOARD_COUNT] += 1
        at = stop
    return _line_end(data, at, end)


@kernel
def _read_player_line(hands: LetterHands, table: Table, hand, at, end):
    """Read a player's line; where the next one begins, or -1."""
    data, seats, first = hands.data, hands.seats[hand], hands.first_players[hand]
    name, name_end = _next_word(data, at, end)
    _, at = _next_word(data, name_end, end)
    start, at = _next_word(data, at, end)
    if _whole(data, start, at) != seats:
        return -1
    start, at = _next_word(data, at, end)
    place = _whole(data, start, at) - 1
    if not 0 <= place < seats or hands.names[first + place, 1]:
        return -1
    hands.names[first + place, 0], hands.names[first + place, 1] = name, name_end
    for street in range(4):
        start, at = _next_word(data, at, end)
        if start == at:
            return -1
        table.words[place, street], table.ends[place, street] = start, at
    start, at = _next_word(data, at, end)
    stack = _whole(data, start, at)
    start, at = _next_word(data, at, end)
    paid = _whole(data, start, at)
    start, at = _next_word(data, at, end)
    won = _whole(data, start, at)
    if paid < 0 or won < 0 or stack <= paid:
        return -1
    table.put_in[place] = paid
    hands.stacks[first + place], hands.payoffs[first + place] = stack, won - paid
    hands.holes[first + place] = HIDDEN
    start, stop = _next_word(data, at, end)
    if start != stop:
        card = _card(data, start, stop)
        start, at = _next_word(data, stop, end)
        other = _card(data, start, at)
        if card == _UNKNOWN_CARD or other == _UNKNOWN_CARD:
            return -1
        hands.holes[first + place] = 52 * card + other
    return _line_end(data, at, end)


@kernel
def _seat(table: Table, blind_bits, way, seats):
    """Fill in the blinds, in halves of a small bet, as `irc_betting.seatings` has them; who is first, -1 if nobody."""
    first = second = -1
    for p in range(seats):
        is_posted = blind_bits >> p & 1
        table.blinds[p] = 2 * is_posted
        if is_posted and first < 0:
            first = p
        elif is_posted and second < 0:
            second = p
    if first < 0:
        return -1
    if second < 0:
        return (first + 1) % seats if way == 0 else -1
    if way == 0:
        table.blinds[first] = 1
        return (second + 1) % seats
    if seats == 2:
        table.blinds[1] = 1
        return 1
    return (first + 1) % seats if first > 0 else -1


@kernel
def _is_gone(data, start, end):
    """Whether letters tell nothing any more but that somebody left the table."""
    while start < end and (data[start] == _DASH or data[start] == _QUIT or data[start] == _KICKED):
        start += 1
    return start == end


@kernel
def _merge_street(data, table: Table, street, inside, at, seats, history):
    """Put a street's letters together from position `at` on: the letters written to `history`, or -1; a bit for each
    position that is still in; and whether somebody folded for nothing."""
    wrong = (-1, inside, False)
    bets, used = table.bets, table.used
    level, live, raises, count, is_free = np.int64(0), 0, 0, 0, False
    for p in range(seats):
        level = max(level, bets[p])
        live += inside >> p & 1
        used[p] = table.words[p, street] + (data[table.words[p, street]] == _BLIND)
    waiting = live
    while waiting:
        if inside >> at & 1:
            if used[at] == table.ends[at, street] or count == len(history):
                return wrong
            letter = data[used[at]]
            used[at] += 1
            waiting -= 1
            made = _CALL
            if letter == _CALL and bets[at] < level:
                bets[at] = level
            elif letter == _CHECK and bets[at] == level:
                pass
            elif (letter == _BET and level == 0) or (letter == _RAISE and level > 0):
                level += 2
                bets[at] = level
                waiting = live - 1
                raises += 1
                made = _RAISE
            elif letter in (_FOLD, _QUIT, _KICKED):
                is_free |= bets[at] == level
                inside &= ~(1 << at)
                live -= 1
                made = _FOLD
            else:
                return wrong
            history[count] = made
            count += 1
            if live == 1:
                break
        at = (at + 1) % seats
    for p in range(seats):
        if not _is_gone(data, used[p], table.ends[p, street]):
            return wrong
    table.seen[street, 0], table.seen[street, 2] = live, raises
    return count, inside, is_free


@kernel
def _merge(data, table: Table, first, seats, history):
    """Put a hand together; the letters written to `history`, or -1, and whether somebody folded for nothing."""
    inside, length, has_free_fold = (1 << seats) - 1, 0, False
    table.committed[:] = 0
    table.seen[:] = 0
    for street in range(4):
        for p in range(seats):
            table.bets[p] = table.blinds[p] if street == 0 else 0
        if street > 0:
            history[length] = _SLASH
            length += 1
        at = first if street == 0 else 0
        count, inside, is_free = _merge_street(data, table, street, inside, at, seats, history[length:])
        if count < 0:
            return -1, False
        length += count
        has_free_fold |= is_free
        for p in range(seats):
            table.committed[p] += table.bets[p] * (1 if street < 2 else 2)
            table.seen[street, 1] += table.committed[p]
        if table.seen[street, 0] == 1:
            for later in range(street + 1, 4):
                for p in range(seats):
                    if not _is_gone(data, table.words[p, later], table.ends[p, later]):
                        return -1, False
            break
    return length, has_free_fold


@kernel
def _half_bet(table: Table, seats, most):
    """How many chips make what everybody put in of the units in `committed`, `most` each; 0 where none do."""
    units, chips = np.int64(0), np.int64(0)
    for p in range(seats):
        units += min(most, table.committed[p])
        chips += table.put_in[p]
    if units == 0 or chips % units:
        return np.int64(0)
    half = chips // units
    for p in range(seats):
        if half * min(most, table.committed[p]) != table.put_in[p]:
            return np.int64(0)
    return half


@kernel
def _called(table: Table, seats):
    """The second largest amount that somebody put in."""
    highest = second = np.int64(0)
    for p in range(seats):
        paid = table.committed[p]
        if paid > highest:
            highest, second = paid, highest
        elif paid > second:
            second = paid
    return second


@kernel
def _is_as_told(table: Table, half, seats):
    """Whether players and pots by street are those of the hand's line, and nobody raised too often among many."""
    uncalled = np.int64(0)
    for p in range(seats):
        uncalled += half * table.committed[p] - table.put_in[p]
    for street in range(4):
        live, pot = table.seen[street, 0], half * table.seen[street, 1]
        if live < 2:
            continue
        told = table.pots[street, 1]
        if table.pots[street, 0] != live or (told != pot and told != pot - uncalled):
            return False
        if live > 2 and table.seen[street, 2] > _CAPS[street]:
            return False
    return True


@kernel
def _keeps_rules(ranking: Ranking, hands: LetterHands, table: Table, hand, first, room: Room):
    """Whether betting, cards and payoffs keep the rules of the game that was found."""
    found, seats, players = hands.found[hand], hands.seats[hand], hands.first_players[hand]
    rules, half = table.rules, found[HALF_BET]
    rules[SEATS], rules[FREE_FOLD], rules[FIRST] = seats, found[HAS_FREE_FOLD], first
    for street in range(4):
        rules[BET_SIZES + street] = 2 * half * (1 if street < 2 else 2)
        rules[MAX_RAISES + street] = _CAPS[street] if found[IS_CAPPED] else _MANY
    cards = room.cards[: 2 * seats + found[BOARD_COUNT]]
    total = np.int64(0)
    for p in range(seats):
        rules[BLINDS + p], rules[STACKS + p] = half * table.blinds[p], hands.stacks[players + p]
        hole = hands.holes[players + p]
        cards[2 * p] = _UNKNOWN_CARD if hole == HIDDEN else hole // 52
        cards[2 * p + 1] = _UNKNOWN_CARD if hole == HIDDEN else hole % 52
        total += hands.payoffs[players + p]
    for c in range(found[BOARD_COUNT]):
        cards[2 * seats + c] = found[BOARD + c]
    start = hands.starts[hand]
    history = hands.history[start : start + found[LETTERS]]
    if total or not check_hand(ranking, rules, history, cards, 0, room, table.result):
        return False
    least, most = table.result[SUMS + MOST_SEATS :], table.result[SUMS + 2 * MOST_SEATS :]
    committed = table.result[SUMS + 3 * MOST_SEATS :]
    for p in range(seats):
        won = hands.payoffs[players + p]
        if not least[p] <= won <= most[p] or committed[p] != half * table.committed[p]:
            return False
    return True


@kernel
def _judge(ranking: Ranking, hands: LetterHands, table: Table, hand, room: Room):
    """Whether a hand is plain and good."""
    data, seats, found = hands.data, hands.seats[hand], hands.found[hand]
    start, end = hands.starts[hand], hands.starts[hand + 1]
    at = _read_hand_line(data, start, end, table.pots, found)
    for _ in range(seats):
        if at >= 0:
            at = _read_player_line(hands, table, hand, at, end)
    if at < 0:
        return False
    found[BLIND_BITS] = 0
    for p in range(seats):
        found[BLIND_BITS] |= (data[table.words[p, 0]] == _BLIND) << p
    for way in range(2):
        first = _seat(table, found[BLIND_BITS], way, seats)
        if first < 0:
            return False
        length, has_free_fold = _merge(data, table, first, seats, hands.history[start:end])
        if length < 0:
            continue
        half = _half_bet(table, seats, np.int64(_MANY)) or _half_bet(table, seats, _called(table, seats))
        if half == 0:
            continue
        found[WAY], found[HALF_BET], found[HAS_FREE_FOLD], found[LETTERS] = way, half, has_free_fold, length
        found[IS_CAPPED] = (table.seen[:, 2] <= _CAPS).all()
        return _is_as_told(table, half, seats) and _keeps_rules(ranking, hands, table, hand, first, room)
    return False


@kernel
def judge_letter_hands(ranking: Ranking, hands: LetterHands, table: Table, room: Room):
    """Read, put together and judge all hands."""
    for hand in range(len(hands.seats)):
        hands.verdicts[hand] = _judge(ranking, hands, table, hand, room)
