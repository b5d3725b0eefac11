"""What tests in a real browser share: a server that can be killed, one Debian chromium a module, pages in which nothing
may go wrong, and axe-core. Every wait has an end, and server and browser end with the module whatever happens.

With `RAILBIRD_SHOTS=FOLDER` every page that is looked at is left there as a picture.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socket import create_server
from urllib.parse import urlsplit

import axe_playwright_python
from playwright.sync_api import Page, expect

SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
LOOKS = [(size, theme) for size in SIZES for theme in ("light", "dark")]
"""What every page must stand."""
WAIT = 60_000
"""Milliseconds; only what never comes takes as long."""
_SHOTS = os.environ.get("RAILBIRD_SHOTS")
_AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
_ALL_BUT_CONTRAST = """() => axe.run({resultTypes: ["violations"], rules: {"color-contrast": {enabled: false}}})
  .then((found) => found.violations)"""
_CONTRAST = """() => {
  const seen = new Set(), chosen = [];
  for (const each of document.querySelectorAll("body *")) {
    const isText = [...each.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if (!isText || !each.checkVisibility()) continue;
    const style = getComputedStyle(each), parent = each.parentElement;
    const colours = [style.color, style.backgroundColor, style.fontSize];
    const key = [each.tagName, each.className, parent.className, parent.parentElement.className, ...colours].join("|");
    if (!seen.has(key)) chosen.push(each);
    seen.add(key);
  }
  return axe.run({include: chosen}, {resultTypes: ["violations"], runOnly: ["color-contrast"]})
    .then((found) => found.violations);
}"""
_WORSE = ("serious", "critical")

expect.set_options(timeout=WAIT)


class Server:
    """A server that can be killed and begin again."""

    def __init__(self, home: Path, state: Path) -> None:
        with create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.home, self.address = home, f"http://127.0.0.1:{port}"
        self._command = [sys.executable, "-m", "railbird", "serve", str(home), "--no-browser"]
        self._command += ["--port", str(port), "-w", "1"]
        self._environment = os.environ | {"RAILBIRD_STATE": str(state)}
        self.begin_again()

    def begin_again(self) -> None:
        """Start, and wait until it answers."""
        self.process = subprocess.Popen(self._command, env=self._environment, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + WAIT / 1000
        while not self._answers():
            assert self.process.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.05)

    def _answers(self) -> bool:
        connection = HTTPConnection(urlsplit(self.address).netloc, timeout=WAIT / 1000)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(WAIT / 1000)

    def end(self) -> None:
        """End it in order; if it does not, without."""
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def serving(home: Path, state: Path) -> Iterator[Server]:
    """A server while it is needed."""
    server = Server(home, state)
    try:
        yield server
    finally:
        server.end()


def look(page: Page, size: str, theme: str) -> None:
    """Make the screen another one."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")


def check_look(page: Page, name: str) -> None:
    """It fits the screen, has one heading of the first order, and leaves a picture where those are wanted."""
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}"
    assert page.locator("h1").count() == 1
    if _SHOTS:
        Path(_SHOTS).mkdir(exist_ok=True)
        page.screenshot(path=Path(_SHOTS) / f"{name}-{width}.png", full_page=True)


def check_access(page: Page, name: str) -> None:
    """axe-core finds nothing serious. Of texts that look alike it weighs the contrast of one."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    found = page.evaluate(_ALL_BUT_CONTRAST) + page.evaluate(_CONTRAST)
    serious = [
        f"{each['id']}: {node['html'][:200]} ({node['failureSummary'][:200]})"
        for each in found
        if each["impact"] in _WORSE
        for node in each["nodes"][:3]
    ]
    assert not serious, "\n".join([f"{name} at {page.viewport_size['width']}:", *serious])


def check_everywhere(page: Page, name: str) -> None:
    """Both sizes, light and dark, one after the other, as they stand."""
    for size, theme in LOOKS:
        look(page, size, theme)
        check_look(page, f"{name}-{theme}")
        check_access(page, f"{name}, {theme}")


def tab_to(page: Page, selector: str) -> None:
    """Press the tab key until something has the focus, as somebody without a mouse does."""
    for _ in range(120):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not reach {selector}")
