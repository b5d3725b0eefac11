"""Who gets what at the end of a hand: side pots, split pots and the odd chip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from railbird.game.betting import Betting
from railbird.game.spec import Game


def payoffs(node: Betting, ranks: Sequence[int] | None = None) -> tuple[int, ...]:
    """Chips won (or lost, negative) by each position at the end of a hand, whole ones; they sum to zero.

    `ranks` are the players' ranks at the showdown, higher wins; those of players who folded are ignored, and without a
    showdown there is no need of any. Each side pot goes to the best hand among those who paid for it. Chips that cannot
    be shared evenly go, one each, to the winners in order of position, so first to the one left of the button.

    >>> from railbird.game.spec import limit_holdem
    >>> three_left = Betting.start(limit_holdem(3)).play("ccc/ccc/ccc/rcf")
    >>> payoffs(three_left, [4, 9, 9]), payoffs(three_left, [4, 4, 9])
    ((-6, 8, -2), (1, 1, -2))
    """
    committed = node.committed
    live = node.live
    if len(live) == 1:
        winner, pot = live[0], sum(committed)
        return tuple([pot - chips if p == winner else -chips for p, chips in enumerate(committed)])
    assert ranks is not None, "a showdown needs ranks"
    won = [-chips for chips in committed]
    for pot, winners in _pots(node, ranks):
        share, odd = divmod(pot, len(winners))
        for p in winners:
            won[p] += share + (odd > 0)
            odd -= odd > 0
    return tuple(won)


def shared_payoffs(node: Betting, ranks: Sequence[int]) -> tuple[float, ...]:
    """The payoffs of a showdown as the competition's dealer writes them: all winners of a pot get the same, to parts of
    a chip, with six digits.

    >>> from railbird.game.spec import limit_holdem
    >>> shared_payoffs(Betting.start(limit_holdem(3)).play("cfc/cc/cc/cc"), [4, 9, 9])
    (-1, 0.5, 0.5)
    """
    rounded = [round(chips, 6) for chips in equal_shares(node, ranks)]
    return tuple([int(chips) if chips == int(chips) else chips for chips in rounded])


def equal_shares(node: Betting, ranks: Sequence[int]) -> list[float]:
    """The same unrounded, as that dealer adds them up."""
    won: list[float] = [-chips for chips in node.committed]
    for pot, winners in _pots(node, ranks):
        for p in winners:
            won[p] += pot / len(winners)
    return won


def possible_payoffs(node: Betting, ranks: Sequence[int | None]) -> list[tuple[int, int]]:
    """The least and the most that each position may have won before rake, whoever got the odd chips of a pot.

    A rank is `None` where the cards are not known: such a player may have won all of a pot or nothing.

    >>> from railbird.game.spec import limit_holdem
    >>> three_left = Betting.start(limit_holdem(3)).play("ccc/ccc/ccc/rcf")
    >>> possible_payoffs(three_left, [4, None, None]), possible_payoffs(three_left, [4, 9, None])
    ([(-6, 8), (-6, 8), (-2, -2)], [(-6, -6), (8, 8), (-2, -2)])
    """
    committed, live = node.committed, node.live
    least, most = [-chips for chips in committed], [-chips for chips in committed]
    if len(live) == 1:
        least[live[0]] += node.pot
        return list(zip(least, [chips + (p == live[0]) * node.pot for p, chips in enumerate(most)]))
    for pot, contenders in side_pots(node):
        unknown = [p for p in contenders if ranks[p] is None]
        best = max([rank for p in contenders if (rank := ranks[p]) is not None], default=None)
        winners = [*unknown, *(p for p in contenders if best is not None and ranks[p] == best)]
        share, odd = divmod(pot, len(winners))
        for p in winners:
            least[p] += 0 if unknown and len(winners) > 1 else share
            most[p] += pot if unknown else share + odd
    return list(zip(least, most))


def _pots(node: Betting, ranks: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The main pot and the side pots of a showdown, each with its winners."""
    for pot, contenders in side_pots(node):
        best = max([ranks[p] for p in contenders])
        yield pot, [p for p in contenders if ranks[p] == best]


def side_pots(node: Betting) -> Iterator[tuple[int, list[int]]]:
    """The main pot and the side pots of a showdown, each with those who play for it. Missed blinds are in the first."""
    committed, live, missed = node.committed, node.live, 0
    if node.game.dead is not None:
        dead = paid_dead(node.game)
        missed, committed = sum(dead), tuple([chips - paid for chips, paid in zip(committed, dead)])
    below = 0
    layers = sorted({committed[p] for p in live})
    for layer in layers:
        if layer == layers[-1]:
            pot = sum([chips - below for chips in committed if chips > below])
        else:
            pot = sum([min(chips, layer) - below for chips in committed if chips > below])
        yield pot + missed, [p for p in live if committed[p] >= layer]
        below, missed = layer, 0


def paid_dead(game: Game) -> tuple[int, ...]:
    """What each position has paid for missed blinds, as far as the stacks allow it after the ante."""
    dead = game.dead or (0,) * game.seats
    if game.stacks is None:
        return dead
    return tuple([max(0, min(game.ante + chips, stack) - game.ante) for chips, stack in zip(dead, game.stacks)])
