"""Groups of similar betting sequences: the abstractions of a context tree (Billings et al. 2004, section 4.6.2).

Level A0 is the betting sequence itself. Each family here gives three coarser levels, A1 to A3, for two kinds of
context:

- a *decision*: where somebody acts. All levels keep what decides which actions are legal.
- a *showdown*, seen from one position: the betting at the end of which that player shows a hand.

| family | showdowns A1 | A2 | A3 |
|---|---|---|---|
| raises | position, bets and raises of the player, of the other | of the player | of both, nine classes |
| pot | position, final pot | final pot in steps of four small bets | all showdowns |
| last-round | position, the river's betting, bets and raises before it | the river's betting | as `raises` A3 |

`raises` and `pot` are the paper's; `last-round` is ours. Nine classes of the total: 0 to 7, and 8 or more.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from railbird.game.spec import Game

if TYPE_CHECKING:
    from railbird.game.betting_tree import BettingTree

Abstraction = Literal["raises", "pot", "last-round"]
ABSTRACTIONS: tuple[Abstraction, ...] = get_args(Abstraction)
LEVELS = 4
_MOST_RAISES_TOLD_APART = 8
_POT_STEP = 4


class BettingClasses(NamedTuple):
    """By context and level, A0 first: the class it belongs to. Classes are numbered through all levels."""

    decisions: NDArray[np.int32]
    """By node of the betting tree; only those of decision nodes mean anything."""
    decision_classes: int
    showdowns: NDArray[np.int32]
    """By position, and showdown in order of its node."""
    showdown_classes: int


class _Sequence(NamedTuple):
    """What the families look at: a betting sequence seen from one position."""

    street: int
    position: int
    own_raises: int
    other_raises: int
    earlier_raises: tuple[int, int]
    """Own and the other's before this street."""
    round_text: str
    pot_small_bets: float
    facing_bet: bool
    can_raise: bool


def showdown_nodes(tree: BettingTree) -> NDArray[np.int64]:
    """The nodes at which hands are shown: ends of the hand that nobody made by folding."""
    return np.flatnonzero((tree.child < 0).all(axis=1) & (tree.actor < 0))


_KNOWN: dict[tuple[Game, Abstraction], BettingClasses] = {}


def betting_classes(tree: BettingTree, abstraction: Abstraction) -> BettingClasses:
    """The classes of all contexts of a betting tree in one of the families; worked out once for each game."""
    key = (tree.game, abstraction)
    if key not in _KNOWN:
        _KNOWN[key] = _classified(tree, abstraction)
    return _KNOWN[key]


def _classified(tree: BettingTree, abstraction: Abstraction) -> BettingClasses:
    raises, earlier = _raises(tree)
    small_bet = tree.game.small_bet

    def sequence(node: int, position: int) -> _Sequence:
        own, other = raises[node, position], raises[node, 1 - position]
        return _Sequence(
            street=int(tree.street[node]),
            position=position,
            own_raises=int(own),
            other_raises=int(other),
            earlier_raises=(int(earlier[node, position]), int(earlier[node, 1 - position])),
            round_text=tree.history[node].rpartition("/")[2],
            pot_small_bets=float(tree.committed[node].sum() / small_bet),
            facing_bet=bool(tree.child[node, 0] >= 0),
            can_raise=bool(tree.child[node, 2] >= 0),
        )

    decided = np.concatenate(tree.decisions)
    numbers: dict[Hashable, int] = {}
    decisions = np.zeros((len(tree), LEVELS), np.int32)
    for node in decided.tolist():
        keys = _decision_keys(abstraction, sequence(node, int(tree.actor[node])))
        decisions[node] = [numbers.setdefault(key, len(numbers)) for key in ((0, node), *keys)]
    shown = showdown_nodes(tree)
    show_numbers: dict[Hashable, int] = {}
    showdowns = np.zeros((2, len(shown), LEVELS), np.int32)
    for position in range(2):
        for at, node in enumerate(shown.tolist()):
            keys = _showdown_keys(abstraction, sequence(node, position))
            numbered = ((0, position, node), *keys)
            showdowns[position, at] = [show_numbers.setdefault(key, len(show_numbers)) for key in numbered]
    return BettingClasses(decisions, len(numbers), showdowns, len(show_numbers))


def _raises(tree: BettingTree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By node and position: bets and raises so far, and those before this street."""
    raises = np.zeros((len(tree), 2), np.int64)
    earlier = np.zeros((len(tree), 2), np.int64)
    for node in range(1, len(tree)):
        before = int(tree.parent[node])
        raises[node] = raises[before]
        raises[node, tree.actor[before]] += tree.child[before, 2] == node
        earlier[node] = earlier[before] if tree.street[node] == tree.street[before] else raises[before]
    return raises, earlier


def _decision_keys(abstraction: Abstraction, at: _Sequence) -> tuple[Hashable, ...]:
    """The classes of a decision at A1, A2 and A3."""
    crude = (3, at.street, at.facing_bet, at.can_raise)
    round_alone = (2, at.street, at.position, at.round_text)
    if abstraction == "pot":
        return (1, at.street, at.position, at.round_text, at.pot_small_bets), round_alone, crude
    if abstraction == "last-round":
        return (1, at.street, at.position, at.round_text, sum(at.earlier_raises)), round_alone, crude
    return (1, at.street, at.position, at.round_text, at.earlier_raises), round_alone, crude


def _showdown_keys(abstraction: Abstraction, at: _Sequence) -> tuple[Hashable, ...]:
    """The classes of a showdown at A1, A2 and A3."""
    total = (3, min(at.own_raises + at.other_raises, _MOST_RAISES_TOLD_APART))
    if abstraction == "pot":
        return (1, at.position, at.pot_small_bets), (2, at.pot_small_bets // _POT_STEP), (3,)
    if abstraction == "last-round":
        return (1, at.position, at.round_text, sum(at.earlier_raises)), (2, at.position, at.round_text), total
    return (1, at.position, at.own_raises, at.other_raises), (2, at.own_raises), total
