"""The door of a public server: a password, asked for once by each browser, and few tries from each address.

Whoever is let in carries a second cookie, made from the token of the browser and the secret of this server, so that it
cannot be made up, belongs to one browser, and ends with the server.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from urllib.parse import urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from railbird.web.answers import limits_of, page_answer, rendered, serving_of
from railbird.web.limits import TooMuchError
from railbird.web.serving import Serving

DOOR = "/enter"
PASS = "railbird-pass"
_MOST_SIGNS = 200


def pass_of(serving: Serving, user: str) -> str:
    """What the browser of this token carries once it was let in."""
    return hmac.new(serving.secret, f"entered {user}".encode(), "sha256").hexdigest()


def has_entered(serving: Serving, connection: HTTPConnection) -> bool:
    """Whether a browser was let in; on this machine alone everybody is."""
    if not serving.is_public:
        return True
    expected = pass_of(serving, connection.scope["user_token"])
    return hmac.compare_digest(connection.cookies.get(PASS, "").encode(), expected.encode())


async def door(request: Request) -> Response:
    """Where the password is asked for."""
    if has_entered(serving_of(request), request):
        return RedirectResponse(_wanted(request), 303)
    return page_answer(request, "enter.html", title="Come in", rooms={}, wanted=_wanted(request))


async def enter(request: Request) -> Response:
    """Let somebody in who knows the password."""
    serving, limits = serving_of(request), limits_of(request)
    asker = limits.asker(request.scope)
    try:
        limits.tries.take(asker)  # before it is looked at, so that many at once do not get through
    except TooMuchError as error:
        return _remark(request, str(error), 429)
    form = await request.form(max_files=0, max_fields=1)
    given = form.get("password")
    password = serving.password
    if password is None or not isinstance(given, str) or len(given) > _MOST_SIGNS:
        return _remark(request, "That is not the password.", 403)
    if not await asyncio.to_thread(password.is_right, given):
        return _remark(request, "That is not the password.", 403)
    limits.tries.forgive(asker)
    answer = Response(headers={"HX-Redirect": _wanted(request)})
    told = pass_of(serving, request.scope["user_token"])
    answer.set_cookie(PASS, told, path="/", httponly=True, secure=True, samesite="lax")
    return answer


def door_to(path: str) -> str:
    """The door, and where to go from there."""
    return f"{DOOR}?{urlencode({'to': path})}"


def _wanted(request: Request) -> str:
    """Where somebody was going: a path of this server, or its first page."""
    path = request.query_params.get("to", "/")
    return path if re.fullmatch(r"/(?![/\\])[\w/.~-]*", path, re.ASCII) else "/"


def _remark(request: Request, words: str, status: int) -> Response:
    return HTMLResponse(rendered(request, "remark.html", words=words), status)


ROUTES = [Route(DOOR, door), Route(DOOR, enter, methods=["POST"])]
