"""Betting by simulation: the play-outs against their naive twin, the draws, and expected values worked out by hand."""

from __future__ import annotations

import random
from itertools import combinations
from time import perf_counter

import numpy as np
import pytest

import naive
from railbird.bots.loki import Loki
from railbird.bots.loki_settings import AfterFlop, Modelling
from railbird.bots.reasons import explain
from railbird.bots.registry import make_bot
from railbird.bots.simulated_betting import OpponentModel, expected_values
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index, parse_cards
from railbird.check.check_bot import check_bot
from railbird.errors import UnknownBotError
from railbird.game.actions import RAISE
from railbird.game.betting import Betting
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.kernels.play.play_outs import Room, Situation, Trial, draw_holdings, play_out
from railbird.modeling.frequencies import ActionFrequencies

CARDS = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)], np.int64)


class Passive(ActionFrequencies):
    """A player who calls everything and never bets."""

    def threshold(self, street, bets, action, details=()):
        return 1.0 if action == 2 else 0.0


class Timid(ActionFrequencies):
    """A player who folds to any bet and never makes one."""

    def threshold(self, street, bets, action, details=()):
        return 1.0 if action == 2 or bets else 0.0


def river_view(history: str, holding: str, board: str, seats: int = 2) -> PlayerView:
    node = Betting.start(limit_holdem(seats)).play(history)
    return PlayerView(node, node.to_act, parse_cards(holding), parse_cards(board), 0, tuple("ABCDEFGHIJ"[:seats]))


def weights_of(*holdings: str) -> np.ndarray:
    weights = np.zeros(HOLDING_COUNT)
    for holding in holdings:
        weights[holding_index(*parse_cards(holding))] += 1.0
    return weights


def random_decision(source: random.Random) -> PlayerView:
    """A decision after the flop, reached by chance."""
    seats = source.randint(2, 6)
    while True:
        node = Betting.start(limit_holdem(seats))
        for _ in range(source.randint(seats, 6 * seats)):
            if node.is_over:
                break
            node = node.after(source.choices(node.legal_actions(), [1, 6, 3][-len(node.legal_actions()) :])[0])
        if not node.is_over and node.street > 0:
            return PlayerView(node, node.to_act, (0, 1), (), 0, tuple("ABCDEF"[:seats]))


@pytest.mark.parametrize("seed", range(300))
def test_play_outs_are_those_of_the_naive_twin(seed):
    source = random.Random(seed)
    view = random_decision(source)
    node, game, own = view.betting, view.game, view.position
    seats = game.seats
    values = np.array([[source.random() for _ in range(seats)] for _ in range(4)])
    ours = np.array([values[node.street, own], source.choice([0.0, 0.2, 0.5]), 0.5, 0.85])
    thresholds = np.array([source.choice([0.0, 0.3, 0.6, 0.9, 1.0]) for _ in range(seats * 4 * 3 * 3 * 2)])
    thresholds = np.sort(thresholds.reshape(seats, 4, 3, 3, 2), axis=-1)
    ranks = np.array([source.randint(0, 4) for _ in range(seats)])
    rules = np.array([(b, m, f) for b, m, f in zip(game.bet_sizes, game.max_raises, game.first_to_act)])
    live = np.array([int(p in node.live) for p in range(seats)])
    state = source.getrandbits(64)
    for name, number in (("fold", 0), ("call", 1), ("raise", 2)):
        if (name == "fold" and not node.can_fold) or (name == "raise" and not node.can_raise):
            continue
        room = np.zeros(seats, np.int64), np.zeros(seats, np.int64), np.zeros(seats), np.zeros(seats, np.int64)
        state_now = np.array([node.street, node.level, node.raises, node.pot, node.to_play, node.acted])
        situation = Situation(own, state_now, rules, np.array(node.street_bets), live, ours, thresholds)
        won = play_out(number, situation, Trial(values, ranks), np.uint64(state), Room(*room))
        order = [(own + step) % seats for step in range(seats)]
        waiting = [p for p in order if node.to_play >> p & 1]
        expected = naive.play_out(
            name,
            node.street,
            game.bet_sizes,
            game.max_raises,
            game.first_to_act,
            dict(enumerate(node.street_bets)),
            node.raises,
            node.pot,
            waiting,
            own,
            list(node.live),
            values.tolist(),
            ours.tolist(),
            thresholds.tolist(),
            ranks.tolist(),
            naive.split_mix(state),
            {p for p in range(seats) if node.acted >> p & 1},
        )
        assert won == expected, (seed, name, node.history)


def test_holdings_are_drawn_by_their_weights_given_that_no_card_is_dealt_twice():
    # Three opponents with few holdings that get in each other's way: all deals are enumerated.
    arrays = [{"AsAh": 3, "AsKs": 1, "QdQc": 2}, {"AsAh": 1, "KsKd": 4, "QdJd": 2}, {"AhKh": 5, "QdQc": 1, "7c7d": 1}]
    exact: dict[tuple[int, ...], float] = {}
    for names in [(a, b, c) for a in arrays[0] for b in arrays[1] for c in arrays[2]]:
        hands = [set(parse_cards(name)) for name in names]
        if all(not one & other for one, other in combinations(hands, 2)):
            key = tuple(holding_index(*parse_cards(name)) for name in names)
            exact[key] = np.prod([array[name] for array, name in zip(arrays, names)])
    total = sum(exact.values())
    weights = np.zeros((3, HOLDING_COUNT))
    for row, array in enumerate(arrays):
        for name, weight in array.items():
            weights[row, holding_index(*parse_cards(name))] = weight
    counts = dict.fromkeys(exact, 0)
    holdings = np.zeros(3, np.int64)
    state, draws = np.uint64(5), 20_000
    for _ in range(draws):
        dealt = np.zeros(52, np.bool_)
        state = np.uint64(draw_holdings(np.cumsum(weights, axis=1), CARDS, dealt, state, holdings))
        assert dealt.sum() == 6
        counts[tuple(holdings.tolist())] += 1
    for key, weight in exact.items():
        share = weight / total
        assert counts[key] / draws == pytest.approx(share, abs=4.5 * (share * (1 - share) / draws) ** 0.5)


def test_holdings_that_cannot_all_be_dealt_are_given_up():
    weights = np.stack([weights_of("AsAh"), weights_of("AsKs")])
    dealt = np.zeros(52, np.bool_)
    assert draw_holdings(np.cumsum(weights, axis=1), CARDS, dealt, np.uint64(1), np.zeros(2, np.int64)) == 0
    assert not dealt.any()


def test_a_call_on_the_river_is_worth_its_share_of_the_pot():
    # Pot 12 after a bet of 4 into 8 (2 each before the flop and on the flop), 4 to call. Of the four holdings two are
    # beaten, one ties and one wins: (12 + 4) * (2 + 1/2) / 4 - 4 = 6 chips = 3 small bets. A raise is called by all of
    # them: 24 * 5/8 - 8 = 7 chips.
    view = river_view("cc/rc/cc/r", "AdQc", "Qh8s5d3c2c")
    assert (view.pot_chips, view.to_call_chips) == (12, 4)
    weights = weights_of("KdKc", "QdAs", "JdTd", "8d7d")
    model = OpponentModel(weights, np.full(HOLDING_COUNT, 0.5), Passive())
    fold, call, raised = expected_values(view, [model], 0.9, 0.0, 0.5, 0.85, 20_000, 3)
    assert (fold.mean, fold.standard_error) == (0.0, 0.0)
    assert call.mean == pytest.approx(3.0, abs=4 * call.standard_error)
    assert raised.mean == pytest.approx(3.5, abs=4 * raised.standard_error)
    assert call.standard_error < 0.05


def test_a_bluff_wins_what_everybody_folds():
    # Pot 8 on the river, all fold to a bet: betting wins the pot of 4 small bets, checking loses the showdown.
    view = river_view("cc/rc/cc/", "3d2d", "Qh8s5cJcKc")
    model = OpponentModel(weights_of("AdAc", "AsAh"), np.full(HOLDING_COUNT, 0.9), Timid())
    check, bet = expected_values(view, [model], 0.0, 0.0, 0.5, 0.85, 200, 3)
    assert (check.mean, bet.mean, str(bet.action)) == (0.0, 4.0, "r")


def test_a_call_on_the_turn_counts_all_rivers():
    # 8d7d against aces: 9 of 44 rivers make the flush. Then we bet the river, are called and win the pot of 8 chips and
    # the call of 4; otherwise we check and have lost the 4 chips of our call.
    view = river_view("cc/cc/r", "8d7d", "KdJd4c2s")
    model = OpponentModel(weights_of("AsAc"), np.full(HOLDING_COUNT, 0.5), Passive())
    _, call, _ = expected_values(view, [model], 0.0, 0.0, 0.5, 0.85, 20_000, 8)
    assert 2 * call.mean == pytest.approx(9 / 44 * 12 - 35 / 44 * 4, abs=8 * call.standard_error)


@pytest.mark.parametrize("street", ["cc/", "cc/cc/", "cc/cc/cc/"])
def test_the_nuts_are_never_folded_and_decisions_repeat(street):
    board = "AhKhQh2c3d"[: 2 * (2 + street.count("/"))]
    bot = Loki(after_flop=AfterFlop(betting="simulation", trials=100), modelling=Modelling("generic"))
    answers = []
    for _ in range(2):
        bot.seed_hand(4)
        bot.on_hand(river_view("", "JhTh", ""))
        answers.append(bot.explain(river_view(street + "r", "JhTh", board)))
    assert answers[0] == answers[1]
    assert answers[0].action.kind != "f"
    assert answers[0].quantities["EV call"] > 0 == answers[0].quantities["EV fold"]


def test_reasons_and_refusals():
    found = explain("AsAd", "Ah7c2d", "cc/r", bot="loki:betting=simulation,trials=50")
    assert found.decision.rule == "simulation: the largest EV"
    assert found.decision.steps == ()
    evs = [found.decision.quantities[f"EV {name}"] for name in ("fold", "call", "raise")]
    chosen = {"f": 0, "c": 1, "r": 2}[found.decision.action.kind]
    assert evs[chosen] == max(evs)
    assert found.verb in ("raise", "call 2")
    with pytest.raises(UnknownBotError, match="trials=0"):
        make_bot("loki:betting=simulation,trials=0")
    bot = Loki(after_flop=AfterFlop(betting="simulation"))
    assert bot.can_play(limit_holdem(5))
    assert not bot.can_play(no_limit_holdem())
    assert not bot.can_play(limit_holdem(2, stack=100))


@pytest.mark.parametrize("settings", ["", ",modeling=none", ",modeling=uniform"])
def test_simulating_lokis_keep_the_rules_of_bots(settings):
    report = check_bot(f"loki:betting=simulation,trials=20{settings}")
    assert report.ok, str(report)


def test_a_decision_takes_less_than_5_milliseconds():
    # Three opponents on the flop, 400 trials; the best of ten, as other work may be going on.
    bot = Loki(after_flop=AfterFlop(betting="simulation"), modelling=Modelling("generic"))
    view = river_view("cccc/", "AdQc", "3h4cJh", seats=4)
    bot.on_hand(view)
    bot.explain(view)
    seconds = []
    for _ in range(10):
        began = perf_counter()
        bot.explain(view)
        seconds.append(perf_counter() - began)
    assert min(seconds) < 0.005


def test_a_capped_street_offers_no_raise():
    view = river_view("cc/rrrr", "AsAd", "Ah7c2d")
    model = OpponentModel(weights_of("KdKc"), np.full(HOLDING_COUNT, 0.5), Passive())
    found = expected_values(view, [model], 0.9, 0.0, 0.5, 0.85, 10, 1)
    assert RAISE not in [value.action for value in found]
