"""Numbers printed in Papp 1998, "Dealing with Imperfect Information in Poker"."""

from __future__ import annotations

import pytest

from railbird.bots.loki import Loki
from railbird.bots.loki_preflop import players_behind, preflop_thresholds
from railbird.bots.loki_settings import Features, Modelling
from railbird.bots.reasons import explain
from railbird.cards import card_text, parse_cards, parse_holding
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.odds.effective import EffectiveStrength
from railbird.odds.multiway import strength_by_field, strength_by_power, strength_by_product
from railbird.odds.outs import outs
from railbird.odds.potential import hand_potential, potentials
from railbird.odds.strength import hand_strength, strengths
from railbird.odds.weights import WeightArray
from railbird.papers.catalogue import run_study


def test_hand_rank_of_section_5_2():
    # Papp 1998, section 5.2: ahead of 628 holdings, tied with 9, behind 444 of 1,081. The text has A♥-Q♣ here and A♦-Q♣
    # in Table 5.1; no flush is made yet, so both are worth the same.
    assert hand_strength("AdQc", "3h4cJh") == hand_strength("AhQc", "3h4cJh") == (628 + 9 / 2) / 1081
    assert round(hand_strength("AdQc", "3h4cJh"), 3) == 0.585
    assert strengths("3h4cJh")[parse_holding("AdQc")] == hand_strength("AdQc", "3h4cJh")


def test_hand_rank_against_five_opponents_of_section_5_2():
    # Papp 1998, section 5.2, after equation 5.2. The paper raises the rounded 0.585; the exact fifth power is 0.0686.
    uniform = WeightArray.uniform()
    assert round(strength_by_power("AdQc", "3h4cJh", 5), 3) == 0.069
    assert round(strength_by_product("AdQc", "3h4cJh", [uniform] * 5), 3) == 0.069
    assert round(strength_by_field("AdQc", "3h4cJh", [uniform] * 5), 3) == 0.069


def test_potential_of_papp_table_5_1():
    # Papp 1998, Table 5.1: AdQc on 3h4cJh, uniform weights, two cards to come.
    potential = hand_potential("AdQc", "3h4cJh", cards_to_come=2)
    assert potential.transitions.tolist() == [
        [449_005, 3_211, 169_504],  # now ahead:  628 x 990
        [0, 8_370, 540],  # now tied:     9 x 990
        [91_981, 1_036, 346_543],  # now behind: 444 x 990
    ]
    assert potential.transitions.sum(axis=1).tolist() == [628 * 990, 9 * 990, 444 * 990]
    assert potential.transitions.sum(axis=0).tolist() == [540_986, 12_617, 516_587]
    # Equations 5.7 and 5.8.
    assert round(potential.ppot, 3) == 0.208
    assert round(potential.npot, 3) == 0.274


def test_potential_with_one_card_to_come_of_section_5_3():
    # Papp 1998, section 5.3, below equation 5.8; also Billings et al. 1998.
    potential = hand_potential("AdQc", "3h4cJh", cards_to_come=1)
    assert round(potential.ppot, 3) == 0.108
    assert round(potential.npot, 3) == 0.145
    ppot, npot = potentials("3h4cJh")
    assert ppot[parse_holding("AdQc")] == pytest.approx(potential.ppot, abs=1e-15)
    assert npot[parse_holding("AdQc")] == pytest.approx(potential.npot, abs=1e-15)


def test_draw_of_section_5_3():
    # Papp 1998, section 5.3: 8d7d on 9d6c2d is ahead of a random holding 11.5% of the time.
    assert round(100 * hand_strength("8d7d", "9d6c2d"), 1) == 11.5


class LokiWithChances(Loki):
    """Loki that is told its chances."""

    def __init__(self, hs, ppot):
        super().__init__(features=Features(showdown_odds=False), modelling=Modelling("uniform"))
        self.told = EffectiveStrength(hs, 1, ppot, 0.0)

    def chances(self, view):
        return self.told


def decision(history, board, hs=0.0, ppot=0.0):
    """What Loki does heads-up, told its chances, with the betting before it. The cards do not matter then."""
    node = Betting.start(limit_holdem()).play(history)
    loki = LokiWithChances(hs, ppot)
    view = PlayerView(node, node.to_act, parse_cards("4d8d"), parse_cards(board), 0, ("a", "b"))
    loki.on_hand(view)
    return view, loki.explain(view)


def test_pot_odds_of_section_3_4():
    # Papp 1998, section 3.4.1: $12 in the pot, $4 to call, so 25% is needed. On the turn 4d8d has nine outs to the
    # flush, 9/46 = 0.196, not enough; with the inside straight's three more 12/46 = 0.261, which is.
    against = WeightArray.parse("AQ, AJ, AT")
    found = {card_text(card.card) for card in outs("4d8d", "7dAd6cKh", against).outs}
    assert len(found) == 12
    assert {card for card in found if card[1] != "d"} == {"5c", "5h", "5s"}
    assert (round(9 / 46, 3), round(len(found) / 46, 3)) == (0.196, 0.261)
    view, fold = decision("rc/cc/r", "7dAd6cKh", ppot=9 / 46)
    assert (view.pot_chips, view.to_call_chips, fold.quantities["pot odds"]) == (12, 4, 0.25)
    assert str(fold.action) == "f"
    _, call = decision("rc/cc/r", "7dAd6cKh", ppot=12 / 46)
    assert (str(call.action), call.rule) == ("c", "pot odds")


def test_effective_odds_of_section_3_4():
    # Papp 1998, section 3.4.3: the same draw on the flop, with 12 outs and two cards to come.
    hits = len(outs("4h8h", "7hAh6c", WeightArray.parse("AQ, AJ, AT")).outs)
    assert hits == 12
    assert round(hits / 47 + 35 / 47 * hits / 46, 2) == 0.45


def test_expected_values_of_section_4_3():
    # Papp 1998, section 4.3: on the river, $20 in the pot, $4 to bet, ahead 10% of the time. The opponent always checks
    # after a check; he folds the weakest 30% to a bet. A check is worth 2.00, a bet 3.20.
    node = Betting.start(limit_holdem()).play("rc/rc/rc/")
    assert (node.pot, node.to_act, node.game.bet_sizes[3]) == (20, 0, 4)

    def worth(history, ranks):
        """What is won from here on: the chips already in the pot belong to nobody."""
        return payoffs(node.play(history), ranks)[0] + node.committed[0]

    ahead, behind = (1, 0), (0, 1)
    assert 0.1 * worth("cc", ahead) + 0.9 * worth("cc", behind) == pytest.approx(2.00)
    assert 0.3 * worth("rf", behind) + 0.7 * worth("rc", behind) == pytest.approx(3.20)


@pytest.mark.parametrize(
    ("history", "pot", "profit", "action"), [("cc/rc/rc/r", 20, 0.80, "c"), ("rc/cc/cc/r", 12, -0.80, "f")]
)
def test_calls_with_pot_odds_of_section_6_5(history, pot, profit, action):
    # Papp 1998, section 6.5: a 20% chance on the river; the opponent's $4 bet makes the pot $20, or $12.
    view, found = decision(history, "7dAd6cKh2s", hs=0.2)
    assert (view.pot_chips, view.to_call_chips) == (pot, 4)
    called = view.betting.play("c")
    win, lose = (payoffs(called, ranks)[1] + view.betting.committed[1] for ranks in ((0, 1), (1, 0)))
    assert 0.2 * win + 0.8 * lose == pytest.approx(profit)
    assert str(found.action) == action


def test_pre_flop_strategy_of_section_6_1():
    # Papp 1998, section 6.1: six players, AdTd, tight; two players fold. The thesis has an income rate of 491.
    found = explain("AdTd", history="ff", seats=6, bot="loki:tightness=tight")
    known = found.decision.quantities
    assert known["expected players"] == pytest.approx(3.6)
    assert (known["Make1"], known["Make2"], known["Make4"]) == (100, 250, 580)
    assert known["IR"] == pytest.approx(491, abs=5)
    assert found.decision.rule == "Make2, 3-4 players"
    assert str(found.decision.action) == "r"


def test_strong_holdings_of_section_7_2_3():
    # Papp 1998, section 7.2.3: "hands with an EHS' above .80 represent more than 20% of all hands (due to the inclusion
    # of PPOT in the equation)". It holds where EHS' is against all holdings alike; against the field array, of which
    # section 7.2.4 speaks, it does not.
    shares = run_study("papp-7.2.3", size=60, seed=7, progress=False).evidence
    assert [finding.outcome for finding in shares.findings] == ["reproduced", "contradicted"]
    assert shares.reweightings > 150
    flop, river = (shares.shares["uniform", street].mean for street in (1, 3))
    assert flop > river > 0.18, "without PPOT a fifth of all holdings is above 0.80, but for ties"
    assert all(shares.shares["field", street].mean < 0.2 for street in (1, 2, 3))


TABLE_B_1 = """
-50,50 -50,50 -50,50   150,50 50,50 0,0          300,0 300,0 300,0
50,50 50,25 50,10      200,50 200,25 200,10      580,0 580,0 580,0
0,70 0,50 0,30         450,50 450,25 450,10      900,0 900,0 900,0
"""


def test_table_b_1():
    # Papp 1998, Table B.1: base and increment of Make1, Make2 and Make4 for tight, moderate and loose play, by row for
    # 2, 3-4 and 5 or more players. By equation 6.1 the increment counts once for each player behind.
    printed = [[tuple(map(int, pair.split(","))) for pair in row.split()] for row in TABLE_B_1.strip().splitlines()]
    first, next_to_button = Betting.start(limit_holdem(6)), Betting.start(limit_holdem(6)).play("ff")
    assert (players_behind(first), players_behind(next_to_button)) == (3, 1)
    for group, row in enumerate(printed):
        for column, tightness in enumerate(("tight", "moderate", "loose")):
            for node, behind in ((first, 3), (next_to_button, 1)):
                found = preflop_thresholds(node, group, tightness)
                for at, strategy in enumerate(("Make1", "Make2", "Make4")):
                    base, increment = row[3 * at + column]
                    assert found[strategy] == base + behind * increment
