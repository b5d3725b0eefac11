"""Lists of hands: the worst and the best by money, luck and skill, of any log."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import railbird as rb
from railbird.cli import main
from railbird.errors import AssessmentError, MatchError
from railbird.play.hand_lists import HandFilter, hand_list
from railbird.play.match_logs import open_logs
from railbird.results.result import print_parts

DATA = Path(__file__).parent / "data" / "acpc"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("lists") / "match"
    rb.play_match("expert", "random", hands=120, seed=7, duplicate=True, folder=path, progress=False)
    return path


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    path = tmp_path_factory.mktemp("lists") / "ring"
    game = "no-limit:stack=2000"
    rb.play_match("random", "always-call", "always-raise", hands=60, seed=3, game=game, folder=path, progress=False)
    return path


def won(record, name):
    return record.payoffs[record.names.index(name)] / record.game.small_bet


def test_the_worst_by_money_are_those_of_the_log(folder):
    lost = sorted(won(record, "expert") for record in rb.read_hands(folder))
    assert [hand.money for hand in hand_list(folder, "expert", count=7).hands] == lost[:7]
    assert [hand.money for hand in hand_list(folder, "expert", count=7, best=True).hands] == lost[::-1][:7]


def test_a_hand_can_be_replayed_by_what_the_list_says(folder, capsys):
    for hand in hand_list(folder, "random", count=5).hands:
        words = hand.replay.split()[2:]
        seating = int(words[-1]) if "--seating" in words else 1
        assert open_logs(words[0]).hand(int(words[1]), seating) == hand.record


@pytest.mark.parametrize("player", ["expert", "random"])
def test_skill_and_luck_are_those_of_the_assessment(folder, player):
    pair = rb.assess(folder, progress=False).pairs[0]
    sign = 1 if pair.first == player else -1
    skill = sorted((sign * pair.divat).tolist())
    found = hand_list(folder, player, "skill", count=6).hands
    assert [hand.skill for hand in found] == pytest.approx(skill[:6])
    luck = sorted((sign * pair.luck).tolist())
    assert [hand.luck for hand in hand_list(folder, player, "luck", count=6, best=True).hands] == pytest.approx(
        luck[::-1][:6]
    )
    river = sorted(value for value in (sign * pair.by_street[:, 3]).tolist() if value < 0)
    only = HandFilter(street="river")
    assert [hand.skill for hand in hand_list(folder, player, "skill", 6, only=only).hands] == pytest.approx(river[:6])
    # By money the same hands have the same luck and skill.
    for hand in hand_list(folder, player, count=20).hands:
        assert hand.money == pytest.approx(
            hand.luck + hand.skill + pair.assessments[0].position * (1, -1)[hand.position]
        )


def test_conditions(folder):
    def hands(**conditions):
        return hand_list(folder, "expert", count=1000, only=HandFilter(**conditions)).hands

    every = hands()
    assert {hand.record.final().is_showdown for hand in hands(showdown=True)} == {True}
    assert {hand.record.final().is_showdown for hand in hands(showdown=False)} == {False}
    assert len(hands(showdown=True)) + len(hands(showdown=False)) == len(every)
    assert {hand.position for hand in hands(position="button")} == {1}
    assert {hand.position for hand in hands(position="BB")} == {0}
    assert {len(hand.record.board) for hand in hands(went_to="turn")} == {4, 5}
    assert hands(won=True) == ()
    assert len(hands(won=False)) == len(every)
    suited = [hand.cards[0] for hand in hands(holding="32s+")]
    assert suited
    assert all(cards[1] == cards[4] for cards in suited)
    assert len(hands(versus="random")) == len(every)


def test_rings_and_no_limit_go_by_money(ring):
    found = hand_list(ring, "always-call", count=3)
    lost = sorted(won(record, "always-call") for record in rb.read_hands(ring))
    assert [hand.money for hand in found.hands] == lost[:3]
    assert all(hand.skill is None for hand in found.hands)
    assert "big blinds" in str(found)
    assert {hand.position for hand in hand_list(ring, count=50, only=HandFilter(position="button")).hands} == {2}
    with pytest.raises(AssessmentError, match="luck and skill are DIVAT's, for heads-up limit hold'em"):
        hand_list(ring, "always-call", "skill")


def test_plain_logs():
    found = hand_list(DATA / "2p.limit.h1000.r0.log", "p2", count=3)
    assert len({hand.money for hand in found.hands}) <= 3
    assert found.considered == 1000
    no_limit = hand_list(DATA / "2p.nolimit.h1000.r0.log", "p2", count=2)
    assert [hand.money for hand in no_limit.hands] == [-200.0, -200.0]


def test_a_hand_that_cost_nothing_is_not_among_the_worst(tmp_path):
    rb.play_match("always-fold", "always-raise", hands=10, folder=tmp_path / "m", progress=False)
    found = hand_list(tmp_path / "m", "always-raise")
    assert found.hands == ()
    assert "no such hand cost always-raise anything by money" in str(found)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_lists_are_whole_at_any_width(folder, width):
    out = StringIO()
    found = hand_list(folder, "expert", "skill", 5)
    print_parts(found.parts(), Console(file=out, width=width, color_system=None))
    text = out.getvalue()
    for hand in found.hands:
        assert hand.record.history in text
        assert all(cards in text for cards in hand.cards)
        assert f"{hand.skill:+.2f}" in text
    assert "…" not in text


def test_the_command(folder, capsys):
    command = ["hands", str(folder), "--worst", "3", "--of", "expert", "--by", "skill", "--showdown"]
    code, out, _ = ran(capsys, *command)
    assert code == 0
    assert out.startswith("worst hands of expert by skill | 3 of ")
    assert f"replay the first: railbird replay {folder}" in out
    code, out, _ = ran(capsys, *command, "--json")
    data = json.loads(out)
    assert data["schema"] == "railbird.hands/1"
    assert [hand["skill"] for hand in data["hands"]] == sorted(hand["skill"] for hand in data["hands"])
    assert hand_list(folder, count=2).to_frame().height == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--of", "exprt"], "did you mean 'expert'?"),
        (["--versus", "nobody"], "no player 'nobody'"),
        (["--street", "rivr"], "did you mean 'river'?"),
        (["--by", "lick"], "no kind of cost 'lick'; did you mean 'luck'?"),
        (["--position", "utg"], "no position 'utg' (button, SB, BB)"),
        (["--worst", "3", "--best", "3"], "exclude each other"),
        (["--holding", "QQ++"], "QQ++"),
    ],
)
def test_bad_input_is_refused_in_one_line(folder, capsys, arguments, message):
    code, out, err = ran(capsys, "hands", str(folder), *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_list_of_no_hands_is_refused(folder):
    with pytest.raises(MatchError, match="0 hands; at least 1"):
        hand_list(folder, count=0)


def ran(capsys, *arguments):
    """Exit code, output and error output of a command."""
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    captured = capsys.readouterr()
    return end.value.code or 0, captured.out, captured.err
