"""Hands as the IRC database has them, all lines of a hand together; `railbird.formats.irc` reads them."""

from __future__ import annotations

import calendar
import time
from collections.abc import Iterable, Iterator

from railbird.formats.site_text import sayable_names, spaced_cards
from railbird.formats.spoken import common_unsaid, posts_of, spoken_actions, told_stacks
from railbird.formats.table_hand import BIG, LIVE, SMALL
from railbird.game.record import HandRecord
from railbird.game.spec import Structure

_FIRST_TIME = 600_000_000
"""From here on hands are numbered that tell no time."""
_MOST_NUMBER = 10**11


def write(records: Iterable[HandRecord]) -> Iterator[str]:
    """For each hand the line of hdb, that of hroster, and those of its players."""
    for record in records:
        yield "".join([f"{line}\n" for line in _lines(record)])


def why_not(record: HandRecord) -> str:
    """Why a hand cannot be written; empty where it can."""
    game = record.game
    if not game.is_holdem or game.structure is not Structure.FIXED_LIMIT:
        return "only limit hold'em is told there: raises have no sizes"
    small, big = game.bet_sizes[0], game.bet_sizes[3]
    if game.bet_sizes != (small, small, big, big) or big != 2 * small or small % 2:
        return "its bets do not double, or cannot be halved"
    if game.ante or game.dead or not _has_plain_blinds(record):
        return "its blinds are not posted so there"
    if any(not isinstance(chips, int) for chips in record.payoffs) or record.rake:
        return "the house took something, or chips were parted"
    if not 0 <= record.number < _MOST_NUMBER:
        return "its number is no number of a hand"
    return ""


def unsaid(record: HandRecord) -> list[str]:
    """What the database has no words for."""
    missing, telling = common_unsaid(record), record.telling
    if irc_names(record) != record.names:
        missing.append("names that are no names there")
    if telling is None:
        return missing
    if telling.seats or telling.table or telling.places:
        missing.append("the table and its seats")
    if telling.currency or telling.unit != 1:
        missing.append("the currency")
    if telling.hero >= 0 or telling.shown:
        missing.append("whose file it is, and who showed cards")
    if telling.zone not in ("", "UTC"):
        missing.append("the zone of the time")
    if telling.source != "irc" and telling.extra:
        missing.append(f"what only {telling.source} tells")
    return missing


def irc_names(record: HandRecord) -> tuple[str, ...]:
    """Names without blanks, no two the same."""
    return sayable_names(["_".join(name.split()) for name in sayable_names(record.names)])


def _has_plain_blinds(record: HandRecord) -> bool:
    """Whether the blinds are half a small bet and a small bet, and further ones a small bet."""
    game = record.game
    small, first = game.bet_sizes[0], game.first_to_act
    posted = [at for at, blind in enumerate(game.blinds) if blind]
    if len(posted) < 2 or any(first[1:]):
        return len(posted) == 1 and game.blinds[posted[0]] == small and first[0] == (posted[0] + 1) % game.seats
    amounts = [game.blinds[at] for at in posted]
    if game.seats == 2:
        return (amounts, first[0]) in (([small // 2, small], 0), ([small, small // 2], 1))
    is_plain = amounts == [small // 2, *[small] * (len(posted) - 1)]
    return is_plain and first[0] == (posted[1] + 1) % game.seats and posted[0] == 0


def _lines(record: HandRecord) -> Iterator[str]:
    telling = record.telling
    extra = dict(telling.extra) if telling is not None else {}
    stamp, names, count = _timestamp(record), irc_names(record), record.game.seats
    seen, committed = _seen(record)
    board = f" {spaced_cards(record.board)}" if record.board else ""
    yield f"{stamp} {extra.get('game set', '1')} {record.number} {count} {' '.join(seen)}{board}"
    yield f"{stamp} {count} {' '.join(names)}"
    letters, stacks = _letters(record), told_stacks(record)
    for at, name in enumerate(names):
        words = [letters[street][at] or "-" for street in range(4)]
        chips = f"{stacks[at]} {committed[at]} {int(record.payoffs[at]) + committed[at]}"
        cards = f" {spaced_cards(record.holes[at])}" if record.holes[at] else ""
        yield f"{name} {stamp} {count} {at + 1} {' '.join(words)} {chips}{cards}"


def _timestamp(record: HandRecord) -> int:
    """When the hand was played, in seconds; numbers where nobody says."""
    telling = record.telling
    if telling is not None and telling.source == "irc" and telling.hand.isdigit():
        return int(telling.hand)
    if telling is not None and telling.time:
        try:
            return calendar.timegm(time.strptime(telling.time, "%Y-%m-%d %H:%M:%S"))
        except ValueError:
            pass
    return _FIRST_TIME + record.number


def _seen(record: HandRecord) -> tuple[list[str], tuple[int, ...]]:
    """How many saw flop, turn, river and showdown with which pot, and what everybody put in."""
    seen: list[str] = []
    node = None
    for before, action in record.steps():
        node = before.after(action)
        while len(seen) < node.street:
            seen.append(f"{len(node.live)}/{node.pot}")
    node = node or record.final()
    while len(seen) < node.street:
        seen.append(f"{len(node.live)}/{node.pot}")
    seen.append(f"{len(node.live)}/{node.pot}")
    return [*seen, *["0/0"] * (4 - len(seen))], node.committed


def _letters(record: HandRecord) -> list[list[str]]:
    """By street and position, what everybody did."""
    letters = [[""] * record.game.seats for _ in range(4)]
    for post in posts_of(record):
        if post.what in (SMALL, BIG, LIVE):
            letters[0][post.position] = "B"
    for action in spoken_actions(record):
        letters[action.street][action.position] += "A" if action.is_all_in else action.kind
    return letters
