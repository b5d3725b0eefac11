"""The explorer: cards or a range, a board and a range in; what they are worth and what the bots would do out.

All that is asked for stands in the address, so that a link leads to the same answer.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from railbird.errors import RailbirdError
from railbird.numbers import quoted
from railbird.web.answers import is_piece, page_answer, rendered, thinkers_of
from railbird.web.exploring import (
    LATE_BOTS,
    SLOW_BOTS,
    Advice,
    Situation,
    advised,
    bot_names,
    class_names,
    explored,
    range_cells,
    reasons,
    warm_bots,
    warm_odds,
)
from railbird.web.exploring_ranges import holdings_of, meeting, warm_meetings
from railbird.web.thinking import SECONDS

_NAMES = ("cards", "board", "own", "versus", "history", "seats")
MOST_SEATS = 10
_LONGEST = 4_000
"""Signs of one thing that is asked for."""


class SituationError(RailbirdError):
    """A situation that cannot be looked at."""


async def explore(request: Request) -> Response:
    """The page, or the answer alone where the page asks for it."""
    asked = Situation()
    answer: dict[str, Any] = dict.fromkeys(("found", "met", "painted", "own_painted"))
    answer |= {"words": "", "query": "", "wanted": "", "classes": class_names()}
    try:
        asked = situation(request.query_params)
        await _fill(answer, request, asked)
    except RailbirdError as error:
        answer["words"] = str(error)
    if is_piece(request):
        headers = {} if answer["words"] else {"HX-Replace-Url": f"/explore?{_query(asked)}".rstrip("?")}
        return HTMLResponse(rendered(request, "explore_answer.html", asked=asked, **answer), headers=headers)
    written = {name: request.query_params.get(name, "")[:_LONGEST] for name in _NAMES}
    status = 400 if answer["words"] else 200
    is_range = _has_range(request.query_params)
    content = {
        "asked": asked,
        "is_range": is_range,
        "written": written,
        "classes": class_names(),
        "most_seats": MOST_SEATS,
        **answer,
    }
    return page_answer(request, "explore.html", status, title="Explore", **content)


async def bots(request: Request) -> Response:
    """What each bot would do; the page asks for those that think long by themselves."""
    kinds, variants = bot_names()
    quick = tuple(bot for bot in kinds + variants if bot not in SLOW_BOTS + LATE_BOTS)
    think = thinkers_of(request).think
    try:
        asked = situation(request.query_params)
        slow, others = await asyncio.gather(think(advised, SLOW_BOTS, asked), think(advised, quick, asked))
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "explore_bots.html", words=str(error)))
    said = {advice.bot: advice for advice in (*slow, *others, *[Advice(bot, "", "") for bot in LATE_BOTS])}
    groups = [("", [said[bot] for bot in kinds]), ("Variants of these", [said[bot] for bot in variants])]
    counts = Counter(advice.kind for advice in said.values() if advice.kind)
    content = {"groups": groups, "counts": counts.most_common(), "late": LATE_BOTS, "query": _query(asked)}
    return HTMLResponse(rendered(request, "explore_bots.html", words="", **content))


async def bot(request: Request) -> Response:
    """What one bot would do, as a row among the others."""
    name = request.query_params.get("bot", "")[:_LONGEST]
    try:
        asked = situation(request.query_params)
        [found] = await thinkers_of(request).think_within(SECONDS, advised, (name,), asked)
    except RailbirdError as error:
        asked, found = Situation(), Advice(name, "", str(error))
    return HTMLResponse(rendered(request, "explore_bot.html", advice=found, query=_query(asked)))


async def why(request: Request) -> Response:
    """Why a bot would do it."""
    return await _reasons(request, is_short=False)


async def advice(request: Request) -> Response:
    """What a bot would do in a line, and why below it."""
    return await _reasons(request, is_short=True)


async def _reasons(request: Request, is_short: bool) -> Response:
    content: dict[str, Any] = {"words": "", "found": None, "is_short": is_short}
    try:
        asked = situation(request.query_params)
        name, thinkers = request.query_params.get("bot", ""), thinkers_of(request)
        if name in LATE_BOTS:
            content["found"] = await thinkers.think_within(SECONDS, reasons, name, asked)
        else:
            content["found"] = await thinkers.think(reasons, name, asked)
    except RailbirdError as error:
        content["words"] = str(error)
    return HTMLResponse(rendered(request, "reasons.html", **content))


async def holdings(request: Request) -> Response:
    """Each holding of a class of one of two ranges, with its equity."""
    side, name = (request.query_params.get(word, "")[:_LONGEST] for word in ("side", "class"))
    content: dict[str, Any] = {"words": "", "found": (), "name": name}
    try:
        asked = situation(request.query_params)
        think = thinkers_of(request).think
        content["found"] = await think(holdings_of, asked.own or "any", asked.versus, asked.board, side, name)
    except RailbirdError as error:
        content["words"] = str(error)
    return HTMLResponse(rendered(request, "explore_holdings.html", **content))


ROUTES = (
    Route("/explore", explore),
    Route("/explore/holdings", holdings),
    Route("/explore/bots", bots),
    Route("/explore/bot", bot),
    Route("/explore/why", why),
    Route("/explore/advice", advice),
)


def warm_up() -> Iterator[None]:
    """Load what answers need, before anybody asks, step by step: what is asked for most first."""
    yield from warm_odds()
    yield from warm_meetings()
    yield from warm_bots()


def situation(query: Mapping[str, str]) -> Situation:
    """The situation that an address asks for."""
    given = {name: query.get(name, "").strip() for name in _NAMES}
    for name, text in given.items():
        if len(text) > _LONGEST:
            raise SituationError(f"{quoted(text)} is too long: {name} has at most {_LONGEST:,} signs here")
    seats = given.pop("seats") or "2"
    if _has_range(query):
        given |= {"cards": "", "own": given["own"] or "any"}
    else:
        given["own"] = ""
    if seats not in map(str, range(2, MOST_SEATS + 1)):
        raise SituationError(f"{quoted(seats)} seats; a table has 2 to {MOST_SEATS}")
    return Situation(**{**given, "versus": given["versus"] or "any"}, seats=int(seats))


def _has_range(query: Mapping[str, str]) -> bool:
    """Whether somebody has a range instead of cards: as the form says, or an address that names nothing else."""
    return query["as"] == "range" if "as" in query else bool(query.get("own")) and not query.get("cards")


async def _fill(answer: dict[str, Any], request: Request, asked: Situation) -> None:
    """Put into `answer` what its template needs, as far as there is something: the range first, which may be good where
    other things are not."""
    think = thinkers_of(request).think
    answer["painted"] = await think(range_cells, asked.versus)
    answer["own_painted"] = await think(range_cells, asked.own) if asked.own else None
    answer["wanted"] = asked.wanted
    if asked.own and not asked.wanted:
        answer["met"] = await think(meeting, asked.own, asked.versus, asked.board)
        answer["query"] = _query(asked)
    elif not asked.wanted:
        answer["found"] = await think(explored, asked.cards, asked.board, asked.versus)
        answer["query"] = _query(asked)


def _query(asked: Situation) -> str:
    whole = {
        "cards": asked.cards,
        "own": asked.own,
        "board": asked.board,
        "versus": "" if asked.versus == "any" else asked.versus,
        "history": asked.history,
        "seats": "" if asked.seats == 2 else str(asked.seats),
    }
    return urlencode({name: value for name, value in whole.items() if value})
