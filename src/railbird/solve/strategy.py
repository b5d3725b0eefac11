"""A trained heads-up limit strategy: fold, call and raise probabilities by betting node and bucket, in eight bits each.

A strategy file holds the probabilities of folding and raising in 255ths (calling has the rest), the abstraction's
definition, and how it was trained. `Strategy` is a `railbird.solve.policy.BucketPolicy`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.errors import RailbirdError, UnknownBotError, did_you_mean
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_tree import MOST_DECISIONS, BettingTree, decision_counts
from railbird.game.spec import Game, limit_holdem
from railbird.json_files import Fields
from railbird.kernels.cards.isomorphism import CLASS_COUNTS
from railbird.kernels.solve.buckets import ENTRIES
from railbird.kernels.solve.river_clusters import GROUPS
from railbird.kernels.solve.river_clusters import WHOLE as WHOLE_STRENGTH
from railbird.numbers import quoted
from railbird.solve.abstraction import BY_HISTOGRAM, METHODS, Abstraction, check_counts, read_only
from railbird.solve.holding_features import BOARD_CARDS
from railbird.solve.rounding import WHOLE, check_levels, rounded_codes, unreached_rows
from railbird.solve.strategy_files import ArrayFile, open_arrays, write_arrays

Floats = NDArray[np.float32]
Codes = NDArray[np.uint8]

KIND, VERSION = "railbird strategy", 1
_PARAMETERS = {"small_bet", "big_bet", "small_blind", "big_blind", "cap"}
_SHIPPED = files("railbird.solve") / "data"
FLOP_CLASSES = CLASS_COUNTS[1]
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
        street, row, seen = self._decision(history, board)
        bucket = self.abstraction.bucket(hole_cards, board[:seen])
        fold, raise_ = (self.codes[street][row, bucket] / WHOLE).tolist()
        return ProbabilityTriple(fold, 1.0 - fold - raise_, raise_)

    def holding_chances(self, history: str, board: tuple[int, ...]) -> NDArray[np.float64]:
        """The same for all holdings: fold, call and raise by holding."""
        street, row, seen = self._decision(history, board)
        buckets = self.abstraction.board_buckets(np.array(board[:seen], np.uint8))
        found = np.empty((len(buckets), 3))
        found[:, ::2] = self.codes[street][row, buckets]
        found[:, 1] = WHOLE - found[:, 0] - found[:, 2]
        return found / WHOLE

    def _decision(self, history: str, board: tuple[int, ...]) -> tuple[int, int, int]:
        """The street and row of the decision that a betting string leads to, and how many board cards it sees."""
        node = self.tree.node(history)
        street, row = int(self.tree.street[node]), int(self.tree.row[node])
        if row < 0:
            raise RailbirdError(f"nobody is to act after {history!r}")
        seen = BOARD_CARDS[street]
        if len(board) < seen:
            raise RailbirdError(f"{len(board)} board cards after {history!r}; there should be {seen}")
        return street, row, seen

    def save(self, path: Path) -> None:
        """Write the strategy file, whole or not at all."""
        about = {**self.about, "method": self.abstraction.method, "game": game_parameters(self.game)}
        arrays = {f"street{street}": table for street, table in enumerate(self.codes)}
        write_arrays(path, KIND, VERSION, about, {**arrays, **abstraction_arrays(self.abstraction)})

    def rounded(self, levels: int) -> Strategy:
        """The strategy with probabilities rounded to so many levels (`railbird.solve.rounding`), whose file packs."""
        check_levels(levels)
        codes = [rounded_codes(table, levels) for table in self.codes]
        for table, unreached in zip(codes, unreached_rows(self.tree, codes)):
            table[unreached] = 0
        return Strategy(self.game, self.abstraction, codes, {**self.about, "levels": levels})

    @classmethod
    def load(cls, path: Path) -> Strategy:
        """The strategy in a file; refuses one that is damaged or of another version.

        The buckets of flops and turns are looked up, or computed, when they are first needed (`Abstraction.build`).
        """
        with open_arrays(path, KIND, VERSION) as file:
            found = None if "packed0" in file.names else cls._read(file)
        if found is None:
            raise RailbirdError(
                f"{quoted(str(path), 200)} is a packed strategy of an older version; write it again from its "
                "checkpoint (railbird solve --resume --write --levels 15)"
            )
        return found

    @classmethod
    def _read(cls, file: ArrayFile) -> Strategy:
        """The strategy in a file that is open."""
        game, abstraction = game_in(file), abstraction_in(file)
        shapes = list(zip(decision_counts(game), abstraction.counts))
        codes = [file.array(f"street{street}", "|u1", (*shape, 2)) for street, shape in enumerate(shapes)]
        about = {name: part for name, part in file.about.items() if name not in ("game", "method")}
        found = cls(game, abstraction, codes, about)
        found.check()
        return found

    def check(self) -> None:
        """Refuse codes that are no probabilities, or those of actions that the rules do not allow."""
        for street, codes in enumerate(self.codes):
            folds, raises = codes[:, :, 0], codes[:, :, 1]
            if (folds > WHOLE - raises).any():
                raise RailbirdError(f"probabilities of more than one in all on street {street}")
            legal = self.tree.legal(street)
            if folds[~legal[:, 0]].any() or raises[~legal[:, 2]].any():
                raise RailbirdError(f"probabilities of actions that are not legal on street {street}")


def strategy_named(name: str) -> Strategy:
    """The strategy of a file, or one that comes with Railbird, by its name."""
    if Path(name).is_file():
        return Strategy.load(Path(name))
    shipped = _SHIPPED.joinpath(f"{name}.npz")
    if not re.fullmatch(r"[a-z]+", name) or not shipped.is_file():
        names = sorted(file.name[:-4] for file in _SHIPPED.iterdir() if file.name.endswith(".npz"))
        raise UnknownBotError(
            f"no strategy file {quoted(name)}, and none of this name comes with Railbird{did_you_mean(name, names)} "
            f"(those are {', '.join(names)}; railbird solve makes files)"
        )
    return shipped_strategy(shipped.name)


def shipped_strategy(file: str) -> Strategy:
    """A strategy that comes with Railbird, by the name of its file."""
    with as_file(_SHIPPED.joinpath(file)) as path:
        return Strategy.load(path)


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


def game_in(file: ArrayFile) -> Game:
    """The game of a file of a strategy, or of one in the making; refuses what is none."""
    told = Fields(file.about, "the description").fields("game")
    if told.found.keys() != _PARAMETERS:
        raise RailbirdError(f"a game of {quoted(', '.join(told.found))}")
    parameters: dict[str, Any] = {name: told.whole(name, 0) for name in told.found}
    game = limit_holdem(**parameters)
    if sum(decision_counts(game)) > MOST_DECISIONS:
        raise RailbirdError(f"a cap of {told['cap']} bets")
    return game


def abstraction_in(file: ArrayFile) -> Abstraction:
    """The abstraction of such a file, of which every array has the size that its buckets need."""
    method = Fields(file.about, "the description").text("method")
    counts = tuple(file.array("counts", "<i8", (4,)).tolist())
    check_counts(counts)
    if method not in METHODS:
        raise RailbirdError(f"no method {quoted(method)}")
    definition: dict[str, str | NDArray[Any]] = {"method": method, "counts": np.array(counts)}
    for name, count in (("flop", counts[1]), ("turn", counts[2])):
        if count == FLOP_CLASSES:
            continue
        if name in file.names and (count > 1 or file.shape(name) != (0,)):
            definition[name] = file.array(name, "<u2", (count, ENTRIES) if method in BY_HISTOGRAM else (count - 1,))
        elif count > 1:
            raise RailbirdError(f"no {name} for {count} buckets")
    if method == "ochs":
        return Abstraction({**definition, **_clusters_in(file, counts[3])})
    slices, *rest = file.shape("river")
    parts = rest[0] + 1 if len(rest) == 1 else 0
    if slices * parts != counts[3]:
        raise RailbirdError(f"a river of {slices}x{parts} buckets, where there are {counts[3]:,}")
    limits = file.array("river", "<f8", (slices, parts - 1))
    if not ((limits >= 0) & (limits <= 1)).all() or (np.diff(limits, axis=1) < 0).any():
        raise RailbirdError("limits between the buckets of the river that do not rise from 0 to 1")
    return Abstraction({**definition, "river": limits})


def _clusters_in(file: ArrayFile, count: int) -> dict[str, NDArray[Any]]:
    """The centres of a river of clusters, and the groups that they are about."""
    centres, groups = file.array("river", "<u2", (count, GROUPS)), file.array("groups", "|u1", (CLASS_COUNTS[0],))
    if (centres > WHOLE_STRENGTH).any() or (np.diff(centres.sum(axis=1, dtype=np.int64)) < 0).any():
        raise RailbirdError("centres of the river's buckets that do not rise")
    if (groups >= GROUPS).any():
        raise RailbirdError(f"groups of holdings that are not 0 to {GROUPS - 1}")
    return {"river": centres, "groups": groups}


def abstraction_arrays(abstraction: Abstraction) -> dict[str, NDArray[Any]]:
    """The arrays of an abstraction's definition; its method goes elsewhere."""
    return {name: np.asarray(part) for name, part in abstraction.definition.items() if name != "method"}
