"""railbird assess, as a person meets it."""

from __future__ import annotations

import json

import pytest
from rich.console import Console

import railbird as rb
from railbird.assess.leaks import leaks, surest_leaks
from railbird.assess.measure_table import MeasureRow, measure_table
from railbird.cli import main
from railbird.statistics import Estimate

GAMES = """\
STATE:0:cc/crrc/rrrc/rc:Ts6s|Jd5d/Td5hTh/2d/2h:110|-110:Alice|Bob
STATE:1:cc/crc/crrc/rf:Ts6s|Jd5d/Td5hTh/2d/2h:60|-60:Bob|Alice
"""
HIDDEN = "STATE:2:rrf:AsAh|:-20|20:Alice|Bob\n".replace("-20|20", "20|-20")


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "example.log"
    path.write_text(GAMES)
    return path


def run(capsys, *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return end.value.code or 0, captured.out, captured.err


def test_the_example_of_the_thesis(capsys, log):
    code, out, _ = run(capsys, "assess", log)
    assert code == 0
    lines = {line[:19].strip(): line.split() for line in out.splitlines()}
    assert out.startswith("Alice vs Bob | 2 hands | standard\n  1 pair of hands does not settle who plays better.\n")
    assert "\ngame: small bet of 10 chips, reverse blinds, at most 4 bets a street\n" in out
    assert out.splitlines()[-1] == (
        "leaks of Alice and Bob | nothing stands out | 4 ways of leaving the baseline judged together"
    )
    assert lines["money"][1] == "+2.500"  # (11 - 6) / 2
    assert lines["all-in DIVAT"][2] == "+2.096"  # 4.1919 for the pair of hands (section 3.4)
    assert lines["duplicate DIVAT"][2] == lines["DIVAT"][1]


def test_one_hand_street_by_street(capsys, log):
    code, out, _ = run(capsys, "assess", log, "--hand", 0)
    assert code == 0
    flop = next(line for line in out.splitlines() if line.strip().startswith("flop")).split()
    assert flop == [
        "flop",
        "Td5hTh",
        "0.9672",
        "M4",
        "0.8483",
        "M2",
        "kBrC",
        "bRrC",
        "+7.8222",
        "+8.7414",
        "-0.9192",
        "+9.0098",
    ]
    code, _, err = run(capsys, "assess", log, "--hand", 7)
    assert (code, err) == (2, "error: no hand 7 among the hands that could be assessed\n")


def test_one_hand_has_a_legend(capsys, log):
    _, out, _ = run(capsys, "assess", log, "--hand", "0")
    legend = out.split("EVAT)")[-1]
    for words in ("EHR: effective hand rank", "capitals for the button", "M1 to M4", "DIVAT: the difference", "LFAT"):
        assert words in legend


def test_the_report_begins_with_the_verdict_and_ends_with_the_leaks(capsys, tmp_path):
    rb.play_match("expert", "random", hands=300, seed=7, duplicate=True, folder=tmp_path / "m", progress=False)
    code, out, _ = run(capsys, "assess", tmp_path / "m")
    lines = out.splitlines()
    pair = rb.assess(tmp_path / "m", progress=False).pairs[0]
    assert (code, lines[0]) == (0, f"{pair.first} vs {pair.second} | 600 hands | standard")
    skill = pair.estimate("duplicate_divat")
    assert skill.is_clear
    assert lines[1] == "  expert played better than random."
    assert lines[2].startswith("  Duplicate DIVAT says +0.")
    assert "sb/hand for expert (95%), over 300 pairs of hands." in lines[2]
    assert any(line.startswith("  The cards gave ") for line in lines[:6])
    surest, ways = surest_leaks(pair)
    assert 0 < len(surest) < ways
    at = lines.index(f"leaks of expert and random | {ways} ways of leaving the baseline judged together")
    shown = [line.split() for line in lines[at + 2 :]]
    assert [row[0] for row in shown[:10]] == [name for name, _ in surest[:10]]
    # Judged together: each leak's own 95% interval would let more through.
    alone = [leak for player in (0, 1) for leak in leaks(pair, player) if leak.is_costly]
    assert len(alone) > len(surest)
    data = json.loads(run(capsys, "assess", tmp_path / "m", "--json")[1])["pairs"][0]
    assert sum(leak["stands_out"] for both in data["leaks"] for leak in both) == len(surest)
    assert data["verdict"].startswith("expert played better than random. Duplicate DIVAT says ")


def test_json(capsys, log):
    code, out, _ = run(capsys, "assess", log, "--json")
    found = json.loads(out)
    assert (code, found["schema"], found["hands_read"], found["problems"]) == (0, "railbird.assess/1", 2, [])
    (pair,) = found["pairs"]
    assert pair["players"] == ["Alice", "Bob"]
    assert pair["measures"]["money"]["mean"] == 2.5
    assert pair["measures"]["all_in"]["mean"] == pytest.approx(4.1919 / 2, abs=1e-4)
    assert set(pair["by_street"]) == {"preflop", "flop", "turn", "river"}
    assert {leak["kind"] for leak in pair["leaks"][1]} == {"missed"}  # Bob's checks; Alice's fold is a gain of hers
    code, out, _ = run(capsys, "assess", log, "--json", "--hand", 1)
    assert [street["played"] for street in json.loads(out)["hands"][0]["streets"]] == ["SlCk", "kBc", "kBrC", "bF"]


def test_an_ensemble_of_settings(capsys, log):
    code, out, _ = run(capsys, "assess", log, "--settings", "standard", "--settings", "standard:fold=faced", "--json")
    assert code == 0
    assert json.loads(out)["settings"] == ["standard", "standard:fold=faced"]


@pytest.mark.parametrize("command", [["assess", "example.log", "--settings"], ["build", "divat-preflop", "--settings"]])
def test_thresholds_in_numbers(capsys, log, monkeypatch, command):
    monkeypatch.chdir(log.parent)
    code, _, err = run(capsys, *command, "standard:flop_bets=0.5/0.6/0.9")
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("error: flop_bets=0.5/0.6/0.9: 3 numbers where the ranks worth 1 to 4 bets belong (as in ")


def test_an_assessment_by_thresholds_in_numbers(capsys, log):
    outputs = []
    for settings in (
        "standard",
        "standard:flop_bets=0.580/0.825/0.930/0.965,turn_folds=0.1",
        "standard:preflop_bets=0.45/0.8/0.92/0.96",
    ):
        code, out, _ = run(capsys, "assess", log, "--settings", settings, "--json")
        assert code == 0
        outputs.append(json.loads(out)["pairs"])
    assert outputs[0] == outputs[1]
    # With 0.45 for a bet both hands are worth one before the flop, which changes nothing: the big blind is that bet.
    assert outputs[2][0]["measures"]["divat"] == outputs[0][0]["measures"]["divat"]
    code, out, _ = run(capsys, "assess", log, "--settings", "standard:preflop_bets=0.4/0.45/0.92/0.96", "--json")
    assert json.loads(out)["pairs"][0]["by_street"]["preflop"]["mean"] == pytest.approx(0, abs=1e-12)
    leaks = json.loads(out)["pairs"][0]["leaks"]
    assert {leak["kind"] for player in leaks for leak in player if leak["street"] == "preflop"} == {"missed"}


def test_the_thresholds_of_build_reach_the_table(capsys, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(
        "railbird.cli.cmd_build.build_preflop", lambda *arguments: asked.append(arguments[0]) or tmp_path
    )
    code, _, _ = run(capsys, "build", "divat-preflop", "--settings", "standard:turn_bets=0.5/0.8/0.9/0.95")
    assert code == 0
    assert [float(rank) for rank in asked[0].bets[2]] == [0.5, 0.8, 0.9, 0.95]


def test_tables_that_ship_are_built_only_elsewhere(capsys, tmp_path):
    for table in ("divat", "divat-preflop"):
        code, _, err = run(capsys, "build", table)
        assert code == 2
        assert err.endswith("the tables of these settings ship with Railbird; with --out they are computed anew\n")


def test_one_hand_and_one_pair_of_hands(capsys, log, tmp_path):
    code, out, _ = run(capsys, "assess", log)
    duplicate = next(line for line in out.splitlines() if line.startswith("  duplicate  ")).split()
    assert (code, duplicate) == (0, ["duplicate", "+2.500", "±", "?", "1", "pair"])
    log.write_text(GAMES.splitlines()[0] + "\n")
    report = tmp_path / "r.html"
    code, out, _ = run(capsys, "assess", log, "--runtime", "--html", report, "--png", tmp_path / "p.png")
    assert code == 0
    assert "Alice vs Bob | 1 hand | " in out
    assert "runtime DIVAT -0.919 ± ? for Alice, over 1 hand: " in out
    page = report.read_text(encoding="utf-8")
    assert "<strong>1 hand does not settle who plays better.</strong> DIVAT says" in page
    said = page.replace("\xa0", " ")
    assert "+0.919 ± ? sb/hand for Bob, over 1 hand. In money it was +11.000 ± ? sb/hand for Alice." in said
    for text in (out, page[page.index("<main") : page.index("</main")]):
        assert not [word for word in ("nan", "1 hands", "1 pairs", "SD of money") if word in text]
    log.write_text(GAMES.splitlines()[0] + "\n" + HIDDEN)
    _, out, _ = run(capsys, "assess", log)
    assert "remarks on the logs: hands whose hole cards are not all shown (1)\n" in out


@pytest.mark.parametrize("width", [80, 120])
def test_one_hand_of_players_with_long_names(capsys, log, monkeypatch, width):
    names = ("alexandra_of_25_characters", "robert_with_25_characters")
    log.write_text(GAMES.replace("Alice", names[0]).replace("Bob", names[1]))
    monkeypatch.setattr("railbird.cli.show.console", lambda stderr=False: Console(stderr=stderr, width=width))
    code, out, _ = run(capsys, "assess", log, "--hand", 0)
    assert (code, "…" in out) == (0, False)
    flop = " ".join([" ".join(line.split()) for line in out.splitlines() if line.strip().startswith("flop")])
    assert flop == "flop Td5hTh 0.9672 M4 0.8483 M2 kBrC bRrC flop +7.8222 +8.7414 -0.9192 +9.0098"
    assert max(len(line) for line in out.splitlines() if line.startswith("  flop")) <= width


def test_a_manifest_of_somebody_else(capsys, log):
    log.with_name("manifest.json").write_text('{"name": "another program"}')
    code, _, err = run(capsys, "assess", log)
    assert (code, err.count("\n")) == (2, 1)
    assert "is not the manifest of a Railbird match" in err
    assert "say the game of the log with --game, as in --game limit" in err
    code, out, _ = run(capsys, "assess", log, "--game", "limit:small_bet=10")
    assert (code, "Alice vs Bob | 2 hands" in out) == (0, True)


def test_hands_with_hidden_cards(capsys, log):
    log.write_text(GAMES + HIDDEN)
    code, out, _ = run(capsys, "assess", log)
    assert code == 0
    assert "2 hands" in out
    assert "hand 2: the cards of Bob are not shown; only a runtime assessment counts it\n" in out
    code, out, _ = run(capsys, "assess", log, "--runtime")
    assert code == 0
    assert "over 3 hands: money where cards stayed hidden; not proven to be unbiased" in out
    log.write_text(HIDDEN)
    code, out, _ = run(capsys, "assess", log)
    assert code == 0
    assert "No DIVAT: no hand of the log shows all hole cards" in out
    assert "runtime DIVAT  +2.000" in out
    code, out, _ = run(capsys, "assess", log, "--runtime")
    assert code == 0
    assert "Alice vs Bob, runtime DIVAT +2.000" in out
    code, _, err = run(capsys, "assess", log, "--runtime", "--png", log.with_suffix(".png"))
    assert (code, "nothing to draw" in err) == (2, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("hello\n", "no hand"),
        (GAMES.replace("110|-110", "90|-90").splitlines()[0], "--game limit:small_bet=10"),
    ],
)
def test_logs_without_a_good_hand(capsys, tmp_path, content, message):
    path = tmp_path / "bad.log"
    path.write_text(content)
    code, _, err = run(capsys, "assess", path)
    assert code == 2
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


def test_bad_lines_are_named_and_left_out(capsys, log):
    log.write_text(GAMES + "STATE:5:cc/crc:Ts6s|TsTs/Td5hTh:0|0:Alice|Bob\nSTATE:6:cc/c")
    code, out, _ = run(capsys, "assess", log)
    assert code == 0
    assert f"{log}:3: " in out
    assert f"{log}:4: " in out
    assert "Alice vs Bob | 2 hands" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.log"], "nothing.log"),
        (["example.log", "--settings", "standart"], "no settings 'standart'"),
        (["example.log", "-g", "nolimit"], "nolimit"),
    ],
)
def test_what_cannot_be_done_is_said(capsys, log, monkeypatch, arguments, message):
    monkeypatch.chdir(log.parent)
    code, _, err = run(capsys, "assess", *arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_a_hand_that_two_files_have_counts_once(capsys, log):
    again = log.with_name("again.log")
    again.write_text("# the first hand once more\n" + GAMES.splitlines()[0] + "\n")
    code, out, _ = run(capsys, "assess", log, again)
    assert code == 0
    assert "Alice vs Bob | 2 hands" in out
    assert f"{again}:2: hand 0 again, the same as in {log}:1 (left out)" in out


def test_games_with_fewer_bets_are_refused(capsys, log):
    code, _, err = run(capsys, "assess", log, "-g", "limit:cap=3,small_bet=10")
    assert code == 2
    assert "four bets a street or more" in err


def test_one_hand_and_a_report_exclude_each_other(capsys, log, tmp_path):
    code, _, err = run(capsys, "assess", log, "--hand", 0, "--html", tmp_path / "r.html")
    assert (code, "leave it out" in err) == (2, True)
    code, _, err = run(capsys, "assess", log, "--html", tmp_path / "no" / "r.html")
    assert (code, "does not exist" in err) == (2, True)


def test_report_and_picture(capsys, log, tmp_path):
    code, out, _ = run(capsys, "assess", log, "--html", tmp_path / "r.html", "--png", tmp_path / "p.png")
    assert code == 0
    assert out.count("wrote ") == 2
    assert "Alice" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_output_without_special_signs(log):
    import os
    import subprocess
    import sys

    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "railbird", "assess", str(log)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "+2.500 +- " in done.stdout


@pytest.mark.parametrize("width", [60, 80])
def test_the_table_of_measures_fits_a_narrow_terminal(width):
    rows = [
        MeasureRow.of("baseline's money", Estimate(-0.15, 3.5, 3_000)),
        MeasureRow.of("duplicate DIVAT", Estimate(-0.15, 0.9, 1_500), "7.0x fewer hands", "1,500 pairs"),
        MeasureRow.of("duplicate", Estimate(-0.15, 9.9, 1_500), "1.1x more hands", "1,500 pairs"),
    ]
    where = Console(width=width, color_system=None)
    with where.capture() as taken:
        where.print(measure_table(rows).rendered(where))
    header, *lines = taken.get().rstrip().splitlines()
    assert header.split() == ["mean", "(95%)", "SD", "fewer", "hands"]
    assert [line.split()[-1] for line in lines] == ["3.500", "7.0x", "more"]
    assert len(lines) == len(rows)  # nothing goes on in another line
    assert "1,500 pairs, 7.0x fewer hands for the same certainty" in measure_table(rows).html()
