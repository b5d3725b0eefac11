"""As many random hands against a peer as one likes, all compared with Railbird's rules at every decision."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from .blocks import play_block

BLOCK = 500


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000, help="how many hands (default 1,000,000)")
    parser.add_argument("--peer", choices=("pokerkit", "open_spiel"), default="pokerkit")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first hand; each further hand has the next")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    seen: Counter[str] = Counter()
    done, began, last = 0, time.monotonic(), asked.seed + asked.hands
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as pool:
        blocks = [range(at, min(at + BLOCK, last)) for at in range(asked.seed, last, BLOCK)]
        for result in as_completed([pool.submit(play_block, asked.peer, seeds) for seeds in blocks]):
            block = result.result()
            done += block.hands
            seen.update(block.seen)
            if block.difference:
                pool.shutdown(cancel_futures=True)
                print(f"\ndifference with {asked.peer}: {block.difference}", file=sys.stderr)
                return 1
            pace = done / (time.monotonic() - began)
            left = (asked.hands - done) / pace
            print(f"\r{done:,} of {asked.hands:,} hands, {pace:,.0f} hands/s, {left:,.0f} s left  ", end="", flush=True)
    print(f"\n{asked.peer}: {asked.hands:,} hands from seed {asked.seed}, no unexplained difference")
    for name, count in sorted(seen.items()):
        print(f"{count:>13,} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
