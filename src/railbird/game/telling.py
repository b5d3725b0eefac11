"""What a hand history tells beside the cards, the betting and the payoffs: where, when, for what, and who showed."""

from __future__ import annotations

from typing import NamedTuple


class Telling(NamedTuple):
    """The circumstances of a hand in a history of a poker room or of another program. Tuples are in order of position.

    Chips of the record are whole: `unit` of them make one of the currency, 100 where a room writes dollars and cents.
    """

    source: str
    """The format that it was read from, by its short name: "pokerstars", "bovada", "phh", "irc", ..."""
    hand: str = ""
    """The hand's own number or name there."""
    table: str = ""
    time: str = ""
    """When the hand began, as "2014-01-06 06:15:36"."""
    zone: str = ""
    """The time's zone as the history writes it, as in "ET"."""
    currency: str = ""
    """As in "USD"; empty for play money and the chips of a tournament."""
    unit: int = 1
    """How many chips of the record make one of the currency."""
    seats: tuple[int, ...] = ()
    """The number of each player's seat at the table."""
    places: int = 0
    """How many seats the table has; 0 where nobody says."""
    shown: tuple[bool, ...] = ()
    """Who showed the cards, where the history says more than that they are known."""
    hero: int = -1
    """The position of the player whose file it is, -1 where there is none."""
    rake: int = 0
    """What the house took, in chips."""
    extra: tuple[tuple[str, str], ...] = ()
    """What else the format can say, by its own names, so that it can be written as it was read."""

    @property
    def words(self) -> tuple[str, ...]:
        """Where and when the hand was played, and what a chip is, for a heading.

        >>> Telling("pokerstars", table="Ada", time="2014-01-06 06:15:36", zone="ET", currency="USD", unit=100).words
        ('table Ada', '2014-01-06 06:15:36 ET', '100 chips are 1 USD')
        """
        table = f"table {self.table}" if self.table else ""
        worth = f"{self.unit} chips are 1 {self.currency}".rstrip() if self.unit > 1 else ""
        return tuple([each for each in (table, f"{self.time} {self.zone}".strip(), worth) if each])
