"""Players of OpenSpiel and of Railbird in each other's games, and what OpenSpiel's policies can be beaten by."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability as open_spiel_exploitability
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy

import railbird as rb
from players import Learner
from railbird.bots.base import Bot
from railbird.bots.decision import Decision, by_action
from railbird.bots.simple import PolicyBot
from railbird.envs import SpielBot, SpielSeat, spiel_game, spiel_policy
from railbird.envs.openspiel_games import SpielGame
from railbird.envs.openspiel_policy import _Asked
from railbird.errors import InvalidGameError, RailbirdError, UnknownBotError
from railbird.game.spec import kuhn_poker, leduc_poker, limit_holdem, no_limit_holdem, pot_limit_holdem
from railbird.play.hands import played_hands
from railbird.play.match import MatchSpec

LIMIT = limit_holdem()
THREE = (
    "universal_poker(betting=nolimit,numPlayers=3,numRounds=4,blind=50 100 0,firstPlayer=3 1 1 1,numSuits=4,"
    "numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack=2000 2000 2000,bettingAbstraction={})"
)


class Diary(Bot):
    """Acts on all it sees, and writes down what it is told."""

    def __init__(self):
        self.lines = []

    def act(self, view):
        self.lines.append(("act", view.position, view.hole_cards, view.board_cards, view.history))
        number = (sum(view.hole_cards) + 3 * sum(view.board_cards) + len(view.history)) % 5
        return (
            view.smallest_raise() if number < 2 and view.can_raise else view.check_or_fold() if number == 4 else rb.CALL
        )

    def on_hand(self, view):
        self.lines.append(("hand", view.position, view.hole_cards, view.pot_chips))

    def on_action(self, view, position, action):
        self.lines.append(("action", view.history, position, action))

    def on_board(self, view):
        self.lines.append(("board", view.board_cards))

    def on_showdown(self, view, shown):
        self.lines.append(("showdown", shown))

    def on_result(self, view, payoffs):
        self.lines.append(("result", payoffs))


def played(game, bots, deck=None, seed=0):
    """A game of OpenSpiel between its bots, as its documentation has it: everybody is told of the others' actions."""
    state, random, cards = game.new_initial_state(), Random(seed), iter(deck or ())
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            action = next(cards) if deck else random.choice(state.legal_actions())
        else:
            action = bots[player].step(state)
            assert action in state.legal_actions()
        for other, bot in enumerate(bots):
            if other != player:
                bot.inform_action(state, player, action)
        state.apply_action(action)
    return state


# Railbird's bots in OpenSpiel


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("make", [limit_holdem, lambda seats: no_limit_holdem(seats, stack=1000)])
def test_a_bot_lives_through_the_same_hands_as_in_a_match(seats, make):
    # By position: OpenSpiel's players are seats of one hand, those of a match move on.
    game, diaries = make(seats), [Diary() for _ in range(seats)]
    spec = MatchSpec(game, tuple(diaries), 40, 3, housing=None)
    peer = spiel_game(game)
    for record, order, _ in played_hands(spec):
        bots = [Diary() for _ in range(seats)]
        deck = [card for hole in record.holes for card in hole] + list(record.board)
        deck += [card for card in range(52) if card not in deck]  # an all-in is dealt out there
        state = played(peer, [SpielBot(peer, position, bot) for position, bot in enumerate(bots)], deck)
        assert f"STATE:0:{record.history}:" in str(state)
        assert state.returns() == list(record.payoffs)
        for position, player in enumerate(order):
            assert bots[position].lines == diaries[player].lines
        for diary in diaries:
            diary.lines.clear()


@pytest.mark.parametrize("betting", ["fullgame", "fcpa", "fchpa", "fc"])
def test_bots_play_any_number_of_players_in_every_abstraction(betting):
    for seats in (2, 3, 6):
        game = spiel_game(no_limit_holdem(seats, stack=1000), betting)
        bots = [SpielBot(game, player, "random", seed=player) for player in range(seats)]
        ends = [played(game, bots, seed=seed).returns() for seed in range(15)]
        assert all(sum(won) == 0 for won in ends)
        assert len({tuple(won) for won in ends}) > 3


def test_a_bot_is_reproducible_and_can_be_put_into_any_state():
    game = spiel_game(LIMIT)
    one, other = [[SpielBot(game, player, "random", seed=5) for player in range(2)] for _ in range(2)]
    assert [played(game, one, seed=s).history() for s in range(9)] == [
        played(game, other, seed=s).history() for s in range(9)
    ]
    state = game.new_initial_state()
    for action in (0, 1, 2, 3, 1, 1, 10, 20, 30):
        state.apply_action(action)
    diary = Diary()
    bot = SpielBot(game, 0, diary)
    bot.restart_at(state)
    bot.step(state)
    assert [line[0] for line in diary.lines] == ["hand", "action", "action", "board", "act"]
    assert diary.lines[-1][1:] == (0, (0, 1), (10, 20, 30), "cc/")


@pytest.mark.parametrize("betting", ["fullgame", "fcpa"])
@pytest.mark.parametrize("reset", [True, False])
def test_repeated_poker_turns_seats_and_tells_results(betting, reset):
    inner = THREE.format(betting)
    game = pyspiel.load_game(
        f"repeated_poker(universal_poker_game_string={inner},max_num_hands=25,reset_stacks={reset},rotate_dealer=True)"
    )
    diaries = [Diary() for _ in range(3)]
    state = played(game, [SpielBot(game, player, diary) for player, diary in enumerate(diaries)], seed=2)
    lines = state.acpc_hand_histories()
    assert len(lines) == (2 if betting == "fcpa" and not reset else 25)  # or until one has all the chips
    for player, diary in enumerate(diaries):
        positions = [line[1] for line in diary.lines if line[0] == "hand"]
        assert len(lines) < 25 or positions[:3] in (
            [0, 2, 1],
            [1, 0, 2],
            [2, 1, 0],
        )
        won = [line[1][position] for line, position in zip([x for x in diary.lines if x[0] == "result"], positions)]
        told = [dict(zip(line.split(":")[5].split("|"), line.split(":")[4].split("|"))) for line in lines]
        assert won == [int(chips[f"Player{player}"]) for chips in told if f"Player{player}" in chips]


def test_a_learner_learns_in_repeated_poker_and_forgets_between_matches():
    inner = (
        "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=2 1,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
        "numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=2 2 4 4,maxRaises=3 4 4 4)"
    )
    game = pyspiel.load_game(
        f"repeated_poker(universal_poker_game_string={inner},max_num_hands=30,reset_stacks=True,rotate_dealer=True)"
    )
    learner = Learner()
    bots = [SpielBot(game, 0, learner), SpielBot(game, 1, "random")]
    played(game, bots)
    assert learner.seen > 30
    assert learner.folds > 0
    bots[0].restart()
    assert learner.seen == 0


class Stated(Bot):
    """Says its probabilities by explaining."""

    def explain(self, view):
        action = rb.RAISE if self.rng.random() < 0.25 else rb.CALL
        return Decision(action, "mixed", quantities=by_action("plays", (0.0, 0.75, 0.25)))

    def table_policy(self, game):
        return object()


def test_probabilities_where_a_bot_can_say_them():
    game = spiel_game(LIMIT)
    state = game.new_initial_state()
    for card in range(4):
        state.apply_action(card)
    bot = SpielBot(game, 1, PolicyBot(0.2, 0.3, 0.5))
    assert bot.provides_policy()
    chances, action = bot.step_with_policy(state)
    assert dict(chances) == pytest.approx({0: 0.2, 1: 0.3, 2: 0.5})
    assert action in dict(chances)
    assert SpielBot(game, 1, Stated()).get_policy(state) == [(0, 0.0), (1, 0.75), (2, 0.25)]
    asked, unasked = [SpielBot(game, 1, Stated(), seed=5) for _ in range(2)]
    assert [(asked.get_policy(state), asked.step(state))[1] for _ in range(9)] == [
        unasked.step(state) for _ in range(9)
    ]
    silent = SpielBot(game, 1, Diary())
    assert not silent.provides_policy()
    with pytest.raises(UnknownBotError, match="Diary cannot say its probabilities"):
        silent.step_with_policy(state)


def test_what_bots_refuse():
    game = spiel_game(LIMIT)
    with pytest.raises(InvalidGameError, match="player 2 of a game for 2"):
        SpielBot(game, 2, "random")
    with pytest.raises(InvalidGameError, match="no game that Railbird plays"):
        SpielBot(pyspiel.load_game("tic_tac_toe"), 0, "random")
    with pytest.raises(InvalidGameError, match="universal_poker and repeated_poker"):
        SpielBot(pyspiel.load_game("kuhn_poker"), 0, "random")
    with pytest.raises(UnknownBotError, match="Vexbot does not play no-limit"):
        SpielBot(spiel_game(no_limit_holdem()), 0, "vexbot")


# Games


@pytest.mark.parametrize(
    "game",
    [LIMIT, limit_holdem(6), limit_holdem(cap=None), no_limit_holdem(3), kuhn_poker(), leduc_poker()],
    ids=lambda game: f"{game.name}-{game.seats}",
)
def test_games_go_there_and_back(game):
    table = SpielGame.of(spiel_game(game))
    caps = tuple([255] * 4) if None in game.max_raises and game.stacks is None else game.max_raises
    assert table.game == replace(game, name=table.game.name, max_raises=caps)
    assert [table.player(table.position(player)) for player in range(game.seats)] == list(range(game.seats))


def test_the_first_to_act_after_the_flop_is_position_0_wherever_he_sits():
    # The button, who is the small blind, is player 0.
    game = pyspiel.load_game(
        "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=5 10,firstPlayer=1 2 2 2,numSuits=4,numRanks=13,"
        "numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=10 10 20 20,maxRaises=3 4 4 4)"
    )
    table = SpielGame.of(game)
    assert table.game == replace(limit_holdem(small_bet=10), name=table.game.name)
    assert (table.first, table.player(0), table.position(0)) == (1, 1, 1)
    assert played(game, [SpielBot(game, 0, "always-fold"), SpielBot(game, 1, "random")]).returns() == [-5.0, 5.0]


def test_games_that_are_refused():
    with pytest.raises(InvalidGameError, match="pot-limit is no game of OpenSpiel's"):
        spiel_game(pot_limit_holdem())
    with pytest.raises(InvalidGameError, match="no betting 'all'"):
        spiel_game(no_limit_holdem(), "all")
    with pytest.raises(InvalidGameError, match="'fullgame' of a game with limit bets"):  # it offers actions 0, 1 and 0
        SpielGame.with_parameters(None, spiel_game(LIMIT).get_parameters() | {"bettingAbstraction": "fullgame"})
    with pytest.raises(InvalidGameError, match="is no game that Railbird plays"):
        SpielGame.of(pyspiel.load_game("kuhn_poker(players=3)"))


# OpenSpiel's players in matches


class Spy:
    """A policy that raises where it can, and keeps the states that it was shown."""

    def __init__(self, game=None):
        self.game, self.states = game, []

    def action_probabilities(self, state, player_id=None):
        self.states.append(state)
        return {state.legal_actions()[-1]: 1.0}


def test_a_policy_plays_as_the_same_bot():
    for seats in (2, 3):
        others = ["random"] * (seats - 1)
        ours = rb.play_match("always-raise", *others, hands=60, seed=3)
        theirs = rb.play_match(SpielSeat(Spy()), *others, hands=60, seed=3)
        assert theirs.players[0].money == ours.players[0].money
        assert not theirs.faults


def test_the_other_cards_of_a_state_are_stand_ins():
    spy, spec_hands = Spy(), 150
    seat = SpielSeat(spy)
    spec = MatchSpec(LIMIT, (seat, "always-call"), spec_hands, 3, housing=None)
    same = shown = 0
    for record, order, _ in played_hands(spec):
        own = order.index(0)
        for state in spy.states:
            hands = state.to_struct().player_hands
            held = [{hand[:2], hand[2:]} for hand in hands]
            true = [set(_texts(hole)) for hole in record.holes]
            assert held[own] == true[own]
            same += len(held[1 - own] & true[1 - own])
            shown += 2
            board = state.to_struct().board_cards
            assert {board[at : at + 2] for at in range(0, len(board), 2)} <= set(_texts(record.board))
        spy.states.clear()
    assert shown > 1000
    assert same / shown < 0.15  # two of about 47 cards


def _texts(cards):
    return ["23456789TJQKA"[card >> 2] + "cdhs"[card & 3] for card in cards]


def test_choices_follow_from_the_seed():
    game = spiel_game(LIMIT)
    for make in (lambda: SpielSeat(UniformRandomPolicy(game)), lambda: SpielSeat(pyspiel.make_uniform_random_bot)):
        first, again = [rb.play_match(make(), "random", hands=40, seed=3).players[0].money for _ in range(2)]
        assert first == again
        assert first != rb.play_match(make(), "random", hands=40, seed=4).players[0].money


class Listener(pyspiel.Bot):
    """A bot that calls, and notes what the others did."""

    def __init__(self):
        pyspiel.Bot.__init__(self)
        self.heard, self.begun = [], 0

    def step(self, state):
        return 1

    def restart(self):
        self.begun += 1

    def inform_action(self, state, player_id, action):
        assert state.current_player() == player_id
        self.heard.append(action)


def test_a_bot_is_told_of_the_others():
    bot = Listener()
    result = rb.play_match(SpielSeat(bot), "always-raise", hands=20, seed=3)
    assert bot.begun == 20
    assert len(bot.heard) > 20
    assert set(bot.heard) == {2}
    assert result.players[0].money == rb.play_match("always-call", "always-raise", hands=20, seed=3).players[0].money


@pytest.mark.parametrize(("game", "betting"), [("no-limit:stack=1500", "fcpa"), ("no-limit:stack=1500", "fchpa")])
def test_abstractions_take_raises_for_the_nearest(game, betting):
    peer = spiel_game(no_limit_holdem(stack=1500), betting)
    table = SpielGame.of(peer)
    node = rb.Betting.start(table.game)
    legal = [0, 1, 2, 3, 4]
    assert [table.number(legal, node, rb.raise_to(chips)) for chips in (200, 260, 900, 1500)] == [4, 2, 3, 3]
    assert [str(table.action(node, number)) for number in legal] == ["f", "c", "r300", "r1500", "r200"]
    result = rb.play_match(SpielSeat(pyspiel.make_uniform_random_bot, peer), "random", game=game, hands=80, seed=3)
    assert not result.faults


def test_toy_games_and_what_seats_refuse():
    leduc = pyspiel.load_game("leduc_poker")
    assert not rb.play_match(SpielSeat(UniformRandomPolicy(leduc)), "random", game="leduc", hands=40).faults
    assert not rb.play_match(SpielSeat(Spy()), "random", game="kuhn", hands=40).faults
    with pytest.raises(rb.RailbirdError, match="does not play limit"):
        rb.play_match(SpielSeat(UniformRandomPolicy(leduc)), "random", hands=10)
    with pytest.raises(UnknownBotError, match="no policy and no bot of OpenSpiel"):
        SpielSeat(7)


# Exploitability


def random_policy(game, seed):
    policy, generator = TabularPolicy(game), np.random.default_rng(seed)
    weights = generator.random(policy.action_probability_array.shape) * policy.legal_actions_mask
    policy.action_probability_array = weights / weights.sum(axis=1, keepdims=True)
    return policy


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize("seed", [1, 2])
def test_exploitability_is_open_spiel_s(name, seed):
    game = pyspiel.load_game(name)
    policy = random_policy(game, seed)
    found = rb.exploitability(spiel_policy(policy))
    chips = found.value.value.mean / 1000 * SpielGame.of(game).game.small_bet
    assert chips == pytest.approx(open_spiel_exploitability.exploitability(game, policy), abs=1e-5)


def test_policies_of_hold_em_that_do_not_look_at_cards():
    game = limit_holdem(cap=1)
    policy = spiel_policy(UniformRandomPolicy(spiel_game(game)), is_card_blind=True)
    policy.usual_flops = 2
    found = rb.exploitability(policy, workers=1)
    assert found.found == rb.exploitability("random", game=game, flops=2, workers=1).found
    assert (found.found.flops, found.found.is_exact) == (2, False)


def network(rows, legal):
    """Some function of an information tensor."""
    weights = np.sin(np.arange(rows.shape[1] * 3).reshape(-1, 3))
    chances = np.exp(rows @ weights)
    return chances / chances.sum(axis=1, keepdims=True)


class Network:
    def __init__(self, game):
        self.game = game

    def action_probabilities(self, state, player_id=None):
        row = np.array([state.information_state_tensor()], np.float32)
        chances = network(row, state.legal_actions())[0]
        return {action: chances[action] for action in state.legal_actions()}


def test_a_network_is_asked_for_all_holdings_at_once():
    leduc = pyspiel.load_game("leduc_poker")
    one, all_ = spiel_policy(Network(leduc)), spiel_policy(None, leduc, batch=network)
    found, again = rb.exploitability(one), rb.exploitability(all_)
    assert found.value.value.mean == pytest.approx(again.value.value.mean, rel=1e-5)
    assert all_.calls < one.calls / 4


def test_tensors_of_hold_em_are_open_spiel_s():
    game = spiel_game(LIMIT)
    asked = _Asked(Network(game), SpielGame.of(game), network)
    for board, history in (("", "r"), ("3h4cJh", "crc/c"), ("3h4cJh8s2d", "rrc/crc/cc/r")):
        holdings = ["AdQc", "2s2c", "Ts9s"]
        several = asked.all_holdings(holdings, board, history)
        for holding, row in zip(holdings, several):
            alone = np.array(asked.one_holding(holding, board, history))
            legal = alone > 0
            assert row[legal] == pytest.approx(alone[legal], rel=1e-4)


def test_what_policies_refuse():
    uniform = UniformRandomPolicy(spiel_game(LIMIT))
    with pytest.raises(UnknownBotError, match=r"railbird\.envs\.spiel_policy"):
        rb.exploitability(uniform)
    with pytest.raises(InvalidGameError, match="which game"):
        spiel_policy(Spy())
    with pytest.raises(InvalidGameError, match="two players with fixed bets"):
        spiel_policy(UniformRandomPolicy(spiel_game(no_limit_holdem())))
    with pytest.raises(RailbirdError, match="a row for each"):
        rb.exploitability(spiel_policy(None, pyspiel.load_game("leduc_poker"), batch=lambda rows, legal: rows[:1]))
