"""Weight arrays: how likely an opponent is to hold each of the 1,326 holdings (Papp 1998, sections 5.2 and 7.1).

A weight is the probability that the opponent would have played as seen with that holding, so weights need not sum to
one: only their proportions matter. Papp keeps one array for each opponent, and the average of them, the field array,
for the whole table.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.cards import HOLDING_COUNT, holding_index, holding_text, parse_cards, parse_holding
from railbird.errors import InvalidRangeError
from railbird.odds.ranges import by_holding, parse_range, range_text

_LONGEST_REPR = 100


class WeightArray:
    """The weights of the 1,326 holdings, none negative. An array is never changed: methods return a new one.

    >>> tight = WeightArray.parse("QQ+, AKs")
    >>> tight["AdAc"], tight["AdQc"], tight.total
    (1.0, 0.0, 22.0)
    >>> tight.without("Ad Kh")["AcAd"]
    0.0
    """

    __slots__ = ("_values",)

    def __init__(self, values: ArrayLike) -> None:
        array = by_holding(values, "a weight array has 1,326 weights")
        bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
        if bad.size:
            raise InvalidRangeError(
                f"the weight of {holding_text(int(bad[0]))} is {array[bad[0]]}; weights are finite and not negative"
            )
        self._values = array

    @staticmethod
    def uniform() -> WeightArray:
        """Every holding equally likely: all weights 1."""
        return _uniform()

    @classmethod
    def parse(cls, text: str) -> WeightArray:
        """The weights of a range in the usual notation, see `railbird.odds.ranges`.

        >>> WeightArray.parse("QQ+, AKs:0.5").total
        20.0
        """
        return cls(parse_range(text))

    @classmethod
    def field(cls, arrays: Iterable[WeightArray]) -> WeightArray:
        """The field array: the average of the arrays, each scaled to a total of 1 (Papp 1998, section 7.3.1).

        >>> WeightArray.field([WeightArray.parse("AA"), WeightArray.parse("AA, KK")])["KdKc"] * 24
        1.0
        """
        stacked = [array._values for array in arrays]
        if not stacked:
            raise InvalidRangeError("a field array is the average of at least one weight array, and none was given")
        empty = [index for index, values in enumerate(stacked) if not values.any()]
        if empty:
            raise InvalidRangeError(f"weight array {empty[0]} of the field has no weight at all")
        return cls(np.mean([values / values.sum() for values in stacked], axis=0))

    @property
    def values(self) -> NDArray[np.float64]:
        """The weights by holding number, read-only."""
        view = self._values.view()
        view.flags.writeable = False
        return view

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return float(self._values.sum())

    def without(self, cards: str) -> WeightArray:
        """The same weights, but zero for every holding with one of these cards, which the opponent cannot have."""
        values = self._values.copy()
        for dead in parse_cards(cards):
            for card in range(52):
                if card != dead:
                    values[holding_index(card, dead)] = 0.0
        return WeightArray(values)

    def __getitem__(self, holding: str) -> float:
        return float(self._values[parse_holding(holding)])

    def __len__(self) -> int:
        return HOLDING_COUNT

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeightArray):
            return NotImplemented
        return bool(np.array_equal(self._values, other._values))

    def __hash__(self) -> int:
        return hash(self._values.tobytes())

    def __repr__(self) -> str:
        if (self._values == 1).all():
            return "WeightArray.uniform()"
        if (self._values <= 1).all():
            written = f"WeightArray.parse({range_text(self._values)!r})"
            if len(written) <= _LONGEST_REPR:
                return written
        held = int(np.count_nonzero(self._values))
        return f"<WeightArray of {held:,} holdings, total {self.total:,.4g}>"


def kernel_weights(weights: WeightArray | str | None) -> NDArray[np.float64]:
    """The weights as kernels take them, which only read; None stands for all equal, text for a range.

    Not the read-only view: Numba would compile every kernel a second time for it.
    """
    if isinstance(weights, str):
        weights = WeightArray.parse(weights)
    if not isinstance(weights, WeightArray | None):
        raise InvalidRangeError(f"{weights!r} is neither a WeightArray nor a range such as 'QQ+, AKs'")
    return (_uniform() if weights is None else weights)._values


@cache
def _uniform() -> WeightArray:
    return WeightArray(np.ones(HOLDING_COUNT))
