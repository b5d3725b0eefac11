"""Numbers printed in Papp 1998, "Dealing with Imperfect Information in Poker", chapter 5."""

from __future__ import annotations

import pytest

from railbird.cards import parse_holding
from railbird.evaluation.potential import hand_potential, potentials
from railbird.evaluation.strength import hand_strength, strengths


def test_hand_rank_of_section_5_2():
    # Papp 1998, section 5.2: ahead of 628 holdings, tied with 9, behind 444 of 1,081. The text has A♥-Q♣ here and A♦-Q♣
    # in Table 5.1; no flush is made yet, so both are worth the same.
    assert hand_strength("AdQc", "3h4cJh") == hand_strength("AhQc", "3h4cJh") == (628 + 9 / 2) / 1081
    assert round(hand_strength("AdQc", "3h4cJh"), 3) == 0.585
    assert strengths("3h4cJh")[parse_holding("AdQc")] == hand_strength("AdQc", "3h4cJh")


def test_hand_rank_against_five_opponents_of_section_5_2():
    # Papp 1998, section 5.2, after equation 5.2. The paper raises the rounded 0.585; the exact fifth power is 0.0686.
    assert round(hand_strength("AdQc", "3h4cJh") ** 5, 3) == 0.069


def test_potential_of_papp_table_5_1():
    # Papp 1998, Table 5.1: AdQc on 3h4cJh, uniform weights, two cards to come.
    potential = hand_potential("AdQc", "3h4cJh", cards_to_come=2)
    assert potential.transitions.tolist() == [
        [449_005, 3_211, 169_504],  # now ahead:  628 x 990
        [0, 8_370, 540],            # now tied:     9 x 990
        [91_981, 1_036, 346_543],   # now behind: 444 x 990
    ]  # fmt: skip
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
