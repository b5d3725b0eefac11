"""How observations change beliefs: action frequencies, re-weighting, models of a table."""
