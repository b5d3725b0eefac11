"""How a street that the baseline plays may end: with so many bets from each player, or with a fold."""

FIRST_FOLDS, SECOND_FOLDS = -1, -2
