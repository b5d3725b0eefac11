"""DIVAT's baseline as a player: it bets its hand for value and does nothing else (Kan 2007, section 3.1).

On each street its effective hand rank makes a holding worth so many bets, or worth a call, or nothing. It raises while
fewer bets are in than that, and then calls; a hand worth no bet checks, and calls or folds to a bet by the pot before
the street. It never bluffs or lies in wait, and looks at nothing but its cards, the pot and the bets of the street.

These are the classes and actions by which `railbird.assess` judges others, from the same tables. So it never departs
from the baseline, and in a match against itself no skill is seen.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import CLASSES, DEFINED_FOR, baseline_action, bets_before, is_defined_for
from railbird.assess.class_tables import ClassTables, class_tables
from railbird.assess.hand_ranks import hand_rank
from railbird.assess.settings import TABLE_3_2, Thresholds, standard
from railbird.bots.base import Bot
from railbird.bots.decision import Decision, Note, Step
from railbird.errors import AssessmentError, UnknownBotError
from railbird.game.actions import Action
from railbird.game.betting import Betting
from railbird.game.betting_rounds import BettingRounds, betting_rounds
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.kernels.divat.codes import BLOCKED, MOST_BETS_IN
from railbird.kernels.divat.two_holdings import class_at
from railbird.solve.policy import TablePolicy
from railbird.words import count_of

_NOTES = {
    "IHR": Note("immediate hand rank: ahead of so many holdings now, ties counting half"),
    "7cHR": Note("the same at the river, over all cards to come"),
    "EHR": Note("effective hand rank: what decides"),
    "bets": Note("how many bets the hand is worth on this street", ".0f"),
    "fold below": Note("a hand worth no bet folds to one below this rank, with this pot"),
}
_KINDS = {"r": 2, "c": 1, "f": 0}
_CODES = np.array([*range(1, 5), *[upto << 3 for upto in range(MOST_BETS_IN + 1)]])
"""The codes after the flop, in the order of the buckets of `baseline_policy`."""


class DivatBaseline(Bot):
    """DIVAT's baseline for heads-up limit hold'em (Kan 2007): bets a hand for what it is worth, and no more.

    fold: the pot that says what is called, that at the start of the street ("pot") or with the bet that is faced
    ("faced"). The others are those of `railbird assess --settings`: bets are the hand ranks worth one to four bets, a
    row of Table 4.1 or numbers (0.58/0.825/0.93/0.965); folds are added to bet / (pot + bet), a row of Table 4.2 or a
    number (0.075).
    """

    def __init__(self, thresholds: Thresholds = TABLE_3_2) -> None:
        try:
            self.settings = standard(thresholds)
        except AssessmentError as error:
            raise UnknownBotError(f"divat-baseline: {error}") from None

    @cached_property
    def tables(self) -> ClassTables:
        """The classes of all holdings: those of assessment."""
        return class_tables(self.settings)

    def can_play(self, game: Game) -> bool:
        return is_defined_for(game)

    def prepare(self) -> None:
        self.tables.class_name((0, 5), (10, 15, 20, 25, 30), 1)

    def class_name(self, view: PlayerView) -> str:
        """F, C or M1 to M4: the baseline's class of the hand on this street."""
        return self.tables.class_name(view.hole_cards, view.board_cards, bets_before(view.betting))

    def act(self, view: PlayerView) -> Action:
        return baseline_action(view.betting, self.class_name(view))

    def explain(self, view: PlayerView) -> Decision:
        node, name = view.betting, self.class_name(view)
        action, rank = baseline_action(node, name), hand_rank(view.holding, view.board)
        level, enough = rank.level(self.settings), self.settings.bets[node.street]
        known = {
            "IHR": float(rank.ihr),
            "7cHR": float(rank.seven_card),
            "EHR": float(rank.ehr(self.settings)),
            "bets": float(level),
        }
        bets, steps = node.raises + (node.street == 0), []
        if node.can_raise and bets < len(enough):
            needed = float(enough[bets])
            steps.append(Step("bet" if bets == 0 else "raise", "EHR", known["EHR"], f"make-{bets + 1}", needed))
        if node.to_call and not level:
            known["fold below"] = float(self.settings.fold_threshold(node.street, bets_before(node)))
            steps.append(Step("call", "EHR", known["EHR"], "fold below", known["fold below"]))
        return Decision(action, name, _reason(node, name, action), known, _NOTES, tuple(steps))

    def probabilities(self, view: PlayerView, every: bool = False) -> NDArray[np.float64]:
        node, done = view.betting, np.eye(3)
        if not every:
            return np.asarray(done[_KINDS[self.act(view).kind]])
        classes = self.tables.preflop_classes
        if view.board_cards:
            codes, bets_in = self.tables.board_codes(np.array([view.board_cards], np.uint8))[0], bets_before(node)
            class_of = np.zeros(BLOCKED + 1, np.int64)  # of holdings that the board blocks, any
            class_of[_CODES] = [class_at.py_func(code, bets_in) for code in _CODES]
            classes = class_of[codes]
        return np.asarray(done[[_KINDS[baseline_action(node, name).kind] for name in CLASSES]][classes])

    def table_policy(self, game: Game) -> TablePolicy:
        if not is_defined_for(game):
            raise UnknownBotError(f"divat-baseline does not play {game.name}: it is for {DEFINED_FOR}")
        return baseline_policy(game, self.tables)


def _reason(node: Betting, name: str, action: Action) -> str:
    """Why a hand of a class acts so."""
    if name == "F":
        return "worth no bet, and not worth a call into this pot" if node.to_call else "worth no bet"
    if name == "C":
        return "worth no bet, but worth a call into this pot" if node.to_call else "worth no bet"
    bets, worth = node.raises + (node.street == 0), int(name[1])
    are_in = f"{bets if bets else 'none'} {'is' if bets == 1 else 'are'} in"
    return f"worth {count_of(worth, 'bet')}, and {are_in}{'' if action.kind == 'r' else ': no more, and no fold'}"


def baseline_policy(game: Game, tables: ClassTables) -> TablePolicy:
    """The baseline as a strategy over buckets, which are the classes before the flop and the codes after it."""

    def buckets(street: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        if street == 0:
            return np.broadcast_to(tables.preflop_classes, (len(boards), len(tables.preflop_classes))).astype(np.int32)
        return bucket_of[tables.board_codes(boards)]

    bucket_of = np.zeros(BLOCKED + 1, np.int32)  # of holdings that the board blocks, any
    bucket_of[_CODES] = np.arange(len(_CODES))
    return TablePolicy(game, [_street_table(rounds) for rounds in betting_rounds(game)], buckets)


def _street_table(rounds: BettingRounds) -> NDArray[np.float32]:
    """Fold, call and raise by row of a street's decisions and bucket."""
    start, game = Betting.start(rounds.tree.game), rounds.tree.game
    places = [start.play(rounds.tree.history[rounds.nodes[place]]) for place in rounds.decisions]
    done = [[_KINDS[baseline_action(node, name).kind] for name in CLASSES] for node in places]
    by_class = np.asarray(np.eye(3, dtype=np.float32)[np.array(done)])  # by decision of a round, class and action
    if rounds.street == 0:
        return by_class
    bets_in = (rounds.chips_before // game.small_bet).tolist()
    classes = np.array([[class_at.py_func(code, bets) for code in _CODES] for bets in bets_in])
    return np.asarray(np.moveaxis(by_class[:, classes], 0, 1).reshape(-1, len(_CODES), 3))
