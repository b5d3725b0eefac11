"""Many hands at a time, for worker processes."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from .playouts import DifferenceError


class Block(NamedTuple):
    """What came of some hands; `difference` is the first one found, or empty."""

    hands: int
    difference: str
    seen: Counter[str]


def play_block(peer: str, seeds: range) -> Block:
    """Play the hands of these seeds against a peer, up to the first difference."""
    if peer == "pokerkit":
        from .pokerkit_peer import play_hand
    else:
        from .open_spiel_peer import play_hand
    seen: Counter[str] = Counter()
    for seed in seeds:
        try:
            seen.update(play_hand(seed))
        except DifferenceError as difference:
            return Block(seed - seeds.start, str(difference), seen)
    return Block(len(seeds), "", seen)
