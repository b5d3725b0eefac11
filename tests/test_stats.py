"""Statistics of players: counts against a naive twin, and hands whose numbers can be told by looking."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

import naive
import railbird as rb
from acpc_logs import ran
from railbird.cards import parse_cards
from railbird.errors import MatchError
from railbird.game.place_names import place_names
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.store.seat_counts import COUNTS, seat_counts, stakes_name

ROOM_HANDS = Path(__file__).parent / "data" / "pokerstars"
GAMES = ("limit", "no-limit:stack=1500", "leduc", "pot-limit:stack=2000,ante=5")


def counted(record: HandRecord) -> list[dict[str, int]]:
    return [dict(zip(COUNTS, row)) for row in seat_counts(record).counts]


def hand(game, history, payoffs, board="", holes=None):
    holes = holes or [""] * game.seats
    names = tuple(f"p{seat}" for seat in range(game.seats))
    return HandRecord(game, 7, names, tuple(map(parse_cards, holes)), parse_cards(board), history, payoffs)


@pytest.fixture(scope="module")
def matches(tmp_path_factory):
    folder = tmp_path_factory.mktemp("matches")
    for game in GAMES:
        for seats in (2, 4, 6):
            if game == "leduc" and seats > 2:
                continue
            bots = ("random", "always-call", "random", "always-raise", "random", "random")[:seats]
            name = f"{game.partition(':')[0]}-{seats}"
            rb.play_match(*bots, game=game, hands=60, seed=3, folder=folder / name, progress=False)
    return folder


def test_counts_are_those_of_a_naive_twin(matches):
    seen = 0
    for folder in sorted(matches.iterdir()):
        for record in rb.read_hands(folder):
            game = record.game
            expected = naive.player_counts(
                game.seats, game.blinds, game.ante, game.first_to_act, game.board_cards, record.history, game.stacks
            )
            for mine, theirs in zip(counted(record), expected):
                for street, name in enumerate(("preflop", "flop", "turn", "river")):
                    theirs[f"faced_{name}"] = theirs.pop(f"faced_{street}")
                    theirs[f"folded_{name}"] = theirs.pop(f"folded_{street}")
                # The twin knows no caps and no stacks, so it cannot tell whether a raise was allowed.
                could = theirs.pop("three_bet_seen")
                is_free = game.stacks is None and (game.max_raises[0] or 9) > 1
                assert mine["three_bet_chances"] == could if is_free else mine["three_bet_chances"] <= could
                assert {name: mine[name] for name in theirs} == theirs, (folder.name, record.number, record.history)
                seen += 1
    assert seen > 1500


def test_a_hand_of_six_by_looking():
    # UTG folds, HJ raises, CO calls, BTN raises again, SB folds, BB folds, HJ calls, CO folds; HJ checks and folds.
    game = limit_holdem(6)
    utg, hj, co, btn, sb, bb = 2, 3, 4, 5, 0, 1
    found = counted(hand(game, "frcrffcf/crf", (-1, -2, 0, -6, -4, 13), "2c3d4h"))
    assert [each["vpip"] for each in found] == [0, 0, 0, 1, 1, 1]
    assert [seat for seat in range(6) if found[seat]["pfr"]] == [hj, btn]
    assert [seat for seat in range(6) if found[seat]["three_bet_chances"]] == [co, btn]
    assert [seat for seat in range(6) if found[seat]["three_bets"]] == [btn]
    assert found[utg]["faced_preflop"] == found[sb]["faced_preflop"] == found[bb]["faced_preflop"] == 0
    assert (found[co]["faced_preflop"], found[co]["folded_preflop"]) == (1, 0)  # it called the first raise
    assert (found[hj]["faced_flop"], found[hj]["folded_flop"], found[btn]["bets"]) == (1, 1, 1)
    assert [seat for seat in range(6) if found[seat]["saw_flop"]] == [hj, btn]
    assert not any(each["showdown"] for each in found)


def test_a_walk_is_no_chance():
    found = counted(hand(limit_holdem(3), "ff", (-1, 1, 0)))
    assert [each["had_a_turn"] for each in found] == [1, 0, 1]


def test_who_gets_back_an_uncalled_bet_has_not_won_the_showdown():
    game = no_limit_holdem(2, small_blind=1, big_blind=2, stack=100)
    game = type(game)(**{**game.__dict__, "stacks": (100, 60)})
    lost = hand(game, "cr100c///", (-60, 60), "2c3d4h9s9d", ("KsQs", "AsAd"))
    assert lost.replayed_payoffs() == (-60, 60)
    assert [each["won_showdown"] for each in counted(lost)] == [0, 1]


def test_a_missed_blind_is_in_the_pot_and_no_bet():
    game = replace(limit_holdem(3, small_bet=20), dead=(0, 0, 10))
    lost = hand(game, "ccc/ccc/ccc/ccc", (-20, 50, -30), "2c3d4h9s9d", ("KsQs", "AsAd", "JsTs"))
    assert lost.replayed_payoffs() == (-20, 50, -30)
    assert [each["won_showdown"] for each in counted(lost)] == [0, 1, 0]


def test_all_in_luck_is_the_result_less_its_average():
    game = no_limit_holdem(2, small_blind=1, big_blind=2, stack=100)
    record = hand(game, "r100c///", (100, -100), "2c3d4hKc9d", ("KsKd", "AsAd"))
    found = seat_counts(record)
    share = rb.equity(["KsKd", "AsAd"])[0].share
    assert found.expected == pytest.approx((200 * share - 100, 100 - 200 * share))
    assert [each["all_in"] for each in counted(record)] == [1, 1]
    flop = hand(game, "cc/r100c//", (100, -100), "2c3d4hKc9d", ("KsKd", "AsAd"))
    assert seat_counts(flop).expected[0] == pytest.approx(200 * rb.equity(["KsKd", "AsAd"], "2c3d4h")[0].share - 100)
    unknown = hand(game, "cc/r100c//", (100, -100), "2c3d4hKc9d", ("KsKd", ""))
    assert (seat_counts(unknown).expected, counted(unknown)[0]["all_in"]) == ((100, -100), 0)


def test_rake_is_paid_by_those_who_get_the_pot():
    game = limit_holdem(3, small_bet=20)
    split = hand(game, "ccc/ccc/ccc/ccc", (9, 9, -20), "AsKsQsJsTs", ("2c2d", "3c3d", ""))
    assert seat_counts(split).fair == pytest.approx((10, 10, -20))


def test_places_and_stakes():
    nine = place_names(limit_holdem(9).blinds)
    assert nine == ("SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "HJ", "CO", "BTN")
    assert place_names(limit_holdem(3).blinds) == ("SB", "BB", "BTN")
    assert stakes_name(no_limit_holdem(small_blind=25, big_blind=50), 100, "EUR") == "no-limit 0.25/0.50 EUR"


def test_shares_and_amounts_are_those_of_the_hands(matches):
    folder = matches / "limit-6"
    records = rb.read_hands(folder)
    table = {row["player"]: row for row in rb.stats(folder, progress=False).to_json()["rows"]}
    for name, row in table.items():
        mine = [(record, record.names.index(name)) for record in records if name in record.names]
        counts = [counted(record)[position] for record, position in mine]
        turns = sum(each["had_a_turn"] for each in counts)
        assert row["hands"] == len(mine)
        assert row["vpip"] == pytest.approx(sum(each["vpip"] for each in counts) / turns)
        bets, calls, folds = (sum(each[what] for each in counts) for what in ("bets", "calls", "folds"))
        assert row["aggression"] == (pytest.approx(bets / calls) if calls else None)
        assert row["aggression_frequency"] == pytest.approx(bets / (bets + calls + folds))
        won = [record.payoffs[position] / 2 for record, position in mine]
        mean = sum(won) / len(won)
        sd = math.sqrt(sum((each - mean) ** 2 for each in won) / (len(won) - 1))
        assert (row["won"]["mean"], row["won"]["sd"]) == (pytest.approx(mean), pytest.approx(sd))


def test_groups_add_up(matches):
    found = rb.stats(matches / "limit-4", by="player,position", progress=False)
    assert {row.key[1] for row in found.table} == {"SB", "BB", "CO", "BTN"}
    assert sum(row.hands for row in found.table) == 4 * 60
    by_stakes = rb.stats([matches / "limit-4", matches / "no-limit-4"], by="stakes", progress=False)
    assert {row.key[0]: row.hands for row in by_stakes.table} == {"limit 2/4": 240, "no-limit 50/100": 240}
    assert by_stakes.table[0].amounts["won"].mean == pytest.approx(0)
    assert [str(each).splitlines()[1].split()[-8] for each in (found, by_stakes)] == ["hands", "seats"]
    frame = found.to_frame()
    assert (frame["hands"].sum(), set(found.by) <= set(frame.columns)) == (240, True)


def test_one_player_and_the_picture(matches, capsys, tmp_path):
    found = rb.stats(matches / "no-limit-2", player="random", by="position", progress=False)
    assert [row.key[0] for row in found.table] == ["BTN", "BB"]
    line = found.figure().lines[0]
    total = sum(row.amounts["won"].mean * row.hands for row in found.table)
    assert (line.x[-1], line.y[-1]) == (60, pytest.approx(total))
    code, out, _ = ran(capsys, "stats", matches / "no-limit-2", "--player", "random", "--png", tmp_path / "p.png")
    assert (code, (tmp_path / "p.png").read_bytes()[:4]) == (0, b"\x89PNG")
    assert "random by position | 60 hands" in out


def test_what_is_asked_in_vain(matches, capsys):
    for arguments, words in (
        (("--player", "randon"), "no player 'randon'; did you mean 'random'?"),
        (("--by", "mood"), "cannot go by 'mood' (known: player, position,"),
        (("--by", "player,player"), "each once, as in player,position"),
    ):
        code, out, err = ran(capsys, "stats", matches / "limit-2", *arguments)
        assert (code, out, err.count("\n"), words in err) == (2, "", 1, True)


def test_text_fits_and_json_is_whole(matches, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = ran(capsys, "stats", matches / "no-limit-6")
    assert code == 0
    assert max(len(line) for line in out.splitlines() if line.startswith("  ")) <= 80
    told = json.loads(ran(capsys, "stats", matches / "no-limit-6", "--json")[1])
    assert (told["schema"], told["hands"], len(told["rows"])) == ("railbird.stats/1", 60, 6)


def test_no_hands_no_statistics(tmp_path):
    rb.import_hands([_a_match(tmp_path)], tmp_path / "some.parquet", progress=False)
    for file in (tmp_path / "some.parquet").glob("*/*/*.parquet"):
        file.unlink()
    with pytest.raises(MatchError, match="no hand in"):
        rb.stats(tmp_path / "some.parquet", progress=False)
    with pytest.raises(MatchError, match="no file or folder"):
        rb.stats(tmp_path / "none.parquet", progress=False)


def test_logs_without_a_hand_that_can_be_read_say_why(tmp_path, capsys):
    torn = tmp_path / "torn.txt"
    torn.write_bytes((ROOM_HANDS / "no_limit_1.txt").read_bytes()[:300])
    first = f"the first problem: {torn}:1: hand 109682170558: it ends before its summary"
    for arguments in ((torn,), (torn, "--player", "Ann"), (torn, "--by", "position")):
        code, out, err = ran(capsys, "stats", *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert f"no hand in {torn}; {first}" in err
    with pytest.raises(MatchError, match=r"no hand in 2 files; the first problem: .*: it ends before its summary"):
        rb.stats([torn, torn], progress=False)


def _a_match(tmp_path):
    rb.play_match("random", "always-call", hands=5, folder=tmp_path / "m", progress=False)
    return tmp_path / "m"


def test_intervals_of_a_match_in_duplicate_are_told_to_be_of_hands(tmp_path):
    for duplicate in (True, False):
        folder = tmp_path / str(duplicate)
        rb.play_match("always-call", "random", hands=6, seed=1, duplicate=duplicate, folder=folder, progress=False)
        found = rb.stats(folder, progress=False)
        assert found.to_json()["shared_deals"] is duplicate
        assert ("\nSome deals were played in several seatings: intervals take each hand" in str(found)) is duplicate
