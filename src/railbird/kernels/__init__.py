"""Compiled kernels: arrays in, arrays out. `railbird.odds` is their friendly face."""
