"""A hand to be read: who sat where, what was done on each street, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from railbird.cards import cards_text
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import STREETS, Game
from railbird.odds.ranks import rank_name
from railbird.results.parts import Heading, Line, Part, Table
from railbird.results.result import Result


@dataclass(frozen=True, repr=False)
class ReplayedHand(Result):
    """A hand, street by street."""

    record: HandRecord

    def to_json(self) -> dict[str, Any]:
        """The object of schema railbird.hand/1."""
        record = self.record
        return {
            "schema": "railbird.hand/1",
            "hand": record.number,
            "game": record.game.name,
            "betting": record.history,
            "board": cards_text(record.board),
            "players": [
                {"name": name, "position": position, "cards": cards_text(hole), "won_chips": won}
                for position, (name, hole, won) in enumerate(zip(record.names, record.holes, record.payoffs))
            ],
            "actions": self.rows(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each action."""
        return [
            {
                "street": before.street,
                "position": before.to_act,
                "action": str(action),
                "pot_chips": before.pot,
                "to_call_chips": before.to_call,
            }
            for before, action in self.record.steps()
        ]

    def parts(self) -> list[Part]:
        record, final = self.record, self.record.final()
        seats = [
            (
                name + (f" ({title})" if (title := role(record.game, position)) else ""),
                cards_text(record.holes[position], pretty=True),
                f"{record.payoffs[position]:+}",
                _hand_name(record, position, final),
            )
            for position, name in enumerate(record.names)
        ]
        return [
            Heading(
                f"hand {record.number}, {record.game.name}, blinds {blinds_text(record.game)}",
                () if record.telling is None else record.telling.words,
            ),
            Table(seats, ("", "cards", "won", "at the end"), words=2, left=(3,)),
            *(Line(f"{street:<10}{words}", indent=0) for street, words in self._streets(final)),
            *([Line(f"{'rake':<10}{record.rake:g}", indent=0)] if record.rake else []),
        ]

    def _streets(self, final: Betting) -> list[tuple[str, str]]:
        """Each street's name, and what happened on it."""
        record = self.record
        found: list[tuple[str, str]] = []
        for before, action in record.steps():
            if len(found) <= before.street:
                found += [("", "")] * (before.street - len(found))  # streets on which nobody could act
                name = STREETS[before.street] if record.game.streets == 4 else f"street {before.street + 1}"
                board = cards_text(record.board_on(before.street), pretty=True)
                found.append((name, f"{board + '  ' if board else ''}pot {before.pot}:"))
            name, words = found[-1]
            done = verb(before, before.after(action), str(action))
            found[-1] = name, f"{words}  {record.names[before.to_act]} {done}"
        if final.is_showdown:
            board = cards_text(record.board, pretty=True)
            found.append(("showdown", f"{board + '  ' if board else ''}pot {final.pot}"))
        return [street for street in found if street[0]]


def verb(before: Betting, after: Betting, action: str) -> str:
    """What a player did, in words."""
    if action == "f":
        return "folds"
    paid = after.committed[before.to_act] - before.committed[before.to_act]
    if action == "c":
        return f"calls {paid}" if paid else "checks"
    stacks = before.game.stacks
    all_in = " all-in" if stacks and after.committed[before.to_act] == stacks[before.to_act] else ""
    return f"{'raises' if before.level else 'bets'} {paid}{all_in}"


def blinds_text(game: Game) -> str:
    """The blinds and antes of a game, as in "1/2, ante 1"."""
    blinds = "/".join(str(blind) for blind in sorted(b for b in game.blinds if b)) or "none"
    return blinds + (f", ante {game.ante}" if game.ante else "")


def role(game: Game, position: int) -> str:
    """What a position is called: "button", "SB", "BB", heads-up "button, SB"; nothing for the others.

    >>> from railbird.game.spec import limit_holdem
    >>> [role(limit_holdem(), position) for position in (0, 1)]
    ['BB', 'button, SB']
    """
    names = []
    if position == game.seats - 1:
        names.append("button")
    blinds = sorted(b for b in game.blinds if b)
    if len(blinds) == 2 and game.blinds[position]:
        names.append("SB" if game.blinds[position] == blinds[0] else "BB")
    return ", ".join(names)


def _hand_name(record: HandRecord, position: int, final: Betting) -> str:
    if position not in final.live:
        return "folded"
    if not final.is_showdown or not record.game.is_holdem or not record.holes[position]:
        return ""
    return rank_name(showdown_rank(record.game, record.holes[position], record.board))
