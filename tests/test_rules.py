"""The rules: worked examples, agreement with the naive table, properties of random play, limits."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from differential.playouts import STYLES, random_action, random_game
from railbird.errors import IllegalActionError, InvalidGameError
from railbird.game.actions import CALL, FOLD, RAISE, Action, raise_to
from railbird.game.betting import Betting, split_history
from railbird.game.payoffs import payoffs
from railbird.game.spec import (
    MOST_SEATS,
    Game,
    Structure,
    kuhn_poker,
    leduc_poker,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    spread_limit_holdem,
)
from railbird.play.steps import Step

SEED = 20_240_612


def start(game: Game, *stacks: int) -> Betting:
    return Betting.start(replace(game, stacks=stacks) if stacks else game)


def raises(node: Betting) -> tuple[int, int]:
    return node.min_raise_to, node.max_raise_to


# Who acts, and what is owed


def test_heads_up_the_button_has_the_small_blind_and_acts_first_before_the_flop_only():
    node = Betting.start(limit_holdem())
    assert (node.to_act, node.to_call, node.committed) == (1, 1, (2, 1))
    assert node.play("cc/").to_act == 0


def test_heads_up_without_reverse_blinds_the_small_blind_is_first_on_every_street():
    node = Betting.start(limit_holdem(reverse_blinds=False))
    assert (node.to_act, node.to_call, node.play("cc/").to_act) == (0, 1, 0)


def test_the_player_behind_the_big_blind_opens_and_the_small_blind_is_first_later():
    node = Betting.start(limit_holdem(6))
    assert node.to_act == 2
    assert node.play("fccfcc/").to_act == 0


def test_the_big_blind_may_raise_when_all_have_called():
    node = Betting.start(limit_holdem(3)).play("cc")
    assert (node.to_act, node.to_call, [str(action) for action in node.legal_actions()]) == (1, 0, ["c", "r"])


def test_antes_are_paid_before_blinds_and_do_not_count_as_bets():
    node = start(no_limit_holdem(3, small_blind=5, big_blind=10, ante=3), 100, 100, 2)
    assert node.committed == (8, 13, 2)
    assert (node.to_act, node.to_call, raises(node)) == (0, 5, (23, 100))


def test_a_big_blind_all_in_for_less_still_costs_the_others_a_full_blind():
    game = no_limit_holdem(4, small_blind=5, big_blind=10)
    node = start(game, 100, 4, 100, 100)
    assert (node.to_act, node.to_call, raises(node)) == (2, 10, (20, 100))
    # With nobody else left the small blind has already covered the four chips.
    assert node.play("ff///").is_showdown


def test_nobody_is_asked_when_all_others_are_all_in_and_nothing_is_owed():
    game = no_limit_holdem(3, small_blind=5, big_blind=10)
    node = start(game, 100, 100, 10).play("cf///")
    assert node.is_showdown
    assert payoffs(node, [0, 1, 2]) == (-5, -10, 15)


def test_streets_without_betting_keep_their_slashes():
    assert Betting.start(no_limit_holdem()).play("r19015r20000c///").history == "r19015r20000c///"
    assert Betting.start(no_limit_holdem()).play("r19015r20000c").history == "r19015r20000c///"


# How much may be raised


def test_fixed_limit_bets_and_the_cap():
    node = Betting.start(limit_holdem()).play("rrr")
    assert node.committed == (6, 8)
    assert not node.can_raise
    with pytest.raises(IllegalActionError, match=r"cannot raise: the preflop is capped at 4 bets \(legal: f, c\)"):
        node.after(RAISE)
    assert node.play("c/cc/rrrr").committed == (20, 24)


@pytest.mark.parametrize("cap", [1, 2, 3, 4, 5])
def test_cap(cap):
    node = Betting.start(limit_holdem(3, cap=cap))
    assert not node.play("r" * (cap - 1)).can_raise
    assert not node.play("ccc/" + "r" * cap).can_raise
    assert node.play("ccc/" + "r" * (cap - 1)).can_raise


def test_heads_up_without_a_cap_raises_never_end():
    node = Betting.start(limit_holdem(cap=None)).play("r" * 500)
    assert (node.can_raise, node.committed) == (True, (1002, 1000))
    assert node.play("c/" + "r" * 501 + "c/").committed == (2004, 2004)
    with pytest.raises(InvalidGameError, match="heads-up"):
        limit_holdem(3, cap=None)


def test_no_limit_raises_are_at_least_the_last():
    node = start(no_limit_holdem(3, small_blind=50, big_blind=100), 5000, 5000, 5000)
    assert raises(node) == (200, 5000)
    assert raises(node.play("r350")) == (600, 5000)
    assert raises(node.play("r350r600")) == (850, 5000)
    assert raises(node.play("r350cc/")) == (450, 5000)


def test_pot_limit_raises_are_at_most_the_pot_after_calling():
    # Robert's Rules, pot limit: to open for the pot is three and a half big blinds with blinds 50 and 100.
    node = start(pot_limit_holdem(3, small_blind=50, big_blind=100), 50_000, 50_000, 50_000)
    assert raises(node) == (200, 350)
    assert raises(node.play("r350")) == (600, 350 * 3 + 100)
    assert raises(node.play("r350cc/")) == (450, 350 + 1050)
    assert raises(node.play("r350cc/r450")) == (550, 350 + 100 + 1150 + 100)


def test_pot_limit_allows_the_smallest_bet_even_where_the_pot_is_smaller():
    game = replace(pot_limit_holdem(2, small_blind=1, big_blind=2), bet_sizes=(2, 50, 50, 50))
    assert raises(Betting.start(game).play("cc/")) == (52, 52)


def test_spread_limit_raises_lie_between_the_last_and_the_largest():
    node = Betting.start(spread_limit_holdem(3, smallest=2, largest=10))
    assert raises(node) == (4, 12)
    assert raises(node.play("r8")) == (14, 18)
    assert not node.play("r8r14r20").can_raise


def test_no_raise_where_no_opponent_has_chips_to_call_it():
    game = no_limit_holdem(3, small_blind=5, big_blind=10)
    # The big blind has 35 chips left of 45, less than the 50 that the small blind is all-in for.
    node = start(game, 50, 45, 500).play("r20r50")
    assert (node.to_act, node.can_raise) == (1, False)
    assert not node.play("c").can_raise
    assert start(game, 50, 51, 500).play("r20r50c").can_raise


# All-ins for less than a raise: Tournament Directors Association, rule 47 with its illustrations


def test_short_all_ins_that_add_up_to_a_raise_open_the_betting_again():
    # Illustration 1: A bets 100, B all-in 125, C calls, D all-in 200, E calls: A faces 100 and may raise, C may not.
    game = no_limit_holdem(5, small_blind=50, big_blind=100)
    node = start(game, 5000, 225, 5000, 300, 5000).play("ccccc/r200r225cr300c")
    assert (node.to_act, node.to_call, raises(node)) == (0, 100, (400, 5000))
    node = node.play("c")
    assert (node.to_act, node.to_call, node.can_raise) == (2, 75, False)
    # Had A raised, C could raise too.
    assert node.game.stacks is not None
    assert start(game, *node.game.stacks).play("ccccc/r200r225cr300cr400").can_raise


def test_a_short_all_in_does_not_open_the_betting_to_those_who_have_acted():
    game = no_limit_holdem(4, small_blind=50, big_blind=100)
    node = start(game, 5000, 5000, 5000, 350).play("r300r350")
    # The blinds have not acted: they may raise, by the last full raise of 200 at least.
    assert (node.to_act, raises(node)) == (0, (550, 5000))
    node = node.play("cc")
    assert (node.to_act, node.to_call, node.can_raise) == (2, 50, False)


def test_a_bet_below_the_smallest_does_not_let_those_raise_who_have_checked():
    game = no_limit_holdem(3, small_blind=50, big_blind=100)
    node = start(game, 5000, 140, 5000).play("ccc/cr140")
    assert (node.to_act, node.to_call, raises(node)) == (2, 40, (240, 5000))
    node = node.play("c")
    assert (node.to_act, node.to_call, node.can_raise) == (0, 40, False)


# Robert's Rules of Poker, "Betting and raising", 6: fixed limit, on a betting round of 20


@pytest.fixture
def twenty() -> Game:
    return limit_holdem(4, small_bet=20, big_bet=40)


def test_half_a_bet_counts_as_a_bet_and_is_raised_by_a_full_one(twenty):
    # "Raising a $15 all-in bet to $35."
    node = start(twenty, 500, 35, 500, 500).play("cccc/cr")
    assert (node.street_bets, node.raises) == ((0, 15, 0, 0), 1)
    assert node.play("r").street_bets == (0, 15, 35, 0)
    node = node.play("cc")
    assert (node.to_act, node.to_call, node.can_raise) == (0, 15, True)


def test_less_than_half_a_bet_is_completed_and_does_not_count(twenty):
    node = start(twenty, 500, 29, 500, 500).play("cccc/cr")
    assert (node.street_bets, node.raises) == ((0, 9, 0, 0), 0)
    assert node.play("r").street_bets == (0, 9, 20, 0)
    assert node.play("r").raises == 1
    node = node.play("cc")
    assert (node.to_act, node.to_call, node.can_raise) == (0, 9, False)


def test_short_all_ins_add_up_to_half_a_bet(twenty):
    # Bets of 6 and then 12: the second makes it a bet. The one who checked faces 12 and may raise, to 32.
    node = start(twenty, 500, 26, 32, 500).play("cccc/crr")
    assert (node.raises, node.street_bets) == (1, (0, 6, 12, 0))
    node = node.play("c")
    assert (node.to_act, node.can_raise, node.min_raise_to) == (0, True, 20 + 32)


def test_half_a_bet_uses_up_the_cap(twenty):
    game = replace(twenty, max_raises=(3, 2, 2, 2))
    assert start(game, 500, 35, 500, 500).play("cccc/crr").raises == 2
    assert not start(game, 500, 35, 500, 500).play("cccc/crr").can_raise
    assert start(game, 500, 29, 500, 500).play("cccc/crr").can_raise


# Payoffs


def test_side_pots():
    game = no_limit_holdem(4, small_blind=5, big_blind=10)
    node = start(game, 50, 100, 200, 200).play("r200ccc///")
    assert payoffs(node, [9, 8, 7, 6]) == (150, 50, 0, -200)
    assert payoffs(node, [9, 1, 7, 7]) == (150, -100, -25, -25)
    assert payoffs(node, [1, 2, 3, 3]) == (-50, -100, 75, 75)


def test_an_uncalled_bet_comes_back():
    node = start(no_limit_holdem(2, small_blind=5, big_blind=10), 60, 300).play("r300c///")
    assert payoffs(node, [1, 2]) == (-60, 60)
    assert payoffs(node, [2, 1]) == (60, -60)


def test_odd_chips_go_one_each_to_the_winners_left_of_the_button():
    node = Betting.start(limit_holdem(5)).play("rcccc/ccccc/ccccc/ccccc")
    assert payoffs(node, [0, 7, 7, 7, 0]) == (-4, 3, 3, 2, -4)
    assert payoffs(node, [7, 0, 0, 7, 7]) == (3, -4, -4, 3, 2)


def test_odd_chips_are_counted_pot_by_pot():
    # 17 chips in the main pot, 13 above it: each leaves one chip, and both go to the first of the two winners.
    node = start(no_limit_holdem(5, small_blind=1, big_blind=2), 100, 4, 100, 100, 100).play("r5r10cfcf/cc/cc/cc")
    assert node.committed == (1, 4, 5, 10, 10)
    assert payoffs(node, [9, 0, 9, 1, 1]) == (-1, -4, -5, 6, 4)


def test_without_a_showdown_no_ranks_are_needed():
    assert payoffs(Betting.start(limit_holdem(3)).play("rff")) == (-1, -2, 3)


# Agreement with the naive table


@pytest.mark.parametrize("structure", list(Structure))
def test_naive_table(structure):
    for seed in range(SEED, SEED + 500):
        rng = Random(seed)
        game = random_game(rng, (structure,), 8)
        table = naive.BettingTable(
            str(structure),
            game.blinds,
            game.bet_sizes,
            game.max_raises,
            game.first_to_act,
            game.ante,
            game.stacks,
            game.largest_bets,
        )
        node, weights = Betting.start(game), rng.choice(STYLES)
        while not node.is_over:
            told = f"seed {seed}, {game}, betting {node.history!r}"
            committed = tuple([table.paid(p) for p in table.seats])
            assert ((node.street, node.to_act), node.committed) == (table.turn(), committed), told
            assert node.pot == sum(committed), told
            owed = table.owed(node.street, node.to_act)
            assert (node.can_fold, node.to_call) == (owed > 0, min(owed, table.left(node.to_act))), told
            assert raises(node) == table.raise_bounds(), told
            action = random_action(rng, node, weights)
            table.act(action.kind, action.amount)
            node = node.after(action)
        told = f"seed {seed}, {game}, betting {node.history!r}"
        assert table.turn()[1] is None, told
        assert list(node.live) == table.live(), told
        if max(node.committed) < 20_000:
            ranks = rng.choices(range(3), k=game.seats)
            assert list(payoffs(node, ranks)) == naive.shared_pots(node.committed, node.live, ranks), told


# Properties


@st.composite
def games(draw):
    seats = draw(st.integers(2, 8))
    big_blind = draw(st.sampled_from([2, 5, 10]))
    blinds = {"small_blind": draw(st.integers(1, big_blind)), "big_blind": big_blind}
    common = {"ante": draw(st.integers(0, 3)), "reverse_blinds": draw(st.booleans())}
    structure = draw(st.sampled_from(list(Structure)))
    if structure is Structure.FIXED_LIMIT:
        game = limit_holdem(seats, small_bet=big_blind, cap=draw(st.integers(1, 5)), **blinds, **common)
    elif structure is Structure.SPREAD_LIMIT:
        game = spread_limit_holdem(seats, smallest=big_blind, largest=3 * big_blind, **blinds, **common)
    else:
        make = no_limit_holdem if structure is Structure.NO_LIMIT else pot_limit_holdem
        game = make(seats, **blinds, **common)
    has_stacks = game.stacks is not None or draw(st.booleans())
    stacks = draw(st.lists(st.integers(1, 40 * big_blind), min_size=seats, max_size=seats))
    return replace(game, stacks=tuple(stacks) if has_stacks else None, free_fold=draw(st.booleans()))


choices = st.lists(st.integers(0, 2**16), max_size=120)


def playout(game, numbers):
    """The nodes of a hand in which each number picks one of the legal actions; when they run out all call."""
    nodes, numbers = [Betting.start(game)], list(numbers)
    while not nodes[-1].is_over:
        node = nodes[-1]
        options = list(node.legal_actions())
        if node.can_raise and game.structure is not Structure.FIXED_LIMIT:
            options.append(raise_to((node.min_raise_to + node.max_raise_to) // 2))
        nodes.append(node.after(options[numbers.pop() % len(options)] if numbers else CALL))
        assert len(nodes) < 1000
    return nodes


@given(games(), choices)
@settings(max_examples=400, deadline=None)
def test_chips_are_conserved(game, numbers):
    nodes = playout(game, numbers)
    for before, node in pairwise(nodes):
        mover = before.to_act
        assert [p for p in range(game.seats) if before.committed[p] != node.committed[p]] in ([], [mover])
        assert node.committed[mover] >= before.committed[mover]
        if game.stacks is not None:
            assert all(chips <= stack for chips, stack in zip(node.committed, game.stacks))
    end = nodes[-1]
    ranks = [(7 * p + len(numbers)) % 3 for p in range(game.seats)]
    won = payoffs(end, ranks)
    assert sum(won) == 0
    assert all(-chips <= result for chips, result in zip(end.committed, won))
    most = max(end.committed[p] for p in end.live)
    for p, chips in enumerate(end.committed):
        if p not in end.live:
            assert won[p] == -chips
        elif chips < most:
            # From nobody more than was put at risk against them.
            assert won[p] <= sum(min(chips, other) for other in end.committed) - chips


@given(games(), choices)
@settings(max_examples=400, deadline=None)
def test_every_decision_is_sound(game, numbers):
    for node in playout(game, numbers)[:-1]:
        legal = node.legal_actions()
        assert CALL in legal
        assert len(set(legal)) == len(legal)
        assert all(node.is_legal(action) for action in legal)
        assert (FOLD in legal) == (game.free_fold or node.to_call > 0)
        assert not node.folded >> node.to_act & 1
        least, most = raises(node)
        assert (least > 0) == (most > 0) == node.can_raise
        if node.can_raise:
            assert node.committed[node.to_act] + node.to_call < least <= most


@given(games(), choices)
@settings(max_examples=200, deadline=None)
def test_betting_strings_lead_back(game, numbers):
    end = playout(game, numbers)[-1]
    first = Betting.start(game)
    assert first.play(end.history) == end
    assert "".join(split_history(end.history)) == end.history
    actions = [Action.parse(text) for text in split_history(end.history) if text != "/"]
    assert "".join(map(str, actions)) == end.history.replace("/", "")


@given(games(), choices, st.sampled_from("fcrkbx"), st.integers(-10, 5000))
@settings(max_examples=400, deadline=None)
def test_illegal_actions_are_refused_and_change_nothing(game, numbers, kind, amount):
    for node in playout(game, numbers):
        action = Action(kind, amount)
        before = tuple(node)
        if node.is_legal(action):
            assert node.after(action).history.startswith(node.history)
        else:
            with pytest.raises(IllegalActionError):
                node.after(action)
        assert tuple(node) == before


@pytest.mark.parametrize("wrong", ["x", "cx", "c5", "rr5", "fr", "c/c", "cc//", "/cc", "ccf", "r²", "cr-1", "rrrr"])
def test_wrong_betting_strings_are_refused(wrong):
    with pytest.raises(IllegalActionError):
        Betting.start(limit_holdem()).play(wrong)


def test_the_message_says_what_is_legal():
    with pytest.raises(IllegalActionError, match=r"cannot fold: checking is free \(legal: c, r\) in 'cc/'"):
        Betting.start(limit_holdem()).play("cc/f")
    with pytest.raises(IllegalActionError, match="cannot raise to 150: allowed is r200 to r20000 in ''"):
        Betting.start(no_limit_holdem()).play("r150")
    with pytest.raises(IllegalActionError, match="the hand is over"):
        Betting.start(limit_holdem()).play("fc")


# Sizes


@pytest.mark.parametrize("seats", range(2, MOST_SEATS + 1))
def test_every_number_of_seats(seats):
    node = Betting.start(limit_holdem(seats)).play("c" * seats + "/")
    assert (node.pot, node.to_act, node.live) == (2 * seats, 0, tuple(range(seats)))
    node = node.play("c" * (seats - 1) + "r")
    assert (node.to_act, node.to_play.bit_count()) == (0, seats - 1)
    assert payoffs(node.play("f" * (seats - 1)))[seats - 1] == 2 * (seats - 1)


@pytest.mark.parametrize("seats", [0, 1, 24])
def test_too_few_or_too_many_seats(seats):
    with pytest.raises(InvalidGameError, match=f"{seats} seats"):
        limit_holdem(seats)


def test_kuhn_and_leduc():
    assert [str(a) for a in Betting.start(kuhn_poker()).legal_actions()] == ["c", "r"]
    assert payoffs(Betting.start(kuhn_poker()).play("crc"), [0, 2]) == (-2, 2)
    leduc = Betting.start(leduc_poker()).play("crrc/rrc")
    assert (leduc.is_showdown, leduc.committed) == (True, (13, 13))


@pytest.mark.parametrize("amount", [300.5, 300.0, "300", None, True])
def test_amounts_are_whole_chips(amount):
    with pytest.raises(IllegalActionError, match="whole number"):
        Betting.start(no_limit_holdem()).after(Action("r", amount))


# Steps that remember


def test_steps_are_the_nodes_of_the_betting_and_pay_the_same():
    random = Random(SEED)
    for _ in range(400):
        game = random_game(random, tuple(Structure), 6)
        style = random.choice(STYLES)
        for _ in range(3):
            node, step = Betting.start(game), Step.first(game)
            while not node.is_over:
                assert step.to_act == node.to_act
                action = random_action(random, node, style)
                node, step = node.after(action), step.after(action)
                assert (step.node, step.street) == (node, node.street)
            ranks = [random.randrange(4) for _ in range(game.seats)]
            assert step.payoffs(ranks) == payoffs(node, ranks)
            assert step.live == node.live


def test_steps_refuse_what_the_betting_refuses_even_where_it_was_found_before():
    step = Step.first(no_limit_holdem())
    assert step.after(raise_to(300)) is step.after(raise_to(300))
    for wrong in (Action("r", 300.0), Action("r", True), Action("r", [300]), Action(["r"], 300), Action("r", 10**9)):
        with pytest.raises((IllegalActionError, TypeError)) as refused:
            step.after(wrong)
        with pytest.raises(refused.type, match=re.escape(str(refused.value))):
            step.node.after(wrong)


def test_only_so_many_steps_are_remembered():
    first = Step(Betting.start(no_limit_holdem()), [5])
    kept = [first.after(raise_to(200 + chips)) for chips in range(8)]
    assert [first.after(raise_to(200 + chips)) is step for chips, step in enumerate(kept)] == [True] * 5 + [False] * 3
