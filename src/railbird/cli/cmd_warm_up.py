"""railbird warm-up."""

from __future__ import annotations

from railbird.cache import cache_folder, cached_files
from railbird.cli.console import tell
from railbird.cli.show import counting_bar
from railbird.play.warming import warm_up as warm_all
from railbird.stopping import keeping


def warm_up() -> None:
    """Compile all kernels and build all tables now, so that nothing has to wait for them later.

    None of it is needed: what is missing is made when it is used first. It takes about a minute of one core, once after
    an installation.

    Example: railbird warm-up
    """
    kept = keeping("kernels and tables that are ready are kept; do the same again to go on")
    with kept, counting_bar("warming up") as watch:
        warm_all(watch)
    size = sum(file.bytes for file in cached_files())
    tell(f"all kernels and tables are ready: {size / 1e6:,.0f} MB in {cache_folder()} (railbird cache)")
