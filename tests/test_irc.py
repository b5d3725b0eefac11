"""The IRC poker database: months and texts, betting put together, what is set aside. All hands are invented."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import railbird as rb
from histories import problem_of, read_one, read_text, told
from railbird.cards import cards_text
from railbird.errors import MatchError, RailbirdError
from railbird.formats import irc
from railbird.formats.hand_arrays import Problem
from railbird.formats.irc_betting import Merger, Seating, seatings
from railbird.formats.readers import format_named, hands_in
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem, no_limit_holdem
from random_records import random_record

HAND = """\
766303976   1   455  4  4/40   2/60   2/100  2/140  3s Jc Qd 5c Ah
766303976 4 Ann Bob^ [x] dee|away
Ann         766303976  4  1 Bc  kf  -   -      653   10    0
Bob^        766303976  4  2 Bk  b   b   kc     900   60  140 Kd Kh
[x]         766303976  4  3 c   f   -   -     1000   10    0
dee|away    766303976  4  4 c   c   c   b      500   60    0 Td 9d
"""


def test_a_hand(tmp_path):
    hand = read_one(tmp_path, "irc", HAND)
    assert hand.names == ("Ann", "Bob^", "[x]", "dee|away")
    assert hand.history == "cccc/crfcf/rc/crc"
    assert (hand.game.blinds, hand.game.bet_sizes) == ((5, 10, 0, 0), (10, 10, 20, 20))
    assert (hand.game.stacks, hand.payoffs) == ((653, 900, 1000, 500), (-10, 80, -10, -60))
    assert [cards_text(hole) for hole in hand.holes] == ["", "KdKh", "", "Td9d"]
    assert (hand.telling.hand, hand.telling.time, hand.number) == ("766303976", "1994-04-14 06:12:56", 455)
    assert read_one(tmp_path, "irc", HAND.replace("\n", "\r\n")) == hand
    text = told(tmp_path, "irc", [hand])
    assert [line.split() for line in text.splitlines()] == [line.split() for line in HAND.splitlines()]
    assert format_named("irc").unsaid(hand) == []


def test_bets_of_any_size(tmp_path):
    hand = read_one(tmp_path, "irc", HAND)
    words = [line.split() for line in HAND.splitlines()]
    larger = [[f"{n}/{int(pot) * 30}" for n, pot in (each.split("/") for each in words[0][4:8])]]
    lines = [" ".join([*words[0][:4], *larger[0], *words[0][8:]]), " ".join(words[1])]
    for row in words[2:]:
        lines.append(" ".join([*row[:8], *[str(int(chips) * 30) for chips in row[8:11]], *row[11:]]))
    found = read_one(tmp_path, "irc", "\n".join(lines))
    assert (found.history, found.game.bet_sizes) == (hand.history, (300, 300, 600, 600))
    assert found.payoffs == (-300, 2400, -300, -1800)


def test_a_bet_that_nobody_calls_may_be_counted_or_not(tmp_path):
    bet = """\
700000001 1 1 2 2/20 1/30 0/0 0/0 3s Jc Qd
700000001 2 Ann Bob
Ann 700000001 2 1 Bc b - - 100 20 30
Bob 700000001 2 2 Bk f - - 100 10 0
"""
    for text in (bet, bet.replace("100 20 30", "100 10 20")):
        hand = read_one(tmp_path, "irc", text)
        assert (hand.history, hand.payoffs) == ("cc/rf", (10, -10))


def test_people_who_leave_have_folded(tmp_path):
    text = HAND.replace("3 c   f   -   -", "3 c   Q   -   -").replace("1 Bc  kf  -", "1 Bc  kK  -")
    assert read_one(tmp_path, "irc", text).history == "cccc/crfcf/rc/crc"
    gone = HAND.replace("3 c   f   -   -", "3 c   f   Q   -")
    assert read_one(tmp_path, "irc", gone).history == "cccc/crfcf/rc/crc"
    free = HAND.replace("1 Bc  kf  -", "1 Bc  Q   -")
    hand = read_one(tmp_path, "irc", free)
    assert (hand.history, hand.game.free_fold) == ("cccc/frfc/rc/crc", True)


ALL_IN = """\
700000001 1 1 3 3/30 3/55 2/55 2/55 3s Jc Qd 5c Ah
700000001 3 Ann Bob Cy
Ann 700000001 3 1 Bc k c - 500 20 10
Bob 700000001 3 2 Bk b - - 500 20 0
Cy 700000001 3 3 c A - - 15 15 45 As Ad
"""


def test_somebody_is_all_in(tmp_path):
    text = ALL_IN.replace("1 Bc k c -", "1 Bc kc k k").replace("2 Bk b - -", "2 Bk b k k").replace("2/55", "3/55")
    found = read_text(tmp_path, "irc", HAND + text)
    assert isinstance(found[1], HandRecord), found[1]
    assert (found[1].history, found[1].game.stacks) == ("ccc/crcc/cc/cc", (500, 500, 15))
    assert found[1].payoffs == (-10, -20, 30)
    assert isinstance(read_text(tmp_path, "irc", HAND + ALL_IN)[1], Problem)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("Bob^        766303976", "Bob^        766303977", "incomplete"),
        ("4  2 Bk", "4  1 Bk", "players"),
        ("4  2 Bk", "4  7 Bk", "players"),
        ("4  2 Bk", "5  2 Bk", "players"),
        ("0 Td 9d", "0 Td", "incomplete"),
        ("2 Bk  b ", "2 Bc  b ", "betting"),
        ("2 Bk  b ", "2 Bkk b ", "betting"),
        ("4 c   c ", "4 c   r ", "betting"),
        ("500   60 ", "500   70 ", "betting"),
        ("500   60 ", "50    60 ", "stacks"),
        ("500   60 ", "9999999999999999   60 ", "stacks"),
        ("500   60 ", "5x0   60 ", "stacks"),
        ("2/100", "2/110", "rake"),
        ("4/40", "3/40", "rake"),
        ("140 Kd Kh", "130 Kd Kh", "rake"),
        ("0 Td 9d", "0 Kc Kt", "cards"),
        ("0 Td 9d", "0 Kd 9d", "cards"),
        ("0 Td 9d", "0 Ac Ad", "payoffs"),
        (" 5c Ah", " 5c", "cards"),
        (" 4  4/40", " 25  4/40", "players"),
    ],
)
def test_what_does_not_fit_is_set_aside(before, after, kind, tmp_path):
    assert before in HAND
    other = HAND.replace("766303976", "766303999").replace(" 455 ", " 456 ")
    found = read_text(tmp_path, "irc", HAND.replace(before, after) + other)
    assert isinstance(found[1], HandRecord)
    assert isinstance(found[0], Problem), found[0]
    assert (found[0].kind, found[0].line) == (kind, 1), found[0]
    assert found[0].message.startswith("hand 455: ")


def test_who_is_missing_is_told(tmp_path):
    text = "".join([line for line in HAND.splitlines(keepends=True) if not line.startswith("Bob^")])
    assert problem_of(tmp_path, "irc", text).message == "hand 455: lines of 3 of 4 players, that of 'Bob^' is missing"


def month(folder: Path, hands: list[HandRecord], flat: bool = False) -> Path:
    """The files of a month."""
    files: dict[str, list[str]] = {"hdb": [], "hroster": []}
    for hand in hands:
        first, roster, *players = "".join(format_named("irc").write([hand])).splitlines()
        files["hdb"].append(first)
        files["hroster"].append(roster)
        for line in players:
            name = line.partition(" ")[0]
            files.setdefault(f"pdb.{name}" if flat else f"pdb/pdb.{name}", []).append(line)
    for name, lines in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes("".join([f"{line}\r\n" for line in lines]).encode())
    return folder / "hdb"


def nicknamed(random: Random, game_count: int) -> list[HandRecord]:
    hands = []
    for number in range(game_count):
        game = limit_holdem(random.randint(2, 9), small_bet=10, stack=random.choice((1_000, 1_000, 90)))
        names = tuple(random.sample([f"nick{at}|{{}}" for at in range(30)], game.seats))
        hands.append(replace(random_record(random, game, number), names=names))
    return hands


@pytest.mark.parametrize("flat", [False, True])
def test_a_month(flat, tmp_path, monkeypatch):
    monkeypatch.setattr(irc, "_BATCH", 50)
    monkeypatch.setattr(irc, "_CHUNK", 300)
    hands = nicknamed(Random(5), 400)
    path = month(tmp_path / "month", hands, flat)
    found = list(hands_in(path))
    assert [replace(each, telling=None) for each in found] == hands
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(rb.read_hands(tmp_path)) == len(hands)
    lost = next(iter((tmp_path / "month" / ("." if flat else "pdb")).glob("pdb.*")))
    name = lost.name.removeprefix("pdb.")
    lost.unlink()
    problems = [each for each in hands_in(path) if isinstance(each, Problem)]
    assert len(problems) == sum(name in hand.names for hand in hands) > 10
    assert all(repr(name) in problem.message for problem in problems)
    (path.parent / "hroster").unlink()
    assert len([each for each in hands_in(path) if isinstance(each, Problem)]) == len(problems)


def test_a_month_without_players_is_refused(tmp_path):
    path = month(tmp_path / "month", nicknamed(Random(5), 3))
    for each in (tmp_path / "month" / "pdb").iterdir():
        each.unlink()
    with pytest.raises(MatchError, match=r"no files of players \(pdb\) beside"):
        list(hands_in(path))
    assert isinstance(next(iter(read_text(tmp_path, "irc", HAND.partition("\n")[2]))), Problem)


def test_a_folder_of_a_month_is_read(tmp_path):
    month(tmp_path / "month", nicknamed(Random(5), 20))
    assert len(rb.read_hands(tmp_path / "month")) == 20


@pytest.mark.parametrize("seed", range(3))
def test_random_hands_come_back_as_they_were(seed, tmp_path):
    random = Random(seed)
    games = [limit_holdem(random.randint(2, 9), small_bet=10, stack=1_000) for _ in range(300)]
    hands = [random_record(random, game, number) for number, game in enumerate(games)]
    found = read_text(tmp_path, "irc", told(tmp_path, "irc", hands))
    assert [replace(each, telling=None, names=hand.names) for each, hand in zip(found, hands)] == hands
    assert format_named("irc").unsaid(hands[0]) == ["names that are no names there"]


def test_what_cannot_be_said():
    kind, random = format_named("irc"), Random(1)
    assert "raises have no sizes" in kind.refuses(random_record(random, no_limit_holdem(3)))
    assert "cannot be halved" in kind.refuses(random_record(random, limit_holdem(3, small_bet=3)))
    assert "blinds" in kind.refuses(random_record(random, limit_holdem(3, ante=1)))
    raked = random_record(random, limit_holdem(small_bet=100), raked=True)
    while not raked.rake:
        raked = random_record(random, limit_holdem(small_bet=100), raked=True)
    assert "the house took something" in kind.refuses(raked)


def test_turns_are_put_in_order():
    assert seatings((True, True, False, True)) == [Seating((1, 2, 0, 2), 2)]
    assert [each.first for each in seatings((True, True))] == [0, 1]
    assert seatings((False, False)) == []
    nothing = ("-", "-", "-")
    hand = Merger().hand(Seating((1, 2, 0), 2), [("Brr", "Brc", "rcf"), ("k", "k", "-"), ("b", "f", "-"), nothing])
    assert hand is not None
    assert (hand.history, hand.committed, hand.is_capped) == ("rrrcrcf/cc/rf", (14, 10, 8), False)
    assert Merger().hand(Seating((1, 2, 0), 2), [("Bf", "B", "f"), ("k", "-", "-"), nothing, nothing]) is None


def test_players_alone_are_no_hands(tmp_path):
    path = tmp_path / "pdb.Ann"
    path.write_text(HAND.splitlines()[2])
    assert [each.kind for each in hands_in(path)] == ["not-a-hand"]
    with pytest.raises(RailbirdError):
        rb.read_hands(path)
