"""railbird assess, as a person meets it."""

from __future__ import annotations

import json

import pytest

from railbird.cli import main

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
    assert out.startswith(
        "game: small bet of 10 chips, reverse blinds, at most 4 bets a street\nAlice vs Bob | 2 hands | "
    )
    assert lines["money"][1] == "+2.500"  # (11 - 6) / 2
    assert lines["all-in DIVAT"][2] == "+2.096"  # 4.1919 for the pair of hands (section 3.4)
    assert lines["duplicate DIVAT"][2] == lines["DIVAT"][1]


def test_one_hand_street_by_street(capsys, log):
    code, out, _ = run(capsys, "assess", log, "--hand", 0)
    assert code == 0
    flop = next(line for line in out.splitlines() if line.strip().startswith("flop")).split()
    assert flop == ["flop", "Td5hTh", "0.9672", "M4", "0.8483", "M2", "kBrC", "bRrC", "+7.8222", "+8.7414", "-0.9192",
                    "+9.0098"]  # fmt: skip
    code, _, err = run(capsys, "assess", log, "--hand", 7)
    assert (code, err) == (2, "error: no hand 7 among the hands that could be assessed\n")


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
    code, out, _ = run(capsys, "assess", log, "-s", "standard", "-s", "standard:fold=faced", "--json")
    assert code == 0
    assert json.loads(out)["settings"] == ["standard", "standard:fold=faced"]


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
    code, _, err = run(capsys, "assess", log)
    assert code == 2
    assert "no hand of the log shows all hole cards" in err
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
        (["example.log", "-s", "standart"], "no settings 'standart'"),
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
    done = subprocess.run([sys.executable, "-m", "railbird", "assess", str(log)], env=environment, capture_output=True,
                          text=True, check=True)  # fmt: skip
    assert "+2.500 +- " in done.stdout
