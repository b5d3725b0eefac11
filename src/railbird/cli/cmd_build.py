"""railbird build."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from railbird.assess.class_tables import build_streets
from railbird.assess.mivat import SHIPPED as MIVAT
from railbird.assess.self_play import build_self_play
from railbird.assess.settings import parse_settings
from railbird.assess.tables import build_preflop
from railbird.bots.equilibrium import SHIPPED as EQUILIBRIUM
from railbird.bots.equilibrium import strategy_of
from railbird.bots.sparbot import SHIPPED as SPARBOT
from railbird.bots.sparbot import build_sparbot
from railbird.cli.console import say, tell
from railbird.cli.options import On
from railbird.cli.show import counting_bar, show
from railbird.errors import RailbirdError, did_you_mean
from railbird.files import write_whole
from railbird.odds.expected_rank import build_expected_ranks
from railbird.odds.income_rates import rolled_out_table
from railbird.play.gauntlet import RESULTS as GAUNTLET_FILE
from railbird.play.gauntlet import build_gauntlet
from railbird.play.mivat_matches import train_mivat
from railbird.progress import Watch
from railbird.search.futures import PACKED_NAME, packed_scores
from railbird.solve.bucket_files import DEFAULT_COUNTS, build_buckets
from railbird.workforce import Workforce, asked_workforce

TABLES = {
    "expected-ranks": "Yoki's expected ranks of all holdings on all flops (5 MB, kept in the user's cache)",
    "divat": "DIVAT's classes of all holdings on all boards for other --settings (2 MB, kept in the user's cache)",
    "divat-preflop": "DIVAT's rollout before the flop for other --settings (minutes; 2 MB, kept in the user's cache)",
    "income-rates": "pre-flop income rates by roll-out (a CSV file of 169 lines, by default income_rates.csv here)",
    "buckets": "the equilibrium player's buckets on all flops and turns, as they ship (a minute; a file of 4 MB here)",
    "abstraction": "cluster centres for railbird solve --buckets FILE, with --buckets by street (minutes; a file of "
    "less than 1 MB here)",
    "sparbot-buckets": "the sparbot's buckets, likewise (half a minute; a file of 0.8 MB here)",
    "sparbot": "the sparbot's strategy, solved anew as it ships (some minutes; a file of 0.1 MB here)",
    "self-play": "what the equilibrium player's betting rounds are worth in self-play, as AIVAT compares it and as it "
    "ships (minutes; a file of 2 MB here)",
    "mivat": "MIVAT's coefficients, learned from matches that are played for it, as they ship, or --from others "
    "(minutes; a file of 2 kB here)",
    "gauntlet": "the gauntlet's results, played anew as they ship, first of bots that have none (an hour or two; a "
    "file of 10 kB here, whole after each bot; goes on where it was stopped)",
    "futures": "Vexbot's sampled boards before the flop, as they ship (a file of 1 MB here)",
}

IN_ONE_PIECE = ("sparbot", "self-play", "futures", "mivat", "abstraction")
BUCKETS_OF = {"buckets": EQUILIBRIUM, "sparbot-buckets": SPARBOT}
"""By table of buckets, the strategy whose they are."""


def build(
    table: Annotated[str | None, typer.Argument(help="What to build; without a name, all are listed.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write it; for divat a folder.")] = None,
    settings: Annotated[
        str,
        typer.Option(
            help="DIVAT's settings, as in standard:fold=faced, standard:turn_bets=aggressive-low or "
            "standard:flop_bets=0.58/0.825/0.93/0.965 (see railbird assess)."
        ),
    ] = "standard",
    logs: Annotated[
        list[Path] | None,
        typer.Option("--from", help="For mivat: a match folder or log to learn from; give two or more."),
    ] = None,
    buckets: Annotated[str, typer.Option(help="Buckets by street of an abstraction.")] = DEFAULT_COUNTS,
    method: Annotated[
        str, typer.Option(help="How an abstraction is made, as in railbird solve --abstraction.")
    ] = "ochs",
    seed: Annotated[
        int, typer.Option("--seed", "-s", min=0, help="Of the deals that an abstraction is made from.")
    ] = 0,
    on: On = None,
) -> None:
    """Compute a table anew. None needs to be built by hand: what ships is enough, and the rest is built on first use.

    Of tables that are computed in parts, what is done is kept meanwhile: the same command goes on where it was stopped.

    Example: railbird build expected-ranks
    """
    if table is None:
        for name, what in TABLES.items():
            say(f"[bold]{name:<16}[/bold] {what}")
        return
    if table not in TABLES:
        raise RailbirdError(f"no table {table!r}{did_you_mean(table, TABLES)} (all: {', '.join(TABLES)})")
    if on is not None and table in IN_ONE_PIECE:
        raise RailbirdError(f"{table} is computed in one piece, which a cluster does not make faster; leave out --on")
    who = asked_workforce(None, on)
    if table == "sparbot":
        written = build_sparbot(out or Path(SPARBOT), counting_bar)
    elif table == "gauntlet":
        written = build_gauntlet(out or Path(GAUNTLET_FILE), Path("gauntlets"), counting_bar, who=who)
    elif table == "mivat":
        found = train_mivat(logs or (), counting_bar)
        show(found, False)
        written = found.mivat.save(out or Path(MIVAT))
    elif table == "abstraction":
        with counting_bar(table) as watch:
            written = build_buckets(out or Path("buckets.npz"), buckets, method, seed, watch)
    elif table.startswith("divat"):
        compute = build_preflop if table == "divat-preflop" else build_streets
        with counting_bar(table) as watch:
            written = compute(parse_settings(settings), out, watch, who)
    else:
        with counting_bar(table) as watch:
            written = _written(table, out, watch, who)
    tell(f"wrote {written}")


def _written(table: str, out: Path | None, watch: Watch | None, who: Workforce) -> Path:
    """The tables of which nothing can be set."""
    if table == "expected-ranks":
        return build_expected_ranks(out, watch, who)
    if table == "income-rates":
        return write_whole(out or Path("income_rates.csv"), rolled_out_table(watch=watch, who=who))
    if table in BUCKETS_OF:
        abstraction = strategy_of("", BUCKETS_OF[table]).abstraction
        return write_whole(out or Path(abstraction.packed_name), abstraction.packed(watch, who))
    if table == "self-play":
        return build_self_play(strategy_of(), out, watch)
    return write_whole(out or Path(PACKED_NAME), packed_scores())
