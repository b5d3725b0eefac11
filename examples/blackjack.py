"""Skill without the luck, in a game that everybody knows: the blackjack of Kan 2007, chapter 2.

    python examples/blackjack.py

A player's decision is worth what it changes: the expected value of the action taken minus that of the action that a
baseline strategy would have taken (equation 2.1). Cards that fall afterwards do not enter. Everything is in bets.

The rules are those of the chapter's footnote 4: the dealer hits soft 17 and looks for a blackjack first, any two cards
may be doubled, split hands too, one split only, split aces get one card each, no surrender. A shoe is a tuple of
counts: aces, twos, ..., nines, and the cards that count ten. A hand is the sum of its cards with aces as 1, and whether
it has an ace; an ace counts 11 if that does not bust.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

Shoe = tuple[int, ...]
Table = dict[str, str]
HIT, STAND, DOUBLE, SPLIT = "H", "S", "D", "P"
BUST = 22
RESULTS = (17, 18, 19, 20, 21, BUST)
CARDS = {**{str(n): n for n in range(2, 10)}, "T": 10, "A": 1}
UPCARDS = "23456789TA"

# Table 2.1, "A Typical Blackjack Basic Strategy", as printed: a row for each total or pair, a column for each upcard.
TABLE_2_1 = """
8    H H H H H H H H H H
9    H D D D D H H H H H
T    H D D D D H H H H H
11   D D D D D D D D D D
12   H H S S S H H H H H
13   S S S S S H H H H H
14   S S S S S H H H H H
15   S S S S S H H H H H
16   S S S S S H H H H H
17   S S S S S S S S S S
A,2  H H H D D H H H H H
A,3  H H H D D H H H H H
A,4  H H D D D H H H H H
A,5  H H D D D H H H H H
A,6  H D D D D H H H H H
A,7  D D D D D H H H H H
A,8  S S S S D S S S S S
2,2  P P P P P P H H H H
3,3  P P P P P P H H H H
4,4  H H H P P H H H H H
5,5  D D D D D D D D H H
6,6  P P P P P H H H H H
7,7  P P P P P P H H H H
8,8  P P P P P P P P P P
9,9  P P P P P S P P S S
T,T  S S S S S S S S S S
A,A  P P P P P P P P P P
"""
ROWS = {line.split()[0]: "".join(line.split()[1:]) for line in TABLE_2_1.strip().splitlines()}
CORRECTED = {**ROWS, "T": "DDDDDDDDHH", "A,7": "DDDDDSSHHH"}
"""The best actions: row T is printed as a copy of row 9, and two entries of A,7 hit where standing is better."""


def shoe_of(each: int, tens: int) -> Shoe:
    """A shoe with so many of each card from ace to nine, and so many that count ten."""
    return (each,) * 9 + (tens,)


def fresh_shoe(decks: int = 4) -> Shoe:
    return shoe_of(4 * decks, 16 * decks)


def without(shoe: Shoe, *cards: str) -> Shoe:
    """The shoe after cards have been dealt from it.

    >>> without(fresh_shoe(1), "4", "T")
    (4, 4, 4, 3, 4, 4, 4, 4, 4, 15)
    """
    left = list(shoe)
    for card in cards:
        left[CARDS[card] - 1] -= 1
    if min(left) < 0:
        raise ValueError(f"the shoe has too few cards for {' '.join(cards)}")
    return tuple(left)


def baseline(cards: tuple[str, str], upcard: str, rows: Table = ROWS) -> str:
    """What Table 2.1 does with two cards. Totals that it leaves out: hit below 8, stand above 17 and on A,9.

    >>> baseline(("4", "5"), "7"), baseline(("A", "7"), "6"), baseline(("8", "8"), "T")
    ('H', 'D', 'P')
    """
    low, high = sorted(cards, key=lambda card: CARDS[card])
    if low == high or low == "A":
        row = f"{low},{high}"
        return rows[row][UPCARDS.index(upcard)] if row in rows else STAND
    total = CARDS[low] + CARDS[high]
    if total < 8:
        return HIT
    return rows["T" if total == 10 else str(min(total, 17))][UPCARDS.index(upcard)]


def points(total: int, ace: bool) -> int:
    """What a hand counts."""
    return total + 10 if ace and total <= 11 else total


class Situation:
    """A dealer's upcard and the shoe that is left once the player's cards and the upcard have been dealt.

    All expected values assume that the dealer has looked and has no blackjack, and the best play from here on. With
    `replace`, cards are drawn as from a shoe that never changes: nearly the same numbers in a fraction of the time.
    """

    def __init__(self, upcard: int, shoe: Shoe, replace: bool = False) -> None:
        self.upcard, self.shoe, self.replace = upcard, shoe, replace
        # Different orders of the same cards leave the same shoe, so both recursions remember what they have worked out.
        self._dealer = cache(self._dealer_afresh)
        self._hit = cache(self._hit_afresh)

    def values(self, cards: tuple[str, str]) -> dict[str, float]:
        """The expected values of all actions with two cards."""
        hand = (CARDS[cards[0]] + CARDS[cards[1]], "A" in cards, self.shoe)
        found = {HIT: self._hit(*hand), STAND: self._stand(*hand), DOUBLE: self._double(*hand)}
        if CARDS[cards[0]] == CARDS[cards[1]]:
            found[SPLIT] = self._split(*hand)
        return found

    def dealer_results(self, shoe: Shoe | None = None) -> tuple[float, ...]:
        """The probabilities of the dealer's `RESULTS`."""
        return self._dealer(self.upcard, self.upcard == 1, self.shoe if shoe is None else shoe, True)

    def _dealer_afresh(self, total: int, ace: bool, shoe: Shoe, first: bool = False) -> tuple[float, ...]:
        own = points(total, ace)
        if own > 17 or (own == 17 and own == total):
            return tuple(1.0 if min(own, BUST) == result else 0.0 for result in RESULTS)
        chances, possible = [0.0] * len(RESULTS), 0.0
        for card, p, left in self._draws(shoe):
            if first and {card, total} == {1, 10}:  # he has looked: no blackjack
                continue
            possible += p
            for at, chance in enumerate(self._dealer(total + card, ace or card == 1, left)):
                chances[at] += p * chance
        return tuple(chance / possible for chance in chances)

    def _stand(self, total: int, ace: bool, shoe: Shoe) -> float:
        own = points(total, ace)
        if own > 21:
            return -1.0
        return sum(p * _sign(own, result) for result, p in zip(RESULTS, self.dealer_results(shoe)))

    def _hit_afresh(self, total: int, ace: bool, shoe: Shoe) -> float:
        value = 0.0
        for card, p, left in self._draws(shoe):
            hand = (total + card, ace or card == 1, left)
            value += p * (-1.0 if hand[0] > 21 else max(self._stand(*hand), self._hit(*hand)))
        return value

    def _double(self, total: int, ace: bool, shoe: Shoe) -> float:
        return 2 * sum(p * self._stand(total + card, ace or card == 1, left) for card, p, left in self._draws(shoe))

    def _split(self, total: int, ace: bool, shoe: Shoe) -> float:
        """Twice the value of one of the hands, which is played without a look at the other."""
        value = 0.0
        for card, p, left in self._draws(shoe):
            hand = (total // 2 + card, ace or card == 1, left)
            value += p * (self._stand(*hand) if ace else max(f(*hand) for f in (self._stand, self._hit, self._double)))
        return 2 * value

    def _draws(self, shoe: Shoe) -> list[tuple[int, float, Shoe]]:
        """Each card that can come, its probability, and the shoe after it."""
        size = sum(shoe)
        draws = []
        for at, count in enumerate(shoe):
            if count:
                left = shoe if self.replace else (*shoe[:at], count - 1, *shoe[at + 1 :])
                draws.append((at + 1, count / size, left))
        return draws


@dataclass(frozen=True)
class Assessment:
    """One decision, judged by equation 2.1."""

    action: str
    baseline: str
    values: dict[str, float]

    @property
    def score(self) -> float:
        return self.values[self.action] - self.values[self.baseline]


def assess(cards: tuple[str, str], upcard: str, action: str, shoe: Shoe) -> Assessment:
    """The score of an action with two cards; `shoe` is what was left before the hand was dealt."""
    situation = Situation(CARDS[upcard], without(shoe, *cards, upcard))
    return Assessment(action, baseline(cards, upcard), situation.values(cards))


def hands_of(row: str) -> list[tuple[str, str]]:
    """The two-card hands of a row of Table 2.1."""
    if "," in row:
        first, second = row.split(",")
        return [(first, second)]
    total = 10 if row == "T" else int(row)
    hard = UPCARDS[:9]
    return [(a, b) for a in hard for b in hard if CARDS[a] < CARDS[b] and CARDS[a] + CARDS[b] == total]


def row_values(row: str, upcard: str, shoe: Shoe, replace: bool = True) -> dict[str, float]:
    """The expected values of each action, averaged over the hands of a row as often as they are dealt from the shoe."""
    totals: dict[str, float] = {}
    weights = 0.0
    for a, b in hands_of(row):
        after = without(shoe, a)
        weight = shoe[CARDS[a] - 1] * after[CARDS[b] - 1]
        weights += weight
        for action, value in Situation(CARDS[upcard], without(after, b, upcard), replace).values((a, b)).items():
            totals[action] = totals.get(action, 0.0) + weight * value
    return {action: value / weights for action, value in totals.items()}


def slips(shoe: Shoe) -> list[tuple[str, str, str, str, float]]:
    """Entries of Table 2.1 that are not the best action: row, upcard, printed, best, and what the difference costs."""
    found = []
    for row, actions in ROWS.items():
        for upcard, printed in zip(UPCARDS, actions):
            values = row_values(row, upcard, shoe)
            best = max(values, key=values.__getitem__)
            if values[best] > values[printed]:
                found.append((row, upcard, printed, best, values[best] - values[printed]))
    return found


def games_needed(difference: float, deviation: float) -> float:
    """How many games tell a difference in bets per game from chance, at two standard errors (section 2.2).

    >>> round(games_needed(0.01, 1.148))
    52716
    """
    return (2 * deviation / difference) ** 2


def later_action(total: int, ace: bool, upcard: str, rows: Table) -> str:
    """Hit or stand with a hand that can no longer be doubled or split."""
    soft = ace and total <= 11
    if not soft:
        action = HIT if total < 8 else rows["T" if total == 10 else str(min(total, 17))][UPCARDS.index(upcard)]
    else:
        action = HIT if total == 2 else rows.get(f"A,{total - 1}", STAND * 10)[UPCARDS.index(upcard)]
    if action == DOUBLE:
        return STAND if points(total, ace) >= 18 else HIT
    return action


def outcomes(
    cards: tuple[str, str], upcard: str, shoe: Shoe, rows: Table, split: bool = False
) -> dict[tuple[int, int], float]:
    """The probabilities of (bets, points) when two cards are played by a table, drawing from an unchanging shoe."""
    chances = {card: count / sum(shoe) for card, count in enumerate(shoe, 1)}
    found: dict[tuple[int, int], float] = {}

    def play(total: int, ace: bool, action: str, bets: int, p: float) -> None:
        if action == STAND or total > 21:
            end = (bets, min(points(total, ace), BUST))
            found[end] = found.get(end, 0.0) + p
            return
        for card, chance in chances.items():
            drawn = (total + card, ace or card == 1)
            play(*drawn, STAND if action == DOUBLE else later_action(*drawn, upcard, rows), bets, p * chance)

    total, ace = CARDS[cards[0]] + CARDS[cards[1]], "A" in cards
    action = baseline(cards, upcard, rows)
    if split and action == SPLIT:
        action = later_action(total, ace, upcard, rows)
    play(total, ace, STAND if split and cards[0] == "A" else action, 2 if action == DOUBLE else 1, 1.0)
    return found


def game_moments(shoe: Shoe, rows: Table = ROWS) -> tuple[float, float]:
    """Mean and standard deviation of a game played by a table, in bets, a blackjack paying 3 to 2.

    Cards are drawn as from a shoe that never changes.
    """
    size = sum(shoe)
    chance = {name: shoe[card - 1] / size for name, card in CARDS.items()}
    mean = square = 0.0
    for upcard, up_p in chance.items():
        blackjack = chance["T"] if upcard == "A" else chance["A"] if upcard == "T" else 0.0
        dealer = dict(zip(RESULTS, Situation(CARDS[upcard], shoe, replace=True).dealer_results()))
        for first, first_p in chance.items():
            for second, second_p in chance.items():
                p = up_p * first_p * second_p
                if {first, second} == {"A", "T"}:
                    mean, square = mean + p * (1 - blackjack) * 1.5, square + p * (1 - blackjack) * 2.25
                    continue
                mean, square = mean - p * blackjack, square + p * blackjack
                splits = baseline((first, second), upcard, rows) == SPLIT
                if splits:
                    ends: dict[tuple[int, int], float] = {}
                    for card, card_p in chance.items():
                        for end, q in outcomes((first, card), upcard, shoe, rows, split=True).items():
                            ends[end] = ends.get(end, 0.0) + card_p * q
                else:
                    ends = outcomes((first, second), upcard, shoe, rows)
                for result, result_p in dealer.items():
                    won = [(q, bets * _sign(own, result)) for (bets, own), q in ends.items()]
                    once, twice = sum(q * x for q, x in won), sum(q * x * x for q, x in won)
                    # Given the dealer's result the two hands of a split are independent.
                    both = (2 * once, 2 * twice + 2 * once * once) if splits else (once, twice)
                    mean += p * (1 - blackjack) * result_p * both[0]
                    square += p * (1 - blackjack) * result_p * both[1]
    return mean, math.sqrt(square - mean * mean)


def _sign(own: int, result: int) -> int:
    """Who wins, from the player's view: a player who busts has lost before the dealer plays."""
    if own == BUST:
        return -1
    return 1 if result == BUST or result < own else -1 if result > own else 0


def main() -> None:
    print(f"Section 2.2: 0.01 bets/game at an SD of 1.148 take {games_needed(0.01, 1.148):,.0f} games by the bankroll.")
    for name, rows in (("as printed", ROWS), ("without its slips", CORRECTED)):
        mean, deviation = game_moments(fresh_shoe(), rows)
        print(f"  Table 2.1 {name}: mean {mean:+.4f} bets/game, SD {deviation:.3f}")
    print("\nSection 2.2: six and five against a six, doubled; the dealer makes 20.")
    unlucky = assess(("6", "5"), "6", DOUBLE, fresh_shoe())
    print(
        f"  money -2 bets; the decision was worth {unlucky.values[DOUBLE]:+.4f} and is the baseline's:"
        f" score {unlucky.score:+.4f}"
    )
    print("\nSection 2.4: four and five against a seven, doubled.")
    for name, shoe in (("fresh shoe of four decks", fresh_shoe()), ("ten of each, 55 tens", shoe_of(10, 55))):
        result = assess(("4", "5"), "7", DOUBLE, shoe)
        double, hit = result.values[DOUBLE], result.values[HIT]
        print(f"  {name + ':':26} double {double:+.4f}, hit {hit:+.4f} (the baseline): score {result.score:+.4f}")
    print("\nTable 2.1, entries that are not the best action with four decks:")
    for row, upcard, printed, best, cost in slips(fresh_shoe()):
        print(f"  {row:>3} against {upcard}: printed {printed}, best {best}, a difference of {cost:.4f}")


if __name__ == "__main__":
    main()
