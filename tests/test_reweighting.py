"""Re-weighting: the figures and worked numbers of Papp's section 7.2, and naive twins."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from railbird.cards import HOLDING_COUNT, parse_holding
from railbird.modeling.reweighting import (
    LOWEST,
    LOWEST_INVERSE,
    income_at,
    postflop_factors,
    postflop_reweighted,
    preflop_reweighted,
)
from railbird.odds.income_rates import income_rates

ONES = np.ones(HOLDING_COUNT)


def test_income_rates_at_percentiles_of_section_7_2_2():
    # Papp 1998, section 7.2.2: the best 30% begin at +118, the fifth percentile is -433, the lowest -495, and 68.26% of
    # the holdings lie between -323 and +336. On the printed Table A.3 our rule gives 118 and -433 exactly; our own,
    # which has smaller errors, differs from it by a few thousandths of a bet.
    assert income_at(0.7) == pytest.approx(118, abs=6)
    assert income_at(0.05) == pytest.approx(-433, abs=6)
    assert income_at(0.0) == pytest.approx(-495, abs=6)
    incomes = income_rates(7)
    assert np.mean((incomes >= -323) & (incomes <= 336)) == pytest.approx(0.6826, abs=0.01)


def test_preflop_factors_of_figure_7_2():
    weights = preflop_reweighted(ONES, 0.7)
    mu = income_at(0.7)
    incomes = income_rates(7)
    assert weights[np.argmin(abs(incomes - mu))] == pytest.approx(0.5)
    assert set(weights[incomes >= mu + 330]) == {1.0}
    assert set(weights[incomes <= mu - 330]) == {LOWEST} == {0.01}
    between = (incomes > mu - 320) & (incomes < mu + 330)
    assert weights[between] == pytest.approx((incomes[between] - mu + 330) / 660)
    assert weights[parse_holding("AsAh")] == 1.0
    assert weights[parse_holding("7s2h")] == 0.01


def test_low_thresholds_say_nothing_before_the_flop():
    assert preflop_reweighted(ONES, 0.049) == pytest.approx(ONES)
    assert preflop_reweighted(ONES, 0.051).min() < 1


@pytest.mark.parametrize(("mu", "sigma"), [(0.5, 0.2), (0.8, 0.08), (0.3, 0.28)])
def test_postflop_sigma_of_section_7_2_3(mu, sigma):
    # Papp 1998, section 7.2.3: sigma = 0.2 at mu = 0.5, interpolating from 0.3 to 0.7; sigma = 0.4 (1 - mu).
    values = np.array([mu - sigma - 0.001, mu - sigma, mu, mu + sigma, mu + sigma + 0.001, 1.0])
    assert postflop_factors(values, mu) == pytest.approx([0.01, 0.01, 0.5, 1, 1, 1])


@pytest.mark.parametrize("mu", [0.0, 0.05, 0.1, 0.2, 0.28, 2 / 7, 0.3, 0.5, 0.9, 1.0])
def test_area_is_what_the_player_plays(mu):
    # Equations 7.5 to 7.7: the area under the factors is 1 - mu, but for the least factor of 0.01 left of mu - sigma.
    values = (np.arange(200_000) + 0.5) / 200_000
    area = postflop_factors(values, mu).mean()
    assert area == pytest.approx(1 - mu, abs=0.0102)
    assert area >= 1 - mu - 1e-6
    if mu < 2 / 7:
        assert area == pytest.approx(1 - mu, abs=1e-6)


def test_least_factor_where_mu_is_less_than_sigma():
    # Equation 7.8: r = 1 - 2 mu / (mu + sigma); for mu = 0.1, sigma = 0.36.
    assert postflop_factors(np.array([0.0, 0.23, 0.46, 0.5]), 0.1) == pytest.approx([0.26 / 0.46, 0.36 / 0.46, 1, 1])
    assert postflop_factors(np.array([0.0, 0.5]), 0.0).tolist() == [1.0, 1.0]


def test_potential_that_is_worth_the_price_is_spared():
    values, potential = np.array([0.1, 0.1, 0.9]), np.array([0.24, 0.25, 0.0])
    assert postflop_reweighted(np.ones(3), values, potential, 0.5, 0.25) == pytest.approx([0.01, 1, 1])
    assert postflop_reweighted(np.ones(3), values, None, 0.5, 0.25) == pytest.approx([0.01, 0.01, 1])  # the river


def test_no_weight_goes_below_a_hundredth():
    weights = np.full(HOLDING_COUNT, 0.02)
    assert preflop_reweighted(weights, 0.9).min() == 0.01
    assert postflop_reweighted(weights, np.zeros(HOLDING_COUNT), None, 0.9, 1.0) == pytest.approx(0.01)


def test_holdings_on_the_board_keep_their_weights():
    assert postflop_reweighted(np.array([0.3, 0.3]), np.array([np.nan, 0.0]), None, 0.5, 0.2, 0.8) == pytest.approx(
        [0.3, 0.01]
    )


def test_inverse_takes_from_strong_holdings_only():
    values = np.array([0.0, 0.3, 0.5, 0.7, 1.0])
    # A check by a player who bets the best half: below 0.3 nothing changes but the hundredth, above 0.7 little is left.
    assert postflop_reweighted(np.ones(5), values, None, 0.0, 0.0, 0.5) == pytest.approx(
        [0.99, 0.99, 0.5, LOWEST_INVERSE, LOWEST_INVERSE]
    )
    weights = preflop_reweighted(ONES, 0.0, upper=0.8)
    assert weights[parse_holding("AsAh")] == LOWEST_INVERSE
    assert weights[parse_holding("7s2h")] == pytest.approx(0.99)
    assert preflop_reweighted(ONES, 0.0, upper=0.04) == pytest.approx(ONES)


def test_spread_widens_the_line():
    values = np.array([0.5 - 0.4, 0.4, 0.5, 0.6, 0.9])
    assert postflop_factors(values, 0.5, spread=2.0) == pytest.approx([0.01, 0.375, 0.5, 0.625, 1.0])
    weak = parse_holding("7s2h")
    assert preflop_reweighted(ONES, 0.7, spread=4.0)[weak] > preflop_reweighted(ONES, 0.7)[weak]


@pytest.mark.parametrize("seed", range(5))
def test_twins(seed):
    rng = np.random.default_rng(seed)
    weights, values, potential = rng.uniform(0.01, 1, 200), rng.uniform(0, 1, 200), rng.uniform(0, 0.5, 200)
    threshold, odds, upper = rng.uniform(0, 1, 3)
    assert postflop_reweighted(weights, values, potential, threshold, odds) == pytest.approx(
        naive.reweight_postflop(weights, values, potential, threshold, odds)
    )
    assert postflop_reweighted(weights, values, None, threshold, odds, upper) == pytest.approx(
        naive.reweight_postflop(weights, values, None, threshold, odds, upper, LOWEST_INVERSE)
    )
    weights = rng.uniform(0.01, 1, HOLDING_COUNT)
    for share in (threshold, threshold / 20):
        assert preflop_reweighted(weights, share) == pytest.approx(
            naive.reweight_preflop(weights, income_rates(7).tolist(), share)
        )
