"""What the repository promises of itself."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_ci_runs_the_test_command_of_the_readme():
    commands = [
        line.strip() for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("    python3")
    ]
    assert len(commands) == 2
    assert "railbird demo" in commands[0]
    assert commands[1] in (ROOT / ".ci" / "run").read_text().splitlines()


def test_nothing_over_a_megabyte_ships():
    for path in (ROOT / "src").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.stat().st_size < 1_000_000, path


def test_every_paper_page_and_document_is_linked_from_somewhere():
    text = "".join(path.read_text() for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    for path in ROOT.glob("docs/**/*.md"):
        assert path.name in text, f"{path} is not mentioned anywhere"
