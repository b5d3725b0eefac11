"""Models of a table: when arrays are re-weighted, from which array, and what the options change."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from railbird import play_match
from railbird.bots.loki import Loki
from railbird.bots.loki_settings import Modelling
from railbird.cards import HOLDING_COUNT, parse_cards, parse_holding
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.modeling.frequencies import DEFAULTS, GENERIC, ActionFrequencies
from railbird.modeling.reweighting import LOWEST_INVERSE, postflop_reweighted, preflop_reweighted
from railbird.modeling.table_model import TableModel, field_array
from railbird.odds.effective import possible_holdings, strength_and_potential
from railbird.odds.income_rates import income_rates

NAMES = ("ann", "bob", "cyd")
GAME = limit_holdem(3)
BOARD = parse_cards("Kh7d2d9s3c")
ONES = np.ones(HOLDING_COUNT)
CALLED = preflop_reweighted(ONES, 0.5)  # one bet called: threshold 0.5 of Table B.2
ACES, TRASH = parse_holding("AsAc"), parse_holding("8s4h")


def watched(history: str, model: TableModel | None = None) -> TableModel:
    """A model that has seen a hand as far as `history`."""
    model = model or TableModel()
    model.begin(NAMES)
    for node, action in HandRecord(GAME, 0, NAMES, ((),) * 3, BOARD, history, (0,) * 3).steps():
        model.observe(node, BOARD[: GAME.board_seen(node.street)], action)
    return model


def flop_values(arrays, live, position):
    """EHS' and PPOT of all holdings on the flop against the field of the others."""
    hs, ppot = strength_and_potential(BOARD[:3], field_array(arrays, live, position, BOARD[:3]))
    return hs + (1 - hs) * ppot, ppot


def test_nothing_is_known_at_first_nor_from_folds_and_checks():
    assert all((array == 1).all() for array in watched("").weights())
    assert all((array == 1).all() for array in watched("f").weights())
    # After the calls before the flop: checks, and the fold of the small blind on the flop, say nothing.
    assert [array.tolist() for array in watched("ccc/ccc/ccc/").weights()] == [
        array.tolist() for array in watched("ccc/").weights()
    ]
    folded = watched("ccc/crf").weights()
    assert folded[0] == pytest.approx(watched("ccc/").weights()[0])


def test_calls_before_the_flop():
    button, small_blind, big_blind = (watched("cc").weights()[p] for p in (2, 0, 1))
    assert button == pytest.approx(CALLED)
    assert small_blind == pytest.approx(CALLED)  # half a bet counts as one
    assert (big_blind == 1).all()
    assert watched("rcc/").weights()[2] == pytest.approx(preflop_reweighted(ONES, 0.8))  # a raise of the blind
    assert watched("rcc/").weights()[1] == pytest.approx(CALLED)  # one bet to call for the big blind
    # Two bets cold take the best three tenths by Table B.2.
    assert watched("rc").weights()[0] == pytest.approx(preflop_reweighted(ONES, 0.7))


def test_one_reweighting_a_street_from_the_saved_array_and_only_upwards():
    # Papp 1998, section 7.2.1: a call, then a raise by the same player: the raise is applied to the array as the street
    # began, not to the array after the call. Bob calls with the best half and raises with nearly as many;
    # the others raise with anything.
    def model_of(history):
        model = TableModel(specific=True)
        for name, plays in (("ann", (0, 0, 1000)), ("bob", (500, 100, 400)), ("cyd", (0, 0, 1000))):
            player = model.players[name] = ActionFrequencies()
            for bets in range(3):
                player.counts[1][bets] = list(plays)
        return watched(history, model)

    start, after_call, before = (model_of(history).weights() for history in ("ccc/", "ccc/rc", "ccc/rcrr"))
    model = model_of("ccc/rcrrr")  # ann bets, bob calls, cyd raises, ann raises, bob raises
    last = model._events[-1]
    assert last.position == 1
    assert last.threshold == pytest.approx(0.6, abs=0.01)
    values, ppot = flop_values(before, (0, 1, 2), 1)
    once = postflop_reweighted(start[1], values, ppot, last.threshold, last.pot_odds)
    twice = postflop_reweighted(after_call[1], values, ppot, last.threshold, last.pot_odds)
    assert model.weights()[1] == pytest.approx(once)
    assert abs(once - twice).max() > 0.1
    # A call after a raise shows less than the raise did: nothing changes.
    assert watched("ccc/rrrcc")._events == watched("ccc/rrrc")._events  # bob raised, then calls


def test_a_new_street_goes_on_from_the_old_one():
    flop = watched("ccc/rcf/").weights()
    turn = watched("ccc/rcf/r")
    assert turn._events[-1].street == 2
    hs, ppot = strength_and_potential(BOARD[:4], field_array(flop, (0, 1), 0, BOARD[:4]))
    expected = postflop_reweighted(flop[0], hs + (1 - hs) * ppot, ppot, 0.5, turn._events[-1].pot_odds)
    assert turn.weights()[0] == pytest.approx(expected)
    assert turn.weights()[1] == pytest.approx(flop[1])


def test_a_hand_against_the_naive_twin():
    # All call, ann bets the flop: 2 chips into a pot of 6, pot odds 2 / (6 + 2).
    model = watched("ccc/r")
    incomes = income_rates(7).tolist()
    start = [
        naive.reweight_preflop(ONES.tolist(), incomes, 1 - DEFAULTS[1][1] - DEFAULTS[1][2]) if p != 1 else ONES.tolist()
        for p in range(3)
    ]
    possible = possible_holdings(BOARD[:3])
    field = sum(np.array(start[p]) * possible / (np.array(start[p]) * possible).sum() for p in (1, 2))
    hs, ppot = strength_and_potential(BOARD[:3], field)
    live = np.flatnonzero(possible)
    expected = naive.reweight_postflop(
        np.array(start[0])[live], (hs + (1 - hs) * ppot)[live], ppot[live], 1 - DEFAULTS[0][2], 2 / 8
    )
    assert model.weights()[0][live] == pytest.approx(expected)
    assert model._events[-1].pot_odds == 2 / 8


def test_holdings_can_be_ranked_against_all_alike():
    # Papp 1998, section 7.2.3, which does not speak of a field yet: the values do not depend on what the others do.
    hs, ppot = strength_and_potential(BOARD[:3], possible_holdings(BOARD[:3]).copy())
    values = hs + (1 - hs) * ppot
    for history in ("ccc/r", "rrrcc/r", "ccc/cr"):
        before, model = (watched(seen, TableModel(ranking="uniform")) for seen in (history[:-1], history))
        last = model._events[-1]
        expected = postflop_reweighted(before.weights()[last.position], values, ppot, last.threshold, last.pot_odds)
        assert model.weights()[last.position] == pytest.approx(expected)
        np.testing.assert_array_equal(model.values((0, 1, 2), 1, BOARD[:3]), values)
        assert not np.allclose(expected, watched(history).weights()[last.position])


def test_pot_odds_are_of_all_that_was_put_in():
    # Cyd raises ann's bet on the flop: 4 chips into 6 + 2 + 2 (bob's call).
    assert watched("ccc/rcr")._events[-1].pot_odds == 4 / (10 + 4)
    # On the turn bets are doubled: bob calls 4 into 6 + 4.
    assert watched("ccc/ccc/rc")._events[-1].pot_odds == 4 / (10 + 4)


def test_the_field_is_that_of_the_live_opponents():
    model = watched("ccc/rc")
    arrays, dead = model.weights(), BOARD[:3]
    field = model.field((0, 1, 2), 1, dead)
    assert field.sum() == pytest.approx(2)  # each array counts alike, whatever its sum
    assert field == pytest.approx(model.field((0, 2), 0, dead) + model.field((0, 2), 2, dead))
    assert field[possible_holdings(dead) == 0].sum() == 0
    changed = (arrays[0], ONES, arrays[2])
    assert field_array(changed, (0, 1, 2), 1, dead) == pytest.approx(field)  # the player's own array plays no part


def test_the_model_of_ourselves_is_public():
    # Two Lokis in the same seat with different cards, and one in another seat, believe the same of everybody.
    arrays = []
    for position, hole in ((0, "AsAc"), (0, "8s4h"), (1, "QsQc")):
        bot = Loki(modelling=Modelling("generic"))
        node = Betting.start(GAME)
        bot.on_hand(PlayerView(node, position, parse_cards(hole), (), 0, NAMES))
        for action in HandRecord(GAME, 0, NAMES, ((),) * 3, BOARD, "rrcc/rc", (0,) * 3).steps():
            board = BOARD[: GAME.board_seen(action[0].street)]
            bot.on_action(PlayerView(action[0], position, parse_cards(hole), board, 0, NAMES), position, action[1])
        arrays.append(bot.model.weights())
    assert arrays[0][0].min() < 0.5  # our own array was re-weighted too
    for other in arrays[1:]:
        assert [array.tolist() for array in other] == [array.tolist() for array in arrays[0]]


def test_specific_models_learn_who_raises_with_anything():
    generic, specific = TableModel(), TableModel(specific=True)
    for _ in range(30):
        for model in (generic, specific):
            watched("rff", model)
    assert specific.players["cyd"].frequency(0, 1, 2) == 1.0
    assert generic.players == {}
    for model in (generic, specific):
        watched("r", model)
    assert (specific.weights()[2] == 1).all()  # he always raises, so it says nothing
    assert generic.weights()[2][TRASH] < 0.05
    # Figure 7.5 counts an action before it is judged: the next raise after 29 is judged with 30.
    specific.forget()
    watched("r", specific)
    assert specific._events[0].threshold == pytest.approx(1 - (1 + 19 * 0.2) / 20)


def test_predictions_of_actions_are_legal_and_never_zero():
    model = TableModel(specific=True)
    for _ in range(40):
        watched("rff", model)
    model.begin(NAMES)
    start = Betting.start(GAME)
    fold, call, raises = model.predicted_action(start)
    assert fold > 0
    assert call > 0
    assert raises > 0.98
    assert fold + call + raises == pytest.approx(1)
    assert model.predicted_action(start.play("rrr"))[2] == 0  # capped
    assert model.predicted_action(start.play("cc"))[0] == 0  # the big blind has nothing to fold to


def test_inverse_reweighting():
    plain, inverse = watched("ccc/ccc/"), watched("ccc/ccc/", TableModel(inverse=True))
    assert plain.weights()[0][ACES] == 1.0
    assert inverse.weights()[0][ACES] <= LOWEST_INVERSE**2  # only called before the flop, and checked it
    assert inverse.weights()[0][TRASH] == pytest.approx(plain.weights()[0][TRASH], rel=0.05)
    # The big blind's check before the flop counts as well; a check-raise takes the check back.
    assert watched("ccc/", TableModel(inverse=True)).weights()[1][ACES] == LOWEST_INVERSE
    last = watched("ccc/crfr", TableModel(inverse=True))._events[-1]
    assert (last.position, last.upper) == (0, None)
    assert last.threshold == GENERIC.threshold(1, 1, 2)
    # A capped street lets nobody raise: the last call has no upper threshold.
    assert watched("rrrc", TableModel(inverse=True))._events[-1].upper is None


def test_observed_variance_follows_what_is_shown():
    holdings = {"true": "AsQc", "false": "8s4h"}
    spreads = {}
    for who, hole in holdings.items():
        model = TableModel(specific=True, observed_variance=True)
        for _ in range(15):
            watched("rfc/cr", model)  # cyd raises before the flop and bets it
            model.observe_showdown({2: parse_cards(hole)})
            model.players.clear()  # the thresholds stay those of Table B.2
        spreads[who] = [model.consistency["cyd", preflop].spread for preflop in (True, False)]
    assert all(spread < 1 for spread in spreads["true"]), spreads
    assert all(spread > 1.5 for spread in spreads["false"]), spreads
    off = TableModel(specific=True)
    watched("rfc/cr", off)
    off.observe_showdown({2: parse_cards("AsAc")})
    assert off.consistency == {}


def test_options_change_nothing_unless_asked_for():
    histories = ("ccc/rcf/rc/cc", "rrcc/ccrff", "rfc/cc/rc/rc", "rfrrc/rc/rrc/cc")
    plain, fine = TableModel(specific=True), TableModel(specific=True, fine_contexts=True)
    for history in histories * 8:
        watched(history, plain)
        watched(history, fine)
    assert plain._events != fine._events
    assert all(event.upper is None and event.spread == 1.0 for event in plain._events)


def test_loki_plays_with_every_option():
    options = "inverse=yes,observed_variance=yes,fine_contexts=yes,half_life=100"
    bots = (f"loki-som:{options}", "bpl", "loki-gom:inverse=yes")
    result = play_match(
        f"loki-som:{options}", "bpl", "loki-gom:inverse=yes", hands=6, seed=4, duplicate=True, workers=1
    )
    assert result.faults == ()
    again = play_match(*bots, hands=6, seed=4, duplicate=True, workers=1)
    assert [player.money for player in again.players] == [player.money for player in result.players]
