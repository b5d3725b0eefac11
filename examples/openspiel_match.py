"""Bots of Railbird's in OpenSpiel, and OpenSpiel's in Railbird; needs: pip install 'railbird[openspiel]'"""

import pyspiel
from open_spiel.python.policy import UniformRandomPolicy

import railbird as rb
from railbird.envs import SpielBot, SpielSeat, spiel_game, spiel_policy

game = spiel_game(rb.limit_holdem())  # a pyspiel.Game: universal_poker
print(pyspiel.evaluate_bots(game.new_initial_state(), [SpielBot(game, 0, "loki"), SpielBot(game, 1, "expert")], 7))
policy = UniformRandomPolicy(game)
print(rb.play_match(SpielSeat(policy), "always-call", hands=100, seed=7))
print(rb.exploitability(spiel_policy(policy, is_card_blind=True), flops=2))
