"""Numbers printed in Billings, Papp, Schaeffer and Szafron 1998, "Poker as a Testbed for Machine Intelligence"."""

from __future__ import annotations

import pytest

from railbird.bots.reasons import explain
from railbird.odds.effective import effective_strength


def test_example_of_section_4_4():
    # Billings et al. 1998, section 4.4: AdQc on 3h4cJh, first to act against five opponents. The paper prints an EHS of
    # 0.15 there; its own numbers, 0.069 + (1 - 0.069) x 0.108, make 0.170 (Papp 1998, equation 6.4): a slip.
    chances = effective_strength("AdQc", "3h4cJh", opponents=5)
    assert (round(chances.hs_n, 3), round(chances.ppot, 3), round(chances.npot, 3)) == (0.069, 0.108, 0.145)
    assert round(chances.ehs_prime, 2) == 0.17
    # Seven players with $10 bets: a raise, four calls, the small blind folds and we call, $125 in the pot. We check;
    # $10 are bet and called twice, the fourth raises, the fifth folds: $175 in the pot, $20 to call. Chips are $5 here.
    # Lokibot did not semi-bluff (footnote 2).
    first = explain("AdQc", "3h4cJh", history="rccccfc/", seats=7, bot="loki:modeling=uniform,semi_bluff=no")
    assert (5 * first.view.pot_chips, len(first.view.opponents), first.verb) == (125, 5, "check")
    assert first.decision.quantities["EHS'"] == pytest.approx(chances.ehs_prime)
    later = explain("AdQc", "3h4cJh", history="rccccfc/crccrf", seats=7, bot="loki:modeling=uniform,semi_bluff=no")
    assert (5 * later.view.pot_chips, 5 * later.view.to_call_chips) == (175, 20)
    assert round(later.decision.quantities["pot odds"], 3) == 0.103
    assert (str(later.decision.action), later.decision.rule) == ("c", "pot odds")
