"""The laboratory: matches, tournaments, tests and experiments, started here and watched while they run.

Commands are started on this machine alone; a public server shows the papers, and starts nothing for its visitors.
"""

from __future__ import annotations

import re
import shlex
from asyncio import sleep, to_thread
from collections.abc import Mapping
from math import comb
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from railbird.bots.programs import bot_spec
from railbird.bots.registry import bot_entries, is_program
from railbird.errors import MatchError, RailbirdError, did_you_mean
from railbird.numbers import MOST_SEED, quoted
from railbird.papers.catalogue import STUDIES, named_study
from railbird.play.seating import MOST_PLAYERS
from railbird.web.answers import in_words, page_answer, rendered, serving_of, thinkers_of
from railbird.web.paper_pages import paper_page, paper_words, papers
from railbird.web.runs import Run, read_run, reap, runs_in, start_run
from railbird.web.watching import Reached, Standing, log_bytes, reached, standing
from railbird.words import count_of

KINDS = {
    "match": "A match: two to ten bots at one table",
    "tournament": "A tournament: everybody against everybody",
    "test": "A test: is a new bot better than an old one?",
    "experiment": "An experiment of a paper",
}
_MOST_HANDS = 10_000_000
_MOST_LINE_UPS = 1_000
_LONGEST = 2_000
_STOP_SECONDS, _LOOK_SECONDS = 3.0, 0.05
"""How long the end of a run that was stopped is waited for."""
_LONG_BYTES, _LONG_SECONDS = 20_000_000, 120.0
_LEAST_PAUSE, _PAUSE_SHARE = 3, 4
"""Seconds between two looks at a run, and how many times as long as a look takes there is a pause."""


async def laboratory(request: Request) -> Response:
    """All runs, the forms that start one, and the papers."""
    reap()
    serving = serving_of(request)
    runs = [] if serving.is_public else [(run, run.is_running) for run in runs_in(serving.home)]
    far = await thinkers_of(request).think(reached, [run.hands for run, _ in runs]) if runs else []
    found = [(run, _state(run, is_running, each)) for (run, is_running), each in zip(runs, far)]
    chosen = request.query_params.get("experiment", "")
    kind = "experiment" if chosen else request.query_params.get("kind", "")
    content: dict[str, Any] = {
        "runs": found,
        "kinds": KINDS,
        "studies": STUDIES,
        "papers": papers(),
        "paper_words": paper_words(),
        "bots": list(bot_entries()),
    }
    return page_answer(request, "laboratory.html", title="Laboratory", chosen=chosen, kind=kind, **content)


async def start(request: Request) -> Response:
    """Start a run; lead to its page, or say why not."""
    try:
        _refuse_visitors(request)
        async with request.form(max_files=0, max_fields=20) as form:
            arguments = asked_arguments({name: str(value) for name, value in form.items()})
        run = start_run(serving_of(request).home, arguments)
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "words.html", words=str(error)))
    return Response(status_code=204, headers={"HX-Redirect": f"/laboratory/run/{quote(run.name)}"})


async def run_page(request: Request) -> Response:
    """A run: what it came to so far."""
    try:
        run = _run(request)
    except MatchError as error:
        return in_words(request, error, 404)
    return page_answer(request, "run.html", title=run.title, **await _content(request, run))


async def run_now(request: Request) -> Response:
    """How far a run is, for its page."""
    try:
        content = await _content(request, _run(request))
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "words.html", words=str(error)))
    return HTMLResponse(rendered(request, "run_now.html", **content))


async def stop(request: Request) -> Response:
    """Stop a run, and wait a moment for its end."""
    try:
        run = _run(request)
    except MatchError as error:
        return HTMLResponse(rendered(request, "words.html", words=str(error)))
    run.stop()
    for _ in range(round(_STOP_SECONDS / _LOOK_SECONDS)):
        if not run.is_running:
            break
        await sleep(_LOOK_SECONDS)
    return await run_now(request)


async def go_on(request: Request) -> Response:
    """Go on with a run, to more hands if the form says so; one that is running already does what was asked."""
    try:
        run = _run(request)
    except MatchError as error:
        return HTMLResponse(rendered(request, "words.html", words=str(error)))
    try:
        async with request.form(max_files=0, max_fields=20) as form:
            hands = _whole({"hands": str(form["hands"])}, "hands", 1, _MOST_HANDS) if "hands" in form else 0
        if hands and hands <= run.hands_asked:
            raise MatchError(f"{hands:,} hands are no more than there are; write more than {run.hands_asked:,}")
        if not run.is_running:
            run.go_on(hands)
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "run_now.html", **await _content(request, run, str(error))))
    return await run_now(request)


async def paper(request: Request) -> Response:
    """A paper: its experiments with our figure, what was printed, and the outcome."""
    slug = request.path_params["slug"]
    if slug not in papers():
        return in_words(request, f"There is no paper {slug[:60]!r} here.", 404)
    serving = serving_of(request)
    found = await thinkers_of(request).think(paper_page, slug, None if serving.is_public else serving.home)
    return page_answer(request, "paper.html", title=found.name, found=found)


async def papers_index(request: Request) -> Response:
    return RedirectResponse("/laboratory#papers", 303)


ROUTES = (
    Route("/laboratory", laboratory),
    Route("/laboratory/start", start, methods=["POST"]),
    Route("/laboratory/run/{name}", run_page),
    Route("/laboratory/run/{name}/now", run_now),
    Route("/laboratory/run/{name}/stop", stop, methods=["POST"]),
    Route("/laboratory/run/{name}/go-on", go_on, methods=["POST"]),
    Route("/laboratory/paper", papers_index),
    Route("/laboratory/paper/{slug}", paper),
)


def asked_arguments(form: Mapping[str, str]) -> tuple[str, ...]:
    """The words of the command line that a form asks for; refuses what no command understands.

    >>> asked_arguments({"kind": "match", "players": "loki, jagbot", "hands": "100", "seed": "7", "duplicate": "on"})
    ('match', 'loki', 'jagbot', '--hands', '100', '--seed', '7', '--duplicate')
    """
    kind = form.get("kind", "")
    size = ("--hands", str(_whole(form, "hands", 1, _MOST_HANDS)), "--seed", str(_whole(form, "seed", 0, MOST_SEED)))
    if kind == "match":
        return ("match", *_bots(form, "players", 2, 10), *size, *(("--duplicate",) if form.get("duplicate") else ()))
    if kind == "tournament":
        seats = _whole({"seats": "2", **form}, "seats", 2, MOST_PLAYERS)
        players = _bots(form, "players", seats, 40)
        if (every := comb(len(players), seats)) > _MOST_LINE_UPS:
            most = f"at most {_MOST_LINE_UPS:,} are played from here"
            raise MatchError(f"{every:,} line-ups; {most}: name fewer players, or use --line-ups on a terminal")
        return ("tournament", *players, *(("--seats", str(seats)) if seats > 2 else ()), *size)
    if kind == "test":
        both = (*_bots(form, "new", 1, 1), *_bots(form, "base", 1, 1))
        return ("test", *both, "--against", *_bots(form, "against", 1, 20), "--gain", _gain(form), *size)
    if kind == "experiment":
        return ("experiment", named_study(form.get("experiment", "")).name, *size)
    raise MatchError(f"{quoted(kind)} is nothing to run: a match, tournament, test or experiment")


def _bots(form: Mapping[str, str], field: str, least: int, most: int) -> list[str]:
    """The bots that a field names."""
    text = form.get(field, "")[:_LONGEST]
    found = named_bots(text)
    if not least <= len(found) <= most:
        number = f"{least} to {most} belong" if most > least else "one belongs"
        raise MatchError(f"{quoted(text)} names {count_of(len(found), 'bot')} under {field!r}, where {number}")
    known = bot_entries()
    for bot in found:
        name = bot.partition(":")[0]
        if bot.startswith("-"):
            raise MatchError(f"{quoted(bot)} is no bot")
        if name not in known and not is_program(bot) and ".py" not in bot:
            raise MatchError(f"no bot {quoted(name)}{did_you_mean(name, known)}")
        file = bot_spec(bot).file
        if file and not file.is_file():
            raise MatchError(f"no file {quoted(str(file))} in {str(Path.cwd())!r}, where the server was started")
    return found


def named_bots(text: str) -> list[str]:
    """The bots that a text names, with blanks or commas between them; one with a blank in it stands in quotation marks.

    >>> named_bots("loki,random:fold=0,call=1, './my bot.py:Bot'")
    ['loki', 'random:fold=0,call=1', './my bot.py:Bot']
    """
    try:
        words = shlex.split(text.replace(", ", " ").replace(",\n", " "))
    except ValueError:
        raise MatchError(f"{quoted(text)} has a quotation mark that is not closed") from None
    found: list[str] = []
    for word in words:
        first, *more = [word] if " " in word else word.strip(",").split(",")
        found += [first] if first else []
        for piece in more:
            if "=" in piece.partition(":")[0]:  # a further parameter of the same bot
                found[-1] += f",{piece}"
            else:
                found.append(piece)
    return found


def _whole(form: Mapping[str, str], field: str, least: int, most: int) -> int:
    text = form.get(field, "").replace(",", "").strip()
    if not text.isascii() or not text.isdigit() or len(text) > 20 or not least <= int(text) <= most:
        what = field if field == "seed" else f"number of {field}"
        raise MatchError(f"{quoted(text)} is no {what}: write one from {least:,} to {most:,}")
    return int(text)


def _gain(form: Mapping[str, str]) -> str:
    text = form.get("gain", "").strip()
    if not re.fullmatch(r"[0-9]{0,2}(\.[0-9]{1,6})?", text) or not text or not 0.001 <= float(text) <= 10:
        raise MatchError(f"{quoted(text)} is no gain: write small bets a hand from 0.001 to 10, as in 0.05")
    return text


def _state(run: Run, is_running: bool, far: Reached) -> str:
    """What a run is called: it is running; or all is played; or its command was refused; or there is more to play."""
    if is_running or far.is_complete:
        return "running" if is_running else "complete"
    return "refused" if run.refusal and not far.has_hands else "stopped"


def _refuse_visitors(request: Request) -> None:
    if serving_of(request).is_public:
        raise MatchError("a public server starts nothing for its visitors")


def _run(request: Request) -> Run:
    _refuse_visitors(request)
    reap()
    return read_run(serving_of(request).home, request.path_params["name"])


async def _content(request: Request, run: Run, remark: str = "") -> dict[str, Any]:
    is_running = run.is_running  # before its result is read: what was over then is read whole
    began = monotonic()
    found = await _standing(request, run)
    pause = max(_LEAST_PAUSE, round(_PAUSE_SHARE * (monotonic() - began)))
    study = STUDIES.get(run.arguments[1]) if run.kind == "experiment" and len(run.arguments) > 1 else None
    state = _state(run, is_running, Reached(bool(found.matches), found.is_complete))
    now = {"run": run, "is_running": is_running, "state": state, "found": found}
    return {**now, "study": study, "remark": remark, "pause": pause}


async def _standing(request: Request, run: Run) -> Standing:
    """How far a run is. Long logs are read by those who take their time, so that nobody else waits for them."""
    thinkers, home = thinkers_of(request), serving_of(request).home
    if await to_thread(log_bytes, run.hands) < _LONG_BYTES:
        return await thinkers.think(standing, home, run.hands)
    return await thinkers.think_within(_LONG_SECONDS, standing, home, run.hands)
