"""Streets of hands of heads-up limit hold'em: what they are worth, and what was done on them.

Amounts are in small bets, values those of position 0. The cards are renamed so that each flop is the representative of
its class; see `boards`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.cards.ranking import EMPTY_KEY, rank_of_key
from railbird.kernels.compiling import kernel
from railbird.kernels.divat.two_holdings import roll_out

FOLD, CALL, RAISE = 0, 1, 2
NOBODY = -1


class Rules(NamedTuple):
    """What games of heads-up limit hold'em differ in."""

    blinds: np.ndarray
    """Small bets put in by positions 0 and 1."""
    first_before_flop: int
    caps: np.ndarray
    """By street, the most bets; 0 for any number."""


class Walked(NamedTuple):
    """What is found of the actions of n hands."""

    evat: np.ndarray
    """[n, 2] by position, zero to begin with."""
    deviator: np.ndarray
    """[n, 4] the first to leave the baseline."""
    deviation: np.ndarray
    """[n, 4] how: 9 * facing a bet + 3 * what the baseline does + what was done."""
    folded_for: np.ndarray
    """[n, 4] the net result of a fold."""


@kernel(nogil=True)
def value_pots(baseline, flops, hands, boards, last_streets, pots, values, edges):
    """`values[n, street, i]` becomes the rollout equity with `pots[n, street, i]` small bets in from each player after
    that street, for the streets from the flop on up to the last one; pots of 0 are passed over. `edges[n, street]`
    becomes the all-in edge of position 0: twice its share of the pot minus one."""
    table, card_keys = baseline.table, baseline.card_keys
    wanted, sums = np.empty(3, np.int64), np.empty(3, np.int64)
    for n in range(len(flops)):
        for street in range(1, last_streets[n] + 1):
            if street == 3:
                key = EMPTY_KEY
                for i in range(5):
                    key += card_keys[boards[n, i]]
                own = rank_of_key(table, key + card_keys[hands[n, 0]] + card_keys[hands[n, 1]])
                other = rank_of_key(table, key + card_keys[hands[n, 2]] + card_keys[hands[n, 3]])
                edges[n, 3] = np.int64(own > other) - np.int64(own < other)
                for i in range(3):
                    values[n, 3, i] = pots[n, 3, i] * edges[n, 3]
                continue
            count = 0  # of different pots
            for i in range(3):
                pot = pots[n, street, i]
                if pot > 0 and not ((count > 0 and pot == wanted[0]) or (count > 1 and pot == wanted[1])):
                    wanted[count] = pot
                    count += 1
            wins = roll_out(baseline, flops[n], hands[n], boards[n], street, wanted[:count], sums)
            sequels = 1980 if street == 1 else 44
            edges[n, street] = wins / sequels
            for i in range(3):
                for k in range(count):
                    if pots[n, street, i] == wanted[k]:
                        values[n, street, i] = sums[k] / sequels


@kernel(nogil=True)
def walk_streets(actions, action_counts, last_streets, rules, classes, bets_in, edges, walked):
    """Play the streets as they were played, by players of these `classes` of the baseline's."""
    put_in = np.empty(2)
    for n in range(len(actions)):
        for street in range(last_streets[n] + 1):
            bet = 1.0 if street < 2 else 2.0
            cap, bets = rules.caps[street], 1 if street == 0 else 0
            actor = rules.first_before_flop if street == 0 else 0
            for p in range(2):
                put_in[p] = rules.blinds[p] if street == 0 else bets_in[n, street]
            for at in range(action_counts[n, street]):
                action = np.int64(actions[n, street, at])
                to_call = max(put_in[1 - actor] - put_in[actor], 0.0)
                can_raise = cap == 0 or bets < cap
                wanted = np.int64(CALL)
                if classes[n, street, actor] == 0 and to_call > 0:
                    wanted = np.int64(FOLD)
                elif bets < classes[n, street, actor] - 1 and can_raise:
                    wanted = np.int64(RAISE)
                if wanted != action and walked.deviator[n, street] == NOBODY:
                    walked.deviator[n, street] = actor
                    walked.deviation[n, street] = 9 * (to_call > 0) + 3 * wanted + action
                share = (1.0 + (edges[n, street] if actor == 0 else -edges[n, street])) / 2
                pot = put_in[0] + put_in[1]
                call = share * (pot + to_call) - to_call
                raised = share * (pot + to_call + 2 * bet) - to_call - bet
                best = max(call, raised) if can_raise else call
                if to_call > 0:
                    best = max(best, 0.0)
                walked.evat[n, actor] += (0.0 if action == FOLD else call if action == CALL else raised) - best
                if action == FOLD:
                    walked.folded_for[n, street] = put_in[actor] if actor == 1 else -put_in[actor]
                put_in[actor] += to_call
                if action == RAISE:
                    put_in[actor] += bet
                    bets += 1
                actor = 1 - actor
