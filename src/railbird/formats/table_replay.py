"""The betting of a table's hand replayed from the actions and amounts of a text, through the rules.

There are two ways. The quick one adds up what the text says, sees to it that everybody acts in turn, and has the kernel
behind `railbird.game.quick_check` judge the betting that comes of it. What it does not accept goes the slow way,
through `Betting`, which accepts it or says what is wrong. So the rules are those of `Betting` either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.errors import IllegalActionError, InvalidRecordError
from railbird.game.actions import CALL, FOLD, RAISE, Action
from railbird.game.betting import Betting
from railbird.game.payoffs import possible_payoffs
from railbird.game.quick_check import game_rules, working_room
from railbird.game.spec import Game, Structure
from railbird.kernels.cards.ranking import RANKING
from railbird.kernels.play import any_betting, any_lines
from railbird.numbers import quoted
from railbird.odds.ranks import rank_cards

Acts = Sequence[tuple[int, int, str, int]]
"""Street (-1 where it is not told), position, kind and chips of each action, as `TableHand.actions` has them."""
_PATIENCE = 300
"""So many hands go the slow way before a kernel is compiled."""
_FIXED = Structure.FIXED_LIMIT
_HIDDEN = (255, 255)
_UNCAPPED = (None, None, None, None)
_STACKS, _SEATS, _SUMS = any_betting.STACKS, any_betting.MOST_SEATS, any_lines.SUMS


class HandRules(NamedTuple):
    """The game of a hand but for its stacks, as it is and as kernels take it."""

    game: Game
    row: NDArray[np.int64]

    @classmethod
    def of(cls, game: Game) -> HandRules:
        return cls(game, game_rules.__wrapped__(game))


class KnownCards(NamedTuple):
    """The cards of a hand, as far as they are known."""

    holes: Sequence[tuple[int, ...]]
    board: tuple[int, ...]
    mucked: int = 0
    """A bit for each position that did not show where others did: it wins nothing from them."""


class Ended(NamedTuple):
    """How the betting of a hand ended."""

    game: Game
    history: str
    street: int
    folded: int
    """A bit for each position that has folded."""
    committed: tuple[int, ...]
    least: Sequence[int]
    """By position, the least that may have been won before rake, as far as the cards are known,"""
    most: Sequence[int]
    """and the most."""


class Replayer:
    """Replays hands, one after the other; a reader of a file has one of its own."""

    def __init__(self) -> None:
        self._room, self._result = working_room(), np.zeros(any_lines.RESULT, np.int64)
        self._slow = patience()

    @property
    def is_quick(self) -> bool:
        """Whether a hand goes the quick way; each time that it is asked counts as a hand."""
        self._slow -= 1
        return self._slow < 0

    def ended(
        self, rules: HandRules, stacks: tuple[int, ...], acts: Acts, cards: KnownCards, names: Sequence[str]
    ) -> Ended:
        """The end of a hand; refuses betting that breaks the rules, does not end, or has other amounts."""
        if self.is_quick and (found := self._quick(rules, stacks, acts, cards)) is not None:
            return found
        node = _replayed(with_changes(rules.game, stacks=stacks), acts, names)
        ranks: list[int | None] = [None] * len(stacks)
        holes, board, mucked = cards
        if node.is_showdown and len(board) == 5:
            ranks = [
                -1 if mucked >> at & 1 else rank_cards((*hole, *board)) if hole else None
                for at, hole in enumerate(holes)
            ]
        bounds = possible_payoffs(node, ranks)
        return Ended(
            node.game,
            node.history,
            node.street,
            node.folded,
            node.committed,
            [low for low, _ in bounds],
            [high for _, high in bounds],
        )

    def _quick(self, rules: HandRules, stacks: tuple[int, ...], acts: Acts, cards: KnownCards) -> Ended | None:
        """The end of a plain hand, `None` where the slow way must see to it."""
        added = _added_up(rules.game, stacks, acts)
        if added is None:
            return None
        history, left = added
        found = self.judged(rules, stacks, history, cards)
        if found is None or list(found.committed) != [stack - rest for stack, rest in zip(stacks, left)]:
            return None
        return found._replace(game=with_changes(rules.game, stacks=stacks))

    def judged(self, rules: HandRules, stacks: tuple[int, ...], history: str, cards: KnownCards) -> Ended | None:
        """The end of a hand as the kernel finds it, `None` where it does not accept the hand."""
        row, result, seats = rules.row.copy(), self._result, len(stacks)
        row[_STACKS : _STACKS + seats] = stacks
        letters = np.frombuffer(bytearray(history, "ascii"), np.uint8)
        held = [card for hole in cards.holes for card in hole or _HIDDEN]
        dealt = np.frombuffer(bytearray([*held, *cards.board]), np.uint8)
        if not any_lines.check_hand(RANKING, row, letters, dealt, cards.mucked, self._room, result):
            return None
        found = result.tolist()
        least, most, committed = [
            found[start : start + seats] for start in range(_SUMS + _SEATS, _SUMS + 4 * _SEATS, _SEATS)
        ]
        street, folded = found[any_lines.STREET], found[any_lines.FOLDED]
        return Ended(rules.game, history, street, folded, tuple(committed), least, most)


def patience() -> int:
    """How many hands are to go the slow way: none once the kernel is compiled."""
    return 0 if any_lines.check_hand.overloads else _PATIENCE


def with_changes(game: Game, **changes: object) -> Game:
    """A game with changes that are known to be possible, made without the checks, which cost more than a hand."""
    made = object.__new__(Game)
    made.__dict__.update(game.__dict__)
    made.__dict__.update(changes)
    return made


def _added_up(game: Game, stacks: tuple[int, ...], acts: Acts) -> tuple[str, list[int]] | None:
    """The betting string of actions, each of them in turn, and the chips that everybody has left at the end.

    Whether the betting keeps the rules is not known here. `None` for what is not plain.
    """
    seats, fixed = len(stacks), game.structure is _FIXED
    dead = game.dead or (0,) * seats
    left = [max(0, stack - game.ante - chips) for stack, chips in zip(stacks, dead)]
    bets = [min(blind, rest) for blind, rest in zip(game.blinds, left)]
    left = [rest - bet for rest, bet in zip(left, bets)]
    level, turn, now, live = max(game.blinds), game.first_to_act[0], 0, seats
    is_in, parts = [True] * seats, list[str]()
    for street, at, kind, chips in acts:
        if street != now:
            if street != now + 1:
                return None
            parts.append("/")
            bets, level, turn, now = [0] * seats, 0, 0, street
        if not (is_in[at] and left[at]):
            return None
        while turn != at:
            if is_in[turn] and left[turn]:
                return None
            turn = turn + 1 if turn + 1 < seats else 0
        if kind == "f":
            is_in[at] = False
            live -= 1
            parts.append("f")
        elif kind == "c" or kind == "k":
            if chips != level - bets[at] and (not chips or chips != left[at]):
                return None
            left[at] -= chips
            bets[at] += chips
            parts.append("c")
        elif kind == "A" and chips == left[at] <= level - bets[at]:
            left[at] = 0
            bets[at] += chips
            parts.append("c")
        else:
            more = chips if kind == "A" else chips - bets[at]
            if not 0 < more <= left[at]:
                return None
            left[at] -= more
            bets[at] = level = bets[at] + more
            parts.append("r" if fixed else f"r{stacks[at] - left[at]}")
        turn = at + 1 if at + 1 < seats else 0
    if live > 1:
        parts.append("/" * (3 - now))
    return "".join(parts), left


class _FreeFoldError(Exception):
    """Somebody folded who could have checked."""


class _CapError(Exception):
    """Two players raised more often than houses let more of them."""


def _replayed(game: Game, acts: Acts, names: Sequence[str]) -> Betting:
    """The end of the betting. Folds that were free, and more raises than four between two players, are allowed: the
    game of the end says so."""
    for _ in range(3):
        try:
            node = _walked(Betting.start(game), acts, names)
            break
        except _FreeFoldError:
            game = with_changes(game, free_fold=True)
        except _CapError:
            game = with_changes(game, max_raises=_UNCAPPED)
    if node.to_act >= 0:
        turn = f"it is the turn of {quoted(names[node.to_act])}"
        raise InvalidRecordError(f"the betting {quoted(node.history)} does not end the hand: {turn}", "incomplete")
    return node


def _walked(node: Betting, acts: Acts, names: Sequence[str]) -> Betting:
    for street, at, kind, chips in acts:
        who = quoted(names[at])
        if node.to_act != at or (node.street != street and street >= 0):
            raise _out_of_turn(node, who, kind, names)
        try:
            if kind == "f":
                if not node.can_fold:
                    raise _FreeFoldError
                node = node.after(FOLD)
            elif kind in "ck":
                if chips != node.to_call:
                    what = f"calls {chips} where {node.to_call} is to be called" if chips else "checks a bet"
                    raise _wrong(node, f"{who} {what}")
                node = node.after(CALL)
            elif kind == "A":
                node = _all_in(node, chips, who)
            elif node.game.structure is _FIXED:
                node = _raised(node, chips, who)
            else:
                node = node.after(Action("r", node.committed[at] - node.street_bets[at] + chips))
        except IllegalActionError as error:
            raise InvalidRecordError(str(error), "betting") from None
    return node


def _raised(node: Betting, chips: int, who: str) -> Betting:
    """A bet or raise of a limit game to `chips` on this street."""
    at, most = node.to_act, node.game.max_raises[node.street]
    if most is not None and node.raises >= most and len(node.live) == 2:
        raise _CapError
    made = node.after(RAISE)
    total = made.committed[at] - node.committed[at] + node.street_bets[at]
    if total != chips:
        raise _wrong(node, f"{who} bets or raises to {chips} where the bet is {total}")
    return made


def _all_in(node: Betting, chips: int, who: str) -> Betting:
    """All that is left goes in: a call if it is no more than there is to call, else a bet or a raise."""
    at, stacks = node.to_act, node.game.stacks
    assert stacks is not None
    left = stacks[at] - node.committed[at]
    if chips not in (left, left + node.street_bets[at]):
        raise _wrong(node, f"{who} goes all-in with {chips} where {left} is left")
    if left <= node.to_call or not node.can_raise:
        return node.after(CALL)
    if node.game.structure is _FIXED:
        return _raised(node, left + node.street_bets[at], who)
    return node.after(Action("r", stacks[at]))


def _out_of_turn(node: Betting, who: str, kind: str, names: Sequence[str]) -> InvalidRecordError:
    if node.to_act < 0:
        return InvalidRecordError(f"{who} acts ({kind}) when the hand is over", "betting")
    return _wrong(node, f"{who} acts ({kind}) when it is the turn of {quoted(names[node.to_act])}")


def _wrong(node: Betting, what: str) -> InvalidRecordError:
    return InvalidRecordError(f"{what}, after {quoted(node.history)}", "betting")
