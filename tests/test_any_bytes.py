"""Any bytes, any numbers: inputs that once ended in a traceback, took minutes or gigabytes, or were misread."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from railbird.bots.exploiting import exploitability
from railbird.bots.reasons import explain
from railbird.bots.registry import BotSpec
from railbird.cards import parse_cards
from railbird.cli import main
from railbird.errors import InvalidGameError, InvalidRangeError, MatchError, RailbirdError, UnknownBotError
from railbird.files import map_tables, write_tables
from railbird.formats.acpc import game_text, parse_game, parse_record, without_remark
from railbird.formats.hand_logs import LogSource, read_logs
from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree, decision_counts
from railbird.game.spec import Game, limit_holdem, named_game
from railbird.json_files import Fields, json_of
from railbird.modeling.context_tree import ContextTree
from railbird.numbers import decimal, decimal_number, quoted, whole, whole_number
from railbird.odds.ranges import parse_range
from railbird.play.comparison_folder import read_comparison
from railbird.play.faults import noted_faults
from railbird.play.folder import MatchFolder, folder_game
from railbird.play.match import MatchSpec
from railbird.play.matches import compare_bots, play_match, play_tournament
from railbird.play.person import UNFINISHED, KeptDecisions
from railbird.play.tournament import read_tournament
from railbird.solve.solving import SolvePlan

NINES = "9" * 4301
LINE = "STATE:0:crrrf:5d5c|9hQd:30|-30:p1|p2"
LIMIT = game_text(limit_holdem())


# Numbers


@pytest.mark.parametrize("text", ["", "x", "1.5", "9" * 400, NINES, "9007199254740993", "-9007199254740993", "\udc80"])
def test_text_that_is_no_whole_number_within_limits_is_refused(text):
    with pytest.raises(ValueError, match=r"is not a whole number from -2\^53 to 2\^53") as refused:
        whole_number(text)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "1e999", "9" * 400, NINES])
def test_text_that_is_no_finite_number_is_refused(text):
    with pytest.raises(ValueError, match="is not a number") as refused:
        decimal_number(text)
    assert len(str(refused.value)) < 200


def test_numbers_that_are_there_already_are_held_against_the_same_limits():
    assert whole(np.int64(5), 0, 5) == 5
    assert decimal(2) == 2.0
    for wrong in (True, 2.0, "2", None, 10**400, 6, -1):
        with pytest.raises(ValueError, match="is not a whole number from 0 to 5"):
            whole(wrong, 0, 5)
    for wrong in (True, "2", None, 10**400, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="is not a number"):
            decimal(wrong)


def test_what_is_quoted_has_bounded_length():
    assert quoted("Ann") == "'Ann'"
    assert quoted(10**5000).startswith("a int with a number of thousands of digits")
    assert max(len(quoted(thing)) for thing in ("x" * 10**6, [1] * 10**5, {"a": "b" * 10**5})) < 100


# JSON


@pytest.mark.parametrize("text", [b"[" * 200_000, b'{"a":' * 100_000, b"[" * 40 + b"]" * 40])
def test_json_that_is_nested_too_deeply_is_refused(text):
    with pytest.raises(ValueError, match="it is nested more than 32 deep"):
        json_of(text)


def test_json_with_numbers_without_end_half_signs_or_megabytes_is_refused():
    for text, words in (
        (NINES.encode(), "a number of 4,301 digits"),
        (b'{"name": "\\ud800"}', "half a sign"),
        (b" " * 4_000_001, "longer than 4,000,000 bytes"),
        (b'"\xff"', "utf-8"),
    ):
        with pytest.raises(ValueError, match=words):
            json_of(text)
    assert json_of(b'{"name": "\\ud83d\\ude00"}') == {"name": "\N{GRINNING FACE}"}


def test_fields_of_another_kind_are_named():
    told = Fields({"name": 5, "flag": "yes", "names": "Ann", "players": [3]}, "the match")
    for ask, words in (
        (lambda: told.text("name"), "name of the match: 5 is no text"),
        (lambda: told.flag("flag"), "flag of the match: 'yes' is neither true nor false"),
        (lambda: told.texts("names"), "names of the match: 'Ann' is no list"),
        (lambda: told.each("players"), "players of the match: 3 where names and values belong"),
        (lambda: told.whole("hands"), "the match lacks 'hands'"),
    ):
        with pytest.raises(ValueError, match=words):
            ask()


# Games


@pytest.mark.parametrize(
    "text", [f"limit:ante={'9' * 400}", f"limit:small_bet={NINES}", "no-limit:stack=1e400", "limit:cap=inf"]
)
def test_games_with_numbers_that_cannot_be_are_refused(text):
    with pytest.raises(InvalidGameError, match="it should be a whole number") as refused:
        named_game(text, 2)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("seats", [1, 24, 300_000_000, 10**20])
def test_a_table_has_2_to_23_seats_whatever_is_asked_for(seats):
    for game in ("limit", "no-limit", "pot-limit", "spread-limit"):
        with pytest.raises(InvalidGameError, match="seats; a game has 2 to 23"):
            named_game(game, seats)
    with pytest.raises(InvalidGameError, match="seats; a game has 2 to 23"):
        explain("AdQc", seats=seats)


@pytest.mark.parametrize("rounds", ["5", "4294967296", "9223372036854775808", NINES])
def test_a_game_file_with_more_rounds_than_streets_is_refused(rounds):
    with pytest.raises(InvalidGameError, match=r"rounds in the game file|is not a whole number from 0 to"):
        parse_game(LIMIT.replace("numRounds = 4", f"numRounds = {rounds}"))


@pytest.mark.parametrize("key", ["numPlayers", "blind", "raiseSize", "firstPlayer", "maxRaises", "numRanks"])
@pytest.mark.parametrize("number", ["9223372036854775808", NINES])
def test_a_game_file_with_numbers_that_cannot_be_is_refused(key, number):
    lines = [f"{key} = {number}" if line.startswith(key) else line for line in LIMIT.splitlines()]
    with pytest.raises(InvalidGameError):
        parse_game("\n".join(lines))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", 5),
        ("name", "a\nb"),
        ("blinds", (2, "1")),
        ("blinds", [2, 1]),
        ("blinds", None),
        ("bet_sizes", (2, 2, 4, 4.5)),
        ("max_raises", (3, 4, 4, float("inf"))),
        ("ante", True),
        ("ante", 10**400),
        ("stacks", (10**13, 10)),
        ("structure", "fixed-limit"),
        ("free_fold", 1),
        ("first_to_act", (0,) * 10**6),
    ],
)
def test_a_game_is_of_whole_chips_within_limits(field, value):
    parts = {**vars(limit_holdem()), field: value}
    with pytest.raises(InvalidGameError) as refused:
        Game(**parts)
    assert len(str(refused.value)) < 300


def test_trees_that_are_too_large_are_not_grown():
    assert [decision_counts(limit_holdem(cap=cap))[-1] for cap in (1, 4)] == [36, 5670]
    with pytest.raises(InvalidGameError, match="has too large a tree"):
        BettingTree.of(limit_holdem(cap=1000))
    with pytest.raises(InvalidGameError, match="has no table of its betting"):
        BettingTree.of(limit_holdem(small_bet=10**11))


# Texts of users


def test_a_weight_of_thousands_of_digits_is_refused_at_once():
    for text in ("AK:" + "9" * 16_000, "9" * 16_000 + "%", "AK:1e999", "x" * 10**6, "AK" + " " * 90_000 + "x"):
        start = time.process_time()
        with pytest.raises(InvalidRangeError) as refused:
            parse_range(text)
        assert time.process_time() - start < 0.5
        assert len(str(refused.value)) < 400
    assert parse_range("76s  -  54s , AKs :  50 %").sum() == 14.0


def test_long_texts_are_refused_at_once_and_quoted_shortly():
    for read, text in (
        (parse_cards, "Ad" * 10**5),
        (lambda text: BotSpec(text).make(), "x" * 10**6),
        (lambda text: BotSpec(text).make(), "random:fold=" + "9" * 10**5),
        (lambda text: BotSpec(text).fingerprint(), f"random:fold={'9' * 5000}x"),
        (Betting.start(limit_holdem(cap=None)).play, "r" * 10**6),
        (Betting.start(limit_holdem()).play, "r" + "9" * 10**6),
    ):
        start, message = time.process_time(), ""
        try:
            read(text)
        except RailbirdError as error:
            message = str(error)
        assert time.process_time() - start < 1.0
        assert len(message) < 1_000


def test_a_bot_whose_parameter_cannot_be_a_path_has_a_fingerprint():
    assert BotSpec(f"random:fold={'x' * 5000}").fingerprint() == BotSpec("random").fingerprint()
    with pytest.raises(UnknownBotError, match="no file"):
        BotSpec(f"{'x' * 5000}.py:Bot").load()


def test_a_file_without_a_class_has_a_label_and_is_refused_in_words(capsys):
    assert BotSpec("mybot.py").label == "mybot.py"
    with pytest.raises(SystemExit):
        main(["match", "nowhere.py", "always-call"])
    assert capsys.readouterr().err.startswith("error: no file 'nowhere.py' to load a bot from")


@pytest.mark.parametrize("delay", ["nan", "1e300", "inf"])
def test_a_pause_that_cannot_be_waited_for_is_refused(delay, capsys):
    with pytest.raises(SystemExit):
        main(["watch", "always-call", "always-raise", "--delay", delay])
    assert "it is 0 to 3600 seconds" in capsys.readouterr().err


# Logs


@pytest.mark.parametrize("line", [LINE.replace(":0:", f":{NINES}:"), LINE.replace("30|-30", f"{NINES}|-{NINES}")])
def test_numbers_of_4301_digits_in_a_log_are_one_bad_line(line):
    found = read_logs([LogSource(Path("x"), data=f"{LINE}\n{line}\n".encode())])
    assert len(found) == 1
    assert [problem.line for problem in found.problems] == [2]
    assert len(str(found.problems[0])) < 400
    with pytest.raises(RailbirdError):
        parse_record(line, limit_holdem())


def test_long_names_are_told_shortly():
    with pytest.raises(RailbirdError) as refused:
        parse_record(f"STATE:0:crrrf:5d|9hQd:30|-30:{'x' * 10_000}|p2", limit_holdem()).check()
    assert len(str(refused.value)) < 200


def test_payoffs_are_below_2_to_the_50th():
    assert parse_record(LINE.replace("30|-30", "999999999999999|-999999999999999"), limit_holdem()).payoffs[0] > 0
    with pytest.raises(RailbirdError, match="are not chips"):
        parse_record(LINE.replace("30|-30", "1000000000000000|-1000000000000000"), limit_holdem())


def test_a_log_of_many_names_is_read_in_one_go():
    hands = "".join(f"STATE:{at}:crrrf:5d5c|9hQd:30|-30:p{2 * at}|p{2 * at + 1}\n" for at in range(10_000))
    read_logs([LogSource(Path("x"), data=hands[:400].rpartition("\n")[0].encode() + b"\n")])  # compiled before
    start = time.process_time()
    found = read_logs([LogSource(Path("x"), data=hands.encode())])
    assert (len(found), len(found.names)) == (10_000, 20_000)
    assert [found.names[at] for at in found.players[9_999]] == ["p19998", "p19999"]
    assert time.process_time() - start < 20  # it took more than 200 s


def test_a_score_is_that_of_the_hands_before_it():
    lines = [LINE, "SCORE:30|-30:p1|p2", LINE.replace(":0:", ":1:"), "SCORE:60|-60:p1|p2"]
    found = read_logs([LogSource(Path("x"), data="".join(f"{line}\n" for line in lines).encode())])
    assert [(problem.line, problem.kind) for problem in found.problems] == [(4, "score")]
    assert "p1 30, p2 -30" in str(found.problems[0])


def test_remarks_after_long_blanks_are_cut_off_at_once():
    blanks = " " * 200_000
    start = time.process_time()
    assert without_remark(f"a{blanks}b#c") == f"a{blanks}b#c"
    assert without_remark(f"a#b{blanks}# c # d") == "a#b"
    assert time.process_time() - start < 0.5


def test_comments_that_look_like_faults_without_end_are_passed_over():
    start = time.process_time()
    assert (
        noted_faults(
            ["hand 3: Ann raised: x" + " (settled as" * 50_000, f"hand {NINES}: Ann raised: x (settled as)"], 0
        )
        == []
    )
    many = noted_faults(["hand 3: Ann raised: x (settled as a fold)", *["  mybot.py:3"] * 50_000], 0)
    assert len(many[0].trace) == 50
    assert time.process_time() - start < 1.0


# Folders


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("matches") / "match"
    play_match("always-call", "always-raise", hands=5, seed=1, folder=path, progress=False)
    return path


def changed(path: Path, target: Path, *keys: object, to: object) -> Path:
    """A folder like another, whose manifest says something else."""
    data = json.loads((path / "manifest.json").read_text())
    inside = data
    for key in keys[:-1]:
        inside = inside[key]
    inside[keys[-1]] = to
    target.mkdir()
    (target / "manifest.json").write_text(json.dumps(data))
    (target / "hands.log").write_bytes((path / "hands.log").read_bytes())
    return target


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("hands",), float("inf")),
        (("hands",), 10**400),
        (("hands",), -1),
        (("hands",), "5"),
        (("hands",), True),
        (("seed",), 2**63),
        (("seed",), 1.5),
        (("versions",), None),
        (("versions", "railbird"), 5),
        (("files",), None),
        (("files",), [""]),
        (("duplicate",), "no"),
        (("decision_seconds",), float("nan")),
        (("decision_seconds",), "soon"),
        (("block_hands",), 0),
        (("players",), {"name": "Ann"}),
        (("players", 0, "name"), 5),
        (("players", 0, "name"), "always-raise"),
        (("players", 0, "bot"), None),
        (("game",), []),
        (("game", "structure"), "no-such"),
        (("game", "structure"), "x" * 9_000),
        (("game", "structure"), 3),
        (("game", "name"), 5),
        (("game", "blinds"), [2, 10**20]),
        (("game", "bet_sizes"), "2244"),
        (("game", "stacks"), {"a": 1}),
    ],
)
def test_a_manifest_of_which_something_is_not_what_it_should_be_is_refused(played, tmp_path, capsys, keys, value):
    path = changed(played, tmp_path / "match", *keys, to=value)
    with pytest.raises(RailbirdError):
        MatchFolder.open(path)
    with pytest.raises(SystemExit):
        main(["results", str(path)])
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert len(error) < 1_000


def test_a_manifest_of_brackets_is_refused(played, tmp_path):
    path = changed(played, tmp_path / "match", "hands", to=5)
    for text in ("[" * 200_000, '{"game": ' * 100_000, "", "null", "\x00", f'{{"hands": {NINES}}}'):
        (path / "manifest.json").write_text(text)
        for read in (MatchFolder.open, folder_game):
            with pytest.raises(MatchError):
                read(path)


@pytest.mark.parametrize("what", ["tournament", "comparison"])
def test_a_tournament_or_comparison_of_which_something_is_missing_is_refused(what, tmp_path):
    path = tmp_path / what
    if what == "tournament":
        play_tournament("always-call", "always-raise", "always-fold", hands=4, folder=path, progress=False)
    else:
        compare_bots("always-call", "always-raise", ["always-fold"], hands=4, folder=path, progress=False)
    file, read = path / f"{what}.json", read_tournament if what == "tournament" else read_comparison
    good = json.loads(file.read_text())
    read(path)
    pairs = "pairs" if what == "tournament" else "matches"
    bad = [{**good, "names": 5}, {**good, "names": good["names"][:1]}, {**good, pairs: good[pairs][:-1]}]
    bad += [{**good, pairs: [[float("inf"), 1, "01-02"]]}, {**good, pairs: [["a", "b"]]}, {**good, "names": [1, 2, 3]}]
    bad += [{key: value for key, value in good.items() if key != name} for name in ("names", pairs)]
    bad += [{**good, pairs: [[*pair[:-1], "../x"] for pair in good[pairs]]}, [], None]
    for each in bad:
        file.write_text(json.dumps(each))
        with pytest.raises(MatchError, match=f"{what}.json is damaged"):
            read(path)
    file.write_text("[" * 200_000)
    with pytest.raises(MatchError, match=f"{what}.json is damaged"):
        read(path)


def test_decisions_that_cannot_be_are_as_none(tmp_path):
    file = tmp_path / UNFINISHED
    for text in ("[" * 200_000, '{"hand": Infinity, "decisions": {}}', '{"hand": 3}', f'{{"hand": {NINES}}}', "\x00"):
        file.write_text(text)
        assert not KeptDecisions(tmp_path)
    file.write_text('{"hand": 3, "decisions": {"": "r"}}')
    assert KeptDecisions(tmp_path).hand == 3


# Files of numbers


@pytest.mark.parametrize(
    "header",
    [
        {"tables": [["a", "<i8", [10**30]]]},
        {"tables": [["a", "<i8", [2**20, 2**20, 2**20]]]},
        {"tables": [["a", "<i8", [-3]]]},
        {"tables": [["a", "<i8", [3, *[1] * 99]]]},
        {"tables": [["a", "|O", [3]]]},
        {"tables": [["a", "(1000000,1000000)f8", [3]]]},
        {"tables": [["a", [["x", "<f8"]], [3]]]},
        {"tables": [["a", "<i8"]]},
        {"tables": 5},
        {"checksum": None},
        {"version": float("inf")},
        {"what": 5},
    ],
)
def test_a_file_of_tables_that_claims_what_cannot_be_is_refused(tmp_path, header):
    path = write_tables(tmp_path / "tables.bin", "tables", 1, {"a": np.arange(3)})
    first, _, rest = path.read_bytes().partition(b"\n")
    line = json.dumps({**json.loads(first), **header}).encode() + b"\n"
    path.write_bytes(line + bytes(-len(line) % 64) + rest[-64:])
    with pytest.raises(RailbirdError):
        map_tables(path, "tables", 1, "again")


def test_a_model_with_default_data_of_another_shape_is_refused(tmp_path):
    tree = BettingTree.of(limit_holdem(cap=1))
    path = ContextTree(tree).save(tmp_path / "model")
    tables = dict(map_tables(path, "context tree", 1, ""))
    for name, other in (("default triples", np.zeros((3, 3))), ("action data", tables["action data"] * np.nan)):
        write_tables(tmp_path / "other", "context tree", 1, {**tables, name: other})
        with pytest.raises(RailbirdError, match=f"{name!r}"):
            ContextTree.load(tmp_path / "other", tree)


# Options


@pytest.mark.parametrize(
    "settings",
    [
        {"boards": 10**20},
        {"workers": 10**9},
        {"checks": 10**20, "flops": 2},
        {"minutes": float("nan")},
        {"minutes": 1e300},
        {"seed": -1},
        {"flops": 10**20},
    ],
)
def test_a_plan_that_cannot_be_is_refused(settings):
    with pytest.raises(RailbirdError) as refused:
        SolvePlan(**settings)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("flops", [1, 10**9, int("9" * 20)])
def test_flops_that_cannot_be_drawn_are_refused(flops):
    with pytest.raises(RailbirdError, match="flops; an estimate needs at least 2, and at most 1,000,000"):
        exploitability("always-call", flops=flops)


def test_seeds_and_hands_are_within_limits():
    for settings, words in (
        ({"hands": 10**20}, "hands; it needs at most 10,000,000,000"),
        ({"hands": 10**5000}, "hands; it needs at most 10,000,000,000"),
        ({"seed": 10**20}, "a seed is a whole number from 0 to"),
        ({"decision_seconds": 1e300}, "it must be more than 0, and at most 1e"),
    ):
        with pytest.raises(MatchError, match=words):
            MatchSpec(limit_holdem(), ("always-call", "always-raise"), **{"hands": 5, "seed": 0, **settings})


def test_an_option_of_thousands_of_digits_is_said_in_a_line(capsys):
    with pytest.raises(SystemExit):
        main(["match", "always-call", "always-raise", "-n", "9" * 5000])
    error = capsys.readouterr().err
    assert "Invalid value for '--hands'" in error
    assert len(error) < 1_500
