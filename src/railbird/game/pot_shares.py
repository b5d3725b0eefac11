"""What players get out of pots: before a house took its rake, and on average where the last cards came after the last
bet. Tuples are in order of position, amounts are chips."""

from __future__ import annotations

from railbird.game.betting import Betting
from railbird.game.payoffs import paid_dead, side_pots
from railbird.game.record import HandRecord
from railbird.odds.equity import pot_shares


def collected_chips(record: HandRecord, last: Betting) -> list[float]:
    """What each got out of the pot, `last` being the end of the betting; a bet that nobody called is not in it."""
    dead = paid_dead(last.game) if last.game.dead is not None else (0,) * len(last.committed)
    bets = [put_in - missed for put_in, missed in zip(last.committed, dead)]
    called = sorted(bets)[-2]
    return [won + missed + min(bet, called) for won, missed, bet in zip(record.payoffs, dead, bets)]


def fair_payoffs(record: HandRecord, last: Betting) -> tuple[float, ...]:
    """What each won before rake, which is paid by those who get the pot, in proportion to what they get.

    >>> from railbird.game.spec import limit_holdem
    >>> hand = HandRecord(limit_holdem(), 0, ("Ann", "Bob"), ((), ()), (), "rrf", (3.8, -4))
    >>> fair_payoffs(hand, hand.final())
    (4.0, -4.0)
    """
    rake = record.rake
    if not rake:
        return record.payoffs
    collected = collected_chips(record, last)
    pot = sum(collected)
    if pot <= 0:
        return record.payoffs
    return tuple([round(won + rake * got / pot, 6) for won, got in zip(record.payoffs, collected)])


def all_in_payoffs(record: HandRecord, last: Betting, street: int) -> tuple[float, ...] | None:
    """What each would win on average if the cards after `street`, the last with a decision, were dealt again.

    Known cards of players who folded cannot come. None where no cards came after the last bet, or where not all are
    known that were at the showdown.
    """
    game = record.game
    if not last.is_showdown or not game.is_holdem or street >= game.streets - 1:
        return None
    live = last.live
    if not all(record.holes[position] for position in live):
        return None
    folded = [hole for position, hole in enumerate(record.holes) if hole and position not in live]
    won: list[float] = [-chips for chips in last.committed]
    for pot, contenders in side_pots(last):
        shares = pot_shares([record.holes[position] for position in contenders], record.board_on(street), folded)
        for position, share in zip(contenders, shares):
            won[position] += pot * share
    return tuple(won)
