"""How observations change beliefs: action frequencies, re-weighting, models of the players at a table."""
