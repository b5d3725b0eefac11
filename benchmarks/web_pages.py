"""How soon `railbird serve` answers after its start, and its first page with all that the page loads: weight and time.

    python -m benchmarks web-pages

The start is that of an installed package: Python has compiled it before. CPU is that of all processes until the first
answer; what is loaded for later questions comes after it. The page is loaded as a browser would, style and scripts over
one connection, and where Chromium and Playwright are there, in a browser too, until it is shown whole.
"""

from __future__ import annotations

import re
import shutil
from http.client import HTTPConnection
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.timing import Row, duration_text
from benchmarks.web_server import WebServer, web_server

MOST_BYTES, MOST_SECONDS = 300_000, 1.0
_STARTS, _LOADS = 3, 15
_ASSET = re.compile(r'(?:href|src)="(/static/[^"]+)"')


def rows() -> list[Row]:
    """A row for the start, and some for the first page."""
    with TemporaryDirectory() as compiled:
        environment = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        with web_server(rests=False, **environment):
            pass
        starts = [_start(environment) for _ in range(_STARTS)]
        seconds, cpu = min(starts)
        found = [Row("railbird serve, until it answers", duration_text(seconds), "", f"{cpu:.1f} s of CPU")]
        with web_server(**environment) as server:
            return found + _page_rows(server)


def _start(environment: dict[str, str]) -> tuple[float, float]:
    """Seconds until the first answer, and the CPU until then."""
    start = perf_counter()
    with web_server(rests=False, **environment) as server:
        return perf_counter() - start, sum(server.cpu_seconds().values())


def _page_rows(server: WebServer) -> list[Row]:
    loads = [_load(server.port) for _ in range(_LOADS)]
    size, seconds = loads[0][0], median(seconds for _, seconds in loads)
    found = [
        Row(
            "first page with style and scripts",
            f"{size / 1000:.0f} KB",
            "",
            "",
            f"<= {MOST_BYTES / 1000:.0f} KB",
            size <= MOST_BYTES,
        ),
        _seconds_row(f"  loaded, median of {_LOADS}", seconds),
    ]
    return found + [_seconds_row("  shown in Chromium, median", each) for each in _in_browser(server.address)]


def _seconds_row(what: str, seconds: float) -> Row:
    return Row(what, duration_text(seconds), "", "", f"<= {MOST_SECONDS:g} s", seconds <= MOST_SECONDS)


def _load(port: int) -> tuple[int, float]:
    """Bytes of the first page with all that it names, headers left out, and seconds."""
    start = perf_counter()
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    page = _got(connection, "/")
    assets = [_got(connection, path) for path in dict.fromkeys(_ASSET.findall(page.decode()))]
    connection.close()
    return sum(map(len, [page, *assets])), perf_counter() - start


def _got(connection: HTTPConnection, path: str) -> bytes:
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status}")
    return found


def _in_browser(address: str) -> list[float]:
    """Seconds until a browser that has seen nothing before shows the page whole; none without a browser."""
    path = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return []
    if path is None:
        return []
    found = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(_LOADS):
            page = browser.new_context().new_page()
            page.goto(address)
            found.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000)
            page.context.close()
        browser.close()
    return [median(found)]
