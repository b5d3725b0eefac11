"""Whether betting shows that a bot knows cards it may not see: honest bots never, cheats soon."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from railbird.bots.base import Bot, may_raise
from railbird.check.check_bot import check_bot
from railbird.check.knowledge import FEWEST_DEALS, LIMIT, Knowledge, chance, knowing_match, knowledge, tried_knowledge
from railbird.game.actions import CALL
from railbird.game.spec import limit_holdem, no_limit_holdem
from railbird.odds.ranks import rank_cards, ranks
from railbird.play.dealing import deals


class KnowsTheDeal(Bot):
    """Knows the cards of the match with seed 7, and a share of the time makes use of it."""

    share = 1.0
    sign = 1

    def act(self, view):
        deal = next(deals(view.game, 7, view.hand_number, 1))
        own, other = deal.ranks[view.position], deal.ranks[1 - view.position]
        if deal.holes[view.position] != view.hole_cards or self.rng.random() > self.share:
            return CALL
        return view.smallest_raise() if self.sign * (own - other) > 0 and may_raise(view) else CALL


class KnowsALittle(KnowsTheDeal):
    share = 0.4


class ThrowsAway(KnowsTheDeal):
    """Raises what will lose."""

    sign = -1


class KnowsTheBoard(Bot):
    """Knows nothing of the opponent, but the whole board, and raises what will be good."""

    def act(self, view):
        board = next(deals(view.game, 7, view.hand_number, 1)).board
        will_be_good = rank_cards((*view.hole_cards, *board)) > 3500
        return view.smallest_raise() if will_be_good and may_raise(view) else CALL


class RaisesHighCards(Bot):
    """Wins by its own cards."""

    def act(self, view):
        return view.smallest_raise() if max(view.hole_cards) > 40 and may_raise(view) else view.check_or_fold()


def tried(tmp_path, kind, seed=7, game=None, count=150):
    [found] = tried_knowledge([knowing_match(game or limit_holdem(), kind, count, seed, 10.0)], tmp_path, [])
    assert found.deals == count
    return found


@pytest.mark.parametrize("kind", [KnowsTheDeal, KnowsALittle, ThrowsAway, KnowsTheBoard])
def test_cheats_are_found(kind, tmp_path):
    found = tried(tmp_path, kind, count=400 if kind is KnowsTheBoard else 150)
    assert found.is_certain
    assert (found.score > 0) == (kind is not ThrowsAway)
    assert "PlayerView" in found.where


def test_other_cards_than_expected_are_not_known(tmp_path):
    assert abs(tried(tmp_path, KnowsTheDeal, seed=8).score) < LIMIT


def test_no_limit(tmp_path):
    assert tried(tmp_path, KnowsTheDeal, game=no_limit_holdem(2, stack=5_000)).is_certain


@pytest.mark.parametrize("bot", ["always-raise", "random", "expert", "jagbot", RaisesHighCards])
def test_honest_bots_are_not_accused(bot, tmp_path):
    scores = [tried(tmp_path / str(seed), bot, seed, count=100).score for seed in range(2)]
    assert max(map(abs, scores)) < 4.0


def test_nothing_is_concluded_from_few_deals():
    assert Knowledge(FEWEST_DEALS, LIMIT + 1, None).is_certain
    assert not Knowledge(FEWEST_DEALS - 1, LIMIT + 1, None).is_certain
    assert not Knowledge(FEWEST_DEALS, LIMIT, None).is_certain


def test_nobody_decided_anything():
    assert knowledge([], "nobody") == Knowledge(0, 0.0, None)


def test_chances_are_exact():
    """Against a plain count of all holdings and boards, on the turn and the river."""
    for deal in deals(limit_holdem(), 3, 0, 3):
        for seen in (4, 5):
            board = deal.board[:seen]
            left = [card for card in range(52) if card not in (*deal.holes[0], *board)]
            points = total = 0.0
            for last in [()] if seen == 5 else [(card,) for card in left]:
                own = rank_cards((*deal.holes[0], *board, *last))
                hands = [(*hole, *board, *last) for hole in combinations(left, 2) if not set(hole) & set(last)]
                others = ranks(np.array(hands, np.uint8)).astype(int)
                points += (own > others).sum() + (own == others).sum() / 2
                total += len(hands)
            assert chance(deal.holes[0], board) == pytest.approx(points / total)


def test_check_bot_accuses_by_the_seed_it_used():
    report = check_bot(KnowsTheDeal, seed=7)
    assert [finding.code for finding in report.findings] == ["guesses-cards"], str(report)
    assert "if the seed of the match can be guessed" in report.findings[0].message
