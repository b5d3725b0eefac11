"""One assessed hand, street by street, as the thesis' Tables 3.3 and 3.4 show it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from railbird.assess.baseline import CLASSES, baseline_end
from railbird.assess.divat import Assessment
from railbird.assess.hand_ranks import HandRank, hand_rank
from railbird.cards import cards_text
from railbird.game.actions import Action
from railbird.game.betting import Betting, split_history
from railbird.game.record import HandRecord
from railbird.game.spec import STREETS


@dataclass(frozen=True)
class Step:
    """A street of an assessed hand. Values are those of position 0, in small bets; pairs are by position."""

    street: str
    cards: str
    """The street's board cards, or both holdings before the flop."""
    ranks: tuple[HandRank, HandRank]
    ehr: tuple[Fraction, Fraction]
    classes: tuple[str, str]
    played: str
    """The actions in the thesis' letters: capitals for the button; S small blind, l call it, k check, b bet, c call,
    r raise, f fold."""
    baseline: str
    value: float
    baseline_value: float
    difference: float
    luck: float
    deviator: int
    """Who first left the baseline, -1 if nobody did."""

    def to_json(self) -> dict[str, Any]:
        """The step for `--json`."""
        return {
            "street": self.street,
            "cards": self.cards,
            "players": [
                {"ihr": float(rank.ihr), "seven_card": float(rank.seven_card), "ehr": float(ehr), "class": name}
                for rank, ehr, name in zip(self.ranks, self.ehr, self.classes)
            ],
            "played": self.played,
            "baseline": self.baseline,
            "value": self.value,
            "baseline_value": self.baseline_value,
            "difference": self.difference,
            "luck": self.luck,
            "deviator": self.deviator if self.deviator >= 0 else None,
        }


def hand_steps(assessment: Assessment, index: int) -> tuple[HandRecord, list[Step]]:
    """The record of a hand of an assessment, and its streets."""
    record = assessment.hands.record(index)
    holes = [cards_text(hole) for hole in record.holes]
    steps = []
    node = Betting.start(record.game)
    histories = record.history.split("/")
    for street, history in enumerate(histories):
        board = cards_text(record.board_on(street))
        ranks = (hand_rank(holes[0], board), hand_rank(holes[1], board))
        names = (CLASSES[assessment.classes[index, street, 0]], CLASSES[assessment.classes[index, street, 1]])
        ehr = (ranks[0].ehr(assessment.settings), ranks[1].ehr(assessment.settings))
        shown = cards_text(record.board_on(street)[len(record.board_on(street - 1)) :]) if street else " v ".join(holes)
        end = baseline_end(node, names)
        baseline = end.history[len(node.history) :].rstrip("/")
        steps.append(
            Step(
                STREETS[street],
                shown,
                ranks,
                ehr,
                names,
                kan_notation(node, history),
                kan_notation(node, baseline),
                float(assessment.actual[index, street]),
                float(assessment.baseline[index, street]),
                float(assessment.difference[index, street]),
                float(assessment.luck[index, street]),
                int(assessment.deviator[index, street]),
            )
        )
        for text in split_history(history):
            node = node.after(Action.parse(text))
    return record, steps


def kan_notation(node: Betting, history: str) -> str:
    """A street's actions from `node` on as the thesis writes them.

    >>> from railbird.game.spec import limit_holdem
    >>> start = Betting.start(limit_holdem())
    >>> kan_notation(start, "cc"), kan_notation(start.play("cc"), "crrc")
    ('SlCk', 'kBrC')
    """
    letters = ""
    if node.street == 0:
        letters = "Sl" if node.to_act == 1 else "sL"
    for text in split_history(history):
        facing = node.to_call > 0
        bets = node.raises + (1 if node.street == 0 else 0)
        letter = {"f": "f", "c": "c" if facing else "k", "r": "r" if bets else "b"}[text[0]]
        letters += letter.upper() if node.to_act == 1 else letter
        node = node.after(Action.parse(text))
    return letters
