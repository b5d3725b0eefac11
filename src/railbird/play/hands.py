"""The hands of a match, one after another: the one loop in which hands are played.

Matches, `railbird watch`, the checks of bots and the papers' studies all take their hands from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from railbird.game.record import HandRecord
from railbird.play.clock import Clock
from railbird.play.dealing import deals
from railbird.play.faults import Fault
from railbird.play.hand import Deal, HandPlayer
from railbird.play.match import MatchSpec
from railbird.play.seating import Seating
from railbird.randomness import Seed, derived_seed

Skips = Mapping[tuple[int, int], str]
"""Calls that are not made, by hand and decision or hook (see `Clock.call`): a process was lost there; and why."""


class PlayedHand(NamedTuple):
    """A hand, who sat where, and what bots did wrong in it."""

    record: HandRecord
    order: tuple[int, ...]
    """The player at each position."""
    faults: tuple[Fault, ...]


def played_hands(
    spec: MatchSpec,
    leg: int = 0,
    first: int = 0,
    last: int | None = None,
    past: Iterable[HandRecord] = (),
    clock: Clock | None = None,
    skips: Skips | None = None,
) -> Iterator[PlayedHand]:
    """Hands `first` to `last - 1` of one leg of a match, by default all of them.

    They are the hands in the log of a match with that seed. `past` are the hands before, which the bots are shown
    first: all of them where a bot learns, else those of the block that `first` is in the middle of. The bots are those
    of the spec in this process: a bot that was given as an object plays one leg at a time.
    """
    seating, last = spec.seating, spec.hands if last is None else last
    player = _seated(spec, leg, clock)
    for record in past if spec.learns or first % spec.block_hands else ():
        skipped = _skipped(skips, record.number)
        if record.number % spec.block_hands == 0:
            player.reset(record.number, skipped)
        player.seed(record.number)
        player.remember(record, seating.order(leg, record.number), skipped)
    player.faults.clear()
    player.forgive()
    for start, end in spec.blocks(first, last):
        if start % spec.block_hands == 0:
            if spec.in_episodes and start > first:
                player = _seated(spec, leg, clock)
            player.reset(start, _skipped(skips, start))
        yield from hands_of(player, deals(spec.game, spec.seed, start, end - start), seating, leg, skips)


def _seated(spec: MatchSpec, leg: int, clock: Clock | None) -> HandPlayer:
    """The bots of a match at the table; those that learn know nothing yet."""
    player = HandPlayer(spec.game, spec.roster.ready(), spec.names, clock)
    player.seeds = bot_seeds(spec, leg)
    return player


def hands_of(
    player: HandPlayer, dealt: Iterable[Deal], seating: Seating, leg: int = 0, skips: Skips | None = None
) -> Iterator[PlayedHand]:
    """Play these deals, whichever they are, in their order."""
    for deal in dealt:
        number = deal.number
        order = seating.order(leg, number)
        player.seed(number)
        record = player.play(deal, order, _skipped(skips, number))
        faults: tuple[Fault, ...] = ()
        if player.faults:
            faults = tuple(player.faults)
            player.faults.clear()
        yield PlayedHand(record, order, faults)


def bot_seeds(spec: MatchSpec, leg: int) -> list[int]:
    """The seed of each player's random numbers in a leg; nobody's leads to another's, nor to the cards."""
    return [bot_seed(spec.seed, leg, player) for player in range(len(spec.bots))]


def bot_seed(seed: Seed, leg: int, player: int) -> int:
    """The seed of one player's random numbers."""
    return derived_seed(seed, f"bot {leg} {player}")


def _skipped(skips: Skips | None, hand: int) -> dict[int, str]:
    return {call: why for (at, call), why in skips.items() if at == hand} if skips else {}
