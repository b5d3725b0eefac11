"""The examples of environments run, and the one that trains an agent leaves one that is better than it was."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import railbird as rb

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gymnasium_env", "sb/hand against expert"),
        ("gymnasium_tables", "sb/hand against equilibrium"),
        ("pettingzoo_table", "player_5 at position 5"),
        ("openspiel_match", "best response to CardBlindSpielPolicy"),
        ("rlcard_match", "RLCardSeat vs expert | limit heads-up | 200 duplicate pairs"),
    ],
)
def test_examples_run(name, says, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"))
    assert says in capsys.readouterr().out


def test_an_agent_is_trained_and_measured(capsys):
    found = runpy.run_path(str(EXAMPLES / "train_agent.py"))
    words = ["--game", "limit:cap=1", "--steps", "60", "--tables", "128", "--hands", "40", "--flops", "2"]
    found["main"](words)
    printed = capsys.readouterr().out
    assert "Trained vs random | limit heads-up | 40 duplicate pairs against always-call" in printed
    assert "best response to Trained" in printed
    weights, _ = found["train"]("always-call", "limit", steps=150, tables=256, seed=0)
    trained = found["Trained"](weights)
    compared = rb.compare_bots(trained, "random", against="always-call", hands=150, seed=1)
    assert compared.difference().mean - compared.difference().margin > 0.2
