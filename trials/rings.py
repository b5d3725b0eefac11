"""What the measures are worth at tables of three and more and without a limit, in matches that nothing was fitted to.

Of each match it is told how many hands of money a hand is worth, over all players: money less the luck of the board,
MIVAT, and AIVAT with the players who are named as known. And AIVAT must agree with the money: what is taken off is
luck, so that it is nothing on average; exit 1 if for some player it is not, all judged together.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.assess.card_luck import LUCK_SHARES, card_luck, hole_luck
from railbird.game.record import HandRecord
from railbird.play.known import KnownBots
from railbird.play.match_logs import read_hands
from railbird.play.matches import play_match
from railbird.statistics import Estimate

Values = NDArray[np.float64]


class Match(NamedTuple):
    """A match, and who is known in it."""

    game: str
    players: tuple[str, ...]
    known: tuple[str, ...]


MATCHES = (
    Match("limit", ("expert", "bpm", "bpt"), ("expert",)),
    Match("limit", ("expert", "bpm", "yoki-loose"), ("expert", "yoki-loose")),
    Match("limit", ("yoki-tight", "bpl", "loki-gom", "papp-a", "bpt", "expert"), ("yoki-tight", "expert")),
    Match("no-limit", ("expert", "bpl"), ("expert",)),
    Match("no-limit", ("expert", "yoki-default"), ("expert", "yoki-default")),
    Match("no-limit", ("yoki-default", "bpm", "bpt"), ("yoki-default",)),
)


def hands_of(match: Match, hands: int, seed: int) -> list[HandRecord]:
    """The hands of a match that is played now."""
    with TemporaryDirectory() as folder:
        where = Path(folder) / "match"
        play_match(*match.players, game=match.game, hands=hands, seed=seed, folder=where, progress=False)
        return read_hands(where)


def samples_of(records: list[HandRecord], known: KnownBots) -> dict[str, Values]:
    """By measure [players, hands] in small bets."""
    names = sorted(records[0].names)
    found: dict[str, list[Values]] = {"money": [], "less luck": [], "MIVAT": [], "AIVAT": []}
    for record, board in zip(records, card_luck(records), strict=True):
        holes, aivat = hole_luck(record), known.tables.of(record)
        assert board is not None  # all cards are known
        assert holes is not None
        assert aivat is not None
        money = np.array(record.payoffs, np.float64)
        luck = np.vstack([holes, board])
        order = [record.names.index(name) for name in names]
        each = (money, money - board.sum(axis=0), money - np.array(LUCK_SHARES) @ luck, aivat)
        for measure, values in zip(found.values(), each, strict=True):
            measure.append(values[order] / record.game.small_bet)
    return {name: np.array(values).T for name, values in found.items()}


def worth(samples: dict[str, Values], measure: str) -> Estimate:
    """How many hands of money a hand is worth, over all players."""
    money, other = (samples[name] - samples[name].mean(axis=1, keepdims=True) for name in ("money", measure))
    return Estimate.of_reduction(money, other)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m trials rings", description=__doc__)
    parser.add_argument("--hands", type=int, default=600, help="hands of each match")
    parser.add_argument("--seed", type=int, default=31)
    given = parser.parse_args(arguments)
    if given.hands < 100:
        parser.error("fewer than 100 hands say nothing")
    wrong = 0
    claims = sum(len(match.players) for match in MATCHES)
    print(f"{'match':<58} {'known':<22} {'less luck':>11} {'MIVAT':>11} {'AIVAT':>12}")
    for at, match in enumerate(MATCHES):
        samples = samples_of(hands_of(match, given.hands, given.seed + at), KnownBots(match.known))
        told = [
            f"{found.mean:.1f} ± {found.margin:.1f}" for found in (worth(samples, name) for name in list(samples)[1:])
        ]
        named = f"{match.game}: {', '.join(match.players)}"
        print(f"{named:<58} {', '.join(match.known):<22} {told[0]:>11} {told[1]:>11} {told[2]:>12}")
        for apart in samples["money"] - samples["AIVAT"]:
            wrong += replace(Estimate.of(apart), claims=claims).is_clear
    print(f"money and AIVAT differ by more than chance for {wrong} of {claims} players")
    return 1 if wrong else 0
