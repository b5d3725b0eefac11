"""Photographs of pages, taken by Debian's chromium: what `railbird serve` shows, and a report.

The games are real: people here are scripts, deals and bots go by fixed seeds, so that the same pictures come again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
WAIT = 120_000
"""Milliseconds."""
_QUALITY = 80
_FIXED_CHANCE = """
import hashlib, itertools, secrets
_numbers = itertools.count()
secrets.token_bytes = lambda count=32: hashlib.sha256(b"pictures %d" % next(_numbers)).digest()[:count]
"""
"""For the server's processes: tables draw their keys from this, not from the system."""


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A server whose tables deal the same cards each time; its address."""
    (folder / "fixed").mkdir()
    (folder / "fixed" / "sitecustomize.py").write_text(_FIXED_CHANCE)
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "railbird", "serve", str(folder / "matches"), "--no-browser", "--port", str(port)]
    search = os.pathsep.join(filter(None, [str(folder / "fixed"), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"RAILBIRD_STATE": str(folder / "state"), "PYTHONPATH": search}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        assert "Railbird is at" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def browser_page(width: int, height: int, theme: str = "light") -> Iterator[Page]:
    """A page of a browser."""
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
        )
        context.add_init_script("""localStorage.setItem("railbird-table", '{"pace":"0","look":true}')""")
        page = context.new_page()
        page.set_default_timeout(WAIT)
        yield page
        chromium.close()


def keep(page: Page, name: str) -> None:
    """Take a picture of what is seen."""
    page.evaluate("document.fonts.ready")
    with TemporaryDirectory() as folder:
        raw = Path(folder) / "raw.png"
        page.screenshot(path=raw, animations="disabled", caret="hide")
        with Image.open(raw) as image:
            image.convert("RGB").save(PICTURES / f"{name}.webp", quality=_QUALITY, method=6)


def report(page_file: Path) -> None:
    """The beginning of the page that `railbird assess --html` writes."""
    with browser_page(1100, 1250) as page:
        page.goto(page_file.as_uri())
        page.locator("[data-curve] canvas").first.wait_for()
        keep(page, "report")


# Rooms


def table(name: str, bots: tuple[str, ...], size: tuple[int, int], theme: str, cards: int) -> None:
    """The first decision with so many cards on the board of somebody who calls, and what a bot thinks."""
    with TemporaryDirectory() as folder, server(Path(folder)) as address, browser_page(*size, theme) as page:
        page.goto(f"{address}/play")
        if len(bots) > 1:
            page.get_by_text("More bots, and other people").click()
        for place, bot in enumerate(bots):
            page.locator("select[name=bot]").nth(place).select_option(bot)
        page.get_by_label("Study mode").check()
        page.get_by_role("button", name="Sit down").click()
        while True:
            page.locator("#view [data-key]:not([aria-disabled])").first.wait_for()
            is_over = page.locator("#view [data-key=n]").count() > 0
            if not is_over and page.locator(".board-cards [data-card]").count() >= cards:
                break
            before = page.locator("#view").inner_html()
            page.keyboard.press("n" if is_over else "c")
            page.wait_for_function("before => document.getElementById('view').innerHTML !== before", arg=before)
        page.locator(".insight .cells").wait_for()
        keep(page, name)


def explore() -> None:
    """A holding against a range."""
    with TemporaryDirectory() as folder, server(Path(folder)) as address, browser_page(1280, 1000) as page:
        page.goto(f"{address}/explore?cards=AdQc&board=3h4cJh&versus=QQ%2B%2CAKs%2C76s-54s%2CAJo%3A0.5%2C30%25")
        page.locator(".advice").first.wait_for()
        keep(page, "explore")


def review() -> None:
    """A step of a hand, weighed, and what a bot would have done there."""
    with TemporaryDirectory() as folder:
        _played(folder, "match loki expert --hands 400 --duplicate --seed 7 --out matches/evening")
        with server(Path(folder)) as address, browser_page(1180, 900) as page:
            page.goto(f"{address}/review/match/evening#hand-8-step-6")
            page.locator("[data-asking] select").select_option("vexbot2")
            page.locator("[data-advised] b").wait_for()
            page.locator("[data-strength]", has_text=re.compile("wins")).first.wait_for()
            keep(page, "replay")


def ring() -> None:
    """The lines of a ring, with a hand under the pointer."""
    with TemporaryDirectory() as folder:
        _played(folder, "match loki expert yoki bpm bpt always-call --hands 600 --seed 7 --out matches/evening")
        with server(Path(folder)) as address, browser_page(1180, 1000) as page:
            page.goto(f"{address}/review/match/evening")
            over = page.locator("[data-curve] .u-over")
            over.hover(position={"x": over.bounding_box()["width"] * 0.4, "y": 90})
            page.locator(".tip .nearest").wait_for()
            keep(page, "ring")


def laboratory() -> None:
    """A match that was started in the browser, when it has ended."""
    with TemporaryDirectory() as folder, server(Path(folder)) as address, browser_page(1180, 900) as page:
        page.goto(f"{address}/laboratory")
        form = page.locator("details.kind").first
        form.locator("[name=players]").fill("loki, expert")
        form.locator("[name=hands]").fill("1500")
        form.get_by_role("button").click()
        page.wait_for_url("**/laboratory/run/*")
        page.locator(".badge", has_text="complete").wait_for()
        page.locator("[data-curve] canvas").first.wait_for()
        keep(page, "laboratory")


def _played(folder: str, command: str) -> None:
    subprocess.run([sys.executable, "-m", "railbird", *command.split()], cwd=folder, check=True, capture_output=True)


ROOMS: dict[str, Callable[[], None]] = {
    "table": lambda: table("table", ("loki",), (1280, 860), "light", 4),
    "table-phone": lambda: table("table-phone", ("vexbot2",), (390, 844), "dark", 3),
    "explore": explore,
    "replay": review,
    "ring": ring,
    "laboratory": laboratory,
}
