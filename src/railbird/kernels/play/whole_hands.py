"""Whole hands of fixed-limit hold'em between players whose decisions follow three probabilities, or a table of them.

The kernel deals, bets, shows down and writes the hand as a line of a log, all in one pass. It plays by the rules of
`railbird.game.betting` and draws from the streams of `railbird.randomness`, so its lines are those that the same
players would produce one decision at a time.

Two players may play by strategy tables: then the hand's way through the betting tree is followed, and the bucket of a
holding is looked up at its first decision on each street. Hands that end before the river never cost a river bucket.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT
from railbird.kernels.cards.ranking import EMPTY_KEY, Ranking, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, mix, unit
from railbird.kernels.compiling import kernel
from railbird.kernels.numbered_tree import Tree
from railbird.kernels.play.decks import hand_stream, shuffle_front
from railbird.kernels.solve.buckets import holding_bucket

_RANKS = np.frombuffer(b"23456789TJQKA", dtype=np.uint8)
_SUITS = np.frombuffer(b"cdhs", dtype=np.uint8)
_STATE = np.frombuffer(b"STATE:", dtype=np.uint8)
_COLON, _SLASH, _BAR, _MINUS, _ZERO = 58, 47, 124, 45, 48
_FOLD, _CALL, _RAISE = 102, 99, 114
_WHOLE = 255.0  # strategy tables hold probabilities in 255ths


@kernel
def _write_number(text, at, number):
    if number < 0:
        text[at] = _MINUS
        at += 1
        number = -number
    digits = 1
    bound = 10
    while number >= bound:
        digits += 1
        bound *= 10
    for place in range(at + digits - 1, at - 1, -1):
        text[place] = _ZERO + number % 10
        number //= 10
    return at + digits


@kernel
def _count_up(digits, length):
    """Add one to a number written in the last `length` places of `digits`; its new length."""
    place = len(digits) - 1
    while digits[place] == _ZERO + 9:
        digits[place] = _ZERO
        place -= 1
    if place < len(digits) - length:
        digits[place] = _ZERO
        length += 1
    digits[place] += 1
    return length


@kernel
def _copy(source, start, stop, text, at):
    for place in range(start, stop):
        text[at] = source[place]
        at += 1
    return at


@kernel
def _write_card(text, at, card):
    text[at] = _RANKS[card >> 2]
    text[at + 1] = _SUITS[card & 3]
    return at + 2


@kernel
def table_chances(codes, row, bucket):
    fold = codes[row, bucket, 0] / _WHOLE
    raise_ = codes[row, bucket, 1] / _WHOLE
    return fold, 1.0 - fold - raise_, raise_


class Rules(NamedTuple):
    """The rules of a limit game."""

    blinds: np.ndarray
    ante: int
    bet_sizes: np.ndarray
    max_raises: np.ndarray
    first_to_act: np.ndarray


class Seating(NamedTuple):
    """Who plays, and where."""

    rows: np.ndarray
    """rows[r, position] is the player there in row r; hand h of leg l uses row (l + h) mod the number of rows."""
    leg: int
    deck_seeds: np.ndarray
    """One for all hands, or one for each hand of the block."""
    bot_seeds: np.ndarray
    names: np.ndarray
    """By row: how its log lines end."""
    name_lengths: np.ndarray


class Players(NamedTuple):
    """How the players act."""

    policies: np.ndarray
    """By player: fold, call and raise probabilities."""
    by_table: np.ndarray
    """By player: whether a table says them instead."""
    is_pure: np.ndarray
    """By player: whether one action is certain, so that no random number is needed."""


class Tables(NamedTuple):
    """What two players by tables follow.

    Kernels take None where nobody plays by a table; then all that looks at it is compiled away.
    """

    tree: Tree
    codes: tuple
    """By player and street: fold and raise in 255ths, by row and bucket."""
    buckets: tuple
    """By player: what buckets are found by."""


class Output(NamedTuple):
    """Where hands are written to."""

    won: np.ndarray
    """Chips by hand and player."""
    text: np.ndarray
    """Log lines; none if it is empty."""


# The longest kernel, on purpose: with dealing, betting, showdown and writing as functions of their own, which hand the
# state of the hand around, 100,000 hands of always-call v always-raise took 32 ms instead of 18 (references are counted
# at every call), and 20,000 hands of equilibrium v equilibrium 101 ms instead of 53.
@kernel
def play_block(
    ranking: Ranking, rules: Rules, seating: Seating, players: Players, tables, first, count, output: Output
):
    """Play hands first to first + count - 1 of one leg; the number of bytes written to `output.text`."""
    table, card_keys = ranking.table, ranking.card_keys
    blinds, ante, bet_sizes, max_raises = rules.blinds, rules.ante, rules.bet_sizes, rules.max_raises
    first_to_act, rows, deck_seeds, bot_seeds = rules.first_to_act, seating.rows, seating.deck_seeds, seating.bot_seeds
    names, name_lengths, won, text = seating.names, seating.name_lengths, output.won, output.text
    policies, by_table, pure = players.policies, players.by_table, players.is_pure
    if tables is not None:
        child, tree_rows, all_codes, all_buckets = tables.tree.child, tables.tree.row, tables.codes, tables.buckets
        buckets = np.empty(2, np.int64)
        counts = np.empty(13, np.int64)
        class_ranks = np.empty(CLASS_COUNT, np.int16)
    seats = len(blinds)
    deck = np.empty(52, np.uint8)
    board_cards = deck[2 * seats : 2 * seats + 5]
    committed = np.empty(seats, np.int64)
    bets = np.empty(seats, np.int64)
    live = np.empty(seats, np.bool_)
    acting = np.empty(seats, np.bool_)
    ranks = np.empty(seats, np.int64)
    streams = np.empty(seats, np.uint64)
    row = (seating.leg + first) % rows.shape[0]
    writes = len(text) > 0
    at = np.int64(0)
    # "STATE:" and the hand's number, which is counted up rather than written anew.
    digits = np.zeros(20, np.uint8)
    length = _write_number(digits, np.int64(0), first)
    for place in range(1, length + 1):
        digits[20 - place] = digits[length - place]
    for hand in range(first, first + count):
        for card in range(52):
            deck[card] = card
        shuffle_front(hand_stream(deck_seeds[min(hand - first, len(deck_seeds) - 1)], hand), deck, 2 * seats + 5)
        level = np.int64(0)
        for position in range(seats):
            player = rows[row, position]
            if not pure[player]:
                streams[position] = hand_stream(bot_seeds[player], hand)
            live[position] = True
            acting[position] = True
            bets[position] = blinds[position]
            committed[position] = blinds[position] + ante
            level = max(level, bets[position])
        if writes:
            at = _copy(_STATE, 0, 6, text, at)
            at = _copy(digits, 20 - length, 20, text, at)
            length = _count_up(digits, length)
            text[at] = _COLON
            at += 1

        players_left = seats
        street = np.int64(0)
        node = np.int64(0)
        if tables is not None:
            class_ranks[0] = -1
        while True:
            if tables is not None:
                buckets[0] = -1
                buckets[1] = -1
            turn = first_to_act[street]
            to_act = players_left
            raises = 0
            while to_act > 0:
                if acting[turn]:
                    acting[turn] = False
                    to_act -= 1
                    player = rows[row, turn]
                    owed = level - bets[turn]
                    fold, call, raise_ = policies[player, 0], policies[player, 1], policies[player, 2]
                    if tables is not None and by_table[player]:
                        if buckets[turn] < 0:
                            buckets[turn] = holding_bucket(
                                ranking,
                                all_buckets[player],
                                deck[2 * turn],
                                deck[2 * turn + 1],
                                board_cards,
                                street,
                                counts,
                                class_ranks,
                            )
                        fold, call, raise_ = table_chances(all_codes[player][street], tree_rows[node], buckets[turn])
                    fold = fold if owed > 0 else 0.0
                    raise_ = raise_ if raises < max_raises[street] else 0.0
                    number = 0.5
                    if not pure[player]:
                        streams[turn] += GOLDEN
                        number = unit(mix(streams[turn]))
                    point = number * (fold + call + raise_)
                    chosen = 1
                    if point < fold:
                        action = _FOLD
                        chosen = 0
                        live[turn] = False
                        players_left -= 1
                        if players_left == 1:
                            to_act = 0
                    elif point >= fold + call and raise_ > 0.0:
                        action = _RAISE
                        chosen = 2
                        raises += 1
                        owed += bet_sizes[street]
                        level += bet_sizes[street]
                        bets[turn] += owed
                        committed[turn] += owed
                        to_act = 0
                        for position in range(seats):
                            acting[position] = live[position] and position != turn
                            to_act += acting[position]
                    else:
                        action = _CALL
                        bets[turn] += owed
                        committed[turn] += owed
                    if tables is not None:
                        node = np.int64(child[node, chosen])
                    if writes:
                        text[at] = action
                        at += 1
                turn += 1
                if turn == seats:
                    turn = 0
            if players_left == 1 or street == 3:
                break
            street += 1
            if tables is not None:
                node = np.int64(child[node, 1])  # from the street's start to its first decision
            level = 0
            for position in range(seats):
                bets[position] = 0
                acting[position] = live[position]
            if writes:
                text[at] = _SLASH
                at += 1

        # The showdown, or the last player left.
        pot = np.int64(0)
        best = np.int64(-1)
        winners = 0
        board = EMPTY_KEY
        if players_left > 1:
            for card in range(2 * seats, 2 * seats + 5):
                board += card_keys[deck[card]]
        for position in range(seats):
            pot += committed[position]
            ranks[position] = -1
            if live[position]:
                ranks[position] = 0
                if players_left > 1:
                    key = board + card_keys[deck[2 * position]] + card_keys[deck[2 * position + 1]]
                    ranks[position] = rank_of_key(table, key)
                if ranks[position] > best:
                    best = ranks[position]
                    winners = 1
                elif ranks[position] == best:
                    winners += 1
        share, odd = pot, np.int64(0)
        if winners > 1:
            share = pot // winners
            odd = pot % winners
        for position in range(seats):
            chips = -committed[position]
            if ranks[position] == best:
                chips += share
                if odd > 0:
                    chips += 1
                    odd -= 1
            committed[position] = chips
            won[hand - first, rows[row, position]] = chips

        if writes:
            for position in range(seats):
                text[at] = _COLON if position == 0 else _BAR
                at = _write_card(text, at + 1, deck[2 * position])
                at = _write_card(text, at, deck[2 * position + 1])
            for card in range(street + 2 if street > 0 else 0):
                if card == 0 or card > 2:
                    text[at] = _SLASH
                    at += 1
                at = _write_card(text, at, deck[2 * seats + card])
            for position in range(seats):
                text[at] = _COLON if position == 0 else _BAR
                at = _write_number(text, at + 1, committed[position])
            at = _copy(names[row], 0, name_lengths[row], text, at)
        row = row + 1 if row + 1 < rows.shape[0] else 0
    return at
