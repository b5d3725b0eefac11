"""AIVAT of heads-up limit hold'em: the quick way against the plain one, and against money."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from railbird.assess.aivat_hands import RIVER_SHARES, HandAivat, TablePlayer
from railbird.assess.self_play import SelfPlay, computed
from railbird.bots.registry import make_bot
from railbird.cards import holding_cards, holding_index, parse_cards
from railbird.errors import AssessmentError
from railbird.game.betting import Betting
from railbird.game.record import HandRecord
from railbird.game.spec import limit_holdem
from railbird.odds.ranks import rank_cards
from railbird.play.match_logs import arrays_of, read_hand_arrays
from railbird.play.matches import play_match
from railbird.solve.policy import holding_chances

GAME = limit_holdem()
SPARBOT = make_bot("sparbot").table_policy(GAME)
HOLDINGS = [holding_cards(at) for at in range(1326)]
LEFT = {0: 17_296, 3: 45, 4: 44}


@pytest.fixture(scope="module")
def absurd():
    """Values that have nothing to do with poker."""
    generator = np.random.default_rng(1)
    shapes = zip((1, 7, 63, 567), SPARBOT.abstraction.counts)
    return SelfPlay(SPARBOT, tuple(generator.normal(0, 1, (2, *shape)).astype(np.float32) for shape in shapes))


@cache
def dealt(hole, board):
    """What may be dealt next, and the buckets of a holding then."""
    deck = [card for card in range(52) if card not in board and card not in hole]
    cards = list(combinations(deck, 1 if board else 3))
    return np.array(cards), np.array([SPARBOT.abstraction.bucket(hole, (*board, *each)) for each in cards])


class Plain:
    """The same measure for the other player, event by event, as the formulas of `railbird.assess.aivat` have it."""

    def __init__(self, self_play, policy, imagined, hole, other_policy=None):
        self.values, self.policy, self.other_policy = self_play.values, policy, other_policy
        self.imagined, self.hole = imagined, hole
        self.rounds = HandAivat(self_play).rounds

    def opening(self, node, board, weights):
        street = len(board) - 2 if board else 0
        rounds = self.rounds[street]
        number = rounds.number(rounds.tree.node(node.history))
        bucket = SPARBOT.abstraction.bucket(self.hole, board)
        value = float(self.values[street][1 - self.imagined, number, bucket])
        return value if street < 3 else self.on_river(node, board, weights, value)

    def on_river(self, node, board, weights, value):
        return RIVER_SHARES[0] * value + RIVER_SHARES[1] * self.shown(node, board, weights)

    def shown(self, node, board, weights):
        """What a showdown brings, if nobody bets any more."""
        own = rank_cards((*self.hole, *board))
        signs = [np.sign(own - rank_cards((*HOLDINGS[at], *board))) if w else 0 for at, w in enumerate(weights)]
        return node.committed[0] / 2 * float(np.dot(signs, weights)) / weights.sum()

    def left(self, weights, cards):
        return np.array([0.0 if set(cards) & set(HOLDINGS[at]) else w for at, w in enumerate(weights)])

    def after_deal(self, node, board, weights):
        """The mean over the cards to come of what the next round is worth."""
        cards, buckets = dealt(self.hole, board)
        rounds = self.rounds[len(board) - 1 if board else 1]
        number = rounds.number(rounds.tree.node(node.history))
        worth = self.values[rounds.street][1 - self.imagined, number, buckets]
        by_card = np.array([weights[[c in hole for hole in HOLDINGS]].sum() for c in range(52)])
        come = weights.sum() - by_card[cards].sum(axis=1)
        for low, high in combinations(range(cards.shape[1]), 2):
            come += weights[cards[:, high] * (cards[:, high] - 1) // 2 + cards[:, low]]
        if len(board) == 4:
            pairs = zip(cards[:, 0].tolist(), worth.tolist())
            worth = [self.on_river(node, (*board, c), self.left(weights, (c,)), value) for c, value in pairs]
        return float(come @ np.array(worth)) / (LEFT[len(board)] * weights.sum())

    def value(self, node, board, weights):
        """What a node of a round is worth; `board` is that of the round."""
        street = len(board) - 2 if board else 0
        if node.is_showdown:
            return self.shown(node, board, weights)
        if node.is_over:
            lost = min(node.committed) / 2
            return lost if node.live == (1 - self.imagined,) else -lost
        if node.street > street:
            return self.after_deal(node, board, weights)
        return self.expected(node, board, weights, SPARBOT)

    def expected(self, node, board, weights, other):
        if node.to_act == self.imagined:
            chances = holding_chances(self.policy, node.history, board)
        else:
            chances = holding_chances(other, node.history, board)[holding_index(*self.hole)]
        total = 0.0
        for action in node.legal_actions():
            at = "fcr".index(action.kind)
            come = weights * chances[:, at] if node.to_act == self.imagined else weights
            share = come.sum() / weights.sum() if node.to_act == self.imagined else chances[at]
            if share > 0:
                total += share * self.value(node.after(action), board, come)
        return total

    def total(self, record):
        weights = self.left(np.ones(1326), self.hole)
        board, node = (), Betting.start(GAME)
        root = np.mean([Plain.opening(self._with(hole), node, (), None) for hole in HOLDINGS])
        total, came = 0.0, root
        streets = record.history.split("/")
        for street, actions in enumerate(streets):
            board = record.board_on(street)
            weights = self.left(weights, board)
            total += came - self.opening(node, board, weights)
            for letter in actions:
                action = next(each for each in node.legal_actions() if each.kind == letter)
                after, kept = node.after(action), weights
                if node.to_act == self.imagined:
                    kept = weights * holding_chances(self.policy, node.history, board)[:, "fcr".index(letter)]
                    total += self.value(node, board, weights) - self.value(after, board, kept)
                elif self.other_policy:
                    total += self.expected(node, board, weights, self.other_policy) - self.value(after, board, kept)
                node, weights = after, kept
            came = self.value(node, board, weights)
        return total + came

    def _with(self, hole):
        found = object.__new__(Plain)
        found.__dict__.update(self.__dict__)
        found.hole = hole
        return found


HANDS = [
    ("QdQc", "9h8h", "", "f", 0),
    ("QdQc", "9h8h", "", "rf", 1),
    ("AdTc", "9h8h", "Jh7s2cAs", "crc/cc/rf", 0),
    ("AdTc", "9h8h", "Jh7s2cAh9d", "rc/crc/cc/rc", 1),
]


def record_of(first, second, board, history):
    holes, cards = (parse_cards(first), parse_cards(second)), parse_cards(board)
    payoffs = HandRecord(GAME, 0, ("a", "b"), holes, cards, history, (0, 0)).replayed_payoffs()
    return HandRecord(GAME, 0, ("a", "b"), holes, cards, history, payoffs)


@pytest.mark.parametrize(("first", "second", "board", "history", "imagined"), HANDS)
def test_the_quick_way_is_the_plain_one(absurd, first, second, board, history, imagined):
    caller = make_bot("random:fold=1,call=6,raise=3").table_policy(GAME)
    record = record_of(first, second, board, history)
    hands = arrays_of([record])
    sign = 1 if imagined else -1
    alone = HandAivat(absurd).of(hands, {hands.names.index("ab"[imagined]): TablePlayer(SPARBOT)})[0]
    plain = Plain(absurd, SPARBOT, imagined, record.holes[1 - imagined])
    assert alone == pytest.approx(sign * plain.total(record), abs=1e-5)
    both = HandAivat(absurd)._imagined(hands, 0, imagined, in_order(imagined, TablePlayer(SPARBOT), caller))
    plain = Plain(absurd, SPARBOT, imagined, record.holes[1 - imagined], caller)
    assert both == pytest.approx(plain.total(record), abs=1e-5)


def in_order(imagined, player, other):
    players = [TablePlayer(other), TablePlayer(other)]
    players[imagined] = player
    return players


@pytest.fixture(scope="module")
def self_play():
    """The sparbot's values from few boards: noisy, and good enough."""
    return SelfPlay.unpacked(SPARBOT, computed(SPARBOT, 60))


def test_values_of_self_play(self_play):
    first, second = self_play.values[0][:, 0]
    bucket = SPARBOT.abstraction.bucket
    aces, trash = bucket(parse_cards("AsAh"), ()), bucket(parse_cards("7d2c"), ())
    assert first[aces] > 1 > 0 > first[trash]
    assert second[aces] > 1 > 0 > second[trash]
    sizes = np.bincount(SPARBOT.buckets(0, np.empty((1, 0), np.uint8))[0])
    # What one position wins the other loses, and the blinds are 1 and a half.
    assert np.average(first + second, weights=sizes) == pytest.approx(0.0, abs=0.05)
    assert max(np.abs(values).max() for values in self_play.values) <= 24.0


@pytest.mark.parametrize(("second", "known"), [("always-call", (0,)), ("random:fold=1,call=6,raise=3", (0, 1))])
def test_the_mean_is_that_of_the_money(tmp_path, self_play, second, known):
    play_match("sparbot", second, hands=600, seed=11, duplicate=False, folder=tmp_path / "match", progress=False)
    hands = read_hand_arrays([tmp_path / "match"])
    policies = [SPARBOT, make_bot(second).table_policy(GAME)]
    players = {at: TablePlayer(policies[at]) for at in known}
    measured = HandAivat(self_play).of(hands, players)
    money = hands.fair_payoffs[:, 0] / hands.small_bet
    apart = money - measured
    assert abs(apart.mean()) < 4.5 * apart.std() / np.sqrt(len(hands))
    assert measured.std() < money.std() / 2


def test_a_player_who_is_not_the_one_named_is_refused(self_play):
    hands = arrays_of([record_of("QdQc", "9h8h", "", "rf")])
    never_raises = TablePlayer(make_bot("always-call").table_policy(GAME))
    with pytest.raises(AssessmentError, match="hand 0: b did what it never does"):
        HandAivat(self_play).of(hands, {1: never_raises})
    with pytest.raises(AssessmentError, match="neither player of hand 0"):
        HandAivat(self_play).of(hands, {})
