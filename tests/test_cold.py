"""The benchmark of first uses: what it runs, and what it measures."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from railbird.cli.commands import PANELS

ROOT = Path(__file__).parent.parent


@pytest.fixture
def cold(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    return import_module("benchmarks.cold")


def test_every_command_of_the_readme_is_run(cold):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = cold.readme_commands(text)
    assert len(commands) == text.count("\n$ railbird ") >= 8
    known = {name for commands in PANELS.values() for name in commands}
    assert {command.split()[0] for command in commands} <= known
    run = {use.what for use in cold.uses()}
    assert {f"railbird {command}" for command in commands} <= run


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("odds AdQc", 3),
        ("match vexbot loki --hands 10", 20),
        ("match expert random --hands 10", 8),
        ("match expert random --hands 5000", 20),
        ("explain AdQc --bot vexbot2", 20),
        ("warm-up", 60),
        ("bots", None),
    ],
)
def test_targets(cold, text, seconds):
    assert cold.target_of(text.split()) == seconds


def test_cpu_time_of_children_counts(cold, tmp_path):
    burn = "sum(range(4_000_000))"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{burn}'])"
    costs = [cold.Use("x", (sys.executable, "-c", each), None).cost(tmp_path, tmp_path)[0] for each in ("0", code)]
    assert costs[1] > costs[0]
    with pytest.raises(RuntimeError, match="x ended with 3: oh"):
        cold.Use("x", (sys.executable, "-c", "import sys; print('oh'); sys.exit(3)"), None).cost(tmp_path, tmp_path)
