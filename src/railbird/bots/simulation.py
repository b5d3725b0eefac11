"""A player that plays the hand out many times against random holdings, in the manner of r00lbot."""

from __future__ import annotations

import numpy as np

from railbird.bots.base import Bot, may_raise
from railbird.bots.decision import Decision, Note, Step, rule_by_action
from railbird.bots.groups import starting_group
from railbird.errors import UnknownBotError
from railbird.game.actions import CALL, Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.play.random_opponents import playout_share

MOST_OPPONENTS = 22

# Before the flop: raise with the groups up to the first number, call up to the second. The columns are what has
# happened so far: nobody is in, somebody has called, one raise, more raises. "in" is who has paid more than a blind.
_PREFLOP = """
                  unopened  called  raised  reraised
early               2 4      2 4     1 2      1 1
middle              3 5      3 5     1 3      1 2
late                6 7      3 7     2 4      1 2
small-blind         6 7      3 8     2 4      1 2
big-blind           3 9      3 9     2 6      1 3
in                  3 9      3 9     1 9      1 4
heads-up-button     7 9      4 9     3 8      2 7
heads-up-blind      5 9      5 9     3 8      2 7
"""


def _read_preflop() -> dict[tuple[str, str], tuple[int, int]]:
    header, *rows = [line.split() for line in _PREFLOP.strip().splitlines()]
    return {
        (place, column): (int(row[2 * i]), int(row[2 * i + 1]))
        for place, *row in rows
        for i, column in enumerate(header)
    }


_GROUPS_TO_PLAY = _read_preflop()
_PREFLOP_NOTES = {
    "group": Note("of the holding, 1 the best; 9 is in none", ".0f"),
    "raised groups": Note("it raises with groups up to this", ".0f"),
    "played groups": Note("it calls with groups up to this", ".0f"),
}
_NOTES = {
    "share": Note("of the pot won in play-outs; bets of the street count as further opponents"),
    "fair shares": Note("the same in equal shares of the pot: what raises go by", ".2f"),
    "pot odds": Note("the share of the pot that a call pays for"),
}


class SimulationBot(Bot):
    """Plays the hand out against random holdings, in the manner of r00lbot (Papp 1998, section 4.6).

    Before the flop it follows the groups of Sklansky and Malmuth. After the flop it plays the hand out to the showdown
    `playouts` times against random holdings: one for each opponent left, and one more for each bet and raise of the
    street. It raises with `edge` fair shares (the pot over the number of players left), calls with the share that the
    pot odds ask for, and never bluffs. What the source leaves open is listed in docs/papers/simulation.md.
    """

    def __init__(self, playouts: int = 3000, edge: float = 1.2) -> None:
        if playouts < 1:
            raise UnknownBotError(f"playouts={playouts}: the hand must be played out at least once")
        if edge <= 0:
            raise UnknownBotError(f"edge={edge}: the share to raise with must be more than 0")
        self.playouts = playouts
        self.edge = edge

    def can_play(self, game: Game) -> bool:
        return game.is_holdem

    def act(self, view: PlayerView) -> Action:
        if not view.board_cards:
            return _action_before_flop(view)
        return self._action_after_flop(view, self.share(view))

    def explain(self, view: PlayerView) -> Decision:
        if not view.board_cards:
            return _explained_before_flop(view)
        share, to_call = self.share(view), view.to_call_chips
        action = self._action_after_flop(view, share)
        known = {"share": share, "fair shares": share * (len(view.opponents) + 1)}
        steps = [Step("raise", "fair shares", known["fair shares"], "edge", self.edge)]
        if to_call:
            known["pot odds"] = to_call / (view.pot_chips + to_call)
            steps.append(Step("call", "share", share, "pot odds", known["pot odds"]))
        reason = f"by the share of {self.playouts:,} play-outs won against random holdings"
        return Decision(action, rule_by_action(view, action), reason, known, _NOTES, tuple(steps))

    def share(self, view: PlayerView) -> float:
        """The share of this decision's playouts that the holding wins, ties counting in part."""
        opponents = min(MOST_OPPONENTS, len(view.opponents) + view.betting.raises)
        hole, board = np.array(view.hole_cards, np.uint8), np.array(view.board_cards, np.uint8)
        start = np.uint64(self.rng.bits())
        return float(playout_share(TABLE, CARD_KEYS, hole, board, opponents, self.playouts, start))

    def _action_after_flop(self, view: PlayerView, share: float) -> Action:
        if may_raise(view) and share * (len(view.opponents) + 1) >= self.edge:
            return view.smallest_raise()
        to_call = view.to_call_chips
        return CALL if share * (view.pot_chips + to_call) >= to_call else view.check_or_fold()


def _action_before_flop(view: PlayerView) -> Action:
    raise_up_to, call_up_to = _GROUPS_TO_PLAY[place(view), situation(view)]
    group = starting_group(view.hole_cards)
    if group <= raise_up_to and may_raise(view):
        return view.smallest_raise()
    return CALL if group <= call_up_to else view.check_or_fold()


def _explained_before_flop(view: PlayerView) -> Decision:
    where, what = place(view), situation(view)
    raise_up_to, call_up_to = _GROUPS_TO_PLAY[where, what]
    known = {"group": starting_group(view.hole_cards), "raised groups": raise_up_to, "played groups": call_up_to}
    steps = (
        Step("raise", "raised groups", raise_up_to, "group", known["group"]),
        Step("call", "played groups", call_up_to, "group", known["group"]),
    )
    reason = f"the groups of starting hands that are played {where}, {what}"
    return Decision(_action_before_flop(view), f"{where}, {what}", reason, known, _PREFLOP_NOTES, steps)


def place(view: PlayerView) -> str:
    """Where a player sits before the flop, as the book names it: the last two seats are late, three before them middle.

    Fewer players than the book's ten leave out the early places.
    """
    node, position = view.betting, view.position
    seats, blind = node.game.seats, node.game.blinds[position]
    if seats == 2:
        return "heads-up-button" if blind < max(node.game.blinds) else "heads-up-blind"
    if node.street_bets[position] > blind:
        return "in"
    if blind:
        return "big-blind" if blind == max(node.game.blinds) else "small-blind"
    behind = seats - 1 - position
    return "late" if behind < 2 else "middle" if behind < 5 else "early"


def situation(view: PlayerView) -> str:
    """What has happened before the flop; more than three bets to call at once count as a reraise."""
    raises = view.betting.raises
    if raises > 1 or view.bets_to_call > 3:
        return "reraised"
    if raises:
        return "raised"
    return "called" if "c" in view.history else "unopened"
