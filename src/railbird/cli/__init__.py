"""The command `railbird`: parse, call, show. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import codecs
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import typer

from railbird.cli.commands import Commands
from railbird.cli.console import tell
from railbird.errors import RailbirdError, RailbirdWarning
from railbird.numbers import quoted
from railbird.stopping import EXIT_CODE, Stopped, prompt_stop, stopped_line, what_was_kept

_PLAIN = {"±": "+-", "–": "-", "×": "x", "♣": "c", "♦": "d", "♥": "h", "♠": "s", "ë": "e", "µ": "u", "░": "-"}
_PLAIN |= dict(zip("▁▂▃▄▅▆▇█", ".:-=+*##")) | dict.fromkeys("▏▎▍▌▋▊▉", "#")
"""Signs for output that has no others."""
_PACKAGE = Path(__file__).parents[1]
_LONGEST = 500
"""Signs of what somebody has written, as far as an error quotes it."""

app = typer.Typer(
    name="railbird",
    cls=Commands,
    help="A computer-poker laboratory: players that model their opponents, matches that measure them, analysis that "
    "separates skill from luck.\n\nStart with: railbird demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        tell(f"railbird {version_of('railbird')}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """Options before the command."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command. Bad input ends with one line on stderr and exit code 2, Ctrl-C with one and 130."""
    _speak_ascii_too()
    code: Any = 0
    try:
        with prompt_stop(), _plain_warnings():
            code = app(args=arguments, standalone_mode=False)
    except RailbirdError as error:
        _fail(str(error), error.exit_code)
    except Stopped as stop:
        _stop(str(stop))
    except KeyboardInterrupt as stop:
        _stop(what_was_kept(stop))
    except BrokenPipeError:
        sys.stderr.close()
        code = 1
    except OSError as error:
        where = f"{str(error.filename)!r}: " if error.filename else ""
        _fail(f"{where}{error.strerror or error}", 2)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        written = " ".join(sys.argv[1:] if arguments is None else arguments)
        said = error.format_message().rstrip(".")
        said = said if len(said) <= _LONGEST else said[:_LONGEST] + "..."
        _fail(f"{said} in {quoted(written, _LONGEST)} (see railbird --help)", 2)
    sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Print Railbird's own warnings in one line, without the place in the source."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, RailbirdWarning) or Path(place[0]).is_relative_to(_PACKAGE):
                tell(f"note: {' '.join(str(message).split())}", stderr=True)
            else:
                usual(message, category, *place, **more)

        warnings.showwarning = show
        yield


def _speak_ascii_too() -> None:
    """Let output that cannot show a sign (as with LC_ALL=C) have a plain one instead of breaking off."""

    def replaced(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end

    codecs.register_error("railbird", replaced)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="railbird")


def _stop(words: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is ending
    tell(stopped_line(words), stderr=True)
    if any(thread is not threading.main_thread() and not thread.daemon for thread in threading.enumerate()):
        # Python would wait for threads that are in the middle of a kernel.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(EXIT_CODE)
    sys.exit(EXIT_CODE)


def _fail(message: str, code: int) -> None:
    tell(f"error: {' '.join(message.split())}", stderr=True)
    sys.exit(code)
