"""Competition logs for tests: a real one line by line, small ones written from its lines, and commands on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird.cli import main

DATA = Path(__file__).parent / "data" / "acpc"
LOG = DATA / "2p.limit.h1000.r0.log"
LINES = [line for line in LOG.read_text().splitlines() if line.startswith("STATE")]


def ran(capsys, *arguments: object) -> tuple[int, str, str]:
    """A command's exit code, and what it wrote to stdout and stderr."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return end.value.code or 0, captured.out, captured.err


def log(tmp_path: Path, *lines: str) -> Path:
    """A log of these lines."""
    path = tmp_path / "some.log"
    path.write_text("".join(line + "\n" for line in lines))
    return path
