"""Slow twins of the kernels in plain Python. They import nothing from railbird, so that they cannot share its mistakes.

Cards are integers 0-51, 4 * rank + suit, with ranks 23456789TJQKA and suits cdhs.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import e, fsum, sqrt

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


# ---------------------------------------------------------------------------------------------------------------------
# Ranking
# ---------------------------------------------------------------------------------------------------------------------


def five_card_order(ranks, flush):
    """A tuple that orders five cards as poker does: the category, then the ranks that decide within it."""
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = tuple(count for count, _ in groups)
    order = tuple(rank for _, rank in groups)
    if order == (12, 3, 2, 1, 0):
        order = (3, 2, 1, 0, -1)  # the ace of a wheel is low
    straight = len(order) == 5 and order[0] - order[4] == 4
    if straight and flush:
        return 8, order
    if shape == (4, 1):
        return 7, order
    if shape == (3, 2):
        return 6, order
    if flush:
        return 5, order
    if straight:
        return 4, order
    return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[shape], order


@cache
def rank_of_order():
    """The number of each `five_card_order`, from the worst, 0, to the best, 7461."""
    orders = {five_card_order(ranks, True) for ranks in combinations(range(13), 5)}
    for ranks in combinations_with_replacement(range(13), 5):
        if max(ranks.count(rank) for rank in ranks) <= 4:
            orders.add(five_card_order(ranks, False))
    return {order: number for number, order in enumerate(sorted(orders))}


def rank(cards):
    """The rank of the best five of 5, 6 or 7 cards."""
    best = max(
        five_card_order([card // 4 for card in five], len({card % 4 for card in five}) == 1)
        for five in combinations(cards, 5)
    )
    return rank_of_order()[best]


# ---------------------------------------------------------------------------------------------------------------------
# Betting and payoffs
# ---------------------------------------------------------------------------------------------------------------------


class BettingTable:
    """The betting of one hand, kept as the list of what was done; every answer is worked out anew from that list.

    Rules: a raise is at least the last full one. A short all-in does not let those raise who have already acted, unless
    all that they now face is a full raise; in fixed limit half a bet counts as a full one, and less than half a bet is
    completed by the next raise. Positions are those of the betting order after the flop; `stacks` None is unlimited.
    """

    def __init__(self, structure, blinds, bet_sizes, caps, first, ante=0, stacks=None, largest=None):
        self.structure, self.blinds, self.bet_sizes, self.caps = structure, blinds, bet_sizes, caps
        self.first, self.largest = first, largest
        self.seats = range(len(blinds))
        self.stacks = stacks or [10**12] * len(blinds)
        self.log = []
        for p in self.seats:
            self.log.append((-1, p, "ante", min(ante, self.left(p))))
        for p in self.seats:
            self.log.append((0, p, "blind", min(blinds[p], self.left(p))))

    def paid(self, position, street=None):
        return sum(chips for s, p, _, chips in self.log if p == position and street in (None, s))

    def left(self, position):
        return self.stacks[position] - self.paid(position)

    def live(self):
        return [p for p in self.seats if not any(q == p and kind == "f" for _, q, kind, _ in self.log)]

    def level(self, street):
        return max([self.paid(p, street) for p in self.seats] + [max(self.blinds) if street == 0 else 0])

    def actions(self, street):
        return [(p, kind) for s, p, kind, _ in self.log if s == street and kind in "fcr"]

    def turn(self):
        """The street and the position to act; the position is None when the hand is over."""
        if len(self.live()) == 1:
            return max(street for street, *_ in self.log), None
        for street in range(len(self.bet_sizes)):
            done = self.actions(street)
            last_raise = max([at for at, (_, kind) in enumerate(done) if kind == "r"], default=0)
            answered = {p for p, _ in done[last_raise:]}
            start = done[-1][0] + 1 if done else self.first[street]
            for step in self.seats:
                p = (start + step) % len(self.seats)
                if p in self.live() and self.left(p) and p not in answered and self.has_a_choice(street, p):
                    return street, p
        return len(self.bet_sizes) - 1, None

    def nobody_can_bet(self):
        return sum(self.left(p) > 0 for p in self.live()) < 2

    def has_a_choice(self, street, position):
        return not self.nobody_can_bet() or self.owed(street, position) > 0

    def owed(self, street, position):
        own = self.paid(position, street)
        others = [p for p in self.live() if p != position]
        if any(self.left(p) for p in others):
            return self.level(street) - own
        return max(0, max(self.paid(p, street) for p in others) - own)

    def raises(self, street):
        """How many raises count, the level that the last of them made, and the size of the last full one."""
        bet = self.bet_sizes[street]
        count, base, size = 0, max(self.blinds) if street == 0 else 0, bet
        level, bets = base, dict.fromkeys(self.seats, 0)
        for s, p, kind, chips in self.log:
            if s != street:
                continue
            bets[p] += chips
            if kind != "r":
                continue
            if self.structure == "fixed-limit":
                if (bets[p] - base) * 2 >= bet:
                    count, base = count + 1, bets[p]
            elif bets[p] - level >= size:
                count, base, size = count + 1, bets[p], bets[p] - level
            level = bets[p]
        return count, base, size

    def raise_bounds(self):
        """Smallest and largest raise as totals paid in this hand; (0, 0) where none is allowed."""
        street, position = self.turn()
        count, base, size = self.raises(street)
        bet, level, own = self.bet_sizes[street], self.level(street), self.paid(position, street)
        faced = level - own
        if self.caps[street] is not None and count >= self.caps[street]:
            return 0, 0
        if self.left(position) <= faced:
            return 0, 0
        if all(self.left(p) + self.paid(p, street) <= level for p in self.live() if p != position):
            return 0, 0
        if any(p == position for p, _ in self.actions(street)):
            enough = bet / 2 if self.structure == "fixed-limit" else size
            if faced < enough:
                return 0, 0
        pot = sum(self.paid(p) for p in self.seats)
        if self.structure == "fixed-limit":
            least = most = base + bet
        else:
            least = level + size
            most = {
                "no-limit": own + self.left(position),
                "pot-limit": max(least, level + pot + faced),
                "spread-limit": level + (self.largest[street] if self.largest else 0),
            }[self.structure]
        before = self.paid(position) - own
        stack = self.stacks[position]
        return min(before + least, stack), min(before + most, stack)

    def act(self, kind, total=0):
        """Fold, call, or raise to `total` chips paid in this hand (in fixed limit, whatever the raise is)."""
        street, position = self.turn()
        if kind == "f":
            chips = 0
        elif kind == "c":
            chips = min(self.owed(street, position), self.left(position))
        else:
            chips = (self.raise_bounds()[0] if self.structure == "fixed-limit" else total) - self.paid(position)
        self.log.append((street, position, kind, chips))


def shared_pots(paid, live, ranks):
    """What everybody wins or loses: pots are built up chip by chip and dealt out chip by chip, in position order."""
    pots = []
    for layer in range(max(paid)):
        chips = sum(put_in > layer for put_in in paid)
        contenders = [p for p in live if paid[p] > layer]
        if pots and contenders in ([], pots[-1][0]):
            pots[-1][1] += chips
        else:
            pots.append([contenders, chips])
    result = [-put_in for put_in in paid]
    for contenders, chips in pots:
        winners = [p for p in contenders if ranks[p] == max(ranks[q] for q in contenders)]
        for chip in range(chips):
            result[winners[chip % len(winners)]] += 1
    return result


def street_endings(players, bets, free_fold, blinds=False):
    """How many ways the betting of one limit street can end, by the number of players left.

    At most `bets` bets are made. With `blinds` one bet is made already, by the last player to act.
    """
    endings = {}

    def play(waiting, others, bets_left, facing_bet):
        # `waiting` players have yet to act, `others` have acted and match the bet; all are interchangeable.
        if waiting + others == 1 or waiting == 0:
            endings[waiting + others] = endings.get(waiting + others, 0) + 1
            return
        # Once nobody has raised, the last one waiting behind the blinds is the big blind, who may check.
        free = not facing_bet or (facing_bet == "blind" and waiting == 1)
        if free_fold or not free:
            play(waiting - 1, others, bets_left, facing_bet)
        play(waiting - 1, others + 1, bets_left, facing_bet)
        if bets_left:
            play(waiting + others - 1, 1, bets_left - 1, "bet")

    play(players, 0, bets - blinds, "blind" if blinds else "")
    return endings


# ---------------------------------------------------------------------------------------------------------------------
# Equity
# ---------------------------------------------------------------------------------------------------------------------


def pots(hands, board, deck):
    """How often each hand is one of n that share the pot, by hand and n - 1, over all runouts from the deck."""
    counts = [[0] * len(hands) for _ in hands]
    for runout in combinations(deck, 5 - len(board)):
        ranks = [rank((*hand, *board, *runout)) for hand in hands]
        sharing = ranks.count(max(ranks))
        for hand_counts, hand_rank in zip(counts, ranks):
            if hand_rank == max(ranks):
                hand_counts[sharing - 1] += 1
    return counts


def range_equity(own_weights, weights, board, deck):
    """The weight of the wins, ties and all pairs of holdings with a runout. Ranges are dicts from holding to weight."""
    wins = ties = total = 0.0
    for runout in combinations(deck, 5 - len(board)):
        full = (*board, *runout)
        ranks = {
            holding: rank((*holding, *full))
            for holding in own_weights.keys() | weights.keys()
            if not set(holding) & set(full)
        }
        for own, own_weight in own_weights.items():
            for other, weight in weights.items():
                if own in ranks and other in ranks and not set(own) & set(other):
                    total += own_weight * weight
                    wins += own_weight * weight * (ranks[own] > ranks[other])
                    ties += own_weight * weight * (ranks[own] == ranks[other])
    return wins, ties, total


# ---------------------------------------------------------------------------------------------------------------------
# Playouts
# ---------------------------------------------------------------------------------------------------------------------


def playout_share(hole, board, opponents, playouts, state):
    """The share of playouts won against random holdings, drawn with the SplitMix64 generator that begins at `state`."""
    unseen = [card for card in range(52) if card not in hole and card not in board]
    mask = (1 << 64) - 1

    def draw(at):
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        bits = state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & mask
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
        bits ^= bits >> 31
        other = at + ((bits >> 11) * (len(unseen) - at) >> 53)
        unseen[at], unseen[other] = unseen[other], unseen[at]
        return unseen[at]

    won = 0.0
    for _ in range(playouts):
        missing = 5 - len(board)
        full = [*board, *[draw(at) for at in range(missing)]]
        own = rank([*hole, *full])
        tied = 1
        for opponent in range(opponents):
            at = missing + 2 * opponent
            theirs = rank([draw(at), draw(at + 1), *full])
            if theirs > own:
                tied = 0
                break
            tied += theirs == own
        won += 1 / tied if tied else 0
    return won / playouts


# ---------------------------------------------------------------------------------------------------------------------
# Strength and potential
# ---------------------------------------------------------------------------------------------------------------------


def standings(holding, board, weights):
    """The weight of the opponent's holdings that `holding` is ahead of, tied with and behind (Papp 1998, figure 5.1).

    `weights` are the 1,326 weights, numbered by the higher and then the lower card.
    """
    parts = [[], [], []]
    for other, weight in live_holdings(holding, board, weights):
        parts[standing(holding, other, board)].append(weight)
    return [fsum(part) for part in parts]


def transitions(holding, board, cards_to_come, weights):
    """The 3 x 3 table of Papp 1998, figure 5.2: now (row) and later (column) ahead, tied and behind."""
    parts = [[[] for _ in range(3)] for _ in range(3)]
    for other, weight in live_holdings(holding, board, weights):
        now = standing(holding, other, board)
        left = [card for card in range(52) if card not in (*holding, *other, *board)]
        for runout in combinations(left, cards_to_come):
            parts[now][standing(holding, other, (*board, *runout))].append(weight)
    return [[fsum(part) for part in row] for row in parts]


def potentials(holding, board, cards_to_come, weights):
    """PPOT and NPOT by Papp 1998, equations 5.5 and 5.6; 0 where there is nothing to divide by."""
    ahead, tied, behind = transitions(holding, board, cards_to_come, weights)
    better = behind[0] + behind[1] / 2 + tied[0] / 2
    worse = ahead[2] + ahead[1] / 2 + tied[2] / 2
    from_behind = sum(behind) + sum(tied) / 2
    from_ahead = sum(ahead) + sum(tied) / 2
    return (better / from_behind if from_behind else 0.0), (worse / from_ahead if from_ahead else 0.0)


def all_in_equity(holding, board, weights):
    """The share of the pot that `holding` wins when the rest of the board is dealt."""
    table = transitions(holding, board, 5 - len(board), weights)
    ahead, tied, behind = (fsum(row[column] for row in table) for column in range(3))
    return (ahead + tied / 2) / (ahead + tied + behind)


def live_holdings(holding, board, weights):
    for high in range(52):
        for low in range(high):
            weight = weights[high * (high - 1) // 2 + low]
            if weight and not {high, low} & {*holding, *board}:
                yield (high, low), weight


def standing(holding, other, board):
    """0 if `holding` is ahead of `other`, 1 if tied, 2 if behind."""
    ours, theirs = (rank_of_set(frozenset((*cards, *board))) for cards in (holding, other))
    return 0 if ours > theirs else 1 if ours == theirs else 2


@cache
def rank_of_set(cards):
    return rank(cards)


# ---------------------------------------------------------------------------------------------------------------------
# Strength against several opponents, and the crude potential
# ---------------------------------------------------------------------------------------------------------------------


def multiway_strength(holding, board, arrays, tie_value):
    """The share of all deals of distinct cards to the opponents that `holding` wins; `tie_value(k)` for k tied ones."""
    won, total = [], []

    def deal(opponents, dead, weight, tied, beaten):
        if not opponents:
            total.append(weight)
            if beaten:
                won.append(weight * tie_value(tied))
            return
        for other, chance in live_holdings((), tuple(dead), opponents[0]):
            how = standing(holding, other, board)
            deal(opponents[1:], dead | set(other), weight * chance, tied + (how == 1), beaten and how < 2)

    deal(arrays, {*holding, *board}, 1.0, 0, True)
    return fsum(won) / fsum(total)


def crude_potential(holding, board):
    """The outs of `holding`, card by card, over the number of cards that may come (Papp 1998, section 7.2.3)."""
    left = [card for card in range(52) if card not in (*holding, *board)]
    return fsum(crude_value(holding, board, card) for card in left) / (len(left) - 2)


def crude_value(holding, board, card):
    """What a card to come is worth to a holding, in outs."""
    on_board = [c // 4 for c in board]
    own, rank = [c // 4 for c in holding], card // 4
    suits = [c % 4 for c in board]
    paired, three_suited = len(set(on_board)) < len(board), max(suits.count(s) for s in suits) > 2
    met = [r for r in on_board if r in own]
    if any(suits.count(c % 4) + sum(c % 4 == d % 4 for d in holding) >= 5 for c in holding):
        return 0.07 if rank in on_board else 0.0
    value = 0.0
    if _own_straight(own, on_board) or (own[0] != own[1] and len(set(met)) == 2 and len(met) > 2):
        value = 0.07 if rank in on_board else 0.0
    elif own[0] == own[1] and met:
        quiet = not three_suited and not _near_straight(on_board)
        value = 0.2 if rank in own else (0.1 if quiet else 0.95) if rank in on_board else 0.0
    elif own[0] != own[1] and len(set(met)) == 1 and len(met) > 1:
        value = 0.4 if rank in on_board else 1.0 if rank in own else 0.0
    elif _own_straight([*own, rank], [*on_board, rank]):
        value = 0.7 if paired or three_suited else 0.8
    elif own[0] == own[1]:
        value = 0.6 if rank in own else 0.1 if rank in on_board else 0.0
    elif not met:
        if rank in own:
            value = 0.75 - 0.07 * sum(r > rank for r in set(on_board)) + 0.1 * paired
    elif len(met) == 2:
        quiet = not three_suited and not _near_straight(on_board)
        value = (0.5 if quiet else 0.85) if rank in own else 0.0
    elif paired:
        value = 0.5 if rank in own else 0.1 if rank in on_board else 0.0
    else:
        value = 0.8 if rank in own else 0.0
    suited = [c for c in holding if c % 4 == card % 4]
    if suited and suits.count(card % 4) + len(suited) == 4:
        flush = 0.9 if len(suited) == 2 else 0.5 + 0.5 * (suited[0] // 4) / 12
        value = max(value, flush)
    return value


def _runs(ranks):
    """The runs of five among ranks, by their highest rank; the ace is also below the two."""
    with_ace = {*ranks, *([-1] if 12 in ranks else [])}
    return {top for top in range(3, 13) if all(top - step in with_ace for step in range(5))}


def _own_straight(own, on_board):
    best = max(_runs([*own, *on_board]), default=-1)
    return best > max(_runs(on_board), default=-1)


def _near_straight(ranks):
    with_ace = {*ranks, *([-1] if 12 in ranks else [])}
    return any(len(with_ace & set(range(low, low + 5))) >= 3 for low in range(-1, 9))


# ---------------------------------------------------------------------------------------------------------------------
# Opponent models (Papp 1998, chapter 7), written after the figures' code
# ---------------------------------------------------------------------------------------------------------------------


def mixed_frequency(counts, defaults, street, bets, action):
    """Equation 7.4. counts[street][bets][action] are numbers seen, defaults[bets][action] Table B.2."""
    if street < 0:
        return defaults[bets][action]
    seen = sum(counts[street][bets])
    own = counts[street][bets][action] / seen if seen else 0.0
    if seen >= 20:
        return own
    return own * seen / 20 + mixed_frequency(counts, defaults, street - 1, bets, action) * (20 - seen) / 20


def reweight_preflop(weights, incomes, share, sigma=330):
    """Figure 7.1, with mu from the sorted incomes and nothing done below the fifth percentile."""
    if share < 0.05:
        return list(weights)
    mu = sorted(incomes)[round(share * (len(incomes) - 1))]
    return [max(0.01, w * ramp(income, mu, sigma)) for w, income in zip(weights, incomes)]


def reweight_postflop(weights, values, potentials, mu, pot_odds, upper=None, lowest_inverse=None):
    """Figures 7.3 and 7.4; potentials is None on the river. `upper` adds the inverse, 1 - the factor of a raise."""
    found = []
    for holding, (weight, value) in enumerate(zip(weights, values)):
        spared = potentials is not None and potentials[holding] >= pot_odds
        factor = 1.0 if spared else strength_ramp(value, mu)
        if upper is not None:
            factor *= max(lowest_inverse, 1 - strength_ramp(value, upper))
        found.append(max(0.01, weight * factor))
    return found


def strength_ramp(value, mu):
    """The factor of an effective hand strength, with the correction for mu < sigma (equation 7.8)."""
    sigma = 0.4 * (1 - mu)
    if mu >= sigma:
        return ramp(value, mu, sigma)
    r = 1 - 2 * mu / (mu + sigma)
    return 1.0 if value >= mu + sigma else r + (1 - r) * value / (mu + sigma)


def ramp(value, mu, sigma):
    """Figure 7.2."""
    if value < mu - sigma:
        return 0.01
    if value > mu + sigma:
        return 1.0
    return max(0.01, (value - mu + sigma) / (2 * sigma)) if sigma else 1.0


# ---------------------------------------------------------------------------------------------------------------------
# Expected ranks and sigmoid weights (Piël 2006)
# ---------------------------------------------------------------------------------------------------------------------


def rank_sum(holding, board):
    """The sum of the final ranks of a holding over all ways to finish the board."""
    left = [card for card in range(52) if card not in (*holding, *board)]
    return sum(rank((*holding, *board, *runout)) for runout in combinations(left, 5 - len(board)))


def model_weights(bet_frequency, action):
    """Algorithm 2, word for word but for the array type."""
    fold, call, bet = bet_frequency
    total = sum(bet_frequency)
    fold = int(364.0 / total * fold)  # set length
    call = int(364.0 / total * call)
    bet = int(364.0 / total * bet)
    # create raise weights
    rweights = [0.0] * 364  # 91*4
    cursor = 364 - bet
    for i in range(bet):
        x = float(i) / bet
        rweights[cursor] = 1.0 - 1.0 / (1 + e ** (10 * (x - 0.5)))
        cursor += 1
    if action == "raise":
        return rweights
    # create fold weights
    fweights = [0.0] * 364
    for cursor in range(fold):
        x = float(cursor) / fold
        fweights[cursor] = 1.0 / (1.0 + e ** (10 * (x - 0.5)))
    if action == "fold":
        return fweights
    # create call weights
    return [1.0 - f - r for f, r in zip(fweights, rweights)]


def showdown_chance(holding, board, opponents):
    """The chance to beat all opponents, whose holdings (dicts from holding to weight) may overlap, ties half each."""
    left = [card for card in range(52) if card not in (*holding, *board)]
    products = []
    for runout in combinations(left, 5 - len(board)):
        full = (*board, *runout)
        own = rank((*holding, *full))
        product = 1.0
        for weights in opponents:
            met = {h: weight for h, weight in weights.items() if not set(h) & {*holding, *full}}
            ranks = {h: rank((*h, *full)) for h in met}
            won = fsum(weight * ((ranks[h] < own) + (ranks[h] == own) / 2) for h, weight in met.items())
            product *= won / fsum(met.values())
        products.append(product)
    return fsum(products) / len(products)


# ---------------------------------------------------------------------------------------------------------------------
# Play-outs from the weight arrays (Papp 1998, chapter 9)
# ---------------------------------------------------------------------------------------------------------------------


def play_out(
    action,
    street,
    bets,
    caps,
    firsts,
    paid_now,
    raises,
    pot,
    waiting,
    own,
    players,
    values,
    ours,
    thresholds,
    ranks,
    luck,
    acted,
):
    """What `own` wins from here on with `action`.

    `waiting` are the players to act, in order, `acted` those who have acted on the street, `luck` random numbers.
    """
    value, ppot, make1, make2 = ours
    paid_now, shown, in_hand = dict(paid_now), dict.fromkeys(players, 0.0), list(players)
    level, cost, is_first, began = max(paid_now.values()), 0, True, street
    waiting = list(waiting)
    while True:
        while waiting:
            player = waiting.pop(0)
            owed, free_to_raise = level - paid_now[player], raises < caps[street]
            if is_first:
                choice, is_first = action, False
            elif player == own:
                strength = value if street == began else values[street][own]
                chance = 1.0
                for other in in_hand:
                    if other != own:
                        chance *= max(0.0, (strength - shown[other]) / (1 - shown[other])) if shown[other] < 1 else 0.0
                draw = ppot if street == began else 0.0
                chance = chance + (1 - chance) * draw
                wanted = 2 if chance >= make2 else 1 if chance >= make1 else 0
                if raises < wanted and free_to_raise:
                    choice = "raise"
                elif not owed or wanted or max(chance, draw) * (pot + owed) >= owed:
                    choice = "call"
                else:
                    choice = "fold"
            else:
                did = 2 if paid_now[player] else 1 if player in acted else 0
                call_from, raise_from = thresholds[player][street][min(2, -(-owed // bets[street]))][did]
                x, choice = next(luck), "fold"
                if free_to_raise and x < _act_chance(values[street][player], raise_from):
                    choice, shown[player] = "raise", max(shown[player], raise_from)
                elif not owed:
                    choice = "call"
                elif x < _act_chance(values[street][player], call_from):
                    choice, shown[player] = "call", max(shown[player], call_from)
            if choice == "fold":
                in_hand.remove(player)
                if player == own:
                    return -cost
                if in_hand == [own]:
                    return pot - cost
                continue
            if choice == "raise":
                level, raises = level + bets[street], raises + 1
                place = in_hand.index(player)
                waiting = in_hand[place + 1 :] + in_hand[:place]
            acted = acted | {player}
            put = level - paid_now[player]
            paid_now[player] += put
            pot += put
            cost += put if player == own else 0
        if street == 3:
            break
        street, level, raises, acted = street + 1, 0, 0, set()
        paid_now = dict.fromkeys(paid_now, 0)
        waiting = [p for p in in_hand if p >= firsts[street]] + [p for p in in_hand if p < firsts[street]]
    best = max(ranks[p] for p in in_hand)
    winners = [p for p in in_hand if ranks[p] == best]
    return (pot / len(winners) if own in winners else 0) - cost


def _act_chance(value, mu):
    sigma = 0.4 * (1 - mu)
    if sigma == 0:
        return 1.0 if value >= mu else 0.0
    low, high = mu - sigma, mu + sigma
    return 0.0 if value <= low else 1.0 if value >= high else (value - low) / (high - low)


def split_mix(state):
    """The numbers in [0, 1) of the SplitMix64 generator that begins at `state`."""
    mask = (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        bits = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
        yield ((bits ^ (bits >> 31)) >> 11) / 2**53


# ---------------------------------------------------------------------------------------------------------------------
# Best response on the river
# ---------------------------------------------------------------------------------------------------------------------


def turn_response(holding, board, weights, chips, bet, cap, responder, chances):
    """The same on the turn, with all 44 rivers that two holdings leave; river chances are asked for with a longer board
    and history, as in `chances("crc/r", other, board)`.
    """

    def river(history, passed):
        total, both = 0.0, chips + bet * history.count("r")
        for card in (card for card in range(52) if card not in board and card not in holding):
            left = {h: w for h, w in passed.items() if card not in h}
            longer = (*board, card)

            def later(after, other, longer=longer):
                return chances(f"{history}/{after}", other, longer)

            total += river_response(holding, longer, left, both, bet, cap, responder, later)
        return total / 44

    def first(history, other):
        return chances(history, other, board)

    return river_response(holding, board, weights, chips, bet, cap, responder, first, river=river)


def river_response(holding, board, weights, chips, bet, cap, responder, chances, history="", river=None):
    """What the best play of `holding` wins on the river, summed over opponents' holdings by their weights.

    Both have put in `chips`, position 0 acts first. `weights` maps holdings (pairs of cards) to weights, and
    `chances(history, other)` says how the opponent with `other` folds, calls and raises after `history`. With `river`
    hands do not end by a showdown; they are worth what it says for the history and the weights that are left.
    """
    raises = history.count("r")
    actor = len(history) % 2
    own, theirs = chips, chips
    for place, kind in enumerate(history):
        to = chips + bet * history[: place + 1].count("r")
        if kind in "rc" and place % 2 == responder:
            own = to
        elif kind in "rc":
            theirs = to
    others = {h: w for h, w in weights.items() if not set(h) & set(holding)}
    if history.endswith("f"):
        folded = 1 - actor
        return (-own if folded == responder else theirs) * sum(others.values())
    if history.endswith("c") and (raises or len(history) == 2):
        if river:
            return river(history, others)
        return own * sum(w * _river_sign(holding, h, board) for h, w in others.items())
    kinds = ("f" if raises else "") + "c" + ("r" if raises < cap else "")
    if actor == responder:
        return max(
            river_response(holding, board, weights, chips, bet, cap, responder, chances, history + k, river)
            for k in kinds
        )
    total = 0.0
    for k in kinds:
        passed = {h: w * chances(history, h)["fcr".index(k)] for h, w in others.items()}
        total += river_response(holding, board, passed, chips, bet, cap, responder, chances, history + k, river)
    return total


def rivers_reached(player, chances, caps=(3, 4, 4)):
    """The betting before rivers that a player gets to by what its buckets do, whatever the other one does.

    `chances(history)` says what each bucket does at one of its decisions. Position 1 acts first before the flop.
    """
    found = set()

    def walk(before, street, line, buckets):
        if line.endswith("c") and ("r" in line or len(line) == 2):
            if street == 2:
                found.add(before + line + "/")
            else:
                walk(before + line + "/", street + 1, "", None)
            return
        for kind in "c" + "r" * (line.count("r") < caps[street]):
            if (len(line) + (street == 0)) % 2 != player:
                walk(before, street, line + kind, buckets)
                continue
            rows = chances(before + line)
            kept = [b for b in (range(len(rows)) if buckets is None else buckets) if rows[b]["fcr".index(kind)] > 0]
            if kept:
                walk(before, street, line + kind, kept)

    walk("", 0, "", None)
    return found


def _river_sign(holding, other, board):
    own, theirs = rank_of_set((*holding, *board)), rank_of_set((*other, *board))
    return (own > theirs) - (own < theirs)


# ---------------------------------------------------------------------------------------------------------------------
# Miximax
# ---------------------------------------------------------------------------------------------------------------------


def miximax(history, own, holding, board, chances, histogram, hand_rank, temperature=0.0, cap=4):
    """The values, in small bets, of fold, call and raise (None where not allowed) after `history`, heads-up.

    Chips are 2 and 4 a bet, blinds 1 and 2 (position 1 has the small blind and acts first before the flop).
    `chances(history)` is the opponent's triple, `histogram(history)` the weights of the hand ranks he shows, and
    `hand_rank(board)` that of the own holding on a finished board. Every unseen card is equally likely.
    """
    streets = history.split("/")
    committed = [2, 1]
    for street, sequence in enumerate(streets):
        for place in range(len(sequence)):
            _pay(committed, (place + (street == 0)) % 2, sequence[place], street)
    rest = own, holding, board, chances, histogram, hand_rank, temperature, cap
    best = {k: _miximax_after(history, k, committed, *rest) for k in _miximax_legal(streets, committed, cap)}
    return [best.get(k) for k in "fcr"]


def _pay(committed, actor, kind, street):
    if kind == "c":
        committed[actor] = max(committed)
    elif kind == "r":
        committed[actor] = max(committed) + (2 if street < 2 else 4)


def _miximax_legal(streets, committed, cap):
    most = cap - 1 if len(streets) == 1 else cap
    return ("f" if committed[0] != committed[1] else "") + "c" + ("r" if streets[-1].count("r") < most else "")


def _miximax_after(history, kind, committed, own, holding, board, *rest):
    streets = history.split("/")
    street = len(streets) - 1
    actor = (len(streets[-1]) + (street == 0)) % 2
    committed = list(committed)
    _pay(committed, actor, kind, street)
    history += kind
    if kind == "f":
        return (-committed[own] if actor == own else committed[1 - own]) / 2
    _, histogram, hand_rank, _, _ = rest
    if kind == "c" and len(streets[-1]) >= 1:
        if street == 3:
            won = chance_to_win(histogram(history), hand_rank(board))
            return (won * sum(committed) - committed[own]) / 2
        history += "/"
        values = []
        for card in range(52):
            if card not in holding and card not in board:
                values.append(_miximax_node(history, committed, own, holding, (*board, card), *rest))
        return fsum(values) / len(values)
    return _miximax_node(history, committed, own, holding, board, *rest)


def _miximax_node(history, committed, own, *rest):
    streets = history.split("/")
    actor = (len(streets[-1]) + (len(streets) == 1)) % 2
    *_, temperature, cap = rest
    kinds = _miximax_legal(streets, committed, cap)
    values = [_miximax_after(history, k, committed, own, *rest) for k in kinds]
    if actor != own:
        triple = rest[2](history)
        return fsum(triple["fcr".index(k)] * v for k, v in zip(kinds, values))
    if temperature == 0.0:
        return max(values)
    weights = [e ** ((v - max(values)) / temperature) for v in values]
    return fsum(w * v for w, v in zip(weights, values)) / fsum(weights)


def chance_to_win(cells, hand_rank):
    """The share of a histogram below a hand rank; the cell that it falls into counts in proportion."""
    total = 0.0
    for place, weight in enumerate(cells):
        low, high = place / len(cells), (place + 1) / len(cells)
        total += weight * min(1.0, max(0.0, (hand_rank - low) / (high - low)))
    return total / fsum(cells)


def hand_rank(holding, board):
    """The share of the 990 holdings that a holding beats on a finished board, ties counting half."""
    own = rank_of_set((*holding, *board))
    live = [card for card in range(52) if card not in holding and card not in board]
    score = 0
    for other in combinations(live, 2):
        theirs = rank_of_set((*other, *board))
        score += (own > theirs) + (own >= theirs)
    return score / (len(live) * (len(live) - 1))


# ---------------------------------------------------------------------------------------------------------------------
# Beliefs about holdings, and search with them
# ---------------------------------------------------------------------------------------------------------------------
# Holdings are any keys that say what somebody may hold; heads-up limit with chips and blinds as in `miximax`.


def limit_state(history, cap=4):
    """Who is to act (None when a street or the hand has ended), the legal actions, and the chips of both players."""
    streets = history.split("/")
    committed = [2, 1]
    for street, sequence in enumerate(streets):
        for place, kind in enumerate(sequence):
            _pay(committed, (place + (street == 0)) % 2, kind, street)
    last = streets[-1]
    if last.endswith("f") or (last.endswith("c") and len(last) > 1):
        return None, "", committed
    return (len(last) + (len(streets) == 1)) % 2, _miximax_legal(streets, committed, cap), committed


def local_reply(history, own, holding, board, weights, chances, cap=4):
    """By action, the chips that it wins if the betting round is played out and then no more is bet.

    `weights` are the chances of the other's holdings, and `chances(history, other)` his triple with one of them.
    """
    shares = {other: _share(holding, other, board) for other in weights}

    def value(past, reach):
        actor, legal, committed = limit_state(past, cap)
        if past.endswith("f"):
            folded = limit_state(past[:-1], cap)[0]
            return fsum(reach.values()) * (-committed[own] if folded == own else committed[1 - own])
        if actor is None:
            return fsum(weight * (2 * shares[other] - 1) * committed[own] for other, weight in reach.items())
        if actor == own:
            return max(value(past + kind, reach) for kind in legal)
        triples = {other: chances(past, other) for other in reach}
        return fsum(
            value(past + kind, {other: weight * triples[other]["fcr".index(kind)] for other, weight in reach.items()})
            for kind in legal
        )

    return {kind: value(history + kind, weights) for kind in limit_state(history, cap)[1]}


def _share(holding, other, board):
    """The share of the pot that a holding wins from another when the rest of the board is dealt."""
    left = [card for card in range(52) if card not in (*holding, *other, *board)]
    worth = (1.0, 0.5, 0.0)
    found = [worth[standing(holding, other, (*board, *rest))] for rest in combinations(left, 5 - len(board))]
    return fsum(found) / len(found)


def floored(codes, legal, floor):
    """Fold, call and raise from codes of fold and raise in 255ths; a share of `floor` is spread over what is legal."""
    plain = codes[0] / 255, 1 - codes[0] / 255 - codes[1] / 255, codes[1] / 255
    return [(1 - floor) * plain[at] + floor / len(legal) if kind in legal else 0.0 for at, kind in enumerate("fcr")]


def bent_triple(triple, multiplier):
    """A triple times multipliers, scaled to a sum of one."""
    products = [chance * factor for chance, factor in zip(triple, multiplier)]
    return [product / fsum(products) for product in products]


def mixed_triple(triple, multiplier, frequencies, weight):
    """A bent triple and frequencies; `weight` is that of the frequencies."""
    return [(1 - weight) * b + weight * f for b, f in zip(bent_triple(triple, multiplier), frequencies)]


def bayes(weights, likelihoods):
    """The chances of holdings after something was seen that each makes so likely."""
    products = {holding: weight * likelihoods[holding] for holding, weight in weights.items()}
    total = fsum(products.values())
    return {holding: product / total for holding, product in products.items()}


def betting_context(history, level, cap):
    """The context of a decision at level A1 to A3 of the abstraction by raises."""
    actor, legal, _ = limit_state(history, cap)
    *earlier, now = history.split("/")
    street = len(earlier)
    if level == 3:
        return street, "f" in legal, "r" in legal
    if level == 2:
        return street, actor, now
    raises = [0, 0]
    for at, sequence in enumerate(earlier):
        for place, kind in enumerate(sequence):
            raises[(place + (at == 0)) % 2] += kind == "r"
    return street, actor, now, raises[actor], raises[1 - actor]


class HoldingCounts:
    """What was counted of an opponent's actions. A level is (A1 to A3 as a number, groups, imagined observations)."""

    def __init__(self, bends, shares, cap, most, cells=20):
        self.bends, self.shares, self.cap, self.most, self.cells = bends, shares, cap, most, cells
        self.seen, self.expected, self.shown = {}, {}, {}

    def key(self, number, level, history, cell):
        abstraction, groups, _ = level
        return number, betting_context(history, abstraction, self.cap), cell * groups // self.cells

    def multiplier(self, history, cell, levels=None):
        """By action: the product over the first levels, kept within bounds at each."""
        product = [1.0] * 3
        for number, level in enumerate(self.bends[:levels]):
            key = self.key(number, level, history, cell)
            seen, expected = self.seen.get(key, [0.0] * 3), self.expected.get(key, [0.0] * 3)
            for at in range(3):
                product[at] *= (seen[at] + level[2]) / (expected[at] + level[2])
                product[at] = min(self.most, max(1 / self.most, product[at]))
        return product

    def frequencies(self, history, cell):
        """By action: shares of what was seen, each level around the one before."""
        legal = limit_state(history, self.cap)[1]
        found = [1 / len(legal) if kind in legal else 0.0 for kind in "fcr"]
        for number, level in enumerate(self.shares):
            counts = self.shown.get(self.key(number, level, history, cell), [0.0] * 3)
            found = [(count + level[2] * share) / (sum(counts) + level[2]) for count, share in zip(counts, found)]
        return found

    def times_met(self, history):
        """How much was counted in the finest context of the frequencies."""
        number, level = len(self.shares) - 1, self.shares[-1]
        keys = {self.key(number, level, history, cell) for cell in range(self.cells)}
        return sum(sum(self.shown.get(key, [0.0])) for key in keys)

    def add(self, history, kind, triples, cell_of, before, after):
        """Count an action; the chances that the strategy, the bent one and the frequencies had given to it.

        `triples` are the strategy's by holding; `before` and `after` the chances of holdings before the action and in
        the end.
        """
        at = "fcr".index(kind)
        foretold = [0.0, 0.0, 0.0]
        for holding, weight in before.items():
            cell = cell_of[holding]
            foretold[0] += weight * triples[holding][at]
            foretold[1] += weight * bent_triple(triples[holding], self.multiplier(history, cell))[at]
            foretold[2] += weight * self.frequencies(history, cell)[at]
        more = []
        for number, level in enumerate(self.bends):
            for holding, weight in (before if level[1] == 1 else after).items():
                multiplier = self.multiplier(history, cell_of[holding], number)
                planned = bent_triple(triples[holding], multiplier)
                more.append((self.key(number, level, history, cell_of[holding]), weight, planned))
        for key, weight, planned in more:
            self.seen.setdefault(key, [0.0] * 3)[at] += weight
            expected = self.expected.setdefault(key, [0.0] * 3)
            for option in range(3):
                expected[option] += weight * planned[option]
        for number, level in enumerate(self.shares):
            for holding, weight in (before if level[1] == 1 else after).items():
                key = self.key(number, level, history, cell_of[holding])
                self.shown.setdefault(key, [0.0] * 3)[at] += weight
        return foretold


def river_slices(holdings, ranked, slices):
    """The slice of hand strength of each holding (a pair of cards) on a river; `ranked` has the rank of all pairs."""
    found = {}
    for holding in holdings:
        others = [rank for other, rank in ranked.items() if not set(other) & set(holding)]
        below, equal = sum(rank < ranked[holding] for rank in others), others.count(ranked[holding])
        found[holding] = min(int(0.5 * (2 * below + equal) / len(others) * slices), slices - 1)
    return found


class BeliefTwin:
    """Best replies from a decision on to the end of the hand, holding by holding.

    A holding is a pair of cards. `acts(board)` answers with a function of betting and holding, the opponent's triple on
    that board; `slice_acts(history, slice)` is his triple on rivers that are looked at ahead. `ranks(board)` has the
    rank of every pair on a finished board. Values are in chips times the weights: all samples, and both halves.
    """

    def __init__(self, own, holding, acts, slice_acts, slices, ranks, cap=4, negligible=0.0):
        self.own, self.holding, self.cap, self.negligible = own, tuple(sorted(holding, reverse=True)), cap, negligible
        self.acts, self.slice_acts, self.slices, self.ranks = acts, slice_acts, slices, ranks
        self.known_slices = {}

    def values(self, history, board, weights, turns=(), rivers=()):
        """The values of fold, call and raise, three ways each; None where an action is not legal.

        On a flop `turns` are dealt, and after the i-th of them `rivers[i]`.
        """
        alive = self.alive(weights, board)
        self.least = self.negligible * fsum(alive.values())
        if len(board) == 5:
            rest = self.acts(board), self.show_down(board)
        elif len(board) == 4:
            unseen = [card for card in range(52) if card not in board and card not in self.holding]
            rest = self.acts(board), lambda after, reach: [self.deal_rivers(after, reach, board, unseen)[0]] * 3
        else:
            rest = self.acts(board), lambda after, reach: self.deal_turns(after, reach, board, turns, rivers)
        actor, legal, _ = limit_state(history, self.cap)
        assert actor == self.own
        return [self.after(history + kind, alive, *rest) if kind in legal else None for kind in "fcr"]

    @staticmethod
    def alive(weights, board):
        return {holding: w for holding, w in weights.items() if w > 0 and not set(holding) & set(board)}

    def after(self, history, reach, acts, end):
        actor, legal, committed = limit_state(history, self.cap)
        if history.endswith("f"):
            folded = limit_state(history[:-1], self.cap)[0]
            return [(-committed[folded] if folded == self.own else committed[folded]) * fsum(reach.values())] * 3
        if actor is None:
            return end(history, reach)
        if actor != self.own:
            total = [0.0] * 3
            for kind in legal:
                passed = {h: w * acts(history, h)["fcr".index(kind)] for h, w in reach.items()}
                total = [t + v for t, v in zip(total, self.after(history + kind, passed, acts, end))]
            return total
        options = [self.after(history + kind, reach, acts, end) for kind in legal]
        by_even, by_odd = (max(options, key=lambda option, half=half: option[half]) for half in (1, 2))
        return [max(option[0] for option in options), by_odd[1], by_even[2]]

    def show_down(self, board):
        ranked = self.ranks(board)

        def end(history, reach):
            own, stake = ranked[self.holding], limit_state(history, self.cap)[2][0]
            return [stake * fsum(w * ((own > ranked[h]) - (own < ranked[h])) for h, w in reach.items())] * 3

        return end

    def deal_rivers(self, history, reach, board, rivers):
        """What a finished turn is worth: the mean over the river cards, and that over every other of them."""
        values = [self.river(history, self.alive(reach, (river,)), (*board, river)) for river in rivers]
        halves = values, values[::2], values[1::2]
        return [46 / 44 * fsum(half) / len(half) for half in halves]

    def river(self, history, reach, board):
        if fsum(reach.values()) < self.least:
            return 0.0
        slice_of = self.slices_on(board, reach)

        def acts(history, holding):
            return self.slice_acts(history, slice_of[holding])

        return self.after(history + "/", reach, acts, self.show_down(board))[0]

    def slices_on(self, board, reach):
        known = self.known_slices.setdefault(board, {})
        known |= river_slices(reach.keys() - known.keys(), self.ranks(board), self.slices)
        return known

    def deal_turns(self, history, reach, board, turns, rivers):
        """What a finished flop is worth, the same over sampled turns. A turn is worth what lies midway, see `fair`."""
        if fsum(reach.values()) < self.least:
            return [0.0] * 3
        values = []
        for turn, after in zip(turns, rivers):
            longer = (*board, turn)

            def end(played, left, longer=longer, after=after):
                return self.deal_rivers(played, left, longer, after)

            found = self.after(history + "/", self.alive(reach, (turn,)), self.acts(longer), end)
            values.append(47 / 45 * self.fair(found))
        halves = values, values[::2], values[1::2]
        return [fsum(half) / len(half) for half in halves]

    @staticmethod
    def fair(value):
        """The middle of the value by all samples, and of those chosen by one half and read from the other."""
        return value[0] / 2 + value[1] / 4 + value[2] / 4


# ---------------------------------------------------------------------------------------------------------------------
# Statistics of players
# ---------------------------------------------------------------------------------------------------------------------


def player_counts(seats, blinds, antes, first_to_act, board_by_street, history, stacks=None):
    """What each position did in a hand, from its betting string alone: counts by name.

    Blinds, antes and first positions are those of the game; `board_by_street` says how many cards each street deals;
    raises with amounts say what the player has put into the hand in all. Without amounts nobody can be all-in.
    """
    counts = [dict.fromkeys(_COUNT_NAMES, 0) for _ in range(seats)]
    paid = [blind + antes for blind in blinds]
    folded = set()
    streets = history.split("/")
    for street, text in enumerate(streets):
        bets = 0
        last_raiser = None
        turn = first_to_act[street]
        for letter, amount in _letters(text):
            while turn in folded or (stacks and paid[turn] >= stacks[turn]):
                turn = (turn + 1) % seats
            mine, owing = counts[turn], paid[turn] < max(paid)
            if street == 0:
                mine["had_a_turn"] = 1
                mine["vpip"] |= letter == "r" or (letter == "c" and owing)
                mine["pfr"] |= letter == "r"
                if bets == 1 and last_raiser != turn:
                    mine["three_bet_seen"] = 1
                    mine["three_bets"] |= letter == "r"
            else:
                mine["bets"] += letter == "r"
                mine["calls"] += letter == "c" and owing
                mine["folds"] += letter == "f"
            if bets == 1 and owing:
                mine[f"faced_{street}"] = 1
                mine[f"folded_{street}"] |= letter == "f"
            if letter == "f":
                folded.add(turn)
            elif letter == "c":
                paid[turn] = max(paid) if not stacks else min(max(paid), stacks[turn])
            else:
                bets += 1
                last_raiser = turn
                paid[turn] = amount if amount else max(paid) + 1  # of limit games only who owes matters here
            turn = (turn + 1) % seats
        if street == 0:
            folded_early = set(folded)
    live = [seat for seat in range(seats) if seat not in folded]
    has_flop = len(streets) > 1 and sum(board_by_street[:2]) > 0
    for seat in range(seats):
        counts[seat]["saw_flop"] = int(has_flop and seat not in folded_early)
        counts[seat]["showdown"] = int(seat in live and len(live) > 1)
    return counts


_COUNT_NAMES = (
    *("had_a_turn", "vpip", "pfr", "three_bet_seen", "three_bets", "bets", "calls", "folds", "saw_flop", "showdown"),
    *(f"{what}_{street}" for what in ("faced", "folded") for street in range(4)),
)


def _letters(text):
    """The actions of a street: a letter and an amount, 0 where there is none."""
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and text[end].isdigit():
            end += 1
        yield text[at], int(text[at + 1 : end] or 0)
        at = end


def mean_over_matches(matches, deals):
    """What was won a hand after so many deals, on average over matches on the same deals that may have come to fewer;
    and half its 95% interval, by deals."""
    played = [match[:deals] for match in matches]
    means = [sum(match) / len(match) for match in played]
    off = [
        sum((match[deal] - mean) / len(match) for match, mean in zip(played, means) if deal < len(match))
        for deal in range(deals)
    ]
    return sum(means) / len(means), 1.96 * sqrt(sum(each**2 for each in off)) / len(means)


class OutlineTwin:
    """What an opponent does in all betting, his holdings followed by units of strength; see `railbird.search.outline`.

    `acts(history, unit)` is his triple, `ways[street][unit][cell]` the chance of coming into a cell of the next street.
    """

    def __init__(self, position, acts, ways, cap, least):
        self.position, self.acts, self.ways, self.cap, self.least = position, acts, ways, cap, least
        self.triples, self.shown = {}, {}
        units = len(ways[0])
        self._begin("", [1 / units] * units)

    def _begin(self, history, weights):
        """A betting round begins; one that he hardly comes to is left out."""
        if fsum(weights) >= self.least:
            self._follow(history, weights)

    def _follow(self, history, weights):
        actor, legal, _ = limit_state(history, self.cap)
        if actor is None:
            street = history.count("/")
            way = self.ways[street]
            after = [fsum(w * row[cell] for w, row in zip(weights, way)) for cell in range(len(way[0]))]
            if street < 3:
                self._begin(history + "/", after)
            elif fsum(after) > 0:
                self.shown[history] = [each / fsum(after) for each in after]
        elif actor != self.position:
            for kind in legal:
                if kind != "f":
                    self._follow(history + kind, weights)
        else:
            triples = [self.acts(history, unit) for unit in range(len(weights))]
            products = [[w * triple[at] for w, triple in zip(weights, triples)] for at in range(3)]
            if fsum(weights) > 0:
                self.triples[history] = [fsum(each) / fsum(weights) for each in products]
            for at, kind in enumerate("fcr"):
                if kind in legal and kind != "f":
                    self._follow(history + kind, products[at])
