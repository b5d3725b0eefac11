"""The situations that actions are counted by: Papp's twelve, and what he left out (1998, sections 7.1.2, 8.4.2).

A context is the street and the bets to call. Its details, from the one that says most, are what the player has done on
this street already, how many opponents are left, and whether anybody acts behind him.
"""

from __future__ import annotations

from railbird.game.betting import Betting

Details = tuple[int, ...]


def bets_to_call(node: Betting) -> int:
    """The context of the player to act: 0, 1, or 2 for two bets or more. Half a bet (the small blind's) counts as one.

    >>> from railbird.game.spec import limit_holdem
    >>> [bets_to_call(Betting.start(limit_holdem(3)).play(history)) for history in ("", "c", "r", "cc", "ccc/")]
    [1, 1, 2, 0, 0]
    """
    chips = node.to_call
    return 0 if chips == 0 else 1 if chips <= node.game.bet_sizes[node.street] else 2


def details(node: Betting) -> Details:
    """What else may matter to the player to act: his last action on the street (0 none, 1 check, 2 call or raise), the
    opponents left (1, 2, or 3 for more), and whether players after him have still to act (0 or 1).

    >>> from railbird.game.spec import limit_holdem
    >>> start = Betting.start(limit_holdem(3))
    >>> [details(start.play(history)) for history in ("", "fc", "ccc/c")]
    [(0, 2, 1), (0, 1, 0), (0, 2, 1)]
    >>> details(start.play("ccc/crf")), details(start.play("ccc/rrf"))  # a check before; a bet before
    ((1, 1, 0), (2, 1, 0))
    """
    player, street = node.to_act, node.street
    forced = node.game.blinds[player] if street == 0 else 0
    previous = 0 if not node.acted >> player & 1 else 2 if node.street_bets[player] > forced else 1
    opponents = min(3, len(node.live) - 1)
    return previous, opponents, int(node.to_play & ~(1 << player) != 0)
