"""Vexbot's memory of one opponent: a context tree (Billings et al. 2004, sections 4.4 to 4.6).

The tree has the shape of the betting tree. At the opponent's decisions it holds how often he folded, called and raised;
at showdowns a histogram of the hand ranks that he has shown there, in 20 cells. A hand rank is the share of all
holdings that a holding beats on the final board, ties counting half, from 0 to 1.

Each observation goes into the exact context (A0) and into three groups of similar contexts (A1 to A3, see
`betting_classes`). It first diminishes what its class held by the history decay h. What is read out is a blend: a class
with n observations takes 1 - m**n of the weight that finer levels have left. The rest belongs to default data for the
exact context, which `seed` derives from a strategy; without any observation, they are all there is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.files import Tables, described, map_tables, table_of, write_tables
from railbird.game.actions import ProbabilityTriple
from railbird.game.spec import Game
from railbird.json_files import Fields
from railbird.kernels.search.tree_values import mix_levels
from railbird.modeling.betting_classes import ABSTRACTIONS, Abstraction, betting_classes, showdown_nodes
from railbird.numbers import quoted

if TYPE_CHECKING:
    from railbird.game.betting_tree import BettingTree

Array = NDArray[np.float64]

CELLS = 20
VERSION = 1
_WHAT = "context tree"
_AGAIN = "save the model again (Vexbot.save)"


@dataclass(frozen=True)
class DefaultData:
    """What is assumed of an opponent in every context before anything was seen there."""

    triples: Array
    """By node of the betting tree: fold, call and raise, of whoever acts there."""
    histograms: Array
    """By position, showdown and cell: the hand ranks shown, each histogram summing to one."""

    @staticmethod
    def flat(tree: BettingTree) -> DefaultData:
        """Every legal action and every hand rank equally likely."""
        legal = (tree.child >= 0).astype(np.float64)
        triples = legal / np.maximum(1.0, legal.sum(axis=1, keepdims=True))
        return DefaultData(triples, np.full((2, len(showdown_nodes(tree)), CELLS), 1 / CELLS))


class ContextTree:
    """What is known of one opponent, in either position.

    >>> from railbird.game.spec import limit_holdem
    >>> from railbird.game.betting_tree import BettingTree
    >>> tree = BettingTree.of(limit_holdem())
    >>> model = ContextTree(tree, history_decay=0.5, mixing=0.5)
    >>> model.observe_action(tree.node("r"), 1)
    >>> [round(chance, 3) for chance in model.triple("r")]
    [0.021, 0.958, 0.021]
    """

    def __init__(
        self,
        tree: BettingTree,
        abstraction: Abstraction = "raises",
        history_decay: float = 0.95,
        mixing: float = 0.95,
        defaults: DefaultData | None = None,
    ) -> None:
        if abstraction not in ABSTRACTIONS:
            raise RailbirdError(f"no abstraction {abstraction!r} of betting (known: {', '.join(ABSTRACTIONS)})")
        for name, value in (("history decay", history_decay), ("mixing parameter", mixing)):
            if not 0.0 < value <= 1.0:
                raise RailbirdError(f"a {name} of {value}; it must be above 0 and at most 1")
        self.tree = tree
        self.abstraction: Abstraction = abstraction
        self.history_decay, self.mixing = history_decay, mixing
        self.classes = betting_classes(tree, abstraction)
        self.showdowns = showdown_nodes(tree)
        self._place = {node: place for place, node in enumerate(self.showdowns.tolist())}
        self.defaults = defaults or DefaultData.flat(tree)
        self.forget()

    def forget(self) -> None:
        """Lose all observations; the default data stay."""
        self.action_data: Array = np.zeros((self.classes.decision_classes, 3))
        self.action_counts: Array = np.zeros(self.classes.decision_classes)
        self.shown_data: Array = np.zeros((self.classes.showdown_classes, CELLS))
        self.shown_counts: Array = np.zeros(self.classes.showdown_classes)

    def observe_action(self, node: int, action: int) -> None:
        """The opponent folded (0), called (1) or raised (2) at a decision node."""
        _observe(self.action_data, self.action_counts, self.classes.decisions[node], action, self.history_decay)

    def observe_showdown(self, node: int, position: int, hand_rank: float) -> None:
        """The opponent, in `position`, showed a hand of that rank at a showdown node."""
        of = self.classes.showdowns[position, self._place[node]]
        _observe(self.shown_data, self.shown_counts, of, cell_of(hand_rank), self.history_decay)

    def triples(self, nodes: NDArray[np.int64], out: Array) -> None:
        """The chances of fold, call and raise at decision nodes, into the rows of `out` with their numbers."""
        mix_levels(
            nodes, self.classes.decisions, self.action_data, self.action_counts, self.defaults.triples, self.mixing, out
        )

    def histograms(self, position: int, places: NDArray[np.int64], out: Array) -> None:
        """What the opponent shows in `position` at showdowns, numbered in order of their nodes, into rows of `out`."""
        mix_levels(
            places,
            self.classes.showdowns[position],
            self.shown_data,
            self.shown_counts,
            self.defaults.histograms[position],
            self.mixing,
            out,
        )

    def triple(self, history: str) -> ProbabilityTriple:
        """What the player to act after `history` is expected to do."""
        node = self.tree.node(history)
        out = np.zeros((len(self.tree), 3))
        self.triples(np.array([node]), out)
        return ProbabilityTriple(*out[node].tolist())

    def histogram(self, history: str, position: int) -> Array:
        """The hand ranks expected of the player in `position` at the showdown after `history`, in 20 cells."""
        place = self._place[self.tree.node(history)]
        out = np.zeros((len(self.showdowns), CELLS))
        self.histograms(position, np.array([place]), out)
        return np.asarray(out[place])

    def observations(self, history: str, position: int = -1) -> tuple[int, ...]:
        """How often the context of `history` was seen, at A0 to A3: its decision, or its showdown in `position`."""
        node = self.tree.node(history)
        if node in self._place:
            found = self.shown_counts[self.classes.showdowns[position, self._place[node]]]
        else:
            found = self.action_counts[self.classes.decisions[node]]
        return tuple(found.astype(int).tolist())

    def save(self, path: Path) -> Path:
        """Write what was learned, with its parameters and default data. The file appears whole or not at all."""
        about = json.dumps(self._about()).encode()
        return write_tables(
            path,
            _WHAT,
            VERSION,
            {
                "about": np.frombuffer(about, np.uint8),
                "action data": self.action_data,
                "shown data": self.shown_data,
                "action counts": self.action_counts,
                "shown counts": self.shown_counts,
                "default triples": self.defaults.triples,
                "default histograms": self.defaults.histograms,
            },
        )

    @classmethod
    def load(cls, path: Path, tree: BettingTree) -> ContextTree:
        """The model in a file; refuses one that is damaged, of another version, or of another game."""
        tables, about = _read(path)
        if about.found.get("betting") != betting_of(tree.game):
            raise RailbirdError(f"{str(path)!r} is a model of another game: {quoted(about.found.get('betting'))}")
        try:
            flat = DefaultData.flat(tree)
            triples = table_of(tables, "default triples", flat.triples.shape)
            defaults = DefaultData(triples, table_of(tables, "default histograms", flat.histograms.shape))
            decay, mixing = about.decimal("history decay", 0, 1), about.decimal("mixing", 0, 1)
            model = cls(tree, cast("Abstraction", about.text("abstraction")), decay, mixing, defaults)
            names = ("action data", "action counts", "shown data", "shown counts")
            own = (model.action_data, model.action_counts, model.shown_data, model.shown_counts)
            parts = [table_of(tables, name, part.shape) for name, part in zip(names, own)]
        except ValueError as error:
            raise RailbirdError(
                f"{str(path)!r} is damaged, or has other classes of betting: {error}; {_AGAIN}"
            ) from None
        model.action_data, model.action_counts, model.shown_data, model.shown_counts = parts
        return model

    def _about(self) -> dict[str, Any]:
        return {
            "abstraction": self.abstraction,
            "history decay": self.history_decay,
            "mixing": self.mixing,
            "betting": betting_of(self.tree.game),
        }


def betting_of(game: Game) -> list[Any]:
    """What makes the betting of two games the same: blinds, bets, caps, who acts first, and the ante."""
    return [list(game.blinds), list(game.bet_sizes), list(game.max_raises), list(game.first_to_act), game.ante]


def betting_in(path: Path) -> list[Any]:
    """The same of the game that a saved model belongs to; refuses a file that is damaged or of another version."""
    betting: list[Any] = _read(path)[1].found.get("betting", [])
    return betting


def _read(path: Path) -> tuple[Tables, Fields]:
    """The tables of a saved model, and its description."""
    try:
        tables = map_tables(path, _WHAT, VERSION, _AGAIN)
    except OSError as error:
        raise RailbirdError(f"cannot read the model {str(path)!r}: {error.strerror}") from None
    try:
        return tables, described(tables)
    except ValueError as error:
        raise RailbirdError(f"{str(path)!r} is damaged: {error}") from None


def cell_of(hand_rank: float) -> int:
    """The cell of a histogram that a hand rank belongs to.

    >>> cell_of(0.0), cell_of(0.7), cell_of(1.0)
    (0, 14, 19)
    """
    return min(CELLS - 1, int(hand_rank * CELLS + 1e-9))


def _observe(data: Array, counts: Array, classes: NDArray[np.int32], cell: int, decay: float) -> None:
    data[classes] *= decay
    data[classes, cell] += 1.0
    counts[classes] += 1.0
