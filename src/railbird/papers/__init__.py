"""The papers' experiments and claims, run again."""
