"""The built-in players that think: what they do in given positions, and that they beat those that do not."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from naive import playout_share as naive_share
from naive import rank as naive_rank
from railbird.bots.expert import RULES, ExpertBot, bets_faced, rule_for
from railbird.bots.features import hand_words, made_hand
from railbird.bots.groups import GROUPS, WORST_GROUP, starting_group
from railbird.bots.registry import make_bot
from railbird.bots.simulation import SimulationBot, place, situation
from railbird.cards import HOLDING_COUNT, class_text, holding_cards, parse_cards
from railbird.errors import UnknownBotError
from railbird.game.actions import ProbabilityTriple
from railbird.game.betting import Betting
from railbird.game.spec import STREETS, limit_holdem, no_limit_holdem
from railbird.game.view import PlayerView
from railbird.kernels.cards.ranking import CARD_KEYS, TABLE
from railbird.kernels.play.random_opponents import playout_share
from railbird.odds.income_rates import class_income_rates
from railbird.play.matches import play_match


def view_of(holding, board="", history="", game=None):
    """What the player to act sees after this betting."""
    node = Betting.start(game or limit_holdem()).play(history)
    names = tuple(f"player-{position}" for position in range(node.game.seats))
    return PlayerView(node, node.to_act, parse_cards(holding), parse_cards(board), 0, names)


# Starting hands.


def test_groups_against_income_rates():
    # Papp 1998, Table A.4: the 169 classes ordered by IR_7 and cut into groups of these sizes, and how many classes of
    # each of Sklansky and Malmuth's groups fall into the group of the same number. The quoted groups 5 and 7 have 18
    # hands each, one more than the table gives them, and so group 9 two fewer.
    sizes = (5, 5, 6, 8, 17, 10, 17, 16, 85)
    rates = class_income_rates(7)
    by_rate = sorted(rates, key=lambda name: -rates[name])
    group_by_rate = dict(zip(by_rate, [g for g, size in enumerate(sizes, 1) for _ in range(size)]))
    group = {class_text(holding): starting_group(holding_cards(holding)) for holding in range(HOLDING_COUNT)}
    assert [list(group.values()).count(g) for g in range(1, 10)] == [5, 5, 6, 8, 18, 10, 18, 16, 83]
    matches = [sum(group[name] == group_by_rate[name] == g for name in group) for g in range(1, 10)]
    assert matches == [5, 5, 5, 4, 11, 2, 6, 1, 69]


def test_every_hand_is_in_one_group():
    named = [starting_group(holding_cards(holding)) for holding in range(HOLDING_COUNT)]
    assert set(named) == set(range(1, WORST_GROUP + 1))
    assert len(GROUPS) == WORST_GROUP - 1


# The simulation player.


def test_playouts_agree_with_the_naive_twin():
    random.seed(20)
    for _ in range(12):
        cards = random.sample(range(52), 7)
        hole, board = cards[:2], cards[2 : 2 + random.choice((3, 4, 5))]
        opponents, state = random.choice((1, 2, 5, 22)), random.getrandbits(64)
        fast = playout_share(
            TABLE, CARD_KEYS, np.array(hole, np.uint8), np.array(board, np.uint8), opponents, 20, np.uint64(state)
        )
        assert fast == pytest.approx(naive_share(hole, board, opponents, 20, state), abs=1e-12), (hole, board, state)


def test_playouts_come_close_to_the_exact_share():
    hole, board = parse_cards("AdQc"), parse_cards("3h4cJh8sTd")
    own = naive_rank([*hole, *board])
    rest = [card for card in range(52) if card not in hole + board]
    ranks = [naive_rank([a, b, *board]) for i, a in enumerate(rest) for b in rest[:i]]
    exact = sum((own > theirs) + (own == theirs) / 2 for theirs in ranks) / len(ranks)
    share = playout_share(
        TABLE, CARD_KEYS, np.array(hole, np.uint8), np.array(board, np.uint8), 1, 100_000, np.uint64(3)
    )
    assert share == pytest.approx(exact, abs=4 * 0.5 / 100_000**0.5)


@pytest.mark.parametrize(
    ("holding", "board", "history", "action"),
    [
        ("AdAc", "", "", "r"),  # on the button
        ("7h2c", "", "", "c"),  # half a bet, in position
        ("7h2c", "", "r", "f"),
        ("Kd9h", "", "r", "c"),
        ("AsAd", "AhAc2d", "cc/", "r"),
        ("AsAd", "AhAc2d", "cc/crr", "r"),
        ("7h2c", "AsKsQs", "cc/", "c"),  # nothing to call
        ("7h2c", "AsKsQs", "cc/r", "f"),
        ("4s3s", "AhKd2c9hJd", "rrrc/rrrc/rc/r", "f"),  # drawing is over
        ("JdTd", "Ad8d2c", "rrrc/r", "c"),  # a flush draw gets the pot odds
    ],
)
def test_simulation_decides(holding, board, history, action):
    bot = SimulationBot()
    bot.seed_hand(1, 2)
    assert str(bot.act(view_of(holding, board, history))) == action


def test_bets_and_raises_count_as_opponents():
    bot = SimulationBot(playouts=20_000)
    shares = []
    for history in ("cc/", "cc/r", "cc/rr"):
        bot.seed_hand(5)
        shares.append(bot.share(view_of("QdQc", "Jh7s2d", history)))
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[1] > 0.05 < shares[1] - shares[2]


def test_places_at_a_full_table():
    views = [view_of("AdAc", "", "f" * n, limit_holdem(10)) for n in range(9)]
    assert [place(v) for v in views] == ["early"] * 3 + ["middle"] * 3 + ["late"] * 2 + ["small-blind"]
    assert place(view_of("AdAc", "", "f" * 7 + "cc", limit_holdem(10))) == "big-blind"
    assert place(view_of("AdAc", "", "crf" + "f" * 7, limit_holdem(10))) == "in"
    assert [place(view_of("AdAc", "", history)) for history in ("", "c")] == ["heads-up-button", "heads-up-blind"]


def test_situations():
    game = limit_holdem(6)
    assert [situation(view_of("AdAc", "", h, game)) for h in ("", "f", "c", "cr", "crr")] == [
        "unopened",
        "unopened",
        "called",
        "raised",
        "reraised",
    ]
    assert situation(view_of("AdAc", "", "r20000", no_limit_holdem())) == "reraised"


def test_simulation_without_a_cap_stops_raising():
    game = no_limit_holdem()
    assert str(SimulationBot().act(view_of("AdAc", "", "r200r300r400r500", game))) == "c"


@pytest.mark.parametrize("text", ["simulation:playouts=0", "simulation:edge=0", "simulation:edge=-1"])
def test_simulation_refuses_bad_parameters(text):
    with pytest.raises(UnknownBotError, match=text.split(":")[1]):
        make_bot(text)


# The rule-based player.


@pytest.mark.parametrize(
    ("holding", "board", "made"),
    [
        ("AdKc", "Qh7s2d", "nothing"),
        ("AdKc", "QhQs2d", "nothing"),  # the pair is everybody's
        ("3d3c", "Qh7s2d", "pair"),
        ("2hAc", "Qh7s2d", "pair"),
        ("7hAc", "Qh7s2d", "second-pair"),
        ("9h9c", "Qh7s2d", "second-pair"),
        ("QdAc", "Qh7s2d", "top-pair"),
        ("KdKc", "Qh7s2d", "overpair"),
        ("Qd7c", "Qh7s2d", "two-pair"),
        ("QdQc", "Qh7s2d", "trips"),
        ("QdAc", "QhQs2d", "trips"),
        ("6d5c", "4h3s2d", "straight"),
        ("Ad5c", "4h3s2d", "straight"),
        ("9d2c", "8h7s6d5c4h", "straight"),  # higher than the board's own
        ("2d2c", "9h8h7s6d5c", "pair"),  # the board's straight is everybody's
        ("AhJh", "Qh7h2h", "flush"),
        ("AhJd", "Qh7h2h9h", "flush"),
        ("QdQc", "Qh7s7d", "full-house"),
        ("7cAc", "7h7s7d", "full-house"),
        ("KdKc", "7h7s7d", "full-house"),
        ("AcKd", "7h7s7d2c2h", "nothing"),
    ],
)
def test_made_hands(holding, board, made):
    assert made_hand(parse_cards(holding), parse_cards(board)) == made
    assert made_hand(parse_cards(holding)[::-1], parse_cards(board)[::-1]) == made


@pytest.mark.parametrize(
    ("holding", "board", "words"),
    [
        ("9h8h", "Kh7h2c", {"four-flush"}),
        ("9h8h", "7s6d2c", {"open-straight", "overcards"}),
        ("9h8h", "Jc7d2s", {"gutshot"}),
        ("9h8h", "JcTc2s", {"open-straight"}),
        ("AhKd", "9c5d2s", {"overcards", "ace-high"}),
        ("Ah4d", "3c5dKs", {"gutshot", "ace-high"}),
        ("6hQd", "8c9dTs", {"open-straight"}),  # two gutshots are as good
        ("9h8h", "7s6d2cKdAs", set()),  # no draws on the river
        ("2h3h", "9c8d7s6h", set()),  # everybody's draw
        ("2h3d", "9h8h7hKh", {"flush", "straight", "trips", "two-pair", "overpair", "top-pair", "second-pair", "pair"}),
    ],
)
def test_draws(holding, board, words):
    found = set(hand_words(parse_cards(holding), parse_cards(board)))
    assert found == words | {"any"}


def test_rule_of_papp_figure_4_1():
    # Papp 1998, Figure 4.1: two bets or more on the flop without top pair, four-flush or open straight.
    for holding in ("9h8d", "7d6c", "AdKc"):
        rule = rule_for(view_of(holding, "Qh7s2d", "ccc/rr", limit_holdem(3)))
        assert rule.chances == ProbabilityTriple(fold=80, call=10, raise_=10)
    for holding in ("QdJc", "KdKc", "JhTh"):
        board = "Qh7s2d" if holding != "JhTh" else "Qh7h2d"
        assert rule_for(view_of(holding, board, "ccc/rr", limit_holdem(3))).chances.fold == 0


def test_rules_leave_no_gap_and_none_is_hidden():
    made = ["pair", "second-pair", "top-pair", "overpair", "two-pair", "trips", "straight", "flush", "full-house"]

    def implied(word):
        if word in made:
            return {*made[: made.index(word) + 1], "any"}
        if word.startswith("group"):
            return {*[f"group-{g}" for g in range(int(word[-1]), WORST_GROUP)], "any"}
        return {word, "any"}

    def first(street, bets, opponents, words):
        return next(
            r
            for r in RULES
            if street in r.streets
            and r.least_bets <= bets <= r.most_bets
            and opponents <= r.most_opponents
            and words & set(r.words)
        )

    used = set()
    words = ["any", *made, "four-flush", "open-straight", "gutshot", "overcards", "ace-high"]
    groups = [f"group-{g}" for g in range(1, WORST_GROUP)]
    for street, bets, opponents in product(STREETS, range(6), range(1, 10)):
        for word in ["any", *groups] if street == "preflop" else words:
            used.add(first(street, bets, opponents, implied(word)).number)
    assert used == {rule.number for rule in RULES}
    assert all(sum(rule.chances) == 100 and min(rule.chances) >= 0 for rule in RULES)
    assert all(rule.chances.fold == 0 for rule in RULES if rule.most_bets == 0)


def test_expert_plays_by_its_percentages_and_explains_them():
    view, bot = view_of("9h8d", "Qh7s2d", "ccc/rr", limit_holdem(3)), ExpertBot()
    kinds = []
    for hand in range(2_000):
        bot.seed_hand(4, hand)
        kinds.append(bot.act(view).kind)
    assert [round(kinds.count(kind) / 20) for kind in "fcr"] == pytest.approx([80, 10, 10], abs=3)
    found = bot.explain(view)
    assert found.rule == "rule 20"
    assert found.reason.endswith("flop, 2 bets or more, any: raise 10%, call 10%, fold 80%")
    assert found.chances == {"fold": 0.8, "call": 0.1, "raise": 0.1}


@pytest.mark.parametrize(
    ("history", "bets"),
    [
        ("", 1),
        ("c", 0),
        ("r300", 2),
        ("r1000", 3),  # more than four big blinds
        ("r200r300r400r500r600", 6),
        ("r300c/", 0),
        ("r300c/r500", 1),  # 200 into 600
        ("r300c/r20000", 2),
    ],
)
def test_bets_where_sizes_are_free(history, bets):
    view = view_of("AdAc", "7h8h9s" if "/" in history else "", history, no_limit_holdem())
    assert bets_faced(view) == bets
    assert view.betting.is_legal(ExpertBot().act(view))


def test_expert_without_a_cap_stops_raising():
    assert str(ExpertBot().act(view_of("AdAc", "", "r200r300r400r500", no_limit_holdem()))) == "c"


# Who beats whom. The intervals are those of 95%, from pairs of hands with seats exchanged.


@pytest.mark.parametrize("name", ["expert", "simulation"])
@pytest.mark.parametrize("opponent", ["always-call", "always-raise", "random"])
def test_thinking_beats_not_thinking(name, opponent):
    result = play_match(name, opponent, hands=1_500, seed=9, duplicate=True, workers=1)
    rate = result.players[0].best
    assert rate.mean > rate.margin > 0
    assert not result.faults


@pytest.mark.parametrize("name", ["expert", "simulation"])
def test_thinking_wins_at_a_table_of_six(name):
    others = ("always-call", "always-raise", "random", "random:fold=1,call=4,raise=2", "always-fold")
    result = play_match(name, *others, hands=400, seed=11, duplicate=True, workers=1)
    rate = result.players[0].best
    assert rate.mean > rate.margin
    assert not result.faults
