"""railbird demo."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.cmd_match import show_match
from railbird.cli.cmd_replay import replay
from railbird.cli.console import tell
from railbird.cli.options import Json
from railbird.cli.show import progress_bar
from railbird.game.spec import limit_holdem
from railbird.play.folder import MatchFolder
from railbird.play.match import MatchSpec
from railbird.play.run import run_matches

HANDS = 2_000


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the hands.")] = Path("matches/demo"),
    as_json: Json = False,
) -> None:
    """A first look: a duplicate match between two built-in players, one of its hands, and what to try next.

    Example: railbird demo
    """
    spec = MatchSpec(limit_holdem(), ("expert", "random"), HANDS, 7, duplicate=True)
    folder = MatchFolder.create(out, spec)
    with folder.lock(), progress_bar(quiet=as_json) as watch:
        [result] = run_matches([folder], None, watch)
    show_match(result, out, False, as_json)
    if as_json:
        return
    tell()
    replay(out, 17)
    tell("\ntry next:")
    for command, what in (
        ("railbird odds AdQc --board 3h4cJh", "how strong is this holding, and what can it become?"),
        (f"railbird assess {shlex.quote(str(out))}", "who played better, without the luck?"),
        ("railbird tournament expert always-call always-raise random", "everybody against everybody"),
        ("railbird match expert simulation --duplicate", "does the simulation beat the rules?"),
        ("railbird play loki", "sit down at the table yourself"),
        ("railbird new-bot mybot", "write your own player"),
    ):
        tell(f"  {command:<60}  {what}")
