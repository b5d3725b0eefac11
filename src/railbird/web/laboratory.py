"""The laboratory: matches, tournaments, tests and experiments, started here and watched while they run.

Commands are started on this machine alone; a public server shows the papers, and starts nothing for its visitors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from railbird.bots.registry import bot_entries, is_program
from railbird.errors import MatchError, RailbirdError, did_you_mean
from railbird.numbers import MOST_SEED, quoted
from railbird.papers.catalogue import STUDIES, named_study
from railbird.web.answers import in_words, page_answer, rendered, serving_of, thinkers_of
from railbird.web.paper_pages import paper_page, paper_words, papers
from railbird.web.runs import Run, read_run, reap, runs_in, start_run
from railbird.web.watching import standing

KINDS = {
    "match": "A match: two to ten bots at one table",
    "tournament": "A tournament: everybody against everybody",
    "test": "A test: is a new bot better than an old one?",
    "experiment": "An experiment of a paper",
}
_MOST_HANDS = 10_000_000
_LONGEST = 2_000


async def laboratory(request: Request) -> Response:
    """All runs, the forms that start one, and the papers."""
    reap()
    serving = serving_of(request)
    found = [] if serving.is_public else [(run, run.is_running) for run in runs_in(serving.home)]
    chosen = request.query_params.get("experiment", "")
    content: dict[str, Any] = {
        "runs": found,
        "kinds": KINDS,
        "studies": STUDIES,
        "papers": papers(),
        "paper_words": paper_words(),
        "bots": list(bot_entries()),
    }
    return page_answer(request, "laboratory.html", title="Laboratory", chosen=chosen, **content)


async def start(request: Request) -> Response:
    """Start a run; lead to its page, or say why not."""
    try:
        _refuse_visitors(request)
        async with request.form(max_files=0, max_fields=20) as form:
            arguments = asked_arguments({name: str(value) for name, value in form.items()})
        run = start_run(serving_of(request).home, arguments)
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "words.html", words=str(error)))
    return Response(status_code=204, headers={"HX-Redirect": f"/laboratory/run/{run.name}"})


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


async def change(request: Request) -> Response:
    """Stop a run, or go on with it."""
    try:
        run = _run(request)
        if request.path_params["what"] == "stop":
            run.stop()
        else:
            run.go_on()
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "words.html", words=str(error)))
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
    Route("/laboratory/run/{name}/{what:str}", change, methods=["POST"]),
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
        return ("tournament", *_bots(form, "players", 2, 40), *size)
    if kind == "test":
        both = (*_bots(form, "new", 1, 1), *_bots(form, "base", 1, 1))
        return ("test", *both, "--against", *_bots(form, "against", 1, 20), "--gain", _gain(form), *size)
    if kind == "experiment":
        return ("experiment", named_study(form.get("experiment", "")).name, *size)
    raise MatchError(f"{quoted(kind)} is nothing to run: a match, tournament, test or experiment")


def _bots(form: Mapping[str, str], field: str, least: int, most: int) -> list[str]:
    """The bots that a field names."""
    text = form.get(field, "")[:_LONGEST]
    found = text.replace(", ", " ").replace(",\n", " ").split()
    if not least <= len(found) <= most:
        number = f"{least} to {most} bots" if most > least else "one bot"
        raise MatchError(f"{quoted(text)} names {len(found)} bots under {field!r}, where {number} belong")
    known = bot_entries()
    for bot in found:
        name = bot.partition(":")[0]
        if bot.startswith("-"):
            raise MatchError(f"{quoted(bot)} is no bot")
        if name not in known and not is_program(bot) and ".py" not in bot:
            raise MatchError(f"no bot {quoted(name)}{did_you_mean(name, known)}")
    return found


def _whole(form: Mapping[str, str], field: str, least: int, most: int) -> int:
    text = form.get(field, "").replace(",", "").strip()
    if not text.isascii() or not text.isdigit() or len(text) > 20 or not least <= int(text) <= most:
        raise MatchError(f"{quoted(text)} is no number of {field}: write one from {least:,} to {most:,}")
    return int(text)


def _gain(form: Mapping[str, str]) -> str:
    text = form.get("gain", "").strip()
    try:
        is_good = len(text) < 10 and 0.001 <= float(text) <= 10
    except ValueError:
        is_good = False
    if not is_good:
        raise MatchError(f"{quoted(text)} is no gain: write small bets a hand from 0.001 to 10, as in 0.05")
    return text


def _refuse_visitors(request: Request) -> None:
    if serving_of(request).is_public:
        raise MatchError("a public server starts nothing for its visitors")


def _run(request: Request) -> Run:
    _refuse_visitors(request)
    reap()
    return read_run(serving_of(request).home, request.path_params["name"])


async def _content(request: Request, run: Run) -> dict[str, Any]:
    is_running = run.is_running  # before its result is read: what was over then is read whole
    found = await thinkers_of(request).think(standing, serving_of(request).home, run.hands)
    study = STUDIES.get(run.arguments[1]) if run.kind == "experiment" and len(run.arguments) > 1 else None
    return {"run": run, "is_running": is_running, "found": found, "output": run.output(), "study": study}
