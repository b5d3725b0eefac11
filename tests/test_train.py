"""The training kernel against a slow twin, and runs that can be interrupted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.game.betting_tree import DECISION, FOLDED, SHOWDOWN, BettingTree
from railbird.game.spec import limit_holdem
from railbird.kernels.cards.isomorphism import CLASS_COUNTS
from railbird.kernels.lanes import LANES
from railbird.kernels.solve.buckets import ENTRIES
from railbird.solve import solving
from railbird.solve.abstraction import Abstraction
from railbird.solve.bucket_files import save_buckets
from railbird.solve.solving import SolvePlan, solve
from railbird.solve.strategy import strategy_named
from railbird.solve.train import LIVE, Training, prepared, sampled_board
from railbird.stopping import NOTHING_KEPT

COUNTS = (169, 5, 7, 12)


def random_abstraction(seed: int = 5, counts: tuple[int, ...] = COUNTS) -> Abstraction:
    """Buckets on flop and turn that mean nothing, on the river by hand strength."""
    generator = np.random.default_rng(seed)
    centres = {name: np.zeros((counts[street], ENTRIES), np.uint16) for street, name in ((1, "flop"), (2, "turn"))}
    rest = {"method": "histogram", "counts": np.array(counts), "river": np.full((counts[3], 0), 0.0)}
    abstraction = Abstraction({**rest, **centres})
    abstraction._tables = tuple(
        generator.integers(0, counts[street], CLASS_COUNTS[street], np.uint16) for street in (1, 2)
    )
    return abstraction


class Twin:
    """Steps 1 to 5 of `kernels.solve.vector_cfr` for one board, node by node, with matrices of pairs of holdings."""

    def __init__(self, training: Training, board: np.ndarray) -> None:
        self.tree = BettingTree.of(training.game)
        streets = prepared(training.abstraction, board)
        pairs, ends = streets[0].cards.reshape(-1, 2), streets[0].ends
        shares = (pairs[:, None, :, None] == pairs[None, :, None, :]).any(axis=(2, 3))
        self.meets = np.where(shares, 0.0, 1.0)
        self.wins = self.meets * np.sign(ends[:, None] - ends[None, :])  # holdings of equal rank end together
        self.buckets = [street.present[street.places[:LIVE]] for street in streets]
        self.regrets = [
            r.by_row(table, count).astype(float) for table, r, count in zip(training.regrets, training.rounds, COUNTS)
        ]
        self.sums = [np.zeros_like(table) for table in self.regrets]
        self.changes = [np.zeros_like(table) for table in self.regrets]

    def walk(self, node: int, reaches: list[np.ndarray]) -> list[np.ndarray]:
        tree = self.tree
        if tree.kind[node] == FOLDED:
            folder = tree.actor[node]
            lost = tree.committed[node, folder]
            return [(-lost if player == folder else lost) * (self.meets @ reaches[1 - player]) for player in (0, 1)]
        if tree.kind[node] == SHOWDOWN:
            return [tree.committed[node, 0] * (self.wins @ reaches[1 - player]) for player in (0, 1)]
        if tree.kind[node] != DECISION:
            return self.walk(tree.child[node, 1], reaches)
        street, row, actor = tree.street[node], tree.row[node], tree.actor[node]
        actions = [action for action in range(3) if tree.child[node, action] >= 0]
        positive = np.zeros((self.regrets[street].shape[1], 3))
        positive[:, actions] = np.maximum(self.regrets[street][row][:, actions], 0.0)
        whole = positive.sum(axis=1, keepdims=True)
        even = np.zeros(3)
        even[actions] = 1 / len(actions)
        sigma = np.where(whole > 0, positive / np.where(whole > 0, whole, 1.0), even)[self.buckets[street]]
        found = [np.zeros(LIVE), np.zeros(LIVE)]
        of_action = {}
        for action in actions:
            after = list(reaches)
            after[actor] = reaches[actor] * sigma[:, action]
            values = self.walk(tree.child[node, action], after)
            of_action[action] = values[actor]
            found[actor] += sigma[:, action] * values[actor]
            found[1 - actor] += values[1 - actor]
            np.add.at(self.sums[street][row][:, action], self.buckets[street], after[actor])
        for action in actions:
            np.add.at(self.changes[street][row][:, action], self.buckets[street], of_action[action] - found[actor])
        return found


@pytest.mark.parametrize(("cap", "floor"), [(2, 0.0), (1, -3e38)])
def test_one_board_agrees_with_the_twin(cap, floor):
    training = Training(random_abstraction(), limit_holdem(cap=cap), method="plus" if floor == 0 else "linear")
    generator = np.random.default_rng(11)
    for table in training.regrets:
        table[:] = generator.normal(0.0, 300.0, len(table))
    # Where only negative regrets are left, every action is as likely.
    training.regrets[1][: 30 * LANES] = -1.0
    tree = BettingTree.of(training.game)
    for street, (table, rounds, count) in enumerate(zip(training.regrets, training.rounds, COUNTS)):
        illegal = ~tree.legal(street)[: rounds.decisions]
        table.reshape(rounds.blocks, count, rounds.decisions, 3, LANES)[:, :, illegal] = 0.0
    number = 999  # weighs 1
    twin = Twin(training, sampled_board(training.seed, number))
    twin.walk(0, [np.ones(LIVE), np.ones(LIVE)])
    training.boards = number
    assert training.run(boards=1) == 1
    for street, (rounds, count) in enumerate(zip(training.rounds, COUNTS)):
        sums = rounds.by_row(training.sums[street], count)
        np.testing.assert_allclose(sums, twin.sums[street], rtol=2e-4, atol=2e-3)
        wanted = np.maximum(twin.regrets[street] + twin.changes[street], floor)
        found = rounds.by_row(training.regrets[street], count)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5 * np.abs(twin.changes[street]).max())


def test_a_resumed_run_gives_the_same_bytes(tmp_path):
    whole, begun = (Training(random_abstraction(), limit_holdem(cap=2), seed=3, power=2) for _ in range(2))
    whole.run(boards=5)
    begun.run(boards=2)
    begun.save(tmp_path / "begun")
    resumed = Training.load(tmp_path / "begun")
    assert (resumed.boards, resumed.power, resumed.game) == (2, 2, whole.game)
    resumed.abstraction._tables = whole.abstraction.tables
    resumed.run(boards=3)
    resumed.save(tmp_path / "resumed")
    whole.save(tmp_path / "whole")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_boards_follow_from_seed_and_number():
    boards = [tuple(sampled_board(1, number).tolist()) for number in range(50)]
    assert boards == [tuple(sampled_board(1, number).tolist()) for number in range(50)]
    assert len(set(boards)) == 50
    assert all(len(set(board)) == 5 for board in boards)
    assert boards[0] != tuple(sampled_board(2, 0).tolist())


@pytest.mark.parametrize("spoil", ["cut", "flip", "other"])
def test_a_damaged_checkpoint_is_refused(tmp_path, spoil):
    path = tmp_path / "checkpoint"
    training = Training(random_abstraction(), limit_holdem(cap=1))
    training.save(path)
    content = bytearray(path.read_bytes())
    if spoil == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif spoil == "flip":
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    else:
        training.strategy().save(path)
    message = "is a railbird strategy, not a railbird checkpoint" if spoil == "other" else "is damaged"
    with pytest.raises(RailbirdError, match=message):
        Training.load(path)


def test_two_workers_train_the_same_boards():
    training = Training(random_abstraction(), limit_holdem(cap=1))
    assert training.run(boards=6, workers=2) == training.boards == 6
    assert all(np.isfinite(table).all() for table in (*training.regrets, *training.sums))


def test_training_learns_that_aces_are_better_than_seven_deuce():
    training = Training(random_abstraction(counts=(169, 1, 1, 20)), limit_holdem(cap=2))
    training.run(boards=300)
    table, tree = training.strategy().table(0), BettingTree.of(training.game)
    aces, seven_deuce = (training.abstraction.board_buckets(np.empty(0, np.uint8))[h] for h in (1325, 191))
    for history in ("", "r", "cr"):
        folds = table[tree.row[tree.node(history)], :, 0]
        assert folds[aces] < 0.02
        assert folds[seven_deuce] > folds[aces] + 0.1, history


# Streets whose play is given


def given_preflop(seed: int = 4) -> np.ndarray:
    weights = np.random.default_rng(seed).random((8, 169, 3), np.float32)
    weights = np.where(BettingTree.of(limit_holdem()).legal(0)[:, None, :], weights, 0.0)
    return (weights / weights.sum(axis=2, keepdims=True)).astype(np.float32)


def test_a_held_street_stays_and_the_others_learn_as_they_would():
    held, free = Training(random_abstraction(), held={0: given_preflop()}), Training(random_abstraction())
    free.regrets[0][:] = held.regrets[0]
    for training in (held, free):
        training.run(boards=1)
    rounds = held.rounds[0]
    assert np.array_equal(rounds.by_row(held.regrets[0], 169), given_preflop())
    assert not held.sums[0].any()
    assert not np.array_equal(free.regrets[0], held.regrets[0])
    for street in (1, 2, 3):  # after one board, what came before it is the same
        assert held.regrets[street].any()
        assert np.array_equal(held.regrets[street], free.regrets[street])
        assert np.array_equal(held.sums[street], free.sums[street])
    held.run(boards=3)
    np.testing.assert_allclose(held.strategy().table(0), given_preflop(), atol=1 / 255 + 1e-6)
    assert held.strategy().about["held"] == [0]


def test_with_the_play_before_the_flop_given_the_flops_games_are_apart():
    plain, other = (Training(random_abstraction(), held={0: given_preflop()}) for _ in range(2))
    rounds, count = plain.rounds[1], plain.abstraction.counts[1]
    rows = rounds.by_row(other.regrets[1], count)
    rows[: rounds.decisions, :, 1] = 50.0  # the first way to see a flop begins otherwise
    other.regrets[1][:] = rounds.by_lane(rows)
    for training in (plain, other):
        training.run(boards=3)
    for street, of_one in ((1, 1), (2, 9), (3, 81)):
        rounds, count = plain.rounds[street], plain.abstraction.counts[street]
        first = of_one * rounds.decisions
        ours, theirs = (rounds.by_row(training.sums[street], count) for training in (plain, other))
        assert not np.array_equal(ours[:first], theirs[:first])
        assert np.array_equal(ours[first:], theirs[first:])


def test_a_held_training_goes_on_after_an_interruption(tmp_path):
    whole, begun = (Training(random_abstraction(), seed=3, held={0: given_preflop()}) for _ in range(2))
    whole.run(boards=4)
    begun.run(boards=1)
    begun.save(tmp_path / "begun")
    resumed = Training.load(tmp_path / "begun")
    assert resumed.held == (0,)
    resumed.abstraction._tables = whole.abstraction.tables
    resumed.run(boards=3)
    for name, training in (("resumed", resumed), ("whole", whole)):
        training.save(tmp_path / name)
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


# What is refused, and the command


def test_ways_of_training_that_do_not_exist_are_refused():
    with pytest.raises(RailbirdError, match="no method 'pls'; did you mean 'plus'"):
        Training(random_abstraction(), method="pls")
    with pytest.raises(RailbirdError, match="an average of power 3"):
        Training(random_abstraction(), power=3)
    with pytest.raises(RailbirdError, match="strategies are for heads-up limit hold'em"):
        Training(random_abstraction(), limit_holdem(3))


def test_the_command_trains_and_resumes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(["solve", *arguments])
        captured = capsys.readouterr()
        return end.value.code or 0, captured.out, captured.err

    code, out, _ = run("-b", "169/1/1/4", "--boards", "3", "-o", "a.npz", "--json")
    assert code == 0
    assert json.loads(out)["boards"] == 3
    assert run("--resume", "--boards", "2", "-o", "a.npz")[0] == 0
    assert run("-b", "169/1/1/4", "--boards", "5", "-o", "b.npz")[0] == 0
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    for arguments, message in (
        (["-b", "169/x"], "error: '169/x' are not buckets by street"),
        (["--method", "pluss"], "error: no method 'pluss'; did you mean 'plus'?"),
        (["--resume", "-o", "c.npz"], "error: cannot read 'c.npz.checkpoint'"),
        (["-o", "."], "error: '.' is a folder"),
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert message in err


def begun_by(tmp_path, name: str = "a.npz", **settings: object) -> Path:
    """The strategy file beside a checkpoint of a training that has just begun."""
    abstraction = Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 4]), "river": np.empty((4, 0))})
    Training(abstraction, **settings).save(tmp_path / f"{name}.checkpoint")
    return tmp_path / name


def test_a_checkpoint_goes_on_as_it_was_begun_and_what_differs_is_refused(tmp_path):
    path = begun_by(tmp_path, method="finer", seed=4, power=2)
    same = {"method": "finer", "seed": 4, "power": 2, "sight": "texture", "abstraction": "ehs", "buckets": "169/1/1/4"}
    for settings in ({}, same):
        found = solve(path, resume=True, only_write=True, progress=False, **settings).training
        assert (found.method, found.seed, found.power, found.sight) == ("finer", 4, 2, "texture")
    for settings, why in (
        ({"method": "plus"}, "was begun with method finer, not with plus"),
        ({"method": "finer", "sight": "boards"}, "was begun with sight texture, not with boards"),
        ({"seed": 0}, "was begun with seed 4, not with 0"),
        ({"power": 1}, "was begun with power 2, not with 1"),
        ({"abstraction": "histogram"}, "was begun with abstraction ehs, not with histogram"),
        ({"buckets": "169/1/1/5"}, "was begun with 169/1/1/4 buckets, not with 169/1/1/5"),
        ({"together": 8}, "8 boards together are for --backend gpu"),
        ({"preflop": "sparbot"}, "was begun with other play before the flop"),
    ):
        with pytest.raises(RailbirdError, match=why):
            solve(path, resume=True, only_write=True, progress=False, **settings)


def test_a_checkpoint_with_held_streets_goes_on_with_them_alone(tmp_path):
    path = begun_by(tmp_path, held={0: strategy_named("sparbot").table(0)})
    for settings in ({}, {"preflop": "sparbot"}):
        solve(path, resume=True, boards=1, progress=False, **settings)
    for settings, where in (({"preflop": "equilibrium"}, "before the flop"), ({"checked_river": True}, "on the river")):
        with pytest.raises(RailbirdError, match=f"was begun with other play {where}"):
            solve(path, resume=True, boards=1, progress=False, **settings)


def test_what_makes_a_step_goes_by_the_training_s_own_method(tmp_path):
    path = begun_by(tmp_path, method="cfr-br")
    solve(path, resume=True, only_write=True, together=64, progress=False)
    with pytest.raises(RailbirdError, match="65 flops together; there must be 1 to 64"):
        solve(path, resume=True, only_write=True, together=65, progress=False)
    with pytest.raises(RailbirdError, match="2 workers; cfr-br works with one on the cpu"):
        solve(path, resume=True, only_write=True, workers=2, progress=False)


@pytest.mark.parametrize("method", ["plus", "linear", "finer", None])
def test_boards_together_are_for_a_gpu(method):
    with pytest.raises(RailbirdError, match=r"8 boards together are for --backend gpu; with [a-z]+ each is a step on"):
        solve(method=method, together=8, boards=1, buckets="169/1/1/4", progress=False)
    SolvePlan(method=method, together=8, backend="gpu")
    SolvePlan(method=method, together=1)


def test_settings_without_what_they_are_about_are_refused(tmp_path):
    with pytest.raises(RailbirdError, match=r"--begin-as 5\.0 without --begin-with"):
        SolvePlan(method="finer", begin_as=5.0)
    save_buckets(random_abstraction(counts=(169, 1, 1, 4)), tmp_path / "buckets.npz")
    with pytest.raises(RailbirdError, match="--abstraction ehs is for new buckets; these were made by histogram"):
        solve(buckets=str(tmp_path / "buckets.npz"), abstraction="ehs", boards=1, progress=False)


def test_checkpoints_are_asked_for_where_there_is_a_file_to_lie_beside(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(solving, "train_against_answers", lambda *told: asked.append(told[-1]))
    settings = {"method": "cfr-br", "buckets": "169/1/1/4", "boards": 1, "progress": False}
    solve(**settings)
    solve(tmp_path / "a.npz", **settings)
    assert asked[0] is None
    assert asked[1] is not None


def test_what_is_kept_is_what_the_checkpoint_has(tmp_path):
    path, plan = begun_by(tmp_path), SolvePlan()
    training = Training.load(solving.checkpoint_of(path))
    training.run(boards=3)
    assert solving._kept_boards(training, plan, path).startswith("0 boards are kept in ")
    training.save(solving.checkpoint_of(path))
    training.run(boards=1)
    assert solving._kept_boards(training, plan, path).startswith("3 boards are kept in ")
    fresh = Training(training.abstraction)
    assert solving._kept_boards(fresh, plan, path) == NOTHING_KEPT


def test_a_strategy_that_is_not_the_average_says_so():
    training = Training(random_abstraction(), limit_holdem(cap=1), method="finer")
    assert training.strategy(is_current=True).about["average"] is False
    assert "average" not in training.strategy().about


def test_a_strategy_that_is_not_there_is_no_bot_that_is_not_there():
    with pytest.raises(RailbirdError, match="no strategy file 'nothing'") as refused:
        solve(method="finer", begin_with="nothing", boards=1, progress=False)
    assert type(refused.value) is RailbirdError
