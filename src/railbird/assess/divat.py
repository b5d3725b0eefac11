"""DIVAT of whole logs: what each street's play was worth against the baseline, and what the cards did (Kan 2007).

    money = skill + luck + position

holds for every hand, before any rake. Skill is the DIVAT difference, summed over streets: the value after the actions
that were taken minus the value after the baseline's. Luck is what the cards of each street changed, position what the
big blind loses to the button on average when both play the baseline.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import Outcomes, baseline_outcomes, check_game
from railbird.assess.settings import STANDARD, Settings
from railbird.assess.street_ends import Played, street_ends
from railbird.assess.tables import MOST_PREFLOP, PREFLOP_SEQUELS, DivatTables, divat_tables
from railbird.assess.values import preflop_place, preflop_rollout_of
from railbird.cards import HOLDING_COUNT, holding_cards
from railbird.errors import AssessmentError
from railbird.formats.hand_arrays import RAISE, HandArrays
from railbird.game.spec import Game, limit_holdem
from railbird.kernels.divat.codes import MOST_BETS_IN
from railbird.kernels.divat.outcomes import SECOND_FOLDS
from railbird.kernels.divat.streets import NOBODY, Rules, Walked, value_pots, walk_streets
from railbird.progress import Watch

Values = NDArray[np.float64]
_BLOCK = 1_000


@dataclass(frozen=True)
class Assessment:
    """The assessment of n hands. Values are in small bets, for position 0 (the first to act after the flop)."""

    hands: HandArrays
    settings: Settings
    actual: Values
    """[n, 4] rollout equity after each street as it was played; nan where the hand was over."""
    baseline: Values
    """[n, 4] rollout equity after each street if the baseline had played it."""
    actual_all_in: Values
    baseline_all_in: Values
    """[n, 4] the same two with all-in equity."""
    edges: Values
    """[n, 4] position 0's all-in share after each street's cards, from -1 (nothing) to 1 (the whole pot)."""
    dcash: Values
    """[n] what the baseline would have won with the cards that were dealt."""
    evat: Values
    """[n, 2] by position, what its actions gave away in all-in equity against the best of fold, call and raise."""
    deviator: NDArray[np.int8]
    """[n, 4] who first left the baseline on each street, -1 if nobody did."""
    deviation: NDArray[np.int8]
    """[n, 4] how: 9 * facing a bet + 3 * what the baseline does + what was done, each 0 fold, 1 call, 2 raise."""
    classes: NDArray[np.int8]
    """[n, 4, 2] the baseline's classes, 0-5 for F, C, M1-M4, -1 where the hand was over."""

    def __len__(self) -> int:
        return len(self.actual)

    @cached_property
    def money(self) -> Values:
        """[n] small bets won."""
        return np.asarray(np.divide(self.hands.payoffs[:, 0], self.hands.small_bet))

    @cached_property
    def fair_money(self) -> Values:
        """[n] small bets won before the house took its rake."""
        return np.asarray(np.divide(self.hands.fair_payoffs[:, 0], self.hands.small_bet))

    @cached_property
    def difference(self) -> Values:
        """[n, 4] the DIVAT difference of each street, 0 where the hand was over."""
        return np.nan_to_num(self.actual - self.baseline)

    @cached_property
    def all_in_difference(self) -> Values:
        """[n, 4] the same with all-in equity: easier to check by hand, and biased (section 3.2.1)."""
        return np.nan_to_num(self.actual_all_in - self.baseline_all_in)

    @cached_property
    def divat(self) -> Values:
        """[n] the DIVAT difference of the hand."""
        return np.asarray(np.sum(self.difference, axis=1))

    @cached_property
    def all_in_divat(self) -> Values:
        """[n] the difference with all-in equity."""
        return np.asarray(np.sum(self.all_in_difference, axis=1))

    @cached_property
    def position(self) -> float:
        """What position 0 wins on average when both play the baseline."""
        return value_of_game(self.settings, self.hands.game)

    @cached_property
    def luck(self) -> Values:
        """[n, 4] how much the cards of each street changed the value: hole cards, flop, turn, river."""
        before = np.column_stack([np.full(len(self), self.position), self.actual[:, :3]])
        return np.asarray(np.nan_to_num(self.baseline - before))

    @cached_property
    def lfat(self) -> Values:
        """[n, 3] luck of flop, turn and river by all-in equity: the change of the share times the pot."""
        return np.multiply(np.nan_to_num(np.diff(self.edges, axis=1)), self._bets_in)

    @cached_property
    def _bets_in(self) -> Values:
        """[n, 3] small bets in from each player before flop, turn and river."""
        raises = (self.hands.actions == 2).sum(axis=2)[:, :3] * [1, 1, 2]
        return 1.0 + np.cumsum(raises, axis=1)

    @cached_property
    def red_green(self) -> Values:
        """[n, 2] points by position: each street's difference goes to whoever first left the baseline."""
        points = [
            np.where(self.deviator == position, self.difference * sign, 0.0).sum(axis=1)
            for position, sign in ((0, 1), (1, -1))
        ]
        return np.column_stack(points)


def assess(
    hands: HandArrays, settings: Settings = STANDARD, watch: Watch | None = None, workers: int = 0
) -> Assessment:
    """Assess hands of which all hole cards are known. `workers` threads share the work, by default all cores."""
    check_game(hands.game)
    if not hands.complete.all():
        raise AssessmentError("some hole cards are not known; assess hands.where(hands.complete)")
    most = 1 + ((hands.actions == RAISE).sum(axis=2)[:, :3] * [1, 1, 2]).sum(axis=1).max(initial=0)
    if most > MOST_BETS_IN:
        raise AssessmentError(
            f"a pot of {most} small bets from each player before the river; DIVAT's tables know {MOST_BETS_IN}"
        )
    tables, outcomes = divat_tables(settings), baseline_outcomes(hands.game)
    n = len(hands)
    by_street = [np.full((n, 4), np.nan) for _ in range(5)]
    found = Assessment(
        hands,
        settings,
        by_street[0],
        by_street[1],
        by_street[2],
        by_street[3],
        by_street[4],
        dcash=np.empty(n),
        evat=np.zeros((n, 2)),
        deviator=np.full((n, 4), NOBODY, np.int8),
        deviation=np.zeros((n, 4), np.int8),
        classes=np.full((n, 4, 2), -1, np.int8),
    )
    starts = range(0, n, _BLOCK)
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        jobs = pool.map(lambda start: _assess_block(tables, outcomes, found, slice(start, start + _BLOCK)), starts)
        for done, _ in enumerate(jobs):
            if watch:
                watch(min((done + 1) * _BLOCK, n), n)
        _fill_large_pots(found, tables, outcomes, pool, watch)
    return found


def _assess_block(tables: DivatTables, outcomes: Outcomes, found: Assessment, part: slice) -> None:
    """Fill the part of an assessment that is about some hands."""
    played, game = Played.of(found.hands, part), found.hands.game
    n, last, ends = len(played.holes), played.last_street, street_ends(tables, outcomes, played)
    values, edges = np.zeros((n, 4, 3)), np.zeros((n, 4))
    place = preflop_place(tables, played.holes.reshape(n, 4))
    columns = np.clip(ends.pots[:, 0] - 1, 0, MOST_PREFLOP - 1)
    rolled_out = tables.preflop[place[0][:, None], place[1][:, None], columns] / PREFLOP_SEQUELS
    values[:, 0] = np.where(ends.pots[:, 0] > MOST_PREFLOP, np.nan, rolled_out)
    edges[:, 0] = tables.preflop[(*place, -1)] / PREFLOP_SEQUELS
    value_pots(tables.baseline(outcomes), ends.flops, ends.holes, ends.boards, last, ends.pots, values, edges)
    caps = [0 if most is None else most + (street == 0) for street, most in enumerate(game.max_raises)]
    rules = Rules(np.array(game.blinds) / game.small_bet, game.first_to_act[0], np.array(caps))
    walked = Walked(found.evat[part], found.deviator[part], found.deviation[part], np.zeros((n, 4)))
    walk_streets(played.actions, played.action_counts, last, rules, ends.classes, ends.bets_in, edges, walked)
    pots, reached = ends.pots[..., :2], np.arange(4) <= last[:, None]
    folded_for = np.stack([walked.folded_for, ends.folded_for], axis=2)
    ended = np.where(pots > 0, values[..., :2], folded_for)
    all_in = np.where(pots > 0, pots * edges[..., None], folded_for)
    for filled, computed in (
        (found.actual, ended[..., 0]),
        (found.baseline, ended[..., 1]),
        (found.actual_all_in, all_in[..., 0]),
        (found.baseline_all_in, all_in[..., 1]),
        (found.edges, edges),
    ):
        filled[part] = np.where(reached, computed, np.nan)
    found.classes[part] = ends.classes
    at_showdown = np.take_along_axis(values[..., 2], last[:, None], axis=1)[:, 0]
    found.dcash[part] = np.where(np.isnan(ends.cash), at_showdown, ends.cash)


def _fill_large_pots(
    found: Assessment, tables: DivatTables, outcomes: Outcomes, pool: ThreadPoolExecutor, watch: Watch | None
) -> None:
    """Values before the flop of pots larger than the table knows, where more than four bets are allowed: a tenth of a
    second for each different pair of holdings."""
    alike: dict[tuple[int, int, int], list[int]] = {}
    for n in np.flatnonzero(np.isnan(found.actual[:, 0])).tolist():
        row, other = preflop_place(tables, found.hands.holes[n].ravel())
        alike.setdefault((int(row), int(other), int(found._bets_in[n, 0])), []).append(n)

    def fill(group: tuple[tuple[int, int, int], list[int]]) -> None:
        (_, _, bets_in), hands = group
        found.actual[hands, 0] = preflop_rollout_of(tables, outcomes, found.hands.holes[hands[0]].ravel(), bets_in)

    for done, _ in enumerate(pool.map(fill, alike.items()), start=1):
        if watch:
            watch(len(found) - len(alike) + done, len(found))


@lru_cache(maxsize=8)
def value_of_game(settings: Settings = STANDARD, game: Game | None = None) -> float:
    """What the first player after the flop wins on average when both play the baseline, in small bets.

    >>> round(value_of_game(), 9)
    -0.111007957
    """
    tables, outcomes = divat_tables(settings), baseline_outcomes(game or limit_holdem())
    cards = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])
    sizes = np.bincount(tables.preflop_rows)
    total = 0.0
    for row, own in enumerate(tables.preflop_holdings):
        others = ~np.isin(cards, cards[own]).any(axis=1)
        at = 6 * tables.preflop_classes[own] + tables.preflop_classes[others]
        outcome = outcomes.preflop[at].astype(np.int64)
        column = np.maximum(outcome, 1)[:, None] - 1
        rolled_out = np.take_along_axis(tables.preflop[row][others], column, axis=1)[:, 0] / PREFLOP_SEQUELS
        folded = np.where(outcome == SECOND_FOLDS, 1, -1) * outcomes.preflop_lost[at] / 2
        total += sizes[row] * float(np.where(outcome < 0, folded, rolled_out).sum())
    return float(total / (HOLDING_COUNT * 1225))
