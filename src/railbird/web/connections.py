"""Connections over which nothing was asked yet: who opens one and says nothing, or opens too many, is let go."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_SECONDS = 30.0
"""For all of a request's headers to come."""
MOST_CONNECTIONS = 1_000
"""From one address; a proxy on this machine speaks for many, and is not counted."""


class GuardedProtocol(H11Protocol):
    """A connection as uvicorn knows it, which ends when no request comes over it."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if not _is_here(address):
            others = [getattr(other, "client", None) for other in self.connections]
            if sum(client is not None and client[0] == address for client in others) > MOST_CONNECTIONS:
                transport.abort()
                return
        self._waiting = self.loop.call_later(PATIENCE_SECONDS, self._let_go)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_asked and self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        elif not self._is_asked and self._waiting is None:  # the beginning of another request
            self._waiting = self.loop.call_later(PATIENCE_SECONDS, self._let_go)

    @property
    def _is_asked(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def _let_go(self) -> None:
        self._waiting = None
        is_ours = self.transport.get_protocol() is self  # and not a WebSocket's by now
        if is_ours and not self._is_asked:
            self.transport.close()


def _is_here(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
