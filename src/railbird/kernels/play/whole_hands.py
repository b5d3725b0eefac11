"""Whole hands of fixed-limit hold'em between players whose decisions follow three probabilities, or a table of them.

The kernel deals, bets, shows down and writes the hand as a line of a log, all in one pass. It plays by the rules of
`railbird.game.betting` and draws from the streams of `railbird.randomness`, so its lines are those that the same
players would produce one decision at a time.

Two players may play by strategy tables: then the hand's way through the betting tree is followed, and the bucket of a
holding is looked up at its first decision on each street. Hands that end before the river never cost a river bucket.
"""

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT
from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, mix, unit
from railbird.kernels.compiling import kernel
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
def _table_chances(codes, row, bucket):
    fold = codes[row, bucket, 0] / _WHOLE
    raise_ = codes[row, bucket, 1] / _WHOLE
    return fold, 1.0 - fold - raise_, raise_


@kernel
def play_block(
    table,
    card_keys,
    deck_seed,
    bot_seeds,
    first,
    count,
    stream,
    rows,
    policies,
    by_table,
    tables,
    blinds,
    ante,
    bet_sizes,
    max_raises,
    first_to_act,
    names,
    name_lengths,
    won,
    text,
):
    """Play hands first to first + count - 1 of one seating stream; the number of bytes written to `text`.

    rows[r, position] is the player there in row r of the seating; hand h of stream s uses row (s + h) mod the number
    of rows. policies[player] are fold, call and raise probabilities, unless by_table[player]. `won` (hands x players)
    receives chips by player; `text` receives log lines, each ending with row r's `names`, or nothing if it is empty.

    Where nobody plays by a table `tables` is None, and all that looks at it is compiled away. Otherwise there are two
    players, and it holds what buckets are found by, `child` and `row` of the betting tree, and for each player the
    codes of fold and raise by street, the buckets of flops and turns by class, and the limits of river buckets.
    """
    if tables is not None:
        rank_keys, isomorphisms, better, child, tree_rows, strategies = tables
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
    pure = np.empty(seats, np.bool_)
    for player in range(seats):
        fold, call, raise_ = policies[player]
        pure[player] = not by_table[player] and max(fold, call, raise_) == fold + call + raise_
    row = (stream + first) % rows.shape[0]
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
        shuffle_front(hand_stream(deck_seed, hand), deck, 2 * seats + 5)
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
        street = 0
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
                        codes, by_class, limits = strategies[player]
                        if buckets[turn] < 0:
                            buckets[turn] = holding_bucket(
                                table,
                                card_keys,
                                rank_keys,
                                isomorphisms,
                                better,
                                by_class,
                                limits,
                                deck[2 * turn],
                                deck[2 * turn + 1],
                                board_cards,
                                street,
                                counts,
                                class_ranks,
                            )
                        fold, call, raise_ = _table_chances(codes[street], tree_rows[node], buckets[turn])
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
