"""One hand played by Railbird and by PokerKit side by side.

PokerKit has fixed-limit, pot-limit and no-limit betting. Most hands are played with ranks drawn from a few values
instead of cards, so that ties are frequent and hands quick; one in twenty is played with real cards.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random

from pokerkit import Automation, BettingStructure, Card, Deck, Opening, StandardHighHand, State, Street
from pokerkit.state import Pot

from railbird.cards import parse_cards
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Game, Structure

from .playouts import KNOWN, NEVER_SHORT, STYLES, DifferenceError, random_action, random_game

STRUCTURES = {
    Structure.FIXED_LIMIT: BettingStructure.FIXED_LIMIT,
    Structure.POT_LIMIT: BettingStructure.POT_LIMIT,
    Structure.NO_LIMIT: BettingStructure.NO_LIMIT,
}
MOST_SEATS = 9
REAL_CARDS = 20
"""One hand in this many is played with cards."""

_AUTOMATIONS = tuple(set(Automation) - {Automation.HOLE_DEALING, Automation.HOLE_CARDS_SHOWING_OR_MUCKING})
_CARDS = tuple(Deck.STANDARD)


class DrawnRank:
    """A stand-in for PokerKit's hand types: the rank drawn for the player who holds this card."""

    low = False
    ranks: dict[Card, int] = {}  # noqa: RUF012 - PokerKit wants a class, so the ranks of the hand lie in the class

    @classmethod
    def from_game(cls, hole_cards, board_cards=()):
        for card in hole_cards:
            return cls.ranks[card]
        raise ValueError("no card is shown")


# The known differences. Each has a runnable example in docs/peers.md.


def short_big_blind(game: Game) -> bool:
    """The big blind cannot post in full. The others owe the full blind in Railbird, the largest bet in PokerKit."""
    if game.stacks is None:
        return False
    position = game.blinds.index(max(game.blinds))
    return game.stacks[position] < game.ante + game.blinds[position]


def idle_check(node: Betting, state: State) -> bool:
    """PokerKit asks a player to check although all the others are all-in; in Railbird the betting is over."""
    actor = state.actor_index
    if actor is None or not node.is_over or state.checking_or_calling_amount:
        return False
    return not any(state.stacks[i] for i in node.live if i != actor)


def short_bet_in_limit(node: Betting, wagers: list[int]) -> bool:
    """Fixed limit after an all-in of less than a bet: PokerKit knows no half-bet rule and no completing."""
    bet = node.game.bet_sizes[node.street]
    return node.game.structure is Structure.FIXED_LIMIT and any(wager < bet for wager in wagers)


def short_first_wager(node: Betting, wagers: list[int], peer_can_raise: bool) -> bool:
    """After nothing but all-ins of less than the smallest bet, PokerKit lets those who have acted raise again."""
    return bool(wagers) and max(wagers) < node.game.bet_sizes[node.street] and peer_can_raise and not node.can_raise


def short_after_reopening(node: Betting, wagers: list[int], peer_can_raise: bool) -> bool:
    """Short all-ins had added up to a full raise, then came another: PokerKit takes the right to raise away again."""
    full, shorts = node.game.bet_sizes[node.street], 0
    for wager in wagers[:-1]:
        full, shorts = (wager, 0) if wager >= full else (full, shorts + wager)
    return shorts >= full > wagers[-1] and node.can_raise and not peer_can_raise


def named_difference(node: Betting, wagers: list[int], peer_can_raise: bool) -> str:
    """Which known difference explains that the two do not allow the same raises; empty if none does.

    `wagers` are the bets and raises of the street so far, each as the chips it added to the level.
    """
    if short_bet_in_limit(node, wagers):
        return "short_bet_in_limit"
    if short_first_wager(node, wagers, peer_can_raise):
        return "short_first_wager"
    if wagers and short_after_reopening(node, wagers, peer_can_raise):
        return "short_after_reopening"
    return ""


def exact_shares(chips: int, winners: int) -> tuple[Fraction | int, int]:
    """Given to PokerKit as its way to divide a pot: no odd chips, which it would give to the first winner.

    It would also count them for several pots together wherever their winners are the same.
    """
    share = Fraction(chips, winners)
    return (share.numerator if share.denominator == 1 else share), 0


def play_hand(seed: int) -> Counter[str]:
    """Play the random hand of this seed in both; `DifferenceError` where they disagree."""
    rng = Random(seed)
    game = random_game(rng, tuple(STRUCTURES), MOST_SEATS)
    seen = Counter(hands=1)
    if short_big_blind(game):
        seen[f"{KNOWN}short_big_blind"] += 1
        return seen
    node, wagers = Betting.start(game), []
    try:
        state, ranks = _peer_hand(game, rng, real_cards=seed % REAL_CARDS == 0)
        weights = rng.choice(STYLES)
        while not node.is_over:
            same_raises = _compare_decision(node, state, wagers, seen)
            action = random_action(rng, node, weights, same_raises)
            after = node.after(action)
            if action.kind == "f":
                state.fold()
            elif action.kind == "c":
                state.check_or_call()
            else:
                street_bet = after.street_bets[node.to_act]
                state.complete_bet_or_raise_to(street_bet)
                wagers.append(street_bet - node.level)
            if after.street > node.street:
                wagers = []
            node = after
        if idle_check(node, state):
            seen[f"{KNOWN}idle_check"] += 1
            state.check_or_call()
        _compare_end(node, state, ranks, seen)
    except Exception as problem:
        told = f"seed {seed}, {game}, betting {node.history!r}, committed {node.committed}"
        raise DifferenceError(f"{problem}; {told}") from problem
    return seen


def _compare_decision(node: Betting, state: State, wagers: list[int], seen: Counter[str]) -> bool:
    """Compare all that is known at a decision; whether both allow the same raises."""
    seen["decisions"] += 1
    ours = (node.to_act, node.street, node.can_fold, node.to_call, node.pot, node.committed)
    peers = (
        state.actor_index,
        state.street_index,
        state.can_fold(),
        state.checking_or_calling_amount,
        state.total_pot_amount,
        tuple([-payoff for payoff in state.payoffs]),
    )
    if ours != peers:
        raise DifferenceError(f"(position, street, can fold, to call, pot, committed) is {ours}, in PokerKit {peers}")
    before_street = node.committed[node.to_act] - node.street_bets[node.to_act]
    least, most = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
    peer_raises = (0, 0) if least is None or most is None else (before_street + least, before_street + most)
    if peer_raises == (node.min_raise_to, node.max_raise_to):
        return True
    name = named_difference(node, wagers, least is not None)
    if not name:
        raise DifferenceError(f"raises are to {node.min_raise_to, node.max_raise_to}, in PokerKit to {peer_raises}")
    seen[KNOWN + name] += 1
    return False


def _compare_end(node: Betting, state: State, ranks: list[int], seen: Counter[str]) -> None:
    ours, stacks, live = payoffs(node, ranks), node.game.stacks, node.live
    pots = list(state.pots)
    while state.showdown_indices:
        state.show_or_muck_hole_cards()
    if state.status:
        raise DifferenceError(f"the hand is over, in PokerKit it is the turn of {state.actor_index}")
    if node.is_showdown:
        peers, odd_pots = _divided(node, pots, ranks)
        seen[f"{KNOWN}odd_chips"] += odd_pots > 0
        rounding = max([abs(a - b) for a, b in zip(ours, state.payoffs)])
        if ours != peers or rounding > odd_pots:
            raise DifferenceError(f"payoffs are {ours}, in PokerKit {peers}, before rounding {state.payoffs}")
    elif list(ours) != state.payoffs:
        raise DifferenceError(f"payoffs are {ours}, in PokerKit {state.payoffs}")
    seen["all-ins"] += stacks is not None and any(node.committed[p] == stacks[p] for p in live)
    seen["showdowns"] += node.is_showdown
    seen["side pots"] += node.is_showdown and len(pots) > 1
    seen["split pots"] += node.is_showdown and sum([ranks[p] == max([ranks[q] for q in live]) for p in live]) > 1


def _divided(node: Betting, pots: list[Pot], ranks: list[int]) -> tuple[tuple[int, ...], int]:
    """The payoffs when each of PokerKit's pots is dealt out from the left of the button; how many leave a rest."""
    won, odd_pots = [-chips for chips in node.committed], 0
    for pot in pots:
        best = max([ranks[p] for p in pot.player_indices])
        winners = [p for p in sorted(pot.player_indices) if ranks[p] == best]
        share, odd = divmod(pot.amount, len(winners))
        for turn, p in enumerate(winners):
            won[p] += share + (turn < odd)
        odd_pots += odd > 0
    uncalled = -sum(won)
    won[max(node.live, key=node.committed.__getitem__)] += uncalled
    return tuple(won), odd_pots


def _peer_hand(game: Game, rng: Random, real_cards: bool) -> tuple[State, list[int]]:
    """PokerKit's hand with the cards dealt, and the ranks that the players will show."""
    seats = game.seats
    stacks = game.stacks or (NEVER_SHORT,) * seats
    blinds = game.blinds[::-1] if seats == 2 else game.blinds
    state = State(
        _AUTOMATIONS,
        Deck.STANDARD if real_cards else _CARDS[: seats + 3],
        (StandardHighHand,) if real_cards else (DrawnRank,),
        _streets(game.bet_sizes, game.max_raises, real_cards),
        STRUCTURES[game.structure],
        True,
        game.ante,
        blinds,
        0,
        stacks,
        seats,
        divmod=exact_shares,
    )
    if real_cards:
        deck = rng.sample(_CARDS, 2 * seats + 5)
        state.deck_cards.clear()
        state.deck_cards.extend(deck)
        numbers = parse_cards("".join([repr(card) for card in deck]))
        board = numbers[2 * seats :]
        ranks = [showdown_rank(game, (numbers[p], numbers[p + seats]), board) for p in range(seats)]
    else:
        ranks = rng.choices(range(rng.choice((1, 2, 3, 12))), k=seats)
        DrawnRank.ranks = dict(zip(state.deck_cards, ranks))
    for _ in range(seats * (2 if real_cards else 1)):
        state.deal_hole()
    return state, ranks


@cache
def _streets(bet_sizes: tuple[int, ...], max_raises: tuple[int | None, ...], real_cards: bool) -> tuple[Street, ...]:
    hole, board = ((False, False), (0, 3, 1, 1)) if real_cards else ((False,), (0, 1, 1, 1))
    return tuple(
        [
            Street(False, hole if street == 0 else (), board[street], False, Opening.POSITION, bet, most)
            for street, (bet, most) in enumerate(zip(bet_sizes, max_raises))
        ]
    )
