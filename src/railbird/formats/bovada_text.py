"""Hands as Bovada and Ignition write them; `railbird.formats.bovada` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from railbird.formats.site_text import CENTS, level_number, spaced_cards
from railbird.formats.spoken import (
    Settled,
    Spoken,
    SpokenHand,
    common_unsaid,
    posts_of,
    stakes_of,
    told_stacks,
    whole_time,
    why_unsayable,
)
from railbird.formats.table_hand import ANTE, BIG, BOTH, DEAD, SMALL, STRADDLE, TableHand, posted_stakes
from railbird.game.record import HandRecord
from railbird.game.spec import Game, Structure
from railbird.odds.ranks import category, rank_cards

_STRUCTURES = {
    Structure.FIXED_LIMIT: "Fixed Limit",
    Structure.NO_LIMIT: "No Limit",
    Structure.POT_LIMIT: "Pot Limit",
}
_POSTS = {
    SMALL: "Small Blind",
    BIG: "Big blind",
    ANTE: "Ante chip",
    STRADDLE: "Straddle",
    DEAD: "Posts dead chip",
}
_RANKS = {
    "high card": "High Card",
    "pair": "One pair",
    "two pair": "Two pair",
    "three of a kind": "Three of a kind",
    "straight": "Straight",
    "flush": "Flush",
    "full house": "Full House",
    "four of a kind": "Four of a kind",
    "straight flush": "Straight Flush",
}
_KNOWN_EXTRA = {"brand", "zone", "tournament", "kind", "level"}


def write(records: Iterable[HandRecord]) -> Iterator[str]:
    """The hands with two blank lines after each."""
    for record in records:
        yield "\n".join(_HandText(record).lines()) + "\n\n\n"


def why_not(record: HandRecord) -> str:
    """Why a hand cannot be written; empty where it can."""
    if why := why_unsayable(record):
        return why
    stakes, game = stakes_of(record.game), record.game
    if game.structure is Structure.FIXED_LIMIT and stakes.big != 2 * stakes.small:
        return "the bets are not told there, and follow from the blinds otherwise"
    if not _is_tournament(record):
        hand = TableHand(str(record.number), stakes)
        hand.stacks = list(told_stacks(record))
        for post in posts_of(record):
            whole = stakes.blinds[1]
            parts = [(BIG, whole), (DEAD, post.chips - whole)] if post.what is BOTH else [(post.what, post.chips)]
            hand.posts += [(post.position, what, chips) for what, chips in parts]
        big = stakes.small if game.structure is Structure.FIXED_LIMIT else stakes.big
        if not any(chips for _, what, chips in hand.posts if what in (SMALL, BIG)) or posted_stakes(hand)[1] != big:
            return "the blinds that were posted do not tell the bets"
    return ""


def unsaid(record: HandRecord) -> list[str]:
    """What Bovada has no words for."""
    missing, telling = common_unsaid(record), record.telling
    hero = telling.hero if telling is not None else -1
    if record.names != spoken_names(record.game, hero):
        missing.append("the names of the players")
    if telling is None:
        return missing
    if (telling.unit, telling.currency) not in ((1, ""), (CENTS, "USD")):
        missing.append("the currency")
    node = record.final()
    if any(shown and at not in node.live for at, shown in enumerate(telling.shown)):
        missing.append("cards shown by players who had folded")
    if telling.zone or telling.places:
        missing.append("the zone of the time and the size of the table")
    if telling.source != "bovada" and any(key not in _KNOWN_EXTRA for key, _ in telling.extra):
        missing.append(f"what only {telling.source} tells")
    return missing


def place_names(game: Game) -> tuple[str, ...]:
    """What the players are called, by position.

    >>> from railbird.game.spec import limit_holdem
    >>> place_names(limit_holdem()), place_names(limit_holdem(5))
    (('Big Blind', 'Dealer'), ('Small Blind', 'Big Blind', 'UTG', 'UTG+1', 'Dealer'))
    """
    count = game.seats
    if count == 2:
        return ("Small Blind" if game.blinds[0] < game.blinds[1] else "Big Blind", "Dealer")
    middle = ["UTG", *(f"UTG+{number}" for number in range(1, count))]
    return ("Small Blind", "Big Blind", *middle[: count - 3], "Dealer")


def spoken_names(game: Game, hero: int) -> tuple[str, ...]:
    """What the players are called in a record of such a hand."""
    names = list(place_names(game))
    if hero >= 0:
        if len(names) == 2:
            names[1 - hero] = "opponent"
        names[hero] = "ME"
    return tuple(names)


def _is_tournament(record: HandRecord) -> bool:
    extra = dict(record.telling.extra) if record.telling is not None else {}
    return "tournament" in extra


class _HandText(SpokenHand):
    """One hand in lines."""

    def __init__(self, record: HandRecord) -> None:
        super().__init__(record)
        self.places, hero = place_names(record.game), self.telling.hero
        self.names = [f"{place}  [ME]" if at == hero else place for at, place in enumerate(self.places)]
        self.sign = "$" if self.unit == CENTS else ""

    def lines(self) -> Iterator[str]:
        record, hero = self.record, self.telling.hero
        yield self._header()
        for seat, at in self.seated:
            owner = " [ME]" if at == hero else ""
            yield f"Seat {seat}: {self.places[at]}{owner} ({self.money(told_stacks(record)[at])} in chips)"
        yield f"{self.names[-1]} : Set dealer [{self.seats[-1]}]"
        yield from self._posts()
        yield "*** HOLE CARDS ***"
        for name, hole in zip(self.names, record.holes):
            if hole:
                yield f"{name} : Card dealt to a spot [{spaced_cards(hole)}]"
        yield from self.streets(self._action)
        yield from self.streets_without_betting()
        position, chips = self.end.returned
        if chips:
            yield f"{self.names[position]} : Return uncalled portion of bet {self.money(chips)}"
        yield from self._ending()
        yield from self._summary()

    def _header(self) -> str:
        extra, telling = self.extra, self.telling
        brand = extra.get("brand", "Bovada")
        time = f" - {when}" if (when := whole_time(telling)) else ""
        start = f"{brand} Hand #{self.record.number}"
        table = f"TBL#{telling.table}" if telling.table and " " not in telling.table else ""
        if "tournament" in extra:
            stakes = stakes_of(self.game)
            small, big = stakes.blinds
            kind, level = extra.get("kind", "Normal"), level_number(extra.get("level", "1")) or 1
            fixed = "" if self.game.structure is Structure.NO_LIMIT else f"{_STRUCTURES[self.game.structure]} "
            where = f"Tournament #{extra['tournament']}{table and ' '}{table}, {kind}"
            return f"{start}: HOLDEM {fixed}{where}- Level {level} ({small}/{big}){time}"
        zone = f"Zone Poker ID#{extra['zone']}" if "zone" in extra else ""
        words = [start, *(word for word in (table, zone) if word)]
        return f"{' '.join(words)} HOLDEM {_STRUCTURES[self.game.structure]}{time}"

    def _posts(self) -> Iterator[str]:
        has_big = False
        for post in posts_of(self.record):
            name = self.names[post.position]
            if post.what is BOTH:
                dead = (self.game.dead or ())[post.position]
                paid = min(dead, post.chips)
                yield f"{name} : Posts dead chip {self.money(paid)}"
                yield f"{name} : Posts chip {self.money(post.chips - paid)}"
            else:
                word = "Posts chip" if post.what is BIG and has_big else _POSTS[post.what]
                has_big = has_big or post.what is BIG
                yield f"{name} : {word} {self.money(post.chips)}"

    def _action(self, action: Spoken) -> str:
        name = self.names[action.position]
        match action.kind:
            case "f":
                return f"{name} : Folds"
            case "k":
                return f"{name} : Checks"
            case "c" | "b" if action.is_all_in:
                return f"{name} : All-in {self.money(action.added)}"
            case "c":
                return f"{name} : Calls {self.money(action.added)}"
            case "b":
                return f"{name} : Bets {self.money(action.total)}"
            case _:
                word = "All-in(raise)" if action.is_all_in else "Raises"
                return f"{name} : {word} {self.money(action.added)} to {self.money(action.total)}"

    def _ending(self) -> Iterator[str]:
        """Who shows, and who gets what."""
        record, end = self.record, self.end
        for at in end.node.live:
            hole = record.holes[at]
            if not hole:
                continue
            best = _best_five(hole, record.board)
            what = f" ({_RANKS[category(rank_cards(best))]})" if len(best) == 5 else ""
            if self.has_shown(at):
                yield f"{self.names[at]} : Showdown [{spaced_cards(best)}]{what}"
            elif end.node.is_showdown:
                yield f"{self.names[at]} : Mucks [{spaced_cards(hole)}]{what}"
            else:
                yield f"{self.names[at]} : Does not show [{spaced_cards(hole)}]{what}"
        for at, chips in enumerate(end.collected):
            if chips:
                yield f"{self.names[at]} : Hand result {self.money(chips)}"

    def _summary(self) -> Iterator[str]:
        end, board = self.end, self.record.board
        rake = f" | Rake ({self.money(end.rake)})" if end.rake else ""
        yield "*** SUMMARY ***"
        yield f"Total Pot({self.money(end.pot)}){rake}"
        if board:
            yield f"Board [{spaced_cards(board)}{' ' * (5 - len(board))}]"
        for seat, at in self.seated:
            yield f"Seat+{seat}: {self.places[at]} {self._outcome(at, end)}"

    def _outcome(self, at: int, end: Settled) -> str:
        """What became of a player."""
        if at not in end.node.live:
            street = [action.street for action in self.actions if action.position == at][-1]
            return f"Folded {('before the FLOP', 'on the FLOP', 'on the TURN', 'on the RIVER')[street]}"
        won = self.money(end.collected[at])
        if not self.has_shown(at):
            return f"{won} [Does not show]" if end.collected[at] else "[Mucked]"
        return won if end.collected[at] else "lost"


def _best_five(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, ...]:
    """The cards that make the hand; before the flop the holding."""
    cards = (*hole, *board)
    return max(combinations(cards, 5), key=rank_cards) if len(cards) >= 5 else hole
