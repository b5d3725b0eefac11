"""The command `railbird`: parse, call, show. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from railbird.cli.cmd_accuracy import accuracy
from railbird.cli.cmd_assess import assess
from railbird.cli.cmd_bots import bots
from railbird.cli.cmd_build import build
from railbird.cli.cmd_check_bot import check_bot
from railbird.cli.cmd_demo import demo
from railbird.cli.cmd_experiment import experiment
from railbird.cli.cmd_explain import explain
from railbird.cli.cmd_exploit import exploit
from railbird.cli.cmd_match import match, results, tournament
from railbird.cli.cmd_new_bot import new_bot
from railbird.cli.cmd_odds import odds
from railbird.cli.cmd_replay import replay
from railbird.cli.cmd_solve import solve
from railbird.cli.cmd_watch import watch
from railbird.errors import RailbirdError, RailbirdWarning

app = typer.Typer(
    name="railbird",
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
        from importlib.metadata import version

        print(f"railbird {version('railbird')}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """Options before the command."""


def _add(panel: str, *functions: Callable[..., None]) -> None:
    """Register commands. A docstring's last paragraph, the example, goes to the end of the help."""
    for function in functions:
        paragraphs = [" ".join(part.split()) for part in (function.__doc__ or "").split("\n\n")]
        name = function.__name__.replace("_", "-")
        app.command(name, rich_help_panel=panel, help="\n\n".join(paragraphs[:-1]), epilog=paragraphs[-1])(function)


_add("Play", demo, match, tournament, experiment)
_add("Look at results and hands", results, assess, replay, odds, explain, watch, accuracy)
_add("Build a bot", bots, new_bot, check_bot, build, solve, exploit)


def main(arguments: list[str] | None = None) -> None:
    """Run a command. Bad input ends with one line on stderr and exit code 2."""
    _speak_ascii_too()
    try:
        with _plain_warnings():
            code = app(args=arguments, standalone_mode=False)
    except RailbirdError as error:
        _fail(str(error), 2)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
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
        _fail(f"{error.format_message().rstrip('.')} in {written!r} (see railbird --help)", 2)
    sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Print Railbird's own warnings in one line, without the place in the source."""
    import warnings

    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, RailbirdWarning):
                print(f"note: {' '.join(str(message).split())}", file=sys.stderr)
            else:
                usual(message, category, *place, **more)

        warnings.showwarning = show
        yield


def _speak_ascii_too() -> None:
    """Let output that cannot show a sign (as with LC_ALL=C) have a plain one instead of breaking off."""
    import codecs

    plain = {"±": "+-", "–": "-", "×": "x", "♣": "c", "♦": "d", "♥": "h", "♠": "s", "ë": "e"}

    def replaced(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(plain.get(sign, "?") for sign in error.object[error.start : error.end]), error.end

    codecs.register_error("railbird", replaced)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="railbird")


def _fail(message: str, code: int) -> None:
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(code)
