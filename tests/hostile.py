"""Strings that would become something else than text where a page forgets to escape them, and what finds that."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from starlette.websockets import WebSocketDisconnect

HOSTILE = (
    "<pwn>",
    '"><pwn>',
    "'><pwn>",
    "</script><pwn>",
    "</title><pwn>",
    "--><pwn>",
    '" onpwn="1',
    "' onpwn='1",
    "&lt;pwn&gt;",
    "{{7*191}}",
    "javascript:pwn()",
    "\u202e<pwn>",
    "a\u0000<pwn>",
)


class _Reader(HTMLParser):
    """Notes every element and attribute."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self.data: list[str] = []
        self._is_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if "pwn" in tag or any(name.startswith("on") or "pwn" in name or name == "style" for name in known):
            self.wrong.append(f"<{tag} {known}>")
        for name in ("href", "src", "action", "hx-get", "hx-post", "data-asks"):
            if (known.get(name) or "").strip().lower().startswith(("javascript:", "data:", "//")):
                self.wrong.append(f"<{tag} {name}={known[name]!r}>")
        if tag == "script":
            self._is_data = known.get("type") == "application/json"
            if not self._is_data and "src" not in known:
                self.wrong.append("<script> without a file")

    def handle_endtag(self, tag: str) -> None:
        self._is_data = False

    def handle_data(self, data: str) -> None:
        if self._is_data:
            self.data.append(data)


def check_page(text: str) -> None:
    """A page, or a piece of one, in which nothing of what people wrote has become an element, attribute or script."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert not reader.wrong, reader.wrong
    for data in reader.data:
        json.loads(data)
    assert "1337" not in text.replace("1,337", ""), "a template was filled in twice"


def closing_code(socket) -> int:
    """With what a connection is ended by the server."""
    try:
        while True:
            socket.receive_text()
    except WebSocketDisconnect as closed:
        return closed.code
