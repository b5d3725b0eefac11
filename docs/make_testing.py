"""Writes the table of docs/testing.md: python docs/make_testing.py [DEALS] [FOLDER].

Each comparison is played for so many deals, to see how much a deal's difference scatters; from that follow the deals
that a test takes on average and those that a test of a fixed length takes. By default they are 1,000, in the folder
"comparisons", and those that lie there go on.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import railbird as rb
from railbird.play.comparison import KINDS
from railbird.play.comparison_folder import with_known
from railbird.play.gain_tests import LOOK_DEALS
from railbird.sequential import StoppingRule
from railbird.statistics import Estimate
from railbird.words import roughly

PAGE = Path(__file__).parent / "testing.md"
GAINS = (0.1, 0.05, 0.02, 0.01)
COMPARISONS = {
    "one rule of a bot changed": ("divat-baseline", "divat-baseline:fold=faced", ("sparbot",)),
    "two near-equilibria": ("equilibrium", "sparbot", ("divat-baseline",)),
    "the same, an unknown opponent": ("equilibrium", "sparbot", ("simulation",)),
    "two bots of rules": ("expert", "jagbot", ("sparbot",)),
    "the same, three opponents": ("expert", "jagbot", ("sparbot", "divat-baseline", "always-call")),
    "two unknown bots, a known opponent": ("expert", "jagbot", ("equilibrium",)),
    "nobody is known": ("expert", "jagbot", ("simulation",)),
    "a wild opponent": ("expert", "jagbot", ("always-raise",)),
}


def table(deals: int, folder: Path) -> list[str]:
    """A row for each comparison: how much a deal's difference scatters, and the deals that tests by AIVAT take."""
    spreads = [f"SD {how}" for how in ("in money", "by DIVAT", "by AIVAT")]
    header = ("", "bots, opponents", *spreads, *(f"gain {gain:g}" for gain in GAINS), "in money, gain 0.05")
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    for name, (new, old, against) in COMPARISONS.items():
        path = folder / name.replace(" ", "-").replace(",", "")
        found = with_known(rb.compare_bots(new, old, against, hands=deals, folder=path, progress=True))
        each = [Estimate.of_deviation(found.sampled(0, found.deals, kind)) for kind in KINDS]
        if found.known:
            found.known.keep()
        who = f"`{new}` v `{old}` against {', '.join(f'`{each}`' for each in against)}"
        told = [f"{sd.mean:.2f} ± {sd.margin:.2f}" for sd in each]
        cells = [*(_cell(StoppingRule(gain), each[-1].mean) for gain in GAINS), _cell(StoppingRule(0.05), each[0].mean)]
        lines.append(f"| {' | '.join([name, who, *told, *cells])} |")
    return lines


def _cell(rule: StoppingRule, sd: float) -> str:
    """What a test takes on average without a gain or with it, and where the truth is half-way; and a fixed length."""
    taken = [max(LOOK_DEALS, rule.further_samples(0.0, mean, sd)) for mean in (0.0, rule.gain / 2)]
    return " / ".join(f"{roughly(each):,}" for each in (*taken, rule.fixed_samples(sd)))


def main(arguments: list[str]) -> None:
    deals = int(arguments[0]) if arguments else 1_000
    folder = Path(arguments[1]) if len(arguments) > 1 else Path("comparisons")
    rows = "\n".join(table(deals, folder))
    marks = re.compile(r"(<!-- deals -->\n).*?(\n<!-- end -->)", re.DOTALL)
    page = PAGE.read_text(encoding="utf-8")
    assert marks.search(page)
    PAGE.write_text(marks.sub(lambda found: f"{found[1]}\n{rows}\n{found[2]}", page), encoding="utf-8")
    print("wrote docs/testing.md", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
