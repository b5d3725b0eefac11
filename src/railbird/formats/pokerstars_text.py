"""Hands as PokerStars writes them; `railbird.formats.pokerstars` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from railbird.cards import RANKS
from railbird.formats.site_text import CENTS, SIGNS, level_numeral, sayable_names, sign_of, spaced_cards
from railbird.formats.spoken import (
    Settled,
    Spoken,
    SpokenHand,
    common_unsaid,
    has_shown,
    posts_of,
    stakes_of,
    told_stacks,
    whole_time,
    why_unsayable,
)
from railbird.formats.table_hand import ANTE, BIG, BOTH, DEAD, SMALL, STRADDLE
from railbird.game.record import HandRecord
from railbird.game.spec import Structure
from railbird.odds.ranks import category, deciding_ranks, rank_cards

_STRUCTURES = {
    Structure.FIXED_LIMIT: "Limit",
    Structure.NO_LIMIT: "No Limit",
    Structure.POT_LIMIT: "Pot Limit",
}
_POSTS = {
    SMALL: "small blind",
    BIG: "big blind",
    BOTH: "small & big blinds",
    ANTE: "the ante",
    STRADDLE: "straddle",
    DEAD: "dead blind",
}
_STREETS = ("before Flop", "on the Flop", "on the Turn", "on the River")
_WORDS = ("Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")
_KNOWN_EXTRA = {"room", "word", "also", "play money", "fees", "club", "tournament", "buy-in", "level", "mix"}


def write(records: Iterable[HandRecord]) -> Iterator[str]:
    """The hands with three blank lines after each, as PokerStars has them."""
    for record in records:
        yield "\n".join(_HandText(record).lines()) + "\n\n\n\n"


def why_not(record: HandRecord) -> str:
    """Why a hand cannot be written; empty where it can."""
    return why_unsayable(record)


def unsaid(record: HandRecord) -> list[str]:
    """What PokerStars has no words for."""
    missing, telling = common_unsaid(record), record.telling
    if sayable_names(record.names) != record.names:
        missing.append("names that are no names of a room")
    if telling is None:
        return missing
    if telling.unit not in (1, CENTS) or (telling.currency and telling.currency not in SIGNS.values()):
        missing.append("the currency")
    elif telling.currency and telling.unit == 1:
        missing.append("chips of a whole unit of money")
    dealt = _dealt(record)
    if telling.hero >= 0 and dealt != [telling.hero]:
        missing.append("whose file it is, where other cards that nobody showed are known")
    if telling.source != "pokerstars" and any(key not in _KNOWN_EXTRA for key, _ in telling.extra):
        missing.append(f"what only {telling.source} tells")
    return missing


def _dealt(record: HandRecord) -> list[int]:
    """Whose cards are told when they are dealt: the owner's, or everybody's where some could not be told otherwise."""
    node = record.final()
    hero = record.telling.hero if record.telling is not None else -1
    hidden = [
        at
        for at, hole in enumerate(record.holes)
        if hole and at != hero and not has_shown(record, node, at) and not (node.is_showdown and at in node.live)
    ]
    if hidden:
        return [at for at, hole in enumerate(record.holes) if hole]
    return [hero] if hero >= 0 and record.holes[hero] else []


class _HandText(SpokenHand):
    """One hand in lines."""

    def __init__(self, record: HandRecord) -> None:
        super().__init__(record)
        self.names = sayable_names(record.names)
        self.sign = "" if "tournament" in self.extra else sign_of(self.telling.currency)

    def lines(self) -> Iterator[str]:
        record = self.record
        yield self._header()
        yield self._table()
        for seat, at in self.seated:
            yield f"Seat {seat}: {self.names[at]} ({self.money(told_stacks(record)[at])} in chips) "
        for post in posts_of(record):
            all_in = " and is all-in" if post.is_all_in else ""
            yield f"{self.names[post.position]}: posts {_POSTS[post.what]} {self.money(post.chips)}{all_in}"
        yield "*** HOLE CARDS ***"
        for at in _dealt(record):
            yield f"Dealt to {self.names[at]} [{spaced_cards(record.holes[at])}]"
        yield from self.streets(self._action)
        position, chips = self.end.returned
        if chips:
            yield f"Uncalled bet ({self.money(chips)}) returned to {self.names[position]}"
        yield from self.streets_without_betting()
        yield from self._ending()
        yield from self._summary()

    def _header(self) -> str:
        telling, extra, game = self.telling, self.extra, self.record.game
        room = f"{extra['room']} " if extra.get("room") in ("Zoom", "Home Game") else ""
        word = "Game" if extra.get("word") == "Game" else "Hand"
        stakes = stakes_of(game)
        cents = self.unit == CENTS and bool(stakes.small % CENTS or stakes.big % CENTS or not self.sign)
        money = f"{self.money(stakes.small, cents)}/{self.money(stakes.big, cents)}"
        played = f"Hold'em {_STRUCTURES[game.structure]}"
        if "tournament" in extra:
            paid = f"{extra['buy-in']} " if extra.get("buy-in") else ""
            level = extra.get("level", "")
            level = f" - {f'Level {level_numeral(int(level))}' if level.isdecimal() else level}" if level else ""
            played = f"Tournament #{extra['tournament']}, {paid}{played}{level} ({money})"
        else:
            money += f" {telling.currency}" if self.sign else ""
            played = f"{extra['mix']} ({played}, {money})" if extra.get("mix") else f"{played} ({money})"
        club = f"{{{extra['club']}}} " if extra.get("club") else ""
        return f"PokerStars {room}{word} #{self.record.number}:  {club}{played}{self._time()}"

    def _time(self) -> str:
        day, _, hour = whole_time(self.telling).partition(" ")
        if not hour:
            return ""
        zone = f" {self.telling.zone}" if self.telling.zone else ""
        also = f" [{self.extra['also']}]" if self.extra.get("also") else ""
        return f" - {day.replace('-', '/')} {hour.removeprefix('0')}{zone}{also}"

    def _table(self) -> str:
        places = f" {self.telling.places}-max" if self.telling.places else ""
        play = " (Play Money)" if self.extra.get("play money") else ""
        return f"Table '{self.telling.table}'{places}{play} Seat #{self.seats[-1]} is the button"

    def _action(self, action: Spoken) -> str:
        name, all_in = self.names[action.position], " and is all-in" if action.is_all_in else ""
        match action.kind:
            case "f":
                return f"{name}: folds "
            case "k":
                return f"{name}: checks "
            case "c":
                return f"{name}: calls {self.money(action.added)}{all_in}"
            case "b":
                return f"{name}: bets {self.money(action.total)}{all_in}"
            case _:
                return f"{name}: raises {self.money(action.above)} to {self.money(action.total)}{all_in}"

    def _ending(self) -> Iterator[str]:
        """Who shows, and who collects what."""
        record, end = self.record, self.end
        shown = [at for at in range(len(self.names)) if self.has_shown(at)]
        collected = [
            f"{self.names[at]} collected {self.money(chips)} from pot"
            for at, chips in enumerate(end.collected)
            if chips
        ]
        if not end.node.is_showdown:
            yield from collected
            for at in shown:
                yield f"{self.names[at]}: shows [{spaced_cards(record.holes[at])}]"
            return
        yield "*** SHOW DOWN ***"
        for at in end.node.live:
            if at in shown:
                yield f"{self.names[at]}: shows [{spaced_cards(record.holes[at])}] ({self._hand(at)})"
            else:
                yield f"{self.names[at]}: mucks hand "
        for at in shown:
            if at not in end.node.live:
                yield f"{self.names[at]}: shows [{spaced_cards(record.holes[at])}]"
        yield from collected

    def _summary(self) -> Iterator[str]:
        end, fees = self.end, int(self.extra.get("fees", "0")) if self.extra.get("fees", "0").isdigit() else 0
        fees = fees if fees <= end.rake else 0
        also = f" | Jackpot {self.money(fees)}" if fees else ""
        yield "*** SUMMARY ***"
        yield f"Total pot {self.money(end.pot)} | Rake {self.money(end.rake - fees)}{also} "
        if self.record.board:
            yield f"Board [{spaced_cards(self.record.board)}]"
        roles = {post.position: post.what for post in posts_of(self.record) if post.what in (SMALL, BIG)}
        for seat, at in self.seated:
            role = " (button)" if at == len(self.names) - 1 else ""
            role += f" ({_POSTS[roles[at]]})" if at in roles else ""
            yield f"Seat {seat}: {self.names[at]}{role} {self._outcome(at, end)}"

    def _outcome(self, at: int, end: Settled) -> str:
        """What became of a player."""
        record, won = self.record, end.collected[at]
        if at not in end.node.live:
            return f"folded {self._folded(at)}"
        cards = f"[{spaced_cards(record.holes[at])}]"
        if not end.node.is_showdown:
            return f"collected ({self.money(won)})"
        if not self.has_shown(at):
            return f"mucked {cards}" if record.holes[at] else "mucked"
        outcome = f"and won ({self.money(won)})" if won else "and lost"
        return f"showed {cards} {outcome} with {self._hand(at)}"

    def _folded(self, at: int) -> str:
        """On which street a player folded, and whether without any chips in."""
        own = [action for action in self.actions if action.position == at]
        posted = any(post.position == at and post.what is not ANTE for post in posts_of(self.record))
        is_idle = not (own[-1].street or posted or any(action.added for action in own))
        return _STREETS[own[-1].street] + (" (didn't bet)" if is_idle else "")

    def _hand(self, at: int) -> str:
        return hand_words(rank_cards((*self.record.holes[at], *self.record.board)))


def hand_words(rank: int) -> str:
    """A rank in the words of PokerStars.

    >>> from railbird.odds.ranks import rank
    >>> hand_words(rank("AsAd 8h8c9d2c3h")), hand_words(rank("As2d3h4c5c")), hand_words(rank("6s6dAhKcQc"))
    ('two pair, Aces and Eights', 'a straight, Ace to Five', 'a pair of Sixes')
    """
    kind, ranks = category(rank), deciding_ranks(rank)
    first = _WORDS[ranks[0]]
    match kind:
        case "high card":
            return f"high card {first}"
        case "pair":
            return f"a pair of {_several(ranks[0])}"
        case "two pair":
            return f"two pair, {_several(ranks[0])} and {_several(ranks[1])}"
        case "three of a kind" | "four of a kind":
            return f"{kind}, {_several(ranks[0])}"
        case "flush":
            return f"a flush, {first} high"
        case "full house":
            return f"a full house, {_several(ranks[0])} full of {_several(ranks[1])}"
        case "straight flush" if ranks[0] == len(RANKS) - 1:
            return "a Royal Flush"
        case _:
            return f"a {kind}, {_WORDS[ranks[0] - 4]} to {first}"


def _several(rank: int) -> str:
    return "Sixes" if _WORDS[rank] == "Six" else f"{_WORDS[rank]}s"
