"""A policy of OpenSpiel as one of Railbird's, for best responses: `rb.exploitability(spiel_policy(policy, game))`.

Kuhn and Leduc poker take no time. Hold'em asks far more: `railbird.solve.function_policy` says how many questions a
flop has, so by default a few flops are sampled. A policy that never looks at its cards is asked once for each of the
6,378 decisions (`is_card_blind`); a network is asked for all holdings at once, by the information tensors that
OpenSpiel would show it (`batch`); all others are asked holding by holding, which is for small games: with one bet a
street (`limit_holdem(cap=1)`) hold'em is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import card_text, holding_text, parse_cards
from railbird.envs.openspiel_games import SpielGame
from railbird.envs.openspiel_seat import state_of
from railbird.errors import InvalidGameError, RailbirdError
from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree
from railbird.solve.function_policy import FunctionPolicy
from railbird.solve.policy import TablePolicy, deck

Tensors = NDArray[np.float32]
Batch = Callable[[Tensors, list[int]], Any]
"""From information tensors, one a row, and the legal actions to the chances of OpenSpiel's actions, one row each."""


class SpielPolicy(FunctionPolicy):
    """A policy of OpenSpiel, asked state by state, or for all holdings at once."""

    usual_flops = 2


class CardBlindSpielPolicy(TablePolicy):
    """A policy of OpenSpiel that does not look at its cards, asked once for each decision."""

    usual_flops = 12


def spiel_policy(
    policy: Any, game: Any = None, *, is_card_blind: bool = False, batch: Batch | None = None, **promises: bool
) -> SpielPolicy | CardBlindSpielPolicy:
    """A policy of OpenSpiel (with `action_probabilities(state)`) as one that `rb.exploitability` takes.

    `game` is its `pyspiel.Game`, by default `policy.game`. With `batch`, a function from information tensors and legal
    actions to chances, the policy itself may be None. `promises` are those of `FunctionPolicy`.

    >>> import pyspiel
    >>> from open_spiel.python.policy import UniformRandomPolicy
    >>> from railbird.bots.exploiting import exploitability
    >>> kuhn = pyspiel.load_game("kuhn_poker")
    >>> found = exploitability(spiel_policy(UniformRandomPolicy(kuhn)))
    >>> round(found.value.value.mean, 3)  # milli small bets a hand; OpenSpiel's exploitability is 0.4583 chips
    458.333
    """
    peer = game if game is not None else getattr(policy, "game", None)
    if peer is None:
        raise InvalidGameError("which game does the policy play? give its pyspiel.Game: spiel_policy(policy, game)")
    asked = _Asked(policy, SpielGame.of(peer), batch)
    if asked.table.game.seats != 2 or asked.table.sizing not in ("limit", "toy", "kuhn"):
        raise InvalidGameError("best responses are for two players with fixed bets, not for this game")
    if is_card_blind:
        return CardBlindSpielPolicy(asked.table.game, asked.tables())
    if batch is not None:
        return SpielPolicy(asked.table.game, asked.all_holdings, is_vectorised=True, **promises)
    return SpielPolicy(asked.table.game, asked.one_holding, **promises)


class _Asked:
    """A policy that is asked about positions of Railbird's."""

    def __init__(self, policy: Any, table: SpielGame, batch: Batch | None) -> None:
        self.policy, self.table, self._batch = policy, table, batch
        self._start = Betting.start(table.game)

    def one_holding(self, holding: str, board: str, history: str) -> tuple[float, float, float]:
        """The chances of fold, call and raise."""
        state, node = self._state(parse_cards(holding), parse_cards(board), history)
        found = self.table.kinds(node, self.policy.action_probabilities(state).items())
        return found["f"], found["c"], found["r"]

    def all_holdings(self, holdings: Sequence[str], board: str, history: str) -> NDArray[np.float64]:
        """The same by holding: the tensors differ in the cards that the player holds."""
        state, node = self._state(parse_cards(holdings[0]), parse_cards(board), history)
        legal, places, held = state.legal_actions(), *self._held
        first = self.table.game.seats  # the tensor begins with the player, and goes on with his cards
        rows = np.tile(np.array(state.information_state_tensor(), np.float32), (len(holdings), 1))
        rows[:, first : first + held.shape[1]] = held[[places[holding] for holding in holdings]]
        assert self._batch is not None
        said = np.asarray(self._batch(rows, legal), np.float64)
        if said.ndim != 2 or len(said) != len(holdings):
            raise RailbirdError(f"the batch gives {said.shape} for {len(holdings)} information states: a row for each")
        found = np.zeros((len(holdings), 3))
        for number in legal:
            found[:, "fcr".index(self.table.action(node, number).kind)] += said[:, number]
        return found

    @cached_property
    def _held(self) -> tuple[dict[str, int], Tensors]:
        """All holdings by text, and the part of the tensor that says which it is."""
        holdings = deck(self.table.game)
        found = np.zeros((len(holdings), len(self.table.game.deck)), np.float32)
        for at, cards in enumerate(holdings):
            found[at, [self.table.card_number(card) for card in cards]] = 1.0
        text = holding_text if self.table.game.is_holdem else lambda at: card_text(holdings[at][0])
        return {text(at): at for at in range(len(holdings))}, found

    def tables(self) -> list[NDArray[np.float64]]:
        """Weights by street, decision, bucket (there is one) and action, asked with any cards."""
        game = self.table.game
        tree, cards = BettingTree.of(game), game.deck
        found = []
        for street, nodes in enumerate(tree.decisions):
            board = cards[2 * game.hole_cards :][: game.board_seen(street)]
            rows = []
            for node in nodes.tolist():
                state, betting = self._state(cards[: game.hole_cards], board, tree.history[node])
                kinds = self.table.kinds(betting, self.policy.action_probabilities(state).items())
                rows.append([[kinds["f"], kinds["c"], kinds["r"]]])
            found.append(np.array(rows, np.float64))
        return found

    def _state(self, held: tuple[int, ...], board: tuple[int, ...], history: str) -> tuple[Any, Betting]:
        """A state in which the player to act holds these cards, and the other one any."""
        game, node = self.table.game, self._start.play(history)
        free = [card for card in game.deck if card not in held and card not in board]
        holes = [tuple(held) if p == node.to_act else tuple(free[: game.hole_cards]) for p in range(2)]
        state = state_of(self.table, holes, tuple(board), history)
        if state is None:
            raise RailbirdError(f"{history!r} leads elsewhere in OpenSpiel")
        return state, node
