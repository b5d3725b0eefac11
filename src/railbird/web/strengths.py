"""How strong the hands of a replay are at a step: what each has made, how often it is ahead, how often it wins."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from railbird.cards import parse_board, parse_cards
from railbird.errors import InvalidCardsError, RailbirdError
from railbird.numbers import quoted
from railbird.odds.equity import equity
from railbird.odds.ranks import rank_cards, rank_name
from railbird.odds.strength import hand_strength
from railbird.play.seating import MOST_PLAYERS
from railbird.web.answers import thinkers_of


@dataclass(frozen=True)
class HandNow:
    """A hand at a step: before the flop nothing is made yet."""

    made: str
    strength: float | None
    """The chance to be ahead of one unknown holding."""
    equity: float
    """Its share of all run-outs against the others that are still in."""


def hands_now(holdings: tuple[str, ...], board: str) -> list[HandNow]:
    """How strong holdings are that are still in a hand.

    >>> [(hand.made, round(hand.equity, 3)) for hand in hands_now(("AdQc", "7h7c"), "3h4cJh")]
    [('high card, ace, queen, jack, four and three', 0.253), ('pair of sevens, jack, four and three kickers', 0.747)]
    """
    if not 2 <= len(holdings) <= MOST_PLAYERS:
        raise InvalidCardsError(f"{len(holdings)} holdings; two to {MOST_PLAYERS} are weighed against each other")
    dealt, holes = parse_board(board), [parse_cards(holding, 2) for holding in holdings]
    found = []
    for holding, hole, share in zip(holdings, holes, equity(holdings, board)):
        made = rank_name(rank_cards((*hole, *dealt))) if dealt else ""
        found.append(HandNow(made, hand_strength(holding, board) if dealt else None, share.share))
    return found


async def strengths(request: Request) -> Response:
    """The strengths of the holdings that an address names; where they cannot be dealt, why."""
    holdings, board = (request.query_params.get(name, "") for name in ("holdings", "board"))
    try:
        if len(holdings) + len(board) > 100:
            raise InvalidCardsError(f"{quoted(holdings)} is more than a table holds")
        found = await thinkers_of(request).think(hands_now, tuple(holdings.split(".")), board)
    except RailbirdError as error:
        return JSONResponse({"hands": [], "wrong": str(error)})
    return JSONResponse({"hands": [asdict(hand) for hand in found]})


ROUTES = (Route("/review/strengths", strengths),)
