"""railbird test."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.cmd_compare import folder_name
from railbird.cli.console import tell
from railbird.cli.hints import tell_check, tell_faults
from railbird.cli.match_options import DealsInDuplicate, Means
from railbird.cli.options import Json, Weights
from railbird.cli.show import progress_bar, show
from railbird.play.comparison_folder import ComparisonSpec
from railbird.play.gain_result import GainTest
from railbird.play.gain_tests import GainTestSpec, default_test_folder, run_gain_test
from railbird.sequential import StoppingRule
from railbird.words import roughly

By = Annotated[
    str,
    typer.Option(
        "--by",
        metavar="MEASURE",
        help="What differences are taken of: money, divat or aivat.  \\[default: the best there is]",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class DealsAtMost(DealsInDuplicate):
    """What is dealt until the test is decided."""

    hands: Annotated[
        int, typer.Option("--hands", "-n", help="Deals at most; in duplicate each is played in every seat.")
    ] = 100_000


def test(
    new: Annotated[str, typer.Argument(help="The new bot: a name, or a file as in ./new.py:Bot.")],
    base: Annotated[str, typer.Argument(help="The bot that it should be better than.")],
    against: Annotated[
        list[str], typer.Option("--against", metavar="BOT...", help="The opponents, one or more.", show_default=False)
    ],
    *,
    gain: Annotated[
        float, typer.Option("--gain", help="The smallest difference that matters, in small bets a hand.")
    ] = 0.05,
    wrong: Annotated[
        float, typer.Option("--wrong", help="How often it may say gain where there is none, and none where there is.")
    ] = 0.05,
    weights: Weights = None,
    episode: Annotated[
        int, typer.Option("--episode", min=1, help="Deals after which bots that learn begin anew.")
    ] = 1000,
    deals: DealsAtMost,
    means: Means,
    by: By = "",
    as_json: Json = False,
) -> None:
    """Say whether a new bot gains on an old one, as soon as that may be said: a comparison that stops by itself.

    Both play the same opponents on the same deals, as in railbird compare, and are looked at after every 100 deals: at
    heads-up limit hold'em by AIVAT against opponents whose play is known, such as equilibrium, and by DIVAT against
    others; elsewhere in money. The measure is chosen before the first deal. The test ends when the likelihood ratio of
    a gain of --gain to none leaves its bounds (20 : 1 either way with --wrong 0.05). Beside it stands the difference
    with an interval that holds at all looks at once, so you may look as often as you like and stop whenever you like.
    Halving --gain takes about four times the deals (docs/testing.md).

    The same command goes on where it was interrupted, and with more --hands where it ran out of them. A decision is
    final: asked again, the test says the same. If a bot fails the exit code is 1.

    Example: railbird test expert random --against always-call always-raise --gain 0.2 --hands 2000
    """
    who = means.workforce()
    rest = (*deals.asked(), means.decision_seconds, means.housing("bot-tests"), tuple(weights or ()), episode)
    comparison = ComparisonSpec(deals.game_of(2), new, base, tuple(against), *rest)
    spec = GainTestSpec(comparison, StoppingRule(gain, wrong, wrong), by)
    path = means.out or default_test_folder(Path("bot-tests") / f"{folder_name(comparison)}-gain{gain:g}", spec)
    with progress_bar(quiet=as_json) as watch:
        result = run_gain_test(path, spec, who, watch)
    show_test(result, path, as_json)
    if result.comparison.faults:
        raise typer.Exit(1)


def show_test(result: GainTest, path: Path, as_json: bool) -> None:
    """The decision, the ratio and the sequence, and what can be done next."""
    show(result, as_json, folder=str(path))
    if as_json:
        return
    found = result.comparison
    tell_faults(chain.from_iterable(found.matches))
    is_open = not result.decision and not result.test.is_level
    if is_open and result.deals + result.further_deals > found.spec.hands:
        tell(f"go on: the same command with --hands {roughly(result.deals + result.further_deals)}")
    if result.has_interval:
        tell(f"draw it: railbird results {shlex.quote(str(path))} --figure test.png")
    tell_check(found.spec.seed, path)
