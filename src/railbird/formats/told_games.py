"""The game of a competition log that nobody has named: by its game file, or by what its hands fit.

The first line of a log names a game file. It is read where it lies beside the log; the competition's own are known by
name. Otherwise the hands tell: how many players there are, one hole card or two, raises with amounts or without. The
bets of limit games follow from the payoffs; of the usual stakes of other games those are taken that most hands fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice

from railbird.errors import InvalidGameError, MatchError, RailbirdError
from railbird.formats.acpc import StateLine, named_game_file, parse_game
from railbird.formats.games import game_in_file
from railbird.formats.history import HistoryFile
from railbird.game.spec import Game, kuhn_poker, leduc_poker, limit_holdem, no_limit_holdem

_HANDS, _VOTERS = 100, 20
"""So many hands are looked at, and so many asked for the size of the bets."""
_FITTING = 0.5
"""The share of them that must fit a game."""
_STAKES = ((50, 100, 20_000), (1, 2, 400), (1, 2, 1_000), (5, 10, 2_000), (5, 10, 1_000))
"""Small blind, big blind and stack of no-limit matches, the competition's first."""
_TOYS = {
    "kuhn.limit.3p.game": "limit numPlayers=3 numRounds=1 blind=1 1 1 raiseSize=1 firstPlayer=1 maxRaises=1 "
    "numSuits=1 numRanks=4 numHoleCards=1 numBoardCards=0",
    "leduc.limit.3p.game": "limit numPlayers=3 numRounds=2 blind=1 1 1 raiseSize=2 4 firstPlayer=1 1 maxRaises=2 2 "
    "numSuits=2 numRanks=4 numHoleCards=1 numBoardCards=0 1",
}


@cache
def known_game(name: str) -> Game | None:
    """The game of one of the competition's game files, by the file's name.

    >>> known_game("holdem.nolimit.3p.game").blinds
    (50, 100, 0)
    """
    if name in _TOYS:
        return parse_game(_TOYS[name])
    return {
        "holdem.limit.2p.reverse_blinds.game": limit_holdem(small_bet=10),
        "holdem.limit.2p.game": limit_holdem(small_bet=10),
        "holdem.limit.3p.game": limit_holdem(3, small_bet=10),
        "holdem.nolimit.2p.reverse_blinds.game": no_limit_holdem(),
        "holdem.nolimit.2p.game": no_limit_holdem(),
        "holdem.nolimit.3p.game": no_limit_holdem(3),
        "kuhn.limit.2p.game": kuhn_poker(),
        "leduc.limit.2p.game": leduc_poker(),
    }.get(name)


def told_game(file: HistoryFile) -> Game:
    """The game of a log; refuses one that does not tell it."""
    hands = first_hands(file.beginning)
    beside = game_beside(file)
    if beside is not None and _fits(beside, hands):
        return beside
    known = known_game(named_game_file(file.beginning))
    candidates = [game for game in (known, *_usual_games(hands)) if game is not None]
    counts = [_fits(game, hands) for game in candidates]
    if candidates and (max(counts) >= max(1, _FITTING * len(hands)) or not candidates[-1].is_holdem):
        return candidates[counts.index(max(counts))]
    raise MatchError(
        f"{str(file.path)!r} does not tell its game, and its hands fit none of the usual stakes; say it with --game, "
        "as in --game no-limit:stack=20000 or --game some.game"
    )


def game_beside(file: HistoryFile) -> Game | None:
    """The game of the game file that the first line of a log names, if it lies beside the log."""
    named = named_game_file(file.beginning)
    beside = file.path.parent / named
    try:
        return game_in_file(beside) if named and beside.is_file() else None
    except (OSError, ValueError):  # a name that no file can have, or a file that is no game
        return None


def other_game(file: HistoryFile) -> Game | None:
    """The game of a log by its hands, unless they are, or may be, of heads-up limit hold'em, or do not tell it."""
    hands = first_hands(file.beginning)
    raised = [hand for hand in hands if "r" in hand.history]
    sized = [hand for hand in raised if any(letter.isdigit() for letter in hand.history)]
    if not hands or (len(hands[0].names) == 2 and not _is_toy(hands) and 2 * len(sized) <= len(raised)):
        return None
    try:
        return told_game(file)
    except RailbirdError:
        return None


def first_hands(beginning: str) -> list[StateLine]:
    """The first hands of a log that begins so, those of the number of players that most have."""
    found = list(islice(_readable(beginning), _HANDS))
    seats = Counter(len(hand.names) for hand in found).most_common(1)
    return [hand for hand in found if len(hand.names) == seats[0][0]]


def _readable(beginning: str) -> Iterator[StateLine]:
    for line in beginning.splitlines():
        if line.lstrip().startswith("STATE"):
            try:
                yield StateLine.parse(line)
            except RailbirdError:
                continue


def _fits(game: Game, hands: list[StateLine]) -> int:
    """How many hands keep the rules of a game, their payoffs included."""
    return sum(_keeps(game, hand) for hand in hands)


def _keeps(game: Game, hand: StateLine) -> bool:
    try:
        hand.record(game).check(may_be_raked=True)
    except RailbirdError:
        return False
    return True


def _usual_games(hands: list[StateLine]) -> Iterator[Game]:
    """The games that hands may be of, by their players, cards and betting; a foreign match may be among them."""
    if not hands:
        return
    seats = len(hands[0].names)
    raised = [hand.history for hand in hands if "r" in hand.history]
    sized = [history for history in raised if any(letter.isdigit() for letter in history)]
    try:
        if _is_toy(hands):
            toys = {2: (kuhn_poker(), leduc_poker()), 3: tuple(map(parse_game, _TOYS.values()))}
            yield from toys.get(seats, ())[any("/" in hand.history for hand in hands) :][:1]
            return
        if not raised or len(sized) < len(raised):
            yield from (limit_holdem(seats, small_bet=bet) for bet in _told_bets(hands))
        if sized or not raised:
            yield from (no_limit_holdem(seats, small_blind=s, big_blind=b, stack=stack) for s, b, stack in _STAKES)
    except InvalidGameError:
        return


def _told_bets(hands: list[StateLine]) -> list[int]:
    """The small bets that the payoffs of some hands tell: what is lost in bets of 2 says how large those are."""
    base, found = limit_holdem(len(hands[0].names)), list[int]()
    for hand in hands[:_VOTERS]:
        with suppress(RailbirdError):
            record = hand.record(base)
            lost, here = min(record.replayed_payoffs()), min(record.payoffs)
            if lost < 0 and here < 0 and 2 * here % lost == 0:
                found.append(int(2 * here // lost))
    return list(dict.fromkeys(found))


def _is_toy(hands: list[StateLine]) -> bool:
    """Whether everybody has one hole card."""
    return {len(hole) for hand in hands for hole in hand.holes if hole} == {2}
