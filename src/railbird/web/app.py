"""The server: its pages, what stands before them, and the processes that think for it."""

from __future__ import annotations

import asyncio
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from railbird.errors import RailbirdError
from railbird.web import entering, explore, laboratory, playing, review, strengths
from railbird.web.answers import STATIC, load_templates, missing, page_answer, refused
from railbird.web.connections import GuardedProtocol
from railbird.web.guard import HEADERS, Guard, too_much
from railbird.web.hall import Tables
from railbird.web.limits import Limits, TooMuchError
from railbird.web.serving import Serving, ServingError
from railbird.web.thinking import Thinkers

_FOR_GOOD = "public, max-age=31536000, immutable"


def make_app(serving: Serving) -> Starlette:
    """The server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.thinkers = Thinkers(serving.workers, warm=explore.warm_up)
        app.state.tables = Tables(serving.home, serving.workers)
        await app.state.tables.start()
        loading = asyncio.create_task(asyncio.to_thread(load_templates))
        try:
            yield
        finally:
            await loading
            app.state.tables.end()
            app.state.thinkers.end()

    limits = Limits(serving.is_public, serving.workers)
    app = Starlette(
        routes=[
            Route("/", front),
            Route("/static/{name}", static),
            Route("/favicon.ico", icon),
            *entering.ROUTES,
            *playing.ROUTES,
            *explore.ROUTES,
            *strengths.ROUTES,
            *review.ROUTES,
            *laboratory.ROUTES,
        ],
        middleware=[Middleware(Guard, serving=serving, limits=limits)],
        exception_handlers={TooMuchError: refused_for_now, RailbirdError: refused, 404: missing, Exception: broken},
        lifespan=lifespan,
    )
    app.state.serving = serving
    app.state.limits = limits
    return app


async def front(request: Request) -> Response:
    """The first page: what there is to do."""
    return page_answer(request, "front.html", title="Railbird")


async def icon(request: Request) -> Response:
    """The sign of Railbird's tabs."""
    return FileResponse(STATIC[0] / "icon.svg", headers={"Cache-Control": _FOR_GOOD})


async def static(request: Request) -> Response:
    """A file of style or scripts, by its name alone."""
    name = request.path_params["name"]
    for folder in STATIC:
        file = folder / name
        if file.parent == folder and file.is_file():
            return FileResponse(file, headers={"Cache-Control": _FOR_GOOD})
    return await missing(request, KeyError(name))


async def refused_for_now(request: Request, error: Exception) -> Response:
    """The answer to one request too many."""
    assert isinstance(error, TooMuchError)
    return too_much(error)


async def broken(request: Request, error: Exception) -> Response:
    """The answer where Railbird itself is at fault; what it was is told on the server's own terminal."""
    return PlainTextResponse("This broke down, which is a fault of Railbird; the server goes on.", 500, HEADERS)


def listening_at(serving: Serving) -> socket.socket:
    """Where browsers come; refuses an address that is taken, or is not this machine's."""
    found = socket.socket(socket.AF_INET6 if ":" in serving.host else socket.AF_INET)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((serving.host, serving.port))
        found.listen(1_000)  # who comes before all is ready waits
    except OSError as error:
        found.close()
        why = error.strerror or str(error)
        raise ServingError(f"cannot listen at {serving.host} port {serving.port}: {why}; name another --port") from None
    return found


def ready_server(serving: Serving) -> Server:
    """A server that can serve: its hands can be kept, and its certificate can be shown."""
    serving.check_files()
    config = uvicorn.Config(
        make_app(serving),
        log_config=None,  # the loggers of this process stay as they are
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=65_536,
        ws_per_message_deflate=serving.is_public,  # on this machine it would cost time and memory for nothing
        ws_max_queue=8,
        http=GuardedProtocol,
        proxy_headers=serving.is_public,  # of one on this machine, whose word is taken for whom it speaks
        timeout_graceful_shutdown=3,
        ssl_certfile=serving.certificate,
        ssl_keyfile=serving.key,
    )
    try:
        config.load()
    except ssl.SSLError as error:
        files = f"certificate {str(serving.certificate)!r} and key {str(serving.key)!r}"
        why = (error.reason or str(error)).replace("_", " ").lower()
        raise ServingError(f"{files} cannot be used together: {why}") from None
    return Server(config)


def serve_forever(server: Server, listening: socket.socket) -> None:
    """Serve until the process is asked to end."""
    server.run([listening])
    if server.is_interrupted:
        raise KeyboardInterrupt


class Server(uvicorn.Server):
    """A server that ends in order when it is asked to, and once: uvicorn would raise the signal again afterwards, which
    is a second Ctrl-C to whoever counts them."""

    is_interrupted = False

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._end, number)
        yield

    def _end(self, number: int) -> None:
        self.is_interrupted |= number == signal.SIGINT
        self.handle_exit(number, None)
