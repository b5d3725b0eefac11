"""Commands that take folders take plain logs too, and say what they cannot read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import railbird as rb
from railbird.cli import main
from railbird.errors import InvalidRecordError, MatchError
from railbird.formats.foreign import foreign_format
from railbird.play.log_result import log_result, log_with_divat
from railbird.play.match_logs import open_logs

DATA = Path(__file__).parent / "data" / "acpc"
LIMIT, NO_LIMIT = DATA / "2p.limit.h1000.r0.log", DATA / "2p.nolimit.h1000.r0.log"
FOREIGN = {
    "PokerStars Tournament #1, No Limit Hold'em\nBuy-In: $10.00/$1.00 USD": "PokerStars summary of a tournament",
    "\n\nFull Tilt Poker Game #123: Table Flash - $0.05/$0.10 - No Limit Hold'em": "Full Tilt",
    "***** Hand History for Game 1234 *****\n$25 USD NL Texas Hold'em": "PartyPoker",
    "Poker Hand #RC123: Hold'em No Limit ($0.05/$0.1)": "GGPoker",
    "Winamax Poker - CashGame - HandId: #1-2-3 - Holdem no limit (0.01€/0.02€)": "Winamax",
    "#Game No : 123\n***** 888poker Hand History for Game 123 *****": "888poker",
    "***** 888poker Hand History for Game 123 *****": "888poker",
    '<?xml version="1.0"?>\n<session sessioncode="1">': "iPoker",
    "Hand #1-1 - Holdem": "",
    "Game Hand #123 - Holdem (No Limit) - $0.05/$0.10": "Winning Poker Network",
    '{ "ohh": { "spec_version": "1.2.2"': "Open Hand History",
    "hello": "",
}


@pytest.mark.parametrize("beginning", FOREIGN)
def test_formats_are_named(tmp_path, beginning):
    name = FOREIGN[beginning]
    assert name in foreign_format(beginning)
    log = tmp_path / "some.txt"
    log.write_text(beginning, encoding="utf-8")
    words = (
        f"looks like an? .*{name}.*, which Railbird does not read yet; it reads its own match folders, comp"
        if name
        else ""
    )
    for read in (rb.read_hands, lambda path: rb.assess(path, progress=False)):
        with pytest.raises(InvalidRecordError, match=words or "no hand in|no format"):
            read(log)


def alike(one, other):
    """Whether two estimates are the same up to the last digits."""
    return (one.mean, one.sd, one.count) == pytest.approx((other.mean, other.sd, other.count), rel=1e-12)


def test_our_own_logs_are_not_foreign():
    for log in (LIMIT, NO_LIMIT, DATA / "short.log"):
        assert foreign_format(log.read_text()) == ""


def test_a_log_is_read_by_the_game_file_beside_it_that_it_names(tmp_path):
    assert open_logs(NO_LIMIT).sources[0].game.stacks == (20000, 20000)
    moved = tmp_path / "moved.log"
    moved.write_bytes(NO_LIMIT.read_bytes())
    assert open_logs(moved).hand(3).payoffs == (-100, 100)  # the competition's file of that name is known
    data = NO_LIMIT.read_bytes().replace(b"# name", b"# nome")
    moved.write_bytes(data)
    assert open_logs(moved).sources[0].game.stacks == (20000, 20000)  # its hands fit the competition's stakes
    odd = b"STATE:0:r300f:AsKd|2c7d:-77|77:Ann|Bob\n" * 20
    moved.write_bytes(odd)
    with pytest.raises(MatchError, match=r"does not tell its game, and it is not heads-up limit.*--game"):
        open_logs(moved).hand(0)
    moved.write_bytes(data)
    assert open_logs(moved, "no-limit:stack=20000").hand(3).payoffs == (-100, 100)
    assert open_logs(moved, "no-limit").hand(3) == next(h for h in rb.read_hands(moved, "no-limit") if h.number == 3)


@pytest.mark.parametrize("log", [LIMIT, NO_LIMIT])
def test_replay_shows_hands_of_plain_logs(capsys, log):
    code, out, _ = ran(capsys, "replay", str(log), "3", "--json")
    assert code == 0
    data = json.loads(out)
    line = next(line for line in log.read_text().splitlines() if line.startswith("STATE:3:"))
    assert data["betting"] == line.split(":")[2]
    assert "|".join(str(player["won_chips"]) for player in data["players"]) == line.split(":")[4]


def test_replay_says_what_there_is(capsys, tmp_path):
    assert "no hand 1003 in" in ran(capsys, "replay", str(LIMIT), "1003")[2]
    assert "(hands 0 to 999)" in ran(capsys, "replay", str(LIMIT), "1003")[2]
    assert "seating 2; hand 3 was played 1 time" in ran(capsys, "replay", str(LIMIT), "3", "--seating", "2")[2]
    assert "no file or folder 'nowhere'" in ran(capsys, "replay", "nowhere", "3")[2]
    rb.play_tournament("always-call", "always-fold", "random", hands=4, folder=tmp_path / "t", progress=False)
    error = ran(capsys, "replay", str(tmp_path / "t"), "3")[2]
    assert "holds 3 matches or logs (01-02 always-call v always-fold, 01-03 always-call v random, 02-03 " in error
    assert f"name one, as in railbird replay {tmp_path / 't' / '01-02'} 3" in error
    assert ran(capsys, "replay", str(tmp_path / "t" / "01-02"), "3", "--seating", "2")[0] == 0
    assert "seating 3; " in ran(capsys, "replay", str(tmp_path / "t" / "01-02"), "3", "--seating", "3")[2]


def test_the_result_of_a_log_is_that_of_its_match(tmp_path):
    match = rb.play_match("expert", "random", hands=50, seed=7, folder=tmp_path / "m", divat=True, progress=False)
    log = tmp_path / "alone.log"
    log.write_bytes((tmp_path / "m" / "hands.log").read_bytes())
    found = log_with_divat(log_result(open_logs(log)))
    by_name = {player.name: player for player in found.players}
    for player in match.players:
        for measure in ("money", "divat"):
            there, here = getattr(player, measure), getattr(by_name[player.name], measure)
            assert (there.mean, there.margin) == pytest.approx((here.mean, here.margin))
    assert found.players[0].duplicate is None


def test_duplicate_pairs_in_one_log_are_found(tmp_path):
    match = rb.play_match("expert", "random", hands=40, seed=7, duplicate=True, folder=tmp_path / "m", progress=False)
    log = tmp_path / "both.log"
    log.write_bytes(b"".join(path.read_bytes() for path in sorted((tmp_path / "m").glob("*.log"))))
    found = log_result(open_logs(log))
    [expert] = [each for each in found.players if each.name == "expert"]
    assert alike(expert.duplicate, match.players[0].duplicate)


def test_the_result_of_a_log_of_another_game(capsys):
    code, out, _ = ran(capsys, "results", str(NO_LIMIT))
    assert code == 0
    assert out.startswith("p1 vs p2 | no-limit heads-up | 1,000 hands | ")
    data = json.loads(ran(capsys, "results", str(NO_LIMIT), "--json")[1])
    assert (data["schema"], data["hands_played"]) == ("railbird.log/1", 1000)
    assert sum(player["money"]["mean"] for player in data["players"]) == pytest.approx(0)


def test_results_of_a_ring_log(tmp_path):
    match = rb.play_match("expert", "random", "always-call", hands=40, folder=tmp_path / "m", progress=False)
    log = tmp_path / "ring.log"
    log.write_bytes((tmp_path / "m" / "hands.log").read_bytes())
    found = log_result(open_logs(log, "limit"))
    won = {each.name: each.money for each in match.players}
    assert {each.name for each in found.players} == set(won)
    assert all(alike(each.money, won[each.name]) for each in found.players)


def test_models_are_measured_on_a_log_as_on_its_folder(tmp_path):
    rb.play_match("expert", "random", hands=40, seed=7, folder=tmp_path / "m", progress=False)
    log = tmp_path / "alone.log"
    log.write_bytes((tmp_path / "m" / "hands.log").read_bytes())
    there, here = rb.accuracy(tmp_path / "m").to_json(), rb.accuracy(log).to_json()
    assert {**there, "folder": ""} == {**here, "folder": ""}
    with pytest.raises(MatchError, match=r"no player 'exprt' in .*; did you mean 'expert'"):
        rb.accuracy(log, player="exprt")


@pytest.mark.parametrize("game", ["leduc", "kuhn"])
def test_logs_of_toy_games(capsys, tmp_path, game):
    folder, log = tmp_path / "m", tmp_path / "toy.log"
    match = rb.play_match("random", "always-call", game=game, hands=30, seed=1, folder=folder, progress=False)
    log.write_bytes((folder / "hands.log").read_bytes())
    for path, option in ((folder, ()), (log, ("--game", game))):
        code, out, _ = ran(capsys, "results", str(path), *option, "--json")
        won = {player["name"]: player["money"]["mean"] for player in json.loads(out)["players"]}
        assert (code, won) == (0, {player.name: pytest.approx(player.money.mean) for player in match.players})
        code, out, _ = ran(capsys, "hands", str(path), "--worst", "3", *option, "--json")
        worst = json.loads(out)["hands"][0]
        assert (code, worst["replay"].split()[2:]) == (0, [str(path), str(worst["hand"]), *option])
        code, out, _ = ran(capsys, "replay", str(path), str(worst["hand"]), *option)
        assert (code, out.splitlines()[0]) == (0, f"hand {worst['hand']}, {game}, blinds none, ante 1")
        code, out, _ = ran(capsys, "assess", str(path), *option, "--json")
        (table,) = json.loads(out)["results"]
        assert (code, table["kind"]) == (0, f"{game}, heads-up")
        assert {each["name"]: each["measures"]["money"]["mean"] for each in table["players"]} == pytest.approx(won)
    for command in (("assess",), ("results",), ("hands",), ("replay", "3")):  # the hands tell the game
        assert ran(capsys, command[0], str(log), *command[1:])[0] == 0


def test_a_toy_game_of_three_by_its_game_file(capsys, tmp_path):
    game = str(DATA / "kuhn.limit.3p.game")
    rb.play_match("random", "always-call", "always-raise", game=game, hands=20, folder=tmp_path / "m", progress=False)
    log = tmp_path / "toy.log"
    log.write_bytes((tmp_path / "m" / "hands.log").read_bytes())
    assert ran(capsys, "results", str(log), "--game", game)[0] == 0
    assert ran(capsys, "replay", str(log), "3", "--game", game)[1].splitlines()[-1].startswith("showdown  pot ")
    assert ran(capsys, "results", str(log))[0] == 0  # the hands tell the game


def ran(capsys, *arguments):
    """Exit code, output and error output of a command."""
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    captured = capsys.readouterr()
    return end.value.code or 0, captured.out, captured.err


def test_a_store_of_several_games_names_them_all(tmp_path):
    data, store = Path(__file__).parent / "data", tmp_path / "hands.parquet"
    rb.import_hands([data / "pokerstars", data / "phh" / "01-39-18.phh"], store, progress=False)
    found = log_result(open_logs(store))
    assert str(found).splitlines()[0].split(" | ")[1] == "limit and no-limit 5 to 9 seats"
    assert found.to_json()["game"] == "limit and no-limit"
    assert "nan" not in str(found)
