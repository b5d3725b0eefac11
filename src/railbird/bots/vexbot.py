"""Vexbot (Billings et al. 2004): search of the whole betting tree with an empirical model of the opponent.

A context tree remembers what the opponent did after each betting sequence and which hands he showed. Every decision is
a search to the end of the hand over that model. docs/papers/vexbot.md says what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from railbird.bots.base import Bot
from railbird.bots.decision import EV_NOTES, Decision, Outlook, by_action
from railbird.cards import HOLDING_COUNT
from railbird.errors import UnknownBotError
from railbird.game.actions import CALL, FOLD, Action
from railbird.game.betting_tree import DECISION, SHOWDOWN, BettingTree
from railbird.game.spec import Game, Structure, limit_holdem
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.odds.sweep import weigh_standings
from railbird.modeling.betting_classes import Abstraction
from railbird.modeling.context_tree import ContextTree, DefaultData, betting_in, betting_of
from railbird.search.defaults import equilibrium_defaults, rational_defaults, read_defaults
from railbird.search.futures import future
from railbird.search.miximax import Line, SearchResult, search

Algorithm = Literal["miximax", "miximix"]

LARGEST_CAP = 5
"""Bets a street; more make the betting tree too large to search in the time."""
_KINDS = "fcr"


_RULES = {
    "miximax: the largest EV": "it wins most on average in the search of the hand to its end",
    "miximix: a draw among the EVs": "drawn by chance: the more an action wins in the search, the likelier it is taken",
}


class Vexbot(Bot):
    """Miximax search over a context tree (Billings et al. 2004). It learns its opponent from every hand.

    search: miximax takes the best action; miximix mixes, with probabilities proportional to exp(EV / temperature).
    abstraction: how betting sequences are grouped: raises, pot or last-round (`railbird.modeling.betting_classes`).
    h, m: the history decay and the mixing parameter of the paper.
    defaults: what is assumed of a new opponent: the equilibrium's play, that of a simple rational strategy, flat (every
    action and hand equally likely), or a file (`railbird.search.defaults.write_defaults`).
    model: a file with a model learned before (`Vexbot.save`), which this player starts from and returns to.
    """

    learns = True

    def __init__(
        self,
        search: Algorithm = "miximax",
        temperature: float = 0.2,
        abstraction: Abstraction = "raises",
        h: float = 0.99,
        m: float = 0.95,
        defaults: str = "equilibrium",
        model: str = "",
    ) -> None:
        if temperature <= 0:
            raise UnknownBotError(f"a temperature of {temperature}; it is in small bets and must be above 0")
        if not (0 < h <= 1 and 0 < m <= 1):
            raise UnknownBotError(f"h={h}, m={m}; both must be above 0 and at most 1")
        self.temperature = temperature if search == "miximix" else 0.0
        self.abstraction: Abstraction = abstraction
        self.h, self.m = h, m
        self.defaults, self.model_file = defaults, model
        self._models: dict[Game, ContextTree] = {}
        self._nodes: dict[Game, dict[str, int]] = {}
        self._shown: Mapping[int, tuple[int, ...]] = {}
        self._model_betting = betting_in(Path(model)) if model else None

    def can_play(self, game: Game) -> bool:
        raises = [most for most in game.max_raises if most is not None]
        plain = game.structure is Structure.FIXED_LIMIT and game.stacks is None and not game.free_fold
        if self._model_betting not in (None, betting_of(game)):
            return False
        return game.is_holdem and game.seats == 2 and plain and len(raises) == 4 and max(raises) <= LARGEST_CAP

    def prepare(self) -> None:
        tree = BettingTree.of(limit_holdem())
        model = ContextTree(tree, self.abstraction, defaults=self._default_data(tree))
        for history, board in (("", ()), ("cc/", (0, 5, 10)), ("cc/cc/", (0, 5, 10, 15))):
            search(model, tree.node(history), future((51, 50), board), self.temperature)
        _hand_rank((50, 51), (0, 5, 10, 15, 20))

    def reset(self) -> None:
        self._models.clear()

    def model(self, game: Game) -> ContextTree:
        """What this player knows of the opponent in a game."""
        if game not in self._models:
            tree = BettingTree.of(game)
            if self.model_file:
                self._models[game] = ContextTree.load(Path(self.model_file), tree)
            else:
                defaults = self._default_data(tree)
                self._models[game] = ContextTree(tree, self.abstraction, self.h, self.m, defaults)
        return self._models[game]

    def _default_data(self, tree: BettingTree) -> DefaultData:
        known = {"equilibrium": equilibrium_defaults, "rational": rational_defaults}
        if self.defaults in known:
            return known[self.defaults](tree.game)
        return DefaultData.flat(tree) if self.defaults == "flat" else read_defaults(Path(self.defaults), tree)

    def save(self, path: Path, game: Game) -> Path:
        """Write what was learned in a game to a file; `vexbot:model=FILE` starts from it."""
        return self.model(game).save(path)

    def on_hand(self, view: PlayerView) -> None:
        self._shown = {}

    def on_showdown(self, view: PlayerView, shown: Mapping[int, tuple[int, ...]]) -> None:
        self._shown = dict(shown)

    def on_result(self, view: PlayerView, payoffs: Sequence[int]) -> None:
        model, own = self.model(view.game), view.position
        tree, node = model.tree, 0
        for kind in view.history.replace("/", ""):
            if tree.kind[node] != DECISION:
                node = int(tree.child[node, 1])
            action = _KINDS.index(kind)
            if tree.actor[node] != own:
                model.observe_action(node, action)
            node = int(tree.child[node, action])
        cards = self._shown.get(1 - own, ())
        if tree.kind[node] == SHOWDOWN and len(cards) == 2:
            model.observe_showdown(node, 1 - own, _hand_rank(cards, view.board_cards))

    def act(self, view: PlayerView) -> Action:
        return self._action(view, self.found(view))

    def found(self, view: PlayerView) -> SearchResult:
        """The search in `view`."""
        first, second = view.hole_cards
        return search(
            self.model(view.game), self._node(view), future((first, second), view.board_cards), self.temperature
        )

    def explain(self, view: PlayerView) -> Decision:
        found = self.found(view)
        rule = "miximix: a draw among the EVs" if self.temperature else "miximax: the largest EV"
        return Decision(
            self._action(view, found),
            rule,
            _RULES[rule],
            by_action("EV", found.values.tolist()),
            EV_NOTES,
            outlook=self.outlook(view, found),
        )

    def outlook(self, view: PlayerView, found: SearchResult) -> Outlook:
        """How the street may go on, and what the opponent is then expected to show."""
        lines = found.lines()
        return Outlook(lines, self._expected_hands(view, lines))

    def _expected_hands(self, view: PlayerView, lines: tuple[Line, ...]) -> dict[str, tuple[float, ...]]:
        """The opponent's histogram at the end of the likeliest line after a call and a raise, if no more is bet."""
        model, found = self.model(view.game), {}
        for kind in "cr":
            likeliest = [line for line in lines if line.history[0] == kind and not line.history.endswith("f")]
            if not likeliest:
                continue
            node = model.tree.node(view.history + likeliest[0].history)
            while model.tree.child[node, 1] >= 0:
                node = int(model.tree.child[node, 1])
            shown = model.histogram(model.tree.history[node], 1 - view.position)
            found[likeliest[0].history] = tuple(shown.tolist())
        return found

    def _action(self, view: PlayerView, found: SearchResult) -> Action:
        number = self.rng.random() if self.temperature else 0.0
        chosen = int(np.searchsorted(np.cumsum(found.chances(self.temperature)), number, side="right"))
        return (FOLD, CALL, view.smallest_raise())[min(chosen, 2)]

    def _node(self, view: PlayerView) -> int:
        nodes = self._nodes.get(view.game)
        if nodes is None:
            histories = BettingTree.of(view.game).history
            nodes = self._nodes[view.game] = {history: node for node, history in enumerate(histories)}
        return nodes[view.history]


def _hand_rank(cards: tuple[int, ...], board: tuple[int, ...]) -> float:
    """The share of all holdings that two cards beat on a finished board, ties counting half."""
    ahead, tied, behind = weigh_standings(TABLE, CARD_KEYS, cards[0], cards[1], np.array(board, np.uint8), _ONES)
    return float((ahead + tied / 2) / (ahead + tied + behind))


_ONES = np.ones(HOLDING_COUNT)
