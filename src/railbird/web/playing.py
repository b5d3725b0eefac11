"""Play: the page with one's tables and the form for a new one, the page of a table, and the socket of a seat."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import anyio
from starlette.datastructures import FormData
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from railbird.bots.registry import bot_entries
from railbird.errors import MatchError, RailbirdError
from railbird.json_files import json_of
from railbird.numbers import quoted, whole_number
from railbird.play.folder import MatchFolder
from railbird.play.known_seats import verdict_words
from railbird.play.seating import MOST_PLAYERS
from railbird.randomness import SecretSeed
from railbird.web.advice import advice_in
from railbird.web.answers import asker_of, limits_of, page_answer, rendered, serving_of
from railbird.web.chat import LONGEST as LONGEST_LINE
from railbird.web.exploring import bot_names
from railbird.web.hall import Table, Tables, Viewer
from railbird.web.limits import Asker, Limits, TooMuchError
from railbird.web.seat_screen import Message
from railbird.web.table_files import LONGEST, SHORTEST

GAMES = {"limit": "limit", "no-limit": "no-limit, 200 big blinds", "no-limit:stack=2000": "no-limit, 20 big blinds"}
_MOST_MESSAGE = 1_000
_MOST_WAITING = 400
"""Messages that a browser may be behind; older ones are dropped."""
_DOES = ("act", "next", "back", "leave", "look", "begin", "chat", "advise")


def tables_of(connection: HTTPConnection) -> Tables:
    """The tables of the server that a request came to."""
    tables: Tables = connection.app.state.tables
    return tables


async def room(request: Request) -> Response:
    """Where one sits down: a new table, or one where one was before."""
    user = request.scope["user_token"]
    mine = await asyncio.to_thread(_listed, tables_of(request).of_user(user))
    bots = {entry.name: entry.summary for entry in bot_entries().values()}
    return page_answer(
        request, "play.html", title="Play", mine=mine, bots=bots, games=GAMES, most=MOST_PLAYERS - 1, usual="loki"
    )


async def new_table(request: Request) -> Response:
    """Make a table, and go there; what is wrong with what was asked for is said in the form."""
    form = await request.form(max_files=0, max_fields=40)
    try:
        asked = _asked(form, is_public=serving_of(request).is_public)
        limits_of(request).tables.take(asker_of(request))
        table, links = await tables_of(request).make(request.scope["user_token"], **asked)
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "remark.html", words=str(error)), 422)
    if not links:
        return Response(headers={"HX-Redirect": f"/play/{table.file.id}"})
    base = str(request.base_url).rstrip("/")
    shown = {name: f"{base}/sit/{link}" for name, link in links.items()}
    return HTMLResponse(rendered(request, "links.html", links=shown, table=table.file.id))


async def invited(request: Request) -> Response:
    """What a link leads to; whoever was here before goes to the table."""
    link, user = request.path_params["link"], request.scope["user_token"]
    table, place = tables_of(request).invited(link)
    if table.file.place_of(user) is not None:
        return RedirectResponse(f"/play/{table.file.id}", 303)
    table.file.with_user(link, user)
    spec = MatchFolder.open(table.file.folder).spec
    told: dict[str, Any] = {"name": table.file.people[place].name, "names": spec.names, "game": spec.game.name}
    return page_answer(request, "invited.html", title="A seat for you", link=link, study=table.file.study, **told)


async def sit_down(request: Request) -> Response:
    """Take the seat that a link leads to."""
    link = request.path_params["link"]
    try:
        table, _ = tables_of(request).invited(link)
        table.file = table.file.with_user(link, request.scope["user_token"])
        await asyncio.to_thread(table.file.write)
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "remark.html", words=str(error)), 422)
    return Response(headers={"HX-Redirect": f"/play/{table.file.id}"})


async def table_page(request: Request) -> Response:
    """The page of a table."""
    table, place = tables_of(request).found(request.path_params["table"], request.scope["user_token"])
    spec = MatchFolder.open(table.file.folder).spec
    seed = spec.seed
    told: dict[str, Any] = {
        "title": f"Table: {', '.join(spec.names)}",
        "file": table.file,
        "me": table.file.people[place].name,
        "names": spec.names,
        "game": spec.game.name,
        "commitment": seed.commitment if isinstance(seed, SecretSeed) else "",
        "said": table.chat.lines if table.chat else None,
    }
    if table.file.closed:
        key = seed.key.hex() if isinstance(seed, SecretSeed) and seed.is_published else ""
        played = await asyncio.to_thread(table.hands)
        return page_answer(request, "table_closed.html", **told, key=key, played=played)
    return page_answer(
        request,
        "table.html",
        **told,
        verdict=verdict_words(spec),
        longest=LONGEST_LINE,
        advisors=bot_names()[0] if table.file.may_advise else (),
        asked=len(advice_in(table.file.folder)),
    )


async def close_table(request: Request) -> Response:
    """End a table for good."""
    tables = tables_of(request)
    table, place = tables.found(request.path_params["table"], request.scope["user_token"])
    try:
        if place:
            raise MatchError(f"{table.file.people[0].name!r} made this table, and alone can close it")
        if not table.file.closed:
            await tables.close(table)
    except RailbirdError as error:
        return HTMLResponse(rendered(request, "remark.html", words=str(error)), 422)
    return Response(headers={"HX-Redirect": f"/play/{table.file.id}"})


async def seat_socket(socket: WebSocket) -> None:
    """A seat: pictures go out as pieces of the page, answers come in."""
    tables = tables_of(socket)
    try:
        table, place = tables.found(socket.path_params["table"], socket.scope["user_token"])
    except MatchError as error:
        await socket.accept()  # a browser is told why only then
        await socket.close(4404, str(error)[:100])
        return
    await socket.accept()
    waiting: asyncio.Queue[Message] = asyncio.Queue(_MOST_WAITING)

    def viewer(message: Message) -> None:
        while waiting.full():  # too slow for all of it: what was seen before matters no more
            waiting.get_nowait()
        waiting.put_nowait(message)

    tables.come(table, place, viewer)
    try:
        async with anyio.create_task_group() as both:
            both.start_soon(_send, socket, waiting)
            wrong = await _receive(socket, tables, (table, place), viewer)
            both.cancel_scope.cancel()
        if wrong:  # now that nothing is sent any more
            await socket.close(4400, wrong)
    finally:
        tables.go(table, place, viewer)


async def _send(socket: WebSocket, waiting: asyncio.Queue[Message]) -> None:
    with suppress(WebSocketDisconnect):  # it closed meanwhile, as the other side notices too
        while True:
            message = await waiting.get()
            await socket.send_text(json.dumps(_shown(socket, message)))


async def _receive(socket: WebSocket, tables: Tables, seat: tuple[Table, int], viewer: Viewer) -> str:
    """Pass on what a browser says, as long as it says no more than a person could. Then: what was wrong, or nothing
    where it has gone."""
    limits, asker = limits_of(socket), asker_of(socket)
    while True:
        try:
            message = read_message(await socket.receive_text())
            limits.messages.take(asker)
        except WebSocketDisconnect:
            return ""
        except KeyError:  # bytes, where words belong
            message = None
        except TooMuchError:
            return "too much at once"
        if message is None:
            return "this was not understood"
        try:
            _pass_on(message, limits, asker, tables, seat)
        except RailbirdError as error:
            viewer({"refused": str(error), "do": message["do"]})


def _pass_on(message: Message, limits: Limits, asker: Asker, tables: Tables, seat: tuple[Table, int]) -> None:
    """Give a message to whom it concerns; refuses what is too much, or for nobody."""
    if message["do"] == "chat":
        limits.lines.take(asker)
        tables.chat(*seat, str(message.get("words", "")))
        return
    if message["do"] == "advise":
        limits.advice.take(asker)
        bot = str(message.get("bot", ""))
        if bot and bot not in bot_entries():
            raise MatchError(f"no bot {quoted(bot)} here")
    tables.tell(*seat, message)


def read_message(text: str) -> Message | None:
    """What a browser may say: a few words by name."""
    if len(text) > _MOST_MESSAGE:
        return None
    try:
        found = json_of(text.encode())
    except ValueError:
        return None
    if not isinstance(found, dict) or found.get("do") not in _DOES:
        return None
    kinds = {"do": str, "ask": str, "words": str, "bot": str, "hand": int, "on": bool}
    return {name: value for name, value in found.items() if name in kinds and type(value) is kinds[name]}


def _shown(socket: WebSocket, message: Message) -> Message:
    """A message as the page takes it: a piece of HTML, and what its script has to know."""
    if "picture" in message:
        picture = message["picture"]
        if "missing" in picture:
            return {"table": rendered(socket, "gathering.html", missing=picture["missing"]), "news": ""}
        told = ("hand", "steps", "is_over", "hurry", "news", "promise", "opened", "ask", "seconds")
        return {
            "table": rendered(socket, "seat.html", table=picture),
            "cards": len(picture["board"]),
            **{name: picture[name] for name in told if name in picture},
        }
    if "insights" in message:
        return {"insights": [rendered(socket, "insight.html", seen=seen) for seen in message["insights"]]}
    if "chat" in message:
        return {"chat": [rendered(socket, "said.html", said=said) for said in message["chat"]]}
    if "advice" in message:
        told = message["advice"]
        return {"advice": rendered(socket, "advice.html", told=told), "of": told["ask"]}
    return message


def _asked(form: FormData, is_public: bool) -> dict[str, Any]:
    """What a form asks for, taken apart."""
    game = _text(form, "game")
    if game not in GAMES:
        raise MatchError(f"no game {quoted(game)} here; there are {', '.join(GAMES)}")
    bots = [bot for bot in [*map(str, form.getlist("bot")), _text(form, "own_bot")] if bot.strip()]
    if is_public and (strange := [bot for bot in bots if bot not in bot_entries()]):
        raise MatchError(f"no bot {quoted(strange[0])} here")
    others = _text(form, "people").replace(",", " ").split()
    names = [_text(form, "name").strip() or "you", *others]
    if len(set(names)) < len(names):
        raise MatchError(f"{', '.join(names)}: two people of the same name")
    if others and any(name.casefold() == "you" for name in names):
        raise MatchError("where other people sit nobody can be called 'you': choose a name that they know you by")
    if not others and not bots:
        raise MatchError("nobody sits there but you: choose a bot, or name other people")
    if len(names) + len(bots) > MOST_PLAYERS:
        raise MatchError(f"{len(names) + len(bots)} at one table; there is room for {MOST_PLAYERS}, you among them")
    try:
        seconds = whole_number(_text(form, "seconds") or "60", SHORTEST, LONGEST)
    except ValueError as error:
        raise MatchError(f"seconds to think: {error}") from None
    agreed = {"study": form.get("study") == "on", "reveal": form.get("reveal") == "on", "seconds": seconds}
    return {"names": names, "bots": bots, "game": game, **agreed}


def _text(form: FormData, name: str) -> str:
    found = form.get(name, "")
    return found.strip()[:200] if isinstance(found, str) else ""


def _listed(mine: list[tuple[Table, int]]) -> list[dict[str, Any]]:
    """The tables in the list of one's own."""
    return [
        {
            "id": table.file.id,
            "names": table.names,
            "me": table.file.people[place].name,
            "closed": table.file.closed,
            "game": GAMES.get(table.game, table.game),
            "hands": table.hands(),
            "when": table.last_played(),
        }
        for table, place in mine
    ]


ROUTES = [
    Route("/play", room),
    Route("/play/new", new_table, methods=["POST"]),
    Route("/sit/{link}", invited),
    Route("/sit/{link}", sit_down, methods=["POST"]),
    Route("/play/{table}", table_page),
    Route("/play/{table}/close", close_table, methods=["POST"]),
    WebSocketRoute("/play/{table}/socket", seat_socket),
]
