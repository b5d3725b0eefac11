"""Playing: deals, seatings, hands, matches, match folders, workers, tournaments."""
