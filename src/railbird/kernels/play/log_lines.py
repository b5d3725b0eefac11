"""Lines of heads-up fixed-limit logs, from bytes to arrays, with every rule of the game checked on the way.

A line is read from left to right, once:

    STATE:1:cc/rc/rc/crc:6sKs|5dJd/2sTh2h/Qh/8h:60|-60:Bob|Alice

The betting drives a small automaton (whose turn it is, what each player has bet, how many have still to act), which
also says how many board cards must follow. Cards are held against one set of 52 bits. At a showdown both hands are
ranked. What the loser put in (the stake) and who won follow; whether the recorded payoffs agree is for the caller to
see, who may not yet know how many chips a bet is.

Only the plain form of a line is accepted. Anything else (lower-case ranks, blanks, a broken rule) is left to the slow
reader, which understands more and can say what is wrong. So the kernel may refuse a good line but must never accept a
bad one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, Ranking, rank_of_key
from railbird.kernels.compiling import kernel

COMMENT, HAND, OTHER, SCORE = 0, 1, 2, 3
"""What a line is: a comment or blank, a hand that keeps the rules, or something for the slow reader; a SCORE line."""
UNSEEN = 2
"""The result of a showdown without all the cards."""

_STATE = np.frombuffer(b"STATE:", dtype=np.uint8)
_SCORE = np.frombuffer(b"SCORE", dtype=np.uint8)
_COLON, _SLASH, _BAR, _MINUS, _ZERO, _HASH, _SEMICOLON = 58, 47, 124, 45, 48, 35, 59
_FOLD, _CALL, _RAISE = 102, 99, 114
_MOST_DIGITS = 15
_ABSENT = 255


def _places(letters):
    table = np.full(256, 255, np.uint8)
    for place, letter in enumerate(letters):
        table[letter] = place
    return table


RANK_OF_BYTE = _places(b"23456789TJQKA")
SUIT_OF_BYTE = _places(b"cdhs")


class BettingRules(NamedTuple):
    """The betting of a limit game for two."""

    blinds: np.ndarray
    streets: np.ndarray
    """By street: the bet, the most raises, and who is first to act."""
    free_fold: bool
    """Whether a player may fold who could check."""


class Lines(NamedTuple):
    """The bytes of a file: line i is data[starts[i] : starts[i + 1]]."""

    data: np.ndarray
    starts: np.ndarray


class Names(NamedTuple):
    """Where known names stand in the bytes, and room for more."""

    starts: np.ndarray
    ends: np.ndarray


class LineHands(NamedTuple):
    """What lines say, by line; where the verdict is not HAND the rest means nothing.

    `holes`, `board` and `actions` must come filled with 255.
    """

    verdicts: np.ndarray
    numbers: np.ndarray
    holes: np.ndarray
    board: np.ndarray
    actions: np.ndarray
    action_counts: np.ndarray
    last_street: np.ndarray
    folder: np.ndarray
    stakes: np.ndarray
    results: np.ndarray
    """1, 0 or -1 from position 0's view, or UNSEEN."""
    payoffs: np.ndarray
    players: np.ndarray


@kernel
def _is_blank(byte):
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31


@kernel
def _starts_with(data, at, end, word):
    if end - at < len(word):
        return False
    same = True
    for i in range(len(word)):
        same &= data[at + i] == word[i]
    return same


@kernel
def _read_number(data, at, end):
    """A whole number at `at`, and where it ends; where it ends is -1 if there is none."""
    start = at
    number = np.int64(0)
    while at < end and _ZERO <= data[at] <= _ZERO + 9:
        number = 10 * number + (np.int64(data[at]) - _ZERO)
        at += 1
        if at - start > _MOST_DIGITS:
            return np.int64(0), np.int64(-1)
    if at == start:
        return np.int64(0), np.int64(-1)
    return number, at


@kernel
def _read_payoff(data, at, end):
    negative = at < end and data[at] == _MINUS
    number, at = _read_number(data, at + 1 if negative else at, end)
    return -number if negative else number, at


@kernel
def _read_card(data, at, end, rank_of, suit_of):
    """The card at `at`, or `_ABSENT`."""
    if at + 2 > end:
        return np.int64(_ABSENT)
    rank = rank_of[data[at]]
    suit = suit_of[data[at + 1]]
    if rank == _ABSENT or suit == _ABSENT:
        return np.int64(_ABSENT)
    return np.int64(4) * rank + suit


@kernel
def _name_place(data, start, end, name_starts, name_ends, known):
    """The place of the name data[start:end] among the known ones, or their number if it is new."""
    for place in range(known):
        length = end - start
        if name_ends[place] - name_starts[place] == length:
            same = True
            for i in range(length):
                if data[name_starts[place] + i] != data[start + i]:
                    same = False
                    break
            if same:
                return place
    return known


@kernel
def _read_betting(data, at, end, blinds, streets, free_fold, actions, counts):
    """The betting at `at`: where it ends (-1 if it is wrong), the last street, who folded or -1, and the stake."""
    wrong = (np.int64(-1), np.int64(0), np.int64(-1), np.int64(0))
    width = actions.shape[1]
    bet_0, bet_1 = blinds[0], blinds[1]
    before = np.int64(0)
    for street in range(4):
        bet, most_raises, turn = streets[street, 0], streets[street, 1], streets[street, 2]
        to_act = 2
        raises = 0
        count = 0
        while to_act > 0:
            if at >= end or count >= width:
                return wrong
            letter = data[at]
            at += 1
            level = max(bet_0, bet_1)
            mine = bet_0 if turn == 0 else bet_1
            if letter == _CALL:
                actions[street, count] = 1
                mine = level
                to_act -= 1
            elif letter == _RAISE:
                if raises >= most_raises:
                    return wrong
                actions[street, count] = 2
                mine = level + bet
                raises += 1
                to_act = 1
            elif letter == _FOLD:
                if level == mine and not free_fold:
                    return wrong
                actions[street, count] = 0
                counts[street] = count + 1
                return at, np.int64(street), np.int64(turn), before + mine
            else:
                return wrong
            if turn == 0:
                bet_0 = mine
            else:
                bet_1 = mine
            turn = 1 - turn
            count += 1
        counts[street] = count
        before += bet_0
        bet_0 = np.int64(0)
        bet_1 = np.int64(0)
        if street < 3:
            if at >= end or data[at] != _SLASH:
                return wrong
            at += 1
    return at, np.int64(3), np.int64(-1), before


# One long kernel: the bytes of a line are read once, from left to right, and what is known so far stays in registers.
@kernel
def read_lines(ranking: Ranking, lines: Lines, first, last, rules: BettingRules, hands: LineHands, names: Names, known):
    """Read lines first to last - 1 into `hands`; the number of names known by then. `known` were known before."""
    table, card_keys, rank_of, suit_of = ranking.table, ranking.card_keys, RANK_OF_BYTE, SUIT_OF_BYTE
    blinds, by_street, free_fold = rules.blinds, rules.streets, rules.free_fold
    data, starts, name_starts, name_ends = lines.data, lines.starts, names.starts, names.ends
    verdicts, numbers, holes, board = hands.verdicts, hands.numbers, hands.holes, hands.board
    actions, counts, streets, folders = hands.actions, hands.action_counts, hands.last_street, hands.folder
    stakes, results, payoffs, players = hands.stakes, hands.results, hands.payoffs, hands.players
    for i in range(first, last):
        at = starts[i]
        end = starts[i + 1]
        while at < end and _is_blank(data[at]):
            at += 1
        while end > at and _is_blank(data[end - 1]):
            end -= 1
        if at == end or data[at] == _HASH or data[at] == _SEMICOLON:
            verdicts[i] = COMMENT
            continue
        if _starts_with(data, at, end, _SCORE):
            verdicts[i] = SCORE
            continue
        verdicts[i] = OTHER
        if not _starts_with(data, at, end, _STATE):
            continue
        number, at = _read_number(data, at + 6, end)
        if at < 0 or at >= end or data[at] != _COLON:
            continue
        at, street, folder, stake = _read_betting(
            data, at + 1, end, blinds, by_street, free_fold, actions[i], counts[i]
        )
        if at < 0 or at >= end or data[at] != _COLON:
            continue
        at += 1

        # Two holdings, each of two cards or of none, and the board of the last street.
        seen = np.uint64(0)
        good = True
        shown = 0
        for position in range(2):
            if at < end and data[at] != _BAR and data[at] != _SLASH and data[at] != _COLON:
                for c in range(2):
                    card = _read_card(data, at, end, rank_of, suit_of)
                    at += 2
                    bit = np.uint64(1) << np.uint64(card & 63)
                    if card == _ABSENT or seen & bit:
                        good = False
                        break
                    seen |= bit
                    holes[i, position, c] = card
                shown += 1
            if not good or (position == 0 and (at >= end or data[at] != _BAR)):
                good = False
                break
            at += position == 0
        if not good:
            continue
        for c in range(street + 2 if street > 0 else 0):
            if c == 0 or c > 2:
                if at >= end or data[at] != _SLASH:
                    good = False
                    break
                at += 1
            card = _read_card(data, at, end, rank_of, suit_of)
            at += 2
            bit = np.uint64(1) << np.uint64(card & 63)
            if card == _ABSENT or seen & bit:
                good = False
                break
            seen |= bit
            board[i, c] = card
        if not good or at >= end or data[at] != _COLON:
            continue

        payoffs[i, 0], at = _read_payoff(data, at + 1, end)
        if at < 0 or at >= end or data[at] != _BAR:
            continue
        payoffs[i, 1], at = _read_payoff(data, at + 1, end)
        if at < 0 or at >= end or data[at] != _COLON:
            continue
        at += 1

        # Two names. A remark may follow, " # 1372436245"; more colons or bars are not for this reader.
        bar = -1
        stop = end
        for place in range(at, end):
            byte = data[place]
            if byte == _HASH and place > at and _is_blank(data[place - 1]):
                stop = place
                while stop > at and _is_blank(data[stop - 1]):
                    stop -= 1
                break
            if byte == _COLON or (byte == _BAR and bar >= 0):
                good = False
                break
            if byte == _BAR:
                bar = place
        if not good or bar < 0 or stop <= bar:
            continue
        for position in range(2):
            start, finish = (at, bar) if position == 0 else (bar + 1, stop)
            place = _name_place(data, start, finish, name_starts, name_ends, known)
            if place == known:
                if known == len(name_starts):
                    good = False
                    break
                name_starts[known] = start
                name_ends[known] = finish
                known += 1
            players[i, position] = place
        if not good:
            continue

        numbers[i] = number
        streets[i] = street
        folders[i] = folder
        stakes[i] = stake
        if folder >= 0:
            results[i] = 1 if folder == 1 else -1
        elif shown < 2:
            results[i] = UNSEEN
        else:
            key = EMPTY_KEY
            for c in range(5):
                key += card_keys[board[i, c]]
            rank_0 = rank_of_key(table, key + card_keys[holes[i, 0, 0]] + card_keys[holes[i, 0, 1]])
            rank_1 = rank_of_key(table, key + card_keys[holes[i, 1, 0]] + card_keys[holes[i, 1, 1]])
            results[i] = (rank_0 > rank_1) - (rank_0 < rank_1)
        verdicts[i] = HAND
    return known
