"""MIVAT: money less a learned share of what the cards gave (White and Bowling 2009).

With nobody known, AIVAT is its chance part alone: what was won, less what each deal of cards changed beyond its mean
(`railbird.assess.aivat`). DIVAT takes the rollout equity of its baseline for the value of a position, and takes all of
its luck off. MIVAT takes a value function that is linear in a few features, by street, and learns their coefficients
from past matches, so that as little variance is left as possible. The features here are

    rollout   the rollout equity once both have played the street as the baseline would (what DIVAT compares), and
    share     the share of the pot that is there, if nobody bets any more, from -1 to 1 times what each has put in.

Of both the mean over the cards to come is known exactly, and so is the *luck* of every street: what the feature is
after its cards, less the mean over all cards that could have come. What is measured is

    MIVAT = money - sum over streets of (coefficient of rollout x its luck + coefficient of share x its luck)

**Why it is unbiased.** Each luck has the mean zero, whatever was played before. A coefficient that was fixed before the
hand was dealt does not change that, whatever it is; a poor one only leaves more variance. Coefficients that are fitted
to the very hands that they judge are not fixed beforehand, so these are cross-fitted: hands of a tenth of the deals are
judged by coefficients from the other nine tenths.

**Learning.** The variance of what is left is least where the coefficients are those of a regression of money on the
luck terms. Matches are weighed by the inverse of money's variance, so that wild ones do not decide alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.assess.divat import Assessment
from railbird.errors import AssessmentError
from railbird.files import write_whole
from railbird.formats.hand_arrays import HandArrays
from railbird.game.spec import STREETS
from railbird.json_files import Fields, json_of, read_json

Values = NDArray[np.float64]
TERMS = tuple(f"{feature} {street}" for feature in ("rollout", "share") for street in STREETS)
"""The luck terms, in the order of the coefficients."""
SHIPPED = "mivat.json"
SCHEMA = "railbird.mivat/1"
FOLDS = 10
_KNOWN_HANDS = 200.0
"""As so many hands of the match count the coefficients that ship, where a match is fitted to itself."""
_FEWEST = 100
_MOST = 100.0
"""A coefficient larger than this is no share of luck."""


def luck_terms(assessment: Assessment) -> Values:
    """[n, 8] what the cards of each street changed, for position 0: by rollout equity, and by the share of the pot."""
    hole_cards = np.nan_to_num(assessment.edges[:, :1])  # of the big blind, which each player may lose
    return np.column_stack([assessment.luck, hole_cards, assessment.lfat])


class Weighing(Protocol):
    """Something that tells how much of the luck to take off."""

    def samples(self, terms: Values, money: Values, hands: HandArrays) -> Values:
        """What is left of money, by hand."""


@dataclass(frozen=True)
class Mivat:
    """Coefficients that were fixed beforehand."""

    coefficients: Values
    """By term."""
    trained: tuple[dict[str, Any], ...] = ()
    """The matches that they were learned from."""

    def samples(self, terms: Values, money: Values, hands: HandArrays) -> Values:
        """What is left of money. A match that they were learned from is cross-fitted instead, without them."""
        if digest(hands) in {match.get("hands_digest") for match in self.trained}:
            return cross_fitted(terms, money, hands.pair_of, None)
        return np.asarray(money - terms @ self.coefficients, np.float64)

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.mivat/1."""
        return {
            "schema": SCHEMA,
            "coefficients": {name: round(float(each), 4) for name, each in zip(TERMS, self.coefficients)},
            "trained": list(self.trained),
        }

    def save(self, path: Path) -> Path:
        return write_whole(path, json.dumps(self.to_json(), indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> Mivat:
        """The coefficients in a file; refuses what is none."""
        try:
            return cls.of_json(read_json(path))
        except OSError as error:
            raise AssessmentError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
        except ValueError as error:
            raise AssessmentError(
                f"{str(path)!r} holds no coefficients of MIVAT: {error}; railbird build mivat writes some"
            ) from None

    @classmethod
    def of_json(cls, told: Any) -> Mivat:
        found = Fields(told, "the file")
        if found["schema"] != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")
        by_term = found.fields("coefficients")
        coefficients = np.array([by_term.decimal(name, -_MOST, _MOST) for name in TERMS])
        return cls(coefficients, tuple(dict(match.found) for match in found.each("trained")))


@lru_cache(maxsize=1)
def shipped_mivat() -> Mivat:
    """The coefficients that ship: learned from matches of bots against each other (`railbird build mivat`)."""
    return Mivat.of_json(json_of((files("railbird.assess") / "data" / SHIPPED).read_bytes()))


class CrossFitted:
    """Coefficients that are fitted to a match itself, but never to the deals that they judge."""

    def samples(self, terms: Values, money: Values, hands: HandArrays) -> Values:
        return cross_fitted(terms, money, hands.pair_of, shipped_mivat().coefficients)


@dataclass(frozen=True)
class Regression:
    """The sums that a regression of money on luck needs."""

    squares: Values
    products: Values
    count: float = 0.0

    @classmethod
    def of(cls, terms: Values, money: Values) -> Regression:
        return cls(terms.T @ terms, terms.T @ (money - money.mean()), float(len(money)))

    def scaled(self, factor: float) -> Regression:
        return Regression(self.squares * factor, self.products * factor, self.count * factor)

    def plus(self, other: Regression) -> Regression:
        return Regression(self.squares + other.squares, self.products + other.products, self.count + other.count)

    def solved(self) -> Values:
        """The coefficients. Terms that nothing is known of have none."""
        return np.asarray(np.linalg.lstsq(self.squares, self.products, rcond=1e-9)[0], np.float64)

    def as_if(self, coefficients: Values, hands: float) -> Regression:
        """So many hands that would give the coefficients, their luck terms as large as these."""
        squares = np.diag(np.diag(self.squares)) * hands / self.count
        return Regression(squares, squares @ coefficients, hands)


def fitted(matches: Sequence[tuple[Values, Values]]) -> Values:
    """The coefficients that leave least variance in matches, each of luck terms and money by hand."""
    total = None
    for terms, money in matches:
        if len(money) < _FEWEST or not money.var():
            raise AssessmentError(
                f"{len(money)} hands are too few to learn from; a match needs {_FEWEST}, not all alike"
            )
        found = Regression.of(terms, money).scaled(1 / float(money.var()))
        total = found if total is None else total.plus(found)
    if total is None:
        raise AssessmentError("there is no match to learn from")
    return total.solved()


def cross_fitted(
    terms: Values, money: Values, partners: NDArray[np.int64], before: Values | None = None, folds: int = FOLDS
) -> Values:
    """What is left of money where the hands of each fold are judged by coefficients from all other folds. The two hands
    of a deal are in one fold. Coefficients that were there `before` count as a few hands, which matters in short
    matches."""
    here = np.arange(len(money))
    first = np.where(partners >= 0, np.minimum(here, partners), here)
    fold = np.unique(first, return_inverse=True)[1] % folds
    left = np.array(money, np.float64)
    for number in range(folds):
        chosen = fold == number
        if chosen.all():
            known = before
        else:
            others = Regression.of(terms[~chosen], money[~chosen])
            known = (others if before is None else others.plus(others.as_if(before, _KNOWN_HANDS))).solved()
        if known is not None:
            left[chosen] -= terms[chosen] @ known
    return left


def digest(hands: HandArrays) -> str:
    """What hands are known again by: their cards and actions."""
    found = blake2b(digest_size=8)
    for part in (hands.numbers, hands.holes, hands.board, hands.actions[:, :, :6]):
        found.update(np.ascontiguousarray(part).tobytes())
    return found.hexdigest()


def weighing(text: str) -> Weighing | None:
    """What is asked for by "own" or a file's name; none for nothing, which is what ships."""
    if not text:
        return None
    return CrossFitted() if text == "own" else Mivat.load(Path(text))
