"""The hands of a match, one after another in this process."""

from __future__ import annotations

from collections.abc import Iterator

from railbird.game.record import HandRecord
from railbird.play.dealing import deals
from railbird.play.hand import HandPlayer
from railbird.play.match import MatchSpec
from railbird.randomness import derived_seed


def played_hands(spec: MatchSpec) -> Iterator[HandRecord]:
    """The hands of a match, one after another in this process: those that `railbird match` plays with the seed."""
    bots = spec.make_bots()
    for bot in bots:
        bot.prepare()
    player = HandPlayer(spec.game, bots, spec.names)
    bot_seed = derived_seed(spec.seed, "bots")
    for number in range(spec.hands):
        [deal] = deals(spec.game, spec.seed, number, 1)
        order = spec.seating.order(0, number)
        for seat, bot in enumerate(bots):
            bot.seed_hand(bot_seed, number, 0, seat)
        history, chips = player.play(deal, order)
        board = deal.board[: spec.game.board_seen(history.count("/"))]
        names = tuple(spec.names[seat] for seat in order)
        yield HandRecord(spec.game, number, names, deal.holes, board, history, chips)
