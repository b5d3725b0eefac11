"""Belief, counts and search over all holdings, against slow twins and against what must be true of any of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
import pytest

import naive
from boards import ranks_on
from holding_models import (
    calling_strategy,
    counted_model,
    legal_at,
    random_strategy,
    refresh,
)
from railbird.cards import CARD_COUNT, HOLDING_COUNT, holding_cards, holding_index, parse_cards
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.search import belief_search as kernels
from railbird.kernels.search import beliefs
from railbird.kernels.search.spread_cards import spread_cards
from railbird.search import belief
from railbird.search.belief import BeliefSearch, slice_codes
from railbird.search.holding_model import (
    BENDS,
    CELLS,
    HALF_MET,
    SHARES,
    Board,
    HoldingModel,
    certain_holding,
    unseen_holdings,
)

PAIRS = [holding_cards(holding) for holding in range(HOLDING_COUNT)]
NEGLIGIBLE = kernels.NEGLIGIBLE
ROUNDING = 1e-4
"""Single precision inside the kernels, over sums of a thousand products."""


@cache
def pair_ranks(board: tuple[int, ...]) -> dict[tuple[int, int], int]:
    return {pair: rank for pair, rank in zip(PAIRS, ranks_on(board).tolist()) if rank >= 0}


def slow_acts(model: HoldingModel, board: tuple[int, ...]):
    """The opponent's triples on a board by the twin, from the model's table and views."""
    street = max(0, len(board) - 2)
    codes, seen = model.strategy.codes[street], model.board(board)

    @cache
    def acts(history: str, pair: tuple[int, int]) -> list[float]:
        node, holding = model.tree.node(history), holding_index(*pair)
        view = model.views(node)[seen.cells[holding]].tolist()
        weight = 1 - view[3]
        triple = naive.floored(
            codes[model.tree.row[node], seen.buckets[holding]].tolist(), legal_at(model, node), float(model.floor)
        )
        return naive.mixed_triple(triple, view[:3], [part / weight if weight else 0.0 for part in view[4:]], weight)

    return acts


def slow_slice_acts(model: HoldingModel):
    slices, parts = model.strategy.abstraction.slices

    @cache
    def acts(history: str, number: int) -> list[float]:
        node = model.tree.node(history)
        codes = model.strategy.codes[3][model.tree.row[node], number * parts : (number + 1) * parts].mean(axis=0)
        view = model.views(node)[number * CELLS // slices].tolist()
        weight = 1 - view[3]
        triple = naive.floored(codes.tolist(), legal_at(model, node), float(model.floor))
        return naive.mixed_triple(triple, view[:3], [part / weight if weight else 0.0 for part in view[4:]], weight)

    return acts


@dataclass
class Spot:
    """A decision: the player's cards, the board and the betting."""

    history: str
    cards: tuple[int, int]
    board: tuple[int, ...]
    weights: np.ndarray


def random_spot(history: str, seed: int, support: int = HOLDING_COUNT) -> Spot:
    """Random cards, and random weights on some holdings."""
    generator = np.random.default_rng(seed)
    dealt = [int(card) for card in generator.permutation(CARD_COUNT)]
    board = tuple(dealt[2 : 2 + (0, 3, 4, 5)[history.count("/")]])
    weights = unseen_holdings((*dealt[:2], *board)) * generator.random(HOLDING_COUNT) ** 2
    weights[generator.permutation(HOLDING_COUNT)[support:]] = 0.0
    return Spot(history, (dealt[0], dealt[1]), board, (weights / weights.sum()).astype(np.float32))


def twin_of(model: HoldingModel, spot: Spot) -> naive.BeliefTwin:
    cap = model.tree.game.max_raises[-1]
    own = int(model.tree.actor[model.tree.node(spot.history)])
    return naive.BeliefTwin(
        own,
        spot.cards,
        lambda board: slow_acts(model, board),
        slow_slice_acts(model),
        model.strategy.abstraction.slices[0],
        pair_ranks,
        cap,
        NEGLIGIBLE,
    )


def weights_of(spot: Spot) -> dict[tuple[int, int], float]:
    return {PAIRS[holding]: float(spot.weights[holding]) for holding in np.flatnonzero(spot.weights).tolist()}


def searched(model: HoldingModel, spot: Spot, turns=(), rivers=()) -> list[list[float] | None]:
    """The kernels' values of fold, call and raise, three ways each, in chips."""
    node = model.tree.node(spot.history)
    search = BeliefSearch(model, int(model.tree.actor[node]), spot.cards)
    refresh(model)
    board = np.array(spot.board, np.uint8)
    at = kernels.Spot(node, int(model.tree.last[node]), holding_index(*spot.cards), board, spot.weights)
    if model.tree.street[node] == 2:
        rivers = [[card for card in range(CARD_COUNT) if card not in (*spot.cards, *spot.board)]]
    dealt = np.array(turns, np.uint8), np.array(rivers or [[]], np.uint8)
    values = search.values(at, model.board(spot.board), *dealt)
    children = model.tree.child[node].tolist()
    return [values[child - node].tolist() if child >= 0 else None for child in children]


def assert_like(found, wanted, stake: float) -> None:
    """Values in chips agree, but for rounding in proportion to what is at stake."""
    for ours, twins in zip(found, wanted, strict=True):
        assert (ours is None) == (twins is None)
        if ours is not None:
            assert ours == pytest.approx(twins, rel=ROUNDING, abs=ROUNDING * stake)


# Counts and views


def learned_twins(cap: int, decisions: int, seed: int, holdings: int = 25):
    """A model and its twin that have seen the same random decisions."""
    model, generator = HoldingModel(random_strategy(cap)), np.random.default_rng(seed)
    twin = naive.HoldingCounts(
        [(level.abstraction, level.groups, level.prior) for level in BENDS],
        [(level.abstraction, level.groups, level.prior) for level in SHARES],
        cap,
        beliefs.MOST,
    )
    tree = model.tree
    board = tuple(int(card) for card in generator.permutation(CARD_COUNT)[:5])
    seen = [model.board(board[:cards]) for cards in (0, 3, 4, 5)]
    history = []
    for _ in range(decisions):
        street = int(generator.integers(4))
        node = int(generator.choice(tree.decisions[street][:12]))  # few, so that they come again
        weights = np.zeros((2, HOLDING_COUNT))
        some = generator.permutation(np.flatnonzero(unseen_holdings(board)))[:holdings]
        weights[0, some] = generator.random(holdings)
        known = generator.random()
        if known < 0.4:
            weights[1, some[0]] = 1.0
        elif known < 0.8:  # otherwise what he held is left out
            weights[1, some] = generator.random(holdings) ** 3
        before, after = weights / np.maximum(1e-9, weights.sum(axis=1, keepdims=True))
        kind = str(generator.choice(list(legal_at(model, node))))
        history.append((node, kind, street, before, after))
    return model, twin, seen, history


def triples_of(model: HoldingModel, node: int, board: Board, holdings) -> dict[tuple[int, int], list[float]]:
    codes = model.strategy.codes[int(model.tree.street[node])][model.tree.row[node]]
    legal = legal_at(model, node)
    return {PAIRS[h]: naive.floored(codes[board.buckets[h]].tolist(), legal, float(model.floor)) for h in holdings}


@pytest.mark.parametrize(("cap", "decisions", "seed"), [(1, 40, 1), (2, 60, 2), (4, 60, 3)])
def test_counts_and_views_are_those_of_the_twin(cap, decisions, seed):
    model, twin, seen, observed = learned_twins(cap, decisions, seed)
    tree, odds = model.tree, model.odds.copy()
    for node, kind, street, before, after in observed:
        holdings = np.flatnonzero(before + after).tolist()
        cells = {PAIRS[h]: int(seen[street].cells[h]) for h in holdings}
        met = twin.times_met(tree.history[node])
        share = met / (met + HALF_MET) / (1 + np.exp(-odds[0, street]))
        chances = [{PAIRS[h]: w[h] for h in holdings if w[h] > 0} for w in (before, after)]
        by_strategy, by_table, by_shares = twin.add(
            tree.history[node], kind, triples_of(model, node, seen[street], holdings), cells, *chances
        )
        surprises = model.memories.surprises
        model.observe(node, "fcr".index(kind), seen[street], before, after)
        odds[:, street] = -4 + 0.995 * (odds[:, street] + 4) + np.log(by_shares / by_table)
        odds = np.clip(odds, -16, 7)
        np.testing.assert_allclose(model.odds, odds, atol=1e-4)
        mixed = share * by_shares + (1 - share) * by_table
        for gained in (model.memories.surprises - surprises)[1:]:
            assert gained == pytest.approx(np.log(mixed / by_strategy), abs=1e-4)

    for node in {node for node, *_ in observed}:
        bends = model._bends, twin.bends, ((model.seen, twin.seen), (model.expected, twin.expected))
        shares = model._shares, twin.shares, ((model.shown, twin.shown),)
        for counters, levels, pairs in (bends, shares):
            rows = counters.at(node)[0]
            for number, level in enumerate(levels):
                for cell in range(CELLS):
                    key = twin.key(number, level, tree.history[node], cell)
                    for ours, twins in pairs:
                        for memory in ours:  # all have seen the same hand
                            row = memory[rows[number] + cell * level[1] // CELLS]
                            np.testing.assert_allclose(row, twins.get(key, [0.0] * 3), rtol=1e-5, atol=1e-6)
    # No count went anywhere else.
    for ours, twins in ((model.seen, twin.seen), (model.expected, twin.expected), (model.shown, twin.shown)):
        for memory in ours:
            assert memory.sum() == pytest.approx(sum(map(sum, twins.values())), rel=1e-5)
            assert (memory.sum(axis=1) > 0).sum() == sum(sum(counts) > 0 for counts in twins.values())

    model.memories.weights = np.array([0.0, 0.5, 0.2, 0.3])
    refresh(model)
    weights = 1 / (1 + np.exp(-odds[0]))
    generator = np.random.default_rng(seed)
    decided = np.concatenate(tree.decisions)
    for node in {*(node for node, *_ in observed), *generator.permutation(decided)[:40].tolist()}:
        history = tree.history[node]
        met = twin.times_met(history)
        weight = weights[tree.street[node]] * met / (met + HALF_MET)
        for cell in generator.permutation(CELLS)[:4].tolist():
            view = model.views(node)[cell]
            np.testing.assert_allclose(view[:3], twin.multiplier(history, cell), rtol=1e-4)
            assert view[3] == pytest.approx(1 - weight, rel=1e-4)
            np.testing.assert_allclose(view[4:], [weight * f for f in twin.frequencies(history, cell)], rtol=1e-4)


def test_memories_are_mixed_by_their_weights():
    model = counted_model(2, seed=6)
    node, cell = model.tree.node("cc/r"), 7
    views = []
    for number in range(4):
        model.memories.weights = np.eye(4)[number]
        refresh(model)
        views.append(model.views(node)[cell].copy())
    np.testing.assert_allclose(views[0], [1, 1, 1, 1, 0, 0, 0])
    weights = model.memories.weights = np.array([0.4, 0.3, 0.2, 0.1])
    refresh(model)
    found, by_table = model.views(node)[cell], weights * [view[3] for view in views]
    assert found[3] == pytest.approx(by_table.sum())
    np.testing.assert_allclose(found[4:], weights @ [view[4:] for view in views], rtol=1e-5)
    logarithms = by_table @ np.log([view[:3] for view in views]) / by_table.sum()
    np.testing.assert_allclose(found[:3], np.exp(logarithms), rtol=1e-4)


def test_no_multiplier_passes_the_bounds():
    model = HoldingModel(random_strategy(1))
    model.seen[..., 0], model.expected[..., 2] = 1e6, 1e6
    model.memories.weights[0] = 0.0
    refresh(model)
    decided = np.concatenate(model.tree.decisions)
    views = np.array([model.views(node) for node in decided.tolist()])
    assert views[:, :, 0] == pytest.approx(beliefs.MOST)
    assert views[:, :, 2] == pytest.approx(1 / beliefs.MOST)
    assert views[:, :, 1] == pytest.approx(1.0)


@pytest.mark.parametrize(("strategy", "few"), [(random_strategy, 10), (calling_strategy, 2)])
def test_few_frequencies_are_not_believed(strategy, few):
    model, generator = HoldingModel(strategy(2)), np.random.default_rng(4)
    board = tuple(parse_cards("3h4cJh"))
    node, seen, before = model.tree.node("cc/r"), model.board(board), unseen_holdings(board)
    believed = []
    for holding in generator.choice(np.flatnonzero(before), 60).tolist():  # he raises with anything
        model.observe(node, 2, seen, before, certain_holding(*PAIRS[holding]))
        believed.append(model._share_weights(model._contexts[node]).max())
    assert max(believed[:few]) < 1e-3
    if strategy == calling_strategy:  # which never does, so that no bending says it
        assert believed[-1] > 0.99 * 60 / (60 + HALF_MET)
        elsewhere = model.tree.node("cc/rr")  # where he was never seen
        assert not model._share_weights(model._contexts[elsewhere]).any()


def test_what_was_never_seen_is_the_strategy():
    model = HoldingModel(random_strategy(2), floor=1e-6)
    model.odds[:] = -50.0
    board = tuple(parse_cards("3h4cJhTh9s"))
    refresh(model)
    for history, cards in (("", 0), ("cr", 0), ("rc/r", 3), ("cc/cc/c", 4), ("cc/cc/cc/cr", 5)):
        node = model.tree.node(history)
        table = model.strategy.probabilities(int(model.tree.street[node]), board[:cards])[model.tree.row[node]]
        for action in range(3):
            weights = np.ones(HOLDING_COUNT)
            model.weigh(node, action, model.board(board[:cards]), weights)
            np.testing.assert_allclose(weights, table[:, action], atol=1e-5)


# Belief


@pytest.mark.parametrize(
    ("cap", "history"), [(1, "cc/crc/cc/c"), (2, "crc/rrc/cc/rc"), (4, "rrrc/crrrc/rrc/crrr"), (4, "cc/cc/rf")]
)
def test_belief_follows_bayes_rule(cap, history):
    model = counted_model(cap, seed=8)
    spot = random_spot("///", seed=len(history))
    for position in range(2):
        search = BeliefSearch(model, position, spot.cards)
        found = search.belief(history, spot.board)
        wanted = dict.fromkeys([pair for pair in PAIRS if not {*pair} & {*spot.cards}], 1.0)
        at, played = 0, ""
        for kind in [*history.replace("/", ""), ""]:
            actor, _, _ = naive.limit_state(played, cap)
            if actor is None and not played.endswith("f") and played.count("/") < 3:
                played += "/"
                actor, _, _ = naive.limit_state(played, cap)
            board = spot.board[: (0, 3, 4, 5)[played.count("/")]] if kind else spot.board
            wanted = naive.bayes(wanted, {pair: float(not {*pair} & {*board}) for pair in wanted})
            if kind and actor == position:
                played += kind
                continue
            node, action, chances = found[at]
            at += 1
            assert chances.sum() == pytest.approx(1.0)
            assert not chances[[holding_index(*pair) for pair in PAIRS if {*pair} & {*board, *spot.cards}]].any()
            np.testing.assert_allclose(chances, [wanted.get(pair, 0.0) for pair in PAIRS], rtol=ROUNDING, atol=1e-9)
            if kind:
                assert (model.tree.history[node], "fcr"[action]) == (played, kind)
                acts = slow_acts(model, board)
                wanted = naive.bayes(
                    wanted, {pair: acts(played, pair)[action] if not {*pair} & {*board} else 0.0 for pair in wanted}
                )
            played += kind
        assert at == len(found)
        assert found[-1][1] == -1


def test_suits_do_not_matter():
    model, generator = counted_model(4, seed=2), np.random.default_rng(6)
    cards, board, history = (47, 30), (13, 2, 26, 39), "rrc/crc/cr"
    first = BeliefSearch(model, 0, cards).search(history, board)
    for suits in generator.permutation(list(permutations(range(4)))[1:])[:4].tolist():
        own, seen = (tuple(naive.relabelled(some, suits)) for some in (cards, board))
        again = BeliefSearch(model, 0, own).search(history, seen)
        np.testing.assert_allclose(again.values, first.values, rtol=ROUNDING)
    other = BeliefSearch(model, 0, (46, 30)).search(history, board)
    assert abs(other.values - first.values).max() > 0.01  # one suit alone does


# Search


@pytest.mark.parametrize(
    ("cap", "history", "seed"),
    [
        (1, "cc/cc/cc/", 1),
        (1, "cc/rc/rc/cr", 2),
        (2, "crc/cc/cc/r", 3),
        (2, "rc/rrc/rc/", 4),
        (4, "rc/cc/cc/", 5),
        (4, "rrrc/rrc/rc/c", 6),
        (4, "cc/cc/cc/rrr", 7),
    ],
)
def test_search_on_the_river_is_the_twin(cap, history, seed):
    model, spot = counted_model(cap, seed), random_spot(history, seed)
    refresh(model)
    stake = max(naive.limit_state(history, cap)[2])
    wanted = twin_of(model, spot).values(history, spot.board, weights_of(spot))
    assert_like(searched(model, spot), wanted, stake)


@pytest.mark.parametrize(
    ("cap", "history", "seed"), [(1, "cc/cc/", 1), (1, "cc/rc/cr", 2), (2, "rc/cc/c", 3), (4, "cc/rc/crr", 4)]
)
def test_search_on_the_turn_is_the_twin(cap, history, seed):
    model, spot = counted_model(cap, seed), random_spot(history, seed, support=40)
    refresh(model)
    stake = max(naive.limit_state(history, cap)[2])
    wanted = twin_of(model, spot).values(history, spot.board, weights_of(spot))
    assert_like(searched(model, spot), wanted, stake)


@pytest.mark.parametrize(
    ("cap", "history", "seed", "turns", "rivers"),
    [(1, "cc/", 1, 4, 4), (1, "cc/cr", 2, 5, 3), (2, "rc/c", 3, 3, 4), (2, "rc/cr", 4, 4, 2), (4, "cc/crr", 5, 2, 2)],
)
def test_search_on_the_flop_is_the_twin(cap, history, seed, turns, rivers):
    model, spot = counted_model(cap, seed), random_spot(history, seed, support=40)
    refresh(model)
    generator = np.random.default_rng(seed)
    unseen = [card for card in range(CARD_COUNT) if card not in (*spot.cards, *spot.board)]
    dealt = generator.permutation(unseen)[:turns].tolist()
    after = [generator.permutation([card for card in unseen if card != turn])[:rivers].tolist() for turn in dealt]
    stake = max(naive.limit_state(history, cap)[2])
    wanted = twin_of(model, spot).values(history, spot.board, weights_of(spot), dealt, after)
    assert_like(searched(model, spot, dealt, after), wanted, stake)
    # The three ways differ, or nothing was tested.
    assert any(value is not None and len({*np.round(value, 6)}) == 3 for value in wanted)


def test_a_search_begins_with_the_belief():
    model = counted_model(2, seed=4)
    for history, cards in (("rc/cc/crc/r", 5), ("rc/crc/", 4)):
        spot = random_spot("///", seed=cards)
        board = spot.board[:cards]
        own = int(model.tree.actor[model.tree.node(history)])
        search = BeliefSearch(model, own, spot.cards)
        weights = search.belief(history, board)[-1][2].astype(np.float32)
        values = searched(model, Spot(history, spot.cards, board, weights))
        found = search.search(history, board).values
        for ours, value in zip(found, values):
            assert np.isnan(ours) if value is None else ours == pytest.approx(value[0] / 2, rel=ROUNDING)


# A caller


@pytest.mark.parametrize("position", [0, 1])
def test_a_turn_against_a_caller_is_worth_its_equity_and_the_bets_ahead_of_his_range(position):
    # He calls everything and never bets, so on every river we check where we are behind what he may hold, and bet
    # where we are ahead. With one bet a street there is no more to it.
    model = HoldingModel(calling_strategy(1), floor=1e-7)
    model.odds[:] = -50.0
    history = "cc/rc/" if position == 0 else "cc/rc/c"
    for seed in range(11, 15):
        spot = random_spot(history, seed)
        found, scores = searched(model, spot), river_scores(spot)
        stake, equity = max(naive.limit_state(history, 1)[2]), sum(scores) / 44  # each holding meets 44 rivers
        gain = sum(max(0.0, score) for score in scores) / 44
        assert found[1] == pytest.approx([stake * equity + 4 * gain] * 3, rel=ROUNDING, abs=ROUNDING)
        assert found[2] == pytest.approx([(stake + 4) * equity + 4 * gain] * 3, rel=ROUNDING, abs=ROUNDING)


@pytest.mark.parametrize("position", [0, 1])
def test_checking_down_what_is_behind_on_all_rivers_is_worth_the_equity_times_the_stake(position):
    model = HoldingModel(calling_strategy(1), floor=1e-7)
    model.odds[:] = -50.0
    history = "cc/rc/" if position == 0 else "cc/rc/c"
    cards, board = parse_cards("8h3h"), parse_cards("AsKdJc9d")  # another eight or three beats the deuces
    weights = np.zeros(HOLDING_COUNT, np.float32)
    for holding, weight in (("AhAd", 0.5), ("KhQs", 0.1), ("Td8s", 0.2), ("2c2d", 0.2)):
        weights[holding_index(*parse_cards(holding))] = weight
    spot = Spot(history, (cards[0], cards[1]), tuple(board), weights)
    scores = river_scores(spot)
    assert max(scores) < 0
    assert max(scores) - min(scores) > 0.5
    assert searched(model, spot)[1] == pytest.approx([4 * sum(scores) / 44] * 3, rel=ROUNDING)


def river_scores(spot: Spot) -> list[float]:
    """By river card: the weight of holdings beaten less that of those that win."""
    own, scores = holding_index(*spot.cards), []
    for river in range(CARD_COUNT):
        if river not in (*spot.cards, *spot.board):
            ranks = ranks_on((*spot.board, river))
            live = ranks >= 0
            scores.append(float((spot.weights * np.sign(ranks[own] - ranks))[live].sum()))
    return scores


def test_a_royal_flush_wins_all_that_a_caller_may_put_in():
    model = HoldingModel(calling_strategy(4), floor=1e-7)
    model.odds[:] = -50.0
    board, cards = tuple(parse_cards("AsKsQsJs")), tuple(parse_cards("Ts2c"))
    search = BeliefSearch(model, 0, (cards[0], cards[1]))
    assert search.search("cc/rc/", board).values[1:] == pytest.approx([2 + 2, 2 + 2 + 2], rel=ROUNDING)


@pytest.mark.parametrize(("history", "cards"), [("rc/cc/crc/r", 5), ("rc/crc/", 4), ("crc/cc/cr", 4)])
def test_the_lines_of_a_search_add_up_to_its_values(history, cards):
    model, spot = counted_model(2, seed=4), random_spot("///", seed=cards)
    own = int(model.tree.actor[model.tree.node(history)])
    found = BeliefSearch(model, own, spot.cards).search(history, spot.board[:cards])
    lines = found.lines()
    for kind, value in zip("fcr", found.values):
        after = [line for line in lines if line.history[0] == kind]
        assert bool(after) == (not np.isnan(value))
        if after:
            assert sum(line.chance for line in after) == pytest.approx(1.0, rel=ROUNDING)
            assert sum(line.chance * line.value for line in after) == pytest.approx(value, rel=1e-3, abs=1e-3)


def test_without_the_filter_all_holdings_stay_alike():
    model, spot = counted_model(2, seed=4), random_spot("///", seed=9)
    found = BeliefSearch(model, 0, spot.cards, filters=False).belief("rc/cc/crc/r", spot.board)
    for (_, _, chances), cards in zip(found, (0, 3, 4, 5), strict=True):
        np.testing.assert_allclose(chances, unseen_holdings((*spot.cards, *spot.board[:cards])), atol=1e-12)


# What is learned from


def test_a_shown_hand_is_counted_as_what_it_was():
    model = HoldingModel(random_strategy(2))
    spot = random_spot("///", seed=3)
    history = "rc/cc/cc/rc"
    shown = next(pair for pair in PAIRS if not {*pair} & {*spot.cards, *spot.board})
    search = BeliefSearch(model, 0, spot.cards)
    *acted, _ = search.belief(history, spot.board)
    after = certain_holding(*shown)
    assert after.sum() == after[holding_index(*shown)] == 1.0
    for node, action, before in acted:
        model.observe(node, action, search.board(int(model.tree.street[node]), spot.board), before, after)
    for node, action, _ in acted:
        cell = model.board(spot.board[: (0, 3, 4, 5)[model.tree.street[node]]]).cells[holding_index(*shown)]
        rows, groups, _ = model._shares.at(node)
        for row, group in zip(rows, groups):
            for shown_to in model.shown:
                mine = shown_to[row + cell * group // CELLS]
                assert mine[action] > 1 - 1e-9
                assert shown_to[row : row + group].sum() == pytest.approx(mine.sum())


def test_a_folded_hand_is_counted_where_it_likely_belongs():
    model = HoldingModel(random_strategy(2))
    spot = random_spot("/", seed=3)
    search = BeliefSearch(model, 0, spot.cards)
    *acted, (_, _, after) = search.belief("rc/rf", spot.board)
    node, action, before = acted[-1]
    assert action == 0
    seen = search.board(1, spot.board)
    model.observe(node, action, seen, before, after)
    rows, groups, _ = model._shares.at(node)
    for row, group in zip(rows, groups):
        by_group = model.shown[0, row : row + group]
        assert by_group.sum() == pytest.approx(1.0)
        wanted = np.bincount(seen.cells * group // CELLS, after, group)
        np.testing.assert_allclose(by_group[:, 0], wanted, atol=1e-9)
    # What folds more often is likelier than before.
    chances = model.strategy.probabilities(1, spot.board)[model.tree.row[node], :, 0]
    assert (after * chances).sum() > (before * chances).sum() * 1.1


def test_slices_are_the_means_of_their_parts():
    strategy = random_strategy(1)
    slices, parts = strategy.abstraction.slices
    found = slice_codes(strategy)
    assert found.shape == (len(strategy.codes[3]), slices, 2)
    wanted = [
        [strategy.codes[3][2, parts * k : parts * (k + 1), side].sum() / parts for side in (0, 1)]
        for k in range(slices)
    ]
    np.testing.assert_allclose(found[2], wanted, rtol=1e-6)


def spread(cards, board, turns: int = belief.TURNS, rivers: int = belief.RIVERS) -> tuple[list, list]:
    arrays = np.array(cards, np.int64), np.array(board, np.uint8)
    found = spread_cards(TABLE, CARD_KEYS, *arrays, turns, rivers)
    return found[0].tolist(), found[1].tolist()


def test_cards_to_come_are_spread_over_what_they_make_of_a_holding():
    cards, board = parse_cards("9h8h"), parse_cards("Kh7h2c")
    unseen = {*range(CARD_COUNT)} - {*cards, *board}
    turns, rivers = spread(cards, board)
    assert len({*turns}) == belief.TURNS == len(rivers)
    for turn, after in zip(turns, rivers):
        assert len({turn, *after}) == belief.RIVERS + 1
        assert {turn, *after} <= unseen
    # Nine of 47 cards make the flush, which is more than a sixth: the best sixth of turn cards is all hearts.
    hearts = [card % 4 == cards[0] % 4 for card in turns]
    assert sum(hearts) == 1
    assert hearts[-1]
    after = [card % 4 == cards[0] % 4 for row in rivers[:-1] for card in row]
    assert np.mean(after) == pytest.approx(9 / 46, abs=0.1)
    # Rising in strength, as its twin has it.
    means = [np.mean([standing(cards, (*board, turn, river)) for river in unseen - {turn}]) for turn in turns]
    assert means == sorted(means)
    for turn, after in zip(turns, rivers):
        strengths = [standing(cards, (*board, turn, river)) for river in after]
        assert strengths == sorted(strengths)


@cache
def standing(cards, board) -> float:
    """The share of holdings that two cards beat on five, ties counting half."""
    ranks = ranks_on(board)
    others = [ranks[holding] for holding, pair in enumerate(PAIRS) if not {*pair} & {*cards, *board}]
    own = ranks[holding_index(*cards)]
    return sum((own > other) + (own == other) / 2 for other in others) / len(others)


def test_all_cards_can_be_dealt():
    cards, board = parse_cards("AdQc"), parse_cards("3h4cJh2d9s")
    unseen = {*range(CARD_COUNT)} - {*cards, *board[:3]}
    turns, rivers = spread(cards, board[:3], kernels.UNSEEN_TURNS, belief.MOST_RIVERS)
    assert sorted(turns) == sorted(unseen)
    assert all(sorted([turn, *after]) == sorted(unseen) for turn, after in zip(turns, rivers))
    assert spread(cards, board[:4]) == ([], [sorted(unseen - {board[3]})])
    assert spread(cards, board) == ([], [[]])


@pytest.mark.parametrize("history", ["cc/r", "crc/rc/c", "cc/cc/rc/r"])
def test_one_search_for_all_holdings_finds_what_theirs_would(history):
    model = counted_model(2, seed=3)
    board = tuple(parse_cards("3h4cJh2d9s"))[: (0, 3, 4, 5)[history.count("/")]]
    position = int(model.tree.actor[model.tree.node(history)])
    found = BeliefSearch(model, position, ()).values_of_all(history, board, 2, 2)
    dead = np.array([bool(set(pair) & set(board)) for pair in PAIRS])
    assert np.isnan(found[dead]).all()
    for holding in np.random.default_rng(2).choice(np.flatnonzero(~dead), 6).tolist():
        alone = BeliefSearch(model, position, PAIRS[holding]).search(history, board, 2, 2)
        np.testing.assert_allclose(found[holding], alone.values, rtol=1e-5)


def test_few_cards_stand_for_all():
    model = HoldingModel(random_strategy(cap=2))
    cards, board = tuple(parse_cards("AdQc")), tuple(parse_cards("3h4cJh"))
    search = BeliefSearch(model, 1, cards)
    every = (kernels.UNSEEN_TURNS, kernels.UNSEEN_RIVERS)
    found = search.search("cc/r", board, *every)
    whole = {
        action: sum(line.chance * line.value for line in found.lines() if line.history[0] == action) for action in "fcr"
    }
    assert list(whole.values()) == pytest.approx(found.values.tolist(), rel=1e-4)
    few = search.search("cc/r", board)
    assert np.abs(few.values - found.values).max() < 0.5
