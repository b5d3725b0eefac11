"""A hand in sentences, as one seat sees it: for terminals that draw nothing, for readers of screens, for pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from railbird.cards import cards_text
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.game.replayed import blinds_text, role, verb
from railbird.game.showdown import showdown_rank
from railbird.game.spec import STREETS, Game
from railbird.game.view import PlayerView
from railbird.odds.ranks import rank_cards, rank_name
from railbird.play.person import Sight
from railbird.words import count_of

_YOU = "you"
_NUMBERS = ("two ", "three ", "four ")


def deed(before: Betting, after: Betting, action: str, names: Sequence[str]) -> str:
    """What a player did, with the player's name."""
    return sentence(names[before.to_act], verb(before, after, action))


def sentence(name: str, words: str) -> str:
    """A name and what it does, as in "loki raises 4" and "you raise 4".

    >>> sentence("loki", "wins 3"), sentence("you", "wins 3")
    ('loki wins 3', 'you win 3')
    """
    does, _, rest = words.partition(" ")
    return " ".join(filter(None, [name, does.removesuffix("s") if name == _YOU else does, rest]))


def deeds(view: PlayerView) -> list[list[str]]:
    """What was done so far, by street."""
    found: list[list[str]] = [[] for _ in range(view.betting.street + 1)]
    record = HandRecord(view.game, view.hand_number, view.names, (), (), view.history, ())
    for before, action in record.steps():
        found[before.street].append(deed(before, before.after(action), str(action), view.names))
    return found


def last_deed(view: PlayerView) -> str:
    """The last thing that was done; nothing at the beginning."""
    done = [words for street in deeds(view) for words in street]
    return done[-1] if done else ""


def street_name(game: Game, street: int) -> str:
    return STREETS[street] if game.streets == 4 else f"street {street + 1}"


def table_title(view: PlayerView) -> str:
    """The hand's number and the stakes."""
    game = view.game
    bets = f", bets {game.bet_sizes[0]}/{game.bet_sizes[-1]}" if game.structure == "fixed-limit" else ""
    return f"hand {view.hand_number}, {game.name}, blinds {blinds_text(game)}{bets}"


def seats_sentence(view: PlayerView) -> str:
    """Who sits where, from the first to act after the flop to the button."""
    roles = [role(view.game, position) for position in range(len(view.names))]
    return ", ".join(f"{name} ({title})" if title else name for name, title in zip(view.names, roles))


def standing(won_chips: int, hands: int) -> str:
    """How the evening goes, as in "+12 chips in 17 hands"."""
    return f"{won_chips:+,} {'chip' if abs(won_chips) == 1 else 'chips'} in {count_of(hands, 'hand')}"


def hand_name(view: PlayerView) -> str:
    """What the player's own cards make with the board; nothing before the flop."""
    if not view.board_cards or not view.game.is_holdem:
        return ""
    return rank_name(rank_cards(view.hole_cards + view.board_cards))


def held(name: str) -> str:
    """The name of a hand as something that one has.

    >>> held("pair of queens, ace, king and ten kickers"), held("two pair, threes and twos, four kicker")
    ('a pair of queens, ace, king and ten kickers', 'two pair, threes and twos, four kicker')
    """
    return name if not name or name.startswith(_NUMBERS) else f"a {name}"


def table_outcome(sight: Sight) -> str:
    """Who won how much, and with what if it was shown."""
    view = sight.view
    return outcome(view.game, view.names, view.betting, sight.shown, view.board_cards, sight.payoffs)


def outcome(
    game: Game,
    names: Sequence[str],
    final: Betting,
    holes: Mapping[int, tuple[int, ...]],
    board: tuple[int, ...],
    payoffs: Sequence[float],
) -> str:
    """Who won how much at the end of a hand, and with what if there was a showdown."""
    parts = []
    for position, chips in enumerate(payoffs):
        if chips > 0:
            has_name = final.is_showdown and game.is_holdem and position in holes
            hand = f" with {held(rank_name(showdown_rank(game, holes[position], board)))}" if has_name else ""
            parts.append(sentence(names[position], f"wins {chips}{hand}"))
    return ("showdown: " if final.is_showdown else "") + ("; ".join(parts) or "nobody wins anything")


def shown_sentence(sight: Sight, pretty: bool = True) -> str:
    """The cards of others that are open at the end."""
    view = sight.view
    seen = {p: cards for p, cards in sight.shown.items() if p != view.position}
    return ", ".join(f"{view.names[p]} has {cards_text(cards, pretty=pretty)}" for p, cards in sorted(seen.items()))


def faults_sentence(faults: Sequence[str]) -> str:
    """What bots did wrong in a hand: the first of it, and how much more there was."""
    more = f", and {count_of(len(faults) - 1, 'fault')} more" if len(faults) > 1 else ""
    return f"{faults[0]}{more}" if faults else ""
