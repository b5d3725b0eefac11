"""What each player did in a hand, in the counts that statistics are made of: see docs/stats.md for their meaning.

They are worked out once, when a hand is put into a store. All tuples are in order of position.
"""

from __future__ import annotations

from typing import NamedTuple

from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.pot_shares import all_in_payoffs, collected_chips, fair_payoffs
from railbird.game.record import HandRecord
from railbird.game.spec import STREETS, Game, Structure

COUNTS = (
    "had_a_turn",
    "vpip",
    "pfr",
    "three_bet_chances",
    "three_bets",
    "bets",
    "calls",
    "folds",
    *(f"faced_{street}" for street in STREETS),
    *(f"folded_{street}" for street in STREETS),
    "saw_flop",
    "showdown",
    "won_showdown",
    "all_in",
)
"""The names of the counts, each of which is a column of the seats' table."""
_AT = {name: at for at, name in enumerate(COUNTS)}
_HAD_A_TURN, _VPIP, _PFR, _CHANCE, _THREE_BET, _BETS, _CALLS, _FOLDS = range(8)
_FACED, _FOLDED = _AT["faced_preflop"], _AT["folded_preflop"]
_SAW_FLOP, _SHOWDOWN, _WON_SHOWDOWN, _ALL_IN = range(_AT["saw_flop"], len(COUNTS))
_KINDS = {Structure.FIXED_LIMIT: "limit"}


class Step(NamedTuple):
    """A decision of a hand, the betting before it, and the chips that were to be called."""

    before: Betting
    action: Action
    to_call: int


class SeatCounts(NamedTuple):
    """A hand by position. Amounts are chips."""

    steps: list[Step]
    last: Betting
    """The betting at the end."""
    counts: list[list[int]]
    """By position, the numbers of `COUNTS`."""
    fair: tuple[float, ...]
    """What was won before the house took its rake."""
    expected: tuple[float, ...]
    """The same with the cards that came after the last bet replaced by their average, where that is known."""


def seat_counts(record: HandRecord) -> SeatCounts:
    """What each player did in a hand that keeps the rules."""
    steps = [Step(before, action, before.to_call) for before, action in record.steps()]
    last = steps[-1].before.after(steps[-1].action) if steps else Betting.start(record.game)
    counts = [[0] * len(COUNTS) for _ in record.names]
    _count_actions(steps, counts)
    collected = collected_chips(record, last)
    _count_ends(last, counts, collected)
    fair = fair_payoffs(record, last)
    expected = all_in_payoffs(record, last, steps[-1].before.street if steps else 0)
    if expected is not None:
        for position in last.live:
            counts[position][_ALL_IN] = 1
    return SeatCounts(steps, last, counts, fair, expected or fair)


def _count_actions(steps: list[Step], counts: list[list[int]]) -> None:
    street, bets = 0, 0
    for before, (kind, _), to_call in steps:
        if before.street != street:
            street, bets = before.street, 0
        mine, is_owing = counts[before.to_act], to_call > 0
        if street == 0:
            mine[_HAD_A_TURN] = 1
            mine[_VPIP] |= kind == "r" or (kind == "c" and is_owing)
            mine[_PFR] |= kind == "r"
            if bets == 1 and before.can_raise:
                mine[_CHANCE] = 1
                mine[_THREE_BET] |= kind == "r"
        else:
            mine[_BETS] += kind == "r"
            mine[_CALLS] += kind == "c" and is_owing
            mine[_FOLDS] += kind == "f"
        if bets == 1 and is_owing:
            mine[_FACED + street] = 1
            mine[_FOLDED + street] |= kind == "f"
        bets += kind == "r"


def _count_ends(last: Betting, counts: list[list[int]], collected: list[float]) -> None:
    has_board, is_showdown = last.street > 0, last.is_showdown
    left_early = {at for at, mine in enumerate(counts) if last.folded >> at & 1 and not _acted_later(mine)}
    for position, mine in enumerate(counts):
        mine[_SAW_FLOP] = int(has_board and position not in left_early)
        if is_showdown and not last.folded >> position & 1:
            mine[_SHOWDOWN] = 1
            mine[_WON_SHOWDOWN] = int(collected[position] > 0)


def _acted_later(mine: list[int]) -> bool:
    """Whether a player who has folded did so after the first street."""
    return mine[_FOLDS] > 0


def stakes_name(game: Game, unit: int = 1, currency: str = "") -> str:
    """The stakes in words: the bets of a limit game, the blinds of any other.

    >>> from railbird.game.spec import limit_holdem, no_limit_holdem
    >>> stakes_name(limit_holdem(small_bet=300), 100, "USD"), stakes_name(no_limit_holdem())
    ('limit 3/6 USD', 'no-limit 50/100')
    """
    if not game.is_holdem:
        return game.name
    blinds = sorted(blind for blind in game.blinds if blind) or [game.ante]
    is_limit = game.structure is Structure.FIXED_LIMIT
    amounts = (game.bet_sizes[0], game.bet_sizes[-1]) if is_limit else (blinds[0], blinds[-1])
    words = "/".join(f"{amount / unit:.2f}".removesuffix(".00") for amount in amounts)
    return " ".join(filter(None, [_KINDS.get(game.structure, str(game.structure)), words, currency]))
