"""Looking runs no code: commands that show what was played never load a bot, nor miss one that is gone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from railbird.cli import main

BOT = """
import os
from pathlib import Path
from railbird import CALL, Bot

Path(os.environ["MARK"]).write_text("imported")

class Stranger(Bot):
    def __init__(self, depth: int = 1):
        pass

    def act(self, view):
        return CALL
"""
LOOKS = {
    "results": ["results", "{}", "--divat"],
    "results, JSON": ["results", "{}", "--json", "--no-divat"],
    "replay": ["replay", "{}", "3"],
    "replay, JSON": ["replay", "{}", "3", "--json"],
    "assess": ["assess", "{}"],
    "assess, a hand": ["assess", "{}", "--hand", "3"],
    "assess, a page": ["assess", "{}", "--html", "page.html"],
    "assess, JSON": ["assess", "{}", "--json"],
    "hands": ["hands", "{}"],
    "hands by skill": ["hands", "{}", "--by", "skill"],
    "accuracy": ["accuracy", "{}"],
    "verify": ["verify", "{}"],
}
RUNS = {
    "match": ["match", "stranger.py:Stranger:depth=3", "packed", "--out", "m", "-d"],
    "tournament": ["tournament", "stranger.py:Stranger", "packed", "always-raise", "--out", "t"],
    "comparison": ["compare", "stranger.py:Stranger", "packed", "--against", "random", "--out", "c"],
}
FOLDERS = {"match": "m", "tournament": "t", "comparison": "c"}


def seen(arguments, capsys):
    """What a command wrote that ran in this process, and ended well."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    written = capsys.readouterr()
    assert not ended.value.code, written.err
    return written.out


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Matches of a bot from a file and one from a package, both of which leave a mark when they are imported."""
    folder = tmp_path_factory.mktemp("strangers")
    (folder / "stranger.py").write_text(BOT)
    packages = folder / "packages"
    about = packages / "packed_bot-1.0.dist-info"
    about.mkdir(parents=True)
    (packages / "packed_bot.py").write_text(BOT)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: packed-bot\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[railbird.bots]\npacked = packed_bot:Stranger\n")
    paths = os.pathsep.join([str(packages), *filter(None, sys.path)])
    for command in RUNS.values():
        asked = [sys.executable, "-m", "railbird", *command, "--hands", "20", "--no-divat", "--workers", "1"]
        subprocess.run(asked, cwd=folder, env={**os.environ, "MARK": "mark", "PYTHONPATH": paths}, check=True)
    assert (folder / "mark").exists()  # those who play load bots, so the mark can be trusted
    return folder


def looks():
    every = [pytest.param("match", look, id=f"{name} of a match") for name, look in LOOKS.items()]
    for kind in ("tournament", "comparison"):
        every += [pytest.param(kind, LOOKS[name], id=f"{name} of a {kind}") for name in ("results", "verify")]
    return every


@pytest.mark.parametrize(("kind", "look"), looks())
def test_looking_at_a_folder_imports_no_bot_and_needs_none(played, tmp_path, monkeypatch, capsys, kind, look):
    mark = tmp_path / "mark"
    monkeypatch.setenv("MARK", str(mark))
    alone = tmp_path / "alone"  # as it comes from somebody else: without the bots
    shutil.copytree(played / FOLDERS[kind], alone)
    asked = [part.format(alone) for part in look]
    monkeypatch.chdir(tmp_path)
    without = seen(asked, capsys)
    # Where the file of its manifest lies, and the package is installed, it is the same.
    shutil.copy(played / "stranger.py", tmp_path)
    monkeypatch.syspath_prepend(played / "packages")
    assert seen(asked, capsys) == without
    assert not mark.exists()
    assert "packed_bot" not in sys.modules


@pytest.mark.parametrize(
    "text",
    [
        "nobody-knows-me",
        "../../../../no/such/file.py:Bot",
        "stranger.py",
        "stranger.py:Stranger:depth=__import__('os').system('touch evil')",
        "loki:tightness=%s{}$(touch evil)`touch evil`",
        "os:system",
        ":::===,,,",
        "",
    ],
)
def test_whatever_a_manifest_names_is_only_text(played, tmp_path, monkeypatch, capsys, text):
    monkeypatch.setenv("MARK", str(tmp_path / "mark"))
    monkeypatch.chdir(tmp_path)
    alone = tmp_path / "alone"
    shutil.copytree(played / "m", alone)
    file = alone / "manifest.json"
    manifest = json.loads(file.read_text())
    manifest["players"][0]["bot"] = text
    file.write_text(json.dumps(manifest))
    shutil.copy(played / "stranger.py", tmp_path)
    for look in ("results, JSON", "replay", "hands", "verify"):
        seen([part.format(alone) for part in LOOKS[look]], capsys)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["alone", "stranger.py"]
