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

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, Ranking, rank_of_key
from railbird.kernels.cards.splitmix import GOLDEN, below, mix, unit
from railbird.kernels.compiling import kernel

FOLD, CALL, RAISE = 0, 1, 2
CHECKED, PAID = 1, 2
MOST_TRIES = 1_000
"""How often the holdings of a trial are drawn before it is given up."""
SAMPLE = 48
"""How many holdings of the field stand for all on later streets."""


class Situation(NamedTuple):
    """A decision of ours, and how it may go on."""

    own: int
    """Our position."""
    node: np.ndarray
    """Street, level, raises, pot, and as bits the positions still to act and those that have acted."""
    rules: np.ndarray
    """For each street the bet, the most raises, and who is first to act."""
    street_bets: np.ndarray
    live: np.ndarray
    """By position: 1 for those still in the hand."""
    ours: np.ndarray
    """Our value and potential on the present street, make1 and make2."""
    thresholds: np.ndarray
    """By position, street, bets to call, what was done, and 0 to call or 1 to raise."""


class Opponents(NamedTuple):
    """What is thought of the opponents."""

    positions: np.ndarray
    cumulative: np.ndarray
    """By opponent: running sums of the weights of his holdings."""
    field: np.ndarray
    """Running sums of the field's weights."""
    values: np.ndarray
    """By opponent and holding: his value on this street."""


class Cards(NamedTuple):
    """The two cards of each holding, ours, and the board's."""

    of_holding: np.ndarray
    hole: np.ndarray
    board: np.ndarray


class Trial(NamedTuple):
    """How the cards of one trial lie."""

    values: np.ndarray
    """By street and position."""
    ranks: np.ndarray
    """Of the showdown, by position."""


class Room(NamedTuple):
    """Room to play a hand out in, by position."""

    bets: np.ndarray
    live: np.ndarray
    shown: np.ndarray
    done: np.ndarray


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
def _effective_value(value, ppot, shown, live, own):
    """What a value of ours is worth against all that opponents have shown, with the potential to improve."""
    ahead = 1.0
    for seat in range(len(live)):
        if live[seat] and seat != own:
            mu = shown[seat]
            ahead *= max(0.0, (value - mu) / (1.0 - mu)) if mu < 1.0 else 0.0
    return ahead + (1.0 - ahead) * ppot


@kernel
def _our_action(effective, ppot, ours, raises, to_call, pot, may_raise):
    """What we do after the first action with a holding of this effective value and potential."""
    make1, make2 = ours[2], ours[3]
    if may_raise and ((effective >= make2 and raises < 2) or (effective >= make1 and raises < 1)):
        return RAISE
    if to_call == 0 or effective >= make1 or max(effective, ppot) * (pot + to_call) >= to_call:
        return CALL
    return FOLD


@kernel
def _sharers(ranks, live, own):
    """Among how many the pot is shared at a showdown that we do not lose; 0 if we do."""
    tied = 1
    for other in range(len(live)):
        if live[other] and other != own:
            if ranks[other] > ranks[own]:
                return 0
            if ranks[other] == ranks[own]:
                tied += 1
    return tied


# Longer than a screen: the state of a hand is a dozen numbers that every action reads and changes.
@kernel
def play_out(action, situation, trial, state, room):
    """The chips that we win from here on in one trial, what we put in taken off, beginning with `action`."""
    own, node, rules, thresholds = situation.own, situation.node, situation.rules, situation.thresholds
    street_bets, live_now, ours, values = situation.street_bets, situation.live, situation.ours, trial.values
    bets, live, shown, done = room.bets, room.live, room.shown, room.done
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
                effective = _effective_value(values[street, own], ppot, shown, live, own)
                chosen = _our_action(effective, ppot, ours, raises, to_call, pot, may_raise)
            else:
                context = 0 if to_call == 0 else 1 if to_call <= rules[street, 0] else 2
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
    tied = _sharers(trial.ranks, live, own)
    return pot / tied - paid if tied else float(-paid)


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
def _deal_board(ranking, cards, situation, keys, sample, dealt, trial, state):
    """Deal the rest of the board: ranks and the values of later streets, by position; the two last cards, or -1."""
    table, card_keys, holding_cards = ranking.table, ranking.card_keys, cards.of_holding
    live, ranks, values, seats = situation.live, trial.ranks, trial.values, len(situation.live)
    street = situation.node[0]
    full = EMPTY_KEY
    for card in cards.board:
        full += card_keys[card]
    sample_ranks = np.zeros(SAMPLE, np.int64)
    turned = (-1, -1)
    for later in range(street + 1, 4):
        while True:
            state += GOLDEN
            card = np.int64(below(mix(state), 52))
            if not dealt[card]:
                break
        dealt[card] = True
        turned = (turned[1], card)
        full += card_keys[card]
        for seat in range(seats):
            if live[seat]:
                ranks[seat] = rank_of_key(table, full + keys[seat])
        _rank_sample(table, card_keys, holding_cards, sample, turned, full, sample_ranks)
        _compare_with_sample(ranks, sample_ranks, live, values[later])
    if street == 3:
        for seat in range(seats):
            if live[seat]:
                ranks[seat] = rank_of_key(table, full + keys[seat])
    return turned, state


@kernel
def find_expected_values(ranking: Ranking, cards, opponents, situation, trials, state, totals):
    """Add up what each legal action wins over the trials into `totals`, in chips; the answer is the trials played.

    `totals` has for folding, calling and raising the sum over the trials, and that of the squares.
    """
    card_keys, holding_cards, hole = ranking.card_keys, cards.of_holding, cards.hole
    node, own, seats, count = situation.node, situation.own, len(situation.live), len(opponents.positions)
    street = node[0]
    dealt = np.zeros(52, np.bool_)
    for card in cards.board:
        dealt[card] = True
    for card in hole:
        dealt[card] = True
    keys = np.zeros(seats, np.uint64)
    keys[own] = card_keys[hole[0]] + card_keys[hole[1]]
    holdings = np.zeros(count, np.int64)
    trial = Trial(np.zeros((4, seats)), np.zeros(seats, np.int64))
    trial.values[street, own] = situation.ours[0]
    sample = np.zeros(SAMPLE, np.int64)
    for at in range(SAMPLE):
        state += GOLDEN
        sample[at] = drawn_holding(opponents.field, mix(state))
    room = Room(np.zeros(seats, np.int64), np.zeros(seats, np.int64), np.zeros(seats), np.zeros(seats, np.int64))
    may_raise = node[2] < situation.rules[street, 1]
    to_call = node[1] - situation.street_bets[own]
    played = 0
    for _ in range(trials):
        state += GOLDEN
        drawn = draw_holdings(opponents.cumulative, holding_cards, dealt, mix(state), holdings)
        if drawn == 0:
            continue
        played += 1
        for at in range(count):
            seat, holding = opponents.positions[at], holdings[at]
            keys[seat] = card_keys[holding_cards[holding, 0]] + card_keys[holding_cards[holding, 1]]
            trial.values[street, seat] = opponents.values[at, holding]
        turned, drawn = _deal_board(ranking, cards, situation, keys, sample, dealt, trial, drawn)
        for action in range(FOLD if to_call else CALL, RAISE + 1 if may_raise else RAISE):
            won = play_out(action, situation, trial, drawn, room)
            totals[action, 0] += won
            totals[action, 1] += won * won
        for card in turned:
            if card >= 0:
                dealt[card] = False
        for holding in holdings:
            dealt[holding_cards[holding, 0]] = False
            dealt[holding_cards[holding, 1]] = False
    return played
