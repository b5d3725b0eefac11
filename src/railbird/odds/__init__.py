"""Rank, strength, potential, equity, ranges and weight arrays: the friendly face of the kernels."""
