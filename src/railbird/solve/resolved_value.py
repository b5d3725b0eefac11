"""What solving the rest of the hand again takes from a perfect opponent, on a sample of rests.

A best response to the whole play would need every rest of every hand to be solved. What can be told exactly is one rest
at a time: both players come to it by the table strategy, and from there on the opponent plays perfectly, knowing what
the other does: against the table strategy, and against the play that solves the rest again (all 432 rounds of the
rivers included, where the rest begins on the turn). The difference is what the opponent loses. An opponent who follows
the table strategy to the flop and then plays perfectly is one that the exploitability must reckon with, so what he wins
is a lower bound of it. From above it is bounded by what single holdings of the opponent gain: if none gains anything,
no opponent does, however he came to the rest.

Rests are drawn as they come up: hands are dealt and both play them by the table strategy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from railbird.cards import CARD_COUNT
from railbird.errors import RailbirdError, did_you_mean
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import DECISION, STREET_START
from railbird.game.spec import STREETS
from railbird.numbers import MOST_SEED, quoted
from railbird.progress import Watch
from railbird.randomness import Stream
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result
from railbird.solve.met_holdings import reach_met
from railbird.solve.resolved_play import Effort, ResolvedPlay
from railbird.solve.resolved_rest import RIVER, TURN, Floats, RestOfHand, Solution
from railbird.solve.strategy import Strategy
from railbird.statistics import Estimate
from railbird.words import plus_minus
from railbird.workforce import Workforce, shared_out

MOST_RESTS = 100_000


class DrawnRest(NamedTuple):
    """A rest that came up."""

    number: int
    """Of the betting round."""
    board: tuple[int, ...]


class RestValue(NamedTuple):
    """What a perfect opponent wins in one rest, in milli small bets a hand that gets there; of both positions."""

    table: float
    """From the table strategy."""
    resolved: float
    given: float
    """What holdings of his gain that gain something, on average over all that the board leaves."""


@dataclass(frozen=True, repr=False)
class ResolvedValue(Result):
    """What a perfect opponent wins less in rests that are solved again, in milli small bets a hand."""

    street: int
    rests: tuple[RestValue, ...]
    dealt: int
    """So many hands were dealt until these rests came up."""
    seed: int
    effort: Effort

    @property
    def share(self) -> float:
        """Of the hands dealt, how many get to the street."""
        return len(self.rests) / self.dealt

    @property
    def loss(self) -> Estimate:
        """What the opponent wins less in a rest."""
        return self._mean([rest.table - rest.resolved for rest in self.rests])

    @property
    def loss_per_hand(self) -> Estimate:
        """The same of all hands dealt: nothing in those that end before."""
        return self._mean([rest.table - rest.resolved for rest in self.rests] + [0.0] * (self.dealt - len(self.rests)))

    @property
    def given(self) -> Estimate:
        """What holdings of his gain, on average."""
        return self._mean([rest.given for rest in self.rests])

    @property
    def worse(self) -> int:
        """In how many rests he gains."""
        return sum(rest.resolved > rest.table for rest in self.rests)

    @staticmethod
    def _mean(values: list[float]) -> Estimate:
        return Estimate.of(np.array(values))

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.resolve/1."""
        return {
            "schema": "railbird.resolve/1",
            "unit": "milli small bets per hand",
            "street": STREETS[self.street],
            "rests": len(self.rests),
            "seed": self.seed,
            "iterations": {"turn": self.effort.turn, "river": self.effort.river},
            "safety": asdict(self.effort.safety),
            "loss": {"value": self.loss.mean, "margin95": self.loss.margin},
            "loss_per_hand": {"value": self.loss_per_hand.mean, "margin95": self.loss_per_hand.margin},
            "given": {"value": self.given.mean, "margin95": self.given.margin},
            "rests_gained": self.worse,
            "hands_dealt": self.dealt,
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each rest."""
        return [{"street": STREETS[self.street], **rest._asdict()} for rest in self.rests]

    def parts(self) -> list[Part]:
        iterations = f"{self.effort.river} iterations"
        if self.street == TURN:
            iterations = f"{self.effort.turn} and {iterations}"
        facts = (f"{len(self.rests)} rests from the {STREETS[self.street]} on", iterations, f"seed {self.seed}")
        rows = [
            ("wins less in these rests", _told(self.loss)),
            ("the same of all hands dealt", _told(self.loss_per_hand)),
            ("wins more with single holdings", _told(self.given, 2)),
        ]
        told = (
            f"he follows the table strategy to this street, which {len(self.rests)} of {self.dealt} hands got to, and "
            f"wins more in {self.worse} of these rests"
        )
        return [
            Heading("a perfect opponent of the resolver, beside one of its table strategy", facts),
            Line("in milli small bets per hand (95%)", indent=0),
            Table(rows),
            Line(told, indent=0),
        ]


def resolved_value(
    play: ResolvedPlay,
    street: int = RIVER,
    rests: int = 20,
    seed: int = 0,
    workers: Workforce = 1,
    watch: Watch | None = None,
) -> ResolvedValue:
    """What a perfect opponent wins less in so many rests from the turn or the river on.

    A rest from the river on takes some tenths of a second, one from the turn on half a minute.
    """
    if not 2 <= rests <= MOST_RESTS:
        raise RailbirdError(f"rests: {quoted(rests)}; an estimate needs at least 2, and at most {MOST_RESTS:,}")
    if not 0 <= seed <= MOST_SEED:
        raise RailbirdError(f"seed {quoted(seed)}; a seed is a whole number from 0 to 2^63 - 1")
    drawn, dealt = drawn_rests(play.strategy, street, rests, seed)
    found: dict[int, RestValue] = {}
    if watch:
        watch(0, rests)
    for at, value in shared_out(lambda: _valued(play, street), drawn, workers):
        found[at] = value
        if watch:
            watch(len(found), rests)
    values = tuple(found[at] for at in range(rests))
    return ResolvedValue(street, values, dealt, seed, play.effort)


def street_number(name: str) -> int:
    """The street of a name.

    >>> street_number("river")
    3
    """
    names = [STREETS[street] for street in (TURN, RIVER)]
    if name not in names:
        raise RailbirdError(f"no rests from the {quoted(name)} on{did_you_mean(name, names)} (turn or river)")
    return STREETS.index(name)


def drawn_rests(strategy: Strategy, street: int, count: int, seed: int) -> tuple[list[DrawnRest], int]:
    """Rests from a street on as they come up in self-play, and how many hands were dealt."""
    tree, generator = strategy.tree, Stream(seed, street).numpy()
    found: list[DrawnRest] = []
    dealt = 0
    while len(found) < count:
        dealt += 1
        deck = generator.permutation(CARD_COUNT)[:9].tolist()
        board, node = (*sorted(deck[4:7]), *deck[7:]), 0
        while tree.street[node] < street and tree.kind[node] in (DECISION, STREET_START):
            action = 1
            if tree.kind[node] == DECISION:
                first, second = deck[2 * int(tree.actor[node]) :][:2]
                fold, call, _ = strategy.triple(tree.history[node], (first, second), board)
                drawn = generator.random()
                action = 0 if drawn < fold else 1 if drawn < fold + call else 2
            node = int(tree.child[node, action])
        if tree.street[node] == street:
            found.append(DrawnRest(betting_rounds(strategy.game)[street].number(node), board[: street + 2]))
    return found, dealt


def _valued(play: ResolvedPlay, street: int) -> Callable[[DrawnRest], RestValue]:
    def value(drawn: DrawnRest) -> RestValue:
        rest = RestOfHand(play.strategy.game, street, drawn.number, drawn.board)
        both = np.array([_position_value(play, rest, player) for player in (0, 1)]).mean(axis=0)
        return RestValue(*(1000 * both / play.strategy.game.small_bet).tolist())

    return value


def _position_value(play: ResolvedPlay, rest: RestOfHand, player: int) -> tuple[float, float, float]:
    """What the opponent of one position wins by the table strategy and by the solution, and what is given; in chips."""
    solution = play.from_table([rest], player)[0]
    own, opponent, before = (part.astype(np.float64) for part in solution.entry)
    after = whole_response(play, solution).astype(np.float64)
    met = reach_met(own)
    meetings = float(opponent @ met)
    if meetings <= 0.0:  # the other never comes here with a holding that is left
        opponent = rest.live.astype(np.float64)
        meetings = float(opponent @ met)
    gains = np.maximum(after - before, 0.0)[rest.live] / met[rest.live]
    return float(opponent @ before) / meetings, float(opponent @ after) / meetings, float(gains.mean())


def _told(found: Estimate, digits: int = 1) -> str:
    return f"{found.mean:.{digits}f} {plus_minus(found.told_margin, f'.{digits}f')}"


def whole_response(play: ResolvedPlay, solution: Solution) -> Floats:
    """What a best response wins with each holding against the solution; its rivers are solved as they come up."""
    rest, player = solution.rest, solution.player
    later = None
    if not rest.is_last:
        numbers = rest.number * len(rest.rounds.closings) + np.arange(len(rest.rounds.closings))
        rounds = [(number, card) for card in rest.rivers for number in numbers.tolist()]
        played = np.array([river.played for river in play.after_turn(solution, rounds)])
        later = played.reshape(len(rest.rivers), len(numbers), *played.shape[1:])
    return rest.response(1 - player, solution.entry.own, rest.placed_chances(solution.played, later))
