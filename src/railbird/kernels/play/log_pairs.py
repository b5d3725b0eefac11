"""The two halves of duplicate pairs: the same deal, played once each way round.

The caller sorts the hands so that candidates stand together. Within a run of equal keys each hand without a partner
takes the next one in which the players are exchanged and the board agrees as far as both were dealt.
"""

from railbird.kernels.compiling import kernel


@kernel
def _same_row(keys, i, j):
    same = True
    for column in range(keys.shape[1]):
        same &= keys[i, column] == keys[j, column]
    return same


@kernel
def match_pairs(order, keys, players, board, fewest_cards, partners):
    """Fill in `partners` (-1 where there is none yet) for hands order[0], order[1], ...; the number of new pairs.

    Hands with equal rows of `keys` are candidates for each other; at least `fewest_cards` board cards must be common.
    """
    pairs = 0
    count = len(order)
    start = 0
    while start < count:
        stop = start + 1
        while stop < count and _same_row(keys, order[stop], order[start]):
            stop += 1
        for a in range(start, stop):
            i = order[a]
            if partners[i] >= 0:
                continue
            for b in range(a + 1, stop):
                j = order[b]
                if partners[j] >= 0 or players[i, 0] != players[j, 1] or players[i, 1] != players[j, 0]:
                    continue
                common = 0
                agree = True
                for c in range(5):
                    if board[i, c] < 52 and board[j, c] < 52:
                        common += 1
                        agree = agree and board[i, c] == board[j, c]
                if agree and common >= fewest_cards:
                    partners[i] = j
                    partners[j] = i
                    pairs += 1
                    break
        start = stop
    return pairs
