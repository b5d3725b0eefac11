"""The guide's pages say what the commands, the bots and the data say, and its site needs nothing from elsewhere."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from railbird.bots.registry import make_bot
from railbird.game.spec import limit_holdem

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
MADE_FOR_THE_SITE = {"changelog.md", "security.md", "first-steps.md"}


def tool(name: str) -> dict[str, Any]:
    return runpy.run_path(str(DOCS / f"{name}.py"))


@pytest.mark.parametrize("name", ["commands", "files"])
def test_the_reference_is_that_of_the_commands_and_bots(name):
    made = tool("make_reference")
    page = {"commands": "commands.md", "files": "files-and-games.md"}[name]
    text = (DOCS / page).read_text(encoding="utf-8")
    assert text == made[f"{name}_page"](), f"{page}: run python docs/make_reference.py"


def test_every_command_says_what_it_takes():
    made = tool("make_reference")
    commands = {name for panel in made["PANELS"].values() for name in panel}
    assert set(made["TAKES"]) == commands, "TAKES in docs/make_reference.py"


def test_the_page_of_strength_is_made_of_its_data():
    made = tool("make_strength")
    data = json.loads((DOCS / "data" / "strength.json").read_text(encoding="utf-8"))
    assert (DOCS / "strength.md").read_text(encoding="utf-8") == made["page"](data), "run python docs/make_strength.py"
    assert (DOCS / "pictures" / "strength.svg").read_text(encoding="utf-8") == made["picture"](data)
    assert made["data_text"](data) == (DOCS / "data" / "strength.json").read_text(encoding="utf-8")
    players = list(data["heads_up"]["players"])
    assert len(data["heads_up"]["pairs"]) == len(players) * (len(players) - 1) // 2
    assert set(data["ring"]["players"]) <= set(players)


def test_the_page_of_exploitability_is_made_of_its_data():
    made = tool("make_exploitability")
    rows = json.loads((DOCS / "data" / "exploitability.json").read_text(encoding="utf-8"))["rows"]
    rows.sort(key=lambda row: row["mean"])
    again = "run python docs/make_exploitability.py"
    assert (DOCS / "exploitability.md").read_text(encoding="utf-8") == made["page"](rows), again
    assert (DOCS / "pictures" / "exploitability.svg").read_text(encoding="utf-8") == made["picture"](rows), again
    assert len({row["player"] for row in rows}) == len(rows)


def test_an_upper_bound_on_that_page_has_no_other_end():
    made = tool("make_exploitability")
    bound = {"player": "resolver", "exact": False, "bound": "of rivers", "mean": 249.0, "as_dealer": 300.0}
    bound |= {"as_big_blind": 198.0, "flops_seed": None, "flops_judged": 1755}
    margins = {f"{name}_margin95": 20.0 for name in ("mean", "as_dealer", "as_big_blind")}
    rows = [bound, bound | margins | {"flops_seed": 1, "flops_judged": 2}]
    page, picture = made["page"](rows), made["picture"](rows)
    assert "| `resolver` |  |  | 249.0 | 300.0 | 198.0 | all |" in page
    assert "| `resolver` |  |  | 249 ± 20 | 300 ± 20 | 198 ± 20 | 2 |" in page
    assert "resolver: 229 to 269, an upper bound, from 2 flops" in picture
    assert "resolver: 249, an upper bound, from all flops" in picture


def test_all_players_of_that_page_can_be_measured():
    for name in tool("make_exploitability")["BOTS"]:
        assert make_bot(name).frozen_policy(limit_holdem()) is not None


def test_strength_is_measured_and_shown(tmp_path, monkeypatch):
    made = tool("make_strength")
    monkeypatch.setitem(made["measured"].__globals__, "named_bots", lambda: ["always-call", "always-raise", "expert"])
    found = made["measured"](tmp_path, 30, 2, 5, 1)
    assert found == made["measured"](tmp_path, 30, 2, 5, 1)  # from the hands that are there
    table = made["Crosstable"](found)
    assert table.order[0] == "expert"
    assert table.cells["expert", "always-call"].mean == -table.cells["always-call", "expert"].mean
    page = made["page"](found)
    assert "3 bots, 30 deals a pair heads-up and 2 a bot in the ring; seed 5" in page
    assert "--hands 30 --ring-hands 2 --seed 5" in page
    assert made["picture"](found).count("<title>") == 6


def test_every_page_is_in_the_navigation_and_every_picture_is_there():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"[\w/-]+\.md", nav)
    assert len(listed) == len(set(listed))
    there = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert set(listed) == there | MADE_FOR_THE_SITE
    for path in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / picture).is_file(), f"{picture} of {path}; python docs/make_pictures.py"


def test_links_of_the_pages_outside_the_site_lead_somewhere():
    for path in ROOT.glob("*.md"):
        for link in re.findall(r"\]\(([^)#:\s]+)[)#]", path.read_text(encoding="utf-8")):
            assert (ROOT / link).exists(), f"{link} of {path}"


def test_pictures_and_scripts_take_nothing_from_the_network():
    for path in [*DOCS.glob("pictures/*.svg"), *DOCS.glob("stylesheets/*"), *DOCS.glob("javascripts/*")]:
        found = re.findall(r"(?:href|src|url)\W{1,4}https?:[^\s\"')]+", path.read_text(encoding="utf-8"))
        assert not found, path
    for path in DOCS.glob("pictures/*"):
        assert path.stat().st_size < 300_000, path


def test_the_site_is_built_in_ci_with_the_extra():
    assert "mkdocs build --strict" in (ROOT / ".ci" / "run").read_text()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {re.split(r"\W*[<>=]", package)[0] for package in extras["docs"]} == {"mkdocs", "mkdocs-material"}
