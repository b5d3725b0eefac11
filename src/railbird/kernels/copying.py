"""Copies within kernels. `target[:] = source` would do, but makes Numba compile its text functions for the error."""

from railbird.kernels.compiling import kernel


@kernel
def copy_into(target, source):
    """The numbers of one flat array into another, as many as the first has."""
    for at in range(len(target)):
        target[at] = source[at]
