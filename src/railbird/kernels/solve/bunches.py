"""Holdings of a board that tie and are played alike, summed up before they are weighed.

A *bunch* are the holdings of one bucket that have the same rank. Whatever a table does with one of them it does with
all, so what reaches an action is a product of two numbers: the bunch's reach where the round begins, and the table's
chance of getting there with its bucket. The same holds of the part of a bunch that has a certain card (a *share*). So
reach is summed up once for each block of openings, and every stage of the round then goes by bunches and shares: on a
river with thousands of buckets that are some hundred bunches with six hundred shares, where the 1,081 holdings have
2,162 cards.

Holdings that tie, a *tie*, stand next to each other in order of rank; bunches and shares are numbered in that order
too. Where every holding is a bucket of its own, or no rank is known, each is a bunch by itself.

Reach and weights are sixteen numbers side by side (`lanes`). `cards`, `places` and `members` count single numbers, so
they are multiples of sixteen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird.kernels.compiling import kernel
from railbird.kernels.lane_sums import add_to
from railbird.kernels.lanes import LANES, fill, load, store

CARDS = 52


class Bunches(NamedTuple):
    """How the holdings of a board fall together; make it with `find_bunches`."""

    first_cards: np.ndarray
    """By holding, in order of rank: one of its cards."""
    second_cards: np.ndarray
    """And the other."""
    places: np.ndarray
    """By holding: where its bucket stands in `buckets`."""
    buckets: np.ndarray
    """Those that the board shows."""
    tie_ends: np.ndarray
    """By tie: one past its last holding; likewise its last bunch and share."""
    bunch_ends: np.ndarray
    share_ends: np.ndarray
    bunch_places: np.ndarray
    bunch_members: np.ndarray
    """The holdings of all bunches, one after another."""
    members_ends: np.ndarray
    """By bunch: one past its last in `bunch_members`."""
    share_places: np.ndarray
    share_cards: np.ndarray
    share_members: np.ndarray
    share_members_ends: np.ndarray


@kernel(nogil=True)
def find_bunches(order, ends, count, holding_cards, buckets, bucket_count):
    """The bunches of the first `count` holdings in `order`, which tie up to `ends`; `buckets` are by holding."""
    first_cards, second_cards, places, found = np.empty((4, count), np.int32)
    place_of = np.full(bucket_count, -1, np.int32)
    present = 0
    for i in range(count):
        holding = order[i]
        first_cards[i], second_cards[i] = LANES * holding_cards[holding, 0], LANES * holding_cards[holding, 1]
        bucket = buckets[holding]
        if place_of[bucket] < 0:
            place_of[bucket] = LANES * present
            found[present] = bucket
            present += 1
        places[i] = place_of[bucket]
    tie_ends, bunch_ends, share_ends, bunch_places, bunch_members, members_ends = np.empty((6, count), np.int32)
    share_places, share_cards, share_members, share_members_ends = np.empty((4, 2 * count), np.int32)
    taken = np.zeros(count, np.bool_)
    fill_at = np.empty(CARDS, np.int32)
    ties = bunches = shares = listed = start = 0
    while start < count:
        end = ends[start]
        for i in range(start, end):
            if taken[i]:
                continue
            place, before = places[i], listed
            fill_at[:] = 0
            for j in range(i, end):
                if places[j] == place:
                    taken[j] = True
                    bunch_members[listed] = LANES * j
                    listed += 1
                    fill_at[first_cards[j] // LANES] += 1
                    fill_at[second_cards[j] // LANES] += 1
            bunch_places[bunches], members_ends[bunches] = place, listed
            bunches += 1
            slot = 2 * before
            for card in range(CARDS):
                length, fill_at[card] = fill_at[card], slot
                slot += length
                if length:
                    share_places[shares], share_cards[shares], share_members_ends[shares] = place, LANES * card, slot
                    shares += 1
            for k in range(before, listed):
                member = bunch_members[k]
                for card in (first_cards[member // LANES] // LANES, second_cards[member // LANES] // LANES):
                    share_members[fill_at[card]] = member
                    fill_at[card] += 1
        tie_ends[ties], bunch_ends[ties], share_ends[ties] = end, bunches, shares
        ties += 1
        start = end
    return Bunches(
        first_cards,
        second_cards,
        places,
        found[:present],
        tie_ends[:ties],
        bunch_ends[:ties],
        share_ends[:ties],
        bunch_places[:bunches],
        bunch_members,
        members_ends[:bunches],
        share_places[:shares],
        share_cards[:shares],
        share_members,
        share_members_ends[:shares],
    )


@kernel(nogil=True)
def gather(members, ends, reach, sums):
    """The reach of some holdings summed up, by bunch or by share."""
    start = 0
    for k in range(len(ends)):
        whole = fill(np.float32(0.0))
        for at in range(start, ends[k]):
            whole = whole + load(reach, members[at])
        store(whole, sums, LANES * k)
        start = ends[k]


@kernel(nogil=True)
def weighed(reach, places, weights, start, stop):
    """The reach of some bunches, each times the weight of its bucket, in all."""
    whole = fill(np.float32(0.0))
    for k in range(start, stop):
        whole = whole + load(reach, LANES * k) * load(weights, places[k])
    return whole


@kernel(nogil=True)
def add_by_card(bunches, reach, weights, start, stop, sums):
    """Add the reach of some shares, each times the weight of its bucket, to the sums by card."""
    places, cards = bunches.share_places, bunches.share_cards
    for k in range(start, stop):
        add_to(sums, cards[k], load(reach, LANES * k) * load(weights, places[k]))
