"""Bots as strategies for best responses: asked everywhere, as tables over classes, and who is not to be believed."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from railbird.bots.base import Bot
from railbird.bots.bot_policy import BotPolicy
from railbird.bots.classed import ClassedBot
from railbird.bots.exploiting import exploitability, policy_of, target_of
from railbird.bots.features import hand_words
from railbird.bots.registry import make_bot
from railbird.bots.word_classes import GROUP_WORDS, HAND_WORDS, word_classes
from railbird.cards import HOLDING_COUNT, holding_cards, holding_index
from railbird.cli import main
from railbird.errors import RailbirdError
from railbird.game.betting import Betting
from railbird.game.betting_tree import BettingTree
from railbird.game.spec import limit_holdem
from railbird.game.view import PlayerView
from railbird.solve import best_response as module
from railbird.solve.best_response import BestResponse
from railbird.solve.flops import orbits
from railbird.solve.policy import TablePolicy

GAME, SHORT = limit_holdem(), limit_holdem(cap=1)
SEED = 17
CLASSED = ("jagbot", "hobbybot", "expert", "yoki-tight", "bpm", "bpl", "lokibot-a", "lokibot-e", "loki-gom", "papp-e")


@pytest.fixture
def few_cards(monkeypatch):
    """Deal only some turn and river cards, to be quick."""
    monkeypatch.setattr(module, "orbits", lambda board, symmetries: orbits(board, symmetries)[7::23])


def random_table(buckets: int = 5) -> TablePolicy:
    """A strategy over a few buckets, which follow from the ranks of the cards."""
    generator, tree = np.random.default_rng(SEED), BettingTree.of(SHORT)
    tables = [generator.random((len(nodes), buckets, 3)) + 0.05 for nodes in tree.decisions]
    ranks = np.array([[card >> 2 for card in holding_cards(holding)] for holding in range(HOLDING_COUNT)])

    def of(street, boards):
        on_board = (boards.astype(np.int64) >> 2).sum(axis=1)
        return (ranks[:, 0] * 3 + ranks[:, 1] + on_board[:, None]) % buckets

    return TablePolicy(SHORT, tables, of)


class TableBot(Bot):
    """Plays a table, and does not say that it has one."""

    def __init__(self) -> None:
        self.policy_, self.tree = random_table(), BettingTree.of(SHORT)

    def probabilities(self, view, every=False):
        node = self.tree.node(view.history)
        board = np.array([view.board_cards], np.uint8).reshape(1, -1)
        table = self.policy_.table(view.betting.street)[self.tree.row[node]].astype(np.float64)
        found = table[self.policy_.buckets(view.betting.street, board)[0]]
        found /= found.sum(axis=1, keepdims=True)
        return found if every else found[holding_index(*view.hole_cards)]


# Asked everywhere


def test_a_table_bot_that_is_asked_is_worth_what_its_table_is(few_cards):
    asked, given = BotPolicy(TableBot(), SHORT), random_table()
    assert asked.is_suit_blind
    ours, theirs = (BestResponse(policy).flop_values(900) for policy in (asked, given))
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-3)
    found = [exploitability(player, flops=2, seed=3, game=SHORT, workers=1).found for player in (TableBot(), given)]
    for name in ("as_dealer", "as_big_blind", "mean"):
        for part in ("value", "lower"):
            first, second = (getattr(getattr(each, name), part).mean for each in found)
            assert first == pytest.approx(second, rel=1e-5)


def test_the_workers_change_no_bit(few_cards):
    found = [exploitability(TableBot(), flops=3, seed=5, game=SHORT, workers=workers) for workers in (1, 3)]
    assert found[0] == found[1]
    assert found[0].to_json() == found[1].to_json()


def test_what_a_bot_sees_alike_is_asked_once(few_cards):
    class Watched(type(make_bot("yoki-tight"))):
        asked = 0

        def frozen_policy(self, game):
            return None

        def probabilities(self, view, every=False):
            type(self).asked += 1
            return super().probabilities(view, every)

    policy = policy_of(Watched(), GAME)
    assert isinstance(policy, BotPolicy)
    before = Watched.asked
    ours = BestResponse(policy).flop_values(900)
    assert Watched.asked - before < 200  # of 6,300 on a turn and its river
    theirs = BestResponse(make_bot("yoki-default").frozen_policy(GAME)).flop_values(900)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-3)


def test_policies_travel_to_other_processes():
    bot = make_bot("yoki-loose")
    gom = make_bot("papp-e")
    for policy in (
        BotPolicy(bot, SHORT),
        BotPolicy(gom, SHORT),
        bot.frozen_policy(SHORT),
        make_bot("bpt").frozen_policy(SHORT),
    ):
        there = pickle.loads(pickle.dumps(policy))
        board = (0, 21, 42)
        assert np.array_equal(there.probabilities(1, board), policy.probabilities(1, board))


# Players of classes


def played_decisions(bot, hands):
    """Decisions of a bot in hands against somebody who acts by chance: views and what was done."""
    generator = np.random.default_rng(SEED)
    for hand in range(hands):
        cards, node, position = generator.permutation(52)[:7].tolist(), Betting.start(GAME), hand % 2
        view = PlayerView(node, position, tuple(cards[:2]), (), hand, ("a", "b"))
        bot.seed_hand(1, hand)
        bot.on_hand(view)
        while node.to_act >= 0:
            if node.to_act == position:
                view = view._replace(betting=node, board_cards=tuple(cards[2 : 2 + GAME.board_seen(node.street)]))
                action = bot.act(view)
                yield view, action
            else:
                legal = [action for action in node.legal_actions() if action.kind != "f" or generator.random() < 0.1]
                action = legal[generator.integers(len(legal))]
            seen = tuple(cards[2 : 2 + GAME.board_seen(node.street)])
            bot.on_action(view._replace(betting=node, board_cards=seen), node.to_act, action)
            node = node.after(action)


@pytest.mark.parametrize("name", CLASSED)
def test_a_player_of_classes_does_what_its_classes_do(name):
    bot = make_bot(name)
    assert isinstance(bot, ClassedBot)
    seen = 0
    for view, action in played_decisions(bot, 40):
        chances = bot.probabilities(view)
        assert chances.shape == (3,)
        assert chances.sum() == pytest.approx(1)
        assert chances["fcr".index(action.kind)] > 0, view
        if name not in ("jagbot", "hobbybot", "expert"):  # the others draw nothing by chance
            assert chances["fcr".index(action.kind)] == 1, view
        seen += 1
    assert seen > 60


def test_a_semi_bluff_goes_on():
    # What a class must remember of earlier streets: such hands occur, and are told apart from others on the same board.
    bot, went_on = make_bot("bpm"), 0
    for view, action in played_decisions(bot, 400):
        if view.betting.street > 1 and not view.to_call_chips and action.kind == "r":
            went_on += bot._is_bluffing
            assert bot.probabilities(view)[2] == 1
    assert went_on > 3


def test_tables_of_classes_say_what_the_bot_says():
    generator = np.random.default_rng(SEED)
    for name in ("jagbot", "expert", "lokibot-a", "bpt"):
        bot = make_bot(name)
        policy, tree = bot.frozen_policy(SHORT), BettingTree.of(SHORT)
        for street in range(4):
            board = tuple(generator.permutation(52)[: SHORT.board_seen(street)].tolist())
            node = int(generator.choice(tree.decisions[street]))
            betting = Betting.start(SHORT).play(tree.history[node])
            said = bot.probabilities(PlayerView(betting, betting.to_act, (0, 1), board, 0, ("a", "b")), every=True)
            np.testing.assert_allclose(policy.probabilities(street, board)[tree.row[node]], said, atol=1e-6)


def test_words_of_all_holdings_are_those_of_each():
    generator = np.random.default_rng(SEED)
    for size in (0, 3, 3, 4, 4, 5, 5, 5):
        # Few ranks or few suits, so that full houses and flushes occur.
        pool = generator.permutation([card for card in range(52) if size % 2 or card & 3 < 2])
        board = tuple(pool[:size].tolist())
        classes, words = word_classes(board), HAND_WORDS if size else GROUP_WORDS
        for holding in generator.permutation(HOLDING_COUNT)[:150].tolist():
            hole = holding_cards(holding)
            if not set(hole) & set(board):
                assert words[classes[holding]] == set(hand_words(hole, board)), (hole, board)


def test_a_learner_is_frozen():
    bot = make_bot("hobbybot")
    policy = bot.frozen_policy(SHORT)
    for _ in range(2000):
        bot.counts.count("fold", 3, True)
    bot.on_hand(PlayerView(Betting.start(SHORT), 1, (0, 1), (), 0, ("a", "b")))
    board = (0, 6, 20, 33, 50)
    before, after = policy.probabilities(3, board), bot.frozen_policy(SHORT).probabilities(3, board)
    assert np.array_equal(before, make_bot("jagbot").frozen_policy(SHORT).probabilities(3, board))
    assert not np.array_equal(before, after)


# Who is not believed

CALL = np.tile((0.0, 1.0, 0.0), (HOLDING_COUNT, 1))


def bot_that(says):
    """A bot whose probabilities are what a function says to the view."""

    class Said(Bot):
        def __init__(self) -> None:
            self.count = 0

        def probabilities(self, view, every=False):
            self.count += 1
            found = says(self, view)
            return found if every or found is None else np.asarray(found)[holding_index(*view.hole_cards)]

    return Said()


def changed(at, row):
    found = CALL.copy()
    found[at] = row
    return found


@pytest.mark.parametrize(
    ("says", "words"),
    [
        (lambda bot, view: changed(700, (0, np.nan, 1)), r"gives \(0.0, nan, 1.0\) for .* on no board after ''"),
        (lambda bot, view: changed(700, (0, -0.5, 1.5)), "chances are not negative"),
        (lambda bot, view: changed(700, (0, 0.5, 0.4)), "chances sum to 1, and these to 0.9"),
        (lambda bot, view: CALL[:, :2], r"an array of \(1326, 2\) on no board .* where 1,326 x 3 belongs"),
        (lambda bot, view: CALL[0], r"an array of \(3,\)"),
        (lambda bot, view: "call", "gives no numbers on no board after"),
        (lambda bot, view: 1 / 0, "raised ZeroDivisionError: division by zero in probabilities .on no board"),
        (lambda bot, view: None, "does not tell its probabilities for all holdings.*how to add probabilities"),
        (lambda bot, view: CALL if bot.count % 7 else CALL[:, [1, 0, 2]], "asked twice, a bot must answer the same"),
    ],
)
def test_a_bot_that_says_something_else_is_refused(says, words):
    with pytest.raises(RailbirdError, match=words):
        BotPolicy(bot_that(says), GAME, "mine")


def test_what_changes_later_is_found_out_too(few_cards):
    def says(bot, view):
        return np.tile((0.0, 0.5, 0.5) if bot.count < 400 or bot.count % 2 else (0.0, 0.4, 0.6), (HOLDING_COUNT, 1))

    with pytest.raises(RailbirdError, match="asked twice"):
        BestResponse(BotPolicy(bot_that(says), GAME)).flop_values(900)


def test_one_holding_and_all_must_agree():
    class Two(Bot):
        def probabilities(self, view, every=False):
            return CALL if every else np.array([0.0, 0.5, 0.5])

    with pytest.raises(RailbirdError, match=r"gives \(0.0, 0.5, 0.5\) with .* and \(0.0, 1.0, 0.0\) for it with every"):
        BotPolicy(Two(), GAME)


def test_a_bot_that_sees_more_than_it_says_is_refused():
    def says(bot, view):
        return CALL if view.history.count("r") % 2 else np.tile((0.0, 0.5, 0.5), (HOLDING_COUNT, 1))

    bot = bot_that(says)
    BotPolicy(bot, GAME)
    bot.betting_seen = lambda betting: betting.pot
    with pytest.raises(RailbirdError, match=r"alike .betting_seen., and gives"):
        BotPolicy(bot, GAME)


def test_suits_that_matter_are_noticed():
    def says(bot, view):
        found = CALL.copy()
        found[[holding_index(card, 3) for card in range(4, 52)]] = (0, 0.5, 0.5)  # with the deuce of spades
        return found

    assert not BotPolicy(bot_that(says), GAME).is_suit_blind
    assert BotPolicy(bot_that(lambda bot, view: CALL), GAME).is_suit_blind


def test_the_cost_is_told_beforehand():
    class Slow(TableBot):
        def can_play(self, game):
            return True

    target = target_of(Slow(), SHORT)
    assert target.cost_words(2, True, 0) == ""  # which is refused later
    words = target.cost_words(1000, False, 0)
    assert "Slow is asked question by question: at most" in words
    assert words.endswith("; a lower bound takes far less (--nemesis 300, in Python rb.lower_bound)")
    assert target_of("jagbot", SHORT).cost_words(1000, False, 0) == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["loki", "--flops", "2"], "loki does not tell its probabilities for all holdings"),
        (["loki-gom2", "--flops", "2"], "docs/exploitability.md has those that do"),
        (["jagbot", "--game", "kuhn"], "'jagbot' does not play kuhn by a table"),
        (["resolver", "--game", "leduc", "--flops", "2"], "'resolver' does not play leduc by a table"),
        (["always-call", "--game", "kuhn", "--beside", "equilibrium"], "'equilibrium' does not play kuhn by a table"),
        (["equilibrium", "--game", "limit:cap=3", "--flops", "2"], "equilibrium does not play limit"),
        (["jagbot", "--flops", "2", "--hands", "5"], "name its folder with --after"),
        (["jagbot"], "say how much to look at"),
        (["jagbot", "--exact", "--flops", "4"], "both --flops 4 and --exact were given; leave one out"),
    ],
)
def test_the_command_says_who_cannot(capsys, arguments, words):
    with pytest.raises(SystemExit):
        main(["exploit", *arguments])
    error = capsys.readouterr().err
    assert words in error
    assert len(error.splitlines()) == 1
