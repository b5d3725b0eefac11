"""Cards and holdings as text and numbers: round trips, every spelling that is understood, every refusal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import (
    card_text,
    cards_text,
    check_distinct,
    class_text,
    holding_cards,
    holding_index,
    holding_text,
    parse_board,
    parse_cards,
    parse_holding,
)
from railbird.errors import InvalidCardsError, RailbirdError

some_cards = st.lists(st.integers(0, 51), unique=True, max_size=12)


def test_numbering_of_cards_and_holdings():
    assert [card_text(card) for card in (0, 1, 2, 3, 4, 51)] == ["2c", "2d", "2h", "2s", "3c", "As"]
    assert [holding_text(holding) for holding in (0, 1, 2, 3, 1325)] == ["2d2c", "2h2c", "2h2d", "2s2c", "AsAh"]
    assert [holding_index(*holding_cards(holding)) for holding in range(1326)] == list(range(1326))


@given(some_cards)
def test_cards_survive_text(cards):
    assert parse_cards(cards_text(cards)) == tuple(cards)
    assert parse_cards(cards_text(cards, pretty=True)) == tuple(cards)


@given(some_cards, st.data())
def test_spelling_does_not_matter(cards, data):
    spellings = []
    for card in cards:
        rank, suit = "23456789TJQKA"[card >> 2], card & 3
        ranks = [rank, rank.lower()] + (["10"] if rank == "T" else [])
        suits = ["cdhs"[suit], "CDHS"[suit], "♣♦♥♠"[suit], "♧♢♡♤"[suit], "♣♦♥♠"[suit] + "\ufe0f"]
        blank = data.draw(st.sampled_from(["", " ", ", ", ",", "\t"]))
        spellings.append(data.draw(st.sampled_from(ranks)) + data.draw(st.sampled_from(suits)) + blank)
    assert parse_cards("".join(spellings)) == tuple(cards)


@given(st.integers(0, 1325))
def test_holdings_survive_text_in_either_order(holding):
    text = holding_text(holding)
    assert parse_holding(text) == parse_holding(text[2:] + text[:2]) == holding
    high, low = holding_cards(holding)
    assert high > low
    assert holding_index(low, high) == holding


@given(st.text(alphabet="23456789TJQKAtjqka10cdhsCDHS♣♦♥♠ ,x-", max_size=12))
def test_any_text_is_cards_or_refused_in_words(text):
    try:
        cards = parse_cards(text)
    except RailbirdError as error:
        message = str(error)
        assert repr(text) in message
    else:
        assert parse_cards(cards_text(cards)) == cards


@pytest.mark.parametrize(("text", "street_cards"), [("", 0), ("3h4cJh", 3), ("3h4cJh/8s", 4), ("3h4cJh/8s/2c", 5)])
def test_boards(text, street_cards):
    assert len(parse_board(text)) == street_cards


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: parse_cards("AdXc"), "'Xc' in 'AdXc' is not a card (a rank of 23456789TJQKA and a suit of cdhs)"),
        (lambda: parse_cards("Adx"), "'x' in 'Adx' is not a card (a rank of 23456789TJQKA and a suit of cdhs)"),
        (lambda: parse_cards("1d"), "'1d' in '1d' is not a card (a rank of 23456789TJQKA and a suit of cdhs)"),
        (lambda: parse_cards("AdQc3hAdJh"), "Ad appears twice in 'AdQc3hAdJh'"),
        (lambda: parse_cards("AdQc3h", count=2), "'AdQc3h' has 3 cards where 2 cards belong"),
        (lambda: parse_holding("Ad"), "'Ad' has 1 card where 2 cards belong"),
        (lambda: parse_board("3h4c"), "the board '3h4c' has 2 cards; a board has 0, 3, 4 or 5"),
        (lambda: check_distinct((49, 40), (), (40, 3)), "Qc appears twice in 'AdQc Qc2s'"),
    ],
)
def test_refusals_quote_the_input(call, message):
    with pytest.raises(InvalidCardsError) as refusal:
        call()
    assert str(refusal.value) == message


def test_classes_before_the_flop():
    names = [class_text(holding) for holding in range(1326)]
    assert len(set(names)) == 169
    sizes = {name: names.count(name) for name in set(names)}
    assert {sizes[name] for name in sizes if len(name) == 2} == {6}
    assert {sizes[name] for name in sizes if name.endswith("s")} == {4}
    assert {sizes[name] for name in sizes if name.endswith("o")} == {12}
    assert class_text(parse_holding("9h Ts")) == "T9o"
