"""Players by strategy tables inside the kernel: the same bytes as decision by decision, and who is played that way."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.bots.equilibrium import Equilibrium, strategy_of
from railbird.bots.simple import AlwaysCall
from railbird.cards import cards_text, holding_cards, holding_index, holding_text
from railbird.errors import UnknownBotError
from railbird.game.actions import CALL, ProbabilityTriple
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.kernels.cards.ranking import CARD_KEYS, RANK_KEYS, TABLE
from railbird.kernels.solve import buckets as kernels
from railbird.play import blocks
from railbird.play.folder import MatchFolder
from railbird.play.match import COMPILED_BLOCK, MatchSpec
from railbird.play.run import run_matches
from railbird.solve.abstraction import Abstraction
from railbird.solve.holding_features import better_classes, better_holdings, river_features
from railbird.solve.strategy import Strategy


def boards(seed: int) -> list[tuple[int, ...]]:
    """Random boards, boards with three to five cards of a suit, and boards with two to four of a rank."""
    generator = np.random.default_rng(seed)
    found = [generator.permutation(52)[:5].tolist() for _ in range(60)]
    for on_board in (3, 4, 5):
        for suit in range(4):
            for _ in range(5):
                others = [card for card in generator.permutation(52).tolist() if card & 3 != suit]
                suited = (4 * generator.permutation(13)[:on_board] + suit).tolist()
                found.append([*suited, *others[: 5 - on_board]])
    for of_rank in (2, 3, 4):
        for rank in range(0, 13, 3):
            others = [card for card in generator.permutation(52).tolist() if card >> 2 != rank]
            found.append([*(4 * rank + generator.permutation(4)[:of_rank]).tolist(), *others[: 5 - of_rank]])
    return [tuple(generator.permutation(board).tolist()) for board in found]


def live_holdings(board: tuple[int, ...]) -> list[int]:
    return [holding for holding in range(1326) if not {*holding_cards(holding)} & {*board}]


def random_strategy(path: Path, seed: int, cap: int) -> str:
    """A strategy file with random probabilities (one bucket on flop and turn, 60 on the river), as a bot."""
    generator = np.random.default_rng(seed)
    limits = np.sort(generator.random((12, 4)), axis=1)
    abstraction = Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 60]), "river": limits})
    game = limit_holdem(cap=cap)
    rows = [len(nodes) for nodes in BettingTree.of(game).decisions]
    tables = [generator.random((r, count, 3), np.float32) ** 3 for r, count in zip(rows, abstraction.counts)]
    file = path / f"random{seed}.npz"
    Strategy.of(game, abstraction, tables, {}).save(file)
    return f"equilibrium:strategy={file}"


def assert_same_bytes(spec: MatchSpec) -> bytes:
    """Compare both ways to play in every stream; the lines of the last."""
    assert spec.is_compiled
    for stream in range(spec.seating.legs):
        compiled = list(blocks._play_compiled(spec, stream, 0, spec.hands))
        asked = list(blocks._play_bots(spec, stream, 0, spec.hands, (), None, {}))
        text = b"".join(block.text for block in compiled)
        for ours, wanted in zip(text.splitlines(), b"".join(block.text for block in asked).splitlines(), strict=True):
            assert ours == wanted
        assert np.array_equal(np.concatenate([b.won for b in compiled]), np.concatenate([b.won for b in asked]))
    return text


# One holding's bucket


def test_one_holding_stands_as_among_all_holdings_to_the_last_bit():
    better, counts, class_ranks = better_classes(), np.empty(13, np.int64), np.empty(91, np.int16)
    for board in boards(seed=3):
        cards = np.array(board, np.uint8)
        strengths, others = river_features(cards)
        kernels.rank_board(TABLE, RANK_KEYS, cards, counts, class_ranks)
        for holding in live_holdings(board):
            high, low = holding_cards(holding)
            found = kernels.river_standing(TABLE, CARD_KEYS, RANK_KEYS, better, class_ranks, cards, low, high)
            assert found == (strengths[holding], others[holding]), (holding_text(holding), cards_text(board))


def test_one_bucket_is_that_of_the_whole_board():
    shipped = strategy_of().abstraction
    for at, board in enumerate(boards(seed=4)):
        # Limits that are met exactly: the standings of this very board.
        standings = np.sort(river_features(np.array(board, np.uint8))[1][live_holdings(board)])
        limits = np.tile(standings[100:1000:100], (8, 1))
        exact = Abstraction({"method": "ehs", "counts": np.array([169, 1, 1, 80]), "river": limits})
        for abstraction, cards in ((exact, 5), (shipped, 5), (shipped, 4), (shipped, 3), (shipped, 0)):
            wanted = abstraction.board_buckets(np.array(board[:cards], np.uint8))
            for holding in live_holdings(board)[at % 11 :: 11]:
                high, low = holding_cards(holding)
                assert abstraction.bucket((high, low), board[:cards]) == wanted[holding]
                assert abstraction.bucket((low, high), board[:cards]) == wanted[holding]


def test_better_classes_are_the_better_holdings():
    better, classes = better_holdings(), better_classes()
    for high in range(52):
        for low in range(high):
            at = (high >> 2) * ((high >> 2) + 1) // 2 + (low >> 2)
            assert classes[at, int(high & 3 == low & 3)] == better[holding_index(high, low)]


# Two ways to play, one result


@pytest.mark.parametrize("small_bet", [2, 10])
@pytest.mark.parametrize("opponent", ["equilibrium", "always-call", "always-raise", "random:fold=1,call=4,raise=5"])
def test_tables_give_the_same_bytes_in_the_kernel_and_when_asked(opponent, small_bet):
    game = limit_holdem(small_bet=small_bet)
    text = assert_same_bytes(MatchSpec(game, ("equilibrium", opponent), 600, 17 + small_bet, True))
    assert_same_bytes(MatchSpec(game, (opponent, "equilibrium"), 300, 5 + small_bet, False))
    assert text.count(b"\n") == 600
    if opponent == "equilibrium":  # every street is reached, and hands end by folds on all of them
        lines = [line.split(b":")[2] for line in text.splitlines()]
        assert {(line.count(b"/"), line.endswith(b"f")) for line in lines} == {
            (0, True),
            (1, True),
            (2, True),
            (3, True),
            (3, False),
        }


@pytest.mark.parametrize("cap", [1, 3, 4])
def test_any_strategy_file_gives_the_same_bytes(tmp_path, cap):
    first, second = (random_strategy(tmp_path, seed, cap) for seed in (1, 2))
    game = limit_holdem(small_bet=6, cap=cap)
    others = [second, "random", *(["sparbot"] if cap == 4 else [])]
    for other in others:
        assert_same_bytes(MatchSpec(game, (first, other), 400, cap, True))


def test_hands_from_the_middle_of_a_stream_are_the_same():
    spec = MatchSpec(limit_holdem(), ("equilibrium", "random"), 999, 8, True)
    whole = b"".join(block.text for block in blocks.play_blocks(spec, 1, 0, 999)).splitlines(keepends=True)
    part = b"".join(block.text for block in blocks.play_blocks(replace(spec, block_hands=7), 1, 123, 456))
    assert part == b"".join(whole[123:456])


def test_one_worker_or_two_or_an_interruption_give_the_same_bytes(tmp_path):
    spec = MatchSpec(limit_holdem(), ("sparbot", "equilibrium"), 1000, 3, True, block_hands=150)
    assert spec.is_compiled

    def logs(name: str, workers: int) -> list[bytes]:
        run_matches([MatchFolder.create(tmp_path / name, spec)], workers)
        return [file.read_bytes() for file in sorted((tmp_path / name).glob("*.log"))]

    one = logs("one", workers=1)
    assert len(one) == 2
    assert logs("two", workers=2) == one
    for stream, text in enumerate(one):
        hands = b"".join(block.text for block in blocks._play_bots(spec, stream, 0, 1000, (), None, {}))
        assert hands in text
    shutil.copytree(tmp_path / "one", tmp_path / "torn")
    for log in (tmp_path / "torn").glob("*.log"):
        log.write_bytes(log.read_bytes()[:20_000])
    assert logs("torn", workers=2) == one


# Who is played inside the kernel


class Named(Equilibrium):
    """Only a name."""


class Calls(Equilibrium):
    def act(self, view):
        return CALL


class Bold(Equilibrium):
    def chances(self, view):
        return ProbabilityTriple(0.0, 0.0, 1.0)


class Watches(Equilibrium):
    def on_action(self, view, position, action):
        pass


class Learns(Equilibrium):
    learns = True


class Raises(AlwaysCall):
    def act(self, view):
        return view.smallest_raise()


def test_who_changes_a_table_player_is_asked(tmp_path):
    for kind in (Named, Calls, Bold, Watches, Learns, Raises):
        assert MatchSpec(limit_holdem(), ("equilibrium", kind), 10, 1).is_compiled == (kind is Named), kind
    named = "from railbird.bots.equilibrium import Equilibrium\nclass Named(Equilibrium): ...\n"
    (tmp_path / "named.py").write_text(named)
    assert not MatchSpec(limit_holdem(), ("equilibrium", f"{tmp_path / 'named.py'}:Named"), 10, 1).is_compiled
    assert MatchSpec(limit_holdem(), ("equilibrium", "sparbot"), 10, 1).block_hands == COMPILED_BLOCK
    assert not MatchSpec(limit_holdem(), ("equilibrium", "expert"), 10, 1).is_compiled


def test_a_match_with_a_strategy_that_is_not_there_says_so():
    with pytest.raises(UnknownBotError, match=r"no strategy file 'nowhere\.npz'"):
        MatchSpec(limit_holdem(), ("equilibrium:strategy=nowhere.npz", "always-call"), 10, 1)


def test_a_strategy_plays_its_game_in_any_chips():
    strategy = strategy_of()
    for game in (limit_holdem(), limit_holdem(small_bet=10), limit_holdem(small_bet=50_000)):
        assert strategy.plays(game)
    for game in (
        limit_holdem(3),
        limit_holdem(cap=3),
        limit_holdem(ante=1),
        limit_holdem(stack=100),
        limit_holdem(big_bet=2),
        limit_holdem(small_blind=2),
        limit_holdem(reverse_blinds=False),
        limit_holdem(small_bet=3),
    ):
        assert not strategy.plays(game)
