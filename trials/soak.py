"""A long match through a dealer and external clients, each a process: its log must be that of a match without a wire.

    python -m trials soak
    python -m trials soak --hands 2000 --game tests/data/acpc/holdem.nolimit.2p.reverse_blinds.game --bots random random

The same cards are dealt in this process, the same bots play them with the same random numbers and nothing between them,
and the lines of both logs are compared, byte for byte.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from time import perf_counter

from railbird.formats.acpc import state_line
from railbird.formats.games import file_or_game
from railbird.formats.wire_lines import HandText
from railbird.game.payoffs import equal_shares
from railbird.game.spec import Game
from railbird.net.dealer_cards import reference_deals
from railbird.play.hand import HandPlayer
from railbird.play.hands import bot_seed
from railbird.play.players import Roster, player_of
from railbird.play.seating import seating

_RAILBIRD = (sys.executable, "-m", "railbird")
_PATIENCE_SECONDS = 3600.0


def lines_without_wire(game: Game, bots: Sequence[str], names: Sequence[str], seed: int, hands: int) -> Iterator[str]:
    """The lines of the hands that these bots play in one process, with the dealer's cards."""
    roster = Roster([player_of(bot) for bot in bots], names)
    player = HandPlayer(game, roster.ready(), names)
    player.seeds = [bot_seed(seed, 0, seat) for seat in range(game.seats)]
    rotation = seating(game.seats, duplicate=False)
    for deal in reference_deals(game, seed, hands):
        order = rotation.order(0, deal.number)
        player.seed(deal.number)
        record = player.play(deal, order)
        node = record.final()
        won = equal_shares(node, deal.ranks) if node.is_showdown else record.payoffs
        text = HandText(game, deal.number, deal.holes, deal.board)
        yield state_line(deal.number, record.history, text.holes, text.board(node.street), won, record.names)


def dealt_log(folder: Path, game: str, bots: Sequence[str], names: Sequence[str], seed: int, hands: int) -> Path:
    """The log of a dealer's process to which each bot's process connects."""
    command = [*_RAILBIRD, "dealer", "soak", game, str(hands), str(seed), *names, "-q", "--start_timeout", "60000"]
    dealer = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    clients: list[subprocess.Popen[bytes]] = []
    try:
        assert dealer.stdout is not None
        for bot, port in zip(bots, dealer.stdout.readline().split()):
            words = ("connect", "127.0.0.1", port, "--bot", bot, "--game", game, "--seed", str(seed))
            seats = () if game.endswith(".game") else ("--seats", str(len(names)))
            clients.append(subprocess.Popen([*_RAILBIRD, *words, *seats], stdout=subprocess.DEVNULL))
        codes = [process.wait(_PATIENCE_SECONDS) for process in (dealer, *clients)]
        if any(codes):
            raise SystemExit(f"exit codes {codes} of the dealer and its clients")
    finally:
        for process in (dealer, *clients):
            process.kill()
            process.wait()
    return folder / "soak.log"


def first_difference(log: Path, expected: Iterator[str]) -> str:
    """Where a log has other hands than these; empty if nowhere."""
    with log.open() as file:
        found = (line.rstrip("\n") for line in file if line.startswith("STATE"))
        for ours, theirs in zip_longest(found, expected):
            if ours != theirs:
                return f"over the wire {ours!r}, without it {theirs!r}"
    return ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials soak", description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--game", default="limit")
    parser.add_argument("--bots", nargs="+", default=["random", "random"])
    asked = parser.parse_args(arguments)
    names = [f"p{seat}" for seat in range(1, len(asked.bots) + 1)]
    game = str(Path(asked.game).absolute()) if Path(asked.game).is_file() else asked.game
    with tempfile.TemporaryDirectory() as folder:
        start = perf_counter()
        log = dealt_log(Path(folder), game, asked.bots, names, asked.seed, asked.hands)
        seconds = perf_counter() - start
        expected = lines_without_wire(file_or_game(game, len(names)), asked.bots, names, asked.seed, asked.hands)
        difference = first_difference(log, expected)
    rate = asked.hands / seconds
    print(f"{asked.hands:,} hands of {' '.join(asked.bots)} over the wire in {seconds:.0f} s ({rate:,.0f} hands/s)")
    print(difference or "the log is that of the same match without a wire")
    return 1 if difference else 0
