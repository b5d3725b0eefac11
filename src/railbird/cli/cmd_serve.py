"""railbird serve."""

from __future__ import annotations

import os
import sys
import warnings
import webbrowser
from getpass import GetPassWarning, getpass
from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.console import tell
from railbird.errors import RailbirdError
from railbird.stopping import keeping

_PASSWORD = "RAILBIRD_PASSWORD"


def serve(
    home: Annotated[
        Path, typer.Argument(help="The folder of the hands; those of other commands in it are shown too.")
    ] = Path("matches"),
    port: Annotated[int, typer.Option("--port", "-p", min=1, max=65_535, help="Where browsers find it.")] = 8484,
    host: Annotated[
        str, typer.Option("--host", help="The address to listen at; other machines reach it with --public alone.")
    ] = "127.0.0.1",
    public: Annotated[
        bool, typer.Option("--public", help=f"Ask for a password: that in ${_PASSWORD}, or one that is typed now.")
    ] = False,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="With --public: the server's certificate (PEM).")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", help="With --public: the certificate's key (PEM).")] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", min=1, help="Processes that think; by default one per core.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser at the first page.")] = True,
) -> None:
    """Open Railbird in a browser on this machine: a table to sit down at, reviews, the laboratory.

    Nothing is fetched from anywhere, and nothing leaves this machine. Ctrl-C ends it; every hand is kept. With --public
    others may come in with a password, over TLS: name a certificate, or put a proxy that has one before it.

    Example: railbird serve --no-browser --port 8485
    """
    try:
        from railbird.web.app import listening_at, ready_server, serve_forever
        from railbird.web.serving import Password, Serving
    except ModuleNotFoundError as error:
        raise RailbirdError(
            f"serve needs the Python package {error.name!r}, which is not installed: pip install 'railbird[web]'"
        ) from None
    password = Password.of(os.environ.get(_PASSWORD) or _typed_password()) if public else None
    serving = Serving(home, host, port, password, workers or os.cpu_count() or 1, certificate, key)
    with listening_at(serving) as listening, keeping(f"all hands are kept in {str(home)!r}, and runs go on"):
        server = ready_server(serving)
        tell(f"Railbird is at {serving.address} (Ctrl-C ends it)")
        if browser:
            webbrowser.open(serving.address)
        serve_forever(server, listening)


def _typed_password() -> str:
    """The password that somebody types unseen, or that is written to us where there is no terminal."""
    try:
        with warnings.catch_warnings(action="error", category=GetPassWarning):
            typed = getpass("password for this server: ")
    except GetPassWarning:
        typed = sys.stdin.readline().rstrip("\n") if sys.stdin else ""
    except EOFError:  # Ctrl-D, which leaves the line of the question open
        typed = ""
        if sys.stderr.isatty():
            tell(stderr=True)
    if not typed:
        raise RailbirdError(f"no password was typed; type one, or put it in ${_PASSWORD}")
    return typed
