"""How requests are answered: with a page, with a piece of one, or in words with what was wrong."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from railbird.errors import RailbirdError
from railbird.report.pages import STATIC as REPORT_STATIC
from railbird.report.pages import Assets, environment
from railbird.web.limits import Asker, Limits
from railbird.web.serving import Serving
from railbird.web.thinking import Thinkers

_HERE = Path(__file__).parent
STATIC = (_HERE / "static", REPORT_STATIC)
"""Where style and scripts lie: those of the server, and those that it shares with pages in files."""
ROOMS = {"/play": "Play", "/explore": "Explore", "/review": "Review", "/laboratory": "Laboratory"}
"""What the top of every page leads to."""


def serving_of(connection: HTTPConnection) -> Serving:
    """The server that a request came to."""
    return cast(Serving, connection.app.state.serving)


def thinkers_of(connection: HTTPConnection) -> Thinkers:
    """The processes that think for it."""
    return cast(Thinkers, connection.app.state.thinkers)


def limits_of(connection: HTTPConnection) -> Limits:
    """How much it does for one visitor."""
    return cast(Limits, connection.app.state.limits)


def asker_of(connection: HTTPConnection) -> Asker:
    """Who asks."""
    return limits_of(connection).asker(connection.scope)


def is_piece(request: Request) -> bool:
    """Whether a page asks for a piece of itself."""
    return request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers


def page_answer(request: Request, template: str, status: int = 200, **content: Any) -> HTMLResponse:
    """A page of the server. `curves` and `hands`, if given, are what its scripts show."""
    return HTMLResponse(rendered(request, template, **content), status)


def rendered(request: HTTPConnection, template: str, **content: Any) -> str:
    """A template filled in: a whole page, or a piece of one."""
    return filled(template, shared_by_pages(request), **content)


def shared_by_pages(request: HTTPConnection) -> dict[str, Any]:
    """What every page needs to know of a request; plain values, so that a thinker can make pages too."""
    return {
        "rooms": ROOMS,
        "here": request.url.path,
        "form_token": request.scope.get("form_token", ""),
        "is_public": serving_of(request).is_public,
    }


def filled(template: str, shared: dict[str, Any], **content: Any) -> str:
    """A template with what all pages share and what this one shows."""
    data = {"curves": content.pop("curves", {}), "hands": content.pop("hands", None)}
    return _templates().get_template(template).render({"data": data, **shared, **content})


def in_words(request: Request, error: Exception | str, status: int = 400) -> HTMLResponse:
    """What was wrong, as a page."""
    return page_answer(request, "wrong.html", status, title="That did not work", words=str(error))


async def refused(request: Request, error: Exception) -> Response:
    """The answer to input that Railbird refuses."""
    assert isinstance(error, RailbirdError)
    return in_words(request, error)


async def missing(request: Request, error: Exception) -> Response:
    return in_words(request, f"There is nothing at {request.url.path!r}.", 404)


def load_templates() -> None:
    """Read and compile all templates, which else the first who needs one would wait for, and everybody with him."""
    for name in _templates().list_templates(extensions=["html"]):
        _templates().get_template(name)


@cache
def _templates() -> Environment:
    return environment(
        _HERE / "templates",
        assets=Assets(
            styles=(
                "/static/uPlot.min.css",
                "/static/page.css",
                "/static/hands.css",
                "/static/web.css",
                "/static/table.css",
            ),
            scripts=("/static/page.js", "/static/curves.js", "/static/hands.js", "/static/replay.js"),
            curves="/static/uPlot.iife.min.js",
            theme="/static/theme.js",
            more=("/static/htmx.min.js",),
            version=_version(),
        ),
    )


@cache
def _version() -> str:
    """Changes with any file of style or scripts, so that browsers may keep them for good."""
    digest = hashlib.sha256()
    for folder in STATIC:
        for file in sorted(folder.iterdir()):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
