"""Skill and luck of any game: all-in equity and the luck of the streets, held against naive twins and known sums."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

import naive
import railbird as rb
from acpc_logs import DATA, LINES, log, ran
from railbird.assess.card_luck import card_luck
from railbird.assess.player_sums import SumsByTable
from railbird.cards import parse_cards
from railbird.errors import AssessmentError
from railbird.formats import log_pieces
from railbird.formats.left_out import LeftOut
from railbird.formats.readers import format_named
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.game.telling import Telling
from railbird.odds.divided_pots import Pot, shares_of_pots
from railbird.play.limit_lines import LimitLines, all_in_words
from railbird.play.match_logs import arrays_of
from railbird.store.seat_counts import seat_counts
from railbird.words import rate


def naive_shares(holes, board, contenders, folded):
    """The share of each contender, every board dealt and ranked in plain Python."""
    seen = {*board, *(card for hole in (*holes, *folded) for card in hole)}
    deck = [card for card in range(52) if card not in seen]
    won, boards = dict.fromkeys(contenders, 0.0), 0
    for more in combinations(deck, 5 - len(board)):
        ranks = {at: naive.rank([*holes[at], *board, *more]) for at in contenders}
        best = [at for at in contenders if ranks[at] == max(ranks.values())]
        boards += 1
        for at in best:
            won[at] += 1 / len(best)
    return [won.get(at, 0.0) / boards for at in range(len(holes))]


@pytest.mark.parametrize("known", [4, 5])
def test_shares_are_those_of_a_naive_twin(known):
    random = Random(5)
    for seats in (2, 3, 5):
        cards = random.sample(range(52), 2 * seats + 5)
        holes = tuple((cards[2 * at], cards[2 * at + 1]) for at in range(seats))
        board, contenders = tuple(cards[2 * seats : 2 * seats + known]), tuple(range(1, seats))
        found = shares_of_pots([Pot(holes, board, contenders, 1)])[0]
        assert found == pytest.approx(naive_shares(holes, board, contenders, [holes[0]]))


def test_shares_before_the_flop_are_right_on_average_and_always_the_same():
    holes = tuple(map(parse_cards, ("AsKs", "QdQh", "7c7d", "")))
    pots = [Pot(holes, (), (0, 1, 2), stream) for stream in range(50)]
    found = shares_of_pots(pots)
    exact = [each.share for each in rb.equity(["AsKs", "QdQh", "7c7d"])]
    assert found.mean(axis=0)[:3] == pytest.approx(exact, abs=0.005)
    assert found[:, :3].std(axis=0).max() < 0.02
    assert (shares_of_pots(pots) == found).all()


def test_luck_of_the_streets_after_an_all_in_is_the_result_less_the_equity(tmp_path):
    rb.play_match(
        "always-call",
        "random",
        "random",
        game="no-limit:stack=400",
        hands=150,
        seed=2,
        folder=tmp_path / "m",
        progress=False,
    )
    records, all_ins = rb.read_hands(tmp_path / "m"), 0
    for record, luck in zip(records, card_luck(records)):
        assert luck is not None
        assert luck.sum(axis=1) == pytest.approx([0, 0, 0], abs=1e-9)  # what one gains the others lose
        found = seat_counts(record)
        if any(row[-1] for row in found.counts):
            street = found.steps[-1].before.street
            if street:  # before the flop the shares are sampled
                assert luck[street:].sum(axis=0) == pytest.approx(np.subtract(found.fair, found.expected))
                all_ins += 1
    assert all_ins >= 5


def test_money_less_luck_has_the_mean_of_money_and_less_noise(tmp_path):
    match = rb.play_match(
        "always-call", "random", "always-raise", hands=400, seed=4, folder=tmp_path / "m", progress=False
    )
    (table,) = rb.assess(match, progress=False).results
    for player in match.players:
        money, less, luck = (table.estimate(each, player.name) for each in ("money", "less_luck", "luck"))
        assert money.mean == pytest.approx(player.money.mean)
        assert money.mean == pytest.approx(less.mean + luck.mean)
        assert abs(luck.mean) < 2 * luck.margin
        assert less.sd < money.sd
    assert table.deciding == "less_luck"


def hand(history, payoffs, holes, board="", game=None, number=1, names=("Ann", "Bob")):
    game = game or no_limit_holdem(2, small_blind=1, big_blind=2, stack=100)
    return HandRecord(game, number, names, tuple(map(parse_cards, holes)), parse_cards(board), history, payoffs)


def test_hidden_cards_leave_what_they_leave():
    shown = [hand("cc/cc/cc/cc", (2, -2), ("AsAd", "KsKd"), "2c3d4h9s8d", number=n) for n in range(30)]
    hidden = [hand("cc/cc/cc/r10f", (2, -2), ("", "KsKd"), "2c3d4h9s8d", number=n) for n in range(30, 60)]
    found = rb.assess([*shown, *hidden], progress=False)
    (table,) = found.results
    assert table.measures == ["money"]
    assert "30 of 60 hands hide cards that luck by street needs; what remains: money." in str(found)
    with pytest.raises(AssessmentError, match=r"'less_luck' cannot be had of these hands \(there are money\)"):
        table.estimate("less_luck")
    # A hand that ends before the flop hides nothing that matters.
    folded = [hand("f", (1, -1), ("", ""), number=n) for n in range(30, 60)]
    (table,) = rb.assess([*shown, *folded], progress=False).results
    assert "less_luck" in table.measures


def test_all_ins_with_hidden_cards_do_not_decide():
    board = "2c3d4h9s8d"
    known = [hand("r100c///", (100, -100), ("AsAd", "KsKd"), board, number=n) for n in (1, 2)]
    unknown = [hand("r100c///", (100, -100), ("AsAd", ""), board, number=n) for n in (3, 4)]
    found = rb.assess([*known, *unknown], progress=False)
    assert "2 of 4 all-in hands hide cards and count by money, so all-in equity does not decide." in str(found)
    assert found.results[0].deciding == "money"


def test_skill_is_before_rake_and_both_are_shown():
    raked = [hand("r6c/cc/cc/r12f", (5.5, -6), ("AsAd", "KsKd"), "2c3d4h9s8d", number=n) for n in range(3)]
    (table,) = rb.assess(raked, progress=False).results
    assert table.estimate("money").mean == pytest.approx(2.75)
    assert table.estimate("before_rake").mean == pytest.approx(3.0)
    assert table.estimate("before_rake", "Bob").mean == pytest.approx(-3.0)
    assert table.estimate("less_luck").mean == pytest.approx(3.0 - table.estimate("luck").mean)
    assert "In money before rake it was +3.000 ± ? bb/hand for Ann." in str(table)


def test_limit_hands_of_any_format_go_through_divat(tmp_path):
    """With stacks that nobody loses and names that no log could have, the numbers are those of the log."""
    path = log(tmp_path, *LINES[:200])
    game = "limit:small_bet=10"
    plain = rb.assess(path, game=game, progress=False)
    names = {"p1": "Ann: |#1", "p2": "Ann: ||1"}
    records = [
        replace(
            record,
            game=replace(record.game, stacks=(10_000, 9_000)),
            names=tuple(names[name] for name in record.names),
        )
        for record in rb.read_hands(path, game)
    ]
    told = rb.assess(records, progress=False)
    (first,), (second,) = plain.pairs, told.pairs
    assert {second.first, second.second} == set(names.values())
    for measure in ("money", "divat", "luck"):
        assert first.estimate(measure) == second.estimate(measure)


def test_one_raked_hand_of_a_history_is_no_mistake():
    game = limit_holdem(small_bet=8, stack=200)
    record = hand("rc/crf", (-16, 15), ("9c9s", "AhTd"), "Ac7d2s", game)
    (pair,) = rb.assess([record], progress=False).pairs
    assert pair.estimate("before_rake").mean == -2
    assert rb.assess([record], progress=False).hand(1).to_json()["hands"][0]["rake"] == 0
    with pytest.raises(rb.RailbirdError, match="no good hand of heads-up limit hold'em in the hands given"):
        arrays_of([replace(record, payoffs=(-15, 16))])


@pytest.mark.parametrize("name", ["pokerstars", "phhs"])
def test_one_raked_hand_among_others_of_a_history_counts(name, tmp_path):
    records = rb.read_hands(log(tmp_path, *LINES[:60]), "limit:small_bet=10")
    deep = [replace(each, game=replace(each.game, stacks=(2_000, 2_000))) for each in records]
    at = next(n for n, each in enumerate(deep) if min(each.final().committed) >= 40 and max(each.payoffs) > 0)
    paid = tuple([chips - 2 if chips > 0 else chips for chips in deep[at].payoffs])
    deep[at] = replace(deep[at], payoffs=paid, telling=Telling(name, rake=2))
    path = tmp_path / "some.txt"
    path.write_text("".join(format_named(name).write(deep)))
    found = rb.assess(path, progress=False)
    assert len(found.pairs[0]) == 60
    assert found.hands.problems == ()
    assert found.hands.payoffs.sum() == -2


def test_hands_that_were_all_in_are_left_out_with_a_word(tmp_path):
    records = rb.read_hands(log(tmp_path, *LINES[:120]), "limit:small_bet=10")
    largest = max(records, key=lambda record: record.final().pot)
    short = replace(largest, game=replace(largest.game, stacks=largest.final().committed))
    assert (all_in_words(short), all_in_words(largest)) == ("a player was all-in", "")
    found = rb.assess([short if record is largest else record for record in records], progress=False)
    assert len(found.pairs[0]) == 119
    assert f"hand {largest.number}: a player was all-in (left out)" in str(found)
    assert "all-in hands of limit hold'em, which DIVAT does not know (1)" in str(found)
    # More than a trace of them: the others are no fair sample, so there is no DIVAT, and it says why.
    bet = [record for record in records if record.history.endswith("rc") and record.history.count("/") == 3][:9]
    many = [replace(record, game=replace(record.game, stacks=record.final().committed)) for record in bet]
    unfair = rb.assess([*many, *(record for record in records if record not in bet)], progress=False)
    assert unfair.limit_log is None
    assert "No DIVAT: the hands given: 9 of 120 hands do not fit the game (all-in hands 9)" in str(unfair)
    assert unfair.results[0].sums.hands == 120


def test_problems_of_histories_are_told_with_their_line(tmp_path):
    """As a hand that is all-in, and one that is there twice; the hands know their lines too."""
    records = rb.read_hands(log(tmp_path, *LINES[:120]), "limit:small_bet=10")
    deep = [replace(each, game=replace(each.game, stacks=(2_000, 2_000))) for each in records]
    at = records.index(max(records, key=lambda record: record.final().pot))
    deep[at] = replace(deep[at], game=replace(deep[at].game, stacks=records[at].final().committed))
    path = tmp_path / "some.phhs"
    path.write_text("".join(format_named("phhs").write([*deep, deep[at - 1]])))
    starts = [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.startswith("[")]
    found = rb.assess(path, progress=False)
    told = {problem.kind: problem for problem in found.hands.problems}
    assert str(told["all-in"]) == f"{path}:{starts[at]}: hand {records[at].number}: a player was all-in (left out)"
    again = told["repeated-hand"]
    assert again.line == starts[120]
    assert again.message.endswith(f"as in line {starts[at - 1]}")
    assert found.hands.line.tolist() == [*starts[:at], *starts[at + 1 : 120]]


def test_matches_with_short_stacks_are_told_as_far_as_they_go(tmp_path):
    bots = ("always-raise", "always-call")
    match = rb.play_match(*bots, game="limit:stack=12", hands=40, folder=tmp_path / "m", progress=False)
    found = rb.assess(match, progress=False)
    assert found.limit_log is None
    assert "No DIVAT: every hand of heads-up limit hold'em was all-in." in str(found)
    assert found.results[0].sums.hands == 40
    deep = rb.play_match(*bots, game="limit:stack=400", hands=40, folder=tmp_path / "deep", progress=False)
    assert len(rb.assess(deep, progress=False).pairs[0]) == 40


def test_missed_blinds_are_left_out_too():
    game = replace(limit_holdem(), dead=(0, 1))
    assert all_in_words(hand("rf", (2, -2), ("", ""), game=game)) == "a missed blind was paid"
    lines = LimitLines(["some"])
    assert not lines.add(hand("rf", (2, -2), ("", ""), game=limit_holdem(ante=1)))
    assert not lines.add(hand("cc/cc/cc/cc", (0, 0), ("AsAd", "AhAc"), "2c3d4h9s8d"))


def test_arrays_of_other_games_are_refused():
    with pytest.raises(rb.RailbirdError, match="only limit hold'em for 2 players is read here"):
        arrays_of([hand("cc/cc/cc/cc", (2, -2), ("AsAd", "KsKd"), "2c3d4h9s8d")])
    with pytest.raises(rb.RailbirdError, match="no hand to read"):
        arrays_of([])


def test_all_in_kinds_are_missing_hands():
    left_out = LeftOut()
    left_out.add_problems({"all-in": 2, "incomplete": 1, "other-game": 5}, "x")
    assert left_out.missing == 3


def test_commands_say_what_they_can(capsys, tmp_path, monkeypatch):
    path = DATA / "2p.nolimit.h1000.r0.log"
    head = log(tmp_path, *path.read_text().splitlines()[:150])
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = ran(capsys, "assess", head, "--png", tmp_path / "p.png")
    assert (code, (tmp_path / "p.png").read_bytes()[:4]) == (0, b"\x89PNG")
    assert "no-limit, heads-up" in out.splitlines()[0]
    assert "Luck by street, for" in out
    code, out, _ = ran(capsys, "assess", head, "--html", tmp_path / "p.html")
    assert (code, out.splitlines()[-1]) == (0, f"wrote {tmp_path / 'p.html'}")
    assert "by position, for" in (tmp_path / "p.html").read_text()
    code, _, err = ran(capsys, "assess", head, "--hand", 3)
    assert (code, "no hand 3 of heads-up limit hold'em" in err) == (2, True)
    told = json.loads(ran(capsys, "assess", head, "--json")[1])
    assert told["schema"] == "railbird.assess-hands/1"
    assert told["results"][0]["schema"] == "railbird.assess-table/1"


def test_sums_do_not_grow_with_the_hands():
    tables = SumsByTable()
    for number in range(5000):
        tables.add(hand("f", (1, -1), ("", ""), number=number))
    (sums,) = tables.finished().values()
    assert sums.hands == 5000
    curve = sums.players["Ann"].curve
    assert len(curve.numbers) <= 801
    assert curve.numbers[-1] == 5000
    assert curve.totals(0) == pytest.approx(curve.numbers / 2)


def test_hands_too_many_for_memory_are_assessed_in_pieces(tmp_path, monkeypatch):
    path = log(tmp_path, *LINES[:300])
    rb.import_hands(path, tmp_path / "hands.parquet", "limit:small_bet=10", progress=False)
    whole = rb.assess(tmp_path / "hands.parquet", progress=False)
    monkeypatch.setattr(log_pieces, "MOST_BYTES", 1_000)
    monkeypatch.setattr(log_pieces, "AT_ONCE", 1_000)
    monkeypatch.setattr(log_pieces, "_LEAST", 1_000)
    pieces = rb.assess(tmp_path / "hands.parquet", progress=False)
    assert (pieces.pairs, pieces.hands_read) == ((), 300)
    (first,), (second,) = whole.pairs, pieces.sums
    sign = 1 if first.first == second.first else -1
    for measure in ("money", "divat", "luck"):
        assert sign * second.estimate(measure).mean == pytest.approx(first.estimate(measure).mean)
    assert pieces.hands.files == (str(tmp_path / "hands.parquet"),)


@pytest.mark.parametrize("seats", [2, 3])
def test_tables_of_a_match_in_duplicate_say_that_their_intervals_are_of_hands(seats, tmp_path):
    bots = ("always-call", "random", "always-fold")[:seats]
    for duplicate in (True, False):
        folder = tmp_path / str(duplicate)
        game = no_limit_holdem(seats)
        rb.play_match(*bots, game=game, hands=5, seed=1, duplicate=duplicate, folder=folder, progress=False)
        assert ("Deals were played in several seatings" in str(rb.assess(folder, progress=False))) is duplicate


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    """A match of four players, its folder and its hands."""
    folder = tmp_path_factory.mktemp("ring") / "m"
    rb.play_match("always-call", "random", "always-raise", "random", hands=80, seed=4, folder=folder, progress=False)
    return folder, rb.read_hands(folder)


def test_positions_are_those_of_the_hands(ring):
    folder, records = ring
    (table,) = rb.assess(folder, progress=False).results
    won, less = {}, {}
    for record, luck in zip(records, card_luck(records)):
        for place, name, chips, given in zip(("SB", "BB", "CO", "BTN"), record.names, record.payoffs, luck.sum(axis=0)):
            won.setdefault((name, place), []).append(chips / 2)
            less.setdefault((name, place), []).append((chips - given) / 2)
    assert len(won) == 16
    told = {player["name"]: player["positions"] for player in table.to_json()["players"]}
    for (name, place), samples in won.items():
        at_place = told[name][place]
        assert at_place["money"]["mean"] == pytest.approx(np.mean(samples))
        assert at_place["money"]["samples"] == len(samples) == 20
        assert at_place["less_luck"]["mean"] == pytest.approx(np.mean(less[name, place]))
        assert at_place["less_luck"]["margin95"] == pytest.approx(rb.Estimate.of(np.array(less[name, place])).margin)
    blind = np.concatenate([samples for (_, place), samples in won.items() if place == "BB"])
    everybody = next(line for line in str(table).splitlines() if line.startswith("  everybody"))
    assert everybody.split()[-3:] == rate(rb.Estimate.of(blind)).split()
    assert next(line for line in str(table).splitlines() if "money by position" in line).split()[-4:] == [
        *("BTN", "CO", "SB", "BB")
    ]


def test_positions_of_few_hands_are_not_told(ring):
    _, records = ring
    (few,) = rb.assess(records[:29], progress=False).results
    (enough,) = rb.assess(records[:30], progress=False).results
    assert "by position" not in str(few)
    assert "by position" in str(enough)
    assert few.to_json()["players"][0]["positions"]["BTN"]["money"]["samples"] in (7, 8)
    guest = [replace(records[0], names=("guest", *records[0].names[1:])), *records[1:31]]
    assert "Players with fewer than 30 hands are left out." in str(rb.assess(guest, progress=False))


def test_two_players_have_positions_too():
    board = "2c3d4h9s8d"
    in_blind = [hand("cc/cc/cc/cc", (2, -2), ("AsAd", "KsKd"), board, number=n) for n in range(20)]
    on_button = [hand("f", (-1, 1), ("", ""), number=n, names=("Bob", "Ann")) for n in range(20, 40)]
    (table,) = rb.assess([*in_blind, *on_button], progress=False).results
    rows = [line.split() for line in str(table).splitlines()[-2:]]
    assert [(row[0], row[1], row[2]) for row in rows] == [("BTN", "20", "+0.500"), ("BB", "20", "+1.000")]


def test_lines_have_the_interval_of_their_totals(ring):
    folder, records = ring
    (table,) = rb.assess(folder, progress=False).results
    line = next(each for each in table.figure().lines if each.name == "always-raise, less luck")
    samples = [
        (record.payoffs[at] - luck.sum(axis=0)[at]) / 2
        for record, luck in zip(records, card_luck(records))
        for at in [record.names.index("always-raise")]
    ]
    assert line.x.tolist() == list(range(1, 81))
    assert line.y == pytest.approx(np.cumsum(samples))
    assert line.margin[-1] == pytest.approx(1.96 * np.std(samples) * np.sqrt(80))
    assert line.margin[39] == pytest.approx(1.96 * np.std(samples[:40]) * np.sqrt(40))


def test_lines_of_hands_that_share_deals_have_no_interval(tmp_path):
    bots = ("always-call", "random", "always-fold")
    rb.play_match(*bots, hands=5, seed=1, duplicate=True, folder=tmp_path / "m", progress=False)
    figure = rb.assess(tmp_path / "m", progress=False).results[0].figure()
    assert [line.margin for line in figure.lines] == [None] * 6
    assert "interval" not in figure.summary


def test_ten_players_have_lines_that_can_be_told_apart(tmp_path):
    rb.play_match(*["random"] * 10, hands=12, seed=1, folder=tmp_path / "m", progress=False)
    (table,) = rb.assess(tmp_path / "m", progress=False).results
    lines = table.figure().lines
    shown = [line for line in lines if not line.is_detail]
    assert [line.of for line in shown] == list(table.names)
    assert len({(line.colour, line.dashes) for line in lines}) == 20
    assert {line.name.rpartition(", ")[2] for line in lines if line.is_detail} == {"money"}


def test_a_line_goes_by_the_hands_of_the_table():
    """A player who comes later begins where he came, so that a place on the axis is one hand."""
    game = limit_holdem(3)
    early = [hand("ff", (-1, 1, 0), ("", "", ""), game=game, number=n, names=("Ann", "Bob", "Cid")) for n in (0, 1)]
    late = [hand("ff", (-1, 1, 0), ("", "", ""), game=game, number=n, names=("Ann", "Bob", "Dan")) for n in (2, 3)]
    (table,) = rb.assess([*early, *late], progress=False).results
    where = {line.of: line.x.tolist() for line in table.figure().lines}
    assert (where["Ann"], where["Cid"], where["Dan"]) == ([1, 2, 3, 4], [1, 2], [3, 4])


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_toy_games_are_told_by_money_and_hide_nothing(tmp_path, game):
    rb.play_match("always-call", "always-raise", hands=20, seed=1, game=game, folder=tmp_path / game, progress=False)
    [table] = rb.assess(tmp_path / game, progress=False).results
    assert table.measures == ["money"]
    assert table.unit == "sb/hand"  # as in the match, whose bets are of fixed size too
    assert "Measures that take out luck are for hold'em; of this game there is money." in table.reasons()
    assert "hide" not in str(table)
    assert "Surest" not in str(table)  # there is but one
    found = table.to_json()
    assert (found["hidden"], found["unit"]) == (0, "small bets per hand")
    with pytest.raises(AssessmentError, match=f"AIVAT is for hold'em, so nobody can be known in {game}$"):
        rb.assess(tmp_path / game, known="always-call", progress=False)


def test_toy_hands_beside_those_of_holdem_do_not_keep_anybody_from_being_known(tmp_path):
    how = {"hands": 10, "seed": 1, "progress": False}
    rb.play_match("always-call", "always-raise", game="kuhn", folder=tmp_path / "toy", **how)
    rb.play_match("always-call", "expert", game="no-limit", folder=tmp_path / "other", **how)
    found = rb.assess([tmp_path / "toy", tmp_path / "other"], known="always-call", progress=False)
    assert {table.kind: "aivat" in table.measures for table in found.results} == {
        "kuhn, heads-up": False,
        "no-limit, heads-up": True,
    }
    with pytest.raises(AssessmentError, match="no player 'always-raise' to be known"):
        rb.assess([tmp_path / "toy", tmp_path / "other"], known="always-raise", progress=False)


def test_where_money_is_surest_that_is_said(tmp_path):
    # Who always folds loses the same whatever the cards: to take their luck off adds some.
    rb.play_match("always-fold", "always-raise", hands=60, seed=1, folder=tmp_path / "limit", progress=False)
    found = rb.assess(tmp_path / "limit", progress=False)
    [pair] = found.pairs
    assert pair.worth("divat") < 1
    said = " ".join(str(found).split())
    assert re.search(
        r"Surest of those without bias: money; a difference of 0.05 sb/hand takes about \d+ hands to see\.", said
    )


def test_one_hand_has_no_surest_measure(tmp_path):
    rb.play_match("always-fold", "always-raise", hands=1, seed=1, folder=tmp_path / "one", progress=False)
    assert "Surest" not in str(rb.assess(tmp_path / "one", progress=False))
