"""Bovada and Ignition histories: what is read, what is set aside, what is written. All hands are invented."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import railbird as rb
from histories import problem_of, read_one, read_text, told
from railbird.cards import cards_text
from railbird.formats.hand_arrays import Problem
from railbird.formats.readers import format_named
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem, no_limit_holdem
from random_records import random_record

OLD = """\
Bovada Hand #1000000001 TBL#900001 HOLDEM  Fixed Limit - 2012-04-01 12:00:00
Seat 1: Dealer [ME] ($200 in chips)
Seat 4: Big Blind ($180.50 in chips)
Dealer [ME] : Set dealer/Bring in spot [1]
Dealer [ME] : Ante/Small Blind $4
Big Blind : Big blind/Bring in $8
*** HOLE CARDS ***
Dealer [ME] : Card dealt to a spot [Ah Td]
Big Blind : Card dealt to a spot [9c 9s]
Dealer [ME] : Raises $16
Big Blind : Calls $8
Card dealt to table [Ac 7d 2s]
Big Blind : Checks
Dealer [ME] : Bets $8
Big Blind : Folds
Dealer [ME] : Return uncalled portion of bet $8
Dealer [ME] : Does not show [Ah Td] (One pair)
Dealer [ME] : Hand result $31
*** SUMMARY ***
Total Pot($32) | Rake ($1)
Board [Ac 7d 2s  ]
Seat 1: Dealer $31 [Does not show]
Seat 4: Big Blind Folded on the FLOP
"""

NEW = """\
Ignition Hand #1000000002 TBL#900001 HOLDEM No Limit - 2016-11-06 17:01:02
Seat 1: Big Blind [ME] ($4.98 in chips)
Seat 2: UTG ($6 in chips)
Seat 3: UTG+1 ($5 in chips)
Seat 4: Dealer ($5.02 in chips)
Seat 6: Small Blind ($9 in chips)
Dealer : Set dealer [3]
UTG+1 : Sitout (wait for bb)
Small Blind : Small Blind $0.02
Table deposit $1.50
Table enter user
Big Blind  [ME] : Big blind $0.05
UTG : Posts dead chip $0.02
UTG : Posts chip $0.05
*** HOLE CARDS ***
Big Blind  [ME] : Card dealt to a spot [7s Jd]
UTG : Card dealt to a spot [2d 3d]
Dealer : Card dealt to a spot [9d Kd]
Small Blind : Card dealt to a spot [4h 4c]
UTG : Checks
Dealer : Raises $0.15 to $0.15
Seat sit down
Small Blind : Folds(timeout)
Small Blind : Seat sit out
Big Blind  [ME] : Calls $0.10
UTG : Folds (disconnect)
UTG : Leave(Auto)
*** FLOP *** [8h 7h 7d]
Big Blind  [ME] : Checks
Table leave user
Dealer : All-in $4.87
Big Blind  [ME] : All-in $4.83
Dealer : Return uncalled portion of bet $0.04
Big Blind  [ME] : Showdown [7s 7h 7d Jd Td] (Three of a kind)
Dealer : Showdown [7h 7d 8h Kd Td] (One pair)
Big Blind  [ME] : Hand result $9.55
UTG : Enter(Auto)
*** SUMMARY ***
Total Pot($10.05)
Board [8h 7h 7d Td 2c]
Seat+1: Big Blind [ME] $9.55  with Three of a kind
Seat+4: Dealer lost with One pair
"""


def test_an_old_limit_hand(tmp_path):
    hand = read_one(tmp_path, "bovada", OLD)
    assert hand.names == ("opponent", "ME")
    assert (hand.game.blinds, hand.game.bet_sizes, hand.game.stacks) == (
        (800, 400),
        (800, 800, 1600, 1600),
        (18050, 20000),
    )
    assert (hand.history, hand.payoffs) == ("rc/crf", (-1600, 1500))
    assert [cards_text(hole) for hole in hand.holes] == ["9c9s", "AhTd"]
    telling = hand.telling
    assert (telling.table, telling.time, telling.hero, telling.rake) == ("900001", "2012-04-01 12:00:00", 1, 100)
    assert (telling.seats, telling.shown, telling.currency) == ((4, 1), (False, False), "USD")
    told(tmp_path, "bovada", [hand])
    assert format_named("bovada").unsaid(hand) == []


def test_a_new_no_limit_hand(tmp_path):
    hand = read_one(tmp_path, "bovada", NEW)
    assert hand.names == ("Small Blind", "ME", "UTG", "Dealer")
    assert (hand.game.blinds, hand.game.dead) == ((2, 5, 5, 0), (0, 0, 2, 0))
    assert hand.game.stacks == (900, 498, 600, 502)
    assert (hand.history, hand.payoffs) == ("cr15fcf/cr502c//", (-2, 457, -7, -498))
    assert (hand.telling.rake, hand.telling.shown) == (50, (False, True, False, True))
    assert dict(hand.telling.extra) == {"brand": "Ignition"}
    told(tmp_path, "bovada", [hand])


def test_files_as_they_come(tmp_path):
    text = (
        "\ufeff" + OLD + "\n\n" + NEW + OLD.replace("0001 ", "0003 ") + "\n\n\n\ufeff" + NEW.replace("0002 ", "0004 ")
    )
    for data in (text, text.replace("\n", "\r\n")):
        found = read_text(tmp_path, "bovada", data)
        assert [each.number % 10 for each in found] == [1, 2, 3, 4]


def test_streets_that_only_the_summary_tells(tmp_path):
    unmarked = OLD.replace("Card dealt to table [Ac 7d 2s]\n", "")
    assert read_one(tmp_path, "bovada", unmarked) == read_one(tmp_path, "bovada", OLD)
    one_by_one = NEW.replace("*** FLOP *** [8h 7h 7d]", "Card dealt to table [8h 7h 7d]").replace(
        "*** SUMMARY", "Card dealt to table [Td]\nCard dealt to table [2c]\n*** SUMMARY"
    )
    assert read_one(tmp_path, "bovada", one_by_one) == read_one(tmp_path, "bovada", NEW)


def test_an_empty_summary_and_a_pot_after_rake(tmp_path):
    whole = OLD[: OLD.index("Total Pot")]
    assert read_one(tmp_path, "bovada", whole) == read_one(tmp_path, "bovada", OLD)
    after = OLD.replace("Total Pot($32) | Rake ($1)", "Total Pot($31)")
    assert read_one(tmp_path, "bovada", after).telling.rake == 100


def test_a_blind_that_is_given_back(tmp_path):
    text = NEW.replace("*** HOLE", "UTG+1 : Posts chip $0.05\nUTG+1 : Return uncalled blind $0.05\n*** HOLE")
    assert read_one(tmp_path, "bovada", text) == read_one(tmp_path, "bovada", NEW)


TOURNAMENT = """\
Bodog.eu Hand #77: HOLDEM Tournament #20 TBL#1, Turbo- Level 2 (20/40) - 2017-12-01 10:00:00
Seat 10: Dealer (1,500 in chips)
Seat 16: Small Blind [ME] (1440 in chips)
Seat 22: Big Blind (30 in chips)
Dealer : Set dealer [1]
Dealer : Ante chip 5
Small Blind  [ME] : Ante chip 5
Big Blind : Ante chip 5
Small Blind  [ME] : Small Blind 20
Big Blind : Big blind 25
*** HOLE CARDS ***
Dealer : Card dealt to a spot [2c 2d]
Small Blind  [ME] : Card dealt to a spot [Ac Ad]
Big Blind : Card dealt to a spot [Kc Kd]
Dealer : Folds
Small Blind  [ME] : Calls 5
*** FLOP *** [8h 7h 7d]
*** TURN *** [8h 7h 7d] [Td]
*** RIVER *** [8h 7h 7d Td] [2h]
Small Blind  [ME] : Showdown [Ac Ad 7h 7d Td] (Two pair)
Big Blind : Mucks [Kc Kd] (Two pair)
Small Blind  [ME] : Hand Result 65
Big Blind : Ranking 2
Small Blind  [ME] : Prize Cash [$10]
*** SUMMARY ***
Total Pot(65)
Board [8h 7h 7d Td 2h]
"""


def test_a_tournament(tmp_path):
    hand = read_one(tmp_path, "bovada", TOURNAMENT)
    assert (hand.game.blinds, hand.game.ante, hand.game.stacks) == ((20, 40, 0), 5, (1440, 30, 1500))
    assert (hand.history, hand.payoffs) == ("fc///", (35, -30, -5))
    assert (hand.telling.unit, hand.telling.currency) == (1, "")
    assert dict(hand.telling.extra) == {"brand": "Bodog.eu", "tournament": "20", "kind": "Turbo", "level": "2"}
    assert told(tmp_path, "bovada", [hand]).splitlines()[0] == TOURNAMENT.splitlines()[0]


BROKEN = {
    "result": (("Hand result $31", "Hand result $33"), "rake"),
    "pot": (("Total Pot($32)", "Total Pot($33)"), "rake"),
    "rake": (("Rake ($1)", "Rake ($2)"), "rake"),
    "too much rake": (("| Rake ($1)", ""), None),
    "winner": (("Dealer [ME] : Hand result", "Big Blind : Hand result"), "payoffs"),
    "uncalled": (("portion of bet $8", "portion of bet $7"), "payoffs"),
    "amount": (("Raises $16", "Raises $17"), "betting"),
    "turn": (("Big Blind : Checks\n", ""), "betting"),
    "cards": (("[9c 9s]", "[9c Ah]"), "cards"),
    "board": (("Board [Ac 7d 2s  ]", "Board [Ac 7d 3s  ]"), "cards"),
    "Omaha": (("HOLDEM  Fixed", "OMAHA  Fixed"), "other-game"),
    "end": (("*** SUMMARY ***", ""), "truncated"),
    "blinds": (("Big Blind : Big blind/Bring in $8\n", ""), "betting"),
    "seats": (("Seat ", "Saet "), "incomplete"),
    "header": (("Hand #1000000001", "Hand #10000000010000000001"), "not-a-hand"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_does_not_agree_is_set_aside(what, tmp_path):
    (before, after), kind = BROKEN[what]
    assert before in OLD
    found = read_text(tmp_path, "bovada", NEW + OLD.replace(before, after) + NEW)
    assert isinstance(found[0], HandRecord)
    assert isinstance(found[2], HandRecord)
    if kind is None:
        assert isinstance(found[1], HandRecord)
        return
    assert isinstance(found[1], Problem), found[1]
    assert (found[1].kind, found[1].line) == (kind, NEW.count("\n") + 1)


@pytest.mark.parametrize("said", ["Flods", "Foldsx [2c 2d]", "All-in", "Posts hcip $0.05", "Hand reslut $1", "[Ah Kd]"])
def test_a_line_of_a_player_that_is_no_action_sets_the_hand_aside(said, tmp_path):
    text = NEW.replace("UTG+1 : Sitout (wait for bb)", f"UTG+1 : {said}")
    found = read_text(tmp_path, "bovada", NEW + text + NEW)
    assert [isinstance(each, HandRecord) for each in found] == [True, False, True]
    assert found[1].message == f"hand 1000000002: 'UTG+1 : {said}' is no action that is known"
    assert (found[1].kind, found[1].line) == ("not-a-hand", NEW.count("\n") + 1)


@pytest.mark.parametrize(
    "said",
    ["Sit out", "Stand", "Re-join", "Seat stand", "Table deposit $5", "BOUNTY PRIZE [$5]", "Draw for dealer [9c]"],
)
def test_lines_that_are_no_part_of_the_game(said, tmp_path):
    text = NEW.replace("UTG+1 : Sitout (wait for bb)", f"UTG+1 : {said}")
    assert read_one(tmp_path, "bovada", text) == read_one(tmp_path, "bovada", NEW)


def test_cards_that_were_shown_must_be_known(tmp_path):
    hidden = NEW.replace("Dealer : Card dealt to a spot [9d Kd]\n", "")
    assert "'Dealer' showed cards that are not known" in problem_of(tmp_path, "bovada", hidden).message


def test_the_owner_is_one_player_in_all_hands(tmp_path):
    path = tmp_path / "own.txt"
    swapped = OLD.replace("Dealer [ME]", "Dealer").replace("Big Blind :", "Big Blind  [ME] :")
    path.write_text(OLD + "\n\n" + swapped.replace("Big Blind (", "Big Blind [ME] (").replace("0001 ", "0002 "))
    hands = rb.read_hands(path)
    assert [hand.names for hand in hands] == [("opponent", "ME"), ("ME", "opponent")]
    assert [hand.telling.hero for hand in hands] == [1, 0]


@pytest.mark.parametrize("seed", range(4))
def test_random_hands_come_back_as_they_were(seed, tmp_path):
    random, kind = Random(seed), format_named("bovada")
    hands = [random_record(random, number=number, raked=number % 3 == 0) for number in range(150)]
    hands = [hand for hand in hands if not kind.refuses(hand)]
    assert len(hands) > 120
    found = read_text(tmp_path, "bovada", told(tmp_path, "bovada", hands))
    assert [replace(each, telling=None, names=hand.names) for each, hand in zip(found, hands)] == hands
    assert kind.unsaid(hands[0]) == ["the names of the players"]


def test_matches_come_back_as_they_were(tmp_path):
    for game in (limit_holdem(stack=40), no_limit_holdem(4, stack=700)):
        folder = tmp_path / game.name
        rb.play_match(*["random"] * game.seats, game=game, hands=60, seed=3, progress=False, folder=folder)
        hands = rb.read_hands(folder)
        found = read_text(tmp_path, "bovada", told(tmp_path, "bovada", hands))
        assert [replace(each, telling=None, names=hand.names) for each, hand in zip(found, hands)] == hands


def test_from_room_to_room(tmp_path):
    own = read_one(tmp_path, "bovada", NEW)
    there = read_one(tmp_path, "pokerstars", told(tmp_path, "pokerstars", [own]))
    assert replace(there, telling=None) == replace(own, telling=None)
    back = read_one(tmp_path, "bovada", told(tmp_path, "bovada", [there]))
    assert replace(back, telling=None, names=own.names) == replace(own, telling=None)
    assert format_named("pokerstars").unsaid(own)[-1] == "what only bovada tells"


def test_levels_from_room_to_room(tmp_path):
    own = read_one(tmp_path, "bovada", TOURNAMENT)
    there = read_one(tmp_path, "pokerstars", told(tmp_path, "pokerstars", [own]))
    assert dict(there.telling.extra)["level"] == "Level II"
    back = read_one(tmp_path, "bovada", told(tmp_path, "bovada", [replace(there, names=own.names)]))
    assert (back.payoffs, dict(back.telling.extra)["level"]) == (own.payoffs, "2")


def test_a_hand_without_its_first_line_stays_apart(tmp_path):
    found = read_text(tmp_path, "bovada", OLD + OLD.partition("\n")[2] + OLD)
    assert [isinstance(each, HandRecord) for each in found] == [True, False, True]


def test_what_cannot_be_said(tmp_path):
    kind = format_named("bovada")
    game = replace(no_limit_holdem(3), blinds=(0, 0, 0), ante=5)
    no_blinds = HandRecord(game, 1, ("a", "b", "c"), ((),) * 3, (), "r500ff", (10, -5, -5))
    assert "do not tell the bets" in kind.refuses(no_blinds)
    assert "otherwise" in kind.refuses(replace(no_blinds, game=limit_holdem(3, small_bet=2, big_bet=6)))
    wrong = problem_of(tmp_path, "bovada", OLD.replace("Hand result $31", "Hand result $3"))
    assert wrong.message.startswith("hand 1000000001: ")
