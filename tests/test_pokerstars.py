"""PokerStars histories: what is read, what is set aside and why, what is written. All hands but two are invented."""

from __future__ import annotations

import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import railbird as rb
from histories import problem_of, read_one, read_text, told
from railbird.cards import cards_text, parse_cards
from railbird.formats import table_replay
from railbird.formats.hand_arrays import Problem
from railbird.formats.pokerstars_text import hand_words
from railbird.formats.readers import format_named
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.game.telling import Telling
from random_records import random_record

DATA = Path(__file__).parent / "data" / "pokerstars"

HAND = """\
PokerStars Hand #1000000017:  Hold'em No Limit ($0.05/$0.10 USD) - 2014/01/06 7:47:13 ET
Table 'Ann's own' 6-max Seat #2 is the button
Seat 1: Bob: folds ($10.62 in chips)
Seat 2: Bob ($19.96 in chips)
Seat 4: $5 (big) [x] ($3 in chips)
Seat 5: away ($7 in chips) is sitting out
Bob: leaves the table
$5 (big) [x]: posts small blind $0.05
Bob: folds: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Bob [Ah Kd]
Bob: raises $0.20 to $0.30
$5 (big) [x]: calls $0.25
watcher said, "Bob: folds: folds"
Bob: folds: calls $0.20
*** FLOP *** [2s Th 2h]
$5 (big) [x]: checks
Bob: folds: checks
Bob: bets $0.50
$5 (big) [x]: raises $2.20 to $2.70 and is all-in
Bob: folds: folds
Bob: calls $2.20
*** TURN *** [2s Th 2h] [Qh]
*** RIVER *** [2s Th 2h Qh] [8h]
*** SHOW DOWN ***
$5 (big) [x]: shows [Td Tc] (a full house, Tens full of Deuces)
Bob: mucks hand
$5 (big) [x] collected $6 from pot
*** SUMMARY ***
Total pot $6.30 | Rake $0.30
Board [2s Th 2h Qh 8h]
Seat 1: Bob: folds (big blind) folded on the Flop
Seat 2: Bob (button) mucked [Ah Kd]
Seat 4: $5 (big) [x] (small blind) showed [Td Tc] and won ($6) with a full house, Tens full of Deuces
"""


@pytest.mark.parametrize("name", ["fixed_limit_1", "no_limit_1"])
def test_samples_are_read_and_written_as_they_are(name, tmp_path):
    sample = (DATA / f"{name}.txt").read_text(encoding="utf-8-sig")
    hand = read_one(tmp_path, "pokerstars", sample)
    kept = [line for line in sample.splitlines() if "said," not in line and "sits out" not in line]
    lines = told(tmp_path, "pokerstars", [hand]).splitlines()
    assert [line.rstrip() for line in lines if line] == [
        line.rstrip() for line in kept if "doesn't show" not in line and line
    ]
    assert format_named("pokerstars").unsaid(hand) == []


def test_the_limit_sample(tmp_path):
    (hand,) = rb.read_hands(DATA / "fixed_limit_1.txt")
    assert (hand.number, hand.history, hand.payoffs) == (109679365424, "fffffffrf", (50, -50, 0, 0, 0, 0, 0, 0, 0))
    assert hand.names[:2] == ("AMSH78", "serrulit")
    assert (hand.game.blinds[:3], hand.game.bet_sizes) == ((25, 50, 0), (50, 50, 100, 100))
    assert hand.game.stacks == (1685, 600, 2285, 1450, 4048, 2852, 1351, 1266, 230)
    telling = hand.telling
    assert (telling.source, telling.table, telling.currency) == ("pokerstars", "Melpomene II 40-100 bb", "USD")
    assert (telling.time, telling.zone, telling.unit) == ("2014-01-06 06:15:36", "ET", 100)
    assert (telling.seats, telling.places) == ((1, 2, 3, 5, 6, 7, 8, 9, 10), 10)


def test_names_and_chat_cannot_imitate_actions(tmp_path):
    hand = read_one(tmp_path, "pokerstars", HAND)
    assert hand.names == ("$5 (big) [x]", "Bob: folds", "Bob")
    assert hand.history == "r30cc/ccr80r300fc//"
    assert hand.payoffs == (300, -30, -300)
    assert cards_text(hand.board) == "2sTh2hQh8h"
    assert [cards_text(hole) for hole in hand.holes] == ["TdTc", "", "AhKd"]
    assert (hand.telling.hero, hand.telling.shown, hand.telling.rake) == (2, (True, False, False), 30)
    assert hand.game.stacks == (300, 1062, 1996)
    assert "Bob: folds: folds" in told(tmp_path, "pokerstars", [hand])


def test_an_observer_with_a_name_like_an_action(tmp_path):
    lines = HAND.replace("watcher said", "Bob: folds said").replace("*** TURN", 'Bob: checks said, "x"\n*** TURN')
    assert read_one(tmp_path, "pokerstars", lines) == read_one(tmp_path, "pokerstars", HAND)


def test_files_as_they_come(tmp_path):
    glued = "\ufeff" + HAND + HAND.replace("17:", "18:") + "\n\n\n" + "\ufeff" + HAND.replace("17:", "19:") + "\n"
    for text in (glued, glued.replace("\n", "\r\n"), glued.replace("\n", "\r")):
        found = read_text(tmp_path, "pokerstars", text)
        assert [each.number for each in found] == [1000000017, 1000000018, 1000000019]
    windows = HAND.replace("Bob", "Bób").encode("cp1252")
    (hand,) = read_text(tmp_path, "pokerstars", windows)
    assert hand.names[-1] == "Bób"


def test_a_broken_hand_never_takes_its_neighbour(tmp_path):
    cut = HAND[: HAND.index("*** RIVER")]
    found = read_text(tmp_path, "pokerstars", "hello\n" + HAND + cut + HAND + "\n" + cut)
    kinds = [each.kind if isinstance(each, Problem) else "hand" for each in found]
    assert kinds == ["not-a-hand", "hand", "truncated", "hand", "truncated"]
    lines = HAND.count("\n")
    assert found[2].line == 2 + lines
    assert str(found[2]).endswith("hand 1000000017: it ends before its summary (left out)")


def test_a_hand_without_its_first_line_stays_apart(tmp_path):
    _, _, headless = HAND.partition("\n")
    _, _, seats = headless.partition("\n")
    foreign = "Bovada Hand #1 TBL#2 HOLDEM  Fixed Limit\nTotal pot $1 | Rake $0\n"
    found = read_text(tmp_path, "pokerstars", HAND + headless + HAND + "\n\n" + seats + HAND + foreign)
    kinds = [each.kind if isinstance(each, Problem) else "hand" for each in found]
    assert kinds == ["hand", "not-a-hand", "hand", "not-a-hand", "hand", "not-a-hand"]
    assert "Table 'Ann" in found[1].message
    assert found[1].line == 1 + HAND.count("\n")


def test_a_name_with_a_colon_wins(tmp_path):
    text = HAND.replace("$5 (big) [x]", "Bob: calls").replace("Bob: leaves the table\n", "")
    assert read_one(tmp_path, "pokerstars", text).payoffs == read_one(tmp_path, "pokerstars", HAND).payoffs


BROKEN = {
    "payoffs": ("$5 (big) [x] collected $6 from pot", "Bob collected $6 from pot"),
    "rake": ("| Rake $0.30", "| Rake $0.20"),
    "pot": ("Total pot $6.30", "Total pot $6.40"),
    "call": ("Bob: calls $2.20", "Bob: calls $2.10"),
    "turn": ("Bob: bets $0.50", "Bob: folds: bets $0.50"),
    "small raise": ("raises $0.20 to $0.30", "raises $0.05 to $0.15"),
    "card twice": ("shows [Td Tc]", "shows [Th Tc]"),
    "another holding": ("mucked [Ah Kd]", "mucked [Ah Kc]"),
    "no card": ("shows [Td Tc]", "shows [1d Tc]"),
    "another board": ("Board [2s Th 2h Qh 8h]", "Board [2s Th 2h Qh 9h]"),
    "streets": ("*** RIVER *** [2s Th 2h Qh] [8h]", "*** RIVER *** [2s Th 2c Qh] [8h]"),
    "stack": ("$5 (big) [x] ($3 in chips)", "$5 (big) [x] ($2 in chips)"),
    "no amount": ("posts small blind $0.05", "posts small blind $0.055"),
    "missing street": ("*** RIVER *** [2s Th 2h Qh] [8h]\n", ""),
    "no pot": ("Total pot", "Total"),
    "a name twice": ("Seat 5: away", "Seat 5: Bob"),
    "twice the boards": ("*** TURN ***", "*** FIRST TURN ***"),
    "run twice": ("Board [", "Hand was run twice\nFIRST Board ["),
    "cashed out": ("*** TURN ***", "Bob cashed out the hand for $3 | Cash Out Fee $0.03\n*** TURN ***"),
    "Omaha": ("Hold'em No Limit", "Omaha Pot Limit"),
    "short deck": ("Hold'em No Limit", "6+ Hold'em No Limit"),
    "cap": ("($0.05/$0.10 USD)", "($0.05/$0.10 - $2 Cap -  USD)"),
    "table": ("Table 'Ann's own'", "Tabel 'Ann's own'"),
}
KINDS = {
    "rake": "rake",
    "pot": "rake",
    "payoffs": "payoffs",
    "no amount": "not-a-hand",
    "missing street": "cards",
    "no pot": "truncated",
    "a name twice": "players",
    "table": "incomplete",
    **dict.fromkeys(("call", "turn", "small raise", "stack"), "betting"),
    **dict.fromkeys(("card twice", "another holding", "no card", "another board", "streets"), "cards"),
    **dict.fromkeys(("twice the boards", "run twice", "cashed out"), "unplayable"),
    **dict.fromkeys(("Omaha", "short deck", "cap"), "other-game"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_does_not_agree_is_set_aside(what, tmp_path):
    before, after = BROKEN[what]
    assert before in HAND
    problem = problem_of(tmp_path, "pokerstars", HAND.replace(before, after))
    assert problem.kind == KINDS[what], problem
    assert "hand 1000000017" in problem.message
    assert (problem.line, problem.skipped) == (1, True)


def test_reasons_are_given(tmp_path):
    def why(what):
        return problem_of(tmp_path, "pokerstars", HAND.replace(*BROKEN[what])).message

    assert why("call").endswith("'Bob' calls 210 where 220 is to be called, after 'r30cc/ccr80r300f'")
    assert why("turn").endswith("acts (b) when it is the turn of 'Bob', after 'r30cc/cc'")
    assert why("payoffs").endswith("'$5 (big) [x]' has -300: cards and betting give +330")
    assert why("pot").endswith("a pot of 640, but 630 was put in")
    assert "Omaha Pot Limit" in why("Omaha")


@pytest.mark.parametrize(
    "line",
    [
        "Bob: flods",
        "Bob: folds again",
        "Bob: calls $2 or so",
        "Bob: posts bilnd $0.10",
        "Bob: shows his hand",
        "Bob: folds: cheks",
        "Bob: bets",
        "Bob: " + "x" * 2_000,
    ],
)
def test_a_line_of_a_player_that_is_no_action_sets_the_hand_aside(line, tmp_path):
    for text in (HAND, HAND.replace("Bob: folds", "Ann").replace("$5 (big) [x]", "Eve")):  # with and without colons
        if line.startswith("Bob: folds:"):
            line = line.replace("Bob: folds:", "Ann:") if "Ann: " in text else line
        found = read_text(tmp_path, "pokerstars", HAND + text.replace("*** TURN", f"{line}\n*** TURN") + HAND)
        assert [isinstance(each, HandRecord) for each in found] == [True, False, True]
        assert (found[1].kind, found[1].line) == ("not-a-hand", HAND.count("\n") + 1)
        assert f"hand 1000000017: '{line[:20]}" in found[1].message
        assert "is no action that is known" in found[1].message


def test_a_hand_is_not_read_without_what_a_player_did(tmp_path):
    # Without Cy's line the rest would still fit: Cy would not be in the hand.
    text = TOURNAMENT.replace("Ann: calls 15\nUncalled bet (15) returned to Ann\n", "").replace(
        "Cy: posts", "Cy: psots"
    )
    assert "'Cy: psots the ante 3' is no action" in problem_of(tmp_path, "pokerstars", text).message


@pytest.mark.parametrize(
    "said",
    [
        "sits out",
        "is sitting out ",
        "doesn't show hand",
        "mucks hand",
        "shows [Ah]",
        "leaves the table",
        "x joins the table at seat #3",
        "x has timed out while being disconnected",
        "x is disconnected",
        "x was removed from the table for failing to post",
        "x will be allowed to play after the button",
        'checks said, "Bob: flods"',
        "bets wins the $5 bounty for eliminating Ann",
    ],
)
def test_lines_that_are_no_part_of_the_game(said, tmp_path):
    for text in (HAND, HAND.replace("Bob: folds", "Ann")):
        spoken = text.replace("*** TURN", f"Bob: {said}\n*** TURN")
        assert read_one(tmp_path, "pokerstars", spoken) == read_one(tmp_path, "pokerstars", text)


LIMIT = """\
PokerStars Game #22: Hold'em Limit ($2/$4 USD) - 2009/07/01 12:30:05 ET
Table 'Lyra' 9-max Seat #5 is the button
Seat 2: new ($40 in chips)
Seat 3: Ann ($60 in chips)
Seat 5: Bob ($30.50 in chips)
Seat 8: Cy ($1.50 in chips)
Seat 9: Dee ($100 in chips)
Cy: posts small blind $1
Dee: posts big blind $2
new: posts small & big blinds $3
*** HOLE CARDS ***
new: checks
Ann: raises $2 to $4
Bob: folds
Cy: calls $0.50 and is all-in
Dee: calls $2
new: calls $2
*** FLOP *** [9c 8d 2h]
Dee: checks
new: bets $2
Ann: calls $2
Dee: folds
*** TURN *** [9c 8d 2h] [Ac]
new: checks
Ann: checks
*** RIVER *** [9c 8d 2h Ac] [As]
new: checks
Ann: checks
*** SHOW DOWN ***
new: shows [Kc Ks] (two pair, Aces and Kings)
Ann: shows [Kd Kh] (two pair, Aces and Kings)
new collected $5.75 from side pot
Ann collected $5.75 from side pot
Cy: shows [Ah Qd] (three of a kind, Aces)
Cy collected $6.50 from main pot
*** SUMMARY ***
Total pot $18.50 Main pot $7. Side pot $11.50. | Rake $0.50 | Jackpot Fee $0
Board [9c 8d 2h Ac As]
Seat 8: Cy (small blind) showed [Ah Qd] and won ($6.50) with three of a kind, Aces
"""


def test_missed_blinds_all_ins_side_pots_and_split_pots(tmp_path):
    hand = read_one(tmp_path, "pokerstars", LIMIT)
    assert hand.names == ("Cy", "Dee", "new", "Ann", "Bob")
    assert (hand.game.blinds, hand.game.dead) == ((100, 200, 200, 0, 0), (0, 0, 100, 0, 0))
    assert hand.game.max_raises == (3, 4, 4, 4)
    assert hand.history == "crfccc/crcf/cc/cc"
    assert hand.payoffs == (500, -400, -125, -25, 0)
    assert hand.telling.rake == 50
    assert "new: posts small & big blinds $3" in told(tmp_path, "pokerstars", [hand])


TOURNAMENT = """\
PokerStars Hand #31: Tournament #456, $10.00+$1.00 USD Hold'em No Limit - Level II (15/30) - 2016/05/01 10:00:00 CET \
[2016/05/01 4:00:00 ET]
Table '456 12' 9-max Seat #9 is the button
Seat 1: Ann (1500 in chips, $5 bounty)
Seat 4: Bob (18 in chips)
Seat 9: Cy (1485 in chips) is sitting out
Seat 10: Dee (1200 in chips) out of hand (moved from another table into small blind)
Ann: posts the ante 3
Bob: posts the ante 3
Cy: posts the ante 3
Ann: posts small blind 15
Bob: posts big blind 15 and is all-in
*** HOLE CARDS ***
Dealt to Ann [2c 2d]
Cy: folds
Ann: calls 15
Uncalled bet (15) returned to Ann
*** FLOP *** [9c 8d 2h]
*** TURN *** [9c 8d 2h] [Ac]
*** RIVER *** [9c 8d 2h Ac] [As]
*** SHOW DOWN ***
Ann: shows [2c 2d] (a full house, Deuces full of Aces)
Bob: shows [Kd Kh] (two pair, Aces and Kings)
Ann collected 39 from pot
*** SUMMARY ***
Total pot 39 | Rake 0
Board [9c 8d 2h Ac As]
"""


def test_a_tournament(tmp_path):
    text = TOURNAMENT.replace("Ann: calls 15\nUncalled bet (15) returned to Ann\n", "")
    hand = read_one(tmp_path, "pokerstars", text)
    assert hand.names == ("Ann", "Bob", "Cy")
    assert (hand.game.blinds, hand.game.ante, hand.game.stacks) == ((15, 30, 0), 3, (1500, 18, 1485))
    assert (hand.history, hand.payoffs) == ("f///", (21, -18, -3))
    telling = hand.telling
    assert (telling.currency, telling.unit, telling.time, telling.zone) == ("", 1, "2016-05-01 10:00:00", "CET")
    assert dict(telling.extra) == {
        "tournament": "456",
        "buy-in": "$10.00+$1.00 USD",
        "level": "Level II",
        "also": "2016/05/01 4:00:00 ET",
    }
    written = told(tmp_path, "pokerstars", [hand])
    assert written.splitlines()[0].replace(":  ", ": ") == TOURNAMENT.splitlines()[0]
    assert "acts (c) when the hand is over" in problem_of(tmp_path, "pokerstars", TOURNAMENT).message


KINDS_OF_GAMES = {
    "PokerStars Zoom Hand #1:  Hold'em No Limit ($0.05/$0.10)": ("USD", 100, {"room": "Zoom"}),
    "PokerStars Home Game Hand #1: {Ann's} Hold'em No Limit (€0.05/€0.10 EUR) - 2014/01/06 7:47:13 ET": (
        "EUR",
        100,
        {"room": "Home Game", "club": "Ann's"},
    ),
    "PokerStars Home Game Hand #1: {The Captains} Hold'em No Limit ($0.05/$0.10 USD)": (
        "USD",
        100,
        {"room": "Home Game", "club": "The Captains"},
    ),
    "PokerStars Game #1:  Hold'em No Limit ($0.05/$0.10) - 2007/05/01 - 12:00:00 (ET)": ("USD", 100, {"word": "Game"}),
    "PokerStars Hand #1: Hold'em No Limit (0.05/0.10)": ("", 100, {}),
    "PokerStars Hand #1: Mixed NLH/PLO (Hold'em No Limit, £0.05/£0.10 GBP)": ("GBP", 100, {"mix": "Mixed NLH/PLO"}),
}


@pytest.mark.parametrize("first", KINDS_OF_GAMES)
def test_kinds_of_games(first, tmp_path):
    currency, unit, extra = KINDS_OF_GAMES[first]
    sign = {"USD": "$", "EUR": "€", "GBP": "£", "": ""}[currency]
    rest = HAND.partition("\n")[2].replace("$5 (", "5 (").replace("$", sign)
    hand = read_one(tmp_path, "pokerstars", f"{first}\n{rest}")
    assert (hand.telling.currency, hand.telling.unit, dict(hand.telling.extra)) == (currency, unit, extra)
    assert hand.payoffs == (300, -30, -300)
    told(tmp_path, "pokerstars", [hand])


def test_play_money(tmp_path):
    money = read_one(tmp_path, "pokerstars", HAND)
    play = money.telling._replace(currency="", unit=1, extra=(("play money", "yes"),))
    text = told(tmp_path, "pokerstars", [replace(money, telling=play)])
    assert "Hold'em No Limit (5/10)" in text
    assert "6-max (Play Money) Seat #2" in text
    hand = read_one(tmp_path, "pokerstars", text)
    assert hand == replace(money, telling=play)


def test_more_raises_between_two_players_lift_the_cap(tmp_path):
    game = replace(limit_holdem(cap=None, small_bet=200, stack=10_000), name="limit")
    hand = HandRecord(game, 5, ("Ann", "Bob"), ((), ()), (), "rrrrrrrf", (-1400, 1400))
    hand.check()
    (found,) = read_text(tmp_path, "pokerstars", told(tmp_path, "pokerstars", [hand]))
    assert replace(found, telling=None) == hand
    three = replace(limit_holdem(3, small_bet=200, stack=10_000), max_raises=(None,) * 4)
    end = Betting.start(three).play("crrcrcrcrcrff")
    more = HandRecord(three, 6, ("Ann", "Bob", "Cy"), ((),) * 3, (), end.history, payoffs(end))
    text = "".join(format_named("pokerstars").write([more]))
    assert "capped at 4 bets" in problem_of(tmp_path, "pokerstars", text).message


def test_a_free_fold_is_allowed(tmp_path):
    text = HAND.replace("Bob: folds: checks\nBob: bets", "Bob: folds: folds\nBob: bets").replace(
        "and is all-in\nBob: folds: folds\n", "and is all-in\n"
    )
    hand = read_one(tmp_path, "pokerstars", text)
    assert hand.game.free_fold
    assert hand.history == "r30cc/cfr80r300c//"
    told(tmp_path, "pokerstars", [hand])


@pytest.mark.parametrize("seed", range(4))
def test_random_hands_come_back_as_they_were(seed, tmp_path):
    random = Random(seed)
    hands = [random_record(random, number=number, raked=number % 3 == 0) for number in range(150)]
    text = told(tmp_path, "pokerstars", hands)
    found = read_text(tmp_path, "pokerstars", text)
    assert [replace(each, telling=None) for each in found] == hands


def test_both_ways_of_replaying_are_the_same(tmp_path, monkeypatch):
    random = Random(9)
    hands = [random_record(random, number=number, raked=number % 2 == 0) for number in range(200)]
    text = told(tmp_path, "pokerstars", hands)
    lines = text.split("\n")
    for place in random.sample(range(len(lines)), 60):  # and so are the reasons
        lines[place] = lines[place].replace("calls 1", "calls 2").replace("checks", "folds").replace("folds", "checks")
    found = []
    for hands_before in (0, 10_000):
        monkeypatch.setattr(table_replay, "patience", lambda count=hands_before: count)
        found.append([read_text(tmp_path, "pokerstars", each) for each in (text, "\n".join(lines))])
    assert found[0] == found[1]
    assert any(isinstance(each, Problem) for each in found[0][1])


def test_matches_come_back_as_they_were(tmp_path):
    for game in (limit_holdem(6, stack=30), no_limit_holdem(3, stack=700)):
        bots = ["random"] * game.seats
        folder = tmp_path / game.name
        rb.play_match(*bots, game=game, hands=60, seed=3, progress=False, folder=folder)
        hands = [replace(hand, names=tuple("abcdef"[: game.seats])) for hand in rb.read_hands(folder)]
        found = read_text(tmp_path, "pokerstars", told(tmp_path, "pokerstars", hands))
        assert [replace(each, telling=None) for each in found] == hands


def test_what_cannot_be_said(tmp_path):
    kind = format_named("pokerstars")
    plain = HandRecord(limit_holdem(), 3, ("Ann", "Ann "), ((), ()), (), "f", (1, -1))
    assert kind.unsaid(plain) == ["stacks without limit", "names that are no names of a room"]
    assert told(tmp_path, "pokerstars", [plain]).count("Ann (2)") == 4
    half = replace(plain, payoffs=(0.5, -0.5))
    assert kind.refuses(half) == "its payoffs have parts of a chip"
    assert "not played there" in kind.refuses(replace(plain, game=rb.kuhn_poker()))
    told_elsewhere = Telling("phh", currency="KRW", unit=1000, extra=(("event", "x"),))
    assert kind.unsaid(replace(plain, telling=told_elsewhere))[-2:] == ["the currency", "what only phh tells"]
    odd = replace(plain, game=replace(limit_holdem(), first_to_act=(1, 1, 0, 0)))
    assert "begins a street" in kind.refuses(odd)


def test_stakes_below_the_blinds_are_written_as_they_are_or_not_at_all(tmp_path):
    game = replace(no_limit_holdem(4), blinds=(50, 100, 0, 0), bet_sizes=(1,) * 4, stacks=(500,) * 4)
    odd = HandRecord(game, 3, ("Ann", "Bob", "Cid", "Dee"), ((),) * 4, (), "fff", (-50, 50, 0, 0))
    text = told(tmp_path, "pokerstars", [odd])
    assert "Hold'em No Limit (1/1)" in text
    assert read_one(tmp_path, "pokerstars", text).payoffs == odd.payoffs
    assert format_named("bovada").refuses(odd) == "the blinds that were posted do not tell the bets"


def test_words_for_hands():
    def words(cards):
        return hand_words(rb.rank(cards))

    assert words("AsKsQsJsTs") == "a Royal Flush"
    assert words("9s8s7s6s5s") == "a straight flush, Five to Nine"
    assert words("6s6c6d6hAc") == "four of a kind, Sixes"
    assert words("KsKcKd3c3h") == "a full house, Kings full of Threes"
    assert words("KsJs9s4s2s") == "a flush, King high"
    assert words("7s7c7dKhQc") == "three of a kind, Sevens"
    assert words("KsJc9s4s2s") == "high card King"
    assert len(parse_cards("KsJc9s4s2s")) == 5


def test_memory_does_not_grow_with_the_file(tmp_path):
    peaks = []
    for count in (400, 2_400):
        path = tmp_path / "many.txt"
        path.write_text(HAND * count)
        tracemalloc.start()
        assert sum(isinstance(each, HandRecord) for each in rb.hands_in(path)) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 1_500_000 < 10_000_000


def test_a_line_without_end_and_a_hand_without_end_cost_little(tmp_path):
    start = time.process_time()
    lines = HAND.replace("*** TURN", "x" * 3_000_000 + "\n*** TURN", 1)
    assert isinstance(read_text(tmp_path, "pokerstars", lines)[0], HandRecord)
    endless = HAND[: HAND.index("*** TURN")] + 'Bob said, "x"\n' * 200_000
    assert problem_of(tmp_path, "pokerstars", endless).kind == "truncated"
    assert time.process_time() - start < 20
