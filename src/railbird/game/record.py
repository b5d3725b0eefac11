"""The record of a hand: all that is needed to play it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from railbird.cards import cards_text, check_distinct
from railbird.errors import IllegalActionError, InvalidCardsError, InvalidRecordError
from railbird.game.actions import Action
from railbird.game.betting import Betting, split_history
from railbird.game.payoffs import payoffs, possible_payoffs, shared_payoffs
from railbird.game.rake import is_raked, most_rake
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game
from railbird.game.telling import Telling
from railbird.numbers import quoted

_LONGEST_NAME = 60
"""Signs of a name, as far as errors tell it."""


@dataclass(frozen=True)
class HandRecord:
    """One hand that was played, from the blinds to the payoffs. All tuples are in order of position.

    >>> from railbird.game.spec import limit_holdem
    >>> from railbird.cards import parse_cards
    >>> hand = HandRecord(limit_holdem(), 0, ("Ann", "Bob"), (parse_cards("5d5c"), parse_cards("9hQd")), (), "crrrf",
    ...                   (6, -6))
    >>> hand.replayed_payoffs()
    (6, -6)
    """

    game: Game
    number: int
    names: tuple[str, ...]
    holes: tuple[tuple[int, ...], ...]
    """Hole cards, empty where they are not known."""
    board: tuple[int, ...]
    """The board cards that were turned up."""
    history: str
    """The betting string of the competition's logs."""
    payoffs: tuple[float, ...]
    """Chips won or lost: whole numbers, but in logs of others where a pot was shared to parts of a chip."""
    telling: Telling | None = None
    """What a hand history tells beside all this; `None` for hands of Railbird and of competition logs."""
    line: int = field(default=0, compare=False, repr=False)
    """The line of the file where it was read, from 1; 0 where nobody says."""

    def found_on(self, line: int) -> HandRecord:
        """The record itself, which was read on a line."""
        object.__setattr__(self, "line", line)
        return self

    def steps(self) -> Iterator[tuple[Betting, Action]]:
        """Each decision of the hand: the betting before it, and the action taken."""
        node = Betting.start(self.game)
        for text in split_history(self.history):
            if text != "/":
                action = Action.parse(text)
                yield node, action
                node = node.after(action)

    def final(self) -> Betting:
        """The betting at the end of the hand; refuses a history that breaks the rules or does not end."""
        try:
            node = Betting.start(self.game).play(self.history)
        except IllegalActionError as error:
            raise InvalidRecordError(f"hand {self.number}: {error}", "betting") from None
        if not node.is_over:
            message = f"hand {self.number}: the betting {quoted(self.history)} does not end the hand"
            raise InvalidRecordError(message, "betting")
        return node

    def board_on(self, street: int) -> tuple[int, ...]:
        """The board cards that lie on the table on `street`."""
        return self.board[: self.game.board_seen(street)]

    def replayed_payoffs(self) -> tuple[int, ...]:
        """The payoffs that the rules give for these cards and actions."""
        self._check_counts()
        return self._payoffs_after(self.final())

    @property
    def rake(self) -> float:
        """What the house took: nothing, but in logs of others."""
        return round(0 - sum(self.payoffs), 4)

    def _payoffs_after(self, node: Betting) -> tuple[int, ...]:
        return payoffs(node, self._ranks(node)) if node.is_showdown else payoffs(node)

    def _ranks(self, node: Betting) -> list[int]:
        """The ranks of those who show down; refuses a showdown without their cards."""
        unknown = [self.names[p][:_LONGEST_NAME] for p in node.live if len(self.holes[p]) != self.game.hole_cards]
        if unknown:
            raise InvalidRecordError(f"hand {self.number}: a showdown without the cards of {', '.join(unknown)}")
        live = set(node.live)
        return [showdown_rank(self.game, h, self.board) if p in live else -1 for p, h in enumerate(self.holes)]

    def check(self, may_be_raked: bool = False) -> None:
        """Refuse a record that contradicts the rules: cards, betting or payoffs, or what is told beside them."""
        self._check_counts()
        node = self.final()
        self._check_cards(node)
        self._check_payoffs(node, may_be_raked)

    def check_cards(self) -> None:
        """Refuse cards that cannot be, or not with this betting."""
        self._check_counts()
        self._check_cards(self.final())

    def check_payoffs(self, may_be_raked: bool = False) -> None:
        """Refuse other payoffs than the rules give for the cards and actions, as far as the cards are shown.

        A pot that cannot be divided evenly may be shared by the odd chip or to parts of a chip. With `may_be_raked`
        the winners may lack what a house takes; see `railbird.game.rake`. Where the hand's `telling` says what the
        house took, it must be just that.
        """
        self._check_payoffs(self.final(), may_be_raked)

    def _check_counts(self) -> None:
        """Refuse other numbers of players than the game has, and holdings that are none."""
        seats = self.game.seats
        if not len(self.names) == len(self.holes) == len(self.payoffs) == seats:
            raise InvalidRecordError(
                f"hand {self.number}: {len(self.names)} names, {len(self.holes)} holdings and "
                f"{len(self.payoffs)} payoffs in a game of {seats}",
                "players",
            )
        for name, hole in zip(self.names, self.holes):
            if len(hole) not in (0, self.game.hole_cards):
                raise self._refused(f"{name[:_LONGEST_NAME]} holds {cards_text(hole)!r}", "cards")

    def _check_cards(self, node: Betting) -> None:
        try:
            check_distinct(*self.holes, self.board)
        except InvalidCardsError as error:
            raise self._refused(str(error), "cards") from None
        shown = self.game.board_seen(node.street)
        if len(self.board) != shown:
            raise self._refused(f"{len(self.board)} board cards where {quoted(self.history)} has {shown}", "cards")

    def _check_payoffs(self, node: Betting, may_be_raked: bool) -> None:
        if self.telling is not None:
            self._check_told(node, self.telling)
        elif not node.is_showdown or all(self.holes[p] for p in node.live):
            expected = self._payoffs_after(node)
            if expected != self.payoffs and not self._is_fair(node, expected, may_be_raked):
                raise self._refused(
                    f"payoffs {self.payoffs} recorded, but the cards and actions give {expected}", "payoffs"
                )
        else:
            self._check_unseen(node, may_be_raked)

    def _check_unseen(self, node: Betting, may_be_raked: bool) -> None:
        """Without all cards nobody knows who won, but nobody loses more, or if folded less, than was put in."""
        lost = [-chips for chips in self.payoffs]
        fits = [
            chips <= most if p in node.live else chips == most
            for p, (chips, most) in enumerate(zip(lost, node.committed))
        ]
        rake = round(sum(lost), 4)
        if (rake and not (may_be_raked and 0 < rake <= most_rake(node.pot, self.game.small_bet))) or not all(fits):
            raise self._refused(f"payoffs {self.payoffs} recorded, but {node.committed} was put in", "payoffs")

    def _check_told(self, node: Betting, telling: Telling) -> None:
        """Refuse payoffs that the shown cards, the betting and the rake that is told cannot give, whoever got an odd
        chip, and cards that were shown and are not known. Where some show, who does not wins nothing from them."""
        seats = self.game.seats
        if len(telling.seats) not in (0, seats) or len(telling.shown) not in (0, seats) or telling.hero >= seats:
            raise self._refused(f"seats, shown cards and hero of another number of players than {seats}", "players")
        hidden = [self.names[p][:_LONGEST_NAME] for p, shown in enumerate(telling.shown) if shown and not self.holes[p]]
        if hidden:
            raise self._refused(f"{hidden[0]} showed cards that are not known", "cards")
        rake = telling.rake
        if rake != self.rake or not 0 <= rake <= node.pot:
            raise self._refused(f"payoffs {self.payoffs} and a rake of {rake}, of a pot of {node.pot}", "rake")
        ranks = self._told_ranks(telling) if node.is_showdown else []
        for p, (least, most) in enumerate(possible_payoffs(node, ranks)):
            raked = 0 if most == -node.committed[p] else rake
            if not least - raked <= self.payoffs[p] <= most:
                name = self.names[p][:_LONGEST_NAME]
                possible = f"{least}" if least == most else f"{least} to {most}"
                less = f" less {rake} of rake" if raked else ""
                raise self._refused(
                    f"{name} won {self.payoffs[p]}, but the cards and actions give {possible}{less}", "payoffs"
                )

    def _told_ranks(self, telling: Telling) -> list[int | None]:
        """The ranks at a showdown, `None` where cards are not known, and less than any for who did not show."""
        mucked = [any(telling.shown) and not shown for shown in telling.shown] or [False] * self.game.seats
        return [
            -1 if is_mucked else showdown_rank(self.game, hole, self.board) if hole else None
            for hole, is_mucked in zip(self.holes, mucked)
        ]

    def _refused(self, message: str, part: str) -> InvalidRecordError:
        return InvalidRecordError(f"hand {self.number}: {message}", part)

    def _is_fair(self, node: Betting, expected: tuple[int, ...], may_be_raked: bool) -> bool:
        """Whether the payoffs are those of a pot shared to parts of a chip, or of one from which a rake was taken."""
        shared = shared_payoffs(node, self._ranks(node)) if node.is_showdown else expected
        return self.payoffs == shared or (
            may_be_raked
            and any(is_raked(self.payoffs, fair, node.committed, self.game.small_bet) for fair in (expected, shared))
        )
