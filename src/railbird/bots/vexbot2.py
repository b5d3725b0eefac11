"""Vexbot2: Vexbot's search with a belief about the opponent's very cards, around an equilibrium to fall back on.

What it does otherwise than the published program, and what each step gained, is in docs/papers/vexbot2.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import Bot
from railbird.bots.decision import EV_NOTES, Decision, Note, OpponentWeights, Outlook, by_action
from railbird.bots.equilibrium import Equilibrium
from railbird.errors import RailbirdError, UnknownBotError, did_you_mean
from railbird.game.actions import CALL, FOLD, Action
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.search.belief import MOST_RIVERS, MOST_TURNS, RIVERS, TURNS, BeliefSearch
from railbird.search.holding_model import CELLS, HoldingModel, certain_holding, check_model
from railbird.search.miximax import SearchResult

Array = NDArray[np.float64]

PARTS = ("table", "shares", "levels", "young", "belief", "unseen", "limit", "preflop")
"""What can be left out, to see what it is worth."""
_FLOOR = 0.02
"""The share of its chances that the equilibrium spreads evenly over legal actions, before values count."""
_SURPRISE_HANDS = 2.0
"""How many hands one unit of surprise counts for."""
_NOTES = EV_NOTES | {
    "equilibrium fold": Note("how often the equilibrium folds here"),
    "equilibrium call": Note("checks or calls"),
    "equilibrium raise": Note("bets or raises"),
    "plays fold": Note("how likely it folds, knowing what it knows of the opponent"),
    "plays call": Note("checks or calls"),
    "plays raise": Note("bets or raises"),
}


@dataclass(frozen=True)
class Deals:
    """How many cards a search deals: turn cards on the flop, and river cards for each."""

    turns: int = TURNS
    rivers: int = RIVERS

    def __post_init__(self) -> None:
        if not (2 <= self.turns <= MOST_TURNS and 2 <= self.rivers <= MOST_RIVERS):
            raise UnknownBotError(
                f"turns={self.turns}, rivers={self.rivers}; 2 to {MOST_TURNS} turn cards may be dealt, 2 to "
                f"{MOST_RIVERS} river cards for each"
            )


_DEALS = Deals()


class Vexbot2(Bot):
    """Best replies to a model of every holding; equilibrium play as far as evidence is missing. It learns.

    memory: hands after which an observation counts about a third in the longest of three memories; in the others it is
    a tenth and a hundredth of them. Each counts as it foretells.
    caution, trust: how much better an action must look to be taken instead of the equilibrium's, in small bets, at
    first; and after how many hands half of that suffices.
    turns, rivers: how many turn cards a search on the flop deals, and how many river cards for each; 47 and 46 are all.
    strategy: the equilibrium to start from; without one, that which ships.
    model: a file with a model learned before (`Vexbot2.save`), which this player starts from and returns to; its memory
    and parts are those of the file.
    without: parts to leave out, joined by +: table (the bent equilibrium as a model), shares (plain frequencies as a
    model), levels (crude contexts), young (shorter memories, and the equilibrium as a model), belief (Bayes' rule
    within a hand), unseen (hands that were not shown), limit (caution), preflop (search before the flop).
    """

    learns = True

    def __init__(
        self,
        memory: float = 5000.0,
        trust: float = 100.0,
        caution: float = 1.0,
        deals: Deals = _DEALS,
        strategy: str = "",
        model: str = "",
        without: str = "",
    ) -> None:
        if memory < 1 or trust <= 0 or caution <= 0:
            raise UnknownBotError(
                f"memory={memory}, trust={trust}, caution={caution}; trust and caution must be above "
                "0, and the memory a hand or more"
            )
        self.without = frozenset(without.split("+")) if without else frozenset()
        for part in self.without - set(PARTS):
            raise UnknownBotError(f"without={part}{did_you_mean(part, PARTS)}; parts are {', '.join(PARTS)}")
        if self.without >= {"table", "shares"}:
            raise UnknownBotError("without=table+shares leaves no model of the opponent; leave out one of them")
        self.memory, self.trust, self.caution = memory, trust, caution
        self.deals = deals
        self.model_file = model
        self._equilibrium = Equilibrium(strategy)
        if model:
            try:
                check_model(Path(model))
            except RailbirdError as error:
                raise UnknownBotError(str(error)) from None
        self._model: HoldingModel | None = None
        self._searches: dict[int, BeliefSearch] = {}
        self._shown: Mapping[int, tuple[int, ...]] = {}

    def can_play(self, game: Game) -> bool:
        return self._equilibrium.can_play(game)

    def prepare(self) -> None:
        self._equilibrium.prepare()
        if self.model_file:
            HoldingModel.load(Path(self.model_file), self._equilibrium.strategy)
        model = HoldingModel(self._equilibrium.strategy)
        hand = BeliefSearch(model, 0, (51, 50))
        for history, seen in (("", 0), ("cc/", 3), ("cc/cc/", 4), ("cc/cc/cc/", 5)):
            hand.search(history, (0, 5, 10, 15, 20)[:seen])
        for node, action, before in hand.belief("cc/cr", (0, 5, 10))[:-1]:
            model.observe(node, action, hand.board(int(model.tree.street[node]), (0, 5, 10)), before, before)

    def reset(self) -> None:
        self._model = None
        self._searches.clear()

    @property
    def model(self) -> HoldingModel:
        """What this player knows of the opponent."""
        if self._model is None:
            strategy = self._equilibrium.strategy
            if self.model_file:
                self._model = HoldingModel.load(Path(self.model_file), strategy)
            else:
                self._model = HoldingModel(strategy, self.memory, without=self.without & set(PARTS[:4]))
        return self._model

    def __deepcopy__(self, memo: dict[int, Any]) -> Vexbot2:
        """A copy with a memory of its own, but the same strategy, which is large and never changes."""
        if self._model is not None:
            for shared in (self._model.strategy, self._model.tree):
                memo[id(shared)] = shared
        copied = memo[id(self)] = object.__new__(type(self))
        vars(copied).update(deepcopy(vars(self), memo))
        return copied

    def save(self, path: str | Path) -> Path:
        """Write what was learned to a file; `vexbot2:model=FILE` starts from it."""
        return self.model.save(Path(path))

    def on_hand(self, view: PlayerView) -> None:
        self._shown = {}
        self._searches.clear()

    def on_showdown(self, view: PlayerView, shown: Mapping[int, tuple[int, ...]]) -> None:
        self._shown = dict(shown)

    def on_result(self, view: PlayerView, payoffs: Sequence[int]) -> None:
        hand, model = self._hand(view, view.hole_cards), self.model
        *acted, (_, _, after) = hand.belief(view.history, view.board_cards)
        shown = self._shown.get(1 - view.position, ())
        if len(shown) == 2:
            after = certain_holding(shown[0], shown[1])
        elif "unseen" in self.without:
            after = np.zeros_like(after)
        for node, action, before in acted:
            model.observe(node, action, hand.board(int(model.tree.street[node]), view.board_cards), before, after)
        model.end_hand()
        self._searches.clear()

    def act(self, view: PlayerView) -> Action:
        return self._drawn(view, self._chances(view, self._values(view)))

    def probabilities(self, view: PlayerView, every: bool = False) -> Array:
        if not every:
            return self._chances(view, self._values(view))
        values = self._values_of_all(view)
        if values is not None:
            values[np.isnan(values).all(axis=1)] = 0.0  # holdings that the board rules out
        return self._chances(view, values, self._equilibrium.probabilities(view, every=True))

    def explain(self, view: PlayerView) -> Decision:
        found = self._searched(view)
        chances = self._chances(view, found.values if self._searches_at(view) else None)
        belief = self.belief(view)
        return Decision(
            self._drawn(view, chances),
            "the equilibrium, bent towards the EVs",
            "drawn by chance: the equilibrium's play, but the more an action wins in the search the likelier; the more "
            "is known of the opponent, the more that counts",
            by_action("EV", found.values.tolist())
            | by_action("equilibrium", self._equilibrium.chances(view))
            | by_action("plays", chances.tolist()),
            _NOTES,
            outlook=Outlook(found.lines(), {"now": self._cells(view)}),
            weights=OpponentWeights(belief / belief.max()),
        )

    def belief(self, view: PlayerView) -> Array:
        """The chances of the opponent's holdings."""
        return self._hand(view, view.hole_cards).belief(view.history, view.board_cards)[-1][2]

    def _cells(self, view: PlayerView) -> tuple[float, ...]:
        """The same by twentieths of hand strength, from the weakest."""
        cells = self._hand(view, view.hole_cards).board(view.betting.street, view.board_cards).cells
        return tuple(np.bincount(cells, self.belief(view), CELLS).tolist())

    def _drawn(self, view: PlayerView, chances: Array) -> Action:
        chosen = min(2, int(np.searchsorted(np.cumsum(chances), self.rng.random(), side="right")))
        return (FOLD, CALL, view.smallest_raise())[chosen] if chances[chosen] > 0 else CALL

    def _chances(self, view: PlayerView, values: Array | None, usual: Array | None = None) -> Array:
        """How likely each action is taken: the equilibrium's chances, weighed by exp(value / temperature).

        `usual` are the equilibrium's, if not for the own holding; there may be rows of them for many holdings.
        """
        legal = np.array([view.can_fold, True, view.can_raise])
        chances = legal * (np.array(self._equilibrium.chances(view)) if usual is None else usual)
        if values is not None:
            chances = (1 - _FLOOR) * chances + legal * _FLOOR / legal.sum()
            best = np.fmax.reduce(values, axis=-1, keepdims=True)
            chances *= np.exp(np.where(legal, values - best, 0.0) / self._temperature(view))
        return np.asarray(chances / chances.sum(axis=-1, keepdims=True))

    def _temperature(self, view: PlayerView) -> float:
        """How much it takes to leave the equilibrium, in small bets: the less, the more is known.

        After the flop hands count as evidence, since the model begins as the equilibrium's own. Before it the search is
        cruder, and only what the equilibrium did not foretell counts.
        """
        if "limit" in self.without:
            return 1e-3
        evidence = _SURPRISE_HANDS * max(0.0, self.model.surprise)
        if view.board_cards:
            evidence += self.model.hands
        return self.caution / (1.0 + evidence / self.trust)

    def _values(self, view: PlayerView) -> Array | None:
        """What the actions are worth in small bets, if they are searched."""
        return self._searched(view).values if self._searches_at(view) else None

    def _values_of_all(self, view: PlayerView) -> Array | None:
        """The same by holding that this player may have."""
        if not self._searches_at(view):
            return None
        dealt = self.deals.turns, self.deals.rivers
        return self._hand(view, ()).values_of_all(view.history, view.board_cards, *dealt)

    def _searches_at(self, view: PlayerView) -> bool:
        return bool(view.board_cards) or "preflop" not in self.without

    def _searched(self, view: PlayerView) -> SearchResult:
        hand, dealt = self._hand(view, view.hole_cards), (self.deals.turns, self.deals.rivers)
        return hand.search(view.history, view.board_cards, *dealt)

    def _hand(self, view: PlayerView, cards: tuple[int, ...]) -> BeliefSearch:
        """The hand as it is for who holds these cards, or for one of whom they are not known."""
        found = self._searches.get(len(cards))
        if found is None or (found.position, found.cards) != (view.position, cards):
            found = BeliefSearch(self.model, view.position, cards, "belief" not in self.without)
            self._searches[len(cards)] = found
        return found
