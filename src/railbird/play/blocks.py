"""Playing a stream of hands block by block, decision by decision or inside one kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.errors import UnknownBotError
from railbird.formats.acpc import board_text, state_line
from railbird.game.record import HandRecord
from railbird.kernels.play.whole_hands import Output, Rules, Seating, play_block
from railbird.kernels.rank_tables import RANKING
from railbird.play.compiled import fixed_play, kernel_players
from railbird.play.dealing import deals
from railbird.play.hand import Clock, HandPlayer, holes_text
from railbird.play.match import MatchSpec
from railbird.randomness import derived_seed

Skips = Mapping[tuple[int, int], str]
"""Calls that are not made, by hand and decision or hook (see `Clock.call`): a process was lost there; and why."""


@dataclass(frozen=True)
class Block:
    """Consecutive hands of a stream: their log lines, chips by hand and player, and what bots did wrong."""

    stream: int
    first: int
    text: bytes
    won: NDArray[np.int64]
    faults: tuple[str, ...] = ()


def play_blocks(
    spec: MatchSpec,
    stream: int,
    first: int,
    last: int,
    past: Iterable[HandRecord] = (),
    clock: Clock | None = None,
    skips: Skips | None = None,
) -> Iterator[Block]:
    """Play hands `first` to `last - 1` of a stream. `past` are the hands before, which learners are shown first."""
    if spec.is_compiled:
        yield from _play_compiled(spec, stream, first, last)
    else:
        yield from _play_bots(spec, stream, first, last, past, clock, skips or {})


def _play_bots(
    spec: MatchSpec, stream: int, first: int, last: int, past: Iterable[HandRecord], clock: Clock | None, skips: Skips
) -> Iterator[Block]:
    game, names, seating = spec.game, spec.names, spec.seating
    bots = _prepared_bots(spec)
    player = HandPlayer(game, bots, names, clock)
    seeds = bot_seeds(spec, stream)
    for record in past if spec.learns else ():
        for seed, bot in zip(seeds, bots):
            bot.seed_hand(seed, record.number)
        player.remember(record, seating.order(stream, record.number), _skipped(skips, record.number))
    player.faults.clear()
    for start in range(first, last, spec.block_hands):
        count = min(spec.block_hands, last - start)
        won = np.zeros((count, len(bots)), np.int64)
        lines: list[str] = []
        faults: list[str] = []
        player.timeouts = [0] * len(bots)
        player.reset(start, _skipped(skips, start))
        for deal in deals(game, spec.seed, start, count):
            hand = deal.number
            order = seating.order(stream, hand)
            for seed, bot in zip(seeds, bots):
                bot.seed_hand(seed, hand)
            history, chips = player.play(deal, order, _skipped(skips, hand))
            won[hand - start, order] = chips
            if player.faults:
                lines += [f"# {fault}" for fault in player.faults]
                faults += map(str, player.faults)
                player.faults.clear()
            board = deal.board[: game.board_seen(history.count("/"))]
            lines.append(
                state_line(hand, history, holes_text(deal), board_text(board, game), chips, [names[p] for p in order])
            )
        yield Block(stream, start, ("\n".join(lines) + "\n").encode(), won, tuple(faults))


def _prepared_bots(spec: MatchSpec) -> list[Bot]:
    bots = spec.make_bots()
    for bot, text in zip(bots, spec.bots):
        try:
            bot.prepare()
        except (Exception, SystemExit) as error:
            raise UnknownBotError(f"{text!r} could not be prepared: {type(error).__name__}: {error}") from error
    return bots


def bot_seeds(spec: MatchSpec, stream: int) -> list[int]:
    """The seed of each player's random numbers in a stream; nobody's leads to another's, nor to the cards."""
    return [derived_seed(spec.seed, f"bot {stream} {player}") for player in range(len(spec.bots))]


def _skipped(skips: Skips, hand: int) -> dict[int, str]:
    return {call: why for (at, call), why in skips.items() if at == hand} if skips else {}


def _play_compiled(spec: MatchSpec, stream: int, first: int, last: int) -> Iterator[Block]:
    game, seating = spec.game, spec.seating
    plays = [play for bot in _prepared_bots(spec) if (play := fixed_play(bot, game)) is not None]
    players, tables = kernel_players(plays)
    endings = [(":" + "|".join(spec.names[p] for p in row) + "\n").encode() for row in seating.rows]
    names = np.zeros((len(endings), max(map(len, endings))), np.uint8)
    for row, ending in enumerate(endings):
        names[row, : len(ending)] = np.frombuffer(ending, np.uint8)
    caps = [cap for cap in game.max_raises if cap is not None]
    longest = 64 + 4 * game.seats * (max(caps) + 2) + 24 * game.seats + names.shape[1]
    text = np.empty(longest * min(spec.block_hands, last - first), np.uint8)
    blinds, bets, most, first_to_act = (
        np.array(part, np.int64) for part in (game.blinds, game.bet_sizes, caps, game.first_to_act)
    )
    rules = Rules(blinds, game.ante, bets, most, first_to_act)
    seats = Seating(
        np.array(seating.rows, np.int64),
        stream,
        np.uint64(derived_seed(spec.seed, "deck")),
        np.array(bot_seeds(spec, stream), np.uint64),
        names,
        np.array([len(ending) for ending in endings], np.int64),
    )
    for start in range(first, last, spec.block_hands):
        count = min(spec.block_hands, last - start)
        won = np.empty((count, game.seats), np.int64)
        used = play_block(RANKING, rules, seats, players, tables, start, count, Output(won, text))
        yield Block(stream, start, text[:used].tobytes(), won)
