"""Exact equity: how the pot divides when two or more hands are all-in and the rest of the board is dealt.

Nothing is sampled. Two holdings before the flop take about 0.1 ms, more hands up to 20 ms. A range against a range
takes up to 20 ms on a flop; before the flop, 10 ms for narrow ranges and up to 1.5 s for the widest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.cards import (
    CARD_COUNT,
    HOLDING_COUNT,
    cards_text,
    check_distinct,
    holding_index,
    parse_board,
    parse_cards,
)
from railbird.errors import InvalidCardsError, InvalidRangeError
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.odds import all_in as kernels
from railbird.odds.ranges import parse_range
from railbird.odds.strength import equities
from railbird.odds.weights import WeightArray

MOST_HANDS = 23  # 46 cards, which leaves six for the board


@dataclass(frozen=True)
class Equity:
    """What one of several hands takes out of all the ways in which the cards to come may fall.

    It wins the pot alone `wins` times and shares it `ties` times out of `total`, which makes `pots` pots in all. For
    hands these are exact counts of boards; for ranges, of pairs of holdings and boards by their weight.
    """

    wins: int | float
    ties: int | float
    total: int | float
    pots: Fraction | float

    @property
    def win(self) -> float:
        """The probability to win the pot alone."""
        return self.wins / self.total

    @property
    def tie(self) -> float:
        """The probability to share the pot."""
        return self.ties / self.total

    @property
    def share(self) -> float:
        """The expected share of the pot, ties counting by the number that tie: the equity."""
        return float(self.pots / self.total)

    def __str__(self) -> str:
        return f"{self.share:.4%} (wins {self.win:.4%}, ties {self.tie:.4%})"


def equity(hands: Sequence[str | ArrayLike], board: str = "") -> tuple[Equity, ...]:
    """The exact equity of each of several hands against the others, on a board of 0, 3, 4 or 5 cards.

    A hand is two cards ("AsAd"). Of two hands each may also be a range ("QQ+, AKs", "40%"; see `parse_range`) or 1,326
    weights; then every pair of holdings that can be dealt together counts by the product of its weights.

    >>> aces, kings = equity(["AsAd", "KsKd"])
    >>> aces.wins, aces.ties, aces.total, round(aces.share, 4)
    (1410336, 9308, 1712304, 0.8264)
    >>> [round(hand.share, 3) for hand in equity(["AsKs", "QdQh", "7c7d"], "2s 7s Jd")]
    [0.258, 0.044, 0.698]
    >>> print(equity(["AdQc", "QQ+, AKs"], board="3h4cJh")[0])
    11.8721% (wins 11.3333%, ties 1.0774%)
    """
    if isinstance(hands, str) or not 2 <= len(hands) <= MOST_HANDS:
        raise InvalidCardsError(f"equity takes a list of 2 to {MOST_HANDS} hands, not {hands!r}")
    dealt = parse_board(board)
    holdings = [_two_cards(hand) for hand in hands]
    known = [holding for holding in holdings if holding is not None]
    check_distinct(*known, dealt)
    if len(known) == len(hands) and (dealt or len(hands) > 2):
        return _equity_of_hands(known, dealt)
    if len(hands) > 2:
        ranges = [_named(hand) for hand, holding in zip(hands, holdings, strict=True) if holding is None]
        raise InvalidRangeError(f"with {len(hands)} hands each is two cards, not {ranges[0]}; a range meets one other")
    weights = [_weights(hand, holding) for hand, holding in zip(hands, holdings, strict=True)]
    wins, ties, total = (float(weights[0] @ sums) for sums in weighed(weights[0], weights[1], dealt))
    if not total > 0:
        named = " and ".join(_named(hand) for hand in hands)
        where = f" on {cards_text(dealt)}" if dealt else ""
        raise InvalidRangeError(f"no holdings of {named} can be dealt together{where}")
    if len(known) == 2:
        return _equity_of_two(int(wins), int(ties), int(total), Fraction(int(ties), 2))
    return _equity_of_two(wins, ties, total, ties / 2)


def holdings_equity(holding: str, weights: ArrayLike, board: str = "") -> NDArray[np.float64]:
    """The equity of each holding that has a weight against one holding. Of others the numbers mean nothing.

    >>> round(float(holdings_equity("AsAd", parse_range("KsKd"))[holding_index(*parse_cards("KsKd"))]), 4)
    0.1736
    """
    hole, dealt = parse_cards(holding, count=2), parse_board(board)
    check_distinct(hole, dealt)
    one = _weights(holding, hole)
    if dealt:
        return equities(board, WeightArray(one))
    beaten, tied, met = weighed(_weights(weights, None), one, dealt)
    return np.asarray(np.divide(beaten + tied / 2, met, out=np.full(HOLDING_COUNT, np.nan), where=met > 0))


def pot_shares(
    holdings: Sequence[tuple[int, ...]], board: tuple[int, ...] = (), folded: Sequence[tuple[int, ...]] = ()
) -> tuple[float, ...]:
    """The exact share of the pot of each of several holdings, as card numbers; cards that were folded cannot come.

    >>> aces, kings = parse_cards("AsAd"), parse_cards("KsKd")
    >>> [round(share, 4) for share in pot_shares([aces, kings], folded=[parse_cards("KhKc")])]
    [0.9879, 0.0121]
    """
    if len(holdings) == 1:
        return (1.0,)
    if len(holdings) > 2 or board or folded:
        return tuple([each.share for each in _equity_of_hands(holdings, board, folded)])
    return tuple([each.share for each in equity([cards_text(holding) for holding in holdings])])


def _equity_of_hands(
    holdings: Sequence[tuple[int, ...]], board: tuple[int, ...], folded: Sequence[tuple[int, ...]] = ()
) -> tuple[Equity, ...]:
    seen = {*board, *(card for holding in (*holdings, *folded) for card in holding)}
    deck = np.array([card for card in range(CARD_COUNT) if card not in seen], dtype=np.uint8)
    counts = np.zeros((len(holdings), len(holdings)), dtype=np.int64)
    cards = np.array(holdings, dtype=np.uint8)
    kernels.count_pots(TABLE, CARD_KEYS, cards, deck, np.array(board, dtype=np.uint8), counts)
    total = sum((Fraction(int(boards), n + 1) for row in counts for n, boards in enumerate(row)), Fraction())
    return tuple(
        Equity(
            int(row[0]),
            int(row[1:].sum()),
            int(total),
            sum((Fraction(int(boards), n + 1) for n, boards in enumerate(row)), Fraction()),
        )
        for row in counts
    )


def _equity_of_two(
    wins: int | float, ties: int | float, total: int | float, half_of_ties: Fraction | float
) -> tuple[Equity, Equity]:
    losses = total - wins - ties
    return Equity(wins, ties, total, wins + half_of_ties), Equity(losses, ties, total, losses + half_of_ties)


def weighed(
    own_weights: NDArray[np.float64], weights: NDArray[np.float64], board: tuple[int, ...]
) -> NDArray[np.float64]:
    """By own holding, the other side's weight beaten, tied and met, summed over boards; own weights of 0 aside."""
    sums = np.zeros((3, HOLDING_COUNT))
    if board:
        deck = [card for card in range(CARD_COUNT) if card not in board]
        runouts = np.array(list(combinations(deck, 5 - len(board))), dtype=np.uint8)
        cards = np.array(board, dtype=np.uint8)
        kernels.weigh_on_board(TABLE, CARD_KEYS, runouts, cards, own_weights, weights, sums)
    else:
        kernels.weigh_before_flop(TABLE, RANK_KEYS, _board_lists(), own_weights, weights, sums)
    return sums


@cache
def _board_lists() -> kernels.BoardLists:
    lists = kernels.empty_board_lists()
    kernels.list_boards(TABLE, RANK_KEYS, lists)
    return lists


def _two_cards(hand: str | ArrayLike) -> tuple[int, ...] | None:
    """The cards of a hand written as two cards; None where it is a range."""
    if not isinstance(hand, str):
        return None
    try:
        cards = parse_cards(hand)
    except InvalidCardsError:
        return None
    return cards if len(cards) == 2 else None


def _weights(hand: str | ArrayLike, holding: tuple[int, ...] | None) -> NDArray[np.float64]:
    if holding is not None:
        weights = np.zeros(HOLDING_COUNT)
        weights[holding_index(*holding)] = 1.0
        return weights
    if isinstance(hand, str):
        return parse_range(hand)
    weights = np.array(hand, dtype=np.float64)
    if weights.shape != (HOLDING_COUNT,) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise InvalidRangeError(f"a range is {HOLDING_COUNT} weights of 0 or more, not an array of {weights.shape}")
    return weights


def _named(hand: str | ArrayLike) -> str:
    return repr(hand) if isinstance(hand, str) else "the weights given"
