"""What the repository promises of itself."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_ci_runs_the_test_command_of_the_readme():
    commands = [
        line.strip() for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("    python3")
    ]
    assert len(commands) == 2
    assert "railbird demo" in commands[0]
    assert commands[1] in (ROOT / ".ci" / "run").read_text().splitlines()


def test_nothing_large_ships():
    allowed = {"assess": 2_000_000, "solve": 25_000_000}  # the rollout before the flop, the equilibrium
    for path in (ROOT / "src" / "railbird").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            package = path.relative_to(ROOT / "src" / "railbird").parts[0]
            most = allowed.get(package, 1_000_000) if path.parent.name == "data" else 1_000_000
            assert path.stat().st_size < most, path


def test_every_paper_page_and_document_is_linked_from_somewhere():
    text = "".join(path.read_text() for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    for path in ROOT.glob("docs/**/*.md"):
        assert path.name in text, f"{path} is not mentioned anywhere"


def test_no_module_has_the_name_of_another():
    names = Counter(file.stem for file in (ROOT / "src").rglob("*.py") if file.stem not in ("__init__", "__main__"))
    assert [name for name, times in names.items() if times > 1] == []
