"""A player who learns, known from the match that it played: it is shown the hands again, and asked where it acted.

What a bot has learned follows from the hands that it was shown, as it does where an interrupted match goes on. So the
log and the manifest beside it hold all that its probabilities follow from, and nothing else need be kept. The bot is
asked at its own decisions only, with what it knew then; what it would have done elsewhere in the round matters to the
value function alone, and there the equilibrium stands for it.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.assess.aivat_hands import Chances, Place, TablePlayer
from railbird.bots.base import Bot
from railbird.bots.simple import AlwaysFold
from railbird.bots.told_chances import Teller
from railbird.cards import HOLDING_COUNT
from railbird.errors import AssessmentError
from railbird.formats.hand_arrays import HandArrays
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import BettingTree
from railbird.numbers import quoted
from railbird.play.folder import MatchFolder, is_match
from railbird.play.hand import Deal, FollowedHand, HandPlayer

Told = dict[int, NDArray[np.float64]]
"""By node of the betting tree: fold, call and raise of every holding."""


class LearningPlayer:
    """A bot that learns and tells its probabilities, under the name that it has in a match."""

    def __init__(self, name: str, text: str, bot: Bot, elsewhere: TablePlayer) -> None:
        self.name = name
        self.text = text
        self.blank = bot
        self.elsewhere = elsewhere

    def in_hands(self, hands: HandArrays) -> ShownHands:
        """The player as it was in the hands of match folders; refuses hands of which it cannot be told."""
        return ShownHands(self, hands)

    def chances(self, place: Place, position: int) -> Chances:
        raise AssessmentError(f"{quoted(self.text)} learns: it is known in the hands of a match, not by itself")


class ShownHands:
    """The hands of a player who learns, shown to it in their order."""

    def __init__(self, player: LearningPlayer, hands: HandArrays) -> None:
        self.player = player
        self.hands = hands
        game = player.elsewhere.policy.game
        self.tree = BettingTree.of(game)
        self.rounds = betting_rounds(game)
        self._episodes = [self._episode(Path(file)) for file in hands.files]
        for number, file in enumerate(hands.files):
            numbers = hands.numbers[hands.file == number]
            if player.blank.learns and not np.array_equal(numbers, np.arange(len(numbers))):
                raise AssessmentError(
                    f"{quoted(player.text)} learns, and {file} lacks some of its hands, so what it knew in the others "
                    "is not known"
                )
        self._row, self._told = -1, Told()
        self._table: HandPlayer | None = None

    def in_hands(self, hands: HandArrays) -> ShownHands:
        return ShownHands(self.player, hands)

    def chances(self, place: Place, position: int) -> Chances:
        while self._row < place.row:
            self._row += 1
            self._told = self._shown(self._row)
        table, buckets = self.player.elsewhere.chances(place, position)
        found, rounds = table[:, buckets], self.rounds[place.street]
        for at, decision in enumerate(rounds.decisions.tolist()):
            told = self._told.get(int(rounds.openings[place.round]) + decision)
            if told is not None:
                found[at] = told
        return np.ascontiguousarray(found, np.float32), np.arange(HOLDING_COUNT)

    def _episode(self, log: Path) -> int:
        """After how many hands the player begins anew in a log, 0 for never; refuses a log of another player."""
        name, text = self.player.name, self.player.text
        if not is_match(log.parent):
            raise AssessmentError(f"{quoted(text)} learns, so it is known in the folder of a match only; {log} is none")
        spec = MatchFolder.open(log.parent).spec
        played = {name: bot.text for name, bot in zip(spec.names, spec.players)}
        if played.get(name) != text:
            was = played.get(name, "nobody")
            raise AssessmentError(
                f"{name!r} was {quoted(was)} in {log.parent}, not {quoted(text)}; it is known by {name}={was}"
            )
        return spec.block_hands if spec.in_episodes else 0

    def _shown(self, row: int) -> Told:
        """What the player said in a hand, which is shown to it to its end."""
        hands, record = self.hands, self.hands.record(row)
        position = record.names.index(self.player.name)
        episode = self._episodes[int(hands.file[row])]
        if self._table is None or record.number == 0 or (episode and record.number % episode == 0):
            names = self.player.name, record.names[1 - position]
            self._table = HandPlayer(record.game, [deepcopy(self.player.blank), AlwaysFold()], names)
        teller, told = Teller(self.player.name, self._table.bots[0], self.player.text), Told()
        order = (0, 1) if position == 0 else (1, 0)
        hand = FollowedHand(self._table, Deal(record.number, record.holes, record.board, ()), order)
        for node, action in record.steps():
            if node.to_act == position:
                told[self.tree.node(node.history)] = teller.chances(hand.view(position))
            hand.act(action, record.board)
        hand.end(record.payoffs, record.holes)
        return told
