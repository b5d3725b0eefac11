"""Training against an opponent who sees more: the kernel against a slow twin, textures, and runs that go on."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import parse_cards
from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.game.betting_tree import DECISION, FOLDED, SHOWDOWN, BettingTree
from railbird.game.spec import limit_holdem
from railbird.kernels.lanes import LANES
from railbird.solve.beginning import begin_with
from railbird.solve.best_response import exploitability
from railbird.solve.finer_opponent import texture, texture_count
from railbird.solve.strategy import Strategy, strategy_named
from railbird.solve.train import LIVE, Training, prepared, sampled_board
from test_train import COUNTS, random_abstraction

RIVER = 3


class Twin:
    """One board for the learner in a position, node by node, with matrices of pairs of holdings."""

    def __init__(self, training: Training, board: np.ndarray, learner: int) -> None:
        self.tree, self.learner = BettingTree.of(training.game), learner
        streets = prepared(training.abstraction, board)
        pairs, ends = streets[0].cards.reshape(-1, 2), streets[0].ends
        shares = (pairs[:, None, :, None] == pairs[None, :, None, :]).any(axis=(2, 3))
        self.meets = np.where(shares, 0.0, 1.0)
        self.wins = self.meets * np.sign(ends[:, None] - ends[None, :])
        own = [street.present[street.places[:LIVE]] for street in streets]
        finer = [
            training.opposed[street].finer(board[:cards], own[street]) for street, cards in ((0, 0), (1, 3), (2, 4))
        ]
        self.buckets = [(own[s], finer[s] if s < RIVER else None)[:: 1 if learner == 0 else -1] for s in range(4)]
        self.regrets, self.changes = [], []
        for street, (opposed, rounds) in enumerate(zip(training.opposed, training.rounds)):
            tables = [rounds.by_row(opposed.own, COUNTS[street]).astype(float)]
            if street < RIVER:
                tables.append(rounds.by_row(opposed.others, opposed.split.count).astype(float))
            self.regrets.append((tables[0], tables[-1])[:: 1 if learner == 0 else -1])
            self.changes.append([np.zeros_like(table) for table in self.regrets[-1]])
        self.sums = [np.zeros_like(tables[learner]) for tables in self.regrets]
        self.answers: dict[int, np.ndarray] = {}

    def actions(self, node: int) -> list[int]:
        return [action for action in range(3) if self.tree.child[node, action] >= 0]

    def ended(self, node: int, player: int, reach: np.ndarray) -> np.ndarray | None:
        """What an end is worth to a player against the other's reach."""
        tree = self.tree
        if tree.kind[node] == FOLDED:
            folder = tree.actor[node]
            lost = tree.committed[node, folder]
            return (-lost if player == folder else lost) * (self.meets @ reach)
        if tree.kind[node] == SHOWDOWN:
            return tree.committed[node, 0] * (self.wins @ reach)
        return None

    def sigma(self, node: int) -> np.ndarray:
        """By holding and action, what the one who acts does."""
        tree, actions = self.tree, self.actions(node)
        street, actor = tree.street[node], tree.actor[node]
        if street == RIVER and actor != self.learner:
            return self.answers[node]
        regrets = self.regrets[street][actor][tree.row[node]]
        positive = np.zeros_like(regrets)
        positive[:, actions] = np.maximum(regrets[:, actions], 0.0)
        whole = positive.sum(axis=1, keepdims=True)
        even = np.zeros(3)
        even[actions] = 1 / len(actions)
        return np.where(whole > 0, positive / np.where(whole > 0, whole, 1.0), even)[self.buckets[street][actor]]

    def answered(self, node: int, reach: np.ndarray) -> np.ndarray:
        """What a river decision is worth to the opponent who answers perfectly, against the learner's reach."""
        found = self.ended(node, 1 - self.learner, reach)
        if found is not None:
            return found
        actions, actor = self.actions(node), self.tree.actor[node]
        if actor == self.learner:
            sigma = self.sigma(node)
            return sum(self.answered(self.tree.child[node, a], reach * sigma[:, a]) for a in actions)
        values = np.full((LIVE, 3), -np.inf)
        for action in actions:
            values[:, action] = self.answered(self.tree.child[node, action], reach)
        best = values[:, [1, 2, 0]].argmax(axis=1)  # a call before a raise before a fold
        self.answers[node] = np.eye(3)[np.array([1, 2, 0])[best]]
        return values.max(axis=1)

    def walk(self, node: int, reaches: list[np.ndarray]) -> list[np.ndarray]:
        tree = self.tree
        if tree.kind[node] in (FOLDED, SHOWDOWN):
            return [self.ended(node, player, reaches[1 - player]) for player in (0, 1)]
        if tree.kind[node] != DECISION:
            following = tree.child[node, 1]
            if tree.street[following] == RIVER:
                self.answered(following, reaches[self.learner])
            return self.walk(following, reaches)
        street, row, actor, sigma = tree.street[node], tree.row[node], tree.actor[node], self.sigma(node)
        found, of_action = [np.zeros(LIVE), np.zeros(LIVE)], {}
        for action in self.actions(node):
            after = list(reaches)
            after[actor] = reaches[actor] * sigma[:, action]
            values = self.walk(tree.child[node, action], after)
            of_action[action] = values[actor]
            found[actor] += sigma[:, action] * values[actor]
            found[1 - actor] += values[1 - actor]
            if actor == self.learner:
                np.add.at(self.sums[street][row][:, action], self.buckets[street][actor], after[actor])
        if street == RIVER and actor != self.learner:
            return found
        for action, value in of_action.items():
            changes = self.changes[street][actor][row][:, action]
            np.add.at(changes, self.buckets[street][actor], value - found[actor])
        return found


def with_regrets(cap: int, sight: str) -> Training:
    training = Training(random_abstraction(), limit_holdem(cap=cap), method="finer", sight=sight)
    generator, tree = np.random.default_rng(12), BettingTree.of(training.game)
    for street, (opposed, rounds) in enumerate(zip(training.opposed, training.rounds)):
        opposed.both[:] = generator.normal(0.0, 300.0, len(opposed.both))
        illegal = ~tree.legal(street)[: rounds.decisions]
        opposed.both.reshape(-1, rounds.decisions, 3, LANES)[:, illegal] = 0.0
    return training


@pytest.mark.parametrize(("cap", "sight"), [(1, "texture"), (1, "boards"), (2, "texture")])
def test_one_board_agrees_with_the_twin(cap, sight):
    training = with_regrets(cap, sight)
    number = 999  # weighs 1 in the average, and a tenth more than the first in the regrets
    weight = 1.1
    twins = [Twin(training, sampled_board(training.seed, number), learner) for learner in (0, 1)]
    for twin in twins:
        twin.walk(0, [np.ones(LIVE), np.ones(LIVE)])
    training.boards = number
    training.run(boards=1)
    for street, (opposed, rounds, count) in enumerate(zip(training.opposed, training.rounds, COUNTS)):
        sums, own = (rounds.by_row(table, count) for table in (training.sums[street], opposed.own))
        changes = sum(twin.changes[street][twin.learner] for twin in twins)
        most = np.abs(changes).max()
        np.testing.assert_allclose(sums, sum(twin.sums[street] for twin in twins), rtol=2e-4, atol=2e-3)
        wanted = twins[0].regrets[street][0] + weight * changes
        np.testing.assert_allclose(own, wanted, rtol=1e-4, atol=1e-5 * most)
        if street == RIVER:
            assert not len(opposed.others)
            continue
        changes = sum(twin.changes[street][1 - twin.learner] for twin in twins)
        found = rounds.by_row(opposed.others, opposed.split.count)
        wanted = twins[0].regrets[street][1] + weight * changes
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5 * most)


def test_textures_are_all_met_and_no_others():
    deck = np.arange(52, dtype=np.uint8)
    shuffled = np.random.default_rng(2).permuted(np.tile(deck, (2_000, 1)), axis=1)
    for cards in (3, 4):
        assert {texture(board) for board in shuffled[:, :cards].tolist()} <= set(range(texture_count(cards)))
    assert len({texture(board) for board in shuffled[:, :3].tolist()}) == 5  # a pair has two suits
    told = {"AhKhQh": 4, "AhKhQd": 2, "AhKcQd": 0, "AhAcQd": 1, "AhAcQc": 3, "AhKhQh2h": 6, "AhAcQcJc": 5}
    assert {board: texture(parse_cards(board)) for board in told} == told
    assert (texture_count(0), texture(())) == (1, 0)


def finer(seed: int = 3) -> Training:
    return Training(random_abstraction(), limit_holdem(cap=1), seed=seed, method="finer")


def test_a_run_that_goes_on_gives_the_same_bytes(tmp_path):
    whole, begun = finer(), finer()
    whole.run(boards=20)
    begun.run(boards=7)
    begun.save(tmp_path / "begun")
    resumed = Training.load(tmp_path / "begun")
    resumed.abstraction._tables = whole.abstraction.tables
    resumed.run(boards=13)
    for name, training in (("resumed", resumed), ("whole", whole)):
        training.save(tmp_path / name)
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_run_against_an_opponent_who_sees_boards_goes_on_as_it_was_begun(tmp_path):
    crude, game = strategy_named("sparbot").abstraction, limit_holdem(cap=1)
    whole, begun = (Training(crude, game, seed=3, method="finer", sight="boards") for _ in range(2))
    whole.run(boards=3)
    begun.run(boards=1)
    begun.save(tmp_path / "begun")
    resumed = Training.load(tmp_path / "begun")
    assert resumed.sight == resumed.strategy().about["sight"] == "boards"
    for part, other in zip(resumed.opposed, begun.opposed):
        assert np.array_equal(part.both, other.both)
    resumed.run(boards=2)
    for part, other in zip(resumed.opposed, whole.opposed):
        assert np.array_equal(part.both, other.both)
    assert all(np.array_equal(*both) for both in zip(resumed.sums, whole.sums))


def test_a_checkpoint_whose_opponent_is_nonsense_is_refused(tmp_path):
    training = finer()
    training.opposed[1].others[5] = np.nan
    training.save(tmp_path / "bad")
    with pytest.raises(RailbirdError, match="regrets that are no numbers"):
        Training.load(tmp_path / "bad")


@pytest.fixture(scope="module")
def fitted() -> Strategy:
    """A strategy for the game with one bet a street, trained for so long that it fits itself to its buckets."""
    training = Training(strategy_named("sparbot").abstraction, limit_holdem(cap=1), seed=1)
    training.run(boards=3_000)
    return training.strategy()


def test_what_is_begun_with_a_strategy_plays_exactly_that_strategy(fitted):
    training = Training(fitted.abstraction, fitted.game, method="finer")
    begin_with(training, fitted, "given.npz", 50.0)
    assert training.begun_with == {"strategy": "given.npz", "boards": 50.0}
    for ours, theirs in zip(training.strategy().codes, fitted.codes):
        assert np.abs(ours.astype(int) - theirs).max() <= 1
    for street, part in enumerate(training.opposed[:3]):
        rounds = training.rounds[street]
        table = rounds.by_row(part.others, part.split.count)
        chances = table / table.sum(axis=2, keepdims=True)
        wanted = fitted.table(street)[:, part.split.learners]
        np.testing.assert_allclose(chances, wanted, atol=1e-5)


def test_against_a_finer_opponent_it_gets_harder_to_exploit(fitted):
    """Where the strategy had more of its own kind of training, the same flops show no such gain."""
    before = exploitability(fitted, 4).mean.value.mean
    training = Training(fitted.abstraction, fitted.game, method="finer")
    begin_with(training, fitted, "given.npz", 50.0)
    training.run(boards=1_500)
    after = exploitability(training.strategy(), 4).mean.value.mean
    assert after < before


def test_the_command_trains_begins_and_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as end:
            main(["solve", *arguments])
        return end.value.code or 0, " ".join(capsys.readouterr().err.split())

    begin = ["--method", "finer", "--begin-with", "sparbot"]
    assert run(*begin, "--boards", "2", "-o", "a.npz")[0] == 0
    assert run("--resume", "--boards", "1", "-o", "a.npz")[0] == 0
    assert run(*begin, "--boards", "3", "-o", "b.npz")[0] == 0
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert Strategy.load(tmp_path / "a.npz").about["begun_with"] == {"strategy": "sparbot", "boards": 100.0}
    for told, why in (
        (["--method", "finer", "--preflop", "sparbot"], "finer trains the whole game"),
        (["--method", "plus", "--sight", "boards"], "an opponent who sees boards is for --method finer, not for plus"),
        (["--method", "finer", "--sight", "bords"], "no sight 'bords'; did you mean 'boards'?"),
    ):
        code, err = run(*told)
        assert code == 2
        assert why in err
