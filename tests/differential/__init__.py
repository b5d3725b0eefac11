"""Railbird's rules beside those of PokerKit and OpenSpiel: random hands played in both, compared at every decision.

A sample runs with the other tests. As many hands as one likes: `python -m tests.differential --hands 1000000`; the hand
of one seed alone: `python -m tests.differential --hands 1 --seed 17`, with `--peer open_spiel` for the other peer.
Where a peer plays by other rules, on purpose or by mistake, the situation has a name and a predicate here, it is
counted, and `docs/peers.md` explains it.
"""
