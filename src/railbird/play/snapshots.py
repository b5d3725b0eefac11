"""A bot as it was after some hands of a match: what it had learned follows from the hands that it was shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from railbird.bots.base import Bot
from railbird.bots.exploiting import Target, bot_policy
from railbird.bots.frozen import begun
from railbird.bots.simple import AlwaysFold
from railbird.errors import MatchError
from railbird.game.betting import Betting
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.numbers import quoted
from railbird.play.folder import MatchFolder, is_match
from railbird.play.hand import HandPlayer
from railbird.play.hands import bot_seeds
from railbird.play.leg_log import HandLog
from railbird.play.match import MatchSpec
from railbird.words import count_of, listed


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A player of a match who has been shown hands of it, is about to be dealt the next one, and learns no more."""

    name: str
    bot: Bot
    hands: int
    """How many hands it has seen."""
    next_hand: PlayerView
    """As it begins."""
    facts: tuple[str, ...]
    """What it follows from."""

    @property
    def game(self) -> Game:
        return self.next_hand.game

    @cached_property
    def target(self) -> Target:
        """Whom a best response is to."""
        bot = begun(self.bot, self.next_hand)
        return Target(self.name, bot_policy(bot, self.game, self.name, self.hands), self.facts)


def bot_after(folder: str | Path, player: str, hands: int | None = None) -> Snapshot:
    """A player of a match folder as it was after the first `hands` hands, or after all; `exploitability` takes it.

    It is shown the hands again as where an interrupted match goes on. In duplicate these are the hands of the first
    leg.
    """
    path = Path(folder)
    if not is_match(path):
        raise MatchError(f"{quoted(str(path))} is no match folder; railbird match --out {path} makes one")
    match = MatchFolder.open(path)
    spec, log = match.spec, match.logs()[0]
    texts = dict(zip(spec.names, [bot.text for bot in spec.players]))
    names = [name for name, text in texts.items() if player in (name, text)]
    if not names:
        raise MatchError(f"{quoted(player)} did not play in {quoted(str(path))}: {listed(list(texts))} did")
    wanted = log.found if hands is None else hands
    if not 0 <= wanted <= log.found:
        raise MatchError(f"{wanted} hands; {quoted(str(path))} has {count_of(log.found, 'hand')}")
    seat = spec.names.index(names[0])
    seen = sha256(log.text(0, wanted)).hexdigest()
    return Snapshot(
        name=f"{names[0]} after {count_of(wanted, 'hand')} of {path}",
        bot=_shown(spec, seat, log, wanted),
        hands=wanted,
        next_hand=_next_hand(spec, seat, wanted),
        facts=(texts[names[0]], seen, str(spec.to_json())),
    )


def _shown(spec: MatchSpec, seat: int, log: HandLog, hands: int) -> Bot:
    """The bot of a seat, which has seen so many hands of a log."""
    bots = [spec.players[at].make() if at == seat else AlwaysFold() for at in range(len(spec.names))]
    table = HandPlayer(spec.game, bots, spec.names)
    table.seeds = bot_seeds(spec, 0)
    first = hands - hands % spec.block_hands if spec.in_episodes else 0
    for record in log.records(first, hands):
        if record.number % spec.block_hands == 0:
            table.reset(record.number)
        table.seed(record.number)
        table.remember(record, spec.seating.order(0, record.number))
    table.seed(hands)
    return table.bots[seat]


def _next_hand(spec: MatchSpec, seat: int, hands: int) -> PlayerView:
    """The hand after so many, as it begins for a seat, with whatever cards."""
    order = spec.seating.order(0, hands)
    names = tuple(spec.names[player] for player in order)
    return PlayerView(Betting.start(spec.game), order.index(seat), (0, 1), (), hands, names)
