"""Reviews: the matches that somebody may see, the histories that he brings, and what was skill and luck in them."""

from __future__ import annotations

import asyncio

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from railbird.errors import MatchError, RailbirdError
from railbird.web.answers import (
    asker_of,
    in_words,
    limits_of,
    page_answer,
    rendered,
    serving_of,
    shared_by_pages,
    thinkers_of,
)
from railbird.web.limits import TooMuchError
from railbird.web.people import eyes_of, may_see
from railbird.web.reviewing import Asked, checked_upload, listed_matches, match_at, review_page, without_way
from railbird.web.table_files import hashed
from railbird.web.uploads import (
    FORM_BYTES,
    MOST_BYTES,
    UPLOAD,
    Upload,
    harmless_name,
    keep_upload,
    make_room,
    read_upload,
    uploads_in,
)

_REVIEW_SECONDS = 300.0
_READ_SECONDS = 60.0


async def reviews(request: Request) -> Response:
    """The list of matches and histories."""
    serving, user = serving_of(request), request.scope["user_token"]
    whose = hashed(user) if serving.is_public else None
    matches = await thinkers_of(request).think(listed_matches, serving.home, whose)
    kept = await asyncio.to_thread(uploads_in, serving.home)
    brought = [each for each in kept if not serving.is_public or each.is_of(user)]
    megabytes = MOST_BYTES // 1_000_000
    return page_answer(request, "reviews.html", title="Review", matches=matches, brought=brought, megabytes=megabytes)


async def match(request: Request) -> Response:
    """The review of a match folder."""
    serving, user = serving_of(request), request.scope["user_token"]
    path = request.path_params["path"]
    try:
        folder = match_at(serving.home, path)
        if not may_see(serving, folder, user):
            raise MatchError(f"no match {path[:200]!r} here")
    except (MatchError, OSError, ValueError) as error:
        return in_words(request, error, 404)
    return await _review(request, Asked(folder, path, eyes_of(serving, folder, user)))


async def upload(request: Request) -> Response:
    """The review of a history that was brought."""
    try:
        found = _own_upload(request)
    except MatchError as error:
        return in_words(request, error, 404)
    found.look_at()
    return await _review(request, Asked(found.file, found.name))


def _own_upload(request: Request) -> Upload:
    """The history that an address names, if this browser may see it."""
    serving = serving_of(request)
    found = read_upload(serving.home, request.path_params["digest"])
    if serving.is_public and not found.is_of(request.scope["user_token"]):
        raise MatchError(f"no history {found.digest!r} was brought here")
    return found


async def bring(request: Request) -> Response:
    """Take a history: its page if it can be read, otherwise why not."""
    limits, asker = limits_of(request), asker_of(request)
    size = request.headers.get("content-length", "")
    if not size.isdigit() or int(size) > MOST_BYTES + FORM_BYTES:
        return _refusal(request, f"A history has at most {MOST_BYTES // 1_000_000} MB: pack it, or leave some out.")
    try:
        limits.uploads.take(asker)
        with limits.uploading.one(asker):
            name, data = await _brought(request)
            if not name:
                return _refusal(request, "Choose a file first.")
            with limits.reading.one(asker):
                return await _taken(request, name, data)
    except TooMuchError as error:
        return _refusal(request, str(error))


async def _brought(request: Request) -> tuple[str, bytes]:
    """The name of a file and what it holds; no name where there is none."""
    async with request.form(max_files=1, max_fields=1) as form:
        file = form.get("history")
        if not isinstance(file, UploadFile) or not file.filename:
            return "", b""
        return file.filename, await file.read()


async def _taken(request: Request, name: str, data: bytes) -> Response:
    """Keep a history that can be read, as long as there is room."""
    serving, user = serving_of(request), request.scope["user_token"]
    try:
        await asyncio.to_thread(make_room, serving.home, user, len(data), serving.is_public)
    except MatchError as error:
        return _refusal(request, f"{harmless_name(name)!r} was not taken: {error}")
    found, is_new = keep_upload(serving.home, name, data, user)
    try:
        await thinkers_of(request).think_within(_READ_SECONDS, checked_upload, found.file)
    except RailbirdError as error:
        if is_new:
            found.remove()
        return _refusal(request, f"{found.name!r} was not taken: {without_way(str(error), found.folder)}")
    return Response(status_code=204, headers={"HX-Redirect": f"{UPLOAD}/{found.digest}"})


async def remove(request: Request) -> Response:
    """Forget a history that this browser brought."""
    try:
        _own_upload(request).remove(request.scope["user_token"])
    except MatchError as error:
        return in_words(request, error, 404)
    return Response(status_code=204, headers={"HX-Redirect": "/review"})


ROUTES = (
    Route("/review", reviews),
    Route(UPLOAD, bring, methods=["POST"]),
    Route(f"{UPLOAD}/{{digest}}", upload),
    Route(f"{UPLOAD}/{{digest}}/remove", remove, methods=["POST"]),
    Route("/review/match/{path:path}", match),
)


async def _review(request: Request, asked: Asked) -> Response:
    """The page of a review, or why there is none."""
    shared = shared_by_pages(request)
    try:
        with limits_of(request).reviews.one(asker_of(request)):
            return HTMLResponse(await thinkers_of(request).think_within(_REVIEW_SECONDS, review_page, asked, shared))
    except TooMuchError as error:
        return in_words(request, error, 429)
    except RailbirdError as error:
        return in_words(request, f"{asked.title!r}: {without_way(str(error), asked.path.parent)}")


def _refusal(request: Request, words: str) -> Response:
    """What was wrong, for the form."""
    return HTMLResponse(rendered(request, "words.html", words=words))
