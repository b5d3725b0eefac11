"""The rest of a hand, solved at the table: values against naive twins, gaps, safety, and the bot that plays by it."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import naive
from railbird.bots.equilibrium import strategy_of
from railbird.bots.exploiting import Target
from railbird.bots.registry import make_bot
from railbird.bots.resolver import SOLVERS
from railbird.cards import HOLDING_COUNT, holding_cards, parse_cards
from railbird.errors import RailbirdError, UnknownBotError
from railbird.game.betting_rounds import betting_rounds
from railbird.game.betting_tree import DECISION, BettingTree
from railbird.game.spec import limit_holdem
from railbird.play.matches import play_match
from railbird.solve import best_response
from railbird.solve.best_response import BestResponse
from railbird.solve.checkpoint_table import add_checkpoint, rows_in
from railbird.solve.cpu_rests import CpuRests
from railbird.solve.exploited import ExploitabilityResult
from railbird.solve.flops import orbits
from railbird.solve.resolved_flops import BOUND, ResolvedPolicy
from railbird.solve.resolved_play import Effort, ResolvedPlay, steps_to
from railbird.solve.resolved_rest import RIVER, TURN, Entry, RestOfHand, Safety
from railbird.solve.resolved_value import drawn_rests, resolved_value
from railbird.solve.response_value import Exploitability, ResponseValue
from railbird.solve.worked_flops import early_words
from railbird.statistics import Estimate

GAME = limit_holdem()
TREE = BettingTree.of(GAME)
BOARD = parse_cards("3h4cJh8sQd")
NUMBER = 4
UNSAFE, SAFE, MIXED = Safety(1.0, 0.0, 0.0), Safety(0.0, 0.0, 1.0), Safety(0.1, 1.0, 1.0)
PAIRS = np.array([holding_cards(holding) for holding in range(HOLDING_COUNT)])


def decision_names(street):
    """By what happened in the round before it: the number of a decision."""
    rounds = betting_rounds(GAME)[street]
    nodes = [node for node in rounds.nodes if TREE.kind[node] == DECISION]
    return {TREE.history[node].rpartition("/")[2]: at for at, node in enumerate(nodes)}


def some_chances(generator, street, shape=()):
    """Random chances by decision, holding and action, with legal actions alone."""
    legal = TREE.legal(street)[: len(decision_names(street)), None, :]
    weights = generator.random((*shape, len(legal), HOLDING_COUNT, 3), np.float32) ** 3 * legal
    return weights / weights.sum(axis=-1, keepdims=True)


def few_holdings(generator, board, count):
    """A range of few holdings that share no card with a board."""
    live = np.flatnonzero(~np.isin(PAIRS, board).any(axis=1))
    found = np.zeros(HOLDING_COUNT, np.float32)
    found[generator.choice(live, count, replace=False)] = generator.random(count, np.float32) + np.float32(0.1)
    return found


def by_cards(reach):
    return {holding_cards(int(holding)): float(reach[holding]) for holding in np.flatnonzero(reach)}


def index_of(cards):
    return int(np.flatnonzero((np.sort(PAIRS, axis=1) == sorted(cards)).all(axis=1))[0])


@pytest.mark.parametrize("responder", [0, 1])
def test_the_response_on_the_river_is_that_of_the_naive_twin(responder):
    generator = np.random.default_rng(7)
    rest = RestOfHand(GAME, RIVER, NUMBER, BOARD)
    chances, reach = some_chances(generator, RIVER), few_holdings(generator, BOARD, 20)
    found = rest.response(responder, reach, rest.placed_chances(chances))
    names, before = decision_names(RIVER), int(betting_rounds(GAME)[RIVER].chips_before[NUMBER])
    for holding in generator.choice(np.flatnonzero(rest.live), 12, replace=False).tolist():
        expected = naive.river_response(
            holding_cards(holding),
            BOARD,
            by_cards(reach),
            before,
            GAME.bet_sizes[RIVER],
            4,
            responder,
            lambda history, other: chances[names[history], index_of(other)],
        )
        assert found[holding] == pytest.approx(expected, abs=1e-3)


def test_the_response_on_the_turn_is_that_of_the_naive_twin():
    generator = np.random.default_rng(8)
    rest = RestOfHand(GAME, TURN, NUMBER, BOARD[:4])
    closings = [TREE.history[node] for node in np.array(rest.rounds.closings) + rest.rounds.openings[0]]
    ends = {history.rpartition("/")[2]: at for at, history in enumerate(closings)}
    first, later = some_chances(generator, TURN), some_chances(generator, RIVER, (48, 9))
    reach = few_holdings(generator, BOARD[:4], 2)
    found = rest.response(1, reach, rest.placed_chances(first, later))
    turns, rivers = decision_names(TURN), decision_names(RIVER)

    def chances(history, other, board):
        if len(board) == 4:
            return first[turns[history], index_of(other)]
        before, _, after = history.partition("/")
        return later[rest.rivers.index(board[4]), ends[before], rivers[after], index_of(other)]

    holding = int(generator.choice(np.flatnonzero(rest.live & (reach == 0))))
    before = int(betting_rounds(GAME)[TURN].chips_before[NUMBER])
    expected = naive.turn_response(
        holding_cards(holding), BOARD[:4], by_cards(reach), before, GAME.bet_sizes[TURN], 4, 1, chances
    )
    assert found[holding] == pytest.approx(expected, abs=1e-3)


def pairs_met(own, opponent):
    """How often two ranges meet: the sum over pairs of holdings without a card in common."""
    by_card = np.zeros((HOLDING_COUNT, 52))
    by_card[np.arange(HOLDING_COUNT)[:, None], PAIRS] = 1.0
    met = own.sum() - by_card @ (own @ by_card) + own
    return float(opponent @ met)


def test_the_river_is_solved_but_for_a_gap_that_falls():
    generator = np.random.default_rng(9)
    rest = RestOfHand(GAME, RIVER, NUMBER, BOARD)
    own, opponent = (few_holdings(generator, BOARD, 600).astype(np.float64) for _ in range(2))
    entry = Entry(own.astype(np.float32), opponent.astype(np.float32), np.zeros(HOLDING_COUNT, np.float32))
    pot, gaps = 2 * float(rest.arrays.first.before[0]), []
    for iterations in (25, 400):
        weights = rest.placed_chances(rest.solved(0, entry, UNSAFE, iterations).played)
        won = rest.response(1, entry.own, weights) @ opponent + rest.response(0, entry.opponent, weights) @ own
        gaps.append(won / pairs_met(own, opponent) / pot)
    assert 0 <= gaps[1] < 0.001
    assert gaps[1] < gaps[0] / 10


def test_a_river_of_few_holdings_has_no_more_than_a_small_gap_by_the_naive_twin():
    generator = np.random.default_rng(10)
    rest = RestOfHand(GAME, RIVER, NUMBER, BOARD)
    ranges = [few_holdings(generator, BOARD, 8) for _ in range(2)]
    played = rest.solved(0, Entry(*ranges, np.zeros(HOLDING_COUNT, np.float32)), UNSAFE, 2_000).played
    names, before = decision_names(RIVER), int(betting_rounds(GAME)[RIVER].chips_before[NUMBER])
    total = 0.0
    for responder in (0, 1):
        for cards, weight in by_cards(ranges[responder]).items():
            total += weight * naive.river_response(
                cards,
                BOARD,
                by_cards(ranges[1 - responder]),
                before,
                GAME.bet_sizes[RIVER],
                4,
                responder,
                lambda history, other: played[names[history], index_of(other)],
            )
    assert abs(total) / pairs_met(ranges[0].astype(float), ranges[1].astype(float)) < 0.01 * before


@dataclass
class SmallRiver:
    """A river of few holdings, and a fair strategy for it. The opponent is thought to have one of twelve holdings, and
    may in truth have one of forty; with each he may leave before the river for what another line of play is worth.
    """

    seed: int

    def __post_init__(self):
        generator = np.random.default_rng(self.seed)
        self.rest = RestOfHand(GAME, RIVER, NUMBER, BOARD)
        self.own, self.dealt = (few_holdings(generator, BOARD, 40) for _ in range(2))
        fair = self.rest.solved(0, Entry(self.own, self.dealt, self.dealt), UNSAFE, 60).played
        self.values = self.rest.response(1, self.own, self.rest.placed_chances(fair))
        """By holding: what the strategy leaves to the opponent at best."""
        self.thought = self.dealt * np.isin(np.arange(HOLDING_COUNT), np.flatnonzero(self.dealt)[::4])
        self.leaving = self.values - np.abs(self.values) * generator.random(HOLDING_COUNT, np.float32) / 10

    @property
    def scale(self):
        return float(self.dealt @ np.abs(self.values))

    def exploited(self, values):
        """What an opponent who knows everything wins in all, with the river worth so much to him by holding."""
        return float(self.dealt @ np.maximum(values, self.leaving)) / self.scale

    def resolved(self, safety, iterations=2_000):
        """The same after the river was solved again."""
        played = self.rest.solved(0, Entry(self.own, self.thought, self.values), safety, iterations).played
        return self.rest.response(1, self.own, self.rest.placed_chances(played))


@pytest.fixture(scope="module", params=range(3))
def small(request):
    return SmallRiver(request.param)


def test_with_the_alternative_no_holding_of_the_opponent_gains(small):
    found = small.resolved(SAFE)
    assert (found - small.values)[small.rest.live].max() < 0.002 * np.abs(small.values).max()
    assert small.exploited(found) < small.exploited(small.values) + 1e-3


def test_without_it_a_strategy_can_become_more_exploitable():
    rivers = [SmallRiver(seed) for seed in range(3)]
    found = [river.resolved(UNSAFE) for river in rivers]
    for river, values in zip(rivers, found):  # against what is thought it is the best there is
        assert river.thought @ values < river.thought @ river.resolved(SAFE)
    assert max(river.exploited(values) - river.exploited(river.values) for river, values in zip(rivers, found)) > 0.02


def test_what_is_forced_gains_more_than_it_gives_away(small):
    found = small.resolved(MIXED)
    forced, asked = MIXED.weights(small.thought, small.rest.live)
    given = asked @ np.maximum(found - small.values, 0.0)
    won = forced @ (small.values - found)
    assert 0 <= given < won + 1e-4 * (asked @ np.abs(small.values))
    assert small.thought @ found < small.thought @ small.resolved(SAFE)


@pytest.fixture(scope="module")
def play():
    return ResolvedPlay(strategy_of(), Effort(turn=3, river=20))


def test_before_the_turn_the_table_is_followed(play):
    assert np.array_equal(play.chances("rc/cr", BOARD[:3]), strategy_of().holding_chances("rc/cr", BOARD[:3]))


@pytest.mark.parametrize("history", ["rc/rc/", "rc/rc/cr", "rc/rc/crc/", "rc/rc/crc/rrr"])
def test_chances_are_those_of_legal_actions(play, history):
    found = play.chances(history, BOARD[: 5 if history.count("/") == 3 else 4])
    legal = TREE.child[TREE.node(history)] >= 0
    assert found.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (found >= 0).all()
    assert not found[:, ~legal].any()


def test_the_table_s_values_are_those_of_its_best_response(play):
    """The alternative on the river, where the naive twin asks the strategy itself."""
    rest = RestOfHand(strategy_of().game, RIVER, NUMBER, BOARD)
    own, weights = play.begun(rest, 0).own, play.solver.table_weights(rest)
    reach = np.zeros(HOLDING_COUNT, np.float32)
    some = np.random.default_rng(3).choice(np.flatnonzero(rest.live), 15, replace=False)
    reach[some] = own[some] / own[some].max()
    found = rest.response(1, reach, weights)
    opening, before = TREE.history[rest.rounds.openings[NUMBER]], int(rest.rounds.chips_before[NUMBER])
    for holding in np.flatnonzero(rest.live)[::300].tolist():
        expected = naive.river_response(
            holding_cards(holding),
            BOARD,
            by_cards(reach),
            before,
            4,
            4,
            1,
            lambda history, other: strategy_of().holding_chances(opening + history, BOARD)[index_of(other)],
        )
        assert found[holding] == pytest.approx(expected, abs=1e-3)


def test_the_river_goes_on_from_the_turn_s_solution(play):
    spot = play.spot("rc/rc/crc/", BOARD)
    turn = play.spot("rc/rc/", BOARD[:4]).solution
    path = [step for step in steps_to(TREE, TREE.node("rc/rc/crc/")) if step.street == TURN]
    assert ["fcr"[step.action] for step in path] == ["c", "r", "c"]
    own = turn.entry.own * turn.played[path[0].decision, :, 1] * turn.played[path[2].decision, :, 1]
    live = spot.solution.rest.live
    assert spot.solution.entry.own[live] == pytest.approx(own[live], abs=1e-5 * float(own.max()))
    opponent = turn.entry.opponent * turn.played[path[1].decision, :, 2]
    assert spot.solution.entry.opponent == pytest.approx(opponent)
    assert spot.solution.entry.alternative[live].any()


def test_it_travels_to_other_processes():
    here = ResolvedPlay(strategy_of(), Effort(turn=1, river=3))
    before = here.chances("rc/rc/crc/rr", BOARD)
    there = pickle.loads(pickle.dumps(ResolvedPolicy(here).best_response()))._play
    assert there is not here
    assert there.solver.strategy is there.strategy
    assert np.array_equal(there.chances("rc/rc/crc/rr", BOARD), before)


def test_what_its_best_response_takes_is_told_beforehand(play):
    target = Target("resolver", ResolvedPolicy(play))
    words = target.cost_words(2, False, 0)
    assert words.startswith("resolver solves up to 6,174 turns below each flop: an hour of a core, three quarters of a")
    assert target.cost_words(None, True, 0) == words
    assert target.cost_words(None, False, 0) == target.cost_words(2, True, 0) == ""  # which is refused later


def test_it_does_not_matter_what_was_asked_before(play):
    fresh = ResolvedPlay(strategy_of(), play.effort)
    later = fresh.chances("rc/rc/crc/rr", BOARD)
    flop = (BOARD[2], BOARD[0], BOARD[1])
    assert np.array_equal(later, play.chances("rc/rc/crc/rr", (*flop, *BOARD[3:])))
    assert np.array_equal(fresh.chances("rc/rc/c", BOARD[:4]), play.chances("rc/rc/c", BOARD[:4]))


def test_the_same_seed_gives_the_same_hands(tmp_path):
    logs = []
    for name in ("first", "second"):
        play_match("resolver:turn=1,river=5", "jagbot", hands=6, seed=2, folder=tmp_path / name, progress=False)
        logs.append([path.read_bytes() for path in sorted((tmp_path / name).glob("*.log"))])
    assert logs[0] == logs[1]
    assert logs[0][0]


@pytest.mark.parametrize(
    "wrong", ["resolver:turn=0", "resolver:river=-3", "resolver:strategy=none.npz", "resolver:safety=yes"]
)
def test_wrong_parameters_are_refused_with_a_way_out(wrong):
    with pytest.raises(UnknownBotError, match=r"1 to 100,000|railbird solve|mixed, gadget, none"):
        make_bot(wrong).can_play(GAME)


def test_what_a_gpu_lacks_is_told_without_a_trace(monkeypatch):
    def no_gpu(strategy):
        raise RailbirdError("the GPU backend cannot be used: CuPy is not installed")

    monkeypatch.setitem(SOLVERS, "gpu", no_gpu)
    with pytest.raises(UnknownBotError, match=r"could not be prepared: the GPU .* CuPy is not installed$"):
        play_match("resolver:backend=gpu", "always-call", hands=2, workers=1, progress=False)


def test_a_rest_begins_on_turn_or_river():
    with pytest.raises(RailbirdError, match="turn or the river"):
        RestOfHand(GAME, 1, 0, BOARD[:3])
    with pytest.raises(RailbirdError, match="nobody is to act"):
        ResolvedPlay(strategy_of()).spot("rc/rc/rf", BOARD[:4])


def test_rests_are_drawn_as_they_come_up():
    rests, dealt = drawn_rests(strategy_of(), TURN, 30, seed=5)
    assert (rests, dealt) == drawn_rests(strategy_of(), TURN, 30, seed=5)
    assert rests != drawn_rests(strategy_of(), TURN, 30, seed=6)[0]
    assert 30 <= dealt < 150
    assert all(len(set(rest.board)) == 4 and 0 <= rest.number < 63 for rest in rests)


def test_a_perfect_opponent_wins_less_on_rivers_that_are_solved_again():
    play = ResolvedPlay(strategy_of(), Effort(turn=1, river=150))
    found = resolved_value(play, RIVER, rests=4, seed=3)
    assert found.to_json() == resolved_value(play, RIVER, rests=4, seed=3, workers=2).to_json()
    assert found.loss.mean > 20
    assert found.worse == 0
    assert 0 <= found.given.mean < 0.1 * found.loss.mean
    assert found.loss_per_hand.mean == pytest.approx(found.loss.mean * 4 / found.dealt)
    assert "wins less in these rests" in str(found)
    assert len(found.rows()) == 4


@pytest.mark.parametrize(
    ("wrong", "told"), [({"rests": 1}, "at least 2"), ({"rests": 10**9}, "at most"), ({"seed": -1}, "whole number")]
)
def test_samples_that_cannot_be_are_refused(play, wrong, told):
    with pytest.raises(RailbirdError, match=told):
        resolved_value(play, **wrong)


class TableRests(CpuRests):
    """Solves nothing: rests are left to the opponent as the table strategy leaves them."""

    def left(self, rests, player, safety, iterations):
        return [rest.response(1 - player, own, self.table_weights(rest)) for rest, own, _ in rests]


def test_a_best_response_on_a_flop_goes_by_what_the_turns_leave(monkeypatch):
    def one_turn(board, symmetries):
        return orbits(board, symmetries)[3:4] if len(board) == 3 else orbits(board, symmetries)

    monkeypatch.setattr(best_response, "orbits", one_turn)
    play = ResolvedPlay(strategy_of(), Effort(turn=1), TableRests(strategy_of()))
    response = ResolvedPolicy(play).best_response()
    found = response.flop_values(1000)
    told = response.judged([1000, 1000], np.array([found, found]), 1)
    assert told.bound == BOUND
    assert told.mean.lower is None
    expected = BestResponse(strategy_of()).flop_values(1000)
    assert np.abs(found - expected).max() < 1e-4 * np.abs(expected).max()


def test_what_a_resolver_leaves_is_told_as_a_bound(tmp_path):
    value = ResponseValue(Estimate.of(np.array([50.0, 70.0])), Estimate.of(np.array([40.0, 50.0])))
    sampled = Exploitability(value, value, value, flops=2, is_whole=False, seed=1).as_bound("rivers are bounded")
    told = ExploitabilityResult("resolver", "limit", sampled)
    assert told.is_bounded
    assert told.to_json()["bound"] == "rivers are bounded"
    assert told.value.value == value.value
    assert told.value.lower is None
    for row in (told.to_json()["mean"], *told.rows()):
        assert (row["value"], row["lower"], row["lower_margin95"]) == (60.0, None, None)
    assert "at least" not in str(told)
    assert "resolver: rivers are bounded" in str(told)
    assert early_words(sampled).startswith("at most 60 ")
    first, second = rows_in(add_checkpoint(add_checkpoint(tmp_path / "table.json", told), judged(value, "limit")))
    assert (first["bound"], first["mean"], first["mean_margin95"]) == ("rivers are bounded", 60.0, value.value.margin)
    assert "mean_lower" not in first
    assert (second["bound"], second["mean_lower"]) == (None, 45.0)


def judged(value, game, **how):
    how = how or {"flops": 2, "is_whole": False, "seed": 1}
    return ExploitabilityResult("table", game, Exploitability(value, value, value, **how))


def test_a_bound_over_all_flops_is_not_called_exact(tmp_path):
    value = ResponseValue.exactly(60.0, 1755)
    table = judged(value, "limit", flops=1755, is_whole=True)
    bounded = ExploitabilityResult("resolver", "limit", table.found.as_bound("rivers are bounded"))
    assert "all flops, exact" in str(table)
    assert "all flops, an upper bound" in str(bounded)
    assert ["on", "average", "60.000"] in [line.split() for line in str(bounded).splitlines()]
    assert (bounded.to_json()["exact"], bounded.to_json()["mean"]["margin95"]) == (False, 0.0)
    [row] = rows_in(add_checkpoint(tmp_path / "table.json", bounded))
    assert (row["exact"], row["flops_judged"], row["flops_seed"]) == (False, 1755, None)
    beside = str(bounded.beside(table))
    assert "exact" not in beside
    assert "resolver, at most" in beside
    assert "table, at most" not in beside
