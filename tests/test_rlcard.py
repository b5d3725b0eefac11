"""Agents of RLCard as players of limit hold'em: they see what RLCard would show them."""

from __future__ import annotations

import numpy as np
import pytest
import rlcard
from rlcard.agents import RandomAgent
from rlcard.models.limitholdem_rule_models import LimitholdemRuleAgentV1

import railbird as rb
from railbird.cards import parse_cards
from railbird.envs import RLCardSeat
from railbird.envs.rlcard_seat import ACTIONS, action_of, legal_words, limit_state
from railbird.errors import UnknownBotError
from railbird.game.view import PlayerView

LETTERS = {"call": "c", "check": "c", "raise": "r", "fold": "f"}


def card(text):
    return text[1] + text[0].lower()


@pytest.mark.parametrize(
    "line",
    [
        # Each street ends with the small blind's action, so that the big blind begins the next one in RLCard too.
        ["call", "raise", "call", "check", "check", "raise", "call", "check", "raise", "raise"],
        ["raise", "raise", "call", "raise", "raise", "raise", "call", "check", "check", "raise", "raise"],
    ],
)
def test_the_state_is_rlcard_s(line):
    for seed in range(5):
        env = rlcard.make("limit-holdem", config={"seed": seed})
        state, player = env.reset()
        small = player  # heads-up the small blind begins
        history, streets = "", 0
        for word in [*line, None]:
            game = env.game
            if game.round_counter > streets:
                streets, history = game.round_counter, history + "/"
            node = rb.Betting.start(rb.limit_holdem()).play(history)
            position = int(player == small)
            assert node.to_act == position
            raw = state["raw_obs"]
            cards = ["".join(map(card, raw[which])) for which in ("hand", "public_cards")]
            view = PlayerView(node, position, *map(parse_cards, cards), 0, ("big", "small"))
            ours = limit_state(view)
            assert (ours["obs"] == state["obs"]).all()
            assert ours["raw_legal_actions"] == state["raw_legal_actions"]
            assert list(ours["legal_actions"]) == list(state["legal_actions"])
            assert sorted(ours["raw_obs"]["all_chips"]) == sorted(raw["all_chips"])
            for key in ("hand", "public_cards", "my_chips", "legal_actions", "raise_nums"):
                assert ours["raw_obs"][key] == raw[key]
            named = {small: 1, 1 - small: 0}
            assert ours["action_record"] == [(named[who], done) for who, done in state["action_record"]]
            if word:
                state, player = env.step(word, raw_action=True)
                history += LETTERS[word]


def test_agents_play_matches():
    for seats in (2, 3):
        others = ["random"] * (seats - 1)
        agents = [lambda: RandomAgent(4), LimitholdemRuleAgentV1]
        for make in agents:
            first, again = [rb.play_match(RLCardSeat(make()), *others, hands=60, seed=3) for _ in range(2)]
            assert not first.faults
            assert first.players[0].money == again.players[0].money


class Fixed:
    """An agent that gives one answer."""

    use_raw = False

    def __init__(self, answer):
        self.answer = answer

    def eval_step(self, state):
        np.random.random()
        return self.answer, {}


def test_answers_in_numbers_and_words_and_numpy_s_numbers_stay_as_they_were():
    expected = rb.play_match("always-raise", "random", hands=40, seed=3).players[0].money
    np.random.seed(1)
    before = np.random.get_state()[1].tolist()
    for answer in (ACTIONS.index("raise"), "raise", np.int64(1)):
        found = rb.play_match(RLCardSeat(_CallsWhenCapped(answer)), "random", hands=40, seed=3)
        assert found.players[0].money == expected
    assert np.random.get_state()[1].tolist() == before


class _CallsWhenCapped(Fixed):
    def eval_step(self, state):
        return (self.answer if 1 in state["legal_actions"] else 0 if 0 in state["legal_actions"] else 3), {}


def test_a_fold_where_checking_is_free_is_a_check():
    view = PlayerView(rb.Betting.start(rb.limit_holdem()).play("c"), 0, (0, 5), (), 0, ("Ann", "Bob"))
    assert legal_words(view) == ["raise", "fold", "check"]
    assert [action_of(view, word) for word in ("fold", "call", "check")] == [rb.CALL] * 3
    facing = view._replace(betting=view.betting.after(rb.RAISE), position=1)
    assert [action_of(facing, word) for word in ("fold", "call", "check")] == [rb.FOLD, rb.CALL, rb.FOLD]


def test_what_seats_refuse():
    with pytest.raises(UnknownBotError, match="no eval_step"):
        RLCardSeat(7)
    with pytest.raises(rb.RailbirdError, match="does not play no-limit"):
        rb.play_match(RLCardSeat(Fixed(0)), "random", game="no-limit", hands=10)
    for answer in (9, None, "bet"):
        faults = rb.play_match(RLCardSeat(Fixed(answer)), "random", hands=2, seed=3).faults
        assert "is no action of RLCard's" in str(faults[0])
