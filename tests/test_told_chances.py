"""What a bot says in `probabilities` is looked at before AIVAT, heads-up and in rings, reckons with it."""

from __future__ import annotations

import re

import numpy as np
import pytest

import railbird as rb
from railbird.bots.base import Bot
from railbird.bots.told_chances import own_chances, told_chances
from railbird.cards import HOLDING_COUNT, holding_cards, parse_cards
from railbird.cli import main
from railbird.errors import InvalidChancesError
from railbird.game.actions import CALL
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.play import assessing

FILE = """
import numpy as np
from railbird.bots.base import Bot
from railbird.cards import holding_cards
from railbird.game.actions import CALL

class Calls(Bot):
    row, kind = (0.0, 1.0, 0.0), float
    def act(self, view):
        return CALL
    def probabilities(self, view, every=False):
        row = np.array(self.row, self.kind)
        return np.tile(row, (1326, 1)) if every else row

class Rounded(Calls):
    row, kind = (-1e-12, 1.0 + 1e-7, 1e-12), "float32"
class Twice(Calls):
    row = 0.0, 2.0, 0.0
class Negative(Calls):
    row = -1.0, 2.0, 0.0
class Nothing(Calls):
    row = 0.0, float("nan"), 0.0
class Folds(Calls):
    row = 0.5, 0.5, 0.0
class Learns(Twice):
    learns = True
class Narrow(Calls):
    row = 0.5, 0.5
class Words(Calls):
    def probabilities(self, view, every=False):
        return "call"
class Ragged(Calls):
    def probabilities(self, view, every=False):
        return [[1.0, 2.0], [3.0]]
class Imagined(Calls):
    row, kind = (0, 1, 0), complex
class Raises(Calls):
    def probabilities(self, view, every=False):
        return view.nothing
class FlopRaises(Calls):
    def probabilities(self, view, every=False):
        return super().probabilities(view, every) if not view.board else {}[view.board]
class Board(Calls):
    def probabilities(self, view, every=False):
        found = super().probabilities(view, every)
        on_board = [at for at in range(1326) if set(holding_cards(at)) & set(view.board_cards)]
        found[on_board] = float("nan")
        return found
class Letters(Calls):
    def told_actions(self, view):
        return "fcr"
"""
FAULTS = {
    "Twice": r"gives \(0.0, 2.0, 0.0\) for 2d2c on no board after '\w*': chances sum to 1, and these to 2$",
    "Negative": r"gives \(-1.0, 2.0, 0.0\) for 2d2c on no board after '\w*': chances are not negative$",
    "Nothing": r"gives \(0.0, nan, 0.0\) for 2d2c on no board after '\w*': nan is not a number$",
    "Folds": r"'f' is not legal there \(legal: c, r\), so its chance is 0$",
    "Narrow": r"gives an array of \(1326, 2\) .*, where 1,326 x 3 belongs: fold, call and raise by holding$",
    "Words": r"gives no numbers on no board after '\w*': 'call'$",
    "Ragged": r"gives no numbers on no board after '\w*': \[\[1.0, 2.0\], \[3.0\]\]$",
    "Imagined": r"gives no numbers on no board after '\w*'",
    "Raises": r" raised AttributeError: .* 'nothing' in probabilities \(on no board after '\w*', my.py:\d+\)$",
    "FlopRaises": r" raised KeyError: '......' in probabilities \(on ...... after '\w+/\w*', my.py:\d+\)$",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A match of two, one of three, and bots to take for their first player."""
    folder = tmp_path_factory.mktemp("told")
    how = {"seed": 3, "progress": False}
    rb.play_match("always-call", "random:fold=0,call=3,raise=1", hands=4, folder=folder / "two", **how)
    rb.play_match("always-call", "always-raise", "random:fold=0", hands=4, folder=folder / "three", **how)
    (folder / "my.py").write_text(FILE, encoding="utf-8")
    return folder


def known_as(place, kind):
    return f"always-call={place / 'my.py'}:{kind}"


@pytest.mark.parametrize("match", ["two", "three"])
@pytest.mark.parametrize("kind", FAULTS)
def test_what_is_no_chances_is_refused_in_one_line(capsys, place, match, kind):
    with pytest.raises(SystemExit) as stopped:
        main(["assess", str(place / match), "--known", known_as(place, kind)])
    told = capsys.readouterr()
    assert stopped.value.code == 2
    [line] = told.err.splitlines()
    assert line.startswith("error: hand 0: always-call (")
    assert re.search(FAULTS[kind], line), line
    assert "says" not in told.out


@pytest.mark.parametrize("match", ["two", "three"])
@pytest.mark.parametrize("kind", ["Calls", "Rounded", "Board"])
def test_chances_within_rounding_are_believed(place, match, kind):
    # Rows of holdings that share a card with the board may hold anything.
    ours, theirs = (
        assessing.assess(place / match, known=known, progress=False).rows()
        for known in (known_as(place, kind), "always-call")
    )
    for mine, other in zip(ours, theirs, strict=True):
        assert mine["mean"] == pytest.approx(other["mean"], abs=1e-5, nan_ok=True), mine["measure"]


def test_a_learner_is_looked_at_too(place):
    learner = f"{place / 'my.py'}:Learns"
    result = rb.play_match(learner, "always-call", hands=2, seed=1, folder=place / "learner", progress=False)
    with pytest.raises(InvalidChancesError, match=r"hand 0: .*Learns.*chances sum to 1, and these to 2"):
        assessing.assess(place / "learner", known=f"{result.spec.names[0]}={learner}", progress=False)


def test_actions_that_are_none(place):
    with pytest.raises(InvalidChancesError, match=r"tells no actions on no board after .*: .'f', 'c', 'r'."):
        assessing.assess(place / "three", known=known_as(place, "Letters"), progress=False)


class Says(Bot):
    """Says one array for all holdings."""

    def __init__(self, every):
        self.every = every

    def act(self, view):
        return CALL

    def probabilities(self, view, every=False):
        return self.every if every else self.every[0]


def view_on(board, history):
    node = Betting.start(limit_holdem()).play(history)
    return PlayerView(node, node.to_act, parse_cards("AsKs"), parse_cards(board), 7, ("a", "b"))


def test_the_first_wrong_row_is_named():
    rows = np.tile((0.0, 1.0, 0.0), (HOLDING_COUNT, 1))
    rows[[900, 700]] = 0.0, 0.5, 0.4
    with pytest.raises(
        InvalidChancesError, match=r"mine gives \(0.0, 0.5, 0.4\) for .* on Jh7s2c after 'cc/': .* 0.9$"
    ):
        told_chances(Says(rows), view_on("Jh7s2c", "cc/"), "mine")


def test_what_rounding_left_of_an_action_that_is_not_legal_is_taken_away():
    rows = np.tile((1e-9, 1.0, 0.0), (HOLDING_COUNT, 1))
    view = view_on("Jh7s2c", "cc/")
    found = told_chances(Says(rows), view, "mine")
    live = [at for at in range(HOLDING_COUNT) if not set(holding_cards(at)) & set(view.board_cards)]
    assert not found[:, 0].any()
    assert (found[live, 1] == 1.0).all()
    assert found.sum() == len(live)
    assert rows[0, 0] == 1e-9  # the bot's own array stays as it is


def test_one_holding_is_looked_at_alike():
    view = view_on("Jh7s2c", "cc/")
    assert own_chances(Says(np.array([[0.0, 0.25, 0.75]])), view, "mine").tolist() == [0.0, 0.25, 0.75]
    for row, words in (
        ((0.0, 0.5, 0.4), "for AsKs on Jh7s2c after 'cc/': chances sum to 1"),
        ((0.5, 0.5), r"an array of \(2,\) with AsKs on Jh7s2c after 'cc/', where 3 numbers belong"),
    ):
        with pytest.raises(InvalidChancesError, match=words):
            own_chances(Says(np.array([row])), view, "mine")
