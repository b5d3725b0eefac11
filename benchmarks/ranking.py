"""Ranking 7-card hands: in bulk, one call at a time, and all 133,784,560 of them.

Peers are given their cards in the form they like best, made beforehand, and are called through their fastest entry
point. None of them ranks an array of hands in one call, so each is a Python loop over the hands.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from benchmarks.timing import Row, against_peer, best_seconds, per_second, random_hands
from railbird.cards import RANKS, SUITS, cards_text
from railbird.kernels.cards import ranking
from railbird.odds.ranks import rank, rank_cards, ranks

_TEXTS = [rank + suit for rank in RANKS for suit in SUITS]
# How many times faster than the peer's fastest call a ranking in bulk must be.
_AT_LEAST = {"eval7": 120.0, "phevaluator": 40.0}
_ONE_CALL_SECONDS = 0.5e-6


def rows() -> list[Row]:
    """Ours against each installed peer, on the same random hands in the same rounds."""
    hands = random_hands()
    sample = [tuple(hand) for hand in hands[:20_000].tolist()]
    texts = [cards_text(hand) for hand in sample[:2_000]]
    peers = {name: make(sample) for name, make in _PEERS.items() if find_spec(name)}
    times = best_seconds(
        {
            "ranks": lambda: ranks(hands),
            "rank_cards": lambda: [rank_cards(hand) for hand in sample[:2_000]],
            "rank": lambda: [rank(text) for text in texts],
            "all hands": _rank_all_hands,
            **{name: run for name, (run, _) in peers.items()},
        },
        rounds=25,
    )
    in_bulk = times["ranks"] / len(hands)
    alone, as_text = times["rank_cards"] / 2_000, times["rank"] / 2_000
    found = []
    for name, (_, count) in peers.items():
        found.append(against_peer("7 cards, in bulk", in_bulk, name, times[name] / count, _AT_LEAST.get(name)))
    for name, (_, count) in peers.items():
        found.append(against_peer("7 cards, one call", alone, name, times[name] / count))
    found.append(per_second("7 cards as text, one call", as_text, 1 / _ONE_CALL_SECONDS))
    found.append(per_second("all C(52,7) hands, counted by rank", times["all hands"] / 133_784_560))
    return found


def _rank_all_hands() -> None:
    counts = np.zeros(ranking.RANK_COUNT, np.int64)
    ranking.count_ranks(ranking.TABLE, ranking.CARD_KEYS, 7, counts)


_Run = tuple[Callable[[], None], int]


def _eval7(sample: list[tuple[int, ...]]) -> _Run:
    import eval7

    deck = [eval7.Card(text) for text in _TEXTS]
    hands = [[deck[card] for card in hand] for hand in sample]
    evaluate = eval7.evaluate

    def run() -> None:
        for hand in hands:
            evaluate(hand)

    return run, len(hands)


def _phevaluator(sample: list[tuple[int, ...]]) -> _Run:
    from phevaluator._pheval import evaluate_7cards  # below the public function, which takes ten times as long

    def run() -> None:
        for hand in sample:
            evaluate_7cards(*hand)

    return run, len(sample)


def _treys(sample: list[tuple[int, ...]]) -> _Run:
    from treys import Card, Evaluator

    deck = [Card.new(text) for text in _TEXTS]
    hands = [([deck[card] for card in hand[:5]], [deck[card] for card in hand[5:]]) for hand in sample[:1_000]]
    evaluate = Evaluator().evaluate

    def run() -> None:
        for board, holding in hands:
            evaluate(holding, board)

    return run, len(hands)


def _pokerkit(sample: list[tuple[int, ...]]) -> _Run:
    from pokerkit import Card, StandardHighHand

    deck = [next(iter(Card.parse(text))) for text in _TEXTS]
    hands = [([deck[card] for card in hand[:2]], [deck[card] for card in hand[2:]]) for hand in sample[:50]]

    def run() -> None:
        for holding, board in hands:
            StandardHighHand.from_game(holding, board)

    return run, len(hands)


_PEERS = {"phevaluator": _phevaluator, "eval7": _eval7, "treys": _treys, "pokerkit": _pokerkit}
