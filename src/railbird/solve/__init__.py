"""Solving games: counterfactual regret minimisation, abstraction, exact best responses."""

from railbird.rooms import answer_calls

answer_calls(__name__, "railbird.solve.solving", "solve")
