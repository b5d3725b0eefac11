"""Reviews: the matches that somebody may see, the histories that he brings, and what was skill and luck in them."""

from __future__ import annotations

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from railbird.errors import MatchError, RailbirdError
from railbird.web.answers import in_words, page_answer, rendered, serving_of, shared_by_pages, thinkers_of
from railbird.web.people import eyes_of, may_see
from railbird.web.reviewing import Asked, checked_upload, listed_matches, match_at, review_page, without_way
from railbird.web.table_files import hashed
from railbird.web.uploads import MOST_BYTES, keep_upload, read_upload, uploads_in

_REVIEW_SECONDS = 300.0
_READ_SECONDS = 60.0
_FORM_BYTES = 10_000
"""What a form has around the file in it."""


async def reviews(request: Request) -> Response:
    """The list of matches and histories."""
    serving, user = serving_of(request), request.scope["user_token"]
    whose = hashed(user) if serving.is_public else None
    matches = await thinkers_of(request).think(listed_matches, serving.home, whose)
    brought = [each for each in uploads_in(serving.home) if not serving.is_public or each.is_of(user)]
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
    serving, user = serving_of(request), request.scope["user_token"]
    try:
        found = read_upload(serving.home, request.path_params["digest"])
        if serving.is_public and not found.is_of(user):
            raise MatchError(f"no history {found.digest!r} was brought here")
    except MatchError as error:
        return in_words(request, error, 404)
    return await _review(request, Asked(found.file, found.name))


async def bring(request: Request) -> Response:
    """Take a history: its page if it can be read, otherwise why not."""
    size = request.headers.get("content-length", "")
    if not size.isdigit() or int(size) > MOST_BYTES + _FORM_BYTES:
        return _refusal(request, f"A history has at most {MOST_BYTES // 1_000_000} MB: pack it, or leave some out.")
    async with request.form(max_files=1, max_fields=1) as form:
        file = form.get("history")
        if not isinstance(file, UploadFile) or not file.filename:
            return _refusal(request, "Choose a file first.")
        name, data = file.filename, await file.read()
    serving = serving_of(request)
    found, is_new = keep_upload(serving.home, name, data, request.scope["user_token"])
    try:
        await thinkers_of(request).think_within(_READ_SECONDS, checked_upload, found.file)
    except RailbirdError as error:
        if is_new:
            found.remove()
        return _refusal(request, f"{found.name!r} was not taken: {without_way(str(error), found.folder)}")
    return Response(status_code=204, headers={"HX-Redirect": f"/review/upload/{found.digest}"})


ROUTES = (
    Route("/review", reviews),
    Route("/review/upload", bring, methods=["POST"]),
    Route("/review/upload/{digest}", upload),
    Route("/review/match/{path:path}", match),
)


async def _review(request: Request, asked: Asked) -> Response:
    """The page of a review, or why there is none."""
    shared = shared_by_pages(request)
    try:
        return HTMLResponse(await thinkers_of(request).think_within(_REVIEW_SECONDS, review_page, asked, shared))
    except RailbirdError as error:
        return in_words(request, f"{asked.title!r}: {without_way(str(error), asked.path.parent)}")


def _refusal(request: Request, words: str) -> Response:
    """What was wrong, for the form."""
    return HTMLResponse(rendered(request, "words.html", words=words))
