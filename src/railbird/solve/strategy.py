"""A trained heads-up limit strategy: fold, call and raise probabilities by betting node and bucket, in eight bits each.

A strategy file holds the probabilities of folding and raising in 255ths (calling has the rest), the abstraction's
definition, and how it was trained. `Strategy` is a `railbird.solve.policy.BucketPolicy`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game, limit_holdem
from railbird.solve.abstraction import Abstraction, read_only
from railbird.solve.strategy_files import read_arrays, write_arrays

Floats = NDArray[np.float32]
Codes = NDArray[np.uint8]

KIND, VERSION = "railbird strategy", 1
WHOLE = 255
_BOARD_CARDS = (0, 3, 4, 5)
_WITHOUT_CHIPS = tuple(part.name for part in fields(Game) if part.name not in ("blinds", "bet_sizes"))


class Strategy:
    """Probabilities for every decision of either position. Make it with `Training.strategy` or `Strategy.load`."""

    def __init__(
        self, game: Game, abstraction: Abstraction, codes: Sequence[NDArray[np.uint8]], about: Mapping[str, Any]
    ) -> None:
        self._game = game
        self.abstraction = abstraction
        self.codes = tuple(codes)
        """By street: the probabilities of folding and raising in 255ths, rows x buckets x 2."""
        self.about = dict(about)
        """How it was trained: boards, seed, method, and what else is known of it."""
        self.tree = BettingTree.of(game)
        for street, (table, count) in enumerate(zip(self.codes, abstraction.counts)):
            wanted = (len(self.tree.decisions[street]), count, 2)
            if table.shape != wanted:
                raise RailbirdError(f"a strategy table of {table.shape} where {wanted} belongs on street {street}")

    @classmethod
    def of(cls, game: Game, abstraction: Abstraction, tables: Sequence[Floats], about: Mapping[str, Any]) -> Strategy:
        """A strategy from weights by row, bucket and action; where all are zero, legal actions are equally likely."""
        tree = BettingTree.of(game)
        codes = []
        for street, table in enumerate(tables):
            legal = tree.legal(street)[:, None, :]
            weights = np.where(legal, table, 0.0)
            weights = np.where(weights.sum(axis=2, keepdims=True) > 0, weights, legal)
            found = np.rint(WHOLE * weights[:, :, ::2] / weights.sum(axis=2, keepdims=True)).astype(np.int16)
            found[:, :, 1] = np.minimum(found[:, :, 1], WHOLE - found[:, :, 0])
            codes.append(found.astype(np.uint8))
        return cls(game, abstraction, codes, about)

    @property
    def game(self) -> Game:
        return self._game

    def plays(self, game: Game) -> bool:
        """Whether a game is this strategy's, in the same chips or others."""
        ours = self._game
        if any(getattr(game, part) != getattr(ours, part) for part in _WITHOUT_CHIPS) or game.seats != ours.seats:
            return False
        chips = zip((*game.blinds, *game.bet_sizes), (*ours.blinds, *ours.bet_sizes))
        return all(theirs * ours.small_bet == own * game.small_bet for theirs, own in chips)

    @cached_property
    def arrays(self) -> tuple[Codes, Codes, Codes, Codes]:
        """The codes by street as kernels that play by the strategy take them."""
        first, second, third, fourth = map(read_only, self.codes)
        return first, second, third, fourth

    def table(self, street: int) -> Floats:
        """Fold, call and raise by row of the street's decisions and bucket: rows x buckets x 3."""
        codes = self.codes[street]
        found = np.empty((*codes.shape[:2], 3), np.float32)
        found[:, :, ::2] = codes
        found[:, :, 1] = WHOLE - found[:, :, 0] - found[:, :, 2]
        found /= WHOLE
        return found

    def buckets(self, street: int, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
        """By board (one a row) and holding: the bucket."""
        return self.abstraction.buckets(street, boards)

    def probabilities(self, street: int, board: tuple[int, ...]) -> Floats:
        """Fold, call and raise by row of the street's decisions and holding: rows x 1326 x 3."""
        found = self.abstraction.board_buckets(np.array(board, np.uint8))
        return self.table(street)[:, found]

    def triple(self, history: str, hole_cards: tuple[int, int], board: tuple[int, ...]) -> ProbabilityTriple:
        """What to do with two cards on a board at the node that a betting string leads to.

        The board may hold later cards than the node's street has seen; they are not looked at.
        """
        node = self.tree.node(history)
        street, row = int(self.tree.street[node]), int(self.tree.row[node])
        if row < 0:
            raise RailbirdError(f"nobody is to act after {history!r}")
        seen = _BOARD_CARDS[street]
        if len(board) < seen:
            raise RailbirdError(f"{len(board)} board cards after {history!r}; there should be {seen}")
        bucket = self.abstraction.bucket(hole_cards, board[:seen])
        fold, raise_ = (self.codes[street][row, bucket] / WHOLE).tolist()
        return ProbabilityTriple(fold, 1.0 - fold - raise_, raise_)

    def save(self, path: Path) -> None:
        """Write the strategy file, whole or not at all."""
        about = {**self.about, "method": self.abstraction.method, "game": game_parameters(self.game)}
        arrays = {f"street{street}": table for street, table in enumerate(self.codes)}
        write_arrays(path, KIND, VERSION, about, {**arrays, **_arrays(self.abstraction)})

    @classmethod
    def load(cls, path: Path) -> Strategy:
        """The strategy in a file; refuses one that is damaged or of another version.

        The buckets of flops and turns are looked up, or computed, when they are first needed (`Abstraction.build`).
        """
        about, arrays = read_arrays(path, KIND, VERSION)
        try:
            game = limit_holdem(**about.pop("game"))
            abstraction = Abstraction({"method": about.pop("method"), **arrays})
            return cls(game, abstraction, [arrays[f"street{street}"] for street in range(4)], about)
        except (KeyError, TypeError, RailbirdError) as error:
            raise RailbirdError(f"{str(path)!r} is damaged: {error}") from None


def game_parameters(game: Game) -> dict[str, Any]:
    """What `limit_holdem` makes the game from; refuses other games."""
    parameters: dict[str, Any] = {
        "small_bet": game.bet_sizes[0],
        "big_bet": game.bet_sizes[-1],
        "small_blind": min(game.blinds),
        "big_blind": max(game.blinds),
        "cap": game.max_raises[-1],
    }
    if game.seats != 2 or not game.is_holdem or game != limit_holdem(**parameters):
        raise RailbirdError(f"{game.name} with {game.seats} seats; strategies are for heads-up limit hold'em")
    return parameters


def _arrays(abstraction: Abstraction) -> dict[str, NDArray[Any]]:
    """The arrays of an abstraction's definition; its method goes elsewhere."""
    return {name: np.asarray(part) for name, part in abstraction.definition.items() if name != "method"}
