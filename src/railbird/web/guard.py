"""What stands before every page: headers, who asks, and whether the request came from one of our own pages.

A browser is known by a cookie with a random token. A form carries a token made from it, which a page of another site
cannot know; and what changes something, and every WebSocket, must name this server as its origin. A server on loopback
answers to its own names only, so that no site can reach it under another name.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from secrets import token_hex
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from railbird.web.entering import DOOR, door_to, has_entered
from railbird.web.serving import LOOPBACK, Serving

COOKIE = "railbird"
FORM_TOKEN = "X-Railbird-Form"
"""The header that carries the form's token; htmx sends it with each request."""
_TOKEN_SIGNS = 32
_SAFE = ("GET", "HEAD", "OPTIONS")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Everything passes through here."""

    def __init__(self, app: ASGIApp, serving: Serving) -> None:
        self.app = app
        self.serving = serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        user = known_user(headers)
        scope["user_token"] = user or token_hex(_TOKEN_SIGNS // 2)
        scope["form_token"] = form_token(self.serving, scope["user_token"])
        refusal = self._refusal(scope, headers)
        is_in = has_entered(self.serving, HTTPConnection(scope))
        if scope["type"] == "websocket":
            # One that knows nobody has not opened any page.
            is_let_in = user is not None and is_in and not refusal
            await (self.app if is_let_in else WebSocketClose(4403, refusal))(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    told.setdefault(name, value)
                told.setdefault("Cache-Control", "no-store")
                if user is None:
                    told.append("Set-Cookie", self._cookie(scope["user_token"]))
            await send(message)

        answer: ASGIApp = PlainTextResponse(refusal, 403) if refusal else self.app
        if not (refusal or is_in or scope["path"] == DOOR or scope["path"].startswith("/static/")):
            answer = RedirectResponse(door_to(scope["path"]), 303)
        await answer(scope, receive, send_guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> str:
        """Why a request is not answered; empty where it is."""
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        if not self.serving.is_public and host not in LOOPBACK:
            return f"This server answers on this machine alone, not as {host!r}."
        if scope["type"] == "websocket" or scope["method"] not in _SAFE:
            origin = headers.get("origin")
            if origin is None or urlsplit(origin).netloc != headers.get("host"):
                return "This came from a page of another site."
        if scope["type"] == "http" and scope["method"] not in _SAFE:
            given = headers.get(FORM_TOKEN, "")
            if not hmac.compare_digest(given.encode(), scope["form_token"].encode()):
                return "This page is out of date; load it again."
        return ""

    def _cookie(self, token: str) -> str:
        secure = "; Secure" if self.serving.is_public else ""
        return f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000{secure}"


def known_user(headers: Headers) -> str | None:
    """The token of a browser that was here before."""
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    token = cookie.value if cookie else ""
    is_token = len(token) == _TOKEN_SIGNS and all(sign in "0123456789abcdef" for sign in token)
    return token if is_token else None


def form_token(serving: Serving, user: str) -> str:
    """What a form of this user must carry."""
    return hmac.new(serving.secret, user.encode(), "sha256").hexdigest()
