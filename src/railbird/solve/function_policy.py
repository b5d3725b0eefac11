"""A policy of one's own, given as a Python function: what it does with a holding, on a board, after some betting.

A whole game asks far more of a function than of a table. Below one flop lie 1 + 49 + 2,352 boards with 70, 630 and
5,670 decisions each: 13 million questions for all holdings at once, or 14 thousand million for one holding at a time.
So a best response asks only what it needs to know: nothing about places that the policy never gets to (always-call gets
to a few dozen of the 5,670). What a caller promises makes it cheaper still:

    is_vectorised   the function answers for a list of holdings at once: the quick way, a thousand times fewer calls
    is_suit_blind   it treats the suits alike: 1,755 flops stand for 22,100, and like holdings are asked about once
    is_forgetful    it looks at the present street's betting alone: 10 decisions stand for the river's 5,670

Promises are held against a few positions, and refused if they are not kept there. Toy games take no time at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import card_text, cards_text, holding_text
from railbird.errors import RailbirdError
from railbird.game.betting_rounds import BettingRounds, betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.solve.flops import card_images, relabellings, symmetries_of
from railbird.solve.policy import Floats, Reach, deck, scaled_to_legal

Ints = NDArray[np.int64]
Function = Callable[[Any, str, str], Any]
Position = tuple[str, str, str]
"""A holding, a board and a history, as in ("AdQc", "3h4cJh", "crrc/cr")."""

_CHECKS = 12
_TOLERANCE = 1e-6
_TOLD_EVERY = 500


class AskingPolicy:
    """A policy whose every answer is asked for, as `AskedPolicy` has it; `_asked` says what the answers are."""

    is_suit_blind = False
    is_forgetful = False

    def __init__(self, game: Game) -> None:
        self._game = game
        self._tree = BettingTree.of(game)
        self.calls = 0
        """How many questions were asked."""
        self.on_questions: Callable[[int], None] | None = None
        """Is told now and then how many they are."""
        self._lock = RLock()

    @property
    def game(self) -> Game:
        return self._game

    def probabilities(self, street: int, board: tuple[int, ...]) -> Floats:
        """Fold, call and raise by row of the street's decisions and holding (in a toy game, card)."""
        rounds = betting_rounds(self._game)[street]
        possible = _possible(self._game, board)[0]
        everything = np.zeros((len(rounds), len(deck(self._game))), np.bool_)
        everything[:, possible] = True
        found = np.zeros((len(rounds), len(rounds.decisions), everything.shape[1], 3), np.float32)
        for at, place in enumerate(rounds.decisions.tolist()):
            self._answer(rounds, place, board, np.arange(len(rounds)), everything, found[:, at])
        return found.reshape(-1, *found.shape[2:])

    def answers(
        self, rounds: BettingRounds, board: tuple[int, ...], openings: Ints, actor: int, reach: Reach
    ) -> Floats:
        """Fold, call and raise at the decisions of a position in some of a street's rounds; see `AskedPolicy`."""
        tree, first = rounds.tree, rounds.nodes[0]
        live = np.zeros(reach.shape[1], np.bool_)
        live[_possible(self._game, board)[0]] = True
        # Openings last in memory, as the kernels want them.
        found = np.zeros((len(rounds.decisions), 3, reach.shape[1], len(openings)), np.float32).transpose(3, 0, 2, 1)
        reach_at = {0: reach & live}
        for at, place in enumerate(rounds.decisions.tolist()):
            here, node = reach_at.pop(place), first + place
            own = tree.actor[node] == actor
            if own:
                self._answer(rounds, place, board, openings, here, found[:, at])
            for action, child in enumerate(tree.child[node].tolist()):
                if child >= 0:
                    reach_at[child - first] = here & (found[:, at, :, action] > 0) if own else here
        return found

    def _answer(
        self, rounds: BettingRounds, place: int, board: tuple[int, ...], openings: Ints, reach: Reach, found: Floats
    ) -> None:
        """Fill in the answers at one place of some rounds: by opening, holding and action."""
        nodes = (rounds.openings[openings] + place).tolist()
        reached = np.flatnonzero(reach.any(axis=1)).tolist()
        if self.is_forgetful and reached:
            found[:] = self._asked(nodes[reached[0]], board, np.asarray(reach.any(axis=0)))
            return
        for at in reached:
            found[at] = self._asked(nodes[at], board, reach[at])

    def _asked(self, node: int, board: tuple[int, ...], wanted: Reach) -> Floats:
        """What the policy does at a node with the holdings that are wanted; elsewhere anything."""
        raise NotImplementedError

    def _count(self, calls: int) -> None:
        with self._lock:
            before, self.calls = self.calls, self.calls + calls
        if self.on_questions and before // _TOLD_EVERY < self.calls // _TOLD_EVERY:
            self.on_questions(self.calls)

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process."""
        return {**vars(self), "_lock": None, "on_questions": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=RLock())


class FunctionPolicy(AskingPolicy):
    """A policy that asks a function: `function("AdQc", "3h4cJh", "crrc/cr")` gives chances of fold, call and raise.

    They are three numbers or a `ProbabilityTriple`: finite, none negative, one positive. What is not legal gets no
    share, and where no legal action has any the policy calls, as `ProbabilityTriple.pick` does. A mapping from such
    positions will do too. With `is_vectorised` the function takes a list of holdings and returns an array, one row for
    each. In toy games a holding is one card.

    >>> from railbird.game.spec import kuhn_poker
    >>> from railbird.solve.best_response import exploitability
    >>> policy = FunctionPolicy(kuhn_poker(), lambda holding, board, history: (0, 1, 1))
    >>> round(exploitability(policy).mean.value.mean, 3), policy.calls
    (333.333, 12)
    """

    def __init__(
        self,
        game: Game,
        function: Function | Mapping[Position, Any],
        *,
        is_vectorised: bool = False,
        is_suit_blind: bool = False,
        is_forgetful: bool = False,
    ) -> None:
        super().__init__(game)
        self._function: Function = _looked_up(function) if isinstance(function, Mapping) else function
        self.is_vectorised, self.is_suit_blind, self.is_forgetful = is_vectorised, is_suit_blind, is_forgetful
        self._check_promises()

    @cached_property
    def most_calls_per_flop(self) -> int:
        """How many calls one flop of a best response takes at most; most policies take far fewer."""
        total = 0
        for rounds, boards, holdings in zip(betting_rounds(self._game)[1:], (1, 49, 49 * 48), (1176, 1128, 1081)):
            decisions = len(rounds.decisions) * (1 if self.is_forgetful else len(rounds))
            total += decisions * boards * (1 if self.is_vectorised else holdings)
        return total

    def _asked(self, node: int, board: tuple[int, ...], wanted: Reach) -> Floats:
        """What the function says at a node with the holdings that are wanted; elsewhere zeros."""
        possible, texts = _possible(self._game, board)
        board_text, history = cards_text(board), self._tree.history[node]
        weights = np.zeros((len(wanted), 3))
        if self.is_vectorised:
            said = self._said(texts, board_text, history)
            self._count(1)
            weights[possible] = _checked(said, texts, board_text, history)
        else:
            alike = _alike(board) if self.is_suit_blind and self._game.is_holdem else np.arange(len(wanted))
            asked = np.unique(alike[wanted])
            names = [texts[at] for at in np.searchsorted(possible, asked).tolist()]
            said = [self._said(name, board_text, history) for name in names]
            self._count(len(names))
            weights[asked] = _checked(said, names, board_text, history)
            weights = weights[alike] if self.is_suit_blind else weights
        return scaled_to_legal(weights, self._tree.child[node] >= 0)

    def _said(self, holding: str | Sequence[str], board: str, history: str) -> Any:
        try:
            return self._function(holding, board, history)
        except RailbirdError:
            raise
        except Exception as error:
            where = f"{'holdings' if self.is_vectorised else holding} on {board or 'no board'} after {history!r}"
            raise RailbirdError(f"the function raised {type(error).__name__}: {error} ({where})") from error

    def _check_promises(self) -> None:
        """Refuse a promise that is not kept at some random positions."""
        if not (self.is_suit_blind or self.is_forgetful) or not self._game.is_holdem:
            return
        generator = np.random.default_rng(0)
        for at in range(_CHECKS):
            rounds = betting_rounds(self._game)[at % 4]
            cards = tuple(generator.permutation(52)[: 2 + (0, 3, 4, 5)[at % 4]].tolist())
            place = int(generator.choice(rounds.decisions))
            node, other = (rounds.openings[generator.integers(len(rounds), size=2)] + place).tolist()
            if self.is_suit_blind:
                image = card_images()[1 + at % 23]
                self._compare("is_suit_blind", (cards, node), (tuple(image[card] for card in cards), node))
            if self.is_forgetful:
                self._compare("is_forgetful", (cards, node), (cards, other))

    def _compare(self, promise: str, *spots: tuple[tuple[int, ...], int]) -> None:
        positions, said = [], []
        for cards, node in spots:
            holding = holding_text(_index(cards[:2]))
            position = (holding, cards_text(cards[2:]), self._tree.history[node])
            answer = self._function([holding] if self.is_vectorised else holding, *position[1:])
            self._count(1)
            checked = _checked(answer if self.is_vectorised else [answer], [holding], *position[1:])
            positions.append(position)
            said.append(scaled_to_legal(checked, self._tree.child[node] >= 0)[0])
        if np.abs(said[0] - said[1]).max() > _TOLERANCE:
            first, second = (f"{_quoted(p)} {tuple(np.round(s, 4).tolist())}" for p, s in zip(positions, said))
            raise RailbirdError(f"{promise} was promised, but the function gives {first} and {second}")


def _looked_up(mapping: Mapping[Position, Any]) -> Function:
    def function(holding: str, board: str, history: str) -> Any:
        try:
            return mapping[holding, board, history]
        except KeyError:
            raise RailbirdError(f"the mapping has nothing for {_quoted((holding, board, history))}") from None

    return function


def _checked(said: Any, holdings: Sequence[str], board: str, history: str) -> NDArray[np.float64]:
    """Chances by holding and action; refuses what are none."""
    try:
        found = np.asarray(said, np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (len(holdings), 3):
        where = _quoted((holdings[0] if len(holdings) == 1 else f"{len(holdings)} holdings", board, history))
        raise RailbirdError(f"the function gives no three numbers for each of {where}: {said!r:.80}")
    total = found[:, 0] + found[:, 1] + found[:, 2]
    if not (found.min() >= 0 and total.min() > 0 and total.max() < np.inf):
        at = int(np.argmax(~((found >= 0).all(axis=1) & (total > 0) & (total < np.inf))))
        raise RailbirdError(
            f"{tuple(found[at].tolist())} for {_quoted((holdings[at], board, history))} are not chances: all must be "
            "finite, none negative, one positive"
        )
    return found


def _quoted(position: Position) -> str:
    holding, board, history = position
    return f"{holding} on {board or 'no board'} after {history!r}"


@lru_cache(maxsize=64)
def _possible(game: Game, board: tuple[int, ...]) -> tuple[Ints, list[str]]:
    """The holdings (in a toy game, cards) that a board leaves possible, and their texts."""
    cards = np.array(deck(game)).reshape(len(deck(game)), -1)
    found = np.flatnonzero(~np.isin(cards, board).any(axis=1))
    text = holding_text if game.is_holdem else lambda at: card_text(deck(game)[at][0])
    return found, [text(at) for at in found.tolist()]


@lru_cache(maxsize=64)
def _alike(board: tuple[int, ...]) -> Ints:
    """By holding: the first of those that a relabelling of suits makes of it which leaves the board as it is."""
    symmetries = symmetries_of(board[:3], range(24))
    for card in board[3:]:
        symmetries = symmetries_of((card,), symmetries)
    return np.asarray(relabellings()[symmetries].min(axis=0), np.int64)


def _index(cards: tuple[int, ...]) -> int:
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low
