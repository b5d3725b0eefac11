"""Abstraction, regret minimisation and best responses."""
