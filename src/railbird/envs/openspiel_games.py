"""Games, cards and actions of OpenSpiel in Railbird's terms, and the other way round.

`universal_poker` plays the competition's games, with players in the order of its game files; who acts first after the
flop is position 0 here, wherever OpenSpiel seats him. Bets of no-limit games are numbers of chips in its "fullgame",
and in its abstractions sizes by name: "fcpa" has the pot and all-in, "fchpa" half the pot too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import Any

import pyspiel

from railbird.errors import InvalidGameError
from railbird.formats.acpc import parse_game
from railbird.game.actions import CALL, FOLD, RAISE, Action, raise_to
from railbird.game.betting import Betting
from railbird.game.spec import Game, Structure, kuhn_poker, leduc_poker
from railbird.numbers import quoted

FOLDS, CALLS, BETS, ALL_IN, HALF_POT = range(5)
"""Actions of OpenSpiel's poker games."""
_LIMIT, _WHOLE, _TOY, _KUHN = "limit", "fullgame", "toy", "kuhn"
_SIZINGS = ("fc", "fcpa", "fchpa", _WHOLE)
_MOST_CHIPS, _MOST_RAISES = 2_000_000_000, 255
"""What stands for stacks and raises without a limit in games of the competition's code."""
_IN_FILE = {"numPlayers", "numRounds", "blind", "firstPlayer", "numSuits", "numRanks", "numHoleCards", "numBoardCards"}


@dataclass(frozen=True)
class SpielGame:
    """A poker game of OpenSpiel, and the same game as Railbird has it."""

    peer: Any
    """The `pyspiel.Game`."""
    game: Game
    first: int
    """OpenSpiel's number of the player at position 0."""
    sizing: str
    """How raises are told: "limit", "fullgame", an abstraction of bets, or those of the toy games."""

    @staticmethod
    def of(peer: Any) -> SpielGame:
        """The game of a `pyspiel.Game`: universal_poker, leduc_poker or kuhn_poker."""
        name, parameters = peer.get_type().short_name, peer.get_parameters()
        if name == "universal_poker":
            return SpielGame.with_parameters(peer, parameters)
        if name == "kuhn_poker" and peer.num_players() == 2:
            return SpielGame(peer, kuhn_poker(), 0, _KUHN)
        if name == "leduc_poker" and str(peer) == "leduc_poker()":
            return SpielGame(peer, leduc_poker(), 0, _TOY)
        raise InvalidGameError(
            f"{quoted(str(peer), 120)} is no game that Railbird plays: universal_poker, and for two players kuhn_poker "
            "and leduc_poker as they are"
        )

    @staticmethod
    def with_parameters(peer: Any, parameters: dict[str, Any]) -> SpielGame:
        """The game of universal_poker with these parameters; they may be those of a hand of repeated_poker."""
        if parameters.get("potSize") or parameters.get("boardCards"):
            raise InvalidGameError("a subgame of universal_poker, which begins with a pot and a board, is not played")
        sizing = str(parameters.get("bettingAbstraction") or "fcpa")
        is_limit = parameters.get("betting") == "limit"
        if sizing not in _SIZINGS or (is_limit and sizing == _WHOLE):
            raise InvalidGameError(
                f"bettingAbstraction {quoted(sizing)} of a game with {parameters.get('betting')} bets"
            )
        wanted = {*_IN_FILE, "maxRaises", *(("raiseSize",) if is_limit else ("stack",))}
        lines = [f"{key} = {parameters[key]}" for key in sorted(wanted & parameters.keys()) if parameters[key] != ""]
        text = "\n".join(["GAMEDEF", str(parameters.get("betting", "nolimit")), *lines, "END GAMEDEF"])
        game, first = _from_first(parse_game(text))
        return SpielGame(peer, game, first, _LIMIT if is_limit else sizing)

    def player(self, position: int) -> int:
        """OpenSpiel's number of the player at a position."""
        return (position + self.first) % self.game.seats

    def position(self, player: int) -> int:
        return (player - self.first) % self.game.seats

    def card_number(self, card: int) -> int:
        """OpenSpiel's number of a card: its place in the deck."""
        return card if self.game.is_holdem else self.game.deck.index(card)

    def cards(self, printed: Sequence[int]) -> tuple[int, ...]:
        """The cards that it prints; its small decks have the lowest ranks and suits, Railbird's the highest."""
        if self.game.is_holdem:
            return tuple(printed)
        return tuple([self.game.deck[(card >> 2) * self.game.suits + (card & 3)] for card in printed])

    def number(self, legal: Sequence[int], node: Betting, action: Action) -> int:
        """OpenSpiel's number of an action, where these are legal; of a raise whose size it does not have, the nearest.

        Abstractions have sizes by name. The nearest is the one with the nearest logarithm.
        """
        if self.sizing == _KUHN:
            return int(action.kind == "r" or (action.kind == "c" and node.to_call > 0))
        if action.kind == "f":
            return FOLDS if FOLDS in legal else CALLS
        if action.kind == "c" or legal[-1] <= CALLS:
            return CALLS
        if self.sizing == _WHOLE:
            return int(min(max(action.amount, next(n for n in legal if n > CALLS)), legal[-1]))
        if self.sizing in (_LIMIT, _TOY):
            return BETS
        sizes = {n: size for n, size in _sizes(node).items() if n in legal}
        return min(sizes, key=lambda n: abs(log(max(1, sizes[n]) / max(1, action.amount))))

    def action(self, node: Betting, number: int) -> Action:
        """What OpenSpiel's number of an action means at a node of the betting.

        A size that is not allowed is the nearest that is, and where no raise is allowed it is a call.
        """
        if self.sizing == _KUHN:
            kind = ("f" if node.to_call else "c", "c" if node.to_call else "r")[number]
            return {"f": FOLD, "c": CALL, "r": RAISE}[kind]
        if number == FOLDS:
            return FOLD if node.can_fold else CALL
        if number == CALLS or not node.can_raise:
            return CALL
        if self.sizing in (_LIMIT, _TOY):
            return RAISE
        chips = number if self.sizing == _WHOLE else _sizes(node).get(number, number)
        return raise_to(min(max(chips, node.min_raise_to), node.max_raise_to))

    def kinds(self, node: Betting, chances: Iterable[tuple[int, float]]) -> dict[str, float]:
        """Chances of OpenSpiel's actions as chances of folding, calling and raising."""
        found = dict.fromkeys("fcr", 0.0)
        for number, chance in chances:
            found[self.action(node, int(number)).kind] += float(chance)
        return found


def spiel_game(game: Game, betting: str = _WHOLE) -> Any:
    """A game of Railbird's as a `pyspiel.Game`: universal_poker, or OpenSpiel's own Kuhn and Leduc poker.

    `betting` is its abstraction of bets in no-limit games: "fullgame", "fcpa", "fchpa" or "fc".

    >>> from railbird.game.spec import limit_holdem
    >>> spiel_game(limit_holdem()).num_players()
    2
    """
    for toy, name in ((kuhn_poker(), "kuhn_poker"), (leduc_poker(), "leduc_poker")):
        if replace(game, name=toy.name) == toy:
            return pyspiel.load_game(name)
    if game.structure not in (Structure.FIXED_LIMIT, Structure.NO_LIMIT) or game.ante or game.dead or game.free_fold:
        raise InvalidGameError(f"{game.name} is no game of OpenSpiel's: limit or no-limit, without antes")
    if betting not in _SIZINGS:
        raise InvalidGameError(f"no betting {quoted(betting)} ({', '.join(_SIZINGS)})")
    is_limit = game.structure is Structure.FIXED_LIMIT
    stacks = _listed(game.stacks or (_MOST_CHIPS,) * game.seats)
    caps = _listed([_MOST_RAISES if most is None else most for most in game.max_raises])
    parameters = {
        "betting": "limit" if is_limit else "nolimit",
        "numPlayers": game.seats,
        "numRounds": game.streets,
        "blind": _listed(game.blinds),
        # In limit games its code is not told the stacks, and stops at more than four players; so they travel with this.
        "maxRaises": f"{caps}\nstack = {stacks}" if is_limit else "",
        "stack": stacks,
        "firstPlayer": _listed([position + 1 for position in game.first_to_act]),
        "numSuits": game.suits,
        "numRanks": game.ranks,
        "numHoleCards": game.hole_cards,
        "numBoardCards": _listed(game.board_cards),
        **({"raiseSize": _listed(game.bet_sizes)} if is_limit else {"bettingAbstraction": betting}),
    }
    return pyspiel.load_game("universal_poker", parameters)


@lru_cache(maxsize=1_000)
def _from_first(game: Game) -> tuple[Game, int]:
    """A game whose positions are counted from the player who acts first on the later streets, and which he was."""
    first = game.first_to_act[-1]
    if not first:
        return game, 0

    def turned(values: tuple[int, ...]) -> tuple[int, ...]:
        return values[first:] + values[:first]

    return replace(
        game,
        blinds=turned(game.blinds),
        stacks=game.stacks and turned(game.stacks),
        first_to_act=tuple([(place - first) % game.seats for place in game.first_to_act]),
    ), first


def _sizes(node: Betting) -> dict[int, int]:
    """The raises that abstractions have by name, in chips put in in all: the pot, all-in and half the pot."""
    most, pot = max(node.committed), node.pot + node.to_call
    return {BETS: most + pot, ALL_IN: node.max_raise_to, HALF_POT: most + (pot + 1) // 2}


def _listed(values: Iterable[int]) -> str:
    return " ".join([str(value) for value in values])
