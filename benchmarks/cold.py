"""What a first use costs: every command of the README, and uses in Python, each in an empty cache.

CPU seconds are those of the process and of all processes that it starts, user and system together: on a busy machine
they say more than the time that passed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.timing import Row
from railbird.cli.commands import PANELS
from railbird.cli.with_skill import QUICK_HANDS
from railbird.progress import live_bar

README = Path(__file__).parent.parent / "README.md"
RAILBIRD = [sys.executable, "-m", "railbird"]
MOST_CACHE_MB = 120
SHORTER = {"experiment": ["--hands", "2"], "tournament": ["--hands", "50"]}
"""What is added to commands that would play for long: here it counts how they begin."""
BOT_TARGETS = {"vexbot": 20, "vexbot2": 20, "equilibrium": 20, "loki": 10}
TARGETS = {"odds": 3, "replay": 3, "match": 8, "demo": 8, "explain": 10, "assess": 20, "warm-up": 60}
"""CPU seconds, by command, unless a bot takes longer."""
MORE = (
    "demo",
    "match expert always-call --hands 200",
    "match loki random --hands 100",
    "match vexbot random --hands 100",
    "match equilibrium random --hands 100",
    "explain AdQc 3h4cJh --bot vexbot2",
    "warm-up",
)
"""Commands that are not in the README, or there with other players."""
PYTHON = {
    "rb.ranks": ("rb.ranks(np.array([[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]], np.uint8))", 3),
    "rb.hand_strength": ("rb.hand_strength('AdQc', '3h4cJh')", 3),
    "rb.odds": ("print(rb.odds('AdQc', '3h4cJh'))", 3),
    "rb.play_match": ("rb.play_match('always-call', 'random', hands=200)", 8),
    "rb.assess": ("rb.assess('matches/demo')", 20),
}
"""By what is used: the code, and its target."""


@dataclass(frozen=True)
class Use:
    """Something that somebody does first."""

    what: str
    command: tuple[str, ...]
    target: float | None

    def cost(self, folder: Path, cache: Path) -> tuple[float, float]:
        """CPU seconds and seconds that pass, in a folder and with a cache."""
        environment = {**os.environ, "RAILBIRD_CACHE": str(cache), "RAILBIRD_PROGRESS": "no"}
        with (folder / "said").open("w+") as said:
            began = perf_counter()
            process = subprocess.Popen(
                self.command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said
            )
            _, status, used = os.wait4(process.pid, 0)
            passed = perf_counter() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            if process.returncode:
                raise RuntimeError(f"{self.what} ended with {process.returncode}: {said.read()[-500:]}")
        return used.ru_utime + used.ru_stime, passed


def rows() -> list[Row]:
    """A row for each use: CPU seconds, seconds that passed, and what the cache has then; and all together."""
    found = []
    with TemporaryDirectory(prefix="railbird-cold-") as temporary, live_bar("cold", "uses") as watch:
        prepared, everything = Path(temporary) / "prepared", Path(temporary) / "everything"
        _prepare(prepared)
        chosen = list(uses())
        for at, use in enumerate(chosen):
            if watch:
                watch(at, len(chosen), use.what)
            folder, cache = Path(temporary) / f"use-{at}", Path(temporary) / f"cache-{at}"
            shutil.copytree(prepared, folder)
            found.append(_row(use, folder, cache))
            shutil.copytree(cache, everything, dirs_exist_ok=True)
            shutil.rmtree(cache)
        size = _megabytes(everything)
        ok = size <= MOST_CACHE_MB
        found.append(Row("all of these", "", "", f"{size:.1f} MB cached", f"<= {MOST_CACHE_MB} MB", ok))
    return found


def uses() -> Iterator[Use]:
    """The README's commands, more commands, and uses in Python."""
    for text in (*readme_commands(README.read_text(encoding="utf-8")), *MORE):
        words = shlex.split(text)
        if any(words[0] in commands for commands in PANELS.values()):
            yield Use(f"railbird {text}", (*RAILBIRD, *words, *SHORTER.get(words[0], ())), target_of(words))
    for what, (code, target) in PYTHON.items():
        program = f"import numpy as np\nimport railbird as rb\nif __name__ == '__main__':\n    {code}\n"
        yield Use(what, (sys.executable, "-c", program), target)


def readme_commands(text: str) -> list[str]:
    """The commands of the README, without `railbird` and what is said of them.

    >>> readme_commands("$ railbird odds AdQc --versus 'QQ+, AKs'     strength, equity\\n$ ls\\n")
    ["odds AdQc --versus 'QQ+, AKs'"]
    """
    return re.findall(r"^\$ railbird (\S.*?)(?: {2,}.*)?$", text, re.MULTILINE)


def target_of(words: list[str]) -> float | None:
    """The CPU seconds that a command may take, `None` where nothing is said of it.

    >>> target_of(["match", "loki", "random"]), target_of(["match", "expert", "random"]), target_of(["new-bot", "b"])
    (10, 8, None)
    """
    if words[0] == "match" and "--hands" in words and int(words[words.index("--hands") + 1]) >= QUICK_HANDS:
        return TARGETS["assess"]  # DIVAT comes with it
    of_bots = [BOT_TARGETS[word] for word in words[1:] if word in BOT_TARGETS]
    return max(of_bots, default=TARGETS.get(words[0]))


def _prepare(folder: Path) -> None:
    """What some commands look at: the demo's match, and a bot. Made with the usual cache, and not timed."""
    folder.mkdir()
    for arguments in (["demo"], ["new-bot", "mybot"]):
        subprocess.run([*RAILBIRD, *arguments], cwd=folder, check=True, capture_output=True)


def _row(use: Use, folder: Path, cache: Path) -> Row:
    makes = {"demo": "matches", "new-bot": "mybot.py"}
    if len(use.command) > 3 and use.command[3] in makes:
        made = folder / makes[use.command[3]]
        shutil.rmtree(made) if made.is_dir() else made.unlink()
    cache.mkdir()
    cpu, passed = use.cost(folder, cache)
    target = "" if use.target is None else f"<= {use.target:g} s"
    ok = None if use.target is None else cpu <= use.target
    return Row(use.what, f"{cpu:.1f} s CPU", f"{passed:.1f} s wall", f"{_megabytes(cache):.1f} MB cached", target, ok)


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
