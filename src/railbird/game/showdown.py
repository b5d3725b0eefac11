"""Whose cards are best, in hold'em and in the toy games."""

from __future__ import annotations

from railbird.game.spec import Game


def showdown_rank(game: Game, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """The rank of a player's cards at a showdown, higher wins.

    In hold'em it is the evaluator's rank. In Leduc poker a pair beats any other card; otherwise the higher card wins.
    """
    if game.is_holdem:
        from railbird.odds.ranks import rank_cards

        return rank_cards((*hole, *board))
    own = hole[0] >> 2
    return own + (100 if any(card >> 2 == own for card in board) else 0)
