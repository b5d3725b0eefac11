"""Compiled kernels: arrays in, arrays out. `railbird.evaluation` is their friendly face."""
