"""Hands as columns for a page: all that its list and its replay show, in about a hundred bytes a hand.

Amounts are small bets, or big blinds where the limit is not fixed, unless they are chips of the page's game. Luck and
skill are thousandths of a small bet, whose sum over the streets is that of the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from string import ascii_letters, digits
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.assess.baseline import CLASSES, baseline_end
from railbird.assess.replay import hand_steps, kan_notation
from railbird.assess.summary import PairSummary
from railbird.game.actions import CALL
from railbird.game.betting import Betting
from railbird.game.place_names import place_names
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import STREETS, Game, Structure
from railbird.odds.ranks import rank_name
from railbird.report.curves import numbers, runs

CARD_LETTERS = ascii_letters
"""A letter for each card, 0-51."""
_LETTERS = ascii_letters + digits + "!#$%()*+,-./:;=?@[]^_{|}~"
_HIDDEN, _NOBODY = "?", "."
_CODES = 18
"""Ways in which `Assessment.deviation` tells that a player left the baseline."""


class Index(dict[Any, int]):
    """Different things in the order in which they came, by their number."""

    def of(self, thing: Any) -> int:
        return self.setdefault(thing, len(self))


def hand_links(numbers: Iterable[int]) -> list[str]:
    """What hands of a page are called in addresses: by their numbers, and where several have the same, by which of them
    they are.

    >>> hand_links([7, 8, 7])
    ['hand-7', 'hand-8', 'hand-7-2']
    """
    seen, found = Counter[int](), []
    for number in numbers:
        seen[number] += 1
        found.append(f"hand-{number}" + (f"-{seen[number]}" if seen[number] > 1 else ""))
    return found


def hand_columns(records: Sequence[HandRecord]) -> dict[str, Any]:
    """Hands of one game, up to the size of its bets and the stacks, with any number of players."""
    game = records[0].game
    names, seatings, bettings, shown = Index(), Index(), Index(), Index()
    ends: dict[tuple[Game, str], Betting] = {}
    cards, ranks, played = [], [], []
    won = np.array([np.divide(record.payoffs, record.game.small_bet) for record in records])
    has_rake = any(record.rake for record in records)
    for record in records:
        betting = (record.game if record.game.stacks or record.game.dead else game, record.history)
        played.append(bettings.of(betting))
        seatings.of(tuple(names.of(name) for name in record.names))
        end = ends.get(betting) or ends.setdefault(betting, Betting.start(betting[0]).play(record.history))
        holes = ["".join([CARD_LETTERS[card] for card in hole]) or _HIDDEN * 2 for hole in record.holes]
        cards.append("".join(holes) + "".join([CARD_LETTERS[card] for card in record.board]))
        known = end.is_showdown and all(record.holes[position] for position in end.live)
        found = [rank_name(showdown_rank(game, record.holes[p], record.board)) for p in end.live] if known else []
        ranks.append(",".join([str(shown.of(name)) for name in found]))
    return {
        "cardLetters": CARD_LETTERS,
        "seats": game.seats,
        "smallBet": game.small_bet,
        "unit": "sb" if game.structure is Structure.FIXED_LIMIT else "bb",
        "blinds": list(game.blinds),
        "places": list(place_names(game.blinds)),
        "ante": game.ante,
        "names": list(names),
        "seatings": [list(seating) for seating in seatings],
        "histories": [history for _, history in bettings],
        "steps": [betting_steps(each, history) for each, history in bettings],
        "rankNames": list(shown),
        "number": runs(np.array([record.number for record in records])),
        "seating": [seatings[tuple(names[name] for name in record.names)] for record in records],
        "betting": played,
        "cards": " ".join(cards),
        # The last position has what the others have lost, unless a house took some of it.
        "won": [numbers(won[:, position]) for position in range(game.seats - (not has_rake))],
        "shown": " ".join([each or "-" for each in ranks]),
    }


def betting_steps(game: Game, history: str) -> str:
    """The actions of a betting string: position, what was done (k check, b bet, c, r, f), and the chips put in.

    >>> from railbird.game.spec import limit_holdem
    >>> betting_steps(limit_holdem(), "cc/crf")
    '1c1 0k0/0k0 1b2 0f0'
    """
    streets: list[list[str]] = [[]]
    record = HandRecord(game, 0, (), (), (), history, ())
    for before, action in record.steps():
        while len(streets) <= before.street:
            streets.append([])
        after, position = before.after(action), before.to_act
        paid = after.committed[position] - before.committed[position]
        kind = str(action)[0]
        letter = "k" if kind == "c" and not paid else "b" if kind == "r" and not before.level else kind
        streets[-1].append(f"{position}{letter}{paid}")
    return "/".join([" ".join(street) for street in streets])


def assessed_columns(pairs: Sequence[tuple[PairSummary, NDArray[np.int64]]]) -> dict[str, Any]:
    """Chosen hands of assessed pairs of players: the columns of `hand_columns`, and what was luck and skill."""
    records = [pair.hands.record(n) for pair, at in pairs for n in at.tolist()]
    found = hand_columns(records)
    names = {name: place for place, name in enumerate(found["names"])}
    skill = _thousandths(np.concatenate([pair.by_street[at] for pair, at in pairs]))
    luck = _thousandths(np.concatenate([pair.luck_by_street[at] for pair, at in pairs]))
    return {
        **found,
        "pairs": [{"first": names[pair.first], "second": names[pair.second]} for pair, _ in pairs],
        "pair": runs(np.concatenate([np.full(len(at), place) for place, (_, at) in enumerate(pairs)])),
        "files": list(pairs[0][0].hands.files),
        "file": runs(np.concatenate([pair.hands.file[at].astype(np.int64) for pair, at in pairs])),
        "line": runs(np.concatenate([pair.hands.line[at].astype(np.int64) for pair, at in pairs])),
        "skill": skill.T.tolist(),
        "luck": luck.T.tolist(),
        "deviations": "".join([_deviations(pair, at) for pair, at in pairs]),
        "classes": "".join([_classes(pair, at) for pair, at in pairs]),
        "baseline": "".join([_baseline(pair, at) for pair, at in pairs]),
        "baselines": list(baselines(pairs[0][0].hands.game)),
        "classNames": list(CLASSES),
        "letters": _LETTERS,
        "deviationCodes": _CODES,
    }


def rank_details(pair: PairSummary, index: int) -> list[list[list[float]]]:
    """By street and position: the hand ranks IHR, 7cHR and EHR, which take a moment to compute."""
    _, steps = hand_steps(pair.assessments[0], index)
    return [
        [
            [round(float(each), 4) for each in (rank.ihr, rank.seven_card, ehr)]
            for rank, ehr in zip(step.ranks, step.ehr)
        ]
        for step in steps
    ]


def deviation_letters(player: int, codes: Iterable[int]) -> str:
    """The letters that stand for ways in which the first (0) or second (1) player of a pair left the baseline."""
    return "".join([_LETTERS[_CODES * player + code] for code in codes])


def _thousandths(by_street: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rounded so that the streets add up to the rounded sum."""
    sums = np.round(1000 * np.cumsum(by_street, axis=1)).astype(np.int64)
    return np.diff(sums, axis=1, prepend=0)


def _deviations(pair: PairSummary, at: NDArray[np.int64]) -> str:
    """Four letters a hand: who first left the baseline on each street, and how."""
    found = pair.assessments[0]
    first = np.where(pair.sign[at] > 0, 0, 1)[:, None]
    player = (found.deviator[at] != first).astype(np.int64)
    letters = np.array(list(_LETTERS))[_CODES * player + found.deviation[at]]
    return "".join(np.where(found.deviator[at] < 0, _NOBODY, letters).ravel().tolist())


def _classes(pair: PairSummary, at: NDArray[np.int64]) -> str:
    """Eight digits a hand: the baseline's classes by street and position."""
    classes = pair.assessments[0].classes[at].reshape(-1)
    return "".join(np.where(classes < 0, _NOBODY, classes.astype("U1")).tolist())


def _baseline(pair: PairSummary, at: NDArray[np.int64]) -> str:
    """Four letters a hand: where in `baselines` stands what the baseline does on each street."""
    classes = pair.assessments[0].classes[at].astype(np.int64)
    places = _baseline_places(pair.hands.game)[np.arange(len(STREETS)), classes[:, :, 0], classes[:, :, 1]]
    letters = np.array(list(_LETTERS))[places]
    return "".join(np.where(classes[:, :, 0] < 0, _NOBODY, letters).ravel().tolist())


@cache
def baselines(game: Game) -> tuple[str, ...]:
    """All that the baseline does on a street, in the thesis' letters."""
    return tuple(dict.fromkeys(_baseline_letters(game).ravel().tolist()))


@cache
def _baseline_places(game: Game) -> NDArray[np.int64]:
    """[street, class, class] the place in `baselines`."""
    known = {letters: place for place, letters in enumerate(baselines(game))}
    return np.asarray(np.vectorize(known.__getitem__)(_baseline_letters(game)))


@cache
def _baseline_letters(game: Game) -> NDArray[Any]:
    """[street, class, class] what the baseline does on a street, whatever was done before it."""
    found = np.empty((len(STREETS), len(CLASSES), len(CLASSES)), dtype=object)
    node = Betting.start(game)
    for street in range(len(STREETS)):
        for one, first in enumerate(CLASSES):
            for other, second in enumerate(CLASSES):
                end = baseline_end(node, (first, second))
                found[street, one, other] = kan_notation(node, end.history[len(node.history) :].rstrip("/"))
        while not node.is_over and node.street == street:
            node = node.after(CALL)
    return found
