"""Writes the table of docs/testing.md: python docs/make_testing.py [DEALS] [FOLDER].

Each comparison is played for so many deals, to see how much a deal's difference scatters; from that follow the deals
that a test takes on average and those that a test of a fixed length takes. By default they are 2,000, in the folder
"comparisons", and those that lie there go on.
"""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import railbird as rb
from railbird.sequential import StoppingRule
from railbird.statistics import Estimate
from railbird.words import roughly

PAGE = Path(__file__).parent / "testing.md"
GAINS = (0.1, 0.05, 0.02, 0.01)
COMPARISONS = {
    "one rule of a bot changed": ("divat-baseline", "divat-baseline:fold=faced", ("sparbot",)),
    "two near-equilibria": ("equilibrium", "sparbot", ("divat-baseline",)),
    "two bots of rules": ("expert", "jagbot", ("sparbot",)),
    "the same, three opponents": ("expert", "jagbot", ("sparbot", "divat-baseline", "always-call")),
    "a wild opponent": ("expert", "jagbot", ("always-raise",)),
}


def table(deals: int, folder: Path) -> list[str]:
    """A row for each comparison: how much a deal's difference scatters, and the deals that tests take."""
    lines = [
        "| | bots, opponents | SD of a deal | " + " | ".join(f"gain {gain:g}" for gain in GAINS) + " |",
        "|---|---|---|" + "---|" * len(GAINS),
    ]
    for name, (new, old, against) in COMPARISONS.items():
        path = folder / f"{name.replace(' ', '-').replace(',', '')}"
        found = rb.compare_bots(new, old, against, hands=deals, folder=path, progress=True)
        sd = Estimate.of_deviation(found.sampled(0, found.deals))
        cells = [_cell(StoppingRule(gain), sd.mean) for gain in GAINS]
        who = f"`{new}` v `{old}` against {', '.join(f'`{each}`' for each in against)}"
        lines.append(f"| {name} | {who} | {sd.mean:.2f} ± {sd.margin:.2f} | {' | '.join(cells)} |")
    return lines


def _cell(rule: StoppingRule, sd: float) -> str:
    """What a test takes on average without a gain or with it, and where the truth is half-way; and a fixed length."""
    most = rule.further_samples(0.0, rule.gain / 2, sd)
    return " / ".join(
        f"{roughly(math.ceil(each)):,}" for each in (rule.further_samples(0.0, 0.0, sd), most, rule.fixed_samples(sd))
    )


def main(arguments: list[str]) -> None:
    deals = int(arguments[0]) if arguments else 2_000
    folder = Path(arguments[1]) if len(arguments) > 1 else Path("comparisons")
    rows = "\n".join(table(deals, folder))
    marks = re.compile(r"(<!-- deals -->\n).*?(\n<!-- end -->)", re.DOTALL)
    page = PAGE.read_text(encoding="utf-8")
    assert marks.search(page)
    PAGE.write_text(marks.sub(lambda found: f"{found[1]}\n{rows}\n{found[2]}", page), encoding="utf-8")
    print("wrote docs/testing.md", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
