"""A rule-based player: an ordered list of rules, each a situation with its raise, call and fold percentages."""

from __future__ import annotations

from collections.abc import Hashable
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.bots.base import may_raise
from railbird.bots.classed import ClassedBot, bare_view
from railbird.bots.decision import PLAYS_NOTES, Decision, by_action, legal_chances
from railbird.bots.features import hand_words
from railbird.bots.word_classes import GROUP_WORDS, HAND_WORDS, word_classes
from railbird.game.actions import CALL, FOLD, Action, ProbabilityTriple
from railbird.game.betting import Betting
from railbird.game.spec import STREETS, Game, Structure
from railbird.game.view import PlayerView

# The first rule that fits decides. Streets are p, f, t, r. Bets: see `bets_faced`; 2+ is two or more. Opponents: at
# most that many are left, "-" for any number. Hand: one of the words fits (see `railbird.bots.features`), or "any".
_ANY_NUMBER = 1_000_000
_RULES = """
streets bets opponents  hand                               raise call fold
p       0    -          group-3                              100    0    0
p       0    1          group-6                               70   30    0
p       0    -          any                                    0  100    0
p       1    1          group-6                               90   10    0
p       1    1          any                                   20   60   20
p       1    -          group-3                              100    0    0
p       1    -          group-5                               10   90    0
p       1    2          group-8                               10   70   20
p       1    -          any                                    0    0  100
p       2+   -          group-2                               90   10    0
p       2    1          group-3                               40   60    0
p       2    1          group-8                                5   95    0
p       2    1          any                                    0   60   40
p       3+   1          group-7                               10   90    0
p       2    -          group-5                                5   95    0
p       3+   -          group-4                                0  100    0
p       2+   -          any                                    0    0  100

ft      2+   -          two-pair                             100    0    0
f       2+   -          top-pair four-flush open-straight     15   85    0
f       2+   -          any                                   10   10   80
t       2+   -          top-pair four-flush open-straight      0  100    0
t       2+   -          any                                    0    5   95

ft      1    -          two-pair                             100    0    0
ft      1    -          overpair                              80   20    0
ft      1    2          top-pair                              60   40    0
ft      1    -          top-pair                              30   70    0
f       1    -          four-flush open-straight              30   70    0
t       1    -          four-flush open-straight               0  100    0
ft      1    1          second-pair                           10   90    0
ft      1    1          pair                                   5   85   10
f       1    1          gutshot overcards ace-high             5   85   10
t       1    1          ace-high                               0   70   30
f       1    1          any                                    5   25   70
f       1    -          second-pair                            5   65   30
ft      1    -          any                                    3    7   90

ft      0    -          top-pair                              95    5    0
ft      0    2          four-flush open-straight second-pair  70   30    0
ft      0    1          pair overcards ace-high               60   40    0
ft      0    -          four-flush open-straight              30   70    0
ft      0    1          any                                   25   75    0
ft      0    -          any                                    5   95    0

r       2+   -          straight                             100    0    0
r       2+   -          two-pair                              20   80    0
r       2+   -          top-pair                               0   90   10
r       2+   -          any                                    0    5   95
r       1    -          trips                                100    0    0
r       1    -          two-pair                              70   30    0
r       1    1          top-pair                              20   80    0
r       1    -          top-pair                               0  100    0
r       1    1          pair                                   0   90   10
r       1    1          ace-high                               0   60   40
r       1    -          second-pair                            0   50   50
r       1    -          any                                    2    3   95
r       0    -          two-pair                             100    0    0
r       0    2          top-pair                              90   10    0
r       0    -          top-pair                              60   40    0
r       0    1          second-pair                           50   50    0
r       0    1          pair ace-high                          5   95    0
r       0    -          any                                   12   88    0
"""


class Rule(NamedTuple):
    """A line of the list."""

    number: int
    streets: tuple[str, ...]
    least_bets: int
    most_bets: int
    most_opponents: int
    words: tuple[str, ...]
    chances: ProbabilityTriple

    def __str__(self) -> str:
        bets = f"{self.least_bets} bet{'' if self.least_bets == 1 else 's'}"
        if self.most_bets > self.least_bets:
            bets += " or more"
        against = f", at most {self.most_opponents} against us" if self.most_opponents < _ANY_NUMBER else ""
        fold, call, raise_ = self.chances
        return (
            f"{' or '.join(self.streets)}, {bets}{against}, {' or '.join(self.words)}: "
            f"raise {raise_:g}%, call {call:g}%, fold {fold:g}%"
        )


def _read_rules(text: str) -> tuple[Rule, ...]:
    street_of = {street[0]: street for street in STREETS}
    rules = []
    for number, line in enumerate(filter(None, text.strip().splitlines()[1:]), 1):
        letters, bets, opponents, *words, raise_, call, fold = line.split()
        rule = Rule(
            number=number,
            streets=tuple(street_of[letter] for letter in letters),
            least_bets=int(bets[0]),
            most_bets=_ANY_NUMBER if bets[1:] == "+" else int(bets),
            most_opponents=_ANY_NUMBER if opponents == "-" else int(opponents),
            words=tuple(words),
            chances=ProbabilityTriple(float(fold), float(call), float(raise_)),
        )
        rules.append(rule)
    return tuple(rules)


RULES = _read_rules(_RULES)
_RULES_OF = {street: [rule for rule in RULES if street in rule.streets] for street in STREETS}


class ExpertBot(ClassedBot):
    """Plays by a list of rules of thumb, in the manner of Papp (1998), section 4.1.

    One rule, two bets or more on the flop without top pair or a good draw, is the one of Figure 4.1; the others are
    Railbird's.
    """

    def can_play(self, game: Game) -> bool:
        return game.is_holdem

    def act(self, view: PlayerView) -> Action:
        kind = rule_for(view).chances.pick(view.can_fold, may_raise(view), self.rng.random())
        if kind == "r":
            return view.smallest_raise()
        return FOLD if kind == "f" else CALL

    def explain(self, view: PlayerView) -> Decision:
        """The decision, with the hand as the rules see it and the rule that decides.

        >>> from railbird.cards import parse_cards
        >>> from railbird.game.betting import Betting
        >>> from railbird.game.spec import limit_holdem
        >>> betting = Betting.start(limit_holdem(3)).play("ccc/rr")
        >>> view = PlayerView(betting, 2, parse_cards("9h8h"), parse_cards("Kh7d2c"), 0, ("Ann", "Bob", "Cal"))
        >>> found = ExpertBot().explain(view)
        >>> print(found.reason)
        rule 20, with nothing: flop, 2 bets or more, any: raise 10%, call 10%, fold 80%
        """
        rule, best = rule_for(view), hand_words(view.hole_cards, view.board_cards)[0]
        reason = f"rule {rule.number}, with {'nothing' if best == 'any' else best}: {rule}"
        chances = legal_chances(rule.chances, view.can_fold, may_raise(view))
        return Decision(self.act(view), f"rule {rule.number}", reason, by_action("plays", chances), PLAYS_NOTES)

    # The rules see nothing of a hand but its words.

    def class_counts(self, game: Game) -> tuple[int, ...]:
        return (len(GROUP_WORDS), *[len(HAND_WORDS)] * 3)

    def holding_classes(self, game: Game, board: tuple[int, ...]) -> NDArray[np.int32]:
        return word_classes(board)

    def class_chances(self, node: Betting) -> NDArray[np.float64]:
        view, known = bare_view(node), HAND_WORDS if node.street else GROUP_WORDS
        rules = [_rule_for(view, words) for words in known]
        return np.array([legal_chances(rule.chances, view.can_fold, may_raise(view)) for rule in rules])

    def betting_seen(self, betting: Betting) -> Hashable:
        return bets_faced(bare_view(betting)), betting.can_fold, betting.raises


def rule_for(view: PlayerView) -> Rule:
    """The first rule of the list that fits."""
    return _rule_for(view, frozenset(hand_words(view.hole_cards, view.board_cards)))


def _rule_for(view: PlayerView, words: frozenset[str]) -> Rule:
    """The same for a hand that goes by these words."""
    bets, opponents = bets_faced(view), len(view.opponents)
    for rule in _RULES_OF[view.street]:
        if rule.least_bets <= bets <= rule.most_bets and opponents <= rule.most_opponents and words & set(rule.words):
            return rule
    raise AssertionError(f"no rule fits {view!r}")


def bets_faced(view: PlayerView) -> int:
    """How many bets there are to call, 0 for none.

    Before the flop it is the bets made so far, the big blind counting as one. Where sizes are free, more than four big
    blinds to call before the flop count as three bets, and later more than half the pot before the bet as two.
    """
    node = view.betting
    to_call, fixed = node.to_call, node.game.structure is Structure.FIXED_LIMIT
    if not to_call:
        return 0
    if node.street == 0:
        return node.raises + 1 if fixed or to_call <= 4 * node.game.bet_sizes[0] else max(3, node.raises + 1)
    return ceil(view.bets_to_call) if fixed else 1 + (3 * to_call > view.pot_chips)
