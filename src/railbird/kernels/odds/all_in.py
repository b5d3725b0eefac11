"""Equity with all cards to come turned up: several hands against each other, or a range against a range.

**Several hands** (`count_pots`): the board is completed in every way, each hand is ranked, and the best ones share.

**Before the flop, a range against a range** (`weigh_before_flop`): 1,712,304 boards for each pair of holdings are too
many to deal. But the outcome depends on card ranks alone unless someone makes a flush, and a board has one of 6,175
multisets of five card ranks. So for each pair of holding classes (91 pairs of card ranks) the multisets are compared
once, each counted as often as its cards can be chosen from what the four hole cards leave. Then, for each suit, boards
with enough cards of it for a flush are put right: every set of 3, 4 or 5 ranks of the suit goes with every choice of
ranks from the other suits, and the outcome without suits is replaced by the true one. What changes there depends on
which of the four hole cards are of the suit, not on which suit it is, so these cases (at most 16) are worked out once
for a pair of classes, and each of its pairs of holdings only adds up four of them.

A flush is never a full house too, so a flush loses only to a better flush, a full house or four of a kind.

**On a board, a range against a range** (`weigh_on_board`): on every completed board the holdings are strung by rank
and walked upwards, keeping the weight passed so far, in all and per card. What a holding beats is then
`all - with its first card - with its second card`, which leaves out the holdings that it blocks. Where one side has few
holdings, pairs are compared one by one instead.

The two `weigh_` kernels add to `weighed` (3 x 1,326), for each holding with a weight of its own, the opponent's weight
beaten, tied and met, summed over boards. With whole weights the sums are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.classes import CLASS_COUNT, CLASS_HIGH, CLASS_LOW, flush_rank
from railbird.kernels.cards.ranking import (
    EMPTY_KEY,
    FULL_HOUSE,
    RANK_COUNT,
    STRAIGHT_FLUSH,
    rank_of_key,
    rank_without_flush,
)
from railbird.kernels.compiling import kernel

BOARDS_BEFORE_FLOP = 1_712_304  # C(48, 5)
_ONE = np.uint64(1)
MULTISETS = 6_175
# Sets of 3, 4 and 5 ranks of one suit, in this order, and for each the choices of the other ranks: 91, 13 or none.
_SETS_BEGIN = (0, 286, 1_001, 2_288)
_CHOICES = (91, 13, 1)
_CHOICES_BEGIN = (0, 91, 104)
SETS = 2_288
SUITED_BOARDS = 286 * 91 + 715 * 13 + 1_287

_CHOOSE = np.array([[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 2, 1, 0, 0, 0], [1, 3, 3, 1, 0, 0], [1, 4, 6, 4, 1, 0]])
# How a multiset stands for two classes: four counters of 12 bits, which add up to at most 703 boards.
_WINS, _TIES, _FULL, _OTHER_FULL = 0, 12, 24, 36
_COUNTER = 0xFFF


class BoardLists(NamedTuple):
    """Boards by card rank and by suit, as `weigh_before_flop` reads them."""

    sums: np.ndarray
    """(uint64) the constant sum of each multiset."""
    masks: np.ndarray
    set_sums: np.ndarray
    """The rank bits (int64) and the constant sum (uint64) of each set of 3 to 5 ranks."""
    suited_boards: np.ndarray
    """(uint16) the multiset of each set with each choice of other ranks."""


def empty_board_lists() -> BoardLists:
    """Room for the lists, which `list_boards` fills."""
    return BoardLists(
        np.empty(MULTISETS, np.uint64),
        np.empty(SETS, np.int64),
        np.empty(SETS, np.uint64),
        np.empty(SUITED_BOARDS, np.uint16),
    )


@kernel
def _share_pot(table, hand_keys, runout_key, ranks, counts):
    best = np.int64(-1)
    sharing = 0
    for i in range(len(hand_keys)):
        ranks[i] = rank_of_key(table, hand_keys[i] + runout_key)
        if ranks[i] > best:
            best = ranks[i]
            sharing = 0
        sharing += ranks[i] == best
    for i in range(len(hand_keys)):
        counts[i, sharing - 1] += ranks[i] == best


@kernel
def count_pots(table, card_keys, hands, deck, board, counts):
    """Add to `counts[hand, n - 1]` the boards on which the hand is one of n that share the pot.

    `hands` (n x 2) and `board` are uint8 cards; the board is completed from `deck` in every way.
    """
    hand_keys = np.empty(len(hands), np.uint64)
    ranks = np.empty(len(hands), np.int64)
    for i in range(len(hands)):
        hand_keys[i] = EMPTY_KEY + card_keys[hands[i, 0]] + card_keys[hands[i, 1]]
        for card in board:
            hand_keys[i] += card_keys[card]
    missing = 5 - len(board)
    if missing == 0:
        _share_pot(table, hand_keys, np.uint64(0), ranks, counts)
        return
    # Places in the deck, rising: the last one is a loop, those before it step like an odometer.
    places = np.arange(missing - 1)
    at = 0
    while at >= 0:
        runout_key = np.uint64(0)
        last = -1
        for place in places:
            runout_key += card_keys[deck[place]]
            last = place
        for place in range(last + 1, len(deck)):
            _share_pot(table, hand_keys, runout_key + card_keys[deck[place]], ranks, counts)
        at = missing - 2
        while at >= 0 and places[at] == len(deck) - missing + at:
            at -= 1
        if at >= 0:
            places[at] += 1
            for i in range(at + 1, missing - 1):
                places[i] = places[i - 1] + 1


@kernel
def list_boards(table, rank_keys, lists):
    """Fill the lists."""
    sums, masks, set_sums, suited_boards = lists
    multiset_of_rank = np.zeros(RANK_COUNT, np.uint16)
    found = 0
    for a in range(13):
        for b in range(a + 1):
            for c in range(b + 1):
                for d in range(c + 1):
                    for e in range(d + 1):
                        if a != e:
                            sums[found] = rank_keys[a] + rank_keys[b] + rank_keys[c] + rank_keys[d] + rank_keys[e]
                            multiset_of_rank[rank_without_flush(table, sums[found])] = found
                            found += 1
    found = 0
    board = 0
    for size in range(3, 6):
        for mask in range(1 << 13):
            total = np.uint64(0)
            members = 0
            for rank in range(13):
                if mask >> rank & 1:
                    total += rank_keys[rank]
                    members += 1
            if members != size:
                continue
            masks[found] = mask
            set_sums[found] = total
            found += 1
            for choice in range(_CHOICES[size - 3]):
                other = np.uint64(0)
                if size == 3:
                    other = rank_keys[CLASS_HIGH[choice]] + rank_keys[CLASS_LOW[choice]]
                elif size == 4:
                    other = rank_keys[choice]
                suited_boards[board] = multiset_of_rank[rank_without_flush(table, total + other)]
                board += 1


@kernel
def _count_multisets(room, ways):
    """The number of ways to choose each multiset's cards when `room[rank]` cards of each rank are left."""
    found = 0
    for a in range(13):
        a_ways = room[a]
        for b in range(a + 1):
            b_run = 2 if b == a else 1
            b_before = 1 if b == a else a_ways
            b_ways = b_before * _CHOOSE[room[b], b_run]
            for c in range(b + 1):
                c_run = b_run + 1 if c == b else 1
                c_before = b_before if c == b else b_ways
                c_ways = c_before * _CHOOSE[room[c], c_run]
                for d in range(c + 1):
                    d_run = c_run + 1 if d == c else 1
                    d_before = c_before if d == c else c_ways
                    d_ways = d_before * _CHOOSE[room[d], d_run]
                    for e in range(d + 1):
                        if a != e:
                            if e == d:
                                ways[found] = d_before * _CHOOSE[room[e], d_run + 1]
                            else:
                                ways[found] = d_ways * room[e]
                            found += 1


@kernel
def _compare_classes(ranks, other_ranks, ways, standings):
    """How one class stands to another on each multiset; the number of boards it wins and ties without flushes."""
    wins = 0
    ties = 0
    for i in range(MULTISETS):
        rank = ranks[i]
        other = other_ranks[i]
        wins += ways[i] * (rank > other)
        ties += ways[i] * (rank == other)
        standings[i] = (
            (rank > other) << _WINS
            | (rank == other) << _TIES
            | (rank >= FULL_HOUSE) << _FULL
            | (other >= FULL_HOUSE) << _OTHER_FULL
        )
    return wins, ties


@kernel
def _count_choices(ranks, case, ways):
    """The ways to choose a board's cards outside a suit, when `case` says which hole cards are of the suit.

    For 91 pairs of ranks, 13 ranks and no card.
    """
    left = np.full(13, 3)
    for i in range(4):
        left[ranks[i]] -= not case >> i & 1
    for choice in range(CLASS_COUNT):
        high, low = CLASS_HIGH[choice], CLASS_LOW[choice]
        ways[choice] = _CHOOSE[left[high], 2] if high == low else left[high] * left[low]
    for rank in range(13):
        ways[CLASS_COUNT + rank] = left[rank]
    ways[CLASS_COUNT + 13] = 1


@kernel
def _flush_changes(table, rank_keys, lists, standings, ranks, case, ways):
    """How flushes of one suit change the number of boards won and tied.

    `ranks` are those of the four hole cards, two on each side, and the bits of `case` say which are of the suit.
    """
    masks, set_sums, suited_boards = lists.masks, lists.set_sums, lists.suited_boards
    _count_choices(ranks, case, ways)
    taken = 0
    suited, other_suited = 0, 0
    suit_sum, other_sum = np.uint64(0), np.uint64(0)
    for i in range(4):
        if case >> i & 1:
            taken |= 1 << ranks[i]
            if i < 2:
                suited += 1
                suit_sum += rank_keys[ranks[i]]
            else:
                other_suited += 1
                other_sum += rank_keys[ranks[i]]
    win_change, tie_change = 0, 0
    board = 0
    for size in range(3, 6):
        first, end = _SETS_BEGIN[size - 3], _SETS_BEGIN[size - 2]
        choices, first_choice = _CHOICES[size - 3], _CHOICES_BEGIN[size - 3]
        flush = size + suited >= 5
        other_flush = size + other_suited >= 5
        if not (flush or other_flush):
            board += choices * (end - first)
            continue
        boards = 0
        for choice in range(choices):
            boards += ways[first_choice + choice]
        for i in range(first, end):
            if masks[i] & taken:
                board += choices
                continue
            counters = 0
            for choice in range(choices):
                counters += ways[first_choice + choice] * standings[suited_boards[board + choice]]
            board += choices
            win_change -= counters >> _WINS & _COUNTER
            tie_change -= counters >> _TIES & _COUNTER
            rank = flush_rank(table, set_sums[i] + suit_sum) if flush else -1
            other_rank = flush_rank(table, set_sums[i] + other_sum) if other_flush else -1
            if flush and other_flush:
                win_change += boards * (rank > other_rank)
                tie_change += boards * (rank == other_rank)
            elif flush:
                win_change += boards if rank >= STRAIGHT_FLUSH else boards - (counters >> _OTHER_FULL)
            elif other_rank < STRAIGHT_FLUSH:
                win_change += counters >> _FULL & _COUNTER
    return win_change, tie_change


@kernel
def _rank_classes(table, rank_keys, sums, wanted, class_ranks):
    """The rank of each wanted class on each multiset, flushes left out of account."""
    for i in range(CLASS_COUNT):
        if wanted[i]:
            class_sum = rank_keys[CLASS_HIGH[i]] + rank_keys[CLASS_LOW[i]]
            for j in range(MULTISETS):
                class_ranks[i, j] = rank_without_flush(table, sums[j] + class_sum)


@kernel
def weigh_before_flop(table, rank_keys, lists, own_weights, weights, weighed):
    """Add by own holding the weight of the other holdings times the boards. Those without own weight are left out."""
    beaten, tied, met = weighed[0], weighed[1], weighed[2]
    # The holdings of each class that matter to either side, and their cards.
    members = np.empty((CLASS_COUNT, 16), np.int64)
    counts = np.zeros(CLASS_COUNT, np.int64)
    cards = np.empty((len(weights), 2), np.int64)
    holding = 0
    for high in range(52):
        for low in range(high):
            cards[holding, 0], cards[holding, 1] = high, low
            if own_weights[holding] > 0 or weights[holding] > 0:
                at = (high >> 2) * ((high >> 2) + 1) // 2 + (low >> 2)
                members[at, counts[at]] = holding
                counts[at] += 1
            holding += 1
    class_ranks = np.empty((CLASS_COUNT, MULTISETS), np.uint16)
    _rank_classes(table, rank_keys, lists.sums, counts, class_ranks)

    ranks = np.empty(4, np.int64)
    room = np.empty(13, np.int64)
    board_ways = np.empty(MULTISETS, np.int64)
    standings = np.empty(MULTISETS, np.int64)
    choice_ways = np.empty(CLASS_COUNT + 14, np.int64)
    known = np.empty(16, np.bool_)
    changes = np.empty((16, 2), np.int64)
    wins, ties = 0, 0
    for i in range(CLASS_COUNT):
        for j in range(i + 1):
            compared = False
            for own in members[i, : counts[i]]:
                for other in members[j, : counts[j]]:
                    forth = own_weights[own] > 0 and weights[other] > 0
                    back = i != j and own_weights[other] > 0 and weights[own] > 0
                    a, b = cards[own]
                    c, d = cards[other]
                    if not (forth or back) or a in (c, d) or b in (c, d):
                        continue
                    if not compared:
                        ranks[0], ranks[1], ranks[2], ranks[3] = a >> 2, b >> 2, c >> 2, d >> 2
                        room[:] = 4
                        for rank in ranks:
                            room[rank] -= 1
                        _count_multisets(room, board_ways)
                        wins, ties = _compare_classes(class_ranks[i], class_ranks[j], board_ways, standings)
                        known[:] = False
                        compared = True
                    all_wins, all_ties = wins, ties
                    for suit in range(4):
                        case = (a & 3 == suit) | (b & 3 == suit) << 1 | (c & 3 == suit) << 2 | (d & 3 == suit) << 3
                        if not known[case]:
                            changes[case, 0], changes[case, 1] = _flush_changes(
                                table, rank_keys, lists, standings, ranks, case, choice_ways
                            )
                            known[case] = True
                        all_wins += changes[case, 0]
                        all_ties += changes[case, 1]
                    if forth:
                        beaten[own] += weights[other] * all_wins
                        tied[own] += weights[other] * all_ties
                        met[own] += weights[other] * BOARDS_BEFORE_FLOP
                    if back:
                        beaten[other] += weights[own] * (BOARDS_BEFORE_FLOP - all_wins - all_ties)
                        tied[other] += weights[own] * all_ties
                        met[other] += weights[own] * BOARDS_BEFORE_FLOP


@kernel
def _walk_by_rank(ranks, cards, weights, heads, links, sums):
    """Add what the holdings beat, tie with and meet on one board to `sums[i]`, all of them in one walk."""
    heads[:] = -1
    for i in range(len(ranks)):
        if ranks[i] >= 0:
            links[i] = heads[ranks[i]]
            heads[ranks[i]] = i
    total = 0.0
    with_card = np.zeros(52)
    for rank in range(RANK_COUNT):
        # The holdings of one rank: read what lies below, pass them, read again.
        i = heads[rank]
        while i >= 0:
            below = total - with_card[cards[i, 0]] - with_card[cards[i, 1]]
            sums[i, 0] += below
            sums[i, 1] -= below
            i = links[i]
        i = heads[rank]
        while i >= 0:
            weight = weights[i]
            total += weight
            with_card[cards[i, 0]] += weight
            with_card[cards[i, 1]] += weight
            i = links[i]
        i = heads[rank]
        while i >= 0:
            # Both cards' weights contain the holding itself, which is to be left out once.
            sums[i, 1] += total - with_card[cards[i, 0]] - with_card[cards[i, 1]] + weights[i]
            i = links[i]
    for i in range(len(ranks)):
        if ranks[i] >= 0:
            sums[i, 2] += total - with_card[cards[i, 0]] - with_card[cards[i, 1]] + weights[i]


@kernel
def _compare_pairs(ranks, masks, own_weights, weights, sums):
    """The same, pair by pair: quicker where one side has few holdings."""
    for i in range(len(ranks)):
        if ranks[i] < 0 or not own_weights[i] > 0:
            continue
        wins, ties, total = 0.0, 0.0, 0.0
        for j in range(len(ranks)):
            if ranks[j] >= 0 and not masks[i] & masks[j]:
                weight = weights[j]
                total += weight
                wins += weight * (ranks[i] > ranks[j])
                ties += weight * (ranks[i] == ranks[j])
        sums[i, 0] += wins
        sums[i, 1] += ties
        sums[i, 2] += total


@kernel
def weigh_on_board(table, card_keys, runouts, board, own_weights, weights, weighed):
    """Add by own holding the weight of the other holdings over all runouts.

    The board has three to five cards; each row of `runouts` (uint8) is one way to complete it. The numbers of holdings
    without own weight mean nothing.
    """
    board_key = EMPTY_KEY
    board_mask = np.uint64(0)
    for card in board:
        board_key += card_keys[card]
        board_mask |= _ONE << np.uint64(card)
    holdings = np.empty(len(weights), np.int64)
    cards = np.empty((len(weights), 2), np.int64)
    keys = np.empty(len(weights), np.uint64)
    masks = np.empty(len(weights), np.uint64)
    found, own_count = 0, 0
    for high in range(52):
        for low in range(high):
            holding = high * (high - 1) // 2 + low
            mask = _ONE << np.uint64(high) | _ONE << np.uint64(low)
            if (own_weights[holding] > 0 or weights[holding] > 0) and not mask & board_mask:
                holdings[found] = holding
                cards[found, 0], cards[found, 1] = high, low
                keys[found] = board_key + card_keys[high] + card_keys[low]
                masks[found] = mask
                found += 1
                own_count += own_weights[holding] > 0
    holdings = holdings[:found]
    own, others = own_weights[holdings], weights[holdings]
    sums = np.zeros((found, 3))
    ranks = np.empty(found, np.int16)
    heads = np.empty(RANK_COUNT, np.int16)
    links = np.empty(found, np.int16)
    for i in range(len(runouts)):
        runout_key = np.uint64(0)
        runout_mask = np.uint64(0)
        for card in runouts[i]:
            runout_key += card_keys[card]
            runout_mask |= _ONE << np.uint64(card)
        for j in range(found):
            ranks[j] = -1 if masks[j] & runout_mask else rank_of_key(table, keys[j] + runout_key)
        # A walk takes as long as some thousand comparisons and some more for each holding.
        if own_count * found < 2_000 + 8 * found:
            _compare_pairs(ranks, masks, own, others, sums)
        else:
            _walk_by_rank(ranks, cards, others, heads, links, sums)
    for j in range(found):
        for k in range(3):
            weighed[k, holdings[j]] += sums[j, k]
