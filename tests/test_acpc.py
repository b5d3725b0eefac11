"""Competition logs and game files: real ones are read, replayed and printed back to the same bytes."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.errors import InvalidGameError, InvalidRecordError, RailbirdError, UnreadableLineError
from railbird.formats.acpc import game_text, parse_game, parse_record, record_line
from railbird.formats.line_check import judged
from railbird.formats.readers import hands_in
from railbird.game.spec import kuhn_poker, leduc_poker, limit_holdem, no_limit_holdem, pot_limit_holdem
from railbird.play.match_logs import read_hands

DATA = Path(__file__).parent / "data" / "acpc"
LIMIT = parse_game((DATA / "holdem.limit.2p.reverse_blinds.game").read_text())
NO_LIMIT = parse_game((DATA / "holdem.nolimit.2p.reverse_blinds.game").read_text())


@pytest.mark.parametrize(
    ("file", "game", "hands"),
    [("2p.limit.h1000.r0.log", LIMIT, 1000), ("short.log", LIMIT, 20), ("2p.nolimit.h1000.r0.log", NO_LIMIT, 1000)],
)
def test_real_logs_replay_to_the_same_payoffs_and_lines(file, game, hands):
    records = list(hands_in(DATA / file, game))
    for record in records:
        record.check()
    assert [record.number for record in records] == list(range(hands))
    lines = [line for line in (DATA / file).read_text().splitlines() if line.startswith("STATE")]
    assert [record_line(record) for record in records] == lines


def test_leduc_sample_log_contradicts_the_rules():
    # Its payoffs were written by hand: nobody can win 5 chips with "cc/cc", and a queen does not beat a king.
    game = parse_game((DATA / "leduc.limit.2p.game").read_text())
    found = list(hands_in(DATA / "leduc.sample.log", game))
    assert [(each.line, each.kind) for each in found] == [(line, "payoffs") for line in range(1, 6)]
    first = parse_record((DATA / "leduc.sample.log").read_text().partition("\n")[0], game)
    assert (first.payoffs, first.replayed_payoffs()) == ((1, -1), (-1, 1))


@pytest.mark.parametrize("path", sorted(DATA.glob("*.game")), ids=lambda path: path.stem)
def test_game_files_survive_a_round_trip(path):
    game = parse_game(path.read_text())
    assert parse_game(game_text(game)) == game


def test_our_default_games_are_the_competitions():
    scaled = limit_holdem(small_bet=10, big_bet=20, small_blind=5, big_blind=10)
    assert parse_game(game_text(scaled), name="limit") == scaled == LIMIT
    assert no_limit_holdem() == NO_LIMIT
    three = parse_game((DATA / "holdem.limit.3p.game").read_text())
    assert limit_holdem(3, small_bet=10, small_blind=5) == three


def test_toy_games_write_their_antes_as_blinds():
    assert "blind = 1 1" in game_text(kuhn_poker())
    assert "blind = 1 1" in game_text(leduc_poker())


def test_what_a_game_file_cannot_say():
    with pytest.raises(InvalidGameError, match="pot-limit"):
        game_text(pot_limit_holdem())
    with pytest.raises(InvalidGameError, match="antes"):
        game_text(limit_holdem(ante=1))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("STATE:0:crc", "not a hand"),
        ("STATE:x:cc/cc/cc/cc:5d5c|9hQd:0|0:a|b", "'x'"),
        ("STATE:0:crrrf:5d5x|9hQd:30|-30:a|b", "'5x'"),
        ("STATE:0:crrrf:5d5c|9hQd:a|-30:a|b", "are not chips"),
        ("STATE:0:zzz:5d5c|9hQd:30|-30:a|b", "'zzz'"),
    ],
)
def test_bad_lines_are_refused_with_the_reason(line, message):
    with pytest.raises(InvalidRecordError, match=message):
        parse_record(line, LIMIT)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("STATE:0:crc", "line"),
        ("STATE:" + 5000 * "1" + ":cc/cc/cc/cc:5d5c|9hQd:0|0:a|b", "line"),
        ("STATE:0:zzz:5d5x|9hQd:a|-30:a|b", "cards"),
        ("STATE:0:zzz:5d5c|9hQd:a|-30:a|b", "betting"),
        ("STATE:0:crrrf:5d5c|9hQd:-30|:a|b", "payoffs"),
    ],
)
def test_bad_lines_say_which_part_is_to_blame(line, part):
    with pytest.raises(UnreadableLineError) as refused:
        parse_record(line, LIMIT)
    assert refused.value.part == part
    assert pickle.loads(pickle.dumps(refused.value)).part == part
    assert judged(line, LIMIT).kind == ("not-a-hand" if part == "line" else part)


def test_a_line_with_several_faults_is_named_by_the_first():
    for line, kind in (
        ("STATE:0:ffc:5d5x|9hQd|2c3c:5|-5|0:a|b|c", "players"),
        ("STATE:0:cr300f:5d5x|9hQd:a|b:a|b", "no-limit"),
        ("STATE:0:crrrrf:5d5c|9h5d:30|-30:a|b", "betting"),
        ("STATE:0:crrrf:5d5c|9h5d:20|-20:a|b", "cards"),
        ("STATE:0:crrrf:5d5c|9hQd:20|-20:a|b", "payoffs"),
    ):
        assert judged(line, LIMIT).kind == kind


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("STATE:0:crrrf:5d5c|9h5d:30|-30:a|b", "appears twice"),
        ("STATE:0:crrrrf:5d5c|9hQd:30|-30:a|b", "capped"),
        ("STATE:0:crrr:5d5c|9hQd:30|-30:a|b", "does not end"),
        ("STATE:0:crrrf:5d5c|9hQd:20|-20:a|b", "give"),
        ("STATE:0:crrrf:5d5c|9hQd/2c3c4c:30|-30:a|b", "board cards"),
        ("STATE:0:crrrf:5d5c:30|-30:a|b", "holdings"),
    ],
)
def test_records_that_break_the_rules_are_refused(line, message):
    with pytest.raises(RailbirdError, match=message):
        parse_record(line, LIMIT).check()


def test_a_bad_log_names_file_and_line(tmp_path):
    path = tmp_path / "bad.log"
    path.write_text("# header\n\nSTATE:0:crrrf:5d5c|9hQd:30|-30:a|b\nSTATE:1:oops\n")
    with pytest.raises(InvalidRecordError, match=r"bad\.log:4: not a hand"):
        read_hands(path, LIMIT)


@given(st.text(alphabet="STATE:0123456789cfr/|5d9hQKs-\n ", max_size=60))
def test_any_text_is_a_record_or_a_refusal(text):
    try:
        record = parse_record("STATE:" + text, LIMIT)
        record.check()
    except RailbirdError:
        return
    assert parse_record(record_line(record), LIMIT) == record


@given(st.text(max_size=120))
def test_any_text_is_a_game_or_a_refusal(text):
    try:
        game = parse_game("GAMEDEF limit numPlayers = 2 " + text)
    except RailbirdError:
        return
    assert game.seats >= 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("numHoleCards = 4", "4 hole cards"),
        ("numRanks = 6", "6 ranks"),
        ("numBoardCards = 0 3 1", "board"),
        ("raiseSize = 10 20", "2 values"),
        ("numRounds = 0", "0 rounds"),
    ],
)
def test_games_that_cannot_be_played_are_refused(change, message):
    key = change.split(" = ")[0]
    text = (DATA / "holdem.limit.2p.reverse_blinds.game").read_text()
    lines = [change if line.startswith(key) else line for line in text.splitlines()]
    with pytest.raises(InvalidGameError, match=message):
        parse_game("\n".join(lines))
