"""Players of a log whose probabilities are known, because they are bots that tell them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import TypeGuard

import numpy as np

from railbird.assess.aivat_hands import Chances, HandAivat, Known, KnownPlayers, Place, TablePlayer
from railbird.assess.aivat_tables import HoldemDealing, KnownTables, TableAivat, Told
from railbird.assess.self_play import SelfPlay
from railbird.bots.base import Bot
from railbird.bots.equilibrium import strategy_of
from railbird.bots.registry import BotSpec, make_bot
from railbird.bots.told_chances import Teller
from railbird.cards import CARD_COUNT, HOLDING_COUNT
from railbird.errors import AssessmentError, UnknownBotError
from railbird.formats.hand_arrays import HandArrays
from railbird.game.betting import Betting
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import Game
from railbird.game.view import PlayerView
from railbird.numbers import quoted
from railbird.play.learning_player import LearningPlayer
from railbird.solve.policy import BucketPolicy, Policy
from railbird.solve.strategy import Strategy


def known_players(texts: Sequence[str]) -> KnownPlayers | None:
    """The players of texts such as "equilibrium" or "Ann=sparbot"; none where there are no texts.

    What is compared for them is what the equilibrium player that ships wins in self-play.
    """
    if not texts:
        return None
    return known_bots(dict(split_text(text) for text in texts))


class KnownBots:
    """Players of a log by name, each with the bot that he is, for heads-up limit hold'em and for all other tables."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.bots = dict(split_text(text) for text in texts)
        self._made = {name: _made(text) for name, text in self.bots.items()}

    @cached_property
    def limit(self) -> KnownPlayers:
        """The same in heads-up limit hold'em."""
        return known_bots(self.bots)

    @cached_property
    def tables(self) -> KnownTables:
        """The same at other tables."""
        seats = {name: AskedSeat(bot, self.bots[name], name) for name, bot in self._made.items()}
        return KnownTables(TableAivat(HoldemDealing()), seats)


def known_bots(bots: Mapping[str, str]) -> KnownPlayers:
    """Players by their names in a log, each with the bot that he is."""
    strategy = strategy_of()
    return measured_with({name: known_as(_made(text), name, text, strategy) for name, text in bots.items()})


def measured_with(players: Mapping[str, Known]) -> KnownPlayers:
    """Players who are known, by their names in a log, with the measure of their hands."""
    return KnownPlayers(_measure(), players)


@cache
def _measure() -> HandAivat:
    """The measure, which remembers what flops are worth."""
    return HandAivat(SelfPlay.of(strategy_of()))


def split_text(text: str) -> tuple[str, str]:
    """The name of a player in a log, and the bot that he is.

    >>> split_text("Ann=random:fold=1,call=4")
    ('Ann', 'random:fold=1,call=4')
    >>> split_text("random:fold=1,call=4") == split_text("random(fold=1,call=4)")
    True
    >>> split_text("random:fold=1,call=4")
    ('random(fold=1,call=4)', 'random:fold=1,call=4')
    """
    if found := re.fullmatch(r"([^=:()]+(?:\([^()]*\)[^=:()]*)?)=(.+)", text):
        return found[1], found[2]
    name, opened, rest = text.partition("(")
    bot = f"{name}:{rest.removesuffix(')')}" if opened else text
    return BotSpec(bot).label if ":" in bot else bot, bot


def _made(text: str) -> Bot:
    try:
        return make_bot(text)
    except UnknownBotError as error:
        raise UnknownBotError(f"{error}; a player of another name is known by NAME=BOT") from None


def known_as(bot: Bot, name: str, text: str, strategy: Strategy, is_slow: bool = False) -> Known:
    """A bot as one whose probabilities are known; refuses one that does not tell them.

    One that `is_slow` is asked where it acted alone, as one that learns.
    """
    game, policy = strategy.game, bot.table_policy(strategy.game)
    if _is_of_buckets(policy):
        return TablePlayer(policy)
    asked = AskedPlayer(bot, game, text, name)
    return LearningPlayer(name, text, bot, TablePlayer(strategy)) if bot.learns or is_slow else asked


def _is_of_buckets(policy: Policy | None) -> TypeGuard[BucketPolicy]:
    return hasattr(policy, "table")


class AskedPlayer:
    """A player who is asked for his probabilities, decision by decision; `name` is his in the log."""

    def __init__(self, bot: Bot, game: Game, text: str, name: str = "") -> None:
        self.teller = Teller(name or text, bot, text)
        self.tree = BettingTree.of(game)
        self.rounds = betting_rounds(game)
        self._node = lru_cache(maxsize=None)(Betting.start(game).play)
        if self.teller.is_silent(PlayerView(Betting.start(game), 1, (0, 1), (), 0, ("", ""))):
            raise self.teller.silence

    def in_hands(self, hands: HandArrays) -> AskedPlayer:
        return self

    def chances(self, place: Place, position: int) -> Chances:
        rounds = self.rounds[place.street]
        first, second = [card for card in range(CARD_COUNT) if card not in place.board][:2]
        found = np.zeros((len(rounds.decisions), HOLDING_COUNT, 3), np.float32)
        for at, decision in enumerate(rounds.decisions.tolist()):
            node = int(rounds.openings[place.round]) + decision
            if self.tree.actor[node] == position:
                betting = self._node(self.tree.history[node])
                view = PlayerView(betting, position, (first, second), place.board, place.hand, ("", ""))
                found[at] = self.teller.chances(view)
        return found, np.arange(HOLDING_COUNT)


class AskedSeat:
    """A player who is asked for his probabilities at any table; `name` is his there."""

    def __init__(self, bot: Bot, text: str, name: str = "") -> None:
        self.bot, self.text, self.teller = bot, text, Teller(name or text, bot, text)
        self._check = cache(self._refuse)

    def told(self, view: PlayerView) -> Told:
        self._check(view.game)
        free = [card for card in range(CARD_COUNT) if card not in view.board_cards]
        asked = view._replace(hole_cards=(free[0], free[1]))
        actions = self.teller.actions(asked)
        return Told(actions, self.teller.chances(asked, actions))

    def _refuse(self, game: Game) -> None:
        """Refuse a game in which the bot cannot be asked."""
        if not self.bot.can_play(game):
            raise AssessmentError(
                f"{quoted(self.text)} does not play {game.name} with {game.seats} seats; is it the right bot?"
            )
        if self.bot.learns:
            raise AssessmentError(f"{quoted(self.text)} learns; such players are known in heads-up limit hold'em only")
