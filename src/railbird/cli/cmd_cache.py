"""railbird cache."""

from __future__ import annotations

from typing import Annotated

import typer

from railbird.cli.console import console, print_json
from railbird.cli.options import Json
from railbird.results.cached import cache_contents, clear_cache
from railbird.results.result import print_parts


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove it all; what is needed is built again.")] = False,
    as_json: Json = False,
) -> None:
    """Say where compiled kernels and tables are kept and how large they are, or remove them.

    The folder is that of $RAILBIRD_CACHE, or the system's place for such files. Older versions of tables go when newer
    ones are built, and what nothing has used for two weeks goes too. Files that are not Railbird's stay.

    Example: railbird cache
    """
    found = clear_cache() if clear else cache_contents()
    if as_json:
        print_json(found.to_json())
    else:
        print_parts(found.parts(), console())
