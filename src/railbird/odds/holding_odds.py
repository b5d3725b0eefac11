"""All that can be said of one holding against one range: strength, potential, equity and outs, gathered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import isclose, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import (
    CARD_COUNT,
    RANKS,
    card_text,
    cards_text,
    check_distinct,
    class_text,
    parse_board,
    parse_cards,
    parse_holding,
)
from railbird.errors import InvalidRangeError
from railbird.odds.equity import Equity, equity, holdings_equity
from railbird.odds.first_answers import plain_rank
from railbird.odds.outs import NextCard, Outs, outs
from railbird.odds.potential import HandPotential, hand_potential
from railbird.odds.ranges import grid_cells, parse_range, preflop_counts, preflop_order
from railbird.odds.ranks import rank_name
from railbird.odds.weights import WeightArray
from railbird.results.parts import Grid, Heading, Line, Part, Table, share_bar
from railbird.results.result import Result
from railbird.words import count_of

_STREETS = {0: "preflop", 6: "flop", 8: "turn", 10: "river"}


@dataclass(frozen=True, repr=False)
class Odds(Result):
    """One holding on a board of 0, 3, 4 or 5 cards against a range. Everything is exact and worked out when asked for.

    >>> odds = Odds.parse("AdQc", "3h4cJh", "QQ+, AKs")
    >>> odds.opponents, round(odds.equities[0].share, 4), [round(one.ppot, 3) for one in odds.potentials]
    (15.0, 0.1187, [0.052, 0.119])
    """

    holding: str
    board: str
    versus: str
    with_grid: bool = False
    """Whether the equity against each class of holdings is told too."""

    @classmethod
    def parse(cls, holding: str, board: str = "", versus: str = "any", grid: bool = False) -> Odds:
        """Read a holding, a board and a range, and refuse those that cannot be dealt together."""
        cards, dealt = parse_cards(holding, count=2), parse_board(board)
        check_distinct(cards, dealt)
        found = cls(cards_text(cards), cards_text(dealt), versus, grid)
        if not found.opponents > 0:
            place = f"{found.holding} on {found.board}" if dealt else found.holding
            raise InvalidRangeError(f"no holding of the range {versus!r} can be dealt beside {place}")
        return found

    @cached_property
    def weights(self) -> WeightArray:
        return WeightArray.parse(self.versus)

    @property
    def opponents(self) -> float:
        """The weight of the range's holdings that can be dealt: their number, where no weights are written."""
        return self.weights.without(self.holding + self.board).total

    @property
    def class_name(self) -> str:
        """The class of the holding before the flop."""
        return class_text(parse_holding(self.holding))

    @property
    def class_place(self) -> int:
        """The place, 1 to 169, of that class by equity against a random holding."""
        return preflop_order().index(self.class_name) + 1

    @property
    def rank(self) -> int | None:
        """The rank of the holding with the board; none before the flop."""
        return plain_rank(parse_cards(self.holding + self.board)) if self.board else None

    @cached_property
    def potentials(self) -> tuple[HandPotential, ...]:
        """The potential with one card to come, and on the flop with two."""
        return tuple(
            hand_potential(self.holding, self.board, cards_to_come, self.weights)
            for cards_to_come in ((1, 2) if len(self.board) == 6 else (1,) if len(self.board) == 8 else ())
        )

    @cached_property
    def equities(self) -> tuple[Equity, ...]:
        """The equity of the holding and of the range once the board is complete."""
        if not self.board and (self.weights.values == 1).all():  # the table of all classes says it already
            wins, ties, losses = preflop_counts()[self.class_name]
            total = wins + ties + losses
            return Equity(wins, ties, total, wins + ties / 2), Equity(losses, ties, total, losses + ties / 2)
        if not self.potentials:
            return equity([self.holding, parse_range(self.versus)], self.board)
        # The table of the potential that completes the board says it already.
        win, tie, lose = self.potentials[-1].transitions.sum(axis=0).tolist()
        total = win + tie + lose
        return Equity(win, tie, total, win + tie / 2), Equity(lose, tie, total, lose + tie / 2)

    @property
    def standing(self) -> tuple[float, float, float] | None:
        """The probabilities to be ahead, tied and behind now; none before the flop."""
        if self.potentials:
            ahead, tied, behind = self.potentials[0].transitions.sum(axis=1).tolist()
            total = ahead + tied + behind
            return ahead / total, tied / total, behind / total
        if self.board:
            own, other = self.equities
            return own.win, own.tie, other.win
        return None

    @cached_property
    def outs(self) -> Outs | None:
        """The outs and threats on a flop or turn."""
        return outs(self.holding, self.board, self.weights) if self.potentials else None

    @cached_property
    def equity_grid(self) -> NDArray[np.float64]:
        """The equity against each class of holdings in the range, laid out as `grid` does; nan where there is none."""
        live = self.weights.without(self.holding + self.board).values
        shares = 1 - holdings_equity(self.holding, live, self.board)
        held = np.bincount(grid_cells(), live, minlength=169)
        won = np.bincount(grid_cells(), np.where(live > 0, live * shares, 0.0), minlength=169)
        return np.asarray(np.divide(won, held, out=np.full(169, np.nan), where=held > 0)).reshape(13, 13)

    @property
    def hand_words(self) -> str:
        """What the hand is, and how many holdings it meets."""
        hand = rank_name(self.rank) if self.rank else f"{self.class_name}, number {self.class_place} of 169 classes"
        return f"{hand}; {_counted(self.opponents)} left to the opponent"

    @property
    def street(self) -> str:
        return _STREETS[len(self.board)]

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.odds/1."""
        own, other = self.equities
        answer: dict[str, Any] = {
            "schema": "railbird.odds/1",
            "holding": self.holding,
            "board": self.board,
            "street": self.street,
            "versus": self.versus,
            "opponents": self.opponents,
            "class": {"name": self.class_name, "place": self.class_place},
            "hand": None if self.rank is None else {"rank": self.rank, "name": rank_name(self.rank)},
            "strength": None,
            "potential": [
                {"cards_to_come": cards, "ppot": potential.ppot, "npot": potential.npot}
                for cards, potential in enumerate(self.potentials, start=1)
            ],
            "equity": {"share": own.share, "win": own.win, "tie": own.tie, "lose": other.win},
            "outs": None if self.outs is None else _listed(self.outs.outs),
            "threats": None if self.outs is None else _listed(self.outs.threats),
            "next_cards": None if self.outs is None else _listed(self.outs.next_cards),
        }
        if self.standing is not None:
            ahead, tied, behind = self.standing
            answer["strength"] = {"hand_strength": ahead + tied / 2, "ahead": ahead, "tied": tied, "behind": behind}
        if self.with_grid:
            answer["grid"] = [[None if isnan(share) else share for share in row] for row in self.equity_grid.tolist()]
        return answer

    def rows(self) -> list[dict[str, Any]]:
        """Each quantity with its probability."""
        return [{"quantity": name, "probability": share, "meaning": words} for name, share, words in self._quantities()]

    def parts(self) -> list[Part]:
        place = f" on the {self.street} {cards_text(parse_cards(self.board), pretty=True)}" if self.board else ""
        versus = f"versus {self.versus}" + (" holding" if self.versus == "any" else "")
        holding = cards_text(parse_cards(self.holding), pretty=True)
        found: list[Part] = [
            Heading(f"{holding}{place or ' before the flop'} {versus}"),
            Line(self.hand_words, indent=0),
            Line("", indent=0),
            Table(
                [
                    (name, "-" if share is None else f"{share:.1%}", share_bar(share or 0.0), words)
                    for name, share, words in self._quantities()
                ],
                left=(2, 3),
                folded=(3,),
                bold=(0,),
                indent=0,
            ),
        ]
        if self.with_grid:
            title = f"equity of {self.holding} against each class of the range, %"
            caption = "suited above the diagonal, offsuit below; . absent"
            found += [Line("", indent=0), Grid(self.equity_grid.tolist(), RANKS[::-1], title, caption)]
        return found

    def _quantities(self) -> Iterator[tuple[str, float | None, str]]:
        """What there is to tell: its name, the probability (none where it has no meaning) and a few words."""
        if self.standing:
            ahead, tied, behind = self.standing
            yield "strength", ahead + tied / 2, f"ahead {ahead:.1%}, tied {tied:.1%}, behind {behind:.1%}"
            for number, potential in enumerate(self.potentials, start=1):
                after = "one card" if number == 1 else "two cards"
                known = ahead < 1
                words = f"if behind now, ahead after {after}" if known else "never behind now"
                yield f"PPOT{number}", potential.ppot if known else None, words
                known = behind < 1
                words = f"if ahead now, behind after {after}" if known else "never ahead now"
                yield f"NPOT{number}", potential.npot if known else None, words
        if self.street != "river":
            own, other = self.equities
            yield "equity", own.share, f"wins {own.win:.1%}, ties {own.tie:.1%}, loses {other.win:.1%}"
        if self.outs is not None:
            leads = self.outs.hand_strength > 0.5
            cards = self.outs.threats if leads else self.outs.outs
            share = sum(card.probability for card in cards)
            words = self._cards_in_words([card.card for card in cards], share, leads)
            yield "threats" if leads else "outs", share, words

    def _cards_in_words(self, cards: Sequence[int], share: float, leads: bool) -> str:
        """The cards that change the lead, and among how many they are, since the opponent may hold some of them."""
        one, more = ("takes", "take") if leads else ("puts", "put")
        rest = "the lead away" if leads else "it ahead"
        if not cards:
            return f"no card {one} {rest}"
        number, unseen = len(cards), CARD_COUNT - 2 - len(self.board) // 2
        effect, left = f"{one if number == 1 else more} {rest}", unseen - 2
        if isclose(share, number / unseen):
            words = f"{number} of {unseen} unseen cards {effect}"
        elif isclose(share, number / left):
            words = f"{number} of the {left} cards that the opponent leaves {effect}"
        else:
            average = f"on average {share * left:.1f} of the {left} that the opponent leaves"
            words = f"{count_of(number, 'card')} {effect}, {average}"
        return f"{words}: {_by_rank(cards)}"


def odds(holding: str, board: str = "", versus: str = "any", grid: bool = False) -> Odds:
    """How good a holding is: strength, potential, equity and outs against a range, all of them exact.

    With `grid` also the equity against each class of holdings.

    >>> print(odds("AdQc", "3h4cJh2d", "KK"))
    A♦ Q♣ on the turn 3♥ 4♣ J♥ 2♦ versus KK
    high card, ace, queen, jack, four and three; 6 holdings left to the opponent
    <BLANKLINE>
    strength   0.0%  ░░░░░░░░░░░░░░░░░░░░  ahead 0.0%, tied 0.0%, behind 100.0%
    PPOT1     15.9%  ███▏░░░░░░░░░░░░░░░░  if behind now, ahead after one card
    NPOT1         -  ░░░░░░░░░░░░░░░░░░░░  never ahead now
    equity    15.9%  ███▏░░░░░░░░░░░░░░░░  wins 15.9%, ties 0.0%, loses 84.1%
    outs      15.9%  ███▏░░░░░░░░░░░░░░░░  7 of the 44 cards that the opponent leaves put it ahead: A♣♥♠ 5♣♦♥♠
    """
    return Odds.parse(holding, board, versus, grid)


def _listed(cards: Iterable[NextCard]) -> list[dict[str, Any]]:
    return [
        {"card": card_text(card.card), "hand_strength": card.hand_strength, "probability": card.probability}
        for card in cards
    ]


def _counted(holdings: float) -> str:
    """A number of holdings, or their weight where that is not a whole number.

    >>> _counted(1.0), _counted(1225.0), _counted(8.5)
    ('1 holding', '1,225 holdings', '8.5 holdings')
    """
    written = f"{holdings:,.0f}" if holdings == int(holdings) else f"{holdings:,.1f}"
    return f"{written} holding" + ("" if written == "1" else "s")


def _by_rank(cards: Iterable[int]) -> str:
    """Many cards in little room, by rank.

    >>> _by_rank(parse_cards("QdAcAhAs"))
    'A♣♥♠ Q♦'
    """
    groups = []
    for _, same in groupby(sorted(cards, key=lambda card: (-(card >> 2), card & 3)), key=lambda card: card >> 2):
        written = cards_text(same, pretty=True)
        groups.append(written[0] + "".join(written[1::3]))
    return " ".join(groups)
