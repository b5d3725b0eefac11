"""Measures all named bots, and writes docs/strength.md and its picture from what was measured.

    python docs/make_strength.py                                       the page again, from docs/data/strength.json
    python docs/make_strength.py --hands 4000 --ring-hands 1500        play first, on all cores

Heads-up everybody plays everybody in duplicate, judged by DIVAT. In the ring each bot that can takes the sixth seat
beside the same five players, on the same deals. The hands go to `--out`; the same command goes on where it was
interrupted.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import railbird
from railbird.bots.registry import bot_entries, make_bot
from railbird.files import write_whole
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches
from railbird.play.tournament import TournamentSpec, run_tournament, tournament_with_divat
from railbird.play.tournament_result import TournamentResult
from railbird.progress import live_bar
from railbird.statistics import Estimate
from railbird.words import signed

DOCS = Path(__file__).parent
DATA = DOCS / "data" / "strength.json"
COMPANY = ("loki", "bpm", "yoki", "expert", "always-call")
"""Who sits at the ring table beside the bot that is measured."""
CHOSEN = (
    *("vexbot2", "equilibrium", "vexbot", "hobbybot", "poki", "loki", "jagbot", "yoki", "bpm", "expert"),
    *("simulation", "always-call", "always-raise", "random"),
)
"""One bot of each kind, for the small crosstable."""
SLOW = ("resolver",)
"""Whose hands take a third of a second each: all that are played here would take a core a day."""
ONE_MANS = ("nemesis",)
"""Who knows one opponent, and plays against others as if they were that one."""
SWITCHED = 1_000
"""Hands after which `switcher` takes another style."""
CELL, LEFT, TOP = 29, 96, 92
"""Of the picture, in pixels: a cell's width, and the room for names."""


# What is measured


def named_bots() -> list[str]:
    """All built-in bots that are for anybody and not slow, each once: a second name of the same player is left out."""
    found: dict[tuple[str, str], str] = {}
    for entry in bot_entries().values():
        if not entry.origin:
            found.setdefault((entry.target, entry.presets), entry.name)
    return [name for name in found.values() if name not in (*SLOW, *ONE_MANS)]


def ring_bots() -> list[str]:
    """Those that play with six seats."""
    return [name for name in named_bots() if make_bot(name).can_play(limit_holdem(6))]


def measured(out: Path, hands: int, ring_hands: int, seed: int, workers: int | None) -> dict[str, Any]:
    """Play what is not played yet; what goes into the data."""
    bots = named_bots()
    with live_bar(unit="hands") as watch:
        table = run_tournament(
            out / "heads-up", TournamentSpec(limit_holdem(), tuple(bots), hands, seed), workers, watch
        )
    with live_bar("assessing", "hands") as watch:
        table = tournament_with_divat(out / "heads-up", table, watch=watch)
    specs = {
        name: MatchSpec(limit_holdem(6), (name, *COMPANY), ring_hands, seed, duplicate=True) for name in ring_bots()
    }
    folders = [MatchFolder.create(out / "ring" / name, spec) for name, spec in specs.items()]
    with ExitStack() as stack:
        for folder in folders:
            stack.enter_context(folder.lock())
        ring = run_matches(folders, workers, stack.enter_context(live_bar(unit="hands")))
    return {
        "railbird": railbird.__version__,
        "seed": seed,
        "unit": "small bets per hand; mean and half the width of the 95% interval",
        "heads_up": {"deals": hands, "players": _everybody(table), "pairs": _pairs(table)},
        "ring": {
            "deals": ring_hands,
            "seats": 6,
            "company": list(COMPANY),
            "players": {name: _pair(match.players[0].duplicate) for name, match in zip(specs, ring)},
        },
    }


def _everybody(table: TournamentResult) -> dict[str, Any]:
    skill = table.overall_skill
    assert skill is not None
    return {
        name: {"divat": _pair(skill[place]), "money": _pair(table.overall[place])}
        for place, name in enumerate(table.names)
    }


def _pairs(table: TournamentResult) -> list[list[Any]]:
    """The first player, the second, DIVAT and money of the first."""
    names = table.names
    return [[names[a], names[b], *_pair(table.skill(a, b)), *_pair(table.rate(a, b))] for a, b in table.matches]


def _pair(estimate: Estimate | None) -> list[float]:
    assert estimate is not None
    return [round(estimate.mean, 4), round(estimate.margin, 4)]


def data_text(data: dict[str, Any]) -> str:
    """The data as JSON, one pair of players a line."""
    head = {**data, "heads_up": {**data["heads_up"], "pairs": ["PAIRS"]}}
    lines = ",\n".join(f"      {json.dumps(pair)}" for pair in data["heads_up"]["pairs"])
    return json.dumps(head, indent=2).replace('      "PAIRS"', lines) + "\n"


# What is shown


@dataclass(frozen=True)
class Cell:
    """What one player won from another."""

    mean: float
    margin: float

    @property
    def is_clear(self) -> bool:
        return abs(self.mean) > self.margin

    def __str__(self) -> str:
        return f"{signed(self.mean)} ± {self.margin:.3f}"


class Crosstable:
    """Every pair by DIVAT, seen from both sides, the best player first."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.overall = {name: Cell(*each["divat"]) for name, each in data["heads_up"]["players"].items()}
        self.money = {name: Cell(*each["money"]) for name, each in data["heads_up"]["players"].items()}
        self.order = sorted(self.overall, key=lambda name: -self.overall[name].mean)
        self.cells: dict[tuple[str, str], Cell] = {}
        for first, second, mean, margin, *_ in data["heads_up"]["pairs"]:
            self.cells[first, second] = Cell(mean, margin)
            self.cells[second, first] = Cell(-mean, margin)

    def results(self, name: str) -> dict[str, Cell]:
        """What a player won from each of the others."""
        return {other: self.cells[name, other] for other in self.order if other != name}


def page(data: dict[str, Any]) -> str:
    """The whole page."""
    table, ring = Crosstable(data), data["ring"]
    facts = (
        f"{len(table.order)} bots, {data['heads_up']['deals']:,} deals a pair heads-up and {ring['deals']:,} a bot in "
        f"the ring; seed {data['seed']}, Railbird {data['railbird']}"
    )
    margins = sorted(cell.margin for cell in table.cells.values())
    wide = f" The interval of a pair is about ± {margins[len(margins) // 2]:.2f}."
    missing = [name for name in named_bots() if name not in table.overall]
    changed = data.get("changed", [])
    more = wide + (f" Play differently since, and are to be measured again: {', '.join(changed)}." if changed else "")
    more += f" Not measured yet: {', '.join(missing)}." if missing else ""
    more += f" Left out, since a hand takes too long: {', '.join(SLOW)}."
    if data["heads_up"]["deals"] <= SWITCHED:
        more += f" `switcher` takes another style after {SWITCHED:,} hands, so here it is `always-raise` all the time."
    command = f"python docs/make_strength.py --hands {data['heads_up']['deals']} --ring-hands {ring['deals']}"
    again = command + (f" --seed {data['seed']}" if data["seed"] != 1 else "")
    chosen = [name for name in table.order if name in CHOSEN]
    return _TEXT.format(
        facts=facts,
        more=more,
        ranking=_ranking(table),
        crosstable=_crosstable(table, chosen),
        company=", ".join(f"`{name}`" for name in ring["company"]),
        ring_deals=f"{ring['deals']:,}",
        ring=_ring_table(ring),
        again=again,
    )


def _ranking(table: Crosstable) -> str:
    rows = ["| | bot | DIVAT, sb/hand | money, sb/hand | beats | loses to | most from | least from |"]
    rows.append("|--:|---|--:|--:|--:|--:|---|---|")
    for place, name in enumerate(table.order, 1):
        found = table.results(name)
        best, worst = (chosen(found, key=lambda other: found[other].mean) for chosen in (max, min))
        beats = sum(cell.is_clear and cell.mean > 0 for cell in found.values())
        loses = sum(cell.is_clear and cell.mean < 0 for cell in found.values())
        ends = [f"{other} {signed(found[other].mean, 2)}" for other in (best, worst)]
        rows.append(
            f"| {place} | `{name}` | {table.overall[name]} | {table.money[name]} | {beats} | {loses} | "
            f"{ends[0]} | {ends[1]} |"
        )
    return "\n".join(rows)


def _crosstable(table: Crosstable, names: list[str]) -> str:
    rows = ["| | " + " | ".join(names) + " |", "|---|" + "--:|" * len(names)]
    for name in names:
        cells = []
        for other in names:
            cell = table.cells.get((name, other))
            shown = "" if cell is None else f"{signed(cell.mean, 2)}<br>±{cell.margin:.2f}"
            cells.append(f"**{shown.replace('<br>', '**<br>', 1)}" if cell and cell.is_clear else shown)
        rows.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _ring_table(ring: dict[str, Any]) -> str:
    players = {name: Cell(*each) for name, each in ring["players"].items()}
    rows = ["| | bot | sb/hand |", "|--:|---|--:|"]
    best_first = sorted(players, key=lambda name: -players[name].mean)
    rows += [f"| {place} | `{name}` | {players[name]} |" for place, name in enumerate(best_first, 1)]
    return "\n".join(rows)


def picture(data: dict[str, Any]) -> str:
    """The whole crosstable as SVG: green where the row's player wins, purple where it loses, grey where it is open."""
    table = Crosstable(data)
    size = len(table.order)
    wide, high = LEFT + size * CELL + 50, TOP + size * 20 + 6
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="9">',
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
    ]
    for place, name in enumerate(table.order):
        x, y = LEFT + place * CELL + 18, TOP + place * 20 + 14
        parts.append(f'<text x="{LEFT - 6}" y="{y}" text-anchor="end" font-size="11">{name}</text>')
        parts.append(f'<text transform="translate({x} {TOP - 6}) rotate(-55)" font-size="11">{name}</text>')
    for row, name in enumerate(table.order):
        for column, other in enumerate(table.order):
            if name != other:
                parts += _drawn(table.cells[name, other], f"{name} from {other}", row, column)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawn(cell: Cell, title: str, row: int, column: int) -> list[str]:
    x, y = LEFT + column * CELL, TOP + row * 20
    depth = min(1.0, abs(cell.mean)) ** 0.6
    strong = (27, 120, 55) if cell.mean > 0 else (118, 42, 131)
    shade = tuple(round(247 + (part - 247) * depth) for part in strong) if cell.is_clear else (235, 235, 235)
    ink = "#fff" if cell.is_clear and depth > 0.6 else "#333"
    number = signed(cell.mean, 2).replace("+0.", "+.").replace("-0.", "-.")
    return [
        f'<g><title>{title}: {cell} sb/hand</title><rect x="{x}" y="{y}" width="{CELL - 1}" height="19" '
        f'fill="#{shade[0]:02x}{shade[1]:02x}{shade[2]:02x}"/>'
        f'<text x="{x + (CELL - 1) / 2}" y="{y + 13}" text-anchor="middle" fill="{ink}">{number}</text></g>'
    ]


_TEXT = """# Which bot is how strong

{facts}.{more} This page and its picture are made from [the data](data/strength.json) by one command, which can play
everything again too ([below](#measure-again-or-your-own)).

Strength is not one number: who wins most from weak players is not who loses least to strong ones. So there is a ranking
over all opponents, who beats whom, and a table with more than two seats. All numbers are small bets per hand with their
95% intervals ([glossary](glossary.md)); heads-up the skill alone counts, by [DIVAT](divat-in-five-minutes.md) in
duplicate.

## Heads-up, against everybody

The mean over all opponents. "Beats" and "loses to" count the opponents where the interval leaves out zero.

{ranking}

## Heads-up, who beats whom

One bot of each kind; what the row's bot won from the column's. **Bold**: the interval leaves out zero.

{crosstable}

All of them: green where the row's bot wins, purple where it loses, grey where it is not clear. [Open the
picture](pictures/strength.svg) to see each interval under the pointer.

![Everybody against everybody](pictures/strength.svg)

## In the ring

Six seats, in duplicate, {ring_deals} deals a bot: it sits with {company}, the same five and the same deals for
every bot, so that the rows can be compared. Bots that play heads-up only are not here.

{ring}

## Measure again, or your own

```
{again}
railbird tournament ./mybot.py:MyBot vexbot2 equilibrium loki --hands 2000
```

The first plays all of it, on all cores, and writes the data, the picture and this page; stopped, it goes on where it
was. Bots that learn play each of their matches from the first hand to the last, beginning with nothing known.
"""


def write_page() -> None:
    """The page and its picture, from the data."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    write_whole(DOCS / "strength.md", page(data))
    write_whole(DOCS / "pictures" / "strength.svg", picture(data))


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--hands", type=int, help="deals a pair heads-up; without it nothing is played")
    asked.add_argument("--ring-hands", type=int, default=500, help="deals a bot in the ring, each played six times")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--workers", type=int, help="processes; one per core")
    asked.add_argument("--out", type=Path, default=Path("scratch/strength"), help="folder for the hands")
    given = asked.parse_args()
    if given.hands:
        found = measured(given.out, given.hands, given.ring_hands, given.seed, given.workers)
        write_whole(DATA, data_text(found))
    write_page()
