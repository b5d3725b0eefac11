"""What stands before every page: headers, who asks, and whether the request came from one of our own pages.

A browser is known by a cookie with a random token. A form carries a token made from it, which a page of another site
cannot know; and what changes something, and every WebSocket, must name this server as its origin. A page of another
site may lead here, and use nothing here. A server on loopback answers to its own names only, so that no site can reach
it under another name. How much is asked for, and how much is sent, is limited.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from contextlib import nullcontext
from secrets import token_hex
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from railbird.web.entering import DOOR, door_to, has_entered
from railbird.web.limits import Limits, TooMuchError
from railbird.web.serving import LOOPBACK, Serving
from railbird.web.uploads import FORM_BYTES, UPLOAD
from railbird.web.uploads import MOST_BYTES as MOST_HISTORY_BYTES

COOKIE = "railbird"
FORM_TOKEN = "X-Railbird-Form"
"""The header that carries the form's token; htmx sends it with each request."""
_TOKEN_SIGNS = 32
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:\d{1,5})?", re.ASCII)
_SAFE = ("GET", "HEAD", "OPTIONS")
_STATIC = "/static/"
MOST_BYTES = 100_000
"""Of a form, other than that which brings a history."""
SEND_SECONDS = 120.0
"""For all of it to come."""
LATE = f"This took longer than {SEND_SECONDS:g} seconds to come, and was given up."
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class _TooLarge(Exception):
    """More was sent than is read."""


class Guard:
    """Everything passes through here."""

    def __init__(self, app: ASGIApp, serving: Serving, limits: Limits) -> None:
        self.app = app
        self.serving = serving
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        user = known_user(headers)
        scope["user_token"] = user or token_hex(_TOKEN_SIGNS // 2)
        scope["form_token"] = form_token(self.serving, scope["user_token"])
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send, is_known=user is not None)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    told.setdefault(name, value)
                told.setdefault("Cache-Control", "no-store")
                if user is None:
                    told.append("Set-Cookie", self._cookie(scope["user_token"]))
            await send(message)

        await self._answer(scope, receive, send_guarded)

    async def _connect(self, scope: Scope, receive: Receive, send: Send, is_known: bool) -> None:
        """Let a WebSocket in. One that knows nobody has not opened any page."""
        refusal, asker = self._refusal(scope), self.limits.asker(scope)
        if refusal or not is_known or not has_entered(self.serving, HTTPConnection(scope)):
            await WebSocketClose(4403, refusal)(scope, receive, send)
            return
        try:
            self.limits.requests.take(asker)
            with self.limits.sockets.one(asker):
                await self.app(scope, receive, send)
        except TooMuchError as error:
            await WebSocketClose(4429, str(error))(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        path, asker = scope["path"], self.limits.asker(scope)
        most = MOST_HISTORY_BYTES + FORM_BYTES if path == UPLOAD else MOST_BYTES
        is_free = path.startswith(_STATIC)
        try:
            self.limits.requests.take(asker)
            if refusal := self._refusal(scope):
                await PlainTextResponse(refusal, 403)(scope, receive, send)
            elif not (is_free or path == DOOR or has_entered(self.serving, HTTPConnection(scope))):
                await RedirectResponse(door_to(path), 303)(scope, receive, send)
            else:
                with nullcontext() if is_free else self.limits.answers.one(asker):
                    await self.app(scope, _limited(receive, most), send)
        except TooMuchError as error:
            await too_much(error)(scope, receive, send)
        except TimeoutError:
            await PlainTextResponse(LATE, 408)(scope, receive, send)
        except _TooLarge:
            await PlainTextResponse(f"That is too much: at most {most:,} bytes.", 413)(scope, receive, send)

    def _refusal(self, scope: Scope) -> str:
        """Why a request is not answered; empty where it is."""
        headers, is_asking = Headers(scope=scope), scope["type"] == "http" and scope["method"] in _SAFE
        host, name = headers.get("host", ""), host_name(headers)
        if not self.serving.is_public and name not in LOOPBACK:
            return f"This server answers on this machine alone, not as {name!r}."
        if not is_asking:
            origin = _split(headers.get("origin", ""))
            is_plain = self.serving.is_public and name not in LOOPBACK and origin.scheme != "https"
            if not host or origin.netloc != host or is_plain:
                return "This came from a page of another site."
        elif _is_used_elsewhere(headers):
            return "Pages of other sites may lead here, and use nothing here."
        if scope["type"] == "http" and not is_asking:
            given = headers.get(FORM_TOKEN, "")
            if not hmac.compare_digest(given.encode(), scope["form_token"].encode()):
                return "This page is out of date; load it again."
        return ""

    def _cookie(self, token: str) -> str:
        secure = "; Secure" if self.serving.is_public else ""
        return f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000{secure}"


def known_user(headers: Headers) -> str | None:
    """The token of a browser that was here before."""
    token = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")  # whatever else is there
    is_token = len(token) == _TOKEN_SIGNS and all(sign in "0123456789abcdef" for sign in token)
    return token if is_token else None


def form_token(serving: Serving, user: str) -> str:
    """What a form of this user must carry."""
    return hmac.new(serving.secret, user.encode(), "sha256").hexdigest()


def too_much(error: TooMuchError) -> Response:
    """The answer to one request too many."""
    return PlainTextResponse(str(error), 429, {"Retry-After": str(error.seconds)})


def _limited(receive: Receive, most: int) -> Receive:
    """What is sent, as far as it is read, and as long as it is waited for."""
    total, is_whole = 0, False
    until = asyncio.get_running_loop().time() + SEND_SECONDS

    async def receive_limited() -> Message:
        nonlocal total, is_whole
        async with asyncio.timeout_at(None if is_whole else until):
            message = await receive()
        if message["type"] == "http.request":
            is_whole = not message.get("more_body", False)
            total += len(message.get("body", b""))
            if total > most:
                raise _TooLarge
        return message

    return receive_limited


def _split(address: str) -> SplitResult:
    """The parts of an address; none of one that is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def host_name(headers: Headers) -> str:
    """The name under which a browser has reached the server; nothing where that is no name."""
    found = _HOST.fullmatch(headers.get("host", ""))
    return found[1].strip("[]").lower() if found else ""


def _is_used_elsewhere(headers: Headers) -> bool:
    """Whether a page of another site asks, other than by leading here. Browsers say so."""
    is_foreign = headers.get("sec-fetch-site", "none") in ("cross-site", "same-site")
    is_way = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
    return is_foreign and not is_way
