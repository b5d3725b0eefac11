"""Ranges in the usual notation: what each term names, round trips, refusals, percentages, the grid."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.cards import class_text, holding_text, parse_holding
from railbird.errors import InvalidRangeError, RailbirdError
from railbird.odds.equity import equity
from railbird.odds.ranges import (
    best_holdings,
    grid,
    grid_name,
    parse_range,
    preflop_counts,
    preflop_order,
    range_text,
)

SEED = 20_240_613
CLASSES = sorted({class_text(holding) for holding in range(1326)})
SIZES = {name: 6 if len(name) == 2 else 4 if name[2] == "s" else 12 for name in CLASSES}


def classes_of(text: str) -> set[str]:
    """The classes that a range names whole; fails where it names a part of one."""
    weights = parse_range(text)
    assert set(weights) <= {0.0, 1.0}
    names = {class_text(holding) for holding in np.flatnonzero(weights)}
    assert weights.sum() == sum(SIZES[name] for name in names)
    return names


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("QQ", "QQ"),
        ("QQ+", "QQ KK AA"),
        ("AA+", "AA"),
        ("AKs", "AKs"),
        ("KAo", "AKo"),
        ("AK", "AKs AKo"),
        ("ATs+", "ATs AJs AQs AKs"),
        ("K9o+", "K9o KTo KJo KQo"),
        ("KT+", "KTs KJs KQs KTo KJo KQo"),
        ("JTs+", "JTs QJs KQs AKs"),
        ("AKo+", "AKo"),
        ("TT-77", "TT 99 88 77"),
        ("77-TT", "TT 99 88 77"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("76s-54s", "76s 65s 54s"),
        ("54s-76s", "76s 65s 54s"),
        ("J9o-86o", "J9o T8o 97o 86o"),
        ("QJ-JT", "QJs QJo JTs JTo"),
        ("QQ+, AKs;76s - 54s  22", "QQ KK AA AKs 76s 65s 54s 22"),
        ("qq+,akS aTO 1010", "QQ KK AA AKs ATo TT"),
        ("A10s–A8s", "ATs A9s A8s"),
        ("none", ""),
        ("none AA", "AA"),
    ],
)
def test_classes_of_a_term(text, classes):
    assert classes_of(text) == set(classes.split())


def test_single_holdings_and_weights():
    assert np.flatnonzero(parse_range("AdQc")).tolist() == [parse_holding("AdQc")]
    assert np.array_equal(parse_range("adqc A♥Q♠ 10h9h"), parse_range("QcAd,QsAh,Th9h"))
    weights = parse_range("AK:0.25, AKs : 50%, AdKd, KK:.5")
    assert weights[parse_holding("AdKd")] == 1
    assert weights[parse_holding("AcKc")] == 0.5
    assert weights[parse_holding("AcKd")] == 0.25
    assert weights.sum() == 12 * 0.25 + 3 * 0.5 + 1 + 6 * 0.5
    assert parse_range("AA, AA:0.5").sum() == parse_range("AA:0.5 AA").sum() == 6  # the greatest weight counts


@pytest.mark.parametrize("text", ["any", "Random", "ALL", "100%", "22+ A2+ K2+ Q2+ J2+ T2+ 92+ 82+ 72+ 62+ 52+ 42+ 32"])
def test_every_holding(text):
    assert parse_range(text).sum() == 1326
    assert range_text(parse_range(text)) == "any"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' names no holding; write for example QQ+, AKs, A2s+, 76s-54s, AdQc, 40% or AKo:0.5"),
        (" , ;", "' , ;' names no holding; write for example QQ+, AKs, A2s+, 76s-54s, AdQc, 40% or AKo:0.5"),
        (
            "QQ+, XX",
            "'XX' in 'QQ+, XX' is not a range of holdings; "
            "write for example QQ+, AKs, A2s+, 76s-54s, AdQc, 40% or AKo:0.5",
        ),
        ("QQs", "'QQs' is not a range of holdings; a pair is neither suited nor offsuit; write QQ"),
        (
            "TT-76s",
            "'TT-76s' is not a range of holdings; "
            "both ends must be pairs, or alike in 's' and 'o', as TT-77 or 76s-54s",
        ),
        (
            "76s-54o",
            "'76s-54o' is not a range of holdings; "
            "both ends must be pairs, or alike in 's' and 'o', as TT-77 or 76s-54s",
        ),
        (
            "76s-53s",
            "'76s-53s' is not a range of holdings; "
            "the ends must share the first card (A5s-A2s) or the distance of the cards (76s-54s)",
        ),
        (
            "Ad Qc",
            "'Ad' in 'Ad Qc' is not a range of holdings; "
            "it is one card; a holding is two cards without a blank, as AdQc",
        ),
        ("AdAd", "'AdAd' is not a range of holdings; it names one card twice"),
        ("140%", "'140%' is not a range of holdings; a percentage is a number from 0% to 100%"),
        ("x%", "'x%' is not a range of holdings; a percentage is a number from 0% to 100%"),
        (
            "AKs:1.5",
            "'AKs:1.5' is not a range of holdings; the weight after ':' is a number from 0 to 1, or from 0% to 100%",
        ),
        (
            "AA, AKs:nan",
            "'AKs:nan' in 'AA, AKs:nan' is not a range of holdings; "
            "the weight after ':' is a number from 0 to 1, or from 0% to 100%",
        ),
    ],
)
def test_refusals_quote_the_term(text, message):
    with pytest.raises(InvalidRangeError) as refusal:
        parse_range(text)
    assert str(refusal.value) == message


@given(st.text(alphabet="23TJQKAtjqkacdhsSO+-%:.;, 1057any", max_size=14))
def test_any_text_is_a_range_or_refused_in_words(text):
    try:
        weights = parse_range(text)
    except RailbirdError as error:
        message = str(error)
        assert repr(text) in message
    else:
        assert weights.min() >= 0
        assert weights.max() <= 1
        assert np.array_equal(parse_range(range_text(weights)), weights)


@settings(deadline=None)
@given(st.sets(st.sampled_from(CLASSES)))
def test_whole_classes_survive_text(names):
    weights = np.array([float(class_text(holding) in names) for holding in range(1326)])
    assert np.array_equal(parse_range(range_text(weights)), weights)


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(CLASSES), st.sampled_from([1.0, 0.5, 1 / 3, 1e-7]), max_size=40),
    st.dictionaries(st.integers(0, 1325), st.floats(0, 1), max_size=10),
)
def test_any_weights_survive_text(of_class, of_holding):
    weights = np.array([of_class.get(class_text(holding), 0.0) for holding in range(1326)])
    for holding, weight in of_holding.items():
        weights[holding] = weight
    assert np.array_equal(parse_range(range_text(weights)), weights)


@pytest.mark.parametrize(
    ("text", "compact"),
    [
        ("AA KK QQ AKs AKo", "QQ+, AK"),
        ("TT 99 88 AQs AJs ATs A9s", "TT-88, AQs-A9s"),
        ("A2s+ AKo", "A2s+, AKo"),
        ("AKs KQs QJs JTs", "JTs+"),
        ("76s 65s 54s 98s", "98s, 76s-54s"),
        ("KQ KJ KTs KTo 32o", "KT+, 32o"),
        ("AA 22:0.5 AdQc:0.5", "AA, 22:0.5, AdQc:0.5"),
        ("none", "none"),
    ],
)
def test_text_is_compact(text, compact):
    assert range_text(parse_range(text)) == compact


@pytest.mark.parametrize(
    "weights", [np.full(1326, 2.0), np.ones(169), np.full(1326, np.nan), np.ones((1326, 2)), None, 1.0, b"x", "AA", {}]
)
def test_range_text_refuses_what_is_no_range(weights):
    with pytest.raises(InvalidRangeError, match="a range has 1,326 weights between 0 and 1, not "):
        range_text(weights)


@pytest.mark.parametrize("values", [np.ones(169), None, "AA"])
def test_a_grid_refuses_what_is_not_by_holding(values):
    with pytest.raises(InvalidRangeError, match="a grid is of 1,326 values, not "):
        grid(values)


def test_preflop_counts_are_complete():
    counts = preflop_counts()
    assert sorted(counts) == CLASSES
    assert {sum(row) for row in counts.values()} == {1225 * 1_712_304}
    # Over all holdings, what one wins the other loses.
    assert sum(SIZES[name] * (wins - losses) for name, (wins, _, losses) in counts.items()) == 0
    equities = [wins + ties / 2 for wins, ties, _ in counts.values()]
    assert equities == sorted(equities, reverse=True)


@pytest.mark.parametrize(("name", "percent"), [("AA", 85.20), ("72o", 34.58), ("32o", 32.30)])
def test_preflop_counts_have_the_known_equities(name, percent):
    wins, ties, losses = preflop_counts()[name]
    assert round(100 * (wins + ties / 2) / (wins + ties + losses), 2) == percent


def test_preflop_counts_of_some_classes_counted_again():
    names = ["AA", "AKs", "32o", *random.Random(SEED).sample(CLASSES, 9)]
    for name in names:
        holding = holding_text(int(np.flatnonzero(parse_range(name))[0]))
        ours, theirs = equity([holding, "any"])
        assert (ours.wins, ours.ties, theirs.wins) == preflop_counts()[name], f"seed {SEED}"


@given(st.floats(0, 100))
def test_percentages_are_exact_and_nested(percent):
    weights = best_holdings(percent)
    assert weights.sum() == pytest.approx(1326 * percent / 100, abs=1e-9)
    assert (weights <= best_holdings(min(100, percent + 1))).all()
    # Whole classes in order, then at most one in part, the same for all its holdings.
    of_class: dict[str, set[float]] = {}
    for holding, weight in enumerate(weights):
        of_class.setdefault(class_text(holding), set()).add(weight)
    assert {len(values) for values in of_class.values()} == {1}
    in_order = [of_class[name].pop() for name in preflop_order()]
    assert in_order == sorted(in_order, reverse=True)
    assert sum(0 < weight < 1 for weight in in_order) <= 1


def test_percentages_in_notation():
    assert np.array_equal(parse_range("40%"), best_holdings(40))
    assert np.array_equal(parse_range("40 % : 0.5"), 0.5 * best_holdings(40))
    assert classes_of(f"{100 * 30 / 1326!r}%") == set(preflop_order()[:5]) == {"AA", "KK", "QQ", "JJ", "TT"}
    assert parse_range("0%").sum() == 0
    with pytest.raises(InvalidRangeError, match="101% is not a share of all holdings"):
        best_holdings(101)


def test_grid_holds_each_class_once():
    names = [grid_name(row, column) for row in range(13) for column in range(13)]
    assert sorted(names) == CLASSES
    for name in ("AA", "AKs", "AKo", "72o", "T9s"):
        assert grid(parse_range(name)).ravel().tolist() == [float(other == name) for other in names]


def test_grid_averages_and_leaves_out_unknown_holdings():
    values = np.zeros(1326)
    values[parse_holding("AdKd")] = 1
    assert grid(values)[0, 1] == 0.25
    values[[parse_holding("AcKc"), parse_holding("AhKh")]] = np.nan
    assert grid(values)[0, 1] == 0.5
    values[:] = np.nan
    assert np.isnan(grid(values)).all()
