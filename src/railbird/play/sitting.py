"""Time at a table, from sitting down to leaving: hands of a match that goes on for as long as people like.

The hands are those of the one loop, written one by one to a match folder, so all that reads match folders reads them.
Who comes back goes on in the same folder: bots that learn are shown the hands before, as in any match. Where the cards
follow from a secret key, each hand's are promised before it begins and told after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from secrets import randbelow
from typing import Protocol

from railbird.errors import MatchError
from railbird.formats.games import read_game
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.play.blocks import Block, play_blocks
from railbird.play.clock import Clock, time_limit
from railbird.play.folder import MatchFolder, is_match
from railbird.play.match import OPEN_HANDS, MatchSpec
from railbird.play.match_logs import open_logs
from railbird.play.match_run import MatchRun
from railbird.play.person import KeptDecisions, LeaveTable, Person, Screen, Sight
from railbird.play.players import AnyBot
from railbird.play.promises import Promises
from railbird.play.seating import MOST_PLAYERS
from railbird.randomness import Seed

_SEEDS = 2**31


class TableScreen(Screen, Protocol):
    """A screen that is told how the evening goes, and waits after each hand."""

    def end_hand(self, sight: Sight, won_chips: int, hands: int, faults: Sequence[str]) -> None:
        """A hand is over and kept; `won_chips` in `hands` so far."""

    def rest(self) -> None:
        """Wait until the person is ready for the next hand, who may leave here too (`LeaveTable`)."""


def table_spec(path: Path, bots: Sequence[str], person: Person, game: str, seat: int, seed: Seed | None) -> MatchSpec:
    """The match between a person and bots at the table of a folder.

    Without a seed it is the one that the folder has; a new table has a seed by chance, so that nobody knows its cards.
    """
    players = len(bots) + 1
    if not 2 <= players <= MOST_PLAYERS:
        raise MatchError(f"{len(bots)} bots ({' '.join(bots)}); at a table with you there are 1 to {MOST_PLAYERS - 1}")
    if not 1 <= seat <= players:
        raise MatchError(f"seat {seat}; a table of {players} has seats 1 to {players}")
    if seed is None:
        seed = MatchFolder.open(path).spec.seed if is_match(path) else randbelow(_SEEDS)
    return open_spec((*bots[: seat - 1], person, *bots[seat - 1 :]), game, seed)


def open_spec(seats: Sequence[AnyBot], game: str | Game, seed: Seed) -> MatchSpec:
    """A match without an end, whose hands are written one by one."""
    return MatchSpec(read_game(game, len(seats)), tuple(seats), OPEN_HANDS, seed, block_hands=1)


class Sitting:
    """People at the table of a folder, which must be locked meanwhile."""

    def __init__(self, folder: MatchFolder, *people: Person) -> None:
        self.folder = folder
        self.people = people
        self.seats = [folder.spec.bots.index(person) for person in people]
        self.run = MatchRun.begin(folder)
        self.first_hand = self.run.next_hand[0]
        self.kept = KeptDecisions(folder.path)
        self.clock = Clock()
        for person in people:
            person.first_hand, person.kept, person.clock = self.first_hand, self.kept, self.clock
        self.promises = Promises(folder) if folder.spec.is_secret else None
        if self.promises:
            self.promises.tell_until(self.hands)

    @property
    def seat(self) -> int:
        """Where the person sits; of several the first."""
        return self.seats[0]

    @property
    def hands(self) -> int:
        """Hands that are written, those of other times too."""
        return self.run.next_hand[0]

    @property
    def won_chips(self) -> int:
        """What the person has won in them."""
        return self.won_at(self.seat)

    def won_at(self, seat: int) -> int:
        """What was won in them at a seat."""
        return int(self.run.money[seat].total[0])

    def past(self) -> Iterable[HandRecord]:
        """The hands that are written."""
        return self.folder.records(0, self.hands) if self.hands else ()

    @property
    def is_in_mid_hand(self) -> bool:
        """Whether a hand waits in which somebody has decided something."""
        return bool(self.kept) and self.kept.hand == self.hands

    def play(self, *screens: TableScreen, hands: int | None = None, reveal: bool = False) -> None:
        """Play until somebody leaves, or `hands` more hands; each person has a screen.

        With `reveal` all cards are shown after each hand.
        """
        spec = self.folder.spec
        for person, screen in zip(self.people, screens, strict=True):
            person.screen = screen
        last = spec.hands if hands is None else min(spec.hands, self.hands + hands)
        try:
            with time_limit(self.clock, spec.decision_seconds):
                past = self.past() if spec.learns else ()
                self._promise(last)
                for block in play_blocks(spec, 0, self.hands, last, past, self.clock):
                    self._end_hand(screens, block, reveal)
                    self._promise(last)
        except (LeaveTable, KeyboardInterrupt):
            for trouble in filter(None, [person.trouble for person in self.people]):
                raise trouble from None

    def _promise(self, last: int) -> None:
        """Promise the cards of the next hand, if there is one and they are secret."""
        if self.promises and self.hands < last:
            self.promises.promise(self.hands)

    def _end_hand(self, screens: Sequence[TableScreen], block: Block, reveal: bool) -> None:
        """Write a hand, and only then show how it ended."""
        self.run.take(block)
        self.kept.clear()
        if self.promises:
            self.promises.tell_until(self.hands)
        shown = dict(enumerate(open_logs(self.folder.path).hand(block.first).holes)) if reveal else None
        faults = [str(fault) for fault in block.faults]
        for person, seat, screen in zip(self.people, self.seats, screens):
            sight = person.last_sight
            assert sight is not None
            seen = sight if shown is None else sight._replace(shown=shown)
            screen.end_hand(seen, self.won_at(seat), self.hands, faults)
        for screen in screens:
            screen.rest()
