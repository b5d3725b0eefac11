"""Rank, strength, potential, equity, ranges and weight arrays: the friendly face of the kernels."""

from railbird.rooms import answer_calls

answer_calls(__name__, "railbird.odds.holding_odds", "odds")
