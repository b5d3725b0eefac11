"""Players who join, leave and sit out; a button that moves on."""

from __future__ import annotations

import pytest

from railbird.errors import InvalidGameError
from railbird.game.betting import Betting
from railbird.game.payoffs import payoffs
from railbird.game.spec import kuhn_poker, limit_holdem, no_limit_holdem
from railbird.game.table import Table


def test_the_button_passes_over_empty_chairs_and_players_who_sit_out():
    table = Table(seats=6)
    for name, seat in (("Ann", 0), ("Bob", 2), ("Cal", 5)):
        table.sit(name, 100, seat)
    buttons = []
    for _ in range(4):
        table.next_hand()
        buttons.append(table.button)
    assert buttons == [0, 2, 5, 0]
    table.sit_out("Bob")
    assert table.next_hand() == (0, 5)  # the button is last: heads-up it is the small blind
    table.sit_in("Bob")
    assert table.next_hand() == (2, 5, 0)


def test_stacks_move_with_the_hands_and_the_broke_are_left_out():
    table = Table()
    for name, stack in (("Ann", 300), ("Bob", 200), ("Cal", 250)):
        table.sit(name, stack)
    order = table.next_hand()
    game = table.game(no_limit_holdem(6))
    assert game.stacks == tuple(table.seats[seat].stack for seat in order)
    assert game.blinds == (50, 100, 0)
    node = Betting.start(game).play(f"r{game.stacks[2]}cc///")
    table.settle(payoffs(node, [1, 3, 2]))
    assert sum(seat.stack for seat in table.seats if seat) == 750
    broke = [seat.name for seat in table.seats if seat and seat.stack == 0]
    assert broke
    assert all(table.seats[seat].name not in broke for seat in table.next_hand())
    assert table.game(limit_holdem(3)).seats == 2


def test_leaving_returns_the_chips():
    table = Table()
    table.sit("Ann", 70)
    assert table.leave("Ann") == 70
    assert table.seats == [None] * 10


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda t: t.sit("Ann", 5), "'Ann' sits at this table already"),
        (lambda t: t.sit("Cal", 5, seat=0), "seat 0 is not free for 'Cal'"),
        (lambda t: t.sit("Cal", 0), "0 chips"),
        (lambda t: t.sit("Cal") and t.sit("Dee"), "no chair is free for 'Dee'"),
        (lambda t: t.leave("Zoe"), "'Zoe' does not sit at this table (seated: Ann, Bob)"),
        (lambda t: (t.sit_out("Ann"), t.next_hand()), "1 players are sitting in"),
        (lambda t: (t.next_hand(), t.game(kuhn_poker())), "kuhn is a game for 2 players"),
        (lambda t: (t.sit("Cal"), t.next_hand(), t.game(limit_holdem())), "some stacks are limited"),
        (lambda _: Table(24), "24 seats"),
    ],
)
def test_what_cannot_be_done_is_said(act, message):
    table = Table(seats=3)
    table.sit("Ann", 100)
    table.sit("Bob", 100)
    with pytest.raises(InvalidGameError, match=message.replace("(", r"\(").replace(")", r"\)")):
        act(table)
