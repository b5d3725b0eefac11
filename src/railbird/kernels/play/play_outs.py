"""Playing a limit hold'em hand out to the end from a decision after the flop, with cards drawn from weight arrays.

A trial draws a holding for every opponent from his weight array. When two of them share a card, all are drawn again, so
that the holdings follow the product of the arrays given that no card is dealt twice. The rest of the board comes from
what is left. Then the hand is played out once for each of our actions, with the same cards and the same random numbers,
until one player is left or to the showdown.

How the players go on is a simple policy that looks at one number per player and street, his value: on the present
street the effective hand strength that the caller gives for each holding, on later ones the share of a sample of
holdings, drawn from the field array, that he is ahead of.

An opponent has two thresholds for each context, one for calling and one for raising, from the action-frequency model. A
context is the street, the bets to call (0, 1, or 2 and more), and whether he has not acted on the street yet, has
checked, or has put money in. Around a threshold mu the chance to act rises in a straight line from 0 at mu - sigma to 1
at mu + sigma, sigma = 0.4 (1 - mu), as in re-weighting.

We take what an opponent has shown in the trial into account: against one who has passed the threshold mu a value v is
worth (v - mu) / (1 - mu), and nothing if v < mu. The product over the opponents, with the potential of the present
street, bets from `make1` on, raises once from `make2` on, and calls what the pot odds allow.
"""

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, below, mix, unit
from railbird.kernels.compiling import kernel

FOLD, CALL, RAISE = 0, 1, 2
CHECKED, PAID = 1, 2
MOST_TRIES = 1_000
"""How often the holdings of a trial are drawn before it is given up."""
SAMPLE = 48
"""How many holdings of the field stand for all on later streets."""


@kernel
def drawn_holding(cumulative, bits):
    """A holding by chance, in proportion to the weights whose running sums are `cumulative`."""
    return np.searchsorted(cumulative, unit(bits) * cumulative[-1], side="right")


@kernel
def draw_holdings(cumulative, cards, dealt, state, holdings):
    """Draw a holding for each row of `cumulative`, none with a card that is `dealt`; 0 if that fails, else the state.

    The cards drawn are marked in `dealt`.
    """
    players = cumulative.shape[0]
    for _ in range(MOST_TRIES):
        done = 0
        while done < players:
            state += GOLDEN
            holding = drawn_holding(cumulative[done], mix(state))
            first, second = cards[holding, 0], cards[holding, 1]
            if dealt[first] or dealt[second]:
                break
            dealt[first] = True
            dealt[second] = True
            holdings[done] = holding
            done += 1
        if done == players:
            return state
        for player in range(done):
            dealt[cards[holdings[player], 0]] = False
            dealt[cards[holdings[player], 1]] = False
    return np.uint64(0)


@kernel
def chance_to_act(value, threshold):
    """The chance that a player acts with a holding of this value where he acts above the threshold."""
    sigma = 0.4 * (1.0 - threshold)
    if sigma <= 0.0:
        return 1.0 if value >= threshold else 0.0
    return min(1.0, max(0.0, (value - threshold + sigma) / (2.0 * sigma)))


@kernel
def our_action(value, ppot, shown, live, own, make1, make2, raises, to_call, pot, may_raise):
    """What we do after the first action, at `own`, with a holding of this value and potential."""
    ahead = 1.0
    for seat in range(len(live)):
        if live[seat] and seat != own:
            mu = shown[seat]
            ahead *= max(0.0, (value - mu) / (1.0 - mu)) if mu < 1.0 else 0.0
    effective = ahead + (1.0 - ahead) * ppot
    if may_raise and ((effective >= make2 and raises < 2) or (effective >= make1 and raises < 1)):
        return RAISE
    if to_call == 0 or effective >= make1 or max(effective, ppot) * (pot + to_call) >= to_call:
        return CALL
    return FOLD


@kernel
def play_out(
    action, node, rules, street_bets, live_now, own, values, ours, thresholds, ranks, state, bets, live, shown, done
):
    """The chips that we win from here on (what we put in from here on taken off) in one trial, beginning with `action`.

    node: street, level, raises, pot, and as bits the positions still to act and those that have acted. rules: for each
    street the bet, the most raises, and who is first to act. values: by street and position. ours: our value and
    potential on the present street, make1 and make2. ranks: of the showdown, by position. bets, live, shown and done
    are room to work in.
    """
    seats = len(live_now)
    street, level, raises, pot, to_play = node[0], node[1], node[2], node[3], node[4]
    left = 0
    for seat in range(seats):
        bets[seat] = street_bets[seat]
        live[seat] = live_now[seat]
        shown[seat] = 0.0
        done[seat] = 0 if not node[5] >> seat & 1 else CHECKED if bets[seat] == 0 else PAID
        left += live[seat]
    paid = 0
    seat = own
    began = street
    while True:
        while to_play:
            if not to_play >> seat & 1:
                seat = (seat + 1) % seats
                continue
            to_call = level - bets[seat]
            may_raise = raises < rules[street, 1]
            if action >= 0:
                chosen, action = action, -1
            elif seat == own:
                ppot = ours[1] if street == began else 0.0
                chosen = our_action(
                    values[street, own], ppot, shown, live, own, ours[2], ours[3], raises, to_call, pot, may_raise
                )
            else:
                bet = rules[street, 0]
                context = 0 if to_call == 0 else 1 if to_call <= bet else 2
                call_from, raise_from = thresholds[seat, street, context, done[seat]]
                value = values[street, seat]
                state += GOLDEN
                luck = unit(mix(state))
                chosen = FOLD
                if may_raise and luck < chance_to_act(value, raise_from):
                    chosen = RAISE
                    shown[seat] = max(shown[seat], raise_from)
                elif to_call == 0:
                    chosen = CALL
                elif luck < chance_to_act(value, call_from):
                    chosen = CALL
                    shown[seat] = max(shown[seat], call_from)
            to_play &= ~(1 << seat)
            if chosen == FOLD:
                live[seat] = 0
                left -= 1
                if seat == own:
                    return float(-paid)
                if left == 1:
                    return float(pot - paid)
            else:
                if chosen == RAISE:
                    level += rules[street, 0]
                    raises += 1
                    to_play = 0
                    for other in range(seats):
                        if live[other] and other != seat:
                            to_play |= 1 << other
                put = level - bets[seat]
                bets[seat] = level
                done[seat] = PAID if level else CHECKED
                pot += put
                if seat == own:
                    paid += put
            seat = (seat + 1) % seats
        if street == 3:
            break
        street += 1
        level, raises = 0, 0
        seat = rules[street, 2]
        for other in range(seats):
            bets[other] = 0
            done[other] = 0
            if live[other]:
                to_play |= 1 << other
    tied = 1
    for other in range(seats):
        if live[other] and other != own:
            if ranks[other] > ranks[own]:
                return float(-paid)
            if ranks[other] == ranks[own]:
                tied += 1
    return pot / tied - paid


@kernel
def _rank_sample(table, card_keys, cards, sample, turned, full, ranks):
    """The rank of each holding of the sample on the board whose key is `full`; -1 where it meets a card `turned`."""
    for at in range(len(sample)):
        first, second = cards[sample[at], 0], cards[sample[at], 1]
        if first == turned[0] or first == turned[1] or second == turned[0] or second == turned[1]:
            ranks[at] = -1
        else:
            ranks[at] = rank_of_key(table, full + card_keys[first] + card_keys[second])


@kernel
def _compare_with_sample(ranks, sample_ranks, live, values):
    """The share of the sample that each live player is ahead of, ties counting half."""
    for seat in range(len(live)):
        if live[seat]:
            ahead, count = 0.0, 0
            for rank in sample_ranks:
                if rank >= 0:
                    count += 1
                    ahead += 1.0 if ranks[seat] > rank else 0.5 if ranks[seat] == rank else 0.0
            values[seat] = ahead / count if count else 0.5


@kernel
def find_expected_values(
    table,
    card_keys,
    cards,
    hole,
    board,
    own,
    opponents,
    cumulative,
    field,
    present,
    ours,
    thresholds,
    node,
    rules,
    street_bets,
    trials,
    state,
    totals,
):
    """Add up what each legal action wins over the trials into `totals`, in chips; the answer is the trials played.

    cards: of each holding. opponents: their positions. cumulative: running sums of their weights, and `field` those of
    the field. present: their values on this street by opponent and holding; ours, node and rules: see `play_out`.
    thresholds: by position, street, bets to call, what was done, and 0 to call or 1 to raise. totals: for folding,
    calling and raising the sum over the trials, and that of the squares.
    """
    seats, count, street = len(street_bets), len(opponents), node[0]
    dealt = np.zeros(52, np.bool_)
    board_key = EMPTY_KEY
    for card in board:
        dealt[card] = True
        board_key += card_keys[card]
    for card in hole:
        dealt[card] = True
    live_now = np.zeros(seats, np.int64)
    live_now[own] = 1
    for seat in opponents:
        live_now[seat] = 1
    keys = np.zeros(seats, np.uint64)
    keys[own] = card_keys[hole[0]] + card_keys[hole[1]]
    holdings = np.zeros(count, np.int64)
    values = np.zeros((4, seats))
    values[street, own] = ours[0]
    ranks = np.zeros(seats, np.int64)
    sample = np.zeros(SAMPLE, np.int64)
    for at in range(SAMPLE):
        state += GOLDEN
        sample[at] = drawn_holding(field, mix(state))
    sample_ranks = np.zeros(SAMPLE, np.int64)
    bets, live, done = np.zeros(seats, np.int64), np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    shown = np.zeros(seats)
    may_raise = node[2] < rules[street, 1]
    to_call = node[1] - street_bets[own]
    played = 0
    for _ in range(trials):
        state += GOLDEN
        drawn = draw_holdings(cumulative, cards, dealt, mix(state), holdings)
        if drawn == 0:
            continue
        played += 1
        for at in range(count):
            seat, holding = opponents[at], holdings[at]
            keys[seat] = card_keys[cards[holding, 0]] + card_keys[cards[holding, 1]]
            values[street, seat] = present[at, holding]
        full = board_key
        turned = (-1, -1)
        for later in range(street + 1, 4):
            while True:
                drawn += GOLDEN
                card = np.int64(below(mix(drawn), 52))
                if not dealt[card]:
                    break
            dealt[card] = True
            turned = (turned[1], card)
            full += card_keys[card]
            for seat in range(seats):
                if live_now[seat]:
                    ranks[seat] = rank_of_key(table, full + keys[seat])
            _rank_sample(table, card_keys, cards, sample, turned, full, sample_ranks)
            _compare_with_sample(ranks, sample_ranks, live_now, values[later])
        if street == 3:
            for seat in range(seats):
                if live_now[seat]:
                    ranks[seat] = rank_of_key(table, full + keys[seat])
        for action in range(FOLD if to_call else CALL, RAISE + 1 if may_raise else RAISE):
            won = play_out(
                action,
                node,
                rules,
                street_bets,
                live_now,
                own,
                values,
                ours,
                thresholds,
                ranks,
                drawn,
                bets,
                live,
                shown,
                done,
            )
            totals[action, 0] += won
            totals[action, 1] += won * won
        for card in turned:
            if card >= 0:
                dealt[card] = False
        for holding in holdings:
            dealt[cards[holding, 0]] = False
            dealt[cards[holding, 1]] = False
    return played
