"""Whether a bot knows cards that it may not see, told by how it bets.

The opponent ignores its cards, so whatever a bot sees, every holding that it cannot see is equally likely. Let `h` be 1
if its cards win in the end, 1/2 if they tie and 0 if they lose, with all cards as they truly lie; `e` the chance of it
given what the bot sees in a decision, which is known exactly; and `a` what it does there: 1 for a raise, 0 for a call,
-1 for a fold. Then a (h - e) is zero on average, however well or badly the bot plays, as long as `a` follows from what
it may know. If it knows more, it raises where h > e and folds where h < e.

The deals are independent. So the sum over deals, divided by the root of the sum of squares, lies within +-`LIMIT` for
all but one honest bot in a million or so (normal distribution: 1 in 1.7 million; any symmetric one: 1 in 130,000).
"""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from railbird.cards import cards_text, class_text, holding_index
from railbird.check.trial import game_text
from railbird.game.record import HandRecord
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.odds.potential import hand_potential
from railbird.odds.ranges import preflop_counts
from railbird.odds.strength import hand_strength
from railbird.play.blocks import play_blocks
from railbird.play.boxed_bot import BoxedBot
from railbird.play.clock import Clock, time_limit
from railbird.play.dealing import deals
from railbird.play.folder import MatchFolder
from railbird.play.hand import Deal
from railbird.play.match import MatchSpec
from railbird.play.match_run import MatchRun
from railbird.play.players import AnyBot, Player

LIMIT = 5.0
"""In standard errors: what no honest bot is expected to reach."""
FEWEST_DEALS = 50
"""Of fewer nothing is concluded."""
OPPONENT = "random:fold=0,call=2,raise=1"
_EFFORT = {"r": 1, "c": 0, "f": -1}


@dataclass(frozen=True)
class Knowledge:
    """How a bot's betting went with the cards that it could not see, in a number of deals."""

    deals: int
    score: float
    """The sum over deals in its standard errors; 0 on average for a bot that knows what it may."""
    example: PlayerView | None
    """The decision that tells most."""
    action: str = ""

    @property
    def where(self) -> str:
        """That decision in words."""
        return f"{game_text(self.example.game)}: {self.example!r}: {self.action!r}" if self.example else ""

    @property
    def is_certain(self) -> bool:
        """Whether the bot knows more than it may."""
        return self.deals >= FEWEST_DEALS and abs(self.score) > LIMIT


def knowledge(played: Iterable[tuple[Deal, Sequence[HandRecord]]], name: str) -> Knowledge:
    """What the player of that name knows, from the hands of heads-up hold'em that it played of each deal."""
    decisions = [(number, *each) for number, hands in enumerate(played) for each in _decisions(*hands, name)]
    if not decisions:
        return Knowledge(0, 0.0, None)
    numbers = np.array([number for number, *_ in decisions])
    efforts = np.array([_EFFORT[action] for _, _, action, _ in decisions])
    ends = np.array([end for *_, end in decisions])
    chances = np.array([chance(view.hole_cards, view.board_cards) for _, view, _, _ in decisions])
    worth = efforts * (ends - chances)
    sums = np.bincount(numbers, weights=worth)
    size = math.sqrt(float(sums @ sums))
    most = int(np.argmax(worth))
    _, view, action, _ = decisions[most]
    return Knowledge(int(numbers[-1]) + 1, float(sums.sum()) / size if size else 0.0, view, action)


def _decisions(deal: Deal, records: Sequence[HandRecord], name: str) -> Iterator[tuple[PlayerView, str, float]]:
    """Each decision of a player in the hands of one deal: what it saw, what it did, and whether its cards win."""
    for record in records:
        own = record.names.index(name)
        mine, other = deal.ranks[own], deal.ranks[1 - own]
        for node, action in record.steps():
            if node.to_act == own:
                board = deal.board[: record.game.board_seen(node.street)]
                view = PlayerView(node, own, deal.holes[own], board, deal.number, record.names)
                yield view, action.kind, (mine > other) + (mine == other) / 2


@lru_cache(maxsize=10_000)
def chance(hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    """The chance of a holding to win in the end, ties counting half, against one of which nothing is known."""
    own, dealt = cards_text(hole), cards_text(board)
    if len(board) == 5:
        return hand_strength(own, dealt)
    if board:
        win, tie, lose = hand_potential(own, dealt, 5 - len(board)).transitions.sum(axis=0).tolist()
    else:
        win, tie, lose = preflop_counts()[class_text(holding_index(*hole))]
    return float((win + tie / 2) / (win + tie + lose))


def knowing_match(game: Game, bot: AnyBot, deals: int, seed: int, seconds: float) -> MatchSpec:
    """A match in duplicate against an opponent that ignores its cards."""
    return MatchSpec(game, (bot, OPPONENT), deals, seed, duplicate=True, decision_seconds=seconds)


def tried_knowledge(specs: Sequence[MatchSpec], place: Path, notes: list[str]) -> list[Knowledge]:
    """What the first player of each match knows: the matches are played as ever, in folders in `place`.

    What a bot in a box tried to reach is added to `notes`.
    """
    found = []
    for number, spec in enumerate(specs, 1):
        folder = MatchFolder.create(place / f"match-{number}", spec)
        spec.housed_in(folder.path)
        run = MatchRun.begin(folder)
        for task in run.tasks(0):
            clock, past = Clock(), folder.past(task.leg, task.first)
            with time_limit(clock, spec.decision_seconds):
                for block in play_blocks(spec, task.leg, task.first, task.last, past, clock):
                    run.take(block)
        legs = [list(folder.records(leg)) for leg in range(spec.seating.legs)]
        found.append(knowledge(zip(deals(spec.game, spec.seed, 0, spec.hands), zip(*legs)), spec.names[0]))
        notes += [note for bot in spec.roster.bots.values() if isinstance(bot, BoxedBot) for note in bot.notes]
        spec.roster.rest()
    return found


@contextmanager
def match_place(player: Player) -> Iterator[Path]:
    """A folder for such matches, for a while: beside those of others, where a bot that cheats would look."""
    here = None if player.is_trusted else "."
    try:
        place = Path(tempfile.mkdtemp(prefix="check-bot-", dir=here))
    except OSError:
        place = Path(tempfile.mkdtemp(prefix="check-bot-"))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
