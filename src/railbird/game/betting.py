"""The betting of one hand as an immutable node: who has put in what, whose turn it is, what is allowed.

Nothing here knows a card, so a node can be shown to every player, kept in a search tree or shared between threads.
`node.after(action)` is the next node.

A raise must be at least as large as the last bet or raise of the street. A player whose stack is too short for that
may go all-in for less. Those who have already acted on the street may raise again only when what they face is a full
raise, be it one raise or several short ones together (rules of the Tournament Directors Association, 47-A). In
fixed-limit games half a bet is enough for that, and counts as one of the raises that the cap allows; a short all-in of
less than half a bet does not count, and the next raise completes it to the full bet (47-B; Robert's Rules of Poker,
"Betting and raising", 6).

Nobody is asked where there is nothing to decide, and no raise is offered that no opponent has the chips to call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from railbird.errors import IllegalActionError
from railbird.game.actions import CALL, FOLD, RAISE, Action, raise_to
from railbird.game.spec import STREETS, Game, Structure
from railbird.numbers import quoted

LONGEST_HISTORY = 20_000
"""Signs of a betting string; no hand has as many."""
_PARTS = re.compile(r"r\d+|.", re.DOTALL)

_FIXED, _POT, _SPREAD = Structure.FIXED_LIMIT, Structure.POT_LIMIT, Structure.SPREAD_LIMIT


class Betting(NamedTuple):
    """A node of the betting tree. Begin with `Betting.start(game)`.

    >>> from railbird.game.spec import limit_holdem
    >>> node = Betting.start(limit_holdem())
    >>> node.to_act, node.to_call, node.pot, [str(a) for a in node.legal_actions()]
    (1, 1, 3, ['f', 'c', 'r'])
    >>> node.play("crrc/cr").history
    'crrc/cr'
    """

    game: Game
    street: int
    to_act: int
    """The position whose turn it is; -1 when the hand is over."""
    committed: tuple[int, ...]
    """By position, chips put into this hand so far, antes and blinds included."""
    street_bets: tuple[int, ...]
    """By position, chips put in on this street."""
    level: int
    """The street bet that everybody has to match."""
    raise_step: int
    """What the smallest raise adds to the level: the street's last full bet or raise; in fixed-limit games the bet, or
    what is missing to complete a short all-in."""
    raises: int
    """How many bets and raises the street has seen (the blind not counted)."""
    folded: int
    """A bit for each position that has folded."""
    to_play: int
    """A bit for each position that still has to act on this street."""
    acted: int
    """A bit for each position that has acted on this street: only a full raise opens the betting to it again."""
    history: str
    """The betting string of the competition's logs, as in "crrc/cr"."""

    @staticmethod
    def start(game: Game) -> Betting:
        """The node after antes and blinds, with the first player to act."""
        stacks = game.stacks
        antes = (game.ante,) * game.seats if game.dead is None else tuple([game.ante + chips for chips in game.dead])
        if stacks is None:
            bets = game.blinds
            committed = tuple([ante + blind for ante, blind in zip(antes, bets)])
        else:
            antes = tuple([min(ante, stack) for ante, stack in zip(antes, stacks)])
            bets = tuple([min(blind, stack - paid) for blind, stack, paid in zip(game.blinds, stacks, antes)])
            committed = tuple([paid + bet for paid, bet in zip(antes, bets)])
        everyone = (1 << game.seats) - 1
        return _turn_passed(
            game, 0, game.first_to_act[0], committed, bets, max(game.blinds), game.bet_sizes[0], 0, 0, everyone, 0, ""
        )

    def __repr__(self) -> str:
        return f"<Betting {self.history!r} of {self.game.name}, {self.game.seats} seats, pot {self.pot}>"

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return sum(self.committed)

    @property
    def is_over(self) -> bool:
        return self.to_act < 0

    @property
    def is_showdown(self) -> bool:
        """Whether the hand is over with two or more players left."""
        return self.to_act < 0 and len(self.live) > 1

    @property
    def live(self) -> tuple[int, ...]:
        """The positions that have not folded."""
        folded = self.folded
        return tuple([p for p in range(len(self.committed)) if not folded >> p & 1])

    @property
    def to_call(self) -> int:
        """Chips the player to act must add to stay in (no more than the stack); 0 when the hand is over."""
        if self.to_act < 0:
            return 0
        owed = self._owed()
        stacks = self.game.stacks
        return owed if stacks is None else min(owed, stacks[self.to_act] - self.committed[self.to_act])

    @property
    def can_fold(self) -> bool:
        return self.to_act >= 0 and (self.game.free_fold or self._owed() > 0)

    @property
    def can_raise(self) -> bool:
        """Whether the player to act may bet or raise."""
        position, game = self.to_act, self.game
        if position < 0:
            return False
        most = game.max_raises[self.street]
        if most is not None and self.raises >= most:
            return False
        stacks = game.stacks
        if stacks is None:
            return True
        committed, bets, level = self.committed, self.street_bets, self.level
        owed = level - bets[position]
        if stacks[position] - committed[position] <= owed:
            return False
        if self.acted >> position & 1 and not self._is_full_raise(owed):
            return False
        others = ~self.folded & ~(1 << position)
        return max([stacks[p] - committed[p] + bet for p, bet in enumerate(bets) if others >> p & 1]) > level

    @property
    def min_raise_to(self) -> int:
        """The smallest raise, as the total the player will have put into this hand; 0 if no raise is allowed."""
        return self._raise_bounds()[0] if self.can_raise else 0

    @property
    def max_raise_to(self) -> int:
        """The largest raise, as the total the player will have put into this hand; 0 if no raise is allowed."""
        return self._raise_bounds()[1] if self.can_raise else 0

    def legal_actions(self) -> tuple[Action, ...]:
        """Fold, call and raise where allowed; where sizes are free, the smallest and the largest raise."""
        if self.to_act < 0:
            return ()
        actions = (FOLD, CALL) if self.can_fold else (CALL,)
        if not self.can_raise:
            return actions
        if self.game.structure is _FIXED:
            return (*actions, RAISE)
        least, most = self._raise_bounds()
        return (*actions, raise_to(least)) if least == most else (*actions, raise_to(least), raise_to(most))

    def is_legal(self, action: Action) -> bool:
        return not self._objection(action)

    def after(self, action: Action) -> Betting:
        """The node after the player to act does `action`."""
        objection = self._objection(action)
        if objection:
            raise IllegalActionError(f"{objection} in {quoted(self.history, 200)}")
        kind, position = action[0], self.to_act
        bit = 1 << position
        if kind == "f":
            return _turn_passed(
                self.game,
                self.street,
                position + 1,
                self.committed,
                self.street_bets,
                self.level,
                self.raise_step,
                self.raises,
                self.folded | bit,
                self.to_play & ~bit,
                self.acted,
                self.history + "f",
            )
        if kind == "c":
            committed, bets = self._add(self.to_call)
            return _turn_passed(
                self.game,
                self.street,
                position + 1,
                committed,
                bets,
                self.level,
                self.raise_step,
                self.raises,
                self.folded,
                self.to_play & ~bit,
                self.acted | bit,
                self.history + "c",
            )
        return self._raised(action[1])

    def play(self, history: str) -> Betting:
        """The node after a whole betting string; slashes are checked against the streets the actions lead to."""
        if len(history) > LONGEST_HISTORY:
            raise IllegalActionError(f"{quoted(history)} is too long for the betting of a hand")
        node = self
        for text in split_history(history):
            if text == "/":
                continue
            node = node.after(Action.parse(text))
        given = self.history + history if self.history.strip("/") else history
        if given.rstrip("/") != node.history.rstrip("/") or len(given) > len(node.history):
            made = quoted(node.history)
            raise IllegalActionError(f"the streets of {quoted(history)} end elsewhere: the actions make {made}")
        return node

    def _owed(self) -> int:
        return _owed(self.game, self.to_act, self.committed, self.street_bets, self.level, self.folded)

    def _raise_bounds(self) -> tuple[int, int]:
        """Smallest and largest raise of the player to act, as totals put into this hand."""
        game, position = self.game, self.to_act
        paid = self.committed[position]
        before_street = paid - self.street_bets[position]
        least = before_street + self.level + self.raise_step
        if game.structure is _FIXED:
            most = least
        elif game.structure is _SPREAD:
            assert game.largest_bets is not None
            most = before_street + self.level + game.largest_bets[self.street]
        elif game.structure is _POT:
            most = before_street + self.level + self.pot + self.level - self.street_bets[position]
        else:
            assert game.stacks is not None
            most = game.stacks[position]
        most = max(least, most)
        if game.stacks is not None:
            least, most = min(least, game.stacks[position]), min(most, game.stacks[position])
        return least, most

    def _objection(self, action: Action) -> str:
        """Why `action` is not allowed; empty if it is."""
        kind, amount = action
        if self.to_act < 0:
            return f"cannot play {action}: the hand is over"
        if kind == "c":
            return ""
        if kind == "f":
            return "" if self.can_fold else f"cannot fold: checking is free (legal: {self._legal_text()})"
        if kind != "r":
            return f"{kind!r} is not an action (legal: {self._legal_text()})"
        if not self.can_raise:
            legal = self._legal_text()
            most = self.game.max_raises[self.street]
            if most is not None and self.raises >= most:
                bets = most + (1 if self.street == 0 and max(self.game.blinds) else 0)
                street = STREETS[self.street] if self.game.streets == 4 else f"street {self.street + 1}"
                return f"cannot raise: the {street} is capped at {bets} bets (legal: {legal})"
            return f"cannot raise: no chips or no right to (legal: {legal})"
        if not amount and self.game.structure is _FIXED:
            return ""
        if type(amount) is not int:
            return f"cannot raise to {amount!r}: not a whole number of chips"
        least, most = self._raise_bounds()
        if not least <= amount <= most:
            allowed = f"r{least}" if least == most else f"r{least} to r{most}"
            return f"cannot raise to {amount or 'nothing'}: allowed is {allowed}"
        return ""

    def _legal_text(self) -> str:
        return ", ".join(map(str, self.legal_actions()))

    def _is_full_raise(self, chips: int) -> bool:
        """Whether `chips` more to pay are enough to open the betting to somebody who has already acted."""
        game = self.game
        return 2 * chips >= game.bet_sizes[self.street] if game.structure is _FIXED else chips >= self.raise_step

    def _add(self, chips: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What everybody has committed, in this hand and on this street, once the player to act adds `chips`."""
        if not chips:
            return self.committed, self.street_bets
        committed, bets = list(self.committed), list(self.street_bets)
        committed[self.to_act] += chips
        bets[self.to_act] += chips
        return tuple(committed), tuple(bets)

    def _raised(self, amount: int) -> Betting:
        game, position = self.game, self.to_act
        fixed = game.structure is _FIXED
        total = self._raise_bounds()[0] if fixed else amount
        committed, bets = self._add(total - self.committed[position])
        size, step, raises, bit = bets[position] - self.level, self.raise_step, self.raises, 1 << position
        if fixed:
            bet = game.bet_sizes[self.street]
            above_last_bet = size + bet - step
            if 2 * above_last_bet >= bet:
                raises, step = raises + 1, bet
            else:
                step -= size
        elif size >= step:
            raises, step = raises + 1, size
        everyone_else = ((1 << game.seats) - 1) & ~bit
        return _turn_passed(
            game,
            self.street,
            position + 1,
            committed,
            bets,
            bets[position],
            step,
            raises,
            self.folded,
            everyone_else & ~self.folded,
            self.acted | bit,
            f"{self.history}r" if fixed else f"{self.history}r{amount}",
        )


def _turn_passed(
    game: Game,
    street: int,
    position: int,
    committed: tuple[int, ...],
    bets: tuple[int, ...],
    level: int,
    raise_step: int,
    raises: int,
    folded: int,
    to_play: int,
    acted: int,
    history: str,
) -> Betting:
    """The node whose turn is that of the next player from `position` on with a decision, on this street or later."""
    seats, stacks = len(committed), game.stacks
    if folded and folded.bit_count() == seats - 1:
        return Betting(game, street, -1, committed, bets, level, raise_step, raises, folded, 0, acted, history)
    everyone = (1 << seats) - 1
    while True:
        with_chips = everyone if stacks is None else _with_chips(stacks, committed)
        to_play &= with_chips
        for step in range(seats):
            candidate = (position + step) % seats
            if to_play >> candidate & 1:
                if (
                    stacks is None
                    or with_chips & ~folded & ~(1 << candidate)
                    or _owed(game, candidate, committed, bets, level, folded)
                ):
                    return Betting(
                        game,
                        street,
                        candidate,
                        committed,
                        bets,
                        level,
                        raise_step,
                        raises,
                        folded,
                        to_play,
                        acted,
                        history,
                    )
                break
        if street == game.streets - 1:
            return Betting(game, street, -1, committed, bets, level, raise_step, raises, folded, 0, acted, history)
        street += 1
        history += "/"
        position, raise_step = game.first_to_act[street], game.bet_sizes[street]
        bets, level, raises = (0,) * seats, 0, 0
        to_play, acted = everyone & ~folded, 0


def _with_chips(stacks: tuple[int, ...], committed: tuple[int, ...]) -> int:
    """A bit for each position that has chips behind, whether or not it has folded."""
    if max(committed) < min(stacks):
        return (1 << len(committed)) - 1
    bits = 0
    for p, chips in enumerate(committed):
        if stacks[p] > chips:
            bits |= 1 << p
    return bits


def _owed(game: Game, position: int, committed: tuple[int, ...], bets: tuple[int, ...], level: int, folded: int) -> int:
    """Chips missing to match the bet, whatever the stack; against opponents all-in, no more than they can win."""
    owed = level - bets[position]
    stacks = game.stacks
    if stacks is None or owed == 0 or max(committed) < min(stacks):
        return owed
    others = ~folded & ~(1 << position)
    if _with_chips(stacks, committed) & others:
        return owed
    return max(0, max([bet for p, bet in enumerate(bets) if others >> p & 1]) - bets[position])


def called_chips(game: Game, committed: Sequence[int]) -> list[int]:
    """What each position has put in without an uncalled bet, which goes back. Antes and dead chips are no bets; they
    stay."""
    dead = [game.ante + lost for lost in game.dead or (0,) * game.seats]
    dead = [min(lost, paid) for lost, paid in zip(dead, committed)]
    bets = [paid - lost for paid, lost in zip(committed, dead)]
    second = sorted(bets)[-2]
    return [lost + min(bet, second) for lost, bet in zip(dead, bets)]


def split_history(history: str) -> list[str]:
    """The actions and slashes of a betting string, each by itself.

    >>> split_history("cr300c/")
    ['c', 'r300', 'c', '/']
    """
    return list(history) if history.replace("/", "").isalpha() else _PARTS.findall(history)
