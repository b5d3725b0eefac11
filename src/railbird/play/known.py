"""Players of a log whose probabilities are known, because they are bots that follow tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from railbird.assess.aivat_hands import HandAivat, KnownPlayer, KnownPlayers
from railbird.assess.self_play import SelfPlay
from railbird.bots.equilibrium import strategy_of
from railbird.bots.registry import make_bot
from railbird.errors import AssessmentError, UnknownBotError
from railbird.numbers import quoted
from railbird.solve.policy import BucketPolicy


def known_players(texts: Sequence[str]) -> KnownPlayers | None:
    """The players of texts such as "equilibrium" or "Ann=sparbot"; none where there are no texts.

    What is compared for them is what the equilibrium player that ships wins in self-play.
    """
    if not texts:
        return None
    strategy = strategy_of()
    players = {}
    for text in texts:
        name, bot = split_text(text)
        try:
            policy = make_bot(bot).table_policy(strategy.game)
        except UnknownBotError as error:
            raise UnknownBotError(f"{error}; a player of another name is known by NAME=BOT") from None
        if not hasattr(policy, "table"):
            raise AssessmentError(
                f"{quoted(bot)} does not follow a table, so its luck cannot be told from its play; leave out --known "
                f"{quoted(text)}"
            )
        players[name] = KnownPlayer(cast("BucketPolicy", policy))
    return KnownPlayers(HandAivat(SelfPlay.of(strategy)), players)


def split_text(text: str) -> tuple[str, str]:
    """The name of a player and the bot that he is.

    >>> split_text("Ann=random:fold=1,call=4"), split_text("random:fold=1,call=4")
    (('Ann', 'random:fold=1,call=4'), ('random:fold=1,call=4', 'random:fold=1,call=4'))
    """
    name, equals, bot = text.partition("=")
    return (name, bot) if equals and ":" not in name else (text, text)
