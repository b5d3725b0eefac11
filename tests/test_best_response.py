"""Best responses: the kernel against brute force, shortcuts against the long way, and what is said of samples."""

from __future__ import annotations

import json

import numpy as np
import pytest

import naive
import railbird as rb
from railbird.bots.exploiting import Target, check_beside, policy_of
from railbird.cards import HOLDING_COUNT, holding_cards, parse_cards
from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem, named_game
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.lanes import LANES
from railbird.kernels.solve import response_rounds as kernels
from railbird.odds.ranks import rank_cards
from railbird.solve import best_response as module
from railbird.solve.best_response import BestResponse, exploitability
from railbird.solve.checkpoint_table import rows_in
from railbird.solve.exploited import ExploitabilityResult
from railbird.solve.flops import Flops, flop_sizes, orbits, representative_flop, symmetries_of
from railbird.solve.met_holdings import holding_pairs
from railbird.solve.policy import ConstantPolicy
from railbird.solve.reached_rounds import every_round

GAME = limit_holdem()
SEED = 11


class RandomTable:
    """A policy over a few buckets, which follow from the ranks of the cards, so that suits are alike to it."""

    game = GAME

    def __init__(self, buckets: int = 5) -> None:
        generator = np.random.default_rng(SEED)
        self._count = buckets
        self._tables = []
        for street in range(4):
            legal = BettingTree.of(GAME).legal(street)[:, None, :]
            weights = generator.random((len(legal), buckets, 3)) * legal
            self._tables.append((weights / weights.sum(axis=2, keepdims=True)).astype(np.float32))

    def table(self, street):
        return self._tables[street]

    def buckets(self, street, boards):
        ranks = np.array([sum(card >> 2 for card in holding_cards(h)) for h in range(HOLDING_COUNT)])
        on_board = (boards >> 2).sum(axis=1, dtype=np.int64) if boards.size else np.zeros(len(boards), np.int64)
        return ((ranks + 3 * on_board[:, None]) % self._count).astype(np.int32)

    def probabilities(self, street, board):
        return self._tables[street][:, self.buckets(street, np.array([board], np.uint8).reshape(1, -1))[0]]


class WithoutTable:
    """The same policy, answering for all holdings at once."""

    def __init__(self, policy) -> None:
        self.game, self.probabilities = policy.game, policy.probabilities


@pytest.fixture
def few_cards(monkeypatch):
    """Deal only some turn and river cards, to be quick."""

    def deal(step):
        monkeypatch.setattr(module, "orbits", lambda board, symmetries: orbits(board, symmetries)[7::step])

    return deal


def sorted_board(board):
    order, ends = np.empty(HOLDING_COUNT, np.int32), np.empty(HOLDING_COUNT, np.int32)
    count = kernels.sort_holdings(TABLE, CARD_KEYS, np.array(board, np.uint8), order, ends, np.empty(1326, np.int64))
    return order, ends, count


@pytest.mark.parametrize("board", ["AdKd7d2c2h", "TsJsQsKsAs", "2c3d4h5s9c"])
def test_holdings_are_sorted_by_rank(board):
    cards = parse_cards(board)
    order, ends, count = sorted_board(cards)
    ranks = [rank_cards((*holding_cards(h), *cards)) for h in order[:count]]
    assert count == 1081
    assert ranks == sorted(ranks)
    assert all(ranks[end - 1] == rank and (end == count or ranks[end] > rank) for rank, end in zip(ranks, ends))


@pytest.mark.parametrize(("position", "board"), [(0, "AdKd7d2d9h"), (1, "2c3d4h5s9c")])
def test_river_values_are_those_of_brute_force(position, board):
    cards = parse_cards(board)
    response, policy = BestResponse(RandomTable()), RandomTable()
    order, ends, count = sorted_board(cards)
    table, buckets = response.table(3), policy.buckets(3, np.array([cards], np.uint8))[0]
    blocks = len(table)
    reach = np.random.default_rng(SEED).random((blocks, HOLDING_COUNT, LANES), np.float32)
    out = np.zeros_like(reach)
    room = np.empty(kernels.ROOM, np.float32)
    chances = kernels.Chances(table.ravel(), 10, table.shape[3], buckets)
    live = kernels.Live(order, ends, count, holding_pairs())
    arrays = (reach.ravel(), response.chips(3).ravel(), module._NOTHING_LATER, room, out.reshape(-1))
    kernels.respond(response.seen[3][position].stages, chances, live, *arrays, kernels.NO_ANSWERS)
    tree = response.tree
    for opening, holding in ((250, order[700]), (566, order[1080])):
        block, lane = divmod(opening, LANES)
        node = response.rounds[3].openings[opening]
        weights = {holding_cards(h): float(reach[block, h, lane]) for h in order[:count]}
        rows = {}

        def chances(history, other, node=node, rows=rows):
            row = rows.setdefault(history, tree.row[tree.node(tree.history[node] + history)])
            return policy.table(3)[row, buckets[other[0] * (other[0] - 1) // 2 + other[1]]]

        chips = int(tree.committed[node, 0])
        expected = naive.river_response(holding_cards(holding), cards, weights, chips, 4, 4, position, chances)
        assert out[block, holding, lane] == pytest.approx(expected, rel=1e-4, abs=1e-3)


def test_rounds_of_one_pot_share_their_values_for_a_policy_without_memory(few_cards, monkeypatch):
    few_cards(23)
    policy = ConstantPolicy(GAME, ProbabilityTriple(0.06, 0.47, 0.47))
    quick = BestResponse(policy)
    assert quick.is_forgetful
    assert [len(openings) for openings in quick.openings] == [1, 4, 8, 16]
    values = quick.flop_values(900)
    monkeypatch.setattr(module, "_is_forgetful", lambda table: False)
    full = BestResponse(policy)
    assert [len(openings) for openings in full.openings] == [1, 7, 63, 567]
    longer = full.flop_values(900)
    ours, theirs = quick.total(values[None], values), full.total(longer[None], longer)
    assert ours == pytest.approx(theirs, rel=1e-5)


def test_cards_that_a_flop_s_symmetries_exchange_need_no_work_of_their_own(monkeypatch):
    response = BestResponse(ConstantPolicy(GAME, ProbabilityTriple(0.2, 0.3, 0.5)))
    paired = next(i for i in range(1755) if len({card >> 2 for card in representative_flop(i)}) == 1)
    short = response.flop_values(paired)
    monkeypatch.setattr(module, "symmetries_of", lambda cards, among: [0])
    assert short == pytest.approx(response.flop_values(paired), rel=1e-4, abs=1e-2)


class OfFewLines(RandomTable):
    """Each bucket calls or raises all street long, so it never checks and raises; on the river every bet makes it fold.

    As dealer it folds every hand at once, so that against it there is nothing to work after the flop.
    """

    def __init__(self) -> None:
        super().__init__(3)
        for street, wanted in enumerate([(1, 1, 2), (1, 1, 2), (1, 2, 2), (1, 1, 2)]):
            legal = BettingTree.of(GAME).legal(street)
            for bucket, action in enumerate(wanted):
                self._tables[street][:, bucket] = np.where(legal[:, [action]], np.eye(3)[action], (0, 1, 0))
            folds = legal[:, 0] if street == 3 else np.arange(len(legal)) == (0 if street == 0 else -1)
            self._tables[street][folds] = (1, 0, 0)


def test_what_a_policy_never_gets_to_is_not_worked(few_cards, monkeypatch):
    few_cards(23)
    quick = BestResponse(OfFewLines())
    assert [[len(side.openings) for side in sides] for sides in quick._sides] == [[1, 0, 0, 0], [1, 6, 30, 150]]
    assert [len(side.stages) for side in quick._sides[1]] == [8, 7, 7, 5]
    assert [len(by[1].stages) for by in quick.seen] == [8, 10, 10, 10]
    found = quick.flop_values(900)
    monkeypatch.setattr(module, "reached_rounds", lambda tables, seen: every_round(quick.rounds, seen))
    full = BestResponse(OfFewLines())
    assert [[len(side.openings) for side in sides] for sides in full._sides] == [[1, 7, 63, 567]] * 2
    assert np.array_equal(found, full.flop_values(900))
    assert found[1].any()


@pytest.mark.parametrize("bot", ["bpm", "yoki-tight", "divat-baseline", "sparbot"])
def test_ways_are_reached_that_some_bucket_takes(bot):
    policy = policy_of(bot, GAME)
    response, tree = BestResponse(policy), BettingTree.of(GAME)

    def chances(history):
        node = tree.node(history)
        return policy.table(int(tree.street[node]))[tree.row[node]]

    for position, sides in enumerate(response._sides):
        found = response.rounds[3].openings[sides[3].openings]
        assert {tree.history[node] for node in found} == naive.rivers_reached(1 - position, chances)


def test_a_policy_without_a_table_gives_the_same(few_cards):
    few_cards(45)
    policy = RandomTable()
    assert BestResponse(WithoutTable(policy)).flop_values(40) == pytest.approx(
        BestResponse(policy).flop_values(40), rel=1e-5, abs=1e-3
    )


def test_orbits_cover_the_deck_once():
    for flop in ((0, 1, 2), (0, 4, 8), (0, 5, 10), (0, 1, 8)):
        symmetries = symmetries_of(flop, range(24))
        assert sum(len(images) for _, images in orbits(flop, symmetries)) == 49
    assert len(symmetries_of((0, 4, 8), range(24))) == 6


def test_against_a_bot_that_always_folds_any_flops_will_do():
    # Golden: 1000 as dealer, 500 as big blind; it is won before the flop.
    found = exploitability(ConstantPolicy(GAME, ProbabilityTriple(1, 0, 0)), flops=2, seed=1)
    assert found.as_dealer.value.mean == pytest.approx(1000, abs=1e-3)
    assert found.as_big_blind.lower.mean == pytest.approx(500, abs=1e-3)
    assert not found.is_exact


def test_samples_are_judged_from_both_sides():
    found = exploitability(ConstantPolicy(GAME, ProbabilityTriple(1, 1, 1)), flops=4, seed=2, workers=2)
    for value in (found.as_dealer, found.as_big_blind, found.mean):
        assert value.lower.mean < value.value.mean
        assert 0 < value.value.margin < 500
    with pytest.raises(RailbirdError, match="1 flops; an estimate needs at least 2"):
        Flops.of(True).drawn(1, 0)


def test_flops_are_sampled_by_their_number():
    drawn = np.bincount(Flops.of(True).drawn(200_000, SEED), minlength=1755) / 200_000
    assert np.abs(drawn - flop_sizes() / 22_100).max() < 5 * np.sqrt(24 / 22_100 / 200_000)


def test_a_constant_policy_scales_to_what_is_legal():
    tree, policy = BettingTree.of(GAME), ConstantPolicy(GAME, ProbabilityTriple(0.2, 0.2, 0.6))
    for street in range(4):
        legal, found = tree.legal(street), policy.by_row(street)
        assert found.sum(axis=1) == pytest.approx(1.0)
        assert (found[~legal] == 0).all()
        assert found[legal.all(axis=1)][0] == pytest.approx([0.2, 0.2, 0.6])
        assert policy.probabilities(street, ()).shape == (len(legal), HOLDING_COUNT, 3)
    free = tree.row[tree.node("cc/")]
    assert policy.by_row(1)[free] == pytest.approx([0, 0.25, 0.75])
    assert ConstantPolicy(GAME, ProbabilityTriple(1, 0, 0)).by_row(1)[free].tolist() == [0, 1, 0]
    with pytest.raises(RailbirdError, match="not chances"):
        ConstantPolicy(GAME, ProbabilityTriple(0, 0, 0))


def test_the_command(capsys):
    with pytest.raises(SystemExit) as end:
        main(["exploit", "always-fold", "--flops", "2", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert not end.value.code
    assert (found["schema"], found["flops"], found["exact"]) == ("railbird.exploit/1", 2, False)
    assert found["mean"]["value"] == pytest.approx(750, abs=1e-3)


def test_two_players_are_compared_on_the_same_flops(capsys):
    near, far = (ConstantPolicy(GAME, ProbabilityTriple(0.0, 0.6, each)) for each in (0.40, 0.41))
    found, other = (exploitability(policy, flops=8, seed=5) for policy in (near, far))
    difference = found.less(other)
    for name, estimate in difference.items():
        values = getattr(found, name).value, getattr(other, name).value
        assert estimate.mean == pytest.approx(values[0].mean - values[1].mean)
        assert estimate.margin < min(value.margin for value in values) / 5  # they share their luck
    assert all(each.mean == each.margin == 0 for each in found.less(found).values())
    rows = [ExploitabilityResult(name, "limit", each) for name, each in (("near", found), ("far", other))]
    frame = rows[0].beside(rows[1]).to_frame()
    assert frame["player"].to_list() == [name for name in ("near", "far", "difference") for _ in range(3)]
    last = frame.row(-1, named=True)
    assert (last["position"], last["value"]) == ("on average", difference["mean"].mean)
    assert (last["margin95"], last["lower"]) == (difference["mean"].margin, None)
    with pytest.raises(RailbirdError, match="judge both by the same number and seed"):
        found.less(exploitability(far, flops=8, seed=6))


class TellsSuitsApart(ConstantPolicy):
    """Plays as all of its kind do, and does not say that suits are alike to it."""

    is_suit_blind = False


def test_who_tells_suits_apart_is_judged_by_other_flops(few_cards):
    few_cards(23)
    blind, other = (kind(GAME, ProbabilityTriple(0.0, 0.6, 0.4)) for kind in (ConstantPolicy, TellsSuitsApart))
    found = [exploitability(policy, flops=2, seed=5) for policy in (blind, other)]
    assert [each.among for each in found] == [1755, 22_100]
    with pytest.raises(RailbirdError, match="one of the two tells suits apart"):
        found[0].less(found[1])
    same = exploitability(other, flops=2, seed=5)
    assert all(each.mean == 0 for each in found[1].less(same).values())
    first, second = Target("first", blind), Target("second", other)
    with pytest.raises(RailbirdError, match="one of the two tells suits apart"):
        check_beside(first, second, is_sampled=True)
    check_beside(first, second, is_sampled=False)  # all flops are the same, in kinds or one by one
    check_beside(second, second, is_sampled=True)


def test_players_of_different_games_are_not_compared():
    kuhn, leduc = (rb.exploitability("always-call", game=game) for game in ("kuhn", "leduc"))
    with pytest.raises(RailbirdError, match="always-call is judged at kuhn and always-call at leduc"):
        kuhn.beside(leduc)
    first, second = (Target(game, policy_of("always-call", named_game(game, 2))) for game in ("kuhn", "leduc"))
    with pytest.raises(RailbirdError, match="kuhn would be judged at kuhn and leduc at leduc"):
        check_beside(first, second, is_sampled=False)


def test_the_command_sets_one_beside_another(capsys, tmp_path):
    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(["exploit", *arguments])
        assert not end.value.code
        return capsys.readouterr().out

    told = json.loads(run("always-fold", "--beside", "always-call", "--flops", "2", "--json"))
    assert (told["schema"], told["second"]["bot"]) == ("railbird.exploit-beside/1", "always-call")
    values = [told[name]["mean"]["value"] for name in ("first", "second")]
    assert told["difference"]["mean"]["mean"] == pytest.approx(values[0] - values[1])
    table = tmp_path / "table.json"
    exact = run("always-call", "--game", "kuhn", "--exact", "--beside", "random", "--table", str(table))
    assert [row["player"] for row in rows_in(table)] == ["always-call", "random"]
    assert ["on", "average", "333.333", "458.333", "-125.000"] in [line.split() for line in exact.splitlines()]


_SUITS = """
from railbird import Bot
from railbird.solve.policy import ConstantPolicy

class Suits(Bot):
    def frozen_policy(self, game):
        policy = ConstantPolicy(game, (0, 1, 1))
        policy.is_suit_blind = False
        return policy
"""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["always-call", "--flops", "2", "--beside", "loki"], "loki does not tell its probabilities"),
        (["always-call", "--flops", "2", "--beside", "SUITS"], "one of the two tells suits apart"),
        (["loki", "--flops", "2"], "loki does not tell its probabilities"),
        (["always-call"], "--flops 24 for an estimate, or --exact"),
        (["always-call", "--flops", "2", "--backend", "gpus"], "did you mean 'gpu'"),
    ],
)
def test_what_the_command_refuses(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.setattr(module, "exploitability", None)  # before any work is done
    file = tmp_path / "suits.py"
    file.write_text(_SUITS)
    arguments = [f"{file}:Suits" if each == "SUITS" else each for each in arguments]
    with pytest.raises(SystemExit) as end:
        main(["exploit", *arguments])
    assert end.value.code == 2
    assert message in capsys.readouterr().err
