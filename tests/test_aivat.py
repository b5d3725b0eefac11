"""AIVAT is unbiased, shown by counting: every deal and every action of small games, with their chances."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from railbird.assess.aivat import Aivat, Seen
from railbird.errors import AssessmentError
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.record import HandRecord
from railbird.game.showdown import showdown_rank
from railbird.game.spec import kuhn_poker, leduc_poker
from railbird.solve.toy.cfr import game_value, uniform
from railbird.solve.toy.toy_games import ToyGame

KUHN, LEDUC = kuhn_poker(), leduc_poker()
KUHN_FOR_THREE = replace(KUHN, blinds=(0, 0, 0), ranks=4, name="kuhn for three")
SETS = [(known, imagined) for known in ((), (0,), (1,), (0, 1)) for imagined in ((), (0,), (1,), (0, 1))]
SETS = [(known, imagined) for known, imagined in SETS if set(imagined) <= set(known)]


def player(seed):
    """A player who decides at random, always the same in the same place with the same cards; some actions never."""

    @cache
    def chances(node, own, board):
        letters = "".join(map(str, (*own, -1, *board))) + node.history
        generator = np.random.default_rng([seed, *letters.encode()])
        weights = generator.dirichlet(np.ones(len(node.legal_actions())))
        return dict(zip(node.legal_actions(), weights.tolist()))

    return chances


def nothing(holes, board, node):
    return 0.0


def absurd(holes, board, node):
    """A number that has nothing to do with anything, a thousand times too large at times."""
    letters = f"{holes}{board}{node.history}".encode()
    return float(np.random.default_rng(list(letters)).standard_cauchy() * 10)


def constant_with_errors(holes, board, node):
    return 1e3 * (len(node.history) % 3) - 7.0 * holes[0][0] + sum(board)


VALUES = [nothing, cache(absurd), constant_with_errors]


def expectation(measure, players, of=lambda seen: seen.total):
    """The mean of something over every deal and every way to play it, each with its chance."""
    game, total = measure.game, 0.0
    size = game.seats + sum(game.board_cards)
    deals = list(permutations(game.deck, size))

    def follow(seen: Seen, holes, board) -> float:
        if due := seen.cards_due:
            at = len(seen.board)
            seen = seen.dealt(board[at : at + due])
        if seen.node.is_over:
            return of(seen)
        actor = seen.node.to_act
        chances = players[actor](seen.node, holes[actor], seen.board)
        return sum(p * follow(seen.acted(action), holes, board) for action, p in chances.items() if p)

    for deal in deals:
        holes = tuple((card,) for card in deal[: game.seats])
        total += follow(measure.start(holes), holes, deal[game.seats :])
    return total / len(deals)


def won(game, players, position=0):
    """What a position wins on average, found without the measure."""
    size = game.seats + sum(game.board_cards)
    deals = list(permutations(game.deck, size))

    def follow(node, deal):
        holes, board = [(card,) for card in deal[: game.seats]], deal[game.seats :]
        if node.is_over:
            ranks = [showdown_rank(game, hole, board) for hole in holes] if node.is_showdown else None
            return payoffs(node, ranks)[position]
        seen = board[: game.board_seen(node.street)]
        chances = players[node.to_act](node, holes[node.to_act], seen)
        return sum(p * follow(node.after(action), deal) for action, p in chances.items())

    return sum(follow(Betting.start(game), deal) for deal in deals) / len(deals)


@pytest.mark.parametrize(("known", "imagined"), SETS)
@pytest.mark.parametrize("value", VALUES)
def test_the_mean_is_that_of_the_money_in_kuhn_poker(known, imagined, value):
    for seed in range(3):
        players = player(2 * seed), player(2 * seed + 1)
        measure = Aivat(KUHN, value, {at: players[at] for at in known}, frozenset(imagined))
        assert expectation(measure, players) == pytest.approx(won(KUHN, players), abs=1e-9)


@pytest.mark.parametrize(("known", "imagined", "value"), [((0,), (0,), 1), ((0, 1), (1,), 1), ((0, 1), (0, 1), 2)])
def test_the_mean_is_that_of_the_money_in_leduc_poker(known, imagined, value):
    players = player(7), player(8)
    measure = Aivat(LEDUC, VALUES[value], {at: players[at] for at in known}, frozenset(imagined))
    assert expectation(measure, players) == pytest.approx(won(LEDUC, players), abs=1e-7)


@pytest.mark.parametrize("imagined", [(), (1,), (0, 2)])
def test_the_mean_is_that_of_the_money_for_three_players(imagined):
    players = player(3), player(4), player(5)
    for position in range(3):
        known = {at: players[at] for at in imagined or (0,)}
        measure = Aivat(KUHN_FOR_THREE, VALUES[1], known, frozenset(imagined), position)
        exact = won(KUHN_FOR_THREE, players, position)
        assert expectation(measure, players) == pytest.approx(exact, abs=1e-9)


def test_what_is_counted_here_is_what_the_solver_says():
    toy = ToyGame(KUHN)
    even = [lambda node, own, board: dict.fromkeys(node.legal_actions(), 1 / len(node.legal_actions()))] * 2
    assert won(KUHN, even) == pytest.approx(game_value(toy, uniform(KUHN)))


@pytest.mark.parametrize("game", [KUHN, LEDUC])
def test_a_player_taken_for_another_makes_it_biased(game):
    # The probabilities of somebody else, as if an unknown player followed a blueprint.
    players, others = (player(1), player(2)), (player(11), player(12))
    for imagined in ((1,), ()):
        measure = Aivat(game, nothing if imagined else VALUES[1], {1: others[1]}, frozenset(imagined))
        assert abs(expectation(measure, players) - won(game, players)) > 0.02


def test_a_value_that_knows_what_happened_makes_it_biased():
    # Values must be fixed before the hand is played: these are learned from the very hand that they judge.
    players = player(1), player(2)

    def hindsight(seen):
        corrections = [max(correction.amount, 0.0) for correction in seen.corrections]
        return seen.total - sum(correction.amount for correction in seen.corrections) + sum(corrections)

    measure = Aivat(KUHN, VALUES[2], {0: players[0]}, frozenset({0}))
    assert abs(expectation(measure, players, hindsight) - won(KUHN, players)) > 1.0


def test_with_the_true_values_nothing_is_left_to_chance():
    # Values of the very players, both known: every hand is worth the same, what the game is worth.
    players = player(5), player(6)

    @cache
    def true_value(holes, board, node):
        if node.is_over:
            return payoffs(node, [hole[0] for hole in holes])[0]
        chances = players[node.to_act](node, holes[node.to_act], board)
        return sum(p * true_value(holes, board, node.after(action)) for action, p in chances.items())

    exact = won(KUHN, players)
    for imagined in ((), (0,), (1,), (0, 1)):
        measure = Aivat(KUHN, true_value, dict(enumerate(players)), frozenset(imagined))
        spread = expectation(measure, players, lambda seen: (seen.total - exact) ** 2)
        assert spread == pytest.approx(0.0, abs=1e-18)


def test_imagining_and_correcting_make_the_spread_smaller():
    players = player(5), player(6)
    exact = won(KUHN, players)

    def spread(known, imagined):
        measure = Aivat(KUHN, nothing, {at: players[at] for at in known}, frozenset(imagined))
        return expectation(measure, players, lambda seen: (seen.total - exact) ** 2)

    money, one, both = spread((), ()), spread((0,), (0,)), spread((0, 1), (0, 1))
    assert both < one < money


def test_a_hand_by_its_record():
    players = player(1), player(2)
    measure = Aivat(LEDUC, VALUES[1], {0: players[0]}, frozenset({0}))
    holes, board = ((LEDUC.deck[0],), (LEDUC.deck[3],)), (LEDUC.deck[5],)
    record = HandRecord(LEDUC, 0, ("Ann", "Bob"), holes, board, "cc/rc", (-5, 5))
    followed = measure.followed(record)
    assert [correction.event for correction in followed.corrections] == ["cards", "position 0", "board", "position 0"]
    assert measure.of(record) == followed.total
    # What the imagined player held does not matter.
    other = replace(record, holes=((LEDUC.deck[1],), holes[1]))
    assert measure.of(other) == measure.of(record)


def test_what_cannot_be_is_refused():
    with pytest.raises(AssessmentError, match="position 1 cannot be imagined"):
        Aivat(KUHN, nothing, {0: player(1)}, frozenset({1}))
    never = {0: lambda node, own, board: {action: float(action.kind == "c") for action in node.legal_actions()}}
    record = HandRecord(KUHN, 0, ("Ann", "Bob"), ((KUHN.deck[0],), (KUHN.deck[1],)), (), "rf", (1, -1))
    with pytest.raises(AssessmentError, match="did what he never does"):
        Aivat(KUHN, nothing, never, frozenset({0})).of(record)
