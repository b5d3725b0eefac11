"""AIVAT at tables of any number and without a limit is unbiased, shown by counting every deal and every action."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest

from railbird.assess.aivat_tables import HoldemDealing, TableAivat, Told
from railbird.cards import holding_cards, holding_index, parse_cards
from railbird.errors import AssessmentError
from railbird.game.actions import CALL, FOLD, raise_to
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import Structure, kuhn_poker, leduc_poker, no_limit_holdem
from railbird.odds.divided_pots import Pot, shares_of_pots
from railbird.odds.imagined_pots import imagined_shares

KUHN = replace(kuhn_poker(), blinds=(0, 0, 0), ranks=4, name="kuhn for three")
LEDUC = replace(leduc_poker(), blinds=(0, 0, 0), ranks=4, suits=1, max_raises=(1, 0), name="leduc for three")
NO_LIMIT = replace(
    leduc_poker(), structure=Structure.NO_LIMIT, stacks=(3, 4), bet_sizes=(1, 1), max_raises=(None, None), suits=1,
    ranks=4, name="no-limit leduc",
)  # fmt: skip
SIDE_POTS = replace(
    KUHN, structure=Structure.NO_LIMIT, stacks=(2, 2, 3), max_raises=(None,), name="no-limit kuhn for three"
)
GAMES = [KUHN, LEDUC, NO_LIMIT, SIDE_POTS]


class PlainDealing:
    """The cards of a toy game, pot by pot and board by board."""

    def __init__(self, game):
        self.game = game
        self.holdings = [(card,) for card in game.deck]
        self.every_share = cache(self._every_share)

    def number(self, hole):
        return self.holdings.index(hole)

    def shares(self, pot, imagined, weights):
        return self.every_share(pot, imagined) * (weights > 0)[:, None]

    def _every_share(self, pot, imagined):
        found = np.zeros((len(self.holdings), self.game.seats))
        for at, hole in enumerate(self.holdings):
            holes = [hole if position == imagined else held for position, held in enumerate(pot.holes)]
            left = set(self.game.deck) - {card for held in (*holes, pot.board) for card in held}
            boards = list(combinations(sorted(left), sum(self.game.board_cards) - len(pot.board)))
            if not any(hole == held for held in (*pot.holes, pot.board)):
                found[at] = np.mean([self.share(holes, (*pot.board, *come), pot.contenders) for come in boards], axis=0)
        return found

    def share(self, holes, board, contenders):
        ranks = {position: showdown_rank(self.game, holes[position], board) for position in contenders}
        best = [position for position in contenders if ranks[position] == max(ranks.values())]
        return [(position in best) / len(best) for position in range(self.game.seats)]

    def worths(self, seats):
        return np.arange(len(self.holdings), dtype=float)


class AbsurdDealing(PlainDealing):
    """Shares and worths that have nothing to do with anything."""

    def share(self, holes, board, contenders):
        return np.random.default_rng([*str((holes, board, contenders)).encode()]).normal(0.0, 9.0, self.game.seats)

    def worths(self, seats):
        return np.random.default_rng(3).normal(2.0, 50.0, len(self.holdings))


class Player:
    """A player who decides at random, always the same in the same place with the same cards; any size of a raise."""

    def __init__(self, seed, game):
        self.seed, self.game = seed, game
        self.chances, self.answer = cache(self._chances), cache(self._answer)

    def actions(self, node):
        fixed = node.game.structure is Structure.FIXED_LIMIT
        raises = range(node.min_raise_to, node.max_raise_to + 1) if node.can_raise and not fixed else ()
        return tuple(node.legal_actions()) if fixed else (*((FOLD,) * node.can_fold), CALL, *map(raise_to, raises))

    def _chances(self, node, hole, board):
        letters = f"{hole}{board}{node.history}".encode()
        return np.random.default_rng([self.seed, *letters]).dirichlet(np.ones(len(self.actions(node))))

    def told(self, view):
        return self.answer(view.betting, view.board_cards)

    def _answer(self, node, board):
        return Told(self.actions(node), np.array([self.chances(node, (card,), board) for card in self.game.deck]))


def hands(game, players):
    """Every hand with its chance."""
    deals = list(permutations(game.deck, game.seats + sum(game.board_cards)))
    names = tuple("ABC"[: game.seats])

    def follow(node, holes, board, chance):
        seen = board[: game.board_seen(node.street)]
        if node.is_over:
            ranks = [showdown_rank(game, hole, board) for hole in holes] if node.is_showdown else None
            yield HandRecord(game, 0, names, holes, seen, node.history, payoffs(node, ranks)), chance
            return
        player = players[node.to_act]
        for action, likely in zip(player.actions(node), player.chances(node, holes[node.to_act], seen)):
            yield from follow(node.after(action), holes, board, chance * likely)

    for deal in deals:
        holes = tuple((card,) for card in deal[: game.seats])
        yield from follow(Betting.start(game), holes, deal[game.seats :], 1 / len(deals))


def means(measure, players, known, told=None):
    """By position the mean of the measure and that of the money, over every hand."""
    found = [
        (chance * measure.of(record, {at: (told or players)[at] for at in known}), chance * np.array(record.payoffs))
        for record, chance in hands(measure.dealing.game, players)
    ]
    return np.sum(found, axis=0)


def scales_of(game, seed=1):
    return tuple(np.random.default_rng(seed).normal(1.0, 2.0, 2 * game.streets))


@pytest.mark.parametrize(
    ("game", "known", "dealing"),
    [
        (KUHN, (1,), PlainDealing),
        (KUHN, (0, 2), AbsurdDealing),
        (KUHN, (0, 1, 2), AbsurdDealing),
        (LEDUC, (1,), AbsurdDealing),
        (NO_LIMIT, (0,), AbsurdDealing),
        (SIDE_POTS, (0,), PlainDealing),
        (SIDE_POTS, (1,), AbsurdDealing),
    ],
    ids=lambda each: each.name if each in GAMES else "",
)
def test_the_mean_is_that_of_the_money(game, known, dealing):
    players = [Player(seed, game) for seed in range(5, 5 + game.seats)]
    measured, money = means(TableAivat(dealing(game), scales_of(game)), players, known)
    np.testing.assert_allclose(measured, money, atol=1e-9)


@pytest.mark.parametrize("game", [KUHN, NO_LIMIT], ids=lambda game: game.name)
def test_a_player_taken_for_another_makes_it_biased(game):
    players = [Player(seed, game) for seed in range(5, 5 + game.seats)]
    others = [Player(seed, game) for seed in range(50, 50 + game.seats)]
    measured, money = means(TableAivat(PlainDealing(game), (1.0,) * 2 * game.streets), players, (1,), others)
    assert np.abs(measured - money).max() > 0.05


def test_cards_that_cannot_come_make_it_biased():
    class Careless(PlainDealing):
        def shares(self, pot, imagined, weights):
            """As if the card of the imagined player could come too."""
            found = super().shares(pot, imagined, np.ones(len(weights)))
            return found if pot.board else np.tile(found.mean(axis=0), (len(found), 1)) * (weights > 0)[:, None]

    players = [Player(seed, NO_LIMIT) for seed in (5, 6)]
    measured, money = means(TableAivat(Careless(NO_LIMIT), (1.0,) * 4), players, (0,))
    assert np.abs(measured - money).max() > 0.01


def test_factors_that_know_the_result_make_it_biased():
    players = [Player(seed, KUHN) for seed in (5, 6, 7)]
    measure, chosen = TableAivat(PlainDealing(KUHN), (1.0, 1.0)), np.zeros(3)
    for record, chance in hands(KUHN, players):
        paid, terms = measure.parts(record, {1: players[1]})
        chosen += chance * (paid + np.maximum(terms, 0.0).sum(axis=0))
    assert chosen.max() > 0.1  # all three win


def test_it_is_narrower_than_money():
    players = [Player(seed, KUHN) for seed in (5, 6, 7)]
    measure = TableAivat(PlainDealing(KUHN), (0.0, 1.0))
    every = [(record, chance) for record, chance in hands(KUHN, players)]
    chances = np.array([chance for _, chance in every])
    money = np.array([record.payoffs for record, _ in every], float)

    def spreads(samples):
        return chances @ (samples - chances @ samples) ** 2

    known = dict(enumerate(players))
    one = np.array([measure.of(record, {1: players[1]}) for record, _ in every])
    three = np.array([measure.of(record, known) for record, _ in every])
    assert (spreads(three) < spreads(money)).all()
    assert spreads(one)[1] < spreads(money)[1]


def test_what_cannot_be_is_refused():
    dealing = HoldemDealing()
    record = HandRecord(
        no_limit_holdem(2), 4, ("Ann", "Bob"), (parse_cards("AsAh"), parse_cards("KsKh")), (), "r300f", (100, -100)
    )

    class Caller:
        def told(self, view):
            return Told((FOLD, CALL), np.tile([0.0, 1.0], (1326, 1)))

    with pytest.raises(AssessmentError, match="hand 4: Bob did what it never does, whatever it holds; is it the right"):
        TableAivat(dealing).of(record, {1: Caller()})
    with pytest.raises(AssessmentError, match="hand 4 hides cards"):
        TableAivat(dealing).of(replace(record, holes=(record.holes[0], ())), {1: Caller()})


@pytest.mark.parametrize("board", ["2s7sJdQh", "2s7sJdQh9c"])
@pytest.mark.parametrize("contenders", [(0, 1, 2), (0, 2), (1, 2)])
def test_imagined_shares_are_those_of_each_holding(board, contenders):
    holes, cards = (parse_cards("AsKs"), (), parse_cards("7c7d")), parse_cards(board)
    shares = imagined_shares(Pot(holes, cards, contenders, 0), 1, np.ones(1326))
    taken = {*holes[0], *holes[2], *cards}
    for holding in range(0, 1326, 37):
        own = holding_cards(holding)
        if taken & set(own):
            assert not shares[holding].any()
            continue
        [expected] = shares_of_pots([Pot((holes[0], own, holes[2]), cards, contenders, 0)])
        np.testing.assert_allclose(shares[holding], expected, atol=1e-12)


def test_earlier_shares_are_means_over_boards():
    holes, flop = (parse_cards("AsKs"), (), parse_cards("7c7d")), parse_cards("2s7sJd")
    own = parse_cards("QdQh")
    for board in ((), flop):
        shares = imagined_shares(Pot(holes, board, (0, 1, 2), 5), 1, np.ones(1326), 20_000)[holding_index(*own)]
        [expected] = shares_of_pots([Pot((holes[0], own, holes[2]), board, (0, 1, 2), 0)], 50_000)
        np.testing.assert_allclose(shares, expected, atol=0.02)
    few = imagined_shares(Pot(holes, flop, (0, 1, 2), 5), 1, np.eye(1326)[holding_index(*own)])
    assert np.flatnonzero(few.any(axis=1)).tolist() == [holding_index(*own)]
