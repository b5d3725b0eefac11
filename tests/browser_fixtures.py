"""Fixtures of tests in a real browser: one chromium a module, and pages in which nothing may go wrong.

A module takes them with `pytest_plugins = ["browser_fixtures"]`, and has a fixture `server`.
"""

from __future__ import annotations

import json
import shutil

import pytest
from playwright.sync_api import Page, sync_playwright

from browser import SIZES, WAIT


@pytest.fixture(scope="module")
def chromium():
    path = shutil.which("chromium")
    assert path, "chromium is missing; .ci/run installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture
def visit(chromium, server):
    """Opens pages, each for a new visitor; in the end nothing may have gone wrong in any unless a test says so.

    Settings are those of a table; a table goes at once unless a test says so.
    """
    contexts, complaints = [], []

    def visited(path: str, size: str = "desktop", theme: str = "light", **settings) -> Page:
        width, height = SIZES[size]
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
        )
        contexts.append(context)
        kept = json.dumps({"pace": "0", **settings})
        context.add_init_script(
            f"try{{localStorage.getItem('railbird-table')||localStorage.setItem('railbird-table','{kept}')}}catch(_){{}}"
        )
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path if "://" in path else f"{server.address}{path}")
        return page

    visited.complaints = complaints
    try:
        yield visited
    finally:
        for context in contexts:
            context.close()
    assert complaints == []
