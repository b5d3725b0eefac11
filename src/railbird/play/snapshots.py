"""A bot as it was after some hands of a match: what it had learned follows from the hands that it was shown."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from railbird.bots.base import Bot
from railbird.bots.exploiting import Target, bot_policy
from railbird.bots.simple import AlwaysFold
from railbird.errors import MatchError
from railbird.game.betting import Betting
from railbird.game.view import PlayerView
from railbird.numbers import quoted
from railbird.play.folder import MatchFolder, is_match
from railbird.play.hand import HandPlayer
from railbird.play.hands import bot_seeds
from railbird.play.leg_log import HandLog
from railbird.play.match import MatchSpec
from railbird.words import count_of, listed


@dataclass(frozen=True)
class Snapshot:
    """A player of a match, who has been shown hands of it and is about to begin the next one."""

    name: str
    text: str
    """The bot as it was asked for."""
    bot: Bot
    hands: int
    """How many hands it has seen."""
    folder: Path

    def target(self) -> Target:
        """The strategy that it follows, for `exploitability`."""
        folder = MatchFolder.open(self.folder)
        log = folder.logs()[0]
        name = f"{self.name} after {count_of(self.hands, 'hand')} of {self.folder}"
        facts = (self.text, sha256(log.text(0, self.hands)).hexdigest(), str(folder.spec.to_json()))
        return Target(name, bot_policy(self.bot, folder.spec.game, self.name, self.hands), facts)


def bot_after(folder: str | Path, player: str, hands: int | None = None) -> Snapshot:
    """A player of a match folder as it was after the first `hands` hands, or after all.

    It is shown the hands again as where an interrupted match goes on. In duplicate these are the hands of the first
    leg.
    """
    path = Path(folder)
    if not is_match(path):
        raise MatchError(f"{quoted(str(path))} is no match folder; railbird match --out {path} makes one")
    match = MatchFolder.open(path)
    spec = match.spec
    texts = dict(zip(spec.names, [bot.text for bot in spec.players]))
    names = [name for name, text in texts.items() if player in (name, text)]
    if not names:
        raise MatchError(f"{quoted(player)} did not play in {quoted(str(path))}: {listed(list(texts))} did")
    log = match.logs()[0]
    seat, found = spec.names.index(names[0]), log.found
    wanted = found if hands is None else hands
    if not 0 <= wanted <= found:
        raise MatchError(f"{wanted} hands; {quoted(str(path))} has {count_of(found, 'hand')}")
    bot = _shown(spec, seat, log, wanted)
    return Snapshot(names[0], texts[names[0]], bot, wanted, path)


def _shown(spec: MatchSpec, seat: int, log: HandLog, hands: int) -> Bot:
    """The bot of a seat, which has seen so many hands of a log and the beginning of the next."""
    bots = [spec.players[at].make() if at == seat else AlwaysFold() for at in range(len(spec.names))]
    table = HandPlayer(spec.game, bots, spec.names)
    table.seeds = bot_seeds(spec, 0)
    first = hands - hands % spec.block_hands if spec.in_episodes else 0
    for record in log.records(first, hands):
        if record.number % spec.block_hands == 0:
            table.reset(record.number)
        table.seed(record.number)
        table.remember(record, spec.seating.order(0, record.number))
    bot, order = table.bots[seat], spec.seating.order(0, hands)
    table.seed(hands)
    names = tuple(spec.names[player] for player in order)
    bot.on_hand(PlayerView(Betting.start(spec.game), order.index(seat), (0, 1), (), hands, names))
    return bot
