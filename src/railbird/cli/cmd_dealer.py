"""railbird dealer."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import typer

from railbird.cli.console import pass_on, tell
from railbird.errors import BrokenOffError, MatchError
from railbird.formats.games import file_or_game
from railbird.net.connect import guest_at_dealer, play_at
from railbird.net.dealer import LOOPBACK, Dealer, Door, Guest
from railbird.net.dealer_files import DealerBooks
from railbird.net.dealer_table import MOST_HANDS, DealtMatch, Limits
from railbird.net.wire_seat import WireSeat
from railbird.numbers import quoted, whole_number
from railbird.stopping import keeping


def dealer(
    name: Annotated[str, typer.Argument(metavar="MATCH", help="The match's name: the log is MATCH.log.")],
    game: Annotated[str, typer.Argument(metavar="GAME", help="A competition game file, or a game as limit, leduc.")],
    hands: Annotated[int, typer.Argument(metavar="HANDS", help="How many hands are dealt.")],
    seed: Annotated[int, typer.Argument(metavar="SEED", help="What the cards follow from, 0 to 2^32 - 1.")],
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="The players' names, in order of seats.")],
    ports: Annotated[str, typer.Option("-p", metavar="PORT,PORT...", help="Ports by seat; by default free ones.")] = "",
    host: Annotated[str, typer.Option("--host", help="Where to listen; 0.0.0.0 lets other machines in.")] = LOOPBACK,
    bots: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="SEAT=BOT", help="A built-in bot takes a seat, as in 2=loki."),
    ] = None,
    is_quiet: Annotated[bool, typer.Option("-q", help="Only errors, warnings and the score on stderr.")] = False,
    fixed: Annotated[bool, typer.Option("-f", help="Leave the button where it is.")] = False,
    log: Annotated[bool, typer.Option("-L/-l", help="Write the log, or none.", show_default=False)] = True,
    transactions: Annotated[
        bool, typer.Option("-T/-t", help="Write every action to MATCH.tlog, from which -a goes on.", show_default=False)
    ] = False,
    append: Annotated[bool, typer.Option("-a", help="Add to log and transactions instead of beginning anew.")] = False,
    t_response: Annotated[int, typer.Option("--t_response", help="Most milliseconds for a response.")] = 600_000,
    t_hand: Annotated[int, typer.Option("--t_hand", help="Most milliseconds of a player in a hand.")] = 600_000,
    t_per_hand: Annotated[int, typer.Option("--t_per_hand", help="The same on average over the match.")] = 7_000,
    start_timeout: Annotated[
        int, typer.Option("--start_timeout", help="Most milliseconds until all are there; below 0 for ever.")
    ] = -1,
    invalid: Annotated[
        int | None, typer.Option("-m", min=0, help="Most invalid actions of a player; by default any number.")
    ] = None,
) -> None:
    """Deal a match to programs that speak the competition's protocol, as its reference dealer does.

    The first line on stdout has the ports, one for each seat: start each program with host and port, railbird connect
    among them. The last line is the score. The same seed deals the same cards as the reference dealer, and the same
    actions give the same log. On stderr stands what was sent and received, and every warning. The exit code is 1 if a
    player vanished, was too slow or could not be understood.

    Example: railbird dealer demo limit 20 0 Alice Bob --bot 1=always-call --bot 2=random -q
    """
    limits = Limits(t_response, t_hand, t_per_hand, MOST_HANDS if invalid is None else invalid)
    match = DealtMatch(name, game, file_or_game(game, len(players)), hands, seed, tuple(players), limits, fixed)
    guests = _guests(match, bots or [])
    door = Door(host, _ports(ports, match.game.seats), None if start_timeout < 0 else start_timeout / 1000)
    books = DealerBooks(name, log=log, transactions=transactions, append=append)
    kept = f"what was played is in {str(books.log_path)!r}" if log else "nothing is kept without a log"
    try:
        with keeping(kept):
            dealing = Dealer(match, books, door, pass_on, is_quiet)
            table = asyncio.run(dealing.deal(lambda found: tell(" ".join(map(str, found)), flush=True), guests))
    except BrokenOffError:
        raise typer.Exit(1) from None  # it is said above, in the reference dealer's words
    finally:
        books.close()
    pass_on(f"{table.score_line()}\n")
    tell(table.score_line())


def _guests(match: DealtMatch, asked: list[str]) -> list[Guest | None]:
    """The bots of this process, by seat."""
    found: list[Guest | None] = [None] * match.game.seats
    for text in asked:
        number, equals, bot = text.partition("=")
        if not equals or not number.isdigit() or not 1 <= int(number[:9]) <= len(found):
            raise MatchError(f"--bot {quoted(text)}; say a seat from 1 to {len(found)} and a bot, as in 2=loki")
        found[int(number) - 1] = partial(_play, guest_at_dealer(bot, match.game, match.seed))
    return found


async def _play(seat: WireSeat, host: str, port: int) -> object:
    return await play_at(host, port, seat, is_guest=True)


def _ports(text: str, seats: int) -> tuple[int, ...]:
    try:
        found = tuple(whole_number(each, 0, 65_535) for each in text.split(",")) if text else ()
    except ValueError as error:
        raise MatchError(f"-p {quoted(text)}: {error}") from None
    if len(found) > seats:
        raise MatchError(f"-p {quoted(text)}: {len(found)} ports for {seats} seats")
    return found
