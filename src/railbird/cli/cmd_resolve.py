"""railbird resolve."""

from __future__ import annotations

from typing import Annotated

import typer

from railbird.bots.resolver import Resolver
from railbird.cli.options import Json
from railbird.cli.show import counting_bar, show
from railbird.solve.resolved_play import Effort
from railbird.solve.resolved_value import resolved_value, street_number


def resolve(
    rests: Annotated[int, typer.Option("--rests", help="How many rests of hands are looked at.")] = 20,
    street: Annotated[str, typer.Option("--street", help="Where they begin: turn or river.")] = "river",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Which rests are drawn.")] = 0,
    strategy: Annotated[str, typer.Option("--strategy", help="A strategy file; by default the one that ships.")] = "",
    turn: Annotated[int, typer.Option("--turn", help="Iterations on the turn.")] = Effort.turn,
    river: Annotated[int, typer.Option("--river", help="Iterations on the river.")] = Effort.river,
    safety: Annotated[
        str, typer.Option("--safety", help="mixed as the resolver plays; gadget: all safe; none: not safe.")
    ] = "mixed",
    backend: Annotated[str, typer.Option("--backend", help="cpu, or gpu (NVIDIA, with CuPy).")] = "cpu",
    workers: Annotated[int | None, typer.Option("--workers", "-w", help="Threads; by default all cores.")] = None,
    as_json: Json = False,
) -> None:
    """Say what a perfect opponent loses where the resolver solves the rest of the hand again.

    Hands are dealt and played by the table strategy to the turn or the river. From there on the opponent plays
    perfectly, against the table strategy and against the resolver; both are exact. A rest from the turn on has 432
    rounds on rivers, all of which are solved: it takes half a minute, one from the river on a part of a second.
    --backend gpu solves them side by side.

    Example: railbird resolve --rests 3 --street river --river 50
    """
    play = Resolver(strategy, turn, river, safety, backend).play
    with counting_bar("rests") as watch:
        found = resolved_value(play, street_number(street), rests, seed, 1 if backend == "gpu" else workers, watch)
    show(found, as_json)
