"""Slow twins of the kernels in plain Python. They import nothing from railbird, so that they cannot share its mistakes.

Cards are integers 0-51, 4 * rank + suit, with ranks 23456789TJQKA and suits cdhs.
"""

from __future__ import annotations

from itertools import permutations

# ---------------------------------------------------------------------------------------------------------------------
# Suit isomorphism
# ---------------------------------------------------------------------------------------------------------------------


def relabelled(cards, permutation):
    """The cards with suit s replaced by permutation[s]."""
    return [4 * (card // 4) + permutation[card % 4] for card in cards]


def canonical_deal(holding, board):
    """The least of the 24 relabellings of a deal: equal for two deals exactly when they are isomorphic."""
    return min(
        (sorted(relabelled(holding, permutation)), sorted(relabelled(board, permutation)))
        for permutation in permutations(range(4))
    )


def deals_in_class(holding, board):
    """How many different deals the 24 relabellings of this one are."""
    return len(
        {
            (tuple(sorted(relabelled(holding, permutation))), tuple(sorted(relabelled(board, permutation))))
            for permutation in permutations(range(4))
        }
    )


def class_count_by_burnside(holding_cards, board_cards):
    """The number of classes of deals: the mean, over the 24 permutations, of the deals that each leaves alone.

    A deal is left alone when every cycle of suits has the same cards: for each of 13 ranks, the l cards of a cycle of
    length l are all in the holding, all on the board, or all elsewhere.
    """
    fixed = 0
    for permutation in permutations(range(4)):
        ways = {(0, 0): 1}
        for length in _cycle_lengths(permutation):
            for _ in range(13):
                extended = {}
                for (holding, board), count in ways.items():
                    for more in ((0, 0), (length, 0), (0, length)):
                        key = (holding + more[0], board + more[1])
                        if key[0] <= holding_cards and key[1] <= board_cards:
                            extended[key] = extended.get(key, 0) + count
                ways = extended
        fixed += ways.get((holding_cards, board_cards), 0)
    assert fixed % 24 == 0
    return fixed // 24


def _cycle_lengths(permutation):
    seen = set()
    lengths = []
    for start in range(len(permutation)):
        length = 0
        while start not in seen:
            seen.add(start)
            start = permutation[start]
            length += 1
        if length:
            lengths.append(length)
    return lengths
