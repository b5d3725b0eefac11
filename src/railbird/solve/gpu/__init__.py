"""The optional GPU backend of the solver: the same arithmetic as the kernels, on many boards at once (needs CuPy)."""
