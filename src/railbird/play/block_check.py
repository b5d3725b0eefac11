"""Hands that come from a process in which bots of somebody else's had their way: dealt and paid again, then believed.

A bot that shares a process with the cards can change anything in it. It cannot change this process, in which each hand
is dealt again from the seed, its betting walked through and its payoffs worked out.
"""

from __future__ import annotations

from itertools import zip_longest

from railbird.errors import MatchError, RailbirdError
from railbird.formats.acpc import record_line
from railbird.game.actions import Action
from railbird.game.betting import split_history
from railbird.game.record import HandRecord
from railbird.play.blocks import Block
from railbird.play.dealing import deals
from railbird.play.hand import Deal
from railbird.play.match import MatchSpec
from railbird.play.steps import Step


def check_if_foreign(spec: MatchSpec, block: Block) -> None:
    """Refuse a block of a process in which foreign code could have changed the hands, if they are not the match's."""
    if spec.has_foreign_code and not spec.is_boxed:
        check_block(spec, block)


def check_block(spec: MatchSpec, block: Block) -> None:
    """Refuse a block whose hands are not those of the match."""
    count = len(block.won)
    lines = [line for line in block.text.decode(errors="replace").split("\n") if not line.startswith("#")][:-1]
    dealt = deals(spec.game, spec.seed, block.first, count)
    for number, (deal, line) in enumerate(zip_longest(dealt, lines), block.first):
        order = spec.seating.order(block.leg, number)
        try:
            record = None if deal is None or line is None else _played_again(spec, deal, order, line)
        except (RailbirdError, IndexError):
            record = None
        won = block.won[number - block.first].tolist() if number - block.first < count else []
        if record is None or record_line(record) != line or [won[player] for player in order] != list(record.payoffs):
            raise MatchError(
                f"hand {number} does not follow from the cards and the rules; a bot that shares the process with them "
                "must have changed it. Without --trusted each bot has a process of its own"
            )


def _played_again(spec: MatchSpec, deal: Deal, order: tuple[int, ...], line: str) -> HandRecord:
    """The hand of a deal with the betting of a line."""
    step = Step.first(spec.game)
    for text in split_history(line.split(":")[2]):
        if text != "/":
            step = step.after(Action.parse(text))
    if step.to_act >= 0:
        raise MatchError("the hand does not end")
    board = deal.board[: spec.game.board_seen(step.street)]
    names = tuple([spec.names[player] for player in order])
    payoffs = step.payoffs(deal.ranks)
    return HandRecord(spec.game, deal.number, names, deal.holes, board, step.node.history, payoffs)
