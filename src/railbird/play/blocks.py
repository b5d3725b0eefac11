"""Playing a leg of a match block by block, decision by decision or inside one kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from railbird.formats.acpc import record_line
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.kernels.cards.ranking import RANKING
from railbird.kernels.play.whole_hands import Output, Rules, Seating, play_block
from railbird.play.clock import Clock
from railbird.play.compiled import fixed_play, kernel_players
from railbird.play.dealing import deck_seeds
from railbird.play.faults import Fault
from railbird.play.hands import Skips, bot_seeds, played_hands
from railbird.play.match import MatchSpec


@dataclass(frozen=True)
class Block:
    """Consecutive hands of a leg: their log lines, chips by hand and player, and what bots did wrong."""

    leg: int
    first: int
    text: bytes
    won: NDArray[np.int64]
    faults: tuple[Fault, ...] = ()


def play_blocks(
    spec: MatchSpec,
    leg: int,
    first: int,
    last: int,
    past: Iterable[HandRecord] = (),
    clock: Clock | None = None,
    skips: Skips | None = None,
) -> Iterator[Block]:
    """Play hands `first` to `last - 1` of a leg. `past` are the hands before, as `played_hands` takes them."""
    if spec.is_compiled:
        yield from _play_compiled(spec, leg, first, last)
    else:
        yield from _play_bots(spec, leg, first, last, past, clock, skips or {})


def _play_bots(
    spec: MatchSpec, leg: int, first: int, last: int, past: Iterable[HandRecord], clock: Clock | None, skips: Skips
) -> Iterator[Block]:
    hands = played_hands(spec, leg, first, last, past, clock, skips)
    for start, end in spec.blocks(first, last):
        count = end - start
        lines: list[str] = []
        faults: list[Fault] = []
        orders, chips = [], []
        for record, order, wrong in islice(hands, count):
            orders.append(order)
            chips.append(record.payoffs)
            for fault in wrong:
                faults.append(fault.noted(leg))
                lines += faults[-1].lines()
            lines.append(record_line(record))
        won = np.empty((count, len(spec.bots)), np.int64)
        np.put_along_axis(won, np.array(orders), np.array(chips, np.int64), axis=1)
        yield Block(leg, start, ("\n".join(lines) + "\n").encode(), won, tuple(faults))


def _play_compiled(spec: MatchSpec, leg: int, first: int, last: int) -> Iterator[Block]:
    game, seating = spec.game, spec.seating
    plays = [play for bot in spec.roster.ready() if (play := fixed_play(bot, game)) is not None]
    players, tables = kernel_players(plays)
    endings = [(":" + "|".join(spec.names[p] for p in row) + "\n").encode() for row in seating.rows]
    names = np.zeros((len(endings), max(map(len, endings))), np.uint8)
    for row, ending in enumerate(endings):
        names[row, : len(ending)] = np.frombuffer(ending, np.uint8)
    rules = kernel_rules(game)
    longest = 64 + 4 * game.seats * (int(rules.max_raises.max()) + 2) + 24 * game.seats + names.shape[1]
    text = np.empty(longest * min(spec.block_hands, last - first), np.uint8)
    seats = Seating(
        np.array(seating.rows, np.int64),
        leg,
        deck_seeds(spec.seed, first, 1),
        np.array(bot_seeds(spec, leg), np.uint64),
        names,
        np.array([len(ending) for ending in endings], np.int64),
    )
    for start, end in spec.blocks(first, last):
        won = np.empty((end - start, game.seats), np.int64)
        dealt = seats._replace(deck_seeds=deck_seeds(spec.seed, start, end - start))
        used = play_block(RANKING, rules, dealt, players, tables, start, end - start, Output(won, text))
        yield Block(leg, start, text[:used].tobytes(), won)


def kernel_rules(game: Game) -> Rules:
    """The rules of a limit game as kernels take them; it has a cap on every street."""
    caps = [cap for cap in game.max_raises if cap is not None]
    blinds, bets, most, first_to_act = (
        np.array(part, np.int64) for part in (game.blinds, game.bet_sizes, caps, game.first_to_act)
    )
    return Rules(blinds, game.ante, bets, most, first_to_act)
