"""PHH: read as PokerKit reads it, written as it was, and what is set aside."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from pokerkit import HandHistory

import railbird as rb
from railbird.errors import InvalidRecordError, RailbirdWarning
from railbird.formats.hand_arrays import Problem
from railbird.formats.history import Block
from railbird.formats.phh import parse_hand
from railbird.formats.phh_writing import hand_text, refuses, unsaid, write_hand, write_hands
from railbird.formats.readers import format_named, format_of, hands_in
from railbird.formats.toml_fields import fields_of
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.game.telling import Telling
from test_quick_check import GAMES, random_hand

DATA = Path(__file__).parent / "data" / "phh"
SAMPLES = sorted(DATA.glob("*.phh"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_are_written_as_they_were_and_end_as_pokerkit_says(path):
    [hand] = hands_in(path)
    assert hand_text(hand).rstrip("\n") == path.read_text()
    with path.open("rb") as file:
        *_, state = HandHistory.load(file)
    assert hand.payoffs == tuple(state.payoffs)
    assert hand.telling.time == "2023-06-22"
    assert len(hand.names) == 5


def parsed(text):
    return parse_hand(Block(1, text.splitlines())).record


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.hole_cards == 2])
def test_random_hands_end_as_pokerkit_says(name):
    game, random = GAMES[name], Random(f"phh {name}")
    if name in ("short no-limit 5", "big blind ante"):  # for which PHH has no words, since a blind is short
        game = replace(game, stacks=tuple(max(stack, 200) for stack in game.stacks))
    for _ in range(8):
        hand = random_hand(game, random)
        if why := refuses(hand):
            assert "PHH has no" in why
            continue
        text = hand_text(hand)
        back = parsed(text)
        assert hand_text(back) == text
        assert (back.payoffs, back.names, back.holes, back.board) == (hand.payoffs, hand.names, hand.holes, hand.board)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of folds that are for nothing
            *_, state = HandHistory.loads(text)
        replace(back, payoffs=tuple(state.payoffs)).check()  # the same, whoever gets the odd chip


def test_many_hands_are_numbered_and_a_broken_one_does_not_take_its_neighbour(tmp_path):
    random = Random(3)
    hands = [replace(random_hand(no_limit_holdem(6), random), number=number) for number in range(40)]
    path = tmp_path / "some.txt"
    text = "".join(write_hands(hands))
    path.write_text(text)
    assert format_of(path).name == "phhs"
    found = rb.read_hands(path)
    assert [record.payoffs for record in found] == [hand.payoffs for hand in hands]
    assert "".join(write_hands(found)) == text
    broken = text.replace("[3]\nvariant = 'NT'", "[3]\nvariant = 'PO'").replace("hand = 9\n", "hand = 9\nantes = [0]\n")
    broken = broken.replace("[21]\nvariant", "[21]\nvarient")
    path.write_text(broken)
    kinds = {each.line: (each.kind, each.message) for each in hands_in(path) if isinstance(each, Problem)}
    lines = broken.split("\n")
    assert list(kinds) == [lines.index("[3]") + 1, lines.index("[10]") + 1, lines.index("[21]") + 1]
    assert kinds[lines.index("[3]") + 1][0] == "other-game"
    assert "pot-limit Omaha" in kinds[lines.index("[3]") + 1][1]
    assert kinds[lines.index("[21]") + 1] == ("incomplete", "a hand without variant")
    with pytest.warns(RailbirdWarning, match="3 hands of 40 set aside, the first: .*some.txt:"):
        assert len(rb.read_hands(path)) == 37
    with pytest.raises(InvalidRecordError, match=r"a \.phh file holds one hand; many go into"):
        list(write_hand(hands))


def test_all_fields_are_kept():
    text = hand_text(random_hand(no_limit_holdem(3), Random(4)))
    more = """author = 'Ann'
venue = "The 'Rail'"
city = 'Las Vegas'
time = 18:30:05
time_zone = 'America/Los_Angeles'
day = 6
month = 7
year = 2024
level = 3
seats = [2, 5, 9]
seat_count = 9
table = 'Main'
currency = 'USD'
currency_symbol = '$'
_notes = ['a', {b = 1.5}]
"""
    hand = parsed(text + more)
    told = hand.telling
    assert (told.time, told.zone, told.table) == ("2024-07-06 18:30:05", "America/Los_Angeles", "Main")
    assert (told.seats, told.places, told.currency) == ((2, 5, 9), 9, "USD")
    again = hand_text(hand)
    assert fields_of(again.splitlines()) == fields_of((text + more).splitlines())
    assert hand_text(parsed(again)) == again
    assert HandHistory.loads(again).venue == "The 'Rail'"


CENTS = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [0.05, 0.10]
min_bet = 0.10
starting_stacks = [10, 4.37]
actions = ['d dh p1 AcAd', 'd dh p2 ????', 'p2 cbr 0.35 # a raise', 'p1 cc', 'd db 2c3c4h', 'p1 cbr 0.5', 'p2 cc', \
'd db 9s', 'p1 cc', 'p2 cc', 'd db 9h', 'p1 cc', 'p2 cc', 'p1 sm AcAd', 'p2 sm']
winnings = [1.65, 0]
"""


def test_cents_winnings_rake_and_remarks():
    hand = parsed(CENTS)
    assert hand.game.stacks == (1000, 437)
    assert (hand.payoffs, hand.telling.rake, hand.telling.unit) == ((80, -85), 5, 100)
    assert hand.history == "r35c/r85c/cc/cc"
    assert hand.telling.shown == (True, False)
    text = hand_text(hand)
    assert "# a raise" in text
    assert "finishing_stacks = [10.8, 3.52]" in text
    assert hand_text(parsed(text)) == text
    hand.check()


@pytest.mark.parametrize(
    ("old", "new", "said", "kind"),
    [
        ("winnings = [1.65, 0]", "winnings = [0, 1.65]", "p1 won -85, but the cards and actions give 85", "payoffs"),
        ("winnings = [1.65, 0]", "winnings = [1.05, 0]", "leave 65 of a pot of 170", "rake"),
        ("'p1 cbr 0.5'", "'p2 cbr 0.5'", "p2 played r85 in 'r35c/', but it was the turn of p1", "betting"),
        ("'p1 cbr 0.5'", "'p1 cbr 0.05'", "cannot raise to 40", "betting"),
        ("'d db 2c3c4h'", "'d db 2c3cAc'", "Ac appears twice", "cards"),
        ("'d db 2c3c4h'", "'d db 2c3c'", "no board cards", "unplayable"),
        ("[10, 4.37]", "[10, 1e99]", "is no amount", "not-a-hand"),
        ("[10, 4.37]", f"[{', '.join(['10'] * 24)}]", "24 players", "players"),
        ("'p1 sm AcAd'", "'p1 sm AcAh'", "other cards than were dealt", "cards"),
        ("antes = [0, 0]", "ante_trimming_status = true\nantes = [0, 0.1]", "that are trimmed", "unplayable"),
        ("'p1 cbr 0.5'", "'p1 sd AcAd'", "no action of hold'em", "betting"),
        ("min_bet = 0.10", "min_bet = 0.0000001", "7 digits after the point", "not-a-hand"),
        ("min_bet = 0.10", "min_bet = [[[", "no TOML", "not-a-hand"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, old, new, said, kind):
    path = tmp_path / "some.phh"
    assert old in CENTS
    path.write_text(CENTS.replace(old, new))
    [found] = hands_in(path)
    assert isinstance(found, Problem)
    assert found.kind == kind, found
    assert said in found.message


def test_payoffs_that_nobody_says_are_those_of_the_rules():
    text = CENTS.replace("winnings = [1.65, 0]\n", "")
    assert parsed(text).payoffs == (85, -85)
    with pytest.raises(InvalidRecordError, match="nobody shows"):
        parsed(text.replace("'p1 sm AcAd'", "'p1 sm'").replace("'d dh p1 AcAd'", "'d dh p1 ????'"))


def test_hands_of_matches_and_limits_without_stacks():
    hand = random_hand(limit_holdem(4), Random(9))
    text = hand_text(hand)
    assert "starting_stacks = [inf, inf, inf, inf]" in text
    back = parsed(text)
    assert (back.game, back.payoffs) == (replace(hand.game), hand.payoffs)
    assert unsaid(replace(hand, telling=Telling("bovada", hero=1, time="yesterday", extra=(("a", "b"),)))) == [
        "a time that is no date",
        "whose file it is",
        "other remarks",
    ]
    assert unsaid(replace(hand, game=limit_holdem(4, cap=3))) == ["a cap of other than four bets"]


NO_END = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [inf, 1e3]
actions = ['d dh p1 AcAd', 'd dh p2 7h7s', 'p2 cbr 300', 'p1 cc', 'd db 2c3c4h', 'p1 cbr 350', 'p2 cc', 'd db 5s', \
'p1 cc', 'p2 cc', 'd db 9s', 'p1 cc', 'p2 cc', 'p1 sm AcAd', 'p2 sm 7h7s']
"""


@pytest.mark.parametrize(
    ("given", "stacks", "written"),
    [
        ("[inf, 1e3]", (10**12, 1000), "[inf, 1000]"),
        ("[inf, +inf]", (10**12, 10**12), "[inf, inf]"),
        ("[1e9, 1.5E+3]", (10**9, 1500), "[1000000000, 1500]"),
    ],
)
def test_stacks_without_end_and_numbers_with_an_exponent(given, stacks, written, tmp_path):
    file, again = tmp_path / "a.phh", tmp_path / "b.phh"
    file.write_text(NO_END.replace("[inf, 1e3]", given))
    [hand] = hands_in(file)
    assert (hand.game.stacks, hand.history, hand.payoffs) == (stacks, "r300c/r650c/cc/cc", (650, -650))
    again.write_text(hand_text(hand))
    assert f"starting_stacks = {written}\n" in again.read_text()
    assert ("winnings = [1300, 0]\n" in again.read_text()) == ("inf" in written)
    [back] = hands_in(again)
    assert (back.game, back.payoffs, hand_text(back)) == (hand.game, hand.payoffs, hand_text(hand))
    assert ("stacks without limit" in format_named("pokerstars").unsaid(hand)) == ("inf" in written)


DEAD_ANTE = """\
variant = 'NT'
antes = [255, 0]
blinds_or_straddles = [0, 10]
min_bet = 10
starting_stacks = [inf, 1000]
actions = ['d dh p1 AcAd', 'd dh p2 ????', 'p2 cbr 50', 'p1 cc', 'd db 2c3c4h', 'p1 cbr 50', 'p2 f']
"""


def test_an_ante_of_one_alone_never_comes_back(tmp_path):
    file, again = tmp_path / "a.phh", tmp_path / "b.phh"
    file.write_text(DEAD_ANTE)
    [hand] = hands_in(file)
    assert (hand.game.dead, hand.payoffs) == ((0, 255), (305, -305))  # two players' antes and blinds are told in turn
    again.write_text(hand_text(hand))
    assert "winnings = [355, 0]\n" in again.read_text()
    [back] = hands_in(again)
    assert (back.payoffs, hand_text(back)) == (hand.payoffs, hand_text(hand))


def test_an_hour_that_no_day_has_is_not_written_as_a_time():
    hand = parsed(NO_END)
    late = replace(hand, telling=Telling("pokerstars", time="2014-01-06 24:47:13"))
    assert unsaid(late) == ["a time that is no date"]
    assert "time" not in fields_of(hand_text(late).splitlines())


def test_a_finishing_stack_without_end_says_nothing_and_a_limit_game_may_have_some(tmp_path):
    file = tmp_path / "a.phh"
    file.write_text(NO_END + "finishing_stacks = [inf, 350]\n")
    assert next(hands_in(file)).payoffs == (650, -650)
    limit = NO_END.replace("'NT'", "'FT'").replace("min_bet = 100", "small_bet = 1e2\nbig_bet = 200")
    limit = limit.replace("cbr 300", "cbr 200").replace("cbr 350", "cbr 100")
    for given, stacks in (("[inf, 1e3]", (10**12, 1000)), ("[inf, inf]", None)):
        file.write_text(limit.replace("[inf, 1e3]", given))
        [hand] = hands_in(file)
        assert (hand.game.stacks, hand.history, hand.payoffs) == (stacks, "rc/rc/cc/cc", (300, -300))


@pytest.mark.parametrize("given", ["[-inf, 1000]", "[nan, 1000]", "[1e99, 1000]", "[1e9999, 1000]", "[1e-9, 1000]"])
def test_what_is_no_stack_sets_the_hand_aside(given, tmp_path):
    (tmp_path / "a.phh").write_text(NO_END.replace("[inf, 1e3]", given))
    [found] = hands_in(tmp_path / "a.phh")
    assert isinstance(found, Problem)
