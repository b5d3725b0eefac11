"""A person's time at a table, from sitting down to leaving: hands of a match that goes on for as long as one likes.

The hands are those of the one loop, written one by one to a match folder, so all that reads match folders reads them.
Who comes back goes on in the same folder: bots that learn are shown the hands before, as in any match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from secrets import randbelow
from typing import Protocol

from railbird.errors import MatchError
from railbird.formats.games import read_game
from railbird.game.record import HandRecord
from railbird.play.blocks import Block, play_blocks
from railbird.play.clock import time_limit
from railbird.play.folder import MatchFolder, is_match
from railbird.play.match import OPEN_HANDS, MatchSpec
from railbird.play.match_logs import open_logs
from railbird.play.match_run import MatchRun
from railbird.play.person import KeptDecisions, LeaveTable, Person, Screen, Sight
from railbird.play.players import AnyBot
from railbird.play.seating import MOST_PLAYERS
from railbird.randomness import Seed

_SEEDS = 2**31


class TableScreen(Screen, Protocol):
    """A screen that is told how the evening goes, and waits after each hand."""

    def end_hand(self, sight: Sight, won_chips: int, hands: int, faults: Sequence[str]) -> None:
        """A hand is over and kept; `won_chips` in `hands` so far. The person may leave here too (`LeaveTable`)."""


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
    seats: tuple[AnyBot, ...] = (*bots[: seat - 1], person, *bots[seat - 1 :])
    return MatchSpec(read_game(game, players), seats, OPEN_HANDS, seed, block_hands=1)


class Sitting:
    """A person at the table of a folder, which must be locked meanwhile."""

    def __init__(self, folder: MatchFolder, person: Person) -> None:
        self.folder = folder
        self.person = person
        self.seat = folder.spec.bots.index(person)
        self.run = MatchRun.begin(folder)
        self.first_hand = person.first_hand = self.run.next_hand[0]
        person.kept = KeptDecisions(folder.path)

    @property
    def name(self) -> str:
        """The person's name at this table."""
        return self.folder.spec.names[self.seat]

    @property
    def hands(self) -> int:
        """Hands that are written, those of other times too."""
        return self.run.next_hand[0]

    @property
    def won_chips(self) -> int:
        """What the person has won in them."""
        return sum(int(block[:, self.seat].sum()) for block in self.run.won[0])

    def past(self) -> Iterable[HandRecord]:
        """The hands that are written."""
        return self.folder.records(0, self.hands) if self.hands else ()

    @property
    def is_in_mid_hand(self) -> bool:
        """Whether a hand waits in which the person has decided something."""
        kept = self.person.kept
        return kept is not None and bool(kept) and kept.hand == self.hands

    def play(self, screen: TableScreen, hands: int | None = None, reveal: bool = False) -> None:
        """Play until the person leaves, or `hands` more hands. With `reveal` all cards are shown after each hand."""
        spec, person = self.folder.spec, self.person
        person.screen = screen
        last = spec.hands if hands is None else min(spec.hands, self.hands + hands)
        try:
            with time_limit(person.clock, spec.decision_seconds):
                past = self.past() if spec.learns else ()
                for block in play_blocks(spec, 0, self.hands, last, past, person.clock):
                    self._end_hand(screen, block, reveal)
        except (LeaveTable, KeyboardInterrupt):
            if person.trouble:
                raise person.trouble from None

    def _end_hand(self, screen: TableScreen, block: Block, reveal: bool) -> None:
        """Write a hand, and only then show how it ended."""
        person = self.person
        self.run.take(block)
        assert person.kept is not None
        assert person.last_sight is not None
        person.kept.clear()
        sight = person.last_sight
        if reveal:
            sight = sight._replace(shown=dict(enumerate(open_logs(self.folder.path).hand(block.first).holes)))
        screen.end_hand(sight, self.won_chips, self.hands, [str(fault) for fault in block.faults])
