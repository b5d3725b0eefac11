"""DIVAT: the tables against exact fractions, the value function against itself, whole logs against the identity."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from railbird.assess.baseline import CLASSES, baseline_action, baseline_end, baseline_outcomes, check_game
from railbird.assess.divat import Assessment, assess, value_of_game
from railbird.assess.hand_ranks import hand_rank
from railbird.assess.replay import hand_steps
from railbird.assess.settings import BETTING, FOLDING, STANDARD, parse_settings
from railbird.assess.summary import assess_pairs, runtime_divat
from railbird.assess.tables import divat_tables
from railbird.assess.values import all_in_equity, preflop_rollout_of, rollout_equity
from railbird.cards import cards_text, holding_cards, holding_index, parse_cards
from railbird.errors import AssessmentError
from railbird.formats.acpc import record_line
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.game.spec import kuhn_poker, limit_holdem, no_limit_holdem
from railbird.kernels.cards.isomorphism import isomorphism_table
from railbird.kernels.divat import preflop as divat_preflop
from railbird.kernels.divat import two_holdings as divat_values
from railbird.kernels.divat.boards import CLASS_MASK, all_boards, flop_number, moved_card, place
from railbird.kernels.divat.codes import BLOCKED
from railbird.play.match_logs import read_hand_arrays

SHIPPED = ("standard", "standard:fold=faced", "standard:rollout=7chr", "standard:fold=faced,rollout=7chr")
"""The settings whose tables ship."""


def dealt(generator, count):
    return [int(card) for card in generator.permutation(52)[:count]]


def text(cards):
    return cards_text(cards)


def table_code(tables, holding, board):
    """The code that the tables have for a holding on a board."""
    boards = all_boards()
    packed = boards.flops[flop_number.py_func(*sorted(board[:3]))]
    flop = packed & CLASS_MASK
    first, second, *later = (int(moved_card.py_func(packed, card)) for card in [*holding, *board[3:]])
    row = boards.flop_rows[flop]
    if later:
        row = boards.turns[flop, later[0]] if len(later) == 1 else boards.rivers[flop, holding_index(*later)]
    return int(tables.codes[len(board) - 3][place.py_func(int(row), first, second)])


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_codes_are_the_classes_of_exact_hand_ranks(cards):
    tables, generator = divat_tables(STANDARD), np.random.default_rng(cards)
    for _ in range(150):
        deal = dealt(generator, cards + 2)
        code, rank = table_code(tables, deal[:2], deal[2:]), hand_rank(text(deal[:2]), text(deal[2:]))
        assert code & 7 == rank.level()
        for bets_in in (1, 2, 3, 5, 8, 16, 31):
            expected = rank.class_name(bets_in)
            assert (expected == "F") == (code & 7 == 0 and bets_in <= code >> 3), (deal, bets_in)


def test_cards_on_the_board_are_blocked():
    board = parse_cards("Td5hTh")
    assert table_code(divat_tables(STANDARD), parse_cards("TdAc"), board) == BLOCKED


def test_hand_ranks_against_plain_enumeration():
    generator = np.random.default_rng(11)
    for cards in (3, 4, 5):
        deal = dealt(generator, cards + 2)
        ahead = tied = total = 0
        own = naive.rank(deal)
        rest = [card for card in range(52) if card not in deal]
        for i, first in enumerate(rest):
            for second in rest[:i]:
                other = naive.rank([first, second, *deal[2:]])
                ahead, tied, total = ahead + (own > other), tied + (own == other), total + 1
        assert hand_rank(text(deal[:2]), text(deal[2:])).ihr == Fraction(2 * ahead + tied, 2 * total)


def street_end(first, second, board, bets_in, chosen):
    """How the baseline ends the street that begins with `board`, from exact hand ranks: (bets in, won by a fold)."""
    ranks = [hand_rank(text(hole), text(board)) for hole in (first, second)]
    classes = tuple(rank.class_name(bets_in, chosen) for rank in ranks)
    at = 6 * CLASSES.index(classes[0]) + CLASSES.index(classes[1])
    outcome = int(baseline_outcomes(limit_holdem()).later[at])
    if outcome < 0:
        return 0, bets_in if outcome == -2 else -bets_in
    return bets_in + outcome * (1 if len(board) == 3 else 2), 0


@pytest.mark.parametrize("name", ["standard", "standard:fold=faced"])
def test_turn_values_are_the_mean_of_river_values(name):
    # Section 4.1: the value function is consistent over every chance event, here the river card, exactly.
    chosen, generator = parse_settings(name), np.random.default_rng(4)
    for _ in range(8):
        deal = dealt(generator, 8)
        first, second, board = deal[:2], deal[2:4], deal[4:]
        bets_in = int(generator.integers(1, 17))
        signs, values = [], []
        for river in set(range(52)) - set(deal):
            difference = naive.rank([*first, *board, river]) - naive.rank([*second, *board, river])
            signs.append((difference > 0) - (difference < 0))
            total, folded = street_end(first, second, [*board, river], bets_in, chosen)
            values.append(total * signs[-1] + folded)
        assert len(values) == 44
        found = rollout_equity(text(first), text(second), text(board), bets_in, chosen)
        assert round(44 * found, 6) == sum(values), deal
        assert 44 * all_in_equity(text(first), text(second), text(board)) == pytest.approx(sum(signs))


@pytest.mark.parametrize("name", ["standard", "standard:fold=faced"])
def test_flop_values_are_the_mean_of_turn_values(name):
    chosen, generator = parse_settings(name), np.random.default_rng(5)
    for _ in range(4):
        deal = dealt(generator, 7)
        first, second, board = deal[:2], deal[2:4], deal[4:]
        bets_in = int(generator.integers(1, 9))
        values = []
        for turn in set(range(52)) - set(deal):
            total, folded = street_end(first, second, [*board, turn], bets_in, chosen)
            rolled_out = rollout_equity(text(first), text(second), text([*board, turn]), total, chosen) if total else 0
            values.append(rolled_out + folded)
        found = rollout_equity(text(first), text(second), text(board), bets_in, chosen)
        assert found == pytest.approx(sum(values) / 45, abs=1e-12), deal


def test_values_before_the_flop_are_the_mean_of_flop_values():
    # Pots of more than four bets are rolled out over five-card boards; this rolls out each flop.
    bets_in, chosen, generator = 6, parse_settings("standard:fold=faced"), np.random.default_rng(6)
    tables, outcomes = divat_tables(chosen), baseline_outcomes(limit_holdem())
    deal = dealt(generator, 4)
    first, second = text(deal[:2]), text(deal[2:])
    total = 0.0
    for flop in combinations(sorted(set(range(52)) - set(deal)), 3):
        codes = [table_code(tables, hole, flop) for hole in (deal[:2], deal[2:])]
        classes = [code + 1 if code & 7 else int(bets_in > code >> 3) for code in codes]
        outcome = int(outcomes.later[6 * classes[0] + classes[1]])
        if outcome < 0:
            total += bets_in if outcome == -2 else -bets_in
        else:
            total += rollout_equity(first, second, text(flop), bets_in + outcome, chosen)
    assert preflop_rollout_of(tables, outcomes, np.array(deal), bets_in) == pytest.approx(total / 17_296, abs=1e-9)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_rollout_of_one_pair_is_that_of_the_table(name):
    # The table comes from four-card boards and bit counting.
    tables, outcomes = divat_tables(parse_settings(name)), baseline_outcomes(limit_holdem())
    generator = np.random.default_rng(12)
    for bets_in in (1, 2, 3, 4):
        deal = np.array(dealt(generator, 4))
        summed = divat_values.roll_out_preflop(tables.preflop_baseline(outcomes), deal, bets_in)
        assert preflop_rollout_of(tables, outcomes, deal, bets_in) * 34_246_080 == pytest.approx(summed, abs=1e-3), deal


def test_the_seven_card_rank_decides_in_large_pots_too():
    usual, other = (parse_settings(name) for name in (SHIPPED[0], SHIPPED[2]))
    outcomes, deal = baseline_outcomes(limit_holdem()), np.array(parse_cards("Ts6sJd5d"))
    values = [preflop_rollout_of(divat_tables(chosen), outcomes, deal, 6) for chosen in (usual, other)]
    summed = divat_values.roll_out_preflop(divat_tables(other).preflop_baseline(outcomes), deal, 6)
    assert values[1] == summed / 34_246_080 != values[0]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_table_is_fair(name):
    # Whatever one of two holdings wins all-in the other loses. A sum of some board that got lost would show here.
    tables = divat_tables(parse_settings(name))
    cards = np.array([holding_cards(holding) for holding in range(1326)])
    for row, own in enumerate(tables.preflop_holdings):
        # The own cards as each other holding's class names the suits.
        moved = [(card & ~3) | (tables.preflop_suits >> 2 * (card & 3) & 3) for card in cards[own]]
        high, low = np.maximum(*moved), np.minimum(*moved)
        other_way = tables.preflop[tables.preflop_rows, high * (high - 1) // 2 + low, 4]
        apart = ~np.isin(cards, cards[own]).any(axis=1)
        assert np.array_equal(tables.preflop[row, apart, 4], -other_way[apart])


def test_the_rows_of_the_rollout_are_shared_out_whatever_the_board():
    # Threads add to the sums at the same time, each on a board of its own.
    tables, outcomes = divat_tables(STANDARD), baseline_outcomes(limit_holdem())
    baseline, found = tables.baseline(outcomes), []
    for part, parts in ((0, 1), (0, 3), (1, 3), (2, 3)):
        sums = np.zeros((1326, 1326, divat_preflop.COLUMNS), np.int32)
        wrong = divat_preflop.roll_out_boards(baseline, isomorphism_table(), 7_000, 7_004, part, parts, sums)
        assert not wrong
        found.append(sums)
    whole, *shares = found
    assert np.array_equal(whole, sum(shares))
    rows = [set(np.flatnonzero(share.any(axis=(1, 2)))) for share in shares]
    assert all(len(one) > 300 for one in rows)
    assert not rows[0] & rows[1] | rows[0] & rows[2] | rows[1] & rows[2]


# Logs of random play.


def random_record(generator, game, number=0, names=("Ann", "Bob")):
    deal = dealt(generator, 9)
    node = Betting.start(game)
    while not node.is_over:
        legal = node.legal_actions()
        weights = np.array([0.1 if str(action) == "f" else 1.0 for action in legal])
        node = node.after(legal[int(generator.choice(len(legal), p=weights / weights.sum()))])
    board = tuple(deal[4 : 4 + game.board_seen(node.street)])
    record = HandRecord(game, number, names, (tuple(deal[:2]), tuple(deal[2:4])), board, node.history, (0, 0))
    return HandRecord(**{**vars(record), "payoffs": record.replayed_payoffs()})


def log_of(tmp_path, records, name="random.log"):
    path = tmp_path / name
    path.write_text("".join(f"{record_line(record)}\n" for record in records))
    return path


@pytest.fixture(scope="module")
def random_log(tmp_path_factory):
    generator = np.random.default_rng(7)
    game = limit_holdem()
    records = [random_record(generator, game, n, ("Ann", "Bob") if n % 2 else ("Bob", "Ann")) for n in range(600)]
    return read_hand_arrays([log_of(tmp_path_factory.mktemp("logs"), records)])


@pytest.fixture(scope="module")
def assessed(random_log) -> Assessment:
    return assess(random_log)


def test_money_is_skill_luck_and_position(assessed):
    total = assessed.divat + assessed.luck.sum(axis=1) + assessed.position
    assert total == pytest.approx(assessed.money, abs=1e-9)


def test_values_after_the_last_street_are_the_money(assessed):
    last = assessed.hands.last_street.astype(int)
    assert assessed.actual[np.arange(len(assessed)), last] == pytest.approx(assessed.money)
    assert assessed.actual_all_in[np.arange(len(assessed)), last] == pytest.approx(assessed.money)


def test_streets_against_the_friendly_functions(assessed):
    game = limit_holdem()
    outcomes = baseline_outcomes(game)
    for n in range(40):
        record, steps = hand_steps(assessed, n)
        holes = [text(hole) for hole in record.holes]
        node = Betting.start(game)
        for street, step in enumerate(steps):
            board = text(record.board_on(street))
            bets_in = max(1, node.committed[0] // game.small_bet) if street else 1
            assert step.classes == tuple(rank.class_name(bets_in) for rank in step.ranks)
            end = baseline_end(node, step.classes)
            if not end.is_over:
                value = rollout_equity(*holes, board, end.committed[0] // game.small_bet)
                assert step.baseline_value == pytest.approx(value, abs=1e-12)
            node = node.play("/".join(record.history.split("/")[: street + 1])[len(node.history) :].strip("/"))
    assert outcomes.later.min() == -2


def test_whoever_leaves_the_baseline_first_is_named(assessed):
    for n in range(200):
        record, steps = hand_steps(assessed, n)
        expected = [-1] * 4
        for node, action in record.steps():
            wanted = baseline_action(node, steps[node.street].classes[node.to_act])
            if wanted != action and expected[node.street] < 0:
                expected[node.street] = node.to_act
        assert assessed.deviator[n].tolist() == expected


def test_the_baseline_against_itself(tmp_path):
    generator, game, records = np.random.default_rng(8), limit_holdem(), []
    for number in range(150):
        deal = dealt(generator, 9)
        holes, node = (tuple(deal[:2]), tuple(deal[2:4])), Betting.start(limit_holdem())
        while not node.is_over:
            board = text(deal[4 : 4 + game.board_seen(node.street)])
            bets_in = max(1, node.committed[0] // game.small_bet) if node.street else 1
            names = tuple(hand_rank(text(hole), board).class_name(bets_in) for hole in holes)
            node = baseline_end(node, names)
        board = tuple(deal[4 : 4 + game.board_seen(node.street)])
        record = HandRecord(game, number, ("Ann", "Bob"), holes, board, node.history, (0, 0))
        records.append(HandRecord(**{**vars(record), "payoffs": record.replayed_payoffs()}))
    found = assess(read_hand_arrays([log_of(tmp_path, records)]))
    assert not found.difference.any()
    assert not found.all_in_difference.any()
    assert (found.deviator == -1).all()
    assert found.dcash == pytest.approx(found.money)
    assert not found.red_green.any()


def test_suits_do_not_matter(random_log, assessed):
    moved = np.array([2, 0, 3, 1])
    rename = np.arange(256)
    rename[:52] = (np.arange(52) & ~3) | moved[np.arange(52) & 3]
    from dataclasses import replace

    other = assess(
        replace(
            random_log, holes=rename[random_log.holes].astype(np.uint8), board=rename[random_log.board].astype(np.uint8)
        )
    )
    assert np.array_equal(other.actual, assessed.actual, equal_nan=True)
    assert np.array_equal(other.dcash, assessed.dcash)


def test_number_of_workers_does_not_matter(random_log, assessed):
    assert np.array_equal(assess(random_log, workers=1).actual, assessed.actual, equal_nan=True)


def test_nobody_gains_all_in_equity_on_the_best_action(assessed):
    assert (assessed.evat <= 1e-12).all()
    assert (assessed.evat.min(axis=0) < -1).all()


def test_all_in_luck_adds_up(assessed):
    # Without skill: the share of the pot before the flop, and what each card changed, is what comes out.
    shown = assessed.hands.folder < 0
    checked = shown & ((assessed.hands.actions == 2).sum(axis=(1, 2)) == 0)
    assert checked.any()
    total = assessed.actual_all_in[checked, 0] + assessed.lfat[checked].sum(axis=1)
    assert total == pytest.approx(assessed.money[checked])


# Other games.


def test_more_than_four_bets_before_the_flop(tmp_path):
    game = limit_holdem(cap=None)
    holes = (parse_cards("AsAh"), parse_cards("KdKc"))
    record = HandRecord(game, 0, ("Ann", "Bob"), holes, parse_cards("2c7d9h3sJs"), "rrrrrc/cc/cc/cc", (0, 0))
    record = HandRecord(**{**vars(record), "payoffs": record.replayed_payoffs()})
    found = assess(read_hand_arrays([log_of(tmp_path, [record])], game))
    assert found.money[0] == 6
    assert found.actual[0, 0] == pytest.approx(rollout_equity("AsAh", "KdKc", "", 6), abs=1e-12)
    assert found.actual[0, 0] == pytest.approx(8.28592925 + 2 * 0.6251, abs=0.002)  # goes on as from three to four bets
    assert found.divat[0] + found.luck[0].sum() + found.position == pytest.approx(6)


def test_large_pots_are_rolled_out_once_for_pairs_that_differ_only_in_suits(tmp_path, monkeypatch):
    game = limit_holdem(cap=None)
    records = []
    for number, (first, second) in enumerate([("AsAh", "KdKc"), ("AdAc", "KhKs"), ("KdKc", "AsAh"), ("AsAh", "KdKs")]):
        holes = (parse_cards(first), parse_cards(second))
        record = HandRecord(game, number, ("Ann", "Bob"), holes, parse_cards("2c7d9h3sJs"), "rrrrrc/cc/cc/cc", (0, 0))
        records.append(HandRecord(**{**vars(record), "payoffs": record.replayed_payoffs()}))
    tables = divat_tables(STANDARD)
    monkeypatch.setitem(vars(tables), "large_pots", {})
    found = assess(read_hand_arrays([log_of(tmp_path, records)], game)).actual[:, 0]
    assert len(tables.large_pots) == 3
    assert found[0] == found[1] == rollout_equity("AsAh", "KdKc", "", 6)
    assert found[2] == rollout_equity("KdKc", "AsAh", "", 6)
    assert found[3] == rollout_equity("AsAh", "KdKs", "", 6) != found[0]


def test_blinds_that_are_not_reversed():
    game = limit_holdem(reverse_blinds=False)
    outcomes = baseline_outcomes(game).preflop.reshape(6, 6)
    reverse = baseline_outcomes(limit_holdem()).preflop.reshape(6, 6)
    swapped = np.where(reverse.T < 0, -3 - reverse.T, reverse.T)
    assert np.array_equal(outcomes, swapped)
    assert -0.2 < value_of_game(STANDARD, game) < 0  # first on every street is the worse seat


@pytest.mark.parametrize("game", [kuhn_poker(), limit_holdem(3), no_limit_holdem(), limit_holdem(cap=3)])
def test_other_games_are_refused(game):
    with pytest.raises(AssessmentError, match="cannot be assessed"):
        check_game(game)


# Settings.


@given(
    st.sampled_from(sorted(BETTING)),
    st.sampled_from(sorted(BETTING)),
    st.sampled_from(sorted(FOLDING)),
    st.sampled_from(sorted(FOLDING)),
    st.sampled_from(["pot", "faced"]),
)
@settings(max_examples=30)
def test_settings_are_read_back(flop_bets, turn_bets, flop_folds, turn_folds, fold):
    chosen = parse_settings(
        f"standard:flop_bets={flop_bets},turn_bets={turn_bets},flop_folds={flop_folds},turn_folds={turn_folds},fold={fold}"
    )
    assert chosen.bets[1] == tuple(map(Fraction, BETTING[flop_bets]))
    assert chosen.fold_offsets[1:3] == (Fraction(FOLDING[flop_folds][0]), Fraction(FOLDING[turn_folds][1]))
    assert (chosen == STANDARD) == ((flop_bets, turn_bets, flop_folds, turn_folds, fold) == ("normal",) * 4 + ("pot",))


def test_settings_of_any_numbers():
    row = "/".join(BETTING["normal"])
    assert parse_settings(f"standard:preflop_bets={row},flop_bets={row},turn_bets={row},turn_folds=0.100") == STANDARD
    assert parse_settings("standard:flop_bets=0.580/0.825/0.930/0.965") == STANDARD
    chosen = parse_settings("standard:river_bets=0/.25/0.5/1,preflop_folds=-0.05,flop_folds=0.02,river_folds=0.01")
    assert chosen.bets == (*STANDARD.bets[:3], (0, Fraction(1, 4), Fraction(1, 2), 1))
    assert chosen.fold_offsets == (Fraction(-1, 20), Fraction(1, 50), Fraction(1, 10), Fraction(1, 100))
    assert parse_settings("standard:river_bets=normal").bets[3] == STANDARD.bets[1]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("standart", "no settings 'standart'"),
        ("standard:flop_bets=agressive-high", "did you mean 'aggressive-high'"),
        ("standard:folds=1", "no parameter 'folds'"),
        ("standard:fold=maybe", "it should be one of pot, faced"),
        ("standard:flop_bets=0.5/0.6/0.7", "flop_bets=0.5/0.6/0.7: 3 numbers where the ranks worth 1 to 4 bets belong"),
        ("standard:flop_bets=0.5", "1 number where the ranks worth 1 to 4 bets belong"),
        ("standard:turn_bets=0.5/0.6/0.7/0.8/0.9", "5 numbers where"),
        ("standard:turn_bets=0.5/0.6/0.7/1.01", "turn_bets=.*: hand ranks are numbers from 0 to 1"),
        ("standard:turn_bets=-0.5/0.6/0.7/0.8", "hand ranks are numbers from 0 to 1"),
        ("standard:river_bets=0.5/0.7/0.6/0.8", "the ranks worth 1 to 4 bets must rise"),
        ("standard:river_bets=0.5/0.6/0.6/0.8", "the ranks worth 1 to 4 bets must rise"),
        ("standard:preflop_bets=0.5/0.6/much/0.8", "'much' is not a number"),
        ("standard:flop_bets=nan/0.6/0.7/0.8", "'nan' is not a number"),
        ("standard:flop_folds=1.5", "flop_folds=1.5: fold offsets are numbers from -1 to 1"),
        ("standard:turn_folds=1e999999999", "or one number, as in 0.075"),
        ("standard:river_folds=normal", "no row 'normal' for river_folds .give one number"),
    ],
)
def test_settings_that_lead_nowhere(written, message):
    with pytest.raises(AssessmentError, match=message):
        parse_settings(written)


# Summaries.


def test_a_summary_adds_up(random_log):
    (pair,) = assess_pairs(random_log)
    assert (pair.first, pair.second) == ("Bob", "Ann")
    money = sum(record.payoffs[record.names.index("Bob")] for record in map(random_log.record, range(600))) / 2 / 600
    assert pair.estimate("money").mean == pytest.approx(money)
    parts = [pair.estimate(measure).mean for measure in ("divat", "luck", "position")]
    assert sum(parts) == pytest.approx(money)
    assert pair.estimate("position").mean == pytest.approx(0, abs=1e-12)  # 300 hands in each seat
    assert sum(pair.street(street).mean for street in range(4)) == pytest.approx(parts[0])
    assert pair.points(0).mean - pair.points(1).mean == pytest.approx(parts[0])
    assert "duplicate" not in pair.values
    with pytest.raises(AssessmentError, match="'duplicate' cannot be had"):
        pair.estimate("duplicate")


def test_duplicate_pairs(tmp_path):
    generator = np.random.default_rng(9)
    ones = [random_record(generator, limit_holdem(), number, ("Ann", "Bob")) for number in range(40)]
    others = [HandRecord(**{**vars(one), "names": ("Bob", "Ann")}) for one in ones]
    logs = [log_of(tmp_path, ones, "one.log"), log_of(tmp_path, others, "other.log")]
    (pair,) = assess_pairs(read_hand_arrays(logs))
    assert len(pair.pairs) == 40
    # The second time the other player wins the same: nobody is better.
    assert not np.any(pair.values["duplicate"])
    assert pair.values["duplicate_divat"] == pytest.approx(np.zeros(40), abs=1e-12)


def test_an_ensemble_is_the_mean(random_log):
    chosen = [STANDARD, parse_settings("standard:fold=faced")]
    (both,) = assess_pairs(random_log, chosen)
    each = [assess_pairs(random_log, [one])[0].estimate("divat").mean for one in chosen]
    assert both.estimate("divat").mean == pytest.approx(sum(each) / 2)
    assert each[0] != each[1]


def test_runtime_divat_counts_money_where_cards_are_hidden(tmp_path):
    generator, game = np.random.default_rng(10), limit_holdem()
    records = []
    for number in range(60):
        record = random_record(generator, game, number)
        if record.final().is_showdown:
            records.append(record)
        else:
            records.append(HandRecord(**{**vars(record), "holes": (record.holes[0], ())}))
    hands = read_hand_arrays([log_of(tmp_path, records)])
    found = runtime_divat(hands)
    hidden = ~hands.complete
    assert 0 < hidden.sum() < 60
    assert np.array_equal(found[hidden], hands.payoffs[hidden, 0] / hands.small_bet[hidden])
    assert found[~hidden] == pytest.approx(assess(hands.where(~hidden)).divat)
    with pytest.raises(AssessmentError, match="not known"):
        assess(hands)
