"""Solving games: counterfactual regret minimisation, abstraction, exact best responses."""
