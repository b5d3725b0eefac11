"""DIVAT's tables: which boards share codes, what ships, and files in the cache folder."""

from __future__ import annotations

import os
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from railbird.assess import class_tables, packed_tables, tables
from railbird.assess.class_tables import build_streets, needs_of, preflop_index, street_name
from railbird.assess.divat import assess
from railbird.assess.hand_ranks import hand_rank
from railbird.assess.packed_tables import cached_file, is_there, keep, packed, read_or_computed
from railbird.assess.settings import STANDARD, parse_settings
from railbird.assess.tables import divat_tables
from railbird.cards import cards_text, holding_index
from railbird.errors import AssessmentError, RailbirdWarning
from railbird.kernels.cards.isomorphism import isomorphism_table, representative
from railbird.kernels.cards.ranking import RANK_KEYS, TABLE
from railbird.kernels.divat.boards import NO_ROW, START_MASK, all_boards, boards_of_rows, place
from railbird.kernels.divat.codes import BLOCKED, tabulate_codes
from railbird.play.match_logs import read_hand_arrays
from test_divat import table_code


def test_numbers_of_boards():
    # By live suits: flops 3, 2, 1; turns 2, 1, 0; rivers 1, 0 (five cards of one rank would be 13 more).
    for street, expected in (
        (1, {3: 455, 2: 1_014, 1: 286}),
        (2, {2: 3_081, 1: 11_531, 0: 1_820}),
        (3, {1: 36_608, 0: 6_175}),
    ):
        rows, boards = boards_of_rows(street)
        assert boards.shape == (len(rows), street + 2)
        assert len({tuple(sorted(board)) for board in boards.tolist()}) == len(rows)
        suits = rows >> 24
        live = sum((suits >> 2 * suit & 3 > 0).astype(int) for suit in range(4))
        assert dict(zip(*np.unique(live, return_counts=True))) == expected


def test_rows_do_not_overlap():
    for street in (1, 2, 3):
        rows, _ = boards_of_rows(street)
        live = sum((rows >> 24 + 2 * suit & 3 > 0).astype(int) for suit in range(4))
        widths = np.array([91, 351, 780, 1_378])[live]
        order = np.argsort(rows & START_MASK)
        ends = (rows & START_MASK)[order] + widths[order]
        assert (ends[:-1] <= (rows & START_MASK)[order][1:]).all()
        assert ends[-1] == all_boards().sizes[street - 1]


def test_a_board_has_the_same_codes_whichever_cards_came_first():
    found_tables, generator = divat_tables(STANDARD), np.random.default_rng(3)
    for cards in (4, 5):
        for _ in range(20):
            deal = generator.permutation(52)[: cards + 2].tolist()
            holding, board = deal[:2], deal[2:]
            found = set()
            for flop in combinations(board, 3):
                rest = [card for card in board if card not in flop]
                found |= {
                    table_code(found_tables, holding, [*flop, *rest]),
                    table_code(found_tables, holding, [*flop, *rest[::-1]]),
                }
            assert len(found) == 1, deal
            assert BLOCKED not in found


def test_boards_with_a_card_twice_have_no_row():
    boards = all_boards()
    assert (boards.turns == NO_ROW).sum() == 3 * 1_755
    assert (boards.rivers == NO_ROW).sum() == (3 * 49 + 3) * 1_755


@pytest.mark.parametrize("name", ["standard", "standard:fold=faced"])
@pytest.mark.parametrize("street", [1, 2, 3])
def test_what_ships_is_what_is_computed(name, street):
    chosen, (rows, boards) = parse_settings(name), boards_of_rows(street)
    some = np.random.default_rng(street).choice(len(rows), (0, 12, 60, 200)[street], replace=False)
    shipped = divat_tables(chosen).codes[street - 1]
    found = np.full(len(shipped), BLOCKED, np.uint8)
    tabulate_codes(TABLE, RANK_KEYS, boards[some], rows[some], needs_of(chosen, street), found)
    for row in rows[some].tolist():
        every = {int(place.py_func(row, first, second)) for first, second in combinations(range(52), 2)}
        at = np.array(sorted(every))
        assert np.array_equal(found[at], shipped[at])
        assert (found[at] != BLOCKED).sum() > 60


def test_classes_before_the_flop_are_numbered_like_all_others():
    rows, _, holdings = preflop_index()
    cards = np.empty(2, np.int64)
    for row in range(169):
        representative(isomorphism_table(), True, 0, row, cards)
        assert holdings[row] == holding_index(*cards.tolist())
        assert rows[holdings[row]] == row


# Files.


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    return tmp_path


def content(number=1_000):
    return (np.arange(number) % 7).astype(np.uint8)


def test_standard_tables_ship(cache):
    for name in ("standard", "standard:fold=faced", "standard:rollout=7chr", "standard:fold=faced,rollout=7chr"):
        chosen = parse_settings(name)
        assert all(is_there(street_name(chosen, street)) for street in (1, 2, 3))
        assert is_there(tables._preflop_name(chosen))
    assert not is_there(street_name(parse_settings("standard:turn_folds=0.0123"), 2))


def test_only_what_does_not_ship_is_built(cache, monkeypatch):
    asked = []
    monkeypatch.setattr(class_tables, "computed_codes", lambda _, street, *__: asked.append(street) or content())
    assert build_streets(parse_settings("standard:turn_folds=0.0123")) == cache
    assert asked == [2]
    assert [path.name[:12] for path in cache.iterdir()] == ["divat-2-turn"]
    build_streets(STANDARD, cache / "own")
    assert asked == [2, 1, 2, 3]
    assert len(list((cache / "own").iterdir())) == 3
    build_streets(parse_settings("standard:rollout=7chr"), cache / "own")
    assert len(list((cache / "own").iterdir())) == 5  # two more, by the seven-card rank; the river has one rank
    with pytest.raises(AssessmentError, match="ship with Railbird"):
        build_streets(STANDARD)


def test_a_table_is_computed_once(cache):
    asked = []

    def compute():
        asked.append(1)
        return content()

    assert not is_there("some")
    first, second = (read_or_computed("some", "numbers", 1_000, compute) for _ in range(2))
    assert np.array_equal(first, content())
    assert np.array_equal(first, second)
    assert (len(asked), is_there("some")) == (1, True)
    assert not first.flags.writeable
    assert not second.flags.writeable  # one kind of array, so that kernels are compiled for one


@pytest.mark.parametrize(
    "spoil", [lambda b: b[:-9], lambda b: b[:50] + b"spoilt" + b[56:], lambda b: packed(content(999))]
)
def test_a_damaged_table_is_computed_again_with_a_note(cache, spoil):
    path = cached_file("some")
    good = packed(content())
    path.write_bytes(spoil(good))
    with pytest.warns(RailbirdWarning, match=r"divat-\d+-some.xz' is damaged.*it is built again now"):
        found = read_or_computed("some", "numbers", 1_000, content)
    assert np.array_equal(found, content())
    assert path.read_bytes() == good


def test_a_table_that_cannot_be_kept_is_used_all_the_same(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path / "file"))
    with pytest.warns(RailbirdWarning, match="the numbers are kept in memory only: cannot write"):
        assert np.array_equal(read_or_computed("some", "numbers", 1_000, content), content())


def test_old_tables_make_room(cache, monkeypatch):
    monkeypatch.setattr(packed_tables, "MOST_BYTES", 250)
    for other in ("divat-river-60c60ae6.bin", "divat-futures.bin", "buckets-1.bin"):
        (cache / other).write_bytes(bytes(10))
    for day, name in enumerate(["a", "b", "c"]):
        keep(cached_file(name), bytes(100))
        os.utime(cached_file(name), (day * 86_400, day * 86_400))
    kept = ["buckets-1.bin", cached_file("b").name, cached_file("c").name]
    assert sorted(path.name for path in cache.iterdir()) == kept
    os.utime(cached_file("b"))  # used since
    keep(cached_file("d"), bytes(100))
    assert not cached_file("c").exists()
    assert cached_file("b").exists()


def test_a_table_that_is_read_counts_as_used(cache):
    read_or_computed("some", "numbers", 1_000, content)
    os.utime(cached_file("some"), (0, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_or_computed("some", "numbers", 1_000, content)
    assert cached_file("some").stat().st_mtime > 0


# The seven-card hand rank alone, which the thesis' own table before the flop went by (footnote 10).


@pytest.mark.parametrize("name", ["standard:rollout=7chr", "standard:fold=faced,rollout=7chr"])
@pytest.mark.parametrize("street", [1, 2])
def test_codes_by_the_seven_card_rank_alone(name, street):
    chosen, (rows, boards) = parse_settings(name), boards_of_rows(street)
    generator = np.random.default_rng(street)
    some = generator.choice(len(rows), 3, replace=False)
    found = np.full(all_boards().sizes[street - 1], BLOCKED, np.uint8)
    tabulate_codes(TABLE, RANK_KEYS, boards[some], rows[some], needs_of(chosen, street, "7chr"), found)
    others = 0
    for row, board in zip(rows[some].tolist(), boards[some].tolist()):
        for first, second in generator.permutation([card for card in range(52) if card not in board])[:40].reshape(
            -1, 2
        ):
            code = int(found[place.py_func(row, int(first), int(second))])
            rank = hand_rank(cards_text((int(first), int(second))), cards_text(board))
            assert code & 7 == sum(rank.seven_card >= threshold for threshold in chosen.bets[street])
            for bets_in in (1, 2, 4, 9, 31):
                folds = rank.seven_card < min(chosen.fold_threshold(street, bets_in), chosen.bets[street][0])
                assert (code & 7 == 0 and bets_in <= code >> 3) == folds
            others += code & 7 != rank.level(chosen)
    assert others > 3


def test_the_seven_card_rank_changes_the_rollout_before_the_flop_alone():
    usual, other = (parse_settings(name) for name in ("standard", "standard:rollout=7chr"))
    assert street_name(usual, 3, "7chr") == street_name(usual, 3)  # on the river all hand ranks are the same
    assert len({street_name(usual, 1), street_name(usual, 1, "7chr")}) == 2
    assert tables._preflop_name(usual) != tables._preflop_name(other)
    ours, theirs = divat_tables(usual), divat_tables(other)
    assert np.array_equal(ours.preflop_classes, theirs.preflop_classes)
    assert all(np.array_equal(*codes) for codes in zip(ours.codes, theirs.codes))
    assert np.array_equal(ours.preflop[..., -1], theirs.preflop[..., -1])  # who wins the showdown
    assert (ours.preflop[..., 0] != theirs.preflop[..., 0]).mean() > 0.5


def test_what_the_seven_card_rank_changes_in_a_real_log():
    # docs/papers/divat.md: DIVAT of the competition's log, and what the game is worth to the big blind by either table.
    hands = read_hand_arrays([Path(__file__).parent / "data" / "acpc" / "2p.limit.h1000.r0.log"])
    ours, theirs = (assess(hands, parse_settings(name)) for name in ("standard", "standard:rollout=7chr"))
    assert np.array_equal(ours.difference[:, 1:], theirs.difference[:, 1:])
    changed = ours.difference[:, 0] != theirs.difference[:, 0]
    assert 0.1 < changed.mean() < 0.9
    assert (ours.deviator[changed, 0] >= 0).all()
    sign = np.where(np.array(hands.names)[hands.players[:, 0]] == "p1", 1, -1)
    assert [round(float((sign * each.divat).mean()), 3) for each in (ours, theirs)] == [0.067, 0.069]
    assert [round(each.position, 3) for each in (ours, theirs)] == [-0.111, -0.09]
