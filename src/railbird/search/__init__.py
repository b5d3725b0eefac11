"""Search over the betting tree with a model of the opponent."""
