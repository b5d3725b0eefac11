"""Exact equity of hands and ranges, beside the sampled equity that the peers offer.

No pip-installable peer computes it exactly with cards to come, so theirs is the time of 10,000 random runouts, which
leaves a standard error of about half a percent.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

from benchmarks.timing import Row, against_peer, best_seconds, duration_text
from railbird.odds.equity import equity

_SAMPLES = 10_000
_CASES = {
    "AsAd v KsKd": (["AsAd", "KsKd"], ""),
    "AdQc v any, flop": (["AdQc", "any"], "3h4cJh"),
    "AdQc v QQ+ AKs, flop": (["AdQc", "QQ+, AKs"], "3h4cJh"),
    "QQ+ AKs v 10%": (["QQ+, AKs", "10%"], ""),
    "six hands": (["AsAd", "KsKd", "QhJh", "8c7c", "5d5h", "Ac2h"], ""),
    "any v any, flop": (["any", "any"], "3h4cJh"),
    "any v any": (["any", "any"], ""),
}


def rows() -> list[Row]:
    """Ours, exact, and where it has the same question eval7's, sampled."""
    runs: dict[str, Callable[[], object]] = {
        case: partial(equity, hands, board) for case, (hands, board) in _CASES.items()
    }
    peers = _eval7() if find_spec("eval7") else {}
    slow = {"any v any": runs.pop("any v any")}
    times = best_seconds(runs | {f"eval7 {case}": run for case, run in peers.items()})
    times |= best_seconds(slow, rounds=2)
    found = []
    for case in _CASES:
        what = f"{case}, exact"
        if case in peers:
            found.append(against_peer(what, times[case], "eval7, 10,000 samples,", times[f"eval7 {case}"]))
        else:
            found.append(Row(what, duration_text(times[case]), "", ""))
    return found


def _eval7() -> dict[str, Callable[[], object]]:
    from eval7 import Card, HandRange, py_hand_vs_range_monte_carlo

    def sampling(hand: str, versus: str, board: str) -> Callable[[], object]:
        holding, dealt = ([Card(text[i : i + 2]) for i in range(0, len(text), 2)] for text in (hand, board))
        opponent = HandRange(versus)
        return lambda: py_hand_vs_range_monte_carlo(holding, opponent, dealt, _SAMPLES)

    return {
        "AsAd v KsKd": sampling("AsAd", "KsKd", ""),
        "AdQc v QQ+ AKs, flop": sampling("AdQc", "QQ+,AKs", "3h4cJh"),
    }
