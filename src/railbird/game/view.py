"""What one seat may know of a hand in progress."""

from __future__ import annotations

from typing import NamedTuple

from railbird.cards import cards_text
from railbird.game.actions import CALL, FOLD, RAISE, Action, raise_to
from railbird.game.betting import Betting
from railbird.game.spec import STREETS, Game, Structure


class PlayerView(NamedTuple):
    """The table as one player sees it: public betting, the board, and this player's own cards. It cannot be changed.

    It holds public nodes and plain values only; no attribute of it, private ones included, leads to another player's
    cards or to cards not yet dealt.
    """

    betting: Betting
    """The public betting so far, with everything that can be asked of it (pot, commitments, legal actions, ...)."""
    position: int
    """This player's place in the betting order; see `railbird.game.spec`."""
    hole_cards: tuple[int, ...]
    board_cards: tuple[int, ...]
    hand_number: int
    names: tuple[str, ...]
    """The players' names by position."""

    def __repr__(self) -> str:
        return (
            f"<PlayerView hand {self.hand_number}, position {self.position} of {len(self.names)}: "
            f"{self.holding}|{self.board} {self.history!r}, pot {self.pot_chips}, to call {self.to_call_chips}>"
        )

    @property
    def game(self) -> Game:
        return self.betting.game

    @property
    def holding(self) -> str:
        """This player's own cards as text."""
        return cards_text(self.hole_cards)

    @property
    def board(self) -> str:
        """The board as text, empty before the flop."""
        return cards_text(self.board_cards)

    @property
    def street(self) -> str:
        """ "preflop", "flop", "turn" or "river"."""
        return STREETS[self.betting.street]

    @property
    def history(self) -> str:
        """The betting so far in the notation of the competition's logs, as in "crrc/cr"."""
        return self.betting.history

    @property
    def pot_chips(self) -> int:
        return self.betting.pot

    @property
    def to_call_chips(self) -> int:
        """What this player would have to add to stay in."""
        node = self.betting
        return node.to_call if node.to_act == self.position else max(0, node.level - node.street_bets[self.position])

    @property
    def bets_to_call(self) -> float:
        """The same in bets of this street."""
        return self.to_call_chips / self.betting.game.bet_sizes[self.betting.street]

    @property
    def opponents(self) -> tuple[int, ...]:
        """The positions of the opponents who have not folded."""
        return tuple([p for p in self.betting.live if p != self.position])

    @property
    def can_fold(self) -> bool:
        return self.betting.can_fold

    @property
    def can_raise(self) -> bool:
        return self.betting.can_raise

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        return self.betting.legal_actions()

    def smallest_raise(self) -> Action:
        """The smallest raise that is allowed; in fixed-limit games the only one."""
        node = self.betting
        return RAISE if node.game.structure is Structure.FIXED_LIMIT else raise_to(node.min_raise_to)

    def check_or_fold(self) -> Action:
        """Check if that is free, otherwise fold: what is done for a player who fails to answer."""
        return FOLD if self.betting.can_fold and self.betting.to_call > 0 else CALL
