"""How often tests that are looked at after every block are wrong, and how many deals they take.

Matches are drawn from distributions of the difference on one deal: simple ones with light, heavy and lopsided tails,
and the differences of matches that were really played, each moved so that its mean is what is asked for. What the tests
say comes from the formulas of `railbird.sequential`, for all matches at once.

    python -m trials sequential                       10,000 matches of each distribution, a minute
    python -m trials sequential --by aivat            real deals alone, by AIVAT; or by divat
    python -m trials sequential --real comparisons/x  with the deals of a comparison of yours

Exit 1 if a share that may be 5% at most is larger.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import railbird as rb
from railbird.play.comparison_folder import read_comparison, with_known
from railbird.sequential import StoppingRule, effective_samples, log_ratio, sequence_margin
from railbird.statistics import FEWEST, Estimate

Numbers = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, ...]], Numbers]
BLOCK = 100
"""Deals between two looks."""
BLOCKS = 60
GAIN_IN_DEVIATIONS = 0.1
"""The gain that matters, in standard deviations of a deal's difference: tests are then over in some hundred deals."""
AT_ONCE = 500
"""Matches that are in memory at once."""
MOST_WRONG = 0.05
_REACH = 48.0
"""No deal of limit hold'em can differ by more: 24 small bets either way."""
PAIRS = {
    "equilibrium v sparbot": ("equilibrium", "sparbot", "sparbot"),
    "baseline's folds": ("divat-baseline", "divat-baseline:fold=faced", "sparbot"),
    "calling v raising": ("always-call", "always-raise", "random"),
}
"""Matches whose differences are drawn from: the new bot, the old one, the opponent."""


HEADERS = (
    ("false", "false", "misses of", "misses of", "deals,", "deals,", "fixed", "Bernstein"),
    ("gains", "none", "sequence", "one look", "none", "gain", "design", "width"),
)
WIDTHS = (8, 8, 11, 11, 8, 8, 8, 11)


def _seldom(share: float, size: float, two_sided: bool) -> Draw:
    """Mostly nothing, now and then much: the other way too, or made up for by a little all the while."""

    def draw(generator: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
        hit = generator.random(shape) < share
        signs = generator.choice([-1.0, 1.0], shape) if two_sided else 1.0
        return np.asarray(hit * size * signs - (0.0 if two_sided else share * size))

    return draw


SIMPLE: dict[str, Draw] = {
    "normal": lambda generator, shape: generator.normal(0.0, 1.5, shape),
    "Student's t, 3 degrees": lambda generator, shape: np.clip(generator.standard_t(3, shape), -_REACH, _REACH),
    "1 deal in 50, 10 sb": _seldom(0.02, 10.0, True),
    "1 in 100, +20 sb": _seldom(0.01, 20.0, False),
    "1 in 100, -20 sb": lambda generator, shape: -_seldom(0.01, 20.0, False)(generator, shape),
}


def resampled(differences: Numbers) -> Draw:
    """Deals that were really played, in any order, as if the bots were equally good."""
    centred = differences - differences.mean()
    return lambda generator, shape: generator.choice(centred, shape)


def played(names: tuple[str, str, str], deals: int, by: str = "money") -> Numbers:
    """The differences of a comparison, deal by deal, by a measure."""
    found = rb.compare_bots(names[0], names[1], names[2], hands=deals, progress=False)
    return with_known(found).sampled(0, found.deals, by)


@dataclass
class Tried:
    """What came of simulated matches, in shares of them."""

    false_gains: float = 0.0
    """Tests that found a gain where there is none."""
    false_none: float = 0.0
    """Tests that found none where there is one."""
    missed: float = 0.0
    """Sequences that left out the true mean at some look."""
    peeked: float = 0.0
    """Intervals for one look that left it out at some look."""
    undecided: float = 0.0
    """Tests without a gain that were not over in the end."""
    deals_none: float = 0.0
    """What a test took on average without a gain."""
    deals_gain: float = 0.0
    """And with one."""
    fixed: float = 0.0
    """What a test of a fixed length takes."""
    bernstein: float = 0.0
    """How many times as wide as ours an empirical Bernstein sequence is in the end."""


def tried(draw: Draw, matches: int, seed: int = 0, blocks: int = BLOCKS) -> Tried:
    """Simulate matches of a distribution, half of the work without a gain and half with one."""
    generator = np.random.default_rng(seed)
    sd = float(draw(generator, (200_000,)).std())
    rule = StoppingRule(GAIN_IN_DEVIATIONS * sd)
    parts = [
        _tried(draw, rule, min(AT_ONCE, matches - first), generator, blocks) for first in range(0, matches, AT_ONCE)
    ]
    weights = [min(AT_ONCE, matches - first) for first in range(0, matches, AT_ONCE)]
    found = {
        field.name: float(np.average([getattr(part, field.name) for part in parts], weights=weights))
        for field in fields(Tried)
    }
    return Tried(**{**found, "fixed": rule.fixed_samples(sd)})


def _tried(draw: Draw, rule: StoppingRule, matches: int, generator: np.random.Generator, blocks: int) -> Tried:
    samples = draw(generator, (matches, blocks, BLOCK))
    count, mean, variance, known = _looks(samples)
    gains, nones = _ends(rule, count, mean, variance, known)
    with_gain = _ends(rule, *_looks(draw(generator, (matches, blocks, BLOCK)) + rule.gain))
    margin = sequence_margin(count, np.sqrt(variance))
    one_look = 1.96 * np.sqrt(variance / count)
    return Tried(
        false_gains=float((gains < nones).mean()),
        false_none=float((with_gain[1] < with_gain[0]).mean()),
        missed=float(((np.abs(mean) > margin) & known).any(axis=1).mean()),
        peeked=float((np.abs(mean) > one_look).any(axis=1).mean()),
        undecided=float((gains == nones).mean()),
        deals_none=_deals(gains, nones, blocks),
        deals_gain=_deals(*with_gain, blocks),
        bernstein=_bernstein_width(samples) / float(margin[:, -1].mean()),
    )


def _looks(samples: Numbers) -> tuple[Numbers, Numbers, Numbers, NDArray[np.bool_]]:
    """After each block of each match: how many samples, their mean and variance, and whether that is known."""
    count = samples.shape[2] * np.arange(1.0, samples.shape[1] + 1)
    first, second, third, fourth = (np.cumsum((samples**power).sum(axis=2), axis=1) / count for power in (1, 2, 3, 4))
    variance = np.maximum(0.0, second - first**2)
    about = fourth - 4 * first * third + 6 * first**2 * second - 3 * first**4
    return count, first, variance, effective_samples(count, variance, about - variance**2) >= FEWEST


def _ends(
    rule: StoppingRule, count: Numbers, mean: Numbers, variance: Numbers, known: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By match, the first look at which the ratio speaks for a gain, and the first at which it speaks against one."""
    ratio = log_ratio(count, mean, variance, rule.gain)
    against, in_favour = rule.bounds
    return _first((ratio >= in_favour) & known), _first((ratio <= against) & known)


def _first(happened: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.where(happened.any(axis=1), happened.argmax(axis=1), happened.shape[1])


def _deals(gains: NDArray[np.int64], nones: NDArray[np.int64], blocks: int) -> float:
    return float(BLOCK * np.minimum(np.minimum(gains, nones) + 1, blocks).mean())


def _bernstein_width(samples: Numbers) -> float:
    """Half the width of an empirical Bernstein sequence in the end (Waudby-Smith and Ramdas 2024, Theorem 2), which
    needs nothing but the most that a deal can differ. It bets by what it knew before each block."""
    unit = (samples[:50] + _REACH) / (2 * _REACH)
    count, total, squares = 1.0, np.full(len(unit), 0.5), np.full(len(unit), 0.25)
    weights = penalty = np.zeros(len(unit))
    for block in np.moveaxis(unit, 1, 0):
        mean, size = total / count, block.shape[1]
        middle = count + size / 2
        bet = np.minimum(0.5, np.sqrt(2 * np.log(40.0) / (squares / count * middle * np.log1p(middle))))
        weights = weights + bet * size
        penalty = penalty + np.square(block - mean[:, None]).sum(axis=1) * (-np.log1p(-bet) - bet)
        count, total = count + size, total + block.sum(axis=1)
        squares = squares + np.square(block - (total / count)[:, None]).sum(axis=1)
    return float(2 * _REACH * ((np.log(40.0) + penalty) / weights).mean())


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials sequential", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=10_000, help="of each distribution (default: 10,000)")
    parser.add_argument("--deals", type=int, default=4_000, help="played for each that is drawn from (default: 4,000)")
    parser.add_argument("--real", type=Path, nargs="*", default=[], help="folders of comparisons to draw from too")
    parser.add_argument("--by", choices=("money", "divat", "aivat"), default="money", help="measure of real deals")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    draws = dict(SIMPLE) if asked.by == "money" else {}
    for name, bots in PAIRS.items():
        draws[name] = resampled(played(bots, asked.deals, asked.by))
    for path in asked.real:
        found = with_known(read_comparison(path))
        draws[path.name] = resampled(found.sampled(0, found.deals, asked.by))
    looks = f"a look after every {BLOCK} of {BLOCK * BLOCKS:,} deals"
    print(f"{asked.matches:,} matches of each, {looks}; a gain is {GAIN_IN_DEVIATIONS:g} SD of a deal")
    for header in HEADERS:
        print(f"{'':24}" + "".join(f"{word:>{width}}" for word, width in zip(header, WIDTHS)))
    wrong = 0
    for name, draw in draws.items():
        told = tried(draw, asked.matches, asked.seed)
        shares = f"{told.false_gains:8.2%}{told.false_none:8.2%}{told.missed:11.2%}{told.peeked:11.1%}"
        deals = f"{told.deals_none:8,.0f}{told.deals_gain:8,.0f}{told.fixed:8,.0f}{told.bernstein:10.1f}x"
        print(f"{name:24}{shares}{deals}", flush=True)
        wrong += any(share > MOST_WRONG for share in (told.false_gains, told.false_none, told.missed))
    error = Estimate(MOST_WRONG, (MOST_WRONG * (1 - MOST_WRONG)) ** 0.5, asked.matches).margin
    print(f"a share of {MOST_WRONG:.0%} is known to ± {error:.2%}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
