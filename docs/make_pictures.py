"""Draws the pictures of README and guide from what Railbird really prints: python docs/make_pictures.py [NAME ...].

Terminals become SVG; so do the two figures of "DIVAT in five minutes". Pages are WebP, taken by Chromium without a
window (docs/browser_pictures.py); where there is none, those pictures stay as they are. All go to docs/pictures.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import browser_pictures
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import railbird as rb
from railbird.files import write_whole
from railbird.results.figures import COLOURS, Figure, Line, draw

PICTURES = Path(__file__).parent / "pictures"
COLUMNS = 100
MOST_LINES = 34
NORMAL = "2e3440 e86a6a 6ecb92 e6be64 78aaf0 cd96dc 6ec8d2 dee2de"
BRIGHT = "6e7873 f08282 8cdcaa f0d282 96befa dcaae6 8cd7e1 ffffff"
THEME = TerminalTheme(
    (24, 30, 27),
    (222, 226, 222),
    *[[tuple(bytes.fromhex(colour)) for colour in colours.split()] for colours in (NORMAL, BRIGHT)],
)
"""Light on dark green."""

TERMINALS = {
    "match": "railbird match expert always-call --hands 2000 --duplicate --seed 7 --out matches/demo",
    "explain": "railbird explain AdQc 3h4cJh --history cc/r",
}
"""By picture, the command whose output it shows."""


def terminal(name: str) -> None:
    """What a command prints, as a picture of a terminal."""
    command = TERMINALS[name]
    with TemporaryDirectory() as folder:
        text = _printed(command, folder)
    screen = Console(record=True, width=COLUMNS, force_terminal=True, color_system="truecolor", file=StringIO())
    prompt = Text.assemble(("$ ", "bold green"), (command, "bold"))
    screen.print(prompt, highlight=False, soft_wrap=False)
    shown = Text.from_ansi(text).split()
    for line in shown[:MOST_LINES]:
        line.rstrip()
        screen.print(line, highlight=False)
    screen.print()
    svg = screen.export_svg(title="railbird", theme=THEME, unique_id=f"railbird-{name}", code_format=_frame())
    write_whole(PICTURES / f"{name}.svg", svg)


def _frame() -> str:
    """Rich's picture of a terminal, with fonts of the reader's machine instead of one from the network."""
    from rich._export_format import CONSOLE_SVG_FORMAT

    start, end = CONSOLE_SVG_FORMAT.index("@font-face"), CONSOLE_SVG_FORMAT.index(".{unique_id}-matrix")
    plain = CONSOLE_SVG_FORMAT[:start] + CONSOLE_SVG_FORMAT[end:]
    return plain.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")


def _printed(command: str, folder: str) -> str:
    """What a command prints on a terminal with colours."""
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "PYTHONIOENCODING": "utf-8"}
    arguments = [sys.executable, "-m", "railbird", *shlex.split(command)[1:]]
    done = subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


# DIVAT in five minutes


def divat_match() -> None:
    """Money, skill and luck over the match of the page."""
    [pair] = rb.assess(_match(), progress=False).pairs
    names = {"money": ("money", COLOURS[0]), "divat": ("skill (DIVAT)", COLOURS[1]), "luck": ("luck", "#999999")}
    lines = []
    for measure, (name, colour) in names.items():
        sums = Line.running_total(name, pair.values[measure])
        lines.append(Line(name, sums.x, sums.y, colour=colour))
    figure = Figure("loki against expert", "hands", "small bets for loki", lines)
    write_whole(PICTURES / "divat-match.svg", draw([figure], "svg", size=(8, 4.2)))


def divat_hand() -> None:
    """The hand of the page as steps: what each street's cards gave, and what its decisions made of it."""
    [hand] = rb.assess(_match(), progress=False).hand(214).to_json()["hands"]
    steps = [("seat", hand["position"], "#999999")]
    for street in hand["streets"]:
        label = "holdings" if street["street"] == "preflop" else street["street"]
        steps.append((f"{label}: luck", street["luck"], COLOURS[0]))
        if street["difference"]:
            steps.append((f"{label}: skill", street["difference"], COLOURS[1]))
    write_whole(PICTURES / "divat-hand.svg", _waterfall([*steps, ("money", None, "#444444")]))


def _waterfall(steps: list[tuple[str, float | None, str]]) -> str:
    """Steps as bars, each from where the one before ended; the last, without a number, goes from zero to the end."""
    high, left, unit, total = 34, 130, 80, 0.0
    wide, zero = left + 7 * unit + 40, left + 6.4 * unit
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high * len(steps) + 20}" '
        'font-family="sans-serif" font-size="15">',
        f'<rect width="{wide}" height="{high * len(steps) + 20}" fill="#fff"/>',
        f'<line x1="{zero}" y1="4" x2="{zero}" y2="{high * len(steps) + 12}" stroke="#bbb"/>',
    ]
    for row, (label, value, colour) in enumerate(steps):
        begin, end = (0.0, total) if value is None else (total, total + value)
        total = end
        x, width, y = zero + unit * min(begin, end), unit * abs(end - begin), 10 + row * high
        number = f"{end - begin:+.2f}"
        weight = ' font-weight="bold"' if value is None else ""
        is_inside = width > 60
        place = f'x="{x + width / 2:.1f}" fill="#fff" text-anchor="middle"' if is_inside else f'x="{x - 52:.1f}"'
        parts += [
            f'<text x="{left - 12}" y="{y + 19}" text-anchor="end"{weight}>{label}</text>',
            f'<rect x="{x:.1f}" y="{y}" width="{max(width, 2):.1f}" height="{high - 8}" fill="{colour}"/>',
            f'<text {place} y="{y + 19}"{weight}>{number}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _match() -> rb.MatchResult:
    return rb.play_match("loki", "expert", hands=1000, seed=8, progress=False)


# The report


def report() -> None:
    """The beginning of the page that `railbird assess --html` writes."""
    with TemporaryDirectory() as folder:
        _printed("railbird match loki expert --hands 1500 --duplicate --seed 7 --out match", folder)
        _printed("railbird assess match --html report.html", folder)
        browser_pictures.report(Path(folder) / "report.html")


MAKERS: dict[str, Callable[[], None]] = {
    **{name: (lambda name=name: terminal(name)) for name in TERMINALS},
    "divat-match": divat_match,
    "divat-hand": divat_hand,
    "report": report,
    **browser_pictures.ROOMS,
}
NEED_BROWSER = {"report", *browser_pictures.ROOMS}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"by default all: {', '.join(MAKERS)}")
    asked = parser.parse_args().names
    if unknown := [name for name in asked if name not in MAKERS]:
        parser.error(f"no picture {unknown[0]!r}")
    for wanted in asked or MAKERS:
        if wanted in NEED_BROWSER and not shutil.which("chromium"):
            print(f"no chromium: {wanted}.webp stays as it is", file=sys.stderr)
            continue
        print(f"drawing {wanted}", file=sys.stderr)
        MAKERS[wanted]()
